"""The panels of the player, as their JavaScript registers them."""

from __future__ import annotations

from lrbn_viz.player.source import views

PANELS: dict[str, str] = views()
"""Titles by name. By these names panels are put out of sight, also in addresses: a name once given stays."""

CARDS = ("image", "lane1", "lane2", *PANELS)
"""What presenter mode can show, in the order in which it stands; present.js has the same names."""
MOST_PRESENTED = 2
"""Cards that presenter mode shows at once."""
