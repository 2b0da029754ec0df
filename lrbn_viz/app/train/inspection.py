"""The E-step of one image of a run's last minibatch, as the Inference page shows it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from lrbn_viz.app.shared.menus import LIVE
from lrbn_viz.catalog import DATASETS, PRETRAINED, SYSTEMS, pretrained
from lrbn_viz.core.model import Model
from lrbn_viz.datasets import Dataset
from lrbn_viz.datasets.dataset import image_title
from lrbn_viz.studies.runs.registry import LiveRun


class Inspection(NamedTuple):
    """Data for the Inference page.

    Attributes
    ----------
    models : mapping from a name to a fitted model
        Models before the step, under unique names; the latents of the first interact.
    data : Dataset
        Training data of the models.
    x : (n_v,) uint8 or float64
    origin : str
        What the image is, in words.
    algorithm, start : str
        Inference of the first model: keys of the menus of the Inference page.
    """

    models: dict[str, Model]
    data: Dataset
    x: NDArray
    origin: str
    algorithm: str
    start: str


def inspection_of(live: LiveRun, number: int) -> Inspection:
    """Return the data with which the Inference page shows the last E-step of one image.

    Parameters
    ----------
    number : int
        Position of the image in the first lane's minibatch.

    Raises
    ------
    IndexError
        There is no such image.
    ValueError
        The Inference page cannot show the image; the message gives the reason.
    """
    run = live.run
    first = next(iter(run.lanes.values())).training
    if not 0 <= number < len(first.rows):
        raise IndexError(f"expected an image from 0 to {len(first.rows) - 1}, got {number}.")
    found: dict[str, tuple[str, Model]] = {}
    settings: Mapping[str, Any] = {}
    for name, lane in run.lanes.items():
        config = run.config.lanes[name]
        if config.system not in found:
            step = lane.training.step
            found[config.system] = f"{LIVE}{live.name} {name}, before step {step}", run.model_before(name)
            settings = settings or config.settings if SYSTEMS[config.system].model.starts else settings
    pair = _pair(list(found))
    for system in pair:
        if system not in found and run.config.binary:
            found |= _shipped(system, first.X.shape[1])
        if system not in found:
            raise ValueError(
                f"The Inference page shows an {system} as well; this run has none, and none for images of "
                "this size comes with the package."
            )
    row = int(first.rows[number])
    return Inspection(
        dict(found[system] for system in pair),
        run.dataset,
        first.X[row],
        f"{image_title(run.config.dataset, 'training', row, table=run.dataset.is_table)}, "
        f"in minibatch {first.step}",
        str(settings.get("e_step", "")),
        str(settings.get("init", "")),
    )


def _pair(trained: list[str]) -> tuple[str, str]:
    """Return the kinds of the two lanes: one whose latents interact first, and one to compare it with."""
    known = list(dict.fromkeys([*trained, *SYSTEMS]))
    first = next(system for system in known if not SYSTEMS[system].model.factorised)
    beside = [system for system in trained if system != first]
    return first, next(iter(beside), next(system for system in known if SYSTEMS[system].model.factorised))


def _shipped(system: str, n_v: int) -> dict[str, tuple[str, Model]]:
    """Return a shipped model of binary images with n_v pixels; None if there is none."""
    for name, info in PRETRAINED.items():
        if (
            info.system == system
            and info.n_layers == 1
            and info.binary
            and math.prod(DATASETS[info.dataset].image_shape) == n_v
        ):
            return {system: (name, pretrained(name))}
    return {}
