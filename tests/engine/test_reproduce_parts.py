"""What the report is made of: tables that refuse to mix, the estimate of the time left, the drawings."""

import io
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from lrbn_viz.core.fields import in_words
from lrbn_viz.studies.reproduce.figures import (
    Likelihoods,
    Point,
    Row,
    apart,
    csl_curves,
    frontier,
    ink,
    marked,
    rows_of_images,
    save,
    signed,
)
from lrbn_viz.studies.reproduce.progress import PRIOR_SECONDS, Bar, Estimate, Work, format_duration
from lrbn_viz.studies.reproduce.recipes import RECIPES, stages_of
from lrbn_viz.studies.reproduce.report import FIELDS
from lrbn_viz.studies.reproduce.reported import Reported
from lrbn_viz.studies.reproduce.tables import Column, Measured, Table

ROOT = Path(__file__).parents[2]

COLUMNS = (Column("model"), Column("nats", "reported"), Column("AIS", "measured"))
PAPER = Reported("LRBN", "200", -100.3, "CSL")


def test_a_table_names_the_source_of_every_column():
    table = Table("Nats", COLUMNS)
    table.add("LRBN", PAPER, Measured(-85.123, 0.456))
    table.add("other", None, None)
    lines = table.markdown().splitlines()
    assert lines[2] == "| model | reported: nats | measured: AIS |"
    assert lines[4] == "| LRBN | -100.30 | -85.12 ± 0.46 |"
    assert table.as_json()["rows"] == [
        ["LRBN", -100.3, {"value": -85.123, "standard_error": 0.456}],
        ["other", None, None],
    ]


@pytest.mark.parametrize(
    "cells",
    [("LRBN", Measured(1.0), None), ("LRBN", None, PAPER), (PAPER, None, None), ("LRBN", "-99", None)],
)
def test_a_figure_in_a_column_of_another_source_is_refused(cells):
    with pytest.raises(ValueError, match="column of its own"):
        Table("Nats", COLUMNS).add(*cells)


def test_a_row_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="expected 3 cells, got 1"):
        Table("Nats", COLUMNS).add("LRBN")


def test_the_time_left_is_learned_from_stages_of_the_same_kind():
    stages = [Work("a", "ais", 2.0), Work("b", "ais", 4.0), Work("c", "csl", 10.0)]
    estimate = Estimate(stages)
    assert estimate.seconds_left == pytest.approx(sum(stage.guess for stage in stages))
    estimate.finished("a", 30.0)
    # b is twice a; c is slower than its guess, if by less than a was: of its kind nothing is known
    slower = (PRIOR_SECONDS + 30.0) / (PRIOR_SECONDS + stages[0].guess)
    assert estimate.seconds_left == pytest.approx(60.0 + slower * stages[2].guess)
    estimate.reached("b", 0.25, 20.0)
    assert estimate.seconds_left == pytest.approx(60.0 + slower * stages[2].guess)
    assert 0 < estimate.share < 1
    estimate.finished("b", 80.0)
    estimate.finished("c", 1.0)
    assert estimate.seconds_left == 0.0
    assert estimate.share == 1.0


def test_a_terminal_gets_one_line_that_changes_and_a_log_one_a_stage():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    estimate = Estimate([Work("a", "ais", 1.0)])
    terminal, log = Terminal(), io.StringIO()
    for stream in (terminal, log):
        bar = Bar(stream, estimate, every=0.0)
        estimate.reached("a", 0.5, 7.0)
        bar.show("first", 0.5)
        bar.done("first", "done")
        bar.close()
    assert log.getvalue() == "first: done; about 7 s left\n"
    drawn = terminal.getvalue()
    assert " 50%|############            | first 50%, about 7 s left" in drawn
    assert drawn.count("\n") == 1
    assert drawn.rpartition("\r")[2] == "", "the bar is taken off at the end"


