"""Whether a server is alive and ready, for those who look after servers.

Alive is a server that answers at all. Ready is one that has compiled its kernels and answers with a page; it
asks itself for one where nobody else did lately.
"""

from __future__ import annotations

import time
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.web import RequestHandler

from lrbn_viz.app.warmup import is_warm, warm_up

PAGE_SECONDS = 60.0
"""For so long a page that was answered shows that pages are."""
ASK_SECONDS = 20.0
"""A page that takes longer is no answer."""


class Readiness:
    """What is known of whether a process serves pages."""

    def __init__(self) -> None:
        self._answered = -float("inf")
        self._asked = False

    def note_page(self) -> None:
        """Note that a page was answered just now."""
        self._answered = time.monotonic()

    async def answers(self, address: str) -> bool:
        """Whether pages are answered; asks for one where that is not known, one at a time."""
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
"""Of this process."""


class _Health(RequestHandler):
    """Answers in JSON; never kept."""

    def initialize(self, path: str = "") -> None:
        self._path = path

    def set_default_headers(self) -> None:
        """Set what every answer says."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")

    def compute_etag(self) -> None:
        """Return no tag: the answer is that of now."""

    async def ready(self) -> dict[str, bool]:
        """Return what has to be true, and whether it is."""
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
        """Answer with what was found: 200 where all of it is true, 503 otherwise."""
        self.set_status(200 if all(found.values()) else 503)
        self.finish({"status": "ok" if all(found.values()) else "not ready", **found})


class Live(_Health):
    """Answers that the server answers."""

    def get(self) -> None:
        """Answer at once."""
        self.say({"alive": True})


class Ready(_Health):
    """Answers whether visitors are served."""

    async def get(self) -> None:
        """Answer with each part."""
        self.say(await self.ready())


class Health(_Health):
    """Answers with both."""

    async def get(self) -> None:
        """Answer with each part."""
        self.say({"alive": True, **await self.ready()})


ROUTES = [(r"/health/?", Health), (r"/health/live", Live), (r"/health/ready", Ready)]
"""Below a server's prefix."""
