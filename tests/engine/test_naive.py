"""The oracles themselves: what must hold of the paper's equations whatever evaluates them."""

import itertools
import math

import naive
import numpy as np
import pytest

pytestmark = pytest.mark.nojit

VISIBLES = ("bernoulli", "gaussian")


def random_params(n_v: int, n_h: int, seed: int) -> naive.Params:
    rng = np.random.default_rng(seed)
    return naive.Params(rng.normal(size=(n_v, n_h)), rng.normal(size=n_v), rng.normal(size=n_h))


def random_x(visible: str, n_v: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, n_v).astype(np.uint8) if visible == "bernoulli" else rng.normal(size=n_v)


def test_the_bernoulli_joint_sums_to_one_over_all_images_and_states():
    params = random_params(4, 3, 0)
    total = math.fsum(
        math.exp(naive.log_joint(params, "bernoulli", x, h)) for x in naive.states(4) for h in naive.states(3)
    )
    assert total == pytest.approx(1, abs=1e-14)


def test_the_gaussian_joint_integrates_to_one():
    params = random_params(1, 2, 1)
    grid = np.linspace(-15, 15, 6001)
    density = [
        math.fsum(math.exp(naive.log_joint(params, "gaussian", [x], h)) for h in naive.states(2))
        for x in grid
    ]
    assert np.trapezoid(density, grid) == pytest.approx(1, abs=1e-12)


def test_the_bernoulli_joint_is_equation_3_written_as_one_formula():
    params, x, h = random_params(5, 3, 2), np.array([1, 0, 1, 1, 0]), np.array([1, 0, 1])
    W, b, d = params
    joint = np.exp(x @ W @ h + b @ x + d @ h - np.log(1 + np.exp(W @ h + b)).sum())
    assert naive.log_joint(params, "bernoulli", x, h) == pytest.approx(np.log(joint / np.prod(1 + np.exp(d))))


def test_the_gaussian_joint_is_equation_6_written_as_one_formula():
    params, x, h = random_params(5, 3, 3), random_x("gaussian", 5, 3), np.array([0, 1, 1])
    W, b, d = params
    density = np.exp(-0.5 * np.sum((x - W @ h - b) ** 2) + d @ h) / (
        (2 * np.pi) ** 2.5 * np.prod(1 + np.exp(d))
    )
    assert naive.log_joint(params, "gaussian", x, h) == pytest.approx(np.log(density))


def test_the_two_forms_of_the_bernoulli_conditional_agree():
    params, x = random_params(7, 4, 4), random_x("bernoulli", 7, 4)
    for h in naive.states(4):
        for j in range(4):
            twice = naive.log_odds(params, "bernoulli", x, h, j)
            assert naive.log_odds_by_softplus(params, x, h, j) == pytest.approx(twice, abs=1e-12)


@pytest.mark.parametrize("visible", VISIBLES)
def test_the_conditional_is_that_of_the_enumerated_posterior(visible):
    params, x = random_params(6, 3, 5), random_x(visible, 6, 5)
    exact = naive.posterior(params, visible, x)
    assert exact.probabilities.sum() == pytest.approx(1)
    table = {h.tobytes(): p for h, p in zip(exact.states, exact.probabilities, strict=True)}
    for h in naive.states(3):
        for j in range(3):
            on, off = (table[naive.with_unit(h, j, value).tobytes()] for value in (1, 0))
            assert naive.log_odds(params, visible, x, h, j) == pytest.approx(math.log(on / off))


def test_the_evidence_is_that_of_a_mixture_of_gaussians():
    params, x = random_params(3, 2, 6), random_x("gaussian", 3, 6)
    W, b, d = params
    total = 0.0
    for h in naive.states(2):
        prior = np.prod(
            [naive.sigmoid(dj) if hj else 1 - naive.sigmoid(dj) for dj, hj in zip(d, h, strict=True)]
        )
        total += prior * np.exp(-0.5 * np.sum((x - W @ h - b) ** 2)) / (2 * np.pi) ** 1.5
    assert naive.posterior(params, "gaussian", x).log_evidence == pytest.approx(np.log(total))


@pytest.mark.parametrize("visible", VISIBLES)
def test_gibbs_sweeps_leave_the_posterior_as_it_is_and_lead_to_it(visible):
    params, x = random_params(5, 3, 7), random_x(visible, 5, 7)
    exact = naive.posterior(params, visible, x).probabilities
    np.testing.assert_allclose(naive.after_sweep(params, visible, x, exact, 1.0), exact, atol=1e-14)
    far = naive.after_schedule(params, visible, x, np.zeros(3), [1.0] * 60)
    np.testing.assert_allclose(far, exact, atol=1e-6)


@pytest.mark.parametrize("visible", VISIBLES)
def test_a_sweep_at_temperature_zero_is_a_sweep_of_icm(visible):
    params, x = random_params(5, 4, 8), random_x(visible, 5, 8)
    visits, _, _ = naive.icm(params, visible, x, np.ones(4), max_sweeps=1)
    end = np.array([visit.after for visit in visits])
    p = naive.after_schedule(params, visible, x, np.ones(4), [0.0])
    (certain,) = np.flatnonzero(p)
    np.testing.assert_array_equal(list(naive.states(4))[certain], end)


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("order", ["sequential", "random", "greedy"])
def test_icm_ends_where_no_flip_gains_and_never_went_down(visible, order):
    # Inside: tests/naive.py computes the same in plain loops.
    rng = np.random.default_rng(9)
    params, x = random_params(6, 5, 9), random_x(visible, 6, 9)
    shuffled = [rng.permutation(5) for _ in range(50)]
    visits, h, converged = naive.icm(params, visible, x, rng.integers(0, 2, 5), order, permutations=shuffled)
    assert converged
    joints = [visit.log_joint for visit in visits]
    assert all(b >= a for a, b in itertools.pairwise(joints))
    for j in range(5):
        flipped = naive.with_unit(h, j, 1 - h[j])
        assert naive.log_joint(params, visible, x, flipped) <= naive.log_joint(params, visible, x, h)


def test_finite_differences_give_equations_15_and_16():
    params = random_params(3, 2, 10)
    rng = np.random.default_rng(10)
    X, H = rng.integers(0, 2, (4, 3)), rng.integers(0, 2, (4, 2))
    wrong = X - np.array([[naive.sigmoid(a) for a in naive.activations(params, h)] for h in H])
    slope = naive.gradient(params, "bernoulli", X, H)
    np.testing.assert_allclose(slope.W, wrong.T @ H / 4, atol=1e-9)
    np.testing.assert_allclose(slope.b, wrong.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(slope.d, H.mean(axis=0) - [naive.sigmoid(dj) for dj in params.d], atol=1e-9)


def test_least_squares_without_ridge_is_where_the_gradient_vanishes():
    rng = np.random.default_rng(11)
    X, H = rng.normal(size=(12, 3)), rng.integers(0, 2, (12, 2))
    W, b = naive.gaussian_m_step(X, H, 0.0, 0.0)
    slope = naive.gradient(naive.Params(W, b, np.zeros(2)), "gaussian", X, H)
    np.testing.assert_allclose(slope.W, 0, atol=1e-8)
    np.testing.assert_allclose(slope.b, 0, atol=1e-8)
