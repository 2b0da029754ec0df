"""Measure wrong pixels over sweeps of annealing: ``python -m tools.weights.annealed [NAME ...]``.

Each point, of one model after one number of sweeps, is written to ``measured.json`` as soon as it is known,
and is not measured again: the same command goes on where it was stopped. ``--plan`` says what is left, and
how many CPU minutes it takes by the seconds of the points that are known.

Long annealing is measured on the first test images only. The figure is still that of all test images: the
mean after `ANNEALED_SWEEPS` sweeps, which is known for all of them, and the mean change on those few, which
varies much less between images.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.catalog import PRETRAINED, measured, pretrained
from lrbn_viz.core.model import ANNEALED_SWEEPS, Model
from lrbn_viz.kernels.clock import cpu_seconds_without_compiling
from lrbn_viz.measure import reconstruction_error
from tools.weights.measure import store, stored
from tools.weights.train import RECIPES, images

SWEEPS = (ANNEALED_SWEEPS, 1_000, 4_000, 16_000, 64_000)
"""Numbers of sweeps of a curve."""
N_IMAGES = 100
"""Test images that are annealed for each point: the first ones."""


class MissingPoint(NamedTuple):
    """A point that is to be measured: of a model, after so many sweeps, on so many test images."""

    name: str
    sweeps: int
    images: int


def wrong_pixels(model: Model, X: NDArray, sweeps: int) -> NDArray[np.int64]:
    """Return the wrong pixels of each image, after so many sweeps of annealing, and ICM; (n,)."""
    return reconstruction_error(model, X, method="annealed", n_sweeps=sweeps)


def point(known: float, before: NDArray, after: NDArray, n_test: int) -> dict[str, Any]:
    """Return the mean wrong pixels of all test images after annealing, from those of the first ones.

    The mean of all is ``known + mean(after - before)``. Its variance is that of a mean of all, and that of
    the mean change, as far as images are missing: ``var(after) / N + var(after - before) (1/n - 1/N)``.

    Parameters
    ----------
    known : float
        Mean of all test images after the number of sweeps of `before`.
    before, after : (n,) array
        Wrong pixels of the first n test images after that number of sweeps, and after the number asked for.
    n_test : int
        N, the number of all test images, at least n.
    """
    n, change = len(after), after - before
    spread, of_change = (float(each.var(ddof=1)) for each in (after, change))
    variance = spread / n_test + of_change * (1 / n - 1 / n_test)
    mean = float(after.mean()) if n == n_test else known + float(change.mean())
    return {
        "wrong pixels": round(mean, 4),
        "standard error": round(math.sqrt(variance), 4),
        "images": n,
    }


def measure(todo: MissingPoint, X: NDArray, known: float) -> dict[str, Any]:
    """Measure one point, with the CPU seconds that it took.

    Parameters
    ----------
    todo : MissingPoint
    X : (N, n_v) array
        All test images.
    known : float
        Mean wrong pixels of all after `ANNEALED_SWEEPS` sweeps.
    """
    model, few = pretrained(todo.name), X[: todo.images]
    begun = cpu_seconds_without_compiling()
    before = wrong_pixels(model, few, ANNEALED_SWEEPS)
    first = todo.sweeps == ANNEALED_SWEEPS
    found = point(known, before, before if first else wrong_pixels(model, few, todo.sweeps), len(X))
    if first:
        found["images"] = len(X)  # of which the mean is known
    return {
        **found,
        "CPU seconds": round(cpu_seconds_without_compiling() - begun, 1),
        "annealed images": len(few),
    }


def can_anneal() -> list[str]:
    """Return the names of the shipped models that have such figures."""
    return [name for name in PRETRAINED if "annealed" in measured(name)]


def missing(names: Sequence[str], sweeps: Sequence[int], n_images: int | None) -> list[MissingPoint]:
    """Return the points that no measurement on so many images has given yet, the cheapest first."""
    found = []
    for name in names:
        figures = stored()["models"][name]
        n_test = figures["wrong pixels"]["images"]
        n = n_test if n_images is None else min(n_images, n_test)
        for each in sweeps:
            known = figures["annealed"].get(str(each), {})
            if known.get("annealed images", 0) < n:
                found.append(MissingPoint(name, each, n))
    return sorted(found, key=lambda todo: todo.sweeps * todo.images)


def cpu_minutes(todo: Sequence[MissingPoint], models: Mapping[str, Any]) -> tuple[float, list[str]]:
    """Return the CPU minutes of points by the seconds of those known, and the models of which none is."""
    total, unknown = 0.0, []
    for each in todo:
        rates = [
            known["CPU seconds"] / (known["annealed images"] * _swept(int(n)))
            for n, known in models[each.name]["annealed"].items()
            if "CPU seconds" in known
        ]
        if rates:
            total += rates[-1] * each.images * _swept(each.sweeps)
        else:
            unknown.append(each.name)
    return total / 60, list(dict.fromkeys(unknown))


def _swept(sweeps: int) -> int:
    """Return the sweeps of annealing that a point takes, for each image."""
    return ANNEALED_SWEEPS + (sweeps if sweeps != ANNEALED_SWEEPS else 0)


def main() -> None:
    """Measure what is missing, or say what that is."""
    names = can_anneal()
    parser = argparse.ArgumentParser(description="Measure wrong pixels over sweeps of annealing.")
    parser.add_argument("names", nargs="*", choices=[[], *names], help="models; all when none is named")
    parser.add_argument("--sweeps", type=int, nargs="+", default=SWEEPS, help="numbers of sweeps")
    parser.add_argument(
        "--images", type=int, default=N_IMAGES, help="test images, the first ones, at least 2"
    )
    parser.add_argument("--all-images", action="store_true", help="all test images, whose figures are quoted")
    parser.add_argument("--plan", action="store_true", help="say what is left, and measure nothing")
    options = parser.parse_args()
    if options.images < 2 or min(options.sweeps) < 1:
        parser.error("expected at least 2 images, and numbers of sweeps of at least 1.")
    n_images = None if options.all_images else options.images
    todo = missing(options.names or names, options.sweeps, n_images)
    minutes, unknown = cpu_minutes(todo, stored()["models"])
    also = f", without {', '.join(unknown)}, of which no seconds are known" if unknown else ""
    print(f"{len(todo)} points are missing: about {minutes:.0f} CPU minutes{also}.", flush=True)
    for each in [] if options.plan else todo:
        _, _, X = images(RECIPES[each.name].dataset)
        before = stored()["models"][each.name]["annealed"]
        found = measure(each, X, before[str(ANNEALED_SWEEPS)]["wrong pixels"])
        points = {**stored()["models"][each.name]["annealed"], str(each.sweeps): found}
        store(each.name, {"annealed": {n: points[n] for n in sorted(points, key=int)}})
        print(f"{each.name}, {each.sweeps:,} sweeps: {found}", flush=True)


if __name__ == "__main__":
    main()
