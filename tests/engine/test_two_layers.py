"""An LRBN of several layers learned in one run: its stages, step by step, and its model, by enumeration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lrbn_viz import LRBN, load_dataset, load_model
from lrbn_viz.core.model import named_layers
from lrbn_viz.io.storage import UnreadableFile
from lrbn_viz.lrbn.deep.staged import StagedHardEM, StagedState
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.measure import ais_bracket, log_likelihood
from lrbn_viz.training import Training, check_unplanned
from lrbn_viz.training.staged import stage_at

N_V, N_H, N_TOP = 9, 5, 4
LOWER, UPPER, TOGETHER = 1, 2, 3
"""Stages of two layers."""
X = (np.random.default_rng(0).random((40, N_V)) < 0.4).astype(np.uint8)
GREY = np.random.default_rng(1).normal(size=(40, N_V))
SHARES = {LOWER: 0.0, UPPER: 0.5, TOGETHER: 1.0}

HOW: dict[str, dict[str, Any]] = {
    "icm": {},
    "annealed": {"e_step": "annealed", "warm_sweeps": 3, "momentum": 0.5},
    "gibbs": {"e_step": "gibbs", "init": "zeros", "warm_sweeps": 2, "weight_decay": 1e-3},
    "the paper's scheme": {"scheme": "three layers", "decay_steps": 5},
    "strokes": {"nonnegative": True, "likelihood_weight": 1.5},
    "gaussian": {"visible": "gaussian"},
}
every = pytest.mark.parametrize("name", HOW)


def system_of(name: str, **more: Any) -> StagedHardEM:
    return LRBN((N_H, N_TOP), **(HOW[name] | more)).make_system()


def images(name: str) -> Any:
    return GREY if name == "gaussian" else X


def advanced(system: StagedHardEM, state: StagedState, X: Any, stage: int, rng: Any, n: int = 1) -> Any:
    """The state after so many steps of a stage, each on ten images."""
    for step in range(n):
        state, _ = system.at_progress(SHARES[stage]).step(state, X[10 * step : 10 * step + 10], rng)
    return state


def assert_same(one: Any, other: Any) -> None:
    for left, right in zip(one, other, strict=True):
        if isinstance(left, tuple):  # a layer's parameters
            assert_same(left, right)
        else:
            np.testing.assert_array_equal(left, right)


# -- stages


@every
def test_the_stages_are_the_steps_of_the_layers_alone_and_then_of_both(name):
    """The lower layer's own hard EM, the upper layer's on its codes, then DeepHardEM's: bit for bit."""
    system, batches = system_of(name), images(name)
    low, high = system.together.layers
    state, rng, own = system.init(batches, np.random.default_rng(3)), *map(np.random.default_rng, (4, 4))
    alone = low.init(batches, np.random.default_rng(3))
    for first in (0, 10, 20):
        state, figures = system.at_progress(0.0).step(state, batches[first : first + 10], rng)
        alone, _ = low.step(alone, batches[first : first + 10], own)
        assert figures["stage"] == LOWER
        assert_same(state.layers[0].params, alone.params)
    assert not state.layers[1].params.W.any()
    assert not system.encode(state, batches)[:, N_H:].any(), "layer 2 is not in use yet"
    assert [len(row.images) for row in system.pictures(state, batches, batches[:1], rng)] == [0, 0]
    drawn = high.params_around(state.layers[1].params.b, own)
    upper = high.from_params(drawn)
    for first in (30, 0):
        state, figures = system.at_progress(0.5).step(state, batches[first : first + 10], rng)
        how = {"dtype": np.float32, "weight": system.likelihood_weight}
        codes = low.infer(alone.params, batches[first : first + 10] * 1.0, own, system.e_step, **how).H
        upper, _ = high.step(upper, codes, own)
        assert figures["stage"] == UPPER
        assert_same(state.layers[0].params, alone.params)
        assert_same(state.layers[1].params, upper.params)
    again = (
        low.from_params(alone.params)._replace(statistics=alone.statistics),
        high.from_params(upper.params),
    )
    slow = system.at_progress(1.0).together
    assert slow.layers[1].learning_rate == pytest.approx(0.2 * high.learning_rate)
    for first in (10, 20):
        state, figures = system.at_progress(1.0).step(state, batches[first : first + 10], rng)
        again, _ = slow.step(again, batches[first : first + 10], own)
        assert figures["stage"] == TOGETHER
        for one, other in zip(state.layers, again, strict=True):
            assert_same(one.params, other.params)
    assert state.n_steps == 7


