"""Where a server looks for garbage: among what visitors leave, not among what was imported."""

from __future__ import annotations

import gc

import panel as pn

THRESHOLDS = (700, 10, 200)
"""Python's own looks at all objects become rare, as Panel has one made when visitors have gone; its looks at
the youngest stay what they are.
"""


def spare_the_imported() -> None:
    """Keep the search for garbage short.

    A server's modules are some 300,000 objects. While they count, a search stops every visitor for a fifth of
    a second; without them, for a thirtieth.
    """
    document = pn.state.curdoc
    if document is None or document.session_context is None or gc.get_freeze_count():
        return  # no server, so not ours to decide; or done
    import lrbn_viz.estimators  # noqa: F401 - brings the engine, which the first session would import

    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
