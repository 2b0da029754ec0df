"""Hyper-parameters, each declared once: as metadata of a dataclass field.

A :class:`Field` says what a setting is called, in which unit it is, what it does, which values it takes and
when it applies. Checks, docstrings, forms and reports read it. In a dataclass::

    momentum: float = declare(
        Real("Momentum", None, "Share of the last step that is repeated.", bounds=Interval(0, 1)), 0.0
    )
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import numbers
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from lrbn_viz.core.validation import Interval, check_choice, check_flag, check_integer, check_number
from lrbn_viz.io.storage import quoted

_KEY = "lrbn_viz.core.fields"  # of the metadata of a dataclass field
_WIDTH = 100  # characters of a line of a docstring
MAX_LAYERS = 100
"""Layers of a model at most: more are a slip, or a forged file."""

T = TypeVar("T")


class Above(NamedTuple):
    """Numbers above a bound, as the condition of a field."""

    bound: float

    def __contains__(self, value: Any) -> bool:
        return value is not None and value > self.bound

    def __str__(self) -> str:
        return f"> {self.bound:g}"


class Layers(NamedTuple):
    """Latent units of at least, and at most, so many layers, as the condition of a field."""

    least: int
    most: int = MAX_LAYERS

    def __contains__(self, value: Any) -> bool:
        return self.least <= len(each_layer(value)) <= self.most

    def __str__(self) -> str:
        return "of one layer" if self.most == 1 else "of several layers"


ONE_LAYER, SEVERAL_LAYERS = Layers(1, 1), Layers(2)

When = Sequence[Mapping[str, Any]]
"""Condition under which a field applies: for at least one of these mappings, each setting named in it has one
of the values given there (a tuple of values, `Above` or `Layers`). Empty: always.
"""


@dataclass(frozen=True)
class Field(ABC):
    """Description of one hyper-parameter; its name is that of the dataclass field.

    Attributes
    ----------
    label : str
        What people read: the field's standard term.
    unit : str or None
        In which a value is given; None where it has none.
    help : str
        One sentence on what it does.
    details : str
        More on it, for docstrings.
    none : str
        What None means; empty where None is no value of it.
    unset : str
        The word for None in forms and reports.
    when : sequence of mappings
        When it applies; see :data:`When`.
    fixed : str
        Why it cannot change during a run; empty where it can.
    in_form : bool
        True if a form offers it.
    default : object
        Set by :func:`declare`.
    """

    label: str
    unit: str | None
    help: str
    _: dataclasses.KW_ONLY
    details: str = ""
    none: str = ""
    unset: str = "none"
    when: When = ()
    fixed: str = ""
    in_form: bool = True
    default: Any = None

    @property
    @abstractmethod
    def type(self) -> str:
        """Type of the values, as in docstrings, such as "int"."""

    @property
    def values(self) -> str:
        """Range of the values, in words, such as "at least 1"; empty if the type is sufficient."""
        return ""

    @abstractmethod
    def convert(self, value: Any, name: str) -> Any:
        """Return the value as it is used; TypeError or ValueError, in words, if it cannot be."""

    def check(self, value: Any, name: str) -> Any:
        """Return a value of the setting `name` as it is used.

        Raises
        ------
        TypeError, ValueError
            It cannot be: the words say what was expected, what came and what the default is.
        """
        if value is None and self.none:
            return None
        try:
            return self.convert(value, name)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            words = str(error).replace(" must be ", " must be None or ", 1) if self.none else str(error)
            raise kind(f"{words} The default is {self.default!r}.") from None

    def applies(self, settings: Mapping[str, Any]) -> bool:
        """Return whether the setting has an effect, given the other settings."""
        return not self.when or any(
            all(name in settings and settings[name] in values for name, values in each.items())
            for each in self.when
        )

    def given(self, fixed: Mapping[str, Any]) -> Field | None:
        """Return the field where other settings have fixed values; None if it then never applies."""
        left = [
            {name: values for name, values in each.items() if name not in fixed}
            for each in self.when
            if all(fixed[name] in values for name, values in each.items() if name in fixed)
        ]
        if not self.when:
            return self
        return replace(self, when=() if {} in left else tuple(left)) if left else None

    def text(self, value: Any) -> str:
        """Write a value with its unit, for people."""
        if value is None:
            return self.unset
        number = f"{value:g}" if isinstance(value, float) else str(value)
        return number if self.unit is None else f"{number} {self.unit}"

    @property
    def hint(self) -> str:
        """Effect and range of the setting, for users who set it."""
        values = f"{self.values[0].upper()}{self.values[1:]}." if self.values else ""
        return " ".join(filter(None, (self.help, values, self.none and f"None: {self.none}.")))

    def docstring(self, name: str) -> str:
        """Return the entry of a numpydoc section "Parameters"."""
        type_ = f"{self.type} or None" if self.none and "None" not in self.type else self.type
        unit = f"In {self.unit}." if self.unit else ""
        when = f"Only with {_condition(self.when)}." if self.when else ""
        words = " ".join(filter(None, (self.hint, unit, self.details, when)))
        text = textwrap.fill(words, _WIDTH - 4)
        return f"{name} : {type_}, default={self.default!r}\n{textwrap.indent(text, '    ')}"


def _condition(when: When) -> str:
    """Write when a field applies, such as ``e_step="annealed" or "gibbs"``."""
    return ", or ".join(
        " and ".join(
            f"{name} {values}"
            if isinstance(values, (Above, Layers))
            else f"{name}={' or '.join(map(repr, values))}"
            for name, values in each.items()
        )
        for each in when
    )


@dataclass(frozen=True)
class _Number(Field):
    """A number.

    Attributes
    ----------
    bounds : Interval
    form_most : float
        The largest number that a form takes: more is a slip, or costs a server too much.
    """

    _: dataclasses.KW_ONLY
    bounds: Interval
    form_most: float = math.inf

    @property
    def values(self) -> str:
        """The bounds of its values."""
        return str(self.bounds)


@dataclass(frozen=True)
class Real(_Number):
    """A real number."""

    type: ClassVar[str] = "float"

    def convert(self, value: Any, name: str) -> float:
        """Return a float."""
        return check_number(value, name, self.bounds)


@dataclass(frozen=True)
class Integer(_Number):
    """A whole number."""

    type: ClassVar[str] = "int"

    @property
    def values(self) -> str:
        """The bounds of its values."""
        return str(self.bounds).removesuffix(" and finite")

    def convert(self, value: Any, name: str) -> int:
        """Return an int."""
        value = check_integer(value, name, int(self.bounds.low))
        if value > self.bounds.high:
            raise ValueError(f"{name} must be at most {self.bounds.high:,}; got {quoted(value)}.")
        return value


@dataclass(frozen=True)
class Choice(Field):
    """One of some names.

    Attributes
    ----------
    choices : mapping from a value to its title
    """

    _: dataclasses.KW_ONLY
    choices: Mapping[str, str]

    @property
    def type(self) -> str:
        """All values in braces."""
        return f"{{{', '.join(map(repr, self.choices))}}}"

    def text(self, value: Any) -> str:
        """Return a value's title."""
        return self.choices.get(value, str(value))

    def convert(self, value: Any, name: str) -> str:
        """Return one of the choices."""
        return check_choice(value, name, tuple(self.choices))


