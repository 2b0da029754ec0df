"""What the lessons of a live page say is true of the page's own engine, which infers in Node."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from js.node_tests import passed_in_node

from lrbn_viz import ICMTrace
from lrbn_viz.app.claims import VOCABULARY, Shown, check_claims
from lrbn_viz.view.lessons import Lesson
from lrbn_viz.view.lessons.files import SHIPPED, read_file, read_folder
from lrbn_viz.view.live import page
from lrbn_viz.view.live.page import live_blocks
from lrbn_viz.view.player.wire import pack, unpack

IN_NODE = Path(__file__).with_name("claims.test.js")
N_IMAGES = 200
"""Test images that means and counts of claims are over."""
LESSONS = [
    *read_folder(SHIPPED, VOCABULARY)[0],
    read_file(Path(page.__file__).with_name("digits.md"), VOCABULARY),
]


class Asked(Shown):
    """The explorer's states, of which it is noted which claims are about."""

    def __init__(self) -> None:
        super().__init__()
        self.queries: dict[str, None] = {}

    def lanes(self, query: str) -> Any:
        self.queries.setdefault(query)
        return super().lanes(query)


class InPage(Shown):
    """The same states as a page infers them: each decision and each log P(x, h) is the page's own."""

    def __init__(self, found: dict[str, list[dict[str, Any]]]) -> None:
        super().__init__()
        self._found = found
        self._replaced: dict[str, Any] = {}
        self.n_visits = 0

    def lanes(self, query: str) -> Any:
        if query not in self._replaced:
            lanes = zip(super().lanes(query), self._found[query], strict=True)
            self._replaced[query] = [(model, self._of_page(trace, lane)) for (model, trace), lane in lanes]
        return self._replaced[query]

    def _of_page(self, trace: Any, lane: dict[str, Any]) -> ICMTrace:
        assert isinstance(trace, ICMTrace)
        x = np.array([np.nan if value is None else value for value in lane["x"]])
        np.testing.assert_array_equal(x, trace.x)
        kept = {name: np.array(lane[name], getattr(trace, name).dtype) for name in ("h0", "unit", "after")}
        states, flipped = kept["h0"].copy(), []
        for unit, after in zip(kept["unit"], kept["after"], strict=True):
            flipped.append(bool(states[unit] != after))
            states[unit] = after
        joints = np.array(lane["log_joint"], float)
        self.n_visits += len(flipped)
        return replace(
            trace,
            **kept,
            flipped=np.array(flipped, bool),
            log_odds=np.array(lane["log_odds"], float),
            log_joint0=float(joints[0]),
            log_joint=joints[1:],
            sweep=np.array(lane["sweep"], trace.sweep.dtype),
        )


@pytest.fixture(scope="module")
def in_page(tmp_path_factory: pytest.TempPathFactory) -> InPage:
    """What a page with all models of the lessons infers wherever a claim looks."""
    folder, asked = tmp_path_factory.mktemp("claims"), Asked()
    for lesson in LESSONS:
        assert check_claims(lesson, asked) == []
    blocks = live_blocks(n_images=N_IMAGES, train=False).blocks
    for name in ("kernels", "models", "images", "others"):
        (folder / name).write_bytes(blocks[name])
    queries = list(asked.queries)
    (folder / "queries").write_bytes(pack({"queries": queries}, {}))
    (folder / "expected.json").write_text("{}")  # which blocks.js reads
    assert passed_in_node(IN_NODE, folder, 300)["passed"] == 1
    return InPage(dict(zip(queries, json.loads((folder / "found.json").read_text()), strict=True)))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_every_claim_is_true_of_what_the_page_infers(lesson: Lesson, in_page: InPage):
    assert check_claims(lesson, in_page) == []


def test_a_claim_is_false_of_another_engine(in_page: InPage):
    """The claims can tell: with the decisions of other visits they do not hold."""
    [lesson] = (each for each in LESSONS if each.id == "digits")
    broken = InPage({query: [_reversed(lane) for lane in lanes] for query, lanes in in_page._found.items()})
    assert check_claims(lesson, broken)


def _reversed(lane: dict[str, Any]) -> dict[str, Any]:
    return lane | {"unit": lane["unit"][::-1], "after": [1 - after for after in lane["after"]]}


def test_all_lessons_of_the_page_are_asked_about():
    meta, _ = unpack(live_blocks(train=False).blocks["images"])
    assert {lesson["id"] for lesson in meta["lessons"]} <= {lesson.id for lesson in LESSONS}
