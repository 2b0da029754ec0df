"""Figures of the Compare page: drawn by HoloViews on a thread, sent as text, each with its data as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from lrbn_viz.app.compare.offers import Offer, fewest_wrong, is_known, offer_of
from lrbn_viz.app.compare.tables import shown
from lrbn_viz.app.shared.menus import known_models
from lrbn_viz.datasets.dataset import in_rows


def figures(offers: tuple[Offer, ...], table: bool = False) -> str:
    """Return all figures of some systems as JSON text: a list of title, caption, CSV, systems and figure.

    Takes tenths of a second; the first call imports HoloViews, which takes some seconds. Results for
    shipped systems are cached.

    Parameters
    ----------
    offers : tuple of Offer
        The systems, in the order of their numbers.
    table : bool
        True if their data have rows of named variables in the place of images.
    """
    if any(offer.own for offer in offers):
        return _figures(offers, table)
    return _of_shipped(tuple(offer.name for offer in offers), table)


@lru_cache(maxsize=32)
def _of_shipped(names: tuple[str, ...], table: bool) -> str:
    known = known_models()
    return _figures([offer_of(known[name]) for name in names], table)


def _figures(offers: Sequence[Offer], table: bool) -> str:
    from lrbn_viz.view.plots.embed import figure_json  # imports HoloViews, so only once a page is open

    made, say = [], partial(in_rows, table=table)
    for build in (_seconds, _pixels, _dependence, _sweeps):
        figure, words, data, missing = build(offers, say)
        made.append(
            {
                "table": None,
                **words,
                **{name: say(words[name]) for name in ("title", "caption")},
                "missing": missing,
                "csv": _csv([{say(name): cell for name, cell in row.items()} for row in data]),
                "systems": [row["system"] for row in data],
                "item": None if figure is None else json.loads(figure_json(figure)),
            }
        )
    return json.dumps(made)


NATS = "log P(x) of a test image"
"""Label of an axis."""
Say = Callable[[str], str]
"""Words for images as those for the data that are compared."""
Built = tuple[Any, dict[str, Any], list[dict[str, Any]], str]
"""A figure, or None where there is nothing to draw; its words, and the table beside it, if it has one; its
data; what it leaves out, in words."""


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    """Return rows as a table with a line for each, and one above that names the columns."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _points(
    offers: Sequence[Offer], cost: Callable[[Mapping[str, Any]], float | None], column: str
) -> tuple[list[Any], list[dict[str, Any]], list[str]]:
    """Return the points of systems whose nats and cost were measured, their data, and the other systems."""
    from lrbn_viz.view.plots.systems import SystemPoint

    points, table, without = [], [], []
    for number, offer in enumerate(offers, 1):
        nats, x = offer.figures.get("nats", {}), cost(offer.figures)
        if not nats or x is None:
            without.append(offer.title)
            continue
        known, high = is_known(nats), nats["low"] if nats["high"] is None else nats["high"]
        point = SystemPoint(
            offer.name,
            offer.title,
            f"   {number}",
            offer.inference,
            x,
            nats["low"],
            high,
            known,
            nats["value"],
        )
        points.append(point)
        table.append(
            {
                "number": number, "system": offer.name, "title": offer.title, column: x,
                "nats": nats["value"] if known else "", "lower bound, nats": nats["low"],
                "upper bound, nats": nats["high"], "method": nats["method"], "images": nats["images"],
            }
        )  # fmt: skip
    return points, table, without


def _left_out(titles: Sequence[str], why: str) -> str:
    return f"Not in this figure, {why}: {', '.join(titles)}." if titles else ""


def _seconds(offers: Sequence[Offer], say: Say) -> Built:
    """Nats against the CPU seconds of training."""
    from lrbn_viz.view.plots.systems import nats_against

    def cost(found: Mapping[str, Any]) -> float | None:
        seconds = found.get("CPU seconds")
        return None if seconds is None else max(float(seconds), 0.5)  # stored as whole seconds

    points, table, without = _points(offers, cost, "CPU seconds of training")
    words = {
        "name": "nats-against-cpu-seconds",
        "title": "Nats against CPU seconds of training",
        "caption": "Higher is better, further left is cheaper. CPU seconds are those of all threads "
        "together. A hollow point: the nats lie somewhere on its line, between the two bounds.",
    }
    if not points:
        return None, words, table, _left_out(without, "since figures are missing")
    figure = nats_against(points, "training", x_unit="CPU seconds", y_label=say(NATS), log=True)
    return figure, words, table, _left_out(without, "since nats or CPU seconds were not measured")


