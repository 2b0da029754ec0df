"""Static figures in a notebook: HTML beside one copy of BokehJS, or a drawing that needs none."""

from __future__ import annotations

import io
import sys
from typing import Any

from bokeh.embed import components
from bokeh.model import Model
from bokeh.resources import Resources
from matplotlib.figure import Figure


class Html:
    """HTML that a notebook shows."""

    def __init__(self, html: str, text: str) -> None:
        self._html, self._text = html, text

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self._html


APART = ("google.colab", "marimo")
"""Modules of hosts that show each cell's scripts in a page of their own."""


def load_figures() -> Html:
    """Return BokehJS itself, 1.3 MB, to be shown once, before the first figure of a notebook.

    Nothing in Colab and in marimo, where each figure brings it.

    Examples
    --------
    >>> from lrbn_viz.notebook import load_figures
    >>> load_figures()
    figures are ready
    """
    return Html("" if _is_apart() else _bokeh(), "figures are ready")


def _is_apart() -> bool:
    """Return whether a cell has no access to resources that other cells have loaded."""
    return any(name in sys.modules for name in APART)


def _bokeh() -> str:
    """Return BokehJS as HTML."""
    scripts = Resources(mode="inline", components=["bokeh"], log_level="warn").js_raw
    return "".join(f"<script>{script}</script>" for script in scripts)


def show_figure(figure: Any) -> Html:
    """Return a figure as something a notebook shows.

    The figure needs no extension of the notebook and asks no server for anything. One of Matplotlib stands
    alone, in any cell. Others need :func:`load_figures` before them; in Colab and in marimo, whose cells
    know nothing of each other, they bring BokehJS themselves.

    Parameters
    ----------
    figure : HoloViews element, overlay or layout; Bokeh figure or layout; or Matplotlib figure

    Examples
    --------
    >>> import lrbn_viz
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> trace = model.map_trace(x)
    >>> from lrbn_viz.notebook import show_figure
    >>> show_figure(lrbn_viz.plots.log_joint_curve(trace))
    a figure (Overlay)
    """
    if isinstance(figure, Figure):
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", bbox_inches="tight", metadata={"Date": None})
        text = drawn.getvalue()
        return Html(f'<div style="{_SHEET}">{text[text.index("<svg") :]}</div>', "a figure")
    bokeh = figure
    if not isinstance(figure, Model):
        import holoviews as hv  # not at the top: a player needs it not

        bokeh = hv.render(
            figure.opts(toolbar=None) if isinstance(figure, hv.Layout) else figure, backend="bokeh"
        )
    script, div = components(bokeh)
    alone = _bokeh() if _is_apart() else ""
    return Html(f'{alone}<div style="{_SHEET}">{div}</div>\n{script}', f"a figure ({type(figure).__name__})")


# A sheet of paper where the notebook is dark, and what is wider than the cell scrolls.
_SHEET = "background: #fff; border-radius: 6px; width: fit-content; max-width: 100%; overflow-x: auto"
