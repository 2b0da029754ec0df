"""Compiled kernels of the Bernoulli RBM: drawing one layer given the other, in single precision.

Binary layers turn the matrix products of a training step into sums of a few rows: ``x @ W`` adds the rows of
W where a pixel is on, ``W @ h`` the columns where a latent is on, and a weight's gradient
(:mod:`~lrbn_viz.rivals.rbm.gradient`) the latent means of the images in which its pixel is on.

Every sum is computed by one thread in one fixed order, and every random number is a function of (key,
element), so results do not depend on the number of threads. The caller of a kernel on all threads holds
``numerics.PARALLEL_LOCK``. Each has a twin on one thread: limiting OpenMP to one thread for a while would
make it end its threads and restart them, which halves the speed of the code in between. The bodies of
parallel loops over images or visibles only call a function: code directly in the loop is compiled less well
(measured: a fifth slower).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import FIRST, INLINED, KERNEL, for_threads
from lrbn_viz.rivals.rbm.draw import draw_means, draw_sums, sigmoid32
from lrbn_viz.rivals.rbm.simd import (
    ROOM,
    ROWS_IN_FLIGHT,
    TILE,
    WIDE,
    list_ones,
    sum_1,
    sum_4,
    sum_13,
    transpose_block,
)

Floats = NDArray[np.float32]
Bits = NDArray[np.uint8]
"""Arrays of zeros and ones."""

# Sums may be reordered, but not-a-number and infinity are preserved.
_FASTMATH = {"reassoc", "contract", "nsz", "arcp"}
INNER: dict[str, Any] = {**INLINED, "fastmath": _FASTMATH}
SERIAL_KERNEL: dict[str, Any] = {**KERNEL, "fastmath": _FASTMATH}

TILES = 2
"""Number of tiles in a block of visibles. The block of one image is a cache line: two threads that write to
the same line wait for each other.
"""
BLOCK = TILES * TILE
"""Number of visibles in a block."""
PARTS = 2
"""Number of parts of the visibles, each with every second block. On two threads each thread works on the
weights of one part in every phase of a step, so that they stay in its cache; and the middle of an image,
which has more ones than its edges, is shared by both.
"""

SHARED_FROM = 64
"""Number of images above which work of about 50 ns per image is shared by all threads."""
GROUP = 4
"""Number of images whose weights of a part one thread sums, with one list of ones."""

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


@njit(**INNER)
def first_aligned(buffer: Floats) -> int:
    """Return the index, at most 15, of the first element of `buffer` on a cache line; a load across lines
    costs two.
    """
    return (-buffer.ctypes.data % 64) // 4


@njit(**INNER)
def n_blocks(n_v: int) -> int:
    """Return the number of blocks for so many visibles; the last block may be smaller."""
    return (n_v + BLOCK - 1) // BLOCK


@njit(**INNER)
def nth_block(n: Any, count: int) -> int:
    """Return the n-th of `count` blocks in the order of parts: those of even number, then the others."""
    n_even = (count + 1) // 2
    return 2 * n if n < n_even else 2 * (n - n_even) + 1


@njit(**INNER)
def _groups(n: int) -> int:
    """Return the number of groups for so many images; the last group may be smaller."""
    return (n + GROUP - 1) // GROUP


@njit(**INNER)
def _list_columns(X: Bits, m: int, first: int, stop: int, which: NDArray[np.int32], start: int) -> int:
    """Fill `which` with the columns from `first` to `stop` in which row m of X is 1.

    The list begins at `start`; returns its end.
    """
    eights = (stop - first) // 8
    end = list_ones(X, m * X.shape[1] + first, 8, eights, first, which, start)
    for e in range(first + 8 * eights, stop):
        which[end] = e
        end += np.int64(X[m, e] != 0)  # as list_ones: a byte that is not 1 must not lead out of `which`
    return end


@njit(**INNER)
def _list_part(X: Bits, m: int, part: int, which: NDArray[np.int32]) -> int:
    """Fill `which` with the columns of one part in which row m of X is 1; return their number."""
    n, end = X.shape[1], FIRST
    for first in range(part * BLOCK, n, PARTS * BLOCK):
        end = _list_columns(X, m, first, min(first + BLOCK, n), which, end)
    return end


@njit(**INNER)
def sum_row(
    rows: Floats,
    stride: int,
    which: NDArray[np.int32],
    count: int,
    scale: np.float32,
    base: Floats,
    base_at: int,
    out: Floats,
    out_at: int,
    width: int,
) -> np.float32:
    """Write ``scale * base + sum of rows[which[:count]]`` to `out`, in place; `width` numbers of each.

    Arrays are C-ordered and do not overlap. Row r begins at element ``r * stride`` of `rows`; `base` is read
    from element `base_at`, and `out` written from element `out_at`.

    Returns a number that is finite unless a written one is not.
    """
    column, total = 0, _ZERO
    while column < width:
        left = width - column
        if width < WIDE:  # too narrow for a register
            one = scale * base.reshape(-1)[base_at + column]
            for k in range(count):
                one += rows.reshape(-1)[stride * which[k] + column]
            out.reshape(-1)[out_at + column] = one
            total += one
            column += 1
        elif left > 12 * WIDE:
            total += sum_13(rows, stride, which, count, scale, base, base_at, out, out_at, column, width)
            column += 13 * WIDE
        elif left > 3 * WIDE:
            total += sum_4(rows, stride, which, count, scale, base, base_at, out, out_at, column, width)
            column += 4 * WIDE
        else:
            total += sum_1(rows, stride, which, count, scale, base, base_at, out, out_at, column, width)
            column += WIDE
    return total


@njit(**SERIAL_KERNEL)
def _transpose_tile(W: Floats, i0: int, size: int, columns: Floats, first: int) -> None:
    """Fill `columns`, from `first` on, with the columns of ``W[i0 : i0 + size]`` as rows of a tile.

    A row of zeros follows the last; rows are filled up with zeros.
    """
    n_h = W.shape[1]
    columns[first + (0 if size < TILE else n_h * TILE) : first + (n_h + 1) * TILE] = 0
    n_i, n_j = size // 16 * 16, n_h // 4 * 4
    for i in range(0, n_i, 16):
        for j in range(0, n_j, 4):
            transpose_block(W, (i0 + i) * n_h + j, n_h, columns, first + j * TILE + i)
    for i in range(size):
        for j in range(n_j if i < n_i else 0, n_h):
            columns[first + j * TILE + i] = W[i0 + i, j]


@njit(**SERIAL_KERNEL)
def _list_latents(H: Bits, m: int, which: NDArray[np.int32], length: int, ends: NDArray[np.int64]) -> None:
    """List the ones of row m of H in `which` from ``m * length`` on, in place, filled up with n_h."""
    n_h = H.shape[1]
    end = _list_columns(H, m, FIRST, n_h, which, m * length)
    which[end : end + ROWS_IN_FLIGHT] = n_h
    ends[m] = end + (m * length - end) % ROWS_IN_FLIGHT


@njit(**SERIAL_KERNEL)
def _sample_tile(W, b, which, length, ends, key, tile, V):
    """Draw the visibles of one tile for every image, given its latents from `which`; V in place."""
    n_v, n_h = W.shape
    n_tiles = (n_v + TILE - 1) // TILE
    i0 = tile * TILE
    size = min(TILE, n_v - i0)
    columns = np.empty((n_h + 1) * TILE + 15, np.float32)
    first = first_aligned(columns)
    _transpose_tile(W, i0, size, columns, first)
    bias, drawn = np.zeros(TILE, np.float32), np.empty(TILE, np.uint8)
    for e in range(size):
        bias[e] = b[i0 + e]
    for m in range(len(ends)):
        start, counter = m * length, m * n_tiles + tile
        if size == TILE:
            draw_sums(columns, first, which, start, ends[m], bias, key, counter, V, m * n_v + i0)
        else:
            draw_sums(columns, first, which, start, ends[m], bias, key, counter, drawn, 0)
            for e in range(size):
                V[m, i0 + e] = drawn[e]


@njit(**SERIAL_KERNEL)
def _sample_block(W, b, which, length, ends, key, n, V):
    """Draw the visibles of the n-th block in the order of :func:`nth_block`. Modified in place: `V`."""
    n_v = W.shape[0]
    first = TILES * nth_block(n, n_blocks(n_v))
    for tile in range(first, min(first + TILES, (n_v + TILE - 1) // TILE)):
        _sample_tile(W, b, which, length, ends, key, tile, V)


@for_threads(**SERIAL_KERNEL)
def _sample_blocks(W, b, which, length, ends, key, V):
    """Draw the visibles of every block. Modified in place: `V`."""
    for n in prange(n_blocks(W.shape[0])):
        _sample_block(W, b, which, length, ends, key, np.int64(n), V)


_sample_parallel, _sample_alone = _sample_blocks


@njit(**SERIAL_KERNEL)
def sample_visible(W: Floats, b: Floats, H: Bits, key: np.uint64, threads: bool) -> Bits:
    """Draw x from ``P(x_i = 1 | h) = sigmoid(w_i h + b_i)`` for every row of H; returns (n, n_v) uint8.

    `threads`: on all threads, else on this one.
    """
    n, n_h = H.shape
    length = n_h + ROOM
    which = np.empty(n * length, np.int32)
    ends = np.empty(n, np.int64)
    for m in range(n):
        _list_latents(H, m, which, length, ends)
    V = np.empty((n, W.shape[0]), np.uint8)
    if threads:
        _sample_parallel(W, b, which, length, ends, key, V)
    else:
        _sample_alone(W, b, which, length, ends, key, V)
    return V


@njit(**SERIAL_KERNEL)
def _sum_group(W: Floats, d: Floats, X: Bits, V: Bits, first: int, index: Any, sums: Floats) -> None:
    """Fill the rows of a few images in `sums` with their sums over one part.

    `index` numbers the groups of images of the first part, and then those of the second.
    """
    n_v, n_h = W.shape
    n, count = X.shape[0], sums.shape[0] // PARTS
    groups = _groups(count)
    part, group = divmod(index, groups)
    which = np.empty(n_v // PARTS + BLOCK + ROOM, np.int32)
    scale = _ONE if part == 0 else _ZERO  # the first part has d in it
    for m in range(GROUP * group, min(GROUP * (group + 1), count)):
        row = first + m
        ones = _list_part(X, row, part, which) if row < n else _list_part(V, row - n, part, which)
        sum_row(W, n_h, which, ones, scale, d, 0, sums, (part * count + m) * n_h, n_h)


@for_threads(**SERIAL_KERNEL)
def _sum_groups(W, d, X, V, first, sums):
    """Fill every row of the result of :func:`_sums`."""
    for index in prange(PARTS * _groups(sums.shape[0] // PARTS)):
        _sum_group(W, d, X, V, first, np.int64(index), sums)


_sums_parallel, _sums_alone = _sum_groups


@njit(**SERIAL_KERNEL)
def _sums(W, d, X, V, first, last, threads):
    """Return the sums of weights over both parts' ones of images `first` to `last`.

    (2 (last - first), n_h): the first part of every image, with d in it, and then the second of each.
    """
    sums = np.empty((PARTS * (last - first), W.shape[1]), np.float32)
    if threads:
        _sums_parallel(W, d, X, V, first, sums)
    else:
        _sums_alone(W, d, X, V, first, sums)
    return sums


@njit(**SERIAL_KERNEL)
def _mean_row(sums, m, out, row):
    """Fill a row of `out` with the means of the image that has the m-th sums."""
    one, other, means = sums[m], sums[m + sums.shape[0] // PARTS], out[row]
    for j in range(means.shape[0]):
        means[j] = sigmoid32(one[j] + other[j])


@for_threads(**SERIAL_KERNEL)
def _mean_rows(sums, first, means):
    """Write the means of every image that has sums, the first to row `first`. Modified in place: `means`."""
    for m in prange(sums.shape[0] // PARTS):
        _mean_row(sums, np.int64(m), means, first + np.int64(m))


_means_parallel, _means_alone = _mean_rows


@njit(**SERIAL_KERNEL)
def fill_means(
    W: Floats, d: Floats, X: Bits, V: Bits, first: int, last: int, means: Floats, threads: bool
) -> None:
    """Write ``P(h_j = 1 | x) = sigmoid(w_j'x + d_j)`` of images `first` to `last` to `means`, in place.

    The rows of binary V are numbered after those of binary X; `means` has a row for each row of either.
    `threads`: on all threads, else on this one.
    """
    sums = _sums(W, d, X, V, first, last, threads)
    if threads and last - first >= SHARED_FROM:
        _means_parallel(sums, first, means)
    else:
        _means_alone(sums, first, means)


@njit(**SERIAL_KERNEL)
def latent_means(W: Floats, d: Floats, X: Bits, threads: bool) -> Floats:
    """Return ``P(h_j = 1 | x) = sigmoid(w_j'x + d_j)`` for every row of binary X: (n, n_h) float32."""
    means = np.empty((X.shape[0], W.shape[1]), np.float32)
    none = np.empty((0, X.shape[1]), np.uint8)
    fill_means(W, d, X, none, FIRST, X.shape[0], means, threads)
    return means


@njit(**SERIAL_KERNEL)
def latent_fields(W: Floats, d: Floats, X: Bits, threads: bool) -> Floats:
    """Return ``w_j'x + d_j`` for every row of binary X: (n, n_h) float32, nats.

    `threads`: on all threads, else on this one.
    """
    n = X.shape[0]
    none = np.empty((0, X.shape[1]), np.uint8)
    sums = _sums(W, d, X, none, FIRST, n, threads)
    return sums[:n] + sums[n:]


@njit(**SERIAL_KERNEL)
def _sample_row(means: Floats, m: Any, key: np.uint64, out: Bits) -> None:
    """Draw 0 or 1 with the probabilities in row m of `means` to row m of `out`, in place."""
    n_h = means.shape[1]
    n_tiles = (n_h + TILE - 1) // TILE
    if n_h < TILE:
        padded, drawn = np.zeros(TILE, np.float32), np.empty(TILE, np.uint8)
        for j in range(n_h):
            padded[j] = means[m, j]
        draw_means(padded, 0, key, m, drawn, 0)
        for j in range(n_h):
            out[m, j] = drawn[j]
        return
    for tile in range(n_tiles):
        at = m * n_h + min(tile * TILE, n_h - TILE)  # the last tile draws some latents again
        draw_means(means, at, key, m * n_tiles + tile, out, at)


@for_threads(**SERIAL_KERNEL)
def _sample_rows(means, key, out):
    """Draw every row. Modified in place: `out`."""
    for m in prange(means.shape[0]):
        _sample_row(means, np.int64(m), key, out)


_rows_parallel, _rows_alone = _sample_rows


@njit(**SERIAL_KERNEL)
def sample_bernoulli(means: Floats, key: np.uint64, threads: bool) -> Bits:
    """Draw 0 or 1 with probabilities `means` (n, n_h), in [0, 1]; returns uint8 of the same shape.

    `threads`: on all threads, else on this one.
    """
    out = np.empty(means.shape, np.uint8)
    if threads and means.shape[0] >= SHARED_FROM:
        _rows_parallel(means, key, out)
    else:
        _rows_alone(means, key, out)
    return out
