"""Own models on the Inference page: none is lost that a menu names, and a link says what is gone."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from lrbn_viz import LRBN, RBM, DeepLRBN, load_dataset, pretrained
from lrbn_viz.app.address import read_page, write_address
from lrbn_viz.app.inference.choices import MOST_OPENED
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.menus import FACTORISED
from lrbn_viz.app.train.opening import opened_file
from lrbn_viz.datasets import DATASETS

SMALL: dict[str, Any] = {
    "model_name": "lrbn-12-digits",
    "rival_name": "rbm-12-digits",
    "dataset_name": "digits",
}


def made(kind: type[LRBN] | type[RBM], seed: int, n_h: int = 5) -> Any:
    rng = np.random.default_rng(seed)
    return kind.from_params(rng.normal(0, 1.0, (64, n_h)), rng.normal(-1, 0.5, 64), np.zeros(n_h))


def named(session: Session, lane: int) -> list[str]:
    return list(session.models_for(lane))


def test_an_opened_model_stands_beside_its_own_weights_factorised_and_beside_any_shipped_one():
    session = Session(**SMALL, index=7)
    model = made(LRBN, 0)
    session.open_models({"live:mine.npz": model}, load_dataset("digits"))
    assert (session.model_name, session.rival_name) == ("live:mine.npz", FACTORISED + "live:mine.npz")
    assert session.index == 7, "the image of the same data stays"
    assert session.lanes[0][1] is model
    session.choose_in(1, "model", "lrbn-16-digits")
    assert session.model_name == "live:mine.npz"
    session.choose_in(0, "model", "lrbn-200-mnist-flat")
    assert (session.dataset_name, session.rival_name) == ("mnist5k", "rbm-200-mnist-likeliest")
    assert "live:mine.npz" not in named(session, 1), "it takes other images"
    session.choose_in(0, "model", "live:mine.npz")
    assert session.dataset_name == "digits"
    assert session.lanes[0][1] is model


def test_every_own_model_that_a_menu_names_can_be_shown_however_many_were_opened():
    session, data = Session(**SMALL), load_dataset("digits")
    panel, refs = ReplayPanel(session), []
    for n in range(3 * MOST_OPENED):
        model = made(LRBN, n)
        refs.append(weakref.ref(model))
        session.open_models({f"live:{n}.npz": model}, data)
        del model
    own = [name for name in named(session, 0) if name.startswith("live:")]
    assert len(own) == MOST_OPENED
    for lane in (0, 1):
        for name in own:
            session.choose_in(lane, "model", name)
            assert session.models[name] is not None
            sent: Any = panel.player.menus[lane]
            assert set(own) <= {each for _, entries in sent["models"] for each, _ in entries}
    gc.collect()
    assert sum(ref() is not None for ref in refs) == MOST_OPENED


def test_a_run_opens_as_it_is_and_its_inspections_leave_opened_models_alone():
    session, data = Session(**SMALL), load_dataset("digits")
    pair = {"live:run LRBN, minibatch 3": made(LRBN, 1), "live:run RBM, minibatch 3": made(RBM, 2)}
    session.open_models(pair, data)
    assert (session.model_name, session.rival_name) == tuple(pair)
    for step in range(3):
        models = {f"live:run LRBN, before step {step}": made(LRBN, step)}
        session.inspect(
            next(iter(models)), "rbm-12-digits", data, data.train_X[0], "x", "icm", "conditional", models
        )
    assert set(session.own_models) == {*pair, "live:run LRBN, before step 2"}
    session.choose_in(0, "model", next(iter(pair)))
    assert session.models == {name: pair[name] for name in pair}, "its partner comes with it"


def test_opening_a_file_again_shows_the_new_one_under_the_old_name():
    session, data = Session(**SMALL), load_dataset("digits")
    for n in range(2):
        model = made(LRBN, n)
        session.open_models({"live:mine.npz": model}, data)
        np.testing.assert_array_equal(session.traces[0].W, model.params_.W)
        np.testing.assert_array_equal(session.traces[1].W, model.params_.W)


def test_a_link_to_own_models_says_that_they_are_gone():
    session = Session(**SMALL)
    session.open_models({"live:mine.npz": made(LRBN, 0)}, load_dataset("digits"))
    session.choose_in(1, "model", "lrbn-16-digits")
    reading = read_page("inference", write_address(session))
    assert reading.ignored[0].startswith("model: ")
    assert "gone with it" in reading.ignored[0]
    Session(**reading.found)
    session.swap()
    reading = read_page("inference", write_address(session))
    assert [sentence.partition(":")[0] for sentence in reading.ignored] == ["rival"]
    assert (reading.found["model_name"], reading.found["rival_name"]) == ("lrbn-16-digits", "rbm-16-digits")


@pytest.mark.parametrize("binary", [True, False])
def test_a_file_finds_the_images_that_it_learned_from_or_such_as_it_takes(binary):
    visible = "bernoulli" if binary else "gaussian"
    model = LRBN.from_params(np.zeros((64, 3)), np.zeros(64), np.zeros(3), visible=visible)
    asked = []

    def load(name: str, binary: bool) -> Any:
        asked.append((name, binary))
        return load_dataset(name, binary=binary)

    for said, first, found in (
        ("bars", "mnist5k", "bars"),
        ("", "digits", "digits"),
        ("nothing", "mnist5k", "digits"),
    ):
        model.provenance_ = {"data": said}
        opened = opened_file(model, "mine.npz", DATASETS, first, load)
        assert list(opened.models) == ["live:mine.npz"]
        assert opened.data.name == found
    assert {each for _, each in asked} == {binary}


def test_a_file_for_images_that_nobody_has_is_refused_in_words():
    model = LRBN.from_params(np.zeros((65, 3)), np.zeros(65), np.zeros(3))
    with pytest.raises(ValueError, match="images of 65 pixels, which no data set here has"):
        opened_file(model, "mine.npz", DATASETS, "digits", load_dataset)


def test_a_model_of_two_layers_opens_beside_itself():
    rng = np.random.default_rng(0)
    layers = [
        (rng.normal(size=(64, 4)), np.zeros(64), np.zeros(4)),
        (rng.normal(size=(4, 2)), np.zeros(4), np.zeros(2)),
    ]
    session = Session(**SMALL)
    session.open_models({"live:deep.npz": DeepLRBN.from_layers(layers)}, load_dataset("digits"))
    assert session.rival_name == "live:deep.npz"
    assert [trace.n_h for trace in session.traces] == [6, 6]


def test_names_of_units_are_kept_in_a_file_and_refused_where_they_do_not_fit(tmp_path):
    from lrbn_viz import load_model

    model = made(LRBN, 0).name_units([f"cause {j}" for j in range(5)])
    model.save(tmp_path / "named.npz")
    again = load_model(tmp_path / "named.npz")
    assert (again.latent_names_, again.visible_names_) == (model.latent_names_, ())
    assert pretrained("lrbn-2-alarm").visible_names_ == ("alarm", "radio report")
    for wrong in (["one"], ["a", "b", "c", "d", ""], ["a", "b", "c", "d", "x" * 61], [1, 2, 3, 4, 5]):
        with pytest.raises(ValueError, match=r"names|name for each"):
            model.name_units(wrong)
