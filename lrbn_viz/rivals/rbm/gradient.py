"""Compiled training step of the Bernoulli RBM: from a batch to new parameters, in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import FIRST, for_threads
from lrbn_viz.rivals.rbm.centring import (
    CENTRED,
    STANDARD,
    Centres,
    Phases,
    centre,
    centres_of_step,
    mean_rows,
)
from lrbn_viz.rivals.rbm.kernels import (
    BLOCK,
    SERIAL_KERNEL,
    SHARED_FROM,
    Bits,
    Floats,
    fill_means,
    first_aligned,
    n_blocks,
    nth_block,
    sample_bernoulli,
    sample_visible,
    sum_row,
)
from lrbn_viz.rivals.rbm.simd import ROOM, WIDE, list_bits


@njit(**SERIAL_KERNEL)
def _scale_row(means, n, data_rate, fantasy_rate, row, gains):
    """Fill a row of `gains` with the contribution of one image to the weights of its pixels."""
    source, target = means[row], gains[row]
    factor = data_rate if row < n else -fantasy_rate
    for j in range(means.shape[1]):
        target[j] = factor * source[j]


@for_threads(**SERIAL_KERNEL)
def _scale_rows(means, n, data_rate, fantasy_rate, gains):
    """Fill `gains` with the contribution of every image to the weights of its pixels; the first n images are
    data.
    """
    for row in prange(means.shape[0]):
        _scale_row(means, n, data_rate, fantasy_rate, np.int64(row), gains)


_scale_parallel, _scale_alone = _scale_rows


@njit(**SERIAL_KERNEL)
def _pack_images(X: Bits, i0: int, size: int, codes: Bits) -> None:
    """Write visible ``i0 + e`` of images 8g, ..., 8g + 7 to the bits of ``codes[g, e]``, in place."""
    n = X.shape[0]
    for g in range(codes.shape[0]):
        row = codes[g]
        row[:] = 0
        for m in range(min(8 * g + 8, n) - 1, 8 * g - 1, -1):
            source = X[m, i0 : i0 + size]
            for e in range(size):
                row[e] = row[e] + row[e] + source[e]


@njit(**SERIAL_KERNEL)
def _ascend_block(W, b, X, V, gains, data_rate, fantasy_rate, keep, i0, new_W, new_b) -> np.float32:
    """Write the new weights and biases of a block of visibles, in place; arguments as in :func:`ascend`.

    Returns a number that is finite unless one of them is not.
    """
    n_v, n_h = W.shape
    n, n_fantasy = X.shape[0], V.shape[0]
    size = min(BLOCK, n_v - i0)
    data = np.empty(((n + 7) // 8, BLOCK), np.uint8)
    fantasies = np.empty(((n_fantasy + 7) // 8, BLOCK), np.uint8)
    _pack_images(X, i0, size, data)
    _pack_images(V, i0, size, fantasies)
    which = np.empty(n + n_fantasy + ROOM, np.int32)
    total = np.float32(0.0)
    for e in range(size):
        i = i0 + e
        n_data = list_bits(data, e, BLOCK, data.shape[0], 0, which, 0)
        n_both = list_bits(fantasies, e, BLOCK, fantasies.shape[0], n, which, n_data)
        new_b[i] = b[i] + data_rate * np.float32(n_data) - fantasy_rate * np.float32(n_both - n_data)
        total += new_b[i]
        total += sum_row(gains, gains.shape[1], which, n_both, keep, W, i * n_h, new_W, i * n_h, n_h)
    return total


@for_threads(**SERIAL_KERNEL)
def _ascend_blocks(W, b, X, V, gains, data_rate, fantasy_rate, keep, new_W, new_b, totals):
    """Write the new weights and biases of every block, in place, and their return values to `totals`."""
    for n in prange(len(totals)):
        i0 = BLOCK * nth_block(np.int64(n), len(totals))
        totals[n] = _ascend_block(W, b, X, V, gains, data_rate, fantasy_rate, keep, i0, new_W, new_b)


_ascend_parallel, _ascend_alone = _ascend_blocks


@njit(**SERIAL_KERNEL)
def ascend(
    W: Floats,
    b: Floats,
    d: Floats,
    X: Bits,
    V: Bits,
    means: Floats,
    rate: np.float32,
    keep: np.float32,
    threads: bool,
) -> tuple[NDArray, NDArray, NDArray, float, float, float]:
    """Return new W, b and d after one step of size `rate` along the gradient; no argument is modified.

    The gradient is the mean of (x h', x, h) over the data minus that over the fantasies, h being the means.

    Parameters
    ----------
    X, V : (n, n_v), (n_fantasy, n_v) uint8
        Data and fantasies, 0 or 1.
    means : (n + n_fantasy, n_h) float32
        ``P(h_j = 1 | x)`` of the data, and then of the fantasies.
    keep : float32
        One minus the weight decay of this step; multiplies the old W.
    threads : bool
        Whether all threads take part, or this one alone.

    Returns
    -------
    W (n_v, n_h), b (n_v,), d (n_h,), the means of `means` over the data and over the fantasies, and a number
    that is finite unless a new parameter is not.
    """
    n_v, n_h = W.shape
    n, n_fantasy = X.shape[0], V.shape[0]
    n_both = n + n_fantasy
    data_rate, fantasy_rate = rate / np.float32(n), rate / np.float32(n_fantasy)

    # Contributions of each image to the weights of its pixels; rows begin on cache lines
    stride = (n_h + WIDE - 1) // WIDE * WIDE
    buffer = np.empty(n_both * stride + 15, np.float32)
    first = first_aligned(buffer)
    gains = buffer[first : first + n_both * stride].reshape((n_both, stride))
    if threads and n_both >= SHARED_FROM:
        _scale_parallel(means, n, data_rate, fantasy_rate, gains)
    else:
        _scale_alone(means, n, data_rate, fantasy_rate, gains)
    h_data, h_model = mean_rows(means[:n]), mean_rows(means[n:])
    new_d = d + rate * (h_data - h_model)

    new_W, new_b = np.empty((n_v, n_h), np.float32), np.empty(n_v, np.float32)
    totals = np.empty(n_blocks(n_v), np.float32)
    if threads:
        _ascend_parallel(W, b, X, V, gains, data_rate, fantasy_rate, keep, new_W, new_b, totals)
    else:
        _ascend_alone(W, b, X, V, gains, data_rate, fantasy_rate, keep, new_W, new_b, totals)
    return new_W, new_b, new_d, h_data.mean(), h_model.mean(), totals.sum() + new_d.sum()


@njit(**SERIAL_KERNEL)
def learn(
    W: Floats,
    b: Floats,
    d: Floats,
    X: Bits,
    V: Bits,
    means: Floats,
    rate: np.float32,
    keep: np.float32,
    kind: int,
    centres: Centres,
    slide: np.float32,
    threads: bool,
) -> tuple[NDArray, NDArray, NDArray, NDArray, NDArray, float, float, float]:
    """Compute the result of :func:`ascend` for any kind of gradient; the new centres follow the parameters.

    Parameters
    ----------
    kind : int
        One of ``centring.KINDS``.
    centres : Centres
        Moving averages of a centred gradient, else empty; returned with the share `slide` of this minibatch.
    """
    new_W, new_b, new_d, activity, fantasy_activity, total = ascend(W, b, d, X, V, means, rate, keep, threads)
    if kind != STANDARD:
        n = X.shape[0]
        phases = Phases(mean_rows(X), mean_rows(V), mean_rows(means[:n]), mean_rows(means[n:]))
        taken = centres_of_step(kind, phases, centres, slide)
        total += centre(W, keep, rate, phases, taken, new_W, new_b, new_d, threads)
        if kind == CENTRED:
            centres = taken
    mu, lam = centres
    return new_W, new_b, new_d, mu, lam, activity, fantasy_activity, total


@njit(**SERIAL_KERNEL)
def sgd_step(
    W: Floats,
    b: Floats,
    d: Floats,
    X: Bits,
    particles: Bits,
    persistent: bool,
    keys: Any,
    rate: np.float32,
    keep: np.float32,
    kind: int,
    centres: Centres,
    slide: np.float32,
    threads: bool,
) -> tuple[NDArray, NDArray, NDArray, NDArray, NDArray, NDArray, NDArray, float, float, float]:
    """Return the particles after a step of CD or PCD, its fantasies, and all results of :func:`learn`.

    This is one compiled function, as calling its kernels one by one from Python would take up to a quarter of
    a step.

    Parameters
    ----------
    particles : (n_particles, n_h) uint8
        Latents of the persistent chains; returned as they are if not `persistent`.
    persistent : bool
        True: chains continue from `particles`; False: they start at latents drawn given X.
    keys : (2 n_gibbs,) uint64
        One for each draw of visibles, each followed by one for a draw of latents.
    kind, centres, slide
        As in :func:`learn`.
    threads : bool
        Whether all threads take part, or this one alone.
    """
    n = X.shape[0]
    n_both = n + (particles.shape[0] if persistent else n)
    means = np.empty((n_both, W.shape[1]), np.float32)
    last = keys.shape[0] - 1
    if persistent:
        V = sample_visible(W, b, particles, keys[0], threads)
        fill_means(W, d, X, V, FIRST, n_both, means, threads)
    else:
        none = np.empty((0, X.shape[1]), np.uint8)
        fill_means(W, d, X, none, FIRST, n, means, threads)
        V = sample_visible(W, b, sample_bernoulli(means[:n], keys[last], threads), keys[0], threads)
        fill_means(W, d, X, V, n, n_both, means, threads)
    for key in range(2, last, 2):
        V = sample_visible(W, b, sample_bernoulli(means[n:], keys[key - 1], threads), keys[key], threads)
        fill_means(W, d, X, V, n, n_both, means, threads)
    W, b, d, mu, lam, activity, fantasy_activity, total = learn(
        W, b, d, X, V, means, rate, keep, kind, centres, slide, threads
    )
    if persistent:
        particles = sample_bernoulli(means[n:], keys[last], threads)
    return particles, V, W, b, d, mu, lam, activity, fantasy_activity, total
