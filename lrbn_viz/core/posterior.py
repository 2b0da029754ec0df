"""Exact results for the latents given an image: the whole posterior, and the terms of one decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.io import constants

MAX_EXACT = 20
"""Latents up to which all states are enumerated; 20 are a million states, about a second at 784 pixels."""

MAX_EXACT_INTERACTIVE = constants.MAX_EXACT_INTERACTIVE
"""Largest number of latents for which interactive pages enumerate all states, repeatedly."""

NORMALISER_CHAINS = constants.NORMALISER_CHAINS
"""Least number of chains that estimate a normaliser where its states are too many to enumerate."""


@dataclass(frozen=True, eq=False, repr=False)
class ExactPosterior:
    """P(h | x) in full.

    Attributes
    ----------
    log_joints : (2**n_h,) float64
        ``log P(x, h)`` of every state, nats; bit j of the index is h_j.
    map_state : (n_h,) uint8
        The most probable state.
    map_log_joint : float
        Its ``log P(x, h)``, nats.
    marginals : (n_h,) float64
        ``P(h_j = 1 | x)``.
    covariance : (n_h, n_h) float64
        Posterior covariance of the latents; diagonal ``p (1 - p)``.
    log_evidence : float
        ``log P(x)``, nats.
    """

    log_joints: NDArray[np.float64]
    map_state: NDArray[np.uint8]
    map_log_joint: float
    marginals: NDArray[np.float64]
    covariance: NDArray[np.float64]
    log_evidence: float

    def __repr__(self) -> str:
        share = np.exp(self.map_log_joint - self.log_evidence)
        on = ", ".join(map(str, np.flatnonzero(self.map_state))) or "none"
        told = f"the most probable has {share:.1%} and units on: {on}; log P(x) {self.log_evidence:.2f} nats"
        return f"<ExactPosterior of {len(self.log_joints):,} states: {told}>"

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """P(h | x) of every state; shape (2**n_h,)."""
        return np.exp(self.log_joints - self.log_evidence)


def states(n_h: int) -> NDArray[np.uint8]:
    """Return every latent state as a row; bit j of the row's index is h_j. Shape (2**n_h, n_h)."""
    return ((np.arange(2**n_h)[:, None] >> np.arange(n_h)) & 1).astype(np.uint8)


def summarise(log_joints: NDArray[np.float64]) -> ExactPosterior:
    """Return the posterior of which every state's ``log P(x, h)`` is given, in order of :func:`states`."""
    best = int(log_joints.argmax())
    p, log_evidence = normalised(log_joints)
    marginals, covariance = moments(p)
    map_state = ((best >> np.arange(len(marginals))) & 1).astype(np.uint8)
    return ExactPosterior(log_joints, map_state, float(log_joints[best]), marginals, covariance, log_evidence)


