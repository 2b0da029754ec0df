"""Every static figure: what it draws is what it was given, on honest axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bokeh.core.validation import check_integrity
from bokeh.models import ColorBar, GlyphRenderer, Span, Title

import lrbn_viz
from lrbn_viz import plots
from lrbn_viz.plots.theme import DIVERGING, GROUND


@pytest.fixture(scope="module")
def model() -> lrbn_viz.LRBN:
    rng = np.random.default_rng(0)
    return lrbn_viz.LRBN.from_params(rng.normal(size=(12, 5)), rng.normal(size=12), rng.normal(size=5))


@pytest.fixture(scope="module")
def trace(model):
    return model.map_trace(np.arange(12) % 2, init=np.ones(5, np.uint8))


def sound(made: Any) -> Any:
    """Fail where Bokeh itself finds the figure wrong."""
    issues = check_integrity(made.references())
    assert not issues.error
    assert not issues.warning
    return made


def glyphs(made: Any, kind: str) -> list[Any]:
    return [r for r in made.renderers if isinstance(r, GlyphRenderer) and type(r.glyph).__name__ == kind]


def spans(made: Any) -> list[Any]:
    return [part.location for part in made.center if isinstance(part, Span)]


def texts(made: Any) -> list[Any]:
    return [part.text for part in made.above if isinstance(part, Title)]


def mapper_of(made: Any) -> Any:
    return glyphs(made, "Image")[0].glyph.color_mapper


def test_image_grid_places_every_image_upright_with_square_pixels():
    images = np.arange(5 * 8).reshape(5, 8) / 40
    made = sound(plots.image_grid(images, (2, 4), titles=list("abcde"), columns=3, title="T"))
    data = glyphs(made, "Image")[0].data_source.data
    assert all(
        np.allclose(tile[::-1].ravel(), image) for tile, image in zip(data["image"], images, strict=True)
    )
    assert data["x"][0] == data["x"][3]
    assert data["y"][0] == data["y"][2] > data["y"][3]
    wide, tall = made.x_range.end - made.x_range.start, made.y_range.end - made.y_range.start
    assert made.frame_width / wide == pytest.approx(made.frame_height / tall, rel=0.01)
    image = glyphs(made, "Image")[0].glyph
    assert image.dh / image.dw == 2 / 4
    assert list(glyphs(made, "Text")[0].data_source.data["text"]) == list("abcde")
    assert (mapper_of(made).low, mapper_of(made).high) == (0, 1)
    assert texts(made) == ["T"]


def test_image_grid_of_signed_values_centres_its_colours_at_zero():
    made = sound(plots.image_grid([[-3.0, 1.0, 0.0, 2.0]], (2, 2), signed=True))
    assert (mapper_of(made).low, mapper_of(made).high) == (-3, 3)


@pytest.mark.parametrize(
    "arguments", [{"image_shape": (3, 3)}, {"image_shape": (2, 2), "titles": ["a", "b"]}]
)
def test_image_grid_refuses_what_does_not_fit(arguments):
    with pytest.raises(ValueError, match="expected"):
        plots.image_grid(np.zeros((1, 4)), **arguments)


def test_log_joint_curve_marks_every_flip_on_the_curve(trace):
    made = sound(plots.log_joint_curve(trace, k=2, optimum=-1.5))
    line, dots = glyphs(made, "Step")[0].data_source.data, glyphs(made, "Scatter")[0].data_source.data
    assert np.allclose(line["y"], [trace.log_joint_at(k) for k in range(trace.n_visits + 1)])
    assert list(dots["x"]) == [visit.k for visit in trace if visit.flipped]
    assert np.allclose(dots["y"], [visit.log_joint for visit in trace if visit.flipped])
    assert sorted(spans(made)) == [-1.5, 2]
    assert made.y_range.end > -1.5
    assert made.yaxis[0].axis_label == "log P(x, h), nats"


def test_log_joint_curve_names_several_traces(model, trace):
    other = model.map_trace(trace.x, init="zeros")
    made = sound(plots.log_joint_curve({"all on": trace, "all off": other}))
    assert [item.label.value for item in made.legend[0].items] == ["all on", "all off"]
    colours = {renderer.glyph.line_color for renderer in glyphs(made, "Step")}
    assert len(colours) == 2


def test_interaction_matrix_is_square_centred_at_zero_and_has_row_zero_on_top():
    J = np.array([[0.0, -2.0, 0.5], [-2.0, 0.0, 0.0], [0.5, 0.0, 0.0]])
    made = sound(plots.interaction_matrix(J, names=("p", "q", "r"), title="T", subtitle="S"))
    assert np.array_equal(glyphs(made, "Image")[0].data_source.data["image"][0], J.astype("f4"))
    assert (mapper_of(made).low, mapper_of(made).high) == (-2, 2)
    assert made.y_range.start > made.y_range.end
    assert made.frame_width == made.frame_height
    assert made.xaxis[0].major_label_overrides == {0: "p", 1: "q", 2: "r"}
    assert any(isinstance(part, ColorBar) for part in made.right)
    assert texts(made) == ["S", "T"]


def test_zero_has_the_colour_of_the_paper():
    assert len(DIVERGING) % 2 == 1
    assert DIVERGING[len(DIVERGING) // 2] == GROUND
    made = sound(plots.interaction_matrix(np.zeros((4, 4))))
    assert mapper_of(made).low == -mapper_of(made).high < 0


@pytest.mark.parametrize(("J", "names"), [(np.zeros((2, 3)), ()), (np.zeros((2, 2)), ("only one",))])
def test_interaction_matrix_refuses_what_does_not_fit(J, names):
    with pytest.raises(ValueError, match="expected"):
        plots.interaction_matrix(J, names=names)


def test_why_bars_sum_to_the_log_odds(model, trace):
    terms = lrbn_viz.log_odds_terms(model, trace.x, trace.latents(3), 1)
    made = sound(plots.why_bars(terms))
    data = glyphs(made, "HBar")[0].data_source.data
    assert list(data["name"]) == ["prior", "evidence", "explained away", "log-odds"]
    # Each bar begins where the one above it ends; the sum's begins at 0 and ends where the last term does.
    assert data["from"][1] == data["to"][0]
    assert data["from"][2] == data["to"][1]
    assert data["from"][3] == 0
    assert data["to"][3] == pytest.approx(data["to"][2])
    assert data["to"][3] == pytest.approx(terms.log_odds)
    assert made.xaxis[0].axis_label == "nats"


def test_pixel_map_keeps_rows_and_the_limit_it_is_given():
    made = sound(plots.pixel_map(np.arange(6.0), (2, 3), limit=10.0))
    assert np.array_equal(glyphs(made, "Image")[0].data_source.data["image"][0], [[0, 1, 2], [3, 4, 5]])
    assert (mapper_of(made).low, mapper_of(made).high) == (-10, 10)
    assert made.frame_height / made.frame_width == pytest.approx(2 / 3, rel=0.01)


def test_why_shows_both_maps_on_one_scale_and_takes_away_with_a_minus(model, trace):
    terms = lrbn_viz.log_odds_terms(model, trace.x, trace.latents(3), 1)
    bars, seen, away = sound(plots.why(terms, (3, 4))).children
    assert glyphs(bars, "HBar")
    assert mapper_of(seen).high == mapper_of(away).high
    drawn = glyphs(away, "Image")[0].data_source.data["image"][0]
    assert np.allclose(drawn.ravel(), -terms.explained_away)


def test_grouped_bars_write_each_value_above_its_bar():
    made = sound(plots.grouped_bars(["a", "b"], {"u": [0.1, 0.4], "v": [0.9, 0.25]}, y_label="probability"))
    bars = glyphs(made, "VBar")
    assert [list(bar.data_source.data["value"]) for bar in bars] == [[0.1, 0.4], [0.9, 0.25]]
    assert list(bars[1].data_source.data["text"]) == ["0.90", "0.25"]
    assert made.y_range.start == 0
    assert made.yaxis[0].axis_label == "probability"
    assert [item.label.value for item in made.legend[0].items] == ["u", "v"]


def test_optima_found_counts_the_runs_of_each_optimum():
    made = sound(plots.optima_found([-5.0, -5.0 + 1e-9, -7.0, -4.0], -4.0))
    data = glyphs(made, "Segment")[0].data_source.data
    assert list(data["x0"]) == [-7, -5, -4]
    assert list(data["y1"]) == [1, 2, 1]
    assert spans(made) == [-4.0]
    assert made.xaxis[0].axis_label.endswith("nats")
