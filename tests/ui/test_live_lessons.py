"""Lessons in a live page: the same files, without a server, and nothing readable before it is predicted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from ui.journeys import WAIT
from ui.test_accessibility import audit
from ui.test_lessons import DOCUMENT, told

from lrbn_viz import export_live
from lrbn_viz.app.claims import Shown
from lrbn_viz.app.lessons.state import ALWAYS_SHOWN
from lrbn_viz.app.shared.menus import CONTROLS
from lrbn_viz.server.classroom.tally import Tally
from lrbn_viz.view.lessons import shipped_lessons
from lrbn_viz.view.live.lessons import (
    answer_of,
    described_lesson,
    described_step,
    fitting,
    guided,
    lessons_on_training,
)
from lrbn_viz.view.live.page import class_html

EVERY_LESSON = [lesson for lesson in shipped_lessons() if not lesson.guide]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a live page lies whose models were not chosen: it has those of all lessons."""
    path = tmp_path_factory.mktemp("live") / "lessons.html"
    export_live(path)
    text = path.read_text(encoding="utf-8")
    assert not any(told(step.reveal) in text for lesson in EVERY_LESSON for step in lesson.steps)
    return path.as_uri()


@pytest.fixture
def live(context: BrowserContext, seen) -> Any:
    """A page without a network; nothing goes wrong on it."""
    context.set_offline(True)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    yield page
    seen.assert_clean()


def test_which_lessons_a_page_can_run():
    strokes = ("lrbn-200-mnist-strokes", "factorised:lrbn-200-mnist-strokes")
    assert [lesson.id for lesson in fitting(EVERY_LESSON, holding(strokes, 200))] == ["surest-unit"]
    assert fitting(EVERY_LESSON, holding(strokes, 38)) == []
    assert fitting(shipped_lessons(), {}) == []


def holding(models: tuple[str, ...], n_images: int) -> dict[str, range]:
    return {name: range(n_images) for name in models}


def test_a_page_has_the_steps_of_the_guide_that_it_can_show():
    (guide,) = (lesson for lesson in shipped_lessons() if lesson.guide)
    models = ("lrbn-2-alarm", "factorised:lrbn-2-alarm")
    (alarm,) = fitting([guide], holding(models, 20))
    assert alarm.steps == guide.steps[:3]
    assert (alarm.id, alarm.guide) == (guide.id, True)
    assert guided([alarm], models, can_hide=True) == [alarm]
    (with_own,) = guided([alarm], ("own",), can_hide=False)
    assert with_own.steps[:3] == alarm.steps
    assert [step.title for step in with_own.steps[3:]] == ["Visit by visit", "Why a unit is on or off"]


def test_the_page_whose_models_were_not_chosen_has_every_lesson(live: Page, address: str):
    live.goto(f"{address}#visit=end")
    live.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    found = live.evaluate(
        "() => window.lrbnLive.session.meta.lessons.map(({id, steps}) => [id, steps.length])"
    )
    every = (*shipped_lessons(), *lessons_on_training("digits"))
    assert found == [[lesson.id, len(lesson.steps)] for lesson in every]


def test_what_is_hidden_is_encoded_and_comes_back():
    for lesson in EVERY_LESSON:
        words = json.dumps(described_lesson(lesson))
        for step in lesson.steps:
            assert told(step.reveal) not in words
        assert told(lesson.take_home) not in words
        assert '"right"' not in words


@pytest.mark.parametrize(
    "lessons",
    [pytest.param(EVERY_LESSON[:1], id="one"), pytest.param(EVERY_LESSON, id="all", marks=pytest.mark.slow)],
)
def test_every_step_is_walked_and_shows_what_the_engine_says(live: Page, address: str, lessons):
    shown = Shown()
    live.goto(f"{address}#lesson={lessons[0].id}")
    for number, lesson in enumerate(lessons):
        for place, step in enumerate(lesson.steps, 1):
            expect(live.locator(".lv-lesson-in > h2")).to_have_text(step.title)
            found = live.evaluate(DOCUMENT)
            hidden = [step.reveal, *(each.why for each in step.options if each.why)]
            assert not any(told(said) in found for said in hidden)
            check_lanes(live, shown, lesson.shown_at(place)[0])
            option = (step.right + place) % len(step.options)
            live.locator(".lv-lesson label").nth(option).click()
            live.get_by_role("button", name="See what happens").click()
            verdict = "That is what happens." if option == step.right else "Not what you expected"
            expect(live.locator(".lv-lesson-in > h3")).to_contain_text(verdict)
            found = live.evaluate(DOCUMENT)
            assert all(told(said) in found for said in hidden)
            check_lanes(live, shown, lesson.shown_at(place)[1])
            live.wait_for_url(f"**#lesson={lesson.id}" + (f"&step={place}" if place > 1 else ""))
            if place < len(lesson.steps):
                live.locator(".lv-lesson nav").get_by_role("button", name="Next").click()
            elif number + 1 < len(lessons):
                live.get_by_role("button", name="Next lesson").click()
    live.get_by_role("button", name="Leave the lesson").click()
    expect(live.locator(".lv-lesson")).to_be_hidden()
    assert live.evaluate("() => window.lrbnPlayers[0].hidden.size") == 0
    live.wait_for_url("**#model=**")


