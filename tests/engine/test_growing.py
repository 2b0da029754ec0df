"""Layers that learn in several stages, and an upper layer that learns only together with the first."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engine.test_bottom_up import data
from engine.test_resume import assert_same

from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.stages import Stage
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.studies.reproduce.recipes import RECIPES, Recipe, one_layer, quick, stages_of
from lrbn_viz.studies.reproduce.train import training_of, training_work

LOW = HardEM(5, prior="flat", e_step="gibbs", warm_sweeps=2)
TOP = HardEM(3, prior="flat", weight_scale=0.03)
CHAINS = replace(LOW, warm_sweeps=1, persistent=True, likelihood_weight=2.0)
TOGETHER = DeepHardEM((CHAINS, TOP))
PLAN = [
    Stage(0, LOW, 2),
    Stage(0, replace(LOW, likelihood_weight=2.0, average=0.5), 1),
    Stage(1, TOP, 0),
    Stage(None, DeepHardEM((replace(CHAINS, warm_sweeps=4), TOP)), 1),
    Stage(None, TOGETHER, 2),
]


def make(plan=PLAN, **how):
    system = DeepHardEM((plan[1].how, TOP))
    settings: dict[str, Any] = {"batch_size": 25, "seed": 4, "validation": data()[:20]}
    return DeepTraining(system, data()[20:], plan=plan, **(settings | how))


def test_stages_of_one_layer_go_on_from_each_other_with_their_own_settings():
    run = make()
    seen: dict[int, list] = {}
    for step in run:
        seen.setdefault(step.stage, []).append(run._current().acting)
    assert run.stages == ["layer 1", "layer 1", "layer 2", "all layers", "all layers"]
    assert run.passes == [2, 1, 0, 1, 2]
    assert set(seen) == {0, 1, 3, 4}
    assert [seen[stage][0] for stage in (0, 1, 3, 4)] == [PLAN[n].how for n in (0, 1, 3, 4)]
    begun = make(PLAN[:2])
    while begun.stage < 1:  # has made the second stage's first step
        next(begun)
    np.testing.assert_array_equal(begun._make().state.params.W, begun.layers[0].params.W)
    assert not np.array_equal(begun.state[0].params.W, begun.layers[0].params.W)


def test_a_layer_without_passes_is_there_as_before_training_and_learns_with_the_others():
    run = make()
    while run.stage < 3:
        next(run)
    W, b, d = run.layers[1].params
    assert 0.01 < W.std() < 0.06
    often = run._codes(run.X, 1, False).mean(axis=0)
    np.testing.assert_allclose(1 / (1 + np.exp(-(b + W @ np.full(3, 0.5)))), often, atol=0.15)
    np.testing.assert_array_equal(d, 0.0)
    list(run)
    assert np.abs(run.layers[1].params.W - W).max() > 0.05


def test_chains_begin_from_what_the_layers_infer_where_none_are_remembered_and_then_go_on():
    run = make()
    while run.stage < 3:
        next(run)
    began, kept = run._make(), dict(run.memory)
    np.testing.assert_array_equal(began.memory, np.hstack([kept[0], kept[1]]))
    del run.memory[1]
    np.testing.assert_array_equal(run._states(1), kept[1])
    del run.memory[0]
    np.testing.assert_array_equal(run._states(0), kept[0])
    assert 0.05 < kept[0].mean() < 0.95
    while run.stage < 4:
        next(run)
    np.testing.assert_array_equal(run._make().memory, np.hstack([run.memory[0], run.memory[1]]))


def test_what_a_stage_remembers_is_not_for_one_that_follows_without_memory():
    plan = [Stage(0, replace(LOW, persistent=True), 1), Stage(0, LOW, 1), Stage(1, TOP, 1)]
    run = make(plan)
    while run.stage < 1:
        next(run)
    assert list(run.memory) == [0]
    while run.stage < 2:
        next(run)
    assert run.memory == {}


def test_a_run_left_in_any_stage_is_resumed_bit_for_bit(tmp_path):
    whole = make(n_rounds=2)
    steps = list(whole)
    for left_after in (0, 5, 9, 12, 14, 19, 30, len(steps) - 1):
        begun = make(n_rounds=2)
        for _ in range(left_after):
            next(begun)
        begun.save(tmp_path / "deep")
        resumed = make(n_rounds=2)
        resumed.resume(tmp_path / "deep")
        rest = list(resumed)
        assert [step.event.metrics for step in rest] == [step.event.metrics for step in steps[left_after:]]
        assert_same(resumed.state, whole.state)


def test_the_scale_of_the_weights_before_training():
    X = data()
    small, usual = (HardEM(4, weight_scale=s).init(X, np.random.default_rng(0)).params.W for s in (0.02, 0.1))
    np.testing.assert_allclose(small * 5, usual)


@pytest.mark.parametrize("name", ["mnist", "caltech", "ocr"])
def test_the_recipes_that_grow_say_what_each_stage_does(name):
    recipe = RECIPES[name]["both"]
    run = training_of(recipe, np.zeros((40, 16), np.uint8), np.zeros((4, 16), np.uint8), 0, (4, 4))
    above = [stage for stage in run.plan if stage.layer == 1]
    upper: Any = above[0].how
    assert [stage.n_iter for stage in above] == [0]
    assert (upper.prior, upper.weight_scale, upper.decay_b) == ("flat", 0.03, True)
    together: list[Any] = [stage.how for stage in run.plan if stage.layer is None]
    weights = {how.layers[0].likelihood_weight for how in together}
    assert weights == {"ocr": {1.0, 1.5}, "caltech": {3.0}, "mnist": {5.0}}[name]
    lowest_rates = {how.layers[0].learning_rate / how.layers[1].learning_rate for how in together}
    assert lowest_rates == {0.5 if name == "mnist" else 1.0}
    assert {how.layers[1].likelihood_weight for how in together} == {1.0}
    last = together[-1].layers[0]
    assert last.learning_rate_end < 0.25 * last.learning_rate
    assert {how.layers[0].decay_steps for how in together} == {np.inf}
    assert last.average * run.plan[-1].n_iter == pytest.approx(
        0.3 * sum(s.n_iter for s in run.plan if s.layer is None), abs=0.8
    )
    lowest: list[Any] = [stage.how for stage in run.plan if stage.layer == 0]
    if name == "ocr":
        assert [how.likelihood_weight for how in lowest] == [1.0, 1.0, 1.5]
        assert [how.learning_rate_end for how in lowest] == [None, 0.02, None]
        assert [how.layers[0].persistent for how in together] == [False, False, True, True]
        assert [how.layers[0].warm_sweeps for how in together] == [8, 8, 12, 1]
    elif name == "caltech":
        assert [how.warm_sweeps for how in lowest] == [12, 1, 1, 2]  # the first finds chains, from coins
        assert {how.start for how in lowest} == {"random"}
        assert all(how.persistent for how in lowest + [how.layers[0] for how in together])
        assert len(run.X) == recipe.copies * 40
    else:
        assert recipe.layers[0] == RECIPES[name]["pixels"].layers[0]
        assert [how.layers[0].warm_sweeps for how in together] == [12, 1, 1]
        assert all(how.layers[0].persistent for how in together)


def test_the_lowest_layer_may_learn_more_slowly_than_those_above_it():
    layers = ({"n_h": 4, "decay_steps": 50.0, "n_iter": 1}, {"n_h": 3, "n_iter": 0})
    rates = {"learning_rate": 0.2, "lowest_rate": 0.5}
    stages = [{"n_iter": 1, "lowest_rate": 1.0}, {"n_iter": 2, "learning_rate_end": 0.02}]
    recipe = Recipe("", layers, {**rates, "stages": stages})
    run = training_of(recipe, np.zeros((40, 16), np.uint8), np.zeros((4, 16), np.uint8), 0, (4, 4))
    hows: list[Any] = [stage.how for stage in run.plan if stage.layer is None]
    found = [(layer.learning_rate, layer.learning_rate_end) for how in hows for layer in how.layers]
    assert found == [(0.2, None), (0.2, None), (0.1, 0.01), (0.2, 0.02)]
    assert [stage.n_iter for stage in run.plan] == [1, 0, 1, 2]


def test_a_quick_recipe_keeps_its_stages_and_takes_one_pass_of_each_that_has_any():
    short = quick(RECIPES["ocr"]["both"])
    assert [stage["n_iter"] for layer in short.layers for stage in stages_of(layer)] == [1, 1, 1, 0]
    assert short.fine_tune is not None
    assert [stage["n_iter"] for stage in stages_of(short.fine_tune)] == [1, 1, 1, 1]
    assert {layer["n_h"] for layer in short.layers} == {12}


def test_a_stage_takes_more_work_the_more_passes_and_sweeps_it_has():
    def work(*stages):
        return training_work(Recipe("", ({"n_h": 4, "e_step": "gibbs", "stages": list(stages)},)), 100, 50)

    once = work({"n_iter": 1, "warm_sweeps": 4})
    assert work({"n_iter": 3, "warm_sweeps": 4}) == pytest.approx(3 * once)
    assert work({"n_iter": 1, "warm_sweeps": 4}, {"n_iter": 2, "warm_sweeps": 4}) == pytest.approx(3 * once)
    assert work({"n_iter": 1, "warm_sweeps": 10}) == pytest.approx(2 * once)


def test_a_recipe_of_several_stages_is_none_that_an_lrbn_learns_alone():
    with pytest.raises(ValueError, match="expected one layer, learned once"):
        one_layer(Recipe("two stages", ({"n_h": 4, "stages": [{"n_iter": 1}, {"n_iter": 1}]},)))
