"""Pages of docs in a browser: the steps of tutorials by hand, and the live page within the first page."""

from __future__ import annotations

import functools
import http.server
import re
import threading
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from doc_blocks import DOCS, PAGES, TUTORIALS, run_one_after_the_other
from playwright.sync_api import BrowserContext, Locator, Page, expect
from ui.conftest import Seen
from ui.journeys import state, wait_for_rest, wait_until_whole

REASON, TABLE = "tutorials/reason.md", "tutorials/table.md"
SHOWN = "() => window.lrbnPlayers?.[0]?.lanes?.length"


class Steps:
    """The numbered steps of a tutorial: the names in them that have not been found on the screen yet."""

    def __init__(self, page: str) -> None:
        text = " ".join(re.findall(r"^\d\. .*(?:\n   .*)*", PAGES[page], re.MULTILINE)[-5:])
        self.left = set(re.findall(r"\*([^*]+)\*", " ".join(text.split())))
        assert self.left

    def named(self, name: str) -> str:
        """Return a name that the steps have."""
        assert name in self.left, f"no step names {name!r}"
        self.left.remove(name)
        return name


def waits(page: Page, unit: int) -> None:
    """Wait until a unit is held and the lanes have been inferred again."""
    page.wait_for_function("unit => window.lrbnPlayers[0].lanes[0].held.has(unit)", arg=unit)
    wait_for_rest(page)


