"""The meaning of table columns: pixels, words that are 0 or 1, numbers cut at a threshold, classes.

In a table of images all columns are pixels, on one scale. In a table of people, say, each is a quantity of
its own: then words of yes and no are 1 and 0, and a threshold says which of its numbers are 1. If neither
names nor values decide, the user is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from lrbn_viz.core.validation import unknown_in
from lrbn_viz.datasets.own.images import OwnImages, RefusedData, known_range, plain_name
from lrbn_viz.io.constants import MAX_NAME_LENGTH, TABLE_PAIRS
from lrbn_viz.io.storage import quoted

Column = str | int
"""A column by its name, or by its number: from 0, -1 is the last, without one that numbers the lines."""
Threshold = float | str
"""The number from which on a cell is 1, or the word that is 1."""

_PAIRS = tuple(frozenset(pair) for pair in TABLE_PAIRS)
_ONE = frozenset(one for one, _ in TABLE_PAIRS)
_MAX_NAMED = 4  # columns that a message lists


class ColumnsNeeded(RefusedData):
    """Error that asks for the meaning of a column.

    Parameters
    ----------
    said : str
        What came, and what was expected.
    answers, entries : str
        How to say it in Python, and on the page.

    Attributes
    ----------
    on_page : str
        The question as the page asks it.
    """

    def __init__(self, said: str, answers: str, entries: str) -> None:
        super().__init__(f"{said} {answers}")
        self.on_page = f"{said} {entries}"


@dataclass(frozen=True)
class TableChoices:
    """Choices for reading a table; all but `lenient` as in `read_dataset`.

    Attributes
    ----------
    lenient : bool
        True if what would be asked is left out meanwhile, with the question beside the images.
    """

    labels: Column | None = "auto"
    columns: Sequence[Column] | None = None
    thresholds: Mapping[Any, Threshold] = field(default_factory=dict)
    lenient: bool = False

    def __post_init__(self) -> None:
        """Raise an error for an invalid choice.

        Raises
        ------
        ValueError
            Columns are no list, or a threshold is neither a finite number nor a word.
        """
        if isinstance(self.columns, str) or not isinstance(self.columns, Sequence | None):
            raise ValueError(
                "columns must be a list of names or numbers of columns, or None for all; got "
                f"{quoted(self.columns)}."
            )
        if not isinstance(self.thresholds, Mapping):
            raise ValueError(
                "thresholds must be a dictionary from columns to numbers or words, such as {'age': 40}; got "
                f"{quoted(self.thresholds)}."
            )
        for name, value in self.thresholds.items():
            number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            if not number and not (isinstance(value, str) and value.strip()):
                raise ValueError(
                    f"the threshold of {name!r} is {quoted(value)}; expected a number, at or above "
                    "which a cell is 1, or the word that counts as 1."
                )

    @property
    def names(self) -> set[str]:
        """Names of columns that are given."""
        given = (self.labels, *(self.columns or ()), *self.thresholds)
        return {each for each in given if isinstance(each, str)}


def is_number(text: str) -> bool:
    """Return whether a text is a number as tables write it; Python also reads 1_000 and digits of all
    scripts.
    """
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text


def is_word(cell: str) -> bool:
    """Return whether a cell holds text that is not a number."""
    return bool(cell) and not is_number(cell)


def place_of(
    given: Column, names: list[str] | None, places: Sequence[int], filename: str, what: str = "labels"
) -> int:
    """Return the place in a line, from 0, of a column by name or number; `places` are those that count.

    Raises
    ------
    RefusedData
        There is none such; `what` says which argument names it.
    """
    n_columns = len(places)
    if isinstance(given, str):
        if names is None or given not in names:
            known = ", ".join(map(plain_name, names[:8])) if names else "no line of names"
            raise RefusedData(
                f"{filename} has no column {given!r}; expected one of its own: {known}. Name another."
            )
        return names.index(given)
    if not -n_columns <= given < n_columns:
        raise RefusedData(
            f"{what} = {given}, but {filename} has {n_columns} columns; expected {-n_columns} to "
            f"{n_columns - 1}. Choose one of them."
        )
    return places[given]


def title_of(place: int, names: list[str] | None) -> str:
    """Return the name of a column in a message: its number in the file, from 1, and its name."""
    return f"column {place + 1}" + (f", {plain_name(names[place])}" if names and names[place] else "")


def titles_of(places: Sequence[int], names: list[str] | None) -> str:
    """Return the names of several columns, the first four of them."""
    found = [title_of(place, names) for place in places[:_MAX_NAMED]]
    more = [f"{len(places) - _MAX_NAMED} more"] if len(places) > _MAX_NAMED else []
    return _series([*found, *more])


def _series(parts: list[str]) -> str:
    """Return parts that may have commas in them as one list."""
    *first, last = parts
    return " and ".join(filter(None, ["; ".join(first), last]))


# -- words


def pair_of(cells: Sequence[str]) -> frozenset[str] | None:
    """Return the words of yes and no that cells consist of; None where they hold anything else."""
    words = {cell.lower() for cell in cells}
    return next((pair for pair in _PAIRS if words and words <= pair), None)


def pairs_of(rows: Sequence[Sequence[str]]) -> dict[int, frozenset[str]]:
    """Return the columns whose cells are yes or no, or empty, by their places, with their words."""
    found = {}
    for place in range(min(map(len, rows), default=0)):
        if (pair := pair_of([row[place] for row in rows if row[place]])) is not None:
            found[place] = pair
    return found


def with_bits(row: Sequence[str], pairs: Mapping[int, frozenset[str]]) -> list[str]:
    """Return a row with 1 and 0 where its columns hold yes and no."""
    return [
        str(int(cell.lower() in _ONE)) if place in pairs and cell.lower() in pairs[place] else cell
        for place, cell in enumerate(row)
    ]


class Odd(ValueError):
    """Error for a cell that its column cannot hold; the message says what was expected."""


class Reader(NamedTuple):
    """Conversion of the cells of one column to 0 and 1.

    Attributes
    ----------
    read : callable
        From a cell to the text of a number; raises `Odd`.
    note : str
        What is 1, to follow the title of the column: "1 for yes".
    word : str
        The word that is 1, where one was given.
    """

    read: Callable[[str], str]
    note: str
    word: str = ""


def yes_or_no(pair: frozenset[str]) -> Reader:
    """Return the reader of one of two words."""
    (one,), (zero,) = pair & _ONE, pair - _ONE

    def read(cell: str) -> str:
        word = cell.lower()
        if word not in pair:
            raise Odd(f"{one} or {zero} as in the lines above")
        return "1" if word == one else "0"

    return Reader(read, f"1 for {one}")


def cut_at(threshold: Threshold) -> Reader:
    """Return the reader of numbers from a threshold on, or of one word, as 1 and of the others as 0."""
    if isinstance(threshold, str):
        wanted = threshold.strip()

        def word(cell: str) -> str:
            return "1" if cell.casefold() == wanted.casefold() else "0"

        return Reader(word, f"1 for {plain_name(wanted)}", wanted)

    def number(cell: str) -> str:
        if not is_number(cell) or not math.isfinite(value := float(cell)):
            raise Odd("a number, since its threshold is one")
        return "1" if value >= threshold else "0"

    return Reader(number, f"1 from {threshold:g} on")


# -- what is asked


def two_labels(filename: str, named: Sequence[int], names: list[str]) -> ColumnsNeeded:
    """Return the question which of several columns with such names holds the classes."""
    both = " and ".join(title_of(place, names) for place in named[:_MAX_NAMED])
    return ColumnsNeeded(
        f"{filename} names more than one column of classes: {both}; expected one.",
        f"Say which: labels={names[named[0]]!r}, or labels=None for none.",
        "Choose one of them as the column of the classes, or none.",
    )


def words_without_meaning(
    filename: str, places: Sequence[int], names: list[str] | None, first: Sequence[str], number: int
) -> ColumnsNeeded:
    """Return the question about the meaning of columns of words; `number` is Python's index of the first."""
    column: Column = names[places[0]] if names and names[places[0]] else number
    there = [
        f"{title_of(place, names)} ({plain_name(first[place][:20])}, ...)" for place in places[:_MAX_NAMED]
    ]
    more = [f"{len(places) - _MAX_NAMED} more"] if len(places) > _MAX_NAMED else []
    return ColumnsNeeded(
        f"{filename} holds words in {_series([*there, *more])}; expected numbers, or yes and no, in all "
        "columns but that of the classes.",
        f"Say which column holds the classes (labels={column!r}), which word is 1 "
        f"(thresholds={{{column!r}: {first[places[0]][:20]!r}}}), or which columns to read (columns=[...]).",
        "Choose the column of the classes, and for each other column of words the word that is 1, or leave "
        "it out.",
    )


