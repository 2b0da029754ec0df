"""Compiled kernels of the Bernoulli RBM, in single precision.

Binary visibles turn four of the five matrix products of a training step into sums of a few rows: ``x @ W``
adds the rows of W where a pixel is on, and a weight's gradient adds the latent means of the images in which
its pixel is on. The fields of the visibles, ``W h + b``, stay a dense product, because latents are often
half on.

Every result is computed by one thread in one fixed order, and every random number is a function of (key,
element), so results do not depend on the number of threads. The caller of a parallel kernel holds
``numerics.PARALLEL_LOCK``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.numerics import INNER

_ROWS = (
    64  # visibles per unit of parallel work: 51 kB of W at n_h = 200; whole vectors in the loop that draws
)
_TILE = 24  # images whose latents stay in the first-level cache (19 kB at n_h = 200); a multiple of 4

# The order of sums is free, but not-a-number and infinity stay visible.
_FASTMATH = {"reassoc", "contract", "nsz", "arcp"}
_INNER: dict[str, Any] = {**INNER, "fastmath": _FASTMATH}
_SERIAL: dict[str, Any] = {"nogil": True, "cache": True, "fastmath": _FASTMATH, "error_model": "numpy"}
_PARALLEL: dict[str, Any] = {**_SERIAL, "parallel": True}

_ZERO, _HALF, _ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)

# sigmoid(z) - 1/2 = z P(z^2) / Q(z^2) for |z| <= 17, with maximal error 5e-9 (fitted by iterated weighted
# least squares); in single precision within 2e-7. Unlike exp it needs no library and no bit tricks, so
# loops vectorise.
_LIMIT = np.float32(17.0)
_P0, _P1, _P2 = (
    np.float32(0.24999998637586418),
    np.float32(0.00837887768081078),
    np.float32(5.509089575482034e-05),
)
_P3, _P4 = np.float32(8.250603009811117e-08), np.float32(1.3768767012814214e-11)
_Q1, _Q2 = np.float32(0.11684878917542124), np.float32(0.0016244454879892477)
_Q3, _Q4 = np.float32(5.2120115105401045e-06), np.float32(3.1537522774525203e-09)

_24_BITS = np.float32(2.0**-24)


@njit(**_INNER)
def sigmoid32(z: np.float32) -> np.float32:
    """Return ``1 / (1 + exp(-z))`` in single precision, within 2e-7; not-a-number stays not-a-number."""
    z = _LIMIT if z > _LIMIT else z
    z = -_LIMIT if z < -_LIMIT else z
    y = z * z
    numerator = z * ((((_P4 * y + _P3) * y + _P2) * y + _P1) * y + _P0)
    denominator = (((_Q4 * y + _Q3) * y + _Q2) * y + _Q1) * y + _ONE
    s = _HALF + numerator / denominator
    s = _ZERO if s < _ZERO else s
    return _ONE if s > _ONE else s


@njit(**_INNER)
def _random_bits(key: np.uint64, first: int, out: NDArray[np.int32]) -> None:
    """Fill `out` with 24 random bits each: element e is the top of SplitMix64's output ``first + e`` from
    `key`.

    Modified in place: `out` (n,) int32, values 0..2^24 - 1. A counter, not a state, so that the loop
    vectorises and any thread can compute any element.
    """
    for e in range(out.shape[0]):
        r = key + np.uint64(first + e + 1) * np.uint64(0x9E3779B97F4A7C15)
        r = (r ^ (r >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        r = (r ^ (r >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        out[e] = np.int32((r ^ (r >> np.uint64(31))) >> np.uint64(40))


@njit(**_INNER)
def _draw_from_log_odds(
    log_odds: NDArray[np.float32], bits: NDArray[np.int32], out: NDArray[np.uint8]
) -> None:
    """Write 1 with probability ``sigmoid(log_odds)``, else 0, to `out` (in place); all arrays (n,)."""
    for e in range(out.shape[0]):
        out[e] = np.float32(bits[e]) * _24_BITS < sigmoid32(log_odds[e])


@njit(**_INNER)
def _visible_fields(
    W: NDArray[np.float32],
    b: NDArray[np.float32],
    H: NDArray[np.float32],
    i0: int,
    i1: int,
    out: NDArray[np.float32],
) -> None:
    """Write ``W[i] . H[m] + b[i]`` for visibles i0 <= i < i1 into ``out[m, i - i0]``.

    H has a multiple of 4 rows. Four rows of W meet four rows of H at a time: 16 sums in registers, 8 loads.
    """
    n_h = W.shape[1]
    whole = i0 + (i1 - i0) // 4 * 4
    for first in range(0, H.shape[0], _TILE):
        last = min(first + _TILE, H.shape[0])
        for i in range(i0, whole, 4):
            a = i - i0
            w0, w1, w2, w3 = W[i], W[i + 1], W[i + 2], W[i + 3]
            b0, b1, b2, b3 = b[i], b[i + 1], b[i + 2], b[i + 3]
            for m in range(first, last, 4):
                h0, h1, h2, h3 = H[m], H[m + 1], H[m + 2], H[m + 3]
                s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = _ZERO
                s20 = s21 = s22 = s23 = s30 = s31 = s32 = s33 = _ZERO
                for j in range(n_h):
                    x0, x1, x2, x3 = w0[j], w1[j], w2[j], w3[j]
                    y0, y1, y2, y3 = h0[j], h1[j], h2[j], h3[j]
                    s00, s01, s02, s03 = s00 + x0 * y0, s01 + x0 * y1, s02 + x0 * y2, s03 + x0 * y3
                    s10, s11, s12, s13 = s10 + x1 * y0, s11 + x1 * y1, s12 + x1 * y2, s13 + x1 * y3
                    s20, s21, s22, s23 = s20 + x2 * y0, s21 + x2 * y1, s22 + x2 * y2, s23 + x2 * y3
                    s30, s31, s32, s33 = s30 + x3 * y0, s31 + x3 * y1, s32 + x3 * y2, s33 + x3 * y3
                o0, o1, o2, o3 = out[m], out[m + 1], out[m + 2], out[m + 3]
                o0[a], o0[a + 1], o0[a + 2], o0[a + 3] = s00 + b0, s10 + b1, s20 + b2, s30 + b3
                o1[a], o1[a + 1], o1[a + 2], o1[a + 3] = s01 + b0, s11 + b1, s21 + b2, s31 + b3
                o2[a], o2[a + 1], o2[a + 2], o2[a + 3] = s02 + b0, s12 + b1, s22 + b2, s32 + b3
                o3[a], o3[a + 1], o3[a + 2], o3[a + 3] = s03 + b0, s13 + b1, s23 + b2, s33 + b3
    for i in range(whole, i1):
        for m in range(H.shape[0]):
            s = _ZERO
            for j in range(n_h):
                s += W[i, j] * H[m, j]
            out[m, i - i0] = s + b[i]


@njit(**_PARALLEL)
def sample_visible(
    W: NDArray[np.float32], b: NDArray[np.float32], H: NDArray[np.uint8], key: np.uint64
) -> NDArray[np.uint8]:
    """Draw x from ``P(x_i = 1 | h) = sigmoid(w_i h + b_i)`` for every row of H; returns (n, n_v) uint8."""
    n, n_h = H.shape
    n_v = W.shape[0]
    padded = np.zeros(((n + 3) // 4 * 4, n_h), np.float32)
    for m in range(n):
        for j in range(n_h):
            padded[m, j] = H[m, j]
    V = np.empty((n, n_v), np.uint8)
    for block in prange((n_v + _ROWS - 1) // _ROWS):
        i0 = block * _ROWS
        i1 = min(i0 + _ROWS, n_v)
        fields = np.empty((padded.shape[0], i1 - i0), np.float32)
        bits = np.empty(i1 - i0, np.int32)
        _visible_fields(W, b, padded, i0, i1, fields)
        for m in range(n):
            _random_bits(key, m * n_v + i0, bits)
            _draw_from_log_odds(fields[m], bits, V[m, i0:i1])
    return V


@njit(**_INNER)
def _which(mask: NDArray[np.uint8], offset: int, count: Any, out: NDArray[np.int64]) -> Any:
    """Append to `out`, after `count` entries, ``offset + e`` for every e with ``mask[e] == 1``; return the
    count.

    Written without a branch (a wrong entry is overwritten by the next), since no one can predict a random
    bit. `out` must have room for one entry more than is kept. Modified in place: `out`.
    """
    for e in range(mask.shape[0]):
        out[count] = offset + e
        count += np.int64(mask[e])
    return count


@njit(**_INNER)
def _add_rows(
    rows: NDArray[np.float32], which: NDArray[np.int64], count: int, out: NDArray[np.float32]
) -> None:
    """Add ``rows[which[:count]]`` to `out` in place, several rows at a time to save loads and stores of
    `out`.
    """
    n = out.shape[0]
    k = 0
    while k + 8 <= count:
        r0, r1, r2, r3 = rows[which[k]], rows[which[k + 1]], rows[which[k + 2]], rows[which[k + 3]]
        r4, r5, r6, r7 = rows[which[k + 4]], rows[which[k + 5]], rows[which[k + 6]], rows[which[k + 7]]
        for j in range(n):
            out[j] += ((r0[j] + r1[j]) + (r2[j] + r3[j])) + ((r4[j] + r5[j]) + (r6[j] + r7[j]))
        k += 8
    while k + 2 <= count:
        r0, r1 = rows[which[k]], rows[which[k + 1]]
        for j in range(n):
            out[j] += r0[j] + r1[j]
        k += 2
    if k < count:
        r0 = rows[which[k]]
        for j in range(n):
            out[j] += r0[j]


@njit(**_PARALLEL)
def latent_means(W: NDArray[np.float32], d: NDArray[np.float32], X: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return ``P(h_j = 1 | x) = sigmoid(w_j'x + d_j)`` for every row of binary X: (n, n_h) float32."""
    n, n_v = X.shape
    means = np.empty((n, W.shape[1]), np.float32)
    for m in prange(n):
        which = np.empty(n_v + 1, np.int64)
        row = means[m]
        row[:] = d
        _add_rows(W, which, _which(X[m], 0, 0, which), row)
        for j in range(row.shape[0]):
            row[j] = sigmoid32(row[j])
    return means


