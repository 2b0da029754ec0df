"""Mean field of one image, visit by visit: coordinate ascent of a lower bound on log P(x).

A directed layer generates the units below it with log-odds ``a = W h + b``, and the latents are treated as
independent given x, with means q. The bound is a sum over all units u, the visible ones and the latents of
every layer, where x_u is the unit's state or mean and a_u its activation from the layer above, which for the
top latents is their offset d:

    sum_u x_u E a_u - A_u + H(x_u),

with the entropy H of latents, and A_u at least the expected log normaliser. All terms are linear in the means
of each layer but for A_u and H, so that a latent's best mean has a closed form; moving it there never lowers
the bound. How A_u is found is a block's *kind*, a block being the visible units or one layer's latents:

LINEAR
    0: the units of an undirected model, whose bound is on ``log P(x) + log Z``.
GAUSSIAN
    ``(E a**2 + x**2 + log(2 pi)) / 2``, exactly.
QUADRATIC
    ``E a / 2 - xi / 2 + softplus(xi)`` with ``xi**2 = E a**2`` (Jaakkola and Jordan). Exact where the latents
    above are 0 or 1, and hence for the top latents: ``softplus(d)``.
TILTED
    ``xi E a + log(E exp(-xi a) + E exp((1 - xi) a))`` for a tilt xi (Saul, Jaakkola and Jordan), usually
    tighter. Tilts change only before a sweep, and only if that raises the bound. Of visible units alone.

An RBM above the top latents, of which the other units are summed out, adds ``sum_k softplus(u_k'q + e_k)``,
since softplus is convex. With few latents, `log_joints` are known for all states instead, and the evidence
lower bound ``E log P(x, h) + H`` itself is summed over them; ``log P(x)`` less it is ``KL(q || P(h | x))``.

A batch of images ascends the same bounds in single precision, latents of two images at a time
(:mod:`lrbn_viz.lrbn.means.quadratic`, :mod:`lrbn_viz.lrbn.means.tilted`). Its visits are others: it takes xi
anew in each sweep, and these after each visit.

References
----------
T. S. Jaakkola and M. I. Jordan (2000). Bayesian parameter estimation via variational methods. Statistics and
Computing 10, 25-37.

L. K. Saul, T. Jaakkola and M. I. Jordan (1996). Mean field theory for sigmoid belief networks. Journal of
Artificial Intelligence Research 4, 61-76.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.core.units import LOG_2PI
from lrbn_viz.kernels.numerics import INLINED, INNER, KERNEL, SUMS, scalar_sigmoid
from lrbn_viz.kernels.simd.math import exp, log
from lrbn_viz.lrbn.means.quadratic import slope_at
from lrbn_viz.lrbn.means.tilted import entropy_of, towards_tilt

LINEAR, GAUSSIAN, QUADRATIC, TILTED = range(4)
"""Kinds of blocks: how the log normaliser of their units is taken."""

K, SWEEP, POSITION, DONE, CONVERGED = range(5)
"""Indices of the cursor: visits made, sweep, visits in this sweep, and end."""

MEAN_CHANGE = 1e-3
"""Change of a mean above which it counts as changed; mean field ends when no mean changes by more."""

_MIN_RELATIVE_GAIN = 1e-10
"""Smallest share of a bound's loss by which new tilts must lower it."""

# The least xi**2, as rounding may leave it at or below 0, and the xi below which its slope is a series.
_LEAST_SQUARE, _SMALL = 1e-24, 0.01
# Steps from below the root, and the largest exponent of a slope in size, so that it does not overflow.
_NEWTON_STEPS, _STEEPEST = 20, 690.0


