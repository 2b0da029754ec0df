"""Visible units number by number, for kernels: :mod:`lrbn_viz.core.units` says what each kind is."""

from __future__ import annotations

import math
from collections.abc import Mapping

from numba import njit

from lrbn_viz.kernels.numerics import INLINED, scalar_sigmoid

KINDS: Mapping[str, int] = {"bernoulli": 0, "gaussian": 1, "noisy-or": 2}
"""Numbers by which kernels know the kinds of visible units."""


@njit(**INLINED)
def mean_of(kind: int, a: float) -> float:
    """Return the mean of a unit of activation `a`: a probability of binary ones."""
    if kind == 0:
        return scalar_sigmoid(a)
    return a if kind == 1 else 1.0 - math.exp(-a)
