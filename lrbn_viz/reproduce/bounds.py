"""What is measured of every system alike: wrong pixels, and log P(x) with what bounds it on either side.

Which estimators apply, a model says itself. Each figure is kept with what it is: a bound, or no bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.evaluation import ais_bracket, log_likelihood, raise_bracket, reconstruction_error
from lrbn_viz.evaluation.likelihood import LogLikelihood, part_of
from lrbn_viz.model import Model, Progress
from lrbn_viz.posterior import MAX_EXACT
from lrbn_viz.reproduce.budgets import Budget
from lrbn_viz.reproduce.measure import Found, mean_of, some
from lrbn_viz.reproduce.split import Split

N_DRAWS = 10
"""Latents drawn for each image where the variational bound is estimated by samples."""

BELOW = "AIS, a lower bound in expectation"
DRAWN = "as far above AIS as annealing back leads, on images that the model draws"
OF_Z = "AIS of log Z, an upper bound in expectation"
OF_BOTH = "AIS of log Z and of each image: errs both ways"
BACK = "as far below AIS as RAISE is, a lower bound in expectation on images that the model draws"
EXACT = "exact"


def nats(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """Log P(x) of a fixed subset of the test images, and what bounds it below and above.

    Directed: AIS, and bidirectional AIS of images that the model draws. Undirected: AIS of log Z, and RAISE
    of some of the images. Where neither applies, importance sampling, whose normaliser is annealed: no bound.
    Small models are enumerated.
    """
    X = some(data.test_X, how.nats_images)
    n_temperatures = how.nats_temperatures[model.graph != "directed"] * len(model.layers)
    steps: dict[str, Any] = {"n_temperatures": n_temperatures, "random_state": seed}
    n_few = how.nats_drawn
    below: str | None
    above: str | None
    if model.n_latents_ <= MAX_EXACT and model.log_normaliser() is not None:
        by, found = "enumeration", log_likelihood(model, X, method="exact")
        lower, upper, below, above = found.mean, found.mean, EXACT, EXACT
    elif model.graph == "directed":
        by, found = "AIS", log_likelihood(model, X, progress=part_of(progress, 0.0, 0.6), **steps)
        both = ais_bracket(model, n_few, progress=part_of(progress, 0.6, 0.3), **steps)
        lower, upper = found.mean, found.mean + _width(both.width)
        below, above = BELOW, DRAWN
    elif "raise" in model.likelihoods:
        by, found = "AIS", log_likelihood(model, X, progress=part_of(progress, 0.0, 0.5), **steps)
        both = raise_bracket(model, X[:n_few], progress=part_of(progress, 0.5, 0.4), **steps)
        lower, upper = found.mean - _width(both.width), found.mean
        below, above = BACK, OF_Z if found.bound == "upper" else OF_BOTH
    else:
        by = "importance sampling"
        found = log_likelihood(
            model, X, method="importance", progress=part_of(progress, 0.0, 0.9), **steps
        )  # fmt: skip
        known = found.bound == "lower"
        by += "" if known else " with annealed log Z, no bound"
        lower, upper = found.mean if known else None, None
        below, above = "importance sampling, a lower bound in expectation" if known else None, None
    figures: dict[str, Any] = {
        "by": by,
        "value": found.mean,
        "standard_error": found.standard_error,
        "estimator_error": None if np.isnan(found.estimator_error) else found.estimator_error,
        "lower": lower,
        "lower_is": below,
        "upper": upper,
        "upper_is": above,
        "variational": _variational(model, X, steps),
        "n_images": len(X),
        "n_drawn": n_few,
        "n_temperatures": n_temperatures,
    }
    return figures, {"values": found.values}


def _width(widths: NDArray) -> float:
    """Return the mean width of a bracket; where chains are long it may come out below 0 by chance."""
    return max(float(widths.mean()), 0.0)


def _variational(model: Model, X: NDArray, steps: dict[str, Any]) -> dict[str, Any] | None:
    """Return the variational bound on log P(x), and what keeps it from being one; None where there is none.

    By means of independent latents, or by single samples of them, whose mean is the bound in expectation.
    """
    found: LogLikelihood
    if "variational" in model.likelihoods:
        found = log_likelihood(model, X, method="variational", **steps)
    elif "importance" in model.likelihoods:
        many = np.repeat(X, N_DRAWS, axis=0)
        found = log_likelihood(model, many, method="importance", n_samples=1, **steps)
    else:
        return None
    return mean_of(found.values.reshape(len(X), -1).mean(axis=1)) | {"bound": found.bound}


def errors(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """Wrong pixels of test images, by the model's usual inference, and annealed where it has that."""
    X = some(data.test_X, how.errors_images)
    usual = "exact, one pass" if model.factorised else next(iter({**model.methods, **model.trace_methods}))
    titles = dict(model.methods)
    titles |= {name: way.title for name, way in model.trace_methods.items() if name not in titles}
    inferences: dict[str, dict[str, Any]] = {"usual": {}}
    if "annealed" in model.methods:
        inferences["annealed"] = {
            "method": "annealed", "n_sweeps": how.annealed_sweeps, "random_state": seed
        }  # fmt: skip
    figures: dict[str, Any] = {"n_images": len(X), "by": titles.get(usual, usual).partition(";")[0]}
    arrays = {}
    for done, (name, options) in enumerate(inferences.items(), 1):
        wrong = reconstruction_error(model, X, **options)
        figures[name] = mean_of(wrong)
        arrays[name] = wrong.astype(np.uint16)
        progress(done / len(inferences))
    return figures, arrays


MEASURES: dict[str, Callable[[Model, Split, Budget, int, Progress], Found]] = {
    "errors": errors,
    "nats": nats,
}
"""What is measured of every system, by the name of its stage, in this order."""

FIELDS: dict[str, tuple[str, ...]] = {
    "errors": ("errors_images", "annealed_sweeps"),
    "nats": ("nats_images", "nats_drawn", "nats_temperatures"),
}
"""The settings that each depends on."""