class MeansParams(NamedTuple):
    """A model, and what is known of the image, as the kernels of means take it.

    Units are numbered through the blocks: the visible units that are known, and then the latents of each
    layer, the lowest one first.
    """

    kinds: NDArray[np.int64]
    """(n_blocks,)"""
    first: NDArray[np.int64]
    """(n_blocks + 1,): first unit of each block, and the number of units."""
    n_v: int
    """Number of visible units that are known."""
    weights: NDArray[np.float64]
    """(n_weights,): rows of weights of each latent, to the units of the block below it."""
    bias: NDArray[np.float64]
    """(n_units,): b of each layer, and d of the top one."""
    exact: bool
    """Whether the evidence lower bound is summed over all states: where `log_joints` are known."""
    experts: NDArray[np.float64]
    offsets: NDArray[np.float64]
    """(n_h, n_top) and (n_top,): weights and e of the RBM above the top latents; n_top is 0 without one."""
    log_joints: NDArray[np.float64]
    """(2**n_h,): ``log P(x, h)`` of each state, nats; bit j of the index is h_j. Else of length 0."""


@njit(**INLINED)
def _block_of(params, u):
    """Return the block of a latent, and where its row of weights begins."""
    n, at, first = 1, 0, params.first
    while u >= first[n + 1]:
        at += (first[n + 1] - first[n]) * (first[n] - first[n - 1])
        n += 1
    return n, at + (u - first[n]) * (first[n] - first[n - 1])


class MeansState(NamedTuple):
    """Means of the latents, and what a visit needs, which the kernels modify in place."""

    units: NDArray[np.float64]
    """(6, n_units): rows `VALUE` to `ENTROPY`, which say of each unit: x, or the mean of a latent; mean and
    variance of its activation; the slope of its log normaliser in ``E[a**2] / 2``; A_u, nats; H, nats.
    """
    tilts: NDArray[np.float64]
    """(6, n_v): rows `TILT` to `NEW_HIGH`; of width 0 if no tilts are needed."""
    upper: NDArray[np.float64]
    """(n_top,): ``U'q + e``, the activations of the units of the RBM above."""
    sums: NDArray[np.float64]
    """(3 + 2**n_h,): ``E log P(x, h)`` with one latent off, and on; which latent that is; and scratch."""


VALUE, MEAN, VARIANCE, RATE, LOSS, ENTROPY = range(6)
"""Rows of ``MeansState.units``."""

TILT, LOW, HIGH, NEW_TILT, NEW_LOW, NEW_HIGH = range(6)
"""Rows of ``MeansState.tilts``: xi, ``log E exp(-xi a)``, ``log E exp((1 - xi) a)``, and scratch."""

OFF, ON, LATENT, SCRATCH = range(4)
"""Indices of ``MeansState.sums``."""


@njit(**INLINED)
def _log_add(a, b):
    """Return ``log(exp(a) + exp(b))``; one of them may be minus infinity."""
    return max(a, b) + log(1.0 + exp(-abs(a - b)))


@njit(**INLINED)
def _sigmoid(a):
    """Return ``1 / (1 + exp(-a))`` in vector registers, without overflow."""
    t = exp(-abs(a))
    return (1.0 if a >= 0.0 else t) / (1.0 + t)


@njit(**INNER)
def _log_shares(q):
    """Return ``log(1 - q)`` and ``log(q)``."""
    off = math.log1p(-q) if q < 1.0 else -math.inf
    on = math.log(q) if q > 0.0 else -math.inf
    return off, on


# -- activations


@njit(**SUMS)
def _add_row(w, change, spread, mean, variance):
    """Add a latent's weights, and their squares, to the moments of the activations below it."""
    for i in range(np.uintp(len(w))):
        mean[i] += change * w[i]
        variance[i] += spread * w[i] * w[i]


@njit(**SUMS)
def _settle_quadratic(mean, variance, rate, loss):
    """Fill the slope ``tanh(xi / 2) / (2 xi)`` and the bound on the log normaliser at the best xi."""
    for i in range(np.uintp(len(mean))):
        a = mean[i]
        square = max(a * a + variance[i], _LEAST_SQUARE)
        xi = math.sqrt(square)
        t = exp(-xi)
        series = 0.25 - square * (1.0 / 48.0 - square * (1.0 / 480.0))
        rate[i] = slope_at(xi, t, 1.0) if xi > _SMALL else series
        loss[i] = 0.5 * (a + xi) + log(1.0 + t)


