"""Many visitors at once, for long: what they wait for, what fails, what the server's memory does.

    python tests/bench/bench_soak.py load [--sessions 25 100] [--minutes 10] [--write] [--check]
    python tests/bench/bench_soak.py worst slow [--minutes 4] [--write] [--check]
    python tests/bench/bench_soak.py soak [--sessions 6] [--minutes 60] [--write] [--check]

The server is one process of ``lrbn-viz serve --apart``, with its limits, on all cores; its visitors are kept
apart as those of other machines are. ``load`` and ``soak`` let a crowd come and go, from one process.
``worst`` and ``slow`` time one visitor's clicks in turn alone and beside another, who does his worst or reads
no answer. ``--write`` puts the figures into ``docs/load.md`` and draws their curves; ``--check`` exits with 1
where a bound is missed. Latencies need an otherwise idle machine; it ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tornado.httpclient import AsyncHTTPClient

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.crowd import Guest, Record, Visit, come_and_go
from bench.figures import Figure, report
from bench.soak_page import write_part
from bench.visitor import cpu_seconds

ROOT = Path(__file__).resolve().parents[2]
LEAVE_SECONDS = 45.0
"""After so long nothing of a visitor who has left is held: sessions end after 15 to 32 s, runs after 30 s."""
BEGUN_SECONDS = 10.0
"""After so long whoever does his worst has begun."""
CLICK_MS, OPEN_SECONDS = 500.0, 3.0
GROWTH_MIB, HALVES_MIB = 150.0, 10.0
WORST_RATIO, SLOW_RATIO, SLOW_MIB = 2.0, 1.5, 50.0
LOADS = {"worst": ("train", "flood", "bombs", "pages", "unread"), "slow": ("unread",)}
"""What the other visitor does, as `worst.py` names it."""


class Served(NamedTuple):
    """A server.

    Attributes
    ----------
    url : str
    pid : int
    log : Path
        All that it has printed.
    """

    url: str
    pid: int
    log: Path

    def complaints(self) -> list[str]:
        """Return the errors of the log, each with the last line of its traceback, and tracebacks alone."""
        found: list[str] = []
        within = False
        for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines():
            if re.match(r"\S+Z \w+ ", line):
                within = re.match(r"\S+Z (error|critical) ", line) is not None
                if within:
                    found.append(line)
            elif line.startswith("Traceback") and not within:
                found.append(line)
                within = True
            elif within and line.strip() and not line.startswith(" "):
                found[-1] = f"{found[-1].partition(' | ')[0]} | {line}"
        return found


@contextmanager
def served(*options: str, niceness: int = 0) -> Iterator[Served]:
    """Serve the explorer to others, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "lrbn_viz.cli", "serve", "--apart", "--port", "0", "--no-show"]
        with log.open("w", encoding="utf-8") as out:
            process = subprocess.Popen(
                [*command, *options],
                cwd=ROOT,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "LRBN_VIZ_RUNS": str(Path(folder) / "runs")},
                preexec_fn=lambda: os.nice(niceness),
            )
        try:
            while (found := re.search(r"Launching server at (\S+)", log.read_text(encoding="utf-8"))) is None:
                if process.poll() is not None:
                    raise RuntimeError("the explorer did not start:\n" + log.read_text(encoding="utf-8"))
                time.sleep(0.1)
            yield Served(found[1].rstrip("/") + "/", process.pid, log)
        finally:
            process.terminate()
            process.wait(60)


