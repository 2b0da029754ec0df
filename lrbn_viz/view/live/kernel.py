"""The live page's inner loops as WebAssembly with vectors of two numbers in double precision.

LLVM writes them, which Numba brings along: an object file for WebAssembly lacks nothing of a module but the
list of what it exports. ``view/live/js/kernel.js`` calls them, and computes the same without them where a
browser has no vectors.
"""

from __future__ import annotations

import math
import struct
from functools import cache

BLOCK = 8
"""Pixels of one step of the product; rows are padded to a multiple of it."""

_EXPORTS = ("raised", "shift")
_HEADER = 8  # bytes: magic and version
_FUNCTIONS, _EXPORTED = 3, 7  # numbers of sections of a module

# A number added to this one leaves its nearest integer in the lowest bits.
_MAGIC = 1.5 * 2.0**52
# ln(2) in two parts: the first has few enough bits that its product with an exponent is exact.
_LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")
_LN2_LOW = 1.9082149292705877e-10
_MIN_EXPONENT = -700.0  # exponentials below that of it are taken for that of it
_TERMS = 13  # of the exponential's series, whose argument is at most ln(2) / 2 in size


def _pair(value: float) -> str:
    """Return a constant vector of twice the same number, with all bits."""
    bits = struct.pack(">d", value).hex().upper()
    return f"<double 0x{bits}, double 0x{bits}>"


def _loads(names: str, at: str, offset: int) -> str:
    """Code that loads a pair from element `at` + `offset` of each of some arrays."""
    lines = [f"%at{offset} = add i32 {at}, {offset}"]
    for name in names.split():
        lines += [
            f"%{name}_p{offset} = getelementptr double, ptr %{name}, i32 %at{offset}",
            f"%{name}{offset} = load <2 x double>, ptr %{name}_p{offset}, align 8",
        ]
    return "\n".join(lines)


def _raised() -> str:
    """Code of ``prod_i (down_i + up_i factor_i)``: its mantissa is returned, its exponent of 2 stored.

    Four vectors of products are multiplied on, so that none waits for another. After every `step` pixels,
    which a product of numbers in double precision has room for, exponents are put away.
    """
    offsets = range(0, BLOCK, 2)
    steps = "\n".join(
        f"{_loads('down up factor', '%i', n)}\n"
        f"%m{n} = fmul <2 x double> %up{n}, %factor{n}\n%f{n} = fadd <2 x double> %down{n}, %m{n}\n"
        f"%q{n} = fmul <2 x double> %p{n}, %f{n}"
        for n in offsets
    )
    begin = "\n".join(
        f"%p{n} = phi <2 x double> [{_pair(1.0) if n else '%kept'}, %chunk], [%q{n}, %loop]" for n in offsets
    )
    mantissa, one = 0x000FFFFFFFFFFFFF, 0x3FF0000000000000
    return f"""
define double @raised(ptr %down, ptr %up, ptr %factor, i32 %n, i32 %step, ptr %exponent) {{
entry:
  br label %chunk
chunk:
  %start = phi i32 [0, %entry], [%stop, %next]
  %kept = phi <2 x double> [{_pair(1.0)}, %entry], [%left, %next]
  %powers = phi <2 x i64> [zeroinitializer, %entry], [%raised, %next]
  %wanted = add i32 %start, %step
  %stop = call i32 @llvm.smin.i32(i32 %wanted, i32 %n)
  br label %loop
loop:
  %i = phi i32 [%start, %chunk], [%further, %loop]
  {begin}
  {steps}
  %further = add i32 %i, {BLOCK}
  %more = icmp slt i32 %further, %stop
  br i1 %more, label %loop, label %next
next:
  %half = fmul <2 x double> %q0, %q2
  %rest = fmul <2 x double> %q4, %q6
  %all = fmul <2 x double> %half, %rest
  %bits = bitcast <2 x double> %all to <2 x i64>
  %power = lshr <2 x i64> %bits, <i64 52, i64 52>
  %unbiased = sub <2 x i64> %power, <i64 1023, i64 1023>
  %raised = add <2 x i64> %powers, %unbiased
  %cut = and <2 x i64> %bits, <i64 {mantissa}, i64 {mantissa}>
  %set = or <2 x i64> %cut, <i64 {one}, i64 {one}>
  %left = bitcast <2 x i64> %set to <2 x double>
  %again = icmp slt i32 %stop, %n
  br i1 %again, label %chunk, label %end
end:
  %e0 = extractelement <2 x i64> %raised, i32 0
  %e1 = extractelement <2 x i64> %raised, i32 1
  %e = add i64 %e0, %e1
  %short = trunc i64 %e to i32
  store i32 %short, ptr %exponent
  %l0 = extractelement <2 x double> %left, i32 0
  %l1 = extractelement <2 x double> %left, i32 1
  %both = fmul double %l0, %l1
  ret double %both
}}
declare i32 @llvm.smin.i32(i32, i32)
"""


