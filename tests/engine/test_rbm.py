"""The RBM against enumeration: formulas, kernels, chains, gradients and training."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from lrbn_viz.baselines import rbm, rbm_gradient, rbm_kernels, rbm_vector
from lrbn_viz.baselines.rbm import RBMState, RBMSystem, Visible
from lrbn_viz.baselines.rbm_sampling import PARALLEL_FROM
from lrbn_viz.training import Training

# The kernels' random bits come from products modulo 2^64, of which NumPy warns when the JIT is off.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

VISIBLE = ["bernoulli", "gaussian"]


@numba.njit
def call_dot_block(rows, H, m, out, i):
    rbm_vector.dot_block(rows, H, m, out, i)


def all_states(n: int) -> np.ndarray:
    return (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(np.uint8)


def small_model(n_v: int, n_h: int, seed: int = 0, scale: float = 1.0) -> RBMState:
    rng = np.random.default_rng(seed)
    W, b, d = (scale * rng.standard_normal(shape) for shape in ((n_v, n_h), n_v, n_h))
    particles = rng.integers(0, 2, (5, n_h), dtype=np.uint8)
    return RBMState(W.astype(np.float32), b.astype(np.float32), d.astype(np.float32), particles, 0)


def joint_by_loops(params, x, h, visible) -> float:
    """The exponent of equations (4) and (7), term by term."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * params.b[i] if visible == "bernoulli" else -0.5 * (x[i] - params.b[i]) ** 2
        for j in range(len(h)):
            total += x[i] * params.W[i, j] * h[j]
    return float(total + sum(params.d[j] * h[j] for j in range(len(h))))


def bernoulli_table(params) -> np.ndarray:
    """P(x, h) for every x (rows) and h (columns)."""
    n_v, n_h = params.W.shape
    X, H = all_states(n_v), all_states(n_h)
    table = np.array([[joint_by_loops(params, x, h, "bernoulli") for h in H] for x in X])
    return np.exp(table - np.logaddexp.reduce(table, axis=None))


def exact_log_likelihood(params, X, visible: Visible = "bernoulli") -> float:
    return float(-rbm.free_energy(params, X, visible).mean() - rbm.log_partition(params, visible))


def images(params, visible, n=6, seed=1) -> Any:
    rng = np.random.default_rng(seed)
    n_v = len(params.b)
    return (
        rng.integers(0, 2, (n, n_v), dtype=np.uint8) if visible == "bernoulli" else rng.normal(size=(n, n_v))
    )


# Formulas


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
def test_the_log_joint_is_the_papers_exponent(visible):
    params = small_model(5, 3)
    X, H = images(params, visible, 8), all_states(3)
    expected = [joint_by_loops(params, x, h, visible) for x, h in zip(X, H, strict=True)]
    np.testing.assert_allclose(rbm.log_joint(params, X, H, visible), expected, atol=1e-6)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
@given(seed=st.integers(0, 10_000), n_h=st.integers(1, 6))
@settings(max_examples=20)
def test_posterior_and_free_energy_equal_enumeration(visible, seed, n_h):
    params = small_model(4, n_h, seed, scale=2.0)
    H = all_states(n_h)
    for x in images(params, visible, 3, seed):
        log_joints = rbm.log_joint(params, np.tile(x, (len(H), 1)), H, visible)
        total = float(np.logaddexp.reduce(log_joints))
        np.testing.assert_allclose(rbm.posterior(params, x), np.exp(log_joints - total) @ H, atol=1e-12)
        np.testing.assert_allclose(rbm.free_energy(params, x, visible), -total, atol=1e-10)


@pytest.mark.nojit
@pytest.mark.parametrize("shape", [(5, 3), (3, 6), (1, 1)])
def test_the_log_partition_sums_over_every_state_of_both_layers(shape):
    params = small_model(*shape, seed=3)
    X, H = all_states(shape[0]), all_states(shape[1])
    every = float(np.logaddexp.reduce([joint_by_loops(params, x, h, "bernoulli") for x in X for h in H]))
    np.testing.assert_allclose(rbm.log_partition(params), every, atol=1e-6)


