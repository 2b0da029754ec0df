"""Runs killed at any moment: every resume equals the run that nobody interrupted, bit for bit.

A process with everything compiled forks children that train, and that are killed by SIGKILL: after a random
time, or at the n-th thing that they do to the disk. Whatever they leave is taken up again and trained to its
end. That process does nothing else: a child of the one in which all tests run could inherit a lock that a
thread of another test holds, and wait for it for ever.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forked import finish, program
from numba.np.ufunc import parallel

from lrbn_viz import load_dataset, read_dataset
from lrbn_viz.datasets import Dataset
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig, stored_runs

# Windows has no fork; on macOS the system's own libraries do not survive one.
pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or sys.platform == "darwin", reason="needs a safe fork"
)


def lock_of_its_own() -> None:
    """Keep a killed child from holding Numba's lock for ever: forked processes share that of all of them."""
    parallel._backend_init_process_lock = threading.RLock()


ALONE = """
import sys
from engine import test_kills

test_kills.lock_of_its_own()
getattr(test_kills, sys.argv[1])(*sys.argv[2:])
"""


def alone(function: Callable[..., None], *arguments: str) -> None:
    """Call a function of this module in a process of its own; what it says of an error is this one's."""
    print(finish(program(ALONE, function.__name__, *arguments), seconds=550.0))


N_KILLS = 20
LANES = {
    "annealed": {
        "LRBN": LaneConfig(
            "LRBN",
            {"n_components": 5, "e_step": "annealed", "warm_sweeps": 2, "momentum": 0.5, "average": 0.5},
        ),
        "RBM": LaneConfig("RBM", {"n_components": 5, "n_particles": 7}),
    },
    "chains": {
        "LRBN": LaneConfig(
            "LRBN", {"n_components": 5, "e_step": "gibbs", "warm_sweeps": 2, "persistent": True}
        ),
        "RBM": LaneConfig("RBM", {"n_components": 5, "n_gibbs": 2, "weight_decay": 1e-3}),
    },
}
BRANCHED = 40


def own_data(folder: Path) -> Dataset:
    """A visitor's own images, which a run keeps a copy of."""
    rng = np.random.default_rng(1)
    path = folder / "mine.npz"
    np.savez(path, X=(rng.random((900, 6, 6)) < 0.4).astype(np.uint8))
    return read_dataset(path)


def everything(run: Run) -> dict[str, np.ndarray]:
    """All that a run has come to: parameters, momentum, chains, generators, averages, latents, counters."""
    found: dict[str, np.ndarray] = {}

    def walk(path: str, value: Any) -> None:
        if isinstance(value, tuple):
            for name, part in zip(getattr(value, "_fields", range(len(value))), value, strict=True):
                walk(f"{path}/{name}", part)
        elif isinstance(value, dict):
            for name, part in value.items():
                walk(f"{path}/{name}", part)
        elif not path.endswith("/seconds"):  # the one thing that no two runs have in common
            found[path] = np.asarray(value).ravel() if np.size(value) == 0 else np.asarray(value)

    for name, lane in run.lanes.items():
        snapshot = lane.training.snapshot()
        assert snapshot.best_epoch == -1  # without patience there is no best state, and nobody reads it
        walk(name, snapshot._replace(best_state=()))
    return found


def assert_equal(run: Run, expected: dict[str, np.ndarray]) -> None:
    found = everything(run)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].dtype == value.dtype, name
        np.testing.assert_array_equal(found[name], value, err_msg=name)


def config(kind: str, data: Dataset, batch_size: int = 20) -> RunConfig:
    return RunConfig(data.name, LANES[kind], n_iter=6, seed=3, batch_size=batch_size)


def train(run: Run) -> Run:
    run.start()
    assert run.job.join(120)
    assert run.job.error is None
    return run


def in_child(work: Callable[[], None], kill: Callable[[int], None]) -> int:
    """Do something in a child that is killed; return how the child ended, as `os.waitpid` says."""
    with open(os.devnull, "w") as nothing:
        child = os.fork()
        if child == 0:
            code = 1
            with contextlib.suppress(BaseException):
                os.dup2(nothing.fileno(), 2)
                work()
                code = 0
            os._exit(code)
    kill(child)
    deadline = time.monotonic() + 120
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            raise TimeoutError(f"the child still ran after 120 s; it ended as {os.waitpid(child, 0)}")
        time.sleep(0.002)
    return ended[1]


DISK = ("open", "replace", "fsync", "mkdir", "unlink")


