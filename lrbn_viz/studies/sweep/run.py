"""All trials of a sweep, here or on workers: results are kept as they arrive; left and resumed at will."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TextIO

from lrbn_viz.chunks import PoolLost
from lrbn_viz.core.fields import each_layer
from lrbn_viz.io.storage import quoted, write_atomic
from lrbn_viz.studies.reproduce.progress import Bar, Estimate
from lrbn_viz.studies.reproduce.progress import Work as Amount
from lrbn_viz.studies.reproduce.store import Result, Store
from lrbn_viz.studies.runs.estimate import SECONDS_A_WEIGHT, SECONDS_AN_IMAGE
from lrbn_viz.studies.sweep import FILE
from lrbn_viz.studies.sweep.report import short, write_report
from lrbn_viz.studies.sweep.results import (
    FAILED,
    Plan,
    Row,
    chosen,
    name_of,
    read_plan,
    read_results,
    rows_of,
    write_plan,
)
from lrbn_viz.studies.sweep.space import Space
from lrbn_viz.studies.sweep.trial import Images, Outcome, Work, attempt, images_of
from lrbn_viz.training.checkpoint import check_same_run

BEST = "best.npz"
"""The best model that was trained to the end."""


class Workers(Protocol):
    """Protocol of the pool in which trials run, such as a :class:`lrbn_viz.cluster.Cluster`."""

    @property
    def workers(self) -> list[str]:
        """Names of the present workers."""
        ...

    def submit(self, what: str, function: Any, *args: Any) -> Any:
        """Call a function; return a handle of its result."""
        ...

    def arrivals(self, values: list[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield handles of results with the results, in the order of arrival; a `PoolLost` in place of a lost
        one.
        """
        ...


class _Job(NamedTuple):
    """One trial on one rung."""

    number: int
    rung: int
    share: float


