"""Figures as JSON text, which the script of a page draws without a Bokeh session on the server."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any

import holoviews as hv
from bokeh.document import Document
from bokeh.embed import json_item

from lrbn_viz.view.plots.theme import MUTED

_ONE = Lock()  # HoloViews keeps its options for the whole process


def figure_json(made: Any) -> str:
    """Return a figure as ``Bokeh.embed.embed_item`` takes it, as wide as its container.

    Parameters
    ----------
    made : element or overlay
        What a function of this package returned.
    """
    with _ONE:
        figure = hv.renderer("bokeh").get_plot(made, doc=Document()).state
        document = figure.document
        if document is not None:
            document.remove_root(figure)
        figure.update(sizing_mode="stretch_width", toolbar_location=None)
        figure.frame_width = None
        for axis in (*figure.xaxis, *figure.yaxis):
            axis.major_label_text_color = MUTED
        figure.toolbar.logo = None
        return json.dumps(json_item(figure))
