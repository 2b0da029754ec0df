"""Exact posteriors of small models, and interactions of latents.

All ``2**n_h`` states are enumerated in Gray-code order, so that each follows from the last by one flip.
Further: the pairwise interactions given x.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.posterior import MAX_EXACT, ExactPosterior, summarise
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import FIRST, KERNEL
from lrbn_viz.lrbn.icm import conditional_log_odds
from lrbn_viz.lrbn.kernel_params import KernelParams, gram_of
from lrbn_viz.lrbn.model import Visible
from lrbn_viz.lrbn.start import begin, state_of, with_own_gram
from lrbn_viz.lrbn.state import flip, log_joint_of


@njit(**KERNEL)
def enumerate_joints(params, state, log_joints):
    """Write ``log P(x, h)`` of each state h of image 0, which is visited by single flips, to `log_joints`.

    `state` is that of :func:`lrbn_viz.lrbn.start.state_of`, with all latents off. In state k latent j is bit
    j of k. Modified in place: `state`, `log_joints` (2**n_h,).
    """
    total = begin(params, state)
    number = 0
    log_joints[0] = total
    for step in range(1, log_joints.shape[0]):
        # The reflected Gray code turns over the bit that is the lowest set one of the step's number.
        j = 0
        while (step >> j) & 1 == 0:
            j += 1
        change = conditional_log_odds(params, state, FIRST, j)
        flip(params, state, FIRST, j)
        number ^= 1 << j
        if step % 256 == 0:
            total = log_joint_of(params, state, FIRST)
        else:
            total += change if (number >> j) & 1 else -change
        log_joints[number] = total


def enumerate_posterior(
    params: LayerParams, visible: Visible, kernel_params: KernelParams, x: NDArray
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
    state = state_of(kernel_params, x, "zeros", np.random.default_rng(0))
    if visible == "gaussian" and state.partly[0]:  # quicker from four latents on
        kernel_params, state = with_own_gram(kernel_params, state)
    log_joints = np.empty(2**n_h)
    enumerate_joints(kernel_params, state, log_joints)
    return summarise(log_joints)


@njit(**KERNEL)
def _pairwise(params, state, base, J):
    """Fill column k of `J` with the change of all log-odds when latent k goes from 0 to 1, for image 0.

    Modified in place: `state` (left as it came), `base`, `J`.
    """
    n_h = len(base)
    begin(params, state)
    for j in range(n_h):
        base[j] = conditional_log_odds(params, state, FIRST, j)
    for k in range(n_h):
        sign = 1.0 if state.latent[0, k] == 0 else -1.0
        flip(params, state, FIRST, k)
        for j in range(n_h):
            J[j, k] = 0.0 if j == k else sign * (conditional_log_odds(params, state, FIRST, j) - base[j])
        flip(params, state, FIRST, k)


def interactions(
    params: LayerParams, visible: Visible, kernel_params: KernelParams, x: NDArray, h: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """Return by how much the latents of each pair change each other's log-odds; shape (n_h, n_h), nats.

    Entry (j, k) is the change of ``logit P(h_j = 1 | x, rest)`` when h_k goes from 0 to 1, the others held at
    `h`: negative for units that explain the same pixels away from each other. Symmetric, zero diagonal, and
    independent of x (n_v,), but for which of it is known. Exactly ``-w_j'w_k`` for Gaussian units, over the
    known ones; a second difference of the softplus terms for Bernoulli units.
    """
    unknown = unknown_in(x)
    if visible == "gaussian":
        return -(kernel_params.gram if unknown is None else gram_of(params.W[~unknown].T))
    # The evidence of any image cancels in the differences.
    blank = np.zeros(params.n_v) if unknown is None else np.where(unknown, np.nan, 0.0)
    state = state_of(kernel_params, blank, h, np.random.default_rng(0))
    J = np.empty((params.n_h, params.n_h))
    _pairwise(kernel_params, state, np.empty(params.n_h), J)
    return 0.5 * (J + J.T)
