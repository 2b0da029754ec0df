"""Lessons in a live page: those whose models and images the page holds, of its own data set or small others.

The answer of a step is stored encoded, and becomes part of the document after the prediction. A page without
a server cannot keep it from somebody who takes the file apart.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from lrbn_viz.catalog import PRETRAINED
from lrbn_viz.io.constants import FACTORISED
from lrbn_viz.view.lessons import Lesson, shipped_lessons
from lrbn_viz.view.lessons.files import read_file
from lrbn_viz.view.lessons.lesson import Step
from lrbn_viz.view.live.training import arranged


class SetName(NamedTuple):
    """What tells a data set of shipped models: its name, and whether its pixels are on or off."""

    name: str
    binary: bool


class Shown(NamedTuple):
    """What lessons show of a data set: models, by name, and test images, by row."""

    models: tuple[str, ...]
    rows: tuple[int, ...]


@cache
def _own_guide(name: str) -> Lesson:
    """Return a guide of live pages alone: ``guide``, on its own models, or ``digits``, on small ones."""
    return read_file(Path(__file__).with_name(f"{name}.md"))


def shown_in_pages() -> dict[SetName, Shown]:
    """Return what the shipped lessons show, and the guide of a live page, by data set."""
    return shown_of((*shipped_lessons(), _own_guide("digits")))


def shown_of(lessons: Sequence[Lesson]) -> dict[SetName, Shown]:
    """Return what the steps of lessons show, by data set."""
    found: dict[SetName, Shown] = {}
    for lesson in lessons:
        for query in _queries(lesson):
            query_models, row = _models_of(query), query.get("image", "0")
            info = PRETRAINED[query_models[0].removeprefix(FACTORISED)]
            name = SetName(info.dataset, info.binary)
            models, rows = found.get(name, Shown((), ()))
            found[name] = Shown(
                tuple(dict.fromkeys((*models, *query_models))), tuple(dict.fromkeys((*rows, int(row))))
            )
    return found


def _queries(lesson: Lesson) -> Iterator[dict[str, str]]:
    for number in range(1, len(lesson.steps) + 1):
        for query in lesson.shown_at(number):
            yield dict(parse_qsl(query.removeprefix("?")))


def _models_of(query: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(query[name] for name in ("model", "rival") if name in query)


def guided(lessons: Sequence[Lesson], models: Collection[str], can_hide: bool) -> list[Lesson]:
    """Return lessons with a guide that shows some of a page's own models.

    Where the package's guide shows none of them, steps about what the page opens with follow its others.
    Without `can_hide` no such step makes a part unknown.
    """
    found = list(lessons)
    guide = next((each for each in lessons if each.guide), None)
    if guide and any(name in models for query in _queries(guide) for name in _models_of(query)):
        return found
    own = _own_guide("guide")
    steps = own.steps if can_hide else tuple(step for step in own.steps if "draw" not in step.use)
    if guide is None:
        return [replace(own, steps=steps), *found]
    found[found.index(guide)] = replace(guide, steps=(*guide.steps, *steps))
    return found


def fitting(lessons: Sequence[Lesson], held: Mapping[str, Collection[int]]) -> list[Lesson]:
    """Return the lessons that a page can run that holds these models, and of each the rows of test images.

    Of a guide the steps that it can run, each of which says itself what it shows. In the place of one that it
    cannot run stands the step of the same title about small digits.
    """
    found = []
    small = {step.title: step for step in _runs(_own_guide("digits"), held) if step is not None}
    for lesson in lessons:
        runs = _runs(lesson, held)
        if all(runs):
            found.append(lesson)
        elif lesson.guide:
            pairs = zip(runs, lesson.steps, strict=True)
            steps = tuple(step for runs_here, asked in pairs if (step := runs_here or small.get(asked.title)))
            found += [replace(lesson, steps=steps)] if steps else []
    return found


def _runs(lesson: Lesson, held: Mapping[str, Collection[int]]) -> list[Step | None]:
    """Return each step of a lesson that a page can run, None in the place of another."""
    numbered = enumerate(lesson.steps, 1)
    return [step if all(_fits(query, held) for query in lesson.shown_at(n)) else None for n, step in numbered]


def _fits(query: str, held: Mapping[str, Collection[int]]) -> bool:
    shown = dict(parse_qsl(query.removeprefix("?")))
    models, row = _models_of(shown), shown.get("image", "0")
    there = len(models) == 2 and "data" not in shown and row.isdecimal()
    return there and all(int(row) in held.get(model, ()) for model in models)


def answer_of(lesson: Lesson, number: int) -> dict[str, Any]:
    """Return what a step, from 1, says and shows once it is answered; JSON values."""
    step, (_, then) = lesson.steps[number - 1], lesson.shown_at(number)
    return {
        "right": step.right,
        "why": [option.why for option in step.options],
        "reveal": step.reveal,
        "take_home": lesson.take_home if number == len(lesson.steps) else [],
        "then": then,
        "after": list(step.after),
        "train": _run(then),
    }


def _run(query: str) -> dict[str, Any] | None:
    """Return the run that an address shows, if it shows one; JSON values."""
    run = arranged(query)
    return None if run is None else {"settings": run.settings, "epochs": run.epochs}


@cache
def lessons_on_training(dataset: str) -> tuple[Lesson, ...]:
    """Return the lessons on training that a page can show that trains on a data set."""
    paths = sorted(Path(__file__).with_name("taught").glob("*.md"))
    return tuple(lesson for lesson in map(read_file, paths) if _data_of(lesson) == {dataset})


def _data_of(lesson: Lesson) -> set[str]:
    """Return the data sets that a lesson trains on.

    Raises
    ------
    ValueError
        A step shows something else than a run of a page.
    """
    queries = {query for number in range(1, len(lesson.steps) + 1) for query in lesson.shown_at(number)}
    runs = [arranged(query) for query in queries]
    if None in runs:
        raise ValueError(f"{lesson.file}: expected ?page=train& in each step, got another page.")
    return {run.dataset for run in runs if run is not None}


def described_lesson(lesson: Lesson, steps: bool = True) -> dict[str, Any]:
    """Return a lesson as the page's script reads it; JSON values.

    Without `steps` the page asks a server for each of them.
    """
    numbers = range(1, len(lesson.steps) + 1)
    named = ("id", "title", "minutes", "guide")
    told = {name: getattr(lesson, name) for name in named}
    return told | {"steps": [described_step(lesson, number) if steps else None for number in numbers]}


def described_step(lesson: Lesson, number: int, answer: bool = True) -> dict[str, Any]:
    """Return a step of a lesson, from 1, as the page's script reads it; JSON values.

    Without `answer` it is told once the question is answered; a step that asks nothing has it in any case.
    """
    step, (state, _) = lesson.steps[number - 1], lesson.shown_at(number)
    lists = {name: list(getattr(step, name)) for name in ("look", "use")}
    told = {name: getattr(step, name) for name in ("title", "text", "question", "do")} | lists
    told |= {"opening": lesson.opening if number == 1 else [], "state": state, "train": _run(state)}
    sealed = base64.b64encode(json.dumps(answer_of(lesson, number)).encode()).decode()
    options = [option.text for option in step.options]
    return {**told, "options": options, "sealed": sealed if answer or not options else ""}
