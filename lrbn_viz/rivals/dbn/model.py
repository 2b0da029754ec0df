"""A deep belief network of two layers of latents: its probabilities, bounds, and traces of means.

The lower latents h generate x as in an LRBN, with log-odds ``a = W h + b``. They and the upper latents g are
an RBM, of which g can be summed out:

    log P(x, h) = log P(x | h) + d'h + sum_k softplus(u_k'h + e_k) - log Z.

So nothing here has more latents than h, and the upper layer is a prior under which they are not independent.
log Z, of the RBM on top, is a constant of the model. Given x the lower latents explain away; the recognition
network guesses them as if they were independent, ``q(h_j = 1 | x) = sigmoid(v_j'x + c_j)``.

References
----------
G. E. Hinton, S. Osindero and Y. W. Teh (2006). A fast learning algorithm for deep belief nets. Neural
Computation 18, 1527-1554.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn.means.moments import LayerMoments
from lrbn_viz.lrbn.means.visits import LINEAR
from lrbn_viz.rivals.rbm.model import free_energy, log_odds
from lrbn_viz.rivals.rbm.pseudo_likelihood import predicted_pixels, total_of
from lrbn_viz.rivals.sbn.model import LayerNetworks, recognition_log_odds

_AT_A_TIME = 1 << 20
"""Numbers in one array of particles: 8 MB."""


class DBNParams(NamedTuple):
    """Parameters of all networks; never modified after creation.

    Attributes
    ----------
    directed : LayerNetworks
        W (n_v, n_h), b (n_v,) and d (n_h,) of the directed layer, whose latents have log-odds ``d + U g``,
        and V (n_v, n_h) and c (n_h,) of the recognition network, which guesses them from x.
    top : LayerParams
        The RBM on top: U (n_h, n_top), its weights, d (n_h,), the biases of its visible units h, which are
        those of the directed layer, and e (n_top,), the biases of g.
    """

    directed: LayerNetworks
    top: LayerParams

    def by_name(self) -> dict[str, NDArray]:
        """Return W, b, d, V, c, U and e."""
        return self.directed._asdict() | {"U": self.top.W, "e": self.top.d}


def log_prior(params: DBNParams, H: NDArray) -> NDArray[np.float64]:
    """Return ``log P(h) + log Z`` of each row of `H` (n, n_h), the upper latents summed out; (n,) nats."""
    return -free_energy(params.top, H)


def log_joint(params: DBNParams, X: NDArray, H: NDArray) -> NDArray[np.float64]:
    """Return ``log P(x, h) + log Z`` of each pair of rows, the upper latents summed out; (n,) nats.

    Pixels that are not known, NaN, are left out.
    """
    H = np.asarray(H, np.float64)
    a = H @ params.directed.W.T + params.directed.b
    terms, unknown = X * a - softplus(a), unknown_in(np.asarray(X))
    return (terms if unknown is None else np.where(unknown, 0.0, terms)).sum(axis=-1) + log_prior(params, H)


def pseudo_log_likelihood(
    params: DBNParams, X: NDArray, n_particles: int, n_pixels: int
) -> NDArray[np.float64]:
    """Return ``sum_i log P(x_i | x_-i)`` of each image by importance sampling; (n,) nats.

    The lower latents are drawn by the recognition network, which sees pixel i as 1/2, and weighed by how well
    they generate the others: ``P(x_i | x_-i) = sum_k w_k P(x_i | h_k) / sum_k w_k``. Estimated at `n_pixels`
    pixels, all where there are no more. A proper score: what is predicted of a pixel does not depend on the
    pixel. All images and pixels share the random numbers. The images that the particles generate are computed
    in the precision of W.
    """
    X, (low, top) = np.asarray(X, np.float64), params
    visible = X.astype(low.W.dtype)
    uniforms = np.random.default_rng(0).random((n_particles, low.n_h))
    guess, pixels = recognition_log_odds(low, X), predicted_pixels(low.n_v, n_pixels)
    log_p = np.empty((len(X), len(pixels)))
    rows = max(1, _AT_A_TIME // (n_particles * max(low.n_v, low.n_h, top.n_h)))
    for first in range(0, len(X), rows):
        images = visible[first : first + rows]
        for column, i in enumerate(pixels):
            z = guess[first : first + rows] + (0.5 - images[:, i, None]) * low.V[i]
            on = uniforms < sigmoid(z)[:, None]
            log_q = np.where(on, z[:, None], 0.0).sum(axis=2) - softplus(z).sum(axis=1)[:, None]
            H = on.reshape(-1, low.n_h).astype(low.W.dtype)
            a = (H @ low.W.T + low.b).reshape(*on.shape[:2], low.n_v)
            of_pixel = -softplus((1.0 - 2.0 * images[:, i, None]) * a[:, :, i])
            of_all = np.matmul(a, images[:, :, None])[:, :, 0] - softplus(a).sum(axis=2, dtype=np.float64)
            log_w = log_prior(params, H).reshape(log_q.shape) + of_all - of_pixel - log_q
            log_p[first : first + rows, column] = np.logaddexp.reduce(log_w + of_pixel, axis=1) - (
                np.logaddexp.reduce(log_w, axis=1)
            )
    return total_of(log_p, low.n_v)


def prior_log_odds(params: DBNParams, H: NDArray) -> NDArray[np.float64]:
    """Return ``logit P(h_j = 1 | h_-j)`` under the prior, of every lower latent in each row of `H`.

    ``d_j + sum_k softplus(s_k + u_jk) - softplus(s_k)``, with ``s = U'h + e`` less what h_j adds; (n, n_h)
    nats.
    """
    H = np.asarray(H, np.float64)
    s = log_odds(params.top, H)
    found = np.empty(H.shape)
    for j, u in enumerate(params.top.W):
        rest = s - H[:, j, None] * u
        found[:, j] = params.top.b[j] + (softplus(rest + u) - softplus(rest)).sum(axis=1)
    return found


def gibbs_log_odds(
    params: DBNParams, X: NDArray, n_sweeps: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the log-odds with which Gibbs sampling draws each lower latent; (n_sweeps, n, n_h) nats.

    One unit after the other, given x and all other lower latents, the upper ones summed out; of all images at
    a time. Chains begin at draws of the recognition network, or where pixels are not known, NaN, at coins.
    """
    X, (low, top) = np.asarray(X, np.float64), params
    unknown, ink = unknown_in(X), X
    if unknown is None:
        odds = recognition_log_odds(low, X)
    else:
        ink = np.where(unknown, 0.0, X)
        odds = np.where(unknown.any(axis=1, keepdims=True), 0.0, recognition_log_odds(low, ink))
    H = (rng.random((len(X), low.n_h)) < sigmoid(odds)).astype(float)
    a, s = H @ low.W.T + low.b, H @ top.W + top.d
    evidence = ink @ low.W + low.d
    found = np.empty((n_sweeps, len(X), low.n_h))
    for odds in found:
        for j in range(low.n_h):
            w, u = low.W[:, j], top.W[j]
            a -= H[:, j, None] * w  # as if the unit were off
            s -= H[:, j, None] * u
            alone = softplus(a + w) - softplus(a)
            odds[:, j] = (
                evidence[:, j]
                - (alone if unknown is None else np.where(unknown, 0.0, alone)).sum(axis=1)
                + (softplus(s + u) - softplus(s)).sum(axis=1)
            )
            H[:, j] = rng.random(len(X)) < sigmoid(odds[:, j])
            a += H[:, j, None] * w
            s += H[:, j, None] * u
    return found


