"""Checks of the claims of lessons against the explorer: its addresses, its lanes, its traces.

No widgets here: tests, the command line and the documentation use the same checks.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

import numpy as np

from lrbn_viz.app.address import FIRST, read_address, whole_state
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.loading import USUAL, usual_dataset
from lrbn_viz.app.shared.menus import CONTROLS, FACTORISED, known_models
from lrbn_viz.core.trace import visits_of
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.io.constants import MAX_EXACT_INTERACTIVE, ROUNDING
from lrbn_viz.view.lessons import (
    BadLesson,
    Claim,
    ClaimError,
    Lesson,
    Problem,
    Vocabulary,
    read_folder,
    shipped_lessons,
)
from lrbn_viz.view.lessons.language import OF_LEARNED, difference, evaluate
from lrbn_viz.view.player.panels import CARDS

if TYPE_CHECKING:
    from lrbn_viz.core.model import Model
    from lrbn_viz.core.posterior import ExactPosterior
    from lrbn_viz.core.trace import ICMTrace, Trace

_KEPT = 600  # states whose traces are kept: of a mean over 200 images before and after, and some more


def wrong_with(query: str) -> list[str]:
    """Return a sentence for each setting that the explorer would ignore in an Inference page's address."""
    address = read_address(query, (FIRST,))
    return list(address.ignored)


VOCABULARY = Vocabulary(CARDS, tuple(CONTROLS), wrong_with)
"""Names against which lessons are checked."""


