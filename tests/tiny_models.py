"""A tiny model of each kind: how tests make one, and a digest by which a changed one is found.

`tests/conftest.py` trains one of each kind for the whole run, in its process: training takes half a second,
so that a file of them would save less than it costs to keep it valid.
"""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from typing import Any

import numpy as np

from lrbn_viz import DBM, NVIL
from lrbn_viz.catalog import Kind

N_H = 6
"""Latents in all."""


def kind_of(kind: Any) -> Kind:
    """Return a kind, or that of an estimator of one layer or of as many as it always has."""
    return kind if isinstance(kind, Kind) else Kind(kind)


def sizes_of(kind: Any, lower: int, upper: int, alone: int | None = None) -> dict[str, Any]:
    """Return settings of so many latents in each of two layers; of one layer `alone`, or `lower` if None."""
    kind = kind_of(kind)
    if not kind.model.several_layers:
        return {"n_components": lower if alone is None else alone}
    return {"n_components": lower, "n_top": upper}


def tiny(kind: Any, **settings: Any) -> Any:
    """Return a model of a kind with `N_H` latents, not yet trained."""
    kind = kind_of(kind)
    sizes = sizes_of(kind, 4, 2, N_H)
    if kind.estimator is DBM:  # so few latents are to have learned after so few steps
        sizes |= {"learning_rate": 0.1, "learning_rate_end": 0.1}
    if kind.estimator is NVIL and kind.n_layers == 2:
        sizes |= {"learning_rate": 0.2}  # the default gains 0.5 to 1 nats in so many steps, by its seed
    return kind(**{**sizes, "n_iter": 10, "random_state": 0, **settings})


def largest_rate(kind: Any) -> float:
    """Return a learning rate far above those that learn, or the largest that the kind takes."""
    field: Any = kind_of(kind).fields["learning_rate"]
    return 1000.0 if 1000.0 in field.bounds else field.bounds.high


def with_random_parameters(kind: Any, X: np.ndarray, seed: int, scale: float = 0.7) -> Any:
    """Return a model of a kind for images X, its parameters as before training but for normal noise."""
    model, rng = tiny(kind), np.random.default_rng(seed)
    if getattr(model, "layer_by_layer", False):  # each layer has a d of its own
        shapes = pairwise((X.shape[1], *model.n_components))
        layers = [[rng.normal(0, scale, size) for size in (shape, *shape)] for shape in shapes]
        return type(model).from_layers([tuple(layer) for layer in layers], layer_by_layer=True)
    system = model.make_system()
    state = system.init(X, rng)
    drawn = {
        name: (np.asarray(value) + rng.normal(0, scale, np.shape(value))).astype(np.asarray(value).dtype)
        for name, value in system.parameters(state).items()
    }
    if model.visible_units == "noisy-or":  # causes of some strength, and a leak
        drawn |= {name: np.abs(drawn[name]) for name in ("W", "b")}
    model.adopt(system.with_parameters(state, drawn))
    return model


def digest(model: Any) -> str:
    """Return a hash of all that a file of the model would hold: settings, names and parameters."""
    settings = {name: value for name, value in model.get_params().items() if name != "random_state"}
    total = hashlib.sha256(json.dumps([settings, model._named()], default=repr, sort_keys=True).encode())
    for name, array in sorted(model._arrays(np.float64).items()):
        array = np.asarray(array)
        total.update(
            f"{name} {array.shape} {array.dtype.str}".encode() + np.ascontiguousarray(array).tobytes()
        )
    return total.hexdigest()
