"""Whether a kernel is faster on all threads or on one, by the times that both took.

On an idle machine the threads are; where other programs use the cores, one is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lrbn_viz.kernels.clock import seconds_without_compiling

FIRST_TRIAL = 0.5
"""Seconds that work takes on all threads before one is tried: short work is not worth compiling it twice."""
AGAIN = 32.0
"""The slower way is tried again when the faster one has taken as many times its seconds, so that it costs
little.
"""
SHARE_OF_LATEST = 0.25
"""Share of the latest time in the mean of a way's."""
MOST = 4.0
"""Times the mean that a time counts at most: a process may have stood still for a while."""


class Times:
    """The mean seconds of some work on all threads and on one, and which of them is to be taken next.

    Attributes
    ----------
    mean : dict of bool to float
        Seconds of a unit of work on all threads (True) and on one (False), as far as they were taken.
    since : float
        Seconds that the faster way has taken since the other one was tried.
    """

    def __init__(self) -> None:
        self.mean: dict[bool, float] = {}
        self.since = 0.0

    @property
    def faster(self) -> bool:
        """True if all threads are, as far as is known."""
        return False not in self.mean or self.mean.get(True, 0.0) <= self.mean[False]

    def next(self, work: float) -> bool:
        """Return whether all threads do the next work: as the faster way, or as the one to be tried again."""
        faster = self.faster
        other = self.mean.get(not faster)
        tried = FIRST_TRIAL if other is None else AGAIN * other * work
        return faster if self.since < tried else not faster

    def add(self, threads: bool, seconds: float, work: float) -> None:
        """Take in what some work has taken."""
        if threads == self.faster:
            self.since += seconds
        else:
            self.since = 0.0
        took = seconds / work
        before = self.mean.get(threads, took)
        self.mean[threads] = before + SHARE_OF_LATEST * (min(took, MOST * before) - before)


class Ways:
    """Gives all threads to one computation at a time, if it is faster on them.

    Threads that share their cores with other programs wait for each other: with two busy cores a minibatch of
    an LRBN takes up to five times as long on two threads as on one.

    Parameters
    ----------
    lock : Lock
        Held by who has all threads.
    clock : callable
        Seconds, of any origin.
    """

    def __init__(self, lock: threading.Lock, clock: Callable[[], float] = seconds_without_compiling) -> None:
        self._lock, self._clock = lock, clock
        self._times: dict[tuple[object, int], Times] = {}

    @contextmanager
    def threads_for(self, what: object, work: int) -> Iterator[bool]:
        """Yield whether what is computed within uses all threads, which are then reserved for the caller.

        It uses one where others have the threads.

        Parameters
        ----------
        what : hashable
            Name of the computation, whose times are compared with each other.
        work : int
            Its size, such as the number of its multiplications; times are in proportion.
        """
        times = self._times.setdefault((what, work.bit_length()), Times())
        if not self._lock.acquire(blocking=False):
            yield False
            return
        held = threads = times.next(work)
        if not held:
            self._lock.release()
        began = self._clock()
        try:
            yield threads
            times.add(threads, self._clock() - began, work)
        finally:
            if held:
                self._lock.release()
