"""Browsers without a browser, for those who attack: pages, cookies and websockets, byte by byte.

Everything is sent as the page's own scripts send it, or as no script ever would.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import re
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from bench.visitor import Visitor, plain
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

SECONDS = 60.0
"""For an answer, at most."""


_texts = itertools.count(1_000_001)


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    headers: list[tuple[str, str]]
    body: str

    def cookies(self) -> SimpleCookie:
        """Return the cookies that it sets."""
        found = SimpleCookie()
        for name, value in self.headers:
            if name.lower() == "set-cookie":
                found.load(value)
        return found


class Client:
    """Somebody with cookies of their own.

    Parameters
    ----------
    url : str
        Of the server, without a path.
    app : str
        Path of the explorer.
    """

    def __init__(self, url: str, app: str = "") -> None:
        self.url, self.app = url.rstrip("/"), app
        self.cookies: dict[str, str] = {}
        self.loop = asyncio.new_event_loop()
        self.pages: list[Page] = []

    def close(self) -> None:
        """Leave."""
        for page in self.pages:
            page.close()
        self.loop.close()

    @property
    def _cookie_header(self) -> dict[str, str]:
        line = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": line} if line else {}

    def get(self, path: str = "/", **headers: str) -> Answer:
        """Ask for something; cookies that come are kept, as a browser does."""
        return self._ask("GET", path, "", headers)

    def post(self, path: str, form: str, kind: str = "application/x-www-form-urlencoded") -> Answer:
        """Send a form, or something else of a media type."""
        return self._ask("POST", path, form, {"Content-Type": kind})

    def _ask(self, method: str, path: str, body: str, headers: dict[str, str]) -> Answer:
        parts = urlsplit(self.url)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body or None, {**self._cookie_header, **named})
        reply = connection.getresponse()
        answer = Answer(reply.status, reply.getheaders(), reply.read().decode("utf-8", "replace"))
        connection.close()
        self.cookies |= {name: morsel.value for name, morsel in answer.cookies().items()}
        return answer

    def token(self, path: str = "/?page=train", **headers: str) -> str:
        """Ask for a page; the token of its session."""
        path = self.app + path.removeprefix("/") if self.app else path
        answer = self.get(path, **headers)
        if answer.status == 303:  # once, and not in circles
            answer = self.get(urljoin(path, dict(answer.headers)["Location"]), **headers)
        found = re.search(r'"token":"([^"]+)"', answer.body)
        if found is None:
            raise Refused(f"{answer.status}: {answer.body[:200]}")
        return found[1]

    def join(self, token: str, **headers: str) -> Page:
        """Open the websocket of a session."""
        parts = urlsplit(self.url)
        named = {
            "Origin": self.url,
            **self._cookie_header,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        request = HTTPRequest(f"ws://{parts.netloc}{self.app}/ws", headers=named, request_timeout=SECONDS)

        async def connect() -> Page:
            socket = await websocket_connect(
                request, subprotocols=["bokeh", token], max_message_size=2**28, compression_options=None
            )
            page = Page(self, socket, token)
            await page.begin()
            return page

        try:
            page = self.loop.run_until_complete(asyncio.wait_for(connect(), SECONDS))
        except Exception as error:
            raise Refused(str(error)) from error
        self.pages.append(page)
        return page

    def open(self, path: str = "/?page=train") -> Page:
        """Open a page, as a browser does."""
        return self.join(self.token(path))


class Refused(Exception):
    """The server did not let somebody in."""


class Page(Visitor):
    """One page of somebody's, over its websocket.

    Attributes
    ----------
    values : dict
        What the page's components show, by the names of their parameters, as it was last.
    told : list
        Every word that came, undecoded: nothing of another may stand in it.
    """

    def __init__(self, client: Client, socket: WebSocketClientConnection, token: str) -> None:
        super().__init__(socket)
        self.client, self.token = client, token
        self.told: list[str] = []
        self._reading: asyncio.Future[Any] | None = None

    async def begin(self) -> None:
        """Take part in the session."""
        await self._receive()  # ACK
        await self._send("PULL-DOC-REQ", {})
        while not self.components:
            content = await self._receive()
            self._find(content)
        ready = {"type": "event", "name": "document_ready", "values": {"type": "map", "entries": []}}
        await self._patch({"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": ready})

    def _find(self, value: Any) -> None:
        super()._find(value)
        if isinstance(value, dict) and isinstance(value.get("attributes"), dict):
            data = value["attributes"].get("data", {})
            if isinstance(data, dict):
                self.values |= {key: plain(each) for key, each in data.get("attributes", {}).items()}

    async def _patch(self, event: dict[str, Any]) -> None:
        await self._send("PATCH-DOC", {"events": [event]})

    async def _receive(self) -> Any:
        header = json.loads(await self._read())
        await self._read()  # metadata
        text = str(await self._read())
        self.told.append(text)
        content = json.loads(text)
        for _ in range(2 * header.get("num_buffers", 0)):
            part = await self._read()
            self.told.append(part if isinstance(part, str) else part.decode("latin-1"))
        for event in content.get("events", []) if isinstance(content, dict) else []:
            if event.get("kind") == "ModelChanged":
                self.values[event["attr"]] = plain(event["new"])
        return content

    def say(self, component: str, **message: Any) -> None:
        """Send a message of one of the page's components, and wait until it has left."""
        self.client.loop.run_until_complete(super().say(component, **message))

    def listen(self, seconds: float) -> None:
        """Take in what comes for a while."""
        with contextlib.suppress(AssertionError):
            self.wait(lambda: False, seconds)

    def wait(self, condition: Callable[[], Any], seconds: float = SECONDS) -> Any:
        """Take in what comes until something holds, and return that."""
        end = time.monotonic() + seconds
        beat = time.monotonic() + 1.0

        async def go() -> Any:
            nonlocal beat
            while not (found := condition()):
                if time.monotonic() > beat and "TrainBoard" in self.components:
                    # What Panel has left lying beside a write of its own leaves with what is next.
                    beat = time.monotonic() + 1.0
                    await Visitor.say(self, "TrainBoard", type="open")
                if self._reading is None:  # one that is cut short would lose half a message
                    self._reading = asyncio.ensure_future(self._receive())
                await asyncio.wait([self._reading], timeout=max(0.0, min(0.1, end - time.monotonic())))
                if self._reading.done():
                    reading, self._reading = self._reading, None
                    reading.result()
                came = [each[:90] for each in self.told[-3:]]
                assert time.monotonic() < end, f"waited too long; {self.error!r}, {self.run_name!r}, {came}"
            return found

        return self.client.loop.run_until_complete(go())

    def close(self) -> None:
        """Close the page."""

        async def leave() -> None:  # Tornado asks for the loop that runs
            if self._reading is not None:
                self._reading.cancel()
            self._socket.close()
            await asyncio.sleep(0.05)

        if not self.client.loop.is_closed():
            self.client.loop.run_until_complete(leave())

    # -- the Train page

    @property
    def error(self) -> str:
        """What the board said last."""
        found = re.findall(r'"error":"((?:[^"\\]|\\.)*)"', "".join(self.told).replace('": "', '":"'))
        return found[-1] if found else ""

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The runs that the page lists."""
        return self.values.get("runs", {}).get("stored", [])

    @property
    def run_name(self) -> str:
        """The run that the page watches."""
        return self.values.get("runs", {}).get("name", "")

    def names(self) -> Iterator[str]:
        """Yield the names of the runs that the page lists."""
        yield from (run["name"] for run in self.runs)

    def find(self, name: str) -> dict[str, Any] | None:
        """Return what the page lists of a run."""
        return next((run for run in self.runs if run["name"] == name), None)

    def upload(self, filename: str, content: bytes) -> None:
        """Add images of one's own."""
        self.say("UploadBox", type="begin", name=filename, size=len(content), number=1)
        self.say("UploadBox", type="piece", at=0, bytes=base64.b64encode(content).decode())
        self.wait(lambda: self.values.get("stage") == "preview")
        self.say("UploadBox", type="accept")
        self.wait(lambda: self.values.get("accepted"))

    def train(self, preset: str = "small", amount: str = "2000", dataset: str = "") -> str:
        """Begin a run, and return its name once it is there."""
        before = self.run_name
        self.say("TrainForm", type="edit", path="preset", text=preset)
        if dataset:
            self.say("TrainForm", type="edit", path="dataset", text=dataset)
        self.say("TrainForm", type="edit", path="amount", text=amount)
        if before:
            self.say("TrainBoard", type="reset")
            self.wait(lambda: self.run_name not in ("", before))
        self.say("TrainBoard", type="start")
        return self.wait(lambda: self.run_name != before and self.run_name)

    def settle(self) -> None:
        """Wait until all that was said before is answered: messages of a page are taken in order."""
        text = str(next(_texts))
        self.say("TrainForm", type="edit", path="0.n_components", text=text)
        self.wait(lambda: text in json.dumps(self.values.get("form", {})))
        self.listen(0.3)  # what a thread has found is fetched some thirty times a second
