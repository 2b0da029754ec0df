"""The models of a session: none is lost that its menu names, and none is held that nothing names."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from lrbn_viz import LRBN, RBM, load_dataset
from lrbn_viz.app.address import read_page, write_address
from lrbn_viz.app.inference.panels.gallery import GalleryPanel
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import words_of
from lrbn_viz.app.shared.texts import pixels_to_text
from lrbn_viz.view.player.wire import unpack


def read(query: str) -> dict[str, Any]:
    return read_page("inference", query).found


SMALL: dict[str, Any] = {
    "model_name": "lrbn-12-digits",
    "rival_name": "rbm-12-digits",
    "dataset_name": "digits",
}


def made(kind: type[LRBN] | type[RBM], seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return kind.from_params(rng.normal(0, 1.0, (64, 5)), rng.normal(-1, 0.5, 64), np.zeros(5))


def inspect(session: Session, step: int, lrbn: str = "") -> tuple[str, str, dict[str, Any]]:
    """Look at a training image with models in training, or with a shipped LRBN beside an RBM in training."""
    data = load_dataset("digits")
    names = lrbn or f"live:run-1 LRBN, before step {step}", f"live:run-1 RBM, before step {step}"
    models: dict[str, Any] = {names[1]: made(RBM, step + 10_000)}
    if not lrbn:
        models = {names[0]: made(LRBN, step), **models}
    origin = f"8x8 digits, training image {step}, in minibatch {step}"
    session.inspect(*names, data, data.train_X[step], origin, "icm", "conditional", models)
    return *names, models


def choose(panel: ReplayPanel, value: str, lane: int = 0) -> None:
    panel.player._handle_msg({"type": "lane", "lane": lane, "part": "model", "value": value})


def shown_by(panel: ReplayPanel, lane: int = 0) -> list[str]:
    menus: Any = panel.player.menus[lane]
    return [name for _, entries in menus["models"] for name, _ in entries]


def test_the_live_model_can_be_chosen_again_after_a_shipped_one(caplog: pytest.LogCaptureFixture) -> None:
    session = Session(**SMALL)
    panel = ReplayPanel(session)
    lrbn, rbm, models = inspect(session, 7)
    image = session.x
    assert panel.player.menus[0]["model"] == lrbn
    choose(panel, "lrbn-16-digits")
    assert session.rival_name == "rbm-16-digits"
    assert lrbn in shown_by(panel)
    choose(panel, lrbn)
    assert (session.model_name, session.rival_name, panel.player.menus[0]["model"]) == (lrbn, rbm, lrbn)
    assert session.models == models
    np.testing.assert_array_equal(session.x, image)
    np.testing.assert_array_equal(next(iter(session.traces)).W, models[lrbn].layers[0].W)
    assert caplog.records == []


def test_from_another_data_set_the_live_model_comes_back_with_its_image() -> None:
    session = Session(**SMALL)
    panel = ReplayPanel(session)
    lrbn, _, _ = inspect(session, 7)
    image, origin = session.x, session.origin
    choose(panel, "lrbn-200-mnist-flat")
    assert (session.dataset_name, session.origin) == ("mnist5k", "")
    choose(panel, lrbn)
    assert (session.dataset_name, session.origin) == ("digits", origin)
    np.testing.assert_array_equal(session.x, image)


def test_the_menu_names_no_model_that_the_session_has_let_go_of() -> None:
    session = Session(**SMALL)
    panel = ReplayPanel(session)
    first, _, _ = inspect(session, 1)
    second, _, _ = inspect(session, 2)
    assert first not in shown_by(panel)
    assert second in shown_by(panel)
    _, third, _ = inspect(session, 3, lrbn="lrbn-12-digits")
    for lane in (0, 1):
        assert [name for name in shown_by(panel, lane) if name.startswith("live:")] == [third]
    assert panel.player.menus[0]["model"] == session.model_name == "lrbn-12-digits"
    session.compare(first)  # forged: nothing of that name is on offer
    assert session.model_name == "lrbn-12-digits"
    session.compare("nothing")
    assert session.model_name == "lrbn-12-digits"


@pytest.mark.slow
@pytest.mark.parametrize("between", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_of_fifty_inspections_only_the_models_of_the_last_are_held(between: bool) -> None:
    session = Session(**SMALL)
    panels = [ReplayPanel(session), GalleryPanel(session)]
    refs = []
    for step in range(50):
        *_, models = inspect(session, step)
        refs += [weakref.ref(model) for model in models.values()]
        if between:
            session.compare("lrbn-16-digits")
            session.compare(session.inspected)
    del models
    gc.collect()
    alive = [ref for ref in refs if ref() is not None]
    assert alive == refs[-2:]
    assert len(session._models) <= 2
    assert len(panels) == 2


def test_models_of_a_step_that_was_taken_again_are_the_new_ones_under_the_old_names() -> None:
    session = Session(**SMALL)
    replay = ReplayPanel(session)
    lrbn, rbm, _ = inspect(session, 7)
    again = {lrbn: made(LRBN, 1), rbm: made(RBM, 2)}
    data = load_dataset("digits")
    session.inspect(lrbn, rbm, data, data.train_X[7], session.origin, "icm", "conditional", again)
    for trace, name in zip(session.traces, (lrbn, rbm), strict=True):
        np.testing.assert_array_equal(trace.W, again[name].layers[0].W)
    _, arrays = unpack(replay.player.models)
    weights = [array for array in arrays.values() if array.size == again[lrbn].layers[0].W.size]
    assert any(
        np.allclose(array.ravel(), again[lrbn].layers[0].W.ravel(), atol=0.01) for array in weights
    ) or any(np.allclose(array.ravel(), again[lrbn].layers[0].W.T.ravel(), atol=0.01) for array in weights)


def test_a_link_to_a_training_image_marks_no_test_image_when_it_is_opened() -> None:
    session = Session(**SMALL)
    inspect(session, 7, lrbn="lrbn-12-digits")
    assert GalleryPanel(session).gallery.chosen == -1
    later = Session(**read(write_address(session)))
    np.testing.assert_array_equal(later.x, session.x)
    assert GalleryPanel(later).gallery.chosen == -1
    assert "test image" not in words_of(later)["caption"]
    assert read(write_address(later)) == read(write_address(session))


def test_a_link_with_an_image_and_a_change_of_it_goes_on_working() -> None:
    session = Session(**SMALL, index=3)
    session.draw("AAAAAAAAAAA")
    later = Session(**read(write_address(session)))
    assert (later.index, later.drawn, later.origin) == (3, session.drawn, "")
    changed = int(session.dataset.test_X[3].sum())
    assert words_of(later)["caption"] == f"8x8 digits, test image 3, {changed} pixels changed"
    gallery = GalleryPanel(later).gallery
    assert (gallery.chosen, gallery.own) == (-1, "Own image, in place of image 3.")


def test_a_training_image_comes_back_unchanged_and_is_called_changed_after_a_stroke() -> None:
    session = Session(**SMALL)
    inspect(session, 7)
    x, caption = session.x, words_of(session)["caption"]
    assert "changed" not in caption
    session.draw("AAAAAAAAAAA")
    assert words_of(session)["caption"] == f"{caption}, {int(x.sum())} pixels changed"
    assert GalleryPanel(session).gallery.own == f"Own image, in place of {caption}."
    session.draw("")
    np.testing.assert_array_equal(session.x, x)
    assert words_of(session)["caption"] == caption
    assert GalleryPanel(session).gallery.chosen == -1


def first(session: Any) -> Any:
    """The trace of the first lane."""
    return session.traces[0]


def test_a_shipped_model_of_grey_images_comes_with_them_and_goes_with_them():
    session = Session(model_name="lrbn-12-digits", rival_name="rbm-12-digits", dataset_name="digits", index=7)
    session.draw(pixels_to_text(1 - session.x))
    session.compare("lrbn-40-digits-grey")
    assert (session.rival_name, session.binary, session.index, session.drawn) == (
        "rbm-40-digits-grey",
        False,
        7,
        "",
    )
    np.testing.assert_array_equal(session.x, load_dataset("digits", binary=False).test_X[7])
    assert first(session).visible == "gaussian"
    session.draw(pixels_to_text(np.ones(64, np.uint8)))
    assert not session.pixels_changed
    link = write_address(session)
    again = Session(**read_page("inference", link).found)
    assert not again.binary
    np.testing.assert_array_equal(first(again).log_odds, first(session).log_odds)
    reading = read_page("inference", link + "&drawn=" + pixels_to_text(np.ones(64, np.uint8)))
    assert reading.ignored == [
        "drawn: lrbn-40-digits-grey has grey images, which cannot be drawn; the image is shown as it is."
    ]
    session.compare("lrbn-12-digits")
    assert session.binary
    assert set(np.unique(session.x)) == {0, 1}
