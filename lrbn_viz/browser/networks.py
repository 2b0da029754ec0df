"""Training of a sigmoid belief network of one layer by reweighted wake-sleep, on one thread and in place, as
browsers do it.

The steps are those of :class:`~lrbn_viz.rivals.sbn.rws.RWSSystem` with momentum, by the same kernels; dense
products, which are BLAS's there, are sums of rows here.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import KERNEL, SUMS, scalar_sigmoid, scalar_softplus
from lrbn_viz.kernels.steps import falling_rate
from lrbn_viz.rivals.sbn import kernels
from lrbn_viz.rivals.sbn.kernels import list_on, momentum_step, share_of_gradient, sum_listed

_credit, _draw, _guess, _weigh = (
    twins[1] for twins in (kernels.credit, kernels.draw, kernels.guess, kernels.weigh)
)
_ZERO = np.float32(0.0)

FIGURES = ("bound", "effective_sample_size", "activity")
"""Figures of a minibatch: mean ``log (1/K) sum_k w_k``, mean ``(sum w)**2 / sum w**2``, mean of q(h | x)."""


class Uniforms(NamedTuple):
    """Numbers in [0, 1) that a step draws states by; float32."""

    H: NDArray[np.float32]
    """(n * K, n_h): particles."""
    dreamt_H: NDArray[np.float32]
    dreamt_X: NDArray[np.float32]
    """(n, n_h) and (n, n_v): latents and images that the generative network draws."""


@njit(**KERNEL)
def _by_rows(X, rows, out):
    """Fill `out` with ``X rows`` of binary X."""
    n, width = X.shape
    in_rows, in_columns = np.empty((n, width), np.int32), np.empty((width, n), np.int32)
    row_counts, column_counts = np.empty(n, np.int64), np.empty(width, np.int64)
    list_on(X, np.inf, in_rows, row_counts, in_columns, column_counts)
    sum_listed(in_rows, row_counts, rows, out)


@njit(**KERNEL)
def _by_columns(X, rows, out):
    """Fill `out` with ``X' rows`` of binary X."""
    n, width = X.shape
    in_rows, in_columns = np.empty((n, width), np.int32), np.empty((width, n), np.int32)
    row_counts, column_counts = np.empty(n, np.int64), np.empty(width, np.int64)
    list_on(X, np.inf, in_rows, row_counts, in_columns, column_counts)
    sum_listed(in_columns, column_counts, rows, out)


@njit(**SUMS)
def _outer_sums(A, B, out):
    """Fill `out` with ``A'B``."""
    columns = range(np.uintp(B.shape[1]))
    for i in range(np.uintp(A.shape[1])):
        for j in columns:
            out[i, j] = _ZERO
        for r in range(np.uintp(A.shape[0])):
            a = A[r, i]
            for j in columns:
                out[i, j] += a * B[r, j]


@njit(**KERNEL)
def _transposed(W):
    """Return the columns of W as rows."""
    rows = np.empty((W.shape[1], W.shape[0]), np.float32)
    for i in range(W.shape[0]):
        for j in range(W.shape[1]):
            rows[j, i] = W[i, j]
    return rows


@njit(**KERNEL)
def _recognised(of, X, log_odds, means):
    """Fill the log-odds and the means of q(h | x), (n, n_h) each; return ``sum_j softplus(z_j)``, (n,)."""
    normaliser = np.empty(X.shape[0])
    _by_rows(X, of.V, log_odds)
    _guess(log_odds, of.c, means, normaliser)
    return normaliser


@njit(**KERNEL)
def _shares(log_weights, shares, figures):
    """Fill each particle's share of its image's weights (n, K); add to the figures of the minibatch."""
    n, n_each = shares.shape
    for m in range(n):
        most, total, squares = -np.inf, 0.0, 0.0
        for k in range(n_each):
            most = max(most, log_weights[m * n_each + k])
        for k in range(n_each):
            total += math.exp(log_weights[m * n_each + k] - most)
        for k in range(n_each):
            share = math.exp(log_weights[m * n_each + k] - most) / total
            squares += share * share
            shares[m, k] = share / n
        figures[0] += (most + math.log(total / n_each)) / n
        figures[1] += 1.0 / (squares * n)


@njit(**KERNEL)
def _dream(of, rows, H, X):
    """Draw latents and images of the generative network; H and X are uniform numbers at first."""
    n, n_h = H.shape
    _draw(of.d.reshape((1, n_h)), n, H)
    a = np.empty(X.shape, np.float32)
    _by_rows(H, rows, a)
    for m in range(n):
        for i in range(X.shape[1]):
            a[m, i] += of.b[i]
    _draw(a, 1, X)


@njit(**KERNEL)
def _asleep(of, rows, uniforms, gradient):
    """Draw images from the generative network, and add the gradient of their recognition."""
    H, X = uniforms.dreamt_H, uniforms.dreamt_X
    n, n_h = H.shape
    _dream(of, rows, H, X)
    log_odds, means = np.empty((n, n_h), np.float32), np.empty((n, n_h), np.float32)
    _recognised(of, X, log_odds, means)
    for m in range(n):
        for j in range(n_h):
            H[m, j] = (H[m, j] - means[m, j]) / np.float32(n)
            gradient.c[j] += H[m, j]
    along_V = np.empty(of.V.shape, np.float32)
    _by_columns(X, H, along_V)
    for i in range(along_V.shape[0]):
        for j in range(n_h):
            gradient.V[i, j] += along_V[i, j]


