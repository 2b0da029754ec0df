"""Attacks of one visitor on another: none succeeds where visitors are kept apart.

No test passes because its attack is none: it succeeds where nobody is kept apart, or for who has the right.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attacks.conftest import World
from attacks.deeds import ATTACKS, FORGERIES, PATIENT, Deed, succeeds
from attacks.table import PAGE, expected


@pytest.fixture(autouse=True)
def _leave(apart: World, shared: World) -> Iterator[None]:
    yield
    apart.leave()
    shared.leave()


def test_the_documentation_has_the_table_of_these_attacks():
    assert len(ATTACKS) + len(FORGERIES) >= 20
    assert expected() in PAGE.read_text(encoding="utf-8"), "python tests/attacks/table.py --write"


@pytest.mark.parametrize("deed", ATTACKS, ids=lambda deed: deed.__name__)
def test_attack(deed: Deed, apart: World, shared: World):
    # Inside: Visitors are kept apart in one place.
    assert not succeeds(deed, apart)
    assert succeeds(deed, shared, PATIENT), "else it would be no attack"


@pytest.mark.parametrize(("deed", "genuine"), FORGERIES, ids=[deed.__name__ for deed, _ in FORGERIES])
def test_forgery(deed: Deed, genuine: Deed, apart: World):
    # Inside: Every request passes one gate, and every message about a run one facade, which asks whose it is.
    assert not succeeds(deed, apart)
    assert succeeds(genuine, apart, PATIENT), "else nobody could do it"
