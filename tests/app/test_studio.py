"""The studio judges what is typed, and starts, steps, changes, leaves and finds runs."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lrbn_viz import LRBN, load_dataset
from lrbn_viz.app.draft import NONE, config_of, draft_of
from lrbn_viz.app.keeper import Keeper
from lrbn_viz.app.presets import FIELDS, PRESETS
from lrbn_viz.app.studio import Studio


@pytest.fixture
def studio(tmp_path) -> Iterator[Studio]:
    keeper = Keeper(tmp_path, probe_seconds=0.2)
    made = Studio(keeper)
    made.choose_preset("small")
    made.edit("0.n_components", "5")
    made.edit("1.n_components", "5")
    yield made
    keeper.close()


def until(studio: Studio, condition: Callable[[], Any], seconds: float = 240.0) -> None:
    """Poll as a page does until something holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        studio.poll()
        assert time.monotonic() < deadline, f"waited too long; {studio.status}, {studio.trouble}"
        time.sleep(0.005)


def steps(studio: Studio) -> dict[str, int]:
    assert studio.live is not None
    return {name: lane.training.step for name, lane in studio.live.run.lanes.items()}


def weights(studio: Studio) -> dict[str, Any]:
    assert studio.live is not None
    return {name: studio.live.run.model(name).params_.W for name in studio.live.run.lanes}


def pause(studio: Studio) -> None:
    studio.pause()
    until(studio, lambda: studio.status == "paused")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_run_that_can_be_made(name, tmp_path):
    studio = Studio(Keeper(tmp_path))
    studio.choose_preset(name)
    assert studio.messages == {}
    config = studio.config()
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
def test_a_wrong_field_is_told_in_words_as_it_is_typed_and_stops_the_start(studio, path, text, says):
    studio.edit(path, text)
    assert list(studio.messages) == [path]
    assert says in studio.messages[path]
    studio.start()
    assert studio.status == "none"
    assert says in studio.trouble


def test_two_fields_that_contradict_each_other_are_told_at_one_of_them(studio):
    studio.edit("0.e_step", "annealed")
    studio.edit("0.hottest", "0.05")
    assert "coldest" in studio.messages["0.coldest"]
    studio.edit("0.coldest", "0.01")
    assert studio.messages == {}


def test_a_field_that_does_not_matter_cannot_be_wrong(studio):
    studio.edit("0.warm_up", "junk")
    assert studio.messages == {}
    studio.edit("0.prior", "warmed")
    assert list(studio.messages) == ["0.warm_up"]


@pytest.mark.parametrize(
    "path", ["", "0", "0.", "7.learning_rate", "0.nothing", "1.__class__", "texts", "x.y"]
)
def test_what_is_no_field_changes_nothing(studio, path):
    before = studio.draft
    studio.edit(path, "1")
    assert studio.draft == before


def test_it_trains_pauses_steps_and_finishes(studio):
    studio.edit("amount", "2")
    studio.step()
    until(studio, lambda: studio.status == "paused")
    assert steps(studio) == {"LRBN": 1, "RBM": 1}
    until(studio, lambda: studio.live.run.lanes["LRBN"].probe.step == 1)
    studio.start()
    until(studio, lambda: studio.status == "done")
    assert studio.live.run.progress == 1.0
    studio.step()
    studio.start()
    assert set(steps(studio).values()) == {studio.live.run.step}


def test_reset_gives_the_same_run_bit_for_bit(studio):
    studio.edit("amount", "1")
    studio.start()
    until(studio, lambda: studio.status == "done")
    first, name = weights(studio), studio.run_name
    studio.reset()
    until(studio, lambda: studio.status == "new")
    assert studio.run_name != name
    assert steps(studio) == {"LRBN": 0, "RBM": 0}
    studio.start()
    until(studio, lambda: studio.status == "done")
    for lane, W in weights(studio).items():
        np.testing.assert_array_equal(W, first[lane])


