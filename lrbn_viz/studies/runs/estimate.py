"""Estimates of the memory and time of a run before it starts, as orders of magnitude."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from lrbn_viz.catalog import UNITS
from lrbn_viz.studies.runs.config import LaneConfig, RunConfig

HISTORY_BYTES = 128 * 2**20
"""Memory for the stored states of one run."""
BYTES_A_WEIGHT = 70
"""A model of 30 million weights takes 2 GB with what training needs beside them."""
SECONDS_A_WEIGHT = 8e-9
"""Seconds of computing for each image and weight: kinds of models differ between 0.4 ns and 25 ns on one
core.
"""
SECONDS_AN_IMAGE = 40e-6


class Estimate(NamedTuple):
    """Estimated memory and time of a run.

    Attributes
    ----------
    bytes : int
        Bytes of memory, with its images and its past.
    seconds : float
        Seconds of computing, all lanes together.
    """

    bytes: int
    seconds: float

    def words(self) -> str:
        """Return it as a sentence for the form."""
        memory = f"{self.bytes / 2**20:,.0f} MiB of memory"
        return f"Takes about {time_words(self.seconds)} of computing and {memory}."


def time_words(seconds: float) -> str:
    """Return a time in words."""
    for unit, name in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{max(1.0, seconds):.0f} s"


def layer_sizes(lane: LaneConfig) -> dict[str, int]:
    """Return the numbers of latents of a lane's layers by their settings' names, the lowest first."""
    return {name: int(lane.settings[name]) for name in UNITS if lane.settings.get(name) is not None}


def estimate(config: RunConfig, n_v: int, n_images: int) -> Estimate:
    """Return the estimated memory and time of a run.

    Parameters
    ----------
    config : RunConfig
    n_v : int
        Pixels of an image.
    n_images : int
        That the models learn from.
    """
    weights = [
        sum(below * above for below, above in pairwise([n_v, *layer_sizes(lane).values()]))
        for lane in config.lanes.values()
    ]
    n_bytes = HISTORY_BYTES + n_images * n_v * (1 if config.binary else 8) + BYTES_A_WEIGHT * sum(weights)
    if math.isfinite(config.max_seconds):
        return Estimate(n_bytes, config.max_seconds * len(weights))
    an_image = sum(SECONDS_AN_IMAGE + SECONDS_A_WEIGHT * each for each in weights)
    return Estimate(n_bytes, config.n_iter * n_images * an_image)
