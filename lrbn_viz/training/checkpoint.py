"""Runs on disk: all the data that training needs to continue, bit for bit, in one checksummed file.

A file is written whole beside the old one and then takes its name, so that a run that is killed at any moment
leaves the last checkpoint that was finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.chunks import PoolLost
from lrbn_viz.io.storage import (
    UnreadableFile,
    check_array,
    check_json,
    damaged,
    quoted,
    read_checksummed,
    readable,
    write_checksummed,
)
from lrbn_viz.training.loop import Training
from lrbn_viz.training.snapshot import Snapshot

Step = TypeVar("Step")

_MAGIC = b"LRBN run 1\n"
OLDER = "Use an older checkpoint."
"""Advice if a checkpoint is damaged."""


class Checkpoint(NamedTuple):
    """Contents of a file.

    Attributes
    ----------
    config : dict
        JSON values: what was trained on what, with which settings; whatever the writer gave.
    lanes : tuple of str
        Names of the runs in the file.
    arrays : mapping
        All numbers, by path.
    """

    config: dict[str, Any]
    lanes: tuple[str, ...]
    arrays: Mapping[str, NDArray]

    def extra(self, lane: str) -> dict[str, NDArray]:
        """Return the additional arrays stored with one run, by name."""
        start = f"extra/{lane}/"
        return {
            name.removeprefix(start): array for name, array in self.arrays.items() if name.startswith(start)
        }

    def snapshot(self, lane: str, like: Any) -> Snapshot:
        """Return the snapshot of one run.

        Parameters
        ----------
        lane : str
        like : state
            A state of the same system (``system.init`` makes one): says which types to build.

        Raises
        ------
        ValueError
            The file holds no such run, or one of another system.
        """
        if lane not in self.lanes:
            raise ValueError(
                f"the checkpoint holds {', '.join(map(quoted, self.lanes))}; got lane {quoted(lane)}."
            )
        arrays, what = self.arrays, f"the checkpoint of {quoted(lane)}"
        plain = _checked_plain(check_json(arrays, f"{lane}.plain", what), what)
        state = _build(like, arrays, f"{lane}.state")
        stored = f"{lane}.best_state" in {name.split("/")[0] for name in arrays}
        best = _build(like, arrays, f"{lane}.best_state") if stored else state
        order = check_array(arrays, f"{lane}.order", what, "iu", 1).astype(np.int64)
        memory = np.zeros((0, 0), np.uint8)
        if f"{lane}.memory" in arrays:
            memory = check_array(arrays, f"{lane}.memory", what, "u", 2).astype(np.uint8)
        n_sums = sum(name.startswith(f"{lane}.total/") for name in arrays)
        total = tuple(_array(arrays, f"{lane}.total/{n}") for n in range(n_sums))
        return Snapshot(state=state, best_state=best, order=order, memory=memory, total=total, **plain)


_COUNTS = {"step": 0, "epoch": 0, "offset": 0, "best_epoch": -1, "n_averaged": 0}
_NUMBERS = ("seconds", "best_score")


def _checked_plain(values: dict[str, Any], what: str) -> dict[str, Any]:
    """Return a snapshot's plain values after checking them."""
    metrics = values.get("last_metrics")
    good = {name: _is_count(values.get(name), least) for name, least in _COUNTS.items()}
    good |= {name: _is_number(values.get(name)) for name in _NUMBERS}
    good["rng"] = isinstance(values.get("rng"), dict)
    good["shuffler"] = "shuffler" in values and isinstance(values["shuffler"], (dict, type(None)))
    good["stalled"] = isinstance(values.get("stalled"), bool)
    good["last_metrics"] = isinstance(metrics, dict) and all(map(_is_number, metrics.values()))
    wrong = [name for name in good if not good[name]] + [name for name in values if name not in good]
    if wrong:
        name = wrong[0]
        got = quoted(values[name]) if name in values else "nothing"
        wanted = "what a run writes there" if name in good else f"only {', '.join(good)}"
        raise damaged(what, wanted, f"{quoted(name)} = {got}", OLDER)
    return values


def _is_count(value: Any, least: int) -> bool:
    return type(value) is int and least <= value < 2**53


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _array(arrays: Mapping[str, NDArray], path: str) -> NDArray:
    if path not in arrays:
        raise UnreadableFile(
            f"the checkpoint lacks {quoted(path)}; another model wrote it. Resume it with that model."
        )
    return arrays[path]


def with_checkpoints(
    steps: Iterator[Step],
    path: str | os.PathLike | None,
    seconds: float,
    save: Callable[[str | os.PathLike], object],
    resume: Callable[[str | os.PathLike], object],
) -> Generator[Step, None, None]:
    """Make the steps of a run that continues from a file if it exists, and writes checkpoints to it.

    Parameters
    ----------
    steps : iterator
        The run.
    path : path or None
        Removed once the run is done; None: the run is not stored.
    seconds : float
        How often the file is written, between two steps.
    save, resume : callable
        Write and read the file.

    Raises
    ------
    FileNotFoundError
        The folder of the file does not exist; this is checked before the first step.
    """
    if path is not None and os.path.exists(path):
        resume(path)
    elif path is not None and not (folder := Path(path).absolute().parent).is_dir():
        raise FileNotFoundError(
            f"expected a folder for the checkpoint {path}, but {folder} is none; make it first, or name "
            "another."
        )
    saved = time.monotonic()
    try:
        for step in steps:
            yield step
            if path is not None and time.monotonic() - saved >= seconds:
                save(path)
                saved = time.monotonic()
    except PoolLost as error:
        if path is None:
            raise PoolLost(f"{error} No checkpoint was asked for: the run begins again.") from error
        save(path)
        raise PoolLost(f"{error} {path} holds the last whole pass: the same call goes on from it.") from error
    if path is not None:
        Path(path).unlink(missing_ok=True)


