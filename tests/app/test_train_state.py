"""The state of the Train page judges what is typed, and starts, steps, changes, leaves and finds runs."""

import base64
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import param
import pytest
from app.training import training_state, until

from lrbn_viz import LRBN, load_dataset
from lrbn_viz.app.train.form import NONE, config_of, form_fields, form_of
from lrbn_viz.app.train.panel import FormPanel
from lrbn_viz.app.train.presets import PRESETS
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.studies.runs import Parent, Run, RunConfig, stored_runs
from lrbn_viz.studies.runs.estimate import time_words
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.training import race


@pytest.fixture
def state(tmp_path) -> Iterator[TrainState]:
    with training_state(tmp_path, 0.2, 5, 5) as made:
        yield made


def steps(state: TrainState) -> dict[str, int]:
    assert state.live is not None
    return {name: lane.training.step for name, lane in state.live.run.lanes.items()}


def weights(state: TrainState) -> dict[str, Any]:
    assert state.live is not None
    return {name: state.live.run.model(name).layers[0].W for name in state.live.run.lanes}


def give(state: TrainState, content: bytes, lane: int = 0, piece: int = 5000) -> None:
    """Send a model file in pieces, as a page does, and wait until it is read."""
    upload = state.model_file
    upload.begin(lane, "mine.npz", len(content))
    for at in range(0, len(content), piece):
        assert upload.progress[3:5] == (len(content), at)
        upload.take(at, base64.b64encode(content[at : at + piece]).decode())
    deadline = time.monotonic() + 60
    while upload.busy and time.monotonic() < deadline:
        upload.poll()
        time.sleep(0.002)
    assert not upload.busy


def words(state: TrainState) -> str:
    """What is said beside the field of model files."""
    assert state.model_file.progress.refused
    return state.model_file.progress.words


def pause(state: TrainState) -> None:
    state.pause()
    until(state, lambda: state.status == "paused")


def test_the_page_opens_on_a_recipe_that_takes_ten_seconds_in_equal_parts_with_falling_rates(tmp_path):
    state = TrainState(RunRegistry(tmp_path))
    assert (state.preset, PRESETS[state.preset].title) == ("small", "Small and quick: digits, 10 seconds")
    config = state.config()
    assert config.dataset == "digits"
    assert config.level_by == "seconds"
    assert config.max_seconds * len(config.lanes) == 10.0
    assert [lane.system for lane in config.lanes.values()] == ["LRBN", "RBM"]
    assert all(np.isfinite(lane.settings["decay_steps"]) for lane in config.lanes.values())


def test_a_rival_has_the_same_seconds_or_epochs_and_a_rate_that_falls():
    for name, preset in PRESETS.items():
        assert ("max_seconds" in preset.run) != ("n_iter" in preset.run), name
        for lane in preset.lanes:
            if lane.system == "RBM":
                falls = (
                    lane.settings.get("decay_steps", np.inf) < np.inf or "learning_rate_end" in lane.settings
                )
                assert falls, name


def test_a_recipe_leaves_the_data_set_that_a_visitor_chose(tmp_path):
    state = TrainState(RunRegistry(tmp_path))
    state.choose_preset("flat")
    assert (state.form.dataset, state.form.budget) == ("mnist5k", "seconds")
    state.choose_preset("small")
    assert state.form.dataset == "digits"
    state.edit("dataset", "bars")
    state.choose_preset("flat")
    assert state.form.dataset == "bars"


def test_a_model_that_must_know_the_number_of_steps_brings_a_budget_in_epochs(tmp_path):
    state = TrainState(RunRegistry(tmp_path))
    state.edit("1.system", "LRBN")
    assert state.form.budget == "seconds"
    state.edit("1.system", "DBN")
    assert (state.form.budget, state.messages) == ("passes", {})


