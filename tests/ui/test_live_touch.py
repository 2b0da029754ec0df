"""A live page on a phone, by fingers alone: each view, a lesson on training, a visitor's table, files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from ui.conftest import Seen

from lrbn_viz import export_live
from lrbn_viz.datasets import load_dataset

PHONE = {"width": 390, "height": 844}
ENDS = "() => window.lrbnBoards?.[0]?.status === 'done'"
LEAST = 24  # CSS pixels of what a finger presses (WCAG 2.2, 2.5.8)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a page lies that trains."""
    path = tmp_path_factory.mktemp("touch") / "trains.html"
    export_live(path, n_images=20, train=True)
    return path.as_uri()


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Callable[[str], Page]]:
    """Open the page on a phone without a network; nothing goes wrong."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, offline=True)  # type: ignore[arg-type]
    seen = Seen()
    seen.watch(context)

    def phone(hash_: str) -> Page:
        page = context.new_page()
        page.goto(f"{address}{hash_}")
        page.wait_for_function("() => window.lrbnBoards?.[0]?.status === 'new'")
        return page

    yield phone
    seen.assert_clean()
    context.close()


def fits(page: Page) -> None:
    """Nothing is wider than the phone."""
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


def tap(target: Locator) -> None:
    """Tap what is large enough for a finger."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= LEAST, box
    target.tap()


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def test_all_views_are_reached_and_models_trained_looked_at_drawn_from_and_compared(phone):
    page = phone("#page=train")
    tap(button(page, "Start training"))
    page.wait_for_function(ENDS)
    fits(page)
    tap(button(page, "Generate"))
    page.wait_for_function("() => window.lrbnGenerators?.[0]?.timeline?.lanes")
    fits(page)
    tap(button(page, "Compare"))
    tap(button(page, "Add the models in training as they are now"))
    expect(page.get_by_text("LRBN in training").first).to_be_visible()
    fits(page)
    tap(button(page, "Train"))
    tap(button(page, "Look at these models in Inference"))
    page.wait_for_function("() => window.lrbnLive.session.lanes[0].model.startsWith('LRBN in training')")
    fits(page)


def test_a_lesson_on_training_is_walked(phone):
    page = phone("#lesson=dead-units")
    card = page.get_by_role("region", name="Lesson")
    tap(card.locator("label").filter(has_text="About a dozen"))
    tap(card.get_by_role("button", name="See what happens"))
    expect(card).to_contain_text("That is what happens.")
    page.wait_for_function("() => window.lrbnBoards[0].status === 'paused'")
    fits(page)
    tap(card.get_by_role("button", name="Next", exact=True))
    expect(card).to_contain_text("Step 2 of 3")
    tap(card.get_by_role("button", name="Leave the lesson"))
    expect(card).to_be_hidden()


def test_a_table_is_opened_learned_from_and_saved_with_the_page(phone, tmp_path: Path):
    data = load_dataset("findings")
    rows = [",".join("yes" if value else "no" for value in x) for x in data.train_X[:300]]
    (tmp_path / "mine.csv").write_text("\n".join([",".join(data.variables or ()), *rows]), encoding="utf-8")
    page = phone("#page=train")
    tap(button(page, "Inference"))
    tap(button(page, "Files"))
    files = page.get_by_role("dialog", name="Files")
    fits(page)
    files.locator("input[type=file]").set_input_files(tmp_path / "mine.csv")
    page.wait_for_function(
        "() => document.querySelector('.live-course summary')?.textContent.includes('mine')"
        " && window.lrbnBoards?.[0]?.status === 'new'"
    )
    tap(button(page, "Start training"))
    page.wait_for_function(ENDS)
    fits(page)
    tap(button(page, "Look at these models in Inference"))
    tap(button(page, "Files"))
    with page.expect_download() as found:
        tap(files.get_by_role("button", name="this page", exact=True))
    assert found.value.suggested_filename.endswith(".html")
    tap(files.get_by_role("button", name="close"))
    expect(files).to_be_hidden()
