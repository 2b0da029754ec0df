"""The report of a run: Markdown, JSON and figures, of whatever stages are done."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Any

from lrbn_viz.core.fields import Field, Flag, Integer, Real, fields_of, in_words
from lrbn_viz.estimators import LRBN
from lrbn_viz.io.storage import write_atomic
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.studies.reproduce import annealed, comparison_tables, findings
from lrbn_viz.studies.reproduce import figures as drawing
from lrbn_viz.studies.reproduce.experiment import Experiment
from lrbn_viz.studies.reproduce.previous_versions import MACHINE
from lrbn_viz.studies.reproduce.progress import format_duration
from lrbn_viz.studies.reproduce.recipes import stages_of
from lrbn_viz.studies.reproduce.reported import CAVEATS, GOALS, NATS, SOURCES, WRONG_PIXELS
from lrbn_viz.studies.reproduce.tables import Table
from lrbn_viz.training.settings import COUNT, N_ITER, NON_NEGATIVE, POSITIVE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIELDS: dict[str, Field] = {
    **fields_of(LRBN),
    **fields_of(HardEM),
    "n_iter": replace(N_ITER, bounds=NON_NEGATIVE),  # with 0 a layer learns only together with the others
    "n_stop": Integer(
        "Images for early stopping",
        None,
        "Held-out images whose joint decides on early stopping.",
        bounds=COUNT,
    ),
    "shifts": Integer(
        "Random shift", "pixels", "How far each training image is moved at most.", bounds=NON_NEGATIVE
    ),
    "mirror": Flag("Mirrored images", None, "Half of the training images are mirrored at random."),
    "copies": Integer(
        "Copies of each image", None, "How many copies of each image are made before.", bounds=NON_NEGATIVE
    ),
    "anew": Flag("Chains begin again", None, "Persistent chains begin again with the stage."),
    "lowest_rate": Real(
        "Rate of the lowest layer", None, "Factor on the lowest layer's learning rate.", bounds=POSITIVE
    ),
}
"""Fields that a recipe may set, by name; see :class:`~lrbn_viz.studies.reproduce.recipes.Recipe`."""

TITLES = {"mnist": "MNIST", "caltech": "Caltech 101 silhouettes", "ocr": "OCR letters"}


def write_report(run: Experiment) -> None:
    """Write ``report.md``, ``report.json`` and the figures into the run's folder.

    Stages that are not done yet leave empty cells; figures are of the configurations that are done.
    """
    tables = tables_of_systems(run) if run.cases else {}
    if run.recipes:
        tables |= {
            "aims": findings.goal_table(run),
            "reconstruction": findings.reconstruction_table(run),
            "likelihood": findings.likelihood_table(run),
            "estimators": findings.estimator_table(run),
            "representation": findings.representation_table(run),
            "validation": findings.validation_table(run),
            "times": findings.time_table(run),
        }
    figures = _write_figures(run)
    folder = run.store.folder
    write_atomic(folder / "report.json", f"{json.dumps(as_json(run, tables), indent=1)}\n".encode())
    write_atomic(folder / "report.md", _markdown(run, tables, figures).encode())


def tables_of_systems(run: Experiment) -> dict[str, Table]:
    """Return the tables of systems that are trained for equal seconds, by the names that JSON has.

    Raises
    ------
    ValueError
        An earlier report, whose rows are to be shown as well, is about another experiment.
    """
    sources = comparison_tables.sources_table(run)
    return {
        "systems, likelihood": comparison_tables.likelihood_table(run),
        "systems, bounds": comparison_tables.bounds_table(run),
        "systems, reconstruction": comparison_tables.errors_table(run),
        **({} if sources is None else {"sources": sources}),
        "systems, training": comparison_tables.training_table(run),
    }


def as_json(run: Experiment, tables: dict[str, Table]) -> dict[str, Any]:
    """Return the whole report as JSON values: reported and measured figures separately."""
    measured = {
        config: {
            stage.kind: {"figures": result.figures, "seconds": result.seconds}
            for stage in run.stages
            if stage.config == config and (result := run.results.get(stage.name)) is not None
        }
        for config in (*run.recipes, *(case.name for case in run.cases))
    }
    pixels = run.results.get("pixels")
    return {
        "dataset": run.dataset_name,
        "quick": run.fast,
        "seed": run.seed,
        "images": {
            "train": len(run.data.train_X),
            "validation": len(run.data.validation_X),
            "test": len(run.data.test_X),
            "held_out": run.data.held_out,
        },
        "reported": {
            "wrong_pixels": [row._asdict() for row in WRONG_PIXELS[run.name]],
            "nats": [row._asdict() for row in NATS[run.name]],
            "sources": [row._asdict() for row in SOURCES[run.name]],
        },
        "aims": GOALS[run.name]._asdict() | {"chosen": findings.chosen(run)},
        "notes": notes(run.name),
        "measured": measured,
        "diverged": run.diverged,
        "pixels": None if pixels is None else {"figures": pixels.figures, "seconds": pixels.seconds},
        "settings": {
            "recipes": {config: recipe._asdict() for config, recipe in run.recipes.items()},
            "budget": run.budget._asdict(),
            "seconds": run.seconds,
            "binarizations": list(run.by),
        },
        "machine": run.machine,
        "tables": {name: table.as_json() for name, table in tables.items()},
    }


def _write_figures(run: Experiment) -> dict[str, tuple[str, str]]:
    """Draw all figures that are possible so far; return caption and file name of each, by its name."""
    trained = [config for config in run.recipes if run.figures(config, "training") is not None]
    drawn: dict[str, tuple[str, str]] = {}

    def keep(name: str, figure: Figure, caption: str) -> None:
        drawing.save(figure, run.store.folder / "figures" / name)
        drawn[name.partition(".")[0]] = caption, name

    if trained:
        models = {config: run.model(config) for config in trained}
        titles = {config: run.recipes[config].title for config in trained}
        X, shape = run.data.test_X, run.data.image_shape
        strips = drawing.reconstructions(models, titles, X, shape)
        keep("reconstructions.png", strips, "Test images and their reconstructions by ICM and by annealing.")
        keep("samples.png", drawing.samples(models, titles, X, shape, run.seed), "Samples of each model.")
        keep("filters.png", drawing.filters(models, titles, X, shape), "Filters of each model's first layer.")
    if ranges := comparison_tables.ranges(run):
        systems = drawing.ranges({how: [drawing.Range(*each) for each in of] for how, of in ranges.items()})
        keep("systems.svg", systems, "Log P(x) of every system, with what bounds it.")
    if run.recipes and not run.fast and (curves := annealed.shipped(run.name)):
        keep(f"{annealed.FIGURE}.svg", drawing.errors_over_sweeps(curves), annealed.CAPTION)
    panels, points = [], []
    for config in trained:
        found = {kind: run.figures(config, kind) for kind in ("ais", "map-bound", "csl", "reconstruction")}
        ais, bound, csl, pixels = found.values()
        if ais is not None and bound is not None and csl is not None:
            panels.append(drawing.Likelihoods(config, ais, bound, csl))
        if ais is not None and pixels is not None:
            points.append(
                drawing.Point(
                    config, findings.prior_of(run.recipes[config]), pixels["icm"]["mean"],
                    pixels["annealed"]["mean"], ais["mean"], ais["standard_error"],
                )
            )  # fmt: skip
    if panels:
        keep("csl.svg", drawing.csl_curves(panels), "CSL over the number of samples, AIS and MAP bound.")
    if points:
        caption = "Reconstruction error against log-likelihood, as the prior goes from flat to learned."
        keep("frontier.svg", drawing.frontier(points, GOALS[run.name].together), caption)
    return drawn


def _markdown(run: Experiment, tables: dict[str, Table], figures: dict[str, tuple[str, str]]) -> str:
    stages = [stage for stage in run.stages if stage.config not in run.diverged]
    n_done = sum(stage.name in run.results for stage in stages)
    about = f"LRBN on {TITLES[run.name]}" if run.recipes else TITLES[run.name]
    parts = [f"# {about}: reported and measured"]
    if run.fast:
        parts.append(
            "**A quick run: small layers, few images, a single pass. Its figures say nothing about the "
            "method.**"
        )
    if n_done < len(stages):
        parts.append(
            f"**Not finished: {n_done} of {len(stages)} stages are done. The same command goes on.**"
        )
    if run.diverged:
        parts.append(_diverged(run))
    parts.append(comparison_tables.first_words(run))
    if n_done == len(run.stages) and not run.fast and run.recipes:  # all of it, nothing left out
        said = likeliest(run.name)
        parts += [said, _between_marks(f"rivals_{run.name}", annealed.rivals(run.name, said))]
    chosen = "Which settings were chosen on held-out training images is said under Training"
    if not run.cases:
        chosen = "Settings were chosen on held-out training images"
    parts.append(
        "What the paper reports and what was measured here stand in columns of their own. "
        f"{chosen}; test images were only measured."
    )
    if run.earlier is not None and (rows := comparison_tables.from_earlier(run)):
        parts.append(
            f"Not of this run, but as an earlier report of the same systems has them ({run.earlier.name}): "
            f"{', '.join(rows)}. Where one of them is compared with a row of this run, errors are taken to "
            "be those of different images."
        )
    if run.cases:
        parts += _of_systems(tables, figures)
    if run.recipes:
        parts += _of_recipes(run, tables, figures)
    parts.append(_machine(run))
    if run.recipes:
        parts.append(tables["times"].markdown())
    return "\n\n".join(part for part in parts if part) + "\n"


def _diverged(run: Experiment) -> str:
    """Return the sentence about systems whose training diverged."""
    names = {
        case.name: f"{case.row}, images {comparison_tables.binarized(run)[case.binarize]}"
        for case in run.cases
    }
    names |= {config: f"`{config}`" for config in run.recipes}
    said = "\n".join(f"- {names[config]}: {words}" for config, words in run.diverged.items())
    return f"**Training diverged, and nothing was kept, of:**\n\n{said}"


def _of_systems(tables: dict[str, Table], figures: dict[str, tuple[str, str]]) -> list[str]:
    """Return the sections of systems that are trained for equal seconds."""
    names = ("likelihood", "bounds", "reconstruction", "training")
    likelihood, bounds, errors, training = (tables[f"systems, {name}"].markdown() for name in names)
    sources = tables["sources"].markdown() if "sources" in tables else ""
    figure = _figure(figures, "systems")
    heading = "## Every system, equal seconds of training"
    return [heading, likelihood, figure, bounds, errors, sources, training]


def _of_recipes(run: Experiment, tables: dict[str, Table], figures: dict[str, tuple[str, str]]) -> list[str]:
    """Return the sections of the paper's model and how it was trained here."""
    return [
        "## The LRBN, trained for as long as it takes" if run.cases else "",
        tables["aims"].markdown(),
        _figure(figures, "frontier"),
        "## Reconstruction",
        tables["reconstruction"].markdown(),
        _figure(figures, "reconstructions"),
        _between_marks(f"sweeps_{run.name}", annealed.section(run.name)) if not run.fast else "",
        "## Likelihood",
        tables["likelihood"].markdown(),
        _figure(figures, "csl"),
        tables["estimators"].markdown(),
        "## Codes, samples and filters",
        tables["representation"].markdown(),
        _figure(figures, "samples"),
        _figure(figures, "filters"),
        "## What must be known beside the tables",
        "\n".join(f"- {caveat}" for caveat in CAVEATS),
        "## How it was done",
        _protocol(run),
        tables["validation"].markdown(),
        _notes(run),
        _settings(run),
    ]


