"""Runs: several models side by side, recorded, stopped, branched, saved and resumed."""

import math
import os
import time
from typing import Any

import numpy as np
import pytest
from forked import forked, program
from hypothesis import given
from hypothesis import strategies as st

from lrbn_viz import RWS, load_dataset
from lrbn_viz.rivals.sbn.variational_bayes import VariationalBayesSystem
from lrbn_viz.studies.runs import FolderRemoved, LaneConfig, Notice, Run, RunConfig, Tick, stored_runs
from lrbn_viz.studies.runs import run as run_module
from lrbn_viz.studies.runs.lanes import lane_records
from lrbn_viz.studies.runs.pace import Pace
from lrbn_viz.studies.runs.recording import probe, usage_of

LANES = {"LRBN": LaneConfig("LRBN", {"n_components": 6}), "RBM": LaneConfig("RBM", {"n_components": 6})}


def config(**how: Any) -> RunConfig:
    settings: dict[str, Any] = {"n_iter": 2, "seed": 3} | how
    return RunConfig("digits", LANES, **settings)


def make(folder=None, run_config=None, **how: Any) -> Run:
    """A run that somebody watches, all the time."""
    settings: dict[str, Any] = {"probe_seconds": 0.05} | how
    made = Run(run_config or config(), load_dataset("digits"), folder, **settings)
    made.pace.seen_until = math.inf
    return made


def finish(run, seconds=240.0):
    run.start()
    assert run.job.join(seconds)
    return run.job.drain()


def parameters(run):
    return {name: run.model(name).layers[0] for name in run.lanes}


def assert_same(left, right):
    for name in left:
        for one, other in zip(left[name], right[name], strict=True):
            np.testing.assert_array_equal(one, other)


class Clock:
    """Time that passes only where a test lets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def looks_of_a_run(monkeypatch, run: Run, clock: Clock, *, step: float, glance: float, probe: float) -> list:
    """Train to the end by a clock of its own; each lane's step, glance and probe takes so many seconds."""
    seen = []
    for name, lane in run.lanes.items():

        def taking(method, seconds: float, kind: str, name=name, lane=lane):
            def timed(*args: Any) -> None:
                method(*args)
                clock.now += seconds
                seen.append((clock.now, kind, name, lane.training.step, lane.glance.step))

            return timed

        monkeypatch.setattr(lane, "add", taking(lane.add, step, "step"))
        monkeypatch.setattr(lane, "peek", taking(lane.peek, glance, "glance"))
        monkeypatch.setattr(lane, "look", taking(lane.look, probe, "probe"))
    for _ in run._events():
        pass
    return seen


@pytest.mark.parametrize("busy", [1.0, 2.0])
def test_while_somebody_watches_what_is_shown_is_at_most_2_s_old_and_costs_a_quarter_at_most(
    monkeypatch, busy
):
    # as they are for the recipes of 200 units; on a machine that another process keeps busy twice as long
    costs = {"step": 0.06 * busy, "glance": 0.06 * busy, "probe": 0.7 * busy}
    clock = Clock()
    run = make(run_config=config(n_iter=10))
    run.pace = Pace(2.0, clock)
    run.pace.seen_until = math.inf
    seen = looks_of_a_run(monkeypatch, run, clock, **costs)
    left: dict[str, list[float]] = {name: [] for name in run.lanes}  # when the model went on from each step
    for at, kind, name, *_ in seen:
        if kind == "step":
            left[name].append(at)
    ages = []
    shown_now = dict.fromkeys(run.lanes, 0)
    done = dict.fromkeys(run.lanes, 0)
    for at, kind, name, step, shown in seen:
        done[name], shown_now[name] = step, shown if kind != "step" else shown_now[name]
        for lane in run.lanes:
            if done[lane] > shown_now[lane]:
                ages.append(at - left[lane][shown_now[lane]])
    assert 0.5 < max(ages) <= 2.0
    last = [at for at, kind, *_ in seen if kind == "step"][-1]
    looked = sum(costs[kind] for at, kind, *_ in seen if kind != "step" and at <= last)
    assert last > 60
    assert 0.1 < looked / last <= 0.25
    assert sum(kind == "probe" for _, kind, *_ in seen) > 2 * len(run.lanes)


