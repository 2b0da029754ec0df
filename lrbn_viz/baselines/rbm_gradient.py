"""Compiled training step of the Bernoulli RBM: from a batch to new parameters, in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.baselines.rbm_kernels import (
    INNER,
    PARALLEL,
    ROWS,
    SERIAL,
    ZERO,
    add_rows,
    latent_means,
    list_ones,
    sample_bernoulli,
    sample_visible,
)


@njit(**INNER)
def _scale_rows(
    rows: NDArray[np.float32], factor: np.float32, out: NDArray[np.float32], total: NDArray[np.float32]
) -> None:
    """Write ``factor * rows`` to `out` and add its rows to `total`, both in place."""
    for m in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            out[m, j] = factor * rows[m, j]
            total[j] += out[m, j]


@njit(**INNER)
def _ascend_row(
    old: NDArray[np.float32],
    keep: np.float32,
    gains: NDArray[np.float32],
    which: NDArray[np.int64],
    count: int,
    out: NDArray[np.float32],
) -> np.float32:
    """Write ``keep * old + sum of gains[which[:count]]`` to `out`, in place, and return its sum."""
    for j in range(out.shape[0]):
        out[j] = keep * old[j]
    add_rows(gains, which, count, out)
    total = ZERO
    for j in range(out.shape[0]):
        total += out[j]
    return total


@njit(**PARALLEL)
def ascend(
    W: NDArray[np.float32],
    b: NDArray[np.float32],
    d: NDArray[np.float32],
    X: NDArray[np.uint8],
    V: NDArray[np.uint8],
    data_means: NDArray[np.float32],
    fantasy_means: NDArray[np.float32],
    rate: np.float32,
    keep: np.float32,
) -> tuple[NDArray, NDArray, NDArray, float, float, float]:
    """Return new W, b and d after one step of size `rate` up the gradient; nothing is modified in place.

    The gradient is the mean of (x h', x, h) over the data minus that over the fantasies, h being the means.

    Parameters
    ----------
    X, V : (n, n_v), (n_fantasy, n_v) uint8
        Data and fantasies, 0 or 1.
    data_means, fantasy_means : (n, n_h), (n_fantasy, n_h) float32
        ``P(h_j = 1 | x)`` of each.
    keep : float32
        One minus the weight decay of this step; multiplies the old W.

    Returns
    -------
    W (n_v, n_h), b (n_v,), d (n_h,), the means of `data_means` and of `fantasy_means`, and a number that is
    finite unless a new parameter is not.
    """
    n_v, n_h = W.shape
    n, n_fantasy = X.shape[0], V.shape[0]
    data_rate, fantasy_rate = rate / np.float32(n), rate / np.float32(n_fantasy)

    # What each image adds to the weights of its pixels, and to d
    gains = np.empty((n + n_fantasy, n_h), np.float32)
    data_gain, fantasy_gain = np.zeros(n_h, np.float32), np.zeros(n_h, np.float32)
    _scale_rows(data_means, data_rate, gains[:n], data_gain)
    _scale_rows(fantasy_means, -fantasy_rate, gains[n:], fantasy_gain)
    new_d = d + (data_gain + fantasy_gain)

    new_W = np.empty((n_v, n_h), np.float32)
    new_b = np.empty(n_v, np.float32)
    totals = np.empty(n_v, np.float32)
    for block in prange((n_v + ROWS - 1) // ROWS):
        which = np.empty(n + n_fantasy + 1, np.int64)
        for i in range(block * ROWS, min((block + 1) * ROWS, n_v)):
            n_data = list_ones(X[:, i], 0, 0, which)
            n_both = list_ones(V[:, i], n, n_data, which)
            new_b[i] = b[i] + data_rate * np.float32(n_data) - fantasy_rate * np.float32(n_both - n_data)
            totals[i] = new_b[i] + _ascend_row(W[i], keep, gains, which, n_both, new_W[i])
    scale = rate * np.float32(n_h)
    return (
        new_W,
        new_b,
        new_d,
        data_gain.sum() / scale,
        -fantasy_gain.sum() / scale,
        totals.sum() + new_d.sum(),
    )


@njit(**SERIAL)
def climb(
    W: NDArray[np.float32],
    b: NDArray[np.float32],
    d: NDArray[np.float32],
    X: NDArray[np.uint8],
    particles: NDArray[np.uint8],
    persistent: bool,
    keys: Any,
    rate: np.float32,
    keep: np.float32,
) -> tuple[NDArray, NDArray, NDArray, NDArray, float, float, float]:
    """Return W, b, d and particles after a step of CD or PCD, and the last three results of :func:`ascend`.

    One compiled function, because calling the kernels one by one from Python costs up to a quarter of a step.

    Parameters
    ----------
    particles : (n_particles, n_h) uint8
        Latents of the persistent chains; returned as they are if not `persistent`.
    persistent : bool
        Whether chains go on from `particles`, or start at latents drawn given X.
    keys : (2 n_gibbs,) uint64
        One for each drawing of visibles, each followed by one for a drawing of latents.
    """
    data_means = latent_means(W, d, X)
    n_gibbs = keys.shape[0] // 2
    H = particles if persistent else sample_bernoulli(data_means, keys[2 * n_gibbs - 1])
    V = sample_visible(W, b, H, keys[0])
    fantasy_means = latent_means(W, d, V)
    for sweep in range(1, n_gibbs):
        H = sample_bernoulli(fantasy_means, keys[2 * sweep - 1])
        V = sample_visible(W, b, H, keys[2 * sweep])
        fantasy_means = latent_means(W, d, V)
    W, b, d, activity, fantasy_activity, total = ascend(W, b, d, X, V, data_means, fantasy_means, rate, keep)
    if persistent:
        particles = sample_bernoulli(fantasy_means, keys[2 * n_gibbs - 1])
    return W, b, d, particles, activity, fantasy_activity, total
