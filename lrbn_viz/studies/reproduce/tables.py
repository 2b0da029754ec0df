"""Tables whose columns are either reported or measured, never both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from lrbn_viz.io.glossary import nats_between
from lrbn_viz.studies.reproduce.reported import Reported

Source = Literal["label", "reported", "measured"]
WAYS = {
    "icm": "ICM",
    "exact MAP": "one pass, exact",
    "recognition": "recognition network, one pass",
    "mean-field": "mean field",
}
"""Kinds of usual inference in words, by their names in measured figures."""


class Column(NamedTuple):
    """One column.

    Attributes
    ----------
    name : str
    source : {"label", "reported", "measured"}
        Where its figures are from; a label has none.
    digits : int
        After the point.
    """

    name: str
    source: Source = "label"
    digits: int = 2

    @property
    def heading(self) -> str:
        """Heading of the column, which always names its source."""
        return self.name if self.source == "label" else f"{self.source}: {self.name}"


class Measured(NamedTuple):
    """A measured figure with its standard error if it has one; for a cell."""

    value: float
    error: float | None = None


class Unknown(NamedTuple):
    """Measured nats that are known to lie between two bounds at most; for a cell.

    Attributes
    ----------
    lower, upper : float or None
        The bounds it lies between, where there are any.
    """

    lower: float | None
    upper: float | None


class Words(NamedTuple):
    """Reason in words why a cell has no measured figure."""

    text: str


class Printed(str):
    """Text of an earlier report, word for word, for a cell of any column."""

    __slots__ = ()


class PerLayer(NamedTuple):
    """Measured counts, one per layer; for a cell."""

    counts: tuple[int, ...]


Cell = str | Reported | Measured | Unknown | Words | PerLayer | Printed | None
"""A label, a published figure, a figure of this run, one that is not known, why there is none, what an
earlier report has, or nothing."""

NOT_KNOWN = "not known"
DIVERGED = Words("diverged")


def unless_diverged(diverged: bool, *cells: Cell) -> list[Cell]:
    """Return measured cells of a model, each saying so where its training diverged."""
    return [DIVERGED] * len(cells) if diverged else list(cells)


@dataclass
class Table:
    """Rows under columns; a cell is refused where its source is not its column's.

    Parameters
    ----------
    title : str
    columns : sequence of Column
    notes : list of str
        Said below it.
    """

    title: str
    columns: Sequence[Column]
    notes: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)

    def add(self, *cells: Cell) -> None:
        """Append a row; None is an empty cell.

        Raises
        ------
        ValueError
            There is not one cell per column, or a reported figure meets a measured column, or the reverse.
        """
        if len(cells) != len(self.columns):
            raise ValueError(
                f"expected {len(self.columns)} cells, got {len(cells)}; fill empty ones with None."
            )
        for column, cell in zip(self.columns, cells, strict=True):
            source = _source_of(cell)
            if source is not None and source != column.source:
                raise ValueError(
                    f"expected a {column.source} cell in column {column.heading!r}, got a {source} one: "
                    f"{cell!r}. Give it a column of its own."
                )
        self.rows.append(list(cells))

    def has_figures(self, row: Sequence[Any]) -> bool:
        """Return whether a row has an entry in a column of measured figures."""
        pairs = zip(row, self.columns, strict=True)
        return any(cell is not None for cell, column in pairs if column.source == "measured")

    def markdown(self) -> str:
        """Return the table as Markdown, with its title and notes."""
        lines = [f"### {self.title}", ""]
        lines.append("| " + " | ".join(column.heading for column in self.columns) + " |")
        aligned = ("---" if column.source == "label" else "---:" for column in self.columns)
        lines.append("| " + " | ".join(aligned) + " |")
        for row in self.rows:
            texts = (_format(cell, column.digits) for cell, column in zip(row, self.columns, strict=True))
            lines.append("| " + " | ".join(texts) + " |")
        for note in self.notes:
            lines += ["", note]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Return the same as JSON values."""
        return {
            "title": self.title,
            "columns": [{"name": c.heading, "source": c.source} for c in self.columns],
            "rows": [[_plain(cell) for cell in row] for row in self.rows],
            "notes": self.notes,
        }

    def as_shown(self) -> dict[str, Any]:
        """Return the same with the digits of each column, for a page to write its cells."""
        shown = self.as_json()
        for column, said in zip(self.columns, shown["columns"], strict=True):
            said["digits"] = column.digits
        return shown


def _source_of(cell: Any) -> Source | None:
    if cell is None or isinstance(cell, Printed):
        return None
    if isinstance(cell, Reported):
        return "reported"
    return "measured" if isinstance(cell, (Measured, Unknown, Words, PerLayer)) else "label"


def _format(cell: Any, digits: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Reported):
        return f"{cell.value:.{digits}f}"
    if isinstance(cell, Measured):
        error = "" if cell.error is None else f" ± {cell.error:.{digits}f}"
        return f"{cell.value:.{digits}f}{error}"
    if isinstance(cell, Unknown):
        bounds = cell.lower, cell.upper
        return NOT_KNOWN if bounds[0] is None or bounds[1] is None else nats_between(bounds[0], bounds[1])
    if isinstance(cell, Words):
        return cell.text
    if isinstance(cell, PerLayer):
        return "-".join(map(str, cell.counts))
    return str(cell).replace("|", "\\|")


def _plain(cell: Any) -> Any:
    if isinstance(cell, Reported):
        return cell.value
    if isinstance(cell, Measured):
        return {"value": cell.value, "standard_error": cell.error}
    if isinstance(cell, Unknown):
        return {"value": None, "lower": cell.lower, "upper": cell.upper}
    if isinstance(cell, Words):
        return cell.text
    if isinstance(cell, PerLayer):
        return list(cell.counts)
    return cell
