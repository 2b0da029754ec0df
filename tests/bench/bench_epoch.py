"""How long a pass over 60,000 images of 784 pixels takes to train 200 latents, or two layers of 200 together.

``python tests/bench/bench_epoch.py [--images N] [--check]``; what has a bound is also part of
``bench_training.py``. MNIST's training images are taken where they are at hand, and else those of ``mnist5k``
over and over. Needs an otherwise idle machine of two cores. Every pass of one layer is timed three times, by
turns, and taken at its best: other work on the machine only ever slows it down.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import numpy as np
from figures import Figure, report
from numpy.typing import NDArray

from lrbn_viz.datasets import DataFileError, load_dataset
from lrbn_viz.studies.reproduce.recipes import RECIPES, Recipe
from lrbn_viz.studies.reproduce.train import training_of

N_IMAGES = 60_000
BOUND = 15.0
ONE_LAYER = {"annealed E-step, flat prior": "pixels", "ICM, flat prior": "paper-200"}
TOGETHER = {"joint, sampled": "both", "the paper's three layers at a time": "paper"}
"""All layers, 200-200, learned together; without a bound."""
N_PASSES = 2
"""The slower one counts: how many sweeps an image takes changes while a model learns."""
N_ROUNDS = 3


def images(n: int) -> tuple[NDArray[np.uint8], tuple[int, int]]:
    """Return n binary images and their shape."""
    try:
        data = load_dataset("mnist")
    except DataFileError:
        data = load_dataset("mnist5k")
    return data.train_X[np.arange(n) % len(data.train_X)], data.image_shape


def seconds_of_passes(recipe: Recipe, X: NDArray[np.uint8], shape: tuple[int, int]) -> list[float]:
    """Return what each pass of a recipe's last stage takes, seconds."""
    held_out = X[: recipe.n_stop].copy()
    for _ in training_of(recipe, held_out, held_out, 1, shape):  # compiles
        pass
    run = training_of(recipe, X, held_out, 0, shape)
    ends: dict[int, float] = {}
    for step in run:
        if step.stage == len(run.stages) - 1 and "averaged" not in step.event.metrics:
            ends[step.event.epoch] = step.event.seconds
    return np.diff([0.0, *ends.values()]).tolist()


def epochs_of_one_layer(n: int = N_IMAGES) -> Iterator[Figure]:
    """Measure the recipes of one layer; the bound is for 60,000 images."""
    X, shape = images(n)
    told = f"seconds of a pass over {n:,} images"
    bound = BOUND if n == N_IMAGES else None
    rounds: dict[str, list[list[float]]] = {title: [] for title in ONE_LAYER}
    for _ in range(N_ROUNDS):  # by turns: where the machine is slow for a minute, another round is elsewhere
        for title, config in ONE_LAYER.items():
            recipe = RECIPES["mnist"][config]
            lowest = {**recipe.layers[0], "n_iter": N_PASSES}
            alone = recipe._replace(layers=(lowest,), fine_tune=None, patience=None)
            rounds[title].append(seconds_of_passes(alone, X, shape))
    for title, passes in rounds.items():
        yield Figure(f"{told}, {title}", float(np.min(passes, axis=0).max()), bound)


def epochs_of_two_layers(n: int = N_IMAGES) -> Iterator[Figure]:
    """Measure the ways to train two layers together."""
    X, shape = images(n)
    told = f"seconds of a pass over {n:,} images"
    for title, config in TOGETHER.items():
        recipe = RECIPES["mnist"][config]
        layers = tuple({**layer, "n_iter": min(layer["n_iter"], 1)} for layer in recipe.layers)
        together = recipe.fine_tune or {}
        *before, last = together.get("stages", [{}])
        stages = [*({**stage, "n_iter": 1} for stage in before), {**last, "n_iter": N_PASSES}]
        short = recipe._replace(layers=layers, fine_tune={**together, "stages": stages}, patience=None)
        yield Figure(f"{told}, all layers together, {title}", max(seconds_of_passes(short, X, shape)))


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--images", type=int, default=N_IMAGES, help="images in a pass; only 60,000 have a bound"
    )
    parser.add_argument("--check", action="store_true", help="exit with 1 where the bound is missed")
    arguments = parser.parse_args()
    found = [epochs_of_one_layer(arguments.images), epochs_of_two_layers(arguments.images)]
    return report(found, arguments.check)


if __name__ == "__main__":
    sys.exit(main())
