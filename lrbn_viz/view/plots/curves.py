"""Curves of log P over the visits of inference."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import Any

import holoviews as hv
import numpy as np

from lrbn_viz.core.trace import ICMTrace, Trace
from lrbn_viz.io.theme import LIGHT, SERIES
from lrbn_viz.view.plots.theme import INK, LOG_JOINT, MUTED, NUMBERS, styled

VISITS = hv.Dimension("k", label="visits k")


def log_joint_curve(
    traces: Trace | Mapping[str, Trace],
    *,
    k: int | None = None,
    optimum: float | None = None,
    title: str = "log P(x, h) during inference",
    subtitle: str = "",
    width: int = 760,
    height: int = 340,
) -> hv.Overlay:
    """Return ``log P(x, h)`` after each visit, with a dot at each visit that flipped its latent.

    Parameters
    ----------
    traces : Trace or mapping from name to Trace
        One curve each.
    k : int, optional
        A visit to mark by an upright line.
    optimum : float, optional
        The exact ``max_h log P(x, h)``, nats, to mark by a dashed line.
    width, height : int
        Pixels of the screen.

    Returns
    -------
    holoviews.Overlay
        A step curve and the dots of each trace; the dots hold ``trace.to_frame()``.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> trace = model.map_trace(x)
    >>> lrbn_viz.plots.log_joint_curve({"ICM": trace, "from zeros": model.map_trace(x, init="zeros")})
    :Overlay
    ...
    """
    named = traces if isinstance(traces, Mapping) else {"": traces}
    parts: list[Any] = []
    for (name, trace), colour in zip(named.items(), cycle(SERIES), strict=False):
        values = np.concatenate([[trace.log_joint0], trace.log_joint])
        # The value is constant between visits.
        curve = hv.Curve((np.arange(len(values)), values), VISITS, LOG_JOINT, label=name)
        parts.append(curve.opts(interpolation="steps-post", color=colour, line_width=2))
        table = trace.to_frame()
        flips = trace.flipped if isinstance(trace, ICMTrace) else np.zeros(len(table), np.bool_)
        known = [LOG_JOINT, *(column for column in table if column not in ("k", "log_joint"))]
        dots = hv.Scatter(table[flips], VISITS, known, label=name)
        parts.append(dots.opts(size=7, color=colour, line_color=LIGHT["surface"], tools=["hover"]))
    limits = {}
    if optimum is not None:
        lowest = min(min(t.log_joint0, t.log_joint.min(initial=np.inf)) for t in named.values())
        room = 0.12 * max(optimum - lowest, 1e-9)
        limits = {"ylim": (lowest - room / 2, optimum + room)}
        parts.append(hv.HLine(optimum).opts(color=INK, line_dash="dashed", line_width=1.5))
        label = hv.Text(0, optimum, " exact MAP", halign="left", valign="bottom")
        parts.append(label.opts(**NUMBERS))
    if k is not None:
        parts.append(hv.VLine(k).opts(color=MUTED, line_width=1.5))
    return styled(
        hv.Overlay(parts), title, subtitle, width=width, height=height, grid="y",
        show_legend=len(named) > 1, legend_position="bottom", **limits,
    )  # fmt: skip
