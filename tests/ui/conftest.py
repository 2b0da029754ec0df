"""The explorer in a real browser: a served app, a Chromium, and a page that records what it must not do."""

from __future__ import annotations

import contextlib
import functools
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    ViewportSize,
    WebSocket,
    expect,
    sync_playwright,
)
from ui.journeys import START, TRACES, WAIT, open_page, wait_for_image, wait_until_whole
from ui.parts import KEPT_SECONDS, LESSON_FILES, PREFIX, SESSION_ENDED, copy_with_another_view
from ui.proxy import Proxy, free_port
from ui.returning import ReturningBrowser, been_here

ROOT = Path(__file__).resolve().parents[2]
EXPLORER = ROOT / "apps" / "explorer.py"
PLUGIN = ("--plugins", "lrbn_viz.server")
MOST_SERVERS = 5
"""That the tests start which run always; see `serve_script`."""
WIDE: ViewportSize = {"width": 1440, "height": 900}

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
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"):
        found = shutil.which(name)
        if found:
            return found
    message = (
        "no Chromium on the PATH; install it (Debian: apt-get install chromium-headless-shell) to run the "
        "browser tests"
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


def _serve(script: Path, *extra: str, plugin: bool = True, **environment: str) -> Iterator[ServedApp]:
    """Serve `script` on a port of the system's choosing until the generator is closed; see `serve_script`."""
    extra = (*extra, *(PLUGIN if plugin else ()))
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
def serve_script(pytestconfig: pytest.Config) -> Callable[..., Iterator[ServedApp]]:
    """Serve a script as a user would; ends when the generator is closed.

    To many visitors, as most tests ask for what such a server adds; without `plugin` as on one's own machine.

    A server takes as long to start as a page takes to open ten times. So the tests that run always share
    few, and one that starts another must be slow or find a place in `serve_app` or `workshop`.
    """
    started = []

    def serve(script: Path, *extra: str, plugin: bool = True, **environment: str) -> Iterator[ServedApp]:
        started.append(script.name)
        if pytestconfig.getoption("--slow") == "none" and len(started) > MOST_SERVERS:
            pytest.fail(f"expected at most {MOST_SERVERS} servers, share one of: {', '.join(started)}")
        return _serve(script, *extra, plugin=plugin, **environment)

    return serve


@pytest.fixture(scope="session")
def serve_explorer(serve_script: Callable[..., Any]) -> Callable[..., Iterator[ServedApp]]:
    """Serve the explorer once more, with other environment variables; ends when the generator is closed."""
    return functools.partial(serve_script, EXPLORER)


@pytest.fixture(scope="session")
def serve_app(serve_script: Callable[..., Any]) -> Iterator[ServedApp]:
    """The README's explorer, served to many visitors; one server for all tests of a run."""
    yield from serve_script(EXPLORER)


@pytest.fixture(scope="session")
def runs_folder(serve_app: ServedApp) -> Path:
    """Where `serve_app` keeps what is trained."""
    return Path(os.environ["LRBN_VIZ_RUNS"])


@dataclass
class Workshop(ServedApp):
    """The server of `workshop.py`.

    Attributes
    ----------
    proxy : Proxy
        A line to the server that can be cut.
    behind_proxy : str
        The address of the same pages, by that line.
    runs : Path
        Its folder of runs.
    """

    proxy: Proxy
    behind_proxy: str
    runs: Path

    def has_let_go_of(self, session: str) -> bool:
        """Return whether a page's session has ended on the server."""
        return f"{SESSION_ENDED} {session}" in self.log


@pytest.fixture(scope="session")
def workshop(
    tmp_path_factory: pytest.TempPathFactory, serve_script: Callable[..., Any]
) -> Iterator[Workshop]:
    """One more server, of all that the README's explorer lacks: other parts, settings and pages.

    Below a prefix, behind a line that can be cut, with a cluster of one worker, a teacher's lessons, and a
    checkpoint of each run several times a second.
    """
    folder = tmp_path_factory.mktemp("workshop")
    package, lessons, runs = (folder / name for name in ("package", "lessons", "runs"))
    copy_with_another_view(package)
    lessons.mkdir()
    runs.mkdir()
    for name, text in LESSON_FILES.items():
        (lessons / name).write_text(text, encoding="utf-8")
    port = free_port()
    proxy = Proxy(port)
    serving = serve_script(
        Path(__file__).with_name("workshop.py"),
        *("--port", str(port), "--prefix", PREFIX),
        *("--allow-websocket-origin", f"127.0.0.1:{port}"),
        *("--allow-websocket-origin", f"127.0.0.1:{proxy.port}"),
        # as everywhere, but looked at each second, so that no test waits
        *("--unused-session-lifetime", str(1000 * KEPT_SECONDS), "--check-unused-sessions", "1000"),
        PYTHONPATH=os.pathsep.join([str(ROOT / "tests"), str(ROOT), os.environ.get("PYTHONPATH", "")]),
        LRBN_VIZ_TEST_PACKAGE=str(package),
        LRBN_VIZ_LESSONS=str(lessons),
        LRBN_VIZ_RUNS=str(runs),
        LRBN_VIZ_CHECKPOINT_SECONDS="0.3",
        LRBN_VIZ_CLUSTER="local:1",
    )
    app = next(serving)
    yield Workshop(
        app.url, app.process, app.log, proxy, app.url.replace(f":{port}/", f":{proxy.port}/"), runs
    )
    proxy.close()
    serving.close()


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Playwright]:
    """Playwright itself; its own browsers are never downloaded nor used."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright_driver: Playwright, chromium_path: str) -> Iterator[ReturningBrowser]:
    """One headless Chromium for all tests of a run; every test gets a context of its own."""
    browser = playwright_driver.chromium.launch(
        executable_path=chromium_path, headless=True, args=CHROMIUM_FLAGS
    )
    yield ReturningBrowser(browser)
    browser.close()


@pytest.fixture
def visitor(browser: ReturningBrowser) -> Iterator[BrowserContext]:
    """A browser that has never been here: it is shown the guided beginning."""
    context = browser.new_visitor(viewport=WIDE)
    context.set_default_timeout(WAIT)
    yield context
    context.close()


@dataclass
class Seen:
    """What a page did that a user would complain of."""

    outside_requests: list[str] = field(default_factory=list)
    console_problems: list[str] = field(default_factory=list)  # errors and warnings
    page_errors: list[str] = field(default_factory=list)  # exceptions that nothing caught

    def watch(self, context: BrowserContext) -> None:
        """Record from now on what every page of `context` does."""
        context.on("request", self._request)
        context.on("page", self._watch_page)
        for page in context.pages:
            self._watch_page(page)

    def leave(self, context: BrowserContext) -> None:
        """Record no more."""
        context.remove_listener("request", self._request)
        context.remove_listener("page", self._watch_page)
        for page in context.pages:
            for event, heard in self._handlers.items():
                with contextlib.suppress(KeyError):  # a page that was opened by others
                    page.remove_listener(event, heard)

    def _watch_page(self, page: Page) -> None:
        for event, heard in self._handlers.items():
            Page.on(page, event, heard)

    @functools.cached_property
    def _handlers(self) -> dict[Any, Callable[[Any], None]]:
        return {"websocket": self._request, "pageerror": self._error, "console": self._say}

    def _request(self, request: Request | WebSocket) -> None:
        self._address(request.url)

    def _error(self, error: Exception) -> None:
        self.page_errors.append(str(error))

    def _say(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            at = message.location or {}
            self.console_problems.append(f"{message.type}: {message.text} ({at.get('url', '')})")

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
def context(browser: ReturningBrowser) -> Iterator[BrowserContext]:
    """A browser context of this test's own: no cookies, cache or storage from others.

    A test that asks for it has its `page` there, too.
    """
    context = browser.new_context(viewport=WIDE)
    context.set_default_timeout(WAIT)
    yield context
    context.close()


BLUR = """() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  focused?.blur();
  window.scrollTo(0, 0);
}"""


class SharedPage:
    """The page of all tests that need none of their own: it opens in half the time of a first one.

    What a test leaves is taken away after it. What cannot be taken away is refused: that test asks for
    `context`. After a test that failed there is another page.

    Tests that leave a page as it was, but for a cursor and the like, begin from a fixture whose name begins
    with ``standing_``: what one has opened stands for the next, if that begins from the same (`stand`).

    Attributes
    ----------
    standing : str
        Fixture whose page stands open; or none does.
    """

    REFUSED = ("on", "once", "add_init_script", "expose_function", "expose_binding", "route_web_socket")

    def __init__(self, browser: ReturningBrowser) -> None:
        self._browser = browser
        self._page: Page | None = None
        self.standing = ""
        self._settings: Any = None

    @property
    def page(self) -> Page:
        """The page, on nothing."""
        if self._page is None:
            context = self._browser.new_context(viewport=WIDE)
            context.set_default_timeout(WAIT)
            self._page = page = context.new_page()
            page.set_default_timeout(WAIT)
            for name in self.REFUSED:
                setattr(page, name, functools.partial(self._refuse, name))
        return self._page

    def _refuse(self, name: str, *_: Any, **__: Any) -> None:
        message = f"{name} would outlive this test; ask for the fixture `context` too, or for `listen`"
        raise AssertionError(message)

    def stand(self, fixture: str, go: Callable[[Page], object], settings: str, go_back: str) -> None:
        """Open a page, or bring the one that stands open back to how it opens.

        Parameters
        ----------
        fixture : str
            Which asks; its name.
        go : callable
            Opens the page, and waits until it is whole.
        settings : str
            A function of the page, which returns what no test may have changed; else it is opened anew.
        go_back : str
            A function of the page, which undoes what tests do change.
        """
        page = self.page
        stands = self.standing == fixture
        if stands:
            page.set_viewport_size(WIDE)
            page.mouse.move(0, 0)
            page.evaluate(BLUR)
            page.evaluate(go_back)
        if not stands or page.evaluate(settings) != self._settings:
            page.goto("about:blank")
            go(page)
            self._settings = page.evaluate(settings)
        self.standing = fixture

    def clear(self) -> None:
        """Take away what a test has left."""
        self.standing = ""
        page = self.page
        context = page.context
        for other in context.pages:
            if other is not page:
                other.close()
        page.unroute_all(behavior="ignoreErrors")
        context.unroute_all(behavior="ignoreErrors")
        if page.url.startswith("http"):
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.goto("about:blank")
        page.set_viewport_size(WIDE)
        page.emulate_media(
            media="null",
            color_scheme="light",
            reduced_motion="no-preference",
            forced_colors="null",
            contrast="null",
        )
        page.mouse.move(0, 0)
        context.clear_cookies()
        been_here(context)
        context.clear_permissions()

    def drop(self) -> None:
        """Close the page; the next one is another."""
        self.standing = ""
        if self._page is not None:
            self._page.context.close()
            self._page = None


@pytest.fixture(scope="session")
def shared_page(browser: ReturningBrowser) -> Iterator[SharedPage]:
    """The page of all tests that ask for no `context`."""
    shared = SharedPage(browser)
    yield shared
    shared.drop()


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember which tests failed, for what is shared."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


def _standing(item: pytest.Item) -> str:
    """Return the fixture whose page a test leaves standing open, or nothing."""
    return next((name for name in getattr(item, "fixturenames", ()) if name.startswith("standing_")), "")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring tests of a file together that begin from the same page, which then is opened once."""
    files = {path: place for place, path in enumerate(dict.fromkeys(item.path for item in items))}
    items.sort(key=lambda item: (files[item.path], _standing(item)))


