"""The lecturer's page of a class in a real browser, with the counts that a class has made."""

from __future__ import annotations

import gzip
import json

import pytest
from playwright.sync_api import Page, Route, expect
from ui.conftest import Seen

from lrbn_viz.server.classroom.room import Classroom
from lrbn_viz.server.classroom.voting import Question
from lrbn_viz.view.lessons import shipped_lessons

BOARD = "http://127.0.0.1:9/class/board"


def answered(room: Classroom, route: Route) -> None:
    """Answer as the handlers of a class do, without a server."""
    if "/counts" in route.request.url:
        route.fulfill(body=json.dumps(room.board_state()), content_type="application/json")
    elif route.request.url.endswith("board.js"):
        script = room.scripts["board"]
        route.fulfill(body=gzip.decompress(script.packed), content_type=script.kind)
    elif "live.html" in route.request.url:
        route.fulfill(body="", content_type="text/html")
    else:
        route.fulfill(body=room.board_page(), content_type="text/html; charset=utf-8")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1366, 768), (1920, 1080), (390, 844)])
def test_question_answers_counts_and_buttons_are_on_the_screen_at_once(
    page: Page, seen: Seen, width: int, height: int
):
    lessons = {lesson.id: lesson for lesson in shipped_lessons()}
    room = Classroom(lessons, (), "http://192.168.178.20:5006")
    asked = [
        (lesson.id, n)
        for lesson in lessons.values()
        for n, step in enumerate(lesson.steps, 1)
        if step.options
    ]
    lesson, step = max(asked, key=lambda each: len(str(lessons[each[0]].steps[each[1] - 1].options)))
    for voice in range(3):
        room.tally.count(lesson, step, voice % 2, f"{voice:032x}")
    page.route("http://127.0.0.1:9/**", lambda route: answered(room, route))
    page.set_viewport_size({"width": width, "height": height})
    page.goto(BOARD)
    expect(page.get_by_text("3 predictions")).to_be_in_viewport(ratio=1)
    for name in ("Mark the right answer", "Start a new count"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_text(room.entrance)).to_be_in_viewport(ratio=1)
    outputs = page.locator("output")
    assert outputs.all_inner_texts()[:2] == ["2", "1"]
    code = page.get_by_role("img", name=room.entrance)
    if width > 800:
        expect(code).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Mark the right answer").click()
    expect(page.get_by_text("(right)")).to_have_count(1)
    seen.assert_clean()


LETTERS = 13
"""Smallest size of the letters of an answer on a projector, in pixels."""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_each_question_with_two_votes_and_its_answer_fits_a_projector(
    page: Page, seen: Seen, width: int, height: int
):
    room = Classroom({lesson.id: lesson for lesson in shipped_lessons()}, (), "http://192.168.178.20:5006")
    page.route("http://127.0.0.1:9/**", lambda route: answered(room, route))
    page.set_viewport_size({"width": width, "height": height})
    room.live.result()
    room.lead("lead", None, is_lecturer=True)
    for each in room.board_state()["questions"]:
        question = Question(each["lesson"], each["step"])
        for command in ("open", "vote", "close", "vote", "close", "reveal"):
            room.lead(command, question, is_lecturer=True)
        page.goto(BOARD)
        expect(page.get_by_text("(right)")).to_be_visible()
        over, letters = page.evaluate(
            """() => {
              const over = ["html", "#shown"].flatMap((name) => {
                const {scrollHeight, clientHeight, scrollWidth, clientWidth} = document.querySelector(name);
                return [scrollHeight - clientHeight, scrollWidth - clientWidth];
              });
              const told = document.querySelector(".told");
              return [Math.max(...over), parseFloat(getComputedStyle(told).fontSize)];
            }"""
        )
        assert over <= 1, question
        assert letters >= LETTERS, (question, letters)
    seen.assert_clean()