class Memory:
    """The memory that a process holds resident, MiB, looked at again and again.

    Attributes
    ----------
    seen : list of (float, float)
        When, by the monotonic clock, and how much.
    """

    def __init__(self, pid: int, every: float) -> None:
        self._path, self._every = Path(f"/proc/{pid}/statm"), every
        self.seen: list[tuple[float, float]] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def now(self) -> float:
        """Return how much it is now."""
        return int(self._path.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def _watch(self) -> None:
        while not self._ended.wait(self._every):
            self.seen.append((time.monotonic(), self.now()))

    def stop(self) -> None:
        """Look no more."""
        self._ended.set()
        self._thread.join()


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Return the middle, the 95th percentile and the worst, and how many there were."""
    found = np.percentile(seconds, [50, 95, 100]) if seconds else [np.nan] * 3
    named = zip(("p50", "p95", "worst"), found, strict=True)
    return {name: round(float(value), 4) for name, value in named} | {"count": len(seconds)}


def curve(found: list[tuple[float, float]], began: float, seconds: float) -> list[list[float]]:
    """Return the 95th percentile of each fortieth of the time: minutes, seconds."""
    points, width = [], seconds / 40
    for n in range(40):
        there = [each for at, each in found if n * width <= at - began < (n + 1) * width]
        if there:
            points.append([round((n + 0.5) * width / 60, 3), round(float(np.percentile(there, 95)), 4)])
    return points


def halves(memory: list[list[float]], minutes: float) -> float:
    """Return by how much the median of the memory is larger in the second half of the time, MiB."""
    first = [each for at, each in memory if at < minutes / 2]
    second = [each for at, each in memory if minutes / 2 <= at <= minutes]
    return float(np.median(second) - np.median(first))


# -- crowds


async def rehearse(url: str) -> None:
    """Let one visitor do everything once: what a server makes once is made, and compiled, after that."""
    record = Record()
    guest = await Guest.open(url)
    visit = Visit(guest, record, random.Random(0))
    for act in (visit.pick, visit.draw, visit.play, visit.train, visit.pick):
        await act()
    guest.close()
    if record.errors or record.lost:
        raise RuntimeError(f"the server does not work: {record.errors or record.lost}")


async def crowd(server: Served, sessions: int, seconds: float, think: float, stay: float) -> dict[str, Any]:
    """Let so many visitors come and go for so long, once one has rehearsed; what came of it."""
    await rehearse(server.url)
    await asyncio.sleep(LEAVE_SECONDS)
    memory = Memory(server.pid, max(1.0, seconds / 240))
    before, began = memory.now(), time.monotonic()
    used, own = cpu_seconds(server.pid), cpu_seconds(os.getpid())
    record, end = Record(), began + seconds
    ramp = min(60.0, seconds / 10)
    going = [
        come_and_go(server.url, record, end, seed, think=think, stay=stay, ramp=ramp)
        for seed in range(sessions)
    ]
    await asyncio.gather(*going)
    taken = time.monotonic() - began
    used, own = (cpu_seconds(server.pid) - used) / taken, (cpu_seconds(os.getpid()) - own) / taken
    await asyncio.sleep(LEAVE_SECONDS)
    memory.stop()
    complaints = server.complaints()
    for words in [*record.errors, *record.lost, *complaints][:40]:
        print("    ", words[:300], flush=True)
    held = [[round((at - began) / 60, 3), round(each, 1)] for at, each in memory.seen]
    return {
        "sessions": sessions,
        "minutes": round(seconds / 60, 2),
        "click": quantiles([each for _, each in record.clicks]),
        "open": quantiles([each for _, each in record.opened]),
        "acts": dict(sorted(record.acts.items())),
        "errors": len(record.errors) + len(complaints),
        "lost": len(record.lost),
        "refused": len(record.refused),
        "cores": round(used, 3),
        "clients_cores": round(own, 3),
        "memory": held,
        "grown": round(held[-1][1] - before, 1),
        "grown_most": round(max(each for _, each in held) - before, 1),
        "halves": round(halves(held, seconds / 60), 1),
        "clicks": curve(record.clicks, began, seconds),
        "opened": curve(record.opened, began, seconds),
    }


def crowd_figures(found: dict[str, Any], soak: bool) -> Iterator[Figure]:
    """Yield the figures of a crowd, with the bounds of a load or of a soak."""
    name = f"{'soak' if soak else 'load'}, {found['sessions']} at once, {found['minutes']:g} minutes: "
    bounded = not soak and found["sessions"] <= 25
    click, opened = found["click"], found["open"]
    yield Figure(name + "errors", found["errors"], 0)
    yield Figure(name + "lost steps", found["lost"], 0)
    yield Figure(name + "refused by a limit", found["refused"])
    yield Figure(name + "clicks", click["count"])
    yield Figure(name + "click p50, ms", 1000 * click["p50"])
    yield Figure(name + "click p95, ms", 1000 * click["p95"], CLICK_MS if bounded else None)
    yield Figure(name + "click worst, ms", 1000 * click["worst"])
    yield Figure(name + "pages opened", opened["count"])
    yield Figure(name + "opening p50, s", opened["p50"])
    yield Figure(name + "opening p95, s", opened["p95"], OPEN_SECONDS if bounded else None)
    yield Figure(name + "server's cores", found["cores"])
    yield Figure(name + "memory grown at most, MiB", found["grown_most"])
    yield Figure(name + "memory grown once all have left, MiB", found["grown"], GROWTH_MIB)
    if soak:
        yield Figure(name + "second half over the first, MiB", found["halves"], HALVES_MIB)


# -- one visitor beside another


async def beside(server: Served, loads: Iterable[str], seconds: float) -> dict[str, Any]:
    """Time one visitor's clicks: alone, beside another, alone, and so once more."""
    await rehearse(server.url)
    record = Record()
    guest = await Guest.open(server.url)
    visit = Visit(guest, record, random.Random(1))
    memory = Memory(server.pid, 0.5)
    began = time.monotonic()

    async def clicks(seconds: float) -> list[float]:
        first, end = len(record.clicks), time.monotonic() + seconds
        while time.monotonic() < end:
            await visit.pick()
            await asyncio.sleep(0.25)
        return [each for _, each in record.clicks[first:]]

    await clicks(3.0)
    alone, there, done = await clicks(seconds / 8), [], {}
    before = memory.now()  # with all that this visitor needs
    for _ in range(2):
        command = [sys.executable, str(ROOT / "tests" / "bench" / "worst.py"), server.url]
        other = await asyncio.create_subprocess_exec(
            *(*command, str(BEGUN_SECONDS + seconds / 4), *loads),
            stdout=asyncio.subprocess.PIPE,
            preexec_fn=lambda: os.nice(15),  # he has a machine of his own
        )
        await asyncio.sleep(BEGUN_SECONDS)
        there += await clicks(seconds / 4)
        out, _ = await asyncio.wait_for(other.communicate(), 180.0)
        done = json.loads(out.splitlines()[-1])
        await asyncio.sleep(LEAVE_SECONDS)  # his runs and pages are gone
        alone += await clicks(seconds / 8)
    memory.stop()
    await visit.compare()
    guest.close()
    complaints = server.complaints()
    for words in [*record.lost, *complaints][:40]:
        print("    ", words[:300], flush=True)
    return {
        "minutes": round(seconds / 60, 2),
        "alone": quantiles(alone),
        "beside": quantiles(there),
        "ratio": round(float(np.percentile(there, 95) / np.percentile(alone, 95)), 3),
        "errors": len(complaints),
        "lost": len(record.lost),
        "grown_most": round(max(each for _, each in memory.seen) - before, 1),
        "grown": round(memory.seen[-1][1] - before, 1),
        "memory": [[round((at - began) / 60, 3), round(each, 1)] for at, each in memory.seen],
        "done": done,
    }


def beside_figures(part: str, found: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figures of one visitor beside another."""
    name = {"worst": "beside one who does his worst: ", "slow": "beside one who reads nothing: "}[part]
    yield Figure(name + "errors", found["errors"], 0)
    yield Figure(name + "lost steps", found["lost"], 0)
    yield Figure(name + "click p95 alone, ms", 1000 * found["alone"]["p95"])
    yield Figure(name + "click p95, ms", 1000 * found["beside"]["p95"])
    yield Figure(
        name + "click p95 over that alone", found["ratio"], WORST_RATIO if part == "worst" else SLOW_RATIO
    )
    yield Figure(
        name + "memory grown at most, MiB", found["grown_most"], SLOW_MIB if part == "slow" else None
    )


# -- all


def measured(part: str, sessions: list[int], minutes: float | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names of what a part measures, and what it has found."""
    if part in LOADS:
        with served() as server:
            yield part, asyncio.run(beside(server, LOADS[part], 60 * (minutes or 4.0)))
        return
    soak = part == "soak"
    think, stay = (3.0, 60.0) if soak else (2.0, 40.0)
    for count in sessions or ([6] if soak else [25, 100]):
        with served(niceness=5 if soak else 0) as server:
            seconds = 60 * (minutes or (60.0 if soak else 10.0))
            found = asyncio.run(crowd(server, count, seconds, think, stay))
        yield part if soak else f"load {count}", found


def figures(
    parts: list[str], sessions: list[int], minutes: float | None, write: bool
) -> Iterator[Iterator[Figure]]:
    """Measure part by part."""
    for part in parts:
        for name, found in measured(part, sessions, minutes):
            if write:
                write_part(name, found)
            yield beside_figures(part, found) if part in LOADS else crowd_figures(found, part == "soak")


def main() -> int:
    """Measure, print all figures, and write them where that is asked for; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="+", choices=("load", "worst", "slow", "soak"), metavar="part")
    parser.add_argument("--sessions", type=int, nargs="+", default=[], help="at once, of load and soak")
    parser.add_argument("--minutes", type=float, help="of each part; those named above by default")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/load.md")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    arguments = parser.parse_args()
    AsyncHTTPClient.configure(None, max_clients=1000)
    return report(
        figures(arguments.parts, arguments.sessions, arguments.minutes, arguments.write), arguments.check
    )


if __name__ == "__main__":
    sys.exit(main())
