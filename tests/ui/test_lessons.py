"""Lessons in the browser: each step by keyboard and by touch, and nothing revealed before it is predicted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from ui.conftest import ServedApp
from ui.journeys import WAIT, hurry
from ui.returning import ReturningBrowser
from ui.test_accessibility import NARROW, WIDE, audit, set_window, wait_until_still

from lrbn_viz.app.inference import first_look
from lrbn_viz.view.lessons import Lesson, Step, shipped_lessons

LESSONS = [lesson for lesson in shipped_lessons() if not lesson.guide]

# All that is in the document, also within shadow roots and attributes.
DOCUMENT = """() => {
  const trees = (root) => [root, ...Array.from(root.querySelectorAll('*')).flatMap(
    ({shadowRoot}) => (shadowRoot ? trees(shadowRoot) : []))];
  const texts = trees(document).map((tree) => (tree.documentElement ?? tree).innerHTML);
  return texts.join('\\n').replaceAll('&nbsp;', ' ');
}"""
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return [at?.tagName ?? '', at?.type ?? '', at?.textContent ?? ''];
}"""


def leaves(tree: list[Any]) -> Iterator[str]:
    """The texts of a tree."""
    for node in tree:
        if isinstance(node, str):
            yield node
        else:
            yield from leaves(node[1:])


def told(tree: list[Any]) -> str:
    """The longest plain piece of a text, as it stands in a document and in a message."""
    pieces = [piece for leaf in leaves(tree) for piece in re.findall(r"[A-Za-z0-9 ,.:;()]+", leaf)]
    longest = max(pieces, key=len).lstrip(",.:;)")  # which the page joins to the word before it
    assert len(longest) > 20
    return longest


class Walk:
    """A page at a lesson, and all that its server has sent."""

    def __init__(self, page: Page, listen: Callable[..., Any]) -> None:
        self.page, self.sent = page, []
        listen(
            "websocket", lambda socket: socket.on("framereceived", lambda data: self.sent.append(str(data)))
        )
        listen("response", self._keep)

    def _keep(self, response: Any) -> None:
        if response.headers.get("content-type", "").startswith("text/html"):
            self.sent.append(response.text())

    def knows(self, words: str) -> bool:
        """Whether words are in the document, or were ever sent."""
        return words in self.page.evaluate(DOCUMENT) or any(words in each for each in self.sent)

    def at(self, step: Step, number: int) -> None:
        """Wait for a step."""
        expect(self.page.locator(".lv-lesson-in > h2")).to_have_text(step.title)
        expect(self.page.locator(".lv-lesson-in > header")).to_contain_text(f"Step {number} of ")

    def by_keys(self, step: Step, option: int) -> None:
        """Predict by keyboard."""
        self.tab_to(lambda tag, kind, text: kind == "radio")
        if option:
            for _ in range(option):
                self.page.keyboard.press("ArrowDown")
        else:
            self.page.keyboard.press("Space")
        self.press("See what happens")

    def press(self, name: str) -> None:
        """Press a button by keyboard."""
        self.tab_to(lambda tag, kind, text: tag == "BUTTON" and text.startswith(name))
        self.page.keyboard.press("Enter")

    def tab_to(self, wanted) -> None:
        for _ in range(25):
            if wanted(*self.page.evaluate(FOCUSED)):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead there; focused: {self.page.evaluate(FOCUSED)}")

    def by_touch(self, step: Step, option: int) -> None:
        """Predict by touch."""
        self.page.locator(".lv-lesson label").nth(option).tap()
        self.page.get_by_role("button", name="See what happens").tap()

    def touch(self, name: str) -> None:
        """Touch a button."""
        self.page.locator(".lv-lesson nav").get_by_role("button", name=name).tap()


