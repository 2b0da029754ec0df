"""The browser of the tests: its visitors know the guided beginning, unless a test asks for a new one."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from lrbn_viz.io.constants import GUIDE_COOKIE


class ReturningBrowser:
    """A browser whose contexts belong to visitors who know the guided beginning.

    Parameters
    ----------
    browser : Browser
        Opens the contexts, with settings as Playwright takes them.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def new_context(self, **how: Any) -> BrowserContext:
        """Return a context whose visitor has been shown the guided beginning."""
        context = self.new_visitor(**how)
        been_here(context)
        context.add_init_script(f"try {{ localStorage.setItem('{GUIDE_COOKIE}', '1'); }} catch {{}}")
        return context

    def new_visitor(self, **how: Any) -> BrowserContext:
        """Return a context whose visitor has never been here."""
        return self._browser.new_context(**how)

    def new_page(self, **how: Any) -> Page:
        """Return a page in a context of its own, which ends with it; its visitor has never been here."""
        return self._browser.new_page(**how)


def been_here(context: BrowserContext) -> None:
    """Make the visitor of a context one who has been shown the guided beginning by a server of the tests."""
    context.add_cookies([{"name": GUIDE_COOKIE, "value": "1", "domain": "127.0.0.1", "path": "/"}])
