"""The M-step of whole passes for Bernoulli units: sums against plain loops, the optimum against SciPy's."""

import naive
import numpy as np
import pytest
import scipy.optimize
from engine.cases import with_jit

from lrbn_viz.chunks import BLOCK_ROWS
from lrbn_viz.kernels import numerics
from lrbn_viz.lrbn.logistic import PIXELS, Piece, evaluate, fit_pixels

RIDGE = 0.7


def bits(array):
    return np.packbits(array, axis=1, bitorder="little")


def case(n, n_h, seed=0, scale=1.0):
    """Codes and pixels that some parameters have drawn, and others to begin from."""
    rng = np.random.default_rng([n, n_h, seed])
    H = (rng.random((n, n_h)) < rng.random(n_h)).astype(np.uint8)
    truth = rng.normal(0, scale, (n_h + 1, PIXELS))
    X = (rng.random((n, PIXELS)) < 1 / (1 + np.exp(-(H @ truth[:-1] + truth[-1])))).astype(np.uint8)
    return H, X, rng.normal(0, scale, (n_h + 1, PIXELS))


def basis_of(H):
    G = np.column_stack([H, np.ones(len(H))])
    return np.linalg.eigh(G.T @ G)


def fit(H, X, theta, n_pixels=PIXELS, tolerance=1e-9, most=200):
    pieces = [Piece(bits(H), bits(X))]
    how = {"ridge": RIDGE, "tolerance": tolerance, "most": most}
    return fit_pixels(pieces, theta, basis_of(H), len(H), n_pixels, **how)


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "n_h", "scale"), [(1, 1, 1.0), (9, 3, 1.0), (7, 8, 30.0), (12, 17, 1.0)])
def test_sums_are_those_of_plain_loops(n, n_h, scale):
    H, X, theta = case(n, n_h, scale=scale)
    found = evaluate([Piece(bits(H), bits(X))], theta, RIDGE)
    a = H @ theta[:-1] + theta[-1]
    for i in (0, 1, PIXELS - 1):
        value, gradient = naive.logistic_objective(X[:, i], H, theta[:-1, i], theta[-1, i], RIDGE)
        assert found.value[i] == pytest.approx(value, rel=1e-12, abs=1e-9)
        np.testing.assert_allclose(found.gradient[:, i], gradient, rtol=1e-11, atol=1e-11)
        p = np.array([naive.sigmoid(each) for each in a[:, i]])
        assert found.curvature[i] == pytest.approx((p * (1 - p)).sum(), abs=1e-12)
        assert found.wrong[i] == ((a[:, i] > 0) != X[:, i]).sum()


def test_images_in_any_pieces_of_whole_grains_give_the_same_bits_however_many_threads(monkeypatch):
    H, X, theta = case(3 * BLOCK_ROWS + 5, 20)
    together = evaluate([Piece(bits(H), bits(X))], theta, RIDGE)
    cuts = [slice(0, BLOCK_ROWS), slice(BLOCK_ROWS, 3 * BLOCK_ROWS), slice(3 * BLOCK_ROWS, None)]
    apart = evaluate([Piece(bits(H[cut]), bits(X[cut])) for cut in cuts], theta, RIDGE)
    monkeypatch.setattr(numerics, "MIN_THREADED_WORK", 1 << 60)
    alone = evaluate([Piece(bits(H), bits(X))], theta, RIDGE)
    for one, *others in zip(together, apart, alone, strict=True):
        for other in others:
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("scale", [1.0, 20.0])
def test_it_ends_where_an_optimiser_of_scipy_ends(scale):
    H, X, theta = case(200, 6, scale=scale)
    found = fit(H, X, theta)
    assert found.slope.max() <= 1e-9
    G = np.column_stack([H, np.ones(len(H))])
    for i in (0, 7, PIXELS - 1):

        def objective(each, x=X[:, i]):
            a = G @ each
            value = (np.logaddexp(0, a) - x * a).sum() + RIDGE / 2 * (each[:-1] ** 2).sum()
            slope = G.T @ (1 / (1 + np.exp(-a)) - x) + RIDGE * np.append(each[:-1], 0.0)
            slope[-1] += 1 / (1 + np.exp(-each[-1])) - 0.5
            return value + np.logaddexp(0, each[-1]) - each[-1] / 2, slope

        best = scipy.optimize.minimize(
            objective, np.zeros(7), jac=True, method="BFGS", options={"gtol": 1e-8}
        )
        np.testing.assert_allclose(found.theta[:, i], best.x, atol=1e-5)


def test_pixels_that_are_never_on_or_always_stay_finite_and_latents_that_are_never_on_have_no_weight():
    H, X, theta = case(300, 5)
    X[:, 0], X[:, 1], H[:, 2] = 0, 1, 0
    found = fit(H, X, theta)
    assert np.isfinite(found.theta).all()
    assert found.slope.max() <= 1e-9
    assert found.theta[-1, 0] < -3 < 3 < found.theta[-1, 1]
    np.testing.assert_allclose(found.theta[2], 0.0, atol=1e-5)


def test_no_step_raises_an_objective_and_as_many_visits_are_made_as_are_asked_for():
    H, X, theta = case(150, 6, scale=5.0)
    pieces, values = [Piece(bits(H), bits(X))], []
    for most in range(1, 8):
        found = fit(H, X, theta, most=most)
        assert found.visits == most
        values.append(evaluate(pieces, found.theta, RIDGE).value)
    np.testing.assert_array_equal(values[0], found.before.value)
    assert (np.diff(values, axis=0) <= 1e-9).all()
    assert (values[-1] < values[0]).all()


def test_a_block_of_fewer_pixels_leaves_the_others_as_they_were():
    H, X, theta = case(80, 4)
    found = fit(H, X, theta, n_pixels=3)
    np.testing.assert_array_equal(found.theta[:, 3:], theta[:, 3:])
    # at a point of equal slope, though the others decide how many visits there are
    np.testing.assert_allclose(found.theta[:, :3], fit(H, X, theta).theta[:, :3], atol=1e-6)


@with_jit("a kernel that is not compiled is slow")
def test_two_hundred_latents_take_few_visits():
    H, X, theta = case(4000, 200, scale=0.3)
    assert fit(H, X, np.zeros_like(theta), tolerance=1e-3).visits <= 15
