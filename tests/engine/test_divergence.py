"""Approximations of the posterior: their divergence, total variation, marginals and covariance."""

import itertools
import math

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES, random_case, small_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import RBM, approximations, exact_posterior
from lrbn_viz.core.posterior import summarise
from lrbn_viz.measure.divergence import (
    Approximation,
    empirical,
    feed_forward,
    gibbs_states,
    independent,
    mean_field,
    point_mass,
)

pytestmark = pytest.mark.nojit


def as_naive(approximation: Approximation, H) -> list[float]:
    """Probabilities of the states in the oracle's order, in which the last unit changes fastest."""
    index = np.asarray(H) @ (1 << np.arange(np.shape(H)[1]))
    return approximation.probabilities[index].tolist()


def assert_measured(approximation: Approximation, oracle: naive.Posterior, q: list[float]) -> None:
    """The approximation says `q` of the oracle's states, and is measured as they are by hand."""
    log_p = oracle.log_joints - oracle.log_evidence
    np.testing.assert_allclose(as_naive(approximation, oracle.states), q, atol=1e-12)
    assert approximation.kl == pytest.approx(naive.divergence(q, log_p), abs=1e-8)
    by_hand = naive.total_variation(q, oracle.probabilities)
    assert approximation.total_variation == pytest.approx(by_hand, abs=1e-9)
    on = [
        math.fsum(p * h[j] for p, h in zip(q, oracle.states, strict=True))
        for j in range(len(oracle.map_state))
    ]
    np.testing.assert_allclose(approximation.marginals, on, atol=1e-12)
    apart = oracle.states - np.array(on)
    np.testing.assert_allclose(approximation.covariance, apart.T @ (np.array(q)[:, None] * apart), atol=1e-12)


