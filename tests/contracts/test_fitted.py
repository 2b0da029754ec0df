"""What a fitted model has is the same for every kind, and further passes learn where they are offered."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from tiny_models import tiny

from lrbn_viz import LRBN, load_dataset, load_model
from lrbn_viz.catalog import kinds

KINDS: dict[str, Any] = kinds()
FITTED = {"params_", "history_", "n_iter_", "n_features_in_"}
NAMED = {"latent_names_", "visible_names_"}
IN_TURN = "LRBN of 2 layers, layer by layer"
IN_STAGES = {IN_TURN, "LRBN of 2 layers", "DBN", "DBM"}
FALLING = {"VariationalBayesSBN of 2 layers"}
"""Kinds without further passes: they learn in stages, or their rate falls over the passes of a run."""


def fitted(model: Any) -> set[str]:
    """Return the names of attributes that scikit-learn's rules make those of a fitted model."""
    return {name for name in vars(model) if name.endswith("_") and not name.startswith("_")}


@pytest.fixture(scope="module")
def images() -> np.ndarray:
    return load_dataset("digits").train_X[:400]


@pytest.mark.parametrize("name", KINDS)
def test_fitted_models_of_all_kinds_have_the_same_attributes(name, images, tmp_path):
    model = tiny(KINDS[name], n_iter=2)
    assert fitted(model) == set()
    steps = iter(model.fit_steps(images[:100]))
    next(steps)
    assert fitted(model) == FITTED
    for _ in steps:
        pass
    assert fitted(model) == FITTED
    assert model.n_iter_ >= 2
    model.name_units([f"cause {j}" for j in range(model.n_latents_)]).save(tmp_path / "model.npz")
    assert fitted(model) == FITTED | NAMED
    loaded = load_model(tmp_path / "model.npz")
    assert fitted(loaded) == FITTED | NAMED | {"provenance_"}
    assert (loaded.history_, loaded.n_iter_) == ([], 0)
    given = model.with_layers(model.layers)
    assert fitted(given) == FITTED | NAMED
    assert (given.history_, given.n_iter_) == ([], 0)


@pytest.mark.parametrize("name", KINDS)
def test_each_attribute_of_a_fitted_model_is_documented_once(name):
    words = KINDS[name].estimator.__doc__ or ""
    assert words.count("Attributes\n----------") == 1
    section = re.split(r"\n\n[^\n]+\n-{3,}\n", words.split("Attributes\n----------\n")[1])[0]
    entries = [each for line in re.findall(r"^(\S.*) :", section, re.MULTILINE) for each in line.split(", ")]
    assert sorted(entries) == sorted({*entries})
    optional = {
        "feature_names_in_",
        "provenance_",
        *({"classes_"} if KINDS[name].estimator is LRBN else ()),
    }
    assert {*entries} == FITTED | NAMED | optional
    assert words.index("Parameters\n---") < words.index("Attributes\n---") < words.index("Examples\n---")


@pytest.mark.parametrize("name", KINDS)
def test_the_history_counts_steps_passes_and_seconds_of_the_whole_run(name, images):
    model = tiny(KINDS[name], n_iter=2, batch_size=30, validation_size=0).fit(images[:100])
    history = [step for step in model.history_ if not step.metrics.keys() & {"averaged", "restored"}]
    assert [step.step for step in history] == [*range(1, len(history) + 1)]
    assert [step.epoch for step in history] == [n // 4 for n in range(len(history))]
    assert model.n_iter_ == history[-1].epoch + 1
    seconds = [step.seconds for step in history]
    assert sorted(seconds) == seconds
    if name == IN_TURN:  # two layers and both together, two passes each
        assert [step.metrics["stage"] for step in history] == 8 * [0.0] + 8 * [1.0] + 8 * [2.0]


def test_the_history_of_a_resumed_model_of_several_layers_goes_on_with_its_numbers(images, tmp_path):
    def begun() -> LRBN:
        return LRBN((4, 3), layer_by_layer=True, n_iter=2, batch_size=30, validation_size=0, random_state=0)

    whole = begun().fit(images[:100])
    left = begun().fit_steps(images[:100], checkpoint=tmp_path / "run", checkpoint_seconds=0.0)
    for _ in range(11):
        next(left)
    left.close()
    rest = begun().fit(images[:100], checkpoint=tmp_path / "run")
    assert 0 < len(rest.history_) < len(whole.history_)
    for one, other in zip(rest.history_, whole.history_[-len(rest.history_) :], strict=True):
        assert (one.step, one.epoch, one.metrics) == (other.step, other.epoch, other.metrics)
    assert rest.n_iter_ == whole.n_iter_


@pytest.mark.parametrize("name", KINDS)
def test_further_passes_learn_at_the_defaults_or_are_not_there(name, images):
    kind = KINDS[name]
    assert hasattr(kind(), "partial_fit") == (name not in IN_STAGES | FALLING)
    if name in FALLING:
        assert hasattr(kind(learning_rate_end=None), "partial_fit")
    if not hasattr(kind(), "partial_fit"):
        return
    sizes = {"n_components": 16} | ({"n_top": 8} if kind.model.several_layers else {})
    model = kind(**sizes, random_state=0)
    scores, held_out = [], load_dataset("digits").test_X[:100]
    for minibatch in np.split(images, 4):
        before = model.layers if model.is_fitted else None
        assert model.partial_fit(minibatch) is model
        if before is not None:
            assert not np.array_equal(model.layers[0].W, before[0].W)
        scores.append(model.score(held_out))
    assert model.n_iter_ == 4
    assert fitted(model) == FITTED
    for k, found in enumerate(scores):
        assert found >= max(scores[:k], default=-np.inf)
