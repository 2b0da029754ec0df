"""`read_dataset`: from a user's own file to a `Dataset`."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from lrbn_viz.datasets.dataset import Dataset
from lrbn_viz.datasets.own.archives import open_archive
from lrbn_viz.datasets.own.arrays import from_arrays, read_idx, read_npy, read_npz
from lrbn_viz.datasets.own.columns import Column, TableChoices, Threshold
from lrbn_viz.datasets.own.folders import decode_folder
from lrbn_viz.datasets.own.images import Limits, OwnImages, RefusedData
from lrbn_viz.datasets.own.make import make_dataset
from lrbn_viz.datasets.own.tables import decode_csv
from lrbn_viz.io.storage import mib

LIMIT_VARIABLE = "LRBN_VIZ_MAX_MIB"
"""Environment variable: largest file of one's own that is taken in, MiB."""

_DEFAULT_MIB = 64

_KINDS = {
    "npz": "a NumPy archive",
    "npy": "a NumPy array",
    "csv": "a table of numbers as text",
    "zip": "a zip archive of images",
    "idx": "images in MNIST's format",
}
_TABLES = ("csv", "tsv", "txt")
_MAGICS: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip file"),
    (b"%PDF", "a PDF document"),
    (b"\xff\xfe", "text in UTF-16, not UTF-8"),
    (b"\xfe\xff", "text in UTF-16, not UTF-8"),
    (b"\x80", "a Python pickle or other binary data"),
)
_ACCEPTED = ".npz, .npy, .csv, .csv.gz, .zip (a folder of PNG or JPEG images) or MNIST's -ubyte.gz"


def kind_of(filename: str) -> str:
    """Return the kind that a file's name declares: csv for all tables, idx for MNIST's files, else the
    ending.

    Tables may be packed, as ``.csv.gz``.
    """
    name = PurePosixPath(filename.replace("\\", "/")).name.lower()
    if re.search(r"ubyte(\.gz)?$", name):
        return "idx"
    path = PurePosixPath(name)
    ending = path.suffix.lstrip(".")
    if ending == "gz" and path.with_suffix("").suffix.lstrip(".") in _TABLES:
        return "csv"
    return "csv" if ending in _TABLES else ending


def limits(max_bytes: int | None = None) -> Limits:
    """Return the limit on the size: `max_bytes`, else the value of `LIMIT_VARIABLE`, else 64 MiB a file.

    Decompressed, a file may be four times as large, and hold as many pixels as a file may have bytes.

    Raises
    ------
    ValueError
        The limit is no positive number.
    """
    if max_bytes is not None:
        if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1:
            raise ValueError(
                f"max_bytes must be a positive integer; got {max_bytes!r}. Leave it out for 64 MiB."
            )
        return Limits(max_bytes)
    text = os.environ.get(LIMIT_VARIABLE, "").strip() or str(_DEFAULT_MIB)
    try:
        n_bytes = int(float(text) * 2**20)
    except (ValueError, OverflowError):
        n_bytes = 0
    if n_bytes < 1:
        raise ValueError(f"{LIMIT_VARIABLE} is {text!r}; expected a number of MiB above 0. Set or unset it.")
    return Limits(n_bytes)


