"""Learning in a browser: how long a pass over the images takes, and what the page paints meanwhile.

    python tests/bench/bench_learning.py [--check]

Chromium opens pages from a disk whose workers train LRBNs by hard EM: digits (1,437 images of 64 pixels) with
32 latents, and mnist5k (4,000 of 784) with 100, minibatches of 20, E-steps in single precision. With --check
the exit status is 1 if a bound is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from browser.learning_page import write_learning_page
from explorer_probe import launch
from figures import Figure, report
from playwright.sync_api import Browser, sync_playwright

RUNS = (("digits", 32, 40, 40.0), ("mnist5k", 100, 5, 4000.0))
"""Data set, latents, passes, and the most milliseconds that a pass may take."""

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


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        status = report([figures(browser, Path(folder))], arguments.check)
        browser.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
