"""Download buttons, as a Panel component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Kinds, Offered
from lrbn_viz.view.player.source import module_text
from lrbn_viz.view.player.wire import pack


class MadeFile(NamedTuple):
    """A file for download: name, media type and content."""

    name: str
    type: str
    content: bytes


class Downloads(Component):
    """One button per file; pressing it makes the file.

    Attributes
    ----------
    files : list of (str, str)
        Name and title of each.
    made : bytes
        The newest file: a packed block with its ``name`` and ``type`` in the metadata, and its ``content``.
    """

    files = param.List(default=[], item_type=tuple)
    made = param.Bytes(default=b"")

    _esm: ClassVar[str] = module_text("app/shared/js/downloads.js")

    kinds: ClassVar[Kinds] = {"make": {"name": Offered("files")}}

    def __init__(self, makers: dict[str, Callable[[], MadeFile]], **params: Any) -> None:
        super().__init__({"make": self._make}, **params)
        self._makers = makers
        self._count = 0

    def _make(self, file: str) -> None:
        self._count += 1  # an equal value would not be sent again
        name, kind, content = self._makers[file]()
        meta = {"name": name, "type": kind, "count": self._count}
        self.made = pack(meta, {"content": np.frombuffer(content, np.uint8)})