@njit(**SUMS)
def _settle_gaussian(x, mean, variance, rate, loss):
    """Fill the slope and the expected log normaliser of Gaussian units of variance 1, with that of x."""
    for i in range(np.uintp(len(mean))):
        rate[i] = 1.0
        loss[i] = 0.5 * (mean[i] * mean[i] + variance[i] + x[i] * x[i] + LOG_2PI)


@njit(**SUMS)
def _settle_tilted(mean, tilts, loss):
    """Fill the bound on the log normaliser at the tilts."""
    for i in range(np.uintp(len(mean))):
        loss[i] = tilts[TILT, i] * mean[i] + _log_add(tilts[LOW, i], tilts[HIGH, i])


@njit(**INNER)
def _settle(params, state, n):
    """Fill the terms of the units of block n that depend on the moments of their activations."""
    begin, end = params.first[n], params.first[n + 1]
    mean, variance = state.units[MEAN, begin:end], state.units[VARIANCE, begin:end]
    rate, loss = state.units[RATE, begin:end], state.units[LOSS, begin:end]
    kind = params.kinds[n]
    if kind == QUADRATIC:
        _settle_quadratic(mean, variance, rate, loss)
    elif kind == GAUSSIAN:
        _settle_gaussian(state.units[VALUE, begin:end], mean, variance, rate, loss)
    elif kind == TILTED:
        _settle_tilted(mean, state.tilts, loss)
    else:
        rate[:] = 0.0
        loss[:] = 0.0


# -- tilts


@njit(**SUMS)
def _fill_normal_tilts(mean, variance, tilt):
    """Fill the optimal tilts for normal activations, by Newton steps from below the root."""
    for i in range(np.uintp(len(mean))):
        m, v = mean[i], variance[i]
        z = m / (1.0 + 0.25 * v)
        for _ in range(_NEWTON_STEPS):
            z = towards_tilt(z, m, v, _sigmoid(z), 0.5, 1.0)
        tilt[i] = _sigmoid(z)


@njit(**SUMS)
def _add_factor(w, q, sign, tilt, low, high):
    """Add the logarithm of ``1 - q + q exp(power)`` to `low` and `high`, `sign` times.

    The power is ``-xi w`` and ``(1 - xi) w``.
    """
    if q == 0.0:
        return  # a factor of 1
    off, on = _log_shares(q)
    for i in range(np.uintp(len(w))):
        low[i] += sign * _log_add(off, on - tilt[i] * w[i])
        high[i] += sign * _log_add(off, on + (1.0 - tilt[i]) * w[i])


@njit(**INNER)
def _fill_exponentials(params, q, tilt, low, high):
    """Fill ``log E exp(-xi a)`` and ``log E exp((1 - xi) a)`` of visible units at the tilts."""
    n_v = len(tilt)
    for i in range(n_v):
        low[i] = -tilt[i] * params.bias[i]
        high[i] = (1.0 - tilt[i]) * params.bias[i]
    for j in range(len(q)):
        _add_factor(params.weights[j * n_v : (j + 1) * n_v], q[j], 1.0, tilt, low, high)


@njit(**INNER)
def _choose_tilts(params, state):
    """Take better tilts for the present means, if there are any; the tilts before may be not-a-number.

    Nearly equal ones stay: rounding errors, which differ between machines, must not decide between them.
    """
    tilts, n_v = state.tilts, state.tilts.shape[1]
    q = state.units[VALUE, params.n_v : params.first[2]]
    mean, variance = state.units[MEAN, :n_v], state.units[VARIANCE, :n_v]
    _fill_normal_tilts(mean, variance, tilts[NEW_TILT])
    _fill_exponentials(params, q, tilts[NEW_TILT], tilts[NEW_LOW], tilts[NEW_HIGH])
    _fill_exponentials(params, q, tilts[TILT], tilts[LOW], tilts[HIGH])
    for i in range(n_v):
        loss = tilts[TILT, i] * mean[i] + _log_add(tilts[LOW, i], tilts[HIGH, i])
        found = tilts[NEW_TILT, i] * mean[i] + _log_add(tilts[NEW_LOW, i], tilts[NEW_HIGH, i])
        if not found >= loss - _MIN_RELATIVE_GAIN * (1.0 + abs(loss)):
            for row in range(TILT, NEW_TILT):
                tilts[row, i] = tilts[row + NEW_TILT, i]


