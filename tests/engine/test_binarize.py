"""Bernoulli models on grey images: `binarize` does at every edge what thresholding beforehand does."""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import binarize

from lrbn_viz import (
    LRBN,
    RBM,
    exact_posterior,
    explain_away,
    find_basins,
    load_model,
    log_odds_terms,
    pretrained,
)
from lrbn_viz.measure import log_likelihood, reconstruction_error, representation_quality
from lrbn_viz.measure.passes import gibbs_passes
from lrbn_viz.studies.runs import LaneConfig, RunConfig

T = 7.5
"""Above 1: what was binarized once too often would be all 0."""
GREY = np.random.default_rng(2).integers(0, 17, (40, 9)).astype(np.uint8)
BINARY = (GREY > T).astype(np.uint8)
Y = np.arange(len(GREY)) % 3
MODELS: list[tuple[type, dict[str, Any]]] = [
    (LRBN, {"n_components": 4, "n_iter": 2}),
    (RBM, {"n_components": 4, "n_iter": 2, "n_sample_sweeps": 3}),
    (LRBN, {"n_components": (4, 3), "layer_by_layer": True, "n_iter": 1, "n_fine_tune": 1}),
]


def pair(family, settings):
    """Two models that differ in who thresholds: the model itself, or the caller."""
    how: dict[str, Any] = {"random_state": 0, "batch_size": 8, **settings}
    return family(binarize=T, **how).fit(GREY), family(**how).fit(BINARY)


def same(one, other):
    for left, right in zip(one, other, strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize(("family", "settings"), MODELS)
def test_all_that_a_model_answers_is_as_if_images_were_thresholded_beforehand(family, settings):
    own, beforehand = pair(family, settings)
    for one, other in zip(own.layers, beforehand.layers, strict=True):
        same(one, other)
    for name in ("transform", "score_samples", "reconstruct"):
        np.testing.assert_array_equal(getattr(own, name)(GREY), getattr(beforehand, name)(BINARY))
    assert own.score(GREY) == beforehand.score(BINARY)
    trace, expected = own.map_trace(GREY[3]), beforehand.map_trace(BINARY[3])
    np.testing.assert_array_equal(trace.x, BINARY[3])
    np.testing.assert_array_equal(trace.log_odds, expected.log_odds)
    np.testing.assert_array_equal(reconstruction_error(own, GREY), reconstruction_error(beforehand, BINARY))
    for method in ("exact", "ais"):
        how: dict[str, Any] = {"method": method, "random_state": 0}
        how |= {} if method == "exact" else {"n_temperatures": 5, "n_chains": 100}
        np.testing.assert_array_equal(
            log_likelihood(own, GREY, **how).values, log_likelihood(beforehand, BINARY, **how).values
        )
    assert representation_quality(own, GREY, Y, GREY, Y) == representation_quality(
        beforehand, BINARY, Y, BINARY, Y
    )
    h = own.transform(GREY[:1], method="states")[0]
    same(explain_away(own, GREY[0], h), explain_away(beforehand, BINARY[0], h))
    one, other = log_odds_terms(own, GREY[0], h, 1), log_odds_terms(beforehand, BINARY[0], h, 1)
    np.testing.assert_array_equal(one.evidence, other.evidence)


@pytest.mark.nojit
def test_so_is_what_only_a_model_of_one_layer_answers():
    for family, settings in MODELS[:2]:
        own, beforehand = pair(family, settings)
        own, beforehand = own.fit(GREY).partial_fit(GREY), beforehand.fit(BINARY).partial_fit(BINARY)
        same(own.layers[0], beforehand.layers[0])
        H = own.transform(GREY, method="states")
        np.testing.assert_array_equal(own.log_joint(GREY, H), beforehand.log_joint(BINARY, H))
        posterior = exact_posterior(own, GREY[0])
        np.testing.assert_array_equal(
            posterior.probabilities, exact_posterior(beforehand, BINARY[0]).probabilities
        )
    lrbn, plain = pair(*MODELS[0])
    found, expected = find_basins(lrbn, GREY[5], 40), find_basins(plain, BINARY[5], 40)
    np.testing.assert_array_equal(found.H, expected.H)
    np.testing.assert_array_equal(found.log_joint, expected.log_joint)
    rbm, plain = pair(*MODELS[1])
    np.testing.assert_array_equal(rbm.posterior(GREY), plain.posterior(BINARY))
    np.testing.assert_array_equal(gibbs_passes(rbm, 3, GREY[0]).X, gibbs_passes(plain, 3, BINARY[0]).X)


@pytest.mark.nojit
def test_a_value_is_on_where_scikit_learn_says_so():
    values = np.array([[-1.0, -0.1, 0.0, 0.1, 0.5, 0.50001, 1.0, np.float32(0.1)]])
    for threshold in (-0.5, 0.0, 0.1, 0.5, 3):
        for dtype in (np.float64, np.float32):
            given = values.astype(dtype)
            model = LRBN.from_params(np.zeros((8, 1)), np.zeros(8), np.zeros(1), binarize=threshold)
            np.testing.assert_array_equal(model.check_images(given), binarize(given, threshold=threshold))


def test_a_pipeline_on_grey_digits_takes_one_line():
    grey, y = load_digits(return_X_y=True)
    for model in (
        LRBN(16, prior="flat", n_iter=5, binarize=7, random_state=0),
        RBM(32, binarize=7, random_state=0),
    ):
        pipeline = make_pipeline(model, LogisticRegression(max_iter=500))
        assert pipeline.fit(grey[:1200], y[:1200]).score(grey[1200:], y[1200:]) > 0.6
        assert pipeline.set_params(**{f"{type(model).__name__.lower()}__binarize": 20}).score(grey, y) < 0.2


@pytest.mark.nojit
@pytest.mark.parametrize(("family", "settings"), MODELS)
def test_the_threshold_is_saved(family, settings, tmp_path):
    own, _ = pair(family, settings)
    own.set_params(binarize=np.float32(T)).save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    assert again.binarize == T
    np.testing.assert_array_equal(again.transform(GREY), own.transform(GREY))
    assert pretrained("lrbn-12-digits").binarize is None


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("threshold", "visible", "error", "message"),
    [
        (0.5, "gaussian", ValueError, r'binarize must be None with visible="gaussian"'),
        (True, "bernoulli", TypeError, "binarize must be None or a number; got True"),
        ("half", "bernoulli", TypeError, "binarize must be None or a number; got 'half'"),
        (np.nan, "bernoulli", ValueError, "binarize must be None or finite; got nan"),
        (np.inf, "bernoulli", ValueError, "binarize must be None or finite; got inf"),
    ],
)
@pytest.mark.parametrize("family", [LRBN, RBM])
def test_what_is_no_threshold_is_refused(family, threshold, visible, error, message):
    with pytest.raises(error, match=message):
        family(binarize=threshold, visible=visible).fit(GREY.astype(float))


@pytest.mark.nojit
def test_what_is_missing_is_refused_and_not_binarized():
    bad = GREY.astype(float)
    bad[1, 1] = np.nan
    with pytest.raises(ValueError, match="X contains NaN or infinity"):
        RBM(3, binarize=T).fit(bad)


@pytest.mark.nojit
def test_a_run_whose_images_are_binary_already_takes_no_threshold():
    with pytest.raises(
        ValueError, match=r"binarize must be None: a run.s images are binary already; got 0\.5"
    ):
        RunConfig("digits", {"LRBN": LaneConfig("LRBN", {"binarize": 0.5})}).check()
