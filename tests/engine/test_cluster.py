"""Whole passes on a Dask cluster: the bits of one process, whoever is killed on the way."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import dask.array
import dask.config
import numpy as np
import pytest
from app.training import wait_for
from distributed import WorkerPlugin
from engine.cases import VISIBLES
from engine.clusters import KINDS, Begun, begun
from engine.test_batch_em import assert_same, fresh, images, model
from forked import finish, program

import lrbn_viz
from lrbn_viz import find_basins_of_images
from lrbn_viz.chunks import ROWS, PoolLost, Streamed
from lrbn_viz.cluster import Cluster
from lrbn_viz.measure import log_likelihood, reconstruction_error

CHAINS = {"e_step": "gibbs", "warm_sweeps": 1, "persistent": True}


@pytest.fixture(scope="module", params=KINDS)
def both(request) -> Iterator[Begun]:
    """Two workers."""
    with begun(request.param, span=1) as found:
        yield found


@pytest.fixture
def cluster(both: Begun) -> Cluster:
    return both.cluster


@pytest.fixture(scope="module")
def processes() -> Iterator[Cluster]:
    """Two workers that are processes of their own."""
    with Cluster(n_workers=2, span=1) as found:
        yield found


def test_two_workers_make_the_bits_of_one_process(cluster):
    assert len(cluster.workers) == 2
    for visible, how in (("bernoulli", CHAINS), ("gaussian", {"e_step": "annealed", "warm_sweeps": 3})):
        start = model(visible, **how)
        assert_same(fresh(start).fit(images(visible)), fresh(start).fit(images(visible), pool=cluster))


@pytest.mark.slow
def test_a_worker_of_this_machine_has_one_thread_and_this_process_the_threads_that_it_had(processes):
    def threads() -> tuple[bool, str | None]:
        import os

        from lrbn_viz.kernels.numerics import PARALLEL_LOCK

        return PARALLEL_LOCK.locked(), os.environ.get("OMP_NUM_THREADS")

    before = dict(os.environ)
    assert set(processes._client.run(threads).values()) == {(True, "1")}
    with Cluster(n_workers=1):
        assert dict(os.environ) == before


THREADED = """
import numba
import numpy
from lrbn_viz.cluster import Cluster

@numba.njit(parallel=True)
def total(n):
    found = 0
    for i in numba.prange(n):
        found += i
    return found

total(3)  # has Numba launch its threads, in each worker too: it imports this file

if __name__ == "__main__":
    with Cluster(n_workers=1) as cluster:
        print(cluster.gather([cluster.submit("compiled there", total, numpy.int32(3))]))
