"""What a pass of generation draws, by numbers drawn before: the same in Python and in a live page."""

from __future__ import annotations

import math

from numba import njit

from lrbn_viz.kernels.numerics import KERNEL


@njit(**KERNEL)
def fill_draws(means, uniforms, states):
    """Fill `states` (n, m), uint8, with draws of units with these means by numbers in [0, 1)."""
    for m in range(means.shape[0]):
        for i in range(means.shape[1]):
            states[m, i] = uniforms[m, i] < means[m, i]


@njit(**KERNEL)
def add_noise(means, normals, precision, X):
    """Fill images with draws of Gaussian units around their means.

    Parameters
    ----------
    means : (n, n_v) float64
        Of the units given the latents.
    normals : (n, n_v) float64
        Standard normal numbers.
    precision : (n_v,) float64
        One over the variance of each unit given the latents.
    X : (n, n_v) float64
        Filled.
    """
    for m in range(means.shape[0]):
        for i in range(means.shape[1]):
            X[m, i] = means[m, i] + normals[m, i] / math.sqrt(precision[i])
