"""How long a pass takes, how the worker compares with a plain script, how quick pages stay while it trains.

``python tests/bench/bench_training.py`` prints every figure beside its bound; ``--check`` exits with 1 where
one is missed. Needs an otherwise idle machine and Chromium; ``--quick`` leaves the browser out, ``--systems``
all but the frames of every system.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from bench_epoch import epochs_of_one_layer
from explorer_probe import FLAT, close, launch, open_explorer, step_back, step_clicks
from figures import Figure, report
from numpy.typing import NDArray
from visitor import cpu_seconds, explorer_server, wait_until_warm

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 6.0
ROUNDS, TURNS, TURN_SECONDS = 3, 30, 0.25
CLICKS = 40
FIRST_STEPS = 60
"""Minibatches before frames are counted: with such shares every stage has begun."""
AGE_SECONDS = 30.0
SESSIONS = 8
SHARE_SECONDS = 30
"""For so long sessions share the server between the checkpoints by which their steps are counted."""


# -- the worker against a plain script, each in a process of its own


def _run() -> Any:
    from lrbn_viz import load_dataset
    from lrbn_viz.app.train.presets import PRESETS
    from lrbn_viz.studies.runs import Run, RunConfig
    from lrbn_viz.studies.runs.pace import Pace

    lanes = {lane.system: lane for lane in PRESETS["flat"].lanes}
    config = RunConfig("mnist5k", lanes, n_iter=10**6)
    # this process stands still for most of the time: what is due by the clock is due as much later
    folder, n = tempfile.mkdtemp(), len(WAYS)
    run = Run(config, load_dataset("mnist5k"), folder, checkpoint_seconds=10.0 * n)
    run.pace = Pace(clock=lambda: time.monotonic() / n)
    return run


def plain(count: NDArray[np.int64]) -> None:
    """Train both models in a loop that does nothing else, and count minibatches."""
    from lrbn_viz.training import race

    for _ in race({name: lane.training for name, lane in _run().lanes.items()}):
        count[0] += 1


def served(count: NDArray[np.int64]) -> None:
    """Do the same in the worker, while a page's messages are made thirty times a second."""
    from lrbn_viz.app.train.feed import Feed
    from lrbn_viz.app.train.state import TrainState
    from lrbn_viz.io.background import Executor
    from lrbn_viz.studies.runs.registry import LiveRun, RunRegistry

    state = TrainState(RunRegistry(tempfile.mkdtemp()))
    # as the registry makes it: the threads of its first probe have ended when those of the worker begin
    live = state.live = LiveRun("bench", Executor("run").submit(_run).result())
    feed = Feed(state)
    live.run.start()
    while True:
        feed.messages()
        feed.acknowledge(2**31)
        count[0] = sum(lane.training.step for lane in live.run.lanes.values())
        time.sleep(0.033)


WAYS = {"plain": plain, "plain, one thread": plain, "served": served}


def _rates() -> dict[str, float]:
    """Return the minibatches a second of each way, each in a process of its own.

    They take short turns and stand still in between: where a machine is slow for a while, all are.
    """
    with tempfile.TemporaryDirectory() as folder, ExitStack() as processes:
        counts, seconds = {}, dict.fromkeys(WAYS, 0.0)
        going: dict[str, subprocess.Popen[bytes]] = {}
        for number, way in enumerate(WAYS):
            path = Path(folder) / str(number)
            counts[way] = np.memmap(path, np.int64, "w+", shape=(1,))
            threads = {"NUMBA_NUM_THREADS": "1"} if "one thread" in way else {}
            command = [sys.executable, __file__, "--way", way, "--count", str(path)]
            going[way] = subprocess.Popen(command, env={**os.environ, **threads})
            processes.callback(going[way].wait)
            processes.callback(going[way].kill)
            while counts[way][0] < 100:
                if going[way].poll() is not None:
                    raise RuntimeError(f"{way}: the process ended by itself")
                time.sleep(0.05)
            going[way].send_signal(signal.SIGSTOP)
        before = {way: int(count[0]) for way, count in counts.items()}
        for _ in range(TURNS):
            for way, process in going.items():
                process.send_signal(signal.SIGCONT)
                began = time.perf_counter()
                time.sleep(TURN_SECONDS)
                process.send_signal(signal.SIGSTOP)
                seconds[way] += time.perf_counter() - began
        return {way: (int(count[0]) - before[way]) / seconds[way] for way, count in counts.items()}


