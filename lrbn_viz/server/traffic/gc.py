"""Freeze imported objects so that garbage collection scans session objects only.

Freed memory is returned to the system, which the C library would not do by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from importlib import import_module

import panel as pn

from lrbn_viz.io.background import Executor, trim_memory

THRESHOLDS = (700, 10, 200)
"""Threshold that makes full collections by Python rare, as Panel starts one when visitors have left; its
collections of the youngest generation are unchanged.
"""
RELEASE_SECONDS = 10.0
"""Seconds between a visitor's departure and the release of memory."""
_spared = False
_is_due = False
_giver = Executor("memory")


def spare_the_imported() -> None:
    """Limit the duration of garbage collections.

    A server's modules are some 300,000 objects. While they count, a search stops every visitor for a fifth of
    a second; without them, for a thirtieth.
    """
    global _spared
    document = pn.state.curdoc
    if document is None or document.session_context is None or _spared:
        return  # no server, so not ours to decide; or done
    _spared = True  # `gc.get_freeze_count` would count them all, at every page
    import_module("lrbn_viz.estimators")  # brings the engine, which the first session would import

    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


def give_memory_back() -> None:
    """Return memory of former visitors to the system, on a thread; called by the loop when one has left.

    Later, as what has gone is garbage still, and others may go in the same moment: they are one look.
    """
    global _is_due
    if _is_due:
        return
    with contextlib.suppress(RuntimeError):  # no loop: the server has ended
        asyncio.get_running_loop().call_later(RELEASE_SECONDS, _begin)
        _is_due = True


def _begin() -> None:
    global _is_due
    _is_due = False
    _giver.submit(trim_memory)
