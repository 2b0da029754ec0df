"""What functions return is shown in a line or a few, and traces in notebooks as a picture with figures."""

from __future__ import annotations

import base64
import io
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from PIL import Image
from tiny_models import with_random_parameters

from lrbn_viz import ICMTrace, approximations, find_basins, ladder, load_dataset, pretrained
from lrbn_viz.catalog import PRETRAINED, kinds
from lrbn_viz.core import display
from lrbn_viz.core.trace import ParticleTrace
from lrbn_viz.io.theme import LIGHT

KINDS: dict[str, Any] = kinds()


class _Seen(HTMLParser):
    """Elements with their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: dict[str, dict[str, Any]] = {}
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements[tag] = dict(attrs)

    def handle_data(self, data):
        self.text += data


def made(name: str) -> Any:
    return with_random_parameters(KINDS[name], load_dataset("digits").train_X[:20], 0)


def shown(trace: ICMTrace) -> _Seen:
    html = trace._repr_html_()
    assert html is not None
    return _Seen(html)


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_model_and_each_of_its_traces_is_shown_in_few_words(name):
    model = made(name)
    assert repr(model).startswith(f"{KINDS[name].estimator.__name__}(")
    assert len(repr(model).splitlines()) <= 4
    assert "array" not in repr(model)
    x = load_dataset("digits").test_X[0]
    for method in model.trace_methods:
        trace = model.trace(x, method)
        words = repr(trace)
        assert len(words) < 200
        assert "\n" not in words
        begin = f"<{type(trace).__name__} of 64 pixels, {trace.n_h} latents: visits {trace.n_visits:,}, "
        assert words.startswith(begin)
        assert f"{trace.log_joint_at(trace.n_visits):.1f} nats" in words
        assert ("flips" in words) == (not trace.means)
        assert words.endswith(", converged>") == getattr(trace, "converged", False)


@pytest.mark.parametrize("name", PRETRAINED)
def test_every_shipped_model_is_shown_in_few_lines(name):
    assert len(repr(pretrained(name)).splitlines()) <= 8
    assert "array" not in repr(pretrained(name))


def test_what_functions_of_small_models_return_is_shown_in_a_line_with_its_figures():
    model = pretrained("lrbn-2-alarm")
    x = [1, 1]  # the alarm, and the report of an earthquake
    rungs = ladder(model, x)
    found = approximations(model, x, [0, 1])
    basins = find_basins(model, x, 20)
    share, evidence = rungs.posterior.probabilities[2], rungs.posterior.log_evidence
    lines = {
        f"<ExactPosterior of 4 states: the most probable has {share:.1%} and units on: 1; "
        f"log P(x) {evidence:.2f} nats>": rungs.posterior,
        f"<Approximation of 4 states by 1,000 samples: KL {found['gibbs'].kl:.4f} nats, "
        f"total variation {found['gibbs'].total_variation:.4f}>": found["gibbs"],
        f"<Basins: 1 optimum from 20 starts; the best: log P(x, h) {basins.log_joint[0]:.2f} nats, "
        "found 20 times>": basins,
        "<Dataset 'alarm': binary rows of 2 named variables, 1,000 to train on, 250 to test, 4 classes>": (
            load_dataset("alarm")
        ),
    }
    assert {words: repr(value) for words, value in lines.items()} == {words: words for words in lines}
    assert re.fullmatch(r"<Ladder, KL in nats: (\w+ \d+\.\d{3}(, )?)+>", repr(rungs))
    order = [name.split()[0] for name in repr(rungs)[:-1].split(": ")[1].split(", ")]
    assert [rungs.rungs[name].kl for name in order] == sorted(rung.kl for rung in rungs.rungs.values())


@pytest.mark.parametrize(
    ("name", "method"),
    [("RBM", "factorised"), ("LRBN", "gibbs"), ("RWS", "particles"), ("DBM", "mean-field")],
)
def test_a_trace_is_shown_in_a_notebook_as_a_picture_with_its_figures(name, method):
    trace = made(name).trace(load_dataset("digits").test_X[0], method)
    seen = shown(trace)
    address = seen.elements["img"]["src"]
    assert address.startswith("data:image/png;base64,")  # asks no other host
    with Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))) as picture:
        assert picture.size == (640, 360)
        assert len(picture.getcolors() or ()) > 4
    figures = [
        f"{trace.n_visits:,} visits",
        f"{trace.quantity} {trace.log_joint_at(trace.n_visits):.1f} nats",
    ]
    for words in (seen.elements["img"]["alt"], seen.text):
        plain = words.replace("\N{MINUS SIGN}", "-")
        assert all(figure in plain for figure in figures), plain
    assert "show_trace(trace)" in seen.text
    assert f"background: {LIGHT['surface']}" in seen.elements["figure"]["style"]
    assert set(seen.elements) == {"figure", "img", "figcaption", "br", "small"}


def test_a_notebook_shows_a_trace_at_the_end_of_a_cell_as_its_picture():
    trace = pretrained("lrbn-2-alarm").map_trace(np.array([1, 1]))
    data, _ = DisplayFormatter().format(trace)
    assert data == {"text/plain": repr(trace), "text/html": trace._repr_html_()}
    assert "<img" in data["text/html"]


def test_a_class_is_shown_as_it_or_the_nearest_above_it_is_registered(monkeypatch):
    monkeypatch.setattr(display, "_displays", {})
    trace = pretrained("lrbn-12-digits-recognition").trace(load_dataset("digits").test_X[0], "particles")
    assert type(trace) is ParticleTrace
    assert DisplayFormatter().format(trace)[0] == {"text/plain": repr(trace)}  # nothing is registered
    display.register_html("lrbn_viz.core.trace.Trace", lambda shown: f"{shown.n_h} latents")
    assert trace._repr_html_() == "12 latents"
    display.register_html("lrbn_viz.core.trace.ParticleTrace", lambda shown: f"{shown.n_visits + 1} of them")
    assert trace._repr_html_() == f"{len(trace.particles)} of them"
    assert display.html_of(trace.x) is None


def test_a_trace_of_an_image_that_is_not_square_is_shown_as_a_row_and_says_so():
    trace = pretrained("lrbn-2-alarm").map_trace(np.array([1, 1]))
    seen = shown(trace)
    assert "Pixels stand in a row here" in seen.text
    assert re.search(r"\d+ visits?", seen.elements["img"]["alt"])
