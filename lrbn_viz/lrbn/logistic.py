"""The M-step of Bernoulli units over all images: each pixel's logistic regression on the codes, by itself.

Given the codes the pixels are independent, so that each block of `PIXELS` of them can be solved by any
process. Each pixel has its own L-BFGS (Nocedal and Wright, "Numerical optimization", 2006, algorithm 7.4),
whose first guess of the Hessian is ``v G'G + ridge``: G are the codes of all images with a column of ones, v
the mean of p (1 - p) over them. One eigendecomposition of G'G serves all pixels. The cost is in the visits of
all images, one for each trial point.

Codes and pixels come as bits, the lowest first. A pixel that is not known in an image has no term there. Sums
are taken over slabs of images in their order, so that they depend neither on the pieces in which images
arrive nor on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.chunks import BLOCK_ROWS
from lrbn_viz.kernels.numerics import (
    FIRST,
    KERNEL,
    SUMS,
    for_threads,
    one_blas_thread,
    run_kernel,
    sigmoid,
    softplus,
)
from lrbn_viz.kernels.simd.math import exp, log

PIXELS = 32
"""Number of pixels in a block: their weights on 200 latents are 51 kilobytes, which stay in the second-level
cache.
"""

_HISTORY = 10
"""Number of steps that L-BFGS stores."""
_DESCENT = 1e-4
"""Share of the decrease predicted by the gradient that a step must achieve (Armijo)."""
_ROUNDING = 1e-13
"""Share of an objective by which two evaluations at one point may differ."""
_MIN_STEP = 2.0**-30
"""Step length, as a share of the direction, below which a pixel stops, as its decrease would be lost in
rounding.
"""
_GROUP = 64
"""Number of images whose residuals, 16 kilobytes, are added at a time, and whose factors 1 + exp(-|a|), at
most 2 each, are multiplied before one logarithm of the product.
"""


class Piece(NamedTuple):
    """Bits of the codes of some images, (n, ceil(n_h / 8)), and of a block's pixels there, (n, PIXELS / 8).

    `known` has the bits of the pixels that are known, or no rows where all are.
    """

    codes: NDArray[np.uint8]
    pixels: NDArray[np.uint8]
    known: NDArray[np.uint8] = np.zeros((0, PIXELS // 8), np.uint8)


_PLACES = np.array(
    [[bit for bit in range(8) if byte >> bit & 1] + [0] * (8 - byte.bit_count()) for byte in range(256)]
)
"""Positions of the set bits of each byte, then zeros."""
_COUNTS = np.array([byte.bit_count() for byte in range(256)])


@njit(**SUMS)
def _add_rows(rows, which, count, out):
    """Add to `out` (PIXELS,) the first `count` of the `rows` that `which` lists."""
    lanes = range(np.uintp(PIXELS))
    fours = count // 4 * 4
    for first in range(0, fours, 4):  # four at a time, as each pass reads and writes the sums
        q, r, s, t = which[first], which[first + 1], which[first + 2], which[first + 3]
        for i in lanes:
            out[i] += (rows[q, i] + rows[r, i]) + (rows[s, i] + rows[t, i])
    for last in range(fours, count):
        q = which[last]
        for i in lanes:
            out[i] += rows[q, i]


@njit(**SUMS)
def _add_group(codes, pixels, known, theta, first, last, space, gradient, sums):
    """Add the images from `first` to `last` to the gradient and the sums of a slab.

    Modified in place: all arguments after `last`; the sizes of each part of `space` are those of one slab in
    :func:`_slabs`.
    """
    on, images, counts, residual, product, pixel, seen = space
    n_h = theta.shape[0] - 1
    lanes = range(np.uintp(PIXELS))
    for j in range(n_h):
        counts[j] = 0
    for i in lanes:
        product[i] = 1.0
        seen[i] = 1.0
    for m in range(first, last):
        own = residual[m - first]
        count = FIRST
        for q in range(codes.shape[1]):
            byte = codes[m, q]
            for k in range(np.uintp(8)):
                on[count + k] = 8 * q + _PLACES[byte, k]
            count += _COUNTS[byte]
        for k in range(count):
            j = on[k]
            images[j, counts[j]] = m - first
            counts[j] += 1
        for q in range(PIXELS // 8):
            byte = int(pixels[m, q])
            for bit in range(8):
                pixel[8 * q + bit] = float((byte >> bit) & 1)
            if known.shape[0] > 0:
                byte = int(known[m, q])
                for bit in range(8):
                    seen[8 * q + bit] = float((byte >> bit) & 1)
        for i in lanes:
            own[i] = theta[n_h, i]
        _add_rows(theta, on, count, own)
        for i in lanes:
            a = own[i]
            x = pixel[i]
            here = seen[i] > 0.0
            t = exp(-abs(a))
            share = 1.0 / (1.0 + t)
            off = (share if a >= 0.0 else t * share) - x
            off = off if here else 0.0
            own[i] = off
            product[i] *= 1.0 + t if here else 1.0
            sums[0, i] += (a if a > 0.0 else 0.0) - x * a if here else 0.0
            sums[1, i] += t * share * share if here else 0.0
            sums[2, i] += 1.0 if here and (a > 0.0) != (x > 0.0) else 0.0
            gradient[n_h, i] += off
    for i in lanes:
        sums[0, i] += log(product[i])
    for j in range(n_h):
        _add_rows(residual, images[j], counts[j], gradient[j])


@for_threads(**KERNEL)
def _slabs(codes, pixels, known, theta, on, images, counts, residual, lines, gradient, sums):
    """Compute the gradient of each slab of images and, in this order, its negative log-likelihood, the sum of
    p (1 - p) and the number of wrong pixels, of each of a block's pixels.

    Parameters
    ----------
    codes : (n, n_bytes) uint8
    pixels : (n, PIXELS / 8) uint8
    known : (n, PIXELS / 8) uint8
        Without rows if all pixels are known.
    theta : (n_h + 1, PIXELS) float64
        Weights of the latents, the offset last.

    Modified in place: `gradient` (n_slabs, n_h + 1, PIXELS) and `sums` (n_slabs, 3, PIXELS), zeros at first;
    and working space, `on` (n_slabs, 8 n_bytes + 8), `images` (n_slabs, n_h, _GROUP), `counts` (n_slabs,
    n_h), `residual` (n_slabs, _GROUP, PIXELS) and `lines` (n_slabs, 3, PIXELS).
    """
    for s in prange(gradient.shape[0]):
        end = min((s + 1) * BLOCK_ROWS, codes.shape[0])
        space = on[s], images[s], counts[s], residual[s], lines[s, 0], lines[s, 1], lines[s, 2]
        for first in range(s * BLOCK_ROWS, end, _GROUP):
            last = min(first + _GROUP, end)
            _add_group(codes, pixels, known, theta, first, last, space, gradient[s], sums[s])


class Objective(NamedTuple):
    """Results of a visit of all images for each pixel of a block.

    Attributes
    ----------
    value : (PIXELS,) float64
        Negative log-likelihood and penalties, nats.
    gradient : (n_h + 1, PIXELS) float64
        Of `value`.
    loss : (PIXELS,) float64
        Negative log-likelihood alone.
    curvature : (PIXELS,) float64
        ``sum p (1 - p)``.
    wrong : (PIXELS,) float64
        Number of images in which the more probable state of the pixel is wrong.
    """

    value: NDArray[np.float64]
    gradient: NDArray[np.float64]
    loss: NDArray[np.float64]
    curvature: NDArray[np.float64]
    wrong: NDArray[np.float64]


def evaluate(pieces: Sequence[Piece], theta: NDArray[np.float64], ridge: float) -> Objective:
    """Return the objective of a block of pixels at weights and offsets `theta` (n_h + 1, PIXELS).

    ``sum_m softplus(a) - x a``, ``ridge / 2`` times the squares of the weights, and ``softplus(b) - b / 2``,
    which stands for one further image, half on and without latents: it keeps the offset finite if a pixel is
    always, or never, on.
    """
    n_h = len(theta) - 1
    gradient, sums = np.zeros(theta.shape), np.zeros((3, PIXELS))
    for codes, pixels, known in pieces:
        n_slabs = -(-len(codes) // BLOCK_ROWS)
        on, counts = np.empty((n_slabs, 8 * codes.shape[1] + 8), np.int64), np.empty((n_slabs, n_h), np.int64)
        images = np.empty((n_slabs, n_h, _GROUP), np.int64)
        residual, lines = np.empty((n_slabs, _GROUP, PIXELS)), np.empty((n_slabs, 3, PIXELS))
        partial, own = np.zeros((n_slabs, *theta.shape)), np.zeros((n_slabs, *sums.shape))
        arrays = (on, images, counts, residual, lines, partial, own)
        run_kernel(_slabs, len(codes) * n_h * PIXELS, codes, pixels, known, theta, *arrays)
        for s in range(n_slabs):  # one after another: the sums are the same for pieces of any length
            gradient += partial[s]
            sums += own[s]
    W, b = theta[:-1], theta[-1]
    gradient[:-1] += ridge * W
    gradient[-1] += sigmoid(b) - 0.5
    value = sums[0] + 0.5 * ridge * np.square(W).sum(axis=0) + softplus(b) - 0.5 * b
    return Objective(value, gradient, *sums)


class Fit(NamedTuple):
    """A block of pixels after its M-step.

    Attributes
    ----------
    theta : (n_h + 1, PIXELS) float64
    before : Objective
        At the initial weights.
    slope : (PIXELS,) float64
        Largest absolute component of the mean gradient per image, at the end.
    visits : int
        Visits of all images.
    """

    theta: NDArray[np.float64]
    before: Objective
    slope: NDArray[np.float64]
    visits: int


def fit_pixels(
    pieces: Sequence[Piece],
    theta: NDArray[np.float64],
    basis: tuple[NDArray[np.float64], NDArray[np.float64]],
    n: int,
    n_pixels: int,
    *,
    ridge: float,
    tolerance: float,
    most: int,
) -> Fit:
    """Minimise the objective of each pixel of a block, starting from `theta` (n_h + 1, PIXELS).

    Parameters
    ----------
    basis : ((n_h + 1,), (n_h + 1, n_h + 1)) float64
        Eigenvalues and eigenvectors of G'G.
    n : int
        Number of images.
    n_pixels : int
        Number of pixels that the block has; the others are left unchanged.
    ridge : float
    tolerance : float
        A pixel has converged if no component of its mean gradient per image is larger.
    most : int
        Largest number of visits of all images.
    """
    eigenvalues, vectors = basis
    before = now = evaluate(pieces, theta, ridge)
    steps = np.zeros((_HISTORY, *theta.shape))
    changes, shares = np.zeros_like(steps), np.zeros((_HISTORY, PIXELS))
    length = np.ones(PIXELS)
    there = np.arange(PIXELS) < n_pixels
    visits = 1
    while visits < most:
        moving = there & (np.abs(now.gradient).max(axis=0) > tolerance * n) & (length >= _MIN_STEP)
        if not moving.any():
            break
        hessian = eigenvalues[:, None] * (now.curvature / n) + ridge
        with one_blas_thread():
            direction = _direction(now.gradient, steps, changes, shares, vectors, hessian)
        slope = (direction * now.gradient).sum(axis=0)
        trial = np.where(moving, theta + length * direction, theta)
        found = evaluate(pieces, trial, ridge)
        visits += 1
        least = now.value + _DESCENT * length * slope + _ROUNDING * np.abs(now.value)
        good = moving & (found.value <= least)
        step, change = (trial - theta)[:, good], (found.gradient - now.gradient)[:, good]
        along = (step * change).sum(axis=0)
        share = np.divide(1.0, along, out=np.zeros_like(along), where=along > 0)
        for past, new in ((steps, step), (changes, change), (shares, share)):
            past[1:, ..., good] = past[:-1, ..., good]
            past[0][..., good] = new
        theta = np.where(good, trial, theta)
        now = Objective(*(np.where(good, new, old) for new, old in zip(found, now, strict=True)))
        length = np.where(good, 1.0, 0.5 * length)
    return Fit(theta, before, np.abs(now.gradient).max(axis=0) / n, visits)


def _direction(
    gradient: NDArray, steps: NDArray, changes: NDArray, shares: NDArray, vectors: NDArray, hessian: NDArray
) -> NDArray[np.float64]:
    """Return the L-BFGS direction of each pixel; stored steps whose share is 0 do not affect it."""
    q = -gradient
    weights = np.zeros_like(shares)
    for k in range(_HISTORY):
        weights[k] = shares[k] * (steps[k] * q).sum(axis=0)
        q = q - weights[k] * changes[k]
    q = vectors @ ((vectors.T @ q) / hessian)
    for k in reversed(range(_HISTORY)):
        q = q + (weights[k] - shares[k] * (changes[k] * q).sum(axis=0)) * steps[k]
    return q
