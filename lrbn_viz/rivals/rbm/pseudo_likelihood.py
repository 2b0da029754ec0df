"""The pseudo-likelihood: the probability of each pixel given all others, which needs no log Z.

    PL(x) = sum_i log P(x_i | x_-i),    log P(x_i | x_-i) = log P(x) - log (P(x) + P(x^i))

with x^i the image whose pixel i is flipped; log Z cancels. PL is low for a model that has learned nonsense,
unlike log P(x) up to an unknown constant. It is not log P(x), and can be compared only with other
pseudo-likelihoods of the same images.

References
----------
J. Besag (1975). Statistical analysis of non-lattice data. The Statistician 24, 179-195.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import softplus
from lrbn_viz.rivals.rbm.model import (
    Params,
    Visible,
    deviations,
    log_odds,
    of_unit_variance,
)

PSEUDO = "pseudo-log-likelihood"
PSEUDO_TITLE = f"{PSEUDO} of held-out images: sum of log P(pixel | all other pixels)"
"""Title of a validation score: its name, and its definition in words."""

N_PIXELS = 64
"""Number of pixels that are predicted where all would take too long."""
VALIDATED_PIXELS = 16
"""Number of pixels that are predicted after each pass of training, if each requires an inference of its
own.
"""
GOLDEN_RATIO = 0.5 * (1.0 + 5.0**0.5)
_AT_A_TIME = 1 << 20
"""Terms of latents in one array: 8 MB."""

GRID_STEP = 0.75
"""Standard deviations between the points at which the density of a Gaussian visible is summed. The sum over
an even grid is that close to the integral: to a part in 10^15."""
GRID_POINTS = 4096
"""Largest number of grid points. A visible whose components lie too far apart for it gets a lower bound."""
_TAIL = 9.0
"""Standard deviations beyond the outermost components, where the density is negligible."""


def predicted_pixels(n_v: int, most: int = N_PIXELS) -> NDArray[np.int64]:
    """Return the indices of the predicted pixels, in order: all, or `most` of them.

    The same for all models and images of one size. Multiples of the golden ratio spread over the rows and the
    columns of an image, whatever its width.
    """
    return np.sort(np.argsort(np.arange(n_v) * GOLDEN_RATIO % 1.0)[:most])


def total_of(log_p: NDArray[np.float64], n_v: int) -> NDArray[np.float64]:
    """Return the pseudo-log-likelihood of each image from log P(x_i | x_-i) of some pixels, (n, m); (n,)."""
    return log_p.mean(axis=1) * n_v


def pseudo_log_likelihood(
    params: Params, X: NDArray, visible: Visible = "bernoulli", pixels: NDArray[np.int64] | None = None
) -> NDArray[np.float64]:
    """Return ``sum_i log P(x_i | x_-i)`` of each image, nats; (n,).

    The value is exact, except for Gaussian visibles whose components lie thousands of standard deviations
    apart: there it is a lower bound.

    Parameters
    ----------
    X : (n, n_v)
    pixels : (m,) int64, optional
        The predicted pixels; None: all. A sum over fewer is scaled to all.
    """
    n_v = X.shape[1]
    chosen = np.arange(n_v) if pixels is None else pixels
    predict = _predict_binary if visible == "bernoulli" else _predict_gaussian
    return total_of(predict(params, np.asarray(X, np.float64), chosen), n_v)


def _parts(n: int, terms: int) -> Iterator[slice]:
    """Yield slices of n images, where each image requires so many terms."""
    rows = max(1, _AT_A_TIME // terms)
    for first in range(0, n, rows):
        yield slice(first, first + rows)


def _predict_binary(params: Params, X: NDArray[np.float64], pixels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return log P(x_i | x_-i) of Bernoulli visibles, exactly; (n, m)."""
    W, b = np.asarray(params.W, np.float64)[pixels], np.asarray(params.b, np.float64)[pixels]
    fields, turned = log_odds(params, X), 1.0 - 2.0 * X[:, pixels]
    gain = turned * b
    for rows in _parts(len(X), W.size):
        moved = fields[rows, None] + turned[rows, :, None] * W
        gain[rows] += (softplus(moved) - softplus(fields[rows, None])).sum(axis=2)
    return -softplus(gain)


def _predict_gaussian(
    params: Params, X: NDArray[np.float64], pixels: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return log P(x_i | x_-i) of Gaussian visibles: the density over its sum on a grid; (n, m).

    Given all others a visible is a mixture of Gaussians of its own variance, one for each state of the
    latents; the latents are summed out, and the mixture is integrated.
    """
    s = deviations(params)
    unit = of_unit_variance(params)
    W, b = np.asarray(unit.W, np.float64), np.asarray(unit.b, np.float64)
    U = X if s is None else X / s
    fields, found = log_odds(unit, U), np.empty((len(X), len(pixels)))
    for column, i in enumerate(pixels):
        w, at = W[i], U[:, i]
        grid = _grid(float(b[i]), w)
        for rows in _parts(len(X), len(grid) * len(w)):
            rest = fields[rows] - at[rows, None] * w
            here = softplus(fields[rows]).sum(axis=1) - 0.5 * np.square(at[rows] - b[i])
            of_latents = softplus(rest[:, None] + grid[:, None] * w).sum(axis=2)
            found[rows, column] = here - _log_integral(grid, of_latents, float(b[i]))
    return found if s is None else found - np.log(s[pixels])


def _grid(b: float, w: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return evenly spaced points that cover all components of a visible, whose means are b plus sums of
    elements of w.
    """
    low, high = b + np.minimum(w, 0.0).sum() - _TAIL, b + np.maximum(w, 0.0).sum() + _TAIL
    return np.linspace(low, high, int(min(np.ceil((high - low) / GRID_STEP), GRID_POINTS)) + 1)


def _log_integral(
    grid: NDArray[np.float64], of_latents: NDArray[np.float64], b: float
) -> NDArray[np.float64]:
    """Return the logarithm of the integral over u of exp(of_latents - (u - b)^2 / 2); (n,).

    `of_latents` (n, points) is convex in u. If the grid is too wide to sum, each of its intervals is bounded
    from above by the chord.
    """
    step = grid[1] - grid[0]
    if step <= 1.0:
        return np.logaddexp.reduce(of_latents - 0.5 * np.square(grid - b), axis=1) + np.log(step)
    slope = np.diff(of_latents, axis=1) / step
    highest = np.clip(b + slope, grid[:-1], grid[1:])
    most = of_latents[:, :-1] + slope * (highest - grid[:-1]) - 0.5 * np.square(highest - b)
    return np.logaddexp.reduce(most, axis=1) + np.log(step)
