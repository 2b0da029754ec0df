"""Parameters averaged over the last steps of a run: the mean by hand, runs resumed, early stopping."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engine.test_bottom_up import data, system
from engine.test_resume import assert_same

from lrbn_viz import LRBN, load_dataset
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.rivals.rbm.system import RBMState, RBMSystem
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig
from lrbn_viz.studies.runs.recording import probe
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

X = np.random.default_rng(1).integers(0, 2, (30, 9), np.uint8)
RIVAL = RBMSystem(4, n_particles=3, gradient="centred")
ONE = HardEM(5, e_step="gibbs", warm_sweeps=2, momentum=0.3)
TWO = DeepHardEM((replace(ONE, prior="flat"), replace(ONE, n_h=3)))


def averaged(how: Any, share: float) -> Any:
    if isinstance(how, DeepHardEM):
        return replace(how, layers=tuple(replace(layer, average=share) for layer in how.layers))
    return replace(how, average=share)


def run(how: Any, **settings) -> Training:
    """Five passes of four steps."""
    given: dict[str, Any] = {"n_iter": 5, "batch_size": 8} | settings
    return Training(how, X, rng=np.random.default_rng(5), **given)


def params(state: Any) -> tuple[np.ndarray, ...]:
    if isinstance(state, RBMState):
        return state[:3]
    layers = [state] if hasattr(state, "params") else state
    return tuple(array for layer in layers for array in layer.params)


@pytest.mark.parametrize("how", [ONE, TWO, RIVAL], ids=["one", "deep", "rbm"])
@pytest.mark.parametrize(("share", "n_last"), [(0.3, 6), (0.999, 20), (1e-9, 1)])
def test_a_run_ends_with_the_mean_of_its_last_steps_and_is_as_ever_until_then(how, share, n_last):
    plain = list(run(how))
    *steps, (last, event) = run(averaged(how, share))
    assert len(steps) == len(plain) == 20
    for (state, told), (same, as_before) in zip(steps, plain, strict=True):
        assert_same(state, same)
        assert told._replace(seconds=0.0) == as_before._replace(seconds=0.0)
    assert event.metrics["averaged"] == n_last
    assert event.step == 20
    for number, array in enumerate(params(last)):
        by_hand = np.mean([params(state)[number] for state, _ in plain[-n_last:]], axis=0)
        np.testing.assert_allclose(array, by_hand, atol=1e-12 if array.dtype == np.float64 else 1e-6)


@pytest.mark.parametrize("how", [ONE, TWO, RIVAL], ids=["one", "deep", "rbm"])
@pytest.mark.parametrize("left_after", [3, 12, 16, 20, 21])
def test_a_run_left_before_within_or_after_the_average_goes_on_as_if_never_left(how, left_after, tmp_path):
    how = averaged(how, 0.4)
    settings = {"validation": X[:7]}
    expected = list(run(how, **settings))
    begun = run(how, **settings)
    for _ in range(left_after):
        next(begun)
    save_checkpoint(tmp_path / "run", {"a": begun}, {})
    kept = begun.snapshot()
    list(begun)
    for snapshot in (load_checkpoint(tmp_path / "run").snapshot("a", begun.state), kept):
        resumed = run(how, **settings)
        resumed.restore(snapshot)
        assert resumed.progress == (1.0 if left_after == 21 else pytest.approx(left_after / 20, abs=0.06))
        assert (resumed.progress == 1.0) == (left_after == 21)
        rest = list(resumed)
        assert len(rest) == 21 - left_after
        assert_same(resumed.state, expected[-1][0])
        for (state, event), (same, as_before) in zip(rest, expected[left_after:], strict=True):
            assert_same(state, same)
            assert event._replace(seconds=0.0) == as_before._replace(seconds=0.0)


def test_every_stage_of_a_deep_run_ends_with_its_average_and_is_resumed_bit_for_bit(tmp_path):
    def make(share=0.5):
        return DeepTraining(
            averaged(system(), share), data()[20:], n_iter=2, n_fine_tune=2, batch_size=25, seed=4
        )

    whole, plain = make(), make(0.0)
    steps = list(whole)
    ends = [step for step in steps if "averaged" in step.event.metrics]
    assert [step.name for step in ends] == whole.stages
    assert [step.event.metrics["averaged"] for step in ends] == [4.0] * 4
    list(plain)
    assert not np.array_equal(whole.state[0].params.W, plain.state[0].params.W)
    for left_after in (2, 7, 8, 9, 33, 36):
        begun = make()
        for _ in range(left_after):
            next(begun)
        begun.save(tmp_path / "deep")
        resumed = make()
        resumed.resume(tmp_path / "deep")
        assert len(list(resumed)) == len(steps) - left_after
        assert_same(params(resumed.state), params(whole.state))


@pytest.mark.parametrize(("of_average", "ends_with"), [(4.0, "averaged"), (2.5, "restored")])
def test_with_patience_the_better_of_the_average_and_the_best_pass_comes_last(of_average, ends_with):
    found = iter([1.0, 3.0, 2.0, 2.9, 2.8, of_average])

    class Given(HardEM):
        def validate(self, state, X, rng):
            return {"score": next(found)}

    states = []
    training = run(Given(5, average=0.5), validation=X[:4], patience=5)
    last: set[str] = set()
    for state, event in training:
        states.append(state)
        last = event.metrics.keys() & {"averaged", "restored"}
    assert last == {ends_with}
    assert training.snapshot().last_metrics["validation_score"] == max(of_average, 3.0)
    if ends_with == "restored":
        assert training.state is states[7]  # after the second pass
    else:
        by_hand = np.mean([state.params.W for state in states[10:20]], axis=0)
        np.testing.assert_allclose(training.state.params.W, by_hand, atol=1e-12)


def test_a_run_that_patience_ends_before_the_average_begins_restores_its_best_pass():
    found = iter([1.0, 0.5, 0.4])

    class Given(HardEM):
        def validate(self, state, X, rng):
            return {"score": next(found)}

    *_, (_, event) = run(Given(5, average=0.2), validation=X[:4], patience=2)
    assert event.metrics["restored"] == 0
    assert "averaged" not in event.metrics


def test_a_longer_budget_goes_on_from_the_average_and_averages_its_own_end():
    training = run(averaged(ONE, 0.5))
    middle = list(training)[-1][0]
    training.n_iter = 10
    assert training.progress == 0.5
    first = next(training)[0]
    assert_same(training.before, middle)
    states = [first, *(state for state, _ in training)]
    assert len(states) == 21
    last = states[-1]
    np.testing.assert_allclose(
        last.params.b, np.mean([state.params.b for state in states[:20]], axis=0), atol=1e-12
    )


def test_estimators_end_with_the_average():
    digits = load_dataset("digits").train_X[:200]
    how: dict[str, Any] = {"random_state": 0, "validation_size": 0, "n_iter": 3}
    model = LRBN(6, average=0.5, **how).fit(digits)
    assert model.history_[-1].metrics["averaged"] == 15
    assert not np.array_equal(model.layers[0].W, LRBN(6, **how).fit(digits).layers[0].W)
    deep = LRBN((6, 4), layer_by_layer=True, n_fine_tune=1, average=0.5, **how).fit(digits)
    assert not np.array_equal(
        deep.params_[0].W, LRBN((6, 4), layer_by_layer=True, n_fine_tune=1, **how).fit(digits).params_[0].W
    )


def test_a_number_of_steps_that_is_not_known_is_refused():
    with pytest.raises(
        ValueError, match="average needs a known number of steps, which max_seconds leaves open"
    ):
        run(averaged(ONE, 0.1), max_seconds=9.0)
    with pytest.raises(
        ValueError, match="average needs a known number of steps, which partial_fit leaves open"
    ):
        LRBN(3, average=0.1).partial_fit(X)
    with pytest.raises(ValueError, match=r"average must be at least 0 and below 1; got 1\.5"):
        LRBN((3,), layer_by_layer=True, average=1.5).fit(X)
    lanes = {"LRBN": LaneConfig("LRBN", {"n_components": 3, "average": 0.1})}
    RunConfig("digits", lanes).check()
    with pytest.raises(ValueError, match=r"average needs .* a budget in seconds leaves open"):
        RunConfig("digits", lanes, max_seconds=9.0).check()


def test_a_recorded_run_shows_raw_parameters_until_it_ends_and_then_the_average():
    def finished(share):
        lanes = {"LRBN": LaneConfig("LRBN", {"n_components": 3, "average": share})}
        made = Run(RunConfig("digits", lanes, n_iter=2), load_dataset("digits"), probe_seconds=1e9)
        made.start()
        assert made.job.join(60)
        return made, made.lanes["LRBN"]

    (whole, lane), (_, plain) = finished(0.9), finished(0.0)
    assert whole.progress == 1.0
    for one, other in zip(lane.history._stored, plain.history._stored, strict=True):
        assert_same(one.state, other.state)
    model = whole.model("LRBN")
    assert not np.array_equal(model.layers[0].W, plain.training.state.params.W)
    assert model.layers[0] is lane.training.state.params
    shown = probe(lane.training.system, lane.training.state, 124, lane.images)
    np.testing.assert_array_equal(lane.probe.reconstructions, shown.reconstructions)
