"""Elementwise kernels of mean field with the tilted bound of Saul, Jaakkola and Jordan, in single precision.

The latents of an image are assumed to be independent, with means q. Under them, with ``a_i = b_i + sum_j w_ij
h_j`` and any tilt xi_i,

    E log(1 + exp(a_i)) <= xi_i E a_i + log(A_i + B_i),
    A_i = E exp(-xi_i a_i)       = exp(-xi_i b_i) prod_j (1 - q_j + q_j exp(-xi_i w_ij)),
    B_i = E exp((1 - xi_i) a_i)  = exp((1 - xi_i) b_i) prod_j (1 - q_j + q_j exp((1 - xi_i) w_ij)),

since the logarithm is concave. With phi_i = B_i / (A_i + B_i) the bound on log P(x) has slope ``x_i - phi_i``
in b_i. In q_j, ``-log(A_i + B_i)`` is convex, so that its tangent lies below it: moving a mean to the optimum
of the tangents never lowers the bound.

In single precision ``1 - phi_i`` has an error of about 1e-7, which is multiplied by ``exp(|w_ij|)``: with
weights beyond about 12, visits become inexact. Traces of one image are in double precision
(:class:`~lrbn_viz.lrbn.means.moments.TiltedMoments`).

References
----------
L. K. Saul, T. Jaakkola and M. I. Jordan (1996). Mean field theory for sigmoid belief networks. Journal of
Artificial Intelligence Research 4, 61-76.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

from lrbn_viz.kernels.numerics import KERNEL, SUMS, for_threads
from lrbn_viz.kernels.simd.math import exp32, log

MIN_MEAN_DISTANCE = 1e-6
"""Smallest distance of a mean from 0 and 1."""
CONVERGENCE_TOLERANCE = 1e-5
"""Smallest change of a mean that is made."""
MAX_EXPONENT_SUM = 600.0
"""Bound on the sum of exponents of factors that are multiplied in double precision before a logarithm is
taken.
"""
NEWTON_STEPS = 3

_ZERO, _HALF, _ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)
_LEAST, _MOST, _MOVED = (
    np.float32(MIN_MEAN_DISTANCE),
    np.float32(1.0 - MIN_MEAN_DISTANCE),
    np.float32(CONVERGENCE_TOLERANCE),
)
_QUARTER = np.float32(0.25)
_MAX_PRODUCT = 1e290


@njit(**SUMS)
def sigmoid32(z):
    """Return ``1 / (1 + exp(-z))``, single precision."""
    t = exp32(-abs(z))
    return (_ONE if z >= _ZERO else t) / (_ONE + t)


@njit(**SUMS)
def inside(q):
    """Return the mean nearest to q that is at least `MIN_MEAN_DISTANCE` away from 0 and 1.

    Not-a-number is returned unchanged.
    """
    if q < _LEAST:
        return _LEAST
    return _MOST if q > _MOST else q


@njit(**SUMS)
def towards_tilt(z, mean, variance, s, half, one):
    """Return a Newton step from z towards the root of ``z + v (s - 1/2) = m``, where s is ``sigmoid(z)``.

    For a normal activation with mean m and variance v the optimal tilt is ``xi = sigmoid(z)`` at the root. It
    has the sign of m and lies beyond ``m / (1 + v / 4)``, from which the steps approach it monotonically.
    `half` and `one` are these numbers in the precision of the others.
    """
    return z - (z + variance * (s - half) - mean) / (one + variance * s * (one - s))


@njit(**SUMS)
def _choose_tilts(rows, b, q, mean, variance, xi):
    """Fill the mean and variance of each activation, and the tilt that would be optimal if it were normal."""
    columns = range(np.uintp(rows.shape[1]))
    for i in columns:
        mean[i] = b[i]
        variance[i] = _ZERO
    for j in range(rows.shape[0]):
        m = q[j]
        v = m * (_ONE - m)
        for i in columns:
            w = rows[j, i]
            mean[i] += m * w
            variance[i] += v * w * w
    for i in columns:
        m, v = mean[i], variance[i]
        z = m / (_ONE + _QUARTER * v)
        for _ in range(NEWTON_STEPS):
            z = towards_tilt(z, m, v, sigmoid32(z), _HALF, _ONE)
        xi[i] = sigmoid32(z)


@njit(**SUMS)
def _multiply(rows, scales, b, q, xi, n_fold, room, low, high):
    """Fill ``log A_i`` and ``log B_i``; scratch: `room` (2, n_v) float64."""
    n_h, columns = rows.shape[0], range(np.uintp(rows.shape[1]))
    for i in columns:
        low[i] = -xi[i] * b[i]
        high[i] = (_ONE - xi[i]) * b[i]
        room[0, i] = 1.0
        room[1, i] = 1.0
    for j in range(n_h):
        m = q[j]
        rest = _ONE - m
        for i in columns:
            t = exp32(-xi[i] * rows[j, i])
            room[0, i] *= rest + m * t
            room[1, i] *= rest + m * t * scales[j, i]
        if (j + 1) % n_fold == 0 or j == n_h - 1:
            for i in columns:
                low[i] += log(room[0, i])
                high[i] += log(room[1, i])
                room[0, i] = 1.0
                room[1, i] = 1.0


@njit(**SUMS)
def _visit_all(rows, scales, d, x, q, xi, odds, phi, t):
    """Set each latent's mean in turn to the optimum of the tangents; odds (n_v,) float64 are B / A."""
    columns = range(np.uintp(rows.shape[1]))
    for j in range(rows.shape[0]):
        m = q[j]
        rest = _ONE - m
        total = _ZERO
        for i in columns:
            w = rows[j, i]
            low = exp32(-xi[i] * w)
            high = low * scales[j, i]
            a, b = rest + m * low, rest + m * high
            slope = (_ONE - phi[i]) * (low - _ONE) * b + phi[i] * (high - _ONE) * a
            total += (x[i] - xi[i]) * w - slope / (a * b)
            t[i] = low
        new = inside(sigmoid32(d[j] + total))
        if not abs(new - m) <= _MOVED:  # not-a-number moves
            other = _ONE - new
            q[j] = new
            for i in columns:
                low, high = t[i], t[i] * scales[j, i]
                ratio = (other + new * high) * (rest + m * low) / ((rest + m * high) * (other + new * low))
                moved = min(max(odds[i] * ratio, 1.0 / _MAX_PRODUCT), _MAX_PRODUCT)
                odds[i] = moved
                phi[i] = moved / (1.0 + moved)


