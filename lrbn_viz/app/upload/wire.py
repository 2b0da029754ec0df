"""The preview of a visitor's file as a block of bytes."""

from __future__ import annotations

import numpy as np

from lrbn_viz.app.upload.preview import Choices
from lrbn_viz.app.upload.state import UploadState
from lrbn_viz.datasets.own.read import kind_of
from lrbn_viz.player.wire import pack


def preview_block(upload: UploadState, turn: int) -> bytes:
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
        "kind_of_file": kind_of(upload.filename),
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
