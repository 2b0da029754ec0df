"""Measurements of every system: wrong pixels, and log P(x) with bounds on either side.

Each model declares the estimators that apply to it. Each figure is kept with what it is: a bound, or no
bound.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import Model, Progress
from lrbn_viz.measure import bounded_log_likelihood, log_likelihood, reconstruction_error
from lrbn_viz.measure.likelihood import LogLikelihood, part_of
from lrbn_viz.studies.reproduce.budgets import WIDEST, Budget
from lrbn_viz.studies.reproduce.measure import Found, mean_of, some
from lrbn_viz.studies.reproduce.split import Split

N_DRAWS = 10
"""Latents drawn for each image where the variational bound is estimated by samples."""
LONGER = 4
"""Factor by which chains are lengthened if their bounds are too far apart."""


def nats(model: Model, data: Split, how: Budget, seed: int, progress: Progress) -> Found:
    """Log P(x) of a fixed subset of the test images, and what bounds it below and above.

    Chains are made longer until the bounds are near enough, or until they would cost more than is allowed. If
    a bound is missing, no criterion shows when chains are long enough: they are lengthened once.
    """
    X = some(data.test_X, how.nats_images)
    kind = model.graph != "directed"
    first, most = how.nats_temperatures[kind] * len(model.layers), how.nats_work[kind]
    n_temperatures = first
    part, share = 0.0, 0.45
    while True:
        steps: dict[str, Any] = {"n_temperatures": n_temperatures, "random_state": seed}
        found = bounded_log_likelihood(
            model, X, how.nats_drawn, progress=part_of(progress, part, share), **steps
        )
        low, high = found.lower, found.upper
        longer = LONGER * n_temperatures
        enough = n_temperatures > first if low is None or high is None else high - low <= WIDEST
        if enough or _work(model, X, how, longer) > most:
            break
        n_temperatures, part, share = longer, part + share, share / 2
    estimate = found.estimate
    figures: dict[str, Any] = {
        "by": found.by,
        "value": estimate.mean,
        "standard_error": estimate.standard_error,
        "estimator_error": None if np.isnan(estimate.estimator_error) else estimate.estimator_error,
        "lower": low,
        "lower_is": found.lower_is,
        "upper": high,
        "upper_is": found.upper_is,
        "variational": _variational(model, X, steps),
        "n_images": len(X),
        "n_drawn": how.nats_drawn,
        "n_temperatures": n_temperatures,
    }
    return figures, {"values": estimate.values}


def _work(model: Model, X: NDArray, how: Budget, n_temperatures: int) -> float:
    """Return the approximate cost of chains of this length, in thousands of millions of multiplications."""
    widths = [X.shape[1], *model.layer_sizes_]
    return (len(X) + 2 * how.nats_drawn) * n_temperatures * sum(map(mul, widths, widths[1:])) * 1e-9


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
"""Measurements of every system, by the name of the stage, in this order."""

FIELDS: dict[str, tuple[str, ...]] = {
    "errors": ("errors_images", "annealed_sweeps"),
    "nats": ("nats_images", "nats_drawn", "nats_temperatures", "nats_work"),
}
"""The settings that each depends on."""