def no_common_scale(own: OwnImages) -> ColumnsNeeded | None:
    """Return the question about the thresholds of columns; None if all numbers are 0 and 1."""
    (low, high), unknown = known_range(own.X), unknown_in(own.X)
    between = (own.X != 0) & (own.X != 1)
    if unknown is not None:
        between &= ~unknown
    wide = np.flatnonzero((low < 0) | (high > 1) | between.any(axis=0))
    if not len(wide):
        return None
    there = [f"{own.columns[place]} ({low[place]:g} to {high[place]:g})" for place in wide[:_MAX_NAMED]]
    more = [f"{len(wide) - _MAX_NAMED} more"] if len(wide) > _MAX_NAMED else []
    middle = float(np.nanmedian(own.X[:, wide[0]]))
    return ColumnsNeeded(
        f"the columns have no common scale: {_series([*there, *more])}; expected for each the number from "
        "which on it is 1.",
        f"Say thresholds={{{own.columns[wide[0]]!r}: {middle:g}}}, which columns to read (columns=[...]), or "
        "binary=False to standardise each.",
        "Fill in from which number on each is 1, leave it out, or let columns be standardised.",
    )


def stems_of(names: list[str], places: Sequence[int]) -> dict[int, str]:
    """Return the names of columns without their numbers, by place: those of pixels differ in nothing else."""
    return {place: re.sub(r"\d+", "0", names[place]) for place in places}


