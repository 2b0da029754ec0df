"""The form of a run: a text for every setting, error messages, and the resulting configuration."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any, NamedTuple, cast

from lrbn_viz.app.shared.typed import any_number, quoted
from lrbn_viz.catalog import SYSTEMS, UNITS, system_of
from lrbn_viz.core.fields import Choice, Field, Flag, Integer, Real, fields_of
from lrbn_viz.studies.runs import LaneConfig, RunConfig
from lrbn_viz.studies.runs.lanes import learn_unknown
from lrbn_viz.training.settings import MAX_PASSES_FORM

NONE = "none"
"""System of the second lane if only one model is trained."""
MAX_WEIGHTS = 30_000_000
"""Largest number of weights of a model that a page trains, which takes up to 2 GB in training."""
RUN = fields_of(RunConfig)
"""Settings of a run as a whole, by the names of its configuration."""
WHERE = fields_of(LaneConfig)["where"]
"""Place of training of a model that learns in whole passes; it is no setting of the model."""


class LaneForm(NamedTuple):
    """One lane of the form: a system (or `NONE`) and its settings as texts."""

    system: str
    texts: Mapping[str, str]


class RunForm(NamedTuple):
    """The form of a run, in which every number is a text."""

    dataset: str
    binary: bool
    lanes: tuple[LaneForm, LaneForm]
    budget: str
    texts: Mapping[str, str]


def run_fields(budget: str) -> dict[str, Field]:
    """Return the fields of a run as a whole, by their paths in the form; `budget` as in a `RunForm`."""
    amount = RUN["n_iter" if budget == "passes" else "max_seconds"]
    return {"batch_size": RUN["batch_size"], "amount": amount, "seed": RUN["seed"]}


def text_of(value: Any, field: Field | None = None) -> str:
    """Return the text of a setting, as it would be typed or chosen."""
    if value is None:
        return "none" if field is None else field.unset
    if isinstance(field, Flag):
        return field.text(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def options_of(field: Field) -> dict[str, str] | None:
    """Return the options of a setting with their titles; None if its value is typed."""
    if isinstance(field, Flag):
        return {title: title for title in reversed(field.titles)}
    return dict(field.choices) if isinstance(field, Choice) else None


def value_of(field: Field, text: str) -> Any:
    """Read a setting.

    Raises
    ------
    ValueError
        The text is no number of the required kind, or none of the options.
    """
    options = options_of(field)
    if options is not None:
        if text not in options:
            raise ValueError(f"expected one of {', '.join(options)}, got {quoted(text)}.")
        return text == field.titles[1] if isinstance(field, Flag) else text
    if field.none and text.strip().lower() in ("", "none", field.unset):
        return None
    if not isinstance(field, (Integer, Real)):
        raise ValueError(f"expected {field.type}, got {quoted(text)}.")
    value = number_of(field.type, text)
    if value > field.form_most and value != math.inf:  # infinity is valid where it is allowed
        raise ValueError(f"expected at most {field.form_most:,}, got {quoted(text)}.")
    return field.check(value, field.label)


def number_of(kind: str, text: str) -> Any:
    """Read an "int" or a "float"; raise ValueError for other texts."""
    if kind == "float":
        return float(any_number(text))
    try:
        value = any_number(text)
    except ValueError:
        value = math.nan
    if isinstance(value, float) and (not value.is_integer() or abs(value) > 2**53):
        raise ValueError(f"expected a whole number, got {quoted(text)}.")
    return int(value)


def read_texts(
    fields: Mapping[str, Field], texts: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of valid fields, and error messages for the others."""
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, field in fields.items():
        try:
            values[name] = value_of(field, texts[name])
        except (ValueError, TypeError, ArithmeticError) as error:
            wrong[name] = plain(error)
    return values, wrong


def lane_names(systems: tuple[str, ...]) -> tuple[str, ...]:
    """Return distinct names of the lanes."""
    if len(set(systems)) == len(systems):
        return systems
    return tuple(f"{system} {letter}" for system, letter in zip(systems, "AB", strict=False))


def form_fields(system: str) -> dict[str, Field]:
    """Return the fields of a system in the form, by name; empty for `NONE`."""
    found: dict[str, Field] = {}
    for name, field in (SYSTEMS[system].fields if system in SYSTEMS else {}).items():
        if field.in_form:
            found[name] = field
            if name == "schedule":
                found["where"] = WHERE
    return found


def settings_of(model: Any) -> dict[str, Any]:
    """Return a model's settings that are in the form."""
    system = str(system_of(model))
    settings = SYSTEMS[system].settings_of(model)
    return {name: settings[name] for name in form_fields(system) if name != "where"}


def is_whole(lane: LaneForm) -> bool:
    """Return whether a lane learns in whole passes."""
    return lane.texts.get("schedule") == "batch"


