"""The M-step of Bernoulli units in one go, and what bounds the products of inference, against plain NumPy."""

import numpy as np
import pytest

from lrbn_viz.browser.lrbn import learn_alone, measure_alone
from lrbn_viz.core.model import LayerParams
from lrbn_viz.kernels import numerics
from lrbn_viz.kernels.numerics import softplus
from lrbn_viz.kernels.simd.odds import LANES, WIDEST, padded_length
from lrbn_viz.lrbn import kernel_params
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import activation, log_joint, make_params
from lrbn_viz.lrbn.regression import (
    BLOCK,
    FIGURES,
    PRIORS,
    Ascent,
    GradientSteps,
    Rows,
    ascent_at,
    binary_activation,
    gradient,
    regress,
    rows_of,
)

pytestmark = pytest.mark.nojit


def case(n, n_v, n_h, scale=1.0):
    rng = np.random.default_rng([n, n_v, n_h])
    params = LayerParams(
        rng.normal(0, scale, (n_h, n_v)).T, rng.normal(0, scale, n_v), rng.normal(0, 1.0, n_h)
    )
    return params, rng.integers(0, 2, (n, n_v)).astype(float), rng.integers(0, 2, (n, n_h)).astype(float)


@pytest.mark.parametrize("n_v", [1, BLOCK - 1, BLOCK, 2 * BLOCK + 3])
@pytest.mark.parametrize(("n", "n_h"), [(1, 1), (5, 3), (20, 4)])
@pytest.mark.parametrize("scale", [0.1, 3.0, 200.0])
def test_it_is_the_gradient_and_the_fit_that_matrix_products_give(n, n_v, n_h, scale):
    params, X, H = case(n, n_v, n_h, scale)
    updated, found, (log_likelihood, wrong), figures = regress(params, X, H, 0.9, 0.5)
    for one, other in zip(found, gradient(params, "bernoulli", X, H), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(updated, 0.9 * params.W + 0.5 * found.W, rtol=1e-10, atol=1e-12)
    size = np.sqrt(sum((g**2).sum() for g in found))
    fit = log_joint(params, "bernoulli", X, H) - (H @ params.d - softplus(params.d).sum())
    np.testing.assert_allclose(log_likelihood, fit, rtol=1e-9, atol=1e-8)
    np.testing.assert_array_equal(wrong, ((activation(params, H) > 0) != (X > 0)).sum(axis=1))
    joint = log_joint(params, "bernoulli", X, H).mean()
    np.testing.assert_allclose(figures, [joint, wrong.mean(), size, H.mean()], rtol=1e-9)


@pytest.mark.parametrize("n", [1, 6])
@pytest.mark.parametrize("kind", [np.uint8, np.float64])
def test_activations_of_binary_latents_are_the_product_with_the_weights(n, kind):
    params, _, H = case(n, 130, 7)
    found = binary_activation(make_params(*params), H.astype(kind))
    np.testing.assert_allclose(found, activation(params, H), rtol=1e-12, atol=1e-12)


def test_threads_do_not_show_in_the_result(monkeypatch):
    params, X, H = case(20, 3 * BLOCK, 4)
    alone = regress(params, X, H)
    monkeypatch.setattr(numerics, "MIN_THREADED_WORK", 1)
    together = regress(params, X, H)
    for one, other in zip((*alone.gradient, *alone[2:]), (*together.gradient, *together[2:]), strict=True):
        np.testing.assert_array_equal(one, other)


def test_frozen_parameters_and_columns_of_a_wider_array_are_taken_as_they_are():
    params, X, H = case(6, 9, 4)
    frozen = make_params(*params)
    wide = np.hstack([X, H])
    found = regress(frozen, wide[:, :9], wide[:, 9:])
    np.testing.assert_array_equal(found.gradient.W, regress(params, X, H).gradient.W)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_stays_so(bad):
    params, X, H = case(4, 6, 2)
    params.W[2, 1] = bad
    H[:, 1], X[:, 2] = 1.0, 0.0
    assert not np.isfinite(regress(params, X, H).fit[0]).any()


def pixels_per_logarithm(W):
    """Pixels of a row that one product may cover, by looking at every candidate of every row."""
    n_steps = W.shape[1] // LANES
    found = []
    for row in np.abs(W).reshape(len(W), n_steps, LANES):
        best = 0
        for steps in {-(-n_steps // parts) for parts in range(1, n_steps + 1)}:
            parts = [row[first : first + steps] for first in range(0, n_steps, steps)]
            safe = all(
                part.sum() <= kernel_params.ROW_LIMIT
                and part.reshape(-1, WIDEST).sum(axis=0).max() <= kernel_params.LANE_LIMIT[W.dtype]
                and part.max() <= kernel_params.WEIGHT_LIMIT[W.dtype]
                for part in parts
            )
            best = max(best, steps * LANES if safe else 0)
        found.append(best)
    return found


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_are_as_long_as_they_can_be_without_overflow(dtype):
    rng = np.random.default_rng(0)
    W = rng.normal(0, 1, (40, 300)) * np.geomspace(0.1, 300, 40)[:, None]
    W[5, 7] = 700.0
    made = kernel_params.prepare_params(LayerParams(W.T, np.zeros(300), np.zeros(40)), "bernoulli", dtype)
    assert made.chunk.tolist() == pixels_per_logarithm(made.W)
    assert len(set(made.chunk.tolist())) >= 4
    np.testing.assert_allclose(made.weight, made.W.sum(axis=1, dtype=np.float64), rtol=1e-9, atol=1e-9)


def test_a_weight_that_is_not_a_number_is_within_no_bound():
    W = np.zeros((2, 70))
    W[0, 3] = np.nan
    made = kernel_params.prepare_params(LayerParams(W.T, np.zeros(70), np.zeros(2)), "bernoulli", np.float32)
    assert made.chunk.tolist() == [0, padded_length(70)]


@pytest.mark.parametrize("nonnegative", [False, True])
@pytest.mark.parametrize("momentum", [0.0, 0.7])
def test_a_step_on_one_thread_in_place_is_that_of_training(momentum, nonnegative):
    # as browsers take it
    rng = np.random.default_rng(3)
    system = HardEM(
        n_h=4,
        momentum=momentum,
        weight_decay=0.01,
        decay_b=True,
        prior="warmed",
        warm_up=1.0,
        decay_steps=5.0,
        nonnegative=nonnegative,
    )
    params, X, H = case(9, BLOCK + 5, 4)
    X[2, 3] = np.nan
    state = system.from_params(params)
    here = Rows(*(array.copy() for array in rows_of(params)))
    gradient, velocity = (Rows(*map(np.zeros_like, here)) for _ in range(2))
    figures = np.empty(len(FIGURES))
    steps = GradientSteps(0.25, True, 5.0, PRIORS["warmed"], 0.01, nonnegative, 1.0, momentum)
    for step in range(4):
        H = rng.integers(0, 2, H.shape).astype(float)
        moving = velocity if momentum else gradient
        learn_alone(here, X, H.astype(np.uint8), steps, step, gradient, moving, here, figures)
        state, said = system.learn(state, X, H)
        assert said == pytest.approx(dict(zip(FIGURES, figures.tolist(), strict=True)), rel=1e-12)
        for one, other in zip(here.params, state.params, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_step_is_what_the_settings_make_it_after_others():
    steps = GradientSteps(0.5, False, 10.0, PRIORS["warmed"], 0.1, True, 4.0, 0.3)
    rate = 0.5 / (1 + 6 / 10)
    how = ascent_at(steps, 6)
    wanted = Ascent(
        nonnegative=True, rate=rate, prior_rate=0.5 * rate, keep=1 - 0.1 * rate, keep_b=1.0, momentum=0.3
    )
    assert how == pytest.approx(wanted, rel=1e-14)
    assert ascent_at(steps._replace(decay_b=True), 6).keep_b == how.keep
    for prior, share in (("flat", 0.0), ("learned", 1.0)):
        assert ascent_at(steps._replace(prior=PRIORS[prior]), 6).prior_rate == share * rate


def test_images_are_measured_alone_as_they_are_in_python():
    params, X, H = case(30, BLOCK + 5, 4)
    X[2, 3] = np.nan
    H[:, 2] = 0
    figures = np.empty(len(FIGURES) + 1)
    measure_alone(rows_of(params), X, H.astype(np.uint8), figures)
    np.testing.assert_allclose(figures[:-1], regress(params, X, H).figures, rtol=1e-12)
    assert figures[-1] == 1
