"""Several layers of latents: their joint probability and joint inference.

Layer l has its own :class:`~lrbn_viz.lrbn.model.LRBNParams` between h^(l-1), its visible units (h^0 = x), and
h^l, its latents. Only the top layer's `d` counts: the prior of a lower layer's latents is what the layer
above it generates. So a middle layer is inferred as a single one is, with each image's own prior log-odds
``W h + b`` from above in the place of d.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.lrbn.icm import infer_batch
from lrbn_viz.lrbn.model import (
    LRBNParams,
    Start,
    Visible,
    activation,
    log_joint,
    sample_prior,
    sample_visible,
)
from lrbn_viz.lrbn.operands import Operands
from lrbn_viz.lrbn.regression import binary_activation
from lrbn_viz.numerics import softplus

Layers = tuple[LRBNParams, ...]

FEW = 64
"""Images up to which latents above are summed up one by one: a minibatch."""


def kind_of(layer: int, visible: Visible) -> Visible:
    """Return the kind of a layer's visible units: the data's at the bottom, else Bernoulli."""
    return visible if layer == 0 else "bernoulli"


def log_joint_deep(layers: Layers, visible: Visible, X: NDArray, H: Sequence[NDArray]) -> NDArray[np.float64]:
    """Return the normalised ``log P(x, h^1, ..., h^L)`` of each row, nats; shape (n,).

    Equation: (19), the term of one image.
    """
    total = np.zeros(len(X))
    below = X
    for layer, (params, latent) in enumerate(zip(layers, H, strict=True)):
        total += log_joint(params, kind_of(layer, visible), below, latent)
        # the layer's own d is no prior where a layer above gives one
        if layer < len(layers) - 1:
            total -= latent @ params.d - softplus(params.d).sum()
        below = latent
    return total


def prior_from_above(layers: Layers, H: Sequence[NDArray], layer: int) -> NDArray[np.float64] | None:
    """Return the log-odds ``W h + b`` that the next layer gives this layer's latents; None at the top."""
    if layer == len(layers) - 1:
        return None
    # For a minibatch not a product of matrices, which would wake the threads of the BLAS library.
    above = H[layer + 1]
    return (binary_activation if len(above) <= FEW else activation)(layers[layer + 1], above)


class DeepInference(NamedTuple):
    """Latents of all layers, lowest first, (n, n_h) uint8 each; flips per image, and whether nothing changes
    any more.
    """

    H: tuple[NDArray[np.uint8], ...]
    flips: NDArray[np.int64]
    converged: bool


def infer_deep(
    layers: Layers,
    visible: Visible,
    operands: Sequence[Operands],
    X: NDArray,
    start: Start | Sequence[NDArray],
    temperatures: NDArray[np.float64],
    max_sweeps: int,
    rng: np.random.Generator,
    *,
    top: NDArray[np.uint8] | None = None,
    weight: float = 1.0,
) -> DeepInference:
    """Infer the latents of all layers together, by coordinate ascent on the joint.

    Equation: (20), for every layer between two others.

    Parameters
    ----------
    operands : sequence of Operands
        One per layer.
    X : (n, n_v)
    start : {"conditional", "paper", "zeros", "random"} or a sequence of (n, n_h) arrays
        A name starts each layer from the one below it, bottom-up.
    temperatures : (n_warm,) float64
        One sweep over all layers at each, first.
    max_sweeps : int
        At most so many rounds of ICM after them.
    top : (n, n_h) uint8, optional
        Observed states of the top layer: targets.
    weight : float
        Exponent of ``P(x | h^1)``, as in training. It is the lowest layer's prior and temperatures divided by
        it.
    """
    depth = len(layers)
    low = layers[0]._replace(d=layers[0].d / weight)
    layers = (low, *layers[1:])
    operands = [operands[0]._replace(d=low.d), *operands[1:]]
    none, flips = np.zeros(0), np.zeros(len(X), np.int64)
    H: list[NDArray[np.uint8]] = []
    below = X
    for layer in range(depth):
        if not isinstance(start, str):
            H.append(np.array(start[layer], np.uint8, order="C"))
        else:
            kind = kind_of(layer, visible)
            found = infer_batch(layers[layer], kind, operands[layer], below, start, none, 0, rng)
            H.append(found.H)
        below = H[-1].astype(np.float64)
    if top is not None:
        H[-1] = np.array(top, np.uint8, order="C")
    free = range(depth if top is None else depth - 1)

    def visit(layer: int, warm: NDArray[np.float64], sweeps: int) -> bool:
        below = X if layer == 0 else H[layer - 1].astype(np.float64)
        prior = prior_from_above(layers, H, layer)
        if layer == 0:
            prior, warm = None if prior is None else prior / weight, warm / weight
        kind = kind_of(layer, visible)
        found = infer_batch(layers[layer], kind, operands[layer], below, H[layer], warm, sweeps, rng, prior)
        H[layer] = found.H
        np.add(flips, found.flips, out=flips)
        return bool(found.flips.any())

    for temperature in temperatures:
        for layer in free:
            visit(layer, np.array([temperature]), 0)
    for _ in range(max_sweeps):
        # every layer to its own optimum in turn, until none has moved
        moved = [visit(layer, none, max_sweeps) for layer in free]
        if not any(moved):
            return DeepInference(tuple(H), flips, True)
    return DeepInference(tuple(H), flips, False)


def sample_latents(layers: Layers, n: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], ...]:
    """Draw the latents of n images from the prior, the top layer first; h^1 ... h^L, (n, n_h) each."""
    drawn = [sample_prior(layers[-1], n, rng)]
    for layer in range(len(layers) - 1, 0, -1):
        drawn.insert(0, sample_visible(layers[layer], "bernoulli", drawn[0], rng))
    return tuple(drawn)


def sample_deep(
    layers: Layers, visible: Visible, n: int, rng: np.random.Generator
) -> tuple[NDArray, tuple[NDArray[np.uint8], ...]]:
    """Draw n images and their latents by ancestral sampling; x (n, n_v), h^1 ... h^L (n, n_h) each."""
    H = sample_latents(layers, n, rng)
    return sample_visible(layers[0], visible, H[0], rng), H