@pytest.mark.nojit
def test_the_gaussian_log_partition_equals_quadrature():
    params = small_model(2, 3, seed=4)
    grid = np.linspace(-15, 15, 601)
    X = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2)
    step = np.log(grid[1] - grid[0])
    by_quadrature = float(np.logaddexp.reduce(-rbm.free_energy(params, X, "gaussian"))) + 2 * step
    np.testing.assert_allclose(rbm.log_partition(params, "gaussian"), by_quadrature, atol=1e-8)


def test_many_latents_are_enumerated_in_chunks():
    params = small_model(3, 14, seed=5)  # the latents are the larger layer: both routes are exact
    turned = RBMState(params.W.T, params.d, params.b, params.particles, 0)
    np.testing.assert_allclose(rbm.log_partition(params), rbm.log_partition(turned), atol=1e-9)
    wide = small_model(16, 13, seed=6, scale=0.3)
    tall = RBMState(wide.W.T, wide.d, wide.b, wide.particles, 0)
    np.testing.assert_allclose(rbm.log_partition(wide), rbm.log_partition(tall), atol=1e-9)


def test_layers_too_large_to_enumerate_are_refused():
    with pytest.raises(ValueError, match=r"at most 20 units.*n_v = 25, n_h = 21"):
        rbm.log_partition(small_model(25, 21))
    with pytest.raises(ValueError, match="gaussian"):
        rbm.log_partition(small_model(3, 21), "gaussian")


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
def test_the_trace_is_one_sweep_from_zeros_to_the_exact_map_state(visible):
    params = small_model(6, 5, seed=7, scale=1.5)
    H = all_states(5)
    for x in images(params, visible):
        trace = rbm.map_trace(params, x, visible)
        assert (trace.n_visits, trace.converged, set(trace.sweep)) == (5, True, {0})
        assert list(trace.unit) == list(range(5))
        assert not trace.latents(0).any()
        best = np.argmax(rbm.log_joint(params, np.tile(x, (len(H), 1)), H, visible))
        np.testing.assert_array_equal(trace.latents(5), H[best])
        for k in range(6):
            h = trace.latents(k)
            np.testing.assert_allclose(trace.log_joint_at(k), rbm.log_joint(params, x, h, visible), atol=1e-9)
            np.testing.assert_allclose(
                trace.reconstruction(k), rbm.visible_mean(params, h, visible), atol=1e-12
            )
        for visit in trace:  # its log-odds is the change of the log joint, whatever the other latents are
            on, off = H.copy(), H.copy()
            on[:, visit.unit], off[:, visit.unit] = 1, 0
            X = np.tile(x, (len(H), 1))
            change = rbm.log_joint(params, X, on, visible) - rbm.log_joint(params, X, off, visible)
            np.testing.assert_allclose(change, visit.log_odds, atol=1e-9)


# Kernels


@pytest.mark.nojit
def test_the_fast_sigmoid_is_within_3e_7_and_keeps_nan():
    z = np.concatenate([np.linspace(-30, 30, 2001), [np.inf, -np.inf, 1e30, -1e30]]).astype(np.float32)
    fast = np.array([rbm_kernels.sigmoid32(a) for a in z])
    assert np.abs(fast - expit(z.astype(np.float64))).max() < 3e-7
    assert fast.min() >= 0
    assert fast.max() <= 1
    assert np.isnan(rbm_kernels.sigmoid32(np.float32(np.nan)))


