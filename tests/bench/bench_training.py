"""How long a pass takes, how the worker compares with a plain script, how quick pages stay while it trains.

``python tests/bench/bench_training.py`` prints every figure beside its bound; ``--check`` exits with 1 where
one is missed. Needs an otherwise idle machine and Chromium; ``--quick`` leaves the browser out.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from bench_epoch import epochs
from explorer_probe import close, launch, open_explorer, step_back, step_clicks
from figures import Figure, report

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 6.0
REPEATS = 3
CLICKS = 40
SESSIONS = 8


# -- the worker against a plain script, each in a process of its own


def _run() -> Any:
    from lrbn_viz import load_dataset
    from lrbn_viz.app.presets import PRESETS
    from lrbn_viz.runs import Run, RunConfig

    lanes = {lane.system: lane for lane in PRESETS["flat"].lanes}
    config = RunConfig("mnist5k", lanes, n_iter=10**6)
    return Run(config, load_dataset("mnist5k"), tempfile.mkdtemp())


def plain() -> float:
    """Return minibatches a second of both models in a loop that does nothing else."""
    from lrbn_viz.training import race

    steps = race({name: lane.training for name, lane in _run().lanes.items()})
    for _ in range(20):
        next(steps)
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS:
        next(steps)
        count += 1
    return count / (time.perf_counter() - began)


def served() -> float:
    """Return the same in the worker, while a page's messages are made thirty times a second."""
    from lrbn_viz.app.keeper import Keeper, LiveRun
    from lrbn_viz.app.player.feed import Feed
    from lrbn_viz.app.studio import Studio

    studio = Studio(Keeper(tempfile.mkdtemp()))
    live = LiveRun("bench", _run())
    studio.live = live
    feed = Feed(studio)
    live.run.start()

    def attend(condition: Callable[[], bool]) -> None:
        while condition():
            feed.messages()
            feed.acknowledge(2**31)
            time.sleep(0.033)

    def steps() -> int:
        return sum(lane.training.step for lane in live.run.lanes.values())

    attend(lambda: steps() < 20)
    first, began = steps(), time.perf_counter()
    attend(lambda: time.perf_counter() - began < SECONDS)
    rate = (steps() - first) / (time.perf_counter() - began)
    live.run.stop()
    return rate


def worker_speed() -> list[Figure]:
    """Compare them, in turn, each time in a fresh process; a plain script may have all threads or one."""
    ways = {"plain": {}, "plain, one thread": {"NUMBA_NUM_THREADS": "1"}, "served": {}}
    rates: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(REPEATS):
        for way, environment in ways.items():
            done = subprocess.run(
                [sys.executable, __file__, "--way", way.split(",")[0]],
                env={**os.environ, **environment},
                capture_output=True,
                text=True,
                check=True,
            )
            rates[way].append(float(done.stdout.split()[-1]))
    middle = {way: statistics.median(found) for way, found in rates.items()}
    served = middle.pop("served")
    return [
        *(Figure(f"{way}: minibatches a second", rate) for way, rate in middle.items()),
        Figure("worker: minibatches a second", served),
        Figure("worker's speed / the faster plain script's", served / max(middle.values()), 0.85, True),
    ]


# -- in the browser


