"""Mean field in sigmoid belief networks: bounds, means and gradients against sums over all states."""

from __future__ import annotations

import math

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import MeanFieldSBN, load_model
from lrbn_viz.lrbn.means.moments import Moments, TiltedMoments
from lrbn_viz.lrbn.means.visits import TILT
from lrbn_viz.measure import log_likelihood
from lrbn_viz.rivals.sbn.mean_field import FieldSystem, MeanFieldSystem
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.rivals.sbn.particles import as_floats

N_V, N_H = 5, 3
STATES = np.array(list(naive.states(N_H)))
IMAGES = np.array(list(naive.states(N_V)))


def networks(seed: int = 0, n_v: int = N_V, n_h: int = N_H, scale: float = 0.8) -> LayerNetworks:
    """Random parameters of both networks, exact in single precision."""
    rng = np.random.default_rng(seed)
    shapes = ((n_v, n_h), (n_v,), (n_h,), (n_v, n_h), (n_h,))
    return LayerNetworks(*(rng.normal(0, scale, s).astype(np.float32).astype(np.float64) for s in shapes))


def image(seed: int = 0, n_v: int = N_V) -> np.ndarray:
    return np.random.default_rng([seed, 1]).integers(0, 2, n_v).astype(np.uint8)


def found(system: FieldSystem, params: LayerNetworks, X: np.ndarray, Q: np.ndarray, n_sweeps: int):
    """Return a state and what mean field makes of images from given means."""
    state = system.resume((params,), np.random.default_rng(0))
    images = as_floats(X, system.work)
    return state, images, system.infer(state, images, (np.array(Q, np.float32),), n_sweeps)


# -- the bound and the means


@pytest.mark.nojit
@pytest.mark.parametrize("scale", [0.3, 2.0, 8.0])
def test_the_tilted_bound_is_the_sum_over_all_states_and_below_log_p(scale):
    for seed in range(4):
        params, rng = networks(seed, scale=scale), np.random.default_rng(seed)
        X, Q = IMAGES[:6], rng.uniform(0.02, 0.98, (6, N_H))
        _, _, field = found(MeanFieldSystem(N_H), params, X, Q, 0)
        xi, phi = field.rest[2:]
        for x, q, bound, tilts, shares in zip(X, field.Q, field.bounds, xi, phi, strict=True):
            expected = naive.tilted_bound(params, x, q, tilts)
            assert bound == pytest.approx(expected, rel=3e-6, abs=3e-5)
            assert bound <= naive.posterior(params, "bernoulli", x).log_evidence + 1e-4
            assert ((shares >= 0) & (shares <= 1)).all()


@pytest.mark.parametrize("scale", [0.3, 1.0, 2.0])
def test_sweeps_raise_the_bound_and_end_where_nothing_moves(scale):
    for seed in range(4):
        params, X = networks(seed, scale=scale), IMAGES[::3]
        Q = np.random.default_rng(seed).uniform(0.02, 0.98, (len(X), N_H))
        bounds = np.array([found(MeanFieldSystem(N_H), params, X, Q, n)[2].bounds for n in range(6)])
        # No visit lowers it. The choice of tilts before a sweep may, for activations far from normal.
        assert (np.diff(bounds, axis=0) > -0.3).all()
        assert (np.diff(bounds.mean(axis=1)) > -0.01).all()
        ends = found(MeanFieldSystem(N_H), params, X, Q, 200)[2]
        again = found(MeanFieldSystem(N_H), params, X, ends.Q, 1)[2]
        np.testing.assert_allclose(again.bounds, ends.bounds, atol=1e-3)


