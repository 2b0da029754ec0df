"""An RBM of which not all visible units are known: what it infers is what sums over all states say."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logsumexp

import lrbn_viz
from lrbn_viz import DBM, RBM
from lrbn_viz.core.posterior import states
from lrbn_viz.measure import log_likelihood, posterior_dependence
from lrbn_viz.measure.passes import gibbs_passes

N_V, N_H = 7, 4


def made(seed: int, visible: Any = "bernoulli", n_h: int = N_H) -> RBM:
    """Return an RBM with random parameters; Gaussian ones have variances of their own."""
    rng = np.random.default_rng(seed)
    more = {} if visible == "bernoulli" else {"z": rng.normal(0, 0.5, N_V)}
    scale = 1.0 if visible == "bernoulli" else 0.5
    return RBM.from_params(
        rng.normal(0, scale, (N_V, n_h)), rng.normal(0, 1, N_V), rng.normal(0, 1, n_h), visible, **more
    )


def image(seed: int, visible: str = "bernoulli", n_unknown: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, N_V).astype(float) if visible == "bernoulli" else rng.normal(0, 1, N_V)
    x[rng.permutation(N_V)[:n_unknown]] = np.nan
    return x


def ways(x: np.ndarray, visible: str) -> tuple[np.ndarray, float]:
    """Return all images that x may be, of one unknown Gaussian unit on a grid, and the grid's step."""
    unknown = np.flatnonzero(np.isnan(x))
    step = 1.0 if visible == "bernoulli" else 0.01
    values = (0.0, 1.0) if visible == "bernoulli" else np.arange(-15.0, 15.0, step)
    found = np.repeat(x[None], len(values) ** len(unknown), axis=0)
    found[:, unknown] = list(itertools.product(values, repeat=len(unknown)))
    return found, step


def table(model: RBM, x: np.ndarray) -> np.ndarray:
    """Return log P*(x_known, h) of each state by a sum over all that x may be."""
    X, step = ways(x, model.visible)
    H = states(model.n_latents_)
    return np.array(
        [logsumexp(model.joint(X, (np.repeat(h[None], len(X), axis=0),))) + np.log(step) for h in H]
    )


CASES = [("bernoulli", 3), ("bernoulli", N_V), ("gaussian", 1)]


@pytest.mark.parametrize(("visible", "n_unknown"), CASES)
def test_the_joint_and_all_that_follows_are_those_of_a_sum_over_what_is_not_known(visible, n_unknown):
    for seed in range(3):
        model, x = made(seed, visible), image(seed, visible, n_unknown)
        truth, H = table(model, x), states(N_H)
        np.testing.assert_allclose(model.joint(x[None], (H,)), truth, atol=1e-9)
        posterior = model.exact_posterior(x)
        p = np.exp(truth - logsumexp(truth))
        np.testing.assert_allclose(posterior.marginals, p @ H, atol=1e-9)
        assert posterior.log_evidence == pytest.approx(logsumexp(truth), abs=1e-9)
        np.testing.assert_allclose(model.posterior(x[None])[0], p @ H, atol=1e-9)
        np.testing.assert_array_equal(model.infer(x[None])[0][0], p @ H > 0.5)
        mean = p @ model.inverse_transform(H)
        np.testing.assert_allclose(model.impute(x[None], values="mean")[0][np.isnan(x)], mean[np.isnan(x)])
        for h in H[[0, 5, 15]]:
            odds = np.hstack(model.conditional_log_odds(x[None], (h[None],)))[0]
            for j in range(N_H):
                on, off = (int(h @ (1 << np.arange(N_H))) & ~(1 << j) | (bit << j) for bit in (1, 0))
                expected = truth[on] - truth[off]
                terms = lrbn_viz.log_odds_terms(model, x, h, j)
                assert odds[j] == pytest.approx(expected, abs=1e-9)
                assert terms.log_odds == pytest.approx(expected, abs=1e-9)
                of_known = np.concatenate([terms.alone, terms.others])[np.tile(~np.isnan(x), 2)]
                assert not of_known.any()
        log_z, total = model.log_normaliser(), np.logaddexp.reduce(truth)
        assert log_z is not None
        value = log_likelihood(model, x[None], method="exact").values[0]
        assert value == pytest.approx(total - log_z, abs=1e-9)


@pytest.mark.parametrize(("visible", "n_unknown"), CASES)
def test_its_trace_climbs_visit_by_visit_to_where_nothing_changes(visible, n_unknown):
    for seed in range(4):
        model, x = made(seed, visible), image(seed, visible, n_unknown)
        trace, truth = model.map_trace(x), table(model, x)
        place = 1 << np.arange(N_H)
        for k, visit in enumerate(trace, 1):
            before, h = trace.latents(k - 1), trace.latents(k)
            terms = lrbn_viz.log_odds_terms(model, x, before, visit.unit)
            assert visit.log_odds == pytest.approx(terms.log_odds, abs=1e-9)
            assert visit.log_joint == pytest.approx(truth[h @ place], abs=1e-9)
            assert visit.after == (visit.log_odds > 0)
        assert (np.diff(trace.log_joint, prepend=trace.log_joint0) > -1e-9).all()
        assert not trace.flipped[-N_H:].any()
        np.testing.assert_array_equal(trace.x, x)


