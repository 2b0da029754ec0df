"""Comparison of all systems: tables after equal CPU seconds, and a sentence about the likeliest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.fields import in_words
from lrbn_viz.io.glossary import nats_between
from lrbn_viz.studies.reproduce.bounds import LONGER
from lrbn_viz.studies.reproduce.budgets import WIDEST
from lrbn_viz.studies.reproduce.experiment import Experiment
from lrbn_viz.studies.reproduce.reported import DISAGREEMENTS, NATS, SOURCES, WRONG_PIXELS, Reported
from lrbn_viz.studies.reproduce.systems import BINARIZED, Case, how_chosen
from lrbn_viz.studies.reproduce.tables import (
    DIVERGED,
    NOT_KNOWN,
    Column,
    Measured,
    Table,
    Unknown,
    unless_diverged,
)
from lrbn_viz.studies.reproduce.timed import MIN_USED_SHARE, printed_of

Figures = dict[str, Any]

NO_BOUND = "no bound: log Z is annealed"
BOUNDS = "What bounds these nats, on either side"
"""Title of the table of bounds."""


def is_known(nats: Figures) -> bool:
    """Return whether both bounds exist and are close enough for the figure between them to count."""
    low, high = nats["lower"], nats["upper"]
    return low is not None and high is not None and high - low <= WIDEST


def binarized(run: Experiment) -> dict[str, str]:
    """Return how images were made binary, in words, by the names of those ways that make a difference."""
    if len(run.by) == 1:
        return {"threshold": "binary as published"}
    return {how: BINARIZED[how] for how in run.by}


class Row(NamedTuple):
    """A row of the tables: a system of one size, and its cases by binarization."""

    system: str
    size: str
    cases: dict[str, Case]


def _rows(run: Experiment, reported: Sequence[Reported]) -> list[Row]:
    """Return the trained systems, followed by the paper's rows that no system here can be."""
    found: dict[tuple[str, str], Row] = {}
    for case in run.cases:
        row = found.setdefault((case.system, case.size), Row(case.system, case.size, {}))
        row.cases[case.binarize] = case
    for said in reported:
        key = printed_of(said)
        found.setdefault(key, Row(*key, {}))
    return list(found.values())


def _said(row: Row, reported: Sequence[Reported]) -> Reported | None:
    """Return the paper's figure of a row."""
    of = (row.system, row.size)
    return next((said for said in reported if printed_of(said) == of), None)


def _finish(run: Experiment, table: Table, rows: Sequence[Row]) -> Table:
    """Put an earlier report's rows into a table, and say below it which rows of the paper nothing fills."""
    if run.earlier is not None:
        run.earlier.complete(table)
    filled = {(row[0], row[1]) for row in table.rows if table.has_figures(row)}
    names = [
        f"{row.system} {row.size}" for row in rows if not row.cases and (row.system, row.size) not in filled
    ]
    table.notes += [f"Not measured here: {', '.join(names)}."] if names else []
    return table


def _seconds(run: Experiment) -> str:
    return f"{run.seconds:g} CPU seconds"


def _columns(ways: Iterable[str], *measured: str, before: Sequence[Column] = ()) -> list[Column]:
    """Return the columns: the paper's figure, `before`, and what is measured of each binarization."""
    columns = [Column("system"), Column("latents"), Column("the paper, by"), Column("the paper", "reported")]
    return [*columns, *before, *(Column(f"{way}, {what}", "measured") for way in ways for what in measured)]


def likelihood_table(run: Experiment) -> Table:
    """Log P(x) of test images, every system, each binarization in columns of its own."""
    reported, ways = NATS[run.name], binarized(run)
    rows = _rows(run, reported)
    table = Table(
        f"Log-probability of a test image, nats: every system after {_seconds(run)} of training",
        _columns(ways.values(), "nats", "variational bound"),
        [
            f"Nats: {run.budget.nats_images} test images, drawn once, ± one standard error over them. Where "
            f"the bounds on both sides are more than {WIDEST} nats apart, the interval is given; where one "
            f"is missing, they are {NOT_KNOWN}. The next table has the bounds. A variational bound lies "
            "below log P(x); the next table tells where an annealed normaliser keeps it from being a bound. "
            "Figures of different binarizations cannot be compared.",
        ],
    )
    for row in rows:
        said = _said(row, reported)
        cells: list[Any] = [row.system, row.size, said and said.estimator, said]
        for how in ways:
            cells += _cells(run, row.cases.get(how))
        table.add(*cells)
    return _finish(run, table, rows)


