"""A Train page's state without a page: for the tests that train a little and look at what is said of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lrbn_viz.app.train.state import TrainState
from lrbn_viz.studies.runs.registry import RunRegistry


@contextmanager
def training_state(folder: Path, probe_seconds: float, *n_components: int) -> Iterator[TrainState]:
    """Return the state of the smallest preset, its lanes with so many units where that is given."""
    registry = RunRegistry(folder, probe_seconds=probe_seconds)
    state = TrainState(registry)
    state.choose_preset("small")
    state.edit("budget", "passes")
    state.edit("amount", "60")
    for lane, units in enumerate(n_components):
        state.edit(f"{lane}.n_components", str(units))
    yield state
    registry.close()


def wait_for(condition: Callable[[], object], seconds: float = 240.0) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.005)


def until(state: TrainState, condition: Callable[[], object]) -> None:
    """Poll as a page does until something holds."""

    def holds() -> object:
        state.poll()
        return condition()

    try:
        wait_for(holds)
    except AssertionError as late:
        raise AssertionError(f"{late}; {state.status}, {state.error}") from None
