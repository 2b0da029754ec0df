"""How much latents depend on each other, given an image: as enumeration has it, and 0 where it must be."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import lrbn_viz
from lrbn_viz.core.model import NotOffered
from lrbn_viz.measure import posterior_dependence

N_V, N_H = 7, 4


@pytest.fixture(scope="module")
def model() -> lrbn_viz.LRBN:
    rng = np.random.default_rng(3)
    return lrbn_viz.LRBN.from_params(
        2 * rng.normal(size=(N_V, N_H)), rng.normal(size=N_V), rng.normal(size=N_H)
    )


@pytest.fixture(scope="module")
def X() -> np.ndarray:
    return (np.random.default_rng(4).random((3, N_V)) < 0.5).astype(np.uint8)


def entropy(probabilities: list[float]) -> float:
    return -sum(p * np.log(p) for p in probabilities if p > 0)


def plainly(model, x) -> float:
    """The mean over j of I(h_j ; h_-j | x), from the table of all states."""
    H = list(product((0, 1), repeat=N_H))
    joint = np.exp([model.log_joint(x[None], np.array([h], np.uint8))[0] for h in H])
    P = dict(zip(H, joint / joint.sum(), strict=True))
    whole, found = entropy(list(P.values())), []
    for j in range(N_H):
        on = sum(p for h, p in P.items() if h[j])
        others: dict[tuple[int, ...], float] = {}
        for h, p in P.items():
            rest = h[:j] + h[j + 1 :]
            others[rest] = others.get(rest, 0.0) + p
        found.append(entropy([on, 1 - on]) + entropy(list(others.values())) - whole)
    return float(np.mean(found))


def test_of_a_small_model_it_is_the_mutual_information_that_enumeration_gives(model, X):
    found = posterior_dependence(model, X)
    assert found.exact
    np.testing.assert_allclose(found.information, [plainly(model, x) for x in X], atol=1e-12)
    assert found.information.min() > 1e-3, "latents of an LRBN compete"
    assert (found.information <= found.entropy).all()
    assert 0 < found.share < 1
    assert found.mean == pytest.approx(found.information.mean())
    assert found.standard_error == pytest.approx(found.information.std(ddof=1) / np.sqrt(3))


def test_gibbs_samples_tell_nearly_the_same(model, X, monkeypatch):
    exact = posterior_dependence(model, X)
    monkeypatch.setattr("lrbn_viz.measure.dependence.MAX_EXACT_POSTERIOR", N_H - 1)
    sampled = posterior_dependence(model, X, n_sweeps=4000, random_state=1)
    assert not sampled.exact
    assert sampled.settings == {"n_sweeps": 4000, "n_burn_in": 50}
    np.testing.assert_allclose(sampled.information, exact.information, rtol=0.1, atol=0.004)
    np.testing.assert_allclose(sampled.entropy, exact.entropy, rtol=0.1, atol=0.02)
    again = posterior_dependence(model, X, n_sweeps=4000, random_state=1)
    np.testing.assert_array_equal(again.information, sampled.information)


@pytest.mark.slow
def test_several_layers_are_measured_together(monkeypatch):
    rng = np.random.default_rng(5)
    sizes = ((N_V, 3), (3, 2))
    layers = [
        lrbn_viz.core.model.LayerParams(
            2 * rng.normal(size=size), rng.normal(size=size[0]), rng.normal(size=size[1])
        )
        for size in sizes
    ]
    model = lrbn_viz.LRBN.from_layers(layers)
    x = np.ones((1, N_V), np.uint8)
    exact = posterior_dependence(model, x)
    monkeypatch.setattr("lrbn_viz.measure.dependence.MAX_EXACT_POSTERIOR", 1)
    sampled = posterior_dependence(model, x, n_sweeps=4000)
    assert (exact.exact, sampled.exact) == (True, False)
    assert sampled.mean == pytest.approx(exact.mean, rel=0.15, abs=0.005)


def of_two_layers(kind):
    """A DBN or a DBM whose upper latents are balanced, so that lower ones hear of each other by them."""
    rng = np.random.default_rng(8)
    W, U = 0.7 * rng.normal(size=(N_V, N_H)), 1.5 * rng.normal(size=(N_H, 3))
    more: Any = {"V": W, "c": np.zeros(N_H)} if kind is lrbn_viz.DBN else {}
    balance = -0.5 * W.sum(axis=0) - 0.5 * U.sum(axis=1)
    return kind.from_params(W, np.zeros(N_V), balance, **more, U=U, e=-0.5 * U.sum(axis=0))


@pytest.mark.parametrize("kind", [lrbn_viz.DBN, lrbn_viz.DBM])
def test_of_undirected_upper_layers_chains_tell_nearly_what_enumeration_does(kind, X, monkeypatch):
    deep = of_two_layers(kind)
    exact = posterior_dependence(deep, X)
    assert exact.exact
    assert exact.information.min() > 0.02, "latents depend on each other"
    if kind is lrbn_viz.DBN:  # of its own latents, the upper ones summed out
        np.testing.assert_allclose(exact.information, [plainly(deep, x) for x in X], atol=1e-12)
    monkeypatch.setattr("lrbn_viz.measure.dependence.MAX_EXACT_POSTERIOR", 1)
    sampled = posterior_dependence(deep, X, n_sweeps=4000, random_state=1)
    assert not sampled.exact
    assert sampled.settings == {"n_sweeps": 4000, "n_burn_in": 50}
    np.testing.assert_allclose(sampled.information, exact.information, rtol=0.1, atol=0.005)
    np.testing.assert_allclose(sampled.entropy, exact.entropy, rtol=0.1, atol=0.02)


@pytest.mark.parametrize("kind", [lrbn_viz.DBN, lrbn_viz.DBM])
def test_a_chain_draws_each_latent_with_its_conditional(kind, X):
    deep = of_two_layers(kind)
    odds = deep.posterior_log_odds(X.astype(float), 3000, np.random.default_rng(2))[50:]
    for row, x in enumerate(X):
        found = deep.exact_posterior(x.astype(float)).marginals
        np.testing.assert_allclose((1 / (1 + np.exp(-odds[:, row]))).mean(axis=0), found, atol=0.05)


def test_of_independent_latents_it_is_exactly_0(model, X):
    rbm = lrbn_viz.factorised(model)
    found = posterior_dependence(rbm, X)
    assert found.exact
    assert not found.information.any()
    assert found.share == 0.0
    p = rbm.posterior(X)
    np.testing.assert_allclose(found.entropy, (-p * np.log(p) - (1 - p) * np.log1p(-p)).mean(axis=1))


def test_unconnected_latents_of_an_lrbn_have_none_either(X):
    loose = lrbn_viz.LRBN.from_params(np.zeros((N_V, N_H)), np.zeros(N_V), np.linspace(-2, 2, N_H))
    assert posterior_dependence(loose, X).mean == pytest.approx(0.0, abs=1e-12)


def test_what_cannot_be_measured_is_refused_in_words(model, X, monkeypatch):
    with pytest.raises(ValueError, match="n_sweeps"):
        posterior_dependence(model, X, n_sweeps=0)
    with pytest.raises(ValueError, match="n_burn_in"):
        posterior_dependence(model, X, n_burn_in=-1)
    monkeypatch.setattr("lrbn_viz.measure.dependence.MAX_EXACT_POSTERIOR", N_H - 1)
    monkeypatch.setattr(type(model), "trace_methods", {})
    with pytest.raises(NotOffered, match="no Gibbs sampling"):
        posterior_dependence(model, X)
