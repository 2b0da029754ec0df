"""Rows of an earlier report, which are used if a run has none of its own.

A report is made of results that stay on the machine that measured them. So that one row can be measured again
without the others, the printed tables are read back, and their contents are kept word for word.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from lrbn_viz.studies.reproduce.tables import NOT_KNOWN, Printed, Table

MACHINE = "### Machine"
"""Heading of the report's description of the machine that measured it."""

_NUMBER = r"-?\d[\d,]*(?:\.\d+)?"


class PrintedTable(NamedTuple):
    """A table as a report prints it.

    Attributes
    ----------
    headings : list of str
    rows : list of lists of str
        The texts of its cells.
    note : str
        The first of its notes.
    """

    headings: list[str]
    rows: list[list[str]]
    note: str


class Earlier(NamedTuple):
    """An earlier report.

    Attributes
    ----------
    name : str
        Its file's.
    tables : dict from title to PrintedTable
    machine : str
        Its description of the machine.
    text : str
        All of it.
    """

    name: str
    tables: dict[str, PrintedTable]
    machine: str
    text: str

    def is_behind(self, row: str, best: str, images: str) -> bool:
        """Return whether it calls one row the likeliest on these images, and says that another is behind it.

        It could compare both image by image.
        """
        said = (
            rf"\*\*Who is likeliest: {re.escape(best)}\*\*[^\n]*, images {re.escape(images)}:[^\n]* Behind: "
        )
        return re.search(rf"{said}[^\n]*(?<![\w-]){re.escape(row)}(?![\w-])", self.text) is not None

    def complete(self, table: Table, n_labels: int = 2) -> None:
        """Put its rows into a table that has the same title: those whose figures are not there.

        Rows come in the order of the report; those that it does not have come last. A row is told by its
        first `n_labels` cells. If both have a row, its empty cells are filled.

        Raises
        ------
        ValueError
            The report has no such table, or one of other columns, or of other numbers of images.
        """
        found = self.tables.get(table.title)
        if found is None:
            raise ValueError(
                f"expected a table {table.title!r} in {self.name}, found none; give a report of the same "
                "data set, systems and seconds."
            )
        headings = [column.heading for column in table.columns]
        if found.headings != headings:
            raise ValueError(
                f"expected the columns {', '.join(headings)} under {table.title!r} in {self.name}, got "
                f"{', '.join(found.headings)}; give a report of the same version."
            )
        note = table.notes[0] if table.notes else ""
        if re.findall(_NUMBER, note) != re.findall(_NUMBER, found.note):
            raise ValueError(
                f"expected figures of the same images in {self.name}, got other numbers below "
                f"{table.title!r}: {found.note!r}, here {note!r}."
            )
        own = {tuple(map(str, row[:n_labels])): row for row in table.rows}
        rows = []
        for texts in found.rows:
            row = own.pop(tuple(texts[:n_labels]), None)
            printed: list[Any] = [Printed(text) if text else None for text in texts]
            if row is None or not table.has_figures(row):
                rows.append(printed)
            else:
                rows.append([old if new is None else new for new, old in zip(row, printed, strict=True)])
        table.rows = [*rows, *own.values()]

    def nats(self, title: str) -> dict[tuple[str, str], dict[str, Any]]:
        """Return the rows of its table of bounds, by the row's name and its images, as a run stores them.

        Figures are as near as they are printed.
        """
        found = {}
        for texts in self.tables[title].rows if title in self.tables else ():
            row, images, by, value, low, _, high, *_ = texts
            mean, error = (float(number.replace(",", "")) for number in re.findall(_NUMBER, value))
            found[row, images] = {
                "by": by, "value": mean, "standard_error": error,
                "lower": float(low) if low else None, "upper": float(high) if high else None,
                "known": texts[-1] != NOT_KNOWN,
            }  # fmt: skip
        return found


def read_earlier(path: str | os.PathLike) -> Earlier:
    """Read the tables of a report, ``report.md`` or a copy of it.

    Raises
    ------
    ValueError
        The file cannot be read, or has no table.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"expected an earlier report in {path}, but it cannot be read: {error}.") from error
    tables = {}
    for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        blocks = [block.strip() for block in re.split(r"\n\s*\n", rest) if block.strip()]
        if not blocks or not blocks[0].startswith("|"):
            continue
        head, _, *lines = ([*map(_text, _cells(line))] for line in blocks[0].splitlines())
        tables[title.strip()] = PrintedTable(head, lines, blocks[1] if len(blocks) > 1 else "")
    if not tables:
        raise ValueError(f"expected a report with tables in {path}, found none; give the file report.md.")
    _, _, machine = text.partition(f"{MACHINE}\n\n")
    return Earlier(path.name, tables, machine.partition("\n#")[0].strip(), text)


def _cells(line: str) -> list[str]:
    """Return the cells of a line of a table, in which a bar of the text stands behind a backslash."""
    return re.split(r"(?<!\\)\|", line.strip())[1:-1]


def _text(cell: str) -> str:
    return cell.strip().replace("\\|", "|")
