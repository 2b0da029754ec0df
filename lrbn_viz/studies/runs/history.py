"""History of a run: its figures and its states, in memory that does not grow with the run.

When a history is full, every other entry goes and from then on half as many are stored: the whole run stays
covered, evenly, at the resolution that the budget allows.
"""

from __future__ import annotations

import math
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
        Points stored at most; even, at least 2.

    Attributes
    ----------
    stride : int
        Values of which each point is the mean.
    """

    def __init__(self, capacity: int = 2048) -> None:
        if capacity < 2 or capacity % 2:
            raise ValueError(f"expected an even capacity of at least 2, got {capacity}.")
        self._steps = np.empty(capacity)
        self._values = np.empty(capacity)
        self._n = 0
        self.stride = 1
        # Sums of the steps and of the values that the next point is the mean of, and how many there are.
        self._step_sum = self._value_sum = 0.0
        self._n_summed = 0

    def __len__(self) -> int:
        return self._n

    def add(self, step: float, value: float) -> None:
        """Append a value; not-a-number is left out, for it would hide its neighbours."""
        # Plain numbers: this runs several times a step on the thread that trains.
        if math.isnan(value):
            return
        self._step_sum += step
        self._value_sum += value
        self._n_summed += 1
        if self._n_summed < self.stride:
            return
        self._steps[self._n] = self._step_sum / self._n_summed
        self._values[self._n] = self._value_sum / self._n_summed
        self._forget_unfinished()
        self._n += 1
        if self._n == len(self._steps):
            half = self._n // 2
            for array in (self._steps, self._values):
                array[:half] = array.reshape(half, 2).mean(axis=1)
            self._n = half
            self.stride *= 2

    def _forget_unfinished(self) -> None:
        self._step_sum = self._value_sum = 0.0
        self._n_summed = 0

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the steps and the values, copies of shape (len(self),)."""
        return self._steps[: self._n].copy(), self._values[: self._n].copy()

    def to_array(self) -> NDArray[np.float64]:
        """Return everything as a (2, 1 + n) array: stride and capacity, then steps over values."""
        return np.column_stack([[float(self.stride), float(len(self._steps))], np.array(self.points())])

    @classmethod
    def from_array(cls, array: NDArray[np.float64]) -> Curve:
        """Return the curve that `to_array` wrote; an unfinished mean is lost."""
        whole = array.dtype.kind == "f" and array.ndim == 2 and array.shape[0] == 2 and array.shape[1] > 0
        stride, capacity = array[:, 0].tolist() if whole else (0, 0)
        whole = whole and 1 <= stride < 2**53 and 2 <= capacity < 2**16 and stride % 1 == capacity % 2 == 0
        steps = array[0, 1:] if whole else array
        whole = whole and len(steps) < capacity and bool(np.isfinite(steps).all())
        if not whole or not (np.diff(steps) >= 0).all():
            raise ValueError("a curve is damaged: expected rising steps and their values; use an older file.")
        curve = cls(int(array[1, 0]))
        curve.stride = int(array[0, 0])
        curve._n = array.shape[1] - 1
        curve._steps[: curve._n], curve._values[: curve._n] = array[:, 1:]
        return curve

    def cut(self, step: float) -> None:
        """Discard all figures after `step`, as when a run continues from an earlier moment."""
        self._n = bisect_right(self._steps[: self._n].tolist(), step)
        self._forget_unfinished()


class History:
    """Snapshots of a run, evenly spaced over its steps, within a memory budget.

    Parameters
    ----------
    budget : int
        Bytes that the stored states may take together. The first and one more stay, whatever they take.
    every : int
        Steps between two snapshots at first.
    most : int
        Snapshots stored at most, however small they are; at least 2.

    Attributes
    ----------
    every : int
        Steps between two snapshots.
    nbytes : int
        Bytes of all stored states; an array that several states share counts once.
    """

    def __init__(self, budget: int = 256 * 2**20, every: int = 1, most: int = 400) -> None:
        if budget < 1 or every < 1 or most < 2:
            raise ValueError(
                "expected a positive budget and spacing and at least 2 stored, "
                f"got {budget}, {every} and {most}."
            )
        self.budget, self.every, self.most = budget, every, most
        self._stored: list[Snapshot] = []
        self.nbytes = 0

    def __len__(self) -> int:
        return len(self._stored)

    @property
    def steps(self) -> list[int]:
        """Steps after which the snapshots were taken."""
        return [snapshot.step for snapshot in self._stored]

    @property
    def last_step(self) -> int:
        """Steps after which the last snapshot was taken; 0 before the first."""
        stored = self._stored  # another thread may be thinning them out
        return stored[-1].step if stored else 0

    def wants(self, step: int) -> bool:
        """Return whether a snapshot after this step would be stored."""
        return not self._stored or (step % self.every == 0 and step > self._stored[-1].step)

    def add(self, snapshot: Snapshot) -> None:
        """Keep a snapshot if its turn has come, and thin out the others if there are too many."""
        if not self.wants(snapshot.step):
            return
        # A state shares arrays with its neighbour (the order of a pass, the best state) or with none: looking
        # at one neighbour keeps the cost of a snapshot independent of how many there are.
        known = _arrays(self._stored[-1]) if self._stored else {}
        self._stored.append(snapshot)
        self.nbytes += sum(size for owner, size in _arrays(snapshot).items() if owner not in known)
        while len(self._stored) > 2 and (self.nbytes > self.budget or len(self._stored) > self.most):
            self.every *= 2
            first, *rest = self._stored
            self._keep([first, *(stored for stored in rest if stored.step % self.every == 0)])

    def at(self, step: int) -> Snapshot:
        """Return the last snapshot taken at or before `step`, or the first.

        Raises
        ------
        ValueError
            Nothing has been stored yet.
        """
        stored = self._stored  # another thread may be thinning them out
        if not stored:
            raise ValueError("the history is empty; train a step first.")
        return stored[max(0, bisect_right(stored, step, key=lambda snapshot: snapshot.step) - 1)]

    def cut(self, step: int) -> None:
        """Discard all states after `step`."""
        self._keep([stored for stored in self._stored if stored.step <= step])

    def copy(self) -> History:
        """Return an independent history of the same snapshots."""
        other = History(self.budget, self.every, self.most)
        other._keep(list(self._stored))
        return other

    def _keep(self, stored: list[Snapshot]) -> None:
        self._stored, self.nbytes = stored, sum(_arrays(stored).values())


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
