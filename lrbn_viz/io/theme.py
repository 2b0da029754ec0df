"""Colours, type and sizes of pages and figures: `theme.json`, which the JavaScript imports too.

Every pair of colours that must be told apart differs in lightness as well as in hue (orange against blue for
the sign of a difference, green against violet for two models), so that no kind of colour vision loses it.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

_theme: dict[str, Any] = json.loads((files("lrbn_viz.io") / "theme.json").read_text(encoding="utf-8"))

FONT: str = _theme["font"]
LIGHT: dict[str, Any] = _theme["light"]
"""Colours on a light page by their names; ``lanes`` are two."""
DARK: dict[str, Any] = _theme["dark"]
HEADER: dict[str, str] = _theme["header"]
"""Colours of the header and of the line about the connection: the same on light and on dark pages."""
SIZES: dict[str, Any] = _theme["sizes"]
"""``letters`` is a CSS length, ``side_bar`` pixels where letters have 16."""
SERIES: tuple[str, ...] = (*LIGHT["lanes"], LIGHT["now"], LIGHT["minus"], LIGHT["bad"])
"""Colours of the series of one figure, in order; the first two are those of the player's lanes."""
