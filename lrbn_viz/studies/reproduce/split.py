"""Split of the images: for training, for choosing settings and stopping, and for reported results only."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets import Dataset, mnist5k_rows_in_mnist

SEED = 5
"""Seed of the hold-out, fixed so that no run of the command sees held-out images of another."""

N_VALIDATION = 2000
"""Images held out at most; never more than a tenth."""


class Split(NamedTuple):
    """The images of one reproduction, uint8 in {0, 1}, and their classes.

    Attributes
    ----------
    train_X, validation_X, test_X : (n, n_v)
    train_y, validation_y, test_y : (n,)
    image_shape : (height, width)
    held_out : str
        Which images the validation set is, for people.
    """

    train_X: NDArray[np.uint8]
    train_y: NDArray[np.int64]
    validation_X: NDArray[np.uint8]
    validation_y: NDArray[np.int64]
    test_X: NDArray[np.uint8]
    test_y: NDArray[np.int64]
    image_shape: tuple[int, int]
    held_out: str

    def fingerprint(self) -> str:
        """Return a sum over all images: results of other images are not taken for results of these."""
        total = hashlib.sha256()
        for array in self[:6]:
            total.update(np.ascontiguousarray(array).tobytes())
        return total.hexdigest()[:16]


def split(dataset: Dataset) -> Split:
    """Hold out validation images: MNIST's that are in `mnist5k`, else a tenth, at most 2,000, at random.

    A model of MNIST has then seen no image of `mnist5k`, which the explorer shows.

    Parameters
    ----------
    dataset : Dataset
        Of binary images.

    Raises
    ------
    ValueError
        The images are not binary.
    """
    if not dataset.binary:
        raise ValueError(
            f"expected binary images, got standardised intensities of {dataset.name}; load them with "
            "binary=True."
        )
    X, y = dataset.train_X, dataset.train_y
    order = np.random.default_rng(SEED).permutation(len(X))
    if dataset.name == "mnist":
        held = mnist5k_rows_in_mnist()[order]
        origin = "the training images that are also in mnist5k"
    else:
        held = np.arange(len(X)) >= len(X) - min(N_VALIDATION, len(X) // 10)
        origin = f"drawn at random from the training images (seed {SEED})"
    rows = np.concatenate([order[~held], order[held]])
    n = int((~held).sum())
    return Split(
        X[rows[:n]], y[rows[:n]], X[rows[n:]], y[rows[n:]], dataset.test_X, dataset.test_y,
        dataset.image_shape, f"{len(rows) - n:,} images, {origin}",
    )  # fmt: skip


def shortened(data: Split, n_train: int, n_test: int) -> Split:
    """Return the split with its first images only, as ``--quick`` uses it."""
    n_held = max(n_train // 5, 1)
    return data._replace(
        train_X=data.train_X[:n_train],
        train_y=data.train_y[:n_train],
        validation_X=data.validation_X[:n_held],
        validation_y=data.validation_y[:n_held],
        test_X=data.test_X[:n_test],
        test_y=data.test_y[:n_test],
        held_out=f"{data.held_out}, of which the first {min(n_held, len(data.validation_X))}",
    )
