"""Look for what the Inference page shows first, and write it: ``python -m lrbn_viz.weights.first_look``.

Run it again after another model is named in `lrbn_viz.app.inference.first_look`, and after a change of that
model's file, of inference, or of what lanes are called: a test compares the file with the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.analysis.explanation import log_odds_terms
from lrbn_viz.app.inference.first_look import FILE, MODEL, Facts, settings_of, write
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of
from lrbn_viz.catalog import PRETRAINED, factorised, pretrained
from lrbn_viz.datasets import load_dataset
from lrbn_viz.player.packing import pack_trace
from lrbn_viz.trace import ICMTrace

LEAST_WANTED = 3.0  # nats of all but the others: without them the unit would be on, and surely so
LEAST_SURE = 1.0  # nats by which it turns off
IMAGES = 300  # are enough to choose from


class Telling(NamedTuple):
    """A visit that tells the story: it turns off a unit whose stroke another one draws."""

    score: float
    row: int
    visit: int
    unit: int
    partner: int
    share: float


def shares(W: NDArray, j: int) -> NDArray[np.float64]:
    """Return how much of what unit j draws each unit draws too, 0 to 1; (n_h,), 0 for j itself.

    The sum over the pixels of the smaller of two weights, as a share of all weights of unit j; weights below
    0 draw nothing.
    """
    drawn = np.maximum(W, 0.0)
    found = np.minimum(drawn, drawn[:, [j]]).sum(axis=0) / drawn[:, j].sum()
    found[j] = 0.0
    return found


def tellings(model: Any, trace: ICMTrace, row: int) -> Iterator[Telling]:
    """Yield the visits of a trace that turn off a unit that was on at the start, and is wanted by the pixels.

    The score is the share of the unit's stroke that one other unit draws, times the share of the pixels'
    claim that the others take away; less the share of pixels that are wrong then, for the others are to draw
    the image already, and a little for each other unit that is on.
    """
    wrong = trace.wrong_pixels() / trace.n_v
    off = np.flatnonzero(trace.flipped & (trace.after == 0) & (trace.log_odds < -LEAST_SURE))
    for k in off:
        unit, h = int(trace.unit[k]), trace.latents(int(k))
        on = np.flatnonzero(h)
        if not trace.h0[unit] or unit in trace.unit[:k][trace.flipped[:k]]:
            continue
        terms = log_odds_terms(model, trace.x, h, unit)
        others = float(np.sum(terms.others))
        wanted = terms.log_odds - others
        if wanted < LEAST_WANTED:
            continue
        alike = shares(trace.W, unit)
        partner = int(on[np.argmax(alike[on])])
        taken = min(1.0, -others / (2 * wanted))
        score = float(alike[partner]) * taken - float(wrong[k]) - 0.1 * len(on) / len(h)
        yield Telling(score, row, int(k) + 1, unit, partner, float(alike[partner]))


def find() -> Telling:
    """Return the best visit over test images that the model reconstructs well, and its RBM badly.

    They have at least as much ink as most: a short line is no digit at first sight.
    The second lane must keep all units of the start on, as the captions say.
    """
    info = PRETRAINED[MODEL]
    model, images = pretrained(MODEL), load_dataset(info.dataset).test_X[:IMAGES]
    read, best = factorised(model), None
    ink = images.sum(axis=1)
    for row in np.flatnonzero(ink >= np.median(ink)).tolist():
        x = images[row]
        trace = model.map_trace(x, init="conditional")
        beside = read.map_trace(x)
        wrong, many = trace.wrong_pixels()[-1], beside.wrong_pixels()[-1]
        kept = beside.latents(beside.n_visits)[trace.h0 == 1].all()
        if not kept or wrong > 0.06 * trace.n_v or many < 3 * max(1, wrong):
            continue
        for telling in tellings(model, trace, row):
            if best is None or telling.score > best.score:
                best = telling
    if best is None:
        raise SystemExit(f"no image of {info.dataset} has a visit of {MODEL} that tells the story")
    return best


def facts_of(telling: Telling, model: Any, traces: tuple[ICMTrace, ...]) -> Facts:
    """Return what the captions tell, in numbers."""
    trace, beside = traces
    h = trace.latents(trace.decided_on(telling.visit))
    terms = log_odds_terms(model, trace.x, h, telling.unit)
    sums = {name: float(np.sum(getattr(terms, name))) for name in ("prior", "evidence", "alone", "others")}
    return Facts(
        telling.visit,
        telling.unit,
        **sums,
        log_odds=float(terms.log_odds),
        others_on=int(h.sum()) - int(h[telling.unit]),
        partner=telling.partner,
        share=telling.share,
        n_h=trace.n_h,
        n_ink=int(trace.x.sum()),
        on_start=int(trace.h0.sum()),
        on_end=int(trace.latents(trace.n_visits).sum()),
        wrong_end=int(trace.wrong_pixels()[-1]),
        factorised_on=int(beside.latents(beside.n_visits).sum()),
        factorised_wrong=int(beside.wrong_pixels()[-1]),
    )


def main() -> None:
    """Find a visit, and write the file."""
    telling = find()
    settings = settings_of(MODEL, PRETRAINED[MODEL].dataset, telling.row, telling.visit)
    session = Session(**settings)
    facts = facts_of(telling, session.models[MODEL], session.traces)
    size = write(settings, facts, session.traces, pack_trace(lanes_of(session)))
    print(f"{FILE.name}: {size:,} bytes, score {telling.score:.2f}\n{settings}\n{facts}")


if __name__ == "__main__":
    main()
