"""The scikit-learn face: its own checks, and the tools that users combine it with."""

from typing import Any

import numpy as np
import pytest
from engine.cases import VISIBLES
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from lrbn_viz import LRBN, RBM, load_dataset

FAMILIES = (LRBN, RBM)
FEW: dict[str, Any] = {"n_components": 3, "n_iter": 2, "random_state": 0}
CHECKED = [*((family, how) for family in FAMILIES for how in ({}, FEW)), (LRBN, {**FEW, "nonnegative": True})]
"""Classes and settings that pass every check of scikit-learn, with Gaussian units and once they binarize."""

_REAL = "feeds real numbers to fit, where Bernoulli visible units accept 0 and 1 only: "
NOT_BINARY = {
    "check_fit_score_takes_y": _REAL + "uniform noise",
    "check_estimators_overwrite_params": _REAL + "blobs",
    "check_dont_overwrite_parameters": _REAL + "3 times uniform noise",
    "check_estimators_fit_returns_self": _REAL + "blobs",
    "check_readonly_memmap_input": _REAL + "blobs, in a memory map",
    "check_n_features_in_after_fitting": _REAL + "normal noise",
    "check_positive_only_tag_during_fit": _REAL + "numbers of either sign, where any ValueError counts",
    "check_estimators_dtypes": _REAL + "uniform noise cast to several dtypes",
    "check_dtype_object": _REAL + "uniform noise held as objects",
    "check_pipeline_consistency": _REAL + "blobs",
    "check_estimators_nan_inf": _REAL + "uniform noise, before it plants NaN",
    "check_estimators_pickle": _REAL + "blobs",
    "check_f_contiguous_array_estimator": _REAL + "uniform noise in Fortran order",
    "check_transformer_data_not_an_array": _REAL + "standardised blobs",
    "check_transformer_general": _REAL + "standardised blobs",
    "check_methods_sample_order_invariance": _REAL + "3 times uniform noise",
    "check_methods_subset_invariance": _REAL + "3 times uniform noise",
    "check_fit2d_1sample": _REAL + "one row of them, and wants the error to speak of samples",
    "check_fit2d_1feature": _REAL + "one column of them, and wants the error to speak of features",
    "check_dict_unchanged": _REAL + "3 times uniform noise",
    "check_fit_idempotent": _REAL + "normal noise around 100",
    "check_fit_check_is_fitted": _REAL + "normal noise around 100",
    "check_n_features_in": _REAL + "normal noise around 100",
    "check_fit2d_predict1d": _REAL + "3 times uniform noise",
    "check_estimator_sparse_tag": _REAL + "uniform noise, sparse",
    "check_estimator_sparse_array": _REAL + "uniform noise, sparse",
    "check_estimator_sparse_matrix": _REAL + "uniform noise, sparse",
}


def failures(results: list[dict]) -> dict[str, str]:
    return {
        r["check_name"]: repr(r["exception"]) for r in results if r["status"] not in ("passed", "skipped")
    }


@pytest.mark.parametrize(("family", "settings"), CHECKED)
def test_the_gaussian_form_passes_every_check_of_scikit_learn(family, settings):
    if not settings:
        settings = {"n_components": 20}
    results = check_estimator(family(visible="gaussian", **settings), on_fail=None, on_skip=None)
    assert failures(results) == {}
    assert len(results) > 40


@pytest.mark.parametrize("family", FAMILIES)
def test_the_bernoulli_form_passes_all_checks_but_those_that_feed_it_other_numbers(family):
    expected = {**NOT_BINARY}
    if family is LRBN:  # it takes NaN, which this check is to see refused
        del expected["check_estimators_nan_inf"]
    if family is RBM:  # its codes are probabilities, whose type is that of the images
        expected["check_transformer_preserve_dtypes"] = _REAL + "standardised blobs"
    # Raises for a failure outside the list.
    results = check_estimator(
        family(3, n_iter=2, random_state=0), expected_failed_checks=expected, on_skip=None
    )
    failed = failures(results)
    # No line of the list is stale, and each failed for the reason that it gives.
    assert failed.keys() == expected.keys()
    for name, message in failed.items():
        in_words_of_its_own = "sparse" in name or name == "check_positive_only_tag_during_fit"
        assert "expect 0 and 1 only" in message or in_words_of_its_own


@pytest.mark.parametrize(("family", "settings"), CHECKED)
def test_the_bernoulli_form_passes_every_check_once_it_binarizes(family, settings):
    results = check_estimator(
        family(visible="bernoulli", binarize=0.0, **settings), on_fail=None, on_skip=None
    )
    assert failures(results) == {}
    assert len(results) > 40
    # What is left out wants an environment variable of SciPy's before its first import.
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= {"check_array_api_input"}


