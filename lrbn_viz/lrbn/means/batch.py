"""Mean field of a batch of images in single precision: sweeps on each bound, and the means of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import one_blas_thread, run_kernel, softplus
from lrbn_viz.kernels.workspace import Workspace, layer_workspaces
from lrbn_viz.lrbn.means.quadratic import add_bounds, settle, visit_latents
from lrbn_viz.lrbn.means.tilted import MAX_EXPONENT_SUM, MIN_MEAN_DISTANCE, ascend_means

BATCH_IMAGES = 100
"""Number of images whose means ascend at a time."""
_MOMENTS = "mean", "xi", "gamma", "left"
"""Arrays (n, n_v) of a layer's workspace: E a, xi, gamma, and the residuals of the units below."""


def ascend_tilted(
    layer: LayerParams, X: NDArray[np.float32], Q: NDArray[np.float32], n_sweeps: int, work: Workspace
) -> tuple[NDArray[np.float64], tuple[NDArray[np.float32], ...]]:
    """Sweep over the means `Q` (n, n_h) of a single layer on the tilted bound; modified in place.

    Parameters
    ----------
    layer : LayerParams
        In single precision.
    X : (n, n_v) float32
        Images of 0 and 1.

    Returns
    -------
    (n,) float64
        Lower bound on log P(x) of each image, nats.
    tuple of float32 arrays
        Weights of each latent and their exponentials, (n_h, n_v); tilts xi and the means phi of x that the
        tilted bound has for each image, (n, n_v). All belong to the workspace.
    """
    (n, n_v), n_h = X.shape, layer.n_h
    rows, scales = work.array("rows", n_h, n_v), work.array("scales", n_h, n_v)
    rows[...] = layer.W.T
    np.exp(np.minimum(rows, 80.0, out=scales), out=scales)
    largest = float(np.abs(rows).max(initial=0.0))
    n_fold = max(1, int(MAX_EXPONENT_SUM / max(largest, 1.0)))
    xi, phi = work.array("xi", n, n_v), work.array("phi", n, n_v)
    bounds = work.array("bounds", n, dtype=np.float64)
    bounds[:] = -softplus(layer.d.astype(np.float64)).sum()
    singles = work.array("singles", n, 3, n_v)
    doubles = work.array("doubles", n, 5, n_v, dtype=np.float64)
    args: tuple[Any, ...] = (rows, scales, layer.b, layer.d, X, n_sweeps, n_fold)
    run_kernel(ascend_means, n * n_v * n_h, *args, Q, xi, phi, bounds, singles, doubles)
    return bounds, (rows, scales, xi, phi)


