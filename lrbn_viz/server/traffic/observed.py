"""Counters of a server: pages, messages and errors, without names or texts of visitors.

The number of series is settled here: classes of the package's own code, and kinds of status.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from lrbn_viz.server.traffic.answers import Answer, before_sending

MESSAGE_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
PAGE_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Upper bounds of the classes in which times are counted."""


class Histogram:
    """Counts of times in each class, and their sum; usable from any thread.

    Parameters
    ----------
    bounds : tuple of float
        Upper bounds of the classes, seconds, ascending; one more class has none.
    """

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self._lock = threading.Lock()
        self._counts, self._sum = [0] * (len(bounds) + 1), 0.0

    def add(self, seconds: float) -> None:
        """Count a time."""
        with self._lock:
            self._counts[bisect_left(self.bounds, seconds)] += 1
            self._sum += seconds

    def read(self) -> tuple[list[tuple[str, float]], float]:
        """Return how many times are at most each bound, the last without one, and the sum of all."""
        with self._lock:
            counts, total = list(self._counts), self._sum
        below, found = 0, []
        for bound, count in zip((*map(str, self.bounds), "+Inf"), counts, strict=True):
            below += count
            found.append((bound, float(below)))
        return found, total


class Observed:
    """Counters of the process.

    Attributes
    ----------
    messages : dict
        Times from a browser's message to its answer, by the class of the component.
    pages : Histogram
        Times from the request for a page to its answer.
    answers : Counter
        Answers over HTTP by class of their status, such as ``"2xx"``.
    errors : Counter
        Errors by where: ``"page"``, ``"message"``, ``"log"``.
    """

    def __init__(self) -> None:
        self.messages: dict[str, Histogram] = {}
        self.pages = Histogram(PAGE_SECONDS)
        self.answers: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self._lock = threading.Lock()

    def count_error(self, where: str) -> None:
        """Count an error."""
        with self._lock:
            self.errors[where] += 1

    def count_answer(self, status: int, *, page: bool, seconds: float) -> None:
        """Count an answer over HTTP, one with a page of the explorer or any other."""
        with self._lock:
            self.answers[f"{status // 100}xx"] += 1
        if page and status == 200:
            self.pages.add(seconds)
        if page and status >= 500:
            self.count_error("page")

    @contextmanager
    def message(self, component: str) -> Iterator[None]:
        """Count a message to a component, and the time within."""
        began = perf_counter()
        try:
            yield
        finally:
            with self._lock:
                times = self.messages.setdefault(component, Histogram(MESSAGE_SECONDS))
            times.add(perf_counter() - began)


OBSERVED = Observed()
"""The counters of this process."""


def observe_answers() -> None:
    """Count the answers of this process's servers from now on."""
    before_sending(_count)


def _count(answer: Answer) -> None:
    OBSERVED.count_answer(answer.status, page=answer.is_page, seconds=answer.request.request_time())
