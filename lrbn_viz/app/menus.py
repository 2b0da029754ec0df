"""What a visitor may choose: the LRBN's algorithm, the state it starts from, what the page shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np


class Algorithm(NamedTuple):
    """One entry of the algorithm menu.

    Attributes
    ----------
    title : str
        What people read.
    arguments : mapping
        Keyword arguments of ``map_trace``.
    monotone : bool
        Whether Theorem 1 covers it: log P(x, h) never falls.
    sampled : bool
        Whether states are drawn at random.
    layered : bool
        Whether models of several layers have it too: then each sweep goes through all layers, from the lowest
        up.
    """

    title: str
    arguments: Mapping[str, Any]
    monotone: bool
    sampled: bool = False
    layered: bool = False


# Hot enough to leave a bad optimum, then cooling until single flips are as good as decided; ICM follows.
ANNEALING = tuple(float(t) for t in np.geomspace(2.0, 0.1, 30))

ALGORITHMS: dict[str, Algorithm] = {
    "icm": Algorithm("ICM, units in order", {"order": "sequential"}, True, layered=True),
    "icm-random": Algorithm("ICM, random order", {"order": "random"}, True, layered=True),
    "icm-greedy": Algorithm("ICM, best flip first", {"order": "greedy"}, True),
    "icm-parallel": Algorithm("All units at once", {"order": "parallel", "max_sweeps": 20}, False),
    "gibbs": Algorithm(
        "Gibbs sampling", {"order": "sequential", "temperature": 1.0, "max_sweeps": 20}, False, True, True
    ),
    "annealed": Algorithm(
        "Annealed, then ICM", {"order": "sequential", "temperature": ANNEALING}, False, True, True
    ),
}

STARTS: dict[str, str] = {
    "conditional": "conditional at h = 0",
    "paper": "the paper's equation 11",
    "zeros": "all units off",
    "random": "a random state",
    "rbm": "the RBM's MAP state",
    "last": "the state at the cursor",
}


def shown_models() -> dict[str, str]:
    """Return titles of the shipped LRBNs by name, those whose images are at hand."""
    from lrbn_viz.catalog import PRETRAINED  # brings numba and scikit-learn: when a page is made, not before
    from lrbn_viz.datasets import at_hand

    return {
        name: info.title
        for name, info in PRETRAINED.items()
        if info.system == "LRBN" and at_hand(info.dataset)
    }


def offered(layered: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Return titles of the algorithms and of the starts that a model has, by name; of several layers or one.

    The RBM's state has units for one layer only.
    """
    algorithms = {name: entry.title for name, entry in ALGORITHMS.items() if entry.layered or not layered}
    return algorithms, {name: title for name, title in STARTS.items() if name != "rbm" or not layered}


# What they mean is said by the player's orders.js.
UNIT_ORDERS = ("number", "weight", "usage", "contribution", "cluster")

# By these names panels and controls are put out of sight, also in addresses: a name once given stays.
PANELS: dict[str, str] = {
    "why": "Why is this unit on or off?",
    "raster": "Units over sweeps",
    "truth": "The exact posterior",
    "basins": "Local optima",
    "matrix": "Who explains away whom",
    "mosaic": "Filters",
}

CONTROLS: dict[str, str] = {
    "gallery": "Gallery of images",
    "images": "Next, previous, random image",
    "draw": "Drawing, files, other changes of the image",
    "model": "Model",
    "algorithm": "Inference in the LRBN",
    "start": "Start, and run on",
    "seed": "Seed",
    "hold": "Holding units on or off",
    "order": "Order of the units",
    "speed": "Speed",
    "export": "Pictures and downloads",
    "view": "Panels shown, and this link",
    "pages": "The other pages",
}
