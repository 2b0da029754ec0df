"""Removal of folders and users' names from texts that leave the machine, such as logs and reports."""

from __future__ import annotations

import getpass
import os
import re
import sys
import tempfile
from pathlib import Path, PurePath

_FILE = re.compile(r'File "([^"]+)"')
_FOLDERS = ("LRBN_VIZ_RUNS", "LRBN_VIZ_SWEEPS", "LRBN_VIZ_DATA", "NUMBA_CACHE_DIR")
_MIN_NAME_LENGTH = 3


def redact(text: str) -> str:
    """Return a text with names in the place of this machine's folders, of its user and of its own name."""
    text = _FILE.sub(lambda found: f'File "{_shorter(found[1])}"', text)
    for folder, name in _folders():
        text = text.replace(folder, name)
    for name in _names():
        text = re.sub(rf"\b{re.escape(name)}\b", "<somebody>", text)
    return text


def _shorter(path: str) -> str:
    """Return the path of a source as its package's users know it."""
    parts = PurePath(path).parts
    for known in ("site-packages", "lrbn_viz"):
        if known in parts:
            at = len(parts) - 1 - parts[::-1].index(known)
            return "/".join(parts[at + (known == "site-packages") :])
    return parts[-1] if parts else path


def _folders() -> list[tuple[str, str]]:
    """Return private folders, longest first, and their replacements."""
    named = {
        str(Path.cwd()): ".",
        str(Path.home()): "~",
        str(Path(__file__).resolve().parents[2]): "<package>",
        sys.prefix: "<python>",
        tempfile.gettempdir(): "<temporary>",
        **{folder: f"${name}" for name in _FOLDERS if (folder := os.environ.get(name))},
    }
    return sorted(
        ((one, name) for one, name in named.items() if len(one) > 1), key=lambda pair: -len(pair[0])
    )


def _names() -> list[str]:
    """Return the names of the user and of the machine, where they say anything."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's user may have none
        user = ""
    host = os.uname().nodename.partition(".")[0] if hasattr(os, "uname") else ""
    return [
        name for name in (user, host) if len(name) >= _MIN_NAME_LENGTH and name not in ("root", "localhost")
    ]
