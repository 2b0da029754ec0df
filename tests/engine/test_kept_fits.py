"""fit and fit_steps of one-layer models, kept in a file: left anywhere, they end as if never left."""

from typing import Any

import numpy as np
import pytest
from engine.cases import VISIBLES

from lrbn_viz import LRBN, RBM
from lrbn_viz.training import fitting
from lrbn_viz.training.checkpoint import save_checkpoint

pytestmark = pytest.mark.nojit

HOW: dict[str, Any] = {
    "n_components": 4, "n_iter": 3, "batch_size": 7, "validation_size": 6, "patience": 2, "random_state": 3
}  # fmt: skip


def images(visible):
    rng = np.random.default_rng(1)
    return rng.normal(size=(60, 5)) if visible == "gaussian" else rng.integers(0, 2, (60, 5), np.uint8)


def leave(model, X, path, n_steps):
    steps = model.fit_steps(X, checkpoint=path, checkpoint_seconds=0.0)
    for _ in range(n_steps):
        next(steps)
    steps.close()
    return path.read_bytes()


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("family", [LRBN, RBM])
def test_a_fit_left_at_any_step_goes_on_to_the_same_model(family, visible, tmp_path):
    X, path = images(visible), tmp_path / "run"
    whole = family(visible=visible, **HOW).fit(X)
    n_steps = len(whole.history_)
    for left_after in (2, 8, 9, n_steps):
        leave(family(visible=visible, **HOW), X, path, left_after)
        resumed = family(visible=visible, **HOW)
        rest = list(resumed.fit_steps(X, checkpoint=path))
        # The file is of the step before the last one that was asked for.
        assert [event.step for event in rest] == [event.step for event in whole.history_[left_after - 1 :]]
        assert resumed.n_iter_ == whole.n_iter_
        assert not path.exists()
        for one, other in zip(resumed.layers[0], whole.layers[0], strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_fit_killed_between_its_last_step_and_the_end_is_whole(tmp_path, monkeypatch):
    X, path = images("bernoulli"), tmp_path / "run"
    kept: list[bytes] = []

    def and_copy(*what):
        save_checkpoint(*what)
        kept.append(path.read_bytes())

    monkeypatch.setattr(fitting, "save_checkpoint", and_copy)
    whole = LRBN(**HOW).fit(X, checkpoint=path, checkpoint_seconds=0.0)
    assert len(kept) == len(whole.history_)
    path.write_bytes(kept[-1])
    again = LRBN(**HOW).fit(X, checkpoint=path)
    assert again.history_ == []
    assert again.n_iter_ == whole.n_iter_
    assert not path.exists()
    for one, other in zip(again.layers[0], whole.layers[0], strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_checkpoint_of_other_settings_images_or_kind_is_refused_and_kept(tmp_path):
    X, path = images("bernoulli"), tmp_path / "run"
    before = leave(LRBN(**HOW), X, path, 5)
    others: list[tuple[Any, Any, str]] = [
        (LRBN(**HOW).set_params(learning_rate=0.1), X, r"learning_rate = 0.1, got 0.25"),
        (LRBN(**HOW).set_params(random_state=4), X, r"random_state = 4, got 3"),
        (LRBN(**HOW), X[::-1], r"images = '"),
        (RBM(**HOW), X, r"kind = 'RBM', got 'LRBN'"),
    ]
    for model, given, told in others:
        with pytest.raises(ValueError, match=told):
            model.fit(given, checkpoint=path)
        assert path.read_bytes() == before
    path.write_bytes(before[:-9])
    with pytest.raises(ValueError, match=r"run is damaged"):
        LRBN(**HOW).fit(X, checkpoint=path)
    save_checkpoint(path, {}, {})
    with pytest.raises(ValueError, match="of another run"):
        LRBN(**HOW).fit(X, checkpoint=path)


def test_a_kept_fit_needs_a_seed(tmp_path):
    for state in (None, np.random.default_rng(0)):
        with pytest.raises(TypeError, match="random_state must be an integer"):
            LRBN(**HOW).set_params(random_state=state).fit(images("bernoulli"), checkpoint=tmp_path / "run")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "model", [LRBN(**HOW), LRBN((3, 2), layer_by_layer=True, random_state=0)], ids=["one", "deep"]
)
def test_a_checkpoint_without_a_folder_is_refused_before_the_first_step(model, tmp_path):
    path = tmp_path / "none" / "run"
    with pytest.raises(FileNotFoundError, match=r"none/run, but .*none is none; make it first"):
        next(model.fit_steps(images("bernoulli"), checkpoint=path))
    assert not hasattr(model, "params_")
