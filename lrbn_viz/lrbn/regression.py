"""The M-step: regression of x on known latents, by gradients or, for Gaussian units, in closed form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from lrbn_viz.lrbn.model import LRBNParams, Visible, activation
from lrbn_viz.numerics import sigmoid


class GaussianStatistics(NamedTuple):
    """Sums over images of the augmented latents ``g = [h, 1]``: all that the Gaussian M-step needs of the
    data.

    Attributes
    ----------
    gg : (n_h + 1, n_h + 1) float64
        ``sum g g'``.
    xg : (n_v, n_h + 1) float64
        ``sum x g'``.
    """

    gg: NDArray[np.float64]
    xg: NDArray[np.float64]


def gaussian_statistics(X: NDArray, H: NDArray) -> GaussianStatistics:
    """Return the sufficient statistics of one batch."""
    G = np.column_stack([H, np.ones(len(H))]).astype(np.float64)
    return GaussianStatistics(G.T @ G, X.T @ G)


def solve_gaussian(statistics: GaussianStatistics, ridge: float) -> tuple[NDArray, NDArray]:
    """Return W and b that minimise ``sum ||x - W h - b||**2 + ridge ||W||**2``, jointly.

    The paper solves W for a given b. Dead units (always off) and duplicates make ``sum h h'`` singular: with
    the ridge dead units get weights of 0 and duplicates share theirs.

    Equation: (17).
    """
    penalty = np.full(len(statistics.gg), ridge)
    penalty[-1] = 0.0
    solution = scipy.linalg.solve(statistics.gg + np.diag(penalty), statistics.xg.T, assume_a="sym")
    return np.ascontiguousarray(solution[:-1]).T, solution[-1]


def gradient(params: LRBNParams, visible: Visible, X: NDArray, H: NDArray) -> LRBNParams:
    """Return the gradient of the mean ``log P(x, h)`` over the pairs of rows with respect to W, b and d.

    Equation: (15) and (16); for d, ``h_j - sigmoid(d_j)``.
    """
    return gradient_given(params, visible, X, H.astype(np.float64), activation(params, H))


def gradient_given(params: LRBNParams, visible: Visible, X: NDArray, H: NDArray, a: NDArray) -> LRBNParams:
    """Return :func:`gradient` where the activations `a` (n, n_v) are already known."""
    residual = X - (sigmoid(a) if visible == "bernoulli" else a)
    return LRBNParams((H.T @ residual / len(X)).T, residual.mean(axis=0), H.mean(axis=0) - sigmoid(params.d))
