"""Definitions of sweeps, as TOML files give them; everything is checked before any work starts."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from lrbn_viz.catalog import DATASETS, SYSTEMS
from lrbn_viz.core.fields import (
    Choice,
    Field,
    Flag,
    Integer,
    Real,
    Seed,
    declare,
    documented,
    fields_of,
)
from lrbn_viz.core.validation import Interval
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.io.constants import MAX_SEED
from lrbn_viz.io.storage import quoted
from lrbn_viz.studies.sweep import MAX_TRIALS
from lrbn_viz.training import check_unplanned
from lrbn_viz.training.settings import BINARY, MAX_PASSES_FORM

OWN = {
    "n_iter": "how long each model is trained is said by passes or cpu_seconds",
    "visible": "binary says it",
    "binarize": "the images of a data set are binary already, or grey with binary = false",
    "validation_size": "validation_images says how many images are held out",
    "patience": "each model is trained for all of its budget",
}
"""Settings of models that a sweep has in its own hands, and why."""
_RANGE = ("low", "high", "log")


class Axis(NamedTuple):
    """Values of a setting that are tried.

    Attributes
    ----------
    choices : tuple
        These; empty where it is a range.
    low, high : float or int
        Bounds of the range, both included.
    log : bool
        True if a range is drawn from on the scale of logarithms.
    whole : bool
        True if a range is of whole numbers.
    """

    choices: tuple[Any, ...] = ()
    low: float = 0
    high: float = 0
    log: bool = False
    whole: bool = False

    @property
    def n(self) -> float:
        """Number of values; infinity if it cannot be counted."""
        if self.choices:
            return len(self.choices)
        return self.high - self.low + 1 if self.whole else math.inf

    def to_json(self) -> Any:
        """Return the values as the file has them."""
        if self.choices:
            return list(self.choices)
        return {"low": self.low, "high": self.high, "log": self.log}


@documented
@dataclass(frozen=True)
class Space:
    """Definition of a sweep: model, data set, budget, settings and objective.

    Attributes
    ----------
    fixed : mapping from a setting to its value
        What all trials have in common, where it is not the default.
    axes : mapping from a setting to an Axis
    """

    model: str = declare(
        Choice("Model", None, "Which kind of model is trained.", choices={name: name for name in SYSTEMS}),
        "LRBN",
    )
    dataset: str = declare(
        Choice("Data set", None, "On whose training images.", choices={name: name for name in DATASETS}),
        "digits",
    )
    method: Literal["grid", "random", "halving"] = declare(
        Choice(
            "Method",
            None,
            "Every combination, combinations drawn at random, or these by successive halving.",
            choices={"grid": "grid", "random": "random search", "halving": "successive halving"},
        ),
        "grid",
    )
    binary: bool = declare(BINARY, True)
    trials: int | None = declare(
        Integer(
            "Trials",
            None,
            "How many combinations are drawn, for random and halving.",
            none="a grid has as many as it has combinations",
            bounds=Interval(1, MAX_TRIALS, "both"),
        ),
        None,
    )
    seed: int = declare(
        Integer(
            "Random seed",
            None,
            "Of what is drawn, of training and of measuring: equal seeds give equal results.",
            bounds=Interval(0, MAX_SEED, "both"),
        ),
        0,
    )
    objective: Literal["log_likelihood", "reconstruction_error"] = declare(
        Choice(
            "Objective",
            None,
            "What is measured of each model, on images held out from the training images.",
            choices={"log_likelihood": "log P(x), nats", "reconstruction_error": "reconstruction error"},
        ),
        "log_likelihood",
    )
    passes: int | None = declare(
        Integer(
            "Passes",
            None,
            "Over the training images, by each model that is trained to the end.",
            none="cpu_seconds is the budget",
            bounds=Interval(1, MAX_PASSES_FORM, "both"),
        ),
        None,
    )
    cpu_seconds: float | None = declare(
        Real(
            "CPU seconds",
            "seconds",
            "Of training, of each model that is trained to the end.",
            none="passes are the budget",
            bounds=Interval(0, closed="neither"),
        ),
        None,
    )
    eta: int = declare(
        Integer(
            "Eta",
            None,
            "Of a rung of successive halving one in so many models goes on, for so many times as long.",
            bounds=Interval(2, 100, "both"),
        ),
        3,
    )
    validation_images: int = declare(
        Integer(
            "Validation images",
            "images",
            "Held out from the training images to measure models on, at most a fifth of all.",
            bounds=Interval(2, 100_000, "both"),
        ),
        200,
    )
    temperatures: int = declare(
        Integer(
            "Temperatures",
            None,
            "Steps of each chain of annealed importance sampling, by which log P(x) is estimated.",
            bounds=Interval(1, 1_000_000, "both"),
        ),
        100,
    )
    fixed: Mapping[str, Any] = field(default_factory=dict)
    axes: Mapping[str, Axis] = field(default_factory=dict)

    @property
    def rungs(self) -> list[tuple[int, float]]:
        """Numbers of trials, and the share of the budget for which they are trained, for each rung; a grid
        has one.
        """
        if self.method != "halving":
            return [(self.trials or int(self.size), 1.0)]
        n, most = self.trials or 1, self.passes or math.inf
        counts, share = [n], 1.0
        while counts[-1] >= self.eta and most * share >= self.eta:
            counts.append(counts[-1] // self.eta)
            share /= self.eta
        return [(count, self.eta ** float(k + 1 - len(counts))) for k, count in enumerate(counts)]

    @property
    def higher_is_better(self) -> bool:
        """True if the largest objective is the best."""
        return self.objective == "log_likelihood"

    @property
    def size(self) -> float:
        """Number of combinations; infinity if it cannot be counted."""
        return math.prod(axis.n for axis in self.axes.values())

    def to_json(self) -> dict[str, Any]:
        """Return the space as JSON values, as in a file."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain["space"] = {name: axis.to_json() for name, axis in plain.pop("axes").items()}
        return {**plain, "fixed": dict(self.fixed)}

    def estimator(self, settings: Mapping[str, Any]) -> LatentModel:
        """Return the untrained model of a trial.

        Raises
        ------
        ValueError, TypeError
            These settings cannot be together.
        """
        own: dict[str, Any] = {
            "visible": "bernoulli" if self.binary else "gaussian",
            "random_state": self.seed,
            "validation_size": 0,
            "n_iter": self.passes or MAX_PASSES_FORM,
        }
        if "patience" in SYSTEMS[self.model].fields:
            own["patience"] = None
        made = SYSTEMS[self.model](**{**own, **self.fixed, **settings})
        made.check_settings()
        if self.passes is None:
            check_unplanned(made.make_system(), "a budget in CPU seconds")
        return made


