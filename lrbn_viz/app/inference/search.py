"""The search for other optima, on a thread, so that the page remains responsive."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from lrbn_viz.io.background import Executor, log_error

if TYPE_CHECKING:
    from lrbn_viz.measure.basins import Basins


class BasinSearch:
    """Searches for one question at a time, the newest next, with a cache of answers.

    Only one thread, that of the page, may call its methods.

    Parameters
    ----------
    remembered : int
        Number of cached answers.
    """

    def __init__(self, remembered: int = 8) -> None:
        self._remembered = remembered
        self._executor = Executor("basins")
        self._asked: OrderedDict[str, Future[Basins]] = OrderedDict()

    def known(self, key: str) -> Basins | None:
        """Return the answer to a question; None if it is not known yet."""
        future = self._asked.get(key)
        if future is None or not future.done() or future.exception() is not None:
            return None
        self._asked.move_to_end(key)
        return future.result()

    @property
    def busy(self) -> bool:
        """True if the thread is searching."""
        return any(not future.done() for future in self._asked.values())

    def ask(self, key: str, find: Callable[[], Basins]) -> None:
        """Call `find` on the thread, after the current question, and replace a waiting one."""
        for other, future in list(self._asked.items()):
            if future.cancel() or (future.done() and future.exception() is not None):
                del self._asked[other]
        if key in self._asked:
            return
        answered = [other for other, future in self._asked.items() if future.done()]
        for other in answered[: max(0, len(answered) + 1 - self._remembered)]:
            del self._asked[other]
        self._asked[key] = self._executor.submit(find)
        self._asked[key].add_done_callback(log_error)
