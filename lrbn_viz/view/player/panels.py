"""The player's panels, cards and choices: names that Python and JavaScript read in the same files."""

from __future__ import annotations

import json
from typing import Any

from lrbn_viz.view.player.source import ROOT


def _read(name: str) -> Any:
    return json.loads((ROOT / "view" / "player" / name).read_text(encoding="utf-8"))


_choices = _read("choices.json")

PANELS: dict[str, str] = _read("views.json")
"""Titles by name. Addresses hide panels by these names, so that a name must never change."""
CARDS: tuple[str, ...] = (*_choices["cards"], *PANELS)
"""The cards of presenter mode, in their order."""
UNIT_ORDERS: tuple[str, ...] = tuple(_choices["unit_orders"])
"""Orders of the units beside each other; orders.js sorts by them."""
REFERENCES: tuple[str, ...] = tuple(_choices["references"])
"""References with which the why card can compare a unit's log-odds; who.js does."""
STILL: str = _choices["still"]
"""The attribute that names the player of a picture that stands in for it in a notebook."""
STORY_PARTS: frozenset[str] = frozenset(_choices["story_parts"])
"""Parts of the page that a caption can point at."""
