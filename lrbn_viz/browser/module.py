"""The kernels as they ship: the module, and whether it belongs to the sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
MODULE, TABLE, ORIGIN = (_HERE / name for name in ("kernels.wasm", "table.json", "origin.json"))
SCRIPT = _HERE / "js" / "formulas.js"


@cache
def module() -> bytes:
    """Return the WebAssembly module with all kernels, which takes its memory from the page."""
    return MODULE.read_bytes()


def is_current() -> bool:
    """Return whether the module is that of the sources as they stand, by their hash."""
    origin: dict[str, Any] = json.loads(ORIGIN.read_text(encoding="utf-8"))
    return origin["module"] == sha256(module()).hexdigest() and origin["sources"] == digest_of(
        origin["files"]
    )


def digest_of(sources: Sequence[str]) -> str:
    """Return a hash of files, which are named relative to the package."""
    found = sha256()
    for name in sources:
        found.update(f"{name}\n".encode() + (_HERE.parent / name).read_bytes())
    return found.hexdigest()