def kill_at_disk_act(n: int, writes_only: bool = False) -> None:
    """Let this process be killed just before or in the middle of the n-th thing that it does to the disk.

    With `writes_only` it is in the middle of the n-th write.
    """
    acts = 0
    lock = threading.Lock()

    def due(write: bool = False) -> bool:
        nonlocal acts
        if writes_only and not write:
            return False
        with lock:
            acts += 1
            return acts == n

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def act(*arguments: Any, **how: Any) -> Any:
            if due():
                die()
            return function(*arguments, **how)

        return act

    for name in DISK:
        setattr(os, name, watched(getattr(os, name)))

    class Torn(io.FileIO):
        """A file of which half of a write reaches the disk before the end."""

        def write(self, content: Any) -> int:
            if due(write=True):
                super().write(bytes(content)[: len(content) // 2])
                die()
            return super().write(content)

    import builtins

    plain = builtins.open

    def opened(file: Any, mode: str = "r", *arguments: Any, **how: Any) -> Any:
        if mode == "wb":
            if due():
                die()
            return Torn(file, mode)
        return plain(file, mode, *arguments, **how)

    builtins.open = opened


def kept_moment(run: Run) -> None:
    """Train to a moment after the one that is branched from, then branch, then train both on."""
    run.advance(2 * (BRANCHED + 5))
    while run.job.status == "running":
        time.sleep(0.001)
    assert run.folder is not None
    branch = run.branch(BRANCHED, run.folder.with_name("branch"))
    for each in (run, branch):
        each.start()
    for each in (run, branch):
        each.job.join()


def compile_all(kind: str, data: Dataset) -> dict[str, np.ndarray]:
    """The run that nobody interrupts, in this process: what the children need is compiled after it."""
    expected = everything(train(Run(config(kind, data), data, probe_seconds=0.02)))
    assert expected["LRBN/step"] == expected["RBM/step"] > 2 * BRANCHED
    return expected


def data_of(name: str, folder: Path) -> Dataset:
    return load_dataset("digits") if name == "digits" else own_data(folder)


@pytest.mark.parametrize(
    ("kind", "name"),
    [pytest.param("annealed", "digits", marks=pytest.mark.slow), ("chains", "own")],
)
def test_every_resume_after_a_kill_equals_the_run_that_nobody_interrupted(kind, name, tmp_path):
    alone(resume_after_kills, kind, name, str(tmp_path))


def resume_after_kills(kind: str, name: str, where: str) -> None:
    tmp_path = Path(where)
    data = data_of(name, tmp_path)
    tmp_path = tmp_path / "runs"
    expected = compile_all(kind, data)
    rng = random.Random(f"{kind} {name}")
    resumed = branches = torn = 0
    for number in range(N_KILLS // 2):
        folder = tmp_path / f"{number}"
        # every other one by the clock, and every other one at something that it does to the disk
        torn_write = number % 4 == 3
        # of writes an early one: how many there are depends on how fast the machine is
        act = rng.randrange(1, 4 if torn_write else 60) if number % 2 else 0
        # by the clock: some soon after the run has begun, most while it and its branch train
        awaited = folder / ("branch/checkpoint" if number % 8 else "run/run.json")
        delay = rng.random() * 0.6

        def work(folder: Path = folder, act: int = act, torn_write: bool = torn_write) -> None:
            if act:
                kill_at_disk_act(act, torn_write)
            kept_moment(
                Run(config(kind, data), data, folder / "run", checkpoint_seconds=0.02, probe_seconds=0.05)
            )

        def kill(child: int, awaited: Path = awaited, act: int = act, delay: float = delay) -> None:
            deadline = time.monotonic() + 60
            while not act and not awaited.exists() and time.monotonic() < deadline:
                time.sleep(0.002)
            if not act:
                time.sleep(delay)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

        status = in_child(work, kill)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "it failed before it was killed"
        torn += any(folder.rglob("*.partial"))
        for stored in stored_runs(folder):
            if stored.config is None:
                assert "before its first checkpoint" in stored.error
                continue
            own = folder / stored.name / "dataset"
            run = Run.resume(folder / stored.name, None if own.is_file() else data)
            assert own.is_file() == data.own
            # A slow first step makes a checkpoint due before the other lane has made its first.
            assert max(lane.training.step for lane in run.lanes.values()) > 0
            assert_equal(train(run), expected)
            assert not list((folder / stored.name).glob("*.partial")), "what the killed one left is cleared"
            resumed += 1
            branches += run.config.parent is not None
    found = f"{resumed} resumed, {branches} branches, {torn} torn"
    assert resumed >= N_KILLS // 4, found
    assert branches >= 1, found
    assert torn >= 1, f"some were to be killed in the middle of a write: {found}"


@pytest.mark.slow
def test_a_run_killed_again_and_again_goes_on_from_where_it_was_and_ends_as_if_it_had_not(tmp_path):
    alone(kill_again_and_again, str(tmp_path))


def kill_again_and_again(where: str) -> None:
    tmp_path = Path(where)
    data = data_of("own", tmp_path)
    expected = compile_all("annealed", data)
    rng = random.Random(7)
    folder = tmp_path / "run"
    steps = [0]
    for _ in range(40):

        def work(act: int) -> None:
            if (folder / "checkpoint").exists():
                run = Run.resume(folder, checkpoint_seconds=0.01)
            else:
                run = Run(config("annealed", data), data, folder, checkpoint_seconds=0.01)
            kill_at_disk_act(act)
            train(run)

        status = in_child(partial(work, rng.randrange(1, 30)), lambda child: None)
        if (folder / "checkpoint").exists():
            steps.append(Run.resume(folder).step)
        if not os.WIFSIGNALED(status):
            assert os.WEXITSTATUS(status) == 0
            break
    assert steps == sorted(steps), "no step may be lost that was on disk"
    assert len(steps) > 3
    assert_equal(train(Run.resume(folder)), expected)
