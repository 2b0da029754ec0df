"""Conversion of the text of a file to a lesson, or to a list of all its errors, by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from lrbn_viz.view.lessons.language import Claim, ClaimError, read_claim
from lrbn_viz.view.lessons.lesson import Lesson, LessonError, Option, Problem, Step
from lrbn_viz.view.lessons.markup import MAX_LINK_LENGTH, Tree, read_inline, read_markdown, to_text

MAX_BYTES = 64 * 1024
"""Largest size of a file, in bytes."""
MAX_LINES = 2_000
MAX_LESSON_STEPS = 12
MAX_OPTIONS = 6
MAX_CLAIMS = 20
MAX_MINUTES = 90
_MAX_FRONT_LENGTH = 4_000  # characters
_MAX_FRONT_DEPTH = 3
_MAX_PROBLEMS = 50
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FRONT = ("id", "title", "minutes", "summary", "take_home")
_MAY = ("guide",)
_SETTINGS = ("state", "then", "look", "after", "use", "do")
_SETTING = re.compile(r"(\w+):(?: (.*))?")


@dataclass(frozen=True)
class Vocabulary:
    """Names in the explorer that lessons may use; without it the names are not checked.

    Attributes
    ----------
    cards, controls : collection of str
        Names that ``look:`` and ``use:`` take.
    check_state : callable, optional
        Function from a query to its errors, one sentence each.
    """

    cards: Collection[str] = ()
    controls: Collection[str] = ()
    check_state: Callable[[str], list[str]] | None = None


class _Reader:
    """A text that is being read: its lines, and the problems so far."""

    def __init__(self, text: str, file: str, vocabulary: Vocabulary) -> None:
        self.file, self.vocabulary = file, vocabulary
        self.lines = text.split("\n")
        self.problems: list[Problem] = []

    def complain(self, line: int, words: str) -> None:
        """Record a problem with line `line`, from 0."""
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(Problem(min(line + 1, len(self.lines)), words))

    def markdown(self, begin: int, end: int) -> Tree:
        """Return lines from `begin` to before `end` as a tree."""
        text = "\n".join(self.lines[begin:end])
        return read_markdown(text, lambda line, words: self.complain(begin + line, words))

    def inline(self, text: str, line: int) -> Tree:
        """Return a text of line `line` as a tree without blocks."""
        return read_inline(text, lambda _, words: self.complain(line, words))


def read_lesson(text: str, file: str, vocabulary: Vocabulary | None = None) -> Lesson:
    """Return the lesson that a text is.

    Parameters
    ----------
    text : str
        Front matter between two lines ``---``, an opening, and steps: README.md of this folder.
    file : str
        What messages call it.
    vocabulary : Vocabulary, optional
        What its states and controls are checked against.

    Raises
    ------
    LessonError
        It is none; the message names each line, what was expected, what came and what to do.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES or text.count("\n") >= MAX_LINES:
        words = f"expected at most {MAX_BYTES:,} bytes and {MAX_LINES:,} lines, got {size:,} and "
        raise LessonError(file, [Problem(1, f"{words}{text.count(chr(10)) + 1:,}; split the lesson.")])
    odd = re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", text)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        words = f"expected text, got the control character {odd.group()!r}; delete it."
        raise LessonError(file, [Problem(line, words)])
    reader = _Reader(text, file, vocabulary or Vocabulary())
    front, begin = _front_matter(reader)
    starts = [n for n in range(begin, len(reader.lines)) if reader.lines[n].startswith("## ")]
    opening = reader.markdown(begin, starts[0] if starts else len(reader.lines))
    if not 1 <= len(starts) <= MAX_LESSON_STEPS:
        reader.complain(
            begin, f"expected 1 to {MAX_LESSON_STEPS} steps, each under a line ## Title; got {len(starts)}."
        )
        starts = starts[:MAX_LESSON_STEPS]
    ends = [*starts[1:], len(reader.lines)]
    steps = tuple(_step(reader, start, end) for start, end in zip(starts, ends, strict=False))
    if steps and not steps[0].state:
        reader.complain(starts[0], "expected a line state: in the first step; say what the page shows.")
    for step in steps if front.get("guide") else ():
        if not step.question and not step.do:
            words = "expected a question or a line do: in each step of a guide, got neither; write one."
            reader.complain(step.line - 1, words)
    take_home = reader.inline(front.get("take_home", ""), 0)
    if reader.problems:
        raise LessonError(file, reader.problems)
    return Lesson(
        id=front["id"],
        title=front["title"],
        minutes=front["minutes"],
        summary=front["summary"],
        take_home=take_home,
        opening=opening,
        steps=steps,
        file=file,
        guide=bool(front.get("guide", False)),
    )


