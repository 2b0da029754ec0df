"""Every page works under its content security policy, and what is not the page's own does not run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, Response, expect
from ui import test_compare_page as compare_page
from ui import test_generate_page as generate_page
from ui.conftest import WIDE, Seen
from ui.journeys import WAIT, open_page, seek, wait_until_whole
from ui.returning import ReturningBrowser

REPORTS = """
window.lrbnReports = [];
document.addEventListener("securitypolicyviolation",
  (event) => window.lrbnReports.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
PAGES = {
    "inference": ("?model=lrbn-12-digits", "() => window.lrbnPlayers?.[0]?.lanes"),
    "train": ("?page=train", "() => window.lrbnBoards?.[0]"),
    "generate": (generate_page.QUERY, generate_page.WHOLE),
    "compare": (compare_page.QUERY, compare_page.WHOLE),
    "lessons": ("?page=lessons", "() => document.title"),
    "sweeps": ("?page=sweeps", "() => window.lrbnSweeps?.[0]"),
    "a lesson": ("?lesson=surest-unit&step=1", "() => window.lrbnPlayers?.[0]?.lanes"),
}
"""Addresses, and what is true once they are open."""


@pytest.fixture(scope="module")
def reporter(browser: ReturningBrowser) -> Iterator[Page]:
    """A page that notes what its policy forbade; one for these tests."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.add_init_script(REPORTS)
    yield page
    context.close()


@pytest.fixture
def watched(reporter: Page) -> Iterator[Page]:
    yield reporter
    reporter.goto("about:blank")
    reporter.set_viewport_size(WIDE)


@pytest.fixture
def seen(reporter: Page) -> Iterator[Seen]:
    """What that page did in this test."""
    seen = Seen()
    seen.watch(reporter.context)
    yield seen
    seen.leave(reporter.context)


def reports(page: Page) -> list[str]:
    return page.evaluate("() => window.lrbnReports")


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("inference", "train") else pytest.param(name, marks=pytest.mark.slow)
        for name in PAGES
    ],
)
def test_a_page_works_under_its_policy_wide_and_narrow_and_nothing_is_reported(
    watched: Page, serve_app, seen, name: str
):
    query, _ = PAGES[name]
    opens(watched, name, watched.goto(serve_app.url + query))
    watched.set_viewport_size({"width": 390, "height": 844})
    opens(watched, name, watched.reload())
    assert watched.evaluate("() => document.documentElement.scrollWidth") <= 390
    seen.assert_clean()


def opens(watched: Page, name: str, answer: Response | None) -> None:
    """A page has the policy of all, and is whole under it."""
    _, is_open = PAGES[name]
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    scripts = re.search(r"script-src ([^;]*)", policy)
    assert scripts is not None
    assert "unsafe" not in scripts[1]
    assert answer.headers["x-content-type-options"] == "nosniff"
    watched.wait_for_function(is_open)
    if name == "inference":
        wait_until_whole(watched)
        seek(watched, 5)
    if name == "lessons":
        expect(watched.locator(".lv-lessons li a").first).to_be_visible()
    watched.wait_for_load_state("networkidle")
    assert reports(watched) == []


def test_a_script_that_got_into_a_page_does_not_run(watched: Page, serve_app):
    open_page(watched, serve_app.url + PAGES["inference"][0])
    watched.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.lrbnBroken = 'inline'";
          document.body.append(script);
          const image = document.createElement("img");
          image.setAttribute("onerror", "window.lrbnBroken = 'handler'");
          image.src = "data:,";
          document.body.append(image);
          // later: the tools by which this test runs in the page may use what the page may not
          setTimeout(() => new Function("window.lrbnBroken = 'eval'")());
          const outside = document.createElement("script");
          outside.src = "https://elsewhere.invalid/script.js";
          document.body.append(outside);
        }"""
    )
    watched.wait_for_function("() => window.lrbnReports.length >= 4")
    assert watched.evaluate("() => window.lrbnBroken") is None
    forbidden = " ".join(reports(watched))
    assert "script-src-elem inline" in forbidden
    assert "script-src-attr inline" in forbidden
    assert "script-src eval" in forbidden
    assert "elsewhere.invalid" in forbidden


@pytest.fixture(scope="module")
def lecture() -> Iterator[str]:
    """The address at which a class enters."""
    command = [sys.executable, "-m", "lrbn_viz.cli", "serve", "--class", "--port", "0", "--no-show"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        found = None
        for line in process.stdout or ():
            if found := re.search(r"class opens +(\S+)", line):
                break
        assert found is not None
        yield found[1]
        process.terminate()


@pytest.mark.slow
def test_the_live_page_of_a_class_works_under_its_policy(watched: Page, lecture: str, seen):
    for _ in range(100):
        try:
            urlopen(lecture, timeout=60).read()
            break
        except OSError:
            watched.wait_for_timeout(200)
    answer = watched.goto(lecture + "live.html")
    assert answer is not None
    assert "sha256-" in answer.headers["content-security-policy"]
    watched.wait_for_function("() => window.lrbnLive && window.lrbnPlayers?.[0]?.clock.stats.painted")
    assert reports(watched) == []
    seen.assert_clean()
