"""A recognition network for a fixed LRBN: what generates stays, and the guess nears the posterior."""

import numpy as np
import pytest
from covering import slow_but
from engine.cases import random_case

from lrbn_viz import LRBN, NVIL, RBM, RWS, load_model, pretrained, with_recognition
from lrbn_viz.core.model import NotOffered
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.measure.ladder import ladder


@pytest.fixture(scope="module")
def lrbn() -> LRBN:
    """Its weights need more digits than single precision has, and lie column by column."""
    case = random_case("bernoulli", 12, 5, 4)
    return LRBN.from_params(np.asfortranarray(case.params.W), *case.params[1:])


@pytest.fixture(scope="module")
def images(lrbn):
    return lrbn.sample(300, random_state=1)


def distance(model, X) -> float:
    """Mean KL(q(h | x) || P(h | x)) of a recognition network, in nats."""
    return float(np.mean([ladder(model, x).rungs["recognition"].kl for x in X]))


@pytest.mark.parametrize("method", slow_but({"wake"}, ["bound", "wake", "sleep"]))
def test_what_generates_stays_and_the_guess_gets_nearer(method, lrbn, images, tmp_path):
    begun = with_recognition(
        lrbn, images, method=method, n_iter=1, learning_rate=1e-7, learning_rate_end=None
    )
    found = with_recognition(lrbn, images, method=method, n_iter=100)
    for model in (begun, found):
        assert isinstance(model, NVIL if method == "bound" else RWS)
        for mine, theirs in zip(model.layers[0], lrbn.layers[0], strict=True):
            np.testing.assert_array_equal(mine, theirs)
    fresh = lrbn.sample(100, random_state=2)
    assert distance(found, fresh) < 0.8 * distance(begun, fresh)
    assert found.short == "LRBN"
    assert [*found.trace_methods][:4] == ["recognition", "mean-field", "particles", "icm"]
    climbed = found.trace(fresh[0], "icm", init="recognition")
    np.testing.assert_array_equal(climbed.h0, found.recognise(fresh[:1])[0] > 0.5)
    again = with_recognition(lrbn, images, method=method, n_iter=100)
    np.testing.assert_array_equal(again.params_[0].V, found.params_[0].V)
    found.save(tmp_path / "model.npz")
    kept = load_model(tmp_path / "model.npz")
    assert kept.short == "LRBN"
    for mine, theirs in zip(kept.params_[0], found.params_[0], strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_it_begins_at_the_conditionals_with_all_others_off(lrbn, images):
    begun = with_recognition(lrbn, images, n_iter=1, learning_rate=1e-7, learning_rate_end=None)
    alone = lrbn.conditional_log_odds(images.astype(float), (np.zeros((len(images), 5), np.uint8),))[0]
    np.testing.assert_allclose(begun.recognise(images), sigmoid(alone), atol=1e-5)


def test_other_settings_and_names_are_taken(lrbn, images):
    named = LRBN.from_params(*lrbn.layers[0]).name_units("abcde")
    found = with_recognition(named, images, n_iter=2, n_particles=3, batch_size=30)
    assert (found.n_particles, found.batch_size, found.n_iter_) == (3, 30, 2)
    assert len(found.history_) == 20
    assert found.latent_names_ == tuple("abcde")


def test_models_that_have_none_are_refused_in_words(images):
    rbm = RBM.from_params(np.zeros((12, 3)), np.zeros(12), np.zeros(3))
    with pytest.raises(NotOffered, match="RBM offers no recognition network"):
        with_recognition(rbm, images)
    grey = LRBN.from_params(np.zeros((12, 3)), np.zeros(12), np.zeros(3), visible="gaussian")
    with pytest.raises(NotOffered, match="LRBN offers no recognition network"):
        with_recognition(grey, images)
    model = pretrained("lrbn-12-digits")
    with pytest.raises(ValueError, match="method must be one of"):
        with_recognition(model, np.zeros((4, 64)), method="dreams")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="64"):
        with_recognition(model, images)
