"""Limit on the lines of the log per second, so that refused requests cannot fill a disk."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable


class LogLimit(logging.Filter):
    """Passes a limited number of lines per second, and reports the number of omitted ones.

    Parameters
    ----------
    a_second : float
    clock : callable, optional
        Seconds.
    """

    def __init__(self, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._a_second, self._clock = a_second, clock
        self._lock = threading.Lock()
        self._began, self._written, self._left_out = clock(), 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        with self._lock:
            now = self._clock()
            if now - self._began >= 1.0:
                self._began, self._written = now, 0
            if self._written >= self._a_second:
                self._left_out += 1
                return False
            self._written += 1
            left_out, self._left_out = self._left_out, 0
        if left_out:
            record.msg, record.args = f"{record.getMessage()} [{left_out:,} lines before were left out]", ()
        return True


def limit_log(a_second: float) -> None:
    """Limit the output of the existing handlers."""
    handlers = [*logging.getLogger().handlers, *([logging.lastResort] if logging.lastResort else [])]
    for handler in handlers:
        if not any(isinstance(each, LogLimit) for each in handler.filters):
            handler.addFilter(LogLimit(a_second))
