"""The address bar holds the session's state: whoever opens the link sees the same thing, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from lrbn_viz.app.menus import ALGORITHMS, CONTROLS, PANELS, STARTS, UNIT_ORDERS, offered, shown_models
from lrbn_viz.app.session import Session
from lrbn_viz.app.texts import text_to_held, text_to_names, text_to_pixels, text_to_unit

# short names in the link, in the order in which they appear there
NAMES = {
    "model": "lrbn",
    "image": "index",
    "drawn": "drawn",
    "algorithm": "algorithm",
    "start": "start",
    "from": "kept",
    "clamp": "clamp",
    "seed": "seed",
    "visit": "cursor",
    "unit": "selected",
    "units": "unit_order",
    "hide": "hidden",
}
_NUMBERS = {"image", "seed", "visit"}


def write_link(session: Session) -> str:
    """Return the query string (with its ``?``) that brings back this session's state."""
    values = {short: getattr(session, name) for short, name in NAMES.items()}
    return "?" + urlencode({short: value for short, value in values.items() if value != ""})


def read_link(query: str) -> dict[str, Any]:
    """Return the session's parameters that a query string names; what it gets wrong is left out.

    A link is typed, cut and mailed by people: a value that does not fit falls back to its default rather than
    to an error page.
    """
    from lrbn_viz.catalog import DATASETS, PRETRAINED

    allowed = {
        "model": shown_models(),
        "algorithm": list(ALGORITHMS),
        "start": list(STARTS),
        "units": UNIT_ORDERS,
    }
    found: dict[str, Any] = {}
    for short, text in parse_qsl(query.lstrip("?")):
        if short not in NAMES or (short in allowed and text not in allowed[short]):
            continue
        if short in _NUMBERS:
            if not (text.isascii() and text.isdecimal()) or int(text) >= 2**31:
                continue
            found[NAMES[short]] = int(text)
        else:
            found[NAMES[short]] = text
    if "lrbn" in found:
        info = PRETRAINED[found["lrbn"]]
        found |= {"rbm": info.rival, "dataset_name": info.dataset}
    data = DATASETS[found.get("dataset_name", Session.param.dataset_name.default)]
    if found.get("index", 0) >= data.n_test:
        del found["index"]
    info = PRETRAINED[found.get("lrbn", Session.param.lrbn.default)]
    n_h = info.n_h
    algorithms, starts = offered(info.n_layers > 1)
    if found.get("algorithm", "icm") not in algorithms:
        del found["algorithm"]
    if found.get("start", "zeros") not in starts:
        del found["start"]
    _keep(found, "drawn", lambda text: text_to_pixels(text, data.image_shape[0] * data.image_shape[1]))
    _keep(found, "kept", lambda text: text_to_pixels(text, n_h))
    _keep(found, "clamp", lambda text: text_to_held(text, n_h))
    _keep(found, "selected", lambda text: text_to_unit(text, n_h, PRETRAINED[str(info.rival)].n_h))
    _keep(found, "hidden", lambda text: text_to_names(text, [*PANELS, *CONTROLS]))
    if found.get("start") == "last" and "kept" not in found:
        del found["start"]
    if found.get("start") != "last":
        found.pop("kept", None)
    return found


def _keep(found: dict[str, Any], name: str, read: Callable[[str], Any]) -> None:
    """Leave out what `read` refuses."""
    try:
        if name in found:
            read(found[name])
    except ValueError:
        del found[name]
