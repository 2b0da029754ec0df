"""A crowd of visitors without browsers, in one process: each opens, plays, draws, trains, leaves at random.

They say what the page's own scripts say, one question a second among it whether the server is there, and
wait for each answer before the next act, as a hand does. What a visitor has done so far implies what the
server holds for them; before they leave they ask for it, and compare.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import re
import struct
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from bench.visitor import plain
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from lrbn_viz.app.shared.texts import pixels_to_text
from lrbn_viz.io.constants import GUIDE_COOKIE

ANSWER_SECONDS = 120.0
"""An answer that takes longer is counted as an error."""
BEAT_SECONDS = 1.0
_LIMIT = "A limit of this server"
_FULL = re.compile(r"\d+ runs are in memory already")
_WRONG = re.compile(r"Something went wrong|could not|cannot be|stopped")
_STATUSES = ("none", "loading", "new", "running", "paused", "done", "failed", "cancelled")


class Gone(Exception):
    """The server has closed the connection, or does not answer."""


@dataclass
class Record:
    """What a crowd has met.

    Attributes
    ----------
    opened, clicks : list of (float, float)
        When each was, by the monotonic clock, and the seconds that it took.
    acts : Counter
        How many of each kind there were.
    errors, lost, refused : list of str
        What went wrong, which steps the server does not hold, what a limit did not allow, in words.
    """

    opened: list[tuple[float, float]] = field(default_factory=list)
    clicks: list[tuple[float, float]] = field(default_factory=list)
    acts: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Guest:
    """One page of somebody's, whose messages are answered.

    Attributes
    ----------
    values : dict
        What the page's components show, by the names of their parameters, as it was last; bytes undecoded.
    run : dict
        What the training board was told last: ``status``, ``error``, and ``step`` of the slower lane.
    said : list of str
        Sentences that the page showed.
    """

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count()
        self._answers: dict[str, asyncio.Future[Any]] = {}
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Future[Any]] = []
        self.components: dict[str, str] = {}
        self._data: dict[str, str] = {}
        self.values: dict[str, Any] = {}
        self.counts: Counter[str] = Counter()
        self.run: dict[str, Any] = {"status": "none", "step": 0, "error": ""}
        self.said: list[str] = []
        self.failed = ""

    @classmethod
    async def open(cls, url: str, query: str = "", cookies: dict[str, str] | None = None) -> Guest:
        """Ask for a page and take part in its session, until all of the page is there.

        Parameters
        ----------
        cookies : dict, optional
            Of the visitor; those that come are added. Modified.

        Raises
        ------
        HTTPClientError
            The server does not give the page.
        Gone
        """
        cookies = {GUIDE_COOKIE: "1"} if cookies is None else cookies  # who has been shown the guide
        reply = await AsyncHTTPClient().fetch(
            url + query,
            headers=_header(cookies),
            request_timeout=ANSWER_SECONDS,
            connect_timeout=ANSWER_SECONDS,
        )
        jar = SimpleCookie()
        for line in reply.headers.get_list("Set-Cookie"):
            jar.load(line)
        cookies |= {name: morsel.value for name, morsel in jar.items()}
        found = re.search(r'"token":"([^"]+)"', reply.body.decode())
        if found is None:
            raise Gone("the page holds no token")
        parts = urlsplit(url)
        request = HTTPRequest(
            f"ws://{parts.netloc}{parts.path.rstrip('/')}/ws",
            headers={"Origin": f"{parts.scheme}://{parts.netloc}", **_header(cookies)},
            request_timeout=ANSWER_SECONDS,
        )
        socket = await websocket_connect(
            request, subprotocols=["bokeh", found[1]], max_message_size=2**28, compression_options=None
        )
        guest = cls(socket)
        await guest._receive()  # ACK
        guest._tasks.append(asyncio.ensure_future(guest._listen()))
        guest._find(await guest.ask("PULL-DOC-REQ", {}))
        ready = {"type": "event", "name": "document_ready", "values": {"type": "map", "entries": []}}
        guest._tasks.append(asyncio.ensure_future(guest._beat()))
        await guest._patch({"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": ready})
        if not await guest.wait(lambda: guest.values.get("live") is True):
            raise Gone("the page does not come alive")
        return guest

    def close(self) -> None:
        """Leave."""
        for task in self._tasks:
            task.cancel()
        self._socket.close()

    # -- what is said

    async def ask(self, kind: str, content: dict[str, Any]) -> Any:
        """Send a message; the content of its answer."""
        number = str(next(self._numbers))
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            parts = ({"msgid": number, "msgtype": kind}, {}, content)
            written = [self._socket.write_message(json.dumps(part)) for part in parts]  # one after another
            await asyncio.gather(*written)
            return await asyncio.wait_for(answer, ANSWER_SECONDS)
        except TimeoutError:
            raise Gone(f"no answer to {kind} in {ANSWER_SECONDS:.0f} s") from None
        finally:
            del self._answers[number]

    async def _patch(self, event: dict[str, Any]) -> None:
        await self.ask("PATCH-DOC", {"events": [event]})

    async def say(self, component: str, **message: Any) -> None:
        """Send a message of one of the page's components, and wait until it is acknowledged."""
        await self._patch(self._event(component, message))

    def _event(self, component: str, message: dict[str, Any]) -> dict[str, Any]:
        entries = [
            ["model", {"id": self.components[component]}],
            ["data", {"type": "map", "entries": [list(pair) for pair in message.items()]}],
        ]
        event = {"type": "event", "name": "data_event", "values": {"type": "map", "entries": entries}}
        return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}

    async def shout_within(self, seconds: float, component: str, **message: Any) -> bool:
        """Send a message and wait for no answer; whether it left within so long."""
        # Not cancelled where it is late: Tornado would print an error for each write that was.
        leaving = asyncio.ensure_future(self._shout(component, **message))
        done, _ = await asyncio.wait({leaving}, timeout=seconds)
        if done:
            leaving.result()
        else:
            leaving.add_done_callback(lambda late: late.cancelled() or late.exception())
        return bool(done)

    async def _shout(self, component: str, **message: Any) -> None:
        header = {"msgid": str(next(self._numbers)), "msgtype": "PATCH-DOC"}
        parts = (header, {}, {"events": [self._event(component, message)]})
        await asyncio.gather(*[self._socket.write_message(json.dumps(part)) for part in parts])

    def deafen(self) -> None:
        """Read nothing any more, and close nothing."""
        for task in self._tasks:
            task.cancel()

    async def set(self, component: str, name: str, value: Any) -> None:
        """Set a parameter of a component, as its script does, and wait until that is acknowledged."""
        model = {"id": self._data[component]}
        await self._patch({"kind": "ModelChanged", "model": model, "attr": name, "new": value})

    async def wait(self, condition: Callable[[], Any], seconds: float = ANSWER_SECONDS) -> Any:
        """Wait until something that came makes a condition hold; return that, or None where it never did."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            if self.failed:
                raise Gone(self.failed)
            left = end - time.monotonic()
            if left <= 0:
                return None
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)
        return found

    async def pull(self) -> None:
        """Ask for all that the server holds of the page; `values` has it then."""
        self._find(await self.ask("PULL-DOC-REQ", {}))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self.ask("SERVER-INFO-REQ", {})

    # -- what comes

    async def _receive(self) -> tuple[dict[str, Any], Any, list[bytes]]:
        header = json.loads(await self._read())
        await self._read()  # metadata
        content = json.loads(await self._read())
        buffers = []
        for _ in range(header.get("num_buffers", 0)):
            await self._read()  # its id
            part = await self._read()
            buffers.append(part if isinstance(part, bytes) else part.encode())
        return header, content, buffers

    async def _read(self) -> str | bytes:
        message = await self._socket.read_message()
        if message is None:
            raise Gone("the server has closed the connection")
        return message

    async def _listen(self) -> None:
        try:
            while True:
                self._take(*await self._receive())
        except Exception as error:
            self.failed = str(error) or type(error).__name__
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(Gone(self.failed))
            self._changed.set()

    def _take(self, header: dict[str, Any], content: Any, buffers: list[bytes]) -> None:
        answer = self._answers.get(header.get("reqid", ""))
        if answer is not None and not answer.done():
            if header["msgtype"] == "ERROR":
                answer.set_exception(Gone(str(content)[:300]))
            else:
                answer.set_result(content)
        for event in content.get("events", []) if isinstance(content, dict) else []:
            if event.get("kind") == "ModelChanged":
                self._note(event["attr"], event["new"])
            elif event.get("kind") == "MessageSent":
                for block in buffers:
                    self._hear(block)
            self._find(event)
        self._changed.set()

    def _note(self, name: str, value: Any) -> None:
        self.counts[name] += 1
        self.values[name] = plain(value)
        if name == "texts":
            self.said += self.values[name]

    def _find(self, value: Any) -> None:
        if isinstance(value, dict):
            attributes = value.get("attributes")
            if isinstance(attributes, dict):
                data = attributes.get("data")
                name = attributes.get("class_name")
                if name and "id" in value:
                    self.components[name] = value["id"]
                    if isinstance(data, dict) and "id" in data:
                        self._data[name] = data["id"]
                if isinstance(data, dict):
                    known = data.get("attributes", {})
                    self.values |= {key: plain(each) for key, each in known.items()}
                if "search" in attributes:
                    self.values["search"] = attributes["search"]
            for part in value.values():
                self._find(part)
        elif isinstance(value, list):
            for part in value:
                self._find(part)

    def _hear(self, block: bytes) -> None:
        """Take in what the training board is told."""
        if block[:4] == b"LRF1":
            _, number, status, lanes = struct.unpack_from("<4sIBB", block)
            self.run["status"] = _STATUSES[status]
            at, steps = 28, []
            for _ in range(lanes):
                steps.append(struct.unpack_from("<I", block, at)[0])
                at += 29 + 5 * block[at + 28]
            self.run["step"] = min(steps, default=0)
            if number % 8 == 0:
                self._tasks.append(asyncio.ensure_future(self._seen(number)))
            words = re.search(rb'"error":"((?:[^"\\]|\\.)*)"', block)
        else:
            words = re.search(rb'"error":"((?:[^"\\]|\\.)*)"', block[:20_000])
            if found := re.search(rb'"status":"(\w+)"', block[:20_000]):
                self.run["status"] = found[1].decode()
        if words:
            self.run["error"] = words[1].decode("utf-8", "replace")
            self.said.append(self.run["error"])

    async def _seen(self, number: int) -> None:
        with contextlib.suppress(Gone, KeyError):
            await self.say("TrainBoard", type="seen", number=number)
        self._tasks = [task for task in self._tasks if not task.done()]


def _header(cookies: dict[str, str]) -> dict[str, str]:
    line = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return {"Cookie": line} if line else {}


class Visit:
    """What a guest does on the page, and what that implies.

    Parameters
    ----------
    guest : Guest
    record : Record
    chance : random.Random
    """

    def __init__(self, guest: Guest, record: Record, chance: random.Random) -> None:
        self.guest, self.record, self.chance = guest, record, chance
        self.row = int(guest.values.get("chosen", 0))
        self.moved = False
        self.cursor = -1
        self.trained = False

    async def _timed(self, act: str, answered: str, component: str, **message: Any) -> None:
        """Send a message, and time it until what it asks for is there and it is acknowledged."""
        guest, began = self.guest, time.monotonic()
        before = guest.counts[answered]
        await guest.say(component, **message)
        if answered and not await guest.wait(lambda: guest.counts[answered] > before):
            raise Gone(f"no {answered} for {act}")
        self.record.clicks.append((began, time.monotonic() - began))
        self.record.acts[act] += 1

    async def play(self) -> None:
        """Play a while, as pages do without the server, and let the cursor rest somewhere."""
        await asyncio.sleep(self.chance.uniform(0.2, 2.0))
        began, self.cursor = time.monotonic(), self.chance.randrange(1, 190)
        await self.guest.set("TracePlayer", "cursor", self.cursor)
        self.record.clicks.append((began, time.monotonic() - began))
        self.record.acts["play"] += 1

    async def pick(self) -> None:
        """Go on to the next image."""
        await self._timed("pick", "trace", "TracePlayer", type="image", way="next")
        self.row, self.moved, self.cursor = self.row + 1, True, -1

    async def draw(self) -> None:
        """Draw a stroke: each point of it once the one before is answered, as the pen's script does."""
        drawn = np.zeros(784, np.uint8)
        at = self.chance.randrange(28 * 4, 28 * 12) + 6
        for _ in range(self.chance.randrange(4, 12)):
            drawn[at : at + 2] = 1
            at += 28 + self.chance.choice((-1, 0, 1))
            await self._timed("draw", "trace", "TracePlayer", type="draw", bits=pixels_to_text(drawn))
            await asyncio.sleep(0.03)
        self.moved, self.cursor = True, -1

    async def train(self) -> None:
        """Train small models: a few steps one by one, each of which must count, and then on and on."""
        guest = self.guest
        await self.compare()  # what was done on the page that is left now
        await self._timed("go", "main", "Navigation", type="go", page="train")
        await guest.wait(lambda: "TrainBoard" in guest.components and "TrainForm" in guest.components)
        await guest.say("TrainBoard", type="open")
        if self.trained:
            await guest.say("TrainBoard", type="leave")
            await guest.wait(lambda: guest.run["status"] == "none")
        self.trained = True
        guest.run |= {"step": 0, "error": ""}
        await guest.say("TrainForm", type="edit", path="preset", text="small")
        await guest.say("TrainForm", type="edit", path="amount", text="3")
        steps = 0
        for _ in range(self.chance.randrange(2, 5)):
            began = time.monotonic()
            await guest.say("TrainBoard", type="step")
            self.record.clicks.append((began, time.monotonic() - began))
            self.record.acts["step"] += 1
            steps += 1

            def came(steps: int = steps) -> bool:
                return guest.run["step"] >= steps or bool(self._refusal())

            if not await guest.wait(came, 10.0):
                await guest.say("TrainBoard", type="open")  # what it says already it does not say again
            if not await guest.wait(came, 60.0):
                self.record.lost.append(f"step {steps} of training: {guest.run}")
            if self._refusal():
                self.record.refused.append(self._refusal())
                steps = 0
                break
            if not await guest.wait(lambda: guest.run["status"] == "paused", 60.0):
                self.record.lost.append(f"the pause after step {steps}: {guest.run}")
        if steps:
            if guest.run["step"] != steps:
                self.record.lost.append(f"{steps} steps of training were asked for, and {guest.run} came")
            await self._timed("start", "", "TrainBoard", type="start")
            await asyncio.sleep(self.chance.uniform(1.0, 6.0))
            if self.chance.random() < 0.7:  # others just leave
                await self._timed("stop", "", "TrainBoard", type="stop")
                ended = ("cancelled", "done", "failed")
                if not await guest.wait(lambda: guest.run["status"] in ended, 60.0):
                    self.record.lost.append(f"the end of training: {guest.run}")
        await self._timed("back", "main", "Navigation", type="go", page="inference")

    def _refusal(self) -> str:
        """What a limit did not allow, in words; empty: nothing."""
        shown = self.guest.run["error"]
        return shown if _LIMIT in shown or _FULL.search(shown) else ""

    async def compare(self) -> None:
        """Take note of what the server does not hold although it was acknowledged."""
        guest = self.guest
        if not self.moved and self.cursor < 0:
            return
        wanted = {"visit": str(self.cursor) if self.cursor > 0 else None}

        def held() -> bool:
            found = parse_qs(str(guest.values.get("search", "")).lstrip("?"))
            visit = found.get("visit", [None])[0]
            return wanted["visit"] is None or visit == wanted["visit"]

        # the address is written a quarter of a second after the last change
        if not await guest.wait(held, 30.0):
            self.record.lost.append(f"a cursor at {wanted['visit']}: {guest.values.get('search', '')[:200]}")
        await guest.pull()
        self.record.acts["compare"] += 1
        if self.cursor > 0 and guest.values.get("cursor") != self.cursor:
            self.record.lost.append(f"cursor {self.cursor}, got {guest.values.get('cursor')}")
        if guest.values.get("chosen") not in (self.row, -1):
            self.record.lost.append(f"image {self.row}, got {guest.values.get('chosen')}")

    async def stay(self, until: float, think: float) -> None:
        """Act at random until a moment of the monotonic clock, with so many seconds between two acts."""
        acts = (self.pick, self.play, self.draw, self.train)
        while time.monotonic() < until:
            await asyncio.sleep(self.chance.expovariate(1.0 / think))
            (act,) = self.chance.choices(acts, (6, 5, 3, 1))
            await act()
        await self.compare()


