"""A run in whole passes on a cluster of one worker, in a real browser: workers, progress, the dashboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import budget_in_epochs
from ui.test_accessibility import audit
from ui.test_train_page import open_page, press, until


@pytest.mark.slow
def test_a_pass_on_a_cluster_is_shown_and_waits_and_is_given_up(page: Page, workshop: Any):
    open_page(page, workshop)
    page.get_by_label("Recipe").select_option("small")
    page.get_by_label("Model", exact=True).nth(1).select_option("none")
    budget_in_epochs(page, "2000")
    expect(page.get_by_label("Where it runs")).to_have_count(0)
    page.get_by_label("Schedule").select_option("batch")
    expect(page.get_by_label("Learning rate", exact=True)).to_have_count(0)
    page.get_by_label("Where it runs").select_option("cluster")
    press(page, "Start training")
    card = page.get_by_role("region", name="Passes")
    expect(card).to_contain_text("on 1 worker of a cluster")
    expect(card.get_by_role("progressbar")).to_have_count(1)
    until(page, "s.lanes[0].step >= 2 && s.lanes[0].rate > 0")
    expect(card).to_contain_text("Pause takes effect after this pass")
    expect(page.get_by_role("group", name="Training")).to_contain_text("of 2000")
    link = card.get_by_role("link", name="Dask\N{RIGHT SINGLE QUOTATION MARK}s dashboard")
    with page.context.expect_page() as opened:
        link.click()
    other = opened.value
    assert other.url.startswith("http://127.0.0.1:")
    assert other.evaluate("() => window.opener") is None
    other.close()
    assert audit(page)[0] == []
    press(page, "Pause")
    until(page, "s.status === 'paused'")
    expect(card).to_contain_text("between two passes")
    press(page, "Go on")
    until(page, "s.status === 'running'")
    press(page, "Stop")
    until(page, "s.status === 'cancelled'")
    expect(card).to_be_hidden()