class Ascent:
    """Ascent of the bound by the means of one layer's latents; all arrays belong to the workspace.

    Variances of activations are dense products of the whole batch. Only the visits proceed latent by latent;
    they update the mean activations.

    Parameters
    ----------
    layer : with W (n_v, n_h) and b (n_v,), float32
    variance : (n_v, n_h) float32 or None
        Variance of each weight; None: the weights are known.
    Q : (n, n_h) float32
        Means. Modified in place.
    work : Workspace
        Of the layer.
    """

    def __init__(self, layer: Any, variance: NDArray | None, Q: NDArray[np.float32], work: Workspace) -> None:
        (n_v, n_h), n = layer.W.shape, len(Q)
        self._size = n * n_v * n_h
        self._rows = work.array("rows", n_h, n_v)
        self._rows[...] = layer.W.T
        # The variance of an activation is sum_j q_j (1 - q_j) w_ij**2, and q_j times the variance of w_ij.
        n_parts = 1 if variance is None else 2
        self._parts = work.array("variance_parts", n_parts * n_h, n_v)
        self._shares = work.array("variance_shares", n, n_parts * n_h)
        np.square(self._rows, out=self._parts[:n_h])
        self._variance = variance
        self._unsure = np.zeros((1, n_h), np.float32) if variance is None else work.array("unsure", n, n_h)
        if variance is not None:
            self._parts[n_h:] = variance.T
        self.Q = np.clip(Q, np.float32(MIN_MEAN_DISTANCE), np.float32(1.0 - MIN_MEAN_DISTANCE), out=Q)
        self.mean, self._xi, gamma, left = (work.array(name, n, n_v) for name in _MOMENTS)
        np.matmul(self.Q, self._rows, out=self.mean)
        self.mean += layer.b
        self.rest = gamma, left
        self._bounds = work.array("bounds", n, dtype=np.float64)

    def settle(self, X: NDArray[np.float32]) -> None:
        """Fill the variances of activations, gamma, and the residuals of the units below, X (n, n_v)."""
        n_h = self.Q.shape[1]
        np.multiply(self.Q, 1.0 - self.Q, out=self._shares[:, :n_h])
        if self._variance is not None:
            self._shares[:, n_h:] = self.Q
        np.matmul(self._shares, self._parts, out=self._xi)
        run_kernel(settle, self.mean.size, X, self.mean, self._xi, *self.rest)

    def visit(self, X: NDArray[np.float32], prior: NDArray[np.float32]) -> None:
        """Settle, then set each latent's mean in turn to its optimum, given its prior log-odds d; (n or 1,
        n_h).
        """
        self.settle(X)
        if self._variance is not None:
            np.matmul(self.rest[0], self._variance, out=self._unsure)
        args = self._rows, prior, X, self.mean, *self.rest, self._unsure, self.Q
        run_kernel(visit_latents, self._size, *args)

    def part(self, X: NDArray[np.float32], prior: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the terms of the layer in the bound (n,): E log P(x | h), the entropy of h and E d'h."""
        self._bounds[:] = 0.0
        run_kernel(add_bounds, self.mean.size, prior, X, self.Q, self.mean, self._xi, self._bounds)
        return self._bounds


class GaussianAscent(Ascent):
    """Means of the latents above Gaussian units of variance 1, which need no bound.

    The expected log joint itself is quadratic in the activations, with gamma 1. Kernels subtract one half
    from binary units, so that real ones are passed with one half added.
    """

    def settle(self, X: NDArray[np.float32]) -> None:
        """Fill gamma, and the residuals of the units below."""
        gamma, left = self.rest
        gamma[...] = 1.0
        np.subtract(X, self.mean + np.float32(0.5), out=left)


def ascend(
    ascents: Sequence[Ascent], d: NDArray[np.float32], X: NDArray[np.float32], n_sweeps: int
) -> tuple[list[NDArray], list[NDArray]]:
    """Sweep over the layers, the lowest first; return the units below each, and its prior.

    d (n_h,) is the prior of the top layer.
    """
    below = [X, *(each.Q for each in ascents[:-1])]
    # The mean activation from a layer is the prior of the layer below it.
    priors = [*(each.mean for each in ascents[1:]), d[None]]
    for _ in range(n_sweeps):
        for ascent, units, prior in zip(ascents, below, priors, strict=True):
            ascent.visit(units, prior)
    return below, priors


def batch_means(
    layers: Sequence[LayerParams], visible: str, X: NDArray, guesses: Sequence[NDArray], n_sweeps: int
) -> tuple[NDArray[np.float64], ...]:
    """Return the means of independent latents of each layer after sweeps of mean field; (n, n_h) each.

    Those of a single layer of Bernoulli units ascend the tilted bound, all others that of Jaakkola and
    Jordan; for Gaussian visible units with one layer this is the evidence lower bound itself.

    Parameters
    ----------
    layers : sequence of LayerParams
        The lowest first.
    visible : {"bernoulli", "gaussian"}
    X : (n, n_v)
        Images; NaN is not known.
    guesses : sequence of (n, n_h)
        Initial means of each layer, in [0, 1].
    n_sweeps : int
        Over all layers.
    """
    unknown = unknown_in(X)
    if unknown is not None:
        return _means_by_pattern(layers, visible, X, unknown, guesses, n_sweeps)
    single: list[Any] = [
        layer._make(np.asarray(each, np.float32, order="C") for each in layer) for layer in layers
    ]
    works, found = layer_workspaces(Workspace(), len(layers)), [np.empty(each.shape) for each in guesses]
    for first in range(0, len(X), BATCH_IMAGES):
        rows = slice(first, first + BATCH_IMAGES)
        images, Q = np.array(X[rows], np.float32), [np.array(each[rows], np.float32) for each in guesses]
        with one_blas_thread():
            if visible == "bernoulli" and len(layers) == 1:
                ascend_tilted(single[0], images, Q[0], n_sweeps, works[0])
            else:
                _ascend_quadratic(single, visible, images, Q, n_sweeps, works)
        for array, means in zip(found, Q, strict=True):
            array[rows] = means
    return tuple(found)


def _means_by_pattern(
    layers: Sequence[LayerParams],
    visible: str,
    X: NDArray,
    unknown: NDArray[np.bool_],
    guesses: Sequence[NDArray],
    n_sweeps: int,
) -> tuple[NDArray[np.float64], ...]:
    """Return :func:`batch_means` of images of which parts are not known.

    Those pixels drop out of the bound, so that images with the same ones have a layer without them.
    """
    found = [np.empty(each.shape) for each in guesses]
    patterns, which = np.unique(unknown, axis=0, return_inverse=True)
    low, *above = layers
    for number, hidden in enumerate(patterns):
        rows = which == number
        seen = low._replace(W=low.W[~hidden], b=low.b[~hidden])
        begun = [each[rows] for each in guesses]
        means = batch_means([seen, *above], visible, X[rows][:, ~hidden], begun, n_sweeps)
        for array, mean in zip(found, means, strict=True):
            array[rows] = mean
    return tuple(found)


def _ascend_quadratic(
    layers: Sequence[Any],
    visible: str,
    X: NDArray[np.float32],
    Q: Sequence[NDArray[np.float32]],
    n_sweeps: int,
    works: Sequence[Workspace],
) -> None:
    """Sweep over the means `Q` of all layers on the bound of Jaakkola and Jordan; modified in place."""
    kinds = [GaussianAscent if visible == "gaussian" else Ascent, *[Ascent] * (len(layers) - 1)]
    made = zip(kinds, layers, Q, works, strict=True)
    ascents = [kind(layer, None, q, work) for kind, layer, q, work in made]
    ascend(ascents, layers[-1].d, X + np.float32(0.5) if visible == "gaussian" else X, n_sweeps)
