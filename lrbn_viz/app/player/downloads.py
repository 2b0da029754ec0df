"""Buttons that hand out files, as a Panel component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
import param

from lrbn_viz.app.player.host import _Speaking
from lrbn_viz.app.player.packing import pack
from lrbn_viz.app.player.source import module_text


class MadeFile(NamedTuple):
    """A file to hand out: its name, its media type, and what is in it."""

    name: str
    type: str
    content: bytes


class Downloads(_Speaking):
    """A button a file, which is made when its button is pressed.

    Attributes
    ----------
    files : list of (str, str)
        Name and title of each.
    made : bytes
        The newest file: a packed block with its ``name`` and ``type`` in the metadata, and its ``content``.
    """

    files = param.List(default=[], item_type=tuple)
    made = param.Bytes(default=b"")

    _esm: ClassVar[str] = module_text(("host", "decode", "theme", "dom", "downloads"))

    def __init__(self, makers: dict[str, Callable[[], MadeFile]], **params: Any) -> None:
        super().__init__(**params)
        self._makers = makers
        self._count = 0

    def _handle_msg(self, data: Any) -> None:
        maker = self._makers.get(str(data.get("name"))) if isinstance(data, dict) else None
        if maker is None:
            return
        self._count += 1  # the same file, asked for again, must differ to be sent again
        name, kind, content = maker()
        meta = {"name": name, "type": kind, "count": self._count}
        self.made = pack(meta, {"content": np.frombuffer(content, np.uint8)})
