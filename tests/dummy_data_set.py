"""A data set as a contributor would add it: one record, and the function that makes its images."""

from __future__ import annotations

import numpy as np

from lrbn_viz.datasets import DatasetInfo, RawImages


def checks() -> RawImages:
    """Squares of 2x2 pixels of ink, at one of four places of 5x7, on noisy paper; 0 to 9 is how inked."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 120)
    X = rng.integers(0, 3, (120, 5, 7), dtype=np.uint8)
    for image, place in zip(X, y, strict=True):
        row, column = 3 * (place // 2), 4 * (place % 2)
        image[row : row + 2, column : column + 2] = 9
    X = X.reshape(120, 35)
    return RawImages(X[:100], y[:100], X[100:], y[100:], 9, ("NW", "NE", "SW", "SE"))


RECORD = DatasetInfo("checks", "120 squares on paper", (5, 7), 100, 20, 4, read=checks)
