"""Parallel tempering: chains of an RBM at several temperatures, which exchange their states.

The model at inverse temperature beta has W and d scaled by beta, and the RBM's own variances. At 0 its units
are independent, so that a chain forgets its state in one sweep; at 1 it is the RBM. A state that was found at
a high temperature reaches the RBM's own chain by exchanges, which therefore visits modes between which Gibbs
sampling would hardly ever move.

References
----------
G. Desjardins, A. Courville, Y. Bengio, P. Vincent and O. Delalleau (2010). Parallel tempering for training
of restricted Boltzmann machines. AISTATS.
K. Cho, T. Raiko and A. Ilin (2010). Parallel tempering is efficient for learning restricted Boltzmann
machines. IJCNN.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lrbn_viz.kernels.numerics import fixed
from lrbn_viz.rivals.rbm import kernels
from lrbn_viz.rivals.rbm.model import Params, Visible
from lrbn_viz.rivals.rbm.sampling import (
    Noise,
    arrays_of,
    draw,
    gaussian_fields,
    keys_for,
    noise_of,
    sample_gaussian,
    threads_for,
)


def tempered_sweeps(
    params: Params,
    H: NDArray[np.uint8],
    n_temperatures: int,
    n_sweeps: int,
    rng: np.random.Generator,
    visible: Visible = "bernoulli",
) -> tuple[NDArray, NDArray[np.uint8], float]:
    """Sweep all chains, then exchange neighbours; `n_sweeps` times.

    Parameters
    ----------
    H : (n_temperatures * n, n_h) uint8
        Latents of n chains at beta = 1, then of n at each smaller beta; the last are at 0. Betas are evenly
        spaced.

    Returns
    -------
    V : (n, n_v) uint8, or float32 for Gaussian visibles
        The visibles of the chains at beta = 1.
    H : (n_temperatures * n, n_h) uint8
        As the argument.
    swapped : float
        Share of the proposed exchanges that were made.
    """
    W, b, d = arrays_of(params)
    betas = np.linspace(1.0, 0.0, n_temperatures, dtype=np.float32)
    shape = (n_temperatures, len(H) // n_temperatures)
    V, swapped = np.empty(0), 0.0
    noise = noise_of(params)
    for _ in range(n_sweeps):
        with np.errstate(over="ignore", invalid="ignore"):  # a diverging step raises its own error
            V, fields, H = _sweep(W, b, d, noise, H.reshape(*shape, -1), betas, rng, visible)
            # the part of log p(x, h) that beta scales: h'(W'x + d)
            scaled = (H * fields).sum(axis=1, dtype=np.float64).reshape(shape)
        order, share = exchanges(scaled, betas, rng)
        rows = (order * shape[1] + np.arange(shape[1])).reshape(-1)
        V, H = V[rows[: shape[1]]], H[rows]
        swapped += share / n_sweeps
    return V, H, swapped


def _sweep(
    W: NDArray[np.float32],
    b: NDArray[np.float32],
    d: NDArray[np.float32],
    noise: Noise,
    H: NDArray[np.uint8],
    betas: NDArray[np.float32],
    rng: np.random.Generator,
    visible: Visible,
) -> tuple[NDArray, NDArray[np.float32], NDArray[np.uint8]]:
    """Draw x given h and h given x of every chain: (all chains, n_v), W'x + d, (all chains, n_h)."""
    n_all = H.shape[0] * H.shape[1]
    rows = np.repeat(betas, H.shape[1])[:, None]
    if visible == "gaussian":
        V = np.concatenate(
            [sample_gaussian(beta * W, b, h, rng, noise.s) for beta, h in zip(betas, H, strict=True)]
        )
        fields = gaussian_fields(noise.weighted(W), d, V)
        return V, fields, draw(expit(rows * fields), rng)
    keys = keys_for(len(betas) + 1, rng)
    with threads_for(n_all, W, "tempered chains") as threads:
        V = np.concatenate(
            [
                kernels.sample_visible(beta * W, b, h, key, threads)
                for beta, h, key in zip(betas, H, keys[:-1], strict=True)
            ]
        )
        fields = kernels.latent_fields(W, d, fixed(V), threads)
        return V, fields, kernels.sample_bernoulli(expit(rows * fields), keys[-1], threads)


def exchanges(
    scaled: NDArray[np.float64], betas: NDArray[np.floating], rng: np.random.Generator
) -> tuple[NDArray[np.int64], float]:
    """Propose to exchange the states of neighbouring temperatures, the hottest first (Metropolis-Hastings).

    Parameters
    ----------
    scaled : (n_temperatures, n) float64
        The part of the log probability of each chain's state that beta scales, nats.
    betas : (n_temperatures,)
        Falling.

    Returns
    -------
    order : (n_temperatures, n) int64
        The temperature whose state each chain now has.
    share : float
        Share of the exchanges that were made.
    """
    scaled = scaled.copy()
    n_temperatures, n = scaled.shape
    order = np.tile(np.arange(n_temperatures)[:, None], n)
    made = 0
    for hot in range(n_temperatures - 1, 0, -1):
        cold = hot - 1
        log_ratio = float(betas[cold] - betas[hot]) * (scaled[hot] - scaled[cold])
        go = np.flatnonzero(np.log1p(-rng.random(n)) < log_ratio)
        for array in (scaled, order):
            array[cold, go], array[hot, go] = array[hot, go], array[cold, go]
        made += len(go)
    return order, made / max(1, n * (n_temperatures - 1))
