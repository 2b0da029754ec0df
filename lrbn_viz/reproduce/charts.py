"""CSL beside AIS and the MAP bound, and the frontier of reconstruction error against log-likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from lrbn_viz.reproduce.drawing import INK, LINE, MUTED, PLUS, SERIES, Axes, Canvas, apart, rgb

WIDE, TALL = 330, 250
"""Points of one panel with its margins."""


def pale(colour: str, share: float = 0.82) -> str:
    """Return a colour mixed with white."""
    mixed = rgb(colour) * (1 - share) + 255 * share
    return "#" + "".join(f"{round(value):02x}" for value in mixed)


class Likelihoods(NamedTuple):
    """What one panel shows: the figures of three stages, as `measure` returns them."""

    config: str
    ais: dict[str, Any]
    map_bound: dict[str, Any]
    csl: dict[str, Any]


def csl_curves(panels: Sequence[Likelihoods]) -> Canvas:
    """Return CSL over the number of samples, one panel per configuration, on one scale.

    Parameters
    ----------
    panels : sequence of Likelihoods
    """
    columns = min(3, len(panels))
    n_rows = -(-len(panels) // columns)
    curves = [np.array(panel.csl["curve"]["means"]) for panel in panels]
    others = [panel.ais["mean"] for panel in panels] + [panel.map_bound["mean"] for panel in panels]
    low = min(min(curve.min() for curve in curves), *others)
    high = max(max(curve.max() for curve in curves), *others)
    room = 0.06 * max(high - low, 1.0)
    page = Canvas(max(20 + columns * WIDE, 700), 74 + n_rows * TALL)
    page.text(14, 26, "CSL beside AIS and the MAP bound", size=15)
    page.text(
        14, 45,
        "Mean log P(x) of test images, nats. Where CSL still rises with the samples it is no estimate yet.",
        colour=MUTED,
    )  # fmt: skip
    for number, (panel, curve) in enumerate(zip(panels, curves, strict=True)):
        left = 20 + (number % columns) * WIDE + 44
        top = 74 + (number // columns) * TALL + 22
        sizes = panel.csl["curve"]["n_samples"]
        inside = (left, top, WIDE - 150, TALL - 76)
        axes = Axes(
            page, inside, (sizes[0], max(sizes[-1], 10 * sizes[0])), (low - room, high + room), log_x=True
        )
        page.text(left - 40, top - 10, panel.config, size=12)
        axes.frame("samples" if number // columns == n_rows - 1 else "")
        if len(curve) > 1:
            above = [axes.at(n, y) for n, y in zip(sizes, curve.max(axis=0), strict=True)]
            below = [axes.at(n, y) for n, y in zip(sizes, curve.min(axis=0), strict=True)]
            page.area([*above, *reversed(below)], pale(SERIES[1]))
        right = left + inside[2]
        labels = []
        for name, value, colour, dash in (
            ("AIS", panel.ais["mean"], SERIES[0], 0),
            ("MAP bound", panel.map_bound["mean"], PLUS, 4),
        ):
            y = axes.at(sizes[0], value)[1]
            page.line([(left, y), (right, y)], colour, 1.5, dash)
            labels.append((y, f"{name} {value:.1f}", colour))
        points = [axes.at(n, y) for n, y in zip(sizes, curve.mean(axis=0), strict=True)]
        page.line(points, SERIES[1], 2)
        for x, y in points:
            page.dot(x, y, SERIES[1], 2.5)
        labels.append((points[-1][1], f"CSL {curve[:, -1].mean():.1f}", SERIES[1]))
        heights = apart([y for y, _, _ in labels], 14, top + inside[3])
        for height, (_, told, colour) in zip(heights, labels, strict=True):
            page.text(right + 6, height, told, size=10.5, colour=colour, anchor="lm")
    return page


class Point(NamedTuple):
    """One configuration on the frontier; `error` is the standard error of `nats`."""

    config: str
    prior: str
    icm: float
    annealed: float
    nats: float
    error: float


def frontier(points: Sequence[Point], paper: tuple[float, float]) -> Canvas:
    """Return reconstruction error against log-likelihood: upper left is better.

    Parameters
    ----------
    points : sequence of Point
        Measured.
    paper : (wrong pixels, nats)
        Reported, drawn as a hollow diamond.
    """
    right = max(max(p.icm for p in points), max(p.annealed for p in points), paper[0])
    nats = [p.nats + side * 2 * p.error for p in points for side in (-1, 1)] + [paper[1]]
    room = 0.06 * max(max(nats) - min(nats), 1.0)
    page = Canvas(820, 500)
    page.text(14, 26, "Reconstruction error against log-likelihood", size=15)
    page.text(
        14, 45,
        "Disc: annealed MAP. Ring: ICM. Bar: two standard errors of AIS. Dashes: surpassed on both "
        "by no other.",
        colour=MUTED,
    )  # fmt: skip
    axes = Axes(page, (64, 84, 580, 350), (-0.03 * right, 1.06 * right), (min(nats) - room, max(nats) + room))
    axes.frame("wrong pixels per test image (less is better)", "log P(x), nats")
    best = [p for p in points if not any(_beats(q, p) for q in points)]
    best.sort(key=lambda p: p.annealed)
    page.line([axes.at(p.annealed, p.nats) for p in best], MUTED, 1.25, 3)
    kinds = {"flat": SERIES[0], "warmed": SERIES[2], "learned": SERIES[1], "layer above": SERIES[3]}
    for p in points:
        colour = kinds.get(p.prior, INK)
        at, other = axes.at(p.annealed, p.nats), axes.at(p.icm, p.nats)
        page.line([at, other], pale(colour, 0.5), 1.5)
        ends = [axes.at(p.annealed, p.nats + side * 2 * p.error) for side in (-1, 1)]
        page.line(ends, colour, 1.25)
        page.dot(*other, colour, 4, filled=False)
        page.dot(*at, colour, 4.5)
    page.diamond(*axes.at(*paper), PLUS)
    labels = [(axes.at(max(p.icm, p.annealed), p.nats), p.config, kinds.get(p.prior, INK)) for p in points]
    labels.append((axes.at(*paper), "paper, reported (ICM, CSL)", PLUS))
    heights = apart([at[1] for at, _, _ in labels], 13)
    for height, ((x, y), told, colour) in zip(heights, labels, strict=True):
        if abs(height - y) > 4:
            page.line([(x + 6, y), (x + 12, height)], LINE, 0.75)
        page.text(x + 13, height, told, size=10.5, colour=colour, anchor="lm", halo=2)
    page.text(664, 96, "prior", colour=MUTED)
    shown = [kind for kind in kinds if any(p.prior == kind for p in points)]
    for number, kind in enumerate(shown):
        page.dot(670, 112 + 18 * number, kinds[kind])
        page.text(680, 112 + 18 * number, kind, anchor="lm")
    return page


def _beats(one: Point, other: Point) -> bool:
    """Return whether one is at least as good on both counts and better on one."""
    return (
        one.annealed <= other.annealed
        and one.nats >= other.nats
        and (one.annealed, one.nats) != (other.annealed, other.nats)
    )
