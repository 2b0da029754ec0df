"""A user's own data set on disk: written whole or not at all, and checked when it is read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.names import check_names
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.datasets.dataset import Dataset
from lrbn_viz.io.storage import (
    check_array,
    check_text,
    damaged,
    encodable,
    quoted,
    read_checksummed,
    read_json,
    readable,
    write_checksummed,
)

_MAGIC = b"LRBN data 1\n"
_RATIO = 800  # pixels that a byte of the file may hold on average, eight in each of 100 packed ones
_SMALL = 2**27  # pixels that any file may hold
_damaged = partial(damaged, advice="Read the data again from its own file.")


def _unknown(name: str) -> str:
    """Return the name in a file of the bits that say which values of binary images are not known."""
    return f"{name}_unknown"


def store_dataset(dataset: Dataset, path: str | os.PathLike[str]) -> int:
    """Write a data set to a file; returns and raises as :func:`~lrbn_viz.io.storage.write_checksummed`.

    Parameters
    ----------
    dataset : Dataset
    path : path
    """
    said = {
        "name": dataset.name,
        "description": dataset.description,
        "image_shape": list(dataset.image_shape),
        "class_names": list(dataset.class_names),
        "validation_start": dataset.validation_start,
        "visible_names": list(dataset.visible_names),
    }
    arrays = {"train_y": dataset.train_y, "test_y": dataset.test_y, "said": np.array(json.dumps(said))}
    for name, X in (("train_X", dataset.train_X), ("test_X", dataset.test_X)):
        unknown = unknown_in(X)
        arrays[name] = np.packbits(X == 1, axis=1) if dataset.binary else X
        if dataset.binary and unknown is not None:
            arrays[_unknown(name)] = np.packbits(unknown, axis=1)
    if dataset.mean is not None and dataset.scale is not None:
        arrays |= {"mean": dataset.mean, "scale": dataset.scale}
    return write_checksummed(path, _MAGIC, arrays, compressed=True)


def stored_dataset(path: str | os.PathLike[str]) -> Dataset:
    """Read a file of `store_dataset`; nothing is unpickled.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    ValueError
        The file is damaged, is no such file, or would take far more memory than it can mean to.
    """
    what = readable(path)
    arrays = read_checksummed(path, _MAGIC, "data set")
    said = read_json(check_text(arrays, "said", what), f"the description in {what}")
    name, description, shape, classes, validation_start = _description(said, what)
    n_v = shape[0] * shape[1]
    mean = scale = None
    if "mean" in arrays or "scale" in arrays:
        mean, scale = (check_array(arrays, part, what, "f", 1, (n_v,)) for part in ("mean", "scale"))
        if not (np.isfinite(mean).all() and np.isfinite(scale).all() and (scale > 0).all()):
            raise _damaged(what, "finite means and positive scales", "others")
    most = max(_SMALL, _RATIO * Path(path).stat().st_size)
    train_X, test_X = (
        _images(arrays, part, what, n_v, binary=mean is None, most=most) for part in ("train_X", "test_X")
    )
    empty = unknown_in(train_X)
    if empty is not None and empty.all(axis=0).any():
        raise _damaged(what, "a known value in every column of train_X", "none in one of them")
    train_y = _labels(arrays, "train_y", what, len(train_X), len(classes))
    test_y = _labels(arrays, "test_y", what, len(test_X), len(classes))
    if validation_start is not None and not 0 < validation_start <= len(train_X):
        raise _damaged(what, "validation images among those for training", f"them from {validation_start:,}")
    return Dataset(
        train_X,
        train_y,
        test_X,
        test_y,
        shape,
        name,
        classes,
        validation_start,
        mean,
        scale,
        description=description,
        visible_names=_visible_names(said, n_v, what),
    )


def _visible_names(said: Mapping[str, Any], n_v: int, what: str) -> tuple[str, ...]:
    """Return the names of the visible units in a file: one for each, or none."""
    names = said.get("visible_names", [])
    try:
        return check_names(names, n_v) if names else ()
    except (TypeError, ValueError) as error:
        raise _damaged(what, f"{n_v:,} names of variables, all different", quoted(names)) from error


def _description(
    said: Mapping[str, Any], what: str
) -> tuple[str, str, tuple[int, int], tuple[str, ...], int | None]:
    """Return the description of a data set in a file, after checking all its values."""
    name, description, shape = (said.get(part) for part in ("name", "description", "image_shape"))
    classes, start = said.get("class_names"), said.get("validation_start")
    if not isinstance(name, str) or not 0 < len(name) <= 200 or not encodable(name):
        raise _damaged(what, "a name", quoted(name))
    if not isinstance(description, str) or len(description) > 10_000 or not encodable(description):
        raise _damaged(what, "a description", quoted(description))
    sides = shape if isinstance(shape, list) else []
    if len(sides) != 2 or any(type(side) is not int or not 0 < side < 2**31 for side in sides):
        raise _damaged(what, "a height and a width", quoted(shape))
    if not isinstance(classes, list) or not all(
        isinstance(each, str) and encodable(each) for each in classes
    ):
        raise _damaged(what, "names of classes", quoted(classes))
    if start is not None and type(start) is not int:
        raise _damaged(what, "where validation images begin", quoted(start))
    return name, description, (sides[0], sides[1]), tuple(classes), start


def _images(
    arrays: Mapping[str, NDArray], name: str, what: str, n_v: int, *, binary: bool, most: int
) -> NDArray:
    """Return images of n_v pixels, unpacked if they are binary, with NaN where a pixel is not known.

    At most `most` pixels are read.
    """
    X = _rows(arrays, name, what, n_v, binary=binary, most=most)
    if binary and _unknown(name) in arrays:
        # NaN takes eight bytes for each pixel.
        unknown = _rows(arrays, _unknown(name), what, n_v, binary=True, most=most // 8)
        if unknown.shape != X.shape:
            raise _damaged(what, f"{_unknown(name)} to hold {len(X):,} rows", f"{len(unknown):,}")
        return np.where(unknown, np.nan, X)
    return X


def _rows(
    arrays: Mapping[str, NDArray], name: str, what: str, n_v: int, *, binary: bool, most: int
) -> NDArray:
    """Return one array of images as it is stored, unpacked if it is binary."""
    width = (n_v + 7) // 8 if binary else n_v
    X = check_array(arrays, name, what, "u" if binary else "f", 2)
    if X.shape[1] != width or (binary and X.dtype.itemsize > 1):
        raise _damaged(
            what, f"{name} to hold rows of {width:,} values", f"{X.dtype} in shape {quoted(X.shape)}"
        )
    if len(X) * n_v > most:
        raise _damaged(what, f"at most {most:,} pixels", f"{len(X) * n_v:,}")
    if binary:
        return np.unpackbits(X, axis=1, count=n_v)
    if np.isinf(X).any():
        raise _damaged(what, f"{name} to be finite or NaN", "infinity")
    return X


def _labels(arrays: Mapping[str, NDArray], name: str, what: str, n: int, n_classes: int) -> NDArray:
    """Return the classes of n images, as indices."""
    y = check_array(arrays, name, what, "iu", 1, (n,))
    if n and not 0 <= int(y.min()) <= int(y.max()) < n_classes:
        raise _damaged(what, f"{name} to hold 0 to {n_classes - 1}", f"{y.min()} to {y.max()}")
    return y
