"""Lessons in a live page: those whose models and images the page holds.

The answer of a step is stored encoded, and becomes part of the document after the prediction. A page without
a server cannot keep it from somebody who takes the file apart.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import parse_qsl

from lrbn_viz.view.lessons import Lesson


def fitting(lessons: Sequence[Lesson], models: Collection[str], rows: Collection[int]) -> list[Lesson]:
    """Return the lessons that a page of these models, by name, and test images, by row, can run."""
    return [lesson for lesson in lessons if _fits(lesson, models, rows)]


def _fits(lesson: Lesson, models: Collection[str], rows: Collection[int]) -> bool:
    for step in range(1, len(lesson.steps) + 1):
        for query in lesson.shown_at(step):
            shown = dict(parse_qsl(query.removeprefix("?")))
            row = shown.get("image", "0")
            there = shown.get("model") in models and shown.get("rival") in models
            if not there or "data" in shown or not row.isdecimal() or int(row) not in rows:
                return False
    return True


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
                "sealed": base64.b64encode(json.dumps(hidden).encode()).decode(),
            }
        )
    return {
        "id": lesson.id,
        "title": lesson.title,
        "minutes": lesson.minutes,
        "opening": lesson.opening,
        "steps": steps,
    }
