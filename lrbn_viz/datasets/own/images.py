"""The decoded content of a user's file, its limits, and the checks of all formats.

Every refusal says what was expected, what came and what to do.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.validation import unknown_in
from lrbn_viz.io.storage import mib

MAX_PIXELS = 128 * 128
"""Largest image: time and memory of every model grow with it, and 200 filters of this size are 26 MB."""

MAX_IMAGES = 1_000_000
"""Most images: a file of tiny ones would take far more memory in bookkeeping than in pixels."""

MIN_ROWS = 20
"""Fewest images: some are for training, some for testing, some for validation."""

MAX_CLASSES = 1000
MAX_VALUE = 1e100
"""Largest value of a pixel in a file: differences and squares of larger ones may overflow."""


class RefusedData(ValueError):
    """Error for a user's file that is malformed, too large, or not of the declared kind."""


class ShapeNeeded(RefusedData):
    """Images must be scaled to one size, which has to be given."""


@dataclass(frozen=True)
class Limits:
    """Limits on the size of a user's file."""

    file_bytes: int
    """Size of the file itself."""
    deadline: float = math.inf
    """When reading must have ended, by the clock of this thread's own computing time, seconds: what others do
    on the same machine is not counted.
    """

    @property
    def seconds(self) -> float:
        """Computing time that a file may take to read."""
        return max(10.0, 0.5 * self.file_bytes / 2**20)

    def begun(self) -> Limits:
        """Return the same limits with a deadline, counted from now, for the thread that reads."""
        return replace(self, deadline=time.thread_time() + self.seconds)

    def check_time(self, what: str) -> None:
        """Raise RefusedData if the deadline is over."""
        if time.thread_time() > self.deadline:
            raise RefusedData(
                f"{what} takes more than {self.seconds:g} seconds to read; expected less. Use fewer or "
                "smaller images, or raise the limit."
            )

    @property
    def inflated_bytes(self) -> int:
        """Limit on the decompressed size of the whole file, in bytes."""
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
        if n > MAX_IMAGES:
            raise RefusedData(f"got {n:,} images; expected at most {MAX_IMAGES:,}. Use fewer images.")
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
    """The content of a user's file, before any choice.

    Attributes
    ----------
    X : (n, n_v)
        Finite numbers as in the file, uint8 or float; one flattened image per row. NaN, in floating point,
        stands for a value that is not known.
    y : (n,) int64 or None
        Indices into `class_names`.
    class_names : tuple of str
    image_shape : (int, int) or None
        Height and width, where the file says so.
    n_test : int or None
        The last rows of `X` which the file itself sets aside for testing.
    name : str
        Name derived from the file's name.
    low, high : float
        Values that stand for an empty and for a full pixel, as `value_range` says.
    notes : tuple of str
        What was left out or assumed, as sentences.
    n_validation : int
        The last of the other rows, which the file itself sets aside for validation.
    columns : tuple of str
        What the columns of a table, or of an array with names, are called, where each is a quantity of its
        own and no pixel.
    question : str
        Question to the owner of the file, in words, while columns of a table are left out.
    class_column : int or None
        Column of a table that holds the classes, from 0, without one that numbers the lines.
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
    n_validation: int = 0
    columns: tuple[str, ...] = ()
    question: str = ""
    class_column: int | None = None

    @property
    def n_unknown(self) -> int:
        """Number of values that are not known."""
        unknown = unknown_in(self.X)
        return 0 if unknown is None else int(unknown.sum())


def known_range(X: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the smallest and the largest known value of each column of X, (n_v,) each; NaN without one."""
    return np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)