class Shown:
    """States of the explorer at addresses: both lanes' models and traces, some of them cached."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._posteriors: dict[tuple[int, bytes], ExactPosterior] = {}
        self._kept: OrderedDict[str, list[tuple[Model, Trace]]] = OrderedDict()

    def lanes(self, query: str) -> list[tuple[Model, Trace]]:
        """Return the model and the trace of each lane at an address."""
        key = urlencode(sorted(dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True)).items()))
        if key not in self._kept:
            found, session = whole_state(query), self._session
            if session is None:
                session = self._session = Session(**found)
            else:
                session.param.update(**found)
            traces = session.traces
            self._kept[key] = [
                (model, trace) for (_, model), trace in zip(session.lanes, traces, strict=True)
            ]
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def posterior(self, model: Model, trace: Trace, name: str) -> ExactPosterior:
        """Return a fact about all states of a small model; `name` is the fact that a claim uses."""
        from lrbn_viz import exact_posterior

        small = model.n_latents_ <= MAX_EXACT_INTERACTIVE and len(model.layer_sizes_) == 1
        apart = model.factorised and unknown_in(trace.x) is None
        if not small or apart or trace.means:
            raise ClaimError(f"{name} is known of small models whose units are on or off, and interact.")
        key = id(model), trace.x.tobytes()
        if key not in self._posteriors:
            self._posteriors[key] = exact_posterior(model, trace.x)
        return self._posteriors[key]


class PageWorld:
    """The two lanes of a step, before and after its prediction.

    Parameters
    ----------
    shown : Shown
    state, then : str
        Addresses.
    row : int, optional
        Test image that replaces those of the addresses.
    """

    def __init__(self, shown: Shown, state: str, then: str, row: int | None = None) -> None:
        self._shown, self._row = shown, row
        self._queries = {"before": state, "lane": then or state}

    def _lane(self, name: str) -> tuple[Model, Trace]:
        query = self._queries[name[:-1]]
        if self._row is not None:
            settings = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True))
            settings.pop("drawn", None)
            query = "?" + urlencode({**settings, "image": str(self._row)})
        return self._shown.lanes(query)[int(name[-1])]

    def _visits(self, lane: str, name: str) -> ICMTrace:
        """Return the trace of a lane whose visits are to units; ClaimError where they are not."""
        try:
            return visits_of(self._lane(lane)[1])
        except TypeError as error:
            raise ClaimError(f"{lane} has no {name}: {error}") from None

    def on_image(self, row: int) -> PageWorld:
        """Return the same world with another test image."""
        return PageWorld(self._shown, self._queries["before"], self._queries["lane"], row)

    def fact(self, lane: str, name: str) -> float | bool:
        """Return a fact of a lane."""
        if name in OF_LEARNED:
            raise ClaimError(f"{name} is known of models that learn, in the lessons of a live page.")
        model, trace = self._lane(lane)
        if name in ("best_log_joint", "p_best", "p_reached"):
            posterior = self._shown.posterior(model, trace, name)
            if name == "best_log_joint":
                return float(posterior.map_log_joint)
            reached = posterior.map_log_joint if name == "p_best" else trace.log_joint_at(trace.n_visits)
            return float(np.exp(reached - posterior.log_evidence))
        end = trace.n_visits
        joints = np.concatenate([[trace.log_joint0], trace.log_joint])
        if name in ("wrong_pixels", "wrong_start"):
            return float(trace.wrong_pixels()[end if name == "wrong_pixels" else 0])
        if name in ("turns_on", "turns_off"):
            visits = self._visits(lane, name)
            return int((visits.flipped & (visits.after == (name == "turns_on"))).sum())
        if name == "n_sweeps":
            return int(self._visits(lane, name).sweep[-1]) + 1 if end else 0
        facts: dict[str, Any] = {
            "falls": int((np.diff(joints) < -ROUNDING).sum()),
            "converged": getattr(trace, "converged", False),
            "log_joint": float(joints[-1]),
            "log_joint_start": float(joints[0]),
            "lowest": float(joints.min()),
            "highest": float(joints.max()),
            "deepest_fall": float((np.maximum.accumulate(joints) - joints).max()),
            "n_visits": end,
            "n_flips": 0 if trace.means else int(trace.changes.sum()),
            "n_on": float(trace.latents(end).sum()),
            "n_on_start": float(trace.latents(0).sum()),
            "n_units": trace.n_h,
            "n_ink": float((trace.x > 0.5).sum()),
            "n_unknown": float(np.isnan(trace.x).sum()),
            "n_drawn": float((trace.reconstruction(end) > 0.5).sum()),
        }
        return facts[name]

    def at_visit(self, lane: str, name: str, visit: int) -> float | int:
        """Return a fact of a lane at a visit, from 1."""
        model, trace = self._lane(lane)
        if not 1 <= visit <= trace.n_visits:
            raise ClaimError(f"{lane} has visits 1 to {trace.n_visits:,}, got {visit}.")
        if name == "on_at":
            return float(trace.latents(visit).sum())
        if name == "log_joint_at":
            return trace.log_joint_at(visit)
        if name == "wrong_at":
            return float(trace.wrong_pixels()[visit])
        visits = self._visits(lane, name)
        unit = int(visits.unit[visit - 1])
        if name == "unit_at":
            return unit
        if name == "log_odds_at":
            return float(visits.log_odds[visit - 1])
        from lrbn_viz import log_odds_terms

        terms = log_odds_terms(model, trace.x, trace.latents(visits.decided_on(visit)), unit)
        return float(np.sum(getattr(terms, name.removesuffix("_at"))))

    def of_unit(self, lane: str, name: str, unit: int) -> float | bool:
        """Return a fact of a unit in a lane."""
        model, trace = self._with_units(lane, unit)
        if name == "p_on":
            return float(self._shown.posterior(model, trace, name).marginals[unit])
        if name == "best_on":
            return bool(self._shown.posterior(model, trace, name).map_state[unit])
        if name == "turned_off_at":
            seen = self._visits(lane, name)
            visits = np.flatnonzero((seen.unit == unit) & seen.flipped & (seen.after == 0))
            return int(visits[0]) + 1 if len(visits) else 0
        return bool(trace.latents(trace.n_visits if name == "is_on" else 0)[unit] > 0.5)

    def of_pair(self, lane: str, name: str, unit: int, other: int) -> float:
        """Return a fact of two units in a lane."""
        from lrbn_viz import explain_away

        model, trace = self._with_units(lane, unit, other)
        return float(explain_away(model, trace.x, trace.latents(trace.n_visits))[unit, other])

    def _with_units(self, lane: str, *units: int) -> tuple[Model, Trace]:
        model, trace = self._lane(lane)
        for unit in units:
            if unit >= trace.n_h:
                raise ClaimError(f"{lane} has units 0 to {trace.n_h - 1:,}, got {unit}.")
        return model, trace

    def of_two(self, name: str, first: str, second: str) -> int:
        """Return the number of units whose final states differ between two lanes."""
        a, b = (trace.latents(trace.n_visits) > 0.5 for _, trace in map(self._lane, (first, second)))
        if a.shape != b.shape:
            raise ClaimError(f"{first} has {len(a)} units and {second} {len(b)}; they cannot be compared.")
        return int({"changed": a != b, "turned_on": b & ~a, "turned_off": a & ~b}[name].sum())


def offered_lessons() -> tuple[list[Lesson], list[BadLesson]]:
    """Return the lessons that the explorer offers, and the invalid files of a teacher's folder.

    The environment variable ``LRBN_VIZ_LESSONS`` names that folder. Shipped lessons whose images are not at
    hand are left out; of the guide their steps, or those on small digits take their place.
    """
    lessons, own = _shipped_at_hand(), os.environ.get("LRBN_VIZ_LESSONS", "")
    if not own:
        return lessons, []
    found, bad = read_folder(Path(own), VOCABULARY)
    return [*lessons, *found], bad


def _shipped_at_hand() -> list[Lesson]:
    """Return the shipped lessons whose images are at hand."""
    from lrbn_viz.catalog import DATASETS
    from lrbn_viz.view.live.lessons import fitting

    lessons = list(shipped_lessons())
    if usual_dataset() == USUAL:
        return lessons
    held = {name: range(DATASETS[info.dataset].n_test) for name, info in known_models().items()}
    return fitting(lessons, held | {FACTORISED + name: rows for name, rows in held.items()})


def check_claims(lesson: Lesson, shown: Shown | None = None) -> list[Problem]:
    """Return errors for the claims of a lesson that are false or cannot be checked, by line."""
    shown = shown or Shown()
    problems: list[Problem] = []
    for number, step in enumerate(lesson.steps, 1):
        world = PageWorld(shown, *lesson.shown_at(number))
        problems += [Problem(claim.line, words) for claim in step.claims if (words := _wrong(claim, world))]
    return problems


def _wrong(claim: Claim, world: PageWorld) -> str:
    """Return a message about a false claim; empty for a true one."""
    try:
        if evaluate(claim.tree, world):
            return ""
        return (
            f"expected {claim.text} to be true; {difference(claim.tree, world)}. Mend the step or the claim."
        )
    except ClaimError as error:
        return f"{claim.text}: {error} Change the claim."


def check_folder(folder: Path, shown: Shown | None = None) -> tuple[list[Lesson], list[BadLesson]]:
    """Return the valid lessons of a folder, and the errors of the others."""
    lessons, bad = read_folder(folder, VOCABULARY)
    shown = shown or Shown()
    right = []
    for lesson in lessons:
        problems = check_claims(lesson, shown)
        if problems:
            bad.append(BadLesson(lesson.file, tuple(problems)))
        else:
            right.append(lesson)
    return right, sorted(bad)
