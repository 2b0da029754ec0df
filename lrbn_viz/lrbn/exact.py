"""The truth for small models, and the anatomy of one decision.

Enumeration of all ``2**n_h`` states in Gray-code order, so that each follows from the last by one flip; the
pairwise interactions given x; and the three terms of one unit's log-odds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.lrbn.conditional import conditional_log_odds, flip, log_joint_of, refresh
from lrbn_viz.lrbn.icm import make_field
from lrbn_viz.lrbn.model import LRBNParams, Visible, activation
from lrbn_viz.lrbn.operands import Operands
from lrbn_viz.numerics import softplus

MAX_EXACT = 20
"""Latents up to which all states are enumerated; 20 are a million states, about a second at 784 pixels."""


@dataclass(frozen=True, eq=False)
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

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """P(h | x) of every state; shape (2**n_h,)."""
        return np.exp(self.log_joints - self.log_evidence)


@njit(cache=True, nogil=True, error_model="numpy")
def _enumerate(ops, field, log_joints):
    """Visit all states of image 0 by single flips. Modified in place: `field`, `log_joints`."""
    refresh(ops, field, 0)
    total = log_joint_of(ops, field, 0)
    state = 0
    log_joints[0] = total
    for step in range(1, log_joints.shape[0]):
        # The reflected Gray code turns over the bit that is the lowest set one of the step's number.
        j = 0
        while (step >> j) & 1 == 0:
            j += 1
        change = conditional_log_odds(ops, field, 0, j)
        flip(ops, field, 0, j)
        state ^= 1 << j
        if step % 256 == 0:
            total = log_joint_of(ops, field, 0)
        else:
            total += change if (state >> j) & 1 else -change
        log_joints[state] = total


def states(n_h: int) -> NDArray[np.uint8]:
    """Return every latent state as a row; bit j of the row's index is h_j. Shape (2**n_h, n_h)."""
    return ((np.arange(2**n_h)[:, None] >> np.arange(n_h)) & 1).astype(np.uint8)


def enumerate_posterior(
    params: LRBNParams, visible: Visible, operands: Operands, x: NDArray
) -> ExactPosterior:
    """Return the exact posterior of one image.

    Raises
    ------
    ValueError
        When the model has more than 20 latents.
    """
    n_h = params.n_h
    if n_h > MAX_EXACT:
        raise ValueError(
            f"exact_posterior enumerates 2**n_h states: expected n_h <= {MAX_EXACT}, got {n_h}. "
            "Use a small model, such as pretrained('lrbn-12-digits')."
        )
    field = make_field(
        params, visible, operands, x[None], np.zeros((1, n_h), np.uint8), np.random.default_rng(0)
    )
    log_joints = np.empty(2**n_h)
    _enumerate(operands, field, log_joints)
    return summarise(log_joints)


def summarise(log_joints: NDArray[np.float64]) -> ExactPosterior:
    """Return the posterior of which every state's ``log P(x, h)`` is given, in order of :func:`states`."""
    best = int(log_joints.argmax())
    top = float(log_joints[best])
    weights = np.exp(log_joints - top)
    log_evidence = top + float(np.log(weights.sum()))
    weights /= weights.sum()
    marginals, covariance = moments(weights)
    map_state = ((best >> np.arange(len(marginals))) & 1).astype(np.uint8)
    return ExactPosterior(log_joints, map_state, top, marginals, covariance, log_evidence)


