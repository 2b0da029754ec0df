"""Step, play and scrub MAP inference in latent regression Bayesian networks.

Public names and submodules are loaded when first used, so that ``import lrbn_viz`` is fast and never imports
a GUI library.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lrbn_viz.core.display import register_html

if TYPE_CHECKING:  # import contracts read this, too; they leave out what draws: animation, notebook, plots
    from lrbn_viz import catalog as catalog
    from lrbn_viz import chunks as chunks
    from lrbn_viz import cluster as cluster
    from lrbn_viz import datasets as datasets
    from lrbn_viz import measure as measure
    from lrbn_viz import notebook as notebook
    from lrbn_viz.catalog import factorised, load_model, pretrained
    from lrbn_viz.core.trace import FitStep, ICMTrace
    from lrbn_viz.datasets import Dataset, add_noise, invert, load_dataset, occlude, read_dataset
    from lrbn_viz.estimators import (
        DBM,
        DBN,
        LRBN,
        NVIL,
        RBM,
        RWS,
        VIMCO,
        MeanFieldSBN,
        VariationalBayesSBN,
        WakeSleep,
        with_recognition,
    )
    from lrbn_viz.measure.basins import Basins, find_basins, find_basins_of_images
    from lrbn_viz.measure.divergence import Approximation, approximations
    from lrbn_viz.measure.explanation import (
        LogOddsChange,
        exact_posterior,
        explain_away,
        explain_change,
        log_odds_terms,
    )
    from lrbn_viz.measure.ladder import Ladder, ladder
    from lrbn_viz.view import plots as plots
    from lrbn_viz.view.animation.export import export_animation
    from lrbn_viz.view.live.page import export_live
    from lrbn_viz.view.live.site import export_site

__version__ = "0.1.0"

_PUBLIC_MODULES = {
    **{name: name for name in ("catalog", "chunks", "cluster", "datasets", "measure", "notebook")},
    "plots": "view.plots",
}
"""Modules that users name, by their public names."""

_PUBLIC_NAMES = {
    "catalog": ("factorised", "load_model", "pretrained"),
    "measure.explanation": (
        "LogOddsChange",
        "exact_posterior",
        "explain_away",
        "explain_change",
        "log_odds_terms",
    ),
    "measure.divergence": ("Approximation", "approximations"),
    "measure.ladder": ("Ladder", "ladder"),
    "measure.basins": ("Basins", "find_basins", "find_basins_of_images"),
    "view.animation.export": ("export_animation",),
    "view.live.page": ("export_live",),
    "view.live.site": ("export_site",),
    "core.trace": ("FitStep", "ICMTrace"),
    "datasets": ("Dataset", "add_noise", "invert", "load_dataset", "occlude", "read_dataset"),
}
"""Classes and functions that users name, by their modules; the others of `__all__` are estimators."""

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
    "FitStep",
    "ICMTrace",
    "Ladder",
    "LogOddsChange",
    "MeanFieldSBN",
    "VariationalBayesSBN",
    "WakeSleep",
    "add_noise",
    "approximations",
    "exact_posterior",
    "explain_away",
    "explain_change",
    "export_animation",
    "export_live",
    "export_site",
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


_HOMES = {
    **dict.fromkeys(__all__, "estimators"),
    **{name: module for module, names in _PUBLIC_NAMES.items() for name in names},
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"lrbn_viz.{_HOMES[name]}"), name)
    elif name in _PUBLIC_MODULES:
        value = import_module(f"lrbn_viz.{_PUBLIC_MODULES[name]}")
    elif not name.startswith("_") and find_spec(f"lrbn_viz.{name}") is not None:
        value = import_module(f"lrbn_viz.{name}")
    else:
        raise AttributeError(f"module 'lrbn_viz' has no attribute {name!r}")
    globals()[name] = value
    return value


def _trace_html(trace: Any) -> str | None:
    """Return the end of a trace as a picture, if it has one; what draws is loaded with the first of them."""
    from html import escape

    from lrbn_viz.core.extras import MissingExtra

    try:
        still = import_module("lrbn_viz.view.animation.still")
    except MissingExtra as error:
        return f"<pre>{escape(repr(trace))}\n{escape(str(error))}</pre>"
    return still.trace_html(trace)


register_html("lrbn_viz.core.trace.Trace", _trace_html)


def __dir__() -> list[str]:
    return sorted((*__all__, *_PUBLIC_MODULES, "__version__"))