def test_until_the_upper_layer_learns_it_gives_the_means_of_the_lower_latents():
    system = system_of("icm")
    rng = np.random.default_rng(5)
    state = system.init(X, rng)
    codes = []
    for first in (0, 10, 20):
        codes.append(system.together.layers[0].encode(state.layers[0], X[first : first + 10]))
        state = advanced(system, state, X[first:], LOWER, rng)
    means = 1 / (1 + np.exp(-state.params[0].d))
    np.testing.assert_allclose(means, np.clip(np.vstack(codes).mean(axis=0), 1e-4, 1 - 1e-4), atol=1e-9)


@every
@pytest.mark.parametrize("stage", SHARES)
def test_the_joint_of_a_step_is_that_of_the_model_with_the_latents_found(name, stage, monkeypatch):
    """By the model's own log P(x, h, g), before the step, of what the E-step inferred."""
    system, batches = system_of(name), images(name)
    rng = np.random.default_rng(6)
    state = advanced(system, system.init(batches, rng), batches, min(stage, UPPER), rng, 2)
    before = advanced(system, state, batches, stage, rng)
    found: list[tuple[Any, Any]] = []
    learn = HardEM.learn

    def seen(self: Any, state: Any, below: Any, H: Any) -> Any:
        found.append((below, H))
        return learn(self, state, below, H)

    monkeypatch.setattr(HardEM, "learn", seen)
    _, figures = system.at_progress(SHARES[stage]).step(before, batches[30:], rng)
    nothing = np.zeros((10, N_TOP))
    H, G = {LOWER: (found[0][1], nothing), UPPER: found[0], TOGETHER: found[-1]}[stage]
    model = LRBN((N_H, N_TOP), visible=system.visible)
    model.adopt(before)
    joint = model.log_joint(batches[30:], np.hstack([H, G]).astype(np.uint8)).mean()
    assert figures["log_joint"] == pytest.approx(joint, abs=1e-8)


# -- more layers than two

SIZES = (5, 4, 3)
ALL = len(SIZES) + 1
ENDS = {1: 0.0, 2: 0.45, 3: 0.65, ALL: 1.0}
"""A share of the run within each stage."""


def three(visible: Any = "bernoulli", **more: Any) -> StagedHardEM:
    return LRBN(SIZES, visible=visible, **more).make_system()


@pytest.mark.parametrize("visible", ["bernoulli", "gaussian"])
def test_each_of_three_layers_learns_by_its_own_hard_em_on_the_codes_of_those_below(visible):
    system, batches = three(visible), images(visible)
    rng, own = np.random.default_rng(4), np.random.default_rng(4)
    state = system.init(batches, np.random.default_rng(3))
    for n, how in enumerate(system.together.layers):
        begun = state if n == 0 else system.entered(state, n + 1, own)
        alone, below = begun.layers[n], batches[:10] * 1.0
        for lower, kept in zip(system.together.layers[:n], begun.layers, strict=False):
            below = lower.infer(kept.params, below, own, "icm", dtype=np.float32).H.astype(float)
        alone, _ = how.step(alone, below, own)
        after, figures = system.at_progress(ENDS[n + 1]).step(state, batches[:10], rng)
        assert figures["stage"] == n + 1
        assert_same(after.layers[n].params, alone.params)
        for other in {0, 1, 2} - {n, n + 1}:  # the next layer has the means of this one's latents
            assert_same(after.layers[other].params, begun.layers[other].params)
        state = after
    assert not np.array_equal(state.params[2].W, np.zeros(SIZES[1:]))


