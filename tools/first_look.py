"""Choose the first view of the Inference page, and write it: ``python -m tools.first_look``.

Run it again after another model is named in `lrbn_viz.app.inference.first_look`, and after a change of that
model's file, of inference, or of what lanes are called: a test compares the file with the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.address import FIRST, read_page
from lrbn_viz.app.inference.first_look import (
    BEGINNING,
    FILE,
    INFERENCE,
    MODEL,
    START,
    Facts,
    FirstLook,
    settings_of,
    write,
)
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of
from lrbn_viz.app.shared.menus import partner
from lrbn_viz.app.shared.texts import pixels_to_text
from lrbn_viz.catalog import PRETRAINED, factorised, pretrained
from lrbn_viz.core.trace import ICMTrace, visits_of
from lrbn_viz.datasets import load_dataset
from lrbn_viz.measure.basins import find_basins
from lrbn_viz.measure.explanation import Cause, explain_change, log_odds_terms
from lrbn_viz.view.lessons import shipped_lessons
from lrbn_viz.view.player.packing import pack_trace

MIN_EVIDENCE = 3.0  # nats of all but the others: without them the unit would be on, and surely so
MIN_TURN_OFF = 1.0  # nats by which it turns off
MAX_WRONG_SHARE = 0.1  # wrong pixels at the end, as a share of the ink
MIN_WRONG_BESIDE = 3  # times as many pixels are wrong where each unit decides by itself
NEAR = 4.0  # nats by which a long search may end above the lane
N_NAMED = 3  # units that the captions name: those that the Why card ranks first
N_STARTS = 500  # of ICM, named and random
ANNEALINGS = 5
SWEEPS = 1000  # of each annealing
QUICK = 200  # sweeps of the one that leaves out most images at once


class ExplainedVisit(NamedTuple):
    """A suitable visit: it turns off a unit whose stroke others draw, permanently."""

    row: int
    visit: int
    unit: int
    named: tuple[Cause, ...]
    share: float


def ranked(model: Any, trace: ICMTrace, unit: int, visit: int) -> list[Cause]:
    """Return the units that are on at a visit with their effects on a unit, as the Why card ranks them."""
    causes = explain_change(model, trace, unit, visit, "off").causes
    return sorted(causes, key=lambda cause: -abs(cause.nats))


def shared(W: NDArray, unit: int, others: list[int]) -> float:
    """Return the share of a unit's drawing that others together draw too, 0 to 1.

    The sum over the pixels of the smaller of the unit's weight and the sum of theirs, as a share of all
    weights of the unit; weights below 0 draw nothing.
    """
    drawn = np.maximum(W, 0.0)
    return float(np.minimum(drawn[:, unit], drawn[:, others].sum(axis=1)).sum() / drawn[:, unit].sum())


def explained_visits(model: Any, trace: ICMTrace, row: int) -> Iterator[ExplainedVisit]:
    """Yield the visits that turn off, for good, a unit that is on and that image and prior want.

    The units that the Why card then ranks first pull against it, and are still on at the end.
    """
    end = trace.latents(trace.n_visits)
    for k in np.flatnonzero(trace.flipped & (trace.after == 0) & (trace.log_odds < -MIN_TURN_OFF)):
        unit, visit = int(trace.unit[k]), int(k) + 1
        terms = log_odds_terms(model, trace.x, trace.latents(int(k)), unit)
        named = ranked(model, trace, unit, visit)[:N_NAMED]
        if end[unit] or terms.log_odds - float(np.sum(terms.others)) < MIN_EVIDENCE or len(named) < N_NAMED:
            continue
        if all(end[cause.unit] and cause.nats < 0 for cause in named):
            units = [cause.unit for cause in named]
            yield ExplainedVisit(row, visit, unit, tuple(named), shared(trace.W, unit, units))


def best_found(model: Any, x: NDArray) -> float:
    """Return the highest log P(x, h) that many starts of ICM and several long annealings find, nats."""
    found = [float(find_basins(model, x, N_STARTS).log_joint[0])]
    for seed in range(ANNEALINGS):
        H = model.map_states(x[None], SWEEPS, np.random.default_rng(seed))
        found.append(float(model.joint(x[None], H)[0]))
    return max(found)


def find() -> tuple[ExplainedVisit, float]:
    """Return the best visit over all test images, and the result of a long search on its image.

    Candidates are images that the model draws well, that the same weights draw badly if each unit decides by
    itself, and on which the lane ends near the best known state. The chosen visit is the one at which the
    named units draw most of the unit's stroke.
    """
    info = PRETRAINED[MODEL]
    model, images = pretrained(MODEL), load_dataset(info.dataset).test_X
    read, told = factorised(model), []
    for row, x in enumerate(images):
        trace = visits_of(model.trace(x, INFERENCE, init=START))
        wrong, many = trace.wrong_pixels()[-1], read.map_trace(x).wrong_pixels()[-1]
        if wrong <= MAX_WRONG_SHARE * x.sum() and many >= MIN_WRONG_BESIDE * max(1, wrong):
            told += [(telling, trace.log_joint[-1]) for telling in explained_visits(model, trace, row)]
    rows = [telling.row for telling, _ in told]
    H = model.map_states(images[rows], QUICK, np.random.default_rng(0))
    quick = model.joint(images[rows], H)
    best: tuple[ExplainedVisit, float] | None = None
    for (telling, end), least in zip(told, quick, strict=True):
        if least - end > NEAR or (found := best_found(model, images[telling.row])) - end > NEAR:
            continue
        print(f"{telling}: ends at {end:.2f}, best found {found:.2f} nats", flush=True)
        if best is None or telling.share > best[0].share:
            best = telling, max(found, float(end))
    if best is None:
        raise SystemExit(f"no image of {info.dataset} has a visit of {MODEL} that tells the story")
    return best


def facts_of(telling: ExplainedVisit, best: float, model: Any, traces: tuple[ICMTrace, ...]) -> Facts:
    """Return the figures of the captions."""
    trace, beside = traces
    visit, unit = telling.visit, telling.unit
    h = trace.latents(trace.decided_on(visit))
    terms = log_odds_terms(model, trace.x, h, unit)
    sums = {name: float(np.sum(getattr(terms, name))) for name in ("prior", "evidence", "alone", "others")}
    turned_on = int(np.flatnonzero(trace.flipped[: visit - 1] & (trace.unit[: visit - 1] == unit))[-1]) + 1
    rival = partner(MODEL)
    trained = pretrained(rival).map_trace(trace.x)
    return Facts(
        visit,
        unit,
        **sums,
        log_odds=float(terms.log_odds),
        others_on=int(h.sum()) - int(h[unit]),
        named=[cause.unit for cause in telling.named],
        nats=[cause.nats for cause in telling.named],
        share=telling.share,
        turned_on=turned_on,
        on_log_odds=float(trace.log_odds[turned_on - 1]),
        n_h=trace.n_h,
        n_ink=int(trace.x.sum()),
        on_end=int(trace.latents(trace.n_visits).sum()),
        wrong_end=int(trace.wrong_pixels()[-1]),
        end=float(trace.log_joint[-1]),
        best=best,
        factorised_on=int(beside.latents(beside.n_visits).sum()),
        factorised_wrong=int(beside.wrong_pixels()[-1]),
        rival=PRETRAINED[rival].title,
        rival_on=int(trained.latents(trained.n_visits).sum()),
        rival_wrong=int(trained.wrong_pixels()[-1]),
    )


def main() -> None:
    """Find a visit, and write the file."""
    telling, best = find()
    settings = settings_of(MODEL, PRETRAINED[MODEL].dataset, telling.row, telling.visit)
    session = Session(**settings)
    traces = tuple(map(visits_of, session.traces))
    facts = facts_of(telling, best, session.models[MODEL], traces)
    size = write([FirstLook(settings, facts, traces, pack_trace(lanes_of(session)))])
    print(f"{FILE.name}: {size:,} bytes\n{settings}\n{facts}")
    write_beginning()


def beginning() -> Iterator[tuple[dict[str, Any], Session]]:
    """Yield settings, and sessions that show them: the guide's first step, and what presses make of it.

    Of the first step's observations each may be on, off or not known.
    """
    guide = next(lesson for lesson in shipped_lessons() if lesson.guide)
    settings = read_page(FIRST, guide.shown_at(1)[0]).found
    first = Session(**settings)
    yield settings, first
    for states in product((1.0, 0.0, np.nan), repeat=len(first.x)):
        if not np.array_equal(states, first.x, equal_nan=True):
            pressed = {**settings, "drawn": pixels_to_text(np.array(states))}
            yield pressed, Session(**pressed)


def write_beginning() -> None:
    """Write what the guided beginning shows first, and what its first presses lead to."""
    looks = [
        FirstLook(settings, None, tuple(map(visits_of, session.traces)), pack_trace(lanes_of(session)))
        for settings, session in beginning()
    ]
    size = write(looks, BEGINNING)
    print(f"{BEGINNING.name}: {size:,} bytes, {len(looks)} views\n{looks[0].settings}")


if __name__ == "__main__":
    main()
