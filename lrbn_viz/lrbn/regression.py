"""The M-step: regression of x on known latents, by gradients or, for Gaussian units, in closed form."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy.linalg
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.lrbn.model import LRBNParams, Visible, activation
from lrbn_viz.numerics import INNER, run_kernel, sigmoid

BLOCK = 112
"""Pixels that one visit of the regression's kernels covers: for a minibatch they stay in the first cache."""


class GaussianStatistics(NamedTuple):
    """Sums over images of the augmented latents ``g = [h, 1]``: all that the Gaussian M-step needs of the
    data.

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

    The paper solves W for a given b. Dead units (always off) and duplicates make ``sum h h'`` singular: with
    the ridge dead units get weights of 0 and duplicates share theirs.

    Equation: (17).
    """
    penalty = np.full(len(statistics.gg), ridge)
    penalty[-1] = 0.0
    solution = scipy.linalg.solve(statistics.gg + np.diag(penalty), statistics.xg.T, assume_a="sym")
    return np.ascontiguousarray(solution[:-1]).T, solution[-1]


def gradient(params: LRBNParams, visible: Visible, X: NDArray, H: NDArray) -> LRBNParams:
    """Return the gradient of the mean ``log P(x, h)`` over the pairs of rows with respect to W, b and d.

    Equation: (15) and (16); for d, ``h_j - sigmoid(d_j)``.
    """
    return gradient_given(params, visible, X, H.astype(np.float64), activation(params, H))


def gradient_given(params: LRBNParams, visible: Visible, X: NDArray, H: NDArray, a: NDArray) -> LRBNParams:
    """Return :func:`gradient` where the activations `a` (n, n_v) are already known."""
    residual = X - (sigmoid(a) if visible == "bernoulli" else a)
    return LRBNParams((H.T @ residual / len(X)).T, residual.mean(axis=0), H.mean(axis=0) - sigmoid(params.d))


class Regression(NamedTuple):
    """What the M-step of Bernoulli units reads off a minibatch.

    Attributes
    ----------
    slope : LRBNParams
        As :func:`gradient` returns it.
    log_likelihood : (n,) float64
        ``log P(x | h)``.
    wrong : (n,) float64
        Pixels that the likelier x given h has wrong.
    """

    slope: LRBNParams
    log_likelihood: NDArray[np.float64]
    wrong: NDArray[np.float64]


@njit(**INNER)
def _regress_block(first, rows, b, X, H, on, residual, log_likelihood, wrong, slope):
    """Do what :func:`_regress` does for the pixels from `first` on."""
    n, n_h = H.shape
    n_v = rows.shape[1]
    block = first // BLOCK
    last = min(first + BLOCK, n_v)
    # An index that may be negative would count from the end, and its loop would not vectorise.
    pixels = range(np.uintp(first), np.uintp(last))
    for m in range(n):
        for i in pixels:
            residual[m, i] = b[i]
    # One row of weights at a time, so that it is read from memory once for all images.
    for j in range(n_h):
        for k in range(on[j, n]):
            m = on[j, k]
            for i in pixels:
                residual[m, i] += rows[j, i]
    for m in range(n):
        total = 0.0
        product = 1.0
        errors = 0.0
        for i in pixels:
            a = residual[m, i]
            t = math.exp(-abs(a))
            x = X[m, i]
            total += (x - (1.0 if a > 0 else 0.0)) * a
            product *= 1.0 + t  # at most 2**BLOCK, which fits; one logarithm serves the block
            residual[m, i] = x - (1.0 if a >= 0 else t) / (1.0 + t)
            if (a > 0) != (x > 0):
                errors += 1.0
        log_likelihood[block, m] = total - math.log(product)
        wrong[block, m] = errors
    for j in range(n_h):
        for i in pixels:
            slope[j, i] = 0.0
        for k in range(on[j, n]):
            m = on[j, k]
            for i in pixels:
                slope[j, i] += residual[m, i]
        for i in pixels:
            slope[j, i] /= n


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def _regress(rows, b, X, H, on, residual, log_likelihood, wrong, slope):
    """Compute the residuals and the slope of the weights, block by block of pixels.

    Parameters
    ----------
    rows : (n_h, n_v) float64
    on : (n_h, n + 1) int64
        For each latent the images in which it is on, and in the last column how many these are.

    Modified in place: `residual` (n, n_v), `log_likelihood` and `wrong` (n_blocks, n), `slope` (n_h, n_v).
    """
    for block in prange(log_likelihood.shape[0]):
        _regress_block(block * BLOCK, rows, b, X, H, on, residual, log_likelihood, wrong, slope)


@njit(cache=True, nogil=True, error_model="numpy")
def _regress_serial(rows, b, X, H, on, residual, log_likelihood, wrong, slope):
    """Do the same on one thread."""
    for block in range(log_likelihood.shape[0]):
        _regress_block(block * BLOCK, rows, b, X, H, on, residual, log_likelihood, wrong, slope)


@njit(cache=True, nogil=True, error_model="numpy")
def _list_on(H, on):
    """Fill `on` (n_h, n + 1) as :func:`_regress` reads it."""
    n, n_h = H.shape
    for j in range(n_h):
        count = 0
        for m in range(n):
            if H[m, j] != 0:
                on[j, count] = m
                count += 1
        on[j, n] = count


def regress(params: LRBNParams, X: NDArray[np.float64], H: NDArray[np.float64]) -> Regression:
    """Return the gradient of the mean ``log P(x, h)`` of Bernoulli units and how well they fit, in one go.

    For binary `H`: it adds up rows of W and of residuals where matrix products would multiply by 0 and 1.

    Equation: (15) and (16).
    """
    n, n_h = H.shape
    n_v = params.n_v
    # Writeable as well, so that one compiled kernel serves a loaded model's parameters and a trained one's.
    rows, b, X, H = (np.require(a, np.float64, ("C", "W")) for a in (params.W.T, params.b, X, H))
    on = np.empty((n_h, n + 1), np.int64)
    _list_on(H, on)
    residual, slope = np.empty((n, n_v)), np.empty((n_h, n_v))
    log_likelihood, wrong = np.empty((2, -(-n_v // BLOCK), n))
    arrays = (rows, b, X, H, on, residual, log_likelihood, wrong, slope)
    run_kernel(_regress, _regress_serial, n * n_h * n_v, *arrays)
    d = H.mean(axis=0) - sigmoid(params.d)
    return Regression(
        LRBNParams(slope.T, residual.mean(axis=0), d), log_likelihood.sum(axis=0), wrong.sum(axis=0)
    )
