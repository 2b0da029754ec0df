"""The notebook's player as Python sees it: what is checked, and what it leaves in a saved notebook."""

from __future__ import annotations

import base64
import io
import json
import re
import sys
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import panel
import pytest
from bokeh.document import Document
from bokeh.models import ImportedStyleSheet, InlineStyleSheet
from ipywidgets import IntSlider
from PIL import Image
from saved_notebooks import STATE, VIEW, outputs_of, saved
from traitlets import TraitError

import lrbn_viz
from lrbn_viz.app.lessons.component import LessonCard
from lrbn_viz.app.shared.navigation import Navigation
from lrbn_viz.notebook import NotebookPlayer, ask, explorer, show_trace, stand_alone, widget
from lrbn_viz.view.player.source import module_text
from lrbn_viz.view.player.wire import unpack

FORMULA = r"Weigh $h^*_j - \sigma(d_j)$, not `$x$`."


@pytest.fixture(scope="module")
def digit() -> np.ndarray:
    return lrbn_viz.load_dataset("digits").test_X[0]


@pytest.fixture(scope="module")
def small() -> Any:
    return lrbn_viz.pretrained("lrbn-16-digits")


@pytest.fixture
def player(small, digit) -> NotebookPlayer:
    trace = small.map_trace(digit, init="random", random_state=0)
    return show_trace(trace, lrbn_viz.factorised(small).map_trace(digit), title="a digit")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("unit_order", "x", "expected one of number, weight, usage, contribution, cluster, got 'x'"),
        ("reference", "first", "expected one of last, start, off, got 'first'"),
        ("hidden", "kitchen", "expected different names out of why, raster"),
        ("selected", "0.16", "expected a lane and a unit below 16 and 16, such as 0.49, or lane2"),
        ("cursor", 10**6, "cursor = 1000000 is outside what is shown; expected 0 to"),
        ("cursor", -2, "or -1 for the end"),
        ("height", 3, "height = 3 is too low; expected at least 120 pixels"),
        ("cursor", "3", "'cursor' trait of a NotebookPlayer instance expected an int"),
        ("drawing", None, '"drawing" trait is read-only'),
    ],
)
def test_a_trait_that_the_player_could_not_follow_is_an_error_in_words(player, name, value, words):
    before = getattr(player, name)
    with pytest.raises(TraitError, match=re.escape(words)):
        setattr(player, name, value)
    assert getattr(player, name) is before or getattr(player, name) == before


def test_traits_that_the_player_follows_are_taken(player):
    player.unit_order, player.reference, player.hidden = "cluster", "off", "matrix.seed"
    for unit in ("1.15", "lane2", ""):
        player.selected = unit
    player.cursor = -1
    assert player.cursor == player.end == max(trace.n_visits for trace in player._shown.traces)


def test_what_the_browser_says_of_another_inference_is_taken_and_the_drawing_is_read(player, digit):
    drawn = digit.copy()
    drawn[:3] = 1
    seen = []
    player.observe(lambda change: seen.append(change["new"]), "drawing")
    text = base64.urlsafe_b64encode(np.packbits(drawn).tobytes()).decode().rstrip("=")
    player.set_state({"cursor": 900, "end": 2000, "drawing": text})
    assert (player.cursor, player.end) == (900, 2000)
    np.testing.assert_array_equal(player.drawing, drawn)
    np.testing.assert_array_equal(seen[0], drawn)
    assert player.get_state()["drawing"] == text
    player.set_state({"drawing": ""})
    assert player.drawing is None


def test_another_trace_takes_the_place_of_what_is_shown(player, small, digit, monkeypatch):
    monkeypatch.setattr(widget, "display", (display := mock.Mock()))
    monkeypatch.setattr(widget, "update_display", (update := mock.Mock()))
    player._ipython_display_()
    player.hidden, player.selected, player.cursor = "matrix", "1.3", -1
    other = digit[::-1].copy()
    other[0] = 1
    trace = small.map_trace(other)
    turn, height = player.turn, player.height
    player.show(trace, title="its mirror image", cursor=2)
    meta, arrays = unpack(player.trace)
    assert meta["title"] == "its mirror image"
    assert len(meta["lanes"]) == 1
    np.testing.assert_array_equal(arrays["0.unit"], trace.unit)
    assert (player.turn, player.height, player.hidden) == (turn + 1, height, "matrix")
    assert (player.selected, player.cursor, player.end) == ("", 2, trace.n_visits)
    assert update.call_args.kwargs == display.call_args.kwargs, "of the same output"
    assert "its mirror image" in update.call_args.args[0]["text/plain"]
    with pytest.raises(ValueError, match="cursor = 5000 is outside the trace"):
        player.show(trace, cursor=5000)
    assert player.turn == turn + 1


