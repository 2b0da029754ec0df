"""The M-step: regression of x on known latents, by gradients or, for Gaussian units, in closed form."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy.linalg
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import (
    KERNEL,
    SUMS,
    activate_image,
    for_threads,
    run_kernel,
    scalar_sigmoid,
    scalar_softplus,
    sigmoid,
)
from lrbn_viz.kernels.simd.math import exp
from lrbn_viz.kernels.steps import falling_rate, kept_share
from lrbn_viz.lrbn.model import Visible, activation

BLOCK = 208
"""Number of pixels per block of the regression's kernels: their weights stay in the second-level cache.
"""

_DESCENT_TOLERANCE = 1e-9
"""Largest change of a weight in the last sweep of coordinate descent, as a share of the largest weight."""
_DESCENT_SWEEPS = 1000
"""Largest number of sweeps of coordinate descent; with nearly duplicate latents, further ones gain little."""


class GaussianStatistics(NamedTuple):
    """Sums over images with the augmented latents ``g = [h, 1]``: sufficient statistics of the Gaussian
    M-step.

    Attributes
    ----------
    gg : (n_h + 1, n_h + 1) float64
        ``sum g g'``.
    xg : (n_v, n_h + 1) float64
        ``sum x g'``.
    """

    gg: NDArray[np.float64]
    xg: NDArray[np.float64]


def gaussian_statistics(X: NDArray, H: NDArray) -> GaussianStatistics:
    """Return the sufficient statistics of one batch."""
    G = np.column_stack([H, np.ones(len(H))]).astype(np.float64)
    return GaussianStatistics(G.T @ G, X.T @ G)


def solve_gaussian(statistics: GaussianStatistics, ridge: float) -> tuple[NDArray, NDArray]:
    """Return W and b that minimise ``sum ||x - W h - b||**2 + ridge ||W||**2``, jointly.

    The paper solves for W with b given. Dead units (always off) and duplicates make ``sum h h'`` singular:
    with the ridge dead units get weights of 0 and duplicates share theirs.

    Equation: (17).
    """
    penalty = np.full(len(statistics.gg), ridge)
    penalty[-1] = 0.0
    solution = scipy.linalg.solve(statistics.gg + np.diag(penalty), statistics.xg.T, assume_a="sym")
    return np.ascontiguousarray(solution[:-1]).T, solution[-1]


def solve_gaussian_nonnegative(
    statistics: GaussianStatistics, ridge: float, W: NDArray
) -> tuple[NDArray, NDArray]:
    """Return the W and b that minimise the objective of :func:`solve_gaussian` with nonnegative W.

    The method is coordinate descent: the weights of each latent in turn are set to their optimum, or to 0
    where that is negative. The ridge makes the objective strictly convex, so that this ends at the one
    optimum, wherever it starts.

    Equation: (17), with a bound.

    Parameters
    ----------
    W : (n_v, n_h)
        Initial weights: those of the previous step are near the optimum.
    """
    n, on, total = statistics.gg[-1, -1], statistics.gg[:-1, -1], statistics.xg[:, -1]
    # The best b for a given W is known; substituting it leaves centred sums and W as the only unknown.
    quadratic = statistics.gg[:-1, :-1] - np.outer(on, on) / n + ridge * np.eye(len(on))
    linear = (statistics.xg[:, :-1] - np.outer(total, on) / n).T
    rows = np.maximum(W.T, 0.0)
    for _ in range(_DESCENT_SWEEPS):
        moved = 0.0
        for j, own in enumerate(quadratic.diagonal()):
            best = np.maximum(rows[j] + (linear[j] - quadratic[j] @ rows) / own, 0.0)
            moved = max(moved, np.abs(best - rows[j]).max())
            rows[j] = best
        if moved <= _DESCENT_TOLERANCE * rows.max():
            break
    return rows.T, (total - on @ rows) / n


def gradient(params: LayerParams, visible: Visible, X: NDArray, H: NDArray) -> LayerParams:
    """Return the gradient of the mean ``log P(x, h)`` over the pairs of rows with respect to W, b and d.

    Equation: (15) and (16); for d, ``h_j - sigmoid(d_j)``. Pixels that are not known, NaN, have no residual.
    """
    return gradient_given(params, visible, X, H.astype(np.float64), activation(params, H))


def gradient_given(params: LayerParams, visible: Visible, X: NDArray, H: NDArray, a: NDArray) -> LayerParams:
    """Return :func:`gradient` for activations `a` (n, n_v) that are already known."""
    residual = X - (sigmoid(a) if visible == "bernoulli" else a)
    unknown = unknown_in(X)
    if unknown is not None:
        residual[unknown] = 0.0
    return LayerParams((H.T @ residual / len(X)).T, residual.mean(axis=0), H.mean(axis=0) - sigmoid(params.d))


@njit(**KERNEL)
def fill_means(gaussian, rows, b, H, means):
    """Fill `means` (n, n_v) with the mean of x given each row of `H` (n, n_h), uint8."""
    for m in range(H.shape[0]):
        activate_image(rows, b, H[np.int64(m)], means[np.int64(m)])
        if not gaussian:
            for i in range(means.shape[1]):
                means[m, i] = scalar_sigmoid(means[m, i])


@for_threads(**KERNEL)
def _activate(rows, b, H, a):
    """Fill `a` (n, n_v) with the activations of every row of `H` (n, n_h)."""
    for m in prange(H.shape[0]):
        activate_image(rows, b, H[np.int64(m)], a[np.int64(m)])


def row_sums(rows: NDArray, offset: NDArray, H: NDArray) -> NDArray[np.float64]:
    """Return ``H rows + offset`` for binary `H` (n, n_rows), by sums of `rows` (n_rows, width).

    Used by training and inference at every visit of a layer: the threads of the BLAS library would afterwards
    wait in busy loops on the cores that the next sweep needs.
    """
    # Writeable as well, so that one compiled kernel serves a loaded model's parameters and a trained one's.
    rows, offset = (np.require(p, np.float64, ("C", "W")) for p in (rows, offset))
    sums = np.empty((len(H), rows.shape[1]))
    latents = np.require(H, np.uint8, ("C", "W"))
    run_kernel(_activate, sums.size * len(rows) // 2, rows, offset, latents, sums)
    return sums


def binary_activation(params: LayerParams, H: NDArray) -> NDArray[np.float64]:
    """Return ``a = W h + b`` for each binary row of `H`; shape (n, n_v)."""
    return row_sums(params.W.T, params.b, H)


class Rows(NamedTuple):
    """Parameters, or a gradient of them, as the kernels of the M-step hold them; float64.

    Attributes
    ----------
    rows : (n_h, n_v)
        Rows ``w_j`` of weights.
    b : (n_v,)
    d : (n_h,)
    """

    rows: NDArray[np.float64]
    b: NDArray[np.float64]
    d: NDArray[np.float64]

    @property
    def params(self) -> LayerParams:
        """The same as a model holds them."""
        return LayerParams(self.rows.T, self.b, self.d)


def rows_of(params: LayerParams) -> Rows:
    """Return parameters as the kernels take them."""
    # Writeable as well, so that one compiled kernel serves a loaded model's parameters and a trained one's.
    return Rows(*(np.require(a, np.float64, ("C", "W")) for a in (params.W.T, params.b, params.d)))


class GradientSteps(NamedTuple):
    """Settings of gradient ascent, as :class:`~lrbn_viz.lrbn.m_step.MStep` declares them."""

    learning_rate: float
    decay_b: bool
    decay_steps: float
    prior: int
    """One of :data:`PRIORS`."""
    weight_decay: float
    nonnegative: bool
    warm_up: float
    momentum: float


FLAT, LEARNED, WARMED = range(3)
PRIORS: dict[str, int] = {"flat": FLAT, "learned": LEARNED, "warmed": WARMED}
"""Code of each kind of prior in compiled functions."""


class Ascent(NamedTuple):
    """A step of gradient ascent."""

    nonnegative: bool
    """True: a weight that the step takes below 0 becomes 0."""
    rate: float
    """Learning rate, and after it that of d."""
    prior_rate: float
    keep: float
    """Factor on W before the step, below 1 with weight decay; then those on b and on the last step."""
    keep_b: float
    momentum: float


FIGURES = ("log_joint", "wrong_pixels", "gradient_norm", "units_on")
"""Figures of a minibatch: mean ``log P(x, h)``, wrong pixels, size of the gradient, share of units on."""


class Regression(NamedTuple):
    """Statistics of a minibatch for the M-step of Bernoulli units."""

    updated: NDArray[np.float64]
    """(n_v, n_h) ``keep W + rate gradient.W``."""
    gradient: LayerParams
    """As :func:`gradient` returns it."""
    fit: NDArray[np.float64]
    """(2, n) ``log P(x | h)``, and the number of wrong pixels in the most probable x given h."""
    figures: NDArray[np.float64]
    """(4,), as :data:`FIGURES` names them."""


@njit(**SUMS)
def _add_rows(rows, which, k, out, m, pixels):
    """Add to row m of `out` the `rows` that row k of `which` lists, whose last entry is their number."""
    count = which[k, which.shape[1] - 1]
    fours = count // 4 * 4
    # Four at a time, as each pass reads and writes the sums.
    for first in range(0, fours, 4):
        q, r, s, t = which[k, first], which[k, first + 1], which[k, first + 2], which[k, first + 3]
        for i in pixels:
            out[m, i] += (rows[q, i] + rows[r, i]) + (rows[s, i] + rows[t, i])
    for last in range(fours, count):
        q = which[k, last]
        for i in pixels:
            out[m, i] += rows[q, i]


@njit(**SUMS)
def _regress_block(
    first, rows, b, X, on, images, keep, rate, residual, log_likelihood, wrong, squares, gradient, updated
):
    """Implement :func:`_regress` for the pixels from `first` on."""
    n, n_v = X.shape
    block = first // BLOCK
    last = min(first + BLOCK, n_v)
    # An index that may be negative would count from the end, and its loop would not vectorise.
    pixels = range(np.uintp(first), np.uintp(last))
    for m in range(n):
        for i in pixels:
            residual[m, i] = b[i]
        _add_rows(rows, on, m, residual, m, pixels)
        total = 0.0
        product = 1.0
        errors = 0.0
        for i in pixels:
            a = residual[m, i]
            t = exp(-abs(a))
            x = X[m, i]
            known = x == x  # NaN is not equal to itself
            total += (x - (1.0 if a > 0 else 0.0)) * a if known else 0.0
            # at most 2**BLOCK, which fits; one logarithm serves the block
            product *= 1.0 + t if known else 1.0
            residual[m, i] = x - (1.0 if a >= 0 else t) / (1.0 + t) if known else 0.0
            errors += 1.0 if known and (a > 0) != (x > 0) else 0.0
        log_likelihood[block, m] = total - math.log(product)
        wrong[block, m] = errors
    size = 0.0
    for j in range(rows.shape[0]):
        for i in pixels:
            gradient[j, i] = 0.0
        _add_rows(residual, images, j, gradient, j, pixels)
        for i in pixels:
            g = gradient[j, i] / n
            gradient[j, i] = g
            updated[j, i] = keep * rows[j, i] + rate * g
            size += g * g
    squares[block] = size


@for_threads(**KERNEL)
def _regress(rows, b, X, on, images, keep, rate, residual, log_likelihood, wrong, squares, gradient, updated):
    """Compute the residuals, the gradient of the weights and the updated weights, block by block of pixels.

    Parameters
    ----------
    rows : (n_h, n_v) float64
    on : (n, n_h + 1) int64
        For each image the latents that are on, and in the last column their number.
    images : (n_h, n + 1) int64
        For each latent the images in which it is on, and in the last column their number.

    Modified in place: `residual` (n, n_v), `log_likelihood` and `wrong` (n_blocks, n), `squares` (n_blocks,),
    `gradient` and `updated` (n_h, n_v).
    """
    for block in prange(log_likelihood.shape[0]):
        _regress_block(
            block * BLOCK, rows, b, X, on, images, keep, rate,
            residual, log_likelihood, wrong, squares, gradient, updated,
        )  # fmt: skip


regress_alone = _regress[1]


@njit(**KERNEL)
def list_on(H, on, images):
    """Fill `on` (n, n_h + 1) and `images` (n_h, n + 1) as :func:`_regress` reads them."""
    n, n_h = H.shape
    images[:, n] = 0
    for m in range(n):
        count = 0
        for j in range(n_h):
            # Written in any case, and overwritten by the next: a branch would often be mispredicted.
            is_on = int(H[m, j] != 0)
            on[m, count] = j
            count += is_on
            images[j, images[j, n]] = m
            images[j, n] += is_on
        on[m, n_h] = count


@njit(**KERNEL)
def conclude(H, d, residual, log_likelihood, wrong, squares, gradient, figures):
    """Complete the gradient of a minibatch by that of the offsets, and compute its figures.

    Modified in place: `b` and `d` of `gradient`, and `figures` (4,), as :data:`FIGURES` names them. The
    arrays between are those of :func:`_regress`. Equation: (15) and (16).
    """
    (n, n_h), n_v = H.shape, residual.shape[1]
    for i in range(n_v):
        gradient.b[i] = 0.0
    for j in range(n_h):
        gradient.d[j] = 0.0
    joint = errors = size = on = 0.0
    for m in range(n):
        for i in range(np.uintp(n_v)):
            gradient.b[i] += residual[m, i]
        for j in range(np.uintp(n_h)):
            gradient.d[j] += H[m, j]
        for block in range(len(squares)):
            joint += log_likelihood[block, m]
            errors += wrong[block, m]
    for j in range(n_h):
        on += gradient.d[j]
        joint += gradient.d[j] * d[j] - n * scalar_softplus(d[j])
        gradient.d[j] = gradient.d[j] / n - scalar_sigmoid(d[j])
        size += gradient.d[j] ** 2
    for i in range(n_v):
        gradient.b[i] /= n
        size += gradient.b[i] ** 2
    for block in range(len(squares)):
        size += squares[block]
    figures[0], figures[1], figures[2], figures[3] = joint / n, errors / n, np.sqrt(size), on / (n * n_h)


@njit(**KERNEL)
def ascend(old, gradient, how, velocity, new):
    """Take a step of gradient ascent: ``velocity = momentum velocity + gradient, new = keep old + rate
    velocity``.

    Parameters
    ----------
    old, gradient : Rows
    how : Ascent
    velocity : Rows
        Running sum of past gradients; without momentum it may be `gradient` itself.
    new : Rows
        Its `rows` are those that :func:`regress` updated; they change here with momentum, or where they may
        not be negative.

    Modified in place: `velocity`, `new`.
    """
    n_h, n_v = old.rows.shape
    for i in range(np.uintp(n_v)):
        velocity.b[i] = how.momentum * velocity.b[i] + gradient.b[i]
        new.b[i] = how.keep_b * old.b[i] + how.rate * velocity.b[i]
    for j in range(np.uintp(n_h)):
        velocity.d[j] = how.momentum * velocity.d[j] + gradient.d[j]
        new.d[j] = old.d[j] + how.prior_rate * velocity.d[j]
        if how.momentum > 0.0:
            for i in range(np.uintp(n_v)):
                velocity.rows[j, i] = how.momentum * velocity.rows[j, i] + gradient.rows[j, i]
                new.rows[j, i] = how.keep * old.rows[j, i] + how.rate * velocity.rows[j, i]
        if how.nonnegative:
            for i in range(np.uintp(n_v)):
                new.rows[j, i] = max(new.rows[j, i], 0.0)


@njit(**KERNEL)
def prior_share(prior, warm_up, step):
    """Return the share of the learning rate that d has at a step, from 0; at first a warmed prior is flat."""
    if prior == WARMED:
        return min(max(step / warm_up - 1.0, 0.0), 1.0)
    return 1.0 if prior == LEARNED else 0.0


@njit(**KERNEL)
def ascent_at(steps, step):
    """Return the step, an :class:`Ascent`, that follows `step` others by the settings of all."""
    rate = falling_rate(steps.learning_rate, steps.decay_steps, step)
    keep = kept_share(rate, steps.weight_decay)
    return Ascent(
        steps.nonnegative,
        rate,
        rate * prior_share(steps.prior, steps.warm_up, step),
        keep,
        keep if steps.decay_b else 1.0,
        steps.momentum,
    )


def regress(
    params: LayerParams, X: NDArray[np.float64], H: NDArray[np.float64], keep: float = 1.0, rate: float = 0.0
) -> Regression:
    """Return the gradient of the mean ``log P(x, h)`` of Bernoulli units and measures of their fit, in one
    pass.

    For binary `H`, it adds rows of W and of residuals instead of multiplying by 0 and 1. The step that `keep`
    and `rate` define costs little while the weights are in the cache. The BLAS library is not called: its
    threads would afterwards wait in busy loops on the cores that the E-step needs.

    Equation: (15) and (16), over the pixels that are known, not NaN.
    """
    n, n_h = H.shape
    n_v = params.n_v
    rows, b, d = rows_of(params)
    X, H = (np.require(a, np.float64, ("C", "W")) for a in (X, H))
    on, images = np.empty((n, n_h + 1), np.int64), np.empty((n_h, n + 1), np.int64)
    list_on(H, on, images)
    residual, updated, figures = np.empty((n, n_v)), np.empty((n_h, n_v)), np.empty(len(FIGURES))
    gradient = Rows(np.empty((n_h, n_v)), np.empty(n_v), np.empty(n_h))
    n_blocks = -(-n_v // BLOCK)
    log_likelihood, wrong = np.empty((2, n_blocks, n))
    found = residual, log_likelihood, wrong, np.empty(n_blocks)
    arrays = (*found, gradient.rows, updated)
    run_kernel(_regress, n * n_h * n_v, rows, b, X, on, images, float(keep), float(rate), *arrays)
    conclude(H, d, *found, gradient, figures)
    return Regression(
        updated.T,
        gradient.params,
        np.array([log_likelihood.sum(axis=0), wrong.sum(axis=0)]),
        figures,
    )
