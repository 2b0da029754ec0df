"""Images in a table of comma-separated values: one image a line, perhaps a line of names, perhaps a class."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets.own.images import Limits, OwnImages, RefusedData, assemble

__all__ = ["decode_csv"]

_LABEL_NAMES = ("label", "labels", "class", "target", "y")
_LINES_AT_ONCE = 2048  # bounds memory, and lets other threads have a turn
_MAX_COLUMNS = 1_000_000


def decode_csv(content: bytes, filename: str, limits: Limits, labels: str | int | None) -> OwnImages:
    """Read a table; arguments as in :func:`~lrbn_viz.datasets.own.read.decode_own`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefusedData(
            f"{filename} is not what it says it is: expected text (UTF-8), got the byte "
            f"0x{content[error.start]:02x} at {error.start:,}. Export it as CSV again."
        ) from error
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    del text
    if not lines:
        raise RefusedData(f"{filename} holds no lines; expected one image a line. Choose another file.")
    delimiter = max(",;\t", key=lines[0][1].count)
    cells = [cell.strip().strip('"') for cell in lines[0][1].split(delimiter)]
    names = None if any(_is_number(cell) for cell in cells[:-1] or cells) else cells
    if names is not None:
        del lines[0]
    if not lines:
        raise RefusedData(
            f"{filename} holds a line of names only; expected images below it. Export it again."
        )
    n_columns = lines[0][1].count(delimiter) + 1
    for at, line in [(1, delimiter.join(names)), *lines] if names else lines:
        if line.count(delimiter) + 1 != n_columns:
            raise RefusedData(
                f"line {at} of {filename} has {line.count(delimiter) + 1} columns; expected {n_columns} as "
                "in the first image. Give every image as many values."
            )
    if n_columns > _MAX_COLUMNS or len(lines) * n_columns > limits.values + len(lines):
        limits.check_images(len(lines), n_columns)
    column = _label_column(labels, names, lines, delimiter, n_columns, filename)
    wanted = [c for c in range(n_columns) if c != column]
    if not wanted:
        raise RefusedData(f"{filename} holds labels only; expected pixels beside them. Export it again.")
    X = _numbers(lines, delimiter, wanted, filename)
    y = None
    notes = []
    if column is not None:
        words = [line.split(delimiter)[column].strip().strip('"') for _, line in lines]
        y = np.array([float(word) for word in words]) if all(map(_is_number, words)) else np.array(words)
        notes.append(f"Classes are from column {column + 1}{f', {names[column]}' if names else ''}.")
    return assemble(X, y, None, None, filename, limits, notes=notes)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _label_column(
    labels: str | int | None,
    names: list[str] | None,
    lines: list[tuple[int, str]],
    delimiter: str,
    n_columns: int,
    filename: str,
) -> int | None:
    """Return the number of the column that holds classes."""
    if labels is None:
        return None
    if isinstance(labels, int):
        if not -n_columns <= labels < n_columns:
            raise RefusedData(
                f"labels = {labels}, but {filename} has {n_columns} columns; expected {-n_columns} to "
                f"{n_columns - 1}. Choose one of them."
            )
        return labels % n_columns
    if labels != "auto":
        if names is None or labels not in names:
            known = ", ".join(names[:8]) if names else "no line of names"
            raise RefusedData(
                f"{filename} has no column {labels!r}; expected one of its own: {known}. Name another."
            )
        return names.index(labels)
    for column, name in enumerate(names or ()):
        if name.lower() in _LABEL_NAMES:
            return column
    first = [cell.strip().strip('"') for cell in lines[0][1].split(delimiter)]
    if not _is_number(first[-1]):
        return n_columns - 1
    # 785 columns are 28 x 28 pixels and something: the class, if it is whole and not always the same
    if math.isqrt(n_columns) ** 2 == n_columns or math.isqrt(n_columns - 1) ** 2 != n_columns - 1:
        return None
    for column in (-1, 0):
        words = {line.split(delimiter)[column].strip().strip('"') for _, line in lines}
        if 2 <= len(words) <= 100 and all(_is_number(word) and float(word).is_integer() for word in words):
            return column % n_columns
    return None


def _numbers(lines: list[tuple[int, str]], delimiter: str, wanted: list[int], filename: str) -> NDArray:
    """Return the wanted columns as uint8 where that loses nothing, else float64."""
    blocks = []
    for start in range(0, len(lines), _LINES_AT_ONCE):
        part = lines[start : start + _LINES_AT_ONCE]
        try:
            block = np.loadtxt(
                (line for _, line in part),
                delimiter=delimiter,
                usecols=wanted,
                ndmin=2,
                quotechar='"',
                comments=None,
            )
        except ValueError as error:
            raise _culprit(part, delimiter, wanted, filename, error) from error
        with np.errstate(invalid="ignore"):
            small = block.astype(np.uint8)
        blocks.append(small if np.array_equal(small, block) else block)
    return np.concatenate(blocks)


def _culprit(
    lines: list[tuple[int, str]], delimiter: str, wanted: list[int], filename: str, error: Exception
) -> RefusedData:
    """Name the first cell that is no number."""
    for at, line in lines:
        cells = [cell.strip().strip('"') for cell in line.split(delimiter)]
        for column in islice(wanted, len(cells)):
            if not _is_number(cells[column]):
                shown = repr(cells[column][:20]) if cells[column] else "nothing"
                return RefusedData(
                    f"line {at}, column {column + 1} of {filename} holds {shown}; expected a number. "
                    "Fill it, or say which column holds the labels."
                )
    return RefusedData(
        f"{filename} cannot be read as numbers ({error}); expected one image a line. Check it."
    )
