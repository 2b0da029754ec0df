"""Looks at everything, one part after another; a part that fails is a finding too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic

from lrbn_viz.doctor import machine
from lrbn_viz.doctor.bench import bench
from lrbn_viz.doctor.elsewhere import examine_elsewhere
from lrbn_viz.doctor.report import Finding
from lrbn_viz.doctor.selftest import self_test


def _one(look: Callable[[], Finding]) -> Iterator[Finding]:
    yield look()


PARTS: dict[str, Callable[[], Iterable[Finding]]] = {
    "versions": lambda: _one(machine.versions),
    "threads": lambda: _one(machine.threads),
    "kernel cache": lambda: _one(machine.kernel_cache),
    "data": machine.data,
    "models": lambda: _one(machine.models),
    "runs": lambda: _one(machine.runs),
    "disk": lambda: _one(machine.disk),
    "kernels": self_test,
    "speed": bench,
}
"""The parts of an examination, in this order."""

COMPILING_PARTS = ("kernels", "speed")
"""Parts that compile kernels where they are not compiled yet."""
SECONDS, COMPILED_SECONDS = 22.0, 300.0
"""Time limits of all parts together, seconds: while kernels are not compiled, and once they are. Parts that
exceed the limit are omitted and named. The rest of half a minute is for starting Python and for importing the
package, which takes up to 5 seconds on a busy machine.
"""


def examine(parts: Iterable[str] = tuple(PARTS)) -> Iterator[Finding]:
    """Yield the findings, as they are found."""
    end = monotonic() + (COMPILED_SECONDS if machine.is_compiled() else SECONDS)
    for name in parts:
        try:
            if name in COMPILING_PARTS:
                yield from examine_elsewhere(name, end - monotonic())
            else:
                yield from PARTS[name]()
        except Exception as error:  # a report of a fault is what this is for
            yield Finding(name, "wrong", f"it could not be looked at: {type(error).__name__}: {error}")
