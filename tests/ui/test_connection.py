"""A line that is cut, closed or silent, and a server that is killed: the page says so, waits, and comes back.

All pages are open at once behind one proxy, so that one long cut tests them all.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from ui.journeys import WAIT, budget_in_epochs, wait_for_frames, wait_until_linked
from ui.proxy import CLOSED, SWALLOW, Proxy, free_port
from ui.test_accessibility import audit

# What is promised: 3 s until a page says so, in which it looks four times a second; and 10 s until it is
# back, in which it tries every 0.7 s. These are counted: a busy machine does both later, and not more often.
LOOKS, TRIES = 12, 14
# What the browser itself writes of a websocket or a request that found no server.
ATTEMPTS = (
    "WebSocket connection to",
    "Failed to connect to Bokeh server",
    "net::ERR_",
    "WebSocket is closed before the connection is established",
)

WORDS = """() => {
  const line = document.querySelector('.lv-connection')?.shadowRoot.querySelector('.line');
  return line && !line.hidden ? line.innerText : '';
}"""
# Every line that a page has shown, since "Back at ..." stands for 8 s alone; and how often it has looked.
SEEN = f"""
window.linesSeen = [];
window.looks = 0;
setInterval(() => {{
  const watch = window.lrbnConnection, line = ({WORDS})();
  if (watch && !Object.hasOwn(watch, "tick")) {{
    watch.tick = function () {{
      if (performance.now() - this.lastTick > 2500) window.looks = 0; // it slept, and begins anew
      window.looks++;
      Object.getPrototypeOf(this).tick.call(this);
    }};
  }}
  if (line && line !== window.linesSeen.at(-1)?.line) window.linesSeen.push({{line, looks: window.looks}});
}}, 50);
"""
PLAYER = "() => window.lrbnPlayers?.[0]"
BOARD = "() => window.lrbnBoards?.[0]"
BORN = "() => window.lrbnConnection.born"  # when the page was opened


class Server:
    """An explorer on a port that stays the same, and the proxy before it."""

    def __init__(self, serve_explorer: Callable[..., Iterator[Any]], runs: str) -> None:
        self._serve, self._runs = serve_explorer, runs
        self.port = free_port()
        self.proxy = Proxy(self.port)
        self.start()

    def start(self) -> None:
        origin = f"127.0.0.1:{self.proxy.port}"
        self._serving: Any = self._serve(
            *("--port", str(self.port), "--allow-websocket-origin", origin),
            LRBN_VIZ_RUNS=self._runs,
            LRBN_VIZ_CHECKPOINT_SECONDS="1",
        )
        self.app = next(self._serving)
        self.url = f"http://{origin}/explorer"

    def kill(self) -> None:
        os.kill(self.app.process.pid, signal.SIGKILL)
        self._serving.close()

    def close(self) -> None:
        self._serving.close()
        self.proxy.close()


@pytest.fixture
def server(serve_explorer, tmp_path) -> Iterator[Server]:
    """A server that may be killed."""
    server = Server(serve_explorer, str(tmp_path))
    yield server
    server.close()


@pytest.fixture(autouse=True)
def lines_seen(context: BrowserContext) -> None:
    context.add_init_script(SEEN)


@contextmanager
def cut(proxy: Proxy, mode: str) -> Iterator[None]:
    """Cut a line for a while."""
    proxy.cut(mode)
    try:
        yield
    finally:
        proxy.mend()


def words(page: Page) -> str:
    return page.evaluate(WORDS)


def until(page: Page, condition: str, arg: Any = None, timeout: float = WAIT) -> None:
    page.wait_for_function(condition, arg=arg, timeout=timeout)


def wait_until_let_in(page: Page) -> None:
    """Wait until the page has the token that lets it in again."""
    wait_until_linked(page)
    until(page, "() => window.lrbnConnection.token")


def begin_to_look(pages: dict[str, Page]) -> None:
    """From now on lines are counted, for `lost_in_time`."""
    for page in pages.values():
        page.evaluate("() => { window.looks = window.linesSeen.length = 0; }")


def lost_in_time(pages: dict[str, Page]) -> None:
    """Every page says so in time; what it says names the moment.

    Looks count from here, where the line is cut: those before are no delay, and a busy machine has some.
    """
    for page in pages.values():
        page.evaluate("() => { window.looks = 0; }")
    said = """() => window.linesSeen.find(({line}) =>
      ['Connection lost at', 'No answer from the server since'].some((words) => line.includes(words)))"""
    for name, page in pages.items():
        until(page, said)
        assert page.evaluate(said)["looks"] <= LOOKS, name
        # tries are counted from here on
        page.evaluate("() => { window.linesSeen.length = 0; window.tries = window.lrbnConnection.attempts; }")


def wait_until_back(pages: dict[str, Page], opened_again: bool = False) -> None:
    """Every page comes back in time, as it is or by opening its address again."""
    for name, page in pages.items():
        until(page, "() => window.linesSeen.some(({line}) => line.includes('Back at'))")
        if not opened_again:
            assert page.evaluate("() => window.lrbnConnection.attempts - window.tries") <= TRIES, name


def board(page: Page) -> dict[str, Any]:
    return page.evaluate("() => window.lrbnBoards[0].state()")


def visit(page: Page) -> int:
    return page.evaluate("() => window.lrbnPlayers[0].k")


def open_tabs(context: BrowserContext, url: str) -> dict[str, Page]:
    """Every page, idle and busy, in a tab of its own."""
    pages = {name: context.new_page() for name in ("inference", "playing", "train", "training", "generate")}
    for page in pages.values():
        page.set_default_timeout(WAIT)
    pages["inference"].goto(f"{url}?image=7", timeout=WAIT)
    # long: it does not end here
    pages["playing"].goto(f"{url}?image=3&algorithm=annealed", timeout=WAIT)
    pages["train"].goto(f"{url}?page=train", timeout=WAIT)
    pages["training"].goto(f"{url}?page=train", timeout=WAIT)
    pages["generate"].goto(f"{url}?page=generate&generator=lrbn-12-digits&passes=6", timeout=WAIT)
    for name in ("inference", "playing"):
        until(pages[name], "() => window.lrbnPlayers?.[0]?.lanes && window.lrbnPlayers[0].whole()")
    for name in ("train", "training"):
        until(pages[name], BOARD)
    until(pages["generate"], "() => window.lrbnGenerators?.[0]?.timeline && window.lrbnGenerators[0].whole()")
    for page in pages.values():
        wait_until_let_in(page)
    pages["inference"].evaluate("() => window.lrbnPlayers[0].seek(40)")
    pages["playing"].evaluate("() => { const p = window.lrbnPlayers[0]; p.setSpeed(2); p.play(); }")
    pages["generate"].evaluate("() => window.lrbnGenerators[0].seek(30)")
    train = pages["training"]
    train.get_by_label("Recipe").select_option("small")
    budget_in_epochs(train, "100000")
    for field in train.get_by_label("Latent units").all():
        field.fill("6")
    train.get_by_role("group", name="Training").get_by_role("button", name="Start training").click()
    until(train, "() => window.lrbnBoards[0].state().lanes.some((lane) => lane.step > 20)")
    until(pages["inference"], "() => location.search.includes('visit=40')")
    until(train, "() => location.search.includes('run=')")
    return pages


def refused(page: Page, name: str) -> None:
    """A press that needs the server is answered in words."""
    page.get_by_role("button", name=name).first.click()
    assert "Not done" in words(page), words(page)


def test_every_page_says_that_it_is_cut_off_and_comes_back(workshop, context, seen):
    tabs = open_tabs(context, workshop.behind_proxy)
    run = board(tabs["training"])["name"]
    born = {name: page.evaluate(BORN) for name, page in tabs.items()}
    begin_to_look(tabs)
    with cut(workshop.proxy, CLOSED):  # until all have noticed
        lost_in_time(tabs)
        refused(tabs["inference"], "Next image")
        refused(tabs["training"], "Pause")
        refused(tabs["generate"], "Draw more")
        k = visit(tabs["playing"])
        until(tabs["playing"], "k => window.lrbnPlayers[0].k > k", arg=k)  # replay goes on
        tabs["inference"].evaluate("() => window.lrbnPlayers[0].seek(55)")  # so does scrubbing
        said = tabs["training"].evaluate("() => window.lrbnBoards[0].says.textContent")
        assert "as of" in said, said
        assert " left" not in said, said
    wait_until_back(tabs)
    assert {name: page.evaluate(BORN) for name, page in tabs.items()} == born
    until(tabs["inference"], "() => location.search.includes('visit=55')")
    goes_on(tabs["training"], run)
    assert "image=7" in tabs["inference"].url  # the press that was refused did not come later
    seen.assert_clean(ignore=ATTEMPTS)


def goes_on(training: Page, run: str) -> None:
    """A run trains on."""
    step = board(training)["lanes"][0]["step"]
    until(training, "step => window.lrbnBoards[0].state().lanes[0].step > step", arg=step)
    assert board(training)["name"] == run


@pytest.mark.slow
def test_every_page_comes_back_from_a_line_without_a_byte_and_after_the_server_let_go_of_it(
    workshop, context, seen
):
    proxy = workshop.proxy
    tabs = open_tabs(context, workshop.behind_proxy)
    run = board(tabs["training"])["name"]
    born = {name: page.evaluate(BORN) for name, page in tabs.items()}

    # without a byte, on connections that stay open, until each page has asked in vain more than once
    begin_to_look(tabs)
    with cut(proxy, SWALLOW):
        lost_in_time(tabs)
        refused(tabs["inference"], "Next image")
        wait_until(lambda: proxy.swallowed >= 2 * len(tabs))
    wait_until_back(tabs)
    assert {name: page.evaluate(BORN) for name, page in tabs.items()} == born
    until(tabs["training"], "() => window.lrbnBoards[0].state().status === 'running'")
    assert visit(tabs["inference"]) == 40
    goes_on(tabs["training"], run)

    # so long that the server has let go of the pages, which open their own addresses
    sessions = [page.evaluate("() => window.lrbnConnection.connection.session.id") for page in tabs.values()]
    begin_to_look(tabs)
    with cut(proxy, CLOSED):
        lost_in_time(tabs)
        tabs["inference"].evaluate("() => window.lrbnPlayers[0].seek(60)")
        wait_until(lambda: all(map(workshop.has_let_go_of, sessions)))
    wait_until_back(tabs, opened_again=True)
    as_before(tabs, run, 60)
    assert all(page.evaluate(BORN) != born[name] for name, page in tabs.items())
    seen.assert_clean(ignore=ATTEMPTS)


@pytest.mark.slow
def test_every_page_opens_its_address_again_after_the_server_was_killed(server, context, seen):
    tabs = open_tabs(context, server.url)
    run = board(tabs["training"])["name"]
    tabs["inference"].evaluate("() => window.lrbnPlayers[0].seek(60)")
    until(tabs["inference"], "() => location.search.includes('visit=60')")
    until(tabs["training"], "() => window.lrbnBoards[0].savedAt > 0")
    begin_to_look(tabs)
    server.kill()
    lost_in_time(tabs)
    server.start()
    wait_until_back(tabs, opened_again=True)
    as_before(tabs, run, 60)
    seen.assert_clean(ignore=ATTEMPTS)


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until something that no page shows is true."""
    end = time.monotonic() + WAIT / 1000
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def as_before(tabs: dict[str, Page], run: str, k: int) -> None:
    """Every page shows again what it showed."""
    for name in ("inference", "playing"):
        until(tabs[name], "() => window.lrbnPlayers?.[0]?.lanes && window.lrbnPlayers[0].whole()")
    until(tabs["inference"], "k => window.lrbnPlayers[0].k === k", arg=k)
    assert "image=7" in tabs["inference"].url
    # at the speed that was chosen: at its own, the replay would soon be over
    until(
        tabs["playing"],
        "() => { const {clock} = window.lrbnPlayers[0]; return clock.playing && clock.speed === 2; }",
    )
    until(tabs["train"], BOARD)
    until(tabs["training"], "run => window.lrbnBoards?.[0]?.state().name === run", arg=run)
    until(tabs["training"], "() => window.lrbnBoards[0].state().status === 'running'")
    until(
        tabs["generate"],
        "() => window.lrbnGenerators?.[0]?.timeline && window.lrbnGenerators[0].clock.k === 30",
    )
    for page in tabs.values():
        wait_until_let_in(page)


