"""Where a server looks for garbage: among what visitors leave, not among what was imported.

What is found is given back to the system, which the C library would not do by itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import math
import time
from importlib import import_module

import panel as pn

from lrbn_viz.background import Executor

THRESHOLDS = (700, 10, 200)
"""Python's own looks at all objects become rare, as Panel has one made when visitors have gone; its looks at
the youngest stay what they are.
"""
GIVE_BACK_SECONDS = 30.0
"""Time between two looks at what can be given back, at least."""
_spared = False
_given_back = -math.inf
_giver = Executor("memory")


def spare_the_imported() -> None:
    """Keep the search for garbage short.

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
    """Give the system, on a thread, memory that visitors have left; called when one has gone.

    What the newest one leaves is garbage still; it is given back after another one, or never grows.
    """
    global _given_back
    now = time.monotonic()
    if now - _given_back >= GIVE_BACK_SECONDS:
        _given_back = now
        _giver.submit(_give_back)


def _give_back() -> None:
    """Let the C library unmap pages that hold nothing, where it is one that can be told to."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
