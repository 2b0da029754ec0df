"""Looks at everything, one part after another; a part that fails is a finding too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lrbn_viz.doctor import machine
from lrbn_viz.doctor.bench import bench
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
"""What is looked at, in this order."""


def examine(parts: Iterable[str] = tuple(PARTS)) -> Iterator[Finding]:
    """Yield what is found, as it is found."""
    for name in parts:
        try:
            yield from PARTS[name]()
        except Exception as error:  # a report of a fault is what this is for
            yield Finding(name, "wrong", f"it could not be looked at: {type(error).__name__}: {error}")
