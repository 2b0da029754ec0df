"""Figures and states of a run are kept in bounded memory, and cover the whole of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.studies.runs.history import Curve, History
from lrbn_viz.training import Training

pytestmark = pytest.mark.nojit


@given(n=st.integers(0, 700), capacity=st.sampled_from([2, 4, 16, 64]))
def test_a_curve_keeps_the_mean_of_every_stretch_within_its_capacity(n, capacity):
    values = np.sin(np.arange(n))
    curve = Curve(capacity)
    for step, value in enumerate(values, 1):
        curve.add(step, value)
    steps, means = curve.points()
    assert len(curve) == len(steps) < capacity
    stride = curve.stride
    assert n - stride < len(steps) * stride <= n, "all but an unfinished stretch is covered"
    expected = values[: len(steps) * stride].reshape(-1, stride)
    np.testing.assert_allclose(means, expected.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(steps, np.arange(1, len(steps) * stride + 1).reshape(-1, stride).mean(axis=1))


def test_a_curve_leaves_not_a_number_out_and_forgets_what_is_cut():
    curve = Curve(8)
    for step, value in enumerate([1.0, np.nan, 3.0, 4.0], 1):
        curve.add(step, value)
    assert curve.points()[1].tolist() == [1.0, 3.0, 4.0]
    curve.cut(3)
    assert curve.points()[0].tolist() == [1.0, 3.0]
    with pytest.raises(ValueError, match="even capacity"):
        Curve(7)


def run():
    X = np.random.default_rng(0).integers(0, 2, (40, 9), np.uint8)
    return Training(HardEM(5), X, n_iter=20, batch_size=4, rng=np.random.default_rng(0))


def test_a_history_covers_the_run_evenly_within_its_budget():
    training, history = run(), History(budget=20_000)
    history.add(training.snapshot())
    for _ in training:
        history.add(training.snapshot())
    assert history.nbytes <= 20_000
    assert history.steps == list(range(0, 201, history.every))
    assert 4 < len(history) < 100
    step = history.steps[3]
    assert history.at(step).step == history.at(step + history.every - 1).step == step
    assert history.at(10**9).step == history.steps[-1]
    history.cut(step)
    assert history.steps[-1] == step


def test_a_moment_of_the_history_is_the_run_as_it_was_then():
    training, history = run(), History()
    states = [training.state]
    history.add(training.snapshot())
    for state, _ in training:
        history.add(training.snapshot())
        states.append(state)
    for step in (0, 7, 55, 200):
        np.testing.assert_array_equal(history.at(step).state.params.W, states[step].params.W)
    again = run()
    again.restore(history.at(55))
    np.testing.assert_array_equal(list(again)[-1][0].params.W, states[-1].params.W)


def test_two_states_are_kept_whatever_they_take_and_an_empty_history_says_so():
    training, history = run(), History(budget=1)
    with pytest.raises(ValueError, match="history is empty"):
        history.at(0)
    history.add(training.snapshot())
    for _ in training:
        history.add(training.snapshot())
    assert 1 <= len(history) <= 2
    with pytest.raises(ValueError, match="positive budget"):
        History(budget=0)


def test_the_number_of_states_kept_is_bounded_and_their_bytes_are_counted_as_they_come():
    training = run()
    history = History(2**30, every=1, most=10)
    for _ in range(60):
        next(training)
        history.add(training.snapshot())
        assert len(history) <= 10
        kept = [history.at(step) for step in history.steps]
        owners = {id(a): a.nbytes for s in kept for a in (*s.state.params, *s.state.velocity, s.order)}
        assert history.nbytes >= sum(owners.values())
    assert history.every > 1
