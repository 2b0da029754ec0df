"""Several systems on the same data: nats against a cost, and how much their latents depend on each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import holoviews as hv
import numpy as np

from lrbn_viz.io.glossary import nats_between
from lrbn_viz.io.theme import LIGHT
from lrbn_viz.view.plots.theme import INK, LINE, MUTED, NUMBERS, styled

# Marker and colour by the kind of inference.
_LOOKS = {
    "states": ("circle", LIGHT["lanes"][0]),
    "exact": ("square", LIGHT["lanes"][1]),
    "means": ("triangle", LIGHT["minus"]),
}
SIZE = 15


class SystemPoint(NamedTuple):
    """One system in a figure."""

    name: str
    """Name by which a page identifies it."""
    title: str
    """Name in legends and tables."""
    mark: str
    """A few letters beside its point, such as its number."""
    inference: str
    """How it usually infers its latents: "states", "exact" or "means"; it chooses colour and shape."""
    x: float
    """What it cost."""
    low: float
    high: float
    """`low` and `high`: bounds of its nats; equal where they are known exactly."""
    known: bool
    """True if the bounds are near enough for `value` to count; else the point is hollow, in their middle."""
    value: float
    """Nats of a test image."""


def look(inference: str) -> tuple[str, str]:
    """Return the marker and the colour of systems with this kind of inference."""
    return _LOOKS[inference]


def nats_against(
    points: Sequence[SystemPoint],
    x_label: str,
    *,
    x_unit: str = "",
    y_label: str = "log P(x) of a test image",
    log: bool = False,
    title: str = "",
    subtitle: str = "",
    width: int = 560,
    height: int = 360,
) -> hv.Overlay:
    """Return one point for each system: its cost on the x axis, nats of a test image on the y axis.

    An upright line leads from the lower to the upper bound. A point is filled where the two are near each
    other, and hollow, in their middle, where they are far apart.

    Parameters
    ----------
    points : sequence of SystemPoint
    x_label, x_unit : str
        The cost, and its unit.
    y_label : str
        Its unit are nats.
    log : bool
        True if the axis of the cost is logarithmic; then all costs must be above 0.
    width, height : int
        Pixels of the screen.

    Raises
    ------
    ValueError
        A cost is not above 0, and the axis logarithmic.

    Examples
    --------
    >>> from lrbn_viz import plots
    >>> from lrbn_viz.view.plots.systems import SystemPoint
    >>> point = SystemPoint("a", "LRBN-200", "1", "states", 38, -85.5, -85.1, known=True, value=-85.5)
    >>> plots.nats_against([point], "training", x_unit="CPU seconds")
    :Overlay
    ...
    """
    if log and any(point.x <= 0 for point in points):
        raise ValueError(f"a logarithmic axis needs costs above 0, got {[point.x for point in points]}.")
    across = hv.Dimension("x", label=x_label, unit=x_unit or None)
    up = hv.Dimension("nats", label=y_label, unit="nats")
    rows = []
    for point in points:
        marker, colour = look(point.inference)
        y = point.value if point.known else (point.low + point.high) / 2
        value = [f"{point.value:.1f}"] if point.known else []
        bounds = [] if point.low == point.high else [nats_between(point.low, point.high)]
        said = ", ".join([*value, *bounds]) or "no upper bound is known"
        fill = colour if point.known else LIGHT["surface"]
        rows.append((point.x, y, point.name, point.title, said, marker, colour, fill, point.mark))
    columns: list[Any] = ["system", "title", "said", "marker", "colour", "fill", "mark"]
    dots = hv.Points(rows, [across, up], columns, label="systems")
    tips = [("", "@title"), ("nats", "@said"), (x_label, "@x{0,0.00}")]
    dots = dots.opts(
        marker="marker", size=SIZE, color="colour", fill_color="fill", line_color="colour", line_width=2,
        tools=["tap", _hover(tips)], nonselection_alpha=0.25, selection_line_color=INK,
        selection_line_width=3,
    )  # fmt: skip
    lines = hv.Segments([(p.x, p.low, p.x, p.high, look(p.inference)[1]) for p in points], vdims="colour")
    marks = hv.Labels([(row[0], row[1], row[-1]) for row in rows], [across, up], "mark")
    parts = [
        lines.opts(color="colour", line_width=2, line_alpha=0.6),
        dots,
        marks.opts(text_align="left", text_baseline="middle", xoffset=0, **NUMBERS | {"text_color": INK}),
    ]
    # Half the span of each axis; a minimum keeps a single point visible.
    lows, highs = [p.low for p in points], [p.high for p in points]
    room = max(0.12 * (max(highs, default=0.0) - min(lows, default=0.0)), 1.0)
    costs = np.array([p.x for p in points] or [1.0])
    if log:
        xlim = (float(costs.min() / 1.8), float(costs.max() * 2.2))
        rounds = [step * 10.0**power for power in range(-3, 9) for step in (1, 3)]
        xticks = [(at, f"{at:,g}") for at in rounds if xlim[0] <= at <= xlim[1]]
    else:
        xticks = None  # as the axis finds them
        slack = max(0.1 * float(np.ptp(costs)), 0.5)
        xlim = (min(float(costs.min()) - slack, 0.0), float(costs.max()) + 1.8 * slack)
    return styled(
        hv.Overlay(parts), title, subtitle, width=width, height=height, logx=log, show_legend=False, grid="y",
        xlabel=across.pprint_label, ylabel=up.pprint_label,
        xlim=xlim, ylim=(min(lows, default=0.0) - room, max(highs, default=0.0) + room), xticks=xticks,
    )  # fmt: skip


class ErrorCurve(NamedTuple):
    """Wrong pixels of one system over the sweeps of annealing."""

    name: str
    title: str
    mark: str
    inference: str
    """`name`, `title`, `mark` and `inference`: as of a `SystemPoint`."""
    points: Mapping[int, tuple[float, float]]
    """Mean wrong pixels per test image, and their standard error, by the number of sweeps."""


def errors_over_sweeps(
    curves: Sequence[ErrorCurve],
    *,
    axis: str = "wrong pixels per test image",
    title: str = "",
    subtitle: str = "",
    width: int = 560,
    height: int = 360,
) -> hv.Overlay:
    """Return a line for each system: wrong pixels over the number of sweeps, which has a logarithmic axis.

    An upright line at each point leads from one standard error below to one above.

    Parameters
    ----------
    curves : sequence of ErrorCurve
        With at least one point each.
    axis : str
        Label of the axis.
    width, height : int
        Pixels of the screen.
    """
    across = hv.Dimension("sweeps", label="sweeps of annealing")
    up = hv.Dimension("wrong", label=axis)
    rows, bars, lines, ends = [], [], [], []
    for curve in curves:
        marker, colour = look(curve.inference)
        for sweeps, (wrong, error) in curve.points.items():
            said = f"{wrong:.2f} ± {error:.2f} after {sweeps:,} sweeps"
            rows.append((sweeps, wrong, curve.name, curve.title, said, marker, colour))
            bars.append((sweeps, wrong - error, sweeps, wrong + error, colour))
        path = [(sweeps, wrong) for sweeps, (wrong, _) in curve.points.items()]
        lines.append(hv.Curve(path, across, up).opts(color=colour, line_width=1.5, line_alpha=0.6))
        ends.append((*path[-1], f"   {curve.mark}"))
    dots = hv.Points(rows, [across, up], ["system", "title", "said", "marker", "colour"], label="systems")
    dots = dots.opts(
        marker="marker", size=9, color="colour", line_color="colour",
        tools=["tap", _hover([("", "@title"), (axis, "@said")])], nonselection_alpha=0.25,
        selection_line_color=INK, selection_line_width=3,
    )  # fmt: skip
    marks = hv.Labels(ends, [across, up], "mark")
    parts = [
        *lines,
        hv.Segments(bars, vdims="colour").opts(color="colour", line_width=2),
        dots,
        marks.opts(text_align="left", text_baseline="middle", **NUMBERS),
    ]
    counts = sorted({sweeps for curve in curves for sweeps in curve.points})
    top = max(wrong + error for curve in curves for wrong, error in curve.points.values())
    return styled(
        hv.Overlay(parts), title, subtitle, width=width, height=height, logx=True, show_legend=False,
        grid="y", xlabel=across.pprint_label, ylabel=up.pprint_label,
        xlim=(counts[0] / 1.5, counts[-1] * 1.8), ylim=(-0.02 * top, 1.08 * top or 1.0),
        xticks=[(sweeps, f"{sweeps:,}") for sweeps in counts],
    )  # fmt: skip


class Dependence(NamedTuple):
    """Dependence of the latents of one system on each other, given an image."""

    name: str
    title: str
    mark: str
    inference: str
    """`name`, `title`, `mark` and `inference`: as of a `SystemPoint`."""
    information: float
    """Mutual information of a latent and all others, nats, the mean over latents and images."""
    error: float
    """Its standard error over the images."""
    said: str
    """How it was found, in words."""


def dependence_bars(
    systems: Sequence[Dependence], *, title: str = "", subtitle: str = "", width: int = 560, height: int = 360
) -> hv.Overlay:
    """Return a bar for each system: the dependence of its latents under its posterior, beside a q's zero.

    A factorised q, such as that of mean field or of a recognition network, takes them to be independent: a
    diamond at 0 in each row.

    Parameters
    ----------
    systems : sequence of Dependence
        Systems from the top down.
    width, height : int
        Pixels of the screen.

    Examples
    --------
    >>> from lrbn_viz import plots
    >>> from lrbn_viz.view.plots.systems import Dependence
    >>> plots.dependence_bars([Dependence("a", "LRBN-12", "1", "states", 0.15, 0.01, "by enumeration")])
    :Overlay
    ...
    """
    rows = np.arange(len(systems))[::-1]
    value = hv.Dimension("information", label="mutual information with all others", unit="nats")
    table = [
        (0.0, row - 0.32, one.information, row + 0.32, one.name, one.title, one.said, look(one.inference)[1])
        for row, one in zip(rows, systems, strict=True)
    ]
    bars = hv.Rectangles(table, vdims=["system", "title", "said", "colour"], label="systems")
    tips = [("", "@title"), ("nats", "@said")]
    bars = bars.opts(
        color="colour", line_color="colour", tools=["tap", _hover(tips)], nonselection_alpha=0.25,
        selection_line_color=INK, selection_line_width=3,
    )  # fmt: skip
    errors = [
        (one.information - one.error, row, one.information + one.error, row)
        for row, one in zip(rows, systems, strict=True)
    ]
    top = max((one.information + one.error for one in systems), default=0.0) or 0.01
    text = hv.Labels(
        [
            (one.information + one.error + 0.02 * top, row, f"{one.information:.3f}")
            for row, one in zip(rows, systems, strict=True)
        ]
    )
    parts = [
        hv.VLine(0).opts(color=MUTED, line_width=1),
        bars,
        hv.Segments(errors).opts(color=INK, line_width=1.5),
        hv.Points([(0.0, row) for row in rows]).opts(
            marker="diamond", size=12, color=LIGHT["now"], line_color=LINE
        ),
        text.opts(text_align="left", text_baseline="middle", **NUMBERS),
    ]
    return styled(
        hv.Overlay(parts), title, subtitle, width=width, height=height, show_legend=False, grid="x",
        xlim=(-0.03 * top, 1.25 * top), ylim=(-0.6, len(systems) - 0.4), xlabel=value.pprint_label, ylabel="",
        yticks=[(row, one.mark) for row, one in zip(rows.tolist(), systems, strict=True)],
    )  # fmt: skip


def _hover(tips: list[tuple[str, str]]) -> Any:
    from bokeh.models import HoverTool

    return HoverTool(tooltips=tips)
