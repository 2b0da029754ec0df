"""The kernels of mean field of one image against plain NumPy: bounds, log-odds, visits and records."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import naive
import numpy as np
import pytest
from engine.cases import random_case
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from lrbn_viz.core.model import LayerParams
from lrbn_viz.lrbn.means.moments import (
    ExactMoments,
    GaussianMoments,
    LayerMoments,
    Moments,
    TiltedMoments,
)
from lrbn_viz.lrbn.means.trace import guess_trace, passed_up
from lrbn_viz.lrbn.means.visits import CONVERGED, DONE, MEAN_CHANGE, TILT, K, MeansRecord, update_means
from lrbn_viz.rivals.dbm.model import LayerMeans
from lrbn_viz.rivals.dbn.model import DBNParams, TopMoments
from lrbn_viz.rivals.sbn.model import LayerNetworks, fill_thresholds

pytestmark = pytest.mark.nojit

N_V, N_H, N_TOP = 9, 4, 3


def softplus(a: np.ndarray) -> np.ndarray:
    return np.logaddexp(0.0, a)


def entropy(q: np.ndarray) -> float:
    both = np.concatenate([q, 1.0 - q])
    return -float(np.sum(both * np.log(both, where=both > 0, out=np.zeros_like(both))))


def activations(layer: LayerParams, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of each activation below a layer."""
    return layer.W @ q + layer.b, layer.W**2 @ (q * (1.0 - q))


def quadratic(layer: LayerParams, x: np.ndarray, q: np.ndarray) -> float:
    """Return the bound on ``E log P(x | h)`` of Jaakkola and Jordan."""
    mean, variance = activations(layer, q)
    xi = np.sqrt(mean**2 + variance)
    return float(np.sum((x - 0.5) * mean + 0.5 * xi - softplus(xi)))


def gaussian(layer: LayerParams, x: np.ndarray, q: np.ndarray) -> float:
    mean, variance = activations(layer, q)
    return -0.5 * float(np.sum((x - mean) ** 2 + variance + np.log(2.0 * np.pi)))


def tilted(layer: LayerParams, x: np.ndarray, q: np.ndarray, tilts: np.ndarray) -> float:
    mean, _ = activations(layer, q)
    low = np.prod(1.0 - q + q * np.exp(-tilts[:, None] * layer.W), axis=1) * np.exp(-tilts * layer.b)
    high = np.prod(1.0 - q + q * np.exp((1 - tilts)[:, None] * layer.W), axis=1)
    high *= np.exp((1.0 - tilts) * layer.b)
    return float(np.sum((x - tilts) * mean - np.log(low + high)))


def prior(layer: LayerParams, q: np.ndarray) -> float:
    return float(q @ layer.d - softplus(layer.d).sum()) + entropy(q)


class Made(NamedTuple):
    """Means, and the bound that they should have."""

    moments: LayerMoments
    bound: Callable[[np.ndarray], float]


