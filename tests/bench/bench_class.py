"""A class of thirty: the live page for each, and then all opening the explorer itself at once.

``python tests/bench/bench_class.py [--students N] [--check]`` serves a class by ``lrbn-viz serve --class``,
and lets students without a browser come all in the same moment. Bytes count as they travel, packed. A
student's explorer is open when its server has sent the whole page by the websocket. Needs an otherwise idle
machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from figures import Figure, report
from tornado.httpclient import AsyncHTTPClient
from visitor import Visitor, wait_until_warm

STUDENTS = 30
LIVE_BYTES = 1_200_000
PREDICTION = b'{"lesson": "explaining-away", "step": 1, "option": 1, "voice": "student-%04d"}'


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """Serve a class; the address of the explorer, and the server's process id."""
    process = subprocess.Popen(
        [*(sys.executable, "-m", "lrbn_viz.cli", "serve", "--class"), "--port", "0", "--no-show"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith("Launching server at"):
                break
            if found := re.search(r"class opens +(\S+)/class/", line):
                address = found[1]
        yield address, process.pid
    finally:
        process.terminate()
        process.communicate()


async def live_page(base: str, student: int) -> tuple[float, int]:
    """Get the live page, and predict: seconds until it was there, and bytes with all that led to it."""
    client = AsyncHTTPClient(force_instance=True, defaults={"decompress_response": False})
    began = time.perf_counter()
    size = 0
    for path in ("class/", "class/live.html"):
        reply = await client.fetch(
            f"{base}/{path}", headers={"Accept-Encoding": "gzip"}, request_timeout=300, connect_timeout=300
        )
        size += len(reply.body)
    seconds = time.perf_counter() - began
    headers = {"Content-Type": "application/json"}
    body = PREDICTION % student
    told = await client.fetch(f"{base}/class/predictions", method="POST", body=body, headers=headers)
    assert told.code == 200
    return seconds, size


async def explorer(base: str) -> float:
    """Open the explorer: the seconds until all of its page had come."""
    began = time.perf_counter()
    await Visitor.open(base)
    return time.perf_counter() - began


def figures(students: int) -> Iterator[list[Figure]]:
    """Let the class come to the live page, and then to the explorer."""
    with served() as (base, pid):
        wait_until_warm(f"{base}/", pid)

        async def come() -> tuple[list[tuple[float, int]], list[float]]:
            pages = await asyncio.gather(*(live_page(base, n) for n in range(students)))
            return pages, await asyncio.gather(*(explorer(base) for _ in range(students)))

        pages, opened = asyncio.run(come())
    yield [
        Figure(f"live page, bytes for each of {students}", max(size for _, size in pages), LIVE_BYTES),
        Figure("live page there, seconds, the last of them", max(seconds for seconds, _ in pages)),
        Figure(f"explorer open, seconds, the middle of {students} at once", float(np.median(opened))),
        Figure("explorer open, seconds, the last of them", max(opened)),
        Figure("explorers that were not served", students - len(opened), 0),
    ]


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    parser.add_argument("--students", type=int, default=STUDENTS)
    arguments = parser.parse_args()
    return report(figures(arguments.students), arguments.check)


if __name__ == "__main__":
    sys.exit(main())
