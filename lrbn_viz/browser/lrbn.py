"""Training of an LRBN's layer on one thread and in place, as browsers do it."""

from __future__ import annotations

import numpy as np
from numba import njit

from lrbn_viz.kernels.numerics import KERNEL
from lrbn_viz.lrbn import batch_kernel
from lrbn_viz.lrbn.regression import (
    BLOCK,
    Rows,
    ascend,
    ascent_at,
    conclude,
    list_on,
    regress_alone,
)

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
def _regressed(of, X, H, keep, rate, gradient, updated, figures):
    """Fill the gradient of a minibatch, the updated rows of weights, and its figures, as
    :func:`lrbn_viz.lrbn.regression.regress` does.
    """
    (n, n_h), n_v = H.shape, X.shape[1]
    on, images = np.empty((n, n_h + 1), np.int64), np.empty((n_h, n + 1), np.int64)
    list_on(H, on, images)
    n_blocks = (n_v + BLOCK - 1) // BLOCK
    residual, squares = np.empty((n, n_v)), np.empty(n_blocks)
    log_likelihood, wrong = np.empty((n_blocks, n)), np.empty((n_blocks, n))
    regress_alone(
        of.rows, of.b, X, on, images, keep, rate, residual, log_likelihood, wrong, squares,
        gradient.rows, updated,
    )  # fmt: skip
    conclude(H, of.d, residual, log_likelihood, wrong, squares, gradient, figures)


@njit(**KERNEL)
def learn_alone(old, X, H, steps, step, gradient, velocity, new, figures):
    """Take a step of the M-step by gradient for Bernoulli units, as
    :meth:`lrbn_viz.lrbn.m_step.MStep.learn` does, `step` others having gone before.

    Parameters
    ----------
    old : Rows
    X : (n, n_v) float64
        Pixels of NaN are not known.
    H : (n, n_h)
        States of the latents.
    steps : GradientSteps
    step : int
    gradient, velocity, new : Rows
        As of :func:`lrbn_viz.lrbn.regression.ascend`; `new` may be `old` itself.
    figures : (4,) float64
        Filled, as :data:`lrbn_viz.lrbn.regression.FIGURES` names them.
    """
    how = ascent_at(steps, step)
    keep, rate = (1.0, 0.0) if how.momentum > 0.0 else (how.keep, how.rate)
    _regressed(old, X, H, keep, rate, gradient, new.rows, figures)
    ascend(old, gradient, how, velocity, new)


@njit(**KERNEL)
def measure_alone(of, X, H, figures):
    """Measure the fit of parameters to images and their latents, as
    :meth:`lrbn_viz.lrbn.hard_em.HardEM.validate` does.

    Parameters
    ----------
    of : Rows
    X : (n, n_v) float64
        Pixels of NaN are not known.
    H : (n, n_h)
        States of the latents.
    figures : (5,) float64
        Filled, as :data:`lrbn_viz.lrbn.regression.FIGURES` names them, and with the number of latents that
        are on in no image.
    """
    n_h, n_v = of.rows.shape
    gradient = Rows(np.empty((n_h, n_v)), np.empty(n_v), np.empty(n_h))
    _regressed(of, X, H, 1.0, 0.0, gradient, np.empty((n_h, n_v)), figures)
    figures[4] = 0.0
    for j in range(n_h):
        used = False
        for m in range(len(H)):
            used |= H[m, j] != 0
        figures[4] += not used
