"""Ways to damage and to forge: bytes, text, JSON, and the fields of zip, NumPy and PNG files.

Each takes a random generator first, and returns something new; what it is given stays as it is.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib import format as npy_format

Random = np.random.Generator

NUMBERS: tuple[int, ...] = (
    *(0, 1, -1, 2, 3, 7, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**20, 6_000_000),
    *(
        2**31 - 1,
        2**31,
        2**32 - 1,
        2**32,
        2**53 + 1,
        2**63 - 1,
        2**63,
        2**64 - 1,
        -(2**31),
        -(2**63),
        10**30,
        -(10**400),
    ),
)
WORDS: tuple[str, ...] = (
    *(
        "",
        " ",
        "\0",
        "\0name",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "-0",
        "0x10",
        "1_000",
        "true",
        "null",
        "None",
        "../..",
        "/etc/x",
    ),
    *(
        "C:\\x",
        "\u202eabc",
        "é",
        "e\u0301",
        "字",
        "\U0001f600",
        "\ud800",
        "\ufeff",
        "\r\n",
        "\u2028",
        "%00",
        "%ff",
        "<script>",
    ),
    *("'", '"', "`", ";", "{}", "[]", "__class__", "1" * 5000, "x" * 70000, "٣", "²", "१"),
)


def pick(rng: Random, options: Sequence[Any]) -> Any:
    """Return one of the options."""
    return options[int(rng.integers(len(options)))]


# -- bytes


def _place(rng: Random, content: bytes) -> int:
    """Return a place to act at; half of the time near the beginning, where headers are."""
    n = len(content)
    return int(rng.integers(min(n, 128) if rng.random() < 0.5 else n)) if n else 0


def flip_bits(rng: Random, content: bytes) -> bytes:
    damaged = bytearray(content)
    for _ in range(int(rng.integers(1, 5))):
        if damaged:
            damaged[_place(rng, content)] ^= 1 << int(rng.integers(8))
    return bytes(damaged)


def set_byte(rng: Random, content: bytes) -> bytes:
    at = _place(rng, content)
    return (
        content[:at] + bytes([pick(rng, (0, 1, 9, 10, 32, 34, 44, 127, 128, 254, 255))]) + content[at + 1 :]
    )


def truncate(rng: Random, content: bytes) -> bytes:
    at = int(rng.integers(len(content) + 1))
    return content[:at] if rng.random() < 0.8 else content[at:]


def cut_out(rng: Random, content: bytes) -> bytes:
    at = _place(rng, content)
    return content[:at] + content[at + int(rng.integers(1, 64)) :]


def repeat(rng: Random, content: bytes) -> bytes:
    at, n = _place(rng, content), int(rng.integers(1, 256))
    return content[:at] + content[at : at + n] * int(rng.integers(2, 5)) + content[at + n :]


def insert(rng: Random, content: bytes) -> bytes:
    at = _place(rng, content)
    kind = rng.random()
    if kind < 0.3:
        new = rng.bytes(int(rng.integers(1, 16)))
    elif kind < 0.6:
        new = b"\0" * int(rng.integers(1, 16))
    else:
        new = pick(rng, WORDS).encode("utf-8", "surrogatepass")
    return content[:at] + new + content[at:]


def set_integer(rng: Random, content: bytes) -> bytes:
    """Write a number of 1 to 8 bytes, either way round: lengths, counts and offsets become odd."""
    at, n_bytes = _place(rng, content), pick(rng, (1, 2, 4, 8))
    value = int(pick(rng, NUMBERS[:-2])) % 256**n_bytes
    return content[:at] + value.to_bytes(n_bytes, pick(rng, ("little", "big"))) + content[at + n_bytes :]


def set_digits(rng: Random, content: bytes) -> bytes:
    """Put another number in the place of one that is written in digits."""
    found = list(re.finditer(rb"-?\d+", content[:4096]))
    if not found:
        return set_integer(rng, content)
    match = pick(rng, found)
    return content[: match.start()] + str(pick(rng, NUMBERS)).encode() + content[match.end() :]


_BYTES: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(flip_bits, set_byte, truncate, cut_out, repeat, insert, set_integer, set_digits),
)


def damaged(rng: Random, corpus: Sequence[bytes]) -> bytes:
    """Return one of the corpus after one to four of the ways above, or parts of two of them."""
    content = pick(rng, corpus)
    if rng.random() < 0.1:
        other = pick(rng, corpus)
        return content[: int(rng.integers(len(content) + 1))] + other[int(rng.integers(len(other) + 1)) :]
    for _ in range(int(rng.integers(1, 5))):
        content = pick(rng, _BYTES)(rng, content)
    return content


# -- JSON


def odd_value(rng: Random) -> Any:
    """Return something that is seldom expected."""
    simple = (
        None,
        True,
        False,
        0.5,
        -0.0,
        1e308,
        float("nan"),
        float("inf"),
        [],
        {},
        [[]],
        [None],
        {"": None},
        b"",
    )
    kind = int(rng.integers(4))
    if kind == 0:
        return pick(rng, NUMBERS)
    if kind == 1:
        return pick(rng, WORDS)
    if kind == 2:
        return pick(rng, simple[:-1])
    deep: Any = pick(rng, (0, "x", None))
    for _ in range(int(pick(rng, (1, 3, 50)))):
        deep = [deep] if rng.random() < 0.5 else {"a": deep}
    return deep


def edited(rng: Random, value: Any) -> Any:
    """Return a JSON value with one to three of its parts replaced, removed, added, doubled or renamed."""
    value = json.loads(json.dumps(value))
    for _ in range(int(rng.integers(1, 4))):
        places = list(_places(value))
        if not places or rng.random() < 0.03:
            value = odd_value(rng)
            continue
        holder, key = pick(rng, places)
        way = int(rng.integers(6))
        if way == 0:
            del holder[key]
        elif way == 1 and isinstance(holder, dict):
            holder[pick(rng, (*WORDS, key + "2", key.upper()))] = holder.pop(key)
        elif way == 2 and isinstance(holder, list):
            holder.insert(key, odd_value(rng) if rng.random() < 0.5 else holder[key])
        elif way == 3:
            other_holder, other = pick(rng, places)
            holder[key] = json.loads(json.dumps(other_holder[other]))
        elif way == 4 and type(holder[key]) in (int, float) and abs(holder[key]) < 10**300:
            holder[key] = pick(
                rng, (holder[key] + 1, holder[key] - 1, -holder[key], float(holder[key]), str(holder[key]))
            )
        else:
            holder[key] = odd_value(rng)
    return value


def _places(value: Any) -> Any:
    """Every place in a JSON value, as the list or dict that holds it and the index or key."""
    pairs = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    for key, part in pairs:
        yield value, key
        yield from _places(part)


# -- NumPy arrays

_SHAPES: tuple[str, ...] = (
    *(
        "()",
        "(0,)",
        "(0, 5)",
        "(5, 0)",
        "(20, 1)",
        "(-1, 20)",
        "(2**62,)",
        "(4611686018427387904,)",
        "(99999999999, 99999999999)",
    ),
    *(
        "(1,) * 40",
        "(True, 5)",
        "(20.0, 20)",
        "20",
        "None",
        "[20, 20]",
        "(20, '20')",
        "(1000000, 1000000)",
        "(1,)" * 3,
    ),
    *(
        f"({'1, ' * 64})",
        f"({'1, ' * 65})",
        "(60, 24",
        "(60, 24))",
        "(6000000, 24)",
        "(0, 4611686018427387904)",
    ),
)
_TYPES: tuple[str, ...] = (
    *(
        "'|u1'",
        "'<f8'",
        "'>f4'",
        "'<i8'",
        "'|b1'",
        "'<f2'",
        "'<c16'",
        "'|O'",
        "'<U3'",
        "'<U0'",
        "'|S0'",
        "'|V8'",
        "'<M8[s]'",
    ),
    *(
        "'<m8'",
        "'|S2147483647'",
        "'<U999999999'",
        "'nonsense'",
        "''",
        "None",
        "5",
        "[('a', '<f8')]",
        "[('a', '|O')]",
        "'<f16'",
    ),
    *(
        "[('x', '<f8', (3, 3))]",
        "'<U2147483648'",
        "('<f8', (2, 2))",
        "{'names': ['a'], 'formats': ['<f8']}",
        "[" * 200,
        "'|u1,|u1'",
    ),
)


def npy(array: Any, **how: Any) -> bytes:
    """Return an array as a .npy file."""
    file = io.BytesIO()
    np.save(file, array, **how)
    return file.getvalue()


def npy_edited(rng: Random, content: bytes) -> bytes:
    """Return a .npy file with another header: shape, type, order or version, or one that is no Python."""
    file = io.BytesIO(content)
    try:
        version = npy_format.read_magic(file)
        n_bytes = struct.unpack(
            "<H" if version == (1, 0) else "<I", file.read(2 if version == (1, 0) else 4)
        )[0]
        header, data = file.read(n_bytes).decode("latin1"), file.read()
    except (ValueError, struct.error):
        return damaged(rng, [content])
    way = int(rng.integers(7))
    if way == 0:
        header = re.sub(r"'shape': \([^)]*\)", lambda _: f"'shape': {pick(rng, _SHAPES)}", header)
    elif way == 1:
        header = re.sub(r"'descr': '[^']*'", lambda _: f"'descr': {pick(rng, _TYPES)}", header)
    elif way == 2:
        header = re.sub(
            r"(True|False)", lambda _: pick(rng, ("True", "False", "None", "1", "'C'", "(", "0 or 1")), header
        )
    elif way == 3:
        header = damaged(rng, [header.encode()]).decode("latin1")
    elif way == 4:
        header = pick(
            rng,
            (
                "{",
                "(" * 300,
                "{}",
                "[]",
                "5",
                "'\\",
                "{'shape': (1,)}",
                "\t\n ",
                "{0: 1}",
                "__import__('x')",
                "-" * 999,
            ),
        )
    elif way == 5:
        data = truncate(rng, data)
    else:
        data = insert(rng, data)
    if rng.random() < 0.1:
        version = pick(rng, ((1, 0), (2, 0), (3, 0), (4, 0), (0, 0), (255, 255)))
    encoded = header.encode("latin1", "replace")
    length = struct.pack("<H", len(encoded) % 65536) if version == (1, 0) else struct.pack("<I", len(encoded))
    return b"\x93NUMPY" + bytes(version) + length + encoded + data


# -- zip archives


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return files as a zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


_NAMES: tuple[str, ...] = (
    *(
        "\0",
        "\0X.npy",
        "a\0b.npy",
        "",
        "/",
        "//",
        ".",
        "..",
        "../../x.npy",
        "/abs.npy",
        "C:\\x.npy",
        "dir/",
        ".hidden",
        ".npy",
        ".png",
    ),
    *(
        "X.npy",
        "x.npy",
        "y.npy",
        "train_X.npy",
        "test_X.npy",
        "__MACOSX/a.png",
        "a" * 60000,
        "é.png",
        "\U0001f600.png",
        "a\nb.png",
    ),
    *(
        "/".join("d" * 1 for _ in range(300)) + "/a.png",
        "con.png",
        "a.png/b.png",
        "train/0/a.png",
        "test/0/a.png",
    ),
)


def zip_edited(rng: Random, content: bytes, edit: Callable[[Random, bytes], bytes] = flip_bits) -> bytes:
    """Return a zip archive with one to three changes.

    Entries are edited by `edit` (with right sums again), renamed, removed or doubled; packed otherwise; or
    the fields of the directories are forged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
    except Exception:
        return damaged(rng, [content])
    method = zipfile.ZIP_DEFLATED if rng.random() < 0.8 else zipfile.ZIP_STORED
    forge = False
    for _ in range(int(rng.integers(1, 4))):
        way = int(rng.integers(8))
        at = int(rng.integers(len(entries))) if entries else 0
        if way < 3 and entries:
            entries[at] = (entries[at][0], edit(rng, entries[at][1]))
        elif way == 3 and entries:
            entries[at] = (pick(rng, (*_NAMES, entries[int(rng.integers(len(entries)))][0])), entries[at][1])
        elif way == 4 and entries:
            del entries[at]
        elif way == 5:
            entries.insert(at, (pick(rng, _NAMES), pick(rng, entries)[1] if entries else b""))
        elif way == 6:
            method = pick(
                rng, (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
            )
        else:
            forge = True
    whole = _packed(entries, method)
    return forged_records(rng, whole) if forge else whole


def _packed(entries: Sequence[tuple[str, bytes]], method: int) -> bytes:
    """Like `zipped`, with names that zipfile would mend, and names that occur twice."""
    file, central = io.BytesIO(), io.BytesIO()
    squeeze = {
        zipfile.ZIP_STORED: lambda raw: raw,
        zipfile.ZIP_DEFLATED: lambda raw: zlib.compress(raw, 1)[2:-4],
    }.get(method, lambda raw: raw)
    for name, raw in entries:
        encoded, packed = name.encode("utf-8", "surrogatepass")[:65535], squeeze(raw)
        fields = (20, 0x800, method, 0, 33, zlib.crc32(raw), len(packed), len(raw), len(encoded), 0)
        at = file.tell()
        file.write(struct.pack("<4s5H3I2H", b"PK\x03\x04", *fields) + encoded + packed)
        central.write(struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, *fields, 0, 0, 0, 0, at) + encoded)
    at, directory = file.tell(), central.getvalue()
    end = struct.pack(
        "<4s4H2IH", b"PK\x05\x06", 0, 0, len(entries) % 65536, len(entries) % 65536, len(directory), at, 0
    )
    return file.getvalue() + directory + end