def check_lanes(page: Page, shown: Shown, query: str) -> None:
    """The lanes are those that the explorer shows at an address: as many visits, and the same end."""
    wanted = [
        [trace.n_visits, *trace.latents(trace.n_visits).astype(int).tolist()]
        for _, trace in shown.lanes(query)
    ]
    found = page.evaluate(
        """() => {
          const player = window.lrbnPlayers[0];
          return player.lanes.map((lane, n) => [lane.meta.n_visits, ...player.latents(n, player.clock.end)]);
        }"""
    )
    assert found == wanted, query


def test_a_lesson_is_chosen_from_the_list_and_controls_step_aside(live: Page, address: str):
    live.goto(address)
    live.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    live.get_by_role("button", name="Lessons").click()
    entries = live.locator(".live-lessons ul button")
    expect(entries).to_have_count(1 + len(EVERY_LESSON) + len(lessons_on_training("digits")))
    expect(entries.first).to_contain_text("The first three minutes")  # the guide
    expect(entries.nth(1)).to_contain_text(EVERY_LESSON[0].title)
    assert audit(live)[0] == []
    entries.nth(2).click()
    expect(live.locator(".lv-lesson-in > h2")).to_have_text(EVERY_LESSON[1].steps[0].title)
    gone = live.evaluate("() => [...window.lrbnPlayers[0].hidden]")
    assert set(CONTROLS) - set(gone) == ALWAYS_SHOWN
    for width in (1440, 360):
        live.set_viewport_size({"width": width, "height": 800})
        assert audit(live)[0] == []
        assert live.evaluate("() => document.documentElement.scrollWidth") <= width


def test_a_link_to_a_lesson_that_is_not_there_is_named(live: Page, address: str):
    live.goto(f"{address}#lesson=of-mine")
    expect(live.locator(".live-notice")).to_contain_text("this page has no lesson called")


def test_a_page_of_other_models_has_the_lessons_about_small_ones(live: Page, tmp_path: Path):
    path = tmp_path / "small.html"
    export_live(path, "lrbn-200-ocr-strokes", n_images=4)
    titles = {lesson.id: lesson.title for lesson in EVERY_LESSON}
    live.goto(path.as_uri())
    live.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    live.get_by_role("button", name="Lessons").click()
    entries = live.locator(".live-lessons ul button")
    said = ["The first three minutes", *(titles[name] for name in ("how-sure", "not-known"))]
    expect(entries).to_have_count(len(said))
    for n, title in enumerate(said):
        expect(entries.nth(n)).to_contain_text(title)
    entries.last.click()
    expect(live.locator(".lv-network")).to_be_visible()


def test_a_class_hears_of_predictions_and_of_nothing_else(context: BrowserContext):
    page = context.new_page()
    page.set_default_timeout(WAIT)
    text, lessons = class_html(("lrbn-200-mnist-strokes",), shipped_lessons())
    told_class: list[Any] = []
    lost: list[str] = []

    def answer(route: Route) -> None:
        address = route.request.url
        if route.request.method == "POST" and not lost:
            lost.append(address)
            route.abort()
        elif route.request.method == "POST":
            told_class.append((address, route.request.post_data_json))
            (lesson,) = (each for each in lessons if each.id == "surest-unit")
            route.fulfill(json={"answer": answer_of(lesson, 1)})
        elif "/steps" in address:
            (lesson,) = (each for each in lessons if each.id == "surest-unit")
            route.fulfill(json={"step": described_step(lesson, int(address[-1]), answer=False)})
        elif "/state" in address:
            route.fulfill(json={"version": "1", "phase": "own", "round": 0, "mine": []})
        elif address.endswith("live.html"):
            route.fulfill(body=text, content_type="text/html")

    page.route("http://class.test/**", answer)
    page.route_web_socket("ws://class.test/**", lambda _: None)
    page.goto("http://class.test/class/live.html#lesson=surest-unit")
    page.locator(".lv-lesson label").nth(1).click()
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".lv-lesson-says")).to_contain_text("does not answer")
    page.get_by_role("button", name="See what happens").click()  # the option is still chosen
    expect(page.locator(".lv-lesson-in > h3")).to_be_visible()
    page.locator(".lv-lesson nav").get_by_role("button", name="Next").click()
    expect(page.locator(".lv-lesson-in > header")).to_contain_text("Step 2")
    ((url, said),) = told_class
    voice = said.pop("voice")
    assert (url, said) == (
        "http://class.test/class/predictions",
        {"lesson": "surest-unit", "step": 1, "option": 1},
    )
    Tally({lesson.id: lesson for lesson in shipped_lessons()}).count(**said, voice=voice)


def test_a_class_whose_server_is_lost_is_followed_again(context: BrowserContext):
    text, _ = class_html(("lrbn-200-mnist-strokes",), shipped_lessons())
    states = {"phase": "own", "round": 0, "mine": []}
    lost = False

    def answer(route: Route) -> None:
        address = route.request.url
        if address.endswith("live.html"):
            route.fulfill(body=text, content_type="text/html")
        elif lost:
            route.abort()
        else:
            route.fulfill(json={"version": states["phase"], **states})

    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.route("http://class.test/**", answer)
    page.route_web_socket("ws://class.test/**", lambda socket: socket.close())
    page.goto("http://class.test/class/live.html")
    said = page.locator(".live-class")
    expect(said).to_be_hidden()
    lost = True
    expect(said).to_contain_text("The class's server does not answer")
    states["phase"], lost = "waiting", False
    expect(said).to_contain_text("Your lecturer leads the class")
