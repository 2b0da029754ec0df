"""One visitor who does his worst within the protocol: ``python tests/bench/worst.py URL SECONDS [DEED ...]``.

With one cookie, and as many pages and runs as that is given: floods of messages, uploads that are far larger
inside than outside, the largest models in all his runs, pages asked for without end, a page that asks and
reads nothing. Prints what came of it as JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tornado.httpclient import AsyncHTTPClient, HTTPClientError
from tornado.websocket import WebSocketClosedError

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.crowd import Gone, Guest
from bench.visitor import bombs, inflating_zip, model_of_many_layers, upload

from lrbn_viz.app.shared.texts import pixels_to_text

FLOODS, RUNS = 4, 3
LOADS = ("train", "flood", "bombs", "pages", "unread")
MESSAGES_A_SECOND = 250
_GONE = (Gone, HTTPClientError, WebSocketClosedError, OSError)


class Worst:
    """The visitor.

    Parameters
    ----------
    url : str
    seconds : float
    """

    def __init__(self, url: str, seconds: float) -> None:
        self._url, self._end = url, time.monotonic() + seconds
        self._cookies: dict[str, str] = {}
        self.done: Counter[str] = Counter()

    @property
    def _going(self) -> bool:
        return time.monotonic() < self._end

    async def all(self, names: Sequence[str]) -> None:
        """Put several of the `LOADS` on the server at once."""
        (await Guest.open(self._url, cookies=self._cookies)).close()  # brings the cookie
        loads = {
            "train": [self.train() for _ in range(RUNS)],
            "flood": [self.flood() for _ in range(FLOODS)],
            "bombs": [self.bomb()],
            "pages": [self.ask_for_pages()],
            "unread": [self.read_nothing("", "TracePlayer"), self.read_nothing("?page=train", "TrainForm")],
        }
        for name in set(loads) - set(names):
            for load in loads[name]:
                load.close()
        await asyncio.gather(*itertools.chain.from_iterable(loads[name] for name in names))

    async def _open(self, query: str = "") -> Guest | None:
        """Open a page, as soon as one is given; None once it is too late."""
        while self._going:
            with contextlib.suppress(*_GONE):
                return await Guest.open(self._url, query, self._cookies)
            await asyncio.sleep(1.0)
        return None

    async def flood(self) -> None:
        """Ask for other images, models, optima and counts, and draw, without end."""
        said = itertools.cycle(
            [
                {"type": "image", "way": "random"},
                {"type": "lane", "lane": 0, "part": "algorithm", "value": "annealed"},
                {"type": "lane", "lane": 0, "part": "model", "value": "lrbn-200-mnist-flat"},
                {"type": "usage"},
                {"type": "lane", "lane": 0, "part": "model", "value": "lrbn-200-mnist-strokes"},
                {"type": "swap"},
            ]
        )
        drawn = np.random.default_rng(0).integers(0, 2, (64, 784), dtype=np.uint8)
        while guest := await self._open():
            began, sent = time.monotonic(), 0
            with contextlib.suppress(*_GONE):
                while self._going and not guest.failed:
                    while sent < (time.monotonic() - began) * MESSAGES_A_SECOND and self._going:
                        if sent % 2:
                            message = next(said)
                        else:
                            message = {"type": "draw", "bits": pixels_to_text(drawn[sent // 2 % 64])}
                        await guest.shout_within(10.0, "TracePlayer", **message)
                        self.done["messages"] += 1
                        sent += 1
                    await asyncio.sleep(0.01)
            guest.close()

    async def train(self) -> None:
        """Train the largest models that the limits allow, which go on by themselves."""
        guest = await self._open("?page=train")
        if guest is None:
            return
        with contextlib.suppress(*_GONE):
            for path, text in (
                ("dataset", "mnist"),
                ("amount", "1"),
                *((f"{n}.n_components", "2000") for n in (0, 1)),
            ):
                await guest.say("TrainForm", type="edit", path=path, text=text)
            await guest.say("TrainForm", type="carry", on=True)
            await guest.say("TrainBoard", type="open")
            await guest.say("TrainBoard", type="start")
            if await guest.wait(lambda: guest.run["status"] == "running", 60.0):
                self.done["runs"] += 1
            while self._going and not guest.failed:
                await guest.say("TrainBoard", type="look", step=-1)
                await asyncio.sleep(0.2)
            self.done["steps"] += guest.run["step"]
        guest.close()

    async def bomb(self) -> None:
        """Upload files that are much larger inside, as images and as models."""
        files, models = bombs(), [model_of_many_layers(), inflating_zip("W.npy", 1500)]
        while guest := await self._open("?page=train"):
            with contextlib.suppress(*_GONE):
                while self._going and not guest.failed:
                    name, content = next(files)
                    await upload(guest, "UploadBox", content, self._end, name=name)
                    for model in models:
                        await upload(guest, "TrainForm", model, self._end, lane=0, name="model.npz")
                    self.done["files"] += 1
            guest.close()

    async def ask_for_pages(self) -> None:
        """Ask for 24 pages at once, again and again, once the others are open, which count as well."""
        await asyncio.sleep(8.0)
        client = AsyncHTTPClient()
        line = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        while self._going:
            asked = [
                client.fetch(self._url, headers={"Cookie": line}, request_timeout=60.0, raise_error=False)
                for _ in range(24)
            ]
            for answer in await asyncio.gather(*asked):
                self.done[f"pages answered {answer.code}"] += 1
            await asyncio.sleep(1.0)

    async def read_nothing(self, query: str, component: str) -> None:
        """Ask for images, or train, on one page, and read no answer."""
        guest = await self._open(query)
        if guest is None:
            return
        if component == "TrainForm":
            said = [{"type": "edit", "path": "amount", "text": text} for text in ("2000", "2001")]
            await guest.say("TrainForm", type="edit", path="preset", text="small")
            await guest.say("TrainBoard", type="open")
            await guest.say("TrainBoard", type="start")
        else:
            said = [{"type": "image", "way": "next"}]
        guest.deafen()
        messages = itertools.cycle(said)
        with contextlib.suppress(*_GONE):
            while self._going and await guest.shout_within(10.0, component, **next(messages)):
                self.done["unread"] += 1
                await asyncio.sleep(0.02)
        while self._going:  # the server reads no further: it is there still
            await asyncio.sleep(0.5)
        guest.close()


def main() -> None:
    """Do it, and print what came of it."""
    AsyncHTTPClient.configure(None, max_clients=200)
    worst = Worst(sys.argv[1], float(sys.argv[2]))
    asyncio.run(worst.all(sys.argv[3:] or LOADS))
    print(json.dumps(worst.done))


if __name__ == "__main__":
    main()
