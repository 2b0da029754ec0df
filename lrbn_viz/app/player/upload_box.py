"""The dialog for a visitor's own data as a component, and the preview as bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import param

from lrbn_viz.app.own_data import Upload
from lrbn_viz.app.player.host import _Speaking
from lrbn_viz.app.player.packing import pack
from lrbn_viz.app.player.source import module_text
from lrbn_viz.app.preview import Choices

UPLOAD_PARTS = ("host", "decode", "theme", "dom", "draw", "upload")


class UploadBox(_Speaking):
    """A button and the dialog behind it.

    Attributes
    ----------
    stage, received, filename, trouble, asks_shape : as in `Upload`
    preview : bytes
        What `preview_block` returns; empty while there is nothing to see.
    accepted : str
        Name of the data set accepted last; empty once another file comes.
    limit : int
        Bytes of the largest file.
    """

    stage = param.String(default="empty")
    received = param.Integer(default=0)
    filename = param.String(default="")
    trouble = param.String(default="")
    asks_shape = param.Boolean(default=False)
    preview = param.Bytes(default=b"")
    accepted = param.String(default="")
    limit = param.Integer(default=0)

    _esm: ClassVar[str] = module_text(UPLOAD_PARTS)

    # What the browser may say: the name and type of each argument, in the callback's order.
    _WORDS: ClassVar[dict[str, dict[str, type | tuple[type, ...]]]] = {
        "begin": {"name": str, "size": int},
        "piece": {"at": int, "bytes": str},
        "choose": {
            "turn": int,
            "name": str,
            "labels": str,
            "height": int,
            "width": int,
            "binary": bool,
            "threshold": (int, float),
            "invert": bool,
            "share": (int, float),
            "seed": int,
        },
        "accept": {},
        "cancel": {},
    }

    def __init__(self, answers: dict[str, Callable[..., None]], **params: Any) -> None:
        super().__init__(**params)
        self._answers = answers

    def _handle_msg(self, data: Any) -> None:
        kind = str(data.get("type")) if isinstance(data, dict) else ""
        words = self._WORDS.get(kind)
        if words is None:
            return
        values = [data.get(name) for name in words]
        if all(isinstance(value, kind) for value, kind in zip(values, words.values(), strict=True)):
            self._answers[kind](*values)


def preview_block(upload: Upload, turn: int) -> bytes:
    """Pack the preview and the choices; empty while there is nothing to see.

    `turn` is the number that the browser gave to these choices: it has newer ones where it has counted on.
    """
    preview, choices = upload.preview, upload.choices
    if preview is None:
        return b""
    assert isinstance(choices, Choices)
    images = upload.images
    meta = {
        "kind": "upload",
        "turn": turn,
        "n": preview.n_train + preview.n_test,
        "n_train": preview.n_train,
        "n_test": preview.n_test,
        "n_v": preview.intensity.shape[1],
        "classes": [list(pair) for pair in preview.classes],
        "image_shape": None if preview.image_shape is None else list(preview.image_shape),
        "notes": list(preview.notes),
        "two_valued": preview.two_valued,
        "least": preview.least,
        "most": preview.most,
        "otsu": round(preview.otsu, 2),
        "low": f"{images.low:g}",
        "high": f"{images.high:g}",
        "own_split": images.n_test is not None,
        "kind_of_file": upload.filename.lower().rpartition(".")[2],
        "name": choices.name,
        "labels": choices.labels,
        "binary": choices.binary,
        "threshold": choices.threshold,
        "invert": choices.invert,
        "test_share": choices.test_share,
        "seed": choices.seed,
    }
    return pack(
        meta,
        {
            "intensity": preview.intensity,
            "standard": preview.standard,
            "histogram": preview.histogram.astype(np.uint32),
        },
    )
