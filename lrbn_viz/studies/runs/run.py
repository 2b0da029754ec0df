"""A run: its models side by side, their records, the worker that trains them, its checkpoints."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.chunks import Abandoned, PoolLost, WorkLost
from lrbn_viz.core.fields import each_layer
from lrbn_viz.core.names import take_columns
from lrbn_viz.core.validation import check_integer
from lrbn_viz.datasets import Dataset, store_dataset, stored_dataset
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.io.storage import damaged, readable, write_atomic
from lrbn_viz.kernels.clock import compiling_seconds
from lrbn_viz.studies.runs.config import Parent, RunConfig
from lrbn_viz.studies.runs.estimate import time_words
from lrbn_viz.studies.runs.events import Notice, Tick
from lrbn_viz.studies.runs.history import Curve
from lrbn_viz.studies.runs.job import Drained, Job
from lrbn_viz.studies.runs.lanes import lane_records
from lrbn_viz.studies.runs.lock import RunLock
from lrbn_viz.studies.runs.pace import Pace
from lrbn_viz.studies.runs.recording import LaneRecord, Position, curves_from
from lrbn_viz.studies.runs.stored import Result, RunFile, file_signature, read_run_file
from lrbn_viz.studies.runs.turns import FairTurns
from lrbn_viz.studies.runs.workers import Passes, Workers
from lrbn_viz.training import Snapshot, Training, race
from lrbn_viz.training.checkpoint import OLDER, Checkpoint, load_checkpoint, save_checkpoint

T = TypeVar("T")

_WHY = {
    PoolLost: "the cluster of this server does not answer.",
    WorkLost: "a piece of it ended all workers that tried it, most likely for want of memory.",
}
"""Messages to visitors about a pass that cannot be made: only the owner is told addresses."""


class FolderRemoved(OSError):
    """Error for a run whose folder was removed; it is made again only on request."""


class Run:
    """A race of models with its records, its worker and its checkpoints.

    Parameters
    ----------
    config : RunConfig
    dataset : Dataset
        Data set that `config` names, loaded as `config.binary` says.
    folder : path, optional
        Folder for checkpoints; None: no checkpoints are written.
    budget : int
        Bytes that the stored states of all lanes may take together.
    checkpoint_seconds, probe_seconds : float
        Time between two checkpoints, and between two probes at least. Models are probed while somebody
        watches, see `pace`, and at the end.
    start_from : mapping from a lane's name to the `params_` of a model, optional
        Parameters from which lanes begin in the place of fresh ones.
    lock : RunLock, optional
        Lock that is taken before anything is written; the caller releases it.
    owner : str, optional
        Id of the owner; empty: no owner.
    turns : FairTurns, optional
        Turns in which the run trains beside the runs of other owners.
    most_seconds : float
        Computing time of all lanes, earlier training included, after which the run is stopped with a
        checkpoint.
    workers : Workers, optional
        The cluster on which lanes make their passes that are to be there.

    Attributes
    ----------
    passes : dict from a lane's name to Passes
        Progress of the passes of full-batch lanes, while they are trained.
    listed : bool
        True if its owner lets others see it; the next checkpoint writes it down.
    folder_removed : bool
        True if the run's folder was there and is not any more. Nothing is written until `write_again`.
    pace : Pace
        Schedule of glances and probes; a page that shows the models calls its `see`.
    looked_seconds : float
        Worker time spent on glances and probes.
    saved_step : int
        Minibatches that the last checkpoint holds; -1 where there is none.
    saved_at : float
        Time of the last checkpoint, seconds since 1970.
    results : dict from a lane's name to its Result
        Results at the last checkpoint.

    Raises
    ------
    ValueError, TypeError
        The configuration cannot be run, or `start_from` does not fit it.
    """

    def __init__(
        self,
        config: RunConfig,
        dataset: Dataset,
        folder: str | os.PathLike | None = None,
        *,
        budget: int = 256 * 2**20,
        checkpoint_seconds: float = 10.0,
        probe_seconds: float = 2.0,
        start_from: Mapping[str, Any] | None = None,
        lock: RunLock | None = None,
        owner: str = "",
        turns: FairTurns | None = None,
        most_seconds: float = math.inf,
        workers: Workers | None = None,
    ) -> None:
        config.check()
        self.config, self.dataset = config, dataset
        self.folder = None if folder is None else Path(folder)
        self.checkpoint_seconds, self.probe_seconds = checkpoint_seconds, probe_seconds
        self.pace, self.looked_seconds = Pace(probe_seconds), 0.0
        self.budget = budget
        self.lanes = lane_records(config, dataset, budget, start_from or {})
        self.lock, self.folder_removed = lock, False
        self.owner, self.listed, self.turns = owner, False, turns
        self.most_seconds, self.workers = most_seconds, workers
        self.passes: dict[str, Passes] = {}
        self._given_up = threading.Event()
        self._holds_dataset = self._has_folder = False
        # the checkpoint that this run has written, or takes the place of, as the system describes it
        self._written = None if self.folder is None else file_signature(self.folder / "checkpoint")
        self._run_file: dict[str, Any] = {}  # what run.json holds
        self.saved_step, self.saved_at = -1, 0.0
        self.results: dict[str, Result] = {}
        self.began = time.time()
        self.job: Job[Tick | Notice] = Job(self._events(), name="training")

    # -- on the worker

    def _events(self) -> Iterator[Tick | Notice]:
        try:
            self._begin_passes()
            yield from self._train()
        except (Abandoned, PoolLost) as error:
            self._break_off(error)
        finally:
            for each in self.passes.values():
                each.end()
            self.passes = {}

    def _begin_passes(self) -> None:
        """Assign the places at which lanes that learn in whole passes compute them."""
        for name, lane in self.lanes.items():
            if not lane.training.system.full_batch:
                continue
            workers = None
            if self.config.lanes[name].where == "cluster":
                if self.workers is None:
                    raise PoolLost("this server has no cluster.")
                workers = self.workers
            each = Passes(lane, workers, self.job.attend, self._given_up.is_set)
            self.passes[name] = each
            try:
                each.begin()
            except ValueError as error:  # such as other versions there
                raise PoolLost(str(error)) from error

    def _break_off(self, error: Exception) -> None:
        """End the run, whose pass was given up or cannot be made where it was, with the last whole one."""
        if self.job.ended:  # it was saved before
            return
        told: list[Notice] = []
        if isinstance(error, PoolLost):
            why = _WHY[type(error)] if self.owner else str(error)
            words = f"Training was stopped after epoch {self.step}, whose result is kept: {why}"
            told.append(Notice("cluster", f"{words} Go on when that is mended, or choose another place "
                               'under "Where it runs".'))  # fmt: skip
        for notice in [*told, *self._save_or_say("What came after the last one is not on disk.")]:
            self.job.add(notice)
        self.job.cancel()  # after it is saved, as in `stop`
        if isinstance(error, PoolLost) and not isinstance(error, WorkLost):
            for each in self.passes.values():
                each.release()

    def _train(self) -> Iterator[Tick | Notice]:
        saved = time.monotonic()
        notices: list[Notice] = []

        def failed(name: str, error: Exception) -> None:
            if isinstance(error, Abandoned | PoolLost):  # the lane is as it was before the pass
                raise error
            if self.lanes[name].error is not None:  # it was said; looking at the model fails again
                return
            self.lanes[name].error = error
            notices.append(Notice(name, f"{name} stopped: {error}"))

        for name, _, event in self._in_turns(
            race(self._trainings(), by=self.config.level_by, on_error=failed)
        ):
            self.lanes[name].add(event)
            yield Tick(name, event)
            for look in self.pace.due():
                began, compiled = self.pace.clock(), compiling_seconds()
                self._look(failed, whole=look == "probe")
                took = self.pace.clock() - began - (compiling_seconds() - compiled)
                self.looked_seconds += took
                self.pace.done(look, took)
            now = time.monotonic()
            if now - saved >= self.checkpoint_seconds:
                notices += self._save_or_say()
                saved = time.monotonic()
            yield from notices
            notices.clear()
            if self.computed_seconds >= self.most_seconds:
                self._look(failed)
                self._stop_at_limit(notices)
                return
        self._look(failed)
        yield from [*notices, *self._save_or_say()]

    def _stop_at_limit(self, notices: list[Notice]) -> None:
        """End the run, which has computed for too long, with a checkpoint and words."""
        used, most = time_words(self.computed_seconds), time_words(self.most_seconds)
        words = f"The run was stopped after {used} of computing: this server allows a run {most}."
        stopped = Notice("limit", f"{words} What it has learned stays, to be looked at and saved.")
        unsaved = self._save_or_say("What came after the last one is not on disk.")
        for notice in [*notices, stopped, *unsaved]:
            self.job.add(notice)
        self.job.cancel()  # after it is saved, as in `stop`

    def _in_turns(self, events: Iterator[T]) -> Iterator[T]:
        """Yield events, each of which is made in a turn of the run's owner."""
        while True:
            with nullcontext() if self.turns is None or not self.owner else self.turns.turn(self.owner):
                event = next(events, None)
            if event is None:
                return
            yield event

    def _look(self, failed: Any, *, whole: bool = True) -> None:
        """Probe all models, or glance at them."""
        for name, lane in self.lanes.items():
            try:
                lane.look() if whole else lane.peek()
            except Exception as error:  # a model that has diverged cannot be asked
                failed(name, error)

    def _trainings(self) -> dict[str, Training]:
        return {name: lane.training for name, lane in self.lanes.items()}

    def _save_or_say(self, so: str = "Training goes on.") -> list[Notice]:
        try:
            self._save()
        except OSError as error:
            why = str(error).rstrip(".")
            return [Notice("checkpoint", f"The checkpoint could not be written: {why}. {so}")]
        return []

    def _save(self) -> None:
        if self.folder is None:
            return
        extra = {
            f"{name}/{curve}": points
            for name, lane in self.lanes.items()
            for curve, points in lane.arrays().items()
        }
        self._check_folder()
        try:
            self._write(self.folder, extra)
        except FileNotFoundError:
            self._check_not_removed()  # while it was written into
            raise

    def _write(self, folder: Path, extra: Mapping[str, Any]) -> None:
        """Write the run's description, its own data and a checkpoint into its folder, which is there."""
        self.results = {name: _result_of(lane) for name, lane in self.lanes.items()}
        run_file = RunFile(self.config, self.began, self.owner, self.listed, self.results).to_json()
        if run_file != self._run_file or not (folder / "run.json").exists():
            # before the checkpoint: without it nobody would find that
            write_atomic(folder / "run.json", json.dumps(run_file, indent=1).encode())
            self._run_file = run_file
        copy = folder / "dataset"
        if self.dataset.own and not (self._holds_dataset and copy.exists()):
            store_dataset(self.dataset, copy)  # no name brings a user's own data back
            self._holds_dataset = True
        path = folder / "checkpoint"
        save_checkpoint(path, self._trainings(), run_file["config"], extra)
        self._written = file_signature(path)
        self.saved_step, self.saved_at = self.step, time.time()

    def _check_folder(self) -> None:
        """Make the run's folder, and raise OSError where nothing may be written into it."""
        assert self.folder is not None
        self._check_not_removed()
        if self.lock is not None:
            self.lock.acquire()
        found = file_signature(self.folder / "checkpoint")
        if found is not None and found != self._written:
            raise OSError("another program has written this run's checkpoint meanwhile; it is left as it is")
        if not self._has_folder:  # one that is removed meanwhile is not made again
            self.folder.mkdir(parents=True, exist_ok=True)
        self._has_folder, self.folder_removed = True, False
        if not self._run_file:
            for left in self.folder.glob("*.partial"):  # of a program that was killed while it wrote
                left.unlink(missing_ok=True)

    def _check_not_removed(self) -> None:
        """Raise FolderRemoved where the run's folder, which was there, is there no more."""
        if self._has_folder and self.folder is not None and not self.folder.is_dir():
            self.folder_removed = True
            raise FolderRemoved("the folder of this run was removed, so that nothing is saved any more")

    # -- from anywhere

    def start(self) -> None:
        """Start, or continue after a pause or a stop."""
        self._revive()
        self.job.start()

    def pause(self) -> None:
        """Stop after the step in hand."""
        self.job.pause()

    def advance(self, n: int = 1) -> None:
        """Make n more steps, then pause."""
        self._revive()
        self.job.advance(n)

    def stop(self, timeout: float = 10.0) -> bool:
        """End for good, with a last checkpoint; whether the worker has ended within `timeout` seconds.

        A pass over all images is abandoned at its next chunk; the last complete pass is kept.
        """

        def end() -> None:
            if self.job.ended:  # a pass was given up
                return
            try:  # cancelled after it is saved: whoever sees that it has ended finds all of it on disk
                for notice in self._save_or_say("What came after the last one is not on disk."):
                    self.job.add(notice)
            finally:
                self.job.cancel()

        if not self.job.ended:
            self._given_up.set()
            self.job.call(end)
        return self.job.join(timeout)

    def drain(self) -> Drained[Tick | Notice]:
        """Take what has happened since the last time."""
        return self.job.drain()

    def look(self) -> Future[None]:
        """Probe all models as they are after the step in hand; done when the future is."""

        def failed(name: str, error: Exception) -> None:
            self.lanes[name].error = error

        return self.job.call(lambda: self._look(failed))

    @property
    def step(self) -> int:
        """Minibatches seen by the lane that is furthest behind."""
        return min(lane.training.step for lane in self.lanes.values())

    def save(self) -> None:
        """Write a checkpoint between two steps; raises OSError if it cannot."""
        self.job.call(self._save).result()

    def write_again(self) -> Future[None]:
        """Make the folder again that was removed, with a checkpoint; done when the future is."""

        def write() -> None:
            self._has_folder = self._holds_dataset = False
            self._save()

        return self.job.call(write)

    @property
    def computed_seconds(self) -> float:
        """Time that the steps of all lanes have taken, with those before a checkpoint, seconds."""
        return sum(lane.training.seconds for lane in self.lanes.values())

    @property
    def progress(self) -> float:
        """Share of the budget that is used by the lane that is furthest behind, 0 to 1."""
        going = [lane.training.progress for lane in self.lanes.values() if lane.error is None]
        return min(going, default=1.0)

    @property
    def seconds_left(self) -> float:
        """Estimate of the worker's time until the end, seconds; not-a-number before the first steps."""
        left = sum(lane.seconds_left for lane in self.lanes.values() if lane.error is None)
        making = [each.seconds for each in self.passes.values()]
        return max(left - max(making), 0.0) if making else left  # not-a-number stays what it is

    @property
    def whole(self) -> bool:
        """True if its steps are passes over all images."""
        return any(lane.training.system.full_batch for lane in self.lanes.values())

    def change(self, name: str, **settings: Any) -> None:
        """Change the settings of a lane from its next step on.

        Raises
        ------
        ValueError, TypeError
            A value that the model does not take, or a setting that needs a new model.
        """
        lane = self.config.lanes[name]
        where = settings.pop("where", lane.where)
        known = SYSTEMS[lane.system].fields
        fixed = sorted(each for each in settings if each in known and known[each].fixed)
        if fixed:
            raise ValueError(
                f"{', '.join(fixed)} cannot change during a run; reset the run, then start again."
            )
        changed = replace(lane, settings={**lane.settings, **settings}, where=where)
        config = replace(self.config, lanes={**self.config.lanes, name: changed})
        system = changed.estimator(config).make_system()

        def apply() -> None:
            self.config = config
            if name in self.passes:
                self.passes[name].put(system)
            else:
                self.lanes[name].training.system = system

        self.job.call(apply).result()
        if where != lane.where and not self.job.ended and self.job.status != "new":
            self._begin_again()  # the thread reaches the other place when it begins

    def extend(self, n_iter: int | None = None, *, max_seconds: float | None = None) -> None:
        """Set another budget for all lanes, in passes or seconds; a lane that had ended continues at the next
        start.

        Raises
        ------
        ValueError, TypeError
            The value is not a budget, or is in seconds although a model needs a known number of steps.
        """
        n_iter = self.config.n_iter if n_iter is None else check_integer(n_iter, "n_iter", 1)
        longer = replace(self.config, n_iter=n_iter)
        if max_seconds is not None:
            longer = replace(longer, max_seconds=max_seconds)
        longer.check()

        def apply() -> None:
            self.config = longer
            for lane in self.lanes.values():
                lane.training.n_iter, lane.training.max_seconds = longer.n_iter, longer.max_seconds

        self.job.call(apply).result()
        if self.job.ended:
            self._begin_again()

    def branch(
        self, step: int, folder: str | os.PathLike | None = None, *, lock: RunLock | None = None
    ) -> Run:
        """Return an independent run that continues from the stored states nearest before `step`.

        This run stays as it is. The other one has the same settings and this one's curves and stored states
        until then; equal settings make it take the very steps that followed here.

        Parameters
        ----------
        step : int
            Minibatches; of a lane without a stored state there, the one nearest before counts.
        folder : path, optional
            Folder for the other run's checkpoints; it must not exist. None: no checkpoints are written.
        lock : RunLock, optional
            The other run's.

        Raises
        ------
        FileExistsError
            There is such a folder already.
        OSError
            This run's checkpoint, or the first one of the other, cannot be written; no folder is left.
        """
        if self.folder is not None:
            self.save()

        def positions() -> dict[str, Position]:
            return {name: lane.position_at(step) for name, lane in self.lanes.items()}

        found = self.job.call(positions).result()
        reached = min(position.snapshot.step for position in found.values())
        name = "" if self.folder is None else self.folder.name
        other = Run(
            replace(self.config, parent=Parent(name, reached)),
            self.dataset,
            folder,
            budget=self.budget,
            checkpoint_seconds=self.checkpoint_seconds,
            probe_seconds=self.probe_seconds,
            lock=lock,
            owner=self.owner,
            turns=self.turns,
            most_seconds=self.most_seconds,
            workers=self.workers,
        )
        for name, lane in other.lanes.items():
            lane.move_to(found[name])
        if other.folder is not None:
            other.folder.mkdir(parents=True)
            try:
                other.save()
            except OSError:
                shutil.rmtree(other.folder, ignore_errors=True)
                raise
        return other

    def go_back(self, step: int) -> int:
        """Set all lanes to their stored states nearest before `step`; paused until started.

        Later states are lost, in memory and on disk; :meth:`branch` keeps them.

        Returns
        -------
        int
            The step from which the models continue.

        Raises
        ------
        OSError
            The checkpoint cannot be written; everything is as it was.
        """
        self._end_job()
        before = {name: lane.position() for name, lane in self.lanes.items()}
        config = self.config
        for lane in self.lanes.values():
            lane.move_to(lane.position_at(step))
        parent = config.parent
        if parent is not None and parent.step > self.step:  # the two part earlier now
            self.config = replace(config, parent=replace(parent, step=self.step))
        try:
            self._save()
        except OSError:
            self.config = config
            for name, lane in self.lanes.items():
                lane.move_to(before[name])
            raise
        finally:
            self._begin_again()
        return self.step

    def _revive(self) -> None:
        if self.job.status in ("cancelled", "failed") and self.progress < 1.0:
            self._begin_again()

    def _end_job(self) -> None:
        """End the worker after the step in hand; a pass over all images is given up."""
        self._given_up.set()
        self.job.cancel()
        self.job.join()

    def _begin_again(self) -> None:
        self._end_job()
        self._given_up.clear()
        self.job = Job(self._events(), name="training")

    def model(self, name: str, step: int | None = None) -> LatentModel:
        """Return a lane's model as it is now, or as stored nearest before a step."""
        lane = self.lanes[name]
        if step is not None:
            return self.model_at(name, lane.history.at(step))
        return self._made(name, lane.training.state, lane.training.epoch)

    def model_at(self, name: str, snapshot: Snapshot) -> LatentModel:
        """Return a lane's model as one of its stored states has it."""
        return self._made(name, snapshot.state, snapshot.epoch)

    def model_before(self, name: str) -> LatentModel:
        """Return a lane's model as it was when its last step began."""
        training = self.lanes[name].training
        return self._made(name, training.before, training.epoch)

    def _made(self, name: str, state: Any, epoch: int) -> LatentModel:
        return _fitted(self.config, name, state, epoch, self.dataset.visible_names)

    @classmethod
    def resume(cls, folder: str | os.PathLike, dataset: Dataset | None = None, **settings: Any) -> Run:
        """Return the run of a folder as its last checkpoint has it, ready to start; bit for bit.

        A user's own data set need not be given: the folder holds a copy.

        Raises
        ------
        FileNotFoundError, ValueError
            There is no checkpoint, or it is damaged; the message names the file.
        """
        folder = Path(folder)
        for path in (folder / "checkpoint", folder / "dataset"):
            if path.exists() and not path.is_file():  # a pipe would be waited for, for ever
                raise ValueError(f"{readable(path)} is not a file; expected one that a run has written.")
        written = file_signature(folder / "checkpoint")
        checkpoint = load_checkpoint(folder / "checkpoint")
        data = stored_dataset(folder / "dataset") if dataset is None else dataset
        config = RunConfig.from_json(checkpoint.config)
        _check_sizes(config, data, checkpoint)
        run = cls(config, data, folder, **settings)
        run._holds_dataset, run._has_folder, run._written = dataset is None, True, written
        for name, lane in run.lanes.items():
            lane.resume(checkpoint.snapshot(name, lane.training.state), checkpoint.extra(name))
        run.saved_step = run.step
        with contextlib.suppress(OSError, ValueError):
            said = read_run_file(folder / "run.json")
            run.began, run.owner, run.listed = said.began, said.owner, said.listed
            run.results = dict(said.results)
            run.saved_at = (folder / "checkpoint").stat().st_mtime
        return run


