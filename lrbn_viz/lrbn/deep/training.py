"""Learning a deep model in stages: each layer on the codes of the one below, then all together, in rounds.

A layer, and all together, may learn in several stages with different settings.

Every stage is a :class:`~lrbn_viz.training.Training` with random generators of its own, so that a run is
where its stage is, plus the layers that earlier stages left: that is what a checkpoint holds.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.system import UNKNOWN
from lrbn_viz.core.trace import FitStep
from lrbn_viz.io.storage import check_array, damaged, quoted
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM, DeepState
from lrbn_viz.lrbn.deep.stages import Stage, StageStep, bottom_up
from lrbn_viz.lrbn.deep.targets import OnTargets
from lrbn_viz.lrbn.hard_em import HardEM, HardEMState
from lrbn_viz.training import Augment, Training
from lrbn_viz.training.checkpoint import (
    OLDER,
    Checkpoint,
    check_same_run,
    fingerprint,
    load_checkpoint,
    save_checkpoint,
)


class DeepTraining:
    """All stages of learning a deep model; an iterator of StageStep.

    Parameters
    ----------
    system : DeepHardEM
        The layers as an upper layer sees those below it, and how they are learned together.
    X : (n, n_v)
        Images, with the targets as further columns if the system has any.
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
    plan : sequence of Stage, optional
        The stages of one round, each layer's before those of the layer above it; takes the place of `n_iter`,
        `n_fine_tune`, `fine_tune_rate` and `together`.
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
    memory : dict of (n, n_h) uint8
        By layer, the latents in which a stage left the training images, where layers remember them: what
        the layer above learns from, and where the next stage goes on.
    """

    def __init__(
        self,
        system: DeepHardEM,
        X: NDArray,
        *,
        n_iter: int | Sequence[int] = 1,
        n_fine_tune: int = 0,
        batch_size: int,
        seed: int,
        n_rounds: int = 1,
        fine_tune_rate: float = 1.0,
        together: DeepHardEM | None = None,
        plan: Sequence[Stage] | None = None,
        validation: NDArray | None = None,
        patience: int | None = None,
        augment: Augment | None = None,
    ) -> None:
        self.system, self.X, self.validation = system, X, validation
        if augment is not None and system.n_targets:
            raise ValueError(
                "augment applies to images only, but the last columns of X are targets; leave it out."
            )
        self.augment = augment
        self.batch_size, self.seed, self.patience = batch_size, seed, patience
        if plan is None:
            slowed = replace(system, layers=tuple(layer.slowed(fine_tune_rate) for layer in system.layers))
            plan = bottom_up(system.layers, n_iter, together or slowed, n_fine_tune)
        self.plan = [*plan] * n_rounds
        self.layers: list[HardEMState] = []
        self.memory: dict[int, NDArray[np.uint8]] = {}
        self._images = X
        self.stage = 0
        self.passes: list[int] = []
        self._finished_seconds = 0.0
        self._training: Training[Any] | None = None

    @property
    def stages(self) -> list[str]:
        """Names of all stages in order."""
        return [stage.name for stage in self.plan]

    @property
    def progress(self) -> float:
        """Finished share of all stages, 0 to 1."""
        within = 0.0 if self._training is None else self._training.progress
        return min(1.0, (self.stage + within) / len(self.plan))

    @property
    def seconds(self) -> float:
        """Time spent in steps and validation, before an interruption too."""
        return self._finished_seconds + (0.0 if self._training is None else self._training.seconds)

    @property
    def n_passes(self) -> int:
        """Passes so far, of all stages together."""
        return sum(self.passes) + (0 if self._training is None else self._training.epoch)

    def numbered(self, step: StageStep) -> FitStep:
        """Return a step of the present stage as a step of the run, counted and timed through all stages.

        Its figure ``stage`` counts from 0.
        """
        sizes = [len(self.X[: stage.n_images]) for stage in self.plan[: self.stage]]
        n_before = sum(
            n * math.ceil(size / self.batch_size) for n, size in zip(self.passes, sizes, strict=True)
        )
        event = step.event
        return FitStep(
            n_before + event.step,
            sum(self.passes) + event.epoch,
            self._finished_seconds + event.seconds,
            {"stage": float(step.stage), **event.metrics},
        )

    def __iter__(self) -> Iterator[StageStep]:
        return self

    def __next__(self) -> StageStep:
        while self.stage < len(self.plan):
            training = self._current()
            try:
                _, event = next(training)
            except StopIteration:
                self._finish(training.state, training.memory)
                continue
            return StageStep(self.stage, self.plan[self.stage].name, event)
        raise StopIteration

    @property
    def state(self) -> DeepState:
        """The current parameters of all layers; layers that have not started are missing."""
        layers = list(self.layers)
        if self._training is not None:
            here = self.plan[self.stage].layer
            if here is None:
                return self._training.state
            layers[here : here + 1] = [self._training.state]
        return tuple(layers)

    def _current(self) -> Training[Any]:
        if self._training is None:
            self._training = self._make()
        return self._training

    def _make(self) -> Training[Any]:
        here, how, n_iter, n_images, restart_chains = self.plan[self.stage]
        self._images = self.X[:n_images]
        if restart_chains or any(len(states) != len(self._images) for states in self.memory.values()):
            self.memory = {}
        rng = np.random.default_rng([self.seed, self.stage])
        shared: dict[str, Any] = {"batch_size": self.batch_size, "rng": rng, "patience": self.patience}
        if here is None:
            all_of_them = cast("DeepHardEM", how)
            again = [
                layer.from_params(kept.params)
                for layer, kept in zip(all_of_them.layers, self.layers, strict=True)
            ]
            shared |= {"state": tuple(again), "validation": self.validation, "augment": self.augment}
            if all_of_them.memory_width:
                for layer in range(len(self.layers)):
                    if layer not in self.memory:
                        self.memory[layer] = self._states(layer)
                shared["memory"] = np.hstack([self.memory[layer] for layer in range(len(self.layers))])
            return Training(all_of_them, self._images, n_iter=n_iter, **shared)
        layer = cast("HardEM", how)
        on_targets = self._observed(here)
        system: Any = OnTargets.of(layer) if on_targets else layer
        held_out = None if self.validation is None else self._codes(self.validation, here, on_targets)
        state = layer.from_params(self.layers[here].params) if here < len(self.layers) else None
        shared |= {"state": state, "validation": held_out, "augment": None if here else self.augment}
        if layer.memory_width and not on_targets and here in self.memory:
            shared["memory"] = self.memory[here]
        return Training(system, self._codes(self._images, here, on_targets), n_iter=n_iter, **shared)

    def _observed(self, layer: int) -> bool:
        """Return whether the latents of a layer are the targets."""
        return self.system.n_targets > 0 and layer == len(self.system.layers) - 1

    def _codes(self, X: NDArray, here: int, with_targets: bool) -> NDArray:
        """Return the training data of a layer: the states that the layer below it infers, or the images."""
        below, targets = self.system.split(X)
        kept = X if targets is None else X[:, : -self.system.n_targets]
        rng = np.random.default_rng([self.seed, self.stage, len(X)])
        known = [layer for layer in self.memory if layer < here and X is self._images]
        first = max(known) + 1 if known else 0
        if known:
            kept = below = self.memory[first - 1]
        elif here and X is self._images and self.augment is not None:
            below = self.augment(X, rng).astype(np.float64)
        for how, state in zip(self.system.layers[first:here], self.layers[first:here], strict=True):
            kept = below = how.codes(state, below, rng)
        return kept if not with_targets or targets is None else np.hstack([kept, targets])

    def _states(self, layer: int) -> NDArray[np.uint8]:
        """Latents of a layer from which learning together may start: targets, or what its E-step infers."""
        targets = self.system.split(self._images)[1] if self._observed(layer) else None
        return self._codes(self._images, layer + 1, False) if targets is None else targets

    def _finish(self, state: Any, memory: NDArray[np.uint8]) -> None:
        here, how, *_ = self.plan[self.stage]
        if here is None:
            self.layers = list(state)
            if memory.shape[1]:
                ends = np.cumsum([layer.n_h for layer in self.system.layers])[:-1]
                self.memory = dict(enumerate(np.split(memory, ends, axis=1)))
        else:
            self.layers[here : here + 1] = [state]
            if cast("HardEM", how).persistent and self._observed(here):
                self.memory[here] = self._states(here)
            elif memory.shape[1]:
                self.memory[here] = memory
            else:
                self.memory.pop(here, None)  # those of an earlier stage belong to other parameters
        self._finished_seconds = self.seconds
        self.passes.append(0 if self._training is None else self._training.epoch)
        self.stage += 1
        self._training = None

    def warm_start(self, layers: Sequence[LayerParams], passes: Sequence[int]) -> None:
        """Start after stages that an earlier run with the same stages has finished.

        Parameters
        ----------
        layers : sequence of LayerParams
            What the layers have learned there, lowest first. What they remember of the images is not known:
            the next stage must not need it.
        passes : sequence of int
            That run's `passes`, one for each stage.
        """
        known = zip(self.system.layers, layers, strict=False)
        self.layers = [how.from_params(params) for how, params in known]
        self.passes, self.stage = list(passes), len(passes)

    @cached_property
    def _settings(self) -> dict[str, Any]:
        """Settings that determine the end of the run, as JSON values."""
        images = {"images": self.X, "held_out": self.validation}
        return {
            "layers": [asdict(layer) for layer in self.system.layers],
            "plan": [stage._asdict() | {"how": asdict(stage.how)} for stage in self.plan],
            **{name: getattr(self, name) for name in ("batch_size", "seed", "patience")},
            "augment": None if self.augment is None else repr(self.augment),
            **{name: None if X is None else fingerprint(X) for name, X in images.items()},
        }

    def save(self, path: str | os.PathLike, more: Mapping[str, Any] | None = None) -> None:
        """Write the state of the run to a file, atomically; call it between two steps.

        `more` are JSON values that the file's ``config`` is to hold beside.
        """
        runs = {"stage": self._current()} if self.stage < len(self.plan) else {}
        extra = {
            f"layers/{layer}.{name}": array
            for layer, state in enumerate(self.layers)
            for name, array in state.params._asdict().items()
        }
        extra |= {f"memory/{layer}": states for layer, states in self.memory.items()}
        config = {
            **(more or {}),
            "settings": self._settings,
            "stage": self.stage,
            "n_layers": len(self.layers),
            "passes": self.passes,
            "seconds": self._finished_seconds,
        }
        save_checkpoint(path, runs, config, extra)

    def resume(self, path: str | os.PathLike) -> None:
        """Continue from a file of `save`, on the same images with the same settings; bit for bit.

        Raises
        ------
        FileNotFoundError, ValueError
            There is no such file, or it is damaged or of a run with other settings or images.
        """
        found = load_checkpoint(path)
        check_same_run(path, self._settings, found.config.get("settings", {}))
        self._check_config(path, found.config)
        self.layers, self.memory = self._stored_layers(path, found), self._stored_memory(path, found)
        self.stage, self._training = found.config["stage"], None
        self.passes = list(found.config["passes"])
        self._finished_seconds = found.config["seconds"]
        if "stage" in found.lanes:
            training = self._current()
            training.restore(found.snapshot("stage", training.state))

    def _check_config(self, path: str | os.PathLike, config: Mapping[str, Any]) -> None:
        """Raise ValueError if a file is not from a run of these stages."""
        stage, n_layers, passes = (config.get(name) for name in ("stage", "n_layers", "passes"))
        good = type(stage) is int and 0 <= stage <= len(self.plan) and type(n_layers) is int
        if good and type(stage) is int and type(n_layers) is int:
            n_all = len(self.system.layers)
            here = self.plan[stage].layer if stage < len(self.plan) else None
            good = (n_all if here is None else here) <= n_layers <= n_all
        good = good and isinstance(passes, list) and len(passes) == stage
        if not good or not isinstance(config.get("seconds"), (int, float)):
            got = f"stage {quoted(stage)} with {quoted(n_layers)} layers"
            raise damaged(path, f"where a run of {len(self.plan)} stages stands", got, OLDER)

    def _stored_layers(self, path: str | os.PathLike, found: Checkpoint) -> list[HardEMState]:
        arrays, width = found.extra("layers"), self.X.shape[1] - self.system.n_targets
        layers = []
        for layer, how in enumerate(self.system.layers[: found.config["n_layers"]]):
            shapes = {"W": (width, how.n_h), "b": (width,), "d": (how.n_h,)}
            params = [
                check_array(arrays, f"{layer}.{name}", str(path), "f", len(shape), shape)
                for name, shape in shapes.items()
            ]
            layers.append(how.from_params(LayerParams(*params)))
            width = how.n_h
        return layers

    def _stored_memory(self, path: str | os.PathLike, found: Checkpoint) -> dict[int, NDArray[np.uint8]]:
        arrays, memory = found.extra("memory"), {}
        for layer, how in enumerate(self.system.layers):
            if str(layer) in arrays:
                states = check_array(arrays, str(layer), str(path), "u", 2).astype(np.uint8)
                if states.shape[1] != how.n_h or not np.isin(states, (0, 1, UNKNOWN)).all():
                    wanted = f"states of {how.n_h} latents for layer {layer}"
                    raise damaged(path, wanted, f"others, of shape {states.shape}", OLDER)
                memory[layer] = states
        return memory
