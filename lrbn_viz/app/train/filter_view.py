"""One unit's filter at stored moments of a run, and its usage; computed on the registry's executor."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.studies.runs import Run
from lrbn_viz.studies.runs.recording import usage_of
from lrbn_viz.studies.runs.registry import RunRegistry

MAX_MOMENTS = 12
"""Largest number of stored moments of a filter that are shown, including the first and the newest."""


class FilterPast(NamedTuple):
    """A unit's filter at stored moments, in order of time."""

    lane: int
    """Position of the lane in the run."""
    unit: int
    steps: NDArray[np.int64]
    """(n,) minibatches that the model had seen."""
    passes: NDArray[np.float64]
    """(n,) the same in epochs."""
    weights: NDArray[np.float64]
    """(n_v, n) the unit's weights at each moment."""
    usage: NDArray[np.float64]
    """(n,) share of the held-out images for which it was on."""


class FilterView:
    """Request for the past of one unit of one run.

    Attributes
    ----------
    past : FilterPast or None
        Last result.
    """

    def __init__(self, registry: RunRegistry) -> None:
        self.registry = registry
        self.past: FilterPast | None = None
        self._asked: Future[FilterPast] | None = None
        self._wanted: tuple[Run, int, int] | None = None
        # Usage of all units by state, which requires inference on all held-out images.
        self._usage: dict[int, tuple[Any, NDArray[np.float64]]] = {}

    def look(self, run: Run, lane: int, unit: int) -> None:
        """Request a unit's past; during a search the last request waits."""
        if not 0 <= lane < len(run.lanes):
            return
        training = list(run.lanes.values())[lane].training
        if 0 <= unit < training.system.weights(training.state).shape[1]:
            self._wanted = run, lane, unit
            self._ask()

    def _ask(self) -> None:
        if self._asked is None and self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            self._asked = self.registry.ask(lambda: self._find(*wanted))

    def see(self) -> None:
        """Take over the result, if there is one; raise the error that ended the search."""
        if self._asked is None or not self._asked.done():
            return
        asked, self._asked = self._asked, None
        self._ask()
        self.past = asked.result()

    def _find(self, run: Run, number: int, unit: int) -> FilterPast:
        lane = list(run.lanes.values())[number]
        steps = lane.history.steps
        chosen = np.unique(np.linspace(0, len(steps) - 1, MAX_MOMENTS).round().astype(int))
        snapshots = [lane.history.at(steps[place]) for place in chosen]
        system, known = lane.training.system, {}
        for snapshot in snapshots:
            state = snapshot.state
            before = self._usage.get(id(state))
            found = before[1] if before else usage_of(system.encode(state, lane.images))
            known[id(state)] = (state, found)
        others = [item for item in self._usage.items() if item[0] not in known]
        self._usage = dict(others[-MAX_MOMENTS:]) | known  # the other lane's, too
        return FilterPast(
            number,
            unit,
            np.array([snapshot.step for snapshot in snapshots]),
            np.array([each.epoch + each.offset / len(lane.training.X) for each in snapshots]),
            np.column_stack([system.weights(each.state)[:, unit] for each in snapshots]).astype(np.float64),
            np.array([known[id(each.state)][1][unit] for each in snapshots]),
        )
