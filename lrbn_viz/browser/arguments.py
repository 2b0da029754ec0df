"""Arguments of a kernel as a browser gives them: numbers and addresses in one block of memory.

JavaScript knows no arrays of Numba. It writes a block: one slot of eight bytes for each number; for each
array its address and then its shape; for each named tuple the address of a block of its own. :func:`unpacked`
reads such a block inside compiled code, and makes the arrays and tuples of it that the kernel takes. These
arrays own nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

SLOT = 8
"""Bytes of a slot: those of the largest number."""

DTYPES: dict[str, Any] = {
    "f8": types.float64,
    "f4": types.float32,
    "i8": types.int64,
    "i4": types.int32,
    "u8": types.uint64,
    "u2": types.uint16,
    "u1": types.uint8,
    "?": types.boolean,
}
"""Types of numbers by the name that NumPy gives them."""

_BYTE, _SHORT, _LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_ARRAY = re.compile(r"(?P<dtype>[a-z?]\d?)(\[(?P<axes>:(, ?:)*)\])?")


class Tuple(NamedTuple):
    """A named tuple whose fields have these types, each written as in :data:`Written`.

    `suffix` tells tuples of one kind apart whose arrays differ, as in single precision.
    """

    kind: type
    fields: Mapping[str, str]
    suffix: str = ""

    @property
    def name(self) -> str:
        """By which JavaScript knows it."""
        return self.kind.__name__ + self.suffix


Written = str | Tuple
"""A type as an entry writes it: a number ("f8"), a C-ordered array ("f8[:, :]"), or a :class:`Tuple`."""


def n_axes(written: str) -> int:
    """Return the number of an array's axes, 0 for a number.

    Raises
    ------
    ValueError
        It is no type of a number or of an array.
    """
    found = _ARRAY.fullmatch(written)
    if found is None or found["dtype"] not in DTYPES:
        raise ValueError(
            f"expected a number or an array, such as f8 or f8[:, :], of {', '.join(DTYPES)}; got {written!r}."
        )
    return found["axes"].count(":") if found["axes"] else 0


def dtype_of(written: str) -> Any:
    """Return the Numba type of a number, or of an array's elements."""
    return DTYPES[written.partition("[")[0]]


def type_of(written: Written) -> Any:
    """Return the Numba type of an argument."""
    if isinstance(written, Tuple):
        return types.BaseTuple.from_types([type_of(each) for each in written.fields.values()], written.kind)
    axes = n_axes(written)
    return types.Array(dtype_of(written), axes, "C") if axes else dtype_of(written)


def n_slots(written: Written) -> int:
    """Return how many slots an argument takes in a block."""
    return 1 if isinstance(written, Tuple) else 1 + n_axes(written)


def unpacked(arguments: tuple[Written, ...]) -> Any:
    """Return an intrinsic that makes a tuple of a kernel's arguments from the address of their block."""
    kinds = types.Tuple([type_of(each) for each in arguments])

    @intrinsic
    def read(typingctx: Any, block: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            values = _values(context, builder, args[0], arguments)
            return context.make_tuple(builder, kinds, values)

        return kinds(block), generate

    return read


@intrinsic
def _returned(typingctx: Any, block: Any, value: Any) -> Any:

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = _slot(builder, args[0], 0, args[1].type)
        builder.store(args[1], at)
        return context.get_dummy_value()

    return types.void(block, value), generate


returned: Any = _returned  # an intrinsic takes its first argument, the typing context, from numba
"""Write a kernel's result into the first slot of its block."""


def _values(context: Any, builder: Any, block: Any, arguments: Any) -> list[Any]:
    """Read arguments one after another from a block."""
    found, at = [], 0
    for each in arguments:
        found.append(_value(context, builder, block, at, each))
        at += n_slots(each)
    return found


def _value(context: Any, builder: Any, block: Any, at: int, written: Written) -> Any:
    if isinstance(written, Tuple):
        own = _address(builder, block, at, _BYTE)
        values = _values(context, builder, own, written.fields.values())
        return context.make_tuple(builder, type_of(written), values)
    axes, kind = n_axes(written), type_of(written)
    if not axes:
        return _number(context, builder, block, at, kind)
    element = context.get_data_type(kind.dtype)
    size = ir.Constant(_LONG, context.get_abi_sizeof(element))
    shape = [
        builder.zext(builder.load(_slot(builder, block, at + 1 + axis, _SHORT)), _LONG)
        for axis in range(axes)
    ]
    strides = [size]
    for extent in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    array = context.make_array(kind)(context, builder)
    arrayobj.populate_array(
        array,
        data=_address(builder, block, at, element),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, strides),
        itemsize=size,
        meminfo=None,
    )
    return array._getvalue()  # noqa: SLF001 - Numba has no public name for it


def _number(context: Any, builder: Any, block: Any, at: int, kind: Any) -> Any:
    """Read a number; an integer of 8 bytes from 4, which JavaScript writes as a plain number."""
    if kind == types.boolean:
        return builder.icmp_signed("!=", builder.load(_slot(builder, block, at, _SHORT)), _SHORT(0))
    if kind == types.int64:
        return builder.sext(builder.load(_slot(builder, block, at, _SHORT)), _LONG)
    return builder.load(_slot(builder, block, at, context.get_value_type(kind)))


def _slot(builder: Any, block: Any, at: int, kind: Any) -> Any:
    """Return a pointer to a slot, as one to a value of a type."""
    return builder.bitcast(builder.gep(block, [ir.Constant(_LONG, at * SLOT)]), kind.as_pointer())


def _address(builder: Any, block: Any, at: int, kind: Any) -> Any:
    """Read an address, of 4 bytes in a browser."""
    number = builder.load(_slot(builder, block, at, _SHORT))
    return builder.inttoptr(builder.zext(number, _LONG), kind.as_pointer())
