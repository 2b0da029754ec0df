"""A sigmoid belief network with a recognition network: their probabilities, bounds, and traces of means.

The generative network is that of an LRBN: latents h with log-odds d generate x with log-odds ``a = W h + b``.
The recognition network predicts h in one pass: given x it treats the latents as independent, ``q(h_j = 1 | x)
= sigmoid(z_j)`` with ``z = V'x + c``. In a network of several layers each has both: its latents generate the
units below it, and are predicted from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams, names_above
from lrbn_viz.core.trace import ICMTrace, Made
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import KERNEL, SUMS, sigmoid
from lrbn_viz.kernels.simd.math import exp, log
from lrbn_viz.lrbn.means.moments import LayerMoments, Moments
from lrbn_viz.lrbn.means.trace import guess_trace, passed_up, with_held

LEAST_PROPOSED = 1e-3
"""Smallest probability of a latent, and of its absence, in particles of images that are known in part."""


class LayerNetworks(NamedTuple):
    """Parameters of both networks of one layer; never modified after creation.

    A model has a tuple of them, the lowest first: each layer generates the units below it, from which the
    recognition network predicts it. The `d` of a layer below another is the `b` of that one.

    Attributes
    ----------
    W : (n_v, n_h) float
        Generative weights: column j is the filter of latent j.
    b : (n_v,) float
        Offset of each unit below.
    d : (n_h,) float
        Prior log-odds of each latent, or its offset where a layer above generates it.
    V : (n_v, n_h) float
        Recognition weights: column j gives the network's log-odds of latent j.
    c : (n_h,) float
        Offset of each guess.
    """

    W: NDArray[Any]
    b: NDArray[Any]
    d: NDArray[Any]
    V: NDArray[Any]
    c: NDArray[Any]

    n_v, n_h = LayerParams.n_v, LayerParams.n_h

    @property
    def generative(self) -> LayerParams:
        """W, b and d: the parameters of an LRBN's layer."""
        return LayerParams(self.W, self.b, self.d)


def names_of(depth: int) -> tuple[str, ...]:
    """Return the names of a layer's arrays in files and arguments; `depth` counts from the lowest, 0.

    The offset of the units below an upper layer is the d of the layer below, and has no name of its own.
    """
    if depth == 0:
        return LayerNetworks._fields
    return (*names_above(depth), f"V{depth + 1}", f"c{depth + 1}")


def parameters_of(layers: Sequence[LayerNetworks]) -> tuple[NDArray, ...]:
    """Return the arrays of all layers, each once: W, b, d, V and c, and W, d, V and c of each layer above."""
    low, *upper = layers
    return (*low, *(array for W, _, d, V, c in upper for array in (W, d, V, c)))


def layers_of(arrays: Sequence[NDArray]) -> tuple[LayerNetworks, ...]:
    """Return the layers of which :func:`parameters_of` gives these arrays."""
    found = [LayerNetworks(*arrays[:5])]
    for first in range(5, len(arrays), 4):
        W, d, V, c = arrays[first : first + 4]
        found.append(LayerNetworks(W, found[-1].d, d, V, c))
    return tuple(found)


def named_parameters(layers: Sequence[LayerNetworks]) -> dict[str, NDArray]:
    """Return :func:`parameters_of` by their names."""
    names = chain(*map(names_of, range(len(layers))))
    return dict(zip(names, parameters_of(layers), strict=True))


def recognition_log_odds(params: LayerNetworks, X: NDArray) -> NDArray[np.float64]:
    """Return ``z = V'x + c``, the log-odds of each latent under q(h | x), for each row of `X`; (n, n_h)."""
    return X @ params.V + params.c


def recognised(layers: Sequence[LayerNetworks], X: NDArray) -> tuple[NDArray[np.float64], ...]:
    """Return the log-odds that the recognition network gives the latents of each layer, (n, n_h) each.

    Those of a layer above the first are predicted from the means of the layer below it.
    """
    found: list[NDArray[np.float64]] = []
    for networks in layers:
        found.append(recognition_log_odds(networks, sigmoid(found[-1]) if found else X))
    return tuple(found)


def check_seen(X: NDArray, owner: str, instead: str) -> None:
    """Raise ValueError, with the model's name and other ways to infer, if a part of an image is not known."""
    if unknown_in(X) is not None:
        raise ValueError(
            f"X contains NaN, values that are not known, and the recognition network of this {owner} has "
            f"seen whole images only. Infer by {instead}."
        )


@njit(**SUMS)
def _rise(w, b):
    """Return by how much the log normaliser of the units below rises by weights w; b (n_v,) are offsets."""
    total = 0.0
    for i in range(np.uintp(len(w))):
        a = b[i] + w[i]
        total += max(a, 0.0) - max(b[i], 0.0) + log((1.0 + exp(-abs(a))) / (1.0 + exp(-abs(b[i]))))
    return total


