"""The displayed stored moment of a run. The registry's executor loads it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, NamedTuple

from lrbn_viz.studies.runs import Run
from lrbn_viz.studies.runs.recording import Probe
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.training import Snapshot


class Moment(NamedTuple):
    """All displayed data of a stored moment of a run.

    Attributes
    ----------
    step : int
        Minibatches that the models had seen; of the lane with fewest.
    lanes : mapping from a lane's name to its state and its Probe
    asked : int
        The requested step, at or after `step`.
    snapshots : mapping from a lane's name to its Snapshot
        Kept, as the history may have been thinned out since.
    figures : mapping from a lane's name to its figures
        Figures by name, each with its value and the minibatch at which it was measured.
    """

    step: int
    lanes: dict[str, tuple[Any, Probe]]
    asked: int
    snapshots: dict[str, Snapshot]
    figures: dict[str, dict[str, tuple[float, float]]]


def find_moment(run: Run, step: int) -> Moment:
    """Return the last stored moment of a run before a step; slow, so not to be called on a page's thread."""
    snapshots = {name: lane.history.at(step) for name, lane in run.lanes.items()}

    def recorded() -> dict[str, dict[str, tuple[float, float]]]:
        return {name: lane.recorded_at(snapshots[name]) for name, lane in run.lanes.items()}

    figures = run.job.call(recorded).result()
    lanes = {
        name: (snapshots[name].state, lane.probe_of(snapshots[name])) for name, lane in run.lanes.items()
    }
    for name, (_, found) in lanes.items():
        figures[name] |= {f"probe_{key}": (value, found.step) for key, value in found.figures.items()}
    return Moment(min(each.step for each in snapshots.values()), lanes, step, snapshots, figures)


class HistoryView:
    """Request for stored moments of one run.

    Attributes
    ----------
    moment : Moment or None
        Last result; None if the present is shown.
    """

    def __init__(self, registry: RunRegistry) -> None:
        self.registry = registry
        self.moment: Moment | None = None
        self._asked: Future[Moment] | None = None
        self._wanted = self._asked_step = -1

    def look(self, run: Run | None, step: int) -> None:
        """Request the last stored moment before a step; without a run, or with -1, the present."""
        self._wanted = step
        if run is None or step < 0:
            self.moment = None
        else:
            self._ask(run)

    def _ask(self, run: Run) -> None:
        if self._asked is not None:
            return
        step = self._asked_step = self._wanted
        self._asked = self.registry.ask(lambda: find_moment(run, step))

    def see(self, run: Run) -> None:
        """Take over the result, if there is one; raise the error that ended the search."""
        if self._asked is None or not self._asked.done():
            return
        asked, self._asked = self._asked, None
        if self._wanted < 0:
            return
        self.moment = asked.result()
        if self._wanted != self._asked_step:
            self._ask(run)
