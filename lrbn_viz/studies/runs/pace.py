"""Times at which a worker computes pictures for a page: often enough to be current, within a share of its
time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Literal

LOOK_SHARE = 0.25
"""Share of the worker's time for pictures and probes while somebody watches; none is used otherwise."""
GLANCE_SHARE = 0.23
"""Largest share of `LOOK_SHARE` for glances; probes use the rest."""
USUAL_GLANCE_SHARE = 0.08
"""The share that glances take where it lets none become older than `CURRENT_SECONDS`."""
CURRENT_SECONDS = 1.5
"""Age that a glance may reach before the next one; the rest of two seconds is for a long step and the way."""
GLANCE_SECONDS = 0.25
"""Time from the end of a glance to the next one's beginning, at least."""
SEEN_SECONDS = 2.0
"""Seconds after a page's request during which it counts as watching."""

Look = Literal["glance", "probe"]


class Pace:
    """Decides between two steps whether the models are evaluated for a page.

    A glance is at the few images that are shown; a probe is at all held-out images, and draws samples.

    Parameters
    ----------
    probe_seconds : float
        Time between two probes, at least.
    clock : callable
        Seconds, of any origin.

    Attributes
    ----------
    seen_until : float
        Clock time until which somebody watches; infinity: always.
    """

    def __init__(self, probe_seconds: float = 2.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.probe_seconds, self.clock = probe_seconds, clock
        self.seen_until = -math.inf
        self._glance_due = self._probe_due = clock()
        self._glance_cost = 0.0

    def see(self) -> None:
        """Count a page as watching for the next `SEEN_SECONDS`."""
        self.seen_until = max(self.seen_until, self.clock() + SEEN_SECONDS)

    def due(self) -> list[Look]:
        """Return what is due now, in this order: a glance comes before a probe, during which it is shown."""
        now = self.clock()
        if now >= self.seen_until:
            return []
        if now >= self._probe_due:
            return ["glance", "probe"]
        return ["glance"] if now >= self._glance_due else []

    def done(self, look: Look, seconds: float) -> None:
        """Take in what a look has cost; the next one is due accordingly."""
        now = self.clock()
        if look == "glance":
            self._glance_cost = seconds
            self._glance_due = now + self._glance_gap
        else:
            share = LOOK_SHARE - self._glance_cost / (self._glance_cost + self._glance_gap)
            cost = seconds + self._glance_cost  # that of the glance before it, which was not due yet
            self._probe_due = now + max(self.probe_seconds, cost * (1.0 / share - 1.0))

    @property
    def _glance_gap(self) -> float:
        cost = self._glance_cost
        usual = min(cost * (1.0 / USUAL_GLANCE_SHARE - 1.0), CURRENT_SECONDS - 2.0 * cost)
        return max(GLANCE_SECONDS, usual, cost * (1.0 / GLANCE_SHARE - 1.0))
