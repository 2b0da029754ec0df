"""Drawing each layer of an RBM given the other, in single precision, and climbing the gradient such draws
give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numba import get_num_threads, set_num_threads
from numpy.typing import NDArray
from scipy.special import expit

from lrbn_viz.baselines import rbm_kernels as kernels
from lrbn_viz.baselines.rbm_model import Params, Visible
from lrbn_viz.numerics import PARALLEL_LOCK


class Layers(NamedTuple):
    """The conditionals of one kind of visibles, and its gradient step, in single precision."""

    latent_means: Callable[..., NDArray[np.float32]]
    """(W, d, X) -> P(h_j = 1 | x), (n, n_h)."""
    draw_visible: Callable[..., NDArray]
    """(W, b, H, rng) -> x drawn given each row of H, (n, n_v)."""
    draw_latent: Callable[..., NDArray[np.uint8]]
    """(means, rng) -> 0 or 1 with these probabilities."""
    ascend: Callable[
        ..., tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], float, float, float]
    ]
    """As :func:`rbm_kernels.ascend`."""


PARALLEL_FROM = 1_000_000
"""Products (images times weights) from which a kernel uses all threads. Below, waking them costs more than
it saves, and far more on a machine whose cores have other work.
"""


@contextmanager
def _kernel_threads(n: int, W: NDArray) -> Iterator[None]:
    """Hold the lock, and allow one thread or all, for a parallel kernel over `n` images."""
    with PARALLEL_LOCK:
        allowed = get_num_threads()
        try:
            if n * W.size < PARALLEL_FROM:
                set_num_threads(1)
            yield
        finally:
            set_num_threads(allowed)


def _key(rng: np.random.Generator) -> np.uint64:
    return np.uint64(rng.integers(0, 2**64, dtype=np.uint64))


def _bernoulli_latent_means(W: NDArray, d: NDArray, X: NDArray) -> NDArray[np.float32]:
    with _kernel_threads(len(X), W):
        return kernels.latent_means(W, d, X)


def _bernoulli_draw_visible(
    W: NDArray, b: NDArray, H: NDArray, rng: np.random.Generator
) -> NDArray[np.uint8]:
    with _kernel_threads(len(H), W):
        return kernels.sample_visible(W, b, H, _key(rng))


def _bernoulli_draw_latent(means: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
    return kernels.sample_bernoulli(means, _key(rng))


def _bernoulli_ascend(W: NDArray, *rest: Any) -> tuple[NDArray, NDArray, NDArray, float, float, float]:
    with _kernel_threads(len(rest[2]) + len(rest[3]), W):
        return kernels.ascend(W, *rest)


def _gaussian_latent_means(W: NDArray, d: NDArray, X: NDArray) -> NDArray[np.float32]:
    a = X @ W
    a += d
    return expit(a, out=a)


def _gaussian_draw_visible(
    W: NDArray, b: NDArray, H: NDArray, rng: np.random.Generator
) -> NDArray[np.float32]:
    V = H.astype(np.float32) @ W.T
    V += b
    V += rng.standard_normal(V.shape, np.float32)
    return V


def _gaussian_draw_latent(means: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
    return (rng.random(means.shape, np.float32) < means).astype(np.uint8)


def _gaussian_ascend(
    W: NDArray,
    b: NDArray,
    d: NDArray,
    X: NDArray,
    V: NDArray,
    data_means: NDArray,
    fantasy_means: NDArray,
    rate: np.float32,
    keep: np.float32,
) -> tuple[NDArray, NDArray, NDArray, float, float, float]:
    data_rate, fantasy_rate = rate / np.float32(len(X)), rate / np.float32(len(V))
    new_W = keep * W
    new_W += X.T @ (data_rate * data_means)
    new_W -= V.T @ (fantasy_rate * fantasy_means)
    new_b = b + data_rate * X.sum(0) - fantasy_rate * V.sum(0)
    new_d = d + rate * (data_means.mean(0) - fantasy_means.mean(0))
    total = new_W.sum() + new_b.sum() + new_d.sum()
    return new_W, new_b, new_d, data_means.mean(), fantasy_means.mean(), total


LAYERS: dict[str, Layers] = {
    "bernoulli": Layers(
        _bernoulli_latent_means, _bernoulli_draw_visible, _bernoulli_draw_latent, _bernoulli_ascend
    ),
    "gaussian": Layers(
        _gaussian_latent_means, _gaussian_draw_visible, _gaussian_draw_latent, _gaussian_ascend
    ),
}


def gibbs(
    params: Params,
    H: NDArray[np.uint8],
    n_sweeps: int,
    rng: np.random.Generator,
    visible: Visible = "bernoulli",
) -> tuple[NDArray, NDArray[np.uint8]]:
    """Run one block Gibbs chain per row of H: x given h, then h given x, `n_sweeps` times, in single
    precision.

    Returns
    -------
    X : (n, n_v) uint8 for Bernoulli visibles, else float32
    H : (n, n_h) uint8
    """
    if n_sweeps < 1:
        raise ValueError(f"n_sweeps must be at least 1, got {n_sweeps}")
    H = np.ascontiguousarray(H, np.uint8)
    W, b, d = (np.ascontiguousarray(p, np.float32) for p in (params.W, params.b, params.d))
    layers = LAYERS[visible]
    X = layers.draw_visible(W, b, H, rng)
    for _ in range(n_sweeps - 1):
        X = layers.draw_visible(W, b, layers.draw_latent(layers.latent_means(W, d, X), rng), rng)
    return X, layers.draw_latent(layers.latent_means(W, d, X), rng)