async def come_and_go(
    url: str,
    record: Record,
    end: float,
    seed: int,
    *,
    think: float = 2.0,
    stay: float = 40.0,
    ramp: float = 0.0,
) -> None:
    """Be one visitor after another until a moment of the monotonic clock.

    Parameters
    ----------
    think, stay : float
        Seconds between two acts, and of a visit, on average.
    ramp : float
        Seconds within which the first visit begins.
    """
    chance = random.Random(seed)
    await asyncio.sleep(ramp * chance.random())
    while time.monotonic() < end - 1.0:
        began = time.monotonic()
        try:
            guest = await Guest.open(url)
        except (Gone, HTTPClientError, OSError) as error:
            words = f"{type(error).__name__}: {error}"
            (record.refused if "429" in words else record.errors).append(f"open: {words}")
            await asyncio.sleep(5.0)
            continue
        record.opened.append((began, time.monotonic() - began))
        record.acts["open"] += 1
        try:
            leaves = min(end, time.monotonic() + chance.expovariate(1.0 / stay))
            await Visit(guest, record, chance).stay(leaves, think)
        except Exception as error:
            record.errors.append(f"{type(error).__name__}: {error}")
        record.errors += [text for text in guest.said if _WRONG.search(text)]
        guest.close()
        record.acts["leave"] += 1
        await asyncio.sleep(chance.expovariate(1.0))
