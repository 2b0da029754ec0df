"""Attacks of one visitor on another: none succeeds where visitors are kept apart.

No test passes because its attack is none: it succeeds where nobody is kept apart, or for who has the right.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attacks.conftest import World
from attacks.deeds import ATTACKS, FORGERIES, Deed, succeeds


@pytest.fixture(autouse=True)
def _leave(apart: World, shared: World) -> Iterator[None]:
    yield
    apart.leave()
    shared.leave()


@pytest.mark.parametrize("deed", ATTACKS, ids=lambda deed: deed.__name__)
def test_attack(deed: Deed, apart: World, shared: World):
    assert not succeeds(deed, apart)
    assert succeeds(deed, shared), "else it would be no attack"


@pytest.mark.parametrize(("deed", "genuine"), FORGERIES, ids=[deed.__name__ for deed, _ in FORGERIES])
def test_forgery(deed: Deed, genuine: Deed, apart: World):
    assert not succeeds(deed, apart)
    assert succeeds(genuine, apart), "else nobody could do it"
