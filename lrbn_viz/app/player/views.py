"""The list of panels in sight, and the teacher's link, as a Panel component."""

from __future__ import annotations

from typing import ClassVar

import param

from lrbn_viz.app.player.host import _Speaking
from lrbn_viz.app.player.source import module_text


class ViewsMenu(_Speaking):
    """A tick a panel, and a dialog that writes a link without some controls.

    Attributes
    ----------
    panels, tools : list of (str, str)
        Name and title of each panel, and of each control that a link may leave out.
    hidden : str
        What is out of sight, as `names_to_text` writes it; both sides change it.
    """

    panels = param.List(default=[], item_type=tuple)
    tools = param.List(default=[], item_type=tuple)
    hidden = param.String(default="")

    _esm: ClassVar[str] = module_text(("host", "theme", "dom", "views"))
