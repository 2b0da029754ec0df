"""Deleted runs, which can be restored for a while.

A deleted run's folder is moved into the folder ``.trash`` beside the others, under a name that says when. One
move is all: whatever ends the program before or after it, the run lies in one place or in the other, whole.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import time
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from lrbn_viz.io.storage import names_in
from lrbn_viz.studies.runs.stored import stored_owner

TRASH = ".trash"
"""Folder of deleted runs, in the folder of runs."""
UNDO_SECONDS = 600.0
"""Time for which a deleted run can be restored."""
_KEY = re.compile(r"(\d{1,14})-([A-Za-z0-9][A-Za-z0-9._-]*)")
_REMOVING = "removing-"  # how the name of a folder begins that is being removed for good


class Deleted(NamedTuple):
    """A deleted run that can be restored."""

    key: str
    """Name of its folder in the trash."""
    name: str
    """Name that the run had."""
    seconds_left: float
    """Time until the run is removed for good."""
    owner: str = ""
    """Id of the owner; empty: no owner, or not known."""


def move_to_trash(runs: str | os.PathLike[str], name: str) -> Deleted:
    """Move a run out of a folder of runs; it must not be open anywhere.

    Parameters
    ----------
    runs : path
        The folder of runs.
    name : str
        Name of the run's folder.

    Raises
    ------
    FileNotFoundError
        There is no such run.
    OSError
        It cannot be moved; it is where it was.
    """
    trash = Path(runs) / TRASH
    if not (Path(runs) / name).exists():
        raise FileNotFoundError(f"there is no run {name}; it may have been deleted already.")
    trash.mkdir(exist_ok=True)
    moment = int(1000 * time.time())
    while (key := f"{moment}-{name}") in os.listdir(trash):
        moment += 1
    os.rename(Path(runs) / name, trash / key)
    return Deleted(key, name, UNDO_SECONDS)


def deleted_runs(runs: str | os.PathLike[str]) -> list[Deleted]:
    """Return the runs of a folder that were deleted and can be restored, the last one first."""
    trash = Path(runs) / TRASH
    found = [_deleted(key) for key in names_in(trash)]
    return sorted(
        (
            deleted._replace(owner=stored_owner(trash / deleted.key) or "")
            for deleted in found
            if deleted is not None and deleted.seconds_left > 0
        ),
        key=lambda deleted: -deleted.seconds_left,
    )


def _deleted(key: str) -> Deleted | None:
    said = _KEY.fullmatch(key)
    if said is None:
        return None
    left = int(said[1]) / 1000 + UNDO_SECONDS - time.time()
    return Deleted(key, said[2], min(left, UNDO_SECONDS))  # a clock may have been put back


def restore(runs: str | os.PathLike[str], key: str, taken: Collection[str] = ()) -> str:
    """Restore a deleted run.

    Parameters
    ----------
    runs : path
        The folder of runs.
    key : str
        Key of a :class:`Deleted`.
    taken : collection of str
        Names that it must not get, beside those of the folders that there are.

    Returns
    -------
    str
        Its name: the one that it had, or one like it where another run has that.

    Raises
    ------
    ValueError
        It was removed for good, or restored already, or `key` is none.
    OSError
        It cannot be moved; it is where it was.
    """
    runs = Path(runs)
    deleted = _deleted(key)
    if deleted is None:
        raise ValueError(f"expected a run that was deleted, got {key!r:.60}.")
    if deleted.seconds_left <= 0:
        raise ValueError(
            f"{deleted.name} cannot be restored: it was removed for good {UNDO_SECONDS / 60:.0f} minutes "
            "after it was deleted."
        )
    n = 1
    while True:
        name = deleted.name if n == 1 else f"{deleted.name}-{n}"
        n += 1
        if name in taken or (runs / name).exists():
            continue
        try:
            os.rename(runs / TRASH / key, runs / name)
        except FileNotFoundError:
            raise ValueError(f"{deleted.name} is not deleted any more: look for it in the list.") from None
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        else:
            return name


def purge(runs: str | os.PathLike[str]) -> float:
    """Remove for good what was deleted long enough ago, and what is left of an earlier removal.

    Returns
    -------
    float
        Seconds until there is something to remove again; infinity where there is nothing.
    """
    trash = Path(runs) / TRASH
    for key in names_in(trash):
        deleted = _deleted(key)
        if deleted is not None and deleted.seconds_left <= 0:
            try:  # under another name first: half of a run is nothing to restore
                os.rename(trash / key, trash / f"{_REMOVING}{key}")
            except OSError:
                continue
    for key in names_in(trash):
        if key.startswith(_REMOVING):
            shutil.rmtree(trash / key, ignore_errors=True)
    return min((deleted.seconds_left for deleted in deleted_runs(runs)), default=float("inf"))
