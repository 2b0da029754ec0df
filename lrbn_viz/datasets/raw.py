"""The content of a data set before any threshold or scaling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PlantedCauses:
    """The truth behind a planted data set.

    Attributes
    ----------
    W, b, d : float64 (n_v, n_h), (n_v,), (n_h,), the parameters that drew the data.
    train_H, test_H : uint8 (n, n_h) in {0, 1}, the causes that drew each row of `train_X` and `test_X`.
    visible_names, latent_names : what each visible and each latent means.
    """

    W: NDArray[np.float64]
    b: NDArray[np.float64]
    d: NDArray[np.float64]
    train_H: NDArray[np.uint8]
    test_H: NDArray[np.uint8]
    visible_names: tuple[str, ...]
    latent_names: tuple[str, ...]

    def __post_init__(self) -> None:
        for array in (self.W, self.b, self.d, self.train_H, self.test_H):
            array.flags.writeable = False


class RawImages(NamedTuple):
    """Decoded images before any threshold or scaling.

    Attributes
    ----------
    train, test : uint8 (n, n_v), values 0..`full`, rows flattened row by row.
    train_y, test_y : int64 (n,), indices into `class_names`.
    full : value of a fully inked pixel; a pixel is binarised to 1 when value >= (full + 1) // 2.
    class_names : one per class.
    validation_start : training rows from here on are the authors' validation set; None if they give none.
    planted : the truth behind images that were drawn from a known model, else None.
    """

    train: NDArray[np.uint8]
    train_y: NDArray[np.int64]
    test: NDArray[np.uint8]
    test_y: NDArray[np.int64]
    full: int
    class_names: tuple[str, ...]
    validation_start: int | None = None
    planted: PlantedCauses | None = None