@pytest.mark.parametrize("stage", ENDS)
def test_the_joint_of_a_step_of_three_layers_is_that_of_the_model(stage, monkeypatch):
    """Layers that do not learn yet have all their units off."""
    system, rng = three(prior="learned"), np.random.default_rng(6)
    before = system.init(X, rng)
    for n in range(1, stage + 1):
        for first in (0, 10):
            before, _ = system.at_progress(ENDS[n]).step(before, X[first : first + 10], rng)
    found: list[Any] = []
    learn = HardEM.learn

    def seen(self: Any, state: Any, below: Any, H: Any) -> Any:
        found.append((below, H))
        return learn(self, state, below, H)

    monkeypatch.setattr(HardEM, "learn", seen)
    again = np.random.default_rng(9)
    _, figures = system.at_progress(ENDS[stage]).step(before, X[30:], again)
    if stage == ALL:
        H = [each for _, each in found]
    else:
        H, below = [], X[30:] * 1.0
        for how, layer in zip(system.together.layers[:stage], before.layers, strict=False):
            below = how.infer(layer.params, below, rng, "icm", dtype=np.float32).H.astype(float)
            H.append(below)
        np.testing.assert_array_equal(found[0][1], H[-1])
        H += [np.zeros((10, n)) for n in SIZES[stage:]]
    model = LRBN(SIZES)
    model.adopt(before)
    joint = model.log_joint(X[30:], np.hstack(H).astype(np.uint8)).mean()
    assert figures["log_joint"] == pytest.approx(joint, abs=1e-8)


def test_three_layers_are_trained_stored_resumed_and_pictured(tmp_path):
    digits = load_dataset("digits").train_X[:200]
    how: dict[str, Any] = {"n_iter": 6, "batch_size": 20, "random_state": 0}
    model = LRBN((8, 5, 4), **how).fit(digits)
    assert sorted({event.metrics["stage"] for event in model.history_}) == [1, 2, 3, 4]
    assert [layer.W.shape for layer in model.params_] == [(64, 8), (8, 5), (5, 4)]
    assert [H.shape[1] for H in model.infer(digits)] == [8, 5, 4]
    model.save(tmp_path / "three.npz")
    for one, other in zip(load_model(tmp_path / "three.npz").params_, model.params_, strict=True):
        assert_same(one, other)
    arrays: Any = named_layers(model.params_)
    named = LRBN.from_params(**arrays)
    np.testing.assert_array_equal(named.infer(digits)[2], model.infer(digits)[2])
    steps = LRBN((8, 5, 4), **how).fit_steps(digits, checkpoint=tmp_path / "run", checkpoint_seconds=0)
    for _ in range(37):
        next(steps)
    del steps
    resumed = LRBN((8, 5, 4), **how).fit(digits, checkpoint=tmp_path / "run")
    for one, other in zip(resumed.params_, model.params_, strict=True):
        assert_same(one, other)


