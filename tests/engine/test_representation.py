"""What a linear classifier makes of codes: against a direct computation, chance and bad input."""

import numpy as np
import pytest
from engine.refusals import Bad, assert_refused
from sklearn.linear_model import LogisticRegression

from lrbn_viz import LRBN, RBM, load_dataset, pretrained
from lrbn_viz.measure import representation_quality


@pytest.fixture(scope="module")
def digits():
    data = load_dataset("digits")
    return data.train_X[:400], data.train_y[:400], data.test_X[:150], data.test_y[:150]


def deep():
    rng = np.random.default_rng(0)
    layers = [
        (rng.normal(size=(64, 9)), rng.normal(size=64), np.zeros(9)),
        (rng.normal(size=(9, 5)), rng.normal(size=9), np.zeros(5)),
    ]
    return LRBN.from_layers(layers)


def direct(X, y, X_test, y_test):
    return (LogisticRegression(max_iter=300).fit(X, y).predict(X_test) == y_test).mean()


def test_it_is_the_accuracy_of_logistic_regression_on_the_codes_and_on_the_pixels(digits):
    X, y, X_test, y_test = digits
    model = pretrained("lrbn-16-digits")
    found = representation_quality(model, X, y, X_test, y_test)
    assert found.accuracy == direct(model.transform(X), y, model.transform(X_test), y_test)
    assert found.pixel_accuracy == direct(X, y, X_test, y_test)
    assert found.converged
    assert found.settings["n_train"] == 400
    assert found.standard_error == pytest.approx(np.sqrt(found.accuracy * (1 - found.accuracy) / 150))


@pytest.mark.parametrize("method", ["icm", "annealed"])
def test_codes_of_a_trained_model_tell_the_classes_far_above_chance(digits, method):
    found = representation_quality(
        pretrained("lrbn-16-digits"), *digits, method=method, n_sweeps=20, pixels=False
    )
    assert found.pixel_accuracy is None
    assert found.accuracy > 0.6  # chance: 0.1


def test_labels_that_have_nothing_to_do_with_the_images_are_not_told(digits):
    X, _, X_test, _ = digits
    rng = np.random.default_rng(0)
    y, y_test = rng.integers(0, 10, len(X)), rng.integers(0, 10, len(X_test))
    found = representation_quality(pretrained("lrbn-16-digits"), X, y, X_test, y_test, pixels=False)
    assert found.accuracy < 0.25


@pytest.mark.parametrize("layer", [1, 2, None])
def test_the_layer_of_a_deep_model_is_chosen(digits, layer):
    X, y, X_test, y_test = digits
    model = deep()

    def codes(images):
        states = model.infer(images)
        return np.hstack(states) if layer is None else states[layer - 1]

    found = representation_quality(model, X, y, X_test, y_test, layer=layer, pixels=False)
    assert found.accuracy == direct(codes(X), y, codes(X_test), y_test)


def test_an_rbms_codes_are_its_exact_states(digits):
    X, y, X_test, y_test = digits
    model = pretrained("rbm-16-digits")
    assert isinstance(model, RBM)
    states, states_test = (model.transform(each, method="states") for each in (X, X_test))
    told = []
    found = representation_quality(model, X, y, X_test, y_test, pixels=False, progress=told.append)
    assert found.accuracy == direct(states, y, states_test, y_test)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_a_classifier_that_stopped_early_is_said_to_have(digits):
    found = representation_quality(pretrained("lrbn-16-digits"), *digits, max_iter=2, pixels=False)
    assert not found.converged


X, Y = np.eye(64, dtype=np.uint8)[:10], np.arange(10) % 2

BAD = [
    Bad("labels", lambda: call(y=Y[:4]), ValueError, r"expected \(10,\)", r"y has shape \(4,\)"),
    Bad("test labels", lambda: call(y_test=Y[:, None]), ValueError, r"expected \(10,\)", r"\(10, 1\)"),
    Bad("one class", lambda: call(y=np.zeros(10)), ValueError, "two classes", "only .*0"),
    Bad("NaN", lambda: call(y=np.full(10, np.nan)), ValueError, "class of each image", "NaN"),
    Bad("layer", lambda: call(layer=2), ValueError, "1 to 1", "2"),
    Bad("method", lambda: call(method="guess"), ValueError, "'icm', 'annealed', 'gibbs'", "guess"),
    Bad("C", lambda: call(C=0), ValueError, "above 0", "0"),
    Bad("images", lambda: call(X=X[:, :60]), ValueError, "64", "60"),
]


def call(**changed):
    given = {"X": X, "y": Y, "X_test": X, "y_test": Y} | changed
    return representation_quality(pretrained("lrbn-16-digits"), **given)


@pytest.mark.parametrize("bad", BAD, ids=[bad.name for bad in BAD])
def test_bad_input_is_refused(bad):
    assert_refused(bad)
