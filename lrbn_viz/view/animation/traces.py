"""Inference as a moving picture: one trace, or several of the same image in lock-step."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.trace import ICMTrace, ParticleTrace, Trace
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.view.animation.encode import check_format, write_animation
from lrbn_viz.view.animation.settings import Progress, Settings
from lrbn_viz.view.animation.stage import (
    Stage,
    between,
    count,
    grey,
    hatched,
    in_style,
    number,
    ramp,
    signed,
    thinned,
)

MAX_ANIMATED_LANES = 2
_TILE = 8  # dots across a latent's tile, of which one is the gap to the next


def animate_traces(
    path: str | os.PathLike[str],
    traces: Sequence[Trace],
    *,
    image_shape: tuple[int, int] | None = None,
    title: str = "",
    names: Sequence[str] = (),
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> int:
    """Write inference, a frame for each visit that changes a latent; return the number of bytes.

    A frame shows the image, its reconstruction with wrong pixels in colour and unknown ones hatched, all
    latents with the one visited, its weights, and log P(x, h) so far, with a caption that says what the visit
    did. Several traces all show the same number of visits; one that has ended stands still.

    Parameters
    ----------
    path, traces, image_shape, title, names, progress
        As of :func:`~lrbn_viz.view.animation.export.export_animation`.
    settings : Settings, optional
        Size, speed, frames and theme.

    Raises
    ------
    ValueError
        No file of that name can be written here, or the traces are not of one image of that shape.
    OSError
        The file cannot be written.
    """
    settings = settings or Settings()
    check_format(path)
    shape = _checked_shape(traces, image_shape)
    if names and len(names) != len(traces):
        raise ValueError(f"expected {len(traces)} names, one for each trace; got {len(names)}.")
    moments = thinned(changes(traces), settings.n_frames)

    with in_style():
        stage = Stage(settings)
        lanes = _staged(stage, traces, names or [""] * len(traces), shape, title)

        def frame(n: int) -> NDArray[np.uint8]:
            for lane in lanes:
                lane.show(int(moments[n]))
            return stage.frame()

        return write_animation(path, frame, settings.milliseconds(len(moments)), progress)


def draw_traces(
    traces: Sequence[Trace],
    k: int,
    *,
    image_shape: tuple[int, int] | None = None,
    title: str = "",
    names: Sequence[str] = (),
    settings: Settings | None = None,
) -> NDArray[np.uint8]:
    """Return the frame of :func:`animate_traces` after k visits, as a picture.

    Parameters
    ----------
    traces, image_shape, title, names, settings
        As there.
    k : int
        Visits; a trace that has ended before shows its end.

    Returns
    -------
    (height, width, 3) uint8

    Raises
    ------
    ValueError
        The traces are not of one image of that shape.
    """
    settings = settings or Settings()
    shape = _checked_shape(traces, image_shape)
    with in_style():
        stage = Stage(settings)
        for lane in _staged(stage, traces, names or [""] * len(traces), shape, title):
            lane.show(k)
        return stage.frame()


def changes(traces: Sequence[Trace]) -> NDArray[np.intp]:
    """Return after how many visits some trace has changed, with the start and the end of the longest."""
    ends = [0, *(trace.n_visits for trace in traces)]
    changed = [np.flatnonzero(trace.changes) for trace in traces]
    return np.unique(np.concatenate([np.array(ends), *(visits + 1 for visits in changed)]).astype(np.intp))


def _checked_shape(traces: Sequence[Trace], shape: tuple[int, int] | None) -> tuple[int, int]:
    """Return the shape of the image that the traces are of."""
    if not 1 <= len(traces) <= MAX_ANIMATED_LANES:
        raise ValueError(f"expected 1 to {MAX_ANIMATED_LANES} traces; got {len(traces)}.")
    first = traces[0]
    if any(not np.array_equal(trace.x, first.x, equal_nan=True) for trace in traces):
        raise ValueError("expected traces of one image; infer the same x by both models.")
    n_v = len(first.x)
    side = math.isqrt(n_v)
    if shape is None:
        if side * side != n_v:
            raise ValueError(
                f"an image of {n_v} pixels is not square; pass image_shape=(rows, columns), such as "
                "the data set's image_shape."
            )
        return side, side
    if shape[0] * shape[1] != n_v:
        raise ValueError(f"expected an image_shape of {n_v} pixels; got {shape[0]} x {shape[1]}.")
    return shape


def caption(trace: Trace, k: int) -> str:
    """Return a description of visit k, in words; k = 0 is the start."""
    if k == 0:
        return "The start"
    visit = k - 1
    if isinstance(trace, ParticleTrace):
        share = 100 * float(trace.shares_of_latest()[visit])
        return f"Visit {k:,}: a particle with {number(share, 1)} % of the weight"
    if not isinstance(trace, ICMTrace):
        return f"Visit {k:,}"
    unit, when = int(trace.unit[visit]), f"Visit {k:,}, sweep {int(trace.sweep[visit]) + 1}"
    if trace.means:
        return f"{when}: the mean of {trace.unit_name(unit)} becomes {number(float(trace.after[visit]), 2)}"
    verb = "turns" if trace.flipped[visit] else "stays"
    return f"{when}: {trace.unit_name(unit)} {verb} {'on' if trace.after[visit] else 'off'}"


def state_in_words(trace: Trace, k: int, wrong: NDArray) -> str:
    """Return log P(x, h) and the wrong pixels after k visits, in words."""
    nats, unknown = f"{trace.quantity} {number(trace.log_joint_at(k))} nats", unknown_in(trace.x)
    n_unknown = 0 if unknown is None else int(unknown.sum())
    left = f", {n_unknown:,} not known" if n_unknown else ""
    if not trace.units.binary:
        return f"{nats}, squared error {number(float(wrong[k]), 2)}{left}"
    if trace.visible_names:
        return f"{nats}, {int(wrong[k])} of {trace.n_v - n_unknown} wrong{left}"
    return f"{nats}, {count(int(wrong[k]), 'wrong pixel')}{left}"


@dataclass
class _Lane:
    """One trace on the stage: what of it moves."""

    stage: Stage
    trace: Trace
    shape: tuple[int, int]
    accent: str
    reconstruction: Any
    latents: Any
    grid: tuple[int, int]
    frame: Any
    filter: Any
    curve: Any
    dot: Any
    words: Any
    numbers: Any
    wrong: NDArray

    def show(self, k: int) -> None:
        """Show the state after k visits, or the last one."""
        trace, colours = self.trace, self.stage.colours
        k = min(k, trace.n_visits)
        mean = trace.reconstruction(k)
        made = self._reconstructed(mean).reshape(*self.shape, 3)
        self.reconstruction.set_data(hatched(colours, made, _unknown(trace, self.shape), filled=True))
        columns = self.grid[1]
        self.latents.set_data(tiles(trace.latents(k), self.grid, self.accent, colours))
        unit = int(trace.unit[k - 1]) if k and isinstance(trace, ICMTrace) else -1
        self.frame.set_visible(unit >= 0)
        self.frame.set_xy((unit % columns * _TILE - 0.5, unit // columns * _TILE - 0.5))
        weights = trace.W[:, unit] if unit >= 0 else np.zeros(len(trace.x))
        self.filter.set_data(signed(colours, weights).reshape(*self.shape, 3))
        along = np.concatenate([[trace.log_joint0], trace.log_joint[:k]])
        self.curve.set_data(np.arange(k + 1), along)
        self.dot.set_data([k], [along[-1]])
        self.words.set_text(caption(trace, k))
        self.numbers.set_text(state_in_words(trace, k, self.wrong))

    def _reconstructed(self, mean: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Colours of a reconstruction; of binary ones, a pixel too many is orange, a missing one is blue."""
        colours, x = self.stage.colours, self.trace.x
        if not self.trace.units.binary:
            return ramp(colours, grey(mean, x))
        shown = ramp(colours, mean)
        guess = mean > 0.5
        shown[guess & (x == 0)] = between(colours["plus"], colours["plus"], 0.0)
        shown[~guess & (x == 1)] = between(colours["minus"], colours["minus"], 0.0)
        return shown