def _cells(run: Experiment, case: Case | None) -> list[Any]:
    nats = None if case is None else run.figures(case.name, "nats")
    if case is not None and case.name in run.diverged:
        return [DIVERGED, DIVERGED]
    if nats is None:
        return [None, None]
    value: Any = Measured(nats["value"], nats["standard_error"])
    bound = nats["variational"]
    return [
        value if is_known(nats) else Unknown(nats["lower"], nats["upper"]),
        None if bound is None else Measured(bound["mean"], bound["standard_error"]),
    ]


def nats_of(run: Experiment, how: str) -> dict[str, tuple[Figures, NDArray | None]]:
    """Return by row what is known of its nats, and those of each image; of an earlier report there are none.

    `how` names the binarization.
    """
    found: dict[str, tuple[Figures, NDArray | None]] = {}
    for case in run.cases:
        nats = run.figures(case.name, "nats")
        if case.binarize == how and nats is not None:
            values = run.results[f"{case.name}.nats"].arrays["values"]
            found[case.row] = {**nats, "known": is_known(nats)}, values
    words = binarized(run)[how]
    for (row, images), nats in run.earlier.nats(BOUNDS).items() if run.earlier else ():
        if images == words and row not in found:
            found[row] = nats, None
    return found


def from_earlier(run: Experiment) -> list[str]:
    """Return the rows whose nats come from an earlier report, each once."""
    found = [
        row for how in binarized(run) for row, (_, values) in nats_of(run, how).items() if values is None
    ]
    return list(dict.fromkeys(found))


def ranges(run: Experiment) -> dict[str, list[tuple[str, float | None, float, float | None, bool]]]:
    """Return by binarization, in words: each row's name, its nats between bounds, whether they are known."""
    found = {}
    for how, words in binarized(run).items():
        rows = nats_of(run, how).items()
        of = [(row, nats["lower"], nats["value"], nats["upper"], nats["known"]) for row, (nats, _) in rows]
        found |= {words: of} if of else {}
    return found


def bounds_table(run: Experiment) -> Table:
    """Both sides of every figure, each bound named as what it is."""
    table = Table(
        BOUNDS,
        (
            Column("system"), Column("images"), Column("by"), Column("estimate", "measured"),
            Column("from", "measured"), Column("from is"), Column("to", "measured"), Column("to is"),
            Column("width", "measured"), Column("temperatures", "measured", 0), Column("variational bound"),
            Column("known"),
        ),
        [
            f"The second side rests on {run.budget.nats_drawn} images. Chains are made {LONGER} times as "
            f"long, again and again, until the bounds are at most {WIDEST} nats apart, or until longer ones "
            "would cost too much.",
        ],
    )  # fmt: skip
    for case in run.cases:
        nats = run.figures(case.name, "nats")
        if nats is None:
            continue
        low, high, bound = nats["lower"], nats["upper"], nats["variational"]
        table.add(
            case.row,
            binarized(run)[case.binarize],
            nats["by"],
            Measured(nats["value"], nats["standard_error"]),
            None if low is None else Measured(low),
            nats["lower_is"] or "no bound known",
            None if high is None else Measured(high),
            nats["upper_is"] or "no bound known",
            None if low is None or high is None else Measured(high - low),
            Measured(nats["n_temperatures"]),
            "none" if bound is None else "a bound" if bound["bound"] == "lower" else NO_BOUND,
            "yes" if is_known(nats) else NOT_KNOWN,
        )
    return _finish(run, table, ())


