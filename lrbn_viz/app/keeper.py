"""The training runs of a server: who watches which, when one is paused because nobody does, and when it ends.

One `Keeper` serves all sessions of a process. A run lives as long as a page that watches it is open; left
alone it is paused at once and later put on disk, unless it was asked to carry on. Nothing here knows Panel: a
watcher is a function that says whether its page is still there.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lrbn_viz.datasets import Dataset
from lrbn_viz.runs import Notice, Run, RunConfig, Tick, kept_runs

_log = logging.getLogger(__name__)

FOLDER_VARIABLE = "LRBN_VIZ_RUNS"
"""Environment variable that names the folder of runs."""
CHECKPOINT_VARIABLE = "LRBN_VIZ_CHECKPOINT_SECONDS"
"""Environment variable with the seconds between two checkpoints of a run; 10 without it."""
PAUSE_SECONDS = 0.8
"""Without a watcher for so long, a run is paused; a page that is loaded anew is back sooner."""
END_SECONDS = 30.0
"""Without a watcher for so long, a run is put on disk and its thread ends."""
MAX_LIVE = 16
"""Runs that may be in memory at once."""
HISTORY_BYTES = 128 * 2**20
"""Memory for the kept states of one run."""
TICKS_KEPT = 4000
"""Steps that a page may be behind before it is told everything anew."""

Present = Callable[[], bool]


def runs_folder() -> Path:
    """Return where runs are kept: the folder that LRBN_VIZ_RUNS names, or one for the user's data."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "lrbn_viz" / "runs"


class Heard(NamedTuple):
    """What a run has said since a viewer last listened.

    Attributes
    ----------
    upto : int
        To be passed next time.
    ticks : list of Tick
    notices : list of Notice
    missed : bool
        Whether some of it is lost, so that the viewer has to look at the records instead.
    """

    upto: int
    ticks: list[Tick]
    notices: list[Notice]
    missed: bool


@dataclass
class LiveRun:
    """A run in memory and those who watch it.

    Attributes
    ----------
    name : str
        Of its folder, and in addresses.
    run : Run
    carry_on : bool
        Whether it goes on when nobody watches.
    """

    name: str
    run: Run
    carry_on: bool = False
    watchers: set[Present] = field(default_factory=set)
    left_alone: float | None = None
    """Since when nobody has watched, by the monotonic clock."""
    era: int = 0
    """Counts the branches, after which a viewer has to look at the records anew."""
    put_to_sleep: bool = False
    """Paused because nobody watched, and not by anybody's wish."""
    _said: deque[Tick | Notice] = field(default_factory=lambda: deque(maxlen=TICKS_KEPT))
    _count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def watched(self) -> bool:
        """Whether a page that watches is open."""
        return any(_is_present(watcher) for watcher in tuple(self.watchers))

    def listen(self, after: int) -> Heard:
        """Return what was said after the first `after` events; any number of viewers may listen."""
        with self._lock:
            drained = self.run.drain()
            self._said.extend(drained.events)
            self._count += len(drained.events) + drained.dropped
            if drained.dropped:  # what is older than the gap cannot be told in order
                kept = len(drained.events)
                while len(self._said) > kept:
                    self._said.popleft()
            behind = self._count - after
            said = list(self._said)[-behind:] if behind > 0 else []
            missed = behind > len(said)
        ticks = [event for event in said if isinstance(event, Tick)]
        notices = [event for event in said if isinstance(event, Notice)]
        return Heard(self._count, ticks, notices, missed)


def _is_present(watcher: Present) -> bool:
    try:
        return watcher()
    except Exception:  # a session that is being torn down
        return False


class Stored(NamedTuple):
    """A run that the page can offer.

    Attributes
    ----------
    name : str
    config : RunConfig
    began : float
        Seconds since 1970.
    bytes : int
        Of its checkpoint; 0 where there is none yet.
    live : str
        What it is doing: "running", "paused", "ended"; empty where it is only on disk.
    watched : bool
        Whether a page that watches it is open.
    """

    name: str
    config: RunConfig
    began: float
    bytes: int
    live: str = ""
    watched: bool = False


