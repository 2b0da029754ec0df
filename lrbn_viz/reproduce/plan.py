"""What there is to do for one data set: all stages, with everything that the result of each depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lrbn_viz.reproduce.budgets import Budget
from lrbn_viz.reproduce.measure import FIELDS, MEASURES
from lrbn_viz.reproduce.recipes import Recipe
from lrbn_viz.reproduce.split import Split
from lrbn_viz.reproduce.store import key_of
from lrbn_viz.reproduce.train import training_work


@dataclass(frozen=True)
class Stage:
    """One thing to do.

    Attributes
    ----------
    name : str
        Of its file: "pixels", or configuration and kind.
    kind : str
        "training", "pixels" or a key of ``measure.MEASURES``.
    config : str
        Configuration; empty for "pixels".
    settings : dict
        Everything that its result depends on.
    work : float
        Thousands of millions of multiplications, about.
    """

    name: str
    kind: str
    config: str
    settings: dict[str, Any]
    work: float

    @property
    def key(self) -> str:
        """Sum of the settings."""
        return key_of(self.settings)

    @property
    def title(self) -> str:
        """What it is, for people."""
        return f"{self.config}, {self.kind}" if self.config else "linear classifier on pixels"


def plan(recipes: Mapping[str, Recipe], data: Split, how: Budget, seed: int) -> list[Stage]:
    """Return all stages in order: each configuration is trained and then measured."""

    def fields(kind: str) -> dict[str, Any]:
        return {name: getattr(how, name) for name in FIELDS[kind]}

    n_v = data.train_X.shape[1]
    shared = {"seed": seed, "data": data.fingerprint()}
    of_pixels = {"stage": "pixels", **shared, **fields("pixels")}
    stages = [Stage("pixels", "pixels", "", of_pixels, how.code_images * n_v * 1e-6)]
    for config, recipe in recipes.items():
        settings = {"stage": "training", "recipe": _settings(recipe), **shared}
        work = training_work(recipe, len(data.train_X), n_v)
        training = Stage(f"{config}.training", "training", config, settings, work)
        stages.append(training)
        works = _measuring_work(recipe, data, how)
        for kind in MEASURES:
            if kind == "bracket" and not how.bracket_images:
                continue
            settings = {"stage": kind, "training": training.key, "seed": seed, **fields(kind)}
            stages.append(Stage(f"{config}.{kind}", kind, config, settings, works[kind]))
    return stages


def _settings(recipe: Recipe) -> dict[str, Any]:
    """Return what the result of training depends on.

    What is off is left out, so that results from before a recipe could say it keep their keys.
    """
    off = {"shifts": 0, "mirror": False, "copies": 0}
    return {
        part: value
        for part, value in recipe._asdict().items()
        if part != "title" and (part not in off or value != off[part])
    }


def _measuring_work(recipe: Recipe, data: Split, how: Budget) -> dict[str, float]:
    """Return about how many multiplications each measurement takes, in thousands of millions."""
    n_test, n_v = data.test_X.shape
    n_held = min(len(data.validation_X), how.validation_images)
    widths = [n_v, *(layer["n_h"] for layer in recipe.layers)]
    sweep = sum(below * n_h for below, n_h in pairwise(widths)) * 1e-9
    chain = how.temperatures(len(recipe.layers)) * sweep
    return {
        "validation": n_held * how.annealed_sweeps * sweep
        + how.validation_ais_images * how.ais_chains * chain,
        "reconstruction": n_test * (how.annealed_sweeps + 15) * sweep,
        "ais": min(n_test, how.ais_images) * how.ais_chains * chain,
        "bracket": 2 * how.bracket_images * chain,
        "map-bound": n_test * (how.map_sweeps + 6) * sweep,
        "csl": n_test * widths[1] * how.csl_samples * how.csl_repetitions * 1e-9,
        "representation": (how.code_images + n_test) * (how.code_sweeps + 30) * sweep,
    }