def errors_table(run: Experiment) -> Table:
    """Wrong pixels of test images, every system, each binarization in columns of its own."""
    reported, ways = WRONG_PIXELS[run.name], binarized(run)
    rows = _rows(run, reported)
    table = Table(
        f"Wrong pixels per test image: every system after {_seconds(run)} of training",
        _columns(ways.values(), "usual inference", "annealed", before=[Column("usual inference")]),
        [
            f"{min(run.budget.errors_images, len(run.data.test_X)):,} test images, drawn once, ± one "
            "standard error over them. Annealed: where a system can, each image's latents are searched for "
            f"by {run.budget.annealed_sweeps:,} sweeps.",
        ],
    )
    for row in rows:
        said = _said(row, reported)
        found = {how: run.figures(case.name, "errors") for how, case in row.cases.items()}
        by = next((figures["by"] for figures in found.values() if figures), None)
        cells: list[Any] = [row.system, row.size, said and said.estimator, said, by]
        for how in ways:
            figures, case = found.get(how) or {}, row.cases.get(how)
            cells += unless_diverged(
                case is not None and case.name in run.diverged,
                *(
                    Measured(figures[way]["mean"], figures[way]["standard_error"]) if way in figures else None
                    for way in ("usual", "annealed")
                ),
            )
        table.add(*cells)
    return _finish(run, table, rows)


def training_table(run: Experiment) -> Table:
    """Return the table of the training within the budget of each system."""
    table = Table(
        f"Training: {_seconds(run)} for every system",
        (
            Column("system"), Column("images"), Column("CPU seconds", "measured", 1),
            Column("images learned from", "measured", 0), Column("passes, stage by stage"), Column("ended"),
            Column("settings"), Column("chosen"),
        ),
        [
            "CPU seconds are those of steps of training, each on one thread, so that waiting for other "
            "threads costs none; a short run before, which tells how many passes fit the budget, is not "
            f"counted. Where it told of too few, training that took less than {MIN_USED_SHARE:.0%} of the "
            "budget tells of more, and begins again. Where fewer images than all were learned from, the "
            "budget is too short for a pass.",
        ],
    )  # fmt: skip
    for case in run.cases:
        found = run.figures(case.name, "timed")
        asked = next(
            stage.settings["settings"]
            for stage in run.stages
            if stage.config == case.name and stage.kind == "plan"
        )
        said = asked.get("recipe", {}).get("title") or in_words(asked, SYSTEMS[case.system].fields)
        chosen = how_chosen(case.system, case.sizes, run.name)
        if found is None:
            ended = "diverged" if case.name in run.diverged else "not yet trained"
            missing = (*unless_diverged(case.name in run.diverged, None, None), None, ended)
            table.add(case.row, binarized(run)[case.binarize], *missing, said, chosen)
            continue
        ended = "as planned" if found["finished"] else f"by the budget, {found['done']:.0%} done"
        table.add(
            case.row,
            binarized(run)[case.binarize],
            Measured(found["seconds"]),
            Measured(found["n_images"]),
            ", ".join(map(str, found["passes"])),
            ended,
            said,
            chosen,
        )
    return _finish(run, table, ())


def sources_table(run: Experiment) -> Table | None:
    """The paper's figures beside those that its sources have; None where no source was read."""
    rows = SOURCES[run.name]
    if not rows:
        return None
    table = Table(
        "What the paper says, and what its sources say",
        (
            Column("system"), Column("latents"), Column("the paper, by"), Column("the paper", "reported"),
            Column("source"), Column("the source, by"), Column("the source", "reported"),
        ),
        [
            *DISAGREEMENTS.get(run.name, ()),
            *(f"{row.model} {row.size}, {row.source}: {row.note}." for row in rows if row.note),
        ],
    )  # fmt: skip
    for row in rows:
        said = _said(Row(*printed_of(row), {}), NATS[run.name])
        cells = (said and said.estimator, said, row.source, row.estimator, row)
        table.add(row.model, row.size, *cells)
    return table


# -- who is likeliest


