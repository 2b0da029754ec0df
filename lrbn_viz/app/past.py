"""The kept moment of a run that is looked at; finding one may take a while, so the keeper's desk does it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, NamedTuple

from lrbn_viz.app.keeper import Keeper
from lrbn_viz.recording import Probe
from lrbn_viz.runs import Run


class Moment(NamedTuple):
    """A kept moment of the run's past.

    Attributes
    ----------
    step : int
        Minibatches that the models had seen, the lane that is furthest behind.
    lanes : mapping from a lane's name to its state and its Probe
    """

    step: int
    lanes: dict[str, tuple[Any, Probe]]


class Past:
    """A look into one run's past.

    Attributes
    ----------
    moment : Moment or None
        What was found last; None while the present is looked at.
    """

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.moment: Moment | None = None
        self._asked: Future[Moment] | None = None
        self._wanted = self._asked_step = -1

    def look(self, run: Run | None, step: int) -> None:
        """Ask for the kept moment nearest before a step; without a run, or with -1, for the present."""
        self._wanted = step
        if run is None or step < 0:
            self.moment = None
        else:
            self._ask(run)

    def _ask(self, run: Run) -> None:
        if self._asked is not None:
            return
        step = self._asked_step = self._wanted
        self._asked = self.keeper.ask(
            lambda: Moment(step, {name: lane.moment(step) for name, lane in run.lanes.items()})
        )

    def see(self, run: Run) -> None:
        """Take in what was found, if it has been; raises what kept it from being found."""
        if self._asked is None or not self._asked.done():
            return
        asked, self._asked = self._asked, None
        if self._wanted < 0:
            return
        found = asked.result()
        self.moment = found._replace(step=min(probe.step for _, probe in found.lanes.values()))
        if self._wanted != self._asked_step:
            self._ask(run)
