"""The visits of a batch, and the vector code that they are made of, against plain NumPy."""

import numba
import numpy as np
import pytest
from engine.cases import random_case
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz.kernels import numerics
from lrbn_viz.kernels.simd import odds as vector
from lrbn_viz.lrbn.batch_kernel import infer_batch
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.lrbn.model import evidence, make_params
from lrbn_viz.lrbn.start import make_state
from lrbn_viz.lrbn.traced import Stepper

pytestmark = pytest.mark.nojit

PRECISION = {np.float32: 1e-5, np.float64: 1e-12}


def odds(dtype, n_images=2, n_p=192, n_h=3, seed=0):
    rng = np.random.default_rng(seed)
    on, off, activation = (vector.aligned_empty((n_images, n_p), dtype) for _ in range(3))
    W, factor = (vector.aligned_empty((n_h, n_p), dtype) for _ in range(2))
    a = rng.normal(0, 3, (n_images, n_p))
    activation[:], on[:], off[:] = a, 1 / (1 + np.exp(-a)), 1 / (1 + np.exp(a))
    W[:] = rng.normal(0, 1, (n_h, n_p))
    factor[:] = np.exp(W)
    return activation, on, off, W, factor


@numba.njit
def call(on, off, factor, j, images, latent, found):
    """The product of image 0 over all pixels and over those from 64 on; those of two and of four images."""
    n_p = on.shape[1]
    whole = vector.odds_product(on, off, 0, latent[0, j], factor, j, 0, n_p)
    part = vector.odds_product(on, off, 0, latent[0, j], factor, j, 64, n_p)
    vector.two_odds_products(on, off, images, 0, latent, factor, j, found)
    vector.four_odds_products(on, off, images, 1, latent, factor, j, found)
    return whole, part


@numba.njit
def dots(X, W, sums):
    for m in range(0, len(X), 4):
        for j in range(0, len(W), 4):
            vector.dot_block(X, m, W, j, sums)


@numba.njit
def one_dot(X, m, W, j):
    return vector.dot(X, m, W, j)


@numba.njit
def together(X, images, W, j, found):
    vector.two_dots(X, images, 0, W, j, found)
    vector.four_dots(X, images, 1, W, j, found)


@numba.njit
def shift(on, off, m, state, factor, j):
    return vector.shift_odds(on, off, m, state, factor, j)


@numba.njit
def flip(activation, on, off, m, state, factor, W, j):
    return vector.flip_odds(activation, on, off, m, state, factor, W, j)


@numba.njit
def take_three(counter):
    return vector.take(counter), vector.take(counter), vector.take(counter)


@pytest.mark.parametrize("dtype", PRECISION)
@pytest.mark.parametrize("states", [(0, 0, 0, 0, 0), (0, 1, 1, 0, 1), (1, 0, 1, 1, 0), (1, 1, 1, 1, 1)])
@pytest.mark.parametrize("n_p", [64, 96, 192])
def test_products_are_those_of_numpy_alone_and_together(dtype, states, n_p):
    _, on, off, _, factor = odds(dtype, n_images=5, n_p=n_p)
    latent = np.zeros((5, 3), np.uint8)
    latent[:, 1] = states
    wide = [(off, on) if state else (on, off) for state in states]
    exact = [grown[m].astype(float) * factor[1] + other[m] for m, (grown, other) in enumerate(wide)]
    images, found = np.array([[4, 1, -1, -1], [3, 0, 4, 2]]), np.full((2, 4), np.nan)
    whole, part = call(on, off, factor, 1, images, latent, found)
    bound = 100 * PRECISION[dtype]
    np.testing.assert_allclose(whole, exact[0].prod(), rtol=bound)
    np.testing.assert_allclose(part, exact[0][64:].prod(), rtol=bound)
    np.testing.assert_allclose(found[0, :2], [exact[m].prod() for m in (4, 1)], rtol=bound)
    np.testing.assert_allclose(found[1], [exact[m].prod() for m in (3, 0, 4, 2)], rtol=bound)
    assert np.isnan(found[0, 2:]).all()
    assert found[1, 1] == whole
    assert found[1, 2] == found[0, 0]


@pytest.mark.parametrize("dtype", PRECISION)
def test_blocks_of_products_are_those_of_numpy(dtype):
    rng = np.random.default_rng(1)
    X, W = (vector.aligned_empty((n, 96), dtype) for n in (8, 12))
    X[:], W[:] = rng.normal(size=X.shape), rng.normal(size=W.shape)
    sums = np.full((8, 12), np.nan)
    dots(X, W, sums)
    bound = PRECISION[dtype]
    np.testing.assert_allclose(sums, X.astype(float) @ W.T.astype(float), rtol=10 * bound, atol=50 * bound)


@pytest.mark.parametrize("dtype", PRECISION)
@pytest.mark.parametrize("n_p", [32, 96])
def test_products_of_rows_are_those_of_numpy_alone_and_together(dtype, n_p):
    rng = np.random.default_rng(2)
    X, W = (vector.aligned_empty((n, n_p), dtype) for n in (5, 3))
    X[:], W[:] = rng.normal(size=X.shape), rng.normal(size=W.shape)
    images, found = np.array([[4, 1, 0, 0], [0, 2, 3, 1]]), np.full((2, 8), np.nan)
    together(X, images, W, 2, found)
    alone = np.array([one_dot(X, m, W, 2) for m in range(5)])
    bound = PRECISION[dtype]
    np.testing.assert_allclose(alone, X.astype(float) @ W[2].astype(float), rtol=10 * bound, atol=50 * bound)
    np.testing.assert_array_equal(found[0, :2], alone[[4, 1]])
    np.testing.assert_array_equal(found[1, :4], alone[[0, 2, 3, 1]])
    assert np.isnan(found[0, 2:]).all()
    assert np.isnan(found[1, 4:]).all()