def _between_marks(name: str, text: str) -> str:
    """Return text between the comments by which it is found again, to be written anew without a run."""
    return f"<!-- measured: {name} -->\n\n{text}\n\n<!-- end of measured -->" if text else ""


def _figure(figures: dict[str, tuple[str, str]], name: str) -> str:
    return "![{}](figures/{})".format(*figures[name]) if name in figures else ""


def _protocol(run: Experiment) -> str:
    data = run.data
    return (
        f"{len(data.train_X):,} images were trained on, {len(data.validation_X):,} held out, and all "
        f"{len(data.test_X):,} test images measured, binary at half of full ink. The seed of training and of "
        f"every estimator is {run.seed}. Where a configuration stops early, the joint of the first held-out "
        "images decides."
    )


def notes(name: str) -> str:
    """Return the notes on a data set, Markdown: a list of additional runs."""
    return _note(name)


def likeliest(name: str) -> str:
    """Return which model is likeliest on a data set, rivals included, Markdown: a report's first words."""
    return _note(f"{name}_likeliest")


def _note(name: str) -> str:
    file = resources.files("lrbn_viz.studies.reproduce").joinpath("notes", f"{name}.md")
    return file.read_text(encoding="utf-8").strip()


def _notes(run: Experiment) -> str:
    return (
        "### Notes: what else was tried, in single runs\n\n"
        "Written by hand while settings were being chosen, and not made again by this command. **Each figure "
        "is of a single training run with one seed**, without a standard error, on held-out images: wrong "
        "pixels by annealing, nats by AIS. Another seed moves them, so small differences say nothing; only "
        "figures within a note are of the same images.\n\n"
    ) + notes(run.name)


