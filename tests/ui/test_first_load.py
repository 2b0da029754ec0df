"""What a first visit and a second cost: bytes, packed and kept. `bench_first_load.py` measures times too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from bench.traffic import Traffic, visit
from playwright.sync_api import BrowserContext, Page
from ui.parts import PREFIX
from ui.returning import ReturningBrowser

from lrbn_viz.server.traffic.files import PLACE

FIRST, SECOND = 2_500_000, 300_000  # bytes over HTTP and the websocket together
NOT_USED = ("tabulator", "bokeh-tables", "bokeh-gl", "mathjax", "es-module-shims", "plotly", "vega")


@pytest.fixture(scope="module")
def visits(browser: ReturningBrowser, serve_app) -> Iterator[tuple[Traffic, Traffic]]:
    """A first visit and a second, to a server that others have visited."""
    visit(browser, serve_app.url)[0].context.close()
    page, first = visit(browser, serve_app.url)
    _, second = visit(page.context, serve_app.url)
    yield first, second
    page.context.close()


def test_a_first_visit_and_a_second_stay_within_their_bytes(visits):
    first, second = visits
    assert first.total <= FIRST, first.largest(12)
    assert second.total <= SECOND, second.largest(12)


def test_nothing_travels_that_no_page_uses_and_nothing_as_it_is(visits):
    first, _ = visits
    assert [str(each) for each in first.asked if each.loose] == []
    assert [each.url for each in first.asked if any(name in each.url.lower() for name in NOT_USED)] == []
    components = [each.url for each in first.asked if PLACE in each.url and each.url.endswith(".js")]
    assert any(url.endswith("/TracePlayer.js") for url in components), components
    assert first.websocket < 250_000, first.messages


def test_what_is_kept_is_not_asked_for_again(visits):
    # Inside: A file is requested once.
    first, second = visits
    known = {each.url for each in first.asked}
    again = [each for each in second.asked if each.url in known and PLACE in each.url and not each.from_cache]
    assert any(each.from_cache and each.url in known for each in second.asked)
    assert [str(each) for each in again] == []


def whole(page: Page) -> None:
    page.wait_for_function(
        "() => window.lrbnPlayers?.[0]?.whole() && window.lrbnPlayers[0].clock.stats.painted > 0"
    )


def all_from_below(page: Page, context: BrowserContext, url: str, prefix: str) -> None:
    """Open the explorer; each of its files is asked for below a prefix."""
    asked: list[str] = []
    context.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(url)
    whole(page)
    kept = [path for path in asked if PLACE in path]
    assert len(kept) > 5
    assert all(path.startswith(f"/{prefix}/{PLACE}/") for path in kept), kept


def test_below_a_prefix_everything_comes_from_below_it(page, context, seen, workshop):
    all_from_below(page, context, workshop.url, PREFIX)
    seen.assert_clean()


@pytest.mark.slow
def test_below_a_prefix_of_one_part_too(page, context, seen, serve_explorer: Callable[..., Any]):
    serving = serve_explorer("--prefix", "team")
    try:
        all_from_below(page, context, next(serving).url, "team")
        seen.assert_clean()
    finally:
        serving.close()


@pytest.mark.slow
def test_another_page_of_the_server_is_left_as_it_is(page, workshop):
    """Only what the explorer's own pages load is ours to choose."""
    page.goto(workshop.url)
    whole(page)
    text = page.request.get(f"{workshop.url}?plain=1").text()
    assert PLACE not in text
    assert "bokeh-tables" in text