@pytest.mark.nojit
def test_the_parameters_of_a_model_are_a_copy_that_nobody_writes_to():
    W, b, d = np.ones((3, 2)), np.zeros(3), np.zeros(2)
    params = LRBN.from_params(W, b, d).layers[0]
    W[0, 0] = 9.0
    assert params.W[0, 0] == 1.0
    for array in params:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


@pytest.mark.nojit
@pytest.mark.parametrize("family", FAMILIES)
def test_clones_have_the_settings_and_none_of_the_parameters(family):
    model = family(3, visible="gaussian", n_iter=1, batch_size=9, random_state=4)
    model.fit(np.random.default_rng(0).normal(size=(30, 4)))
    copied: Any = clone(model)
    assert copied.get_params() == model.get_params()
    assert not hasattr(copied, "params_")
    copied.set_params(n_components=2, batch_size=5)
    assert (copied.n_components, copied.batch_size) == (2, 5)
    with pytest.raises(NotFittedError):
        copied.transform(np.zeros((1, 4)))


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("family", FAMILIES)
def test_fit_gives_what_it_promises(family, visible):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (50, 7)) if visible == "bernoulli" else rng.normal(size=(50, 7))
    model = family(4, visible=visible, n_iter=2, random_state=0)
    assert model.fit(X) is model
    W, b, d = model.layers[0]
    assert (W.shape, b.shape, d.shape) == ((7, 4), (7,), (4,))
    assert {a.dtype for a in model.layers[0]} == {np.dtype(np.float64)}
    assert (model.n_features_in_, model.n_iter_) == (7, 2)
    H = model.transform(X, method="states")
    assert (H.shape, H.dtype) == ((50, 4), np.dtype(np.uint8))
    assert set(np.unique(H)) <= {0, 1}
    assert model.inverse_transform(H).shape == model.reconstruct(X).shape == (50, 7)
    assert model.log_joint(X, H).shape == model.score_samples(X).shape == (50,)
    sample = model.sample(5, random_state=0)
    assert (sample.shape, sample.dtype) == (
        (5, 7),
        np.dtype(np.uint8 if visible == "bernoulli" else np.float64),
    )
    np.testing.assert_array_equal(model.sample(5, random_state=0), sample)
    assert list(model.get_feature_names_out()) == [f"{family.__name__.lower()}{j}" for j in range(4)]
    again = family(4, visible=visible, n_iter=2, random_state=0)
    np.testing.assert_array_equal(again.fit_transform(X), model.transform(X))


def test_latent_states_are_features_in_a_pipeline():
    digits = load_dataset("digits")
    X, y = digits.train_X, digits.train_y
    pipeline = make_pipeline(
        Binarizer(), LRBN(16, prior="flat", n_iter=5, random_state=0), LogisticRegression(max_iter=500)
    )
    score = pipeline.fit(X, y).score(digits.test_X, digits.test_y)
    assert score > 0.6
    real = load_dataset("digits", binary=False)
    pipeline = make_pipeline(
        StandardScaler(),
        LRBN(16, visible="gaussian", n_iter=3, random_state=0),
        RandomForestClassifier(30, random_state=0),
    )
    assert pipeline.fit(real.train_X, real.train_y).score(real.test_X, real.test_y) > 0.6


@pytest.mark.parametrize("family", FAMILIES)
def test_grid_search_chooses_by_the_held_out_score(family):
    X = load_dataset("digits").train_X[:200]
    more = {LRBN: 20, RBM: 60}[family]
    search = GridSearchCV(family(6, random_state=0), {"n_iter": [1, more]}, cv=2)
    search.fit(X)
    scores = search.cv_results_["mean_test_score"]
    assert search.best_params_["n_iter"] == more
    halves = [family(6, n_iter=more, random_state=0).fit(X[part]) for part in (slice(100, 200), slice(100))]
    by_hand = [half.score(X[part]) for half, part in zip(halves, (slice(100), slice(100, 200)), strict=True)]
    assert scores[1] == pytest.approx(np.mean(by_hand))


def test_a_warmed_prior_is_held_for_its_warm_up_and_then_learned():
    X = load_dataset("digits").train_X[:40]  # 2 minibatches a pass
    flat = {
        n: LRBN(6, prior="warmed", warm_up=10, n_iter=n, random_state=0).fit(X).layers[0].d for n in (5, 7)
    }
    assert not flat[5].any()
    assert flat[7].any()
