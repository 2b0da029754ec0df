"""The enhanced and the centred gradient: corrections of rank one to the plain step of an RBM.

With ``x - mu`` and ``h - lam`` in place of x and h, the gradient of W and the steps of the offsets are

    dW = <(x - mu)(h - lam)'>_data - <(x - mu)(h - lam)'>_model
    db = <x>_data - <x>_model - dW lam
    dd = <h>_data - <h>_model - dW' mu

for any centres mu and lam. With 0 for both this is the plain gradient. The enhanced gradient has the mean of
both phases, so that dW is the covariance under the data minus that under the model. Centring has a moving
average of the data phase. Neither depends on which state of a bit is called on, in the data or in the
latents: if some bits are flipped, so is the step.

References
----------
K. Cho, T. Raiko and A. Ilin (2011). Enhanced gradient and adaptive learning rate for training restricted
Boltzmann machines. ICML.
J. Melchior, A. Fischer and L. Wiskott (2016). How to center deep Boltzmann machines. JMLR 17.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import KERNEL, for_threads
from lrbn_viz.rivals.rbm.kernels import BLOCK, SERIAL_KERNEL, n_blocks, nth_block

Gradient = Literal["standard", "centred", "enhanced"]

STANDARD, CENTRED, ENHANCED = range(3)
KINDS: dict[Gradient, int] = {"standard": STANDARD, "centred": CENTRED, "enhanced": ENHANCED}
"""Code of each kind of gradient in compiled functions."""

RUNNING_MEAN_RATE = 0.01
"""Share of the latest minibatch in the moving average of the centres (Melchior, Fischer and Wiskott)."""

_HALF = np.float32(0.5)


@njit(**KERNEL)
def share_of_latest(kind: int, step: int) -> float:
    """Return the share of a minibatch in the moving averages of the centres, `step` others having gone
    before; 1 where there are none.
    """
    if kind != CENTRED:
        return 1.0
    return max(RUNNING_MEAN_RATE, 1.0 / (step + 1))  # initially a plain mean


class Centres(NamedTuple):
    """Offsets subtracted from x and h: moving averages for the centred gradient, otherwise empty."""

    mu: NDArray[np.float32]
    """(n_v,)"""
    lam: NDArray[np.float32]
    """(n_h,)"""


class Phases(NamedTuple):
    """Means of both layers in both phases of a step, float32."""

    x_data: NDArray[np.float32]
    """(n_v,) of the data."""
    x_model: NDArray[np.float32]
    """(n_v,) of the fantasies."""
    h_data: NDArray[np.float32]
    """(n_h,) of the latents given the data."""
    h_model: NDArray[np.float32]
    """(n_h,) of the latents given the fantasies."""


NO_CENTRES = Centres(np.zeros(0, np.float32), np.zeros(0, np.float32))


@njit(**SERIAL_KERNEL)
def mean_rows(rows: NDArray) -> NDArray[np.float32]:
    """Return the mean of the rows of a (n, m) array of uint8 or float32: (m,) float32."""
    total = np.zeros(rows.shape[1], np.float32)
    for k in range(rows.shape[0]):
        row = rows[k]
        for j in range(rows.shape[1]):
            total[j] += np.float32(row[j])
    return total / np.float32(rows.shape[0])


@njit(**SERIAL_KERNEL)
def _centre_block(W, keep, mu, lam, visible_steps, latent_steps, i0, new_W, new_b, lost) -> np.float32:
    """Turn the plain step of a block of visibles into the centred one, in place; add its correction of d to
    `lost`.

    Returns a number that is finite unless a new bias is not.
    """
    n_v, n_h = W.shape
    total = np.float32(0.0)
    for i in range(i0, min(i0 + BLOCK, n_v)):
        old, new = W[i], new_W[i]
        centre_i, visible_step = mu[i], visible_steps[i]
        lost_here = np.float32(0.0)
        for j in range(n_h):
            kept = keep * old[j]
            gain = new[j] - kept - centre_i * latent_steps[j] - visible_step * lam[j]
            new[j] = kept + gain
            lost_here += gain * lam[j]
            lost[j] += centre_i * gain
        new_b[i] -= lost_here
        total += new_b[i]
    return total


@for_threads(**SERIAL_KERNEL)
def _centre_blocks(W, keep, mu, lam, visible_steps, latent_steps, new_W, new_b, lost, totals):
    """Centre every block of visibles, in place, each with its row of `lost` and of `totals`."""
    for n in prange(len(totals)):
        i0 = BLOCK * nth_block(np.int64(n), len(totals))
        totals[n] = _centre_block(W, keep, mu, lam, visible_steps, latent_steps, i0, new_W, new_b, lost[n])


_blocks_parallel, _blocks_alone = _centre_blocks


@njit(**SERIAL_KERNEL)
def centre(
    W: NDArray[np.float32],
    keep: np.float32,
    rate: np.float32,
    phases: Phases,
    centres: Centres,
    new_W: NDArray[np.float32],
    new_b: NDArray[np.float32],
    new_d: NDArray[np.float32],
    threads: bool,
) -> float:
    """Turn a plain step into the centred one. Modified in place: `new_W`, `new_b`, `new_d`.

    Parameters
    ----------
    W : (n_v, n_h) float32
        The weights before the step.
    keep, rate : float32
        One minus the weight decay of the step, and its size.
    phases : Phases
    centres : Centres
        Those of this step.
    threads : bool
        True: on all threads; False: on the calling thread.

    Returns
    -------
    A number that is finite unless a parameter is not.
    """
    n_v, n_h = W.shape
    x_data, x_model, h_data, h_model = phases
    mu, lam = centres
    visible_steps, latent_steps = rate * (x_data - x_model), rate * (h_data - h_model)
    count = n_blocks(n_v)
    lost, totals = np.zeros((count, n_h), np.float32), np.empty(count, np.float32)
    if threads:
        _blocks_parallel(W, keep, mu, lam, visible_steps, latent_steps, new_W, new_b, lost, totals)
    else:
        _blocks_alone(W, keep, mu, lam, visible_steps, latent_steps, new_W, new_b, lost, totals)
    for n in range(count):
        new_d -= lost[n]
    return float(totals.sum() + new_d.sum())


@njit(**SERIAL_KERNEL)
def centres_of_step(kind: int, phases: Phases, centres: Centres, slide: np.float32) -> Centres:
    """Return the centres of one step, from the means of both phases and the moving averages."""
    x_data, x_model, h_data, h_model = phases
    mu, lam = centres
    if kind == ENHANCED:
        return Centres(_HALF * (x_data + x_model), _HALF * (h_data + h_model))
    # to NumPy's stubs a product of float32 is float64
    moved: Any = mu + slide * (x_data - mu), lam + slide * (h_data - lam)
    return Centres(moved[0], moved[1])
