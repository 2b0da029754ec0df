"""Explicit SIMD building blocks of the Bernoulli kernel.

Inference spends its time in the two loops below: the product over pixels that gives a unit's conditional, and
the update of the pixel probabilities after a flip. They are written as LLVM vector code, and not left to the
loop vectoriser, for two reasons. The vectoriser picks 256-bit registers where 512-bit ones exist (a factor of
two). And in single precision it multiplies whole rows within a lane, which overflows; here the pixels of a
lane are known (those WIDEST apart), so that a bound can be proved, and the lanes are multiplied with each
other in double precision.

With the JIT switched off (``NUMBA_DISABLE_JIT=1``) the same names are plain NumPy.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from lrbn_viz.kernels.simd.vectors import (
    DOUBLE,
    FEATURES,
    FLOAT,
    JIT_OFF,
    LONG,
    across,
    combined,
    filled,
    load,
    multiply_add,
    splat,
    store,
)

_INTP = types.intp

_ESTIMATES = FEATURES.get("avx512f", False)

LANES = 32
"""Pixels per step of the product; rows are padded to a multiple of it."""

GROUP = 4
"""Number of images that share the loads of a row's factors: two registers of products each, of the 32
available.
"""

WIDEST = 16
"""Number of single-precision lanes in a register; a lane of a product holds every 16th pixel."""

ALIGNMENT = 64
"""Alignment in bytes; a vector load that crosses a cache line costs two."""


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
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [builder.mul(row, _width(context, builder, array_type, array))])


def _width(context, builder, array_type, array):
    fields = context.make_array(array_type)(context, builder, array)
    return cgutils.unpack_tuple(builder, fields.shape, 2)[1]


def _vector_of(array_type):
    """The widest useful vector of an array's elements: 512 bits; LLVM splits it where the machine has
    narrower ones.
    """
    return ir.VectorType(FLOAT, 16) if array_type.dtype == types.float32 else ir.VectorType(DOUBLE, 8)


def _ones(vector):
    return filled(1.0, vector.element, vector.count)


def _products(builder, rows, factor_row, start, stop, vector):
    """Products ``prod_i (off_i + on_i * factor_i)`` of several images, whose (on, off) are in `rows`.

    A register of factors is loaded once for all images.
    """
    n_registers = LANES // vector.count
    products = [[cgutils.alloca_once_value(builder, _ones(vector)) for _ in range(n_registers)] for _ in rows]
    step = ir.Constant(start.type, LANES)
    with cgutils.for_range_slice(builder, start, stop, step, intp=start.type) as (index, _):
        for p in range(n_registers):
            at = builder.add(index, ir.Constant(index.type, p * vector.count))
            factor = load(builder, factor_row, at, vector)
            for (on_row, off_row), registers in zip(rows, products, strict=True):
                on, off = (load(builder, row, at, vector) for row in (on_row, off_row))
                fused = multiply_add(builder, on, factor, off)
                old = builder.load(registers[p], typ=vector)
                builder.store(builder.fmul(old, fused), registers[p])
    return [_product_of_registers(builder, registers, vector) for registers in products]


def _product_of_registers(builder, registers, vector):
    """Multiply all lanes: first the registers with each other, in their own precision, then the lanes."""
    total = combined(builder.fmul, [builder.load(register, typ=vector) for register in registers])
    if vector.element == FLOAT:
        total = builder.fpext(total, ir.VectorType(DOUBLE, vector.count))
    return across(builder, builder.fmul, total)


def _in_double(builder, number):
    return builder.fpext(number, DOUBLE) if number.type == FLOAT else number


def _ordered(context, builder, on_type, on, off, m, state):
    """Pointers to the rows of `on` and `off` of image m, exchanged where `state` is not 0."""
    rows = [_row_pointer(context, builder, on_type, array, m) for array in (on, off)]
    exchanged = builder.icmp_signed("!=", state, ir.Constant(state.type, 0))
    return [builder.select(exchanged, a, b) for a, b in (rows[::-1], rows)]


@intrinsic
def _odds_product(typingctx, on, off, m, state, factor, j, start, stop):
    def generate(context, builder, signature, args):
        row = _ordered(context, builder, on, args[0], args[1], args[2], args[3])
        factor_row = _row_pointer(context, builder, factor, args[4], args[5])
        return _products(builder, [row], factor_row, args[6], args[7], _vector_of(on))[0]

    return types.float64(on, off, _INTP, _INTP, factor, _INTP, _INTP, _INTP), generate


def _group_products(n_images):
    """Make the intrinsic that computes the products, over all pixels, of the first `n_images` images in a row
    of `images`.
    """

    def products(typingctx, on, off, images, worker, latent, factor, j, found):
        def generate(context, builder, signature, args):
            places = _row_pointer(context, builder, images, args[2], args[3])
            rows = []
            for k in range(n_images):
                m = builder.load(builder.gep(places, [ir.Constant(args[3].type, k)]))
                row = _row_pointer(context, builder, latent, args[4], m)
                state = builder.load(builder.gep(row, [args[6]]))
                rows.append(_ordered(context, builder, on, args[0], args[1], m, state))
            factor_row = _row_pointer(context, builder, factor, args[5], args[6])
            width = _width(context, builder, factor, args[5])
            start = ir.Constant(width.type, 0)
            written = _row_pointer(context, builder, found, args[7], args[3])
            for k, product in enumerate(_products(builder, rows, factor_row, start, width, _vector_of(on))):
                builder.store(product, builder.gep(written, [ir.Constant(width.type, k)]))
            return context.get_dummy_value()

        return types.void(on, off, images, _INTP, latent, factor, _INTP, found), generate

    return intrinsic(products)


def _dots(builder, lefts, rights, width, vector, n_registers):
    """Sums of the products of each row of `lefts` with each of `rights`: a list for each of `lefts`.

    Each sum is kept in `n_registers`, of which none waits for another.
    """
    zero = filled(0.0, vector.element, vector.count)
    totals = [
        [[cgutils.alloca_once_value(builder, zero) for _ in range(n_registers)] for _ in rights]
        for _ in lefts
    ]
    start, step = (ir.Constant(width.type, n) for n in (0, n_registers * vector.count))
    with cgutils.for_range_slice(builder, start, width, step, intp=width.type) as (index, _):
        for p in range(n_registers):
            at = builder.add(index, ir.Constant(index.type, p * vector.count))
            ws = [load(builder, row, at, vector) for row in rights]
            for row, sums in zip(lefts, totals, strict=True):
                x = load(builder, row, at, vector)
                for w, registers in zip(ws, sums, strict=True):
                    total = builder.load(registers[p], typ=vector)
                    builder.store(multiply_add(builder, x, w, total), registers[p])
    return [[_sum_of_registers(builder, registers, vector) for registers in sums] for sums in totals]


def _sum_of_registers(builder, registers, vector):
    total = combined(builder.fadd, [builder.load(register, typ=vector) for register in registers])
    return _in_double(builder, across(builder, builder.fadd, total))


@intrinsic
def _dot(typingctx, X, m, W, j):
    def generate(context, builder, signature, args):
        vector = _vector_of(W)
        left = _row_pointer(context, builder, X, args[0], args[1])
        right = _row_pointer(context, builder, W, args[2], args[3])
        width = _width(context, builder, W, args[2])
        return _dots(builder, [left], [right], width, vector, LANES // vector.count)[0][0]

    return types.float64(X, _INTP, W, _INTP), generate


def _group_dots(n_images):
    """Make the intrinsic that computes the sums of the first `n_images` images in a row of `images`."""

    def dots(typingctx, X, images, worker, W, j, found):
        def generate(context, builder, signature, args):
            vector = _vector_of(W)
            places = _row_pointer(context, builder, images, args[1], args[2])
            lefts = []
            for k in range(n_images):
                m = builder.load(builder.gep(places, [ir.Constant(args[2].type, k)]))
                lefts.append(_row_pointer(context, builder, X, args[0], m))
            right = _row_pointer(context, builder, W, args[3], args[4])
            width = _width(context, builder, W, args[3])
            written = _row_pointer(context, builder, found, args[5], args[2])
            for k, (dot,) in enumerate(_dots(builder, lefts, [right], width, vector, LANES // vector.count)):
                builder.store(dot, builder.gep(written, [ir.Constant(width.type, k)]))
            return context.get_dummy_value()

        return types.void(X, images, _INTP, W, _INTP, found), generate

    return intrinsic(dots)


@intrinsic
def _dot_block(typingctx, X, m, W, j, sums):
    def generate(context, builder, signature, args):
        vector = _vector_of(W)
        places = [ir.Constant(args[1].type, k) for k in range(GROUP)]
        lefts = [_row_pointer(context, builder, X, args[0], builder.add(args[1], k)) for k in places]
        rights = [_row_pointer(context, builder, W, args[2], builder.add(args[3], k)) for k in places]
        width = _width(context, builder, W, args[2])
        # 16 sums, each in one register, are enough to keep the multiply-add units busy.
        for k, kept in zip(places, _dots(builder, lefts, rights, width, vector, 1), strict=True):
            row = _row_pointer(context, builder, sums, args[4], builder.add(args[1], k))
            for r, found in zip(places, kept, strict=True):
                builder.store(found, builder.gep(row, [builder.add(args[3], r)]))
        return context.get_dummy_value()

    return types.void(X, _INTP, W, _INTP, sums), generate


def _reciprocal(builder, value):
    """``1 / value``; in single precision by an estimate and one Newton step, where the machine offers the
    estimate.

    This takes a third of the time of a division and is exact up to the last two bits.
    """
    vector, one = value.type, _ones(value.type)
    if vector.element != FLOAT or not _ESTIMATES:
        return builder.fdiv(one, value)
    mask = ir.IntType(16)
    estimate = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector, vector, mask]), "llvm.x86.avx512.rcp14.ps.512"
    )
    r = builder.call(estimate, [value, filled(0.0, FLOAT, vector.count), ir.Constant(mask, -1)])
    error = multiply_add(builder, builder.fneg(value), r, one)
    return multiply_add(builder, r, error, r)


def _lower(builder, a, b):
    return builder.select(builder.fcmp_ordered("<", a, b), a, b)


def _shift(builder, on_row, off_row, factor_row, width, vector, also):
    """Multiply the odds ``on / off`` by the factors, call ``also(index)``, and return the lowest probability
    that was not 0 before.
    """
    # One minimum for each register of a step: with a single one, each would wait for the one before.
    n_registers = LANES // vector.count
    lowest = [cgutils.alloca_once_value(builder, _ones(vector)) for _ in range(n_registers)]
    zero, step = ir.Constant(width.type, 0), ir.Constant(width.type, LANES)
    with cgutils.for_range_slice(builder, zero, width, step, intp=width.type) as (index, _):
        for p in range(n_registers):
            at = builder.add(index, ir.Constant(index.type, p * vector.count))
            on, off, factor = (load(builder, row, at, vector) for row in (on_row, off_row, factor_row))
            known = builder.fcmp_ordered(
                ">", builder.fmul(on, off), filled(0.0, vector.element, vector.count)
            )
            q = builder.fmul(on, factor)
            r = _reciprocal(builder, builder.fadd(off, q))
            q, u = builder.fmul(q, r), builder.fmul(off, r)
            store(builder, q, on_row, at)
            store(builder, u, off_row, at)
            also(at)
            low = builder.load(lowest[p], typ=vector)
            lower_here = builder.select(known, _lower(builder, q, u), _ones(vector))
            builder.store(_lower(builder, lower_here, low), lowest[p])
    lower = partial(_lower, builder)
    low = across(builder, lower, combined(lower, [builder.load(low, typ=vector) for low in lowest]))
    return _in_double(builder, low)


@intrinsic
def _shift_odds(typingctx, on, off, m, state, factor, j):
    def generate(context, builder, signature, args):
        on_row, off_row = _ordered(context, builder, on, args[0], args[1], args[2], args[3])
        factor_row = _row_pointer(context, builder, factor, args[4], args[5])
        width = _width(context, builder, on, args[0])
        return _shift(builder, on_row, off_row, factor_row, width, _vector_of(on), lambda at: None)

    return types.float64(on, off, _INTP, _INTP, factor, _INTP), generate


@intrinsic
def _flip_odds(typingctx, activation, on, off, m, state, factor, W, j):
    def generate(context, builder, signature, args):
        vector = _vector_of(on)
        on_row, off_row = _ordered(context, builder, on, args[1], args[2], args[3], args[4])
        a_row = _row_pointer(context, builder, activation, args[0], args[3])
        factor_row = _row_pointer(context, builder, factor, args[5], args[7])
        w_row = _row_pointer(context, builder, W, args[6], args[7])
        width = _width(context, builder, on, args[1])
        up, down = (ir.Constant(vector.element, sign) for sign in (1.0, -1.0))
        exchanged = builder.icmp_signed("!=", args[4], ir.Constant(args[4].type, 0))
        signs = splat(builder, builder.select(exchanged, down, up), vector.count)

        def activate(at):
            w = load(builder, w_row, at, vector)
            a = multiply_add(builder, signs, w, load(builder, a_row, at, vector))
            store(builder, a, a_row, at)

        return _shift(builder, on_row, off_row, factor_row, width, vector, activate)

    return types.float64(activation, on, off, _INTP, _INTP, factor, W, _INTP), generate


@intrinsic
def _take(typingctx, counter):
    def generate(context, builder, signature, args):
        data = context.make_array(counter)(context, builder, args[0]).data
        return builder.atomic_rmw("add", data, ir.Constant(LONG, 1), "monotonic")

    return types.int64(counter), generate


def _ordered_numpy(on, off, m, state):
    return (off[m], on[m]) if state else (on[m], off[m])


def _odds_product_numpy(on, off, m, state, factor, j, start, stop):
    grown, other = _ordered_numpy(on, off, m, state)
    factors = other[start:stop] + grown[start:stop] * factor[j, start:stop]
    return float(np.prod(factors.reshape(-1, 64 // on.itemsize).prod(axis=0), dtype=np.float64))


def _group_products_numpy(n_images):
    def products(on, off, images, worker, latent, factor, j, found):
        for k in range(n_images):
            m = images[worker, k]
            found[worker, k] = _odds_product_numpy(on, off, m, latent[m, j], factor, j, 0, on.shape[1])

    return products


def _dot_numpy(X, m, W, j):
    return float(X[m] @ W[j])


def _group_dots_numpy(n_images):
    def dots(X, images, worker, W, j, found):
        for k in range(n_images):
            found[worker, k] = _dot_numpy(X, images[worker, k], W, j)

    return dots


def _dot_block_numpy(X, m, W, j, sums):
    sums[m : m + GROUP, j : j + GROUP] = X[m : m + GROUP] @ W[j : j + GROUP].T


def _shift_odds_numpy(on, off, m, state, factor, j):
    grown, other = _ordered_numpy(on, off, m, state)
    known = grown * other > 0.0
    q = grown * factor[j]
    total = other + q
    grown[:] = q / total
    other[:] = other / total
    return float(np.minimum(grown, other).min(initial=1.0, where=known))


def _flip_odds_numpy(activation, on, off, m, state, factor, W, j):
    activation[m] += -W[j] if state else W[j]
    return _shift_odds_numpy(on, off, m, state, factor, j)


def _take_numpy(counter):
    counter[0] += 1
    return counter[0] - 1


# An intrinsic takes its first argument, the typing context, from numba.
odds_product: Any = _odds_product_numpy if JIT_OFF else _odds_product
"""Return ``prod_i (off[m, i] + on[m, i] * factor[j, i])`` over pixels ``start`` to ``stop``.

