"""Iterated conditional modes, Gibbs sampling and annealing: one conditional, one kernel.

A *visit* looks at one latent, computes the log-odds of ``h_j = 1`` given all other latents and x, and
decides: the likelier state at temperature 0 (ICM, equation 10), a draw from the conditional at temperature 1
(Gibbs), and in between a draw from the flattened or sharpened conditional (annealing).

How a visit is made cheap: the kernels keep, for every image, the pixel probabilities ``on = sigmoid(a)`` and
``off = sigmoid(-a)`` of the activations ``a = W h + b``. Since

    sum_i [softplus(a_i + w_ij) - softplus(a_i)] = log prod_i (off_i + on_i exp(w_ij)),
    sum_i [softplus(a_i - w_ij) - softplus(a_i)] = log prod_i (on_i + off_i exp(w_ij)) - sum_i w_ij,

a conditional costs a multiply-add and a multiply per pixel and one logarithm, and reads one row of ``exp(W)``
for either direction. All factors are positive, so nothing cancels, however saturated the pixel. A flip
multiplies or divides the odds of each pixel by ``exp(w_ij)``. For Gaussian visible units the whole
conditional is one number that a flip updates through ``W'W``.
"""

from __future__ import annotations

import math
from typing import NamedTuple, get_args

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.lrbn.model import LOG_2PI, LRBNParams, Start, Visible, evidence
from lrbn_viz.numerics import (
    INLINED,
    INNER,
    next_uniform,
    random_streams,
    run_kernel,
    scalar_softplus,
    softplus,
)
from lrbn_viz.vector import LANES, aligned_empty, flip_odds, odds_product, padded_length

TOLERANCE = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-4}
"""Nats that an ICM flip must gain: above rounding, so that ties cannot cycle."""

ROW_LIMIT = 600.0
"""Nats; a product of factors within exp(+-600) fits double precision."""

LANE_LIMIT = {np.dtype(np.float64): 600.0, np.dtype(np.float32): 80.0}
"""The same for what one lane multiplies in its own precision."""

WEIGHT_LIMIT = {np.dtype(np.float64): 600.0, np.dtype(np.float32): 60.0}
"""The same for one weight: a probability that was floored stays negligible after a factor of exp(60)."""

CHUNK = 256
"""Images whose pixel probabilities are held at a time: two cores, a few megabytes."""


class Operands(NamedTuple):
    """What the kernels read of the parameters; made once per parameter update.

    Attributes
    ----------
    gaussian : bool
        Which kind of visible unit. For Gaussian units only `d` and `gram` hold numbers, otherwise `gram` is
        empty.
    W, factor : (n_h, n_p) float64 or float32
        Rows ``w_j`` and ``exp(w_j)``, padded with weights of 0 to a multiple of 64 pixels.
    weight : (n_h,) float64
        ``sum_i w_ij``.
    b : (n_p,) same dtype
        Offsets, padded with 0.
    d : (n_h,) float64
        Prior log-odds.
    chunk : (n_h,) int64
        Pixels per logarithm such that no product can overflow; 0: not even 64 can, use the softplus form.
    gram : (n_h, n_h) float64
        ``W'W`` without its diagonal.
    n_v : int
        Pixels that are not padding.
    refresh : int
        Flips of one image after which its pixel probabilities are computed afresh from its activations.
    floor : float
        Lowest pixel probability that the fast update may carry on from.
    tolerance : float
        Nats that a flip must gain.
    """

    gaussian: bool
    W: NDArray
    factor: NDArray
    weight: NDArray[np.float64]
    b: NDArray
    d: NDArray[np.float64]
    chunk: NDArray[np.int64]
    gram: NDArray[np.float64]
    n_v: int
    refresh: int
    floor: float
    tolerance: float


