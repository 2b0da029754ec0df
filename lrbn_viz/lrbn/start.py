"""Starts of inference: the evidence for each latent by itself, and the initial states of the latents.

:func:`make_state` starts a batch, whose evidence is one matrix product; :func:`state_of` starts one image by
kernels alone.
"""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.units import LOG_2PI, UNITS
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import (
    FIRST,
    INNER,
    KERNEL,
    SUMS,
    fixed,
    for_threads,
    random_streams,
    run_kernel,
    scalar_softplus,
    softplus,
)
from lrbn_viz.kernels.simd.math import log
from lrbn_viz.kernels.simd.odds import GROUP, aligned_empty, dot_block
from lrbn_viz.lrbn.kernel_params import KernelParams, gram_of
from lrbn_viz.lrbn.model import Residuals, Start, Visible, evidence, residuals_of
from lrbn_viz.lrbn.regression import row_sums
from lrbn_viz.lrbn.state import InferenceState, explained, log_joint_of, refresh

MIN_SHARED_TERMS = 12
"""Number of images known in part from which on the terms of all pixels and latents are computed once.

Their logarithms take as long as a sweep over 12 images. (Measured with 30 to 400 latents and 64 and 784
pixels.)
"""


def start_latents(
    params: LayerParams,
    visible: Visible,
    kernel_params: KernelParams,
    evidence: NDArray,
    start: Start | NDArray,
    rng: np.random.Generator,
    unknown: NDArray[np.bool_] | None = None,
) -> NDArray[np.uint8]:
    """Return the states from which inference starts; shape (n, n_h) uint8.

    Parameters
    ----------
    evidence : (n, n_h) float64
        From :func:`lrbn_viz.lrbn.model.evidence`.
    start : {"conditional", "paper", "zeros", "random"} or (n, n_h) array
        "paper" drops the direction of the links (equations 11 and 12). "conditional" uses the exact
        conditional of each unit with all others off, which keeps the softplus term that equation 11 loses.
        For Gaussian units the two are the same. "random" draws fair coins from `rng`.
    unknown : (n, n_v) bool, optional
        Pixels that are not known, if there are any.
    """
    if not isinstance(start, str):
        return np.array(start, dtype=np.uint8, order="C")
    if start == "zeros":
        return np.zeros(evidence.shape, np.uint8)
    if start == "random":
        return rng.integers(0, 2, evidence.shape, dtype=np.uint8)
    if start == "paper" or visible == "gaussian":
        return (evidence > 0).astype(np.uint8)
    if start == "conditional":
        stream = random_streams(1, rng)
        if unknown is None:
            thresholds = _explained_alone(kernel_params, stream, None)
        else:
            thresholds, partly = np.empty(evidence.shape), unknown.any(axis=1)
            few = np.count_nonzero(partly) < MIN_SHARED_TERMS
            found = _explained_alone if few else _explained_by_terms
            thresholds[partly] = found(kernel_params, stream, unknown[partly])
            if not partly.all():
                thresholds[~partly] = _explained_alone(kernel_params, stream, None)
        return (evidence > thresholds).astype(np.uint8)
    raise ValueError(_unknown_start(start))


def _unknown_start(start: str) -> str:
    return f"init must be one of {get_args(Start)} or an array of latent states; got {start!r}."


def _all_off(
    kernel_params: KernelParams, stream: NDArray[np.uint64], unknown: NDArray[np.bool_] | None
) -> InferenceState:
    """Return the state of images with all latents off; of one that is known if `unknown` (n, n_v) is None."""
    blank = np.zeros((1 if unknown is None else len(unknown), len(kernel_params.d)), np.uint8)
    n = len(blank)
    return _allocate(kernel_params, blank, np.zeros(blank.shape), np.zeros(n), stream.repeat(n), unknown)


def _explained_alone(
    kernel_params: KernelParams, stream: NDArray[np.uint64], unknown: NDArray[np.bool_] | None
) -> NDArray[np.float64]:
    """Return the value of :func:`explained` for each latent when it alone is on, (n, n_h): the thresholds of
    a factorised model. This takes as long as a sweep.
    """
    state = _all_off(kernel_params, stream, unknown)
    thresholds = np.empty(state.evidence.shape)
    _explain_alone(kernel_params, state, thresholds)
    return thresholds


