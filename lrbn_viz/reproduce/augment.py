"""Images moved and mirrored at random while a model learns: more of them than a small data set has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Augmentation:
    """Changes images at random, each time anew.

    Parameters
    ----------
    image_shape : (height, width)
    shifts : int
        Pixels by which an image is moved at most, up or down and to either side; what was the border fills
        the gap.
    mirror : bool
        Whether every other image, at random, is turned left to right.

    Raises
    ------
    ValueError
        `shifts` is negative, or would move an image out of sight.
    """

    image_shape: tuple[int, int]
    shifts: int = 0
    mirror: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.shifts < min(self.image_shape):
            raise ValueError(
                f"shifts must be at least 0 and below the sides of the image, {self.image_shape}; got "
                f"{self.shifts}."
            )

    def __call__(self, X: NDArray, rng: np.random.Generator) -> NDArray:
        """Return as many images, (n, height * width), each moved and perhaps mirrored."""
        height, width = self.image_shape
        n = len(X)
        moves = rng.integers(-self.shifts, self.shifts, (2, n, 1), endpoint=True)
        rows = np.clip(np.arange(height) - moves[0], 0, height - 1)
        columns = np.clip(np.arange(width) - moves[1], 0, width - 1)
        if self.mirror:
            turned = rng.random((n, 1)) < 0.5
            columns = np.where(turned, columns[:, ::-1], columns)
        images = X.reshape(n, height, width)
        found = images[np.arange(n)[:, None, None], rows[:, :, None], columns[:, None, :]]
        return found.reshape(n, height * width)
