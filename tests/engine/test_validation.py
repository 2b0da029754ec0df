"""Errors about a value show it, and stay short whatever it is."""

from __future__ import annotations

import pytest

from lrbn_viz.core.validation import Interval, check_choice, check_flag, check_integer, check_number
from lrbn_viz.studies.runs import LaneConfig, RunConfig

CHECKS = [
    lambda value: check_integer(value, "n_iter", 1, 10),
    lambda value: check_number(value, "learning_rate", Interval(0, 1)),
    lambda value: check_choice(value, "order", ("sequential", "random")),
    lambda value: check_flag(value, "shuffle"),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    "value",
    ["x" * 10_000, -(10**5000), ["x" * 10_000], b"\x00" * 10_000],
    ids=["text", "number", "list", "bytes"],
)
def test_a_long_value_is_cut_in_the_message(check, value):
    with pytest.raises((ValueError, TypeError), match=r"must") as caught:
        check(value)
    assert len(str(caught.value)) < 300


def test_a_long_name_of_a_setting_is_cut_in_the_message():
    lane = LaneConfig("LRBN", {"x" * 10_000: 1})
    with pytest.raises(ValueError, match="no setting") as caught:
        lane.estimator(RunConfig("digits", {"lrbn": LaneConfig("LRBN")}))
    assert len(str(caught.value)) < 1500