def worker_speed() -> list[Figure]:
    """Compare the ways; a plain script may have all threads or one.

    Two processes that do the same differ by some percent from their start to their end, so there are several
    of each way.
    """
    rounds = [_rates() for _ in range(ROUNDS)]
    rates = {way: float(np.mean([each[way] for each in rounds])) for way in WAYS}
    worker = rates.pop("served")
    return [
        *(Figure(f"{way}: minibatches a second", rate) for way, rate in rates.items()),
        Figure("worker: minibatches a second", worker),
        # while somebody watches it may lose a quarter to what is shown, and some to the page itself
        Figure("worker's speed / the faster plain script's", worker / max(rates.values()), 0.7, True, 0.75),
    ]


# -- a page's frames, of every system


def _beside_itself(system: str) -> Any:
    """Return a run of a system twice, at the size that the recipes have, whose stages all come at once."""
    from lrbn_viz.catalog import SYSTEMS
    from lrbn_viz.core.fields import fields_of
    from lrbn_viz.studies.runs import LaneConfig, RunConfig

    fields = fields_of(SYSTEMS[system])
    # the last stage is the one that goes on, and has the most to show
    shares = {name: 0.003 for name, field in fields.items() if field.unit == "of the steps"}
    if "up_down_share" in shares:
        shares["up_down_share"] = 0.99
    lanes = {f"{system} {letter}": LaneConfig(system, shares) for letter in "AB"}
    return RunConfig("mnist5k", lanes, n_iter=50)


def frames_of(system: str) -> list[Figure]:
    """Train a system beside itself, and make its page's messages as a page's server does."""
    from lrbn_viz import load_dataset
    from lrbn_viz.app.train.feed import Feed
    from lrbn_viz.app.train.panel import FRAME_MS
    from lrbn_viz.app.train.state import TrainState
    from lrbn_viz.io.background import Executor
    from lrbn_viz.studies.runs import Run
    from lrbn_viz.studies.runs.registry import LiveRun, RunRegistry

    with tempfile.TemporaryDirectory() as folder:
        state = TrainState(RunRegistry(folder))
        run = Executor("run").submit(lambda: Run(_beside_itself(system), load_dataset("mnist5k"))).result()
        state.live = LiveRun("bench", run)
        feed = Feed(state)
        run.start()
        while run.step < FIRST_STEPS and not run.job.ended:
            feed.messages()
            feed.acknowledge(2**31)
            time.sleep(FRAME_MS / 1000)
        before = _steps_of(run)
        looked = run.look()  # whose pictures are to be sent while it is measured
        began, spent, waited, turns, frames, largest = time.monotonic(), 0.0, _waited(), 0, 0, 0
        due, new, seen = began, 0, before
        while time.monotonic() - began < SECONDS or (not looked.done() and time.monotonic() - began < 60):
            at, step = time.thread_time(), _steps_of(run)
            new, seen = new + (step != seen), step
            for message in feed.messages():
                if message.startswith(b"LRF1"):
                    frames, largest = frames + 1, max(largest, len(message))
            spent += time.thread_time() - at
            turns += 1
            feed.acknowledge(2**31)
            due = max(due + FRAME_MS / 1000, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))
        took, waited = time.monotonic() - began, _waited() - waited
        looked.result(0)
        run.stop()
        for lane in run.lanes.values():
            if lane.error is not None:
                raise lane.error
    return [
        # in the others a minibatch, a validation or a probe still goes on
        Figure(f"{system}: share of the turns with a new minibatch", new / turns, 0.5, True),
        Figure(f"{system}: frames / turns with a new minibatch", frames / new, 0.95, True),
        Figure(f"{system}: turns of the page a second", turns / took, 28, True, 30),
        Figure(f"{system}: the same, with a core at hand", turns / (took - waited), 28, True, 30),
        Figure(f"{system}: frames a second", frames / took),
        Figure(f"{system}: minibatches a second, both lanes", (_steps_of(run) - before) / took),
        Figure(f"{system}: CPU ms of a turn", 1000.0 * spent / turns, 3),
        Figure(f"{system}: bytes of the largest frame", largest, 1800),
    ]


def _steps_of(run: Any) -> int:
    return sum(lane.training.step for lane in run.lanes.values())


def _waited() -> float:
    """Return how long this thread was ready and had no core, seconds; 0 where the system does not tell.

    On a machine that others use too this is their share of what a page's frames are late by.
    """
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def frames_of_systems(names: Sequence[str] = ()) -> Iterator[list[Figure]]:
    """Measure the frames of these systems of the catalogue, or of all."""
    from lrbn_viz.catalog import SYSTEMS

    for system in names or SYSTEMS:
        yield frames_of(system)


