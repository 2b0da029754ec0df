"""The sweeps of whole batches: the visits of :mod:`lrbn_viz.lrbn.conditional`, as fast as they can be made.

For Bernoulli units a visit turns its latent over if the product over pixels that gives the conditional is
below a bound. With the evidence e_j, the temperature T and a uniform number u, and for T = 0 a tolerance,

    0 -> 1:  log prod_i (off_i + on_i exp(w_ij)) < e_j - T logit(u)                  (or e_j - tolerance)
    1 -> 0:  log prod_i (on_i + off_i exp(w_ij)) < sum_i w_ij - e_j + T logit(u)     (or ... - tolerance)

and none of this changes during a sweep, as a latent's state changes in its own visit only. So all bounds of
an image are computed when its sweep begins, in one loop that vectorises, and a visit takes no logarithm.

Two images at a time visit the same latents: their factors ``exp(w_ij)`` are loaded once, and what is left to
multiply at the end of one product is multiplied beside the other's. A thread takes a new image for each that
has ended, so that none waits for another.
"""

from __future__ import annotations

import numpy as np
from numba import get_num_threads, njit, prange
from numpy.typing import NDArray

from lrbn_viz.elementary import exp, log
from lrbn_viz.lrbn.conditional import Field, conditional_log_odds, decide, flip, log_ratio, refresh
from lrbn_viz.lrbn.operands import Operands
from lrbn_viz.numerics import GOLDEN, INLINED, INNER, mixed_uniform, run_kernel
from lrbn_viz.vector import odds_product, shift_odds, take, two_odds_products

_FAR = 700.0
"""Nats; products are within exp(+-600), so that a bound beyond decides as an infinite one does."""


@njit(**INNER)
def _set_bounds(ops, field, m, temperature, bounds):
    """Compute the bounds of the next sweep of image m, and take its random numbers from its stream.

    Modified in place: row m of `bounds` (n, n_h), its logarithm where one product does not hold all pixels,
    and of ``field.stream``.
    """
    n_p = ops.W.shape[1]
    n_h = bounds.shape[1]
    stream = field.stream[m]
    tolerance = ops.tolerance if temperature == 0.0 else 0.0
    for j in range(np.uintp(n_h)):
        odds = field.evidence[m, j]
        if temperature > 0.0:
            u = mixed_uniform(stream + (j + np.uint64(1)) * GOLDEN)
            odds -= temperature * log(u / (1.0 - u))
        bound = odds if field.latent[m, j] == 0 else -odds
        whole = ops.chunk[j] >= n_p
        bound += (ops.weight[j] if field.latent[m, j] != 0 and whole else 0.0) - tolerance
        near = -_FAR if bound < -_FAR else bound
        near = _FAR if near > _FAR else near
        near = exp(near)
        bounds[m, j] = near if whole else bound
    if temperature > 0.0:
        field.stream[m] += np.uint64(n_h) * GOLDEN


@njit(**INLINED)
def _turn(ops, field, m, j, lazy):
    """Turn latent j of image m over; `lazy`: without its activations, which :func:`refresh` makes anew.

    Modified in place: row m of `field`.
    """
    # A saturated image's activations are exact: a refresh has found it so, and each flip keeps them.
    if field.saturated[m] or not lazy:
        flip(ops, field, m, j)
        return
    state = field.latent[m, j]
    field.latent[m, j] = 1 - state
    field.since_refresh[m] += 1
    if (
        field.since_refresh[m] >= ops.refresh
        or not shift_odds(field.on, field.off, m, state, ops.factor, j) >= ops.floor
    ):
        refresh(ops, field, m)


@njit(**INLINED)
def _one_product(ops, field, m, j):
    """Return the product of image m that is compared with its bound, or the logarithm of it."""
    state = field.latent[m, j]
    if ops.chunk[j] >= ops.W.shape[1]:
        return odds_product(field.on, field.off, m, state, ops.factor, j, 0, ops.W.shape[1])
    return log_ratio(ops, field, m, j, 1.0 if state == 0 else -1.0)


@njit(**INLINED)
def _settle(ops, field, m, j, product, bounds, icm, lazy, unchanged, flips):
    """Decide from the product, and return how many visits now have left all units unchanged."""
    if product < bounds[m, j]:
        _turn(ops, field, m, j, lazy)
        flips[m] += 1
        return 0
    return unchanged + 1 if icm else 0


@njit(**INNER)
def _begin(ops, field, counter, n_sweeps):
    """Take the next image and return its number; -1 if there is none. Modified in place: all but `ops`."""
    m = take(counter)
    if m >= field.latent.shape[0] or n_sweeps == 0:
        return -1
    refresh(ops, field, m)
    return m


