"""Lessons in a live page: those whose models and images the page holds.

The answer of a step is stored encoded, and becomes part of the document after the prediction. A page without
a server cannot keep it from somebody who takes the file apart.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from lrbn_viz.view.lessons import Lesson
from lrbn_viz.view.lessons.files import read_file


def page_guide(can_hide: bool) -> Lesson:
    """Return the guide of a page that holds none of the models of the package's guide.

    It is about the models that the page shows; without `can_hide` it has no step that makes a part unknown.
    """
    guide = read_file(Path(__file__).with_name("guide.md"))
    steps = guide.steps if can_hide else tuple(step for step in guide.steps if "draw" not in step.use)
    return replace(guide, steps=steps)


def fitting(lessons: Sequence[Lesson], models: Collection[str], rows: Collection[int]) -> list[Lesson]:
    """Return the lessons that a page of these models, by name, and test images, by row, can run.

    Of a guide the steps that it can run, each of which says itself what it shows.
    """
    found = []
    for lesson in lessons:
        steps = [
            step
            for number, step in enumerate(lesson.steps, 1)
            if all(_fits(query, models, rows) for query in lesson.shown_at(number))
        ]
        if len(steps) == len(lesson.steps):
            found.append(lesson)
        elif lesson.guide and steps:
            found.append(replace(lesson, steps=tuple(steps)))
    return found


def _fits(query: str, models: Collection[str], rows: Collection[int]) -> bool:
    shown = dict(parse_qsl(query.removeprefix("?")))
    row = shown.get("image", "0")
    there = shown.get("model") in models and shown.get("rival") in models
    return there and "data" not in shown and row.isdecimal() and int(row) in rows


def described_lesson(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as the page's script reads it; JSON values."""
    steps = []
    for number, step in enumerate(lesson.steps, 1):
        state, then = lesson.shown_at(number)
        last = number == len(lesson.steps)
        hidden = {"right": step.right, "reveal": step.reveal, "take_home": lesson.take_home if last else []}
        sealed = base64.b64encode(json.dumps(hidden).encode()).decode()
        plain = ("title", "text", "question", "do")
        lists = {name: list(getattr(step, name)) for name in ("look", "after", "use")}
        told = {name: getattr(step, name) for name in plain} | lists
        options = [option.text for option in step.options]
        steps.append({**told, "state": state, "then": then, "options": options, "sealed": sealed})
    named = ("id", "title", "minutes", "opening", "guide")
    return {name: getattr(lesson, name) for name in named} | {"steps": steps}
