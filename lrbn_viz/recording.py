"""What is kept of a run while it goes on: curves of its figures, its states, and probes of how it does."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.history import Curve, History
from lrbn_viz.system import System
from lrbn_viz.trace import FitStep
from lrbn_viz.training import Snapshot, Training

N_SHOWN = 8
"""Images whose reconstructions, and samples of the model, that a probe carries."""


class Probe(NamedTuple):
    """How a model does at one moment, on held-out images; nothing in it changes the run.

    Attributes
    ----------
    step : int
        Minibatches that the model had seen.
    figures : dict
        ``wrong_pixels`` and ``wrong_pixels_factorised``, means per image, of the reconstruction from the
        model's own inference and from one pass over units that ignore each other (squared distance for
        Gaussian units); ``dead_units``, those on for none of the images.
    usage : (n_h,) float64
        Share of the images for which each unit is on.
    latents : (n_shown, n_h) uint8
        Latent states of the first images.
    reconstructions : (n_shown, n_v) float64
        Means of x given these.
    samples : (n_shown, n_v)
        Drawn from the model.
    """

    step: int
    figures: dict[str, float]
    usage: NDArray[np.float64]
    latents: NDArray[np.uint8]
    reconstructions: NDArray[np.float64]
    samples: NDArray[Any]


def probe(system: System[Any], state: Any, step: int, X: NDArray, seed: int = 0) -> Probe:
    """Ask a model about images; equal arguments give equal answers.

    Parameters
    ----------
    X : (n, n_v)
        Held-out images, the shown ones first.
    seed : int
        Of the samples.
    """
    H = system.encode(state, X)
    mean = system.decode(state, H)
    naive = system.decode(state, system.encode_factorised(state, X))
    figures = {
        "wrong_pixels": float(_errors(mean, X).mean()),
        "wrong_pixels_factorised": float(_errors(naive, X).mean()),
        "dead_units": float((~H.any(axis=0)).sum()),
    }
    samples = system.sample(state, N_SHOWN, np.random.default_rng(seed))
    return Probe(step, figures, H.mean(axis=0), H[:N_SHOWN], mean[:N_SHOWN], samples)


def _errors(mean: NDArray, X: NDArray) -> NDArray:
    """Wrong pixels of each image, or the squared distance where images are real-valued."""
    if X.dtype.kind == "f":
        return np.square(X - mean).sum(axis=1)
    return ((mean > 0.5) != (X > 0.5)).sum(axis=1)


class LaneRecord:
    """The record of one of the runs that go side by side.

    Parameters
    ----------
    training : Training
        The run.
    images : (n, n_v)
        Held-out images for probes.
    budget : int
        Bytes that kept states may take.
    every : int
        Steps between two kept states at first.

    Attributes
    ----------
    curves : dict from a figure's name to its Curve
        Those of probes begin with ``probe_``; ``seconds`` is the time spent.
    history : History
    probe : Probe
        The latest.
    error : Exception or None
        What ended the run before its budget.
    """

    def __init__(self, training: Training, images: NDArray, budget: int, every: int = 10) -> None:
        self.training, self.images = training, images
        self.curves: dict[str, Curve] = {}
        self.history = History(budget, every)
        self.history.add(training.snapshot())
        self.error: Exception | None = None
        self._measured: Collection[str] = ()
        self.probe = probe(training.system, training.state, training.step, images)
        self._probed = training.state  # not its step: the average that ends a run has the last step's

    def add(self, event: FitStep) -> None:
        """Take in one step."""
        for name, value in event.metrics.items():
            self._curve(name).add(event.step, value)
        self._curve("seconds").add(event.step, event.seconds)
        self._measured = event.metrics.keys()
        if self.history.wants(self.training.step):
            self.history.add(self.training.snapshot())

    def look(self) -> None:
        """Probe the model as it is now."""
        run = self.training
        if self._probed is not run.state:
            # only some systems measure it at each step; there is no step yet where a run was taken up
            if "gradient_norm" not in self._measured and run.before is not run.state:
                norm = run.acting.gradient_norm(run.before, run.state)
                self._curve("gradient_norm").add(run.step, norm)
            self.probe = probe(run.system, run.state, run.step, self.images)
            self._probed = run.state
            for name, value in self.probe.figures.items():
                self._curve(f"probe_{name}").add(run.step, value)

    def _curve(self, name: str) -> Curve:
        return self.curves.setdefault(name, Curve())

    def moment(self, step: int) -> tuple[Any, Probe]:
        """Return the kept state nearest before a step, and its probe."""
        snapshot = self.history.at(step)
        return snapshot.state, probe(self.training.system, snapshot.state, snapshot.step, self.images)

    def go_back(self, step: int) -> int:
        """Make the run go on from the kept state nearest before `step`; returns that state's step."""
        snapshot = self.history.at(step)
        self.training.restore(snapshot)
        self.history.cut(snapshot.step)
        for curve in self.curves.values():
            curve.cut(snapshot.step)
        self.error = None
        self.look()
        return snapshot.step

    def arrays(self) -> dict[str, NDArray]:
        """Return the curves as arrays that :meth:`resume` reads."""
        return {name: curve.to_array() for name, curve in self.curves.items()}

    def resume(self, snapshot: Snapshot, arrays: Mapping[str, NDArray]) -> None:
        """Go on from a snapshot, with the curves that `arrays` returned; older states are not kept."""
        self.training.restore(snapshot)
        self.curves = {name: Curve.from_array(array) for name, array in arrays.items()}
        self.history = History(self.history.budget, self.history.every)
        self.history.add(snapshot)
        self.look()

    @property
    def seconds_left(self) -> float:
        """Estimate of the time that the rest of its budget takes, seconds; not-a-number before the first
        step.
        """
        share = self.training.progress
        return self.training.seconds * (1.0 - share) / share if share > 0 else math.nan
