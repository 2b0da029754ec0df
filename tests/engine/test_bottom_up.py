"""Deep learning in stages: what each learns from, the targets, and runs that are left and resumed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engine.test_deep import layers_of

from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.inference import sample_deep
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM


def system(n_targets=0, scheme: Any = "joint"):
    top = HardEM(n_targets or 3, prior="learned")
    return DeepHardEM(
        (HardEM(5, prior="flat", momentum=0.3), HardEM(4, prior="flat"), top), scheme, n_targets
    )


def data(n_targets=0):
    X, _ = sample_deep(layers_of(3, 9), "bernoulli", 120, np.random.default_rng(0))
    if n_targets:
        X = np.hstack([X, np.eye(n_targets, dtype=np.uint8)[X[:, :2].sum(axis=1) % n_targets]])
    return X


def make(n_targets=0, scheme="joint", **how):
    X = data(n_targets)
    settings = {
        "n_iter": 2,
        "n_fine_tune": 2,
        "batch_size": 25,
        "seed": 4,
        "validation": X[:20],
        "patience": 2,
    }
    return DeepTraining(system(n_targets, scheme), X[20:], **(settings | how))


def assert_same(left, right):
    assert len(left) == len(right)
    for one, other in zip(left, right, strict=True):
        for a, b in zip(one.params, other.params, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.nojit
def test_stages_follow_each_other_bottom_up_and_then_together_in_rounds():
    run = make(n_rounds=2)
    names = []
    for step in run:
        if not names or names[-1] != (step.stage, step.name):
            names.append((step.stage, step.name))
    once = ["layer 1", "layer 2", "layer 3", "all layers"]
    assert names == list(enumerate(once * 2)) == list(enumerate(run.stages))
    assert run.progress == 1.0
    assert [state.params.W.shape for state in run.layers] == [(7, 5), (5, 4), (4, 3)]


@pytest.mark.nojit
def test_each_layer_learns_from_the_codes_of_the_one_below():
    run = make(n_fine_tune=0)
    list(run)
    low = HardEM(5, prior="flat", momentum=0.3)
    codes = low.encode(run.layers[0], data()[20:])
    again = DeepTraining(system(), data()[20:], n_iter=2, n_fine_tune=0, batch_size=25, seed=4)
    again.layers = run.layers[:1]
    np.testing.assert_array_equal(again._codes(data()[20:], 1, False), codes)


@pytest.mark.parametrize("n_targets", [0, 3])
@pytest.mark.parametrize("scheme", ["joint", "three layers"])
def test_a_run_left_in_any_stage_and_resumed_from_its_file_is_the_run_never_left(n_targets, scheme, tmp_path):
    whole = make(n_targets, scheme, n_rounds=2)
    steps = list(whole)
    assert len(steps) > 40
    for left_after in (0, 3, 9, 10, 31, len(steps)):
        begun = make(n_targets, scheme, n_rounds=2)
        for _ in range(left_after):
            next(begun)
        if left_after == len(steps):
            assert list(begun) == []
        begun.save(tmp_path / "deep")
        resumed = make(n_targets, scheme, n_rounds=2)
        resumed.resume(tmp_path / "deep")
        rest = list(resumed)
        assert len(rest) == len(steps) - left_after
        assert_same(resumed.state, whole.state)


def test_observed_targets_are_learned_by_the_top_layer():
    run = make(3, n_iter=20, n_fine_tune=10)
    list(run)
    top = run.state[-1].params
    assert top.W.shape == (4, 3)
    # the prior of a target is how often it is on
    often = data(3)[20:, -3:].mean(axis=0)
    np.testing.assert_allclose(1 / (1 + np.exp(-top.d)), often, atol=0.15)


def test_equal_seeds_give_equal_models_and_others_do_not():
    runs = [make(seed=seed) for seed in (1, 1, 2)]
    for run in runs:
        list(run)
    assert_same(runs[0].state, runs[1].state)
    assert not np.array_equal(runs[0].state[0].params.W, runs[2].state[0].params.W)


@pytest.mark.nojit
def test_each_layer_has_its_own_number_of_passes():
    run = make(n_iter=[3, 1, 2], patience=None)
    list(run)
    assert dict(zip(run.stages, run.passes, strict=True)) == {
        "layer 1": 3, "layer 2": 1, "layer 3": 2, "all layers": 2,
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"expected n_iter for each of 3 layers, got \[3, 1\]"):
        make(n_iter=[3, 1])


def test_how_all_layers_learn_together_may_differ_from_how_each_learns():
    own = system()
    quiet = DeepHardEM(tuple(replace(layer, learning_rate=1e-12) for layer in own.layers))
    alone, together = make(n_fine_tune=0), make(together=quiet)
    for run in (alone, together):
        list(run)
    for one, other in zip(alone.state, together.state, strict=True):
        np.testing.assert_allclose(one.params.W, other.params.W, atol=1e-9)
    assert together.stages[-1] == "all layers"


def test_codes_by_annealing_are_found_again_by_a_resumed_run(tmp_path):
    # Wide enough for local optima, out of which annealing finds.
    X = np.random.default_rng(0).integers(0, 2, (100, 16), np.uint8)

    def run(e_step):
        own = (HardEM(14, prior="flat", e_step=e_step, warm_sweeps=4, learning_rate=1.0), HardEM(4))
        return DeepTraining(DeepHardEM(own), X, n_iter=[5, 1], n_fine_tune=1, batch_size=25, seed=4)

    plain, whole = run("icm"), run("annealed")
    list(plain)
    steps = list(whole)
    assert not np.array_equal(plain.state[1].params.W, whole.state[1].params.W)
    begun = run("annealed")
    for _ in range(22):
        next(begun)
    begun.save(tmp_path / "deep")
    resumed = run("annealed")
    resumed.resume(tmp_path / "deep")
    assert resumed.seconds == pytest.approx(begun.seconds)
    assert len(list(resumed)) == len(steps) - 22
    assert_same(resumed.state, whole.state)
    assert resumed.passes == whole.passes == [5, 1, 1]
    assert resumed.seconds > begun.seconds
