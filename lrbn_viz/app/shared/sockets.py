"""The websockets of a page: messages without delay and in one packet, older connections closed.

Nothing of Bokeh is replaced. Its sockets have no public interface: if their private names change, these
functions have no effect.
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


def _handlers(session_context: Any) -> list[Any]:
    """Return the handlers of a session's websockets, from a private attribute of Bokeh."""
    connections = session_context.session._subscribed_connections  # noqa: SLF001 - Bokeh has no public name
    return [connection._socket for connection in connections]  # noqa: SLF001 - Bokeh has no public name


def application_of(session_context: Any) -> Any:
    """Return the Tornado application of a Bokeh session's websocket; None if it has none."""
    try:
        return _handlers(session_context)[0].application
    except (AttributeError, IndexError):
        return None


def close_connections(session_context: Any) -> None:
    """Close all websockets of a Bokeh session."""
    for handler in _handlers(session_context):
        handler.close()


def send_small_packets_at_once(session_context: Any) -> int:
    """Disable Nagle's algorithm on the websockets of a Bokeh session, which delays answers by 40 ms.

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
    """Return a server's settings for signing session tokens, as ``generate_jwt_token`` takes them.

    Empty if the session has no websocket or another kind of server: then the environment's settings apply.
    """
    application = application_of(session_context)
    try:
        return {"secret_key": application.secret_key, "signed": application.sign_sessions}
    except AttributeError:
        return {}


@contextmanager
def in_one_piece() -> Iterator[None]:
    """Context manager that sends all data written to the current page in one packet at its end.

    A message consists of five websocket frames. Sent one by one, each would wake the browser, which on the
    same machine interrupts the server.
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
    except (AttributeError, OSError) as error:  # closed in the meantime
        _log.debug("TCP_CORK not set: %s", error)
        return False
    return True


def drop_older_connections(session_context: Any) -> int:
    """Close all websockets of a Bokeh session except the newest.

    A page that reconnected does not use its lost connection. If that died silently, the server still has it,
    and would wait for ever to write to it.

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
