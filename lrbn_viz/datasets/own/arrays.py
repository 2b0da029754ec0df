"""NumPy's own files, .npy and .npz, without pickles, and MNIST's: headers are judged before allocation."""

from __future__ import annotations

import io
import math
import struct
import zipfile
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets.own.archives import read_entry
from lrbn_viz.datasets.own.columns import names_of
from lrbn_viz.datasets.own.images import (
    MAX_PIXELS,
    Limits,
    OwnImages,
    RefusedData,
    assemble,
    listed,
    plain_name,
    reason,
)
from lrbn_viz.io.storage import has_no_letters, read_array_header

_MAX_AXES = 8
_MAX_LETTERS = 1000  # of a label

_ARRAY_NAMES = {
    "X": {"x", "images", "data"},
    "y": {"y", "labels", "target", "targets"},
    "train_X": {"train_x", "x_train", "train_images"},
    "train_y": {"train_y", "y_train", "train_labels"},
    "test_X": {"test_x", "x_test", "test_images"},
    "test_y": {"test_y", "y_test", "test_labels"},
    "names": {"names", "columns", "feature_names", "feature_names_in_", "visible_names"},
}


def read_npz(archive: zipfile.ZipFile, filename: str, limits: Limits) -> dict[str, NDArray]:
    """Return the arrays that are images, labels or names of columns, by their standard names."""
    entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
    named = {name: entry for name, entry in entries.items() if entry.filename.endswith(".npy")}
    if not named:
        raise RefusedData(
            f"{filename} does not have the format that its name gives: expected arrays saved by "
            f"numpy.savez, got {listed(entries)}. Pack a folder of images as .zip."
        )
    found = {}
    for standard, names in _ARRAY_NAMES.items():
        for name, entry in named.items():
            if name.lower() in names:
                if standard in found:
                    raise RefusedData(
                        f"{filename} holds {standard} twice ({listed(named)}); keep one of them."
                    )
                found[standard] = entry
    if "X" not in found and "train_X" not in found:
        if len(named) > 1:
            raise RefusedData(
                f"{filename} holds {listed(named)}; expected X and y, or train_X, train_y, test_X, test_y. "
                "Rename the arrays."
            )
        found = {"X": next(iter(named.values()))}
    arrays = {}
    for standard, entry in found.items():
        name = plain_name(entry.filename.removesuffix(".npy"))
        arrays[standard] = read_npy(read_entry(archive, entry), name, limits)
        limits.check_time(filename)
    return arrays


def read_npy(content: bytes, name: str, limits: Limits) -> NDArray:
    """Return the array of a .npy file; its header is judged before anything is allocated."""
    try:
        shape, dtype, fortran, start, descr = read_array_header(io.BytesIO(content))
    except ValueError as error:
        raise RefusedData(
            f"{name} is damaged: expected a NumPy array's header, got one that cannot be read "
            f"({reason(error)}). Save it again with numpy.save."
        ) from error
    if dtype.hasobject:
        raise RefusedData(
            f"{name} holds pickled Python objects, which could run any code; expected plain numbers. "
            "Save it as X.astype(float)."
        )
    if dtype.kind not in "biufUS" or dtype.itemsize == 0:
        kind = plain_name(str(dtype) if dtype.itemsize else descr)
        raise RefusedData(f"{name} has dtype {kind}; expected plain numbers. Save one array of numbers.")
    n_letters = dtype.itemsize // (4 if dtype.kind == "U" else 1)
    if dtype.kind in "US" and n_letters > _MAX_LETTERS:
        raise RefusedData(
            f"{name} has texts of {n_letters:,} characters; expected at most {_MAX_LETTERS:,}. "
            "Save shorter labels."
        )
    if len(shape) > _MAX_AXES:
        raise RefusedData(f"{name} has {len(shape)} axes; expected at most 4. Save it again.")
    if any(length < 0 for length in shape):
        raise RefusedData(f"{name} has shape {shape}; expected lengths of at least 0. Save it again.")
    count = math.prod(shape)
    # A length of 0 makes all of them free in bytes, but not in NumPy's own arithmetic.
    limits.check_inflated(math.prod(max(1, length) for length in shape) * dtype.itemsize, name)
    promised, there = count * dtype.itemsize, len(content) - start
    if promised != there:
        raise RefusedData(
            f"{name} is damaged: its header promises {promised:,} bytes, expected as many, got {there:,}. "
            "Save or download it again."
        )
    if not count:
        return np.empty(shape, dtype)
    values = np.frombuffer(content, dtype, count, start)  # in place: the file is in memory once
    if dtype.kind == "b":
        values = values.view(np.uint8) != 0
    if dtype.kind == "U" and has_no_letters(values):
        raise RefusedData(f"{name} is damaged: expected text, got an invalid character. Save it again.")
    return values.reshape(shape, order="F" if fortran else "C")


