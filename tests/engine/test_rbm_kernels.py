"""The RBM's compiled kernels against plain NumPy and against the formulas."""

from __future__ import annotations

import threading

import numba
import numpy as np
import pytest
from engine.rbm_cases import all_states, images, run, small_model
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.np.ufunc import parallel as numba_threads
from scipy.special import expit

from lrbn_viz.kernels.numerics import PARALLEL_LOCK
from lrbn_viz.rivals.rbm import draw as rbm_draw
from lrbn_viz.rivals.rbm import gradient as rbm_gradient
from lrbn_viz.rivals.rbm import kernels as rbm_kernels
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm import simd as rbm_vector
from lrbn_viz.rivals.rbm.sampling import PARALLEL_FROM, gibbs
from lrbn_viz.rivals.rbm.simd import ROOM, ROWS_IN_FLIGHT, TILE
from lrbn_viz.rivals.rbm.system import RBMState, RBMSystem

# An intrinsic can only be called from compiled code.


@numba.njit
def call_list_ones(mask, at, n, offset, which, start):
    return rbm_vector.list_ones(mask, at, 8, n, offset, which, start)


@numba.njit
def call_list_bits(mask, at, stride, n, offset, which, start):
    return rbm_vector.list_bits(mask, at, stride, n, offset, which, start)


@numba.njit
def call_sum_row(rows, stride, which, count, scale, base, base_at, out, out_at, width):
    rbm_kernels.sum_row(rows, stride, which, count, scale, base, base_at, out, out_at, width)


@numba.njit
def call_transpose_block(W, first, stride, out, at):
    rbm_vector.transpose_block(W, first, stride, out, at)


@numba.njit
def call_draw_means(means, at, key, counter, out, out_at):
    rbm_draw.draw_means(means, at, key, counter, out, out_at)


@numba.njit
def call_draw_sums(rows, first, which, start, stop, base, key, counter, out, out_at):
    rbm_draw.draw_sums(rows, first, which, start, stop, base, key, counter, out, out_at)


@pytest.mark.nojit
@given(n=st.integers(0, 9), seed=st.integers(0, 999), p=st.sampled_from([0.0, 0.1, 0.5, 1.0]))
@settings(max_examples=25)
def test_lists_name_the_ones_in_order(n, seed, p):
    rng = np.random.default_rng(seed)
    mask = (rng.random((3, 8 * n + 5)) < p).astype(np.uint8)
    which = np.full(8 * n + 2 + ROOM, -7, np.int32)
    at = mask.shape[1] + 1  # in the second row
    ones = 100 + np.flatnonzero(mask[1, 1 : 1 + 8 * n])
    end = call_list_ones(mask, at, n, 100, which, 2)
    np.testing.assert_array_equal(which[2:end], ones)
    assert (which[:2] == -7).all()

    codes = np.full((n + 1, 3), 255, np.uint8)
    codes[1:, 1] = np.packbits(mask[1, 1 : 1 + 8 * n], bitorder="little")
    again = np.zeros_like(which)
    assert call_list_bits(codes, 4, 3, n, 100, again, 2) == end
    np.testing.assert_array_equal(again[2:end], ones)


@pytest.mark.nojit
@given(width=st.integers(1, 300), seed=st.integers(0, 999), n=st.integers(0, 20))
@settings(max_examples=40)
def test_sums_of_listed_rows_of_any_width_touch_nothing_else(width, seed, n):
    rng = np.random.default_rng(seed)
    rows, base = (rng.standard_normal((5, width + 3)).astype(np.float32) for _ in range(2))
    which = rng.integers(0, 5, n + 1).astype(np.int32)
    out = np.full(width + 9, 7.0, np.float32)
    call_sum_row(rows, width + 3, which, n, np.float32(0.5), base, width + 4, out, 4, width)
    expected = 0.5 * base[1, 1 : 1 + width] + rows[which[:n], :width].sum(0)
    np.testing.assert_allclose(out[4:-5], expected, atol=1e-4)
    out[4:-5] = 7.0
    assert (out == 7.0).all()