@pytest.mark.parametrize("what", ["model", "image"])
def test_what_is_no_trace_is_told_what_is_wanted(small, digit, what):
    given = small if what == "model" else digit
    with pytest.raises(
        TypeError, match=r"expected a trace, as model.map_trace\(x\) returns it, got (a model|nd)"
    ):
        show_trace(given, digit)
    trace = small.map_trace(digit)
    with pytest.raises(TypeError, match="call show_trace"):
        show_trace(trace, given)


def test_a_player_leaves_a_picture_with_its_figures_and_says_how_to_get_it_moving(player):
    view, still = outputs_of(player)
    assert set(view) == {"text/plain", VIEW}
    figures = []
    for name, trace in zip(("LRBN", "RBM"), player._shown.traces, strict=True):
        figures.append(f"{name}: {trace.n_visits} visits, {trace.flipped.sum()} flips; at the end log P")
        figures.append(f"{int(trace.wrong_pixels()[-1])} wrong pixels")
    for words in (still["text/plain"], unescape(still["text/html"])):
        assert all(each in words for each in ("a digit", *figures, "To get it moving, run this cell"))
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(still["image/png"]))).convert("RGB"))
    assert picture.shape == (360, 640, 3)
    assert picture.std() > 10, "it is blank"
    assert f'data-lrbn-still="{player.still}"' in still["text/html"]
    assert "<script" not in still["text/html"]


def test_ten_players_of_a_model_weigh_at_most_1_200_kB_in_a_saved_notebook_and_in_its_page():
    model = lrbn_viz.pretrained("lrbn-200-mnist-flat")
    flat, images = lrbn_viz.factorised(model), lrbn_viz.load_dataset("mnist5k").test_X
    players = [show_trace(model.map_trace(x), flat.map_trace(x)) for x in images[:3]]
    assert len({each.weights.model_id for each in players}) == 1
    assert len({each.code.model_id for each in players}) == 1
    three = saved(*players)
    one = saved(players[0])
    for first, all_three in ((one, three), (stand_alone(one)[0], stand_alone(three)[0])):
        size, more = len(json.dumps(first)), len(json.dumps(all_three)) - len(json.dumps(first))
        assert size > 500_000, "it lacks the weights"
        assert size + 9 * more / 2 <= 1_200_000


def test_a_block_that_was_closed_is_made_anew(small, digit):
    trace = small.map_trace(digit)
    first = show_trace(trace)
    first.weights.close()
    second = show_trace(trace)
    assert second.weights is not first.weights
    assert second.weights is show_trace(trace).weights


def test_in_marimo_where_widgets_end_with_their_cell_each_player_has_blocks_of_its_own(
    small, digit, monkeypatch
):
    plain: Any = type(show_trace(small.map_trace(digit)).comm)

    class Comm(plain):
        __module__ = "marimo._plugins.comm"

    monkeypatch.setattr("comm.create_comm", lambda **how: Comm(**how))
    monkeypatch.setattr("lrbn_viz.notebook.blocks._SHARED", {})  # of other tests, whose widgets stay
    traces = [lrbn_viz.pretrained("lrbn-12-digits").map_trace(1 - digit) for _ in range(2)]
    first, second = map(show_trace, traces)
    assert first.weights is not second.weights
    assert first.weights.unpacked() == second.weights.unpacked()


def test_marimo_shows_the_player_and_the_picture_that_replaces_it(player, monkeypatch):
    host = mock.Mock(Html=lambda text: SimpleNamespace(text=text))
    host.ui.anywidget = lambda shown: SimpleNamespace(text=f"<marimo-anywidget of='{shown.still}'>")
    monkeypatch.setitem(sys.modules, "marimo", host)
    text = player._display_().text
    assert text.startswith(f"<marimo-anywidget of='{player.still}'><figure ")
    assert f'data-lrbn-still="{player.still}"' in text
    assert "at the end log P" in text
    assert "data:image/png;base64," in text


def test_players_and_predictions_of_a_saved_notebook_are_written_without_a_warning(player, recwarn):
    notebook = saved(player, ask("it rises", "it falls"), text=FORMULA)
    links = {"require_js_url": "https://a.example/r.js", "mathjax_url": "https://a.example/m.js"}
    alone, resources = stand_alone(notebook, {**links, "other": 3})
    assert [str(each.message) for each in recwarn] == []
    assert resources == {**dict.fromkeys(links, "data:text/javascript,"), "other": 3}
    assert "widgets" not in alone.metadata
    played, still = (output.data["text/html"] for output in alone.cells[1].outputs)
    assert "loader.render(" in played
    assert f'data-lrbn-still="{player.still}"' in still
    assert "it falls</label>" in alone.cells[2].outputs[0].data["text/html"]
    assert VIEW not in json.dumps(alone)
    formula = alone.cells[0].source
    assert formula.count("<math") == 1
    assert "`$x$`" in formula
    assert "<msubsup> <mi>h</mi> <mi>j</mi> <mo>&#42;</mo> </msubsup>" in formula
    assert stand_alone(notebook)[0].cells[0].source == FORMULA, "JupyterLab draws formulas itself"


