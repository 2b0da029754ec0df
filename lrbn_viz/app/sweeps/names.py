"""Names of the sweeps in a folder: needed by every page, so that nothing else is imported."""

from __future__ import annotations

import re
from pathlib import Path

from lrbn_viz.io.storage import names_in
from lrbn_viz.studies.sweep import FILE

# No path, nothing hidden, no letter that Windows has in no name, and no halves of letters, which no page
# can hold.
_LETTER = r"[^\x00-\x1f\x7f/\\<>:\"|?*\ud800-\udfff]"
_NAME = re.compile(rf"(?!\.){_LETTER}{{1,100}}")


def sweep_name(text: str) -> str:
    """Return a text that can be the name of a sweep; ValueError where it cannot."""
    if not _NAME.fullmatch(text):
        raise ValueError("expected the name of a sweep, which has no slash and does not begin with a point")
    return text


def sweep_names(folder: Path) -> list[str]:
    """Return the names of the sweeps of a folder, that begun last first."""
    found = {}
    for name in names_in(folder):
        try:
            if _NAME.fullmatch(name):
                found[name] = (folder / name / FILE).stat().st_mtime
        except OSError:  # no sweep, or it has just gone
            continue
    return sorted(found, key=lambda name: (-found[name], name))