@njit(**SUMS)
def entropy_of(on):
    """Return the entropy of a latent of this mean, nats."""
    off = 1.0 - on
    return -on * log(max(on, 1e-300)) - off * log(max(off, 1e-300))


@njit(**SUMS)
def latent_terms(q, d):
    """Return the sum of ``sum_j q_j d_j`` and the entropy at the means, nats."""
    total = 0.0
    for j in range(np.uintp(len(q))):
        on = float(q[j])
        total += on * float(d[j]) + entropy_of(on)
    return total


@njit(**SUMS)
def _finish(x, xi, mean, low, high, phi):
    """Fill phi, and return the terms of the pixels in the bound, nats."""
    total = 0.0
    for i in range(np.uintp(len(x))):
        z = high[i] - low[i]
        t = math.exp(-abs(z))
        phi[i] = (1.0 if z >= 0.0 else t) / (1.0 + t)
        total += (x[i] - xi[i]) * mean[i] - low[i] - max(z, 0.0) - math.log(1.0 + t)
    return total


@njit(**KERNEL)
def _ascend_image(m, rows, scales, b, d, X, n_sweeps, n_fold, Q, xi, phi, bounds, singles, doubles):
    """Implement :func:`ascend_means` for image m."""
    x, q, tilts, shares = X[m], Q[m], xi[m], phi[m]
    mean, variance, t = singles[m, 0], singles[m, 1], singles[m, 2]
    low, high, odds, room = doubles[m, 0], doubles[m, 1], doubles[m, 2], doubles[m, 3:]
    for j in range(len(q)):
        q[j] = inside(q[j])
    for _ in range(n_sweeps):
        _choose_tilts(rows, b, q, mean, variance, tilts)
        _multiply(rows, scales, b, q, tilts, n_fold, room, low, high)
        for i in range(len(x)):
            odds[i] = math.exp(min(max(high[i] - low[i], -660.0), 660.0))
            shares[i] = odds[i] / (1.0 + odds[i])
        _visit_all(rows, scales, d, x, q, tilts, odds, shares, t)
    _choose_tilts(rows, b, q, mean, variance, tilts)
    _multiply(rows, scales, b, q, tilts, n_fold, room, low, high)
    bounds[m] += _finish(x, tilts, mean, low, high, shares) + latent_terms(q, d)


@for_threads(**KERNEL)
def ascend_means(rows, scales, b, d, X, n_sweeps, n_fold, Q, xi, phi, bounds, singles, doubles):
    """Ascend the bound by sweeps over the latents of each image.

    Parameters
    ----------
    rows : (n_h, n_v) float32
        The transpose of W.
    scales : (n_h, n_v) float32
        The exponentials of `rows`.
    b, d : (n_v,), (n_h,) float32
    X : (n, n_v) float32
    n_sweeps : int
    n_fold : int
        Number of latents after which logarithms are taken, so that products of factors stay finite.
    Q : (n, n_h) float32
        Means. Modified in place: after the sweeps.
    xi, phi : (n, n_v) float32
        Filled with the tilts, and with B / (A + B), at the end.
    bounds : (n,) float64
        ``-sum_j softplus(d_j)``. Modified in place: the bound on log P(x) at the end is added, nats.
    singles : (n, 3, n_v) float32
        Scratch.
    doubles : (n, 5, n_v) float64
        Scratch.
    """
    for m in prange(X.shape[0]):
        _ascend_image(
            np.int64(m), rows, scales, b, d, X, n_sweeps, n_fold, Q, xi, phi, bounds, singles, doubles
        )


@njit(**SUMS)
def _slope_of_row(j, rows, scales, X, Q, xi, phi, along):
    """Implement :func:`tilted_slope` for latent j."""
    columns = range(np.uintp(rows.shape[1]))
    for i in columns:
        along[j, i] = _ZERO
    for m in range(X.shape[0]):
        q = Q[m, j]
        if q <= _LEAST:
            continue
        rest = _ONE - q
        for i in columns:
            tilt = xi[m, i]
            low = exp32(-tilt * rows[j, i])
            high = low * scales[j, i]
            a, b = rest + q * low, rest + q * high
            tilted = tilt * low * (_ONE - phi[m, i]) * b - (_ONE - tilt) * high * phi[m, i] * a
            along[j, i] += q * (X[m, i] - tilt + tilted / (a * b))


@for_threads(**KERNEL)
def tilted_slope(rows, scales, X, Q, xi, phi, along):
    """Fill the gradient of the sum of all images' bounds with respect to the weights.

    An image in which the mean of a latent is `MIN_MEAN_DISTANCE` contributes nothing to its weights.

    Parameters
    ----------
    rows, scales, X, Q, xi, phi
        The arrays after :func:`ascend_means`.
    along : (n_h, n_v) float32
        Filled.
    """
    for j in prange(rows.shape[0]):
        _slope_of_row(np.int64(j), rows, scales, X, Q, xi, phi, along)
