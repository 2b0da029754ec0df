"""One chain of annealed importance sampling: what it weighs, and that its moves are those of p_t."""

from __future__ import annotations

import itertools
from typing import Any

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES
from engine.test_deep import all_states

from lrbn_viz.core.model import LayerParams
from lrbn_viz.lrbn import ais
from lrbn_viz.lrbn.deep.inference import log_joint_deep, sample_latents
from lrbn_viz.lrbn.kernel_params import prepare_params

SIZES = (5, 3, 2, 2)
pytestmark = pytest.mark.nojit


def layers_of(depth: int, seed: int = 0, scale: float = 1.5):
    rng = np.random.default_rng(seed)
    return tuple(
        LayerParams(scale * rng.normal(size=(v, h)), rng.normal(size=v), rng.normal(size=h))
        for v, h in itertools.pairwise(SIZES[: depth + 1])
    )


def image_of(visible: str, n: int = 1):
    rng = np.random.default_rng(1)
    return (rng.integers(0, 2, (n, 5)) if visible == "bernoulli" else rng.normal(size=(n, 5))).astype(float)


@pytest.mark.parametrize("hopeless", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("visible", VISIBLES)
def test_a_weight_is_of_the_likelihoods_that_the_chain_had(monkeypatch, visible, depth, backwards, hopeless):
    layers, X, n_steps = layers_of(depth), image_of(visible, 6), 4
    if hopeless:
        layers[0].b[:3] = [-2000.0, 2000.0, 0.0]
        X[:, :3] = [0.0, 1.0, 1.0]
    betas, seen, moved = ais.schedule(n_steps), [], []
    asked, move = ais._Chains.log_likelihood, ais._Chains.move

    def weigh(self: Any):
        found = asked(self)
        seen.append((found, [state.latent.copy() for state in self.states]))
        return found

    def go_on(self: Any, beta: float, back: bool) -> None:
        moved.append(beta)
        assert back == backwards
        move(self, beta, back)

    monkeypatch.setattr(ais._Chains, "log_likelihood", weigh)
    monkeypatch.setattr(ais._Chains, "move", go_on)
    begun = sample_latents(layers, 6, np.random.default_rng(4))
    weights = ais.log_weights(
        layers=layers, visible=visible, X=X, betas=betas, rng=np.random.default_rng(4),
        posterior=begun if backwards else None,
    )  # fmt: skip
    inner = list(betas[1:-1])
    assert moved == (inner[::-1] if backwards else inner)
    steps = np.diff(betas)[::-1] if backwards else np.diff(betas)
    assert len(seen) == n_steps
    expected = np.zeros(6)
    for number, (step, (found, H)) in enumerate(zip(steps, seen, strict=True)):
        own = [h[:, ::-1] if backwards else h for h in H]
        for first, h in zip(begun, own, strict=True):
            assert number > 0 or (first == h).all(), "begins with what it was given, or with the prior"
        true = [naive.log_likelihood(layers[0], visible, x, h) for x, h in zip(X, own[0], strict=True)]
        np.testing.assert_allclose(found, true, rtol=1e-9, atol=1e-9)
        expected += step * np.array(true)
    np.testing.assert_allclose(weights, expected, rtol=1e-9)
    assert any((H[0] != seen[0][1][0]).any() for _, H in seen), "it moved"


def moves(layers, visible, x, states, beta: float, backwards: bool, n: int = 2500):
    """Return how often a chain at beta goes from one state to another, (n_states, n_states), from p_t."""
    likelihood = [naive.log_likelihood(layers[0], visible, x[0], h) for h in states[0]]
    joint = log_joint_deep(layers, visible, np.tile(x, (len(states[0]), 1)), states)
    target = np.exp(joint - (1.0 - beta) * np.array(likelihood))
    target /= target.sum()
    rng = np.random.default_rng(int(backwards))
    picked = rng.choice(len(target), n, p=target)
    H = [h[picked] for h in states]
    if backwards:
        layers, H = ais._turned_round(layers), [h[:, ::-1] for h in H]
    kernels = [prepare_params(own, "bernoulli" if k else visible) for k, own in enumerate(layers)]
    begun = [np.ascontiguousarray(h) for h in H]
    chains = ais._Chains(layers, visible, kernels, np.repeat(x, n, axis=0), begun, rng)
    chains.log_likelihood()
    chains.move(beta, backwards)
    ended = np.hstack([s.latent[:, ::-1] if backwards else s.latent for s in chains.states])
    place = ended @ (1 << np.arange(ended.shape[1])[::-1])
    counts = np.zeros((len(target), len(target)))
    np.add.at(counts, (picked, place), 1)
    return target, counts


@pytest.mark.parametrize("beta", [0.3, 1.0])
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("visible", VISIBLES)
def test_moves_leave_the_distribution_as_it_is_and_backwards_undo_those_forwards(visible, depth, beta):
    layers, x = layers_of(depth, 3, 1.0), image_of(visible)
    states = all_states(layers)
    target, forwards = moves(layers, visible, x, states, beta, False)
    _, back = moves(layers, visible, x, states, beta, True)
    for counts in (forwards, back):
        expected = target * counts.sum()
        many = expected > 5
        assert many.sum() >= 3, "there is something to compare"
        chi2 = ((counts.sum(axis=0) - expected) ** 2 / expected)[many].sum()
        assert chi2 < many.sum() + 5.0 * np.sqrt(2.0 * many.sum())
        assert np.trace(counts) < 0.9 * counts.sum(), "a move moves"
    both = forwards + back.T
    many = both > 10
    chi2 = ((forwards - back.T)[many] ** 2 / both[many]).sum()
    assert chi2 < many.sum() + 5.0 * np.sqrt(2.0 * many.sum())


def test_the_schedule_is_the_cube_of_equal_steps():
    np.testing.assert_allclose(ais.schedule(4), [0.0, 1 / 64, 1 / 8, 27 / 64, 1.0])
