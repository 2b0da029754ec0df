"""The panels of the player, whose names and titles Python and JavaScript read in one file."""

from __future__ import annotations

import json

from lrbn_viz.view.player.source import ROOT

PANELS: dict[str, str] = json.loads((ROOT / "view/player/views.json").read_text(encoding="utf-8"))
"""Titles by name. Addresses hide panels by these names, so that a name must never change."""

CARDS = ("image", "lane1", "lane2", *PANELS)
"""The cards of presenter mode, in their order; present.js has the same names."""
MAX_PRESENTED = 2
"""Largest number of cards that presenter mode shows at once."""
