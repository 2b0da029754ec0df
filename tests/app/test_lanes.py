"""What the player is told of a session."""

from __future__ import annotations

import numpy as np
import pytest

from lrbn_viz.app.inference.panels.gallery import GalleryPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, menus_of, words_of
from lrbn_viz.app.shared.menus import known_models
from lrbn_viz.app.shared.texts import pixels_to_text
from lrbn_viz.datasets.dataset import DATASETS, image_title, title_of
from lrbn_viz.estimators.layered import TRACE_METHODS as ALGORITHMS
from lrbn_viz.view.live.page import LiveModel, live_images


@pytest.fixture
def session() -> Session:
    return Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits")


def test_the_exact_optimum_is_the_best_of_all_states_and_no_trace_passes_it(session):
    for index in range(5):
        session.index = index
        model = session.models["lrbn-12-digits"]
        H = (np.arange(2**12)[:, None] >> np.arange(12) & 1).astype(np.uint8)
        best = model.log_joint(np.tile(session.x, (len(H), 1)), H).max()
        lane = lanes_of(session)[0]
        assert lane.optimum == pytest.approx(best, abs=1e-9)
        assert session.traces[0].log_joint.max() <= best + 1e-9


def test_a_model_too_large_to_enumerate_has_no_optimum(session):
    session.compare("lrbn-200-mnist-flat")
    lrbn, rbm = lanes_of(session)
    assert lrbn.optimum is lrbn.truth is rbm.optimum is rbm.truth is None


def test_lanes_name_what_runs_and_say_what_samples(session):
    for name, entry in ALGORITHMS.items():
        session.algorithm = name
        lrbn, rbm = lanes_of(session)
        assert (lrbn.title, lrbn.subtitle, lrbn.sampled) == ("LRBN", entry.title, entry.sampled)
        assert (rbm.title, rbm.normalised, rbm.sampled) == ("RBM", False, False)


def test_menus_and_captions_call_a_data_set_by_its_title_and_not_by_its_name_in_addresses(session):
    groups = [group for menu in menus_of(session) for group, _ in menu["models"]]
    assert set(groups) == {title_of(info.dataset) for info in known_models().values()}
    assert groups[0] == "8x8 digits"
    for name in DATASETS:
        assert image_title(name, "test", 3) == f"{DATASETS[name].title}, test image 3"
    meta, _ = live_images([LiveModel("a", "A", session.models["lrbn-12-digits"])], session.dataset, 4, 3)
    assert (meta["data"], meta["test_image"]) == ("8x8 digits", "8x8 digits, test image")


def test_words_say_which_image_and_that_a_changed_one_is_the_visitors_own(session):
    x = session.dataset.test_X[0]
    assert (words_of(session)["title"], words_of(session)["caption"]) == (
        session.label,
        "8x8 digits, test image 0",
    )
    one = x.copy()
    one[5] ^= 1
    for image, words in ((one, "1 pixel changed"), (0 * x, f"{x.sum()} pixels changed")):
        session.draw(pixels_to_text(image))
        assert (words_of(session)["title"], words_of(session)["caption"]) == (
            "Own image",
            f"8x8 digits, test image 0, {words}",
        )
        assert GalleryPanel(session).gallery.own == "Own image, in place of image 0."
    session.draw(pixels_to_text(x))  # drawn back to what it was
    assert words_of(session)["title"] == session.label
    assert (GalleryPanel(session).gallery.own, GalleryPanel(session).gallery.chosen) == ("", 0)


def test_words_name_the_small_models_and_the_same_question_alike(session):
    words = words_of(session)
    assert [name for name, _ in words["small"]] == [
        "lrbn-12-digits",
        "lrbn-12-digits-recognition",
        "lrbn-16-digits",
        "lrbn-16-digits-strokes",
        "lrbn-2-alarm",
        "lrbn-6-findings",
        "lrbn-16-bars",
    ]
    questions = [words["question"]]
    for change in (
        {"index": 1},
        {"drawn": "A" * 11},
        {"model_name": "lrbn-16-digits", "rival_name": "rbm-16-digits"},
    ):
        session.param.update(**change)
        questions.append(words_of(session)["question"])
    assert len(set(questions)) == 4
    session.param.update(
        index=0, drawn="", model_name="lrbn-12-digits", rival_name="rbm-12-digits", start="zeros", seed=3
    )
    assert session.question == questions[0], "neither start nor seed changes which optima there are"