# -- sums over all states


@njit(**SUMS)
def _average(low, high, q, out):
    """Fill the averages over a latent of mean q of what is expected with it off, and on."""
    for s in range(np.uintp(len(out))):
        out[s] = low[s] + q * (high[s] - low[s])


@njit(**INNER)
def _expect(params, state, j):
    """Fill ``E log P(x, h)`` with latent j off, and on; the others are averaged out, the top bit first."""
    q = state.units[VALUE, params.n_v :]
    left, table, size = params.log_joints, state.sums[SCRATCH:], len(params.log_joints)
    for k in range(len(q) - 1, -1, -1):
        if k == j:
            continue
        # of the latents below k, and j: j is the top bit of these once all above it are averaged out
        size //= 2
        half = size if k > j else size // 2
        for part in range(1 if k > j else 2):
            begin = part * half
            middle, end = 2 * begin + half, 2 * begin + 2 * half
            _average(left[2 * begin : middle], left[middle:end], q[k], table[begin : begin + half])
        left = table
    state.sums[OFF], state.sums[ON], state.sums[LATENT] = left[0], left[1], j


# -- a visit


@njit(**SUMS)
def _pull(w, x, half, mean, rate, q):
    """Return what the units below say for a latent of mean q, at the present slopes."""
    total = 0.0
    for i in range(np.uintp(len(w))):
        total += w[i] * (x[i] - half - rate[i] * (mean[i] + (0.5 - q) * w[i]))
    return total


@njit(**SUMS)
def _tilted_pull(w, x, tilts, q):
    """Return what the units below say for a latent of mean q by the tangent of the bound.

    The error of the tangent is convex, so that the mean that it asks for never lowers the bound.
    """
    total = 0.0
    for i in range(np.uintp(len(w))):
        tilt, z = tilts[TILT, i], tilts[HIGH, i] - tilts[LOW, i]
        down = exp(max(-_STEEPEST, min(_STEEPEST, -tilt * w[i])))
        up = exp(max(-_STEEPEST, min(_STEEPEST, (1.0 - tilt) * w[i])))
        slope = _sigmoid(-z) * (down - 1.0) / (1.0 - q + q * down)
        slope += _sigmoid(z) * (up - 1.0) / (1.0 - q + q * up)
        total += (x[i] - tilt) * w[i] - slope
    return total


@njit(**SUMS)
def _expert_pull(row, upper):
    """Return what the RBM above says for a latent, at the best means of its other units."""
    total = 0.0
    for k in range(np.uintp(len(row))):
        total += row[k] * _sigmoid(upper[k])
    return total


@njit(**SUMS)
def _sum_of(units):
    """Return the sum of all units' terms in the bound, nats."""
    total = 0.0
    for u in range(np.uintp(units.shape[1])):
        total += units[VALUE, u] * units[MEAN, u] - units[LOSS, u] + units[ENTROPY, u]
    return total


@njit(**SUMS)
def _sum_softplus(upper):
    """Return ``sum_k softplus(upper_k)``."""
    total = 0.0
    for k in range(np.uintp(len(upper))):
        total += _log_add(0.0, upper[k])
    return total