class Field(NamedTuple):
    """What the kernels keep per image and modify in place; row m belongs to image m.

    Attributes
    ----------
    latent : (n, n_h) uint8
    evidence : (n, n_h) float64
        Log-odds without the part that depends on the other latents.
    base : (n,) float64
        ``log P(x, h)`` at ``h = 0``, for Bernoulli units without its softplus terms.
    activation, on, off : (n, n_p)
        ``a = W h + b``, ``sigmoid(a)``, ``sigmoid(-a)``; width 0 for Gaussian units.
    coupling : (n, n_h) float64
        ``sum_k (w_j'w_k) h_k`` over the other latents, for Gaussian units.
    since_refresh : (n,) int64
        Flips since the pixel probabilities were last computed from the activations.
    saturated : (n,) bool
        Some pixel probability was below the floor at that time: every flip must compute afresh.
    stream : (n,) uint64
        State of the image's random numbers.
    """

    latent: NDArray[np.uint8]
    evidence: NDArray[np.float64]
    base: NDArray[np.float64]
    activation: NDArray
    on: NDArray
    off: NDArray
    coupling: NDArray[np.float64]
    since_refresh: NDArray[np.int64]
    saturated: NDArray[np.bool_]
    stream: NDArray[np.uint64]


def prepare(params: LRBNParams, visible: Visible, dtype: type = np.float64) -> Operands:
    """Compute the :class:`Operands` of a model.

    Single precision halves the memory that a sweep reads; its conditionals are right to about 1e-4 nats.
    """
    gaussian = visible == "gaussian"
    n_v, n_h = params.W.shape
    n_p = 0 if gaussian else padded_length(n_v)
    W, factor = (aligned_empty((n_h, n_p), dtype) for _ in range(2))
    b = np.zeros(n_p, dtype)
    chunk, weight = np.zeros(n_h, np.int64), np.zeros(n_h)
    gram = np.zeros((0, 0))
    if gaussian:
        gram = params.W.T @ params.W
        np.fill_diagonal(gram, 0.0)
    else:
        W[:, :n_v], W[:, n_v:] = params.W.T, 0.0
        b[:n_v] = params.b
        with np.errstate(over="ignore", under="ignore"):
            np.exp(W, out=factor)
        n_steps = n_p // LANES
        candidates = sorted({-(-n_steps // parts) for parts in range(1, n_steps + 1)}, reverse=True)
        limits = np.array([ROW_LIMIT, LANE_LIMIT[W.dtype], WEIGHT_LIMIT[W.dtype]])
        lanes, tops = np.empty((2, LANES))
        _bound_products(W, np.array(candidates), limits, lanes, tops, chunk, weight)
    single = dtype == np.float32
    return Operands(
        gaussian=gaussian,
        W=W,
        factor=factor,
        weight=weight,
        b=b,
        d=np.ascontiguousarray(params.d, dtype=np.float64),
        chunk=chunk,
        gram=gram,
        n_v=n_v,
        refresh=256 if single else 1024,
        floor=1e-37 if single else 1e-280,
        tolerance=TOLERANCE[np.dtype(dtype)],
    )


@njit(**INNER)
def _fits(W, j, steps, lanes, tops, limits):
    """Whether no product over `steps` steps of row j can overflow; `limits`: of a row, a lane, a weight.

    Every factor of a product lies between 1 and ``exp(w)``. Over such a run of pixels, whatever one lane
    multiplies and what all of them make together lies within ``exp(+-sum |w|)``, in any order of
    multiplication. Overwritten: `lanes`, `tops` (LANES,).
    """
    n_p = W.shape[1]
    # Unsigned, as an index that may be negative counts from the end and its loop does not vectorise.
    step, each_lane = np.uintp(LANES), range(np.uintp(LANES))
    for start in range(0, n_p, steps * LANES):
        lanes[:] = 0.0
        tops[:] = 0.0
        for i in range(np.uintp(start), np.uintp(min(start + steps * LANES, n_p)), step):
            for lane in each_lane:
                size = abs(W[j, i + lane])
                lanes[lane] += size
                tops[lane] = max(tops[lane], size)
        total = 0.0
        for lane in range(LANES):
            total += lanes[lane]
            # Not-a-number is in no bound.
            if not (lanes[lane] <= limits[1] and tops[lane] <= limits[2]):
                return False
        if not total <= limits[0]:
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def _bound_products(W, candidates, limits, lanes, tops, chunk, weight):
    """Find, for each row, how many pixels one product may cover, and its sum.

    Modified in place: `chunk` (n_h,), a multiple of 64 or 0 for none, the largest of `candidates` (steps of
    64, falling) that fits; `weight` (n_h,); `lanes` and `tops` (LANES,) are overwritten.
    """
    for j in range(W.shape[0]):
        lanes[:] = 0.0
        for i in range(np.uintp(0), np.uintp(W.shape[1]), np.uintp(LANES)):
            for lane in range(np.uintp(LANES)):
                lanes[lane] += W[j, i + lane]
        weight[j] = lanes.sum()
        chunk[j] = 0
        for steps in candidates:
            if _fits(W, j, steps, lanes, tops, limits):
                chunk[j] = steps * LANES
                break


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
        base = X @ params.b - normaliser
    if operands.W.dtype == np.float32 and not operands.gaussian:
        explained = X.astype(np.float32) @ operands.W[:, : operands.n_v].T
        fixed = explained + params.d  # double precision again
    else:
        fixed = np.ascontiguousarray(evidence(params, visible, X), dtype=np.float64)
    if prior is not None:
        fixed += prior - operands.d
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


@njit(**INLINED)
def _log_ratio(ops, field, m, j, sign):
    """Return ``sum_i [softplus(a_i + sign w_ij) - softplus(a_i)]`` of image m."""
    chunk = ops.chunk[j]
    n_p = ops.W.shape[1]
    total = 0.0
    if chunk > 0:
        start = 0
        while start < n_p:
            stop = min(start + chunk, n_p)
            if sign > 0:
                product = odds_product(field.on, field.off, m, ops.factor, j, start, stop)
            else:
                product = odds_product(field.off, field.on, m, ops.factor, j, start, stop)
            total += math.log(product)
            start = stop
        if sign < 0:
            total -= ops.weight[j]
    else:
        for i in range(ops.n_v):
            a = float(field.activation[m, i])
            total += scalar_softplus(a + sign * ops.W[j, i]) - scalar_softplus(a)
    return total


@njit(**INLINED)
def conditional_log_odds(ops, field, m, j):
    """Return ``logit P(h_j = 1 | x, h_-j)`` of image m, in nats. Equation: (10)."""
    if ops.gaussian:
        return field.evidence[m, j] - field.coupling[m, j]
    if field.latent[m, j] == 0:
        return field.evidence[m, j] - _log_ratio(ops, field, m, j, 1.0)
    return field.evidence[m, j] + _log_ratio(ops, field, m, j, -1.0)


@njit(**INNER)
def refresh(ops, field, m):
    """Compute the pixel probabilities of image m from its activations, and those from its latents.

    Modified in place: row m of `field`.
    """
    n_p = ops.W.shape[1]
    for i in range(n_p):
        field.activation[m, i] = ops.b[i]
    for j in range(ops.W.shape[0]):
        if field.latent[m, j] == 1:
            for i in range(n_p):
                field.activation[m, i] += ops.W[j, i]
    _probabilities(ops, field, m)
    field.since_refresh[m] = 0


@njit(**INNER)
def _probabilities(ops, field, m):
    """Compute `on` and `off` of image m from its activations, and whether any of them had to be floored."""
    saturated = False
    for i in range(ops.W.shape[1]):
        a = float(field.activation[m, i])
        t = math.exp(-abs(a))
        small = t / (1.0 + t)
        large = 1.0 / (1.0 + t)
        if small < ops.floor:
            small = ops.floor
            saturated = True
        if a > 0:
            field.on[m, i] = large
            field.off[m, i] = small
        else:
            field.on[m, i] = small
            field.off[m, i] = large
    field.saturated[m] = saturated


@njit(**INNER)
def flip(ops, field, m, j):
    """Turn latent j of image m over. Modified in place: row m of `field`."""
    if field.latent[m, j] == 0:
        field.latent[m, j] = 1
        sign = 1.0
    else:
        field.latent[m, j] = 0
        sign = -1.0
    if ops.gaussian:
        for k in range(ops.gram.shape[0]):
            field.coupling[m, k] += sign * ops.gram[j, k]
        return
    field.since_refresh[m] += 1
    if field.since_refresh[m] >= ops.refresh:
        refresh(ops, field, m)
    elif field.saturated[m] or ops.chunk[j] == 0:
        # The fast update multiplies odds; odds that were floored, or factors that overflow, would stay wrong.
        for i in range(ops.W.shape[1]):
            field.activation[m, i] += sign * ops.W[j, i]
        _probabilities(ops, field, m)
    else:
        if sign > 0:
            lowest = flip_odds(field.activation, field.on, field.off, m, ops.factor, ops.W, j, sign)
        else:
            lowest = flip_odds(field.activation, field.off, field.on, m, ops.factor, ops.W, j, sign)
        if not lowest >= ops.floor:
            _probabilities(ops, field, m)


@njit(**INNER)
def log_joint_of(ops, field, m):
    """Return the normalised ``log P(x, h)`` of image m, computed afresh. Equation: (3) and (6)."""
    total = field.base[m]
    for j in range(field.latent.shape[1]):
        if field.latent[m, j] == 1:
            total += field.evidence[m, j]
            if ops.gaussian:
                total -= 0.5 * field.coupling[m, j]
    if not ops.gaussian:
        for i in range(ops.n_v):
            total -= scalar_softplus(float(field.activation[m, i]))
    return total


@njit(**INLINED)
def decide(log_odds, state, temperature, tolerance, stream, m):
    """Return the state that a visit leaves: the likelier one at temperature 0, else a draw.

    Equation: (10) at temperature 0.
    """
    if temperature == 0.0:
        if state == 0:
            return 1 if log_odds > tolerance else 0
        return 0 if log_odds < -tolerance else 1
    uniform = next_uniform(stream, m)
    return 1 if log_odds > temperature * math.log(uniform / (1.0 - uniform)) else 0


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


@njit(cache=True, nogil=True, error_model="numpy")
def _all_log_odds(ops, field, log_odds):
    """Compute the conditional log-odds of every latent of image 0. Modified in place: `field`, `log_odds`."""
    refresh(ops, field, 0)
    for j in range(len(log_odds)):
        log_odds[j] = conditional_log_odds(ops, field, 0, j)


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def _infer_batch(ops, field, temperatures, max_sweeps, visits, flips, converged):
    """Infer every image on its own. Modified in place: `field`, `visits`, `flips`, `converged`."""
    for m in prange(field.latent.shape[0]):
        visits[m], flips[m], converged[m] = _infer_one(ops, field, m, temperatures, max_sweeps)


@njit(cache=True, nogil=True, error_model="numpy")
def _infer_batch_serial(ops, field, temperatures, max_sweeps, visits, flips, converged):
    """Do the same on one thread."""
    for m in range(field.latent.shape[0]):
        visits[m], flips[m], converged[m] = _infer_one(ops, field, m, temperatures, max_sweeps)


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


def work_of(field: Field, operands: Operands) -> int:
    """Return the multiplications of one sweep over a batch."""
    n, n_h = field.latent.shape
    return n * n_h * max(operands.W.shape[1], n_h if operands.gaussian else 1)


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
        arrays = (temperatures, max_sweeps, visits[part], flips[part], converged[part])
        run_kernel(_infer_batch, _infer_batch_serial, work_of(field, operands), operands, field, *arrays)
        H[part] = field.latent
    return BatchInference(H, visits, flips, converged)
