"""Initial nonnegative weights: parts of training images, divided among the units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.lrbn.model import LRBNParams, Visible

N_IMAGES = 500
"""Largest number of training images from which parts are made, and by which related pixels are found."""
SHARE = 1 / 16
"""Pixels of a part at most, as a share of an image's."""
STRENGTH = 5.0
"""Weight of a part's pixels, nats: with an offset of `OFF` it turns a pixel on."""
OFF = -3.5
"""Offset of a pixel at most, nats: without a unit that draws it, it is off."""
RARE = -2.2
"""Prior log-odds of a unit: on in one image of ten."""


def parts_of(X: NDArray, n_h: int, visible: Visible, rare: bool, rng: np.random.Generator) -> LRBNParams:
    """Return parameters whose filters are parts of images, as training with W at or above 0 begins.

    A part is what one image has, above the mean image, at the pixels that go with one of its pixels: those
    whose correlation with it over the images is highest. The geometry of the pixels need not be known.

    Parameters
    ----------
    X : (n, n_v)
        Training images.
    n_h : int
        Number of parts.
    visible : {"bernoulli", "gaussian"}
    rare : bool
        True if units begin rare; else d is 0.
    rng : numpy.random.Generator
    """
    n_v = X.shape[1]
    some = X[rng.choice(len(X), min(len(X), N_IMAGES), replace=False)].astype(np.float64)
    mean = some.mean(axis=0)
    above = np.maximum(some - mean, 0.0)
    images = rng.integers(len(some), size=n_h)
    # A pixel in proportion to what the image has there; any where it has nothing.
    ink = np.cumsum(above[images] + 1e-12, axis=1)
    pixels = (ink > ink[:, -1:] * rng.random((n_h, 1))).argmax(axis=1)
    centred = some - mean
    size = np.sqrt(np.square(centred).sum(axis=0)) + 1e-12
    correlation = centred[:, pixels].T @ centred / (size[pixels, None] * size)
    n_near = max(1, round(SHARE * n_v))
    least = np.partition(correlation, n_v - n_near, axis=1)[:, n_v - n_near, None]
    near = (correlation >= least) & (correlation > 0)
    rows = np.where(near, above[images], 0.0).astype(np.float64)
    if visible == "bernoulli":
        rows = (rows > 0).astype(np.float64) * STRENGTH
        mean = (X.sum(axis=0) + 0.5) / (len(X) + 1)
        b = np.minimum(np.log(mean) - np.log1p(-mean), OFF)
    else:
        b = mean - rows.mean(axis=0)
    return LRBNParams(rows.T, b, np.full(n_h, RARE if rare else 0.0))
