"""Several layers of latents: their joint probability, joint inference, and its trace.

Layer l has its own :class:`~lrbn_viz.lrbn.model.LRBNParams` between h^(l-1), its visible units (h^0 = x), and
h^l, its latents. Only the top layer's `d` counts: the prior of a lower layer's latents is what the layer
above it generates. So a middle layer is inferred as a single one is, with each image's own prior log-odds
``W h + b`` from above in the place of d.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

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
from lrbn_viz.lrbn.operands import Operands, prepare
from lrbn_viz.lrbn.regression import binary_activation
from lrbn_viz.lrbn.stepping import Stepper
from lrbn_viz.numerics import softplus
from lrbn_viz.trace import ICMTrace

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


def trace_deep(
    layers: Layers,
    visible: Visible,
    x: NDArray,
    start: Start,
    temperatures: NDArray[np.float64],
    max_sweeps: int,
    rng: np.random.Generator,
) -> ICMTrace:
    """Record the joint inference of one image, visit by visit.

    Units of all layers are numbered through, the lowest layer's first; W holds zeros for all but these, so
    that the trace replays and reconstructs as a one-layer trace does. ``log_joint`` is the whole model's.
    """
    operands = [prepare(params, kind_of(layer, visible)) for layer, params in enumerate(layers)]
    X = x[None].astype(np.float64)
    H = list(infer_deep(layers, visible, operands, X, start, np.zeros(0), 0, rng).H)
    h0 = np.concatenate([latent[0] for latent in H])
    first = np.cumsum([0, *(params.n_h for params in layers)])
    joint0 = joint = float(log_joint_deep(layers, visible, X, H)[0])
    columns: dict[str, list[NDArray]] = {
        name: [] for name in ("unit", "after", "flipped", "log_odds", "log_joint", "sweep")
    }
    converged = False
    for t, temperature in enumerate([*temperatures, *([0.0] * max_sweeps)]):
        moved = False
        for layer, params in enumerate(layers):
            below = x if layer == 0 else H[layer - 1][0]
            prior = prior_from_above(layers, H, layer)
            stepper = Stepper(
                params, kind_of(layer, visible), operands[layer], below, H[layer], "sequential",
                np.array([temperature]), {}, rng, None if prior is None else prior[0],
            )  # fmt: skip
            stepper.advance(params.n_h)
            part = stepper.trace()
            H[layer] = part.latents(part.n_visits)[None]
            # all other terms of the joint stay as they are while this layer moves
            shifted = part.log_joint + (joint - part.log_joint0)
            for name in columns:
                columns[name].append(shifted if name == "log_joint" else getattr(part, name))
            columns["unit"][-1] = part.unit + np.int32(first[layer])
            columns["sweep"][-1] = np.full(part.n_visits, t, np.int32)
            joint = float(log_joint_deep(layers, visible, X, H)[0])
            moved = moved or bool(part.flipped.any())
        if temperature == 0.0 and not moved:
            converged = True
            break
    joined: dict[str, Any] = {name: np.concatenate(parts) for name, parts in columns.items()}
    others = np.zeros((layers[0].n_v, first[-1] - first[1]))
    return ICMTrace(
        x=x,
        h0=h0,
        log_joint0=joint0,
        converged=converged,
        W=np.hstack([layers[0].W, others]),
        b=layers[0].b,
        d=np.concatenate([params.d for params in layers]),
        visible=visible,
        model="deep",
        sampled=bool((temperatures > 0).any()),
        **joined,
    )


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
