"""Lessons in a live page: those whose models and images the page holds.

The answer of a step is stored encoded, and becomes part of the document after the prediction. A page without
a server cannot keep it from somebody who takes the file apart.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from lrbn_viz.view.lessons import Lesson


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
        steps.append(
            {
                "title": step.title,
                "state": state,
                "then": then,
                "look": list(step.look),
                "after": list(step.after),
                "use": list(step.use),
                "text": step.text,
                "question": step.question,
                "options": [option.text for option in step.options],
                "do": step.do,
                "sealed": base64.b64encode(json.dumps(hidden).encode()).decode(),
            }
        )
    return {
        "id": lesson.id,
        "title": lesson.title,
        "minutes": lesson.minutes,
        "opening": lesson.opening,
        "guide": lesson.guide,
        "steps": steps,
    }
