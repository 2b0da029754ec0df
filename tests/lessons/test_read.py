"""From the text of a file to a lesson, or to all that is wrong with it, by line."""

from __future__ import annotations

import pytest

from lrbn_viz.app.claims import VOCABULARY
from lrbn_viz.view.lessons import LessonError, read_folder, read_lesson, shipped_lessons
from lrbn_viz.view.lessons.markup import ELEMENTS, WITH_ATTRIBUTE, read_markdown, to_html, to_text

GOOD = """---
id: two-words
title: Is it so?
minutes: 5
summary: About something.
take_home: "Keep *this*: it is so."
---
It begins with [one term](explain-away).

## First
state: ?model=lrbn-12-digits&image=3
then: ?model=lrbn-12-digits&image=3&visit=end
look: lane1, why
use: draw hold

Before the question, with a list:

- one
- two

? Which **one**?
- this
* that
! lane0.falls == 0

! lane0.converged

After it, [elsewhere](https://example.org/a?b=c) and [here](?image=3).

## Second
look: truth

Only words.

! lane0.n_units == 12
"""


def problems(text: str) -> list[tuple[int, str]]:
    with pytest.raises(LessonError) as error:
        read_lesson(text, "a.md", VOCABULARY)
    said = str(error.value).splitlines()
    assert all(line.startswith("a.md:") for line in said)
    return [(problem.line, problem.words) for problem in error.value.problems]


def test_a_lesson_has_all_that_its_file_says():
    lesson = read_lesson(GOOD, "a.md", VOCABULARY)
    assert (lesson.id, lesson.title, lesson.minutes, lesson.summary, lesson.file) == (
        "two-words", "Is it so?", 5, "About something.", "a.md",
    )  # fmt: skip
    assert lesson.take_home == ["Keep ", ["em", "this"], ": it is so."]
    assert lesson.opening == [["p", "It begins with ", ["term", "explain-away", "one term"], "."]]
    first, second = lesson.steps
    assert (first.title, first.line, first.state) == ("First", 10, "?model=lrbn-12-digits&image=3")
    assert first.then == "?model=lrbn-12-digits&image=3&visit=end"
    assert (first.look, first.use) == (("lane1", "why"), ("draw", "hold"))
    assert first.text == [["p", "Before the question, with a list:"], ["ul", ["li", "one"], ["li", "two"]]]
    assert first.question == ["Which ", ["strong", "one"], "?"]
    assert [(option.text, option.right) for option in first.options] == [(["this"], False), (["that"], True)]
    assert first.right == 1
    assert [(claim.text, claim.line) for claim in first.claims] == [
        ("lane0.falls == 0", 24), ("lane0.converged", 26),
    ]  # fmt: skip
    assert to_text(first.reveal) == "After it, elsewhere and here. "
    assert (second.question, second.options, second.right, second.reveal) == ([], (), -1, [])
    assert [claim.line for claim in second.claims] == [35]
    assert second.text == [["p", "Only words."]]


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("---\nid", "id", 1, "front matter between two lines ---"),
        ("id: two-words", "id: Two words", 2, "small letters, digits and hyphens"),
        ("id: two-words\n", "", 1, "expected id:"),
        ("minutes: 5", "minutes: soon", 4, "whole number from 1 to 90"),
        ("minutes: 5", "minutes: true", 4, "whole number from 1 to 90"),
        ("summary: About something.", "summary: [a, b]", 5, "a line of text"),
        ("summary: About something.", "summary: [[[[[[a]]]]]]", 5, "nested"),
        ("summary: About something.", "summary: &a b\nauthor: *a", 5, "anchor or alias"),
        ("summary: About something.", "summary: about: something", 5, "no YAML"),
        ("minutes: 5", "minutes: 5\nauthor: me", 5, "leave it out"),
        ("summary: About something.", "summary: 2001-13-77 00:00:00", 1, "put values in quotes"),
        ("## First", "##First", 30, "in the first step"),
        ("state: ?model", "state: model", 11, "from its ? on"),
        ("state: ?model=lrbn-12-digits", "state: ?model=lrbn-13-digits", 11, "no model called"),
        ("&image=3\nthen", "&picture=3\nthen", 11, "no page has a setting of this name"),
        ("state: ?model=lrbn-12-digits&image=3\n", "", 10, "what the page shows"),
        ("look: lane1, why", "look: lane3", 13, "got 'lane3'"),
        ("use: draw hold", "use: pencil", 14, "got 'pencil'"),
        ("use: draw hold", "show: draw", 14, "one of state, then, look, after, use"),
        ("use: draw hold", "look: why", 14, "once in a step"),
        ("* that", "- that", 21, "one right option"),
        ("- this", "* this", 21, "one right option"),
        ("- this\n", "", 21, "2 to 6 options"),
        ("? Which **one**?", "? ", 21, "a question after ?"),
        ("! lane0.falls == 0", "! lane0.fails == 0", 24, "got fails"),
        ("[elsewhere](https://example.org/a?b=c)", "[x](ftp://example.org)", 28, "begins with https://"),
        ("[elsewhere](https://example.org/a?b=c)", "![x](https://example.org/a.png)", 28, "an image"),
        ("Only words.", "Only words.\n! lane0.falls == 0\n\nMore words.", 34, "one question in a step"),
        ("Only words.", "25. Words.", 33, "begins with 1., got 25"),
        ("look: truth", "after: truth", 30, "expected a question"),
        ("Only words.", "Only \x1b words.", 33, "control character"),
        ("After it, [elsewhere](https://example.org/a?b=c) and [here](?image=3).\n", "", 21, "text after"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(before, after, line, said):
    assert before in GOOD
    found = problems(GOOD.replace(before, after, 1))
    assert any(at == line and said in words for at, words in found), found


def test_an_option_may_say_why_it_tempts_over_several_lines():
    text = GOOD.replace(
        "- this\n", "- this\n  It *tempts*:\n    one sees it\n  in [one term](explain-away).\n"
    )
    first, second = read_lesson(text, "a.md", VOCABULARY).steps[0].options
    assert first.why == [
        "It ",
        ["em", "tempts"],
        ": one sees it in ",
        ["term", "explain-away", "one term"],
        ".",
    ]
    assert (first.text, second.text, second.why, second.right) == (["this"], ["that"], [], True)
    (found,) = problems(GOOD.replace("- this\n", "- this\n  - those\n"))
    assert found == (23, "expected a sentence under the option, got '- those'; do not indent it.")
    (found,) = problems(GOOD.replace("- this\n", "- this\n  [x](ftp://example.org)\n"))
    assert found[0] == 23


def test_a_file_that_is_too_long_is_refused_before_it_is_read():
    assert "65,536 bytes" in problems(GOOD + "x" * 70_000)[0][1]
    assert "2,000 lines" in problems(GOOD + "\n" * 3000)[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x]: javascript:alert(1)\n\n[x]",
        "<javascript:alert(1)>",
        "![x](javascript:alert(1))",
        "`<script>`",
        "```html\n<script>\n```",
        '[x](https://a.b/"onmouseover="alert(1))',
        "[x](?a=b \"t\" onclick='alert(1)')",
        "&lt;script&gt;",
        "> " * 40 + "deep",
        "[" * 500 + "x" + "](?a)" * 500,
    ],
)
def test_no_script_comes_through(text):
    tree = read_markdown(text, lambda line, words: None)

    def check(nodes):
        for node in nodes:
            if isinstance(node, str):
                continue
            kind, *rest = node
            assert kind in ELEMENTS | WITH_ATTRIBUTE
            if kind == "a":
                assert rest[0].startswith(("https://", "http://", "?"))
            check(rest[1:] if kind in WITH_ATTRIBUTE else rest)

    check(tree)
    made = to_html(tree)
    assert "<script" not in made
    assert "<img" not in made
    assert 'href="javascript' not in made.lower()