@given(small_cases(max_h=6), st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_every_kind_of_distribution_is_measured_as_by_hand(case, seed):
    exact = exact_posterior(case.model(), case.x)
    oracle = naive.posterior(case.params, case.visible, case.x)
    rng = np.random.default_rng(seed)
    n_h = len(case.h0)
    assert_measured(point_mass(exact, case.h0), oracle, [float((h == case.h0).all()) for h in oracle.states])
    on = rng.random(n_h)
    on[rng.integers(n_h)] = rng.integers(2)  # some unit is sure
    assert_measured(independent(exact, on), oracle, naive.product(on))
    H = rng.integers(0, 2, (50, n_h))
    frequencies = [float((h == H).all(axis=1).mean()) for h in oracle.states]
    sampled = empirical(exact, H)
    assert_measured(sampled, oracle, frequencies)
    assert sampled.n_samples == 50


@given(small_cases(max_h=8), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_divergences_keep_their_bounds_and_pinskers_inequality(case, seed):
    exact = exact_posterior(case.model(), case.x)
    rng = np.random.default_rng(seed)
    n_h = len(case.h0)
    for q in (
        point_mass(exact, case.h0),
        point_mass(exact, exact.map_state),
        independent(exact, rng.random(n_h)),
        independent(exact, exact.marginals),
        independent(exact, feed_forward(exact)),
        empirical(exact, rng.integers(0, 2, (30, n_h))),
    ):
        assert q.kl >= 0
        assert 0 <= q.total_variation <= 1
        assert q.total_variation <= math.sqrt(q.kl / 2) + 1e-7  # KL carries the rounding of its logarithms
        assert q.probabilities.sum() == pytest.approx(1)


@given(small_cases(max_h=8))
@settings(max_examples=40)
def test_a_point_mass_diverges_by_how_improbable_its_state_is(case):
    exact = exact_posterior(case.model(), case.x)
    index = int(case.h0 @ (1 << np.arange(len(case.h0))))
    sure = point_mass(exact, case.h0)
    assert sure.kl == pytest.approx(exact.log_evidence - exact.log_joints[index], abs=1e-9)
    assert sure.total_variation == pytest.approx(1 - exact.probabilities[index], abs=1e-9)
    assert not sure.covariance.any()
    # of all states the exact MAP diverges least
    assert point_mass(exact, exact.map_state).kl <= sure.kl + 1e-9


@pytest.mark.parametrize("visible", VISIBLES)
def test_where_the_posterior_is_a_product_its_product_of_marginals_is_exact(visible):
    case = random_case(visible, 12, 6, seed=1, scale=0.7)
    exact = exact_posterior(RBM.from_params(*case.params, visible=visible), case.x)
    for on in (exact.marginals, feed_forward(exact), mean_field(exact)):
        same = independent(exact, on)
        assert same.kl == pytest.approx(0, abs=1e-12)
        assert same.total_variation == pytest.approx(0, abs=1e-12)
        np.testing.assert_allclose(same.covariance, exact.covariance, atol=1e-12)


@given(small_cases(max_h=6))
@settings(max_examples=40)
def test_the_feed_forward_conditionals_are_those_with_all_others_off(case):
    on = feed_forward(exact_posterior(case.model(), case.x))
    off = np.zeros(len(case.h0))
    odds = [naive.log_odds(case.params, case.visible, case.x, off, j) for j in range(len(on))]
    np.testing.assert_allclose(on, [naive.sigmoid(value) for value in odds], atol=1e-9)


@given(small_cases(max_h=5), st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_mean_field_ends_where_every_unit_equals_its_expected_log_odds(case, seed):
    exact = exact_posterior(case.model(), case.x)
    n_h = len(case.h0)
    start = np.random.default_rng(seed).random(n_h)
    on = mean_field(exact, start, max_sweeps=5000)
    for j in range(n_h):
        expected = math.fsum(
            weight * naive.log_odds(case.params, case.visible, case.x, h, j)
            for h, weight in zip(naive.states(n_h), naive.product(on), strict=True)
        )
        assert on[j] == pytest.approx(naive.sigmoid(expected), abs=1e-6)
    assert independent(exact, on).kl <= independent(exact, start).kl + 1e-9
    best = independent(exact, mean_field(exact)).kl
    assert best <= independent(exact, feed_forward(exact)).kl + 1e-9
    assert best <= independent(exact, exact.marginals).kl + 1e-9


def test_mean_field_is_sure_where_the_posterior_is():
    case = random_case("bernoulli", 10, 4, scale=500.0)
    exact = exact_posterior(case.model(), case.x)
    assert np.ptp(exact.log_joints) > 2000  # too much for exp
    on = mean_field(exact, np.full(4, 0.5))
    np.testing.assert_allclose(on, exact.marginals, atol=1e-12)
    assert np.minimum(on, 1 - on).max() < 1e-100


def test_each_sweep_of_mean_field_lowers_the_divergence():
    case = random_case("bernoulli", 30, 8, seed=2)
    exact = exact_posterior(case.model(), case.x)
    steps = [mean_field(exact, np.full(8, 0.5), max_sweeps=n) for n in range(1, 12)]
    kl = [independent(exact, on).kl for on in steps]
    assert all(after <= before + 1e-12 for before, after in itertools.pairwise(kl))
    assert kl[-1] < kl[0]


def test_of_all_products_that_of_the_exact_marginals_is_best_the_other_way_round():
    case = random_case("bernoulli", 20, 5, seed=3, scale=0.8)
    exact = exact_posterior(case.model(), case.x)
    log_p = exact.log_joints - exact.log_evidence

    def reverse(on) -> float:
        q = independent(exact, on).probabilities
        return naive.divergence(exact.probabilities.tolist(), np.log(q)) if (q > 0).all() else math.inf

    best = reverse(exact.marginals)
    rng = np.random.default_rng(0)
    for on in (
        feed_forward(exact),
        mean_field(exact),
        *rng.random((50, 5)),
        *exact.marginals + 0.02 * np.eye(5),
    ):
        assert best <= reverse(np.clip(on, 1e-9, 1 - 1e-9)) + 1e-12
    assert naive.divergence(exact.probabilities.tolist(), log_p) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("visible", VISIBLES)
def test_gibbs_states_follow_the_posterior_more_closely_the_more_there_are(visible):
    case = random_case(visible, 20, 4, seed=4, scale=0.5)
    model, exact = case.model(), exact_posterior(case.model(), case.x)
    few, many = (empirical(exact, gibbs_states(model, case.x, n, 50, 0)) for n in (20, 20_000))
    assert many.total_variation < 0.02 < few.total_variation
    assert many.n_samples == 20_000
    np.testing.assert_allclose(many.marginals, exact.marginals, atol=0.03)
    np.testing.assert_allclose(many.covariance, exact.covariance, atol=0.03)


def test_gibbs_states_are_those_of_the_trace_at_the_end_of_each_sweep():
    case = random_case("bernoulli", 20, 4, seed=4)
    model = case.model()
    states = gibbs_states(model, case.x, 30, 5, random_state=7)
    trace = model.map_trace(case.x, temperature=1.0, max_sweeps=35, random_state=7)
    for n, h in enumerate(states):
        np.testing.assert_array_equal(h, trace.latents(4 * (n + 6)))


def test_the_usual_approximations_come_together_and_by_name():
    case = random_case("bernoulli", 30, 7, seed=5)
    model, exact = case.model(), exact_posterior(case.model(), case.x)
    found = approximations(model, case.x, case.h0, n_samples=200, burn_in=10)
    assert list(found) == ["state", "feed_forward", "mean_field", "marginals", "gibbs"]
    assert found["state"].kl == point_mass(exact, case.h0).kl
    np.testing.assert_array_equal(
        found["feed_forward"].marginals, independent(exact, feed_forward(exact)).marginals
    )
    assert found["mean_field"].kl <= min(found["feed_forward"].kl, found["marginals"].kl)
    np.testing.assert_allclose(found["marginals"].marginals, exact.marginals, atol=1e-12)
    assert (found["gibbs"].n_samples, found["state"].n_samples) == (200, None)
    again = approximations(model, case.x, case.h0, posterior=exact, n_samples=200, burn_in=10)
    assert {name: (q.kl, q.total_variation) for name, q in found.items()} == {
        name: (q.kl, q.total_variation) for name, q in again.items()
    }


def test_units_that_are_sure_stay_probabilities():
    # Thousands of probabilities now and then sum to 1 + 1e-16.
    rng = np.random.default_rng(0)
    for _ in range(100):
        weights = rng.random(2**12) ** 40 * (np.arange(2**12) >> 3 & 1)
        exact = summarise(np.log(np.maximum(weights, 1e-300)))
        assert exact.marginals[3] == pytest.approx(1)
        assert exact.marginals.max() <= 1
        assert independent(exact, exact.marginals).kl >= 0


def test_what_cannot_be_measured_is_refused_in_words():
    case = random_case("gaussian", 3, 21, seed=3)
    with pytest.raises(ValueError, match=r"expected n_h <= 20, got 21"):
        approximations(case.model(), case.x, case.h0)
    with pytest.raises(TypeError, match="latents interact; got RBM"):
        approximations(RBM.from_params(*case.params, visible="gaussian"), case.x, case.h0)  # pyright: ignore[reportArgumentType]
    small = random_case("bernoulli", 8, 3, seed=1)
    exact = exact_posterior(small.model(), small.x)
    with pytest.raises(ValueError, match=r"expected \(3,\)"):
        point_mass(exact, [0, 1])
    for on in ([0.5, 0.5], [0.5, 0.5, 1.5], [0.5, 0.5, math.nan]):
        with pytest.raises(ValueError, match="expected 3 probabilities"):
            independent(exact, on)
    with pytest.raises(ValueError, match=r"expected \(n, 3\)"):
        empirical(exact, np.zeros((0, 3)))
    with pytest.raises(ValueError, match="other than 0 and 1"):
        empirical(exact, np.full((2, 3), 0.5))
    with pytest.raises(ValueError, match="n_samples must be at least 1"):
        gibbs_states(small.model(), small.x, 0)