def test_in_presenter_mode_the_line_covers_nothing_either(workshop, page):
    page.goto(f"{workshop.url}?model=lrbn-12-digits&present=why", timeout=WAIT)
    until(page, "() => window.lrbnPlayers?.[0]?.lanes && window.lrbnPlayers[0].whole()")
    wait_until_linked(page)
    places = """() => {
      const line = document.querySelector('.lv-connection').shadowRoot.querySelector('.line');
      const root = window.lrbnPlayers[0].root.getBoundingClientRect(), said = line.getBoundingClientRect();
      return [said.top, said.bottom - root.top, root.bottom - innerHeight];
    }"""
    page.evaluate("() => window.lrbnConnection.show('silent', 'No answer from the server.')")
    until(page, f"() => ({places})().every((place) => Math.abs(place) < 1)")
    page.evaluate("() => window.lrbnConnection.show('ok', '')")
    until(page, "() => Math.abs(window.lrbnPlayers[0].root.getBoundingClientRect().top) < 1")


def test_a_server_that_is_busy_is_said_to_be_and_what_it_is_asked_for(workshop, page, context, seen):
    page.goto(f"{workshop.url}?image=7", timeout=WAIT)
    until(page, "() => window.lrbnPlayers?.[0]?.lanes && window.lrbnPlayers[0].whole()")
    wait_until_let_in(page)
    born = page.evaluate(BORN)
    task = "() => document.querySelector('.lv-connection').shadowRoot.querySelector('.task').innerText"
    page.evaluate(  # every word that is shown from now on
        """() => {
          window.said = [];
          const root = document.querySelector('.lv-connection').shadowRoot;
          const note = () => window.said.push(root.querySelector('.task').innerText);
          new MutationObserver(note).observe(root, {subtree: true, childList: true, characterData: true});
        }"""
    )
    process = workshop.process
    begin_to_look({"page": page})
    os.kill(process.pid, signal.SIGSTOP)
    try:
        page.get_by_role("button", name="Next image").first.click()
        # by what was said, not by what is: on a busy machine the next words may have come already
        until(page, "() => window.said.some((text) => text.includes('Working: another image'))")
        lost_in_time({"page": page})  # neither lost nor answering
        assert "Working: another image. No answer from the server since" in words(page)
        assert "as it is busy with this" in words(page)
        assert "lost" not in words(page), "a page that works is not called lost"
        refused(page, "Next image")
    finally:
        os.kill(process.pid, signal.SIGCONT)
    until(page, f"() => ({WORDS})() === '' && ({task})() === ''")
    until(page, "() => window.lrbnPlayers[0].meta.caption.endsWith('image 8')")  # one step, not two
    assert page.evaluate(BORN) == born
    # and of what is answered at once nothing is said, by when it would be
    said = page.evaluate(
        """() => new Promise((done) => {
          window.said = [];
          const watch = window.lrbnConnection;
          watch.roundtrip = () => Promise.resolve();
          watch.begin("something quick");
          setTimeout(() => done(window.said.filter(Boolean)), 400);
        })"""
    )
    assert said == []
    seen.assert_clean(ignore=ATTEMPTS)