@pytest.mark.nojit
def test_a_block_is_transposed_and_nothing_else_is_touched():
    W = np.arange(20 * 9, dtype=np.float32).reshape(20, 9)
    out = np.full((6, TILE), -1.0, np.float32)
    call_transpose_block(W, 2 * 9 + 3, 9, out, TILE + 5)
    np.testing.assert_array_equal(out[1:5, 5:21], W[2:18, 3:7].T)
    out[1:5, 5:21] = -1.0
    assert (out == -1.0).all()


def test_drawing_equals_its_plain_form():
    rng = np.random.default_rng(0)
    means = rng.random((200, TILE)).astype(np.float32)
    rows = rng.standard_normal((6, TILE)).astype(np.float32)
    rows[5] = 0.0
    base = rng.standard_normal(TILE).astype(np.float32)
    compiled, plain = np.zeros((2, 2, 200, TILE), np.uint8)
    key = np.uint64(2**64 - 3)
    for m in range(200):
        which = np.full(2 * ROWS_IN_FLIGHT, 5, np.int32)
        which[:5] = rng.integers(0, 5, 5)
        for draw, out in ((call_draw_means, compiled), (rbm_draw._draw_means_numpy, plain)):
            draw(means, m * TILE, key, m, out[0], m * TILE)
        for draw, out in ((call_draw_sums, compiled), (rbm_draw._draw_sums_numpy, plain)):
            draw(rows.reshape(-1), 0, which, 0, len(which), base, key, m, out[1], m * TILE)
    np.testing.assert_array_equal(compiled[0], plain[0])
    assert 0.4 < compiled[0].mean() < 0.6
    # a number so close to its probability that rounding decides
    assert (compiled[1] != plain[1]).mean() < 1e-3


def test_arrays_in_another_order_are_refused():
    W = np.asfortranarray(np.ones((4, 3), np.float32))
    with pytest.raises(numba.TypingError, match="expected a C-ordered array"):
        rbm_kernels.latent_means(W, np.zeros(3, np.float32), np.ones((2, 4), np.uint8), False)


@pytest.mark.nojit
def test_the_fast_sigmoid_is_within_3e_7_and_keeps_nan():
    z = np.concatenate([np.linspace(-30, 30, 2001), [np.inf, -np.inf, 1e30, -1e30]]).astype(np.float32)
    fast = np.array([rbm_draw.sigmoid32(a) for a in z])
    assert np.abs(fast - expit(z.astype(np.float64))).max() < 3e-7
    assert fast.min() >= 0
    assert fast.max() <= 1
    assert np.isnan(rbm_draw.sigmoid32(np.float32(np.nan)))


SIZES = {
    "n": st.integers(1, 9),
    "n_v": st.integers(1, 70),
    "n_h": st.integers(1, 20),
    "seed": st.integers(0, 999),
}


@pytest.mark.nojit
@given(**SIZES)
@settings(max_examples=15)
def test_latent_means_equal_the_posterior(n, n_v, n_h, seed):
    params = small_model(n_v, n_h, seed)
    X = images(params, "bernoulli", n, seed)
    np.testing.assert_allclose(
        rbm_kernels.latent_means(params.W, params.d, X, False), rbm.posterior(params, X), atol=1e-5
    )


