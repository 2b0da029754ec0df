"""Screens of a class: the pages that follow it now, by a websocket or by requests that wait for a change."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

HOLD_SECONDS = 20.0
"""Longest time for which a request waits for a change; proxies end requests that wait for a minute."""
GRACE_SECONDS = 10.0
"""Time in which a page that polls asks again; it is there until then."""
MAX_SCREENS = 2000
"""Pages that follow a class at once."""

Tell = Callable[[], None]


class Screens:
    """Pages that follow a class; for one event loop.

    A page belongs to a seat, a browser of a student. Those of the lecturer have none, and are not counted.
    """

    def __init__(self) -> None:
        self._telling: dict[Tell, str | None] = {}
        self._polled: dict[str, float] = {}
        self._waiting: set[asyncio.Future[None]] = set()

    @property
    def is_full(self) -> bool:
        """Whether no further page can follow."""
        return len(self._telling) + len(self._waiting) >= MAX_SCREENS

    def add(self, tell: Tell, seat: str | None) -> None:
        """Call `tell` after each change from now on."""
        self._telling[tell] = seat

    def remove(self, tell: Tell) -> None:
        """Call it no more."""
        self._telling.pop(tell, None)

    def n_of(self, seat: str) -> int:
        """Return how many pages of a seat follow by websockets."""
        return Counter(self._telling.values())[seat]

    def asked(self, seat: str) -> None:
        """Take note that a page of a seat polls."""
        now = time.monotonic()
        if len(self._polled) >= MAX_SCREENS:
            self._polled = {each: at for each, at in self._polled.items() if self._is_recent(at, now)}
        if seat in self._polled or len(self._polled) < MAX_SCREENS:
            self._polled[seat] = now

    async def change(self) -> None:
        """Wait for a change, or for `HOLD_SECONDS`."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        try:
            await asyncio.wait([waiting], timeout=HOLD_SECONDS)
        finally:
            self._waiting.discard(waiting)

    def changed(self) -> None:
        """Tell all pages of a change."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        for tell in list(self._telling):
            tell()

    def seats(self) -> set[str]:
        """Return the seats that have a page now."""
        now = time.monotonic()
        told = {seat for seat in self._telling.values() if seat is not None}
        return told | {seat for seat, at in self._polled.items() if self._is_recent(at, now)}

    @staticmethod
    def _is_recent(at: float, now: float) -> bool:
        return now - at < HOLD_SECONDS + GRACE_SECONDS
