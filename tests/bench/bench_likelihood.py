"""Log-probabilities of the shipped models of two layers and of the RBMs, and how long a million samples of
CSL take: ``python tests/bench/bench_likelihood.py [--only ais|raise|csl] [--model NAME]
[--images N] [--temperatures N] [--samples N] [--check]``.

The likelihoods are measured as ``lrbn-viz reproduce`` does it, on the same test images. Needs an otherwise
idle machine of two cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from figures import Figure, report

from lrbn_viz import load_dataset, pretrained
from lrbn_viz.measure import log_likelihood
from lrbn_viz.studies.reproduce.budgets import BUDGETS, WIDEST
from lrbn_viz.studies.reproduce.measure import some
from lrbn_viz.studies.reproduce.recipes import DATASETS
from lrbn_viz.studies.reproduce.reported import GOALS

FOR_BOTH_COUNTS = ("lrbn-200-200-mnist", "lrbn-200-200-caltech")
"""Models that are held to the paper's nats beside its pixels; the others are to be the likeliest."""
MODELS = (
    ("lrbn-200-200-mnist", "mnist"),
    ("lrbn-200-200-mnist-likeliest", "mnist"),
    ("lrbn-200-200-caltech", "caltech"),
    ("lrbn-200-200-caltech-likeliest", "caltech"),
    ("lrbn-200-200-ocr", "ocr"),
    ("lrbn-200-200-ocr-likeliest", "ocr"),
)
RBMS = (
    ("rbm-200-mnist-likeliest", "mnist", -80.5, 10_000),
    ("rbm-200-ocr-likeliest", "ocr_letters", -32.5, 40_000),
    ("rbm-200-caltech-likeliest", "caltech101_silhouettes", -114.0, 10_000),
)
"""With the nats that an issue of the project set, and as many temperatures as bring both sides near enough
for the nats to be known."""
RAISE_IMAGES = 100
CSL_SAMPLES = 1_000_000
CSL_REPETITIONS = 10
CSL_IMAGES = 10_000
CSL_BOUND = 10.0
"""Minutes."""


def by_ais(n_images: int | None, only: str | None, longer: int | None) -> Iterator[Figure]:
    """Log P(x) of test images by AIS, beside what the paper reports of its own model."""
    for model, name in (one for one in MODELS if only in (None, one[0])):
        how, goal = BUDGETS[name], GOALS[name]
        X = some(load_dataset(DATASETS[name]).test_X, n_images or how.ais_images)
        temperatures = longer or how.temperatures(2)
        found = log_likelihood(pretrained(model), X, n_temperatures=temperatures, n_chains=how.ais_chains)
        told = f"{model}, {len(X):,} test images, {how.ais_chains} chain(s) of {temperatures:,}"
        bound = goal.together[1] if model in FOR_BOTH_COUNTS else goal.nats
        yield Figure(f"nats by AIS: {told}", found.mean, bound, at_least=True)
        yield Figure("  its standard error", found.standard_error)


def from_both_sides(n_images: int | None, only: str | None) -> Iterator[Figure]:
    """Log P(x) of all test images by AIS of the normaliser, and of some by RAISE beside it."""
    for name, data, bound, n_temperatures in (one for one in RBMS if only in (None, one[0])):
        model, X = pretrained(name), load_dataset(data).test_X
        above = log_likelihood(model, X, method="ais", n_temperatures=n_temperatures)
        yield Figure(f"nats by AIS: {name}, {len(X):,} test images", above.mean, bound, at_least=True)
        yield Figure("  standard error, of the images", above.standard_error)
        yield Figure("  standard error, of log Z", above.estimator_error)
        first = X[: n_images or RAISE_IMAGES]
        below = log_likelihood(model, first, method="raise", n_temperatures=n_temperatures)
        yield Figure(f"  by RAISE, the first {len(first):,}, {n_temperatures:,} temperatures", below.mean)
        yield Figure("  the same by AIS", above.values[: len(first)].mean())
        apart = above.values[: len(first)] - below.values
        yield Figure("  AIS is above RAISE by", apart.mean(), WIDEST)
        yield Figure("  standard error of that", apart.std(ddof=1) / len(first) ** 0.5)


def csl(n_samples: int) -> Iterator[Figure]:
    """How long CSL takes on MNIST's test images, all repetitions together."""
    X = load_dataset("mnist").test_X[:CSL_IMAGES]
    started = time.perf_counter()
    found = log_likelihood(
        pretrained("lrbn-200-200-mnist"),
        X,
        method="csl",
        n_samples=n_samples // CSL_REPETITIONS,
        n_repetitions=CSL_REPETITIONS,
    )
    minutes = (time.perf_counter() - started) / 60
    bound = CSL_BOUND if n_samples == CSL_SAMPLES else None
    told = f"{n_samples:,} samples in {CSL_REPETITIONS} repetitions, {len(X):,} images"
    yield Figure(f"minutes of CSL: {told}", minutes, bound)
    yield Figure("  nats", found.mean)


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("ais", "raise", "csl"), help="one of the groups")
    names = [one[0] for one in (*MODELS, *RBMS)]
    parser.add_argument("--model", choices=names, metavar="NAME", help="one model of AIS or of RAISE")
    parser.add_argument("--images", type=int, help="of AIS, drawn from the test images; else as reproduced")
    parser.add_argument("--temperatures", type=int, help="of each chain of AIS; else as reproduced")
    parser.add_argument("--samples", type=int, default=CSL_SAMPLES, help="of CSL; only the default is bound")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    arguments = parser.parse_args()
    groups = {
        "csl": csl(arguments.samples),
        "ais": by_ais(arguments.images, arguments.model, arguments.temperatures),
        "raise": from_both_sides(arguments.images, arguments.model),
    }
    chosen = [group for name, group in groups.items() if arguments.only in (None, name)]
    return report(chosen, arguments.check)


if __name__ == "__main__":
    sys.exit(main())
