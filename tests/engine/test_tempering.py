"""Parallel tempering of the RBM against enumeration."""

from __future__ import annotations

import numpy as np
import pytest
from engine.rbm_cases import VISIBLE, all_states, bernoulli_table, gaussian_prior, small_model

from lrbn_viz.rivals.rbm.sampling import gibbs
from lrbn_viz.rivals.rbm.system import RBMState, RBMSystem
from lrbn_viz.rivals.rbm.tempering import exchanges, tempered_sweeps


def at(params, beta):
    return params._replace(W=beta * params.W, d=beta * params.d)


@pytest.mark.parametrize("visible", VISIBLE)
def test_each_chain_reaches_the_distribution_of_its_temperature(visible):
    params = small_model(4, 3, seed=12, scale=0.7)
    rng = np.random.default_rng(13)
    n, n_temperatures = 20_000, 4
    H = rng.integers(0, 2, (n_temperatures * n, 3), dtype=np.uint8)
    V, H, swapped = tempered_sweeps(params, H, n_temperatures, 25, rng, visible)
    assert 0 < swapped < 1
    for k, beta in enumerate(np.linspace(1, 0, n_temperatures)):
        there = at(params, beta)
        exact = bernoulli_table(there).sum(0) if visible == "bernoulli" else gaussian_prior(there)
        codes = H[k * n : (k + 1) * n] @ (1 << np.arange(3))
        assert np.abs(np.bincount(codes, minlength=8) / n - exact).max() < 5 * np.sqrt(0.25 / n)
    assert len(V) == n
    if visible == "bernoulli":
        seen = np.bincount(V @ (1 << np.arange(4)), minlength=16) / n
        assert np.abs(seen - bernoulli_table(params).sum(1)).max() < 5 * np.sqrt(0.25 / n)


@pytest.mark.nojit
def test_exchanges_leave_the_distribution_of_every_temperature_as_it_is():
    """Of states of three levels, with so many nats each at beta = 1."""
    levels, betas = np.array([0.0, 1.5, 4.0]), np.array([1.0, 0.6, 0.0])
    rng = np.random.default_rng(0)
    n = 60_000
    p = np.exp(betas[:, None] * levels)
    p /= p.sum(1, keepdims=True)
    states = np.array([rng.choice(3, n, p=row) for row in p])
    order, share = exchanges(levels[states], betas, rng)
    assert np.array_equal(np.sort(order, axis=0), np.tile(np.arange(3)[:, None], n))
    assert 0.2 < share < 0.9
    after = np.take_along_axis(states, order, axis=0)
    assert not np.array_equal(after, states)
    for row, exact in zip(after, p, strict=True):
        assert np.abs(np.bincount(row, minlength=3) / n - exact).max() < 5 * np.sqrt(0.25 / n)


def test_tempered_chains_cross_where_gibbs_sampling_stays():
    """Two modes, all pixels on and all off, that are as likely."""
    n_v = 12
    W = np.tile(np.array([2, 2, -2, -2], np.float32), (n_v, 1))
    params = RBMState(W, np.zeros(n_v, np.float32), -W.sum(0) / 2, np.zeros((1, 4), np.uint8), 0)
    n, rng = 400, np.random.default_rng(0)
    off = np.tile(np.array([0, 0, 1, 1], np.uint8), (n, 1))
    X, _ = gibbs(params, off, 200, rng)
    assert (X.mean(1) > 0.5).mean() < 0.01
    V, _, _ = tempered_sweeps(params, np.tile(off, (11, 1)), 11, 200, rng)
    assert 0.35 < (V.mean(1) > 0.5).mean() < 0.65


def test_one_temperature_needs_no_exchange_and_samples_come_from_the_models_own_chains():
    params = small_model(4, 3, seed=1)
    rng = np.random.default_rng(0)
    V, H, swapped = tempered_sweeps(params, all_states(3), 1, 2, rng)
    assert (V.shape, H.shape, swapped) == ((8, 4), (8, 3), 0.0)
    own, others = np.ones((5, 3), np.uint8), np.zeros((10, 3), np.uint8)
    system = RBMSystem(3, n_temperatures=3)
    state = params._replace(particles=np.concatenate([own, others]))
    assert system._chains(state).all()
    assert system.sample(state, 6, rng).shape == (6, 4)
