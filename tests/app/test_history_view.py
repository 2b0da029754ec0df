"""Every figure of a past moment is of that moment, as the run itself recorded it."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from app.training import training_state, until

from lrbn_viz.app.train.blocks import moment_block
from lrbn_viz.app.train.history_view import Moment
from lrbn_viz.app.train.model_files import read_model
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.io.constants import FIGURES
from lrbn_viz.view.player.wire import unpack


@pytest.fixture
def state(tmp_path) -> Iterator[TrainState]:
    with training_state(tmp_path, 1e9) as made:
        yield made


def advance(state: TrainState, step: int) -> None:
    """Train every lane up to a step and let the models be probed there."""
    live = state.live
    assert live is not None
    live.run.advance(len(live.run.lanes) * (step - live.run.step))
    until(state, lambda: all(lane.training.step == step for lane in live.run.lanes.values()))
    until(state, lambda: state.status == "paused")
    until(state, lambda: all(lane.probe.step == step for lane in live.run.lanes.values()))


def look(state: TrainState, step: int) -> Moment:
    state.look(step)
    until(state, lambda: state.moment is not None and state.moment.asked == step)
    assert state.moment is not None
    return state.moment


def test_every_figure_of_a_moment_is_the_one_recorded_there(state):
    state.step()
    until(state, lambda: state.status == "paused")
    recorded: dict[int, dict[str, dict[str, float]]] = {}
    models: dict[int, Any] = {}
    for step in (10, 40, 70, 90):
        advance(state, step)
        run = state.live.run
        recorded[step] = {
            name: {key: curve.points()[1][-1] for key, curve in lane.curves.items()}
            for name, lane in run.lanes.items()
        }
        models[step] = {name: run.model(name) for name in run.lanes}
    for step in (70, 10, 40):
        moment = look(state, step + 3)
        assert (moment.step, state.shown) == (step, step)
        meta, _ = unpack(moment_block(moment, state.live.run, {}))
        for number, name in enumerate(state.live.run.lanes):
            shown = meta["lanes"][number]
            assert shown["step"] == step
            values = {key: value for key, (value, _) in shown["figures"].items()}
            assert values.keys() == recorded[step][name].keys() & set(FIGURES)
            for key, value in values.items():
                assert value == pytest.approx(recorded[step][name][key], rel=1e-6), key
            at = {key: measured for key, (_, measured) in shown["figures"].items()}
            assert at.pop("validation_score", 62) == 62, "the end of the first pass"
            assert set(at.values()) == {step}
            assert shown["passes"] == pytest.approx(step / 62, rel=0.01)
            saved = read_model(BytesIO(state.saved_model(number).result(60)[1]))
            np.testing.assert_array_equal(saved.layers[0].W, models[step][name].layers[0].W)
            assert state.live.run.model(name, step).n_iter_ == models[step][name].n_iter_ == step // 62
    state.look(-1)
    assert state.shown == -1
    assert "90" in state.saved_model(0).result(60)[0]


def test_a_moment_that_is_not_found_yet_is_not_saved_as_another(state):
    state.step()
    until(state, lambda: state.status == "paused")
    advance(state, 40)
    look(state, 10)
    state.look(30)
    assert state.saved_model(0) is None
    assert "still being loaded" in state.error
    until(state, lambda: state.shown == 30)
    assert state.saved_model(0).result(60)[0].endswith("-30.npz")


def test_a_history_that_thins_out_meanwhile_changes_nothing_of_the_moment_that_is_shown(state):
    state.step()
    until(state, lambda: state.status == "paused")
    advance(state, 40)
    moment = look(state, 30)
    for lane in state.live.run.lanes.values():
        lane.history.cut(10)
    assert state.saved_model(0).result(60)[0].endswith("-30.npz")
    meta, _ = unpack(moment_block(moment, state.live.run, {}))
    assert [lane["step"] for lane in meta["lanes"]] == [30, 30]
