"""Sending of messages: at once, and in one piece.

Bokeh offers no public way to its sockets, so a change in its private names makes all of this do nothing.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import panel as pn
from panel.io import document as writing
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError

_log = logging.getLogger(__name__)

_ours: WeakSet[Any] = WeakSet()
"""Functions that replace those of Panel, Bokeh and the loop; each replacement is made once."""
_CORK: int | None = getattr(socket, "TCP_CORK", None)  # Linux


def _handlers(session_context: Any) -> list[Any]:
    """Return the handlers of a session's websockets, for which Bokeh has no public name."""
    connections = session_context.session._subscribed_connections  # noqa: SLF001 - Bokeh has no public name
    return [connection._socket for connection in connections]  # noqa: SLF001 - Bokeh has no public name


def send_small_packets_at_once(session_context: Any) -> int:
    """Switch Nagle's algorithm off on the websockets of a Bokeh session, for answers without its 40 ms wait.

    Returns
    -------
    int
        Number of sockets set.
    """
    done = 0
    try:
        for handler in _handlers(session_context):
            handler.set_nodelay(True)
            done += 1
    except (AssertionError, AttributeError, OSError) as error:
        _log.debug("TCP_NODELAY not set: %s", error)
    return done


def signing_of(session_context: Any) -> dict[str, Any]:
    """Return how a server signs the tokens of its sessions, as ``generate_jwt_token`` takes it.

    Empty where the session has no websocket, or the server is of another make: as the environment says.
    """
    try:
        application = _handlers(session_context)[0].application
        return {"secret_key": application.secret_key, "signed": application.sign_sessions}
    except (AttributeError, IndexError):
        return {}


@contextmanager
def in_one_piece() -> Iterator[None]:
    """Send everything that is written to the current page within the context together at its end.

    A message is five frames of the websocket. One by one, each wakes the browser, which on the same machine
    takes the processor from who writes the next.
    """
    corked = [each for each in _sockets() if _cork(each, True)]
    try:
        yield
    finally:
        for each in corked:
            _cork(each, False)


def _sockets() -> list[socket.socket]:
    document: Any = pn.state.curdoc
    try:
        handlers = _handlers(document.session_context)
        return [handler.ws_connection.stream.socket for handler in handlers]
    except AttributeError as error:
        _log.debug("no sockets found: %s", error)
        return []


def _cork(each: socket.socket, on: bool) -> bool:
    if _CORK is None:
        return False
    try:
        each.setsockopt(socket.IPPROTO_TCP, _CORK, on)
    except (AttributeError, OSError) as error:  # closed meanwhile
        _log.debug("TCP_CORK not set: %s", error)
        return False
    return True


def drop_older_connections(session_context: Any) -> int:
    """Close the websockets of a Bokeh session but the newest.

    A page that came back has no use for the one it lost. If a connection died silently, the server still has
    it, and would wait for ever to write to it.

    Returns
    -------
    int
        Number of websockets closed.
    """
    done = 0
    try:
        handlers = _handlers(session_context)
        handlers.sort(key=lambda handler: handler.request.request_time())
        for handler in handlers[1:]:
            handler.ws_connection.stream.close()
            done += 1
    except AttributeError as error:
        _log.debug("older connections not closed: %s", error)
    return done


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


def _part_once() -> None:
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
    _part_once()
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
