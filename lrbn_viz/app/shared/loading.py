"""Loading of data sets and trained models by name, for the states of pages, and what pages begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset

USUAL = "mnist5k"
"""The data set that pages begin with, if it is at hand."""
SMALL = "digits"
"""The data set that they begin with otherwise: scikit-learn carries it, so that it needs no network."""
SMALL_MODEL = "lrbn-16-digits"
"""A model of these images that infers and draws."""


def usual_dataset() -> str:
    """Return the name of the data set that pages begin with."""
    from lrbn_viz.datasets import at_hand

    return USUAL if at_hand(USUAL) else SMALL


def absent_images(downloading: bool) -> list[str]:
    """Return a sentence for a page that begins with 8x8 digits, as the usual images are not at hand.

    `downloading`: they are being downloaded now.
    """
    from lrbn_viz.datasets.dataset import title_of
    from lrbn_viz.datasets.load import how_to_get

    if usual_dataset() == USUAL:
        return []
    way = "they are being downloaded: open the page again in a moment" if downloading else how_to_get(USUAL)
    return [
        f"The images of the {title_of(USUAL)} are not at hand: pages begin with 8x8 digits, and some lessons "
        f"are left out; {way}."
    ]


def dataset_by_name(name: str, **choices: Any) -> Dataset:
    """Return a data set of the package; `choices` as :func:`lrbn_viz.load_dataset` takes them."""
    from lrbn_viz.datasets import load_dataset

    return load_dataset(name, **choices)


def model_by_name(name: str) -> Any:
    """Return a trained model that comes with the package."""
    from lrbn_viz.catalog import pretrained

    return pretrained(name)
