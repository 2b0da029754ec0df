"""The search for other optima, on a thread, so that a visitor need not wait for it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lrbn_viz.basins import Basins


class BasinSearch:
    """Answers one question at a time, the newest next, and remembers a few answers.

    The thread only puts what it finds where `known` looks; whoever asked comes back for it. It ends when
    there is nothing left to look for.

    Parameters
    ----------
    remembered : int
        Answers kept.
    """

    def __init__(self, remembered: int = 8) -> None:
        self._remembered = remembered
        self._lock = threading.Lock()
        self._found: OrderedDict[str, Basins] = OrderedDict()
        self._wanted: tuple[str, Callable[[], Basins]] | None = None
        self._looking: str | None = None

    def known(self, key: str) -> Basins | None:
        """Return the answer to a question, or None while there is none."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    @property
    def busy(self) -> bool:
        """Whether the thread is at work."""
        with self._lock:
            return self._looking is not None

    def ask(self, key: str, find: Callable[[], Basins]) -> None:
        """Have `find` called on the thread, after the question it is at, in place of one that waits."""
        with self._lock:
            if key in self._found or key == self._looking:
                self._wanted = None
                return
            self._wanted = (key, find)
            if self._looking is not None:
                return
            self._looking = key
        threading.Thread(target=self._run, name="basins", daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._lock:
                if self._wanted is None:
                    self._looking = None
                    return
                self._looking, find = self._wanted
                self._wanted = None
                key = self._looking
            try:
                found = find()
            except BaseException:
                with self._lock:
                    self._looking = self._wanted = None
                raise
            with self._lock:
                self._found[key] = found
                while len(self._found) > self._remembered:
                    self._found.popitem(last=False)