def first_words(run: Experiment) -> str:
    """Return the sentence about the likeliest of all measured systems, as Markdown; "" if there are none."""
    said = [words for how in binarized(run) if (words := _likeliest(run, how))]
    longer = _longer(run)
    if said and longer:
        said.append(longer)
    return "\n\n".join(said)


def _likeliest(run: Experiment, how: str) -> str:
    found = nats_of(run, how)
    if not found:
        return ""
    order = sorted(found, key=lambda row: -found[row][0]["value"])
    known = [row for row in order if found[row][0]["known"]]
    words = binarized(run)[how]
    many = f"{len(order)} systems" if len(order) > 1 else "one system"
    about = f"of {many} after {_seconds(run)} of training each, images {words}"
    if not known:
        listed = "; ".join(f"{row} {_between(found[row][0])}" for row in order)
        return f"**Who is likeliest is not known**, {about}: no system's bounds are near enough. {listed}."
    best, *others = known
    nats = found[best][0]
    parts = [f"**Who is likeliest: {best}**, {about}: {nats['value']:.1f} nats, {_between(nats)}."]
    apart = {row for row in order if _apart(found[best], found[row]) or _was_apart(run, how, best, row)}
    alike = [row for row in others if row not in apart]
    if alike:
        parts.append(f"Not told apart from it: {_listed(alike, found)}.")
    open_ = [row for row in order if row not in known]
    above = [row for row in open_ if row not in apart]
    if above:
        parts.append(
            f"These may be likelier, but are {NOT_KNOWN} within {WIDEST} nats: "
            + "; ".join(f"{row}, {_between(found[row][0])}" for row in above)
            + "."
        )
    behind = [row for row in order if row not in (best, *alike, *above)]
    if behind:
        parts.append(f"Behind: {_listed(behind, found)}.")
    return " ".join(parts)


def _listed(rows: Sequence[str], found: dict[str, Any]) -> str:
    return ", ".join(
        f"{row} {found[row][0]['value']:.1f}"
        if found[row][0]["known"]
        else f"{row} ({_between(found[row][0])})"
        for row in rows
    )


def _between(nats: Figures) -> str:
    low, high = nats["lower"], nats["upper"]
    if low is None or high is None:
        return f"about {nats['value']:.1f} by {nats['by']}"
    return nats_between(low, high)


def _apart(best: tuple[Figures, Any], other: tuple[Figures, Any]) -> bool:
    """Return whether the best one's lower bound exceeds the other's upper bound by two standard errors.

    Both are of the same images, so that the error is that of their differences. If the figures of each image
    are not available, it is taken to be that of different images, which is larger for models that find the
    same images hard.
    """
    (nats, values), (theirs, their_values) = best, other
    low = nats["lower"]
    high = theirs["value"] if theirs["upper"] is None else theirs["upper"]
    if values is None or their_values is None:
        return low - high > 2 * float(np.hypot(nats["standard_error"], theirs["standard_error"]))
    differences = np.asarray(values) - np.asarray(their_values)
    error = float(differences.std(ddof=1) / np.sqrt(len(differences))) if len(differences) > 1 else 0.0
    return low - high > 2 * error


def _was_apart(run: Experiment, how: str, best: str, row: str) -> bool:
    """Return whether both rows come from an earlier report, which says that the other one is behind."""
    found, earlier = nats_of(run, how), run.earlier
    both = found[best][1] is None and found[row][1] is None
    return both and earlier is not None and earlier.is_behind(row, best, binarized(run)[how])


def _longer(run: Experiment) -> str:
    """Return the sentence about the likeliest configuration, which has no such budget."""
    found = {config: run.figures(config, "ais") for config in run.recipes}
    known = {config: figures for config, figures in found.items() if figures is not None}
    if not known:
        return ""
    best = max(known, key=lambda config: known[config]["mean"])
    trained = run.results.get(f"{best}.training")
    took = f", trained for {trained.seconds:,.0f} seconds," if trained is not None else ""
    return (
        f"Without that budget the likeliest LRBN, `{best}`{took} has {known[best]['mean']:.1f} nats by AIS, "
        f"a lower bound in expectation, on {known[best]['n_images']:,} test images."
    )
