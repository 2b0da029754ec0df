"""The models of a run, each ready to train on the same images in the same order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from lrbn_viz.datasets import Dataset
from lrbn_viz.estimators import LRBN, RBM
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.recording import LaneRecord
from lrbn_viz.runs.config import RunConfig
from lrbn_viz.system import System
from lrbn_viz.training import Training

N_PROBED = 128
"""Held-out images that a probe asks about."""


def lane_records(
    config: RunConfig, dataset: Dataset, budget: int, start_from: Mapping[str, LRBNParams]
) -> dict[str, LaneRecord]:
    """Return the record of each lane, before its first step.

    Parameters
    ----------
    config, dataset, budget, start_from
        As in :class:`~lrbn_viz.runs.Run`.

    Raises
    ------
    ValueError, TypeError
        `start_from` does not fit the configuration.
    """
    X = dataset.train_X
    n_validation = min(config.validation_size, len(X) // 5)
    train, held_out = X[: len(X) - n_validation], X[len(X) - n_validation :]
    lanes: dict[str, LaneRecord] = {}
    for name, lane in config.lanes.items():
        model = lane.estimator(config)
        system = cast("System[Any]", model._system())
        rng = np.random.default_rng([config.seed, 1])
        given = start_from.get(name)
        if given is not None:
            _check_fits(name, given, dataset, model)
        training = Training(
            system,
            train,
            n_iter=config.n_iter,
            batch_size=config.batch_size,
            rng=rng,
            state=None if given is None else model._resume(given, rng),
            validation=held_out,
            max_seconds=config.max_seconds,
            shuffler=np.random.default_rng([config.seed, 0]),
        )
        lanes[name] = LaneRecord(training, held_out[:N_PROBED], budget // len(config.lanes))
    return lanes


def _check_fits(lane: str, params: LRBNParams, dataset: Dataset, model: LRBN | RBM) -> None:
    """Raise ValueError if a lane cannot begin from these parameters."""
    if (params.n_v, params.n_h) != (dataset.n_v, model.n_components):
        raise ValueError(
            f"{lane} has {model.n_components} units and images of {dataset.n_v} values; expected parameters "
            f"of that shape, got {params.n_h} units and {params.n_v} values."
        )