def test_settings_change_while_paused_and_those_that_need_a_new_model_do_not(studio):
    studio.start()
    until(studio, lambda: studio.status == "running" and steps(studio)["LRBN"] > 2)
    assert studio.fixed("0.learning_rate") == "Pause to change it."
    pause(studio)
    assert studio.fixed("0.learning_rate") == ""
    assert "begin a new run" in studio.fixed("0.n_components")
    assert "begin a new one" in studio.fixed("dataset")
    studio.edit("0.learning_rate", "0.01")
    assert studio.live.run.lanes["LRBN"].training.system.learning_rate == 0.01
    assert studio.live.run.config.lanes["LRBN"].settings["learning_rate"] == 0.01
    studio.edit("0.learning_rate", "0")
    assert studio.live.run.lanes["LRBN"].training.system.learning_rate == 0.01
    studio.edit("0.n_components", "9")
    assert studio.live.run.config.lanes["LRBN"].settings["n_components"] == 5


def test_a_run_that_is_done_goes_on_when_it_is_given_more_passes(studio):
    studio.edit("amount", "1")
    studio.start()
    until(studio, lambda: studio.status == "done")
    before = steps(studio)["LRBN"]
    assert studio.fixed("amount") == ""
    studio.edit("amount", "2")
    until(studio, lambda: studio.status == "new")
    studio.start()
    until(studio, lambda: studio.status == "done")
    assert steps(studio)["LRBN"] == 2 * before


def test_it_looks_back_and_branches(studio):
    studio.edit("amount", "2")
    studio.start()
    until(studio, lambda: studio.status == "done")
    studio.look(37)
    until(studio, lambda: studio.moment is not None)
    assert studio.moment.step == 30
    state, probe = studio.moment.lanes["LRBN"]
    assert probe.step == 30
    np.testing.assert_array_equal(state.params.W, studio.live.run.model("LRBN", 37).params_.W)
    studio.look(20)
    studio.look(10)
    until(studio, lambda: studio.moment.step == 10)
    expected = weights(studio)
    studio.branch()
    until(studio, lambda: studio.status == "new" and steps(studio)["LRBN"] == 10)
    assert studio.cursor == -1
    studio.start()
    until(studio, lambda: studio.status == "done" and steps(studio)["LRBN"] > 10)
    for lane, W in weights(studio).items():
        np.testing.assert_array_equal(W, expected[lane])


def test_a_run_is_left_and_taken_up_again_with_its_settings(studio):
    studio.edit("0.learning_rate", "0.125")
    studio.start()
    until(studio, lambda: studio.status == "running" and steps(studio)["LRBN"] > 2)
    name = studio.run_name
    studio.leave()
    until(studio, lambda: studio.keeper.live(name) is None)
    until(studio, lambda: [run.name for run in studio.keeper.kept()] == [name])
    other = Studio(studio.keeper)
    other.open(name)
    until(other, lambda: other.run_name == name)
    assert other.draft.lanes[0].texts["learning_rate"] == "0.125"
    assert other.draft.dataset == "digits"
    assert other.messages == {}
    assert steps(other)["LRBN"] > 2


def test_a_run_that_cannot_be_opened_is_said_so(studio):
    studio.open("no-such-run")
    until(studio, lambda: studio.trouble)
    assert "does not exist" in studio.trouble
    assert studio.status == "none"


def test_a_model_that_diverges_is_said_so_and_the_other_goes_on(studio):
    studio.edit("amount", "3")
    studio.edit("0.learning_rate", "1.7e308")
    studio.start()
    until(studio, lambda: studio.status == "done")
    assert "LRBN stopped" in studio.trouble
    assert "learning_rate" in studio.trouble
    assert steps(studio)["RBM"] > 100


