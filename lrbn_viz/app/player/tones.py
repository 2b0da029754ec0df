"""A model's filters and images as bytes for the browser."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets import Dataset

COARSE_SIDE = 16
"""Filters of larger images are sent shrunk while they change."""
TONES = (-0.5, 1.5)
"""Intensities between which real-valued images are drawn, so that what a model overshoots is seen."""


def weights(state: Any) -> NDArray:
    """Return W (n_v, n_h) of a state."""
    return getattr(state, "params", state).W


def filters(
    state: Any, units: NDArray[np.intp] | slice, shape: tuple[int, int], coarse: bool
) -> NDArray[np.int8]:
    """Return filters as int8 shares of each one's largest weight; (n, rows * columns), shrunk if `coarse`."""
    rows = np.asarray(weights(state)[:, units]).T.astype(np.float64)
    if coarse:
        rows = shrink(rows, shape)
    top = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-30)
    return np.rint(127 * np.nan_to_num(rows / top)).astype(np.int8)


def shrunk_shape(shape: tuple[int, int]) -> tuple[int, int]:
    """Return the size at which a large filter is sent while it changes."""
    factor = -(-max(shape) // COARSE_SIDE)
    return -(-shape[0] // factor), -(-shape[1] // factor)


def shrink(images: NDArray, shape: tuple[int, int]) -> NDArray:
    """Return images (n, rows * columns) as means of squares of pixels."""
    factor = -(-max(shape) // COARSE_SIDE)
    rows, columns = shrunk_shape(shape)
    padded = np.zeros((len(images), rows * factor, columns * factor))
    padded[:, : shape[0], : shape[1]] = images.reshape(-1, *shape)
    return padded.reshape(-1, rows, factor, columns, factor).mean(axis=(2, 4)).reshape(len(images), -1)


def shades(data: Dataset) -> NDArray[np.float32] | None:
    """Return what turns values of each pixel into shares of black and white: (2, n_v), slopes and offsets.

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
