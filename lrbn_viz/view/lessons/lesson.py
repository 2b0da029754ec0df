"""A lesson after it has been read, and the errors of a file that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lrbn_viz.view.lessons.language import Claim
from lrbn_viz.view.lessons.markup import Tree


class Problem(NamedTuple):
    """An error in a line of a file: the number of the line, from 1, and a message."""

    line: int
    words: str


class LessonError(ValueError):
    """A text is no lesson; the message has a line for each problem, with file and number.

    Attributes
    ----------
    file : str
    problems : tuple of Problem
        Problems in the order of the lines.
    """

    def __init__(self, file: str, problems: Sequence[Problem]) -> None:
        self.file = file
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(f"{file}:{line}: {words}" for line, words in self.problems))


@dataclass(frozen=True)
class Option:
    """One answer to a question.

    Attributes
    ----------
    text : Tree
    right : bool
    why : Tree
        Why a wrong one tempts, and what the page shows instead; shown with the reveal. Empty: nothing.
    """

    text: Tree
    right: bool
    why: Tree = field(default_factory=list)


@dataclass(frozen=True)
class Step:
    """One step of a lesson.

    Attributes
    ----------
    title : str
    line : int
        Where it begins in its file.
    state : str
        Query of the explorer's address that the page shows; empty: what the step before left.
    then : str
        What it shows once the question is answered; empty: the same.
    look : tuple of str
        Cards to look at, by name; the other panels are out of sight.
    after : tuple of str
        Cards that are looked at too, once the question is answered.
    use : tuple of str
        Controls of the page that stay in sight.
    text : Tree
        Before the question.
    question : Tree
        Empty where the step asks nothing.
    options : tuple of Option
        Exactly one is right.
    claims : tuple of Claim
        What the engine must find true in `then`.
    reveal : Tree
        What is said after the prediction, and not shown to anybody before.
    do : Tree
        Something to do on the page; empty: nothing.
    """

    title: str
    line: int
    state: str
    then: str
    look: tuple[str, ...]
    after: tuple[str, ...]
    use: tuple[str, ...]
    text: Tree
    question: Tree
    options: tuple[Option, ...]
    claims: tuple[Claim, ...]
    reveal: Tree
    do: Tree = field(default_factory=list)

    @property
    def right(self) -> int:
        """Position of the right option; -1 if there is no question."""
        return next((n for n, option in enumerate(self.options) if option.right), -1)


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    id : str
        Its name in addresses: small letters, digits and hyphens.
    title : str
        The question that it answers.
    minutes : int
        That it takes.
    summary : str
        What it is about, in a sentence that gives nothing away.
    take_home : Tree
        What to keep of it; shown behind its last step.
    opening : Tree
        What it begins with.
    steps : tuple of Step
    file : str
        Where it was read from.
    guide : bool
        True if it is a way through the page, with something to do at every step, which may be skipped.
    """

    id: str
    title: str
    minutes: int
    summary: str
    take_home: Tree
    opening: Tree
    steps: tuple[Step, ...]
    file: str
    guide: bool = False

    def shown_at(self, step: int) -> tuple[str, str]:
        """Return the addresses that a step, from 1, shows while it asks and once it is answered."""
        state = then = ""
        for each in self.steps[:step]:
            state = each.state or then
            then = each.then or state
        return state, then
