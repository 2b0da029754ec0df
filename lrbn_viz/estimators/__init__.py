"""LRBN and RBM as scikit-learn estimators, and the file format that they share."""

from __future__ import annotations

import json
import os

from lrbn_viz.estimators.lrbn import LRBN
from lrbn_viz.estimators.rbm import RBM
from lrbn_viz.trace import load_arrays

__all__ = ["LRBN", "RBM", "load_model"]

FACES: dict[str, type[LRBN] | type[RBM]] = {"LRBN": LRBN, "RBM": RBM}


def load_model(path: str | os.PathLike) -> LRBN | RBM:
    """Read a model that ``save`` wrote.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        When the file is damaged or holds something else.
    """
    names = ["settings", "provenance", "W", "b", "d"]
    kind, arrays = load_arrays(path, tuple(FACES), names)
    settings = json.loads(str(arrays["settings"]))
    visible = settings.pop("visible")
    settings.pop("n_components")
    loaded = FACES[kind].from_params(arrays["W"], arrays["b"], arrays["d"], visible, **settings)
    loaded.provenance_ = json.loads(str(arrays["provenance"]))
    return loaded
