"""Attacks of one visitor on another: none succeeds where visitors are kept apart.

No test passes because its attack is none: it succeeds where nobody is kept apart, or for who has the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attacks.attempts import ATTACKS, FORGERIES, Attempt, succeeds
from attacks.conftest import World
from attacks.table import PAGE, expected

GATE = {
    "tell_whether_a_run_exists",
    "delete_a_run_of_another",
    "join_a_session_by_its_token",
    "join_a_session_by_its_id",
    "join_a_session_by_its_id_in_a_header",
    "embed_a_session_of_another",
    "choose_the_id_of_a_session",
    "forge_the_token_of_a_session",
    "train_a_giant",
    "forge_the_cookie_of_another",
    "open_the_websocket_from_another_site",
    "read_the_cookie_by_a_script",
    "lead_the_class_as_a_student",
    "vote_twice",
    "vote_with_an_invented_seat",
    "vote_when_no_vote_is_open",
    "see_the_answer_early",
}
"""One or two of each kind, which soon come to an end. Most others wait for something that must not come; what
they try is also held without a server, by tests/app/test_visitors.py.
"""


def tried(attempt: Attempt, *more: Attempt) -> Any:
    """Return a parameter, which only the nightly tries where the gate leaves it out."""
    marks = () if attempt.__name__ in GATE else pytest.mark.slow
    return pytest.param(attempt, *more, id=attempt.__name__, marks=marks)


@pytest.fixture
def _leave(apart: World, shared: World) -> Iterator[None]:
    yield
    apart.leave()
    shared.leave()


def test_the_documentation_has_the_table_of_these_attacks():
    assert {attempt.__name__ for attempt in (*ATTACKS, *(attempt for attempt, _ in FORGERIES))} >= GATE
    assert len(ATTACKS) + len(FORGERIES) >= 20
    assert expected() in PAGE.read_text(encoding="utf-8"), "python tests/attacks/table.py --write"


@pytest.mark.usefixtures("_leave")
@pytest.mark.parametrize("attempt", [tried(attempt) for attempt in ATTACKS])
def test_attack(attempt: Attempt, apart: World, shared: World):
    # Inside: Visitors are kept apart in one place.
    assert not succeeds(attempt, apart)
    assert succeeds(attempt, shared, patient=True), "else it would be no attack"


@pytest.mark.usefixtures("_leave")
@pytest.mark.parametrize(("attempt", "genuine"), [tried(*each) for each in FORGERIES])
def test_forgery(attempt: Attempt, genuine: Attempt, apart: World):
    # Inside: Every request passes one gate, and every message about a run one facade, which checks its owner.
    assert not succeeds(attempt, apart)
    assert succeeds(genuine, apart, patient=True), "else nobody could do it"