def test_the_batch_makes_the_visits_that_one_image_makes():
    """Both choose tilts for normal activations before a sweep; the trace keeps older ones that are better."""
    params, x = networks(2, n_v=70, n_h=6, scale=1.0), image(2, 70)
    q = np.random.default_rng(0).uniform(0.1, 0.9, 6)
    batch = found(MeanFieldSystem(6), params, np.tile(x, (3, 1)), np.tile(q, (3, 1)), 1)[2]
    moments = TiltedMoments(params.generative, x, q)
    for j in range(6):
        moments.move(j, 1.0 / (1.0 + math.exp(-moments.log_odds(j))))
    np.testing.assert_allclose(batch.Q, np.tile(moments.q, (3, 1)), atol=2e-5)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.3, 1.0, 5.0, 40.0]))
def test_visits_of_a_trace_never_lower_the_tilted_bound(seed, scale):
    params, x = networks(seed, scale=scale), image(seed)
    evidence = naive.posterior(params, "bernoulli", x).log_evidence
    moments = TiltedMoments(params.generative, x, np.random.default_rng(seed).random(N_H))
    last = moments.bound()
    for _ in range(4):
        moments.refresh()
        for j in range(N_H):
            assert moments.bound() >= last - 1e-8
            last = moments.bound()
            moments.move(j, naive.sigmoid(moments.log_odds(j)))
        assert last <= evidence + 1e-8
    for h in STATES:
        at = TiltedMoments(params.generative, x, h.astype(float))
        assert at.bound() == pytest.approx(naive.log_joint(params, "bernoulli", x, h), abs=1e-7)


def test_moments_moved_unit_by_unit_are_those_of_the_means():
    params, x = networks(3, scale=2.0), image(3)
    moments = TiltedMoments(params.generative, x, np.full(N_H, 0.5))
    for j, mean in enumerate((0.2, 0.0, 1.0)):
        moments.move(j, mean)
    tilts = moments.kernel_arguments[1].tilts[TILT]
    expected = naive.tilted_bound(params, x, moments.q, tilts)
    assert moments.bound() == pytest.approx(expected, abs=1e-9)


def test_the_tilted_bound_is_mostly_tighter_than_the_quadratic_one_where_means_are_unsure():
    gains = []
    for seed in range(20):
        params, x, q = networks(seed, scale=2.0), image(seed), np.full(N_H, 0.5)
        pair = (TiltedMoments(params.generative, x, q), Moments(params.generative, x, q))
        gains.append(pair[0].bound() - pair[1].bound())
    assert np.mean(gains) > 0.1
    assert np.mean(np.array(gains) > 0) > 0.8


# -- gradients


def test_the_gradients_are_the_slopes_of_the_bound_at_held_means_and_tilts():
    system = MeanFieldSystem(N_H)
    params, X = networks(5, scale=1.2), IMAGES[[3, 17, 28]]
    Q = np.random.default_rng(1).uniform(0.05, 0.95, (3, N_H))
    state, images, field = found(system, params, X, Q, 1)
    mine = [np.array(each, np.float64) for each in system.slopes(state, images, field)]
    means, tilts = field.Q.astype(float), field.rest[2].astype(float)

    def bound(moved: LayerNetworks) -> float:
        each = [naive.tilted_bound(moved, x, q, t) for x, q, t in zip(X, means, tilts, strict=True)]
        return math.fsum(each) / len(X)

    for name, along in zip(("W", "b", "d"), mine, strict=True):
        for index in np.ndindex(along.shape):
            sides = []
            for sign in (1, -1):
                array = getattr(params, name).copy()
                array[index] += sign * 1e-5
                sides.append(bound(params._replace(**{name: array})))
            assert along[index] == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=3e-5)


def test_the_recognition_network_learns_where_sweeps_end():
    system = MeanFieldSystem(N_H)
    params, X = networks(6), IMAGES
    state = system.resume((params,), np.random.default_rng(0))
    guess = 1.0 / (1.0 + np.exp(-(X @ params.V + params.c)))
    learned = system.learn(state, as_floats(X, system.work), np.random.default_rng(0))
    ends = system.means(state, X, system.n_sweeps)[0]
    np.testing.assert_allclose(learned.gradients[3], X.T @ (ends - guess) / len(X), atol=1e-5)
    np.testing.assert_allclose(learned.gradients[4], (ends - guess).mean(axis=0), atol=1e-5)
    assert learned.figures["guess_error"] == pytest.approx(np.abs(ends - guess).mean(), abs=1e-5)


