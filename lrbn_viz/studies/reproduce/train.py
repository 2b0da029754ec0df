"""Conversion of a recipe to a resumable run of training, and of its layers to a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.estimators import LRBN
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM, above_the_first
from lrbn_viz.lrbn.deep.stages import Stage
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.studies.reproduce.augment import Augmentation
from lrbn_viz.studies.reproduce.recipes import Recipe, one_way_to_fall, stages_of

MAX_SWEEPS = 200
"""Largest number of ICM sweeps of a trained model: in practice ICM converges before."""


def _plan(recipe: Recipe, n_images: int) -> tuple[DeepHardEM, list[Stage]]:
    """Return the layers as they are once each has learned, and all stages of a round.

    `n_images` is without copies.
    """
    plan: list[Stage] = []
    layers: list[HardEM] = []
    for number, layer in enumerate(recipe.layers):
        for stage in stages_of(layer):
            given, how = _split(stage, recipe, n_images)
            learner = HardEM(**how)
            plan.append(Stage(number, above_the_first(learner) if number else learner, **given))
        layers.append(learner)
    tuned = dict(recipe.fine_tune or {})
    scheme = tuned.pop("scheme", "joint")
    for stage in stages_of(tuned) if recipe.fine_tune else []:
        given, how = _split(one_way_to_fall(stage), recipe, n_images)
        lowest_rate = how.pop("lowest_rate", 1.0)
        low, *above = (replace(layer, **how) for layer in layers)
        together = (low.slowed(lowest_rate), *above)
        plan.append(Stage(None, DeepHardEM(together, scheme), **given))
    return DeepHardEM(tuple(layers), scheme), plan


def _split(stage: dict[str, Any], recipe: Recipe, n_images: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of a :class:`Stage`, and those of how a layer learns.

    Raises
    ------
    ValueError
        The stage asks for more copies than the recipe makes.
    """
    how = dict(stage)
    given = {"n_iter": how.pop("n_iter"), "restart_chains": how.pop("anew", False)}
    copies = how.pop("copies", None)
    if copies is not None:
        if not 1 <= copies <= recipe.copies:
            raise ValueError(
                f"expected a stage of 1 to {recipe.copies} copies, as many as {recipe.title!r} makes of each "
                f"image, got {copies}."
            )
        given["n_images"] = copies * n_images
    return given, how


def training_of(
    recipe: Recipe, X: NDArray, held_out: NDArray, seed: int, image_shape: tuple[int, int]
) -> DeepTraining:
    """Return the training run of the recipe.

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
    system, plan = _plan(recipe, len(X))
    augment: Augmentation | None = None
    if recipe.shifts or recipe.mirror or recipe.copies:
        augment = Augmentation(image_shape, recipe.shifts, recipe.mirror)
    if augment is not None and recipe.copies:
        X, augment = augment.copies(X, recipe.copies, np.random.default_rng(seed)), None
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


def begins_with(recipe: Recipe, other: Recipe) -> int:
    """Return with how many stages of its own the recipe begins as the other one does from start to end.

    It is 0 where a stage that follows would need what a run remembers of the images.
    """
    alone: dict[str, Any] = {"title": "", "start": "", "layers": (), "fine_tune": None}
    if recipe.n_rounds != 1 or recipe._replace(**alone) != other._replace(**alone):
        return 0
    # The number of images says how many each stage learns from: any will do to compare.
    mine, others = (_plan(one, 1)[1] for one in (recipe, other))
    n = len(others)
    if mine[:n] != others or len(mine) == n:
        return 0
    persistent = any(how.persistent for stage in others for how in stage.learners)
    return 0 if persistent and not mine[n].restart_chains else n


def model_of(recipe: Recipe, layers: Sequence[LayerParams]) -> LRBN:
    """Return the trained model, of as many layers as were learned."""
    nonnegative = recipe.layers[0].get("nonnegative", False)
    how: dict[str, Any] = {"init": recipe.start, "max_sweeps": MAX_SWEEPS, "nonnegative": nonnegative}
    prior = recipe.layers[-1].get("prior", "learned")
    return LRBN.from_layers(layers, prior=prior, layer_by_layer=len(layers) > 1, **how)


def training_work(recipe: Recipe, n_images: int, n_v: int) -> float:
    """Return about how many multiplications the recipe takes, in thousands of millions."""
    widths = [n_v, *(layer["n_h"] for layer in recipe.layers)]
    areas = [below * n_h for below, n_h in pairwise(widths)]
    work = 0.0
    for stage in _plan(recipe, n_images)[1]:
        one = stage.learners[0]
        # About six sweeps of ICM, or half of that after annealing; the M-step costs about as much as two.
        each = 2 + {"icm": 6, "annealed": one.warm_sweeps + 3, "gibbs": one.warm_sweeps}[one.e_step]
        area = 1.5 * sum(areas) if stage.layer is None else areas[stage.layer]
        work += each * stage.n_iter * area * (stage.n_images or n_images * max(1, recipe.copies))
    return work * recipe.n_rounds * 1e-9


def dead_units(H: NDArray[np.uint8]) -> int:
    """Return the number of units that are on in none of the codes; `H` (n, n_h)."""
    return int((~H.any(axis=0)).sum())
