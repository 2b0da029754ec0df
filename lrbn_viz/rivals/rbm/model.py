"""The formulas of restricted Boltzmann machines with Bernoulli or Gaussian visibles.

Given x the latents are independent, ``P(h_j = 1 | x) = sigmoid(w_j'x + d_j)``: nothing is explained away, and
one visit to each latent finds the exact MAP state. The price is the partition function Z, known only by
enumeration.

Visible units that are not known, NaN in x, are summed out. Given h they are independent, so that each leaves
a term behind that depends on all latents that are on:

    log P*(x_known, h) = d'h + sum_known [terms of x_i] + sum_unknown S(u_i),    u = W h,
    S(u) = log (1 + exp(u + b_i)),  for Gaussian units  (b_i u + u^2 / 2) / s_i^2 + log (s_i sqrt(2 pi)).

They couple the latents, and one visit to each is no longer exact. In a directed model it is the other way
round: there an unknown unit drops out, and what is known couples the latents.

Functions take `params`, anything with arrays W (n_v, n_h), b (n_v,) and d (n_h,), such as an
:class:`~lrbn_viz.rivals.rbm.system.RBMState`. Gaussian visibles have unit variance, or where `params` has
z (n_v,), its log variances: x given h is N(Wh + b, diag(s^2)) with s^2 = exp(z), and w_j'x above becomes
``sum_i w_ij x_i / s_i^2``. Divided by s, such an x is what an RBM of unit variance has, with W / s and b / s.

References
----------
K. Cho, A. Ilin and T. Raiko (2011). Improved learning of Gaussian-Bernoulli restricted Boltzmann machines.
ICANN. Equation 4.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.posterior import LogOddsTerms, states
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import sigmoid, softplus

Visible = Literal["bernoulli", "gaussian"]
Variance = Literal["fixed", "learned"]

MAX_ENUMERATED = 20
"""Largest layer whose 2^n states :func:`log_partition` sums over: a million states, seconds."""

MIN_LOG_VARIANCE = float(np.log(0.01))
"""Smallest log of a learned variance, 0.01: that of a pixel which never changes would fall without bound."""


class Params(Protocol):
    """Parameters of a model, as the formulas use them."""

    @property
    def W(self) -> NDArray[np.floating]:
        """Weights, (n_v, n_h): column j is the filter of latent j."""
        ...

    @property
    def b(self) -> NDArray[np.floating]:
        """Offsets of the visible units, (n_v,)."""
        ...

    @property
    def d(self) -> NDArray[np.floating]:
        """Offsets of the latents, (n_h,), nats."""
        ...


class GaussianParams(NamedTuple):
    """Parameters of an RBM whose Gaussian visibles have learned variances; never modified after creation.

    Attributes
    ----------
    W : (n_v, n_h) float64
    b : (n_v,) float64
    d : (n_h,) float64
    z : (n_v,) float64
        Log variance of each visible given the latents.
    """

    W: NDArray[np.float64]
    b: NDArray[np.float64]
    d: NDArray[np.float64]
    z: NDArray[np.float64]

    n_v, n_h = LayerParams.n_v, LayerParams.n_h


def log_variances(params: Params) -> NDArray[np.floating] | None:
    """Return z (n_v,), the log variances of Gaussian visibles; None where `params` has none: all are 0."""
    z: Any = getattr(params, "z", ())
    return z if len(z) else None


def deviations(params: Params) -> NDArray[np.float64] | None:
    """Return s (n_v,), the standard deviation of each visible given the latents; None where all are 1."""
    z = log_variances(params)
    return None if z is None else np.exp(0.5 * np.asarray(z, np.float64))


def of_unit_variance(params: Params) -> Params:
    """Return the RBM of x / s if x has that of `params`; `params` itself if its variances are 1."""
    s = deviations(params)
    if s is None:
        return params
    W, b, d = (np.asarray(array, np.float64) for array in (params.W, params.b, params.d))
    return LayerParams(W / s[:, None], b / s, d)


def log_volume(params: Params) -> float:
    """Return ``sum_i log s_i``, the excess of log Z of x over that of x / s, nats; 0 at unit variance."""
    z = log_variances(params)
    return 0.0 if z is None else 0.5 * float(np.sum(z, dtype=np.float64))


def log_odds(params: Params, X: NDArray) -> NDArray[np.float64]:
    """Return ``w_j'x + d_j``, the log-odds of h_j = 1 given x, for x of shape (..., n_v): (..., n_h) in nats.

    It does not depend on the other latents, for either kind of visible. If variances are learned, w_ij x_i is
    divided by that of visible i.
    """
    X, z = np.asarray(X, np.float64), log_variances(params)
    if z is not None:
        X = X * np.exp(-np.asarray(z, np.float64))
    return X @ np.asarray(params.W, np.float64) + params.d


def posterior(params: Params, X: NDArray) -> NDArray[np.float64]:
    """Return the exact ``P(h_j = 1 | x)``, (..., n_h) in [0, 1], for x of shape (..., n_v)."""
    return sigmoid(log_odds(params, X))


def visible_mean(params: Params, H: NDArray, visible: Visible = "bernoulli") -> NDArray[np.float64]:
    """Return the mean of x given h, (..., n_v): ``sigmoid(Wh + b)``, or ``Wh + b`` for Gaussian visibles.

    The mean of Gaussian visibles does not depend on their variances.
    """
    a = np.asarray(H, np.float64) @ np.asarray(params.W, np.float64).T + params.b
    return sigmoid(a) if visible == "bernoulli" else a


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


def log_joint(params: Params, X: NDArray, H: NDArray, visible: Visible = "bernoulli") -> NDArray[np.float64]:
    """Return the unnormalised log P(x, h) in nats; subtract :func:`log_partition` for the normalised one.

    ``x'Wh + b'x + d'h`` for Bernoulli visibles, ``x'Wh - ||x - b||^2 / 2 + d'h`` for Gaussian ones, whose
    terms of visible i are divided by its variance where that is learned. Without log Z, states of one model
    can be compared, but not with an LRBN's log joint. Of visibles that are not known, NaN, it is the sum over
    all that they may be.

    Equation: (4) and (7)

    Parameters
    ----------
    X : (..., n_v)
        Visibles, 0 or 1 for Bernoulli.
    H : (..., n_h)
        Latents, 0 or 1.
    """
    H, unknown = np.asarray(H, np.float64), unknown_in(np.asarray(X))
    if unknown is not None:
        rest = np.where(unknown, params.b if visible == "gaussian" else 0.0, X)
        of_x = visible_term(params.b, rest, visible, log_variances(params))
        u = H @ np.asarray(params.W, np.float64).T
        left = np.where(unknown, _summed(params, u, visible, slice(None)), 0.0).sum(-1)
        return (known_log_odds(params, X) * H).sum(-1) + of_x + left
    return (log_odds(params, X) * H).sum(-1) + visible_term(params.b, X, visible, log_variances(params))


def free_energy(params: Params, X: NDArray, visible: Visible = "bernoulli") -> NDArray[np.float64]:
    """Return ``F(x) = -log sum_h exp(log_joint(x, h))`` in nats, so that ``log P(x) = -F(x) - log Z``."""
    of_x = visible_term(params.b, X, visible, log_variances(params))
    return -of_x - softplus(log_odds(params, X)).sum(-1)


def visible_term(b: NDArray, X: NDArray, visible: Visible, z: NDArray | None = None) -> NDArray[np.float64]:
    """Return the part of the log joint that depends on x alone, nats.

    b (n_v,) are the offsets and z (n_v,) the log variances of Gaussian visibles, None where they are 0.
    """
    X = np.asarray(X, np.float64)
    if visible == "bernoulli":
        return X @ np.asarray(b, np.float64)
    squares = np.square(X - b)
    return -0.5 * (squares if z is None else squares * np.exp(-np.asarray(z, np.float64))).sum(-1)


def log_partition(params: Params, visible: Visible = "bernoulli") -> float:
    """Return log Z in nats, exactly, by summing over all states of the latents (or of the visibles if fewer).

    Given h the sum or integral over x has a closed form: ``prod_i (1 + exp(w_i h + b_i))``, or a Gaussian's.

    Raises
    ------
    ValueError
        If both layers are too large to enumerate.
    """
    n_v, n_h = params.W.shape
    transposed = visible == "bernoulli" and n_v < n_h
    n = n_v if transposed else n_h
    if n > MAX_ENUMERATED:
        raise ValueError(
            f"expected a layer of at most {MAX_ENUMERATED} units to enumerate, got n_v = {n_v}, n_h = {n_h} "
            f"and {visible} visibles; use a smaller model, or compare log joints, which need no log Z"
        )
    unit = of_unit_variance(params)
    W, b, d = (np.asarray(p, np.float64) for p in (unit.W, unit.b, unit.d))
    if transposed:
        W, b, d = W.T, d, b
    chunk = 1 << 12  # states at a time: 26 MB of fields at n_v = 784
    total = -np.inf
    for first in range(0, 1 << n, chunk):
        codes = np.arange(first, min(first + chunk, 1 << n))
        H = (codes[:, None] >> np.arange(n) & 1).astype(np.float64)
        a = H @ W.T
        if visible == "bernoulli":
            terms = H @ d + softplus(a + b).sum(1)
        else:  # -||x-b||^2/2 + x'a = -||x-b-a||^2/2 + b'a + ||a||^2/2
            terms = H @ d + a @ b + 0.5 * np.square(a).sum(1) + 0.5 * len(b) * np.log(2 * np.pi)
        total = np.logaddexp(total, np.logaddexp.reduce(terms))
    return float(total) + log_volume(params)


COLUMNS = "unit", "after", "flipped", "log_odds", "log_joint", "sweep"
"""Of the visits of a trace."""


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
