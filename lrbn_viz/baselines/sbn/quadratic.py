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
def _measure(rows, squares, b, x, q, mean, xi, gamma, left):
    """Fill the moments of each activation, gamma, and what gamma leaves of the pixel: ``x - 1/2 - g E a``."""
    columns = range(np.uintp(rows.shape[1]))
    for i in columns:
        mean[i] = b[i]
        xi[i] = _ZERO
    for j in range(rows.shape[0]):
        m = q[j]
        for i in columns:
            part = m * rows[j, i]
            mean[i] += part
            xi[i] += m * squares[j, i] - part * part
    for i in columns:
        a = mean[i]
        root = np.sqrt(max(a * a + xi[i], _TINY))
        t = exp32(-root)
        g = (_ONE - t) / ((_ONE + t) * (root + root)) if root > _SMALL else _QUARTER
        xi[i] = root
        gamma[i] = g
        left[i] = x[i] - _HALF - g * a


@njit(**_SUMS)
def _visit_all(rows, squares, d, q, gamma, left):
    """Give each latent in turn the mean that is best while gamma stays."""
    columns = range(np.uintp(rows.shape[1]))
    for j in range(rows.shape[0]):
        m = q[j]
        total = _ZERO
        for i in columns:
            w = rows[j, i]
            total += w * left[i] + gamma[i] * (m * w * w - _HALF * squares[j, i])
        new = inside(sigmoid32(d[j] + total))
        change = new - m
        q[j] = new
        for i in columns:
            left[i] -= gamma[i] * rows[j, i] * change


@njit(**_SUMS)
def _pixels(x, mean, xi):
    """Return the bound's part that the pixels have, nats."""
    total = 0.0
    for i in range(np.uintp(len(x))):
        total += (x[i] - _HALF) * mean[i] - _HALF * xi[i]
        total -= log(1.0 + float(exp32(-xi[i])))
    return total


@njit(**_LOOP)
def _ascend_image(m, rows, squares, b, prior, X, n_sweeps, Q, mean, xi, gamma, left, bounds):
    """Do what :func:`ascend_quadratic` does for image m."""
    x, q = X[m], Q[m]
    d = prior[m] if prior.shape[0] > 1 else prior[0]
    for j in range(len(q)):
        q[j] = inside(q[j])
    for _ in range(n_sweeps):
        _measure(rows, squares, b, x, q, mean[m], xi[m], gamma[m], left[m])
        _visit_all(rows, squares, d, q, gamma[m], left[m])
    _measure(rows, squares, b, x, q, mean[m], xi[m], gamma[m], left[m])
    bounds[m] += _pixels(x, mean[m], xi[m]) + latent_terms(q, d)


@for_threads(**_LOOP)
def ascend_quadratic(rows, squares, b, prior, X, n_sweeps, Q, mean, xi, gamma, left, bounds):
    """Go up the bound by sweeps over the latents of each image.

    Parameters
    ----------
    rows : (n_h, n_v) float32
        The transpose of the mean of W.
    squares : (n_h, n_v) float32
        The mean of its squares.
    b : (n_v,) float32
    prior : (1, n_h) or (n, n_h) float32
        Log-odds d of each latent before the image is seen, the same for all images or of each.
    X : (n, n_v) float32
        Images, or means of the units below, in [0, 1].
    n_sweeps : int
    Q : (n, n_h) float32
        Means. Modified in place: after the sweeps.
    mean, xi, gamma, left : (n, n_v) float32
        Filled with E a, xi, g and ``x - 1/2 - g E a`` at the end.
    bounds : (n,) float64
        ``-sum_j softplus(d_j)``. Modified in place: the bound at the end is added, nats.
    """
    for m in prange(X.shape[0]):
        _ascend_image(m, rows, squares, b, prior, X, n_sweeps, Q, mean, xi, gamma, left, bounds)
