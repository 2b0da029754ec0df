"""From a recipe to a run of training that can be left and resumed, and from its layers to a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.estimators import LRBN, DeepLRBN
from lrbn_viz.lrbn.bottom_up import DeepTraining
from lrbn_viz.lrbn.deep_em import DeepHardEM
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.reproduce.augment import Augmentation
from lrbn_viz.reproduce.recipes import Recipe

MAX_SWEEPS = 200
"""Bound on ICM sweeps of a trained model: in practice ICM ends by itself."""


def _systems(recipe: Recipe) -> tuple[DeepHardEM, DeepHardEM]:
    """Return how layers learn one by one, and how they learn together."""
    own = [{k: v for k, v in layer.items() if k != "n_iter"} for layer in recipe.layers]
    layers = tuple(HardEM(**settings) for settings in own)
    tuned = dict(recipe.fine_tune or {})
    scheme = tuned.pop("scheme", "joint")
    tuned.pop("n_iter", None)
    # A way for the rate to fall takes the place of the layers' own, be that the other one.
    if tuned.get("learning_rate_end") is not None:
        tuned.setdefault("decay_steps", float("inf"))
    elif "decay_steps" in tuned:
        tuned["learning_rate_end"] = None
    together = tuple(replace(layer, **tuned) for layer in layers)
    return DeepHardEM(layers, scheme), DeepHardEM(together, scheme)


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
    changed = recipe.shifts or recipe.mirror
    system, together = _systems(recipe)
    return DeepTraining(
        system,
        X,
        n_iter=[layer["n_iter"] for layer in recipe.layers],
        n_fine_tune=0 if recipe.fine_tune is None else recipe.fine_tune["n_iter"],
        n_rounds=recipe.n_rounds,
        together=together,
        batch_size=recipe.batch_size,
        seed=seed,
        validation=held_out[: recipe.n_stop],
        patience=recipe.patience,
        augment=Augmentation(image_shape, recipe.shifts, recipe.mirror) if changed else None,
    )


def model_of(recipe: Recipe, layers: Sequence[LRBNParams]) -> LRBN | DeepLRBN:
    """Return the trained model: an LRBN of one layer, or a deep one."""
    how: dict[str, Any] = {"init": recipe.start, "max_sweeps": MAX_SWEEPS}
    if len(layers) == 1:
        return LRBN.from_params(*layers[0], prior=recipe.layers[0].get("prior", "learned"), **how)
    return DeepLRBN.from_layers(layers, prior=recipe.layers[-1].get("prior", "learned"), **how)


def training_work(recipe: Recipe, n_images: int, n_v: int) -> float:
    """Return about how many multiplications the recipe takes, in thousands of millions."""
    below, total, every_layer = n_v, 0.0, 0.0
    for layer in recipe.layers:
        how = HardEM(**{k: v for k, v in layer.items() if k != "n_iter"})
        # About six sweeps of ICM, or half of that after annealing; the M-step costs about as much as two.
        sweeps = 2 + {"icm": 6, "annealed": how.warm_sweeps + 3, "gibbs": how.warm_sweeps}[how.e_step]
        once = n_images * below * how.n_h * sweeps
        total += once * layer["n_iter"]
        every_layer += once
        below = how.n_h
    if recipe.fine_tune is not None:
        total += 1.5 * every_layer * recipe.fine_tune["n_iter"]
    return total * recipe.n_rounds * 1e-9


def dead_units(H: NDArray[np.uint8]) -> int:
    """Return the number of units that are on in none of the codes; `H` (n, n_h)."""
    return int((~H.any(axis=0)).sum())
