"""Conversion of a user's file to a `Dataset`: shape, polarity, threshold or standardisation, and split."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.validation import Interval, check_integer, check_number, unknown_in
from lrbn_viz.datasets.dataset import DATASETS, Dataset
from lrbn_viz.datasets.own.columns import ColumnsNeeded, no_common_scale
from lrbn_viz.datasets.own.images import MIN_ROWS, OwnImages, RefusedData, constant_columns, known_range

N_BINS = 256
_MAX_NOTES_LENGTH = 2000  # characters
_VALUES_AT_ONCE = 2**20  # bounds memory: intensities are eight times as large as bytes


def intensity_histogram(own: OwnImages) -> NDArray[np.int64]:
    """Return how many known pixels lie in each of 256 equal steps of intensity, 0 (empty) to 1 (full)."""
    counts = np.zeros(N_BINS, np.int64)
    for block in _blocks(own.X):
        intensity = intensity_of(own, _known(own.X[block]))
        bins = np.clip((intensity * N_BINS).astype(np.int64), 0, N_BINS - 1)
        counts += np.bincount(bins.reshape(-1), minlength=N_BINS)
    return counts


def _known(X: NDArray[Any]) -> NDArray[Any]:
    """Return the known values among X, in one dimension."""
    unknown = unknown_in(X)
    return X.reshape(-1) if unknown is None else X[~unknown]


def _blocks(X: NDArray[Any], n: int | None = None) -> list[slice]:
    """Return the rows of X, or n of them, in parts of a bounded number of values."""
    step = max(1, _VALUES_AT_ONCE // X.shape[1])
    return [slice(start, start + step) for start in range(0, len(X) if n is None else n, step)]


def otsu_threshold(counts: NDArray[np.int64]) -> float:
    """Return the intensity that parts a histogram into two groups with the means furthest apart.

    It maximises the variance between the groups, each weighted by its size (Otsu 1979); the middle of equally
    good ones.
    """
    weight = counts / counts.sum()
    centre = (np.arange(N_BINS) + 0.5) / N_BINS
    below, mass = np.cumsum(weight)[:-1], np.cumsum(weight * centre)
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (mass[-1] * below - mass[:-1]) ** 2 / (below * (1 - below))
    between = np.nan_to_num(between, nan=0.0, posinf=0.0)
    best = np.flatnonzero(between >= between.max() * (1 - 1e-12))
    return float((best.mean() + 1) / N_BINS)


def two_valued(own: OwnImages) -> bool:
    """Return whether known pixels have only two values, so that the data are already binary."""
    known = _known(own.X)
    return bool(((known.min() == known) | (known.max() == known)).all())


def ink_is_dark(own: OwnImages) -> bool:
    """Guess whether ink is dark: whether most pixels of the images' border are light, as paper is."""
    if own.image_shape is None:
        return False
    images = own.X[:512].reshape(-1, *own.image_shape)
    border = (images[:, 0], images[:, -1], images[:, :, 0], images[:, :, -1])
    known = np.concatenate([_known(side) for side in border])
    return bool(len(known)) and float(np.median(known)) > (own.low + own.high) / 2


def shape_of(own: OwnImages, image_shape: tuple[int, int] | None = None) -> tuple[int, int]:
    """Return height and width: those given, the file's, or those of a square; of a row if each is a quantity.

    Raises
    ------
    RefusedData
        What is given does not fit, or nothing is known and the number of pixels is no square.
    """
    n_v = own.X.shape[1]
    if image_shape is not None:
        height, width = image_shape
        if height < 1 or width < 1 or height * width != n_v:
            raise RefusedData(
                f"an image has {n_v} pixels; expected a height and a width that make as many, got "
                f"{height} x {width}. {_factors(n_v)}"
            )
        return height, width
    if own.image_shape is not None:
        return own.image_shape
    if own.columns:
        return 1, n_v
    side = math.isqrt(n_v)
    if side * side != n_v:
        raise RefusedData(
            f"an image has {n_v} pixels, which is no square; expected its height and width. {_factors(n_v)}"
        )
    return side, side