def test_what_is_not_known_ties_the_latents_of_the_alarm_together_when_read_as_an_rbm():
    low = lrbn_viz.pretrained("lrbn-2-alarm").layers[0]
    rbm = RBM.from_params(*low)
    for x, expected in (
        ((np.nan, np.nan), (0.9733, 0.9962)),
        ((1, np.nan), (0.9757, 0.9975)),
        ((1, 1), (0.9757, 1.0)),
    ):
        np.testing.assert_allclose(rbm.posterior(np.array([x], float))[0], expected, atol=5e-5)
    nothing = np.array([[np.nan, np.nan]])
    assert posterior_dependence(rbm, nothing).mean == pytest.approx(0.0021, abs=5e-5)
    assert posterior_dependence(rbm, np.ones((1, 2))).mean == 0.0
    assert lrbn_viz.explain_away(rbm, nothing[0], [0, 0])[0, 1] != 0.0
    assert not lrbn_viz.explain_away(rbm, [1, 1], [0, 0]).any()


@pytest.mark.parametrize("visible", ["bernoulli", "gaussian"])
def test_gibbs_sampling_of_many_latents_comes_near_to_enumeration(visible, monkeypatch):
    model = made(5, visible)
    X = np.array([image(seed, visible, 3) for seed in range(5)])
    exact, means = model.posterior(X), model.impute(X, values="mean")
    monkeypatch.setattr("lrbn_viz.rivals.rbm.sampling.MAX_EXACT_INTERACTIVE", 0)
    np.testing.assert_allclose(model.posterior(X, n_sweeps=8000), exact, atol=0.02)
    np.testing.assert_allclose(model.impute(X, values="mean", n_sweeps=8000), means, atol=0.06)
    np.testing.assert_array_equal(model.posterior(X), model.posterior(X))


def test_whole_images_among_others_are_inferred_as_they_are_alone():
    model = made(6)
    X = np.array([image(0), image(1, n_unknown=0)])
    alone = expit(X[1] @ model.params_.W + model.params_.d)
    np.testing.assert_allclose(model.posterior(X)[1], alone, rtol=1e-12)
    np.testing.assert_array_equal(model.impute(X)[1], X[1])
    np.testing.assert_array_equal(model.infer(X)[0][1], model.infer(X[1:])[0][0])


def test_what_cannot_be_computed_says_what_to_do():
    model, X = made(7, n_h=21), image(0)[None]
    for call in (
        lambda: model.score_samples(X),
        lambda: model.transform(X),
        lambda: log_likelihood(model, X, method="ais"),
        lambda: log_likelihood(model, X, method="raise"),
    ):
        with pytest.raises(ValueError, match=r"expects whole images.* or use an LRBN"):
            call()
    with pytest.raises(ValueError, match="use an LRBN, which infers and learns where values are not known"):
        RBM(4).fit(np.repeat(X, 20, axis=0))
    with pytest.raises(ValueError, match="a chain starts from a whole image"):
        gibbs_passes(model, 3, X[0])


def deep(seed: int) -> DBM:
    rng = np.random.default_rng(seed)
    W, U = rng.normal(0, 1, (N_V, N_H)), rng.normal(0, 1, (N_H, 3))
    d = rng.normal(0, 1, N_H)
    return DBM.from_params(W, rng.normal(0, 1, N_V), d, U=U, e=rng.normal(0, 1, 3))


@pytest.mark.parametrize("n_unknown", [3, N_V])
def test_a_dbm_infers_as_sums_over_what_is_not_known_say(n_unknown):
    for seed in range(3):
        model, x = deep(seed), image(seed, n_unknown=n_unknown)
        X, H = ways(x, "bernoulli")[0], states(N_H + 3)
        truth = np.array(
            [np.logaddexp.reduce(model.joint(X, model.split(np.repeat(h[None], len(X), axis=0)))) for h in H]
        )
        p = np.exp(truth - np.logaddexp.reduce(truth))
        np.testing.assert_allclose(model.exact_posterior(x).log_joints, truth, atol=1e-9)
        np.testing.assert_allclose(np.hstack(model.infer(x[None]))[0], p @ H, atol=1e-9)
        mean = p @ model.inverse_transform(H)
        np.testing.assert_allclose(model.impute(x[None], values="mean")[0][np.isnan(x)], mean[np.isnan(x)])
        log_z = model.log_normaliser()
        assert log_z is not None
        value = log_likelihood(model, x[None], method="exact").values[0]
        assert value == pytest.approx(np.logaddexp.reduce(truth) - log_z, abs=1e-9)
        h = H[77]
        odds = np.hstack(model.conditional_log_odds(x[None], model.split(h[None])))[0]
        effect = lrbn_viz.explain_away(model, x, h)
        for j in range(N_H + 3):
            on, off = (77 & ~(1 << j) | (bit << j) for bit in (1, 0))
            assert odds[j] == pytest.approx(truth[on] - truth[off], abs=1e-9)
            assert lrbn_viz.log_odds_terms(model, x, h, j).log_odds == pytest.approx(odds[j], abs=1e-9)
        assert effect[:N_H, :N_H].any()


def test_what_a_dbm_cannot_compute_says_what_to_do():
    model, X = deep(0), image(0)[None]
    for call in (
        lambda: model.score_samples(X),
        lambda: model.transform(X),
        lambda: model.map_trace(X[0]),
        lambda: model.upper_layer_gap(X),
        lambda: log_likelihood(model, X, method="variational"),
        lambda: model.annealed_weights(X, 10, np.random.default_rng(0)),
        lambda: log_likelihood(model, X, method="raise"),
    ):
        with pytest.raises(ValueError, match=r"expects whole images.* or use an LRBN"):
            call()
