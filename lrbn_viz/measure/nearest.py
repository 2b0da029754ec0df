"""The nearest training image: whether a sample is a copy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.validation import check_whole

_WORD = 64  # pixels compared at once


class Nearest(NamedTuple):
    """The nearest image of each query.

    Attributes
    ----------
    row : (n,) int64
        Its row; of equally near ones the first.
    distance : (n,) float64
        Number of pixels that differ, or for real-valued images the Euclidean distance.
    """

    row: NDArray[np.int64]
    distance: NDArray[np.float64]


class NearestImages:
    """Images among which nearest neighbours are searched.

    Parameters
    ----------
    X : (n, n_v) array
        Images of 0 and 1, packed 64 pixels a word: a look-up among 60,000 images of 784 pixels takes about
        5 ms. Or real-valued ones, compared by a matrix product.
    """

    def __init__(self, X: ArrayLike) -> None:
        X = np.asarray(X)
        if X.ndim != 2 or 0 in X.shape:
            raise ValueError(f"X has shape {X.shape}; expected (n, n_v), one flattened image per row.")
        check_whole(X, "nearest images are sought among")
        self.n_v = X.shape[1]
        self.binary = X.dtype.kind in "biu"
        if self.binary:
            # one row a word, so that sums run along contiguous memory
            self._words = np.ascontiguousarray(self._pack(X).T)
        else:
            self._X = X.astype(np.float32)
            self._squares = np.square(X, dtype=np.float64).sum(axis=1)

    def _pack(self, X: NDArray) -> NDArray[np.uint64]:
        if ((X != 0) & (X != 1)).any():
            raise ValueError("X holds whole numbers other than 0 and 1; expected binary images, or floats.")
        bits = np.zeros((len(X), -(-self.n_v // _WORD) * _WORD), np.uint8)
        bits[:, : self.n_v] = X
        return np.packbits(bits, axis=1).view(np.uint64)

    def nearest(self, queries: ArrayLike) -> Nearest:
        """Return the nearest image of each row of `queries` (m, n_v).

        Raises
        ------
        ValueError
            The queries are not of this shape, or not binary where the images are.
        """
        Q = np.asarray(queries)
        if Q.ndim != 2 or Q.shape[1] != self.n_v:
            raise ValueError(f"queries have shape {Q.shape}; expected (m, {self.n_v}).")
        rows, distances = np.empty(len(Q), np.int64), np.empty(len(Q))
        if self.binary:
            for m, words in enumerate(self._pack(Q)):
                differ = np.zeros(self._words.shape[1], np.uint32)
                for own, word in zip(self._words, words, strict=True):
                    differ += np.bitwise_count(own ^ word)
                rows[m] = np.argmin(differ)
                distances[m] = differ[rows[m]]
            return Nearest(rows, distances)
        squares = self._squares[:, None] - 2.0 * (self._X @ Q.T.astype(np.float32))
        rows[:] = np.argmin(squares, axis=0)
        distances[:] = np.sqrt(np.square(self._X[rows] - Q).sum(axis=1))
        return Nearest(rows, distances)
