"""Reader of MATLAB 5 files, which checks the structure of every byte before SciPy reads them.

SciPy's reader trusts the sizes that a file declares, so that a malformed file can crash the interpreter. Only
matrices of real numbers and cells of texts are accepted, each with as many bytes as its dimensions need.
"""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

_HEADER = 128
_MATRIX, _COMPRESSED, _UTF8 = 14, 15, 16  # types of elements
_CELL, _CHAR, _DOUBLE = 1, 4, 6  # classes of matrices
_WIDTHS = {1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8}  # bytes of a number of each type


def read_mat(content: bytes, limit: int) -> dict[str, Any]:
    """Return the variables of a MATLAB 5 file by name, as `scipy.io.loadmat`.

    Parameters
    ----------
    content : bytes
        Content of the file, in little-endian byte order (``IM``).
    limit : int
        Largest number of decompressed bytes, and of numbers.

    Raises
    ------
    ValueError
        The structure of the file is not as expected; the message gives the place.
    """
    from scipy.io import loadmat

    # With a zero among the first four bytes SciPy would read the file as MATLAB 4.
    if not content.startswith(b"MATLAB 5.0") or content[124:_HEADER] != b"\x00\x01IM":
        raise _damaged("a header of MATLAB 5.0", f"{content[:10]!r} and {content[124:_HEADER]!r}")
    # SciPy receives decompressed content, every byte of which has been checked.
    checked, n_values = [content[:_HEADER]], 0
    at = _HEADER
    while at < len(content):
        if at + 8 > len(content):
            raise _damaged("an element at the end", f"{len(content) - at} bytes")
        kind, n = struct.unpack_from("<II", content, at)
        if kind != _COMPRESSED or at + 8 + n > len(content):
            raise _damaged(f"a compressed element at byte {at:,}", f"type {kind} of {n:,} bytes")
        raw = _inflated(content[at + 8 : at + 8 + n], limit)
        limit -= len(raw)
        if _element(raw, 0, len(raw)) != (_MATRIX, 8, len(raw), len(raw)):
            raise _damaged(f"one matrix in the element at byte {at:,}", f"{len(raw):,} other bytes")
        n_values += _check_matrix(raw, 8, len(raw), inner=False)
        if n_values > limit:
            raise _damaged(f"at most {limit:,} numbers", f"{n_values:,}")
        checked.append(raw)
        at += 8 + n
    return loadmat(io.BytesIO(b"".join(checked)))


def _inflated(packed: bytes, limit: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(packed, max(1, limit))
    except zlib.error as error:
        raise _damaged("compressed data", str(error)) from error
    if not unpacker.eof or unpacker.unused_data:
        raise _damaged(f"an element of at most {limit:,} bytes that is whole", "a larger or a broken one")
    return raw


def _element(raw: bytes, at: int, stop: int) -> tuple[int, int, int, int]:
    """Return an element's type, the begin and end of its data, and the begin of the next element."""
    if at + 8 > stop:
        raise _damaged("an element", f"{stop - at} bytes")
    kind, n = struct.unpack_from("<II", raw, at)
    if kind >> 16:  # a small element: length and data within eight bytes
        kind, n = kind & 0xFFFF, kind >> 16
        start, end, following = at + 4, at + 4 + n, at + 8
    else:
        start, end = at + 8, at + 8 + n
        following = end + -n % 8
    if end > following or following > stop:
        raise _damaged(f"an element of at most {stop - at:,} bytes", f"one of {n:,}")
    return kind, start, end, following


def _check_matrix(raw: bytes, at: int, stop: int, *, inner: bool) -> int:
    """Check the matrix from `at` to `stop`, and return its number of numbers and letters."""
    kind, start, end, at = _element(raw, at, stop)
    if kind != 6 or end - start != 8:
        raise _damaged("a matrix's flags", f"type {kind} of {end - start} bytes")
    flags, unused = struct.unpack_from("<II", raw, start)
    if unused or flags not in ((_CHAR,) if inner else (_CELL, _DOUBLE)):
        raise _damaged("a text in a cell" if inner else "a matrix of numbers or a cell", f"flags {flags:#x}")
    kind, start, end, at = _element(raw, at, stop)
    if kind != 5 or end - start != 8:
        raise _damaged("two dimensions", f"type {kind} of {end - start} bytes")
    rows, columns = struct.unpack_from("<ii", raw, start)
    if rows < 0 or columns < 0 or (inner and (rows != 1 or columns < 1)):
        raise _damaged("dimensions of at least 0, or a line of text", f"{rows} x {columns}")
    kind, start, end, at = _element(raw, at, stop)
    name = raw[start:end]
    if kind != 1 or len(name) > 63 or not (name.replace(b"_", b"a").isalnum() or (inner and not name)):
        raise _damaged("a name", repr(name[:80]))
    n = rows * columns
    if flags == _CELL:
        if 8 * n > stop - at:
            raise _damaged(f"{n:,} texts", f"{stop - at:,} bytes")
        n_values = n
        for _ in range(n):
            kind, start, end, at = _element(raw, at, stop)
            if kind != _MATRIX:
                raise _damaged("a text in a cell", f"type {kind}")
            n_values += _check_matrix(raw, start, end, inner=True)
    else:
        kind, start, end, at = _element(raw, at, stop)
        width = 1 if inner and kind == _UTF8 else 0 if inner else _WIDTHS.get(kind, 0)
        if not width or end - start != n * width or (inner and not raw[start:end].isascii()):
            raise _damaged(f"{n:,} values", f"type {kind} of {end - start:,} bytes")
        n_values = n
    if at != stop:
        raise _damaged("the end of a matrix", f"{stop - at:,} more bytes")
    return n_values


def _damaged(expected: str, got: object) -> ValueError:
    return ValueError(f"the MATLAB file is damaged: expected {expected}, got {got}. Download it again.")
