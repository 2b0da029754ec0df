"""Layers that learn in turn: the estimator, its classes, its files, and training that resumes."""

from typing import Any

import numpy as np
import pytest
from engine.cases import VISIBLES
from engine.test_deep import all_states, layers_of
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from lrbn_viz import LRBN, load_dataset, load_model, pretrained
from lrbn_viz.lrbn.deep.inference import log_joint_deep, sample_deep
from lrbn_viz.measure import log_likelihood, reconstruction_error

QUICK: dict[str, Any] = {
    "n_components": (6, 4),
    "layer_by_layer": True,
    "n_iter": 2,
    "n_fine_tune": 1,
    "random_state": 0,
}
HOW: dict[str, Any] = {"n_samples": 2000, "n_temperatures": 80, "n_chains": 4, "n_repetitions": 12}


def digits():
    data = load_dataset("digits")
    return data.train_X[:300], data.train_y[:300], data.test_X[:100], data.test_y[:100]


def test_it_learns_to_reconstruct_and_its_codes_and_samples_have_the_right_shapes():
    X, _, test, _ = digits()
    model = LRBN((12, 6), layer_by_layer=True, n_iter=15, n_fine_tune=3, random_state=0).fit(X)
    assert [params.W.shape for params in model.params_] == [(64, 12), (12, 6)]
    H = model.transform(test)
    assert H.shape == (100, 18)
    assert H.dtype == np.uint8
    assert model.inverse_transform(H).shape == test.shape
    assert model.sample(3, random_state=0).shape == (3, 64)
    always = np.abs(test - (X.mean(axis=0) > 0.5)).sum(axis=1).mean()
    errors = [reconstruction_error(model, test, layer=layer).mean() for layer in (1, 2)]
    assert errors[0] < 0.8 * always
    assert errors[0] < errors[1]
    annealed = model.log_joint(test, model.infer(test, method="annealed"))
    assert model.score_samples(test).mean() <= annealed.mean()


def test_reconstruction_is_by_the_method_and_from_the_layer_that_are_asked_for():
    *_, test, _ = digits()
    one: Any = pretrained("lrbn-12-digits")
    deep = LRBN.from_layers([*one.params_, (np.ones((12, 2)), np.zeros(12), np.zeros(2))])
    for model in (one, deep):
        wrong = (model.reconstruct(test, method="annealed", n_sweeps=3, random_state=1) != test).sum(axis=1)
        found = reconstruction_error(model, test, method="annealed", n_sweeps=3, random_state=1)
        np.testing.assert_array_equal(found, wrong)
        icm = reconstruction_error(model, test, method="icm")
        np.testing.assert_array_equal(icm, reconstruction_error(model, test))
        assert (icm != found).any()
    upper = (deep.reconstruct(test, layer=2) != test).sum(axis=1)
    np.testing.assert_array_equal(reconstruction_error(deep, test, layer=2), upper)
    with pytest.raises(ValueError, match="layer must be 1 for a model of one layer; got 2"):
        reconstruction_error(one, test, layer=2)
    with pytest.raises(ValueError, match="layer"):
        reconstruction_error(deep, test, layer=3)
    with pytest.raises(ValueError, match="method must be left out, got 'icm'"):
        reconstruction_error(pretrained("rbm-12-digits"), test, method="icm")


@pytest.mark.parametrize("visible", VISIBLES)
def test_the_likelihood_of_a_deep_model_is_estimated_below_its_exact_value(visible):
    layers = layers_of(2, 3)
    model = LRBN.from_layers(layers, visible)
    X, _ = sample_deep(layers, visible, 20, np.random.default_rng(0))
    exact = log_likelihood(model, X, method="exact")
    states = all_states(layers)
    n = len(states[0])
    by_hand = [np.logaddexp.reduce(log_joint_deep(layers, visible, np.tile(x, (n, 1)), states)) for x in X]
    np.testing.assert_allclose(exact.values, by_hand, atol=1e-9)
    for method in ("map_bound", "csl", "ais", "importance"):
        found = log_likelihood(model, X, method=method, **HOW)
        error = 0.0 if method == "map_bound" else found.estimator_error
        assert found.mean <= exact.mean + 4 * error + 1e-9, method
        assert found.mean > exact.mean - 3.0, method