@dataclass(frozen=True)
class Flag(Field):
    """On or off.

    Attributes
    ----------
    titles : (str, str)
        What a form calls False and True.
    """

    type: ClassVar[str] = "bool"
    _: dataclasses.KW_ONLY
    titles: tuple[str, str] = ("off", "on")

    def text(self, value: Any) -> str:
        """Return a value's title."""
        return self.titles[bool(value)]

    def convert(self, value: Any, name: str) -> bool:
        """Return a bool."""
        return check_flag(value, name)


@dataclass(frozen=True)
class Several(Field):
    """A value for each layer.

    Attributes
    ----------
    of : Field
        What each value is.
    alone : bool
        True if one value may stand for all layers.
    parts : tuple of Field
        What the value of each layer is, the lowest first, where their number is fixed; else empty.
    """

    _: dataclasses.KW_ONLY
    of: Field
    alone: bool = False
    parts: tuple[Field, ...] = ()

    @property
    def type(self) -> str:
        """The type of the values."""
        several = f"sequence of {self.of.type}"
        return f"{self.of.type} or {several}" if self.alone else several

    @property
    def values(self) -> str:
        """The values of each."""
        return f"each {self.of.values}"

    def each(self, value: Any) -> tuple[Any, ...]:
        """Return the value of each layer; one that stands alone is that of all whose number is fixed."""
        return each_layer(value) if hasattr(value, "__len__") else (value,) * (len(self.parts) or 1)

    def convert(self, value: Any, name: str) -> Any:
        """Return one value, or the sequence of them."""
        if self.alone and isinstance(value, numbers.Number):
            return self.of.convert(value, name)
        if isinstance(value, str) or not hasattr(value, "__len__") or not len(value):
            must = "must be a number, or hold" if self.alone else "must hold"
            single = isinstance(value, str) or not hasattr(value, "__len__")
            kind = TypeError if self.alone and single else ValueError
            raise kind(f"{name} {must} one for each layer; got {value!r}.")
        if len(value) > MAX_LAYERS:
            raise ValueError(f"{name} must hold at most {MAX_LAYERS} values; got {len(value):,}.")
        if self.parts and len(value) != len(self.parts):
            raise ValueError(f"{name} must hold {len(self.parts)} values, one for each layer; got {value!r}.")
        for field, each in zip(self.parts or (self.of,) * len(value), value, strict=True):
            field.convert(each, name)
        return value


