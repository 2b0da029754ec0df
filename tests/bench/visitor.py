"""A visitor without a browser: opens a page of the explorer and sends messages as fast as it likes.

``python tests/bench/visitor.py URL LOAD SECONDS`` puts one of `LOADS` on a server for a time, and prints the
result as JSON. The benches run it in a process of its own, beside a real browser whose clicks are timed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import io
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import numpy as np
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from lrbn_viz.app.shared.texts import pixels_to_text

ROOT = Path(__file__).resolve().parents[2]
PIECE = 256 * 1024
PAGES = 24
MESSAGES_A_SECOND = 500


@contextmanager
def explorer_server() -> Iterator[tuple[str, int, Path]]:
    """Serve the explorer; its address, its process id and its folder of runs."""
    with tempfile.TemporaryDirectory() as runs:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "panel", "serve", str(ROOT / "apps" / "explorer.py")),
                *("--port", "0", "--plugins", "lrbn_viz.server"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "LRBN_VIZ_RUNS": runs},
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                found = re.search(r"app running at: (\S+)", line)
                if found:
                    break
            else:
                raise RuntimeError("the explorer did not start")
            yield found[1], process.pid, Path(runs)
        finally:
            process.terminate()
            process.communicate()


def wait_until_warm(url: str, pid: int, seconds: float = 300.0) -> None:
    """Ask a server for its first page, and wait until it has compiled what other pages need."""
    with urllib.request.urlopen(url, timeout=seconds) as page:
        page.read()
    end, quiet_since, used = time.monotonic() + seconds, time.monotonic(), cpu_seconds(pid)
    while time.monotonic() - quiet_since < 2.0:
        if time.monotonic() > end:
            raise TimeoutError(f"the server had still to compile after {seconds} seconds")
        time.sleep(0.25)
        now = cpu_seconds(pid)
        if now - used > 0.05 or _children(pid):
            quiet_since = time.monotonic()
        used = now


def plain(value: Any) -> Any:
    """Return what Bokeh writes as a map, as a dict."""
    if isinstance(value, dict):
        if value.get("type") == "map":
            return {key: plain(each) for key, each in value.get("entries", [])}
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def cpu_seconds(pid: int) -> float:
    """Return what a process has computed so far, seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def scheduled(pid: int) -> tuple[float, float]:
    """Return how long a process's first thread has computed, and all its threads have waited for a core.

    In seconds; both are 0 where the system does not tell.
    """
    computed = waited = 0.0
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError, ValueError):  # the thread has ended
            ran, queued, _ = (int(word) for word in path.read_text().split())
            waited += queued / 1e9
            if path.parent.name == str(pid):
                computed = ran / 1e9
    return computed, waited