def test_classes_are_learned_on_top_and_predicted_by_inference_of_the_target():
    X, y, test, test_y = digits()
    keep, keep_test = y < 3, test_y < 3
    names = np.array(["none", "one", "two"])
    model = LRBN((20,), layer_by_layer=True, n_iter=20, n_fine_tune=5, random_state=0).fit(
        X[keep], names[y[keep]]
    )
    assert model.classes_.tolist() == ["none", "one", "two"]
    assert model.params_[-1].n_h == 3
    truth = names[test_y[keep_test]]
    assert model.score(test[keep_test], truth) > 0.85
    p = model.predict_proba(test[keep_test])
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(test[keep_test]))
    with pytest.raises(
        NotFittedError, match=r"was fitted without y, so it knows no classes; call fit\(X, y\)"
    ):
        LRBN(**QUICK).fit(X).predict(test)
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        LRBN(**QUICK).predict(test)


def test_training_left_at_any_step_resumes_to_the_same_parameters(tmp_path):
    X, *_ = digits()
    whole = LRBN(**QUICK).fit(X)
    path = tmp_path / "deep.checkpoint"
    begun = LRBN(**QUICK)
    steps = begun.fit_steps(X, checkpoint=path, checkpoint_seconds=0.0)
    for _ in range(33):
        next(steps)
    steps.close()
    assert path.exists()
    resumed = LRBN(**QUICK)
    rest = list(resumed.fit_steps(X, checkpoint=path, checkpoint_seconds=1e9))
    assert rest
    assert not path.exists()
    for one, other in zip(resumed.params_, whole.params_, strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_checkpoint_of_other_settings_or_images_is_refused_and_kept(tmp_path):
    X, *_ = digits()
    path = tmp_path / "deep.checkpoint"
    begun = LRBN(**QUICK).fit_steps(X, checkpoint=path, checkpoint_seconds=0.0)
    for _ in range(9):
        next(begun)
    begun.close()
    before = path.read_bytes()
    others: list[tuple[dict[str, Any], Any, str]] = [
        ({"learning_rate": 0.1}, X, r"layers.0.learning_rate = 0.1, got 0.25"),
        ({"n_components": (9, 4)}, X, r"layers.0.n_h = 9, got"),
        ({"n_components": (5,)}, X, r"other settings"),
        ({"random_state": 1}, X, r"seed = "),
        ({"n_fine_tune": 7}, X, r"plan.2.n_iter = 7"),
        ({"batch_size": 11}, X, r"batch_size = 11"),
        ({}, X[::-1], r"images = '"),
    ]
    for settings, images, told in others:
        with pytest.raises(ValueError, match=told) as caught:
            next(LRBN(**(QUICK | settings)).fit_steps(images, checkpoint=path))
        assert str(caught.value).startswith(f"{path} is of another run: expected ")
        assert path.read_bytes() == before


@pytest.mark.parametrize("targets", [False, True])
def test_a_model_is_saved_and_loaded_with_its_classes(targets, tmp_path):
    X, y, test, _ = digits()
    model = LRBN(**QUICK).fit(X, y if targets else None)
    model.save(tmp_path / "deep.npz", provenance={"trained": "in a test"})
    again = load_model(tmp_path / "deep.npz")
    assert isinstance(again, LRBN)
    assert again.provenance_ == {"trained": "in a test"}
    assert again.n_components == (6, 4)
    np.testing.assert_array_equal(again.transform(test), model.transform(test))
    if targets:
        np.testing.assert_array_equal(again.predict(test), model.predict(test))
    content = (tmp_path / "deep.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(content[:-200])
    with pytest.raises(ValueError, match="damaged"):
        load_model(tmp_path / "cut.npz")


def test_the_trace_of_an_image_ends_where_inference_does():
    X, *_ = digits()
    model = LRBN(**QUICK).fit(X)
    trace = model.map_trace(X[0])
    assert trace.converged
    assert trace.n_h == 10
    best = model.log_joint(X[:1], [h[None] for h in np.split(trace.latents(trace.n_visits), [6])])[0]
    assert best == pytest.approx(trace.log_joint[-1])
    np.testing.assert_array_equal(trace.latents(0), model.map_trace(X[0]).h0)


def test_what_cannot_be_is_refused_in_words():
    X, y, *_ = digits()
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"n_components": ()}, "n_components must be a number, or hold"),
        ({"n_components": (5, 0)}, "n_components must be at least 1"),
        ({"scheme": "all"}, "scheme"),
        ({"n_fine_tune": -1}, "n_fine_tune"),
        ({"learning_rate": 0.0}, "learning_rate"),
    )
    for settings, words in cases:
        with pytest.raises(ValueError, match=words):
            LRBN(**(QUICK | settings)).fit(X)
    with pytest.raises(ValueError, match="y has shape"):
        LRBN(**QUICK).fit(X, y[:-1])
    with pytest.raises(ValueError, match="Bernoulli units expect 0 and 1"):
        LRBN(**QUICK).fit(X * 0.5)
    low, high = layers_of(2)
    with pytest.raises(ValueError, match="layer 1 has 4 latents but layer 2 expects 3"):
        LRBN.from_layers((low, (high.W[:3], high.b[:3], high.d)))
    with pytest.raises(NotFittedError):
        LRBN((200, 200), layer_by_layer=True).transform(X)
    model = LRBN(**QUICK)
    again: Any = clone(model)
    assert again.get_params() == model.get_params()


