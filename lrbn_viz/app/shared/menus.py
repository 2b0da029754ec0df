"""Choices of a visitor: models for the lanes, inference and start of each, parts of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lrbn_viz.io.constants import FACTORISED, FACTORISED_TITLES, RIVAL_STATE, UNDIRECTED_TITLES

if TYPE_CHECKING:
    from lrbn_viz.catalog import PretrainedInfo
    from lrbn_viz.core.model import Model


LIVE = "live:"
"""Prefix of the names of models that only one session has: trained there, or opened from a file."""

BY_ITSELF = FACTORISED_TITLES[1]
"""Group of factorised models in menus; they are not trained RBMs."""


def can_trace(info: PretrainedInfo) -> bool:
    """Return whether a shipped model can be a lane of the Inference page."""
    return bool(info.kind.model.trace_methods)


def belongs_to_data(info: PretrainedInfo) -> bool:
    """Return whether a model's latents interact. Other models are for comparison."""
    return can_trace(info) and not info.kind.model.factorised


def draws(info: PretrainedInfo) -> bool:
    """Return whether a model can be a lane of the Generate page, because it draws pass by pass."""
    return info.kind.model.draws_passes


def is_drawn(info: PretrainedInfo) -> bool:
    """Return whether a model can be the main one of the Generate page: it draws, and its latents interact."""
    return draws(info) and not info.kind.model.factorised


def known_models(fits: Callable[[PretrainedInfo], bool] = can_trace) -> dict[str, PretrainedInfo]:
    """Return by name the shipped models that a link can name, and whose images are at hand."""
    from lrbn_viz.catalog import PRETRAINED  # imports Numba and scikit-learn, so only when a page is made
    from lrbn_viz.datasets import at_hand

    here = {dataset: at_hand(dataset) for dataset in {info.dataset for info in PRETRAINED.values()}}
    return {name: info for name, info in PRETRAINED.items() if fits(info) and here[info.dataset]}


def shown_models(fits: Callable[[PretrainedInfo], bool] = can_trace) -> dict[str, str]:
    """Return the titles of models by name, as menus offer them."""
    return {name: info.title for name, info in known_models(fits).items()}


def shipped_info(name: str) -> PretrainedInfo | None:
    """Return the description of a shipped or factorised model by name; None for other names."""
    from dataclasses import replace

    from lrbn_viz.catalog import PRETRAINED

    info = PRETRAINED.get(name.removeprefix(FACTORISED))
    if info is None or not name.startswith(FACTORISED):
        return info
    if not info.kind.model.has_rbm_parameters:
        return None
    return replace(info, name=name, title=factorised_title(info.title), system="RBM", rival=info.name)


def read_as(whole: bool) -> tuple[str, str]:
    """Return the titles of a lane and in menus of weights, factorised: `whole` if all of x is known."""
    return FACTORISED_TITLES if whole else UNDIRECTED_TITLES


def factorised_title(title: str, whole: bool = True) -> str:
    """Return the name in menus of a model's weights, factorised."""
    return f"{read_as(whole)[1]} ({title})"


def takes_images(info: PretrainedInfo, dataset: str, binary: bool, image_shape: tuple[int, int]) -> bool:
    """Return whether a shipped model takes the images of a data set, which may be the visitor's own.

    A data set without a shipped model is taken by the models whose images have its shape.
    """
    from lrbn_viz.catalog import DATASETS, PRETRAINED

    if info.binary != binary:
        return False
    if info.dataset == dataset:
        return True
    alien = all(each.dataset != dataset for each in PRETRAINED.values())
    return alien and DATASETS[info.dataset].image_shape == image_shape


def partner(name: str) -> str:
    """Return the name of the model that is at first shown beside a shipped or factorised one."""
    from lrbn_viz.catalog import PRETRAINED

    info = shipped_info(name)
    if info is None:
        raise ValueError(f"no shipped model is called {name!r}.")
    if info.rival is not None:
        return info.rival
    beside = sorted((other.n_layers, other.name) for other in PRETRAINED.values() if other.rival == name)
    return beside[0][1] if beside else FACTORISED + name if info.kind.model.has_rbm_parameters else name


def lane_titles(lanes: Sequence[tuple[str, Model]], whole: bool = True) -> list[str]:
    """Return the titles of lanes of models by name: their kinds, or their names if two are of one kind.

    `whole`: every pixel of the image is known.
    """
    names = [name for name, _ in lanes]
    kinds = [read_as(whole)[0] if name.startswith(FACTORISED) else model.short for name, model in lanes]
    if len(set(kinds)) == len(kinds):
        return kinds
    if len(set(names)) < len(names):
        return [f"{kind} {number}" for number, kind in enumerate(kinds, 1)]
    return [model_title(name, whole) for name in names]


def model_title(name: str, whole: bool = True) -> str:
    """Return the title of the model of this name: a shipped one, a session's own, or one factorised."""
    if name.startswith(FACTORISED):
        return factorised_title(model_title(name.removeprefix(FACTORISED)), whole)
    info = shipped_info(name)
    return name.removeprefix(LIVE) if info is None else info.title


def offered(model: Model, rival: Model, same_units: bool = True) -> tuple[dict[str, str], dict[str, str]]:
    """Return titles of the kinds of inference and of the starts of a lane's model, by name.

    Parameters
    ----------
    model : Model
    rival : Model
        Model of the other lane, from whose state a model with as many units can start.
    same_units : bool, optional
        True if both have as many units.
    """
    algorithms = {name: method.title for name, method in model.trace_methods.items()}
    if "init" not in model.trace_options:
        return algorithms, {}
    state = "MAP state" if rival.factorised else "last state"
    fits = same_units and not model.several_layers and not rival.several_layers
    others = {RIVAL_STATE: f"the {rival.short}'s {state}"} if fits else {}
    return algorithms, {**model.starts, **others, "last": "the state at the cursor"}


CAPTIONS = ("on", "off")
"""Options for the captions of presenter mode."""

THEMES = ("dark", "light")
"""Themes of pages, by the names in links."""

CONTROLS: dict[str, str] = {
    "gallery": "Gallery of images",
    "images": "Next, previous, random image",
    "draw": "Drawing, files, other changes of the image",
    "model": "Model",
    "algorithm": "Inference",
    "start": "Start, and continue",
    "seed": "Seed",
    "hold": "Holding units on or off",
    "order": "Order of the units",
    "speed": "Speed",
    "export": "Pictures and downloads",
    "view": "Panels shown, and this link",
    "pages": "The other pages",
}