def of_both(lower: Field, upper: Field) -> Several:
    """Return the field of a setting of both layers of a model that always has two."""
    return Several(
        f"{lower.label} of both layers",
        None,
        "How many latent units both layers have, the lower one first; a number alone is that of each.",
        fixed=lower.fixed,
        default=(lower.default, upper.default),
        of=lower,
        alone=True,
        parts=(lower, upper),
    )


def each_layer(value: Any) -> tuple[Any, ...]:
    """Return the value of each layer: a sequence of them, or one that stands alone, of one layer."""
    return tuple(value) if hasattr(value, "__len__") else (value,)


@dataclass(frozen=True)
class Seed(Field):
    """The seed of all randomness."""

    type: ClassVar[str] = "int, numpy.random.Generator or None"
    values: ClassVar[str] = "a number is at least 0"

    def convert(self, value: Any, name: str) -> Any:
        """Return the value from which a random generator can be made."""
        if not isinstance(value, (np.random.Generator, np.random.RandomState)):
            check_integer(value, name, 0)
        return value


def declare(field: Field, default: Any = dataclasses.MISSING, **changes: Any) -> Any:
    """Return the default of a dataclass field, with a `Field` as its metadata.

    Parameters
    ----------
    field : Field
    default : object
        The field's own where it is left out.
    **changes
        What differs here from `field`.
    """
    default = field.default if default is dataclasses.MISSING else default
    return dataclasses.field(default=default, metadata={_KEY: replace(field, default=default, **changes)})


def fields_of(owner: Any) -> dict[str, Field]:
    """Return the fields that a dataclass, or an object of one, declares, in the order of its signature."""
    # a signature has keywords last, also those of a base
    declared = sorted(dataclasses.fields(owner), key=lambda each: each.kw_only is True)
    return {each.name: each.metadata[_KEY] for each in declared if _KEY in each.metadata}


def check_fields(owner: Any) -> None:
    """Raise TypeError or ValueError, in words, where a setting of a dataclass object cannot be."""
    for name, field in fields_of(owner).items():
        field.check(getattr(owner, name), name)


def in_words(settings: Mapping[str, Any], fields: Mapping[str, Field]) -> str:
    """Write settings with the labels and units of their fields; a name without a field stands as it is."""
    return ", ".join(
        f"{fields[name].label} = {fields[name].text(value)}" if name in fields else f"{name} = {value}"
        for name, value in settings.items()
    )


def documented(cls: type[T]) -> type[T]:
    """Write the section "Parameters" of a dataclass's docstring from its fields; a class decorator."""
    if cls.__doc__ is None:  # python -OO
        return cls
    head, *rest = re.split(r"\n\n(?=[^\n]+\n-{3,}\n)", inspect.cleandoc(cls.__doc__), maxsplit=1)
    entries = [field.docstring(name) for name, field in fields_of(cls).items()]
    cls.__doc__ = "\n\n".join([head, "\n".join(["Parameters", "----------", *entries]), *rest]) + "\n"
    return cls
