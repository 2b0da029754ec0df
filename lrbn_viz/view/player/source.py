"""The components' JavaScript, as browsers get it: bundles of ES modules, each of which imports nothing.

``npm run build`` (``js/build.js``) writes a bundle for each file of the package that no other file imports.
The bundles are committed, and so need no Node to be read here. Panel, notebooks and exported pages get the
same text.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder to which paths are relative: that of the package."""

PLAYER = "view/player/js/entry.js"
"""The trace player of the explorer and of exported pages."""


class BundleError(FileNotFoundError):
    """Error for a file of JavaScript that begins no bundle."""


@cache
def module_text(entry: str) -> str:
    """Return a file and all that it imports as the text of one ES module, with the exports of that file.

    Parameters
    ----------
    entry : str
        Path of the file within the package, such as ``"view/player/js/entry.js"``.

    Raises
    ------
    BundleError
        For a file of which no bundle was built.
    """
    path = bundle_path(entry)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BundleError(
            f"{path} is missing, the bundle of {entry}. Run npm run build, which makes one for each file of "
            "the package that no other file imports."
        ) from error


def bundle_path(entry: str) -> Path:
    """Return where the bundle of a file stands."""
    return (ROOT / "bundles" / entry).with_suffix(".mjs")
