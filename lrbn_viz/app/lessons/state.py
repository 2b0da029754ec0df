"""The lesson of a visitor, its step, and the data that the browser may have now. No widgets here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import param

from lrbn_viz.view.lessons import BadLesson, Lesson, Problem
from lrbn_viz.view.lessons.read import MAX_LESSON_STEPS

_ID = re.compile(r"[a-z0-9-]{1,60}")
ALWAYS_SHOWN = frozenset({"speed", "pages"})
"""Controls that are shown at every step."""

WITHHELD = "Your lecturer leads the class: open its live page, where the answer is revealed."

Load = Callable[[], tuple[Sequence[Lesson], Sequence[BadLesson]]]
"""Function that returns the offered lessons, and the invalid files."""


def lesson_id(text: str) -> str:
    """Return `text` if it can be the id of a lesson; raise ValueError otherwise."""
    if not _ID.fullmatch(text):
        raise ValueError("expected the id of a lesson: small letters, digits and hyphens")
    return text


class LessonRun(param.Parameterized):
    """A visitor's way through lessons.

    Parameters
    ----------
    load : callable
        Called once, when lessons are first needed.
    show : callable
        Called with an address and the hidden parts of its page, when a step begins and when its question is
        answered.
    hidden, unhide : callables
        Return the currently hidden parts, and hide them again when the lesson is left.
    names : (sequence of str, sequence of str)
        Names of the page's panels, and of its controls.
    withholds : callable, optional
        Function from a lesson and a step to whether nobody may be told the answer to its question now.
    """

    lesson = param.String(default="", doc="Id of the lesson that runs; empty: none does.")
    step = param.Integer(default=1, bounds=(1, MAX_LESSON_STEPS), doc="From 1.")
    chosen = param.Integer(default=-1, bounds=(-1, None), doc="The option predicted; -1: none yet.")
    everything = param.Boolean(default=False, doc="Whether all of the page is shown beside the lesson.")

    refusal = param.String(default="", doc="Why the last prediction was not taken.")

    def __init__(
        self,
        load: Load,
        show: Callable[[str, str], None],
        hidden: Callable[[], str],
        unhide: Callable[[str], None],
        names: tuple[Sequence[str], Sequence[str]],
        withholds: Callable[[str, int], bool] = lambda *_: False,
    ) -> None:
        super().__init__()
        self._withholds = withholds
        self._load, self._show, self._hidden, self._unhide, self._names = load, show, hidden, unhide, names
        self._known: tuple[dict[str, Lesson], list[BadLesson]] | None = None
        self._before = ""  # parts that were hidden before the lesson began

    @property
    def lessons(self) -> dict[str, Lesson]:
        """The lessons on offer by id."""
        return self._all[0]

    @property
    def bad(self) -> list[BadLesson]:
        """Files that are not valid lessons."""
        return self._all[1]

    @property
    def _all(self) -> tuple[dict[str, Lesson], list[BadLesson]]:
        if self._known is None:
            found, bad = self._load()
            lessons: dict[str, Lesson] = {}
            doubles = []
            for lesson in found:
                if lesson.id in lessons:
                    words = (
                        f"expected an id of its own, got {lesson.id}, which another lesson has; change it."
                    )
                    doubles.append(BadLesson(lesson.file, (Problem(1, words),)))
                else:
                    lessons[lesson.id] = lesson
            self._known = lessons, [*bad, *doubles]
        return self._known

    @property
    def running(self) -> Lesson | None:
        """The current lesson."""
        return self.lessons.get(self.lesson) if self.lesson else None

    def begin(self, lesson: str, step: int = 1) -> None:
        """Begin a lesson at a step; invalid requests, as a browser may send, are ignored."""
        known = self.lessons.get(lesson)
        if known is None or not 1 <= step <= len(known.steps):
            return
        if not self.lesson:
            self._before = self._hidden()
        self._go(lesson, step)

    def walk(self, way: str) -> None:
        """Go to the ``"next"`` step or one ``"back"``; past a question only after it has been answered."""
        lesson = self.running
        if lesson is None:
            return
        if way == "next" and self.step < len(lesson.steps) and self.answered:
            self._go(lesson.id, self.step + 1)
        elif way == "back" and self.step > 1:
            self._go(lesson.id, self.step - 1)

    def predict(self, step: int, option: int) -> None:
        """Record the visitor's prediction for the current step, once; one for another step is ignored."""
        lesson = self.running
        if lesson is None or step != self.step or self.answered:
            return
        if self._withholds(lesson.id, step):
            self.refusal = WITHHELD
        elif 0 <= option < len(lesson.steps[step - 1].options):
            state, then = lesson.shown_at(step)
            self.param.update(chosen=option, refusal="")
            if then != state or lesson.steps[step - 1].after:
                self._show(then, self.out_of_sight)

    def show_all(self) -> None:
        """Show all of the page beside the lesson, or again what its step is about."""
        if self.running is not None:
            self.everything = not self.everything
            self._unhide(self.out_of_sight)

    def leave(self) -> None:
        """End the lesson: the page keeps its state, and shows all panels that it showed before."""
        if not self.lesson:
            return
        self.param.update(lesson="", step=1, chosen=-1, everything=False, refusal="")
        self._unhide(self._before)

    def _go(self, lesson: str, step: int) -> None:
        self.param.update(lesson=lesson, step=step, chosen=-1, refusal="")
        self.param.trigger("chosen")
        self._show(self.lessons[lesson].shown_at(step)[0], self.out_of_sight)

    @property
    def answered(self) -> bool:
        """True if the step has no question, or has been answered."""
        lesson = self.running
        return lesson is not None and (not lesson.steps[self.step - 1].options or self.chosen >= 0)

    @property
    def look(self) -> list[str]:
        """Names of the cards that the step currently refers to."""
        lesson = self.running
        if lesson is None:
            return []
        step = lesson.steps[self.step - 1]
        return [*step.look, *(step.after if self.answered else ())]

    @property
    def out_of_sight(self) -> str:
        """Names of the panels and controls that the step hides, as addresses write them."""
        lesson = self.running
        if lesson is None or self.everything:
            return ""
        step = lesson.steps[self.step - 1]
        panels, controls = self._names
        gone = [name for name in panels if name not in self.look]
        gone += [name for name in controls if name not in step.use and name not in ALWAYS_SHOWN]
        return ".".join(gone)

    @property
    def view(self) -> dict[str, Any]:
        """Data that the browser may have now: no answers before the prediction is made."""
        lesson = self.running
        if lesson is None:
            return {}
        step, n = lesson.steps[self.step - 1], len(lesson.steps)
        found: dict[str, Any] = {
            "id": lesson.id,
            "lesson": lesson.title,
            "step": self.step,
            "steps": n,
            "title": step.title,
            "look": self.look,
            "now": list((step.after if self.answered else ()) or step.look),
            "opening": lesson.opening if self.step == 1 else [],
            "text": step.text,
            "question": step.question,
            "options": [option.text for option in step.options],
            "answered": self.answered,
            "do": step.do,
            "use": list(step.use),
            "guide": lesson.guide,
            "everything": self.everything,
            "refusal": self.refusal,
        }
        if self.answered:
            found |= {"chosen": self.chosen, "right": step.right, "reveal": step.reveal}
            found["why"] = [option.why for option in step.options]
            found["take_home"] = lesson.take_home if self.step == n else []
            found["after"] = self._after if self.step == n else []
        return found

    @property
    def _after(self) -> list[str]:
        """Id and title of the next lesson; empty after the last."""
        ids = list(self.lessons)
        at = ids.index(self.lesson) + 1
        return [ids[at], self.lessons[ids[at]].title] if at < len(ids) else []

    @property
    def listed(self) -> list[dict[str, Any]]:
        """The lessons as the page lists them."""
        return [
            {
                "id": lesson.id,
                "title": lesson.title,
                "minutes": lesson.minutes,
                "steps": len(lesson.steps),
                "summary": lesson.summary,
            }
            for lesson in self.lessons.values()
        ]

    @property
    def refused(self) -> list[dict[str, Any]]:
        """The invalid files, with reasons."""
        return [
            {"file": each.file, "words": [f"line {line}: {words}" for line, words in each.problems[:3]]}
            for each in self.bad
        ]