def made(kind: str, seed: int, scale: float = 1.0) -> Made:
    rng = np.random.default_rng(seed)
    low = LayerParams(rng.normal(0, scale, (N_V, N_H)), rng.normal(0, scale, N_V), rng.normal(0, scale, N_H))
    high = LayerParams(rng.normal(0, scale, (N_H, N_TOP)), low.d, rng.normal(0, scale, N_TOP))
    above = LayerParams(rng.normal(0, scale, (N_TOP, 2)), rng.normal(0, scale, N_TOP), rng.normal(0, 1, 2))
    x = rng.normal(0, 1, N_V) if kind == "gaussian" else rng.integers(0, 2, N_V).astype(float)
    q, both = rng.random(N_H), rng.random(N_H + N_TOP)
    every = [low, high, above]
    if kind == "gaussian":
        return Made(GaussianMoments(low, x, q), lambda q: gaussian(low, x, q) + prior(low, q))
    if kind == "tilted":
        found = TiltedMoments(low, x, q)
        tilts = found.kernel_arguments[1].tilts[TILT]
        return Made(found, lambda q: tilted(low, x, q, tilts) + prior(low, q))
    if kind == "exact":
        states = (np.arange(2**N_H)[:, None] >> np.arange(N_H)) & 1
        log_joints = rng.normal(0, 3, 2**N_H)

        def expected(q: np.ndarray) -> float:
            return float(np.prod(np.where(states, q, 1.0 - q), axis=1) @ log_joints) + entropy(q)

        return Made(ExactMoments(low, x, q, log_joints), expected)
    if kind == "three layers":

        def of_layers(q: np.ndarray) -> float:
            parts = np.split(q, [N_H, N_H + N_TOP])
            pairs = zip(every, [x, *parts[:-1]], parts, strict=True)
            lower = entropy(parts[0]) + entropy(parts[1]) + prior(above, parts[2])
            return sum(quadratic(*each) for each in pairs) + lower

        return Made(LayerMoments(every, x, rng.random(N_H + N_TOP + 2)), of_layers)
    if kind == "RBM above":
        params = DBNParams(LayerNetworks(*low, low.W, low.d), high)

        def of_top(q: np.ndarray) -> float:
            return (
                quadratic(low, x, q) + float(q @ low.d + softplus(high.W.T @ q + high.d).sum()) + entropy(q)
            )

        return Made(TopMoments(params, x, q), of_top)
    if kind == "undirected":

        def undirected(q: np.ndarray) -> float:
            h, g = np.split(q, [N_H])
            linked = x @ low.W @ h + h @ high.W @ g + x @ low.b + h @ low.d + g @ high.d
            return float(linked) + entropy(q)

        return Made(LayerMeans((low, high), x, both), undirected)
    x[1::3] = np.nan if kind == "unknown" else x[1::3]
    seen = ~np.isnan(x)
    known = low._replace(W=low.W[seen], b=low.b[seen])
    return Made(Moments(low, x, q), lambda q: quadratic(known, x[seen], q) + prior(low, q))