def decode_own(
    content: bytes,
    filename: str,
    bounds: Limits,
    *,
    labels: Column | None = "auto",
    image_shape: tuple[int, int] | None = None,
    columns: Sequence[Column] | None = None,
    thresholds: Mapping[Any, Threshold] | None = None,
    lenient: bool = False,
) -> OwnImages:
    """Read a user's file.

    Parameters
    ----------
    content : bytes
        The whole file.
    filename : str
        Its name; the ending says what it is, and the content must agree.
    bounds : Limits
    labels : str, int or None
        Of a table only: the column that holds the classes, by name or number (from 0; -1 is the last; a
        column that numbers the lines is not counted); "auto" looks for one, None says that there is none.
    image_shape : (int, int), optional
        Height and width: of a .zip, what images are scaled to, needed if they differ in size; of a table,
        how many columns are pixels, where labels is "auto".
    columns, thresholds
        Choices for a table only, as in `read_dataset`.
    lenient : bool
        True if columns of a table that have to be asked about are left out, with the question in the result.

    Raises
    ------
    RefusedData
        Error message: what was expected, what was received, what to do.
    """
    bounds = bounds.begun()
    path = PurePosixPath(filename.replace("\\", "/"))
    kind = kind_of(filename)
    if len(content) > bounds.file_bytes:
        raise RefusedData(_too_large(path.name, len(content), bounds))
    if kind not in _KINDS:
        raise RefusedData(
            f"{path.name or 'the file'} ends in {path.suffix or 'nothing'}; expected {_ACCEPTED}. "
            + ("Unpack it first." if kind in ("gz", "xz", "bz2", "7z", "rar", "tar") else "Convert it.")
        )
    if not content:
        raise RefusedData(f"{path.name} is empty (0 bytes); expected {_KINDS[kind]}. Choose another file.")
    stem = path.with_suffix("").stem if kind == "csv" and path.suffix.lower() == ".gz" else path.stem
    name = re.sub(r"[^A-Za-z0-9 ._-]+", "_", stem)[:60].strip(" ._-") or "own data"
    if kind == "csv":
        choices = TableChoices(labels, columns, thresholds or {}, lenient)
        text = table_text(content, path.name, bounds)
        return replace(decode_csv(text, path.name, bounds, choices, image_shape), name=name)
    _check_magic(content, path.name, kind)
    if kind == "idx":
        array = read_idx(_unpacked(content, path.name, bounds), path.name, bounds)
        return from_arrays({"X": array}, bounds, name)
    if kind == "npy":
        array = read_npy(content, path.name, bounds)
        return from_arrays({"X": array}, bounds, name)
    with open_archive(content, path.name, bounds) as archive:
        if kind == "zip":
            return replace(decode_folder(archive, path.name, bounds, image_shape), name=name)
        return from_arrays(read_npz(archive, path.name, bounds), bounds, name)


def table_text(content: bytes, filename: str, bounds: Limits) -> bytes:
    """Return the text of a table, unpacked where its name ends in .gz.

    Raises
    ------
    RefusedData
        The file is no text, or a packed one that is damaged or too large.
    """
    if not filename.lower().endswith(".gz"):
        _check_magic(content, filename, "csv")
        return content
    if not content.startswith(b"\x1f\x8b"):
        raise RefusedData(
            f"{filename} does not have the format that its name gives: expected a gzip file, got other data. "
            "Name it .csv if it is a table as text."
        )
    text = _unpacked(content, filename, bounds)
    _check_magic(text, filename, "csv")
    return text


def _check_magic(content: bytes, filename: str, kind: str) -> None:
    """Raise unless the first bytes fit the ending."""
    wanted = {"npz": (b"PK\x03\x04",), "zip": (b"PK\x03\x04",), "npy": (b"\x93NUMPY",)}.get(kind)
    if kind == "idx":
        wanted = (b"\x1f\x8b", b"\0\0\x08")
    found = next((what for magic, what in _MAGICS if content.startswith(magic)), "")
    fits = content.startswith(wanted) if wanted else not found and b"\0" not in content[:65536]
    if not fits:
        raise RefusedData(
            f"{filename} does not have the format that its name gives: expected {_KINDS[kind]}, got "
            f"{found or 'other data'}. Give the file its true extension, or export it again."
        )


