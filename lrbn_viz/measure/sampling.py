"""Estimates of log P(x) from samples of the latents: from the prior (CSL), and from around the MAP state."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numba import get_num_threads
from numpy.typing import NDArray

from lrbn_viz.core.model import Model, Progress
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import one_blas_thread

BLOCK = 500
"""Samples of the prior that are added to the sums of all images at a time."""

IMAGES = 256
"""Images that a thread adds them to at a time: half a megabyte of log P(x | h), which stays near the
processor.
"""


def conservative(
    model: Model,
    X: NDArray,
    sizes: Sequence[int],
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ``log mean_h P(x | h)`` over ancestral samples, for growing numbers of them; (n_sizes, n).

    The second array, (n,), is the effective size of all samples: the square of the sum of P(x | h) by the sum
    of its squares. The samples of a smaller size are the first of a larger one's. Arithmetic is in single
    precision, with an error of about 1e-4 nats, far below the estimate's own.

    Parameters
    ----------
    X : (n, n_v)
        NaN is not known.
    sizes : sequence of int
        Rising numbers of samples.

    Notes
    -----
    Equation: (25).
    """
    low, units = model.layers[0], model.units
    # x'eta by way of x'W, if eta is W h + b: a multiplication per latent, by way of eta one per pixel
    parts = [slice(first, first + IMAGES) for first in range(0, len(X), IMAGES)]
    # Part by part: sums of a product may depend on how many rows it has, and an image's shall not.
    base, unknown = units.log_base(X), unknown_in(X)
    if unknown is not None:
        X = np.where(unknown, 0.0, X)
    if units.canonical:
        evidence = np.concatenate([(X[part] @ low.W).astype(np.float32) for part in parts])
        base = np.concatenate([X[part] @ low.b for part in parts]) + base
    else:
        evidence = X.astype(np.float32)
    if unknown is not None:  # the normalisers of each image's own known units are a product as well
        evidence = np.hstack([evidence, unknown - np.float32(1.0)])
    W, b = low.W.astype(np.float32), low.b.astype(np.float32)
    highest = np.full(len(X), -np.inf, np.float32)
    totals = np.zeros((2, len(X)))  # of exp(log P(x | h) - highest), and of its square
    curve = np.empty((len(sizes), len(X)))
    done = 0
    # Threads that end within this call, so no background work. One thread of BLAS for each of ours: its own
    # wait for each other at every small product.
    with one_blas_thread(), ThreadPoolExecutor(get_num_threads()) as threads:
        adding: list[Future[None]] = []
        for row, size in enumerate(sizes):
            while done < size:
                n = min(BLOCK, size - done)
                H = model.sample_latents(n, rng)[0].astype(np.float32)
                a = H @ W.T + b
                normalisers = units.log_normaliser(a)
                told = H if units.canonical else units.natural(a)
                if unknown is None:
                    own = -normalisers.sum(axis=1)
                else:
                    own, told = np.zeros(n, a.dtype), np.hstack([told, normalisers])
                _wait_for(adding)  # of the samples before these, which were added while these were drawn
                adding = [threads.submit(_add, evidence, told, own, highest, totals, part) for part in parts]
                done += n
                if progress is not None:
                    progress(done / sizes[-1])
            _wait_for(adding)
            curve[row] = highest + np.log(totals[0]) - np.log(size) + base
    return curve, totals[0] ** 2 / totals[1]


def _wait_for(adding: list[Future[None]]) -> None:
    for part in adding:
        part.result()


def _add(
    evidence: NDArray[np.float32],
    told: NDArray[np.float32],
    own: NDArray[np.float32],
    highest: NDArray[np.float32],
    totals: NDArray[np.float64],
    which: slice,
) -> None:
    """Add new samples to the sums of some images. Modified in place: `highest` (n,) and `totals` (2, n).

    Parameters
    ----------
    evidence, told : (n, k), (n_samples, k)
        Arrays of all images and of the samples whose product is the term of log P(x | h) with both: ``x'W``
        and h, or x and the natural parameters.
    own : (n_samples,)
        Terms of log P(x | h) that do not depend on x.
    """
    scores = evidence[which] @ told.T
    scores += own
    new = np.maximum(highest[which], scores.max(axis=1))
    scores -= new[:, None]
    np.exp(scores, out=scores)
    kept = np.exp((highest[which] - new).astype(np.float64))
    totals[0, which] = totals[0, which] * kept + scores.sum(axis=1, dtype=np.float64)
    totals[1, which] = totals[1, which] * kept**2 + np.einsum("ij,ij->i", scores, scores)
    highest[which] = new


def importance(
    model: Model,
    X: NDArray,
    log_odds: Sequence[NDArray[np.float64]],
    n_samples: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return log weights ``log P(x, h) - log q(h)`` of draws from the proposal; (n_samples, n), nats.

    Parameters
    ----------
    log_odds : sequence of (n, n_h) arrays
        Log-odds of the units under q, one array per layer, as the model's `proposal` gives them.
    """
    weights = np.empty((n_samples, len(X)))
    for s in range(n_samples):
        H, log_q = model.draw_proposal(log_odds, rng)
        weights[s] = model.joint(X, H) - log_q
        if progress is not None:
            progress((s + 1) / n_samples)
    return weights
