"""The sweeps of a server, and the view of one. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import param

from lrbn_viz.app.sweeps.names import sweep_names
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.fields import Field, fields_of
from lrbn_viz.datasets.dataset import title_of
from lrbn_viz.io.storage import sweeps_folder
from lrbn_viz.studies.runs import LaneConfig, RunConfig
from lrbn_viz.studies.sweep.report import STATES, judged_by, short, unit_of
from lrbn_viz.studies.sweep.results import OUT, Row, Sweep, read_sweep
from lrbn_viz.studies.sweep.space import Axis, Space
from lrbn_viz.training.settings import MAX_PASSES_FORM

MAX_ROWS = 500
"""Largest number of trials of a sweep that the page shows, the best ones."""
OPERATOR_ONLY = (
    "Sweeps belong to the operator of this server, and are shown only where visitors are not kept apart."
)
NONE = (
    "There is no sweep yet. The command lrbn-viz sweep makes one: it trains a model with the many settings "
    "that a file lists."
)


class SweepsState(param.Parameterized):
    """The sweeps of the machine, of which one is shown.

    Parameters
    ----------
    is_owner : bool
        True if the visitor may see the operator's sweeps.
    folder : path, optional
        Folder of the sweeps.
    """

    chosen = param.String(default="", doc="The sweep that is shown; empty: the one begun last.")

    def __init__(self, is_owner: bool = True, folder: Path | None = None, **params: Any) -> None:
        super().__init__(**params)
        self._is_owner = is_owner
        self._folder = sweeps_folder() if folder is None else folder
        self._sweep: Sweep | None = None
        self.names: list[str] = []
        self.words = ""
        self.look()

    def look(self) -> None:
        """Read the current sweeps from disk."""
        self.names = sweep_names(self._folder) if self._is_owner else []
        self._sweep, self.words = None, ""
        if not self.names:
            self.words = NONE if self._is_owner else OPERATOR_ONLY
            return
        if self.chosen and self.chosen not in self.names:
            self.words = f"There is no sweep called {self.chosen} here; choose another."
            return
        try:
            self._sweep = read_sweep(self._folder / self.shown)
        except (ValueError, OSError) as error:
            self.words = f"The sweep {self.shown} cannot be shown: {error}"

    @property
    def shown(self) -> str:
        """Name of the sweep that is shown."""
        return self.chosen or next(iter(self.names), "")

    def choose(self, name: str) -> None:
        """Show another sweep."""
        self.chosen = name
        self.look()

    @property
    def view(self) -> dict[str, Any]:
        """The contents of the page."""
        view: dict[str, Any] = {"names": self.names, "shown": self.shown, "words": self.words}
        return view if self._sweep is None else {**view, "sweep": described(self._sweep)}

    def config(self, number: int) -> RunConfig | None:
        """Return the configuration of a trial's model for the Train page; None if there is no such trial."""
        if self._sweep is None or not 0 <= number < len(self._sweep.plan.trials):
            return None
        space = self._sweep.plan.space
        settings = {**space.fixed, **self._sweep.plan.trials[number]}
        batch_size = settings.pop("batch_size", SYSTEMS[space.model].fields["batch_size"].default)
        seed = settings.pop("random_state", space.seed)
        run: dict[str, Any] = {"n_iter": space.passes}
        if space.passes is None:
            run = {"n_iter": MAX_PASSES_FORM, "max_seconds": space.cpu_seconds, "level_by": "seconds"}
        return RunConfig(
            space.dataset,
            {space.model: LaneConfig(space.model, settings)},
            binary=space.binary,
            batch_size=batch_size,
            seed=seed,
            **run,
        )


def described(sweep: Sweep) -> dict[str, Any]:
    """Return the page's description of a sweep: JSON values."""
    space, fields = sweep.plan.space, SYSTEMS[sweep.plan.space.model].fields
    method = fields_of(Space)["method"].text(space.method)
    budget = f"{space.passes} passes" if space.passes else f"{space.cpu_seconds:g} CPU seconds"
    fixed = ", ".join(f"{name} = {short(value)}" for name, value in space.fixed.items())
    trials = f"{len(sweep.rows):,} trials of {budget} each; method: {method}; seed {space.seed}."
    words = [f"{trials} {judged_by(space)}"]
    if fixed:
        words.append(f"All trials have {fixed}.")
    if len(sweep.rows) > MAX_ROWS:
        words.append(f"The best {MAX_ROWS} are shown; the file results.csv has all.")
    return {
        "title": f"{space.model} on {title_of(space.dataset)}",
        "about": words,
        "left": sweep.n_left,
        "higher": space.higher_is_better,
        "unit": unit_of(space),
        "axes": [_axis(name, axis, fields[name]) for name, axis in space.axes.items()],
        "rows": [_row(space, row) for row in sweep.rows[:MAX_ROWS]],
    }


def _axis(name: str, axis: Axis, field: Field) -> dict[str, Any]:
    """Return an axis of numbers, or of words in order."""
    numbers = not axis.choices or all(_is_number(value) for value in axis.choices)
    values = axis.choices or (axis.low, axis.high)
    log = axis.log or (numbers and min(values) > 0 and max(values) >= 20 * min(values))
    return {
        "name": name,
        "label": field.label,
        "unit": field.unit or "",
        "words": [] if numbers else [short(value) for value in axis.choices],
        "log": bool(log),
    }


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf")


def _row(space: Space, row: Row) -> dict[str, Any]:
    values: Mapping[str, Any] = row.settings
    state = STATES[row.state] + (f" on rung {row.rung + 1}" if row.state == OUT else "")
    return {
        "trial": row.number,
        "values": [_value(values[name], axis) for name, axis in space.axes.items()],
        "objective": row.objective,
        "error": row.standard_error,
        "passes": row.passes,
        "seconds": round(row.seconds, 2),
        "state": state,
        "reason": row.reason,
    }


def _value(value: Any, axis: Axis) -> float | str:
    """Return the value on an axis: a number if the axis has numbers, else words."""
    numbers = not axis.choices or all(_is_number(each) for each in axis.choices)
    return value if numbers else short(value)
