"""What a user's file holds once it is decoded, the limits it must keep, and the checks of all formats.

Every refusal says what was expected, what came and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_PIXELS = 128 * 128
"""Largest image: time and memory of every model grow with it, and 200 filters of this size are 26 MB."""

MIN_ROWS = 20
"""Fewest images: some are for training, some for testing, some for validation."""

MAX_CLASSES = 1000


class RefusedData(ValueError):
    """A user's file is malformed, too large, or not what it says it is."""


class ShapeNeeded(RefusedData):
    """Images must be scaled to one size, which has to be given."""


@dataclass(frozen=True)
class Limits:
    """How much is taken in.

    Attributes
    ----------
    file_bytes : int
        Of the file itself.
    """

    file_bytes: int

    @property
    def inflated_bytes(self) -> int:
        """Of everything in the file, decompressed."""
        return 4 * self.file_bytes

    @property
    def values(self) -> int:
        """Pixels of all images together: standardised, each takes eight bytes."""
        return self.file_bytes

    def check_inflated(self, n_bytes: int, what: str) -> None:
        """Raise RefusedData if `n_bytes` is too much."""
        if n_bytes > self.inflated_bytes:
            raise RefusedData(
                f"{what} would take {mib(n_bytes)} decompressed; expected at most "
                f"{mib(self.inflated_bytes)}. Use fewer or smaller images, or raise the limit."
            )

    def check_images(self, n: int, n_v: int) -> None:
        """Raise RefusedData if n images of n_v pixels are too many, too few, or too large."""
        if n_v > MAX_PIXELS:
            raise RefusedData(
                f"the images have {n_v:,} pixels; expected at most {MAX_PIXELS:,}, such as 128 x 128. "
                "Scale them down."
            )
        if n < MIN_ROWS:
            raise RefusedData(
                f"got {n} image{'s' * (n != 1)}; expected at least {MIN_ROWS} to train and to test with. "
                "Add more."
            )
        if n * n_v > self.values:
            raise RefusedData(
                f"{n:,} images of {n_v:,} pixels are {n * n_v:,} values; expected at most {self.values:,}. "
                "Use fewer or smaller images, or raise the limit."
            )


@dataclass(frozen=True, eq=False)
class OwnImages:
    """What a user's file holds, before anything is chosen.

    Attributes
    ----------
    X : (n, n_v)
        Finite numbers as in the file, uint8 or float; one flattened image per row.
    y : (n,) int64 or None
        Indices into `class_names`.
    class_names : tuple of str
    image_shape : (int, int) or None
        Height and width, where the file says so.
    n_test : int or None
        The last rows of `X` which the file itself sets aside for testing.
    name : str
        From the file's name.
    low, high : float
        Values that stand for an empty and for a full pixel.
    notes : tuple of str
        What was left out or assumed, as sentences.
    """

    X: NDArray[Any]
    y: NDArray[np.int64] | None
    class_names: tuple[str, ...]
    image_shape: tuple[int, int] | None
    n_test: int | None
    name: str
    low: float
    high: float
    notes: tuple[str, ...] = ()


def assemble(
    X: NDArray,
    labels: NDArray | Sequence[str] | None,
    image_shape: tuple[int, int] | None,
    n_test: int | None,
    name: str,
    limits: Limits,
    *,
    full: float | None = None,
    notes: Iterable[str] = (),
) -> OwnImages:
    """Check what every format ends in: enough finite images that are not all the same, and named classes."""
    n, n_v = X.shape
    limits.check_images(n, n_v)
    if X.dtype.kind == "f":
        bad = ~np.isfinite(X).all(axis=1)
        if bad.any():
            raise RefusedData(
                f"{int(bad.sum())} of {n} images hold NaN or infinity, the first in row {int(bad.argmax())}; "
                "expected finite numbers. Fill or drop what is missing."
            )
    if n_test is not None and not 1 <= n_test <= n - MIN_ROWS // 2:
        raise RefusedData(
            f"the file sets {n_test} of {n} images aside for testing; expected at least 1, and at least "
            f"{MIN_ROWS // 2} to train with. Divide them otherwise, or save one X."
        )
    low, high = float(X.min()), float(X.max())
    if (X[0] == X).all():
        raise RefusedData(
            f"all {n} images are the same, with values from {low:g} to {high:g}; expected different ones. "
            "Check how the file was made."
        )
    y, class_names = _classes(labels)
    X = X.astype(np.uint8) if X.dtype.kind == "b" else X
    top = full if full is not None else 1.0 if high <= 1 else high
    return OwnImages(X, y, class_names, image_shape, n_test, name, min(0.0, low), top, tuple(notes))


def _classes(labels: NDArray | Sequence[str] | None) -> tuple[NDArray[np.int64] | None, tuple[str, ...]]:
    """Return each row's class as an index, and the classes' names; whole numbers in their order."""
    if labels is None:
        return None, ("image",)
    values = np.asarray(labels)
    if values.dtype.kind == "f":
        if not np.isfinite(values).all() or (values != np.floor(values)).any():
            wrong = values[~np.isfinite(values) | (values != np.floor(values))][0]
            raise RefusedData(
                f"a label is {wrong:g}; expected whole numbers or names. Check which column it is."
            )
        values = values.astype(np.int64)
    if values.dtype.kind == "S":
        values = np.array([word.decode("utf-8", "replace") for word in values.tolist()])
    known, y = np.unique(values, return_inverse=True)
    if len(known) > MAX_CLASSES:
        raise RefusedData(
            f"the labels name {len(known):,} classes; expected at most {MAX_CLASSES:,}. "
            "Check which column they are, or leave them out."
        )
    return y.astype(np.int64).reshape(-1), tuple(str(name)[:40] for name in known.tolist())


def listed(names: Iterable[str]) -> str:
    """Return the first six names, and how many more there are."""
    names = sorted(names)
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "") or "nothing"


def mib(n_bytes: int) -> str:
    """Return a number of bytes for people."""
    return f"{n_bytes / 2**20:,.1f} MiB" if n_bytes >= 2**20 / 10 else f"{n_bytes:,} bytes"
