"""Annealed importance sampling of an RBM: of its partition function, and back from images (RAISE).

The model at beta has W and d scaled by beta. At 0 its visible units are independent, with offsets b, and its
latents fair coins, so that Z is known. Latents are summed out: a step of a chain draws them and then x, which
leaves P(x) at its beta as it is, whichever way the chain runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.baselines.rbm.model import Params, Visible, visible_term
from lrbn_viz.kernels.numerics import sigmoid, softplus


class _Path(NamedTuple):
    """The models between that at beta = 0 and the RBM."""

    params: Params
    visible: Visible

    def log_z0(self) -> float:
        """Return log Z at beta = 0, nats."""
        n_v, n_h = self.params.W.shape
        if self.visible == "bernoulli":
            return float(softplus(self.params.b).sum() + n_h * np.log(2.0))
        return 0.5 * n_v * np.log(2 * np.pi) + n_h * np.log(2.0)

    def field(self, X: NDArray) -> NDArray[np.float64]:
        """Return what beta scales: the log-odds of the latents, (n, n_h)."""
        return X @ self.params.W + self.params.d

    def draw(self, a: NDArray, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw x from activations a = W h + b, (n, n_v)."""
        if self.visible == "bernoulli":
            return (rng.random(a.shape) < sigmoid(a)).astype(np.float64)
        return a + rng.standard_normal(a.shape)

    def step(self, field: NDArray[np.float64], beta: float, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw latents from their log-odds at `beta`, and x from these."""
        H = (rng.random(field.shape) < sigmoid(beta * field)).astype(np.float64)
        return self.draw(beta * (H @ self.params.W.T) + self.params.b, rng)


def partition_weights(
    params: Params,
    visible: Visible,
    betas: NDArray[np.float64],
    n_chains: int,
    rng: np.random.Generator,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.float64]:
    """Return the log weights of chains whose mean weight is Z; shape (n_chains,), nats.

    Parameters
    ----------
    betas : (n_temperatures + 1,) float64
        From 0 to 1, rising.

    References
    ----------
    Salakhutdinov and Murray (2008), On the quantitative analysis of deep belief networks.
    """
    path = _Path(params, visible)
    X = path.draw(np.broadcast_to(params.b, (n_chains, len(params.b))), rng)
    total = np.full(n_chains, path.log_z0())
    steps = len(betas) - 1
    for t in range(1, steps + 1):
        # log of the unnormalised P(x), latents summed out; the part that does not depend on beta cancels
        field = path.field(X)
        total += softplus(betas[t] * field).sum(axis=1) - softplus(betas[t - 1] * field).sum(axis=1)
        if t < steps:
            X = path.step(field, betas[t], rng)
        if progress is not None:
            progress(t / steps)
    return total


def reverse_weights(
    params: Params,
    visible: Visible,
    X: NDArray[np.float64],
    betas: NDArray[np.float64],
    rng: np.random.Generator,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.float64]:
    """Return log weights whose mean weight is P(x) of the annealing model, a chain for each image; (n,) nats.

    The annealing model draws x at beta = 0 and moves it by one step at each beta, up to 1. With many
    temperatures it is close to the RBM. Chains run back from the images. The step at a beta leaves P(x) at
    this beta as it is, and run back it is the same step.

    Parameters
    ----------
    X : (n, n_v) float64
    betas : (n_temperatures + 1,) float64
        From 0 to 1, rising.

    References
    ----------
    Burda, Grosse and Salakhutdinov (2015), Accurate and conservative estimates of MRF log-likelihood using
    reverse annealing.
    """
    path = _Path(params, visible)
    steps = len(betas) - 1
    field = path.field(X)
    total = softplus(field).sum(axis=1) + visible_term(params, X, visible) - path.log_z0()
    for t in range(steps, 0, -1):
        field = path.field(path.step(field, betas[t], rng))
        total += softplus(betas[t - 1] * field).sum(axis=1) - softplus(betas[t] * field).sum(axis=1)
        if progress is not None:
            progress((steps - t + 1) / steps)
    return total
