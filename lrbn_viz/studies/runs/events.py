"""Events that a run reports to its watchers."""

from __future__ import annotations

from typing import NamedTuple

from lrbn_viz.core.trace import FitStep


class Tick(NamedTuple):
    """One step of one lane."""

    lane: str
    event: FitStep


class Notice(NamedTuple):
    """Something that the user should read.

    Attributes
    ----------
    what : str
        "checkpoint", "limit", or the name of the lane that ended early.
    words : str
    """

    what: str
    words: str
