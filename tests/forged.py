"""Zip archives and arrays as no honest program writes them: every field of the format can be set."""

from __future__ import annotations

import gzip
import hashlib
import io
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np


class Entry(NamedTuple):
    """An entry of a zip archive, as its directory declares it."""

    name: bytes
    packed: bytes
    size: int
    crc: int
    method: int = 8
    flags: int = 0
    packed_size: int = -1  # -1: the truth
    offset: int = -1


def deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def entry(name: str, content: bytes, **declared: Any) -> Entry:
    """An entry that holds `content`, deflated; `declared` overrides what the directory says."""
    true = Entry(f"{name}.npy".encode(), deflated(content), len(content), zlib.crc32(content))
    return true._replace(**declared)


def stored(name: str, content: bytes, **declared: Any) -> Entry:
    """An entry that holds `content` as it is."""
    return entry(name, content, packed=content, method=0)._replace(**declared)


def archive(entries: Sequence[Entry], **end: int) -> bytes:
    """A zip archive of these entries; `end` overrides `count`, `length` and `offset` of the directory."""
    body, directory = b"", b""
    for each in entries:
        n_packed = len(each.packed) if each.packed_size < 0 else each.packed_size
        at = len(body) if each.offset < 0 else each.offset
        sizes = (each.crc, n_packed & 0xFFFFFFFF, each.size & 0xFFFFFFFF, len(each.name), 0)
        middle = struct.pack("<HHHHHLLLHH", 20, each.flags, each.method, 0, 33, *sizes)
        body += b"PK\3\4" + middle + each.name + each.packed
        directory += b"PK\1\2" + struct.pack("<H", 20) + middle + struct.pack("<HHHLL", 0, 0, 0, 0, at)
        directory += each.name
    said = {"count": len(entries), "length": len(directory), "offset": len(body)} | end
    count = said["count"]
    last = struct.pack("<HHHHLLH", 0, 0, count, count, said["length"], said["offset"], 0)
    return body + directory + b"PK\5\6" + last


def header(descr: str, shape: str, *, fortran: str = "False", version: bytes = b"\1\0") -> bytes:
    """The header of a .npy file; `shape` as it is to be written."""
    text = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY" + version + struct.pack("<H" if version == b"\1\0" else "<L", len(text)) + text


def npy(value: Any) -> bytes:
    """The content of a .npy file."""
    file = io.BytesIO()
    np.save(file, np.asarray(value))
    return file.getvalue()


def npz(arrays: Mapping[str, Any]) -> bytes:
    """An honest archive of arrays."""
    return archive([entry(name, npy(value)) for name, value in arrays.items()])


def bomb(name: str, n_bytes: int) -> Entry:
    """An honest array of zeros, packed a thousandfold."""
    content = header("<f8", f"({n_bytes // 8},)")
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH) + _zeros(packer, n_bytes)
    return Entry(f"{name}.npy".encode(), packed, len(content) + n_bytes, 0)


def gzip_bomb(n_bytes: int) -> bytes:
    """A gzip file of zeros, of whole MiB, without the sum at its end."""
    return gzip.compress(b"")[:10] + _zeros(zlib.compressobj(9, zlib.DEFLATED, -15), n_bytes)


def _zeros(packer: Any, n_bytes: int) -> bytes:
    """Zeros, and the end of what is packed: one MiB, again and again, as packing all would take long."""
    mib = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return mib * (n_bytes >> 20) + packer.flush()


def checksummed(magic: bytes, raw: bytes) -> bytes:
    """A file whose sum is right, whatever it holds."""
    return magic + hashlib.sha256(raw).digest() + raw
