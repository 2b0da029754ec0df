"""Pages served beside the explorer for a class: files that are compressed once, predictions, and votes."""

from __future__ import annotations

import asyncio
import csv
import gzip
import html
import io
import json
import secrets
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

from tornado.web import RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from lrbn_viz.io.background import Executor
from lrbn_viz.io.theme import DARK, FONT, LIGHT
from lrbn_viz.server.classroom.addresses import qr_svg
from lrbn_viz.server.classroom.plan import Lecture, Plan
from lrbn_viz.server.classroom.screens import Screens
from lrbn_viz.server.classroom.tally import Tally, options_of
from lrbn_viz.server.classroom.voting import NotLecturer, Phase, Question, Refused, Voting
from lrbn_viz.server.traffic.headers import policy, script_hashes
from lrbn_viz.server.visitors.tokens import Signer, new_id
from lrbn_viz.view.lessons import Lesson
from lrbn_viz.view.lessons.markup import to_text
from lrbn_viz.view.live.lessons import answer_of, described_step
from lrbn_viz.view.live.page import MODELS, class_html, live_names
from lrbn_viz.view.player.source import module_text

PLACE = "class"
"""Path of a class's pages below the server's own prefix."""
_LIVE_SCRIPTS = ("blob:", "'wasm-unsafe-eval'")
"""The live page carries its scripts packed, and its kernels as WebAssembly."""
MAX_BYTES = 500
"""Largest size of a prediction, a vote or a command that is read, in bytes."""
SEAT_SECONDS = 86400.0
"""Time for which a browser keeps its seat in a class."""
MAX_SOCKETS = 5
"""Pages of one browser that follow a class by websockets."""
PING_SECONDS = 20.0
"""Time between two signs of life of a websocket; one that gives none is closed."""
_WAYS = {"next": 1, "back": -1}
"""Commands that follow the plan."""
_KINDS = {str: "a text", int: "a whole number"}
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
    plan : Plan, optional
        Lecture that leads the class.

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
    voting : Voting
        What the class does now.
    screens : Screens
        The students' pages that follow it.
    lecture : Lecture or None
        Progress of the plan.
    """

    def __init__(
        self, lessons: Mapping[str, Lesson], models: tuple[str, ...], address: str, plan: Plan | None = None
    ) -> None:
        self._lessons = dict(lessons)
        self.tally = Tally(self._lessons, self._withholds)
        self.voting = Voting(lambda question: len(options_of(self._taught, question)))
        self.screens = Screens()
        self.lecture = None if plan is None else Lecture(plan, self.voting)
        self.key = secrets.token_urlsafe(12)
        self.address = address
        self._models = models or MODELS
        if unknown := [name for name in models if name not in live_names()]:
            raise ValueError(
                f"no model of a live page is called {unknown[0]!r}; expected some of "
                f"{', '.join(live_names())}."
            )
        self._taught: dict[str, Lesson] = {}  # lessons of the live page
        self._signer = Signer(secrets.token_bytes(32))
        self.cookie = f"lrbn_viz_class_{self._signer.tag}"
        self._epoch, self._changes = new_id(), 0
        self.live: Future[PackedFile] = _MAKER.submit(self._made)

    def _made(self) -> PackedFile:
        page, lessons = class_html(self._models, list(self._lessons.values()))
        self._taught.update({lesson.id: lesson for lesson in lessons})
        self._lessons.update(self._taught)  # those on training, and a guide of the page's own
        return PackedFile.of(page, "text/html; charset=utf-8")

    @property
    def entrance(self) -> str:
        """The address that the class opens."""
        return f"{self.address}/{PLACE}/"

    @property
    def presenter(self) -> str:
        """The address of the lecturer's notes."""
        return f"{self.address}/{PLACE}/presenter?key={self.key}"

    @property
    def board(self) -> str:
        """The address that the lecturer opens."""
        return f"{self.address}/{PLACE}/board?key={self.key}"

    def has_key(self, key: str) -> bool:
        """Return whether a text is the lecturer's key."""
        return secrets.compare_digest(key.encode(), self.key.encode())

    # -- a class that is led

    def new_seat(self) -> tuple[str, str]:
        """Return the name of a browser that is new here, and the token that it keeps."""
        seat = new_id()
        return seat, self._signer.sign("seat", seat, time.time() + SEAT_SECONDS)

    def seat_of(self, token: str) -> str | None:
        """Return the name of the browser that a token was given to; None for one that this class gave not."""
        found = self._signer.read("seat", token)
        return None if found is None else found.id

    @property
    def version(self) -> str:
        """Name of the present state; another one after each command."""
        return f"{self._epoch}.{self._changes}"

    def lead(self, command: str, question: Question | None, *, is_lecturer: bool) -> None:
        """Follow a command of the lecturer, and tell all screens."""
        opens = question if is_lecturer and command == "open" else None
        if opens and options_of(self._lessons, opens) and not options_of(self._taught, opens):
            raise Refused("the live page of this class does not have the models of this lesson.")
        self.voting.lead(command, question, is_lecturer=is_lecturer)
        self._changes += 1
        self.screens.changed()

    def go(self, by: int, *, is_lecturer: bool) -> None:
        """Go on in the plan, by the next command of a question or by a part, or back by a part."""
        if not is_lecturer:
            raise NotLecturer("only the lecturer leads the class.")
        lecture = self.lecture
        if lecture is None:
            raise Refused("no plan is served; begin the server with --plan.")
        asks = by > 0 and lecture.asks
        command, question = (self.voting.following, None) if asks else lecture.go(by)
        if self.voting.phase is Phase.OWN:
            self.lead("lead", None, is_lecturer=True)
        self.lead(command, question, is_lecturer=True)

    def state_of(self, seat: str | None) -> dict[str, Any]:
        """Return what a student's page may know now, as JSON values: no answer before the reveal."""
        voting = self.voting
        mine = [] if seat is None else voting.votes_of(seat)
        state: dict[str, Any] = {
            "version": self.version,
            "phase": voting.phase,
            "round": voting.round,
            "mine": mine,
        }
        if voting.question is not None:
            state |= {"lesson": voting.question.lesson, "step": voting.question.step}
            state["asks"] = self.step_of(voting.question)
            if voting.phase is Phase.REVEALED:
                state |= {"answer": self.answer_of(voting.question), "votes": voting.counts()}
        return state

    def step_of(self, question: Question) -> dict[str, Any]:
        """Return a step of a lesson of the live page without its answer, as JSON values."""
        return described_step(self._taught[question.lesson], question.step, answer=False)

    def has_step(self, question: Question) -> bool:
        """Return whether the live page has a lesson with such a step."""
        lesson = self._taught.get(question.lesson)
        return lesson is not None and 1 <= question.step <= len(lesson.steps)

    def answer_of(self, question: Question) -> dict[str, Any]:
        """Return the answer to a question of the live page or the explorer, as JSON values."""
        return answer_of(self._lessons[question.lesson], question.step)

    def _withholds(self, lesson: str, step: int) -> bool:
        """Return whether nobody may see the answer to a question now but the lecturer."""
        return not self.voting.may_see_answer(Question(lesson, step))

    def board_state(self) -> dict[str, Any]:
        """Return what the lecturer's page shows, as JSON values."""
        voting, seats = self.voting, self.screens.seats()
        voters = voting.voters()
        part = None if self.lecture is None else self.lecture.part
        return {
            **self.tally.board(),
            "lecture": self._lecture_state(),
            "led": {
                "phase": voting.phase,
                "round": voting.round,
                "following": voting.following,
                "show": part.show if part is not None and voting.phase is Phase.WAITING else "",
                "question": voting.question,
                "votes": voting.counts(),
                "voted": len(voters),
                "missing": len(seats - voters),
                "screens": len(seats),
                "answer": self._said() if voting.phase is Phase.REVEALED else None,
            },
        }

    def _lecture_state(self) -> dict[str, Any] | None:
        """Return the plan and how far it has come, as JSON values."""
        lecture = self.lecture
        if lecture is None:
            return None
        seconds, part_seconds = lecture.seconds()
        return {
            "title": lecture.plan.title,
            "minutes": lecture.plan.minutes,
            "at": lecture.at,
            "asks": lecture.asks,
            "seconds": seconds,
            "part_seconds": part_seconds,
            "parts": [
                {"title": part.title, "minutes": part.minutes, "notes": part.notes}
                for part in lecture.plan.parts
            ],
        }

    def _said(self) -> dict[str, Any] | None:
        """Return what the open question's step says after the answer, as plain texts."""
        question = self.voting.question
        if question is None:
            return None
        step = self._lessons[question.lesson].steps[question.step - 1]
        return {"why": [to_text(option.why) for option in step.options], "reveal": to_text(step.reveal)}

    def counts_csv(self) -> str:
        """Return the session's counts as comma-separated values, a line for each option of each vote."""
        table = io.StringIO()
        lines = csv.writer(table)
        lines.writerow(("asked", "lesson", "step", "question", "vote", "option", "answer", "right", "count"))
        for each in self.tally.board()["questions"]:
            question = Question(each["lesson"], each["step"])
            if any(each["counts"]):
                lines.writerows(self._lines("", question, "own pace", each["counts"]))
        for each in self.voting.asked():
            at = datetime.fromtimestamp(each.at).astimezone().isoformat(timespec="seconds")
            for number, counts in enumerate(each.counts, 1):
                lines.writerows(self._lines(at, each.question, str(number), counts))
        return table.getvalue()

    def _lines(self, at: str, question: Question, vote: str, counts: list[int]) -> Iterator[tuple[Any, ...]]:
        step = self._lessons[question.lesson].steps[question.step - 1]
        words = _plain(to_text(step.question))
        for number, (option, count) in enumerate(zip(step.options, counts, strict=True), 1):
            right = "yes" if option.right else "no"
            yield (at, *question, words, vote, number, _plain(to_text(option.text)), right, count)

    @cached_property
    def entrance_page(self) -> PackedFile:
        """The page from which the class goes to the live page and to the lessons."""
        return PackedFile.of(_page("The class", _text("entrance.html")), "text/html; charset=utf-8")

    @cached_property
    def scripts(self) -> dict[str, PackedFile]:
        """Scripts of the lecturer's pages, by name."""
        texts = {
            "board": module_text("server/classroom/js/board.js"),
            "presenter": module_text("server/classroom/js/presenter.js"),
        }
        return {name: PackedFile.of(text, "text/javascript; charset=utf-8") for name, text in texts.items()}

    def board_page(self) -> str:
        """Return the lecturer's page, without any prediction."""
        shown = html.escape(self.entrance)
        body = Template(_text("board.html")).substitute(address=shown, code=qr_svg(self.entrance))
        return _page("The lecturer's board", body)

    def presenter_page(self) -> str:
        """Return the page with the lecturer's notes, without any of them."""
        return _page("The lecturer's notes", _text("presenter.html"))

    def patterns(self) -> list[tuple[str, type[RequestHandler], dict[str, Any]]]:
        """Return the handlers of the server, by address."""
        room = {"room": self}
        return [
            (rf"/{PLACE}/?", _Entrance, room),
            (rf"/{PLACE}/live\.html", _Live, room),
            (rf"/{PLACE}/predictions", _Predictions, room),
            (rf"/{PLACE}/(board|presenter)", _LecturersPage, room),
            (rf"/{PLACE}/(board|presenter)\.js", _Script, room),
            (rf"/{PLACE}/counts", _Counts, room),
            (rf"/{PLACE}/counts\.csv", _CountsFile, room),
            (rf"/{PLACE}/lead", _Lead, room),
            (rf"/{PLACE}/state", _State, room),
            (rf"/{PLACE}/events", _Events, room),
            (rf"/{PLACE}/votes", _Votes, room),
            (rf"/{PLACE}/steps", _Steps, room),
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

    def tell(self, what: Mapping[str, Any]) -> None:
        """Send JSON values that nobody keeps."""
        self.set_header("Cache-Control", "no-store")
        self.finish(dict(what))

    def seat(self) -> str | None:
        """Return the name of the browser; None if this class has given it none."""
        return self.room.seat_of(self.get_cookie(self.room.cookie, "") or "")

    def read_json(self, **kinds: type) -> dict[str, Any] | None:
        """Return the values of these names and types in the body; None once a refusal is sent."""
        if not self.request.headers.get("Content-Type", "").startswith("application/json"):
            return self.refuse(415, "expected application/json.")
        if len(self.request.body) > MAX_BYTES:
            return self.refuse(413, f"expected at most {MAX_BYTES} bytes.")
        try:
            said = json.loads(self.request.body)
            found = {name: said[name] for name in kinds}
        except (ValueError, TypeError, KeyError, RecursionError):
            return self.refuse(400, f"expected {', '.join(kinds)}.")
        if not all(type(found[name]) is kind for name, kind in kinds.items()):
            words = ", ".join(f"{name} as {_KINDS[kind]}" for name, kind in kinds.items())
            return self.refuse(400, f"expected {words}.")
        return found

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
        """Count a prediction that a student makes at their own pace, and send the answer."""
        said = self.read_json(lesson=str, step=int, option=int, voice=str)
        if said is None:
            return None
        question = Question(said["lesson"], said["step"])
        if self.room.tally.withholds(*question):
            return self.refuse(409, "Your lecturer leads the class: the answer comes when it is revealed.")
        try:
            self.room.tally.count(**said)
        except Refused as error:
            return self.refuse(400, str(error))
        return self.tell({"answer": self.room.answer_of(question)})


class _Steps(_Answer):
    async def get(self) -> None:
        """Send a step of a lesson to a student at their own pace."""
        await asyncio.wrap_future(self.room.live)
        number = self.get_query_argument("step", "")
        question = Question(
            self.get_query_argument("lesson", ""),
            int(number) if number.isdecimal() and len(number) < 4 else 0,
        )
        if not self.room.has_step(question):
            return self.refuse(404, "There is no such step; reload the page.")
        if self.room.tally.withholds(*question):
            return self.refuse(409, "Your lecturer leads the class: each question opens by itself.")
        return self.tell({"step": self.room.step_of(question)})


class _State(_Answer):
    _gone = False

    async def get(self) -> None:
        """Send what the class does now, once it is another state than the page knows; gives a seat."""
        room, seat = self.room, self.seat()
        is_student = self.get_query_argument("board", "") != "1"
        if seat is None and is_student:
            seat, token = room.new_seat()
            secure = self.request.protocol == "https"
            self.set_cookie(
                room.cookie, token, max_age=int(SEAT_SECONDS), httponly=True, samesite="Lax", secure=secure
            )
        since = self.get_query_argument("since", "")
        if since and is_student and seat is not None:
            room.screens.asked(seat)
        if since == room.version and not room.screens.is_full:
            await room.screens.change()
            if self._gone:
                return
            if is_student and seat is not None:
                room.screens.asked(seat)
        self.tell(room.state_of(seat if is_student else None))

    def on_connection_close(self) -> None:
        """Take note that nobody waits for the answer."""
        self._gone = True


class _Votes(_Answer):
    def post(self) -> None:
        """Count a vote."""
        said = self.read_json(lesson=str, step=int, round=int, option=int)
        if said is None:
            return None
        seat = self.seat()
        if seat is None:
            return self.refuse(
                403, "This browser has no seat in the class: reload the page, with cookies allowed."
            )
        question = Question(said["lesson"], said["step"])
        try:
            self.room.voting.vote(seat, question, said["round"], said["option"])
        except Refused as error:
            return self.refuse(409, f"Your vote was not counted: {error}")
        self.set_status(204)
        return None


class _Events(WebSocketHandler):
    """A websocket by which a student's page is told what the class does; it says nothing itself."""

    def initialize(self, room: Classroom) -> None:
        self.room = room
        self._seat: str | None = None

    @property
    def ping_interval(self) -> float:
        """Seconds between two signs of life."""
        return PING_SECONDS

    @property
    def max_message_size(self) -> int:
        """Largest size of a message, in bytes."""
        return MAX_BYTES

    def open(self) -> None:
        """Send the present state, and each later one."""
        room = self.room
        if self.get_query_argument("board", "") != "1":
            self._seat = room.seat_of(self.get_cookie(room.cookie, "") or "")
            if self._seat is None or room.screens.n_of(self._seat) >= MAX_SOCKETS:
                self.close(1008, "no seat")
                return
        if room.screens.is_full:
            self.close(1013, "full")
            return
        room.screens.add(self.tell, self._seat)
        self.tell()

    def tell(self) -> None:
        """Send the present state."""
        with suppress(WebSocketClosedError):
            self.write_message(json.dumps(self.room.state_of(self._seat)))

    def on_message(self, message: str | bytes) -> None:
        """End the connection: no page says anything."""
        self.close(1008, "nothing is expected")

    def on_close(self) -> None:
        """Tell it no more."""
        self.room.screens.remove(self.tell)


class _LecturersPage(_Answer):
    def get(self, name: str) -> None:
        """Send one of the lecturer's pages."""
        if self.is_lecturer():
            self.set_header("Content-Security-Policy", f"{policy()}; frame-src 'self'")
            self.finish(self.room.board_page() if name == "board" else self.room.presenter_page())


class _Script(_Answer):
    def get(self, name: str) -> None:
        """Send the script of one of the lecturer's pages."""
        self.send(self.room.scripts[name], 60)


class _Counts(_Answer):
    async def get(self) -> None:
        """Send all counts, and what the class does."""
        if self.is_lecturer():
            await asyncio.wrap_future(self.room.live)  # which has some of the questions
            self.finish(self.room.board_state())

    def delete(self) -> None:
        """Delete the predictions of one question."""
        if self.is_lecturer():
            step = self.get_query_argument("step", "")
            if step.isdecimal():
                self.room.tally.forget(self.get_query_argument("lesson", ""), int(step))
            self.set_status(204)


class _CountsFile(_Answer):
    async def get(self) -> None:
        """Send the counts of the session as a table."""
        if self.is_lecturer():
            await asyncio.wrap_future(self.room.live)
            self.set_header("Content-Type", "text/csv; charset=utf-8")
            self.set_header("Content-Disposition", 'attachment; filename="class.csv"')
            self.finish(self.room.counts_csv())


class _Lead(_Answer):
    async def post(self) -> None:
        """Follow a command of the lecturer, and send what their page shows then."""
        if not self.is_lecturer():
            return None
        said = self.read_json(command=str, lesson=str, step=int)
        if said is None:
            return None
        await asyncio.wrap_future(self.room.live)  # which has some of the questions
        command, question = said["command"], Question(said["lesson"], said["step"])
        try:
            if command in _WAYS:
                self.room.go(_WAYS[command], is_lecturer=True)
            else:
                self.room.lead(command, question, is_lecturer=True)
        except Refused as error:
            return self.refuse(409, str(error))
        self.finish(self.room.board_state())
        return None


def _plain(text: str) -> str:
    """Return a text that no table program takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@" else text


def _colours(palette: Mapping[str, Any]) -> str:
    names = ("page", "surface", "ink", "muted", "line", "faint", "good", "bad", "focus")
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