def _children(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            if int(path.read_text().rsplit(")", 1)[1].split()[1]) == pid:
                found.append(int(path.parent.name))
    return found


class Visitor:
    """One page of the explorer.

    Attributes
    ----------
    components : dict
        Ids of the page's components by the names of their classes.
    answers : int
        Messages that have come.
    """

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count()
        self.components: dict[str, str] = {}
        self.answers = 0
        self.values: dict[str, Any] = {}

    @classmethod
    async def open(cls, url: str, query: str = "") -> Visitor:
        """Ask for a page and take part in its session, as a browser does."""
        page = (await AsyncHTTPClient().fetch(url + query, request_timeout=120.0)).body.decode()
        found = re.search(r'"token":"([^"]+)"', page)
        assert found is not None
        parts = urlsplit(url)
        request = HTTPRequest(
            f"ws://{parts.netloc}{parts.path}/ws", headers={"Origin": f"{parts.scheme}://{parts.netloc}"}
        )
        socket = await websocket_connect(
            request, subprotocols=["bokeh", found[1]], max_message_size=2**28, compression_options=None
        )
        visitor = cls(socket)
        await visitor._receive()  # ACK
        await visitor._send("PULL-DOC-REQ", {})
        visitor._find(await visitor._receive())
        return visitor

    def _find(self, value: Any) -> None:
        if isinstance(value, dict):
            name = value.get("attributes", {}).get("class_name")
            if name and "id" in value:
                self.components.setdefault(name, value["id"])
            for part in value.values():
                self._find(part)
        elif isinstance(value, list):
            for part in value:
                self._find(part)

    async def _send(self, kind: str, content: dict[str, Any]) -> None:
        header = {"msgid": str(next(self._numbers)), "msgtype": kind}
        for part in (header, {}, content):
            await self._socket.write_message(json.dumps(part))

    async def _receive(self) -> dict[str, Any]:
        header = json.loads(await self._read())
        await self._read()  # metadata
        content = json.loads(await self._read())
        for _ in range(2 * header.get("num_buffers", 0)):
            await self._read()
        self.answers += 1
        return content

    async def _read(self) -> str | bytes:
        message = await self._socket.read_message()
        if message is None:
            raise ConnectionError("the server has closed the connection")
        return message

    async def say(self, component: str, **message: Any) -> None:
        """Send a message of one of the page's components."""
        entries = [["model", {"id": self.components[component]}]]
        entries.append(["data", {"type": "map", "entries": [list(pair) for pair in message.items()]}])
        event = {
            "type": "event",
            "name": "data_event",
            "values": {"type": "map", "entries": entries},
        }
        said = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
        await self._send("PATCH-DOC", {"events": [said]})

    async def listen(self) -> None:
        """Take in what comes, for ever."""
        while True:
            self._note(await self._receive())

    def _note(self, content: dict[str, Any]) -> None:
        for event in content.get("events", []):
            if event.get("kind") == "ModelChanged" and not isinstance(event.get("new"), dict):
                self.values[event["attr"]] = event["new"]


# -- files that are much larger inside than outside


def table_of_short_lines(mib: int) -> bytes:
    """Return a CSV file of one character a line."""
    return b"1\n" * (mib * 2**19)


@cache
def inflating_zip(name: str, mib: int) -> bytes:
    """Return a small zip file whose one entry claims, and has, so many MiB of zeros."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive, archive.open(name, "w") as entry:
        for _ in range(mib):
            entry.write(bytes(2**20))
    return content.getvalue()


def model_of_many_layers() -> bytes:
    """Return a model file of a few kB that claims six million layers."""
    content = io.BytesIO()
    np.savez_compressed(content, kind="LRBN", n_layers=np.int64(6_000_000), settings="{}")
    return content.getvalue()


def bombs() -> Iterator[tuple[str, bytes]]:
    """Yield files by name, again and again."""
    made = [
        ("lines.csv", table_of_short_lines(60)),
        ("images.zip", inflating_zip("a/one.png", 300)),
        ("arrays.npz", inflating_zip("W.npy", 1500)),
    ]
    yield from itertools.cycle(made)


# -- what visitors do


async def send_bombs(url: str, seconds: float) -> dict[str, Any]:
    """Upload one file after another, and give models that are none."""
    files, models = bombs(), [model_of_many_layers(), inflating_zip("W.npy", 1500)]
    visitor = await Visitor.open(url, "?page=train")
    ears = asyncio.ensure_future(visitor.listen())
    end, sent = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        name, content = next(files)
        await upload(visitor, "UploadBox", content, end, name=name)
        for model in models:
            await upload(visitor, "TrainForm", model, end, lane=0, name="model.npz")
        sent += 1
        await asyncio.sleep(1.0)
    ears.cancel()
    return {"files": sent, "answers": visitor.answers}


class Speaker(Protocol):
    """Who sends messages of a page's components."""

    async def say(self, component: str, **message: Any) -> None:
        """Send one."""


async def upload(visitor: Speaker, component: str, content: bytes, end: float, **about: Any) -> None:
    """Send a file in pieces, as far as it gets until `end`."""
    await visitor.say(component, type="begin", size=len(content), number=1, **about)
    for at in range(0, len(content), PIECE):
        if time.monotonic() > end:
            return
        piece = base64.b64encode(content[at : at + PIECE]).decode()
        await visitor.say(component, type="piece", at=at, bytes=piece)


async def flood(url: str, seconds: float) -> dict[str, Any]:
    """Ask for other images, and draw, `MESSAGES_A_SECOND` times a second, and listen to the answers."""
    visitor = await Visitor.open(url)
    ears = asyncio.ensure_future(visitor.listen())
    drawn = pixels_to_text(np.arange(784) % 7 == 0)
    said = itertools.cycle([{"type": "image", "way": "next"}, {"type": "draw", "bits": drawn}])
    began, sent = time.monotonic(), 0
    while (now := time.monotonic()) - began < seconds:
        while sent < (now - began) * MESSAGES_A_SECOND:
            await visitor.say("TracePlayer", **next(said))
            sent += 1
        await asyncio.sleep(0.005)
    ears.cancel()
    return {"sent": sent, "answers": visitor.answers}


async def ask_for_pages(url: str, seconds: float) -> dict[str, Any]:
    """Ask for `PAGES` pages at once, again and again."""
    AsyncHTTPClient.configure(None, max_clients=PAGES)
    client, end, taken = AsyncHTTPClient(), time.monotonic() + seconds, []
    while time.monotonic() < end:
        began = time.monotonic()
        asked = [client.fetch(url, request_timeout=120.0) for _ in range(PAGES)]
        await asyncio.gather(*asked)
        taken.append(time.monotonic() - began)
        await asyncio.sleep(1.0)
    return {"rounds": len(taken), "longest": max(taken, default=0.0)}


LOADS: dict[str, Callable[[str, float], Coroutine[Any, Any, dict[str, Any]]]] = {
    "bombs": send_bombs,
    "flood": flood,
    "pages": ask_for_pages,
}


if __name__ == "__main__":
    address, load, duration = sys.argv[1:]
    print(json.dumps(asyncio.run(LOADS[load](address, float(duration)))))
