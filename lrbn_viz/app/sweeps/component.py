"""The Sweeps page's view, as a Panel component."""

from __future__ import annotations

from typing import ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Int, Kinds, Str
from lrbn_viz.studies.sweep import MAX_TRIALS
from lrbn_viz.view.player.source import module_text


class SweepView(Component):
    """Trials of one sweep, and a menu of all sweeps.

    Attributes
    ----------
    view : dict
        Value of `SweepsState.view`.
    """

    view = param.Dict(default={})

    _esm: ClassVar[str] = module_text("app/sweeps/js/sweeps.js")

    kinds: ClassVar[Kinds] = {
        "sweep": {"name": Str(100)},
        "again": {},
        "train": {"trial": Int(0, MAX_TRIALS - 1)},
    }