def _check_sizes(config: RunConfig, data: Dataset, checkpoint: Checkpoint) -> None:
    """Raise ValueError unless a checkpoint holds models of the declared sizes, before any is made."""
    if data.binary != config.binary:
        raise ValueError(
            f"the run was trained on {'binary' if config.binary else 'grey'} images; expected such data, got "
            "those of the other kind."
        )
    for name, lane in config.lanes.items():
        held = sum(array.size for key, array in checkpoint.arrays.items() if key.startswith(f"{name}.state/"))
        n_h = each_layer(lane.estimator(config).get_params()["n_components"])[0]
        most = max(data.n_v, lane.settings.get("n_particles") or 0) * n_h
        if most > held:
            wanted = f"{most:,} numbers for the {n_h:,} units of {name}"
            raise damaged("the checkpoint", wanted, f"{held:,}", OLDER)


def _fitted(
    config: RunConfig, name: str, state: Any, epoch: int, visible_names: tuple[str, ...]
) -> LatentModel:
    """Return a lane's model with a state that was learned, and the names that the data have for visibles."""
    model = config.lanes[name].estimator(config)
    model.adopt(state)
    model.history_, model.n_iter_ = [], epoch
    take_columns(model, np.array(visible_names, dtype=object) if visible_names else None)  # as after fit
    return model


