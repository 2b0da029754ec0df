"""Bar charts, and a chart of the optima at which inference stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle

import holoviews as hv
import numpy as np
from numpy.typing import ArrayLike

from lrbn_viz.io.theme import LIGHT, SERIES
from lrbn_viz.view.plots.theme import INK, LOG_JOINT, NUMBERS, styled


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
) -> hv.Overlay:
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
    width, height : int
        Pixels of the screen.

    Examples
    --------
    >>> from lrbn_viz import plots
    >>> errors = {"train": [2.1, 3.0], "test": [2.4, 3.3]}
    >>> plots.grouped_bars(["flat", "learned"], errors, y_label="wrong pixels")
    :Overlay
    ...
    """
    table = {name: np.asarray(values, np.float64) for name, values in series.items()}
    largest = max((values.max(initial=0.0) for values in table.values()), default=0.0)
    end = 1.12 * (top if top is not None else max(largest, 1e-9))
    pitch = 0.8 / max(len(table), 1)
    value = hv.Dimension("value", label=y_label)
    parts = []
    for number, ((name, values), colour) in enumerate(zip(table.items(), cycle(SERIES), strict=False)):
        at = np.arange(len(groups)) + (number - (len(table) - 1) / 2) * pitch
        sides = (at - 0.44 * pitch, np.zeros(len(at)), at + 0.44 * pitch, values)
        bars = hv.Rectangles((*sides, list(groups), values), vdims=["group", value], label=name)
        parts.append(bars.opts(color=colour, line_color=None, tools=["hover"]))
        text = hv.Labels((at, values + 0.01 * end, [f"{one:.{digits}f}" for one in values]))
        parts.append(text.opts(text_baseline="bottom", **NUMBERS))
    return styled(
        hv.Overlay(parts), title, subtitle, width=width, height=height, ylim=(0.0, end), xlabel="",
        ylabel=y_label, xticks=list(enumerate(groups)), xlim=(-0.5, len(groups) - 0.5),
        grid="y", legend_position="bottom",
    )  # fmt: skip


def optima_found(
    log_joints: ArrayLike,
    best: float,
    *,
    title: str = "",
    subtitle: str = "",
    width: int = 760,
    height: int = 320,
) -> hv.Overlay:
    """Return how often inference stopped at each value of ``log P(x, h)``, and where the exact MAP lies.

    Parameters
    ----------
    log_joints : (n_runs,) array
        ``log P(x, h)`` at the end of each run, nats; runs that agree to 1e-6 nats found the same optimum.
    best : float
        The exact ``max_h log P(x, h)``, nats.
    width, height : int
        Pixels of the screen.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> traces = [model.map_trace(x, init="random", random_state=seed) for seed in range(20)]
    >>> best = lrbn_viz.exact_posterior(model, x).map_log_joint
    >>> lrbn_viz.plots.optima_found([trace.log_joint[-1] for trace in traces], best)
    :Overlay
    ...
    """
    values, counts = np.unique(np.round(np.asarray(log_joints, np.float64), 6), return_counts=True)
    room = max(0.06 * (best - min(values.min(initial=best), best)), 0.5)
    where, runs = LOG_JOINT.clone(label="log P(x, h) where inference stopped"), "runs"
    top = counts.max(initial=1)
    dots = {"size": 9, "color": SERIES[0], "line_color": LIGHT["surface"], "tools": ["hover"]}
    parts = (
        hv.Spikes((values, counts), where, runs).opts(color=SERIES[0], line_width=3),
        hv.Scatter((values, counts), where, runs).opts(**dots),
        hv.VLine(best).opts(color=INK, line_dash="dashed", line_width=1, level="underlay"),
        hv.Text(best, 1.07 * top, " exact MAP", halign="left").opts(**NUMBERS),
    )
    return styled(
        hv.Overlay(parts), title, subtitle, width=width, height=height, ylim=(0, 1.18 * top),
        xlim=(min(values.min(initial=best), best) - room, best + 2 * room),
        grid="y", show_legend=False,
    )  # fmt: skip
