"""Images that visitors bring: each kind of file, up to the data set that is made of it."""

from __future__ import annotations

import functools
import gzip
import io
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from fuzz import mutate
from fuzz.harness import Target

from lrbn_viz.app.upload.preview import Choices, preview_of
from lrbn_viz.datasets.own import Limits, RefusedData, decode_own, make_dataset
from lrbn_viz.datasets.own.columns import ColumnsNeeded
from lrbn_viz.datasets.own.images import ShapeNeeded
from lrbn_viz.datasets.own.make import question_of
from lrbn_viz.datasets.own.tables import list_columns

_N, _HEIGHT, _WIDTH = 24, 4, 3
_LIMITS = Limits(2**20)  # small, so that bombs need not be large


def _grey() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (_N, _HEIGHT, _WIDTH), dtype=np.uint8)


_Y = np.arange(_N) % 3


def _read(filename: str) -> Callable[[bytes], object]:
    def run(content: bytes) -> None:
        own = decode_own(content, filename, _LIMITS)
        if own.image_shape is not None or own.columns:
            make_dataset(own)

    return run


def _read_as_the_page_does(content: bytes) -> None:
    """List the columns, look at the images without what is asked, then with something said of each column."""
    listed = list_columns(content, "mine.csv", _LIMITS)
    said = tuple((each.number, each.words[0] if each.words else f"{each.high:g}") for each in listed)
    for choices in (Choices(), Choices(labels="none", thresholds=said), Choices(labels="0", left_out=(1,))):
        own = decode_own(content, "mine.csv", _LIMITS, lenient=True, **choices.of_table(listed))
        preview_of(own, choices)
        question_of(own, choices.threshold)


def _npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _npys() -> Sequence[bytes]:
    grey = _grey()
    arrays = (
        grey,
        grey / 255,
        grey > 127,
        np.asfortranarray(grey),
        grey[..., None],
        grey.reshape(_N, -1).astype(">i2"),
    )
    return [mutate.npy(array) for array in arrays]


def _npzs() -> Sequence[bytes]:
    grey = _grey()
    parts = {"train_X": grey[:16], "test_X": grey[16:], "train_y": _Y[:16], "test_y": _Y[16:]}
    return [_npz(X=grey, y=_Y), _npz(**parts), _npz(images=grey, labels=np.array(["a", "b", "c"])[_Y])]


