"""Sizes of the steps of training, which Python and browsers take from the same kernels."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import KERNEL


@njit(**KERNEL)
def falling_rate(learning_rate, decay_steps, step):
    """Return the learning rate of a step, from 0: it halves after `decay_steps`."""
    return learning_rate / (1.0 + step / decay_steps)


@njit(**KERNEL)
def rate_at(share, first, last):
    """Return a rate that falls exponentially from `first` to `last`, after a share of all steps but the
    last.
    """
    return first * math.exp(share * math.log(last / first))


@njit(**KERNEL)
def share_done(n_done, n_steps):
    """Return the share of all steps but the last that `n_done` are; at most 1."""
    return min(1.0, n_done / max(1, n_steps - 1))


@njit(**KERNEL)
def first_averaged(average, n_steps):
    """Return the number of steps that precede those over which parameters are averaged: a share `average` of
    all, at least one.
    """
    return n_steps - max(1.0, math.floor(average * n_steps + 0.5))


@njit(**KERNEL)
def kept_share(rate, weight_decay):
    """Return the factor on W before a step of size `rate`: it shrinks by weight decay."""
    return 1.0 - rate * weight_decay


@njit(**KERNEL)
def weigh(values, weight, weighted):
    """Fill `weighted` (n,) with prior log-odds, or temperatures, for a likelihood with the exponent `weight`.

    A visit at temperature T turns a unit on if ``d + weight L > T logit(u)``. That is ``d / weight + L > T /
    weight logit(u)``: the ordinary visit with another prior and another temperature.
    """
    for k in range(len(values)):
        weighted[k] = values[k] / weight


def weighed(values: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
    """Return log-odds or temperatures, of any shape, for a likelihood with an exponent, as :func:`weigh`."""
    # Writeable as well, so that one compiled kernel serves a loaded model's parameters and a trained one's.
    values = np.require(values, np.float64, ("C", "W"))
    found = np.empty(values.shape)
    weigh(values.reshape(-1), float(weight), found.reshape(-1))
    return found
