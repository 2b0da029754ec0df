"""A live page as a static site, on a plain server below a prefix: what it asks for, and what it computes."""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from ui.firefox import firefox_page, firefox_path
from ui.journeys import seek, state, wait_for_rest

from lrbn_viz import load_dataset, pretrained
from lrbn_viz.catalog import usual_start
from lrbn_viz.view.live.site import export_site

PREFIX = "/some/prefix/"
FIRST_SECONDS, FIRST_BYTES = 1.5, 1_200_000  # until the first picture, over the line below
LINE = {"offline": False, "latency": 20, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
FURTHER = re.compile(r"/models\d\.")
RUNS = "() => window.lrbnPlayers?.[0]?.lanes"
LAST = "lrbn-200-mnist-learned"
ALL = f"() => window.lrbnLive.session.models.has('{LAST}')"


class Served(NamedTuple):
    """A folder on a server of this machine, and what was asked of it."""

    address: str
    folder: Path
    asked: list[str]


class Handler(http.server.SimpleHTTPRequestHandler):
    """Python's plain server of files, which remembers what it is asked for."""

    def __init__(self, asked: list[str], *given: Any, **named: Any) -> None:
        self.asked = asked
        super().__init__(*given, **named)

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that a server shows, with the site of all lessons' models below the prefix."""
    root = tmp_path_factory.mktemp("served")
    export_site(root / PREFIX.strip("/"))
    return root


@pytest.fixture
def served(written: Path) -> Iterator[Served]:
    asked: list[str] = []
    handler = functools.partial(Handler, asked, directory=str(written))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    folder = written / PREFIX.strip("/")
    yield Served(f"http://127.0.0.1:{server.server_port}{PREFIX}", folder, asked)
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def site(context: BrowserContext, served: Served, seen) -> Iterator[Page]:
    """A page of which every request stays below the prefix, and on which nothing goes wrong."""
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    page = context.new_page()
    page.set_default_timeout(15_000)
    yield page
    assert all(url.startswith((served.address, "blob:", "data:")) for url in requests), requests
    seen.assert_clean()


# When both lanes were first painted, since the page was asked for, and what was asked for until then.
FIRST = """() => new Promise((done) => {
  const look = () => {
    if (!window.lrbnPlayers?.[0]?.clock.stats.painted) return requestAnimationFrame(look);
    const channel = new MessageChannel();
    channel.port2.postMessage(0);
    channel.port1.onmessage = () => {
      const now = performance.now();
      const begun = () => performance.getEntriesByType("resource").filter(({startTime}) => startTime < now);
      setTimeout(() => done({
        seconds: now / 1000,
        bytes: [...performance.getEntriesByType("navigation"), ...begun()]
          .reduce((sum, {transferSize}) => sum + transferSize, 0),
        names: begun().map(({name}) => name.split("/").at(-1).split(".")[0]).sort(),
      }), 2500); // what was on its way has come
    };
  };
  look();
})"""


def narrow(context: BrowserContext, page: Page) -> None:
    """Limit the line of a page, and keep nothing of it."""
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Network.emulateNetworkConditions", LINE)


@pytest.mark.parametrize("fragment", ["", "#visit=end"])
def test_the_first_picture_comes_early_over_a_line_of_ten_megabits(
    site: Page, served: Served, context: BrowserContext, fragment: str
):
    narrow(context, site)
    seconds = []
    for _ in range(3):  # other processes take time of this one's at times
        site.goto("about:blank")
        site.goto(served.address + fragment, wait_until="commit")
        first = site.evaluate(FIRST)
        further = {name for name in first["names"] if re.match(r"models\d", name)}
        assert {"code", "images", "kernels", "models"} <= set(first["names"])
        assert not further
        assert first["bytes"] <= FIRST_BYTES
        seconds.append(first["seconds"])
    assert min(seconds) <= FIRST_SECONDS


def ends_as_python(page: Page, name: str) -> bool:
    """Whether the first lane ends as Python's inference of the first test image by this model."""
    x = load_dataset("mnist5k").test_X[0]
    trace = pretrained(name).map_trace(x, init=usual_start(name))
    seek(page, 10**9)
    return state(page)["lanes"][0]["h"] == trace.latents(trace.n_visits).tolist()


def test_a_stroke_is_inferred_and_further_models_come_after_the_first_picture(site: Page, served: Served):
    site.goto(f"{served.address}#visit=end")
    site.wait_for_function(RUNS)
    wait_for_rest(site)
    site.wait_for_function(ALL)
    before = state(site)["lanes"][0]["h"]
    assert ends_as_python(site, "lrbn-200-mnist-strokes")
    site.evaluate("() => window.lrbnPlayers[0].input.stroke([4, 4], [22, 20], 'draw')")
    wait_for_rest(site)
    assert state(site)["lanes"][0]["h"] != before
    site.get_by_label("Model in lane 1").select_option(LAST)
    wait_for_rest(site)
    assert site.evaluate("() => window.lrbnPlayers[0].lanes[0].meta.model") == LAST
    site.get_by_role("button", name="Back to the data set's image", exact=True).click()
    site.get_by_label("Start in lane 1").select_option(usual_start(LAST))
    wait_for_rest(site)
    assert ends_as_python(site, LAST)
    asked = [path.removeprefix(PREFIX).split(".")[0] for path in served.asked]
    assert len(asked) == len(set(asked))
    assert "engine" not in asked  # nobody has asked about optima
    site.get_by_role("button", name="Lessons", exact=True).click()
    site.get_by_role("dialog", name="Lessons").get_by_role("button").nth(1).click()
    site.wait_for_function("() => location.hash.startsWith('#lesson=')")
    expect(site.locator(".live-lesson")).to_be_visible()


def test_a_model_that_is_not_there_yet_is_waited_for_and_asked_for_again_after_a_failure(
    context: BrowserContext, served: Served, seen
):
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.route(FURTHER, lambda route: route.abort())
    page.goto(f"{served.address}#model=lrbn-200-mnist-learned&visit=end")
    expect(page.locator(".live-notice")).to_contain_text("The models cannot be fetched.")
    assert page.evaluate("() => document.documentElement.dataset.theme") == "light"
    page.unroute(FURTHER)
    page.evaluate("() => { location.hash = 'model=lrbn-200-mnist-learned&visit=0'; }")
    page.wait_for_function("() => window.lrbnPlayers[0].lanes?.[0].meta.model === 'lrbn-200-mnist-learned'")
    expect(page.locator(".live-notice")).to_be_hidden()


def test_a_page_whose_files_are_missing_or_that_is_opened_from_a_disk_says_so(
    context: BrowserContext, served: Served, tmp_path: Path
):
    page = context.new_page()
    page.route("**/kernels.*", lambda route: route.fulfill(status=404))
    page.goto(served.address)
    expect(page.get_by_role("alert")).to_contain_text("The page cannot begin: kernels.")
    copy = shutil.copytree(served.folder, tmp_path / "copy")
    page.goto((copy / "index.html").as_uri())
    expect(page.get_by_role("alert")).to_contain_text("lrbn-viz export --live")


def test_the_generate_view_is_fetched_when_it_is_first_shown(site: Page, served: Served):
    site.goto(f"{served.address}#visit=end")
    site.wait_for_function(RUNS)

    def fetched() -> bool:
        return any(path.split("/")[-1].startswith("generate.") for path in served.asked)

    assert not fetched()
    site.get_by_role("button", name="Generate", exact=True).click()
    site.wait_for_function("() => window.lrbnGenerators?.[0]?.timeline")
    assert fetched()
    settings = site.get_by_role("group", name="Settings of the samples")
    settings.get_by_label("Model", exact=True).select_option(LAST)  # which may not be here yet
    site.wait_for_function(
        "(name) => window.lrbnGenerators[0].timeline.meta.key.startsWith(`${name} `)", arg=LAST
    )


@pytest.mark.slow
def test_a_site_that_trains_fetches_what_trains_when_it_is_asked_for_or_idle(
    site: Page, served: Served, written: Path
):
    export_site(written / "some" / "prefix" / "trains", train=True)
    site.goto(f"{served.address}trains/#visit=end")
    site.wait_for_function("() => window.lrbnTraining")
    asked = [path.split("/")[-1].split(".")[0] for path in served.asked]
    assert asked.index("images") < asked.index("train")
    site.get_by_role("button", name="Train", exact=True).click()
    site.get_by_role("button", name="Start training", exact=True).click()
    site.wait_for_function("() => window.lrbnTraining.board.lanes[0].step > 20")
    assert not any("/measuring." in path for path in served.asked)
    site.get_by_role("button", name="Compare", exact=True).click()
    site.wait_for_function("() => window.lrbnComparisons?.[0]?.state().done.length > 1")
    assert any("/measuring." in path for path in served.asked)


@pytest.mark.slow
@pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")
def test_firefox_opens_it(served: Served, tmp_path: Path):
    with firefox_page(tmp_path) as page:
        page.set_viewport_size(1366, 768)
        page.goto(f"{served.address}#visit=end")
        page.wait_for_function(RUNS)
        page.wait_for_function(ALL)
        before = page.evaluate("() => Array.from(window.lrbnPlayers[0].lanes[0].h)")
        page.evaluate("() => window.lrbnPlayers[0].input.stroke([4, 4], [22, 20], 'draw')")
        wait_for_rest(page)
        assert state(page)["lanes"][0]["h"] != before
        assert page.errors == []
        assert all(url.startswith((served.address, "blob:", "data:", "about:")) for url in page.requests)
