"""Models of the Train page for other pages: of a run, or from a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from lrbn_viz.app.shared.menus import LIVE
from lrbn_viz.core.model import Model
from lrbn_viz.datasets import Dataset
from lrbn_viz.datasets.dataset import DatasetInfo
from lrbn_viz.studies.runs.registry import LiveRun
from lrbn_viz.training import Snapshot

TargetPage = Literal["inference", "generate"]
"""Name of a page that shows models of the Train page."""


class Opened(NamedTuple):
    """Models to be shown on another page."""

    models: dict[str, Model]
    """One or two fitted models under unique names."""
    data: Dataset
    """The images that they are shown with."""
    page: TargetPage = "inference"
    """Name of the page that shows them."""


def opened_run(live: LiveRun, lanes: Sequence[int], snapshots: Mapping[str, Snapshot] | None) -> Opened:
    """Return models of a run in their present state, or of snapshots.

    Parameters
    ----------
    lanes : sequence of int
        Which lanes' models.
    snapshots : mapping from a lane's name, optional
        Snapshots of the displayed moment.
    """
    run, models = live.run, {}
    for name in (list(run.lanes)[lane] for lane in lanes):
        if snapshots is None:
            model, step = run.model(name), run.lanes[name].training.step
        else:
            model, step = run.model_at(name, snapshots[name]), snapshots[name].step
        models[f"{LIVE}{live.name} {name}, minibatch {step}"] = model
    return Opened(models, run.dataset)


def opened_file(
    model: Any,
    filename: str,
    known: Mapping[str, DatasetInfo],
    first: str,
    load: Callable[..., Dataset],
) -> Opened:
    """Return a model from a file, with images that it takes: its training data, if they are available.

    Parameters
    ----------
    model : Model
        Fitted; its ``provenance_`` may say which data it learned from.
    known : mapping
        Descriptions of the offered data sets by name.
    first : str
        Name of the data set to try first.
    load : callable
        Function from a name and ``binary`` to a `Dataset`.

    Raises
    ------
    ValueError
        No data set has images of so many pixels.
    """
    learned = str(getattr(model, "provenance_", {}).get("data", "")).partition(":")[0]
    for name in dict.fromkeys([learned, first, *known]):
        info = known.get(name)
        if info is None or math.prod(info.image_shape) != model.n_visible_ or not info.at_hand:
            continue
        return Opened({f"{LIVE}{filename}": model}, load(name, binary=model.visible == "bernoulli"))
    raise ValueError(
        f"it is for images of {model.n_visible_:,} pixels, which no data set here has. Add its images first: "
        '"Use your own data".'
    )
