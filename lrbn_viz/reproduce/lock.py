"""One process at a time in a folder: a lock that goes with its process, however that ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FolderInUse(RuntimeError):
    """Another process works in the folder; the message names both."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a folder to oneself while the block runs.

    The system gives the lock back when the process ends, even if it is killed: the file that stays behind
    locks nothing.

    Parameters
    ----------
    folder : Path
        It is there and can be written.

    Raises
    ------
    FolderInUse
        Another process, or another block of this one, has it.
    """
    path = folder / ".lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not _take(descriptor):
            owner = os.pread(descriptor, 20, 0).decode(errors="replace").strip() if _READABLE else ""
            raise FolderInUse(
                f"expected {folder} to be free, but process {owner or 'unknown'} is working in it; wait "
                "until it has ended, or choose another folder."
            )
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)  # gives the lock back


if sys.platform == "win32":
    import msvcrt

    _READABLE = False  # what is locked cannot be read there

    def _take(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    _READABLE = True

    def _take(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