def test_while_nobody_watches_no_model_is_looked_at_before_the_end(monkeypatch):
    clock = Clock()
    run = make(run_config=config(n_iter=10))
    run.pace = Pace(2.0, clock)
    seen = looks_of_a_run(monkeypatch, run, clock, step=0.06, glance=0.06, probe=0.7)
    kinds = [kind for _, kind, *_ in seen]
    assert kinds[-2:] == ["probe", "probe"]
    assert set(kinds[:-2]) == {"step"}
    assert run.looked_seconds == 0.0


@given(st.floats(0.02, 0.1), st.floats(0.001, 0.35), st.floats(0.01, 6.0))
def test_whatever_looking_costs_it_takes_a_quarter_of_the_time_at_most(step, glance, probe):
    clock, looked, ages = Clock(), 0.0, []
    pace = Pace(2.0, clock)
    pace.seen_until = math.inf
    costs = {"glance": glance, "probe": probe}
    old_since = 0.0  # when the model went on from what is shown
    for n in range(2000):
        clock.now += step
        old_since = old_since or clock.now
        ages.append(clock.now - old_since)
        for look in pace.due():
            clock.now += costs[look]
            pace.done(look, costs[look])
            looked += costs[look] if n else 0.0  # the first ones are at once
            if look == "glance":
                ages.append(clock.now - old_since)
                old_since = 0.0
    assert looked <= 0.25 * clock.now + probe + glance
    assert max(ages) <= 2.0


def test_a_page_that_asks_counts_as_watching_for_two_seconds():
    clock = Clock()
    pace = Pace(2.0, clock)
    assert pace.due() == []
    pace.see()
    assert pace.due() == ["glance", "probe"]
    clock.now = 1.9
    assert pace.due() == ["glance", "probe"]
    clock.now = 2.0
    assert pace.due() == []


def test_both_models_are_trained_recorded_and_end_with_the_budget():
    run = make()
    assert run.progress == 0.0
    last = finish(run)
    assert last.status == "done"
    ticks = [tick for tick in last.events if isinstance(tick, Tick)]
    assert [tick.event.step for tick in ticks if tick.lane == "LRBN"] == list(range(1, 125))
    assert run.progress == 1.0
    for name, lane in run.lanes.items():
        assert {
            "gradient_norm",
            "probe_wrong_pixels",
            "probe_wrong_pixels_factorised",
            "probe_dead_units",
        } <= set(lane.curves), name
        assert "validation_score" in lane.curves
        assert lane.history.steps[-1] == 120
        assert lane.probe.step == 124
        assert lane.probe.usage.shape == (6,)
        assert lane.probe.reconstructions.shape == (8, 64)
        assert lane.probe.samples.shape == (8, 64)
        assert lane.probe_of(lane.history.at(0)).step == 0
        assert lane.probe_of(lane.history.at(125)).step == 120
    lane = run.lanes["LRBN"]
    assert lane.probe.figures["wrong_pixels"] < lane.probe_of(lane.history.at(0)).figures["wrong_pixels"] - 1
    assert "log_joint" in run.lanes["LRBN"].curves
    rbm = run.lanes["RBM"].probe.figures
    assert rbm["wrong_pixels"] == rbm["wrong_pixels_factorised"]


def test_a_unit_is_on_where_its_state_is_or_where_its_mean_says_likelier_on_than_off():
    means = np.array([[0.2, 0.6, 0.5], [0.4, 0.9, 0.5], [0.0, 0.1, 0.5]])
    np.testing.assert_array_equal(usage_of(means), [0.0, 2 / 3, 0.0])
    states = np.array([[0, 1], [0, 1], [0, 0]], np.uint8)
    np.testing.assert_array_equal(usage_of(states), states.mean(axis=0))
    data = load_dataset("digits")
    system = VariationalBayesSystem((6, 4))
    found = probe(system, system.init(data.train_X[:40], np.random.default_rng(0)), 0, data.test_X[:40])
    assert found.usage.shape == (10,)
    assert found.figures["dead_units"] == (found.usage == 0).sum()


