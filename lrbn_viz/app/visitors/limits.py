"""Limits of each visitor: one table, which the documentation and the pages also read."""

from __future__ import annotations

import math
import os
import shutil
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple


def _limit(default: float, unit: str, what: str, advice: str) -> Any:
    return field(default=default, metadata={"unit": unit, "what": what, "advice": advice})


@dataclass(frozen=True)
class Limits:
    """Limits of one visitor, or of the whole server; infinity: no limit. The owner has none.

    `limit_rows` describes each.
    """

    runs: float = _limit(3, "", "runs that a visitor has in memory", "End one, or close its page.")
    stored_runs: float = _limit(20, "", "runs that a visitor has on disk", "Delete one.")
    pages: float = _limit(12, "", "pages that a visitor has open", "Close one, and wait half a minute.")
    all_pages: float = _limit(300, "", "pages that all visitors have open", "Try again later.")
    pages_a_second: float = _limit(
        0.2, "a second", "new pages of a visitor, after a burst of ten", "Wait a few seconds."
    )
    newcomers_a_second: float = _limit(
        5, "a second", "new visitors, after a burst of a hundred", "Wait a few seconds."
    )
    units: float = _limit(2000, "", "latent units of a layer", "Take fewer latent units.")
    images: float = _limit(100_000, "", "training images of a run", "Take fewer images.")
    run_mib: float = _limit(1024, "MiB", "estimated memory of a run", "Take fewer latent units.")
    run_seconds: float = _limit(
        7200, "s", "estimated computing time of a run", "Take fewer epochs, or fewer latent units."
    )
    computed_seconds: float = _limit(
        21_600,
        "s",
        "computing time that a run has used",
        "The run is stopped, and its checkpoint is kept; start one that takes less.",
    )
    memory_mib: float = _limit(
        6144, "MiB", "memory that the server uses when a run starts", "Try again later."
    )
    disk_mib: float = _limit(500, "MiB", "disk space that a visitor's runs take", "Delete a run.")
    all_disk_mib: float = _limit(
        20_000, "MiB", "disk space that all runs take", "Delete a run, or try again later."
    )
    free_mib: float = _limit(1024, "MiB", "least free disk space when a run starts", "Try again later.")
    expiry_days: float = _limit(60, "days", "time since a stored run was last open", "The run is deleted.")
    messages_a_second: float = _limit(
        40, "a second", "messages of a page; above this rate only the newest is processed", "Wait a moment."
    )
    log_lines_a_second: float = _limit(
        50,
        "a second",
        "lines of the log; further ones are counted only",
        "The log says how many were left out.",
    )

    def with_values(self, texts: Sequence[str]) -> Limits:
        """Return other limits, from texts such as ``"runs=5"``; ``"inf"`` is no limit.

        Raises
        ------
        ValueError
            There is no such limit, or its value is not a number from 0; the message says what was expected.
        """
        known = [each.name for each in fields(self)]
        values: dict[str, float] = {}
        for text in texts:
            name, equals, number = (part.strip() for part in text.partition("="))
            if not equals or name not in known:
                raise ValueError(
                    f"expected a limit such as runs=3, got {text[:60]!r}; there are {', '.join(known)}."
                )
            try:
                values[name] = float(number)
            except ValueError:
                values[name] = math.nan
            if not values[name] >= 0:
                raise ValueError(f"{name} must be a number from 0, or inf; got {number[:40]!r}.")
        return replace(self, **values)

    def words(self, name: str, got: float | None = None) -> str:
        """Return the limit that is reached, and advice.

        Parameters
        ----------
        name : str
            Name of the limit.
        got : float, optional
            Value that was asked for.
        """
        (about,) = (each.metadata for each in fields(self) if each.name == name)
        row = next(each for each in limit_rows(self) if each.name == name)
        asked = "" if got is None else f", got {number_words(got, about['unit'])}"
        least = "" if name == "free_mib" else "at most "
        return f"A limit of this server: {least}{row.value}, {about['what']}{asked}. {about['advice']}"


NO_LIMITS = Limits(**{each.name: 0.0 if each.name == "free_mib" else math.inf for each in fields(Limits)})
"""Limits of the owner, and of everybody on a local machine: none."""


class LimitReached(RuntimeError):
    """A limit that a visitor has reached; the message says which, and what to do."""


class LimitRow(NamedTuple):
    """Row of the table of limits: name, value with its unit, limited quantity, and advice when reached."""

    name: str
    value: str
    what: str
    advice: str


def number_words(number: float, unit: str) -> str:
    """Return a number with its unit."""
    if number == math.inf:
        return "no limit"
    return f"{number:,.0f} {unit}".rstrip() if number >= 10 or number == int(number) else f"{number:g} {unit}"


def limit_rows(limits: Limits) -> list[LimitRow]:
    """Return the rows of the table of limits."""
    return [
        LimitRow(
            each.name,
            number_words(getattr(limits, each.name), each.metadata["unit"]),
            each.metadata["what"],
            each.metadata["advice"],
        )
        for each in fields(limits)
    ]


def server_mib() -> float | None:
    """Return the memory that this process has, MiB; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, IndexError):
        return None


def free_disk_mib(folder: Path) -> float:
    """Return the free space for a folder, which need not exist; infinity if it is not known."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        return shutil.disk_usage(folder).free / 2**20
    except OSError:
        return math.inf


class Rate:
    """Limit on how often something may happen, for each of many keys.

    Parameters
    ----------
    a_second : float
        Mean rate.
    at_once : float
        Largest burst, after a pause.
    clock : callable, optional
        Seconds.
    """

    _MOST = 10_000  # largest number of stored keys; others have a full burst

    def __init__(self, a_second: float, at_once: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second, self._at_once, self._clock = a_second, at_once, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, who: str) -> bool:
        """Return whether it may happen now; if so, it is counted."""
        if self._a_second == math.inf:
            return True
        now = self._clock()
        left, before = self._left.pop(who, (self._at_once, now))
        left = min(self._at_once, left + self._a_second * (now - before))
        self._left[who] = (left - 1 if left >= 1 else left, now)
        while len(self._left) > self._MOST:
            self._left.popitem(last=False)
        return left >= 1
