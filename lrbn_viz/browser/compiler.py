"""Compile kernels from their Python source into one WebAssembly module.

Numba compiles a kernel to LLVM code for a plain processor, LLVM compiles that for a browser, and an object
file for WebAssembly lacks nothing of a module but the list of what it exports. Each exported function takes
the address of a block of arguments (:mod:`lrbn_viz.browser.arguments`).

``exp``, ``log`` and ``log1p`` are kernels of this package here, and not a library's: all browsers compute the
same bits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from llvmlite import binding
from numba import cfunc, types

from lrbn_viz.browser.arguments import Written, returned, type_of, unpacked

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
"""What the module needs of a browser: of these, vectors of 128 bits came last, in 2023."""

OURS = "lrbn_"
"""Begins the name of what stands in for a function of the library, which LLVM must not take for that."""

_COUNTED = re.compile(r"^define [^\n]*@NRT_(incref|decref)\([^\n]*\{\n.*?^\}\n", re.M | re.S)
_LIBRARY = re.compile(r"@(?:llvm\.)?(exp|expm1|log|log1p|tanh)(?:\.f64)?\(")
"""Calls of a processor's library, or of an instruction that LLVM would make one of."""
ALLOCATE = "allocate"
"""The one function of JavaScript that the module calls: it returns the address of so many bytes."""
_CALLED = re.compile(r"llvm\.(exp|exp2|log|log2|log10|pow|powi|sin|cos|tan|tanh|fma)\.")
"""What LLVM would make calls of a library of."""
_ROOT = re.compile(r"^declare [^\n]*@(?:llvm\.)?sqrt(?:\.f64)?\([^\n]*\n", re.M)
_FAILED = re.compile(
    r"^declare ((?:noalias |noundef )*[\w]+ "
    r"@(?:NRT_Allocate|NRT_Free|NRT_MemInfo_call_dtor|Py\w+|numba_(?!attempt)\w+)\([^)]*\))[^\n]*$",
    re.M,
)
"""What reports an error of a kernel in Python: here the program stops there."""
_ROOM = re.compile(r"^declare [^\n]*@NRT_MemInfo_alloc(?:_safe)?(?:_aligned)?\([^\n]*\n", re.M)
_OWNED = """
declare ptr @allocate(i32)

define linkonce_odr ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %both = add i64 %size, 64
  %bytes = trunc i64 %both to i32
  %info = call ptr @allocate(i32 %bytes)
  %data = getelementptr i8, ptr %info, i32 64
  %place = getelementptr { i64, ptr, ptr, ptr, i64 }, ptr %info, i32 0, i32 3
  store ptr %data, ptr %place
  ret ptr %info
}

define linkonce_odr ptr @NRT_MemInfo_alloc(i64 %size) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 64)
  ret ptr %info
}
"""
"""Arrays that a kernel allocates: JavaScript gives room, and frees it when the call has ended. The numbers of
an array begin a cache line after what Numba keeps about it, whose fourth field is their address.
"""
_RESHAPED = re.compile(r"^declare [^\n]*@numba_attempt_nocopy_reshape\([^\n]*\n", re.M)
_RESHAPE = """
define linkonce_odr i32 @numba_attempt_nocopy_reshape(
    i64 %nd, ptr %shape, ptr %strides, i64 %n, ptr %to, ptr %found, i64 %size, i32 %order) {
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %axis, label %end
axis:
  %after = phi i64 [ %n, %0 ], [ %k, %axis ]
  %stride = phi i64 [ %size, %0 ], [ %next, %axis ]
  %k = sub i64 %after, 1
  %into = getelementptr i64, ptr %found, i64 %k
  store i64 %stride, ptr %into
  %from = getelementptr i64, ptr %to, i64 %k
  %length = load i64, ptr %from
  %next = mul i64 %stride, %length
  %more = icmp sgt i64 %k, 0
  br i1 %more, label %axis, label %end
end:
  ret i32 1
}
"""
"""Strides of an array in a new shape. All arrays here are C-ordered, and lie in one piece."""
_SIZE = re.compile(r"^declare [^\n]*@llvm\.smul\.with\.overflow\.i64\([^\n]*\n", re.M)
_PRODUCT = """
define linkonce_odr { i64, i1 } @lrbn_size(i64 %one, i64 %other) {
  %product = mul i64 %one, %other
  %found = insertvalue { i64, i1 } { i64 undef, i1 false }, i64 %product, 0
  ret { i64, i1 } %found
}
"""
"""Size of an array. It fits in 64 bits, as memory here ends at 4 GB."""
_SAID = re.compile(r'^@"?\.const\.pickle[^\n]*\n', re.M)
_SAYS = re.compile(r'@"?\.const\.pickle[\w.]+"?')
"""Errors of Python, which no browser raises: with them a module would hold names of this machine's files."""
_ADDRESS = re.compile(r"(?<=array_expr_)0x[0-9a-f]+")
_TARGET = re.compile(r"^target (datalayout|triple) = .*$", re.M)


