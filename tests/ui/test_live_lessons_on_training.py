"""Lessons on training in a live page: each step is walked, and trains what it speaks of in the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from ui.test_accessibility import NARROW, WIDE, audit_each, open_page, plain, scheme  # noqa: F401

from lrbn_viz import export_live
from lrbn_viz.view.live.lessons import lessons_on_training
from lrbn_viz.view.live.training import arranged

LESSONS = lessons_on_training("digits")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("training") / "trains.html"
    export_live(path, n_images=20, train=True)
    return path.as_uri()


@pytest.fixture
def begin(context: BrowserContext, address: str, seen) -> Iterator[Callable[..., Page]]:
    """Open a lesson by its link, without a network; nothing goes wrong."""
    context.set_offline(True)

    def begin(lesson: str, size: tuple[int, int] = WIDE) -> Page:
        page = context.new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(f"{address}#lesson={lesson}")
        expect(page.get_by_role("main", name="Train").get_by_role("region", name="Lesson")).to_be_visible()
        return page

    yield begin
    seen.assert_clean()


def epochs_of(query: str) -> int:
    """Passes of the run that an address shows."""
    run = arranged(query)
    assert run is not None
    return run.epochs


def at_epoch(page: Page, epochs: int) -> None:
    page.wait_for_function(
        "(epochs) => window.lrbnBoards?.[0]?.lanes?.length === 2 && window.lrbnBoards[0].lanes.every("
        "({step, meta}) => step === epochs * meta.per_pass)"
        " && ['new', 'paused'].includes(window.lrbnBoards[0].status)",
        arg=epochs,
    )


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_each_step_shows_the_run_that_it_speaks_of(begin, lesson):
    page = begin(lesson.id)
    card = page.get_by_role("region", name="Lesson")
    prior = page.get_by_role("combobox", name="LRBN: prior")
    for number, step in enumerate(lesson.steps, 1):
        expect(card).to_contain_text(f"Step {number} of {len(lesson.steps)}")
        for query, answer in zip(lesson.shown_at(number), (True, False), strict=True):
            run = arranged(query)
            assert run is not None
            at_epoch(page, run.epochs)
            expect(prior).to_have_value(run.settings[0].get("prior", "flat"))
            if answer:
                card.get_by_role("radio").nth(step.right).check()
                card.get_by_role("button", name="See what happens").click()
        expect(card).to_contain_text("That is what happens.")
        page.wait_for_function("() => location.hash.includes('lesson=')")
        if number < len(lesson.steps):
            card.get_by_role("button", name="Next", exact=True).click()
    expect(card).to_contain_text("To take home")


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=str)
@pytest.mark.parametrize(
    "lesson", [each for each in LESSONS if any(step.look for step in each.steps)], ids=lambda of: of.id
)
def test_the_curves_that_a_step_speaks_of_are_in_sight(begin, lesson, size):
    page = begin(lesson.id, size)
    card = page.get_by_role("region", name="Lesson")
    curves = page.get_by_role("region", name="Curves")
    for number, step in enumerate(lesson.steps, 1):
        for query, answer in zip(lesson.shown_at(number), (True, False), strict=True):
            if step.look:
                expect(curves).to_be_in_viewport(ratio=0.3)
            at_epoch(page, epochs_of(query))
            assert step.look in ((), ("curves",))
            if step.look:
                # a phone has no room for all of them
                expect(curves).to_be_in_viewport(ratio=0.9 if size[0] > 390 else 0.3)
            if answer:
                card.get_by_role("radio").nth(step.right).check()
                card.get_by_role("button", name="See what happens").click()
        if number < len(lesson.steps):
            card.get_by_role("button", name="Next", exact=True).click()
    assert page.evaluate("() => window.scrollY") == 0


def test_one_who_scrolls_while_a_step_trains_is_not_led_back(begin):
    (lesson,) = (each for each in LESSONS if each.steps[0].look)
    before, after = map(epochs_of, lesson.shown_at(1))
    assert before < after
    page = begin(lesson.id, (1366, 768))
    card = page.get_by_role("region", name="Lesson")
    curves = page.get_by_role("region", name="Curves")
    at_epoch(page, before)
    expect(curves).to_be_in_viewport()
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="See what happens").click()
    curves.hover()
    page.mouse.wheel(0, -3000)
    at_epoch(page, after)
    page.wait_for_timeout(300)  # what comes last has come
    expect(curves).not_to_be_in_viewport(ratio=0.9)


LATE = """
window.late = [];
window.Worker = class extends Worker {
  set onmessage(receive) {
    super.onmessage = (event) => {
      if (event.data.meta?.kind === "pictures" && !window.told) window.late.push(() => receive(event));
      else receive(event);
    };
  }
};
"""
"""Pictures of the run that is shown come when the page has asked for the next one, and not before."""


def test_the_curves_are_in_sight_although_the_run_before_has_a_last_word(begin, context):
    context.add_init_script(LATE)
    page = begin("prior", (1366, 768))
    card = page.get_by_role("region", name="Lesson")
    at_epoch(page, 40)
    page.evaluate("() => { window.late = []; }")
    card.get_by_role("radio").nth(2).check()
    card.get_by_role("button", name="See what happens").click()
    page.wait_for_function("() => window.late.length > 1 && window.lrbnBoards[0].lanes[0].step > 100")
    card.evaluate(
        """(card) => {
          [...card.querySelectorAll("button")].find(({textContent}) => textContent === "Next").click();
          window.told = true;
          for (const receive of window.late) receive();
        }"""
    )
    expect(card).to_contain_text("Validation log P(x, h)")
    at_epoch(page, 40)
    expect(page.get_by_role("region", name="Curves")).to_be_in_viewport(ratio=0.9)


def test_a_lesson_leads_on_to_inference_and_back_and_is_left(begin):
    page = begin("dead-units")
    at_epoch(page, 0)
    # its sentence on what is learned would tell the answer
    expect(page.get_by_text("With a learned prior half")).to_be_hidden()
    page.get_by_role("button", name="Inference", exact=True).click()
    expect(page.get_by_role("main", name="Inference")).to_be_visible()
    assert page.evaluate("() => window.lrbnPlayers[0].lanes.length") == 2
    page.get_by_role("button", name="Train", exact=True).click()
    card = page.get_by_role("main", name="Train").get_by_role("region", name="Lesson")
    card.get_by_role("button", name="Leave the lesson").click()
    expect(card).to_be_hidden()
    expect(page.get_by_text("With a learned prior half")).to_be_visible()
    page.wait_for_function("() => location.hash === '#page=train'")
    # another lesson, from the list
    page.get_by_role("button", name="Inference", exact=True).click()
    page.get_by_role("button", name="Lessons", exact=True).click()
    page.get_by_role("button", name="What do an LRBN and an RBM learn by?").click()
    at_epoch(page, 0)
    expect(page.get_by_role("main", name="Train").get_by_role("region", name="Lesson")).to_be_visible()
    page.get_by_role("region", name="Lesson").get_by_role("button", name="Leave the lesson").click()
    page.get_by_role("button", name="Inference", exact=True).click()
    page.get_by_role("button", name="Lessons", exact=True).click()
    page.get_by_role("dialog", name="Lessons").get_by_role("button").first.click()
    expect(page.get_by_role("main", name="Inference").locator(".lv-lesson")).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_lesson_beside_the_board_is_accessible_and_fits(begin, size):
    page = begin("prior", size)
    at_epoch(page, 40)
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert not audit_each(page, (plain,))
