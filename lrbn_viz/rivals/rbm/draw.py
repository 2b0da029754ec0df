"""Binary draws, 32 at a time: random bits, a fast sigmoid, and their comparison.

Every random number is a function of (key, counter), so results depend neither on the order in which blocks
are drawn nor on the number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from lrbn_viz.kernels.numerics import GOLDEN, INLINED, ROUNDS
from lrbn_viz.kernels.simd.vectors import (
    BYTE,
    FLOAT,
    INT,
    JIT_OFF,
    LONG,
    filled,
    load,
    multiply_add,
    splat,
    store,
)
from lrbn_viz.rivals.rbm.simd import TILE, TILE_OF_FLOATS, data_of, sum_tile

# sigmoid(z) - 1/2 = z P(z^2) / Q(z^2) for |z| <= 17, with maximal error 5e-9 (fitted by iterated weighted
# least squares); in single precision the error is below 2e-7. Unlike exp it needs no library and no bit
# tricks, so loops vectorise.
_LIMIT = 17.0
_P = (
    0.24999998637586418,
    0.00837887768081078,
    5.509089575482034e-05,
    8.250603009811117e-08,
    1.3768767012814214e-11,
)
_Q = (1.0, 0.11684878917542124, 0.0016244454879892477, 5.2120115105401045e-06, 3.1537522774525203e-09)

_TOP, _ZERO, _HALF, _ONE = np.float32(_LIMIT), np.float32(0.0), np.float32(0.5), np.float32(1.0)
_P0, _P1, _P2, _P3, _P4 = (np.float32(c) for c in _P)
_Q1, _Q2, _Q3, _Q4 = (np.float32(c) for c in _Q[1:])

_GAMMA = int(GOLDEN)


@njit(**INLINED, fastmath={"contract"})
def sigmoid32(z: np.float32) -> np.float32:
    """Return ``1 / (1 + exp(-z))`` in single precision, within 2e-7; not-a-number stays not-a-number."""
    z = _TOP if z > _TOP else z
    z = -_TOP if z < -_TOP else z
    y = z * z
    numerator = z * ((((_P4 * y + _P3) * y + _P2) * y + _P1) * y + _P0)
    s = _HALF + numerator / ((((_Q4 * y + _Q3) * y + _Q2) * y + _Q1) * y + _ONE)
    s = _ZERO if s < _ZERO else s
    return _ONE if s > _ONE else s


def _clamped(builder: Any, z: Any, limit: float, beyond: str) -> Any:
    limits = filled(limit, FLOAT, TILE)
    return builder.select(builder.fcmp_ordered(beyond, z, limits), limits, z)


def _polynomial(builder: Any, y: Any, coefficients: tuple[float, ...]) -> Any:
    total = filled(coefficients[-1], FLOAT, TILE)
    for c in coefficients[-2::-1]:
        total = multiply_add(builder, total, y, filled(c, FLOAT, TILE))
    return total


def _uniforms(builder: Any, key: Any, counter: Any) -> Any:
    """Return TILE numbers in [0, 1) of 24 bits each, from half as many outputs of SplitMix64."""
    n = TILE // 2
    start = builder.add(key, builder.mul(counter, ir.Constant(LONG, _GAMMA * n % 2**64)))
    steps = ir.Constant(ir.VectorType(LONG, n), [_GAMMA * (lane + 1) % 2**64 for lane in range(n)])
    r = builder.add(splat(builder, start, n), steps)
    for shift, factor in ROUNDS:
        r = builder.xor(r, builder.lshr(r, filled(shift, LONG, n)))
        r = builder.mul(r, filled(factor, LONG, n))
    words = builder.bitcast(r, ir.VectorType(INT, TILE))
    bits = builder.lshr(words, filled(8, INT, TILE))
    return builder.fmul(builder.sitofp(bits, TILE_OF_FLOATS), filled(2.0**-24, FLOAT, TILE))


def _bytes(builder: Any, ones: Any) -> Any:
    return builder.zext(ones, ir.VectorType(BYTE, TILE))


@intrinsic
def _draw_means(typingctx, means, at, key, counter, out, out_at):
    def generate(context, builder, signature, args):
        means_data, out_data = (data_of(context, builder, signature.args[a], args[a]) for a in (0, 4))
        _, at, key, counter, _, out_at = args
        below = builder.fcmp_ordered(
            "<", _uniforms(builder, key, counter), load(builder, means_data, at, TILE_OF_FLOATS)
        )
        store(builder, _bytes(builder, below), out_data, out_at)
        return context.get_dummy_value()

    intp = types.intp
    return types.none(means, intp, types.uint64, intp, out, intp), generate


@intrinsic
def _draw_sums(typingctx, rows, first, which, start, stop, base, key, counter, out, out_at):
    def generate(context, builder, signature, args):
        rows_data, which_data, base_data, out_data = (
            data_of(context, builder, signature.args[a], args[a]) for a in (0, 2, 5, 8)
        )
        _, first, _, start, stop, _, key, counter, _, out_at = args
        rows_data = builder.gep(rows_data, [first])
        zero = ir.Constant(start.type, 0)
        z = sum_tile(builder, rows_data, which_data, start, stop, base_data, zero)
        z = _clamped(builder, _clamped(builder, z, _LIMIT, ">"), -_LIMIT, "<")
        y = builder.fmul(z, z)
        numerator, denominator = builder.fmul(z, _polynomial(builder, y, _P)), _polynomial(builder, y, _Q)
        # u < 1/2 + numerator / denominator, without the division: the denominator is positive
        centred = builder.fsub(_uniforms(builder, key, counter), filled(0.5, FLOAT, TILE))
        below = builder.fcmp_ordered("<", builder.fmul(centred, denominator), numerator)
        store(builder, _bytes(builder, below), out_data, out_at)
        return context.get_dummy_value()

    intp = types.intp
    return types.none(rows, intp, which, intp, intp, base, types.uint64, intp, out, intp), generate


def _uniforms_numpy(key, counter):
    n = TILE // 2
    r = np.uint64(key) + (np.arange(1, n + 1, dtype=np.uint64) + np.uint64(n * counter)) * GOLDEN
    for shift, factor in ROUNDS:
        r = (r ^ (r >> np.uint64(shift))) * np.uint64(factor)
    return (r.view(np.uint32) >> 8).astype(np.float32) * np.float32(2.0**-24)


def _draw_means_numpy(means, at, key, counter, out, out_at):
    below = _uniforms_numpy(key, counter) < means.reshape(-1)[at : at + TILE]
    out.reshape(-1)[out_at : out_at + TILE] = below


def _draw_sums_numpy(rows, first, which, start, stop, base, key, counter, out, out_at):
    tile = rows[first:]
    z = base + sum(tile[TILE * which[k] :][:TILE] for k in range(start, stop))
    means = np.array([sigmoid32(a) for a in z])
    _draw_means_numpy(means, 0, key, counter, out, out_at)


draw_means: Any = _draw_means_numpy if JIT_OFF else _draw_means
"""Write 1 with probability ``means[at + e]``, else 0, to ``out[out_at + e]`` for e < TILE.

Arguments: means, at, key, counter, out, out_at. Equal (key, counter) give equal random numbers.
"""
draw_sums: Any = _draw_sums_numpy if JIT_OFF else _draw_sums
"""The same with probabilities ``sigmoid(base[e] + sum of rows[first + TILE * which[k] + e])``.

The sum is over start <= k < stop, a multiple of :data:`~lrbn_viz.rivals.rbm.simd.ROWS_IN_FLIGHT` of them.
Arguments: rows, first, which, start, stop, base, key, counter, out, out_at.
"""
