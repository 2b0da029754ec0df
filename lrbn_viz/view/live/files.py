"""What a live page knows of files: the kinds of models that it saves and opens."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.model import Model

KINDS = ("LRBN", "RBM")
"""Kinds of models whose files hold weights and offsets, and nothing else that their inference needs."""
NAME = "{}"
"""What stands for a file's name in the description of a kind."""


def file_of(model: Model) -> dict[str, Any] | None:
    """Return what a model's file holds beside parameters and names, as texts; None if a page saves none.

    ``layers`` says whether its arrays have the number of their layer: ``W0``, and not ``W``.
    """
    kind = type(model).__name__
    fits = kind in KINDS and model.deviations_ is None and not hasattr(model, "classes_")
    if not fits:
        return None
    estimator: Any = model
    columns = list(getattr(model, "feature_names_in_", ()))
    head = estimator.head_of_file() | ({"columns": json.dumps(columns)} if columns else {})
    return {"head": head, "layers": kind == "LRBN"}


def tiny(visible: str) -> list[Model]:
    """Return a model of each kind that a page opens: of one layer, and of an LRBN of two.

    What is said of one is true of all models of its kind, whatever their sizes.
    """
    W, b, d = np.zeros((2, 1)), np.zeros(2), np.zeros(1)
    one = [SYSTEMS[kind].estimator.from_params(W, b, d, visible=visible) for kind in KINDS]
    layers = [(W, b, d), (np.zeros((1, 1)), d, d)]
    return [*one, SYSTEMS["LRBN"].estimator.from_layers(layers, visible)]
