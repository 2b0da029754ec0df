"""Pages shown after errors on the server: a message, without the error and the server's folders.

Panel shows the traceback of a page that could not be made on it, and answers that all is well; Bokeh sends
that of a message back. What a user sees of an error cannot be set
(https://github.com/bokeh/bokeh/issues/6884).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import panel as pn
from bokeh.server.views.doc_handler import DocHandler
from bokeh.server.views.ws import WSHandler
from panel.viewable import Viewable

from lrbn_viz.app.host import NotServedError, words_page
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


class FailingPage(DocHandler):
    """Handler of a page, which gives one that could not be made its status."""

    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Answer with the page."""
        made: Any = super().get(*args, **kwargs)  # a coroutine, as Bokeh's decorator does not say
        await made
        if self.request.connection in _failed:
            self.set_status(500)


class FailureInWords(WSHandler):
    """Websocket whose answers to messages that failed contain words alone."""

    async def send_message(self, message: Any) -> None:
        """Send a message; of an error without its traceback."""
        if message.msgtype == "ERROR":
            message.content = {"text": MESSAGE_FAILED}
        await super().send_message(message)
