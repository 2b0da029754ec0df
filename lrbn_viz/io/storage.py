"""Files: written atomically, and read without trusting their content.

All arrays lie in ``.npz`` archives. Before anything is inflated or allocated, the archive's directory and
then each array's header must be true to the file and within a :class:`Budget`; what is inflated is counted
again. Nothing is unpickled. Whatever is wrong ends in :class:`UnreadableFile`, a ValueError in words. The
folders of runs and sweeps are defined here, too.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
import os
import re
import struct
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_data_path

FOLDER_VARIABLE = "LRBN_VIZ_RUNS"
"""Environment variable that names the folder of runs."""
SWEEPS_VARIABLE = "LRBN_VIZ_SWEEPS"
"""Environment variable that names the folder of sweeps."""
MAX_HEADER = 4096
"""Bytes of an array's header; NumPy writes 118 for plain numbers."""
MAX_JSON = 4 * 2**20
"""Characters of a JSON text."""
_MAX_DEPTH = 64  # of nested JSON values: nobody who walks through them runs out of stack
_MAX_DIGITS = 100  # of a whole number in JSON: the state of a random generator has 39, and a float holds it
_CHUNK = 2**20  # bytes that are inflated between two looks at the clock
_SMALL = 64 * 2**20  # bytes of arrays that any file may hold, however well they are packed
_DEFLATE_RATIO = 1040  # deflate packs 1,032 bytes into one at best
_DIGEST = 32  # bytes of SHA-256
_HEADER = re.compile(  # three entries in any order; no colon within a type, so that it ends before the next
    r"""\{\s*(?:(?:['"]descr['"]\s*:\s*(?P<descr>['"][<>|=]?[A-Za-z][\w\[\]]{0,30}['"]|\[[^:]*\])"""
    r"""|['"]fortran_order['"]\s*:\s*(?P<fortran>True|False)"""
    r"""|['"]shape['"]\s*:\s*\((?P<shape>[-\dL\s,]{0,400})\))\s*(?:,\s*)?){3}\}\s*"""
)
_OBJECT = re.compile(r"""['"][<>|=]?O\d*['"]""")


def runs_folder() -> Path:
    """Return where runs are stored: the folder that LRBN_VIZ_RUNS names, or one for the user's data."""
    return _folder(FOLDER_VARIABLE, "runs")


def sweeps_folder() -> Path:
    """Return where sweeps are stored: the folder that LRBN_VIZ_SWEEPS names, or one for the user's data."""
    return _folder(SWEEPS_VARIABLE, "sweeps")


def _folder(variable: str, name: str) -> Path:
    named = os.environ.get(variable)
    if named:
        return Path(named).expanduser()
    return user_data_path("lrbn_viz", appauthor=False) / name


class UnreadableFile(ValueError):
    """A file is damaged, too large or of another kind: what was expected, what came, what to do."""


def damaged(what: object, expected: str, got: str, advice: str = "Save it again.") -> UnreadableFile:
    """Return the error for a file with invalid contents."""
    return UnreadableFile(f"{what} is damaged: expected {expected}, got {got}. {advice}")


@dataclass(frozen=True)
class Budget:
    """Limits on the cost of reading one file."""

    file_bytes: int
    """Size of the file itself."""
    array_bytes: int
    """Of all arrays in it together. A floating-point number counts as 8 bytes, which it takes once it is
    computed with.
    """
    entries: int
    """Arrays in the file."""
    seconds: float
    """Time to read it."""
    ratio: int = 100
    """Bytes of arrays that a byte of the file may hold on average, beyond 64 MiB."""


LOCAL = Budget(file_bytes=4 * 2**30, array_bytes=8 * 2**30, entries=10_000, seconds=600.0)
"""Limits for files on this computer: traces, checkpoints, stored data sets, one's own models."""


# -- writing