def test_shares_of_a_run_are_its_stages_and_rates_fall_within_each():
    system = LRBN(
        (4, 3), first_share=0.5, second_share=0.25, learning_rate=0.4, learning_rate_end=0.1
    ).make_system()
    stages = [system.at_progress(share).stage for share in (0.0, 0.49, 0.5, 0.74, 0.75, 1.0)]
    assert stages == [1, 1, 2, 2, 3, 3]
    rates = [system.at_progress(share).learning_rate for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    np.testing.assert_allclose(rates, [0.4, 0.2, 0.4, 0.4 * 0.2, 0.1 * 0.2])
    n = 80
    run = Training(system, X, n_iter=n // 4, batch_size=10, rng=np.random.default_rng(0))
    found = [event.metrics["stage"] for _, event in run]
    assert [found.count(stage) for stage in (1, 2, 3)] == [n // 2, n // 4, n // 4]


def test_a_stage_without_steps_is_left_out():
    assert stage_at(1.0, (0.5, 1.0, 1.0)) == (2, 1.0)
    assert stage_at(0.5, (0.5, 0.5, 1.0)) == (3, 0.0)
    assert stage_at(0.25, (0.5, 1.0)) == (1, 0.5)


def test_a_short_run_that_has_no_step_for_the_upper_layer_alone_learns_both_together():
    system = system_of("icm", first_share=0.4, second_share=0.1)
    run = Training(system, X, n_iter=1, batch_size=20, rng=np.random.default_rng(0))
    assert [event.metrics["stage"] for _, event in run] == [1, 3]
    assert run.state.params[1].W.any()


def test_the_last_steps_are_averaged():
    system = system_of("icm", average=0.2)
    run = Training(system, X, n_iter=5, batch_size=10, rng=np.random.default_rng(0))
    seen = [named_layers(state.params) for state, _ in run]
    for name in ("W", "b", "d", "U", "e"):
        mean = np.mean([params[name] for params in seen[-5:-1]], axis=0)
        np.testing.assert_allclose(seen[-1][name], mean, atol=1e-12)


@every
@pytest.mark.parametrize("stage", SHARES)
def test_the_norm_of_a_step_is_that_of_what_learns(name, stage):
    system, batches = system_of(name, momentum=0.0, weight_decay=0.0), images(name)
    rng = np.random.default_rng(7)
    before = advanced(system, system.init(batches, rng), batches, stage, rng, 2)
    acting = system.at_progress(SHARES[stage])
    after, _ = acting.step(before, batches[20:30], rng)
    norm = acting.gradient_norm(before, after)
    if name in ("icm", "annealed", "gibbs") and stage != TOGETHER:
        gained = after.layers[stage - 1].params
        flat = stage == LOWER
        old = before.layers[stage - 1].params
        changes = [new - was for new, was in zip(gained, old, strict=True)][: 2 if flat else 3]
        size = np.sqrt(sum(np.square(change).sum() for change in changes)) / acting.learning_rate
        assert norm == pytest.approx(size, rel=1e-9)
    assert norm > 0


# -- the model


def trained(**how: Any) -> LRBN:
    return LRBN((N_H, N_TOP), n_iter=20, batch_size=10, random_state=0, **how).fit(X)


def test_its_answers_are_those_of_a_deep_lrbn_with_its_layers():
    model = trained()
    deep = LRBN.from_layers(model.layers)
    for ours, theirs in zip(model.infer(X), deep.infer(X), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(model.score_samples(X), deep.score_samples(X))
    np.testing.assert_array_equal(model.sample(9, random_state=1), deep.sample(9, random_state=1))
    for layer in (1, 2):
        np.testing.assert_array_equal(model.reconstruct(X, layer=layer), deep.reconstruct(X, layer=layer))
    ours, theirs = (each.map_trace(X[0]) for each in (model, deep))
    np.testing.assert_array_equal(ours.after, theirs.after)


def test_bounds_on_both_sides_hold_the_enumerated_likelihood():
    model = trained(e_step="gibbs", init="zeros")
    exact = log_likelihood(model, X, method="exact").mean
    bound = log_likelihood(model, X, method="map_bound").mean
    assert bound <= exact + 1e-9
    bracket = ais_bracket(model, n_images=200, n_temperatures=200, random_state=0)
    assert bracket.lower.mean <= bracket.upper.mean + 0.2


def test_samples_have_the_probabilities_of_the_model():
    rng = np.random.default_rng(8)
    W, b, d, U, e = (rng.normal(0, 0.7, shape) for shape in ((4, 3), 4, 3, (3, 2), 2))
    model = LRBN.from_params(W, b, d, U=U, e=e)
    images = ((np.arange(16)[:, None] >> np.arange(4)) & 1).astype(np.uint8)
    p = np.exp(log_likelihood(model, images, method="exact").values)
    assert p.sum() == pytest.approx(1.0, abs=1e-9)
    n = 20_000
    counts = np.bincount(model.sample(n, random_state=1) @ (1 << np.arange(4)), minlength=16)
    assert (np.abs(counts - n * p) < 4.5 * np.sqrt(n * p * (1 - p))).all()


def test_training_goes_on_from_a_model_with_both_layers():
    model = trained()
    system = model.make_system()
    state = model.state_from(model.params_, np.random.default_rng(0))
    assert state.stage == TOGETHER
    assert_same(state.params, model.params_)
    after, figures = system.at_progress(0.0).step(state, X[:10], np.random.default_rng(0))
    assert figures["stage"] == TOGETHER
    assert (after.params[1].W != state.params[1].W).any()


# -- settings and files


def test_settings_that_cannot_be_are_refused_in_words():
    refused: list[tuple[dict[str, Any], str]] = [
        ({"first_share": 0.6, "second_share": 0.4}, "leave no steps in which all layers learn together"),
        ({"average": 0.3}, "more than the share in which all layers learn together, 0.2"),
        ({"coldest": 5.0}, "coldest must be at most hottest"),
        ({"learning_rate_end": 0.1, "decay_steps": 10.0}, "give one of them"),
        ({"n_components": (4, 0)}, "n_components must be at least 1"),
    ]
    for settings, words in refused:
        with pytest.raises(ValueError, match=words):
            LRBN(**{"n_components": (4, 3), **settings}).check_settings()
    U, e = np.zeros((3, 2)), np.zeros(2)
    layer = (np.zeros((4, 3)), np.zeros(4), np.zeros(3))
    with pytest.raises(
        ValueError, match=r"n_components is \(3, 5\) but layers of \(3, 2\) latents are given"
    ):
        LRBN.from_params(*layer, U=U, e=e, n_components=(3, 5))
    with pytest.raises(ValueError, match=r"U has shape \(2, 2\); expected \(3, 2\)"):
        LRBN.from_params(*layer, U=U[:2], e=e)
    with pytest.raises(ValueError, match="U holds NaN"):
        LRBN.from_params(*layer, U=np.full((3, 2), np.nan), e=e)
    with pytest.raises(ValueError, match="first_share needs a known number of steps"):
        LRBN((4, 3)).partial_fit(X)
    with pytest.raises(ValueError, match=r"give passes alone\.$"):
        check_unplanned(system_of("icm"), "a budget in seconds")


@pytest.mark.parametrize("visible", ["bernoulli", "gaussian"])
def test_a_file_holds_both_layers(visible, tmp_path):
    model = LRBN((N_H, N_TOP), visible=visible, n_iter=3, random_state=0)
    model.fit(GREY if visible == "gaussian" else X)
    model.save(tmp_path / "two.npz")
    again = load_model(tmp_path / "two.npz")
    assert isinstance(again, LRBN)
    assert (again.n_components, again.visible) == ((N_H, N_TOP), visible)
    assert_same(again.params_, model.params_)
    arrays = dict(np.load(tmp_path / "two.npz"))
    for wrong in ({"W1": np.zeros((N_H + 1, N_TOP))}, {"d1": np.zeros(N_TOP + 1)}, {"W1": np.zeros(3)}):
        np.savez(tmp_path / "wrong.npz", **{**arrays, **wrong})
        with pytest.raises(UnreadableFile):
            load_model(tmp_path / "wrong.npz")


def test_training_that_is_left_goes_on_bit_for_bit_from_its_checkpoint(tmp_path):
    digits = load_dataset("digits").train_X[:200]
    path = tmp_path / "run.ckpt"

    def make() -> LRBN:
        return LRBN((6, 5), n_iter=5, batch_size=20, random_state=0, average=0.2)

    whole = make().fit(digits)
    for stop in (7, 25, 40):  # one in each stage
        steps = make().fit_steps(digits, checkpoint=path, checkpoint_seconds=0)
        for _ in range(stop):
            next(steps)
        del steps  # as who leaves the loop does
        again = make().fit(digits, checkpoint=path)
        assert_same(again.params_, whole.params_)
