"""What a bare address shows: shipped traces that are the engine's, and captions that are true of them."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from forked import finish, program

from lrbn_viz import explain_change, find_basins, log_odds_terms, pretrained
from lrbn_viz.app.address import read_address, write_address
from lrbn_viz.app.inference import first_look
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, words_of
from lrbn_viz.app.shared.menus import partner
from lrbn_viz.app.shell import PAGES
from lrbn_viz.io.glossary import TERMS
from lrbn_viz.view.player.packing import pack_trace
from lrbn_viz.view.player.panels import STORY_PARTS
from lrbn_viz.view.player.wire import unpack
from tools.first_look import (
    MAX_WRONG_SHARE,
    MIN_EVIDENCE,
    MIN_TURN_OFF,
    MIN_WRONG_BESIDE,
    N_NAMED,
    NEAR,
    QUICK,
    beginning,
    best_found,
)

LOOK = first_look.read()
assert LOOK is not None
SESSION = Session(**LOOK.settings)
"""The same, inferred now."""
MODEL = SESSION.models[first_look.MODEL]
TRACE, BESIDE = SESSION.traces
FACTS: Any = LOOK.facts
VISIT = FACTS.visit
UNIT = int(TRACE.unit[VISIT - 1])
BEFORE = TRACE.latents(VISIT - 1)


def test_the_shipped_traces_are_what_the_engine_makes():
    assert LOOK is not None
    for shipped, made in zip(LOOK.traces, SESSION.traces, strict=True):
        for field in fields(made):
            found, expected = getattr(shipped, field.name), getattr(made, field.name)
            if isinstance(expected, np.ndarray) and expected.dtype.kind == "f":
                np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=field.name)
            elif isinstance(expected, np.ndarray):
                np.testing.assert_array_equal(found, expected, err_msg=field.name)
                assert found.dtype == expected.dtype
            else:
                assert found == pytest.approx(expected), field.name


def test_what_the_player_is_sent_first_is_what_it_would_be_sent_of_the_engines_traces():
    """If this fails: python -m tools.first_look."""
    assert LOOK is not None
    words = words_of(SESSION)
    meta, arrays = unpack(LOOK.packed(words))
    expected, made = unpack(pack_trace(lanes_of(SESSION), words))
    assert meta.keys() == expected.keys()
    assert arrays.keys() == made.keys()
    for name, array in made.items():
        np.testing.assert_allclose(arrays[name].astype(float), array.astype(float), rtol=1e-5, atol=1e-6)
    for lane, other in zip(meta["lanes"], expected["lanes"], strict=True):
        numbers = [name for name, value in other.items() if isinstance(value, (float, dict))]
        assert {k: v for k, v in lane.items() if k not in numbers} == {
            k: v for k, v in other.items() if k not in numbers
        }
    assert meta["title"] == SESSION.label


def test_what_the_guide_shows_first_is_what_the_engine_makes():
    """If this fails: python -c "from tools.first_look import write_beginning; write_beginning()"."""
    looks, found = first_look.read_all(first_look.BEGINNING), list(beginning())
    assert looks[0] is first_look.read(first_look.BEGINNING)
    assert len(looks) == len(found) == 9, "two observations, each on, off or not known"
    for look, (settings, session) in zip(looks, found, strict=True):
        assert (look.settings, look.story) == (settings, [])
        assert [trace.latent_names for trace in look.traces] == [("burglary", "earthquake")] * 2
        words = words_of(session)
        assert words_of(Session(first_look=look)) == words
        meta, arrays = unpack(look.packed(words))
        expected, made = unpack(pack_trace(lanes_of(session), words))
        assert arrays.keys() == made.keys()
        for name, array in made.items():
            np.testing.assert_allclose(arrays[name], array, rtol=1e-5, atol=1e-6, err_msg=name)
        assert [lane["title"] for lane in meta["lanes"]] == [lane["title"] for lane in expected["lanes"]]
    np.testing.assert_allclose(unpack(looks[0].block)[1]["0.beliefs.latents"], 0.1)


def test_the_guides_first_presses_are_answered_by_what_is_stored_until_anything_else_is_changed():
    looks = first_look.read_all(first_look.BEGINNING)
    session = Session(first_look=looks[0])
    panel = ReplayPanel(session)
    for look in looks[1:]:
        session.draw(look.settings["drawn"])
        assert session.shown_first is look
        assert session.cursor == session.n_visits
        assert panel.player.trace == look.packed(words_of(session))
    session.hold(0, "on", 0)
    assert session.shown_first is None
    assert session.traces[0].latents(0)[0] == 1
    session.hold(0, "free", 0)
    assert session.shown_first is looks[-1]
    session.name_unit(0, "thief")
    session.draw(looks[0].settings["drawn"])
    assert session.shown_first is None
    assert session.traces[0].latent_names == ("thief", "earthquake")


def test_a_unit_that_was_on_turns_off_because_others_draw_its_stroke():
    """What makes the visit worth showing: `explained_visits` asks for it, and here it is found without it."""
    terms = log_odds_terms(MODEL, TRACE.x, BEFORE, UNIT)
    assert BEFORE[UNIT]
    assert TRACE.after[VISIT - 1] == 0
    assert TRACE.flipped[VISIT - 1]
    others = float(terms.others.sum())
    assert terms.log_odds < -MIN_TURN_OFF
    assert terms.log_odds - others > MIN_EVIDENCE, "without the others it would be on"
    causes = explain_change(MODEL, TRACE, UNIT, VISIT, "off").causes
    assert sum(cause.nats for cause in causes) == pytest.approx(others)
    assert sorted(cause.unit for cause in causes) == [j for j in np.flatnonzero(BEFORE) if j != UNIT]


def test_what_explains_the_unit_away_stays_on_to_the_end_and_the_unit_off():
    causes = sorted(explain_change(MODEL, TRACE, UNIT, VISIT, "off").causes, key=lambda cause: cause.nats)
    named = [cause.unit for cause in causes[:N_NAMED]]
    assert LOOK is not None
    assert FACTS.named == named, "those that the Why card ranks first"
    assert FACTS.nats == pytest.approx([cause.nats for cause in causes[:N_NAMED]])
    end = TRACE.latents(TRACE.n_visits)
    assert end[named].all()
    assert not end[UNIT]


def test_the_first_lane_ends_near_the_best_that_is_found_and_draws_the_image_well():
    """The whole search is in the test below."""
    assert LOOK is not None
    best, end = FACTS.best, TRACE.log_joint[-1]
    assert best - NEAR <= end <= best
    assert find_basins(MODEL, TRACE.x, 500).log_joint[0] <= best
    H = MODEL.map_states(TRACE.x[None].astype(float), QUICK, np.random.default_rng(11))
    assert MODEL.log_joint(TRACE.x[None], H)[0] <= best + 1e-9
    assert TRACE.converged
    wrong, beside = TRACE.wrong_pixels()[-1], BESIDE.wrong_pixels()[-1]
    assert wrong <= MAX_WRONG_SHARE * TRACE.x.sum()
    assert beside >= MIN_WRONG_BESIDE * wrong


@pytest.mark.slow
def test_a_search_of_many_starts_and_long_annealings_finds_what_is_stored():
    assert LOOK is not None
    found = best_found(MODEL, TRACE.x.astype(float))
    assert max(found, TRACE.log_joint[-1]) == pytest.approx(FACTS.best, abs=1e-6)


def numbers_in(text: str) -> list[float]:
    """Return all numbers of a caption, in order, and shares of 1 for per cents."""
    found = re.findall(r"([+\u2212]?\d+(?:\.\d+)?)\s?(%?)", re.sub(r"\]\([\w-]+\)", "]", text))
    return [float(number.replace("\u2212", "-")) / (100 if share else 1) for number, share in found]


def expected_numbers() -> list[list[Any]]:
    """Return what each caption names, found anew from the models and the inferred traces."""
    terms = log_odds_terms(MODEL, TRACE.x, BEFORE, UNIT)
    sums = [terms.prior, *(getattr(terms, name).sum() for name in ("evidence", "alone", "others"))]
    on = [j for j in np.flatnonzero(BEFORE) if j != UNIT]
    causes = sorted(explain_change(MODEL, TRACE, UNIT, VISIT, "off").causes, key=lambda cause: cause.nats)[:3]
    W = np.maximum(TRACE.W, 0)
    drawn = W[:, [cause.unit for cause in causes]].sum(axis=1)
    share = round(np.minimum(drawn, W[:, UNIT]).sum() / W[:, UNIT].sum(), 2)
    since = max(k for k in range(VISIT - 1) if TRACE.unit[k] == UNIT and TRACE.flipped[k])
    assert TRACE.after[since] == 1
    end, other_end = TRACE.latents(TRACE.n_visits), BESIDE.latents(BESIDE.n_visits)
    n_h, wrong, other_wrong = TRACE.n_h, TRACE.wrong_pixels()[-1], BESIDE.wrong_pixels()[-1]
    assert other_end[UNIT]
    rbm = pretrained(partner(first_look.MODEL)).map_trace(TRACE.x)
    rbm_end = rbm.latents(rbm.n_visits)
    named = [number for cause in causes for number in (cause.unit, round(cause.nats, 1))]
    return [
        [TRACE.x.sum(), n_h],
        [since + 1, UNIT, TRACE.log_odds[since]],
        [VISIT, len(on), UNIT, *sums, terms.log_odds, 0],
        [len(on), *named, UNIT, share, UNIT],
        [end.sum(), wrong, other_end.sum(), UNIT, other_wrong, 200, rbm_end.sum(), rbm.wrong_pixels()[-1]],
        [],
    ]


def test_every_number_and_unit_that_a_caption_names_is_that_of_the_trace():
    assert LOOK is not None
    for caption, expected in zip(LOOK.story, expected_numbers(), strict=True):
        assert numbers_in(caption["text"]) == pytest.approx(expected, abs=0.00501), caption["title"]


def test_from_the_captions_one_can_say_what_the_lanes_and_the_bars_are():
    assert LOOK is not None
    first, third = LOOK.story[0]["text"], LOOK.story[2]["text"]
    words = r"same weights\. In the upper lane, an \[LRBN\].*; in the lower lane each unit decides by itself"
    assert re.search(words, first)
    assert "RBM" not in re.sub(r"\[LRBN\]", "", first), "weights of an LRBN are no RBM"
    (_, upper), (_, lower) = SESSION.lanes
    assert not upper.factorised
    assert lower.factorised
    for mine, other in zip(upper.layers[0], lower.layers[0], strict=True):
        np.testing.assert_array_equal(mine, other)
    # what is said of each bar holds: of the first for a model's prior, of the others for weights above 0
    said = dict(re.findall(r"\[\w+\]\((\w+)\) [+\u2212][\d.]+, ([^;.]+)[;.]", third))
    assert list(said) == ["prior", "evidence", "alone", "others"]
    assert all(len(words) > 10 for words in said.values())
    terms = log_odds_terms(MODEL, TRACE.x, BEFORE, UNIT)
    draws = TRACE.W[:, UNIT]
    assert draws.min() >= 0
    assert terms.prior == pytest.approx(MODEL.layers[0].d[UNIT])
    assert terms.evidence.sum() == pytest.approx(draws[TRACE.x == 1].sum()), "the ink where it draws"
    nobody = log_odds_terms(MODEL, 0 * TRACE.x, 0 * BEFORE, UNIT)
    assert nobody.log_odds - nobody.prior == pytest.approx(terms.alone.sum()), "its cost by itself"
    assert terms.others.sum() < 0
    assert log_odds_terms(MODEL, TRACE.x, 0 * BEFORE, UNIT).others.sum() == 0, "of the units that are on"


def test_captions_go_to_visits_of_the_trace_and_mark_terms_that_are_explained():
    assert LOOK is not None
    assert len(LOOK.story) == 6
    marked = [key for caption in LOOK.story for key in re.findall(r"\]\(([\w-]+)\)", caption["text"])]
    assert set(marked) <= TERMS.keys()
    assert {"explain-away", "visit", "nats", "log-joint", "log-odds", "lrbn", "rbm"} <= set(marked)
    for caption in LOOK.story:
        assert 0 <= caption["visit"] <= max(TRACE.n_visits, BESIDE.n_visits)
        assert caption["parts"]
        assert set(caption["parts"]) <= STORY_PARTS
    link = read_address(LOOK.story[0]["link"], PAGES)
    assert link.ignored == []
    assert link.states["inference"]["model_name"] == first_look.ALARM


def test_it_is_shown_until_other_traces_are_and_its_address_brings_it_back():
    assert LOOK is not None
    session = Session(first_look=LOOK)
    panel = ReplayPanel(session)
    assert session.traces is LOOK.traces
    assert len(panel.player.story) == 6
    again = Session(**read_address(write_address(session), PAGES).states["inference"])
    for name in LOOK.settings:
        assert getattr(again, name) == getattr(session, name)
    session.choose("next")
    assert session.shown_first is None
    assert panel.player.story == []
    assert session.traces[0] is not LOOK.traces[0]


WITHOUT_KERNELS = """
import gc
from numba.core.dispatcher import Dispatcher

def compile(self, signature):
    raise AssertionError(f"{self.py_func.__name__} was needed")

Dispatcher.compile = compile  # which looks in the cache, too
from lrbn_viz.app.inference.component import TracePlayer
from lrbn_viz.app.shell import build_page
page = build_page()
(player,) = page.select(TracePlayer)
assert len(player.trace) > 1000 and len(player.models) > 1000 and len(player.story) == 6
kernels = [each for each in gc.get_objects() if isinstance(each, Dispatcher)]
kernels = [each for each in kernels if each.py_func.__module__.startswith("lrbn_viz")]
assert kernels, "they are known"
print("ready:", *[each.py_func.__name__ for each in kernels if each.signatures])
"""


def test_the_page_of_a_bare_address_is_made_without_compiling_or_loading_a_kernel():
    assert finish(program(WITHOUT_KERNELS)).split() == ["ready:"]
