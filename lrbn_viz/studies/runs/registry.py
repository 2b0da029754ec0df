"""The training runs of a server, and their watchers: a run without watchers is paused, and later ended.

One `RunRegistry` serves all sessions of a process. A run lives as long as a page that watches it is open;
left alone it is paused at once and later put on disk, unless it was asked to carry on. This module does not
depend on Panel: a watcher is a function that says whether its page is still there.
"""

from __future__ import annotations

import atexit
import contextlib
import copy
import logging
import math
import os
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets import Dataset
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.io import background
from lrbn_viz.io.storage import runs_folder
from lrbn_viz.studies.runs import (
    Deleted,
    Notice,
    Parent,
    Run,
    RunBusy,
    RunConfig,
    RunLock,
    StoredRun,
    StoredRuns,
    Tick,
    busy_runs,
    deleted_runs,
    is_run_name,
    move_to_trash,
    purge,
    read_run_file,
    restore,
    stored_curves,
    stored_models,
    stored_owner,
)
from lrbn_viz.studies.runs.estimate import HISTORY_BYTES
from lrbn_viz.studies.runs.turns import FairTurns
from lrbn_viz.studies.runs.workers import Workers, workers_of_environment
from lrbn_viz.training.checkpoint import load_checkpoint

_log = logging.getLogger(__name__)

CHECKPOINT_VARIABLE = "LRBN_VIZ_CHECKPOINT_SECONDS"
"""Environment variable with the seconds between two checkpoints of a run; 10 without it."""
PAUSE_SECONDS = 0.8
"""Seconds without a watcher after which a run is paused; a page that is reloaded is back sooner."""
END_SECONDS = 30.0
"""Seconds without a watcher after which a run is stored on disk and its thread ends."""
MAX_LIVE = 16
"""Runs that may be in memory at once."""
ROOM_SECONDS = 3.0
"""Seconds without a watcher after which a run is stored on disk if another needs its place in memory."""
TICKS_STORED = 4000
"""Steps that a page may be behind before everything is sent to it again."""

LOCK_SECONDS = 1.0
"""Seconds of waiting for a run that another program holds."""
CLOSE_SECONDS = 5.0
"""Seconds of waiting at the end of the process for requested work, such as a half-finished deletion."""
LEAVE_SECONDS = 15.0
"""Seconds of waiting for a run that is about to leave this program's memory."""

Present = Callable[[], bool]


class NewEvents(NamedTuple):
    """The events of a run since a viewer last asked.

    Attributes
    ----------
    upto : int
        Position to pass in the next call.
    ticks : list of Tick
    notices : list of Notice
    missed : bool
        True if some of it is lost, so that the viewer has to look at the records instead.
    """

    upto: int
    ticks: list[Tick]
    notices: list[Notice]
    missed: bool


@dataclass
class LiveRun:
    """A run in memory and its watchers.

    Attributes
    ----------
    name : str
        Name of its folder, also in addresses.
    run : Run
    carry_on : bool
        True if it goes on when nobody watches.
    """

    name: str
    run: Run
    carry_on: bool = False
    watchers: set[Present] = field(default_factory=set)
    left_alone: float | None = None
    """Time since which nobody has watched, by the monotonic clock."""
    epoch_id: int = 0
    """Counts the times it went back, after which a viewer has to look at the records again."""
    parent: ParentHistory | None = None
    """The past of the run that this one branched from, as it was when this one was last opened."""
    paused_unwatched: bool = False
    """True if the run was paused for want of watchers, and not on request."""
    _events: deque[Tick | Notice] = field(default_factory=lambda: deque(maxlen=TICKS_STORED))
    _count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def watched(self) -> bool:
        """True if a page that watches is open."""
        return any(_is_present(watcher) for watcher in tuple(self.watchers))

    def listen(self, after: int) -> NewEvents:
        """Return the events after the first `after` ones; any number of viewers may ask."""
        with self._lock:
            drained = self.run.drain()
            self._events.extend(drained.events)
            self._count += len(drained.events) + drained.dropped
            if drained.dropped:  # what is older than the gap cannot be put in order
                fresh = len(drained.events)
                while len(self._events) > fresh:
                    self._events.popleft()
            behind = self._count - after
            unread = list(islice(reversed(self._events), max(behind, 0)))[::-1]  # the newest, oldest first
            missed = behind > len(unread)
        ticks = [event for event in unread if isinstance(event, Tick)]
        notices = [event for event in unread if isinstance(event, Notice)]
        return NewEvents(self._count, ticks, notices, missed)