def read_idx(content: bytes, name: str, limits: Limits) -> NDArray[np.uint8]:
    """Return the images of one of MNIST's files: four bytes that say the kind, the lengths, the values."""
    if len(content) < 4 or content[:3] != b"\0\0\x08" or not 1 <= content[3] <= 4:
        raise RefusedData(
            f"{name} does not have the format that its name gives: expected MNIST's format, with values of "
            "one byte, got other data. Save the images by numpy.savez."
        )
    n_axes = content[3]
    start = 4 + 4 * n_axes
    if len(content) < start:
        raise RefusedData(f"{name} is damaged: expected {start} bytes of lengths first. Download it again.")
    shape = struct.unpack(f">{n_axes}I", content[4:start])
    promised, there = math.prod(shape), len(content) - start
    limits.check_inflated(math.prod(max(1, length) for length in shape), name)
    if promised != there:
        raise RefusedData(
            f"{name} is damaged: its header promises {promised:,} bytes, expected as many, got {there:,}. "
            "Download it again."
        )
    if n_axes == 1:
        raise RefusedData(
            f"{name} holds labels only; expected images. Read the file of the images, without classes, or "
            "put both into one .npz: numpy.savez('mine.npz', X=images, y=labels)."
        )
    return np.frombuffer(content, np.uint8, promised, start).reshape(shape)


def from_arrays(arrays: dict[str, NDArray], limits: Limits, name: str) -> OwnImages:
    """Join the arrays of a NumPy file, and remove them from `arrays`."""
    images = _joined(arrays, limits, name)
    if "names" not in arrays:
        return images
    return replace(images, columns=_names(arrays["names"], images.X.shape[1]))


def _names(names: NDArray, n_v: int) -> tuple[str, ...]:
    """Return the names of the columns of X."""
    if names.dtype.kind not in "US" or names.shape != (n_v,):
        raise RefusedData(
            f"the array of names has dtype {names.dtype} and shape {names.shape}; expected text of shape "
            f"({n_v},), a name for each column of X. Save it as numpy.array(names), or leave it out."
        )
    words = [
        word.decode("utf-8", "replace") if isinstance(word, bytes) else str(word) for word in names.tolist()
    ]
    return names_of(range(n_v), words, "the array of names")


def _joined(arrays: dict[str, NDArray], limits: Limits, name: str) -> OwnImages:
    """Join the images and labels of a NumPy file."""
    if "train_X" not in arrays:
        X, shape = _rows(arrays["X"], "X")
        return assemble(X, _labels(arrays.get("y"), len(X), "y"), shape, None, name, limits)
    train, shape = _rows(arrays["train_X"], "train_X")
    train_y = _labels(arrays.get("train_y"), len(train), "train_y")
    if "test_X" not in arrays:
        return assemble(train, train_y, shape, None, name, limits)
    test, test_shape = _rows(arrays["test_X"], "test_X")
    test_y = _labels(arrays.get("test_y"), len(test), "test_y")
    if test.shape[1] != train.shape[1] or test_shape != shape:
        raise RefusedData(
            f"test_X has shape {arrays['test_X'].shape}; expected images as in train_X, "
            f"{arrays['train_X'].shape}. Save both in one shape."
        )
    if (train_y is None) != (test_y is None):
        raise RefusedData(
            "got labels for one part only; expected train_y and test_y, or neither. Add one or drop one."
        )
    y = None if train_y is None or test_y is None else np.concatenate([train_y, test_y])
    # One part after the other, so that not all of both is in memory twice.
    n_train, n_test = len(train), len(test)
    X = np.empty((n_train + n_test, train.shape[1]), np.result_type(train, test))
    X[:n_train] = train
    del train, arrays["train_X"]
    X[n_train:] = test
    return assemble(X, y, shape, n_test, name, limits)


def _rows(array: NDArray, name: str) -> tuple[NDArray, tuple[int, int] | None]:
    """Return images one a row, and their height and width if the array shows it."""
    if array.dtype.kind not in "biuf":
        raise RefusedData(f"{name} has dtype {array.dtype}; expected numbers. Save it as X.astype(float).")
    shape = None
    if array.ndim == 4 and array.shape[3] == 1:
        array = array[..., 0]
    elif (
        array.ndim == 4 and array.shape[1] == 1 and array.shape[3] > 4
    ):  # else colours of images one row high
        array = array[:, 0]
    if array.ndim == 3:
        height, width, n = array.shape
        if n > max(height, width) and array.shape[1] * n > MAX_PIXELS >= height * width:
            raise RefusedData(
                f"{name} has shape {array.shape}; expected (images, height, width), with images of at most "
                f"{MAX_PIXELS:,} pixels. If the last axis counts the images: numpy.moveaxis({name}, -1, 0)."
            )
        shape = (array.shape[1], array.shape[2])
        array = array.reshape(len(array), shape[0] * shape[1])
    if array.ndim != 2 or array.shape[1] == 0:
        raise RefusedData(
            f"{name} has shape {array.shape}; expected (images, pixels) or (images, height, width). "
            + _how_to_reshape(name, array.shape)
        )
    return array, shape


def _how_to_reshape(name: str, shape: tuple[int, ...]) -> str:
    if len(shape) == 4 and shape[3] in (2, 3, 4):
        return f"Make colour grey: {name}.mean(axis=3)."
    if len(shape) > 2 and shape[0]:
        return f"Reshape it: {name}.reshape(len({name}), -1), and give image_shape."
    return "Reshape it, so that each image is a row."


def _labels(y: NDArray | None, n: int, name: str) -> NDArray | None:
    if y is not None and y.shape == (n, 1):
        y = y[:, 0]
    if y is not None and y.shape != (n,):
        raise RefusedData(
            f"{name} has shape {y.shape}; expected ({n},), one label per image. Reshape it or drop it."
        )
    return y
