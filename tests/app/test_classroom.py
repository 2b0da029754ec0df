"""A class that is served: files once, predictions counted without a name, nothing for who has no key."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from served import ServedClass, served_class

from lrbn_viz import cli
from lrbn_viz.app.address import read_page
from lrbn_viz.app.claims import offered_lessons
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shell import Explorer
from lrbn_viz.server import options
from lrbn_viz.server.classroom.addresses import free_port, qr_svg, qr_terminal, reached_by
from lrbn_viz.server.classroom.tally import MAX_VOTERS, Refused, Tally

CLASS = 30
MAX_BYTES = 1_200_000
"""That one student's live page may take on its way."""


@pytest.fixture(scope="module")
def lessons():
    return {lesson.id: lesson for lesson in offered_lessons()[0]}


@pytest.fixture
def question(lessons) -> tuple[str, int]:
    lesson = next(iter(lessons.values()))
    return lesson.id, next(n for n, step in enumerate(lesson.steps, 1) if step.options)


def counts(tally: Tally, question: tuple[str, int]) -> list[int]:
    found = [
        each["counts"] for each in tally.board()["questions"] if (each["lesson"], each["step"]) == question
    ]
    return found[0]


def test_a_browser_counts_once_and_may_change_its_mind(lessons, question: tuple[str, int]):
    tally = Tally(lessons)
    tally.count(*question, 0, "somebody")
    tally.count(*question, 1, "somebody-else")
    tally.count(*question, 1, "somebody")
    assert counts(tally, question)[:2] == [0, 2]
    assert tally.board()["newest"] == list(question)
    tally.forget(*question)
    assert sum(counts(tally, question)) == 0
    assert tally.board()["newest"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"lesson": "no-such-lesson"},
        {"step": 0},
        {"step": 99},
        {"option": -1},
        {"option": 9},
        {"voice": "short"},
        {"voice": "x" * 65},
        {"voice": "a name, with spaces"},
    ],
)
def test_what_is_no_prediction_is_refused(lessons, question: tuple[str, int], wrong):
    tally = Tally(lessons)
    said: dict[str, Any] = {"lesson": question[0], "step": question[1], "option": 0, "voice": "somebody"}
    with pytest.raises(Refused):
        tally.count(**{**said, **wrong})
    assert all(sum(each["counts"]) == 0 for each in tally.board()["questions"])


def test_no_question_takes_more_memory_than_its_voices(lessons, question: tuple[str, int]):
    tally = Tally(lessons)
    for n in range(MAX_VOTERS):
        tally.count(*question, 0, f"voice-{n:06d}")
    with pytest.raises(Refused, match="at most"):
        tally.count(*question, 0, "one-too-many")
    tally.count(*question, 1, "voice-000000")
    assert counts(tally, question)[:2] == [MAX_VOTERS - 1, 1]


def test_what_a_visitor_predicts_in_the_explorer_is_counted(lessons, question: tuple[str, int]):
    tally = Tally(lessons)
    shown = read_page("inference", "?model=lrbn-2-alarm").found
    explorer = Explorer(Session(**shown), tally=tally)
    explorer.begin_lesson(question[0])
    explorer.lessons.begin(*question)
    explorer.lessons.predict(question[1], 1)
    explorer.lessons.predict(question[1], 0)  # too late: it was made
    assert counts(tally, question)[:2] == [0, 1]


def test_addresses_of_a_class():
    assert reached_by("192.168.1.20", 5006) == "http://192.168.1.20:5006"
    assert re.fullmatch(r"http://(\d+\.\d+\.\d+\.\d+|localhost):80", reached_by("0.0.0.0", 80))
    assert 1024 <= free_port("127.0.0.1") <= 65535
    svg = qr_svg("http://192.168.1.20:5006/class/")
    assert svg.startswith("<svg")
    assert "script" not in svg
    lines = qr_terminal("http://192.168.1.20:5006/class/").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert 2 * len(lines) - 1 <= len(lines[0]) <= 2 * len(lines)


# -- served


@pytest.fixture(scope="module")
def served() -> Iterator[ServedClass]:
    with served_class() as found:
        yield found


def get(address: str, **headers: str) -> tuple[int, Message, bytes]:
    try:
        with urlopen(Request(address, headers=headers), timeout=120) as reply:
            return reply.status, reply.headers, reply.read()
    except HTTPError as error:
        return error.code, error.headers, error.read()


