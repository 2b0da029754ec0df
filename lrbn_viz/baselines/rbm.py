"""Restricted Boltzmann machines behind the System protocol: training by CD and PCD, and Gibbs sampling.

The formulas are in :mod:`~lrbn_viz.baselines.rbm_model` and offered here too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.baselines.rbm_model import (
    MAX_ENUMERATED,
    Params,
    Visible,
    free_energy,
    log_joint,
    log_odds,
    log_partition,
    map_trace,
    posterior,
    visible_mean,
)
from lrbn_viz.baselines.rbm_sampling import Ascent, climb, gibbs
from lrbn_viz.numerics import softplus

__all__ = [
    "MAX_ENUMERATED",
    "Params",
    "RBMState",
    "RBMSystem",
    "Visible",
    "free_energy",
    "gibbs",
    "log_joint",
    "log_odds",
    "log_partition",
    "map_trace",
    "posterior",
    "visible_mean",
]

Method = Literal["pcd", "cd"]


class RBMState(NamedTuple):
    """Parameters and chains of an RBM in training; never modified after creation."""

    W: NDArray[np.float32]
    """(n_v, n_h) weights."""
    b: NDArray[np.float32]
    """(n_v,) visible biases."""
    d: NDArray[np.float32]
    """(n_h,) latent biases."""
    particles: NDArray[np.uint8]
    """(n_particles, n_h) latents of the persistent chains."""
    n_steps: int
    """Gradient steps taken."""


@dataclass(frozen=True)
class RBMSystem:
    """How an RBM is trained: gradient ascent on log P(x), the model's part estimated by Gibbs chains.

    Parameters
    ----------
    n_h : int
        Number of latents.
    visible : {"bernoulli", "gaussian"}
        Kind of visibles. Gaussian ones have unit variance: give standardised data.
    method : {"pcd", "cd"}
        Persistent chains (Tieleman 2008), or chains started at the data in every step (Hinton 2002).
    n_gibbs : int
        Block Gibbs sweeps per step.
    learning_rate : float
        Step size for the mean gradient of a batch. Gaussian visibles want about a tenth of the Bernoulli's.
    decay_steps : float
        The step size is ``learning_rate / (1 + t / decay_steps)`` after t steps. Infinite: constant.
    weight_decay : float
        Each step shrinks W by the step size times this (L2).
    n_particles : int
        Number of persistent chains; `method="cd"` uses as many as the batch has rows.
    n_sample_sweeps : int
        Gibbs sweeps from the persistent chains to a returned sample.
    """

    n_h: int = 200
    visible: Visible = "bernoulli"
    method: Method = "pcd"
    n_gibbs: int = 1
    learning_rate: float = 0.05
    decay_steps: float = np.inf
    weight_decay: float = 0.0
    n_particles: int = 20
    n_sample_sweeps: int = 200

    def __post_init__(self) -> None:
        for name in ("n_h", "n_gibbs", "n_particles", "n_sample_sweeps"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
                raise TypeError(f"{name} must be an integer, got {value!r}")
            if value < 1:
                raise ValueError(f"{name} must be at least 1, got {value}")
        if self.visible not in ("bernoulli", "gaussian"):
            raise ValueError(f'visible must be "bernoulli" or "gaussian", got {self.visible!r}')
        if self.method not in ("pcd", "cd"):
            raise ValueError(f'method must be "pcd" or "cd", got {self.method!r}')
        if not 0 < self.learning_rate < np.inf:
            raise ValueError(f"learning_rate must be positive and finite, got {self.learning_rate}")
        if not self.decay_steps > 0:
            raise ValueError(
                f"decay_steps must be positive (infinite for a constant rate), got {self.decay_steps}"
            )
        if not 0 <= self.weight_decay < np.inf:
            raise ValueError(f"weight_decay must be at least 0 and finite, got {self.weight_decay}")

    def init(self, X: NDArray, rng: np.random.Generator) -> RBMState:
        """Return small random weights, visible biases that fit the mean of X alone, and random chains."""
        X = self._checked(X)
        if self.visible == "bernoulli":  # one on and one off image added, so that constant pixels stay finite
            p = (X.sum(0, dtype=np.uint32) + 1.0) / (len(X) + 2)
            mean = np.log(p) - np.log1p(-p)
        else:
            mean = X.mean(0, dtype=np.float64)
        return RBMState(
            W=(0.01 * rng.standard_normal((X.shape[1], self.n_h))).astype(np.float32),
            b=mean.astype(np.float32),
            d=np.zeros(self.n_h, np.float32),
            particles=self._random_particles(self.n_h, rng),
            n_steps=0,
        )

    def resume(self, params: Params, rng: np.random.Generator) -> RBMState:
        """Return a state with given parameters and random chains, to sample from or to train further."""
        W, b, d = (np.array(p, np.float32) for p in (params.W, params.b, params.d))
        return RBMState(W, b, d, self._random_particles(W.shape[1], rng), n_steps=0)

    def _random_particles(self, n_h: int, rng: np.random.Generator) -> NDArray[np.uint8]:
        return rng.integers(0, 2, (self.n_particles, n_h), dtype=np.uint8)

    def step(
        self, state: RBMState, batch: NDArray, rng: np.random.Generator
    ) -> tuple[RBMState, dict[str, float]]:
        """Return the state after one gradient step, and its metrics.

        Metrics: the step's ``learning_rate``; ``activity`` and ``fantasy_activity``, the mean P(h_j = 1 |
        x) over the batch and over the chains, which agree in a model that fits.

        Raises
        ------
        FloatingPointError
            If a parameter is no longer finite.
        """
        X = self._checked(batch, n_v=state.W.shape[0])
        rate = self.learning_rate / (1.0 + state.n_steps / self.decay_steps)
        how = Ascent(self.method == "pcd", self.n_gibbs, rate, keep=1.0 - rate * self.weight_decay)
        after = climb(state, X, state.particles, how, rng, self.visible)
        if not math.isfinite(after.total):
            raise FloatingPointError(
                f"a parameter is not finite after step {state.n_steps + 1}, learning rate {rate:.3g}; use a "
                f"smaller learning rate{'' if self.visible == 'bernoulli' else ' and standardised data'}"
            )
        metrics = {
            "learning_rate": rate,
            "activity": float(after.activity),
            "fantasy_activity": float(after.fantasy_activity),
        }
        return RBMState(after.W, after.b, after.d, after.particles, state.n_steps + 1), metrics

    def validate(self, state: RBMState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return figures on held-out images, of which ``score`` is to be high.

        ``reconstruction_error``: wrong pixels per image (squared distance for Gaussian visibles) of the
        mean given the MAP state. ``score``: for Bernoulli visibles the pseudo-log-likelihood in nats per
        image, ``sum_i log P(x_i | all other pixels)``, estimated from one random pixel of each image; for
        Gaussian ones minus the reconstruction error.
        """
        X = self._checked(X, n_v=state.W.shape[0])
        mean = visible_mean(state, log_odds(state, X) > 0, self.visible)
        if self.visible == "gaussian":
            error = float(np.square(X - mean).sum(1).mean())
            return {"score": -error, "reconstruction_error": error}
        flipped = X.copy()
        flipped[np.arange(len(X)), rng.integers(0, X.shape[1], len(X))] ^= 1
        pixel = -softplus(free_energy(state, X) - free_energy(state, flipped))
        return {
            "score": float(X.shape[1] * pixel.mean()),
            "reconstruction_error": float(((mean > 0.5) != X).sum(1).mean()),
        }

    def encode(self, state: Params, X: NDArray) -> NDArray[np.uint8]:
        """Return the exact MAP state of each row of X, (n, n_h) uint8."""
        return (log_odds(state, self._checked(X, n_v=state.W.shape[0])) > 0).astype(np.uint8)

    def encode_factorised(self, state: Params, X: NDArray) -> NDArray[np.uint8]:
        """Return the same: given x an RBM's latents do not depend on each other."""
        return self.encode(state, X)

    def gradient_norm(self, before: RBMState, after: RBMState) -> float:
        """Return the size of one step's change of all parameters, per unit of learning rate."""
        rate = self.learning_rate / (1.0 + before.n_steps / self.decay_steps)
        old, new = (np.concatenate([s.W.ravel(), s.b, s.d]) for s in (before, after))
        return float(np.linalg.norm(new - old)) / rate

    def decode(self, state: Params, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of H, (n, n_v)."""
        H = np.asarray(H)
        if H.ndim != 2 or H.shape[1] != state.W.shape[1]:
            raise ValueError(
                f"H has shape {H.shape}; expected (n, {state.W.shape[1]}), one row of latents per image"
            )
        return visible_mean(state, H, self.visible)

    def sample(self, state: RBMState, n: int, rng: np.random.Generator) -> NDArray:
        """Return `n` draws of x, (n, n_v): uint8 for Bernoulli visibles, else float64.

        Each ends its own Gibbs chain of `n_sample_sweeps` sweeps, begun at a persistent chain picked at
        random, so draws are only as good as these chains have mixed.
        """
        if n < 1:
            raise ValueError(f"n must be at least 1, got {n}")
        H = state.particles[rng.integers(0, len(state.particles), n)]
        X = gibbs(state, H, self.n_sample_sweeps, rng, self.visible)[0]
        return X if self.visible == "bernoulli" else X.astype(np.float64)

    def _checked(self, X: NDArray, n_v: int | None = None) -> NDArray:
        """Return X as (n, n_v) contiguous uint8 in {0, 1}, or float32 for Gaussian visibles."""
        X = np.asarray(X)
        if X.ndim != 2 or 0 in X.shape:
            raise ValueError(
                f"X has shape {X.shape}; expected (n, n_v), one flattened image per row, at least one"
            )
        if n_v is not None and X.shape[1] != n_v:
            raise ValueError(
                f"X has {X.shape[1]} columns but the model has n_v = {n_v}; pass one flattened image per row"
            )
        if X.dtype.kind not in "biuf":
            raise TypeError(f"X has dtype {X.dtype}; expected numbers")
        if self.visible == "gaussian":
            if not np.isfinite(X).all():
                raise ValueError(
                    "X holds NaN or infinity; expected finite numbers: fill or drop missing pixels"
                )
            return np.ascontiguousarray(X, np.float32)
        binary = X.dtype == bool or (X.max() <= 1 if X.dtype == np.uint8 else bool(np.isin(X, (0, 1)).all()))
        if not binary:
            raise ValueError('X holds values other than 0 and 1; threshold it, or use visible="gaussian"')
        return np.ascontiguousarray(X, np.uint8)
