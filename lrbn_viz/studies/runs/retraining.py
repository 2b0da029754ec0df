"""The run of a folder, trained once more from its beginning."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lrbn_viz.datasets import Dataset, load_dataset
from lrbn_viz.studies.runs.run import Run
from lrbn_viz.studies.runs.stored import read_run_file

_POLL_SECONDS = 0.05


def trained_again(
    folder: str | os.PathLike[str],
    load: Callable[..., Dataset] = load_dataset,
    progress: Callable[[int, int], object] | None = None,
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