class SweepRun:
    """A sweep in a folder.

    Parameters
    ----------
    space : Space
    folder : path
        Where results are kept; one that has some goes on.

    Raises
    ------
    ValueError
        A combination of the space cannot be, or the folder has results of another space or of other images.
    ImportError
        Optuna, which draws the trials of a new sweep, is missing.
    OSError
        The folder cannot be written, or the data are missing (DataFileError).
    DamagedResult
        A result in the folder cannot be read.
    """

    def __init__(self, space: Space, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        images: Images = images_of(space.dataset, space.binary, space.validation_images)
        known = read_plan(self.folder)
        if known is None:
            from lrbn_viz.studies.sweep.draw import drawn

            self.plan = Plan(space, drawn(space), images.known)
            self._check_all()
        else:
            self.plan = known
            self._check_same(space, images.known)
        self.store = Store(self.folder, parts=("stages",))
        if known is None:
            write_plan(self.folder, self.plan)
        self._n, (self._n_images, self._n_v) = len(self.plan.trials), images.train_X.shape
        self._results = read_results(self.folder, self.plan)

    def _check_all(self) -> None:
        """Raise ValueError where settings of a trial cannot be together, before any is trained."""
        for settings in self.plan.trials:
            try:
                self.plan.space.estimator(settings)
            except (TypeError, ValueError) as error:
                words = ", ".join(f"{name} = {quoted(value)}" for name, value in settings.items())
                raise ValueError(
                    f"space has the combination {words}, which is invalid: {error} Leave one of these out, "
                    "or add to fixed the setting that is lacking."
                ) from None

    def _check_same(self, space: Space, images: str) -> None:
        """Raise ValueError where the folder's results are not those of this space."""
        expected, found = {**space.to_json(), "images": images}, self.plan.space.to_json()
        try:
            check_same_run(self.folder / FILE, expected, {**found, "images": self.plan.images})
        except ValueError as error:
            raise ValueError(
                f"{error} Or keep both: pass another folder with --output. Nothing was changed."
            ) from None

    @property
    def rows(self) -> list[Row]:
        """Progress of all trials, the best first."""
        return rows_of(self.plan, self._figures)

    @property
    def _figures(self) -> Mapping[tuple[int, int], Mapping[str, Any]]:
        return {at: result.figures for at, result in self._results.items()}

    def steps(
        self, workers: Workers | None = None, stream: TextIO | None = None
    ) -> Generator[Row, None, None]:
        """Run all unfinished trials, as a generator that may be left at any moment.

        Parameters
        ----------
        workers : Workers, optional
            Where trials run; None: in this process, one after another. The results are the same.
        stream : text file, optional
            Told how far things are.

        Yields
        ------
        Row
            As each result is stored.

        Raises
        ------
        FolderInUse
            Another process works in the folder.
        PoolLost
            The workers are lost; the same call goes on from what is stored.
        """
        stages = [
            Amount(name_of(number, rung), "timed", self._guess(number, rung))
            for rung, (count, _) in enumerate(self.plan.space.rungs)
            for number in range(count)
        ]
        estimate, n = Estimate(stages), len(workers.workers) if workers else 1
        with self.store.locked(), self._reporting(), closing(Bar(stream, estimate)) as bar:
            self._results = read_results(self.folder, self.plan)  # what another process has added
            for rung, (_, share) in enumerate(self.plan.space.rungs):
                due = chosen(self.plan, self._figures, rung) or []
                known = {number for number in due if (number, rung) in self._results}
                places = {number: place for place, number in enumerate(due)}
                for number in known:
                    estimate.finished(name_of(places[number], rung), self._results[number, rung].seconds / n)
                jobs = [_Job(number, rung, share) for number in due if number not in known]
                if known and stream is not None:
                    bar.done(f"rung {rung + 1}" if rung else "trials", f"{len(known)} finished before")
                began = time.perf_counter()
                if jobs:
                    bar.show(f"0 of {len(jobs)} trials", 0.0)
                for count, (job, outcome) in enumerate(self._outcomes(jobs, workers), 1):
                    if isinstance(outcome, PoolLost):
                        bar.done(self._title(job), f"lost, the same command tries it again: {outcome}")
                        continue
                    each = (time.perf_counter() - began) / count  # of the wall: some run at once
                    self._keep(job, outcome, each * n)
                    estimate.finished(name_of(places[job.number], rung), each)
                    row = next(row for row in self.rows if row.number == job.number)
                    bar.done(self._title(job), self._note(row))
                    bar.show(f"{count} of {len(jobs)} trials", count / len(jobs))
                    yield row
                if any((number, rung) not in self._results for number in due):
                    return  # some were lost: who goes on is not known before they are there
                self._forget(rung)

    def run(self, workers: Workers | None = None, stream: TextIO | None = None) -> None:
        """Run all of :meth:`steps`."""
        for _ in self.steps(workers, stream):
            pass

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Write ``report.md`` and ``results.csv`` at the end, also of a part when it is stopped."""
        try:
            yield
        finally:
            write_report(self.folder, self.plan, self.rows)

    def _guess(self, number: int, rung: int) -> float:
        """Return about how many seconds a trial takes on a rung, beyond the rung below."""
        space, rungs = self.plan.space, self.plan.space.rungs
        share = rungs[rung][1] - (rungs[rung - 1][1] if rung else 0.0)
        if space.cpu_seconds is not None:
            return share * space.cpu_seconds
        settings = space.estimator(self.plan.trials[number]).get_params()
        lowest = each_layer(settings["n_components"])[0]
        weights = self._n_v * int(lowest)
        an_image = SECONDS_AN_IMAGE + SECONDS_A_WEIGHT * weights
        return share * (space.passes or 1) * self._n_images * an_image

    def _outcomes(
        self, jobs: list[_Job], workers: Workers | None
    ) -> Iterator[tuple[_Job, Outcome | PoolLost]]:
        if workers is None:
            for job in jobs:
                yield job, attempt(self._work(job))
            return
        tasks = {workers.submit("trial", attempt, self._work(job)): job for job in jobs}
        for task, outcome in workers.arrivals(list(tasks)):
            yield tasks[task], outcome

    def _work(self, job: _Job) -> Work:
        before = None
        if job.rung:
            path = self._checkpoint(job.number, job.rung - 1)
            before = path.read_bytes() if path.exists() else None  # without it, it begins again: the same
        plan = self.plan
        return Work(plan.space, plan.trials[job.number], job.share, before, plan.images)

    def _checkpoint(self, number: int, rung: int) -> Path:
        return self.store.checkpoint(
            name_of(number, rung), self.plan.key(number, self.plan.space.rungs[rung][1])
        )

    def _keep(self, job: _Job, outcome: Outcome, seconds: float) -> None:
        """Write the outcome of a trial; its result last, by which it counts as finished."""
        result = Result(outcome.figures, {}, seconds)
        after = {**self._figures, (job.number, job.rung): outcome.figures}
        if outcome.checkpoint:
            write_atomic(self._checkpoint(job.number, job.rung), outcome.checkpoint)
        if outcome.model and rows_of(self.plan, after)[0].number == job.number:
            write_atomic(self.folder / BEST, outcome.model)
        told = {"trial": self.plan.trials[job.number], "share": job.share}
        self.store.write(name_of(job.number, job.rung), self.plan.key(job.number, job.share), told, result)
        self._results[job.number, job.rung] = result

    def _forget(self, rung: int) -> None:
        """Remove where trials stood that are decided: those that went on have their next result."""
        for below in range(rung if rung + 1 < len(self.plan.space.rungs) else rung + 1):
            for number in range(self._n):
                self._checkpoint(number, below).unlink(missing_ok=True)

    def _title(self, job: _Job) -> str:
        n = len(self.plan.space.rungs)
        return f"trial {job.number}" + (f", rung {job.rung + 1} of {n}" if n > 1 else "")

    def _note(self, row: Row) -> str:
        settings = ", ".join(f"{name} = {short(value)}" for name, value in row.settings.items())
        if row.state == FAILED:
            return f"{row.reason} ({settings})"
        return f"{self.plan.space.objective} {short(row.objective)} ({settings})"