def steps_of(model: LRBN, X: Any, y: Any = None) -> None:
    for _ in model.fit_steps(X, y):
        pass


def test_layers_without_targets_have_no_classes_left_from_an_earlier_fit(tmp_path):
    X, y, test, labels = digits()
    model = LRBN(**QUICK).fit(X, y)
    steps_of(model, X)
    assert not hasattr(model, "classes_")
    with pytest.raises(NotFittedError):
        model.predict(test)
    assert model.score(test, labels) == model.score_samples(test).mean()
    model.save(tmp_path / "model.npz")
    loaded = load_model(tmp_path / "model.npz")
    assert [layer.W.shape for layer in loaded.params_] == [layer.W.shape for layer in model.params_]
    np.testing.assert_array_equal(loaded.transform(test), LRBN(**QUICK).fit(X).transform(test))


def test_layers_with_targets_have_the_classes_that_they_were_trained_on():
    X, y, test, _ = digits()
    model = LRBN(**QUICK).fit(X, y)
    steps_of(model, X, y + 100)
    np.testing.assert_array_equal(model.classes_, np.unique(y) + 100)
    assert set(model.predict(test)) <= set(np.unique(y) + 100)


def test_a_run_leaves_the_fitted_model_as_it_is_until_its_first_step():
    X, y, test, _ = digits()
    model = LRBN(**QUICK).fit(X, y)
    before = model.predict(test)
    model.training(X)
    model.training(X[:, :32], y % 2)
    model.fit_steps(X, y % 3)  # no step is taken
    np.testing.assert_array_equal(model.predict(test), before)
    assert model.n_features_in_ == 64
    for _ in model.fit_steps(X, y % 2):
        if len(model.params_) == 3:
            np.testing.assert_array_equal(model.classes_, [0, 1])
            assert model.params_[-1].n_h == 2
        else:  # training goes from the lowest layer up: those of the targets are not there yet
            assert not hasattr(model, "classes_")
    assert len(model.params_) == 3
