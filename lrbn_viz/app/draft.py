"""A run as it is typed: texts for every setting, what is wrong with each, and the configuration they mean."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, cast

from lrbn_viz.app.presets import FIELDS, Field
from lrbn_viz.estimators import LRBN, RBM
from lrbn_viz.runs import LaneConfig, RunConfig

NONE = "none"
"""The second lane's system where only one model is trained."""
_FOREVER = 10**6  # passes, where time is the budget

RUN_FIELDS: dict[str, tuple[str, Literal["int", "float"]]] = {
    "batch_size": ("Minibatch", "int"),
    "amount": ("Budget", "float"),
    "seed": ("Seed", "int"),
}


class Lane(NamedTuple):
    """One lane of the draft: a system (or `NONE`) and its settings as texts."""

    system: str
    texts: Mapping[str, str]


class Draft(NamedTuple):
    """A run as it is typed: every number a text."""

    dataset: str
    binary: bool
    lanes: tuple[Lane, Lane]
    budget: str
    texts: Mapping[str, str]


def text_of(value: Any) -> str:
    """Write a setting as it would be typed."""
    if value is None:
        return "none"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def value_of(field: Field, text: str) -> Any:
    """Read a setting.

    Raises
    ------
    ValueError
        The text is no number of the kind, or none of the choices.
    """
    if field.kind == "choice":
        if text not in field.choices:
            raise ValueError(f"expected one of {', '.join(field.choices)}, got {text!r}.")
        return text
    if field.optional and text.strip().lower() in ("", "none"):
        return None
    return number_of(field.kind, text)


def number_of(kind: str, text: str) -> Any:
    """Read a number of a kind, "int" or "float"; ValueError where it is none."""
    try:
        value = float(text.replace(",", "").strip())
    except ValueError:
        raise ValueError(f"expected a number, got {text!r}.") from None
    if kind == "int":
        if not value.is_integer():
            raise ValueError(f"expected a whole number, got {text!r}.")
        return int(value)
    return value


def lane_names(systems: tuple[str, ...]) -> tuple[str, ...]:
    """Return names that tell lanes apart."""
    if len(set(systems)) == len(systems):
        return systems
    return tuple(f"{system} {letter}" for system, letter in zip(systems, "AB", strict=False))


def lane_of(system: str, settings: Mapping[str, Any]) -> Lane:
    """Return a lane with all its system's settings as texts: the given ones, and else the defaults."""
    if system == NONE:
        return Lane(NONE, {})
    kind: type[LRBN] | type[RBM] = {"LRBN": LRBN, "RBM": RBM}[system]
    values = {**kind().get_params(), **settings}
    return Lane(system, {field.name: text_of(values[field.name]) for field in FIELDS[system]})


def with_lane(draft: Draft, number: int, lane: Lane) -> Draft:
    """Return the draft with another lane in one place."""
    lanes = list(draft.lanes)
    lanes[number] = lane
    return draft._replace(lanes=cast("tuple[Lane, Lane]", tuple(lanes)))


def edited(draft: Draft, path: str, text: str, datasets: Collection[str]) -> Draft | None:
    """Return the draft with one field changed, or None where it has no such field or choice.

    Parameters
    ----------
    path : str
        "dataset", "binary", "budget", "batch_size", "amount", "seed", or a lane's "0.system",
        "1.learning_rate" and so on.
    text : str
        As it was typed or chosen.
    datasets : collection of str
        Names to choose from.
    """
    if path in RUN_FIELDS:
        return draft._replace(texts={**draft.texts, path: text})
    if path == "dataset" and text in datasets:
        return draft._replace(dataset=text)
    if path == "binary" and text in ("binary", "grey"):
        return draft._replace(binary=text == "binary")
    if path == "budget" and text in ("passes", "seconds"):
        amount = "5" if text == "passes" else "60"
        return draft._replace(budget=text, texts={**draft.texts, "amount": amount})
    lane, _, name = path.partition(".")
    if lane not in ("0", "1"):
        return None
    if name == "system" and (text in FIELDS or (text == NONE and lane == "1")):
        return with_lane(draft, int(lane), lane_of(text, {"n_components": _units(draft)}))
    old = draft.lanes[int(lane)]
    if name not in old.texts:
        return None
    return with_lane(draft, int(lane), old._replace(texts={**old.texts, name: text}))


def _units(draft: Draft) -> int:
    try:
        return number_of("int", draft.lanes[0].texts["n_components"])
    except (ValueError, KeyError):
        return 200


