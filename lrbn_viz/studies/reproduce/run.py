"""All stages in order: train each configuration, measure it, write the report; left and resumed at will."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple, TextIO

import numpy as np

from lrbn_viz.datasets import Dataset, load_dataset
from lrbn_viz.studies.reproduce.budgets import BUDGETS, QUICK, QUICK_IMAGES, Budget
from lrbn_viz.studies.reproduce.experiment import Experiment
from lrbn_viz.studies.reproduce.plan import Stage, cases, plan, plan_of_systems
from lrbn_viz.studies.reproduce.previous_versions import read_earlier
from lrbn_viz.studies.reproduce.progress import Bar, Estimate, Work
from lrbn_viz.studies.reproduce.recipes import DATASETS, RECIPES, Recipe, quick
from lrbn_viz.studies.reproduce.report import tables_of_systems, write_report
from lrbn_viz.studies.reproduce.split import shortened, split
from lrbn_viz.studies.reproduce.stages import TRAINING_STAGES, do
from lrbn_viz.studies.reproduce.store import Store
from lrbn_viz.studies.reproduce.systems import ALL, SECONDS

_IMAGES = ("train_X", "test_X")


class Moment(NamedTuple):
    """Position of a run: the stage, the finished share of it, and whether it had been finished before."""

    stage: Stage
    share: float
    found: bool = False


class Reproduction(Experiment):
    """An experiment that is done stage by stage, in a folder.

    Parameters
    ----------
    name : str
        "mnist", "caltech" or "ocr": whose reported figures the measured ones are put beside.
    folder : path
        Where results are kept and the report is written.
    only : sequence of str, optional
        What to run: configurations, systems such as "DBN", one row of it, "DBN-200-200", or the row on images
        of one binarization, "DBN-200-200.stochastic"; "systems" for all of these; everything when None. The
        report also holds what the folder has of others.
    seconds : float
        CPU seconds of training of each system.
    seed : int
        Seed of training and of every estimator.
    fast : bool
        Small layers, few images, one pass: to see that everything runs.
    dataset : Dataset, optional
        Stands in for the data set of that name.
    drawn : Dataset, optional
        The same with pixels drawn once; found by name when None.
    recipes : mapping, optional
        Configurations in the place of those of the data set.
    budget : Budget, optional
        How they are measured.
    checkpoint_seconds : float
        How often training writes where it stands.
    earlier : path, optional
        A report of the same systems and seconds: its rows stand where the folder has none.

    Raises
    ------
    ValueError
        The name or a configuration is unknown, `seconds` is not above 0, or `earlier` is of something else.
    OSError
        The folder cannot be written, or the data are missing (DataFileError).
    DamagedResult
        A file of a configuration that is not asked for is damaged.
    """

    def __init__(
        self,
        name: str,
        folder: str | os.PathLike,
        *,
        only: Sequence[str] | None = None,
        seconds: float = SECONDS,
        seed: int = 0,
        fast: bool = False,
        dataset: Dataset | None = None,
        drawn: Dataset | None = None,
        recipes: Mapping[str, Recipe] | None = None,
        budget: Budget | None = None,
        checkpoint_seconds: float = 20.0,
        earlier: str | os.PathLike | None = None,
    ) -> None:
        if name not in DATASETS:
            raise ValueError(f"expected one of {', '.join(DATASETS)}, got {name!r}; name a data set.")
        if not 0 < seconds < float("inf"):
            raise ValueError(f"seconds must be a number above 0, got {seconds!r}.")
        seconds = float(seconds)  # results are kept by what was asked: 60 is 60.0
        known = dict(recipes or RECIPES[name])
        of_systems: dict[str, set[str]] = {ALL: set()}  # names of cases by what asks for them
        for case in cases(name, fast):
            for word in (ALL, case.system, case.row, case.name):
                of_systems.setdefault(word, set()).add(case.name)
        unknown = [config for config in only or () if config not in (*known, *of_systems)]
        if unknown:
            raise ValueError(
                f"expected configurations or systems of {name}, got {', '.join(map(repr, unknown))}; choose "
                f"from {', '.join((*known, *(word for word in of_systems if '.' not in word)))}."
            )
        budget = budget or (QUICK if fast else BUDGETS[name])
        if fast:
            known = {config: quick(recipe) for config, recipe in known.items()}
        store = Store(folder)
        whole = load_dataset(DATASETS[name]) if dataset is None else dataset
        by = {"threshold": split(whole)}
        if (not only or not set(only) <= set(known)) and not (whole.own and drawn is None):
            again = load_dataset(whole.name, binarize="stochastic") if drawn is None else drawn
            if not all(np.array_equal(getattr(whole, part), getattr(again, part)) for part in _IMAGES):
                by["stochastic"] = split(again)
        if fast:
            by = {
                how: shortened(data, QUICK_IMAGES["training"], QUICK_IMAGES["test"])
                for how, data in by.items()
            }
        data = by["threshold"]
        asked = set(only or (*known, ALL))
        named = set().union(*(of_systems.get(word, set()) for word in asked))
        wanted = asked | ({""} if asked & set(known) else set())
        # Whatever else the folder holds of these settings stays in the report.
        stages = [
            stage
            for stage in plan(known, data, budget, seed)
            if stage.config in wanted or store.read(stage.name, stage.key) is not None
        ]
        here = cases(name, fast, tuple(by))
        wanted = {case.name for case in here if case.name in named}
        if named and not wanted:
            raise ValueError(
                f"{name} is made binary by {', '.join(by)} only, got {', '.join(sorted(named))}; leave out "
                "the part after the point."
            )
        stages += [
            stage
            for stage in plan_of_systems(here, name, by, seconds, budget, seed)
            if stage.config in wanted or store.read(stage.name, stage.key) is not None
        ]
        planned = {stage.config for stage in stages}
        recipes = {config: recipe for config, recipe in known.items() if config in planned}
        super().__init__(
            name, whole.name, data, recipes, budget, stages, seed, fast, store,
            cases=[case for case in here if case.name in planned], seconds=seconds, by=by,
            earlier=None if earlier is None else read_earlier(earlier),
        )  # fmt: skip
        if self.earlier is not None:
            tables_of_systems(self)  # said now, and not after an hour of training, where it does not fit
        self.checkpoint_seconds = checkpoint_seconds

    def steps(self, stream: TextIO | None = None) -> Generator[Moment, None, None]:
        """Run all unfinished stages, as a generator that may be left at any moment.

        Parameters
        ----------
        stream : text file, optional
            Told how far things are.

        Yields
        ------
        Moment
            After each step of training and each stage; a stage that was found finished is yielded once.

        Raises
        ------
        DamagedResult
            A file of an earlier run is damaged; the message names it.
        FolderInUse
            Another process writes into the folder.

        Notes ----- A configuration or system whose training diverges leaves nothing in the folder, and does
        not end the others: their results are kept, and the report states that this one diverged. As its
        settings and its seed are fixed, the same command ends in the same way.
        """
        estimate = Estimate([Work(stage.name, stage.kind, stage.work) for stage in self.stages])
        with self.store.locked(), closing(Bar(stream, estimate)) as bar:
            yield from self._steps(estimate, bar)

    def _steps(self, estimate: Estimate, bar: Bar) -> Generator[Moment, None, None]:
        self.look_up()
        for name, result in self.results.items():
            estimate.finished(name, result.seconds)
        for number, stage in enumerate(self.stages):
            if stage.config in self.diverged:
                continue
            if stage.name in self.results:
                bar.done(stage.title, "finished before")
                yield Moment(stage, 1.0, found=True)
                continue
            tell = partial(_tell, estimate, bar, stage, time.monotonic())
            try:
                for share in do(self, stage, tell, self.checkpoint_seconds):
                    yield Moment(stage, share)
            except FloatingPointError as error:
                if stage.kind not in TRAINING_STAGES:
                    raise
                estimate.dropped([other.name for other in self.stages if other.config == stage.config])
                bar.done(stage.title, f"diverged, and is left out: {error}")
                self.leave_out(stage, str(error))
                continue
            seconds = self.results[stage.name].seconds
            estimate.finished(stage.name, seconds)
            following = self.stages[number + 1 : number + 2]
            if following and following[0].config != stage.config:
                write_report(self)  # of the configurations so far
            bar.done(stage.title, f"done in {seconds:,.1f} s")
            yield Moment(stage, 1.0)
        write_report(self)

    def look_up(self) -> None:
        """Take in what the folder holds.

        Raises
        ------
        DamagedResult
            A file of an earlier run is damaged; the message names it.
        """
        found = {stage.name: self.store.read(stage.name, stage.key) for stage in self.stages}
        self.results = {name: result for name, result in found.items() if result is not None}
        self.diverged = {}

    def leave_out(self, stage: Stage, words: str) -> None:
        """Keep nothing of a configuration whose training diverged, but what was said of it."""
        self.diverged[stage.config] = words
        self.store.checkpoint(stage.name, stage.key).unlink(missing_ok=True)
        write_report(self)

    def run(self, stream: TextIO | None = None) -> None:
        """Run all unfinished stages, and write the progress to a stream."""
        for _ in self.steps(stream):
            pass


def _tell(
    estimate: Estimate, bar: Bar, stage: Stage, began: float, share: float, seconds: float | None = None
) -> None:
    """Pass on the share of a stage that is done, and what it took if not the time since it began."""
    estimate.reached(stage.name, share, time.monotonic() - began if seconds is None else seconds)
    bar.show(stage.title, share)
