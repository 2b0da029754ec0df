"""Runs found on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from lrbn_viz.runs.config import RunConfig


class Kept(NamedTuple):
    """A run found on disk."""

    name: str
    config: RunConfig
    began: float
    """Seconds since 1970."""
    bytes: int


def kept_runs(folder: str | os.PathLike) -> list[Kept]:
    """Return the runs of a folder that can be resumed, newest first; what is damaged is left out."""
    found = []
    for path in sorted(Path(folder).glob("*/run.json")):
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
            size = (path.parent / "checkpoint").stat().st_size
            found.append(Kept(path.parent.name, RunConfig.from_json(said["config"]), said["began"], size))
        except (OSError, ValueError, TypeError, KeyError):
            continue
    return sorted(found, key=lambda kept: -kept.began)
