"""A visit of one latent: its conditional, the decision, the flip.

A *visit* looks at one latent, computes the log-odds of ``h_j = 1`` given all other latents and x, and
decides: the likelier state at temperature 0 (ICM, equation 10), a draw from the conditional at temperature 1
(Gibbs), and in between a draw from the flattened or sharpened conditional (annealing).

How a visit is made cheap: the kernels keep, for every image, the pixel probabilities ``on = sigmoid(a)`` and
``off = sigmoid(-a)`` of the activations ``a = W h + b``. Since

    sum_i [softplus(a_i + w_ij) - softplus(a_i)] = log prod_i (off_i + on_i exp(w_ij)),
    sum_i [softplus(a_i - w_ij) - softplus(a_i)] = log prod_i (on_i + off_i exp(w_ij)) - sum_i w_ij,

a conditional costs a multiply-add and a multiply per pixel and one logarithm, and reads one row of ``exp(W)``
for either direction. All factors are positive, so nothing cancels, however saturated the pixel. A flip
multiplies or divides the odds of each pixel by ``exp(w_ij)``. For Gaussian visible units the whole
conditional is one number that a flip updates through ``W'W``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.elementary import exp
from lrbn_viz.numerics import INLINED, INNER, next_uniform, scalar_softplus
from lrbn_viz.vector import flip_odds, odds_product


class Field(NamedTuple):
    """What the kernels keep per image and modify in place; row m belongs to image m.

    Attributes
    ----------
    latent : (n, n_h) uint8
    evidence : (n, n_h) float64
        Log-odds without the part that depends on the other latents.
    base : (n,) float64
        ``log P(x, h)`` at ``h = 0``, for Bernoulli units without its softplus terms.
    activation, on, off : (n, n_p)
        ``a = W h + b``, ``sigmoid(a)``, ``sigmoid(-a)``; width 0 for Gaussian units.
    coupling : (n, n_h) float64
        ``sum_k (w_j'w_k) h_k`` over the other latents, for Gaussian units.
    since_refresh : (n,) int64
        Flips since the pixel probabilities were last computed from the activations.
    saturated : (n,) bool
        Some pixel probability was below the floor at that time: every flip must compute afresh.
    stream : (n,) uint64
        State of the image's random numbers.
    """

    latent: NDArray[np.uint8]
    evidence: NDArray[np.float64]
    base: NDArray[np.float64]
    activation: NDArray
    on: NDArray
    off: NDArray
    coupling: NDArray[np.float64]
    since_refresh: NDArray[np.int64]
    saturated: NDArray[np.bool_]
    stream: NDArray[np.uint64]


@njit(**INLINED)
def log_ratio(ops, field, m, j, sign):
    """Return ``sum_i [softplus(a_i + sign w_ij) - softplus(a_i)]`` of image m."""
    chunk = ops.chunk[j]
    n_p = ops.W.shape[1]
    total = 0.0
    if chunk > 0:
        start = 0
        while start < n_p:
            stop = min(start + chunk, n_p)
            total += math.log(odds_product(field.on, field.off, m, sign < 0, ops.factor, j, start, stop))
            start = stop
        if sign < 0:
            total -= ops.weight[j]
    else:
        for i in range(ops.n_v):
            a = float(field.activation[m, i])
            total += scalar_softplus(a + sign * ops.W[j, i]) - scalar_softplus(a)
    return total


@njit(**INLINED)
def conditional_log_odds(ops, field, m, j):
    """Return ``logit P(h_j = 1 | x, h_-j)`` of image m, in nats. Equation: (10)."""
    if ops.gaussian:
        return field.evidence[m, j] - field.coupling[m, j]
    if field.latent[m, j] == 0:
        return field.evidence[m, j] - log_ratio(ops, field, m, j, 1.0)
    return field.evidence[m, j] + log_ratio(ops, field, m, j, -1.0)


@njit(**INNER)
def refresh(ops, field, m):
    """Compute the pixel probabilities of image m from its activations, and those from its latents.

    Modified in place: row m of `field`.
    """
    a, W = field.activation, ops.W
    n_h = W.shape[0]
    # An index that may be negative counts from the end, and its loop does not vectorise.
    pixels = range(np.uintp(W.shape[1]))
    for i in pixels:
        a[m, i] = ops.b[i]
    # Four rows of weights at a time, as every pass over the activations reads and writes them.
    first = second = third = -1
    for j in range(n_h):
        if field.latent[m, j] == 0:
            continue
        if first < 0:
            first = j
        elif second < 0:
            second = j
        elif third < 0:
            third = j
        else:
            for i in pixels:
                a[m, i] += (W[first, i] + W[second, i]) + (W[third, i] + W[j, i])
            first = second = third = -1
    for j in (first, second, third):
        if j >= 0:
            for i in pixels:
                a[m, i] += W[j, i]
    _probabilities(ops, field, m)
    field.since_refresh[m] = 0


@njit(**INNER)
def _probabilities(ops, field, m):
    """Compute `on` and `off` of image m from its activations, and whether any of them had to be floored."""
    n_floored = 0
    floor = ops.floor
    for i in range(np.uintp(ops.W.shape[1])):
        a = float(field.activation[m, i])
        t = exp(-abs(a))
        large = 1.0 / (1.0 + t)
        small = t * large
        n_floored += 1 if small < floor else 0
        small = floor if small < floor else small
        field.on[m, i] = large if a > 0.0 else small
        field.off[m, i] = small if a > 0.0 else large
    field.saturated[m] = n_floored > 0


@njit(**INNER)
def flip(ops, field, m, j):
    """Turn latent j of image m over. Modified in place: row m of `field`."""
    if field.latent[m, j] == 0:
        field.latent[m, j] = 1
        sign = 1.0
    else:
        field.latent[m, j] = 0
        sign = -1.0
    if ops.gaussian:
        for k in range(ops.gram.shape[0]):
            field.coupling[m, k] += sign * ops.gram[j, k]
        return
    field.since_refresh[m] += 1
    if field.since_refresh[m] >= ops.refresh:
        refresh(ops, field, m)
    elif field.saturated[m] or ops.chunk[j] == 0:
        # The fast update multiplies odds; odds that were floored, or factors that overflow, would stay wrong.
        for i in range(ops.W.shape[1]):
            field.activation[m, i] += sign * ops.W[j, i]
        _probabilities(ops, field, m)
    else:
        lowest = flip_odds(field.activation, field.on, field.off, m, sign < 0, ops.factor, ops.W, j)
        if not lowest >= ops.floor:
            _probabilities(ops, field, m)


@njit(**INNER)
def log_joint_of(ops, field, m):
    """Return the normalised ``log P(x, h)`` of image m, computed afresh. Equation: (3) and (6)."""
    total = field.base[m]
    for j in range(field.latent.shape[1]):
        if field.latent[m, j] == 1:
            total += field.evidence[m, j]
            if ops.gaussian:
                total -= 0.5 * field.coupling[m, j]
    if not ops.gaussian:
        for i in range(ops.n_v):
            total -= scalar_softplus(float(field.activation[m, i]))
    return total


@njit(**INLINED)
def decide(log_odds, state, temperature, tolerance, stream, m):
    """Return the state that a visit leaves: the likelier one at temperature 0, else a draw.

    Equation: (10) at temperature 0.
    """
    if temperature == 0.0:
        if state == 0:
            return 1 if log_odds > tolerance else 0
        return 0 if log_odds < -tolerance else 1
    uniform = next_uniform(stream, m)
    return 1 if log_odds > temperature * math.log(uniform / (1.0 - uniform)) else 0
