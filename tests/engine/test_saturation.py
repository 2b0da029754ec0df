"""Extreme parameters: whole rows of weights up to 60, offsets up to 800. All stays finite and right."""

import naive
import numpy as np
import pytest
from engine.cases import ORDERS, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import exact_posterior, explain_away, log_odds_terms
from lrbn_viz.core.model import LayerParams
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.lrbn.traced import Stepper


def extreme_case(kind: str, n_v: int, n_h: int, seed: int) -> Case:
    """Bernoulli models whose pixels are saturated, each kind in its own way."""
    rng = np.random.default_rng(seed)
    W, b, d = rng.normal(size=(n_v, n_h)), rng.normal(size=n_v), rng.normal(size=n_h)
    if kind == "uniform":
        W = rng.uniform(-60, 60, (n_v, n_h))
    elif kind == "rows":
        # Whole rows of one sign: the product over all pixels would be exp(60 n_v).
        W[:, ::2] = 60.0
        W[:, 1::3] = -60.0
    elif kind == "offsets":
        W = rng.uniform(-60, 60, (n_v, n_h))
        b = rng.choice([-800.0, 800.0], n_v)
    elif kind == "shared":
        # Few enough strong pixels that products stay within range, but all units push them the same way:
        # together they reach probabilities below the smallest double.
        W *= 0.1
        W[: min(n_v, 6)] = rng.choice([-60.0, 60.0], (min(n_v, 6), 1))
    elif kind == "mixed":
        # One enormous unit beside ordinary ones, some pixels hopeless: far beyond the range of exp.
        W[:, 0] = rng.choice([-900.0, 900.0], n_v)
        b[:: max(1, n_v // 3)] = -800.0
        d[-1] = 700.0
    x = rng.integers(0, 2, n_v).astype(np.uint8)
    return Case("bernoulli", naive.Params(W, b, d), x, rng.integers(0, 2, n_h).astype(np.uint8))


KINDS = ("uniform", "rows", "offsets", "shared", "mixed")
extreme_cases = st.builds(
    extreme_case,
    st.sampled_from(KINDS),
    st.sampled_from([1, 5, 64, 65, 130]),
    st.integers(1, 14),
    st.integers(0, 2**32 - 1),
)


def assert_equal_to_softplus_form(case: Case, trace, order: str = "sequential") -> None:
    start, sweep = 0, 0
    for visit in trace:
        if visit.sweep != sweep:
            start, sweep = visit.k - 1, visit.sweep
        before = trace.latents(start if order == "parallel" else visit.k - 1)
        odds = naive.log_odds_by_softplus(case.params, case.x, before, visit.unit)
        assert np.isfinite(visit.log_odds)
        assert visit.log_odds == pytest.approx(odds, rel=1e-12, abs=1e-8)
        joint = naive.log_joint(case.params, "bernoulli", case.x, trace.latents(visit.k))
        assert visit.log_joint == pytest.approx(joint, rel=1e-12, abs=1e-8)


@pytest.mark.nojit
@given(extreme_cases, st.sampled_from(ORDERS))
@settings(max_examples=60)
def test_extreme_weights_stay_finite_and_equal_the_softplus_form(case, order):
    trace = case.model().map_trace(case.x, init=case.h0, order=order, max_sweeps=4, random_state=0)
    assert_equal_to_softplus_form(case, trace, order)


@pytest.mark.nojit
@given(extreme_cases)
@settings(max_examples=30)
def test_extreme_weights_stay_right_while_sampling_flips_them_to_and_fro(case):
    trace = case.model().map_trace(case.x, init=case.h0, temperature=200.0, max_sweeps=6, random_state=0)
    assert_equal_to_softplus_form(case, trace)


@pytest.mark.nojit
@pytest.mark.parametrize("n_hopeless", [1, 3])
def test_a_pixel_that_was_hopeless_comes_back_flip_by_flip(n_hopeless):
    # At -800 its odds are below what the fast update holds; 14 flips of 60 make it likely after all.
    rng = np.random.default_rng(7)
    W, b = 0.1 * rng.normal(size=(5, 14)), rng.normal(size=5)
    W[:n_hopeless], b[:n_hopeless] = 60.0, -800.0
    x = np.ones(5, np.uint8)
    case = Case("bernoulli", naive.Params(W, b, np.full(14, 1000.0)), x, np.zeros(14, np.uint8))
    trace = case.model().map_trace(case.x, init=case.h0)
    assert trace.flipped[:14].all()
    assert_equal_to_softplus_form(case, trace)


@pytest.mark.parametrize("kind", KINDS)
def test_extreme_weights_at_the_size_of_a_digit(kind):
    case = extreme_case(kind, 784, 12, seed=1)
    trace = case.model().map_trace(case.x, init=case.h0, temperature=[500.0, 50.0], random_state=0)
    assert_equal_to_softplus_form(case, trace)
    assert trace.flipped.sum() > 3


@pytest.mark.parametrize(("kind", "n_h"), [("uniform", 6), ("shared", 14), ("offsets", 6)])
def test_thousands_of_flips_of_saturated_pixels_do_not_drift(kind, n_h):
    case = extreme_case(kind, 70, n_h, seed=2)
    trace = case.model().map_trace(case.x, temperature=300.0, max_sweeps=3000, random_state=0)
    assert trace.flipped.sum() > 3000
    for k in [*range(0, trace.n_visits - 200, 101), *range(trace.n_visits - 200, trace.n_visits)]:
        before, after = trace.latents(k), trace.latents(k + 1)
        odds = naive.log_odds_by_softplus(case.params, case.x, before, int(trace.unit[k]))
        assert trace.log_odds[k] == pytest.approx(odds, rel=1e-12, abs=1e-8)
        joint = naive.log_joint(case.params, "bernoulli", case.x, after)
        assert trace.log_joint[k] == pytest.approx(joint, rel=1e-12, abs=1e-8)


def test_ordinary_weights_do_not_drift_over_thousands_of_flips_either():
    rng = np.random.default_rng(3)
    params = naive.Params(rng.normal(size=(70, 8)), rng.normal(size=70), rng.normal(size=8))
    case = Case("bernoulli", params, rng.integers(0, 2, 70).astype(np.uint8), np.zeros(8, np.uint8))
    trace = case.model().map_trace(case.x, temperature=20.0, max_sweeps=2500, random_state=0)
    assert trace.flipped.sum() > 5000
    for k in range(0, trace.n_visits, 97):
        odds = naive.log_odds_by_softplus(case.params, case.x, trace.latents(k), int(trace.unit[k]))
        assert trace.log_odds[k] == pytest.approx(odds, abs=1e-9)
        joint = naive.log_joint(case.params, "bernoulli", case.x, trace.latents(k + 1))
        assert trace.log_joint[k] == pytest.approx(joint, abs=1e-9)


@pytest.mark.nojit
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_v", [1, 70])
def test_whole_batches_of_saturated_images_end_in_the_state_of_the_trace(kind, n_v):
    case = extreme_case(kind, n_v, 6, seed=4)
    X = np.random.default_rng(5).integers(0, 2, (12, n_v)).astype(np.uint8)
    model = case.model()
    H = model.transform(X)
    for x, h in zip(X, H, strict=True):
        trace = model.map_trace(x)
        assert_equal_to_softplus_form(case._replace(x=x), trace)
        np.testing.assert_array_equal(trace.latents(trace.n_visits), h)
    joints = [naive.log_joint(case.params, "bernoulli", x, h) for x, h in zip(X, H, strict=True)]
    np.testing.assert_allclose(model.log_joint(X, H), joints, rtol=1e-12, atol=1e-8)


@pytest.mark.nojit
@pytest.mark.parametrize("kind", KINDS)
def test_exact_answers_stay_finite_and_right_when_saturated(kind):
    case = extreme_case(kind, 66, 5, seed=6)
    model = case.model()
    exact, oracle = exact_posterior(model, case.x), naive.posterior(case.params, "bernoulli", case.x)
    assert exact.log_evidence == pytest.approx(oracle.log_evidence, rel=1e-12, abs=1e-8)
    np.testing.assert_array_equal(exact.map_state, oracle.map_state)
    np.testing.assert_allclose(exact.marginals, oracle.marginals, atol=1e-8)
    J = explain_away(model, case.x, case.h0)
    for j in range(5):
        terms = log_odds_terms(model, case.x, case.h0, j)
        odds = naive.log_odds_by_softplus(case.params, case.x, case.h0, j)
        assert terms.log_odds == pytest.approx(odds, rel=1e-12, abs=1e-8)
        for k in range(5):
            if k != j:
                second = naive.interaction(case.params, "bernoulli", case.x, case.h0, j, k)
                assert J[j, k] == pytest.approx(second, rel=1e-9, abs=1e-8)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", ["bernoulli", "gaussian"])
@pytest.mark.parametrize("poisoned", ["W", "b", "d"])
def test_the_kernels_do_not_hide_a_not_a_number(visible, poisoned):
    rng = np.random.default_rng(7)
    values = {"W": rng.normal(size=(70, 3)), "b": rng.normal(size=70), "d": rng.normal(size=3)}
    values[poisoned][-1] = np.nan
    params = LayerParams(**values)
    kernel_params = prepare_params(params, visible)
    stepper = Stepper(
        params,
        visible,
        kernel_params,
        np.ones(70),
        np.ones((1, 3), np.uint8),
        "sequential",
        np.zeros(2),
        {},
        rng,
    )
    stepper.run()
    trace = stepper.trace()
    assert np.isnan(trace.log_odds).any()
    assert np.isnan(trace.log_joint).any()


@pytest.mark.parametrize("w", [40.0, 60.0, 69.0, 75.0, 79.0, 90.0, 200.0])
def test_single_precision_sampling_is_right_where_a_strong_weight_meets_a_hopeless_pixel(w):
    # 200 nats against the first pixel: the unit cannot turn it on, and decides by its prior alone.
    W, b = np.zeros((64, 1)), np.zeros(64)
    W[0], b[0] = w, -200.0 - w
    params = naive.Params(W, b, np.array([3.0]))
    case = Case("bernoulli", params, np.zeros(64, np.uint8), np.zeros(1, np.uint8))
    exact = naive.sigmoid(naive.log_odds(params, "bernoulli", case.x, [0], 0))
    H = case.model().transform(np.zeros((20_000, 64), np.uint8), method="gibbs", n_sweeps=1, random_state=0)
    # Five standard errors.
    assert H.mean() == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 20_000))
