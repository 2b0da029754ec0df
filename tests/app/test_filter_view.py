"""A unit's past on the Train page: its filter and its use at stored moments are the run's own."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from app.training import training_state, until

from lrbn_viz.app.train.blocks import filter_block
from lrbn_viz.app.train.feed import Feed
from lrbn_viz.app.train.filter_view import MAX_MOMENTS
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.view.player.wire import unpack


@pytest.fixture
def state(tmp_path) -> Iterator[TrainState]:
    with training_state(tmp_path, 1e9) as made:
        yield made


def test_a_units_past_is_that_of_the_stored_states_and_the_board_is_told_once(state):
    state.step()
    until(state, lambda: state.status == "paused")
    live = state.live
    assert live is not None
    live.run.advance(2 * 250)
    until(state, lambda: all(lane.training.step > 240 for lane in live.run.lanes.values()))
    until(state, lambda: state.status == "paused")
    feed = Feed(state)
    state.look_into(1, 3)
    state.look_into(0, 5)  # the last one asked for is found, too
    until(state, lambda: state.filter_past is not None and state.filter_past.lane == 0)
    past = state.filter_past
    assert past is not None
    lane = next(iter(live.run.lanes.values()))
    assert (past.unit, past.steps[0], past.steps[-1]) == (5, 0, lane.history.last_step)
    assert 2 < len(past.steps) <= MAX_MOMENTS
    assert np.all(np.diff(past.steps) > 0)
    system = lane.training.system
    for n, step in enumerate(past.steps):
        stored = lane.history.at(int(step)).state
        np.testing.assert_array_equal(past.weights[:, n], system.weights(stored)[:, 5])
        assert past.usage[n] == (system.encode(stored, lane.images)[:, 5] > 0.5).mean()
    meta, arrays = unpack(filter_block(past, live.run.dataset.image_shape))
    assert (meta["lane"], meta["unit"]) == (0, 5)
    shares = arrays["filters"] / 127 * arrays["largest"][:, None]
    np.testing.assert_allclose(shares, past.weights.T, atol=np.abs(past.weights).max() / 250)
    kinds = []
    deadline = time.monotonic() + 60
    while "filter" not in kinds and time.monotonic() < deadline:
        kinds += [unpack(raw)[0]["kind"] for raw in feed.messages() if raw[:4] == b"LRB1"]
    for _ in range(20):
        kinds += [unpack(raw)[0]["kind"] for raw in feed.messages() if raw[:4] == b"LRB1"]
    assert kinds.count("filter") == 1, "once, and not again at each turn"
    state.leave()
    assert state.filter_past is None


@pytest.mark.parametrize(("lane", "unit"), [(2, 0), (-1, 0), (0, 12), (0, 65_536), (0, -1)])
def test_what_is_no_unit_of_the_run_is_ignored(state, lane, unit):
    state.look_into(lane, unit)  # before there is a run
    state.step()
    until(state, lambda: state.status == "paused")
    state.look_into(lane, unit)
    for _ in range(5):
        state.poll()
        time.sleep(0.01)
    assert state.filter_past is None
    assert state.error == ""
