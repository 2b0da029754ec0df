"""Algorithm 1 for whole batches: a fast implementation of the visits of :mod:`lrbn_viz.lrbn.icm`.

A test checks that both make the same flips, with log-odds equal within 1e-9 nats. The differences, and the
reasons:

*No logarithm at a visit.* For Bernoulli units a visit flips its latent if the product over pixels that gives
the conditional (:mod:`lrbn_viz.lrbn.state`) is below a bound. With the evidence e_j, the temperature T and a
uniform number u, and for T = 0 a tolerance,

    0 -> 1:  log prod_i (off_i + on_i exp(w_ij)) < e_j - T logit(u)                  (or e_j - tolerance)
    1 -> 0:  log prod_i (on_i + off_i exp(w_ij)) < sum_i w_ij - e_j + T logit(u)     (or ... - tolerance)

and neither side's bound changes during a sweep, as a latent's state changes only in its own visit. So all
bounds of an image are computed when its sweep begins, in one loop that vectorises. A row of weights so strong
that its product might overflow, and Gaussian units, compare the logarithms themselves.

*Several images per row.* Four images visit the same latent: a row of ``exp(W)`` is loaded once for all of
them, each has two registers of products, and their pixel probabilities stay in the first-level cache (in
double precision those of two images do). For each four multiply-adds only two registers of probabilities are
then loaded, so that the multiply-add units limit the speed of the loop. When an image has converged, its
thread takes a new one at the next sweep, so that no image waits for another; the last images are visited in
smaller groups.

*Flips without activations.* A flip updates the pixel probabilities only, with one division per pixel. The
activations are recomputed from the latents where they are needed: after so many flips that rounding errors
have grown, and where a pixel is saturated.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import get_num_threads, njit, prange
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.kernels.numerics import FIRST, GOLDEN, INLINED, INNER, KERNEL, mixed_uniform, run_kernel
from lrbn_viz.kernels.simd.math import exp, log
from lrbn_viz.kernels.simd.odds import (
    GROUP,
    four_dots,
    four_odds_products,
    odds_product,
    shift_odds,
    take,
    two_dots,
    two_odds_products,
)
from lrbn_viz.lrbn.kernel_params import ICM_SWEEPS, KernelParams, own_gram_pays
from lrbn_viz.lrbn.model import Start, Visible
from lrbn_viz.lrbn.start import make_state, rows_of, with_own_gram
from lrbn_viz.lrbn.state import InferenceState, explained, flip, of_others, refresh

CHUNK = 256
"""Number of images whose pixel probabilities are stored at a time: two cores, a few megabytes."""

MIN_APART = 8
"""Number of images of one pattern of known pixels from which on they are inferred apart from the others.

