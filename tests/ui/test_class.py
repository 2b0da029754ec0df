"""A lecturer and three students in real browsers, through a question with two votes and a reveal."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect
from served import ServedClass, served_class
from ui.conftest import Seen
from ui.journeys import WAIT
from ui.returning import ReturningBrowser
from ui.test_accessibility import audit

from lrbn_viz.view.lessons import shipped_lessons
from lrbn_viz.view.lessons.markup import to_text

LESSON, STEP = "surest-unit", 1
PHONE: ViewportSize = {"width": 390, "height": 844}
PROJECTORS: list[ViewportSize] = [{"width": 1280, "height": 720}, {"width": 1920, "height": 1080}]
PICTURES = os.environ.get("LRBN_VIZ_PICTURES")
"""Folder for pictures of the board and of a student's phone, if some are wanted."""


@pytest.fixture(scope="module")
def served() -> Iterator[ServedClass]:
    with served_class() as found:
        yield found


@pytest.fixture
def students(browser: ReturningBrowser, served: ServedClass, seen: Seen) -> Iterator[list[Page]]:
    """Three phones in the class; through the network of the last no websocket comes."""
    contexts = [browser.new_context(viewport=PHONE) for _ in range(3)]
    contexts[2].route_web_socket("**/events*", lambda socket: socket.close())
    pages = []
    for context in contexts:
        seen.watch(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.goto(served.live)
        page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
        pages.append(page)
    yield pages
    for context in contexts:
        seen.leave(context)
        context.close()


@pytest.fixture
def board(context: BrowserContext, served: ServedClass) -> Page:
    """The lecturer's board on a projector."""
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.set_viewport_size(PROJECTORS[0])
    page.goto(served.board)
    expect(page.get_by_role("button", name="Lead the class")).to_be_visible()
    return page


def test_a_plan_is_led_from_its_notes_by_one_key(context: BrowserContext, seen: Seen):
    with served_class("--plan", "20-minutes") as found:
        notes, board, student = (context.new_page() for _ in range(3))
        for page, address in ((notes, found.notes), (board, found.board), (student, found.live)):
            page.set_default_timeout(WAIT)
            page.set_viewport_size(PROJECTORS[0])
            page.goto(address)
        student.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
        expect(notes.get_by_text("The lecture has not begun")).to_be_visible()
        said, part = notes.locator("#said"), notes.locator("#part")
        expect(said).to_contain_text("1 screen in the class")
        notes.keyboard.press("ArrowRight")
        expect(part).to_have_text("Before you begin")
        expect(notes.locator("#time")).to_contain_text("of 2 min")
        expect(notes.locator("#after")).to_contain_text("Two causes of one alarm")
        expect(student.get_by_text("Your lecturer leads the class")).to_be_visible()
        notes.keyboard.press("PageDown")
        expect(notes.get_by_text("Press the alarm on the board")).to_be_visible()
        lane = board.frame_locator("iframe")
        expect(lane.locator(".lv-presents .lv-network")).to_be_visible()
        take(board, "plan_board")
        take(notes, "plan_notes")
        assert audit(notes)[0] == []
        expect(student.locator(".lv-lesson")).to_be_hidden()
        notes.keyboard.press(" ")
        expect(student.locator(".lv-lesson-in > h2")).to_have_text("The radio reports an earthquake")
        expect(notes.locator("#next")).to_contain_text("Begin vote 1")
        notes.keyboard.press("ArrowRight")
        vote(student, 1)
        expect(said).to_contain_text("Vote 1: 1 voted, 0 have not answered")
        assert "Discuss" not in board.content()
        assert "one minute for the first vote" not in board.content(), "notes are not projected"
        board.keyboard.press("ArrowRight")  # the board goes on, too
        expect(said).to_contain_text("Vote 1: 1 voted")
        expect(notes.locator("#next")).to_contain_text("Begin vote 2")
        board.keyboard.press("r")
        expect(student.get_by_role("heading", name="That is what happens.")).to_be_visible()
        expect(board.locator("#next")).to_contain_text("Go on: The same in an image")
        notes.keyboard.press("ArrowLeft")
        expect(part).to_have_text("Two causes of one alarm")
        expect(student.locator(".lv-lesson")).to_be_hidden()
        expect(lane.locator(".lv-presents .lv-network")).to_be_visible()
        seen.assert_clean()


def take(page: Page, name: str) -> None:
    """Take pictures, light and dark, where a folder is named for them."""
    if PICTURES:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(600)
            page.screenshot(path=Path(PICTURES) / f"{name}_{scheme}.png")
        page.emulate_media(color_scheme=None)


def fits(board: Page, name: str) -> None:
    """All of the board is in sight on a projector, and nothing scrolls."""
    for size in PROJECTORS:
        board.set_viewport_size(size)
        board.wait_for_timeout(100)  # the letters follow the size of the window
        for node in ("html", "#shown", "aside"):
            over = board.locator(node).evaluate(
                "(node) => [node.scrollHeight - node.clientHeight, node.scrollWidth - node.clientWidth]"
            )
            assert max(over) <= 1, (size, node, over)
        expect(board.locator("footer")).to_be_in_viewport(ratio=1)
        take(board, f"board_{name}_{size['width']}")
    board.set_viewport_size(PROJECTORS[0])


def vote(page: Page, option: int) -> None:
    page.locator(".lv-lesson label").nth(option).click()
    page.get_by_role("button", name="Vote").click()
    expect(page.locator(".lv-lesson-says")).to_contain_text("Your vote is counted")


def test_a_lecturer_leads_three_students_by_keys_alone_through_two_votes(
    board: Page, students: list[Page], seen: Seen, tmp_path: Path
):
    (lesson,) = (each for each in shipped_lessons() if each.id == LESSON)
    step = lesson.steps[STEP - 1]
    said = board.locator("#said")
    board.locator("#which").select_option(f"{LESSON}.{STEP}")
    fits(board, "own")
    board.locator("#which").blur()
    board.keyboard.press("l")
    expect(said).to_contain_text("3 screens in the class")
    fits(board, "waiting")
    for page in students:
        expect(page.get_by_text("Your lecturer leads the class")).to_be_visible()
        expect(page.get_by_role("button", name="Lessons")).to_be_hidden()
    board.keyboard.press("ArrowRight")
    for page in students:
        expect(page.locator(".lv-lesson-in > h2")).to_have_text(step.title)
        expect(page.locator(".lv-lesson-says")).to_contain_text("The vote has not begun")
        expect(page.locator(".lv-lesson label input").first).to_be_disabled()
        expect(page.get_by_role("button", name="Vote")).to_have_count(0)
    lane = board.frame_locator("iframe")
    expect(lane.locator(".lv-presents .lv-lane[data-lane='0']")).to_be_visible()
    expect(lane.locator(".lv-lesson")).to_be_hidden()
    fits(board, "asked")
    board.keyboard.press("PageDown")
    expect(said).to_contain_text("Vote 1: 0 voted, 3 have not answered")
    take(students[0], "student_voting")
    assert audit(students[0])[0] == []
    vote(students[0], 0)
    vote(students[2], 0)
    expect(said).to_contain_text("Vote 1: 2 voted, 1 has not answered")
    expect(board.locator("#shown output")).to_have_count(0)
    fits(board, "voting")
    take(students[0], "student_voted")
    students[0].reload()  # who comes back is where the class is
    expect(students[0].locator(".lv-lesson-says")).to_contain_text("Your vote is counted")
    board.keyboard.press("ArrowRight")
    for page in students:
        expect(page.locator(".lv-lesson-says")).to_contain_text("Vote 1 has ended")
        expect(page.get_by_role("button", name="Vote")).to_have_count(0)
    counts = board.locator("#shown li output")
    assert counts.all_inner_texts() == ["2", *["0"] * (len(step.options) - 1)]
    fits(board, "closed")
    board.keyboard.press("v")
    expect(counts).to_have_count(0)
    board.keyboard.press("v")
    board.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Vote 2: 0 voted")
    for page in students:
        vote(page, step.right)
    expect(said).to_contain_text("Vote 2: 3 voted, 0 have not answered")
    board.keyboard.press("ArrowRight")
    expect(counts).to_have_count(2 * len(step.options))
    for page in students:
        assert to_text(step.reveal)[:40] not in page.content()
    assert to_text(step.reveal)[:40] not in board.content()
    board.keyboard.press("ArrowRight")
    for page in students:
        expect(page.get_by_role("heading", name="That is what happens.")).to_be_visible()
        assert to_text(step.reveal)[:40] in page.locator(".lv-lesson-in").inner_text()
        expect(page.locator(".lv-lesson label[data-right]")).to_contain_text("vote 2: 3")
    expect(board.get_by_text("(right)")).to_have_count(1)
    first, second = counts.nth(2 * step.right), counts.nth(2 * step.right + 1)
    assert (first.inner_text(), second.inner_text()) == ("2" if step.right == 0 else "0", "3")
    fits(board, "revealed")
    take(students[0], "student_revealed")
    assert audit(students[0])[0] == []
    assert audit(board)[0] == []
    with board.expect_download() as download:
        board.get_by_role("link", name="Counts as CSV").click()
    download.value.save_as(tmp_path / "class.csv")
    rows = list(csv.DictReader((tmp_path / "class.csv").open(encoding="utf-8")))
    assert [row["vote"] for row in rows] == [n for n in "12" for _ in step.options]
    assert sum(int(row["count"]) for row in rows) == 5
    board.keyboard.press("l")
    for page in students:
        expect(page.locator(".lv-lesson")).to_be_hidden()
        expect(page.get_by_role("button", name="Lessons")).to_be_visible()
    seen.assert_clean()