@njit(**_SERIAL)
def sample_bernoulli(means: NDArray[np.float32], key: np.uint64) -> NDArray[np.uint8]:
    """Draw 0 or 1 with probabilities `means` (n, n_h), in [0, 1]; returns uint8 of the same shape."""
    n, n_h = means.shape
    out = np.empty((n, n_h), np.uint8)
    bits = np.empty(n_h, np.int32)
    for m in range(n):
        _random_bits(key, m * n_h, bits)
        for j in range(n_h):
            out[m, j] = np.float32(bits[j]) * _24_BITS < means[m, j]
    return out


@njit(**_INNER)
def _scale_rows(
    rows: NDArray[np.float32], factor: np.float32, out: NDArray[np.float32], total: NDArray[np.float32]
) -> None:
    """Write ``factor * rows`` to `out` and add its rows to `total`, both in place."""
    for m in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            out[m, j] = factor * rows[m, j]
            total[j] += out[m, j]


@njit(**_INNER)
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
    _add_rows(gains, which, count, out)
    total = _ZERO
    for j in range(out.shape[0]):
        total += out[j]
    return total


@njit(**_PARALLEL)
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
    for block in prange((n_v + _ROWS - 1) // _ROWS):
        which = np.empty(n + n_fantasy + 1, np.int64)
        for i in range(block * _ROWS, min((block + 1) * _ROWS, n_v)):
            n_data = _which(X[:, i], 0, 0, which)
            n_both = _which(V[:, i], n, n_data, which)
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
