"""Models of the session on the Compare page, and their images. No widgets here."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lrbn_viz.app.compare.offers import OWN, Offer, inference_of
from lrbn_viz.app.shared.menus import LIVE
from lrbn_viz.app.shared.weights import same_weights
from lrbn_viz.datasets.dataset import title_of

if TYPE_CHECKING:
    from lrbn_viz.core.model import Model
    from lrbn_viz.datasets import Dataset


class OwnModel(NamedTuple):
    """A model of this session: trained in it, or opened from a file.

    Attributes
    ----------
    title : str
        What people read, such as "run-1 LRBN, minibatch 40".
    model : Model
        Fitted; it is never changed.
    data : Dataset
        The images with which other pages show it; for a model trained here its training data.
    """

    title: str
    model: Model
    data: Dataset

    @property
    def binary(self) -> bool:
        """True if the model takes binary images, which every comparison requires."""
        return self.model.visible == "bernoulli"

    def fits(self, image_shape: tuple[int, int]) -> bool:
        """Return whether the model takes binary images of this shape."""
        same = self.data.image_shape == image_shape
        return self.binary and same and math.prod(image_shape) == self.model.n_visible_


def own_model(name: str, model: Model, data: Dataset) -> OwnModel:
    """Return a model of the session under its name in lanes."""
    return OwnModel(name.removeprefix(LIVE), model, data)


class OwnModels:
    """The models of one session, each under a permanent key.

    Attributes
    ----------
    known : dict
        Models by key, in order of arrival.
    """

    def __init__(self) -> None:
        self.known: dict[str, OwnModel] = {}
        self._count = 0

    def take(self, models: Sequence[OwnModel], kept: Collection[str]) -> None:
        """Replace the known models by the session's current ones; models whose keys are in `kept` stay."""
        found: dict[str, OwnModel] = {}
        for key, old in self.known.items():
            if key in kept or any(_same(old, new) for new in models):
                found[key] = old
        for new in models:
            if not any(_same(old, new) for old in found.values()):
                self._count += 1
                found[f"{OWN}{self._count}"] = new
        self.known = found

    def datasets(self, shipped: Collection[str]) -> dict[str, Dataset]:
        """Return the data sets of the models for which there is no shipped system, by name."""
        sets = {own.data.name: own.data for own in self.known.values() if own.binary}
        return {name: data for name, data in sets.items() if name not in shipped}

    def offers(
        self, data: Dataset, measured: Mapping[tuple[str, str], dict[str, Any] | str]
    ) -> dict[str, Offer]:
        """Return the models that take the images of a data set, each with its figures measured so far."""
        found: dict[str, Offer] = {}
        for key, own in self.known.items():
            if not own.fits(data.image_shape):
                continue
            figures = measured.get((key, data.name))
            if isinstance(figures, str):
                figures = {"why no nats": figures}
            latents = "-".join(map(str, own.model.layer_sizes_))
            other = "" if own.data.name == data.name else title_of(own.data.name)
            how = inference_of(own.model)
            found[key] = Offer(key, own.title, how, latents, figures or {}, own=True, other_data=other)
        return found

    def left_out(self, data: Dataset) -> str:
        """Return a sentence that names the models which take other images; empty if there are none."""
        others = []
        for own in self.known.values():
            if not own.binary:
                others.append(f"{own.title} (of grey images, which are not compared)")
            elif not own.fits(data.image_shape):
                others.append(f"{own.title} (choose the data set {title_of(own.data.name)})")
        return f"Of this session, for other images: {'; '.join(others)}." if others else ""


def _same(one: OwnModel, other: OwnModel) -> bool:
    """Return whether two are the same model, under the same name."""
    return one.model is other.model or (one.title == other.title and same_weights(one.model, other.model))
