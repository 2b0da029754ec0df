"""The stored moment of a run that is looked at. The registry's executor finds it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, NamedTuple

from lrbn_viz.studies.runs import Run
from lrbn_viz.studies.runs.recording import Probe
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.training import Snapshot


class Moment(NamedTuple):
    """A stored moment of the run's past: everything that is shown of it.

    Attributes
    ----------
    step : int
        Minibatches that the models had seen, the lane that is furthest behind.
    lanes : mapping from a lane's name to its state and its Probe
    asked : int
        The step that was asked for, at or after `step`.
    snapshots : mapping from a lane's name to its Snapshot
        Found once: the history may have thinned out since.
    figures : mapping from a lane's name to its figures
        Figures by name, each with its value and the minibatch at which it was measured.
    """

    step: int
    lanes: dict[str, tuple[Any, Probe]]
    asked: int
    snapshots: dict[str, Snapshot]
    figures: dict[str, dict[str, tuple[float, float]]]


def find_moment(run: Run, step: int) -> Moment:
    """Return the stored moment of a run nearest before a step; takes a while, so not on a page's thread."""
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
    """A look into one run's past.

    Attributes
    ----------
    moment : Moment or None
        What was found last; None while the present is looked at.
    """

    def __init__(self, registry: RunRegistry) -> None:
        self.registry = registry
        self.moment: Moment | None = None
        self._asked: Future[Moment] | None = None
        self._wanted = self._asked_step = -1

    def look(self, run: Run | None, step: int) -> None:
        """Ask for the stored moment nearest before a step; without a run, or with -1, for the present."""
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
        """Take in what was found, if it has been; raises the error that ended the search."""
        if self._asked is None or not self._asked.done():
            return
        asked, self._asked = self._asked, None
        if self._wanted < 0:
            return
        self.moment = asked.result()
        if self._wanted != self._asked_step:
            self._ask(run)