def lane_of(system: str, settings: Mapping[str, Any]) -> LaneForm:
    """Return a lane with all its system's settings as texts: the given ones, and defaults for the others."""
    texts = {
        name: text_of(settings.get(name, field.default), field) for name, field in form_fields(system).items()
    }
    return LaneForm(system, texts)


def with_lane(form: RunForm, number: int, lane: LaneForm) -> RunForm:
    """Return the form with one lane replaced."""
    return form._replace(lanes=(form.lanes[0], lane) if number else (lane, form.lanes[1]))


def edited(form: RunForm, path: str, text: str, datasets: Collection[str]) -> RunForm | None:
    """Return the form with one field changed; None if it has no such field or option.

    Parameters
    ----------
    path : str
        "dataset", "binary", "budget", "batch_size", "amount", "seed", or a lane's "0.system",
        "1.learning_rate" and so on.
    text : str
        Typed or chosen text.
    datasets : collection of str
        Names to choose from.
    """
    if path in run_fields(form.budget):
        return form._replace(texts={**form.texts, path: text})
    if path == "dataset" and text in datasets:
        return form._replace(dataset=text)
    if path == "binary" and text in (options_of(RUN["binary"]) or ()):
        return form._replace(binary=value_of(RUN["binary"], text))
    if path == "budget" and text in (options_of(RUN["level_by"]) or ()):
        return with_budget(form, text)
    lane, _, name = path.partition(".")
    if lane not in ("0", "1"):
        return None
    if name == "system" and (text in SYSTEMS or (text == NONE and lane == "1")):
        new = lane_of(text, {})
        left = form.lanes[0].texts
        same = {name: left[name] for name, field in form_fields(text).items() if field.fixed and name in left}
        changed = with_lane(form, int(lane), new._replace(texts={**new.texts, **same}))
        # another system begins with its defaults, which may need the number of steps
        return with_budget(changed, "passes") if _needs_steps(changed, int(lane)) else changed
    old = form.lanes[int(lane)]
    if name not in old.texts:
        return None
    return with_lane(form, int(lane), old._replace(texts={**old.texts, name: text}))


def with_budget(form: RunForm, budget: str) -> RunForm:
    """Return the form with the default budget in passes or in seconds."""
    amount = text_of(RUN["n_iter"].default) if budget == "passes" else "60"
    return form._replace(budget=budget, texts={**form.texts, "amount": amount})


SEEN = {
    "passes": "With a budget in epochs both models see the same minibatches, in the same order.",
    "seconds": "With a budget in seconds each model takes steps for as long as the other, and both take the "
    "minibatches in the same order: the model with the quicker steps sees more of them.",
}
"""Sentences on the images that both models are trained on, by the budget of their run."""


def seen_in_words(form: RunForm) -> str:
    """Return a sentence on the images that both models see; empty for one model."""
    return "" if NONE in [lane.system for lane in form.lanes] else SEEN[form.budget]


def _needs_steps(form: RunForm, number: int) -> bool:
    """Return whether a lane's model needs the number of steps in advance, which a budget in seconds leaves
    open.
    """
    lane = form.lanes[number]
    if form.budget != "seconds" or lane.system == NONE:
        return False
    settings, wrong = read_texts(offered(lane, form.binary), lane.texts)
    if wrong:
        return False
    try:
        model = _lane_config(lane.system, settings).estimator(RunConfig("", {}, binary=form.binary))
    except (ValueError, TypeError, ArithmeticError):  # the message is shown beside the model
        return False
    return bool(model.make_system().needs_step_count)


def offered(lane: LaneForm, binary: bool) -> dict[str, Field]:
    """Return the fields of a lane that apply, given its other settings and the images."""
    fields = form_fields(lane.system)
    settings = {name: field.default for name, field in SYSTEMS[lane.system].fields.items()} if fields else {}
    settings["visible"] = RunConfig("", {}, binary=binary).visible
    settings |= read_texts(fields, lane.texts)[0]
    return {name: field for name, field in fields.items() if field.applies(settings)}


def find_errors(form: RunForm) -> dict[str, str]:
    """Return error messages by the path of the field; empty if the form is valid."""
    found = read_texts(run_fields(form.budget), form.texts)[1]
    ends = 1.0 if form.budget == "seconds" else math.inf  # any step: only whether the number is known matters
    run = RunConfig("", {}, binary=form.binary, max_seconds=ends)
    for number, lane in enumerate(form.lanes):
        found |= _find_lane_errors(number, lane, run)
    if not found:
        try:
            config_of(form).check()
        except ValueError as error:
            number = next((n for n, lane in enumerate(form.lanes) if is_whole(lane)), 0)
            found[f"{number}.schedule"] = plain(error)
    return found


