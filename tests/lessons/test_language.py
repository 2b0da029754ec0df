"""Claims: what can be said, what it means, and that nothing else can be said."""

from __future__ import annotations

import ast

import pytest

from lrbn_viz.view.lessons import ClaimError
from lrbn_viz.view.lessons.language import (
    AT_VISIT,
    FACTS,
    OF_LEARNED,
    OF_TWO,
    OF_UNIT,
    difference,
    evaluate,
    read_claim,
)


class World:
    """A world whose facts are numbers that tests can foresee."""

    def __init__(self, row: int = 0) -> None:
        self.row = row

    def fact(self, lane, name):
        return list(FACTS).index(name) + 100 * int(lane[-1]) + 1000 * self.row

    def at_visit(self, lane, name, visit):
        if visit > 9:
            raise ClaimError(f"{lane} has visits 1 to 9, got {visit}.")
        return visit + list(AT_VISIT).index(name)

    def of_unit(self, lane, name, unit):
        return unit % 2 == 1

    def of_pair(self, lane, name, unit, other):
        return unit - other

    def of_two(self, name, first, second):
        return 7

    def on_image(self, row):
        return World(row)


def holds(text: str) -> object:
    return evaluate(read_claim(text), World())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("lane0.falls == 0 and lane1.falls == 100", True),
        ("lane0.falls > 0 or not lane0.falls", True),
        ("-1 < lane0.converged <= 1", True),
        ("3 - 2 * 2 == -1", True),
        ("7 / 2 == 3.5", True),
        ("abs(-3) == 3 and min(4, 2, 3) == 2 and max(1, 5) == 5", True),
        ("round(2.345, 1) == 2.3 and round(2.6) == 3", True),
        ("log_odds_at(lane0, 4) == 5", True),
        ("is_on(lane1, 3) and not is_on(lane1, 4)", True),
        ("changed(before0, lane0) == 7", True),
        ("interaction(lane0, 3, 5) == -2", True),
        ("mean(lane0.falls, 3) == 1000", True),
        ("count(lane0.falls > 0, 3) == 2", True),
        ("lane0.falls != 0", False),
        ("True", True),
    ],
)
def test_a_claim_means_what_it_says(text, value):
    assert holds(text) is value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "such as lane0.falls == 0"),
        ("lane0.falls >", "such as lane0.falls == 0"),
        ("lane0.__class__", "one of falls"),
        ("lane0.falls.real", "facts of lanes"),
        ("__import__('os').system('true')", "facts of lanes"),
        ("open('x')", "one of abs"),
        ("lane2.falls", "facts of lanes"),
        ("'a' == 'a'", "facts of lanes"),
        ("[1, 2] == [1, 2]", "facts of lanes"),
        ("(lambda: 1)()", "facts of lanes"),
        ("9 ** 9", "facts of lanes"),
        ("1 << 9", "facts of lanes"),
        ("10000000000 > 1", "facts of lanes"),
        ("lane0", "true or false"),
        ("lane0 == lane1", "the lane lane0"),
        ("is_on(5, 5)", "one of lane0"),
        ("is_on(lane0)", "2 arguments of is_on, got 1"),
        ("is_on(lane0, -1)", "whole number from 0"),
        ("is_on(lane0, True)", "whole number from 0"),
        ("round(1, 99)", "from 0 to 6 for digits"),
        ("round(1, ndigits=1)", "facts of lanes"),
        ("mean(lane0.falls, 201)", "from 1 to 200 for images"),
        ("mean(mean(lane0.falls, 2), 2)", "within another"),
        ("mean(lane0, 2)", "got a lane"),
        ("1 if lane0.falls else 2", "facts of lanes"),
        ("x := 3", "such as lane0.falls == 0"),
        ("lane0.falls is 0", "facts of lanes"),
        ("f'{lane0.falls}'", "facts of lanes"),
        ("not " * 20 + "True", "deep"),
        ("1" + " + 1" * 70, "parts"),
        ("1" + " + 1" * 200, "400 characters"),
    ],
)
def test_what_a_claim_may_not_say_is_named(text, said):
    with pytest.raises(ClaimError, match="expected") as error:
        read_claim(text)
    assert said in str(error.value)


def test_what_a_world_cannot_tell_is_an_error_in_words():
    with pytest.raises(ClaimError, match="visits 1 to 9"):
        holds("log_odds_at(lane0, 10) == 0")
    with pytest.raises(ClaimError, match="divides by zero"):
        holds("1 / lane0.falls == 0")


def test_every_word_of_the_language_can_be_said():
    for name in [*FACTS, *OF_LEARNED]:
        read_claim(f"lane0.{name} == 0")
    for name in [*AT_VISIT, *OF_UNIT]:
        read_claim(f"{name}(before1, 1) == 0")
    for name in OF_TWO:
        read_claim(f"{name}(lane0, lane1) == 0")


def test_a_claim_that_is_not_true_says_what_each_side_is():
    said = difference(read_claim("lane0.falls == 3 and not is_on(lane0, 5)"), World())
    assert said == "lane0.falls is 0, is_on(lane0, 5) is True"


def test_a_claim_that_was_read_holds_no_kind_of_node_but_those_named():
    tree = read_claim("round(mean(lane0.wrong_pixels, 200), 1) == 6.7 or -others_at(lane0, 1) / 2 >= 1")
    kinds = {type(node).__name__ for node in ast.walk(tree)}
    assert kinds <= {
        "BoolOp", "Or", "Compare", "Eq", "GtE", "Call", "Name", "Load", "Attribute", "Constant", "UnaryOp",
        "USub", "BinOp", "Div",
    }  # fmt: skip
