"""Runs found on disk: what each is, or why it cannot be read.

Nothing here trusts a file: anyone may have edited it, and another version may have written it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from lrbn_viz.io.storage import quoted, read_json
from lrbn_viz.studies.runs.config import RunConfig, check_object

FORMAT = 1
"""Version of ``run.json`` that is written and read."""
RUN_FILE_BYTES = 256 * 1024
"""Size of a ``run.json`` that is read at most; a usual one has 1 kB."""
_LATEST = 253_402_300_799.0  # the year 9999; dates beyond it cannot be written
_OPENED = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


def is_run_name(name: str) -> bool:
    """Return whether a folder of this name can be a run's; such a name cannot lead to another folder."""
    return len(name) <= 200 and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name) is not None


def is_owner_id(text: str) -> bool:
    """Return whether a text can name the owner of a run."""
    return re.fullmatch(r"[a-z0-9-]{1,80}", text) is not None


class Result(NamedTuple):
    """Progress of a model of a run, as of its last checkpoint."""

    step: int
    """Number of minibatches that the model has seen."""
    seconds: float
    """Training time."""
    wrong_pixels: float | None = None
    """Mean number for held-out images, or the squared error of grey ones, at the last probe; None where it is
    no number.
    """

    def check(self) -> None:
        """Raise ValueError for an invalid result."""
        if isinstance(self.step, bool) or not isinstance(self.step, int) or not 0 <= self.step < 2**53:
            raise ValueError(f"step must be a whole number from 0; got {quoted(self.step)}")
        for name in ("seconds", "wrong_pixels"):
            value = getattr(self, name)
            if value is None and name == "wrong_pixels":
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
                raise ValueError(f"{name} must be a number from 0; got {quoted(value)}")

    @classmethod
    def all_from_json(cls, values: Any, lanes: Collection[str]) -> dict[str, Result]:
        """Return the results of a run's lanes, all of them checked; ValueError for an invalid one."""
        if not isinstance(values, Mapping) or not set(values) <= set(lanes):
            raise ValueError(f"results must be those of {', '.join(lanes)}; got {quoted(values)}")
        found = {}
        for name, each in values.items():
            if not isinstance(each, Mapping) or set(each) != set(cls._fields):
                raise ValueError(f"results of {name} must be {', '.join(cls._fields)}; got {quoted(each)}")
            found[name] = cls(**each)
            found[name].check()
        return found


class RunFile(NamedTuple):
    """Contents of a ``run.json``.

    Attributes
    ----------
    config : RunConfig
    began : float
        Seconds since 1970.
    owner : str
        Id of the owner, as `is_owner_id` takes it; empty: no owner.
    listed : bool
        True if its owner lets others see it.
    results : mapping from a lane's name to its Result
        Empty where none was written.
    """

    config: RunConfig
    began: float
    owner: str = ""
    listed: bool = False
    results: Mapping[str, Result] = MappingProxyType({})

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that `from_json` reads."""
        results = {name: each._asdict() for name, each in self.results.items()}
        return {"version": FORMAT, **self._asdict(), "config": self.config.to_json(), "results": results}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> RunFile:
        """Return the run file of JSON values, all of them checked.

        Raises
        ------
        ValueError
            A value is missing or wrong, or they are of another version.
        """
        version = values.get("version")
        if type(version) is not int or version != FORMAT:
            raise ValueError(
                f"its version must be {FORMAT}; got {quoted(version)}. Open it with the program that wrote it"
            )
        check_object(values, "it", ("version", *cls._fields))
        began = values["began"]
        if isinstance(began, bool) or not isinstance(began, int | float) or not 0 <= began <= _LATEST:
            raise ValueError(f"began must be a time in seconds since 1970; got {quoted(began)}")
        owner, listed = values["owner"], values["listed"]
        if not isinstance(owner, str) or not (owner == "" or is_owner_id(owner)):
            raise ValueError(f"owner must be small letters, digits and dashes; got {quoted(owner)}")
        if not isinstance(listed, bool):
            raise ValueError(f"listed must be true or false; got {quoted(listed)}")
        try:
            config = RunConfig.from_json(values["config"])
        except (TypeError, OverflowError) as error:
            raise ValueError(str(error)) from error
        results = Result.all_from_json(values["results"], config.lanes)
        return cls(config, float(began), owner, listed, results)


def read_run_file(path: str | os.PathLike[str]) -> RunFile:
    """Return the contents of a ``run.json``.

    Raises
    ------
    FileNotFoundError
        There is none.
    ValueError
        It cannot be read; the message says why, without the path.
    """
    name = Path(path).name
    try:
        with open(path, "rb", opener=lambda path, _: os.open(path, _OPENED)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ValueError(f"{name} is not a file")
            content = file.read(RUN_FILE_BYTES + 1)
    except FileNotFoundError:
        raise
    except IsADirectoryError:
        raise ValueError(f"{name} is not a file") from None
    except OSError as error:
        if Path(path).is_symlink():
            raise ValueError(f"{name} is a link; expected a file") from error
        raise ValueError(f"{name} cannot be opened: {error.strerror or error}") from error
    if len(content) > RUN_FILE_BYTES:
        raise ValueError(f"{name} has more than {RUN_FILE_BYTES >> 10} kB; expected about one")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is no text in UTF-8") from error
    return RunFile.from_json(read_json(text, name))


def stored_owner(folder: str | os.PathLike[str]) -> str | None:
    """Return the owner of a folder's run; empty if it has none, None if it cannot be read."""
    try:
        return read_run_file(Path(folder) / "run.json").owner
    except (OSError, ValueError):
        return None