def test_probes_and_pauses_change_nothing_of_what_is_learned():
    expected = make(probe_seconds=1e9)
    finish(expected)
    run = make(probe_seconds=0.0)
    run.advance(5)
    while run.job.status == "running":
        time.sleep(0.005)
    finish(run)
    assert_same(parameters(run), parameters(expected))


def test_equal_seeds_give_equal_runs_and_others_do_not():
    runs = [make(run_config=config(seed=seed)) for seed in (1, 1, 2)]
    for run in runs:
        finish(run)
    assert_same(parameters(runs[0]), parameters(runs[1]))
    assert not np.array_equal(parameters(runs[0])["LRBN"].W, parameters(runs[2])["LRBN"].W)


def test_a_branch_from_an_earlier_moment_runs_as_the_run_did_unless_it_is_changed():
    run = make()
    finish(run)
    expected = parameters(run)
    assert run.go_back(63) == 60
    assert all(lane.training.step == 60 for lane in run.lanes.values())
    assert all(lane.history.steps[-1] == 60 for lane in run.lanes.values())
    assert run.lanes["LRBN"].curves["log_joint"].points()[0][-1] == 60
    finish(run)
    assert_same(parameters(run), expected)
    run.go_back(60)
    run.change("LRBN", learning_rate=0.01)
    finish(run)
    assert not np.array_equal(parameters(run)["LRBN"].W, expected["LRBN"].W)
    np.testing.assert_array_equal(parameters(run)["RBM"].W, expected["RBM"].W)


def test_a_longer_budget_lets_an_ended_run_go_on():
    run = make()
    finish(run)
    run.extend(3)
    finish(run)
    whole = make(run_config=config(n_iter=3))
    finish(whole)
    assert_same(parameters(run), parameters(whole))


def test_what_cannot_change_or_does_not_exist_is_refused_in_words():
    run = make()
    with pytest.raises(ValueError, match="n_components cannot change during a run"):
        run.change("LRBN", n_components=7)
    with pytest.raises(ValueError, match="learning_rate must be"):
        run.change("LRBN", learning_rate=-1.0)
    with pytest.raises(ValueError, match="RBM has no setting 'prior'; it has"):
        RunConfig("digits", {"a": LaneConfig("RBM", {"prior": "flat"})}).check()
    with pytest.raises(ValueError, match="at least one model"):
        RunConfig("digits", {}).check()
    with pytest.raises(ValueError, match="system"):
        RunConfig("digits", {"a": LaneConfig("VAE")}).check()
    with pytest.raises(ValueError, match="n_iter"):
        config(n_iter=0).check()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # overflow is what is provoked
def test_a_model_that_diverges_is_reported_and_the_other_goes_on():
    lanes = {**LANES, "LRBN": LaneConfig("LRBN", {"n_components": 6, "learning_rate": 1e308})}
    run = make(run_config=RunConfig("digits", lanes, n_iter=1))
    last = finish(run)
    assert last.status == "done"
    (notice,) = [event for event in last.events if isinstance(event, Notice)]
    assert notice.what == "LRBN"
    assert "Lower learning_rate" in notice.words
    assert run.lanes["RBM"].training.step == 62
    assert isinstance(run.lanes["LRBN"].error, FloatingPointError)


def test_a_disk_that_fills_up_is_reported_and_training_goes_on(tmp_path, monkeypatch):
    run = make(tmp_path / "run", checkpoint_seconds=0.1)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    last = finish(run)
    notices = [event.words for event in last.events if isinstance(event, Notice)]
    assert "No space left on device" in notices[0]
    assert last.status == "done"
    assert run.progress == 1.0
    assert not (tmp_path / "run" / "checkpoint").exists()


def test_a_run_counts_as_stopped_once_its_last_checkpoint_is_on_disk(tmp_path, monkeypatch):
    replace, seen = os.replace, []
    # no checkpoint but the last, however long the kernels take to be ready
    run = make(tmp_path / "run", run_config=config(n_iter=10**6), checkpoint_seconds=1e9)

    def watched(*paths):
        time.sleep(0.05)
        seen.append(run.job.status)
        replace(*paths)

    monkeypatch.setattr(os, "replace", watched)
    run.start()
    assert run.stop(240.0)
    assert seen == ["running", "running"]  # run.json and the checkpoint
    assert run.job.status == "cancelled"