def write_atomic(path: str | os.PathLike[str], content: bytes | Callable[[BinaryIO], object]) -> int:
    """Write a file by way of a temporary one beside it; return the number of bytes.

    The temporary file takes the name once it is safely on disk.

    Parameters
    ----------
    path : path
    content : bytes or callable
        What to write; or a function that writes it to the open file that it is given, and may read it again.

    Raises
    ------
    OSError
        The disk is full or the folder cannot be written; an old file is as it was, as it is after an
        error of the function.
    """
    path = Path(path)
    # the thread's name too: two threads of a server may write the same file
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.partial")
    try:
        with open(partial, "w+b") as file:
            if callable(content):
                content(file)
            else:
                file.write(content)
            file.flush()
            os.fsync(file.fileno())
            n_bytes = os.fstat(file.fileno()).st_size
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return n_bytes


def write_npz(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> int:
    """Write named arrays as a compressed ``.npz``; returns and raises as :func:`write_atomic`."""

    def write(file: BinaryIO) -> None:
        np.savez_compressed(file, **arrays)  # pyright: ignore[reportArgumentType] - names of arrays

    return write_atomic(path, write)


def write_checksummed(
    path: str | os.PathLike[str], magic: bytes, arrays: Mapping[str, Any], *, compressed: bool = False
) -> int:
    """Write named arrays as ``.npz`` behind a mark of their kind and a checksum.

    Returns and raises as :func:`write_atomic`.
    """
    buffer = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(buffer, **arrays)
    raw = buffer.getbuffer()
    return write_atomic(path, b"".join([magic, hashlib.sha256(raw).digest(), raw]))


# -- reading


def names_in(folder: str | os.PathLike[str]) -> list[str]:
    """Return the names in a folder; none if there is no folder, or if it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def readable(path: str | os.PathLike[str]) -> str:
    """Return a path as it may stand in a message: a name that is no text, as disks have them, is escaped."""
    return os.fspath(path).encode("utf-8", "backslashreplace").decode()


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str], name: str, expected: str) -> Iterator[BinaryIO]:
    """Open a file for reading; what goes wrong meanwhile is said with the name that it goes by."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"{name} does not exist; expected {expected}.")
    try:
        with open(path, "rb") as file:
            yield file
    except OSError as error:
        raise UnreadableFile(f"{name} cannot be read ({error}); expected {expected}.") from error


def read_checksummed(
    path: str | os.PathLike[str], magic: bytes, what: str, budget: Budget = LOCAL
) -> dict[str, NDArray]:
    """Read a file of :func:`write_checksummed`.

    Parameters
    ----------
    path : path
    magic : bytes
        The mark that the file must begin with.
    what : str
        What the file is to be, for the error: "checkpoint".
    budget : Budget

    Raises
    ------
    FileNotFoundError
        There is no such file.
    UnreadableFile
        It is of another kind, damaged or too large.
    """
    name = readable(path)
    deadline = _Deadline(budget, name)
    with _opened(path, name, f"a {what}") as file:
        _check_size(os.fstat(file.fileno()).st_size, name, budget)
        head = file.read(len(magic) + _DIGEST)
        if not head.startswith(magic):
            raise UnreadableFile(
                f"{name} is no {what}: expected it to begin with {magic!r}, got {head[: len(magic)]!r}. "
                "Choose another file."
            )
        raw = file.read()
    if hashlib.sha256(raw).digest() != head[len(magic) :]:
        raise UnreadableFile(
            f"{name} is damaged: expected a {what} whose checksum matches, got {len(raw):,} bytes whose "
            f"checksum does not match. Use an older {what}, or make it again."
        )
    return _read_archive(io.BytesIO(raw), len(raw), name, budget, deadline)


def read_npz(
    source: str | os.PathLike[str] | BinaryIO, what: str, budget: Budget = LOCAL
) -> dict[str, NDArray]:
    """Read all arrays of a ``.npz`` archive: plain numbers and texts.

    Parameters
    ----------
    source : path or binary file
    what : str
        What to call the file in an error, such as its path.
    budget : Budget

    Returns
    -------
    dict
        Arrays by name, in this machine's byte order; what ``numpy.load`` would return.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    UnreadableFile
        It is no such archive, is damaged, or costs more than the budget allows.
    """
    if isinstance(source, (str, os.PathLike)):
        with _opened(source, what, "a file of arrays (.npz), as save() writes it") as file:
            return read_npz(file, what, budget)
    size = source.seek(0, os.SEEK_END)
    return _read_archive(source, size, what, budget, _Deadline(budget, what))


def read_kind(
    source: str | os.PathLike[str] | BinaryIO, kinds: tuple[str, ...], budget: Budget = LOCAL
) -> tuple[str, str, dict[str, NDArray]]:
    """Read a ``.npz`` archive whose text ``kind`` names its kind.

    Parameters
    ----------
    source : path or binary file
    kinds : tuple of str
        What it may hold.
    budget : Budget

    Returns
    -------
    str
        What it holds.
    str
        What to call the file in an error: its path, or "the file".
    dict
        All arrays by name.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    UnreadableFile
        As :func:`read_npz`, or it is of another kind.
    """
    what = readable(source) if isinstance(source, (str, os.PathLike)) else "the file"
    arrays = read_npz(source, what, budget)
    kind = check_text(arrays, "kind", what) if "kind" in arrays else "no kind"
    if kind not in kinds:
        got = kind if re.fullmatch(r"[A-Za-z ]{1,60}", kind) else quoted(kind)
        raise UnreadableFile(
            f"{what} holds {got}; expected {' or '.join(kinds)}. Load it with the program that wrote it."
        )
    return kind, what, arrays


class _Deadline:
    """The time by which a file must be read."""

    def __init__(self, budget: Budget, what: str) -> None:
        self._end, self._seconds, self._what = time.monotonic() + budget.seconds, budget.seconds, what

    def check(self) -> None:
        if time.monotonic() > self._end:
            raise UnreadableFile(
                f"{self._what} took longer than {self._seconds:g} seconds to read; expected it to be read "
                "within that time. Save it again, or try again when less is going on."
            )


def _check_size(size: int, what: str, budget: Budget) -> None:
    if size > budget.file_bytes:
        raise UnreadableFile(
            f"{what} has {mib(size)}; expected at most {mib(budget.file_bytes)}. Save less in it."
        )


def mib(n_bytes: int) -> str:
    """Return a number of bytes for people."""
    return f"{n_bytes / 2**20:,.1f} MiB" if n_bytes >= 2**20 / 10 else f"{n_bytes:,} bytes"


def quoted(text: Any, most: int = 60) -> str:
    """Return a value from a file as it may stand in a message: escaped and short."""
    if isinstance(text, int) and abs(text) >= 10**_MAX_DIGITS:
        return "a very large number"
    words = repr(text)
    return words if len(words) <= most else f"{words[:most]}..."


def _read_archive(
    file: BinaryIO, size: int, what: str, budget: Budget, deadline: _Deadline
) -> dict[str, NDArray]:
    _check_size(size, what, budget)
    try:
        _check_directory_size(file, size, what, budget)
        with zipfile.ZipFile(file) as archive:
            entries = _checked_entries(archive.infolist(), size, what, budget)
            left = min(budget.array_bytes, max(_SMALL, budget.ratio * size))
            arrays: dict[str, NDArray] = {}
            for name, entry in entries.items():
                deadline.check()
                with archive.open(entry) as stream:
                    arrays[name], cost = _read_array(stream, entry.file_size, left, name, what, deadline)
                left -= cost
            return arrays
    except UnreadableFile:
        raise
    except Exception as error:
        # zipfile and zlib have no family of errors: what a damaged file meets there is one of a dozen kinds
        said = str(error) if len(str(error)) < 200 else type(error).__name__
        raise UnreadableFile(
            f"{what} is damaged or no file of arrays ({said}); expected a whole .npz file. "
            "Save or download it again."
        ) from error


def _check_directory_size(file: BinaryIO, size: int, what: str, budget: Budget) -> None:
    """Raise if the directory at the end is longer than that of so many entries: zipfile reads all of it."""
    file.seek(max(0, size - 65_557))  # a zip ends in a record of 22 bytes and a remark of up to 65,535
    tail = file.read()
    at = len(tail) - 22 if tail[-22:-18] == b"PK\5\6" and tail[-2:] == b"\0\0" else tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + 22:
        raise UnreadableFile(
            f"{what} is damaged or no file of arrays: expected a whole .npz file, got {size:,} bytes without "
            "a zip archive's end. Save or download it again."
        )
    lengths = [struct.unpack_from("<L", tail, at + 12)[0]]
    if at >= 76 and tail[at - 20 : at - 16] == b"PK\6\7":  # a record with longer numbers is before it
        lengths = [n for n in lengths if n != 0xFFFFFFFF] + [struct.unpack_from("<Q", tail, at - 36)[0]]
    if max(lengths) > 512 * budget.entries:
        raise UnreadableFile(
            f"{what} is damaged or holds too much: expected a list of at most {budget.entries:,} arrays, got "
            f"one of {max(lengths):,} bytes. Save less in it."
        )
    file.seek(0)


def _checked_entries(
    entries: list[zipfile.ZipInfo], size: int, what: str, budget: Budget
) -> dict[str, zipfile.ZipInfo]:
    """Return the entries by the name of their array, if their declared sizes are possible and within the
    limits.
    """
    if len(entries) > budget.entries:
        raise UnreadableFile(
            f"{what} holds {len(entries):,} arrays; expected at most {budget.entries:,}. Save less in it."
        )
    named: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        name = entry.filename.removesuffix(".npy")
        if name == entry.filename or not name or len(name) > 200 or name in named:
            raise UnreadableFile(
                f"{what} is no file of arrays: expected entries NAME.npy, each once, got "
                f"{quoted(entry.filename)}. Save it with numpy.savez."
            )
        if entry.flag_bits & 0x61 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UnreadableFile(
                f"{what} is packed in an unusual way ({quoted(entry.filename)}: method "
                f"{entry.compress_type}, flags {entry.flag_bits}); expected stored or deflated entries. "
                "Save it with numpy.savez."
            )
        most = entry.compress_size
        if entry.compress_type == zipfile.ZIP_DEFLATED:
            most = _DEFLATE_RATIO * (most + 1)
        if entry.file_size > most:
            raise UnreadableFile(
                f"{what} is damaged: {quoted(name)} declares {entry.file_size:,} bytes; expected at most "
                f"{most:,} in its {entry.compress_size:,} packed ones. Save or download it again."
            )
        named[name] = entry
    if sum(entry.compress_size for entry in entries) > size:
        raise damaged(
            what,
            f"arrays that together take at most its {size:,} bytes",
            "ones that overlap",
            "Save or download it again.",
        )
    total, most = sum(entry.file_size for entry in entries), max(_SMALL, budget.ratio * size)
    if total > min(budget.array_bytes, most) + len(entries) * MAX_HEADER:
        raise _too_large(what, total, min(budget.array_bytes, most))
    return named


def _too_large(what: str, n_bytes: int, most: int) -> UnreadableFile:
    amount = mib(n_bytes) if n_bytes < 2**60 else "more than an exabyte"
    return UnreadableFile(
        f"{what} would take {amount} in memory; expected at most {mib(most)}. Save less in it."
    )


def _read_array(
    stream: Any, declared: int, affordable: int, name: str, what: str, deadline: _Deadline
) -> tuple[NDArray, int]:
    """Return an entry's array and its cost within the budget.

    Parameters
    ----------
    stream : binary file
        The entry, inflated as it is read.
    declared : int
        Bytes that it has by the archive's directory.
    affordable : int
        Bytes of arrays that may still be made.
    """
    shape, dtype, fortran, read, _ = _plain_header(stream, name, what)
    n_bytes = math.prod(shape) * dtype.itemsize
    # what an empty array would have with one in the place of each 0: nobody may make one of its lengths
    cost = max(dtype.itemsize, 8 * (dtype.kind == "f")) * math.prod(max(1, length) for length in shape)
    if cost > affordable:
        raise _too_large(f"{what} ({quoted(name)}: {quoted(shape)} {dtype})", cost, affordable)
    if read + n_bytes != declared:
        raise UnreadableFile(
            f"{what} is damaged: {quoted(name)} of shape {quoted(shape)} needs {n_bytes:,} bytes, got "
            f"{declared - read:,}. Save or download it again."
        )
    content = np.empty(n_bytes, np.uint8)
    view = content.data
    for first in range(0, n_bytes, _CHUNK):
        part = view[first : first + _CHUNK]
        if stream.readinto(part) != len(part):
            raise UnreadableFile(
                f"{what} is damaged: {quoted(name)} ends early; expected {n_bytes:,} bytes. Save it again."
            )
        deadline.check()
    if stream.read(1):  # reading to the end also checks the entry's own sum
        raise UnreadableFile(f"{what} is damaged: {quoted(name)} goes on after its end. Save it again.")
    array = content.view(dtype)
    array = array.reshape(shape[::-1]).T if fortran else array.reshape(shape)
    array = array if dtype.isnative else array.astype(dtype.newbyteorder("="))
    _check_content(array, name, what)
    return array, cost


class ArrayHeader(NamedTuple):
    """Header of a .npy file's array, which must not be trusted.

    Attributes
    ----------
    shape : tuple of int
        A length may be negative.
    dtype : numpy.dtype
        Of records: objects if one of their fields holds such, else nothing but ``V``.
    fortran : bool
        True if the first axis is the fastest.
    n_bytes : int
        Length of the header itself.
    descr : str
        The type as the file says it.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    fortran: bool
    n_bytes: int
    descr: str


def read_array_header(stream: Any) -> ArrayHeader:
    """Read the header of a .npy file, at most `MAX_HEADER` bytes; nothing is evaluated or unpickled.

    Parameters
    ----------
    stream : binary file

    Raises
    ------
    ValueError
        It is no such header: the message says what came instead.
    """
    start = stream.read(8)
    width = {b"\1\0": 2, b"\2\0": 4, b"\3\0": 4}.get(start[6:])
    if start[:6] != b"\x93NUMPY" or width is None:
        raise ValueError(f"{quoted(start)}, format version {'.'.join(map(str, start[6:]))}")
    length = int.from_bytes(stream.read(width), "little")
    if length > MAX_HEADER:
        raise ValueError(f"a length of {length:,}, expected at most {MAX_HEADER:,}")
    text = stream.read(length).decode("latin-1")
    found = _HEADER.fullmatch(text)
    if found is None or None in found.groups():
        raise ValueError(quoted(text, 120))
    descr, fortran, lengths = found.groups()
    plain = descr.strip("'\"")
    try:
        dtype = np.dtype(("O" if _OBJECT.search(descr) else "V") if plain == descr else plain)
        shape = tuple(int(part.strip().removesuffix("L")) for part in lengths.split(",") if part.strip())
    except (TypeError, ValueError) as error:
        raise ValueError(quoted(text, 120)) from error
    return ArrayHeader(shape, dtype, fortran == "True", 8 + width + length, plain)


def _plain_header(stream: Any, name: str, what: str) -> ArrayHeader:
    """Return the header of an array, if it is one of plain numbers or of text."""
    try:
        header = read_array_header(stream)
        if header.dtype.kind not in "biufUS" or not header.dtype.itemsize or min(header.shape, default=0) < 0:
            raise ValueError(f"of type {quoted(header.descr)} and shape {quoted(header.shape)}")
    except ValueError as error:
        raise UnreadableFile(
            f"{what} is damaged or holds objects: expected {quoted(name)} to be an array of plain numbers or "
            f"of text, got the header {error}. Save it with numpy.savez, without objects."
        ) from error
    if len(header.shape) > 32:
        raise UnreadableFile(
            f"{what} is damaged: {quoted(name)} has {len(header.shape)} dimensions; expected at most 32."
        )
    return header


def encodable(text: str) -> bool:
    """Return whether a text can be written as UTF-8, as pages need it: JSON may hold halves of surrogate
    pairs.
    """
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def has_no_letters(words: NDArray) -> bool:
    """Return whether an array of text holds numbers that are not characters: NumPy accepts them, and fails
    later.
    """
    codes = np.ascontiguousarray(words).reshape(-1)
    codes = codes.view(np.dtype(np.uint32).newbyteorder(words.dtype.byteorder))
    return bool(((codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))).any())


def _check_content(array: NDArray, name: str, what: str) -> None:
    """Raise for bytes that are no value of their type."""
    if array.dtype.kind == "b":
        wrong = array.view(np.uint8).max(initial=0) > 1
    elif array.dtype.kind == "U":
        wrong = has_no_letters(array)
    else:
        return
    if wrong:
        raise UnreadableFile(
            f"{what} is damaged: {quoted(name)} holds values that {array.dtype} does not have; expected "
            f"{'0 and 1' if array.dtype.kind == 'b' else 'Unicode characters'}. Save it again."
        )


# -- what arrays must be


def check_array(
    arrays: Mapping[str, NDArray], name: str, what: str, kinds: str, ndim: int, shape: Any = None
) -> NDArray:
    """Return one of a file's arrays after checking that it exists and is valid.

    Parameters
    ----------
    arrays : mapping
        As :func:`read_npz` returns them.
    name : str
    what : str
        What to call the file.
    kinds : str
        Kinds of dtype that it may have, as ``numpy.dtype.kind`` writes them.
    ndim : int
    shape : tuple of int, optional

    Raises
    ------
    UnreadableFile
        It is missing or is another array.
    """
    if name not in arrays:
        raise UnreadableFile(f"{what} lacks {quoted(name)}; it was not written whole. Save it again.")
    array = arrays[name]
    if array.dtype.kind not in kinds or array.ndim != ndim or (shape is not None and array.shape != shape):
        wanted = " or ".join(_KINDS[kind] for kind in kinds if kind != "u" or "i" not in kinds)
        of = f"{ndim} dimensions" if shape is None else f"shape {shape}"
        got = f"{array.dtype} in shape {quoted(array.shape)}"
        raise damaged(what, f"{quoted(name)} to hold {wanted} in {of}", got)
    return array


_KINDS = {
    "b": "truth values", "i": "whole numbers", "u": "whole numbers from 0", "f": "floating-point numbers",
    "U": "text", "S": "bytes",
}  # fmt: skip


def check_text(arrays: Mapping[str, NDArray], name: str, what: str) -> str:
    """Return a text that a file holds; errors as in :func:`check_array`."""
    return str(check_array(arrays, name, what, "U", 0))


def check_json(arrays: Mapping[str, NDArray], name: str, what: str, kind: type = dict) -> Any:
    """Return the value of a JSON text in a file; errors as in :func:`check_array` and :func:`read_json`."""
    return read_json(check_text(arrays, name, what), f"{what} ({name})", kind)


def read_json(text: str | bytes, what: str, kind: type = dict) -> Any:
    """Return the value that a JSON text means.

    Parameters
    ----------
    text : str or bytes
    what : str
        What to call it in the error.
    kind : type
        What the value must be.

    Raises
    ------
    UnreadableFile
        It is no JSON, too long, nested too deep, holds a number too large, or is of another kind.
    """
    if len(text) > MAX_JSON:
        raise UnreadableFile(
            f"{what} has {len(text):,} characters; expected at most {MAX_JSON:,}. Save less in it."
        )
    try:
        value = json.loads(text, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        said = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise damaged(what, "JSON", f"a text that is none ({said})") from error
    if not isinstance(value, kind):
        raise damaged(what, _JSON[kind], _JSON.get(type(value), "nothing"))
    level: list[Any] = [value]
    for _ in range(_MAX_DEPTH):
        inside = [each.values() if isinstance(each, dict) else each for each in level]
        level = [part for values in inside for part in values if isinstance(part, (dict, list))]
        if not level:
            return value
    raise damaged(what, f"values nested at most {_MAX_DEPTH} deep", "deeper ones")


_JSON = {
    dict: "named values", list: "a list", str: "a text", int: "a number", float: "a number",
    bool: "a truth value",
}  # fmt: skip


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits, expected at most {_MAX_DIGITS}")
    return int(digits)
