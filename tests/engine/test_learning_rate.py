"""A learning rate that falls from one value to another over a run's known number of steps."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engine.test_averaging import ONE, TWO, X, averaged, params, run
from engine.test_bottom_up import data, system
from engine.test_resume import assert_same

from lrbn_viz import LRBN
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.studies.reproduce.recipes import Recipe
from lrbn_viz.studies.reproduce.train import training_of
from lrbn_viz.studies.runs import LaneConfig, RunConfig
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

FALLING = replace(ONE, learning_rate=0.4, learning_rate_end=0.1)
BOTH_FALL = DeepHardEM((replace(FALLING, prior="flat"), replace(FALLING, n_h=3, learning_rate_end=0.2)))


def test_each_step_takes_the_rate_of_an_exponential_between_the_two():
    training: Any = run(FALLING, n_iter=3)  # 12 steps
    rates, states = [], [training.state]
    for state, _ in training:
        rates.append(training.acting.learning_rate)
        states.append(state)
    np.testing.assert_allclose(rates, 0.4 * (0.1 / 0.4) ** (np.arange(12) / 11), rtol=1e-12)
    assert (rates[0], rates[-1]) == (0.4, 0.1)
    # and moves by it: velocity is what the rate multiplies
    for rate, before, after in zip(rates, states, states[1:], strict=False):
        np.testing.assert_allclose(
            after.params.W - before.params.W, rate * after.velocity.W, rtol=1e-9, atol=1e-12
        )


def test_every_layer_falls_by_its_own_rates_while_all_learn_together():
    training: Any = run(BOTH_FALL, n_iter=2)
    rates = []
    for _ in training:
        rates.append([layer.learning_rate for layer in training.acting.layers])
    np.testing.assert_allclose(rates[0], [0.4, 0.4])
    np.testing.assert_allclose(rates[-1], [0.1, 0.2])
    middle = [np.sqrt(0.4 * 0.1), np.sqrt(0.4 * 0.2)]
    np.testing.assert_allclose(np.exp(np.log(rates[3:5]).mean(axis=0)), middle)


def test_without_an_end_the_rate_stays_and_one_step_takes_the_first_rate():
    training: Any = run(ONE, n_iter=1, batch_size=30)
    next(training)
    assert training.acting is ONE
    training = run(FALLING, n_iter=1, batch_size=30)
    next(training)
    assert training.acting.learning_rate == 0.4


@pytest.mark.parametrize("how", [FALLING, BOTH_FALL, averaged(FALLING, 0.3)], ids=["one", "deep", "averaged"])
@pytest.mark.parametrize("left_after", [0, 5, 19])
def test_a_run_that_is_left_goes_on_with_the_rates_it_would_have_had(how, left_after, tmp_path):
    expected = list(run(how))
    begun = run(how)
    for _ in range(left_after):
        next(begun)
    save_checkpoint(tmp_path / "run", {"a": begun}, {})
    resumed = run(how)
    resumed.restore(load_checkpoint(tmp_path / "run").snapshot("a", resumed.state))
    rest = list(resumed)
    for (state, event), (same, as_before) in zip(rest, expected[left_after:], strict=True):
        assert_same(state, same)
        assert event._replace(seconds=0.0) == as_before._replace(seconds=0.0)


def test_every_stage_of_a_deep_run_falls_over_its_own_steps_and_is_resumed(tmp_path):
    def make():
        own = replace(
            system(),
            layers=tuple(
                replace(layer, learning_rate=0.2, learning_rate_end=0.05) for layer in system().layers
            ),
        )
        return DeepTraining(
            own, data()[20:], n_iter=[1, 2, 1], n_fine_tune=2, fine_tune_rate=0.5, batch_size=25, seed=4
        )

    whole, last = make(), {}
    for step in whole:
        acting: Any = whole._current().acting
        low = acting.layers[0] if isinstance(acting, DeepHardEM) else acting
        last[step.name] = (step.event.step, low.learning_rate)
    assert last == {
        "layer 1": (4, 0.05), "layer 2": (8, 0.05), "layer 3": (4, 0.05), "all layers": (8, 0.025),
    }  # fmt: skip
    for left_after in (3, 9, 18):
        begun = make()
        for _ in range(left_after):
            next(begun)
        begun.save(tmp_path / "deep")
        resumed = make()
        resumed.resume(tmp_path / "deep")
        list(resumed)
        assert_same(params(resumed.state), params(whole.state))


def test_two_ways_to_fall_or_an_unknown_number_of_steps_are_refused():
    with pytest.raises(ValueError, match=r"learning_rate_end = 0\.1 and decay_steps = 5\.0.*give one"):
        HardEM(3, learning_rate_end=0.1, decay_steps=5.0)
    for face in (LRBN(3), LRBN((3, 2), layer_by_layer=True)):
        with pytest.raises(ValueError, match="give one of them"):
            face.set_params(learning_rate_end=0.1, decay_steps=5.0).fit(X)
        with pytest.raises(ValueError, match="learning_rate_end must be None or above 0"):
            face.set_params(learning_rate_end=-0.1).fit(X)
    for how in (FALLING, BOTH_FALL):
        with pytest.raises(ValueError, match="learning_rate_end needs a known number of steps"):
            run(how, max_seconds=9.0)
    with pytest.raises(
        ValueError, match="learning_rate_end needs a known number of steps, which partial_fit"
    ):
        LRBN(3, learning_rate_end=0.1).partial_fit(X)
    lane = LaneConfig("LRBN", {"learning_rate_end": 0.1})
    config = RunConfig("digits", {"LRBN": lane})
    assert RunConfig.from_json(config.to_json()) == config
    with pytest.raises(ValueError, match="a budget in seconds leaves open"):
        replace(config, max_seconds=9.0).check()


@pytest.mark.parametrize("own", ["learning_rate_end", "decay_steps"])
@pytest.mark.parametrize("together", ["learning_rate_end", "decay_steps", "momentum"])
def test_what_a_recipe_says_of_learning_together_takes_the_place_of_the_layers_way_to_fall(own, together):
    layer = {"n_h": 3, "n_iter": 1, "learning_rate": 0.2, own: 0.1}
    recipe = Recipe("two", (layer, layer), {"n_iter": 1, together: 0.05})
    found = training_of(recipe, X, X[:3], 0, (3, 3))
    expected = {"learning_rate_end": None, "decay_steps": np.inf, "momentum": 0.0}
    if together == "momentum":
        expected[own] = 0.1
    expected[together] = 0.05
    together_how: Any = found.plan[-1].how
    for how in together_how.layers:
        assert {name: getattr(how, name) for name in expected} == expected
    assert getattr(found.system.layers[0], own) == 0.1


def test_a_fit_takes_its_last_step_at_the_last_rate():
    how: dict[str, Any] = {"random_state": 0, "validation_size": 0, "n_iter": 2}
    falling = LRBN(4, learning_rate=0.4, learning_rate_end=1e-9, **how).fit(X)
    steady = LRBN(4, learning_rate=0.4, **how).fit(X)
    assert not np.array_equal(falling.layers[0].W, steady.layers[0].W)
    assert TWO.needs_step_count == ()
    assert falling.make_system().needs_step_count == ("learning_rate_end",)
