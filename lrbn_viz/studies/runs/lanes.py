"""The models of a run, each ready to train on the same images in the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np

from lrbn_viz.catalog import SYSTEMS, UNITS
from lrbn_viz.core.fields import each_layer
from lrbn_viz.core.system import System
from lrbn_viz.datasets import Dataset
from lrbn_viz.datasets.dataset import title_of
from lrbn_viz.studies.runs.config import RunConfig
from lrbn_viz.studies.runs.recording import LaneRecord
from lrbn_viz.training import Training

N_PROBED = 128
"""Held-out images that a probe asks about."""


def learn_unknown() -> tuple[str, ...]:
    """Return the kinds of models that learn from images of which a part is not known."""
    return tuple(name for name, info in SYSTEMS.items() if info.model.learns_unknown)


def _shape_in_words(sizes: Sequence[int], images: str = "") -> str:
    """Write numbers of visibles and of latents, such as "200 units and 784 values"."""
    n_v, *latents = sizes
    return f"{', '.join(map(str, latents))} units and {images}{n_v} values"


def lane_records(
    config: RunConfig, dataset: Dataset, budget: int, start_from: Mapping[str, Any]
) -> dict[str, LaneRecord]:
    """Return the record of each lane, before its first step.

    Parameters
    ----------
    config, dataset, budget, start_from
        As in :class:`~lrbn_viz.studies.runs.Run`.

    Raises
    ------
    ValueError, TypeError
        `start_from` does not fit the configuration, or a model learns from whole images only and the data set
        has others.
    """
    X = dataset.train_X
    n_validation = min(config.validation_size, len(X) // 5)
    train, held_out = X[: len(X) - n_validation], X[len(X) - n_validation :]
    lanes: dict[str, LaneRecord] = {}
    for name, lane in config.lanes.items():
        model = lane.estimator(config)
        if dataset.n_unknown and not model.learns_unknown:
            raise ValueError(
                f"{lane.system} learns from whole images only; got {title_of(dataset.name)}, of "
                f"which {dataset.n_unknown:,} values are not known. Use {' or '.join(learn_unknown())}."
            )
        system = cast("System[Any]", model.make_system())
        rng = np.random.default_rng([config.seed, 1])
        given = start_from.get(name)
        own = [each_layer(getattr(model, units)) for units in UNITS if hasattr(model, units)]
        wanted, found = [dataset.n_v, *chain(*own)], [] if given is None else model.sizes_of(given)
        if given is not None and wanted != found:
            raise ValueError(
                f"{name} has {_shape_in_words(wanted, 'images of ')}; expected parameters of that shape, got "
                f"{_shape_in_words(found)}."
            )
        training = Training(
            system,
            train,
            n_iter=config.n_iter,
            batch_size=config.batch_size,
            rng=rng,
            state=None if given is None else model.state_from(given, rng),
            validation=held_out,
            max_seconds=config.max_seconds,
            shuffler=np.random.default_rng([config.seed, 0]),
        )
        every = 1 if system.full_batch else 10
        lanes[name] = LaneRecord(training, held_out[:N_PROBED], budget // len(config.lanes), every)
    return lanes
