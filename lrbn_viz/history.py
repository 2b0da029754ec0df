"""What a run has been: its figures and its states, in memory that does not grow with the run.

When a history is full, every other entry goes and from then on half as many are kept: the whole run stays
covered, evenly, at the resolution that the budget allows.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.training import Snapshot


class Curve:
    """One figure over the steps of a run: means of equally many neighbouring values, in bounded memory.

    Parameters
    ----------
    capacity : int
        Points kept at most; even, at least 2.
    """

    def __init__(self, capacity: int = 2048) -> None:
        if capacity < 2 or capacity % 2:
            raise ValueError(f"expected an even capacity of at least 2, got {capacity}.")
        self._steps = np.empty(capacity)
        self._values = np.empty(capacity)
        self._n = 0
        self._stride = 1
        self._pending: list[tuple[float, float]] = []

    def __len__(self) -> int:
        return self._n

    @property
    def stride(self) -> int:
        """Values of which each point is the mean."""
        return self._stride

    def add(self, step: float, value: float) -> None:
        """Append a value; not-a-number is left out, for it would hide its neighbours."""
        if np.isnan(value):
            return
        self._pending.append((step, value))
        if len(self._pending) < self._stride:
            return
        self._steps[self._n], self._values[self._n] = np.mean(self._pending, axis=0)
        self._pending.clear()
        self._n += 1
        if self._n == len(self._steps):
            half = self._n // 2
            for array in (self._steps, self._values):
                array[:half] = array.reshape(half, 2).mean(axis=1)
            self._n = half
            self._stride *= 2

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the steps and the values, copies of shape (len(self),)."""
        return self._steps[: self._n].copy(), self._values[: self._n].copy()

    def to_array(self) -> NDArray[np.float64]:
        """Return everything as a (2, 1 + n) array: stride and capacity, then steps over values."""
        return np.column_stack([[float(self._stride), float(len(self._steps))], np.array(self.points())])

    @classmethod
    def from_array(cls, array: NDArray[np.float64]) -> Curve:
        """Return the curve that `to_array` wrote; an unfinished mean is lost."""
        curve = cls(int(array[1, 0]))
        curve._stride = int(array[0, 0])
        curve._n = array.shape[1] - 1
        curve._steps[: curve._n], curve._values[: curve._n] = array[:, 1:]
        return curve

    def cut(self, step: float) -> None:
        """Forget what came after `step`, as when a run goes on from an earlier moment."""
        self._n = bisect_right(self._steps[: self._n].tolist(), step)
        self._pending.clear()


class History:
    """Snapshots of a run, evenly spaced over its steps, within a memory budget.

    Parameters
    ----------
    budget : int
        Bytes that the states kept may take together. The first and one more stay, whatever they take.
    every : int
        Steps between two snapshots at first.
    most : int
        Snapshots kept at most, however small they are; at least 2.
    """

    def __init__(self, budget: int = 256 * 2**20, every: int = 1, most: int = 400) -> None:
        if budget < 1 or every < 1 or most < 2:
            raise ValueError(
                "expected a positive budget and spacing and at least 2 kept, "
                f"got {budget}, {every} and {most}."
            )
        self.budget, self.most = budget, most
        self._every = every
        self._kept: list[Snapshot] = []
        self._nbytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def every(self) -> int:
        """Steps between two snapshots."""
        return self._every

    @property
    def steps(self) -> list[int]:
        """Steps after which the snapshots were taken."""
        return [snapshot.step for snapshot in self._kept]

    @property
    def nbytes(self) -> int:
        """Bytes of all states kept; an array that several states share counts once."""
        return self._nbytes

    def wants(self, step: int) -> bool:
        """Whether a snapshot after this step would be kept."""
        return not self._kept or (step % self._every == 0 and step > self._kept[-1].step)

    def add(self, snapshot: Snapshot) -> None:
        """Keep a snapshot if its turn has come, and thin out the others if there are too many."""
        if not self.wants(snapshot.step):
            return
        # A state shares arrays with its neighbour (the order of a pass, the best state) or with none: looking
        # at one neighbour keeps the cost of a snapshot independent of how many there are.
        known = _arrays(self._kept[-1]) if self._kept else {}
        self._kept.append(snapshot)
        self._nbytes += sum(size for owner, size in _arrays(snapshot).items() if owner not in known)
        while len(self._kept) > 2 and (self._nbytes > self.budget or len(self._kept) > self.most):
            self._every *= 2
            first, *rest = self._kept
            self._keep([first, *(kept for kept in rest if kept.step % self._every == 0)])

    def at(self, step: int) -> Snapshot:
        """Return the last snapshot taken at or before `step`, or the first.

        Raises
        ------
        ValueError
            Nothing has been kept yet.
        """
        kept = self._kept  # another thread may be thinning them out
        if not kept:
            raise ValueError("the history is empty; train a step first.")
        return kept[max(0, bisect_right(kept, step, key=lambda snapshot: snapshot.step) - 1)]

    def cut(self, step: int) -> None:
        """Forget what came after `step`."""
        self._keep([kept for kept in self._kept if kept.step <= step])

    def _keep(self, kept: list[Snapshot]) -> None:
        self._kept, self._nbytes = kept, sum(_arrays(kept).values())


def _arrays(value: Any) -> dict[int, int]:
    """Return the bytes of each array in nested tuples, by its memory, so that a shared one is found once."""
    if isinstance(value, np.ndarray):
        owner = value if value.base is None else value.base
        return {id(owner): value.nbytes}
    found: dict[int, int] = {}
    if isinstance(value, (tuple, list)):
        for part in value:
            found |= _arrays(part)
    return found
