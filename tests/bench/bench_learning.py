"""Learning in a browser: how long a pass over the images takes, and what the page paints meanwhile.

    python tests/bench/bench_learning.py [--minutes 10] [--check]

Chromium opens pages from a disk whose workers train LRBNs by hard EM: digits (1,437 images of 64 pixels) with
32 latents, and mnist5k (4,000 of 784) with 100, minibatches of 20, E-steps in single precision. With --check
the exit status is 1 if a bound is missed.

With ``--minutes`` a live page trains an LRBN and an RBM on digits so long, at full speed, with a minibatch
in slow motion and a look back every few seconds, and goes on where its run ends. Its process, which runs the
page and its worker, is measured instead: the memory that it holds resident, and how fast that grows after the
first quarter of the time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_soak import Memory
from bench.explorer_probe import launch
from bench.figures import Figure, report
from browser.learning_page import write_learning_page

from lrbn_viz import export_live

RUNS = (("digits", 32, 40, 40.0), ("mnist5k", 100, 5, 4000.0))
"""Data set, latents, passes, and the most milliseconds that a pass may take."""
MEMORY_MB = 300.0
"""Most memory that the process of a page should hold in ten minutes of training; it is missed: 409 MB."""
ACT_SECONDS = 5.0
"""Between two looks back in a long run."""

# Milliseconds of a pass, from the answers in between, and frames painted in a second of it.
PLAYED = """() => new Promise((done) => {
  const {length} = window.answers, began = performance.now(), painted = window.painted;
  tell({act: "play"});
  const look = () => {
    const last = window.answers.at(-1);
    if (!last.over) return setTimeout(look, 20);
    const time = last.at - began;
    const frames = 1000 * (window.painted - painted) / time;
    done([time / last.epoch, frames, [...last.figures.wrong_pixels].at(-1)]);
  };
  setTimeout(look, 20);
})"""


def figures(browser: Browser, folder: Path) -> Iterator[Figure]:
    """Yield what each run takes."""
    for dataset, n_h, n_iter, bound in RUNS:
        path = folder / f"{dataset}.html"
        write_learning_page(path, dataset, n_h, n_iter, prior="flat")
        page = browser.new_page()
        page.goto(path.as_uri())
        page.wait_for_function("() => window.answers.length > 0")
        of_pass, frames, wrong = page.evaluate(PLAYED)
        yield Figure(f"ms of a pass, {dataset}, {n_h} latents", of_pass, bound)
        yield Figure(f"frames a second meanwhile, {dataset}", frames)
        yield Figure(f"wrong pixels of its last minibatch, {dataset}", wrong)
        page.close()


def process_of(browser: Browser, page: Page) -> int:
    """Return the number of the process that runs a page: of Chromium's, the one that works for it."""

    def seconds() -> dict[int, float]:
        found = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return {each["id"]: each["cpuTime"] for each in found if each["type"] == "renderer"}

    session = browser.new_browser_cdp_session()
    before = seconds()
    page.evaluate("() => { const end = performance.now() + 1000; while (performance.now() < end); }")
    now = seconds()
    return max(now, key=lambda pid: now[pid] - before.get(pid, 0.0))


def memory_figures(browser: Browser, folder: Path, minutes: float) -> Iterator[Figure]:
    """Yield the memory of a page that trains for so long."""
    path = folder / "trains.html"
    export_live(path, train=True)
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnBoards && window.lrbnBoards[0].status === 'new'")
    memory = Memory(process_of(browser, page), 1.0)
    before, began = memory.now(), time.monotonic()
    say = "(type) => window.lrbnBoards[0].say({type, step: 100})"
    steps = 0
    while time.monotonic() - began < 60 * minutes:
        for type in ("slow", "look", "start"):
            page.evaluate(say, type)
        acted = time.monotonic()
        while time.monotonic() - acted < ACT_SECONDS:
            if page.evaluate("() => window.lrbnBoards[0].status") == "done":
                page.evaluate(say, "on")
            page.wait_for_timeout(200)
        steps = page.evaluate("() => window.lrbnBoards[0].lanes[0].step")
    memory.stop()
    at, held = np.array(memory.seen).T
    later = at - began > 15 * minutes  # the first quarter: its code is compiled, and its moments fill up
    growth = np.polyfit(at[later] / 60, held[later], 1)[0]
    yield Figure(f"MB of the page's process before {minutes:g} minutes of training", before)
    yield Figure("MB at most", held.max(), MEMORY_MB)
    yield Figure("MB of growth a minute, after the first quarter", growth)
    yield Figure("minibatches that both models have learned from", steps)
    page.close()


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    parser.add_argument("--minutes", type=float, help="of a live page that trains, whose memory is measured")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        measured = (
            figures(browser, Path(folder))
            if arguments.minutes is None
            else memory_figures(browser, Path(folder), arguments.minutes)
        )
        status = report([measured], arguments.check)
        browser.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
