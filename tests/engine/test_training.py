"""The training loop: its events, its order of minibatches, early stopping."""

import itertools
import time

import numpy as np
import pytest
from engine.cases import VISIBLES
from numba.core.event import trigger_event

from lrbn_viz import LRBN, RBM, FitStep
from lrbn_viz.core.system import System
from lrbn_viz.training import Training

pytestmark = pytest.mark.nojit


class Counter(System[tuple]):
    """A system whose state is the list of batches it has seen and whose validation scores are given."""

    def __init__(self, scores=()):
        self.scores = iter(scores)

    def init(self, X, rng):
        return ()

    def step(self, state, batch, rng, memory=None):
        return (*state, tuple(batch[:, 0])), {"figure": float(len(state))}

    def validate(self, state, X, rng):
        return {"score": next(self.scores)}

    def encode(self, state, X):
        return X

    def parameters(self, state):
        return {}

    def with_parameters(self, state, parameters):
        return state

    def decode(self, state, H):
        return H

    def sample(self, state, n, rng):
        return np.zeros((n, 1))


X = np.arange(10.0)[:, None]


def run(scores=(), **how):
    settings = {"n_iter": 6, "batch_size": 4, "rng": np.random.default_rng(0)} | how
    return list(Training(Counter(scores), X, **settings))


def test_every_pass_sees_every_image_once_in_a_new_order():
    events = run(n_iter=3)
    final = events[-1][0]
    assert [len(batch) for batch in final] == [4, 4, 2] * 3
    passes = [tuple(itertools.chain(*final[n : n + 3])) for n in (0, 3, 6)]
    assert all(sorted(images) == list(range(10)) for images in passes)
    assert len(set(passes)) == 3
    assert run(n_iter=3)[-1][0] == final
    assert run(n_iter=3, rng=np.random.default_rng(1))[-1][0] != final


def test_events_count_steps_and_passes_and_time_never_runs_back():
    events = [event for _, event in run(n_iter=3)]
    assert all(isinstance(event, FitStep) for event in events)
    assert [event.step for event in events] == list(range(1, 10))
    assert [event.epoch for event in events] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [event.metrics["figure"] for event in events] == list(range(9))
    seconds = [event.seconds for event in events]
    assert seconds == sorted(seconds)
    with pytest.raises(AttributeError):
        events[0].step = 5  # pyright: ignore[reportAttributeAccessIssue]


def test_a_budget_in_seconds_is_not_used_up_by_kernels_that_the_first_step_compiles():
    pause = 0.1

    class Compiling(Counter):
        def step(self, state, batch, rng, memory=None):
            if not state:
                with trigger_event("numba:compiler_lock"):
                    time.sleep(pause)
            return super().step(state, batch, rng, memory)

    training = Training(Compiling(), X, n_iter=6, batch_size=4, rng=np.random.default_rng(0))
    began = time.perf_counter()
    next(training)
    assert training.seconds <= time.perf_counter() - began - pause


def test_a_state_can_be_trained_on():
    first = run(n_iter=1)[-1][0]
    assert run(n_iter=1, state=first)[-1][0][:3] == first


def test_training_is_lazy():
    # Inside: Training is an iterator.
    steps = Training(Counter(), X, n_iter=10**9, batch_size=1, rng=np.random.default_rng(0))
    assert [event.step for _, event in itertools.islice(steps, 3)] == [1, 2, 3]


def test_only_the_last_step_of_a_pass_carries_validation():
    events = run(scores=[1.0, 2.0], n_iter=2, validation=X)
    assert ["validation_score" in event.metrics for _, event in events] == [False, False, True] * 2


def test_training_stops_after_patience_passes_without_a_better_score_and_gives_the_best_state_back():
    events = run(scores=[1.0, 3.0, 2.0, 3.0, 9.0, 9.0], validation=X, patience=2)
    # The second pass is the best; the third and fourth are no better.
    assert [event.epoch for _, event in events] == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 4
    best = events[5][0]
    restored, event = events[-1]
    assert restored == best
    assert event.metrics["restored"] == 1
    assert event.metrics["validation_score"] == 3.0


