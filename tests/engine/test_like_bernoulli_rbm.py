"""Each idea of scikit-learn's tests of `BernoulliRBM` holds for `RBM`; the docs have a table of names."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import BernoulliRBM
from sklearn.pipeline import make_pipeline

import lrbn_viz
from lrbn_viz import LRBN, RBM

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "howto" / "bernoulli_rbm.md").read_text(encoding="utf-8")
CONTAINERS: list[Any] = [
    getattr(sparse, f"{form}_{kind}") for form in ("csr", "csc", "lil") for kind in ("array", "matrix")
]
SAME: dict[str, Any] = {"n_components": 64, "learning_rate": 0.1, "batch_size": 10, "n_iter": 7}
RNG = np.random.default_rng


@pytest.fixture(scope="module")
def X() -> np.ndarray:
    return lrbn_viz.load_dataset("digits").train_X[:600]


@pytest.fixture(scope="module")
def fitted(X) -> RBM:
    return RBM(**SAME, random_state=9).fit(X)


def test_fit_reaches_the_pseudo_likelihood_of_scikit_learns_and_leaves_the_images_alone(X, fitted):
    """test_fit. Theirs is of one random pixel, times the number of pixels."""
    given = X.copy()
    model = RBM(**SAME, random_state=9).fit(given)
    np.testing.assert_array_equal(given, X)
    np.testing.assert_array_equal(model.layers[0].W, fitted.layers[0].W)
    theirs = BernoulliRBM(**SAME, random_state=np.random.RandomState(9)).fit(X)
    # Over many draws of a pixel theirs is ours, with the same parameters.
    ours = RBM.from_params(theirs.components_.T, theirs.intercept_visible_, theirs.intercept_hidden_)
    drawn = [theirs.score_samples(X).mean() for _ in range(20)]
    assert ours.score(X) == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / np.sqrt(20))
    assert fitted.score(X) > ours.score(X) - 1.0


def test_partial_fit_in_batches_learns_as_fit_does(X, fitted):
    """test_partial_fit."""
    model = RBM(**{**SAME, "n_iter": 1}, random_state=9)
    for _ in range(7):
        for batch in np.array_split(X, 60):
            model.partial_fit(batch)
    assert model.score(X) == pytest.approx(fitted.score(X), abs=1.0)


def test_codes_are_the_probabilities_of_the_formula_and_states_have_a_name(X, fitted):
    """test_transform."""
    W, _, d = fitted.params_
    p = 1.0 / (1.0 + np.exp(-(X @ W + d)))
    np.testing.assert_allclose(fitted.transform(X), p, rtol=1e-12)
    np.testing.assert_array_equal(fitted.transform(X, method="probabilities"), fitted.posterior(X))
    states = fitted.transform(X, method="states")
    assert states.dtype == np.uint8
    np.testing.assert_array_equal(states, p > 0.5)
    np.testing.assert_array_equal(states, fitted.infer(X)[0])
    np.testing.assert_array_equal(fitted.reconstruct(X), fitted.inverse_transform(states) > 0.5)
    with pytest.raises(TypeError, match="n_sweeps"):  # there is nothing to sweep over
        fitted.transform(X, n_sweeps=3)
    theirs = BernoulliRBM(64)
    theirs.components_, theirs.intercept_hidden_ = W.T, d
    np.testing.assert_allclose(theirs.transform(X), p, rtol=1e-12)


@pytest.mark.parametrize("container", CONTAINERS)
def test_sparse_images_give_what_dense_ones_do(X, container):
    """test_small_sparse, test_small_sparse_partial_fit and the sparse part of test_score_samples."""
    few = X[:100]
    one, other = (RBM(8, n_iter=2, random_state=0) for _ in range(2))
    one.fit(container(few.astype(float))).partial_fit(container(few.astype(float)))
    other.fit(few).partial_fit(few)
    np.testing.assert_array_equal(one.layers[0].W, other.layers[0].W)
    for asked in ("transform", "score_samples", "reconstruct", "posterior"):
        found = getattr(one, asked)(container(few.astype(float)))
        np.testing.assert_array_equal(found, getattr(other, asked)(few))


def test_a_step_of_gibbs_sampling_draws_latents_and_pixels_with_their_probabilities():
    """test_sample_hiddens and test_fit_gibbs: shares of draws are the exact probabilities of one step."""
    rng = RNG(0)
    model = RBM.from_params(rng.normal(size=(3, 2)), rng.normal(size=3), rng.normal(size=2))
    x = np.array([1, 0, 1])
    H = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    p = model.posterior(x[None])[0]
    weight = np.prod(np.where(H, p, 1 - p), axis=1)
    expected = weight @ model.inverse_transform(H)
    n = 20_000
    drawn = model.gibbs(np.tile(x, (n, 1)), random_state=0)
    assert drawn.dtype == np.uint8
    assert np.abs(drawn.mean(axis=0) - expected).max() < 4 * 0.5 / np.sqrt(n)


def test_steps_of_gibbs_sampling_are_images_and_differ_unless_the_seed_is_the_same(X, fitted):
    """test_gibbs_smoke."""
    once, again = fitted.gibbs(X), fitted.gibbs(X)
    assert set(np.unique(once)) == {0, 1}
    assert (once != again).any(axis=1).mean() > 0.99
    np.testing.assert_array_equal(fitted.gibbs(X, random_state=3), fitted.gibbs(X, random_state=3))
    grey = RBM.from_params(np.zeros((2, 1)), np.array([3.0, -1.0]), np.zeros(1), visible="gaussian")
    drawn = grey.gibbs(np.zeros((4000, 2)), random_state=0)
    np.testing.assert_allclose(drawn.mean(axis=0), [3.0, -1.0], atol=0.1)
    np.testing.assert_allclose(drawn.std(axis=0), 1.0, atol=0.1)


def test_a_pseudo_likelihood_is_not_clipped_and_stays_finite():
    """test_score_samples: 1000 pixels on which training data never agree score far below zero."""
    X = np.vstack([np.zeros(1000), np.ones(1000)])
    model = RBM.from_params(np.zeros((1000, 10)), np.zeros(1000), np.zeros(10))
    np.testing.assert_allclose(model.score_samples(X), -1000 * np.log(2))
    wide = RBM.from_params(np.full((1000, 10), 50.0), np.full(1000, -400.0), np.zeros(10))
    found = wide.score_samples(X)
    assert np.isfinite(found).all()
    with pytest.raises(ValueError, match="expect 0 and 1 only"):  # theirs takes any number
        wide.score_samples([np.arange(1000) * 100])


def test_progress_is_a_bar_that_fit_is_asked_for_by_itself_and_through_a_pipeline(X, capsys):
    """test_rbm_verbose and test_sparse_and_verbose."""
    model = RBM(4, n_iter=2, random_state=0)
    images: Any = sparse.csr_array(X[:60].astype(float))
    model.fit(images)
    assert capsys.readouterr().err == ""
    model.fit(images, verbose=True)
    assert "training 100%" in capsys.readouterr().err
    make_pipeline(RBM(4, n_iter=2, random_state=0)).fit(X[:60], rbm__verbose=True)
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "expected"), [(np.float32, np.float32), (np.float64, np.float64), (int, np.float64)]
)
def test_probabilities_have_the_precision_of_the_images(X, given, expected):
    """test_transformer_dtypes_casting."""
    assert RBM(8, n_iter=2, random_state=0).fit_transform(X[:100].astype(given)).dtype == expected


def test_images_in_single_precision_teach_what_those_in_double_do(X):
    """test_convergence_dtype_consistency: images are stored as 0 and 1 either way."""
    fits = [RBM(8, n_iter=2, random_state=0).fit(X[:100].astype(kind)) for kind in (np.float32, np.float64)]
    np.testing.assert_array_equal(fits[0].layers[0].W, fits[1].layers[0].W)
    single = fits[0].transform(X[:100].astype(np.float32))
    np.testing.assert_allclose(single, fits[1].transform(X[:100]), rtol=1e-6)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_names_of_columns_out_are_numbered(X, method):
    """test_feature_names_out."""
    model = RBM(5, n_iter=1)
    getattr(model, method)(X[:50])
    assert list(model.get_feature_names_out()) == [f"rbm{j}" for j in range(5)]


def test_images_are_drawn_by_number_as_other_models_of_scikit_learn_do():
    model = RBM.from_params(np.zeros((3, 2)), np.array([9.0, -9.0, 0.0]), np.zeros(2))
    assert model.sample(n_samples=50, random_state=0).shape == (50, 3)
    assert LRBN.from_params(*model.layers[0]).sample(n_samples=4).shape == (4, 3)


def test_nothing_of_latents_is_routed_as_metadata(X):
    for kind in lrbn_viz.catalog.kinds().values():
        made: Any = kind.model
        for method in ("fit", "transform", "inverse_transform", "split", "score", "predict"):
            asked = getattr(made.get_metadata_routing(), method).requests
            assert set(asked) == ({"method"} if method == "transform" else set()), (kind, method)
        assert not hasattr(made, "set_inverse_transform_request")
        assert not hasattr(made, "set_split_request")


def accuracies(kind: Any, seeds: int, **settings: Any) -> list[float]:
    """Return the shares of test digits named rightly from the codes of models with different seeds."""
    data = lrbn_viz.load_dataset("digits")

    def one(model: Any) -> float:
        codes = model.fit(data.train_X).transform(data.train_X), model.transform(data.test_X)
        return LogisticRegression(max_iter=500).fit(codes[0], data.train_y).score(codes[1], data.test_y)

    return [one(kind(64, n_iter=10, random_state=seed, **settings)) for seed in range(seeds)]


def test_a_classifier_on_its_codes_is_at_least_as_good_as_on_those_of_scikit_learns():
    alike: dict[str, Any] = {"gradient": "standard", "n_particles": 10, "validation_size": 0}
    (ours,) = accuracies(RBM, 1, learning_rate=0.1, batch_size=10, **alike)
    (theirs,) = accuracies(BernoulliRBM, 1, learning_rate=0.1, batch_size=10)
    assert ours >= theirs > 0.85


def test_by_the_defaults_of_both_a_classifier_on_its_codes_is_at_least_as_good():
    """At a rate of 0.05 in minibatches of 20 the mean was 0.825, and that of scikit-learn's codes 0.911."""
    assert np.mean(accuracies(RBM, 2)) >= np.mean(accuracies(BernoulliRBM, 2)) > 0.85


