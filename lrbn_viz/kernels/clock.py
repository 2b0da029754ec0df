"""A clock that stands still while its thread compiles kernels."""

from __future__ import annotations

import threading
import time
from typing import Any

from numba.core import event


class _Compilation(event.Listener):
    """Sums, by thread, the time in which Numba compiles or loads code, or waits for a thread that does."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    def on_start(self, event: Any) -> None:
        """Begin to count; compilations within a compilation belong to it."""
        mine = self._of_thread
        mine.depth = getattr(mine, "depth", 0) + 1
        if mine.depth == 1:
            mine.began = time.perf_counter()

    def on_end(self, event: Any) -> None:
        """End what `on_start` began."""
        mine = self._of_thread
        mine.depth = getattr(mine, "depth", 0) - 1
        if mine.depth == 0:
            mine.seconds = self.seconds + time.perf_counter() - mine.began

    @property
    def seconds(self) -> float:
        """Return the seconds of the calling thread so far."""
        return getattr(self._of_thread, "seconds", 0.0)


_compilation = _Compilation()
event.register("numba:compiler_lock", _compilation)  # Numba holds this lock whenever it compiles or loads


def compiling_seconds() -> float:
    """Return the seconds in which the calling thread has compiled kernels so far."""
    return _compilation.seconds


def seconds_without_compiling() -> float:
    """Return seconds by the clock, less those in which the calling thread compiled kernels.

    A difference of two readings in one thread is the time that the work between them would have taken with
    compiled kernels. On a first start the compilation takes longer than a short training.
    """
    return time.perf_counter() - compiling_seconds()
