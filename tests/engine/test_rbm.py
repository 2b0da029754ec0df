"""The RBM against enumeration: its formulas, and its face as a System."""

from __future__ import annotations

import numpy as np
import pytest
from engine.rbm_cases import (
    VISIBLE,
    all_states,
    bars,
    bernoulli_table,
    images,
    joint_by_loops,
    small_model,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.sampling import gibbs
from lrbn_viz.rivals.rbm.system import RBMState, RBMSystem
from lrbn_viz.rivals.rbm.trace import map_trace

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
        trace = map_trace(params, x, visible)
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
        ({"n_h": 0}, ValueError, "n_h must be at least 1; got 0"),
        ({"n_h": -3}, ValueError, "n_h must be at least 1"),
        ({"n_h": 2.5}, TypeError, "n_h must be an integer; got 2.5"),
        ({"n_h": True}, TypeError, "n_h must be an integer"),
        ({"n_gibbs": 0}, ValueError, "n_gibbs must be at least 1"),
        ({"n_particles": 0}, ValueError, "n_particles must be at least 1"),
        ({"n_sample_sweeps": 0}, ValueError, "n_sample_sweeps must be at least 1"),
        ({"visible": "poisson"}, ValueError, "visible must be one of 'bernoulli', 'gaussian'; got .poisson"),
        ({"method": "ml"}, ValueError, "method must be one of 'pcd', 'cd'; got .ml"),
        ({"learning_rate": 0.0}, ValueError, "learning_rate must be above 0 and finite; got 0"),
        ({"learning_rate": np.nan}, ValueError, "learning_rate must be above 0 and finite; got nan"),
        ({"learning_rate": np.inf}, ValueError, "learning_rate must be above 0"),
        ({"decay_steps": -1.0}, ValueError, "decay_steps must be above 0"),
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
        gibbs(state, state.particles, 0, rng)


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
