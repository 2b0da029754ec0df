"""What the lessons on training say is true of the page's own engine, which trains their runs in Node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from js.node_tests import passed_in_node

from lrbn_viz import load_dataset
from lrbn_viz.view.lessons import Lesson
from lrbn_viz.view.lessons.language import LANES, OF_LEARNED, ClaimError, difference, evaluate
from lrbn_viz.view.live.lessons import lessons_on_training
from lrbn_viz.view.live.page import described, live_blocks
from lrbn_viz.view.live.training import COURSES, arranged, training_blocks
from lrbn_viz.view.player.wire import unpack

IN_NODE = Path(__file__).with_name("lessons_on_training.test.js")
LESSONS = [lesson for name in COURSES for lesson in lessons_on_training(name)]


class Trained:
    """The lanes of a step on training: figures of a run before the prediction, and after it."""

    def __init__(self, before: list[dict[str, float]], after: list[dict[str, float]]) -> None:
        self._lanes = dict(zip(LANES, (*after, *before), strict=True))

    def fact(self, lane: str, name: str) -> float:
        if name not in self._lanes[lane]:
            raise ClaimError(f"{name} is not known of models that learn.")
        return self._lanes[lane][name]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, float]]]:
    """Figures of both lanes by the address that shows them."""
    folder = tmp_path_factory.mktemp("runs")
    queries = sorted({query for lesson in LESSONS for n in _numbers(lesson) for query in lesson.shown_at(n)})
    runs = [run for query in queries if (run := arranged(query)) is not None]
    assert len(runs) == len(queries)
    (folder / "asked.json").write_text(json.dumps([run._asdict() for run in runs]))
    for name in {run.dataset for run in runs}:
        data = load_dataset(name, binary=True)
        (folder / f"{name}.run").write_bytes(training_blocks(data, described)["run"])
    assert passed_in_node(IN_NODE, folder, 300)["passed"] == 2
    return dict(zip(queries, json.loads((folder / "told.json").read_text()), strict=True))


def _numbers(lesson: Lesson) -> range:
    return range(1, len(lesson.steps) + 1)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_every_claim_is_true(lesson: Lesson, told):
    for number, step in enumerate(lesson.steps, 1):
        world: Any = Trained(*(told[query] for query in lesson.shown_at(number)))
        assert step.claims
        for claim in step.claims:
            assert evaluate(claim.tree, world), f"line {claim.line}: {difference(claim.tree, world)}"


def test_every_fact_of_a_model_that_learns_is_told(told):
    for lanes in told.values():
        assert all({*OF_LEARNED, "n_units"} == lane.keys() for lane in lanes)


def test_only_a_page_that_trains_on_their_images_has_them():
    ids = {lesson.id for lesson in LESSONS}
    assert ids == {"dead-units", "prior", "learns-by"}
    for model, train, there in (("digits", True, ids), ("digits", None, set()), ("bars", True, set())):
        blocks = live_blocks((f"lrbn-16-{model}",), n_images=20, train=train).blocks
        meta, _ = unpack(blocks["images"])
        assert {lesson["id"] for lesson in meta["lessons"]} & ids == there


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?page=train&data=mnist&epochs=1", "got 'mnist' and '1'"),
        ("?page=train&data=digits&epochs=81", "epochs of its run"),
        ("?page=train&data=digits&epochs=1&lrbn.prior=odd", "to be flat, learned; got 'odd'"),
        ("?page=train&data=digits&epochs=1&rbm.prior=flat", "got rbm.prior"),
    ],
)
def test_a_run_that_no_page_offers_is_refused_in_words(query: str, said: str):
    with pytest.raises(ValueError, match="expected") as error:
        arranged(query)
    assert said in str(error.value)