KINDS = (
    "quadratic", "unknown", "gaussian", "tilted", "exact", "three layers", "RBM above", "undirected"
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), scale=st.sampled_from([0.1, 1.0, 3.0]))
def test_bounds_are_numpys_and_log_odds_are_their_slopes_after_any_moves(kind, seed, scale):
    (moments, bound), rng = made(kind, seed, scale), np.random.default_rng(seed)
    n = len(moments.q)
    for j in [*rng.integers(0, n, 3), *range(n)]:
        moments.move(j, rng.uniform(0.05, 0.95))
        assert moments.bound() == pytest.approx(bound(moments.q), rel=1e-11, abs=1e-9)
        sides = []
        for by in (1e-5, -1e-5):
            q = moments.q.copy()
            q[j] += by
            sides.append(bound(q))
        slope = (sides[0] - sides[1]) / 2e-5 + logit(moments.q[j])
        assert moments.log_odds(j) == pytest.approx(slope, rel=1e-6, abs=1e-5)
    if kind != "tilted":  # whose tilts it may change
        moments.refresh()
        assert moments.bound() == pytest.approx(bound(moments.q), rel=1e-11, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_means_of_0_and_1_are_taken_and_moved_away_from(kind):
    moments, bound = made(kind, 3)
    for mean in (0.0, 1.0, 0.0, 0.4):
        for j in range(len(moments.q)):
            moments.move(j, mean)
        assert moments.bound() == pytest.approx(bound(moments.q), abs=1e-9)


@pytest.mark.parametrize("scale", [1.0, 200.0, 1e4])
@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_weights_leave_all_terms_finite_and_no_visit_lowers_the_bound(kind, scale):
    moments, _ = made(kind, 1, scale)
    last = moments.bound()
    for _ in range(3):
        moments.refresh()
        for j in range(len(moments.q)):
            moments.move(j, float(expit(moments.log_odds(j))))
            assert np.isfinite(moments.bound())
            assert moments.bound() >= last - 1e-9 * (1.0 + abs(last))
            last = moments.bound()


@pytest.mark.parametrize("guessed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_trace_makes_the_visits_of_a_plain_loop(kind, guessed):
    moments, bound = made(kind, 5)
    plain, rng = made(kind, 5).moments, np.random.default_rng(0)
    guess = rng.normal(0, 1, len(moments.q)) if guessed else None
    trace = guess_trace(guess, moments, {1: 0}, 50, "lrbn")
    k, t = 0, 0
    while True:
        plain.refresh()
        most = 0.0
        for j in range(len(plain.q)):
            if j == 1:
                continue
            odds = guess[j] if guess is not None and t == 0 else plain.log_odds(j)
            change = abs(expit(odds) - plain.q[j])
            most = max(most, change)
            plain.move(j, float(expit(odds)))
            assert (trace.unit[k], trace.sweep[k], trace.flipped[k]) == (j, t, change > MEAN_CHANGE)
            assert trace.log_odds[k] == pytest.approx(odds, abs=1e-12)
            assert trace.after[k] == pytest.approx(expit(odds), abs=1e-12)
            assert trace.log_joint[k] == pytest.approx(plain.bound(), abs=1e-11)
            k += 1
        t += 1
        if most <= MEAN_CHANGE and (t > 1 or not guessed):
            break
    assert (trace.n_visits, trace.converged) == (k, True)
    assert trace.log_joint[-1] == pytest.approx(bound(moments.q), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_visits_a_few_at_a_time_are_the_same_and_end_after_the_sweeps(kind):
    found = []
    for n_visits in (1, 3, 100):
        moments, cursor, most = made(kind, 6).moments, np.zeros(5, np.int64), np.zeros(1)
        n = len(moments.q)
        columns = [np.zeros(2 * n, each) for each in ("i4", "f8", "?", "f8", "f8", "i4")]
        record, units = MeansRecord(*columns), np.arange(n, dtype=np.int32)
        given_ = (units, np.zeros(0), 2, most, cursor, record)
        for _ in range(2 * n // n_visits + 1):
            update_means(*moments.kernel_arguments, *given_, min(n_visits, 2 * n - int(cursor[K])))
        assert cursor[DONE] == 1
        assert cursor[K] == 2 * n
        assert cursor[CONVERGED] == (most[0] <= MEAN_CHANGE)
        found.append(columns)
    for other in found[1:]:
        for one, same in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, same)


def test_without_sweeps_or_with_all_units_held_no_visit_is_made():
    moments = made("quadratic", 0).moments
    for held, n_sweeps in (({}, 0), (dict.fromkeys(range(N_H), 1), 5)):
        trace = guess_trace(None, moments, held, n_sweeps, "lrbn")
        assert (trace.n_visits, trace.converged) == (0, True)


def test_a_pass_up_is_the_product_with_the_weights_and_held_units_keep_their_states():
    rng = np.random.default_rng(0)
    W, c, x = rng.normal(0, 1, (N_V, N_H)), rng.normal(0, 1, N_H), rng.random(N_V)
    x[2] = np.nan
    log_odds, means = passed_up(W, c, x, {1: 1}, 2.0)
    np.testing.assert_allclose(log_odds, 2.0 * np.where(np.isnan(x), 0.0, x) @ W + c, rtol=1e-12)
    np.testing.assert_allclose(means, np.where(np.arange(N_H) == 1, 1.0, expit(log_odds)), rtol=1e-12)


@pytest.mark.parametrize("scale", [1.0, 300.0])
def test_with_all_others_off_a_latent_has_the_log_odds_that_two_joints_give(scale):
    params, found = random_case("bernoulli", N_V, N_H, 2, scale).params, np.empty(N_H)
    fill_thresholds(np.ascontiguousarray(params.W.T), params.b, params.d, found)
    off, nothing = np.zeros(N_H), np.zeros(N_V)
    expected = [naive.log_odds(params, "bernoulli", nothing, off, j) for j in range(N_H)]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-11)