def test_training_that_keeps_getting_better_runs_to_its_end():
    events = run(scores=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], validation=X, patience=1)
    assert events[-1][1].epoch == 5
    assert events[-1][0] == events[-2][0]


def test_without_patience_nothing_stops_or_is_restored():
    events = run(scores=[6.0, 5.0, 4.0, 3.0, 2.0, 1.0], validation=X)
    assert len(events) == 18
    assert "restored" not in events[-1][1].metrics


def images(visible, n=200):
    rng = np.random.default_rng(0)
    return rng.integers(0, 2, (n, 8)) if visible == "bernoulli" else rng.normal(size=(n, 8))


@pytest.mark.parametrize("visible", VISIBLES)
def test_fit_keeps_the_parameters_of_the_best_pass_on_held_out_images(visible):
    model = LRBN(
        6, visible=visible, n_iter=60, learning_rate=2.0, batch_size=5, validation_size=20, patience=3,
        random_state=0,
    ).fit(images(visible, 100))  # fmt: skip
    scores = [e.metrics["validation_score"] for e in model.history_ if "validation_score" in e.metrics]
    assert len(scores) < 61
    assert model.history_[-1].metrics["restored"] == np.argmax(scores)
    assert scores[-1] == max(scores)
    # The split is the first draw of the seed, so it can be made again.
    held_out = images(visible, 100)[np.random.default_rng(0).permutation(100)[:10]]
    assert model.score(held_out) == pytest.approx(max(scores))


@pytest.mark.parametrize("model", [LRBN, RBM])
@pytest.mark.parametrize("visible", VISIBLES)
def test_fit_steps_is_what_fit_exhausts(model, visible):
    # Inside: It gives states and FitSteps, and fit exhausts it.
    settings = {"n_components": 4, "visible": visible, "n_iter": 2, "random_state": 3}
    settings |= {"validation_size": 0, "batch_size": 20}
    stepped, fitted = model(**settings), model(**settings).fit(images(visible))
    events = []
    for event in stepped.fit_steps(images(visible)):
        events.append((event, stepped.layers[0]))
    assert len(events) == 2 * 10
    assert not np.array_equal(events[0][1].W, events[-1][1].W)
    for a, b in zip(stepped.layers[0], fitted.layers[0], strict=True):
        np.testing.assert_array_equal(a, b)
    assert [e.metrics for e in fitted.history_] == [e.metrics for e, _ in events]


@pytest.mark.parametrize("visible", VISIBLES)
def test_training_can_be_stopped_by_not_asking_for_more(visible):
    model = LRBN(4, visible=visible, n_iter=1000, random_state=0)
    for event in model.fit_steps(images(visible)):
        if event.step == 5:
            break
    assert len(model.history_) == 5
    assert model.transform(images(visible)).shape == (200, 4)


@pytest.mark.parametrize("model", [LRBN, RBM])
def test_partial_fit_goes_on_from_where_it_was_and_is_reproducible(model):
    runs = []
    for _ in range(2):
        learner = model(4, random_state=5)
        for part in np.split(images("bernoulli"), 4):
            learner.partial_fit(part)
        runs.append(learner)
    np.testing.assert_array_equal(runs[0].layers[0].W, runs[1].layers[0].W)
    one = model(4, random_state=5).partial_fit(images("bernoulli")[:50])
    assert not np.array_equal(one.layers[0].W, runs[0].layers[0].W)
    given = model.from_params(*one.layers[0], random_state=5, learning_rate=1e-9)
    given.partial_fit(images("bernoulli")[:50])
    np.testing.assert_allclose(given.layers[0].W, one.layers[0].W, atol=1e-6)
