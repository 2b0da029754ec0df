"""Data sets and systems that the page offers, and the default comparison. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lrbn_viz.app.shared.menus import known_models
from lrbn_viz.app.shared.texts import text_to_names
from lrbn_viz.datasets.dataset import title_of
from lrbn_viz.io.constants import MOST_COMPARED, NARROW_NATS

if TYPE_CHECKING:
    from lrbn_viz.catalog import PretrainedInfo
    from lrbn_viz.core.model import Model

OWN = "own:"
"""Prefix of the names by which the page refers to models of the session."""

MAX_SYSTEMS = MOST_COMPARED
"""Largest number of systems that are compared at once."""

NARROW = NARROW_NATS
"""Nats between the bounds of log P(x) up to which one figure stands for both."""


class Offer(NamedTuple):
    """A system that can be compared: a shipped model, or one of the session."""

    name: str
    """Key by which the page identifies it."""
    title: str
    """What people read."""
    inference: str
    """How it usually infers its latents: "exact", "states" or "means"."""
    latents: str
    """Latents of each layer, such as "200-200"."""
    figures: Mapping[str, Any]
    """Measured figures; empty if there are none. "why no nats" explains in words why nats are missing."""
    own: bool = False
    """True for a model of the session, which links cannot name."""
    other_data: str = ""
    """Title of the data set of a model of the session, if it differs from the one compared on."""


def comparable(info: PretrainedInfo) -> bool:
    """Return whether a shipped model can be compared, which needs binary images."""
    return info.binary


def systems_of(dataset: str) -> dict[str, PretrainedInfo]:
    """Return the systems of a data set that can be compared, by name."""
    return {name: info for name, info in known_models(comparable).items() if info.dataset == dataset}


def offer_of(info: PretrainedInfo) -> Offer:
    """Return the offer of a shipped model."""
    return Offer(info.name, info.title, inference_of(info.kind.model), info.layers, figures_of(info.name))


def datasets() -> dict[str, str]:
    """Return titles by name of the data sets that have several systems."""
    count: dict[str, int] = {}
    for info in known_models(comparable).values():
        count[info.dataset] = count.get(info.dataset, 0) + 1
    return {name: title_of(name) for name, n in count.items() if n > 1}


def inference_of(model: Model | type[Model]) -> str:
    """Return how a model usually infers its latents: "exact", or as "states" or "means"."""
    if model.factorised:
        return "exact"
    return "states" if next(iter(model.methods), "") == "icm" else "means"


def figures_of(name: str) -> dict[str, Any]:
    """Return the measured figures of a shipped model; empty where there are none."""
    from lrbn_viz.catalog import measured

    return measured(name)


def is_known(nats: dict[str, Any]) -> bool:
    """Return whether bounds are close enough for the nats between them to count."""
    return bool(nats) and nats["high"] is not None and nats["high"] - nats["low"] <= NARROW


def fewest_wrong(figures: Mapping[str, Any]) -> float | None:
    """Return the fewest wrong pixels per test image, of any inference; None where they are not known."""
    from lrbn_viz.catalog import annealed_of

    counts = [value for key, value in figures.get("wrong pixels", {}).items() if key != "images"]
    annealed = annealed_of(figures)
    return min(counts + ([] if annealed is None else [annealed["wrong pixels"]]), default=None)


def first_systems(dataset: str) -> str:
    """Return the default comparison, as links name it: the likeliest of each kind, and the system with fewest
    wrong pixels.
    """
    offered = systems_of(dataset)
    chosen = []
    for kind in dict.fromkeys(info.system for info in offered.values()):
        of_kind = [name for name, info in offered.items() if info.system == kind]
        likely = {name: figures_of(name)["nats"]["value"] for name in of_kind if figures_of(name).get("nats")}
        exact = {name: wrong for name in of_kind if (wrong := fewest_wrong(figures_of(name))) is not None}
        best = {
            max(likely, key=likely.__getitem__, default=""),
            min(exact, key=exact.__getitem__, default=""),
        }
        chosen += [name for name in of_kind if name in best] or of_kind[:1]
    return ".".join(chosen[:MAX_SYSTEMS])


def text_to_systems(text: str, dataset: str) -> list[str]:
    """Return the compared systems of a text such as ``"lrbn-12-digits.rbm-12-digits"``.

    Raises
    ------
    ValueError
        A name is none of the data set's systems, or comes twice, or there are too many.
    """
    names = text_to_names(text, list(systems_of(dataset)))
    if not 1 <= len(names) <= MAX_SYSTEMS:
        raise ValueError(f"expected 1 to {MAX_SYSTEMS} systems, got {len(names)}.")
    return names
