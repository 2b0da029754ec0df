"""What the player is told of a session."""

from __future__ import annotations

import numpy as np
import pytest

from lrbn_viz.app.menus import ALGORITHMS
from lrbn_viz.app.player.lanes import lanes_of, words_of
from lrbn_viz.app.session import Session


@pytest.fixture
def session() -> Session:
    return Session(dataset_name="digits", lrbn="lrbn-12-digits", rbm="rbm-12-digits")


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


def test_words_say_which_image_and_whether_it_was_changed(session):
    assert words_of(session)["caption"] == "digits test image 0"
    session.draw("A" * 11)
    assert words_of(session)["caption"] == "digits test image 0, changed"


def test_words_name_the_small_models_and_the_same_question_alike(session):
    words = words_of(session)
    assert [name for name, _ in words["small"]] == ["lrbn-12-digits", "lrbn-16-digits"]
    questions = [words["question"]]
    for change in ({"index": 1}, {"drawn": "A" * 11}, {"lrbn": "lrbn-16-digits", "rbm": "rbm-16-digits"}):
        session.param.update(**change)
        questions.append(words_of(session)["question"])
    assert len(set(questions)) == 4
    session.param.update(index=0, drawn="", lrbn="lrbn-12-digits", rbm="rbm-12-digits", start="zeros", seed=3)
    assert session.question == questions[0], "neither start nor seed changes which optima there are"
