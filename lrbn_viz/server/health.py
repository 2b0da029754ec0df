"""Health checks of a server, whether it is alive and ready, for its operators.

A server is alive if it answers at all. It is ready if it has compiled its kernels and answers with a page; it
requests one from itself if there was no recent request.
"""

from __future__ import annotations

import time
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.web import RequestHandler

from lrbn_viz.app.warmup import is_warm, warm_up

PAGE_SECONDS = 60.0
"""Seconds during which a served page counts as evidence that pages are served."""
ASK_SECONDS = 20.0
"""A page that takes longer is no answer."""


class Readiness:
    """State of the readiness of a process to serve pages."""

    def __init__(self) -> None:
        self._answered = -float("inf")
        self._asked = False

    def note_page(self) -> None:
        """Record that a page was served now."""
        self._answered = time.monotonic()

    async def answers(self, address: str) -> bool:
        """Return whether pages are served; requests one if that is not known, one at a time."""
        if time.monotonic() - self._answered > PAGE_SECONDS and not self._asked:
            self._asked = True
            try:
                request = HTTPRequest(address, request_timeout=ASK_SECONDS, follow_redirects=False)
                answer = await AsyncHTTPClient().fetch(request, raise_error=False)
                if answer.code in (200, 302, 303):  # the others lead to a login
                    self.note_page()
            finally:
                self._asked = False
        return time.monotonic() - self._answered <= PAGE_SECONDS


READINESS = Readiness()
"""The readiness of this process."""


class _Health(RequestHandler):
    """Base of the handlers, with answers in JSON that are never cached."""

    def initialize(self, path: str = "") -> None:
        self._path = path

    def set_default_headers(self) -> None:
        """Set what every answer says."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")

    def compute_etag(self) -> None:
        """Return no tag: the answer is that of now."""

    async def ready(self) -> dict[str, bool]:
        """Return the conditions of readiness, and whether each holds."""
        warm_up()
        return {"kernels": is_warm(), "page": await READINESS.answers(self._own_address())}

    def _own_address(self) -> str:
        """Return the address of a page of this server, as this machine reaches it."""
        connection: Any = self.request.connection
        host, port = connection.stream.socket.getsockname()[:2]
        application: Any = self.application
        where = f"[{host}]" if ":" in host else host
        path = sorted(application.app_paths)[0]
        return f"http://{where}:{port}{application.prefix}{path}"

    def say(self, found: dict[str, bool]) -> None:
        """Send the results: 200 if all of them are true, 503 otherwise."""
        self.set_status(200 if all(found.values()) else 503)
        self.finish({"status": "ok" if all(found.values()) else "not ready", **found})


class Live(_Health):
    """Handler of the check that the server answers."""

    def get(self) -> None:
        """Send the answer at once."""
        self.say({"alive": True})


class Ready(_Health):
    """Handler of the check that visitors are served."""

    async def get(self) -> None:
        """Send each part of the readiness."""
        self.say(await self.ready())


class Health(_Health):
    """Handler of both checks."""

    async def get(self) -> None:
        """Send each part of both checks."""
        self.say({"alive": True, **await self.ready()})


ROUTES = [(r"/health/?", Health), (r"/health/live", Live), (r"/health/ready", Ready)]
"""Handlers by address below a server's prefix."""
