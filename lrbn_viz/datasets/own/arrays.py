"""NumPy's own files, .npy and .npz, without pickles: headers are judged before anything is allocated."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from lrbn_viz.datasets.own.archives import read_entry
from lrbn_viz.datasets.own.images import Limits, OwnImages, RefusedData, assemble, listed

_ARRAY_NAMES = {
    "X": {"x", "images", "data"},
    "y": {"y", "labels", "target", "targets"},
    "train_X": {"train_x", "x_train", "train_images"},
    "train_y": {"train_y", "y_train", "train_labels"},
    "test_X": {"test_x", "x_test", "test_images"},
    "test_y": {"test_y", "y_test", "test_labels"},
}


def read_npz(archive: zipfile.ZipFile, filename: str, limits: Limits) -> dict[str, NDArray]:
    """Return the arrays that are images or labels, by their standard names."""
    entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
    named = {name: entry for name, entry in entries.items() if entry.filename.endswith(".npy")}
    if not named:
        raise RefusedData(
            f"{filename} is not what it says it is: expected arrays saved by numpy.savez, got "
            f"{listed(entries)}. A folder of images goes by .zip."
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
    return {
        standard: read_npy(read_entry(archive, entry), entry.filename.removesuffix(".npy"), limits)
        for standard, entry in found.items()
    }


def read_npy(content: bytes, name: str, limits: Limits) -> NDArray:
    """Return the array of a .npy file; its header is judged before anything is allocated."""
    file = io.BytesIO(content)
    readers: dict[tuple[int, int], Callable[[BinaryIO], Any]] = {
        (1, 0): npy_format.read_array_header_1_0,
        (2, 0): npy_format.read_array_header_2_0,
    }
    try:
        version = npy_format.read_magic(file)
        if version not in readers:
            raise ValueError(f"format version {version[0]}.{version[1]}")
        shape, _, dtype = readers[version](file)
    except (ValueError, TypeError, EOFError, MemoryError, RecursionError) as error:
        raise RefusedData(
            f"{name} is damaged: expected a NumPy array's header, got one that cannot be read ({error}). "
            "Save it again with numpy.save."
        ) from error
    if dtype.hasobject:
        raise RefusedData(
            f"{name} holds pickled Python objects, which could run any code; expected plain numbers. "
            "Save it as X.astype(float)."
        )
    if dtype.names is not None or dtype.kind not in "biufUS":
        raise RefusedData(f"{name} has dtype {dtype}; expected plain numbers. Save one array of numbers.")
    count = 1
    for length in shape:
        if length < 0:
            raise RefusedData(f"{name} has shape {shape}; expected lengths of at least 0. Save it again.")
        count *= length
    limits.check_inflated(count * dtype.itemsize, name)
    promised, there = count * dtype.itemsize, len(content) - file.tell()
    if promised != there:
        raise RefusedData(
            f"{name} is damaged: its header promises {promised:,} bytes, expected as many, got {there:,}. "
            "Save or download it again."
        )
    file.seek(0)
    return npy_format.read_array(file, allow_pickle=False)


def from_arrays(arrays: dict[str, NDArray], limits: Limits, name: str) -> OwnImages:
    """Join what a NumPy file holds."""
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
            f"{arrays['train_X'].shape}. Save both alike."
        )
    if (train_y is None) != (test_y is None):
        raise RefusedData(
            "got labels for one part only; expected train_y and test_y, or neither. Add or drop."
        )
    y = None if train_y is None or test_y is None else np.concatenate([train_y, test_y])
    return assemble(np.concatenate([train, test]), y, shape, len(test), name, limits)


def _rows(array: NDArray, name: str) -> tuple[NDArray, tuple[int, int] | None]:
    """Return images one a row, and their height and width if the array shows it."""
    if array.dtype.kind not in "biuf":
        raise RefusedData(f"{name} has dtype {array.dtype}; expected numbers. Save it as X.astype(float).")
    shape = None
    if array.ndim == 4 and array.shape[3] == 1:
        array = array[..., 0]
    if array.ndim == 3:
        shape = (array.shape[1], array.shape[2])
        array = array.reshape(len(array), shape[0] * shape[1])
    if array.ndim != 2 or array.shape[1] == 0:
        raise RefusedData(
            f"{name} has shape {array.shape}; expected (images, pixels) or (images, height, width). "
            + ("Make colour grey: X.mean(axis=3)." if array.ndim == 4 else "Reshape it.")
        )
    return array, shape


def _labels(y: NDArray | None, n: int, name: str) -> NDArray | None:
    if y is not None and y.shape == (n, 1):
        y = y[:, 0]
    if y is not None and y.shape != (n,):
        raise RefusedData(
            f"{name} has shape {y.shape}; expected ({n},), one label per image. Reshape it or drop it."
        )
    return y