def passes_at(passes: int, share: float) -> int:
    """Return whole passes: a share of all of them, at least one."""
    return max(1, round(passes * share))


def read_space(path: str | os.PathLike[str]) -> Space:
    """Read the definition of a sweep from a TOML file.

    Raises
    ------
    ValueError
        The file is no TOML, or asks for what cannot be: the words name the file, the key, what was expected
        and what came.
    OSError
        It cannot be read.
    """
    path = Path(path)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # also of a text that is not UTF-8
        raise ValueError(f"{path.name}: expected TOML, got another text ({error}); correct it.") from None
    try:
        return space_of(told)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path.name}: {error}") from None


def space_of(told: Mapping[str, Any]) -> Space:
    """Return the space that values of a file mean; ValueError or TypeError where they mean none."""
    known = fields_of(Space)
    for key in told:
        if key not in known and key not in ("fixed", "space"):
            raise ValueError(
                f"{quoted(key)} is not known; expected some of {', '.join(known)} and the tables fixed and "
                "space. Settings of the model belong in one of these tables."
            )
    for key in ("model", "dataset", "method"):
        if key not in told:
            among = ", ".join(getattr(known[key], "choices", ()))
            raise ValueError(f"{key} is missing; expected one of {among}. Add a line such as {key} = ...")
    values = {key: _plain(known[key], told[key], key) for key in told if key in known}
    _check_budget(values)
    settings = SYSTEMS[values["model"]].fields
    fixed, space = (_table(told, key) for key in ("fixed", "space"))
    if not space:
        raise ValueError(
            "space is missing or empty; expected a table of settings to try, such as "
            "learning_rate = [0.1, 0.3]. Add [space] with one at least."
        )
    for table, names in (("fixed", fixed), ("space", space)):
        for name in names:
            _check_known(f"{table}.{name}", name, values["model"], settings)
    both = fixed.keys() & space.keys()
    if both:
        raise ValueError(f"{', '.join(sorted(both))} stands in fixed and in space; leave it out of one.")
    made = Space(
        **values,
        fixed={name: _plain(settings[name], value, f"fixed.{name}") for name, value in fixed.items()},
        axes={name: _axis(settings[name], value, f"space.{name}") for name, value in space.items()},
    )
    _check_trials(made)
    return made


