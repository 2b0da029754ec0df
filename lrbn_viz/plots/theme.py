"""Colours and type of every static figure, and the empty figure they all begin with.

The colours are those of the trace player: orange against blue for the sign of a difference, green against
violet for two models. Each pair differs in lightness as well as in hue, so that no kind of colour vision
loses it.
"""

from __future__ import annotations

from typing import Any

from bokeh.models import BasicTicker, ColorBar, CustomJSTickFormatter, LinearColorMapper, Title
from bokeh.plotting import figure

INK = "#17202a"
MUTED = "#566270"
LINE = "#dbe0e6"
GROUND = "#fbfcfd"
PLUS = "#c94f00"
MINUS = "#0067b0"
SERIES = ("#00755a", "#7b4bb3", "#d98a00", "#0067b0", "#b3261e")
"""Colours of the series of one figure, in order; the first two are those of the player's lanes."""


def _mix(start: str, end: str, n: int) -> list[str]:
    pairs = [(int(start[at : at + 2], 16), int(end[at : at + 2], 16)) for at in (1, 3, 5)]
    return ["#" + "".join(f"{round(a + (b - a) * i / (n - 1)):02x}" for a, b in pairs) for i in range(n)]


GREYS = _mix(GROUND, INK, 256)
"""From paper to ink, for pixels between 0 and 1."""

DIVERGING = _mix(MINUS, GROUND, 128)[:-1] + _mix(GROUND, PLUS, 128)
"""From blue by way of paper to orange, 255 colours of which the middle one is the paper's: for signed values,
with limits that lie equally far on both sides of 0.
"""


def signed_mapper(limit: float) -> LinearColorMapper:
    """Return the colours of signed values from ``-limit`` to ``limit``; 0 has the colour of the paper."""
    limit = limit if limit > 0 else 1.0
    return LinearColorMapper(palette=DIVERGING, low=-limit, high=limit)


def ink_mapper() -> LinearColorMapper:
    """Return the colours of pixels from 0 (paper) to 1 (ink)."""
    return LinearColorMapper(palette=GREYS, low=0.0, high=1.0)


def colour_bar(mapper: LinearColorMapper, unit: str) -> ColorBar:
    """Return a colour bar whose numbers carry their unit."""
    return ColorBar(
        color_mapper=mapper,
        ticker=BasicTicker(desired_num_ticks=5),
        formatter=CustomJSTickFormatter(
            code="return (tick > 0 ? '+' : tick < 0 ? '\u2212' : '') + Math.abs(tick).toPrecision(6)"
            f".replace(/\\.?0+$/, '') + ' {unit}'"
        ),
        major_label_text_font_size="13px",
        major_label_text_color=MUTED,
        major_tick_line_color=None,
        bar_line_color=LINE,
        width=12,
        margin=8,
    )


def new_figure(title: str = "", subtitle: str = "", **options: Any) -> figure:
    """Return an empty figure without a toolbar, in the type and colours of all.

    Parameters
    ----------
    title, subtitle : str
        What the figure shows, and what the reader should know to read it.
    **options
        Passed to ``bokeh.plotting.figure``, such as ``width`` and ``x_axis_label``.
    """
    # Without a size of its own a figure takes that of its frame and axes.
    # Bokeh's type hints miss half of what its figures accept.
    made: Any = figure(**{"width": None, "height": None, "toolbar_location": None, "tools": "", **options})
    made.background_fill_color = made.border_fill_color = "#ffffff"
    made.outline_line_color = None
    if subtitle:
        made.add_layout(
            Title(text=subtitle, text_font_size="13px", text_font_style="normal", text_color=MUTED), "above"
        )
    if title:
        made.add_layout(Title(text=title, text_font_size="16px", text_color=INK), "above")
    for axis in (*made.xaxis, *made.yaxis):
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = axis.major_label_text_font_size = "14px"
        axis.axis_label_text_color = axis.major_label_text_color = MUTED
        axis.axis_line_color = LINE
        axis.major_tick_line_color = axis.minor_tick_line_color = None
    for grid in (*made.xgrid, *made.ygrid):
        grid.grid_line_color = LINE
    made.min_border = 8
    return made


def legend_below(made: figure) -> None:
    """Put the figure's legend in a row beneath it, where it hides no data. Modified in place: `made`."""
    legend: Any = made.legend[0]
    legend.orientation = "horizontal"
    legend.location = "left"
    legend.border_line_color = None
    legend.label_text_font_size = "14px"
    legend.label_text_color = INK
    legend.padding = 2
    legend.spacing = 16
    made.add_layout(legend, "below")
