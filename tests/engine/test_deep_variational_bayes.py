"""Two layers of variational Bayes: bounds, sweeps and gradients against slow sums."""

from __future__ import annotations

import itertools
import math
from typing import Any

import naive
import numpy as np
import pytest
from engine.networks_of_two import TwoNetworks

from lrbn_viz.lrbn.means.moments import LayerMoments
from lrbn_viz.rivals.sbn.beliefs import beliefs_of, first_beliefs
from lrbn_viz.rivals.sbn.particles import as_floats
from lrbn_viz.rivals.sbn.variational_bayes import VariationalBayesSystem

N_V, N_H, N_TOP, N = 4, 3, 2, 50
IMAGES = np.array(list(naive.states(N_V)))
PAIRS = list(itertools.product(list(naive.states(N_H)), list(naive.states(N_TOP))))


def networks(seed: int = 0, n_v: int = N_V, n_h: int = N_H, n_top: int = N_TOP, scale: float = 0.8):
    """Random parameters of all networks, exact in single precision."""
    rng = np.random.default_rng(seed)
    shapes = ((n_v, n_h), (n_v,), (n_h,), (n_v, n_h), (n_h,), (n_h, n_top), (n_top,), (n_h, n_top), (n_top,))
    return TwoNetworks(*(rng.normal(0, scale, s).astype(np.float32).astype(np.float64) for s in shapes))


def unsure(params: TwoNetworks, system: VariationalBayesSystem, seed: int = 0):
    """Return a state with random beliefs about the weights of both layers."""
    rng, found = np.random.default_rng(seed), []
    for weights in (params.W, params.U):
        use = rng.uniform(0.01, 0.2, weights.shape).astype(np.float32)
        shrinkage = rng.uniform(0.5, 3.0, weights.shape).astype(np.float32)
        found.append(first_beliefs(len(weights), weights.shape[1], N)._replace(use=use, shrinkage=shrinkage))
    state = system.resume(params.layers, np.random.default_rng(0))
    return state._replace(posterior=tuple(array for each in found for array in each)), found


def bound_of(params: TwoNetworks, x, q, variances) -> float:
    """Return the bound of both layers at means q, by sums over all states."""
    lower, upper = np.split(np.asarray(q, float), [params.n_h])
    low = params.lower._replace(d=np.zeros(params.n_h))  # its log 2 for each latent is no part of the bound
    of_low = naive.quadratic_bound(low, x, lower, variances[0]) + params.n_h * math.log(2)
    return of_low + naive.quadratic_bound(params.upper, lower, upper, variances[1])


def ends_of(system: VariationalBayesSystem, name: str, n: int, *widths: int) -> list[np.ndarray]:
    """Return what the last inference left in the workspace of each layer."""
    return [
        np.array(work.array(name, n, width))
        for work, width in zip((system.work, system.work.above), widths, strict=True)
    ]


