"""``exp`` and ``log`` that a compiled loop evaluates in vector registers, unlike those of the C library.

With the JIT switched off (``NUMBA_DISABLE_JIT=1``) they are the C library's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from lrbn_viz.kernels.simd.vectors import DOUBLE, FLOAT, INT, JIT_OFF, LONG

_OPTIONS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "_nrt": False,
    "forceinline": True,
    "fastmath": {"contract"},
}

LOWEST, HIGHEST = -708.0, 709.0
"""Arguments between which ``exp`` is a normal number; others are replaced by the nearer limit."""

# The sum of a number and this constant has the nearest integer in its lowest bits.
_MAGIC = 1.5 * 2.0**52
_MAGIC_BITS = 0x4338000000000000
_ONE_BITS = 0x3FF0000000000000
_ROOT_HALF_BITS = 0x3FE6A09E667F3BCD
# ln(2) in two parts: the first has few enough bits that its product with an exponent is exact.
_LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")
_LN2_LOW = 1.9082149292705877e-10
_LOG2_E = 1.0 / math.log(2.0)
_C2, _C3, _C4, _C5, _C6, _C7, _C8, _C9, _C10, _C11, _C12 = (1.0 / math.factorial(n) for n in range(2, 13))


@intrinsic
def _bits_of(typingctx, x):
    def generate(context, builder, signature, args):
        return builder.bitcast(args[0], LONG)

    return types.int64(types.float64), generate


@intrinsic
def _number_of(typingctx, bits):
    def generate(context, builder, signature, args):
        return builder.bitcast(args[0], DOUBLE)

    return types.float64(types.int64), generate


LOWEST32, HIGHEST32 = np.float32(-87.0), np.float32(88.0)
"""The same for ``exp32``."""

_MAGIC32 = np.float32(1.5 * 2.0**23)
_LN2_HIGH32, _LN2_LOW32 = np.float32(0.693359375), np.float32(-2.12194440e-4)
_LOG2_E32, _ONE32 = np.float32(_LOG2_E), np.float32(1.0)
_S2, _S3, _S4, _S5, _S6, _S7 = (np.float32(c) for c in (_C2, _C3, _C4, _C5, _C6, _C7))


@intrinsic
def _power_of(typingctx, shifted):
    """Return 2**k, where k is the integer in the lowest bits of a number to which the constant above was
    added.
    """

    def generate(context, builder, signature, args):
        bits = builder.shl(builder.bitcast(args[0], INT), ir.Constant(INT, 23))
        return builder.bitcast(builder.add(bits, ir.Constant(INT, 0x3F800000)), FLOAT)

    return types.float32(types.float32), generate


# An intrinsic takes its first argument, the typing context, from numba.
_bits: Any = _bits_of
_number: Any = _number_of
_power: Any = _power_of


@njit(**_OPTIONS)
def _compiled_exp(x: float) -> float:
    x = LOWEST if x < LOWEST else x  # not-a-number passes
    x = HIGHEST if x > HIGHEST else x
    shifted = x * _LOG2_E + _MAGIC
    k = shifted - _MAGIC
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    # Taylor's series by Horner's scheme; |r| is at most ln(2) / 2.
    tail = _C7 + r * (_C8 + r * (_C9 + r * (_C10 + r * (_C11 + r * _C12))))
    p = 1.0 + r * (1.0 + r * (_C2 + r * (_C3 + r * (_C4 + r * (_C5 + r * (_C6 + r * tail))))))
    return p * _number((_bits(shifted) << 52) + _ONE_BITS)


@njit(**_OPTIONS)
def _compiled_log(x: float) -> float:
    bits = _bits(x)
    exponent = (bits - _ROOT_HALF_BITS) >> 52
    m = _number(bits - (exponent << 52))  # between sqrt(1/2) and sqrt(2)
    f = (m - 1.0) / (m + 1.0)
    g = f * f
    tail = 1.0 / 11.0 + g * (1.0 / 13.0 + g * (1.0 / 15.0 + g * (1.0 / 17.0 + g * (1.0 / 19.0))))
    p = 1.0 / 3.0 + g * (1.0 / 5.0 + g * (1.0 / 7.0 + g * (1.0 / 9.0 + g * tail)))
    k = _number(exponent + _MAGIC_BITS) - _MAGIC
    return k * _LN2_HIGH + (k * _LN2_LOW + (2.0 * f + 2.0 * f * g * p))


@njit(**_OPTIONS)
def _compiled_exp32(x: np.float32) -> np.float32:
    x = LOWEST32 if x < LOWEST32 else x  # not-a-number passes
    x = HIGHEST32 if x > HIGHEST32 else x
    shifted = x * _LOG2_E32 + _MAGIC32
    k = shifted - _MAGIC32
    r = (x - k * _LN2_HIGH32) - k * _LN2_LOW32
    tail = _S4 + r * (_S5 + r * (_S6 + r * _S7))
    return (_ONE32 + r * (_ONE32 + r * (_S2 + r * (_S3 + r * tail)))) * _power(shifted)


def _plain_exp32(x: np.float32) -> np.float32:
    inside = min(max(float(x), float(LOWEST32)), float(HIGHEST32))  # of not-a-number some number
    return np.float32(_plain_exp(inside if x == x else math.nan))


def _plain_exp(x: float) -> float:
    return math.exp(min(max(x, LOWEST), HIGHEST)) if x == x else x


exp: Any = _plain_exp if JIT_OFF else _compiled_exp
"""Return ``exp(x)`` in double precision, relative error below 1e-15."""
exp32: Any = _plain_exp32 if JIT_OFF else _compiled_exp32
"""Return ``exp(x)`` in single precision, relative error below 3e-7."""
log: Any = math.log if JIT_OFF else _compiled_log
"""Return ``log(x)`` of a finite number above 1e-307, error below 1e-15 max(1, |log(x)|)."""