def check_same_run(path: str | os.PathLike, expected: Any, found: Any) -> None:
    """Refuse a checkpoint of a run with other settings.

    Parameters
    ----------
    path : path
        Path of the file, for the error.
    expected, found : JSON values
        What the run that is to go on was made with, and what the file's was.

    Raises
    ------
    ValueError
        They differ; the message names where.
    """
    mine, theirs = (_flat(value) for value in (json.loads(json.dumps(expected)), found))
    names = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
    if names:
        differences = [f"{name} = {mine.get(name)!r}, got {theirs.get(name)!r}" for name in names[:3]]
        more = f" (and {len(names) - 3} other settings)" if len(names) > 3 else ""
        raise ValueError(
            f"{path} is of another run: expected {'; '.join(differences)}{more}. Resume it with the settings "
            "and images that it was begun with, or remove it to start again."
        )


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    """Return nested values by path, such as ``plan.0.n_iter``."""
    if isinstance(value, (dict, list)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        return {name: leaf for key, part in parts for name, leaf in _flat(part, f"{path}.{key}").items()}
    return {path.removeprefix("."): value}


def fingerprint(X: NDArray) -> str:
    """Return a sum over an array's shape, type and numbers."""
    total = hashlib.sha256(f"{X.shape} {X.dtype} ".encode())
    total.update(np.ascontiguousarray(X).data)
    return total.hexdigest()[:16]


def _leaves(value: Any, path: str) -> dict[str, NDArray]:
    """Return the arrays and numbers of nested named tuples by path."""
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", range(len(value)))
        found: dict[str, NDArray] = {}
        for name, part in zip(fields, value, strict=True):
            found |= _leaves(part, f"{path}/{name}")
        return found
    return {path: np.asarray(value)}


def _build(like: Any, arrays: Mapping[str, NDArray], path: str) -> Any:
    """Return nested named tuples of the types of `like`, filled with the arrays under `path`."""
    if isinstance(like, tuple):
        fields = getattr(like, "_fields", range(len(like)))
        parts = [_build(part, arrays, f"{path}/{name}") for name, part in zip(fields, like, strict=True)]
        return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)
    array, expected = _array(arrays, path), np.asarray(like)
    if (array.shape, array.dtype) != (expected.shape, expected.dtype):
        raise UnreadableFile(
            f"the checkpoint holds {quoted(path)} as {array.dtype} of shape {quoted(array.shape)}; expected "
            f"{expected.dtype} of shape {expected.shape}: another model wrote it. Resume it with that model."
        )
    if array.dtype == np.uint8 and array.size and array.max() > 1:  # kernels trust what is in a state
        what = f"states of units, 0 or 1, in {quoted(path)}"
        raise damaged("the checkpoint", what, quoted(int(array.max())), OLDER)
    return array if isinstance(like, np.ndarray) else type(like)(array.item())


def save_checkpoint(
    path: str | os.PathLike,
    runs: Mapping[str, Training],
    config: Mapping[str, Any],
    extra: Mapping[str, NDArray] | None = None,
) -> int:
    """Write where the runs stand, whole or not at all; call it between two steps.

    Returns and raises as :func:`~lrbn_viz.io.storage.write_checksummed`.

    Parameters
    ----------
    path : path
        Replaced only once the new file is safely on disk.
    runs : mapping from a lane's name to its run
    config : mapping
        JSON values that tell how to make the runs again.
    extra : mapping from "lane/name" to array, optional
        Further arrays to store with a run.
    """
    arrays: dict[str, NDArray] = {}
    for lane, run in runs.items():
        snapshot = run.snapshot()
        plain = snapshot._asdict()
        state, best, order, memory = (plain.pop(name) for name in ("state", "best_state", "order", "memory"))
        arrays |= _leaves(state, f"{lane}.state") | _leaves(plain.pop("total"), f"{lane}.total")
        if best is not state and snapshot.best_epoch >= 0:
            arrays |= _leaves(best, f"{lane}.best_state")
        arrays[f"{lane}.order"] = order.astype(np.uint32)  # half the bytes; rows are below 2^32
        if memory.size:
            arrays[f"{lane}.memory"] = memory
        arrays[f"{lane}.plain"] = np.array(json.dumps(plain, default=np.ndarray.tolist))
    arrays |= {f"extra/{name}": array for name, array in (extra or {}).items()}
    arrays["config"] = np.array(json.dumps(dict(config)))
    arrays["lanes"] = np.array(json.dumps(list(runs)))
    return write_checksummed(path, _MAGIC, arrays)


def load_checkpoint(path: str | os.PathLike) -> Checkpoint:
    """Read a file of `save_checkpoint`; nothing is unpickled.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    ValueError
        The file is no checkpoint, or damaged.
    """
    arrays, name = read_checksummed(path, _MAGIC, "checkpoint"), readable(path)
    config = check_json(arrays, "config", name)
    lanes = check_json(arrays, "lanes", name, list)
    if not all(isinstance(lane, str) for lane in lanes):
        raise damaged(name, "names of its lanes", quoted(lanes), OLDER)
    del arrays["config"], arrays["lanes"]
    return Checkpoint(config, tuple(lanes), arrays)
