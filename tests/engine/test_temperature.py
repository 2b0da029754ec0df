"""Temperature: exact distributions after a few sweeps, the posterior at 1, ICM at 0, annealing between."""

import naive
import numpy as np
import pytest
import scipy.stats
from covering import slow_but
from engine.cases import VISIBLES, Case, random_case

from lrbn_viz import exact_posterior
from lrbn_viz.lrbn.traced import cooling, schedule


def state_index(H: np.ndarray) -> np.ndarray:
    """Position of each row in the order of naive.states, the last unit changing fastest."""
    return H @ (2 ** np.arange(H.shape[1])[::-1])


def assert_drawn_from(H: np.ndarray, probabilities: np.ndarray) -> None:
    """A chi-square test of independent draws of states; cells that expect fewer than 10 are put together."""
    counts = np.bincount(state_index(H.astype(int)), minlength=len(probabilities)).astype(float)
    expected = probabilities * len(H)
    rare = expected < 10
    assert counts[expected < 1e-9].sum() == 0
    if expected[rare].sum() > 1:
        counts = np.append(counts[~rare], counts[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    else:
        counts, expected = counts[~rare], expected[~rare]
    assert len(expected) > 2
    assert scipy.stats.chisquare(counts, expected * counts.sum() / expected.sum()).pvalue > 1e-3


def crowded_case(visible: str, n_h: int = 4, seed: int = 0) -> Case:
    """A model whose posterior spreads over many states that depend on each other."""
    case = random_case(visible, 6, n_h, seed, scale=0.8)
    return case._replace(params=case.params._replace(d=case.params.d * 0.3))


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("temperatures", slow_but({(0.5, 2.0)}, [(1.0,), (0.5, 2.0), (3.0, 1.0, 0.4)]))
def test_states_after_a_few_sweeps_have_their_exact_distribution(visible, temperatures):
    case = crowded_case(visible)
    rng = np.random.default_rng(1)
    model = case.model(max_sweeps=1)
    n_warm = 4 * len(temperatures)
    H = np.array([
        model.map_trace(case.x, init=case.h0, temperature=temperatures, random_state=rng).latents(n_warm)
        for _ in range(3000)
    ])  # fmt: skip
    assert_drawn_from(H, naive.after_schedule(case.params, visible, case.x, case.h0, temperatures))


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("n_sweeps", [1, 2])
def test_gibbs_batches_have_the_exact_distribution_of_their_sweeps(visible, n_sweeps):
    case = crowded_case(visible, seed=1)
    X = np.tile(case.x, (40_000, 1))
    H = case.model(init="zeros").transform(X, method="gibbs", n_sweeps=n_sweeps, random_state=0)
    assert_drawn_from(H, naive.after_schedule(case.params, visible, case.x, np.zeros(4), [1.0] * n_sweeps))


@pytest.mark.parametrize("visible", VISIBLES)
def test_gibbs_batches_converge_to_the_exact_posterior(visible):
    case = crowded_case(visible, n_h=5, seed=2)
    X = np.tile(case.x, (40_000, 1))
    H = case.model().transform(X, method="gibbs", n_sweeps=60, random_state=0)
    exact = naive.posterior(case.params, visible, case.x)
    assert_drawn_from(H, exact.probabilities)
    np.testing.assert_allclose(np.cov(H.T.astype(float)), exact.covariance, atol=0.01)


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("order", ["sequential", "random"])
def test_one_long_gibbs_trace_visits_states_as_often_as_the_posterior_says(visible, order):
    case = crowded_case(visible, n_h=3, seed=3)
    trace = case.model().map_trace(case.x, order=order, temperature=1.0, max_sweeps=30_000, random_state=0)
    assert trace.n_visits == 90_000
    assert not trace.converged
    h, rows = trace.h0.copy(), []
    for k in range(trace.n_visits):
        h[trace.unit[k]] = trace.after[k]
        if k % 3 == 2:
            rows.append(h.copy())
    shares = np.bincount(state_index(np.array(rows)), minlength=8) / len(rows)
    exact = naive.posterior(case.params, visible, case.x).probabilities
    # Total variation; 30,000 independent draws would be within 0.01, and successive sweeps are correlated.
    assert 0.5 * np.abs(shares - exact).sum() < 0.02


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("order", ["sequential", "random", "parallel"])
def test_a_temperature_near_zero_makes_the_visits_of_icm(visible, order):
    # Inside: ICM, Gibbs sampling and annealing are one loop with a temperature.
    for seed in range(10):
        case = random_case(visible, 40, 9, seed)
        how = {"init": "random", "order": order, "max_sweeps": 12, "random_state": seed}
        cold = case.model().map_trace(case.x, temperature=1e-9, **how)
        icm = case.model().map_trace(case.x, **how)
        n = icm.n_visits
        assert cold.n_visits == 12 * 9
        for column in ("unit", "after", "log_odds", "log_joint"):
            assert getattr(cold, column)[:n].tobytes() == getattr(icm, column).tobytes()
        if icm.converged:
            assert not cold.flipped[n:].any()


@pytest.mark.nojit
def test_at_a_high_temperature_every_unit_is_a_fair_coin():
    case = random_case("bernoulli", 40, 5, seed=5)
    trace = case.model().map_trace(case.x, temperature=1e9, max_sweeps=400, random_state=0)
    # Four standard errors of 2,000 coins.
    assert trace.after.mean() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(2000))
    assert trace.flipped.mean() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(2000))


@pytest.mark.nojit
@pytest.mark.parametrize("order", ["sequential", "random", "parallel"])
def test_a_sequence_of_temperatures_gives_one_sweep_at_each_and_then_icm(order):
    case = random_case("bernoulli", 40, 7, seed=6)
    trace = case.model().map_trace(case.x, order=order, temperature=[1e9] * 30, max_sweeps=20, random_state=0)
    assert trace.n_visits > 30 * 7
    assert trace.sweep[210] == 30
    # Hot visits disagree with the likelier state about half of the time, the ICM visits after them never.
    likelier = trace.log_odds > 0
    assert 0.3 < (likelier == trace.after)[:210].mean() < 0.7
    assert (likelier == trace.after)[210:].all()
    assert trace.converged or order == "parallel"


def test_annealing_finds_the_exact_optimum_far_more_often_than_icm():
    icm = annealed = 0
    for seed in range(10):
        case = random_case("bernoulli", 40, 12, seed, scale=2.0)
        model = case.model()
        X = np.random.default_rng(seed).integers(0, 2, (20, 40)).astype(np.uint8)
        best = np.array([exact_posterior(model, x).map_log_joint for x in X])
        by_icm = model.log_joint(X, model.transform(X))
        by_annealing = model.log_joint(X, model.transform(X, method="annealed"))
        assert (np.maximum(by_icm, by_annealing) <= best + 1e-9).all()
        icm += int((by_icm > best - 1e-9).sum())
        annealed += int((by_annealing > best - 1e-9).sum())
    # Of 200 images: 155 and 191 when this was written.
    assert annealed >= 180
    assert annealed >= icm + 20


@pytest.mark.nojit
def test_schedules_hold_a_temperature_or_follow_a_sequence_and_cool_geometrically():
    np.testing.assert_array_equal(schedule(0.5, 3), [0.5, 0.5, 0.5])
    np.testing.assert_array_equal(schedule([2.0, 1.0], 3), [2.0, 1.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(schedule([], 2), [0.0, 0.0])
    cooled = cooling(5, hottest=4.0, coldest=0.25)
    np.testing.assert_allclose(cooled, [4.0, 2.0, 1.0, 0.5, 0.25])