def constant_columns(X: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which columns of X have one known value at most; (n_v,)."""
    low, high = known_range(X)
    return ~(low < high)


def value_range(least: float, largest: float) -> tuple[float, float]:
    """Return the values that stand for an empty and for a full pixel.

    The one rule for pictures, arrays and tables, so that the same numbers are the same images in each of
    them: empty is 0, or the smallest value if that is negative; full is the largest value, or 1 if none is
    above 1. The type says nothing: a file of 16 bits may hold a mask of 0 and 1, or the 12 bits of a camera.

    Parameters
    ----------
    least, largest : float
        Smallest and largest value of all images together.
    """
    return min(0.0, least), max(1.0, largest)


def assemble(
    X: NDArray,
    labels: NDArray | Sequence[str] | None,
    image_shape: tuple[int, int] | None,
    n_test: int | None,
    name: str,
    limits: Limits,
    *,
    notes: Iterable[str] = (),
    n_validation: int = 0,
    title: Callable[[int], str] = "column {} of X".format,
) -> OwnImages:
    """Check what every format ends in: enough finite images that are not all the same, and named classes.

    NaN stands for a value that is not known. `title` names a column, from 0, in a message.
    """
    n, n_v = X.shape
    limits.check_images(n, n_v)
    if X.dtype.kind == "f":
        X = X.astype(np.float64) if X.dtype.itemsize > 8 else X
        bad = np.isinf(X).any(axis=1)
        if bad.any():
            raise RefusedData(
                f"{int(bad.sum())} of {n} images hold infinity, the first in row {int(bad.argmax())}; "
                "expected finite numbers, or NaN for a value that is not known. Correct them."
            )
        _check_known(X, title)
    if n_test is not None and not 1 <= n_test <= n - MIN_ROWS // 2:
        raise RefusedData(
            f"the file sets {n_test} of {n} images aside for testing; expected at least 1, and at least "
            f"{MIN_ROWS // 2} to train with. Choose another split, or save a single array X."
        )
    columns = known_range(X)
    low, high = float(columns[0].min()), float(columns[1].max())
    if max(-low, high) > MAX_VALUE:
        raise RefusedData(
            f"pixels have values from {low:g} to {high:g}; expected at most {MAX_VALUE:g} in magnitude. "
            "Divide them by the largest."
        )
    if (columns[0] == columns[1]).all():
        raise RefusedData(
            f"all {n} images are the same, with values from {low:g} to {high:g}; expected different ones. "
            "Check how the file was made."
        )
    y, class_names = _classes(labels)
    X = X.astype(np.uint8) if X.dtype.kind == "b" else X
    empty, full = value_range(low, high)
    return OwnImages(X, y, class_names, image_shape, n_test, name, empty, full, tuple(notes), n_validation)


def _check_known(X: NDArray[Any], title: Callable[[int], str]) -> None:
    """Raise RefusedData if no row has a value in some column."""
    empty = np.flatnonzero(np.isnan(X).all(axis=0))
    if len(empty):
        more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        raise RefusedData(
            f"{title(int(empty[0]))}{more}: no row has a value there; expected some known values in every "
            "column. Leave out what is empty throughout."
        )


def _classes(labels: NDArray | Sequence[str] | None) -> tuple[NDArray[np.int64] | None, tuple[str, ...]]:
    """Return each row's class as an index, and the classes' names; whole numbers in their order."""
    if labels is None:
        return None, ("image",)
    if isinstance(labels, np.ndarray) and labels.dtype.kind not in "US":
        return _numbered_classes(labels)
    # Word by word: an array of words takes the length of the longest for each.
    known: dict[str, int] = {}
    rows = []
    for label in labels:
        word = label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
        rows.append(known.setdefault(word, len(known)))
        if len(known) > MAX_CLASSES:
            raise _too_many_classes("more than 1,000")
    names = sorted(known)
    place = {known[name]: n for n, name in enumerate(names)}
    return np.array([place[row] for row in rows], np.int64), tuple(name[:40] for name in names)


def _numbered_classes(values: NDArray) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    if values.dtype.kind == "f":
        wrong = ~(np.abs(values) < 2**53) | (values != np.floor(values))
        if wrong.any():
            raise RefusedData(
                f"a label is {values[wrong][0]:g}; expected whole numbers or names. Check which column it is."
            )
        values = values.astype(np.int64)
    known, y = np.unique(values, return_inverse=True)
    if len(known) > MAX_CLASSES:
        raise _too_many_classes(f"{len(known):,}")
    return y.astype(np.int64).reshape(-1), tuple(str(name) for name in known.tolist())


def _too_many_classes(n: str) -> RefusedData:
    return RefusedData(
        f"the labels name {n} classes; expected at most {MAX_CLASSES:,}. "
        "Check which column they are, or leave them out."
    )


def listed(names: Iterable[str]) -> str:
    """Return the first six names, and how many more there are."""
    names = sorted(names)
    return (
        ", ".join(map(plain_name, names[:6])) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        or "nothing"
    )


def plain_name(name: str) -> str:
    """Return a name from a file as it may stand in a message: on one line, and short."""
    name = "".join(letter if letter.isprintable() else "?" for letter in name[:81])
    return f"{name[:80]}..." if len(name) > 80 else name or "a file without name"


def reason(error: Exception) -> str:
    """Return a library's error message about a file, in a form for our own messages."""
    return plain_name(str(error) or type(error).__name__)
