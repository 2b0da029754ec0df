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
from panel.viewable import Viewable
from tornado.web import RequestHandler

from lrbn_viz.app.host import NotServedError, words_page
from lrbn_viz.server.traffic.answers import before_sending
from lrbn_viz.server.traffic.headers import page_connection

_log = logging.getLogger(__name__)
_failed: WeakSet[Any] = WeakSet()  # connections on which such a page is asked for

MESSAGE_FAILED = "The server could not take this message. Its log says why."
"""Answer to an invalid message, or to one that ended in an error."""
PAGE_FAILED = (
    "Something went wrong on the server while it made this page. Reload it, or open it without settings: the "
    "address up to its question mark. The log of the server has the error."
)


def make_or_fail(build: Callable[[], Viewable]) -> Viewable:
    """Return the page that `build` makes; if it cannot be made, one that says so, with the status 500."""
    try:
        return build()
    except Exception as error:
        told = isinstance(error, NotServedError)
        if told:
            _log.error("%s", error)
        else:
            _log.exception("error while making a page")
        connection = page_connection()
        if connection is None or pn.state.curdoc is None:  # no visitor: whoever asks sees the error itself
            raise
        _failed.add(connection)
        return words_page(str(error) if told else PAGE_FAILED)


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
