"""What a bare address shows: shipped traces that are the engine's, and captions that are true of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lrbn_viz import explain_change, log_odds_terms
from lrbn_viz.app.address import read_address, write_address
from lrbn_viz.app.inference import first_look
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, words_of
from lrbn_viz.app.shell import PAGES
from lrbn_viz.glossary import TERMS
from lrbn_viz.player.packing import pack_trace
from lrbn_viz.player.wire import unpack

ROOT = Path(__file__).resolve().parents[2]
LOOK = first_look.read()
assert LOOK is not None
SESSION = Session(**LOOK.settings)
"""The same, inferred now."""
MODEL = SESSION.models[first_look.MODEL]
TRACE, BESIDE = SESSION.traces
VISIT = LOOK.facts.visit
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
    """If this fails: python -m lrbn_viz.weights.first_look."""
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


def test_a_unit_that_was_on_turns_off_because_others_draw_its_stroke():
    """What makes the visit worth showing."""
    terms = log_odds_terms(MODEL, TRACE.x, BEFORE, UNIT)
    assert TRACE.h0[UNIT]
    assert not TRACE.flipped[: VISIT - 1][TRACE.unit[: VISIT - 1] == UNIT].any(), "on since the start"
    assert TRACE.after[VISIT - 1] == 0
    assert TRACE.flipped[VISIT - 1]
    others = float(terms.others.sum())
    assert terms.log_odds < 0 < terms.log_odds - others, "without the others it would be on"
    causes = explain_change(MODEL, TRACE, UNIT, VISIT, "off").causes
    assert sum(cause.nats for cause in causes) == pytest.approx(others)
    assert sorted(cause.unit for cause in causes) == [j for j in np.flatnonzero(BEFORE) if j != UNIT]


def numbers_in(text: str) -> list[float]:
    """Return all numbers of a caption, in order, and shares of 1 for per cents."""
    found = re.findall(r"([+\u2212]?\d+(?:\.\d+)?)\s?(%?)", re.sub(r"\]\([\w-]+\)", "]", text))
    return [float(number.replace("\u2212", "-")) / (100 if share else 1) for number, share in found]


def expected_numbers() -> list[list[Any]]:
    """Return what each caption names, found anew from the model and the inferred traces."""
    terms = log_odds_terms(MODEL, TRACE.x, BEFORE, UNIT)
    sums = [terms.prior, *(getattr(terms, name).sum() for name in ("evidence", "alone", "others"))]
    on = [j for j in np.flatnonzero(BEFORE) if j != UNIT]
    W = np.maximum(TRACE.W, 0)
    share = {j: np.minimum(W[:, j], W[:, UNIT]).sum() / W[:, UNIT].sum() for j in on}
    partner = max(on, key=lambda j: share[j])
    end, other_end = TRACE.latents(TRACE.n_visits), BESIDE.latents(BESIDE.n_visits)
    n_h, wrong, other_wrong = TRACE.n_h, TRACE.wrong_pixels()[-1], BESIDE.wrong_pixels()[-1]
    assert other_end[TRACE.h0 == 1].all(), "factorised, all units of the start stay on"
    assert other_end[UNIT]
    return [
        [TRACE.x.sum(), n_h],
        [TRACE.h0.sum(), n_h, share[partner], UNIT, partner, VISIT, UNIT],
        [VISIT, UNIT, len(on), *sums, terms.log_odds, 0],
        [end.sum(), wrong, other_end.sum(), UNIT, other_wrong],
        [],
    ]


def test_every_number_and_unit_that_a_caption_names_is_that_of_the_trace():
    assert LOOK is not None
    for caption, expected in zip(LOOK.story, expected_numbers(), strict=True):
        assert numbers_in(caption["text"]) == pytest.approx(expected, abs=0.00501), caption["title"]


def test_from_the_captions_one_can_say_what_the_lanes_and_the_bars_are():
    assert LOOK is not None
    first, third = LOOK.story[0]["text"], LOOK.story[2]["text"]
    assert re.search(r"same weights\. In the upper one, an \[LRBN\].*; in the lower one, an \[RBM\]", first)
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
    assert terms.prior == pytest.approx(MODEL.params_.d[UNIT])
    assert terms.evidence.sum() == pytest.approx(draws[TRACE.x == 1].sum()), "the ink where it draws"
    nobody = log_odds_terms(MODEL, 0 * TRACE.x, 0 * BEFORE, UNIT)
    assert nobody.log_odds - nobody.prior == pytest.approx(terms.alone.sum()), "its cost by itself"
    assert terms.others.sum() < 0
    assert log_odds_terms(MODEL, TRACE.x, 0 * BEFORE, UNIT).others.sum() == 0, "of the units that are on"


def test_captions_go_to_visits_of_the_trace_and_mark_terms_that_are_explained():
    assert LOOK is not None
    assert len(LOOK.story) == 5
    marked = [key for caption in LOOK.story for key in re.findall(r"\]\(([\w-]+)\)", caption["text"])]
    assert set(marked) <= TERMS.keys()
    assert {"explain-away", "conditional", "visit", "nats", "icm", "lrbn"} <= set(marked)
    script = (ROOT / "lrbn_viz/player/js/story.js").read_text(encoding="utf-8")
    for caption in LOOK.story:
        assert 0 <= caption["visit"] <= TRACE.n_visits
        assert caption["parts"]
        assert all(re.search(rf'(?:"{part}"|\b{part}): "', script) for part in caption["parts"])
    link = read_address(LOOK.story[0]["link"], PAGES)
    assert link.ignored == []
    assert link.states["inference"]["model_name"] == first_look.ALARM


def test_it_is_shown_until_other_traces_are_and_its_address_brings_it_back():
    assert LOOK is not None
    session = Session(first_look=LOOK)
    panel = ReplayPanel(session)
    assert session.traces is LOOK.traces
    assert len(panel.player.story) == 5
    again = Session(**read_address(write_address(session), PAGES).states["inference"])
    for name in ("model_name", "rival_name", "dataset_name", "index", "cursor", "reference"):
        assert getattr(again, name) == getattr(session, name)
    session.choose("next")
    assert session.shown_first is None
    assert panel.player.story == []
    assert session.traces[0] is not LOOK.traces[0]


def test_a_link_that_names_any_setting_means_what_it_did():
    """Only an address without a query shows the first look."""
    assert read_address("", PAGES).states["inference"] == {}
    assert Session().model_name == "lrbn-200-mnist-flat"


WITHOUT_KERNELS = """
from numba.core.dispatcher import Dispatcher

def compile(self, signature):
    raise AssertionError(f"{self.py_func.__name__} was needed")

Dispatcher.compile = compile
import panel as pn
from lrbn_viz.app.inference.component import TracePlayer
from lrbn_viz.app.shell import build_page
page = build_page()
(player,) = page.select(TracePlayer)
assert len(player.trace) > 1000 and len(player.models) > 1000 and len(player.story) == 5
print("whole")
"""


def test_the_page_of_a_bare_address_is_made_without_compiling_or_loading_a_kernel(tmp_path):
    cold = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_KERNELS],
        cwd=ROOT,
        env=cold,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "whole"
    assert list(tmp_path.rglob("*.nb?")) == []