def _explained_by_terms(
    kernel_params: KernelParams, stream: NDArray[np.uint64], unknown: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the same for many images: each pixel's term is computed once, and summed where it is known."""
    each = aligned_empty(kernel_params.W.shape, kernel_params.W.dtype)
    _explain_each(kernel_params, _all_off(kernel_params, stream, None), each)
    return _times_rows(~unknown, each)


@njit(**KERNEL)
def _explain_alone(params, state, thresholds):
    """Compute the thresholds of images of which all latents are off.

    Modified in place: `thresholds` (n, n_h), `state`.
    """
    for m in range(thresholds.shape[0]):
        refresh(params, state, np.int64(m))
        for j in range(thresholds.shape[1]):
            thresholds[m, j] = explained(params, state, np.int64(m), j, 1.0)


@njit(**KERNEL)
def _explain_each(params, state, terms):
    """Compute the same pixel by pixel for one image of which everything is known.

    Modified in place: `terms` (n_h, n_p), `state`.
    """
    refresh(params, state, FIRST)
    pixels = range(np.uintp(params.W.shape[1]))
    for j in range(terms.shape[0]):
        if params.chunk[j] > 0:
            for i in pixels:
                terms[j, i] = log(float(state.off[0, i] + state.on[0, i] * params.factor[j, i]))
        else:
            for i in pixels:
                a = float(state.activation[0, i])
                terms[j, i] = scalar_softplus(a + params.W[j, i]) - scalar_softplus(a)


@njit(**INNER)
def _evidence_block(block, X, W, fixed):
    """Compute ``GROUP`` columns of the result of :func:`_evidence`; the last group may overlap the previous
    one.
    """
    n_h = W.shape[0]
    j = min(block * GROUP, n_h - GROUP)
    for m in range(0, X.shape[0], GROUP):
        dot_block(X, m, W, j, fixed)


@for_threads(**KERNEL)
def _evidence(X, W, fixed):
    """Fill `fixed` (n, n_h) float64 with ``X W'``, the product in single precision.

    The BLAS library would be as fast, but its threads then wait in busy loops on the cores that the E-step
    needs. Both n and n_h are at least GROUP, and n is a multiple of it.
    """
    for block in prange(-(-W.shape[0] // GROUP)):
        _evidence_block(np.int64(block), X, W, fixed)


def _times_rows(X: NDArray, W: NDArray) -> NDArray[np.float64]:
    """Return ``X W'`` of images (n, n_v) and padded rows (n_h, n_p), in the rows' precision; (n, n_h)."""
    n_v, n_h = X.shape[1], len(W)
    if W.dtype != np.float32 or n_h < GROUP:
        return (X @ W[:, :n_v].T).astype(np.float64, copy=False)
    n = -(-len(X) // GROUP) * GROUP
    padded, sums = aligned_empty((n, W.shape[1]), W.dtype), np.empty((n, n_h))
    padded[: len(X), :n_v], padded[: len(X), n_v:], padded[len(X) :] = X, 0.0, 0.0
    # A minibatch is finished before other threads would have started.
    run_kernel(_evidence, sums.size * n_v // 16, padded, W, sums)
    return sums[: len(X)]


def fixed_log_odds(
    params: LayerParams,
    visible: Visible,
    kernel_params: KernelParams,
    X: NDArray,
    prior: NDArray[np.float64] | None = None,
    residuals: Residuals | None = None,
) -> NDArray[np.float64]:
    """Return the part of each latent's log-odds that does not depend on other latents; shape (n, n_h).

    As :func:`lrbn_viz.lrbn.model.evidence`, in the precision of `kernel_params`; Bernoulli pixels that are
    not known are 0. `prior` (n, n_h) holds each image's own prior log-odds in the place of d; `residuals`
    are those of Gaussian units, where they are computed already.
    """
    if kernel_params.W.dtype == np.float32 and not kernel_params.gaussian and params.n_h >= GROUP:
        fixed = _times_rows(X, kernel_params.W)
        fixed += kernel_params.d
    elif X.dtype == np.uint8 and not kernel_params.gaussian:  # latents of the layer below
        fixed = row_sums(params.W, params.d, X)
    else:
        fixed = np.ascontiguousarray(evidence(params, visible, X, residuals), dtype=np.float64)
    if prior is not None:
        fixed += prior - kernel_params.d
    return fixed


def make_state(
    params: LayerParams,
    visible: Visible,
    kernel_params: KernelParams,
    X: NDArray,
    start: Start | NDArray,
    rng: np.random.Generator,
    prior: NDArray[np.float64] | None = None,
) -> InferenceState:
    """Return the per-image state of inference that starts from `start`; shapes as in :class:`InferenceState`.

    The pixel probabilities are left for the kernel's first :func:`refresh`. Pixels of NaN are not known.
    `prior` (n, n_h) holds each image's own prior log-odds in the place of d, as a layer above gives them.
    """
    unknown = unknown_in(X)
    log_odds = kernel_params.d[None] if prior is None else prior
    normaliser = softplus(log_odds).sum(axis=1)
    residuals = None
    if kernel_params.gaussian:
        units = UNITS["gaussian"]
        if unknown is None:
            base = units.log_likelihood(X, params.b[None]) - normaliser
        else:
            residuals = residuals_of(params, X, unknown)
            # An unknown unit has no residual, so that it counts as one that is as likely as can be.
            excess = np.count_nonzero(unknown, axis=1) * units.log_best(np.zeros(1))
            base = units.log_likelihood(residuals.x, np.zeros(1)) - excess - normaliser
    else:
        if unknown is not None:
            X = np.fmax(X, 0.0)  # 0 where it is not known; quicker than a choice
        base = np.einsum("mi,i->m", X, params.b) - normaliser
    fixed = fixed_log_odds(params, visible, kernel_params, X, prior, residuals)
    latent = start_latents(params, visible, kernel_params, fixed, start, rng, unknown)
    squares = None if residuals is None else residuals.squares
    return _allocate(kernel_params, latent, fixed, base, random_streams(len(X), rng), unknown, squares)


def rows_of(state: InferenceState, rows: NDArray[np.int64]) -> InferenceState:
    """Return a copy of the state of some images, with the alignment of the whole."""
    taken = []
    for array in state:
        part = aligned_empty((len(rows), *array.shape[1:]), array.dtype)
        taken.append(np.take(array, rows, axis=0, out=part))
    return InferenceState(*taken)


def with_own_gram(kernel_params: KernelParams, state: InferenceState) -> tuple[KernelParams, InferenceState]:
    """Return the model and the state of images of Gaussian units that are known in one same part, as of
    images of that part alone, of which all is known.

    Both share all arrays with the given ones that are equal.
    """
    known = ~state.unknown[0]
    known[kernel_params.n_v :] = False
    gram = gram_of(np.compress(known, kernel_params.rows, axis=1))
    of_all = state._replace(partly=np.zeros_like(state.partly), coupling=state.latent @ gram)
    return kernel_params._replace(gram=gram), of_all


def state_of(
    kernel_params: KernelParams,
    x: NDArray,
    start: Start | NDArray,
    rng: np.random.Generator,
    prior: NDArray[np.float64] | None = None,
) -> InferenceState:
    """Return the state of inference of one image, in double precision; :func:`begin` makes it whole.

    Arguments as of :func:`make_state`, but x (n_v,) and `prior` (n_h,).
    """
    x = np.ascontiguousarray(x, np.float64)
    n_h, unknown = len(kernel_params.d), unknown_in(x)
    latent = np.zeros((1, n_h), np.uint8)
    if not isinstance(start, str):
        latent[...] = start
    elif start == "random":
        latent[...] = rng.integers(0, 2, latent.shape, dtype=np.uint8)
    elif start == "conditional" and not kernel_params.gaussian:
        random_streams(1, rng)  # as in a batch, so that the numbers which follow are the same
    hidden, squares = (None, None) if unknown is None else (unknown[None], np.empty((1, n_h)))
    stream = random_streams(1, rng)
    state = _allocate(kernel_params, latent, np.empty((1, n_h)), np.empty(1), stream, hidden, squares)
    place_images(
        kernel_params, state, fixed(x[None]), fixed((kernel_params.d if prior is None else prior)[None])
    )
    if isinstance(start, str) and start in ("conditional", "paper"):
        choose_starts(kernel_params, state, start == "paper")
    elif isinstance(start, str) and start not in get_args(Start):
        raise ValueError(_unknown_start(start))
    return state


@njit(**SUMS)
def _evidence_of(params, X, m, j):
    """Return what the known pixels of image m (n, n_v) add to the log-odds of latent j by themselves."""
    total = 0.0
    if params.gaussian:
        for i in range(np.uintp(params.n_v)):
            w = params.rows[j, i]
            total += 0.0 if math.isnan(X[m, i]) else w * (X[m, i] - params.b[i] - 0.5 * w)
    else:
        for i in range(np.uintp(params.n_v)):
            total += 0.0 if math.isnan(X[m, i]) else params.W[j, i] * X[m, i]
    return total


@njit(**SUMS)
def _squares_of(params, X, m, j):
    """Return ``sum_i w_ij**2`` over the known pixels of image m (n, n_v), of Gaussian units."""
    total = 0.0
    for i in range(np.uintp(params.n_v)):
        total += 0.0 if math.isnan(X[m, i]) else params.rows[j, i] ** 2
    return total


@njit(**KERNEL)
def place_images(params, state, X, prior):
    """Make images those of a state: their known pixels, what depends on them alone, and the evidence.

    Equation: (11) and (12).

    Parameters
    ----------
    params, state : KernelParams, InferenceState
    X : (n, n_v) float64
        Pixels of NaN are not known.
    prior : (n or 1, n_h) float64
        Prior log-odds of each image's latents, as a layer above gives them, or ``params.d`` for all.

    Modified in place: `state`, but for what follows from its latents.
    """
    for m in range(len(X)):
        own = min(m, len(prior) - 1)
        base = 0.0
        state.partly[m] = False
        for i in range(params.n_v):
            hidden = math.isnan(X[m, i])
            if state.unknown.shape[1] > 0:
                state.unknown[m, i] = hidden
            if hidden:
                state.partly[m] = True
            elif params.gaussian:
                base -= 0.5 * ((X[m, i] - params.b[i]) ** 2 + LOG_2PI)
            else:
                base += X[m, i] * params.b[i]
        for j in range(prior.shape[1]):
            base -= scalar_softplus(prior[own, j])
            state.evidence[m, j] = _evidence_of(params, X, m, j) + prior[own, j]
            if params.gaussian and state.partly[m]:
                state.squares[m, j] = _squares_of(params, X, m, j)
        state.base[m] = base


@njit(**KERNEL)
def choose_starts(params, state, paper):
    """Choose the states of all latents from the evidence for each, as :func:`start_latents` does.

    `paper` is true for equations (11) and (12), false for the conditional with all other latents off. The
    thresholds of a factorised model are the same for all images that are wholly known, and are computed once
    for those that follow each other. Modified in place: `state`.
    """
    thresholds, computed = np.empty(state.latent.shape[1]), False
    for m in range(np.uintp(len(state.latent))):
        for j in range(len(thresholds)):
            state.latent[m, j] = 0
        if not computed or state.partly[m]:
            refresh(params, state, np.int64(m))
            for j in range(len(thresholds)):
                alone = not paper and not params.gaussian
                thresholds[j] = explained(params, state, np.int64(m), j, 1.0) if alone else 0.0
            computed = not state.partly[m]
        for j in range(len(thresholds)):
            state.latent[m, j] = state.evidence[m, j] > thresholds[j]


@njit(**KERNEL)
def begin(params, state):
    """Compute what follows from the latents of image 0; return its ``log P(x, h)``, nats.

    Modified in place: row 0 of `state`.
    """
    if params.gaussian:
        for j in range(state.coupling.shape[1]):
            total = 0.0
            for k in range(state.coupling.shape[1]):
                total += params.gram[j, k] if state.latent[0, k] == 1 else 0.0
            state.coupling[0, j] = total
    refresh(params, state, FIRST)
    return log_joint_of(params, state, FIRST)


def _allocate(
    kernel_params: KernelParams,
    latent: NDArray,
    evidence: NDArray,
    base: NDArray,
    stream: NDArray[np.uint64],
    unknown: NDArray[np.bool_] | None,
    squares: NDArray[np.float64] | None = None,
) -> InferenceState:
    n, n_p, dtype = len(latent), kernel_params.W.shape[1], kernel_params.W.dtype
    a, on, off = (aligned_empty((n, n_p), dtype) for _ in range(3))
    if unknown is None:
        partly, padded = np.zeros(n, np.bool_), np.zeros((n, 0), np.bool_)
    else:
        partly = np.any(unknown, axis=1)
        if kernel_params.gaussian:
            a = aligned_empty((n, kernel_params.rows.shape[1]), dtype)
        padded = np.zeros(a.shape, np.bool_)
        padded[:, : unknown.shape[1]] = unknown
    coupling = np.zeros((n, latent.shape[1] if kernel_params.gaussian else 0))
    if not partly.all() and kernel_params.gaussian:
        coupling = latent @ kernel_params.gram
    return InferenceState(
        latent=latent,
        evidence=evidence,
        base=base,
        squares=np.zeros((n, 0)) if squares is None else squares,
        activation=a,
        on=on,
        off=off,
        coupling=coupling,
        since_refresh=np.zeros(n, np.int64),
        saturated=np.zeros(n, np.bool_),
        partly=partly,
        unknown=padded,
        stream=stream,
    )
