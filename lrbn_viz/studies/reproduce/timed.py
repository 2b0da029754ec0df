"""Training for a budget of CPU seconds: how many passes fit it, and a run that ends with it.

Rates that fall, and stages that are shares of a run, need to know how many steps there will be. So a short
run over a few images, from beginning to end, is timed first. The number of steps that fits the budget is
stored, so that a resumed run has as many steps.
"""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.kernels.clock import cpu_seconds_without_compiling
from lrbn_viz.kernels.numerics import on_one_thread
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.studies.reproduce.recipes import RECIPES, Recipe, stages_of
from lrbn_viz.studies.reproduce.reported import CATALOG_NAMES, NATS, WRONG_PIXELS, Reported
from lrbn_viz.studies.reproduce.split import Split
from lrbn_viz.studies.reproduce.systems import SAME_MODEL, SMALL, STAGED, USUAL, Case, settings_of
from lrbn_viz.studies.reproduce.train import model_of, training_of
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

REHEARSED_STEPS = 40
"""Minibatches of the run that is timed, in which every stage has some."""
REHEARSED_IMAGES = 200
"""Images of the same, where a model learns in stages."""
REHEARSED_SHARE = 0.05
"""Share of the budget that this run takes at least, if there are images enough: less is timed too roughly."""
PLANNED_SHARE = 0.95
"""Share of the budget that is planned: where later steps take longer, the budget itself ends the run."""
MIN_USED_SHARE = 0.8
"""Share of the budget below which a run that came to its own end is planned anew, and made again: where later
steps take less time, the first ones tell of too few passes."""


class Run(ABC):
    """A run of training that can be left, resumed, and ended at any step from which there is a model."""

    @abstractmethod
    def __iter__(self) -> Iterator[Any]:
        """Make its steps."""

    @property
    @abstractmethod
    def progress(self) -> float:
        """Share that is done, 0 to 1: 1 once it came to its own end."""

    @property
    def whole(self) -> bool:
        """True if all layers are present."""
        return True

    @abstractmethod
    def model(self) -> LatentModel:
        """Return the model as it is now."""

    @abstractmethod
    def save(self, path: str | os.PathLike, spent: float) -> None:
        """Write the position of the run, with the CPU seconds spent so far."""

    @abstractmethod
    def resume(self, path: str | os.PathLike) -> float:
        """Continue from a file of `save`, and return the seconds; ValueError or KeyError if it is damaged."""


