"""A lecture plan: a Markdown file of questions, demonstrations and notes, with the minutes that each takes.

The format is described in `docs/teaching.md`. Errors are named by line, as those of lessons.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from lrbn_viz.server.classroom.voting import Phase, Question, Refused, Voting
from lrbn_viz.view.lessons.lesson import LessonError, Problem
from lrbn_viz.view.lessons.markup import MAX_LINK_LENGTH, Tree, read_markdown
from lrbn_viz.view.lessons.read import MAX_BYTES, MAX_MINUTES

SHIPPED = Path(__file__).with_name("plans")
MAX_PARTS = 60
MAX_PROBLEMS = 50
"""Problems of a file that are named."""
_SETTING = re.compile(r"(minutes|question|show): *(.*)")
_QUESTION = re.compile(r"([a-z0-9-]{1,60}) ([0-9]{1,2})")


@dataclass(frozen=True)
class Part:
    """A part of a lecture.

    Attributes
    ----------
    title : str
    minutes : int
        That it is meant to take.
    notes : Tree
        For the lecturer.
    question : Question, optional
        That the class votes on.
    show : str
        Address, from its ``?`` on, that the board's page shows; empty: none.
    """

    title: str
    minutes: int
    notes: Tree = field(default_factory=list)
    question: Question | None = None
    show: str = ""


@dataclass(frozen=True)
class Plan:
    """A lecture: its title, and its parts in order."""

    title: str
    parts: tuple[Part, ...]

    @property
    def minutes(self) -> int:
        """That all parts are meant to take."""
        return sum(part.minutes for part in self.parts)


def shipped_plans() -> list[str]:
    """Return the names of the package's plans."""
    return sorted(path.stem for path in SHIPPED.glob("*.md"))


def open_plan(name: str, has_question: Callable[[Question], bool], check: Callable[[str], list[str]]) -> Plan:
    """Return the plan of a file, or the shipped one of a name.

    Raises
    ------
    ValueError
        The file cannot be read, or is no plan; the message names each line.
    """
    path = SHIPPED / f"{name}.md" if name in shipped_plans() else Path(name)
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        expected = f"a file in UTF-8, or one of {', '.join(shipped_plans())}"
        raise ValueError(f"expected {expected} as plan, got {name!r}: {error}") from None
    return read_plan(text, path.name, has_question, check)


def read_plan(
    text: str, file: str, has_question: Callable[[Question], bool], check: Callable[[str], list[str]]
) -> Plan:
    """Return the plan that a text is.

    Parameters
    ----------
    text : str
        A line ``# Title``, and parts under lines ``## Title`` with ``minutes:`` and perhaps ``question:`` or
        ``show:`` below them, and notes.
    file : str
        Its name in messages.
    has_question : callable
        Function from a question to whether there is such a one.
    check : callable
        Function from an address to what is wrong with it, one sentence each.

    Raises
    ------
    LessonError
        It is none; the message names each line.
    """
    problems: list[Problem] = []

    def complain(line: int, words: str) -> None:
        if len(problems) < MAX_PROBLEMS:
            problems.append(Problem(line + 1, words))

    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if len(text) > MAX_BYTES:
        raise LessonError(file, [Problem(1, f"expected at most {MAX_BYTES:,} bytes, got more; shorten it.")])
    if not lines[0].startswith("# "):
        complain(0, f"expected a first line # Title, got {lines[0][:40]!r}.")
    starts = [n for n, line in enumerate(lines) if line.startswith("## ")]
    if not 1 <= len(starts) <= MAX_PARTS:
        complain(0, f"expected 1 to {MAX_PARTS} parts, each under a line ## Title; got {len(starts)}.")
    parts = []
    for start, end in pairwise([*starts, len(lines)]):
        part = _part(lines, start, end, complain)
        parts.append(part)
        if part.question is not None and not has_question(part.question):
            words = "expected question: with the id of a lesson and the number of a step that asks, got "
            complain(start, f"{words}{part.question.lesson} {part.question.step}.")
        for words in check(part.show) if part.show else ():
            complain(start, f"expected show: with an address that the page takes whole; {words}")
    if problems:
        raise LessonError(file, problems)
    return Plan(lines[0][2:].strip(), tuple(parts))


def _part(lines: list[str], start: int, end: int, complain: Callable[[int, str], None]) -> Part:
    """Return the part whose title is in line `start`."""
    found: dict[str, str] = {}
    at = start + 1
    while at < end and (match := _SETTING.fullmatch(lines[at].rstrip())):
        if match[1] in found:
            complain(at, f"expected {match[1]}: once in a part, got it twice.")
        found[match[1]] = match[2]
        at += 1
    minutes, asked, show = found.get("minutes", ""), found.get("question"), found.get("show", "")
    if not (minutes.isdecimal() and 1 <= int(minutes) <= MAX_MINUTES):
        complain(
            start, f"expected minutes: and a whole number from 1 to {MAX_MINUTES}, got {minutes[:40]!r}."
        )
        minutes = "1"
    question = None
    if asked is not None:
        match = _QUESTION.fullmatch(asked)
        if match is None:
            complain(
                start, f"expected question: with a lesson and a step, such as start 1; got {asked[:40]!r}."
            )
        else:
            question = Question(match[1], int(match[2]))
    if show and (not show.startswith("?") or len(show) > MAX_LINK_LENGTH):
        complain(start, f"expected show: with the explorer's address from its ? on, got {show[:40]!r}.")
        show = ""
    if asked is not None and show:
        complain(start, "expected question: or show: in a part, got both; make two parts.")
    notes = read_markdown("\n".join(lines[at:end]), lambda line, words: complain(at + line, words))
    return Part(lines[start][3:].strip(), int(minutes), notes, question, show)


class Lecture:
    """Progress of a plan that leads a class.

    Parameters
    ----------
    plan : Plan
    voting : Voting
        The class.
    clock : callable
        Returns seconds.

    Attributes
    ----------
    at : int
        Number of the present part, from 0; -1 before the first.
    """

    def __init__(self, plan: Plan, voting: Voting, clock: Callable[[], float] = time.monotonic) -> None:
        self.plan, self._voting, self._clock = plan, voting, clock
        self.at = -1
        self._began = self._part_began = 0.0

    @property
    def part(self) -> Part | None:
        """The present part."""
        return self.plan.parts[self.at] if self.at >= 0 else None

    @property
    def asks(self) -> bool:
        """Whether a question is open whose answer is not revealed yet, of the present part or another."""
        return self._voting.question is not None and self._voting.phase is not Phase.REVEALED

    def go(self, by: int) -> tuple[str, Question | None]:
        """Go on by a part or back by one, and return the command that does it.

        Raises
        ------
        Refused
            There is no such part.
        """
        if not 0 <= self.at + by < len(self.plan.parts):
            raise Refused("the plan has no further part.")
        now = self._clock()
        if self.at < 0:
            self._began = now
        self.at += by
        self._part_began = now
        question = self.plan.parts[self.at].question
        return ("wait", None) if question is None else ("open", question)

    def seconds(self) -> tuple[float, float]:
        """Return the seconds since the lecture began, and since the present part did."""
        now = self._clock()
        return (now - self._began, now - self._part_began) if self.at >= 0 else (0.0, 0.0)