def test_the_reason_is_found_by_hand_as_the_tutorial_says(page: Page, serve_app, seen, tmp_path, monkeypatch):
    steps, names = Steps(REASON), dict[str, Any]()
    monkeypatch.chdir(tmp_path)
    run_one_after_the_other(REASON, names)
    (address,) = re.findall(r"^http://localhost:5006/(\?\S+)$", PAGES[REASON], re.MULTILINE)
    page.goto(serve_app.url + address)
    page.wait_for_function(SHOWN)
    wait_until_whole(page)
    lanes = [page.locator(f"[data-lane='{lane}']").first for lane in (0, 1)]

    # the rival
    menu = page.get_by_label("Model in lane 2")
    assert menu.evaluate("menu => menu.selectedOptions[0].text") == steps.named("RBM-16, 8x8 digits")
    menu.select_option(steps.named("the same weights, each unit by itself"))
    page.wait_for_function("() => window.lrbnPlayers[0].lanes[1].meta.model.startsWith('factorised:')")
    wait_for_rest(page)

    # both ends
    page.keyboard.press("End")
    wait_for_rest(page)
    for lane, words in zip(
        lanes, (("5 of 16 on", "4 px wrong"), ("16 of 16 on", "27 px wrong")), strict=True
    ):
        for each in words:
            expect(lane).to_contain_text(steps.named(each))

    # the last unit that turned off
    page.keyboard.press("Shift+O")
    wait_for_rest(page)
    expect(page.locator(".lv-why-title")).to_have_text(steps.named("Why did unit 15 turn off?"))
    card = page.locator("[data-part=why]")
    for term in ("prior", "evidence", "threshold", "others", "log-odds"):
        expect(card.get_by_role("button", name=steps.named(term), exact=True).first).to_be_visible()
    why = state(page)["why"]
    drawn = {"prior": why["prior"], "evidence": why["evidenceSum"], "threshold": why["aloneSum"]}
    drawn |= {"others": why["othersSum"], "log-odds": why["logOdds"]}
    terms = names["terms"][15]
    of_python = [terms.prior, terms.evidence.sum(), terms.alone.sum(), terms.others.sum(), terms.log_odds]
    assert list(drawn.values()) == pytest.approx(of_python, abs=1e-6), "the bars of the picture"

    # who explains it away
    expect(card.get_by_text(steps.named("Changes compared with"), exact=True)).to_be_visible()
    page.get_by_label("Compared with", exact=True).select_option(steps.named("all others off"))
    wait_for_rest(page)
    causes = {cause["unit"]: cause["nats"] for cause in state(page)["why"]["change"]["causes"]}
    assert causes == pytest.approx({cause.unit: cause.nats for cause in names["change"].causes}, abs=1e-6)

    # the experiment
    expect(card.get_by_text(steps.named("hold"), exact=True)).to_be_visible()
    off = card.get_by_role("button", name="Hold this unit off")
    expect(off).to_have_text(steps.named("off"))
    grid = page.get_by_role("spinbutton", name="LRBN: latent units")
    for unit in (12, 0):
        box = grid.bounding_box()
        assert box is not None
        tile = box["height"] / 4
        grid.click(position={"x": tile * (unit % 4 + 0.5), "y": tile * (unit // 4 + 0.5)})
        wait_for_rest(page)
        expect(page.locator(".lv-why-title")).to_contain_text(f"unit {unit} ")
        off.click()
        waits(page, unit)
    page.keyboard.press("End")
    wait_for_rest(page)
    assert state(page)["lanes"][0]["h"] == names["held"].latents(names["held"].n_visits).tolist()
    assert state(page)["lanes"][0]["h"][15] == 1
    assert steps.left == set()
    seen.assert_clean()


def test_a_table_is_opened_with_its_model_as_the_tutorial_says(
    page: Page, serve_app, seen, tmp_path, monkeypatch
):
    steps = Steps(TABLE)
    monkeypatch.chdir(tmp_path)
    printed = run_one_after_the_other(TABLE)
    (said,) = [each for each in printed if each.startswith("no start: ")]
    chances = {
        line.split(":")[0]: dict(re.findall(r"'([a-z ]+)': '([\d.]+)'", line)) for line in said.splitlines()
    }
    page.goto(serve_app.url + "?page=train")

    # the data
    page.get_by_role("button", name=steps.named("Use your own data…")).click()
    dialog = page.get_by_role("dialog", name="Your own data")
    dialog.locator("input[type=file]").set_input_files(tmp_path / "cars.csv")
    menu = steps.named("Column of the classes")
    expect(dialog.locator("label", has_text=menu)).to_be_visible()
    accept = dialog.get_by_role("button", name=steps.named("Accept"))
    expect(accept).to_be_enabled()
    chosen = dialog.get_by_label(menu).evaluate("menu => menu.selectedOptions[0].text")
    assert chosen == steps.named("none")
    accept.click()
    expect(dialog).to_be_hidden()

    # the model
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=steps.named("Open a file"), exact=True).click()
    chooser.value.set_files(tmp_path / "cars.npz")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.[0]?.meta.model === 'live:cars.npz'")
    wait_until_whole(page)
    expect(page.get_by_role("link", name=steps.named("Inference"), exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    card = page.locator("[data-part=network]")
    expect(card.get_by_role("heading")).to_contain_text(steps.named("Network"))
    expect(card.get_by_text(steps.named("posterior"), exact=True).first).to_be_visible()

    def finding_that_is(name: str, wanted: str) -> Locator:
        return card.get_by_role("button", name=re.compile(rf"^{name}, observation: {wanted}\."))

    def press_until(name: str, wanted: str) -> None:
        for now, then in {"on": "off", "off": "not known", "not known": "on"}.items():  # as the step says
            if finding_that_is(name, now).count() and now != wanted:
                finding_that_is(name, now).click()
                expect(finding_that_is(name, then)).to_be_visible()
                wait_for_rest(page)
        expect(finding_that_is(name, wanted)).to_be_visible()

    def expect_bars(finding: str) -> None:
        for cause, chance in chances[finding].items():
            said = card.get_by_role("button", name=re.compile(f"^{cause}")).inner_text()
            assert float(re.findall(r"posterior\s+([\d.]+)", said)[0]) == pytest.approx(
                float(chance), abs=0.005
            )

    press_until(steps.named("no start"), "on")
    for finding in ("dim lights", "silent radio", "gauge at zero", "long drive"):
        press_until(steps.named(finding), "not known")
    expect_bars("no start")
    press_until("dim lights", "on")
    expect_bars("dim lights")
    grew, shrank = steps.named("flat battery"), steps.named("empty tank")
    assert float(chances["dim lights"][grew]) > float(chances["no start"][grew])
    assert float(chances["dim lights"][shrank]) < float(chances["no start"][shrank])
    assert steps.left == set()
    seen.assert_clean(ignore=("willReadFrequently",))


def test_both_tutorials_are_followed_here():
    assert set(TUTORIALS) == {REASON, TABLE}


# -- the live page within the first page

FAR = 8000
"""Height of what is above the frame, in pixels: from there a browser does not load it."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the live page as docs have it, and a first page with its frame far below."""
    generated = pytest.importorskip("extension.generated")
    folder = tmp_path_factory.mktemp("docs")
    app = types.SimpleNamespace(
        doctreedir=str(folder / "doctrees"), config=types.SimpleNamespace(html_extra_path=[])
    )
    generated.write_live_page(app)
    (frame,) = re.findall(r"^```{raw} html\n(.*?)^```$", PAGES["index.md"], re.MULTILINE | re.DOTALL)
    style = (DOCS / "_static" / "site.css").read_text(encoding="utf-8")
    page = (
        f'<!doctype html><title>first</title><style>{style}</style><div style="height: {FAR}px"></div>{frame}'
    )
    (folder / "extra" / "index.html").write_text(page, encoding="utf-8")
    return folder / "extra"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Python's plain server of files."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """The address of the first page on a plain server."""
    handler = functools.partial(Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("where", ["disk", "server"])
def test_the_first_page_has_the_live_page_which_loads_when_it_comes_in_sight(
    visitor: BrowserContext, site: Path, served: str, where
):
    requests, seen = list[str](), Seen()
    seen.watch(visitor)
    visitor.on("request", lambda request: requests.append(request.url))
    page = visitor.new_page()
    first = served if where == "server" else (site / "index.html").as_uri()
    file = "live-site/index.html" if where == "server" else "live-page.html"
    page.goto(first)
    frame, link = page.locator("iframe"), page.get_by_role("link", name="Open the live page alone")
    assert frame.get_attribute("title")
    page.wait_for_load_state("networkidle")
    if where == "server":  # a browser loads frames of a disk at once
        asked = [url for url in requests if not url.endswith("favicon.ico")]
        assert asked == [first], "the frame is not loaded before it is seen"
    frame.scroll_into_view_if_needed()
    (inner,) = page.frames[1:]
    inner.wait_for_function(SHOWN)
    assert inner.url.partition("#")[0] == first.replace("index.html", file)
    inner.get_by_role("button", name="Show all", exact=True).click()  # which the sentence above it names
    inner.wait_for_function("() => window.lrbnPlayers[0].atRest")
    assert any("Show all" in line for line in PAGES["index.md"].splitlines())
    assert all(url.startswith((first.rpartition("/")[0], "blob:", "data:")) for url in requests), requests
    other = {"live-page.html", "live-site/index.html"} - {file}
    assert not [url for url in requests if url.endswith(tuple(other))]
    link.click()
    page.wait_for_function(SHOWN)
    assert page.url.startswith(first.replace("index.html", file))
    seen.assert_clean(ignore=("favicon.ico",))
