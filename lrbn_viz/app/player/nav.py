"""The links between pages, as a Panel component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param

from lrbn_viz.app.player.host import _Speaking
from lrbn_viz.app.player.source import module_text


class Navigation(_Speaking):
    """One link a page; the one that is shown is marked.

    Attributes
    ----------
    pages : list of (str, str)
        Name and title of each page.
    page : str
        Name of the page shown.
    """

    pages = param.List(default=[], item_type=tuple)
    page = param.String(default="")

    _esm: ClassVar[str] = module_text(("host", "theme", "dom", "nav"))

    def __init__(
        self, *, on_go: Callable[[str], None], on_wide: Callable[[int], None], **params: Any
    ) -> None:
        super().__init__(**params)
        self._on_go = on_go
        self._on_wide = on_wide

    def _handle_msg(self, data: Any) -> None:
        if not isinstance(data, dict):
            return
        name, width = data.get("page"), data.get("width")
        if isinstance(width, int):
            self._on_wide(width)
        if any(name == known for known, _ in self.pages):
            self._on_go(str(name))