class StoredRun(NamedTuple):
    """A run found on disk, or in memory; what is known of it there, `RunRegistry.stored_runs` adds.

    Attributes
    ----------
    name : str
        Name of its folder.
    config : RunConfig or None
        None where it cannot be read.
    began : float
        Seconds since 1970; of one that cannot be read, when its folder last changed.
    bytes : int
        Size of its checkpoint; 0 if there is none.
    error : str
        Reason why the run cannot be read; empty if it can.
    live : str
        Status: "running", "paused", "ended"; empty where it is only on disk.
    watched : bool
        True if a page that watches it is open.
    busy : bool
        True if another program has it in memory.
    owner : str
        Id of the owner; empty: no owner, or not known.
    listed : bool
        True if its owner lets others see it.
    results : mapping from a lane's name to its Result
        Results at the last checkpoint.
    """

    name: str
    config: RunConfig | None
    began: float
    bytes: int
    error: str = ""
    live: str = ""
    watched: bool = False
    busy: bool = False
    owner: str = ""
    listed: bool = False
    results: Mapping[str, Result] = MappingProxyType({})


class StoredRuns:
    """The runs of a folder; one that has not changed is not read again.

    Parameters
    ----------
    folder : path
        It need not exist.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._known: dict[str, tuple[Any, StoredRun]] = {}

    def read(self) -> list[StoredRun]:
        """Return the runs, newest first; one that cannot be read is among them, with the reason."""
        known: dict[str, tuple[Any, StoredRun]] = {}
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    key = _signature(entry)
                    if key is None:
                        continue
                    before = self._known.get(entry.name)
                    same = before is not None and before[0] == key
                    known[entry.name] = before if before and same else (key, _read(entry, key))
        except OSError:  # no folder yet, or one that cannot be listed
            pass
        self._known = known
        return sorted((run for _, run in known.values()), key=lambda run: (-run.began, run.name))


def stored_runs(folder: str | os.PathLike[str]) -> list[StoredRun]:
    """Return the runs of a folder, newest first; one that cannot be read is among them, with the reason."""
    return StoredRuns(folder).read()


class _Seen(NamedTuple):
    """Files of a folder when it was read: type, time, size and inode number of each; None: none."""

    folder: tuple[int, ...] | None
    run_file: tuple[int, ...] | None
    checkpoint: tuple[int, ...] | None


def file_signature(path: str | os.PathLike[str]) -> tuple[int, ...] | None:
    """Return what changes whenever a file is written or replaced; None where there is none."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return (stat.S_IFMT(found.st_mode), found.st_mtime_ns, found.st_size, found.st_ino)


def _signature(entry: os.DirEntry[str]) -> _Seen | None:
    """Return a signature that changes with a folder's files; None if it is not a run's folder."""
    try:
        if entry.name.startswith(".") or not entry.is_dir():
            return None
    except OSError:
        return None
    run_file = file_signature(os.path.join(entry.path, "run.json"))
    checkpoint = file_signature(os.path.join(entry.path, "checkpoint"))
    if run_file is None and checkpoint is None:  # some other folder
        return None
    return _Seen(file_signature(entry.path), run_file, checkpoint)


def _read(entry: os.DirEntry[str], seen: _Seen) -> StoredRun:
    name = entry.name.encode("utf-8", "backslashreplace").decode()
    changed = min(max(0.0, seen.folder[1] / 1e9), _LATEST) if seen.folder else 0.0
    has_checkpoint = seen.checkpoint is not None and stat.S_ISREG(seen.checkpoint[0])
    size = seen.checkpoint[2] if has_checkpoint and seen.checkpoint is not None else 0

    def unreadable(reason: str, said: RunFile | None = None) -> StoredRun:
        whose = {} if said is None else {"owner": said.owner, "listed": said.listed}
        return StoredRun(name, None, changed, size, reason, **whose)

    if not is_run_name(entry.name):
        return unreadable(
            "the name of its folder is none of a run; rename it, with letters, digits, dots, dashes alone"
        )
    if entry.is_symlink():
        return unreadable("its folder is a link; move the folder itself here to open it")
    try:
        said = read_run_file(os.path.join(entry.path, "run.json"))
    except FileNotFoundError:
        return unreadable("its run.json is missing")
    except ValueError as error:
        return unreadable(str(error))
    if seen.checkpoint is None:
        return unreadable(
            "it ended before its first checkpoint, so that there is nothing to go on from", said
        )
    if not has_checkpoint:
        return unreadable("its checkpoint is not a file", said)
    about = {"owner": said.owner, "listed": said.listed, "results": said.results}
    return StoredRun(name, said.config, said.began, size, **about)
