"""Predictions of readers, asked for before the result is shown."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from ipywidgets import Layout, RadioButtons

UNCHOSEN = "You have not predicted; the answer is"


class Prediction:
    """Prediction of a reader, chosen before the result is shown.

    Attributes
    ----------
    options : tuple of str
        What can be expected.
    chosen : str or None
        What the reader expects; None before a choice. May be set.

    Examples
    --------
    >>> from lrbn_viz.notebook import ask
    >>> prediction = ask("on", "off")
    >>> prediction.chosen is None
    True
    >>> prediction.chosen = "off"
    >>> prediction.options, prediction.chosen
    (('on', 'off'), 'off')
    """

    def __init__(self, options: tuple[str, ...]) -> None:
        self.options = options
        self._buttons = RadioButtons(options=options, value=None, layout=Layout(width="max-content"))

    @property
    def chosen(self) -> str | None:
        """The reader's prediction."""
        return self._buttons.value

    @chosen.setter
    def chosen(self, option: str) -> None:
        self._buttons.value = option

    def __repr__(self) -> str:
        return f"choose one: {', '.join(self.options)}"

    def _repr_mimebundle_(self, **how: Any) -> Any:
        # as HTML too, where the widget's state is not kept
        shown: Any = self._buttons._repr_mimebundle_(**how)
        return shown | {"text/html": as_html(self.options)}

    def reveal(self, answer: str) -> None:
        """Print what is the case, beside what was expected.

        Raises
        ------
        ValueError
            When the answer is none of the options.
        """
        if answer not in self.options:
            raise ValueError(f"expected one of {', '.join(self.options)}, got {answer!r}.")
        if self.chosen is None:
            print(f"{UNCHOSEN}: {answer}.")
        elif self.chosen == answer:
            print(f"As you predicted: {answer}.")
        else:
            print(f"You predicted: {self.chosen}. The answer is: {answer}. What did you not think of?")


def ask(*options: str) -> Prediction:
    """Return buttons for a reader's prediction, before a later cell reveals the result.

    Parameters
    ----------
    *options : str
        At least two, no two alike.

    Raises
    ------
    ValueError
        When there are fewer, or two are alike.

    Examples
    --------
    >>> from lrbn_viz.notebook import ask
    >>> ask("the unit turns on", "the unit stays off")
    choose one: the unit turns on, the unit stays off
    """
    if len(set(options)) < max(2, len(options)):
        raise ValueError(f"expected two options or more, no two alike, got {options!r}.")
    return Prediction(options)


def as_html(options: Sequence[str], chosen: int | None = None) -> str:
    """Return the buttons of a prediction as HTML, which needs no script; `chosen` is an option's number."""
    name = f"lrbn-{uuid4().hex}"
    buttons = "".join(
        f'<label style="display: block; padding: .2em 0"><input type="radio" name="{name}"'
        f"{' checked' * (number == chosen)}> {html.escape(option)}</label>"
        for number, option in enumerate(options)
    )
    return f'<div role="radiogroup" aria-label="Your prediction">{buttons}</div>'
