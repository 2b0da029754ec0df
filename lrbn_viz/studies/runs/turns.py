"""Turns of training: an owner of runs always has one thread that works, and more while cores are free.

Each run has a thread of its own. Without turns, somebody with three runs would train three times as much as
somebody with one. A turn is one step of training, which is not interrupted.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class FairTurns:
    """Gives out turns by owner; runs of one owner take theirs one after another.

    Parameters
    ----------
    places : int, optional
        Turns at a time, before an owner waits who has one already; the machine's cores by default.
    """

    def __init__(self, places: int | None = None) -> None:
        self._places = places or os.cpu_count() or 1
        self._changed = threading.Condition()
        self._working: Counter[str] = Counter()
        self._waiting: list[tuple[str, object]] = []

    @contextmanager
    def turn(self, owner: str) -> Iterator[None]:
        """Wait for a turn, and have it within."""
        ticket = (owner, object())
        with self._changed:
            self._waiting.append(ticket)
            self._changed.wait_for(lambda: self._is_next(ticket))
            self._waiting.remove(ticket)
            self._working[owner] += 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._working[owner] -= 1
                self._working += Counter()  # forget who has none
                self._changed.notify_all()

    def _is_next(self, ticket: tuple[str, object]) -> bool:
        owner = ticket[0]
        first = next(each for each in self._waiting if each[0] == owner)
        return first is ticket and (not self._working[owner] or self._working.total() < self._places)
