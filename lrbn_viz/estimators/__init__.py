"""LRBN, RBM and DeepLRBN as scikit-learn estimators, and the file format that they share."""

from __future__ import annotations

import json
import os
from typing import Any

from lrbn_viz.estimators.deep import DeepLRBN
from lrbn_viz.estimators.lrbn import LRBN
from lrbn_viz.estimators.rbm import RBM
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.trace import load_arrays

__all__ = ["LRBN", "RBM", "DeepLRBN", "load_model"]

FACES: dict[str, type[LRBN] | type[RBM]] = {"LRBN": LRBN, "RBM": RBM}


def load_model(path: str | os.PathLike) -> Any:
    """Read a model that ``save`` wrote: an LRBN, an RBM or a DeepLRBN.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        When the file is damaged or holds something else.
    """
    kind, arrays = load_arrays(path, (*FACES, "DeepLRBN"), ["settings", "provenance"])
    settings = json.loads(str(arrays["settings"]))
    visible = settings.pop("visible")
    depth = int(arrays["n_layers"]) if kind == "DeepLRBN" else 0
    names = [f"{name}{layer}" for layer in range(depth) for name in LRBNParams._fields] or LRBNParams._fields
    missing = [name for name in names if name not in arrays]
    if missing:
        raise ValueError(f"{path} lacks {', '.join(missing)}; it was not written whole. Save it again.")
    found = [arrays[name] for name in names]
    if kind == "DeepLRBN":
        layers = [found[first : first + 3] for first in range(0, len(found), 3)]
        loaded = DeepLRBN.from_layers(layers, visible, arrays.get("classes"), **settings)
    else:
        settings.pop("n_components")
        W, b, d = found
        loaded = FACES[kind].from_params(W, b, d, visible, **settings)
    loaded.provenance_ = json.loads(str(arrays["provenance"]))
    return loaded
