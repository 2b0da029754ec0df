"""The states of a class: what may follow what, who may do what, and which votes count."""

from __future__ import annotations

import itertools

import pytest

from lrbn_viz.server.classroom import voting
from lrbn_viz.server.classroom.voting import COMMANDS, NotLecturer, Phase, Question, Refused, Voting

FIRST, SECOND = Question("surest-unit", 1), Question("surest-unit", 2)
OPTIONS = {FIRST: 3, SECOND: 2}
TO_PHASE = {
    Phase.OWN: [],
    Phase.WAITING: ["lead"],
    Phase.ASKED: ["lead", "open"],
    Phase.VOTING: ["lead", "open", "vote"],
    Phase.CLOSED: ["lead", "open", "vote", "close"],
    Phase.REVEALED: ["lead", "open", "vote", "close", "reveal"],
}
FOLLOWS = {
    Phase.OWN: {"lead": Phase.WAITING},
    Phase.WAITING: {"own": Phase.OWN, "wait": Phase.WAITING, "open": Phase.ASKED},
    Phase.ASKED: {"own": Phase.OWN, "wait": Phase.WAITING, "open": Phase.ASKED, "vote": Phase.VOTING},
    Phase.VOTING: {"own": Phase.OWN, "wait": Phase.WAITING, "open": Phase.ASKED, "close": Phase.CLOSED},
    Phase.CLOSED: {
        "own": Phase.OWN,
        "wait": Phase.WAITING,
        "open": Phase.ASKED,
        "vote": Phase.VOTING,
        "reveal": Phase.REVEALED,
    },
    Phase.REVEALED: {"own": Phase.OWN, "wait": Phase.WAITING, "open": Phase.ASKED},
}

PAIRS = list(itertools.product(Phase, COMMANDS))


def led(*commands: str) -> Voting:
    found = Voting(lambda question: OPTIONS.get(question, 0))
    for command in commands:
        found.lead(command, FIRST, is_lecturer=True)
    return found


@pytest.mark.parametrize(("phase", "command"), PAIRS)
def test_what_may_follow_what(phase: Phase, command: str):
    state = led(*TO_PHASE[phase])
    assert state.phase is phase
    after = FOLLOWS[phase].get(command)
    if after is None:
        with pytest.raises(Refused, match="does not follow"):
            state.lead(command, FIRST, is_lecturer=True)
        assert state.phase is phase
    else:
        state.lead(command, FIRST, is_lecturer=True)
        assert state.phase is after


@pytest.mark.parametrize(("phase", "command"), PAIRS)
def test_nobody_but_the_lecturer_leads(phase: Phase, command: str):
    state = led(*TO_PHASE[phase])
    with pytest.raises(NotLecturer):
        state.lead(command, FIRST, is_lecturer=False)
    assert (state.phase, state.question) == (phase, led(*TO_PHASE[phase]).question)


def test_there_are_two_votes_and_no_third():
    state = led("lead", "open", "vote", "close", "vote", "close")
    assert state.round == 2
    with pytest.raises(Refused, match="at most 2"):
        state.lead("vote", is_lecturer=True)
    state.lead("reveal", is_lecturer=True)
    assert state.phase is Phase.REVEALED


def test_the_command_that_comes_next_leads_through_two_votes_to_the_reveal():
    state, said = led(), []
    for _ in range(8):
        said.append(state.following)
        state.lead(state.following, FIRST, is_lecturer=True)
    assert said == ["lead", "open", "vote", "close", "vote", "close", "reveal", "open"]


@pytest.mark.parametrize("wrong", ["", "start", "VOTE"])
def test_what_is_no_command_is_refused(wrong: str):
    with pytest.raises(Refused, match="expected one of"):
        led("lead").lead(wrong, is_lecturer=True)


@pytest.mark.parametrize("wrong", [None, Question("surest-unit", 9), Question("none", 1)])
def test_no_question_opens_that_is_none(wrong: Question | None):
    state = led("lead")
    with pytest.raises(Refused, match="no such question"):
        state.lead("open", wrong, is_lecturer=True)
    assert state.phase is Phase.WAITING


def test_each_seat_counts_once_in_each_round():
    state = led("lead", "open", "vote")
    state.vote("one", FIRST, 1, 0)
    state.vote("one", FIRST, 1, 0)  # the answer to the first request was lost
    with pytest.raises(Refused, match="votes once"):
        state.vote("one", FIRST, 1, 1)
    state.vote("two", FIRST, 1, 2)
    assert (state.counts(), state.voters()) == ([[1, 0, 1]], {"one", "two"})
    state.lead("close", is_lecturer=True)
    state.lead("vote", is_lecturer=True)
    state.vote("one", FIRST, 2, 1)
    assert state.counts() == [[1, 0, 1], [0, 1, 0]]
    assert (state.votes_of("one"), state.votes_of("two")) == ([0, 1], [2, None])
    assert state.voters() == {"one"}


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.VOTING])
def test_no_vote_counts_while_none_is_open(phase: Phase):
    state = led(*TO_PHASE[phase])
    before = state.counts()
    for number in (0, 1, 2):
        with pytest.raises(Refused, match="not open"):
            state.vote("one", FIRST, number, 0)
    assert state.counts() == before


@pytest.mark.parametrize(
    ("question", "number", "option"),
    [(SECOND, 2, 0), (FIRST, 1, 0), (FIRST, 3, 0), (FIRST, 2, 3), (FIRST, 2, -1)],
)
def test_a_vote_on_something_else_does_not_count(question: Question, number: int, option: int):
    state = led("lead", "open", "vote", "close", "vote")
    with pytest.raises(Refused):
        state.vote("one", question, number, option)
    assert state.counts() == [[0, 0, 0], [0, 0, 0]]


def test_no_question_takes_more_memory_than_its_voters(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(voting, "MAX_VOTERS", 3)
    state = led("lead", "open", "vote")
    for n in range(3):
        state.vote(f"seat-{n}", FIRST, 1, 0)
    with pytest.raises(Refused, match="at most"):
        state.vote("one-too-many", FIRST, 1, 0)
    assert state.counts() == [[3, 0, 0]]


def test_an_answer_is_seen_at_ones_own_pace_or_once_it_is_revealed():
    for phase, commands in TO_PHASE.items():
        state = led(*commands)
        assert state.may_see_answer(FIRST) == (phase in (Phase.OWN, Phase.REVEALED)), phase
        assert state.may_see_answer(SECOND) == (phase is Phase.OWN), phase
    state.lead("open", SECOND, is_lecturer=True)
    assert state.may_see_answer(FIRST)
    assert not state.may_see_answer(SECOND)
    state.lead("open", FIRST, is_lecturer=True)  # asked again
    assert not state.may_see_answer(FIRST)


def test_a_session_keeps_the_counts_of_every_question_and_no_seat(monkeypatch: pytest.MonkeyPatch):
    state = led("lead", "open", "vote")
    state.vote("one", FIRST, 1, 0)
    state.lead("open", SECOND, is_lecturer=True)
    assert (state.round, state.votes_of("one"), state.voters()) == (0, [], set())
    assert [(each.question, each.counts) for each in state.asked()] == [(FIRST, [[1, 0, 0]]), (SECOND, [])]
    state.lead("own", is_lecturer=True)
    assert len(state.asked()) == 2
    monkeypatch.setattr(voting, "MAX_ASKED", 2)
    state.lead("lead", is_lecturer=True)
    state.lead("open", FIRST, is_lecturer=True)
    state.lead("open", FIRST, is_lecturer=True)
    assert [each.question for each in state.asked()] == [SECOND, FIRST, FIRST]
