"""RAISE: likelihoods of an RBM by chains that run back from images, against enumeration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engine.rbm_cases import (
    VISIBLE,
    all_states,
    bernoulli_table,
    exact_means,
    gaussian_prior,
    small_model,
)

from lrbn_viz import RBM, pretrained
from lrbn_viz.measure import log_likelihood, raise_bracket
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm import partition
from lrbn_viz.rivals.rbm.partition import Start, partition_weights, reverse_weights, start_of


def drawn(params, visible, n, rng):
    """Exact samples of the model's images."""
    if visible == "bernoulli":
        p = bernoulli_table(params).sum(1)
        return all_states(len(params.b))[rng.choice(len(p), n, p=p)].astype(np.float64)
    H = all_states(len(params.d))[rng.choice(1 << len(params.d), n, p=gaussian_prior(params))]
    return rbm.visible_mean(params, H, visible) + rng.standard_normal((n, len(params.b)))


def any_start(params) -> Start:
    rng = np.random.default_rng(4)
    return Start(rng.normal(size=len(params.b)), rng.normal(size=len(params.d)))


@pytest.mark.nojit
def test_the_mean_weight_is_what_the_annealing_model_draws():
    """p(x_K) = p_0 T_1 ... T_K over all 16 images, by matrices."""
    params = small_model(4, 3, seed=2, scale=1.2)
    start = any_start(params)
    betas = np.linspace(0, 1, 4)
    X, H = all_states(4).astype(np.float64), all_states(3)
    independent = 1 / (1 + np.exp(-start.b))
    p = np.prod(np.where(X == 1, independent, 1 - independent), axis=1)
    for beta in betas[1:]:
        b, d = ((1 - beta) * from_ + beta * to for from_, to in zip(start, params[1:3], strict=True))
        there = params._replace(W=beta * params.W, b=b, d=d)
        on = rbm.posterior(there, X)
        to_h = np.prod(np.where(H[None] == 1, on[:, None], 1 - on[:, None]), axis=2)
        mean = rbm.visible_mean(there, H)
        to_x = np.prod(np.where(X[None] == 1, mean[:, None], 1 - mean[:, None]), axis=2)
        p = p @ (to_h @ to_x)
    assert p.sum() == pytest.approx(1.0)
    assert np.abs(p - bernoulli_table(params).sum(1)).max() > 0.01, "with few temperatures it is not the RBM"
    n = 4_000
    weights = reverse_weights(
        params, "bernoulli", start, np.repeat(X, n, axis=0), betas, np.random.default_rng(0)
    )
    found = np.exp(weights).reshape(16, n)
    error = found.std(axis=1) / np.sqrt(n)
    assert (np.abs(found.mean(axis=1) - p) < 5 * error + 1e-12).all()


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
@pytest.mark.parametrize("n_temperatures", [1, 3, 30])
def test_raise_is_below_and_ais_above_the_truth_of_the_models_own_images(visible, n_temperatures):
    params = small_model(6, 4, seed=5, scale=0.6 if visible == "gaussian" else 1.5)
    rng = np.random.default_rng(1)
    X = drawn(params, visible, 3000, rng)
    truth = -rbm.free_energy(params, X, visible) - rbm.log_partition(params, visible)
    start, betas = any_start(params), np.linspace(0, 1, n_temperatures + 1)
    below = reverse_weights(params, visible, start, X, betas, rng) - truth
    assert below.mean() < 4 * below.std() / np.sqrt(len(X))
    # one chain each: log Z is too small in expectation, and log P(x) too large
    log_z = partition_weights(params, visible, start, betas, 3000, rng)
    above = rbm.log_partition(params, visible) - log_z
    assert above.mean() > -4 * above.std() / np.sqrt(len(log_z))
    if n_temperatures == 30:
        assert below.mean() > -0.3
        assert above.mean() < 0.3
    if n_temperatures == 1:
        assert below.mean() < -0.3
        assert above.mean() > 0.3


@pytest.mark.parametrize("visible", VISIBLE)
def test_annealing_begins_at_the_models_means_whatever_its_offsets(visible):
    params = small_model(6, 4, seed=3, scale=0.4)
    b, d = start_of(params, visible)
    x, h = exact_means(params, visible)
    on = b if visible == "gaussian" else 1 / (1 + np.exp(-b))
    np.testing.assert_allclose(on, x, atol=0.3 if visible == "gaussian" else 0.1)
    np.testing.assert_allclose(1 / (1 + np.exp(-d)), h, atol=0.1)
    np.testing.assert_array_equal(start_of(params, visible).b, b, "the same each time")
    never = params._replace(b=np.full(6, -200.0, np.float32), W=np.zeros((6, 4), np.float32))
    assert np.isfinite(start_of(never).b).all()


