"""Unknown visible units (NaN) of networks with a recognition network and of noisy-or units drop out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lrbn_viz
from lrbn_viz import DBN, LRBN
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.posterior import states
from lrbn_viz.estimators.noisy_or import NoisyOrNetwork
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.measure import log_likelihood
from lrbn_viz.rivals.sbn.model import networks_of_known

N_V = 12
ONE_LAYER = ("RWS", "Wake-sleep", "VIMCO", "NVIL", "Mean-field SBN", "VB-SBN")
TWO_LAYERS = ("Two-layer RWS", "Two-layer NVIL", "Two-layer VB-SBN")
NETWORKS = [name for name in (*ONE_LAYER, *TWO_LAYERS) if name in SYSTEMS]
MEAN_FIELD = ("Mean-field SBN", "VB-SBN", "Two-layer VB-SBN")


HOW: list[dict[str, Any]] = [
    *({"order": order} for order in ("sequential", "random", "greedy", "parallel")),
    {"init": "conditional"},
    {"temperature": 1.0, "max_sweeps": 5},
    {"clamp": {1: 1}},
]


def made(name: str, seed: int = 0, n_v: int = N_V) -> Any:
    """Return a network with random parameters."""
    rng = np.random.default_rng(seed)
    kind, n_h = SYSTEMS[name], 5
    arrays: dict[str, Any] = {
        "W": rng.normal(0, 1.5, (n_v, n_h)), "b": rng.normal(0, 1, n_v), "d": rng.normal(0, 1, n_h),
        "V": rng.normal(0, 1, (n_v, n_h)), "c": rng.normal(0, 1, n_h),
    }  # fmt: skip
    if kind.n_layers == 2:
        arrays |= {
            "U": rng.normal(0, 1.5, (n_h, 3)), "e": rng.normal(0, 1, 3),
            "V2": rng.normal(0, 1, (n_h, 3)), "c2": rng.normal(0, 1, 3),
        }  # fmt: skip
    if "VB" in name:
        arrays |= {"variance": np.full((n_v, n_h), 0.1), "n_images": 100.0}
        if kind.n_layers == 2:
            arrays["variance2"] = np.full((n_h, 3), 0.1)
    return kind.estimator.from_params(**arrays)


def of_known(model: Any, x: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return the network of the known units alone, with the same other arrays, and these units."""
    seen = ~np.isnan(x)
    arrays = model._by_name()
    few = {name: arrays[name][seen] for name in ("W", "b", "V", "variance") if name in arrays}
    return type(model).from_params(**{**arrays, **few}), x[seen]


def noisy_or(seed: int = 0, n_v: int = N_V, n_h: int = 5) -> NoisyOrNetwork:
    rng = np.random.default_rng(seed)
    W = rng.exponential(0.7, (n_v, n_h)) * (rng.random((n_v, n_h)) < 0.6)
    return NoisyOrNetwork.from_params(W, rng.uniform(0.01, 0.3, n_v), rng.normal(-1, 1, n_h))


