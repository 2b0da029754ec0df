"""State of inference of each image, and its update by a flip of one latent.

The conditional of a latent (:func:`lrbn_viz.lrbn.icm.conditional_log_odds`) requires the change that the
latent makes to the visible units' normalisers. For Bernoulli units the kernels keep, for every image, the
pixel probabilities ``on = sigmoid(a)`` and ``off = sigmoid(-a)`` of the activations ``a = W h + b``. Since

    sum_i [softplus(a_i + w_ij) - softplus(a_i)] = log prod_i (off_i + on_i exp(w_ij)),
    sum_i [softplus(a_i - w_ij) - softplus(a_i)] = log prod_i (on_i + off_i exp(w_ij)) - sum_i w_ij,

this change costs a multiply-add and a multiplication per pixel and one logarithm, and reads one row of
``exp(W)`` in either direction. All factors are positive, so nothing cancels, however saturated the pixel. A
flip multiplies or divides the odds of each pixel by ``exp(w_ij)``. For Gaussian units the change is a single
number, the coupling to the latents that are on, which a flip updates by a row of ``W'W``.

A pixel that is not known drops out of P(x, h). It has ``on = 0`` and ``off = 1``, which no flip changes: its
factor is 1 in the first product, and ``exp(w_ij)`` in the second, less its w_ij. For Gaussian units ``W'W``
would be another matrix in each image; their coupling is then the product of w_j with the activations of the
known pixels, which a flip updates, less the latent's own part, the sum of w_ij^2 over them. The activations
of the others are kept at 0, so that this product needs no mask and is computed for several images at once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import INLINED, INNER, scalar_softplus
from lrbn_viz.kernels.simd.math import exp
from lrbn_viz.kernels.simd.odds import dot, flip_odds, odds_product


class InferenceState(NamedTuple):
    """State of inference per image, which the kernels modify in place; row m belongs to image m.

    Attributes
    ----------
    latent : (n, n_h) uint8
    evidence : (n, n_h) float64
        Log-odds without the part that depends on the other latents.
    base : (n,) float64
        ``log P(x, h)`` at ``h = 0``, for Bernoulli units without its softplus terms.
    activation, on, off : (n, n_p)
        ``a = W h + b``, ``sigmoid(a)``, ``sigmoid(-a)``; width 0 for Gaussian units, of which an image that
        is known in part has ``W h`` at known pixels and else 0 as `activation`, padded like
        ``KernelParams.rows``.
    coupling : (n, n_h) float64
        ``sum_k (w_j'w_k) h_k`` over the other latents, for Gaussian units.
    squares : (n, n_h) float64
        ``sum_i w_ij**2`` over the known pixels, for Gaussian units; of width 0 if all are known.
    since_refresh : (n,) int64
        Flips since the pixel probabilities were last computed from the activations.
    saturated : (n,) bool
        True if some pixel probability was below the floor at that time: every flip must then recompute them.
    partly : (n,) bool
        True if some pixel of the image is not known.
    unknown : (n, n_p) bool
        Which, (n, n_v) for Gaussian units; of width 0 if all pixels of all images are known.
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
    squares: NDArray[np.float64]
    since_refresh: NDArray[np.int64]
    saturated: NDArray[np.bool_]
    partly: NDArray[np.bool_]
    unknown: NDArray[np.bool_]
    stream: NDArray[np.uint64]


@njit(**INLINED)
def explained(params, state, m, j, sign):
    """Return the increase of the normaliser of image m when ``sign w_j`` is added to its activations, nats.

    ``sum_i [A(a_i + sign w_ij) - A(a_i)]``, where A is softplus for Bernoulli visible units. For Gaussian
    ones A(a) is ``a**2 / 2``, and the part that does not depend on the other latents is in the evidence.
    """
    if params.gaussian:
        return sign * coupling_of(params, state, m, j)
    chunk = params.chunk[j]
    n_p = params.W.shape[1]
    total = 0.0
    if chunk > 0:
        start = 0
        while start < n_p:
            stop = min(start + chunk, n_p)
            total += math.log(odds_product(state.on, state.off, m, sign < 0, params.factor, j, start, stop))
            start = stop
        if sign < 0:
            total -= params.weight[j]
    else:
        for i in range(params.n_v):
            if state.partly[m] and state.unknown[m, i]:
                continue
            a = float(state.activation[m, i])
            total += scalar_softplus(a + sign * params.W[j, i]) - scalar_softplus(a)
    return total


@njit(**INLINED)
def coupling_of(params, state, m, j):
    """Return ``sum_k (w_j'w_k) h_k`` over known pixels and the other latents of image m; Gaussian units."""
    if not state.partly[m]:
        return state.coupling[m, j]
    return of_others(state, m, j, dot(state.activation, m, params.rows, j))


@njit(**INLINED)
def of_others(state, m, j, product):
    """Return the coupling of latent j of image m, known in part, from the product of w_j with its
    activations.
    """
    return product - state.squares[m, j] if state.latent[m, j] == 1 else product


@njit(**INNER)
def refresh(params, state, m):
    """Compute the pixel probabilities of image m from its activations, and those from its latents.

    Modified in place: row m of `state`.
    """
    if params.gaussian:
        if state.partly[m]:
            state.activation[m, :] = 0.0
            for j in range(state.latent.shape[1]):
                if state.latent[m, j] == 1:
                    _add_known(params, state, m, j, 1.0)
            state.since_refresh[m] = 0
        return
    a, W = state.activation, params.W
    n_h = W.shape[0]
    # An index that may be negative counts from the end, and its loop does not vectorise.
    pixels = range(np.uintp(W.shape[1]))
    for i in pixels:
        a[m, i] = params.b[i]
    # Four rows of weights at a time, as each pass over the activations reads and writes all of them.
    first = second = third = -1
    for j in range(n_h):
        if state.latent[m, j] == 0:
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
    _probabilities(params, state, m)
    state.since_refresh[m] = 0


@njit(**INLINED)
def _add_known(params, state, m, j, sign):
    """Add the weights of latent j, or subtract them, at the known pixels of image m, Gaussian units.

    Modified in place: row m of ``state.activation``.
    """
    for i in range(np.uintp(params.rows.shape[1])):
        state.activation[m, i] += 0.0 if state.unknown[m, i] else sign * params.rows[j, i]


@njit(**INLINED)
def _pair(a, floor):
    """Return ``sigmoid(a)`` and ``sigmoid(-a)``, at least `floor`, and 1 if one was below it, else 0."""
    t = exp(-abs(a))
    large = 1.0 / (1.0 + t)
    small = t * large
    floored = 1 if small < floor else 0
    small = floor if small < floor else small
    return (large, small, floored) if a > 0.0 else (small, large, floored)


@njit(**INNER)
def _probabilities(params, state, m):
    """Compute `on` and `off` of image m from its activations; record whether any of them had to be
    floored.
    """
    n_floored = 0
    pixels = range(np.uintp(params.W.shape[1]))
    if state.partly[m]:
        for i in pixels:
            on, off, floored = _pair(float(state.activation[m, i]), params.floor)
            hidden = state.unknown[m, i]
            n_floored += 0 if hidden else floored
            state.on[m, i] = 0.0 if hidden else on
            state.off[m, i] = 1.0 if hidden else off
    else:
        for i in pixels:
            on, off, floored = _pair(float(state.activation[m, i]), params.floor)
            n_floored += floored
            state.on[m, i], state.off[m, i] = on, off
    state.saturated[m] = n_floored > 0


@njit(**INLINED)
def flip(params, state, m, j):
    """Flip latent j of image m. Modified in place: row m of `state`."""
    if state.latent[m, j] == 0:
        state.latent[m, j] = 1
        sign = 1.0
    else:
        state.latent[m, j] = 0
        sign = -1.0
    if params.gaussian and not state.partly[m]:
        for k in range(params.gram.shape[0]):
            state.coupling[m, k] += sign * params.gram[j, k]
        return
    state.since_refresh[m] += 1
    if state.since_refresh[m] >= params.refresh:
        refresh(params, state, m)
    elif params.gaussian:
        _add_known(params, state, m, j, sign)
    elif state.saturated[m] or params.chunk[j] == 0:
        # The fast update multiplies odds; odds that were floored, or factors that overflow, would stay wrong.
        for i in range(params.W.shape[1]):
            state.activation[m, i] += sign * params.W[j, i]
        _probabilities(params, state, m)
    else:
        lowest = flip_odds(state.activation, state.on, state.off, m, sign < 0, params.factor, params.W, j)
        if not lowest >= params.floor:
            _probabilities(params, state, m)


@njit(**INNER)
def log_joint_of(params, state, m):
    """Return the normalised ``log P(x, h)`` of image m, computed afresh. Equation: (3) and (6)."""
    total = state.base[m]
    for j in range(state.latent.shape[1]):
        if state.latent[m, j] == 1:
            total += state.evidence[m, j]
            if params.gaussian:
                total -= 0.5 * coupling_of(params, state, m, j)
    if not params.gaussian:
        for i in range(params.n_v):
            if not state.partly[m] or not state.unknown[m, i]:
                total -= scalar_softplus(float(state.activation[m, i]))
    return total
