"""When a server looks for garbage: once a visitor has gone, among what visitors leave."""

from __future__ import annotations

import asyncio
import gc

import panel as pn

SECONDS = 5.0
"""Between the end of a session and the look; sessions that end meanwhile share it."""
THRESHOLDS = (700, 10, 200)
"""For Python's own looks at all objects to be rare, and its looks at the youngest as ever."""

_due: list[asyncio.TimerHandle] = []


def collect_between_visits() -> None:
    """Keep the search for garbage short, and out of the way of who is clicking.

    A server's modules are some 300,000 objects. While they count, Python looks through all of them, which
    stops every visitor for a fifth of a second, and at a time of its own choosing. So they are taken out, and
    the rest is looked through when a session has ended: nearly all that only such a search finds is then.
    """
    document = pn.state.curdoc
    if document is None or document.session_context is None:
        return  # no server, so not ours to decide
    if not gc.get_freeze_count():
        import lrbn_viz.estimators  # noqa: F401 - brings the engine, which the first session would import

        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
    pn.state.on_session_destroyed(lambda _: _collect_soon())


def _collect_soon() -> None:
    if not _due:
        _due.append(asyncio.get_running_loop().call_later(SECONDS, _collect))


def _collect() -> None:
    _due.clear()
    gc.collect()