@pytest.mark.parametrize("budget", ["passes", "seconds"])
def test_a_finished_run_trains_on_for_as_long_again(state, budget):
    state.edit("budget", budget)
    state.edit("amount", "1" if budget == "passes" else "0.05")
    state.start()
    until(state, lambda: state.status == "done")
    before, live = steps(state), state.live
    assert live is not None
    state.train_on()
    until(state, lambda: steps(state) != before and state.status == "done")
    after = steps(state)
    config = live.run.config
    if budget == "passes":
        assert config.n_iter == 2
        assert after == {name: 2 * n for name, n in before.items()}
    else:
        assert config.max_seconds >= 0.1
        assert all(after[name] > n for name, n in before.items())
        assert all(lane.training.seconds >= config.max_seconds for lane in live.run.lanes.values())
    assert float(state.form.texts["amount"]) == (2 if budget == "passes" else config.max_seconds)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_run_that_can_be_made(name, tmp_path):
    state = TrainState(RunRegistry(tmp_path))
    state.choose_preset(name)
    assert state.messages == {}
    config = state.config()
    config.check()
    assert len(config.lanes) == 2
    for lane, given in zip(config.lanes.values(), PRESETS[name].lanes, strict=True):
        shared = given.settings.keys() & lane.settings.keys()  # what matters under the others
        assert "n_components" in shared
        assert {key: lane.settings[key] for key in shared} == {key: given.settings[key] for key in shared}


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("0.learning_rate", "abc", "expected a number, got 'abc'"),
        ("0.learning_rate", "-1", "above 0"),
        ("0.learning_rate", "", "expected a number"),
        ("0.n_components", "2.5", "whole number"),
        ("1.n_gibbs", "0", "at least 1"),
        ("batch_size", "0", "at least 1"),
        ("amount", "x", "number"),
        ("amount", "nan", "whole number"),
        ("seed", "-3", "at least 0"),
    ],
)
def test_a_wrong_field_is_told_in_words_as_it_is_typed_and_stops_the_start(state, path, text, says):
    state.edit(path, text)
    assert list(state.messages) == [path]
    assert says in state.messages[path]
    state.start()
    assert state.status == "none"
    assert says in state.error


def test_two_fields_that_contradict_each_other_are_told_at_one_of_them(state):
    state.edit("0.e_step", "annealed")
    state.edit("0.hottest", "0.05")
    assert "Final temperature must be at most Initial temperature" in state.messages["0.coldest"]
    state.edit("0.coldest", "0.01")
    assert state.messages == {}


def test_a_field_that_does_not_matter_cannot_be_wrong(state):
    state.edit("0.warm_up", "junk")
    assert state.messages == {}
    state.edit("0.prior", "warmed")
    assert list(state.messages) == ["0.warm_up"]


@pytest.mark.parametrize(
    "path", ["", "0", "0.", "7.learning_rate", "0.nothing", "1.__class__", "texts", "x.y"]
)
def test_what_is_no_field_changes_nothing(state, path):
    before = state.form
    state.edit(path, "1")
    assert state.form == before


def test_it_trains_pauses_steps_and_finishes(state):
    state.edit("amount", "2")
    state.step()
    until(state, lambda: state.status == "paused")
    assert steps(state) == {"LRBN": 1, "RBM": 1}
    until(state, lambda: state.live.run.lanes["LRBN"].probe.step == 1)
    state.start()
    until(state, lambda: state.status == "done")
    assert state.live.run.progress == 1.0
    state.step()
    state.start()
    assert set(steps(state).values()) == {state.live.run.step}


def test_reset_gives_the_same_run_bit_for_bit(state):
    state.edit("amount", "1")
    state.start()
    until(state, lambda: state.status == "done")
    first, name = weights(state), state.run_name
    state.reset()
    until(state, lambda: state.status == "new")
    assert state.run_name != name
    assert steps(state) == {"LRBN": 0, "RBM": 0}
    state.start()
    until(state, lambda: state.status == "done")
    for lane, W in weights(state).items():
        np.testing.assert_array_equal(W, first[lane])


