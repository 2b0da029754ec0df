"""A network of noisy-or units: its inference, learning and probabilities equal those evaluated directly."""

from __future__ import annotations

import itertools

import naive
import numpy as np
import pytest

from lrbn_viz import explain_away, log_odds_terms
from lrbn_viz.estimators.noisy_or import LEAST_LEAK, NoisyOrEM, NoisyOrNetwork, possible

N_V, N_H = 9, 4
UNITS = "noisy-or"
ORDERS = ("sequential", "greedy", "parallel")


def network(seed: int) -> tuple[NoisyOrNetwork, np.ndarray]:
    """Return a network with random parameters, and images."""
    rng = np.random.default_rng(seed)
    W = rng.gamma(0.5, 1.0, (N_V, N_H)) * (rng.random((N_V, N_H)) < 0.7)
    b, d = rng.uniform(LEAST_LEAK, 0.3, N_V), rng.normal(-0.5, 1, N_H)
    model = NoisyOrNetwork.from_params(W, b, d, max_sweeps=20)
    return model, model.sample(6, random_state=seed)


@pytest.mark.nojit
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("order", ORDERS)
def test_visits_are_those_of_the_naive_algorithm(seed, order):
    model, X = network(seed)
    params = naive.Params(*model.params_)
    for x, init in itertools.product(X[:3], ("zeros", "conditional")):
        trace = model.map_trace(x, init=init, order=order, max_sweeps=6)
        h0 = naive.starts(params, UNITS, x, init)
        np.testing.assert_array_equal(trace.h0, h0)
        visits, end, _ = naive.icm(params, UNITS, x, h0, order, 6)
        assert trace.log_joint0 == pytest.approx(naive.log_joint(params, UNITS, x, h0), abs=1e-9)
        for k, visit in zip(range(trace.n_visits), visits, strict=False):
            assert (trace.unit[k], trace.after[k], trace.flipped[k]) == visit[:3]
            assert trace.log_odds[k] == pytest.approx(visit.log_odds, abs=1e-9)
            assert trace.log_joint[k] == pytest.approx(visit.log_joint, abs=1e-9)
        np.testing.assert_array_equal(trace.latents(trace.n_visits), end)
        if order != "parallel":
            assert (np.diff(trace.log_joint, prepend=trace.log_joint0) > -1e-9).all()


@pytest.mark.nojit
@pytest.mark.parametrize("seed", range(3))
def test_probabilities_and_effects_are_those_of_enumeration(seed):
    model, X = network(seed)
    params = naive.Params(*model.params_)
    for x in X[:2]:
        truth, found = naive.posterior(params, UNITS, x), model.exact_posterior(x.astype(float))
        assert found.log_evidence == pytest.approx(truth.log_evidence, abs=1e-9)
        np.testing.assert_allclose(found.marginals, truth.marginals, atol=1e-9)
        np.testing.assert_array_equal(found.map_state, truth.map_state)
        h = model.infer(x[None])[0][0]
        effect = explain_away(model, x, h)
        for j, k in itertools.permutations(range(N_H), 2):
            assert effect[j, k] == pytest.approx(naive.interaction(params, UNITS, x, h, j, k), abs=1e-9)
        assert (effect <= 1e-9).all()
        for j in range(N_H):
            expected = naive.log_odds(params, UNITS, x, h, j)
            assert log_odds_terms(model, x, h, j).log_odds == pytest.approx(expected, abs=1e-9)


def test_weights_that_leave_no_doubt_keep_every_number_finite():
    W, b, d = network(0)[0].params_
    sure = NoisyOrNetwork.from_params(1e3 * W, b, d)
    params = naive.Params(*sure.params_)
    trace = sure.map_trace(np.ones(N_V, np.uint8), init=np.ones(N_H, np.uint8))
    h = trace.h0.copy()
    for unit, after, log_odds in zip(trace.unit, trace.after, trace.log_odds, strict=True):
        assert log_odds == pytest.approx(naive.log_odds(params, UNITS, trace.x, h, unit), abs=1e-7)
        h[unit] = after


@pytest.mark.parametrize("rate", [0.1, 1.0])
def test_a_whole_step_on_all_images_never_lowers_the_log_joint_of_their_codes(rate):
    model, _ = network(1)
    X = model.sample(300, random_state=3)
    system = NoisyOrEM(N_H, learning_rate=rate, decay_steps=np.inf)
    state = system.init(X, np.random.default_rng(0))
    joints = []
    for _ in range(10):
        H = system.encode(state, X)
        new, figures = system.step(state, X, np.random.default_rng(0))
        joint = [NoisyOrNetwork.from_params(*each.params).log_joint(X, H).mean() for each in (state, new)]
        assert figures["log_joint"] == pytest.approx(joint[0])
        assert rate < 1.0 or joint[1] >= joint[0] - 1e-9
        joints += joint
        state = new
    assert joints[-1] > joints[0] + 0.3


def test_the_share_of_a_minibatch_falls_and_goes_on_falling_in_a_later_pass():
    model, _ = network(1)
    X = model.sample(300, random_state=3)
    system, constant = (NoisyOrEM(N_H, decay_steps=steps) for steps in (20.0, np.inf))
    rng = np.random.default_rng(0)
    state = system.init(X, rng)
    for _ in range(20):
        state, _ = system.step(state, X[:50], rng)
    slower, quicker = (each.step(state, X[50:], np.random.default_rng(0))[0] for each in (system, constant))
    moved = [np.expm1(-each.b) - np.expm1(-state.b) for each in (slower, quicker)]
    np.testing.assert_allclose(moved[0], moved[1] / 2, atol=1e-12)  # the leak is a running mean of its own
    passes = NoisyOrNetwork(N_H, random_state=0).partial_fit(X).partial_fit(X)
    assert passes._state.n_steps == 2 * 15


def test_planted_causes_are_found_from_the_better_of_two_seeds():
    W = np.kron(np.eye(4), np.full((4, 1), 3.0))  # each cause has four findings of its own
    planted = NoisyOrNetwork.from_params(W, np.full(16, 0.02), np.full(4, -1.0))
    X = planted.sample(2000, random_state=1)
    models = [NoisyOrNetwork(4, n_iter=20, random_state=seed).fit(X[:1500]) for seed in (0, 2)]
    best = max(models, key=lambda model: model.score(X[1500:]))
    assert best.score(X[1500:]) > planted.score(X[1500:]) - 0.1
    order = np.argmax(
        best.layers[0].W.reshape(4, 4, 4).sum(axis=1), axis=0
    )  # which findings each latent causes
    assert sorted(order) == [0, 1, 2, 3]
    np.testing.assert_allclose(best.layers[0].d, -1.0, atol=0.35)


def test_parameters_that_no_noisy_or_unit_has_are_refused_in_words():
    model, _ = network(0)
    W, b, d = model.params_
    for wrong in ((-W - 0.1, b, d), (W, 0.0 * b, d)):
        with pytest.raises(ValueError, match=r"expected W at or above 0 and b at least 0\.0001"):
            NoisyOrNetwork.from_params(*wrong)
    nearest = possible(-W - 0.1, 0.0 * b, d)
    assert not nearest.W.any()
    assert (nearest.b == LEAST_LEAK).all()
