"""Job: an iterator on a worker thread, paused, stepped, resumed, cancelled and drained from another.

The worker never touches what the drainer owns: it puts events into a bounded buffer, and whoever shows them
comes and takes them. Nothing is pushed.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, Generic, Literal, NamedTuple, TypeVar

E = TypeVar("E")
T = TypeVar("T")

Status = Literal["new", "running", "paused", "done", "failed", "cancelled"]
ENDED: tuple[Status, ...] = ("done", "failed", "cancelled")


class Drained(NamedTuple, Generic[E]):
    """What happened since the last look.

    Attributes
    ----------
    status : str
        "new", "running", "paused", "done", "failed" or "cancelled".
    events : list
        In the order in which they happened; the last one always among them.
    dropped : int
        Events that did not fit the buffer since the last look, all older than those here.
    error : BaseException or None
        What ended a failed job.
    """

    status: Status
    events: list[E]
    dropped: int
    error: BaseException | None


class Job(Generic[E]):
    """Draws items from an iterator on a thread of its own.

    Parameters
    ----------
    items : iterator
        Each item is one event; what it does between two items is not interrupted, so it should be short.
    keep : int
        Events that wait at most for the next drain; the oldest are dropped, and counted.
    nice : int
        Raises the thread's niceness where the system has one per thread, so that a page answers first.
    name : str
        Of the thread.
    """

    def __init__(self, items: Iterator[E], *, keep: int = 10_000, nice: int = 10, name: str = "job") -> None:
        self._items = items
        self._buffer: deque[E] = deque(maxlen=keep)
        self._dropped = 0
        self._nice = nice
        self._status: Status = "new"
        self._error: BaseException | None = None
        self._credit = 0  # items still to be drawn before pausing; -1: no bound
        self._calls: deque[tuple[Callable[[], Any], Future]] = deque()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    @property
    def status(self) -> Status:
        """What the job is doing now."""
        return self._status

    @property
    def ended(self) -> bool:
        """Whether no further item will be drawn."""
        return self._status in ENDED

    @property
    def error(self) -> BaseException | None:
        """What ended a failed job."""
        return self._error

    @property
    def alive(self) -> bool:
        """Whether its thread exists."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin, or go on after a pause, until the iterator ends."""
        self._allow(-1)

    def advance(self, n: int = 1) -> None:
        """Draw `n` more items, then pause."""
        if n < 1:
            raise ValueError(f"expected at least 1 item to draw, got {n}.")
        self._allow(n)

    def pause(self) -> None:
        """Stop before the next item; returns at once."""
        with self._changed:
            self._credit = 0
            if self._status == "running":
                self._status = "paused"
            self._changed.notify_all()

    def cancel(self) -> None:
        """End before the next item; returns at once."""
        with self._changed:
            if self._status in ENDED:
                return
            started = self._status != "new"
            self._status = "cancelled"
            self._changed.notify_all()
        if not started:
            self._close()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the thread has ended, at most `timeout` seconds; whether it has."""
        if self._thread.ident is not None:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def call(self, function: Callable[[], T]) -> Future[T]:
        """Run `function` between two items on the worker, or here if there is none; returns its future."""
        future: Future[T] = Future()
        with self._changed:
            waiting = self._thread.is_alive() and self._status not in ENDED
            if waiting:
                self._calls.append((function, future))
                self._changed.notify_all()
        if not waiting:
            self.join()
            _fulfil(function, future)
        return future

    def drain(self) -> Drained[E]:
        """Take the events since the last drain."""
        with self._changed:
            events, dropped = list(self._buffer), self._dropped
            self._buffer.clear()
            self._dropped = 0
            return Drained(self._status, events, dropped, self._error)

    def _allow(self, n: int) -> None:
        with self._changed:
            if self._status in ENDED:
                return
            begin = self._status == "new"
            self._credit = n
            self._status = "running"
            if begin:
                self._thread.start()
            self._changed.notify_all()

    def _work(self) -> None:
        with contextlib.suppress(AttributeError, OSError):  # only Linux has a niceness per thread
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self._nice)
        try:
            while self._may_go_on():
                item = next(self._items, _END)
                with self._changed:
                    if item is _END:
                        self._end("done")
                        break
                    if len(self._buffer) == self._buffer.maxlen:
                        self._dropped += 1
                    self._buffer.append(item)  # pyright: ignore[reportArgumentType]
                    self._credit -= self._credit > 0
                    if self._credit == 0 and self._status == "running":
                        self._status = "paused"
        except BaseException as error:  # shown to whoever drains, not lost with the thread
            with self._changed:
                self._error = error
                self._end("failed")
        finally:
            self._close()
            self._run_calls()

    def _may_go_on(self) -> bool:
        """Do what was asked for in between, wait while paused, and say whether to draw another item."""
        while True:
            self._run_calls()
            with self._changed:
                if self._status in ENDED:
                    return False
                if self._status == "running" and not self._calls:
                    return True
                if not self._calls:
                    self._changed.wait()

    def _run_calls(self) -> None:
        while True:
            with self._changed:
                if not self._calls:
                    return
                function, future = self._calls.popleft()
            _fulfil(function, future)

    def _end(self, status: Status) -> None:
        if self._status not in ENDED:
            self._status = status

    def _close(self) -> None:
        """Let a generator run its clean-up."""
        close = getattr(self._items, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close()


_END: Any = object()


def _fulfil(function: Callable[[], Any], future: Future) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(function())
    except BaseException as error:
        future.set_exception(error)