def test_what_waits_for_kernels_says_so_once_and_counts_the_seconds(workshop, page, context, seen):
    page.goto(f"{workshop.url}?image=7", timeout=WAIT)
    until(page, "() => window.lrbnPlayers?.[0]?.lanes && window.lrbnPlayers[0].whole()")
    wait_until_let_in(page)
    process = workshop.process
    os.kill(process.pid, signal.SIGSTOP)  # as a server that compiles where it is asked does not answer
    try:
        page.evaluate("() => { window.lrbnConnection.model.compiling = true; }")
        page.get_by_role("button", name="Next image").first.click()
        status = page.locator(".lv-connection").get_by_role("status").first
        expect(status).to_contain_text("Working: another image.")
        said = "Working: another image. The explorer compiles what this needs, once for an installation"
        until(page, f"() => ({WORDS})().startsWith({said!r}) && /[1-9] s so far/.test(({WORDS})())")
        assert "No answer" not in words(page)
        seconds = page.locator(".lv-connection .line .elapsed")
        expect(seconds).to_have_attribute("aria-hidden", "true")  # or each second would be read out
    finally:
        os.kill(process.pid, signal.SIGCONT)
    until(page, f"() => ({WORDS})() === ''")
    expect(page.locator(".lv-connection .task > .elapsed")).to_have_text("")
    seen.assert_clean(ignore=ATTEMPTS)


