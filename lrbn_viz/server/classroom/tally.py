"""Predictions of a class: counts of each option of a question. No names are asked for or stored."""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from lrbn_viz.server.classroom.voting import MAX_VOTERS, Question, Refused
from lrbn_viz.view.lessons import Lesson, Option
from lrbn_viz.view.lessons.markup import to_text

_VOICE = re.compile(r"[A-Za-z0-9_-]{8,64}")


def options_of(lessons: Mapping[str, Lesson], question: Question) -> tuple[Option, ...]:
    """Return the options of a question; none if there is no such question."""
    lesson = lessons.get(question.lesson)
    if lesson is None or not 1 <= question.step <= len(lesson.steps):
        return ()
    return lesson.steps[question.step - 1].options


class Tally:
    """Predictions of a class, by question; usable from any thread.

    A browser names itself by a text that it drew at random, so that it counts once and may change its mind.
    The text is held while the server runs, tells nothing of anybody, and is never shown.

    Parameters
    ----------
    lessons : mapping from id to Lesson
        Whose questions are counted.
    withholds : callable, optional
        Function from a question's lesson and step to whether nobody may be told the answer now.
    """

    def __init__(
        self, lessons: Mapping[str, Lesson], withholds: Callable[[str, int], bool] = lambda *_: False
    ) -> None:
        self._lessons, self.withholds = lessons, withholds
        self._lock = threading.Lock()
        self._voices: OrderedDict[Question, dict[str, int]] = OrderedDict()
        self._changed: dict[Question, float] = {}

    def count(self, lesson: str, step: int, option: int, voice: str) -> None:
        """Count a prediction, in the place of an earlier one of the same browser.

        Parameters
        ----------
        lesson, step
            The question.
        option : int
            Number of the option, from 0.
        voice : str
            What the browser calls itself: 8 to 64 letters, digits, hyphens and underscores.

        Raises
        ------
        Refused
            There is no such question or option, the voice is no such text, or too many have predicted.
        """
        options = options_of(self._lessons, Question(lesson, step))
        if not options:
            raise Refused("there is no such question; reload the page.")
        if not 0 <= option < len(options):
            raise Refused(f"expected an option from 0 to {len(options) - 1}; reload the page.")
        if not _VOICE.fullmatch(voice):
            raise Refused("expected a voice of 8 to 64 letters, digits, hyphens and underscores.")
        with self._lock:
            voices = self._voices.setdefault(Question(lesson, step), {})
            if voice not in voices and len(voices) >= MAX_VOTERS:
                raise Refused(f"at most {MAX_VOTERS:,} predictions of a question are counted.")
            voices[voice] = option
            self._changed[Question(lesson, step)] = time.time()

    def forget(self, lesson: str, step: int) -> None:
        """Delete all predictions of a question, as before another class."""
        with self._lock:
            self._voices.pop(Question(lesson, step), None)
            self._changed.pop(Question(lesson, step), None)

    def board(self) -> dict[str, Any]:
        """Return all questions with their counts, as JSON values; the one predicted last is ``newest``."""
        with self._lock:
            found = {question: list(voices.values()) for question, voices in self._voices.items()}
            newest = max(self._changed, key=self._changed.__getitem__, default=None)
        questions = []
        for lesson in self._lessons.values():
            for number, step in enumerate(lesson.steps, 1):
                if not step.options:
                    continue
                chosen = found.get(Question(lesson.id, number), [])
                questions.append(
                    {
                        "lesson": lesson.id,
                        "step": number,
                        "title": f"{lesson.title} Step {number}: {step.title}",
                        "text": to_text([*(lesson.opening if number == 1 else []), *step.text]),
                        "question": to_text(step.question),
                        "options": [to_text(option.text) for option in step.options],
                        "right": step.right,
                        "counts": [chosen.count(n) for n in range(len(step.options))],
                    }
                )
        return {"questions": questions, "newest": None if newest is None else list(newest)}
