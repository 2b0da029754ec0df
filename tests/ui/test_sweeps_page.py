"""The Sweeps page in a real browser: by keyboard, at two widths, light and dark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app.test_sweeps import TOLD
from playwright.sync_api import Page, expect
from ui.journeys import WAIT, open_page, wait_until_it_stands_still
from ui.test_accessibility import NARROW, WIDE, audit, set_window

from lrbn_viz.studies.sweep.results import read_sweep
from lrbn_viz.studies.sweep.run import SweepRun
from lrbn_viz.studies.sweep.space import space_of

STATE = "() => window.lrbnSweeps[0].state()"


@pytest.fixture(scope="module")
def swept() -> Iterator[Path]:
    """A sweep where the server looks for them; gone after these tests, with the link in the header."""
    folder = Path(os.environ["LRBN_VIZ_SWEEPS"]) / "small"
    SweepRun(space_of(TOLD), folder).run()
    yield folder
    shutil.rmtree(folder)


def go(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_function("() => window.lrbnSweeps?.[0]?.state().lines.length", timeout=WAIT)
    return page


def state(page: Page) -> dict[str, Any]:
    return page.evaluate(STATE)


def test_trials_are_sorted_filtered_and_chosen_by_keys_and_trained(page: Page, serve_app, seen, swept):
    sweep = read_sweep(swept)
    assert sweep is not None
    ranked = [row.number for row in sweep.rows]
    go(page, f"{serve_app.url}?page=sweeps")
    assert (state(page)["shown"], state(page)["rows"]) == ("small", ranked)
    assert page.get_by_role("img", name="4 trials over Learning rate, E-step").is_visible()
    page.get_by_role("button", name="Trial", exact=True).press("Enter")
    assert state(page)["rows"] == sorted(ranked)
    expect(page.get_by_role("columnheader", name="Trial", exact=True)).to_have_attribute(
        "aria-sort", "ascending"
    )
    expect(page.get_by_role("button", name="Trial", exact=True)).to_be_focused()
    page.get_by_role("slider", name="Learning rate from").press("ArrowRight")
    page.get_by_role("checkbox", name="icm").press("Space")
    (kept,) = [row.number for row in sweep.rows if row.settings == {"learning_rate": 1.0, "e_step": "gibbs"}]
    assert (state(page)["rows"], state(page)["lines"]) == ([kept], [kept])
    expect(page.get_by_text("1 of 4 trials are shown.")).to_be_visible()
    page.get_by_role("button", name=f"Choose trial {kept}").press("Enter")
    expect(page.get_by_role("region", name="The chosen trial")).to_contain_text(
        "Learning rate 1, E-step gibbs"
    )
    page.get_by_role("button", name="Show all trials").press("Enter")
    assert state(page)["rows"] == sorted(ranked)
    page.get_by_role("button", name="Open the Train page with these settings").press("Enter")
    page.wait_for_function("() => window.lrbnBoards?.[0]", timeout=WAIT)
    expect(page.get_by_label("Latent units").first).to_have_value("5")
    expect(page.get_by_label("Number of epochs").first).to_have_value("1")
    seen.assert_clean()


def test_on_a_phone_six_links_and_the_theme_button_fit_into_the_header(page: Page, serve_app, swept):
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, serve_app.flat)
    wait_until_it_stands_still(page)
    links = page.locator(".lv-nav a, .lv-theme, .MuiAppBar-root .MuiIconButton-root")
    boxes = [link.bounding_box() for link in links.all()]
    assert len(boxes) >= 8
    for box in boxes:
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        assert (box["x"] >= 0, box["x"] + box["width"] <= 390) == (True, True)
    words = page.locator(".lv-nav a").evaluate_all(
        "nodes => nodes.map((n) => n.scrollWidth <= n.clientWidth)"
    )
    assert all(words), "no word reaches beyond its link"


@pytest.mark.parametrize(
    ("scheme", "size"), [pytest.param("light", WIDE, marks=pytest.mark.slow), ("dark", NARROW)]
)
def test_the_page_has_no_grave_finding_and_is_as_wide_as_its_window(
    page: Page, serve_app, swept, scheme, size
):
    set_window(page, size, scheme)
    go(page, f"{serve_app.url}?page=sweeps&sweep=small")
    page.wait_for_function("scheme => window.lrbnSweeps[0].root.dataset.scheme === scheme", arg=scheme)
    page.evaluate("() => window.lrbnSweeps[0].choose(0)")
    new, _, passed = audit(page)
    assert new == []
    assert {"color-contrast", "button-name", "label"} <= set(passed)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= size[0]
