"""Named arrays as bytes: one binary form, written here and read by `decode.js`.

A packed block is ``magic | header length (uint32) | JSON header | arrays``, little-endian; every array starts
at a multiple of 8 bytes, so that the browser can view it without a copy. The header carries only names,
numbers and the place of each array, never array contents. Of float16, which no browser needs to view, the
upper bytes of all numbers come before the lower ones: signs and exponents compress well only by themselves.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.io.constants import PACKED_BLOCK

_ALIGN = 8
_DTYPES = {"i1", "u1", "u2", "u4", "f2", "f4", "f8"}


def pack(meta: Mapping[str, Any], arrays: Mapping[str, NDArray]) -> bytes:
    """Pack `meta` (JSON values) and `arrays` (uint8/16/32, float16/32/64) into one block of bytes.

    Raises
    ------
    TypeError
        An array has a type that the browser cannot view.
    """
    entries, parts, offset = {}, [], 0
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        if kind not in _DTYPES:
            raise TypeError(f"array {name!r} has dtype {array.dtype}; expected one of {sorted(_DTYPES)}.")
        raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        if kind == "f2":
            raw = raw[1::2] + raw[::2]
        entries[name] = {"dtype": kind, "shape": list(array.shape), "offset": offset}
        padding = -len(raw) % _ALIGN
        parts.append(raw + b"\0" * padding)
        offset += len(raw) + padding
    header = json.dumps({"meta": dict(meta), "arrays": entries}, separators=(",", ":")).encode()
    header += b" " * (-(len(PACKED_BLOCK) + 4 + len(header)) % _ALIGN)
    return b"".join([PACKED_BLOCK, struct.pack("<I", len(header)), header, *parts])


def unpack(block: bytes) -> tuple[dict[str, Any], dict[str, NDArray]]:
    """Read a block of `pack`: the metadata, and the arrays, read-only; views of `block` except float16.

    Raises
    ------
    ValueError
        The block does not begin with this format's magic, or is shorter than its header says.
    """
    if block[: len(PACKED_BLOCK)] != PACKED_BLOCK:
        raise ValueError(f"expected a block that begins with {PACKED_BLOCK!r}, got {block[:4]!r}.")
    start = len(PACKED_BLOCK) + 4
    (length,) = struct.unpack_from("<I", block, len(PACKED_BLOCK))
    header = json.loads(block[start : start + length])
    arrays = {}
    for name, entry in header["arrays"].items():
        count = int(np.prod(entry["shape"], dtype=np.int64))
        kind, at = np.dtype("<" + entry["dtype"]), start + length + entry["offset"]
        if entry["dtype"] == "f2":
            parts = np.frombuffer(block, np.uint8, 2 * count, at).reshape(2, count)
            flat = np.frombuffer(parts[::-1].T.tobytes(), kind)
        else:
            flat = np.frombuffer(block, kind, count, at)
        arrays[name] = flat.reshape(entry["shape"])
    return header["meta"], arrays
