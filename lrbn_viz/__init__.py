"""Step, play and scrub MAP inference in latent regression Bayesian networks.

Public names and submodules are loaded when first used, so that ``import lrbn_viz`` is fast and never imports
a GUI library.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # import contracts read this, too; they leave out notebook and plots, which draw
    from lrbn_viz import catalog as catalog
    from lrbn_viz import chunks as chunks
    from lrbn_viz import cluster as cluster
    from lrbn_viz import datasets as datasets
    from lrbn_viz import evaluation as evaluation
    from lrbn_viz import notebook as notebook
    from lrbn_viz import plots as plots
    from lrbn_viz.analysis.basins import Basins, find_basins, find_basins_of_images
    from lrbn_viz.analysis.divergence import Approximation, approximations
    from lrbn_viz.analysis.explanation import (
        LogOddsChange,
        exact_posterior,
        explain_away,
        explain_change,
        log_odds_terms,
    )
    from lrbn_viz.analysis.ladder import Ladder, ladder
    from lrbn_viz.catalog import factorised, load_model, pretrained
    from lrbn_viz.datasets import Dataset, add_noise, invert, load_dataset, occlude, read_dataset
    from lrbn_viz.estimators import (
        DBM,
        DBN,
        LRBN,
        NVIL,
        RBM,
        RWS,
        VIMCO,
        DeepLRBN,
        DeepNVIL,
        DeepRWS,
        DeepVariationalBayesSBN,
        DeepVIMCO,
        DeepWakeSleep,
        MeanFieldSBN,
        TwoLayerLRBN,
        VariationalBayesSBN,
        WakeSleep,
        with_recognition,
    )
    from lrbn_viz.live.page import export_live
    from lrbn_viz.trace import FitStep, ICMTrace

__version__ = "0.1.0"

_PUBLIC_MODULES = ("catalog", "chunks", "cluster", "datasets", "evaluation", "notebook", "plots")

_HOMES = {
    "DBM": "estimators",
    "DBN": "estimators",
    "LRBN": "estimators",
    "RBM": "estimators",
    "RWS": "estimators",
    "WakeSleep": "estimators",
    "VIMCO": "estimators",
    "NVIL": "estimators",
    "MeanFieldSBN": "estimators",
    "VariationalBayesSBN": "estimators",
    "DeepLRBN": "estimators",
    "TwoLayerLRBN": "estimators",
    "DeepNVIL": "estimators",
    "DeepRWS": "estimators",
    "DeepVIMCO": "estimators",
    "DeepVariationalBayesSBN": "estimators",
    "DeepWakeSleep": "estimators",
    "with_recognition": "estimators",
    "factorised": "catalog",
    "load_model": "catalog",
    "pretrained": "catalog",
    "exact_posterior": "analysis.explanation",
    "explain_away": "analysis.explanation",
    "explain_change": "analysis.explanation",
    "LogOddsChange": "analysis.explanation",
    "log_odds_terms": "analysis.explanation",
    "Approximation": "analysis.divergence",
    "approximations": "analysis.divergence",
    "Ladder": "analysis.ladder",
    "ladder": "analysis.ladder",
    "Basins": "analysis.basins",
    "find_basins": "analysis.basins",
    "find_basins_of_images": "analysis.basins",
    "export_live": "live.page",
    "ICMTrace": "trace",
    "FitStep": "trace",
    "Dataset": "datasets",
    "load_dataset": "datasets",
    "read_dataset": "datasets",
    "occlude": "datasets",
    "add_noise": "datasets",
    "invert": "datasets",
}

__all__ = [
    "DBM",
    "DBN",
    "LRBN",
    "NVIL",
    "RBM",
    "RWS",
    "VIMCO",
    "Approximation",
    "Basins",
    "Dataset",
    "DeepLRBN",
    "DeepNVIL",
    "DeepRWS",
    "DeepVIMCO",
    "DeepVariationalBayesSBN",
    "DeepWakeSleep",
    "FitStep",
    "ICMTrace",
    "Ladder",
    "LogOddsChange",
    "MeanFieldSBN",
    "TwoLayerLRBN",
    "VariationalBayesSBN",
    "WakeSleep",
    "add_noise",
    "approximations",
    "exact_posterior",
    "explain_away",
    "explain_change",
    "export_live",
    "factorised",
    "find_basins",
    "find_basins_of_images",
    "invert",
    "ladder",
    "load_dataset",
    "load_model",
    "log_odds_terms",
    "occlude",
    "pretrained",
    "read_dataset",
    "with_recognition",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"lrbn_viz.{_HOMES[name]}"), name)
    elif not name.startswith("_") and find_spec(f"lrbn_viz.{name}") is not None:
        value = import_module(f"lrbn_viz.{name}")
    else:
        raise AttributeError(f"module 'lrbn_viz' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted((*__all__, *_PUBLIC_MODULES, "__version__"))
