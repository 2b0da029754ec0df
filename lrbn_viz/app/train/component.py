"""The training board and its form as Panel components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Bool, Int, Kinds, Name, Str, Typed
from lrbn_viz.app.shared.transfer import MAX_PIECE
from lrbn_viz.io.constants import TYPED_CHARACTERS
from lrbn_viz.view.player.source import module_text

_NUMBERS = 2**53  # the browser's largest number


class TrainBoard(Component):
    """Board that shows messages of a `Feed`, and reports pressed buttons and received frames."""

    _esm: ClassVar[str] = module_text("app/train/js/board.js")

    kinds: ClassVar[Kinds] = {
        "open": {},
        "seen": {"number": Int(0, _NUMBERS)},
        "start": {},
        "pause": {},
        "step": {},
        "stop": {},
        "reset": {},
        "leave": {},
        "branch": {},
        "write_again": {},
        "back": {"step": Int(0, _NUMBERS)},
        "look": {"step": Int(-1, _NUMBERS)},
        "inspect": {"number": Int(0, 10**6)},
        "filter": {"lane": Int(0, 1), "unit": Int(0, 2**16)},
        "narrow": {},
        "sight": {"on": Bool()},
        "on": {},
        "show": {},
        "draw": {},
        "save": {"lane": Int(0, 1)},
    }


class TrainForm(Component):
    """Fields of a run's form, the runs that are stored, and files.

    Attributes
    ----------
    form : dict
        The fields, as JSON values; ``form.js`` reads it.
    runs : dict
        The stored runs.
    file : dict
        `Progress` of a model file; it changes with every piece.
    limit : int
        Largest size of a model file, bytes.
    saving : list of int
        Lanes whose models are being written for a download.
    """

    form = param.Dict(default={})
    runs = param.Dict(default={})
    file = param.Dict(default={})
    limit = param.Integer(default=0)
    saving = param.List(default=[], item_type=int)

    _esm: ClassVar[str] = module_text("app/train/js/form.js")

    kinds: ClassVar[Kinds] = {
        "edit": {"path": Name(100), "text": Typed(TYPED_CHARACTERS)},
        "carry": {"on": Bool()},
        "list": {"on": Bool()},
        "end": {"name": Name(200)},
        "attach": {"name": Name(200)},
        "delete": {"name": Name(200)},
        "undo": {"key": Name(220)},
        "save": {"lane": Int(0, 1)},
        "show": {"lane": Int(-1, 1)},
        "draw": {},
        "begin": {
            "lane": Int(0, 2),
            "name": Typed(1000),
            "size": Int(0, _NUMBERS),
            "number": Int(0, _NUMBERS),
        },
        "piece": {"at": Int(0, _NUMBERS), "bytes": Str(MAX_PIECE)},
        "cancel": {},
    }
    newest_of: ClassVar[Mapping[str, str]] = {
        "edit": "path",
        "piece": "at",
        "attach": "name",
        "delete": "name",
        "end": "name",
        "undo": "key",
    }
