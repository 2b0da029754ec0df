"""Training of an LRBN's layer on one thread and in place, as browsers do it."""

from __future__ import annotations

import numpy as np
from numba import njit

from lrbn_viz.kernels.numerics import KERNEL
from lrbn_viz.lrbn import batch_kernel
from lrbn_viz.lrbn.regression import BLOCK, ascend, conclude, list_on, regress_alone

_ALONE = 1


@njit(**KERNEL)
def infer_images(params, state, temperatures, max_sweeps, visits, flips, converged):
    """Infer the latents of a batch, as :func:`lrbn_viz.lrbn.batch_kernel.run_sweeps` does.

    Modified in place: `state` and, for each image, the numbers of `visits` and `flips` and whether ICM
    `converged`, all initially zero.
    """
    slots = np.empty((1, 8), np.int64), np.empty((1, 8), np.int64), np.empty((1, 8), np.int64)
    found, counter, bounds = np.empty((1, 8)), np.zeros(1, np.int64), np.empty(state.latent.shape)
    results = visits, flips, converged
    batch_kernel.infer_alone(
        params, state, temperatures, max_sweeps, _ALONE, slots, found, counter, bounds, results
    )


@njit(**KERNEL)
def learn_alone(old, X, H, how, gradient, velocity, new, figures):
    """Take a step of the M-step by gradient for Bernoulli units, as
    :meth:`lrbn_viz.lrbn.m_step.MStep.learn` does.

    Parameters
    ----------
    old : Rows
    X : (n, n_v) float64
        Pixels of NaN are not known.
    H : (n, n_h)
        States of the latents.
    how : Ascent
    gradient, velocity, new : Rows
        As of :func:`lrbn_viz.lrbn.regression.ascend`; `new` may be `old` itself.
    figures : (4,) float64
        Filled, as :data:`lrbn_viz.lrbn.regression.FIGURES` names them.
    """
    (n, n_h), n_v = H.shape, X.shape[1]
    on, images = np.empty((n, n_h + 1), np.int64), np.empty((n_h, n + 1), np.int64)
    list_on(H, on, images)
    n_blocks = (n_v + BLOCK - 1) // BLOCK
    residual, squares = np.empty((n, n_v)), np.empty(n_blocks)
    log_likelihood, wrong = np.empty((n_blocks, n)), np.empty((n_blocks, n))
    keep, rate = (1.0, 0.0) if how.momentum > 0.0 else (how.keep, how.rate)
    regress_alone(
        old.rows, old.b, X, on, images, keep, rate, residual, log_likelihood, wrong, squares,
        gradient.rows, new.rows,
    )  # fmt: skip
    conclude(H, old.d, residual, log_likelihood, wrong, squares, gradient, figures)
    ascend(old, gradient, how, velocity, new)