def names_differ(names: list[str] | None, places: Sequence[int]) -> bool:
    """Return whether the names of columns differ in more than their numbers, so that each is a separate
    variable.
    """
    return bool(names) and len(places) > 1 and len(set(stems_of(names, places).values())) > 1


def names_of(places: Sequence[int], names: list[str] | None, filename: str) -> tuple[str, ...]:
    """Return the name of each column that is a variable: its own, shortened to one line, or its number.

    Raises
    ------
    RefusedData
        Two columns have the same name.
    """
    given: dict[str, int] = {}
    found: list[str] = []
    for place in places:
        name = " ".join(names[place].split()) if names else ""
        if name and given.setdefault(name, place) != place:
            raise RefusedData(
                f"{filename} has two columns called {plain_name(name)!r}, {given[name] + 1} and {place + 1}; "
                "expected names that differ. Rename one, or leave it out."
            )
        title = plain_name(name) if name else f"column {place + 1}"
        if len(title) > MAX_NAME_LENGTH:
            title = f"{title[: MAX_NAME_LENGTH - 1]}\N{HORIZONTAL ELLIPSIS}"
        if title in found:  # of different names whose beginnings are the same
            number = f" ({place + 1})"
            title = title[: MAX_NAME_LENGTH - len(number)] + number
        found.append(title)
    return tuple(found)