class Entry(NamedTuple):
    """A kernel that browsers get.

    Attributes
    ----------
    kernel : compiled function
    arguments : mapping from name to type
        As the kernel takes them, in its order.
    """

    kernel: Any
    arguments: Mapping[str, Written]


def compiled(entries: Mapping[str, Entry], mathematics: Mapping[str, tuple[Any, int]]) -> bytes:
    """Return the module.

    Parameters
    ----------
    entries : mapping from name to Entry
        The functions to export.
    mathematics : mapping from name to a compiled function and the number of its arguments
        What stands in for the functions of a processor's library.

    Raises
    ------
    ValueError
        A kernel needs more than memory and that mathematics.
    """
    parts = [_code_of(_called(entry), name) for name, entry in entries.items()]
    for name, (function, n) in mathematics.items():
        kind = types.float64(*[types.float64] * n)
        parts.append(_code_of(cfunc(kind, error_model="numpy")(function), OURS + name))
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=3)
    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    module = binding.parse_assembly(head + parts[0])
    for part in parts[1:]:
        module.link_in(binding.parse_assembly(head + part))
    _optimise(module, machine, set(entries))
    lacking = [each.name for each in module.functions if each.is_declaration and not _has(each.name)]
    if lacking:
        raise ValueError(
            f"the kernels need {', '.join(sorted(lacking))}, which no browser has. Mathematics belongs to "
            "the list of what stands in for a library."
        )
    return exporting(machine.emit_object(module), list(entries))


def _has(name: str) -> bool:
    """Return whether each browser has what LLVM calls so: none has more mathematics than a root."""
    return name == ALLOCATE or (name.startswith("llvm.") and not _CALLED.match(name))


def _called(entry: Entry) -> Any:
    """Return a kernel compiled as a function of the address of its arguments."""
    kernel, arguments = entry.kernel, tuple(entry.arguments.values())
    kinds = tuple(type_of(each) for each in arguments)
    kernel.compile(kinds)
    result = kernel.overloads[kinds].signature.return_type
    read = unpacked(arguments)
    if result == types.none:

        def call(block: Any) -> None:
            kernel(*read(block))

    else:

        def call(block: Any) -> None:
            returned(block, kernel(*read(block)))

    return cfunc(types.void(types.CPointer(types.uint8)), error_model="numpy")(call)


def _code_of(function: Any, name: str) -> str:
    """Return LLVM code of a function and of all that it calls, under this name, for no machine in particular.

    Arrays own nothing here, so that nothing counts their references.
    """
    code = function.inspect_llvm().replace(f"@{function.native_name}(", f"@{name}(")
    # Numba names expressions of arrays by their address, which is another one in each process.
    known: dict[str, str] = {}
    code = _ADDRESS.sub(lambda found: known.setdefault(found[0], f"{name}_{len(known)}"), code)
    code = _SAYS.sub("null", _SAID.sub("", code))
    code = _FAILED.sub(lambda found: f"define linkonce_odr {found[1]} {{\n  unreachable\n}}", code)
    if _ROOM.search(code):
        code = _ROOM.sub("", code) + _OWNED
    if _SIZE.search(code):
        code = _SIZE.sub("", code).replace("@llvm.smul.with.overflow.i64(", "@lrbn_size(") + _PRODUCT
    if _RESHAPED.search(code):
        code = _RESHAPED.sub("", code) + _RESHAPE
    code = _COUNTED.sub(
        lambda found: f"define linkonce_odr void @NRT_{found[1]}(ptr %p) {{\n  ret void\n}}\n", code
    )
    if _ROOT.search(code):  # an instruction of every browser, under whatever name
        code = _ROOT.sub("", code).replace("@sqrt(", "@llvm.sqrt.f64(")
        code += "\ndeclare double @llvm.sqrt.f64(double)\n"
    return _TARGET.sub("", _LIBRARY.sub(lambda found: f"@{OURS}{found[1]}(", code))


