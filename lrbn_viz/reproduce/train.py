"""From a recipe to a run of training that can be left and resumed, and from its layers to a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.estimators import LRBN, DeepLRBN
from lrbn_viz.lrbn.bottom_up import DeepTraining, Stage
from lrbn_viz.lrbn.deep_em import DeepHardEM, above_the_first
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.reproduce.augment import Augmentation
from lrbn_viz.reproduce.recipes import Recipe, one_way_to_fall, stages_of

MAX_SWEEPS = 200
"""Bound on ICM sweeps of a trained model: in practice ICM ends by itself."""


def _plan(recipe: Recipe) -> tuple[DeepHardEM, list[Stage]]:
    """Return the layers as they are once each has learned, and all stages of a round."""
    plan: list[Stage] = []
    layers: list[HardEM] = []
    for number, layer in enumerate(recipe.layers):
        for stage in stages_of(layer):
            how, n_iter = _how(stage)
            plan.append(Stage(number, above_the_first(how) if number else how, n_iter))
        layers.append(how)
    tuned = dict(recipe.fine_tune or {})
    scheme = tuned.pop("scheme", "joint")
    for stage in stages_of(tuned) if recipe.fine_tune else []:
        own = one_way_to_fall(stage)
        n_iter, lowest_rate = own.pop("n_iter"), own.pop("lowest_rate", 1.0)
        low, *above = (replace(layer, **own) for layer in layers)
        together = (low.slowed(lowest_rate), *above)
        plan.append(Stage(None, DeepHardEM(together, scheme), n_iter))
    return DeepHardEM(tuple(layers), scheme), plan


def _how(stage: dict[str, Any]) -> tuple[HardEM, int]:
    """Return how one layer learns in a stage, and its passes."""
    return HardEM(**{name: value for name, value in stage.items() if name != "n_iter"}), stage["n_iter"]


def training_of(
    recipe: Recipe, X: NDArray, held_out: NDArray, seed: int, image_shape: tuple[int, int]
) -> DeepTraining:
    """Return the run that learns what the recipe says.

    Parameters
    ----------
    recipe : Recipe
    X : (n, n_v) uint8
        Images to learn from.
    held_out : (n_val, n_v) uint8
        Images whose joint is followed, and stops training if the recipe says so.
    seed : int
    image_shape : (height, width)
    """
    augment: Augmentation | None = None
    if recipe.shifts or recipe.mirror or recipe.copies:
        augment = Augmentation(image_shape, recipe.shifts, recipe.mirror)
    if augment is not None and recipe.copies:
        X, augment = augment.copies(X, recipe.copies, np.random.default_rng(seed)), None
    system, plan = _plan(recipe)
    return DeepTraining(
        system,
        X,
        plan=plan,
        n_rounds=recipe.n_rounds,
        batch_size=recipe.batch_size,
        seed=seed,
        validation=held_out[: recipe.n_stop],
        patience=recipe.patience,
        augment=augment,
    )


def begins_with(recipe: Recipe, other: Recipe) -> bool:
    """Return whether all that one layer learns by another recipe is what this one's lowest learns first."""
    (lowest, *above), others = recipe.layers, other.layers
    alone = {"title": "", "start": "", "layers": (), "fine_tune": None}
    return (
        above != []
        and others == (lowest,)
        and other.fine_tune is None
        and recipe.n_rounds == 1
        and not any(stage.get("persistent") for stage in stages_of(lowest))
        and recipe._replace(**alone) == other._replace(**alone)
    )


def model_of(recipe: Recipe, layers: Sequence[LRBNParams]) -> LRBN | DeepLRBN:
    """Return the trained model: an LRBN of one layer, or a deep one."""
    how: dict[str, Any] = {"init": recipe.start, "max_sweeps": MAX_SWEEPS}
    if len(layers) == 1:
        return LRBN.from_params(*layers[0], prior=recipe.layers[0].get("prior", "learned"), **how)
    return DeepLRBN.from_layers(layers, prior=recipe.layers[-1].get("prior", "learned"), **how)


def training_work(recipe: Recipe, n_images: int, n_v: int) -> float:
    """Return about how many multiplications the recipe takes, in thousands of millions."""
    widths = [n_v, *(layer["n_h"] for layer in recipe.layers)]
    areas = [below * n_h for below, n_h in pairwise(widths)]
    sweeps = 0.0
    for layer, how, n_iter in _plan(recipe)[1]:
        one = how if isinstance(how, HardEM) else how.layers[0]
        # About six sweeps of ICM, or half of that after annealing; the M-step costs about as much as two.
        each = 2 + {"icm": 6, "annealed": one.warm_sweeps + 3, "gibbs": one.warm_sweeps}[one.e_step]
        sweeps += each * n_iter * (1.5 * sum(areas) if layer is None else areas[layer])
    return n_images * max(1, recipe.copies) * sweeps * recipe.n_rounds * 1e-9


def dead_units(H: NDArray[np.uint8]) -> int:
    """Return the number of units that are on in none of the codes; `H` (n, n_h)."""
    return int((~H.any(axis=0)).sum())
