"""What opening a stored thing gives, as plain values: asked when it is stored, and by the tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz import load_dataset

Values = dict[str, Any]
"""Arrays and JSON values by name."""


def digits(visible: str = "bernoulli", side: int = 8) -> tuple[NDArray, NDArray]:
    """Return 160 images, whole or their middle, and their classes.

    Grey ones are binary ones scaled by sums of powers of two: the same bits on every machine.
    """
    data = load_dataset("digits")
    edge = (8 - side) // 2
    X = data.train_X[:160].reshape(-1, 8, 8)[:, edge : 8 - edge, edge : 8 - edge].reshape(160, side * side)
    if visible == "bernoulli":
        return X, data.train_y[:160]
    return X * 1.5 - 0.5 + 0.125 * (np.arange(side * side) % 7), data.train_y[:160]
