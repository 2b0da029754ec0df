"""The kernels as they ship: the modules, and whether they belong to the sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
NAMES = ("kernels", "learning", "measuring")
TABLE, ORIGIN = (_HERE / name for name in ("table.json", "origin.json"))
SCRIPT = _HERE / "js" / "formulas.js"


def path_of(name: str) -> Path:
    """Return the file of a module."""
    return _HERE / f"{name}.wasm"


@cache
def module(name: str = "kernels") -> bytes:
    """Return a WebAssembly module, which takes its memory from the page: by default that which infers."""
    return path_of(name).read_bytes()


def is_current() -> bool:
    """Return whether the modules are those of the sources as they stand, by their hash."""
    origin: dict[str, Any] = json.loads(ORIGIN.read_text(encoding="utf-8"))
    hashes = {name: sha256(module(name)).hexdigest() for name in NAMES}
    return origin["modules"] == hashes and origin["sources"] == digest_of(origin["files"])


def digest_of(sources: Sequence[str]) -> str:
    """Return a hash of files, which are named relative to the package."""
    found = sha256()
    for name in sources:
        found.update(f"{name}\n".encode() + (_HERE.parent / name).read_bytes())
    return found.hexdigest()