@pytest.mark.nojit
@given(**SIZES, keep=st.sampled_from([1.0, 0.5]))
@settings(max_examples=15)
def test_the_gradient_step_equals_its_formula(n, n_v, n_h, seed, keep):
    params = small_model(n_v, n_h, seed)
    X, V = images(params, "bernoulli", n, seed), images(params, "bernoulli", 3, seed + 1)
    P, Q = (rbm.posterior(params, Z).astype(np.float32) for Z in (X, V))
    before = [a.copy() for a in params[:3]]
    W, b, d, activity, fantasy_activity, total = rbm_gradient.ascend(
        *params[:3], X, V, np.concatenate([P, Q]), np.float32(0.3), np.float32(keep), False
    )
    np.testing.assert_allclose(W, keep * params.W + 0.3 * (X.T @ P / n - V.T @ Q / 3), atol=1e-5)
    np.testing.assert_allclose(b, params.b + 0.3 * (X.mean(0) - V.mean(0)), atol=1e-5)
    np.testing.assert_allclose(d, params.d + 0.3 * (P.mean(0) - Q.mean(0)), atol=1e-5)
    np.testing.assert_allclose([activity, fantasy_activity], [P.mean(), Q.mean()], atol=1e-5)
    assert np.isfinite(total)
    for array, copy in zip(params[:3], before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.nojit
@pytest.mark.parametrize("n_v", [1, 63, 64, 65, 130, 200])
def test_means_and_fields_of_several_blocks_equal_their_formula(n_v):
    params = small_model(n_v, 19, seed=n_v, scale=0.3)
    X = images(params, "bernoulli", 7)
    fields = rbm_kernels.latent_fields(params.W, params.d, X, False)
    np.testing.assert_allclose(fields, X @ params.W + params.d, atol=1e-5)
    means = np.full((12, 19), -1.0, np.float32)
    rbm_kernels.fill_means(params.W, params.d, X[:4], X[4:], 2, 7, means, False)
    np.testing.assert_allclose(means[2:7], rbm.posterior(params, X[2:]), atol=1e-5)
    assert (means[:2] == -1.0).all()
    assert (means[7:] == -1.0).all()


@pytest.mark.nojit
@pytest.mark.parametrize("n_h", [5, 21, 70, 215])
@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_a_parameter_that_is_not_finite_shows_in_the_total(n_h, broken):
    params = small_model(70, n_h, seed=4)
    X = images(params, "bernoulli", 3)
    means = np.full((6, n_h), 0.5, np.float32)
    for name, array in (("W", params.W), ("b", params.b), ("d", params.d)):
        for at in (0, array.size // 2, array.size - 1):
            broken_one = array.copy()
            broken_one.flat[at] = broken
            W, b, d = (broken_one if a is array else a for a in (params.W, params.b, params.d))
            rate, keep = np.float32(0.1), np.float32(1.0)
            total = rbm_gradient.ascend(W, b, d, X, X, means, rate, keep, False)[-1]
            assert not np.isfinite(total), (name, at)


@pytest.mark.parametrize(("n_v", "n_h"), [(6, 3), (67, 5)])
def test_visibles_are_drawn_with_their_conditional_probabilities(n_v, n_h):
    params = small_model(n_v, n_h, seed=8)
    H = np.repeat(all_states(n_h)[:4], 20_001, axis=0)
    V = rbm_kernels.sample_visible(params.W, params.b, H, np.uint64(9), True)
    assert set(np.unique(V)) == {0, 1}
    for c in range(4):
        p = rbm.visible_mean(params, H[c * 20_001])
        error = V[c * 20_001 : (c + 1) * 20_001].mean(0) - p
        assert (np.abs(error) < 5 * np.sqrt(p * (1 - p) / 20_001) + 1e-6).all()
    # neighbouring elements come from neighbouring counters and must not be correlated
    noise = V[:20_001] - V[:20_001].mean(0)
    lagged = (noise[:, :-1] * noise[:, 1:]).mean(0) / (noise[:, :-1].std(0) * noise[:, 1:].std(0) + 1e-9)
    assert np.abs(lagged).max() < 5 / np.sqrt(20_001)


@pytest.mark.parametrize("n_repeats", [1, 9])  # less than a tile, and more than one
def test_latents_are_drawn_with_the_given_probabilities(n_repeats):
    means = np.tile(np.array([0.0, 0.02, 0.5, 0.9, 1.0], np.float32), (40_000, n_repeats))
    H = rbm_kernels.sample_bernoulli(means, np.uint64(3), True)
    assert not H[:, ::5].any()
    assert H[:, 4::5].all()
    np.testing.assert_allclose(H.mean(0), means[0], atol=5 * 0.5 / np.sqrt(40_000))
    correlations = np.corrcoef(H[:, 2::5].T) - np.eye(n_repeats)
    assert np.abs(correlations).max() < 5 / np.sqrt(40_000)


@pytest.mark.parametrize("n", [50, 90])
def test_results_do_not_depend_on_the_number_of_threads(n):
    params = small_model(700, 30, seed=10, scale=0.3)
    X = images(params, "bernoulli", n)
    system = RBMSystem(30, n_gibbs=2)
    assert X.size * 30 > PARALLEL_FROM  # or the number of threads would not matter
    states = []
    most = numba.get_num_threads()
    try:
        for n_threads in (1, most):
            numba.set_num_threads(n_threads)
            state, rng = params, np.random.default_rng(0)
            for _ in range(3):
                state, _ = system.step(state, X, rng)
            states.append(state)
    finally:
        numba.set_num_threads(most)
    for one, many in zip(*states, strict=True):
        np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("n_gibbs", [1, 2])
@pytest.mark.parametrize("method", ["cd", "pcd"])
@pytest.mark.parametrize("n", [50, 90])
def test_one_thread_gives_what_all_give_and_takes_over_where_they_are_taken(n, method, n_gibbs):
    params = small_model(700, 33, seed=12, scale=0.3)
    X = images(params, "bernoulli", n)
    system = RBMSystem(33, n_gibbs=n_gibbs, method=method)
    assert X.size * 33 > PARALLEL_FROM
    start = system.init(X, np.random.default_rng(2))
    together, _ = system.step(start, X, np.random.default_rng(0))
    with PARALLEL_LOCK:  # as another run holds it; waiting for it would never end
        alone, _ = system.step(start, X, np.random.default_rng(0))
        X_alone, H_alone = gibbs(alone, X[:, :33].copy(), 2, np.random.default_rng(1))
    for one, many in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, many)
    X_together, H_together = gibbs(together, X[:, :33].copy(), 2, np.random.default_rng(1))
    np.testing.assert_array_equal(X_alone, X_together)
    np.testing.assert_array_equal(H_alone, H_together)


@pytest.mark.parametrize("n", [20, 200])
def test_a_step_leaves_the_number_of_threads_alone(n, monkeypatch):
    # To change it makes OpenMP end its threads and start them again: whatever runs next waits for that.
    numba.get_num_threads()  # starts them
    changes: list[int] = []
    monkeypatch.setattr(numba_threads, "_set_num_threads", changes.append)
    numba.set_num_threads(1)
    assert changes, "nothing would be seen"
    changes.clear()
    params = small_model(100, 40, seed=13, scale=0.3)
    X = images(params, "bernoulli", n)
    RBMSystem(40).step(params, X, np.random.default_rng(0))
    gibbs(params, X[:, :40].copy(), 1, np.random.default_rng(0))
    assert not changes


def test_two_python_threads_may_train_at_once():
    params = small_model(500, 50, seed=11, scale=0.3)
    X = images(params, "bernoulli", 60)
    ends: dict[int, RBMState] = {}

    def fit(name):
        ends[name] = run(RBMSystem(50), X, batch_size=60, n_iter=30)

    workers = [threading.Thread(target=fit, args=(name,)) for name in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    np.testing.assert_array_equal(ends[0].W, ends[1].W)


@pytest.mark.parametrize("n_h", [3, 8, 13])
def test_a_byte_that_is_no_state_counts_as_on_and_leads_out_of_no_array(n_h):
    rng = np.random.default_rng(n_h)
    W = rng.standard_normal((20, n_h)).astype(np.float32)
    b, H = np.zeros(20, np.float32), rng.integers(0, 2, (4, n_h), dtype=np.uint8)
    key = np.uint64(5)
    odd = H * np.uint8(255)
    expected = rbm_kernels.sample_visible(W, b, H, key, False)
    np.testing.assert_array_equal(rbm_kernels.sample_visible(W, b, odd, key, False), expected)
    means = rbm_kernels.latent_means(W.T.copy(), np.zeros(20, np.float32), H, False)
    np.testing.assert_array_equal(
        rbm_kernels.latent_means(W.T.copy(), np.zeros(20, np.float32), odd, False), means
    )
