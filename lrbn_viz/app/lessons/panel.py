"""The Lessons page, and the room for a lesson beside the Inference page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.lessons.component import LessonCard, LessonList
from lrbn_viz.app.lessons.state import LessonRun
from lrbn_viz.app.shared.component import InlineStyles

# Side by side if there is room for both, else the lesson above; each scrolls separately. Wrappers take no
# room.
_CARD = "& > :first-of-type:not(:last-of-type) > *"
_ROOM: dict[str, Any] = {
    "flexDirection": "row",
    "minHeight": 0,
    "& > * > *": {"flex": "1 1 0", "minWidth": 0, "minHeight": 0},
    _CARD: {"flex": "0 0 clamp(20rem, 28%, 34rem)"},
    "@media (max-width: 1000px)": {"flexDirection": "column", _CARD: {"flex": "0 0 44%"}},
    "@media (max-width: 1000px) and (max-height: 560px)": {
        "flexDirection": "row",
        _CARD: {"flex": "0 0 45%"},
    },
}


class Room(InlineStyles, pmui.Column):
    """A page, with or without a card beside it."""


class LessonsPanel(Viewer):
    """The list of lessons.

    Parameters
    ----------
    run : LessonRun
    on_begin : callable
        Called with the id of the lesson that a visitor chose.
    """

    def __init__(self, run: LessonRun, on_begin: Callable[[str], None]) -> None:
        super().__init__()
        self.view = LessonList(
            {"begin": on_begin}, lessons=run.listed, refused=run.refused, sizing_mode="stretch_both"
        )

    def __panel__(self) -> Viewable:
        return self.view


class BesideLesson(Viewer):
    """A page, with the card of the lesson beside it while one runs.

    Parameters
    ----------
    run : LessonRun
    page : Viewable or Viewer
        Page, rendered once; the card is added beside it and removed.
    on_list : callable
        Opens the list of lessons.
    """

    def __init__(self, run: LessonRun, page: Any, on_list: Callable[[], None]) -> None:
        super().__init__()
        self.run, self._page, self._on_list = run, page, on_list
        self._card: LessonCard | None = None
        self._room = Room(page, sizing_mode="stretch_both", margin=0, sx=_ROOM)
        run.param.watch(self._follow, ["lesson", "step", "chosen", "everything", "refusal"])
        self._follow()

    def _follow(self, *_: object) -> None:
        view = self.run.view
        if not view:
            if len(self._room) > 1:
                self._room.objects = [self._page]
            return
        if self._card is None:
            run = self.run
            self._card = LessonCard(
                {
                    "predict": run.predict,
                    "walk": run.walk,
                    "leave": run.leave,
                    "all": run.show_all,
                    "begin": run.begin,
                    "list": self._on_list,
                },
                view=view,
                sizing_mode="stretch_both",
                margin=0,
            )
        self._card.view = view
        if len(self._room) == 1:
            self._room.objects = [self._card, self._page]

    def __panel__(self) -> Viewable:
        return self._room
