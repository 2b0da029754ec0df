"""Clocks of elapsed seconds and of CPU seconds that stop while their thread compiles kernels."""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

from numba.core import event


class _Taken(NamedTuple):
    """Elapsed time and CPU time, in seconds."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0


class _Compilation(event.Listener):
    """Sums, for each thread, the time in which Numba compiles or loads code, or waits for a thread that
    does.
    """

    def __init__(self) -> None:
        self._of_thread = threading.local()

    def on_start(self, event: Any) -> None:
        """Start counting; a compilation within another one is part of that one."""
        mine = self._of_thread
        mine.depth = getattr(mine, "depth", 0) + 1
        if mine.depth == 1:
            mine.began = _Taken(time.perf_counter(), time.thread_time())

    def on_end(self, event: Any) -> None:
        """Stop counting, and add the time since `on_start`."""
        mine = self._of_thread
        mine.depth = getattr(mine, "depth", 0) - 1
        if mine.depth == 0:
            before, began = self.taken, mine.began
            mine.taken = _Taken(
                before.seconds + time.perf_counter() - began.seconds,
                before.cpu_seconds + time.thread_time() - began.cpu_seconds,
            )

    @property
    def taken(self) -> _Taken:
        """Return the time of the calling thread so far."""
        return getattr(self._of_thread, "taken", _Taken())


_compilation = _Compilation()
event.register("numba:compiler_lock", _compilation)  # Numba holds this lock whenever it compiles or loads


def compiling_seconds() -> float:
    """Return the seconds in which the calling thread has compiled kernels so far."""
    return _compilation.taken.seconds


def seconds_without_compiling() -> float:
    """Return elapsed seconds, without those in which the calling thread compiled kernels.

    A difference of two readings in one thread is the time that the work between them would have taken with
    compiled kernels. On a first start the compilation takes longer than a short training.
    """
    return time.perf_counter() - compiling_seconds()


def cpu_seconds_without_compiling() -> float:
    """Return the CPU seconds of the process, without those in which the calling thread compiled kernels.

    A difference of two readings in one thread is what the work between them would have cost with compiled
    kernels, on however many threads. Waiting for a kernel that another thread compiles costs no CPU time.
    """
    return time.process_time() - _compilation.taken.cpu_seconds