@njit(**KERNEL)
def _awake(of, rows, X, H, n_each, wakes, gradient, figures):
    """Draw particles of a minibatch, and fill the gradients that they give."""
    (n, n_v), n_h = X.shape, of.W.shape[1]
    log_odds, means = np.empty((n, n_h), np.float32), np.empty((n, n_h), np.float32)
    normaliser = _recognised(of, X, log_odds, means)
    _draw(log_odds, n_each, H)
    residual, log_weights = np.empty((n * n_each, n_v), np.float32), np.empty(n * n_each)
    _by_rows(H, rows, residual)
    fixed = 0.0
    for j in range(n_h):
        fixed += scalar_softplus(of.d[j])
    for m in range(n):
        normaliser[m] -= fixed
        for j in range(n_h):
            figures[2] += means[m, j] / (n * n_h)
    _weigh(residual, of.b, X, H, of.d, log_odds, normaliser, n_each, log_weights)
    shares, signal = np.empty((n, n_each), np.float32), np.empty((n, n_h), np.float32)
    _shares(log_weights, shares, figures)
    _credit(H, shares, shares, means, n_each, signal)
    _outer_sums(residual, H, gradient.W)
    whole = _ZERO
    for i in range(n_v):
        gradient.b[i] = _ZERO
    for j in range(n_h):
        gradient.d[j] = gradient.c[j] = _ZERO
    for r in range(n * n_each):
        share = shares[r // n_each, r % n_each]
        whole += share
        for i in range(n_v):
            gradient.b[i] += share * residual[r, i]
        for j in range(n_h):
            gradient.d[j] += H[r, j]
    for j in range(n_h):
        gradient.d[j] -= whole * np.float32(scalar_sigmoid(of.d[j]))
    if wakes:
        _by_columns(X, signal, gradient.V)
        for m in range(n):
            for j in range(n_h):
                gradient.c[j] += signal[m, j]
    else:
        for i in range(n_v):
            for j in range(n_h):
                gradient.V[i, j] = _ZERO


@njit(**KERNEL)
def rws_step_alone(
    of, mean, gradient, X, uniforms, n_each, wakes, sleeps, learning_rate, decay_steps, momentum,
    generative_rate, recognition_rate, step, figures,
):  # fmt: skip
    """Take a step of reweighted wake-sleep.

    Parameters
    ----------
    of, mean, gradient : LayerNetworks
        Parameters, running means of their gradients, and room for the gradients; float32. Modified in place.
    X : (n, n_v) float32
        0.0 and 1.0.
    uniforms : Uniforms
        Overwritten.
    n_each : int
        K.
    wakes, sleeps : bool
        Phases in which the recognition network learns.
    learning_rate, decay_steps, momentum, generative_rate, recognition_rate : float
        Settings of :class:`~lrbn_viz.rivals.sbn.rws.RWSSystem`.
    step : int
        Number of steps that have gone before.
    figures : (5,) float64
        Filled with :data:`FIGURES`, the learning rate, and a number that is finite unless a parameter is not.
    """
    for k in range(len(figures)):
        figures[k] = 0.0
    rate = falling_rate(learning_rate, decay_steps, step)
    said, guessed = np.float32(rate * generative_rate), np.float32(rate * recognition_rate)
    share = np.float32(share_of_gradient(momentum))
    rows = _transposed(of.W)
    _awake(of, rows, X, uniforms.H, n_each, wakes, gradient, figures)
    if sleeps:
        _asleep(of, rows, uniforms, gradient)
    total = momentum_step(of.W, gradient.W, mean.W, share, said, of.W, mean.W)
    total += momentum_step(of.b, gradient.b, mean.b, share, said, of.b, mean.b)
    total += momentum_step(of.d, gradient.d, mean.d, share, said, of.d, mean.d)
    total += momentum_step(of.V, gradient.V, mean.V, share, guessed, of.V, mean.V)
    total += momentum_step(of.c, gradient.c, mean.c, share, guessed, of.c, mean.c)
    figures[3], figures[4] = rate, total


@njit(**KERNEL)
def recognise_alone(of, X, means):
    """Fill `means` (n, n_h) float32 with those of q(h | x) of each image, (n, n_v) float32."""
    _recognised(of, X, np.empty(means.shape, np.float32), means)


@njit(**KERNEL)
def generate_alone(of, H, means):
    """Fill `means` (n, n_v) float64 with ``sigmoid(W h + b)`` of states or means h, (n, n_h) float32."""
    for m in range(H.shape[0]):
        for i in range(means.shape[1]):
            total = float(of.b[i])
            for j in range(H.shape[1]):
                total += of.W[i, j] * H[m, j]
            means[m, i] = scalar_sigmoid(total)


@njit(**KERNEL)
def dream_alone(of, uniforms):
    """Draw images by ancestral sampling. Modified in place: `uniforms`, whose `dreamt_X` are the images."""
    _dream(of, _transposed(of.W), uniforms.dreamt_H, uniforms.dreamt_X)