def _settings(run: Experiment) -> str:
    lines = ["### Settings", "", "| configuration | layer | settings |", "| --- | --- | --- |"]
    for config, recipe in run.recipes.items():
        for n, layer in enumerate(recipe.layers, 1):
            lines += [f"| `{config}` | {n} | {in_words(stage, FIELDS)} |" for stage in stages_of(layer)]
        for stage in stages_of(recipe.fine_tune) if recipe.fine_tune else []:
            lines.append(f"| `{config}` | all together | {in_words(stage, FIELDS)} |")
        rest = {k: v for k, v in recipe._asdict().items() if k not in ("title", "layers", "fine_tune")}
        lines.append(f"| `{config}` | shared | {in_words(rest, FIELDS)} |")
        trained = run.figures(config, "training")
        if trained is not None:
            passes = ", ".join(f"{part['stage']}: {part['passes']}" for part in trained["passes"])
            known = trained.get("begun_with")
            passes += f"; begins with all stages of `{known}`, whose seconds count there" if known else ""
            lines.append(f"| `{config}` | passes made | {passes} |")
    return "\n".join(lines)


def _machine(run: Experiment) -> str:
    found = run.machine
    versions = ", ".join(f"{name} {number}" for name, number in found["packages"].items())
    seconds = sum(result.seconds for result in run.results.values())
    cores, threads = (
        f"{n} {unit}{'s' if n != 1 else ''}"
        for n, unit in ((found["cores"], "core"), (found["threads"], "thread"))
    )
    earlier = f"\n\nThe earlier report: {run.earlier.machine}" if run.earlier else ""
    return (
        f"{MACHINE}\n\n"
        f"{found['processor']}, {cores}, {threads}, {found['system']}; Python {found['python']}; {versions}. "
        f"All stages together took {format_duration(seconds)}.{earlier}"
    )
