"""What browser tests of the explorer share: its state in the page, and waiting until the page is ready."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Page

from lrbn_viz.app.inference.state import Session
from lrbn_viz.core.trace import ICMTrace

WAIT = 120_000
"""Milliseconds until a test gives up: a first page compiles kernels, and a busy machine takes its time."""

STATE = "() => window.lrbnPlayers[0].state()"


class Evaluating(Protocol):
    """What the first of these ask of a page, whichever browser it is in."""

    @property
    def url(self) -> str: ...

    def evaluate(self, expression: str, arg: Any = None) -> Any: ...

    def wait_for_function(self, expression: str, *, arg: Any = None) -> Any: ...


def state(page: Evaluating) -> dict[str, Any]:
    return page.evaluate(STATE)


def wait_for_image(page: Page, index: int) -> None:
    page.wait_for_function(
        "caption => window.lrbnPlayers?.[0]?.meta?.caption === caption",
        arg=f"MNIST subset, test image {index}",
    )


# Whether what a selector finds has stood where it is for so many frames as a page needs to lay itself out.
STANDS_STILL = """(root, selector) => {
  const places = Array.from(root.querySelectorAll(selector), (node) => {
    const {left, top, width, height} = node.getBoundingClientRect();
    return [left, top, width, height].join();
  }).join(";");
  if (places !== window.places) [window.places, window.frames] = [places, 0];
  return ++window.frames > 6;
}"""


def wait_until_whole(page: Page) -> None:
    """Wait until the server listens, all is painted that rests, and no card moves any more."""
    page.wait_for_function(
        f"""() => {{
          const player = window.lrbnPlayers?.[0];
          if (!player?.lanes || !player.whole() || !player.clock.stats.painted) return false;
          if (!player.atRest && !player.clock.playing) return false;
          return ({STANDS_STILL})(player.root, ".lv-card, .lv-transport, canvas");
        }}"""
    )


PARTS = "section, article, fieldset, table, canvas, h1, h2, h3, label, button, .lv-card, .lv-transport"


def wait_until_it_stands_still(page: Page) -> None:
    """Wait until no part of a page changes its place or size any more, as after another width.

    The side bar closes and opens by the server's answer to another width.
    """
    wait_for_frames(page)
    page.evaluate("async () => { await window.lrbnConnection?.roundtrip(); window.frames = 0; }")
    page.wait_for_function(
        f"""() => {{
          const trees = (root) => [root, ...Array.from(root.querySelectorAll("*")).flatMap(
            ({{shadowRoot}}) => (shadowRoot ? trees(shadowRoot) : []))];
          const found = trees(document).flatMap((tree) => Array.from(tree.querySelectorAll("{PARTS}")));
          return ({STANDS_STILL})({{querySelectorAll: () => found}});
        }}"""
    )


def wait_for_frames(page: Page, n: int = 2) -> None:
    """Wait until the page has painted what there is now; with 2 also what that has changed."""
    page.evaluate(
        """async (n) => {
          for (let i = 0; i < n; i++) await new Promise((painted) => requestAnimationFrame(painted));
        }""",
        n,
    )


def wait_for_answer(page: Page) -> None:
    """Wait until the server has done with all that it was told, and the page has read the answers."""
    page.evaluate("async () => { await window.lrbnConnection.roundtrip(); }")
    wait_for_frames(page)


def back_to_the_image(page: Page, index: int) -> None:
    """Take back what was drawn. Until the server has answered the last stroke, the page bears the name of the
    data set's image; then that of a changed one; and then the former again."""
    page.get_by_role("button", name="Back to the data set's image").click()
    wait_for_answer(page)
    wait_for_image(page, index)


def wait_for_timers(page: Evaluating, ms: int) -> None:
    """Wait until every timer of the page has run that was to run within so many milliseconds from now."""
    page.evaluate("ms => new Promise((done) => setTimeout(done, ms))", ms + 1)


def wait_until_linked(page: Page) -> None:
    """Wait until the server has answered a page, so that it hears what is said from now on."""
    page.wait_for_function("() => window.lrbnConnection?.connection && window.lrbnConnection.confirmed")


def wait_for_signs_of_life(page: Page, n: int = 2) -> None:
    """Wait until the server has answered so many of the questions whether it is there, one a second.

    Whoever says that nothing is sent meanwhile knows that the page was awake, and its line open.
    """
    for _ in range(n):
        before = page.evaluate("() => window.lrbnConnection.confirmed")
        page.wait_for_function("before => window.lrbnConnection.confirmed > before", arg=before)


def open_more_settings(page: Page) -> None:
    """Bring all settings of the Train page's form in sight."""
    summary = page.get_by_text("More settings", exact=True)
    if not page.get_by_label("Budget in").is_visible():
        summary.click()


def budget_in_epochs(page: Page, passes: str) -> None:
    """Let the Train page's form end a run after so many epochs."""
    open_more_settings(page)
    page.get_by_label("Budget in").select_option("passes")
    page.get_by_label("Number of epochs", exact=True).fill(passes)


def trace_of(**params: Any) -> ICMTrace:
    """What the engine says of the LRBN in a session with these parameters."""
    return next(iter(Session(**params).traces))


def open_page(page: Page, url: str) -> Page:
    """Open an address of the explorer and wait until it is whole."""
    page.goto(url)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    return page


# What the server decides of the traces shown, and back to the start of these, with nothing chosen.
TRACES = """() => {
  const {meta, lanes, hidden} = window.lrbnPlayers[0];
  const each = ({meta: {model, subtitle, start}, held}) => [model, subtitle, start, [...held]];
  return [meta.caption, lanes.map(each), [...hidden]];
}"""
START = """() => {
  const player = window.lrbnPlayers[0];
  for (const {node} of player.dialogs) if (node.open) node.close();
  player.pause();
  player.select(0, -1);
  player.setOrder("number");
  player.compareWith("last");
  player.inner.scrollTo(0, 0);
  player.seek(0);
}"""


def hurry(page: Page) -> None:
    """Let a page that plays by itself when it opens be through with it at once."""
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.clock.stats.painted > 0")
    page.evaluate("() => { window.lrbnPlayers[0].clock.speed = 1e5; }")


def open_elsewhere(page: Page, url: str) -> None:
    """Open an address as somebody else would: of what the page was before, nothing is left."""
    page.goto("about:blank")
    page.goto(url)


def wait_for_rest(page: Evaluating) -> None:
    """Wait until the cursor rests, and what waits for that is drawn."""
    page.wait_for_function("() => window.lrbnPlayers[0].atRest")


def seek(page: Evaluating, k: int) -> None:
    """Move the cursor and wait until it rests, and what waits for that is drawn."""
    page.evaluate("k => window.lrbnPlayers[0].seek(k)", k)
    wait_for_rest(page)


def save(page: Page, kind: str, folder: Path) -> Path:
    """Save a picture of the view, ``png`` or ``svg``, in a folder under the name it comes with."""
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save this view as {kind.upper()}").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def without_signs_of_life(frames: list[str]) -> list[str]:
    """Return the headers of messages, but of those by which a page notices that its connection is lost."""
    return [frame for frame in frames if '"msgtype"' in frame and "SERVER-INFO" not in frame]
