"""What stands in the header: the links between pages, and the button that makes them dark or light."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Int, Kinds, Offered
from lrbn_viz.player.source import module_text


class ThemeButton(Component):
    """Makes the page dark or light; the browser remembers it, and the page's theme says which it is."""

    _esm: ClassVar[str] = module_text("app/shared/js/theme_button.js")


class Navigation(Component):
    """One link a page; the one that is shown is marked.

    Attributes
    ----------
    pages : list of (str, str, str)
        Name, title and address of each page.
    page : str
        Name of the page shown.
    about : str
        What the pages are about, beside the links.
    """

    pages = param.List(default=[], item_type=tuple)
    page = param.String(default="")
    about = param.String(default="")

    _esm: ClassVar[str] = module_text("app/shared/js/navigation.js")

    kinds: ClassVar[Kinds] = {"go": {"page": Offered("pages")}, "wide": {"width": Int(1, 100_000)}}

    def __init__(
        self, *, on_go: Callable[[str], None], on_wide: Callable[[int], None], **params: Any
    ) -> None:
        super().__init__({"go": on_go, "wide": on_wide}, **params)
