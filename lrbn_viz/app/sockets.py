"""How messages leave: at once, and whole.

Bokeh offers no public way to its sockets, so a change in its private names makes all of this do nothing.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import panel as pn

_log = logging.getLogger(__name__)

_CORK: int | None = getattr(socket, "TCP_CORK", None)  # Linux


def send_small_packets_at_once(session_context: Any) -> int:
    """Switch Nagle's algorithm off on the websockets of a Bokeh session, for answers without its 40 ms wait.

    Returns
    -------
    int
        Number of sockets set.
    """
    done = 0
    try:
        for connection in session_context.session._subscribed_connections:
            connection._socket.set_nodelay(True)
            done += 1
    except (AssertionError, AttributeError, OSError) as error:
        _log.debug("TCP_NODELAY not set: %s", error)
    return done


@contextmanager
def in_one_piece() -> Iterator[None]:
    """Let what is written to the current page within go out together when it ends.

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
        connections = document.session_context.session._subscribed_connections
        return [connection._socket.ws_connection.stream.socket for connection in connections]
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
