"""What the report is made of: tables that refuse to mix, the estimate of the time left, the drawings."""

import io

import numpy as np
import pytest

from lrbn_viz.reproduce.drawing import Axes, Canvas, apart, rgb, ticks
from lrbn_viz.reproduce.pictures import ink, marked, signed
from lrbn_viz.reproduce.progress import TRUST, Bar, Estimate, Work, spoken
from lrbn_viz.reproduce.reported import Reported
from lrbn_viz.reproduce.tables import Column, Measured, Table

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
    slower = (TRUST + 30.0) / (TRUST + stages[0].guess)
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
    assert log.getvalue() == "first: done; about 7 s left\n"
    assert terminal.getvalue().startswith("\r[############............]  50%  first 50%  about 7 s left")
    assert terminal.getvalue().count("\n") == 1


@pytest.mark.parametrize(("seconds", "said"), [(4.2, "4 s"), (600, "10 min"), (9000, "2.5 h")])
def test_times_are_said_as_people_say_them(seconds, said):
    assert spoken(seconds) == said


def test_wrong_pixels_are_marked_by_what_is_wrong_with_them():
    image, guess = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    found = marked(guess, image, (1, 4))[0]
    np.testing.assert_array_equal(found, [rgb("#ffffff"), rgb("#c94f00"), rgb("#0067b0"), rgb("#17202a")])


def test_ink_and_signs_go_from_paper_to_full_colour():
    np.testing.assert_array_equal(ink(np.array([0.0, 1.0]), (1, 2))[0], [rgb("#ffffff"), rgb("#17202a")])
    found = signed(np.array([-9.0, 0.0, 2.0]), (1, 3), 2.0)[0]
    np.testing.assert_array_equal(found, [rgb("#0067b0"), rgb("#ffffff"), rgb("#c94f00")])


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-180, -80), (3.2, 3.9), (0, 31), (-0.9, 31.8)])
def test_ticks_are_few_round_and_inside(low, high):
    found = ticks(low, high)
    assert 2 <= len(found) <= 7
    assert all(low - 1e-9 <= value <= high + 1e-9 for value in found)
    steps = np.diff(found)
    np.testing.assert_allclose(steps, steps[0])
    assert f"{steps[0]:e}"[0] in "125"


def test_labels_are_moved_apart_and_stay_above_the_ground():
    moved = apart([50, 10, 12, 11], 10, 45)
    assert sorted(moved) == pytest.approx([10, 20, 30, 45])
    assert np.argsort(moved).tolist() == [1, 3, 2, 0]
    assert apart([5, 40], 10) == [5, 40]


def test_axes_put_values_where_they_belong():
    axes = Axes(Canvas(100, 100), (10, 20, 50, 40), (1, 100), (-2, 2), log_x=True)
    assert axes.at(1, -2) == pytest.approx((10, 60))
    assert axes.at(10, 0) == pytest.approx((35, 40))
    assert axes.at(100, 2) == pytest.approx((60, 20))


def test_pixels_are_drawn_without_a_blur(tmp_path):
    page = Canvas(40, 40)
    colours = np.random.default_rng(0).integers(0, 256, (5, 4, 3), np.uint8)
    page.picture(10, 8, colours, 3)
    page.save(tmp_path / "page.png")
    from PIL import Image

    found = np.asarray(Image.open(tmp_path / "page.png"))
    assert found.shape == (80, 80, 3)
    np.testing.assert_array_equal(found[16:31, 20:32], colours.repeat(3, axis=0).repeat(3, axis=1))
