"""Conversion of the Compare page's state: blocks of bytes for images, plain values for words."""

from __future__ import annotations

from typing import Any

import numpy as np

from lrbn_viz.app.compare.offers import MAX_SYSTEMS, Offer, is_known
from lrbn_viz.app.compare.state import CompareState
from lrbn_viz.app.compare.tables import tables
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.datasets.dataset import title_of
from lrbn_viz.io.glossary import nats_between
from lrbn_viz.studies.reproduce.reported import PAPER
from lrbn_viz.view.player.wire import pack


def menu_of(comparison: CompareState) -> dict[str, Any]:
    """Return the offered systems, the numbers of those compared, and the highlighted one."""
    names = comparison.names
    return {
        "dataset": comparison.dataset_name,
        "images": title_of(comparison.dataset_name),
        "most": MAX_SYSTEMS,
        "systems": [
            {
                "name": name,
                "title": offer.title,
                "inference": offer.inference,
                "number": names.index(name) + 1 if name in names else 0,
                "words": words_of(offer, name in names),
                "own": offer.own,
            }
            for name, offer in comparison.offered.items()
        ],
        "leftOut": comparison.left_out,
        "chosen": comparison.chosen,
        "paper": {"words": f"{PAPER.authors}: {PAPER.title}", "address": PAPER.address},
    }


def words_of(offer: Offer, compared: bool) -> str:
    """Return a system's nats in words: an interval if the bounds are far apart, and the estimator."""
    nats, why = offer.figures.get("nats"), offer.figures.get("why no nats")
    if offer.other_data:
        words = words_of(offer._replace(other_data=""), compared)
        return f"{words}; of {offer.other_data}, whose training images may be among these"
    if not nats:
        if offer.own and not why:
            return "nats are being measured" if compared else "nats are measured once it is ticked"
        return "nats not measured" + (f": {why}" if why else "")
    if is_known(nats):
        words = f"{nats['value']:.1f} nats"
    elif nats["high"] is None:
        words = f"about {nats['low']:.1f} nats by {nats['method']}; no upper bound is known"
    else:
        words = f"{nats_between(nats['low'], nats['high'])} nats"
    words = words.replace("-", "\u2212")
    if not offer.own:
        return words
    return f"{words} (measured here, {nats['method']}, {nats['images']} images)"


def pictures_of(comparison: CompareState) -> bytes:
    """Pack the test images and the results for them so far; some hundred bytes per image and system."""
    data, rows = comparison.dataset, list(comparison.rows)
    X, found = data.test_X[rows], comparison.found
    arrays = {"x": np.packbits(data.filled(X).astype(np.uint8), axis=1)}
    unknown = unknown_in(X)
    if unknown is not None:
        arrays["unknown"] = np.packbits(unknown, axis=1)
    seen = []
    for name in comparison.names:
        answer = found.get(name)
        if answer is None or isinstance(answer, str):
            seen.append({"name": name, "error": answer or "", "done": False})
            continue
        place = len(seen)
        arrays[f"{place}.made"] = np.packbits(answer.reconstructions, axis=1)
        arrays[f"{place}.samples"] = np.packbits(answer.samples, axis=1)
        seen.append(
            {
                "name": name,
                "done": True,
                "error": "",
                "wrong": answer.wrong.tolist(),
                "on": answer.on.tolist(),
                "milliseconds": round(answer.milliseconds, 3),
                "how": answer.how,
            }
        )
    meta = {
        "image_shape": list(data.image_shape),
        "variables": data.variables,
        "rows": rows,
        "classes": [data.class_names[data.test_y[row]] for row in rows],
        "one_means": data.info.one_means,
        "seen": seen,
    }
    return pack(meta, arrays)


def tables_of(comparison: CompareState) -> list[dict[str, Any]]:
    """Return the paper's tables, with a row for each system that is compared."""
    return tables(comparison.dataset_name, comparison.compared, comparison.dataset.is_table)
