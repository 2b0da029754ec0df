"""The Compare page's view, as a Panel component."""

from __future__ import annotations

from typing import ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Bool, Kinds, Str
from lrbn_viz.view.player.source import module_text

_NAME = Str(100)


class Comparison(Component):
    """Systems to choose from, what they make of the same images, figures and tables, in the browser.

    Attributes
    ----------
    menu : dict
        What `menu_of` returns.
    pictures : bytes
        What `pictures_of` returns.
    figures : str
        What `figures` returns.
    tables : list
        What `tables_of` returns.
    progress : str
        What is being done, in words; empty where nothing is.
    """

    menu = param.Dict(default={})
    pictures = param.Bytes(default=b"")
    figures = param.String(default="")
    tables = param.List(default=[])
    progress = param.String(default="")

    _esm: ClassVar[str] = module_text("app/compare/js/compare.js")

    kinds: ClassVar[Kinds] = {
        "compare": {"system": _NAME, "on": Bool()},
        "highlight": {"system": _NAME},
        "other": {},
        "narrow": {},
    }
