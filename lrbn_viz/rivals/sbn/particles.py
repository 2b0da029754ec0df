"""Particles: latents that the recognition network draws for each image, and their weights.

The expectation of ``w_k = P(x, h_k) / q(h_k | x)`` is P(x), so that ``log (1/K) sum_k w_k`` is in expectation
a lower bound on log P(x): the variational bound for K = 1, and tighter as K grows (Burda, Grosse and
Salakhutdinov, 2016).

Latents of several layers are drawn one layer after the other, ``q(h1 | x) q(h2 | h1)``: the draws of a layer
serve as images for the networks of the next one, with one particle each, and their weight ``P(h1, h2) / q(h2
| h1)`` replaces the prior ``P(h1)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import run_kernel, softplus
from lrbn_viz.kernels.workspace import Workspace
from lrbn_viz.rivals.sbn.kernels import draw, guess, list_on, sum_listed, weigh
from lrbn_viz.rivals.sbn.model import LayerNetworks


class Weights(NamedTuple):
    """Importance weights of each image's particles.

    Attributes
    ----------
    log_weights : (n, K) float64
        ``log P(x, h_k) - log q(h_k | x)``, nats.
    """

    log_weights: NDArray[np.float64]

    @property
    def log_sums(self) -> NDArray[np.float64]:
        """``log sum_k w_k`` of each image, nats; (n,)."""
        return np.logaddexp.reduce(self.log_weights, axis=1)

    @property
    def log_means(self) -> NDArray[np.float64]:
        """``log (1/K) sum_k w_k`` of each image, the bound with K samples, nats; (n,)."""
        return self.log_sums - np.log(self.log_weights.shape[1])

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each particle's share of its image's weights, ``w_k / sum_l w_l``; (n, K)."""
        return np.exp(self.log_weights - self.log_sums[:, None])

    @property
    def effective_sample_sizes(self) -> NDArray[np.float64]:
        """``(sum_k w_k)**2 / sum_k w_k**2`` of each image, 1 to K; (n,)."""
        return 1.0 / np.square(self.shares).sum(axis=1)


MAX_SPARSE_SHARE = 0.25
"""Largest share of units on at which sums of listed rows are faster than a dense product (784 x 200, by
BLAS).
"""


class On(NamedTuple):
    """Positions at which the units of a sparse binary batch are on; all arrays belong to the workspace.

    Attributes
    ----------
    in_rows, row_counts : (n, width) int32, (n,) int64
        The units that are on in each image, and their number.
    in_columns, column_counts : (width, n) int32, (width,) int64
        The images in which each unit is on.
    """

    in_rows: NDArray[np.int32]
    row_counts: NDArray[np.int64]
    in_columns: NDArray[np.int32]
    column_counts: NDArray[np.int64]


def on_of(name: str, X: NDArray[np.float32], work: Workspace) -> On | None:
    """Return the positions at which binary units X (n, width) are on; None if dense products are faster for
    so many.

    Parameters
    ----------
    name : str
        Of the arrays in the workspace.
    """
    n, width = X.shape
    found = On(
        work.array(f"{name} in rows", n, width, dtype=np.int32),
        work.array(f"{name} in row", n, dtype=np.int64),
        work.array(f"{name} in columns", width, n, dtype=np.int32),
        work.array(f"{name} in column", width, dtype=np.int64),
    )
    return found if list_on(X, MAX_SPARSE_SHARE * X.size, *found) else None


def product_with(X: NDArray, on: On | None, V: NDArray, out: NDArray) -> NDArray:
    """Write ``X V`` of binary X (n, width) to `out` (n, n_h), and return it; V is C-ordered."""
    if on is None:
        return np.matmul(X, V, out=out)
    sum_listed(on.in_rows, on.row_counts, V, out)
    return out


def product_against(X: NDArray, on: On | None, S: NDArray, out: NDArray) -> NDArray:
    """Write ``X'S`` of binary X (n, width) to `out` (width, n_h), and return it; S is C-ordered."""
    if on is None:
        return np.matmul(X.T, S, out=out)
    sum_listed(on.in_columns, on.column_counts, S, out)
    return out


class Particles(NamedTuple):
    """A batch, its particles and their weights; all arrays belong to the workspace.

    Attributes
    ----------
    X : (n, n_v) float32
    H : (n * K, n_h) float32
        States 0 and 1; particle k of image m in row ``m * K + k``.
    means : (n, n_h) float32
        Of q(h | x).
    residuals : (n * K, n_v) float32
        ``x - sigmoid(W h + b)``.
    log_weights : (n, K) float64
        ``log P(x, h_k) - log q(h_k | x)``, nats, of the latents of this layer and of all above.
    above : Particles or None
        Particles of the next layer, one for each row of H.
    on : On or None
        Where X is on.
    """

    X: NDArray[np.float32]
    H: NDArray[np.float32]
    means: NDArray[np.float32]
    residuals: NDArray[np.float32]
    log_weights: NDArray[np.float64]
    above: Particles | None = None
    on: On | None = None

    @property
    def layers(self) -> tuple[Particles, ...]:
        """These, and those of all layers above, the lowest first."""
        return (self,) if self.above is None else (self, *self.above.layers)

    @property
    def weights(self) -> Weights:
        """Importance weights of the particles."""
        return Weights(self.log_weights)