def drawn_means(seed: int, n: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    return tuple(rng.uniform(0.02, 0.98, (n, width)).astype(np.float32) for width in (N_H, N_TOP))


def zeros_like(params: TwoNetworks) -> list[np.ndarray]:
    return [np.zeros(params.W.shape), np.zeros(params.U.shape)]


SYSTEM: Any = {"n_h": (N_H, N_TOP)}


@pytest.mark.nojit
@pytest.mark.parametrize("scale", [0.3, 2.0, 8.0])
@pytest.mark.parametrize("learning", [False, True])
@pytest.mark.parametrize("n_sweeps", [0, 2])
def test_the_bound_is_the_sum_over_all_states_and_below_log_p(scale, learning, n_sweeps):
    for seed in range(3):
        params, system = networks(seed, scale=scale), VariationalBayesSystem(**SYSTEM)
        state, beliefs = unsure(params, system, seed)
        field = system.infer(
            state, as_floats(IMAGES[:6], system.work), drawn_means(seed, 6), n_sweeps, learning
        )
        variances = [each.variance for each in beliefs] if learning else zeros_like(params)
        both = np.hstack([each.Q for each in field.layers])
        for x, q, bound in zip(IMAGES, both, field.bounds, strict=False):
            assert bound == pytest.approx(bound_of(params, x, q, variances), rel=5e-6, abs=5e-5)
            if not learning:
                joints = [naive.log_joint_of_two(params, x, h, g) for h, g in PAIRS]
                assert bound <= np.logaddexp.reduce(joints) + 1e-4


@pytest.mark.parametrize("learning", [False, True])
def test_no_sweep_lowers_the_bound(learning):
    for seed in range(4):
        system = VariationalBayesSystem(**SYSTEM)
        state, _ = unsure(networks(seed, scale=2.0), system, seed)
        images = as_floats(IMAGES, system.work)
        bounds = [
            system.infer(state, images, drawn_means(seed, len(IMAGES)), n, learning).bounds.copy()
            for n in range(6)
        ]
        assert (np.diff(bounds, axis=0) > -3e-5).all()


def test_long_sweeps_end_where_those_of_one_image_end():
    params = networks(2, scale=0.5)
    system = VariationalBayesSystem(**SYSTEM)
    state = system.resume(params.layers, np.random.default_rng(0))
    begun = drawn_means(1, len(IMAGES))
    starts = np.hstack(begun).astype(float)
    field = system.infer(state, as_floats(IMAGES, system.work), begun, 100)
    for x, q, end in zip(IMAGES, starts, np.hstack([each.Q for each in field.layers]), strict=True):
        moments = LayerMoments([each.generative for each in params.layers], x, q)
        for _ in range(100):
            for j in range(N_H + N_TOP):
                moments.move(j, float(naive.sigmoid(moments.log_odds(j))))
            moments.refresh()
        np.testing.assert_allclose(end, moments.q, atol=1e-4)


def test_the_gradients_are_the_slopes_of_the_bound_with_the_prior():
    system = VariationalBayesSystem(**SYSTEM)
    params, X = networks(5, scale=1.2), IMAGES[[3, 7, 12]]
    state, beliefs = unsure(params, system)
    learned = system.learn(state, as_floats(X, system.work), np.random.default_rng(0))
    found = dict(zip(params._fields, learned.gradients, strict=True))
    means = np.hstack(ends_of(system, "Q", 3, N_H, N_TOP))
    variances = [each.variance.astype(float) for each in beliefs]

    def objective(moved: TwoNetworks) -> float:
        each = [bound_of(moved, x, q, variances) for x, q in zip(X, means, strict=True)]
        prior = (beliefs[0].shrinkage * moved.W**2).sum() + (beliefs[1].shrinkage * moved.U**2).sum()
        offsets = naive.log_prior_of_offsets(moved.b) + naive.log_prior_of_offsets(moved.d)
        return math.fsum(each) / len(X) + (offsets - 0.5 * float(prior)) / N

    for name in ("W", "b", "d", "U", "e"):
        for index in np.ndindex(found[name].shape):
            sides = []
            for sign in (1, -1):
                array = getattr(params, name).copy()
                array[index] += sign * 1e-5
                sides.append(objective(params._replace(**{name: array})))
            assert found[name][index] == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=5e-5)


def test_the_network_learns_to_guess_where_sweeps_end():
    system = VariationalBayesSystem(**SYSTEM)
    params = networks(3)
    state, _ = unsure(params, system)
    learned = system.learn(state, as_floats(IMAGES, system.work), np.random.default_rng(0))
    found = dict(zip(params._fields, learned.gradients, strict=True))
    ends = [each.astype(float) for each in ends_of(system, "Q", len(IMAGES), N_H, N_TOP)]
    lower = 1.0 / (1.0 + np.exp(-(IMAGES @ params.V + params.c)))

    def score(below, V, c, end) -> float:  # E_q log r of one layer, its mean over images
        odds = below @ V + c
        return float((end * odds - np.logaddexp(0.0, odds)).sum() / len(IMAGES))

    for below, (V, c), end in ((IMAGES, "Vc", ends[0]), (lower, ("V2", "c2"), ends[1])):
        for name in (V, c):
            for index in np.ndindex(found[name].shape):
                sides = []
                for sign in (1, -1):
                    moved = {key: getattr(params, key).copy() for key in (V, c)}
                    moved[name][index] += sign * 1e-5
                    sides.append(score(below, moved[V], moved[c], end))
                assert found[name][index] == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=2e-5)


def test_each_layer_has_beliefs_of_its_own():
    system = VariationalBayesSystem(**SYSTEM, forgetting=1.0, sparse=False)
    state = system.init(IMAGES, np.random.default_rng(0))
    assert [each.use.shape for each in beliefs_of(state)] == [(N_V, N_H), (N_H, N_TOP)]
    after, figures = system.step(state, IMAGES, np.random.default_rng(0))
    lower, upper = ends_of(system, "Q", len(IMAGES), N_H, N_TOP)
    gammas = ends_of(system, "gamma", len(IMAGES), N_V, N_H)
    for beliefs, gamma, Q in zip(beliefs_of(after), gammas, (lower, upper), strict=True):
        np.testing.assert_allclose(beliefs.use, gamma.T @ Q / len(IMAGES), rtol=1e-5)
    assert figures["upper_activity"] == pytest.approx(float(upper.mean()))
