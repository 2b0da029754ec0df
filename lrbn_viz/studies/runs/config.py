"""Configurations of runs, with their models, data sets and budgets: as set, checked and stored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from lrbn_viz.catalog import SYSTEMS, UNITS
from lrbn_viz.core.fields import Choice, Integer, check_fields, declare, documented
from lrbn_viz.core.validation import Interval, check_choice, check_integer
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.io.constants import MAX_SEED
from lrbn_viz.io.storage import encodable, quoted
from lrbn_viz.training import check_unplanned
from lrbn_viz.training.settings import (
    BATCH_SIZE,
    BINARY,
    MAX_SECONDS,
    N_ITER,
    VALIDATION_SIZE,
)

MAX_LANES = 16
"""Models of one run."""
_MAX_COUNT = 10**9  # images or passes; so that no share of them overflows


@documented
@dataclass(frozen=True)
class LaneConfig:
    """One model of a run.

    Attributes
    ----------
    system : str
        A key of ``catalog.SYSTEMS``.
    settings : mapping
        Settings of that estimator; sizes of batches and budgets are the run's.
    """

    system: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    where: Literal["here", "cluster"] = declare(
        Choice(
            "Where it runs",
            None,
            "On the workers of this server's cluster whole passes are shared out; the result is the same.",
            choices={"here": "this process", "cluster": "a cluster"},
            when=({"schedule": ("batch",)},),
        ),
        "here",
    )

    def takes(self, visible: str) -> bool:
        """Return whether the model supports such visible units."""
        known: Any = SYSTEMS[check_choice(self.system, "system", tuple(SYSTEMS))].fields["visible"]
        return visible in known.choices

    def estimator(self, run: RunConfig) -> LatentModel:
        """Return the untrained model.

        Raises
        ------
        ValueError, TypeError
            A setting that the model does not have, or a value that it does not take.
        """
        kind = SYSTEMS[check_choice(self.system, "system", tuple(SYSTEMS))]
        settings: dict[str, Any] = {"batch_size": run.batch_size, "visible": run.visible, **self.settings}
        known = kind.fields
        for name, value in settings.items():
            if name in known and name in UNITS:
                known[name].check(value, name)  # of each layer alone, as forms and limits read it
            if name not in known:
                raise ValueError(
                    f"{self.system} has no setting {quoted(name)}; it has {', '.join(sorted(known))}."
                )
        model = kind(**settings)
        model.check_settings()
        if model.visible != run.visible:
            raise ValueError(f"visible must be {run.visible!r} for these images; got {model.visible!r}.")
        if model.binarize is not None:
            raise ValueError(
                f"binarize must be None: a run's images are binary already; got {model.binarize!r}."
            )
        if (
            check_choice(self.where, "where", ("here", "cluster")) == "cluster"
            and not model.make_system().full_batch
        ):
            raise ValueError(
                f"where must be 'here' for {self.system} that learns from minibatches; got 'cluster', which "
                "requires full-batch training."
            )
        if math.isfinite(run.max_seconds):
            check_unplanned(model.make_system(), "a budget in seconds")
        return model


@dataclass(frozen=True)
class Parent:
    """The parent of a branched run, and the point of the branch.

    Attributes
    ----------
    name : str
        Name of the other run's folder.
    step : int
        Minibatches that both have in common.
    """

    name: str
    step: int

    def check(self) -> None:
        """Raise ValueError or TypeError, with a message, for an invalid place."""
        if self.name != "":  # that of a run without a folder
            _check_text(self.name, "parent.name")
        check_integer(self.step, "parent.step", 0)


@documented
@dataclass(frozen=True)
class RunConfig:
    """Configuration of a run: models, data set and budget.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    lanes : mapping from a lane's name to its LaneConfig
    parent : Parent or None
        Where the run branched from another, if it did.
    """

    dataset: str
    lanes: Mapping[str, LaneConfig]
    binary: bool = declare(BINARY, True)
    batch_size: int = declare(BATCH_SIZE, 20, bounds=Interval(1, _MAX_COUNT, "both"))
    n_iter: int = declare(N_ITER, 5, bounds=Interval(1, _MAX_COUNT, "both"))
    max_seconds: float = declare(MAX_SECONDS, math.inf)
    level_by: Literal["passes", "seconds"] = declare(
        Choice(
            "Budget in",
            None,
            "The budget that ends training; all models of a run have the same.",
            choices={"passes": "epochs", "seconds": "seconds per model"},
        ),
        "passes",
    )
    seed: int = declare(
        Integer(
            "Random seed",
            None,
            "Equal seeds give equal runs; all models see the images in the same order.",
            bounds=Interval(0, 2**63 - 1, "both"),
            form_most=MAX_SEED,
        ),
        0,
    )
    validation_size: int = declare(
        VALIDATION_SIZE,
        200,
        details="The last ones, at most a fifth of all.",
        bounds=Interval(1, _MAX_COUNT, "both"),
    )
    parent: Parent | None = None

    @property
    def visible(self) -> Literal["bernoulli", "gaussian"]:
        """Kind of visible units that the images need."""
        return "bernoulli" if self.binary else "gaussian"

    @property
    def on_cluster(self) -> bool:
        """True if one of its models is trained on the workers of a cluster."""
        return any(lane.where == "cluster" for lane in self.lanes.values())

    def run_here(self) -> RunConfig:
        """Return the same run, in this process: its result is the same."""
        lanes = {name: replace(lane, where="here") for name, lane in self.lanes.items()}
        return replace(self, lanes=lanes)

    def check(self) -> None:
        """Raise ValueError or TypeError, with a message, for an invalid configuration."""
        if not self.lanes:
            raise ValueError("a run needs at least one model to train; give it a lane.")
        if len(self.lanes) > MAX_LANES:
            raise ValueError(f"a run has at most {MAX_LANES} models; got {len(self.lanes)}.")
        check_fields(self)
        if self.parent is not None:
            self.parent.check()
        wholes = {name: lane.estimator(self).make_system().full_batch for name, lane in self.lanes.items()}
        if len(set(wholes.values())) > 1:
            whole, other = (next(name for name in wholes if wholes[name] is each) for each in (True, False))
            raise ValueError(
                f"schedule of {whole} is full-batch, but {other} learns from minibatches; expected one "
                "schedule for all models of a run. Choose the same for both, or train one alone."
            )

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Any) -> RunConfig:
        """Return the configuration that `to_json` wrote; every value is checked.

        Raises
        ------
        ValueError, TypeError
            What is no such configuration, in words.
        """
        check_object(values, "config", _names_of(cls))
        _check_text(values["dataset"], "dataset")
        if not isinstance(values["binary"], bool):
            raise TypeError(f"binary must be true or false; got {quoted(values['binary'])}.")
        check_object(values["lanes"], "lanes")
        lanes = {}
        for name, lane in values["lanes"].items():
            _check_text(name, "the name of a lane")
            check_object(lane, f"lane {name}", _names_of(LaneConfig))
            check_object(lane["settings"], f"settings of {name}")
            lanes[name] = LaneConfig(**lane)
        parent = values["parent"]
        if parent is not None:
            check_object(parent, "parent", _names_of(Parent))
            parent = Parent(**parent)
        config = cls(**{**values, "lanes": lanes, "parent": parent})
        config.check()
        return config


def _names_of(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def check_object(value: Any, name: str, keys: Sequence[str] = ()) -> None:
    """Raise TypeError or ValueError unless a value is a JSON object with these keys, or with any if none."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be an object; got {quoted(value)}.")
    for key in keys:
        if key not in value:
            raise ValueError(f"{name} lacks {key!r}.")
    for key in value:
        if keys and key not in keys:
            raise ValueError(f"{name} has {quoted(key)}, which is not known; expected {', '.join(keys)}.")


def _check_text(value: Any, name: str) -> None:
    if not isinstance(value, str) or not 0 < len(value) <= 1000 or not encodable(value):
        raise ValueError(f"{name} must be a text of 1 to 1000 characters; got {quoted(value)}.")
