"""How quick one visitor's page stays while others misuse the server.

``python tests/bench/bench_load.py`` prints every figure beside its bound; ``--check`` exits with 1 where one
is missed. One visitor uploads files that are far larger inside than outside, one sends 500 messages a second,
one asks for 24 pages at once, again and again: first each alone, then all together. Meanwhile somebody in a
real Chromium goes from image to image. Needs an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from bench_training import PICK
from explorer_probe import FLAT, close, launch, open_explorer
from figures import Figure, report
from visitor import LOADS, explorer_server, wait_until_warm

LOCAL_POOL = Path(__file__).resolve().parent
P95_MS, WORST_MS = 250.0, 1000.0
SERVER_MB = 1500.0
CLICKS = 40


class Memory:
    """The most memory that a process has held resident since this began, MB."""

    def __init__(self, pid: int) -> None:
        self._pid, self._going, self.most = pid, True, 0.0
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        page = os.sysconf("SC_PAGESIZE")
        while self._going:
            fields = Path(f"/proc/{self._pid}/statm").read_text().split()
            self.most = max(self.most, int(fields[1]) * page / 2**20)
            time.sleep(0.02)

    def stop(self) -> float:
        """Return the most that there was."""
        self._going = False
        self._thread.join()
        return self.most


def attack(url: str, loads: Iterable[str], seconds: float) -> list[subprocess.Popen[str]]:
    """Let visitors do something for so long, each in a process of its own, at a low priority."""
    return [
        subprocess.Popen(
            [sys.executable, str(LOCAL_POOL / "visitor.py"), url, load, str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: os.nice(10),  # they have machines of their own
        )
        for load in loads
    ]


def clicks_during(page: Any, url: str, pid: int, loads: tuple[str, ...], clicks: int) -> list[Figure]:
    """Time picked images on `page` while visitors put `loads` on the server."""
    seconds = 0.5 * clicks + 8.0
    memory = Memory(pid)
    others = attack(url, loads, seconds)
    time.sleep(3.0)  # they have begun
    found = page.evaluate(PICK, clicks)
    ends = [json.loads(other.communicate(timeout=seconds + 120)[0].splitlines()[-1]) for other in others]
    name = " and ".join(loads) or "nobody else"
    middle, most, worst = np.percentile(found, [50, 95, 100])
    for load, end in zip(loads, ends, strict=True):
        print(f"     {load}: {end}")
    return [
        Figure(f"{name}: picked image to its trace, p50 ms", middle),
        Figure(f"{name}: picked image to its trace, p95 ms", most, P95_MS),
        Figure(f"{name}: picked image to its trace, worst ms", worst, WORST_MS),
        Figure(f"{name}: server's memory, MB", memory.stop(), SERVER_MB),
    ]


def figures(clicks: int, together: bool) -> Iterator[list[Figure]]:
    """Measure each load alone, unless only all `together` are asked for, and then all of them."""
    from playwright.sync_api import sync_playwright

    with explorer_server() as (url, pid, _), sync_playwright() as driver:
        wait_until_warm(url, pid)
        browser = launch(driver)
        page = open_explorer(browser, url + FLAT)
        page.evaluate(PICK, 5)
        yield clicks_during(page, url, pid, (), clicks)
        if not together:
            for load in LOADS:
                yield clicks_during(page, url, pid, (load,), clicks)
        yield clicks_during(page, url, pid, tuple(LOADS), clicks)
        close(page)
        browser.close()


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    parser.add_argument("--together", action="store_true", help="leave out each load alone")
    parser.add_argument("--clicks", type=int, default=CLICKS)
    arguments = parser.parse_args()
    return report(figures(arguments.clicks, arguments.together), arguments.check)


if __name__ == "__main__":
    sys.exit(main())
