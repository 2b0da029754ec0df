"""The horseshoe prior of the weights and the terms of the data, weight by weight.

Given a weight and ``xi_ij``, the variance ``zeta_ij`` of the weight is generalised inverse Gaussian of index
0, whose means are ratios of the modified Bessel functions K_1 and K_0. For arguments up to 2 the ratio is
computed from their power series (Abramowitz and Stegun, 1964, 9.6.11); beyond, it is a smooth function of the
reciprocal of the argument, which is approximated by Chebyshev polynomials. The relative error is below 1e-9.

References
----------
M. Abramowitz and I. A. Stegun, editors (1964). Handbook of Mathematical Functions. National Bureau of
Standards.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit, prange
from numpy.polynomial import Chebyshev, Polynomial
from scipy.special import k0e, k1e

from lrbn_viz.kernels.numerics import INLINED, KERNEL, SUMS, for_threads
from lrbn_viz.kernels.simd.math import log

_INLINED: dict[str, Any] = {**INLINED, "fastmath": {"contract"}}
_MIN_SQUARE = 1e-12
_BORDER = 2.0
_N_TERMS = 9

_ORDERS = range(_N_TERMS)
_HARMONIC = [sum(1.0 / i for i in range(1, k + 1)) for k in range(_N_TERMS + 1)]


def _falling(coefficients: Any) -> tuple[float, ...]:
    """Return the coefficients in Horner's order, that of the highest power first."""
    return tuple(float(each) for each in reversed(list(coefficients)))


# Series in t = x**2 / 4: K_0 = P - (log(x / 2) + gamma) I_0, x K_1 = 1 + 2 t (log(x / 2) + gamma) S - t R.
_I0 = _falling(1.0 / math.factorial(k) ** 2 for k in _ORDERS)
_P = _falling(_HARMONIC[k] / math.factorial(k) ** 2 for k in _ORDERS)
_S = _falling(1.0 / (math.factorial(k) * math.factorial(k + 1)) for k in _ORDERS)
_R = _falling(
    (_HARMONIC[k] + _HARMONIC[k + 1]) / (math.factorial(k) * math.factorial(k + 1)) for k in _ORDERS
)
_FAR = _falling(
    Chebyshev.interpolate(lambda u: k1e(4.0 / (u + 1.0)) / k0e(4.0 / (u + 1.0)), 10)
    .convert(kind=Polynomial)
    .coef
)
"""Chebyshev coefficients for arguments beyond the border, in ``u = 2 border / x - 1``."""
_GAMMA = float(np.euler_gamma)


@njit(**_INLINED)
def _polynomial(coefficients, t):
    """Return a polynomial at t, by Horner's scheme."""
    total = 0.0
    for each in coefficients:
        total = total * t + each
    return total


@njit(**_INLINED)
def bessel_ratio(x):
    """Return ``K_1(x) / K_0(x)`` of x > 0."""
    t = 0.25 * x * x
    logarithm = log(0.5 * x) + _GAMMA
    k1 = 1.0 + t * (2.0 * logarithm * _polynomial(_S, t) - _polynomial(_R, t))
    k0 = _polynomial(_P, t) - logarithm * _polynomial(_I0, t)
    near, far = k1 / (x * k0), _polynomial(_FAR, 2.0 * _BORDER / x - 1.0)
    return near if x <= _BORDER else far


@njit(**_INLINED)
def _fit_row(w, variance, column_rate, rate, shrinkage, new_rate):
    """Implement :func:`fit_prior` for the weights of one unit below."""
    for j in range(np.uintp(len(w))):
        double = 2.0 * float(rate[j])
        square = max(float(w[j] * w[j] + variance[j]), _MIN_SQUARE)
        root = np.sqrt(double * square)
        means = bessel_ratio(root) / root
        shrinkage[j] = means * double
        new_rate[j] = 1.0 / (means * square + column_rate[j])


@njit(**SUMS)
def _renew_row(w, shrinkage, added, kept, share, n_images, use, sums):
    """Implement :func:`renew_use` for the weights of one unit below."""
    sd, near = np.float32(0.0), np.float32(0.0)
    for j in range(np.uintp(len(w))):
        use[j] = kept * use[j] + share * added[j]
        variance = np.float32(1.0) / (shrinkage[j] + n_images * use[j])
        sd += np.sqrt(variance)
        near += np.float32(1.0) if np.float32(4.0) * variance > w[j] * w[j] else np.float32(0.0)
    sums[0] = sd
    sums[1] = near


@njit(**_INLINED)
def _finish_row(w, shrinkage, pull, images, n_images, along):
    """Implement :func:`finish_slope` for the weights of one unit below."""
    for j in range(np.uintp(len(w))):
        along[j] = (along[j] - pull[j] * w[j]) / images - shrinkage[j] / n_images * w[j]


@for_threads(**KERNEL)
def fit_prior(W, variance, column_rate, rate, shrinkage, new_rate):
    """Fit the prior's shrinkage and rates once to the weights.

    Parameters
    ----------
    W, variance : (n_v, n_h) float32
        Mean and variance of each weight.
    column_rate : (n_h,) float64
        ``E phi_j``.
    rate : (n_v, n_h) float32
        ``E xi_ij``.
    shrinkage, new_rate : (n_v, n_h) float32
        Filled with ``E 1 / zeta_ij`` and the next ``E xi_ij``.
    """
    for i in prange(W.shape[0]):
        _fit_row(W[i], variance[i], column_rate, rate[i], shrinkage[i], new_rate[i])


@for_threads(**KERNEL)
def renew_use(W, shrinkage, added, kept, share, n_images, use, sums):
    """Update the running mean of the data term of each weight.

    Parameters
    ----------
    W, shrinkage : (n_v, n_h) float32
        Mean of each weight, and the precision of the prior.
    added : (n_v, n_h) float32
        Sum of ``g_i q_j`` over a minibatch.
    kept, share, n_images : float32
        Share of the old value in the running mean; share of one image; number of training images.
    use : (n_v, n_h) float32
        The running mean. Modified in place.
    sums : (n_v, 2) float32
        Filled with the sum of the weights' standard deviations, and the number of weights within two of them
        of 0.
    """
    for i in prange(W.shape[0]):
        _renew_row(W[i], shrinkage[i], added[i], kept, share, n_images, use[i], sums[i])


@for_threads(**KERNEL)
def finish_slope(W, shrinkage, pull, images, n_images, along):
    """Add the terms of the pixels' precisions and of the prior to the gradient of each weight.

    Parameters
    ----------
    W, shrinkage : (n_v, n_h) float32
        Mean of each weight, and the precision of the prior.
    pull : (n_v, n_h) float32
        Sum of ``g_i q_j (1 - q_j)`` over a minibatch.
    images, n_images : float32
        Numbers of images in the minibatch and in the training set.
    along : (n_v, n_h) float32
        Sum of ``(x_i - 1/2 - g_i E a_i) q_j`` over the minibatch; becomes the mean slope.
    """
    for i in prange(W.shape[0]):
        _finish_row(W[i], shrinkage[i], pull[i], images, n_images, along[i])