class Keeper:
    """All runs of a process, by name.

    Parameters
    ----------
    folder : path, optional
        Where runs are kept; `runs_folder` by default.
    pause_seconds, end_seconds : float
        Patience with a run that nobody watches.
    run_settings
        Passed to every `Run`, such as ``checkpoint_seconds``.
    """

    def __init__(
        self,
        folder: str | os.PathLike | None = None,
        *,
        pause_seconds: float = PAUSE_SECONDS,
        end_seconds: float = END_SECONDS,
        **run_settings: Any,
    ) -> None:
        self.folder = runs_folder() if folder is None else Path(folder)
        self.pause_seconds, self.end_seconds = pause_seconds, end_seconds
        self.run_settings: dict[str, Any] = {"budget": HISTORY_BYTES, **run_settings}
        self._live: dict[str, LiveRun] = {}
        self._lock = threading.Lock()
        self._warden: threading.Thread | None = None
        # One thread for what a page asks of models while it goes on answering: loading, probes of the past.
        self._desk = ThreadPoolExecutor(1, thread_name_prefix="training-desk")

    def ask(self, function: Callable[[], Any]) -> Future[Any]:
        """Run `function` on the desk's thread; one after another."""
        return self._desk.submit(function)

    def live(self, name: str) -> LiveRun | None:
        """Return the run of that name if it is in memory."""
        return self._live.get(name)

    def start(self, config: RunConfig, dataset: Dataset, **settings: Any) -> LiveRun:
        """Make a run, paused before its first step; takes a second or more, so call it through `ask`.

        Raises
        ------
        ValueError, TypeError
            The configuration cannot be run.
        RuntimeError
            Too many runs are in memory.
        """
        self._make_room()
        name = self._new_name(config)
        return self._adopt(
            name, Run(config, dataset, self.folder / name, **{**self.run_settings, **settings})
        )

    def resume(self, name: str, load: Callable[[RunConfig], Dataset]) -> LiveRun:
        """Return a run that is in memory, or as its last checkpoint has it; call it through `ask`.

        Parameters
        ----------
        name : str
            Of the run's folder.
        load : callable
            From a configuration to its data set.

        Raises
        ------
        FileNotFoundError, ValueError
            There is no such checkpoint, or it is damaged.
        RuntimeError
            Too many runs are in memory.
        """
        found = self._live.get(name)
        if found is not None:
            return found
        folder = self._folder_of(name)
        self._make_room()
        from lrbn_viz.checkpoint import load_checkpoint

        config = RunConfig.from_json(load_checkpoint(folder / "checkpoint").config)
        # a visitor's own data lie beside the checkpoint, and no name brings them back
        dataset = None if (folder / "dataset").is_file() else load(config)
        return self._adopt(name, Run.resume(folder, dataset, **self.run_settings))

    def _folder_of(self, name: str) -> Path:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):  # it comes from an address
            raise ValueError(f"expected the name of a run, got {name!r}.")
        return self.folder / name

    def _new_name(self, config: RunConfig) -> str:
        data = re.sub(r"[^A-Za-z0-9]+", "-", config.dataset).strip("-") or "own"
        stem = f"{data}-{time.strftime('%Y%m%d-%H%M%S')}"
        names = (f"{stem}-{n}" if n else stem for n in range(10_000))
        return next(name for name in names if name not in self._live and not (self.folder / name).exists())

    def _make_room(self) -> None:
        if len(self._live) >= MAX_LIVE:
            raise RuntimeError(f"{MAX_LIVE} runs are in memory already; stop one, or close its page, first.")

    def _adopt(self, name: str, run: Run) -> LiveRun:
        with self._lock:
            found = self._live.setdefault(name, LiveRun(name, run))
            found.left_alone = time.monotonic()
            if self._warden is None:
                self._warden = threading.Thread(target=self._watch, name="training-warden", daemon=True)
                self._warden.start()
        return found

    def attach(self, live: LiveRun, present: Present) -> None:
        """Let a page watch a run; one that slept because nobody watched goes on."""
        live.watchers.add(present)
        live.left_alone = None
        self._wake(live)

    def detach(self, live: LiveRun, present: Present) -> None:
        """Let a page watch a run no longer."""
        live.watchers.discard(present)

    def kept(self) -> list[Stored]:
        """Return the runs that can be attached or resumed, newest first."""
        found: dict[str, Stored] = {}
        for kept in kept_runs(self.folder):
            found[kept.name] = Stored(kept.name, kept.config, kept.began, kept.bytes)
        for name, live in list(self._live.items()):
            run, job = live.run, live.run.job
            size = found[name].bytes if name in found else 0
            doing = "ended" if job.ended else "running" if job.status == "running" else "paused"
            found[name] = Stored(name, run.config, run.began, size, doing, live.watched)
        return sorted(found.values(), key=lambda stored: -stored.began)

    def delete(self, name: str) -> None:
        """Remove a run from disk.

        Raises
        ------
        ValueError
            A page watches it, or it is no name of a run.
        OSError
            Its folder cannot be removed.
        """
        folder = self._folder_of(name)
        live = self._live.get(name)
        if live is not None:
            if live.watched:
                raise ValueError(f"{name} is open on a page; close it there first.")
            self.release(live, save=False)
        if folder.exists():
            shutil.rmtree(folder)

    def release(self, live: LiveRun, *, save: bool = True, timeout: float = 10.0) -> bool:
        """End a run's thread, with a last checkpoint, and let go of its memory; whether it has ended."""
        self._live.pop(live.name, None)
        if save:
            return live.run.stop(timeout)
        live.run.job.cancel()
        return live.run.job.join(timeout)

    # -- on the warden's thread

    def _watch(self) -> None:
        while True:
            time.sleep(0.2)
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
            live.put_to_sleep = True
            job.pause()
        if alone >= self.end_seconds:
            self.release(live)

    def _wake(self, live: LiveRun) -> None:
        if live.put_to_sleep:
            live.put_to_sleep = False
            live.run.start()

    def close(self) -> None:
        """End all runs, each with a last checkpoint."""
        for live in list(self._live.values()):
            self.release(live)
        self._desk.shutdown(wait=False, cancel_futures=True)


@cache
def the_keeper() -> Keeper:
    """Return the keeper of this process; its runs get a last checkpoint when the process ends."""
    keeper = Keeper(checkpoint_seconds=float(os.environ.get(CHECKPOINT_VARIABLE, "10")))
    atexit.register(keeper.close)
    return keeper
