"""A deep Boltzmann machine of two layers of latents: its probabilities, mean field, and traces of means.

The lower latents h are linked to x, and the upper latents g to h:

    log P(x, h, g) = x'W h + h'U g + b'x + d'h + e'g - log Z.

Given both x and g the lower latents are independent, and given h so are x and g. Hence x and g together are
the visible units of an RBM whose latents are h (:func:`joined`), so that Gibbs chains, log Z and annealing of
RBMs apply. Given x alone the latents are dependent. Mean field approximates their posterior by independent
units, and maximises a lower bound on log P(x).

Functions take both layers, the lower one first: W, b and d link x and h; U, d and e link h and g, so that the
d of the lower layer is the b of the upper one.

References
----------
R. Salakhutdinov and G. E. Hinton (2009). Deep Boltzmann machines. AISTATS.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.kernels.numerics import softplus
from lrbn_viz.lrbn.deep.inference import Layers
from lrbn_viz.lrbn.means.moments import LayerMoments
from lrbn_viz.lrbn.means.trace import guess_trace, passed_up, with_held
from lrbn_viz.lrbn.means.visits import LINEAR
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.pseudo_likelihood import predicted_pixels, total_of


def joined(layers: Layers) -> LayerParams:
    """Return the RBM whose visible units are x and g, in this order, and whose latents are h."""
    low, high = layers
    return LayerParams(np.vstack([low.W, high.W.T]), np.concatenate([low.b, high.d]), low.d)


# -- probabilities


def log_joint(layers: Layers, X: NDArray, H: NDArray, G: NDArray) -> NDArray[np.float64]:
    """Return ``log P(x, h, g) + log Z`` of rows of x (n, n_v), h (n, n_h) and g (n, n_top); (n,) nats."""
    return rbm.log_joint(joined(layers), np.hstack([X, G]), H)


def log_marginal(layers: Layers, X: NDArray) -> NDArray[np.float64]:
    """Return ``log P(x) + log Z`` of each row, exactly: a sum over the smaller layer of latents; (n,) nats.

    Given x the latents are an RBM, of which log Z is a sum over one layer.

    Raises
    ------
    ValueError
        Both layers have more than 20 units.
    """
    (low, high), fields = layers, _fields(layers, X)
    given = (rbm.log_partition(high._replace(b=field)) for field in fields)
    return X @ low.b + np.fromiter(given, np.float64, len(fields))


def _fields(layers: Layers, X: NDArray) -> NDArray[np.float64]:
    """Return ``W'x + d``, the log-odds of the lower latents if all upper ones are off; (n, n_h) nats."""
    return np.asarray(X, np.float64) @ layers[0].W + layers[0].d


def log_odds(layers: Layers, X: NDArray, H: NDArray, G: NDArray) -> tuple[NDArray, NDArray]:
    """Return the log-odds of all lower and all upper latents, given all units but themselves; nats.

    Units of one layer do not depend on each other: ``W'x + U g + d`` (n, n_h) and ``U'h + e`` (n, n_top).
    `h` and `g` may be states or means.
    """
    (H, G), high = (np.asarray(part, np.float64) for part in (H, G)), layers[1]
    return _fields(layers, X) + G @ high.W.T, H @ high.W + high.d


# -- mean field


class Means(NamedTuple):
    """Means of the latents of each image, in a posterior that takes them to be independent."""

    lower: NDArray
    """(n, n_h) in [0, 1]"""
    upper: NDArray
    """(n, n_top) in [0, 1]"""


def bottom_up(fields: NDArray, U: NDArray, d: NDArray, e: NDArray) -> Means:
    """Return the means of one pass from the image up, in the precision of `fields`.

    The image counts twice for the lower latents, since nothing comes from above yet. Mean field begins there.

    Parameters
    ----------
    fields : (n, n_h)
        ``W'x + d`` of each image.
    """
    lower = expit(2.0 * fields - d)
    return Means(lower, expit(lower @ U + e))


def settle(fields: NDArray, U: NDArray, e: NDArray, begun: Means, n_updates: int) -> Means:
    """Return the means after so many updates of both layers, in the precision of `fields`.

    One update sets all lower means at once, and then all upper ones. As units of a layer are not linked, this
    is coordinate ascent: no update lowers :func:`bound`. Each image is treated alike whatever is beside it.

    Parameters
    ----------
    fields : (n, n_h)
        ``W'x + d`` of each image.
    """
    lower, upper = begun
    for _ in range(n_updates):
        lower = expit(fields + upper @ U.T)
        upper = expit(lower @ U + e)
    return Means(lower, upper)


def mean_field(layers: Layers, X: NDArray, n_updates: int) -> Means:
    """Return the means of mean field that begins with a pass from each image up; (n, n_h) and (n, n_top)."""
    (low, high), fields = layers, _fields(layers, X)
    return settle(fields, high.W, high.d, bottom_up(fields, high.W, low.d, high.d), n_updates)


