"""A model's filters and images as bytes for the browser."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets import Dataset

COARSE_SIDE = 16
"""Side length of images, in pixels, above which filters are sent reduced while they change."""
TONES = (-0.5, 1.5)
"""Intensities between which real-valued images are drawn, so that overshooting values remain visible."""


def filters(
    W: NDArray, units: NDArray[np.intp] | slice, shape: tuple[int, int], coarse: bool
) -> NDArray[np.int8]:
    """Return filters, columns of W (n_v, n_h), as int8 shares of each one's largest weight.

    Shape (n, rows * columns), shrunk if `coarse`.
    """
    rows = np.asarray(W[:, units]).T.astype(np.float64)
    if coarse:
        rows = shrink(rows, shape)
    top = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-30)
    shares = rows / top
    if not np.isfinite(top).all():  # a model that has diverged; to ask each weight takes as long as the rest
        shares = np.nan_to_num(shares)
    return np.rint(127 * shares).astype(np.int8)


def _factor(shape: tuple[int, int]) -> int:
    """Return the side of the squares in pixels; 1 for a single row, as a table's variables do not mix."""
    return 1 if shape[0] == 1 else -(-max(shape) // COARSE_SIDE)


def shrunk_shape(shape: tuple[int, int]) -> tuple[int, int]:
    """Return the size at which a large filter is sent while it changes."""
    factor = _factor(shape)
    return -(-shape[0] // factor), -(-shape[1] // factor)


def shrink(images: NDArray, shape: tuple[int, int]) -> NDArray:
    """Return images (n, rows * columns) as means of squares of pixels."""
    factor = _factor(shape)
    rows, columns = shrunk_shape(shape)
    total = np.zeros((len(images), rows, columns))
    pixels = images.reshape(-1, *shape)
    # for 28 x 28 pixels a third of the time that a mean over two axes takes
    for row in range(factor):
        for column in range(factor):
            part = pixels[:, row::factor, column::factor]
            total[:, : part.shape[1], : part.shape[2]] += part
    return (total / factor**2).reshape(len(images), -1)


def shades(data: Dataset) -> NDArray[np.float32] | None:
    """Return slopes and offsets that turn the values of each pixel into shares of black and white: (2, n_v).

    None for binary images, whose values are such shares.
    """
    if data.mean is None or data.scale is None:
        return None
    low, high = TONES
    return np.array([data.scale / (high - low), (data.mean - low) / (high - low)], np.float32)


def tones(images: NDArray, data: Dataset) -> NDArray[np.uint8]:
    """Return images in the data set's units as bytes between black and white."""
    low, high = (0.0, 1.0) if data.binary else TONES
    share = (data.to_intensity(images) - low) / (high - low)
    return np.clip(np.floor(255 * np.nan_to_num(share) + 0.5), 0, 255).astype(np.uint8)