@pytest.mark.parametrize("size", [(360, 740), pytest.param((1440, 900), marks=pytest.mark.slow)])
def test_the_words_are_for_everybody(workshop, page, context, artifacts, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{workshop.behind_proxy}?page=train", timeout=WAIT)
    until(page, BOARD)
    wait_until_let_in(page)
    if size[0] < 900:  # the side bar of a narrow page lies over the header until the server has closed it
        expect(page.get_by_role("button", name="Open drawer")).to_be_visible()
        expect(page.locator(".MuiModal-backdrop")).to_be_hidden()  # it fades
    page.get_by_role("button", name="Start training").last.focus()
    focused = """() => {
      let at = document.activeElement;
      while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at.textContent || at.ariaLabel;
    }"""
    before = page.evaluate(focused)
    begin_to_look({"page": page})
    with cut(workshop.proxy, CLOSED):
        lost_in_time({"page": page})
        wait_for_frames(page)
        assert page.evaluate(focused) == before  # nobody's focus is taken
        box = page.evaluate(
            """() => {
              const line = document.querySelector('.lv-connection').shadowRoot.querySelector('.line');
              const {top} = window.lrbnBoards[0].root.getBoundingClientRect();
              const whole = (root, x, y) => {
                const at = root.elementFromPoint(x, y);
                return at?.shadowRoot && at.shadowRoot !== root ? whole(at.shadowRoot, x, y) ?? at : at;
              };
              const nodes = (root) => Array.from(root.querySelectorAll('*')).flatMap(
                (node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
              const links = nodes(document).filter((node) => node.matches('.lv-nav a, .lv-theme'));
              const covered = links.filter((node) => {
                const {x, y, width, height} = node.getBoundingClientRect();
                return !node.contains(whole(document, x + width / 2, y + height / 2));
              }).map((node) => node.textContent);
              const {bottom} = line.getBoundingClientRect(), {scrollWidth} = document.documentElement;
              return [bottom, top, scrollWidth, links.length, covered];
            }"""
        )
        assert box[3] >= 6
        assert box[4] == [], "no link of the header is covered"
        assert box[1] >= box[0] - 1  # nothing is hidden behind it
        assert box[2] <= size[0]
        artifacts(page, f"connection-lost-{size[0]}")
        assert audit(page)[0] == []
    wait_until_back({"page": page})
    artifacts(page, f"connection-back-{size[0]}")
