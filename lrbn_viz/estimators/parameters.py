"""Checks of the parameters that users give, before a model takes them over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.fields import each_layer
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import check_numbers
from lrbn_viz.lrbn import model
from lrbn_viz.rivals.sbn.model import LayerNetworks


def alone_or_all(sizes: Any) -> Any:
    """Return the number of latents of a model of one layer alone, and of several those of each, a tuple."""
    sizes = each_layer(sizes)
    return sizes[0] if len(sizes) == 1 else sizes


def lowest_layer(W: ArrayLike, b: ArrayLike, d: ArrayLike) -> LayerParams:
    """Return checked copies of W (n_v, n_h), b (n_v,) and d (n_h,); ValueError where they do not fit."""
    return model.make_params(*(check_numbers(a, name) for a, name in ((W, "W"), (b, "b"), (d, "d"))))


def taken(given: dict[str, Any], names: Sequence[str], owner: str, of: Sequence[str] = ()) -> list[Any]:
    """Take arrays out of those given, by name, and return them.

    Parameters
    ----------
    owner : str
        What they are arrays of, for messages.
    of : sequence of str
        Names of all arrays of it, for messages; W, b, d and `names` where it is empty.

    Raises
    ------
    TypeError
        One is missing.
    """
    lacking = [name for name in names if given.get(name) is None]
    if lacking:
        expected = ", ".join(of or ("W", "b", "d", *names))
        raise TypeError(f"{owner} lacks {', '.join(lacking)}; expected all of {expected}.")
    return [given.pop(name) for name in names]


def upper_layer(
    low: LayerParams, U: ArrayLike, e: ArrayLike, names: tuple[str, str] = ("U", "e")
) -> LayerParams:
    """Return the layer above a checked one: of weights U (n_h, n_top) and offsets e (n_top,), and d as its b.

    `names` are what messages call these two.

    Raises
    ------
    ValueError
        Shapes do not fit each other, or a value is not finite.
    """
    e = check_numbers(e, names[1])
    shapes = dict(zip(names, ((low.n_h, e.size), (e.size,)), strict=True))
    W, d = _fitting(tuple(zip(names, (U, e), strict=True)), shapes, low.n_h)
    return LayerParams(W, low.d, d)


def networks_of(
    layers: Sequence[LayerParams], recognition: Sequence[tuple[str, ArrayLike]]
) -> tuple[LayerNetworks, ...]:
    """Return both networks of checked layers, the lowest first.

    Parameters
    ----------
    recognition : sequence of (name, array)
        Weights (n_v, n_h) and offsets (n_h,) of the recognition network of each layer, one after the other.

    Raises
    ------
    ValueError
        Shapes do not fit each other, or a value is not finite.
    """
    found = []
    for n, layer in enumerate(layers):
        given = recognition[2 * n : 2 * n + 2]
        shapes = dict(zip((name for name, _ in given), (layer.W.shape, layer.d.shape), strict=True))
        found.append(LayerNetworks(*layer, *_fitting(given, shapes, layer.n_v)))
    return tuple(found)


def _fitting(
    given: Sequence[tuple[str, ArrayLike]], shapes: dict[str, tuple[int, ...]], n_below: int
) -> list[NDArray[np.float64]]:
    """Return read-only copies of arrays that have these shapes and finite values."""
    found = []
    for name, numbers in given:
        array, shape = np.array(check_numbers(numbers, name), np.float64), shapes[name]
        if array.shape != shape or not array.size:
            of = f"a row for each of {n_below} units below and " if len(shape) == 2 else ""
            raise ValueError(
                f"{name} has shape {array.shape}; expected {shape}, {of}a {'column' if of else 'number'} for "
                "each latent of its layer, at least one."
            )
        if not np.isfinite(array).all():
            raise ValueError(
                f"{name} holds NaN or infinity; expected finite numbers. Check how it was trained."
            )
        array.flags.writeable = False
        found.append(array)
    return found
