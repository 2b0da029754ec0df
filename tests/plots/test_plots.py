"""Every static figure: what it draws is what it was given, on honest axes, and it can be composed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import holoviews as hv
import numpy as np
import pytest
from bokeh.core.validation import check_integrity
from bokeh.models import ColorBar, GlyphRenderer, HoverTool, Title

import lrbn_viz
from lrbn_viz.view import plots
from lrbn_viz.view.plots.embed import figure_json
from lrbn_viz.view.plots.systems import Dependence, ErrorCurve, SystemPoint, errors_over_sweeps
from lrbn_viz.view.plots.theme import DIVERGING, GROUND

POINTS = [
    SystemPoint("a", "System A", "1", "states", 4.0, -81.0, -80.0, True, -80.5),
    SystemPoint("b", "System B", "2", "exact", 100.0, -90.0, -70.0, False, -70.0),
]
DEPENDENCE = [
    Dependence("a", "System A", "1", "states", 0.04, 0.01, "sampled"),
    Dependence("b", "System B", "2", "exact", 0.0, 0.0, "exactly"),
]


@pytest.fixture(scope="module")
def model() -> lrbn_viz.LRBN:
    rng = np.random.default_rng(0)
    return lrbn_viz.LRBN.from_params(rng.normal(size=(12, 5)), rng.normal(size=12), rng.normal(size=5))


@pytest.fixture(scope="module")
def trace(model):
    return model.map_trace(np.arange(12) % 2, init=np.ones(5, np.uint8))


@pytest.fixture(scope="module")
def terms(model, trace):
    return lrbn_viz.log_odds_terms(model, trace.x, trace.latents(3), 1)


def sound(made: Any) -> Any:
    """Return the Bokeh figure that is drawn; fail where Bokeh itself finds it wrong."""
    figure = hv.render(made, backend="bokeh")
    issues = check_integrity(figure.references())
    assert not issues.error
    assert not issues.warning
    return figure


def parts(made: Any, kind: type) -> list[Any]:
    return [part for part in made if isinstance(part, kind)]


def limits(made: hv.Element) -> tuple[float, float]:
    return made.opts.get("plot").kwargs["clim"]


def headings(figure: Any) -> list[Any]:
    return [part.text for part in figure.above if isinstance(part, Title)] + [figure.title.text]


@pytest.fixture(scope="module")
def every(trace, terms) -> dict[str, Any]:
    return {
        "log_joint_curve": plots.log_joint_curve({"a": trace, "b": trace}, k=2, optimum=-1.0),
        "grouped_bars": plots.grouped_bars(["a", "b"], {"u": [0.1, 0.4]}, y_label="probability"),
        "optima_found": plots.optima_found([-5.0, -4.0], -4.0),
        "image_grid": plots.image_grid(np.eye(4), (2, 2)),
        "interaction_matrix": plots.interaction_matrix(np.eye(3)),
        "why_bars": plots.why_bars(terms),
        "pixel_map": plots.pixel_map(np.arange(6.0), (2, 3)),
        "why": plots.why(terms, (3, 4)),
        "nats_against": plots.nats_against(POINTS, "wrong pixels"),
        "dependence_bars": plots.dependence_bars(DEPENDENCE),
    }


# -- elements of HoloViews


def test_every_figure_is_an_element_that_is_composed_and_restyled_and_says_values(every):
    assert set(every) == set(plots.__all__)
    for name, made in every.items():
        beside = made + hv.Curve([1, 2])
        assert isinstance(beside, hv.Layout)
        if name == "why":  # three figures
            assert isinstance(made, hv.Layout)
            figure = sound(beside)
        else:
            assert isinstance(made, hv.Element | hv.Overlay), name
            over = made * hv.HLine(0.0)
            assert isinstance(over, hv.Overlay)
            figure = sound(over.opts(title="another title"))
            assert figure.title.text == "another title"
        assert list(figure.select({"type": HoverTool})) or name == "image_grid", name


def test_flips_and_a_histogram_of_them_are_selected_together(model):
    trace = model.map_trace(np.arange(12) % 2, temperature=[9.0] * 8, random_state=0)
    dots = parts(plots.log_joint_curve(trace), hv.Scatter)[0]
    linked = hv.link_selections.instance()
    both = linked(dots + hv.Histogram(np.histogram(dots["log_odds"]), kdims="log_odds"))
    linked.selection_expr = hv.dim("log_odds") > 0
    shown = linked.filter(dots)
    assert 0 < len(shown) < len(dots)
    assert (shown["log_odds"] > 0).all()
    sound(both)


def test_a_part_of_a_figure_still_holds_the_table_of_visits(trace):
    dots = parts(plots.log_joint_curve(trace), hv.Scatter)[0]
    expected = trace.to_frame()
    expected = expected[expected.flipped]
    for column in expected:
        np.testing.assert_array_equal(dots[column], expected[column])


# -- what each one shows


def images(made: Any) -> Iterator[np.ndarray]:
    for image in parts(made, hv.Image):
        yield image.dimension_values(2, flat=False)[::-1]  # HoloViews counts rows from below


def test_image_grid_places_every_image_upright_with_square_pixels():
    given = np.arange(5 * 8).reshape(5, 8) / 40
    made = plots.image_grid(given, (2, 4), titles=list("abcde"), columns=3, title="T")
    assert all(np.allclose(tile.ravel(), image) for tile, image in zip(images(made), given, strict=True))
    bounds = [image.bounds.lbrt() for image in parts(made, hv.Image)]
    assert bounds[0][0] == bounds[3][0]
    assert bounds[0][1] == bounds[2][1] > bounds[3][1]
    left, bottom, right, top = bounds[0]
    assert (top - bottom) / (right - left) == pytest.approx(2 / 4)
    assert list(parts(made, hv.Labels)[0]["Label"]) == list("abcde")
    assert limits(parts(made, hv.Image)[0]) == (0, 1)
    figure = sound(made)
    wide, tall = figure.x_range.end - figure.x_range.start, figure.y_range.end - figure.y_range.start
    assert figure.frame_width / wide == pytest.approx(figure.frame_height / tall, rel=0.01)
    assert headings(figure) == ["T"]


def test_image_grid_of_signed_values_centres_its_colours_at_zero():
    made = plots.image_grid([[-3.0, 1.0, 0.0, 2.0]], (2, 2), signed=True)
    assert limits(parts(made, hv.Image)[0]) == (-3, 3)


@pytest.mark.parametrize(
    "arguments", [{"image_shape": (3, 3)}, {"image_shape": (2, 2), "titles": ["a", "b"]}]
)
def test_image_grid_refuses_what_does_not_fit(arguments):
    with pytest.raises(ValueError, match="expected"):
        plots.image_grid(np.zeros((1, 4)), **arguments)


def test_log_joint_curve_marks_every_flip_on_the_curve(trace):
    made = plots.log_joint_curve(trace, k=2, optimum=-1.5)
    (curve,), (dots,) = parts(made, hv.Curve), parts(made, hv.Scatter)
    assert np.allclose(curve["log_joint"], [trace.log_joint_at(k) for k in range(trace.n_visits + 1)])
    assert curve.opts.get("plot").kwargs["interpolation"] == "steps-post"
    assert list(dots["k"]) == [visit.k for visit in trace if visit.flipped]
    assert np.allclose(dots["log_joint"], [visit.log_joint for visit in trace if visit.flipped])
    assert [line.data for line in (*parts(made, hv.HLine), *parts(made, hv.VLine))] == [-1.5, 2]
    figure = sound(made)
    assert figure.y_range.end > -1.5
    assert figure.yaxis[0].axis_label == "log P(x, h) (nats)"
    assert not figure.legend or not figure.legend[0].items


def test_log_joint_curve_names_several_traces(model, trace):
    other = model.map_trace(trace.x, init="zeros")
    figure = sound(plots.log_joint_curve({"all on": trace, "all off": other}))
    assert [item.label.value for item in figure.legend[0].items] == ["all on", "all off"]
    steps = [r for r in figure.renderers if isinstance(r, GlyphRenderer) and type(r.glyph).__name__ == "Line"]
    assert len({renderer.glyph.line_color for renderer in steps}) == 2


def test_interaction_matrix_is_square_centred_at_zero_and_has_row_zero_on_top():
    J = np.array([[0.0, -2.0, 0.5], [-2.0, 0.0, 0.0], [0.5, 0.25, 0.0]], np.float32)
    made = plots.interaction_matrix(J, names=("p", "q", "r"), title="T", subtitle="S")
    assert made[1, 2] == J[2, 1]  # column k, row j
    assert limits(made) == (-2, 2)
    figure = sound(made)
    assert figure.y_range.start > figure.y_range.end
    assert figure.frame_width == figure.frame_height
    assert figure.xaxis[0].major_label_overrides == {0: "p", 1: "q", 2: "r"}
    assert any(isinstance(part, ColorBar) for part in figure.right)
    assert headings(figure) == ["S", "T"]


def test_zero_has_the_colour_of_the_paper():
    assert len(DIVERGING) % 2 == 1
    assert DIVERGING[len(DIVERGING) // 2] == GROUND
    low, high = limits(plots.interaction_matrix(np.zeros((4, 4))))
    assert low == -high < 0


@pytest.mark.parametrize(("J", "names"), [(np.zeros((2, 3)), ()), (np.zeros((2, 2)), ("only one",))])
def test_interaction_matrix_refuses_what_does_not_fit(J, names):
    with pytest.raises(ValueError, match="expected"):
        plots.interaction_matrix(J, names=names)


def test_why_bars_sum_to_the_log_odds(terms):
    made = plots.why_bars(terms)
    (bars,) = parts(made, hv.Rectangles)
    assert list(bars["term"]) == ["prior", "evidence", "threshold", "others", "log-odds"]
    # Each bar begins where the one above it ends; the sum's begins at 0 and ends where the last term does.
    begins, ends = bars["from"], bars["from"] + bars["value"]
    np.testing.assert_allclose(begins, [0.0, ends[0], ends[1], ends[2], 0.0])
    assert ends[4] == pytest.approx(ends[3])
    assert ends[4] == pytest.approx(terms.log_odds)
    (joints,) = parts(made, hv.Segments)
    np.testing.assert_allclose(joints["x0"], ends[:4])
    np.testing.assert_allclose(joints["x1"], ends[:4])
    said = {
        text.strip().replace("\u2212", "-") for labels in parts(made, hv.Labels) for text in labels["Label"]
    }
    assert said == {f"{value:+.2f}" for value in bars["value"]}
    assert sound(made).xaxis[0].axis_label == "nats"


def test_pixel_map_keeps_rows_and_the_limit_it_is_given():
    made = plots.pixel_map(np.arange(6.0), (2, 3), limit=10.0)
    np.testing.assert_array_equal(made.dimension_values(2, flat=False)[::-1], [[0, 1, 2], [3, 4, 5]])
    assert limits(made) == (-10, 10)
    figure = sound(made)
    assert figure.frame_height / figure.frame_width == pytest.approx(2 / 3, rel=0.01)


def test_why_shows_both_maps_on_one_scale(terms):
    bars, seen, away = plots.why(terms, (3, 4))
    assert parts(bars, hv.Rectangles)
    assert limits(seen) == limits(away)
    drawn = away.dimension_values(2, flat=False)[::-1]
    assert np.allclose(drawn.ravel(), terms.others)


def test_grouped_bars_write_each_value_above_its_bar():
    made = plots.grouped_bars(["a", "b"], {"u": [0.1, 0.4], "v": [0.9, 0.25]}, y_label="probability")
    assert [list(bars["value"]) for bars in parts(made, hv.Rectangles)] == [[0.1, 0.4], [0.9, 0.25]]
    assert [list(bars["y1"]) for bars in parts(made, hv.Rectangles)] == [[0.1, 0.4], [0.9, 0.25]]
    assert list(parts(made, hv.Labels)[1]["Label"]) == ["0.90", "0.25"]
    figure = sound(made)
    assert figure.y_range.start == 0
    assert figure.yaxis[0].axis_label == "probability"
    assert figure.xaxis[0].major_label_overrides == {0: "a", 1: "b"}
    assert [item.label.value for item in figure.legend[0].items] == ["u", "v"]


def test_optima_found_counts_the_runs_of_each_optimum():
    made = plots.optima_found([-5.0, -5.0 + 1e-9, -7.0, -4.0], -4.0)
    (lines,) = parts(made, hv.Spikes)
    assert list(lines["log_joint"]) == [-7, -5, -4]
    assert list(lines["runs"]) == [1, 2, 1]
    assert [line.data for line in parts(made, hv.VLine)] == [-4.0]
    assert sound(made).xaxis[0].axis_label.endswith("(nats)")


def test_nats_stand_at_their_value_or_in_the_middle_of_bounds_that_are_far_apart():
    made = plots.nats_against(POINTS, "training", x_unit="CPU seconds", log=True)
    (dots,) = parts(made, hv.Points)
    np.testing.assert_allclose(dots["x"], [4.0, 100.0])
    np.testing.assert_allclose(dots["nats"], [-80.5, -80.0])
    assert list(dots["system"]) == ["a", "b"]
    assert dots["fill"][0] == dots["colour"][0], "known: filled"
    assert dots["fill"][1] != dots["colour"][1], "not known: hollow"
    (lines,) = parts(made, hv.Segments)
    np.testing.assert_allclose(lines["y0"], [-81.0, -90.0])
    np.testing.assert_allclose(lines["y1"], [-80.0, -70.0])
    figure = sound(made)
    assert (figure.x_range.start, figure.y_range.end) < (4.0, -70.0) < (figure.x_range.end, 0.0)
    with pytest.raises(ValueError, match="needs costs above 0"):
        plots.nats_against([POINTS[0]._replace(x=0.0)], "training", log=True)


def test_dependence_is_a_bar_for_each_system_beside_a_zero():
    made = plots.dependence_bars(DEPENDENCE)
    (bars,) = parts(made, hv.Rectangles)
    np.testing.assert_allclose(bars["x1"], [0.04, 0.0])
    (zeros,) = parts(made, hv.Points)
    np.testing.assert_allclose(zeros["x"], [0.0, 0.0])
    sound(made)


def test_errors_over_sweeps_have_a_logarithmic_axis_and_a_bar_of_one_standard_error_to_either_side():
    curves = [
        ErrorCurve("a", "System A", "1", "states", {200: (6.5, 0.25), 4_000: (5.0, 0.5)}),
        ErrorCurve("b", "System B", "2", "means", {200: (3.0, 0.125)}),
    ]
    made = errors_over_sweeps(curves)
    (dots,) = parts(made, hv.Points)
    assert list(dots["system"]) == ["a", "a", "b"]
    np.testing.assert_allclose(dots["sweeps"], [200, 4_000, 200])
    np.testing.assert_allclose(dots["wrong"], [6.5, 5.0, 3.0])
    (bars,) = parts(made, hv.Segments)
    np.testing.assert_allclose(bars["y0"], [6.25, 4.5, 2.875])
    np.testing.assert_allclose(bars["y1"], [6.75, 5.5, 3.125])
    figure = sound(made)
    assert type(figure.x_scale).__name__ == "LogScale"
    assert [label for _, label in made.opts.get("plot").kwargs["xticks"]] == ["200", "4,000"]
    assert figure.x_range.start < 200 < 4_000 < figure.x_range.end


def test_a_figure_for_a_page_is_text_that_fills_what_it_is_put_into():
    item = json.loads(figure_json(plots.nats_against(POINTS, "wrong pixels")))
    (root,) = item["doc"]["roots"]
    assert root["id"] == item["root_id"]
    assert root["attributes"]["sizing_mode"] == "stretch_width"
    assert "frame_width" not in root["attributes"]


def test_an_axis_of_seconds_has_round_numbers_where_the_systems_are():
    made = plots.nats_against(POINTS, "training", x_unit="CPU seconds", log=True)
    assert [label for _, label in made.opts.get("plot").kwargs["xticks"]] == ["3", "10", "30", "100"]