@pytest.fixture
def seen(request: pytest.FixtureRequest) -> Iterator[Seen]:
    """What this test's pages did; ask `seen.assert_clean()` at the end of a journey."""
    own = "context" in request.fixturenames
    context = (
        request.getfixturevalue("context") if own else request.getfixturevalue("shared_page").page.context
    )
    seen = Seen()
    seen.watch(context)
    yield seen
    if not own:
        seen.leave(context)


@pytest.fixture
def page(request: pytest.FixtureRequest, seen: Seen) -> Iterator[Page]:
    """An empty page at 1440x900, watched from its first request on."""
    if "context" in request.fixturenames:
        page = request.getfixturevalue("context").new_page()
        page.set_default_timeout(WAIT)
        yield page
        return
    shared: SharedPage = request.getfixturevalue("shared_page")
    stands = _standing(request.node)
    if shared.standing not in ("", stands):
        shared.clear()
    yield shared.page
    if request.node.stash.get(FAILED, False):
        shared.drop()
    elif not stands:
        shared.clear()


@pytest.fixture
def listen(page: Page) -> Iterator[Callable[[Any, Callable[[Any], Any]], None]]:
    """Call a function at each event of the page, such as ``"websocket"``, for as long as the test lasts."""
    heard = []

    def listen(event: Any, hear: Callable[[Any], Any]) -> None:
        Page.on(page, event, hear)
        heard.append((event, hear))

    yield listen
    for event, hear in heard:
        page.remove_listener(event, hear)


