"""Training and sampling of a Bernoulli RBM on one thread and in place, as browsers do it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import KERNEL, scalar_sigmoid, scalar_softplus
from lrbn_viz.kernels.steps import falling_rate, kept_share
from lrbn_viz.rivals.rbm.centring import CENTRED, share_of_latest
from lrbn_viz.rivals.rbm.gradient import sgd_step
from lrbn_viz.rivals.rbm.kernels import (
    SERIAL_KERNEL,
    Bits,
    Floats,
    latent_fields,
    latent_means,
    sample_bernoulli,
    sample_visible,
)

MANY = 1e100
"""Product of factors above which its logarithm is taken."""


@njit(**KERNEL)
def _copy(source, target):
    """Overwrite an array with another one of its length."""
    for k in range(len(target)):
        target[k] = source[k]


@njit(**KERNEL)
def _copy_rows(source, target):
    """Overwrite an array with another one of its shape."""
    for m in range(target.shape[0]):
        for k in range(target.shape[1]):
            target[m, k] = source[m, k]


@njit(**KERNEL)
def _distance(one, other):
    """Return the squared distance of two vectors."""
    total = 0.0
    for k in range(len(one)):
        difference = float(one[k]) - float(other[k])
        total += difference * difference
    return total


@njit(**SERIAL_KERNEL)
def step_alone(
    W, b, d, X, particles, persistent, keys, learning_rate, decay_steps, weight_decay, step, kind, centres,
    figures,
):  # fmt: skip
    """Take a step of CD or PCD, `step` others having gone before; the settings are those of
    :class:`~lrbn_viz.rivals.rbm.system.RBMSystem`, other arguments those of
    :func:`lrbn_viz.rivals.rbm.gradient.sgd_step`.

    Modified in place: `W`, `b`, `d`, `particles`, `centres` where the gradient is centred, and `figures`
    (5,): the learning rate, the means of ``P(h_j = 1 | x)`` over the data and over the fantasies, a number
    that is finite unless a new parameter is not, and the size of the change of all parameters, per unit of
    learning rate.
    """
    rate = falling_rate(learning_rate, decay_steps, step)
    keep, slide = np.float32(kept_share(rate, weight_decay)), np.float32(share_of_latest(kind, step))
    found: Any = sgd_step(
        W, b, d, X, particles, persistent, keys, np.float32(rate), keep, kind, centres, slide, False
    )
    moved = _distance(found[3], b) + _distance(found[4], d)
    for i in range(len(b)):
        moved += _distance(found[2][i], W[i])
    _copy_rows(found[0], particles)
    _copy_rows(found[2], W)
    _copy(found[3], b)
    _copy(found[4], d)
    if kind == CENTRED:
        _copy(found[5], centres.mu)
        _copy(found[6], centres.lam)
    figures[0], figures[1], figures[2], figures[3] = rate, found[7], found[8], found[9]
    figures[4] = math.sqrt(moved) / rate


@njit(**SERIAL_KERNEL)
def gibbs_alone(W: Floats, b: Floats, d: Floats, H: Bits, keys: NDArray[np.uint64], X: Bits) -> None:
    """Run one block Gibbs chain per row of H, as :func:`~lrbn_viz.rivals.rbm.sampling.gibbs` does.

    Modified in place: `H`, the last latents, and `X`, the last visibles. There are two keys for each sweep.
    """
    for sweep in range(len(keys) // 2):
        visibles = sample_visible(W, b, H, keys[2 * sweep], False)
        _copy_rows(visibles, X)
        _copy_rows(sample_bernoulli(latent_means(W, d, X, False), keys[2 * sweep + 1], False), H)


@njit(**SERIAL_KERNEL)
def encode_alone(W: Floats, d: Floats, X: Bits, H: Bits) -> None:
    """Fill `H` (n, n_h) with the exact MAP state of each row of X."""
    fields = latent_fields(W, d, X, False)
    for m in range(H.shape[0]):
        for j in range(H.shape[1]):
            H[m, j] = fields[m, j] > 0.0


@njit(**KERNEL)
def decode_alone(W: Floats, b: Floats, H: Bits, means: NDArray[np.float64]) -> None:
    """Fill `means` (n, n_v) with ``P(x_i = 1 | h)`` of each row of H."""
    for m in range(H.shape[0]):
        for i in range(len(b)):
            total = float(b[i])
            for j in range(H.shape[1]):
                total += W[i, j] if H[m, j] != 0 else 0.0
            means[m, i] = scalar_sigmoid(total)


@njit(**KERNEL)
def _sum_of_softplus(fields, scale, w):
    """Return ``sum_j log(1 + exp(fields_j + scale w_j))``, with one logarithm for many factors of 1 to 2."""
    total, product = 0.0, 1.0
    for j in range(len(fields)):
        z = fields[j] + scale * w[j]
        total += max(z, 0.0)
        product *= 1.0 + math.exp(-abs(z))
        if product > MANY:
            total += math.log(product)
            product = 1.0
    return total + math.log(product)


@njit(**KERNEL)
def predict_alone(W, b, d, X, pixels, fields, totals):
    """Fill `totals` (n,) with ``sum_i log P(x_i | x_-i)`` of each row of X over some `pixels`, scaled to all,
    as :func:`lrbn_viz.rivals.rbm.pseudo_likelihood.pseudo_log_likelihood` does.

    Modified in place, too: `fields` (n_h,).
    """
    n_v, n_h = W.shape
    for m in range(len(X)):
        for j in range(n_h):
            fields[j] = d[j]
            for i in range(n_v):
                fields[j] += W[i, j] if X[m, i] != 0 else 0.0
        rest = _sum_of_softplus(fields, 0.0, W[0])
        totals[m] = 0.0
        for i in pixels:
            turned = 1.0 - 2.0 * float(X[m, i])
            gain = turned * b[i] + _sum_of_softplus(fields, turned, W[i]) - rest
            totals[m] -= scalar_softplus(gain)
        totals[m] *= n_v / len(pixels)