def test_every_parameter_attribute_and_method_of_scikit_learns_is_in_the_table_of_the_docs():
    theirs = BernoulliRBM(2, n_iter=1).fit(np.eye(4))
    named = {*theirs.get_params(), *(name for name in vars(theirs) if name.endswith("_"))}
    named |= {"fit", "partial_fit", "fit_transform", "transform", "gibbs", "score_samples"}
    rows = re.findall(r"^\| `(\w+)", TABLE, re.MULTILINE)
    assert named <= {*rows}
    for name in re.findall(r"RBM\.(\w+)", TABLE):
        assert hasattr(RBM(), name) or name in vars(RBM(2).fit(np.eye(20)[:10] > 0)), name


def test_by_default_an_rbm_of_grey_images_learns_and_does_not_diverge():
    """At a rate of 0.05 training with 200 latents diverged within a pass."""
    X = np.asarray(lrbn_viz.load_dataset("digits", binary=False).train_X[:400])
    model = RBM(200, visible="gaussian", n_iter=3, random_state=0).fit(X[100:])
    mean = X[100:].mean(axis=0)
    alone = RBM.from_params(np.zeros((64, 1)), mean, np.zeros(1), visible="gaussian")
    assert model.score(X[:100]) > alone.score(X[:100]) + 0.3


def test_the_default_rate_and_number_of_chains_follow_the_visibles_and_the_minibatch():
    rates = [RBM(visible=kind).make_system().learning_rate for kind in ("bernoulli", "gaussian")]
    assert rates == [0.2, 0.01]
    falls = [
        {},
        {"visible": "gaussian"},
        {"learning_rate": 0.2},
        {"learning_rate_end": 0.01},
        {"adaptive_rate": True},
    ]
    assert [RBM(**each).make_system().decay_steps for each in falls] == [2000.0, *4 * [np.inf]]
    assert RBM(decay_steps=50.0).make_system().decay_steps == 50.0
    assert RBM(learning_rate=0.3).make_system().learning_rate == 0.3
    assert [RBM(batch_size=n).make_system().n_particles for n in (5, 100)] == [40, 100]
