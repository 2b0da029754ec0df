"""Work of one worker: train a model for a while, continue later, and measure it on held-out images."""

from __future__ import annotations

import math
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import Model
from lrbn_viz.datasets import load_dataset
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.kernels.clock import cpu_seconds_without_compiling
from lrbn_viz.measure import log_likelihood, reconstruction_error
from lrbn_viz.studies.reproduce.split import SEED
from lrbn_viz.studies.sweep.space import Space, passes_at
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import fingerprint, load_checkpoint, save_checkpoint

REHEARSED = 4
"""Steps before a trial, so that a model of several stages is in each of them."""


class Images(NamedTuple):
    """The training images of a data set in two parts, and a checksum that identifies them."""

    train_X: NDArray
    validation_X: NDArray
    known: str


class Work(NamedTuple):
    """Work to be done for one trial.

    Attributes
    ----------
    space : Space
    settings : dict
        Settings of this trial.
    share : float
        How much of the budget of a model that is trained to the end, above 0 to 1.
    checkpoint : bytes or None
        Where an earlier part of it ended; None: it begins.
    images : str
        The sum over the images; a worker that has others refuses.
    """

    space: Space
    settings: dict[str, Any]
    share: float
    checkpoint: bytes | None
    images: str


class Outcome(NamedTuple):
    """Result of this work.

    Attributes
    ----------
    figures : dict
        JSON values: ``reason`` (why there is no model; empty where there is one), ``objective`` and its
        ``standard error``, ``passes`` and ``CPU seconds`` of training.
    checkpoint : bytes
        Where it ended; empty where nothing can go on.
    model : bytes
        The model as a file; empty before the end of the budget.
    """

    figures: dict[str, Any]
    checkpoint: bytes = b""
    model: bytes = b""


@lru_cache(maxsize=2)
def images_of(dataset: str, binary: bool, n: int) -> Images:
    """Hold out images of a data set's training images, at random by a fixed seed; test images stay unseen.

    Parameters
    ----------
    dataset : str
    binary : bool
    n : int
        How many; at most a fifth of all.
    """
    X = load_dataset(dataset, binary=binary).train_X
    order = np.random.default_rng(SEED).permutation(len(X))
    n = min(n, len(X) // 5)
    return Images(X[order[n:]], X[order[:n]], fingerprint(X[order]))


def attempt(work: Work) -> Outcome:
    """Train and measure; errors of the model become its result.

    Raises
    ------
    OSError
        The images are not there (DataFileError), or the disk is full: no result, as it is not the settings'.
    ValueError
        The worker has other images.
    """
    space = work.space
    images = images_of(space.dataset, space.binary, space.validation_images)
    if images.known != work.images:
        raise ValueError(
            f"expected the images of {space.dataset} that the sweep began with, got others on a worker; give "
            "all workers the same files."
        )
    try:
        return _done(work, images)
    except FloatingPointError as error:
        return Outcome({"reason": f"training diverged: {error}"})
    except OSError:
        raise
    except Exception as error:
        return Outcome({"reason": f"{type(error).__name__}: {error}"})


def _done(work: Work, images: Images) -> Outcome:
    space = work.space
    model = space.estimator(work.settings)
    _rehearse(model, images.train_X)
    training: Training[Any] = Training(
        model.make_system(),
        images.train_X,
        n_iter=model.n_iter,
        batch_size=model.batch_size,
        rng=np.random.default_rng(model.random_state),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trial"
        spent = 0.0
        if work.checkpoint:
            path.write_bytes(work.checkpoint)
            found = load_checkpoint(path)
            training.restore(found.snapshot("run", training.state))
            spent = float(found.config["CPU seconds"])
        spent = _go_on(training, space, work.share, spent)
        model.adopt(training.state)
        value, error = measured(model, space, images.validation_X)
        figures = {"reason": "", "passes": training.passes, "CPU seconds": spent}
        if not math.isfinite(value):
            return Outcome({**figures, "reason": f"training diverged: {space.objective} is {value}"})
        figures |= {"objective": value, "standard error": error}
        if work.share < 1.0:
            save_checkpoint(path, {"run": training}, {"CPU seconds": spent})
            return Outcome(figures, checkpoint=path.read_bytes())
        told = {"settings": work.settings, "sweep": space.to_json(), **figures}
        model.save(path, provenance=told)
        return Outcome(figures, model=path.read_bytes())


def _rehearse(model: LatentModel, X: NDArray) -> None:
    """Make a few steps for nothing: kernels are compiled then, and not in the seconds of a trial."""
    few, rng = X[: model.batch_size], np.random.default_rng(0)
    for _ in Training(model.make_system(), few, n_iter=REHEARSED, batch_size=len(few), rng=rng):
        pass


def _go_on(training: Training[Any], space: Space, share: float, spent: float) -> float:
    """Train to a share of the budget; return the CPU seconds that this trial has taken by then."""
    passes = math.inf if space.passes is None else passes_at(space.passes, share)
    seconds = math.inf if space.cpu_seconds is None else space.cpu_seconds * share
    while spent < seconds and (training.passes < passes or share == 1.0):
        began = cpu_seconds_without_compiling()
        ended = next(training, None) is None
        spent += cpu_seconds_without_compiling() - began
        if ended:
            break
    return spent


def measured(model: Model, space: Space, X: NDArray) -> tuple[float, float]:
    """Return the objective of a model, the mean over images, and its standard error."""
    if space.objective == "reconstruction_error":
        errors = reconstruction_error(model, X)
        return float(errors.mean()), float(errors.std(ddof=1) / math.sqrt(len(errors)))
    method: Any = "ais" if "ais" in model.likelihoods else "importance"
    found = log_likelihood(
        model, X, method=method, n_temperatures=space.temperatures, random_state=space.seed
    )
    return found.mean, found.standard_error
