"""Size and extent of filters: a stroke, or a whole digit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Extent(NamedTuple):
    """Extent of each filter: its pixels with at least half of its largest absolute weight.

    Attributes
    ----------
    pixels : (n,) int64
        How many these are; 0 for a filter without weight.
    spread : (n,) float64
        Root mean square of their distances from their centre, in pixels.

    Examples
    --------
    >>> import lrbn_viz
    >>> found = lrbn_viz.measure.extent(lrbn_viz.pretrained("lrbn-16-bars").layers[0].W.T, (8, 8))
    >>> found.pixels.shape, found.spread.shape
    ((16,), (16,))
    """

    pixels: NDArray[np.int64]
    spread: NDArray[np.float64]


def extent(filters: ArrayLike, image_shape: tuple[int, int]) -> Extent:
    """Return how large filters are and how far they reach.

    Parameters
    ----------
    filters : (n, height * width) array
        A model's ``W.T``; or binary images, whose ink is measured.
    image_shape : (height, width)

    Raises
    ------
    ValueError
        The filters are not of such images.

    Examples
    --------
    >>> from lrbn_viz.measure import extent
    >>> found = extent([[0, 0, 0, 0, 1, 1, 0, 0, 0]], (3, 3))
    >>> found.pixels.tolist(), found.spread.tolist()
    ([2], [0.5])
    """
    size = np.abs(np.asarray(filters, dtype=np.float64))
    height, width = image_shape
    if size.ndim != 2 or size.shape[1] != height * width:
        raise ValueError(
            f"filters must be of shape (n, {height * width}), one image a row; got {size.shape}."
        )
    seen = (size > 0) & (2 * size >= size.max(axis=1, keepdims=True))
    pixels = seen.sum(axis=1)
    share = seen / np.maximum(pixels, 1)[:, None]
    places = np.stack(np.divmod(np.arange(height * width), width), axis=1)
    centre = share @ places
    variance = share @ (places**2).sum(axis=1) - (centre**2).sum(axis=1)
    return Extent(pixels, np.sqrt(np.maximum(variance, 0.0)))
