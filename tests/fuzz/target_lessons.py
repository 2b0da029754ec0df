"""Files of lessons and lecture plans: each is one, or an error that names lines and what was expected."""

from __future__ import annotations

from collections.abc import Sequence

from fuzz import mutate
from fuzz.harness import Target, scratch

from lrbn_viz.app.claims import VOCABULARY, wrong_with
from lrbn_viz.server.classroom.plan import SHIPPED as PLANS
from lrbn_viz.server.classroom.plan import open_plan
from lrbn_viz.view.lessons import LessonError, read_file
from lrbn_viz.view.lessons.files import SHIPPED
from lrbn_viz.view.lessons.markup import Tree, to_html

SMALL = b"""---
id: small
title: Small
minutes: 3
summary: A small one.
take_home: Keep it.
---
Opening.

## First
state: ?model=lrbn-12-digits&image=3
look: why lane1
use: draw

Text with [a term](icm), [a link](?image=3) and `code`.

? Which?
- this
  It tempts.
* that
! mean(lane0.wrong_pixels, 9) < 3 and changed(before0, lane0) == 0

Revealed.
"""

LINES = (
    b"---", b"## ", b"## Another", b"? ", b"? Why?", b"- ", b"* ", b"* right", b"! ", b"! lane0.falls == 0",
    b"! lane0", b"! " + b"(" * 300, b"! " + b"not " * 90 + b"1", b"! __import__('os')", b"! 9**9**9**9",
    b"! mean(mean(lane0.falls, 2), 2) > 1", b"! f'{1}' == '1'", b"! 1 if 1 else 2", b"! [x for x in (1, 2)]",
    b"! lane0.falls == '\\d'", b"! 0x1for 1", b"state: ?", b"state: ?" + b"a" * 5000, b"then: ?image=1",
    b"state: ?drawn=%ff&image=1e9", b"look: why", b"look:", b"after: why", b"25. a list",
    b"use: draw.draw", b"  why", b"  - x", b"  " + b"[" * 300, b"<script>alert(1)</script>",
    b"[x](javascript:alert(1))", b"![x](y)", b"> " * 300, b"[" * 300, b"```", b"&a [*a, *a]", b"a: &a [*a]",
    b"x: !!python/object/apply:os.system [true]", b"title: {a: {b: {c: {d: 1}}}}", b"- " * 200 + b"x",
    b"minutes: 1e400", b"minutes: 0x99999999999999999999", b"id: 2001-99-99", b"\xff\xfe",
    b"\x00", b"\xed\xa0\x80",
    b"|a|b|\n|-|-|\n|c|d|", b"_" * 900, b"*" * 901, b"`" * 333, b"\xe2\x80\xae", b"\t- x", b"id: small",
)  # fmt: skip


def _corpus() -> list[bytes]:
    return [SMALL, *(path.read_bytes() for path in sorted(SHIPPED.glob("[0-9]*.md")))]


def _make(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    content = corpus[0] if rng.random() < 0.6 else mutate.pick(rng, corpus)
    lines = content.split(b"\n")
    for _ in range(int(rng.integers(0, 5))):
        at, way = int(rng.integers(len(lines))), int(rng.integers(6))
        if way == 0:
            del lines[at]
        elif way == 1:
            lines[at] = mutate.pick(rng, LINES)
        elif way == 2:
            lines.insert(at, mutate.pick(rng, LINES))
        elif way == 3:
            lines[at] = mutate.damaged(rng, [lines[at]])
        elif way == 4:
            lines.insert(at, mutate.pick(rng, lines))
        else:
            lines[at] += mutate.pick(rng, LINES)
        lines = lines or [b""]
    content = b"\n".join(lines)
    return mutate.damaged(rng, [content]) if rng.random() < 0.3 else content


def _check_problems(content: bytes, error: LessonError) -> None:
    """Each problem names a line of the content, in words."""
    n_lines = content.count(b"\n") + content.count(b"\r") + 1
    for line, words in error.problems:
        assert 1 <= line <= n_lines, line
        assert 20 <= len(words) <= 2000, words
        assert words.isprintable(), words
        assert "expected" in words, words
    error.args = (str(error).partition("\n")[0],)  # the harness looks at one


def _check_trees(trees: Sequence[Tree]) -> None:
    """No text becomes a script, a picture or a link that runs one."""
    made = "".join(map(to_html, trees)).lower()
    assert "<script" not in made
    assert "<img" not in made
    assert 'href="javascript' not in made


def _run(content: bytes) -> None:
    path = scratch() / "lesson.md"
    path.write_bytes(content)
    try:
        lesson = read_file(path, VOCABULARY)
    except LessonError as error:
        _check_problems(content, error)
        raise
    assert lesson.steps
    trees = [lesson.opening, lesson.take_home]
    for step in lesson.steps:
        trees += [step.text, step.question, step.reveal]
        trees += [tree for option in step.options for tree in (option.text, option.why)]
    _check_trees(trees)


PLAN = b"""# Small

## Show
minutes: 2
show: ?model=lrbn-12-digits&image=3

Notes with [a term](icm).

## Ask
minutes: 3
question: start 1
"""


def _plans() -> list[bytes]:
    return [PLAN, *(path.read_bytes() for path in sorted(PLANS.glob("*.md")))]


def _run_plan(content: bytes) -> None:
    path = scratch() / "plan.md"
    path.write_bytes(content)
    try:
        plan = open_plan(str(path), lambda question: question.step < 9, wrong_with)
    except LessonError as error:
        _check_problems(content, error)
        raise
    assert plan.parts
    _check_trees([part.notes for part in plan.parts])


TARGETS = [
    Target("lessons", _run, (LessonError,), _corpus, _make),
    Target("plans", _run_plan, (LessonError, ValueError), _plans, _make),
]
