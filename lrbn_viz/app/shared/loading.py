"""Loading of data sets and trained models by name, for the states of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset


def dataset_by_name(name: str, **choices: Any) -> Dataset:
    """Return a data set of the package; `choices` as :func:`lrbn_viz.load_dataset` takes them."""
    from lrbn_viz.datasets import load_dataset

    return load_dataset(name, **choices)


def model_by_name(name: str) -> Any:
    """Return a trained model that comes with the package."""
    from lrbn_viz.catalog import pretrained

    return pretrained(name)