def relevant(field: Field, lane: Lane, binary: bool) -> bool:
    """Whether a setting matters, as the others of its lane are."""
    kind = "bernoulli" if binary else "gaussian"
    return field.visible in ("", kind) and all(
        lane.texts[name] in values for name, values in field.when.items()
    )


def _settings(lane: Lane, binary: bool) -> dict[str, Any]:
    return {
        field.name: value_of(field, lane.texts[field.name])
        for field in FIELDS[lane.system]
        if relevant(field, lane, binary)
    }


def _free_of(name: str) -> dict[str, Any]:
    """Return settings under which one field can be judged alone."""
    return {"hottest": {"coldest": 1e-12}, "coldest": {"hottest": 1e12}}.get(name, {})


def _named_in(error: Exception, lane: Lane) -> str:
    """Return the setting that an error is about, as far as its words say."""
    named = [name for name in lane.texts if str(error).startswith(name)]
    return max(named, key=len, default="system")  # "learning_rate" also begins "learning_rate_end"


def complaints(draft: Draft) -> dict[str, str]:
    """Return what is wrong with each field, in words, by its path; empty where all is well."""
    found: dict[str, str] = {}
    ends = 1.0 if draft.budget == "seconds" else math.inf  # whenever: whether it is known when
    run = RunConfig("", {"": LaneConfig("RBM")}, binary=draft.binary, max_seconds=ends)
    for name, (_, kind) in RUN_FIELDS.items():
        try:
            text = draft.texts[name]
            value = number_of(kind if name != "amount" or draft.budget == "seconds" else "int", text)
            replace(run, **_budget(draft, name, value)).check()
        except (ValueError, TypeError) as error:
            found[name] = plain(error)
    for number, lane in enumerate(draft.lanes):
        found |= _lane_complaints(number, lane, run)
    return found


def _lane_complaints(number: int, lane: Lane, run: RunConfig) -> dict[str, str]:
    found: dict[str, str] = {}
    settings: dict[str, Any] = {}
    for field in FIELDS.get(lane.system, ()):
        if not relevant(field, lane, run.binary):
            continue
        try:
            value = value_of(field, lane.texts[field.name])
            LaneConfig(lane.system, {field.name: value, **_free_of(field.name)}).estimator(run)
            settings[field.name] = value
        except (ValueError, TypeError) as error:
            found[f"{number}.{field.name}"] = plain(error)
    if lane.system != NONE and not found:
        try:
            LaneConfig(lane.system, settings).estimator(run)
        except (ValueError, TypeError) as error:
            found[f"{number}.{_named_in(error, lane)}"] = plain(error)
    return found


def _budget(draft: Draft, name: str, value: Any) -> dict[str, Any]:
    if name != "amount":
        return {name: value}
    return {"n_iter": value} if draft.budget == "passes" else {"max_seconds": value}


def config_of(draft: Draft) -> RunConfig:
    """Return the configuration that a draft means; one with `complaints` has none."""
    lanes = [lane for lane in draft.lanes if lane.system != NONE]
    names = lane_names(tuple(lane.system for lane in lanes))
    seconds = draft.budget == "seconds"
    return RunConfig(
        draft.dataset,
        {
            name: LaneConfig(lane.system, _settings(lane, draft.binary))
            for name, lane in zip(names, lanes, strict=True)
        },
        binary=draft.binary,
        batch_size=number_of("int", draft.texts["batch_size"]),
        n_iter=_FOREVER if seconds else number_of("int", draft.texts["amount"]),
        max_seconds=number_of("float", draft.texts["amount"]) if seconds else math.inf,
        level_by="seconds" if seconds else "passes",
        seed=number_of("int", draft.texts["seed"]),
    )


def draft_of(config: RunConfig) -> Draft:
    """Return the draft that means a configuration."""
    lanes = [lane_of(lane.system, lane.settings) for lane in config.lanes.values()]
    seconds = math.isfinite(config.max_seconds)
    texts = {
        "batch_size": text_of(config.batch_size),
        "amount": text_of(config.max_seconds if seconds else config.n_iter),
        "seed": text_of(config.seed),
    }
    both = cast("tuple[Lane, Lane]", tuple([*lanes, Lane(NONE, {})][:2]))
    return Draft(config.dataset, config.binary, both, "seconds" if seconds else "passes", texts)


def plain(error: BaseException) -> str:
    """Return an error's words, or its name where it has none."""
    return str(error) or type(error).__name__
