"""Importance-weighted particles in double precision: those of one image for a lane, and one figure per
image.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import Model, hold
from lrbn_viz.kernels.numerics import GOLDEN, ROUNDS, one_blas_thread
from lrbn_viz.kernels.particles import draw_layer
from lrbn_viz.rivals.sbn.model import LayerNetworks

BATCH_IMAGES = 100
"""Number of images whose particles are weighed at a time: 20 particles of 784 pixels per image take 13 MB."""


def draw_latents(
    networks: Sequence[LayerNetworks],
    x: NDArray,
    n_particles: int,
    held: Mapping[int, int],
    rng: np.random.Generator,
) -> tuple[tuple[NDArray[np.uint8], ...], NDArray[np.float64]]:
    """Draw latents of all layers from ``q(h1 | x) q(h2 | h1) ...``, the lowest layer first.

    Parameters
    ----------
    networks : sequence of LayerNetworks
        Of each layer; those of an upper layer see the drawn states of the layer below.
    x : (n_v,)
    n_particles : int
    held : mapping from unit to state
        Latents with a given state in every particle, numbered through the layers; q is that of the others.

    Returns
    -------
    tuple of (n_particles, n_h) uint8
        Of each layer.
    (n_particles,) float64
        ``log q`` of each particle, nats.
    """
    below = np.array(x, np.uint8)[None]
    found, log_q, first = [], np.zeros(n_particles), 0
    for layer in networks:
        # writeable, so that one compiled kernel serves a loaded model's parameters and a trained one's
        V, c = (np.require(array, np.float64, ("C", "W")) for array in (layer.V, layer.c))
        kept = np.full((1, layer.n_h), np.nan)
        hold(kept, held, first)
        u, H = rng.random((n_particles, layer.n_h)), np.empty((n_particles, layer.n_h), np.uint8)
        z, p = np.empty(layer.n_h), np.empty(layer.n_h)
        draw_layer(V, c, below, kept[0], u, z, p, H, log_q)
        found.append(H)
        below, first = H, first + layer.n_h
    return tuple(found), log_q


class ImageStreams:
    """Uniform random numbers of a batch of images that depend on each image's pixels, not on its place.

    It replaces a ``numpy.random.Generator`` for drawing latents. Equal images have equal numbers.

    Parameters
    ----------
    X : (n, n_v) float64
    """

    def __init__(self, X: NDArray[np.float64]) -> None:
        rows = np.ascontiguousarray(X + 0.0, "<f8")  # -0.0 equals 0.0, and so gets the same numbers
        seeds = [hashlib.blake2b(row, digest_size=8).digest() for row in rows]
        self._states = np.frombuffer(b"".join(seeds), "<u8").astype(np.uint64)

    def random(self, size: tuple[int, ...]) -> NDArray[np.float64]:
        """Return numbers in [0, 1), equally many for each image, image by image.

        They are those of :func:`~lrbn_viz.kernels.numerics.next_uniform`, SplitMix64, without its offset.
        """
        each = math.prod(size) // len(self._states)
        z = self._states[:, None] + np.arange(1, each + 1, dtype=np.uint64) * GOLDEN
        self._states = z[:, -1].copy()
        for shift, factor in ROUNDS:
            z ^= z >> np.uint64(shift)
            z *= np.uint64(factor)
        return ((z >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(size)


def mean_weights(model: Model, X: NDArray[np.float64], n_particles: int) -> NDArray[np.float64]:
    """Return ``log (1/K) sum_k P(x, h_k) / q(h_k | x)`` of draws from a recognition network, nats; (n,).

    An image's figure does not depend on the other images of the batch, except for rounding: its draws depend
    on its own pixels, and its probabilities have double precision. Sums over a batch are rounded differently
    from those of a single image, which in the single precision of training would occasionally change a draw.

    Parameters
    ----------
    model : Model
        With a ``proposal`` that needs no random numbers.
    X : (n, n_v) float64
        Checked images.
    n_particles : int
        K.
    """
    found = np.empty(len(X))
    none = np.random.default_rng(0)
    with one_blas_thread():
        for first in range(0, len(X), BATCH_IMAGES):
            images = X[first : first + BATCH_IMAGES]
            streams: Any = ImageStreams(images)
            log_odds = [np.repeat(z, n_particles, axis=0) for z in model.proposal(images, 0, none)]
            H, log_q = model.draw_proposal(log_odds, streams)
            log_joint = model.joint(np.repeat(images, n_particles, axis=0), H)
            weights = (log_joint - log_q).reshape(len(images), n_particles)
            found[first : first + len(images)] = np.logaddexp.reduce(weights, axis=1) - np.log(n_particles)
    return found
