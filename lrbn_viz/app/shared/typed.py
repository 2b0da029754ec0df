"""Parsing of typed texts and of links: numbers, and short quotes of invalid texts. No widgets."""

from __future__ import annotations

import math
import re

_WHOLE = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DIGITS = 25  # more digits than any bound; Python refuses to read thousands of digits


def quoted(text: str, most: int = 40) -> str:
    """Return a text in quotes, or its length if it has more than `most` characters.

    Examples
    --------
    >>> quoted("ab")
    "'ab'"
    >>> quoted("9" * 5000)
    '5,000 digits'
    """
    if not text:
        return "nothing"
    digits = text.isascii() and text.isdecimal()
    if len(text) <= most:
        return text if digits else repr(text)
    if digits:
        return f"{len(text):,} digits"
    return f"{text[:most]!r}... ({len(text):,} characters)"


def whole_number(text: str, least: int, most: int) -> int:
    """Read a whole number from `least` to `most`, written in the digits 0 to 9.

    Raises
    ------
    ValueError
        The text is no such number; the message says what was expected and what was received.
    """
    digits = text.lstrip("+-").lstrip("0")
    whole = _WHOLE.fullmatch(text) is not None and len(digits) <= _DIGITS
    value = int(digits or "0") * (-1 if text[0] == "-" else 1) if whole else math.nan
    if not least <= value <= most:  # NaN is in no range
        raise ValueError(f"expected a whole number from {least:,} to {most:,}, got {quoted(text)}")
    return int(value)


def any_number(text: str) -> int | float:
    """Read a number that was typed into a field: ``12``, ``1,000``, ``-0.5``, ``1e-3`` or ``inf``.

    Returns
    -------
    int or float
        An int where the text is a whole number of at most 25 digits, else a float, finite or infinite.

    Raises
    ------
    ValueError
        The text is no number, or one that is too large to be distinguished from infinity.
    """
    plain = text.strip().replace(",", "")
    if plain.lower() in ("inf", "-inf"):
        return float(plain)
    if _WHOLE.fullmatch(plain) and len(plain) <= _DIGITS:
        return int(plain)
    if _REAL.fullmatch(plain) is None:
        raise ValueError(f"expected a number, got {quoted(text)}.")
    value = float(plain)
    if math.isinf(value):
        raise ValueError(f"expected a number of a size that can be computed with, got {quoted(text)}.")
    return value


def run_name(text: str) -> str:
    """Return `text` if it is a valid name of a run; it comes from an address, and names a folder.

    Raises
    ------
    ValueError
        The text is no valid name.
    """
    from lrbn_viz.studies.runs import is_run_name  # imports the engine, so only if an address names a run

    if not is_run_name(text):
        raise ValueError(f"expected the name of a run, got {quoted(text)}.")
    return text