def find_too_large(form: RunForm, n_v: int) -> dict[str, str]:
    """Return messages about models with too many weights for images of n_v pixels, by a field's path."""
    found: dict[str, str] = {}
    for number, lane in enumerate(form.lanes):
        fields = {name: field for name, field in form_fields(lane.system).items() if name in UNITS}
        units, wrong = read_texts(fields, lane.texts)
        layers = [n_v, *(units[name] for name in UNITS if name in units)]
        weights = sum(below * above for below, above in pairwise(layers))
        if weights > MAX_WEIGHTS and not wrong:
            *_, last = (name for name in UNITS if name in fields)
            found[f"{number}.{last}"] = (
                f"expected at most {MAX_WEIGHTS:,} weights in a model, got {weights:,}, between layers of "
                f"{', '.join(f'{n:,}' for n in layers)} units, images first; take fewer latent units."
            )
    return found


def systems_for(n_unknown: int) -> tuple[str, ...]:
    """Return the systems that learn from data of which so many values are not known."""
    return learn_unknown() if n_unknown else tuple(SYSTEMS)


def unknown_in_words(n_unknown: int) -> str:
    """Return what is said about data of which so many values are not known; empty if there are none."""
    if not n_unknown:
        return ""
    able = learn_unknown()
    others = [name for name in SYSTEMS if name not in able]
    values = "1 value of this data set is" if n_unknown == 1 else f"{n_unknown:,} values of this data set are"
    return (
        f"{values} not known: {' and '.join(able)} learn from those that are, and all figures are of "
        f"those; {', '.join(others[:-1])} and {others[-1]} learn from whole rows only, and are not offered."
    )


def find_unlearnable(form: RunForm, n_unknown: int) -> dict[str, str]:
    """Return messages about systems that do not learn from data with so many unknown values, by a field's
    path.
    """
    known, able = (NONE, *systems_for(n_unknown)), " or ".join(learn_unknown())
    return {
        f"{number}.system": f"{lane.system} learns from whole rows only; choose {able}."
        for number, lane in enumerate(form.lanes)
        if lane.system not in known
    }


def _find_lane_errors(number: int, lane: LaneForm, run: RunConfig) -> dict[str, str]:
    fields = offered(lane, run.binary)
    settings, wrong = read_texts(fields, lane.texts)
    found = {f"{number}.{name}": words for name, words in wrong.items()}
    if lane.system == NONE or found:
        return found
    try:
        _lane_config(lane.system, settings).estimator(run)
    except (ValueError, TypeError, ArithmeticError) as error:
        words = plain(error)
        named = re.match("|".join(rf"{name}\b" for name in fields), words)  # the message begins with the lane
        labels = re.compile(rf"\b({'|'.join(fields)})\b")
        where = "system" if named is None else named[0]
        found[f"{number}.{where}"] = labels.sub(lambda name: fields[name[0]].label, words)
    return found


def _lane_config(system: str, values: Mapping[str, Any]) -> LaneConfig:
    """Return the configuration of a lane from the values of its form."""
    settings = {name: value for name, value in values.items() if name != "where"}
    return LaneConfig(system, settings, values.get("where", WHERE.default))


def config_of(form: RunForm) -> RunConfig:
    """Return the configuration of a valid form, in which `find_errors` finds no error."""
    lanes = [lane for lane in form.lanes if lane.system != NONE]
    names = lane_names(tuple(lane.system for lane in lanes))
    seconds = form.budget == "seconds"
    run, _ = read_texts(run_fields(form.budget), form.texts)
    return RunConfig(
        form.dataset,
        {
            name: _lane_config(lane.system, read_texts(offered(lane, form.binary), lane.texts)[0])
            for name, lane in zip(names, lanes, strict=True)
        },
        binary=form.binary,
        batch_size=run["batch_size"],
        n_iter=MAX_PASSES_FORM if seconds else run["amount"],
        max_seconds=run["amount"] if seconds else math.inf,
        level_by="seconds" if seconds else "passes",
        seed=run["seed"],
    )


def form_of(config: RunConfig) -> RunForm:
    """Return the form of a configuration."""
    lanes = [lane_of(lane.system, {**lane.settings, "where": lane.where}) for lane in config.lanes.values()]
    seconds = math.isfinite(config.max_seconds)
    texts = {
        "batch_size": text_of(config.batch_size),
        "amount": text_of(config.max_seconds if seconds else config.n_iter),
        "seed": text_of(config.seed),
    }
    both = cast("tuple[LaneForm, LaneForm]", tuple([*lanes, LaneForm(NONE, {})][:2]))
    return RunForm(config.dataset, config.binary, both, "seconds" if seconds else "passes", texts)


def plain(error: BaseException) -> str:
    """Return the message of an error, or its name without one."""
    return str(error) or type(error).__name__
