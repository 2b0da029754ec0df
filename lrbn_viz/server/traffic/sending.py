"""Faults of sending to pages, mended: what waits is sent, and a page that leaves is no error."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError

_log = logging.getLogger(__name__)

_ours: WeakSet[Any] = WeakSet()
"""Handlers of errors that loops were given; each loop is given one."""


def all_that_waits(send: Callable[..., Any], writing: Any) -> Callable[..., Any]:
    """Return Panel's sending of what waits, made to send also what arrives meanwhile.

    Otherwise that waits for the page's next change.

    Parameters
    ----------
    send : callable
        Sends what waits for a document; a coroutine.
    writing : module
        Has what waits, which documents are being sent to, and the function that begins to send.
    """

    @functools.wraps(send)
    async def send_all(document: Any) -> None:
        await send(document)
        # what came meanwhile was put to the others, which had been taken already
        if document in writing._WRITE_MSGS and document not in writing._WRITE_BLOCK:  # noqa: SLF001 - no public name
            writing._WRITE_BLOCK[document] = True  # noqa: SLF001 - no public name
            writing._dispatch_write_task(document, send_all, document)  # noqa: SLF001 - no public name

    return send_all


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
