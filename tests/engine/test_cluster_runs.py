"""Runs whose passes are made on a cluster: the bits and the events of one process, left and gone on with."""

import math
import os
import signal
import time
from typing import Any

import numpy as np
import pytest
from engine.clusters import KINDS, threads
from engine.test_cluster import begin, free_port
from forked import finish, program

from lrbn_viz import load_dataset
from lrbn_viz.chunks import BLOCK_ROWS, LOCAL_POOL, Abandoned, Watched
from lrbn_viz.cluster import Cluster
from lrbn_viz.studies.runs import LaneConfig, Notice, Run, RunConfig, Tick
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.studies.runs.retraining import trained_again
from lrbn_viz.studies.runs.workers import Passes, Workers

SETTINGS = {"n_components": 6, "schedule": "batch", "e_step": "gibbs", "warm_sweeps": 2}


@pytest.fixture(scope="module", params=KINDS)
def workers(request):
    if request.param == "processes":
        found = Workers("local:2")
        yield found
        found.close()
        return
    with threads() as here:
        found = Workers(here.scheduler_address)
        yield found
        found.close()


@pytest.fixture(scope="module")
def processes():
    found = Workers("local:2")
    yield found
    found.close()


@pytest.fixture(scope="module")
def data():
    return load_dataset("digits")


def config(where, n_iter=3):
    return RunConfig("digits", {"LRBN": LaneConfig("LRBN", SETTINGS, where)}, n_iter=n_iter)


def until(condition, seconds=240.0):
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it did not come in time"
        time.sleep(0.01)


def ended(run):
    run.start()
    until(lambda: run.job.ended)
    assert run.job.join(60)
    said = [event.words for event in run.job._buffer if isinstance(event, Notice)]
    assert (run.job.status, run.job.error, said) == ("done", None, [])
    return run


def figures(run):
    """What the ticks of a run say, but for the time that they took."""
    ticks = [event for event in run.drain().events if isinstance(event, Tick)]
    return [(tick.lane, tick.event.step, tick.event.epoch, tick.event.metrics) for tick in ticks]


def notices(run):
    """What a run has told its user."""
    return [event.words for event in run.drain().events if isinstance(event, Notice)]


