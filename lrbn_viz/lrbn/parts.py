"""Initial nonnegative weights: parts of training images, divided among the units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.lrbn.model import Visible, known_sums, natural_mean

N_IMAGES = 500
"""Largest number of training images from which parts are made, and by which related pixels are found."""
SHARE = 1 / 16
"""Largest number of pixels in a part, as a share of those of an image."""
STRENGTH = 5.0
"""Weight of a part's pixels, nats: with an offset of `OFF` it turns a pixel on."""
OFF = -3.5
"""Largest offset of a pixel, nats: it is off unless a unit draws it."""
RARE = -2.2
"""Prior log-odds of a unit that is on in one image of ten."""


def parts_of(X: NDArray, n_h: int, visible: Visible, rare: bool, rng: np.random.Generator) -> LayerParams:
    """Return parameters whose filters are parts of images, the initial ones of training with nonnegative W.

    A part is the excess of one image over the mean image at one of its pixels and at those related to it: the
    pixels whose correlation with it over the images is highest. The geometry of the pixels need not be known.

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
    unknown = unknown_in(some)
    if unknown is None:
        mean = some.mean(axis=0)
    else:  # a pixel that is not known is neither above nor below the mean image
        mean = (np.nansum(some, axis=0) + 1e-12) / ((~unknown).sum(axis=0) + 1e-12)
        some = np.where(unknown, mean, some)
    above = np.maximum(some - mean, 0.0)
    images = rng.integers(len(some), size=n_h)
    # A pixel is drawn in proportion to the image's excess there; uniformly where there is none.
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
        b = np.minimum(natural_mean(*known_sums(X), visible), OFF)
    else:
        b = mean - rows.mean(axis=0)
    return LayerParams(rows.T, b, np.full(n_h, RARE if rare else 0.0))
