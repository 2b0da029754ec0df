"""Visible units that are not known, NaN: what is computed is that of the model of the known units alone."""

from __future__ import annotations

import itertools
from typing import Any

import naive
import numpy as np
import pytest

import lrbn_viz
from lrbn_viz import LRBN
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.model import LayerParams
from lrbn_viz.lrbn import batch_kernel, kernel_params, start
from lrbn_viz.lrbn.batch_kernel import infer_batch
from lrbn_viz.lrbn.kernel_params import own_gram_pays, prepare_params
from lrbn_viz.lrbn.model import CACHED_IMAGES, evidence
from lrbn_viz.lrbn.regression import gradient, regress
from lrbn_viz.lrbn.start import make_state
from lrbn_viz.lrbn.state import flip, refresh
from lrbn_viz.measure import log_likelihood
from lrbn_viz.measure.reconstruction import reconstruction_error
from lrbn_viz.notebook import show_trace
from lrbn_viz.view.animation.still import draw_end

N_V, N_H, N_TOP = 70, 8, 3
KINDS = ("bernoulli", "gaussian")
EVIDENCE = [
    ((np.nan, np.nan), (0.1000, 0.1000), 0.0),
    ((1, np.nan), (0.4311, 0.4311), -1.5073),
    ((1, 1), (0.1130, 0.9856), -2.4395),
    ((1, 0), (0.6378, 0.0711), -2.0078),
    ((np.nan, 1), (0.1000, 0.9091), -2.3126),
]
"""Of the alarm and the radio report: P(burglary), P(earthquake), and log P of what is known, nats."""


def made(kind: Any, seed: int, *, n_layers: int = 1, strength: float = 1.0, n_v: int = N_V) -> LRBN:
    """Return a model with random parameters."""
    rng = np.random.default_rng(seed)
    sizes = (n_v, N_H, N_TOP)[: n_layers + 1]
    layers = [
        (
            strength * rng.normal(0, 1 if kind == "bernoulli" or low != n_v else 0.4, (low, high)),
            rng.normal(0, 1, low),
            rng.normal(0, 1, high),
        )
        for low, high in itertools.pairwise(sizes)
    ]
    return LRBN.from_layers(layers, kind, max_sweeps=20)


