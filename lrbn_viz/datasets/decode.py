"""Decoders from the bytes of each public data set to plain arrays: one function each, without options.

The sizes, polarity, pixel order and splits of the published files are those other papers use, so that figures
compare.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets.mat import read_mat
from lrbn_viz.datasets.raw import RawImages

_CALTECH_MAX_BYTES = 16 * 2**20  # bytes of the file once it is decompressed, which has 7 million
_SPLIT_SEED = 20260
_PACKED_SHAPE = 5000, 28, 28


_NUMERALS = tuple("0123456789")


def digits() -> RawImages:
    """1,797 handwritten digits of 8x8 pixels, inside scikit-learn: 1,437 for training, 360 for testing.

    Each value, 0..16, counts the inked pixels of a 4x4 block of the scanned 32x32 bitmap, so
    `value >= 8` is the vote of the block's majority, a tie counting as ink. The published order is by
    writer; the split is stratified and fixed.
    """
    from sklearn.datasets import load_digits

    data, y = load_digits(return_X_y=True)
    return _stratified(np.asarray(data).astype(np.uint8), np.asarray(y), n_test_per_class=36, full=16)


def mnist5k(train_images: bytes, train_labels: bytes) -> RawImages:
    """5,000 MNIST training digits of 28x28 pixels: 4,000 for training, 1,000 for testing, values 0..255.

    The split is stratified and fixed.

    Raises
    ------
    ValueError
        A file is not made as the published one.
    """
    return packed_mnist5k(pack_mnist5k(train_images, train_labels))


def mnist5k_rows(train_y: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows (5000,) of MNIST's training set in `mnist5k`: the first 500 of each digit, 0 first."""
    return np.concatenate([np.flatnonzero(train_y == digit)[:500] for digit in range(10)])


def pack_mnist5k(train_images: bytes, train_labels: bytes) -> bytes:
    """Return the content of the file that a distribution carries for `mnist5k`: its images and labels.

    They are two arrays in the format of MNIST's own files, one after the other, in the order of
    :func:`mnist5k_rows`.

    Raises
    ------
    ValueError
        A file is not made as the published one.
    """
    X, y = _mnist_part(train_images, train_labels, 60_000)
    rows = mnist5k_rows(y)
    return _idx_start(_PACKED_SHAPE) + X[rows].tobytes() + _idx_start((5000,)) + bytes(y[rows].tolist())


def packed_mnist5k(content: bytes) -> RawImages:
    """Return what :func:`mnist5k` does, from the content that :func:`pack_mnist5k` returns.

    Raises
    ------
    ValueError
        The content is not made so.
    """
    end = len(_idx_start(_PACKED_SHAPE)) + math.prod(_PACKED_SHAPE)
    X = _idx(content[:end], _PACKED_SHAPE).reshape(5000, 784)
    return _stratified(X, _idx(content[end:], (5000,), 10), n_test_per_class=100, full=255)


def mnist(train_images: bytes, train_labels: bytes, test_images: bytes, test_labels: bytes) -> RawImages:
    """MNIST in its published order: 60,000 for training and 10,000 for testing, values 0..255.

    Raises
    ------
    ValueError
        A file is not made as the published one.
    """
    return RawImages(
        *_mnist_part(train_images, train_labels, 60_000),
        *_mnist_part(test_images, test_labels, 10_000),
        255,
        _NUMERALS,
    )


