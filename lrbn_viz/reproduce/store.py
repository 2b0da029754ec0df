"""What finished stages leave on disk: one checksummed file each, with the settings that it is of.

A file is written whole or not at all. Its key is a sum over everything that its figures depend on, so that a
result is taken up again only where it would be computed again to the same numbers.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.checkpoint import load_checkpoint, save_checkpoint

FORMAT = 1
"""Counts up when what a stage computes changes."""


class DamagedResult(ValueError):
    """A stored result cannot be read; the message names the file."""


class Result(NamedTuple):
    """What a stage has found.

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
    told = json.dumps({"format": FORMAT, **settings}, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


class Store:
    """A folder of results.

    Parameters
    ----------
    folder : path
        Made if it is not there.

    Raises
    ------
    OSError
        The folder cannot be made or written.
    """

    def __init__(self, folder: str | os.PathLike) -> None:
        self.folder = Path(folder)
        for part in ("stages", "models", "figures"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
            # Said now, and not after the first hour of training.
            probe = self.folder / part / f".{os.getpid()}.probe"
            probe.touch()
            probe.unlink()

    def path(self, name: str) -> Path:
        """Return the file of a stage."""
        return self.folder / "stages" / f"{name}.result"

    def checkpoint(self, name: str, key: str) -> Path:
        """Return the file in which a stage that is under way keeps where it stands."""
        return self.folder / "stages" / f"{name}.{key}.checkpoint"

    def write(self, name: str, key: str, settings: Mapping[str, Any], result: Result) -> None:
        """Keep a result, in the place of any older one of the stage."""
        kept = {"key": key, "settings": settings, "figures": result.figures, "seconds": result.seconds}
        arrays = {f"result/{part}": np.asarray(array) for part, array in result.arrays.items()}
        save_checkpoint(self.path(name), {}, kept, arrays)

    def read(self, name: str, key: str) -> Result | None:
        """Return the stage's result, or None if there is none of these settings.

        Raises
        ------
        DamagedResult
            The file is there but is damaged.
        """
        path = self.path(name)
        if not path.exists():
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


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
