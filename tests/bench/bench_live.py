"""A live page on a slow computer: its size, how soon it is ready, and how soon a stroke is answered.

At full speed: the time of a visit, beside that of Python's kernel on one thread.

    python tests/bench/bench_live.py [--check] [--slower 4]

Chromium opens the page from a disk, its processor slowed by the given factor. A stroke is answered when both
lanes are painted that infer the image as it then is. With --check the exit status is 1 if a bound is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from explorer_probe import launch
from figures import Figure, report
from playwright.sync_api import Page, sync_playwright

from lrbn_viz import export_live, load_dataset, pretrained

MODELS = ("lrbn-200-mnist-flat", "rbm-200-mnist-likeliest")
ROUNDS = 5

# Milliseconds from the page's request to the first painted frame of both lanes.
READY = """() => new Promise((done) => {
  const look = () => {
    if (window.lrbnPlayers?.[0]?.clock.stats.painted) done(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""
# Milliseconds of each of n strokes: the image changes, both lanes infer it, and the frame is painted.
STROKES = """(n) => new Promise((done) => {
  const player = window.lrbnPlayers[0], {input} = player, {port1, port2} = new MessageChannel(), times = [];
  let began = 0;
  port1.onmessage = () => {
    times.push(performance.now() - began);
    if (times.length < n) setTimeout(next, 60); else done(times);
  };
  const next = () => {
    const at = [4 + times.length % 20, 3 + (7 * times.length) % 22];
    began = performance.now();
    input.stroke(at, [at[0] + 2, at[1] + 1], times.length % 3 ? "draw" : "erase");
    requestAnimationFrame(() => port2.postMessage(0));
  };
  next();
})"""


# Milliseconds of a visit in each of several rounds, in which the first images are inferred in the first lane.
VISITS = """(images) => {
  const {session} = window.lrbnLive, rounds = [];
  for (let round = 0; round < 6; round++) {
    let visits = 0, time = 0;
    for (let row = 0; row < images; row++) {
      session.image = row;
      const began = performance.now(), trace = session.traceOf(0, "conditional");
      time += performance.now() - began;
      visits += trace.unit.length;
    }
    rounds.push(time / visits);
  }
  return rounds;
}"""
IMAGES = 30


def visits(page: Page, address: str) -> Iterator[Figure]:
    """Yield the time of a visit in the page and in Python, the least of some rounds each."""
    page.goto(address)
    page.evaluate(READY)
    in_page = min(page.evaluate(VISITS, IMAGES))
    model: Any = pretrained(MODELS[0])
    X = load_dataset("mnist5k").test_X[:IMAGES]
    rounds = []
    for _ in range(6):
        began = perf_counter()
        n = sum(model.map_trace(x, init="conditional").n_visits for x in X)
        rounds.append(1000 * (perf_counter() - began) / n)
    yield Figure("us of a visit in the browser", 1000 * in_page)
    yield Figure("us of a visit in Python", 1000 * min(rounds))
    yield Figure("times as long in the browser", in_page / min(rounds), 3)


def figures(page: Page, address: str, size: int, slower: float) -> Iterator[Figure]:
    """Yield what the page takes."""
    yield Figure("kB of the file, two models and 200 images", size / 1000, 1000)
    ready = []
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    for _ in range(ROUNDS):
        page.goto("about:blank")
        page.goto(address, wait_until="commit")
        ready.append(page.evaluate(READY))
    yield Figure(
        f"ms until both lanes are painted, {slower:g} times slower, median", float(np.median(ready)), 1000
    )
    page.wait_for_function("() => window.lrbnPlayers[0].atRest")
    strokes = page.evaluate(STROKES, 60)
    yield Figure("ms from a stroke until both lanes are painted, p50", float(np.percentile(strokes, 50)))
    yield Figure("ms from a stroke until both lanes are painted, p95", float(np.percentile(strokes, 95)), 50)
    asked = [url for url in requests if not url.startswith(("file:", "blob:", "about:"))]
    yield Figure("requests", len(asked), 0)


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    parser.add_argument("--slower", type=float, default=4.0, help="factor by which the processor is slowed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "live.html"
        size = export_live(path, *MODELS)
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        # not at the guide, which begins with a model of two latents
        address = f"{path.as_uri()}#model={MODELS[0]}&rival={MODELS[1]}"
        parts = [visits(page, address), figures(page, address, size, arguments.slower)]
        status = report(parts, arguments.check)
        browser.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
