"""Progress of a training run, on a terminal."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Protocol, TypeVar

from tqdm import tqdm

Step = TypeVar("Step", covariant=True)


class Run(Protocol[Step]):
    """A run of training: an iterator that knows how far it is."""

    @property
    def progress(self) -> float:
        """Share of the run that is done, 0 to 1."""
        ...

    def __iter__(self) -> Iterator[Step]: ...


def with_bar(run: Run[Step], verbose: bool) -> Generator[Step, None, None]:
    """Make the steps of a run; with `verbose` a bar on standard error shows its share and the time left."""
    bar_format = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
    with tqdm(total=1.0, desc="training", disable=not verbose, bar_format=bar_format) as bar:
        for step in run:
            bar.update(run.progress - bar.n)
            yield step
