"""Limit on the messages of one page answered per second: if they come too fast, the newest counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any

_MAX_WAITING = 100
"""Messages of different kinds that wait at most; the oldest are given up."""
_BURST_SECONDS = 1.0
"""Seconds' worth of messages that may come at once."""

_of_documents: dict[Any, Pace] = {}


class Pace:
    """The pace of one page.

    Parameters
    ----------
    a_second : float
        Messages that are answered.
    later : callable
        Has a function called in some seconds, both of which it takes.
    reached : callable
        Called when a message has to wait.
    charge : callable
        Told how many seconds were used for one that had waited; returns how many the next has to wait at
        least.
    clock : callable, optional
        Seconds.
    """

    def __init__(
        self,
        a_second: float,
        later: Callable[[Callable[[], None], float], object],
        reached: Callable[[], None] = lambda: None,
        charge: Callable[[float], float] = lambda seconds: 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._a_second, self._later, self._reached, self._clock = a_second, later, reached, clock
        self._charge = charge
        self._left, self._at = self._full, clock()
        self._waiting: dict[Hashable, Callable[[], None]] = {}

    @property
    def _full(self) -> float:
        return max(1.0, _BURST_SECONDS * self._a_second)

    def take(self, key: Hashable, answer: Callable[[], None]) -> None:
        """Answer a message now, or at its turn, unless a newer one of its key arrives before."""
        if not self._waiting and self._may():
            answer()
            return
        if not self._waiting:
            self._later(self._go_on, 1.0 / self._a_second)
            self._reached()
        self._waiting.pop(key, None)
        self._waiting[key] = answer
        if len(self._waiting) > _MAX_WAITING:
            del self._waiting[next(iter(self._waiting))]

    def _may(self) -> bool:
        now = self._clock()
        self._left = min(self._full, self._left + self._a_second * (now - self._at))
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def _go_on(self) -> None:
        """Answer the message that has waited longest: one at a time, so that other work can run too."""
        pause = 0.0
        if self._may():
            answer, began = self._waiting.pop(next(iter(self._waiting))), self._clock()
            answer()
            pause = self._charge(self._clock() - began)
        if self._waiting:
            self._later(self._go_on, max(pause, 1.0 / self._a_second))


def set_pace(
    document: Any, a_second: float, reached: Callable[[], None], charge: Callable[[float], float]
) -> None:
    """Limit the pace of a page's messages from now on; the arguments are those of `Pace`."""
    if document is not None and a_second < float("inf"):
        _of_documents[document] = Pace(
            max(1.0, a_second),
            lambda go_on, seconds: document.add_timeout_callback(go_on, max(1, round(1000 * seconds))),
            reached,
            charge,
        )
        # A pace knows its document, so that no weak key would ever let go of them.
        document.on_session_destroyed(lambda _: _of_documents.pop(document, None))


def pace_of(document: Any) -> Pace | None:
    """Return the pace of a page; None where it has none."""
    return None if document is None else _of_documents.get(document)
