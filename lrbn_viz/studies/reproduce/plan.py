"""The plan for one data set: all stages, with everything on which the result of each depends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lrbn_viz.studies.reproduce import bounds
from lrbn_viz.studies.reproduce.budgets import Budget
from lrbn_viz.studies.reproduce.measure import FIELDS, MEASURES
from lrbn_viz.studies.reproduce.recipes import Recipe
from lrbn_viz.studies.reproduce.split import Split
from lrbn_viz.studies.reproduce.store import key_of
from lrbn_viz.studies.reproduce.systems import BINARIZED, Case
from lrbn_viz.studies.reproduce.timed import (
    PLANNED_SHARE,
    REHEARSED_IMAGES,
    REHEARSED_SHARE,
    REHEARSED_STEPS,
    rows,
    settings,
)
from lrbn_viz.studies.reproduce.train import training_work


@dataclass(frozen=True)
class Stage:
    """One thing to do.

    Attributes
    ----------
    name : str
        Name of its file: "pixels", or configuration and kind.
    kind : str
        "training", "pixels" or a key of ``measure.MEASURES``; of a system "plan", "timed" or a key of
        ``bounds.MEASURES``.
    config : str
        Configuration, or the name of a system's case; empty for "pixels".
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
        """Title of the stage, for people."""
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
        asked = {part: value for part, value in recipe._asdict().items() if part != "title"}
        settings = {"stage": "training", "recipe": asked, **shared}
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


def cases(name: str, fast: bool, binarized: Sequence[str] = tuple(BINARIZED)) -> list[Case]:
    """Return every row of systems on images of each binarization.

    Parameters
    ----------
    name : str
        The command's name of a data set.
    fast : bool
        Small layers.
    binarized : sequence of str
        The binarizations that make a difference.
    """
    # One binarization after the other: a run that is stopped leaves one whole table, not two halves.
    return [Case(system, sizes, how) for how in binarized for system, sizes in rows(name, fast)]


def plan_of_systems(
    wanted: Sequence[Case], name: str, by: Mapping[str, Split], seconds: float, how: Budget, seed: int
) -> list[Stage]:
    """Return the stages of systems that are trained for equal seconds, case by case.

    Parameters
    ----------
    wanted : sequence of Case
    name : str
        The command's name of the data set.
    by : mapping from binarization to Split
    seconds : float
        CPU seconds of training.
    how : Budget
    seed : int
    """
    stages = []
    for case in wanted:
        data = by[case.binarize]
        asked: dict[str, Any] = {
            "stage": "plan", "system": case.system, "settings": settings(case, name), "seconds": seconds,
            "rehearsed": [REHEARSED_STEPS, REHEARSED_IMAGES, REHEARSED_SHARE, PLANNED_SHARE], "seed": seed,
            "data": data.fingerprint(),
        }  # fmt: skip
        planned = Stage(f"{case.name}.plan", "plan", case.name, asked, 2.0)
        asked = {"stage": "timed", "plan": planned.key, "seed": seed}
        trained = Stage(f"{case.name}.timed", "timed", case.name, asked, seconds)
        stages += [planned, trained]
        widths = [data.test_X.shape[1], *case.sizes]
        sweep = sum(below * n_h for below, n_h in pairwise(widths)) * 1e-9
        works = {
            "errors": how.errors_images * how.annealed_sweeps * sweep,
            "nats": 2 * (how.nats_images + how.nats_drawn) * how.nats_temperatures[0] * sweep,
        }
        for kind in bounds.MEASURES:
            asked = {"stage": kind, "training": trained.key, "seed": seed}
            asked |= {field: getattr(how, field) for field in bounds.FIELDS[kind]}
            stages.append(Stage(f"{case.name}.{kind}", kind, case.name, asked, works[kind]))
    return stages


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
