"""Reader of text tables with one image per line, and optional column names, row index and column of classes.

Rows are read one after another, and limits are checked at each row. The meaning of a column is derived from
its name or, without one, from its values and their range; if two readings remain, the error contains a
question, which `columns` and `labels` answer.
"""

from __future__ import annotations

import csv
import io
import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets.own import columns
from lrbn_viz.datasets.own.columns import (
    ColumnsNeeded,
    Odd,
    Reader,
    TableChoices,
    is_number,
    is_word,
    title_of,
)
from lrbn_viz.datasets.own.images import (
    MAX_CLASSES,
    MAX_IMAGES,
    MAX_PIXELS,
    MIN_ROWS,
    Limits,
    OwnImages,
    RefusedData,
    assemble,
    known_range,
    plain_name,
    reason,
)
from lrbn_viz.io.constants import UNKNOWN_WORDS

_LABEL_NAMES = ("label", "labels", "class", "classes", "target", "targets", "y")
_INDEX_NAMES = ("", "index", "id", "unnamed: 0")
# The first of equally good delimiters is chosen: a comma may be a decimal mark, a space part of a word.
_DELIMITERS = "\t;|, "
_DELIMITER_NAMES = {"\t": "tabs", " ": "spaces"}
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_ROWS_AT_ONCE = 256
_SAMPLE = 20  # number of rows from which the layout of a table is derived
_SCORED = 16_384  # number of characters of a line from which the delimiter is derived
_MAX_LINE = 64 * MAX_PIXELS  # characters
_MAX_LABELS = 100  # largest number of distinct values of a class column without a name
_LONG_COUNT = 8  # length of an increasing sequence that images have by chance once in 40,320
MAX_LISTED = 60
"""Largest number of columns of a table that are listed."""
_MAX_WORDS = 12  # largest number of listed words of a column
_MAX_WORD_LENGTH = 200  # largest number of characters of a listed word
_LISTED_ROWS = 1000  # number of rows from which listed columns are described
_NOT_KNOWN = "nan"  # text of the number that stands for an empty cell
_LONGEST_UNKNOWN = max(map(len, UNKNOWN_WORDS))
_MAY_BE_UNKNOWN = re.compile(
    "|".join(re.escape(word) for word in UNKNOWN_WORDS if word).encode(), re.IGNORECASE
)
_SEARCHED = 2**18  # number of bytes that are searched at once


def decode_csv(
    content: bytes,
    filename: str,
    limits: Limits,
    choices: TableChoices,
    image_shape: tuple[int, int] | None = None,
) -> OwnImages:
    """Read a table; arguments as in :func:`~lrbn_viz.datasets.own.read.decode_own`."""
    n_lines = content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n") + 1
    if n_lines > MAX_IMAGES + 2:  # for a line of names, and an end of line after the last
        raise RefusedData(
            f"{filename} has {n_lines:,} lines; expected at most {MAX_IMAGES:,}, one image a line. "
            "Use fewer images."
        )
    try:
        return _decode(content, filename, limits, choices, image_shape, n_lines)
    except _NoIndexError:
        return _decode(content, filename, limits, choices, image_shape, n_lines, may_have_index=False)