@pytest.mark.parametrize("dtype", PRECISION)
@pytest.mark.parametrize("state", [0, 1])
@pytest.mark.parametrize("with_activation", [False, True])
def test_a_flip_multiplies_the_odds_of_one_image_or_divides_them(dtype, state, with_activation):
    activation, on, off, W, factor = odds(dtype)
    before = activation.copy(), on.copy(), off.copy()
    if with_activation:
        lowest = flip(activation, on, off, 1, state, factor, W, 2)
        np.testing.assert_allclose(activation[1], before[0][1] + (-W[2] if state else W[2]), rtol=1e-5)
    else:
        lowest = shift(on, off, 1, state, factor, 2)
        np.testing.assert_array_equal(activation, before[0])
    by = 1 / factor[2].astype(float) if state else factor[2].astype(float)
    gone = before[1][1] / before[2][1].astype(float) * by
    np.testing.assert_allclose(on[1] / off[1].astype(float), gone, rtol=10 * PRECISION[dtype])
    np.testing.assert_allclose(on[1].astype(float) + off[1], 1, rtol=10 * PRECISION[dtype])
    assert lowest == pytest.approx(min(on[1].min(), off[1].min()))
    np.testing.assert_array_equal(on[0], before[1][0])
    np.testing.assert_array_equal(off[0], before[2][0])


def test_every_number_is_taken_once():
    assert take_three(np.zeros(1, np.int64)) == (0, 1, 2)


def strong_rows(n_v, n_h, seed):
    """Parameters of which some rows need one logarithm, some several, and one the softplus form."""
    rng = np.random.default_rng(seed)
    W = rng.normal(0, 1, (n_h, n_v)) * np.geomspace(0.1, 30, n_h)[:, None]
    W[-1, 0] = 700.0
    return make_params(W.T, rng.normal(0, 1, n_v), rng.normal(0, 1, n_h)), rng


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 64, 200]), st.sampled_from([(), (2.0, 0.5)]))
@settings(max_examples=25)
def test_a_batch_of_one_makes_the_visits_of_a_trace_whatever_its_rows_need(seed, n_v, warm):
    params, rng = strong_rows(n_v, 9, seed)
    kernel_params = prepare_params(params, "bernoulli")
    x, start = rng.integers(0, 2, n_v).astype(float), rng.integers(0, 2, (1, 9)).astype(np.uint8)
    temperatures = np.array(warm, dtype=float)
    found = infer_batch(
        params, "bernoulli", kernel_params, x[None], start, temperatures, 20, np.random.default_rng(seed)
    )
    stepper = Stepper(
        params, "bernoulli", kernel_params, x, start, "sequential", np.array([*warm, *[0.0] * 20]), {},
        np.random.default_rng(seed),
    )  # fmt: skip
    stepper.run()
    trace = stepper.trace()
    np.testing.assert_array_equal(found.H[0], trace.latents(trace.n_visits))
    assert (found.visits[0], found.flips[0]) == (trace.n_visits, trace.flipped.sum())


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 9])
@pytest.mark.parametrize("dtype", PRECISION)
def test_images_of_a_batch_end_as_they_do_alone(n, dtype):
    # Inside: Every kernel has a slow oracle.
    params, rng = strong_rows(130, 7, 3)
    kernel_params = prepare_params(params, "bernoulli", dtype)
    X = rng.integers(0, 2, (n, 130)).astype(float)
    start = rng.integers(0, 2, (n, 7)).astype(np.uint8)
    rng = np.random.default_rng(0)
    args = (params, "bernoulli", kernel_params)
    together = infer_batch(*args, X, start, np.zeros(0), 30, rng)
    for m in range(n):
        alone = infer_batch(*args, X[m : m + 1], start[m : m + 1], np.zeros(0), 30, rng)
        for one, other in zip(alone, together, strict=True):
            np.testing.assert_array_equal(one[0], other[m])


def test_threads_share_the_images_of_a_batch_without_a_trace(monkeypatch):
    case = random_case("bernoulli", 100, 8, seed=1)
    params = make_params(*case.params)
    X = np.random.default_rng(0).integers(0, 2, (31, 100)).astype(float)
    temperatures = np.array([2.0, 0.5])

    def infer():
        kernel_params = prepare_params(params, "bernoulli", np.float32)
        rng = np.random.default_rng(1)
        return infer_batch(params, "bernoulli", kernel_params, X, "zeros", temperatures, 20, rng)

    alone = infer()
    monkeypatch.setattr(numerics, "MIN_THREADED_WORK", 1)
    for one, other in zip(alone, infer(), strict=True):
        np.testing.assert_array_equal(one, other)
    assert (alone.visits > 16).all()


@pytest.mark.parametrize("n", [1, 4, 7])
@pytest.mark.parametrize("n_h", [3, 4, 5, 9])
def test_evidence_in_single_precision_is_the_product_with_the_weights(n, n_h):
    case = random_case("bernoulli", 90, n_h, seed=2)
    params = make_params(*case.params)
    X = np.random.default_rng(3).random((n, 90))
    kernel_params = prepare_params(params, "bernoulli", np.float32)
    state = make_state(params, "bernoulli", kernel_params, X, "zeros", np.random.default_rng(0))
    np.testing.assert_allclose(state.evidence, evidence(params, "bernoulli", X), rtol=1e-5, atol=1e-4)