def _check_budget(values: Mapping[str, Any]) -> None:
    given = [key for key in ("passes", "cpu_seconds") if values.get(key) is not None]
    if len(given) != 1:
        raise ValueError(
            f"expected either passes or cpu_seconds as the budget of each model, got "
            f"{'both' if given else 'neither'}; give one of them, such as passes = 10."
        )
    if "eta" in values and values["method"] != "halving":
        raise ValueError(f'eta is for method = "halving", got "{values["method"]}"; leave eta out.')


def _check_trials(space: Space) -> None:
    if space.method == "grid":
        ranges = [name for name, axis in space.axes.items() if not axis.choices]
        if ranges:
            raise ValueError(
                f"space.{ranges[0]} is a range, of which a grid cannot try every value; expected a list of "
                'values. Write one, or take method = "random".'
            )
        if space.trials is not None:
            raise ValueError(
                f"trials applies to random and halving only, got {space.trials} with a grid, which has "
                f"{space.size:,} combinations; leave it out."
            )
        if space.size > MAX_TRIALS:
            raise ValueError(
                f"the grid has {space.size:,} combinations, expected at most {MAX_TRIALS:,}; leave out some "
                'values, or take method = "random".'
            )
        return
    if space.trials is None:
        raise ValueError(
            f'trials is missing; expected how many combinations method = "{space.method}" draws. Add a line '
            "such as trials = 20."
        )
    if space.trials > space.size:
        raise ValueError(
            f"trials is {space.trials}, but there are only {space.size:,.0f} combinations, and none is tried "
            'twice; take fewer, or method = "grid".'
        )
    if space.method == "halving" and len(space.rungs) == 1:
        raise ValueError(
            f"eta is {space.eta}, which leaves halving one rung with {space.trials} trials"
            + (f" of {space.passes} passes" if space.passes else "")
            + '; take at least eta of both, or method = "random".'
        )


def _table(told: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = told.get(key, {})
    if not isinstance(found, Mapping):
        raise TypeError(f"{key} must be a table; got {quoted(found)}. Begin it by a line [{key}].")
    return found


def _check_known(key: str, name: str, model: str, settings: Mapping[str, Field]) -> None:
    if name in OWN:
        raise ValueError(f"{key} cannot be set: {OWN[name]}. Leave it out.")
    if name not in settings:
        offered = ", ".join(sorted(settings.keys() - OWN.keys()))
        raise ValueError(f"{key} is no setting of {model}; expected one of {offered}.")


def _plain(known: Field, value: Any, key: str) -> Any:
    """Return a value as it is used; TOML has no null, so that "none" stands for it where that is a value."""
    if known.none and value == "none" and not isinstance(known, Seed):  # a sweep can be repeated
        return None
    return known.check(value, key)


def _axis(known: Field, value: Any, key: str) -> Axis:
    """Return which values of a setting a file asks for."""
    if isinstance(value, Mapping):
        return _range(known, value, key)
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise ValueError(
            f"{key} must be a list of values or {{low = ..., high = ...}}; got {quoted(value)}. A "
            "single value belongs in the table fixed."
        )
    choices = tuple(_plain(known, each, key) for each in value)
    for number, each in enumerate(choices):
        if each in choices[:number]:
            raise ValueError(f"{key} has {quoted(each)} twice; leave one out.")
    return Axis(choices)


def _range(known: Field, value: Mapping[str, Any], key: str) -> Axis:
    if not isinstance(known, (Integer, Real)):
        raise ValueError(f"{key} is not a numeric setting and has no range; expected a list of values.")
    unknown = [each for each in value if each not in _RANGE]
    missing = [each for each in ("low", "high") if each not in value]
    if unknown or missing:
        raise ValueError(
            f"{key} must have low and high, and may have log; got {', '.join(map(str, value)) or 'nothing'}."
        )
    low, high = (_plain(known, value[each], f"{key}.{each}") for each in ("low", "high"))
    log = Flag("", None, "", default=False).check(value.get("log", False), f"{key}.log")
    if low is None or high is None or not math.isfinite(high) or not low < high:
        raise ValueError(f"{key}.low must be below {key}.high, both finite; got {low} and {high}.")
    if log and low <= 0:
        raise ValueError(f"{key}.low must be above 0 where log = true; got {low}.")
    return Axis(low=low, high=high, log=log, whole=isinstance(known, Integer))
