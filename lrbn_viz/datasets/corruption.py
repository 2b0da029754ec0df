"""Ways to corrupt images, to test a model on them: a hidden rectangle, noise, inverted ink.

Each returns a new array and leaves its input as it is. An array of integers or booleans is taken as binary
and must hold only 0 and 1; an array of floats is taken as real-valued, in whatever unit it is. NaN stands for
a pixel that is not known, and stays NaN unless it is hidden; floats with NaN whose other values are all 0 and
1 are taken as binary.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.validation import Interval, check_integer, check_number, unknown_in


def occlude(
    X: NDArray[Any],
    image_shape: tuple[int, int],
    top: int,
    left: int,
    height: int,
    width: int,
    value: float = 0,
) -> NDArray[Any]:
    """Cover a rectangle of every image.

    Parameters
    ----------
    X : (n, n_v) or (n_v,), flattened images; uint8 in {0, 1}, or floats.
    image_shape : (height, width) of an image, height * width = n_v.
    top, left : first covered row and column, from 0.
    height, width : rows and columns covered, at least 1; the rectangle must lie inside the image.
    value : what covered pixels become: 0 or 1 for binary images, any finite number for floats.

    Returns
    -------
    A new array of X's shape: uint8 for binary images that are known as a whole, else float64.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as above.

    Examples
    --------
    >>> import lrbn_viz
    >>> lrbn_viz.occlude([1, 1, 1, 1], (2, 2), top=0, left=0, height=1, width=2)
    array([0, 0, 1, 1], dtype=uint8)
    """
    image, binary = _checked_images(X)
    rows, columns = _checked_shape(image_shape, image.shape[-1])
    for label, number, least in (
        ("top", top, 0),
        ("left", left, 0),
        ("height", height, 1),
        ("width", width, 1),
    ):
        check_integer(number, label, least)
    if top + height > rows or left + width > columns:
        raise ValueError(
            f"expected a rectangle inside the {rows}x{columns} image, got top={top}, left={left}, "
            f"height={height}, width={width}; choose top + height <= {rows} and left + width <= {columns}."
        )
    check_number(value, "value", Interval(-math.inf, closed="neither"))
    if binary and value not in (0, 1):
        raise ValueError(
            f"expected value 0 or 1 for binary images, got {value!r}; pass floats for other values."
        )
    image.reshape(-1, rows, columns)[:, top : top + height, left : left + width] = value
    return image


def add_noise(X: NDArray[Any], rate: float, rng: np.random.Generator | int) -> NDArray[Any]:
    """Add independent noise to every pixel: flips for binary images, Gaussian noise for real-valued ones.

    Parameters
    ----------
    X : (n, n_v) or (n_v,), flattened images; uint8 in {0, 1}, or floats.
    rate : for binary images the probability of a flip, 0 to 1; for floats the standard deviation of the noise
        in X's unit, 0 or more (in standardised data 1 is the pixel's own deviation over the training images).
    rng : generator, or a seed for one.

    Returns and raises as :func:`occlude` does.

    Examples
    --------
    >>> import lrbn_viz
    >>> lrbn_viz.add_noise([0, 1, 1, 0], 1.0, 0)  # every pixel is flipped
    array([1, 0, 0, 1], dtype=uint8)
    """
    image, binary = _checked_images(X)
    bounds = Interval(0, 1, "both") if binary else Interval(0)
    check_number(rate, f"rate, the {'probability of a flip' if binary else 'standard deviation'},", bounds)
    if not isinstance(rng, np.random.Generator):
        seed = check_integer(rng, "rng, a numpy.random.Generator or an integer seed,", 0)
        rng = np.random.default_rng(seed)
    if binary:
        flipped = rng.random(image.shape) < rate
        return np.where(flipped, 1 - image, image)
    return image + rate * rng.standard_normal(image.shape)


def invert(X: NDArray[Any]) -> NDArray[Any]:
    """Exchange ink and background.

    Parameters
    ----------
    X : (n, n_v) or (n_v,), flattened images; uint8 in {0, 1}, or floats.

    Returns
    -------
    A new array of X's shape. With 0 and 1 exchanged for binary images; for floats the negative,
    float64, which in standardised data is the mirror image about the training mean. Twice inverted is the
    original.

    Raises
    ------
    ValueError, TypeError
        If X is not as above.

    Examples
    --------
    >>> import lrbn_viz
    >>> lrbn_viz.invert([0, 1, 1, 0])
    array([1, 0, 0, 1], dtype=uint8)
    """
    image, binary = _checked_images(X)
    return 1 - image if binary else -image


def _checked_images(X: NDArray[Any]) -> tuple[NDArray[Any], bool]:
    """A fresh C-ordered copy of X, uint8 or, with NaN or real values, float64, and whether it is binary."""
    array = np.asarray(X)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"expected X to be an array of numbers, got dtype {array.dtype}; convert it to uint8 or float64."
        )
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(
            f"expected X of shape (n, n_v) or (n_v,), not empty, got {array.shape}; "
            "flatten each image to one row."
        )
    if array.dtype.kind == "f":
        if np.isinf(array).any():
            raise ValueError("expected X to be finite or NaN, got infinity; remove those rows.")
        unknown = unknown_in(array)
        binary = unknown is not None and bool(((array == 0) | (array == 1) | unknown).all())
        return np.array(array, dtype=np.float64, order="C"), binary
    if array.min() < 0 or array.max() > 1:
        raise ValueError(
            f"expected binary X of 0 and 1, got integers from {array.min()} to {array.max()}; "
            "threshold them, or convert to float for real-valued images."
        )
    return np.array(array, dtype=np.uint8, order="C"), True


def _checked_shape(image_shape: tuple[int, int], n_v: int) -> tuple[int, int]:
    try:
        rows, columns = image_shape
    except (TypeError, ValueError):
        raise ValueError(f"expected image_shape (height, width), got {image_shape!r}.") from None
    rows, columns = check_integer(rows, "image height", 1), check_integer(columns, "image width", 1)
    if rows * columns != n_v:
        raise ValueError(
            f"expected image_shape with height * width = {n_v}, the length of a row of X, "
            f"got {image_shape!r}; pass the shape one row had before it was flattened."
        )
    return rows, columns