@contextmanager
def _explorer() -> Iterator[tuple[str, int]]:
    """Serve the explorer; its address and process id."""
    with tempfile.TemporaryDirectory() as runs:
        process = subprocess.Popen(
            [*(sys.executable, "-m", "panel", "serve", str(ROOT / "apps" / "explorer.py")), "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "LRBN_VIZ_RUNS": runs},
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                found = re.search(r"app running at: (\S+)", line)
                if found:
                    break
            else:
                raise RuntimeError("the explorer did not start")
            yield found[1], process.pid
        finally:
            process.terminate()
            process.communicate()


STATE = "() => window.lrbnBoards[0].state()"
PICK = """async (count) => {
  const player = window.lrbnPlayers[0], found = [];
  for (let n = 0; n < count; n++) {
    const before = player.meta.caption, began = performance.now(), painted = player.clock.stats.painted;
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "n", bubbles: true}));
    while (player.meta.caption === before || player.clock.stats.painted === painted) {
      await new Promise((done) => setTimeout(done, 1));
      if (performance.now() - began > 10000) break;
    }
    found.push(performance.now() - began);
    await new Promise((done) => setTimeout(done, 120));
  }
  return found;
}"""


def _train(page: Any, url: str, recipe: str, passes: str = "100000") -> None:
    """Open the Train page and let a run begin."""
    page.goto(f"{url}?page=train")
    page.wait_for_function("() => window.lrbnBoards?.[0]", timeout=120_000)
    page.get_by_label("Recipe").select_option(recipe)
    page.get_by_label("Budget", exact=True).fill(passes)
    page.wait_for_timeout(300)
    page.get_by_role("group", name="Training").get_by_role("button", name="Start training").click()
    page.wait_for_function("() => window.lrbnBoards[0].state().lanes[0]?.step > 5", timeout=120_000)


def _frames(page: Any, received: list[int]) -> list[Figure]:
    """Watch live frames for a while."""
    page.wait_for_timeout(1500)
    before, messages = page.evaluate(STATE)["stats"], len(received)
    page.wait_for_timeout(int(1000 * SECONDS))
    after, messages = page.evaluate(STATE)["stats"], len(received) - messages
    sent = after["number"] - before["number"]
    return [
        Figure("live frames a second", sent / SECONDS, 25, True),
        Figure("painted / sent", (after["painted"] - before["painted"]) / sent, 0.9, True),
        Figure("bytes of the largest frame", after["largest"], 2048),
        Figure("websocket messages a frame", messages / sent, 6),
        Figure("frames in order", float(after["inOrder"]), 1, True),
    ]


def _clicks(page: Any, training: str, p50: float | None, p95: float) -> list[Figure]:
    """Steps in the trace, which the page answers, and picked images, which the training server does."""
    clicks = step_clicks(page, CLICKS)
    middle, most = np.percentile(clicks, [50, 95])
    picks = np.percentile(page.evaluate(PICK, CLICKS)[3:], [50, 95])
    return [
        Figure(f"click to paint, {training}, p50 ms", middle, p50),
        Figure(f"click to paint, {training}, p95 ms", most, p95),
        Figure(f"picked image to its trace, {training}, p50 ms", picks[0]),
        Figure(f"picked image to its trace, {training}, p95 ms", picks[1]),
    ]


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def _closed_tab(page: Any, pid: int) -> list[Figure]:
    """Close a tab that trains; how long the server computes, and its thread lives."""
    threads = _threads(pid)
    page.close()
    began = time.monotonic()
    paused = ended = float("inf")
    while time.monotonic() - began < 60 and (paused == float("inf") or ended == float("inf")):
        used, at = _cpu_seconds(pid), time.monotonic()
        time.sleep(0.25)
        busy = (_cpu_seconds(pid) - used) / (time.monotonic() - at)
        if busy < 0.3 and paused == float("inf"):
            paused = at - began
        if _threads(pid) < threads and ended == float("inf"):
            ended = time.monotonic() - began
    return [
        Figure("closed tab: seconds until its worker rests", paused, 2.0),
        Figure("closed tab: seconds until its thread is gone", ended, 40.0),
    ]


def _long_run(page: Any, pid: int) -> list[Figure]:
    """Watch as many steps as an hour of the large model has; what memory grows by after the first third."""
    session = page.context.new_cdp_session(page)

    def memory() -> tuple[float, float]:
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")["usedSize"] / 2**20
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 2**20, heap

    page.wait_for_function("() => window.lrbnBoards[0].state().lanes[0].step > 12000", timeout=600_000)
    server, heap = memory()
    page.wait_for_function("() => window.lrbnBoards[0].state().lanes[0].step > 36000", timeout=600_000)
    later, heap_later = memory()
    points = max(max(lane["points"].values()) for lane in page.evaluate(STATE)["lanes"])
    return [
        Figure("an hour's steps: server grows by MB", later - server, 64),
        Figure("an hour's steps: page's heap grows by MB", heap_later - heap, 16),
        Figure("an hour's steps: points kept of a curve", points, 1024),
    ]


def in_browser() -> Iterator[list[Figure]]:
    """Measure everything that needs a page."""
    from playwright.sync_api import sync_playwright

    with _explorer() as (url, pid), sync_playwright() as driver:
        # Who trains has a machine of their own: here their browser has the lowest priority while another's
        # clicks are timed, and only the server trains at the usual one.
        browser, crowd = launch(driver), launch(driver)
        page, received = browser.new_page(), []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda _: received.append(1)))
        _train(page, url, "flat")
        yield _frames(page, received)
        yield _closed_tab(page, pid)
        trainer = crowd.new_page()
        _train(trainer, url, "flat")
        step_back(crowd)
        other = open_explorer(browser, url)
        yield _clicks(other, "one session trains", None, 100)
        close(other)
        trainer.close()
        crowd.close()
        crowd = launch(driver)
        pages = [crowd.new_page() for _ in range(SESSIONS)]
        for trainer in pages:
            _train(trainer, url, "flat")
        begun = [(time.monotonic(), trainer.evaluate(STATE)["lanes"][0]["step"]) for trainer in pages]
        for trainer in pages:  # they go on training, and only the server works for it
            trainer.get_by_role("link", name="Inference").click()
        step_back(crowd)
        other = open_explorer(browser, url)
        yield _clicks(other, f"{SESSIONS} sessions train", 80, 200)
        rates = []
        for trainer, (at, step) in zip(pages, begun, strict=True):
            trainer.get_by_role("link", name="Train").click()
            trainer.wait_for_function("() => window.lrbnBoards?.[0]?.lanes?.length", timeout=60_000)
            rates.append((trainer.evaluate(STATE)["lanes"][0]["step"] - step) / (time.monotonic() - at))
            trainer.get_by_role("link", name="Inference").click()
        yield [Figure(f"{SESSIONS} sessions train: slowest / fastest", min(rates) / max(rates), 0.5, True)]
        close(other)
        crowd.close()
        page = browser.new_page()
        _train(page, url, "small")
        yield _long_run(page, pid)
        browser.close()


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    parser.add_argument("--quick", action="store_true", help="leave the browser out")
    parser.add_argument("--way", choices=["plain", "served"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.way:
        print({"plain": plain, "served": served}[arguments.way]())
        return 0
    return report(_all(not arguments.quick), arguments.check)


def _all(with_browser: bool) -> Iterator[Iterable[Figure]]:
    yield epochs()
    yield worker_speed()
    if with_browser:
        yield from in_browser()


if __name__ == "__main__":
    sys.exit(main())
