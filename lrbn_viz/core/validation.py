"""Checks of user input: every message says what was expected, what was received and what to do."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.io.storage import quoted


def check_images(
    X: ArrayLike,
    visible: str,
    n_v: int | None = None,
    owner: str = "the model",
    binarize: float | None = None,
    unknown: bool = False,
) -> NDArray[np.float64]:
    """Return a batch of images as float64 of shape (n, n_v).

    Parameters
    ----------
    X : (n, n_v) array or sparse matrix
    visible : {"bernoulli", "gaussian"}
        Kind of visible units.
    n_v : int, optional
        Expected pixels of an image.
    owner : str
        Name of the model in error messages.
    binarize : float, optional
        Values above it become 1, all others 0.
    unknown : bool
        NaN is allowed: a value that is not known.

    Raises
    ------
    TypeError
        `X` contains values that are no numbers.
    ValueError
        `X` has another number of dimensions or columns, no rows, infinity, NaN unless `unknown`, or values
        other than 0 and 1 for Bernoulli units without `binarize`.
    """
    array = check_numbers(dense(X), "X")
    if array.ndim != 2:
        how = (
            "X.reshape(len(X), -1) makes a row of each image"
            if array.ndim > 2
            else "x[None] makes a batch of one"
        )
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead: X has shape {array.shape}; "
            f"expected (n, n_v), one flattened image per row. Reshape your data: {how}."
        )
    if array.shape[0] == 0:
        raise ValueError("X has 0 sample(s) while a minimum of 1 is required; pass at least one image.")
    _check_width(array, "X", n_v, owner)
    return _check_values(array, "X", visible, binarize, unknown)


def check_image(
    x: ArrayLike, visible: str, n_v: int, binarize: float | None = None, unknown: bool = False
) -> NDArray[np.float64]:
    """Return one flattened image as float64 of shape (n_v,), with the checks of :func:`check_images`."""
    array = check_numbers(x, "x")
    if array.ndim != 1:
        raise ValueError(f"x has shape {array.shape}; expected one flattened image, ({n_v},). Use x.ravel().")
    _check_width(array, "x", n_v)
    return _check_values(array, "x", visible, binarize, unknown)


def unknown_in(X: NDArray) -> NDArray[np.bool_] | None:
    """Return which values are not known, NaN, in the shape of `X`; None if all are known."""
    if X.dtype.kind != "f":
        return None
    unknown = np.isnan(X)
    return unknown if unknown.any() else None


def dense(X: Any) -> Any:
    """Return a sparse matrix as a dense array, and any other value unchanged."""
    return X.toarray() if hasattr(X, "toarray") else X


def check_numbers(values: Any, name: str) -> NDArray:
    """Return values as an array of real numbers, of any shape."""
    if hasattr(values, "toarray"):
        raise TypeError(f"{name} is a sparse array; expected a dense one. Convert it with {name}.toarray().")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(
            f"{name} is no rectangular array ({error}); expected rows of equal length. Pad or drop rows."
        ) from error
    if array.dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: {name} has dtype {array.dtype}; expected real numbers."
        )
    if array.dtype.kind == "O":
        try:
            # Tables of pandas whose columns have missing values of their own, NA, which NumPy cannot convert.
            table = hasattr(values, "iloc")
            array = values.to_numpy(np.float64, na_value=np.nan) if table else array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"{name} holds objects ({error}); argument must be a string or a number array."
            ) from error
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} has dtype {array.dtype}; expected numbers. Convert it with astype(float).")
    return array


def _check_width(array: NDArray, name: str, n_v: int | None, owner: str = "the model") -> None:
    width = array.shape[-1]
    if width == 0:
        raise ValueError(
            f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required: {name} has no pixels."
        )
    if n_v is not None and width != n_v:
        raise ValueError(
            f"{name} has {width} features, but {owner} is expecting {n_v} features as input "
            f"(n_v = {n_v}); pass flattened images of {n_v} pixels."
        )


def check_whole(x: NDArray, what: str) -> None:
    """Raise ValueError if a part of an image is not known."""
    if unknown_in(x) is not None:
        raise ValueError(
            f"{what} whole images; got one of which a part is not known (NaN). Fill it in with impute."
        )


def _check_values(
    array: NDArray, name: str, visible: str, binarize: float | None, unknown: bool
) -> NDArray[np.float64]:
    missing = unknown_in(array) if unknown else None
    known = array if missing is None else np.where(missing, 0.0, array)
    if known.dtype.kind == "f" and not np.isfinite(known).all():
        if unknown:
            raise ValueError(
                f"{name} contains infinity; expected finite numbers, or NaN for what is not known."
            )
        raise ValueError(
            f"{name} contains NaN or infinity; expected finite numbers. Fill or drop missing values, or use "
            "an LRBN, which infers and learns where values are not known (NaN)."
        )
    if binarize is not None:
        array = array > binarize if missing is None else np.where(missing, np.nan, array > binarize)
    elif visible == "bernoulli" and known.dtype.kind != "b" and ((known != 0) & (known != 1)).any():
        raise ValueError(
            f"{name} holds values from {np.nanmin(array)} to {np.nanmax(array)}; Bernoulli units expect 0 "
            'and 1 only. Threshold the data, as binarize does, or use visible="gaussian".'
        )
    return np.ascontiguousarray(array, dtype=np.float64)


def check_latents(H: ArrayLike, shape: tuple[int, ...], name: str = "h") -> NDArray[np.uint8]:
    """Return latent states as uint8; raise an error unless they have `shape` and contain only 0 and 1."""
    array = check_numbers(H, name)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; expected {shape}, one state per latent unit.")
    if ((array != 0) & (array != 1)).any():
        raise ValueError(f"{name} holds values other than 0 and 1; expected binary latent states.")
    return array.astype(np.uint8)


def check_latent_batch(H: ArrayLike, n_h: int) -> NDArray:
    """Return rows of latent states or probabilities, (n, n_h), all within [0, 1]."""
    array = check_numbers(H, "H")
    if array.ndim != 2 or array.shape[1] != n_h or len(array) == 0:
        raise ValueError(
            f"H has shape {array.shape}; expected (n, {n_h}), one row of latent states per image."
        )
    if not ((array >= 0) & (array <= 1)).all():
        raise ValueError("H holds values outside 0 to 1; expected latent states or their probabilities.")
    return array


@dataclass(frozen=True)
class Interval:
    """Real numbers from `low` to `high`; `closed` names the ends that are included.

    Examples
    --------
    >>> 1.0 in Interval(0, 1), 1.0 in Interval(0, 1, "both")
    (False, True)
    >>> str(Interval(0, 1)), str(Interval(0, math.inf, "neither"))
    ('at least 0 and below 1', 'above 0 and finite')
    """

    low: float
    high: float = math.inf
    closed: Literal["left", "right", "both", "neither"] = "left"

    def __contains__(self, value: float) -> bool:
        low = value >= self.low if self.closed in ("left", "both") else value > self.low
        return low and (value <= self.high if self.closed in ("right", "both") else value < self.high)

    def __str__(self) -> str:
        if math.isinf(self.low) and math.isinf(self.high):
            return "finite"
        low = f"{'at least' if self.closed in ('left', 'both') else 'above'} {self.low:,}"
        if self.closed in ("right", "both"):
            return f"{low}, inf allowed" if math.isinf(self.high) else f"{low} and at most {self.high:,}"
        return f"{low} and finite" if math.isinf(self.high) else f"{low} and below {self.high:,}"


def check_integer(value: Any, name: str, minimum: int, maximum: int | None = None) -> int:
    """Return a whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer; got {quoted(value)}.")
    value = int(value)
    if value < minimum or (maximum is not None and value > maximum):
        bounds = f"at least {minimum}" if maximum is None else f"{minimum} to {maximum}"
        raise ValueError(f"{name} must be {bounds}; got {quoted(value)}.")
    return value


