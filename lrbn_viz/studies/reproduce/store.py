"""Results of finished stages on disk: one checksummed file each, with the settings of the stage.

A file is written whole or not at all. Its key is a sum over everything that its figures depend on, so that a
result is used again only where computing it again would give the same numbers.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

FORMAT = 1
"""Counts up when what a stage computes changes."""


class DamagedResult(ValueError):
    """A stored result cannot be read; the message names the file."""


class FolderInUse(RuntimeError):
    """Another process works in the folder; the message names both."""


class Result(NamedTuple):
    """Result of a stage.

    Attributes
    ----------
    figures : dict
        JSON values.
    arrays : mapping from name to array
        What is too long for JSON: parameters, values per image.
    seconds : float
        Time that it took, before an interruption too.
    """

    figures: dict[str, Any]
    arrays: Mapping[str, NDArray]
    seconds: float


def key_of(settings: Mapping[str, Any]) -> str:
    """Return a short sum of JSON settings; equal settings have equal keys."""
    text = json.dumps({"format": FORMAT, **settings}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def result_path(folder: str | os.PathLike, name: str) -> Path:
    """Return the file of a stage in a folder of results."""
    return Path(folder) / "stages" / f"{name}.result"


def read_result(path: str | os.PathLike, key: str) -> Result | None:
    """Return the result in a stage's file, or None if there is none of these settings.

    Raises
    ------
    DamagedResult
        The file is there but is damaged.
    """
    if not Path(path).exists():
        return None
    try:
        found = load_checkpoint(path)
        if found.config["key"] != key:
            return None
        return Result(found.config["figures"], found.extra("result"), found.config["seconds"])
    except (ValueError, KeyError) as error:
        raise DamagedResult(
            f"expected a finished stage in {path}, got a file that cannot be read ({error}). "
            "Remove it to compute the stage again."
        ) from error


class Store:
    """A folder of results.

    Parameters
    ----------
    folder : path
        Made if it is not there.
    parts : sequence of str
        Folders within it.

    Raises
    ------
    OSError
        The folder cannot be made or written.
    """

    def __init__(
        self, folder: str | os.PathLike, parts: Sequence[str] = ("stages", "models", "figures")
    ) -> None:
        self.folder = Path(folder)
        for part in parts:
            (self.folder / part).mkdir(parents=True, exist_ok=True)
            # Said now, and not after the first hour of training.
            probe = self.folder / part / f".{os.getpid()}.probe"
            probe.touch()
            probe.unlink()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the folder to oneself while the block runs.

        The system releases the lock when the process ends, even if it is killed: the file that stays behind
        locks nothing.

        Raises
        ------
        FolderInUse
            Another process, or another block of this one, has the folder.
        """
        path = self.folder / ".lock"
        # Any thread may release it. A lock that only looks like one would outlive a killed process.
        lock = FileLock(path, thread_local=False, fallback_to_soft=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            owner = ""
            with contextlib.suppress(OSError):  # Windows lets nobody read a locked file
                owner = path.read_text(encoding="utf-8", errors="replace").strip()
            raise FolderInUse(
                f"expected {self.folder} to be free, but process {owner or 'unknown'} is working in it; wait "
                "until it has ended, or choose another folder."
            ) from None
        try:
            with contextlib.suppress(OSError):  # or write to it
                path.write_text(f"{os.getpid()}\n", encoding="utf-8")
            yield
        finally:
            lock.release()

    def path(self, name: str) -> Path:
        """Return the file of a stage."""
        return result_path(self.folder, name)

    def checkpoint(self, name: str, key: str) -> Path:
        """Return the file of the checkpoint of a stage in progress."""
        return self.folder / "stages" / f"{name}.{key}.checkpoint"

    def write(self, name: str, key: str, settings: Mapping[str, Any], result: Result) -> None:
        """Keep a result, in the place of any older one of the stage."""
        found = {"key": key, "settings": settings, "figures": result.figures, "seconds": result.seconds}
        arrays = {f"result/{part}": np.asarray(array) for part, array in result.arrays.items()}
        save_checkpoint(self.path(name), {}, found, arrays)

    def read(self, name: str, key: str) -> Result | None:
        """Return the stage's result, or None if there is none of these settings.

        Raises
        ------
        DamagedResult
            The file is there but is damaged.
        """
        return read_result(self.path(name), key)
