"""Progress of all stages, and the estimated time left: for a terminal, or line by line for a log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, TextIO

from tqdm import tqdm

SECONDS_PER_WORK = {
    "training": 0.3, "csl": 0.02, "pixels": 5.0, "representation": 0.25, "timed": 1.0, "plan": 1.0
}  # fmt: skip
"""Before anything has been timed, of thousands of millions of multiplications; of all other kinds 0.25. The
work of what has a budget is stated in seconds."""

PRIOR_SECONDS = 30.0
"""Seconds of the guess that count as if they had been measured: a first stage of a moment settles little."""


class Work(NamedTuple):
    """A stage as the estimate sees it: what kind, and how many thousand million multiplications."""

    name: str
    kind: str
    amount: float

    @property
    def guess(self) -> float:
        """Seconds on some machine."""
        return self.amount * SECONDS_PER_WORK.get(self.kind, 0.25)


class Estimate:
    """Seconds left, from what finished stages of the same kind took, and what all took beside the guess.

    Parameters
    ----------
    stages : sequence of Work
        All stages, in order.

    Attributes
    ----------
    places : int
        Stages that are done at a time.
    """

    def __init__(self, stages: Sequence[Work]) -> None:
        self.stages = list(stages)
        self.places = 1
        self._took: dict[str, float] = {}
        self._here: dict[str, tuple[float, float]] = {}

    def finished(self, name: str, seconds: float) -> None:
        """A stage is done and took so long, now or in an earlier run."""
        self._took[name] = seconds
        self._here.pop(name, None)

    def dropped(self, names: Collection[str]) -> None:
        """Some stages are not done at all."""
        self.stages = [stage for stage in self.stages if stage.name not in names]
        for name in names:
            self._here.pop(name, None)

    def reached(self, name: str, share: float, seconds: float) -> None:
        """A stage is under way: its share that is done, 0 to 1, and the seconds that this took."""
        self._here[name] = (share, seconds)

    def _seconds_of(self, stage: Work) -> float:
        """Return the duration of a whole stage: measured, or estimated from its kind, or from all stages."""
        if stage.name in self._took:
            return self._took[stage.name]
        share, seconds = self._here.get(stage.name, (0.0, 0.0))
        if share > 0.02:
            return seconds / share
        known = [s for s in self.stages if s.name in self._took]
        like = [s for s in known if s.kind == stage.kind]
        if sum(s.guess for s in like) > 0:
            return stage.guess * sum(self._took[s.name] for s in like) / sum(s.guess for s in like)
        took = PRIOR_SECONDS + sum(self._took[s.name] for s in known)
        return stage.guess * took / (PRIOR_SECONDS + sum(s.guess for s in known))

    @property
    def seconds_left(self) -> float:
        """Estimated seconds left for all unfinished stages, with all places in use."""
        return self._work_left / self.places

    @property
    def _work_left(self) -> float:
        left = sum(self._seconds_of(s) for s in self.stages if s.name not in self._took)
        return max(0.0, left - self._spent_here)

    @property
    def _spent_here(self) -> float:
        return sum(seconds for _, seconds in self._here.values())

    @property
    def share(self) -> float:
        """Part of all stages that is done, by time, 0 to 1."""
        done = sum(self._took.values()) + self._spent_here
        return done / (done + self._work_left) if done > 0 else 0.0


def format_duration(seconds: float) -> str:
    """Return a time as a person would say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Bar:
    """Progress bar on a stream.

    Parameters
    ----------
    stream : text stream or None
        On a terminal one line is drawn again and again, elsewhere each stage gets a line when it is done;
        None: nothing is said.
    estimate : Estimate
    every : float
        Seconds between two drawings.
    """

    def __init__(self, stream: TextIO | None, estimate: Estimate, every: float = 0.2) -> None:
        self.stream, self.estimate = stream, estimate
        # The time left is the estimate's: by kinds of stages, not as if all took equally long.
        self._bar = tqdm(
            total=1.0, file=stream, disable=stream is None or None, mininterval=every, miniters=0,
            leave=False, dynamic_ncols=True, bar_format="{percentage:3.0f}%|{bar:24}| {desc}",
        )  # fmt: skip

    def show(self, title: str, share: float) -> None:
        """Write the progress of a stage, unless a line was written a moment ago."""
        if self._bar.disable:
            return
        left = format_duration(self.estimate.seconds_left)
        self._bar.set_description_str(f"{title} {share:.0%}, about {left} left", refresh=False)
        self._bar.update(self.estimate.share - self._bar.n)

    def done(self, title: str, note: str) -> None:
        """Write that a stage is finished, on a line of its own."""
        if self.stream is None:
            return
        left = format_duration(self.estimate.seconds_left)
        tqdm.write(f"{title}: {note}; about {left} left", file=self.stream)
        self.stream.flush()

    def close(self) -> None:
        """Take the bar off the terminal."""
        self._bar.close()
