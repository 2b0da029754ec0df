"""Models as scikit-learn estimators, and the file format that they share."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, BinaryIO

from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.names import columns_in, names_in
from lrbn_viz.estimators.amortise import with_recognition
from lrbn_viz.estimators.dbm import DBM
from lrbn_viz.estimators.dbn import DBN
from lrbn_viz.estimators.lrbn import LRBN
from lrbn_viz.estimators.mean_field import MeanFieldSBN
from lrbn_viz.estimators.nvil import NVIL
from lrbn_viz.estimators.rbm import RBM
from lrbn_viz.estimators.rws import RWS
from lrbn_viz.estimators.variational_bayes import VariationalBayesSBN
from lrbn_viz.estimators.vimco import VIMCO
from lrbn_viz.estimators.wake_sleep import WakeSleep
from lrbn_viz.io.storage import Budget, UnreadableFile, check_array, check_json, damaged, quoted, read_kind

__all__ = [
    "DBM",
    "DBN",
    "LRBN",
    "NVIL",
    "RBM",
    "RWS",
    "VIMCO",
    "MeanFieldSBN",
    "VariationalBayesSBN",
    "WakeSleep",
    "read_model",
    "with_recognition",
]


def read_model(source: str | os.PathLike | BinaryIO, kinds: Mapping[str, Any], budget: Budget) -> Any:
    """Read a model that ``save`` wrote, as :func:`lrbn_viz.load_model` does.

    Parameters
    ----------
    kinds : mapping from the name of a class to the class
        Those that the file may hold.
    """
    kind, what, arrays = read_kind(source, tuple(kinds), budget)
    settings = check_json(arrays, "settings", what)
    provenance = check_json(arrays, "provenance", what)
    declared = kinds[kind]().get_params().keys()
    known = declared - {"random_state"}
    unknown, lacking = sorted(settings.keys() - known), sorted(known - settings.keys())
    if unknown or lacking:
        got = f"{quoted(unknown[0])}, which is none" if unknown else f"no {lacking[0]}"
        raise UnreadableFile(
            f"{what} is damaged, or another version wrote it: expected the settings of {kind}, got {got}. "
            "Load it with the program that wrote it, or save it again."
        )
    visible = settings.pop("visible")
    try:
        if kinds[kind] is LRBN:  # its file has each layer's own d
            layers = _layers(arrays, what)
            classes = arrays.get("classes")
            if classes is not None:
                check_array(arrays, "classes", what, "biufUS", 1, layers[-1][2].shape)
            loaded = kinds[kind].from_layers(layers, visible, classes, **settings)
        else:
            layer = LayerParams(*_params(arrays, "", what))
            more = {
                name: check_array(arrays, name, what, "f", len(shape), None if None in shape else shape)
                for name, shape in kinds[kind].more_shapes(layer, settings).items()
            }
            loaded = kinds[kind].from_params(*layer, visible, **more, **settings)
        if "names" in arrays:
            loaded.name_units(**names_in(arrays, what))
        if "columns" in arrays:
            loaded.feature_names_in_ = columns_in(arrays, what, loaded.n_features_in_)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, UnreadableFile):
            raise
        raise UnreadableFile(f"{what} holds no model that can be used: {error}") from error
    loaded.provenance_ = provenance
    return loaded


def _params(arrays: Mapping[str, NDArray], layer: str, what: str) -> tuple[NDArray, NDArray, NDArray]:
    """Return W, b and d of a layer, which fit each other."""
    W = check_array(arrays, f"W{layer}", what, "f", 2)
    b = check_array(arrays, f"b{layer}", what, "f", 1, W.shape[:1])
    return W, b, check_array(arrays, f"d{layer}", what, "f", 1, W.shape[1:])


def _layers(arrays: Mapping[str, NDArray], what: str) -> list[tuple[NDArray, NDArray, NDArray]]:
    """Return the parameters of all layers; as many as are said, which must be there."""
    n_layers = int(check_array(arrays, "n_layers", what, "iu", 0))
    found = sum(name.startswith("W") for name in arrays)
    if not 1 <= n_layers <= found:
        raise damaged(what, f"as many layers as it holds weights of, {found}", f"n_layers = {n_layers}")
    return [_params(arrays, str(layer), what) for layer in range(n_layers)]