def _unpacked(content: bytes, filename: str, bounds: Limits) -> bytes:
    """Return the content of a gzip file, all its parts up to the limit; other content is unchanged."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    unpacked, rest, whole = b"", content, True
    while whole and rest.startswith(b"\x1f\x8b") and len(unpacked) <= bounds.inflated_bytes:
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)  # with the header of gzip
        try:
            unpacked += unpacking.decompress(rest, bounds.inflated_bytes + 1 - len(unpacked))
            whole = unpacking.eof or len(unpacked) > bounds.inflated_bytes
        except zlib.error:
            whole = False
        rest = unpacking.unused_data
        bounds.check_time(filename)
    if not whole:
        raise RefusedData(
            f"{filename} is damaged: expected a whole gzip file, got one that cannot be unpacked. "
            "Download it again."
        )
    bounds.check_inflated(len(unpacked), filename)
    return unpacked


def read_dataset(
    source: str | os.PathLike[str] | bytes,
    *,
    filename: str | None = None,
    name: str | None = None,
    labels: Column | None = "auto",
    columns: Sequence[Column] | None = None,
    thresholds: Mapping[Any, Threshold] | None = None,
    image_shape: tuple[int, int] | None = None,
    binary: bool = True,
    threshold: float | str = "otsu",
    invert: bool = False,
    test_share: float = 0.2,
    seed: int = 0,
    max_bytes: int | None = None,
) -> Dataset:
    """Read a data set of your own.

    Parameters
    ----------
    source : path, or bytes
        A file, or its content. ``.npz``: X and perhaps y, or train_X, train_y, test_X, test_y, and perhaps
        names, a text for each column of X; ``.npy``: X,
        of shape (images, pixels) or (images, height, width); ``.csv``, ``.tsv`` or ``.txt``: one image a
        line, its values between commas, semicolons, tabs, bars or spaces, perhaps with a line of names, a
        first column that numbers the lines, and a column of classes, packed as ``.csv.gz`` or not;
        ``.zip``: PNG or JPEG images, in one folder per class if there are classes, these perhaps in folders
        of parts: train (or training), test (testing) and val (valid, validation, dev), also as in
        ``train_images``. Images of a test folder are never trained on, and those of a validation folder are
        the last for training; ``-ubyte`` or ``-ubyte.gz``: images as MNIST publishes them. Nothing is
        unpickled.
    filename : str, optional
        The file's name if bytes are given; its ending names the kind.
    name : str, optional
        What the data set is called; the file's name without its ending by default.
    labels : str, int or None
        With a table: the column that holds the classes, by name or number (from 0; -1 is the last; a column
        that numbers the lines is not counted). None: there is none. "auto": a column whose name says so or
        differs from all others, the only column of words (one of other words before those of yes and no, and
        none whose words are all different), or the first or the last column, if only classes fit its numbers;
        where two readings fit equally, the error asks.
    columns : list of str or int, optional
        With a table: the columns that are read, by name or number as in `labels`; all by default. The others
        are left out, but for the one that holds the classes by `labels` or by its name.
    thresholds : dict, optional
        With a table: what is 1 in a column, by the column's name or number: the number from which on a cell
        is 1, in the column's own units, or the word that is 1, as in ``{"age": 40, "sex": "female"}``.
        Words of yes and no (true and false, y and n) are 1 and 0 without one.
    image_shape : (int, int), optional
        Height and width. Needed where the file does not show it and images are not square; images in a
        ``.zip`` are scaled to it.
    binary : bool
        True: pixels become 0 or 1 at the threshold; data of two values stay what they are. False: each pixel
        is standardised by the training images.
    threshold : float, "otsu" or "half"
        Intensity (0 to 1) from which a pixel is 1; "otsu" parts dark and light best, "half" is 0.5.
    invert : bool
        True if ink is dark: intensities are turned round.
    test_share : float
        Share of the images set aside for testing, by class; not used if the file names its own.
    seed : int
        Seed of the split.
    max_bytes : int, optional
        Largest file taken in; 64 MiB, or what the environment variable LRBN_VIZ_MAX_MIB says.

    Returns
    -------
    Dataset
        Its `description` says what was chosen, and its `visible_names` what the columns are called.

    Raises
    ------
    RefusedData
        A ValueError: the file is malformed, too large, or not in the format that its name gives.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> import lrbn_viz
    >>> import numpy as np
    >>> np.save("mine.npy", np.random.default_rng(0).integers(0, 2, (50, 4, 4)))
    >>> data = lrbn_viz.read_dataset("mine.npy")
    >>> data.name, data.train_X.shape, data.image_shape
    ('mine', (40, 16), (4, 4))
    """
    bounds = limits(max_bytes)
    if isinstance(source, (bytes, bytearray, memoryview)):
        if not filename:
            raise ValueError("got bytes without a file name; expected one, whose ending says what they are.")
        content = bytes(source)
    else:
        path = Path(source)
        filename = filename or path.name
        if path.is_dir():
            raise RefusedData(f"{path} is a folder; expected a file. Pack the folder as .zip.")
        if path.stat().st_size > bounds.file_bytes:  # before it is in memory
            raise RefusedData(_too_large(path.name, path.stat().st_size, bounds))
        content = path.read_bytes()
    own = decode_own(
        content,
        filename,
        bounds,
        labels=labels,
        image_shape=image_shape,
        columns=columns,
        thresholds=thresholds,
    )
    return make_dataset(
        own,
        name=name,
        image_shape=image_shape,
        binary=binary,
        threshold=threshold,
        invert=invert,
        test_share=test_share,
        seed=seed,
    )


def _too_large(filename: str, n_bytes: int, bounds: Limits) -> str:
    return (
        f"{filename} has {mib(n_bytes)}; expected at most {mib(bounds.file_bytes)}. Use fewer images, or "
        f"raise the limit: {LIMIT_VARIABLE} in the environment, or max_bytes."
    )