def test_without_their_state_the_picture_and_the_buttons_stay_and_what_is_lost_is_named(player):
    notebook = saved(player, ask("it rises", "it falls"), state=False)
    with pytest.warns(UserWarning, match="does not hold the state") as warned:
        alone, _ = stand_alone(notebook)
    words = [str(each.message) for each in warned]
    assert len(words) == 2
    assert words[0].startswith(
        "cell 2: the notebook does not hold the state of <NotebookPlayer at visit 0: a digit"
    )
    assert words[1].startswith("cell 3: the notebook does not hold the state of ")
    assert VIEW not in json.dumps(alone)
    assert "data:image/png;base64," in alone.cells[1].outputs[1].data["text/html"]
    assert "it falls</label>" in alone.cells[2].outputs[0].data["text/html"]


def test_a_player_whose_weights_were_not_saved_is_named_too(player):
    notebook = saved(player)
    del notebook.metadata["widgets"][STATE]["state"][player.weights.model_id]
    with pytest.warns(UserWarning, match="cell 2: the notebook does not hold the state of <NotebookPlayer"):
        alone, _ = stand_alone(notebook)
    assert VIEW not in json.dumps(alone)


def test_a_widget_of_others_and_a_formula_that_cannot_be_read_stay_and_are_named():
    notebook = saved(IntSlider())
    notebook.cells[0].source = r"$\frob$"
    links = {"require_js_url": "https://a.example/r.js"}
    with pytest.warns(UserWarning, match="cell") as warned:
        alone, resources = stand_alone(notebook, links)
    words = [str(each.message) for each in warned]
    assert words[0].startswith(r"cell 1: cannot read the formula '\\frob'")
    assert words[1].endswith("is no widget of lrbn_viz; the page asks another host for it.")
    assert alone == notebook
    assert alone is not notebook
    assert resources == links


def test_a_widget_brings_little_of_its_own_and_has_the_form_that_anywidget_asks_for(player):
    text = player.get_state()["_esm"]
    assert len(text) < 2_000
    assert re.findall(r"^export \{[^}]*\}", text, re.MULTILINE) == ["export { loader_default as default }"]
    assert player.code.unpacked().decode() == module_text("view/live/js/notebook.js")


@pytest.fixture
def extension(monkeypatch) -> mock.Mock:
    """Panel's extension of the notebook, which is told how to load scripts."""
    monkeypatch.setattr("panel.extension", (extension := mock.Mock()))
    return extension


def test_the_explorer_of_a_cell_is_the_page_with_scripts_from_the_kernel(extension):
    page: Any = explorer()
    assert extension.call_args == mock.call(inline=True)
    names = {type(each).__name__ for each in page.select()}
    assert {"Navigation", "TracePlayer"} <= names
    (navigation,) = page.select(Navigation)
    assert not navigation.owns_address, "the window's address is the notebook's"


def test_the_explorer_is_a_widget_in_voila_and_says_what_that_needs(extension, monkeypatch):
    monkeypatch.setenv("VOILA_REQUEST_URL", "http://127.0.0.1:8866/")
    monkeypatch.setitem(sys.modules, "jupyter_bokeh", None)  # as if it were not installed
    with pytest.raises(ImportError, match=r"expected jupyter_bokeh.* pip install jupyter_bokeh"):
        explorer()
    monkeypatch.setitem(sys.modules, "jupyter_bokeh", mock.Mock())
    explorer()
    assert extension.call_args == mock.call(inline=True, comms="ipywidgets")


@pytest.mark.parametrize("is_widget", [False, True])
def test_what_the_explorer_of_a_cell_shows_later_contains_its_style_sheets(extension, is_widget):
    page: Any = explorer()
    (navigation,) = page.select(Navigation)
    with panel.config.set(inline=True):  # as the extension sets it
        comm = None if is_widget else panel.state._comm_manager.get_server_comm()
        root = page.get_root(Document(), comm)
        assert list(root.select({"type": ImportedStyleSheet})) == []
        for number, (name, *_) in enumerate([*navigation.pages[1:], navigation.pages[0]], 1):
            navigation._handle_msg({"type": "go", "page": name, "number": number})
            assert navigation.page == name
            assert list(root.select({"type": ImportedStyleSheet})) == [], name
        begin = {"type": "show", "page": "inference", "lesson": "explaining-away", "step": 1, "number": 9}
        navigation._handle_msg(begin)
        (card,) = page.select(LessonCard)
        assert list(root.select({"type": ImportedStyleSheet})) == []
        model, _ = card._models[root.ref["id"]]
        own = (Path(panel.__file__).parent / "dist" / "css" / "loading.css").read_text(encoding="utf-8")
        assert own in [sheet.css for sheet in model.stylesheets if isinstance(sheet, InlineStyleSheet)]