def as_floats(X: NDArray, work: Workspace) -> NDArray[np.float32]:
    """Return binary images in single precision, in the workspace."""
    images = work.array("X", *X.shape)
    images[...] = X
    return images


def recognise(
    networks: LayerNetworks, X: NDArray[np.float32], work: Workspace, on: On | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float64]]:
    """Return log-odds z and means of q(h | x), (n, n_h) each, and ``sum_j softplus(z_j)`` (n,).

    `on` lists where X is on, if it is listed; otherwise X may hold means.
    """
    shape = len(X), len(networks.c)
    log_odds, means = work.array("log_odds", *shape), work.array("means", *shape)
    normaliser = work.array("normaliser", len(X), dtype=np.float64)
    product_with(X, on, networks.V, log_odds)
    run_kernel(guess, log_odds.size, log_odds, networks.c, means, normaliser)
    return log_odds, means, normaliser


def draw_states(
    name: str, log_odds: NDArray[np.float32], n_each: int, rng: np.random.Generator, work: Workspace
) -> NDArray[np.float32]:
    """Return `n_each` binary draws, as 0.0 and 1.0, for each row of log-odds; (n * n_each, width).

    Parameters
    ----------
    name : str
        Of the array in the workspace.
    """
    states = work.array(name, len(log_odds) * n_each, log_odds.shape[1])
    rng.random(dtype=np.float32, out=states)
    run_kernel(draw, states.size, log_odds, n_each, states)
    return states


def weigh_states(
    networks: LayerNetworks,
    X: NDArray[np.float32],
    H: NDArray[np.float32],
    recognised: tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float64]],
    work: Workspace,
    above: Particles | None = None,
    on: On | None = None,
) -> Particles:
    """Return given states of each image as weighed particles.

    Parameters
    ----------
    recognised : tuple of arrays
        The result of :func:`recognise`.
    above : Particles, optional
        Particles of the next layer, for the images `H`; when None, `networks.d` is the prior of `H`.
    on : On, optional
        Where X is on.
    """
    log_odds, means, normaliser = recognised
    n_each = len(H) // len(X)
    a = work.array("a", len(H), X.shape[1])
    log_weights = work.array("log_weights", len(H), dtype=np.float64)
    np.matmul(H, networks.W.T, out=a)
    if above is None:
        d, fixed = networks.d, normaliser - softplus(networks.d.astype(np.float64)).sum()
    else:
        d, fixed = np.zeros_like(networks.d), normaliser
    run_kernel(weigh, a.size, a, networks.b, X, H, d, log_odds, fixed, n_each, log_weights)
    if above is not None:
        log_weights += above.log_weights.reshape(-1)
    return Particles(X, H, means, a, log_weights.reshape(len(X), n_each), above, on)


def draw_particles(
    networks: LayerNetworks,
    X: NDArray[np.float32],
    n_each: int,
    rng: np.random.Generator,
    work: Workspace,
    upper: Sequence[LayerNetworks] = (),
) -> Particles:
    """Draw `n_each` particles from q(h | x) of each image, and weigh them.

    Parameters
    ----------
    upper : sequence of LayerNetworks
        Networks of the upper layers, the second one first; `b` of each is the offset of the units below it.
    """
    on = on_of("X", X, work)
    recognised = recognise(networks, X, work, on)
    H = draw_states("H", recognised[0], n_each, rng, work)
    above = draw_particles(upper[0], H, 1, rng, work.above, upper[1:]) if upper else None
    return weigh_states(networks, X, H, recognised, work, above, on)


class Dreams(NamedTuple):
    """Images that the generative network draws, and the error of the recognition network on them.

    Attributes
    ----------
    X : (n, n_v) float32
    signal : (n, n_h) float32
        ``h - sigmoid(V'x + c)``: the gradient of log q(h | x) with respect to z.
    on : On or None
        Where X is on.
    """

    X: NDArray[np.float32]
    signal: NDArray[np.float32]
    on: On | None = None


def dream_of(
    networks: LayerNetworks, H: NDArray[np.float32], rng: np.random.Generator, work: Workspace
) -> Dreams:
    """Draw an image from each row of latents H (n, n_h), 0.0 or 1.0, and compute the error of its
    recognition.

    Modified in place: `H` becomes the signal. This overwrites the buffers of the last :func:`recognise`.
    """
    a = work.array("dreamt_a", len(H), len(networks.b))
    np.matmul(H, networks.W.T, out=a)
    a += networks.b
    X = draw_states("dreamt_X", a, 1, rng, work)
    on = on_of("dreamt X", X, work)
    _, means, _ = recognise(networks, X, work, on)
    return Dreams(X, np.subtract(H, means, out=H), on)
