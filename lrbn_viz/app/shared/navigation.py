"""Contents of the header: the links between pages, and the button for the dark or light theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Bool, Int, Kinds, Offered, Str
from lrbn_viz.view.lessons.read import MAX_LESSON_STEPS
from lrbn_viz.view.player.source import module_text

MAX_NAVIGATIONS = 2**31 - 1
"""Largest number of a navigation that a browser may send."""


class ThemeButton(Component):
    """Button that switches the theme between dark and light; the browser stores the choice."""

    _esm: ClassVar[str] = module_text("app/shared/js/theme_button.js")


class Navigation(Component):
    """One link per page; that of the current page is marked.

    Attributes
    ----------
    pages : list of (str, str, str)
        Name, title and address of each page.
    page : str
        Name of the page shown.
    about : str
        Text beside the links about the explorer.
    answer : (int, str)
        Number of the last navigation that was carried out, and the query of its address. The browser
        numbers its navigations, and ignores answers to older ones.
    owns_address : bool
        True if the explorer may change the window's address; False in a notebook.
    """

    pages = param.List(default=[], item_type=tuple)
    page = param.String(default="")
    about = param.String(default="")
    answer = param.Tuple(default=(0, ""), length=2)
    owns_address = param.Boolean(default=True)

    _esm: ClassVar[str] = module_text("app/shared/js/navigation.js")

    kinds: ClassVar[Kinds] = {
        "go": {"page": Offered("pages"), "number": Int(1, MAX_NAVIGATIONS)},
        "show": {
            "page": Offered("pages"),
            "lesson": Str(60),
            "step": Int(1, MAX_LESSON_STEPS),
            "number": Int(1, MAX_NAVIGATIONS),
        },
        "wide": {"width": Int(1, 100_000)},
        "narrow": {"narrow": Bool()},
    }

    def __init__(
        self,
        *,
        on_go: Callable[[str], None],
        on_show: Callable[[str, str, int], None],
        on_wide: Callable[[int], None],
        on_narrow: Callable[[bool], None],
        search: Callable[[], str],
        **params: Any,
    ) -> None:
        def numbered(act: Callable[..., None]) -> Callable[..., None]:
            def answer(*where: Any) -> None:
                *place, number = where
                act(*place)
                self.answer = (number, search())

            return answer

        answers = {"go": numbered(on_go), "show": numbered(on_show), "wide": on_wide, "narrow": on_narrow}
        super().__init__(answers, **params)
