"""Names of units: what is called by a name, what by its number, and which names are refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.io.constants import MAX_NAME_LENGTH
from lrbn_viz.io.storage import UnreadableFile, check_json, damaged, quoted


def check_names(names: Any, n: int, what: str = "visible") -> tuple[str, ...]:
    """Return the names of n units, or none, after checking them.

    Names are plain text: a page shows ``<b>`` as these three characters.

    Parameters
    ----------
    names : sequence of str
        A name for each unit, or none at all.
    n : int
        Number of units.
    what : str
        Kind of the units in error messages: ``"visible"`` or ``"latent"``.

    Raises
    ------
    ValueError
        There are more names than units, or fewer; a name is no text of 1 to 60 printable characters, or two
        units have the same name.
    """
    given = tuple(names)
    if len(given) not in (0, n):
        raise ValueError(f"expected a name for each of {n} {what} units, or none; got {len(given)}.")
    for name in given:
        if not _is_name(name):
            raise ValueError(
                f"expected {what} names of 1 to {MAX_NAME_LENGTH} printable characters, got "
                f"{str(name)[:80]!r}."
            )
    name, times = next(iter(Counter(given).most_common(1)), ("", 0))
    if times > 1:
        raise ValueError(
            f"expected {what} names that differ, got {name!r} {times} times. Rename all but one."
        )
    return tuple(str(name) for name in given)


def _is_name(name: Any) -> bool:
    return (
        isinstance(name, str)
        and 0 < len(name) <= MAX_NAME_LENGTH
        and name.isprintable()
        and bool(name.strip())
    )


def unit_name(unit: int, names: Sequence[str] = (), kind: str = "unit") -> str:
    """Return what a unit is called: its name, or where units have none its kind and number, ``"unit 7"``."""
    return names[unit] if len(names) else f"{kind} {unit}"


def visible_names_of(model: Any) -> tuple[str, ...]:
    """Return the names of a model's visible units: those it was given, else of the table it learned from.

    Empty where there are none, or where columns have names that :func:`check_names` refuses.
    """
    return model.visible_names_ or names_of_columns(getattr(model, "feature_names_in_", ()))


def names_of_columns(columns: Iterable[Any]) -> tuple[str, ...]:
    """Return a table's columns as names of visible units; empty where `check_names` refuses them."""
    names = list(columns)
    try:
        return check_names(names, len(names))
    except ValueError:
        return ()


def take_columns(model: Any, names: NDArray[np.object_] | None) -> None:
    """Call a model's columns, and its visible units, what the columns of a fitted table are called.

    Without names those of an earlier fit go. Modified in place.
    """
    before = getattr(model, "feature_names_in_", None)
    if names is not None:
        model.feature_names_in_ = names
        model.visible_names_ = names_of_columns(names)
    elif before is not None:
        del model.feature_names_in_
        if model.visible_names_ == names_of_columns(before):
            model.visible_names_ = ()


def with_names(map_trace: Callable[..., Any]) -> Callable[..., Any]:
    """Return a model's method that gives the trace it returns the names that the model has for units."""

    @wraps(map_trace)
    def named(self: Any, *args: Any, **options: Any) -> Any:
        return map_trace(self, *args, **options).named(self.latent_names_, visible_names_of(self))

    return named


def names_as_text(latents: Sequence[str], visibles: Sequence[str]) -> dict[str, str]:
    """Return the names of units as an entry of a file; no entry if there are none."""
    names = {"latents": list(latents), "visibles": list(visibles)}
    return {"names": json.dumps(names)} if any(names.values()) else {}


def names_in(arrays: Mapping[str, NDArray[np.str_]], what: str) -> dict[str, list[str]]:
    """Return the names of latents and visibles that a file holds; empty lists if it holds none.

    Raises
    ------
    UnreadableFile
        The entry is not what :func:`names_as_text` writes.
    """
    if "names" not in arrays:
        return {"latents": [], "visibles": []}
    names = check_json(arrays, "names", what)
    if names.keys() != {"latents", "visibles"} or not all(isinstance(part, list) for part in names.values()):
        raise damaged(what, "names of latents and visibles", f"names of {quoted(', '.join(map(str, names)))}")
    return names


def columns_in(arrays: Mapping[str, NDArray], what: str, n_v: int) -> NDArray[np.object_]:
    """Return the names of the columns of a table that a model learned from, as a file holds them; (n_v,).

    Raises
    ------
    UnreadableFile
        There are more names than visible units, or fewer, or they are no texts.
    """
    names = check_json(arrays, "columns", what, list)
    if len(names) != n_v or not all(isinstance(name, str) for name in names):
        raise damaged(what, f"names of {n_v} columns", f"{len(names)} values")
    return np.array(names, object)


def checked_names_in(
    arrays: Mapping[str, NDArray], what: str, n_h: int, n_v: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of n_h latents and n_v visibles that a file holds, checked.

    Raises
    ------
    UnreadableFile
        They are damaged, or not names.
    """
    names = names_in(arrays, what)
    try:
        return check_names(names["latents"], n_h, "latent"), check_names(names["visibles"], n_v)
    except ValueError as error:
        raise UnreadableFile(f"{what} is damaged: {error} Save it again.") from error
