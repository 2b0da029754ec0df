"""Fair sharing of the server's event loop: pages are made one after another, and no visitor's messages can
keep all others waiting.

The loop is one thread. Without fair sharing, a client that sends messages as fast as they are answered, or
requests many pages at once, would occupy all of it. Bokeh itself does synchronous work on the loop
(https://github.com/bokeh/bokeh/issues/15294).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from bokeh.application.handlers import Handler
from bokeh.server.views.ws import WSHandler

_log = logging.getLogger(__name__)

SHARE = 0.25
"""Share of the loop's time that one visitor's messages may take while others are there."""
BURST_SECONDS = 0.5
"""Time that a visitor may take at once before the share counts: a stroke of a pen takes less."""
BUSY_SECONDS = 0.002
"""A message that takes longer shows that somebody is there; shorter ones, such as signs of life, do not."""
VISITOR = "lrbn_visitor"
"""Attribute of a request with its client's id, if visitors are distinguished: all pages of one share a
turn."""
ACTIVE_SECONDS = 3.0
"""Seconds after a message during which a visitor counts as active."""
MAX_PAUSE = 1.0
"""Seconds that one message waits at most for its visitor's share."""
PAGE_REST_FACTOR = 2.0
"""After a page the loop is free of pages for so many times as long as that one took.

Beside visitors who ask for 24 pages at once, flood the server and send bombs, a picked image took 90 to
180 ms in the median with 1, and takes 60 to 95 ms with 2; the 24 pages took 8 to 10 s, and take 11 to 15 s.
"""


Handle = Callable[[Any], Coroutine[Any, Any, None]]


class Budget:
    """The time that one visitor's messages may still take: it is used by work, and grows by the clock.

    Parameters
    ----------
    now : float
        The time at which it begins, seconds.
    """

    def __init__(self, now: float) -> None:
        self._left, self._at = BURST_SECONDS, now

    def pause_after(self, seconds: float, now: float) -> float:
        """Return how long the next message has to wait, seconds, after one that took `seconds`.

        Parameters
        ----------
        seconds : float
            What the message took.
        now : float
            When it was done, by the clock of the first call.
        """
        # Work that was charged while the message was handled counts too.
        self._left = min(BURST_SECONDS, self._left + SHARE * (now - self._at)) - seconds
        self._at = now
        return min(MAX_PAUSE, max(0.0, -self._left / SHARE))


class MessageTurns:
    """Shares the event loop among the messages of all websockets of this process."""

    def __init__(self) -> None:
        self._budgets: WeakKeyDictionary[Any, Budget] = WeakKeyDictionary()
        self._last: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        self._of_visitors: WeakValueDictionary[str, Budget] = WeakValueDictionary()

    def _budget(self, connection: Any, now: float) -> Budget:
        """Return a connection's budget, which is that of all connections of its visitor."""
        found = self._budgets.get(connection)
        if found is None:
            name = _visitor_of(connection)
            found = self._budgets[connection] = self._of_visitors.get(name) or Budget(now)
            if name:
                self._of_visitors[name] = found
        return found

    def charge(self, visitor: str, seconds: float, now: float) -> float:
        """Take what was done later for a message from a visitor's budget; return as `pause` does."""
        budget = self._of_visitors.get(visitor)
        return 0.0 if budget is None else self._pause(budget, seconds, now)

    async def take(self, connection: Any, fragment: Any, handle: Handle) -> None:
        """Have a websocket's message handled, and wait for its visitor's next turn.

        Tornado reads no further from a socket before this is done, so what waits stays with its sender.
        """
        if connection.ws_connection is None:
            return  # it has left; what it had sent before waits still: each would be an error in the log
        began = time.monotonic()
        await handle(fragment)
        # Also where it is 0: with more to read, Tornado would go on without asking the loop.
        await asyncio.sleep(self.pause(connection, began, time.monotonic()))

    def pause(self, connection: Any, began: float, now: float) -> float:
        """Return the seconds that a connection has to wait after a message; 0 if nobody else is active."""
        seconds = now - began
        if seconds >= BUSY_SECONDS:
            self._last[connection] = now
        return self._pause(self._budget(connection, began), seconds, now)

    def _pause(self, budget: Budget, seconds: float, now: float) -> float:
        pause = budget.pause_after(seconds, now)
        others = any(
            now - last < ACTIVE_SECONDS
            for other, last in list(self._last.items())
            if self._budgets.get(other) is not budget
        )
        return pause if others else 0.0


def _visitor_of(asking: Any) -> str:
    """Return the id of the client that made a request; empty if visitors are not distinguished."""
    return getattr(getattr(getattr(asking, "request", None), VISITOR, None), "id", "")


class PageTurns(Handler):
    """Makes pages one after another; after each, `PAGE_REST_FACTOR` times its time is kept free of pages."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = asyncio.Lock()
        self._free_at = 0.0

    def modify_document(self, doc: Any) -> None:
        """Add nothing: this handler is there for what comes before."""

    async def on_session_created(self, session_context: Any) -> None:
        """Wait until a page may be made. It is made at once then, before the loop does anything else."""
        await self._turn.acquire()
        try:
            while (wait := self._free_at - time.monotonic()) > 0:
                await asyncio.sleep(wait)
        except BaseException:
            self._turn.release()
            raise
        asyncio.get_running_loop().call_soon(self._made, time.monotonic())

    def _made(self, began: float) -> None:
        now = time.monotonic()
        self._free_at = now + PAGE_REST_FACTOR * (now - began)
        # Not before: other pages may be next in the loop's queue, and would not know yet how long to wait.
        self._turn.release()


def charge_later_work(document: Any) -> Callable[[float], float]:
    """Return a function that charges seconds used outside of a message's turn to the budget of a page's
    visitor.

    It returns how long the visitor's next message has to wait.
    """
    visitor = _visitor_of(None if document is None else document.session_context)
    return lambda seconds: _messages.charge(visitor, seconds, time.monotonic())


_messages = MessageTurns()
_pages = PageTurns()
_applications: WeakSet[Any] = WeakSet()


def share_pages(session_context: Any) -> None:
    """Make the pages of a session's application take turns from now on."""
    try:
        application = session_context.server_context.application_context.application
        if application not in _applications:
            application.add(_pages)
            _applications.add(application)
    except AttributeError as error:
        _log.debug("pages take no turns: %s", error)


class InTurn(WSHandler):
    """Websocket whose messages take turns with those of all others of this process."""

    async def on_message(self, fragment: str | bytes) -> None:
        """Handle a message, and wait for the visitor's next turn."""
        await _messages.take(self, fragment, super().on_message)
