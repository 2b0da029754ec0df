"""The latent regression Bayesian network: its probabilities and how to sample from it.

Binary latents ``h`` with independent priors generate ``x`` through one linear layer. Bernoulli visible units
are the discrete LRBN of the paper, Gaussian ones the hybrid LRBN with unit variance.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.units import LOG_2PI as LOG_2PI
from lrbn_viz.core.units import UNITS
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import sigmoid, softplus

Visible = Literal["bernoulli", "gaussian"]
Start = Literal["conditional", "paper", "zeros", "random"]


def make_params(W: ArrayLike, b: ArrayLike, d: ArrayLike) -> LayerParams:
    """Check and copy user-given parameters.

    Raises
    ------
    ValueError
        When shapes do not fit each other or a value is not finite.
    """
    W, b, d = (np.array(a, dtype=np.float64) for a in (W, b, d))
    if W.ndim != 2 or 0 in W.shape:
        raise ValueError(
            f"W has shape {W.shape}; expected (n_v, n_h), one column of weights per latent unit."
        )
    for name, array, n, rows in (("b", b, W.shape[0], "n_v"), ("d", d, W.shape[1], "n_h")):
        if array.shape != (n,):
            raise ValueError(f"{name} has shape {array.shape}; expected ({n},), since W gives {rows} = {n}.")
    for name, array in (("W", W), ("b", b), ("d", d)):
        if not np.isfinite(array).all():
            raise ValueError(
                f"{name} holds NaN or infinity; expected finite numbers. Check how it was trained."
            )
        array.flags.writeable = False
    return LayerParams(W, b, d)


def activation(params: LayerParams, H: NDArray) -> NDArray[np.float64]:
    """Return ``a = W h + b`` for each row of `H`; shape (n, n_v)."""
    return H @ params.W.T + params.b


def visible_mean(params: LayerParams, visible: str, H: NDArray) -> NDArray[np.float64]:
    """Return the mean of x given each row of `H`; shape (n, n_v), probabilities for Bernoulli visible units.

    Equation: (2) and (5).
    """
    return UNITS[visible].mean(activation(params, H))


def most_probable_visible(params: LayerParams, visible: str, H: NDArray) -> NDArray:
    """Return ``argmax_x P(x | h)``: uint8 images for Bernoulli units, the mean for Gaussian ones.

    Equation: (24).
    """
    return UNITS[visible].most_probable(activation(params, H))


def log_joint(params: LayerParams, visible: str, X: NDArray, H: NDArray) -> NDArray[np.float64]:
    """Return the normalised ``log P(x, h)`` of each pair of rows, in nats; shape (n,).

    Equation: (3) and (6).
    """
    return log_joint_given(params, visible, X, H, activation(params, H))


def log_joint_given(
    params: LayerParams, visible: str, X: NDArray, H: NDArray, a: NDArray
) -> NDArray[np.float64]:
    """Return :func:`log_joint` where the activations `a` (n, n_v) are already known."""
    return UNITS[visible].log_likelihood(X, a) + H @ params.d - softplus(params.d).sum()


CACHED_IMAGES = 64
"""Number of images whose temporary arrays stay in the second-level cache; those of more are cleared by the
system at each call.
"""


class Residuals(NamedTuple):
    """Images of Gaussian units as the evidence uses them.

    Attributes
    ----------
    x : (n, n_v) float64
        ``x - b``; 0 where x is not known.
    squares : (n, n_h) or (n_h,) float64
        ``sum_i w_ij**2`` over the known units of each image, or over all of them.
    """

    x: NDArray[np.float64]
    squares: NDArray[np.float64]


def residuals_of(params: LayerParams, X: NDArray, unknown: NDArray[np.bool_] | None) -> Residuals:
    """Return the residuals of images of Gaussian units, of which some may be unknown, (n, n_v)."""
    squares = params.W**2
    if unknown is None:
        return Residuals(X - params.b, squares.sum(axis=0))
    x, of_known = np.empty(X.shape), np.empty((len(X), params.n_h))
    one_pattern = bool((unknown == unknown[:1]).all())
    if one_pattern:
        of_known[:] = ~unknown[0] @ squares
    room = np.empty((min(len(X), CACHED_IMAGES), params.n_v))
    for first in range(0, len(X), CACHED_IMAGES):
        part = slice(first, first + CACHED_IMAGES)
        here, other = x[part], room[: len(x[part])]
        # Their sum is x, and 0 where it is not known. A choice, which the processor cannot predict, takes six
        # times as long.
        np.fmax(X[part], 0.0, out=here)
        np.fmin(X[part], 0.0, out=other)
        here += other
        np.logical_not(unknown[part], out=other)
        if not one_pattern:
            np.matmul(other, squares, out=of_known[part])
        other *= params.b
        here -= other
    return Residuals(x, of_known)


def evidence(
    params: LayerParams, visible: Visible, X: NDArray, residuals: Residuals | None = None
) -> NDArray[np.float64]:
    """Return the part of each latent's log-odds that does not depend on the other latents; shape (n, n_h).

    For Bernoulli units ``d + W'x``: all that an RBM sees, and the logit of the paper's start (equation 11).
    For Gaussian units ``d + W'(x - b) - diag(W'W)/2`` (equation 12, with the offset that the paper drops).
    Units that are not known, NaN, drop out of either sum. `residuals` are those of Gaussian units, where they
    are computed already.

    Equation: (11) and (12).
    """
    if visible == "bernoulli":
        unknown = unknown_in(X)
        return (X if unknown is None else np.where(unknown, 0.0, X)) @ params.W + params.d
    if residuals is None:
        residuals = residuals_of(params, X, unknown_in(X))
    return residuals.x @ params.W + params.d - 0.5 * residuals.squares


def known_sums(X: NDArray) -> tuple[NDArray, Any]:
    """Return the sums of each pixel over the images in which it is known, and their number; (n_v,) each.

    One number for all pixels if everything is known.
    """
    unknown = unknown_in(X)
    return (X.sum(axis=0), len(X)) if unknown is None else (np.nansum(X, axis=0), (~unknown).sum(axis=0))


def natural_mean(total: NDArray, n: Any, visible: str) -> NDArray[np.float64]:
    """Return the offsets of pixels without latents, (n_v,), from the sums of each over `n` images.

    Log-odds for Bernoulli units, with half an image on and half off added, so that they are finite.
    """
    if visible == "gaussian":
        return total / np.maximum(n, 1)
    mean = (total + 0.5) / (n + 1)
    return np.log(mean) - np.log1p(-mean)


def sample_visible(params: LayerParams, visible: str, H: NDArray, rng: np.random.Generator) -> NDArray:
    """Draw x given each row of `H`: uint8 for Bernoulli units, float64 for Gaussian ones; shape (n, n_v)."""
    mean = visible_mean(params, visible, H)
    if UNITS[visible].binary:
        return (rng.random(mean.shape) < mean).astype(np.uint8)
    return mean + rng.standard_normal(mean.shape)


def sample_prior(params: LayerParams, n: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw n independent latent states from the prior; shape (n, n_h). Equation: (1)."""
    return (rng.random((n, params.n_h)) < sigmoid(params.d)).astype(np.uint8)