def test_the_shipped_lessons_have_what_a_lesson_needs():
    lessons = shipped_lessons()
    assert len(lessons) >= 8
    for lesson in lessons:
        assert 3 <= len(lesson.steps) <= (8 if lesson.guide else 6), lesson.id
        assert to_text(lesson.opening).strip(), lesson.id
        assert to_text(lesson.take_home).strip(), lesson.id
        for step in lesson.steps:
            # a question before each reveal, or something to do
            assert step.options or (lesson.guide and step.do), (lesson.id, step.title)
            assert step.look, (lesson.id, step.title)
            assert step.claims, (lesson.id, step.title)


def test_bad_files_of_a_folder_are_listed_and_the_others_work(tmp_path):
    (tmp_path / "1.md").write_text(GOOD, encoding="utf-8")
    (tmp_path / "2.md").write_text(GOOD, encoding="utf-8")  # the same id
    (tmp_path / "3.md").write_bytes(b"---\n\xff\n")
    (tmp_path / "README.md").write_text("no lesson", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no lesson", encoding="utf-8")
    lessons, bad = read_folder(tmp_path, VOCABULARY)
    assert [lesson.file for lesson in lessons] == ["1.md"]
    assert [(each.file, each.problems[0].line) for each in bad] == [("2.md", 1), ("3.md", 2)]
    assert "that of 1.md" in bad[0].problems[0].words
    lessons, bad = read_folder(tmp_path / "nowhere")
    assert not lessons
    assert "a folder of lessons" in bad[0].problems[0].words
