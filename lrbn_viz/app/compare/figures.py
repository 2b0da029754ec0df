"""The page's figures: made by HoloViews on a thread, sent as text, each with its data as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from lrbn_viz.app.compare.offers import fewest_wrong, figures_of, inference_of, is_known, systems_of


@lru_cache(maxsize=32)
def figures(dataset: str, names: tuple[str, ...]) -> str:
    """Return all figures of some systems as JSON text: a list of title, caption, CSV, systems and figure.

    Takes tenths of a second, the first time some seconds, while HoloViews is imported.

    Parameters
    ----------
    dataset : str
    names : tuple of str
        The systems, in the order of their numbers.
    """
    from lrbn_viz.plots.embed import figure_json  # brings HoloViews: once a page is open

    made = []
    for build in (_seconds, _pixels, _dependence):
        figure, words, table, missing = build(dataset, names)
        made.append(
            {
                **words,
                "missing": missing,
                "csv": _csv(table),
                "systems": [row["system"] for row in table],
                "item": None if figure is None else json.loads(figure_json(figure)),
            }
        )
    return json.dumps(made)


Built = tuple[Any, dict[str, str], list[dict[str, Any]], str]
"""A figure, or None where there is nothing to draw; its words; its data; what it leaves out, in words."""


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    """Return rows as a table with a line for each, and one above that names the columns."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _points(
    dataset: str, names: Sequence[str], cost: Callable[[dict[str, Any]], float | None], column: str
) -> tuple[list[Any], list[dict[str, Any]], list[str]]:
    """Return the points of systems whose nats and cost were measured, their data, and the other systems."""
    from lrbn_viz.plots.systems import SystemPoint

    systems, points, table, without = systems_of(dataset), [], [], []
    for number, name in enumerate(names, 1):
        info, found = systems[name], figures_of(name)
        nats, x = found.get("nats", {}), cost(found)
        if not nats or x is None:
            without.append(info.title)
            continue
        known, high = is_known(nats), nats["low"] if nats["high"] is None else nats["high"]
        point = SystemPoint(
            name, info.title, f"   {number}", inference_of(info), x, nats["low"], high, known, nats["value"]
        )
        points.append(point)
        table.append(
            {
                "number": number, "system": name, "title": info.title, column: x,
                "nats": nats["value"] if known else "", "lower bound, nats": nats["low"],
                "upper bound, nats": nats["high"], "method": nats["method"], "images": nats["images"],
            }
        )  # fmt: skip
    return points, table, without


def _left_out(titles: Sequence[str], why: str) -> str:
    return f"Not in this figure, {why}: {', '.join(titles)}." if titles else ""


def _seconds(dataset: str, names: Sequence[str]) -> Built:
    """Nats against the CPU seconds of training."""
    from lrbn_viz.plots.systems import nats_against

    def cost(found: dict[str, Any]) -> float | None:
        seconds = found.get("CPU seconds")
        return None if seconds is None else max(float(seconds), 0.5)  # stored as whole seconds

    points, table, without = _points(dataset, names, cost, "CPU seconds of training")
    words = {
        "name": "nats-against-cpu-seconds",
        "title": "Nats against CPU seconds of training",
        "caption": "Higher is better, further left is cheaper. CPU seconds are those of all threads "
        "together. A hollow point: the nats are not known; they lie on its line, between the two bounds.",
    }
    if not points:
        return None, words, table, _left_out(without, "since figures are missing")
    figure = nats_against(points, "training", x_unit="CPU seconds", log=True)
    return figure, words, table, _left_out(without, "since nats or CPU seconds were not measured")


def _pixels(dataset: str, names: Sequence[str]) -> Built:
    """Nats against wrong pixels."""
    from lrbn_viz.plots.systems import nats_against

    points, table, without = _points(dataset, names, fewest_wrong, "wrong pixels per test image")
    words = {
        "name": "nats-against-wrong-pixels",
        "title": "Nats against wrong pixels",
        "caption": "Higher and further left is better. Wrong pixels of a reconstruction, the mean over "
        "all test images, by whichever of its inferences makes fewest. A hollow point: the nats are not "
        "known; they lie on its line.",
    }
    if not points:
        return None, words, table, _left_out(without, "since figures are missing")
    figure = nats_against(points, "wrong pixels per test image")
    return figure, words, table, _left_out(without, "since nats were not measured")


def _dependence(dataset: str, names: Sequence[str]) -> Built:
    """How much latents depend on each other under the posterior, beside q's zero."""
    from lrbn_viz.plots.systems import Dependence, dependence_bars

    systems, bars, table, without = systems_of(dataset), [], [], []
    for number, name in enumerate(names, 1):
        info, found = systems[name], figures_of(name).get("dependence")
        if not found:
            without.append(info.title)
            continue
        independent = info.kind.factorised
        how = "exactly" if found["exact"] else f"from {found['n_sweeps']:,} sweeps of Gibbs sampling an image"
        said = f"{found['information']:.4f} ({'independent, ' if independent else ''}{how})"
        bars.append(
            Dependence(
                name,
                info.title,
                str(number),
                inference_of(info),
                found["information"],
                found["standard error"],
                said,
            )
        )
        table.append(
            {
                "number": number, "system": name, "title": info.title,
                "mutual information, nats": found["information"],
                "standard error, nats": found["standard error"],
                "under a factorised q, nats": 0.0, "share of the entropy": found["share"], "found": how,
                "images": found["images"],
            }
        )  # fmt: skip
    sampled = any("Gibbs" in row["found"] for row in table)
    exact = any("exactly" in row["found"] for row in table)
    ways = " The posterior is that of 10 test images"
    if sampled and exact:
        ways += ", known exactly for an RBM and for up to 16 latents, else sampled by Gibbs chains."
    else:
        ways += ", sampled by Gibbs chains." if sampled else ", known exactly."
    words = {
        "name": "posterior-dependence",
        "title": "How much latents depend on each other, given an image",
        "caption": "Bars: by how many nats a latent becomes surer, on average, once all other latents are "
        "known (mutual information). More means more explaining away; it is neither good nor bad. "
        "Diamonds: a factorised approximation q, as mean field and recognition networks make it, has 0 "
        "always." + ways,
    }
    if not bars:
        return None, words, table, _left_out(without, "since it was not measured")
    return dependence_bars(bars), words, table, _left_out(without, "since it was not measured")
