"""Training as a moving picture: filters, reconstructions, samples and wrong pixels at stored moments."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.view.animation.encode import check_format, write_animation
from lrbn_viz.view.animation.settings import Progress, Settings
from lrbn_viz.view.animation.stage import Stage, between, grey, in_style, ramp, signed, thinned

FILTERS = (6, 12)
"""Rows and columns of filters: of the first latents."""
SHOWN = 6
"""Images, reconstructions and samples beside each other."""


class Moment(NamedTuple):
    """A model at one moment of its training."""

    step: int
    """Minibatches it had seen."""
    weights: NDArray
    """(n_v, n_h) column j is the filter of latent j."""
    reconstructions: NDArray
    samples: NDArray
    """(n, n_v) `reconstructions` and `samples`: means of x given the latents of the lane's images; images
    that the model drew.
    """
    wrong: float
    """Wrong pixels per held-out image, or the squared error of real-valued ones."""
    words: str
    """The moment in words, such as its pass and its figures."""


class LearningLane(NamedTuple):
    """One of the models that train side by side.

    Attributes
    ----------
    name : str
    images : (n, n_v)
        Held-out images, whose reconstructions are shown.
    moments : sequence of Moment
        Moments in their order; at least one.
    """

    name: str
    images: NDArray
    moments: Sequence[Moment]


def animate_learning(
    path: str | os.PathLike[str],
    lanes: Sequence[LearningLane],
    image_shape: tuple[int, int],
    *,
    title: str = "",
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> int:
    """Write how one or two models learn, a frame for each stored moment; return the number of bytes.

    Parameters
    ----------
    lanes : sequence of LearningLane
        One or two, of the same images.
    image_shape : (rows, columns)
    title : str
        Above everything, such as the data set.
    path, settings, progress
        As of :func:`~lrbn_viz.view.animation.traces.animate_traces`.

    Raises
    ------
    ValueError
        No file of that name can be written here, or nothing has been stored.
    OSError
        The file cannot be written.
    """
    settings = settings or Settings()
    check_format(path)
    if not all(lane.moments for lane in lanes):
        raise ValueError("no moment of training is stored; train a minibatch first.")
    steps = np.unique([moment.step for lane in lanes for moment in lane.moments])
    steps = thinned(steps, settings.n_frames)
    with in_style():
        stage = Stage(settings)
        top, margin = 0.04, 0.03
        if title:
            stage.text(margin, top, title, bold=True, fontsize=1.2 * stage.letter)
            top += 0.075
        high = (0.985 - top) / len(lanes)
        shown = [
            _Shown(stage, lane, image_shape, stage.colours["lanes"][n], (margin, top + n * high, high))
            for n, lane in enumerate(lanes)
        ]

        def frame(n: int) -> NDArray[np.uint8]:
            for lane in shown:
                lane.show(int(steps[n]))
            return stage.frame()

        return write_animation(path, frame, settings.milliseconds(len(steps)), progress, exact=False)


class _Shown:
    """One lane on the stage: its left edge, its upper edge and its height are shares of the picture."""

    def __init__(
        self,
        stage: Stage,
        lane: LearningLane,
        shape: tuple[int, int],
        accent: str,
        place: tuple[float, float, float],
    ) -> None:
        self.stage, self.lane, self.shape = stage, lane, shape
        left, top, high = place
        line = stage.line
        stage.text(left, top, lane.name, bold=True, color=accent)
        self._words = stage.moving(stage.text(left, top + 1.15 * line))
        top, high = top + 2.5 * line, high - 2.5 * line
        size = high - 1.9 * line
        rows, columns = shape
        tiles = (FILTERS[0] * (rows + 1), FILTERS[1] * (columns + 1))
        n_h = lane.moments[0].weights.shape[1]
        label = f"{min(n_h, FILTERS[0] * FILTERS[1])} of {n_h:,} filters"
        self._filters = stage.picture(left, top, 0.34, size, label, tiles)
        self._images = lane.images[:SHOWN]
        beside = (3 * (rows + 1), SHOWN * (columns + 1))
        self._rows = stage.picture(left + 0.36, top, 0.27, size, "Images, reconstructions, samples", beside)
        chart = stage.chart(left + 0.66, top, 0.28, min(size, 0.5))
        known = lane.images[~np.isnan(lane.images)]
        self._real = not np.isin(known, (0, 1)).all()
        figure = "Squared error per image" if self._real else "Wrong pixels per image"
        chart.set_title(figure, loc="left", color=stage.colours["muted"], fontsize=0.82 * stage.letter)
        chart.set_xlabel("minibatches", color=stage.colours["muted"], fontsize=0.78 * stage.letter)
        self._steps = np.array([moment.step for moment in lane.moments])
        self._wrong = np.array([moment.wrong for moment in lane.moments])
        chart.set_xlim(0, max(float(self._steps[-1]), 1.0))
        chart.set_ylim(0, 1.06 * max(float(self._wrong.max()), 1e-6))
        chart.plot(self._steps, self._wrong, color=stage.colours["line"], linewidth=0.12 * stage.letter)
        (self._curve,) = chart.plot([], [], color=accent, linewidth=0.18 * stage.letter)
        stage.moving(self._curve)

    def show(self, step: int) -> None:
        """Show the moment after so many minibatches, or the last one before."""
        at = max(0, bisect_right(self._steps.tolist(), step) - 1)
        moment, colours = self.lane.moments[at], self.stage.colours
        n = FILTERS[0] * FILTERS[1]
        filters = [signed(colours, weights) for weights in moment.weights.T[:n]]
        self._filters.set_data(self._laid(filters, FILTERS))
        rows = [self._images, moment.reconstructions[:SHOWN], moment.samples[:SHOWN]]
        pictures = [self._coloured(image) for row in rows for image in row]
        self._rows.set_data(self._laid(pictures, (3, SHOWN)))
        self._curve.set_data(self._steps[: at + 1], self._wrong[: at + 1])
        self._words.set_text(moment.words)

    def _coloured(self, image: NDArray) -> NDArray[np.uint8]:
        shares = grey(image, self._images) if self._real else image
        return ramp(self.stage.colours, np.where(np.isnan(shares), 0.5, shares))  # grey: not known

    def _laid(self, pictures: Sequence[NDArray[np.uint8]], grid: tuple[int, int]) -> NDArray[np.uint8]:
        """Pictures (n_v, 3) row by row, each with a gap to the next."""
        (rows, columns), (down, across) = self.shape, grid
        made = np.empty((down * (rows + 1), across * (columns + 1), 3), np.uint8)
        made[:] = between(self.stage.colours["line"], self.stage.colours["line"], 0.0)
        for n, picture in enumerate(pictures[: down * across]):
            top, left = n // across * (rows + 1), n % across * (columns + 1)
            made[top : top + rows, left : left + columns] = picture.reshape(rows, columns, 3)
        return made
