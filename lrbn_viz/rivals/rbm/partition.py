"""Annealed importance sampling of an RBM: of its partition function, and back from images (RAISE).

The model at beta has W scaled by beta, and offsets between those of independent units at beta = 0, whose Z is
known, and the RBM's at beta = 1. The independent units have about the means of the RBM (:func:`start_of`), so
that chains start near its distribution. Latents are summed out: a step of a chain draws them and then x,
which leaves P(x) at its beta invariant, in both directions of the chain. If the variances of Gaussian
visibles are learned, x is divided by their roots, so that the whole path has unit variance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.rivals.rbm.model import (
    Params,
    Visible,
    deviations,
    log_volume,
    of_unit_variance,
    visible_term,
)
from lrbn_viz.rivals.rbm.sampling import gibbs

N_CHAINS, N_SWEEPS = 500, 100
"""Number of Gibbs chains that estimate the RBM's means, and of their sweeps. If they do not mix, annealing
begins further away; the bounds remain valid.
"""


class Start(NamedTuple):
    """Offsets of the independent units at beta = 0, for x as it is scaled on the path."""

    b: NDArray[np.float64]
    """(n_v,)"""
    d: NDArray[np.float64]
    """(n_h,), or (n, n_h) where each chain has latents of its own; nats."""


def start_of(params: Params, visible: Visible = "bernoulli") -> Start:
    """Return offsets of independent units whose means are about the RBM's own.

    They depend on the parameters only. Otherwise RAISE would evaluate a model that was fitted to the images
    of the evaluation.
    """
    rng = np.random.default_rng(0)
    coins = rng.integers(0, 2, (N_CHAINS, params.W.shape[1]), dtype=np.uint8)
    X, H = gibbs(of_unit_variance(params), coins, N_SWEEPS, rng, visible)
    b = _offsets(X) if visible == "bernoulli" else X.mean(axis=0, dtype=np.float64)
    return Start(b, _offsets(H))


def _offsets(states: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the log-odds of the means of (n, m) zeros and ones, with one of each added: none is infinite."""
    return logit((states.sum(axis=0, dtype=np.float64) + 1.0) / (len(states) + 2.0))


class _Path(NamedTuple):
    """The models between the independent units and the RBM."""

    params: Params
    visible: Visible
    start: Start

    def log_z0(self) -> NDArray[np.float64]:
        """Return log Z at beta = 0, nats: one number, or one for each chain."""
        b, d = self.start
        of_x = softplus(b).sum() if self.visible == "bernoulli" else 0.5 * len(b) * np.log(2 * np.pi)
        return of_x + softplus(d).sum(axis=-1)

    def offsets(self, beta: float) -> NDArray[np.float64]:
        """Return the offsets of the visibles at `beta`, (n_v,)."""
        return (1.0 - beta) * self.start.b + beta * self.params.b

    def field(self, X: NDArray) -> NDArray[np.float64]:
        """Return the log-odds of the latents at beta = 1, (n, n_h)."""
        return X @ self.params.W + self.params.d

    def log_odds(self, field: NDArray[np.float64], beta: float) -> NDArray[np.float64]:
        """Return the log-odds of the latents at `beta`, (n, n_h)."""
        return (1.0 - beta) * self.start.d + beta * field

    def log_p(self, X: NDArray, field: NDArray[np.float64], beta: float) -> NDArray[np.float64]:
        """Return the log of the unnormalised P(x) at `beta`, (n,) nats."""
        of_x = visible_term(self.offsets(beta), X, self.visible)
        return softplus(self.log_odds(field, beta)).sum(axis=1) + of_x

    def draw(self, a: NDArray, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw x from its activations, (n, n_v)."""
        if self.visible == "bernoulli":
            return (rng.random(a.shape) < sigmoid(a)).astype(np.float64)
        return a + rng.standard_normal(a.shape)

    def step(self, field: NDArray[np.float64], beta: float, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw latents at `beta`, and x from these."""
        H = (rng.random(field.shape) < sigmoid(self.log_odds(field, beta))).astype(np.float64)
        return self.draw(beta * (H @ self.params.W.T) + self.offsets(beta), rng)


def partition_weights(
    params: Params,
    visible: Visible,
    start: Start,
    betas: NDArray[np.float64],
    n_chains: int,
    rng: np.random.Generator,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.float64]:
    """Return the log weights of chains whose mean weight is Z; shape (n_chains,), nats.

    Parameters
    ----------
    params : Params
        Where its d is (n_chains, n_h), each chain has an RBM of its own, and its weight the mean Z of that.
    start : Start
        Any start is valid; chains from `start_of` start nearest to the RBM.
    betas : (n_temperatures + 1,) float64
        From 0 to 1, rising.

    References
    ----------
    Salakhutdinov and Murray (2008), On the quantitative analysis of deep belief networks.
    """
    path = _Path(of_unit_variance(params), visible, start)
    X = path.draw(np.broadcast_to(path.start.b, (n_chains, len(params.b))), rng)
    total = np.full(n_chains, path.log_z0() + log_volume(params))
    steps = len(betas) - 1
    for t in range(1, steps + 1):
        field = path.field(X)
        total += path.log_p(X, field, betas[t]) - path.log_p(X, field, betas[t - 1])
        if t < steps:
            X = path.step(field, betas[t], rng)
        if progress is not None:
            progress(t / steps)
    return total


def reverse_weights(
    params: Params,
    visible: Visible,
    start: Start,
    X: NDArray[np.float64],
    betas: NDArray[np.float64],
    rng: np.random.Generator,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.float64]:
    """Return log weights, one chain per image, whose mean weight is P(x) of the annealing model; (n,) nats.

    The annealing model draws x at beta = 0 and moves it by one step at each beta, up to 1. With many
    temperatures it is close to the RBM. Chains run back from the images. The step at a beta leaves P(x) at
    this beta invariant, and is reversible.

    Parameters
    ----------
    start : Start
        Any start that does not depend on X.
    X : (n, n_v) float64
    betas : (n_temperatures + 1,) float64
        From 0 to 1, rising.

    References
    ----------
    Burda, Grosse and Salakhutdinov (2015), Accurate and conservative estimates of MRF log-likelihood using
    reverse annealing.
    """
    path = _Path(of_unit_variance(params), visible, start)
    steps = len(betas) - 1
    s = deviations(params)
    X = X if s is None else X / s
    field = path.field(X)
    total = path.log_p(X, field, 1.0) - path.log_z0() - log_volume(params)
    for t in range(steps, 0, -1):
        X = path.step(field, betas[t], rng)
        field = path.field(X)
        total += path.log_p(X, field, betas[t - 1]) - path.log_p(X, field, betas[t])
        if progress is not None:
            progress((steps - t + 1) / steps)
    return total