def moments(probabilities: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the marginals (n_h,) and the covariance (n_h, n_h) of a distribution over all states.

    Parameters
    ----------
    probabilities : (2**n_h,) float64
        Of every state; bit j of the index is h_j.
    """
    n_h = len(probabilities).bit_length() - 1
    # As a table with the lower half of the latents across and the upper half down, of 2**(n_h / 2) each way,
    # all that is asked for is a product of small matrices.
    below = n_h // 2
    low, high = (states(n).astype(np.float64) for n in (below, n_h - below))
    table = probabilities.reshape(len(high), len(low))
    both_on = np.empty((n_h, n_h))
    both_on[:below, :below] = (low * table.sum(axis=0)[:, None]).T @ low
    both_on[below:, below:] = (high * table.sum(axis=1)[:, None]).T @ high
    both_on[below:, :below] = high.T @ table @ low
    both_on[:below, below:] = both_on[below:, :below].T
    np.minimum(both_on, 1.0, out=both_on)  # rounding may leave a sure unit 1e-16 above
    marginals = both_on.diagonal().copy()
    return marginals, both_on - np.outer(marginals, marginals)


@njit(cache=True, nogil=True, error_model="numpy")
def _pairwise(ops, field, base, J):
    """Fill column k of `J` with the change of all log-odds when latent k goes from 0 to 1, for image 0.

    Modified in place: `field` (left as it came), `base`, `J`.
    """
    n_h = len(base)
    refresh(ops, field, 0)
    for j in range(n_h):
        base[j] = conditional_log_odds(ops, field, 0, j)
    for k in range(n_h):
        sign = 1.0 if field.latent[0, k] == 0 else -1.0
        flip(ops, field, 0, k)
        for j in range(n_h):
            J[j, k] = 0.0 if j == k else sign * (conditional_log_odds(ops, field, 0, j) - base[j])
        flip(ops, field, 0, k)


def interactions(
    params: LRBNParams, visible: Visible, operands: Operands, h: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """Return by how much each pair of latents moves each other's log-odds; shape (n_h, n_h), nats.

    Entry (j, k) is the change of ``logit P(h_j = 1 | x, rest)`` when h_k goes from 0 to 1, the others held at
    `h`: negative for units that explain the same pixels away from each other. Symmetric, zero diagonal, and
    independent of x. Exactly ``-w_j'w_k`` for Gaussian units; a second difference of the softplus terms for
    Bernoulli units.
    """
    if visible == "gaussian":
        return -operands.gram
    # The evidence of any image cancels in the differences.
    blank = np.zeros((1, params.n_v))
    field = make_field(params, visible, operands, blank, h[None], np.random.default_rng(0))
    J = np.empty((params.n_h, params.n_h))
    _pairwise(operands, field, np.empty(params.n_h), J)
    return 0.5 * (J + J.T)


class LogOddsTerms(NamedTuple):
    """Why one unit decides as it does: ``log_odds = prior + evidence.sum() - explained_away.sum()``, in nats.

    Attributes
    ----------
    prior : float
        ``d_j``.
    evidence : (n_v,) float64
        ``w_ij x_i``, all that an RBM sees; for Gaussian units ``w_ij (x_i - b_i) - w_ij**2 / 2``.
    explained_away : (n_v,) float64
        What the other latents already account for, pixel by pixel:
        ``softplus(a_i + w_ij) - softplus(a_i)`` with ``a`` the activations without unit j; for Gaussian units
        ``w_ij (a_i - b_i)``.
    """

    prior: float
    evidence: NDArray[np.float64]
    explained_away: NDArray[np.float64]

    @property
    def log_odds(self) -> float:
        """``logit P(h_j = 1 | x, h_-j)``, nats."""
        return float(self.prior + self.evidence.sum() - self.explained_away.sum())


def decompose(params: LRBNParams, visible: Visible, x: NDArray, h: NDArray, j: int) -> LogOddsTerms:
    """Split one unit's log-odds into prior, evidence and explained-away terms."""
    w = params.W[:, j]
    without = activation(params, h[None].astype(float))[0] - w * h[j]
    prior = float(params.d[j])
    if visible == "gaussian":
        return LogOddsTerms(prior, w * (x - params.b) - 0.5 * w**2, w * (without - params.b))
    return LogOddsTerms(prior, w * x, softplus(without + w) - softplus(without))