@pytest.mark.parametrize(("seconds", "said"), [(4.2, "4 s"), (600, "10 min"), (9000, "2.5 h")])
def test_times_are_said_as_people_say_them(seconds, said):
    assert format_duration(seconds) == said


INK, WHITE, PLUS, MINUS = [23, 32, 42], [255, 255, 255], [201, 79, 0], [0, 103, 176]


def test_wrong_pixels_are_marked_by_what_is_wrong_with_them():
    image, guess = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    np.testing.assert_array_equal(marked(guess, image), [WHITE, PLUS, MINUS, INK])


def test_ink_and_signs_go_from_paper_to_full_colour():
    np.testing.assert_array_equal(ink(np.array([0.0, 1.0])), [WHITE, INK])
    np.testing.assert_array_equal(signed(np.array([-9.0, 0.0, 2.0]), 2.0), [MINUS, WHITE, PLUS])


def test_labels_are_moved_apart_and_keep_their_order():
    moved = apart([50, 10, 12, 11], 10)
    assert moved.tolist() == [50, 10, 30, 20]
    assert apart([5, 40], 10).tolist() == [5, 40]


def test_pixels_are_drawn_without_a_blur(tmp_path):
    colours = np.random.default_rng(0).integers(0, 256, (16, 20, 3), np.uint8)
    row = Row(colours, "row", "heading", list("abcdefghijklmnop"))
    save(rows_of_images("T", "S", [row], (5, 4)), tmp_path / "a.png")
    page, zoom = np.asarray(Image.open(tmp_path / "a.png").convert("RGB")), 84 // 5
    tile = colours[3].reshape(5, 4, 3).repeat(zoom, axis=0).repeat(zoom, axis=1)
    corners = np.argwhere((page == tile[0, 0]).all(axis=-1))
    assert any(np.array_equal(page[y : y + 5 * zoom, x : x + 4 * zoom], tile) for y, x in corners)


POINTS = [Point("paper", "flat", 6.0, 2.0, -86.0, 0.6), Point("both", "layer above", 9.0, 4.0, -79.0, 0.6)]
CURVE = {"n_samples": [10, 100, 1000], "means": [[-300.0, -250.0, -200.0], [-310.0, -255.0, -204.0]]}
PANEL = Likelihoods("both", {"mean": -79.0}, {"mean": -150.0}, {"curve": CURVE})


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda: frontier(POINTS, (4.5, -100.3)), ["paper", "both", "flat", "layer above", "log P(x), nats"]),
        (lambda: csl_curves([PANEL] * 4), ["both", "AIS -79.0", "MAP bound -150.0", "CSL -202.0", "1,000"]),
    ],
)
def test_a_chart_says_its_figures_and_is_the_same_file_each_time(draw, said, tmp_path):
    for name in ("a.svg", "b.svg"):
        save(draw(), tmp_path / name)
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert [word for word in said if f">{word}</text>" not in text] == []
    assert text == (tmp_path / "b.svg").read_text(encoding="utf-8")
    assert len(text) < 100_000


def test_matplotlib_is_left_as_it_was(tmp_path):
    before = dict(mpl.rcParams)
    save(frontier(POINTS, (4.5, -100.3)), tmp_path / "a.svg")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("dataset", RECIPES)
def test_every_setting_of_a_recipe_is_a_field_and_stands_in_the_report_by_its_label(dataset):
    report = (ROOT / "docs" / "reproduction" / dataset / "report.md").read_text(encoding="utf-8")
    for name, recipe in RECIPES[dataset].items():
        together = stages_of(recipe.fine_tune) if recipe.fine_tune else []
        stages = [stage for layer in recipe.layers for stage in stages_of(layer)] + together
        for settings in stages:
            assert settings.keys() <= FIELDS.keys(), name
            for setting, value in settings.items():
                assert FIELDS[setting].check(value, setting) == value
            assert f"| {in_words(settings, FIELDS)} |" in report
