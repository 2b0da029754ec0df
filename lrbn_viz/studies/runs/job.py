"""Job: an iterator on a worker thread, paused, stepped, resumed, cancelled and drained from another.

The worker never touches what the drainer owns: it puts events into a bounded buffer, and the page or script
that shows them collects them. Nothing is pushed.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from lrbn_viz.io import background

E = TypeVar("E")
T = TypeVar("T")

Status = Literal["new", "running", "paused", "done", "failed", "cancelled"]
ENDED: tuple[Status, ...] = ("done", "failed", "cancelled")


class Drained(NamedTuple, Generic[E]):
    """Events since the last drain.

    Attributes
    ----------
    status : str
        "new", "running", "paused", "done", "failed" or "cancelled".
    events : list
        Events in the order in which they happened; the last one always among them.
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
        Each item is one event; what it does between two items is not interrupted, so it should be
        short, or call `attend`.
    keep : int
        Events that wait at most for the next drain; the oldest are dropped, and counted.
    nice : int
        Niceness of the thread, where the system has one per thread, so that a page answers first.
    name : str
        Name of the thread.

    Attributes
    ----------
    status : str
        What the job is doing now, as in `Drained`.
    error : BaseException or None
        What ended a failed job.
    """

    def __init__(self, items: Iterator[E], *, keep: int = 10_000, nice: int = 5, name: str = "job") -> None:
        self._items = items
        self._buffer: deque[E] = deque(maxlen=keep)
        self._dropped = 0
        # A thread that is put aside while it holds the interpreter keeps the page waiting. The worker holds
        # it only for the Python between two kernels: these release it, nobody waits for their lock, and what
        # compiles them is another process (`app.warmup`). Beside one run a page's Python takes as long with
        # any niceness (0.4 ms ended within 0.7 ms in 99 of 100 cases with 0, 5 and 10). It is for many runs.
        # Each step up costs training: against 0, it went at 0.97 of the speed with 5, at 0.95 with 10.
        self._nice, self._name = nice, name
        self.status: Status = "new"
        self.error: BaseException | None = None
        self._credit = 0  # items still to be drawn before pausing; -1: no bound
        self._calls: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def ended(self) -> bool:
        """True if no further item will be drawn."""
        return self.status in ENDED

    @property
    def alive(self) -> bool:
        """True if its thread exists."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Start, or continue after a pause, until the iterator ends."""
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
            if self.status == "running":
                self.status = "paused"
            self._changed.notify_all()

    def cancel(self) -> None:
        """End before the next item; returns at once."""
        with self._changed:
            if self.status in ENDED:
                return
            started = self.status != "new"
            self.status = "cancelled"
            self._changed.notify_all()
        if not started:
            self._close()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the thread has ended, at most `timeout` seconds; whether it has."""
        if self._thread is not None:
            self._thread.join(timeout)
        return not self.alive

    def call(self, function: Callable[[], T]) -> Future[T]:
        """Run `function` between two items on the worker, or here if there is none; returns its future.

        It is run earlier where the iterator calls `attend`.
        """
        future: Future[T] = Future()
        with self._changed:
            waiting = self.alive and self.status not in ENDED
            if waiting:
                self._calls.append((future, function))
                self._changed.notify_all()
        if not waiting:
            self.join()
            background.fulfil(future, function)
        return future

    def add(self, event: E) -> None:
        """Add an event that the iterator did not make to the next drain."""
        with self._changed:
            if len(self._buffer) == self._buffer.maxlen:
                self._dropped += 1
            self._buffer.append(event)

    def drain(self) -> Drained[E]:
        """Take the events since the last drain."""
        with self._changed:
            events, dropped = list(self._buffer), self._dropped
            self._buffer.clear()
            self._dropped = 0
            return Drained(self.status, events, dropped, self.error)

    def _allow(self, n: int) -> None:
        with self._changed:
            if self.status in ENDED:
                return
            self._credit = n
            self.status = "running"
            if self._thread is None:
                self._thread = background.start(self._work, self._name, self._nice)
            self._changed.notify_all()

    def _work(self) -> None:
        try:
            while self._may_go_on():
                item = next(self._items, _END)
                with self._changed:
                    if item is _END:
                        self._end("done")
                        break
                    self.add(item)  # pyright: ignore[reportArgumentType] - not _END, which has no type
                    self._credit -= self._credit > 0
                    if self._credit == 0 and self.status == "running":
                        self.status = "paused"
        except BaseException as error:  # shown to whoever drains, not lost with the thread
            with self._changed:
                self.error = error
                self._end("failed")
        finally:
            self._close()
            self._run_calls()

    def _may_go_on(self) -> bool:
        """Apply pending commands, wait while paused, and return whether to draw another item."""
        while True:
            self._run_calls()
            with self._changed:
                if self.status in ENDED:
                    return False
                if self.status == "running" and not self._calls:
                    return True
                if not self._calls:
                    self._changed.wait()

    def attend(self) -> None:
        """Run what was asked for meanwhile: for an iterator whose items take long, on the worker."""
        self._run_calls()

    def _run_calls(self) -> None:
        while True:
            with self._changed:
                if not self._calls:
                    return
                call = self._calls.popleft()
            background.fulfil(*call)

    def _end(self, status: Status) -> None:
        if self.status not in ENDED:
            self.status = status

    def _close(self) -> None:
        """Run the clean-up of a generator."""
        close = getattr(self._items, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close()


_END: Any = object()
