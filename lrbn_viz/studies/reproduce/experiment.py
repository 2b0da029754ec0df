"""One data set's experiment: what is trained and measured, and what has been found so far."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lrbn_viz.catalog import load_model
from lrbn_viz.core.model import LayerParams, Model
from lrbn_viz.studies.reproduce.budgets import Budget
from lrbn_viz.studies.reproduce.machine import machine
from lrbn_viz.studies.reproduce.plan import Stage
from lrbn_viz.studies.reproduce.previous_versions import Earlier
from lrbn_viz.studies.reproduce.recipes import Recipe
from lrbn_viz.studies.reproduce.split import Split
from lrbn_viz.studies.reproduce.store import Result, Store
from lrbn_viz.studies.reproduce.systems import Case
from lrbn_viz.studies.reproduce.train import model_of


@dataclass(eq=False)
class Experiment:
    """Everything that the report is written from.

    Parameters
    ----------
    name : str
        "mnist", "caltech" or "ocr": whose reported figures the measured ones are put beside.
    dataset_name : str
        Name of the data set that is used.
    data : Split
    recipes : mapping from configuration to Recipe
    budget : Budget
        How they are measured.
    stages : sequence of Stage
        Stages in order.
    seed : int
        Seed of training and of every estimator.
    fast : bool
        Small layers, few images, one pass.
    store : Store
        The folder of results and report.
    results : dict from stage name to Result
        Of the stages that are done.
    machine : dict
        What it runs on.
    cases : sequence of Case
        Systems that are trained for equal seconds, in order.
    seconds : float
        So many CPU seconds.
    by : mapping from binarization to Split
        The images that these learn and are measured on; one alone where they are binary by nature.
    diverged : dict from configuration or case to words
        Those whose training diverged, and what it said. Nothing of them is kept.
    earlier : Earlier, optional
        A report whose rows of systems stand where this run has none.
    """

    name: str
    dataset_name: str
    data: Split
    recipes: Mapping[str, Recipe]
    budget: Budget
    stages: Sequence[Stage]
    seed: int
    fast: bool
    store: Store
    results: dict[str, Result] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=machine)
    cases: Sequence[Case] = ()
    seconds: float = 0.0
    by: Mapping[str, Split] = field(default_factory=dict)
    diverged: dict[str, str] = field(default_factory=dict)
    earlier: Earlier | None = None
    _models: dict[str, Model] = field(default_factory=dict, repr=False)

    def model(self, config: str) -> Model:
        """Return a trained configuration, or the model of a system's case.

        Raises
        ------
        KeyError
            It is not trained yet.
        """
        if config not in self._models and config not in self.recipes:
            stored = self.results[f"{config}.timed"].arrays["file"]
            self._models[config] = load_model(io.BytesIO(stored.tobytes()))
        if config not in self._models:
            result = self.results[f"{config}.training"]
            layers = [
                LayerParams(*(result.arrays[f"{n}.{part}"] for part in LayerParams._fields))
                for n in range(result.figures["n_layers"])
            ]
            self._models[config] = model_of(self.recipes[config], layers)
        return self._models[config]

    def figures(self, config: str, kind: str) -> dict[str, Any] | None:
        """Return what a stage found, or None if it is not done yet."""
        result = self.results.get(f"{config}.{kind}" if config else kind)
        return None if result is None else result.figures
