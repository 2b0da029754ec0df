"""Names of the sweeps in a folder. Every page needs them, so this module imports nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from lrbn_viz.io.storage import names_in
from lrbn_viz.studies.sweep import FILE

# No path, no hidden file, no character that is invalid on Windows, and no surrogate, which UTF-8 cannot
# encode.
_LETTER = r"[^\x00-\x1f\x7f/\\<>:\"|?*\ud800-\udfff]"
_NAME = re.compile(rf"(?!\.){_LETTER}{{1,100}}")


def sweep_name(text: str) -> str:
    """Return `text` if it can be the name of a sweep; raise ValueError otherwise."""
    if not _NAME.fullmatch(text):
        raise ValueError("expected the name of a sweep, which has no slash and does not begin with a point")
    return text


def sweep_names(folder: Path) -> list[str]:
    """Return the names of the sweeps of a folder, newest first."""
    found = {}
    for name in names_in(folder):
        try:
            if _NAME.fullmatch(name):
                found[name] = (folder / name / FILE).stat().st_mtime
        except OSError:  # not a sweep, or just deleted
            continue
    return sorted(found, key=lambda name: (-found[name], name))
