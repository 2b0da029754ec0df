"""Annealed importance sampling of an RBM's partition function (Salakhutdinov and Murray 2008)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.lrbn.model import LOG_2PI, LRBNParams, Visible
from lrbn_viz.numerics import sigmoid, softplus


def partition_weights(
    params: LRBNParams,
    visible: Visible,
    betas: NDArray[np.float64],
    n_chains: int,
    rng: np.random.Generator,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.float64]:
    """Return the log weights of chains whose mean weight is Z; shape (n_chains,), nats.

    The model at beta has W and d scaled by beta; at 0 its visible units are independent, with offsets b, and
    its latents fair coins, so that Z is known.

    Parameters
    ----------
    betas : (n_temperatures + 1,) float64
        From 0 to 1, rising.
    """
    W, b, d = params
    n_v, n_h = W.shape
    if visible == "bernoulli":
        X = (rng.random((n_chains, n_v)) < sigmoid(b)).astype(np.float64)
        log_z0 = softplus(b).sum() + n_h * np.log(2.0)
    else:
        X = b + rng.standard_normal((n_chains, n_v))
        log_z0 = 0.5 * n_v * LOG_2PI + n_h * np.log(2.0)
    total = np.full(n_chains, log_z0)
    steps = len(betas) - 1
    for t in range(1, steps + 1):
        # log of the unnormalised P(x), latents summed out; the part that does not depend on beta cancels
        field = X @ W + d
        total += softplus(betas[t] * field).sum(axis=1) - softplus(betas[t - 1] * field).sum(axis=1)
        if t < steps:
            H = (rng.random(field.shape) < sigmoid(betas[t] * field)).astype(np.float64)
            a = betas[t] * (H @ W.T) + b
            if visible == "bernoulli":
                X = (rng.random(a.shape) < sigmoid(a)).astype(np.float64)
            else:
                X = a + rng.standard_normal(a.shape)
        if progress is not None:
            progress(t / steps)
    return total
