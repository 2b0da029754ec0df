"""Data sets: `DatasetInfo` before loading, `Dataset` after; `DATASETS` lists all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.validation import unknown_in
from lrbn_viz.datasets import decode, files, planted
from lrbn_viz.datasets.files import PublishedFile
from lrbn_viz.datasets.raw import PlantedCauses, RawImages
from lrbn_viz.io.constants import WORDS_OF_ROWS


@dataclass(frozen=True)
class DatasetInfo:
    """The record of a data set: its description without loading it, and the function that reads it.

    Attributes
    ----------
    name : the name `load_dataset` takes.
    description : one line for people.
    image_shape : (height, width) in pixels.
    n_train, n_test, n_classes : numbers of rows and classes.
    one_means : what a binary pixel of value 1 stands for.
    read : returns the images, from the content of each file in `files`; None for a user's own data set.
    files : published files that must be downloaded or be in the data folder.
    packed, read_packed : a file that a distribution carries in their place, and what reads it.
    title : what pages call it; its name where it has none.
    n_unknown : number of values that are not known, of all rows.
    is_table : True if the rows are named variables and no pictures.
    """

    name: str
    description: str
    image_shape: tuple[int, int]
    n_train: int
    n_test: int
    n_classes: int
    one_means: str = "ink"
    read: Callable[..., RawImages] | None = None
    files: tuple[PublishedFile, ...] = ()
    packed: PublishedFile | None = None
    read_packed: Callable[[bytes], RawImages] | None = None
    title: str = ""
    n_unknown: int = 0
    is_table: bool = False

    @property
    def needs_files(self) -> bool:
        """True if published files must be downloaded or be in the data folder."""
        return bool(self.files) and files.packed(self.packed) is None

    @property
    def at_hand(self) -> bool:
        """True if it can be read without a download."""
        return not self.needs_files or files.at_hand(self.files)


DATASETS: dict[str, DatasetInfo] = {
    info.name: info
    for info in (
        DatasetInfo(
            "digits",
            "1,797 handwritten digits, small, from scikit-learn",
            (8, 8),
            1437,
            360,
            10,
            read=decode.digits,
            title="8x8 digits",
        ),
        DatasetInfo(
            "mnist5k",
            "5,000 handwritten digits of MNIST",
            (28, 28),
            4000,
            1000,
            10,
            read=decode.mnist5k,
            files=files.MNIST[:2],  # the training images and their labels
            packed=files.MNIST5K,
            read_packed=decode.packed_mnist5k,
            title="MNIST subset",
        ),
        DatasetInfo(
            "mnist",
            "70,000 handwritten digits, the whole of MNIST",
            (28, 28),
            60_000,
            10_000,
            10,
            read=decode.mnist,
            files=files.MNIST,
            title="MNIST",
        ),
        DatasetInfo(
            "caltech101_silhouettes",
            "8,671 outlines of objects in 101 categories",
            (28, 28),
            6364,
            2307,
            101,
            one_means="background",
            read=decode.caltech101_silhouettes,
            files=files.CALTECH101_SILHOUETTES,
            title="Caltech 101 silhouettes",
        ),
        DatasetInfo(
            "ocr_letters",
            "52,152 handwritten letters a to z",
            (16, 8),
            42_152,
            10_000,
            26,
            read=decode.ocr_letters,
            files=files.OCR_LETTERS,
            title="OCR letters",
        ),
        DatasetInfo(
            "bars",
            "2,500 images of crossing bars with known causes",
            (8, 8),
            2000,
            500,
            17,
            one_means="bar",
            read=planted.bars,
            title="Crossing bars",
        ),
        DatasetInfo(
            "alarm",
            "Two causes, one alarm: explaining away at its smallest",
            (1, 2),
            1000,
            250,
            4,
            one_means="event",
            read=planted.alarm,
            title="Alarm",
            is_table=True,
        ),
        DatasetInfo(
            "findings",
            "7,000 rows of 14 findings with six named illnesses as causes; invented",
            (1, 14),
            6000,
            1000,
            8,
            one_means="finding",
            read=planted.findings,
            title="Illnesses and findings",
            is_table=True,
        ),
    )
}
"""The registry of data sets: each record here can be loaded, trained on and chosen on the page."""


def title_of(name: str, known: Mapping[str, DatasetInfo] = DATASETS) -> str:
    """Return the name of a data set on pages: its title, or its name if it has none or is not known."""
    info = known.get(name)
    return (info.title if info is not None else "") or name


def image_title(name: str, part: str, row: int | str = "", *, table: bool = False) -> str:
    """Return the name of a data set's image on pages and pictures: ``"MNIST subset, test image 0"``.

    Parameters
    ----------
    name : str
        Name of the data set.
    part : str
        ``"test"`` or ``"training"``.
    row : int or str, optional
        Row of the image in that part. Without it the words end before the number.
    table : bool
        True if the rows are no images, as `Dataset.is_table` says.
    """
    return f"{title_of(name)}, {part} {'row' if table else 'image'} {row}".rstrip()


def in_rows(text: str, table: bool) -> str:
    """Return a text about images and pixels; of data that are a table, about rows and observations."""
    for said, instead in WORDS_OF_ROWS.items() if table else ():
        text = re.sub(rf"\b{said}(?=s?\b)", instead, text)
    return text


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Images with labels, split for training and testing; all arrays are read-only.

    Attributes
    ----------
    train_X, test_X : (n, n_v), each row one image flattened row by row. uint8 in {0, 1}; or, with
        `binary=False`, float64 standardised by the training rows: (intensity - mean) / scale. NaN stands for
        a value that is not known; binary images with one are float64, too.
    train_y, test_y : int64 (n,), indices into `class_names`.
    image_shape : (height, width), height * width = n_v.
    name : the name in `DATASETS`, or that of a user's own data set.
    class_names : one name per class.
    validation_start : training rows from here on are the authors' validation set; None if the authors give
        none.
    mean, scale : float64 (n_v,), mean and standard deviation of each pixel's intensity (0 to 1) over the
        training rows where it is known; the scale of a constant pixel is 1. None for binary data.
    planted : the true parameters and causes of a planted data set, else None.
    description : of a user's own data set: where it is from and how it was made, for people.
    visible_names : what each visible is called, where the data say so; else empty.

    Examples
    --------
    >>> import lrbn_viz
    >>> data = lrbn_viz.load_dataset("digits")
    >>> data.train_X.shape, data.image_shape, len(data.class_names)
    ((1437, 64), (8, 8), 10)
    """

    train_X: NDArray[Any]
    train_y: NDArray[np.int64]
    test_X: NDArray[Any]
    test_y: NDArray[np.int64]
    image_shape: tuple[int, int]
    name: str
    class_names: tuple[str, ...]
    validation_start: int | None = None
    mean: NDArray[np.float64] | None = None
    scale: NDArray[np.float64] | None = None
    planted: PlantedCauses | None = None
    description: str = ""
    visible_names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        height, width = self.image_shape
        what = f"rows of {self.n_v} named variables" if self.is_table else f"images of {height} x {width}"
        kind = "binary" if self.binary else "standardised"
        classes = f"{len(self.class_names)} class" + ("" if len(self.class_names) == 1 else "es")
        counts = f"{len(self.train_X):,} to train on, {len(self.test_X):,} to test"
        unknown = f", {self.n_unknown:,} values not known" if self.n_unknown else ""
        return f"<Dataset {self.name!r}: {kind} {what}, {counts}, {classes}{unknown}>"

    def __post_init__(self) -> None:
        for array in (self.train_X, self.train_y, self.test_X, self.test_y, self.mean, self.scale):
            if array is not None:
                array.flags.writeable = False

    @property
    def n_v(self) -> int:
        """Number of visibles: pixels of an image."""
        return self.train_X.shape[1]

    @property
    def n_unknown(self) -> int:
        """Number of values that are not known, of all rows."""
        found = (unknown_in(X) for X in (self.train_X, self.test_X))
        return sum(int(unknown.sum()) for unknown in found if unknown is not None)

    @property
    def is_table(self) -> bool:
        """True if the rows are named variables and no pictures: pages list them by name."""
        return bool(self.visible_names) and self.image_shape[0] == 1

    @property
    def variables(self) -> list[str] | None:
        """Names of the variables of a table, in the order of its columns; None for images."""
        return list(self.visible_names) if self.is_table else None

    @property
    def binary(self) -> bool:
        """True if the images are 0 and 1, False if they are standardised intensities."""
        return self.mean is None

    @property
    def info(self) -> DatasetInfo:
        """Description of the data set before it is loaded; for a user's own data, derived from the arrays."""
        if not self.own:
            return DATASETS[self.name]
        return DatasetInfo(
            self.name,
            self.description,
            self.image_shape,
            len(self.train_X),
            len(self.test_X),
            len(self.class_names),
            n_unknown=self.n_unknown,
            is_table=self.is_table,
        )

    @property
    def own(self) -> bool:
        """True for a user's own data set, which `load_dataset` does not know by name."""
        return self.name not in DATASETS

    def to_intensity(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Images, reconstructions or samples in this data set's units as intensities: 0 is empty, 1 is full.

        Parameters
        ----------
        X : (..., n_v), in the units of `train_X`.

        Returns
        -------
        float64 (..., n_v); values outside 0 to 1 (a model can predict them) are kept.
        """
        X = np.asarray(X, dtype=np.float64)
        self._check_width(X)
        return X.copy() if self.mean is None or self.scale is None else X * self.scale + self.mean

    def from_intensity(self, intensity: NDArray[Any]) -> NDArray[Any]:
        """The inverse of `to_intensity`; for binary data, 1 where the intensity is at least one half.

        Parameters
        ----------
        intensity : (..., n_v), 0 is empty and 1 is full.

        Returns
        -------
        uint8 in {0, 1} or float64, (..., n_v), in the units of `train_X`; NaN, in float64, stays NaN.
        """
        intensity = np.asarray(intensity, dtype=np.float64)
        self._check_width(intensity)
        if self.mean is None or self.scale is None:
            # Exactly half (8 of 16) may come back from `to_intensity` a rounding error below it.
            full, unknown = intensity >= 0.5 - 1e-9, unknown_in(intensity)
            return full.astype(np.uint8) if unknown is None else np.where(unknown, np.nan, full)
        return (intensity - self.mean) / self.scale

    def filled(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return images with each unknown pixel as the training rows have it most often, or on average.

        For pages that show whole images only; a model's `impute` fills in better.

        Parameters
        ----------
        X : (..., n_v), in the units of `train_X`.

        Returns
        -------
        (..., n_v), `X` itself if all is known; else uint8 for binary images, and float64 for others.
        """
        unknown = unknown_in(X)
        if unknown is None:
            return X
        if not self.binary:
            return np.where(unknown, 0.0, X)
        return np.where(unknown, np.nanmean(self.train_X, axis=0) > 0.5, X).astype(np.uint8)

    def _check_width(self, X: NDArray[Any]) -> None:
        if X.ndim == 0 or X.shape[-1] != self.n_v:
            height, width = self.image_shape
            raise ValueError(
                f"expected images of {self.n_v} values, got an array of shape {X.shape}; "
                f"flatten each {height}x{width} image."
            )
