"""The dialog for a visitor's own data, as a Panel component."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Bool, Float, Int, Kinds, ListOf, Str
from lrbn_viz.app.shared.transfer import MAX_PIECE
from lrbn_viz.datasets.own.tables import MAX_LISTED
from lrbn_viz.view.player.source import module_text


class UploadBox(Component):
    """A button that opens the dialog.

    Attributes
    ----------
    stage, number, received, filename, error, question, asks_shape : as in `UploadState`
    table : dict
        Result of `table_of`; empty for other files.
    preview : bytes
        Result of `preview_block`; empty without a preview.
    accepted : str
        Name of the last accepted data set; empty after the next file has begun.
    limit : int
        Largest size of a file, bytes.
    """

    stage = param.String(default="empty")
    number = param.Integer(default=0)
    received = param.Integer(default=0)
    filename = param.String(default="")
    error = param.String(default="")
    question = param.String(default="")
    asks_shape = param.Boolean(default=False)
    table = param.Dict(default={})
    preview = param.Bytes(default=b"")
    accepted = param.String(default="")
    limit = param.Integer(default=0)

    _esm: ClassVar[str] = module_text("app/upload/js/upload.js")

    kinds: ClassVar[Kinds] = {
        "begin": {"name": Str(1000), "size": Int(0, 2**53), "number": Int(0, 2**53)},
        "piece": {"at": Int(0, 2**53), "bytes": Str(MAX_PIECE)},
        "choose": {
            "turn": Int(0, 2**53),
            "name": Str(200),
            "labels": Str(20),
            "left_out": ListOf(Int(0, MAX_LISTED), MAX_LISTED),
            "thresholds": ListOf(Str(200), MAX_LISTED),
            "height": Int(-(2**53), 2**53),
            "width": Int(-(2**53), 2**53),
            "binary": Bool(),
            "threshold": Float(0.0, 1.0),
            "invert": Bool(),
            "share": Float(-1e300, 1e300),
            "seed": Int(-(2**53), 2**53),
        },
        "accept": {},
        "cancel": {},
    }
    newest_of: ClassVar[Mapping[str, str]] = {"piece": "at"}
