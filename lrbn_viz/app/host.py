"""What the pages ask of the server around them.

`Host` answers for the owner on their own machine: no limit, full access, and a server as Panel makes it.
A server for many visitors sets another host before its first page; the app imports no such server.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import panel as pn
from jinja2 import Template
from panel.viewable import Viewable
from tornado.httputil import HTTPConnection
from tornado.process import task_id

from lrbn_viz.app.visitors.limits import NO_LIMITS, Limits
from lrbn_viz.app.visitors.local import SHARED_VARIABLE, comes_from_here, origins_are_local
from lrbn_viz.app.visitors.who import HOME, Visitor

_log = logging.getLogger(__name__)

ONE_PROCESS = (
    "The explorer runs in one process, which holds its sessions, its runs and what each visitor has taken of "
    "the limits; this server has several. Start it again without --num-procs."
)
ONLY_OWNER = (
    "This explorer serves only the machine that it runs on, without a proxy and without a login. To serve "
    "others, start it with lrbn-viz serve, or with panel serve and --plugins lrbn_viz.server."
)


_WORDS = Template(
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


class NotServedError(RuntimeError):
    """A page that is not made; the message may stand in its place."""


class Host:
    """The server as the pages see it; each method's default is that of the owner's own machine."""

    def make(self, build: Callable[[], Viewable]) -> Viewable:
        """Return the page that `build` makes, or words in its place."""
        try:
            return build()
        except NotServedError as error:
            _log.error("%s", error)
            if pn.state.curdoc is None:
                raise
            return words_page(str(error))

    def admit(self) -> Visitor:
        """Return who asks for the page that is being made.

        Raises
        ------
        NotServedError
            The page is made for nobody else than the owner, and somebody else asks.
        """
        request = current_request()
        if request is None or not isinstance(getattr(request, "connection", None), HTTPConnection):
            return HOME  # no server, or one of another make, such as Jupyter's, which asks who it is
        others = pn.config.basic_auth or pn.config.oauth_provider or os.environ.get(SHARED_VARIABLE) == "0"
        if others or not comes_from_here(request):
            raise NotServedError(ONLY_OWNER)
        return HOME

    def trusts(self, application: Any) -> bool:
        """Return whether a page that has opened its websocket on this Tornado application may keep it."""
        if origins_are_local(application.websocket_origins):
            return True
        _log.error("%s", ONLY_OWNER)
        return False

    def limits_of(self, visitor: Visitor) -> Limits:
        """Return the limits of a visitor."""
        return NO_LIMITS

    def begin_page(self, document: Any, visitor: Visitor) -> None:
        """Prepare the server for a page that is about to be made in `document`, which may be None."""

    def answer(self, document: Any, key: Hashable, answer: Callable[[], None]) -> None:
        """Answer a message of a page; of several with equal keys that have to wait, the newest counts."""
        answer()

    def time_message(self, component: str) -> AbstractContextManager[None]:
        """Return a context within which a message to a component of this class is handled."""
        return nullcontext()

    def count_error(self, where: str) -> None:
        """Take note of an error that was reported on a page."""

    def kept_address(self, content: bytes, name: str, kind: str) -> str | None:
        """Return the address at which the current page can request a file, for the browser's permanent cache.

        None if no server keeps files: then the content itself is sent.

        Parameters
        ----------
        content : bytes
        name : str
            What the address ends with: letters, digits, dots, dashes and underscores.
        kind : str
            Media type, such as ``"text/javascript"``.
        """
        return None

    def head(self, document: Any) -> Any:
        """Return what a page loads first, as `head.TEMPLATE` takes it; None: what Panel lists."""
        return None

    def note_scripts(self, html: str, own_scripts: tuple[str, ...], context: dict[str, Any]) -> None:
        """Take note of a page that was filled in, with its template's own inline scripts and its context."""


_current: list[Host] = [Host()]


def host() -> Host:
    """Return the host of this process."""
    return _current[0]


def set_host(new: Host) -> None:
    """Set the host of this process; before its first page."""
    _current[0] = new


def words_page(words: str) -> Viewable:
    """Return a page of one sentence, in the place of the one that is being made."""
    document: Any = pn.state.curdoc
    document.template = _WORDS
    document.template_variables["words"] = words
    return pn.Spacer()


def current_request() -> Any:
    """Return the request for the page that is being made; None without one."""
    document: Any = pn.state.curdoc
    context = None if document is None else document.session_context
    return None if context is None else context.request


def require_one_process() -> None:
    """Raise `NotServedError` if this is one of several processes of a server, as Tornado counts them."""
    if task_id() is not None:
        raise NotServedError(ONE_PROCESS)