def _optimise(module: Any, machine: Any, exported: set[str]) -> None:
    """Keep what the exported functions reach, and compile it as one."""
    for each in module.functions:
        if not each.is_declaration:
            each.linkage = "external" if each.name in exported else "internal"
    for each in module.global_variables:
        if not each.is_declaration:
            each.linkage = "internal"
    module.verify()
    options = binding.PipelineTuningOptions(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


# -- an object file as a module

_HEADER = 8  # bytes: magic and version
_NOTES, _IMPORTS, _EXPORTED, _COUNTS = (
    0,
    2,
    7,
    12,
)  # numbers of sections; counts of data stand before code, after exports
_SYMBOLS, _FUNCTION, _DATA, _SECTION = 8, 0, 1, 3  # kinds of a part of the notes for linkers, and of symbols
_MEMORY, _GLOBAL = 2, 3  # kinds of what is imported
_UNDEFINED, _NAMED = 0x10, 0x40  # flags of a symbol


def exporting(built: bytes, names: list[str]) -> bytes:
    """Return an object file as a module that exports functions by name.

    The sections that only linkers read are left out.
    """
    sections, at = [], _HEADER
    while at < len(built):
        number, (length, begin) = built[at], _read(built, at + 1)
        sections.append((number, built[begin : begin + length]))
        at = begin + length
    places = _places_of(sections)
    entries = [_text(name) + b"\0" + _written(places[name]) for name in names]
    exports = _written(len(entries)) + b"".join(entries)
    parts, done = [built[:_HEADER]], False
    for number, body in sections:
        if number == _NOTES:
            continue
        if number == _IMPORTS:
            _check_imports(body)
        if number > _EXPORTED and not done:
            parts.append(_section(_EXPORTED, exports))
            done = True
        parts.append(_section(number, body))
    return b"".join(parts)


def _check_imports(body: bytes) -> None:
    """Raise ValueError where a module needs more of JavaScript than memory.

    Code may turn into a call of a library as late as when it becomes that of a browser.
    """
    count, at = _read(body, 0)
    names = set()
    for _ in range(count):
        _, at = _name_at(body, at)
        name, at = _name_at(body, at)
        names.add(name)
        kind, at = body[at], at + 1
        if kind == _MEMORY:
            bounded, at = body[at] & 1, at + 1
            for _ in range(1 + bounded):
                _, at = _read(body, at)
        elif kind == _GLOBAL:
            at += 2
        else:
            _, at = _read(body, at)
    lacking = names - {"__linear_memory", "__stack_pointer", ALLOCATE}
    if lacking:
        raise ValueError(f"the compiled kernels call {', '.join(sorted(lacking))}, which no browser has.")


def _name_at(data: bytes, at: int) -> tuple[str, int]:
    """Return a text of the module, and its end."""
    length, begin = _read(data, at)
    return data[begin : begin + length].decode(), begin + length


def data_size(module: bytes) -> int:
    """Return the first address beyond a module's constant data, which lies from address 0 on."""
    at, end = _HEADER, 0
    while at < len(module):
        number, (length, begin) = module[at], _read(module, at + 1)
        if number == 11:
            count, place = _read(module, begin)
            for _ in range(count):
                place += 2  # in memory 0, from a constant on
                address, place = _read(module, place)
                size, place = _read(module, place + 1)
                end, place = max(end, address + size), place + size
        at = begin + length
    return end


def _places_of(sections: list[tuple[int, bytes]]) -> dict[str, int]:
    """Return the number of each function that an object file defines, by its name in the linkers' notes."""
    found: dict[str, int] = {}
    for number, body in sections:
        if number != _NOTES:
            continue
        length, at = _read(body, 0)
        if body[at : at + length] != b"linking":
            continue
        _, at = _read(body, at + length)  # their version
        while at < len(body):
            kind, (length, begin) = body[at], _read(body, at + 1)
            if kind == _SYMBOLS:
                found |= _functions_of(body[begin : begin + length])
            at = begin + length
    return found


def _functions_of(symbols: bytes) -> dict[str, int]:
    count, at = _read(symbols, 0)
    found = {}
    for _ in range(count):
        kind, (flags, at) = symbols[at], _read(symbols, at + 1)
        if kind == _DATA:
            length, at = _read(symbols, at)
            at += length
            for _ in range(0 if flags & _UNDEFINED else 3):
                _, at = _read(symbols, at)
            continue
        number, at = _read(symbols, at)
        if kind != _SECTION and (not flags & _UNDEFINED or flags & _NAMED):
            length, at = _read(symbols, at)
            if kind == _FUNCTION:
                found[symbols[at : at + length].decode()] = number
            at += length
    return found


def _section(number: int, body: bytes) -> bytes:
    return bytes([number]) + _written(len(body)) + body


def _text(name: str) -> bytes:
    return _written(len(name)) + name.encode()


def _read(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of seven bits a byte, the lowest first, and the end of its bytes."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def _written(value: int) -> bytes:
    """Return a number as such bytes."""
    found = bytearray()
    while True:
        value, low = value >> 7, value & 127
        found.append(low | 128 if value else low)
        if not value:
            return bytes(found)