# -- in the browser


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
    page.get_by_text("More settings", exact=True).click()
    page.get_by_label("Budget in").select_option("passes")
    page.get_by_label("Number of epochs", exact=True).fill(passes)
    page.wait_for_timeout(300)
    page.get_by_role("group", name="Training").get_by_role("button", name="Start training").click()
    page.wait_for_function("() => window.lrbnBoards[0].state().lanes[0]?.step > 5", timeout=120_000)


AGES = """async (seconds) => {
  const board = window.lrbnBoards[0], oldest = {glance: 0, filters: 0, probe: 0};
  const left = board.lanes.map(() => new Map()), known = board.lanes.map(() => 0);  // when a step ended
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end) {
    const now = performance.now();
    board.lanes.forEach(({step, stamps}, n) => {
      for (; known[n] < step; known[n]++) left[n].set(known[n], now);
      for (const [part, at] of Object.entries(stamps)) {
        oldest[part] = Math.max(oldest[part], now - (left[n].get(at) ?? now));
      }
    });
    await new Promise((done) => setTimeout(done, 25));
  }
  return oldest;
}"""
"""How old each part of what a page shows becomes, ms: the time for which the model has gone on since the
minibatch that the part is stamped with."""


def _ages(page: Any) -> list[Figure]:
    """Watch how old pictures become beside a process that keeps a core busy, and what the worker loses."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        page.wait_for_timeout(3000)
        oldest = page.evaluate(AGES, AGE_SECONDS)
    finally:
        busy.kill()
        busy.wait()
    shown = {"glance": "reconstructions", "filters": "filters"}
    return [
        *(
            Figure(f"beside a busy process, {words}: oldest, s", oldest[part] / 1000, 2.0)
            for part, words in shown.items()
        ),
        Figure("beside a busy process, samples and use of units: oldest, s", oldest["probe"] / 1000),
    ]


def share_lost() -> list[Figure]:
    """Train the recipes' largest usual pair while somebody watches; the worker's time that looking takes."""
    from lrbn_viz.io.background import Executor

    run = Executor("run").submit(_run).result()
    run.pace = type(run.pace)()
    run.pace.seen_until = float("inf")
    run.start()
    while run.step < 5:
        time.sleep(0.05)
    began, before = time.monotonic(), run.looked_seconds
    time.sleep(AGE_SECONDS)
    share = (run.looked_seconds - before) / (time.monotonic() - began)
    run.stop()
    return [Figure("share of the worker's time that what is shown takes", share, 0.25)]


def _frames(page: Any, received: list[int]) -> list[Figure]:
    """Watch live frames for a while."""
    page.wait_for_timeout(1500)
    before, messages = page.evaluate(STATE)["stats"], len(received)
    page.wait_for_timeout(int(1000 * SECONDS))
    after, messages = page.evaluate(STATE)["stats"], len(received) - messages
    sent = after["number"] - before["number"]
    return [
        Figure("live frames a second", sent / SECONDS, 25, True),
        Figure("painted / sent", (after["painted"] - before["painted"]) / sent, 0.9, True, 0.95),
        Figure("bytes of the largest frame", after["largest"], 2048),
        # Bokeh sends five of each; the others are of pictures, about eight a second
        Figure("websocket messages a second beside frames", (messages - 5 * sent) / SECONDS, 60),
        Figure("frames in order", float(after["inOrder"]), 1, True),
    ]


def _clicks(page: Any, training: str, p50: float | None, p95: float) -> list[Figure]:
    """Steps in the trace, which the page answers, and picked images, which the training server does."""
    # the middle one of three rounds: two of forty make the p95, and a shared machine has slow moments
    rounds = [np.percentile(step_clicks(page, CLICKS), [50, 95]) for _ in range(3)]
    middle, most = np.median(rounds, axis=0)
    picks = np.percentile(page.evaluate(PICK, CLICKS)[3:], [50, 95])
    return [
        Figure(f"click to paint, {training}, p50 ms", middle, p50),
        Figure(f"click to paint, {training}, p95 ms", most, p95),
        Figure(f"picked image to its trace, {training}, p50 ms", picks[0]),
        Figure(f"picked image to its trace, {training}, p95 ms", picks[1]),
    ]


def _threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def _closed_tab(page: Any, pid: int) -> list[Figure]:
    """Close a tab that trains; how long the server computes, and its thread lives."""
    threads = _threads(pid)
    page.close()
    began = time.monotonic()
    paused = ended = float("inf")
    while time.monotonic() - began < 60 and (paused == float("inf") or ended == float("inf")):
        used, at = cpu_seconds(pid), time.monotonic()
        time.sleep(0.25)
        busy = (cpu_seconds(pid) - used) / (time.monotonic() - at)
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


def _steps_saved(runs: Path) -> dict[str, tuple[float, int]]:
    """Return when each run last wrote its checkpoint, and the minibatches it had seen by then.

    Of the files, because a page says how many only as often as its browser gets time.
    """
    from lrbn_viz.io.storage import check_json
    from lrbn_viz.training.checkpoint import load_checkpoint

    found = {}
    for path in runs.glob("*/checkpoint"):
        written = path.stat().st_mtime
        checkpoint = load_checkpoint(path)
        plain = [
            check_json(checkpoint.arrays, f"{lane}.plain", "the checkpoint") for lane in checkpoint.lanes
        ]
        found[path.parent.name] = written, sum(each["step"] for each in plain)
    return found


def _share(runs: Path) -> Figure:
    """Return how much slower the slowest of all sessions trains than the fastest, over the same time."""
    began = _wait_for_checkpoints(runs, _steps_saved(runs))
    time.sleep(SHARE_SECONDS)
    ended = _wait_for_checkpoints(runs, _steps_saved(runs))
    rates = [(step - first) / (at - since) for (at, step), (since, first) in _pairs(ended, began)]
    assert len(rates) == SESSIONS, f"expected {SESSIONS} runs that train, found {len(rates)}"
    return Figure(f"{SESSIONS} sessions train: slowest / fastest", min(rates) / max(rates), 0.5, True, 0.7)


def _pairs(ended: dict[str, Any], began: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return both of each run that has gone on since; one that was not on disk yet has just begun."""
    both = [(found, began.get(name, (0.0, 0))) for name, found in ended.items()]
    return [(now, then) for now, then in both if now[1] > then[1]]