@pytest.mark.parametrize("visible", VISIBLE)
def test_from_the_models_means_the_bracket_is_narrower_than_from_its_offsets(visible):
    """An RBM whose offsets say what its pixels are when all latents are off, which hardly ever happens."""
    W = 0.5 * np.random.default_rng(0).normal(size=(8, 5)) + (1.0 if visible == "bernoulli" else 0.3)
    params = small_model(8, 5)._replace(
        W=W.astype(np.float32), b=-W.sum(1).astype(np.float32), d=np.full(5, 1.5, np.float32)
    )
    rng, betas = np.random.default_rng(1), np.linspace(0, 1, 6)
    X = drawn(params, visible, 4000, rng)
    unnormalised = -rbm.free_energy(params, X, visible)
    widths = []
    for start in (start_of(params, visible), Start(params.b.astype(np.float64), np.zeros(5))):
        above = unnormalised - partition_weights(params, visible, start, betas, 4000, rng)
        below = reverse_weights(params, visible, start, X, betas, rng)
        widths.append((above - below).mean())
    assert 0 < widths[0] < 0.7 * widths[1]


@pytest.mark.parametrize("visible", VISIBLE)
def test_images_are_bracketed(visible):
    params = small_model(6, 4, seed=5, scale=0.5)
    model = RBM.from_params(*params[:3], visible=visible)  # pyright: ignore[reportArgumentType]
    X = drawn(params, visible, 150, np.random.default_rng(2))
    done: list[float] = []
    how: dict[str, Any] = {"n_temperatures": 200, "n_chains": 5, "random_state": 3}
    found = raise_bracket(model, X, progress=done.append, **how)
    truth = log_likelihood(model, X, method="exact")
    assert (found.lower.method, found.lower.bound) == ("raise", "lower")
    assert (found.upper.method, found.upper.bound) == ("ais", "upper")
    assert found.lower.settings == how
    assert found.lower.mean == pytest.approx(truth.mean, abs=0.1)
    assert found.upper.mean == pytest.approx(truth.mean, abs=0.1)
    assert found.width.mean() == pytest.approx(found.upper.mean - found.lower.mean)
    words = str(found)
    assert words.startswith(
        f"{found.lower.mean:.2f} <= log P(x) <= {found.upper.mean:.2f} nats (raise and ais"
    )
    assert "150 images, width" in words
    assert done == sorted(done)
    assert done[-1] == 1.0


@pytest.mark.nojit
def test_offsets_are_log_odds_of_means_with_one_of_each_added():
    states = np.array([[0, 1, 1], [0, 1, 0], [0, 1, 0]], np.uint8)
    np.testing.assert_allclose(partition._offsets(states), np.log([1 / 4, 4 / 1, 2 / 3]))


@pytest.mark.nojit
def test_the_models_means_are_those_of_chains_that_begin_at_fair_coins(monkeypatch):
    begun = []

    def gibbs(params, H, n_sweeps, rng, visible):
        begun.append(H)
        return np.zeros((len(H), 4), np.uint8), H

    monkeypatch.setattr(partition, "gibbs", gibbs)
    found = start_of(small_model(4, 3))
    (H,) = begun
    assert H.shape == (partition.N_CHAINS, 3)
    assert set(np.unique(H)) == {0, 1}
    assert abs(H.mean() - 0.5) < 4 * 0.5 / np.sqrt(H.size)
    np.testing.assert_array_equal(found.d, partition._offsets(H))
    np.testing.assert_allclose(found.b, np.full(4, -np.log(len(H) + 1)))


@pytest.mark.nojit
def test_chains_of_rbms_of_their_own_have_a_normaliser_each_and_both_ways_tell_how_far_they_are():
    params, rng = small_model(4, 3), np.random.default_rng(0)
    d = rng.normal(size=(5, 3))
    path = partition._Path(params, "bernoulli", Start(np.zeros(4), d))
    np.testing.assert_allclose(path.log_z0(), 4 * np.log(2) + np.logaddexp(0, d).sum(axis=1))
    start, betas = Start(np.zeros(4), np.zeros(3)), np.linspace(0.0, 1.0, 5)
    told: list[float] = []
    partition_weights(params, "bernoulli", start, betas, 2, rng, told.append)
    reverse_weights(params, "bernoulli", start, np.ones((2, 4)), betas, rng, told.append)
    assert told == [0.25, 0.5, 0.75, 1.0] * 2


@pytest.mark.nojit
def test_models_that_draw_exactly_have_no_use_for_it():
    with pytest.raises(TypeError, match=r"expected an undirected model, .* got LRBN. Use ais_bracket"):
        raise_bracket(pretrained("lrbn-12-digits"), np.zeros((1, 64)))
    with pytest.raises(ValueError, match="method must be one of 'exact', 'map_bound'"):
        log_likelihood(pretrained("lrbn-12-digits"), np.zeros((1, 64)), method="raise")
