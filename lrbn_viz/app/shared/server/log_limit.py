"""How many lines of the log are written a second: nobody fills a disk by what he is refused."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable


class LogLimit(logging.Filter):
    """Lets so many lines a second through, and says how many it left out.

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
        """Whether a line is written."""
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
    """Limit what those handlers write that there are now."""
    handlers = [*logging.getLogger().handlers, *([logging.lastResort] if logging.lastResort else [])]
    for handler in handlers:
        if not any(isinstance(each, LogLimit) for each in handler.filters):
            handler.addFilter(LogLimit(a_second))
