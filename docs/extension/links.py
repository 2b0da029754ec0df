"""Looks at the pages as written: links lead somewhere, frames have titles, no page asks another host."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.application import Sphinx
from sphinx.util import logging

from .generated import LIVE_PAGE

LOG = logging.getLogger(__name__)

LINK = re.compile(r"""<(?:a|img|script|iframe|link|source)\b[^>]*?\b(?:href|src)=["']([^"']*)["']""")
ASKED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*?\bsrc=["'](?:https?:)?//|"""
    r"""<link\b(?=[^>]*rel=["']?(?:stylesheet|pre))[^>]*?\bhref=["'](?:https?:)?//"""
)
UNTITLED = re.compile(r"""<iframe\b(?![^>]*\btitle=["'][^"'])[^>]*>""")
PLACE = re.compile(r"""\b(?:id|name)=["']([^"']+)["']""")


def faults(folder: Path) -> list[str]:
    """Return the broken links of a folder of pages."""
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.html"))
        if path.name not in (LIVE_PAGE, "webpack-macros.html") and "_static" not in path.parts
    }
    places = {path: set(PLACE.findall(text)) for path, text in texts.items()}
    found = []
    for path, text in texts.items():
        name = path.relative_to(folder).as_posix()
        if asked := ASKED.search(text):
            found.append(f"{name} asks another host: {asked[0]}")
        if untitled := UNTITLED.search(text):
            found.append(f"{name} has a frame without a title: {untitled[0]}")
        for link in dict.fromkeys(LINK.findall(text)):
            parts = urlsplit(link)
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                if parts.scheme != "https" or not re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.netloc):
                    found.append(f"{name}: {link} is no secure address")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                found.append(f"{name}: {link} leads to no file")
            elif parts.fragment and target in places and unquote(parts.fragment) not in places[target]:
                found.append(f"{name}: {link} leads to no place in its page")
    return found


def look(app: Sphinx, error: Exception | None) -> None:
    """Warn of each fault."""
    if error is None and app.builder.format == "html":
        for fault in faults(Path(app.outdir).resolve()):
            LOG.warning("%s", fault)


def setup(app: Sphinx) -> dict[str, bool]:
    """Check the links once all pages are written."""
    app.connect("build-finished", look)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