def images(model: Any, n: int, seed: int, share: float = 0.5) -> np.ndarray:
    X = model.sample(n, random_state=seed).astype(np.float64)
    X[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    return X


@pytest.mark.parametrize("name", NETWORKS)
def test_posterior_and_evidence_are_those_of_the_model_of_the_known_units(name):
    model = made(name)
    X = images(model, 6, 1)
    whole = np.array([model.exact_posterior(x).marginals for x in X])
    np.testing.assert_allclose(model.posterior(X), whole, atol=1e-9)
    for x, p in zip(X, whole, strict=True):
        few, seen = of_known(model, x)
        truth, found = few.exact_posterior(seen), model.exact_posterior(x)
        np.testing.assert_allclose(found.marginals, truth.marginals, atol=1e-9)
        np.testing.assert_allclose(p, few.posterior(seen[None])[0], atol=1e-9)
        assert found.log_evidence == pytest.approx(truth.log_evidence, abs=1e-9)
        assert model.log_marginal(x[None])[0] == pytest.approx(few.log_marginal(seen[None])[0], abs=1e-9)
        for how in ("icm", "gibbs", "annealed"):
            options: dict[str, Any] = {"method": how, "n_sweeps": 5}
            for mine, its in zip(
                model.infer(x[None], **options), few.infer(seen[None], **options), strict=True
            ):
                np.testing.assert_array_equal(mine, its)
    blank = np.full(N_V, np.nan)
    prior = log_likelihood(model, blank[None], method="exact").mean
    assert prior == pytest.approx(0.0, abs=1e-9)
    if len(model.layers) == 1:
        np.testing.assert_allclose(model.exact_posterior(blank).marginals, sigmoid(model.layers[0].d))


@pytest.mark.parametrize("name", NETWORKS)
def test_mean_field_climbs_the_bound_of_what_is_known(name):
    model = made(name, 2)
    for x in images(model, 3, 3):
        few, seen = of_known(model, x)
        trace = model.trace(x, "mean-field")
        evidence = model.exact_posterior(x).log_evidence
        assert (np.diff(trace.log_joint[model.n_latents_ :]) > -1e-9).all()
        assert trace.log_joint[-1] <= evidence + 1e-9
        # the network of the known units, whose recognition network is the generative one read backwards
        networks = networks_of_known(model.recognition_layers, ~np.isnan(x))
        np.testing.assert_array_equal(networks[0].W, few.layers[0].W)
        off = np.zeros((1, few.layers[0].n_h))
        parts = (off, *(np.zeros((1, layer.n_h)) for layer in few.layers[1:]))
        alone = few.conditional_log_odds(seen[None], parts)[0]
        prior = few.layers[1].b if len(few.layers) > 1 else few.layers[0].d
        np.testing.assert_allclose(
            seen @ networks[0].V + networks[0].c, alone[0] - prior + few.layers[0].d, atol=1e-9
        )
        if name in MEAN_FIELD:
            (low, *_), bound = model.infer(x[None], method="mean-field"), model.score_samples(x[None])[0]
            assert bound <= evidence + 1e-4
            assert ((low > 0) & (low < 1)).all()
            both = np.vstack([x, model.sample(1, random_state=1)[0].astype(float)])
            alone_means = np.hstack(model.infer(both[1:], method="mean-field"))
            np.testing.assert_array_equal(np.hstack(model.infer(both, method="mean-field"))[1:], alone_means)


@pytest.mark.parametrize("name", NETWORKS)
def test_particles_of_what_is_known_estimate_its_log_probability(name):
    model = made(name, 4)
    X = images(model, 4, 5)
    truth = log_likelihood(model, X, method="exact").mean
    found = log_likelihood(model, X, method="importance", n_samples=4000, random_state=0)
    assert found.mean == pytest.approx(truth, abs=0.15)
    whole = model.sample(4, random_state=6).astype(np.float64)
    beside = model.score_samples(np.vstack([whole, X]))
    np.testing.assert_allclose(beside[:4], model.score_samples(whole), atol=1e-9)
    assert beside[4:].mean() < truth + 0.5


@pytest.mark.parametrize("name", NETWORKS)
def test_the_recognition_network_refuses_what_it_has_never_seen_and_names_mean_field(name):
    model = made(name, 5)
    X = images(model, 2, 6)
    words = (
        r"recognition network of this \w+ has seen whole images only\. Infer by mean field, with posterior or"
    )
    for call in (
        lambda: model.infer(X, method="recognition"),
        lambda: model.recognise(X),
        lambda: model.guesses(X),
        lambda: model.trace(X[0], "recognition"),
        lambda: model.trace(X[0], "particles"),
        lambda: model.map_trace(X[0], init="recognition"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(ValueError, match=r"transform, as fit, of this \w+ expects whole images"):
        model.transform(X)
    filled, unknown = model.impute(X), np.isnan(X)
    np.testing.assert_array_equal(filled[~unknown], X[~unknown])
    guess = model.most_probable(np.hstack(model.infer(X, method="icm")))
    np.testing.assert_array_equal(filled[unknown], guess[unknown])
    if name == "VB-SBN":
        with pytest.raises(ValueError, match="gamma of this VariationalBayesSBN expects whole images"):
            model.gamma(X)


def test_a_recognition_network_of_a_large_model_gives_way_to_mean_field_of_the_generative_one():
    rng = np.random.default_rng(8)
    W, V = rng.normal(0, 1, (2, 30, 20))
    b, d, c = rng.normal(0, 1, 30), rng.normal(0, 1, 20), rng.normal(0, 1, 20)
    model, same = lrbn_viz.RWS.from_params(W, b, d, V=V, c=c), LRBN.from_params(W, b, d)
    X = images(same, 5, 2)
    np.testing.assert_array_equal(model.posterior(X), same.transform(X, method="probabilities"))


# -- noisy-or units


def test_noisy_or_units_that_are_not_known_drop_out():
    model = noisy_or()
    for x in images(model, 6, 1):
        seen = ~np.isnan(x)
        low = model.layers[0]
        few = NoisyOrNetwork.from_params(low.W[seen], low.b[seen], low.d)
        truth, found = few.exact_posterior(x[seen]), model.exact_posterior(x)
        np.testing.assert_allclose(found.marginals, truth.marginals, atol=1e-9)
        assert found.log_evidence == pytest.approx(truth.log_evidence, abs=1e-9)
        for how in HOW:
            mine, its = (m.map_trace(z, random_state=2, **how) for m, z in ((model, x), (few, x[seen])))
            for column in ("h0", "unit", "after", "sweep"):
                np.testing.assert_array_equal(getattr(mine, column), getattr(its, column))
            np.testing.assert_allclose(mine.log_odds, its.log_odds, atol=1e-9)
            np.testing.assert_allclose(mine.log_joint, its.log_joint, atol=1e-9)
        h = found.map_state
        for j in range(len(h)):
            terms, same = model.log_odds_terms(x, h, j), few.log_odds_terms(x[seen], h, j)
            total = model.conditional_log_odds(x[None], (h[None],))[0][0, j]
            assert np.hstack(list(terms)[:3]).sum() + terms.others.sum() == pytest.approx(total, abs=1e-9)
            assert same.others.sum() == pytest.approx(terms.others.sum(), abs=1e-9)
        np.testing.assert_allclose(model.interactions(x, h), few.interactions(x[seen], h), atol=1e-9)


def test_with_nothing_known_noisy_or_units_have_their_prior_and_others_are_filled_in():
    model = noisy_or(3)
    blank = np.full(N_V, np.nan)
    found = model.exact_posterior(blank)
    np.testing.assert_allclose(found.marginals, sigmoid(model.layers[0].d))
    assert found.log_evidence == pytest.approx(0.0, abs=1e-9)
    X = images(model, 3, 4)
    filled, unknown = model.impute(X), np.isnan(X)
    np.testing.assert_array_equal(filled[~unknown], X[~unknown])
    np.testing.assert_array_equal(filled[unknown], model.most_probable(np.hstack(model.infer(X)))[unknown])
    assert set(np.unique(filled)) <= {0.0, 1.0}


def test_many_noisy_or_latents_are_averaged_over_gibbs_sampling_of_what_is_known():
    model = noisy_or(5, n_v=20, n_h=18)
    x = images(model, 1, 7)
    p = np.hstack(model._probabilities(x, n_sweeps=3000))[0]
    H = states(18)
    log_p = model.joint(np.broadcast_to(x[0], (len(H), 20)), (H,))
    weights = np.exp(log_p - log_p.max())
    np.testing.assert_allclose(p, weights @ H / weights.sum(), atol=0.04)


# -- deep belief networks


def dbn(seed: int = 0, n_v: int = N_V, n_h: int = 6) -> DBN:
    rng = np.random.default_rng(seed)
    return DBN.from_params(
        rng.normal(0, 1.5, (n_v, n_h)), rng.normal(0, 1, n_v), rng.normal(0, 1, n_h),
        V=rng.normal(0, 1, (n_v, n_h)), c=rng.normal(0, 1, n_h),
        U=rng.normal(0, 1.5, (n_h, 4)), e=rng.normal(0, 1, 4),
    )  # fmt: skip


def test_a_dbn_infers_from_what_is_known_as_the_dbn_of_the_known_units():
    model = dbn()
    X = images(model, 4, 1)
    for x in X:
        few, seen = of_known(model, x)
        truth, found = few.exact_posterior(seen), model.exact_posterior(x)
        np.testing.assert_allclose(found.marginals, truth.marginals, atol=1e-9)
        assert found.log_evidence == pytest.approx(truth.log_evidence, abs=1e-9)
        np.testing.assert_allclose(model.posterior(x[None])[0], truth.marginals, atol=1e-9)
        h = found.map_state
        mine, its = (
            model.conditional_log_odds(x[None], (h[None],)),
            few.conditional_log_odds(seen[None], (h[None],)),
        )
        np.testing.assert_allclose(mine[0], its[0], atol=1e-9)
        np.testing.assert_allclose(model.interactions(x, h), few.interactions(seen, h), atol=1e-9)
        odds = model.posterior_log_odds(x[None], 4000, np.random.default_rng(0))
        np.testing.assert_allclose(sigmoid(odds[100:]).mean(axis=(0, 1)), truth.marginals, atol=0.03)
        trace = model.trace(x, "mean-field")
        assert (np.diff(trace.log_joint[model.n_latents_ :]) > -1e-9).all()
        assert trace.log_joint[-1] <= found.log_evidence + 1e-9
    blank = np.full((1, N_V), np.nan)
    assert log_likelihood(model, blank, method="exact").mean == pytest.approx(0.0, abs=1e-9)
    truth = log_likelihood(model, X, method="exact").mean
    assert log_likelihood(model, X, method="importance", n_samples=4000).mean == pytest.approx(
        truth, abs=0.15
    )
    filled, unknown = model.impute(X, values="mean"), np.isnan(X)
    np.testing.assert_array_equal(filled[~unknown], X[~unknown])
    np.testing.assert_array_equal(filled[unknown], model.inverse_transform(model.posterior(X))[unknown])


def test_what_a_dbn_cannot_do_with_an_unknown_pixel_it_says():
    model = dbn(1)
    X = images(model, 2, 2)
    for call in (
        lambda: model.infer(X),
        lambda: model.transform_top(X),
        lambda: model.trace(X[0], "recognition"),
    ):
        with pytest.raises(ValueError, match="recognition network of this DBN has seen whole images only"):
            call()
    with pytest.raises(ValueError, match="pseudo-likelihood of this DBN expects whole images"):
        model.score_samples(X)


def test_a_large_dbn_is_averaged_over_gibbs_sampling():
    model = dbn(3, n_v=20, n_h=18)
    X = images(model, 2, 4)
    truth = np.array([model.exact_posterior(x).marginals for x in X])
    np.testing.assert_allclose(model.posterior(X, n_sweeps=6000), truth, atol=0.05)