@njit(**INNER)
def _work(ops, field, temperatures, max_sweeps, counter, bounds, visits, flips, converged):
    """Infer images of Bernoulli units, as :func:`_infer_one` does each, until none is left.

    Modified in place: `field`, `counter`, `bounds`, `visits`, `flips`, `converged`.
    """
    n_h, n_p = ops.W.shape
    n_warm = len(temperatures)
    n_sweeps = n_warm + max_sweeps
    lazy = True
    for j in range(n_h):
        lazy = lazy and ops.chunk[j] > 0
    a = b = -1  # images
    t = s = 0  # their sweeps
    same = other_same = 0  # visits since their last flip
    while True:
        if a < 0:
            a, t, same = _begin(ops, field, counter, n_sweeps), 0, 0
        if b < 0 and a >= 0:
            b, s, other_same = _begin(ops, field, counter, n_sweeps), 0, 0
        if a < 0:
            a, t, same, b = b, s, other_same, -1
        if a < 0:
            return
        _set_bounds(ops, field, a, temperatures[t] if t < n_warm else 0.0, bounds)
        if b >= 0:
            _set_bounds(ops, field, b, temperatures[s] if s < n_warm else 0.0, bounds)
        for j in range(n_h):
            if a >= 0 and b >= 0 and ops.chunk[j] >= n_p:
                p, q = two_odds_products(
                    field.on, field.off, a, field.latent[a, j], b, field.latent[b, j], ops.factor, j
                )
            else:
                p = _one_product(ops, field, a, j) if a >= 0 else 0.0
                q = _one_product(ops, field, b, j) if b >= 0 else 0.0
            if a >= 0:
                same = _settle(ops, field, a, j, p, bounds, t >= n_warm, lazy, same, flips)
                if same >= n_h:  # every unit has been found in its likelier state since the last flip
                    visits[a], converged[a] = t * n_h + j + 1, True
                    a = -1
            if b >= 0:
                other_same = _settle(ops, field, b, j, q, bounds, s >= n_warm, lazy, other_same, flips)
                if other_same >= n_h:
                    visits[b], converged[b] = s * n_h + j + 1, True
                    b = -1
            if a < 0 and b < 0:
                break
        t += 1
        s += 1
        if a >= 0 and t == n_sweeps:
            visits[a] = t * n_h
            a = -1
        if b >= 0 and s == n_sweeps:
            visits[b] = s * n_h
            b = -1


@njit(**INNER)
def _infer_one(ops, field, m, temperatures, max_sweeps):
    """Visit the latents of image m in turn: one sweep per temperature, then ICM until nothing changes.

    Modified in place: row m of `field`. Returns (visits, flips, converged).
    """
    refresh(ops, field, m)
    n_h = field.latent.shape[1]
    n_flips = 0
    unchanged = 0
    for t in range(len(temperatures) + max_sweeps):
        temperature = temperatures[t] if t < len(temperatures) else 0.0
        for j in range(n_h):
            log_odds = conditional_log_odds(ops, field, m, j)
            state = field.latent[m, j]
            if decide(log_odds, state, temperature, ops.tolerance, field.stream, m) != state:
                flip(ops, field, m, j)
                n_flips += 1
                unchanged = 0
            else:
                unchanged += 1
            if temperature == 0.0:
                # Every unit has been found to be in its likelier state since the last flip.
                if unchanged >= n_h:
                    return t * n_h + j + 1, n_flips, True
            else:
                unchanged = 0
    return (len(temperatures) + max_sweeps) * n_h, n_flips, False


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def _infer_batch(ops, field, temperatures, max_sweeps, n_workers, counter, bounds, visits, flips, converged):
    """Infer every image on its own.

    Modified in place: `field`, `counter` (1,) and what follows it.
    """
    if ops.gaussian:
        for m in prange(field.latent.shape[0]):
            visits[m], flips[m], converged[m] = _infer_one(ops, field, m, temperatures, max_sweeps)
    else:
        for _ in prange(n_workers):
            _work(ops, field, temperatures, max_sweeps, counter, bounds, visits, flips, converged)


@njit(cache=True, nogil=True, error_model="numpy")
def _infer_batch_serial(
    ops, field, temperatures, max_sweeps, n_workers, counter, bounds, visits, flips, converged
):
    """Do the same on one thread."""
    if ops.gaussian:
        for m in range(field.latent.shape[0]):
            visits[m], flips[m], converged[m] = _infer_one(ops, field, m, temperatures, max_sweeps)
    else:
        _work(ops, field, temperatures, max_sweeps, counter, bounds, visits, flips, converged)


def work_of(field: Field, operands: Operands) -> int:
    """Return the multiplications of one sweep over a batch."""
    n, n_h = field.latent.shape
    return n * n_h * max(operands.W.shape[1], n_h if operands.gaussian else 1)


def run_sweeps(
    operands: Operands,
    field: Field,
    temperatures: NDArray[np.float64],
    max_sweeps: int,
    visits: NDArray[np.int64],
    flips: NDArray[np.int64],
    converged: NDArray[np.bool_],
) -> None:
    """Make one sweep of every image at each temperature, then at most `max_sweeps` of ICM.

    Modified in place: `field` and, for each image, the visits and flips that it took and whether ICM
    `converged`; these begin as zeros.
    """
    n, n_h = field.latent.shape
    bounds = np.empty((0 if operands.gaussian else n, n_h))
    arrays = (
        temperatures,
        max_sweeps,
        get_num_threads(),
        np.zeros(1, np.int64),
        bounds,
        visits,
        flips,
        converged,
    )
    run_kernel(_infer_batch, _infer_batch_serial, work_of(field, operands), operands, field, *arrays)
