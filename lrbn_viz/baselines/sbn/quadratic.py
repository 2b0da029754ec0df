"""Mean field with the quadratic bound of Jaakkola and Jordan, number by number, in single precision.

With ``xi_i**2 = E a_i**2`` and ``g_i = tanh(xi_i / 2) / (2 xi_i)``, for independent latents with means q and
weights that may be unsure,

    E log P(x_i | h) >= (x_i - 1/2) E a_i + xi_i / 2 - softplus(xi_i).

g_i is the mean of the Polya-Gamma variable that stands beside pixel i: given it the pixel is a Gaussian
observation of its activation with precision g_i (Polson, Scott and Windle, 2013). The mean of latent j that
is best while the g stay has the log-odds ``d_j + sum_i (x_i - 1/2) w_ij - g_i (w_ij a_i + E[w_ij**2] / 2)``,
where ``a_i`` is the mean activation without latent j; it never lowers the bound.

All of this is linear in x, so that x may be means too: those of the latents of a layer below. For that layer
``d_j`` is then the mean activation that the layer above gives it, another one for each image.

References
----------
T. S. Jaakkola and M. I. Jordan (2000). Bayesian parameter estimation via variational methods. Statistics and
Computing 10, 25-37.

N. G. Polson, J. G. Scott and J. Windle (2013). Bayesian inference for logistic models using Polya-Gamma
latent variables. Journal of the American Statistical Association 108, 1339-1349.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

from lrbn_viz.baselines.sbn.tilted import inside, latent_terms, sigmoid32
from lrbn_viz.kernels.numerics import INLINED, for_threads
from lrbn_viz.kernels.simd.math import exp32, log

# The order of sums is free, but not-a-number and infinity stay visible.
_SUMS: dict[str, Any] = {**INLINED, "fastmath": {"reassoc", "contract", "nsz", "arcp"}}
_LOOP: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}

_ZERO, _HALF, _ONE, _QUARTER = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(0.25)
_SMALL, _TINY = np.float32(0.01), np.float32(1e-12)


@njit(**_SUMS)
def _settle_image(x, b, mean, xi, gamma, left):
    """Do what :func:`settle` does for one image."""
    for i in range(np.uintp(len(x))):
        a = mean[i] + b[i]
        root = np.sqrt(max(a * a + xi[i], _TINY))
        t = exp32(-root)
        g = (_ONE - t) / ((_ONE + t) * (root + root)) if root > _SMALL else _QUARTER
        mean[i] = a
        xi[i] = root
        gamma[i] = g
        left[i] = x[i] - _HALF - g * a


@njit(**_SUMS)
def _visit_all(rows, d, x, mean, gamma, own, toll, q, left):
    """Do what :func:`visit_latents` does for one image."""
    columns = range(np.uintp(rows.shape[1]))
    total = _ZERO
    for i in columns:
        left[i] = x[i] - _HALF - gamma[i] * mean[i]
        total += rows[0, i] * left[i]
    last = rows.shape[0] - 1
    for j in range(rows.shape[0]):
        m = q[j]
        new = inside(sigmoid32(d[j] + total + m * own[j] - _HALF * toll[j]))
        q[j] = new
        # One pass does what this visit changes, and sums for the next: the images' rows are read once.
        change = new - m
        total = _ZERO
        after = min(j + 1, last)
        for i in columns:
            now = left[i] - gamma[i] * rows[j, i] * change
            left[i] = now
            total += rows[after, i] * now


@njit(**_SUMS)
def _pixels(x, mean, xi):
    """Return the bound's part that the pixels have, nats."""
    total = 0.0
    for i in range(np.uintp(len(x))):
        total += (x[i] - _HALF) * mean[i] - _HALF * xi[i]
        total -= log(1.0 + float(exp32(-xi[i])))
    return total


@for_threads(**_LOOP)
def settle(X, b, mean, xi, gamma, left):
    """Give each pixel the xi that is best, and all that follows from it.

    Parameters
    ----------
    X : (n, n_v) float32
        Images, or means of the units below, in [0, 1].
    b : (n_v,) float32
    mean, xi : (n, n_v) float32
        Mean, without b, and variance of each activation. Modified in place: E a and xi.
    gamma, left : (n, n_v) float32
        Filled with g and with what gamma leaves of the pixel, ``x - 1/2 - g E a``.
    """
    for m in prange(X.shape[0]):
        _settle_image(X[m], b, mean[m], xi[m], gamma[m], left[m])


@for_threads(**_LOOP)
def visit_latents(rows, prior, X, mean, gamma, own, toll, Q, left):
    """Give each latent of each image in turn the mean that is best while gamma stays.

    Parameters
    ----------
    rows : (n_h, n_v) float32
        The transpose of the mean of W.
    prior : (1, n_h) or (n, n_h) float32
        Log-odds d of each latent before the image is seen, the same for all images or of each.
    X, mean, gamma : (n, n_v) float32
        Images or means of the units below, E a and g.
    own, toll : (n, n_h) float32
        ``sum_i g_i w_ij**2`` and ``sum_i g_i E[w_ij**2]``.
    Q : (n, n_h) float32
        Means. Modified in place.
    left : (n, n_v) float32
        Filled with ``x - 1/2 - g a``, where a is the mean activation at the new means.
    """
    for m in prange(X.shape[0]):
        d = prior[m] if prior.shape[0] > 1 else prior[0]
        _visit_all(rows, d, X[m], mean[m], gamma[m], own[m], toll[m], Q[m], left[m])


@for_threads(**_LOOP)
def add_bounds(prior, X, Q, mean, xi, bounds):
    """Add to `bounds` (n,) what the pixels and the latents have of the bound, nats, but ``softplus(d)``.

    Parameters are those of :func:`visit_latents` and of :func:`settle`.
    """
    for m in prange(X.shape[0]):
        d = prior[m] if prior.shape[0] > 1 else prior[0]
        bounds[m] += _pixels(X[m], mean[m], xi[m]) + latent_terms(Q[m], d)