def _front_matter(reader: _Reader) -> tuple[dict[str, Any], int]:
    """Return the front matter between the first two lines ``---``, and the line after it."""
    lines = reader.lines
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() == "---"), -1)
    if lines[0].rstrip() != "---" or end < 0:
        words = f"expected front matter between two lines --- at the top, got {_shown(lines[0])}; write it."
        raise LessonError(reader.file, [*reader.problems, Problem(1, words)])
    found = _yaml(reader, "\n".join(lines[1:end]))
    at = {key: next((n for n in range(1, end) if lines[n].startswith(f"{key}:")), 0) for key in _FRONT}
    for key in found:
        if key not in (*_FRONT, *_MAY):
            line = next((n for n in range(1, end) if lines[n].startswith(f"{key}:")), 0)
            wanted = ", ".join(_FRONT)
            reader.complain(line, f"expected the keys {wanted}; got {_shown(str(key))}; leave it out.")
    for key in _FRONT:
        value = found.get(key)
        if value is None:
            reader.complain(at[key], f"expected {key}: in the front matter, got none; write it.")
        elif key == "minutes":
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_MINUTES:
                got = _shown(str(value))
                words = f"expected a whole number from 1 to {MAX_MINUTES} for minutes, got {got}."
                reader.complain(at[key], words)
        elif not isinstance(value, str) or not value.strip() or "\n" in value.strip():
            words = f"expected a line of text for {key}, got {_shown(str(value))}; put it in quotes."
            reader.complain(at[key], words)
        elif key == "id" and not (_ID.fullmatch(value) and len(value) <= 60):
            words = "expected an id of small letters, digits and hyphens, such as surest-unit, got "
            reader.complain(at[key], words + _shown(value) + ".")
    if not isinstance(found.get("guide", False), bool):
        words = f"expected true or false for guide, got {_shown(str(found['guide']))}."
        reader.complain(next((n for n in range(1, end) if lines[n].startswith("guide:")), 0), words)
    texts = {key: value.strip() if isinstance(value, str) else value for key, value in found.items()}
    texts["take_home"] = texts.get("take_home") if isinstance(texts.get("take_home"), str) else ""
    return texts, end + 1


def _yaml(reader: _Reader, text: str) -> dict[Any, Any]:
    """Return the flat mapping that a front matter is; bounded before anything is built of it."""
    import yaml

    if len(text) > _MAX_FRONT_LENGTH:
        reader.complain(
            0, f"expected front matter of at most {_MAX_FRONT_LENGTH:,} characters, got {len(text):,}."
        )
        return {}
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                line = event.start_mark.line + 1
                reader.complain(
                    line, "expected plain values, got an anchor or alias (& or *); quote the text."
                )
                return {}
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_FRONT_DEPTH:
                reader.complain(event.start_mark.line + 1, "expected key: value lines, got nested ones.")
                return {}
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or "not YAML"
        reader.complain(
            mark.line + 1 if mark else 0, f"expected key: value lines, got what is no YAML ({what})."
        )
        return {}
    except (ValueError, TypeError, OverflowError, RecursionError) as error:  # such as a 13th month
        reader.complain(0, f"expected key: value lines, got {_shown(str(error))}; put values in quotes.")
        return {}
    if not isinstance(found, dict):
        reader.complain(0, f"expected key: value lines in the front matter, got {_shown(str(found))}.")
        return {}
    return found