def images(model: LRBN, n: int, seed: int, share: float = 0.5) -> np.ndarray:
    """Return images that the model draws, each with another part that is not known."""
    X = model.sample(n, random_state=seed).astype(np.float64)
    X[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    return X


def of_known(model: LRBN, x: np.ndarray) -> tuple[LRBN, np.ndarray]:
    """Return the model of the known units alone, and these."""
    seen = ~np.isnan(x)
    low, *above = model.layers
    layers = [(low.W[seen], low.b[seen], low.d), *above]
    return LRBN.from_layers(layers, model.visible, max_sweeps=20), x[seen]


@pytest.mark.parametrize(("x", "marginals", "log_p"), EVIDENCE)
def test_evidence_for_the_alarm_is_what_enumeration_says(x, marginals, log_p):
    posterior = lrbn_viz.exact_posterior(lrbn_viz.pretrained("lrbn-2-alarm"), x)
    np.testing.assert_allclose(posterior.marginals, marginals, atol=5e-5)
    assert posterior.log_evidence == pytest.approx(log_p, abs=5e-5)


@pytest.mark.nojit
@pytest.mark.parametrize("kind", KINDS)
def test_the_exact_posterior_is_that_of_a_naive_enumeration_of_what_is_known(kind):
    model = made(kind, 0, n_v=9)
    for x in images(model, 3, 1):
        few, seen = of_known(model, x)
        truth, found = naive.posterior(naive.Params(*few.layers[0]), kind, seen), model.exact_posterior(x)
        assert found.log_evidence == pytest.approx(truth.log_evidence, abs=1e-9)
        np.testing.assert_allclose(found.marginals, truth.marginals, atol=1e-9)
        np.testing.assert_array_equal(found.map_state, truth.map_state)


HOW: list[dict[str, Any]] = [
    *({"order": order} for order in ("sequential", "random", "greedy", "parallel")),
    *({"init": start} for start in ("paper", "zeros", "random")),
    {"temperature": 1.0, "max_sweeps": 5},
    {"temperature": [3.0, 1.0, 0.3]},
    {"clamp": {2: 1, 5: 0}},
]


def assert_same_trace(trace: Any, other: Any) -> None:
    for name in ("h0", "unit", "after", "flipped", "sweep"):
        np.testing.assert_array_equal(getattr(trace, name), getattr(other, name))
    np.testing.assert_allclose(trace.log_odds, other.log_odds, atol=1e-9)
    np.testing.assert_allclose(trace.log_joint, other.log_joint, atol=1e-9)
    assert trace.log_joint0 == pytest.approx(other.log_joint0, abs=1e-9)
    assert trace.converged == other.converged
    np.testing.assert_allclose(trace.wrong_pixels(), other.wrong_pixels(), atol=1e-9)


@pytest.mark.nojit
@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_visits_are_those_of_the_model_of_the_known_units(kind, how):
    model = made(kind, 1, n_v=20)
    for x in images(model, 2, 2):
        few, seen = of_known(model, x)
        trace = model.map_trace(x, random_state=3, **how)
        assert_same_trace(trace, few.map_trace(seen, random_state=3, **how))
        np.testing.assert_array_equal(trace.x, x)


@pytest.mark.parametrize("strength", [4.0, 60.0, 2000.0])
@pytest.mark.parametrize("kind", KINDS)
def test_visits_with_saturated_pixels_are_too(kind, strength):
    model = made(kind, 2, strength=strength)
    for x in images(model, 3, 3):
        few, seen = of_known(model, x)
        trace, other = (
            each.map_trace(y, init="random", random_state=0) for each, y in ((model, x), (few, seen))
        )
        np.testing.assert_array_equal(trace.after, other.after)
        np.testing.assert_allclose(trace.log_odds, other.log_odds, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("how", [{}, {"order": "random"}, {"temperature": 1.0, "max_sweeps": 4}], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_visits_through_two_layers_are_too(kind, how):
    model = made(kind, 3, n_layers=2)
    for x in images(model, 3, 4):
        few, seen = of_known(model, x)
        assert_same_trace(
            model.map_trace(x, random_state=1, **how), few.map_trace(seen, random_state=1, **how)
        )


@pytest.mark.parametrize("n_layers", [1, 2])
@pytest.mark.parametrize("method", ["icm", "annealed", "gibbs"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_images_each_known_in_another_part_is_inferred_as_each_alone(kind, method, n_layers):
    model = made(kind, 4, n_layers=n_layers)
    X = images(model, 11, 5)
    X[3] = model.sample(1, random_state=6)[0]  # known as a whole
    X[5] = np.nan
    how: dict[str, Any] = {"method": method, **({} if method == "icm" else {"n_sweeps": 4})}
    together = np.hstack(model.infer(X, **how))
    for number, x in enumerate(X):
        if np.isnan(x).all():
            continue  # no unit is left, and a model has at least one
        few, seen = of_known(model, x)
        alone = np.hstack(few.infer(seen[None], **how))[0]
        np.testing.assert_array_equal(np.hstack(model.infer(x[None], **how))[0], alone)
        if method == "icm":
            np.testing.assert_array_equal(together[number], alone)


@pytest.mark.parametrize(
    ("pays", "n_visits", "n_v", "n_h", "n_known"),
    [
        # A trace of ICM, three sweeps, takes the visits' products whatever its size; long chains do not.
        (False, 3 * 30, 784, 30, 392),
        (False, 3 * 400, 784, 400, 392),
        (False, 20 * 200, 784, 200, 392),
        (True, 200 * 200, 784, 200, 392),
        (False, 1000 * 30, 64, 30, 32),
        # A batch of images with one pattern shares the matrix.
        (True, 256 * 3 * 200, 784, 200, 392),
        (False, 8 * 3 * 200, 784, 200, 392),
    ],
)
def test_a_pattern_has_a_matrix_of_its_own_where_its_visits_take_longer(pays, n_visits, n_v, n_h, n_known):
    assert own_gram_pays(n_visits, n_v, n_h, n_known) == pays


@pytest.mark.nojit
def test_the_rule_weighs_the_multiply_adds_of_the_visits_against_those_of_the_matrix(monkeypatch):
    monkeypatch.setattr(kernel_params, "OWN_GRAM_OVERHEAD", 100.0)
    monkeypatch.setattr(kernel_params, "OWN_GRAM", 0.5)
    monkeypatch.setattr(kernel_params, "VISIT", 5)
    assert not own_gram_pays(59, 7, 3, 4)
    assert own_gram_pays(60, 7, 3, 4)


@pytest.mark.nojit
@pytest.mark.parametrize("how", HOW, ids=str)
def test_visits_by_a_matrix_of_the_known_units_are_those_without_it(how, monkeypatch):
    model = made("gaussian", 1, n_v=20)
    for x in images(model, 2, 2):
        traces = []
        for overhead in (-np.inf, np.inf):
            monkeypatch.setattr(kernel_params, "OWN_GRAM_OVERHEAD", overhead)
            traces.append(model.map_trace(x, random_state=3, **how))
        assert_same_trace(*traces)


def patterned(model: LRBN) -> np.ndarray:
    """Return images of which 9 and 8 have a pattern in common, and others patterns of their own, or all."""
    X = images(model, 24, 7)
    X[3] = model.sample(1, random_state=6)[0]
    for number, rows in enumerate((range(0, 18, 2), range(5, 21, 2))):
        X[list(rows)] = model.sample(len(rows), random_state=number)
        X[list(rows), number::2] = np.nan
    return X


@pytest.mark.nojit
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("warm", [(), (2.0, 1.0, 0.5)], ids=str)
def test_images_with_one_pattern_are_inferred_together_as_each_alone(dtype, warm, monkeypatch):
    layer = made("gaussian", 4, n_v=40).layers[0]
    X, kernel = patterned(made("gaussian", 4, n_v=40)), prepare_params(layer, "gaussian", dtype)
    found = []
    for overhead in (-np.inf, np.inf):
        monkeypatch.setattr(kernel_params, "OWN_GRAM_OVERHEAD", overhead)
        rng = np.random.default_rng(1)
        found.append(infer_batch(layer, "gaussian", kernel, X, "conditional", np.array(warm), 20, rng))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    assert found[0].converged.all()
    assert found[0].flips.any()


@pytest.mark.nojit
def test_only_patterns_that_several_images_share_are_apart_and_what_is_kept_is_that_of_the_end(monkeypatch):
    monkeypatch.setattr(kernel_params, "OWN_GRAM_OVERHEAD", -np.inf)
    model = made("gaussian", 4, n_v=40)
    layer, X = model.layers[0], patterned(model)
    kernel = prepare_params(layer, "gaussian")
    state = make_state(layer, "gaussian", kernel, X, "zeros", np.random.default_rng(0))
    apart = batch_kernel._patterns_apart(kernel, state, 3)
    assert [rows.tolist() for rows in apart] == [list(range(0, 18, 2)), list(range(5, 21, 2))]
    columns = np.zeros(len(X), np.int64), np.zeros(len(X), np.int64), np.zeros(len(X), np.bool_)
    batch_kernel.run_sweeps(kernel, state, np.ones(2), 0, *columns)
    known = ~np.isnan(X)
    a = np.where(known, state.latent @ layer.W.T, 0.0)
    partly = ~known.all(axis=1)
    np.testing.assert_allclose(state.activation[partly, :40], a[partly], atol=1e-12)
    np.testing.assert_array_equal(state.activation[partly, 40:], 0.0)
    np.testing.assert_allclose(state.squares, known @ layer.W**2, atol=1e-12)
    assert (columns[0] == 2 * N_H).all()
    monkeypatch.setattr(kernel_params, "OWN_GRAM_OVERHEAD", np.inf)
    assert batch_kernel._patterns_apart(kernel, state, 3) == []


@pytest.mark.nojit
@pytest.mark.parametrize("of_all", [False, True])
def test_evidence_of_many_images_is_that_of_the_known_units_of_each(of_all):
    model = made("gaussian", 8, n_v=20)
    layer, X = model.layers[0], images(model, 2 * CACHED_IMAGES + 3, 3)
    if of_all:
        X[:] = np.where(np.isnan(X[0]), np.nan, np.nan_to_num(X))
    for x, found in zip(X, evidence(layer, "gaussian", X), strict=True):
        seen = ~np.isnan(x)
        W = layer.W[seen]
        expected = W.T @ (x[seen] - layer.b[seen]) + layer.d - 0.5 * (W**2).sum(axis=0)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    broken = layer._replace(b=np.full_like(layer.b, np.nan))
    assert np.isnan(evidence(broken, "gaussian", X)).all()


@pytest.mark.nojit
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("strength", [1.0, 60.0])
def test_few_images_start_as_many_do(dtype, strength, monkeypatch):
    model = made("bernoulli", 6, strength=strength)
    layer, X = model.layers[0], images(model, 15, 8, share=0.9)
    X[4] = model.sample(1, random_state=6)[0]
    kernel, starts = prepare_params(layer, "bernoulli", dtype), []
    for least in (0, 100):
        monkeypatch.setattr(start, "MIN_SHARED_TERMS", least)
        rng = np.random.default_rng(2)
        starts.append(make_state(layer, "bernoulli", kernel, X, "conditional", rng))
    np.testing.assert_array_equal(starts[0].latent, starts[1].latent)
    np.testing.assert_array_equal(starts[0].stream, starts[1].stream)
    assert 0 < starts[0].latent.mean() < 1
    alone = [make_state(layer, "bernoulli", kernel, x[None], "conditional", rng).latent[0] for x in X]
    np.testing.assert_array_equal(starts[0].latent, alone)


@pytest.mark.nojit
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_activations_of_gaussian_units_that_are_known_are_computed_afresh_after_many_flips(dtype):
    model = made("gaussian", 7, n_v=20)
    layer, x = model.layers[0], images(model, 1, 9)
    kernel = prepare_params(layer, "gaussian", dtype)._replace(refresh=3)
    state = make_state(layer, "gaussian", kernel, x, "zeros", np.random.default_rng(0))
    refresh(kernel, state, 0)
    for number, j in enumerate((2, 5, 1, 2, 7, 5, 0)):
        state.activation[0, :20] += 1e-3 * ~np.isnan(x[0])  # a rounding error, much enlarged
        flip(kernel, state, 0, j)
        assert state.since_refresh[0] == (number + 1) % 3
        if state.since_refresh[0] == 0:
            a = np.where(np.isnan(x[0]), 0.0, layer.W @ state.latent[0])
            np.testing.assert_allclose(state.activation[0, :20], a, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_an_image_of_which_nothing_is_known_gives_the_prior(kind):
    model = made(kind, 5)
    nothing, d = np.full(N_V, np.nan), model.layers[0].d
    prior = 1.0 / (1.0 + np.exp(-d))
    posterior = model.exact_posterior(nothing)
    np.testing.assert_allclose(posterior.marginals, prior, atol=1e-12)
    assert posterior.log_evidence == pytest.approx(0.0, abs=1e-9)
    for init in ("conditional", "zeros", "paper"):
        trace = model.map_trace(nothing, init=init)
        np.testing.assert_array_equal(trace.latents(trace.n_visits), d > 0)
    np.testing.assert_array_equal(model.infer(nothing[None])[0][0], d > 0)
    np.testing.assert_allclose(model.transform(nothing[None], method="probabilities")[0], prior, atol=1e-12)
    np.testing.assert_allclose(lrbn_viz.explain_away(model, nothing, d > 0), 0.0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_reasons_and_effects_are_those_of_the_known_units(kind):
    model = made(kind, 6)
    x = images(model, 1, 7)[0]
    few, seen = of_known(model, x)
    h = model.infer(x[None])[0][0]
    for j in range(N_H):
        terms, other = lrbn_viz.log_odds_terms(model, x, h, j), lrbn_viz.log_odds_terms(few, seen, h, j)
        for mine, its in zip(terms[1:], other[1:], strict=True):
            assert not mine[np.isnan(x)].any()
            np.testing.assert_allclose(mine[~np.isnan(x)], its, atol=1e-12)
        assert terms.log_odds == pytest.approx(other.log_odds, abs=1e-9)
    effect = lrbn_viz.explain_away(model, x, h)
    np.testing.assert_allclose(effect, lrbn_viz.explain_away(few, seen, h), atol=1e-9)
    basins, others = lrbn_viz.find_basins(model, x, 40), lrbn_viz.find_basins(few, seen, 40)
    np.testing.assert_array_equal(basins.H, others.H)
    np.testing.assert_array_equal(basins.counts, others.counts)
    np.testing.assert_allclose(basins.log_joint, others.log_joint, atol=1e-9)


ESTIMATORS: list[dict[str, Any]] = [
    {"method": "exact"},
    {"method": "map_bound"},
    {"method": "csl", "n_samples": 300},
    {"method": "ais", "n_temperatures": 20},
    {"method": "importance", "n_samples": 20},
]


@pytest.mark.parametrize("n_layers", [1, 2])
@pytest.mark.parametrize("how", ESTIMATORS, ids=lambda how: how["method"])
@pytest.mark.parametrize("kind", KINDS)
def test_log_p_of_what_is_known_is_that_of_the_model_of_the_known_units(kind, how, n_layers):
    model = made(kind, 7, n_layers=n_layers)
    for x in images(model, 3, 8):
        few, seen = of_known(model, x)
        found, truth = log_likelihood(model, x[None], **how), log_likelihood(few, seen[None], **how)
        single = how["method"] in ("csl", "ais")  # computed in single precision
        assert found.values[0] == pytest.approx(truth.values[0], abs=1e-2 if single else 1e-9)
    if how["method"] == "map_bound":
        np.testing.assert_allclose(model.score_samples(x[None]), few.score_samples(seen[None]), atol=1e-9)


@pytest.mark.parametrize("n_h", [N_H, 20])
@pytest.mark.parametrize("kind", KINDS)
def test_mean_field_is_that_of_the_known_units(kind, n_h):
    rng = np.random.default_rng(8)
    parts = rng.normal(0, 0.5, (N_V, n_h)), rng.normal(0, 1, N_V), rng.normal(0, 1, n_h)
    model = LRBN.from_params(*parts, visible=kind)
    X = images(model, 4, 9)
    means = model.transform(X, method="probabilities")
    for x, mean in zip(X, means, strict=True):
        few, seen = of_known(model, x)
        np.testing.assert_allclose(mean, few.transform(seen[None], method="probabilities")[0], atol=1e-5)
        trace, other = (each.map_trace(y, kind="mean-field") for each, y in ((model, x), (few, seen)))
        np.testing.assert_allclose(trace.after, other.after, atol=1e-9)
        np.testing.assert_allclose(trace.log_joint, other.log_joint, atol=1e-9)
        np.testing.assert_array_equal(trace.x, x)


def test_mean_field_through_two_layers_is_that_of_the_known_units():
    rng = np.random.default_rng(9)
    layers = [
        (rng.normal(0, 0.5, (low, high)), rng.normal(0, 1, low), rng.normal(0, 1, high))
        for low, high in ((N_V, 12), (12, 6))
    ]
    model = LRBN.from_layers(layers)
    X = images(model, 3, 10)
    for x, mean in zip(X, model.transform(X, method="probabilities"), strict=True):
        few, seen = of_known(model, x)
        np.testing.assert_allclose(mean, few.transform(seen[None], method="probabilities")[0], atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_known_is_filled_in_and_the_rest_stays(kind):
    model = made(kind, 10)
    X = images(model, 5, 11)
    unknown, (H,) = np.isnan(X), model.infer(X)
    ways: Any = {"most probable": model.most_probable(H), "mean": model.inverse_transform(H)}
    for values, truth in ways.items():
        filled = model.impute(X, values=values)
        np.testing.assert_array_equal(filled[~unknown], X[~unknown])
        np.testing.assert_array_equal(filled[unknown], truth[unknown])
    wrong = reconstruction_error(model, X)
    each = (model.reconstruct(X) - X) ** 2
    np.testing.assert_allclose(wrong, np.nansum(each, axis=1))
    wrong_way: Any = "median"
    with pytest.raises(ValueError, match="values must be one of"):
        model.impute(X, values=wrong_way)


# -- learning


@pytest.mark.nojit
@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_is_that_of_finite_differences(kind):
    model = made(kind, 11, n_v=7)
    X, rng = images(model, 6, 12), np.random.default_rng(0)
    H = rng.integers(0, 2, (6, N_H))
    params, eps = model.layers[0], 1e-6
    found = gradient(params, kind, X, H)
    if kind == "bernoulli":
        learned = regress(params, X, H.astype(np.float64))
        for mine, its in zip(learned.gradient, found, strict=True):
            np.testing.assert_allclose(mine, its, atol=1e-12)
        few = [of_known(model, x) for x in X]
        for m, (alone, seen) in enumerate(few):
            joint = alone.log_joint(seen[None], H[[m]])[0]
            prior = H[m] @ params.d - np.log1p(np.exp(params.d)).sum()
            assert learned.fit[0][m] == pytest.approx(joint - prior, abs=1e-9)
            assert learned.fit[1][m] == (alone.most_probable(H[[m]])[0] != seen).sum()
    for name in LayerParams._fields:
        array = getattr(params, name)
        for index in np.ndindex(array.shape):
            sides = []
            for sign in (1, -1):
                moved = array.copy()
                moved[index] += sign * eps
                at = LRBN.from_layers([params._replace(**{name: moved})], kind)
                sides.append(at.log_joint(X, H).mean())
            slope = (sides[0] - sides[1]) / (2 * eps)
            assert getattr(found, name)[index] == pytest.approx(slope, abs=1e-5)


LEARNERS: dict[str, dict[str, Any]] = {
    "minibatch": {},
    "batch": {"schedule": "batch"},
    "nonnegative": {"nonnegative": True},
    "two layers": {"n_components": (6, 3)},
    "layer by layer": {"n_components": (6, 3), "layer_by_layer": True},
}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("kind", KINDS)
def test_known_images_in_floating_point_teach_the_same_as_in_bytes_and_nan_is_learned_around(kind, name):
    source = made(kind, 12, n_v=12)
    X = source.sample(120, random_state=1)
    how = {"n_components": 6, "n_iter": 3, "random_state": 0, **LEARNERS[name]}
    model = LRBN(**how, visible=kind).fit(X)
    again = LRBN(**how, visible=kind).fit(X.astype(np.float64))
    for mine, its in zip(model.layers, again.layers, strict=True):
        for array, other in zip(mine, its, strict=True):
            np.testing.assert_array_equal(array, other)
    hidden = X.astype(np.float64)
    hidden[np.random.default_rng(0).random(X.shape) < 0.3] = np.nan
    hidden[:, 4] = np.nan  # a column of which nothing is known
    partly = LRBN(**how, visible=kind).fit(hidden)
    assert all(np.isfinite(array).all() for layer in partly.layers for array in layer)
    seen = partly.impute(hidden)
    assert np.isfinite(seen).all()


@pytest.mark.parametrize("schedule", ["minibatch", "batch"])
@pytest.mark.parametrize("kind", KINDS)
def test_learning_from_part_of_each_image_comes_near_to_learning_from_the_whole(kind, schedule):
    source = made(kind, 13, n_v=16)
    X, test = (source.sample(n, random_state=seed).astype(np.float64) for n, seed in ((1500, 0), (300, 1)))
    hidden = np.where(np.random.default_rng(0).random(X.shape) < 0.3, np.nan, X)
    how: dict[str, Any] = {
        "schedule": schedule,
        "n_iter": 25,
        "e_step": "gibbs",
        "warm_sweeps": 3,
        "average": 0.4,
    }
    how |= {"visible": kind, "prior": "learned", "random_state": 0, "validation_size": 0}
    scores = [LRBN(N_H, **how).fit(images) for images in (X, hidden, np.nan_to_num(hidden))]
    whole, partly, off = (log_likelihood(model, test, method="exact").mean for model in scores)
    assert off < whole - 0.8
    assert partly > whole - 0.1 * (whole - off)


def test_passes_over_all_images_do_not_depend_on_the_pieces_in_which_they_come():
    from lrbn_viz.chunks import Here

    source = made("bernoulli", 14, n_v=40)
    X = images(source, 2500, 0, 0.3)
    how: dict[str, Any] = {"schedule": "batch", "n_iter": 2, "random_state": 0, "validation_size": 0}
    fits = [LRBN(5, **how) for _ in range(2)]
    for model, span in zip(fits, (1, 2), strict=True):
        for _ in model.fit_steps(X, pool=Here(span)):
            pass
    for mine, its in zip(fits[0].layers[0], fits[1].layers[0], strict=True):
        np.testing.assert_array_equal(mine, its)


# -- at the edge


def test_infinity_is_refused_and_so_is_nan_where_a_model_cannot_take_it():
    model = made("gaussian", 15)
    x = np.full(N_V, np.inf)
    with pytest.raises(
        ValueError, match="contains infinity; expected finite numbers, or NaN for what is not known"
    ):
        model.map_trace(x)
    whole = SYSTEMS["RWS"](4, n_iter=1, random_state=0).fit(np.eye(20, dtype=np.uint8).repeat(4, axis=0))
    with pytest.raises(ValueError, match=r"contains NaN .*use an LRBN, which infers and learns"):
        whole.fit(np.full((4, 20), np.nan))
    with pytest.raises(ValueError, match="transform, as fit, of this RWS expects whole images"):
        whole.transform(np.full((4, 20), np.nan))
    assert made("bernoulli", 0).__sklearn_tags__().input_tags.allow_nan
    assert not whole.__sklearn_tags__().input_tags.allow_nan


def test_binarized_images_keep_what_is_not_known():
    model = LRBN.from_params(*made("bernoulli", 16).layers[0], binarize=0.5)
    X = np.where(np.arange(N_V) % 3 == 0, np.nan, np.arange(N_V) % 2)[None] * 0.9
    seen = model.check_images(X)
    np.testing.assert_array_equal(np.isnan(seen), np.isnan(X))
    np.testing.assert_array_equal(seen[~np.isnan(X)], X[~np.isnan(X)] > 0.5)


def test_a_trace_of_an_image_that_is_known_in_part_is_saved_and_read_again(tmp_path):
    model = made("bernoulli", 17)
    trace = model.map_trace(images(model, 1, 0)[0])
    trace.save(tmp_path / "trace.npz")
    again = lrbn_viz.ICMTrace.load(tmp_path / "trace.npz")
    np.testing.assert_array_equal(again.x, trace.x)
    np.testing.assert_array_equal(again.wrong_pixels(), trace.wrong_pixels())


def test_bars_of_which_a_third_of_the_pixels_is_not_known_are_all_found():
    data = lrbn_viz.load_dataset("bars")
    X = np.where(np.random.default_rng(0).random(data.train_X.shape) < 0.3, np.nan, data.train_X)
    how: dict[str, Any] = {"e_step": "gibbs", "init": "zeros", "learning_rate": 1.0, "n_iter": 20}
    model = LRBN(24, nonnegative=True, patience=None, random_state=0, **how).fit(X)
    on = model.layers[0].W.T.reshape(-1, *data.image_shape) > 2.0
    lines = on.all(axis=1).sum(axis=1) + on.all(axis=2).sum(axis=1)
    single = on[lines == 1].all(axis=1), on[lines == 1].all(axis=2)
    assert [axis.any(axis=0).sum() for axis in single] == [8, 8]


@pytest.mark.parametrize("kind", ["bernoulli", "gaussian"])
def test_the_ladder_is_that_of_the_model_of_the_known_units(kind):
    model = made(kind, 19)
    x = images(model, 1, 0)[0]
    part, known = of_known(model, x)
    found, wanted = lrbn_viz.ladder(model, x).rungs, lrbn_viz.ladder(part, known).rungs
    assert found.keys() == wanted.keys()
    for name, rung in wanted.items():
        assert found[name].kl == pytest.approx(rung.kl, abs=1e-9)


def test_a_trace_of_an_image_that_is_known_in_part_is_shown():
    model = made("bernoulli", 18)
    trace = model.map_trace(images(model, 1, 0)[0])
    assert "70 pixels" in repr(trace)
    assert "not known" in str(trace._repr_html_())
    assert show_trace(trace, image_shape=(7, 10)).trace
    assert draw_end([trace], image_shape=(7, 10)).startswith(b"\x89PNG")