def _wait_for_checkpoints(runs: Path, before: dict[str, Any]) -> dict[str, Any]:
    """Return the checkpoints of all sessions' runs once each has written another one."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        time.sleep(0.5)
        now = _steps_saved(runs)
        if len(_pairs(now, before)) >= SESSIONS:
            return now
    raise TimeoutError(f"fewer than {SESSIONS} runs wrote a checkpoint within a minute")


def in_browser() -> Iterator[list[Figure]]:
    """Measure everything that needs a page."""
    from playwright.sync_api import sync_playwright

    with explorer_server() as (url, pid, runs), sync_playwright() as driver:
        wait_until_warm(url, pid)
        # Who trains has a machine of their own: here their browser has the lowest priority while another's
        # clicks are timed, and only the server trains at the usual one.
        browser, crowd = launch(driver), launch(driver)
        page, received = browser.new_page(), []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda _: received.append(1)))
        _train(page, url, "flat")
        yield _frames(page, received)
        yield _ages(page)
        yield _closed_tab(page, pid)
        trainer = crowd.new_page()
        _train(trainer, url, "flat")
        step_back(crowd)
        other = open_explorer(browser, url + FLAT)
        yield _clicks(other, "one session trains", None, 100)
        close(other)
        trainer.close()
        crowd.close()
        crowd = launch(driver)
        pages = [crowd.new_page() for _ in range(SESSIONS)]
        for trainer in pages:
            _train(trainer, url, "flat")
        for trainer in pages:  # they go on training, and only the server works for it
            trainer.get_by_role("link", name="Inference").click()
        step_back(crowd)
        other = open_explorer(browser, url + FLAT)
        yield _clicks(other, f"{SESSIONS} sessions train", 80, 200)
        yield [_share(runs)]
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
    parser.add_argument("--systems", nargs="*", metavar="NAME", help="frames of these systems, or of all")
    parser.add_argument("--way", choices=list(WAYS), help=argparse.SUPPRESS)
    parser.add_argument("--count", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.way:
        WAYS[arguments.way](np.memmap(arguments.count, np.int64, "r+", shape=(1,)))
    named = arguments.systems
    measured = _all(not arguments.quick) if named is None else frames_of_systems(named)
    return report(measured, arguments.check)


def _all(with_browser: bool) -> Iterator[Iterable[Figure]]:
    yield epochs_of_one_layer()
    yield worker_speed()
    yield share_lost()
    yield from frames_of_systems()
    if with_browser:
        yield from in_browser()


if __name__ == "__main__":
    sys.exit(main())
