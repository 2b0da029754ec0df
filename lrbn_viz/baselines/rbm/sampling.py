"""Gibbs chains of an RBM, in single precision: Bernoulli visibles by kernels, Gaussian ones by BLAS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lrbn_viz.baselines.rbm import kernels
from lrbn_viz.baselines.rbm.model import Params, Visible
from lrbn_viz.kernels.numerics import PARALLEL_LOCK

PARALLEL_FROM = 1_000_000
"""Products (images times weights) from which kernels use all threads. Below, waking them costs more than it
saves, and far more on a machine whose cores have other work.
"""


@contextmanager
def threads_for(n: int, W: NDArray) -> Iterator[bool]:
    """Yield whether kernels over `n` images shall use all threads, which are then this caller's alone.

    They shall if it pays and no other kernel has them: as results do not depend on it, nobody waits.
    """
    taken = n * W.size >= PARALLEL_FROM and PARALLEL_LOCK.acquire(blocking=False)
    try:
        yield taken
    finally:
        if taken:
            PARALLEL_LOCK.release()


def keys_for(n: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return keys for kernels: 53 random bits each, at a sixth of the time that 64 bits take."""
    return rng.random(n).view(np.uint64)


def arrays_of(params: Params) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return W, b and d as the kernels want them, copied only if need be."""
    W, b, d = (np.ascontiguousarray(p, np.float32) for p in (params.W, params.b, params.d))
    return W, b, d


def gaussian_fields(W: NDArray, d: NDArray, X: NDArray) -> NDArray[np.float32]:
    """Return ``w_j'x + d_j`` of real-valued X, (n, n_h), nats."""
    a = X @ W
    a += d
    return a


def gaussian_means(W: NDArray, d: NDArray, X: NDArray) -> NDArray[np.float32]:
    """Return ``P(h_j = 1 | x)`` of real-valued X, (n, n_h)."""
    a = gaussian_fields(W, d, X)
    return expit(a, out=a)


def sample_gaussian(W: NDArray, b: NDArray, H: NDArray, rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw x from N(Wh + b, I) for every row of H: (n, n_v)."""
    V = H.astype(np.float32) @ W.T
    V += b
    V += rng.standard_normal(V.shape, np.float32)
    return V


def draw(means: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw 0 or 1 with probabilities `means`."""
    return (rng.random(means.shape, np.float32) < means).astype(np.uint8)


def gibbs(
    params: Params,
    H: NDArray[np.uint8],
    n_sweeps: int,
    rng: np.random.Generator,
    visible: Visible = "bernoulli",
) -> tuple[NDArray, NDArray[np.uint8]]:
    """Run one block Gibbs chain per row of H: x given h, then h given x, `n_sweeps` times.

    Returns
    -------
    X : (n, n_v) uint8 for Bernoulli visibles, else float32
    H : (n, n_h) uint8
    """
    if n_sweeps < 1:
        raise ValueError(f"n_sweeps must be at least 1, got {n_sweeps}")
    X, H = np.empty(0), np.ascontiguousarray(H, np.uint8)
    W, b, d = arrays_of(params)
    for _ in range(n_sweeps):
        if visible == "gaussian":
            X = sample_gaussian(W, b, H, rng)
            H = draw(gaussian_means(W, d, X), rng)
        else:
            keys = keys_for(2, rng)
            with threads_for(len(H), W) as threads:
                X = kernels.sample_visible(W, b, H, keys[0], threads)
                H = kernels.sample_bernoulli(kernels.latent_means(W, d, X, threads), keys[1], threads)
    return X, H