@pytest.mark.parametrize("optimiser", ["adam", "momentum"])
def test_the_prior_draws_small_weights_to_0_apart_from_the_gradient(optimiser):
    how = {"optimiser": optimiser, "learning_rate": 0.2, "decay_steps": 10.0}
    free, drawn = (MeanFieldSystem(N_H, **how, cauchy_prior=strength) for strength in (0.0, 0.5))
    params = networks(7)
    state = free.resume((params,), np.random.default_rng(0))._replace(n_steps=10)  # half of the rate
    ends = [each.step(state, IMAGES[:9], np.random.default_rng(0))[0] for each in (free, drawn)]
    for plain, shrunk in zip(ends[0].learned[1:], ends[1].learned[1:], strict=True):
        np.testing.assert_array_equal(plain, shrunk)
    shrinkage = ends[0].layers[0].W - ends[1].layers[0].W
    W = params.W.astype(np.float64)
    np.testing.assert_allclose(shrinkage, 0.1 * 0.5 * W / (1.0 + W**2), atol=1e-6)


def test_latents_of_one_layer_are_rarely_on_at_first_and_pixels_have_their_means():
    X = (np.random.default_rng(0).random((50, 6)) < 0.8).astype(np.uint8)
    on = (X.sum(axis=0) + 1.0) / (len(X) + 2.0)
    ((W, b, d, V, c),) = MeanFieldSystem(200).init(X, np.random.default_rng(1)).layers
    p = 1.0 / (1.0 + np.exp(-d.astype(np.float64)))
    np.testing.assert_allclose(p, p[0])
    assert p[0] < 0.3
    np.testing.assert_array_equal(V, W)
    np.testing.assert_allclose(c, d - W.T @ on, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(b + W @ p, np.log(on) - np.log1p(-on), atol=1e-5)


def test_a_step_leaves_the_state_before_it_as_it_was():
    system = MeanFieldSystem(N_H)
    state = system.init(IMAGES, np.random.default_rng(1))
    arrays = (*state.learned, *state.gradient_mean, *state.gradient_square)
    before = [array.copy() for array in arrays]
    after, figures = system.step(state, IMAGES, np.random.default_rng(2))
    system.step(after, IMAGES, np.random.default_rng(3))
    for array, was in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, was)
    assert figures["bound"] < 0


# -- the estimator


def test_scores_are_bounds_and_importance_sampling_from_the_means_is_near_log_p():
    params = networks(1)
    model = MeanFieldSBN.from_params(*params[:3], V=params.V, c=params.c)
    exact = log_likelihood(model, IMAGES, method="exact").values
    scores = model.score_samples(IMAGES)
    assert (scores <= exact + 1e-5).all()
    assert (exact - scores).mean() < 0.3
    sampled = log_likelihood(model, IMAGES, method="importance", n_samples=2000)
    assert sampled.mean == pytest.approx(exact.mean(), abs=0.05)


def test_means_and_traces_end_alike(tmp_path):
    params = networks(4, n_v=40, n_h=6)
    model, x = MeanFieldSBN.from_params(*params[:3], V=params.V, c=params.c), image(4, 40)
    trace = model.map_trace(x)
    assert trace.means
    assert trace.converged
    # the guess may lower the bound, no visit after it does
    assert (np.diff(trace.log_joint[5:]) > -1e-8).all()
    np.testing.assert_allclose(trace.latents(trace.n_visits), model.transform(x[None])[0], atol=0.02)
    assert trace.log_joint[-1] == pytest.approx(model.score_samples(x[None])[0], abs=0.05)
    np.testing.assert_array_equal(model.transform(x[None], method="recognition"), model.recognise(x[None]))
    model.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    np.testing.assert_array_equal(again.transform(x[None]), model.transform(x[None]))
