"""Messages that a browser may send to a component: their kinds, and the requirements on their fields.

A message is ``{"type": kind, field: value, ...}``. It comes over the network from anybody, so
every value is checked before use, and invalid messages are ignored. No widgets here.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Surrogates, which UTF-8 cannot encode.
_HALVES = re.compile(r"[\ud800-\udfff]")


class Refused(ValueError):
    """Error for a value that a field does not accept."""


class Value(ABC):
    """Requirement on a field of a message."""

    @abstractmethod
    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the field accepts a received value for a component; some depend on its current
        offers.
        """

    def read(self, value: Any, component: object) -> Any:
        """Return the value as the component's answer takes it.

        Raises
        ------
        Refused
            The field does not take it.
        """
        if not self.accepts(value, component):
            raise Refused(f"expected what {self} takes.")
        return value


@dataclass(frozen=True)
class Int(Value):
    """A whole number from `least` to `most`; True and False are none."""

    least: int
    most: int

    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the value is one."""
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most


@dataclass(frozen=True)
class Float(Value):
    """A finite number from `least` to `most`."""

    least: float
    most: float

    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the value is one; NaN is in no range."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return number and self.least <= value <= self.most and math.isfinite(value)

    def read(self, value: Any, component: object) -> float:
        """Return it as a float, or refuse it."""
        return float(super().read(value, component))


@dataclass(frozen=True)
class Bool(Value):
    """True or False."""

    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the value is one of them."""
        return isinstance(value, bool)


@dataclass(frozen=True)
class Str(Value):
    """Text of at most `most` characters that can be written as UTF-8."""

    most: int

    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the value is such a text."""
        return isinstance(value, str) and len(value) <= self.most and not _HALVES.search(value)


@dataclass(frozen=True)
class Name(Str):
    """Text that can be the name of a file: not empty, and without control characters."""

    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the value is such a text."""
        return super().accepts(value, component) and re.search(r"^$|[\x00-\x1f\x7f]", value) is None


@dataclass(frozen=True)
class Typed(Str):
    """Text typed into a field with error messages: surrogates are replaced."""

    def read(self, value: Any, component: object) -> str:
        """Return the text with a question mark for each surrogate, or refuse it."""
        return super().read(_HALVES.sub("?", value) if isinstance(value, str) else value, component)


@dataclass(frozen=True, init=False)
class OneOf(Value):
    """One of some texts."""

    choices: tuple[str, ...]

    def __init__(self, *choices: str) -> None:
        object.__setattr__(self, "choices", choices)

    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the value is one of them."""
        return isinstance(value, str) and value in self.choices


@dataclass(frozen=True)
class ListOf(Value):
    """A list of at most `most` values of one kind."""

    value: Value
    most: int

    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the value is such a list."""
        return (
            isinstance(value, list)
            and len(value) <= self.most
            and all(self.value.accepts(each, component) for each in value)
        )

    def read(self, value: Any, component: object) -> list[Any]:
        """Return its values as their kind reads them, or refuse it."""
        return [self.value.read(each, component) for each in super().read(value, component)]


@dataclass(frozen=True)
class Offered(Value):
    """One of the entries that the component offers now: `name` is a list of its, of (value, title, ...)."""

    name: str

    def choices(self, component: object) -> list[str]:
        """Return the values on offer."""
        return [str(value) for value, *_ in getattr(component, self.name)]

    def accepts(self, value: Any, component: object) -> bool:
        """Return whether the value is on offer."""
        return isinstance(value, str) and value in self.choices(component)


Kinds = Mapping[str, Mapping[str, Value]]
"""Fields by name, of each kind of message; answers take the values in this order."""


def read_message(data: object, kinds: Kinds, component: object) -> tuple[str, list[Any]] | None:
    """Return the kind of a message and its values in the declared order; None for what is no such message.

    Parameters
    ----------
    data : object
        Received value, of any type.
    kinds : mapping
        Allowed messages.
    component : object
        Component that received the message.
    """
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(kind, str) or kind not in kinds:
        return None
    fields = kinds[kind]
    if data.keys() - {"type"} != fields.keys():
        return None
    try:
        return kind, [value.read(data[name], component) for name, value in fields.items()]
    except Refused:
        return None
