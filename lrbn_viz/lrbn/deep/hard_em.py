"""Hard EM of several layers together (equation 19), for layers that have been learned one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.system import UNKNOWN, Memory, System
from lrbn_viz.kernels.numerics import softplus
from lrbn_viz.kernels.steps import weighed
from lrbn_viz.lrbn.batch_kernel import infer_batch
from lrbn_viz.lrbn.deep.inference import (
    DeepInference,
    Layers,
    infer_deep,
    kind_of,
    log_joint_deep,
    sample_deep,
)
from lrbn_viz.lrbn.hard_em import EStep, HardEM, HardEMState
from lrbn_viz.lrbn.kernel_params import KernelParams, prepare_params
from lrbn_viz.lrbn.model import Start, Visible, most_probable_visible, visible_mean
from lrbn_viz.lrbn.regression import binary_activation

DeepState = tuple[HardEMState, ...]


def above_the_first(layer: HardEM) -> HardEM:
    """Return the settings of a layer whose visible units are latents: b decays too, and the likelihood is not
    weighted.

    Its weights may be negative, so that it can express that some parts exclude each other.
    """
    return replace(layer, decay_b=True, likelihood_weight=1.0, nonnegative=False)


@dataclass(frozen=True)
class DeepHardEM(System[DeepState]):
    """Hard EM of all layers, behind the System protocol.

    Equation: (21) and (22).

    Parameters
    ----------
    layers : tuple of HardEM
        Training of each layer, the lowest first. Only the prior of the top layer is learned, if its settings
        say so. Where layers above the first have weight decay, it shrinks their b too, towards a flat prior
        over the latents below. The first one's weight of the likelihood is that of the images; the others
        have none. Where the first one's weights stay at or above 0, those of the others need not.
    scheme : {"joint", "three layers"}
        "joint" infers all layers together and then updates all. "three layers" is the paper's: bottom-up
        start, then from the top down each middle layer between its neighbours, and the two layers of
        parameters around it (equations 20 to 22).
    n_targets : int
        Units of the top layer that are observed while learning (equation 23): the last columns of every batch
        are their states. 0: none; else as many as the top layer has.
    """

    layers: tuple[HardEM, ...]
    scheme: Literal["joint", "three layers"] = "joint"
    n_targets: int = 0

    def __post_init__(self) -> None:
        low, *above = self.layers
        object.__setattr__(self, "layers", (low, *(above_the_first(layer) for layer in above)))

    def split(self, X: NDArray) -> tuple[NDArray[np.float64], NDArray[np.uint8] | None]:
        """Return the images and, if they are observed, the states of the top layer."""
        X = X.astype(np.float64)
        if not self.n_targets:
            return X, None
        return X[:, : -self.n_targets], X[:, -self.n_targets :].astype(np.uint8)

    @property
    def memory_width(self) -> int:
        """Number of latents, of all layers, that training stores for each image; none in the paper's
        scheme.
        """
        persistent = self.scheme == "joint" and self.layers[0].persistent
        return sum(layer.n_h for layer in self.layers) if persistent else 0

    @property
    def visible(self) -> Visible:
        """Kind of the data."""
        return self.layers[0].visible

    def init(self, X: NDArray, rng: np.random.Generator) -> DeepState:
        """Return untrained layers, each initialised by the states that the one below it infers."""
        states: list[HardEMState] = []
        below: NDArray = self.split(X)[0]
        for layer in self.layers:
            states.append(layer.init(below, rng))
            below = layer.encode(states[-1], below)
        return tuple(states)

    def _kernel_params(self, params: Layers, dtype: type = np.float32) -> list[KernelParams]:
        return [prepare_params(p, kind_of(layer, self.visible), dtype) for layer, p in enumerate(params)]

    def infer(
        self,
        params: Layers,
        X: NDArray,
        rng: np.random.Generator,
        *,
        method: EStep = "icm",
        dtype: type = np.float64,
        top: NDArray[np.uint8] | None = None,
        memory: Memory = None,
        weight: float = 1.0,
    ) -> DeepInference:
        """Return the jointly inferred latents of all layers, the top one's held at `top` where given.

        Inference starts bottom-up, or from the states in `memory` (n, n_h of all layers) where it holds any.
        `weight` is the exponent of the images' likelihood.
        """
        low = self.layers[0]
        kernel_params = self._kernel_params(params, dtype)
        start: Start | list[NDArray] = low.start
        if memory is not None:
            ends = np.cumsum([layer.n_h for layer in self.layers])[:-1]
            start = [part.copy() for part in np.split(memory, ends, axis=1)]
            new = memory[:, 0] == UNKNOWN
            if new.any():
                begun = infer_deep(
                    params, self.visible, kernel_params, X[new], low.start, np.zeros(0), 0, rng, weight=weight
                )
                for part, found in zip(start, begun.H, strict=True):
                    part[new] = found
        warm, max_sweeps = low.schedule(method)
        return infer_deep(
            params, self.visible, kernel_params, X, start, warm, max_sweeps, rng, top=top, weight=weight
        )

    def step(
        self, state: DeepState, batch: NDArray, rng: np.random.Generator, memory: Memory = None
    ) -> tuple[DeepState, dict[str, float]]:
        """One round of inference and regression on a minibatch. Modified in place: `memory`."""
        X, top = self.split(batch)
        params = params_of(state)
        if self.scheme == "joint":
            found = self.infer(
                params,
                X,
                rng,
                method=self.layers[0].e_step,
                dtype=np.float32,
                top=top,
                memory=memory,
                weight=self.layers[0].likelihood_weight,
            )
            if memory is not None:
                memory[...] = np.hstack(found.H)
            H = [h.astype(np.float64) for h in found.H]
            new, figures = self._learn(state, X, H, range(len(state)))
            # Every layer has computed log P(below, h); only the top one's prior counts.
            priors = [
                (h * p.d).sum(axis=1).mean() - softplus(p.d).sum() for h, p in zip(H, params, strict=True)
            ]
            joint = sum(found["log_joint"] for found in figures) - sum(priors[:-1])
        else:
            new, H, figures = self._top_down(state, X, top, rng)
            joint = log_joint_deep(params, self.visible, X, H).mean()
        return new, {**figures[0], "log_joint": float(joint), "upper_activity": float(H[-1].mean())}

    def _learn(
        self, state: Sequence[HardEMState], X: NDArray, H: Sequence[NDArray], which: Iterable[int]
    ) -> tuple[DeepState, list[dict[str, float]]]:
        """Update the named layers on complete data; also return the figures of each."""
        new, figures = list(state), []
        for layer in which:
            new[layer], found = self.layers[layer].learn(
                state[layer], X if layer == 0 else H[layer - 1], H[layer]
            )
            figures.append(found)
        return tuple(new), figures

    def _top_down(
        self, state: DeepState, X: NDArray, top: NDArray[np.uint8] | None, rng: np.random.Generator
    ) -> tuple[DeepState, list[NDArray], list[dict[str, float]]]:
        params = params_of(state)
        kernel_params = self._kernel_params(params)
        H: list[NDArray] = []
        below = X
        for layer, how in enumerate(self.layers):
            weight = how.likelihood_weight
            found = how.infer(params[layer], below, rng, "icm", dtype=np.float32, weight=weight)
            H.append(found.H.astype(np.float64))
            below = H[-1]
        if top is not None:
            H[-1] = top.astype(np.float64)
        figures: list[dict[str, float]] = [{}]
        for layer in range(len(state) - 2, -1, -1):
            params = params_of(state)
            under = X if layer == 0 else H[layer - 1]
            odds = binary_activation(params[layer + 1], H[layer + 1])
            H[layer] = infer_batch(
                params[layer], kind_of(layer, self.visible), kernel_params[layer], under,
                self.layers[layer].start, np.zeros(0), self.layers[layer].max_sweeps, rng,
                weighed(odds, self.layers[layer].likelihood_weight),
            ).H.astype(np.float64)  # fmt: skip
            state, figures = self._learn(state, X, H, (layer, layer + 1))
        return state, H, figures

    def validate(self, state: DeepState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the mean log joint (the score), wrong pixels and dead units of held-out images, by ICM."""
        X, top = self.split(X)
        params = params_of(state)
        H = self.infer(params, X, rng, top=top).H
        guess = most_probable_visible(params[0], self.visible, H[0])
        joint = float(log_joint_deep(params, self.visible, X, H).mean())
        return {
            "score": joint,
            "log_joint": joint,
            "wrong_pixels": float(np.nansum((guess - X) ** 2, axis=1).mean()),  # of what is known
            "dead_units": float(sum((~h.any(axis=0)).sum() for h in H)),
        }

    def encode(self, state: DeepState, X: NDArray) -> NDArray[np.uint8]:
        """Return the MAP states of all layers, concatenated with the lowest first; shape (n, all n_h)."""
        rng = np.random.default_rng(0)
        return np.hstack(self.infer(params_of(state), X.astype(np.float64), rng).H)

    def encode_factorised(self, state: DeepState, X: NDArray) -> NDArray[np.uint8]:
        """Return the states if each unit depends only on the layer below, and on no other unit."""
        found, below = [], X
        for layer, how in enumerate(self.layers):
            below = how.encode_factorised(state[layer], below)
            found.append(below)
        return np.hstack(found)

    @property
    def needs_step_count(self) -> tuple[str, ...]:
        """Settings that need the number of steps of the run in advance."""
        return tuple(dict.fromkeys(name for layer in self.layers for name in layer.needs_step_count))

    def at_progress(self, share: float) -> DeepHardEM:
        """Return the settings of the step after a fraction of all others."""
        return replace(self, layers=tuple(layer.at_progress(share) for layer in self.layers))

    @property
    def average(self) -> float:
        """Share of the steps over which parameters are averaged; the setting of the lowest layer applies to
        all.
        """
        return self.layers[0].average

    def parameters(self, state: DeepState) -> dict[str, NDArray]:
        """Return W, b and d of all layers, by names such as "W0"."""
        return {
            f"{name}{n}": array
            for n, layer in enumerate(state)
            for name, array in layer.params._asdict().items()
        }

    def with_parameters(self, state: DeepState, parameters: Mapping[str, NDArray]) -> DeepState:
        """Return the state with parameters replaced in all layers."""
        return tuple(
            layer._replace(params=LayerParams(*(parameters[f"{name}{n}"] for name in LayerParams._fields)))
            for n, layer in enumerate(state)
        )

    def weights(self, state: DeepState) -> NDArray:
        """Return the filters of the lowest layer."""
        return state[0].params.W

    def gradient_norm(self, before: DeepState, after: DeepState) -> float:
        """Return the size of one step's change of all layers, per unit of learning rate."""
        triples = zip(self.layers, before, after, strict=True)
        return float(np.sqrt(sum(how.gradient_norm(old, new) ** 2 for how, old, new in triples)))

    def decode(self, state: DeepState, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of states of all layers, or of the lowest alone."""
        return visible_mean(state[0].params, self.visible, H[:, : self.layers[0].n_h])

    def sample(self, state: DeepState, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images by ancestral sampling."""
        return sample_deep(params_of(state), self.visible, n, rng)[0]


def params_of(state: Sequence[HardEMState]) -> Layers:
    """Return the parameters of all layers."""
    return tuple(layer.params for layer in state)
