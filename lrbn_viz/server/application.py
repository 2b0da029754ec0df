"""The Tornado application of a server for many visitors: Bokeh's, with this package's gate and handlers.

It uses Tornado's and Bokeh's public interfaces: arguments, transforms of answers, and methods that
subclasses may override. `patches` makes Bokeh's servers use it.
"""

from __future__ import annotations

import functools
from typing import Any

from bokeh.server.tornado import DEFAULT_KEEP_ALIVE_MS, BokehTornado
from bokeh.server.views.doc_handler import DocHandler
from bokeh.server.views.ws import WSHandler
from bokeh.settings import settings
from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler

from lrbn_viz.server.failing import FailingPage, FailureInWords
from lrbn_viz.server.traffic.answers import acts_on, mark_page
from lrbn_viz.server.traffic.fairness import InTurn
from lrbn_viz.server.traffic.files import PackedPages
from lrbn_viz.server.traffic.log_limit import limit_log
from lrbn_viz.server.visitors.gate import Cookies, Gate, Stamp, cookies_of
from lrbn_viz.server.visitors.serving import Serving, serving
from lrbn_viz.server.visitors.tokens import Signer


class ServedApplication(BokehTornado):
    """Application whose requests pass a gate, and whose pages, sockets and answers are this package's.

    Parameters
    ----------
    applications : Any
        As of Bokeh's class.
    **options
        As of Bokeh's class.
    """

    def __init__(self, applications: Any, **options: Any) -> None:
        how = serving()
        signer = Signer(how.secret())
        super().__init__(applications, **_completed(options, how, signer))
        self.gate = Gate(self, how, signer)
        for transform in (acts_on(self), Cookies, PackedPages):
            self.add_transform(transform)
        for context in self.applications.values():
            context.application.add(Stamp())
        if how.shared is not True:
            limit_log(how.limits.log_lines_a_second)

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """Return what handles a request; none of Bokeh's or Panel's handlers if the gate refuses it."""
        stopped = self.gate.stop(request)
        if stopped is not None:
            return self.get_handler_delegate(request, *stopped)
        return super().find_handler(request, **kwargs)

    def get_handler_delegate(
        self, request: HTTPServerRequest, target_class: type[RequestHandler], *arguments: Any, **named: Any
    ) -> Any:
        """Return what handles a request by a class; pages and sockets have this package's part of it."""
        if issubclass(target_class, DocHandler):
            mark_page(request)
            target_class = _before(FailingPage, target_class)
        elif issubclass(target_class, WSHandler):
            target_class = _before(_Socket, target_class)
        return super().get_handler_delegate(request, target_class, *arguments, **named)


class _Socket(InTurn, FailureInWords):
    """Websocket of a page."""


@functools.cache
def _before(part: type, handler: type[RequestHandler]) -> type[RequestHandler]:
    """Return the class of a handler, such as Panel's, with a part whose methods come first."""
    return type(handler.__name__, (part, handler), {"__module__": handler.__module__})


def _completed(options: dict[str, Any], how: Serving, signer: Signer) -> dict[str, Any]:
    """Return the arguments of a server with those that the operator has not chosen."""
    found = dict(options)
    if how.shared is not True and not found.get("sign_sessions", settings.sign_sessions()):
        # Nobody can invent the id of a session.
        found.update(sign_sessions=True, secret_key=signer.session_secret())
    # Bokeh writes cookies into pages, where scripts could read them.
    for kind, names in (("cookies", cookies_of(signer)), ("headers", ("Cookie",))):
        if found.get(f"include_{kind}") is None:
            found[f"exclude_{kind}"] = [*(found.get(f"exclude_{kind}") or ()), *names]
    alive = found.get("keep_alive_milliseconds", DEFAULT_KEEP_ALIVE_MS)
    if alive > 0:
        # Tornado's own signs of life: Bokeh's part with a page that they find closed, and it parts again when
        # the socket says so, which is an error (https://github.com/bokeh/bokeh/issues/13654).
        # A proxy that answers none keeps its pages, as with Bokeh's: no answer is waited for.
        found.update(
            keep_alive_milliseconds=0, websocket_ping_interval=alive / 1000, websocket_ping_timeout=0
        )
    return found
