"""Images in a table of comma-separated values: one image a line, perhaps a line of names, perhaps a class.

Rows are taken in as they come, and what is too much is refused at the row where it shows.
"""

from __future__ import annotations

import csv
import io
import math
from array import array
from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets.own.images import (
    MAX_CLASSES,
    MAX_IMAGES,
    MAX_PIXELS,
    MIN_ROWS,
    Limits,
    OwnImages,
    RefusedData,
    assemble,
    plain_name,
    reason,
)

_LABEL_NAMES = ("label", "labels", "class", "target", "y")
_ROWS_AT_ONCE = 256
_MAX_LINE = 64 * MAX_PIXELS  # characters


def decode_csv(content: bytes, filename: str, limits: Limits, labels: str | int | None) -> OwnImages:
    """Read a table; arguments as in :func:`~lrbn_viz.datasets.own.read.decode_own`."""
    n_lines = content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n") + 1
    if n_lines > MAX_IMAGES + 2:  # perhaps a line of names, perhaps an end of line after the last
        raise RefusedData(
            f"{filename} has {n_lines:,} lines; expected at most {MAX_IMAGES:,}, one image a line. "
            "Use fewer images."
        )
    table = _Table(content, filename)
    first = next(table, None)
    if first is None:
        raise RefusedData(f"{filename} holds no lines; expected one image a line. Choose another file.")
    names = None if any(_is_number(cell) for cell in first[:-1] or first) else first
    named_at = table.at
    if names is not None:
        first = next(table, None)
        if first is None:
            raise RefusedData(
                f"{filename} holds a line of names only; expected images below it. Export it again."
            )
    n_columns = len(first)
    if names is not None and len(names) != n_columns:
        raise table.ragged(len(names), n_columns, named_at)
    if n_columns - 1 > MAX_PIXELS:  # one may hold the classes
        limits.check_images(MIN_ROWS, n_columns - 1)
    column, found_later = _label_column(labels, names, first, filename)
    if n_columns == (column is not None):
        raise RefusedData(f"{filename} holds labels only; expected pixels beside them. Export it again.")
    # A value takes two bytes of the file at least, with the comma or the end of line after it.
    rows = _Rows(min(n_lines, len(content) // (2 * n_columns) + 2), n_columns - (column is not None))
    words = _Words(filename)
    for row in chain([first], table):
        if len(row) != n_columns:
            raise table.ragged(len(row), n_columns)
        word = row.pop(column) if column is not None else ""
        try:
            if table.odd and not all(map(_is_number, row)):
                raise ValueError
            rows.add(row)
        except ValueError as error:
            raise table.no_number(row, column) from error
        if column is not None:
            words.add(word, table.at)
        if rows.n % _ROWS_AT_ONCE == 0:
            limits.check_time(filename)
    X, y = rows.finished(), words.labels() if column is not None else None
    if found_later:
        column, X, y = _class_column(X)
    notes = []
    if column is not None:
        notes.append(
            f"Classes are from column {column + 1}{f', {plain_name(names[column])}' if names else ''}."
        )
    return assemble(X, y, None, None, filename, limits, notes=notes)


def _is_number(text: str) -> bool:
    """Whether a text is a number as tables write it: Python reads 1_000 and digits of all scripts as well."""
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text


class _Table:
    """The rows of a table, each a list of texts without spaces around them; blank lines are left out.

    Attributes
    ----------
    at : int
        Number of the line that was read last, from 1.
    odd : bool
        Whether it holds what Python takes as part of a number and tables do not.
    """

    def __init__(self, content: bytes, filename: str) -> None:
        self.at, self.odd, self._filename = 0, False, filename
        self._file = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig")
        start = next((line for line in self._lines() if not line.isspace()), "")
        self._delimiter = max(",;\t", key=start.count)
        self._rows = csv.reader(
            chain([start] if start else [], self._lines()),
            delimiter=self._delimiter,
            skipinitialspace=True,
            strict=True,
        )

    def __iter__(self) -> _Table:
        return self

    def __next__(self) -> list[str]:
        try:
            row = next(self._rows)
            while not row or (len(row) == 1 and not row[0].strip()):
                row = next(self._rows)
        except csv.Error as error:
            raise RefusedData(
                f"line {self.at} of {self._filename} cannot be read ({reason(error)}); "
                f"expected values between {'tabs' if self._delimiter == chr(9) else repr(self._delimiter)}. "
                "Export it again."
            ) from error
        return [cell.strip() for cell in row]

    def _lines(self) -> Iterator[str]:
        while line := self._line():
            self.at += 1
            if len(line) > _MAX_LINE:
                raise RefusedData(
                    f"line {self.at} of {self._filename} has more than {_MAX_LINE:,} characters; expected "
                    f"one image of at most {MAX_PIXELS:,} pixels. Give each image a line of its own."
                )
            self.odd = "_" in line or not line.isascii()
            yield line

    def _line(self) -> str:
        try:
            return self._file.readline(_MAX_LINE + 1)
        except UnicodeDecodeError as error:
            wrong = self._file.buffer.tell() - len(error.object) + error.start
            raise RefusedData(
                f"{self._filename} is not what it says it is: expected text (UTF-8), got the byte "
                f"0x{error.object[error.start]:02x} at {wrong:,}. Export it as CSV again."
            ) from error

    def ragged(self, n: int, n_columns: int, at: int = 0) -> RefusedData:
        """Return the error of a line with too few or too many columns."""
        return RefusedData(
            f"line {at or self.at} of {self._filename} has {n:,} column{'s' * (n != 1)}; expected "
            f"{n_columns:,} as in the first image. Give every image as many values."
        )

    def no_number(self, row: list[str], column: int | None) -> RefusedData:
        """Return the error of the first cell that is no number; `row` lacks that of the class in `column`."""
        place = next(place for place, cell in enumerate(row) if not _is_number(cell))
        shown = repr(row[place][:20]) if row[place] else "nothing"
        place += column is not None and place >= column
        return RefusedData(
            f"line {self.at}, column {place + 1} of {self._filename} holds {shown}; expected a number. "
            "Fill it, or say which column holds the labels."
        )


class _Rows:
    """Rows of numbers, in bytes as long as that loses nothing, else in floating point.

    Parameters
    ----------
    most : int
        Rows there can be; memory is taken as they come.
    n_v : int
    """

    def __init__(self, most: int, n_v: int) -> None:
        self.n = 0
        self._X: NDArray = np.empty((most, n_v), np.uint8)
        self._block = np.empty((_ROWS_AT_ONCE, n_v))

    def add(self, row: list[str]) -> None:
        """Take in a row; ValueError if a cell is no number."""
        self._block[self.n % _ROWS_AT_ONCE] = np.fromiter(map(float, row), np.float64, len(row))
        self.n += 1
        if self.n % _ROWS_AT_ONCE == 0:
            self._store(_ROWS_AT_ONCE)

    def finished(self) -> NDArray:
        """Return all rows."""
        self._store(self.n % _ROWS_AT_ONCE)
        return self._X[: self.n]

    def _store(self, n: int) -> None:
        block, start = self._block[:n], self.n - n
        with np.errstate(invalid="ignore"):
            if self._X.dtype == np.uint8 and not np.array_equal(block.astype(np.uint8), block):
                wider = np.empty(self._X.shape)
                wider[:start] = self._X[:start]
                self._X = wider
            self._X[start : self.n] = block


class _Words:
    """The classes of all rows, each word once in memory."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._known: dict[str, int] = {}
        self._rows = array("l")

    def add(self, word: str, at: int) -> None:
        """Take in the class of a row."""
        self._rows.append(self._known.setdefault(word, len(self._known)))
        if len(self._known) > MAX_CLASSES:
            raise RefusedData(
                f"the labels of {self._filename} name more than {MAX_CLASSES:,} classes by line {at:,}; "
                f"expected at most {MAX_CLASSES:,}. Check which column they are, or leave them out."
            )

    def labels(self) -> NDArray:
        """Return numbers if all are, else words."""
        known = list(self._known)
        distinct = np.array([float(w) for w in known] if all(map(_is_number, known)) else known)
        return distinct[np.array(self._rows)]


def _label_column(
    labels: str | int | None, names: list[str] | None, first: list[str], filename: str
) -> tuple[int | None, bool]:
    """Return the number of the column that holds classes, and whether only all rows can show it."""
    n_columns = len(first)
    if labels is None:
        return None, False
    if isinstance(labels, int):
        if not -n_columns <= labels < n_columns:
            raise RefusedData(
                f"labels = {labels}, but {filename} has {n_columns} columns; expected {-n_columns} to "
                f"{n_columns - 1}. Choose one of them."
            )
        return labels % n_columns, False
    if labels != "auto":
        if names is None or labels not in names:
            known = ", ".join(map(plain_name, names[:8])) if names else "no line of names"
            raise RefusedData(
                f"{filename} has no column {labels!r}; expected one of its own: {known}. Name another."
            )
        return names.index(labels), False
    for column, name in enumerate(names or ()):
        if name.lower() in _LABEL_NAMES:
            return column, False
    if not _is_number(first[-1]):
        return n_columns - 1, False
    # 785 columns are 28 x 28 pixels and something: the class, if it is whole and not always the same
    square = math.isqrt(n_columns) ** 2 == n_columns
    return None, not square and math.isqrt(n_columns - 1) ** 2 == n_columns - 1


def _class_column(X: NDArray) -> tuple[int | None, NDArray, NDArray | None]:
    """Return the column that looks like classes, the others, and it; the last column, else the first."""
    for column, rest in ((X.shape[1] - 1, X[:, :-1]), (0, X[:, 1:])):
        values = X[:, column].astype(np.float64)
        whole = np.isfinite(values).all() and (values == np.floor(values)).all()
        if whole and 2 <= len(np.unique(values)) <= 100:
            return column, rest, values
    return None, X, None
