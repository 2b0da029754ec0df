"""Displays of data in a notebook, registered from outside: data draws nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_displays: dict[str, Callable[[Any], str]] = {}


def register_html(kind: str, html: Callable[[Any], str]) -> None:
    """Register how objects of a class are displayed, in place of an earlier registration.

    Parameters
    ----------
    kind : str
        Module and name of the class, such as ``"lrbn_viz.core.trace.ICMTrace"``: it need not be loaded. Its
        subclasses are displayed in the same way, unless they have a registration of their own.
    html : callable
        Returns an object of that class as HTML.
    """
    _displays[kind] = html


def html_of(data: object) -> str | None:
    """Return an object as HTML, by the registration of its class; None if there is none."""
    for kind in type(data).__mro__:
        if html := _displays.get(f"{kind.__module__}.{kind.__qualname__}"):
            return html(data)
    return None
