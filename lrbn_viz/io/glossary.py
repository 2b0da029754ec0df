"""Terms that pages explain, and their equations: `glossary.json`, which the JavaScript imports too.

Equations have the paper's numbers; two that the paper does not number say which of its own they follow from.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import NamedTuple


class Term(NamedTuple):
    """A word of the pages.

    Attributes
    ----------
    name : str
        The term, spelled out.
    text : str
        What it means, in one to three sentences.
    equation : str or None
        Key of the equation that says it exactly.
    """

    name: str
    text: str
    equation: str | None


class Equation(NamedTuple):
    """An equation of the list.

    Attributes
    ----------
    key : str
        By which terms name it.
    number : str
        The paper's, such as ``"3"`` or ``"21, 22"``.
    what : str
        What it says, in words.
    formula : str
        A line each; ``_`` and ``^`` as in TeX.
    """

    key: str
    number: str
    what: str
    formula: str


_glossary = json.loads((files("lrbn_viz.io") / "glossary.json").read_text(encoding="utf-8"))

NAME: str = _glossary["name"]
"""The full name that LRBN stands for."""
TERMS: dict[str, Term] = {key: Term(**entry) for key, entry in _glossary["terms"].items()}
"""Terms by the keys with which pages name them."""
EQUATIONS: dict[str, Equation] = {entry["key"]: Equation(**entry) for entry in _glossary["equations"]}
"""Equations by key, in the paper's order."""


def nats_between(low: float, high: float) -> str:
    """Return an interval of nats as pages and reports print it, such as ``"between -80.1 and -76.8"``."""
    return f"between {low:.1f} and {high:.1f}"
