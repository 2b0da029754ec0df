"""A line that is cut, closed or silent, and a server that is killed: the page says so, waits, and comes back.

All pages are open at once behind one proxy, so that one long cut tests them all.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page
from ui.journeys import WAIT
from ui.proxy import CLOSED, SWALLOW, Proxy
from ui.test_accessibility import audit

LOST, BACK = 3.0, 10.0  # seconds: what is promised
KEPT = 15  # seconds for which the server keeps a page that is away
# For a machine with other work: a page that does not notice, or does not come back, never does.
LOST_SLACK, BACK_SLACK = 5.0, 20.0
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
# Every line that a page has shown: "Back at ..." stands for 8 s, and five busy pages are asked in turn.
SEEN = f"""
window.linesSeen = [];
setInterval(() => {{
  const line = ({WORDS})();
  if (line && line !== window.linesSeen.at(-1)) window.linesSeen.push(line);
}}, 50);
"""
PLAYER = "() => window.lrbnPlayers?.[0]"
BOARD = "() => window.lrbnBoards?.[0]"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
            "--port",
            str(self.port),
            "--allow-websocket-origin",
            origin,
            "--unused-session-lifetime",  # as everywhere, but looked at each second, so that no test waits
            str(1000 * KEPT),
            "--check-unused-sessions",
            "1000",
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


@pytest.fixture(scope="module")
def server(serve_explorer, tmp_path_factory) -> Iterator[Server]:
    server = Server(serve_explorer, str(tmp_path_factory.mktemp("runs")))
    yield server
    server.close()


@pytest.fixture(autouse=True)
def lines_seen(context: BrowserContext) -> None:
    context.add_init_script(SEEN)


def words(page: Page) -> str:
    return page.evaluate(WORDS)


def until(page: Page, condition: str, arg: Any = None, timeout: float = WAIT) -> None:
    page.wait_for_function(condition, arg=arg, timeout=timeout)


def wait_until_linked(page: Page) -> None:
    """Wait until the page has the token that lets it in again."""
    until(
        page,
        "() => { const w = window.lrbnConnection; return w?.connection && w.token && w.confirmed; }",
    )


def lost_within(pages: dict[str, Page], seconds: float) -> None:
    """Every page says so in time; what it says names the moment."""
    end = time.monotonic() + seconds + LOST_SLACK
    silent = dict(pages)
    while silent and time.monotonic() < end:
        silent = {
            name: page
            for name, page in silent.items()
            if not any(
                word in words(page) for word in ("Connection lost at", "No answer from the server since")
            )
        }
    assert not silent, f"said nothing: {list(silent)}"
    for page in pages.values():
        page.evaluate("() => { window.linesSeen.length = 0; }")


def back_within(pages: dict[str, Page], seconds: float) -> None:
    end = time.monotonic() + seconds + BACK_SLACK
    away = dict(pages)
    while away and time.monotonic() < end:
        for name in list(away):
            try:
                if any("Back at" in line for line in away[name].evaluate("() => window.linesSeen")):
                    del away[name]
            except Exception as error:  # the page is being loaded anew
                if "context was destroyed" not in str(error) and "navigation" not in str(error).lower():
                    raise
        time.sleep(0.1)
    assert not away, {name: page.evaluate("() => window.linesSeen") for name, page in away.items()}


def board(page: Page) -> dict[str, Any]:
    return page.evaluate("() => window.lrbnBoards[0].state()")


def visit(page: Page) -> int:
    return page.evaluate("() => window.lrbnPlayers[0].k")


@pytest.fixture
def tabs(server: Server, context: BrowserContext, seen) -> dict[str, Page]:
    """Every page, idle and busy, in a tab of its own."""
    pages = {name: context.new_page() for name in ("inference", "playing", "train", "training", "generate")}
    for page in pages.values():
        page.set_default_timeout(WAIT)
    pages["inference"].goto(f"{server.url}?image=7", timeout=WAIT)
    # long: it does not end here
    pages["playing"].goto(f"{server.url}?image=3&algorithm=annealed", timeout=WAIT)
    pages["train"].goto(f"{server.url}?page=train", timeout=WAIT)
    pages["training"].goto(f"{server.url}?page=train", timeout=WAIT)
    pages["generate"].goto(f"{server.url}?page=generate&generator=lrbn-12-digits&passes=6", timeout=WAIT)
    for name in ("inference", "playing"):
        until(pages[name], "() => window.lrbnPlayers?.[0]?.lanes && window.lrbnPlayers[0].whole()")
    for name in ("train", "training"):
        until(pages[name], BOARD)
    until(pages["generate"], "() => window.lrbnGenerators?.[0]?.timeline && window.lrbnGenerators[0].whole()")
    for page in pages.values():
        wait_until_linked(page)
    pages["inference"].evaluate("() => window.lrbnPlayers[0].seek(40)")
    pages["playing"].evaluate("() => { const p = window.lrbnPlayers[0]; p.setSpeed(2); p.play(); }")
    pages["generate"].evaluate("() => window.lrbnGenerators[0].seek(30)")
    train = pages["training"]
    train.get_by_label("Recipe").select_option("small")
    train.get_by_label("Number of epochs", exact=True).fill("100000")
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


def test_every_page_says_that_it_is_cut_off_and_comes_back(server, tabs, seen):
    run = board(tabs["training"])["name"]
    born = {name: page.evaluate("() => window.lrbnConnection.born") for name, page in tabs.items()}
    same = "() => window.lrbnConnection.born"

    # one second, closed: noticed, and over
    server.proxy.cut(CLOSED)
    lost_within(tabs, LOST)
    refused(tabs["inference"], "Next image")
    refused(tabs["training"], "Pause")
    refused(tabs["generate"], "Run on")
    k = visit(tabs["playing"])
    until(tabs["playing"], "k => window.lrbnPlayers[0].k > k", arg=k)  # replay goes on
    tabs["inference"].evaluate("() => window.lrbnPlayers[0].seek(55)")  # so does scrubbing
    said = tabs["training"].evaluate("() => window.lrbnBoards[0].says.textContent")
    assert "as of" in said, said
    assert " left" not in said, said
    server.proxy.mend()
    back_within(tabs, BACK)
    assert {name: page.evaluate(same) for name, page in tabs.items()} == born
    until(tabs["inference"], "() => location.search.includes('visit=55')")
    step = board(tabs["training"])["lanes"][0]["step"]
    until(tabs["training"], "step => window.lrbnBoards[0].state().lanes[0].step > step", arg=step)
    assert board(tabs["training"])["name"] == run
    assert "image=7" in tabs["inference"].url  # the press that was refused did not come later

    # eight seconds without a byte, on connections that stay open
    server.proxy.cut(SWALLOW)
    begin = time.monotonic()
    lost_within(tabs, LOST)
    refused(tabs["inference"], "Next image")
    time.sleep(max(0.0, 8 - (time.monotonic() - begin)))
    server.proxy.mend()
    back_within(tabs, BACK)
    assert {name: page.evaluate(same) for name, page in tabs.items()} == born
    until(tabs["training"], "() => window.lrbnBoards[0].state().status === 'running'")
    assert visit(tabs["inference"]) == 55
    step = board(tabs["training"])["lanes"][0]["step"]
    until(tabs["training"], "step => window.lrbnBoards[0].state().lanes[0].step > step", arg=step)

    # so long that the server has let go of the pages, which open their own addresses
    server.proxy.cut(CLOSED)
    begin = time.monotonic()
    lost_within(tabs, LOST)
    tabs["inference"].evaluate("() => window.lrbnPlayers[0].seek(60)")
    time.sleep(max(0.0, KEPT + 4 - (time.monotonic() - begin)))
    server.proxy.mend()
    back_within(tabs, BACK)
    as_before(tabs, run, 60)
    assert all(page.evaluate(same) != born[name] for name, page in tabs.items())

    # and the server killed, and started again
    server.kill()
    lost_within(tabs, LOST)
    server.start()
    back_within(tabs, BACK)
    as_before(tabs, run, 60)
    seen.assert_clean(ignore=ATTEMPTS)


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
        wait_until_linked(page)


def test_a_server_that_is_busy_is_said_to_be_and_what_it_is_asked_for(server, context, seen):
    page = context.new_page()
    page.goto(f"{server.url}?image=7", timeout=WAIT)
    until(page, "() => window.lrbnPlayers?.[0]?.lanes && window.lrbnPlayers[0].whole()")
    wait_until_linked(page)
    born = page.evaluate("() => window.lrbnConnection.born")
    task = "() => document.querySelector('.lv-connection').shadowRoot.querySelector('.task').innerText"
    page.evaluate(  # every word that is shown from now on
        """() => {
          window.said = [];
          const root = document.querySelector('.lv-connection').shadowRoot;
          const note = () => window.said.push(root.querySelector('.task').innerText);
          new MutationObserver(note).observe(root, {subtree: true, childList: true, characterData: true});
        }"""
    )
    process = server.app.process
    os.kill(process.pid, signal.SIGSTOP)
    try:
        page.get_by_role("button", name="Next image").first.click()
        until(page, f"() => ({task})().includes('Working: another image')", timeout=20_000)
        lost_within({"page": page}, LOST)  # neither lost nor answering
        assert "it is busy, or the connection is lost" in words(page)
        refused(page, "Next image")
    finally:
        os.kill(process.pid, signal.SIGCONT)
    until(page, f"() => ({WORDS})() === '' && ({task})() === ''")
    until(page, "() => window.lrbnPlayers[0].meta.caption.endsWith('image 8')")  # one step, not two
    assert page.evaluate("() => window.lrbnConnection.born") == born
    # and of what is quick nothing is said
    page.wait_for_timeout(1500)
    quick = """() => new Promise((done) => {
      window.said = [];
      const watch = window.lrbnConnection, began = performance.now();
      watch.begin("something quick");
      const end = () => done([performance.now() - began, window.said.filter(Boolean)]);
      watch.roundtrip().then(() => setTimeout(end));
    })"""
    for _ in range(20):
        ms, said = page.evaluate(quick)
        if ms < 250:  # else the machine was busy, and it was not quick
            break
    assert ms < 250
    assert said == []
    seen.assert_clean(ignore=ATTEMPTS)


@pytest.mark.parametrize("size", [(1440, 900), (360, 740)])
def test_the_words_are_for_everybody(server, context, artifacts, size):
    page = context.new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{server.url}?page=train", timeout=WAIT)
    until(page, BOARD)
    wait_until_linked(page)
    page.get_by_role("button", name="Start training").last.focus()
    focused = """() => {
      let at = document.activeElement;
      while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at.textContent || at.ariaLabel;
    }"""
    before = page.evaluate(focused)
    server.proxy.cut(CLOSED)
    try:
        lost_within({"page": page}, LOST)
        page.wait_for_timeout(300)
        assert page.evaluate(focused) == before  # nobody's focus is taken
        box = page.evaluate(
            """() => {
              const line = document.querySelector('.lv-connection').shadowRoot.querySelector('.line');
              const {top} = window.lrbnBoards[0].root.getBoundingClientRect();
              return [line.getBoundingClientRect().bottom, top, document.documentElement.scrollWidth];
            }"""
        )
        assert box[1] >= box[0] - 1  # nothing is hidden behind it
        assert box[2] <= size[0]
        page.screenshot(path=artifacts / f"connection-lost-{size[0]}.png")
        assert audit(page)[0] == []
    finally:
        server.proxy.mend()
    back_within({"page": page}, BACK)
    page.screenshot(path=artifacts / f"connection-back-{size[0]}.png")
    page.close()
