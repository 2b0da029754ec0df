"""Importance-weighted particles of one image: what a lane shows of them, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.baselines.sbn.model import SBNParams, recognition_log_odds
from lrbn_viz.kernels.numerics import sigmoid, softplus

SURE = 1000.0
"""Log-odds of a unit that is held: the other state has probability 0, to the last digit."""


def draw_latents(
    networks: Sequence[SBNParams],
    x: NDArray,
    n_particles: int,
    held: Mapping[int, int],
    rng: np.random.Generator,
) -> tuple[tuple[NDArray[np.uint8], ...], NDArray[np.float64]]:
    """Draw latents of all layers from ``q(h1 | x) q(h2 | h1) ...``, the lowest layer first.

    Parameters
    ----------
    networks : sequence of SBNParams
        Of each layer; those of an upper layer see the drawn states of the layer below.
    x : (n_v,)
    n_particles : int
    held : mapping from unit to state
        Latents that are as given in every particle, numbered through the layers; q is of the others.

    Returns
    -------
    tuple of (n_particles, n_h) uint8
        Of each layer.
    (n_particles,) float64
        ``log q`` of each particle, nats.
    """
    below = np.broadcast_to(np.asarray(x, np.float64), (n_particles, len(x)))
    found, log_q, first = [], np.zeros(n_particles), 0
    for layer in networks:
        z = recognition_log_odds(layer, below)
        for unit, state in held.items():
            if first <= unit < first + layer.n_h:
                z[:, unit - first] = SURE if state else -SURE
        below = (rng.random(z.shape) < sigmoid(z)).astype(np.float64)
        log_q += (below * z - softplus(z)).sum(axis=1)
        found.append(below.astype(np.uint8))
        first += layer.n_h
    return tuple(found), log_q
