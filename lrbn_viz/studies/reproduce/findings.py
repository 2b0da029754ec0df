"""The tables of the report, from the results of stages and the figures of the paper."""

from __future__ import annotations

from typing import Any

from lrbn_viz.studies.reproduce.experiment import Experiment
from lrbn_viz.studies.reproduce.recipes import Recipe
from lrbn_viz.studies.reproduce.reported import GOALS, NATS, PAPER_ROWS, WRONG_PIXELS, Reported, notes_of
from lrbn_viz.studies.reproduce.tables import Column, Measured, PerLayer, Table, unless_diverged


def size_of(recipe: Recipe) -> str:
    """Return the units of its layers, such as "200-200"."""
    return "-".join(str(layer["n_h"]) for layer in recipe.layers)


def prior_of(recipe: Recipe) -> str:
    """Return how the prior of the lowest latents comes about."""
    lowest, *above = recipe.layers
    return "layer above" if above else lowest.get("prior", "learned")


def _measured(figures: dict[str, Any] | None) -> Measured | None:
    return None if figures is None else Measured(figures["mean"], figures["standard_error"])


def _reported_rows(rows: tuple[Reported, ...], run: Experiment) -> list[Reported]:
    """Return the paper's rows to which no configuration of this run corresponds."""
    beside = [_counterpart(rows, config, recipe) for config, recipe in run.recipes.items()]
    return [row for row in rows if row not in beside]


def _counterpart(rows: tuple[Reported, ...], config: str, recipe: Recipe) -> Reported | None:
    """Return the paper's row that a configuration makes again, if it has as many units."""
    for row in rows:
        if PAPER_ROWS.get(config) == (row.model, row.size) and row.size == size_of(recipe):
            return row
    return None


def _notes_of(rows: tuple[Reported, ...]) -> list[str]:
    notes = notes_of(rows)
    return [" ".join(["Reported figures.", *notes])] if notes else []


def annealed_over(run: Experiment) -> str:
    """Return the name of a column of annealed figures, which says their number of sweeps."""
    return f"annealed, {run.budget.annealed_sweeps:,} sweeps"


def reconstruction_table(run: Experiment) -> Table:
    """Wrong pixels per test image, as the paper's table of reconstruction errors."""
    rows = WRONG_PIXELS[run.name]
    n = len(run.data.test_X)
    table = Table(
        f"Reconstruction error: wrong pixels per test image, all {n:,} test images",
        (
            Column("model"), Column("latents"), Column("inference", "label"),
            Column("wrong pixels", "reported"), Column("one pass", "measured"), Column("ICM", "measured"),
            Column(annealed_over(run), "measured"), Column("dead units", "measured", 0),
        ),
        [
            "± is one standard error over test images. Dead units are on in no test image's annealed code, "
            "layer by layer.",
            *_notes_of(rows),
        ],
    )  # fmt: skip
    for row in _reported_rows(rows, run):
        table.add(row.model, row.size, row.estimator, row, None, None, None, None)
    for config, recipe in run.recipes.items():
        found = run.figures(config, "reconstruction")
        also = _counterpart(rows, config, recipe)
        cells: list[Any] = [_measured(found and found[how]) for how in ("one pass", "icm", "annealed")]
        cells.append(found and PerLayer(tuple(found["annealed"]["dead_units"])))
        said = "MAP" if also is None else f"MAP (reported: {also.estimator})"
        cells = unless_diverged(config in run.diverged, *cells)
        table.add(f"LRBN, `{config}`", size_of(recipe), said, also, *cells)
    return table