def assert_same(run, other):
    for a, b in zip(*(each.lanes["LRBN"].training.state.params for each in (run, other)), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.fixture(scope="module")
def here(data):
    return ended(Run(config("here"), data))


@pytest.fixture(scope="module")
def figures_here(here):
    return figures(here)  # events can be taken once


def test_a_run_on_workers_has_the_models_and_the_events_of_one_in_this_process(
    here, figures_here, workers, data, tmp_path, monkeypatch
):
    registry = RunRegistry(tmp_path, workers=workers)
    live = registry.start(config("cluster"), data)
    live.carry_on = True  # there is no page
    there, seen = live.run, []
    heed = Passes._apply_commands

    def noted(passes):
        seen.append(passes.now)
        heed(passes)

    monkeypatch.setattr(Passes, "_apply_commands", noted)
    there.start()
    until(lambda: there.job.ended)
    assert there.job.status == "done"
    assert_same(there, here)
    assert figures(there) == figures_here
    assert [len(each.lanes["LRBN"].history) for each in (here, there)] == [4, 4], "each pass is stored"
    told = [now for now in seen if now is not None]
    assert {now.what for now in told} >= {"opening", "e_step"}
    assert all(0 <= now.done <= now.pieces for now in told)
    assert len(workers.seen.there) == 2
    local = workers._where == "local:2"
    assert workers.seen.link.startswith("http://127.0.0.1:") is local, "one of its own has a dashboard"
    assert there.passes == {}, "nothing is left on workers"
    system: Any = there.lanes["LRBN"].training.system
    assert system.placed.pool is LOCAL_POOL
    stored = Run.resume(tmp_path / live.name, data)
    assert stored.config.lanes["LRBN"].where == "cluster"
    assert_same(stored, here)
    assert_same(trained_again(tmp_path / live.name), here)  # without a cluster


def test_a_worker_that_leaves_is_known_by_its_address():
    with threads(2) as here:
        workers = Workers(here.scheduler_address)
        workers.pool()
        workers.look()
        address = workers.seen.there[0]
        here.scale(1)

        def gone():
            workers._looked = 0.0
            workers.look()
            return len(workers.seen.there) == 1

        until(gone)
        assert len(workers.seen.gone) == 1
        assert {*workers.seen.gone, *workers.seen.there} >= {address}
        workers.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_a_worker_that_is_killed_is_known_by_its_address(processes):
    workers = processes
    pool = workers.pool()
    workers.look()
    address, pid = next(iter(pool._client.run(os.getpid).items()))
    os.kill(pid, signal.SIGKILL)

    def gone():
        workers._looked = 0.0
        workers.look()
        return workers.seen.gone == (address,) and len(workers.seen.there) == 2

    until(gone)


def test_pause_waits_for_the_pass_and_stop_gives_it_up_and_either_goes_on_elsewhere(
    here, workers, data, tmp_path, monkeypatch
):
    """The pieces of a pass are held back, so that there is a moment in the midst of one."""
    run = Run(config("cluster"), data, tmp_path / "run", workers=workers)
    run.advance(1)
    until(lambda: run.job.status == "paused" and run.step == 1)
    pool = run.passes["LRBN"].pool
    held, wait = [True], type(pool).wait

    def holding(*how):
        time.sleep(0.01)
        return not held[0] and wait(*how)

    monkeypatch.setattr(type(pool), "wait", holding)
    run.start()
    until(lambda: run.lanes["LRBN"].training.making)
    run.pause()
    run.save()  # a page asks in the midst of a pass, and is answered
    assert run.saved_step == 1
    assert run.lanes["LRBN"].training.making
    held[0] = False
    until(lambda: not run.lanes["LRBN"].training.making)
    assert (run.step, run.job.status) == (2, "paused")
    held[0] = True
    run.start()
    until(lambda: run.lanes["LRBN"].training.making)
    assert run.seconds_left >= 0
    assert run.stop()
    assert (run.step, run.saved_step, run.job.status) == (2, 2, "cancelled")
    assert notices(run) == []
    held[0] = False
    again = Run.resume(tmp_path / "run", data)
    again.folder = None  # one folder is of one run
    again.change("LRBN", where="here")
    assert_same(ended(again), here)
    assert_same(ended(run), here)


@pytest.mark.slow
def test_a_lost_scheduler_is_said_and_the_run_goes_on_in_this_process(here, data, tmp_path):
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    local = ("--host", "127.0.0.1", "--no-dashboard")
    begun = [begin("distributed.cli.dask_scheduler", "--port", str(port), *local)]
    begun.append(begin("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", *local))
    workers = Workers(address)
    run = Run(config("cluster"), data, tmp_path / "run", workers=workers)
    try:
        with Cluster(address, timeout=60):
            pass
        run.advance(1)
        until(lambda: run.job.status == "paused" and run.step == 1)
        workers.look()
        assert workers.seen.link == "", "there is no dashboard"
        workers.pool()._client._timeout = 2  # seconds in which it looks for the scheduler again
        begun[0].kill()
        begun[0].wait()
        run.start()
        until(lambda: run.job.ended)
    finally:
        for process in begun:
            process.kill()
            process.wait()
    assert run.job.join(60)
    (notice,) = notices(run)
    assert notice.startswith(
        f"Training was stopped after epoch 1, whose result is kept: the Dask scheduler at {address}"
    )
    assert 'choose another place under "Where it runs"' in notice
    assert (run.job.status, run.step, run.saved_step) == ("cancelled", 1, 1)
    assert run.lanes["LRBN"].error is None
    run.change("LRBN", where="here")
    assert_same(ended(run), here)


def test_where_there_is_no_cluster_a_run_says_so_and_no_address_to_others(data, monkeypatch):
    alone = Run(config("cluster"), data)
    alone.start()
    until(lambda: alone.job.ended)
    (notice,) = notices(alone)
    assert "after epoch 0" in notice
    assert "this server has no cluster." in notice
    monkeypatch.setattr("lrbn_viz.studies.runs.workers.OPEN_SECONDS", 1.0)
    visitors = Run(config("cluster"), data, owner="somebody", workers=Workers("tcp://127.0.0.1:1"))
    visitors.start()
    until(lambda: visitors.job.ended)
    (notice,) = notices(visitors)
    assert "127.0.0.1" not in notice
    assert "the cluster of this server does not answer" in notice


def test_who_listens_hears_of_each_piece_and_can_end_the_work():
    heard = []
    watched = Watched(LOCAL_POOL, lambda *how: heard.append(how))
    watched.EVERY = 0.0
    watched.begin("square", 3)
    assert watched.gather([watched.submit("square", math.pow, n, 2) for n in range(3)]) == [0, 1, 4]
    assert heard[0] == ("square", 0, 3)
    assert {done for _, done, _ in heard} == {0, 1, 2, 3}

    def end(what, done, pieces):
        if done == 2:
            raise Abandoned

    ending = Watched(LOCAL_POOL, end)
    ending.EVERY = 0.0
    ending.begin("square", 3)
    ending.submit("square", math.pow, 1, 2)
    with pytest.raises(Abandoned):
        ending.submit("square", math.pow, 2, 2)


def test_a_pass_that_is_given_up_leaves_training_as_it_was(data):
    from lrbn_viz import LRBN
    from lrbn_viz.training import Training

    def training(pool):
        system = LRBN(**SETTINGS).make_system().with_pool(pool)
        rng = np.random.default_rng(0)
        return Training(system, data.train_X, n_iter=2, batch_size=1, rng=rng)

    ends = [False]

    def tell(what, done, pieces):
        if ends[0] and what == "e_step" and done:
            raise Abandoned

    whole, left = training(LOCAL_POOL), training(Watched(LOCAL_POOL, tell))
    next(whole)
    next(left)
    before, ends[0] = left.snapshot(), True
    with pytest.raises(Abandoned):
        next(left)
    assert left.snapshot().rng == before.rng
    ends[0] = False
    for a, b in zip(next(whole)[0].params, next(left)[0].params, strict=True):
        np.testing.assert_array_equal(a, b)
    assert len(data.train_X) > BLOCK_ROWS


@pytest.mark.parametrize("where", ["", "local:0", "local:x", "127.0.0.1:8786", "tcp://" + 400 * "x"])
def test_a_cluster_is_an_address_or_this_machine(where):
    with pytest.raises(ValueError, match=r"expected the address of a Dask scheduler, such as tcp://"):
        Workers(where)


def test_models_of_a_run_learn_alike_and_only_whole_passes_go_to_a_cluster():
    with pytest.raises(ValueError, match=r"where must be 'here' for LRBN that learns from minibatches"):
        RunConfig("digits", {"LRBN": LaneConfig("LRBN", {}, "cluster")}).check()
    with pytest.raises(ValueError, match=r"schedule of LRBN is full-batch, but RBM learns from minibatches"):
        RunConfig("digits", {"LRBN": LaneConfig("LRBN", SETTINGS), "RBM": LaneConfig("RBM")}).check()
    with pytest.raises(ValueError, match="where must be one of"):
        RunConfig("digits", {"LRBN": LaneConfig("LRBN", SETTINGS, "tcp://x")}).check()  # pyright: ignore[reportArgumentType]
    assert RunConfig.from_json(config("cluster").to_json()) == config("cluster")


def test_a_server_without_runs_on_a_cluster_imports_nothing_of_dask():
    script = """
import os, sys
os.environ["LRBN_VIZ_CLUSTER"] = "local:1"
from lrbn_viz.studies.runs.registry import get_registry
assert get_registry().workers is not None
found = {"dask", "distributed", "lrbn_viz.cluster"} & set(sys.modules)
assert not found, found
"""
    finish(program(script))
