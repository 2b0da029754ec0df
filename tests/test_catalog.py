"""The models that come with the package: whole, small, described, and as good as they say."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from covering import slow_but
from numpy.typing import NDArray

from lrbn_viz import LRBN, RBM, exact_posterior, load_dataset, pretrained
from lrbn_viz.catalog import DATASETS, PRETRAINED
from lrbn_viz.datasets import at_hand
from lrbn_viz.measure import bounded_log_likelihood, extent, log_likelihood, reconstruction_error
from lrbn_viz.studies.reproduce.recipes import RECIPES as REPRODUCED
from lrbn_viz.studies.reproduce.recipes import one_layer
from lrbn_viz.studies.reproduce.train import dead_units, training_of
from tools.weights import train
from tools.weights.train import RECIPES, images, rungs


@pytest.mark.parametrize("name", PRETRAINED)
def test_a_pretrained_model_is_what_the_catalogue_says(name: str) -> None:
    info = PRETRAINED[name]
    model = pretrained(name)
    assert info.kind.includes(model)
    layers = model.layers
    assert (model.n_latents_, len(layers)) == (info.n_h, info.n_layers)
    height, width = DATASETS[info.dataset].image_shape
    assert layers[0].W.shape[0] == height * width
    rival = info if info.rival is None else PRETRAINED[info.rival]
    assert (rival.dataset, rival.binary) == (info.dataset, info.binary)
    assert (model.visible == "bernoulli") == info.binary


@pytest.mark.parametrize("name", PRETRAINED)
def test_a_pretrained_model_says_how_it_was_trained(name: str) -> None:
    story = pretrained(name).provenance_
    assert story["script"] == f"python -m {train.__name__} {name}"
    settings = json.loads(json.dumps(RECIPES[name].settings))  # as a file keeps them
    settings.pop("n_components", None)
    assert story["settings"] == story["settings"] | settings
    assert "training images" in story["data"]
    figure = "wrong pixels, test" if PRETRAINED[name].binary else "squared error, test"
    model = pretrained(name)
    usual = "exact MAP" if model.factorised else next(iter(model.methods or model.trace_methods))
    assert set(story[figure]) == {usual} | {"annealed"} & set(model.methods)


@pytest.mark.parametrize(
    ("name", "config"), [("lrbn-200-mnist-flat", "pixels"), ("lrbn-200-mnist-learned", "likelihood")]
)
def test_a_shipped_model_learns_as_the_reproduction_does(name: str, config: str) -> None:
    recipe = REPRODUCED["mnist"][config]
    by_script = LRBN(**RECIPES[name].settings).make_system()
    X = np.zeros((20, 4), np.uint8)
    assert by_script == training_of(recipe, X, X, 0, (2, 2)).system.layers[0]
    assert (RECIPES[name].settings["n_iter"], 20) == (recipe.layers[0]["n_iter"], recipe.batch_size)


@pytest.mark.parametrize("config", ["both", "paper-200"])
def test_a_recipe_that_a_single_layer_does_not_follow_is_refused(config: str) -> None:
    with pytest.raises(ValueError, match="expected one layer, learned once without early stopping, got"):
        one_layer(REPRODUCED["mnist"][config])


def test_every_model_of_the_training_script_ships_and_no_other() -> None:
    stored = {path.name.removesuffix(".npz") for path in (files("lrbn_viz") / "weights").iterdir()}
    assert {name for name in stored if "." not in name and "_" not in name} == set(PRETRAINED) == set(RECIPES)


def test_all_weights_together_are_under_twelve_megabytes() -> None:
    folder = files("lrbn_viz") / "weights"
    assert sum(len((folder / f"{name}.npz").read_bytes()) for name in PRETRAINED) < 12_000_000


@pytest.mark.slow
def test_the_recognition_network_leaves_its_lrbn_as_it_is_and_is_as_near_as_it_says() -> None:
    model, lrbn = pretrained("lrbn-12-digits-recognition"), pretrained("lrbn-12-digits")
    for mine, theirs in zip(model.layers[0], lrbn.layers[0], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    test = load_dataset("digits").test_X
    found = rungs(model, test)
    assert found == pytest.approx(model.provenance_["nats from the posterior, test"], abs=0.002)
    assert (
        found["best"]
        < found["recognition_mean_field"]
        < found["recognition"]
        < found["icm"]
        < found["factorised"]
    )


def test_an_unknown_model_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'lrbn-999'.*lrbn-200-mnist-flat"):
        pretrained("lrbn-999")


def test_no_image_that_the_explorer_shows_was_seen_in_training() -> None:
    try:
        training, validation, _ = images("mnist")
    except OSError:
        pytest.skip("needs the original MNIST files")
    seen = {row.tobytes() for row in np.vstack([training, validation])}
    shown = load_dataset("mnist5k")
    assert not any(row.tobytes() in seen for row in np.vstack([shown.train_X, shown.test_X]))


def test_the_flat_prior_model_reconstructs_unseen_digits_far_better_than_the_rbm() -> None:
    X = load_dataset("mnist5k").test_X[:300]
    by_icm = reconstruction_error(pretrained("lrbn-200-mnist-flat"), X).mean()
    annealed = reconstruction_error(
        pretrained("lrbn-200-mnist-flat"), X, method="annealed", n_sweeps=100
    ).mean()
    factorised = reconstruction_error(pretrained("rbm-200-mnist-likeliest"), X).mean()
    assert annealed < by_icm < factorised
    assert by_icm < 8.0
    assert annealed < 4.0


RBMS = {
    "rbm-200-mnist-likeliest": (17.0, -80.5),
    "rbm-200-ocr-likeliest": (2.0, -34.0),
    "rbm-200-caltech-likeliest": (29.5, -130.0),
}
"""Wrong pixels at most, and nats at least of the first test images by RAISE, which errs downwards."""


def held_out_of(name: str) -> NDArray[np.uint8]:
    """Return the test images of a shipped model; the test is skipped where their files are missing."""
    if not at_hand(PRETRAINED[name].dataset):
        pytest.skip("needs the original files")
    return load_dataset(PRETRAINED[name].dataset).test_X


@pytest.mark.parametrize("name", slow_but(["rbm-200-ocr-likeliest"], RBMS))
def test_an_rbm_is_as_good_as_it_says(name: str) -> None:
    model, (wrong, nats), X = pretrained(name), RBMS[name], held_out_of(name)
    assert reconstruction_error(model, X).mean() < wrong
    below = log_likelihood(model, X[:100], method="raise", n_temperatures=2000)
    assert nats < below.mean < model.provenance_["nats, test"]["AIS of the first 100"]


@pytest.mark.slow
def test_the_network_of_mean_field_is_as_good_as_it_says() -> None:
    model, X = pretrained("meanfield-200-mnist"), held_out_of("meanfield-200-mnist")[:200]
    assert reconstruction_error(model, X).mean() < 20.0
    assert log_likelihood(model, X, n_temperatures=1000).mean > -86.0


@pytest.mark.slow
def test_the_deep_belief_network_of_caltech_is_as_good_as_it_says() -> None:
    model, X = pretrained("dbn-200-200-caltech"), held_out_of("dbn-200-200-caltech")[:200]
    assert reconstruction_error(model, X).mean() < 21.5
    found = bounded_log_likelihood(model, X, 20, n_temperatures=3000)
    assert found.lower is not None
    assert found.lower > -104.0


STROKES = {
    "lrbn-16-digits-strokes": (5.0, -20.5),
    "lrbn-200-ocr-strokes": (2.3, -43.0),
    "lrbn-200-mnist-strokes": (16.0, -95.0),
}
"""Of models whose weights are at or above 0: wrong pixels at most by annealing, and nats at least by AIS."""


DENSE = {
    "lrbn-16-digits-strokes": "lrbn-16-digits",
    "lrbn-200-ocr-strokes": "lrbn-200-ocr-flat",
    "lrbn-200-mnist-strokes": "lrbn-200-mnist-flat",
}
"""Models of as many units whose weights have no bound."""


@pytest.mark.parametrize("name", slow_but(["lrbn-16-digits-strokes"], STROKES))
def test_a_model_of_strokes_is_as_good_as_it_says(name: str) -> None:
    model, (wrong, nats) = pretrained(name), STROKES[name]
    assert model.nonnegative
    assert model.layers[0].W.min() >= 0.0
    X = held_out_of(name)
    assert reconstruction_error(model, X[:500], method="annealed").mean() < wrong
    assert log_likelihood(model, X[:300], n_temperatures=500).mean > nats


@pytest.mark.parametrize("name", STROKES)
def test_a_model_of_strokes_uses_every_unit_on_held_out_images(name: str) -> None:
    try:
        held_out = images(RECIPES[name].dataset)[1]
    except OSError:
        pytest.skip("needs the original files")
    dead = dead_units(pretrained(name).transform(held_out, method="annealed", n_sweeps=50))
    assert dead == 0


@pytest.mark.parametrize("name", STROKES)
def test_the_filters_of_a_model_of_strokes_are_parts_of_its_images(name: str) -> None:
    info = PRETRAINED[name]
    shape, X = DATASETS[info.dataset].image_shape, held_out_of(name)
    filters, whole = extent(pretrained(name).layers[0].W.T, shape), extent(X, shape)
    assert np.median(filters.pixels) < 0.25 * np.median(whole.pixels)
    assert np.median(filters.spread) < 0.5 * np.median(whole.spread)
    dense = extent(pretrained(DENSE[name]).layers[0].W.T, shape)
    assert np.median(filters.spread) < 0.5 * np.median(dense.spread)


@pytest.mark.parametrize("name", STROKES)
def test_in_a_model_of_strokes_the_others_never_raise_a_units_log_odds(name: str) -> None:
    model, X = pretrained(name), held_out_of(name)[:20].astype(float)
    rng = np.random.default_rng(0)
    (alone,) = model.conditional_log_odds(X, (np.zeros((20, model.n_latents_), np.uint8),))
    lowest = 0.0
    for H in (*model.infer(X), rng.integers(0, 2, alone.shape, dtype=np.uint8)):
        (others,) = model.conditional_log_odds(X, (H,))
        assert (others - alone).max() < 1e-9
        lowest = min(lowest, (others - alone).min())
    assert lowest < -2.0  # and they do explain units away


def test_small_models_have_an_exact_posterior() -> None:
    x = load_dataset("digits").test_X[0]
    small = ("lrbn-12-digits", "lrbn-16-digits", "lrbn-16-digits-strokes", "rbm-12-digits", "rbm-16-digits")
    for name in small:
        model = pretrained(name)
        assert isinstance(model, LRBN | RBM)
        posterior = exact_posterior(model, x)
        assert np.isclose(posterior.probabilities.sum(), 1.0)


def test_no_submodule_hides_a_public_name() -> None:
    import lrbn_viz

    modules = {path.name.removesuffix(".py") for path in files("lrbn_viz").iterdir()}
    assert modules.isdisjoint(lrbn_viz.__all__)