def test_a_last_checkpoint_that_cannot_be_written_is_said_and_the_run_still_stops(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    run = make(tmp_path / "run", run_config=config(n_iter=10**6))
    run.advance(4)
    while run.job.status == "running":
        time.sleep(0.005)
    monkeypatch.setattr(os, "fsync", full)
    assert run.stop(240.0)
    last = run.job.drain()
    assert last.status == "cancelled"
    assert [event.words for event in last.events if isinstance(event, Notice)] == [
        "The checkpoint could not be written: [Errno 28] No space left on device. "
        "What came after the last one is not on disk."
    ]


def test_stopping_writes_a_checkpoint_from_which_the_run_resumes_bit_for_bit(tmp_path):
    expected = make()
    finish(expected)
    run = make(tmp_path / "a")
    run.advance(50)
    while run.job.status == "running":
        time.sleep(0.005)
    curves = {name: lane.arrays() for name, lane in run.lanes.items()}
    assert run.stop(240.0)
    assert run.job.status == "cancelled"
    (kept,) = stored_runs(tmp_path)
    assert kept.name == "a"
    assert kept.config == run.config
    resumed = Run.resume(tmp_path / "a", load_dataset("digits"))
    assert {lane.training.step for lane in resumed.lanes.values()} == {25}
    np.testing.assert_array_equal(
        resumed.lanes["LRBN"].curves["log_joint"].to_array(), curves["LRBN"]["log_joint"]
    )
    finish(resumed)
    assert_same(parameters(resumed), parameters(expected))


def test_a_folder_lists_all_its_runs_and_says_why_one_cannot_be_read(tmp_path):
    make(tmp_path / "never-saved")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("{")
    run = make(tmp_path / "good")
    run.save()
    found = {stored.name: stored for stored in stored_runs(tmp_path)}
    assert set(found) == {"broken", "good"}
    assert found["good"].config == run.config
    assert found["broken"].config is None
    assert "expected JSON" in found["broken"].error
    content = bytearray((tmp_path / "good" / "checkpoint").read_bytes())
    content[-1] ^= 1
    (tmp_path / "good" / "checkpoint").write_bytes(content)
    with pytest.raises(ValueError, match="checkpoint is damaged"):
        Run.resume(tmp_path / "good", load_dataset("digits"))


def test_the_gaussian_model_is_trained_on_grey_images():
    run = Run(config(binary=False, n_iter=1), load_dataset("digits", binary=False), probe_seconds=0.05)
    lanes = {"LRBN": run.lanes["LRBN"]}
    before = lanes["LRBN"].probe.figures["wrong_pixels"]
    assert finish(run).status == "done"
    assert run.lanes["LRBN"].probe.figures["wrong_pixels"] < before
    assert run.model("LRBN").visible == "gaussian"


TRAINER = """
import sys, time
from engine.test_runs import make
run = make(sys.argv[1], checkpoint_seconds=0.05)
run.start()
while not run.job.ended:
    run.drain()
    print(run.saved_step, flush=True)
    time.sleep(0.01)
"""


def test_a_run_killed_without_warning_is_resumed_to_the_same_parameters(tmp_path):
    expected = make(run_config=config())
    finish(expected)
    folder = tmp_path / "run"
    with forked(program(TRAINER, str(folder))) as trainer:
        for line in trainer.stdout:
            if int(line) > 0:
                break
        trainer.kill()
        trainer.wait()
    resumed = Run.resume(folder, load_dataset("digits"))
    assert resumed.saved_step > 0
    finish(resumed)
    assert_same(parameters(resumed), parameters(expected))


@pytest.mark.parametrize("system", ["RWS", "Two-layer RWS", "DBN"])
def test_a_lane_has_the_latents_of_each_layer_by_their_own_name(system):
    run = RunConfig("digits", {"one": LaneConfig(system, {"n_components": [5, 3]})})
    with pytest.raises(TypeError, match="n_components must be an integer"):
        run.check()


def test_a_run_can_begin_from_networks_of_several_layers():
    data, config = load_dataset("digits"), LaneConfig("Two-layer RWS", {"n_components": 5, "n_top": 3})
    run = RunConfig("digits", {"RWS": config}, n_iter=1)
    begun, other = (RWS(sizes, n_iter=1).fit(data.train_X[:50]).params_ for sizes in ((5, 3), (5, 2)))
    state = lane_records(run, data, 10**6, {"RWS": begun})["RWS"].training.state
    np.testing.assert_array_equal(state.layers[1].W, begun[1].W.astype(np.float32))
    with pytest.raises(ValueError, match=r"RWS has 5, 3 units and images of 64 values.*got 5, 2 units"):
        lane_records(run, data, 10**6, {"RWS": other})


def test_a_run_can_begin_from_given_parameters():
    first = make()
    finish(first)
    kept = first.model("LRBN").params_
    run = make(start_from={"LRBN": kept})
    np.testing.assert_array_equal(run.model("LRBN").layers[0].W, kept[0].W)
    assert run.model("RBM").layers[0].W.std() < 0.1 * kept[0].W.std()
    with pytest.raises(ValueError, match=r"LRBN has 5 units.*got 6 units"):
        make(
            run_config=RunConfig("digits", {"LRBN": LaneConfig("LRBN", {"n_components": 5})}),
            start_from={"LRBN": kept},
        )


def test_a_folder_that_was_removed_while_the_run_goes_on_comes_back_only_when_that_is_asked_for(
    tmp_path, tmp_path_factory
):
    run = make(tmp_path / "run", checkpoint_seconds=0.02)
    run.advance(3)
    run.save()
    # at once: a folder that is removed file by file may get another meanwhile, as the run writes on
    (tmp_path / "run").rename(tmp_path_factory.mktemp("removed") / "run")
    with pytest.raises(FolderRemoved, match="folder of this run was removed"):
        run.save()
    last = finish(run)
    assert last.status == "done"
    assert run.folder_removed
    notices = [event.words for event in last.events if isinstance(event, Notice)]
    assert "was removed" in notices[-1]
    assert "Training goes on" in notices[-1]
    assert list(tmp_path.iterdir()) == []
    run.write_again().result(60)
    assert not run.folder_removed
    assert [stored.name for stored in stored_runs(tmp_path)] == ["run"]
    assert run.saved_step == run.step == 124
    assert Run.resume(tmp_path / "run", load_dataset("digits")).step == 124


@pytest.mark.parametrize("moment", ["file_signature", "save_checkpoint"])
def test_a_folder_that_is_removed_while_a_checkpoint_is_written_does_not_come_back(
    moment, tmp_path, tmp_path_factory, monkeypatch
):
    run = make(tmp_path / "run")
    run.save()
    then = getattr(run_module, moment)

    def removed_first(*args: Any) -> Any:
        if (tmp_path / "run").exists():
            (tmp_path / "run").rename(tmp_path_factory.mktemp("removed") / "run")
        return then(*args)

    monkeypatch.setattr(run_module, moment, removed_first)
    with pytest.raises(FolderRemoved):
        run.save()
    assert run.folder_removed
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_that_another_program_has_written_meanwhile_is_left_as_it_is(tmp_path):
    first = make(tmp_path / "run")
    first.advance(20)
    first.stop(240.0)
    second = Run.resume(tmp_path / "run", load_dataset("digits"))
    finish(second)
    with pytest.raises(OSError, match="another program has written"):
        first.save()
    assert Run.resume(tmp_path / "run", load_dataset("digits")).step == 124


def test_a_look_brings_the_probe_up_to_the_step_in_hand():
    run = make()
    run.pace.seen_until = 0.0
    run.advance(4)
    while run.job.status == "running":
        time.sleep(0.005)
    assert run.lanes["LRBN"].probe.step == 0
    run.look().result(60)
    assert run.lanes["LRBN"].probe.step == run.lanes["LRBN"].training.step == 2
