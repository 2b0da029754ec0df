"""One step of gradient ascent, by momentum or by Adam, on any number of arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.rivals.sbn.kernels import adam_step, momentum_step, share_of_gradient

Optimiser = Literal["momentum", "adam"]
Arrays = tuple[NDArray[np.float32], ...]

SQUARE_DECAY, MIN_ROOT = 0.999, 1e-8
"""Adam's decay rate of the mean of squares, and the constant added to its square root."""


class Step(NamedTuple):
    """New parameters, new running means of their gradients and of the squares, and a sum of all parameters.

    The sum is finite unless a parameter is not.
    """

    values: Arrays
    first: Arrays
    second: Arrays
    total: float


def begin(optimiser: Optimiser, values: Sequence[NDArray[np.float32]]) -> tuple[Arrays, Arrays]:
    """Return the initial running means; momentum has no running mean of squares."""
    first = tuple(np.zeros_like(value) for value in values)
    return first, tuple(np.zeros_like(value) for value in values) if optimiser == "adam" else ()


def ascend(
    optimiser: Optimiser,
    values: Sequence[NDArray[np.float32]],
    gradients: Sequence[NDArray[np.float32]],
    first: Arrays,
    second: Arrays,
    rates: Sequence[float],
    momentum: float,
    n_steps: int,
) -> Step:
    """Take a step of gradient ascent. The arguments are not modified.

    Parameters
    ----------
    values, gradients : sequences of float32 arrays
    first, second : tuples of float32 arrays
        Running means from :func:`begin` or from the previous step.
    rates : sequence of float
        Learning rate of each array.
    momentum : float
        Decay rate of the mean of gradients.
    n_steps : int
        Steps so far.
    """
    kept = share_of_gradient(momentum)
    share, total = np.float32(kept), 0.0
    new, new_first, new_second = (
        [np.empty_like(each) for each in arrays] for arrays in (values, first, second)
    )
    shares = np.array([kept, 1.0 - SQUARE_DECAY], np.float32)
    began = 1.0 - momentum ** (n_steps + 1)
    scale = np.float32(1.0 / math.sqrt(1.0 - SQUARE_DECAY ** (n_steps + 1)))
    for n, rate in enumerate(rates):
        value, gradient, mean = values[n], np.ascontiguousarray(gradients[n]), first[n]
        out, out_mean = new[n], new_first[n]
        if optimiser == "momentum":
            total += momentum_step(value, gradient, mean, share, np.float32(rate), out, out_mean)
        else:
            squares, out_squares = second[n], new_second[n]
            size, least = np.float32(rate / began), np.float32(MIN_ROOT)
            total += adam_step(
                value, gradient, mean, squares, shares, size, scale, least, out, out_mean, out_squares
            )
    return Step(tuple(new), tuple(new_first), tuple(new_second), float(total))
