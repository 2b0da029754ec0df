"""Samples, chains, walks and nearest neighbours against enumeration and brute force."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from lrbn_viz import DBM, DBN, LRBN, RBM
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.measure.interpolation import best_log_joint, interpolate
from lrbn_viz.measure.nearest import NearestImages
from lrbn_viz.measure.passes import ancestral_passes, gibbs_passes, noise_image

rng = np.random.default_rng(4)
N_V, N_H = 4, 3
W, B, D = rng.normal(0, 1.2, (N_V, N_H)), rng.normal(0, 0.5, N_V), rng.normal(0, 0.7, N_H)
H_ALL = np.array(list(product([0, 1], repeat=N_H)), np.uint8)
X_ALL = np.array(list(product([0, 1], repeat=N_V)), np.uint8)
N = 6_000
CLAMPS: list[dict[int, int]] = [{}, {0: 1}, {0: 0, 2: 1}, {0: 1, 1: 1, 2: 0}]


def model(kind: type, visible: str = "bernoulli") -> Any:
    return kind.from_params(W, B, D, visible=visible)


def exact(kind: type, clamp: dict[int, int]) -> np.ndarray:
    """P(x, h | held units) of every pair, (16, 8), by enumeration."""
    joint = np.array([[model(kind).log_joint(x[None], h[None])[0] for h in H_ALL] for x in X_ALL])
    for unit, state in clamp.items():
        joint[:, H_ALL[:, unit] != state] = -np.inf
    p = np.exp(joint - joint.max())
    return p / p.sum()


def frequencies(X: np.ndarray, H: np.ndarray) -> np.ndarray:
    x, h = X @ (1 << np.arange(N_V)[::-1]), H @ (1 << np.arange(N_H)[::-1])
    return np.bincount(x * 8 + h, minlength=128).reshape(16, 8) / len(X)


@pytest.mark.parametrize("clamp", CLAMPS)
def test_ancestral_passes_are_draws_from_the_joint_given_what_is_held(clamp):
    passes = ancestral_passes(model(LRBN), N, clamp=clamp, seed=1)
    p = exact(LRBN, clamp)
    error = frequencies(passes.X, passes.H) - p
    assert (np.abs(error) <= 4.5 * np.sqrt(p * (1 - p) / N) + 1e-12).all()
    for unit, state in clamp.items():
        assert (passes.H[:, unit] == state).all()
    # independent from pass to pass
    lag = [np.corrcoef(passes.X[1:, i], passes.X[:-1, i])[0, 1] for i in range(N_V)]
    assert np.abs(lag).max() < 4.5 / np.sqrt(N)


def deep(visible: Any = "bernoulli") -> Any:
    """Two layers: three units that two others generate."""
    draw = np.random.default_rng(5).normal
    upper = draw(0, 1.5, (N_H, 2)), draw(0, 0.5, N_H), draw(0, 0.7, 2)
    return LRBN.from_layers([(W, B, D), upper], visible=visible)


@pytest.mark.parametrize("clamp", [{}, {3: 1}, {3: 0, 4: 1}])
def test_passes_of_two_layers_are_draws_from_the_joint_given_what_is_held_on_top(clamp):
    model = deep()
    passes = ancestral_passes(model, N, clamp=clamp, seed=1)
    H = np.array(list(product([0, 1], repeat=5)), np.uint8)
    joint = np.array([model.log_joint(np.tile(x, (32, 1)), H) for x in X_ALL])
    for unit, state in clamp.items():
        joint[:, H[:, unit] != state] = -np.inf
    p = np.exp(joint - joint.max())
    p /= p.sum()
    x, h = passes.X @ (1 << np.arange(N_V)[::-1]), passes.H @ (1 << np.arange(5)[::-1])
    error = np.bincount(x * 32 + h, minlength=512).reshape(16, 32) / N - p
    assert (np.abs(error) <= 5 * np.sqrt(p * (1 - p) / N) + 2 / N).all()
    for unit, state in clamp.items():
        assert (passes.H[:, unit] == state).all()


def test_a_unit_held_below_the_top_is_set_by_hand_and_leaves_what_is_above_as_it_was():
    free, held = (ancestral_passes(deep(), 50, clamp=clamp, seed=2) for clamp in ({}, {1: 1}))
    np.testing.assert_array_equal(np.delete(free.H, 1, axis=1), np.delete(held.H, 1, axis=1))
    assert (held.H[:, 1] == 1).all()
    assert not np.array_equal(free.X, held.X)


@pytest.mark.parametrize("clamp", CLAMPS)
def test_the_gibbs_chains_limit_is_the_joint_given_what_is_held(clamp):
    passes = gibbs_passes(model(RBM), N, np.ones(N_V), clamp=clamp, seed=1)
    X, H = passes.X[100:], passes.H[100:]
    p = exact(RBM, clamp)
    # x is drawn given h, so that the pairs of one pass follow the joint; states of a chain count for fewer
    assert 0.5 * np.abs(frequencies(X, H) - p).sum() < 0.06
    shifted = exact(RBM, {}) if clamp else np.full((16, 8), 1 / 128)
    assert 0.5 * np.abs(shifted - p).sum() > 0.15, "a joint that close to another proves nothing"


def of_two(kind: type) -> Any:
    """A DBN or a DBM of three lower and two upper latents."""
    draw = np.random.default_rng(6).normal
    more: dict[str, Any] = {"V": draw(0, 1, (N_V, N_H)), "c": draw(0, 1, N_H)} if kind is DBN else {}
    return kind.from_params(W, B, D, **more, U=draw(0, 1.5, (N_H, 2)), e=draw(0, 0.7, 2))


@pytest.mark.slow
@pytest.mark.parametrize("clamp", CLAMPS[:3])
@pytest.mark.parametrize("kind", [DBN, DBM])
def test_the_limit_of_a_chain_of_two_layers_is_the_models_joint_given_what_is_held(kind, clamp):
    made = of_two(kind)
    passes = gibbs_passes(made, N, np.ones(N_V), clamp=clamp, seed=1)
    joint = np.full((16, 8), -np.inf)  # of x and the lower latents, the upper ones summed out
    for (i, x), (j, h) in product(enumerate(X_ALL), enumerate(H_ALL)):
        if all(h[unit] == state for unit, state in clamp.items()):
            tops = [()] if kind is DBN else product((0, 1), repeat=2)
            rows = [made.log_joint(x[None], np.array([[*h, *g]], np.uint8))[0] for g in tops]
            joint[i, j] = np.logaddexp.reduce(rows)
    p = np.exp(joint - joint.max())
    p /= p.sum()
    found = frequencies(passes.X[100:], passes.H[100:, :N_H])
    assert 0.5 * np.abs(found - p).sum() < 0.06
    assert 0.5 * np.abs(np.roll(p, 1, axis=1) - p).sum() > 0.15, (
        "a joint that close to another proves nothing"
    )


@pytest.mark.parametrize("kind", [DBN, DBM])
def test_each_unit_of_two_layers_is_drawn_with_the_models_own_conditional(kind):
    made = of_two(kind)
    x0 = np.array([1, 0, 0, 1])
    passes, before = gibbs_passes(made, 20, x0, clamp={1: 1}, seed=3), made.pass_start(x0)[:N_H]
    top = made.top_layer if kind is DBN else made.layers[1]
    for t in range(20):
        h, g, x = passes.H[t, :N_H], passes.H[t, N_H:], passes.X[t - 1] if t else x0
        upper = sigmoid(before @ top.W + top.d)
        if kind is DBM:
            lower = sigmoid(made.conditional_log_odds(x[None], (h[None], g[None]))[0][0])
            np.testing.assert_allclose(
                upper, sigmoid(made.conditional_log_odds(x[None], (before[None], g[None]))[1][0])
            )
        else:  # given the upper latents the lower ones are independent of each other, and no image counts
            lower = sigmoid(top.W @ g + top.b)
        np.testing.assert_allclose(passes.probabilities[t], np.hstack([lower, upper]))
        drawn = passes.uniforms[t] < passes.probabilities[t]
        drawn[1] = True
        np.testing.assert_array_equal(passes.H[t], drawn)
        before = h


@pytest.mark.parametrize("kind", [DBN, DBM])
def test_a_walk_of_two_layers_takes_the_best_flip_left_at_each_step(kind):
    made = of_two(kind)
    n = made.n_latents_
    start, end = np.zeros(n, np.uint8), np.ones(n, np.uint8)
    walk = interpolate(made, start, end)
    best = np.array([max(made.log_joint(x[None], h[None])[0] for x in X_ALL) for h in walk.H])
    np.testing.assert_allclose(walk.log_joint, best, atol=1e-9)
    h, left = start.copy(), set(range(n))
    for unit in walk.unit:
        reached = {}
        for j in left:
            h[j] = 1
            reached[j] = best_log_joint(made, h[None])[0]
            h[j] = 0
        assert reached[unit] == pytest.approx(max(reached.values()), abs=1e-4)
        h[unit] = 1
        left.remove(unit)


def test_a_chain_depends_on_its_start_and_each_pass_on_the_one_before():
    rbm = RBM.from_params(8 * np.eye(4), np.full(4, -4.0), np.full(4, -4.0))
    passes = gibbs_passes(rbm, 5, [1, 0, 1, 0], seed=0)
    assert passes.x0 is not None
    np.testing.assert_array_equal(passes.x0, [1, 0, 1, 0])
    x = passes.x0
    for t in range(5):
        p = sigmoid(x @ np.asarray(rbm.layers[0].W) + rbm.layers[0].d)
        np.testing.assert_array_equal(passes.H[t], passes.uniforms[t] < p)
        x = passes.X[t]


def test_the_first_passes_of_a_longer_draw_are_the_same():
    for short, long in (
        (ancestral_passes(model(LRBN), 3, seed=5), ancestral_passes(model(LRBN), 9, seed=5)),
        (gibbs_passes(model(RBM), 3, X_ALL[5], seed=5), gibbs_passes(model(RBM), 9, X_ALL[5], seed=5)),
    ):
        np.testing.assert_array_equal(short.H, long.H[:3])
        np.testing.assert_array_equal(short.X, long.X[:3])
    other = ancestral_passes(model(LRBN), 9, seed=6)
    assert not np.array_equal(other.uniforms, long.uniforms)


def test_holding_a_unit_changes_no_other_unit_of_an_ancestral_sample():
    free, held = (ancestral_passes(model(LRBN), 50, clamp=clamp, seed=2) for clamp in ({}, {1: 1}))
    np.testing.assert_array_equal(free.H[:, [0, 2]], held.H[:, [0, 2]])
    np.testing.assert_array_equal(free.uniforms, held.uniforms)


def test_gaussian_units_are_drawn_around_their_mean():
    lrbn = ancestral_passes(model(LRBN, "gaussian"), N, seed=3)
    residual = lrbn.X - (lrbn.H @ W.T + B)
    assert np.abs(residual.mean(axis=0)).max() < 4.5 / np.sqrt(N)
    assert np.abs(residual.var(axis=0) - 1).max() < 4.5 * np.sqrt(2 / N)
    rbm = gibbs_passes(model(RBM, "gaussian"), 50, np.zeros(N_V), seed=3)
    assert rbm.X.dtype == np.float64


OTHER_ORDER: Any = "random"  # none that `interpolate` knows, and no type checker lets it pass


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ancestral_passes(model(LRBN), 0), "n must be at least 1"),
        (lambda: ancestral_passes(model(LRBN), 2, seed=-1), "seed must be at least 0"),
        (lambda: ancestral_passes(model(LRBN), 2, clamp={3: 1}), "0 to 2"),
        (lambda: gibbs_passes(model(RBM), 2, np.zeros(3)), "n_v = 4"),
        (lambda: gibbs_passes(model(RBM), 2, np.full(4, 0.5)), "0 and 1"),
        (lambda: interpolate(model(LRBN), [0, 1], [0, 1, 1]), r"expected \(3,\)"),
        (lambda: interpolate(model(LRBN), [0, 1, 2], [0, 1, 1]), "other than 0 and 1"),
        (lambda: interpolate(model(LRBN), [0, 1, 0], [0, 1, 1], OTHER_ORDER), "'best', 'number', 'straight'"),
        (lambda: NearestImages(np.zeros(4)), r"\(4,\); expected"),
        (lambda: NearestImages(np.full((2, 3), 2)), "other than 0 and 1"),
        (lambda: NearestImages(np.zeros((2, 3), int)).nearest(np.zeros((1, 4))), r"expected \(m, 3\)"),
    ],
)
def test_bad_input_is_refused_in_words(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_noise_is_of_fair_coins_and_the_same_for_the_same_seed():
    np.testing.assert_array_equal(noise_image(900, 3), noise_image(900, 3))
    assert abs(noise_image(90_000, 3).mean() - 0.5) < 0.01


# -- walks


@pytest.mark.parametrize("kind", [LRBN, RBM, "several layers"])
@pytest.mark.parametrize("visible", ["bernoulli", "gaussian"])
def test_the_best_log_joint_is_that_of_the_best_image(kind, visible):
    m = deep(visible) if kind == "several layers" else model(kind, visible)
    H = np.array(list(product([0, 1], repeat=m.n_latents_)), np.uint8)
    found = best_log_joint(m, H)
    for h, value in zip(H, found, strict=True):
        if visible == "bernoulli":
            best = max(m.log_joint(x[None], h[None])[0] for x in X_ALL)
        else:
            mean = m.inverse_transform(h[None])
            best = m.log_joint(mean, h[None])[0]
            assert (m.log_joint(mean + rng.normal(0, 0.1, (50, N_V)), np.tile(h, (50, 1))) < best).all()
        assert value == pytest.approx(best)


@pytest.mark.parametrize("kind", [LRBN, RBM, "several layers"])
@pytest.mark.parametrize("way", ["best", "number"])
def test_a_walk_flips_each_unit_that_differs_once(kind, way):
    if kind == "several layers":
        sizes = [20, 6, 4, 2]
        m: Any = LRBN.from_layers(
            [(rng.normal(0, 1, (v, h)), rng.normal(0, 1, v), rng.normal(0, 1, h)) for v, h in pairwise(sizes)]
        )
    else:
        m = kind.from_params(rng.normal(0, 1, (20, 12)), rng.normal(0, 1, 20), rng.normal(0, 1, 12))
    h0, h1 = rng.integers(0, 2, (2, 12)).astype(np.uint8)
    walk = interpolate(m, h0, h1, way)
    np.testing.assert_array_equal(walk.H[0], h0)
    np.testing.assert_array_equal(walk.H[-1], h1)
    assert sorted(walk.unit) == np.flatnonzero(h0 != h1).tolist()
    for step, unit in enumerate(walk.unit):
        assert np.flatnonzero(walk.H[step] != walk.H[step + 1]).tolist() == [unit]
    np.testing.assert_allclose(walk.mean, m.inverse_transform(walk.H))
    np.testing.assert_allclose(walk.log_joint, best_log_joint(m, walk.H))
    if way == "number":
        assert walk.unit.tolist() == sorted(walk.unit)
    else:
        for step in range(len(walk.unit)):
            left = walk.unit[step:]
            reached = []
            for unit in left:
                h = walk.H[step].copy()
                h[unit] ^= 1
                reached.append(best_log_joint(m, h[None])[0])
            assert reached[0] >= max(reached) - 1e-3


def test_a_straight_walk_has_a_log_joint_at_its_ends_only():
    m = model(LRBN)
    walk = interpolate(m, [0, 0, 1], [1, 0, 0], "straight", n_steps=4)
    np.testing.assert_allclose(walk.H[2], [0.5, 0, 0.5])
    assert (walk.unit == -1).all()
    np.testing.assert_allclose(walk.log_joint[[0, -1]], best_log_joint(m, walk.H[[0, -1]].astype(np.uint8)))
    assert np.isnan(walk.log_joint[1:-1]).all()


def test_a_walk_between_equal_codes_has_no_step():
    walk = interpolate(model(LRBN), [0, 1, 1], [0, 1, 1])
    assert len(walk.unit) == 0
    assert walk.mean.shape == (1, N_V)


# -- nearest neighbours


@pytest.mark.parametrize("n_v", [1, 63, 64, 65, 784])
def test_the_nearest_image_is_the_one_that_brute_force_finds(n_v):
    X = rng.integers(0, 2, (300, n_v), dtype=np.uint8)
    queries = np.concatenate([rng.integers(0, 2, (20, n_v), dtype=np.uint8), X[[7, 250]]])
    found = NearestImages(X).nearest(queries)
    differ = (X[None] != queries[:, None]).sum(axis=2)
    np.testing.assert_array_equal(found.row, differ.argmin(axis=1))
    np.testing.assert_array_equal(found.distance, differ.min(axis=1))
    assert found.distance[-1] == 0


def test_real_valued_images_are_compared_by_euclidean_distance():
    X = rng.normal(size=(300, 50))
    queries = np.concatenate([rng.normal(size=(20, 50)), X[[9]]])
    found = NearestImages(X).nearest(queries)
    distance = np.sqrt(np.square(X[None] - queries[:, None]).sum(axis=2))
    np.testing.assert_array_equal(found.row, distance.argmin(axis=1))
    np.testing.assert_allclose(found.distance, distance.min(axis=1), atol=1e-5)
