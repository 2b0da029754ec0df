"""What a browser may send to a component; everything else changes nothing and is not logged."""

from __future__ import annotations

import logging
import math
import re
from typing import Any, ClassVar

import param
import pytest

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import (
    Bool,
    Float,
    Int,
    Kinds,
    ListOf,
    Name,
    Offered,
    OneOf,
    Str,
    Typed,
    read_message,
)
from lrbn_viz.app.shared.notices import MAX_SENTENCES, Notices

ONE: Kinds = {"one": {"value": Int(0, 9)}}


class Listener(Component):
    """A component with a field of every kind."""

    entries = param.List(default=[("a", "A"), ("b", "B")])
    shared = param.Integer(default=0, bounds=(0, 9))
    own = param.Integer(default=0)

    _esm = "export default {render() {}};"

    kinds: ClassVar[Kinds] = {
        "all": {
            "whole": Int(-1, 9),
            "real": Float(0.0, 1.0),
            "flag": Bool(),
            "text": Str(5),
            "name": Name(5),
            "one": OneOf("x", "y"),
            "entry": Offered("entries"),
            "list": ListOf(Float(0.0, 1.0), 2),
        },
        "none": {},
        "fails": {},
    }
    set_by_browser: ClassVar[frozenset[str]] = frozenset({"shared"})

    def __init__(self) -> None:
        self.taken: list[tuple[Any, ...]] = []
        super().__init__(
            {"all": lambda *values: self.taken.append(values), "none": lambda: None, "fails": self._fail}
        )

    def _fail(self) -> None:
        raise KeyError("live:x")


GOOD = {
    "type": "all",
    "whole": 3,
    "real": 0.5,
    "flag": True,
    "text": "abc",
    "name": "ab",
    "one": "x",
    "entry": "b",
    "list": [1, 0.5],
}


def test_the_values_of_a_message_come_in_the_declared_order() -> None:
    listener = Listener()
    listener._handle_msg(dict(reversed(GOOD.items())))
    assert listener.taken == [(3, 0.5, True, "abc", "ab", "x", "b", [1.0, 0.5])]
    assert isinstance(listener.taken[0][-1][0], float), "as its kind reads it"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("whole", value) for value in (True, "3", 3.0, -2, 10, 10**400, -(10**400), None, math.nan, [3])],
        *[("real", value) for value in (True, "0.5", math.nan, math.inf, -math.inf, 10**400, -0.1, None, {})],
        *[("flag", value) for value in (1, 0, "true", None)],
        *[("text", value) for value in ("abcdef", b"abc", 1, None, ["a"], "\ud800")],
        *[("name", value) for value in ("", "a\0b", "a\nb", "\x7f", "abcdef")],
        *[("one", value) for value in ("z", "", None, [], {}, b"x")],
        *[("entry", value) for value in ("c", "A", None, ["a"], {})],
        *[("list", value) for value in (None, 0.5, "1", {}, (0.5,), [2.0], [0.5, "1"], [0.1] * 3, [[]])],
    ],
)
def test_a_value_that_does_not_fit_is_no_message(
    field: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    listener = Listener()
    listener._handle_msg({**GOOD, field: value})
    assert listener.taken == []
    assert caplog.records == []


@pytest.mark.parametrize(
    "data",
    [
        None,
        "all",
        b"all",
        5,
        [],
        {},
        {"type": None},
        {"type": ["all"]},
        {"type": {}},
        {"type": "other"},
        {"type": "none", "extra": 1},
        {name: value for name, value in GOOD.items() if name != "whole"},
        {**GOOD, "extra": 1},
        {**GOOD, 5: 1},
    ],
)
def test_what_is_no_message_is_ignored(data: object, caplog: pytest.LogCaptureFixture) -> None:
    listener = Listener()
    listener._handle_msg(data)
    assert listener.taken == []
    assert caplog.records == []
    assert read_message(data, ONE, None) is None


def test_what_is_typed_into_a_field_always_gets_an_answer() -> None:
    assert Typed(5).read("\ud800a", None) == "?a"


def test_an_error_in_an_answer_ends_in_one_line_of_the_log_and_the_component_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    listener = Listener()
    listener._handle_msg({"type": "fails"})
    [record] = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert "KeyError" in caplog.text
    listener._handle_msg(GOOD)
    assert len(listener.taken) == 1


def test_a_browser_sets_only_what_it_may_and_only_to_what_is_valid(caplog: pytest.LogCaptureFixture) -> None:
    listener = Listener()
    for value in (-1, 10, True, "3", None, 10**400, math.nan, 2.0):
        listener._process_events({"shared": value})
    listener._process_events({"own": 5, "live": False, "unheard of": 1})
    assert (listener.shared, listener.own, listener.live) == (0, 0, True)
    assert caplog.records == []
    listener._process_events({"shared": 4, "own": 5})
    assert (listener.shared, listener.own) == (4, 0)


def test_answers_to_messages_that_cannot_come_are_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"expected answers to .*, got other"):
        Component({"other": lambda: None})


def test_a_page_says_each_sentence_once_and_only_the_latest() -> None:
    notices = Notices()
    notices.add("one", "two")
    notices.add("one")
    assert notices.texts == ["one", "two"]
    notices.add(*map(str, range(50)), "x" * 10_000)
    assert len(notices.texts) == MAX_SENTENCES
    assert len(notices.texts[-1]) < 1000
    notices.dismiss()
    assert notices.texts == []


def test_what_a_person_asks_of_a_run_has_words_for_a_page_that_cannot_send_it():
    from lrbn_viz.app.train.component import TrainBoard, TrainForm
    from lrbn_viz.view.player.source import ROOT

    text = (ROOT / "view/player/js/host.js").read_text(encoding="utf-8")
    acts = text[text.index("const ACTS") : text.index("};", text.index("const ACTS"))]
    unasked = {"open", "seen", "sight", "narrow", "piece"}  # the page says these by itself
    for kind in {**TrainBoard.kinds, **TrainForm.kinds}.keys() - unasked:
        assert re.search(rf"\b{kind}: ", acts), f"nothing is said where {kind} cannot be sent"
