"""What a visitor's browser loads and does until the explorer is there, at the first visit and the second.

``python tests/bench/bench_first_load.py`` prints every figure beside its bound; ``--check`` exits with 1
where one is missed, ``--only bytes tasks`` measures some, ``--list 20`` lists so many of the largest
resources. The browser is a real Chromium with its cache on. Times need an otherwise idle machine.

Who comes for the first time is shown the guided beginning; who has been shown it has a cookie, and is shown
the first look. Both are measured, against the same bounds. ``press`` starts a server without any compiled
kernel, and presses what the guide asks for, and then what it does not.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from explorer_probe import DEEP, Server, close, launch
from figures import Figure, report
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright
from traffic import LONG_TASKS, THERE, visit

from lrbn_viz.io.constants import GUIDE_COOKIE

ROUNDS = 9
VISITORS = {"new": False, "returning": True}
"""Whether each kind of visitor has been shown the guided beginning."""
SIZE: ViewportSize = {"width": 1440, "height": 900}
READ_MS = 5000.0
"""For which a visitor reads the guide's first step before pressing what it asks for."""
FIRST_PRESS_S = 1.0
ALARM = "() => window.lrbnPlayers[0].root.querySelector('[data-part=network]').textContent.includes('0.4311')"
HELD = "() => window.lrbnPlayers[0].lanes[0].held?.size > 0"
FIRST_MB, SECOND_MB = 2.5, 0.3
PAINT_RATIO = 1.4
LONG_MS = 50.0

HEADER = f"() => ({DEEP})(document, '.MuiAppBar-root')"
PLAYER = "() => window.lrbnPlayers?.[0]?.clock.stats.painted > 0"
# When the frame that first shows something has been painted.
PAINTED = """() => { const look = () => {
  if (!(%s)()) return requestAnimationFrame(look);
  requestAnimationFrame(() => setTimeout(() => { window.there = performance.now(); }));
}; requestAnimationFrame(look); }"""


