"""Functions and classes of the libraries that pages are made and served by, which the package replaced."""

from __future__ import annotations

import sys
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import lrbn_viz

LIBRARIES = ("bokeh", "panel", "panel_material_ui", "param", "tornado")
_FOLDER = str(Path(lrbn_viz.__file__).parent)


def replaced() -> list[str]:
    """Return the names of functions, methods and classes of the imported libraries that are the package's.

    A replacement that bears the name of the original, as `functools.wraps` gives it, is told by its code.
    """
    found = set()
    for module in list(sys.modules.values()):
        if not _is_libraries(getattr(module, "__name__", "")):
            continue
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and _is_libraries(value.__module__):
                place = f"{value.__module__}.{value.__qualname__}"
                found |= {f"{place}.{each}" for each, part in list(vars(value).items()) if _is_ours(part)}
            elif _is_ours(value):
                found.add(f"{module.__name__}.{name}")
    return sorted(found)


def _is_libraries(name: str) -> bool:
    return name.partition(".")[0] in LIBRARIES


def _is_ours(value: Any) -> bool:
    """Return whether a value is a function or class of the package, or an object of its that acts as one."""
    if isinstance(value, type):
        return value.__module__.partition(".")[0] == lrbn_viz.__name__
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if isinstance(value, property):
        return any(map(_is_ours, (value.fget, value.fset)))
    if isinstance(value, cached_property):
        value = value.func
    if isinstance(value, FunctionType):
        return value.__code__.co_filename.startswith(_FOLDER)
    return type(value).__module__.partition(".")[0] == lrbn_viz.__name__ and callable(value)
