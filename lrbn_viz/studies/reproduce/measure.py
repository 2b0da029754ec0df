"""Measurements of a trained model; each function returns JSON figures and arrays."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import Model, Progress
from lrbn_viz.lrbn.model import most_probable_visible
from lrbn_viz.measure import LogLikelihood, ais_bracket, log_likelihood, representation_quality
from lrbn_viz.measure.representation import linear_accuracy
from lrbn_viz.studies.reproduce.budgets import Budget
from lrbn_viz.studies.reproduce.split import Split
from lrbn_viz.studies.reproduce.train import dead_units

Found = tuple[dict[str, Any], dict[str, NDArray]]

CHUNK = 500
"""Images that are inferred between two reports of progress."""

SUBSET = 7
"""Seed of the subset of test images that AIS is run on: the first ones of MNIST are easier than the rest."""


def codes(
    model: Model, X: NDArray, progress: Progress, method: str = "icm", n_sweeps: int = 200, seed: int = 0
) -> tuple[NDArray[np.uint8], ...]:
    """Return the MAP states of all layers, lowest first; (n, n_h) uint8 each."""
    found = []
    for number, first in enumerate(range(0, len(X), CHUNK)):
        part = X[first : first + CHUNK]
        rng = np.random.default_rng([seed, number])
        how: dict[str, Any] = {"method": method, "n_sweeps": n_sweeps, "random_state": rng}
        found.append(model.infer(part, **how))
        progress(min(1.0, (first + CHUNK) / len(X)))
    return tuple(np.concatenate(layer) for layer in zip(*found, strict=True))


def _wrong(model: Model, X: NDArray, H: NDArray) -> NDArray[np.int64]:
    """Return the wrong pixels of each image reconstructed from the lowest latents. Equation: (24)."""
    return (most_probable_visible(model.layers[0], "bernoulli", H) != X).sum(axis=1)


def mean_of(values: NDArray) -> dict[str, float]:
    """Return the mean and its standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return {"mean": float(values.mean()), "standard_error": float(error)}


def _with_sweeps(model: Model, max_sweeps: int) -> Model:
    limited = copy.copy(model)
    vars(limited)["max_sweeps"] = max_sweeps
    return limited


def _reconstructions(model: Model, X: NDArray, n_sweeps: int, seed: int, progress: Progress) -> Found:
    """Wrong pixels and dead units by one visit of each latent, by ICM and by annealing."""
    how = {
        "one pass": (_with_sweeps(model, 1), "icm", 0.02),
        "icm": (model, "icm", 0.1),
        "annealed": (model, "annealed", 1.0),
    }
    figures: dict[str, Any] = {"n_images": len(X), "annealed_sweeps": n_sweeps}
    arrays, before = {}, 0.0
    for name, (which, method, until) in how.items():
        start, share = before, until - before
        report = lambda part, start=start, share=share: progress(start + share * part)
        H = codes(which, X, report, method, n_sweeps, seed)
        wrong = _wrong(model, X, H[0])
        figures[name] = mean_of(wrong) | {
            "dead_units": [dead_units(layer) for layer in H],
            "units_on": [float(layer.sum(axis=1).mean()) for layer in H],
        }
        arrays[name] = wrong.astype(np.uint16)
        before = until
    return figures, arrays