def bound(layers: Layers, X: NDArray, means: Means) -> NDArray[np.float64]:
    """Return the lower bound on ``log P(x) + log Z`` that the means give; (n,) nats.

    ``E_q[log P(x, h, g)] + log Z + entropy of q``; where all means are 0 or 1 it is the log joint.
    """
    low, high = layers
    return X @ low.b + _bound_of_latents(high, _fields(layers, X), means)


def _bound_of_latents(high: LayerParams, fields: NDArray, means: Means) -> NDArray[np.float64]:
    """Return the terms of the latents in :func:`bound`, given their `fields` ``W'x + d``; (n,) nats."""
    lower, upper = (np.asarray(part, np.float64) for part in means)
    linked = (lower * (fields + upper @ high.W.T)).sum(axis=1) + upper @ high.d
    return linked + entropy(lower) + entropy(upper)


def pseudo_log_likelihood(layers: Layers, X: NDArray, n_updates: int, n_pixels: int) -> NDArray[np.float64]:
    """Return ``sum_i log P(x_i | x_-i)`` of each image by mean field; (n,) nats.

    For an image and for the image with pixel i flipped, log P(x) + log Z is approximated by :func:`bound`.
    Estimated at `n_pixels` pixels, or at all if there are fewer. A proper score: the prediction of a pixel
    does not depend on the pixel.
    """
    (low, high), fields = layers, _fields(layers, X)
    U, d, e = high.W, low.d, high.d

    def reached(fields: NDArray) -> NDArray[np.float64]:
        means = settle(fields, U, e, bottom_up(fields, U, d, e), n_updates)
        return _bound_of_latents(high, fields, means)

    here, pixels = reached(fields), predicted_pixels(low.n_v, n_pixels)
    log_p = np.empty((len(X), len(pixels)))
    for column, i in enumerate(pixels):
        turned = 1.0 - 2.0 * X[:, i]
        gain = turned * low.b[i] + reached(fields + turned[:, None] * low.W[i]) - here
        log_p[:, column] = -softplus(gain)
    return total_of(log_p, low.n_v)


def entropy(q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy of independent units with means q (..., n); (...,) nats."""
    both = np.concatenate([q, 1.0 - q], axis=-1)
    return -(both * np.log(np.maximum(both, 1e-300))).sum(axis=-1)


def log_odds_of(q: NDArray) -> NDArray[np.float64]:
    """Return the log-odds of means, finite also where rounding made a mean 0 or 1."""
    clipped = np.clip(np.asarray(q, np.float64), 1e-12, 1.0 - 1e-12)
    return np.log(clipped) - np.log1p(-clipped)


def upper_layer_gap(layers: Layers, X: NDArray, means: Means) -> NDArray[np.float64]:
    """Return by how many nats the bound of each image falls if its own upper latents send no message; (n,).

    The lower means then receive the average upper means over images instead of the image's own. An effect of
    the upper layer that is the same for all images, as biases have too, therefore does not count. About 0:
    the upper layer is not used, and the model is about an RBM.

    Parameters
    ----------
    means : Means
        Where mean field of these images ended.
    """
    _, high = layers
    average = np.broadcast_to(np.mean(means.upper, axis=0), means.upper.shape)
    lower = expit(_fields(layers, X) + average @ high.W.T)
    deaf = Means(lower, expit(lower @ high.W + high.d))
    return bound(layers, X, means) - bound(layers, X, deaf)


# -- traces


class LayerMeans(LayerMoments):
    """Means of the latents of both layers of one image, moved unit by unit, and their bound.

    The bound is on ``log P(x) + log Z``: no unit has a normaliser of its own. Parameters are as of
    :class:`~lrbn_viz.lrbn.means.moments.LayerMoments`.
    """

    _visible = _latent = LINEAR


def means_trace(
    layers: Layers, x: NDArray, start: NDArray, held: Mapping[int, int], n_sweeps: int, guess: bool
) -> ICMTrace:
    """Return mean field of one image's latents as a trace, unit by unit and layer by layer.

    Units of one layer are not linked, so that visiting them one by one is the update of the layer.
    ``log_joint`` is the lower bound on ``log P(x) + log Z``, which no visit of mean field lowers.

    Parameters
    ----------
    x : (n_v,) uint8 in {0, 1}
    start : (n_h + n_top,)
        Initial states or means.
    held : mapping from unit to state
        Latents that stay as they are and are not visited.
    n_sweeps : int
        Largest number of mean-field sweeps; they end early when no mean changes.
    guess : bool
        True if the pass from the image up comes first, which may lower the bound.
    """
    moments = LayerMeans(layers, x, with_held(start, held))
    if not guess:
        return guess_trace(None, moments, held, n_sweeps, "undirected")
    low, high = layers
    of_lower = {j: state for j, state in held.items() if j < low.n_h}
    # the image counts twice for the lower latents, since nothing comes from above yet
    lower_odds, lower = passed_up(low.W, low.d, x, of_lower, 2.0)
    upper_odds, _ = passed_up(high.W, high.d, lower, {})
    odds = np.concatenate([lower_odds, upper_odds])
    return guess_trace(odds, moments, held, n_sweeps, "undirected")