def stored_models(
    folder: str | os.PathLike[str], load: Callable[[RunConfig], Dataset]
) -> tuple[dict[str, tuple[LatentModel, int]], Dataset]:
    """Return the models of a run on disk, each with its minibatches, and the images that they learned from.

    Parameters
    ----------
    load : callable
        Returns the data set of a configuration; not called where the folder holds a user's own.

    Raises
    ------
    FileNotFoundError, ValueError
        There is no checkpoint, or it is damaged; the message names the file.
    """
    folder = Path(folder)
    with contextlib.suppress(FileNotFoundError):
        read_run_file(folder / "run.json")  # refuses what another version has written
    checkpoint = load_checkpoint(folder / "checkpoint")
    config = RunConfig.from_json(checkpoint.config)
    copy = folder / "dataset"
    data = stored_dataset(copy) if copy.is_file() else load(config)
    _check_sizes(config, data, checkpoint)
    found = {}
    for name, lane in config.lanes.items():
        like = lane.estimator(config).make_system().init(data.train_X, np.random.default_rng(0))
        snapshot = checkpoint.snapshot(name, like)
        model = _fitted(config, name, snapshot.state, snapshot.epoch, data.visible_names)
        found[name] = model, snapshot.step
    return found, data


def _result_of(lane: LaneRecord) -> Result:
    """Return how far a lane is, for the list of runs."""
    wrong = lane.probe.figures["wrong_pixels"]
    return Result(lane.training.step, round(lane.training.seconds, 3), wrong if 0 <= wrong < 1e15 else None)


def stored_curves(folder: str | os.PathLike) -> dict[str, dict[str, Curve]]:
    """Return the curves of a run on disk: for each lane, by the name of their figure.

    Raises
    ------
    FileNotFoundError, ValueError
        There is no checkpoint, or it is damaged; the message names the file.
    """
    checkpoint = load_checkpoint(Path(folder) / "checkpoint")
    return {name: curves_from(checkpoint.extra(name)) for name in checkpoint.lanes}
