"""The training board and its form as Panel components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param

from lrbn_viz.app.player.host import _Speaking
from lrbn_viz.app.player.source import module_text

BOARD_PARTS = (
    "host",
    "decode",
    "theme",
    "dom",
    "draw",
    "scrub",
    "curve",
    "ring",
    "charts",
    "learner",
    "boardstyle",
    "studio",
)
FORM_PARTS = ("host", "decode", "theme", "dom", "sidebar", "form")


class _Asking(_Speaking):
    """A component whose messages are answered by callbacks, one for each kind."""

    # What the browser may say: the name and type of each argument, in the callback's order.
    _WORDS: ClassVar[dict[str, dict[str, type]]] = {}

    def __init__(self, answers: dict[str, Callable[..., None]], **params: Any) -> None:
        super().__init__(**params)
        self._answers = answers

    def _handle_msg(self, data: Any) -> None:
        kind = str(data.get("type")) if isinstance(data, dict) else ""
        words, answer = self._WORDS.get(kind), self._answers.get(kind)
        if words is None or answer is None:
            return
        values = [data.get(name) for name in words]
        if all(isinstance(value, kind) for value, kind in zip(values, words.values(), strict=True)):
            answer(*values)

    def tell(self, content: bytes) -> None:
        """Send bytes to the browser's side."""
        self._send_msg(content)


class TrainBoard(_Asking):
    """Shows what a `Feed` tells it; says which buttons were pressed, and which frames it has seen."""

    _esm: ClassVar[str] = module_text(BOARD_PARTS)

    _WORDS: ClassVar[dict[str, dict[str, type]]] = {
        "open": {},
        "seen": {"number": int},
        "start": {},
        "pause": {},
        "step": {},
        "stop": {},
        "reset": {},
        "leave": {},
        "branch": {},
        "look": {"step": int},
        "inspect": {"number": int},
        "narrow": {},
    }


class TrainForm(_Asking):
    """Fields of a run's draft, the runs that are kept, and files.

    Attributes
    ----------
    form : dict
        What is shown, as JSON values; ``form.js`` reads it.
    """

    form = param.Dict(default={})

    _esm: ClassVar[str] = module_text(FORM_PARTS)

    _WORDS: ClassVar[dict[str, dict[str, type]]] = {
        "edit": {"path": str, "text": str},
        "carry": {"on": bool},
        "attach": {"name": str},
        "delete": {"name": str},
        "save": {"lane": int},
        "give": {"lane": int, "base64": str},
    }
