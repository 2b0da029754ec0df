"""The causes of a unit's decision, and the exact posterior to compare it with."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.model import Model
from lrbn_viz.posterior import ExactPosterior, LogOddsTerms
from lrbn_viz.trace import ICMTrace
from lrbn_viz.validation import check_choice, check_integer, check_latents


def _check(model: Model, x: ArrayLike, h: ArrayLike | None = None) -> tuple[NDArray, NDArray]:
    if not isinstance(model, Model):
        raise TypeError(f"model must be a Model, such as an LRBN or an RBM; got {type(model).__name__}.")
    if not model.is_fitted:
        raise ValueError(
            "The model has no parameters yet; fit it, or load one with load_model or pretrained."
        )
    x = model.check_image(x)
    n_h = model.n_latents_
    h = np.zeros(n_h, np.uint8) if h is None else check_latents(h, (n_h,))
    return x, h


def exact_posterior(model: Model, x: ArrayLike) -> ExactPosterior:
    """Return P(h | x) by enumeration of all states, for models of at most 20 latents.

    Parameters
    ----------
    model : Model
        For an RBM ``log_joints`` and ``log_evidence`` lack the constant ``log Z``.
    x : (n_v,) array

    Raises
    ------
    ValueError
        When the model has more than 20 latents, or x does not fit it.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-2-alarm")
    >>> x = [1, 1]  # the alarm, and the report of an earthquake
    >>> posterior = lrbn_viz.exact_posterior(model, x)
    >>> posterior.map_state  # an earthquake, and no burglar
    array([0, 1], dtype=uint8)
    """
    x, _ = _check(model, x)
    return model.exact_posterior(x)


def explain_away(model: Model, x: ArrayLike, h: ArrayLike) -> NDArray[np.float64]:
    """Return how much each pair of latents moves each other's log-odds given x and the rest; (n_h, n_h),
    nats.

    Entry (j, k) is the change of ``logit P(h_j = 1 | x, rest)`` when h_k goes from 0 to 1. Negative: they
    compete for the same pixels. Positive: allies. Zero everywhere for an RBM. The diagonal is 0. Units of a
    DeepLRBN are numbered through all layers, the lowest first.

    Parameters
    ----------
    model : Model
    x : (n_v,) array
        Checked, but no value depends on it: the evidence of x enters each unit's log-odds on its own.
    h : (n_h,) array of 0 and 1
        The state at which the others are held.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-2-alarm")
    >>> x = [1, 1]  # the alarm, and the report of an earthquake
    >>> effect = lrbn_viz.explain_away(model, x, [0, 0])
    >>> bool(effect[0, 1] < 0)  # either cause makes the other less probable
    True
    """
    _, h = _check(model, x, h)
    return model.interactions(h)


def log_odds_terms(model: Model, x: ArrayLike, h: ArrayLike, j: int) -> LogOddsTerms:
    """Return the four terms of ``logit P(h_j = 1 | x, h_-j)``: prior, evidence, alone and others, in nats.

    The units that are on explain unit j away where `others` is below 0, and support it where that is above 0.
    Of a DeepLRBN's unit the prior is what the layer above generates, the evidence what is below it, and the
    others are the units of its own layer.

    Parameters
    ----------
    model : Model
    x : (n_v,) array
    h : (n_h,) array of 0 and 1
        The state of all latents; that of unit j itself does not matter.
    j : int
        The unit.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-2-alarm")
    >>> x = [1, 1]  # the alarm, and the report of an earthquake
    >>> terms = lrbn_viz.log_odds_terms(model, x, [0, 1], 0)
    >>> bool(terms.others.sum() < 0)  # the earthquake explains the alarm
    True
    """
    x, h = _check(model, x, h)
    return model.log_odds_terms(x, h, check_integer(j, "j", 0, len(h) - 1))


Reference = Literal["last", "start", "off"]
"""The reference for a unit's log-odds: its own last visit, the start, or all others of its layer off."""


class Cause(NamedTuple):
    """A flip of another unit, and by how much it changed the log-odds in question."""

    k: int
    """The visit that flipped it, from 1; 0: on since the start."""
    unit: int
    after: int
    """Its state since."""
    nats: float


