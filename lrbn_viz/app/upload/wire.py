"""The preview of a visitor's file as a block of bytes, and the columns of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from lrbn_viz.app.upload.preview import Choices
from lrbn_viz.app.upload.state import UploadState
from lrbn_viz.datasets.own.read import kind_of
from lrbn_viz.view.player.wire import pack


def table_of(upload: UploadState, turn: int) -> dict[str, Any]:
    """Return the columns of a table with the choices about them; empty for other files.

    `turn` as in `preview_block`.
    """
    choices = upload.choices
    if kind_of(upload.filename) != "csv" or (upload.preview is None and not upload.columns):
        return {}
    assert isinstance(choices, Choices)
    return {
        "turn": turn,
        "columns": [list(column) for column in upload.columns],
        "labels": choices.labels,
        "left_out": list(choices.left_out),
        "thresholds": [list(pair) for pair in choices.thresholds],
    }


def preview_block(upload: UploadState, turn: int) -> bytes:
    """Pack the preview and the choices; empty without a preview.

    `turn` is the browser's number of these choices; the browser has newer ones if its number is larger.
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
        "n_unknown": images.n_unknown,
        "classes": [list(pair) for pair in preview.classes],
        "image_shape": None if preview.image_shape is None else list(preview.image_shape),
        "variables": list(images.columns) if images.columns and preview.is_row else None,
        "notes": list(preview.notes),
        "two_valued": preview.two_valued,
        "least": preview.least,
        "most": preview.most,
        "otsu": round(preview.otsu, 2),
        "low": f"{images.low:g}",
        "high": f"{images.high:g}",
        "own_split": images.n_test is not None,
        "kind_of_file": kind_of(upload.filename),
        "name": choices.name,
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