def _mnist_part(images: bytes, labels: bytes, n: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the images (n, 784) and labels (n,) of a pair of MNIST's files."""
    X = _idx(images, (n, 28, 28)).reshape(n, 784)
    return X, _idx(labels, (n,), 10).astype(np.int64)


def caltech101_silhouettes(mat: bytes) -> RawImages:
    """Outlines of objects in 101 categories, 28x28, already binary: 1 is the background, 0 the object.

    Training rows are the authors' 4,100 training images, then their 2,264 validation images; 2,307 for
    testing. The file holds each image column by column and labels from 1.

    Raises
    ------
    ValueError
        The file is not made as the published one.
    """
    content = read_mat(mat, _CALTECH_MAX_BYTES)

    def array(name: str, width: int, values: range) -> NDArray[Any]:
        found = content.get(name)
        shape = getattr(found, "shape", None)
        if found is None or shape is None or len(shape) != 2 or shape[1] != width or not shape[0]:
            raise _unlike("the file of silhouettes", f"{name} of shape (images, {width})", f"shape {shape}")
        # Numbers come in the type that they are stored in, bytes, though MATLAB knew them as floating point.
        if found.dtype.kind not in "ui" or found.min() < values[0] or found.max() > values[-1]:
            expected = f"{name} to be whole numbers from {values[0]} to {values[-1]}"
            raise _unlike("the file of silhouettes", expected, f"{found.dtype} or others")
        return found

    cells = content.get("classnames")
    if cells is None or cells.dtype.kind != "O" or cells.shape[0] != 1 or not cells.size:
        raise _unlike("the file of silhouettes", "a line of names of classes", "none")
    names = tuple(str(name[0]) for name in cells[0])

    def images(part: str) -> NDArray[np.uint8]:
        columns = array(f"{part}_data", 784, range(2)).astype(np.uint8)
        return columns.reshape(-1, 28, 28).transpose(0, 2, 1).reshape(-1, 784)

    def labels(part: str, n: int) -> NDArray[np.int64]:
        found = array(f"{part}_labels", 1, range(1, len(names) + 1)).ravel().astype(np.int64) - 1
        if len(found) != n:
            raise _unlike("the file of silhouettes", f"{n:,} {part}_labels", f"{len(found):,}")
        return found

    train, validation, test = (images(part) for part in ("train", "val", "test"))
    return RawImages(
        np.concatenate([train, validation]),
        np.concatenate([labels("train", len(train)), labels("val", len(validation))]),
        np.ascontiguousarray(test),
        labels("test", len(test)),
        1,
        names,
        validation_start=len(train),
    )


def ocr_letters(table: bytes) -> RawImages:
    """Handwritten letters a-z of 16x8 pixels, already binary, 1 is ink.

    The split is the one in common use: a fixed shuffle, then 32,152 training, 10,000 validation and 10,000
    test rows. Here the training rows are the first two, in that order.

    Raises
    ------
    ValueError
        The table is not made as the published one.
    """
    X, y = _letters(table)
    if len(X) != 52_152:
        raise _unlike("the table of letters", "52,152 lines", f"{len(X):,}")
    order = np.array(_python2_shuffle(len(X), seed=12345))
    X, y = X[order], y[order]
    n_train = 42_152
    letters = tuple("abcdefghijklmnopqrstuvwxyz")
    return RawImages(X[:n_train], y[:n_train], X[n_train:], y[n_train:], 1, letters, validation_start=32_152)


def _letters(table: bytes) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the images (n, 128) and letters (n,) of a table, a line each, from 0 for a."""
    text = np.frombuffer(table, dtype=np.uint8)
    # A line ends with the 128 pixels, each followed by a tab, then the newline: the pixels sit at fixed
    # distances from it.
    line_ends = np.flatnonzero(text == ord("\n"))
    lengths = np.diff(line_ends, prepend=-1)
    if not len(line_ends) or line_ends[-1] != len(text) - 1 or lengths.min() < 256 + len("1\ta\t\n"):
        raise _unlike("the table of letters", "lines of at least 261 characters", "shorter ones, or none")
    X = text[line_ends[:, None] - 256 + 2 * np.arange(128)] - ord("0")
    if X.max() > 1:
        raise _unlike("the table of letters", "128 pixels of 0 or 1 at the end of each line", "others")
    second = [line.split(b"\t", 2)[1][:1] for line in table.split(b"\n")[:-1]]
    y = np.frombuffer(b"".join(second), dtype=np.uint8).astype(np.int64) - ord("a")
    if len(y) != len(X) or y.min() < 0 or y.max() > 25:
        raise _unlike(
            "the table of letters", "a letter from a to z in the second place of each line", "others"
        )
    return X, y


def _idx_start(shape: tuple[int, ...]) -> bytes:
    """Return how an array of unsigned bytes begins in the IDX format."""
    return bytes([0, 0, 8, len(shape)]) + b"".join(length.to_bytes(4, "big") for length in shape)


def _idx(content: bytes, shape: tuple[int, ...], below: int = 256) -> NDArray[np.uint8]:
    """Array of unsigned bytes in the IDX format: two zero bytes, type 8, number of axes, lengths, values."""
    start = _idx_start(shape)
    n_bytes = len(start) + math.prod(shape)
    if not content.startswith(start) or len(content) != n_bytes:
        expected = f"{n_bytes:,} bytes that begin with {start.hex()}"
        raise _unlike("a file of MNIST", expected, f"{len(content):,} with {content[: len(start)].hex()}")
    values = np.frombuffer(content, dtype=np.uint8, offset=len(start)).reshape(shape)
    if below < 256 and values.max() >= below:
        raise _unlike("a file of MNIST", f"labels below {below}", f"{values.max()}")
    return values


def _unlike(what: str, expected: str, got: str) -> ValueError:
    return ValueError(f"{what} is not as published: expected {expected}, got {got}. Download it again.")


def _python2_shuffle(n: int, seed: int) -> list[int]:
    """The numbers below n in the order of Python 2's `random.shuffle`; Python 3 draws indices otherwise."""
    uniform = random.Random(seed).random
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = int(uniform() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


def _stratified(X: NDArray[np.uint8], y: NDArray, n_test_per_class: int, full: int) -> RawImages:
    """Shuffle once and for all, then take the first `n_test_per_class` rows of every class for testing."""
    # RandomState, not Generator: its streams are frozen, so every NumPy version gives the same split.
    order = np.random.RandomState(_SPLIT_SEED).permutation(len(X))
    X, y = X[order], y[order].astype(np.int64)
    is_test = np.zeros(len(X), dtype=bool)
    for label in np.unique(y):
        is_test[np.flatnonzero(y == label)[:n_test_per_class]] = True
    return RawImages(X[~is_test], y[~is_test], X[is_test], y[is_test], full, _NUMERALS)
