"""The explorer in a real browser: a served app, a Chromium, and a page that records what it must not do."""

from __future__ import annotations

import functools
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from ui.journeys import WAIT, wait_for_image, wait_until_whole

ROOT = Path(__file__).resolve().parents[2]

# Without these Chromium looks up its maker's hosts at every start, and no test could tell our requests
# from its own.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LOCAL_HOSTS = {"127.0.0.1", "localhost", "::1"}
START_SECONDS = 120.0  # a first start compiles kernels
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of the system's Chromium; its absence skips the test, but fails it under CI."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        found = shutil.which(name)
        if found:
            return found
    message = (
        "no Chromium on the PATH; install it (Debian: apt-get install chromium) to run the browser tests"
    )
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@dataclass
class ServedApp:
    """A running `panel serve`; `log` holds the lines it has printed so far."""

    url: str
    process: subprocess.Popen[str]
    log: list[str]

    @property
    def flat(self) -> str:
        """An address that says what to show, as its first settings: the bare one tells a story of its own."""
        return f"{self.url}?model=lrbn-200-mnist-flat"


def _serve(script: Path, *extra: str, **environment: str) -> Iterator[ServedApp]:
    """Serve `script` on a port of the system's choosing until the generator is closed."""
    command = [sys.executable, "-m", "panel", "serve", str(script), "--port", "0", "--address", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, *extra],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
    )
    assert process.stdout is not None
    lines: queue.Queue[str | None] = queue.Queue()
    log: list[str] = []

    def read() -> None:
        # Drains the pipe for as long as the server lives; a full pipe would block it.
        for line in process.stdout or ():
            log.append(line.rstrip("\n"))
            lines.put(line)
        lines.put(None)

    reader = threading.Thread(target=read, name="serve-log", daemon=True)
    reader.start()
    try:
        yield ServedApp(_wait_for_address(lines, log), process, log)
    finally:
        process.terminate()
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join(timeout=5)


def _wait_for_address(lines: queue.Queue[str | None], log: list[str]) -> str:
    """The address that the server prints when it is ready; fails with its log otherwise."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            line = lines.get(timeout=1.0)
        except queue.Empty:
            continue
        if line is None:
            pytest.fail("panel serve ended before it was ready:\n" + "\n".join(log))
        match = re.search(r"app running at: (\S+)", line)
        if match:
            return match.group(1)
    pytest.fail(f"panel serve was not ready after {START_SECONDS:.0f} s:\n" + "\n".join(log))


@pytest.fixture(scope="session")
def serve_app() -> Iterator[ServedApp]:
    """The README's explorer, served as a user serves it; one server for all tests of a run."""
    yield from _serve(ROOT / "apps" / "explorer.py")


@pytest.fixture(scope="session")
def serve_explorer() -> Callable[..., Iterator[ServedApp]]:
    """Serve the explorer once more, with other environment variables; ends when the generator is closed."""
    return functools.partial(_serve, ROOT / "apps" / "explorer.py")


@pytest.fixture(scope="session")
def serve_script() -> Callable[..., Iterator[ServedApp]]:
    """Serve another script as a user would; ends when the generator is closed."""
    return _serve


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Playwright]:
    """Playwright itself; its own browsers are never downloaded nor used."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright_driver: Playwright, chromium_path: str) -> Iterator[Browser]:
    """One headless Chromium for all tests of a run; every test gets a context of its own."""
    browser = playwright_driver.chromium.launch(
        executable_path=chromium_path, headless=True, args=CHROMIUM_FLAGS
    )
    yield browser
    browser.close()


@dataclass
class Seen:
    """What a page did that a user would complain of."""

    outside_requests: list[str] = field(default_factory=list)
    console_problems: list[str] = field(default_factory=list)  # errors and warnings
    page_errors: list[str] = field(default_factory=list)  # exceptions that nothing caught

    def watch(self, context: BrowserContext) -> None:
        """Record from now on what every page of `context` does."""
        context.on("request", lambda request: self._address(request.url))
        context.on("page", self._watch_page)

    def _watch_page(self, page: Page) -> None:
        page.on("websocket", lambda socket: self._address(socket.url))
        page.on("pageerror", lambda error: self.page_errors.append(str(error)))

        def console(message) -> None:
            if message.type in ("error", "warning"):
                at = message.location or {}
                self.console_problems.append(f"{message.type}: {message.text} ({at.get('url', '')})")

        page.on("console", console)

    def _address(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in LOCAL_HOSTS:
            self.outside_requests.append(url)

    def assert_clean(self, *, ignore: tuple[str, ...] = ()) -> None:
        """Fail on any outside request, console error or warning, or page error.

        Parameters
        ----------
        ignore
            Parts of console lines that are known not to be ours; say why where you pass one.
        """
        problems = [line for line in self.console_problems if not any(part in line for part in ignore)]
        assert self.outside_requests == [], f"requests to outside hosts: {self.outside_requests}"
        assert self.page_errors == [], f"errors that nothing caught in the page: {self.page_errors}"
        assert problems == [], f"console errors or warnings: {problems}"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser context of this test's own: no cookies, cache or storage from others."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT)
    yield context
    context.close()


@pytest.fixture
def seen(context: BrowserContext) -> Seen:
    """What this test's pages did; ask `seen.assert_clean()` at the end of a journey."""
    seen = Seen()
    seen.watch(context)
    return seen


@pytest.fixture
def page(context: BrowserContext, seen: Seen) -> Page:
    """An empty page at 1440x900, watched from its first request on."""
    page = context.new_page()
    page.set_default_timeout(WAIT)
    return page


@pytest.fixture
def explorer(page: Page, serve_app) -> Page:
    """The page, whole, at the start of image 0; nothing moves any more, so that a place found stays."""
    page.goto(serve_app.flat)
    wait_for_image(page, 0)
    wait_until_whole(page)
    return page


@pytest.fixture
def artifacts() -> Path:
    """Folder for screenshots; git ignores it."""
    folder = ROOT / "test-output"
    folder.mkdir(exist_ok=True)
    return folder
