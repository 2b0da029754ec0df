"""The list of lessons, and the card of the current lesson, as Panel components."""

from __future__ import annotations

from typing import ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Int, Kinds, OneOf, Str
from lrbn_viz.view.lessons.read import MAX_LESSON_STEPS, MAX_OPTIONS
from lrbn_viz.view.player.source import module_text


class LessonList(Component):
    """The lessons on offer.

    Attributes
    ----------
    lessons, refused : list of dict
        Values of `LessonRun.listed` and `LessonRun.refused`.
    """

    lessons = param.List(default=[], item_type=dict)
    refused = param.List(default=[], item_type=dict)

    _esm: ClassVar[str] = module_text("app/lessons/js/list.js")

    kinds: ClassVar[Kinds] = {"begin": {"lesson": Str(60)}}


class LessonCard(Component):
    """A step of a lesson beside the page that it is about.

    Attributes
    ----------
    view : dict
        Value of `LessonRun.view`. It does not contain the answer before the prediction.
    """

    view = param.Dict(default={})

    _esm: ClassVar[str] = module_text("app/lessons/js/beside.js")

    kinds: ClassVar[Kinds] = {
        "predict": {"step": Int(1, MAX_LESSON_STEPS), "option": Int(0, MAX_OPTIONS - 1)},
        "walk": {"way": OneOf("next", "back")},
        "leave": {},
        "all": {},
        "begin": {"lesson": Str(60)},
        "list": {},
    }