def _unknown(trace: Trace, shape: tuple[int, int]) -> NDArray[np.bool_] | None:
    unknown = unknown_in(trace.x)
    return None if unknown is None else unknown.reshape(shape)


def tiles(
    latents: NDArray, grid: tuple[int, int], accent: str, colours: Mapping[str, Any]
) -> NDArray[np.uint8]:
    """Return the picture of latents as tiles, row by row: off is faint, on is the lane's colour."""
    rows, columns = grid
    paper = between(colours["surface"], colours["surface"], 0.0)
    shown = np.tile(paper, (rows * columns, 1))
    shown[: len(latents)] = between(colours["faint"], accent, latents)
    made = np.kron(shown.reshape(rows, columns, 3), np.ones((_TILE, _TILE, 1), np.uint8))
    made[_TILE - 1 :: _TILE] = made[:, _TILE - 1 :: _TILE] = paper
    return made


def _staged(
    stage: Stage, traces: Sequence[Trace], names: Sequence[str], shape: tuple[int, int], title: str
) -> list[_Lane]:
    """Put everything on the stage: lanes below each other, the pictures of each beside each other."""
    top, margin = 0.04, 0.03
    if title:
        stage.text(margin, top, title, bold=True, fontsize=1.2 * stage.letter)
        top += 0.075
    high = (0.985 - top) / len(traces)
    return [
        _lane(stage, trace, name, shape, stage.colours["lanes"][n], (margin, top + n * high, high))
        for n, (trace, name) in enumerate(zip(traces, names, strict=True))
    ]


