"""Figures of the package's models in a report: wrong pixels over sweeps of annealing, and rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lrbn_viz.catalog import PRETRAINED, annealed_points, measured
from lrbn_viz.io.glossary import nats_between
from lrbn_viz.studies.reproduce.recipes import DATASETS
from lrbn_viz.studies.reproduce.tables import WAYS, Column, Measured, Table, Words

Points = Mapping[int, tuple[float, float]]
"""Mean wrong pixels per test image, and their standard error, by the number of sweeps."""
NOT_MEASURED = Words("not measured")
CAPTION = "Wrong pixels over sweeps of annealing, of the models of the package."
FIGURE = "annealed"
"""Name of the figure in a report, without its kind."""
_DATASETS = {"mnist": "mnist5k"}
"""Data sets of the package's models, by those of the reproduction, where the names differ."""


def shipped(name: str) -> dict[str, Points]:
    """Return the measured points of the package's models of a data set, by the model's name.

    Parameters
    ----------
    name : str
        Of the data set, as ``lrbn-viz reproduce`` takes it.
    """
    points = {model: annealed_points(measured(model)) for model in _of_data(name)}
    return {model: each for model, each in points.items() if each}


def _of_data(name: str) -> list[str]:
    """Return the package's models of a data set that the reproduction calls by `name`."""
    dataset = _DATASETS.get(DATASETS[name], DATASETS[name])
    return [model for model, info in PRETRAINED.items() if info.dataset == dataset]


def table_over_sweeps(rows: Sequence[tuple[str, str, Points]]) -> Table:
    """Return wrong pixels by the measured number of sweeps, a row for each model.

    Parameters
    ----------
    rows : sequence of (title, latents, points)
    """
    counts = sorted({sweeps for *_, points in rows for sweeps in points})
    table = Table(
        "Wrong pixels per test image, by the number of sweeps of annealing: fewer is better",
        (Column("system"), Column("latents"), *(Column(f"{n:,} sweeps", "measured") for n in counts)),
        [
            "± is one standard error over test images. After the first number of sweeps all test images were "
            "measured. For a larger number, for which this would take too long, the mean change on the first "
            "test images is added to that mean."
        ],
    )
    for title, latents, points in rows:
        cells = (Measured(*points[n]) if n in points else NOT_MEASURED for n in counts)
        table.add(title, latents, *cells)
    return table


def section(name: str) -> str:
    """Return the section of a report on the package's models, Markdown; empty where none was measured."""
    found = shipped(name)
    if not found:
        return ""
    rows = [(f"`{model}`", PRETRAINED[model].layers, points) for model, points in found.items()]
    return (
        f"{table_over_sweeps(rows).markdown()}\n\n"
        "These are the models that come with the package (`pretrained(...)`), whose parameters are rounded. "
        "In a checkout, `python -m tools.weights.annealed` measures them.\n\n"
        f"![{CAPTION}](figures/{FIGURE}.svg)"
    )


def rivals(name: str, named: str) -> str:
    """Return the figures of the package's rivals of the LRBN, a sentence for each; empty if there are none.

    Parameters
    ----------
    name : str
        Of the data set, as ``lrbn-viz reproduce`` takes it.
    named : str
        Text of the report whose rivals are left out.
    """
    # the usual inference of the paper's model is ICM, and of no other
    of_data = [model for model in _of_data(name) if "icm" not in measured(model)["wrong pixels"]]
    left = [model for model in of_data if f"`{model}`" not in named]
    if not left:
        return ""
    one = len(left) == 1
    begin = "Another rival comes" if one else "Other rivals come"
    counts = sorted({measured(model)["nats"]["images of the bracket"] for model in left})
    what = "The width of the interval is" if one else "The widths of the intervals are"
    end = f"{what} estimated from {' or '.join(map(str, counts))} images."
    return " ".join([f"{begin} with the package.", *map(_of_rival, left), end])


def _of_rival(model: str) -> str:
    found = measured(model)
    nats, pixels, seconds = found["nats"], dict(found["wrong pixels"]), found["CPU seconds"]
    n_images = pixels.pop("images")
    [(way, wrong)] = pixels.items()
    trained = "" if seconds is None else f", after {seconds:,.0f} CPU seconds of training,"
    return (
        f"`{model}`{trained} makes {wrong:.2f} pixels wrong on {n_images:,} test images "
        f"({WAYS.get(way, way)}), and has {nats_between(nats['low'], nats['high'])} nats on the first "
        f"{nats['images']:,}."
    )
