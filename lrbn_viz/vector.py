"""Explicit SIMD building blocks of the Bernoulli kernel.

The two loops below are where inference spends its time: the product over pixels that gives a unit's
conditional, and the update of the pixel probabilities after a flip. They are written as LLVM vector code
rather than left to the loop vectoriser for two reasons. It picks 256-bit registers where 512-bit ones exist
(a factor of two). And in single precision it multiplies whole rows within a lane, which overflows; here it is
known which pixels share a lane (those WIDEST apart), so that a bound can be proved, and lanes are multiplied
with each other in double precision.

With the JIT switched off (``NUMBA_DISABLE_JIT=1``) the same names are plain NumPy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

_JIT_OFF = bool(vars(config)["DISABLE_JIT"])

_ESTIMATES = binding.get_host_cpu_features().get("avx512f", False)

LANES = 64
"""Pixels per step of the product; rows are padded to a multiple of it."""

WIDEST = 16
"""Lanes of a register in single precision; a product's lane holds every so manieth pixel."""

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
    start = -buffer.ctypes.data % ALIGNMENT
    return buffer[start : start + n_bytes].view(dtype).reshape(shape)


def _row_pointer(context, builder, array_type, array, row):
    """Pointer to the first element of a row of a C-ordered matrix."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [builder.mul(row, _width(context, builder, array_type, array))])


def _width(context, builder, array_type, array):
    fields = context.make_array(array_type)(context, builder, array)
    return cgutils.unpack_tuple(builder, fields.shape, 2)[1]


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


def _products(builder, rows, factor_row, start, stop, itemsize, vector):
    """Products ``prod_i (off_i + on_i * factor_i)`` of several images, whose (on, off) are in `rows`.

    A register of factors is loaded once for all images.
    """
    n_registers = LANES // vector.count
    one = ir.Constant(vector, [1.0] * vector.count)
    products = [[cgutils.alloca_once_value(builder, one) for _ in range(n_registers)] for _ in rows]
    step = ir.Constant(start.type, LANES)
    with cgutils.for_range_slice(builder, start, stop, step, intp=start.type) as (index, _):
        for p in range(n_registers):
            at = builder.add(index, ir.Constant(index.type, p * vector.count))
            factor = _load(builder, factor_row, at, vector, itemsize)
            for (on_row, off_row), registers in zip(rows, products, strict=True):
                on, off = (_load(builder, row, at, vector, itemsize) for row in (on_row, off_row))
                fused = _multiply_add(builder, on, factor, off)
                old = builder.load(registers[p], typ=vector)
                builder.store(builder.fmul(old, fused), registers[p])
    return [_product_of_registers(builder, registers, vector, itemsize) for registers in products]


def _product_of_registers(builder, registers, vector, itemsize):
    """Multiply all lanes; those of different registers first, in their own precision."""
    lanes = [builder.load(register, typ=vector) for register in registers]
    while len(lanes) > 1:
        lanes = [builder.fmul(a, b) for a, b in zip(lanes[::2], lanes[1::2], strict=True)]
    total = lanes[0]
    if itemsize == 4:
        total = builder.fpext(total, ir.VectorType(ir.DoubleType(), vector.count))
    while total.type.count > 1:
        total = builder.fmul(*_halves(builder, total))
    return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))


def _ordered(context, builder, on_type, on, off, m, state):
    """Pointers to the rows of `on` and `off` of image m, exchanged where `state` is not 0."""
    rows = [_row_pointer(context, builder, on_type, array, m) for array in (on, off)]
    exchanged = builder.icmp_signed("!=", state, ir.Constant(state.type, 0))
    return [builder.select(exchanged, a, b) for a, b in (rows[::-1], rows)]


@intrinsic
def _odds_product(typingctx, on, off, m, state, factor, j, start, stop):
    def generate(context, builder, signature, args):
        itemsize, vector = _layout(on)
        row = _ordered(context, builder, on, args[0], args[1], args[2], args[3])
        factor_row = _row_pointer(context, builder, factor, args[4], args[5])
        return _products(builder, [row], factor_row, args[6], args[7], itemsize, vector)[0]

    intp = types.intp
    return types.float64(on, off, intp, intp, factor, intp, intp, intp), generate


@intrinsic
def _two_odds_products(typingctx, on, off, m, state, other, other_state, factor, j):
    def generate(context, builder, signature, args):
        itemsize, vector = _layout(on)
        rows = [_ordered(context, builder, on, args[0], args[1], args[i], args[i + 1]) for i in (2, 4)]
        factor_row = _row_pointer(context, builder, factor, args[6], args[7])
        width = _width(context, builder, factor, args[6])
        start = ir.Constant(width.type, 0)
        products = _products(builder, rows, factor_row, start, width, itemsize, vector)
        return context.make_tuple(builder, signature.return_type, products)

    intp = types.intp
    return types.UniTuple(types.float64, 2)(on, off, intp, intp, intp, intp, factor, intp), generate


def _reciprocal(builder, value):
    """``1 / value``; in single precision an estimate and a step of Newton's, where the machine has them.

    That takes a third of the time of a division and is right to its last bit or two.
    """
    vector = value.type
    one = ir.Constant(vector, [1.0] * vector.count)
    if vector.element != ir.FloatType() or not _ESTIMATES:
        return builder.fdiv(one, value)
    mask = ir.IntType(16)
    estimate = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector, vector, mask]), "llvm.x86.avx512.rcp14.ps.512"
    )
    r = builder.call(estimate, [value, ir.Constant(vector, [0.0] * vector.count), ir.Constant(mask, -1)])
    error = _multiply_add(builder, builder.fneg(value), r, one)
    return _multiply_add(builder, r, error, r)


def _lower(builder, a, b):
    return builder.select(builder.fcmp_ordered("<", a, b), a, b)


def _shift(builder, on_row, off_row, factor_row, width, itemsize, vector, also):
    """Multiply the odds ``on / off`` by the factors, call ``also(index)``; the lowest probability left."""
    one = ir.Constant(vector, [1.0] * vector.count)
    # As many as a step has registers: one alone would make each wait for the one before it.
    n_registers = LANES // vector.count
    lowest = [cgutils.alloca_once_value(builder, one) for _ in range(n_registers)]
    zero, step = ir.Constant(width.type, 0), ir.Constant(width.type, LANES)
    with cgutils.for_range_slice(builder, zero, width, step, intp=width.type) as (index, _):
        for p in range(n_registers):
            at = builder.add(index, ir.Constant(index.type, p * vector.count))
            on, off, factor = (
                _load(builder, row, at, vector, itemsize) for row in (on_row, off_row, factor_row)
            )
            q = builder.fmul(on, factor)
            r = _reciprocal(builder, builder.fadd(off, q))
            q, u = builder.fmul(q, r), builder.fmul(off, r)
            _store(builder, q, on_row, at, itemsize)
            _store(builder, u, off_row, at, itemsize)
            also(at)
            low = builder.load(lowest[p], typ=vector)
            builder.store(_lower(builder, _lower(builder, q, u), low), lowest[p])
    lows = [builder.load(low, typ=vector) for low in lowest]
    while len(lows) > 1:
        lows = [_lower(builder, a, b) for a, b in zip(lows[::2], lows[1::2], strict=True)]
    total = lows[0]
    while total.type.count > 1:
        total = _lower(builder, *_halves(builder, total))
    result = builder.extract_element(total, ir.Constant(ir.IntType(32), 0))
    return result if itemsize == 8 else builder.fpext(result, ir.DoubleType())


@intrinsic
def _shift_odds(typingctx, on, off, m, state, factor, j):
    def generate(context, builder, signature, args):
        itemsize, vector = _layout(on)
        on_row, off_row = _ordered(context, builder, on, args[0], args[1], args[2], args[3])
        factor_row = _row_pointer(context, builder, factor, args[4], args[5])
        width = _width(context, builder, on, args[0])
        return _shift(builder, on_row, off_row, factor_row, width, itemsize, vector, lambda at: None)

    intp = types.intp
    return types.float64(on, off, intp, intp, factor, intp), generate


@intrinsic
def _flip_odds(typingctx, activation, on, off, m, state, factor, W, j):
    def generate(context, builder, signature, args):
        itemsize, vector = _layout(on)
        on_row, off_row = _ordered(context, builder, on, args[1], args[2], args[3], args[4])
        a_row = _row_pointer(context, builder, activation, args[0], args[3])
        factor_row = _row_pointer(context, builder, factor, args[5], args[7])
        w_row = _row_pointer(context, builder, W, args[6], args[7])
        width = _width(context, builder, on, args[1])
        up, down = (ir.Constant(vector.element, sign) for sign in (1.0, -1.0))
        exchanged = builder.icmp_signed("!=", args[4], ir.Constant(args[4].type, 0))
        signs = _splat(builder, builder.select(exchanged, down, up), vector)

        def activate(at):
            w = _load(builder, w_row, at, vector, itemsize)
            a = _multiply_add(builder, signs, w, _load(builder, a_row, at, vector, itemsize))
            _store(builder, a, a_row, at, itemsize)

        return _shift(builder, on_row, off_row, factor_row, width, itemsize, vector, activate)

    intp = types.intp
    return types.float64(activation, on, off, intp, intp, factor, W, intp), generate


@intrinsic
def _take(typingctx, counter):
    def generate(context, builder, signature, args):
        data = context.make_array(counter)(context, builder, args[0]).data
        return builder.atomic_rmw("add", data, ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(counter), generate


def _ordered_numpy(on, off, m, state):
    return (off[m], on[m]) if state else (on[m], off[m])


def _odds_product_numpy(on, off, m, state, factor, j, start, stop):
    grown, other = _ordered_numpy(on, off, m, state)
    factors = other[start:stop] + grown[start:stop] * factor[j, start:stop]
    return float(np.prod(factors.reshape(-1, 64 // on.itemsize).prod(axis=0), dtype=np.float64))


def _two_odds_products_numpy(on, off, m, state, other, other_state, factor, j):
    pairs = ((m, state), (other, other_state))
    return tuple(_odds_product_numpy(on, off, i, s, factor, j, 0, on.shape[1]) for i, s in pairs)


def _shift_odds_numpy(on, off, m, state, factor, j):
    grown, other = _ordered_numpy(on, off, m, state)
    q = grown * factor[j]
    total = other + q
    grown[:] = q / total
    other[:] = other / total
    return float(min(grown.min(), other.min()))


def _flip_odds_numpy(activation, on, off, m, state, factor, W, j):
    activation[m] += -W[j] if state else W[j]
    return _shift_odds_numpy(on, off, m, state, factor, j)


def _take_numpy(counter):
    counter[0] += 1
    return counter[0] - 1


# An intrinsic takes its first argument, the typing context, from numba.
odds_product: Any = _odds_product_numpy if _JIT_OFF else _odds_product
"""Return ``prod_i (off[m, i] + on[m, i] * factor[j, i])`` over pixels ``start`` to ``stop``.

Both ends are multiples of :data:`LANES`. Where `state` is 1, `on` and `off` change places. The lanes of a
register are multiplied with each other in double precision.
Arguments: on, off, m, state, factor, j, start, stop.
"""
two_odds_products: Any = _two_odds_products_numpy if _JIT_OFF else _two_odds_products
"""Return the same over all pixels for two images at once, which load the factors once.

Arguments: on, off, m, state, other, other_state, factor, j.
"""
shift_odds: Any = _shift_odds_numpy if _JIT_OFF else _shift_odds
"""Multiply the odds ``on / off`` of image `m` by ``factor[j]``, or divide them if `state` is 1.

Modified in place: `on`, `off`. Returns the lowest probability left, from which the caller sees saturation.
Arguments: on, off, m, state, factor, j.
"""
flip_odds: Any = _flip_odds_numpy if _JIT_OFF else _flip_odds
"""Do the same, and add ``W[j]`` to `activation`, or take it off.

Arguments: activation, on, off, m, state, factor, W, j.
"""
take: Any = _take_numpy if _JIT_OFF else _take
"""Add 1 to ``counter[0]`` (int64), in place, and return what it was: a number that no other thread gets."""