def moments(probabilities: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the marginals (n_h,) and the covariance (n_h, n_h) of a distribution over all states.

    Parameters
    ----------
    probabilities : (2**n_h,) float64
        Probability of every state; bit j of the index is h_j.
    """
    from lrbn_viz.kernels.posterior import fill_moments  # not at the top: traces are read without numba

    n = len(probabilities)
    n_h = n.bit_length() - 1
    marginals, covariance = np.empty(n_h), np.empty((n_h, n_h))
    fill_moments(writeable(probabilities), np.empty(n), np.empty(n // 2), marginals, covariance)
    return marginals, covariance


def normalised(log_joints: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return P(h | x) of every state, and log P(x), given ``log P(x, h)``; minus infinity is impossible."""
    from lrbn_viz.kernels.posterior import normalise  # as above

    p = np.empty(len(log_joints))
    return p, float(normalise(writeable(log_joints), float(log_joints.max()), p))


def apart(W: NDArray, d: NDArray, x: NDArray) -> NDArray[np.float64]:
    """Return ``sigmoid(d + W'x)`` of the x (n_v,) that are known: each latent by itself; (n_h,)."""
    from lrbn_viz.kernels.posterior import fill_apart  # as above

    on = np.empty(len(d))
    fill_apart(_rows(W), writeable(d), writeable(x), on)
    return on


def joints_of_independent(W: NDArray, b: NDArray, d: NDArray, x: NDArray) -> NDArray[np.float64]:
    """Return ``log P*(x, h)`` of every state h of an RBM with Bernoulli units, nats; (2**n_h,)."""
    from lrbn_viz.kernels.posterior import enumerate_independent  # as above

    log_joints = np.empty(2 ** len(d))
    b, d, x = (writeable(values) for values in (b, d, x))
    enumerate_independent(_rows(W), b, d, x, np.empty(len(d)), np.empty(len(b)), log_joints)
    return log_joints


def expected_visibles(kind: str, W: NDArray, b: NDArray, p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means of visible units of a kind under each of several distributions p (n, 2**n_latents);
    (n, n_v).

    W (n_v, n_h) has the columns of the lowest layer's latents, which come first.
    """
    from lrbn_viz.kernels.posterior import expected_visibles as fill  # as above
    from lrbn_viz.kernels.units import KINDS

    found = np.empty((len(p), len(b)))
    fill(KINDS[kind], _rows(W), writeable(b), p, np.empty(len(b)), found)
    return found


def _rows(W: NDArray) -> NDArray[np.float64]:
    """Return the rows ``w_j`` of weights W (n_v, n_h)."""
    return np.array(W.T, np.float64, order="C")


def writeable(values: NDArray) -> NDArray[np.float64]:
    """Return an array as kernels take it: a read-only one would make Numba compile them once more."""
    return np.require(values, np.float64, ("C", "W"))


def enumerated_marginal(joint: Callable[..., NDArray], X: NDArray, n_h: int) -> NDArray[np.float64]:
    """Return ``log sum_h exp(joint(x, h))`` of each row of `X`, over all states; (n,), nats."""
    values = np.full(len(X), -np.inf)
    for first in range(0, 2**n_h, 1 << 14):
        codes = np.arange(first, min(first + (1 << 14), 2**n_h))
        H = ((codes[:, None] >> np.arange(n_h)) & 1).astype(np.uint8)
        for m, x in enumerate(X):
            log_joints = joint(np.broadcast_to(x, (len(H), len(x))), H)
            values[m] = np.logaddexp(values[m], np.logaddexp.reduce(log_joints))
    return values


def flip_log_odds(joint: Callable[..., NDArray], X: NDArray, H: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return ``logit P(h_j = 1 | x, all others)``, (n, n_h), from the joint with each latent on, and off."""
    odds = np.empty(H.shape)
    for j in range(H.shape[1]):
        on, off = H.copy(), H.copy()
        on[:, j], off[:, j] = 1, 0
        odds[:, j] = joint(X, on) - joint(X, off)
    return odds


def flip_interactions(log_odds: Callable[[NDArray], NDArray], h: NDArray) -> NDArray[np.float64]:
    """Return the change of each ``log_odds(H)`` (1, n_h) if latent k is on, others at `h`; (n_h, n_h)."""
    found = np.zeros((len(h), len(h)))
    for k in range(len(h)):
        on, off = h[None].copy(), h[None].copy()
        on[0, k], off[0, k] = 1, 0
        found[:, k] = (log_odds(on) - log_odds(off))[0]
    np.fill_diagonal(found, 0.0)
    return found


class LogOddsTerms(NamedTuple):
    """Terms of a unit's log-odds, in nats: ``log_odds = prior + evidence.sum() + alone.sum() +
    others.sum()``.

    Each term has the sign with which it enters the sum. With all other latents of its layer off, `others` is
    0; for an RBM `alone` and `others` are 0 in every state.

    Attributes
    ----------
    prior : float
        ``d_j``, or what the layer above generates.
    evidence : (n_v,) float64
        What each visible unit says for the latent, ``w_ij x_i``; for Gaussian units ``w_ij (x_i - b_i)``.
    alone : (n_v,) float64
        The unit's own normaliser, were all other latents off: ``-[softplus(b_i + w_ij) - softplus(b_i)]``;
        for Gaussian units ``-w_ij**2 / 2``. It does not depend on the state: a threshold. Prior, evidence and
        alone are the conditional at h = 0; for Gaussian units equation (12).
    others : (n_v,) float64
        What the latents that are on change of that: ``-[softplus(a_i + w_ij) - softplus(a_i)]`` less `alone`,
        with ``a`` the activations without unit j; for Gaussian units ``-w_ij (a_i - b_i)``. Below 0 the
        others explain the unit away, above 0 they support it.
    """

    prior: float
    evidence: NDArray[np.float64]
    alone: NDArray[np.float64]
    others: NDArray[np.float64]

    @property
    def log_odds(self) -> float:
        """``logit P(h_j = 1 | x, h_-j)``, nats."""
        return float(self.prior + self.evidence.sum() + self.alone.sum() + self.others.sum())