def reconstruction(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """Wrong pixels of every test image, by three inferences."""
    return _reconstructions(model, data.test_X, how.annealed_sweeps, seed, progress)


def _likelihood(found: LogLikelihood, seed: int) -> Found:
    size = found.effective_sample_size
    figures = {
        "mean": found.mean,
        "standard_error": found.standard_error,
        "estimator_error": None if np.isnan(found.estimator_error) else found.estimator_error,
        "bound": found.bound,
        "n_images": len(found.values),
        "settings": {**found.settings, "random_state": seed},
    }
    if size is not None:
        figures["median_effective_sample_size"] = float(np.median(size))
    return figures, {"values": found.values}


def some(X: NDArray, n: int) -> NDArray:
    """Return n of the rows of `X`, the same in every run, or all if there are no more."""
    return X[np.sort(np.random.default_rng(SUBSET).permutation(len(X))[:n])]


def ais(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """Log P(x) of a fixed subset of the test images by AIS."""
    return _likelihood(
        log_likelihood(
            model, some(data.test_X, how.ais_images), method="ais", n_chains=how.ais_chains,
            n_temperatures=how.temperatures(len(model.layers)), random_state=seed, progress=progress,
        ),
        seed,
    )  # fmt: skip


def bracket(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """AIS both ways on images drawn from the model: from below and from above, so the truth is between."""
    found = ais_bracket(
        model, how.bracket_images, n_temperatures=how.temperatures(len(model.layers)), random_state=seed,
        progress=progress,
    )  # fmt: skip
    figures = {
        "lower": mean_of(found.lower.values),
        "upper": mean_of(found.upper.values),
        "width": mean_of(found.width),
        "n_images": len(found.X),
        "n_temperatures": found.lower.settings["n_temperatures"],
    }
    return figures, {"lower": found.lower.values, "upper": found.upper.values}


def map_bound(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """max_h log P(x, h) of every test image."""
    values = []
    for first in range(0, len(data.test_X), CHUNK):
        part = data.test_X[first : first + CHUNK]
        rng = np.random.default_rng([seed, first])
        found = log_likelihood(model, part, method="map_bound", n_sweeps=how.map_sweeps, random_state=rng)
        values.append(found.values)
        progress(min(1.0, (first + CHUNK) / len(data.test_X)))
    whole = LogLikelihood(np.concatenate(values), "map_bound", "lower", settings={"n_sweeps": how.map_sweeps})
    return _likelihood(whole, seed)


def csl(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """CSL of every test image, and its curve over the number of samples."""
    found = log_likelihood(
        model, data.test_X, method="csl", n_samples=how.csl_samples,
        n_repetitions=how.csl_repetitions, random_state=seed, progress=progress,
    )  # fmt: skip
    figures, arrays = _likelihood(found, seed)
    if found.curve is not None:
        sizes, means = found.curve
        figures["curve"] = {"n_samples": sizes.tolist(), "means": means.tolist()}
    return figures, arrays


def representation(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """Accuracy of a linear classifier on codes by ICM and by annealing, of all layers."""
    figures: dict[str, Any] = {}
    X, y = data.train_X[: how.code_images], data.train_y[: how.code_images]
    inferences: tuple[tuple[str, float, float], ...] = (("icm", 0.0, 0.3), ("annealed", 0.3, 0.7))
    for method, start, share in inferences:
        found = representation_quality(
            model, X, y, data.test_X, data.test_y, method=method, n_sweeps=how.code_sweeps, pixels=False,
            random_state=seed, progress=lambda part, start=start, share=share: progress(start + share * part),
        )  # fmt: skip
        figures[method] = {
            "accuracy": found.accuracy,
            "standard_error": found.standard_error,
            "converged": found.converged,
            "settings": found.settings,
        }
    return figures, {}


def pixels(data: Split, how: Budget) -> Found:
    """Accuracy of the same linear classifier on the pixels themselves: of no model."""
    X, y = data.train_X[: how.code_images], data.train_y[: how.code_images]
    accuracy, converged = linear_accuracy(X, y, data.test_X, data.test_y)
    error = float(np.sqrt(accuracy * (1 - accuracy) / len(data.test_X)))
    return {
        "accuracy": accuracy,
        "standard_error": error,
        "converged": converged,
        "n_train": len(X),
        "n_test": len(data.test_X),
    }, {}


def validation(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """Return the measurements that choose between configurations: reconstruction and AIS of images held out
    of the training set.
    """
    X = data.validation_X[: how.validation_images]
    figures, _ = _reconstructions(model, X, how.annealed_sweeps, seed, lambda part: progress(0.5 * part))
    found = log_likelihood(
        model, data.validation_X[: how.validation_ais_images], method="ais",
        n_temperatures=how.temperatures(len(model.layers)), n_chains=how.ais_chains, random_state=seed,
        progress=lambda part: progress(0.5 + 0.5 * part),
    )  # fmt: skip
    return figures | {"ais": _likelihood(found, seed)[0]}, {}


MEASURES: dict[str, Callable[[Model, Split, Budget, int, Progress], Found]] = {
    "validation": validation,
    "reconstruction": reconstruction,
    "ais": ais,
    "bracket": bracket,
    "map-bound": map_bound,
    "csl": csl,
    "representation": representation,
}
"""Measurements of every configuration, by the name of the stage, in this order."""

FIELDS: dict[str, tuple[str, ...]] = {
    "validation": (
        "annealed_sweeps", "ais_temperatures", "ais_chains", "validation_images", "validation_ais_images",
    ),
    "reconstruction": ("annealed_sweeps",),
    "ais": ("ais_images", "ais_temperatures", "ais_chains"),
    "bracket": ("bracket_images", "ais_temperatures"),
    "map-bound": ("map_sweeps",),
    "csl": ("csl_samples", "csl_repetitions"),
    "representation": ("code_images", "code_sweeps"),
    "pixels": ("code_images",),
}  # fmt: skip
"""The settings that each depends on."""
