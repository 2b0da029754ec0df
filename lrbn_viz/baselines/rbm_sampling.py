"""Gibbs chains of an RBM, and the training step that climbs the gradient they give; in single precision."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lrbn_viz.baselines import rbm_kernels as kernels
from lrbn_viz.baselines.rbm_gradient import climb as climb_bernoulli
from lrbn_viz.baselines.rbm_model import Params, Visible
from lrbn_viz.numerics import PARALLEL_LOCK

PARALLEL_FROM = 1_000_000
"""Products (images times weights) from which kernels use all threads. Below, waking them costs more than it
saves, and far more on a machine whose cores have other work.
"""


class Ascent(NamedTuple):
    """How a training step is taken."""

    persistent: bool
    """Whether chains go on from where they ended (PCD), or start at the batch (CD)."""
    n_gibbs: int
    """Sweeps of the chains."""
    rate: float
    """Size of the step."""
    keep: float
    """One minus the weight decay of this step; multiplies the old W."""


class Climb(NamedTuple):
    """What one training step gives; arrays as in :class:`~lrbn_viz.baselines.rbm.RBMState`."""

    W: NDArray[np.float32]
    b: NDArray[np.float32]
    d: NDArray[np.float32]
    particles: NDArray[np.uint8]
    activity: float
    """Mean of P(h_j = 1 | x) over the batch."""
    fantasy_activity: float
    """The same over the chains."""
    total: float
    """Finite unless a new parameter is not."""


@contextmanager
def _threads(n: int, W: NDArray) -> Iterator[bool]:
    """Yield whether kernels over `n` images shall use all threads, which are then this caller's alone.

    They shall if it pays and no other kernel has them: as results do not depend on it, nobody waits.
    """
    taken = n * W.size >= PARALLEL_FROM and PARALLEL_LOCK.acquire(blocking=False)
    try:
        yield taken
    finally:
        if taken:
            PARALLEL_LOCK.release()


def _keys(n: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return keys for kernels: 53 random bits each, at a sixth of the time that 64 bits take."""
    return rng.random(n).view(np.uint64)


def _arrays(params: Params) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return W, b and d as the kernels want them, copied only if need be."""
    W, b, d = (np.ascontiguousarray(p, np.float32) for p in (params.W, params.b, params.d))
    return W, b, d


def climb(
    params: Params,
    X: NDArray,
    particles: NDArray[np.uint8],
    how: Ascent,
    rng: np.random.Generator,
    visible: Visible,
) -> Climb:
    """Take one step up the gradient of log P(x), the model's part estimated with chains.

    Parameters
    ----------
    X : (n, n_v) uint8 in {0, 1} for Bernoulli visibles, else float32
        The batch, C-ordered.
    particles : (n_particles, n_h) uint8
        Latents from which persistent chains go on.
    """
    W, b, d = _arrays(params)
    if visible == "gaussian":
        with np.errstate(over="ignore", invalid="ignore"):  # the caller looks at `total` and names the step
            return _climb_gaussian(W, b, d, X, particles, how, rng)
    keys = _keys(2 * how.n_gibbs, rng)
    rate, keep = np.float32(how.rate), np.float32(how.keep)
    with _threads(len(X), W) as threads:
        return Climb(*climb_bernoulli(W, b, d, X, particles, how.persistent, keys, rate, keep, threads))


def _climb_gaussian(
    W: NDArray[np.float32],
    b: NDArray[np.float32],
    d: NDArray[np.float32],
    X: NDArray[np.float32],
    particles: NDArray[np.uint8],
    how: Ascent,
    rng: np.random.Generator,
) -> Climb:
    """Do it with dense products, so NumPy's BLAS does the work."""
    data_means = _gaussian_latent_means(W, d, X)
    V, fantasy_means = X, data_means
    for sweep in range(how.n_gibbs):
        H = particles if how.persistent and sweep == 0 else _draw(fantasy_means, rng)
        V = _gaussian_visible(W, b, H, rng)
        fantasy_means = _gaussian_latent_means(W, d, V)
    data_rate, fantasy_rate = np.float32(how.rate / len(X)), np.float32(how.rate / len(V))
    W = np.float32(how.keep) * W
    W += X.T @ (data_rate * data_means)
    W -= V.T @ (fantasy_rate * fantasy_means)
    b = b + data_rate * X.sum(0) - fantasy_rate * V.sum(0)
    d = d + np.float32(how.rate) * (data_means.mean(0) - fantasy_means.mean(0))
    if how.persistent:
        particles = _draw(fantasy_means, rng)
    total = float(W.sum() + b.sum() + d.sum())
    return Climb(W, b, d, particles, float(data_means.mean()), float(fantasy_means.mean()), total)


def _gaussian_latent_means(W: NDArray, d: NDArray, X: NDArray) -> NDArray[np.float32]:
    a = X @ W
    a += d
    return expit(a, out=a)


def _gaussian_visible(W: NDArray, b: NDArray, H: NDArray, rng: np.random.Generator) -> NDArray[np.float32]:
    V = H.astype(np.float32) @ W.T
    V += b
    V += rng.standard_normal(V.shape, np.float32)
    return V


def _draw(means: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
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
    W, b, d = _arrays(params)
    for _ in range(n_sweeps):
        if visible == "gaussian":
            X = _gaussian_visible(W, b, H, rng)
            H = _draw(_gaussian_latent_means(W, d, X), rng)
        else:
            keys = _keys(2, rng)
            with _threads(len(H), W) as threads:
                X = kernels.sample_visible(W, b, H, keys[0], threads)
                H = kernels.sample_bernoulli(kernels.latent_means(W, d, X, threads), keys[1], threads)
    return X, H