def test_settings_change_while_paused_and_those_that_need_a_new_model_do_not(state):
    state.start()
    until(state, lambda: state.status == "running" and steps(state)["LRBN"] > 2)
    assert state.fixed("0.learning_rate") == "Pause to change it."
    pause(state)
    assert state.fixed("0.learning_rate") == ""
    assert "begin a new run" in state.fixed("0.n_components")
    assert "begin a new one" in state.fixed("dataset")
    state.edit("0.learning_rate", "0.01")
    assert state.live.run.lanes["LRBN"].training.system.learning_rate == 0.01
    assert state.live.run.config.lanes["LRBN"].settings["learning_rate"] == 0.01
    state.edit("0.learning_rate", "0")
    assert state.live.run.lanes["LRBN"].training.system.learning_rate == 0.01
    state.edit("0.n_components", "9")
    assert state.live.run.config.lanes["LRBN"].settings["n_components"] == 5


def test_a_run_that_is_done_goes_on_when_it_is_given_more_passes(state):
    state.edit("amount", "1")
    state.start()
    until(state, lambda: state.status == "done")
    before = steps(state)["LRBN"]
    assert state.fixed("amount") == ""
    state.edit("amount", "2")
    until(state, lambda: state.status == "new")
    state.start()
    until(state, lambda: state.status == "done")
    assert steps(state)["LRBN"] == 2 * before


def finished(state: TrainState) -> str:
    """Train to the end; the name of the run."""
    state.edit("amount", "2")
    state.start()
    until(state, lambda: state.status == "done")
    return state.run_name