def _step(reader: _Reader, start: int, end: int) -> Step:
    """Read the lines of one step; `start` is its title."""
    lines = reader.lines
    title = lines[start][3:].strip()
    if not title:
        reader.complain(start, "expected a title after ##, got none; write one.")
    settings, at = _settings(reader, start + 1, end)
    asked = next((n for n in range(at, end) if lines[n].startswith("? ")), end)
    text_end = asked
    question: Tree = []
    options: list[Option] = []
    claims: list[Claim] = []
    rest = asked
    if asked < end:
        question = reader.inline(lines[asked][2:].strip(), asked)
        if not to_text(question).strip():
            reader.complain(asked, "expected a question after ?, got none; write one.")
        rest = asked + 1
        while rest < end and (not lines[rest].strip() or lines[rest][:2] in ("- ", "* ")):
            if lines[rest].strip():
                option = reader.inline(lines[rest][2:].strip(), rest)
                if not to_text(option).strip():
                    reader.complain(rest, f"expected an option after {lines[rest][0]}, got none.")
                right = lines[rest][0] == "*"
                why, rest = _why(reader, rest + 1, end)
                options.append(Option(option, right, why))
                continue
            rest += 1
        _check_options(reader, asked, options)
    else:
        while text_end > at and not lines[text_end - 1].strip():
            text_end -= 1
        while text_end > at and lines[text_end - 1].startswith("! "):
            text_end -= 1
        rest = text_end
    while rest < end and (not lines[rest].strip() or lines[rest].startswith("! ")):
        if lines[rest].strip():
            claims += _claim(reader, rest)
        rest += 1
    if len(claims) > MAX_CLAIMS:
        reader.complain(rest - 1, f"expected at most {MAX_CLAIMS} claims in a step, got {len(claims)}.")
    for n in range(at, end):
        if (n < text_end or n >= rest) and lines[n][:2] in ("! ", "? "):
            reader.complain(
                n, "expected one question in a step, and its claims right behind the options; move it there."
            )
    reveal = reader.markdown(rest, end) if asked < end else []
    if asked < end and not to_text(reveal).strip():
        reader.complain(asked, "expected text after the options, which the answer reveals; got none.")
    if (settings.get("then") or settings.get("after")) and asked == end:
        words = "expected a question where then: or after: says what is shown after it; ask one."
        reader.complain(start, words)
    return Step(
        title=title,
        line=start + 1,
        state=str(settings.get("state", "")),
        then=str(settings.get("then", "")),
        look=tuple(settings.get("look", ())),
        after=tuple(settings.get("after", ())),
        use=tuple(settings.get("use", ())),
        text=reader.markdown(at, text_end),
        question=question,
        options=tuple(options),
        claims=tuple(claims),
        reveal=reveal,
        do=settings.get("do") or [],
    )


def _why(reader: _Reader, begin: int, end: int) -> tuple[Tree, int]:
    """Read the indented lines under an option; returns them, and the line after them."""
    at = begin
    while at < end and reader.lines[at].startswith("  ") and reader.lines[at].strip():
        at += 1
    text = " ".join(line.strip() for line in reader.lines[begin:at])
    if text[:2] in ("- ", "* ", "! ", "? "):
        reader.complain(begin, f"expected a sentence under the option, got {_shown(text)}; do not indent it.")
    return reader.inline(text, begin), at


def _settings(reader: _Reader, begin: int, end: int) -> tuple[dict[str, Any], int]:
    """Read the lines ``name: value`` under a title; returns them, and the line after them."""
    found: dict[str, Any] = {}
    at = begin
    while at < end:
        line = reader.lines[at].rstrip()
        match = _SETTING.fullmatch(line)
        if not line:
            at += 1
            if found:
                break
            continue
        if match is None or match[1] not in _SETTINGS:
            if match is not None and match[1] == match[1].lower():
                reader.complain(
                    at,
                    f"expected one of {', '.join(_SETTINGS)} before a colon, or a sentence; got {match[1]}.",
                )
            break
        name, value = match[1], (match[2] or "").strip()
        if name in found:
            reader.complain(at, f"expected {name}: once in a step, got it twice; leave one out.")
        found[name] = _setting(reader, at, name, value)
        at += 1
    return found, at


def _setting(reader: _Reader, line: int, name: str, value: str) -> str | list[str] | Tree:
    if name == "do":
        if not value:
            reader.complain(line, "expected a sentence after do:, got none; say what is to be done.")
        return reader.inline(value, line)
    if name in ("look", "after", "use"):
        known = reader.vocabulary.cards if name != "use" else reader.vocabulary.controls
        names = value.replace(",", " ").split()
        for each in names:
            if known and each not in known:
                reader.complain(
                    line, f"expected {name}: with names of {', '.join(known)}; got {_shown(each)}."
                )
        return names
    if not value.startswith("?") or len(value) > MAX_LINK_LENGTH:
        got = _shown(value)
        words = f"expected {name}: with the explorer's address from its ? on, such as ?image=0, got {got}."
        reader.complain(line, words)
    elif reader.vocabulary.check_state is not None:
        for words in reader.vocabulary.check_state(value):
            reader.complain(line, f"expected an address that the page takes whole; {words}")
    return value


def _check_options(reader: _Reader, asked: int, options: list[Option]) -> None:
    right = sum(option.right for option in options)
    if not 2 <= len(options) <= MAX_OPTIONS:
        reader.complain(
            asked,
            f"expected 2 to {MAX_OPTIONS} options under the question, lines that begin with - or *; got "
            f"{len(options)}.",
        )
    elif right != 1:
        reader.complain(asked, f"expected one right option, marked with * and not -; got {right}.")


def _claim(reader: _Reader, line: int) -> Iterator[Claim]:
    text = reader.lines[line][2:].strip()
    try:
        yield Claim(text, line + 1, read_claim(text))
    except ClaimError as error:
        reader.complain(line, str(error))


def _shown(text: str) -> str:
    """Return a text as messages quote it."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
