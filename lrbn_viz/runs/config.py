"""What is trained on what, and for how long: as it is set, checked and written down."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.estimators import LRBN, RBM
from lrbn_viz.training import check_unplanned
from lrbn_viz.validation import check_choice, check_integer, check_positive


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

    def estimator(self, run: RunConfig) -> LRBN | RBM:
        """Return the untrained model.

        Raises
        ------
        ValueError, TypeError
            A setting that the model does not have, or a value that it does not take.
        """
        kind = SYSTEMS[check_choice(self.system, "system", tuple(SYSTEMS))]
        settings: dict[str, Any] = {"batch_size": run.batch_size, "visible": run.visible, **self.settings}
        known = kind().get_params()
        for name in settings:
            if name not in known:
                raise ValueError(f"{self.system} has no setting {name!r}; it has {', '.join(sorted(known))}.")
        model = kind(**settings)
        model._check_settings()
        if math.isfinite(run.max_seconds):
            check_unplanned(model._system(), "a budget in seconds")
        return model


@dataclass(frozen=True)
class RunConfig:
    """What is trained on what, and for how long.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    lanes : mapping from a lane's name to its LaneConfig
    binary : bool
        Whether images are binary, or standardised intensities.
    batch_size, n_iter : int
        Images per minibatch, and passes over the training images.
    max_seconds : float
        Time in steps after which a lane ends.
    level_by : {"passes", "seconds"}
        What the lanes are kept equal in.
    seed : int
        Of everything; lanes shuffle alike.
    validation_size : int
        Training images held out for validation, the last ones.
    """

    dataset: str
    lanes: Mapping[str, LaneConfig]
    binary: bool = True
    batch_size: int = 20
    n_iter: int = 5
    max_seconds: float = math.inf
    level_by: Literal["passes", "seconds"] = "passes"
    seed: int = 0
    validation_size: int = 200

    @property
    def visible(self) -> Literal["bernoulli", "gaussian"]:
        """Kind of visible units that the images need."""
        return "bernoulli" if self.binary else "gaussian"

    def check(self) -> None:
        """Raise ValueError or TypeError, in words, for what cannot be run."""
        if not self.lanes:
            raise ValueError("a run needs at least one model to train; give it a lane.")
        check_integer(self.batch_size, "batch_size", 1)
        check_integer(self.n_iter, "n_iter", 1)
        check_integer(self.seed, "seed", 0)
        check_integer(self.validation_size, "validation_size", 1)
        check_positive(self.max_seconds, "max_seconds", infinite=True)
        check_choice(self.level_by, "level_by", ("passes", "seconds"))
        for lane in self.lanes.values():
            lane.estimator(self)

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that `from_json` reads."""
        return asdict(self) | {"lanes": {name: asdict(lane) for name, lane in self.lanes.items()}}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> RunConfig:
        """Return the configuration that `to_json` wrote, checked."""
        lanes = {name: LaneConfig(**lane) for name, lane in values["lanes"].items()}
        config = cls(**{**values, "lanes": lanes})
        config.check()
        return config
