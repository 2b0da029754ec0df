"""Pages served beside the explorer for a class: files that are compressed once, and predictions."""

from __future__ import annotations

import asyncio
import gzip
import html
import json
import secrets
from collections.abc import Mapping
from concurrent.futures import Future
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

from tornado.web import RequestHandler

from lrbn_viz.io.background import Executor
from lrbn_viz.io.theme import DARK, FONT, LIGHT
from lrbn_viz.server.classroom.addresses import qr_svg
from lrbn_viz.server.classroom.tally import Refused, Tally
from lrbn_viz.server.traffic.headers import policy, script_hashes
from lrbn_viz.view.lessons import Lesson
from lrbn_viz.view.live.page import MODELS, live_html, live_names
from lrbn_viz.view.player.source import module_text

PLACE = "class"
"""Path of a class's pages below the server's own prefix."""
_LIVE_SCRIPTS = ("blob:", "'wasm-unsafe-eval'")
"""The live page carries its scripts packed, and its kernels as WebAssembly."""
MAX_BYTES = 500
"""Largest size of a prediction that is read, in bytes."""
_MAKER = Executor("class")
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class PackedFile(NamedTuple):
    """A file as it travels.

    Attributes
    ----------
    packed : bytes
        Its content as gzip packs it.
    tag : str
        Names its content.
    kind : str
        Its media type.
    scripts : tuple of str
        Sources of the inline scripts that it may run.
    """

    packed: bytes
    tag: str
    kind: str
    scripts: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: str, kind: str) -> PackedFile:
        """Pack a text."""
        raw = content.encode()
        packed = gzip.compress(raw, 9, mtime=0)
        tag = f'"{blake2b(raw, digest_size=12).hexdigest()}"'
        return cls(packed, tag, kind, tuple(script_hashes(content)) if kind.startswith("text/html") else ())


class Classroom:
    """A class that is served.

    Parameters
    ----------
    lessons : mapping from id to Lesson
        Whose predictions are counted.
    models : sequence of str
        Shipped models of the live page; the first is shown first.
    address : str
        Address by which the class reaches the server, without a path.

    Raises
    ------
    ValueError
        A model is none of a live page.

    Attributes
    ----------
    key : str
        The lecturer's: who has it sees what the class predicts.
    live : Future of PackedFile
        The live page, once it is made.
    """

    def __init__(self, lessons: Mapping[str, Lesson], models: tuple[str, ...], address: str) -> None:
        self.tally = Tally(lessons)
        self.key = secrets.token_urlsafe(12)
        self.address = address
        self._models = models or MODELS
        if unknown := [name for name in models if name not in live_names()]:
            raise ValueError(
                f"no model of a live page is called {unknown[0]!r}; expected some of "
                f"{', '.join(live_names())}."
            )
        self.live: Future[PackedFile] = _MAKER.submit(self._made)

    def _made(self) -> PackedFile:
        return PackedFile.of(live_html(self._models, predictions="predictions"), "text/html; charset=utf-8")

    @property
    def entrance(self) -> str:
        """The address that the class opens."""
        return f"{self.address}/{PLACE}/"

    @property
    def board(self) -> str:
        """The address that the lecturer opens."""
        return f"{self.address}/{PLACE}/board?key={self.key}"

    def has_key(self, key: str) -> bool:
        """Return whether a text is the lecturer's key."""
        return secrets.compare_digest(key.encode(), self.key.encode())

    @cached_property
    def entrance_page(self) -> PackedFile:
        """The page from which the class goes to the live page and to the lessons."""
        return PackedFile.of(_page("The class", _text("entrance.html")), "text/html; charset=utf-8")

    @cached_property
    def board_script(self) -> PackedFile:
        """Script of the lecturer's page."""
        return PackedFile.of(module_text("server/classroom/js/board.js"), "text/javascript; charset=utf-8")

    def board_page(self) -> str:
        """Return the lecturer's page, without any prediction."""
        shown = html.escape(self.entrance)
        body = Template(_text("board.html")).substitute(address=shown, code=qr_svg(self.entrance))
        return _page("Predictions of the class", body)

    def patterns(self) -> list[tuple[str, type[RequestHandler], dict[str, Any]]]:
        """Return the handlers of the server, by address."""
        room = {"room": self}
        return [
            (rf"/{PLACE}/?", _Entrance, room),
            (rf"/{PLACE}/live\.html", _Live, room),
            (rf"/{PLACE}/predictions", _Predictions, room),
            (rf"/{PLACE}/board", _Board, room),
            (rf"/{PLACE}/board\.js", _BoardScript, room),
            (rf"/{PLACE}/counts", _Counts, room),
        ]