class Bench:
    """A server and a browser to measure with."""

    def __init__(self, browser: Browser, server: Server, listed: int) -> None:
        self.browser, self.server, self.listed = browser, server, listed

    def _context(self, visitor: str) -> BrowserContext:
        """Return a new context of one of the `VISITORS`."""
        context = self.browser.new_context(viewport=SIZE)
        if VISITORS[visitor]:
            context.add_cookies([{"name": GUIDE_COOKIE, "value": "1", "url": self.server.explorer}])
        return context

    def bytes(self) -> Iterator[Figure]:
        """What travels at the first visit and at the second, over HTTP and the websocket together."""
        for visitor in VISITORS:
            close(visit(self._context(visitor), self.server.explorer)[0])  # the server's own first page
            page, first = visit(self._context(visitor), self.server.explorer)
            _, second = visit(page.context, self.server.explorer)
            for name, traffic, bound in (("first", first, FIRST_MB), ("second", second, SECOND_MB)):
                of = f"{visitor}, {name} visit"
                yield Figure(f"{of}: MB over HTTP and websocket", traffic.total / 1e6, bound)
                yield Figure(f"{of}: MB over HTTP", traffic.http / 1e6)
                yield Figure(f"{of}: MB over the websocket", traffic.websocket / 1e6)
                yield Figure(f"{of}: requests", float(len(traffic.asked)))
                for line in traffic.largest(self.listed):
                    print("      ", line)
            loose = [each for each in first.asked if each.loose]
            yield Figure(f"{visitor}, first visit: files over 2 kB sent as they are", float(len(loose)), 0)
            for each in loose:
                print("      ", each)
            close(page)

    def times(self) -> Iterator[Figure]:
        """How soon the player is painted, against an empty page's header; both again with a full cache."""
        ways = {"empty page": (self.server.empty, HEADER, "returning")}
        ways |= {visitor: (self.server.explorer, PLAYER, visitor) for visitor in VISITORS}
        caches = ("first", "second")
        found: dict[str, list[float]] = {f"{name}, {cache}": [] for name in ways for cache in caches}
        for _ in range(ROUNDS):
            for name, (url, there, visitor) in ways.items():
                context = self._context(visitor)
                for cache in caches:
                    page = context.new_page()
                    page.add_init_script(f"({PAINTED % there})()")
                    page.goto(url)
                    page.wait_for_function("() => window.there", timeout=60_000)
                    found[f"{name}, {cache}"].append(page.evaluate("() => window.there"))
                    page.wait_for_timeout(300)
                    page.close()
                context.close()
        middle = {name: statistics.median(times[1:]) for name, times in found.items()}
        empty = middle["empty page, first"]
        yield Figure("empty page: ms until its header is painted", empty)
        yield Figure("second visit, empty page: ms until its header is painted", middle["empty page, second"])
        for visitor in VISITORS:
            first = middle[f"{visitor}, first"]
            yield Figure(f"{visitor}: ms until the player is painted", first)
            yield Figure(
                f"{visitor}: first paint of the player / of the empty page's header",
                first / empty,
                PAINT_RATIO,
            )
            yield Figure(
                f"{visitor}, second visit: ms until the player is painted", middle[f"{visitor}, second"]
            )

    def tasks(self) -> Iterator[Figure]:
        """What keeps the page from answering while it loads: tasks of more than 50 ms."""
        ways = {"empty page": (self.server.empty, HEADER, "returning")}
        ways |= {visitor: (self.server.explorer, THERE, visitor) for visitor in VISITORS}
        for name, (url, there, visitor) in ways.items():
            close(self._watched(url, there, visitor))
            runs: list[list[dict[str, Any]]] = []
            for _ in range(5):
                page = self._watched(url, there, visitor)
                runs.append(page.evaluate("() => window.longTasks"))
                close(page)
            runs.sort(key=lambda tasks: sum(task["duration"] for task in tasks))
            tasks = runs[len(runs) // 2]
            yield Figure(f"{name}: long tasks", float(len(tasks)))
            yield Figure(f"{name}: ms in long tasks", sum(task["duration"] for task in tasks))
            yield Figure(
                f"{name}: ms of blocking, what is over {LONG_MS:.0f} ms of each",
                sum(task["duration"] - LONG_MS for task in tasks),
            )
            for task in tasks:
                print(f"        at {task['start']:6.0f} ms: {task['duration']:4.0f} ms  {task['what']}")

    def _watched(self, url: str, there: str, visitor: str) -> Page:
        """Open an address in a new context that notes long tasks; wait until nothing happens any more."""
        page = self._context(visitor).new_page()
        page.add_init_script(LONG_TASKS)
        page.goto(url)
        page.wait_for_function(there, timeout=60_000)
        page.wait_for_timeout(1000)
        return page

    def press(self) -> Iterator[Figure]:
        """How soon the first press in the guide is answered with no kernel compiled, and another one."""
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder), NUMBA_CACHE_DIR=str(Path(folder) / "kernels"))
            page = self.browser.new_context(viewport=SIZE).new_page()
            began = time.perf_counter()
            page.goto(server.explorer)
            page.wait_for_function(PLAYER, timeout=60_000)
            yield Figure(
                "no kernel compiled: seconds until the player is painted", time.perf_counter() - began
            )
            page.wait_for_timeout(READ_MS)
            nodes = page.locator("[data-part=network]")
            for name, pressed, there, bound in (
                ("as the guide asks", "alarm", ALARM, FIRST_PRESS_S),
                ("a cause, which is held", "burglary", HELD, None),
            ):
                if pressed == "burglary":
                    page.get_by_role("button", name="Show all").click()  # the guide's first step holds none
                began = time.perf_counter()
                nodes.get_by_role("button", name=re.compile(f"^{pressed}")).click()
                page.wait_for_function(there, timeout=90_000)
                seconds = time.perf_counter() - began
                yield Figure(
                    f"no kernel compiled: seconds from a press to its answer, {name}", seconds, bound
                )
            close(page)
            server.close()


def figures(only: list[str], listed: int) -> Generator[Iterator[Figure]]:
    """Measure group by group."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        server, browser = Server(Path(folder)), launch(playwright)
        bench = Bench(browser, server, listed)
        groups: dict[str, Callable[[], Iterator[Figure]]] = {
            "bytes": bench.bytes,
            "times": bench.times,
            "tasks": bench.tasks,
            "press": bench.press,
        }
        try:
            for name in only or groups:
                yield groups[name]()
        finally:
            browser.close()
            server.close()


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    names = ["bytes", "times", "tasks", "press"]
    parser.add_argument("--only", nargs="+", choices=names, default=[], help="measure these groups")
    parser.add_argument("--list", type=int, default=12, help="how many of the largest resources to list (12)")
    arguments = parser.parse_args()
    with closing(figures(arguments.only, arguments.list)) as groups:
        return report(groups, arguments.check)


if __name__ == "__main__":
    sys.exit(main())
