"""What browser tests of the explorer share: its state in the page, and waiting until the page is ready."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Page

from lrbn_viz.app.inference.state import Session
from lrbn_viz.trace import ICMTrace

WAIT = 120_000
"""Milliseconds until a test gives up: a first page compiles kernels, and a busy machine takes its time."""

STATE = "() => window.lrbnPlayers[0].state()"


class Evaluating(Protocol):
    """What the first of these ask of a page, whichever browser it is in."""

    @property
    def url(self) -> str: ...

    def evaluate(self, expression: str, arg: Any = None) -> Any: ...

    def wait_for_function(self, expression: str, *, arg: Any = None) -> Any: ...

    def wait_for_timeout(self, timeout: float) -> None: ...


def state(page: Evaluating) -> dict[str, Any]:
    return page.evaluate(STATE)


def wait_for_image(page: Page, index: int) -> None:
    page.wait_for_function(
        "caption => window.lrbnPlayers?.[0]?.meta?.caption === caption", arg=f"mnist5k test image {index}"
    )


def wait_until_whole(page: Page) -> None:
    """Wait until the server listens, the player is painted and no card has moved for a while."""
    page.wait_for_function(
        """() => {
          const player = window.lrbnPlayers[0];
          if (!player.whole() || !player.clock.stats.painted) return false;
          const cards = player.root.querySelectorAll(".lv-card, .lv-transport, canvas");
          const places = Array.from(cards, (node) => {
            const {left, top, width, height} = node.getBoundingClientRect();
            return [left, top, width, height].join();
          }).join(";");
          if (places !== window.places) { window.places = places; window.since = performance.now(); }
          return performance.now() - window.since > 300;
        }"""
    )


def trace_of(**params: Any) -> ICMTrace:
    """What the engine says of the LRBN in a session with these parameters."""
    return next(iter(Session(**params).traces))


def open_page(page: Page, url: str) -> Page:
    """Open an address of the explorer and wait until it is whole."""
    page.goto(url)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    return page


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