def predict(
    served: ServedClass, body: bytes | None = None, kind: str = "application/json", **said: Any
) -> int:
    content = json.dumps(said).encode() if body is None else body
    request = Request(served.base + "predictions", data=content, headers={"Content-Type": kind})
    try:
        return urlopen(request, timeout=60).status
    except HTTPError as error:
        return error.code


@pytest.mark.slow
def test_thirty_students_get_the_live_page_once_and_then_only_predict(served, question: tuple[str, int]):
    def student(n: int) -> tuple[int, float, int, int]:
        began = time.perf_counter()
        _, _, entrance = get(served.base, **{"Accept-Encoding": "gzip"})
        status, headers, page = get(served.base + "live.html", **{"Accept-Encoding": "gzip"})
        assert (status, headers["Content-Encoding"]) == (200, "gzip")
        seconds = time.perf_counter() - began
        again, _, rest = get(
            served.base + "live.html", **{"Accept-Encoding": "gzip", "If-None-Match": headers["ETag"]}
        )
        assert (again, rest) == (304, b"")
        assert "max-age" in headers["Cache-Control"]
        assert b"createPage" in gzip.decompress(page)
        lesson, step = question
        told = predict(served, lesson=lesson, step=step, option=n % 2, voice=f"student-{n:03d}")
        return len(entrance) + len(page), seconds, told, n

    with ThreadPoolExecutor(CLASS) as pool:
        found = list(pool.map(student, range(CLASS)))
    most, slowest = max(each[0] for each in found), max(each[1] for each in found)
    print(f"bytes a student {most:,}, slowest of {CLASS} at once {slowest:.2f} s")
    assert most <= MAX_BYTES
    assert {each[2] for each in found} == {200}
    _, _, content = get(served.board.replace("board?", "counts?"))
    board = json.loads(content)
    (counted,) = [each for each in board["questions"] if (each["lesson"], each["step"]) == question]
    assert counted["counts"][:2] == [CLASS // 2, CLASS // 2]
    assert "student-" not in content.decode(), "nobody is named"


def test_the_live_page_asks_for_nothing_more(served):
    _, _, page = get(served.base + "live.html")
    assert not re.search(rb"<(script|link|img|iframe)[^>]+(src|href)=", page)


def test_without_the_key_nothing_is_told(served):
    for address in ("board", "counts", "board?key=", "counts?key=wrong", "counts?key=%00"):
        status, headers, content = get(served.base + address)
        assert status == 403, address
        assert b"questions" not in content
        assert headers["X-Content-Type-Options"] == "nosniff"
    request = Request(served.base + "counts?key=wrong&lesson=x&step=1", method="DELETE")
    with pytest.raises(HTTPError, match="403"):
        urlopen(request, timeout=60)


def test_the_lecturers_page_runs_its_own_script_only(served):
    status, headers, content = get(served.board)
    assert status == 200
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"
    assert served.base in content.decode()
    assert get(served.base + "board.js")[0] == 200


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{}", "text/plain", 415),
        (b"{}", "application/json", 400),
        (b"[" * 400, "application/json", 400),
        (b'"' + b"x" * 600 + b'"', "application/json", 413),
        (b'{"lesson": 1, "step": 1, "option": 0, "voice": "somebody"}', "application/json", 400),
        (b'{"lesson": "x", "step": true, "option": 0, "voice": "somebody"}', "application/json", 400),
        (b'{"lesson": "x", "step": 1, "option": 0, "voice": "somebody"}', "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
    ],
)
def test_a_forged_prediction_is_refused_in_words(served, body, kind, status):
    assert predict(served, body, kind) == status


@pytest.fixture
def logs_as_before(monkeypatch):
    """Loggers keep the handlers that they have, which are not to outlive what a test captures."""
    monkeypatch.setattr(options, "write_logs", lambda *_: None)


@pytest.mark.usefixtures("logs_as_before")
def test_a_class_address_that_is_none_is_refused(capsys):
    assert cli.main(["serve", "--class", "--class-address", "nowhere", "--no-show", "--port", "0"]) == 1
    assert "expected an address" in capsys.readouterr().err


@pytest.mark.usefixtures("logs_as_before")
def test_a_model_that_no_live_page_holds_is_refused_before_anything_is_served(capsys):
    assert cli.main(["serve", "--class", "--class-models", "no-such-model", "--no-show", "--port", "0"]) == 1
    assert "no-such-model" in capsys.readouterr().err