@njit(**KERNEL)
def log_odds_of(params, state, j):
    """Return the log-odds of the mean of latent j that raises the bound, most at the present xi or tilts.

    Parameters
    ----------
    params, state : MeansParams, MeansState
    j : int
        Latents are numbered through the layers.
    """
    if params.exact:
        _expect(params, state, j)
        return state.sums[ON] - state.sums[OFF]
    u = j + params.n_v
    n, at = _block_of(params, u)
    begin, end = params.first[n - 1], params.first[n]
    w, x = params.weights[at : at + end - begin], state.units[VALUE, begin:end]
    total = state.units[MEAN, u]
    if params.kinds[n - 1] == TILTED:
        total += _tilted_pull(w, x, state.tilts, state.units[VALUE, u])
    else:
        half = 0.5 if params.kinds[n - 1] == QUADRATIC else 0.0
        total += _pull(
            w, x, half, state.units[MEAN, begin:end], state.units[RATE, begin:end], state.units[VALUE, u]
        )
    if len(params.offsets) and n == len(params.kinds) - 1:
        total += _expert_pull(params.experts[u - params.first[n]], state.upper)
    return total


@njit(**KERNEL)
def move_mean(params, state, j, mean):
    """Set the mean of latent j. Modified in place: `state`."""
    u = j + params.n_v
    before = state.units[VALUE, u]
    state.units[VALUE, u] = mean
    state.units[ENTROPY, u] = entropy_of(mean)
    if params.exact:
        if state.sums[LATENT] != j:
            _expect(params, state, j)
        return
    n, at = _block_of(params, u)
    begin, end = params.first[n - 1], params.first[n]
    w, change = params.weights[at : at + end - begin], mean - before
    spread = mean * (1.0 - mean) - before * (1.0 - before)
    _add_row(w, change, spread, state.units[MEAN, begin:end], state.units[VARIANCE, begin:end])
    if params.kinds[n - 1] == TILTED:
        tilts = state.tilts
        _add_factor(w, mean, 1.0, tilts[TILT], tilts[LOW], tilts[HIGH])
        _add_factor(w, before, -1.0, tilts[TILT], tilts[LOW], tilts[HIGH])
    _settle(params, state, n - 1)
    if len(params.offsets) and n == len(params.kinds) - 1:
        row = params.experts[u - params.first[n]]
        for k in range(len(row)):
            state.upper[k] += change * row[k]


@njit(**KERNEL)
def bound_of(params, state):
    """Return the lower bound at the present means, nats: on log P(x), or on ``log P(x) + log Z``."""
    if params.exact:
        total = state.sums[OFF]
        total += state.units[VALUE, params.n_v + int(state.sums[LATENT])] * (state.sums[ON] - state.sums[OFF])
        for u in range(params.n_v, len(params.bias)):
            total += state.units[ENTROPY, u]
        return total
    return _sum_of(state.units) + _sum_softplus(state.upper)


@njit(**KERNEL)
def refresh_means(params, state):
    """Compute all terms from the means, without the rounding of many moves, and better tilts if any.

    Modified in place: `state`.
    """
    first = params.first
    for u in range(len(params.bias)):
        state.units[MEAN, u] = params.bias[u]
        state.units[VARIANCE, u] = 0.0
        state.units[ENTROPY, u] = entropy_of(state.units[VALUE, u]) if u >= params.n_v else 0.0
    if params.exact:
        _expect(params, state, 0)
        return
    for u in range(params.n_v, len(params.bias)):
        q = state.units[VALUE, u]
        if q != 0.0:
            n, at = _block_of(params, u)
            begin, end = first[n - 1], first[n]
            w = params.weights[at : at + end - begin]
            _add_row(w, q, q * (1.0 - q), state.units[MEAN, begin:end], state.units[VARIANCE, begin:end])
    if params.kinds[0] == TILTED:
        _choose_tilts(params, state)
    for n in range(len(params.kinds)):
        _settle(params, state, n)
    for k in range(len(state.upper)):
        state.upper[k] = params.offsets[k]
        for j in range(params.experts.shape[0]):
            state.upper[k] += state.units[VALUE, first[len(first) - 2] + j] * params.experts[j, k]


