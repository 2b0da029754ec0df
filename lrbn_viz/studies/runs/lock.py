"""One program at a time for each stored run.

Locks lie beside the runs, in the folder ``.locks``: a run's folder can be deleted or moved while its lock is
held. The system releases a lock when its process ends, however that ends; a file that stays behind locks
nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path

from filelock import FileLock, Timeout

from lrbn_viz.io.storage import names_in

FOLDER = ".locks"
"""Folder of the locks in a folder of runs."""


class RunBusy(OSError):
    """Error for a run that another program holds in memory; the message names the run and gives advice."""


class RunLock:
    """The lock of one run.

    Parameters
    ----------
    runs : path
        The folder of runs.
    name : str
        Name of the run.
    """

    def __init__(self, runs: str | os.PathLike[str], name: str) -> None:
        self.name = name
        self._path = Path(runs) / FOLDER / f"{name}.lock"
        self._lock: FileLock | None = None
        self._number = 0

    @property
    def held(self) -> bool:
        """True if this program holds the lock, and its file has not been deleted since."""
        if self._lock is None or not self._lock.is_locked:
            return False
        try:
            return os.stat(self._path).st_ino == self._number
        except OSError:
            return False

    def acquire(self, timeout: float = 0.0) -> None:
        """Take the lock, or keep it; wait for `timeout` seconds at most.

        Raises
        ------
        RunBusy
            Another program holds it.
        OSError
            There can be no lock here: the folder cannot be written, or its file system has no locks.
        """
        if self.held:
            return
        self._drop()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Any thread may release it. A lock that only looks like one would outlive a killed process.
        lock = FileLock(self._path, thread_local=False, fallback_to_soft=False)
        try:
            lock.acquire(timeout=timeout, poll_interval=0.02)
        except Timeout:
            raise RunBusy(
                f"{self.name} is open in another program that uses the same folder of runs. Close it there "
                "first."
            ) from None
        self._lock = lock
        self._number = os.stat(self._path).st_ino

    def release(self) -> None:
        """Release the lock, if it is held, and remove its file."""
        if self.held:
            # Before the release: whoever has opened it finds then that it has no name, and makes another.
            with contextlib.suppress(OSError):
                self._path.unlink()
        self._drop()

    def _drop(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            with contextlib.suppress(OSError):
                lock.release(force=True)


def busy_runs(runs: str | os.PathLike[str], mine: Collection[str] = ()) -> set[str]:
    """Return the names of runs that other programs hold.

    Parameters
    ----------
    runs : path
        The folder of runs.
    mine : collection of str
        Runs that this program holds, which are not asked.
    """
    found = set()
    for file in names_in(Path(runs) / FOLDER):
        name = file.removesuffix(".lock")
        if name == file or name in mine:
            continue
        lock = RunLock(runs, name)
        try:
            lock.acquire()
        except RunBusy:
            found.add(name)
        except OSError:  # no lock of ours
            continue
        else:
            lock.release()
    return found