"""


@pytest.mark.slow
def test_a_worker_of_a_script_that_used_numba_first_can_compile(tmp_path):
    (tmp_path / "script.py").write_text(THREADED)
    ended = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True, timeout=120
    )
    assert (ended.stdout, ended.returncode) == ("[3]\n", 0), ended.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the C library of others is told nothing")
def test_a_worker_gives_back_the_memory_that_nothing_in_it_uses(monkeypatch):
    def fill(n: int) -> list[bytes]:
        return [b"1" * 60_000 for _ in range(n)][-1:]  # the last one keeps the pages of all others

    with Cluster(n_workers=1, memory_limit="1 GB") as alone:
        kept = alone.submit("fill", fill, 11_000)
        alone.wait([kept], 600.0)
        wait_for(lambda: max(alone._client.run(held_bytes).values()) < 0.5e9)
        assert max(alone.peak_bytes.values()) > 0.7e9


def held_bytes() -> int:
    from pathlib import Path

    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_so_do_pieces_of_another_size(both):
    with Cluster(both.cluster.address, span=4) as other:
        start = model(**CHAINS)
        assert_same(fresh(start).fit(images("bernoulli")), fresh(start).fit(images("bernoulli"), pool=other))
        assert len(other.peak_bytes) == 2
        if both.processes:
            assert all(50e6 < most < 4e9 for most in other.peak_bytes.values())


def killer(prefix: str, state: str, marker: Path) -> WorkerPlugin:
    """Return what kills the first worker in which a task of some name comes into a state."""

    class Killer(WorkerPlugin):  # within a function: it travels as it is, as workers cannot import a test
        def transition(self, key: Any, start: str, finish: str, **kwargs: Any) -> None:
            import os
            import signal

            if str(key).startswith(prefix) and finish == state:
                try:
                    os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    return
                os.kill(os.getpid(), signal.SIGKILL)

    return Killer()


def leaver(prefix: str, state: str) -> WorkerPlugin:
    """Return what has the first worker leave in which a task of some name comes into a state."""

    class Leaver(WorkerPlugin):
        left: ClassVar[list[str]] = []

        def setup(self, worker: Any) -> None:
            self.worker = worker

        def transition(self, key: Any, start: str, finish: str, **kwargs: Any) -> None:
            if str(key).startswith(prefix) and finish == state and not self.left:
                self.left.append(self.worker.address)
                self.worker.loop.add_callback(self.leave)

        async def leave(self) -> None:
            # Says nothing to the scheduler, which sees that the connection has ended. To close without that
            # may wait for the task that has just begun, and the scheduler for the worker.
            self.worker.batched_stream.comm.abort()
            await self.worker.close(timeout=0, executor_wait=False, nanny=False)

    return Leaver()


def test_a_worker_that_is_lost_costs_its_own_tasks_and_nothing_else():
    X, start = images("bernoulli", 5000), model(**CHAINS)
    with begun("threads", n_workers=3, span=1) as three:
        plugin: Any = leaver("e_step", "executing")
        three.cluster._client.register_plugin(plugin, name="leaver")
        before = set(three.cluster.workers)
        found = fresh(start).fit(X, pool=three.cluster)
        assert len(before.difference(three.cluster.workers)) == 1, "one has left"
    assert_same(fresh(start).fit(X), found)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
@pytest.mark.parametrize(
    ("prefix", "state"),
    [("e_step", "executing"), ("codes", "flight"), ("m_step", "executing")],
    ids=["E-step", "exchange", "M-step"],
)
def test_a_worker_that_is_killed_costs_its_own_tasks_and_nothing_else(processes, prefix, state, tmp_path):
    X, start, marker = images("bernoulli", 5000), model(**CHAINS), tmp_path / "killed"
    processes._client.register_plugin(killer(prefix, state, marker), name="killer")
    try:
        found = fresh(start).fit(X, pool=processes)
    finally:
        processes._client.unregister_worker_plugin("killer")
    assert marker.exists(), "a worker was killed"
    assert_same(fresh(start).fit(X), found)
    processes._client.wait_for_workers(2, timeout=60)


def test_images_of_a_folder_or_of_a_dask_array_are_read_by_the_workers(cluster, tmp_path):
    X = images("bernoulli")
    for number, part in enumerate(np.array_split(X, 3)):
        np.save(tmp_path / f"{number}.npy", part)
    start = model()
    here = fresh(start).fit(X)
    assert_same(here, fresh(start).fit(Streamed.folder(tmp_path), pool=cluster))
    chunks: Any = (700, 10)
    lazy = dask.array.from_array(X, chunks=chunks)
    assert_same(here, fresh(start).fit(Streamed(lazy), pool=cluster))


def test_what_is_measured_on_workers_is_what_one_process_measures(cluster):
    X = images("bernoulli", 2 * ROWS + 100)
    trained = model(n_iter=1).fit(X)
    how: Any = {"method": "ais", "n_temperatures": 20, "random_state": 3}
    here, there = log_likelihood(trained, X, **how), log_likelihood(trained, X, **how, pool=cluster)
    np.testing.assert_array_equal(here.values, there.values)
    assert here.estimator_error == there.estimator_error or np.isnan(here.estimator_error)
    drawn: Any = {"method": "gibbs", "n_sweeps": 3}
    np.testing.assert_array_equal(trained.transform(X, **drawn), trained.transform(X, **drawn, pool=cluster))
    errors = [reconstruction_error(trained, X, pool=pool) for pool in (None, cluster)]
    np.testing.assert_array_equal(errors[0], errors[1])
    here, there = (find_basins_of_images(trained, X[:3], 50, pool=pool) for pool in (None, cluster))
    for one, other in zip(here, there, strict=True):
        np.testing.assert_array_equal(one.starts, other.starts)
        np.testing.assert_array_equal(one.log_joint, other.log_joint)


def test_large_images_that_go_with_their_tasks_are_no_reason_for_a_warning(cluster):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        task = cluster.submit("mean", np.mean, np.ones((2048, 800)))
        assert cluster.gather([task]) == [1.0]


def test_an_error_of_a_worker_comes_back_in_its_words(cluster):
    with pytest.raises(ValueError, match="Bernoulli units expect 0 and 1 only"):
        model().fit(Streamed(images("bernoulli") * 0.5), pool=cluster)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"lrbn_viz": "9.9.9"}, "has lrbn_viz 9.9.9, this process"),
        ({"numpy": "none"}, "has numpy none, this process"),
        ({"source of lrbn_viz": "another"}, "has source of lrbn_viz another, this process"),
    ],
)
@pytest.mark.parametrize("who", ["the worker at tcp://there", "the scheduler"])
def test_what_differs_on_a_worker_or_the_scheduler_is_said(who, told, words):
    def of_workers(versions: Any) -> dict[str, dict[str, str]]:
        return {"tcp://there": versions() | (told if who != "the scheduler" else {})}

    def of_scheduler(versions: Any) -> dict[str, str]:
        return versions() | (told if who == "the scheduler" else {})

    asked = Cluster.__new__(Cluster)
    asked._client = SimpleNamespace(run=of_workers, run_on_scheduler=of_scheduler)
    with pytest.raises(ValueError, match=f"{who} {words}"):
        asked._check_versions()


@pytest.mark.slow
def test_another_version_is_said_before_work_begins(processes, monkeypatch):
    monkeypatch.setattr(lrbn_viz, "__version__", "9.9.9")
    words = r"the (worker at tcp://.*|scheduler) has lrbn_viz \S+, this process 9\.9\.9: expected one version"
    with pytest.raises(ValueError, match=words):
        Cluster(processes.address)


@pytest.mark.slow
def test_another_source_of_the_same_version_is_said_too(processes, monkeypatch, tmp_path):
    (tmp_path / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(lrbn_viz, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(ValueError, match=r"has source of lrbn_viz .{12}, this process"):
        Cluster(processes.address)


@pytest.mark.slow
def test_a_task_that_ends_every_worker_ends_the_run_in_words(tmp_path):
    def end() -> None:
        import os
        import signal

        os.kill(os.getpid(), signal.SIGKILL)

    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), Cluster(n_workers=1) as fragile:
        task = fragile.submit("end", end)
        with pytest.raises(PoolLost, match=r"a task ended 1 workers? of tcp://.* for want of memory"):
            fragile.gather([task])


def test_settings_that_cannot_be_are_refused_in_words():
    with pytest.raises(ValueError, match=r"span must be a power of two.*got 3"):
        Cluster(span=3)
    with pytest.raises(ValueError, match="n_workers must be at least 1"):
        Cluster(n_workers=0)
    with pytest.raises(PoolLost, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1 within 1 s"):
        Cluster("tcp://127.0.0.1:1", timeout=1)


def begin(*words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.slow
def test_a_scheduler_that_ends_ends_the_run_in_words_and_its_checkpoint_goes_on_here(tmp_path):
    X, path, how = images("bernoulli"), tmp_path / "run", model(**CHAINS, n_iter=4)
    with begun("threads", n_workers=1) as found:
        steps = fresh(how).fit_steps(X, checkpoint=path, pool=found.cluster)
        next(steps)
        next(steps)
        found.cluster._client._timeout = 1  # seconds in which it looks for the scheduler again
        found.end()
        address = found.cluster.address
        words = rf"the Dask scheduler at {address} is lost .*holds the last whole pass: the same call goes on"
        with pytest.raises(PoolLost, match=words):
            list(steps)
    goes_on(how, X, path)


def goes_on(how: Any, X: Any, path: Path) -> None:
    """Go on here from what two passes have left, and compare with a run that was never left."""
    again, whole = fresh(how).fit(X, checkpoint=path), fresh(how).fit(X)
    assert [step.epoch for step in again.history_] == [2, 3]
    for a, b in zip(whole.layers[0], again.layers[0], strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.slow
def test_a_scheduler_that_is_killed_ends_the_run_in_words_and_its_checkpoint_goes_on_here(tmp_path):
    port, X, path = free_port(), images("bernoulli"), tmp_path / "run"
    address = f"tcp://127.0.0.1:{port}"
    here = ("--host", "127.0.0.1", "--no-dashboard")
    started = [begin("distributed.cli.dask_scheduler", "--port", str(port), *here)]
    try:
        with pytest.raises(PoolLost, match="has no worker within 2 s; begin some with dask worker"):
            look_for(address)
        started.append(begin("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", *here))
        how = model(**CHAINS, n_iter=4)
        with Cluster(address, timeout=60) as other:
            other._client._timeout = 5  # seconds in which it looks for the scheduler again
            steps = fresh(how).fit_steps(X, checkpoint=path, pool=other)
            next(steps)
            next(steps)
            os.kill(started[0].pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
            words = (
                rf"the Dask scheduler at {address} is lost .*holds the last whole pass: the same call goes on"
            )
            with pytest.raises(PoolLost, match=words):
                list(steps)
    finally:
        for process in started:
            process.kill()
            process.wait()
    goes_on(how, X, path)


def look_for(address: str) -> None:
    """Look for the workers of a scheduler that is about to be there."""
    ends = time.monotonic() + 60
    while True:
        try:
            Cluster(address, timeout=2)
        except PoolLost as error:
            if "no Dask scheduler" not in str(error) or time.monotonic() > ends:
                raise


@pytest.mark.parametrize("visible", VISIBLES)
def test_nobody_who_asks_for_no_cluster_imports_dask(visible):
    script = f"""
import sys, numpy as np, lrbn_viz
for name in lrbn_viz.__all__:
    getattr(lrbn_viz, name)
X = np.random.default_rng(0).integers(0, 2, (50, 9)).astype(float)
lrbn_viz.LRBN(3, visible={visible!r}, schedule="batch", n_iter=1).fit(X)
found = {{"dask", "distributed", "lrbn_viz.cluster"}} & set(sys.modules)
assert not found, found
"""
    finish(program(script))
