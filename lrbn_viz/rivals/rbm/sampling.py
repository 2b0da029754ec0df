"""Gibbs chains of an RBM, in single precision: Bernoulli visibles by kernels, Gaussian ones by BLAS."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE
from lrbn_viz.kernels.numerics import WAYS, fixed
from lrbn_viz.rivals.rbm import kernels
from lrbn_viz.rivals.rbm.model import (
    Means,
    Params,
    Visible,
    deviations,
    exact_means,
    log_variances,
    posterior,
    visible_mean,
)

N_SWEEPS, N_BURN_IN = 200, 50
"""Sweeps over which means of latents and unknown visibles are averaged, and sweeps before them."""

PARALLEL_FROM = 1_000_000
"""Number of products (images times weights) above which kernels use all threads. Below it, waking the threads
costs more than it saves, and far more if the cores are busy.
"""


def threads_for(n: int, W: NDArray, what: str) -> AbstractContextManager[bool]:
    """Return a context that gives whether kernels over `n` images use all threads, reserved for the caller.

    They do so if it is faster and no other kernel uses them; `what` names what is computed, so that times are
    compared. Results do not depend on the number of threads.
    """
    work = n * W.size
    return nullcontext(False) if work < PARALLEL_FROM else WAYS.threads_for(what, work)


def keys_for(n: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return keys for kernels, of 53 random bits each, which take a sixth of the time of 64 bits."""
    return rng.random(n).view(np.uint64)


def arrays_of(params: Params) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return W, b and d in the layout of the kernels, copied only if necessary."""
    W, b, d = (np.ascontiguousarray(p, np.float32) for p in (params.W, params.b, params.d))
    return W, b, d


def gaussian_fields(W: NDArray, d: NDArray, X: NDArray) -> NDArray[np.float32]:
    """Return ``w_j'x + d_j`` of real-valued X, (n, n_h), nats; W is the result of :meth:`Noise.weighted`."""
    a = X @ W
    a += d
    return a


def gaussian_means(W: NDArray, d: NDArray, X: NDArray) -> NDArray[np.float32]:
    """Return ``P(h_j = 1 | x)`` of real-valued X, (n, n_h); W is the result of :meth:`Noise.weighted`."""
    a = gaussian_fields(W, d, X)
    return expit(a, out=a)


class Noise(NamedTuple):
    """Noise of Gaussian visibles with learned variances in a chain; both None if all variances are 1."""

    s: NDArray[np.float32] | None
    """(n_v,) standard deviations of x given h."""
    precision: NDArray[np.float32] | None
    """(n_v,) 1 / s^2."""

    def weighted(self, W: NDArray) -> NDArray[np.float32]:
        """Return ``w_ij / s_i^2``, the coefficients of x in the log-odds of the latents; (n_v, n_h)."""
        return W if self.precision is None else self.precision[:, None] * W


def noise_of(params: Params) -> Noise:
    """Return the noise of a model's log variances, in single precision."""
    z = log_variances(params)
    if z is None:
        return Noise(None, None)
    z = np.asarray(z, np.float32)
    return Noise(np.exp(np.float32(0.5) * z), np.exp(-z))


def sample_gaussian(
    W: NDArray, b: NDArray, H: NDArray, rng: np.random.Generator, s: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Draw x from N(Wh + b, diag(s^2)) for every row of H: (n, n_v); s is 1 where it is None."""
    V = H.astype(np.float32) @ W.T
    V += b
    noise = rng.standard_normal(V.shape, np.float32)
    V += noise if s is None else s * noise
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
    noise = noise_of(params)
    weighted = noise.weighted(W)
    for _ in range(n_sweeps):
        if visible == "gaussian":
            X = sample_gaussian(W, b, H, rng, noise.s)
            H = draw(gaussian_means(weighted, d, X), rng)
        else:
            keys = keys_for(2, rng)
            with threads_for(len(H), W, "Gibbs sampling") as threads:
                X = kernels.sample_visible(W, b, H, keys[0], threads)
                H = kernels.sample_bernoulli(kernels.latent_means(W, d, fixed(X), threads), keys[1], threads)
    return X, H


def means_given_known(
    params: Params, X: NDArray, visible: Visible = "bernoulli", n_sweeps: int = N_SWEEPS
) -> Means:
    """Return means of latents and visible units of images of which not all is known, NaN.

    Up to 16 latents are enumerated. Those of more are averaged over `n_sweeps` of Gibbs sampling, of a fixed
    seed.
    """
    if len(params.d) <= MAX_EXACT_INTERACTIVE:
        return exact_means(params, X, visible)
    return sampled_means(params, X, visible, n_sweeps, np.random.default_rng(0))


def sampled_means(
    params: Params, X: NDArray, visible: Visible, n_sweeps: int, rng: np.random.Generator
) -> Means:
    """Return the means over sweeps of Gibbs sampling of latents and unknown units, one chain an image.

    Each sweep adds the probabilities with which latents, and the means around which units, are drawn.
    """
    unknown, s = np.isnan(X), deviations(params)
    filled = np.where(unknown, visible_mean(params, np.zeros(params.W.shape[1]), visible), X)
    latents, visibles = np.zeros((len(X), params.W.shape[1])), np.zeros(X.shape)
    for sweep in range(N_BURN_IN + n_sweeps):
        p = posterior(params, filled)
        mean = visible_mean(params, rng.random(p.shape) < p, visible)
        if visible == "bernoulli":
            drawn = (rng.random(mean.shape) < mean).astype(np.float64)
        else:
            drawn = mean + rng.standard_normal(mean.shape) * (1.0 if s is None else s)
        filled = np.where(unknown, drawn, X)
        if sweep >= N_BURN_IN:
            latents += p
            visibles += mean
    return Means(latents / n_sweeps, visibles / n_sweeps)