def walk_through(walk: Walk, lessons: list[Lesson], predict, press) -> None:
    """Walk through lessons, one after the other; at each step nothing is known too early."""
    for lesson in lessons:
        for place, step in enumerate(lesson.steps, 1):
            walk.at(step, place)
            hidden = [told(step.reveal)] + ([told(lesson.take_home)] if place == len(lesson.steps) else [])
            hidden += [told(each.why) for each in step.options if each.why]
            assert not any(map(walk.knows, hidden)), (lesson.id, place)
            option = (step.right + place) % len(step.options)  # right ones and others
            predict(step, option)
            verdict = "That is what happens." if option == step.right else "Not what you expected"
            expect(walk.page.locator(".lv-lesson-in > h3").first).to_contain_text(verdict)
            assert all(map(walk.knows, hidden)), (lesson.id, place)
            assert_shown(walk.page, step)
            if place < len(lesson.steps):
                press("Next")
            elif lesson is not LESSONS[-1]:
                press("Next lesson")
    if lesson is not LESSONS[-1]:
        walk.at(LESSONS[LESSONS.index(lesson) + 1].steps[0], 1)


def assert_shown(page: Page, step: Step) -> None:
    """The cards that a step is about are marked, and the other panels are out of sight."""
    look = [*step.look, *step.after]
    panels = sorted(name for name in look if not name.startswith(("lane", "image")))
    page.wait_for_function(
        """([n, panels]) => {
          const player = window.lrbnPlayers[0];
          const there = player.root.querySelectorAll('.lv-pointed').length;
          const shown = Object.keys(player.panels).filter((name) => player.shows(name)).sort();
          return there === n && shown.join() === panels.join() && player.whole();
        }""",
        arg=[len(set(look)), panels],
    )


EVERY = pytest.param(LESSONS, marks=pytest.mark.slow, id="all")


@pytest.mark.parametrize("lessons", [pytest.param(LESSONS[:1], id="one"), EVERY])
def test_every_step_of_lessons_is_walked_by_keyboard(page: Page, listen, seen, serve_app: ServedApp, lessons):
    walk = Walk(page, listen)
    page.goto(f"{serve_app.url}?lesson={lessons[0].id}")
    walk_through(walk, lessons, walk.by_keys, walk.press)
    seen.assert_clean()


@pytest.mark.slow
def test_every_step_of_lessons_is_walked_by_touch_on_a_phone(browser: ReturningBrowser, serve_app: ServedApp):
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    try:
        page = context.new_page()
        page.set_default_timeout(WAIT)
        walk = Walk(page, page.on)
        page.goto(f"{serve_app.url}?lesson={LESSONS[0].id}")
        walk_through(walk, LESSONS, walk.by_touch, walk.touch)
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 360, "nothing is wider than the phone"
    finally:
        context.close()


def test_a_lesson_is_begun_from_the_list_has_a_link_for_each_step_and_is_left(
    page: Page, listen, serve_app: ServedApp
):
    page.goto(f"{serve_app.url}?page=lessons")
    entries = page.locator(".lv-lessons li a")
    expect(entries).to_have_count(len(LESSONS) + 1)
    expect(entries.first).to_contain_text("The first three minutes")  # the guide
    lesson = LESSONS[2]
    expect(entries.nth(3)).to_contain_text(f"{lesson.minutes} min")
    expect(entries.nth(3)).to_have_attribute("href", f"?lesson={lesson.id}")
    entries.nth(3).click()
    walk = Walk(page, listen)
    walk.at(lesson.steps[0], 1)
    page.wait_for_url(f"**?lesson={lesson.id}")
    next_step = page.locator(".lv-lesson nav").get_by_role("button", name="Next")
    next_step.dispatch_event("click")  # as a hasty visitor does; it asks for an answer first
    walk.at(lesson.steps[0], 1)
    page.get_by_role("button", name="See what happens").dispatch_event("click")
    expect(page.locator(".lv-lesson-says")).to_contain_text("a guess is enough")
    page.locator(".lv-lesson label").nth(2).click()
    page.get_by_role("button", name="See what happens").click()
    next_step.click()
    walk.at(lesson.steps[1], 2)
    page.wait_for_url(f"**?lesson={lesson.id}&step=2")
    expect(page.get_by_role("link", name="Link to this step")).to_have_attribute(
        "href", f"?lesson={lesson.id}&step=2"
    )
    page.reload()
    walk.at(lesson.steps[1], 2)
    page.get_by_role("button", name="Back").first.click()
    walk.at(lesson.steps[0], 1)
    page.wait_for_function("() => window.lrbnPlayers[0].state().lanes[1].title === 'Factorised'")
    wait_until_still(page)
    before = page.evaluate("() => window.lrbnPlayers[0].state().lanes.map(({title, h}) => [title, h])")
    page.get_by_role("button", name="Leave the lesson").click()
    expect(page.locator(".lv-lesson")).to_have_count(0)
    page.wait_for_url("**model=lrbn-200-mnist-strokes**")
    after = page.evaluate("() => window.lrbnPlayers[0].state().lanes.map(({title, h}) => [title, h])")
    assert after == before, "the page stays as it is"
    assert page.evaluate("() => window.lrbnPlayers[0].hidden.size") == 0
    assert page.evaluate("() => window.lrbnPlayers[0].root.querySelectorAll('.lv-pointed').length") == 0


