"""Links that nobody would write: each opens a page that works, and the page says once what it ignored."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import budget_in_epochs

WHOLE = """() =>
  window.lrbnPlayers?.[0]?.lanes || window.lrbnBoards?.length || window.lrbnGenerators?.[0]?.timeline"""
TOO_LONG = "abcdefghij" * 4500


@pytest.fixture
def quiet_log(serve_app) -> Iterator[None]:
    """The server's log, in which a test leaves no errors."""
    before = len(serve_app.log)
    yield
    lines = [line for line in serve_app.log[before:] if "rror" in line or "Traceback" in line]
    assert lines == []


def open_whole(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_function(WHOLE)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?model=%ff", "model: expected text in UTF-8; lrbn-200-mnist-flat is shown."),
        (
            "?page=train&passes=3",
            "passes: a setting of the Generate page; it has no effect on the Train page.",
        ),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("?drawn=" + TOO_LONG, "The link had more than 16,000 characters; left out: drawn."),
                (
                    "?page=generate&passes=999",
                    "passes: expected a whole number from 1 to 240, got 999; 24 are drawn.",
                ),
                ("?page=train&run=%00", "run: expected the name of a run, got '\\x00'; no run is opened."),
                (
                    "?seed=" + "9" * 5000,
                    "seed: expected a whole number from 0 to 2,147,483,647, got 5,000 digits; 0 is used.",
                ),
                ("?image=" + "9" * 5000, "image: expected a whole number from 0 to 999, got 5,000 digits"),
                (
                    "?visit=999999",
                    "visit: expected a whole number from 0 to 711, got 999999; the last is shown.",
                ),
                (
                    "?a=b?c=d&seed=[1",
                    "seed: expected a whole number from 0 to 2,147,483,647, got '[1'; 0 is used.",
                ),
                ("?model=live:x%20LRBN", "model: 'x LRBN' belongs to a session that has ended"),
                ("?theme=%ff", "theme: expected text in UTF-8; the visitor's own theme is used."),
                ("?theme=dark%00", "got 'dark\\x00'; the visitor's own theme is used."),
                (
                    "?page=kitchen",
                    "page: expected one of inference, train, generate, compare, lessons, sweeps, "
                    "got 'kitchen'",
                ),
            )
        ),
    ],
)
def test_an_odd_link_opens_a_page_that_says_what_it_ignored(page, serve_app, seen, quiet_log, query, words):
    open_whole(page, serve_app.url + query)
    notices = page.get_by_role("status", name="Notices")
    expect(notices.get_by_role("listitem").filter(has_text=words)).to_have_count(1)
    notices.get_by_role("button", name="Dismiss these notices").click()
    expect(page.get_by_role("button", name="Dismiss these notices")).to_have_count(0)
    page.get_by_role("link", name="Generate").click()
    page.wait_for_function("() => window.lrbnGenerators?.[0]?.timeline")
    expect(page.get_by_role("button", name="Dismiss these notices")).to_have_count(0)
    seen.assert_clean()


def test_a_plain_link_has_nothing_to_say(page, serve_app, quiet_log):
    open_whole(page, serve_app.url + "?seed=3&image=5")
    expect(page.get_by_role("button", name="Dismiss these notices")).to_have_count(0)


def test_a_link_to_a_run_that_is_gone_says_so(page, serve_app, seen, quiet_log):
    open_whole(page, serve_app.url + "?page=train&run=gone-1")
    expect(page.get_by_role("alert").filter(has_text="There is no run called gone-1")).to_be_visible()
    seen.assert_clean()


@pytest.mark.slow
def test_the_notice_fits_a_phone_and_passes_what_people_who_cannot_see_need(page, serve_app, quiet_log):
    page.set_viewport_size({"width": 360, "height": 740})
    open_whole(page, serve_app.url + "?seed=" + "9" * 5000 + "&drawn=" + "x" * 9000 + "&units=" + "y" * 60)
    notices = page.get_by_role("status", name="Notices")
    expect(notices.get_by_role("listitem")).to_have_count(4)
    box = notices.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Dismiss these notices").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Dismiss these notices")).to_have_count(0)


def type_into(page: Page, name: str, text: str) -> None:
    field = page.get_by_role("textbox", name=name, exact=True)
    field.fill(text)
    field.press("Tab")


@pytest.mark.slow
def test_an_odd_seed_is_refused_beside_its_field_and_kept_as_typed(page, serve_app, seen, quiet_log):
    open_whole(page, serve_app.url + "?model=lrbn-12-digits&algorithm=gibbs")
    field = page.get_by_role("textbox", name="Seed in lane 1", exact=True)
    note = page.get_by_text("Expected a whole number from 0 to 2,147,483,647, got ")
    odd = ("", "9" * 5000, "-1" + "0" * 400, "１２", "1e999", "nan", "true")
    for good, text in enumerate(odd, 7):
        before = page.evaluate("() => window.lrbnPlayers[0].lanes[0].meta")
        type_into(page, "Seed in lane 1", text)
        expect(note).to_be_visible()
        expect(field).to_have_value(text)
        expect(field).to_have_attribute("aria-invalid", "true")
        assert page.evaluate("() => window.lrbnPlayers[0].lanes[0].meta") == before
        type_into(page, "Seed in lane 1", str(good))
        expect(note).to_have_count(0)
        expect(field).to_have_attribute("aria-invalid", "false")
        page.wait_for_function("seed => location.search.includes(`seed=${seed}`)", arg=good)
    seen.assert_clean()


@pytest.mark.slow
def test_odd_passes_are_refused_beside_the_field(page, serve_app, seen, quiet_log):
    open_whole(page, serve_app.url + "?page=generate")
    passes = page.evaluate("() => window.lrbnGenerators[0].timeline.passes")
    for text in ("999", "0", "", "1e999"):
        type_into(page, "Passes (1 to 240)", text)
        expect(page.get_by_text("Expected a whole number from 1 to 240, got ")).to_be_visible()
    type_into(page, "Seed", "")
    expect(page.get_by_text("Expected a whole number from 0 to 2,147,483,647, got nothing.")).to_be_visible()
    assert page.evaluate("() => window.lrbnGenerators[0].timeline.passes") == passes
    type_into(page, "Passes (1 to 240)", "3")
    page.wait_for_function("() => window.lrbnGenerators[0].timeline.passes === 3")
    seen.assert_clean()


def test_odd_numbers_in_the_form_of_a_run_are_refused_beside_the_field(page, serve_app, seen, quiet_log):
    open_whole(page, serve_app.url + "?page=train")
    budget_in_epochs(page, "60")
    odd = {"Random seed": "9" * 5000, "Minibatch size (images)": "-1" + "0" * 400, "Number of epochs": "１２"}
    for name, text in odd.items():
        field = page.get_by_role("textbox", name=name, exact=True)
        field.fill(text)
        note = page.locator(f"#{field.get_attribute('id')}-note")
        expect(note).to_contain_text("expected a")
        expect(field).to_have_value(text)
        expect(field).to_have_attribute("aria-invalid", "true")
    seen.assert_clean()
