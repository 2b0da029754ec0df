"""Explicit SIMD building blocks of the Bernoulli kernel.

The two loops below are where inference spends its time: the product over pixels that gives a unit's
conditional, and the update of the pixel probabilities after a flip. They are written as LLVM vector code
rather than left to the loop vectoriser for two reasons. It picks 256-bit registers where 512-bit ones exist
(a factor of two). And in single precision it multiplies whole rows within a lane, which overflows; here it is
known which pixels share a lane (those LANES apart), so that a bound can be proved, and lanes are combined in
double precision.

With the JIT switched off (``NUMBA_DISABLE_JIT=1``) the same names are plain NumPy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

_JIT_OFF = bool(vars(config)["DISABLE_JIT"])

LANES = 64
"""Pixels per step of the product; rows are padded to a multiple of it."""

ALIGNMENT = 64
"""Bytes; a vector load that crosses a cache line costs two."""


def padded_length(n: int) -> int:
    """Return the smallest multiple of :data:`LANES` that holds `n` pixels."""
    return -(-n // LANES) * LANES


def aligned_empty(shape: tuple[int, ...], dtype: np.dtype | type) -> NDArray:
    """Allocate an uninitialised C-ordered array that starts on a cache line."""
    dtype = np.dtype(dtype)
    n_bytes = math.prod(shape) * dtype.itemsize
    buffer = np.empty(n_bytes + ALIGNMENT, np.uint8)
    start = -buffer.__array_interface__["data"][0] % ALIGNMENT
    return buffer[start : start + n_bytes].view(dtype).reshape(shape)


def _row_pointer(context, builder, array_type, array, row):
    """Pointer to the first element of a row of a C-ordered matrix."""
    fields = context.make_array(array_type)(context, builder, array)
    width = cgutils.unpack_tuple(builder, fields.shape, 2)[1]
    return builder.gep(fields.data, [builder.mul(row, width)])


def _load(builder, base, index, vector, itemsize):
    pointer = builder.bitcast(builder.gep(base, [index]), vector.as_pointer())
    loaded = builder.load(pointer, typ=vector)
    loaded.align = itemsize
    return loaded


def _store(builder, value, base, index, itemsize):
    pointer = builder.bitcast(builder.gep(base, [index]), value.type.as_pointer())
    builder.store(value, pointer, align=itemsize)


def _multiply_add(builder, a, b, c):
    """``a * b + c``; `contract` lets LLVM fuse it where the machine can."""
    return builder.fadd(builder.fmul(a, b, flags=["contract"]), c, flags=["contract"])


def _splat(builder, scalar, vector):
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), zeros)


def _halves(builder, value):
    half = value.type.count // 2
    undefined = ir.Constant(value.type, ir.Undefined)
    index = ir.VectorType(ir.IntType(32), half)
    low = builder.shuffle_vector(value, undefined, ir.Constant(index, list(range(half))))
    high = builder.shuffle_vector(value, undefined, ir.Constant(index, list(range(half, 2 * half))))
    return low, high


def _layout(array_type):
    """Element type, bytes per element, and the widest vector worth naming (512 bits; LLVM splits it where it
    must).
    """
    element = ir.FloatType() if array_type.dtype == types.float32 else ir.DoubleType()
    itemsize = 4 if array_type.dtype == types.float32 else 8
    return itemsize, ir.VectorType(element, 64 // itemsize)


@intrinsic
def _odds_product(typingctx, on, off, m, factor, j, start, stop):
    def generate(context, builder, signature, args):
        itemsize, vector = _layout(on)
        on_row = _row_pointer(context, builder, on, args[0], args[2])
        off_row = _row_pointer(context, builder, off, args[1], args[2])
        factor_row = _row_pointer(context, builder, factor, args[3], args[4])
        n_products = LANES // vector.count
        one = ir.Constant(vector, [1.0] * vector.count)
        products = [cgutils.alloca_once_value(builder, one) for _ in range(n_products)]
        step = ir.Constant(args[5].type, LANES)
        with cgutils.for_range_slice(builder, args[5], args[6], step, intp=args[5].type) as (index, _):
            for p in range(n_products):
                at = builder.add(index, ir.Constant(index.type, p * vector.count))
                fused = _multiply_add(
                    builder,
                    _load(builder, on_row, at, vector, itemsize),
                    _load(builder, factor_row, at, vector, itemsize),
                    _load(builder, off_row, at, vector, itemsize),
                )
                builder.store(builder.fmul(builder.load(products[p], typ=vector), fused), products[p])
        doubles = ir.VectorType(ir.DoubleType(), vector.count)
        lanes = [builder.load(p, typ=vector) for p in products]
        if itemsize == 4:
            lanes = [builder.fpext(lane, doubles) for lane in lanes]
        while len(lanes) > 1:
            lanes = [builder.fmul(a, b) for a, b in zip(lanes[::2], lanes[1::2], strict=True)]
        total = lanes[0]
        while total.type.count > 1:
            total = builder.fmul(*_halves(builder, total))
        return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))

    intp = types.intp
    return types.float64(on, off, intp, factor, intp, intp, intp), generate


@intrinsic
def _flip_odds(typingctx, activation, on, off, m, factor, W, j, sign):
    def generate(context, builder, signature, args):
        itemsize, vector = _layout(on)
        rows = [
            _row_pointer(context, builder, kind, args[i], args[3])
            for i, kind in enumerate((activation, on, off))
        ]
        a_row, on_row, off_row = rows
        factor_row = _row_pointer(context, builder, factor, args[4], args[6])
        w_row = _row_pointer(context, builder, W, args[5], args[6])
        fields = context.make_array(on)(context, builder, args[1])
        width = cgutils.unpack_tuple(builder, fields.shape, 2)[1]
        scalar = args[7] if itemsize == 8 else builder.fptrunc(args[7], ir.FloatType())
        signs = _splat(builder, scalar, vector)
        one = ir.Constant(vector, [1.0] * vector.count)
        lowest = cgutils.alloca_once_value(builder, one)
        zero = ir.Constant(width.type, 0)
        step = ir.Constant(width.type, vector.count)
        with cgutils.for_range_slice(builder, zero, width, step, intp=width.type) as (at, _):
            q = builder.fmul(
                _load(builder, on_row, at, vector, itemsize), _load(builder, factor_row, at, vector, itemsize)
            )
            u = _load(builder, off_row, at, vector, itemsize)
            r = builder.fdiv(one, builder.fadd(u, q))
            q, u = builder.fmul(q, r), builder.fmul(u, r)
            _store(builder, q, on_row, at, itemsize)
            _store(builder, u, off_row, at, itemsize)
            w = _load(builder, w_row, at, vector, itemsize)
            a = _multiply_add(builder, signs, w, _load(builder, a_row, at, vector, itemsize))
            _store(builder, a, a_row, at, itemsize)
            for value in (q, u):
                low = builder.load(lowest, typ=vector)
                # "not greater or equal" is also true of not-a-number, which must reach the caller.
                builder.store(builder.select(builder.fcmp_unordered("<", value, low), value, low), lowest)
        total = builder.load(lowest, typ=vector)
        while total.type.count > 1:
            low, high = _halves(builder, total)
            total = builder.select(builder.fcmp_unordered("<", low, high), low, high)
        result = builder.extract_element(total, ir.Constant(ir.IntType(32), 0))
        return result if itemsize == 8 else builder.fpext(result, ir.DoubleType())

    return types.float64(activation, on, off, types.intp, factor, W, types.intp, types.float64), generate


def _odds_product_numpy(on, off, m, factor, j, start, stop):
    factors = off[m, start:stop] + on[m, start:stop] * factor[j, start:stop]
    return float(np.prod(factors.reshape(-1, LANES).prod(axis=0), dtype=np.float64))


def _flip_odds_numpy(activation, on, off, m, factor, W, j, sign):
    q = on[m] * factor[j]
    total = off[m] + q
    on[m] = q / total
    off[m] = off[m] / total
    activation[m] += sign * W[j]
    return float(min(on[m].min(), off[m].min()))


# An intrinsic takes its first argument, the typing context, from numba.
odds_product: Any = _odds_product_numpy if _JIT_OFF else _odds_product
flip_odds: Any = _flip_odds_numpy if _JIT_OFF else _flip_odds
odds_product.__doc__ = """Return ``prod_i (off[m, i] + on[m, i] * factor[j, i])`` over pixels ``start`` to
``stop``.

Both ends are multiples of :data:`LANES`. Single-precision lanes are combined in double precision.
"""
flip_odds.__doc__ = """Multiply the odds ``on / off`` of image `m` by ``factor[j]`` and add ``sign * W[j]`` to
`activation`.

Modified in place: `activation`, `on`, `off`. Returns the lowest probability left, from which the caller sees
saturation.
"""