@pytest.mark.parametrize("step", [1, 2])
def test_a_probability_that_a_lesson_names_is_written_as_the_card_beside_it_has_it(
    page: Page, serve_app: ServedApp, step: int
):
    page.goto(f"{serve_app.url}?lesson=how-sure&step={step}")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    hurry(page)
    page.locator(".lv-lesson label input").first.check()
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".lv-lesson fieldset[data-answered]")).to_have_count(1)
    shown = page.locator(".lv-truth header b")
    expect(shown).to_contain_text("%")
    expect(page.locator(".lv-lesson")).to_contain_text(shown.inner_text().replace("\xa0", " "))


@pytest.mark.slow
def test_the_first_look_leads_to_the_first_lesson(page: Page, listen, serve_app: ServedApp):
    page.goto(serve_app.url)
    hurry(page)
    link = page.get_by_role("link", name="Begin the first lesson")
    wait_until_still(page)
    look = first_look.read()
    assert look is not None
    for _ in look.story[1:]:
        page.get_by_role("button", name="Next caption").click()
    link.click()
    Walk(page, listen).at(LESSONS[0].steps[0], 1)


def test_a_teachers_lesson_runs_its_markup_does_not_and_a_bad_file_is_named(
    page: Page, seen, workshop: ServedApp
):
    page.goto(f"{workshop.url}?page=lessons")
    expect(page.locator(".lv-lessons li a")).to_have_count(len(LESSONS) + 2)  # the guide, and this one
    expect(page.locator(".lv-lessons li", has_text="bad.md")).to_contain_text("line 1: expected front matter")
    page.locator(".lv-lessons li a").last.click()
    expect(page.locator(".lv-lesson-in > h2")).to_contain_text("<script>")
    page.locator(".lv-lesson label").nth(1).click()
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".lv-lesson-in > h3").first).to_have_text("That is what happens.")
    expect(page.locator(".lv-lesson-home")).to_contain_text("<script>")
    assert page.evaluate("() => window.hostile") is None
    assert page.locator(".lv-lesson :is(img, script, iframe)").count() == 0
    seen.assert_clean()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_lessons_have_no_grave_finding(page: Page, serve_app: ServedApp, scheme, size):
    set_window(page, size, scheme)
    page.goto(f"{serve_app.url}?page=lessons")
    expect(page.locator(".lv-lessons li a").first).to_be_visible()
    assert audit(page)[0] == []
    page.goto(f"{serve_app.url}?lesson=surest-unit&step=3")
    expect(page.locator(".lv-lesson fieldset")).to_be_visible()
    wait_until_still(page)
    assert audit(page)[0] == []
    page.locator(".lv-lesson label").first.click()
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".lv-lesson-in > h3").first).to_be_focused()
    wait_until_still(page)
    new, _, passed = audit(page)
    assert new == []
    assert {"color-contrast", "label"} <= set(passed)
