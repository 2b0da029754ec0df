"""Each shipped model opens with the start that a stored measurement chose, and pages say what others give."""

from __future__ import annotations

import pytest

from lrbn_viz.app.address import read_address, write_address
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import menus_of
from lrbn_viz.app.shell import PAGES
from lrbn_viz.catalog import PRETRAINED, measured_starts, pretrained, starts_in_words, usual_start
from lrbn_viz.datasets import load_dataset
from lrbn_viz.estimators.layered import ANNEALING
from tools.weights.starts import MIN_GAIN, MIN_STANDARD_ERRORS, N_IMAGES, figures, has_choice

CHOSEN = {name: usual_start(name) for name in PRETRAINED if usual_start(name)}
STROKES, FLAT = "lrbn-200-mnist-strokes", "lrbn-200-mnist-flat"


def read(query: str) -> Session:
    return Session(**read_address(query, PAGES).states["inference"])


def test_each_model_that_has_a_choice_of_starts_is_measured():
    assert [name for name in PRETRAINED if has_choice(pretrained(name))] == list(CHOSEN)
    for name in CHOSEN:
        assert list(measured_starts(name)["starts"]) == list(pretrained(name).starts)
        assert measured_starts(name)["images"] == N_IMAGES


@pytest.mark.parametrize("name", CHOSEN)
def test_no_start_ends_surely_and_noticeably_above_the_one_that_is_chosen(name):
    starts = measured_starts(name)["starts"]
    first = next(iter(starts))
    worth = {
        start: each["gain"]
        for start, each in starts.items()
        if start != "random"
        and each["gain"] >= MIN_GAIN
        and each["gain"] > MIN_STANDARD_ERRORS * each["gain_error"]
    }
    assert CHOSEN[name] == max(worth, key=lambda start: worth[start], default=first)
    for each in starts.values():
        assert each["gain"] == pytest.approx(each["log_joint"] - starts[first]["log_joint"], abs=2e-4)


def test_measured_again_a_model_has_the_stored_figures():
    """If this fails: python -m tools.weights.starts."""
    name = "lrbn-12-digits"
    found = figures(pretrained(name), load_dataset("digits").train_X[:N_IMAGES])
    stored = measured_starts(name)
    assert found["chosen"] == stored["chosen"]
    assert found["annealed"] == pytest.approx(stored["annealed"], abs=2e-4)
    for start, each in stored["starts"].items():
        assert found["starts"][start] == pytest.approx(each, abs=2e-4)


def test_the_model_of_strokes_opens_with_all_units_off_by_link_and_by_menu():
    assert (CHOSEN[STROKES], CHOSEN[FLAT]) == ("zeros", "conditional")
    session = read(f"?model={STROKES}")
    assert session.start_of(0) == "zeros"
    assert session.traces[0].h0.sum() == 0
    assert "start=zeros" in write_address(session), "a link says it though nobody chose it"
    session.choose_in(0, "model", FLAT)
    assert session.start_of(0) == "conditional"
    session.choose_in(0, "model", STROKES)
    assert session.traces[0].h0.sum() == 0
    session.choose_in(0, "start", "random")
    session.choose_in(0, "model", FLAT)
    assert session.start_of(0) == "random", "what somebody chose stays"


def test_a_start_that_a_link_names_is_taken_in_either_lane():
    session = read(f"?model={FLAT}&rival={STROKES}&start=zeros&rival_start=conditional")
    assert (session.start_of(0), session.start_of(1)) == ("zeros", "conditional")
    again = read(write_address(session))
    assert (again.start_of(0), again.start_of(1)) == ("zeros", "conditional")
    assert read(f"?model={FLAT}&rival={STROKES}").start_of(1) == "zeros"


def test_the_page_says_what_each_start_gives_on_average():
    session = read(f"?model={STROKES}")
    said = menus_of(session)[0]["note"]
    assert said == starts_in_words(STROKES)
    starts, titles = measured_starts(STROKES)["starts"], pretrained(STROKES).starts
    for start, each in starts.items():
        assert f"{each['log_joint']:.1f} from {titles[start]}".replace("-", "\u2212") in said
    annealed = measured_starts(STROKES)["annealed"]
    words = f"Annealing over {len(ANNEALING)} sweeps ends at {annealed['log_joint']:.1f}."
    assert words.replace("-", "\u2212") in said
    assert f"{N_IMAGES} training images" in said
    assert menus_of(session)[1]["note"] == "", "an RBM starts from nothing"
