"""Contents of a sweep's folder: its plan, and the progress of each trial. Reading it changes nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lrbn_viz.io.storage import UnreadableFile, damaged, names_in, quoted, read_json, write_atomic
from lrbn_viz.studies.reproduce.store import DamagedResult, Result, key_of, read_result, result_path
from lrbn_viz.studies.sweep import FILE, MAX_TRIALS
from lrbn_viz.studies.sweep.space import Space, space_of

_FORMAT = 1
DONE, FAILED, OUT, WAITING = "done", "failed", "out", "waiting"


class Plan(NamedTuple):
    """Plan of a sweep."""

    space: Space
    trials: list[dict[str, Any]]
    """Settings of each trial, by its number."""
    images: str
    """A sum over the training images."""

    def key(self, number: int, share: float) -> str:
        """Return a sum over all that a result depends on."""
        told = {"space": _core(self.space), "settings": self.trials[number]}
        return key_of({**told, "share": share, "images": self.images, "of": "sweep"})


def _core(space: Space) -> dict[str, Any]:
    """Return the parameters that all trials have in common."""
    told = space.to_json()
    return {name: told[name] for name in told if name not in ("space", "method", "trials", "eta")}


class Row(NamedTuple):
    """Progress of a trial.

    Attributes
    ----------
    number : int
    settings : dict
        Those that were tried.
    state : {"done", "failed", "out", "waiting"}
        Trained to the end; no model, for a `reason`; left behind on a rung; not yet there.
    rung : int
        The last one that it finished, from 0; -1 before the first.
    objective, standard_error : float or None
        As measured last.
    passes, seconds : float
        Passes and CPU seconds of training.
    reason : str
        Why there is no model.
    """

    number: int
    settings: dict[str, Any]
    state: str = WAITING
    rung: int = -1
    objective: float | None = None
    standard_error: float | None = None
    passes: float = 0.0
    seconds: float = 0.0
    reason: str = ""

    def after(self, rung: int, figures: Mapping[str, Any], is_last: bool) -> Row:
        """Return the row after a rung has given its figures; figures from before a failure are kept."""
        if figures["reason"]:
            return self._replace(state=FAILED, rung=rung, reason=str(figures["reason"]))
        return self._replace(
            state=DONE if is_last else WAITING,
            rung=rung,
            objective=float(figures["objective"]),
            standard_error=float(figures["standard error"]),
            passes=float(figures["passes"]),
            seconds=float(figures["CPU seconds"]),
        )


def name_of(number: int, rung: int) -> str:
    """Return the name of the stage that is one trial on one rung."""
    return f"trial-{number:04d}.rung-{rung}"


def better_first(space: Space, rows: list[Row]) -> list[Row]:
    """Return rows by their results: those that went furthest first, of these the best, failures last."""
    sign = -1.0 if space.higher_is_better else 1.0

    def place(row: Row) -> tuple[bool, bool, int, float, int]:
        known = row.objective is not None
        value = sign * row.objective if row.objective is not None else 0.0
        return row.state == FAILED, not known, -row.rung if known else 0, value, row.number

    return sorted(rows, key=place)


def write_plan(folder: Path, plan: Plan) -> None:
    """Write the plan of a sweep before it begins."""
    told = {
        "format": _FORMAT,
        "space": plan.space.to_json(),
        "trials": plan.trials,
        "images": plan.images,
    }
    write_atomic(folder / FILE, json.dumps(told, indent=1).encode())


def read_plan(folder: str | os.PathLike[str]) -> Plan | None:
    """Return what the sweep of a folder was asked to do; None where there is none.

    Raises
    ------
    UnreadableFile
        The file is damaged, or of another version.
    """
    path = Path(folder) / FILE
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableFile(f"{FILE} cannot be read ({error}).") from error
    told = read_json(text, FILE)
    if told.get("format") != _FORMAT:
        raise UnreadableFile(
            f"{FILE} is of format {quoted(told.get('format'))}, expected {_FORMAT}; open it with the version "
            "that wrote it."
        )
    trials, images = told.get("trials"), told.get("images")
    if not isinstance(trials, list) or not isinstance(images, str) or len(trials) > MAX_TRIALS:
        raise damaged(FILE, "trials and a sum over images", "others", "Take another folder.")
    try:
        plain = told["space"]
        space = space_of({name: value for name, value in _without_none(plain).items() if value is not None})
        for settings in trials:
            space.estimator(settings)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise damaged(FILE, "a space and its trials", f"others ({error})", "Take another folder.") from error
    return Plan(space, trials, images)


def _without_none(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return a space's JSON values as in a file: "none" within the tables, and no eta for other methods."""

    def worded(value: Any) -> Any:
        return "none" if value is None else value

    fixed = {name: worded(value) for name, value in told["fixed"].items()}
    space = {
        name: [worded(each) for each in axis] if isinstance(axis, list) else axis
        for name, axis in told["space"].items()
    }
    others = {name: told[name] for name in told if name != "eta" or told["method"] == "halving"}
    return {**others, "fixed": fixed, "space": space}