def forged_records(rng: Random, content: bytes) -> bytes:
    """Return a zip archive with one to three fields of its directories set to something else."""
    records = [match.start() for match in re.finditer(rb"PK(\x01\x02|\x03\x04|\x05\x06)", content)]
    forged = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        if records:
            at, n_bytes = pick(rng, records) + 2 * int(rng.integers(2, 23)), pick(rng, (2, 4))
            value = int(pick(rng, NUMBERS[:-2])) % 256**n_bytes
            forged[at : at + n_bytes] = value.to_bytes(n_bytes, "little")
    return bytes(forged)


# -- PNG images


def png_edited(rng: Random, content: bytes) -> bytes:
    """Return a PNG file whose chunks are edited, removed, doubled or moved, with right sums, or not."""
    chunks, at = [], 8
    while at + 12 <= len(content):
        n = int.from_bytes(content[at : at + 4], "big")
        chunks.append((content[at + 4 : at + 8], content[at + 8 : at + 8 + n]))
        at += 12 + n
    if not chunks:
        return damaged(rng, [content])
    for _ in range(int(rng.integers(1, 4))):
        k, way = int(rng.integers(len(chunks))), int(rng.integers(6))
        kind, data = chunks[k]
        if way == 0:  # the header: sides, depth, colour, interlacing
            kind, data = chunks[0]
            chunks[0] = (kind, set_integer(rng, data[:13])[:13])
        elif way == 1:
            chunks[k] = (kind, damaged(rng, [data]))
        elif way == 2 and len(chunks) > 1:
            del chunks[k]
        elif way == 3:
            chunks.insert(
                k,
                (
                    pick(
                        rng,
                        (
                            b"tEXt",
                            b"zTXt",
                            b"iCCP",
                            b"tRNS",
                            b"PLTE",
                            b"acTL",
                            b"fcTL",
                            b"pHYs",
                            b"eXIf",
                            b"gAMA",
                        ),
                    ),
                    data[:64],
                ),
            )
        elif way == 4:
            chunks.append(chunks.pop(k))
        else:
            raw = zlib.compress(rng.bytes(int(rng.integers(0, 200))))
            chunks[k] = (kind, raw)
    whole = b"\x89PNG\r\n\x1a\n"
    for kind, data in chunks:
        length = len(data) if rng.random() < 0.97 else int(pick(rng, NUMBERS[:-2])) % 2**32
        right = rng.random() < 0.95
        whole += (
            struct.pack(">I", length)
            + kind
            + data
            + struct.pack(">I", zlib.crc32(kind + data) if right else 0)
        )
    return whole
