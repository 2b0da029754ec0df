"""NVIL, neural variational inference and learning (Mnih and Gregor, 2014)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import Integer, Real, declare, documented
from lrbn_viz.core.validation import Interval
from lrbn_viz.rivals.sbn.kernels import subtract_outer
from lrbn_viz.rivals.sbn.optimiser import Arrays
from lrbn_viz.rivals.sbn.particles import On, Particles, product_against, product_with
from lrbn_viz.rivals.sbn.settings import CENTRE_INPUTS, PARTICLES, RECOGNITION_RATE
from lrbn_viz.rivals.sbn.system import Credit, RecognitionSystem, SBNState, Scalars
from lrbn_viz.training.settings import NON_NEGATIVE


class Baseline(NamedTuple):
    """A network that predicts the learning signal of an image: ``v't + v0``, with ``t = tanh(U'x + u)``.

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

    def foretell(
        self, X: NDArray, on: On | None = None, centre: NDArray | None = None
    ) -> tuple[NDArray, NDArray]:
        """Return the predicted signal of each image (n,), and the tanh units (n, n_units).

        `on` lists where X is on, if it is listed. `centre` (n_v,) is subtracted from each image.
        """
        units = product_with(X, on, self.U, np.empty((len(X), self.U.shape[1]), self.U.dtype))
        units += self.u if centre is None else self.u - centre @ self.U
        np.tanh(units, out=units)
        return units @ self.v + self.v0, units

    def gradient(
        self,
        X: NDArray,
        units: NDArray,
        along: NDArray,
        on: On | None = None,
        centre: NDArray | None = None,
    ) -> tuple[NDArray, ...]:
        """Return the gradient of ``sum_m along_m C(x_m)`` with respect to U, u, v and v0."""
        back = (1.0 - units**2) * self.v * along[:, None]
        along_U = product_against(X, on, back, np.empty(self.U.shape, self.U.dtype))
        if centre is not None:
            subtract_outer(along_U, centre, back.sum(axis=0))
        return along_U, back.sum(axis=0), units.T @ along, along.sum(keepdims=True)


@documented
@dataclass(frozen=True)
class NVILSystem(RecognitionSystem):
    """Training by NVIL: both networks ascend the variational bound, the recognition network by its score.

    With ``l = log P(x, h) - log q(h | x)`` the generative network ascends ``grad log P(x, h)``, and the
    recognition network ``(l - C(x) - c) / max(1, sd) grad log q(h | x)``. The baseline C(x) + c and the
    divisor depend on h through running means only, so that the gradient is unbiased but for its scale, and
    both reduce its variance: C(x) is a network that predicts l, c the running mean of the residual, and sd
    the square root of its running variance.

    Each of two layers has its own signal, baseline and running means: ``l2 = log P(h1, h2) - log q(h2 | h1)``
    contains all terms of l that depend on the upper latents, and their baseline predicts it from h1.
    With centred inputs the mean of the minibatch is subtracted from the inputs of a baseline; it does not
    depend on the latents of that layer. The recognition network of the images learns in the same way; its
    offsets are stored for images that are not centred.

    The published settings are one particle, 100 tanh units, running means with decay rate 0.8, minibatches
    of 20, and a fifth of the learning rate for the recognition network.
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
    centre_inputs: bool = declare(
        CENTRE_INPUTS,
        False,
        help="The recognition network and the baseline learn from each image less the mean of its minibatch.",
        details="As published. Where many pixels are on, the steps of all weights of a unit agree.",
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

    def init_baseline(self, n_v: int, rng: np.random.Generator) -> tuple[Arrays, Scalars]:
        """Return each layer's baseline, small random weights under zeros, and running means of 0."""
        below = (n_v, *self.sizes[:-1])  # numbers of units that predict each layer
        running = len(below) * (0.0, 0.0)
        arrays: list[NDArray[np.float32]] = []
        for n in below if self.n_baseline else ():
            U = math.sqrt(2.0 / (n + self.n_baseline)) * rng.standard_normal((n, self.n_baseline))
            zeros = (np.zeros(size, np.float32) for size in (self.n_baseline, self.n_baseline, 1))
            arrays += [U.astype(np.float32), *zeros]
        return tuple(arrays), running

    def credit(self, state: SBNState, particles: Particles) -> Credit:
        """Return equal factors for the generative network, and the centred and scaled signal of each layer.

        Figures describe the lowest layer's signal, which is l itself.
        """
        n_each, stack = self.n_particles, particles.layers
        arrays = state.baseline
        baselines = [Baseline(*arrays[first : first + 4]) for first in range(0, len(arrays), 4)]
        found: list[_Signal] = []
        for depth, drawn in enumerate(stack):
            baseline = baselines[depth] if baselines else None
            running = state.signal_means[2 * depth : 2 * depth + 2]
            found.append(self._signal(drawn, baseline, running, self._kept(state.n_steps)))
        (_, n_particles), lowest = particles.log_weights.shape, found[0]
        shares = [each.signal.reshape(-1, n_particles) / n_each for each in found]
        return Credit(
            np.full(particles.log_weights.shape, 1.0 / n_each),
            shares[0],
            tuple(array for each in found for array in each.baseline),
            tuple(number for each in found for number in each.signal_means),
            {"signal_variance": lowest.variance, "signal_variance_raw": float(particles.log_weights.var())},
            tuple(shares[1:]),
        )

    def _kept(self, n_steps: int) -> float:
        """Return the share of the old value in the running means after so many steps.

        At first they are plain means: if they started at 0, the signal would stay far from 0 for dozens of
        steps, each of which drives the recognition network away from its own draws. With a share of 1 they do
        not change.
        """
        return self.smoothing if self.smoothing == 1.0 else min(self.smoothing, n_steps / (n_steps + 1))

    def _signal(
        self, particles: Particles, baseline: Baseline | None, running: Scalars, keep: float
    ) -> _Signal:
        """Return the learning signal of one layer, and the gradient of the baseline that predicts it.

        `keep` is the share of the old value in the running means.
        """
        left, units = particles.log_weights, None
        mean: NDArray | None = None
        if baseline is not None:
            # of this minibatch only: no running mean is stored, and the baseline still does not depend on the
            # latents
            mean = particles.X.mean(axis=0) if self.centre_inputs else None
            foretold, units = baseline.foretell(particles.X, particles.on, mean)
            left = left - foretold[:, None]
        centre = keep * running[0] + (1.0 - keep) * float(left.mean())
        spread = keep * running[1] + (1.0 - keep) * float(left.var())
        signal = (left - centre) / max(1.0, math.sqrt(spread))
        gradients: Arrays = ()
        if baseline is not None and units is not None:
            along = (signal.mean(axis=1) / len(signal)).astype(np.float32)
            gradients = baseline.gradient(particles.X, units, along, particles.on, mean)
        return _Signal(signal, gradients, (centre, spread), float((left - centre).var()))


class _Signal(NamedTuple):
    """Learning signal (n, K) of one layer, the baseline's gradients, new running means, and its variance."""

    signal: NDArray
    baseline: Arrays
    signal_means: Scalars
    variance: float
