"""Algorithm 1 of the paper: inference of the latents of an image, in the paper's notation.

Line 2 starts all latents h from a feed-forward model (:mod:`lrbn_viz.lrbn.start`). Line 5, in this module,
updates them for an image x by maximising the posterior, ``h* = argmax_h P(x, h)``: one at a time, all others
fixed,

    h_j^(t+1) = argmax over h_j of P(h_j | x, h_-j^t)                                          equation (10)

until none changes. These are iterated conditional modes (ICM). The other lines, which learn the parameters,
are :mod:`lrbn_viz.lrbn.hard_em`.

P(h_j | x, h_-j) "involves the computation of the joint distribution twice", with the latent on and off. A
visible unit has ``log P(x_i | h) = x_i a_i - A(a_i)`` up to a constant, with ``a = W h + b``; A(a) is
softplus(a) for a Bernoulli unit and a^2 / 2 for a Gaussian one. So the two joints differ by

    logit P(h_j = 1 | x, h_-j) = d_j + sum_i w_ij x_i - sum_i [A(a_i + w_ij) - A(a_i)],   a without latent j
                                 evidence             the normaliser, by way of the other latents

A *visit* updates one latent; a *sweep* t visits every latent once. :mod:`lrbn_viz.lrbn.state` keeps what a
visit needs up to date. The fast kernel of whole batches, :mod:`lrbn_viz.lrbn.batch_kernel`, makes the same
visits: a test checks that its flips and log-odds are the same.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import FIRST, INLINED, KERNEL, next_uniform
from lrbn_viz.lrbn.state import explained, flip, log_joint_of

SEQUENTIAL, RANDOM, GREEDY, PARALLEL = range(4)
"""Orders of the visits: in turn, shuffled in each sweep, the best flip first, or all units at once."""

K, SWEEP, POSITION, UNCHANGED, DONE, CONVERGED = range(6)
"""Indices of the cursor: visits made, sweep, visits in this sweep, visits since the last flip, and end."""


class Record(NamedTuple):
    """The columns of a trace, filled in place; row k is the visit after the first k visits."""

    unit: NDArray
    after: NDArray
    flipped: NDArray
    log_odds: NDArray
    log_joint: NDArray
    sweep: NDArray


@njit(**INLINED)
def conditional_log_odds(params, state, m, j):
    """Return ``logit P(h_j = 1 | x, h_-j)`` of image m, in nats. Equation: (10)."""
    if state.latent[m, j] == 0:
        return state.evidence[m, j] - explained(params, state, m, j, 1.0)
    # The activations contain the latent's own weights: the part it explains is the change without them.
    return state.evidence[m, j] + explained(params, state, m, j, -1.0)


@njit(**INLINED)
def decide(log_odds, before, temperature, tolerance, stream, m):
    """Return the more probable state of a latent at temperature 0 (on a tie its present one), else a draw."""
    if temperature == 0.0:
        return int(log_odds > tolerance) if before == 0 else int(not log_odds < -tolerance)
    uniform = next_uniform(stream, m)
    return int(log_odds > temperature * math.log(uniform / (1.0 - uniform)))


@njit(**INLINED)
def best_flip(params, state, units):
    """Return the latent of image 0 whose flip raises the posterior most, the first on a tie; -1 if none."""
    best, gain = -1, 0.0
    for p in range(units.shape[1]):
        j = np.int64(units[0, p])
        log_odds = conditional_log_odds(params, state, FIRST, j)
        here = log_odds if state.latent[0, j] == 0 else -log_odds
        if here > gain + params.tolerance:  # rounding errors, which differ between machines, must not decide
            best, gain = j, here
    return best


@njit(**KERNEL)
def update_latents(params, state, order, units, temperatures, at_once, total, cursor, record, n_visits):
    """Line 5 of Algorithm 1: make up to `n_visits` further visits to the latents of image 0, recording each.

    Parameters
    ----------
    params, state : KernelParams, InferenceState
        The model; the image with its latents h, initially those of the start.
    units : (n_orders, n_free) int32
        Latents to visit, one row per sweep or one for all; others are clamped.
    temperatures : (n_sweeps,) float64
        0 for ICM, 1 for Gibbs sampling, falling for annealing.
    at_once, total, cursor : (n_free,) float64, (1,) float64, (6,) int64
        Log-odds at the sweep's start, for the parallel order; ``log P(x, h)``, nats; the cursor.

    Modified in place: `state`, `at_once`, `total`, `cursor`, `record`.
    """
    n_free = units.shape[1]
    for k in range(cursor[K], cursor[K] + n_visits):
        if cursor[DONE] == 1:
            return

        # === One latent is updated, all others are fixed === #
        t, position = cursor[SWEEP], cursor[POSITION]
        sweep_units = t if units.shape[0] > 1 else 0
        j = best_flip(params, state, units) if order == GREEDY else np.int64(units[sweep_units, position])
        if j < 0:
            cursor[DONE] = cursor[CONVERGED] = 1
            return

        # === P(h_j | x, h_-j): the joint with the latent on, and off === #
        if order == PARALLEL and position == 0:
            for p in range(n_free):
                at_once[p] = conditional_log_odds(params, state, FIRST, np.int64(units[sweep_units, p]))
        log_odds = at_once[position] if order == PARALLEL else conditional_log_odds(params, state, FIRST, j)

        # === h_j^(t+1) = argmax P(h_j | x, h_-j), or a draw from it === #
        before = state.latent[0, j]
        after = decide(log_odds, before, temperatures[t], params.tolerance, state.stream, FIRST)

        # === Theorem 1: log P(x, h) rises by the log-odds, or stays === #
        if after != before:
            change = conditional_log_odds(params, state, FIRST, j) if order == PARALLEL else log_odds
            flip(params, state, FIRST, j)
            total[0] += change if after == 1 else -change
            if not params.gaussian and state.since_refresh[0] == 0:
                total[0] = log_joint_of(params, state, FIRST)  # rounding errors start at 0 again

        record.unit[k], record.after[k], record.flipped[k] = j, after, after != before
        record.log_odds[k], record.log_joint[k], record.sweep[k] = log_odds, total[0], t

        # === Until no latent changes: every one was found in its likelier state since the last flip === #
        cursor[K] = k + 1
        cursor[UNCHANGED] = 0 if after != before or temperatures[t] > 0.0 else cursor[UNCHANGED] + 1
        cursor[SWEEP], cursor[POSITION] = (t, position + 1) if position + 1 < n_free else (t + 1, 0)
        # n_free visits in a row; a whole sweep if it has its own order, or decides all units at once.
        if cursor[UNCHANGED] >= n_free and (order == SEQUENTIAL or cursor[POSITION] == 0) and order != GREEDY:
            cursor[DONE] = cursor[CONVERGED] = 1
        elif cursor[SWEEP] == len(temperatures):
            cursor[DONE] = 1