def _gone(name: str) -> FileNotFoundError:
    return FileNotFoundError(f"There is no run called {name} on this server; it may have been deleted.")


def _is_present(watcher: Present) -> bool:
    try:
        return watcher()
    except Exception:  # a session that is being torn down
        return False


class ParentHistory(NamedTuple):
    """Part of a parent's history that a branch shows.

    Attributes
    ----------
    curves : mapping from a lane's name to its figures' points by name, each (2, n): steps over values
        Of the parent's whole past; empty where it is not stored any more.
    error : str
        Reason why there is nothing to show, as the end of a sentence that begins with the parent's name; else
        empty.
    """

    curves: dict[str, dict[str, NDArray[np.float64]]]
    error: str = ""


class RunRegistry:
    """All runs of a process, by name.

    Parameters
    ----------
    folder : path, optional
        Where runs are stored; `runs_folder` by default.
    pause_seconds, end_seconds : float
        Time after which a run that nobody watches is paused, and then put on disk.
    workers : Workers, optional
        The cluster on which runs may make whole passes.
    run_settings
        Passed to every `Run`, such as ``checkpoint_seconds``.

    Attributes
    ----------
    stored : list of StoredRun
        The runs as `refresh` last found them, newest first; another list whenever they have changed.
    listed, expired : float
        Monotonic times of the last `refresh`, and of the last deletion of old runs.
    """

    def __init__(
        self,
        folder: str | os.PathLike | None = None,
        *,
        pause_seconds: float = PAUSE_SECONDS,
        end_seconds: float = END_SECONDS,
        workers: Workers | None = None,
        **run_settings: Any,
    ) -> None:
        self.workers = workers
        self.folder = runs_folder() if folder is None else Path(folder)
        self.pause_seconds, self.end_seconds = pause_seconds, end_seconds
        self.run_settings: dict[str, Any] = {
            "budget": HISTORY_BYTES,
            "turns": FairTurns(),
            "workers": workers,
            **run_settings,
        }
        self._live: dict[str, LiveRun] = {}
        self._locks: dict[str, RunLock] = {}  # of runs in memory, and of those that come or go
        self._lock = threading.Lock()
        self._watchdog: threading.Thread | None = None
        self._closed = threading.Event()
        self._purge_due = math.inf  # by the monotonic clock
        # One thread for what a page asks of models while it goes on answering: loading, probes of the past.
        self._executor = background.Executor("training-executor")
        # And one for the folder of runs, which is not to wait for a model that is compiled.
        self._disk_executor = background.Executor("training-disk")
        self._store = StoredRuns(self.folder)
        self.stored: list[StoredRun] = []
        self.listed = self.expired = -math.inf
        self._listing: Future[None] | None = None

    def ask(self, function: Callable[[], Any]) -> Future[Any]:
        """Run `function` on the executor's thread; one after another."""
        return self._executor.submit(function)

    def live(self, name: str) -> LiveRun | None:
        """Return the run of that name if it is in memory."""
        return self._live.get(name)

    def statuses(self) -> list[str]:
        """Return the status of each run in memory."""
        return [live.run.job.status for live in list(self._live.values())]

    def start(self, config: RunConfig, dataset: Dataset, owner: str = "", **settings: Any) -> LiveRun:
        """Make a run, paused before its first step; takes a second or more, so call it through `ask`.

        The name of a run that somebody owns cannot be guessed.

        Raises
        ------
        ValueError, TypeError
            The configuration cannot be run.
        RuntimeError
            Too many runs are in memory.
        """
        settings = {**self.run_settings, "owner": owner, **settings}
        return self._add(
            lambda: self._new_lock(config, owner),
            lambda lock: Run(config, dataset, self.folder / lock.name, **settings, lock=lock),
        )

    def resume(self, name: str, load: Callable[[RunConfig], Dataset], **settings: Any) -> LiveRun:
        """Return a run that is in memory, or as its last checkpoint has it; call it through `ask`.

        Parameters
        ----------
        name : str
            Name of the run's folder.
        load : callable
            Function from a configuration to its data set.
        **settings
            Of the `Run` where it is not in memory, such as ``most_seconds``.

        Raises
        ------
        FileNotFoundError, ValueError
            There is no such checkpoint, or it is damaged.
        RunBusy
            Another program has it in memory.
        RuntimeError
            Too many runs are in memory.
        """
        found = self._live.get(name)
        if found is not None:
            found.parent = self._parent_history(found.run.config.parent)
            return found
        folder = self._folder_of(name)
        if not folder.is_dir():
            raise _gone(name)
        return self._add(
            lambda: self._lock_of(name), lambda lock: self._resumed(folder, load, lock=lock, **settings)
        )

    def _resumed(self, folder: Path, load: Callable[[RunConfig], Dataset], **settings: Any) -> Run:
        with contextlib.suppress(FileNotFoundError):
            read_run_file(folder / "run.json")  # refuses what another version has written
        config = RunConfig.from_json(load_checkpoint(folder / "checkpoint").config)
        # a visitor's own data lie beside the checkpoint, and no name brings them back
        dataset = None if (folder / "dataset").is_file() else load(config)
        return Run.resume(folder, dataset, **{**self.run_settings, **settings})

    def branch(self, live: LiveRun, step: int) -> LiveRun:
        """Make a run that continues from another's stored moment; the other is unchanged, with a checkpoint.

        Call it through `ask`.

        Raises
        ------
        RuntimeError
            Too many runs are in memory.
        OSError
            A checkpoint cannot be written; nothing has changed.
        """
        return self._add(
            lambda: self._new_lock(live.run.config, live.run.owner),
            lambda lock: live.run.branch(step, self.folder / lock.name, lock=lock),
        )

    def models(
        self, name: str, load: Callable[[RunConfig], Dataset]
    ) -> tuple[dict[str, tuple[LatentModel, int]], Dataset]:
        """Return the models of a run in memory or on disk, each with its minibatches, and its images.

        Raises
        ------
        FileNotFoundError, ValueError
            There is no such checkpoint, or it is damaged.
        """
        live = self._live.get(name)
        if live is not None:
            run = live.run
            now = run.job.call(
                lambda: {key: (run.model(key), lane.training.step) for key, lane in run.lanes.items()}
            )
            return now.result(), run.dataset
        folder = self._folder_of(name)
        if not folder.is_dir():
            raise _gone(name)
        return stored_models(folder, load)

    def _parent_history(self, parent: Parent | None) -> ParentHistory | None:
        """Return the curves of a run that another branched from."""
        if parent is None:
            return None
        live = self._live.get(parent.name)
        try:
            if live is None:
                lanes = stored_curves(self._folder_of(parent.name))
            else:
                records = live.run.lanes
                lanes = live.run.job.call(
                    lambda: {name: copy.deepcopy(lane.curves) for name, lane in records.items()}
                ).result()
        except FileNotFoundError:
            return ParentHistory({}, "is not stored any more, so its later curves are not shown.")
        except (OSError, ValueError) as error:
            return ParentHistory({}, f"has curves that cannot be read: {error}")
        return ParentHistory(
            {
                name: {figure: np.array(curve.points()) for figure, curve in curves.items()}
                for name, curves in lanes.items()
            }
        )

    def owned(self, owner: str) -> list[LiveRun]:
        """Return the runs in memory of an owner."""
        return [live for live in list(self._live.values()) if live.run.owner == owner]

    def expire(self, days: float) -> list[str]:
        """Move owned runs to the trash that nobody has opened for a number of days; call it through `ask`.

        Returns
        -------
        list of str
            The names of these runs.
        """
        gone = []
        for run in self.stored_runs():
            if not run.owner or run.live or run.busy:
                continue
            used = max(
                ((self.folder / run.name / part).stat().st_mtime
                 for part in ("checkpoint", "run.json") if (self.folder / run.name / part).exists()),
                default=time.time(),
            )  # fmt: skip
            if time.time() - used > 86400 * days:
                with contextlib.suppress(OSError, RuntimeError):  # another program has it, by now
                    self.delete(run.name)
                    gone.append(run.name)
        return gone

    def owner_of(self, name: str) -> str | None:
        """Return the owner of a run; empty if it has none, None if there is no readable run."""
        live = self._live.get(name)
        return stored_owner(self._folder_of(name)) if live is None else live.run.owner

    def _folder_of(self, name: str) -> Path:
        if not is_run_name(name):
            raise ValueError(f"expected the name of a run, got {name[:40]!r}.")
        return self.folder / name

    def _lock_of(self, name: str, timeout: float = LOCK_SECONDS) -> RunLock:
        """Return the lock of a run, held unless there can be none here: then nothing is written either.

        Raises
        ------
        RunBusy
            Another program holds it.
        """
        deadline = time.monotonic() + LEAVE_SECONDS
        while name in self._locks:  # it is about to leave this program's memory
            if time.monotonic() > deadline:
                raise RuntimeError(f"{name} is still busy with its last step; try again in a moment.")
            time.sleep(0.02)
        lock = RunLock(self.folder, name)
        self._locks[name] = lock
        try:
            lock.acquire(timeout)
        except RunBusy:
            del self._locks[name]
            raise
        except OSError as error:  # said to the visitor when the first checkpoint is due
            _log.warning("run %s: no lock: %s", name, error)
        return lock

    def _unlock(self, name: str) -> None:
        lock = self._locks.get(name)
        if lock is not None:
            lock.release()
            self._locks.pop(name, None)

    def _new_lock(self, config: RunConfig, owner: str) -> RunLock:
        """Return the lock of a run that does not exist yet; it has its name."""
        data = re.sub(r"[^A-Za-z0-9]+", "-", config.dataset).strip("-")[:100] or "own"
        stem = f"{data}-{time.strftime('%Y%m%d-%H%M%S')}" + (f"-{secrets.token_hex(4)}" if owner else "")
        for n in range(10_000):
            name = f"{stem}-{n}" if n else stem
            if name in self._locks or (self.folder / name).exists():
                continue
            try:
                lock = self._lock_of(name, 0.0)
            except RunBusy:  # another program begins one in this very second
                continue
            if not (self.folder / name).exists():
                return lock
            self._unlock(name)
        raise RuntimeError(f"{self.folder} has 10,000 runs that begin with {stem}; move some of them.")

    def _add(self, take: Callable[[], RunLock], make: Callable[[RunLock], Run]) -> LiveRun:
        """Take a run's lock, make the run, and watch it; a run that cannot be made is released."""
        if len(self._live) >= MAX_LIVE:
            self._make_room()
        if len(self._live) >= MAX_LIVE:
            raise RuntimeError(f"{MAX_LIVE} runs are in memory already; stop one, or close its page, first.")
        lock = take()
        try:
            run = make(lock)
            live = LiveRun(lock.name, run, parent=self._parent_history(run.config.parent))
        except BaseException:
            self._unlock(lock.name)
            raise
        live.left_alone = time.monotonic()
        self._live[lock.name] = live
        self._begin_watch()
        return live

    def _make_room(self) -> None:
        """Put the run on disk that has been left alone for longest, if any has that does not carry on."""
        now = time.monotonic()
        alone = [
            (live.left_alone, live.name, live)
            for live in list(self._live.values())
            if live.left_alone is not None
            and now - live.left_alone >= ROOM_SECONDS
            and not (live.watched or (live.carry_on and live.run.job.status == "running"))
        ]
        if alone:
            self.release(min(alone)[2])

    def attach(self, live: LiveRun, present: Present) -> None:
        """Let a page watch a run; a run that slept for want of a watcher continues."""
        live.watchers.add(present)
        live.left_alone = None
        self._wake(live)

    def detach(self, live: LiveRun, present: Present) -> None:
        """End a page's watching of a run."""
        live.watchers.discard(present)

    def refresh(self) -> Future[None]:
        """Update the list of runs on a separate thread; `stored` has them once this is done."""
        waiting = self._listing
        if waiting is None or waiting.running() or waiting.done():  # one that has begun may miss what is new
            waiting = self._listing = self._disk_executor.submit(self._list)
            waiting.add_done_callback(background.log_error)
        return waiting

    def _list(self) -> None:
        found = self.stored_runs()
        if found != self.stored:
            self.stored = found
        self.listed = time.monotonic()

    def stored_runs(self) -> list[StoredRun]:
        """Return the runs of the folder and those in memory, newest first; reads files."""
        busy = busy_runs(self.folder, set(self._locks))
        found = {run.name: run._replace(busy=run.name in busy) for run in self._store.read()}
        for name, live in list(self._live.items()):
            run, job = live.run, live.run.job
            size = found[name].bytes if name in found else 0
            doing = "ended" if job.ended else "running" if job.status == "running" else "paused"
            found[name] = StoredRun(
                name, run.config, run.began, size,
                live=doing, watched=live.watched, owner=run.owner, listed=run.listed, results=run.results,
            )  # fmt: skip
        return sorted(found.values(), key=lambda stored: -stored.began)

    def delete(self, name: str) -> Deleted:
        """Move a run to the trash, from where it can be restored for a while; call it through `ask`.

        Raises
        ------
        ValueError
            A page watches it, or it is no name of a run.
        RunBusy
            Another program has it in memory.
        RuntimeError
            It is still busy with its last step.
        OSError
            Its folder cannot be moved.
        """
        self._folder_of(name)
        live = self._live.get(name)
        if live is not None:
            if live.watched:
                raise ValueError(f"{name} is open on a page; close it there first.")
            if not live.run.stop():
                raise RuntimeError(f"{name} is still busy with its last step; try again in a moment.")
            self._live.pop(name, None)
        else:
            self._lock_of(name)
        try:
            return move_to_trash(self.folder, name)
        finally:
            self._unlock(name)
            self._purge()

    def restore(self, key: str) -> tuple[str, str]:
        """Restore a deleted run; return its old and its new name. Call it through `ask`.

        Raises
        ------
        ValueError
            It is not in the trash any more.
        OSError
            Its folder cannot be moved.
        """
        taken = {*self._locks, *busy_runs(self.folder, set(self._locks))}
        return key.partition("-")[2], restore(self.folder, key, taken)

    def deleted(self) -> list[Deleted]:
        """Return the runs that can be restored, the last deleted first; call it through `ask`."""
        self._purge()
        return deleted_runs(self.folder)

    def _purge(self) -> None:
        """Remove for good what was deleted long ago, now and whenever there is something to remove."""
        self._purge_due = time.monotonic() + purge(self.folder) + 0.1
        if self._purge_due < math.inf:
            self._begin_watch()

    def release(self, live: LiveRun) -> None:
        """End a run's thread, with a last checkpoint, and release its memory."""

        def unlock() -> None:
            live.run.job.join()
            self._unlock(live.name)

        self._live.pop(live.name, None)
        if live.run.stop():
            unlock()
        else:  # it may still write its last checkpoint
            background.start(unlock, "training-end")

    # -- on the watchdog's thread

    def _begin_watch(self) -> None:
        with self._lock:
            if self._watchdog is None:
                self._watchdog = background.start(self._watch, "training-watchdog")

    def _watch(self) -> None:
        while not self._closed.wait(0.2):
            if time.monotonic() >= self._purge_due:
                self._purge_due = math.inf
                self.ask(self._purge).add_done_callback(background.log_error)
            for live in list(self._live.values()):
                try:
                    self._look_after(live, time.monotonic())
                except Exception:  # the others are still to be looked after
                    _log.exception("run %s", live.name)

    def _look_after(self, live: LiveRun, now: float) -> None:
        for watcher in tuple(live.watchers):
            if _is_present(watcher):
                live.left_alone = None
                self._wake(live)
                return
        if live.left_alone is None:
            live.left_alone = now
        alone, job = now - live.left_alone, live.run.job
        if live.carry_on and job.status == "running":
            return
        if alone >= self.pause_seconds and job.status == "running":
            live.paused_unwatched = True
            job.pause()
        if alone >= self.end_seconds:
            self.release(live)

    def _wake(self, live: LiveRun) -> None:
        if live.paused_unwatched:
            live.paused_unwatched = False
            live.run.start()

    def close(self) -> None:
        """End all runs, each with a last checkpoint."""
        for live in list(self._live.values()):
            self.release(live)
        self._closed.set()
        for executor in (self._executor, self._disk_executor):
            executor.close(CLOSE_SECONDS)
        if self.workers is not None:
            self.workers.close()


@cache
def get_registry() -> RunRegistry:
    """Return the registry of this process; its runs get a last checkpoint when the process ends."""
    seconds = float(os.environ.get(CHECKPOINT_VARIABLE, "10"))
    registry = RunRegistry(workers=workers_of_environment(), checkpoint_seconds=seconds)
    atexit.register(registry.close)
    return registry
