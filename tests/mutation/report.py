"""What is known of survivors, and the page of the documentation that tells of them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from mutation.runner import ROOT

FILE = Path(__file__).with_name("survivors.toml")
PAGE = ROOT / "docs" / "mutation.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


@dataclass(frozen=True)
class Known:
    """Why a mutant survives.

    Attributes
    ----------
    reason
        In words.
    same
        Whether it does the same as the code: no test could tell them apart.
    """

    reason: str
    same: bool


@dataclass(frozen=True)
class Score:
    """How many mutants a module has, and what became of them.

    Attributes
    ----------
    mutants
        All.
    survivors
        Those that no test noticed.
    same
        Those of the survivors that do the same as the code.
    late
        Those that slow tests noticed, and none of the gate's.
    """

    mutants: int
    survivors: int
    same: int
    late: int

    @property
    def killed(self) -> float:
        """The share that was noticed, of all."""
        return 1.0 - self.survivors / self.mutants if self.mutants else 1.0

    @property
    def killed_in_the_gate(self) -> float:
        """The share that the gate's tests noticed, of all."""
        return self.killed - (self.late / self.mutants if self.mutants else 0.0)

    @property
    def killed_of_others(self) -> float:
        """The share that was noticed, of those that do not do the same as the code."""
        others = self.mutants - self.same
        return (self.mutants - self.survivors) / others if others else 1.0

    def __str__(self) -> str:
        return (
            f"{self.mutants - self.survivors} of {self.mutants} killed ({self.killed:.1%},"
            f" {self.killed_in_the_gate:.1%} by the gate's tests),"
            f" {self.same} of {self.survivors} survivors do the same as the code"
            f" ({self.killed_of_others:.1%} of the others killed)"
        )


def survivors() -> dict[tuple[str, str, str, int], Known]:
    """Return the known survivors by `mutants.Mutant.name`."""
    stored = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        (module, one["before"], one["after"], one.get("nth", 0)): Known(one["reason"], one.get("same", False))
        for module, entries in stored.items()
        for one in entries
    }


def written() -> dict[str, Score]:
    """Return the scores that the page has."""
    row = r"^\| `(\S+)` \| (\d+) \| (\d+) \| \S+ \| (\d+) \| \S+ \| (\d+) \| \S+ \|$"
    return {
        module: Score(int(made), int(made) - int(killed), int(same), int(killed) - int(early))
        for module, made, killed, early, same in re.findall(
            row, PAGE.read_text(encoding="utf-8"), re.MULTILINE
        )
    }


def write(scores: dict[str, Score]) -> None:
    """Write the table of figures and the list of survivors between the marks of the page.

    Modules that were not tried keep the figures that the page has of them.
    """
    scores = {**written(), **scores}
    total = Score(
        *(
            sum(getattr(score, name) for score in scores.values())
            for name in ("mutants", "survivors", "same", "late")
        )
    )
    lines = [
        "",
        "| Module | Mutants | Killed | Share of all | By the gate's tests | Share of all |"
        " Do the same as the code | Share of the others |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, score in [*((f"`{module}`", score) for module, score in scores.items()), ("All", total)]:
        killed = score.mutants - score.survivors
        shares = (score.killed, score.killed_in_the_gate, score.killed_of_others)
        of_all, in_gate, of_others = (f"{share:.1%}" for share in shares)
        lines.append(
            f"| {name} | {score.mutants} | {killed} | {of_all} | {killed - score.late} | {in_gate}"
            f" | {score.same} | {of_others} |"
        )
    lines += ["", "| Module | Line | Survives as | Reason |", "| --- | --- | --- | --- |"]
    for (module, before, after, _), known in survivors().items():
        if module in scores:
            lines.append(f"| `{Path(module).name}` | {_code(before)} | {_code(after)} | {known.reason} |")
    text = PAGE.read_text(encoding="utf-8")
    figures = "\n".join([BEGIN, *lines, "", END])
    PAGE.write_text(re.sub(f"{BEGIN}.*{END}", lambda _: figures, text, flags=re.DOTALL), encoding="utf-8")


def _code(line: str) -> str:
    return "`" + line.replace("|", "\\|") + "`"