class _Answer(RequestHandler):
    """Base of the handlers of a class."""

    def initialize(self, room: Classroom) -> None:
        self.room = room

    def set_default_headers(self) -> None:
        """Set the headers of every answer."""
        for name, value in _SAFE.items():
            self.set_header(name, value)

    def send(self, file: PackedFile, seconds: int) -> None:
        """Send a file, or the status that the browser has it already."""
        self.set_header("Content-Type", file.kind)
        self.set_header("Cache-Control", f"public, max-age={seconds}")
        self.set_header("ETag", file.tag)
        self.set_header("Vary", "Accept-Encoding")
        if self.check_etag_header():
            self.set_status(304)
            return
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(file.packed)
        else:
            self.finish(gzip.decompress(file.packed))

    def compute_etag(self) -> str | None:
        """Return the tag that was set; it is not computed from the body again."""
        return self._headers.get("ETag")

    def write_error(self, status_code: int, **_: Any) -> None:
        """Send an error message."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code}: {self._reason}\n")

    def refuse(self, status: int, words: str) -> None:
        """Send a refusal with its reason."""
        self.set_status(status)
        self.finish({"error": words})

    def is_lecturer(self) -> bool:
        """Return whether the client has the key; sends an error if it has not."""
        if self.room.has_key(self.get_query_argument("key", "")):
            self.set_header("Cache-Control", "no-store")
            return True
        self.refuse(403, "this page is the lecturer's; open it by the address that the server printed.")
        return False


class _Entrance(_Answer):
    def get(self) -> None:
        """Send the page with links to the others; they need the slash at the end of its address."""
        if not self.request.path.endswith("/"):
            self.redirect(f"{PLACE}/")
            return
        self.send(self.room.entrance_page, 60)


class _Live(_Answer):
    async def get(self) -> None:
        """Send the live page."""
        page = await asyncio.wrap_future(self.room.live)
        self.set_header("Content-Security-Policy", policy(*_LIVE_SCRIPTS, *page.scripts))
        self.send(page, 3600)


class _Predictions(_Answer):
    def post(self) -> None:
        """Count a prediction."""
        if not self.request.headers.get("Content-Type", "").startswith("application/json"):
            return self.refuse(415, "expected a prediction as application/json.")
        if len(self.request.body) > MAX_BYTES:
            return self.refuse(413, f"expected at most {MAX_BYTES} bytes.")
        try:
            said = json.loads(self.request.body)
            lesson, voice = said["lesson"], said["voice"]
            step, option = said["step"], said["option"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return self.refuse(400, "expected lesson, step, option and voice.")
        texts = isinstance(lesson, str) and isinstance(voice, str)
        if not texts or not all(type(each) is int for each in (step, option)):
            return self.refuse(400, "expected lesson and voice as texts, step and option as whole numbers.")
        try:
            self.room.tally.count(lesson, step, option, voice)
        except Refused as error:
            return self.refuse(400, str(error))
        self.set_status(204)
        return None


class _Board(_Answer):
    def get(self) -> None:
        """Send the lecturer's page."""
        if self.is_lecturer():
            self.set_header("Content-Security-Policy", policy())
            self.finish(self.room.board_page())


class _BoardScript(_Answer):
    def get(self) -> None:
        """Send the script of the lecturer's page."""
        self.send(self.room.board_script, 60)


class _Counts(_Answer):
    def get(self) -> None:
        """Send all counts."""
        if self.is_lecturer():
            self.finish(self.room.tally.board())

    def delete(self) -> None:
        """Delete the predictions of one question."""
        if self.is_lecturer():
            step = self.get_query_argument("step", "")
            if step.isdecimal():
                self.room.tally.forget(self.get_query_argument("lesson", ""), int(step))
            self.set_status(204)


def _colours(palette: Mapping[str, Any]) -> str:
    names = ("page", "surface", "ink", "muted", "line", "faint", "good", "focus")
    return " ".join(f"--{name}: {palette[name]};" for name in names) + f" --bar: {palette['lanes'][0]};"


@cache
def _text(name: str) -> str:
    """Return a file of this folder."""
    return (files("lrbn_viz.server.classroom") / name).read_text(encoding="utf-8")


def _page(title: str, body: str) -> str:
    light, dark = _colours(LIGHT), _colours(DARK)
    colours = f":root {{ {light} --font: {FONT}; color-scheme: light; }}\n"
    colours += f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} color-scheme: dark; }} }}\n"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} - lrbn_viz</title>
<style>{colours}{_text("class.css")}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""
