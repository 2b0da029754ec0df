"""Models trained in the session, on the Compare page, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import WAIT
from ui.test_compare_page import WHOLE, state


@pytest.mark.slow
def test_models_trained_here_are_compared_and_measured_on_the_spot(page: Page, serve_app):
    page.goto(f"{serve_app.url}?page=train")
    expect(page.get_by_role("button", name="Begin left from a file")).to_be_enabled(timeout=WAIT)
    page.get_by_label("Recipe").select_option("small")
    training = page.get_by_role("group", name="Training")
    training.get_by_role("button", name="Start training").click()
    page.wait_for_function("() => window.lrbnBoards[0].state().lanes[0]?.step > 40", timeout=WAIT)
    training.get_by_role("button", name="Pause").click()
    page.get_by_role("link", name="Compare", exact=True).click()
    own = page.get_by_role("list", name="Models of this session")
    page.wait_for_function("() => window.lrbnComparisons?.[0]?.whole()", timeout=WAIT)
    expect(page.get_by_text("choose the data set 8x8 digits")).to_be_visible()
    page.get_by_label("Data set").select_option("digits")
    ticks = own.get_by_role("checkbox")
    expect(ticks).to_have_count(2)
    ticks.nth(0).check()
    page.wait_for_function(WHOLE, timeout=WAIT)
    page.wait_for_function(
        "() => window.lrbnComparisons[0].state().systems.some((name) => name.startsWith('own:'))"
    )
    page.wait_for_function(WHOLE, timeout=WAIT)
    expect(own).to_contain_text(re.compile(r"LRBN, minibatch \d+"))
    expect(own).to_contain_text(re.compile(r"\u2212[\d.]+ nats \(measured here, exact, \d+ images\)"))
    row = page.locator("tr[data-of^=own]")
    expect(row.get_by_role("img")).to_have_count(8)
    expect(row).to_contain_text(re.compile(r"[\d.]+ wrong pixels"))
    assert any(name.startswith("own:") for name in state(page)["done"])
    assert "own" not in page.url