def _pixels(offers: Sequence[Offer], say: Say) -> Built:
    """Nats against wrong pixels."""
    from lrbn_viz.catalog import annealed_sweeps
    from lrbn_viz.view.plots.systems import nats_against

    points, table, without = _points(offers, fewest_wrong, "wrong pixels per test image")
    own = {
        offer.figures["wrong pixels"]["images"] for offer in offers if offer.own and offer.figures.get("nats")
    }
    images = "all test images" + (f" (of a model of this session over {max(own)})" if own else "")
    sweeps = f"{annealed_sweeps():,} sweeps of annealing"
    words = {
        "name": "nats-against-wrong-pixels",
        "title": "Nats against wrong pixels",
        "caption": "Higher and further left is better. Wrong pixels of a reconstruction, the mean over "
        f"{images}, by the inference that makes the fewest, the usual one or {sweeps}. A hollow point: the "
        "nats lie somewhere on its line, between the two bounds.",
    }
    if not points:
        return None, words, table, _left_out(without, "since figures are missing")
    figure = nats_against(points, say("wrong pixels per test image"), y_label=say(NATS))
    return figure, words, table, _left_out(without, "since nats were not measured")


def _dependence(offers: Sequence[Offer], say: Say) -> Built:
    """Draw the dependence of latents on each other under the posterior, beside the 0 of q."""
    from lrbn_viz.view.plots.systems import Dependence, dependence_bars

    bars, table, without = [], [], []
    for number, offer in enumerate(offers, 1):
        found = offer.figures.get("dependence")
        if not found:
            without.append(offer.title)
            continue
        independent = offer.inference == "exact"
        how = say(
            "exactly" if found["exact"] else f"from {found['n_sweeps']:,} sweeps of Gibbs sampling an image"
        )
        said = f"{found['information']:.4f} ({'independent, ' if independent else ''}{how})"
        bars.append(
            Dependence(
                offer.name,
                offer.title,
                str(number),
                offer.inference,
                found["information"],
                found["standard error"],
                said,
            )
        )
        table.append(
            {
                "number": number, "system": offer.name, "title": offer.title,
                "mutual information, nats": found["information"],
                "standard error, nats": found["standard error"],
                "under a factorised q, nats": 0.0, "share of the entropy": found["share"], "found": how,
                "images": found["images"],
            }
        )  # fmt: skip
    sampled = any("Gibbs" in row["found"] for row in table)
    exact = any("exactly" in row["found"] for row in table)
    counts = sorted({row["images"] for row in table})
    ways = f" The posterior is that of {' or '.join(map(str, counts))} test images"
    if sampled and exact:
        ways += ", known exactly for an RBM and for up to 16 latents, else sampled by Gibbs chains."
    else:
        ways += ", sampled by Gibbs chains." if sampled else ", known exactly."
    words = {
        "name": "posterior-dependence",
        "title": "Dependence of the latents, given an image",
        "caption": "Bars: the mutual information between a latent and all other latents, in nats, the mean "
        "over latents. Latents that explain each other away contribute, and so do latents that are on "
        "together; 0 means that they are independent. More is neither good nor bad. "
        "Diamonds: under a factorised approximation q, as mean field and recognition networks make it, "
        "this is always 0." + ways,
    }
    if not bars:
        return None, words, table, _left_out(without, "since it was not measured")
    return dependence_bars(bars), words, table, _left_out(without, "since it was not measured")


def _sweeps(offers: Sequence[Offer], say: Say) -> Built:
    """Wrong pixels over the sweeps of annealing, with a table of the same figures."""
    from lrbn_viz.catalog import annealed_points
    from lrbn_viz.studies.reproduce.annealed import table_over_sweeps
    from lrbn_viz.view.plots.systems import ErrorCurve, errors_over_sweeps

    curves, rows, table, exact, without = [], [], [], [], []
    for number, offer in enumerate(offers, 1):
        points = annealed_points(offer.figures)
        if not points:
            (without if offer.inference == "states" else exact).append(offer.title)
            continue
        curves.append(ErrorCurve(offer.name, offer.title, str(number), offer.inference, points))
        rows.append((offer.title, offer.latents, points))
        table += [
            {
                "number": number, "system": offer.name, "title": offer.title, "sweeps": sweeps,
                "wrong pixels": wrong, "standard error": error,
            }
            for sweeps, (wrong, error) in points.items()
        ]  # fmt: skip
    beside = table_over_sweeps(rows) if rows else None
    words = {
        "name": "wrong-pixels-over-sweeps",
        "title": "Wrong pixels over sweeps of annealing",
        "caption": "Lower is better, further left is cheaper. Latents are inferred by this number of "
        "sweeps of annealing, and then by ICM. Bars: one standard error to either side. All figures are "
        "those of all test images (of a model of this session, of its first ones); the table has them in "
        "numbers.",
        "table": None if beside is None else shown(beside, say),
    }
    missing = " ".join(
        said
        for said in (
            _left_out(without, "since annealing was not measured"),
            _left_out(exact, "since their latents are not searched for"),
        )
        if said
    )
    if not curves:
        return None, words, table, missing
    return errors_over_sweeps(curves, axis=say("wrong pixels per test image")), words, table, missing
