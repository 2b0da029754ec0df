"""The models that come with the package: whole, small, described, and as good as they say."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest

from lrbn_viz import LRBN, RBM, DeepLRBN, exact_posterior, load_dataset, pretrained
from lrbn_viz.app.player.packing import layers_of
from lrbn_viz.catalog import DATASETS, PRETRAINED, SYSTEMS
from lrbn_viz.evaluation import reconstruction_error
from lrbn_viz.reproduce.recipes import RECIPES as REPRODUCED
from lrbn_viz.reproduce.recipes import one_layer
from lrbn_viz.reproduce.train import training_of
from lrbn_viz.weights.train import RECIPES, images


@pytest.mark.parametrize("name", PRETRAINED)
def test_a_pretrained_model_is_what_the_catalogue_says(name: str) -> None:
    info = PRETRAINED[name]
    model = pretrained(name)
    assert type(model) is (DeepLRBN if info.n_layers > 1 else SYSTEMS[info.system])
    layers = layers_of(model)
    assert (model.n_latents_, len(layers)) == (info.n_h, info.n_layers)
    height, width = DATASETS[info.dataset].image_shape
    assert layers[0].W.shape[0] == height * width
    assert info.rival is None or PRETRAINED[info.rival].dataset == info.dataset


@pytest.mark.parametrize("name", PRETRAINED)
def test_a_pretrained_model_says_how_it_was_trained(name: str) -> None:
    story = pretrained(name).provenance_
    assert story["script"].endswith(name)
    settings = json.loads(json.dumps(RECIPES[name].settings))  # as a file keeps them
    settings.pop("n_components", None)
    assert story["settings"] == story["settings"] | settings
    assert "training images" in story["data"]
    assert set(story["wrong pixels, test"]) == (
        {"icm", "annealed"} if PRETRAINED[name].system == "LRBN" else {"exact MAP"}
    )


@pytest.mark.parametrize(
    ("name", "config"), [("lrbn-200-mnist-flat", "pixels"), ("lrbn-200-mnist-learned", "likelihood")]
)
def test_a_shipped_model_learns_as_the_reproduction_does(name: str, config: str) -> None:
    recipe = REPRODUCED["mnist"][config]
    by_script = LRBN(**RECIPES[name].settings)._system()
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


def test_all_weights_together_are_under_six_megabytes() -> None:
    folder = files("lrbn_viz") / "weights"
    assert sum(len((folder / f"{name}.npz").read_bytes()) for name in PRETRAINED) < 6_000_000


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
    factorised = reconstruction_error(pretrained("rbm-200-mnist"), X).mean()
    assert annealed < by_icm < factorised
    assert by_icm < 8.0
    assert annealed < 4.0


def test_small_models_have_an_exact_posterior() -> None:
    x = load_dataset("digits").test_X[0]
    for name in ("lrbn-12-digits", "lrbn-16-digits", "rbm-12-digits", "rbm-16-digits"):
        model = pretrained(name)
        assert isinstance(model, LRBN | RBM)
        posterior = exact_posterior(model, x)
        assert np.isclose(posterior.probabilities.sum(), 1.0)


def test_no_submodule_hides_a_public_name() -> None:
    import lrbn_viz

    modules = {path.name.removesuffix(".py") for path in files("lrbn_viz").iterdir()}
    assert modules.isdisjoint(lrbn_viz.__all__)
