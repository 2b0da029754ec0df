"""Train the models that come with the package: ``python -m lrbn_viz.weights.train [NAME ...]``.

The larger LRBNs, of one layer or two, follow recipes of ``lrbn-viz reproduce``; the small models and the
RBMs, which it does not train, have theirs here. MNIST models learn from the training set without the images
of ``mnist5k``, so that what the explorer shows by default was never seen in training. Settings were chosen
on the last 2,000 of the shuffled training images, which are held out here as well; the test set is only
reported. Weights are stored in half precision, and every figure is measured after rounding.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets import DATASETS as ALL_DATASETS
from lrbn_viz.datasets import load_dataset, mnist5k_rows_in_mnist
from lrbn_viz.estimators import LRBN, RBM, DeepLRBN, load_model
from lrbn_viz.evaluation import reconstruction_error
from lrbn_viz.reproduce.recipes import DATASETS, one_layer
from lrbn_viz.reproduce.recipes import RECIPES as REPRODUCED
from lrbn_viz.reproduce.train import model_of, training_of

FOLDER = Path(__file__).parent
N_VALIDATION = 2000


class Recipe(NamedTuple):
    """How one model is trained: its class, its data set and its settings."""

    face: type[LRBN] | type[RBM]
    dataset: str
    settings: dict[str, Any]


class Layered(NamedTuple):
    """A model trained in stages, as one of the configurations that ``lrbn-viz reproduce`` knows."""

    reproduced: str
    config: str

    @property
    def dataset(self) -> str:
        """Name of the data set."""
        return DATASETS[self.reproduced]

    @property
    def settings(self) -> dict[str, Any]:
        """The recipe."""
        return REPRODUCED[self.reproduced][self.config]._asdict()


SMALL_LRBN = {
    "e_step": "gibbs",
    "init": "zeros",
    "warm_sweeps": 10,
    "learning_rate": 0.2,
    "decay_steps": 2000.0,
    "n_iter": 60,
}
SMALL_RBM = {"learning_rate": 0.05, "decay_steps": 2000.0, "n_iter": 60}

RECIPES: dict[str, Recipe | Layered] = {
    "lrbn-200-mnist-flat": Recipe(LRBN, "mnist", one_layer(REPRODUCED["mnist"]["pixels"])),
    "lrbn-200-mnist-learned": Recipe(LRBN, "mnist", one_layer(REPRODUCED["mnist"]["likelihood"])),
    "lrbn-200-200-mnist": Layered("mnist", "both"),
    "lrbn-200-200-mnist-likeliest": Layered("mnist", "likeliest"),
    "rbm-200-mnist": Recipe(
        RBM, "mnist", {"learning_rate": 0.1, "decay_steps": 5300.0, "n_iter": 25, "n_particles": 100}
    ),
    "lrbn-200-200-ocr": Layered("ocr", "both"),
    "lrbn-200-ocr-flat": Recipe(LRBN, "ocr_letters", one_layer(REPRODUCED["ocr"]["pixels"])),
    "rbm-200-ocr": Recipe(RBM, "ocr_letters", {"learning_rate": 0.1, "decay_steps": 4000.0, "n_iter": 25}),
    "lrbn-200-200-caltech": Layered("caltech", "both"),
    "lrbn-200-200-caltech-likeliest": Layered("caltech", "likeliest"),
    "lrbn-400-caltech-flat": Layered("caltech", "wide"),
    "rbm-200-caltech": Recipe(
        RBM, "caltech101_silhouettes", {"learning_rate": 0.05, "decay_steps": 4000.0, "n_iter": 60}
    ),
    "rbm-400-caltech": Recipe(
        RBM,
        "caltech101_silhouettes",
        {"n_components": 400, "learning_rate": 0.05, "decay_steps": 4000.0, "n_iter": 60},
    ),
    "lrbn-12-digits": Recipe(LRBN, "digits", {"n_components": 12, **SMALL_LRBN}),
    "lrbn-16-digits": Recipe(LRBN, "digits", {"n_components": 16, **SMALL_LRBN}),
    "rbm-12-digits": Recipe(RBM, "digits", {"n_components": 12, **SMALL_RBM}),
    "rbm-16-digits": Recipe(RBM, "digits", {"n_components": 16, **SMALL_RBM}),
}


def images(dataset: str) -> tuple[NDArray, NDArray, NDArray]:
    """Return training, validation and test images of a recipe's data set."""
    data = load_dataset(dataset)
    X = data.train_X
    if dataset == "mnist":
        X = X[~mnist5k_rows_in_mnist()]
    n_validation = min(N_VALIDATION, len(X) // 10)
    order = np.random.default_rng(5).permutation(len(X))
    return X[order[:-n_validation]], X[order[-n_validation:]], data.test_X


def wrong_pixels(model: LRBN | RBM | DeepLRBN, X: NDArray) -> dict[str, float]:
    """Return the mean reconstruction error in pixels, by every inference that the model has."""
    methods = {"exact MAP": {}} if isinstance(model, RBM) else {"icm": {}, "annealed": {"method": "annealed"}}
    return {name: float(reconstruction_error(model, X, **how).mean()) for name, how in methods.items()}


def train(name: str) -> None:
    """Train one model, store it and print its figures."""
    recipe = RECIPES[name]
    training, validation, test = images(recipe.dataset)
    started = time.perf_counter()
    if isinstance(recipe, Layered):
        model, settings = _train_layers(name, recipe, training, validation)
    else:
        model, settings = _train_one(name, recipe, training)
    seconds = time.perf_counter() - started
    provenance: dict[str, Any] = {
        "data": f"{recipe.dataset}: {len(training):,} training images"
        + (", none of them in mnist5k" if recipe.dataset == "mnist" else ""),
        "settings": settings,
        "seconds": round(seconds),
        "script": "python -m lrbn_viz.weights.train " + name,
    }
    path = FOLDER / f"{name}.npz"
    model.save(path, dtype=np.float16, provenance=provenance)
    stored = load_model(path)
    for split, X in (("validation", validation), ("test", test)):
        provenance[f"wrong pixels, {split}"] = wrong_pixels(stored, X)
    model.save(path, dtype=np.float16, provenance=provenance)
    print(f"\n{name}: {provenance}")


def _train_one(name: str, recipe: Recipe, X: NDArray) -> tuple[LRBN | RBM, dict[str, Any]]:
    """Return a trained model of one layer, and its settings."""
    model = recipe.face(random_state=0, validation_size=0, patience=None, **recipe.settings)
    n_steps = model.n_iter * -(-len(X) // model.batch_size)
    for event in model.fit_steps(X):
        if event.step % 500 == 0 or event.step == n_steps:
            left = event.seconds / event.step * (n_steps - event.step)
            print(f"\r{name}: step {event.step:,} of {n_steps:,}, {left:,.0f} s left ", end="", flush=True)
    return model, model.get_params()


def _train_layers(
    name: str, recipe: Layered, X: NDArray, validation: NDArray
) -> tuple[LRBN | DeepLRBN, dict[str, Any]]:
    """Return a model that is trained as the reproduction does it, and the recipe."""
    how = REPRODUCED[recipe.reproduced][recipe.config]
    run = training_of(how, X, validation, 0, ALL_DATASETS[recipe.dataset].image_shape)
    for number, _ in enumerate(run):
        if number % 500 == 0:
            print(f"\r{name}: {run.progress:.1%}, {run.seconds:,.0f} s ", end="", flush=True)
    return model_of(how, [state.params for state in run.layers]), recipe.settings


def main() -> None:
    """Train the named models, or all."""
    parser = argparse.ArgumentParser(description="Train the models that come with the package.")
    parser.add_argument(
        "names", nargs="*", choices=[[], *RECIPES], help="models to train; all when none is named"
    )
    for name in parser.parse_args().names or RECIPES:
        train(name)


if __name__ == "__main__":
    main()
