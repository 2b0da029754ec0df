"""Weights at or above 0: after every step, by gradient and in closed form; the theorem on explaining away."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES, Case, random_case
from engine.test_bottom_up import data
from engine.test_resume import assert_same
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from lrbn_viz import LRBN, load_dataset, load_model
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import make_params
from lrbn_viz.lrbn.parts import parts_of
from lrbn_viz.lrbn.regression import gaussian_statistics, solve_gaussian, solve_gaussian_nonnegative
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint


def images(visible: str, n: int = 60, n_v: int = 12) -> np.ndarray:
    """Coins, or sums of four causes that add and take away."""
    rng = np.random.default_rng(0)
    if visible == "bernoulli":
        return rng.integers(0, 2, (n, n_v))
    return rng.integers(0, 2, (n, 4)) @ rng.normal(0, 2, (4, n_v)) + 0.3 * rng.normal(size=(n, n_v))


def lowest(params: Any) -> float:
    return float(params.W.min())


# -- the theorem


@st.composite
def nonnegative_cases(draw) -> Case:
    """Models of up to 5 latents whose weights are at or above 0, some exactly 0, in all sizes."""
    visible, n_v, n_h = draw(st.sampled_from(VISIBLES)), draw(st.integers(1, 9)), draw(st.integers(1, 5))
    scale, seed = draw(st.sampled_from([0.01, 0.5, 2.0, 30.0])), draw(st.integers(0, 2**32 - 1))
    case = random_case(visible, n_v, n_h, seed, scale)
    W = np.abs(case.params.W) * (np.random.default_rng(seed).random((n_v, n_h)) < draw(st.floats(0, 1)))
    return case._replace(params=case.params._replace(W=W))


@pytest.mark.nojit
@given(nonnegative_cases())
@settings(max_examples=60)
def test_the_other_units_never_raise_the_log_odds_of_a_unit_in_any_state(case):
    n_h = case.params.W.shape[1]
    size = 1e-12 * (1.0 + np.abs(case.params.W).sum() + np.abs(case.params.W.T @ case.params.W).sum())
    for h in itertools.product((0, 1), repeat=n_h):
        for j in range(n_h):
            alone = naive.log_odds(case.params, case.visible, case.x, np.zeros(n_h), j)
            others = naive.log_odds(case.params, case.visible, case.x, h, j) - alone
            assert others <= 100 * size
            if case.visible == "gaussian":
                W, rest = case.params.W, np.array(h) * (np.arange(n_h) != j)
                assert others == pytest.approx(-(W[:, j] @ W @ rest), abs=1e4 * size)


@pytest.mark.nojit
@given(nonnegative_cases())
@settings(max_examples=30)
def test_every_unit_that_turns_on_lowers_the_log_odds_of_all_others(case):
    model = case.model()
    J = model.interactions(case.x, case.h0)
    assert J.max() <= 1e-9 * (1.0 + np.abs(J).max())


@pytest.mark.nojit
def test_one_weight_below_zero_is_enough_for_units_that_support_each_other():
    W = np.array([[2.0, -2.0], [1.0, 1.0]])
    for visible in VISIBLES:
        params = naive.Params(W, np.zeros(2), np.zeros(2))
        on, off = (naive.log_odds(params, visible, np.ones(2), [0, h], 0) for h in (1, 0))
        assert on > off


# -- training


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("m_step", ["gradient", "closed_form"])
@pytest.mark.parametrize("e_step", ["icm", "gibbs"])
@pytest.mark.parametrize("momentum", [0.0, 0.5])
def test_no_weight_is_below_zero_after_any_step(visible, m_step, e_step, momentum):
    if m_step == "closed_form" and (visible == "bernoulli" or momentum):
        pytest.skip("the closed form is of Gaussian units and has no momentum")
    X = images(visible)
    how = HardEM(
        5, visible, m_step=m_step, e_step=e_step, warm_sweeps=2, momentum=momentum, learning_rate=0.3,
        nonnegative=True, average=0.5,
    )  # fmt: skip
    run = Training(how, X, n_iter=4, batch_size=7, rng=np.random.default_rng(1))
    found = [lowest(state.params) for state, _ in run]
    assert lowest(how.init(X, np.random.default_rng(1)).params) == 0.0
    assert min(found) == 0.0
    free = replace(how, nonnegative=False)
    begun = how.init(X, np.random.default_rng(1))
    run = Training(free, X, n_iter=4, batch_size=7, rng=np.random.default_rng(1), state=begun)
    assert min(lowest(state.params) for state, _ in run) < 0.0  # nothing else keeps them


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_a_gradient_step_is_the_free_step_with_weights_below_zero_raised_to_it(visible, decay):
    case = random_case(visible, 8, 4, seed=5)
    X, H = images(visible, 9, 8).astype(float), np.random.default_rng(2).integers(0, 2, (9, 4)).astype(float)
    free = HardEM(4, visible, learning_rate=0.2, weight_decay=decay)
    state = free.from_params(make_params(*case.params))
    ends = [how.learn(state, X, H)[0].params for how in (free, replace(free, nonnegative=True))]
    np.testing.assert_array_equal(np.maximum(ends[0].W, 0.0), ends[1].W)
    assert lowest(ends[0]) < 0.0
    np.testing.assert_array_equal(ends[0].b, ends[1].b)
    np.testing.assert_array_equal(ends[0].d, ends[1].d)


@pytest.mark.nojit
@given(
    st.integers(2, 40),
    st.integers(1, 5),
    st.integers(1, 6),
    st.sampled_from([0.1, 1.0, 10.0]),
    st.integers(0, 99),
)
@settings(max_examples=40, deadline=None)
def test_the_bounded_closed_form_is_non_negative_least_squares(n, n_v, n_h, ridge, seed):
    rng = np.random.default_rng(seed)
    X, H = rng.normal(2, 1, (n, n_v)), rng.integers(0, 2, (n, n_h)).astype(float)
    start = rng.normal(size=(n_v, n_h))
    W, b = solve_gaussian_nonnegative(gaussian_statistics(X, H), ridge, start)
    # b is free: a positive and a negative column for it
    design = np.vstack([np.column_stack([H, np.ones(n), -np.ones(n)]), np.sqrt(ridge) * np.eye(n_h, n_h + 2)])
    for i in range(n_v):
        expected = nnls(design, np.append(X[:, i], np.zeros(n_h)))[0]
        np.testing.assert_allclose(W[i], expected[:n_h], atol=1e-6)
        assert b[i] == pytest.approx(expected[-2] - expected[-1], abs=1e-6)


@pytest.mark.nojit
def test_where_the_free_closed_form_has_no_weight_below_zero_the_bounded_one_is_the_same():
    rng = np.random.default_rng(3)
    H = rng.integers(0, 2, (200, 4)).astype(float)
    X = H @ rng.uniform(1, 2, (4, 6)) + 0.01 * rng.normal(size=(200, 6))
    statistics = gaussian_statistics(X, H)
    for free, bounded in zip(
        solve_gaussian(statistics, 0.5),
        solve_gaussian_nonnegative(statistics, 0.5, np.zeros((6, 4))),
        strict=True,
    ):
        np.testing.assert_allclose(free, bounded, atol=1e-7)


@pytest.mark.parametrize("visible", VISIBLES)
def test_equal_seeds_reproduce_a_run_bit_for_bit(visible):
    how: dict[str, Any] = {"visible": visible, "nonnegative": True, "n_iter": 3, "validation_size": 0}
    raw = [
        b"".join(a.tobytes() for a in LRBN(5, **how, random_state=seed).fit(images(visible)).layers[0])
        for seed in (7, 7, 8)
    ]
    assert raw[0] == raw[1] != raw[2]


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("visible", VISIBLES)
def test_a_run_left_and_resumed_ends_bit_for_bit_the_same(visible, deep, tmp_path):
    m_step: Any = "closed_form" if visible == "gaussian" else "gradient"
    how = HardEM(5, visible, m_step=m_step, e_step="gibbs", warm_sweeps=2, nonnegative=True, average=0.4)
    system: Any = DeepHardEM((how, HardEM(3))) if deep else how

    def make():
        return Training(system, images(visible), n_iter=3, batch_size=25, rng=np.random.default_rng(5))

    whole, begun = make(), make()
    end = list(whole)[-1][0]
    for _ in range(4):
        next(begun)
    save_checkpoint(tmp_path / "run", {"a": begun}, {})
    resumed = make()
    resumed.restore(load_checkpoint(tmp_path / "run").snapshot("a", resumed.state))
    assert_same(list(resumed)[-1][0], end)


def test_a_checkpoint_says_that_its_weights_were_bounded(tmp_path):
    X = images("bernoulli")
    how: dict[str, Any] = {"n_iter": 3, "random_state": 3, "validation_size": 0}
    bounded = LRBN(4, nonnegative=True, **how)
    steps: Any = bounded.fit_steps(X, checkpoint=tmp_path / "run", checkpoint_seconds=0.0)
    for _ in range(3):
        next(steps)
    steps.close()
    with pytest.raises(ValueError, match=r"another run: expected nonnegative = False, got True"):
        LRBN(4, **how).fit(X, checkpoint=tmp_path / "run")
    bounded.fit(X, checkpoint=tmp_path / "run")
    assert lowest(bounded.layers[0]) == 0.0


def test_in_a_deep_model_the_filters_of_the_lowest_layer_alone_are_bounded():
    model = LRBN(
        (5, 4),
        layer_by_layer=True,
        nonnegative=True,
        n_iter=4,
        n_fine_tune=2,
        random_state=0,
        validation_size=0,
    )
    assert [layer.nonnegative for layer in model.make_system().layers] == [True, False]
    model.fit(images("bernoulli"))
    assert lowest(model.params_[0]) >= 0.0 > lowest(model.params_[1])
    run = DeepTraining(model.make_system(), data(), n_iter=1, n_fine_tune=1, batch_size=25, seed=4)
    assert min(lowest(run.state[0].params) for _ in run) >= 0.0


def test_the_setting_is_kept_and_models_without_it_were_trained_freely(tmp_path):
    case = random_case("bernoulli", 6, 4, seed=3)
    bounded = case.model(nonnegative=True)
    bounded.save(tmp_path / "m.npz")
    assert load_model(tmp_path / "m.npz").nonnegative is True
    assert case.model().nonnegative is False
    with pytest.raises(TypeError, match="nonnegative must be"):
        LRBN(4, nonnegative=1).fit(images("bernoulli"))  # pyright: ignore[reportArgumentType]


# -- where it begins, and what it finds


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("learned", [False, True])
def test_training_begins_with_parts_of_images(visible, learned):
    X = images(visible, 50, 40)
    params = parts_of(X, 9, visible, learned, np.random.default_rng(4))
    assert [a.shape for a in params] == [(40, 9), (40,), (9,)]
    assert (params.W >= 0).all()
    used = params.W > 0
    assert ((used.sum(axis=0) >= 1) & (used.sum(axis=0) <= 3)).all()  # at most 1/16 of 40 pixels, rounded
    assert (params.d < 0).all() == learned
    if visible == "bernoulli":
        assert all((X[:, on].all(axis=1)).any() for on in used.T)
        assert (params.b <= -3.5).all()


@pytest.mark.parametrize("prior", ["flat", "warmed", "learned"])
def test_units_begin_rare_and_stay_so_while_a_warmed_prior_is_held(prior):
    how: dict[str, Any] = {"prior": prior, "warm_up": 1e6, "n_iter": 2, "random_state": 0}
    d = LRBN(5, nonnegative=True, **how).fit(images("bernoulli")).layers[0].d
    assert ((d == 0).all(), (d == -2.2).all()) == (prior == "flat", prior == "warmed")


def test_images_that_are_all_alike_have_no_parts_and_train_all_the_same():
    for visible in VISIBLES:
        model = LRBN(4, visible=visible, nonnegative=True, n_iter=40, random_state=0).fit(np.ones((30, 6)))
        assert all(np.isfinite(a).all() for a in model.layers[0])
        np.testing.assert_allclose(model.reconstruct(np.ones((2, 6))), 1, atol=0.2)


def test_it_finds_the_bars_of_which_images_are_made():
    bars = load_dataset("bars")
    model = LRBN(
        16, nonnegative=True, e_step="gibbs", init="zeros", learning_rate=1.0, n_iter=12, random_state=0
    ).fit(bars.train_X)
    side = bars.image_shape[0]
    filters = model.layers[0].W.T.reshape(-1, side, side) > 2.0
    lines = filters.all(axis=1).sum(axis=1) + filters.all(axis=2).sum(axis=1)
    assert (lines == 1).sum() >= 14
