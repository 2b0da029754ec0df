"""A reproduction whose stages are spread over workers: the results of one process, whoever is lost."""

import json
import os
import signal
from itertools import islice

import numpy as np
import pytest
from engine.clusters import KINDS, begun

from lrbn_viz import cli, load_dataset
from lrbn_viz.chunks import PoolLost
from lrbn_viz.cluster import Cluster
from lrbn_viz.studies.reproduce import distribute, report, run, timed
from lrbn_viz.studies.reproduce.run import Reproduction
from lrbn_viz.studies.reproduce.stages import needs
from lrbn_viz.studies.reproduce.store import DamagedResult

CONFIGS = ("paper-200", "paper", "RBM-24.threshold")


@pytest.fixture(scope="module", autouse=True)
def no_charts():
    """Reports without charts, which take the most time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "_write_figures", lambda run: {})
        yield


@pytest.fixture(scope="module", params=KINDS)
def both(request):
    """Two workers, on which training for seconds ends after some steps."""
    with begun(request.param) as found:
        found.cluster._client.run(each_step_takes, STEP)
        yield found
        found.cluster._client.run(each_step_takes, None)


@pytest.fixture
def cluster(both):
    return both.cluster


STEP = 0.01
"""CPU seconds of a step of training for seconds, by the clock of these tests."""


def each_step_takes(seconds):
    """Set the clock by which training ends; None: the real one."""
    from itertools import count

    from lrbn_viz.kernels.clock import cpu_seconds_without_compiling
    from lrbn_viz.studies.reproduce import timed

    ticks = count()
    real = seconds is None
    timed.cpu_seconds_without_compiling = (
        cpu_seconds_without_compiling if real else lambda: seconds * next(ticks)
    )


def reproduction(folder, **how):
    """A quick one on small digits that stand in for the letters."""
    data = load_dataset("digits")
    settings = {"fast": True, "dataset": data, "drawn": data, "only": CONFIGS, "seconds": 0.5}
    return Reproduction("ocr", folder, **(settings | how))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """One in this process."""
    made = reproduction(tmp_path_factory.mktemp("whole"))
    before = timed.cpu_seconds_without_compiling
    each_step_takes(STEP)
    made.run()
    timed.cpu_seconds_without_compiling = before
    return made


def assert_same(made, expected):
    """Compare all that two folders hold, but times, and what was trained for seconds."""
    assert list(made.results) == list(expected.results)
    assert _names(made) == _names(expected)
    for stage in expected.stages:
        here, there = (each.store.read(stage.name, stage.key) for each in (expected, made))
        if stage.config.startswith("RBM"):
            anew = {"anew"}  # where the first plan was far from what there was time for
            assert here.figures.keys() - anew == there.figures.keys() - anew
            continue
        assert here.figures == there.figures, stage.name
        assert here.arrays.keys() == there.arrays.keys()
        for part, array in here.arrays.items():
            np.testing.assert_array_equal(array, there.arrays[part])
            assert array.dtype == there.arrays[part].dtype
    for name in ("paper-200.npz", "paper.npz"):
        here, there = (each.store.folder / "models" / name for each in (expected, made))
        assert here.read_bytes() == there.read_bytes()
    here, there = (
        json.loads((each.store.folder / "report.json").read_text(encoding="utf-8"))["measured"]
        for each in (expected, made)
    )
    assert here.keys() == there.keys()
    assert here["paper"]["ais"]["figures"] == there["paper"]["ais"]["figures"]


def _names(made):
    return sorted(
        path.relative_to(made.store.folder).as_posix()
        for path in made.store.folder.rglob("*")
        if path.is_file()
    )


def test_two_workers_leave_the_files_of_one_process_in_an_order_that_can_be(cluster, whole, tmp_path):
    made = reproduction(tmp_path, checkpoint_seconds=0.2)
    before: set[str] = set()
    for moment in distribute.distribute([made], cluster):
        assert set(needs(made, moment.stage)) <= before, "what a stage needs is done before it"
        if moment.share == 1.0:
            before.add(moment.stage.name)
    assert before == {stage.name for stage in made.stages}
    assert made.results["paper.training"].figures["begun_with"] == "paper-200"
    assert_same(made, whole)
    trained = made.results["RBM-24.threshold.timed"].figures
    # A step beyond the budget at most. Two workers of one process share its clock: a step may take two.
    assert 0 < trained["seconds"] < trained["budget"] + 2.5 * STEP


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_one_that_is_left_goes_on_here_and_there_and_a_killed_worker_costs_its_turn_alone(
    both, cluster, whole, tmp_path
):
    steps = distribute.distribute([reproduction(tmp_path, checkpoint_seconds=0.0)], cluster)
    for moment in steps:
        if moment.stage.name == "paper.training" and moment.share < 1.0:
            break
    steps.close()
    done = {path.stem for path in (tmp_path / "stages").glob("*.result")}
    assert "paper-200.training" in done
    assert list((tmp_path / "stages").glob("paper.training.*.checkpoint"))
    here = reproduction(tmp_path).steps()  # in this process, from the checkpoints of workers
    rest = [next(each for each in here if not each.found) for _ in range(3)]
    assert {moment.stage.name for moment in rest}.isdisjoint(done)
    here.close()
    pids = cluster._client.run(os.getpid)
    again = reproduction(tmp_path)
    steps = distribute.distribute([again], cluster)
    assert not next(moment for moment in steps if not moment.found).found
    if both.processes:
        os.kill(next(iter(pids.values())), signal.SIGKILL)
    for _ in steps:
        pass
    assert_same(again, whole)
    cluster._client.wait_for_workers(2, timeout=60)


def test_training_that_diverges_on_a_worker_leaves_out_that_configuration_alone(cluster, tmp_path):
    def diverging(on):  # within a function: it travels as it is, as workers cannot import a test
        from lrbn_viz.studies.reproduce import stages, train

        def training_of(recipe, *how):
            if recipe.title == "bad":
                raise FloatingPointError("log P(x, h) became nan")
            return train.training_of(recipe, *how)

        stages.training_of = training_of if on else train.training_of

    recipe = run.RECIPES["ocr"]["paper-200"]
    recipes = {"bad": recipe._replace(title="bad"), "good": recipe}
    made = reproduction(tmp_path, only=("bad", "good"), recipes=recipes)
    cluster._client.run(diverging, True)
    try:
        for _ in distribute.distribute([made], cluster):
            pass
    finally:
        cluster._client.run(diverging, False)
    assert made.diverged == {"bad": "log P(x, h) became nan"}
    assert "good.ais" in made.results
    assert "diverged" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_a_damaged_checkpoint_is_named_as_it_lies_here(cluster, tmp_path):
    made = reproduction(tmp_path, only=("paper-200",))
    (stage,) = (each for each in made.stages if each.kind == "training")
    path = made.store.checkpoint(stage.name, stage.key)
    path.write_bytes(b"nothing")
    with pytest.raises(DamagedResult) as raised:
        list(distribute.distribute([made], cluster))
    assert str(path) in str(raised.value)


def test_workers_of_several_threads_are_refused(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(Cluster, "threads", property(lambda self: {"tcp://there": 4}))
    with pytest.raises(ValueError, match=r"tcp://there does 4 tasks at a time.*--nthreads 1"):
        next(distribute.distribute([reproduction(tmp_path)], cluster))


def test_the_command_spreads_data_sets_over_a_cluster_and_goes_on(cluster, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "load_dataset", lambda name, **how: load_dataset("digits", **how))
    asked = ["reproduce", "ocr", "caltech", "--quick", "--only", "paper-200", "--output", str(tmp_path)]
    asked += ["--cluster", cluster.address]
    assert cli.main(asked) == 0
    said = capsys.readouterr()
    reports = [tmp_path / name / "report.md" for name in ("ocr", "caltech")]
    assert said.out.split() == list(map(str, reports))
    assert all(path.exists() for path in reports)
    lines = said.err.splitlines()
    assert {line.partition(",")[0] for line in lines} == {"ocr", "caltech"}
    assert cli.main(asked) == 0
    assert all("finished before" in line for line in capsys.readouterr().err.splitlines())


def test_a_lost_scheduler_ends_the_command_in_words(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "load_dataset", lambda name, **how: load_dataset("digits", **how))

    def lost(*_):
        raise PoolLost("the Dask scheduler at tcp://there is lost (X); begin it again, or take another.")
        yield

    monkeypatch.setattr(cli, "_distribute", lambda runs, address: next(islice(lost(), 1)))
    asked = ["reproduce", "ocr", "--quick", "--only", "paper-200", "--cluster", "--output", str(tmp_path)]
    assert cli.main(asked) == 1
    assert f"the same command goes on from what is in {tmp_path}" in capsys.readouterr().err