def look_back(state: TrainState, step: int) -> None:
    state.look(step)
    until(state, lambda: state.moment is not None and state.moment.step == step // 10 * 10)


def test_it_looks_back_and_branches(state):
    parent = finished(state)
    look_back(state, 37)
    trained, probe = state.moment.lanes["LRBN"]
    assert probe.step == 30
    np.testing.assert_array_equal(trained.params.W, state.live.run.model("LRBN", 37).layers[0].W)
    state.look(20)
    state.look(10)
    until(state, lambda: state.moment.step == 10)
    expected = weights(state)
    state.branch()
    assert state.status == "loading"
    until(state, lambda: state.run_name != parent)
    assert (state.status, state.cursor) == ("new", -1)
    assert set(steps(state).values()) == {10}
    assert state.live.run.config.parent == Parent(parent, 10)
    until(state, lambda: {run.name for run in state.stored} == {parent, state.run_name})
    state.start()
    until(state, lambda: state.status == "done")
    for lane, W in weights(state).items():
        np.testing.assert_array_equal(W, expected[lane])
    branch = state.run_name
    state.open(parent)
    until(state, lambda: state.run_name == parent)
    assert steps(state) == {"LRBN": 124, "RBM": 124}, "the parent is what it was"
    for lane, W in weights(state).items():
        np.testing.assert_array_equal(W, expected[lane])
    state.open(branch)
    until(state, lambda: state.run_name == branch)
    assert state.live.parent.curves["LRBN"]["seconds"][0][-1] == 124


def test_a_branch_that_cannot_be_written_is_said_so_and_the_run_stays(state, monkeypatch):
    parent = finished(state)
    look_back(state, 30)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    state.branch()
    until(state, lambda: state.error)
    assert "No space left" in state.error
    assert (state.run_name, state.status) == (parent, "done")
    assert set(steps(state).values()) == {124}
    assert state.moment.step == 30, "what was looked at still is"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # overflow is what is provoked
def test_a_branch_of_a_run_with_a_failed_model_says_what_that_does(state):
    state.edit("0.learning_rate", "1.7e308")
    parent = finished(state)
    look_back(state, 0)
    state.branch()
    until(state, lambda: state.run_name != parent)
    assert "LRBN had stopped" in state.error
    assert "goes on from minibatch 0; change its settings first" in state.error


def test_while_it_branches_nothing_else_happens_to_the_run(state):
    parent = finished(state)
    look_back(state, 30)
    state.branch()
    for act in (state.start, state.step, state.reset, state.leave, state.branch):
        act()
    assert state.status == "loading"
    until(state, lambda: state.run_name != parent)
    assert set(steps(state).values()) == {30}
    assert state.status == "new"


def test_going_back_discards_what_came_later_in_memory_and_on_disk(state):
    name = finished(state)
    look_back(state, 30)
    state.go_back(20)
    assert state.cursor == 30, "that is not the moment that is shown"
    expected = weights(state)
    state.go_back(30)
    until(state, lambda: state.status == "new" and set(steps(state).values()) == {30})
    assert state.run_name == name
    assert state.live.run.saved_step == 30
    assert [run.name for run in state.stored] == [name]
    state.start()
    until(state, lambda: state.status == "done")
    for lane, W in weights(state).items():
        np.testing.assert_array_equal(W, expected[lane])


def test_going_back_goes_to_the_moment_that_was_shown_whatever_is_looked_for_meanwhile(state):
    finished(state)
    look_back(state, 30)
    state.look(90)
    state.go_back(30)
    until(state, lambda: state.status == "new")
    assert set(steps(state).values()) == {30}


def test_going_back_that_cannot_be_written_is_said_so_and_changes_nothing(state, monkeypatch):
    finished(state)
    look_back(state, 30)
    expected = weights(state)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    state.go_back(30)
    until(state, lambda: state.error)
    assert state.error.startswith("The run did not go back: its checkpoint cannot be written.")
    for lane, W in weights(state).items():
        np.testing.assert_array_equal(W, expected[lane])


def test_a_run_is_deleted_and_comes_back(state):
    name = finished(state)
    learned = weights(state)
    state.leave()
    until(state, lambda: [(run.name, run.live) for run in state.stored] == [(name, "")])
    state.delete(name)
    until(state, lambda: state.deleted and not state.stored)
    (deleted,) = state.deleted
    assert deleted.name == name
    assert 500 < deleted.seconds_left <= 600
    state.undo(deleted.key)
    until(state, lambda: not state.deleted and state.stored)
    assert [run.name for run in state.stored] == [name]
    state.open(name)
    until(state, lambda: state.run_name == name)
    for lane, W in weights(state).items():
        np.testing.assert_array_equal(W, learned[lane])
    state.undo(deleted.key)
    until(state, lambda: state.error)
    assert "is not deleted any more" in state.error


def test_stored_runs_are_listed_with_their_models_sizes_results_and_times(state):
    name = finished(state)
    lanes = state.live.run.lanes
    state.registry.stored = []
    state.refresh()
    until(state, lambda: [run.name for run in state.stored] == [name])
    [offer] = FormPanel(state).form.runs["stored"]
    assert offer["title"] == "8x8 digits: LRBN-5 and RBM-5"
    for said, (key, lane) in zip(offer["results"], lanes.items(), strict=True):
        wrong = lane.probe.figures["wrong_pixels"]
        steps = f"minibatch {lane.training.step:,}"
        assert (
            said == f"{key}: {wrong:.3g} px wrong, {time_words(lane.training.seconds)} by the clock, {steps}"
        )
    [stored] = stored_runs(state.registry.folder)
    assert stored.results == {
        key: (lane.training.step, round(lane.training.seconds, 3), lane.probe.figures["wrong_pixels"])
        for key, lane in lanes.items()
    }


def test_results_of_a_table_are_wrong_observations(state):
    finished(state)
    state.registry.stored = []
    state.refresh()
    until(state, lambda: len(state.stored) == 1)
    [stored] = state.stored
    with param.edit_constant(state):
        state.stored = [stored._replace(config=replace(stored.config, dataset="findings"))]
    [offer] = FormPanel(state).form.runs["stored"]
    assert all("observations wrong" in said and "px" not in said for said in offer["results"])


def test_a_run_that_cannot_be_deleted_or_is_back_by_another_name_is_said_so(state, monkeypatch):
    name = finished(state)
    other = TrainState(state.registry)
    other.delete(name)
    until(other, lambda: other.error)
    assert "is open on a page" in other.error
    state.leave()
    until(state, lambda: state.registry.live(name) is None)

    def read_only(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr("os.rename", read_only)
        state.delete(name)
        until(state, lambda: state.error)
    assert "could not be deleted: [Errno 30] Read-only file system" in state.error
    state.delete(name)
    until(state, lambda: state.deleted)
    (state.registry.folder / name).mkdir()
    state.undo(state.deleted[0].key)
    until(state, lambda: not state.deleted)
    assert state.error == f"{name} is back as {name}-2: another run has its name now."


def test_deleting_waits_for_nobody_on_the_page(state):
    """A run in memory that is at a long step keeps the executor waiting, and not the page."""
    state.edit("amount", "100000")
    state.carry_on = True
    state.start()
    until(state, lambda: state.status == "running" and steps(state)["LRBN"] > 2)
    live, name = state.live, state.run_name
    state.leave()
    held = threading.Event()
    busy = live.run.job.call(held.wait)
    state.delete(name)
    assert not busy.done(), "it is at its long step still"
    held.set()
    until(state, lambda: state.deleted)
    assert busy.done()


def test_a_run_is_left_and_taken_up_again_with_its_settings(state):
    state.edit("0.learning_rate", "0.125")
    state.start()
    until(state, lambda: state.status == "running" and steps(state)["LRBN"] > 2)
    name = state.run_name
    state.leave()
    until(state, lambda: state.registry.live(name) is None)
    until(state, lambda: [run.name for run in state.registry.stored_runs()] == [name])
    other = TrainState(state.registry)
    other.open(name)
    until(other, lambda: other.run_name == name)
    assert other.form.lanes[0].texts["learning_rate"] == "0.125"
    assert other.form.dataset == "digits"
    assert other.messages == {}
    assert steps(other)["LRBN"] > 2


def test_a_run_that_cannot_be_opened_is_said_so(state):
    state.open("no-such-run")
    until(state, lambda: state.error)
    assert "no run called" in state.error
    assert state.status == "none"


def test_a_model_that_diverges_is_said_so_and_the_other_goes_on(state):
    state.edit("amount", "3")
    state.edit("0.learning_rate", "1.7e308")
    state.start()
    until(state, lambda: state.status == "done")
    assert "LRBN stopped" in state.error
    assert "learning_rate" in state.error
    assert steps(state)["RBM"] > 100


def test_a_disk_that_cannot_be_written_is_said_so_and_training_goes_on(state, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    state.registry.run_settings["checkpoint_seconds"] = 0.05
    state.edit("amount", "3")
    state.start()
    until(state, lambda: state.status == "done")
    assert "could not be written" in state.error
    assert "No space left" in state.error
    assert state.live.run.progress == 1.0


def test_data_that_cannot_be_loaded_is_said_so(tmp_path):
    def load(name: str, *, binary: bool) -> Any:
        raise OSError("the file is gone")

    state = TrainState(RunRegistry(tmp_path), load=load)
    state.start()
    until(state, lambda: state.status == "none")
    assert "the file is gone" in state.error


def test_one_model_alone_can_be_trained_and_two_alike_have_names_of_their_own(state):
    state.edit("1.system", NONE)
    assert list(state.config().lanes) == ["LRBN"]
    state.edit("1.system", "LRBN")
    assert list(state.config().lanes) == ["LRBN A", "LRBN B"]
    assert state.form.lanes[1].texts["n_components"] == "5"


def test_time_can_be_the_budget(state):
    state.edit("budget", "seconds")
    state.edit("amount", "0.2")
    assert state.messages == {}
    assert state.config().max_seconds == 0.2
    assert state.config().level_by == "seconds"


def test_a_model_is_saved_and_another_run_begins_from_it(state, tmp_path):
    state.step()
    until(state, lambda: state.status == "paused")
    name, content = state.saved_model(0).result(60)
    assert name == "lrbn-5-digits-1.npz"
    kept = state.live.run.model("LRBN").layers[0]
    state.leave()
    give(state, content)
    assert state.given == (0,)
    state.reset()
    until(state, lambda: state.status == "new")
    np.testing.assert_array_equal(state.live.run.model("LRBN").layers[0].W, kept.W)
    assert state.saved_model(7) is None


def test_a_file_that_is_no_model_or_of_other_images_is_refused_in_words(state, tmp_path):
    give(state, b"PK no model")
    assert words(state).startswith("mine.npz was not read: the file is damaged")
    assert "/" not in words(state), "and nothing of where it lay"
    path = Path(tmp_path) / "grey.npz"
    LRBN.from_params(np.zeros((64, 3)), np.zeros(64), np.zeros(3), "gaussian").save(path)
    give(state, path.read_bytes())
    assert "gaussian units" in words(state)
    assert state.given == ()
    path = Path(tmp_path) / "large.npz"
    LRBN.from_params(np.zeros((9, 3)), np.zeros(9), np.zeros(3)).save(path)
    give(state, path.read_bytes())
    state.start()
    until(state, lambda: state.error)
    assert "64 values" in state.error


def test_every_field_is_a_setting_of_its_model():
    from lrbn_viz import RBM

    for system, kind in (("LRBN", LRBN), ("RBM", RBM)):
        known = kind().get_params()
        assert set(form_fields(system)) - {"where"} <= set(known)  # which is the run's


def test_a_rate_may_fall_to_none_and_what_needs_a_known_end_needs_a_budget_in_passes(state):
    state.choose_preset("small")
    state.edit("budget", "passes")
    state.edit("0.learning_rate_end", "0.01")
    assert "two ways" in state.messages["0.learning_rate_end"]  # this recipe's rate halves
    state.edit("0.decay_steps", "inf")
    assert "0.learning_rate_end" not in state.messages
    assert config_of(state.form).lanes["LRBN"].settings["learning_rate_end"] == 0.01
    state.edit("budget", "seconds")
    assert "needs a known number of steps" in state.messages["0.learning_rate_end"]
    state.edit("0.learning_rate_end", " None ")
    state.edit("0.average", "0.2")
    assert set(state.messages) == {"0.average"}
    state.edit("budget", "passes")
    assert not state.messages
    lanes = config_of(state.form).lanes
    assert lanes["LRBN"].settings["learning_rate_end"] is None
    assert form_of(config_of(state.form)).lanes[0].texts["learning_rate_end"] == "none"


def test_a_rate_that_follows_the_images_is_written_and_typed_as_auto(state):
    state.choose_preset("small")
    state.edit("1.system", "LRBN")
    state.edit("1.system", "RBM")  # with its defaults
    assert state.form.lanes[1].texts["learning_rate"] == "auto"
    for typed, expected in (("0.3", 0.3), (" Auto ", None)):
        state.edit("1.learning_rate", typed)
        assert not state.messages
        assert config_of(state.form).lanes["RBM"].settings["learning_rate"] == expected


def test_grey_images_are_trained_on_by_gaussian_units(state):
    state.choose_preset("gaussian")
    state.edit("0.n_components", "5")
    state.edit("1.n_components", "5")
    state.step()
    until(state, lambda: state.status == "paused")
    assert not state.live.run.dataset.binary
    assert load_dataset("digits", binary=False).test_X.dtype == state.live.run.lanes["LRBN"].images.dtype


def test_the_first_recipes_leave_units_alive_where_the_papers_does_not(tmp_path):
    """The same in small: with 200 units, after 5 epochs of MNIST, it is none of 200 against 87."""
    dead = {}
    for name in (next(iter(PRESETS)), "flat", "paper"):
        lane = PRESETS[name].lanes[0]
        if name != "small":
            lane = replace(lane, settings={**lane.settings, "n_components": 40})
        config = RunConfig("digits", {"LRBN": lane}, batch_size=20, n_iter=5)
        run = Run(config, load_dataset("digits"), tmp_path / name)
        record = run.lanes["LRBN"]
        for _ in race({"LRBN": record.training}):
            pass
        record.look()
        dead[name] = record.probe.figures["dead_units"]
    assert dead["small"] <= 1
    assert dead["flat"] <= 1
    assert dead["paper"] > 10
