"""Explicit SIMD for the RBM's kernels: lists of ones, sums of listed rows, and drawing.

Binary layers turn matrix products into sums of rows. The loop vectoriser stops at 256-bit registers where
512-bit ones exist, and stores a sum and loads it again for every few rows; written as LLVM vector code, a sum
stays in registers until its list ends, so that an addition costs one load. Measured on a machine with 512-bit
registers: 10 ns for a row of 200 numbers in the second-level cache, instead of 20.

With the JIT switched off (``NUMBA_DISABLE_JIT=1``) the same names are plain NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from lrbn_viz.kernels.simd.vectors import BYTE, FLOAT, INT, JIT_OFF, WIDE, across, filled, load, splat, store

TILE = 32
"""Number of columns of a tile. Its 200 rows, 26 kB, fit the first-level cache."""

ROWS_IN_FLIGHT = 4
"""Number of rows of a tile that are summed at the same time: an addition takes four cycles, and two begin in
each cycle. Lists of rows are padded to a multiple of it.
"""

ROOM = 8 + ROWS_IN_FLIGHT
"""Additional entries that a list needs for scratch: they are written eight at a time, and then padded."""

_INTP = types.intp
TILE_OF_FLOATS = ir.VectorType(FLOAT, TILE)


def data_of(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """Pointer to the first element of a C-ordered array."""
    if array_type.layout != "C":
        raise TypingError(f"expected a C-ordered array, got {array_type}; copy it with np.ascontiguousarray.")
    return context.make_array(array_type)(context, builder, array).data


def _entry(builder: Any, which: Any, k: Any) -> Any:
    return builder.sext(builder.load(builder.gep(which, [k]), typ=INT), k.type)


def _row_summer(n_vectors: int) -> Any:
    """Make the intrinsic that sums the columns of `n_vectors` registers; see :data:`sum_13`."""

    @intrinsic
    def sum_columns(typingctx, rows, stride, which, count, scale, base, base_at, out, out_at, column, width):
        def generate(context, builder, signature, args):
            rows_data, which_data, base_data, out_data = (
                data_of(context, builder, signature.args[a], args[a]) for a in (0, 2, 5, 7)
            )
            _, stride, _, count, scale, _, base_at, _, out_at, column, width = args
            intp = stride.type
            vector = ir.VectorType(FLOAT, WIDE)
            # The last register may overlap the columns of another one, with the same result.
            columns = [builder.add(column, ir.Constant(intp, v * WIDE)) for v in range(n_vectors)]
            last = builder.sub(width, ir.Constant(intp, WIDE))
            columns[-1] = builder.select(builder.icmp_signed("<", last, columns[-1]), last, columns[-1])
            scales = splat(builder, scale, WIDE)
            sums = [cgutils.alloca_once(builder, vector) for _ in columns]
            for total, j in zip(sums, columns, strict=True):
                builder.store(
                    builder.fmul(scales, load(builder, base_data, builder.add(base_at, j), vector)), total
                )
            zero, one = ir.Constant(intp, 0), ir.Constant(intp, 1)
            with cgutils.for_range_slice(builder, zero, count, one, intp=intp) as (k, _):
                row = builder.mul(_entry(builder, which_data, k), stride)
                for total, j in zip(sums, columns, strict=True):
                    term = load(builder, rows_data, builder.add(row, j), vector)
                    builder.store(builder.fadd(builder.load(total, typ=vector), term), total)
            totals = [builder.load(total, typ=vector) for total in sums]
            for total, j in zip(totals, columns, strict=True):
                store(builder, total, out_data, builder.add(out_at, j))
            while len(totals) > 1:  # in pairs, as a chain of dependent additions is slow
                paired = [builder.fadd(a, b) for a, b in zip(totals[::2], totals[1::2], strict=False)]
                totals = paired + totals[2 * len(paired) :]
            return across(builder, builder.fadd, totals[0])

        arguments = (rows, _INTP, which, _INTP, types.float32, base, _INTP, out, _INTP, _INTP, _INTP)
        return types.float32(*arguments), generate

    return sum_columns


def sum_tile(builder: Any, rows: Any, which: Any, start: Any, stop: Any, base: Any, base_at: Any) -> Any:
    """Vector of ``base[base_at + e] + sum of rows[which[k], e]`` for e < TILE and start <= k < stop.

    `rows` points to (n, TILE) numbers; ``stop - start`` is a multiple of :data:`ROWS_IN_FLIGHT`.
    """
    sums = [cgutils.alloca_once(builder, TILE_OF_FLOATS) for _ in range(ROWS_IN_FLIGHT)]
    for total in sums:
        builder.store(filled(0.0, FLOAT, TILE), total)
    step = ir.Constant(start.type, ROWS_IN_FLIGHT)
    with cgutils.for_range_slice(builder, start, stop, step, intp=start.type) as (k, _):
        for r, total in enumerate(sums):
            entry = _entry(builder, which, builder.add(k, ir.Constant(k.type, r)))
            row = load(builder, rows, builder.mul(entry, ir.Constant(k.type, TILE)), TILE_OF_FLOATS)
            builder.store(builder.fadd(builder.load(total, typ=TILE_OF_FLOATS), row), total)
    result = load(builder, base, base_at, TILE_OF_FLOATS)
    for total in sums:
        result = builder.fadd(result, builder.load(total, typ=TILE_OF_FLOATS))
    return result


def _positions(builder: Any) -> Any:
    """Pointer to a table: for each byte the positions of its bits, those of the ones first."""
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    table = np.argsort(1 - bits, axis=1, kind="stable").astype(np.uint8)
    constant = ir.Constant(ir.ArrayType(BYTE, table.size), bytearray(table.tobytes()))
    place = cgutils.global_constant(builder.module, "positions_of_ones", constant)
    return builder.bitcast(place, BYTE.as_pointer())


def _lister(packed: bool) -> Any:
    """Make the intrinsic :data:`list_ones`, or :data:`list_bits` if eight are `packed` into a byte."""

    @intrinsic
    def list_eights(typingctx, mask, at, stride, n, offset, which, start):
        def generate(context, builder, signature, args):
            mask_data, which_data = (data_of(context, builder, signature.args[a], args[a]) for a in (0, 5))
            _, at, stride, n, offset, _, start = args
            intp = at.type
            zero, one, eight = (ir.Constant(intp, value) for value in (0, 1, 8))
            table, eights = _positions(builder), ir.VectorType(BYTE, 8)
            end = cgutils.alloca_once(builder, intp)
            builder.store(start, end)
            with cgutils.for_range_slice(builder, zero, n, one, intp=intp) as (g, _):
                here = builder.add(at, builder.mul(g, stride))
                if packed:
                    code = builder.load(builder.gep(mask_data, [here]), typ=BYTE)
                else:
                    ones = builder.icmp_unsigned(
                        "!=", load(builder, mask_data, here, eights), filled(0, BYTE, 8)
                    )
                    code = builder.bitcast(ones, BYTE)
                code = builder.zext(code, intp)
                found = load(builder, table, builder.mul(code, eight), eights)
                first = builder.trunc(builder.add(offset, builder.mul(g, eight)), INT)
                # All eight are written, and those after the ones are overwritten by the next byte: with
                # random bits a branch would often be mispredicted.
                entries = builder.add(builder.zext(found, ir.VectorType(INT, 8)), splat(builder, first, 8))
                count = builder.load(end, typ=intp)
                store(builder, entries, which_data, count)
                builder.store(builder.add(count, builder.ctpop(code)), end)
            return builder.load(end, typ=intp)

        return _INTP(mask, _INTP, _INTP, _INTP, _INTP, which, _INTP), generate

    return list_eights


@intrinsic
def _transpose_block(typingctx, W, first, stride, out, at):
    def generate(context, builder, signature, args):
        source, target = (data_of(context, builder, signature.args[a], args[a]) for a in (0, 3))
        _, first, stride, _, at = args

        def shuffled(a, b, lanes):
            return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(INT, len(lanes)), lanes))

        starts = [builder.add(first, builder.mul(ir.Constant(first.type, r), stride)) for r in range(16)]
        fours = [load(builder, source, start, ir.VectorType(FLOAT, 4)) for start in starts]
        # The groups of four numbers of rows r, r + 4, r + 8 and r + 12 are joined while they are loaded.
        pairs = [shuffled(fours[r], fours[r + 4], list(range(8))) for r in (0, 1, 2, 3, 8, 9, 10, 11)]
        block = [shuffled(pairs[r], pairs[r + 4], list(range(16))) for r in range(4)]
        # Each four by four is transposed in two levels: rows that are `apart` exchange every second run of
        # `apart` numbers.
        for apart, partners in ((1, ((0, 1), (2, 3))), (2, ((0, 2), (1, 3)))):
            low = [lane if lane & apart == 0 else 16 + lane - apart for lane in range(16)]
            high = [lane + apart for lane in low]
            for r, q in partners:
                block[r], block[q] = (shuffled(block[r], block[q], lanes) for lanes in (low, high))
        for j in range(4):
            store(builder, block[j], target, builder.add(at, ir.Constant(at.type, j * TILE)))
        return context.get_dummy_value()

    return types.none(W, _INTP, _INTP, out, _INTP), generate


def _sum_columns_numpy(rows, stride, which, count, scale, base, base_at, out, out_at, column, width):
    flat = rows.reshape(-1)
    for j in range(column, width):
        terms = [flat[stride * which[k] + j] for k in range(count)]
        out.reshape(-1)[out_at + j] = scale * base.reshape(-1)[base_at + j] + np.float32(sum(terms))
    return out.reshape(-1)[out_at + column : out_at + width].sum()


def _list_ones_numpy(mask, at, stride, n, offset, which, start):
    ones = np.flatnonzero(mask.reshape(-1)[at : at + stride * n])
    which[start : start + len(ones)] = offset + ones
    return start + len(ones)


def _list_bits_numpy(mask, at, stride, n, offset, which, start):
    codes = mask.reshape(-1)[at + stride * np.arange(n)]
    return _list_ones_numpy(np.unpackbits(codes, bitorder="little"), 0, 8, n, offset, which, start)


def _transpose_block_numpy(W, first, stride, out, at):
    for r in range(16):
        out.reshape(-1)[at + r + TILE * np.arange(4)] = W.reshape(-1)[first + r * stride :][:4]


# An intrinsic takes its first argument, the typing context, from numba. Arrays are C-ordered and addressed by
# element, so that a kernel needs no slices.

sum_13: Any = _sum_columns_numpy if JIT_OFF else _row_summer(13)
"""Write ``scale * base[base_at + j] + sum of rows[stride * which[k] + j]`` to ``out[out_at + j]``, k < count.