@njit(**KERNEL)
def fill_thresholds(rows, b, d, log_odds):
    """Fill the log-odds of each latent (n_h,) with all others off, without what the units below say of it.

    ``d_j + sum_i [softplus(b_i) - softplus(b_i + w_ij)]``, nats; `rows` (n_h, n_v) are rows of weights.
    """
    for j in range(len(d)):
        log_odds[j] = d[j] - _rise(rows[j], b)


def networks_of_known(layers: Sequence[LayerNetworks], known: NDArray[np.bool_]) -> tuple[LayerNetworks, ...]:
    """Return the networks of the known visible units alone, with a recognition network of their own.

    It gives each latent the log-odds that it has by the generative network with all others off, from which
    mean field may start where a part of the image is not known. `known` has shape (n_v,).
    """
    found = []
    for n, each in enumerate(layers):
        seen = slice(None) if n else known
        W, b = each.W[seen], each.b[seen]
        c, rows = np.empty(each.n_h), np.array(W.T, np.float64, order="C")
        fill_thresholds(rows, np.array(b, np.float64), np.array(each.d, np.float64), c)
        found.append(LayerNetworks(W, b, each.d, W, c))
    return tuple(found)


def networks_for(layers: Sequence[LayerNetworks], x: NDArray) -> tuple[LayerNetworks, ...]:
    """Return networks for the mean field of one image: these, or for an image that is known in part those
    with the recognition network of :func:`networks_of_known`, which gives nothing to unknown pixels.
    """
    unknown = unknown_in(x)
    if unknown is None:
        return tuple(layers)
    low, *above = networks_of_known(layers, ~unknown)
    V = np.where(unknown[:, None], 0.0, layers[0].W)
    return (layers[0]._replace(V=V, c=low.c), *above)


def proposed(
    X: NDArray,
    of_whole: Callable[[NDArray], Sequence[NDArray]],
    of_part: Callable[[NDArray], NDArray],
) -> NDArray[np.float64]:
    """Return log-odds of latents that importance sampling draws, (n, n_latents), of each image on its own.

    Parameters
    ----------
    X : (n, n_v)
    of_whole : callable
        Returns the log-odds, (m, n_h) of each layer, of images that are known as a whole.
    of_part : callable
        Returns the probabilities, (m, n_latents), of the others; they are kept off 0 and 1.
    """
    unknown = unknown_in(X)
    if unknown is None:
        return np.hstack(list(of_whole(X)))
    part = unknown.any(axis=1)
    q = np.clip(of_part(X[part]), LEAST_PROPOSED, 1.0 - LEAST_PROPOSED)
    found = np.empty((len(X), q.shape[1]))
    found[part] = np.log(q) - np.log1p(-q)
    if not part.all():
        found[~part] = np.hstack(list(of_whole(X[~part])))
    return found


def recognition_trace(
    layers: Sequence[LayerNetworks],
    x: NDArray,
    start: NDArray,
    held: Mapping[int, int],
    n_sweeps: int = 0,
    moments_of: Callable[[LayerParams, NDArray, NDArray], LayerMoments] = Moments,
    made: Made = "directed",
) -> ICMTrace:
    """Return a trace of the prediction of one image's latents, unit by unit, and sweeps of mean field after
    it.

    An upper layer is predicted from the means of the layer below it. ``log_joint`` is the bound of the
    moments, of several layers that of
    :class:`~lrbn_viz.lrbn.means.moments.LayerMoments`; the rest is as in
    :func:`~lrbn_viz.lrbn.means.trace.guess_trace`.

    Parameters
    ----------
    x : (n_v,) in {0, 1}
        NaN is not known; it adds nothing to a prediction.
    start : (n_latents,)
        States or means before the pass, which do not affect its result.
    held : mapping from unit to state
        Latents that stay as they are and are not visited; numbered through the layers.
    n_sweeps : int
        Sweeps of mean field at most.
    moments_of : function of (layer, x, q)
        Constructor of the moments of a single layer, which define its bound.
    made : str
        Kind of the model, of a single layer.
    """
    guesses: list[NDArray[np.float64]] = []
    below, first = x, 0
    for networks in layers:
        of_layer = {j - first: state for j, state in held.items() if first <= j < first + networks.n_h}
        log_odds, below = passed_up(networks.V, networks.c, below, of_layer)
        guesses.append(log_odds)
        first += networks.n_h
    begun = with_held(start, held)
    if len(layers) == 1:
        return guess_trace(guesses[0], moments_of(layers[0].generative, x, begun), held, n_sweeps, made)
    moments = LayerMoments([each.generative for each in layers], x, begun)
    return guess_trace(np.concatenate(guesses), moments, held, n_sweeps, "deep")
