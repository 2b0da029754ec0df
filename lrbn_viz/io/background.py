"""Background work: every thread of the package is started here, with a name that states its purpose.

Threads are daemons: a process that ends does not wait for them, and drops waiting calls. Work that must be
finished before the end is the duty of its owner, as `RunRegistry.close` writes last checkpoints. Files that a
thread writes are renamed once they are complete, so that an end in the middle leaves no partial file.

Results and errors are returned by futures, which the page polls; nothing here calls back into a page. Waiting
calls can be cancelled; running ones continue to their end, so they should be short. Long work is an iterator
that stops between two items: `lrbn_viz.studies.runs.job`.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)


def trim_memory() -> None:
    """Let the C library return unused pages to the system, if it supports this."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def start(function: Callable[[], object], name: str, niceness: int = 0) -> threading.Thread:
    """Call a function on a new thread, which has started when this returns.

    Parameters
    ----------
    function : callable
        What it raises is printed as Python prints an error of a thread; an `Executor` gives it back.
    name : str
        Name of the thread.
    niceness : int
        Niceness of the thread, if the system has one per thread; 0: that of the process.
    """

    def work() -> None:
        if niceness:
            with contextlib.suppress(AttributeError, OSError):  # only Linux has it
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
        function()

    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread


def fulfil(future: Future[T], function: Callable[[], T]) -> None:
    """Call a function, and give its result or its error to a future; not if that was cancelled."""
    if future.set_running_or_notify_cancel():
        try:
            future.set_result(function())
        except BaseException as error:  # for whoever asks, not lost with the thread
            future.set_exception(error)
    del future  # an error knows this frame: it shall not keep, in a circle, the arrays of a task that failed


def log_error(future: Future[Any]) -> None:
    """Log the error of a future whose result is not used: ``future.add_done_callback(log_error)``."""
    if not future.cancelled() and (error := future.exception()) is not None:
        _log.error("background work failed", exc_info=error)


class Executor:
    """Executor that calls functions one after another, in the order of submission, on one thread.

    The thread is there while there is something to do.

    Parameters
    ----------
    name : str
        Name of the thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._thread: threading.Thread | None = None  # while there is something to do

    def submit(self, function: Callable[P, T], *args: P.args, **named: P.kwargs) -> Future[T]:
        """Queue a function with these arguments, and return at once."""
        future: Future[T] = Future()
        with self._lock:
            if self._thread is None:
                self._thread = start(self._work, self._name)
            self._waiting.append((future, lambda: function(*args, **named)))
        return future

    def close(self, timeout: float = 0.0) -> None:
        """Cancel waiting calls, and wait for running ones, at most `timeout` seconds."""
        with self._lock:
            waiting, self._waiting = self._waiting, deque()
            thread = self._thread
        for future, _ in waiting:
            future.cancel()
        if thread is not None:
            thread.join(timeout)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                task = self._waiting.popleft()
            fulfil(*task)
            del task  # as in `fulfil`
