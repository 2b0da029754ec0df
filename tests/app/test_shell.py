"""The page around the panels, in a document that no browser shows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from bokeh.server.callbacks import TimeoutCallback
from panel.io.state import set_curdoc

from lrbn_viz.app import warmup
from lrbn_viz.app.address import write_address
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shell import ADDRESS_MS, Explorer
from lrbn_viz.app.train.opening import Opened
from lrbn_viz.datasets import load_dataset
from lrbn_viz.estimators import LRBN, RBM


@pytest.fixture
def document() -> Iterator[Document]:
    document = Document()
    with set_curdoc(document):
        yield document


@pytest.fixture
def explorer(document: Document) -> Explorer:
    return Explorer(Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits"))


def due(document: Document) -> list[TimeoutCallback]:
    callbacks = [one for one in document.session_callbacks if isinstance(one, TimeoutCallback)]
    return [one for one in callbacks if one.timeout == ADDRESS_MS]


def test_the_address_follows_changes_once_they_rest(document, explorer):
    location = pn.state.location
    assert location is not None
    before = location.search
    for index in range(1, 11):
        explorer.session.index = index
    assert location.search == before
    (once,) = due(document)
    once.callback()
    assert location.search == write_address(explorer.session)
    assert "image=10" in location.search


def test_a_page_without_controls_has_no_side_bar_and_the_next_has_it_as_it_was(explorer):
    page = explorer.page
    for was_open in (True, False):
        page.sidebar_open = was_open
        assert page.sidebar
        explorer.go("lessons")
        assert (list(page.sidebar), page.sidebar_open) == ([], False)
        explorer.go("inference")
        assert page.sidebar_open == was_open
        assert page.sidebar
    explorer.go("train")
    assert page.sidebar_open is False, "from one page with controls to another it stays as it is"


def test_the_side_bar_makes_room_in_a_narrow_window_and_comes_back_in_a_wide_one(explorer):
    links, page = explorer._links, explorer.page
    for narrow, is_open in ((True, False), (False, True)):
        links._handle_msg({"type": "narrow", "narrow": narrow})
        assert page.sidebar_open == is_open
    page.sidebar_open = False  # by its visitor
    for narrow in (True, False):
        links._handle_msg({"type": "narrow", "narrow": narrow})
        assert not page.sidebar_open


def test_the_side_bar_of_a_phone_is_closed_from_the_first_and_opens_where_its_window_becomes_wide(
    document, monkeypatch
):
    monkeypatch.setattr(type(pn.state), "headers", {"User-Agent": "Mozilla/5.0 (Linux; Android 15) Mobile"})
    explorer = Explorer(
        Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits")
    )
    links, page = explorer._links, explorer.page
    assert page.sidebar
    assert not page.sidebar_open
    links._handle_msg({"type": "narrow", "narrow": True})
    assert not page.sidebar_open
    links._handle_msg({"type": "narrow", "narrow": False})
    assert page.sidebar_open


def test_each_navigation_is_answered_by_its_number_and_the_address_that_is_shown_since(explorer):
    links, answers, location = explorer._links, [], pn.state.location
    assert location is not None
    links.param.watch(lambda event: answers.append(event.new), "answer")
    names, shown = [name for name, *_ in links.pages], write_address(explorer.session)[1:]
    for number, name in enumerate([*names[1:], names[0]], 1):
        links._handle_msg({"type": "go", "page": name, "number": number})
        said = "?" if name == names[0] else f"?page={name}&"
        assert answers[-1][0] == number
        assert answers[-1][1].startswith(said)
        assert answers[-1][1].endswith(shown)
        assert location.search == answers[-1][1], "at once: nothing of it comes behind the answer"
    assert len(answers) == len(names)
    first, lesson = names[0], next(iter(explorer.lessons.lessons))
    show = {"type": "show", "page": first, "lesson": lesson, "step": 2}
    links._handle_msg({**show, "number": 7})
    assert answers[-1] == (7, f"?lesson={lesson}&step=2")
    explorer.lessons.predict(2, 0)
    links._handle_msg({**show, "number": 8})
    assert explorer.lessons.answered, "it is shown already, and goes on"
    links._handle_msg({**show, "lesson": "", "step": 1, "number": 9})
    assert (answers[-1][0], explorer.lessons.lesson, explorer.shown) == (9, "", first)
    for wrong in ({"number": 0}, {"number": "1"}, {"page": "nowhere"}, {"step": 0}):
        links._handle_msg({**show, "number": 10, **wrong})
    assert answers[-1][0] == 9


def test_a_page_does_not_follow_what_other_visitors_make_the_server_do(document, explorer):
    heard = []
    explorer.page.param.watch(lambda event: heard.append(event.new), "busy")
    pn.state._add_busy_event("someone's click")
    pn.state._remove_busy_event("someone's click")
    assert heard == []


def test_models_of_a_run_draw_on_the_generate_page_and_the_inference_page_shows_what_it_showed(explorer):
    digits = load_dataset("digits")
    explorer.go("train")
    for step in (1, 2):
        models: dict[str, Any] = {
            f"live:run-1 {kind.__name__}, minibatch {step}": kind(4, random_state=step, n_iter=1).fit(
                digits.train_X[:100]
            )
            for kind in (LRBN, RBM)
        }
        explorer.open_models(Opened(models, digits, "generate"))
        assert explorer.shown == "generate"
        generation = explorer._parts_of("generate").state
        assert [generation.model_name, generation.rival_name] == list(models)
        assert generation.dataset is digits
        for shown, model in zip(generation.models, models.values(), strict=True):
            np.testing.assert_array_equal(shown.layers[0].W, model.layers[0].W)
        generation.stand_beside(next(iter(models)))
        explorer.open_models(Opened(models, digits, "generate"))
        assert generation.rival_name == list(models)[1], "both again, whatever stood beside the first"
    assert explorer.session.model_name == "lrbn-12-digits"


def test_the_page_says_that_kernels_are_compiled_until_they_are(document, explorer, monkeypatch):
    begun, compiled = threading.Event(), threading.Event()
    monkeypatch.setattr(warmup, "_begun", begun)
    monkeypatch.setattr(warmup, "_compiled", compiled)
    explorer.follow_compilation()
    assert not explorer.watch.compiling
    begun.set()
    explorer.follow_compilation()
    assert explorer.watch.compiling
    compiled.set()
    explorer.follow_compilation()
    assert not explorer.watch.compiling