def check_number(value: Any, name: str, bounds: Interval) -> float:
    """Return a real number within bounds."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number; got {quoted(value)}.")
    try:
        value = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be a number of double precision; got {quoted(value)}.") from None
    if value not in bounds:
        raise ValueError(f"{name} must be {bounds}; got {quoted(value)}.")
    return value


def check_choice(value: Any, name: str, choices: tuple[str, ...]) -> str:
    """Return one of the named choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}; got {quoted(value)}.")
    return value


def check_flag(value: Any, name: str) -> bool:
    """Return True or False; raise an error for any other value."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False; got {quoted(value)}.")
    return bool(value)


def check_clamp(clamp: Mapping[int, int] | None, n_h: int) -> dict[int, int]:
    """Return the held latents with their states."""
    clamp = {} if clamp is None else clamp
    if not isinstance(clamp, Mapping):
        raise TypeError(f"clamp must map units to states, such as {{3: 1}}; got {type(clamp).__name__}.")
    return {
        check_integer(j, "a clamped unit", 0, n_h - 1): check_integer(s, "its state", 0, 1)
        for j, s in clamp.items()
    }


def generator(random_state: Any) -> np.random.Generator:
    """Return a Generator from None, an integer seed, a Generator or a legacy RandomState."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    if random_state is not None and not isinstance(random_state, np.random.Generator):
        check_integer(random_state, "random_state", 0)
    return np.random.default_rng(random_state)
