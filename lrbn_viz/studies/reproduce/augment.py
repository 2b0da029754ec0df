"""Images moved and mirrored while a model learns, or once before: more of them than a small data set has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Augmentation:
    """Changes images at random, differently each time.

    Parameters
    ----------
    image_shape : (height, width)
    shifts : int
        Pixels by which an image is moved at most, up or down and to either side; what was the border fills
        the gap.
    mirror : bool
        True if every other image, at random, is turned left to right.

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
        n = len(X)
        moves = rng.integers(-self.shifts, self.shifts, (2, n), endpoint=True)
        turned = rng.random(n) < 0.5 if self.mirror else np.zeros(n, np.bool_)
        return self._changed(X, moves, turned)

    def copies(self, X: NDArray, n_copies: int, rng: np.random.Generator) -> NDArray:
        """Return every image so many times, changed once and for all: each copy can have chains of its own.

        The first copies are the images as they are, and the second ones turned if `mirror` says so. Every
        further copy, or pair of a copy and its mirror image, is of the images moved, by no move twice.

        Parameters
        ----------
        X : (n, height * width)
        n_copies : int
            At least 1, and no more than there are: (2 shifts + 1)**2, and twice as many with `mirror`.
        rng : numpy.random.Generator
            Says in which order the moves of each image come.

        Returns
        -------
        (n_copies * n, height * width)
            All first copies in the order of `X`, then all second ones, and so on.

        Raises
        ------
        ValueError
            There are not so many.
        """
        n, side, faces = len(X), 2 * self.shifts + 1, 1 + self.mirror
        if not 1 <= n_copies <= faces * side**2:
            raise ValueError(
                f"expected 1 to {faces * side**2} copies of an image with shifts={self.shifts} and "
                f"mirror={self.mirror}, got {n_copies}; allow larger shifts, or ask for fewer."
            )
        every = np.stack(np.divmod(np.arange(side**2), side)) - self.shifts
        still = side**2 // 2
        order = rng.permuted(np.tile(np.delete(np.arange(side**2), still), (n, 1)), axis=1)
        order = np.column_stack([np.full(n, still), order])
        made = [
            self._changed(X, every[:, order[:, copy // faces]], np.full(n, copy % faces == 1))
            for copy in range(n_copies)
        ]
        return np.concatenate(made)

    def _changed(self, X: NDArray, moves: NDArray[np.int64], turned: NDArray[np.bool_]) -> NDArray:
        """Return the images moved down and to the right by `moves` (2, n), and `turned` (n,) or not."""
        height, width = self.image_shape
        n = len(X)
        rows = np.clip(np.arange(height) - moves[0][:, None], 0, height - 1)
        columns = np.clip(np.arange(width) - moves[1][:, None], 0, width - 1)
        columns = np.where(turned[:, None], columns[:, ::-1], columns)
        images = X.reshape(n, height, width)
        found = images[np.arange(n)[:, None, None], rows[:, :, None], columns[:, None, :]]
        return found.reshape(n, height * width)