For 13 :data:`WIDE` of columns j from `column` on, or what is left up to `width`, more than 12: all 200 of
the default model. `width` is at least :data:`WIDE`, and `out` none of the other arrays. Returns a number
that is finite unless one of those written is not. Arguments: rows, stride, which (int32), count, scale, base,
base_at, out, out_at, column, width.
"""
sum_4: Any = _sum_columns_numpy if JIT_OFF else _row_summer(4)
"""The same for 4 :data:`WIDE` of columns, or what is left, more than 3."""
sum_1: Any = _sum_columns_numpy if JIT_OFF else _row_summer(1)
"""The same for :data:`WIDE` columns, or what is left."""

list_ones: Any = _list_ones_numpy if JIT_OFF else _lister(packed=False)
"""Write ``offset + e`` to `which`, from `start` on, for every e with ``mask[at + e] != 0``; return the end.

For e < 8 n, in order. `mask` holds bytes of 0 and 1, `stride` is 8; `which` (int32) has :data:`ROOM` more.
Arguments: mask, at, stride, n, offset, which, start.
"""
list_bits: Any = _list_bits_numpy if JIT_OFF else _lister(packed=True)
"""The same where e = 8 g + q stands for bit q of the byte ``mask[at + g * stride]``."""

transpose_block: Any = _transpose_block_numpy if JIT_OFF else _transpose_block
"""Write ``W[first + r * stride + c]`` to ``out[at + c * TILE + r]`` for r < 16 and c < 4.

Arguments: W, first, stride, out, at.
"""