The visits of fewer share less, and copying their state takes longer than it saves.
"""

_FAR = 700.0
"""Nats; products are within exp(+-600), so that a larger bound decides like an infinite one."""


@njit(**INNER)
def _set_bounds(params, state, m, temperature, bounds):
    """Compute the bounds of the next sweep of image m, with random numbers from its stream.

    Modified in place: row m of ``state.stream``, and row m of `bounds` (n, n_h), which holds logarithms where
    one product does not cover all pixels.
    """
    n_h = bounds.shape[1]
    stream = state.stream[m]
    tolerance = params.tolerance if temperature == 0.0 else 0.0
    for j in range(np.uintp(n_h)):
        odds = state.evidence[m, j]
        if temperature > 0.0:
            u = mixed_uniform(stream + (j + np.uint64(1)) * GOLDEN)
            odds -= temperature * log(u / (1.0 - u))
        bound = odds if state.latent[m, j] == 0 else -odds
        whole = params.whole[j]
        bound += (params.weight[j] if state.latent[m, j] != 0 and whole else 0.0) - tolerance
        near = -_FAR if bound < -_FAR else bound
        near = _FAR if near > _FAR else near
        near = exp(near)
        bounds[m, j] = near if whole else bound
    if temperature > 0.0:
        state.stream[m] += np.uint64(n_h) * GOLDEN


@njit(**INLINED)
def _turn(params, state, m, j, lazy):
    """Flip latent j of image m; if `lazy`, leave its activations to a later :func:`refresh`.

    Modified in place: row m of `state`.
    """
    # The activations of a saturated image are exact: a refresh has computed them, and each flip updates them.
    if state.saturated[m] or not lazy:
        flip(params, state, m, j)
        return
    before = state.latent[m, j]
    state.latent[m, j] = 1 - before
    state.since_refresh[m] += 1
    if (
        state.since_refresh[m] >= params.refresh
        or not shift_odds(state.on, state.off, m, before, params.factor, j) >= params.floor
    ):
        refresh(params, state, m)


@njit(**INLINED)
def _one_product(params, state, m, j):
    """Return the product of image m that is compared with its bound, or the logarithm of it."""
    before = state.latent[m, j]
    if params.whole[j]:
        return odds_product(state.on, state.off, m, before, params.factor, j, 0, params.W.shape[1])
    return explained(params, state, m, j, 1.0 if before == 0 else -1.0)


@njit(**INLINED)
def _couplings(params, state, j, images, w, n_active, found):
    """Compute the values of a worker's first images, of Gaussian units, if all are known in part.

    Returns for how many: for the others :func:`_one_product` does. Modified in place: row w of `found`.
    """
    for s in range(n_active):
        if not state.partly[images[w, s]]:
            return 0
    if n_active == GROUP:
        four_dots(state.activation, images, w, params.rows, j, found)
    elif n_active >= 2:
        two_dots(state.activation, images, w, params.rows, j, found)
    n_together = GROUP if n_active == GROUP else 2 if n_active >= 2 else 0
    for s in range(n_together):
        m = images[w, s]
        coupling = of_others(state, m, j, found[w, s])
        found[w, s] = -coupling if state.latent[m, j] == 1 else coupling
    return n_together


@njit(**INLINED)
def _products(params, state, j, images, w, n_active, found):
    """Compute the value that each of a worker's images compares with its bound. Modified in place: row w of
    `found`.
    """
    first = 0
    if params.gaussian:
        first = _couplings(params, state, j, images, w, n_active, found)
    elif params.whole[j]:
        if n_active == GROUP:
            four_odds_products(state.on, state.off, images, w, state.latent, params.factor, j, found)
            return
        if n_active >= 2:
            two_odds_products(state.on, state.off, images, w, state.latent, params.factor, j, found)
            first = 2
    for s in range(first, n_active):
        found[w, s] = _one_product(params, state, images[w, s], j)


@njit(**INNER)
def _work(params, state, temperatures, max_sweeps, w, n_slots, slots, found, counter, bounds, results):
    """Infer images until none is left: one sweep per temperature, then ICM until no latent changes.

    Modified in place: all arguments except `params` and `temperatures`.
    """
    images, sweeps, unchanged = slots
    visits, flips, converged = results
    n_h = params.W.shape[0]
    n_images, n_warm = len(visits), len(temperatures)
    n_sweeps = n_warm + max_sweeps
    n_lazy = 0
    for j in range(n_h):
        n_lazy += 1 if params.chunk[j] > 0 else 0
    lazy = n_lazy == n_h
    n_active = 0
    while True:
        # === Line 2: images whose latents are to be updated === #
        while n_active < n_slots and n_sweeps > 0:
            m = take(counter)
            if m >= n_images:
                break
            refresh(params, state, m)
            images[w, n_active], sweeps[w, n_active], unchanged[w, n_active] = m, 0, 0
            n_active += 1
        if n_active == 0:
            return

        for s in range(n_active):
            t = sweeps[w, s]
            _set_bounds(params, state, images[w, s], temperatures[t] if t < n_warm else 0.0, bounds)

        # === Line 5: one latent is updated, all others are fixed === #
        for j in range(n_h):
            # P(h_j | x, h_-j)
            _products(params, state, j, images, w, n_active, found)
            for s in range(n_active - 1, -1, -1):
                m, t = images[w, s], sweeps[w, s]
                # h_j^(t+1)
                if found[w, s] < bounds[m, j]:
                    _turn(params, state, m, j, lazy)
                    flips[m] += 1
                    unchanged[w, s] = 0
                    continue
                unchanged[w, s] += 1
                # === Until no latent changes === #
                if t >= n_warm and unchanged[w, s] >= n_h:
                    visits[m], converged[m] = t * n_h + j + 1, True
                    n_active -= 1
                    images[w, s], sweeps[w, s] = images[w, n_active], sweeps[w, n_active]
                    unchanged[w, s] = unchanged[w, n_active]
            if n_active == 0:
                break

        for s in range(n_active - 1, -1, -1):
            sweeps[w, s] += 1
            if sweeps[w, s] <= n_warm:
                unchanged[w, s] = 0
            if sweeps[w, s] == n_sweeps:
                visits[images[w, s]] = n_sweeps * n_h
                n_active -= 1
                images[w, s], sweeps[w, s] = images[w, n_active], sweeps[w, n_active]
                unchanged[w, s] = unchanged[w, n_active]


@njit(**KERNEL, parallel=True)
def _infer_batch(params, state, temperatures, max_sweeps, n_workers, slots, found, counter, bounds, results):
    """Infer every image independently. Modified in place: `state` and the arguments after `n_workers`."""
    n_slots = min(params.n_together, -(-len(state.latent) // n_workers))
    for w in prange(n_workers):
        own = np.int64(w)
        _work(params, state, temperatures, max_sweeps, own, n_slots, slots, found, counter, bounds, results)


@njit(**KERNEL)
def infer_alone(params, state, temperatures, max_sweeps, n_workers, slots, found, counter, bounds, results):
    """Infer the latents of a batch on one thread."""
    _work(
        params,
        state,
        temperatures,
        max_sweeps,
        FIRST,
        params.n_together,
        slots,
        found,
        counter,
        bounds,
        results,
    )


def work_of(state: InferenceState, kernel_params: KernelParams) -> int:
    """Return the number of multiplications in one sweep over a batch."""
    n, n_h = state.latent.shape
    return n * n_h * max(kernel_params.W.shape[1], n_h if kernel_params.gaussian else 1)


def run_sweeps(
    kernel_params: KernelParams,
    state: InferenceState,
    temperatures: NDArray[np.float64],
    max_sweeps: int,
    visits: NDArray[np.int64],
    flips: NDArray[np.int64],
    converged: NDArray[np.bool_],
) -> None:
    """Make one sweep over every image at each temperature, then at most `max_sweeps` of ICM.

    Modified in place: `state` and, for each image, the numbers of `visits` and `flips` and whether ICM
    `converged`, all initially zero.
    """
    patterns = _patterns_apart(kernel_params, state, len(temperatures) + min(max_sweeps, ICM_SWEEPS))
    if not patterns:
        _run_sweeps(kernel_params, state, temperatures, max_sweeps, visits, flips, converged)
        return
    results: tuple[NDArray[Any], ...] = (visits, flips, converged)
    others = np.setdiff1d(np.arange(len(visits)), np.concatenate(patterns))
    for rows in (*patterns, others):
        here = rows_of(state, rows)
        some: Any = tuple(result[rows] for result in results)
        own = (kernel_params, here) if rows is others else with_own_gram(kernel_params, here)
        _run_sweeps(*own, temperatures, max_sweeps, *some)
        for whole, part in zip(
            (state.latent, state.stream, *results), (own[1].latent, own[1].stream, *some), strict=True
        ):
            whole[rows] = part
    _refresh(kernel_params, state)


def _patterns_apart(
    kernel_params: KernelParams, state: InferenceState, n_sweeps: int
) -> list[NDArray[np.int64]]:
    """Return the images of each pattern of known units that is better inferred by its own ``W'W``."""
    n_h, n_p = kernel_params.rows.shape
    # Only images of Gaussian units that are known in part have squares.
    if state.squares.shape[1] == 0 or not own_gram_pays(len(state.latent) * n_sweeps * n_h, n_p, n_h, 0):
        return []
    patterns: dict[bytes, list[int]] = {}
    for m, pattern in enumerate(np.packbits(state.unknown, axis=1)):
        if state.partly[m]:
            patterns.setdefault(pattern.tobytes(), []).append(m)
    n_known = kernel_params.n_v - np.count_nonzero(state.unknown, axis=1)
    return [
        np.array(images)
        for images in patterns.values()
        if len(images) >= MIN_APART
        and own_gram_pays(len(images) * n_sweeps * n_h, n_p, n_h, int(n_known[images[0]]))
    ]


