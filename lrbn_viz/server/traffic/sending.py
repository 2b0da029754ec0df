"""Faults of Panel's and Bokeh's sending, mended: what waits is sent, and a page that leaves is no error.

Both replace private functions, so a change in their names makes this do nothing.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from typing import Any
from weakref import WeakSet

from panel.io import document as writing
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError

_log = logging.getLogger(__name__)

_ours: WeakSet[Any] = WeakSet()
"""Functions that replace those of Panel, Bokeh and the loop; each replacement is made once."""


def send_all_that_waits() -> None:
    """Make Panel send changes that arrive while it sends; otherwise they wait for the page's next change."""
    try:
        send = writing._dispatch_msgs  # noqa: SLF001 - Panel has no public name
        waiting, taken = writing._WRITE_MSGS, writing._WRITE_BLOCK  # noqa: SLF001 - Panel has no public name
        begin = writing._dispatch_write_task  # noqa: SLF001 - Panel has no public name
    except AttributeError as error:
        _log.debug("messages are sent as Panel sends them: %s", error)
        return
    if send in _ours:
        return

    @functools.wraps(send)
    async def send_all(document: Any) -> None:
        await send(document)
        # what came meanwhile was put to the others, which had been taken already
        if document in waiting and document not in taken:
            taken[document] = True
            begin(document, send_all, document)

    _ours.add(send_all)
    writing._dispatch_msgs = send_all  # noqa: SLF001 - Panel calls it by this name


def part_once() -> None:
    """Make Bokeh's disconnection of a page happen only once.

    It does so where a sign of life finds the socket closed, and again when the socket says that it is; it
    asserts then that it had not.
    """
    from bokeh.server.views.ws import WSHandler

    part = getattr(WSHandler, "on_close", None)
    if part is None or part in _ours:
        return

    @functools.wraps(part)
    def part_if_not_yet(handler: Any) -> None:
        held = handler.connection
        if held is not None and getattr(held, "_session", held) is None:
            _log.debug("a page had left already")
            return
        part(handler)

    _ours.add(part_if_not_yet)
    WSHandler.on_close = part_if_not_yet  # pyright: ignore[reportAttributeAccessIssue] - a method, in effect


def forgive_pages_that_left() -> None:
    """Keep errors out of the log that arise when a page closes while something is written to it."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return  # a script
    before = loop.get_exception_handler()
    if before in _ours:
        return

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), WebSocketClosedError | StreamClosedError):
            _log.debug("a page left: %s", context.get("message"))
        elif before is None:
            loop.default_exception_handler(context)
        else:
            before(loop, context)

    _ours.add(handle)
    loop.set_exception_handler(handle)
