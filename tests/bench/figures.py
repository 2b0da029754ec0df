"""What benches print: figures beside their bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Figure(NamedTuple):
    """One measured number and, where there is one, what it must be."""

    name: str
    value: float
    bound: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the bound holds."""
        if self.bound is None:
            return True
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def __str__(self) -> str:
        if self.bound is None:
            return f"     {self.name:<66} {self.value:10.3f}"
        sign = ">=" if self.at_least else "<="
        return f"{'ok  ' if self.met else 'MISS'} {self.name:<66} {self.value:10.3f}  {sign} {self.bound:g}"


def report(groups: Iterable[Iterable[Figure]], check: bool) -> int:
    """Print figures as they come; return the exit status, 1 where `check` and a bound is missed."""

    def printed() -> Iterator[bool]:
        for group in groups:
            for figure in group:
                print(figure, flush=True)
                yield figure.met

    return int(not all(list(printed())) and check)
