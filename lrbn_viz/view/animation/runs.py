"""A run of training as a moving picture, by the moments that it has stored."""

from __future__ import annotations

import os

import numpy as np

from lrbn_viz.studies.runs.recording import LaneRecord
from lrbn_viz.studies.runs.run import Run
from lrbn_viz.view.animation.encode import check_format
from lrbn_viz.view.animation.learning import LearningLane, Moment, animate_learning
from lrbn_viz.view.animation.settings import Progress, Settings
from lrbn_viz.view.animation.stage import number, thinned


def animate_run(
    path: str | os.PathLike[str],
    run: Run,
    *,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> int:
    """Write how the models of a run have learned, by its stored moments; see
    :func:`~lrbn_viz.view.animation.learning.animate_learning`.

    It may go on training meanwhile: what is stored later is not shown. `progress` counts moments that are
    looked at, and then frames.
    """
    settings = settings or Settings()
    check_format(path)
    # found first, and between two steps: the history of a run that goes on may be thinned out at any moment
    stored = run.job.call(lambda: {name: lane.snapshots() for name, lane in run.lanes.items()}).result()
    stored = {
        name: [found[n] for n in thinned(np.arange(len(found)), settings.n_frames)]
        for name, found in stored.items()
    }
    n_moments = sum(map(len, stored.values()))
    done = 0

    def tell(more: int, total: int) -> None:
        if progress is not None:
            progress(done + more, n_moments + total)

    lanes = []
    for name, snapshots in stored.items():
        lane, moments = run.lanes[name], []
        for snapshot in snapshots:
            found, step = lane.probe_of(snapshot), snapshot.step
            wrong = found.figures["wrong_pixels"]
            words = _words(lane, step, snapshot.epoch, wrong, run.dataset.binary)
            weights = lane.training.system.weights(snapshot.state)
            moments.append(Moment(step, weights, found.reconstructions, found.samples, wrong, words))
            done += 1
            tell(0, settings.n_frames)
        lanes.append(LearningLane(name, lane.images, moments))
    shape = run.dataset.image_shape
    return animate_learning(path, lanes, shape, title=run.config.dataset, settings=settings, progress=tell)


def _words(lane: LaneRecord, step: int, epoch: int, wrong: float, binary: bool) -> str:
    """Return a moment's step, and its error, in words."""
    error = "wrong pixels" if binary else "squared error"
    whole = lane.training.system.full_batch
    at = f"Pass {step:,}" if whole else f"Minibatch {step:,}, pass {epoch + 1}"
    return f"{at}: {number(wrong, 1)} {error} per image"
