"""The explorer where the images that it begins with are not at hand: a new machine without a network."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from lrbn_viz.app import warmup
from lrbn_viz.app.address import read_address
from lrbn_viz.app.claims import Shown, check_claims, offered_lessons
from lrbn_viz.app.compare.state import CompareState
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.inference import first_look
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.loading import SMALL, SMALL_MODEL, USUAL, absent_images
from lrbn_viz.app.shared.menus import shipped_info
from lrbn_viz.app.shared.notice_bar import NoticeBar
from lrbn_viz.app.shell import PAGES, build_page
from lrbn_viz.app.train.form_state import FormState
from lrbn_viz.app.train.presets import PRESETS
from lrbn_viz.datasets import DATA_VARIABLE, DATASETS, DataFileError, at_hand
from lrbn_viz.view.lessons import shipped_lessons


@pytest.fixture
def no_images(monkeypatch, tmp_path):
    """No published file is at hand."""
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert not at_hand(USUAL)


@pytest.fixture
def images():
    """The published files are at hand; the test is skipped where they are not."""
    if not at_hand(USUAL):
        pytest.skip(f"no folder of published data files: set {DATA_VARIABLE}")


def dataset_of_a_recipe_that_names_none() -> str:
    state = FormState()
    state.choose_preset(next(name for name, preset in PRESETS.items() if not preset.dataset))
    assert state.form is not None
    return state.form.dataset


def test_what_pages_begin_with_instead_needs_no_file_and_has_models_that_infer_and_draw():
    assert not DATASETS[SMALL].needs_files
    info = shipped_info(SMALL_MODEL)
    assert info is not None
    assert info.dataset == SMALL
    assert info.kind.model.trace_methods
    assert info.kind.model.draws_passes


def test_each_page_begins_with_small_digits_and_nothing_of_the_address_is_refused(no_images):
    address = read_address("", PAGES)
    assert address.words == []
    session = Session(first_look=first_look.read(), **address.states["inference"])
    assert (session.dataset_name, session.model_name, session.rival_name) == (
        SMALL,
        SMALL_MODEL,
        "rbm-16-digits",
    )
    assert [trace.n_visits > 0 for trace in session.traces] == [True, True]
    generation = GenerateState(**address.states["generate"])
    assert (generation.dataset_name, generation.model_name) == (SMALL, SMALL_MODEL)
    comparison = CompareState(**address.states["compare"])
    assert comparison.dataset_name == SMALL
    assert len(comparison.names) > 1
    assert dataset_of_a_recipe_that_names_none() == SMALL


def test_each_page_begins_with_mnist_where_it_is_at_hand(images):
    address = read_address("", PAGES)
    assert all(state == {} for state in address.states.values())
    assert first_look.read() is not None
    assert dataset_of_a_recipe_that_names_none() == USUAL
    assert absent_images(False) == []


def test_settings_of_a_link_are_read_for_the_small_model_and_a_wrong_one_names_it(no_images):
    address = read_address("?unit=0.15&image=359", PAGES)
    assert address.words == []
    state = address.states["inference"]
    assert (state["model_name"], state["index"], state["selected"]) == (SMALL_MODEL, 359, "0.15")
    (_, said) = read_address("?model=lrbn-200-mnist-flat", PAGES).words
    assert "images (MNIST subset) are not at hand" in said
    assert said.endswith(f"{SMALL_MODEL} is shown.")


def test_a_page_says_how_to_get_the_images(no_images):
    (said,) = absent_images(False)
    assert "lrbn-viz datasets --download mnist5k" in said
    (bar,) = [each for each in cast(Any, build_page()).main if isinstance(each, NoticeBar)]
    assert bar.texts == [said]


def test_a_page_says_nothing_of_images_that_are_at_hand(images):
    (bar,) = [each for each in cast(Any, build_page()).main if isinstance(each, NoticeBar)]
    assert bar.texts == []


def test_lessons_on_absent_images_are_left_out_and_the_guide_keeps_its_steps(no_images):
    lessons, bad = offered_lessons()
    assert bad == []
    known = {lesson.id: lesson for lesson in shipped_lessons()}
    assert 3 <= len(lessons) < len(known)
    (guide,) = [lesson for lesson in lessons if lesson.guide]
    usual = [step.title for step in known[guide.id].steps]
    assert [step.title for step in guide.steps] == usual[:-1], "all but the free drawing on a large image"
    assert first_look.read(first_look.BEGINNING) is not None
    shown = Shown()
    for lesson in lessons:
        for number in range(1, len(lesson.steps) + 1):
            for query in lesson.shown_at(number):
                assert read_address(query, PAGES).words == [], (lesson.id, number)
        assert check_claims(lesson, shown) == []


def test_all_lessons_are_offered_where_images_are_at_hand(images):
    assert offered_lessons() == (list(shipped_lessons()), [])


@pytest.fixture
def page(monkeypatch):
    """A server's page, none of which was opened before."""
    context = SimpleNamespace(session_context=object())
    monkeypatch.setattr("panel.state", SimpleNamespace(curdoc=context))
    for name in ("_asked", "_downloading"):
        monkeypatch.setattr(warmup, name, threading.Event())
    return context


def test_the_images_are_downloaded_once_and_their_absence_is_no_error(page, monkeypatch, tmp_path):
    asked: list[str] = []
    go_on = threading.Event()

    def fetch(name: str) -> None:
        asked.append(name)
        go_on.wait(60)
        raise DataFileError("no network")

    monkeypatch.setattr("lrbn_viz.app.shared.loading.dataset_by_name", fetch)
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    monkeypatch.setattr("lrbn_viz.datasets.files.user_cache_path", lambda _: tmp_path)
    warmup.download_once()
    assert warmup.is_downloading()
    assert "they are being downloaded: open the page again" in absent_images(warmup.is_downloading())[0]
    warmup.download_once()
    go_on.set()
    while warmup.is_downloading():
        time.sleep(0.01)
    assert asked == [USUAL]


def test_nothing_is_downloaded_if_a_folder_is_named_or_outside_a_server(page, no_images, monkeypatch):
    monkeypatch.setattr("lrbn_viz.app.shared.loading.dataset_by_name", pytest.fail)
    warmup.download_once()
    assert not warmup.is_downloading()
    monkeypatch.delenv(DATA_VARIABLE)
    warmup._asked.clear()
    page.session_context = None
    warmup.download_once()
    assert not warmup.is_downloading()