def likelihood_table(run: Experiment) -> Table:
    """Log P(x) per test image, as the paper's table of log-probabilities."""
    rows = NATS[run.name]
    how = run.budget
    n = len(run.data.test_X)
    table = Table(
        "Log-probability of a test image, nats",
        (
            Column("model"), Column("latents"), Column("reported by"), Column("nats", "reported"),
            Column("AIS", "measured"), Column("MAP bound", "measured"), Column("CSL", "measured"),
        ),
        [
            f"Images are thresholded at half of full ink. AIS: {min(how.ais_images, n):,} test images "
            f"drawn once, {how.ais_chains} chain(s) each, of {how.temperatures(1):,} temperatures for one "
            f"layer and {how.temperatures(2):,} for two, a lower bound in expectation. MAP bound: max log "
            f"P(x, h) by {how.map_sweeps} annealing sweeps and ICM, all {n:,} test images, a lower bound. "
            f"CSL: {how.csl_repetitions} repetitions of {how.csl_samples:,} ancestral samples, all test "
            "images, a lower bound in expectation. ± is one standard error over test images.",
            *_notes_of(rows),
        ],
    )  # fmt: skip
    for row in _reported_rows(rows, run):
        table.add(row.model, row.size, row.estimator, row, None, None, None)
    for config, recipe in run.recipes.items():
        also = _counterpart(rows, config, recipe)
        measured = (_measured(run.figures(config, kind)) for kind in ("ais", "map-bound", "csl"))
        cells = unless_diverged(config in run.diverged, *measured)
        table.add(
            f"LRBN, `{config}`", size_of(recipe), None if also is None else also.estimator, also, *cells
        )
    return table


def estimator_table(run: Experiment) -> Table:
    """Return the table of the errors of the estimators themselves."""
    table = Table(
        "How sure the likelihoods are, nats",
        (
            Column("configuration"), Column("AIS, own error", "measured", 3),
            Column("drawn images, from below", "measured"), Column("drawn images, from above", "measured"),
            Column("width of the bracket", "measured"), Column("CSL, own error", "measured", 3),
        ),
        [
            "Own error: standard error of the mean due to the estimator's random draws alone (AIS: where it "
            f"has several chains per image). The bracket is of {run.budget.bracket_images} images drawn "
            "from each model: AIS from the prior bounds their log P(x) from below, AIS back from the latents "
            "they were drawn with bounds it from above.",
        ],
    )  # fmt: skip
    for config in run.recipes:
        ais, csl, both = (run.figures(config, kind) for kind in ("ais", "csl", "bracket"))
        bracket = [_measured(both and both[bound]) for bound in ("lower", "upper", "width")]
        own = [
            None if found is None or found["estimator_error"] is None else Measured(found["estimator_error"])
            for found in (ais, csl)
        ]
        table.add(f"`{config}`", *unless_diverged(config in run.diverged, own[0], *bracket, own[1]))
    return table


def representation_table(run: Experiment) -> Table:
    """Return the table of a linear classifier's accuracy on codes and on pixels."""
    table = Table(
        "Accuracy of a linear classifier on codes, per cent of test images",
        (
            Column("configuration"), Column("latents"), Column("codes by ICM", "measured"),
            Column("annealed codes", "measured"), Column("pixels", "measured"),
        ),
        [
            "Logistic regression (L2, C = 1) learned from "
            f"{min(run.budget.code_images, len(run.data.train_X)):,} training images, judged on all "
            f"{len(run.data.test_X):,} test images; codes hold the latents of all layers. The column "
            "of pixels is the same classifier on the images themselves.",
        ],
    )  # fmt: skip
    pixels = _percent(run.figures("", "pixels"))
    for config, recipe in run.recipes.items():
        found = run.figures(config, "representation")
        percents = (_percent(found and found[how]) for how in ("icm", "annealed"))
        cells = unless_diverged(config in run.diverged, *percents)
        table.add(f"`{config}`", size_of(recipe), *cells, pixels)
    return table


def _percent(figures: dict[str, Any] | None) -> Measured | None:
    if figures is None:
        return None
    return Measured(100 * figures["accuracy"], 100 * figures["standard_error"])