@pytest.mark.nojit
@pytest.mark.parametrize("n_blocks", [1, 3])
def test_a_dot_block_is_sixteen_dot_products_and_touches_nothing_else(n_blocks):
    rng = np.random.default_rng(0)
    width = n_blocks * rbm_vector.LANES
    rows, H = (rng.standard_normal((n, width)).astype(np.float32) for n in (4, 8))
    out = np.full((8, 10), 7.0, np.float32)
    call_dot_block(rows, H, 4, out, 3)
    np.testing.assert_allclose(out[4:, 3:7], H[4:] @ rows.T, atol=1e-4)
    out[4:, 3:7] = 7.0
    assert (out == 7.0).all()


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
        rbm_kernels.latent_means(params.W, params.d, X), rbm.posterior(params, X), atol=1e-5
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
        *params[:3], X, V, P, Q, np.float32(0.3), np.float32(keep)
    )
    np.testing.assert_allclose(W, keep * params.W + 0.3 * (X.T @ P / n - V.T @ Q / 3), atol=1e-5)
    np.testing.assert_allclose(b, params.b + 0.3 * (X.mean(0) - V.mean(0)), atol=1e-5)
    np.testing.assert_allclose(d, params.d + 0.3 * (P.mean(0) - Q.mean(0)), atol=1e-5)
    np.testing.assert_allclose([activity, fantasy_activity], [P.mean(), Q.mean()], atol=1e-5)
    np.testing.assert_allclose(total, W.sum() + b.sum() + d.sum(), atol=1e-2)
    for array, copy in zip(params[:3], before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize(("n_v", "n_h"), [(6, 3), (67, 5)])
def test_visibles_are_drawn_with_their_conditional_probabilities(n_v, n_h):
    params = small_model(n_v, n_h, seed=8)
    H = np.repeat(all_states(n_h)[:4], 20_001, axis=0)
    V = rbm_kernels.sample_visible(params.W, params.b, H, np.uint64(9))
    assert set(np.unique(V)) == {0, 1}
    for c in range(4):
        p = rbm.visible_mean(params, H[c * 20_001])
        error = V[c * 20_001 : (c + 1) * 20_001].mean(0) - p
        assert (np.abs(error) < 5 * np.sqrt(p * (1 - p) / 20_001) + 1e-6).all()
    # neighbouring elements come from neighbouring counters and must not be correlated
    noise = V[:20_001] - V[:20_001].mean(0)
    lagged = (noise[:, :-1] * noise[:, 1:]).mean(0) / (noise[:, :-1].std(0) * noise[:, 1:].std(0) + 1e-9)
    assert np.abs(lagged).max() < 5 / np.sqrt(20_001)


def test_latents_are_drawn_with_the_given_probabilities():
    means = np.tile(np.array([0.0, 0.02, 0.5, 0.9, 1.0], np.float32), (40_000, 1))
    H = rbm_kernels.sample_bernoulli(means, np.uint64(3))
    assert not H[:, 0].any()
    assert H[:, 4].all()
    np.testing.assert_allclose(H.mean(0), means[0], atol=5 * 0.5 / np.sqrt(40_000))


def test_results_do_not_depend_on_the_number_of_threads():
    params = small_model(700, 30, seed=10, scale=0.3)
    X = images(params, "bernoulli", 63)
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


# Chains and gradients


@pytest.mark.parametrize("visible", VISIBLE)
def test_gibbs_chains_reach_the_models_distribution(visible):
    params = small_model(4, 3, seed=12, scale=0.7)
    rng = np.random.default_rng(13)
    n = 40_000
    X, H = rbm.gibbs(params, rng.integers(0, 2, (n, 3), dtype=np.uint8), 40, rng, visible)
    codes = H @ (1 << np.arange(3))
    states = all_states(3)
    if visible == "bernoulli":
        table = bernoulli_table(params)
        exact = table.sum(0)
        seen = np.bincount(X @ (1 << np.arange(4)), minlength=16) / n
        assert np.abs(seen - table.sum(1)).max() < 5 * np.sqrt(0.25 / n)
    else:  # P(h) of a Gaussian RBM: the integral over x is a Gaussian's
        a = states @ params.W.T.astype(np.float64)
        weights = states @ params.d + a @ params.b + 0.5 * (a**2).sum(1)
        exact = np.exp(weights - np.logaddexp.reduce(weights))
        mean = exact @ rbm.visible_mean(params, states, visible)
        np.testing.assert_allclose(X.mean(0), mean, atol=5 * X.std(0).max() / np.sqrt(n))
    assert np.abs(np.bincount(codes, minlength=8) / n - exact).max() < 5 * np.sqrt(0.25 / n)


def exact_gradient(params, X, visible):
    """The gradient of the mean exact log-likelihood with respect to W, b and d, by central differences."""
    gradient = []
    arrays = [a.astype(np.float64) for a in params[:3]]
    for which, array in enumerate(arrays):
        g = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            values = []
            for step in (1e-5, -1e-5):
                moved = [a.copy() for a in arrays]
                moved[which][index] += step
                values.append(
                    exact_log_likelihood(params._replace(W=moved[0], b=moved[1], d=moved[2]), X, visible)
                )
            g[index] = (values[0] - values[1]) / 2e-5
        gradient.append(g)
    return gradient


@pytest.mark.parametrize("method", ["pcd", "cd"])
@pytest.mark.parametrize("visible", VISIBLE)
def test_the_mean_step_is_the_gradient_of_the_exact_log_likelihood(visible, method):
    n = 60_000
    params = small_model(4, 3, seed=14, scale=0.6)
    X = images(params, visible, 5)
    rng = np.random.default_rng(15)
    # PCD: equilibrated particles stay so. CD: with many sweeps the chains forget the data they started from.
    particles = rbm.gibbs(params, rng.integers(0, 2, (n, 3), dtype=np.uint8), 40, rng, visible)[1]
    system = RBMSystem(
        3, visible=visible, method=method, n_gibbs=40 if method == "cd" else 1, learning_rate=1.0
    )
    after, _ = system.step(params._replace(particles=particles), np.repeat(X, n // 5, axis=0), rng)
    for moved, start, gradient in zip(after[:3], params[:3], exact_gradient(params, X, visible), strict=True):
        np.testing.assert_allclose(
            moved - start, gradient, atol=6 * (0.5 if visible == "bernoulli" else 2) / np.sqrt(n)
        )


# Training


def bars(n: int, seed: int = 0) -> np.ndarray:
    """3x3 images in which each row and each column is inked with probability 0.3."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.random((2, n, 3)) < 0.3
    return (rows[:, :, None] | columns[:, None, :]).reshape(n, 9).astype(np.uint8)


def run(system, X, *, n_iter=20, batch_size=20, seed=0):
    steps = Training(system, X, n_iter=n_iter, batch_size=batch_size, rng=np.random.default_rng(seed))
    return deque(steps, maxlen=1)[0][0]


@pytest.mark.parametrize("method", ["pcd", "cd"])
def test_training_on_bars_raises_the_exact_log_likelihood(method):
    X, held_out = bars(1000), bars(1000, seed=1)
    system = RBMSystem(8, method=method, learning_rate=0.1)
    start = system.init(X, np.random.default_rng(0))
    end = run(system, X, n_iter=80)
    # independent pixels have -6.2 nats, the truth -3.5; both methods were seen to reach -4.65
    assert exact_log_likelihood(start, held_out) < -6.0
    assert exact_log_likelihood(end, held_out) > -4.85
    assert system.validate(end, held_out, np.random.default_rng(0))["reconstruction_error"] < 1.0


def test_training_on_digits_lowers_the_reconstruction_error_and_raises_the_pseudo_likelihood():
    from sklearn.datasets import load_digits

    X = (np.asarray(load_digits(return_X_y=True)[0]) > 7).astype(np.uint8)
    system = RBMSystem(40, learning_rate=0.2, decay_steps=1000)
    rng = np.random.default_rng(0)
    before = system.validate(system.init(X, rng), X[1500:], np.random.default_rng(1))
    after = system.validate(run(system, X[:1500], n_iter=20), X[1500:], np.random.default_rng(1))
    assert after["reconstruction_error"] < 0.5 * before["reconstruction_error"]
    assert after["score"] > before["score"] + 7


@pytest.mark.parametrize("method", ["pcd", "cd"])
def test_gaussian_training_finds_planted_causes(method):
    rng = np.random.default_rng(0)
    planted = np.array([[3.0, 3, 0, 0, 0, 0], [0, 0, 3, 3, 0, 0], [0, 0, 0, 0, -3, 3]])
    X = (rng.random((3000, 3)) < 0.4) @ planted + rng.standard_normal((3000, 6))
    system = RBMSystem(3, visible="gaussian", method=method, learning_rate=0.02)
    start = system.init(X[:2000], rng)
    end = run(system, X[:2000], n_iter=40)
    gain = exact_log_likelihood(end, X[2000:], "gaussian") - exact_log_likelihood(start, X[2000:], "gaussian")
    assert gain > 2.0
    assert system.validate(end, X[2000:], rng)["score"] > 2 * system.validate(start, X[2000:], rng)["score"]


def test_weight_decay_keeps_weights_smaller():
    X = bars(400)
    free, decayed = (run(RBMSystem(8, learning_rate=0.1, weight_decay=w), X) for w in (0.0, 0.05))
    assert np.square(decayed.W).sum() < 0.7 * np.square(free.W).sum()


@pytest.mark.nojit
def test_the_learning_rate_falls_as_promised():
    system = RBMSystem(2, learning_rate=0.4, decay_steps=2.0)
    X, rng = bars(4), np.random.default_rng(0)
    state = system.init(X, rng)
    rates = []
    for _ in range(3):
        state, metrics = system.step(state, X, rng)
        rates.append(metrics["learning_rate"])
    np.testing.assert_allclose(rates, [0.4, 0.4 / 1.5, 0.2])
    assert state.n_steps == 3


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
@pytest.mark.parametrize("method", ["pcd", "cd"])
def test_seeds_reproduce_a_run_exactly_and_states_are_never_modified(visible, method):
    X = bars(12)
    system = RBMSystem(4, visible=visible, method=method, n_gibbs=2, n_particles=3)
    rng = np.random.default_rng(5)
    start = system.init(X, rng)
    copy = [np.copy(a) for a in start]
    system.step(start, X, rng)
    for a, b in zip(start, copy, strict=True):
        np.testing.assert_array_equal(a, b)
    first, again, other = (run(system, X, n_iter=2, batch_size=5, seed=s) for s in (1, 1, 2))
    for a, b in zip(first, again, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(first.W, other.W)


# The System's face


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
def test_encode_decode_and_sample_have_the_promised_shapes_and_types(visible):
    X = bars(7)
    system = RBMSystem(4, visible=visible, n_sample_sweeps=3)
    rng = np.random.default_rng(0)
    state = system.resume(small_model(9, 4), rng)
    H = system.encode(state, X)
    assert (H.shape, H.dtype) == ((7, 4), np.uint8)
    np.testing.assert_array_equal(H, rbm.posterior(state, X) > 0.5)
    assert (system.decode(state, H).shape, system.decode(state, H).dtype) == ((7, 9), np.float64)
    drawn = system.sample(state, 6, rng)
    assert drawn.shape == (6, 9)
    assert drawn.dtype == (np.uint8 if visible == "bernoulli" else np.float64)


def test_samples_follow_the_model():
    params = small_model(3, 3, seed=16, scale=0.7)
    system = RBMSystem(3, n_sample_sweeps=30)
    rng = np.random.default_rng(17)
    X = system.sample(system.resume(params, rng), 30_000, rng)
    seen = np.bincount(X @ (1 << np.arange(3)), minlength=8) / len(X)
    assert np.abs(seen - bernoulli_table(params).sum(1)).max() < 5 * np.sqrt(0.25 / len(X))


@pytest.mark.nojit
def test_constant_pixels_start_with_finite_biases():
    X = np.array([[0, 1], [0, 1]])
    state = RBMSystem(2).init(X, np.random.default_rng(0))
    np.testing.assert_allclose(expit(state.b), [0.25, 0.75], atol=1e-6)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_h": 0}, ValueError, "n_h must be at least 1, got 0"),
        ({"n_h": -3}, ValueError, "n_h must be at least 1"),
        ({"n_h": 2.5}, TypeError, "n_h must be an integer, got 2.5"),
        ({"n_h": True}, TypeError, "n_h must be an integer"),
        ({"n_gibbs": 0}, ValueError, "n_gibbs must be at least 1"),
        ({"n_particles": 0}, ValueError, "n_particles must be at least 1"),
        ({"n_sample_sweeps": 0}, ValueError, "n_sample_sweeps must be at least 1"),
        ({"visible": "poisson"}, ValueError, 'visible must be "bernoulli" or "gaussian", got .poisson'),
        ({"method": "ml"}, ValueError, 'method must be "pcd" or "cd", got .ml'),
        ({"learning_rate": 0.0}, ValueError, "learning_rate must be positive and finite, got 0"),
        ({"learning_rate": np.nan}, ValueError, "learning_rate must be positive and finite, got nan"),
        ({"learning_rate": np.inf}, ValueError, "learning_rate must be positive"),
        ({"decay_steps": -1.0}, ValueError, "decay_steps must be positive"),
        ({"weight_decay": -0.1}, ValueError, "weight_decay must be at least 0"),
    ],
)
def test_bad_hyper_parameters_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        RBMSystem(**options)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("visible", "X", "error", "message"),
    [
        ("bernoulli", np.zeros(9), ValueError, r"shape \(9,\); expected \(n, n_v\)"),
        ("bernoulli", np.zeros((0, 9)), ValueError, "at least one"),
        ("bernoulli", np.zeros((2, 8)), ValueError, "8 columns but the model has n_v = 9"),
        ("bernoulli", np.full((2, 9), 0.5), ValueError, "values other than 0 and 1"),
        ("bernoulli", np.full((2, 9), 2, np.uint8), ValueError, "values other than 0 and 1"),
        ("bernoulli", np.full((2, 9), np.nan), ValueError, "values other than 0 and 1"),
        ("bernoulli", np.full((2, 9), "a"), TypeError, "expected numbers"),
        ("gaussian", np.full((2, 9), np.nan), ValueError, "NaN or infinity"),
        ("gaussian", np.full((2, 9), -np.inf), ValueError, "NaN or infinity"),
    ],
)
def test_bad_images_are_refused_by_every_method(visible, X, error, message):
    system, rng = RBMSystem(4, visible=visible), np.random.default_rng(0)
    state = system.resume(small_model(9, 4), rng)
    for call in (
        lambda: system.step(state, X, rng),
        lambda: system.encode(state, X),
        lambda: system.validate(state, X, rng),
    ):
        with pytest.raises(error, match=message):
            call()


@pytest.mark.nojit
def test_other_bad_arguments_are_refused():
    system, rng = RBMSystem(4), np.random.default_rng(0)
    state = system.resume(small_model(9, 4), rng)
    with pytest.raises(ValueError, match=r"shape \(2, 9\); expected \(n, 4\)"):
        system.decode(state, np.zeros((2, 9)))
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        system.sample(state, 0, rng)
    with pytest.raises(ValueError, match="n_sweeps must be at least 1, got 0"):
        rbm.gibbs(state, state.particles, 0, rng)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
@pytest.mark.parametrize("name", ["W", "b", "d"])
def test_a_parameter_that_is_not_finite_is_an_error_naming_the_step(visible, name):
    system, rng = RBMSystem(4, visible=visible), np.random.default_rng(0)
    state = system.resume(small_model(9, 4), rng)
    broken = getattr(state, name).copy()
    broken[-1] = np.nan
    with pytest.raises(FloatingPointError, match=r"not finite after step 8, learning rate 0\.05"):
        system.step(state._replace(**{name: broken}, n_steps=7), bars(5), rng)
