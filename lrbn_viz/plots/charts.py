"""Bars side by side, and how good the optima are that inference stops in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.models import Label, Span
from bokeh.plotting import figure
from bokeh.transform import dodge
from numpy.typing import ArrayLike

from lrbn_viz.plots.theme import INK, SERIES, legend_below, new_figure


def grouped_bars(
    groups: Sequence[str],
    series: Mapping[str, ArrayLike],
    *,
    y_label: str,
    title: str = "",
    subtitle: str = "",
    top: float | None = None,
    digits: int = 2,
    width: int = 640,
    height: int = 340,
) -> figure:
    """Return one group of bars per name, one bar per series, its value above it.

    Parameters
    ----------
    groups : sequence of str
        Names along the axis.
    series : mapping from name to (n_groups,) array
        Values, none negative.
    y_label : str
        What is measured, and in what unit.
    top : float, optional
        End of the axis; a little above the largest value when None.
    digits : int
        Digits after the point.
    """
    heights = {name: np.asarray(values, np.float64) for name, values in series.items()}
    largest = max((values.max(initial=0.0) for values in heights.values()), default=0.0)
    made: Any = new_figure(
        title,
        subtitle,
        width=width,
        height=height,
        x_range=list(groups),
        y_range=(0.0, (top if top is not None else max(largest, 1e-9)) * 1.12),
        y_axis_label=y_label,
    )
    made.xgrid.visible = False
    made.xaxis.major_label_text_color = INK
    pitch = 0.8 / len(heights)
    for number, (name, values) in enumerate(heights.items()):
        data = {"group": list(groups), "value": values, "text": [f"{value:.{digits}f}" for value in values]}
        at = dodge("group", (number - (len(heights) - 1) / 2) * pitch, range=made.x_range)
        bars = made.vbar(
            x=at,
            top="value",
            width=pitch * 0.88,
            fill_color=SERIES[number % len(SERIES)],
            line_color=None,
            legend_label=name,
            source=data,
        )
        made.text(
            x=at,
            y="value",
            text="text",
            y_offset=-4,
            text_align="center",
            text_font_size="13px",
            text_color=INK,
            source=bars.data_source,
        )
    legend_below(made)
    return made


def optima_found(
    log_joints: ArrayLike,
    best: float,
    *,
    title: str = "",
    subtitle: str = "",
    width: int = 760,
    height: int = 320,
) -> figure:
    """Return how often inference stopped at each value of ``log P(x, h)``, and where the exact MAP lies.

    Parameters
    ----------
    log_joints : (n_runs,) array
        ``log P(x, h)`` at the end of each run, nats; runs that agree to 1e-6 nats found the same optimum.
    best : float
        The exact ``max_h log P(x, h)``, nats.
    """
    values, counts = np.unique(np.round(np.asarray(log_joints, np.float64), 6), return_counts=True)
    low = min(values.min(initial=best), best)
    room = max(0.06 * (best - low), 0.5)
    made: Any = new_figure(
        title,
        subtitle,
        width=width,
        height=height,
        x_range=(low - room, best + 2 * room),
        y_range=(0, counts.max(initial=1) * 1.18),
        x_axis_label="log P(x, h) where inference stopped, nats",
        y_axis_label="runs",
    )
    made.xgrid.visible = False
    made.add_layout(
        Span(location=best, dimension="height", line_color=INK, line_dash="dashed", level="underlay")
    )
    made.add_layout(
        Label(
            x=best,
            y=counts.max(initial=1) * 1.07,
            x_offset=6,
            text="exact MAP",
            text_font_size="13px",
            text_color=INK,
        )
    )
    made.segment(x0=values, y0=0, x1=values, y1=counts, line_color=SERIES[0], line_width=3)
    made.scatter(values, counts, size=9, fill_color=SERIES[0], line_color="#ffffff")
    return made
