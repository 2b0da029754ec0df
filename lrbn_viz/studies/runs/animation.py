"""A run as a moving picture: what it has stored of its past, or the run of a folder trained once more."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lrbn_viz.animation import LearningLane, Moment, Settings, animate_learning, check_format
from lrbn_viz.animation.settings import Progress
from lrbn_viz.animation.stage import number, thinned
from lrbn_viz.datasets import Dataset, load_dataset
from lrbn_viz.studies.runs.recording import LaneRecord
from lrbn_viz.studies.runs.run import Run
from lrbn_viz.studies.runs.stored import read_run_file
from lrbn_viz.training import Snapshot

_POLL_SECONDS = 0.05


def animate_run(
    path: str | os.PathLike[str],
    run: Run,
    *,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> int:
    """Write how the models of a run have learned, by its stored moments; see
    :func:`lrbn_viz.animation.animate_learning`.

    It may go on training meanwhile: what is stored later is not shown. `progress` counts moments that are
    looked at, and then frames.
    """
    settings = settings or Settings()
    check_format(path)
    # found first, and between two steps: the history of a run that goes on may be thinned out at any moment
    stored = run.job.call(lambda: {name: _stored(lane) for name, lane in run.lanes.items()}).result()
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
        moments = []
        for snapshot in snapshots:
            moments.append(_moment(run.lanes[name], snapshot))
            done += 1
            tell(0, settings.n_frames)
        lanes.append(LearningLane(name, run.lanes[name].images, moments))
    shape = run.dataset.image_shape
    return animate_learning(path, lanes, shape, title=run.config.dataset, settings=settings, progress=tell)


def _stored(lane: LaneRecord) -> list[Snapshot]:
    """Return the stored states of a lane, and the present one."""
    found = [lane.history.at(step) for step in lane.history.steps]
    now = lane.training.snapshot()
    return found if found and found[-1].step == now.step else [*found, now]


def _moment(lane: LaneRecord, snapshot: Snapshot) -> Moment:
    found = lane.probe_of(snapshot)
    wrong = found.figures["wrong_pixels"]
    error = "squared error" if lane.images.dtype.kind == "f" else "wrong pixels"
    whole = lane.training.system.full_batch
    at = f"Pass {snapshot.step:,}" if whole else f"Minibatch {snapshot.step:,}, pass {snapshot.epoch + 1}"
    words = f"{at}: {number(wrong, 1)} {error} per image"
    weights = lane.training.system.weights(snapshot.state)
    return Moment(snapshot.step, weights, found.reconstructions, found.samples, wrong, words)


def trained_again(
    folder: str | os.PathLike[str],
    load: Callable[..., Dataset] = load_dataset,
    progress: Progress | None = None,
) -> Run:
    """Train the run of a folder once more, from its beginning as far as its checkpoint; nothing is written.

    A checkpoint holds no earlier moments, and equal seeds give equal runs.

    Parameters
    ----------
    folder : path
    load : callable
        From a name and ``binary`` to a Dataset, where the folder holds none.
    progress : callable, optional
        Called with the minibatches seen by all models, and how many there will be.

    Raises
    ------
    FileNotFoundError, ValueError
        There is no checkpoint or it is damaged; or it cannot be had again: the run branched from another,
        began from a file, or its settings were changed while it trained.
    """
    folder = Path(folder)
    found = read_run_file(folder / "run.json").config
    data = None if (folder / "dataset").exists() else load(found.dataset, binary=found.binary)
    before = Run.resume(folder, data)
    config = before.config
    if config.parent is not None:
        raise ValueError(
            f"{folder.name} branched from {config.parent.name}, so that its beginning is not stored; "
            "animate it on the Train page while it is open, or animate its parent."
        )
    run = Run(config.run_here(), before.dataset)
    target = _steps(before)
    run.advance(target)  # models take turns: as many steps of all together end where they ended
    while run.job.status == "running":
        time.sleep(_POLL_SECONDS)
        if progress is not None:
            progress(_steps(run), target)
    run.stop()
    for name, lane in run.lanes.items():
        state, wanted = lane.training, before.lanes[name].training
        same = state.step == wanted.step and np.array_equal(
            state.system.weights(state.state), wanted.system.weights(wanted.state)
        )
        if not same:
            raise ValueError(
                f"training again does not reproduce {name} of {folder.name}: it began from a file, its "
                "settings were changed meanwhile, or its budget is in seconds. Animate it on the Train page."
            )
    return run


def _steps(run: Run) -> int:
    """Return the minibatches of all models together."""
    return sum(lane.training.step for lane in run.lanes.values())
