"""NVIL, neural variational inference and learning (Mnih and Gregor, 2014)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.baselines.sbn.optimiser import Arrays
from lrbn_viz.baselines.sbn.particles import Particles
from lrbn_viz.baselines.sbn.settings import PARTICLES, RECOGNITION_RATE
from lrbn_viz.baselines.sbn.system import Credit, RecognitionSystem, SBNState, Scalars
from lrbn_viz.fields import Integer, Real, declare, documented
from lrbn_viz.training.settings import NON_NEGATIVE
from lrbn_viz.validation import Interval


class Baseline(NamedTuple):
    """A network that foretells the learning signal of an image: ``v't + v0``, with ``t = tanh(U'x + u)``.

    Attributes
    ----------
    U : (n_v, n_units) float32
    u : (n_units,) float32
    v : (n_units,) float32
    v0 : (1,) float32
    """

    U: NDArray
    u: NDArray
    v: NDArray
    v0: NDArray

    def foretell(self, X: NDArray) -> tuple[NDArray, NDArray]:
        """Return the signal that is foretold of each image (n,), and the tanh units (n, n_units)."""
        units = np.tanh(X @ self.U + self.u)
        return units @ self.v + self.v0, units

    def gradient(self, X: NDArray, units: NDArray, along: NDArray) -> tuple[NDArray, ...]:
        """Return the gradient of ``sum_m along_m C(x_m)`` with respect to U, u, v and v0."""
        back = (1.0 - units**2) * self.v * along[:, None]
        return X.T @ back, back.sum(axis=0), units.T @ along, along.sum(keepdims=True)


@documented
@dataclass(frozen=True)
class NVILSystem(RecognitionSystem):
    """How NVIL trains: both networks go up the variational bound, the recognition network by its score.

    With ``l = log P(x, h) - log q(h | x)`` the generative network goes up ``grad log P(x, h)``, and the
    recognition network ``(l - C(x) - c) / max(1, sd) grad log q(h | x)``. Neither what is subtracted nor the
    divisor depends on h but through running means, so that the direction is right in expectation, and both
    make it less noisy: C(x) is a network that learns to foretell l, c the running mean of what is left, and
    sd the root of its running variance.

    Published: one particle, 100 tanh units, running means that keep 0.8, minibatches of 20.
    """

    n_particles: int = declare(PARTICLES, 1)
    recognition_rate: float = declare(RECOGNITION_RATE, 0.2)
    n_baseline: int = declare(
        Integer(
            "Baseline units",
            None,
            "Tanh units of the network that foretells the learning signal of an image; 0: no such network.",
            bounds=NON_NEGATIVE,
            form_most=10_000,
            fixed="The network is part of a run: begin a new one to change its size.",
        ),
        100,
    )
    smoothing: float = declare(
        Real(
            "Smoothing of the signal",
            None,
            "Share of the old in the running mean and variance of the learning signal.",
            bounds=Interval(0, 1, "both"),
        ),
        0.8,
    )

    def init_extra(self, n_v: int, rng: np.random.Generator) -> tuple[Arrays, Scalars]:
        """Return the baseline, small random weights under a layer of zeros, and running means of 0."""
        if not self.n_baseline:
            return (), (0.0, 0.0)
        U = math.sqrt(2.0 / (n_v + self.n_baseline)) * rng.standard_normal((n_v, self.n_baseline))
        zeros = (np.zeros(n, np.float32) for n in (self.n_baseline, self.n_baseline, 1))
        return (U.astype(np.float32), *zeros), (0.0, 0.0)

    def credit(self, state: SBNState, particles: Particles) -> Credit:
        """Return equal factors for the generative network, and the centred and scaled signal."""
        raw, n_each = particles.log_weights, self.n_particles
        left, baseline, units = raw, None, None
        if state.extra:
            baseline = Baseline(*state.extra)
            foretold, units = baseline.foretell(particles.X)
            left = raw - foretold[:, None]
        keep = self.smoothing
        centre = keep * state.running[0] + (1.0 - keep) * float(left.mean())
        spread = keep * state.running[1] + (1.0 - keep) * float(left.var())
        signal = (left - centre) / max(1.0, math.sqrt(spread))
        extra: Arrays = ()
        if baseline is not None and units is not None:
            along = (signal.mean(axis=1) / len(signal)).astype(np.float32)
            extra = baseline.gradient(particles.X, units, along)
        return Credit(
            np.full(raw.shape, 1.0 / n_each),
            signal / n_each,
            extra,
            (centre, spread),
            {"signal_variance": float((left - centre).var()), "signal_variance_raw": float(raw.var())},
        )
