"""Annealed importance sampling against enumeration: unbiased forwards, an upper bound backwards."""

import numpy as np
import pytest
from engine.cases import VISIBLES
from engine.test_deep import all_states, image, layers_of

from lrbn_viz.lrbn.ais import log_weights, schedule
from lrbn_viz.lrbn.deep.inference import log_joint_deep, sample_deep


def exact(layers, visible, X):
    states = all_states(layers)
    n = len(states[0])
    return np.array(
        [np.logaddexp.reduce(log_joint_deep(layers, visible, np.tile(x, (n, 1)), states)) for x in X]
    )


def test_the_schedule_rises_from_0_to_1():
    betas = schedule(10)
    assert (betas[0], betas[-1], len(betas)) == (0.0, 1.0, 11)
    assert (np.diff(betas) > 0).all()


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("n_temperatures", [1, 12])
def test_the_mean_weight_is_the_evidence(visible, depth, n_temperatures):
    layers, x = layers_of(depth, 2, scale=0.8), image(visible, 2)
    n = 3000
    weights = log_weights(
        layers, visible, np.repeat(x, n, axis=0), schedule(n_temperatures), np.random.default_rng(0)
    )
    expected = exact(layers, visible, x)[0]
    ratio = np.exp(weights - expected)
    error = ratio.std() / np.sqrt(n)
    assert error < 0.2, "too wide to prove anything"
    assert abs(ratio.mean() - 1.0) < 4.5 * error


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("depth", [1, 3])
def test_forwards_bounds_from_below_and_backwards_from_above_and_longer_chains_close_the_gap(visible, depth):
    layers = layers_of(depth, 4)
    X, H = sample_deep(layers, visible, 400, np.random.default_rng(1))
    X = X.astype(float)
    truth = exact(layers, visible, X)
    gaps = []
    for n_temperatures in (3, 100):
        rng = np.random.default_rng(2)
        below = log_weights(layers, visible, X, schedule(n_temperatures), rng) - truth
        above = log_weights(layers, visible, X, schedule(n_temperatures), rng, posterior=H) - truth
        assert below.mean() < 3 * below.std() / 20
        assert above.mean() > -3 * above.std() / 20
        gaps.append(above.mean() - below.mean())
    assert gaps[1] < 0.25 * gaps[0]
    assert gaps[1] < 0.5


def test_the_reverse_weight_is_the_forward_one_in_mean_of_its_inverse():
    # E[exp(-w)] over reverse chains begun at posterior samples is 1 / P(x)
    layers = layers_of(2, 6, scale=0.8)
    x = image("bernoulli", 6)
    states = all_states(layers)
    joint = log_joint_deep(layers, "bernoulli", np.tile(x, (len(states[0]), 1)), states)
    rng = np.random.default_rng(0)
    n = 3000
    picked = rng.choice(len(joint), n, p=np.exp(joint - np.logaddexp.reduce(joint)))
    weights = log_weights(
        layers, "bernoulli", np.repeat(x, n, axis=0), schedule(6), rng, posterior=[h[picked] for h in states]
    )
    ratio = np.exp(np.logaddexp.reduce(joint) - weights)
    assert abs(ratio.mean() - 1.0) < 4.5 * ratio.std() / np.sqrt(n)


@pytest.mark.nojit
def test_equal_seeds_give_equal_weights_in_any_precision_and_progress_is_told():
    layers, X = layers_of(2), image("bernoulli", n=4)
    told: list[float] = []
    runs = [
        log_weights(layers, "bernoulli", X, schedule(5), np.random.default_rng(3), progress=told.append)
        for _ in range(2)
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert told == [*np.arange(1, 6) / 5] * 2
    single = log_weights(layers, "bernoulli", X, schedule(5), np.random.default_rng(3), dtype=np.float32)
    np.testing.assert_allclose(single, runs[0], atol=0.05)
