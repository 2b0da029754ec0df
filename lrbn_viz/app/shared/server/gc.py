"""Where a server looks for garbage: among what visitors leave, not among what was imported."""

from __future__ import annotations

import gc
from importlib import import_module

import panel as pn

THRESHOLDS = (700, 10, 200)
"""Python's own looks at all objects become rare, as Panel has one made when visitors have gone; its looks at
the youngest stay what they are.
"""
_spared = False


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
