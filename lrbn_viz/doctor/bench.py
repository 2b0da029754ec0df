"""About ten seconds of what the package does most, against what one core of a usual server does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.doctor.report import Finding

SECONDS = 2.5
"""Duration of each measurement, seconds."""
SLOW = 0.2
"""A machine below this share of what is expected is slow: something holds it up."""


class Measured(NamedTuple):
    """Something that is measured."""

    unit: str
    """Unit of the counted operations per second."""
    expected: float
    """So many a second: what one thread of a server's processor with AVX2 did beside other work."""
    prepare: Callable[[], Callable[[], float]]
    """Returns what is called again and again; that returns how many it did."""


def _model_and_images() -> tuple[Any, NDArray]:
    """Return a model and 100 images that it draws itself: its data set may need a download."""
    from lrbn_viz.catalog import pretrained

    model = pretrained("lrbn-200-mnist-strokes")
    return model, model.sample(100, random_state=0)


def _batches() -> Callable[[], float]:
    model, X = _model_and_images()

    def infer() -> float:
        model.infer(X)
        return len(X)

    return infer


def _traces() -> Callable[[], float]:
    model, X = _model_and_images()

    def trace() -> float:
        return model.trace(X[0]).n_visits

    return trace


def _steps() -> Callable[[], float]:
    from lrbn_viz.rivals.rbm.system import RBMSystem

    _, X = _model_and_images()
    system, rng = RBMSystem(200), np.random.default_rng(0)
    state = system.init(X, rng)

    def step() -> float:
        nonlocal state
        state, _ = system.step(state, X, rng)
        return 1.0

    return step


def _products() -> Callable[[], float]:
    A = np.random.default_rng(0).normal(size=(700, 700))

    def multiply() -> float:
        np.dot(A, A)
        return 2e-9 * 700**3

    return multiply


MEASURED: dict[str, Measured] = {
    "batch inference": Measured("images", 2000.0, _batches),
    "traces": Measured("visits", 1_000_000.0, _traces),
    "RBM training": Measured("steps", 1000.0, _steps),
    "matrix products": Measured("billion operations", 20.0, _products),
}


def bench(seconds: float = SECONDS) -> Iterator[Finding]:
    """Measure each for so long, and say how it compares."""
    for name, measured in MEASURED.items():
        work = measured.prepare()
        work()  # compiles
        done, began = 0.0, perf_counter()
        while perf_counter() - began < seconds:
            done += work()
        rate = done / (perf_counter() - began)
        share = rate / measured.expected
        values = {"per_second": rate, "expected": measured.expected, "unit": measured.unit}
        words = f"{rate:,.0f} {measured.unit} a second, {measured.expected:,.0f} expected"
        if share < SLOW:
            words += ": slow. Is the machine busy, or kept to a part of a core?"
        yield Finding(f"speed {name}", "ok" if share >= SLOW else "warning", words, values)