class Sweep(NamedTuple):
    """A sweep as far as it has come."""

    plan: Plan
    rows: list[Row]
    """Rows of all trials, the best first."""

    @property
    def n_left(self) -> int:
        """Trials that are not decided yet."""
        return sum(row.state == WAITING for row in self.rows)


def rows_of(plan: Plan, found: Mapping[tuple[int, int], Mapping[str, Any]]) -> list[Row]:
    """Return how far all trials came, the best first.

    Parameters
    ----------
    plan : Plan
    found : mapping from (number, rung) to figures
        What is finished.
    """
    rungs = plan.space.rungs
    rows = [Row(number, settings) for number, settings in enumerate(plan.trials)]
    for rung in range(len(rungs)):
        for number, row in enumerate(rows):
            if (number, rung) in found:
                rows[number] = row.after(rung, found[number, rung], rung == len(rungs) - 1)
    for rung in range(1, len(rungs)):  # who is not among the survivors is out
        kept = chosen(plan, found, rung)
        if kept is not None:
            rows = [
                row._replace(state=OUT) if row.state == WAITING and row.number not in kept else row
                for row in rows
            ]
    return better_first(plan.space, rows)


def chosen(plan: Plan, found: Mapping[tuple[int, int], Mapping[str, Any]], rung: int) -> list[int] | None:
    """Return the numbers of the trials of a rung; None while the rung below it is not finished."""
    space = plan.space
    if rung == 0:
        return list(range(len(plan.trials)))
    below = chosen(plan, found, rung - 1)
    if below is None or any((number, rung - 1) not in found for number in below):
        return None
    sign = -1.0 if space.higher_is_better else 1.0
    passed = [n for n in below if not found[n, rung - 1]["reason"]]
    passed.sort(key=lambda n: (sign * float(found[n, rung - 1]["objective"]), n))
    return sorted(passed[: space.rungs[rung][0]])


def read_results(folder: str | os.PathLike[str], plan: Plan) -> dict[tuple[int, int], Result]:
    """Return the finished results, by trial and rung.

    Raises
    ------
    DamagedResult
        A file is damaged; the message names it.
    """
    found: dict[tuple[int, int], Result] = {}
    there = set(names_in(Path(folder) / "stages"))
    for rung, (_, share) in enumerate(plan.space.rungs):
        for number in range(len(plan.trials)):
            path = result_path(folder, name_of(number, rung))
            result = read_result(path, plan.key(number, share)) if path.name in there else None
            if result is not None:
                _check(result, path)
                found[number, rung] = result
    return found


def _check(result: Result, path: Path) -> None:
    figures = result.figures
    needed = () if figures.get("reason") else ("objective", "standard error", "passes", "CPU seconds")
    if not isinstance(figures.get("reason"), str) or not all(
        isinstance(figures.get(name), (int, float)) for name in needed
    ):
        raise DamagedResult(
            f"expected figures of a trial in {path}, got others. Remove it to compute the trial again."
        )


def read_sweep(folder: str | os.PathLike[str]) -> Sweep | None:
    """Return a folder's sweep, as far as it has come; None where there is none.

    Raises
    ------
    ValueError
        A file is damaged; the message names it.
    """
    plan = read_plan(folder)
    if plan is None:
        return None
    found = {at: result.figures for at, result in read_results(folder, plan).items()}
    return Sweep(plan, rows_of(plan, found))
