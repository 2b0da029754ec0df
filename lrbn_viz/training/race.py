"""Runs side by side on one thread, kept level."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lrbn_viz.core.trace import FitStep
from lrbn_viz.training.loop import Training


def race(
    runs: Mapping[str, Training[Any]],
    *,
    by: str = "passes",
    on_error: Callable[[str, Exception], None] | None = None,
) -> Iterator[tuple[str, Any, FitStep]]:
    """Train several runs side by side on one thread: the one that is behind goes next.

    Parameters
    ----------
    runs : mapping from a lane's name to its run
    by : {"passes", "seconds"}
        Quantity that is kept equal: images seen, or time spent.
    on_error : callable, optional
        Takes the name of a lane and what its step raised; the others go on. None: it is raised.

    Yields
    ------
    name, state, FitStep
    """

    def spent(run: Training) -> float:
        return run.seconds if by == "seconds" else run.passes

    left = dict(runs)
    while left:
        name = min(left, key=lambda lane: spent(left[lane]))
        try:
            state, event = next(left[name])
        except StopIteration:
            del left[name]
            continue
        except Exception as error:
            if on_error is None:
                raise
            del left[name]
            on_error(name, error)
            continue
        yield name, state, event
