"""Parameters in the form that the kernels of inference use, computed once per update of the model's
parameters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.io.constants import MIN_FLIP_GAIN
from lrbn_viz.kernels.numerics import INNER, KERNEL, SUMS
from lrbn_viz.kernels.simd.math import exp
from lrbn_viz.kernels.simd.odds import GROUP, LANES, WIDEST, aligned_empty, padded_length
from lrbn_viz.lrbn.model import Visible

FIRST_CACHE = 32 << 10
"""Size of a core's first-level cache in bytes, on machines with a small one."""

TOLERANCE = {np.dtype(np.float64): MIN_FLIP_GAIN, np.dtype(np.float32): 1e-4}
"""Smallest gain of an ICM flip, nats: above rounding, so that ties cannot cycle."""

ROW_LIMIT = 600.0
"""Bound in nats: a product of factors within exp(+-600) fits double precision."""

LANE_LIMIT = {np.dtype(np.float64): 600.0, np.dtype(np.float32): 80.0}
"""The same for the product within one lane, in its own precision."""

WEIGHT_LIMIT = {np.dtype(np.float64): 600.0, np.dtype(np.float32): 60.0}
"""The same for a single weight: a floored probability stays negligible after a factor of exp(60)."""

REFRESH = {np.dtype(np.float64): 1024, np.dtype(np.float32): 256}
"""Flips after which an image's pixel probabilities are recomputed from its activations."""

FLOOR = {np.dtype(np.float64): 1e-280, np.dtype(np.float32): 1e-37}
"""Lowest pixel probability to which the fast update may be applied."""


OWN_GRAM = 0.5
"""Time of a multiply-add in the product of a part of W with itself, relative to one in a visit."""

OWN_GRAM_OVERHEAD = 1.5e6
"""Time that such a product takes whatever its size, in the same unit: about 70 us."""

VISIT = 64
"""Time of a visit by such a matrix, with its share of the flips, in the same unit."""

ICM_SWEEPS = 3
"""Sweeps that ICM is expected to make."""


class KernelParams(NamedTuple):
    """Parameters in the form that the kernels use; computed once per parameter update."""

    gaussian: bool
    """True for Gaussian visible units: then only `b`, `d`, `gram` and `rows` have elements; otherwise the
    last two have none.
    """
    W: NDArray
    factor: NDArray
    """(n_h, n_p) float64 or float32, as `W`: rows ``exp(w_j)``, and of `W` rows ``w_j``, padded with weights
    of 0 to a multiple of 32 pixels.
    """
    weight: NDArray[np.float64]
    """(n_h,) ``sum_i w_ij``."""
    b: NDArray
    """(n_p,) of the same dtype: offsets, padded with 0."""
    d: NDArray[np.float64]
    """(n_h,) prior log-odds."""
    chunk: NDArray[np.int64]
    """(n_h,) pixels per logarithm such that no product can overflow; 0 if even 32 could overflow: use the
    softplus form.
    """
    whole: NDArray[np.bool_]
    """(n_h,) true where one product covers all pixels."""
    gram: NDArray[np.float64]
    """(n_h, n_h) ``W'W`` without its diagonal."""
    rows: NDArray
    """(n_h, n_p) of the same dtype: rows ``w_j`` of Gaussian units, for images that are known in part, padded
    as `W` of Bernoulli units; otherwise empty.
    """
    n_together: int
    """Images that a thread visits together: as many as have their pixel probabilities in the first-level
    cache.
    """
    n_v: int
    """Pixels that are not padding."""
    refresh: int
    """As :data:`REFRESH`."""
    floor: float
    """As :data:`FLOOR`."""
    tolerance: float
    """Smallest gain of a flip, nats."""


def prepare_params(params: LayerParams, visible: Visible, dtype: type = np.float64) -> KernelParams:
    """Compute the :class:`KernelParams` of a model.

    Single precision halves the memory that a sweep reads; its conditionals have errors of about 1e-4 nats.
    """
    gaussian = visible == "gaussian"
    n_v, n_h = params.W.shape
    n_p = 0 if gaussian else padded_length(n_v)
    W, factor = (aligned_empty((n_h, n_p), dtype) for _ in range(2))
    b = np.zeros(padded_length(n_v), dtype)
    b[:n_v] = params.b
    chunk, whole, weight = np.zeros(n_h, np.int64), np.zeros(n_h, np.bool_), np.zeros(n_h)
    gram, rows = np.zeros((0, 0)), np.zeros((0, 0), dtype)
    if gaussian:
        rows = aligned_empty((n_h, padded_length(n_v)), dtype)
        rows[:, :n_v], rows[:, n_v:] = params.W.T, 0.0
        gram = gram_of(params.W.T)
    else:
        W[:, :n_v], W[:, n_v:] = params.W.T, 0.0
        lanes, tops = np.empty((2, LANES))
        with np.errstate(over="ignore", under="ignore"):  # where the kernel runs uncompiled
            fill_factors(W, limits_of(W.dtype), lanes, tops, factor, chunk, whole, weight)
    return KernelParams(
        gaussian=gaussian,
        W=W,
        factor=factor,
        weight=weight,
        b=b,
        d=np.array(params.d, dtype=np.float64),  # a copy, which is writeable even if the model's is not
        chunk=chunk,
        whole=whole,
        gram=gram,
        rows=rows,
        n_together=GROUP if 2 * GROUP * W[:1].nbytes <= FIRST_CACHE else GROUP // 2,
        n_v=n_v,
        refresh=REFRESH[W.dtype],
        floor=FLOOR[W.dtype],
        tolerance=TOLERANCE[W.dtype],
    )