class LogOddsChange(NamedTuple):
    """The causes of a change in a unit's log-odds: ``after == before + sum of all nats``.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-16-bars")
    >>> x = lrbn_viz.load_dataset("bars").test_X[15]
    >>> trace = model.map_trace(x)
    >>> change = lrbn_viz.explain_change(model, trace, int(trace.unit[-1]), trace.n_visits, "start")
    >>> nats = change.before + sum(cause.nats for cause in change.causes)
    >>> abs(nats - change.after) < 1e-9
    True
    """

    unit: int
    decided: bool
    """True if `after` is what a visit to the unit decided on; else it is of the requested state."""
    since: int
    """Visits made in the state compared with; -1: that of all others of its layer off."""
    before: float
    """The log-odds in that state, nats."""
    after: float
    causes: tuple[Cause, ...]
    """Flips of all other units in between, in the trace's order."""


def explain_change(
    model: Model, trace: ICMTrace, j: int, k: int, reference: Reference = "last"
) -> LogOddsChange:
    """Return which units changed the log-odds of unit j, and by how many nats each.

    From one state of the trace to another, ``logit P(h_j = 1 | x, h_-j)`` changes by exactly the sum over the
    flips in between, each taken in the state that the flips before it left.

    Parameters
    ----------
    model : Model
        The one that made the trace.
    trace : ICMTrace
        Of states 0 and 1.
    j : int
        The unit.
    k : int
        Visits made. Is visit k one to unit j, its decision is explained: the log-odds on which it decided.
        Else those of unit j in the state after k visits.
    reference : {"last", "start", "off"}
        Compare with the unit's own decision before (the start, where there is none), with the start, or with
        all other units of its layer off; then the causes are those that are on, in the order in which they
        came on.

    Raises
    ------
    ValueError
        The trace is of means, or of another model's size.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-16-bars")
    >>> x = lrbn_viz.load_dataset("bars").test_X[15]
    >>> trace = model.map_trace(x, init="zeros")
    >>> change = lrbn_viz.explain_change(model, trace, 3, trace.n_visits, "start")
    >>> flipped = [int(j) for j in trace.unit[trace.flipped]]
    >>> [cause.unit for cause in change.causes] == [j for j in flipped if j != 3]
    True
    """
    check_choice(reference, "reference", get_args(Reference))
    if trace.means:
        raise ValueError("explain_change needs a trace of states 0 and 1; this one is of means.")
    x, h = _check(model, trace.x, trace.h0)
    j = check_integer(j, "j", 0, len(h) - 1)
    k = check_integer(k, "k", 0, trace.n_visits)
    decided = k > 0 and int(trace.unit[k - 1]) == j
    now = trace.decided_on(k) if decided else k
    if reference == "off":
        since, h, flips = -1, *_all_others_off(model, trace, j, now)
    else:
        visits = np.flatnonzero(trace.unit[: k - decided] == j)
        since = trace.decided_on(int(visits[-1]) + 1) if reference == "last" and len(visits) else 0
        h = trace.latents(since)
        flips = [v for v in range(since, now) if trace.flipped[v] and trace.unit[v] != j]
        flips = [(v + 1, int(trace.unit[v]), int(trace.after[v])) for v in flips]
    before = after = model.log_odds_terms(x, h, j).log_odds
    causes = []
    for visit, unit, state in flips:
        h[unit] = state
        changed = model.log_odds_terms(x, h, j).log_odds
        causes.append(Cause(visit, unit, state, changed - after))
        after = changed
    return LogOddsChange(j, decided, since, before, after, tuple(causes))


def _all_others_off(
    model: Model, trace: ICMTrace, j: int, now: int
) -> tuple[NDArray[np.uint8], list[tuple[int, int, int]]]:
    """Return the state after `now` visits without the others of unit j's layer, and how these came on."""
    h, sizes = trace.latents(now), model.layer_sizes_
    layer = int(np.searchsorted(np.cumsum(sizes), j, side="right"))
    first = sum(sizes[:layer])
    on = [unit for unit in range(first, first + sizes[layer]) if h[unit] and unit != j]
    flips = np.flatnonzero(trace.flipped[:now])
    came = {unit: max(flips[trace.unit[flips] == unit], default=-1) + 1 for unit in on}
    h[on] = 0
    return h, sorted((int(visit), unit, 1) for unit, visit in came.items())
