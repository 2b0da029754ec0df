"""The paper's tables with its figures and ours in columns of their own, as JSON values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from lrbn_viz.app.compare.offers import NARROW, Offer, is_known
from lrbn_viz.datasets.dataset import in_rows
from lrbn_viz.io.glossary import nats_between
from lrbn_viz.studies.reproduce.reported import CAVEATS, NATS, WRONG_PIXELS, Reported, notes_of
from lrbn_viz.studies.reproduce.tables import WAYS, Column, Measured, Table, Words

_PAPER = {"mnist5k": "mnist", "caltech101_silhouettes": "caltech", "ocr_letters": "ocr"}
"""The paper's data sets, by the names of ours."""
SOURCE = "Reported: the paper's own figures, and those that it quotes."


def tables(dataset: str, offers: Sequence[Offer], table: bool = False) -> list[dict[str, Any]]:
    """Return both tables of a data set, with a row for each system that is compared.

    Parameters
    ----------
    dataset : str
    offers : sequence of Offer
        The systems.
    table : bool
        True if the data set has rows of named variables in the place of images.
    """
    made = _pixels(dataset, offers), _nats(dataset, offers)
    return [shown(each, partial(in_rows, table=table)) for each in made]


def shown(table: Table, say: Callable[[str], str]) -> dict[str, Any]:
    """Return a table for the page, with its title, columns and notes as `say` says them; JSON values."""
    columns = [column._replace(name=say(column.name)) for column in table.columns]
    notes = [say(note) for note in table.notes]
    return replace(table, title=say(table.title), columns=columns, notes=notes).as_shown()


def _notes(rows: Sequence[Reported]) -> list[str]:
    """Return the source of the paper's figures with their notes, or that there are none."""
    if not rows:
        return ["The paper has no figures of these images."]
    return [" ".join([SOURCE, *notes_of(rows)])]


def _pixels(dataset: str, offers: Sequence[Offer]) -> Table:
    """Return wrong pixels by the usual inference and by annealing."""
    from lrbn_viz.catalog import annealed_of, annealed_sweeps

    rows = WRONG_PIXELS.get(_PAPER.get(dataset, ""), ())
    own = [
        offer.figures["wrong pixels"]["images"]
        for offer in offers
        if offer.own and "wrong pixels" in offer.figures
    ]
    images = "all test images" + (f", models of this session on {max(own)} of them" if own else "")
    table = Table(
        "Wrong pixels per test image: fewer is better",
        (
            Column("system"), Column("latents"), Column("inference"), Column("wrong pixels", "reported"),
            Column("usual inference", "measured"),
            Column(f"annealed, {annealed_sweeps():,} sweeps", "measured"),
        ),
        [f"Measured: on {images}, thresholded at half of full ink.", *_notes(rows)],
    )  # fmt: skip
    for row in rows:
        table.add(row.model, row.size, row.estimator, row, None, None)
    for offer in offers:
        counts = offer.figures.get("wrong pixels", {})
        way = next((key for key in counts if key != "images"), "")
        annealed = annealed_of(offer.figures)
        cells = [
            Measured(counts[way]) if way else None,
            None if annealed is None else Measured(annealed["wrong pixels"]),
        ]
        table.add(offer.title, offer.latents, WAYS.get(way, way), None, *cells)
    return table


def _nats(dataset: str, offers: Sequence[Offer]) -> Table:
    """Log P(x) of a test image, with the bounds it lies between."""
    rows = NATS.get(_PAPER.get(dataset, ""), ())
    table = Table(
        "log P(x) of a test image, nats: higher is better",
        (
            Column("system"), Column("latents"), Column("estimator"), Column("nats", "reported"),
            Column("nats", "measured"), Column("lower bound", "measured"), Column("upper bound", "measured"),
        ),
        [
            "Measured: the first test images, thresholded at half of full ink. ± is one standard error over "
            "the images. Of an LRBN, AIS (annealed importance sampling) is a lower bound in expectation; the "
            "bound above it is as far away as on images drawn from the model. Of an RBM, AIS of log Z errs "
            f"upwards, and RAISE, the bound below, downwards. Where the two are more than {NARROW} nats "
            "apart, the interval between them stands in place of a figure.",
            *_notes(rows),
            *(CAVEATS[:1] if rows else ()),
        ],
    )  # fmt: skip
    for row in rows:
        table.add(row.model, row.size, row.estimator, row, None, None, None)
    for offer in offers:
        nats = offer.figures.get("nats", {})
        if not nats:
            why = offer.figures.get("why no nats")
            table.add(offer.title, offer.latents, "not measured" + (f": {why}" if why else ""), *4 * [None])
            continue
        how = f"{nats['method']}, {nats['images']} images"
        high = None if nats["high"] is None else Measured(nats["high"])
        if is_known(nats):
            value = Measured(nats["value"], nats["standard error"])
        elif high is None:
            value = Words("no upper bound")
        else:
            value = Words(nats_between(nats["low"], nats["high"]).replace("-", "\u2212"))
        table.add(offer.title, offer.latents, how, None, value, Measured(nats["low"]), high)
    return table