Both ends are multiples of :data:`LANES`. If `state` is 1, `on` and `off` are exchanged. The lanes of a
register are multiplied with each other in double precision.
Arguments: on, off, m, state, factor, j, start, stop.
"""
_group: Any = _group_products_numpy if JIT_OFF else _group_products
two_odds_products: Any = _group(2)
four_odds_products: Any = _group(GROUP)
"""Write the odds products over all pixels for a group of images, loading the factors only once.

Row `worker` of `images` names them, `latent` (n, n_h) says which of `on` and `off` is which, and row `worker`
of `found` (float64) is overwritten in place.
Arguments: on, off, images, worker, latent, factor, j, found.
"""
dot: Any = _dot_numpy if JIT_OFF else _dot
"""Return the product of row m of `X` with row j of `W`, both float64 of a width that :data:`LANES` divides.

Arguments: X, m, W, j.
"""
_dots_of: Any = _group_dots_numpy if JIT_OFF else _group_dots
two_dots: Any = _dots_of(2)
four_dots: Any = _dots_of(GROUP)
"""Write the same products for a group of images, loading the row of `W` only once.

Row `worker` of `images` names them, and row `worker` of `found` (float64) is overwritten in place. The bits
are those of :data:`dot`.
Arguments: X, images, worker, W, j, found.
"""
dot_block: Any = _dot_block_numpy if JIT_OFF else _dot_block
"""Write the products of rows m to m + GROUP of `X` with rows j to j + GROUP of `W` into `sums`, float64.

Both (n, n_p) and of one type; in place. 16 sums share the loads of 8 rows.
Arguments: X, m, W, j, sums.
"""
shift_odds: Any = _shift_odds_numpy if JIT_OFF else _shift_odds
"""Multiply the odds ``on / off`` of image `m` by ``factor[j]``, or divide them if `state` is 1.

Modified in place: `on`, `off`. Returns the lowest resulting probability, by which the caller detects
saturation. Probabilities of 0 and 1 are those of a pixel that is not known: they stay, and do not count.
Arguments: on, off, m, state, factor, j.
"""
flip_odds: Any = _flip_odds_numpy if JIT_OFF else _flip_odds
"""Do the same as :data:`shift_odds`, and add ``W[j]`` to `activation`, or subtract it.

Arguments: activation, on, off, m, state, factor, W, j.
"""
take: Any = _take_numpy if JIT_OFF else _take
"""Add 1 to ``counter[0]`` (int64) atomically, in place, and return its old value, which no other thread
gets.
"""