def validation_table(run: Experiment) -> Table:
    """Return the table of validation results, which choose settings and configurations."""
    table = Table(
        "Held-out training images, on which settings were chosen",
        (
            Column("configuration"), Column("latents"), Column("prior"),
            Column("ICM, wrong pixels", "measured"),
            Column(f"{annealed_over(run)}, wrong pixels", "measured"), Column("AIS, nats", "measured"),
        ),
        [f"Held out of training: {run.data.held_out}."],
    )  # fmt: skip
    for config, recipe in run.recipes.items():
        found = run.figures(config, "validation")
        measured = (_measured(found and found[how]) for how in ("icm", "annealed", "ais"))
        cells = unless_diverged(config in run.diverged, *measured)
        table.add(f"`{config}`", size_of(recipe), prior_of(recipe), *cells)
    return table


def chosen(run: Experiment) -> dict[str, str | None]:
    """Return the configuration that held-out images choose for each aim; None before any is measured.

    "together" takes the two-layer configuration whose worse count is best beside the paper's figures.
    """
    found = {config: run.figures(config, "validation") for config in run.recipes}
    known = {config: figures for config, figures in found.items() if figures is not None}
    pixels, nats = GOALS[run.name].together
    deep = [config for config in known if len(run.recipes[config].layers) == 2]

    def worse(config: str) -> float:
        figures = known[config]
        return max(figures["annealed"]["mean"] / pixels, figures["ais"]["mean"] / nats)

    return {
        "together": min(deep, key=worse, default=None),
        "pixels": min(known, key=lambda config: known[config]["annealed"]["mean"], default=None),
        "nats": max(known, key=lambda config: known[config]["ais"]["mean"], default=None),
    }


def goal_table(run: Experiment) -> Table:
    """Return the table of goals, and the results of the chosen configurations on test images."""
    goal = GOALS[run.name]
    table = Table(
        "Aims, and the configurations that held-out images chose for them",
        (
            Column("aim"), Column("wrong pixels at most"), Column("nats at least"), Column("configuration"),
            Column("ICM, wrong pixels", "measured"),
            Column(f"{annealed_over(run)}, wrong pixels", "measured"),
            Column("AIS, nats", "measured"), Column("reached"),
        ),
        ["Reached: on test images, with annealed reconstruction and the mean of AIS."],
    )  # fmt: skip
    aims = {
        "together": ("one 200-200 model, both of the paper's figures", *goal.together),
        "pixels": ("fewest wrong pixels", goal.pixels, None),
        "nats": ("likeliest", None, goal.nats),
    }
    for aim, config in chosen(run).items():
        title, pixels, nats = aims[aim]
        limits = [None if limit is None else f"{limit:g}" for limit in (pixels, nats)]
        found = None if config is None else run.figures(config, "reconstruction")
        ais = None if config is None else run.figures(config, "ais")
        if found is None or ais is None:
            table.add(title, *limits, config and f"`{config}`", None, None, None, "not yet measured")
            continue
        passed = (pixels is None or found["annealed"]["mean"] <= pixels) and (
            nats is None or ais["mean"] >= nats
        )
        cells = [_measured(found["icm"]), _measured(found["annealed"]), _measured(ais)]
        table.add(title, *limits, f"`{config}`", *cells, "yes" if passed else "no")
    return table


def time_table(run: Experiment) -> Table:
    """Seconds of every stage."""
    kinds = list(dict.fromkeys(stage.kind for stage in run.stages if stage.config))
    table = Table(
        "Run times, seconds",
        (Column("configuration"), *(Column(kind, "measured", 1) for kind in (*kinds, "all"))),
        ["Interrupted stages count all their parts."],
    )  # fmt: skip
    for config in run.recipes:
        results = [run.results.get(f"{config}.{kind}") for kind in kinds]
        cells = [None if result is None else Measured(result.seconds) for result in results]
        total = sum(result.seconds for result in results if result is not None)
        cells = unless_diverged(config in run.diverged, *cells, Measured(total) if total else None)
        table.add(f"`{config}`", *cells)
    return table
