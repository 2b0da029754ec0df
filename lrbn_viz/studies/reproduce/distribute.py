"""Stages of reproductions on the workers of a cluster, each as soon as those are done that it needs.

A worker has no part of any folder: it is sent what a stage reads, and sends back what it finds. Training goes
in turns, after each of which its checkpoint is kept here; so a worker that is lost costs a turn, and a run
that is left goes on from the checkpoints, on workers or in one process.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, TextIO

from lrbn_viz.cluster import Cluster
from lrbn_viz.studies.reproduce.plan import Stage
from lrbn_viz.studies.reproduce.progress import Bar, Estimate, Work
from lrbn_viz.studies.reproduce.report import write_report
from lrbn_viz.studies.reproduce.run import Moment, Reproduction
from lrbn_viz.studies.reproduce.stages import TRAINING_STAGES, Turn, alone, keep, known_to, needs, turn

POLL_SECONDS = 1.0
"""Interval at which the list of workers is updated, seconds."""


@dataclass(eq=False)
class _Job:
    """A stage to be done, and of which reproduction."""

    made: Reproduction
    stage: Stage
    sent: Any
    """Handle of the data on the cluster that all stages of the reproduction share."""

    @property
    def name(self) -> str:
        """Name of the stage among those of several data sets."""
        return f"{self.made.name}: {self.stage.name}"

    @property
    def ready(self) -> bool:
        """True if all requirements of the stage are finished, or will never be."""
        made = self.made
        gone = {stage.name for stage in made.stages if stage.config in made.diverged}
        return all(name in made.results or name in gone for name in needs(made, self.stage))


def distribute(
    runs: Sequence[Reproduction], pool: Cluster, stream: TextIO | None = None
) -> Generator[Moment, None, None]:
    """Run all unfinished stages of reproductions, as a generator that may be left at any moment.

    The folders then hold what :meth:`Reproduction.steps` leaves in them.

    Parameters
    ----------
    runs : sequence of Reproduction
        Reproductions in different folders.
    pool : Cluster
        Of workers that do one task at a time: what is trained for CPU seconds counts those of its process.
    stream : text file, optional
        Told how far things are.

    Yields
    ------
    Moment
        After each turn of training and each stage; a stage that was found finished is yielded once.

    Raises
    ------
    ValueError
        A worker does several tasks at a time.
    PoolLost
        The cluster is lost. The contents of the folders are kept.
    DamagedResult, FolderInUse
        As :meth:`Reproduction.steps`.
    """
    _check_workers(pool)
    with ExitStack() as stack:
        for made in runs:
            stack.enter_context(made.store.locked())
            made.look_up()
        jobs = [
            _Job(made, stage, sent)
            for made in runs
            for sent in [pool.submit("experiment", _same, alone(made))]
            for stage in made.stages
        ]
        estimate = Estimate([Work(job.name, job.stage.kind, job.stage.work) for job in jobs])
        bar = stack.enter_context(closing(Bar(stream, estimate)))
        waiting = []
        for job in jobs:
            if job.stage.name in job.made.results:
                estimate.finished(job.name, job.made.results[job.stage.name].seconds)
                bar.done(_title(job, runs), "finished before")
                yield Moment(job.stage, 1.0, found=True)
            else:
                waiting.append(job)
        yield from _work(waiting, runs, pool, estimate, bar)
        for made in runs:
            made.results = {
                each.name: made.results[each.name] for each in made.stages if each.name in made.results
            }
            write_report(made)


def _work(
    waiting: list[_Job], runs: Sequence[Reproduction], pool: Cluster, estimate: Estimate, bar: Bar
) -> Generator[Moment, None, None]:
    running: dict[Any, _Job] = {}
    while waiting or running:
        waiting[:] = [job for job in waiting if job.stage.config not in job.made.diverged]
        places = _check_workers(pool)
        estimate.places = max(1, places)
        for job in [job for job in waiting if job.ready][: max(0, places - len(running))]:
            waiting.remove(job)
            running[_begun(job, pool)] = job
        if not running:
            if waiting:
                bar.show("waiting for a worker", 0.0)
                time.sleep(POLL_SECONDS)
            continue
        pool.wait(list(running), POLL_SECONDS, first=True)
        for task in [task for task in running if pool.finished(task)]:
            job = running.pop(task)
            made, stage = job.made, job.stage
            if stage.config in made.diverged:
                continue
            try:
                (found,) = pool.gather([task])
            except FloatingPointError as error:
                if stage.kind not in TRAINING_STAGES:
                    raise
                _leave_out(job, error, runs, estimate, bar)
                continue
            yield _kept(job, found, runs, estimate, bar)
            if not found.done:
                waiting.insert(0, job)


def _begun(job: _Job, pool: Cluster) -> Any:
    """Return the handle of the next turn of a stage."""
    made, stage = job.made, job.stage
    path = made.store.checkpoint(stage.name, stage.key)
    checkpoint = path.read_bytes() if path.exists() else b""
    known = known_to(made, stage)
    return pool.submit(stage.kind, turn, job.sent, stage, known, checkpoint, made.checkpoint_seconds)


def _kept(job: _Job, found: Turn, runs: Sequence[Reproduction], estimate: Estimate, bar: Bar) -> Moment:
    made, stage = job.made, job.stage
    keep(made, stage, found)
    if not found.done:
        estimate.reached(job.name, found.share, found.seconds)
        bar.show(_title(job, runs), found.share)
        return Moment(stage, found.share)
    seconds = made.results[stage.name].seconds
    estimate.finished(job.name, seconds)
    bar.done(_title(job, runs), f"done in {seconds:,.1f} s")
    if all(other.name in made.results for other in made.stages if other.config == stage.config):
        write_report(made)  # of the configurations so far
    return Moment(stage, 1.0)


def _leave_out(
    job: _Job, error: FloatingPointError, runs: Sequence[Reproduction], estimate: Estimate, bar: Bar
) -> None:
    job.made.leave_out(job.stage, str(error))
    config = job.stage.config
    estimate.dropped([f"{job.made.name}: {each.name}" for each in job.made.stages if each.config == config])
    bar.done(_title(job, runs), f"diverged, and is left out: {error}")


def _title(job: _Job, runs: Sequence[Reproduction]) -> str:
    return job.stage.title if len(runs) == 1 else f"{job.made.name}, {job.stage.title}"


def _check_workers(pool: Cluster) -> int:
    """Return how many workers there are; raise ValueError where one does several tasks at a time."""
    found = pool.threads
    for address, threads in found.items():
        if threads > 1:
            raise ValueError(
                f"the worker at {address} does {threads} tasks at a time; expected one, as training is "
                "measured in CPU seconds of its process. Begin workers with --nthreads 1."
            )
    return len(found)


def _same(value: Any) -> Any:
    return value