@njit(**KERNEL)
def begin_means(params, state):
    """Compute all terms from the first means, and return the bound, nats. Modified in place: `state`."""
    state.tilts[:] = math.nan  # there are none yet
    refresh_means(params, state)
    return bound_of(params, state)


class MeansRecord(NamedTuple):
    """The columns of a trace of means, filled in place; row k is the visit after the first k visits.

    As of :class:`lrbn_viz.lrbn.icm.Record`, but for `after`, the mean, and `bound`, nats.
    """

    unit: NDArray[np.int32]
    after: NDArray
    flipped: NDArray
    log_odds: NDArray
    bound: NDArray
    sweep: NDArray[np.int32]


@njit(**KERNEL)
def update_means(params, state, units, guess, n_sweeps, most, cursor, record, n_visits):
    """Make up to `n_visits` further visits to the latents in turn, recording each.

    Parameters
    ----------
    params, state : MeansParams, MeansState
        The model and the image; the means, initially those of the start.
    units : (n_free,) int32
        Latents to visit in each sweep, one at least; others are held.
    guess : (n_latents,) float64
        Log-odds of the means that a first sweep sets, which may lower the bound: a recognition network's. Of
        length 0 if there is none.
    n_sweeps : int
        Sweeps of mean field, at most; they end when no mean changes by more than `MEAN_CHANGE`.
    most : (1,) float64
        Largest change of this sweep.
    cursor : (5,) int64
    record : MeansRecord

    Modified in place: `state`, `most`, `cursor`, `record`.
    """
    n_all = n_sweeps + 1 if len(guess) else n_sweeps
    for k in range(cursor[K], cursor[K] + n_visits):
        if cursor[DONE] == 1:
            return
        t, position = cursor[SWEEP], cursor[POSITION]
        guessed = t == 0 and len(guess) > 0
        if position == 0:
            refresh_means(params, state)
            most[0] = 0.0
        j = np.int64(units[position])
        log_odds = guess[j] if guessed else log_odds_of(params, state, j)
        mean = scalar_sigmoid(log_odds)
        change = abs(mean - state.units[VALUE, params.n_v + j])
        move_mean(params, state, j, mean)
        most[0] = max(most[0], change)
        record.unit[k], record.after[k], record.flipped[k] = j, mean, change > MEAN_CHANGE
        record.log_odds[k], record.bound[k], record.sweep[k] = log_odds, bound_of(params, state), t
        cursor[K], cursor[POSITION] = k + 1, position + 1
        if position + 1 == len(units):
            cursor[SWEEP], cursor[POSITION] = t + 1, 0
            cursor[CONVERGED] = int(most[0] <= MEAN_CHANGE or (guessed and n_sweeps == 0))
            cursor[DONE] = int(t + 1 == n_all or (cursor[CONVERGED] == 1 and not guessed))


@njit(**SUMS)
def _input_of(w, below):
    """Return ``sum_i w_i x_i`` over the units that are known."""
    total = 0.0
    for i in range(np.uintp(len(w))):
        total += 0.0 if math.isnan(below[i]) else w[i] * below[i]
    return total


@njit(**KERNEL)
def pass_up(rows, offset, below, scale, held, log_odds, means):
    """Compute the means of latents from the units below alone, as a recognition network does.

    Parameters
    ----------
    rows : (n_h, n_v) float64
        Weights of each latent.
    offset : (n_h,) float64
    below : (n_v,) float64
        Units below, or their means; NaN is not known and adds nothing.
    scale : float
        How often the units below count.
    held : (n_h,) float64
        States of held latents, NaN for others.
    log_odds, means : (n_h,) float64
        Filled: ``offset + scale W'x``, and the means, those of held latents being their states.
    """
    for j in range(len(offset)):
        log_odds[j] = offset[j] + scale * _input_of(rows[j], below)
        means[j] = scalar_sigmoid(log_odds[j]) if math.isnan(held[j]) else held[j]
