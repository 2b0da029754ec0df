"""Several layers of latents: their joint probability and joint inference.

Layer l has its own :class:`~lrbn_viz.core.model.LayerParams` between h^(l-1), its visible units (h^0 = x),
and h^l, its latents. Only the top layer's `d` is used: the prior of a lower layer's latents is given by the
layer above it. So a middle layer is inferred like a single one, with each image's own prior log-odds ``W h +
b`` from above in place of d.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.kernels.numerics import softplus
from lrbn_viz.kernels.steps import weighed
from lrbn_viz.lrbn.batch_kernel import CHUNK, infer_batch, run_sweeps
from lrbn_viz.lrbn.kernel_params import KernelParams
from lrbn_viz.lrbn.model import Start, Visible, log_joint, log_joint_given, sample_prior, sample_visible
from lrbn_viz.lrbn.regression import binary_activation
from lrbn_viz.lrbn.start import fixed_log_odds, make_state, rows_of
from lrbn_viz.lrbn.state import InferenceState

Layers = tuple[LayerParams, ...]


def kind_of(layer: int, visible: Visible) -> Visible:
    """Return the kind of a layer's visible units: the data's at the bottom, else Bernoulli."""
    return visible if layer == 0 else "bernoulli"


def log_joint_deep(layers: Layers, visible: Visible, X: NDArray, H: Sequence[NDArray]) -> NDArray[np.float64]:
    """Return the normalised ``log P(x, h^1, ..., h^L)`` of each row, nats; shape (n,).

    Equation: (19), the term of one image.
    """
    if len(layers) == 1:
        return log_joint(layers[0], visible, X, H[0])
    total = np.zeros(len(X))
    below = X
    for layer, (params, latent) in enumerate(zip(layers, H, strict=True)):
        a = binary_activation(params, latent)
        total += log_joint_given(params, kind_of(layer, visible), below, latent, a)
        # the layer's own d is not used where a layer above gives the prior
        if layer < len(layers) - 1:
            total -= latent @ params.d - softplus(params.d).sum()
        below = latent
    return total


def prior_from_above(layers: Layers, H: Sequence[NDArray], layer: int) -> NDArray[np.float64] | None:
    """Return the log-odds ``W h + b`` that the next layer gives this layer's latents; None at the top."""
    if layer == len(layers) - 1:
        return None
    return binary_activation(layers[layer + 1], H[layer + 1])


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
    kernel_params: Sequence[KernelParams],
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
    kernel_params : sequence of KernelParams
        One per layer.
    X : (n, n_v)
    start : {"conditional", "paper", "zeros", "random"} or a sequence of (n, n_h) arrays
        A name starts each layer from the one below it, bottom-up.
    temperatures : (n_warm,) float64
        One sweep over all layers at each, first.
    max_sweeps : int
        Largest number of rounds of ICM after them.
    top : (n, n_h) uint8, optional
        Observed states of the top layer: targets.
    weight : float
        Exponent of ``P(x | h^1)``, as in training. It is implemented by dividing the lowest layer's prior and
        temperatures by it.
    """
    if len(layers) == 1 and top is None and weight == 1.0:
        begun: Any = start if isinstance(start, str) else start[0]
        alone = infer_batch(layers[0], visible, kernel_params[0], X, begun, temperatures, max_sweeps, rng)
        return DeepInference((alone.H,), alone.flips, bool(alone.converged.all()))
    low = layers[0]._replace(d=weighed(layers[0].d, weight))
    layers = (low, *layers[1:])
    kernel_params = [kernel_params[0]._replace(d=low.d), *kernel_params[1:]]
    free = len(layers) if top is None else len(layers) - 1
    temperatures = np.asarray(temperatures, np.float64)
    H = [np.empty((len(X), params.n_h), np.uint8) for params in layers]
    flips, converged = np.zeros(len(X), np.int64), True
    for first in range(0, len(X), CHUNK):
        part = slice(first, first + CHUNK)
        here = start if isinstance(start, str) else [latent[part] for latent in start]
        held = None if top is None else top[part]
        images = _Images(layers, visible, kernel_params, X[part], here, held, rng, weight)
        for temperature in temperatures:
            for layer in range(free):
                images.visit(layer, np.array([temperature]), 0)
        converged = images.climb(free, max_sweeps) and converged
        flips[part] = images.flips
        for whole, latent in zip(H, images.H, strict=True):
            whole[part] = latent
    return DeepInference(tuple(H), flips, converged)


class _Images:
    """Images under joint inference, with one state per layer that is updated from visit to visit.

    A layer's units are inferred like those of a single layer. Between two visits only the part of their
    log-odds changes that depends on the neighbouring layers.
    """

    def __init__(
        self,
        layers: Layers,
        visible: Visible,
        kernel_params: Sequence[KernelParams],
        X: NDArray,
        start: Start | Sequence[NDArray],
        top: NDArray[np.uint8] | None,
        rng: np.random.Generator,
        weight: float,
    ) -> None:
        self._layers, self._kernel_params, self._weight = layers, kernel_params, weight
        self.flips = np.zeros(len(X), np.int64)
        self._states: list[InferenceState] = []
        below = X
        for layer, params in enumerate(layers):
            of = start if isinstance(start, str) else start[layer]
            if top is not None and layer == len(layers) - 1:
                of = top
            kind = kind_of(layer, visible)
            self._states.append(make_state(params, kind, kernel_params[layer], below, of, rng))
            below = self._states[-1].latent
        self._evidence = self._states[0].evidence - kernel_params[0].d  # of x, which does not change

    @property
    def H(self) -> list[NDArray[np.uint8]]:
        """States of all layers, the lowest first."""
        return [state.latent for state in self._states]

    def visit(self, layer: int, temperatures: NDArray[np.float64], max_sweeps: int) -> None:
        """Infer one layer given its neighbours."""
        state, kernel_params, H = self._states[layer], self._kernel_params[layer], self.H
        prior = prior_from_above(self._layers, H, layer)
        if layer == 0:
            temperatures = weighed(temperatures, self._weight)
            odds = kernel_params.d if prior is None else weighed(prior, self._weight)
            state.evidence[:] = self._evidence + odds
        else:
            state.evidence[:] = fixed_log_odds(
                self._layers[layer], "bernoulli", kernel_params, H[layer - 1], prior
            )
        n = len(self.flips)
        flips = np.zeros(n, np.int64)
        run_sweeps(
            kernel_params,
            state,
            temperatures,
            max_sweeps,
            np.zeros(n, np.int64),
            flips,
            np.zeros(n, np.bool_),
        )
        self.flips += flips

    def climb(self, free: int, max_sweeps: int, begin: int = 0) -> bool:
        """Optimise every free layer in turn until none changes; return whether this was reached."""
        none = np.zeros(0)
        for done in range(begin, max_sweeps):
            before = self.flips.copy()
            for layer in range(free):
                self.visit(layer, none, max_sweeps)
            moved = self.flips > before
            if not moved.any():
                return True
            if 2 * np.count_nonzero(moved) < len(moved):  # the others will not change any more
                return self._climb_with(np.flatnonzero(moved), free, max_sweeps, done + 1)
        return False

    def _climb_with(self, rows: NDArray[np.int64], free: int, max_sweeps: int, done: int) -> bool:
        """Continue with some of the images after `done` rounds."""
        some = copy.copy(self)
        states = [rows_of(state, rows) for state in self._states]
        vars(some).update(flips=self.flips[rows], _evidence=self._evidence[rows], _states=states)
        converged = some.climb(free, max_sweeps, done)
        self.flips[rows] = some.flips
        for whole, part in zip(self.H, some.H, strict=True):
            whole[rows] = part
        return converged


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
