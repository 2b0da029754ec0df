"""What browser tests of the explorer share: its state in the page, and waiting until the page is ready."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

STATE = "() => window.lrbnPlayers[0].state()"


def state(page: Page) -> dict[str, Any]:
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
