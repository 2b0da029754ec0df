"""The enhanced and the centred gradient of the RBM against formulas and enumeration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from engine.rbm_cases import (
    VISIBLE,
    bars,
    exact_gradient,
    exact_log_likelihood,
    exact_means,
    images,
    run,
    small_model,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import RBM
from lrbn_viz.rivals.rbm import gradient as rbm_gradient
from lrbn_viz.rivals.rbm import kernels
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.centring import KINDS, NO_CENTRES, RUNNING_MEAN_RATE, Centres
from lrbn_viz.rivals.rbm.sampling import gibbs
from lrbn_viz.rivals.rbm.system import RBMState, RBMSystem
from lrbn_viz.training import Training

GRADIENTS = ["enhanced", "centred"]
SIZES = {"n": st.integers(1, 9), "n_v": st.integers(1, 40), "n_h": st.integers(1, 20)}


def centred_step(dW, db, dd, mu, lam):
    """A plain step turned into that for ``x - mu`` and ``h - lam``."""
    dW = dW - np.outer(mu, dd) - np.outer(db, lam)
    return dW, db - dW @ lam, dd - dW.T @ mu


def learned(params, X, V, means, name, rate=0.3, keep=1.0, centres=NO_CENTRES, slide=1.0):
    """New W, b, d and centres, from both phases."""
    step: list[Any] = [np.float32(rate), np.float32(keep), KINDS[name], centres, np.float32(slide), False]
    arguments: list[Any] = [*params[:3], X, V, means, *step]
    return rbm_gradient.learn(*arguments)[:5]


def with_arrays(params: RBMState, arrays) -> RBMState:
    """The state with another W, b and d."""
    W, b, d = (np.asarray(a, np.float32) for a in arrays)
    return params._replace(W=W, b=b, d=d)


def moving(params) -> Centres:
    rng = np.random.default_rng(7)
    return Centres(*(rng.random(len(a)).astype(np.float32) for a in (params.b, params.d)))


@pytest.mark.nojit
@given(**SIZES, seed=st.integers(0, 999), keep=st.sampled_from([1.0, 0.5]), name=st.sampled_from(GRADIENTS))
@settings(max_examples=20)
def test_the_step_is_the_formula_of_its_gradient(n, n_v, n_h, seed, keep, name):
    params = small_model(n_v, n_h, seed)
    X, V = images(params, "bernoulli", n, seed), images(params, "bernoulli", 3, seed + 1)
    P, Q = (rbm.posterior(params, Z).astype(np.float32) for Z in (X, V))
    centres = moving(params) if name == "centred" else NO_CENTRES
    before = [a.copy() for a in (*params[:3], *centres)]
    W, b, d, mu, lam = learned(params, X, V, np.concatenate([P, Q]), name, 0.3, keep, centres, 0.25)

    x_d, x_m, h_d, h_m = (Z.mean(0, dtype=np.float64) for Z in (X, V, P, Q))
    if name == "enhanced":  # as published: covariances, and the mean of both phases
        covariances = [(Z - Z.mean(0)).T @ (H - H.mean(0)) / len(Z) for Z, H in ((X, P), (V, Q))]
        dW = covariances[0] - covariances[1]
        db, dd = x_d - x_m - dW @ (h_d + h_m) / 2, h_d - h_m - dW.T @ (x_d + x_m) / 2
        assert (mu.size, lam.size) == (0, 0)
    else:
        expected_mu = 0.75 * centres.mu + 0.25 * x_d
        expected_lam = 0.75 * centres.lam + 0.25 * h_d
        np.testing.assert_allclose(mu, expected_mu, atol=1e-5)
        np.testing.assert_allclose(lam, expected_lam, atol=1e-5)
        plain = X.T @ P / n - V.T @ Q / 3, x_d - x_m, h_d - h_m
        dW, db, dd = centred_step(*plain, expected_mu, expected_lam)
    np.testing.assert_allclose(W, keep * params.W + 0.3 * dW, atol=1e-5)
    np.testing.assert_allclose(b, params.b + 0.3 * db, atol=1e-5)
    np.testing.assert_allclose(d, params.d + 0.3 * dd, atol=1e-5)
    for array, copy in zip((*params[:3], *centres), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def flipped(params, of_x, of_h):
    """The same model of images and latents whose marked bits are called the other way round."""
    W, b, d = (a.astype(np.float64) for a in params[:3])
    x_sign, h_sign = 1.0 - 2.0 * of_x, 1.0 - 2.0 * of_h
    return x_sign[:, None] * W * h_sign, x_sign * (b + W @ of_h), h_sign * (d + W.T @ of_x)


@pytest.mark.nojit
@given(**SIZES, seed=st.integers(0, 999), name=st.sampled_from(GRADIENTS))
@settings(max_examples=20)
def test_a_flip_of_bits_flips_the_step(n, n_v, n_h, seed, name):
    params = small_model(n_v, n_h, seed, scale=0.5)
    rng = np.random.default_rng(seed)
    of_x, of_h = (rng.integers(0, 2, size) for size in (n_v, n_h))
    X, V = images(params, "bernoulli", n, seed), images(params, "bernoulli", 4, seed + 1)
    means = rbm.posterior(params, np.concatenate([X, V])).astype(np.float32)
    centres = moving(params) if name == "centred" else NO_CENTRES

    other = with_arrays(params, flipped(params, of_x, of_h))
    X_other, V_other = ((Z ^ of_x).astype(np.uint8) for Z in (X, V))
    means_other = np.abs(means - of_h).astype(np.float32)
    # it is the same model: the same latents, but for their names
    np.testing.assert_allclose(
        rbm.posterior(other, np.concatenate([X_other, V_other])), means_other, atol=1e-4
    )
    if name == "centred":
        centres_other = Centres(
            *(np.abs(c - f).astype(np.float32) for c, f in zip(centres, (of_x, of_h), strict=True))
        )
    else:
        centres_other = NO_CENTRES
    after = learned(params, X, V, means, name, centres=centres, slide=0.5)
    after_other = learned(other, X_other, V_other, means_other, name, centres=centres_other, slide=0.5)
    expected = flipped(with_arrays(params, after[:3]), of_x, of_h)
    for found, wanted in zip(after_other[:3], expected, strict=True):
        np.testing.assert_allclose(found, wanted, atol=2e-4)


def test_the_plain_gradient_depends_on_what_is_called_on():
    params = small_model(6, 3, scale=0.5)
    X, V = images(params, "bernoulli", 5), images(params, "bernoulli", 4, 2)
    means = rbm.posterior(params, np.concatenate([X, V])).astype(np.float32)
    ones, zeros = np.ones(6, int), np.zeros(3, int)
    other = with_arrays(params, flipped(params, ones, zeros))
    after = learned(params, X, V, means, "standard")
    after_other = learned(other, 1 - X, 1 - V, means, "standard")
    expected = flipped(with_arrays(params, after[:3]), ones, zeros)
    assert np.abs(after_other[0] - expected[0]).max() > 0.01


@pytest.mark.parametrize("n_temperatures", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("gradient", GRADIENTS)
@pytest.mark.parametrize("visible", VISIBLE)
def test_the_mean_step_is_the_exact_gradient_turned(visible, gradient, n_temperatures):
    n = 40_000
    params = small_model(4, 3, seed=14, scale=0.6)
    X = images(params, visible, 5)
    rng = np.random.default_rng(15)
    system = RBMSystem(
        3, visible=visible, learning_rate=1.0, gradient=gradient, n_temperatures=n_temperatures, n_gibbs=2
    )
    # chains that have found the distributions of their temperatures: these stay so
    own = [
        gibbs(params._replace(W=beta * params.W, d=beta * params.d), coins(n, rng), 40, rng, visible)[1]
        for beta in np.linspace(1, 0, n_temperatures, dtype=np.float32)
    ]
    start = params._replace(particles=np.concatenate(own))
    after, metrics = system.step(start, np.repeat(X, n // 5, axis=0), rng)
    x_d, h_d = X.mean(0), rbm.posterior(params, X).mean(0)
    x_m, h_m = exact_means(params, visible)
    mu, lam = ((x_d + x_m) / 2, (h_d + h_m) / 2) if gradient == "enhanced" else (x_d, h_d)
    dW, db, dd = exact_gradient(params, X, visible)
    expected = centred_step(dW, db, dd, mu, lam)
    for moved, old, step in zip(after[:3], params[:3], expected, strict=True):
        np.testing.assert_allclose(
            moved - old, step, atol=8 * (0.5 if visible == "bernoulli" else 2) / np.sqrt(n)
        )
    assert ("swapped" in metrics) == (n_temperatures > 1)


def coins(n, rng):
    return rng.integers(0, 2, (n, 3), dtype=np.uint8)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
def test_centres_are_the_mean_of_all_minibatches_at_first_and_slide_later(visible):
    X = bars(8)
    system = RBMSystem(4, visible=visible, gradient="centred", n_particles=3)
    rng = np.random.default_rng(0)
    state = system.init(X, rng)
    seen, active = [], []
    for first in (0, 4):
        batch = X[first : first + 4]
        seen.append(batch.mean(0))
        active.append(rbm.posterior(state, batch).mean(0))
        state, _ = system.step(state, batch, rng)
    assert state.centres
    np.testing.assert_allclose(state.centres.mu, np.mean(seen, axis=0), atol=1e-6)
    np.testing.assert_allclose(state.centres.lam, np.mean(active, axis=0), atol=1e-6)
    late = state._replace(n_steps=10_000)
    after, _ = system.step(late, X[:4], rng)
    assert after.centres
    np.testing.assert_allclose(
        after.centres.mu,
        (1 - RUNNING_MEAN_RATE) * state.centres.mu + RUNNING_MEAN_RATE * X[:4].mean(0),
        atol=1e-6,
    )


# Training

BEST: list[dict[str, Any]] = [
    {"gradient": "enhanced"},
    {"gradient": "centred"},
    {"gradient": "enhanced", "n_temperatures": 5},
    {"gradient": "centred", "method": "cd"},
]


@pytest.mark.parametrize("how", BEST, ids=str)
def test_every_gradient_learns_bars(how):
    X, held_out = bars(1000), bars(1000, seed=1)
    system = RBMSystem(8, **{"learning_rate": 0.1} | how)
    end = run(system, X, n_iter=40)
    # independent pixels have -6.2 nats, the truth -3.5
    assert exact_log_likelihood(end, held_out) > -5.0


@pytest.mark.parametrize("gradient", ["standard", *GRADIENTS])
def test_images_called_the_other_way_round_are_learned_as_well_unless_the_gradient_is_plain(gradient):
    found = []
    for X, held_out in ((bars(1000), bars(500, 1)), (1 - bars(1000), 1 - bars(500, 1))):
        end = run(RBMSystem(8, learning_rate=0.05, gradient=gradient, n_particles=50), X, n_iter=60)
        found.append(exact_log_likelihood(end, held_out))
    assert (abs(found[0] - found[1]) < 0.03) == (gradient != "standard"), found


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
@pytest.mark.parametrize(
    "how",
    [{"gradient": "enhanced"}, {"gradient": "centred"}, {"n_temperatures": 3}],
    ids=str,
)
def test_divergence_is_detected_by_every_gradient_and_states_are_never_modified(how, visible):
    system, rng = RBMSystem(4, visible=visible, n_particles=3, **how), np.random.default_rng(0)
    X = bars(5)
    start = system.init(X, rng)
    copies = [np.array(leaf) for leaf in leaves(start)]
    again = system.step(start, X, np.random.default_rng(1))[0]
    for one, other in zip(
        leaves(again), leaves(system.step(start, X, np.random.default_rng(1))[0]), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    for leaf, copy in zip(leaves(start), copies, strict=True):
        np.testing.assert_array_equal(leaf, copy)
    for name in ("W", "b", "d"):
        broken = getattr(start, name).copy()
        broken.reshape(-1)[-1] = np.nan
        with pytest.raises(FloatingPointError, match="not finite after step 8"):
            system.step(start._replace(**{name: broken}, n_steps=7), X, rng)


def leaves(state):
    if isinstance(state, tuple):
        return [leaf for part in state for leaf in leaves(part)]
    return [state]


def test_the_rate_falls_to_its_end_by_the_last_step():
    system = RBMSystem(4, learning_rate=0.4, learning_rate_end=0.1)
    training = Training(system, bars(30), n_iter=4, batch_size=10, rng=np.random.default_rng(0))
    rates = [event.metrics["learning_rate"] for _, event in training]
    np.testing.assert_allclose(rates, 0.4 * 0.25 ** (np.arange(12) / 11))
    assert (system.needs_step_count, RBMSystem(4).needs_step_count) == (("learning_rate_end",), ())


def test_settings_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="two ways for the learning rate to fall"):
        RBMSystem(4, learning_rate_end=0.1, decay_steps=5.0)
    with pytest.raises(ValueError, match="two ways for the learning rate to fall"):
        RBM(4, learning_rate_end=0.1, decay_steps=5.0).fit(bars(30))
    refused: list[dict[str, Any]] = [
        {"gradient": "natural"},
        {"n_temperatures": 0},
        {"learning_rate_end": 0.0},
    ]
    for bad in refused:
        with pytest.raises((ValueError, TypeError), match=next(iter(bad))):
            RBMSystem(4, **bad)


def test_an_estimator_trains_by_every_setting_and_goes_on_from_its_parameters():
    X = bars(60)
    how: dict[str, Any] = {
        "gradient": "centred",
        "n_temperatures": 3,
        "random_state": 0,
    }
    model = RBM(4, n_iter=2, **how).fit(X)
    system: Any = model.make_system()
    assert (system.gradient, system.n_temperatures) == ("centred", 3)
    assert model._state.particles.shape == (3 * 40, 4)
    before = model.params_
    model.partial_fit(X)
    assert not np.array_equal(before.W, model.layers[0].W)
    again = RBM.from_params(*before, **how).partial_fit(X)
    assert np.isfinite(again.layers[0].W).all()
    assert model.sample(5, random_state=0).shape == (5, 9)


@pytest.mark.nojit
@given(**SIZES, seed=st.integers(0, 999))
@settings(max_examples=10)
def test_latent_fields_are_the_log_odds(n, n_v, n_h, seed):
    params = small_model(n_v, n_h, seed)
    X = images(params, "bernoulli", n, seed)
    found = kernels.latent_fields(params.W, params.d, X, False)
    np.testing.assert_allclose(found, rbm.log_odds(params, X), atol=1e-4)
    assert math.isfinite(found.sum())
