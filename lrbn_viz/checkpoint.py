"""Runs on disk: everything that training needs to go on, bit for bit, in one checksummed file.

A file is written whole beside the old one and then takes its name, so that a run that is killed at any moment
leaves the last checkpoint that was finished.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.training import Snapshot, Training

Step = TypeVar("Step")

_MAGIC = b"LRBN run 1\n"
_DIGEST = 32  # bytes of SHA-256


class Checkpoint(NamedTuple):
    """What a file holds.

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
        """Return what was kept with one run, by name."""
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
            raise ValueError(f"the checkpoint holds {', '.join(self.lanes)}; got lane {lane!r}.")
        plain = json.loads(str(self.arrays[f"{lane}.plain"]))
        state = _build(like, self.arrays, f"{lane}.state")
        kept = f"{lane}.best_state" in {name.split("/")[0] for name in self.arrays}
        best = _build(like, self.arrays, f"{lane}.best_state") if kept else state
        order = self.arrays[f"{lane}.order"].astype(np.int64)
        memory = self.arrays.get(f"{lane}.memory", np.zeros((0, 0), np.uint8))
        n_sums = sum(name.startswith(f"{lane}.total/") for name in self.arrays)
        total = tuple(self.arrays[f"{lane}.total/{n}"] for n in range(n_sums))
        return Snapshot(state=state, best_state=best, order=order, memory=memory, total=total, **plain)


def kept_on_disk(
    steps: Iterator[Step],
    path: str | os.PathLike | None,
    seconds: float,
    save: Callable[[str | os.PathLike], object],
    resume: Callable[[str | os.PathLike], object],
) -> Generator[Step, None, None]:
    """Make the steps of a run that goes on from a file if it is there, and leaves one while it lasts.

    Parameters
    ----------
    steps : iterator
        The run.
    path : path or None
        Removed once the run is done; None: the run is not kept.
    seconds : float
        How often the file is written, between two steps.
    save, resume : callable
        Write and read the file.

    Raises
    ------
    FileNotFoundError
        There is no folder for the file: said before the first step, not when the first file is due.
    """
    if path is not None and os.path.exists(path):
        resume(path)
    elif path is not None and not (folder := Path(path).absolute().parent).is_dir():
        raise FileNotFoundError(
            f"expected a folder for the checkpoint {path}, but {folder} is none; make it first, or name "
            "another."
        )
    saved = time.monotonic()
    for step in steps:
        yield step
        if path is not None and time.monotonic() - saved >= seconds:
            save(path)
            saved = time.monotonic()
    if path is not None:
        Path(path).unlink(missing_ok=True)


def check_same_run(path: str | os.PathLike, expected: Any, found: Any) -> None:
    """Refuse a checkpoint of a run with other settings.

    Parameters
    ----------
    path : path
        Of the file, for the error.
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
        told = [f"{name} = {mine.get(name)!r}, got {theirs.get(name)!r}" for name in names[:3]]
        more = f" (and {len(names) - 3} other settings)" if len(names) > 3 else ""
        raise ValueError(
            f"{path} is of another run: expected {'; '.join(told)}{more}. Resume it with the settings and "
            "images that it was begun with, or remove it to begin anew."
        )


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    """Return what is nested by path, such as ``plan.0.n_iter``."""
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
    if path not in arrays:
        raise ValueError(f"the checkpoint lacks {path}; it is of another system. Resume it with its own.")
    array = arrays[path]
    if isinstance(like, np.ndarray):
        return array
    return type(like)(array.item())


def save_checkpoint(
    path: str | os.PathLike,
    runs: Mapping[str, Training],
    config: Mapping[str, Any],
    extra: Mapping[str, NDArray] | None = None,
) -> int:
    """Write where the runs stand, whole or not at all; call it between two steps.

    Parameters
    ----------
    path : path
        Replaced only once the new file is safely on disk.
    runs : mapping from a lane's name to its run
    config : mapping
        JSON values that tell how to make the runs again.
    extra : mapping from "lane/name" to array, optional
        Whatever else is to be kept with a run.

    Returns
    -------
    int
        Bytes written.

    Raises
    ------
    OSError
        The disk is full or the folder cannot be written; the old file is as it was.
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
    content = io.BytesIO()
    np.savez(content, **arrays)  # pyright: ignore[reportArgumentType]
    raw = content.getvalue()
    whole = b"".join([_MAGIC, hashlib.sha256(raw).digest(), raw])
    _replace(Path(path), whole)
    return len(whole)


def _replace(path: Path, content: bytes) -> None:
    """Put `content` under the name `path`, or leave what was there."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with open(partial, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def load_checkpoint(path: str | os.PathLike) -> Checkpoint:
    """Read what `save_checkpoint` wrote; nothing is unpickled.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    ValueError
        The file is no checkpoint, or damaged.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; expected a checkpoint of a training run.")
    whole = path.read_bytes()
    if not whole.startswith(_MAGIC):
        raise ValueError(
            f"{path} is no checkpoint: expected it to begin with {_MAGIC!r}, got {whole[:11]!r}."
        )
    digest, raw = whole[len(_MAGIC) : len(_MAGIC) + _DIGEST], whole[len(_MAGIC) + _DIGEST :]
    if hashlib.sha256(raw).digest() != digest:
        raise ValueError(
            f"{path} is damaged: its checksum does not match its {len(raw):,} bytes. Use an older checkpoint."
        )
    with np.load(io.BytesIO(raw), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    config, lanes = json.loads(str(arrays.pop("config"))), json.loads(str(arrays.pop("lanes")))
    return Checkpoint(config, tuple(lanes), arrays)
