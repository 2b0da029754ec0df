"""Sweeps: what a file may ask for, which settings are tried; no result is lost, repeated or changed."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pytest
from distributed import WorkerPlugin
from engine.clusters import KINDS, begun

import lrbn_viz
from lrbn_viz import cli
from lrbn_viz.catalog import SYSTEMS, load_model
from lrbn_viz.chunks import PoolLost
from lrbn_viz.cluster import Cluster
from lrbn_viz.studies.reproduce.store import DamagedResult, result_path
from lrbn_viz.studies.sweep import FILE
from lrbn_viz.studies.sweep import run as running
from lrbn_viz.studies.sweep.draw import drawn
from lrbn_viz.studies.sweep.results import (
    DONE,
    FAILED,
    OUT,
    WAITING,
    name_of,
    read_plan,
    read_sweep,
)
from lrbn_viz.studies.sweep.run import BEST, SweepRun
from lrbn_viz.studies.sweep.space import read_space, space_of
from lrbn_viz.studies.sweep.trial import Outcome, images_of

ROOT = Path(__file__).resolve().parents[2]
GRID: dict[str, Any] = {
    "model": "LRBN",
    "dataset": "digits",
    "method": "grid",
    "passes": 2,
    "temperatures": 10,
    "validation_images": 20,
    "fixed": {"n_components": 6, "batch_size": 100},
    "space": {"learning_rate": [0.1, 0.5], "init": ["zeros", "conditional"]},
}
HALVING: dict[str, Any] = {
    **GRID,
    "method": "halving",
    "trials": 4,
    "eta": 2,
    "passes": 4,
    "space": {"learning_rate": {"low": 0.01, "high": 2.0, "log": True}},
}


def without(told: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in names}


def figures(folder: Path) -> dict[int, tuple[Any, ...]]:
    """What the trials of a folder came to, without how long that took."""
    sweep = read_sweep(folder)
    assert sweep is not None
    return {row.number: (row.state, row.rung, row.objective, row.reason) for row in sweep.rows}


# -- what a file may ask for


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model": "GAN"}, "model must be one of 'LRBN', 'RBM'"),
        ({"dataset": "cifar"}, "dataset must be one of"),
        ({"method": "bayes"}, "method must be one of 'grid', 'random', 'halving'; got 'bayes'"),
        ({"model": None}, "model is missing; expected one of LRBN, RBM"),
        ({"modle": "LRBN"}, "'modle' is not known; expected some of model, dataset"),
        ({"learning_rate": 0.1}, "Settings of the model belong in one of these tables"),
        ({"passes": 0}, "passes must be None or at least 1"),
        ({"passes": None}, "expected either passes or cpu_seconds as the budget of each model, got neither"),
        ({"cpu_seconds": 1.0}, "expected either passes or cpu_seconds as the budget of each model, got both"),
        ({"seed": -1}, "seed must be at least 0; got -1"),
        ({"objective": "fid"}, "objective must be one of 'log_likelihood', 'reconstruction_error'"),
        ({"eta": 3}, 'eta is for method = "halving", got "grid"'),
        ({"trials": 3}, "trials applies to random and halving only, got 3 with a grid"),
        ({"fixed": 3}, "fixed must be a table; got 3"),
        ({"space": {}}, "space is missing or empty"),
        ({"space": {"n_iter": [1, 2]}}, "space.n_iter cannot be set: how long each model is trained"),
        ({"fixed": {"patience": 3}}, "fixed.patience cannot be set"),
        ({"space": {"rate": [1]}}, "space.rate is no setting of LRBN; expected one of average, batch_size"),
        ({"space": {"learning_rate": 0.1}}, "space.learning_rate must be a list of values or {low"),
        ({"space": {"learning_rate": []}}, "space.learning_rate must be a list of values or {low"),
        ({"space": {"learning_rate": [0.1, -1.0]}}, "space.learning_rate must be above 0 and finite; got -1"),
        ({"space": {"learning_rate": [0.1, "high"]}}, "space.learning_rate must be a number; got 'high'"),
        ({"space": {"learning_rate": [0.1, 0.1]}}, "space.learning_rate has 0.1 twice"),
        ({"space": {"max_sweeps": [2, 2.5]}}, "space.max_sweeps must be"),
        ({"space": {"init": ["zeros", "ones"]}}, "space.init must be one of"),
        ({"space": {"batch_size": [10]}}, "batch_size stands in fixed and in space"),
        ({"space": {"init": {"low": 1, "high": 2}}}, "space.init is not a numeric setting and has no range"),
        ({"space": {"momentum": {"low": 0.1, "high": 0.5}}}, "a range, of which a grid cannot try every"),
        ({"method": "random"}, "trials is missing; expected how many combinations"),
        ({"method": "random", "trials": 5}, "trials is 5, but there are only 4 combinations"),
        ({"method": "halving", "trials": 2}, "eta is 3, which leaves halving one rung with 2 trials"),
        ({"space": {"random_state": ["none"]}}, "space.random_state must be"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_said_by_its_key(changes, words):
    told = {name: value for name, value in {**GRID, **changes}.items() if value is not None}
    with pytest.raises((ValueError, TypeError)) as caught:
        space_of(told)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("axis", "words"),
    [
        ({"low": 0.1}, "must have low and high, and may have log; got low"),
        ({"low": 0.1, "high": 1.0, "step": 2}, "must have low and high, and may have log"),
        ({"low": 1.0, "high": 0.1}, "space.learning_rate.low must be below space.learning_rate.high"),
        ({"low": 0.1, "high": 1.0, "log": "yes"}, "space.learning_rate.log must be"),
        ({"low": -0.1, "high": 1.0}, "space.learning_rate.low must be above 0"),
    ],
)
def test_a_range_that_cannot_be_is_said_by_its_key(axis, words):
    with pytest.raises((ValueError, TypeError)) as caught:
        space_of({**GRID, "method": "random", "trials": 2, "space": {"learning_rate": axis}})
    assert words in str(caught.value)


def test_a_file_that_is_no_toml_or_asks_for_nonsense_is_named(tmp_path):
    path = tmp_path / "mine.toml"
    for text, words in (("model = ", "mine.toml: expected TOML"), ("model = 3", "mine.toml: ")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=words):
            read_space(path)


def test_none_is_written_as_a_word_and_a_space_is_the_same_from_its_json():
    space = space_of({**GRID, "space": {"learning_rate_end": ["none", 0.01], "decay_steps": [float("inf")]}})
    assert space.axes["learning_rate_end"].choices == (None, 0.01)
    assert json.loads(json.dumps(space.to_json()))["space"]["learning_rate_end"] == [None, 0.01]


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_model_of_the_catalogue_can_be_swept(name):
    space = space_of(
        {**GRID, "model": name, "fixed": {}, "space": {"learning_rate": [0.01, 0.02], "batch_size": [10]}}
    )
    for settings in drawn(space):
        assert space.estimator(settings).batch_size == 10


# -- which settings are tried


def test_a_grid_is_the_product_and_each_combination_is_there_once():
    space = space_of({**GRID, "space": {**GRID["space"], "max_sweeps": [1, 2, 3]}})
    product = {
        (("init", init), ("learning_rate", rate), ("max_sweeps", n))
        for init, rate, n in itertools.product(["zeros", "conditional"], [0.1, 0.5], [1, 2, 3])
    }
    found = drawn(space)
    assert len(found) == len(product) == space.size
    assert {tuple(sorted(settings.items())) for settings in found} == product


def test_what_is_drawn_at_random_depends_on_the_seed_alone_and_keeps_to_its_range():
    told = {
        **GRID,
        "method": "random",
        "trials": 40,
        "fixed": {},
        "space": {
            "learning_rate": {"low": 1e-4, "high": 1.0, "log": True},
            "n_components": {"low": 2, "high": 9},
            "init": ["zeros", "conditional"],
        },
    }
    found, again = drawn(space_of(told)), drawn(space_of(told))
    assert found == again != drawn(space_of({**told, "seed": 1}))
    assert all(1e-4 <= each["learning_rate"] <= 1 and each["n_components"] in range(2, 10) for each in found)
    rates = np.log10([each["learning_rate"] for each in found])
    assert -2.6 < rates.mean() < -1.4  # of a uniform law from -4 to 0: 0.18 is one standard error


def test_nothing_is_drawn_twice_and_optuna_is_as_loud_as_before():
    told, before = {**GRID, "method": "random", "trials": 4}, optuna.logging.get_verbosity()
    found = drawn(space_of(told))
    assert len({json.dumps(each) for each in found}) == 4  # all there are
    assert optuna.logging.get_verbosity() == before


def test_rungs_have_one_in_eta_of_the_trials_for_eta_times_as_long():
    def rungs(**changes: Any) -> list[tuple[int, float]]:
        return space_of({**HALVING, **changes}).rungs

    assert rungs(trials=27, eta=3, passes=27) == [(27, 1 / 27), (9, 1 / 9), (3, 1 / 3), (1, 1.0)]
    assert rungs(trials=20, eta=3, passes=5) == [(20, 1 / 3), (6, 1.0)]  # of 5 passes a ninth is none
    assert rungs(trials=4, eta=2, passes=100) == [(4, 0.25), (2, 0.5), (1, 1.0)]
    seconds = space_of({**without(HALVING, "passes"), "cpu_seconds": 1.0})
    assert seconds.rungs == [(4, 0.25), (2, 0.5), (1, 1.0)]


def test_a_combination_that_cannot_be_is_refused_before_any_is_trained(tmp_path):
    space = space_of({**GRID, "space": {"learning_rate_end": [0.01], "decay_steps": [10.0]}})
    with pytest.raises(ValueError, match=r"the combination .* two ways for the learning rate to fall"):
        SweepRun(space, tmp_path / "sweep")
    assert not (tmp_path / "sweep").exists()


def test_test_images_are_not_looked_at_and_validation_images_are_held_out():
    images = images_of("digits", True, 50)
    data = lrbn_viz.load_dataset("digits")
    both = np.concatenate([images.train_X, images.validation_X])
    assert len(images.validation_X) == 50
    assert np.array_equal(np.sort(both.sum(axis=1)), np.sort(data.train_X.sum(axis=1)))
    assert len(images_of("digits", True, 10_000).validation_X) == len(data.train_X) // 5


# -- running


@pytest.fixture(scope="module")
def grid(tmp_path_factory) -> Path:
    """A grid, done in this process."""
    folder = tmp_path_factory.mktemp("sweep") / "grid"
    SweepRun(space_of(GRID), folder).run()
    return folder


@pytest.fixture(scope="module")
def halving(tmp_path_factory) -> Path:
    """Successive halving, done in this process."""
    folder = tmp_path_factory.mktemp("sweep") / "halving"
    SweepRun(space_of(HALVING), folder).run()
    return folder


def test_a_grid_is_done_and_the_best_comes_first(grid):
    sweep = read_sweep(grid)
    assert sweep is not None
    assert [row.state for row in sweep.rows] == [DONE] * 4
    objectives = [row.objective for row in sweep.rows if row.objective is not None]
    assert len(objectives) == 4
    assert objectives == sorted(objectives, reverse=True)
    rows = list(csv.DictReader(io.StringIO((grid / "results.csv").read_text(encoding="utf-8"))))
    assert [float(row["log_likelihood"]) for row in rows] == objectives
    report = (grid / "report.md").read_text(encoding="utf-8")
    assert "No test image was looked at" in report
    assert f"| {sweep.rows[0].number} | {objectives[0]:.2f} |" in report


def test_the_best_model_is_kept_and_is_what_it_was_measured_as(grid):
    sweep = read_sweep(grid)
    assert sweep is not None
    best = sweep.rows[0]
    model = load_model(grid / BEST)
    assert model.provenance_["settings"] == best.settings
    images = images_of("digits", True, 20)
    again = lrbn_viz.measure.log_likelihood(model, images.validation_X, n_temperatures=10)
    assert again.mean == best.objective


def test_rungs_keep_the_best_and_going_on_gives_what_training_at_once_would(halving, tmp_path):
    sweep = read_sweep(halving)
    assert sweep is not None
    rows, plan = sweep.rows, sweep.plan
    assert sorted(row.state for row in rows) == [DONE, OUT, OUT, OUT]
    assert [(row.rung, row.passes) for row in rows] == [(2, 4.0), (1, 2.0), (0, 1.0), (0, 1.0)]
    below = [row.objective for row in rows if row.rung == 0 and row.objective is not None]
    kept = running.read_results(halving, plan)
    assert all(kept[row.number, 0].figures["objective"] > max(below) for row in rows[:2])
    alone = space_of(
        {
            **GRID,
            "passes": 4,
            "space": {name: [value] for name, value in rows[0].settings.items()},
        }
    )
    SweepRun(alone, tmp_path / "alone").run()
    assert figures(tmp_path / "alone")[0] == (DONE, 0, rows[0].objective, "")
    assert not list((halving / "stages").glob("*.checkpoint"))


@pytest.fixture(scope="module", params=KINDS)
def cluster(request) -> Iterator[Cluster]:
    with begun(request.param) as found:
        yield found.cluster


@pytest.mark.parametrize("told", [GRID, HALVING], ids=["grid", "halving"])
def test_two_workers_give_what_one_process_does(told, cluster, grid, halving, tmp_path):
    folder = tmp_path / "two"
    SweepRun(space_of(told), folder).run(cluster)
    assert figures(folder) == figures(grid if told is GRID else halving)


@pytest.mark.slow
def test_a_worker_that_dies_costs_its_trial_which_is_tried_again(grid, tmp_path):
    marker = tmp_path / "killed"

    class Killer(WorkerPlugin):  # within a function: it travels as it is, as workers cannot import a test
        def transition(self, key: Any, start: str, finish: str, **kwargs: Any) -> None:
            if str(key).startswith("trial") and finish == "executing":
                try:
                    os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    return
                os.kill(os.getpid(), signal.SIGKILL)

    with Cluster(n_workers=1) as alone:
        alone._client.register_plugin(Killer())
        SweepRun(space_of(GRID), tmp_path / "sweep").run(alone)
    assert marker.exists()
    assert figures(tmp_path / "sweep") == figures(grid)


@pytest.mark.parametrize("told", [GRID, HALVING], ids=["grid", "halving"])
def test_a_sweep_that_is_left_goes_on_without_losing_or_repeating_a_trial(
    told, grid, halving, tmp_path, monkeypatch
):
    whole, folder = (grid if told is GRID else halving), tmp_path / "left"
    done: list[tuple[Any, ...]] = []
    attempt = running.attempt

    def counted(work: Any) -> Outcome:
        done.append((*work.settings.items(), work.share))
        return attempt(work)

    monkeypatch.setattr(running, "attempt", counted)
    for _ in range(3):  # each time one more
        steps = SweepRun(space_of(told), folder).steps()
        next(steps)
        steps.close()
    SweepRun(space_of(told), folder).run()
    assert len(done) == len(set(done)) == (4 if told is GRID else 7)
    assert figures(folder) == figures(whole)


def test_ctrl_c_ends_in_words_and_a_report_of_what_there_is(grid, tmp_path, monkeypatch, capsys):
    attempt, path, calls = running.attempt, tmp_path / "mine.toml", []
    path.write_text(TOML, encoding="utf-8")

    def pressed(work: Any) -> Outcome:
        calls.append(work)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return attempt(work)

    monkeypatch.setattr(running, "attempt", pressed)
    command = ["sweep", str(path), "--workers", "0", "--output", str(tmp_path / "out")]
    assert cli.main(command) == 130
    assert "stopped; the same command goes on from what is in" in capsys.readouterr().err
    assert "2 trials are not done yet" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert cli.main(command) == 0
    assert len(calls) == 5  # the one that was stopped came again
    assert figures(tmp_path / "out") == figures(grid)


TOML = """
model = "LRBN"
dataset = "digits"
method = "grid"
passes = 2
temperatures = 10
validation_images = 20
[fixed]
n_components = 6
batch_size = 100
[space]
learning_rate = [0.1, 0.5]
init = ["zeros", "conditional"]
"""


def test_another_space_in_the_same_folder_is_refused_and_nothing_is_lost(grid, tmp_path):
    folder = tmp_path / "other"
    shutil.copytree(grid, folder)
    changed = {**GRID, "space": {**GRID["space"], "learning_rate": [0.1, 0.7]}}
    with pytest.raises(ValueError, match=r"of another run: expected space.learning_rate.1 = 0.7, got 0.5"):
        SweepRun(space_of(changed), folder)
    assert figures(folder) == figures(grid)


def test_a_damaged_result_is_named_and_a_damaged_plan_too(grid, tmp_path):
    folder = tmp_path / "damaged"
    shutil.copytree(grid, folder)
    path = result_path(folder, name_of(2, 0))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DamagedResult, match=path.name):
        SweepRun(space_of(GRID), folder)
    for text in ("{", "[]", '{"format": 9}', '{"format": 1}', '{"format": 1, "space": 3}'):
        (folder / FILE).write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=FILE):
            read_plan(folder)
    assert read_plan(tmp_path / "nowhere") is None


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # overflow is what is provoked
def test_a_trial_that_diverges_or_raises_is_a_row_with_its_reason(tmp_path):
    told = {
        **GRID,
        "model": "RBM",
        "space": {"learning_rate": [0.05, 1e200]},
    }
    SweepRun(space_of(told), tmp_path / "sweep").run()
    sweep = read_sweep(tmp_path / "sweep")
    assert sweep is not None
    good, bad = sweep.rows
    assert (good.state, bad.state) == (DONE, FAILED)
    assert "diverged" in bad.reason
    assert "| failed: training diverged" in (tmp_path / "sweep" / "report.md").read_text(encoding="utf-8")


def test_a_worker_that_has_other_images_ends_the_sweep_and_stores_nothing(tmp_path, monkeypatch):
    run = SweepRun(space_of(GRID), tmp_path / "sweep")
    run.plan = run.plan._replace(images="others")
    with pytest.raises(ValueError, match="give all workers the same files"):
        run.run()
    assert set(figures(tmp_path / "sweep").values()) == {(WAITING, -1, None, "")}


class Dying:
    """Workers who all die of one trial, whenever they try it."""

    workers = ("one",)

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> Dying:
        return self

    def __exit__(self, *error: object) -> None: ...

    def submit(self, what: str, function: Any, *args: Any) -> Any:
        return lambda: function(*args)

    def arrivals(self, values: list[Any]) -> Iterator[tuple[Any, Any]]:
        for place, value in enumerate(values):
            yield value, PoolLost("a task ended 4 workers") if place == self._number else value()


def test_a_trial_of_which_all_workers_die_is_left_for_the_next_time(grid, tmp_path, monkeypatch, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(TOML, encoding="utf-8")
    command = ["sweep", str(path), "--output", str(tmp_path / "out")]
    monkeypatch.setattr(cli, "_workers_for", lambda arguments, n: Dying(2))
    assert cli.main(command) == 1
    said = capsys.readouterr().err
    assert "trial 2: lost, the same command tries it again: a task ended 4 workers" in said
    assert "1 are not done; the same command tries them again" in said
    monkeypatch.undo()
    assert cli.main([*command, "--workers", "0"]) == 0
    assert figures(tmp_path / "out") == figures(grid)


def test_a_failure_on_the_first_rung_leaves_its_place_to_others(tmp_path, monkeypatch):
    attempt = running.attempt
    worst = drawn(space_of(HALVING))[0]

    def failing(work: Any) -> Outcome:
        return Outcome({"reason": "ValueError: no"}) if work.settings == worst else attempt(work)

    monkeypatch.setattr(running, "attempt", failing)
    SweepRun(space_of(HALVING), tmp_path / "sweep").run()
    found = figures(tmp_path / "sweep")
    assert found[0] == (FAILED, 0, None, "ValueError: no")
    assert sorted(state for state, *_ in found.values()) == [DONE, FAILED, OUT, OUT]
    assert WAITING not in {state for state, *_ in found.values()}


EXAMPLE = ROOT / "examples" / "sweep.toml"


def test_the_example_is_that_of_the_documentation_and_needs_no_download():
    text = EXAMPLE.read_text(encoding="utf-8")
    documented = (ROOT / "docs" / "sweeps.md").read_text(encoding="utf-8")
    assert text[text.index("model = ") :] in documented
    space = read_space(EXAMPLE)
    assert not lrbn_viz.datasets.DATASETS[space.dataset].needs_files


@pytest.mark.slow
def test_the_example_runs(tmp_path, capsys):
    space = read_space(EXAMPLE)
    assert cli.main(["sweep", str(EXAMPLE), "--workers", "0", "--output", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == space.size + 2
    sweep = read_sweep(tmp_path)
    assert sweep is not None
    assert {row.state for row in sweep.rows} == {DONE}


@pytest.mark.slow
def test_the_command_runs_workers_and_prints_the_best_first(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(TOML.replace("learning_rate = [0.1, 0.5]", "learning_rate = [0.1]"), encoding="utf-8")
    assert cli.main(["sweep", str(path), "--workers", "1", "--output", str(tmp_path / "out")]) == 0
    said = capsys.readouterr()
    sweep = read_sweep(tmp_path / "out")
    assert sweep is not None
    assert said.out.splitlines()[1].split()[0] == str(sweep.rows[0].number)
    assert "trial 0: log_likelihood" in said.err


def test_the_command_says_what_is_wrong_in_words(tmp_path, capsys, monkeypatch):
    assert cli.main(["sweep", str(tmp_path / "none.toml")]) == 1
    assert "expected a TOML file of a sweep" in capsys.readouterr().err
    path = tmp_path / "mine.toml"
    path.write_text(TOML.replace("0.5", "-1"), encoding="utf-8")
    assert cli.main(["sweep", str(path)]) == 1
    assert "mine.toml: space.learning_rate must be above 0" in capsys.readouterr().err
    path.write_text(TOML, encoding="utf-8")
    monkeypatch.setitem(__import__("sys").modules, "optuna", None)
    monkeypatch.delitem(__import__("sys").modules, "lrbn_viz.studies.sweep.draw", raising=False)
    assert cli.main(["sweep", str(path), "--output", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "a sweep needs optuna" in said
    assert 'pip install "lrbn_viz[cluster]"' in said


def test_a_budget_in_cpu_seconds_ends_training_and_refuses_what_must_know_the_steps(tmp_path, monkeypatch):
    ticks = itertools.count()
    clock = "lrbn_viz.studies.sweep.trial.cpu_seconds_without_compiling"
    monkeypatch.setattr(clock, lambda: 0.02 * next(ticks))  # each step takes a fiftieth of a second
    told = {**without(GRID, "passes"), "cpu_seconds": 0.05}
    SweepRun(space_of({**told, "space": {"learning_rate": [0.1]}}), tmp_path / "sweep").run()
    sweep = read_sweep(tmp_path / "sweep")
    assert sweep is not None
    (row,) = sweep.rows
    assert row.state == DONE
    assert row.seconds == pytest.approx(0.06), "until the step that is under way ends"
    assert row.passes > 0
    with pytest.raises(ValueError, match="learning_rate_end needs a known number of steps"):
        SweepRun(space_of({**told, "space": {"learning_rate_end": [0.01]}}), tmp_path / "other")