@njit(**KERNEL)
def _refresh(params, state):
    """Compute the activations of all images from their latents. Modified in place: `state`."""
    for m in range(len(state.latent)):
        refresh(params, state, np.int64(m))


def _run_sweeps(
    kernel_params: KernelParams,
    state: InferenceState,
    temperatures: NDArray[np.float64],
    max_sweeps: int,
    visits: NDArray[np.int64],
    flips: NDArray[np.int64],
    converged: NDArray[np.bool_],
) -> None:
    """Make the sweeps of :func:`run_sweeps` over images that the kernel infers alike."""
    n_workers, n_h = get_num_threads(), state.latent.shape[1]
    # Each worker has a cache line of each array.
    slots = tuple(np.empty((n_workers, 8), np.int64) for _ in range(3))
    found, bounds = np.empty((n_workers, 8)), np.empty((len(visits), n_h))
    counter, results = np.zeros(1, np.int64), (visits, flips, converged)
    arrays = (temperatures, max_sweeps, n_workers, slots, found, counter, bounds, results)
    twins = _infer_batch, infer_alone
    run_kernel(twins, work_of(state, kernel_params), kernel_params, state, *arrays)


class BatchInference(NamedTuple):
    """End states of a batch: `H` (n, n_h) uint8 and, per image, `visits`, `flips` and whether ICM
    `converged`.
    """

    H: NDArray[np.uint8]
    visits: NDArray[np.int64]
    flips: NDArray[np.int64]
    converged: NDArray[np.bool_]


