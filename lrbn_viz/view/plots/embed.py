"""Figures as JSON text, which the script of a page draws without a Bokeh session on the server."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any

import holoviews as hv
from bokeh.document import Document
from bokeh.embed import json_item

from lrbn_viz.view.plots.theme import MUTED

_DRAWING = Lock()  # one figure at a time, as the options of HoloViews are global


def figure_json(made: Any) -> str:
    """Return a figure as ``Bokeh.embed.embed_item`` takes it, as wide as its container.

    Parameters
    ----------
    made : element or overlay
        Figure, as the functions of :mod:`lrbn_viz.view.plots` return it.
    """
    with _DRAWING:
        figure = hv.renderer("bokeh").get_plot(made, doc=Document()).state
        document = figure.document
        if document is not None:
            document.remove_root(figure)
        # with WebGL, marks that are not selected have the shapes of others, by their number among these
        figure.update(sizing_mode="stretch_width", toolbar_location=None, output_backend="canvas")
        figure.frame_width = None
        for axis in (*figure.xaxis, *figure.yaxis):
            axis.major_label_text_color = MUTED
        figure.toolbar.logo = None
        return json.dumps(json_item(figure))
