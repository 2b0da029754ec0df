"""Building blocks of the hand-written LLVM kernels: vectors are loaded, stored, filled and combined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import config

JIT_OFF = bool(vars(config)["DISABLE_JIT"])
"""True if kernels run as plain Python (``NUMBA_DISABLE_JIT=1``), so that their blocks must be plain NumPy."""

FEATURES: dict[str, bool] = (
    binding.get_host_cpu_features() if vars(config)["CPU_FEATURES"] is None else binding.FeatureMap()
)
"""What the processor offers for which kernels are compiled. Where Numba is told which one that is, as for
browsers, nothing is taken for granted.
"""

WIDE = 16 if FEATURES.get("avx512f") else 8 if FEATURES.get("avx") else 4
"""Single-precision numbers in a register."""

BYTE, INT, LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)
FLOAT, DOUBLE = ir.FloatType(), ir.DoubleType()
_BYTES = {BYTE: 1, INT: 4, LONG: 8, FLOAT: 4, DOUBLE: 8}


def load(builder: Any, base: Any, at: Any, vector: Any) -> Any:
    """Load a vector of that type from element `at` on; only its elements need be aligned."""
    loaded = builder.load(builder.bitcast(builder.gep(base, [at]), vector.as_pointer()), typ=vector)
    loaded.align = _BYTES[vector.element]
    return loaded


def store(builder: Any, value: Any, base: Any, at: Any) -> None:
    """Store a vector from element `at` on."""
    pointer = builder.bitcast(builder.gep(base, [at]), value.type.as_pointer())
    builder.store(value, pointer, align=_BYTES[value.type.element])


def filled(value: float, element: Any, n: int) -> Any:
    """Return a constant vector of n equal elements."""
    return ir.Constant(ir.VectorType(element, n), [value] * n)


def splat(builder: Any, scalar: Any, n: int) -> Any:
    """Return a vector of n copies of a scalar."""
    undefined = ir.Constant(ir.VectorType(scalar.type, n), ir.Undefined)
    single = builder.insert_element(undefined, scalar, ir.Constant(INT, 0))
    return builder.shuffle_vector(single, undefined, filled(0, INT, n))


def multiply_add(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """``a * b + c``; `contract` lets LLVM fuse it where the machine can."""
    return builder.fadd(builder.fmul(a, b, flags=["contract"]), c, flags=["contract"])


def combined(combine: Callable[[Any, Any], Any], vectors: list[Any]) -> Any:
    """Combine vectors, as many as a power of two, lane by lane, in pairs."""
    while len(vectors) > 1:
        vectors = [combine(a, b) for a, b in zip(vectors[::2], vectors[1::2], strict=True)]
    return vectors[0]


def across(builder: Any, combine: Callable[[Any, Any], Any], value: Any) -> Any:
    """Combine the lanes of one vector, as many as a power of two, into a number: its halves in turn."""
    while value.type.count > 1:
        n = value.type.count // 2
        undefined, lanes = ir.Constant(value.type, ir.Undefined), ir.VectorType(INT, n)
        low, high = (ir.Constant(lanes, list(range(first, first + n))) for first in (0, n))
        low, high = (builder.shuffle_vector(value, undefined, half) for half in (low, high))
        value = combine(low, high)
    return builder.extract_element(value, ir.Constant(INT, 0))
