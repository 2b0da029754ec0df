"""What benches print: figures beside their bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Figure(NamedTuple):
    """One measured number and, where there is one, what it must be, and what we would like it to be."""

    name: str
    value: float
    bound: float | None = None
    at_least: bool = False
    aim: float | None = None

    @property
    def met(self) -> bool:
        """Whether the bound holds."""
        return self.bound is None or self._keeps(self.bound)

    def _keeps(self, bound: float) -> bool:
        return self.value >= bound if self.at_least else self.value <= bound

    def __str__(self) -> str:
        if self.bound is None:
            return f"     {self.name:<66} {self.value:10.3f}"
        sign = ">=" if self.at_least else "<="
        line = f"{'ok  ' if self.met else 'MISS'} {self.name:<66} {self.value:10.3f}  {sign} {self.bound:g}"
        if self.aim is None:
            return line
        return f"{line}, aim {self.aim:g} {'met' if self._keeps(self.aim) else 'not met'}"


def report(groups: Iterable[Iterable[Figure]], check: bool) -> int:
    """Print figures as they come; return the exit status, 1 where `check` and a bound is missed."""

    def printed() -> Iterator[bool]:
        for group in groups:
            for figure in group:
                print(figure, flush=True)
                yield figure.met

    return int(not all(list(printed())) and check)