def _shift() -> str:
    """Code of ``a += sign w``, and of the probabilities ``on = sigmoid(a)`` and ``off = sigmoid(-a)``."""
    series = [f"%s{_TERMS} = fadd <2 x double> {_pair(1 / math.factorial(_TERMS))}, zeroinitializer"]
    for n in range(_TERMS - 1, -1, -1):
        series += [
            f"%t{n} = fmul <2 x double> %s{n + 1}, %r",
            f"%s{n} = fadd <2 x double> %t{n}, {_pair(1 / math.factorial(n))}",
        ]
    lines = "\n".join(series)
    return f"""
define void @shift(ptr %a, ptr %on, ptr %off, ptr %w, double %sign, i32 %n) {{
entry:
  %first = insertelement <2 x double> undef, double %sign, i32 0
  %signs = shufflevector <2 x double> %first, <2 x double> undef, <2 x i32> zeroinitializer
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%further, %loop]
  {_loads("a w", "%i", 0)}
  %on_p = getelementptr double, ptr %on, i32 %i
  %off_p = getelementptr double, ptr %off, i32 %i
  %change = fmul <2 x double> %w0, %signs
  %v = fadd <2 x double> %a0, %change
  store <2 x double> %v, ptr %a_p0, align 8
  %size = call <2 x double> @llvm.fabs.v2f64(<2 x double> %v)
  %minus = fneg <2 x double> %size
  %small = fcmp olt <2 x double> %minus, {_pair(_MIN_EXPONENT)}
  %x = select <2 x i1> %small, <2 x double> {_pair(_MIN_EXPONENT)}, <2 x double> %minus
  %scaled = fmul <2 x double> %x, {_pair(1 / math.log(2))}
  %shifted = fadd <2 x double> %scaled, {_pair(_MAGIC)}
  %k = fsub <2 x double> %shifted, {_pair(_MAGIC)}
  %high = fmul <2 x double> %k, {_pair(_LN2_HIGH)}
  %low = fmul <2 x double> %k, {_pair(_LN2_LOW)}
  %near = fsub <2 x double> %x, %high
  %r = fsub <2 x double> %near, %low
  {lines}
  %kbits = bitcast <2 x double> %shifted to <2 x i64>
  %power = shl <2 x i64> %kbits, <i64 52, i64 52>
  %sbits = bitcast <2 x double> %s0 to <2 x i64>
  %tbits = add <2 x i64> %sbits, %power
  %t = bitcast <2 x i64> %tbits to <2 x double>
  %sum = fadd <2 x double> %t, {_pair(1.0)}
  %likely = fdiv <2 x double> {_pair(1.0)}, %sum
  %rare = fmul <2 x double> %t, %likely
  %up = fcmp ogt <2 x double> %v, zeroinitializer
  %ons = select <2 x i1> %up, <2 x double> %likely, <2 x double> %rare
  %offs = select <2 x i1> %up, <2 x double> %rare, <2 x double> %likely
  store <2 x double> %ons, ptr %on_p, align 8
  store <2 x double> %offs, ptr %off_p, align 8
  %further = add i32 %i, 2
  %more = icmp slt i32 %further, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}}
declare <2 x double> @llvm.fabs.v2f64(<2 x double>)
"""


@cache
def kernel() -> bytes:
    """Return the module: it takes its memory from outside, and exports ``raised`` and ``shift``."""
    from llvmlite import binding  # not at the top: who writes no page waits for no compiler

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple("wasm32-unknown-unknown")
    machine = target.create_target_machine(features="+simd128", opt=3)
    code = 'target triple = "wasm32-unknown-unknown"\n' + _raised() + _shift()
    return _exporting(machine.emit_object(binding.parse_assembly(code)))


def _exporting(built: bytes) -> bytes:
    """Return an object file with its functions exported, without the sections that only linkers read."""
    parts, at = [built[:_HEADER]], _HEADER
    while at < len(built):
        number, (length, begin) = built[at], _read(built, at + 1)
        if number:  # 0: notes
            parts.append(built[at : begin + length])
        if number == _FUNCTIONS:
            entries = b"".join(
                bytes([len(name)]) + name.encode() + bytes([0, place]) for place, name in enumerate(_EXPORTS)
            )
            parts.append(bytes([_EXPORTED, 1 + len(entries), len(_EXPORTS)]) + entries)
        at = begin + length
    return b"".join(parts)


def _read(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of seven bits a byte, the lowest first, and the end of its bytes."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at
