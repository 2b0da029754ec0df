"""Compiled kernels of the Bernoulli RBM: drawing one layer given the other, in single precision.

Binary visibles turn four of the five matrix products of a training step into sums of a few rows: ``x @ W``
adds the rows of W where a pixel is on, and a weight's gradient (:mod:`rbm_gradient`) adds the latent means
of the images in which its pixel is on. The fields of the visibles, ``W h + b``, stay a dense product, because
latents are often half on.

Every result is computed by one thread in one fixed order, and every random number is a function of (key,
element), so results do not depend on the number of threads. The caller of a parallel kernel holds
``numerics.PARALLEL_LOCK``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.baselines.rbm_vector import LANES, dot_block
from lrbn_viz.numerics import INNER as _NO_ALLOCATION

ROWS = 64  # visibles per unit of parallel work: 51 kB of W at n_h = 200
_TILE = 36  # images per pass over these rows; their latents, 30 kB at n_h = 200, fit the first-level cache

# The order of sums is free, but not-a-number and infinity stay visible.
_FASTMATH = {"reassoc", "contract", "nsz", "arcp"}
INNER: dict[str, Any] = {**_NO_ALLOCATION, "fastmath": _FASTMATH}
SERIAL: dict[str, Any] = {"nogil": True, "cache": True, "fastmath": _FASTMATH, "error_model": "numpy"}
PARALLEL: dict[str, Any] = {**SERIAL, "parallel": True}

ZERO, _HALF, _ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)

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


@njit(**INNER)
def sigmoid32(z: np.float32) -> np.float32:
    """Return ``1 / (1 + exp(-z))`` in single precision, within 2e-7; not-a-number stays not-a-number."""
    z = _LIMIT if z > _LIMIT else z
    z = -_LIMIT if z < -_LIMIT else z
    y = z * z
    numerator = z * ((((_P4 * y + _P3) * y + _P2) * y + _P1) * y + _P0)
    denominator = (((_Q4 * y + _Q3) * y + _Q2) * y + _Q1) * y + _ONE
    s = _HALF + numerator / denominator
    s = ZERO if s < ZERO else s
    return _ONE if s > _ONE else s


@njit(**INNER)
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


@njit(**INNER)
def _draw_from_log_odds(
    field: NDArray[np.float32],
    bias: NDArray[np.float32],
    bits: NDArray[np.int32],
    out: NDArray[np.uint8],
) -> None:
    """Write 1 with probability ``sigmoid(field + bias)``, else 0, to `out` (n,), in place."""
    for e in range(out.shape[0]):
        out[e] = np.float32(bits[e]) * _24_BITS < sigmoid32(field[e] + bias[e])


@njit(**INNER)
def _visible_fields(
    W: NDArray[np.float32],
    H: NDArray[np.float32],
    i0: int,
    i1: int,
    rows: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Write ``W[i] . H[m]`` for visibles i0 <= i < i1 into ``out[m, i - i0]``.

    H has a multiple of 4 rows, padded with zeros to a multiple of the vector length; `rows` (4, as wide) is
    scratch, zero beyond n_h; `out` has room for a multiple of 4 visibles. Four rows of W meet four images
    at a time: 16 sums in registers for 8 loads.
    """
    n_h = W.shape[1]
    for first in range(0, H.shape[0], _TILE):
        last = min(first + _TILE, H.shape[0])
        for i in range(i0, i1, 4):
            for r in range(4):
                source = W[min(i + r, i1 - 1)]
                for j in range(n_h):
                    rows[r, j] = source[j]
            for m in range(first, last, 4):
                dot_block(rows, H, m, out, i - i0)


@njit(**PARALLEL)
def sample_visible(
    W: NDArray[np.float32], b: NDArray[np.float32], H: NDArray[np.uint8], key: np.uint64
) -> NDArray[np.uint8]:
    """Draw x from ``P(x_i = 1 | h) = sigmoid(w_i h + b_i)`` for every row of H; returns (n, n_v) uint8."""
    n, n_h = H.shape
    n_v = W.shape[0]
    width = (n_h + LANES - 1) // LANES * LANES
    padded = np.zeros(((n + 3) // 4 * 4, width), np.float32)
    for m in range(n):
        for j in range(n_h):
            padded[m, j] = H[m, j]
    V = np.empty((n, n_v), np.uint8)
    for block in prange((n_v + ROWS - 1) // ROWS):
        i0 = block * ROWS
        i1 = min(i0 + ROWS, n_v)
        fields = np.empty((padded.shape[0], ROWS), np.float32)
        bits = np.empty(ROWS, np.int32)
        _visible_fields(W, padded, i0, i1, np.zeros((4, width), np.float32), fields)
        for m in range(n):
            _random_bits(key, m * n_v + i0, bits)
            _draw_from_log_odds(fields[m], b[i0:i1], bits, V[m, i0:i1])
    return V


@njit(**INNER)
def list_ones(mask: NDArray[np.uint8], offset: int, count: Any, out: NDArray[np.int64]) -> Any:
    """Append to `out`, after `count` entries, ``offset + e`` for every e with ``mask[e] == 1``; return the
    count.

    Written without a branch (a wrong entry is overwritten by the next), since no one can predict a random
    bit. `out` must have room for one entry more than is kept. Modified in place: `out`.
    """
    for e in range(mask.shape[0]):
        out[count] = offset + e
        count += np.int64(mask[e])
    return count


@njit(**INNER)
def add_rows(
    rows: NDArray[np.float32], which: NDArray[np.int64], count: int, out: NDArray[np.float32]
) -> None:
    """Add ``rows[which[:count]]`` to `out` (n,), in place.

    Several rows at a time, to save loads and stores of `out`; what then limits it is the second-level cache.
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


@njit(**PARALLEL)
def latent_means(W: NDArray[np.float32], d: NDArray[np.float32], X: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return ``P(h_j = 1 | x) = sigmoid(w_j'x + d_j)`` for every row of binary X: (n, n_h) float32."""
    n, n_v = X.shape
    means = np.empty((n, W.shape[1]), np.float32)
    for m in prange(n):
        which = np.empty(n_v + 1, np.int64)
        row = means[m]
        row[:] = d
        add_rows(W, which, list_ones(X[m], 0, 0, which), row)
        for j in range(row.shape[0]):
            row[j] = sigmoid32(row[j])
    return means


@njit(**SERIAL)
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
