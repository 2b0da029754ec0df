"""Elementwise kernels of mean field with the quadratic bound of Jaakkola and Jordan, in single precision.

With ``xi_i**2 = E a_i**2`` and ``g_i = tanh(xi_i / 2) / (2 xi_i)``, for independent latents with means q and
weights that may be uncertain,

    E log P(x_i | h) >= (x_i - 1/2) E a_i + xi_i / 2 - softplus(xi_i).

g_i is the mean of the Polya-Gamma variable of pixel i: given that variable, the pixel is a Gaussian
observation of its activation with precision g_i (Polson, Scott and Windle, 2013). With g fixed, the optimal
mean of latent j has the log-odds ``d_j + sum_i (x_i - 1/2) w_ij - g_i (w_ij a_i + E[w_ij**2] / 2)``, where
``a_i`` is the mean activation without latent j; setting it never lowers the bound.

All terms are linear in x, so that x may also be means of the latents of a layer below. The ``d_j`` of that
layer are then its mean activations from the layer above, which differ between images.

References
----------
T. S. Jaakkola and M. I. Jordan (2000). Bayesian parameter estimation via variational methods. Statistics and
Computing 10, 25-37.

N. G. Polson, J. G. Scott and J. Windle (2013). Bayesian inference for logistic models using Polya-Gamma
latent variables. Journal of the American Statistical Association 108, 1339-1349.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from lrbn_viz.kernels.numerics import KERNEL, SUMS, for_threads
from lrbn_viz.kernels.simd.math import exp32, log
from lrbn_viz.lrbn.means.tilted import inside, latent_terms, sigmoid32

_ZERO, _HALF, _ONE, _QUARTER = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(0.25)
_SMALL, _TINY = np.float32(0.01), np.float32(1e-12)


@njit(**SUMS)
def slope_at(xi, t, one):
    """Return ``tanh(xi / 2) / (2 xi)``, where t is ``exp(-xi)``, and `one` is 1 in the precision of both."""
    return (one - t) / ((one + t) * (xi + xi))


@njit(**SUMS)
def _settle_image(x, mean, xi, gamma, left):
    """Implement :func:`settle` for one image."""
    for i in range(np.uintp(len(x))):
        a = mean[i]
        root = np.sqrt(max(a * a + xi[i], _TINY))
        t = exp32(-root)
        g = slope_at(root, t, _ONE) if root > _SMALL else _QUARTER
        xi[i] = root
        gamma[i] = g
        left[i] = x[i] - _HALF - g * a


@njit(**SUMS)
def _best(log_odds, total, q, own, unsure):
    """Return the optimal mean of a latent whose mean is q, from the sums of its visit."""
    return inside(sigmoid32(log_odds + total + (q - _HALF) * own - _HALF * unsure))


@njit(**SUMS)
def _visit_two(rows, d0, d1, left0, left1, gamma0, gamma1, unsure0, unsure1, q0, q1):
    """Visit the latents of two images, reading the weights once for both.

    One pass over the pixels applies the change of a latent and computes the sums for the next one.
    """
    columns = range(np.uintp(rows.shape[1]))
    last = rows.shape[0] - 1
    total0 = total1 = own0 = own1 = change0 = change1 = _ZERO
    for j in range(-1, rows.shape[0]):
        if j >= 0:
            m0, m1 = q0[j], q1[j]
            q0[j] = _best(d0[j], total0, m0, own0, unsure0[j])
            q1[j] = _best(d1[j], total1, m1, own1, unsure1[j])
            change0, change1 = q0[j] - m0, q1[j] - m1
            total0 = total1 = own0 = own1 = _ZERO
        here, after = max(j, 0), min(j + 1, last)
        for i in columns:
            w, v = rows[here, i], rows[after, i]
            square = v * v
            g = gamma0[i]
            rest = left0[i] - g * (w * change0)
            left0[i] = rest
            total0 += v * rest
            own0 += square * g
            g = gamma1[i]
            rest = left1[i] - g * (w * change1)
            left1[i] = rest
            total1 += v * rest
            own1 += square * g


@njit(**SUMS)
def _mean_of(x, gamma, left, mean):
    """Compute the mean activations of an image from its pixels and gamma."""
    for i in range(np.uintp(len(x))):
        mean[i] = (x[i] - _HALF - left[i]) / gamma[i]


@njit(**SUMS)
def _pixels(x, mean, xi):
    """Return the terms of the pixels in the bound, nats."""
    total = 0.0
    for i in range(np.uintp(len(x))):
        total += (x[i] - _HALF) * mean[i] - _HALF * xi[i]
        total -= log(1.0 + float(exp32(-xi[i])))
    return total


@for_threads(**KERNEL)
def settle(X, mean, xi, gamma, left):
    """Compute the best xi of each pixel, and the terms that depend on it.

    Parameters
    ----------
    X : (n, n_v) float32
        Images, or means of the units below, in [0, 1].
    mean, xi : (n, n_v) float32
        Mean and variance of each activation; the latter becomes xi, in place.
    gamma, left : (n, n_v) float32
        Filled with g and with the residuals ``x - 1/2 - g E a``.
    """
    for m in prange(X.shape[0]):
        _settle_image(X[m], mean[m], xi[m], gamma[m], left[m])


@for_threads(**KERNEL)
def visit_latents(rows, prior, X, mean, gamma, left, unsure, Q):
    """Set the mean of each latent of each image in turn to its optimum, with gamma fixed.

    Parameters
    ----------
    rows : (n_h, n_v) float32
        The transpose of the mean of W.
    prior : (1, n_h) or (n, n_h) float32
        Prior log-odds d of each latent, the same for all images or one row per image.
    X, gamma : (n, n_v) float32
        Images or means of the units below, and g.
    mean, left : (n, n_v) float32
        E a, and the residuals of X. Both are modified in place, like the means.
    unsure : (1, n_h) or (n, n_h) float32
        ``sum_i g_i (E[w_ij**2] - w_ij**2)``.
    Q : (n, n_h) float32
        Means. Modified in place.
    """
    n, of_each, of_all = X.shape[0], prior.shape[0] > 1, unsure.shape[0] == 1
    for pair in prange((n + 1) // 2):
        m, k = 2 * pair, min(2 * pair + 1, n - 1)
        # With an odd number of images, the last one is paired with a copy of itself.
        left1, q1 = (left[k], Q[k]) if k > m else (left[k].copy(), Q[k].copy())
        d0, d1 = (prior[m], prior[k]) if of_each else (prior[0], prior[0])
        u0, u1 = (unsure[0], unsure[0]) if of_all else (unsure[m], unsure[k])
        _visit_two(rows, d0, d1, left[m], left1, gamma[m], gamma[k], u0, u1, Q[m], q1)
        for each in range(m, k + 1):
            _mean_of(X[each], gamma[each], left[each], mean[each])


@for_threads(**KERNEL)
def add_bounds(prior, X, Q, mean, xi, bounds):
    """Add the terms of the pixels and the latents in the bound, nats, except ``softplus(d)``, to `bounds`
    (n,).

    The parameters are those of :func:`visit_latents` and of :func:`settle`.
    """
    for m in prange(X.shape[0]):
        d = prior[m] if prior.shape[0] > 1 else prior[0]
        bounds[m] += _pixels(X[m], mean[m], xi[m]) + latent_terms(Q[m], d)