class _OneRun(Run):
    """A run of the one training loop."""

    def __init__(self, face: LatentModel, X: NDArray, n_iter: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._face = face
        self._training: Training[Any] = Training(
            face.make_system(), X, n_iter=n_iter, batch_size=face.batch_size, rng=rng
        )

    def __iter__(self) -> Iterator[Any]:
        return self._training

    @property
    def progress(self) -> float:
        return self._training.progress

    def model(self) -> LatentModel:
        self._face.adopt(self._training.state)
        return self._face

    def save(self, path: str | os.PathLike, spent: float) -> None:
        save_checkpoint(path, {"run": self._training}, {"CPU seconds": spent})

    def resume(self, path: str | os.PathLike) -> float:
        found = load_checkpoint(path)
        self._training.restore(found.snapshot("run", self._training.state))
        return float(found.config["CPU seconds"])


class _Stages(Run):
    """A run that learns layers one by one, and then together."""

    def __init__(self, recipe: Recipe, data: Split, n_images: int, seed: int) -> None:
        self._recipe = recipe
        X = data.train_X[:n_images]
        self._training = training_of(recipe, X, data.validation_X, seed, data.image_shape)

    def __iter__(self) -> Iterator[Any]:
        return self._training

    @property
    def progress(self) -> float:
        return self._training.progress

    @property
    def whole(self) -> bool:
        return len(self._training.state) == len(self._recipe.layers)

    def model(self) -> LatentModel:
        return model_of(self._recipe, [state.params for state in self._training.state])

    def save(self, path: str | os.PathLike, spent: float) -> None:
        self._training.save(path, {"CPU seconds": spent})

    def resume(self, path: str | os.PathLike) -> float:
        self._training.resume(path)
        return float(load_checkpoint(path).config["CPU seconds"])

    @property
    def stages(self) -> DeepTraining:
        """The run itself."""
        return self._training


def spend(run: Run, seconds: float, spent: float = 0.0) -> Iterator[float]:
    """Make the steps of a run until it ends, or until a budget is spent and all layers exist.

    Parameters
    ----------
    run : Run
    seconds : float
        The budget, CPU seconds, of which the compilation of kernels takes none. Each step keeps to one
        thread, so that waiting for others costs none either.
    spent : float
        Of it, before.

    Yields
    ------
    float
        CPU seconds spent so far.
    """
    steps = iter(run)
    while spent < seconds or not run.whole:
        began = cpu_seconds_without_compiling()
        try:
            with on_one_thread():
                next(steps)
        except StopIteration:
            return
        spent += cpu_seconds_without_compiling() - began
        yield spent


# -- which rows there are


def _parts(system: str, sizes: Sequence[int]) -> dict[str, int] | None:
    """Return the settings that give a system layers of these sizes; None where it cannot have them."""
    fields = SYSTEMS[system].fields
    names = ("n_components", "n_top") if "n_top" in fields else ("n_components",)
    return dict(zip(names, sizes, strict=True)) if len(sizes) == len(names) else None


def _is_staged(system: str, sizes: Sequence[int]) -> bool:
    return len(sizes) == 2 and system in STAGED


def offers(system: str, sizes: Sequence[int]) -> bool:
    """Return whether a system supports layers of these sizes."""
    return _parts(system, sizes) is not None or _is_staged(system, sizes)


def printed_of(said: Reported) -> tuple[str, str]:
    """Return the key in the catalogue of a system in print, or its name there, and its units."""
    system = CATALOG_NAMES.get((said.model, said.size.count("-") + 1), said.model)
    return system if system in SYSTEMS else said.model, said.size


def rows(name: str, fast: bool = False) -> list[tuple[str, tuple[int, ...]]]:
    """Return systems with the sizes in which they are trained: the usual one, and those of the paper.

    Parameters
    ----------
    name : str
        The command's name of a data set.
    fast : bool
        One size of each depth, small.
    """
    found: dict[tuple[str, tuple[int, ...]], None] = {}
    printed = [printed_of(said) for said in (*WRONG_PIXELS[name], *NATS[name])]
    for system in (each for each in SYSTEMS if each not in SAME_MODEL):
        others = [tuple(map(int, size.split("-"))) for of, size in printed if of == system]
        wanted: list[tuple[int, ...]] = [(USUAL,), (USUAL, USUAL), *others]
        for sizes in wanted:
            if offers(system, sizes):
                found[system, (SMALL,) * len(sizes) if fast else sizes] = None
    return list(found)


# -- what is planned for a budget


def settings(case: Case, name: str) -> dict[str, Any]:
    """Return how a case learns, without the number of passes: JSON values.

    Parameters
    ----------
    case : Case
    name : str
        The command's name of the data set.
    """
    if _is_staged(case.system, case.sizes):
        return {"recipe": _recipe(case, name)._asdict()}
    parts = _parts(case.system, case.sizes)
    if parts is None:
        raise ValueError(f"{case.system} cannot have layers of {case.size} units; leave this row out.")
    return {**settings_of(case.system, name, case.sizes), **parts}


def _recipe(case: Case, name: str) -> Recipe:
    recipe = RECIPES[name][STAGED[case.system][name]]
    layers = tuple({**layer, "n_h": n_h} for layer, n_h in zip(recipe.layers, case.sizes, strict=True))
    # No pass is judged: held-out images would take seconds that are to be spent on learning.
    return recipe._replace(layers=layers, n_stop=1)


def plan_for(case: Case, name: str, data: Split, seconds: float, seed: int) -> dict[str, Any]:
    """Return the number of passes and of images that fit a budget, as estimated by a short run.

    Parameters
    ----------
    case : Case
    name : str
        The command's name of the data set.
    data : Split
    seconds : float
        The budget, CPU seconds.
    seed : int

    Returns
    -------
    dict
        ``passes``, of each stage, and ``images``, the first ones of the training images: what :func:`run_of`
        takes; and ``seconds``, what that should take.
    """
    n = len(data.train_X)
    if _is_staged(case.system, case.sizes):
        return _plan_stages(_recipe(case, name), data, PLANNED_SHARE * seconds, seed)
    batch = _face(case, name, seed).batch_size
    few = min(n, REHEARSED_STEPS * batch)
    took = None
    while took is None or (took < REHEARSED_SHARE * seconds and few < n):
        few = few if took is None else min(n, 4 * few)
        for _ in range(2 if took is None else 1):  # the very first one compiles the kernels
            *_, took = spend(run_of(case, name, data, {"passes": [1], "images": few}, seed), math.inf)
    each = took / math.ceil(few / batch)
    n_steps = max(1, int(PLANNED_SHARE * seconds / each))
    n_iter = math.ceil(n_steps / math.ceil(n / batch))
    images = min(n, n_steps // n_iter * batch)
    return {"passes": [n_iter], "images": images, "seconds": each * n_iter * math.ceil(images / batch)}


def _plan_stages(recipe: Recipe, data: Split, seconds: float, seed: int) -> dict[str, Any]:
    """Scale the passes of every stage alike; where each has one at least, fewer images must do."""
    usual = _passes(recipe)
    few = min(len(data.train_X), REHEARSED_IMAGES)
    once = _with_passes(recipe, [min(n, 1) for n in usual])
    _rehearsed(once, data, few, seed)  # compiles the kernels
    took = _rehearsed(once, data, few, seed)
    while took.sum() < REHEARSED_SHARE * seconds and few < len(data.train_X):
        few = min(len(data.train_X), 4 * few)
        took = _rehearsed(once, data, few, seed)
    took *= len(data.train_X) / few
    scale = seconds / float(took @ usual)
    passes = [n and max(1, round(scale * n)) for n in usual]
    share = min(1.0, seconds / float(took @ passes))
    images = max(1, int(share * len(data.train_X)))
    return {"passes": passes, "images": images, "seconds": share * float(took @ passes)}


def planned_anew(planned: dict[str, Any], spent: float, seconds: float, n_images: int) -> dict[str, Any]:
    """Return a new plan for a budget, from a complete run of the plan `planned`, which took less.

    Parameters
    ----------
    planned : dict
        As :func:`plan_for` returns it.
    spent : float
        CPU seconds that it took.
    seconds : float
        The budget.
    n_images : int
        How many there are to learn from.
    """
    longer = PLANNED_SHARE * seconds / spent
    more = min(longer, n_images / planned["images"])  # first more images, then more passes over all of them
    images = int(more * planned["images"])
    passes = [n and max(1, round(longer / more * n)) for n in planned["passes"]]
    share = sum(passes) / sum(planned["passes"]) * images / planned["images"]
    return {"passes": passes, "images": images, "seconds": share * spent, "anew": True}


def _rehearsed(recipe: Recipe, data: Split, n_images: int, seed: int) -> NDArray[np.float64]:
    """Return the CPU seconds of each stage, in one run."""
    run, before = _Stages(recipe, data, n_images, seed), 0.0
    took = np.zeros(len(_passes(recipe)))
    for spent in spend(run, math.inf):
        took[min(run.stages.stage, len(took) - 1)] += spent - before
        before = spent
    return took


def _passes(recipe: Recipe) -> list[int]:
    """Return the passes of each stage, in order."""
    parts = [*recipe.layers, *([recipe.fine_tune] if recipe.fine_tune else [])]
    return [stage["n_iter"] for part in parts for stage in stages_of(part)]


def _with_passes(recipe: Recipe, passes: Sequence[int]) -> Recipe:
    """Return the recipe with other passes of each stage, in order."""
    left = iter(passes)

    def changed(part: dict[str, Any]) -> dict[str, Any]:
        if "stages" in part:
            return {**part, "stages": [{**stage, "n_iter": next(left)} for stage in part["stages"]]}
        return {**part, "n_iter": next(left)}

    layers = tuple(changed(layer) for layer in recipe.layers)
    return recipe._replace(layers=layers, fine_tune=recipe.fine_tune and changed(recipe.fine_tune))


def _face(case: Case, name: str, seed: int) -> LatentModel:
    kind = SYSTEMS[case.system]
    made = kind(**settings(case, name), random_state=seed, validation_size=0)
    made.check_settings()
    return made


def run_of(case: Case, name: str, data: Split, planned: dict[str, Any], seed: int) -> Run:
    """Return the run of a case with the plan `planned` of :func:`plan_for`."""
    if _is_staged(case.system, case.sizes):
        recipe = _with_passes(_recipe(case, name), planned["passes"])
        return _Stages(recipe, data, planned["images"], seed)
    (n_iter,) = planned["passes"]
    return _OneRun(_face(case, name, seed), data.train_X[: planned["images"]], n_iter, seed)
