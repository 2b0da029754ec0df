"""What an RBM infers where visible units are not known: summed out, they couple the latents.

Given h the visible units are independent, so that an unknown one leaves the logarithm of a sum or an integral
behind, which depends on all latents that are on:

    log P*(x_known, h) = d'h + sum_known [terms of x_i] + sum_unknown S(u_i),    u = W h,
    S(u) = log (1 + exp(u + b_i)),  for Gaussian units  (b_i u + u^2 / 2) / s_i^2 + log (s_i sqrt(2 pi)).

So a single pass is no longer exact. In a directed model it is the other way round: there an unknown unit
drops out, and what is known couples the latents. Few latents are enumerated; more are drawn by block Gibbs
sampling of latents and unknown units, in which each mean is averaged over the sweeps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.posterior import LogOddsTerms, states
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.kernels.numerics import softplus
from lrbn_viz.rivals.rbm.model import (
    Params,
    Visible,
    Visits,
    deviations,
    log_odds,
    log_variances,
    posterior,
    trace_of,
    visible_mean,
    visible_term,
)

N_SWEEPS, N_BURN_IN = 200, 50
"""Sweeps of Gibbs sampling over which means are averaged, and sweeps before them."""
LEAST_GAIN = 1e-9
"""Smallest gain of a flip in nats: rounding errors do not decide."""


def _summed(params: Params, u: NDArray, visible: Visible, rows: NDArray | slice) -> NDArray[np.float64]:
    """Return S(u) of some visible units; u is (..., n) for the n units that `rows` picks."""
    b = np.asarray(params.b, np.float64)[rows]
    if visible == "bernoulli":
        return softplus(u + b)
    z = log_variances(params)
    own = np.zeros_like(b) if z is None else np.asarray(z, np.float64)[rows]
    return (b * u + 0.5 * u**2) * np.exp(-own) + 0.5 * (own + np.log(2 * np.pi))


def known_log_odds(params: Params, X: NDArray) -> NDArray[np.float64]:
    """Return ``w_j'x + d_j`` over the visible units that are known, not NaN; (..., n_h)."""
    return log_odds(params, np.where(np.isnan(X), 0.0, X))


def log_joint(params: Params, X: NDArray, H: NDArray, visible: Visible) -> NDArray[np.float64]:
    """Return ``log P*(x, h)`` of what is known, summed over what is not, nats: *not* normalised.

    X is (..., n_v), H (..., n_h); their leading axes fit each other.
    """
    H, unknown = np.asarray(H, np.float64), np.isnan(X)
    rest = np.where(unknown, params.b if visible == "gaussian" else 0.0, X)
    of_x = visible_term(params.b, rest, visible, log_variances(params))
    u = H @ np.asarray(params.W, np.float64).T
    left = np.where(unknown, _summed(params, u, visible, slice(None)), 0.0).sum(-1)
    return (known_log_odds(params, X) * H).sum(-1) + of_x + left


def log_odds_terms(params: Params, x: NDArray, h: NDArray, j: int, visible: Visible) -> LogOddsTerms:
    """Return the terms of ``logit P(h_j = 1 | x, h_-j)``: alone and others are those of unknown units."""
    W, unknown, s = np.asarray(params.W, np.float64), np.isnan(x), deviations(params)
    w, rest = W[:, j], np.array(h, np.float64)
    rest[j] = 0.0
    evidence = np.where(unknown, 0.0, w * x if s is None else w * x / s**2)
    alone, others = np.zeros(len(x)), np.zeros(len(x))
    mine, u = w[unknown], W[unknown] @ rest
    alone[unknown] = _gain(params, 0.0 * u, mine, visible, unknown)
    others[unknown] = _gain(params, u, mine, visible, unknown) - alone[unknown]
    return LogOddsTerms(float(params.d[j]), evidence, alone, others)


def _gain(
    params: Params, u: NDArray, w: NDArray, visible: Visible, rows: NDArray[np.bool_]
) -> NDArray[np.float64]:
    return _summed(params, u + w, visible, rows) - _summed(params, u, visible, rows)


def map_trace(params: Params, x: NDArray, visible: Visible) -> ICMTrace:
    """Return ICM of one image from h = 0, units in order, until none changes; flips raise log P*(x, h)."""
    W, unknown = np.asarray(params.W, np.float64), np.isnan(x)
    h, u, fixed = np.zeros(W.shape[1], np.uint8), np.zeros(unknown.sum()), known_log_odds(params, x)
    start = total = float(log_joint(params, x, h, visible))
    rows: list[tuple[int, int, bool, float, float, int]] = []
    unchanged = 0
    while unchanged < len(h):
        j = len(rows) % len(h)
        w, before = W[unknown, j], int(h[j])
        rest = u - before * w
        odds = float(fixed[j] + _gain(params, rest, w, visible, unknown).sum())
        after = int(odds > LEAST_GAIN) if before == 0 else int(not odds < -LEAST_GAIN)
        if after != before:
            total += odds if after else -odds
            h[j], u = after, rest + after * w
        unchanged = 0 if after != before else unchanged + 1
        rows.append((j, after, after != before, odds, total, len(rows) // len(h)))
    kinds: Any = (np.int32, np.uint8, np.bool_, np.float64, np.float64, np.int32)
    columns = (np.array(column, kind) for column, kind in zip(zip(*rows, strict=True), kinds, strict=True))
    return trace_of(params, x, visible, start, Visits(*columns))


class Means(NamedTuple):
    """Means of latents, (n, n_h), and of visible units, (n, n_v), given what is known of images."""

    latents: NDArray[np.float64]
    visibles: NDArray[np.float64]


def exact_means(params: Params, X: NDArray, visible: Visible) -> Means:
    """Return the means by enumeration of the latents' states."""
    H = states(params.W.shape[1]).astype(np.float64)
    of_h = visible_mean(params, H, visible)
    found = Means(np.empty((len(X), H.shape[1])), np.empty(X.shape))
    for m, x in enumerate(X):
        joints = log_joint(params, x[None], H, visible)
        p = np.exp(joints - joints.max())
        p /= p.sum()
        found.latents[m], found.visibles[m] = np.minimum(p @ H, 1.0), p @ of_h
    return found


def sampled_means(
    params: Params, X: NDArray, visible: Visible, n_sweeps: int, rng: np.random.Generator
) -> Means:
    """Return the means over sweeps of Gibbs sampling of latents and unknown units, one chain an image.

    Each sweep adds the probabilities with which latents, and the means around which units, are drawn.
    """
    unknown, s = np.isnan(X), deviations(params)
    filled = np.where(unknown, visible_mean(params, np.zeros(params.W.shape[1]), visible), X)
    latents, visibles = np.zeros((len(X), params.W.shape[1])), np.zeros(X.shape)
    for sweep in range(N_BURN_IN + n_sweeps):
        p = posterior(params, filled)
        mean = visible_mean(params, rng.random(p.shape) < p, visible)
        if visible == "bernoulli":
            drawn = (rng.random(mean.shape) < mean).astype(np.float64)
        else:
            drawn = mean + rng.standard_normal(mean.shape) * (1.0 if s is None else s)
        filled = np.where(unknown, drawn, X)
        if sweep >= N_BURN_IN:
            latents += p
            visibles += mean
    return Means(latents / n_sweeps, visibles / n_sweeps)