def infer_batch(
    params: LayerParams,
    visible: Visible,
    kernel_params: KernelParams,
    X: NDArray,
    start: Start | NDArray,
    temperatures: NDArray[np.float64],
    max_sweeps: int,
    rng: np.random.Generator,
    prior: NDArray[np.float64] | None = None,
) -> BatchInference:
    """Infer the latents of every row of `X`.

    Parameters
    ----------
    kernel_params : KernelParams
        From :func:`prepare_params`; their dtype is the precision of the conditionals.
    X : (n, n_v)
    start : {"conditional", "paper", "zeros", "random"} or (n, n_h) array
    temperatures : (n_warm,) float64
        One sweep at each, first.
    max_sweeps : int
        Largest number of ICM sweeps after them; ICM stops as soon as no flip raises log P(x, h).
    rng : numpy.random.Generator
        Seeds one stream per image.
    prior : (n, n_h), optional
        Prior log-odds of each image's latents, in the place of d.
    """
    n = X.shape[0]
    H = np.empty((n, params.n_h), np.uint8)
    visits, flips = np.zeros(n, np.int64), np.zeros(n, np.int64)
    converged = np.zeros(n, np.bool_)
    temperatures = np.ascontiguousarray(temperatures, dtype=np.float64)
    for first in range(0, n, CHUNK):
        part = slice(first, min(first + CHUNK, n))
        here = start if isinstance(start, str) else start[part]
        own = None if prior is None else prior[part]
        state = make_state(params, visible, kernel_params, X[part], here, rng, own)
        run_sweeps(kernel_params, state, temperatures, max_sweeps, visits[part], flips[part], converged[part])
        H[part] = state.latent
    return BatchInference(H, visits, flips, converged)


@njit(**KERNEL)
def fill_log_odds(params, state, log_odds):
    """Compute the log-odds of all latents from the products that the sweeps compare with their bounds.

    Modified in place: `state`, `log_odds` (n, n_h).
    """
    for m in range(log_odds.shape[0]):
        refresh(params, state, m)
        for j in range(log_odds.shape[1]):
            product = _one_product(params, state, m, j)
            off = state.latent[m, j] == 0
            if params.whole[j]:
                product = math.log(product) - (0.0 if off else params.weight[j])
            log_odds[m, j] = state.evidence[m, j] + (-product if off else product)


def batch_log_odds(
    params: LayerParams,
    visible: Visible,
    kernel_params: KernelParams,
    X: NDArray,
    H: NDArray[np.uint8],
    prior: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return ``logit P(h_j = 1 | x, h_-j)`` of every latent at the states `H`, nats; shape (n, n_h).

    `prior` (n, n_h) holds each image's own prior log-odds in the place of d.
    """
    state = make_state(params, visible, kernel_params, X, H, np.random.default_rng(0), prior)
    log_odds = np.empty(H.shape)
    fill_log_odds(kernel_params, state, log_odds)
    return log_odds
