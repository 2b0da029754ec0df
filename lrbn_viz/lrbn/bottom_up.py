"""Learning a deep model in stages: each layer on the codes of the one below, then all together, in rounds.

Every stage is a :class:`~lrbn_viz.training.Training` with random generators of its own, so that a run is
where its stage is, plus the layers that earlier stages left: that is what a checkpoint holds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.checkpoint import load_checkpoint, save_checkpoint
from lrbn_viz.lrbn.deep_em import DeepHardEM, DeepState
from lrbn_viz.lrbn.hard_em import HardEMState
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.lrbn.on_targets import OnTargets
from lrbn_viz.trace import FitStep
from lrbn_viz.training import Augment, Training


class StageStep(NamedTuple):
    """One step of a stage: ``stage`` counts from 0, ``name`` is such as "layer 1" or "all layers"."""

    stage: int
    name: str
    event: FitStep


class DeepTraining:
    """All stages of learning a deep model; an iterator of StageStep.

    Parameters
    ----------
    system : DeepHardEM
        The layers and how they are learned together.
    X : (n, n_v)
        Images, followed by the targets' columns if the system has them.
    n_rounds : int
        Times that bottom-up learning and learning together follow each other.
    n_iter : int or sequence of int
        Passes per layer; one number for all layers, or one for each.
    n_fine_tune : int
        Passes of all layers together; 0 leaves that stage out.
    fine_tune_rate : float
        Factor on the learning rates while all layers learn together.
    together : DeepHardEM, optional
        How all layers learn together, where that is more than another rate; takes the place of
        `fine_tune_rate`.
    batch_size : int
    seed : int
    validation : (n_val, n_v), optional
        With targets' columns as `X`.
    patience : int, optional
        As in Training, within each stage.
    augment : callable, optional
        As in Training, wherever a stage learns from the images. A layer above the first learns from the codes
        of images that were changed once, when its stage began.

    Attributes
    ----------
    layers : list of HardEMState
        Learned so far; as many as the model has once the first round's layers are.
    passes : list of int
        Passes that each finished stage took.
    memory : list of (n, n_h) uint8
        Per layer, the latents in which a stage left the training images, where layers remember them: what
        the layer above learns from, and where the next stage goes on.
    """

    def __init__(
        self,
        system: DeepHardEM,
        X: NDArray,
        *,
        n_iter: int | Sequence[int],
        n_fine_tune: int,
        batch_size: int,
        seed: int,
        n_rounds: int = 1,
        fine_tune_rate: float = 1.0,
        together: DeepHardEM | None = None,
        validation: NDArray | None = None,
        patience: int | None = None,
        augment: Augment | None = None,
    ) -> None:
        self.system, self.X, self.validation = system, X, validation
        each = list(n_iter) if isinstance(n_iter, Sequence) else [n_iter] * len(system.layers)
        if len(each) != len(system.layers):
            raise ValueError(f"expected n_iter for each of {len(system.layers)} layers, got {each}.")
        if augment is not None and system.n_targets:
            raise ValueError(
                "augment is for images alone, but the last columns of X are targets; leave it out."
            )
        self.augment = augment
        self.n_iter, self.n_fine_tune, self.n_rounds = each, n_fine_tune, n_rounds
        self.batch_size, self.seed, self.patience = batch_size, seed, patience
        self.together = together or replace(
            system,
            layers=tuple(layer.slowed(fine_tune_rate) for layer in system.layers),
        )
        self.layers: list[HardEMState] = []
        self.memory: list[NDArray[np.uint8]] = []
        self.stage = 0
        self.passes: list[int] = []
        self._finished_seconds = 0.0
        self._training: Training[Any] | None = None

    @property
    def stages(self) -> list[str]:
        """Names of all stages in order."""
        once = [f"layer {layer + 1}" for layer in range(len(self.system.layers))]
        return (once + ["all layers"] * (self.n_fine_tune > 0)) * self.n_rounds

    @property
    def progress(self) -> float:
        """Share of all stages that is done, 0 to 1."""
        within = 0.0 if self._training is None else self._training.progress
        return min(1.0, (self.stage + within) / len(self.stages))

    @property
    def seconds(self) -> float:
        """Time spent in steps and validation, before an interruption too."""
        return self._finished_seconds + (0.0 if self._training is None else self._training.seconds)

    def __iter__(self) -> Iterator[StageStep]:
        return self

    def __next__(self) -> StageStep:
        while self.stage < len(self.stages):
            training = self._current()
            try:
                _, event = next(training)
            except StopIteration:
                self._finish(training.state, training.memory)
                continue
            return StageStep(self.stage, self.stages[self.stage], event)
        raise StopIteration

    @property
    def state(self) -> DeepState:
        """All layers as they are now; those not yet begun are missing."""
        layers = list(self.layers)
        if self._training is not None:
            here = self.stage % self._per_round
            if here == len(self.system.layers):
                return self._training.state
            layers[here : here + 1] = [self._training.state]
        return tuple(layers)

    @property
    def _per_round(self) -> int:
        return len(self.system.layers) + (self.n_fine_tune > 0)

    def _current(self) -> Training[Any]:
        if self._training is None:
            self._training = self._make()
        return self._training

    def _make(self) -> Training[Any]:
        here = self.stage % self._per_round
        rng = np.random.default_rng([self.seed, self.stage])
        shared: dict[str, Any] = {"batch_size": self.batch_size, "rng": rng, "patience": self.patience}
        if here == len(self.system.layers):
            again = [
                la.from_params(kept.params)
                for la, kept in zip(self.together.layers, self.layers, strict=True)
            ]
            shared |= {"state": tuple(again), "validation": self.validation, "augment": self.augment}
            if self.together.memory_width and len(self.memory) == len(self.layers):
                shared["memory"] = np.hstack(self.memory)
            return Training(self.together, self.X, n_iter=self.n_fine_tune, **shared)
        layer = self.system.layers[here]
        on_targets = self.system.n_targets > 0 and here == len(self.system.layers) - 1
        system: Any = OnTargets(layer) if on_targets else layer
        held_out = None if self.validation is None else self._codes(self.validation, here, on_targets)
        state = layer.from_params(self.layers[here].params) if here < len(self.layers) else None
        shared |= {"state": state, "validation": held_out, "augment": None if here else self.augment}
        if layer.memory_width and not on_targets and here < len(self.memory):
            shared["memory"] = self.memory[here]
        return Training(system, self._codes(self.X, here, on_targets), n_iter=self.n_iter[here], **shared)

    def _codes(self, X: NDArray, here: int, with_targets: bool) -> NDArray:
        """What a layer learns from: the states that the layer below it infers, or the images."""
        below, targets = self.system.split(X)
        kept = X if targets is None else X[:, : -self.system.n_targets]
        if here and X is self.X and self.memory:
            kept = self.memory[here - 1]
        else:
            rng = np.random.default_rng([self.seed, self.stage, len(X)])
            if here and X is self.X and self.augment is not None:
                below = self.augment(X, rng).astype(np.float64)
            for how, state in zip(self.system.layers[:here], self.layers[:here], strict=True):
                kept = below = how.codes(state, below, rng)
        return kept if not with_targets or targets is None else np.hstack([kept, targets])

    def _finish(self, state: Any, memory: NDArray[np.uint8]) -> None:
        here = self.stage % self._per_round
        if here == len(self.system.layers):
            self.layers = list(state)
            if memory.shape[1]:
                ends = np.cumsum([layer.n_h for layer in self.system.layers])[:-1]
                self.memory = np.split(memory, ends, axis=1)
        else:
            self.layers[here : here + 1] = [state]
            if self.system.layers[here].persistent:
                on_targets = self.system.n_targets > 0 and here == len(self.system.layers) - 1
                seen = self.X[:, -self.system.n_targets :] if on_targets else memory
                self.memory[here : here + 1] = [seen.astype(np.uint8)]
        self._finished_seconds = self.seconds
        self.passes.append(0 if self._training is None else self._training.epoch)
        self.stage += 1
        self._training = None

    def save(self, path: str | os.PathLike) -> None:
        """Write where the run stands, whole or not at all; call it between two steps."""
        runs = {"stage": self._current()} if self.stage < len(self.stages) else {}
        extra = {
            f"layers/{layer}.{name}": array
            for layer, state in enumerate(self.layers)
            for name, array in state.params._asdict().items()
        }
        extra |= {f"memory/{layer}": states for layer, states in enumerate(self.memory)}
        config = {
            "stage": self.stage,
            "n_layers": len(self.layers),
            "passes": self.passes,
            "seconds": self._finished_seconds,
        }
        save_checkpoint(path, runs, config, extra)

    def resume(self, path: str | os.PathLike) -> None:
        """Go on from what `save` wrote, on the same images with the same settings; bit for bit.

        Raises
        ------
        FileNotFoundError, ValueError
            There is no such file, or it is damaged or of another model.
        """
        found = load_checkpoint(path)
        arrays = found.extra("layers")
        self.layers = [
            how.from_params(LRBNParams(*(arrays[f"{layer}.{name}"] for name in LRBNParams._fields)))
            for layer, how in enumerate(self.system.layers[: found.config["n_layers"]])
        ]
        kept = found.extra("memory")
        self.memory = [kept[str(layer)] for layer in range(len(kept))]
        self.stage, self._training = found.config["stage"], None
        # Files of earlier versions hold neither.
        self.passes = list(found.config.get("passes", []))
        self._finished_seconds = found.config.get("seconds", 0.0)
        if "stage" in found.lanes:
            training = self._current()
            training.restore(found.snapshot("stage", training.state))
