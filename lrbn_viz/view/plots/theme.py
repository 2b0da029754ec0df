"""Colours and type of every static figure: those of pages, from :mod:`lrbn_viz.io.theme`, on white paper."""

from __future__ import annotations

from typing import Any

import holoviews as hv
import holoviews.plotting.bokeh  # registers the backend that draws
import numpy as np
from bokeh.models import CustomJSTickFormatter, Title
from numpy.typing import NDArray

from lrbn_viz.io.theme import LIGHT

INK, MUTED, LINE, GROUND = (LIGHT[name] for name in ("ink", "muted", "line", "ground"))
PLUS, MINUS = LIGHT["plus"], LIGHT["minus"]
LOG_JOINT = hv.Dimension("log_joint", label="log P(x, h)", unit="nats")
NUMBERS = {"text_font_size": "13px", "text_color": INK}
"""Options of numbers and names inside a figure."""


def _mix(start: str, end: str, n: int) -> list[str]:
    pairs = [(int(start[at : at + 2], 16), int(end[at : at + 2], 16)) for at in (1, 3, 5)]
    return ["#" + "".join(f"{round(a + (b - a) * i / (n - 1)):02x}" for a, b in pairs) for i in range(n)]


GREYS = _mix(GROUND, INK, 256)
"""Colours from paper to ink, for pixels between 0 and 1."""

DIVERGING = _mix(MINUS, GROUND, 128)[:-1] + _mix(GROUND, PLUS, 128)
"""Colours from blue through paper to orange, 255 of them with paper in the middle: for signed values, with
limits symmetric about 0.
"""


def signed(values: NDArray, limit: float | None = None, unit: str = "") -> dict[str, Any]:
    """Return the options of an image of signed values: 0 has the colour of the paper.

    Parameters
    ----------
    values : array
    limit : float, optional
        The value in full colour; the largest of all when None.
    unit : str
        Unit of the values, written beside the colour bar.
    """
    end = float(np.abs(values).max(initial=0.0)) if limit is None else float(limit)
    code = "return (tick > 0 ? '+' : tick < 0 ? '\u2212' : '') + Number(Math.abs(tick).toPrecision(6))"
    return {
        "cmap": DIVERGING,
        "clim": (-(end or 1.0), end or 1.0),
        "clabel": "",
        "cformatter": CustomJSTickFormatter(code=f"{code} + ' {unit}'"),
        "colorbar_opts": {"width": 12, "major_tick_line_color": None, "bar_line_color": LINE},
    }


def styled(made: Any, title: str = "", subtitle: str = "", *, grid: str = "", **options: Any) -> Any:
    """Return an element or an overlay in the type and colours of all figures. Modified in place: `made`.

    Parameters
    ----------
    made : element or overlay
    title, subtitle : str
        What the figure shows, and what the reader should know to read it.
    grid : {"", "x", "y"}
        The axis that has grid lines.
    **options
        Options of HoloViews, such as ``width`` and ``ylim``.
    """

    def in_type(plot: Any, element: Any) -> None:
        figure = plot.state
        figure.background_fill_color = figure.border_fill_color = LIGHT["surface"]
        figure.min_border, figure.sizing_mode = 8, None  # as large as its frame and what is around it
        figure.frame_align = False  # moved down to a neighbour's frame, its end would be cut off
        for axis in (*figure.xaxis, *figure.yaxis):
            axis.axis_label_text_font_style = "normal"
            axis.axis_label_text_color = MUTED
            axis.axis_line_color = LINE
            axis.major_tick_line_color = axis.minor_tick_line_color = None
        for name, lines in (("x", figure.xgrid), ("y", figure.ygrid)):
            for line in lines:
                line.grid_line_color = LINE if name == grid else None
        for legend in figure.legend:
            legend.border_line_color, legend.location = None, "left"
            legend.padding, legend.spacing = 2, 16
        if subtitle and not any(isinstance(part, Title) for part in figure.above):
            style: dict[str, Any] = {
                "text_font_size": "13px",
                "text_font_style": "normal",
                "text_color": MUTED,
            }
            figure.add_layout(Title(text=subtitle, **style), "above")

    sizes = {"title": "16px", "labels": "14px", "ticks": "14px", "legend": "14px"}
    return made.opts(
        **{
            "title": title,
            "toolbar": None,
            "default_tools": [],
            "show_frame": False,
            "fontsize": sizes,
            "hooks": [in_type],
        }
        | options
    )
