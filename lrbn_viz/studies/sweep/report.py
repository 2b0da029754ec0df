"""Reports of a sweep: a table for the terminal, ``report.md`` and ``results.csv``."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.fields import fields_of
from lrbn_viz.io.storage import write_atomic
from lrbn_viz.studies.sweep.results import DONE, FAILED, OUT, WAITING, Plan, Row
from lrbn_viz.studies.sweep.space import Space, passes_at

REPORT, TABLE = "report.md", "results.csv"
STATES = {DONE: "done", FAILED: "failed", OUT: "left behind", WAITING: "not done yet"}


def short(value: Any) -> str:
    """Write a number or another value of a setting for people."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def unit_of(space: Space) -> str:
    """Return the unit of the objective, for people."""
    if space.objective == "log_likelihood":
        return "log P(x), nats"
    return "wrong pixels" if space.binary else "squared distance"


def header(space: Space) -> list[str]:
    """Return the columns of a table of trials."""
    return ["trial", unit_of(space), "standard error", *space.axes, "passes", "CPU seconds", "state"]


def cells(space: Space, row: Row) -> list[str]:
    """Return a row of a table of trials."""
    objective, error = (_figure(value) for value in (row.objective, row.standard_error))
    state = STATES[row.state] + (f": {row.reason}" if row.reason else "")
    if row.state == OUT:
        state += f" on rung {row.rung + 1}"
    settings = [short(row.settings[name]) for name in space.axes]
    return [str(row.number), objective, error, *settings, short(row.passes), f"{row.seconds:.1f}", state]


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if abs(value) < 1e6 else f"{value:.3g}"


def as_text(space: Space, rows: Sequence[Row], most: int = 30) -> str:
    """Return a table for a terminal, the best rows first."""
    table = [header(space), *(cells(space, row) for row in rows[:most])]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
    if len(rows) > most:
        lines.append(f"and {len(rows) - most} more in {TABLE}")
    return "\n".join(lines)


def judged_by(space: Space) -> str:
    """Return the objective and the images on which it is measured, in words."""
    how = f"the reconstruction error, {unit_of(space)}"
    if space.objective == "log_likelihood":
        how = "log P(x), estimated by importance sampling"
        if "ais" in SYSTEMS[space.model].model.likelihoods:
            how = f"log P(x), estimated by AIS with {space.temperatures:,} temperatures"
    return (
        f"The objective is {how}: the mean over {space.validation_images:,} held-out images, at most a fifth "
        "of the training images. No test image was looked at: measure the model of the trial that you choose "
        "on the test images, once."
    )


def write_report(folder: Path, plan: Plan, rows: Sequence[Row]) -> None:
    """Write the report and the table of a sweep, as far as it has come."""
    write_atomic(folder / REPORT, _markdown(plan, rows).encode())
    write_atomic(folder / TABLE, _csv(plan.space, rows).encode())


def _markdown(plan: Plan, rows: Sequence[Row]) -> str:
    space = plan.space
    budget = f"{space.passes} passes" if space.passes else f"{space.cpu_seconds:g} CPU seconds"
    known = fields_of(type(space))
    lines = [
        f"# {space.model} on {space.dataset}: {known['method'].text(space.method)}",
        "",
        f"{len(rows):,} trials of {budget} each, seed {space.seed}. {judged_by(space)}",
        "",
    ]
    if space.fixed:
        fixed = ", ".join(f"{name} = {short(value)}" for name, value in space.fixed.items())
        lines += [f"All trials have {fixed}; other settings have their defaults.", ""]
    if len(space.rungs) > 1:
        rungs = [f"{count} for {_share(space, share)}" for count, share in space.rungs]
        lines += [f"Rungs, each with the best of the one before: {', then '.join(rungs)}.", ""]
    waiting = sum(row.state == WAITING for row in rows)
    if waiting:
        lines += [f"{waiting} trials are not done yet: the same command goes on.", ""]
    table = [header(space), ["---"] * len(header(space)), *(cells(space, row) for row in rows)]
    return "\n".join([*lines, *(f"| {' | '.join(map(_cell, line))} |" for line in table), ""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _share(space: Space, share: float) -> str:
    if space.passes is not None:
        passes = space.passes if share == 1.0 else passes_at(space.passes, share)
        return f"{passes} pass{'es' if passes > 1 else ''}"
    return f"{(space.cpu_seconds or 0.0) * share:.3g} CPU seconds"


def _csv(space: Space, rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    figures = ["rank", "trial", "state", "rung", space.objective, "standard_error", "passes", "cpu_seconds"]
    writer.writerow([*figures, *space.axes, "reason"])
    for rank, row in enumerate(rows, 1):
        figures = [rank, row.number, row.state, row.rung + 1, row.objective, row.standard_error]
        values = [row.settings[name] for name in space.axes]
        settings = ["none" if value is None else value for value in values]
        writer.writerow([*figures, row.passes, row.seconds, *settings, row.reason])
    return text.getvalue()