def _factors(n_v: int) -> str:
    pairs = [(f, n_v // f) for f in range(1, math.isqrt(n_v) + 1) if n_v % f == 0][::-1]
    return "Possible are " + ", ".join(f"{a} x {b}" for a, b in pairs[:4]) + " and the other way round."


def make_dataset(
    own: OwnImages,
    *,
    name: str | None = None,
    image_shape: tuple[int, int] | None = None,
    binary: bool = True,
    threshold: float | str = "otsu",
    invert: bool = False,
    test_share: float = 0.2,
    seed: int = 0,
) -> Dataset:
    """Return a data set; parameters and errors as in `read_dataset`."""
    shape = shape_of(own, image_shape)
    train, test, split = split_rows(own, test_share, seed)
    y = np.zeros(len(own.X), np.int64) if own.y is None else own.y
    mean = scale = None
    _check_learnable(own, train)
    if binary:
        X, how = _binarised(own, threshold, invert)
        if (question := _lost_columns(own, X)) is not None:
            raise question
        train_X, test_X = X[train], X[test]
        if constant_columns(train_X).all():
            raise RefusedData(
                f"all training images are the same once {how}; expected images that differ. "
                "Choose another threshold, or standardise."
            )
    else:
        train_X, test_X, mean, scale = _standardised(own, train, test, invert)
        how = "standardised by the training images" + ", dark ink" * invert
    classes = f"{len(own.class_names)} classes" if own.y is not None else "no classes"
    return Dataset(
        train_X,
        y[train],
        test_X,
        y[test],
        shape,
        _named(own, name),
        ("row",) if own.y is None and own.columns and shape[0] == 1 else own.class_names,
        validation_start=len(train) - own.n_validation if own.n_validation else None,
        mean=mean,
        scale=scale,
        description=f"{len(own.X):,} {_rows_of(own, shape)}, {classes}, {how}{_unknown_of(own)}; {split}"
        + _columns_of(own),
        visible_names=own.columns,
    )


def _check_learnable(own: OwnImages, train: NDArray) -> None:
    """Raise RefusedData if a column has known values in rows for testing only."""
    unknown = unknown_in(own.X)
    if unknown is None:
        return
    empty = np.flatnonzero(unknown[train].all(axis=0))
    if len(empty):
        named = own.columns[empty[0]] if own.columns else f"column {empty[0]} of X"
        raise RefusedData(
            f"{named}: the only rows with a value there are set aside for testing; expected some to train "
            "on. Choose another seed of the split, or leave the column out."
        )


def _unknown_of(own: OwnImages) -> str:
    """Return how many values are not known, for a description; empty if all are known."""
    n = own.n_unknown
    return f", {n:,} of {own.X.size:,} values not known" if n else ""


def _rows_of(own: OwnImages, shape: tuple[int, int]) -> str:
    """Return what the rows are, in words."""
    if own.columns and shape[0] == 1:
        return f"rows of {shape[1]} variables"
    return f"images of {shape[0]} x {shape[1]} pixels"


def _columns_of(own: OwnImages) -> str:
    """Return the meaning of a table's columns, for a description; empty for images."""
    return f". {' '.join(own.notes)}"[:_MAX_NOTES_LENGTH] if own.columns and own.notes else ""


def usual_name(own: OwnImages) -> str:
    """Return the name of a data set of a file unless another is given: that of the file, if it is free."""
    return f"{own.name} (own)" if own.name in DATASETS else own.name


def _named(own: OwnImages, name: str | None) -> str:
    """Return a name that no other data set has."""
    if name is None:
        return usual_name(own)
    if not isinstance(name, str) or not name.strip() or len(name) > 80:
        raise ValueError(f"expected a name of 1 to 80 letters, got {name!r}; choose one.")
    if name.strip() in DATASETS:
        raise ValueError(f"{name.strip()!r} is the name of a data set that is built in; choose another.")
    return name.strip()


def split_rows(own: OwnImages, test_share: float, seed: int) -> tuple[NDArray, NDArray, str]:
    """Return the rows for training and for testing, and the split in words.

    Images for validation are the last of the training rows.
    """
    n = len(own.X)
    if own.n_test is not None:
        rows = np.arange(n)
        kept = f" (the last {own.n_validation:,} of them for validation)" if own.n_validation else ""
        words = f"split as in the file, {n - own.n_test:,} for training{kept} and {own.n_test:,} for testing"
        return rows[: n - own.n_test], rows[n - own.n_test :], words
    check_number(test_share, "test_share", Interval(0, 0.5, "right"))
    check_integer(seed, "seed", 0, 2**32 - 1)
    # RandomState, not Generator: its streams are frozen, so every NumPy version gives the same split.
    random_state = np.random.RandomState(seed)
    order = random_state.permutation(n)
    is_test = np.zeros(n, bool)
    y = np.zeros(n, np.int64) if own.y is None else own.y
    for label in np.unique(y):
        rows = order[y[order] == label]
        is_test[rows[: int(test_share * len(rows) + 0.5)]] = True
    if not is_test.any():  # many classes of few images each
        is_test[order[: max(1, int(test_share * n))]] = True
    is_test[order[-(MIN_ROWS // 2) :]] = False  # keep enough to train with, whatever the rounding
    # Shuffled again: classes whose test images were found first would come first in what is left.
    train, test = (random_state.permutation(np.flatnonzero(rows)) for rows in (~is_test, is_test))
    by = " by class" if own.y is not None else ""
    return (
        train,
        test,
        f"{len(train):,} for training and {len(test):,} for testing, drawn{by} with seed {seed}",
    )


def pixel_statistics(own: OwnImages, rows: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and deviation of each pixel's intensity over some rows; the deviation of a constant is 1.

    Of what is known of each. In two passes over blocks of rows, so that no float copy of all images is made.
    """
    blocks = [rows[block] for block in _blocks(own.X, len(rows))]
    mean, squares = np.zeros(own.X.shape[1]), np.zeros(own.X.shape[1])
    n: Any = len(rows)
    if own.n_unknown:
        n = np.maximum(1, sum((~np.isnan(own.X[block])).sum(axis=0) for block in blocks))
    for block in blocks:
        mean += np.nansum(intensity_of(own, own.X[block]), axis=0) / n
    for block in blocks:
        squares += np.nansum(np.square(intensity_of(own, own.X[block]) - mean), axis=0)
    scale = np.sqrt(squares / n)
    # Asked of the values: the deviation of a constant column need not be exactly 0 in floating point.
    ranges = [known_range(own.X[block]) for block in blocks]
    low, high = np.fmin.reduce([each for each, _ in ranges]), np.fmax.reduce([each for _, each in ranges])
    scale[~(low < high)] = 1.0
    return mean, scale


def intensity_of(own: OwnImages, X: NDArray[Any]) -> NDArray[np.float64]:
    """Return values of a file as intensities: 0 is empty, 1 is full."""
    return (X.astype(np.float64) - own.low) / (own.high - own.low)


def _binarised(own: OwnImages, threshold: float | str, invert: bool) -> tuple[NDArray[Any], str]:
    """Return all images as 0 and 1, and how in words; NaN, in floating point, where a pixel is not known."""
    if two_valued(own):
        known = _known(own.X)
        ink = (known.min() if invert else known.max()) == own.X
        return _as_binary(own, ink), "with two values as they are" + ", dark ink" * invert
    if threshold == "otsu":
        threshold = otsu_threshold(intensity_histogram(own))
    elif threshold == "half":
        threshold = 0.5
    if isinstance(threshold, (bool, str)) or not 0 < threshold < 1:
        raise ValueError(f'threshold must be "otsu", "half" or between 0 and 1; got {threshold!r}.')
    # A pixel exactly at the threshold is full; a rounding error below it counts as at it.
    value = own.low + (threshold - 1e-9) * (own.high - own.low)
    ink = value > own.X if invert else value <= own.X
    return _as_binary(own, ink), f"binarised at intensity {threshold:.2f}" + ", dark ink" * invert


def _as_binary(own: OwnImages, ink: NDArray[np.bool_]) -> NDArray[Any]:
    """Return images as 0 and 1, uint8, or float64 with NaN where something is not known."""
    unknown = unknown_in(own.X)
    return ink.view(np.uint8) if unknown is None else np.where(unknown, np.nan, ink)


def question_of(own: OwnImages, threshold: float) -> str:
    """Return the question to be answered before a table's images can be made binary, as on the page."""
    if own.question or not own.columns:
        return own.question
    question = _lost_columns(own, _binarised(own, threshold, invert=False)[0])
    return "" if question is None else question.on_page


def _lost_columns(own: OwnImages, X: NDArray[Any]) -> ColumnsNeeded | None:
    """Return the question that columns of a table raise if one threshold for all makes any of them constant.

    Parameters
    ----------
    own : OwnImages
    X : (n, n_v)
        Its images as 0 and 1.
    """
    if not own.columns:
        return None
    lost = constant_columns(X) & ~constant_columns(own.X)
    return no_common_scale(own) if lost.any() else None


def _standardised(
    own: OwnImages, train: NDArray, test: NDArray, invert: bool
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Return training and test images in units of each pixel's deviation, and its mean and deviation."""
    mean, scale = pixel_statistics(own, train)
    if invert:
        mean = 1 - mean

    def standard(rows: NDArray) -> NDArray[np.float64]:
        X = np.empty((len(rows), own.X.shape[1]))
        for block in _blocks(X):
            intensity = intensity_of(own, own.X[rows[block]])
            X[block] = ((1 - intensity if invert else intensity) - mean) / scale
        return X

    return standard(train), standard(test), mean, scale
