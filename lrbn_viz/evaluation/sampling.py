"""Estimates of log P(x) from samples of the latents: from the prior (CSL), and from around the MAP state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import numpy as np
from numba import get_num_threads
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from lrbn_viz.lrbn.deep import Layers, infer_deep, kind_of, log_joint_deep, prior_from_above, sample_latents
from lrbn_viz.lrbn.icm import batch_log_odds
from lrbn_viz.lrbn.model import LOG_2PI, Start, Visible
from lrbn_viz.lrbn.operands import prepare
from lrbn_viz.lrbn.stepping import cooling
from lrbn_viz.numerics import sigmoid, softplus

Progress = Callable[[float], None]

BLOCK = 500
"""Samples of the prior that meet all images at a time."""

IMAGES = 256
"""Images that meet them at a time: half a megabyte of log P(x | h), which stays near the processor."""


def conservative(
    layers: Layers,
    visible: Visible,
    X: NDArray,
    sizes: Sequence[int],
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ``log mean_h P(x | h)`` over ancestral samples, for growing numbers of them; (n_sizes, n).

    The second array, (n,), is the effective size of all samples: the square of the sum of P(x | h) by the sum
    of its squares. The samples of a smaller size are the first of a larger one's. In single precision, whose
    error of about 1e-4 nats is far below the estimate's own.

    Parameters
    ----------
    X : (n, n_v)
    sizes : sequence of int
        Rising numbers of samples.

    Notes
    -----
    Equation: (25).
    """
    low = layers[0]
    # x'(W h + b) by way of x'W: a multiplication per latent, where by way of W h it is one per pixel
    evidence = np.ascontiguousarray(X @ low.W, np.float32)
    base = X @ low.b
    if visible == "gaussian":
        base = base - 0.5 * np.square(X).sum(axis=1) - 0.5 * X.shape[1] * LOG_2PI
    W, b = low.W.astype(np.float32), low.b.astype(np.float32)
    highest = np.full(len(X), -np.inf, np.float32)
    totals = np.zeros((2, len(X)))  # of exp(log P(x | h) - highest), and of its square
    curve = np.empty((len(sizes), len(X)))
    done = 0
    parts = [slice(first, first + IMAGES) for first in range(0, len(X), IMAGES)]
    # One thread of BLAS for each of ours: its own wait for each other at every small product.
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(get_num_threads()) as threads:
        meeting: list[Future[None]] = []
        for row, size in enumerate(sizes):
            while done < size:
                n = min(BLOCK, size - done)
                H = sample_latents(layers, n, rng)[0].astype(np.float32)
                a = H @ W.T + b
                own = -softplus(a).sum(axis=1) if visible == "bernoulli" else -0.5 * np.square(a).sum(axis=1)
                _end(meeting)  # the samples before these, which were met while these were drawn
                meet = partial(_meet, evidence, H, own, highest, totals)
                meeting = [threads.submit(meet, part) for part in parts]
                done += n
                if progress is not None:
                    progress(done / sizes[-1])
            _end(meeting)
            curve[row] = highest + np.log(totals[0]) - np.log(size) + base
    return curve, totals[0] ** 2 / totals[1]


def _end(meeting: list[Future[None]]) -> None:
    for part in meeting:
        part.result()


def _meet(
    evidence: NDArray[np.float32],
    H: NDArray[np.float32],
    own: NDArray[np.float32],
    highest: NDArray[np.float32],
    totals: NDArray[np.float64],
    which: slice,
) -> None:
    """Let some images meet new samples. Modified in place: `highest` (n,) and `totals` (2, n).

    Parameters
    ----------
    evidence : (n, n_h)
        ``x'W`` of all images.
    H : (n_samples, n_h)
    own : (n_samples,)
        What of log P(x | h) does not depend on x.
    """
    scores = evidence[which] @ H.T
    scores += own
    new = np.maximum(highest[which], scores.max(axis=1))
    scores -= new[:, None]
    np.exp(scores, out=scores)
    kept = np.exp((highest[which] - new).astype(np.float64))
    totals[0, which] = totals[0, which] * kept + scores.sum(axis=1, dtype=np.float64)
    totals[1, which] = totals[1, which] * kept**2 + np.einsum("ij,ij->i", scores, scores)
    highest[which] = new


def map_states(
    layers: Layers, visible: Visible, X: NDArray, start: Start, n_sweeps: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], ...]:
    """Return jointly inferred latents of all layers: by ICM, after `n_sweeps` of annealing if any."""
    operands = [prepare(p, kind_of(layer, visible)) for layer, p in enumerate(layers)]
    return infer_deep(layers, visible, operands, X, start, cooling(n_sweeps), 1000, rng).H


def conditionals(
    layers: Layers, visible: Visible, X: NDArray, H: Sequence[NDArray[np.uint8]]
) -> list[NDArray[np.float64]]:
    """Return the log-odds of every unit of every layer, given x and all others as in `H`: (n, n_h) each.

    Equation: (9), the factors of the pseudo-likelihood.
    """
    found = []
    for layer, params in enumerate(layers):
        kind = kind_of(layer, visible)
        below = X if layer == 0 else H[layer - 1].astype(np.float64)
        prior = prior_from_above(layers, H, layer)
        found.append(batch_log_odds(params, kind, prepare(params, kind), below, H[layer], prior))
    return found


def importance(
    layers: Layers,
    visible: Visible,
    X: NDArray,
    log_odds: Sequence[NDArray[np.float64]],
    n_samples: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return log weights ``log P(x, h) - log q(h)`` of draws from independent units; (n_samples, n), nats.

    Parameters
    ----------
    log_odds : sequence of (n, n_h) arrays
        Of the units under q, one array per layer.
    """
    weights = np.empty((n_samples, len(X)))
    for s in range(n_samples):
        H = [(rng.random(z.shape) < sigmoid(z)).astype(np.uint8) for z in log_odds]
        log_q = sum((h * z - softplus(z)).sum(axis=1) for h, z in zip(H, log_odds, strict=True))
        weights[s] = log_joint_deep(layers, visible, X, H) - log_q
        if progress is not None:
            progress((s + 1) / n_samples)
    return weights
