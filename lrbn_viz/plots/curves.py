"""What inference gains, visit by visit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from bokeh.models import Label, Span
from bokeh.plotting import figure

from lrbn_viz.plots.theme import INK, MUTED, SERIES, legend_below, new_figure
from lrbn_viz.trace import ICMTrace


def log_joint_curve(
    traces: ICMTrace | Mapping[str, ICMTrace],
    *,
    k: int | None = None,
    optimum: float | None = None,
    title: str = "log P(x, h) during inference",
    subtitle: str = "",
    width: int = 760,
    height: int = 340,
) -> figure:
    """Return ``log P(x, h)`` after each visit, with a dot at each visit that flipped its unit.

    Parameters
    ----------
    traces : ICMTrace or mapping from name to ICMTrace
        One curve each.
    k : int, optional
        A visit to mark by an upright line.
    optimum : float, optional
        The exact ``max_h log P(x, h)``, nats, to mark by a dashed line.
    """
    several = isinstance(traces, Mapping)
    named = dict(traces) if isinstance(traces, Mapping) else {"": traces}
    made: Any = new_figure(
        title,
        subtitle,
        width=width,
        height=height,
        x_axis_label="visits k",
        y_axis_label="log P(x, h), nats",
    )
    made.xgrid.visible = False
    for number, (name, trace) in enumerate(named.items()):
        colour = SERIES[number % len(SERIES)]
        visits = np.arange(trace.n_visits + 1)
        values = np.concatenate([[trace.log_joint0], trace.log_joint])
        flips = np.flatnonzero(trace.flipped) + 1
        label = {"legend_label": name} if several else {}
        # Between visits nothing changes: a step, not a slope.
        made.step(visits, values, mode="after", line_color=colour, line_width=2, **label)
        made.scatter(flips, values[flips], size=7, fill_color=colour, line_color="#ffffff", **label)
    if optimum is not None:
        made.add_layout(
            Span(location=optimum, dimension="width", line_color=INK, line_dash="dashed", line_width=1.5)
        )
        made.add_layout(
            Label(
                x=8,
                y=optimum,
                x_units="screen",
                y_offset=3,
                text="exact MAP",
                text_font_size="13px",
                text_color=INK,
            )
        )
        lowest = min(min(t.log_joint0, t.log_joint.min(initial=np.inf)) for t in named.values())
        room = 0.12 * max(optimum - lowest, 1e-9)
        made.y_range.update(start=lowest - room / 2, end=optimum + room)
    if k is not None:
        made.add_layout(Span(location=k, dimension="height", line_color=MUTED, line_width=1.5))
    if several:
        legend_below(made)
    return made
