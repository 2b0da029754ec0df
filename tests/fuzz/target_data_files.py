"""Published data files: the check of their sums, and what decodes them if it should ever see others."""

from __future__ import annotations

import gzip
import hashlib
import struct
import zlib
from collections.abc import Sequence

import numpy as np
from fuzz import mutate
from fuzz.harness import Target, scratch

from lrbn_viz.datasets import DataFileError, decode
from lrbn_viz.datasets.files import PublishedFile, read_checked

# -- sums


_CONTENT = np.random.default_rng(0).integers(0, 20, 500, dtype=np.uint8).tobytes()
_PACKED = gzip.compress(_CONTENT, mtime=0)


def _file(name: str, content: bytes, unpacked: bool) -> PublishedFile:
    return PublishedFile(name, len(content), hashlib.sha256(content).hexdigest(), (), unpacked)


_FILES = (
    _file("plain.mat", _CONTENT, False),
    _file("packed.gz", _PACKED, False),
    _file("either.gz", _CONTENT, True),
)


def _check_sum(content: bytes) -> None:
    """Whatever comes through is what was published, to the last byte."""
    path = scratch() / "file"
    path.write_bytes(content)
    errors = []
    for file in _FILES:
        try:
            assert read_checked(file, path) == _CONTENT
        except DataFileError as error:
            errors.append(error)
    if len(errors) == len(_FILES):
        raise errors[0]


# -- MATLAB


def _element(kind: int, content: bytes) -> bytes:
    return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)


def _matrix(name: str, flags: int, shape: tuple[int, int], *data: bytes) -> bytes:
    head = _element(6, struct.pack("<II", flags, 0)) + _element(5, struct.pack("<ii", *shape))
    return _element(14, head + _element(1, name.encode()) + b"".join(data))


def _mat(matrices: Sequence[bytes]) -> bytes:
    packed = [zlib.compress(matrix, 1) for matrix in matrices]
    elements = [struct.pack("<II", 15, len(raw)) + raw for raw in packed]
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + b"".join(elements)


def _matrices() -> list[bytes]:
    rng = np.random.default_rng(0)
    names = [_matrix("", 4, (1, len(word)), _element(16, word.encode())) for word in ("a cup", "bee", "c")]
    matrices = [_matrix("classnames", 1, (1, 3), *names)]
    for n, part in enumerate(("train", "val", "test"), 2):
        pixels, labels = rng.integers(0, 2, (784, n), np.uint8), rng.integers(1, 4, (1, n), np.uint8)
        matrices.append(_matrix(f"{part}_data", 6, (n, 784), _element(2, pixels.tobytes())))
        matrices.append(_matrix(f"{part}_labels", 6, (n, 1), _element(2, labels.tobytes())))
    return matrices


def _a_mat(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    """A file of which matrices were edited before they were compressed: SciPy would see every edit."""
    if rng.random() < 0.1:
        return mutate.damaged(rng, corpus)
    matrices = _matrices()
    for _ in range(int(rng.integers(1, 4))):
        at, way = int(rng.integers(len(matrices))), rng.random()
        raw = matrices[at]
        if (
            way < 0.6 and len(raw) >= 4
        ):  # types, lengths, flags and dimensions lie within the first bytes, in whole words
            place = 4 * int(rng.integers(min(len(raw), 200) // 4))
            number = int(mutate.pick(rng, (*mutate.NUMBERS[:24], *range(20)))) % 2**32
            matrices[at] = raw[:place] + number.to_bytes(4, "little") + raw[place + 4 :]
        elif way < 0.8:
            matrices[at] = mutate.damaged(rng, [raw])
        elif way < 0.9:
            del matrices[at]
            matrices.append(raw)
        else:
            matrices[at] = mutate.pick(rng, matrices)
    return _mat(matrices)


# -- the others


def _an_idx() -> bytes:
    return bytes([0, 0, 8, 3, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 3]) + bytes(range(30))


def _a_table() -> bytes:
    pixels = np.random.default_rng(0).integers(0, 2, (6, 128))
    rows = ["\t".join(map(str, row)) for row in pixels]
    return "".join(f"{n}\t{'abz'[n % 3]}\t{n + 1}\t1\t0\t7\t{row}\t\n" for n, row in enumerate(rows)).encode()


TARGETS = [
    Target(
        "published file",
        _check_sum,
        (DataFileError,),
        lambda: [_CONTENT, _PACKED, gzip.compress(_CONTENT, 1, mtime=5)],
        mutate.damaged,
    ),
    Target(
        "decoder silhouettes",
        decode.caltech101_silhouettes,
        (ValueError,),
        lambda: [_mat(_matrices())],
        _a_mat,
    ),
    Target(
        "decoder mnist",
        lambda content: decode._idx(content, (5, 2, 3), 30),
        (ValueError,),
        lambda: [_an_idx()],
        mutate.damaged,
    ),
    Target("decoder letters", decode._letters, (ValueError,), lambda: [_a_table()], mutate.damaged),
]
