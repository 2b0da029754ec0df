"""States of a class: at its own pace, or led by a lecturer through questions with two votes and a reveal.

An open question passes through: asked, vote 1, closed, and then vote 2 and closed again if the lecturer wants
a second vote, and revealed. Nothing here knows of requests, sockets or pages.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from enum import StrEnum, auto
from types import MappingProxyType
from typing import NamedTuple


class Question(NamedTuple):
    """A question of a lesson.

    Attributes
    ----------
    lesson : str
        Its id.
    step : int
        Number of the step, from 1.
    """

    lesson: str
    step: int


class Refused(ValueError):
    """An answer or a command that does not count; the message says why."""


class NotLecturer(Refused):
    """A command of somebody who does not lead the class."""


class Phase(StrEnum):
    """What a class may do now."""

    OWN = auto()
    """Each student answers and sees the answer at once."""
    WAITING = auto()
    """The lecturer leads, and no question is open."""
    ASKED = auto()
    """A question is on all screens, and nobody can vote yet."""
    VOTING = auto()
    CLOSED = auto()
    """A vote has ended; the class discusses."""
    REVEALED = auto()


ROUNDS = 2
"""Votes on a question: one before the discussion, one after it."""
MAX_VOTERS = 1000
"""Browsers whose answers to one question are counted; those of others are refused."""
MAX_ASKED = 500
"""Questions of a session whose counts are kept; the earliest are dropped."""
_LED = frozenset(Phase) - {Phase.OWN}
_FROM: Mapping[str, frozenset[Phase]] = MappingProxyType(
    {
        "lead": frozenset({Phase.OWN}),
        "own": _LED,
        "wait": _LED,
        "open": _LED,
        "vote": frozenset({Phase.ASKED, Phase.CLOSED}),
        "close": frozenset({Phase.VOTING}),
        "reveal": frozenset({Phase.CLOSED}),
    }
)
"""Phases from which each command leads on."""
COMMANDS = tuple(_FROM)
"""Commands of the lecturer: lead the class or leave it its own pace, wait without a question or open one,
begin a vote or end it, reveal the answer."""


class Asked(NamedTuple):
    """A question that was open once.

    Attributes
    ----------
    at : float
        Time of its opening, seconds since 1970.
    question : Question
    counts : list of list of int
        Votes for each option, by round.
    """

    at: float
    question: Question
    counts: list[list[int]]


class Voting:
    """The state of a class.

    Parameters
    ----------
    n_options : callable
        Function from a question to its number of options; 0 where there is no such question.

    Attributes
    ----------
    phase : Phase
    question : Question or None
        The open question.
    round : int
        Number of the last vote that has begun; 0 before the first.
    """

    def __init__(self, n_options: Callable[[Question], int]) -> None:
        self.phase = Phase.OWN
        self.question: Question | None = None
        self.round = 0
        self._n_options = n_options
        self._votes: list[dict[str, int]] = []
        self._at = 0.0
        self._past: list[Asked] = []
        self._revealed: set[Question] = set()

    def lead(self, command: str, question: Question | None = None, *, is_lecturer: bool) -> None:
        """Follow a command of the lecturer.

        Parameters
        ----------
        command : str
            One of `COMMANDS`.
        question : Question, optional
            The one to open.
        is_lecturer : bool
            Whether the command is the lecturer's.

        Raises
        ------
        NotLecturer
            It is somebody else's.
        Refused
            It is no command, does not follow the present phase, or there is no such question.
        """
        if not is_lecturer:
            raise NotLecturer("only the lecturer leads the class.")
        if command not in _FROM:
            raise Refused(f"expected one of {', '.join(COMMANDS)}.")
        if self.phase not in _FROM[command]:
            raise Refused(f"{command} does not follow the phase {self.phase}.")
        if command == "vote" and self.round == ROUNDS:
            raise Refused(f"a question has at most {ROUNDS} votes; reveal the answer.")
        if command == "open":
            if question is None or not self._n_options(question):
                raise Refused("there is no such question; reload the page.")
            self._put_away()
            self.phase, self.question, self._at = Phase.ASKED, question, time.time()
        elif command in ("lead", "wait", "own"):
            self._put_away()
            self.phase = Phase.OWN if command == "own" else Phase.WAITING
        elif command == "vote":
            self.phase = Phase.VOTING
            self.round += 1
            self._votes.append({})
        elif command == "close":
            self.phase = Phase.CLOSED
        elif self.question is not None:
            self.phase = Phase.REVEALED
            self._revealed.add(self.question)

    @property
    def following(self) -> str:
        """The command that comes next: that a question is opened, voted on twice, and revealed."""
        if self.phase is Phase.CLOSED:
            return "vote" if self.round < ROUNDS else "reveal"
        return {Phase.OWN: "lead", Phase.ASKED: "vote", Phase.VOTING: "close"}.get(self.phase, "open")

    def vote(self, seat: str, question: Question, number: int, option: int) -> None:
        """Count the vote of a student; a repeated request with the same option changes nothing.

        Parameters
        ----------
        seat : str
            Name of the student's browser, which counts once in each round.
        question : Question
        number : int
            Round of the vote that is answered, from 1.
        option : int
            Number of the option, from 0.

        Raises
        ------
        Refused
            This vote is not open, there is no such option, too many have voted, or the seat has voted.
        """
        if self.phase is not Phase.VOTING or question != self.question or number != self.round:
            raise Refused("this vote is not open.")
        if not 0 <= option < self._n_options(question):
            raise Refused(f"expected an option from 0 to {self._n_options(question) - 1}; reload the page.")
        votes = self._votes[-1]
        if votes.get(seat, option) != option:
            raise Refused("each browser votes once.")
        if seat not in votes and len(votes) >= MAX_VOTERS:
            raise Refused(f"at most {MAX_VOTERS:,} votes on a question are counted.")
        votes[seat] = option

    def may_see_answer(self, question: Question) -> bool:
        """Return whether a student who has answered a question at their own pace is told the answer."""
        if self.phase is Phase.OWN:
            return True
        is_open = question == self.question and self.phase is not Phase.REVEALED
        return question in self._revealed and not is_open

    def votes_of(self, seat: str) -> list[int | None]:
        """Return what a seat has voted in each round so far; None where it has not."""
        return [votes.get(seat) for votes in self._votes]

    def voters(self) -> set[str]:
        """Return the seats that have voted in the present round."""
        return set(self._votes[-1]) if self._votes else set()

    def counts(self) -> list[list[int]]:
        """Return the votes for each option of the open question, by round."""
        if self.question is None:
            return []
        n = self._n_options(self.question)
        return [[list(votes.values()).count(option) for option in range(n)] for votes in self._votes]

    def asked(self) -> list[Asked]:
        """Return the questions of this session, the open one last, with their counts."""
        now = [] if self.question is None else [Asked(self._at, self.question, self.counts())]
        return [*self._past, *now]

    def _put_away(self) -> None:
        """Keep the counts of the open question, and forget who voted."""
        self._past = self.asked()[-MAX_ASKED:]
        self.question, self.round, self._votes = None, 0, []
