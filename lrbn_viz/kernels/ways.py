"""Whether a kernel is faster on all threads or on one, by the times that both took.

On an idle machine the threads are; where other programs use the cores, one is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

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
SHORT = 1e-4
"""Seconds of work below which not every time is taken: two readings of a clock cost a microsecond. Of longer
work every time counts: on a busy machine threads have to be given up at once.
"""
EVERY = 8
"""One of so many short works is timed; the others count as its mean."""


class Times:
    """The mean seconds of some work on all threads and on one, and which of them is to be taken next.

    Attributes
    ----------
    mean : dict of bool to float
        Seconds of a unit of work on all threads (True) and on one (False), as far as they were taken.
    since : float
        Seconds that the faster way has taken since the other one was tried.
    """

    __slots__ = ("_begun", "_untimed", "mean", "since")

    def __init__(self) -> None:
        self.mean: dict[bool, float] = {}
        self.since = 0.0
        self._begun: set[bool] = set()
        self._untimed = 0

    @property
    def faster(self) -> bool:
        """True if all threads are, as far as is known."""
        mean = self.mean
        return False not in mean or mean.get(True, 0.0) <= mean[False]

    def next(self, work: float) -> bool:
        """Return whether all threads do the next work: as the faster way, or as the one to be tried again."""
        faster = self.faster
        other = self.mean.get(not faster)
        tried = FIRST_TRIAL if other is None else AGAIN * other * work
        return faster if self.since < tried else not faster

    def pass_by(self, threads: bool, work: float) -> bool:
        """Return whether work is too short, and of a way timed too lately, to be timed; it counts as its mean
        then.
        """
        seconds = self.mean.get(threads, SHORT) * work
        if threads != self.faster or seconds >= SHORT or self._untimed >= EVERY - 1:
            self._untimed = 0
            return False
        self._untimed += 1
        self.since += seconds
        return True

    def add(self, threads: bool, seconds: float, work: float) -> None:
        """Take in what some work has taken.

        The first work on all threads or on one loads its code, and starts threads: its time is no guide.
        """
        if threads not in self._begun:
            self._begun.add(threads)
            return
        if threads == self.faster:
            self.since += seconds
        else:
            self.since = 0.0
        took = seconds / work
        before = self.mean.get(threads, took)
        self.mean[threads] = before + SHARE_OF_LATEST * (min(took, MOST * before) - before)


class Turn:
    """A context that gives whether what is computed within uses all threads, reserved for the caller.

    A class and not a generator, which costs a microsecond more: a minibatch of an RBM takes 70.
    """

    __slots__ = ("_began", "_clock", "_lock", "_threads", "_times", "_work")

    def __init__(self, lock: threading.Lock, clock: Callable[[], float], times: Times, work: int) -> None:
        self._lock, self._clock, self._times, self._work = lock, clock, times, work
        self._threads = False
        self._began: float | None = None

    def __enter__(self) -> bool:
        lock, times, work = self._lock, self._times, self._work
        if not lock.acquire(blocking=False):
            return False
        self._threads = threads = times.next(work)
        if not threads:
            lock.release()
        if not times.pass_by(threads, work):
            self._began = self._clock()
        return threads

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if self._began is not None and error is None:
            self._times.add(self._threads, self._clock() - self._began, self._work)
        if self._threads:
            self._lock.release()


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

    def threads_for(self, what: object, work: int) -> Turn:
        """Return a context that gives whether what is computed within uses all threads.

        They are then reserved for the caller; it uses one where others have them.

        Parameters
        ----------
        what : hashable
            Name of the computation, whose times are compared with each other.
        work : int
            Its size, such as the number of its multiplications; times are in proportion.
        """
        key = what, work.bit_length()
        times = self._times.get(key) or self._times.setdefault(key, Times())
        return Turn(self._lock, self._clock, times, work)
