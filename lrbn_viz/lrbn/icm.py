"""Inference of whole batches: iterated conditional modes, Gibbs sampling and annealing, one way for all."""

from __future__ import annotations

from typing import NamedTuple, get_args

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.lrbn.conditional import Field, conditional_log_odds, refresh
from lrbn_viz.lrbn.model import LOG_2PI, LRBNParams, Start, Visible, evidence
from lrbn_viz.lrbn.operands import Operands
from lrbn_viz.lrbn.regression import row_sums
from lrbn_viz.lrbn.sweeps import run_sweeps
from lrbn_viz.numerics import INNER, random_streams, run_kernel, softplus
from lrbn_viz.vector import aligned_empty

CHUNK = 256
"""Images whose pixel probabilities are held at a time: two cores, a few megabytes."""


def start_latents(
    params: LRBNParams,
    visible: Visible,
    operands: Operands,
    evidence: NDArray,
    start: Start | NDArray,
    rng: np.random.Generator,
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
        nothing = _allocate(
            operands, np.zeros((1, params.n_h), np.uint8), np.zeros((1, params.n_h)), np.zeros(1), rng
        )
        explained = np.empty(params.n_h)
        _all_log_odds(operands, nothing, explained)
        return (evidence > -explained).astype(np.uint8)
    raise ValueError(f"init must be one of {get_args(Start)} or an array of latent states; got {start!r}.")


@njit(**INNER, fastmath={"reassoc", "contract", "nsz"})
def _evidence_row(j, X, W, d, fixed):
    """Compute column j of what :func:`_evidence` fills."""
    n = X.shape[0]
    pixels = range(np.uintp(X.shape[1]))
    # Four images share the loads of the weights.
    for m in range(0, n // 4 * 4, 4):
        p = q = r = s = np.float32(0.0)
        for i in pixels:
            w = W[j, i]
            p += X[m, i] * w
            q += X[m + 1, i] * w
            r += X[m + 2, i] * w
            s += X[m + 3, i] * w
        fixed[m, j], fixed[m + 1, j], fixed[m + 2, j], fixed[m + 3, j] = (
            p + d[j],
            q + d[j],
            r + d[j],
            s + d[j],
        )
    for m in range(n // 4 * 4, n):
        p = np.float32(0.0)
        for i in pixels:
            p += X[m, i] * W[j, i]
        fixed[m, j] = p + d[j]


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def _evidence(X, W, d, fixed):
    """Fill `fixed` (n, n_h) float64 with ``X W' + d``, the product in single precision.

    The BLAS library would be as fast, but its threads go on to wait for more on the cores that the E-step
    needs.
    """
    for j in prange(W.shape[0]):
        _evidence_row(j, X, W, d, fixed)


@njit(cache=True, nogil=True, error_model="numpy")
def _evidence_serial(X, W, d, fixed):
    """Do the same on one thread."""
    for j in range(W.shape[0]):
        _evidence_row(j, X, W, d, fixed)


def fixed_log_odds(
    params: LRBNParams,
    visible: Visible,
    operands: Operands,
    X: NDArray,
    prior: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the part of each latent's log-odds that other latents do not change; shape (n, n_h).

    As :func:`lrbn_viz.lrbn.model.evidence`, in the precision of the operands. `prior` (n, n_h) holds each
    image's own prior log-odds in the place of d.
    """
    if operands.W.dtype == np.float32 and not operands.gaussian:
        fixed = np.empty((len(X), params.n_h))
        arrays = (X.astype(np.float32, order="C"), operands.W, operands.d, fixed)
        # For a minibatch it is done before other threads have begun.
        run_kernel(_evidence, _evidence_serial, fixed.size * params.n_v // 8, *arrays)
    elif X.dtype == np.uint8 and not operands.gaussian:  # latents of the layer below
        fixed = row_sums(params.W, params.d, X)
    else:
        fixed = np.ascontiguousarray(evidence(params, visible, X), dtype=np.float64)
    if prior is not None:
        fixed += prior - operands.d
    return fixed


def make_field(
    params: LRBNParams,
    visible: Visible,
    operands: Operands,
    X: NDArray,
    start: Start | NDArray,
    rng: np.random.Generator,
    prior: NDArray[np.float64] | None = None,
) -> Field:
    """Return the per-image state of inference that starts from `start`; shapes as in :class:`Field`.

    The pixel probabilities are left for the kernel's first :func:`refresh`. `prior` (n, n_h) holds each
    image's own prior log-odds in the place of d, as a layer above gives them.
    """
    log_odds = operands.d[None] if prior is None else prior
    normaliser = softplus(log_odds).sum(axis=1)
    if operands.gaussian:
        base = -0.5 * ((X - params.b) ** 2).sum(axis=1) - 0.5 * params.n_v * LOG_2PI - normaliser
    else:
        base = (X * params.b).sum(axis=1) - normaliser
    fixed = fixed_log_odds(params, visible, operands, X, prior)
    latent = start_latents(params, visible, operands, fixed, start, rng)
    return _allocate(operands, latent, fixed, base, rng)


def _allocate(
    operands: Operands, latent: NDArray, evidence: NDArray, base: NDArray, rng: np.random.Generator
) -> Field:
    n = len(latent)
    a, on, off = (aligned_empty((n, operands.W.shape[1]), operands.W.dtype) for _ in range(3))
    return Field(
        latent=latent,
        evidence=evidence,
        base=base,
        activation=a,
        on=on,
        off=off,
        coupling=latent @ operands.gram if operands.gaussian else np.zeros((n, 0)),
        since_refresh=np.zeros(n, np.int64),
        saturated=np.zeros(n, np.bool_),
        stream=random_streams(n, rng),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _all_log_odds(ops, field, log_odds):
    """Compute the conditional log-odds of every latent of image 0. Modified in place: `field`, `log_odds`."""
    refresh(ops, field, 0)
    for j in range(len(log_odds)):
        log_odds[j] = conditional_log_odds(ops, field, 0, j)


@njit(cache=True, nogil=True, error_model="numpy")
def _batch_log_odds(ops, field, log_odds):
    """Compute the conditional log-odds of every latent of every image. Modified in place: both arrays."""
    for m in range(field.latent.shape[0]):
        refresh(ops, field, m)
        for j in range(log_odds.shape[1]):
            log_odds[m, j] = conditional_log_odds(ops, field, m, j)


def batch_log_odds(
    params: LRBNParams,
    visible: Visible,
    operands: Operands,
    X: NDArray,
    H: NDArray[np.uint8],
    prior: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return ``logit P(h_j = 1 | x, h_-j)`` of every latent at the states `H`, nats; shape (n, n_h).

    `prior` (n, n_h) holds each image's own prior log-odds in the place of d.
    """
    field = make_field(params, visible, operands, X, H, np.random.default_rng(0), prior)
    log_odds = np.empty(H.shape)
    _batch_log_odds(operands, field, log_odds)
    return log_odds


class BatchInference(NamedTuple):
    """End states of a batch: `H` (n, n_h) uint8 and, per image, `visits`, `flips` and whether ICM
    `converged`.
    """

    H: NDArray[np.uint8]
    visits: NDArray[np.int64]
    flips: NDArray[np.int64]
    converged: NDArray[np.bool_]


def infer_batch(
    params: LRBNParams,
    visible: Visible,
    operands: Operands,
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
    operands : Operands
        From :func:`prepare`; their dtype is the precision of the conditionals.
    X : (n, n_v)
    start : {"conditional", "paper", "zeros", "random"} or (n, n_h) array
    temperatures : (n_warm,) float64
        One sweep at each, first.
    max_sweeps : int
        At most so many sweeps of ICM after them; it stops as soon as no unit wants to change.
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
        field = make_field(params, visible, operands, X[part], here, rng, own)
        run_sweeps(operands, field, temperatures, max_sweeps, visits[part], flips[part], converged[part])
        H[part] = field.latent
    return BatchInference(H, visits, flips, converged)
