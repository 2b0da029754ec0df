"""The components' JavaScript as text: small files read in order and joined into one module, no build step."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

PLAYER_PARTS = (
    "host",
    "decode",
    "replay",
    "theme",
    "dom",
    "draw",
    "curve",
    "orders",
    "clock",
    "input",
    "lane",
    "interactions",
    "why",
    "raster",
    "truth",
    "basins",
    "matrix",
    "mosaic",
    "svg",
    "picture",
    "help",
    "scrub",
    "transport",
    "player",
    "adapters",
)
GALLERY_PARTS = ("host", "decode", "theme", "dom", "draw", "sidebar", "gallery")
CHOICE_PARTS = ("host", "theme", "dom", "sidebar", "choice")


@cache
def module_text(parts: tuple[str, ...]) -> str:
    """Join the named files of ``player/js`` into the text of one ES module that imports nothing."""
    folder = files("lrbn_viz.app.player") / "js"
    return "\n".join((folder / f"{part}.js").read_text(encoding="utf-8") for part in parts)
