"""Registry of HTML displays of objects in notebooks, by which data classes need no drawing code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_displays: dict[str, Callable[[Any], str | None]] = {}


def register_html(kind: str, html: Callable[[Any], str | None]) -> None:
    """Register the display of a class's objects; an earlier registration is replaced.

    Parameters
    ----------
    kind : str
        Module and name of the class, such as ``"lrbn_viz.core.trace.Trace"``; it need not be imported. The
        display also applies to subclasses without a registration.
    html : callable
        Function from an object of that class to HTML; None where it has no picture.
    """
    _displays[kind] = html


def html_of(data: object) -> str | None:
    """Return the HTML of an object by the registration of its class; None if it has none."""
    for kind in type(data).__mro__:
        if html := _displays.get(f"{kind.__module__}.{kind.__qualname__}"):
            return html(data)
    return None
