"""Routes of a server beside the pages: health and metrics; also for `panel serve`, as a plug-in.

``panel serve apps/explorer.py --plugins lrbn_viz.app.serving.routes`` has them at once.
Without the plug-in a server has it once it has answered with its first page.
"""

from __future__ import annotations

from weakref import WeakSet

from bokeh.server.tornado import BokehTornado
from bokeh.server.views.doc_handler import DocHandler
from tornado.web import RequestHandler

from lrbn_viz.app.serving.failing import answer_failures
from lrbn_viz.app.serving.health import READINESS
from lrbn_viz.app.serving.health import ROUTES as HEALTH
from lrbn_viz.app.serving.metrics import Metrics
from lrbn_viz.app.shared.server.answers import before_sending
from lrbn_viz.app.shared.server.observed import observe_answers

ROUTES = [*HEALTH, (r"/metrics", Metrics)]
"""Handlers by address below the server's prefix."""
_joined: WeakSet[BokehTornado] = WeakSet()


def watch_servers() -> None:
    """Count what this process's servers answer, and let them answer for `ROUTES` from their first page on."""
    answer_failures()
    observe_answers()
    before_sending(_join)


def _join(handler: RequestHandler) -> None:
    """Record a page, and add the routes to the server that serves it."""
    if not isinstance(handler, DocHandler) or handler.get_status() != 200:
        return
    READINESS.note_page()
    application = handler.application
    if isinstance(application, BokehTornado) and application not in _joined:
        _joined.add(application)
        routes = [(f"{application.prefix}{path}", answer) for path, answer in ROUTES]
        application.add_handlers(r".*", routes)