def _a_npy(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    return (
        mutate.npy_edited(rng, mutate.pick(rng, corpus))
        if rng.random() < 0.6
        else mutate.damaged(rng, corpus)
    )


def _a_npz(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    edit = mutate.npy_edited if rng.random() < 0.7 else mutate.flip_bits
    whole = mutate.pick(rng, corpus)
    return mutate.zip_edited(rng, whole, edit) if rng.random() < 0.7 else mutate.damaged(rng, corpus)


def _csvs() -> Sequence[bytes]:
    rows = _grey().reshape(_N, -1)
    names = ",".join(f"p{i}" for i in range(rows.shape[1]))
    lines = [",".join(map(str, row)) for row in rows]
    classes = [f'"class ""{label}"", it is",{line}' for label, line in zip(_Y, lines, strict=True)]
    tables = (
        lines,
        [names, *lines],
        [f"label,{names}", *classes],
        [line.replace(",", "; ") for line in lines],
        [line.replace(",", "  ") for line in lines],
        [f"{line};".replace(",", ",5;") for line in lines],
        [f",{names.replace('p', '')},", *(f"{row},{line}," for row, line in enumerate(lines))],
    )
    return ["\n".join(table).encode() for table in tables] + ["\r\n".join(lines).encode("utf-8-sig")]


def _idxs() -> Sequence[bytes]:
    grey = _grey()
    plain = [
        struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.tobytes()
        for array in (grey, grey.reshape(_N, -1))
    ]
    return [*plain, *map(gzip.compress, plain)]


def _an_idx(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    """Damage what is packed, or the packed."""
    content = mutate.damaged(rng, corpus)
    return gzip.compress(content) if rng.random() < 0.3 else content


def _tables() -> Any:
    """Tables of good rows with a few odd ones among them: cells quoted or not, of all kinds."""
    from hypothesis import strategies as st

    words = [word for word in (*mutate.WORDS, *map(str, mutate.NUMBERS)) if len(word) < 100]
    quoted = ['"' + word.replace('"', '""') + '"' for word in words]
    digits = st.sampled_from([*map(str, range(64))])
    odd = st.one_of(st.sampled_from([*words, *quoted, '"', '""', '"a"b']), st.text(max_size=6))
    cell = st.one_of(digits, digits, digits, odd)
    good = [["1", "2", "3", str(n)] for n in range(22)]

    def joined(some: list[list[str]], at: int, comma: str, end: str) -> bytes:
        rows = [*good[:at], *some, *good[at:]]
        return end.join(comma.join(row) for row in rows).encode("utf-8", "surrogatepass")

    return st.builds(
        joined,
        st.lists(st.lists(cell, min_size=4, max_size=5), min_size=1, max_size=2),
        st.integers(0, 22),
        st.sampled_from([",", ";", "\t", " ", "|"]),
        st.sampled_from(["\n", "\r\n", "\r", "\n\n"]),
    )


@functools.cache
def _pictures(kind: str) -> tuple[bytes, ...]:
    from PIL import Image

    pictures = []
    for row, image in enumerate(_grey()):
        file = io.BytesIO()
        modes = ("L", "RGB", "RGBA", "LA", "P", "1", "I;16") if kind == "PNG" else ("L", "RGB", "CMYK")
        mode = modes[row % len(modes)]
        picture = Image.fromarray(image).convert("L")
        picture = Image.fromarray(image.astype(np.uint16) * 257) if mode == "I;16" else picture.convert(mode)
        options = {} if kind == "PNG" else {"progressive": bool(row % 2), "quality": 90}
        picture.save(file, kind, **options)
        pictures.append(file.getvalue())
    return tuple(pictures)


def _folder(pictures: Sequence[bytes], ending: str) -> bytes:
    names = [f"mine/{label}/{row:02}.{ending}" for row, label in enumerate(_Y)]
    return mutate.zipped(dict(zip(names, pictures, strict=True)))


def _run_picture(ending: str) -> Callable[[bytes], object]:
    pictures = _pictures("PNG" if ending == "png" else "JPEG")

    def run(content: bytes) -> None:
        _read("mine.zip")(_folder((content, *pictures[1:]), ending))

    return run


def _a_png(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    return (
        mutate.png_edited(rng, mutate.pick(rng, corpus))
        if rng.random() < 0.7
        else mutate.damaged(rng, corpus)
    )


def _a_zip(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    return (
        mutate.zip_edited(rng, mutate.pick(rng, corpus))
        if rng.random() < 0.7
        else mutate.damaged(rng, corpus)
    )


_ERRORS = (RefusedData, ShapeNeeded, ColumnsNeeded)
TARGETS = [
    Target("upload png", _run_picture("png"), _ERRORS, lambda: _pictures("PNG"), _a_png),
    Target("upload jpeg", _run_picture("jpeg"), _ERRORS, lambda: _pictures("JPEG"), mutate.damaged),
    Target("upload csv", _read("mine.csv"), _ERRORS, _csvs, mutate.damaged),
    Target("upload csv of cells", _read("mine.csv"), _ERRORS, strategy=_tables),
    Target("upload csv on the page", _read_as_the_page_does, _ERRORS, strategy=_tables),
    Target("upload idx", _read("mine-ubyte.gz"), _ERRORS, _idxs, _an_idx),
    Target("upload npy", _read("mine.npy"), _ERRORS, _npys, _a_npy),
    Target("upload npz", _read("mine.npz"), _ERRORS, _npzs, _a_npz),
    Target(
        "upload zip",
        _read("mine.zip"),
        _ERRORS,
        lambda: [_folder(_pictures("PNG"), "png"), _folder(_pictures("JPEG"), "jpg")],
        _a_zip,
    ),
]
