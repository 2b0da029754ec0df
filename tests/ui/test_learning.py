"""A page from a disk learns on a thread of its own, without a request, and paints meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser.learning_page import write_learning_page
from playwright.sync_api import Browser
from ui.firefox import firefox_page, firefox_path


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("learning") / "learns.html"
    assert write_learning_page(path, "digits", 32, 40, prior="flat") == 1437
    return path.as_uri()


def test_it_trains_pauses_and_goes_back_in_chromium(browser: Browser, address: str):
    context = browser.new_context()
    page = context.new_page()
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    page.wait_for_function("() => window.answers.length > 0")
    page.evaluate("() => tell({act: 'play'})")
    page.wait_for_function("() => window.answers.at(-1).epoch >= 5")
    page.evaluate("() => tell({act: 'pause'})")
    page.wait_for_function("() => !window.answers.at(-1).playing")
    stopped = page.evaluate("() => window.answers.at(-1).step")
    page.evaluate("() => tell({act: 'back', step: 100})")
    page.wait_for_function("() => window.answers.at(-1).step <= 100")
    page.evaluate("() => tell({act: 'play'})")
    page.wait_for_function("() => window.answers.at(-1).over", timeout=60_000)
    wrong = page.evaluate("() => [...window.answers.at(-1).figures.wrong_pixels].at(-1)")
    assert stopped >= 5 * 72
    assert wrong < 3, "it has learned to draw digits"
    assert all(url.startswith(("file:", "blob:")) for url in requests), requests
    assert errors == []
    context.close()


@pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")
def test_it_trains_in_firefox(tmp_path: Path, address: str):
    with firefox_page(tmp_path) as page:
        page.goto(address)
        page.wait_for_function("() => window.answers.length > 0")
        page.evaluate("() => tell({act: 'play'})")
        page.wait_for_function("() => window.answers.at(-1).epoch >= 3")
        assert page.errors == []
