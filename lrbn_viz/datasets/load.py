"""`load_dataset`: from a name to a `Dataset`."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.validation import check_choice
from lrbn_viz.datasets import decode, files
from lrbn_viz.datasets.dataset import DATASETS, Dataset
from lrbn_viz.datasets.files import locate, read_checked
from lrbn_viz.datasets.raw import RawImages

Binarize = Literal["threshold", "stochastic"]

BINARIZATION_SEED = 1401
"""Seed of stochastic binarization: each image is drawn once, and is the same in every run."""


def load_dataset(
    name: str = "mnist5k",
    *,
    binary: bool = True,
    binarize: Binarize = "threshold",
    data_home: str | os.PathLike[str] | None = None,
) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    name : one of `DATASETS`.
    binary : True for uint8 pixels in {0, 1}, 1 from half of full ink on; False for float64 intensities with
        every pixel standardised by the training rows, also in data sets that are binary by nature. A pixel
        inked in few training images takes large values where it is inked: up to 245 in MNIST.
    binarize : of binary pixels, "threshold" as above, or "stochastic": each pixel is drawn once, 1 with its
        intensity as probability, by a fixed seed. Data that are binary by nature are the same either way.
        Figures of models by one and by the other cannot be compared.
    data_home : folder of the published files of `mnist5k`, `mnist`, `caltech101_silhouettes` and
        `ocr_letters`. Missing files are downloaded into it. Default: the folder that the environment variable
        LRBN_VIZ_DATA names, which is only read; else the user's cache folder, filled by download. A
        distribution carries the images of `mnist5k`, which then need no file.

    Returns
    -------
    Dataset, its arrays read-only. Binary data sets are kept in memory once loaded.

    Raises
    ------
    ValueError
        If the name is not one of `DATASETS`, or `binarize` is neither of the two, or "stochastic" for images
        that are not to be binary.
    DataFileError
        If a published file is missing, damaged or cannot be downloaded; the message says what to do.

    References
    ----------
    R. Salakhutdinov and I. Murray (2008). On the quantitative analysis of deep belief networks. International
    Conference on Machine Learning. Their MNIST is drawn so; these draws are others.

    Examples
    --------
    >>> import lrbn_viz
    >>> data = lrbn_viz.load_dataset("digits", binary=False)
    >>> data.train_X.dtype, data.binary
    (dtype('float64'), False)
    """
    check_choice(binarize, "binarize", get_args(Binarize))
    if binarize == "stochastic" and not binary:
        raise ValueError(
            'binarize="stochastic" draws binary pixels, but binary=False asks for intensities; leave one out.'
        )
    if not isinstance(name, str) or name not in DATASETS:
        raise ValueError(
            f"expected the name of a data set, got {name!r}; choose one of {', '.join(DATASETS)}."
        )
    info = DATASETS[name]
    packed = files.packed(info.packed) if data_home is None else None
    paths = (packed,) if packed else tuple(locate(file, data_home) for file in info.files)
    # Keyed by size and time of change as well, so that a file replaced on disk is read again.
    stamp = tuple((path, path.stat().st_size, path.stat().st_mtime_ns) for path in paths)
    return _binary(name, stamp, binarize) if binary else _standardised(name, stamp)


def at_hand(name: str) -> bool:
    """Return whether a data set of this name can be read without a download."""
    return DATASETS[name].at_hand


def how_to_get(name: str) -> str:
    """Return how the files of a data set come to be at hand, in words: the command that fetches them."""
    command = f"lrbn-viz datasets --download {name}"
    if os.environ.get(files.DATA_VARIABLE):
        return f"without {files.DATA_VARIABLE}, whose folder lacks them, the command {command} fetches them"
    return f"the command {command} fetches them"


def mnist5k_rows_in_mnist(data_home: str | os.PathLike[str] | None = None) -> NDArray[np.bool_]:
    """Return which MNIST training images are also in `mnist5k`, training or test part.

    A model that is trained without them has never seen any image of `mnist5k`.

    Parameters
    ----------
    data_home : as in `load_dataset`.

    Returns
    -------
    bool (60000,), True for the rows of MNIST's training set that equal an image of `mnist5k`, as published or
    once binarised; if MNIST holds the same image more than once, for all of them. That is 5,000 rows equal as
    published and 3 more that cannot be told from one of them by a binary model.

    Raises
    ------
    DataFileError
        As in `load_dataset`.
    """
    paths = tuple(locate(file, data_home) for file in DATASETS["mnist"].files)
    raw = _raw("mnist", paths)
    # Equal images are equal once binarised, so this comparison covers both.
    binary = raw.train >= _threshold(255)
    known = {image.tobytes() for image in binary[decode.mnist5k_rows(raw.train_y)]}
    return np.fromiter((image.tobytes() in known for image in binary), dtype=bool, count=len(binary))


def _threshold(full: int) -> int:
    """Smallest value that counts as 1: 128 of 255, 8 of 16, 1 of 1."""
    return (full + 1) // 2


_Stamp = tuple[tuple[Path, int, int], ...]


@lru_cache(maxsize=2 * len(DATASETS))
def _binary(name: str, stamp: _Stamp, binarize: Binarize) -> Dataset:
    raw = _raw(name, tuple(path for path, _, _ in stamp))
    if binarize == "stochastic":
        rng = np.random.default_rng(BINARIZATION_SEED)
        train_X, test_X = (_drawn(images, raw.full, rng) for images in (raw.train, raw.test))
    else:
        threshold = _threshold(raw.full)
        train_X, test_X = ((images >= threshold).view(np.uint8) for images in (raw.train, raw.test))
    return _dataset(name, raw, train_X, test_X)


def _drawn(images: NDArray[np.uint8], full: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return each pixel as 1 with probability intensity / full, else 0."""
    # A number below `full` is below an intensity with just that probability, and takes one byte.
    return (rng.integers(0, full, images.shape, np.uint8) < images).view(np.uint8)


def _standardised(name: str, stamp: _Stamp) -> Dataset:
    """Not kept in memory: eight times the size of the binary form, 0.5 GB for MNIST."""
    raw = _raw(name, tuple(path for path, _, _ in stamp))
    train_X, test_X = raw.train / raw.full, raw.test / raw.full
    mean, scale = train_X.mean(axis=0), train_X.std(axis=0)
    # Asked of the values, not of the scale: the deviation of a constant column need not be exactly 0 in
    # floating point.
    scale[np.ptp(raw.train, axis=0) == 0] = 1.0
    for X in (train_X, test_X):
        X -= mean
        X /= scale
    return _dataset(name, raw, train_X, test_X, mean, scale)


def _dataset(
    name: str,
    raw: RawImages,
    train_X: NDArray,
    test_X: NDArray,
    mean: NDArray | None = None,
    scale: NDArray | None = None,
) -> Dataset:
    """Return the data set of raw images in the form in which models take them."""
    return Dataset(
        train_X,
        raw.train_y,
        test_X,
        raw.test_y,
        DATASETS[name].image_shape,
        name,
        raw.class_names,
        raw.validation_start,
        mean,
        scale,
        raw.planted,
        visible_names=() if raw.planted is None else raw.planted.visible_names,
    )


def _raw(name: str, paths: tuple[Path, ...]) -> RawImages:
    info = DATASETS[name]
    packed = files.packed(info.packed)
    if packed and paths == (packed,) and info.packed and info.read_packed:
        return info.read_packed(read_checked(info.packed, packed))
    if info.read is None:
        raise TypeError(f"the record of {name} must have a function in read; got None.")
    return info.read(*(read_checked(file, path) for file, path in zip(info.files, paths, strict=True)))
