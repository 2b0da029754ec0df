"""A user's own data set on disk: written whole or not at all, and checked when it is read."""

from __future__ import annotations

import hashlib
import io
import json
import os
from pathlib import Path

import numpy as np

from lrbn_viz.datasets.dataset import Dataset

__all__ = ["keep_dataset", "kept_dataset"]

_MAGIC = b"LRBN data 1\n"
_DIGEST = 32  # bytes of SHA-256


def keep_dataset(dataset: Dataset, path: str | os.PathLike[str]) -> int:
    """Write a data set to a file, which takes its name once it is safely on disk.

    Parameters
    ----------
    dataset : Dataset
    path : path

    Returns
    -------
    int
        Bytes written.

    Raises
    ------
    OSError
        The disk is full or the folder cannot be written; an old file is as it was.
    """
    path = Path(path)
    said = {
        "name": dataset.name,
        "description": dataset.description,
        "image_shape": list(dataset.image_shape),
        "class_names": list(dataset.class_names),
        "validation_start": dataset.validation_start,
    }
    arrays = {"train_y": dataset.train_y, "test_y": dataset.test_y, "said": np.array(json.dumps(said))}
    for name, X in (("train_X", dataset.train_X), ("test_X", dataset.test_X)):
        arrays[name] = np.packbits(X, axis=1) if dataset.binary else X
    if dataset.mean is not None and dataset.scale is not None:
        arrays |= {"mean": dataset.mean, "scale": dataset.scale}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # pyright: ignore[reportArgumentType]
    raw = buffer.getvalue()
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with open(partial, "wb") as file:
            file.write(_MAGIC + hashlib.sha256(raw).digest() + raw)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return len(_MAGIC) + _DIGEST + len(raw)


def kept_dataset(path: str | os.PathLike[str]) -> Dataset:
    """Read what `keep_dataset` wrote; nothing is unpickled.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    ValueError
        The file is damaged or no such file.
    """
    path = Path(path)
    whole = path.read_bytes()
    digest, raw = whole[len(_MAGIC) : len(_MAGIC) + _DIGEST], whole[len(_MAGIC) + _DIGEST :]
    if not whole.startswith(_MAGIC) or hashlib.sha256(raw).digest() != digest:
        raise ValueError(
            f"{path} is damaged: expected a data set with its checksum, got {len(whole):,} other bytes. "
            "Read the data anew from its own file."
        )
    with np.load(io.BytesIO(raw), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    said = json.loads(str(arrays["said"]))
    height, width = said["image_shape"]
    mean, scale = arrays.get("mean"), arrays.get("scale")
    train_X, test_X = arrays["train_X"], arrays["test_X"]
    if mean is None:
        train_X, test_X = (np.unpackbits(X, axis=1, count=height * width) for X in (train_X, test_X))
    return Dataset(
        train_X,
        arrays["train_y"],
        test_X,
        arrays["test_y"],
        (height, width),
        said["name"],
        tuple(said["class_names"]),
        said["validation_start"],
        mean,
        scale,
        description=said["description"],
    )
