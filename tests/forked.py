"""Processes that begin at once: forked from one that has imported the package, and done nothing else.

A process of its own takes seconds to import the package, and many tests begin some. Where there is no such
fork, as on Windows, they are begun as usual.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, TextIO

_FORKS = "forkserver" in multiprocessing.get_all_start_methods()
_context: Any = multiprocessing.get_context("forkserver" if _FORKS else "spawn")


def _prepare() -> None:
    """Begin the process that others are forked from, which finds modules where this one does."""
    if not _FORKS:
        return
    from multiprocessing.forkserver import ensure_running, set_forkserver_preload

    set_forkserver_preload(["preloaded"])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)  # it is told no other way
    try:
        ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


class Forked:
    """A process, as `subprocess.Popen` would have it, with what it prints in `stdout`, errors too.

    Attributes
    ----------
    pid : int
    stdin, stdout : text files
    """

    def __init__(self, work: Callable[[], None], environment: dict[str, str]) -> None:
        _prepare()
        heard, said = _context.Pipe(duplex=False)
        told, telling = _context.Pipe(duplex=False)
        everything = {**os.environ, "PYTHONUNBUFFERED": "1", **environment}
        self._process = _context.Process(target=_work, args=(work, everything, told, said), daemon=True)
        self._process.start()
        self.pid: int = self._process.pid
        for end in (told, said):
            end.close()
        self.stdin: TextIO = _as_file(telling, "w")
        self.stdout: TextIO = _as_file(heard, "r")

    def poll(self) -> int | None:
        """Return the exit status; None while it runs, and -9 where it was killed."""
        return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        """Wait for the end; returns the exit status."""
        self._process.join(seconds)
        status = self._process.exitcode
        assert status is not None, f"it still ran after {seconds} s"
        return status

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def kill(self) -> None:
        """End it without a warning."""
        self._process.kill()

    def close(self) -> None:
        """End it, and close its pipes."""
        self.kill()
        self.wait(60)
        for file in (self.stdin, self.stdout):
            with suppress(OSError):  # it has gone with something unsaid
                file.close()


def _as_file(end: Connection, mode: str) -> TextIO:
    file = _text(os.dup(end.fileno()), mode)
    end.close()
    return file


def _text(descriptor: int, mode: str) -> Any:
    return os.fdopen(descriptor, mode, buffering=1, encoding="utf-8", errors="replace")


def _work(work: Callable[[], None], environment: dict[str, str], told: Connection, said: Connection) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(told.fileno(), 0)
    for descriptor in (1, 2):
        os.dup2(said.fileno(), descriptor)
    sys.stdin = _text(0, "r")
    sys.stdout, sys.stderr = _text(1, "w"), _text(2, "w")
    work()


@contextmanager
def forked(work: Callable[[], None], **environment: str) -> Iterator[Forked]:
    """Let a function work in a process of its own, which is killed at the end.

    Parameters
    ----------
    work : callable
        `program` or `command`, or another one that can be sent.
    environment
        Variables beside those of this process.
    """
    process = Forked(work, environment)
    try:
        yield process
    finally:
        process.close()


def finish(work: Callable[[], None], seconds: float = 300.0, **environment: str) -> str:
    """Let a function work in a process of its own to its end, without an error; return what it prints."""
    with forked(work, **environment) as process:
        printed = process.stdout.read()
        assert process.wait(seconds) == 0, printed
        return printed


def program(source: str, *arguments: str) -> Callable[[], None]:
    """Return what does as ``python -c source arguments``."""
    return partial(_run_program, source, arguments)


def _run_program(source: str, arguments: tuple[str, ...]) -> None:
    sys.argv = ["-c", *arguments]
    exec(compile(source, "<program of a test>", "exec"), {"__name__": "__main__"})


def command(*words: str, warm_up: bool = True) -> Callable[[], None]:
    """Return what does as ``lrbn-viz words``.

    Parameters
    ----------
    warm_up : bool
        Whether a server reads all kernels as it begins, and not each when it is needed.
    """
    return partial(_run_command, words, warm_up)


def _run_command(words: tuple[str, ...], warm_up: bool) -> None:
    from lrbn_viz import cli
    from lrbn_viz.app import warmup

    if not warm_up:
        warmup._begun.set()
    sys.exit(cli.main(list(words)))
