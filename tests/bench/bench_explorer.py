"""How smoothly the Inference page plays, how quickly it answers, and what it keeps.

``python tests/bench/bench_explorer.py`` prints every figure beside its bound; ``--check`` exits with 1 where
one is missed, ``--only clicks memory`` measures some, ``--lanes lrbn`` with an LRBN in both lanes. Needs an
otherwise idle machine and Chromium.

Eight visitors have eight machines. Here their browsers share the server's, and two cores do not paint eight
pages sixty times a second; so for answers while eight sessions play, their browser has the lowest priority:
it takes the processor time that server and visitor leave over, which is nearly all of it.
How soon the page is there, `bench_first_load.py` measures.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from explorer_probe import (
    FLAT,
    PLAY,
    PROBES,
    Server,
    Wire,
    close,
    heap_bytes,
    launch,
    open_explorer,
    step_back,
    step_clicks,
)
from figures import Figure, report
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

SESSIONS = 8
PLAY_SECONDS = 6.0
CLICKS = 60
PICTURE_SEED = 40
STROKES = 12
MOVES = 30
STARTS = 7
FRAMES = 3000
LANES = {
    "rbm": FLAT,
    "lrbn": f"{FLAT}&rival=lrbn-200-mnist-learned",
}
"""What the second lane shows: an RBM, or a second LRBN by ICM."""


def percentile(values: list[float], q: float) -> float:
    """Return a percentile; infinite where nothing was seen."""
    return float(np.percentile(values, q)) if values else float("inf")


class Bench:
    """A server and a browser to measure with."""

    def __init__(self, playwright: Playwright, folder: Path, lanes: str) -> None:
        self.playwright = playwright
        self.server = Server(folder)
        self.url = self.server.explorer + LANES[lanes]
        self.browser = launch(playwright)

    def close(self) -> None:
        """End both."""
        self.browser.close()
        self.server.close()

    def start_playing(self, browser: Browser, seconds: float) -> list[Page]:
        """Let eight sessions play, over and over, for so long."""
        pages = [open_explorer(browser, self.url) for _ in range(SESSIONS)]
        for page in pages:
            page.evaluate(f"(seconds) => {{ window.played = ({PLAY})(seconds); }}", seconds)
        return pages

    def playback(self) -> Iterator[Figure]:
        """Painted frames, and what goes over the wire."""
        page = open_explorer(self.browser, self.url)
        wire = Wire(page)
        played = page.evaluate(PLAY, PLAY_SECONDS)
        yield Figure(
            "one plays: painted / animation frames", played["painted"] / played["frames"], 0.95, True
        )
        yield Figure("one plays: frames painted a second", played["painted"] / played["seconds"])
        yield Figure("one plays: ms of a frame's paint, p95", percentile(played["ms"], 95))
        replaying, beat = wire.bytes, wire.beat
        page.wait_for_timeout(1000)
        assert wire.bytes > replaying, "the resting cursor was not told, or bytes are not counted"
        close(page)
        yield Figure("bytes over the websocket while replaying", float(replaying), 0)
        yield Figure("bytes a second to learn that the server is there", beat / played["seconds"])
        pages = self.start_playing(self.browser, PLAY_SECONDS)
        found = [page.evaluate("() => window.played") for page in pages]
        worst = min(one["painted"] / one["frames"] for one in found)
        yield Figure(f"{SESSIONS} play: painted / animation frames, the worst", worst, 0.95, True)
        rate = statistics.mean(one["painted"] / one["seconds"] for one in found)
        yield Figure(f"{SESSIONS} play on this machine: frames painted a second, each", rate)
        for page in pages:
            close(page)

    def clicks(self) -> Iterator[Figure]:
        """From a click to what it shows, alone and beside eight sessions that play; the server meanwhile."""
        page = open_explorer(self.browser, self.url)
        found = step_clicks(page, CLICKS)
        yield Figure("click to paint, alone, p50 ms", percentile(found, 50))
        yield Figure("click to paint, alone, p95 ms", percentile(found, 95), 50)
        close(page)
        others = launch(self.playwright)
        page = open_explorer(self.browser, self.url)
        pages = self.start_playing(others, 60.0)
        step_back(others)
        page.wait_for_timeout(3000)
        before = self.server.ask("cpu")
        found = step_clicks(page, CLICKS)
        after = self.server.ask("cpu")
        yield Figure(f"click to paint, {SESSIONS} sessions play, p50 ms", percentile(found, 50))
        yield Figure(f"click to paint, {SESSIONS} sessions play, p95 ms", percentile(found, 95), 100)
        share = 100 * (after["cpu"] - before["cpu"]) / (after["clock"] - before["clock"])
        yield Figure("server's processor time meanwhile, %", share, 5)
        playing = sum(one.evaluate("() => window.lrbnPlayers[0].clock.playing") for one in pages)
        yield Figure("sessions still playing at the end", float(playing), SESSIONS, True)
        close(page)
        others.close()

    def answers(self) -> Iterator[Figure]:
        """From a picked image, and from a stroke, to the trace on the screen."""
        page = open_explorer(self.browser, self.url)
        page.evaluate(PROBES)
        thumbs = page.locator(".lv-thumbs [role=option]")
        for n in range(PICTURE_SEED):
            before = page.evaluate(
                "() => { window.probe.picking = true; return window.lrbnPlayers[0].meta.caption; }"
            )
            thumbs.nth(1 + n % 10).click()
            page.wait_for_function("before => window.lrbnPlayers[0].meta.caption !== before", arg=before)
            page.wait_for_timeout(250)
        found = page.evaluate("() => { window.probe.picking = false; return window.probe.picks; }")
        yield Figure("picked image to its trace on the screen, p50 ms", percentile(found, 50))
        yield Figure("picked image to its trace on the screen, p95 ms", percentile(found, 95), 150)
        input_box = page.locator(".lv-input canvas").first.bounding_box()
        assert input_box is not None
        updates, times = [], []
        for n in range(STROKES):
            page.evaluate("() => { window.probe.strokes = []; }")
            x, y = input_box["x"] + (0.2 + 0.05 * n) * input_box["width"], input_box["y"]
            page.mouse.move(x, y + 0.15 * input_box["height"])
            page.mouse.down()
            for m in range(MOVES):  # half a second from top to bottom
                page.mouse.move(
                    x + 0.004 * m * input_box["width"], y + (0.15 + 0.7 * m / MOVES) * input_box["height"]
                )
                page.wait_for_timeout(16)
            page.mouse.up()
            page.wait_for_timeout(500)
            strokes = page.evaluate("() => window.probe.strokes")
            updates.append(len(strokes))
            times += strokes
        trips = page.evaluate("() => window.probe.trips")
        yield Figure("drawing: stroke to its trace back in the page, p50 ms", percentile(trips, 50))
        yield Figure("drawing: stroke to its trace back in the page, p95 ms", percentile(trips, 95))
        yield Figure("drawing: updates a stroke, the fewest", float(min(updates)), 10, True)
        yield Figure("drawing: stroke to its trace on the screen, p50 ms", percentile(times, 50))
        yield Figure("drawing: stroke to its trace on the screen, p95 ms", percentile(times, 95), 50)
        flags = self.server.ask("nodelay")
        yield Figure("websockets without TCP_NODELAY", float(len(flags) - sum(flags)), 0)
        yield Figure("websockets asked", float(len(flags)), 1, True)
        close(page)

    def imports(self) -> Iterator[Figure]:
        """How long the app takes to import."""
        times: dict[str, list[float]] = {"panel": [], "lrbn_viz.app.shell": []}
        for _ in range(STARTS):
            for module, found in times.items():
                begin = time.perf_counter()
                subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
                found.append(time.perf_counter() - begin)
        ratio = statistics.median(times["lrbn_viz.app.shell"]) / statistics.median(times["panel"])
        yield Figure("import of the app / import panel", ratio, 2)

    def memory(self) -> Iterator[Figure]:
        """What 60 sessions and 3,000 frames leave behind."""

        def visit(count: int) -> dict:
            for _ in range(count):
                close(open_explorer(self.browser, self.url))
            time.sleep(12)  # sessions that nobody uses end after eight seconds here
            return self.server.ask("memory")

        before = visit(4)
        visits = [visit(30), visit(30)]
        grown = (visits[1]["bytes"] - visits[0]["bytes"]) / 2**20
        yield Figure("60 sessions: the last 30 add MB", grown, 5)
        for name, count in visits[1]["living"].items():
            yield Figure(f"60 sessions: {name} objects left", float(count - before["living"][name]), 0)
        yield Figure(
            "60 sessions: threads left", float(len(visits[1]["threads"]) - len(before["threads"])), 0
        )
        page = open_explorer(self.browser, self.url)
        # The first replay compiles what it runs: some MB of code that is there once. A leak goes on growing.
        opened = heap_bytes(page)
        page.evaluate(PLAY, 10.0)
        page.wait_for_timeout(500)
        heap, server = heap_bytes(page), self.server.ask("memory")["bytes"]
        yield Figure("first replay: growth of the browser, MB", (heap - opened) / 2**20)
        painted = 0
        while painted < FRAMES:
            painted += page.evaluate(PLAY, 10.0)["painted"]
        page.wait_for_timeout(500)
        yield Figure("frames painted", float(painted), FRAMES, True)
        yield Figure("their growth of the browser, MB", (heap_bytes(page) - heap) / 2**20, 1)
        yield Figure(
            "their growth of the server, MB", (self.server.ask("memory")["bytes"] - server) / 2**20, 5
        )
        close(page)


def sizes() -> Iterator[Figure]:
    """Measure what travels: a trace of 2,000 visits a lane, and the page that replays one."""
    from lrbn_viz import LRBN, pretrained
    from lrbn_viz.app.inference.panels.export import ExportPanel
    from lrbn_viz.app.inference.state import Session
    from lrbn_viz.app.inference.wire import Lane
    from lrbn_viz.view.player.packing import pack_trace

    session = Session()
    model = pretrained(session.model_name)
    assert isinstance(model, LRBN)
    trace = model.map_trace(session.x, temperature=1.0, max_sweeps=10, random_state=0)
    block = pack_trace([Lane(trace, "a", "A"), Lane(trace, "b", "B")])
    yield Figure(f"trace of {trace.n_visits} visits and two lanes, kB", len(block) / 1000, 200)
    page = ExportPanel(Session(algorithm="annealed", start="random", unit_order="usage")).replay()
    yield Figure("replay as one HTML file, kB", len(page.content) / 1000, 300)
    both: dict[str, Any] = {
        "algorithm": "annealed",
        "rival_algorithm": "annealed",
        "rival_name": "lrbn-200-mnist-learned",
    }
    page = ExportPanel(Session(**both, start="random", rival_start="random", unit_order="usage")).replay()
    yield Figure("replay of two LRBN lanes, kB", len(page.content) / 1000, 300)


def figures(only: list[str], lanes: str) -> Generator[Iterator[Figure]]:
    """Measure group by group, with one of the `LANES`."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        bench = Bench(playwright, Path(folder), lanes)
        groups: dict[str, Callable[[], Iterator[Figure]]] = {
            "sizes": sizes,
            "playback": bench.playback,
            "clicks": bench.clicks,
            "answers": bench.answers,
            "imports": bench.imports,
            "memory": bench.memory,
        }
        try:
            for name in only or groups:
                yield groups[name]()
        finally:
            bench.close()


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    names = ["sizes", "playback", "clicks", "answers", "imports", "memory"]
    parser.add_argument("--only", nargs="+", choices=names, default=[], help="measure these groups")
    parser.add_argument("--lanes", choices=LANES, default="rbm", help="what the second lane shows")
    arguments = parser.parse_args()
    with closing(figures(arguments.only, arguments.lanes)) as groups:
        return report(groups, arguments.check)


if __name__ == "__main__":
    sys.exit(main())
