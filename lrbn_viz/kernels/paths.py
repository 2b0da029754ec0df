"""Paths between two codes on which one unit flips after another, by the joint probability of each code with
its most probable image.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from lrbn_viz.kernels.numerics import KERNEL, SUMS, scalar_softplus
from lrbn_viz.kernels.simd.math import exp

_CHUNK = 512  # factors from 1 to 2, whose product is a number


@njit(**SUMS)
def _softplus_of_minus(a, w, scale, first, last):
    """Return ``sum_i log(1 + exp(-|a_i + scale w_i|))`` of a chunk of units, nats: one logarithm for all."""
    product = 1.0
    for i in range(np.uintp(first), np.uintp(last)):
        product *= 1.0 + exp(-abs(a[i] + scale * w[i]))
    return math.log(product)


@njit(**SUMS)
def _largest(a, w, scale):
    """Return ``sum_i max(0, a_i + scale w_i)``."""
    total = 0.0
    for i in range(np.uintp(len(a))):
        total += max(a[i] + scale * w[i], 0.0)
    return total


@njit(**SUMS)
def _on(h, a, w, scale):
    """Return ``h'(a + scale w)``."""
    total = 0.0
    for i in range(np.uintp(len(a))):
        total += h[i] * (a[i] + scale * w[i])
    return total


@njit(**KERNEL)
def _normalisers(a, w, scale):
    """Return the same of all units."""
    total = 0.0
    for first in range(0, len(a), _CHUNK):
        total += _softplus_of_minus(a, w, scale, first, min(first + _CHUNK, len(a)))
    return total


@njit(**KERNEL)
def _generated(directed, first, layer, h, a, w, scale):
    """Return the log-probability of the units below a layer, with ``scale w`` added to their activations.

    In nats; visible units are those of the most probable image.
    """
    below = a[first[layer] : first[layer + 1]]
    if layer == 0:
        return -_normalisers(below, w, scale) if directed else _largest(below, w, scale)
    states = h[first[layer] - first[1] : first[layer + 1] - first[1]]
    return _on(states, below, w, scale) - _largest(below, w, scale) - _normalisers(below, w, scale)


@njit(**KERNEL)
def _layer_of(first, j):
    """Return the layer of a latent, from 0."""
    layer = 0
    while first[layer + 2] - first[1] <= j:
        layer += 1
    return layer


@njit(**KERNEL)
def _row(first, weights, j):
    """Return the weights of a latent, a view."""
    layer, at = 0, 0
    while first[layer + 2] - first[1] <= j:
        at += (first[layer + 1] - first[layer]) * (first[layer + 2] - first[layer + 1])
        layer += 1
    width = first[layer + 1] - first[layer]
    at += (j - (first[layer + 1] - first[1])) * width
    return weights[at : at + width]


@njit(**KERNEL)
def _add(first, a, layer, w, scale):
    """Add ``scale w`` to the activations of the units below a layer. Modified in place: `a`."""
    below = a[first[layer] : first[layer + 1]]
    for i in range(np.uintp(len(below))):
        below[i] += scale * w[i]


@njit(**KERNEL)
def flip_along(directed, best, first, weights, bias, h, a, units, log_joint):
    """Flip units one after another, and fill the log joint of each code with its most probable image.

    Parameters
    ----------
    directed : bool
        Whether each layer generates the one below it, as in an LRBN; or an RBM, of one layer, whose log joint
        is not normalised.
    best : bool
        Flip each time the unit after which the log joint is largest; else in the order of `units`.
    first : (n_layers + 2,) int64
        First unit of the visible ones (0), of each layer, and the number of all units.
    weights : float64
        Rows ``w_j`` of the lowest layer's latents, then of the next one's.
    bias : (n_units,) float64
        Offsets of the visible units and of the latents below the top, then the top layer's log-odds.
    h : (n_latents,) uint8
        The code that the path begins with. Modified: that which it ends with.
    a : (n_units,) float64
        Overwritten.
    units : (n,) int32
        Latents that flip. Modified: in the order in which they do.
    log_joint : (n + 1,) float64
        Filled, nats.
    """
    n_layers = len(first) - 2
    for i in range(len(a)):
        a[i] = bias[i]
    for j in range(len(h)):
        if h[j]:
            _add(first, a, _layer_of(first, j), _row(first, weights, j), 1.0)
    total = 0.0
    for layer in range(n_layers):
        total += _generated(directed, first, layer, h, a, weights, 0.0)
    for j in range(first[n_layers] - first[1], len(h)):
        odds = bias[first[1] + j]
        total += h[j] * odds - (scalar_softplus(odds) if directed else 0.0)
    log_joint[0] = total
    for step in range(len(units)):
        place, gain, before, of = -1, 0.0, 0.0, -1
        for k in range(step, len(units) if best else step + 1):
            j = units[k]
            layer = _layer_of(first, j)
            if layer != of:
                before, of = _generated(directed, first, layer, h, a, weights, 0.0), layer
            sign = 1.0 if h[j] == 0 else -1.0
            found = _generated(directed, first, layer, h, a, _row(first, weights, j), sign) - before
            found += sign * a[first[1] + j]
            if place < 0 or found > gain:
                place, gain = k, found
        j = units[place]
        for k in range(place, step, -1):  # the others keep their order
            units[k] = units[k - 1]
        units[step] = j
        sign = 1.0 if h[j] == 0 else -1.0
        _add(first, a, _layer_of(first, j), _row(first, weights, j), sign)
        h[j] = 1 - h[j]
        log_joint[step + 1] = log_joint[step] + gain
