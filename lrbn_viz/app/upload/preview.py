"""Preview of a visitor's file, and the choices about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets.own import OwnImages, RefusedData
from lrbn_viz.datasets.own.make import (
    intensity_histogram,
    intensity_of,
    otsu_threshold,
    pixel_statistics,
    shape_of,
    split_rows,
    two_valued,
)
from lrbn_viz.datasets.own.tables import ListedColumn

N_SHOWN = 24
"""Images of the preview."""


@dataclass(frozen=True)
class Choices:
    """Choices about a file's images, as arguments of `read_dataset`."""

    name: str = ""
    labels: str = "auto"
    """Column of the classes: "auto", "none", or its number."""
    left_out: tuple[int, ...] = ()
    """Columns that are not read, by number."""
    thresholds: tuple[tuple[int, str], ...] = ()
    """Columns by number, each with its threshold or with the word that is 1."""
    height: int = 0
    width: int = 0
    binary: bool = True
    threshold: float = 0.5
    invert: bool = False
    test_share: float = 0.2
    seed: int = 0

    @property
    def image_shape(self) -> tuple[int, int] | None:
        """Height and width if both are given."""
        return (self.height, self.width) if self.height and self.width else None

    def of_table(self, listed: Sequence[ListedColumn]) -> dict[str, Any]:
        """Return the options for reading a table of these columns, as `read_dataset` takes them.

        Raises
        ------
        RefusedData
            The threshold of a column of numbers is no number.
        """
        labels = {"none": None, "auto": "auto"}.get(self.labels, self.labels)
        labels = int(labels) if isinstance(labels, str) and labels != "auto" else labels
        known = {column.number: column for column in listed}
        read = known.keys() - {*self.left_out, labels}
        thresholds: dict[int, float | str] = {}
        for number, text in self.thresholds:
            if number in read and known[number].kind == "numbers":
                thresholds[number] = _number(text, known[number].title)
            elif number in read:
                thresholds[number] = text
        columns = None if not known.keys() & {*self.left_out} else sorted(read)
        return {"labels": labels, "columns": columns, "thresholds": thresholds}

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `make_dataset`."""
        return {
            "name": self.name or None,
            "image_shape": self.image_shape,
            "binary": self.binary,
            "threshold": self.threshold,
            "invert": self.invert,
            "test_share": self.test_share,
            "seed": self.seed,
        }


def _number(text: str, title: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise RefusedData(f"{title} is 1 from {text[:40]!r} on; expected a number. Fill in another.")
    return value


class Preview(NamedTuple):
    """Contents of a file, for the visitor to check."""

    intensity: NDArray[np.float32]
    standard: NDArray[np.float32]
    """(24, n_v) `intensity` and `standard`: the first training images, as intensities and standardised by all
    training images.
    """
    histogram: NDArray[np.int64]
    """(256,) pixels in equal steps of intensity."""
    otsu: float
    """Otsu's threshold between light and dark."""
    two_valued: bool
    """True if the data have two values already."""
    least: float
    most: float
    """`least` and `most`: smallest and largest intensity."""
    n_train: int
    n_test: int
    classes: tuple[tuple[str, int], ...]
    """Names and numbers of images; empty without classes."""
    image_shape: tuple[int, int] | None
    """None if the number of pixels is no square and the shape is not given."""
    notes: tuple[str, ...]

    @property
    def is_row(self) -> bool:
        """True if the values of a row are in no order of rows and columns, as those of a table."""
        return self.image_shape is not None and self.image_shape[0] == 1


def preview_of(images: OwnImages, choices: Choices) -> Preview:
    """Return the preview of a visitor's file; errors as in `make_dataset`."""
    try:
        shape = shape_of(images, choices.image_shape if images.image_shape is None else None)
        notes = images.notes
    except RefusedData as error:
        shape, notes = None, (*images.notes, str(error))
    train, test, _ = split_rows(images, choices.test_share, choices.seed)
    intensity = intensity_of(images, images.X[train[:N_SHOWN]])
    mean, scale = pixel_statistics(images, train)
    histogram = intensity_histogram(images)
    low, high = np.fmin.reduce(images.X, axis=None), np.fmax.reduce(images.X, axis=None)
    counts = [] if images.y is None else np.bincount(images.y, minlength=len(images.class_names)).tolist()
    return Preview(
        intensity.astype(np.float32),
        ((intensity - mean) / scale).astype(np.float32),
        histogram,
        otsu_threshold(histogram),
        two_valued(images),
        float(intensity_of(images, low)),
        float(intensity_of(images, high)),
        len(train),
        len(test),
        tuple(zip(images.class_names, counts, strict=False)),
        shape,
        notes,
    )
