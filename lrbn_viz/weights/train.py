"""Train the models that come with the package: ``python -m lrbn_viz.weights.train [NAME ...]``.

MNIST models learn from the training set without the images of ``mnist5k``, so that what the explorer shows by
default was never seen in training. Settings were chosen on the last 2,000 of the shuffled training images,
which are held out here as well; the test set is only reported. Weights are stored in half precision, and
every figure is measured after rounding.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets import load_dataset, mnist5k_rows_in_mnist
from lrbn_viz.estimators import LRBN, RBM, load_model
from lrbn_viz.evaluation import reconstruction_error

FOLDER = Path(__file__).parent
N_VALIDATION = 2000


class Recipe(NamedTuple):
    """How one model is trained: its class, its data set and its settings."""

    face: type[LRBN] | type[RBM]
    dataset: str
    settings: dict[str, Any]


SMALL_LRBN = {
    "e_step": "gibbs",
    "init": "zeros",
    "warm_sweeps": 10,
    "learning_rate": 0.2,
    "decay_steps": 2000.0,
    "n_iter": 60,
}
SMALL_RBM = {"learning_rate": 0.05, "decay_steps": 2000.0, "n_iter": 60}

RECIPES: dict[str, Recipe] = {
    # An annealed E-step finds better codes than ICM from the start, and a short one is enough: it need not
    # reach the optimum, only leave poor ones. Longer training goes on lowering the annealed error but raises
    # that of plain ICM.
    "lrbn-200-mnist-flat": Recipe(
        LRBN,
        "mnist",
        {
            "prior": "flat",
            "e_step": "annealed",
            "warm_sweeps": 8,
            "hottest": 1.5,
            "coldest": 0.2,
            "decay_steps": 4000.0,
            "n_iter": 3,
        },
    ),
    # A sampled E-step from all off keeps units alive under a learned prior.
    "lrbn-200-mnist-learned": Recipe(
        LRBN,
        "mnist",
        {
            "e_step": "gibbs",
            "init": "zeros",
            "warm_sweeps": 5,
            "learning_rate": 0.2,
            "decay_steps": 8000.0,
            "n_iter": 6,
        },
    ),
    "rbm-200-mnist": Recipe(
        RBM, "mnist", {"learning_rate": 0.1, "decay_steps": 5300.0, "n_iter": 25, "n_particles": 100}
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


def wrong_pixels(model: LRBN | RBM, X: NDArray) -> dict[str, float]:
    """Return the mean reconstruction error in pixels, by every inference that the model has."""
    methods = (
        {"icm": {}, "annealed": {"method": "annealed"}} if isinstance(model, LRBN) else {"exact MAP": {}}
    )
    return {name: float(reconstruction_error(model, X, **how).mean()) for name, how in methods.items()}


def train(name: str) -> None:
    """Train one model, store it and print its figures."""
    recipe = RECIPES[name]
    training, validation, test = images(recipe.dataset)
    model = recipe.face(random_state=0, validation_size=0, patience=None, **recipe.settings)
    n_steps = model.n_iter * -(-len(training) // model.batch_size)
    started = time.perf_counter()
    for event in model.fit_steps(training):
        if event.step % 500 == 0 or event.step == n_steps:
            left = event.seconds / event.step * (n_steps - event.step)
            print(f"\r{name}: step {event.step:,} of {n_steps:,}, {left:,.0f} s left ", end="", flush=True)
    seconds = time.perf_counter() - started
    provenance: dict[str, Any] = {
        "data": f"{recipe.dataset}: {len(training):,} training images"
        + (", none of them in mnist5k" if recipe.dataset == "mnist" else ""),
        "settings": model.get_params(),
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