@dataclass
class Frames:
    """Messages of a page's websockets.

    Attributes
    ----------
    lengths : list of int
        Of those of the page.
    all : list of str
        Of both sides.
    """

    lengths: list[int] = field(default_factory=list)
    all: list[str] = field(default_factory=list)

    def listen(self, socket: WebSocket) -> None:
        """Listen to one more."""
        socket.on("framesent", self._hear_page)
        socket.on("framereceived", self._hear)

    def _hear_page(self, frame: str | bytes) -> None:
        self.lengths.append(len(frame))
        self._hear(frame)

    def _hear(self, frame: str | bytes) -> None:
        self.all.append(str(frame))


@pytest.fixture
def frames(listen: Callable[..., None]) -> Frames:
    """What the page and its server tell each other from now on."""
    frames = Frames()
    listen("websocket", frames.listen)
    return frames


@pytest.fixture
def explorer(page: Page, serve_app) -> Page:
    """The page, whole, at the start of image 0; nothing moves any more, so that a place found stays."""
    page.goto(serve_app.flat)
    wait_for_image(page, 0)
    wait_until_whole(page)
    return page


@pytest.fixture
def standing_explorer(page: Page, shared_page: SharedPage, serve_app: ServedApp) -> Page:
    """As `explorer`, for tests that move the cursor and choose units only."""
    shared_page.stand("standing_explorer", lambda page: open_page(page, serve_app.flat), TRACES, START)
    wait_until_whole(page)
    return page


@pytest.fixture
def artifacts(pytestconfig: pytest.Config) -> Callable[[Page, str], None]:
    """Take a picture of a page, for who wants to look at it; only where slow tests run, too."""
    folder = ROOT / "test-output"  # git ignores it

    def take(page: Page, name: str) -> None:
        if pytestconfig.getoption("--slow") != "none":
            page.screenshot(path=folder / f"{name}.png")

    return take
