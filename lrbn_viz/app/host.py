"""Interface of the pages to the server that runs them.

The class `Host` is that of the owner's own machine: no limits, full access, and an unchanged Panel server.
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
    """Error of a page that is not served; its message can be shown instead."""


class Host:
    """The server as the pages see it; the methods of this class are those of the owner's own machine."""

    def make(self, build: Callable[[], Viewable]) -> Viewable:
        """Return the page that `build` makes, or a page with a message."""
        try:
            return build()
        except NotServedError as error:
            _log.error("%s", error)
            if pn.state.curdoc is None:
                raise
            return words_page(str(error))

    def admit(self) -> Visitor:
        """Return the visitor who requests the current page.

        Raises
        ------
        NotServedError
            The page is served to the owner only, and the request comes from somebody else.
        """
        request = current_request()
        if request is None or not isinstance(getattr(request, "connection", None), HTTPConnection):
            return HOME  # no server, or another kind, such as Jupyter's, which authenticates users itself
        others = pn.config.basic_auth or pn.config.oauth_provider or os.environ.get(SHARED_VARIABLE) == "0"
        if others or not comes_from_here(request):
            raise NotServedError(ONLY_OWNER)
        return HOME

    def trusts(self, application: Any) -> bool:
        """Return whether a page may keep the websocket that it opened on this Tornado application."""
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
        """Process a message of a page; of several waiting messages with equal keys only the newest."""
        answer()

    def time_message(self, component: str) -> AbstractContextManager[None]:
        """Return a context within which a message to a component of this class is handled."""
        return nullcontext()

    def count_error(self, where: str) -> None:
        """Count an error that was reported on a page."""

    def kept_address(self, content: bytes, name: str, kind: str) -> str | None:
        """Return the address at which the current page can request a file, for the browser's permanent cache.

        None if no server keeps files: then the content itself is sent.

        Parameters
        ----------
        content : bytes
        name : str
            Last part of the address: letters, digits, dots, dashes and underscores.
        kind : str
            Media type, such as ``"text/javascript"``.
        """
        return None

    def head(self, document: Any) -> Any:
        """Return the files that a page loads first, for `head.TEMPLATE`; None: those that Panel lists."""
        return None

    def note_scripts(self, html: str, own_scripts: tuple[str, ...], context: dict[str, Any]) -> None:
        """Register a rendered page, with its template's own inline scripts and its context."""


_current: list[Host] = [Host()]


def host() -> Host:
    """Return the host of this process."""
    return _current[0]


def set_host(new: Host) -> None:
    """Set the host of this process; before its first page."""
    _current[0] = new


def words_page(words: str) -> Viewable:
    """Return a page that contains one sentence, to be served instead of the requested one."""
    document: Any = pn.state.curdoc
    document.template = _WORDS
    document.template_variables["words"] = words
    return pn.Spacer()


def current_request() -> Any:
    """Return the request for the current page; None without one."""
    document: Any = pn.state.curdoc
    context = None if document is None else document.session_context
    return None if context is None else context.request


def require_one_process() -> None:
    """Raise `NotServedError` if this is one of several processes of a server, as Tornado counts them."""
    if task_id() is not None:
        raise NotServedError(ONE_PROCESS)