def _lane(
    stage: Stage,
    trace: Trace,
    name: str,
    shape: tuple[int, int],
    accent: str,
    place: tuple[float, float, float],
) -> _Lane:
    """Put a lane on the stage: its left edge, its upper edge and its height are shares of the picture."""
    left, top, high = place
    colours, line = stage.colours, stage.line
    alone = high > 0.6
    if name:
        stage.text(left, top, name, bold=True, color=accent)
        top, high = top + 1.15 * line, high - 1.15 * line
    words = stage.moving(stage.text(left, top, bold=False))
    numbers = stage.moving(stage.text(0.97 if alone else left, top, ha="right" if alone else "left"))
    if not alone:
        numbers.set_position((left + 0.44, 1 - top))
    top, high = top + 1.35 * line, high - 1.35 * line
    size = 0.44 * high if alone else high - 1.9 * line
    step = 0.24 if alone else 0.165
    rows = math.ceil(trace.n_h / (columns := math.ceil(math.sqrt(trace.n_h))))
    labels = ("Image", "Reconstruction", f"{trace.n_h:,} latents", "Weights of the unit")
    shapes = (shape, shape, (rows * _TILE, columns * _TILE), shape)
    pictures = [
        stage.picture(left + n * step, top, step - 0.02, size, label, each)
        for n, (label, each) in enumerate(zip(labels, shapes, strict=True))
    ]
    image, reconstruction, latents, weights = pictures
    shown = np.nan_to_num(trace.x if trace.units.binary else grey(trace.x, trace.x))
    image.set_data(hatched(colours, ramp(colours, shown).reshape(*shape, 3), _unknown(trace, shape)))
    frame = stage.outline(latents.axes, _TILE, colours["now"])
    if alone:
        below = top + size + 2.6 * line
        chart = stage.chart(left + 0.06, below, 0.91 - left, 0.93 - below)
    else:
        chart = stage.chart(left + 4 * step + 0.05, top, 0.92 - left - 4 * step, size)
    everything = np.concatenate([[trace.log_joint0], trace.log_joint])
    low, high_end = float(everything.min()), float(everything.max())
    room = 0.06 * max(high_end - low, 1e-6)
    chart.set_xlim(0, max(trace.n_visits, 1))
    chart.set_ylim(low - room, high_end + room)
    chart.plot(np.arange(len(everything)), everything, color=colours["line"], linewidth=0.12 * stage.letter)
    symbol = trace.quantity
    chart.set_title(
        f"{symbol[0].upper() + symbol[1:] if trace.means else symbol}, nats, by visits",
        loc="left", color=colours["muted"], fontsize=0.82 * stage.letter,
    )  # fmt: skip
    (curve,) = chart.plot([], [], color=accent, linewidth=0.18 * stage.letter)
    (dot,) = chart.plot([], [], "o", color=colours["now"], markersize=0.6 * stage.letter, clip_on=False)
    return _Lane(
        stage, trace, shape, accent, reconstruction, latents, (rows, columns), stage.moving(frame), weights,
        stage.moving(curve), stage.moving(dot), words, numbers, trace.wrong_pixels(),
    )  # fmt: skip
