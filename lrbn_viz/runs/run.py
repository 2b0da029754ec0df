"""A run: its models side by side, their records, the worker that trains them, its checkpoints."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from lrbn_viz.checkpoint import load_checkpoint, save_checkpoint
from lrbn_viz.datasets import Dataset, keep_dataset, kept_dataset
from lrbn_viz.estimators import LRBN, RBM
from lrbn_viz.job import Drained, Job
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.runs.config import RunConfig
from lrbn_viz.runs.events import Notice, Tick
from lrbn_viz.runs.lanes import lane_records
from lrbn_viz.training import Training, race
from lrbn_viz.validation import check_integer


class Run:
    """A race of models with its records, its worker and its checkpoints.

    Parameters
    ----------
    config : RunConfig
    dataset : Dataset
        Of that name, loaded as `config.binary` says.
    folder : path, optional
        Where checkpoints go; None: nowhere.
    budget : int
        Bytes that the kept states of all lanes may take together.
    checkpoint_seconds, probe_seconds : float
        Time between two checkpoints and between two probes; a probe costs a few per cent of a second.
    start_from : mapping from a lane's name to LRBNParams, optional
        Parameters from which lanes begin in the place of fresh ones.

    Attributes
    ----------
    saved_step : int
        Minibatches that the last checkpoint holds; -1 where there is none.
    saved_at : float
        When it was written, seconds since 1970.

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
        start_from: Mapping[str, LRBNParams] | None = None,
    ) -> None:
        config.check()
        self.config, self.dataset = config, dataset
        self.folder = None if folder is None else Path(folder)
        self.checkpoint_seconds, self.probe_seconds = checkpoint_seconds, probe_seconds
        self.lanes = lane_records(config, dataset, budget, start_from or {})
        self._holds_dataset = False
        self.saved_step, self.saved_at = -1, 0.0
        self.began = time.time()
        self.job: Job[Tick | Notice] = Job(self._events(), name="training")

    # -- on the worker

    def _events(self) -> Iterator[Tick | Notice]:
        probed = saved = time.monotonic()
        troubles: list[Notice] = []

        def failed(name: str, error: Exception) -> None:
            self.lanes[name].error = error
            troubles.append(Notice(name, f"{name} stopped: {error}"))

        for name, _, event in race(self._trainings(), by=self.config.level_by, on_error=failed):
            self.lanes[name].add(event)
            yield Tick(name, event)
            now = time.monotonic()
            if now - probed >= self.probe_seconds:
                self._look(failed)
                probed = time.monotonic()
            if now - saved >= self.checkpoint_seconds:
                troubles += self._save_or_say()
                saved = time.monotonic()
            yield from troubles
            troubles.clear()
        self._look(failed)
        yield from [*troubles, *self._save_or_say()]

    def _look(self, failed: Any) -> None:
        for name, lane in self.lanes.items():
            try:
                lane.look()
            except Exception as error:  # a model that has diverged cannot be asked
                failed(name, error)

    def _trainings(self) -> dict[str, Training]:
        return {name: lane.training for name, lane in self.lanes.items()}

    def _save_or_say(self) -> list[Notice]:
        try:
            self._save()
        except OSError as error:
            return [Notice("checkpoint", f"The checkpoint could not be written: {error}. Training goes on.")]
        return []

    def _save(self) -> None:
        if self.folder is None:
            return
        extra = {
            f"{name}/{curve}": points
            for name, lane in self.lanes.items()
            for curve, points in lane.arrays().items()
        }
        # made here and not once: someone may have cleared the folder while the run went on
        self.folder.mkdir(parents=True, exist_ok=True)
        copy = self.folder / "dataset"
        if self.dataset.own and not (self._holds_dataset and copy.exists()):
            keep_dataset(self.dataset, copy)  # no name brings a user's own data back
            self._holds_dataset = True
        config = self.config.to_json()
        save_checkpoint(self.folder / "checkpoint", self._trainings(), config, extra)
        _write_json(self.folder / "run.json", {"config": config, "began": self.began})
        self.saved_step, self.saved_at = self.step, time.time()

    # -- from anywhere

    def start(self) -> None:
        """Begin, or go on after a pause or a stop."""
        self._revive()
        self.job.start()

    def pause(self) -> None:
        """Stop after the step in hand."""
        self.job.pause()

    def advance(self, n: int = 1) -> None:
        """Do n more steps, then pause."""
        self._revive()
        self.job.advance(n)

    def stop(self, timeout: float = 10.0) -> bool:
        """End for good, with a last checkpoint; whether the worker has ended within `timeout` seconds."""
        if not self.job.ended:
            saving = self.job.call(self._save_or_say)
            self.job.cancel()
            if self.job.join(timeout):
                saving.result(timeout)
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

    @property
    def progress(self) -> float:
        """Share of the budget that is used by the lane that is furthest behind, 0 to 1."""
        going = [lane.training.progress for lane in self.lanes.values() if lane.error is None]
        return min(going, default=1.0)

    @property
    def seconds_left(self) -> float:
        """Estimate of the worker's time until the end, seconds; not-a-number before the first steps."""
        return sum(lane.seconds_left for lane in self.lanes.values() if lane.error is None)

    def change(self, name: str, **settings: Any) -> None:
        """Give a lane other settings from its next step on.

        Raises
        ------
        ValueError, TypeError
            A value that the model does not take, or a setting that needs a new model.
        """
        fixed = {"n_components", "visible", "m_step", "n_particles"} & settings.keys()
        if fixed:
            raise ValueError(f"{', '.join(sorted(fixed))} cannot change during a run; reset and start anew.")
        lane = self.config.lanes[name]
        changed = replace(lane, settings={**lane.settings, **settings})
        config = replace(self.config, lanes={**self.config.lanes, name: changed})
        system = changed.estimator(config)._system()

        def apply() -> None:
            self.config = config
            self.lanes[name].training.system = system

        self.job.call(apply).result()

    def extend(self, n_iter: int) -> None:
        """Give all lanes another budget of passes; one that had ended goes on with the next start."""
        check_integer(n_iter, "n_iter", 1)

        def apply() -> None:
            self.config = replace(self.config, n_iter=n_iter)
            for lane in self.lanes.values():
                lane.training.n_iter = n_iter

        self.job.call(apply).result()
        if self.job.ended:
            self._begin_again()

    def go_back(self, step: int) -> int:
        """Branch: make all lanes go on from their kept states nearest before `step`; paused until started.

        Returns the step from which they go on.
        """
        self.job.cancel()
        self.job.join()
        reached = min(lane.go_back(step) for lane in self.lanes.values())
        self._begin_again()
        return reached

    def _revive(self) -> None:
        if self.job.status in ("cancelled", "failed") and self.progress < 1.0:
            self._begin_again()

    def _begin_again(self) -> None:
        self.job.cancel()
        self.job.join()
        self.job = Job(self._events(), name="training")

    def model(self, name: str, step: int | None = None) -> LRBN | RBM:
        """Return a lane's model as it is now, or as kept nearest before a step."""
        lane = self.lanes[name]
        return self._made(name, lane.training.state if step is None else lane.history.at(step).state)

    def model_before(self, name: str) -> LRBN | RBM:
        """Return a lane's model as it was when its last step began."""
        return self._made(name, self.lanes[name].training.before)

    def _made(self, name: str, state: Any) -> LRBN | RBM:
        model = self.config.lanes[name].estimator(self.config)
        model._adopt(state)
        model.history_, model.n_iter_ = [], self.lanes[name].training.epoch
        return model

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
        checkpoint = load_checkpoint(folder / "checkpoint")
        data = kept_dataset(folder / "dataset") if dataset is None else dataset
        run = cls(RunConfig.from_json(checkpoint.config), data, folder, **settings)
        run._holds_dataset = dataset is None
        for name, lane in run.lanes.items():
            lane.resume(checkpoint.snapshot(name, lane.training.state), checkpoint.extra(name))
        run.saved_step = run.step
        with contextlib.suppress(OSError, ValueError, KeyError):
            run.began = json.loads((folder / "run.json").read_text(encoding="utf-8"))["began"]
            run.saved_at = (folder / "checkpoint").stat().st_mtime
        return run


def _write_json(path: Path, values: Mapping[str, Any]) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(values, indent=1), encoding="utf-8")
    os.replace(partial, path)