def prior_interactions(params: DBNParams, h: NDArray) -> NDArray[np.float64]:
    """Return by how much the lower latents of each pair change each other's log-odds under the prior.

    The second difference of ``sum_k softplus``, the others as in `h` (n_h,); (n_h, n_h) nats, symmetric, with
    zeros on the diagonal.
    """
    h, U = np.asarray(h, np.float64), params.top.W
    s = log_odds(params.top, h)
    found = np.zeros((len(U), len(U)))
    for j, u in enumerate(U):
        rest = s - h[j] * u - h[:, None] * U  # of each partner, row by row, without both
        both = softplus(rest + u + U) - softplus(rest + U) - softplus(rest + u) + softplus(rest)
        found[j] = both.sum(axis=1)
    np.fill_diagonal(found, 0.0)
    return found


class TopMoments(LayerMoments):
    """Moments of one image's activations, whose bound is on ``log P(x) + log Z`` under the RBM on top.

    To the bound of Jaakkola and Jordan for x comes one for the prior: softplus is convex, so that
    ``E[sum_k softplus(u_k'h + e_k)] >= sum_k softplus(u_k'q + e_k)``. This is mean field in both layers, the
    upper means at their best, ``sigmoid(U'q + e)``.

    Parameters
    ----------
    params : DBNParams
    x : (n_v,)
    q : (n_h,) float64
        Means in [0, 1] of the lower latents; copied.
    """

    _latent = LINEAR

    def __init__(self, params: DBNParams, x: NDArray, q: NDArray) -> None:
        super().__init__([params.directed.generative], x, q, top=params.top)
