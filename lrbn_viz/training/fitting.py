"""Runs by which an estimator is fitted: steps, and a file that holds the run between two of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Protocol

from numpy.typing import NDArray

from lrbn_viz.core.trace import FitStep
from lrbn_viz.training.checkpoint import check_same_run, fingerprint, load_checkpoint, save_checkpoint
from lrbn_viz.training.loop import Training


class Run(Protocol):
    """A run that trains a model: an iterator of steps, with a state after each, which a file can hold."""

    @property
    def progress(self) -> float:
        """Share of the run that is done, 0 to 1."""
        ...

    @property
    def state(self) -> Any:
        """Present state of training."""
        ...

    @property
    def n_passes(self) -> int:
        """Passes over the images so far, of all stages together."""
        ...

    def __iter__(self) -> Iterator[Any]: ...

    def numbered(self, step: Any) -> FitStep:
        """Return a step as one of the whole run."""
        ...

    def save(self, path: str | os.PathLike) -> None:
        """Write the state of the run to a file, between two steps."""
        ...

    def resume(self, path: str | os.PathLike) -> None:
        """Continue from a file of `save`."""
        ...


class SingleRun:
    """A run of one training.

    Parameters
    ----------
    steps : Training
    settings : mapping
        Settings that a run which goes on from a file of it must have too.
    images : array
        Images by which the data set is known.
    """

    def __init__(self, steps: Training[Any], settings: dict[str, Any], images: NDArray) -> None:
        self._steps, self._own, self._images = steps, settings, images

    @cached_property
    def _settings(self) -> dict[str, Any]:
        return {**self._own, "images": fingerprint(self._images)}

    @property
    def progress(self) -> float:
        """Share of the run that is done, 0 to 1."""
        return self._steps.progress

    @property
    def state(self) -> Any:
        """Present state of training."""
        return self._steps.state

    @property
    def n_passes(self) -> int:
        """Passes over the images so far."""
        return self._steps.epoch

    def __iter__(self) -> Iterator[FitStep]:
        return (event for _, event in self._steps)

    def numbered(self, step: FitStep) -> FitStep:
        """Return the step."""
        return step

    def save(self, path: str | os.PathLike) -> None:
        """Write the state of the run to a file, between two steps."""
        save_checkpoint(path, {"run": self._steps}, {"settings": self._settings})

    def resume(self, path: str | os.PathLike) -> None:
        """Continue from a file of `save`; ValueError where it is of another run, or damaged."""
        found = load_checkpoint(path)
        check_same_run(path, self._settings, found.config.get("settings", {}))
        self._steps.restore(found.snapshot("run", self._steps.state))
