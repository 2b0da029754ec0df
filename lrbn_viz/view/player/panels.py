"""The panels of the player, as their JavaScript registers them."""

from __future__ import annotations

from lrbn_viz.view.player.source import views

PANELS: dict[str, str] = views()
"""Titles by name. Addresses hide panels by these names, so that a name must never change."""

CARDS = ("image", "lane1", "lane2", *PANELS)
"""The cards of presenter mode, in their order; present.js has the same names."""
MAX_PRESENTED = 2
"""Largest number of cards that presenter mode shows at once."""