def limits_of(dtype: np.dtype) -> NDArray[np.float64]:
    """Return the bounds of a row's product, of a lane's and of a weight, in this precision; nats."""
    return np.array([ROW_LIMIT, LANE_LIMIT[dtype], WEIGHT_LIMIT[dtype]])


def gram_of(rows: NDArray) -> NDArray[np.float64]:
    """Return ``W'W`` of rows of weights, (n_h, n), without its diagonal; (n_h, n_h)."""
    gram = np.empty((len(rows), len(rows)))
    fill_gram(np.ascontiguousarray(rows, np.float64), gram)
    return gram


def own_gram_pays(n_visits: int, n_v: int, n_h: int, n_known: int) -> bool:
    """Return whether visits in images of Gaussian units with one pattern of known units take less time by the
    ``W'W`` of these.

    It takes n_h**2 n_known multiply-adds once, after which a visit reads one number; without it a visit takes
    n_v of them.
    """
    return n_visits * (n_v - VISIT) > OWN_GRAM * n_h * n_h * n_known + OWN_GRAM_OVERHEAD


@njit(**INNER)
def _fits(W, j, steps, lanes, tops, limits):
    """Return whether no product over `steps` steps of row j can overflow; `limits` are for a row, a lane and
    a weight.

    Every factor of a product lies between 1 and ``exp(w)``. Over such a run of pixels the product within each
    lane, and that of all lanes, lies within ``exp(+-sum |w|)``, in any order of multiplication. Overwritten:
    `lanes`, `tops` (LANES,).
    """
    n_p = W.shape[1]
    # Unsigned: an index that may be negative counts from the end, so that its loop does not vectorise.
    step, each_lane = np.uintp(LANES), range(np.uintp(LANES))
    start = 0
    while (
        start < n_p
    ):  # a range of steps that might be 0 raises an error, which takes code that no browser has
        lanes[:] = 0.0
        tops[:] = 0.0
        for i in range(np.uintp(start), np.uintp(min(start + steps * LANES, n_p)), step):
            for lane in each_lane:
                size = abs(W[j, i + lane])
                lanes[lane] += size
                tops[lane] = max(tops[lane], size)
        total = 0.0
        for lane in range(WIDEST):
            # The same lane of several registers is multiplied before it is widened.
            here = 0.0
            for k in range(lane, LANES, WIDEST):
                here += lanes[k]
                if not tops[k] <= limits[2]:
                    return False
            total += here
            # Not-a-number fails every comparison.
            if not here <= limits[1]:
                return False
        if not total <= limits[0]:
            return False
        start += steps * LANES
    return True


@njit(**SUMS)
def _product(rows, j, k):
    """Return ``w_j'w_k``."""
    total = 0.0
    for i in range(np.uintp(rows.shape[1])):
        total += rows[j, i] * rows[k, i]
    return total


@njit(**KERNEL)
def fill_gram(rows, gram):
    """Fill `gram` (n_h, n_h) with ``W'W`` of rows of weights (n_h, n_v), without its diagonal."""
    for j in range(rows.shape[0]):
        gram[j, j] = 0.0
        for k in range(j):
            gram[j, k] = gram[k, j] = _product(rows, j, k)


@njit(**KERNEL)
def fill_factors(W, limits, lanes, tops, factor, chunk, whole, weight):
    """Compute what the product over the pixels requires of the weights, for Bernoulli visible units.

    Parameters
    ----------
    W : (n_h, n_p)
        Rows of weights, padded with 0.
    limits : (3,) float64
        As :func:`limits_of` returns them.
    lanes, tops : (LANES,) float64
        Overwritten.
    factor, chunk, whole, weight : arrays
        Filled, as :class:`KernelParams` describes them. `chunk` is the largest number of pixels, of those
        that divide a row into equal parts, whose product cannot overflow.
    """
    n_steps = W.shape[1] // LANES
    pixels = range(np.uintp(W.shape[1]))
    for j in range(W.shape[0]):
        lanes[:] = 0.0
        for i in range(np.uintp(0), np.uintp(W.shape[1]), np.uintp(LANES)):
            for lane in range(np.uintp(LANES)):
                lanes[lane] += W[j, i + lane]
        total = 0.0
        for lane in range(LANES):
            total += lanes[lane]
        weight[j] = total
        for i in pixels:
            factor[j, i] = exp(float(W[j, i]))
        chunk[j] = before = 0
        for parts in range(1, n_steps + 1):
            steps = -(-n_steps // parts)
            if steps != before and _fits(W, j, steps, lanes, tops, limits):
                chunk[j] = steps * LANES
                break
            before = steps
        whole[j] = chunk[j] > 0 and chunk[j] >= W.shape[1]