def _decode(
    content: bytes,
    filename: str,
    limits: Limits,
    choices: TableChoices,
    image_shape: tuple[int, int] | None,
    n_lines: int,
    *,
    may_have_index: bool = True,
) -> OwnImages:
    table = _Table(content, filename)
    layout = _layout(table, limits, choices, may_have_index)
    column, n_columns, places = layout.column, layout.n_columns, layout.places
    if not places:
        raise RefusedData(f"{filename} holds labels only; expected pixels beside them. Export it again.")
    # A cell takes at least one byte of the file, the delimiter or the end of line after it.
    rows = _Rows(
        min(n_lines, len(content) // layout.n_cells + 2),
        len(places),
        loose=layout.undecided and len(places) > 1,
    )
    words, index = _Words(filename), array("d")
    readers = [(n, layout.readers[place]) for n, place in enumerate(places) if place in layout.readers]
    unseen = {n: reader.word.casefold() for n, reader in readers if reader.word}
    for row in table:
        if len(row) != layout.n_cells:
            raise table.ragged(len(row), layout.n_cells)
        if layout.n_cells > n_columns and any(row[n_columns:]):
            raise table.not_empty(row, n_columns)
        cells = row if len(places) == len(row) else [row[place] for place in places]
        if layout.has_index:
            index.append(_index_of(row[0]))
        if unseen:
            unseen = {n: word for n, word in unseen.items() if cells[n].casefold() != word}
        try:
            for n, reader in readers:
                if cells[n]:
                    cells[n] = reader.read(cells[n])
        except Odd as error:
            raise table.odd(places[n], cells[n], str(error)) from error
        if "" in cells:
            cells = [cell or _NOT_KNOWN for cell in cells]
        try:
            if table.odd_text and not all(map(is_number, cells)):
                raise ValueError
            values = np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError as error:
            raise table.no_number(cells, places) from error
        rows.add(values)
        if column is not None:
            if not row[column]:
                raise table.no_label(column)
            words.add(row[column], table.at)
        if rows.n % _ROWS_AT_ONCE == 0:
            limits.check_time(filename)
    rows.finish()
    if layout.has_index and not _numbers_rows(index, named=layout.names is not None):
        raise _NoIndexError
    for n in unseen:
        title, word = title_of(places[n], layout.names), layout.readers[places[n]].word
        raise RefusedData(f"no line of {filename} holds {word!r} in {title}; expected one of its words.")
    y = words.labels() if column is not None else None
    X, question = rows.X, layout.question
    if rows.loose:
        edge = None
        try:
            edge = _class_by_values(rows, image_shape, layout, filename)
        except ColumnsNeeded as error:
            if not choices.lenient:
                raise
            question = error
        column = None if edge is None else places[edge]
        X, y = rows.without(edge)
        if y is not None and np.isnan(y).any():
            raise RefusedData(
                f"image {int(np.isnan(y).argmax()) + 1:,} of {filename} holds no label in "
                f"{title_of(places[edge or 0], layout.names)}; expected the class of the image. Fill it, or "
                "leave the line out."
            )
        places = [place for place in places if place != column]
    own = assemble(
        X, y, None, None, filename, limits, notes=_notes(layout, column, y, table.n_empty),
        title=lambda n: title_of(places[n], layout.names),
    )  # fmt: skip
    separate = bool(readers) or columns.names_differ(layout.names, places)
    return replace(
        own,
        columns=columns.names_of(places, layout.names, filename) if separate else (),
        question=question.on_page if question is not None else "",
        class_column=None if column is None else column - layout.has_index,
    )


def _notes(layout: _Layout, column: int | None, y: NDArray | None, n_empty: int) -> list[str]:
    """Return sentences about the columns that are no pixels, and about lines that are left out."""
    names = layout.names
    notes = []
    if layout.counted_names:
        notes.append("The first line counts the columns and is read as their names.")
    if layout.has_index:
        notes.append("Column 1 numbers the lines and is left out.")
    if column is not None and y is not None:
        notes.append(f"Classes are from {title_of(column, names)} ({_first_values(y)}).")
    alike: dict[str, list[int]] = {}
    for place in layout.places:
        if place in layout.readers:
            alike.setdefault(layout.readers[place].note, []).append(place)
    for note, places in alike.items():
        title, verb = columns.titles_of(places, names), "is" if len(places) == 1 else "are"
        notes.append(f"{title[0].upper()}{title[1:]} {verb} {note}.")
    if n_empty:
        notes.append(f"Lines without any value were left out: {n_empty:,}.")
    return notes


def _first_values(y: NDArray) -> str:
    """Return the first five known values of a column for a message."""
    y = y[~np.isnan(y)] if y.dtype.kind == "f" else y
    values = (f"{value:g}" if y.dtype.kind == "f" else plain_name(str(value))[:20] for value in y[:5])
    return ", ".join(values) + ", ..."


def _index_of(cell: str) -> float:
    """Return the number in the first cell of a line: NaN if it is empty, infinity if it is no number."""
    return float(cell) if is_number(cell) else math.inf if cell else math.nan


class _NoIndexError(Exception):
    """Error for a first column that is a row index in the first rows only."""


# -- lines and cells


class _Table:
    """Rows of a table as lists of stripped texts; lines without any value are skipped.

    Decimal commas are replaced by points. Lines that begin with ``#`` are comments before the first row.
    Cells with a word for what is not known, such as NA, are empty; a row of names keeps them.

    Attributes
    ----------
    at : int
        Number of the last line that was read, from 1.
    odd_text : bool
        True if it contains characters that Python accepts in numbers and tables do not.
    comment : list of str or None
        The cells of the last comment, where `numpy.savetxt` writes names.
    first : list of str
        The cells of the first row as they are written.
    n_empty : int
        Number of lines after the first row that have cells, all of them empty.
    """

    def __init__(self, content: bytes, filename: str) -> None:
        self.at, self.odd_text, self.filename = 0, False, filename
        self.comment: list[str] | None = None
        self._file = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig")
        self._delimiter, self._lines_to_skip = _delimiter_of(content)
        # Between commas, "1,234" would be a thousand to most: there a comma in a cell is refused.
        self._commas = self._delimiter != "," and b"," in content
        self._mark, self._marked_at = "", 0
        self._has_unknown_words = _has_unknown_words(content)
        self._started = False
        self.first: list[str] = []
        self.n_empty = 0
        self._ahead: list[tuple[int, bool, list[str]]] = []
        self._rows = self._read_rows()

    def _read_rows(self) -> Iterator[list[str]]:
        if self._delimiter == " ":  # a delimiter of any number of spaces; quotes are rare
            return map(_split_at_spaces, self._lines())
        return csv.reader(self._lines(), delimiter=self._delimiter, skipinitialspace=True, strict=True)

    def __iter__(self) -> Iterator[list[str]]:
        """Yield all rows, those of `sample` first."""
        for at, odd, row in self._ahead:
            self.at, self.odd_text = at, odd
            yield row
        self._ahead = []
        while (row := self._next()) is not None:
            yield row

    def sample(self, limits: Limits) -> list[list[str]]:
        """Return the first rows without consuming them."""
        while len(self._ahead) < _SAMPLE and (row := self._next()) is not None:
            width = _width(row)
            if width - 2 > MAX_PIXELS:  # it may include an index and a class
                limits.check_images(MIN_ROWS, width - 1)
            self._ahead.append((self.at, self.odd_text, row))
        return [row for _, _, row in self._ahead]

    def skip(self) -> int:
        """Drop the first row of `sample`, and return the number of its line."""
        return self._ahead.pop(0)[0]

    def _next(self) -> list[str] | None:
        try:
            for cells in self._rows:
                row = [cell.strip() for cell in cells]
                if not row or (not row[0] and not any(row)):
                    self.n_empty += self._started and len(row) > 1
                    continue
                if not self._started and row[0].startswith("#") and row[0].lower() not in UNKNOWN_WORDS:
                    self.comment = [row[0][1:].strip(), *row[1:]]
                    if self._delimiter == " " and not self.comment[0]:
                        del self.comment[0]
                    continue
                if self._commas:
                    row = self._with_points(row)
                if not self._started:
                    self._started, self.first = True, row
                return _without_words(row) if self._has_unknown_words else row
        except csv.Error as error:
            between = _DELIMITER_NAMES.get(self._delimiter, repr(self._delimiter))
            raise RefusedData(
                f"line {self.at} of {self.filename} cannot be read ({reason(error)}); "
                f"expected values between {between}. Export it again."
            ) from error
        return None

    def _with_points(self, row: list[str]) -> list[str]:
        """Replace decimal commas; a table has one decimal mark, since 1,234 is two numbers otherwise."""
        for place, cell in enumerate(row):
            if "," in cell and _DECIMAL_COMMA.fullmatch(cell):
                mark = ","
            elif "." in cell and is_number(cell):
                mark = "."
            else:
                continue
            if not self._mark:
                self._mark, self._marked_at = mark, self.at
            if mark != self._mark:
                raise RefusedData(
                    f"line {self.at}, column {place + 1} of {self.filename} holds {cell[:20]!r}; expected "
                    f"the decimal mark {self._mark!r} as in line {self._marked_at}. Export it with one."
                )
            row[place] = cell.replace(",", ".")
        return row

    def _lines(self) -> Iterator[str]:
        while line := self._line():
            self.at += 1
            if len(line) > _MAX_LINE:
                raise RefusedData(
                    f"line {self.at} of {self.filename} has more than {_MAX_LINE:,} characters; expected "
                    f"one image of at most {MAX_PIXELS:,} pixels. Give each image a line of its own."
                )
            self.odd_text = "_" in line or not line.isascii()
            if self.at > self._lines_to_skip:
                yield line

    def _line(self) -> str:
        try:
            return self._file.readline(_MAX_LINE + 1)
        except UnicodeDecodeError as error:
            wrong = self._file.buffer.tell() - len(error.object) + error.start
            raise RefusedData(
                f"{self.filename} does not have the format that its name gives: expected text (UTF-8), got "
                f"the byte 0x{error.object[error.start]:02x} at {wrong:,}. Export it as CSV again."
            ) from error

    def check_lengths(self, n_cells: int) -> None:
        """Raise `RefusedData` if a row of `sample` does not have that number of cells."""
        for at, _, row in self._ahead:
            if len(row) != n_cells:
                raise self.ragged(len(row), n_cells, at)

    def ragged(self, n: int, n_columns: int, at: int = 0) -> RefusedData:
        """Return the error of a line with too few or too many columns."""
        return RefusedData(
            f"line {at or self.at} of {self.filename} has {n:,} column{'s' * (n != 1)}; expected "
            f"{n_columns:,} as in the first image. Give every image as many values."
        )

    def not_empty(self, row: list[str], n_columns: int) -> RefusedData:
        """Return the error of a value in a column that is empty in the first image."""
        place = next(place for place in range(n_columns, len(row)) if row[place])
        return RefusedData(
            f"line {self.at}, column {place + 1} of {self.filename} holds {row[place][:20]!r}; expected "
            "nothing as in the first image. Fill the column in every line, drop it, or write NA for what is "
            "not known."
        )

    def no_label(self, column: int) -> RefusedData:
        """Return the error of an image whose class is missing."""
        return RefusedData(
            f"line {self.at}, column {column + 1} of {self.filename} holds no label; expected the class of "
            "the image. Fill it, or leave the line out."
        )

    def no_number(self, row: list[str], places: list[int]) -> RefusedData:
        """Return the error of the first cell that is no number; `places` are the columns of the cells."""
        place = next(place for place, cell in enumerate(row) if not is_number(cell))
        shown = repr(row[place][:20]) if row[place] else "nothing"
        return RefusedData(
            f"line {self.at}, column {places[place] + 1} of {self.filename} holds {shown}; expected a "
            "number. Fill it, leave the column out, or say that it holds the labels."
        )

    def odd(self, place: int, cell: str, expected: str) -> RefusedData:
        """Return the error of a cell that its column cannot hold."""
        return RefusedData(
            f"line {self.at}, column {place + 1} of {self.filename} holds {cell[:20]!r}; expected "
            f"{expected}. Correct it, leave the column out, or say that it holds the labels."
        )


def _delimiter_of(content: bytes) -> tuple[str, int]:
    """Return the delimiter of values, and the number of lines that only declare it, such as ``sep=;``.

    It is the one that splits the first lines into most numbers and fewest words.
    """
    start = io.StringIO(content[: 2 * _MAX_LINE].decode("utf-8-sig", "replace"), newline=None)
    lines = list(islice((line.strip(" \n") for line in start if not line.isspace()), 5))
    if lines and (told := re.fullmatch(r'"?sep=(.)"?', lines[0], re.IGNORECASE)):
        return told[1], 1
    rows = lines[1:] or lines  # the first line may contain names
    there = [mark for mark in _DELIMITERS if any(mark in row for row in rows)]
    if " " in there and not all(" " in line for line in lines if not line.startswith("#")):
        there.remove(" ")  # the delimiter occurs within a value, as in 12 EUR

    def score(mark: str) -> int:
        return sum(_as_number(cell) for row in rows for cell in row[:_SCORED].split(mark))

    return max(there, key=score, default=","), 0


def _has_unknown_words(content: bytes) -> bool:
    """Return whether a word for what is not known occurs in a file, within cells too.

    Until a search ends no other thread runs: a large file would keep a server's visitors waiting.
    """
    return any(
        _MAY_BE_UNKNOWN.search(content, at, at + _SEARCHED + _LONGEST_UNKNOWN)
        for at in range(0, len(content), _SEARCHED)
    )


def _without_words(row: list[str]) -> list[str]:
    """Return a row in which cells with a word for what is not known are empty."""
    return ["" if len(cell) <= _LONGEST_UNKNOWN and cell.lower() in UNKNOWN_WORDS else cell for cell in row]


def _as_number(cell: str) -> int:
    """Return 1 for a number, -1 for a word, 0 for nothing."""
    cell = cell.strip(' "\t')
    return (1 if is_number(cell) or _DECIMAL_COMMA.fullmatch(cell) else -1) if cell else 0


def _split_at_spaces(line: str) -> list[str]:
    if '"' not in line:
        return line.split()
    return [word[1:-1].replace('""', '"') if word[0] == '"' else word for word in _QUOTED.findall(line)]


_QUOTED = re.compile(r'"(?:[^"]|"")*"|\S+')


def _width(row: list[str]) -> int:
    """Return the number of cells up to the last non-empty one."""
    return next((place for place in range(len(row), 0, -1) if row[place - 1]), 0)


# -- the layout, from the first rows


@dataclass(frozen=True)
class _Layout:
    """The content of a table's columns.

    Attributes
    ----------
    names : list of str or None
        Of the columns.
    counted_names : bool
        True if the names are numbers, which were recognised as names because they increase.
    n_cells, n_columns : int
        Number of cells of a line, and of columns; further cells are empty in every line.
    has_index : bool
        True if the first column numbers the rows.
    column : int or None
        Of the classes.
    undecided : bool
        True if the column of classes can be determined only from the values of all rows.
    places : list of int
        The columns that are read.
    readers : dict
        Functions from cells to numbers, by column, for columns that need one.
    question : ColumnsNeeded or None
        The question while columns are left out.
    """

    names: list[str] | None
    counted_names: bool
    n_cells: int
    n_columns: int
    has_index: bool
    column: int | None
    undecided: bool
    places: list[int]
    readers: dict[int, Reader]
    question: ColumnsNeeded | None = None


def _layout(table: _Table, limits: Limits, choices: TableChoices, may_have_index: bool) -> _Layout:
    """Return the layout from the first rows, and move `table` to the first image."""
    filename, sample = table.filename, table.sample(limits)
    if not sample:
        raise RefusedData(f"{filename} holds no lines; expected one image a line. Choose another file.")
    names, named_at, counted = None, 0, False
    if _are_names(sample):
        names, sample, named_at = table.first, sample[1:], table.skip()
        counted = not any(map(is_word, names))
    if not sample:
        raise RefusedData(
            f"{filename} holds a line of names only; expected images below it. Export it again."
        )
    first, n_cells = sample[0], len(sample[0])
    # R writes no name of row numbers; an empty name between spaces is invisible
    is_short = names is not None and len(names) == n_cells - 1 == max(map(_width, sample)) - 1
    if names is not None and is_short and _is_index([row[0] for row in sample], ""):
        names = ["", *names]
    # The first row as it is written: a last cell of NA is a column.
    n_columns = max(_width(first), _width(table.first), _width(names or []))
    if names is None and table.comment and len(table.comment) == n_columns:
        names = table.comment
    elif names is not None:
        if n_columns > n_cells or len(names) < n_columns:
            raise table.ragged(len(names), n_cells, named_at)
        names = names[:n_columns]
    has_index = (
        may_have_index
        and n_columns > 1
        and not (names and names[0] in choices.names)
        and _is_index([row[0] for row in sample], names[0] if names else None)
    )
    counted_places = list(range(has_index, n_columns))
    found = _Columns(filename, sample, names, counted_places, choices)
    column, undecided, question = found.classes()
    places, left = found.read_beside(column)
    left.sort(key=lambda place: place in found.unlike)  # the question names the likeliest class as an example
    if left and not question:
        number = counted_places.index(left[0])
        question = columns.words_without_meaning(filename, left, names, first, number)
    if question and not choices.lenient:
        table.check_lengths(n_cells)  # where a cell is missing, columns hold what belongs to their neighbours
        raise question
    places = [place for place in places if place not in left]
    readers = {place: reader for place in places if (reader := found.reader(place)) is not None}
    return _Layout(
        names, counted, n_cells, n_columns, has_index, column, undecided, places, readers, question
    )


def _are_names(sample: list[list[str]]) -> bool:
    """Return whether the first row holds column names, as it cannot be an image like the rows below.

    It is no image if it has a word where the next row has a number, and its numbers, if any, increase: one
    mistyped cell does not make an image a row of names. It is also no image if its numbers increase and those
    of the other rows do not.
    """
    pairs = columns.pairs_of(sample[1:])
    first, *others = ([*columns.with_bits(row, pairs)] for row in sample)
    words = [place for place, cell in enumerate(first) if is_word(cell)]
    if any(first[place].lower() in _LABEL_NAMES for place in words):
        return True
    numbers = [float(cell) for cell in first if is_number(cell)]
    if not numbers:
        return True
    if not others:
        return False
    below = others[0]
    if any(place < len(below) and is_number(below[place]) for place in words):
        return _increase(numbers) and (_is_long(numbers) or numbers[-1] - numbers[0] == len(numbers) - 1)
    if not _count_up(numbers):
        return False
    if any(below[place] for place, cell in enumerate(first[: len(below)]) if place and not cell):
        return False  # a missing pixel; only an index has no name
    if any(row[place] == first[place] for row in others for place in words if place < len(row)):
        return False  # a class, which occurs again
    rows = [[float(cell) for cell in row if is_number(cell)] for row in others]
    return not any(len(row) == len(numbers) and _count_up(row) for row in rows)


def _increase(numbers: Sequence[float]) -> bool:
    """Return whether these are increasing integers from 0 on."""
    return all(value >= 0 and value % 1 == 0 for value in numbers) and all(
        low < high for low, high in pairwise(numbers)
    )


def _count_up(numbers: Sequence[float]) -> bool:
    """Return whether these are column numbers: 0, 1, 2 and so on, or too many in order to be an image."""
    if len(numbers) < 3:
        return False
    return numbers == [*range(len(numbers))] or (_is_long(numbers) and _increase(numbers))


def _is_long(cells: Sequence[object]) -> bool:
    return len(cells) >= _LONG_COUNT


def _is_index(cells: list[str], name: str | None) -> bool:
    """Return whether the cells of the first column number the first rows."""
    if name is not None and name.lower() not in _INDEX_NAMES:
        return False
    return len(cells) > 1 and _numbers_rows([_index_of(cell) for cell in cells], named=name is not None)


def _numbers_rows(values: Sequence[float], named: bool) -> bool:
    """Return whether a column numbers the rows from 0 or 1; with an index's name, distinct integers suffice.

    A table that was shuffled or drawn from a larger one keeps the numbers of its rows. Up to half of them may
    be missing, NaN.
    """
    numbers = np.array(values)
    there = np.flatnonzero(~np.isnan(numbers))
    numbers = numbers[there]
    if 2 * len(there) < max(3, len(values)) or not np.isfinite(numbers).all():
        return False
    first = numbers[0] - there[0]
    if np.array_equal(numbers - first, there) and first in (0, 1):
        return True
    return named and bool((numbers == np.floor(numbers)).all()) and len(np.unique(numbers)) == len(numbers)


class _Columns:
    """The columns of a table, by names and first rows, and the user's choices for them.

    Parameters
    ----------
    filename : str
    sample : list of list of str
        The first rows.
    names : list of str or None
    places : list of int
        All columns but one that numbers the lines.
    choices : TableChoices
    """

    def __init__(
        self,
        filename: str,
        sample: list[list[str]],
        names: list[str] | None,
        places: list[int],
        choices: TableChoices,
    ) -> None:
        self._filename, self._names, self._places, self._choices = filename, names, places, choices
        # No other rows, as an empty cell is lost if the delimiter is a space.
        rows = [row for row in sample if len(row) == len(sample[0])]
        self._pairs = columns.pairs_of(rows)
        held = {place: [row[place] for row in rows if place < len(row) and row[place]] for place in places}
        self._words = {place for place, cells in held.items() if cells and all(map(is_word, cells))}
        # Names, dates or amounts rather than classes
        self.unlike = {
            place for place, cells in held.items() if _is_long(cells) and len(set(cells)) == len(cells)
        }
        self._chosen: list[int] | None = None
        if choices.columns is not None:
            self._chosen = sorted({self._place(given, "columns") for given in choices.columns})
        self._thresholds = {
            self._place(given, "thresholds"): value for given, value in choices.thresholds.items()
        }

    def _place(self, given: str | int, what: str) -> int:
        return columns.place_of(given, self._names, self._places, self._filename, what)

    def classes(self) -> tuple[int | None, bool, ColumnsNeeded | None]:
        """Return the column of classes, whether only all rows can show it, and the question about it."""
        labels, names = self._choices.labels, self._names
        if labels is None:
            return None, False, None
        if labels != "auto":
            return self._place(labels, "labels"), False, None
        named = [place for place in self._places if names and names[place].lower() in _LABEL_NAMES]
        if len(named) > 1 and names:
            return None, False, columns.two_labels(self._filename, named, names)
        if named:
            return named[0], False, None
        there = self._places if self._chosen is None else self._chosen
        words = [
            place for place in there if place in self._words - self.unlike and place not in self._thresholds
        ]
        others = [place for place in words if place not in self._pairs]
        if len(others) == 1 or (len(words) == 1 and self._chosen is None):
            return (others or words)[0], False, None
        if others:
            return None, False, None
        if self._chosen is not None or not there:  # values alone say nothing of columns that were chosen
            return None, False, None
        if names is None:
            return None, not self._thresholds, None
        return (*_odd_name(names, there), None)

    def read_beside(self, column: int | None) -> tuple[list[int], list[int]]:
        """Return the columns to read in addition to that of the classes, and those of them with words."""
        wanted = self._places if self._chosen is None else self._chosen
        places = [place for place in wanted if place != column]
        for place in self._thresholds:
            if place not in places:
                raise RefusedData(
                    f"a threshold is given for {title_of(place, self._names)} of {self._filename}, which is "
                    "not read as a pixel; expected one of the others. Leave it out of thresholds."
                )
        meant = {*self._pairs, *self._thresholds}
        return places, [place for place in places if place in self._words and place not in meant]

    def reader(self, place: int) -> Reader | None:
        """Return what makes numbers of a column's cells, where it does not hold them as it is."""
        threshold, pair = self._thresholds.get(place), self._pairs.get(place)
        if threshold is not None and not (pair and not isinstance(threshold, str)):
            return columns.cut_at(threshold)
        return columns.yes_or_no(pair) if pair else None


def _odd_name(names: list[str], places: list[int]) -> tuple[int | None, bool]:
    """Return the column of classes by names alone, and whether all rows are needed to determine it.

    It is the one whose name differs from the others in more than its numbers.
    """
    stems = columns.stems_of(names, places)
    common, n_common = Counter(stems.values()).most_common(1)[0]
    if n_common == len(places) - 1 >= 2:
        return next(place for place in places if stems[place] != common), False
    # Numbers alone, or a word for each column, do not say what a column holds; p0, p1, p2 do.
    return None, common == "0" or n_common < len(places)


class ListedColumn(NamedTuple):
    """Description of a column of a table for the user.

    Attributes
    ----------
    number : int
        Number as in `labels`: from 0, without a column that numbers the lines.
    title : str
        Its name, or its number in the file.
    entry : str
        Name and number, as in questions.
    kind : {"numbers", "yes or no", "words"}
    first : str
        Its first values.
    words : tuple of str
        Its words in the first 1,000 lines, at most 12.
    low, high : float
        Of its numbers there.
    separate : bool
        True if the columns of the table are different quantities instead of pixels on one scale.
    """

    number: int
    title: str
    entry: str
    kind: str
    first: str
    words: tuple[str, ...]
    low: float
    high: float
    separate: bool


def list_columns(content: bytes, filename: str, limits: Limits) -> tuple[ListedColumn, ...]:
    """Return the columns of a table but for one that numbers the lines; none where there are more than 60.

    Raises
    ------
    RefusedData
        The first lines are no table.
    """
    table = _Table(content, filename)
    layout = _layout(table, limits, TableChoices(lenient=True), may_have_index=True)
    places = range(layout.has_index, layout.n_columns)
    if len(places) > MAX_LISTED:
        return ()
    rows = [row for row in islice(table, _LISTED_ROWS) if len(row) == layout.n_cells]
    separate = bool(layout.readers or layout.question) or columns.names_differ(layout.names, layout.places)
    found = []
    for number, place in enumerate(places):
        cells = [row[place] for row in rows if row[place]]
        numbers = [float(cell) for cell in cells if is_number(cell)]
        words = tuple(
            dict.fromkeys(cell for cell in cells if is_word(cell) and len(cell) <= _MAX_WORD_LENGTH)
        )
        kind = "numbers" if len(numbers) > len(cells) // 2 else "words"
        kind = "yes or no" if kind == "words" and columns.pair_of(words) else kind
        name = layout.names[place] if layout.names else ""
        title = plain_name(name) if name else f"column {place + 1}"
        first = ", ".join(plain_name(cell)[:12] for cell in cells[:3])
        finite = [value for value in numbers if math.isfinite(value)] or [0.0]
        found.append(
            ListedColumn(
                number,
                title,
                title_of(place, layout.names),
                kind,
                first,
                words[:_MAX_WORDS],
                min(finite),
                max(finite),
                separate,
            )
        )
    return tuple(found)


# -- rows and classes


class _Rows:
    """Rows of numbers, stored as bytes if that is exact, else in floating point.

    Parameters
    ----------
    most : int
        Rows there can be; memory is taken as they come.
    n_v : int
    loose : bool
        True if the first or the last column may turn out to be the class: they are kept beside `X`, too, so
        that large numbers in them do not make all of it wide.
    """

    def __init__(self, most: int, n_v: int, loose: bool) -> None:
        self.n, self.loose = 0, loose
        self.X: NDArray = np.empty((most, n_v), np.uint8)
        self._block = np.empty((_ROWS_AT_ONCE, n_v))
        self._inner = slice(1, -1) if loose else slice(None)
        self._edges = array("d"), array("d")

    def add(self, values: NDArray[np.float64]) -> None:
        """Append a row."""
        self._block[self.n % _ROWS_AT_ONCE] = values
        if self.loose:
            self._edges[0].append(values[0])
            self._edges[1].append(values[-1])
        self.n += 1
        if self.n % _ROWS_AT_ONCE == 0:
            self._store(_ROWS_AT_ONCE)

    def finish(self) -> None:
        """Store the last rows, so that `X` contains all."""
        self._store(self.n % _ROWS_AT_ONCE)
        self.X = self.X[: self.n]

    def edge(self, column: int) -> NDArray[np.float64]:
        """Return the values of the first (0) or the last (-1) column."""
        return np.array(self._edges[column])

    def without(self, column: int | None) -> tuple[NDArray, NDArray | None]:
        """Return the pixels, and the class in the first (0) or the last column (-1), or None."""
        for edge in {0, -1} - {column}:
            self._X_holds(edge)
        if column is None:
            return self.X, None
        return self.X[:, 1:] if column == 0 else self.X[:, :-1], self.edge(column)

    def _X_holds(self, column: int) -> None:
        """Widen `X` if it cannot hold an edge that is a pixel."""
        values = self.edge(column)
        if self.X.dtype == np.uint8 and not _fit_bytes(values):
            self.X = self.X.astype(np.float64)
        self.X[:, column] = values

    def _store(self, n: int) -> None:
        block, start = self._block[:n], self.n - n
        if self.X.dtype == np.uint8 and not _fit_bytes(block[:, self._inner]):
            wider = np.empty(self.X.shape)
            wider[:start] = self.X[:start]
            self.X = wider
        with np.errstate(invalid="ignore"):
            self.X[start : self.n] = block


def _fit_bytes(values: NDArray[np.float64]) -> bool:
    with np.errstate(invalid="ignore"):
        return np.array_equal(values.astype(np.uint8), values)


class _Words:
    """The classes of all rows, each word once in memory."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._known: dict[str, int] = {}
        self._rows = array("l")

    def add(self, word: str, at: int) -> None:
        """Append the class of a row."""
        self._rows.append(self._known.setdefault(word, len(self._known)))
        if len(self._known) > MAX_CLASSES:
            raise RefusedData(
                f"the labels of {self._filename} name more than {MAX_CLASSES:,} classes by line {at:,}; "
                f"expected at most {MAX_CLASSES:,}. Check which column they are, or leave them out."
            )

    def labels(self) -> NDArray:
        """Return numbers if all are, else words."""
        known = list(self._known)
        distinct = np.array([float(w) for w in known] if all(map(is_number, known)) else known)
        return distinct[np.array(self._rows)]


class _Candidate(NamedTuple):
    """First or last column of a table, whose numbers may be classes.

    Attributes
    ----------
    column : int
        0, the first, or -1, the last.
    unlike_pixels : int
        2: a tenth of its values lie outside the range of all other columns. 1: it is whole, and every other
        column that varies has fractions. 0: a pixel could have such values.
    likeness : int
        How many of four signs of classes it shows: no number is left out; no class has most of the images;
        the range is not that of all pixels; no pixel that varies has as small a range.
    """

    column: int
    unlike_pixels: int
    likeness: int


def _class_by_values(
    rows: _Rows, image_shape: tuple[int, int] | None, layout: _Layout, filename: str
) -> int | None:
    """Return the column of classes, 0 or -1, or None; ColumnsNeeded if two readings fit equally."""
    places, n_columns = layout.places, len(layout.places)
    if image_shape is None:
        fits_none, fits_class = _is_square(n_columns), _is_square(n_columns - 1)
    else:
        n_v = image_shape[0] * image_shape[1]
        fits_none, fits_class = n_columns == n_v, n_columns - 1 == n_v
        if not fits_class:
            return None
    found = sorted(_candidates(rows), key=lambda column: column[1:], reverse=True)
    if not fits_class:
        found = [candidate for candidate in found if candidate.unlike_pixels]
    if not found:
        return None
    best, other = found[0], found[1] if len(found) > 1 else None
    if other is None or other.unlike_pixels < best.unlike_pixels:
        certain = not fits_none or best.unlike_pixels == 2
    else:
        certain = fits_class and best.likeness - other.likeness > 1
    if certain:
        return best.column
    first = "the first after the index" if places[0] else "the first column"
    asked = sorted(found)[::-1]
    readings = " or ".join(
        f"column {places[c.column] + 1} ({_first_values(rows.edge(c.column))})" for c in asked
    )
    entries = [title_of(places[c.column], layout.names) for c in asked]
    if layout.n_columns - layout.has_index > MAX_LISTED:  # if the page does not list them
        entries = ["the first", "the last"]
    raise ColumnsNeeded(
        f"{readings} of {filename} may contain the classes or the values of a pixel; expected numbers that "
        "only one reading fits.",
        f"Say which: labels=0 ({first}), labels=-1 (the last) or labels=None (none).",
        f"Choose {', '.join(map(repr, entries))} or 'none' as the column of the classes.",
    )


def _is_square(n: int) -> bool:
    return n > 0 and math.isqrt(n) ** 2 == n


def _candidates(rows: _Rows) -> list[_Candidate]:
    """Return the columns at the edges whose values are few whole numbers, each of some images."""
    found = []
    inner = rows.X[:, 1:-1]
    statistics = None
    for column, opposite in ((0, -1), (-1, 0)):
        values = rows.edge(column)
        values = values[~np.isnan(values)]
        if not np.isfinite(values).all() or (values != np.floor(values)).any():
            continue
        known, counts = np.unique(values, return_counts=True)
        if not 2 <= len(known) <= min(_MAX_LABELS, len(values) // 2):
            continue
        statistics = statistics or _Statistics.of(inner)
        pixels = statistics.with_column(rows.edge(opposite))
        width = known[-1] - known[0]
        outside = np.mean((values < pixels.low) | (values > pixels.high))
        likeness = (
            int(known[0] in (0, 1) and width == len(known) - 1)
            + int(counts.max() <= 0.8 * len(values))
            + int((known[0], known[-1]) != (pixels.low, pixels.high))
            + int(width < statistics.least_width)
        )
        found.append(_Candidate(column, 2 if outside >= 0.1 else int(pixels.fractional), likeness))
    return found


class _Statistics(NamedTuple):
    """Statistics of a table's pixels.

    Attributes
    ----------
    low, high : float
        Smallest and largest value.
    least_width : float
        Smallest range of a pixel that varies.
    fractional : bool
        True if every pixel that varies has fractions, and there is one.
    whole : bool
        True if a pixel that varies has none.
    """

    low: float
    high: float
    least_width: float
    fractional: bool
    whole: bool

    @classmethod
    def of(cls, X: NDArray) -> _Statistics:
        """Return those of the known values of the columns of X."""
        if not X.size:
            return cls(math.inf, -math.inf, math.inf, False, False)
        low, high = (ends.astype(np.float64) for ends in known_range(X))
        width = np.nan_to_num(high - low, nan=0.0)
        fractions = np.zeros(X.shape[1], bool)
        if X.dtype.kind == "f":
            for start in range(0, len(X), _ROWS_AT_ONCE):
                block = X[start : start + _ROWS_AT_ONCE]
                fractions |= ((block != np.floor(block)) & ~np.isnan(block)).any(axis=0)
        varied = width > 0
        whole = bool((varied & ~fractions).any())
        return cls(
            float(np.fmin.reduce(low)),
            float(np.fmax.reduce(high)),
            float(width[varied].min()) if varied.any() else math.inf,
            bool(varied.any()) and not whole,
            whole,
        )

    def with_column(self, values: NDArray[np.float64]) -> _Statistics:
        """Return the same with a further column."""
        other = _Statistics.of(values[:, None])
        whole = self.whole or other.whole
        return _Statistics(
            min(self.low, other.low),
            max(self.high, other.high),
            min(self.least_width, other.least_width),
            (self.fractional or other.fractional) and not whole,
            whole,
        )