def test_a_disk_that_cannot_be_written_is_said_so_and_training_goes_on(studio, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lrbn_viz.checkpoint._replace", full)
    studio.keeper.run_settings["checkpoint_seconds"] = 0.05
    studio.edit("amount", "3")
    studio.start()
    until(studio, lambda: studio.status == "done")
    assert "could not be written" in studio.trouble
    assert "No space left" in studio.trouble
    assert studio.live.run.progress == 1.0


def test_data_that_cannot_be_loaded_is_said_so(tmp_path):
    def load(name: str, *, binary: bool) -> Any:
        raise OSError("the file is gone")

    studio = Studio(Keeper(tmp_path), load=load)
    studio.start()
    until(studio, lambda: studio.status == "none")
    assert "the file is gone" in studio.trouble


def test_one_model_alone_can_be_trained_and_two_alike_have_names_of_their_own(studio):
    studio.edit("1.system", NONE)
    assert list(studio.config().lanes) == ["LRBN"]
    studio.edit("1.system", "LRBN")
    assert list(studio.config().lanes) == ["LRBN A", "LRBN B"]
    assert studio.draft.lanes[1].texts["n_components"] == "5"


def test_time_can_be_the_budget(studio):
    studio.edit("budget", "seconds")
    studio.edit("amount", "0.2")
    assert studio.messages == {}
    assert studio.config().max_seconds == 0.2
    assert studio.config().level_by == "seconds"


def test_a_model_is_saved_and_another_run_begins_from_it(studio, tmp_path):
    studio.step()
    until(studio, lambda: studio.status == "paused")
    name, content = studio.saved_model(0)
    assert name == "lrbn-5-digits-1.npz"
    kept = studio.live.run.model("LRBN").params_
    studio.leave()
    studio.give_model(0, content)
    assert studio.given == (0,)
    studio.reset()
    until(studio, lambda: studio.status == "new")
    np.testing.assert_array_equal(studio.live.run.model("LRBN").params_.W, kept.W)
    assert studio.saved_model(7) is None


def test_a_file_that_is_no_model_or_of_other_images_is_refused_in_words(studio, tmp_path):
    studio.give_model(0, b"PK no model")
    assert studio.trouble.startswith("The model was not read: the file is damaged"), (
        "and nothing of where it lay"
    )
    path = Path(tmp_path) / "grey.npz"
    LRBN.from_params(np.zeros((64, 3)), np.zeros(64), np.zeros(3), "gaussian").save(path)
    studio.give_model(0, path.read_bytes())
    assert "gaussian units" in studio.trouble
    path = Path(tmp_path) / "large.npz"
    LRBN.from_params(np.zeros((9, 3)), np.zeros(9), np.zeros(3)).save(path)
    studio.give_model(0, path.read_bytes())
    studio.start()
    until(studio, lambda: studio.trouble)
    assert "64 values" in studio.trouble


def test_every_field_is_a_setting_of_its_model():
    from lrbn_viz import RBM

    for system, kind in (("LRBN", LRBN), ("RBM", RBM)):
        known = kind().get_params()
        assert {field.name for field in FIELDS[system]} <= set(known)


def test_a_rate_may_fall_to_none_and_what_needs_a_known_end_needs_a_budget_in_passes(studio):
    studio.choose_preset("small")
    studio.edit("0.learning_rate_end", "0.01")
    assert "two ways" in studio.messages["0.learning_rate_end"]  # this recipe's rate halves
    studio.edit("0.decay_steps", "inf")
    assert "0.learning_rate_end" not in studio.messages
    assert config_of(studio.draft).lanes["LRBN"].settings["learning_rate_end"] == 0.01
    studio.edit("budget", "seconds")
    assert "needs a known number of steps" in studio.messages["0.learning_rate_end"]
    studio.edit("0.learning_rate_end", " None ")
    studio.edit("0.average", "0.2")
    assert set(studio.messages) == {"0.average"}
    studio.edit("budget", "passes")
    assert not studio.messages
    lanes = config_of(studio.draft).lanes
    assert lanes["LRBN"].settings["learning_rate_end"] is None
    assert draft_of(config_of(studio.draft)).lanes[0].texts["learning_rate_end"] == "none"


def test_grey_images_are_trained_on_by_gaussian_units(studio):
    studio.choose_preset("gaussian")
    studio.edit("0.n_components", "5")
    studio.edit("1.n_components", "5")
    studio.step()
    until(studio, lambda: studio.status == "paused")
    assert not studio.live.run.dataset.binary
    assert load_dataset("digits", binary=False).test_X.dtype == studio.live.run.lanes["LRBN"].images.dtype
