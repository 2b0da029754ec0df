"""Share of test images for which each unit is on: for the order of units by usage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.view.player.wire import pack

IMAGES = 300  # a tenth of a second with 200 latents, and shares to within 3 per cent


def count_usage(models: Mapping[str, Any], X: NDArray) -> bytes:
    """Infer the first test images with every model, and pack the share of them for which each unit is on.

    Parameters
    ----------
    models : mapping from key to fitted model
        The keys are those given to `pack_models`.
    X : (n, n_v) array
        Test images; at most `IMAGES` are used.

    Returns
    -------
    bytes
        A packed block: ``models`` and ``images`` (how many were used) in its metadata, and for each model, in
        that order, an array (n_h,) float32 of shares in [0, 1].
    """
    X = X[:IMAGES]
    shares = {
        str(position): np.hstack(model.infer(X)).mean(axis=0).astype(np.float32)
        for position, model in enumerate(models.values())
    }
    return pack({"kind": "usage", "models": list(models), "images": len(X)}, shares)
