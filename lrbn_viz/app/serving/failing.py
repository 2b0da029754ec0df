"""Pages shown after errors on the server: a message, without the error and the server's folders.

Panel shows the traceback of a page that could not be made on it, and answers that all is well; Bokeh sends
that of a message back.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import panel as pn
from jinja2 import Template
from panel.viewable import Viewable
from tornado.process import task_id
from tornado.web import RequestHandler

from lrbn_viz.app.shared.server.answers import before_sending
from lrbn_viz.app.shared.server.headers import page_connection

_log = logging.getLogger(__name__)
_failed: WeakSet[Any] = WeakSet()  # connections on which such a page is asked for

MESSAGE_FAILED = "The server could not take this message. Its log says why."
"""Answer to an invalid message, or to one that ended in an error."""
PAGE_FAILED = (
    "Something went wrong on the server while it made this page. Reload it, or open it without settings: the "
    "address up to its question mark. The log of the server has the error."
)
ONE_PROCESS = (
    "The explorer runs in one process, which holds its sessions, its runs and what each visitor has taken of "
    "the limits; this server has several. Start it again without --num-procs."
)

_PAGE = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>lrbn_viz</title>
</head>
<body>
<p>{{ words | e }}</p>
</body>
</html>
"""
)


class ServerSetupError(RuntimeError):
    """A server was started as the explorer cannot be served; its words may stand on a page."""


def failing_in_words(build: Callable[[], Viewable]) -> Callable[[], Viewable]:
    """Return what makes the same page, and one that says so, with the status 500, where it cannot be made.

    If the server has several processes, there is no other page: a page, its websocket and its files come from
    any of them, and each would know of its own visitors and runs alone.
    """
    answer_failures()

    @functools.wraps(build)
    def page() -> Viewable:
        try:
            _require_one_process()
            return build()
        except Exception as error:
            if isinstance(error, ServerSetupError):
                _log.error("%s", error)
            else:
                _log.exception("error while making a page")
            connection = page_connection()
            if (
                connection is None or pn.state.curdoc is None
            ):  # no visitor: whoever asks sees the error itself
                raise
            _failed.add(connection)
            pn.state.curdoc.template = _PAGE
            words = str(error) if isinstance(error, ServerSetupError) else PAGE_FAILED
            pn.state.curdoc.template_variables["words"] = words
            return pn.Spacer()

    return page


def _require_one_process() -> None:
    """Raise where this is one of several processes of a server, by Tornado's number of it."""
    if task_id() is not None:
        raise ServerSetupError(ONE_PROCESS)


def answer_failures() -> None:
    """Give answers with an error page their status before other code reads it.

    An answer to a message that failed then holds words alone.
    """
    before_sending(_say)
    _answer_messages_in_words()


@functools.cache
def _answer_messages_in_words() -> None:
    from bokeh.server.connection import ServerConnection

    connections: Any = ServerConnection  # of which Bokeh says more than holds of ours
    error = connections.error

    @functools.wraps(error)
    def in_words(connection: Any, message: Any, text: str) -> Any:
        answer = error(connection, message, text)
        answer.content = {"text": MESSAGE_FAILED}
        return answer

    connections.error = in_words


def _say(handler: RequestHandler) -> None:
    """Set the status of an answer with such a page."""
    if handler.request.connection in _failed:
        handler.set_status(500)
