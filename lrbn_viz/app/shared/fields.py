"""Fields as Panel components: a field for whole numbers with error messages, and a menu."""

from __future__ import annotations

from typing import Any, ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Kinds, Offered, Typed
from lrbn_viz.app.shared.typed import whole_number
from lrbn_viz.io.constants import TYPED_CHARACTERS
from lrbn_viz.view.player.source import module_text


def bind(state: param.Parameterized, **widgets: param.Parameterized) -> None:
    """Keep the `value` of each widget equal to the parameter of `state` that it is passed for."""
    for name, widget in widgets.items():
        _follow_each_other(state, name, widget)


def _follow_each_other(state: param.Parameterized, name: str, widget: param.Parameterized) -> None:
    widget.param.watch(lambda event: state.param.update(**{name: event.new}), "value")
    state.param.watch(lambda event: widget.param.update(value=event.new), name)


class NumberField(Component):
    """A labelled field; `value` is the last valid number in it.

    Attributes
    ----------
    label : str
        Label of the field.
    value : int
        Last valid number; setting it changes the text of the field.
    start, end : int
        Smallest and largest valid number.
    text : str
        Text in the field: the last typed one, or the value.
    message : str
        Error message about the text; empty if it is valid.
    """

    label = param.String(default="")
    value = param.Integer(default=0)
    start = param.Integer(default=0)
    end = param.Integer(default=2**31 - 1)
    text = param.String(default="", constant=True)
    message = param.String(default="", constant=True)

    _esm: ClassVar[str] = module_text("app/shared/js/number.js")

    kinds: ClassVar[Kinds] = {"edit": {"text": Typed(TYPED_CHARACTERS)}}

    def __init__(self, **params: Any) -> None:
        super().__init__({"edit": self.edit}, **params)
        self._show()

    def _set(self, **values: str) -> None:
        with param.edit_constant(self):
            self.param.update(**values)

    @param.depends("value", watch=True)
    def _show(self) -> None:
        self._set(text=str(self.value), message="")

    def edit(self, text: str) -> None:
        """Set the value to a typed number; show a message and keep the value if it is invalid."""
        try:
            value = whole_number(text.strip(), self.start, self.end)
        except ValueError as error:
            self._set(text=text, message=f"{str(error)[0].upper()}{str(error)[1:]}.")
            return
        self.value = value
        self._show()  # also if the number is the same, as the text may differ


class Choice(Component):
    """A labelled menu, of which one entry is chosen.

    Attributes
    ----------
    label : str
        Label of the menu.
    options : list of (str, str)
        Value and title of each entry.
    value : str
        Value of the chosen entry.
    """

    label = param.String(default="")
    options = param.List(default=[], item_type=tuple)
    value = param.String(default="")

    _esm: ClassVar[str] = module_text("app/shared/js/choice.js")

    kinds: ClassVar[Kinds] = {"choose": {"value": Offered("options")}}

    def __init__(self, **params: Any) -> None:
        super().__init__({"choose": self._choose}, **params)

    def _choose(self, value: str) -> None:
        self.value = value
