"""Exact numbers of a replay, for a file whose weights are rounded.

A handed-out file has no room for the weights of a large model to the bit. Its numbers are to be those of the
page all the same, so they travel beside the weights, which then only draw pictures: of all units in every
state of the trace where there is room for them, else of each visit's own unit in the state on which it
decided. The error of values that then still depend on the rounded weights is at most
:meth:`TermsOf.most_off`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.trace import visits_of
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.io.constants import TERM_FINE as FINE
from lrbn_viz.io.constants import TERM_STEP as STEP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lrbn_viz.core.model import Model
    from lrbn_viz.core.trace import ICMTrace, Trace

_CELL = 5e-3  # nats: all between two multiples of it is written alike, with two digits
_MAX_STEPS = 2**29  # multiples: twice as large a change, folded, fits into four bytes


class Known(NamedTuple):
    """The numbers of one lane that are sent with its trace.

    Attributes
    ----------
    arrays : mapping from name to array
        As `terms.js` reads them; with ``log_odds_steps``, of all states. Empty where nothing is known.
    off : float
        By how many nats the terms that do not travel are off at most, as the rounded weights have them.
    """

    arrays: dict[str, NDArray]
    off: float = 0.0


class TermsOf:
    """The terms at the visits of a trace, to be sent with it.

    Parameters
    ----------
    model : Model
    trace : Trace
        Of the model; of one whose latents are means nothing is known.
    """

    def __init__(self, model: Model, trace: Trace) -> None:
        self._model, self._trace = model, trace
        self._visits = None if trace.means else visits_of(trace)
        self._H = np.zeros((0, trace.n_h)) if self._visits is None else _states(self._visits)
        self._X = np.repeat(trace.x[None], len(self._H), axis=0)

    @property
    def n_terms(self) -> int:
        """Number of log-odds sent by :meth:`states`, those that differ from state to state."""
        return 0 if self._apart else self._H.size

    @property
    def _apart(self) -> bool:
        """True if the units of the model do not depend on each other, given the image."""
        return self._model.factorised and unknown_in(self._trace.x) is None

    @cached_property
    def _terms(self) -> _Terms:
        return _terms(self._model, self._trace, self._H)

    @cached_property
    def _log_odds(self) -> NDArray[np.float64]:
        return _log_odds(self._model, self._X, self._H)

    @cached_property
    def decisions(self) -> dict[str, NDArray]:
        """The terms of the log-odds of each visit's unit in the state on which the visit decided.

        They are read as the page writes them, digit by digit: what a step would round otherwise takes the
        next.

        ``terms.js``'s arrays, by name: ``prior`` and ``evidence`` (1, n_h) and ``alone`` (n_h,) float64,
        nats; ``others_fine`` (n_visits,) int8, what is to be added, in multiples of `FINE`, to what the
        log-odds leave for the others. Of several layers ``prior`` holds for the top layer's units alone, and
        ``evidence`` for the lowest's: then ``decided_steps`` (4, 3, n_visits) uint8 are bytes of how many
        multiples of `FINE` the log-odds, the prior and the evidence are above those of the last visit to the
        unit, or above 0. The bytes are those of a number, lowest first, twice its size and 1 less if below 0.
        The log-odds are those of the trace, and need not travel a second time.

        Empty for a trace of means, and where numbers are so large that they do not fit.
        """
        return {} if self._visits is None else _told(self._model, self._visits, self._terms)

    @cached_property
    def states(self) -> dict[str, NDArray]:
        """The log-odds of all units in every state of the trace, and their terms.

        ``terms.js``'s arrays, by name, as in :attr:`decisions`, and ``log_odds_steps`` (4, 1 + flips, n_h)
        uint8, the bytes of what each state adds to the one before it, in multiples of `STEP`; of several
        layers ``prior`` and ``evidence`` are (1 + flips, n_h). The others' term is what is left.
        Equation: (9), the factors.

        Empty for a trace of means, and where numbers are so large that they do not fit.
        """
        if not self.decisions:
            return {}
        multiples = np.rint(self._log_odds / STEP)
        if not np.all(np.abs(multiples) < _MAX_STEPS):
            return {}
        steps = _bytes(np.diff(multiples.astype(np.int64), axis=0, prepend=0))
        prior, evidence, _ = self._terms
        return self.decisions | {"log_odds_steps": steps, "prior": prior, "evidence": evidence}

    def most_off(self, rounded: Model) -> float:
        """Return the largest error of a term, or of a cause of its change, in any state of the trace, in
        nats.

        This holds for all units, and all pairs of states: a change is off by as much as the log-odds that it
        is the difference of, and not more. Terms that travel count for none: the evidence of the image, and
        alone.

        Parameters
        ----------
        rounded : Model
            The model with the weights that the replay has (`packing.rounded_model`).
        """
        if self._apart or self._visits is None:
            return 0.0
        found = []
        for terms, log_odds in (
            (self._terms, self._log_odds),
            (_terms(rounded, self._trace, self._H), _log_odds(rounded, self._X, self._H)),
        ):
            prior, evidence, alone = terms
            found.append((log_odds - prior - evidence - alone, prior, evidence))
        others, prior, evidence = (theirs - ours for ours, theirs in zip(*found, strict=True))
        evidence[:, : self._model.layer_sizes_[0]] = 0.0
        total = others + prior + evidence
        most = max(float(np.abs(off).max()) for off in (others, prior, evidence, total))
        return max(most, float(np.ptp(total, axis=0).max()))


class _Terms(NamedTuple):
    prior: NDArray[np.float64]  # (1 or states, n_h)
    evidence: NDArray[np.float64]  # likewise
    alone: NDArray[np.float64]  # (n_h,)


def _states(trace: ICMTrace) -> NDArray:
    """Return all states of a trace, the start and one after each flip; (1 + flips, n_h)."""
    flips = np.flatnonzero(trace.flipped)
    H = np.repeat(trace.h0[None], len(flips) + 1, axis=0)
    for row, visit in enumerate(flips, 1):
        H[row:, trace.unit[visit]] = trace.after[visit]
    return H


def _log_odds(model: Model, X: NDArray, H: NDArray) -> NDArray[np.float64]:
    """Return the log-odds of all units of all layers, row by row; (n, n_h)."""
    return np.hstack(model.conditional_log_odds(X, model.split(H)))


def _terms(model: Model, trace: Trace, H: NDArray) -> _Terms:
    """Return the terms of the log-odds of all units, except that of the others, in the states `H`."""
    n_h, layers = trace.n_h, model.layers
    silent = np.zeros(trace.n_v) if model.factorised else trace.units.silent(layers[0].b)
    silent = np.where(np.isnan(trace.x), np.nan, silent)  # what is not known says nothing either way
    seen, unseen = _log_odds(model, np.stack([trace.x, silent]), np.zeros((2, n_h), np.uint8))
    prior = np.hstack([*(above.b for above in layers[1:]), layers[-1].d])[None]
    evidence, alone = (seen - unseen)[None], unseen - prior[0]
    if len(layers) > 1:
        parts = model.split(H)
        prior, evidence = (np.repeat(rows, len(H), axis=0) for rows in (prior, evidence))
        ends = np.cumsum([0, *model.layer_sizes_])
        for layer, (W, _, _) in list(enumerate(layers))[1:]:
            prior[:, ends[layer - 1] : ends[layer]] += parts[layer] @ np.asarray(W).T
            evidence[:, ends[layer] : ends[layer + 1]] = parts[layer - 1] @ np.asarray(W)
    return _Terms(prior, evidence, alone)


def _told(model: Model, trace: ICMTrace, terms: _Terms) -> dict[str, NDArray]:
    """Return :attr:`TermsOf.decisions` from the terms in all states."""
    unit, visits = trace.unit, np.arange(trace.n_visits)
    made = np.searchsorted(trace.sweep, trace.sweep) if trace.at_once else visits
    state = np.append(0, np.cumsum(trace.flipped))[made]
    prior, evidence = (term[state if len(term) > 1 else 0, unit] for term in (terms.prior, terms.evidence))
    alone = terms.alone[unit]
    others = trace.log_odds - prior - evidence - alone
    arrays: dict[str, NDArray] = {
        "prior": terms.prior[:1],
        "evidence": terms.evidence[:1],
        "alone": terms.alone,
    }
    sent = (trace.log_odds.astype(np.float32).astype(np.float64), prior, evidence)
    if model.several_layers:
        top, lowest = unit >= trace.n_h - model.layer_sizes_[-1], unit < model.layer_sizes_[0]
        steps = np.array(
            [
                _steps(trace.log_odds),
                np.where(top, 0, _steps(prior)),
                np.where(lowest, 0, _steps(evidence)),
            ]
        )
        if not np.all(np.abs(steps) < _MAX_STEPS):
            return {}
        before = _visit_before(trace)
        arrays["decided_steps"] = _bytes(steps - np.where(before < 0, 0, steps[:, before]))
        log_odds, above, below = (steps + 0.5) * FINE
        sent = (log_odds, np.where(top, prior, above), np.where(lowest, evidence, below))
    left = sent[0] - sent[1] - sent[2] - alone
    fine = _first_alike(left / FINE, (0, 1, -1, 2, -2, 3, -3), others)
    return arrays | {"others_fine": fine.astype(np.int8)}


def _bytes(added: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the four bytes of integers, lowest first, along a new first axis; negative ones are
    zigzag-coded.
    """
    folded = np.where(added < 0, -2 * added - 1, 2 * added).astype("<u4")
    return np.ascontiguousarray(np.moveaxis(folded[..., None].view(np.uint8), -1, 0))


def _visit_before(trace: ICMTrace) -> NDArray[np.int64]:
    """Return the visit, from 0, before each to the same unit; -1 for the first."""
    order = np.argsort(trace.unit, kind="stable")
    before = np.full(trace.n_visits, -1)
    same = trace.unit[order][1:] == trace.unit[order][:-1]
    before[order[1:][same]] = order[:-1][same]
    return before


def _steps(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return integers m for which (m + 1/2) `FINE` is printed like the value."""
    whole = np.floor(values / FINE)
    return (whole + _first_alike(whole + 0.5, (0, -1, 1), values)).astype(np.int64)


def _first_alike(
    given: NDArray[np.float64], moves: Sequence[int], values: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the first of `moves` for each of the `given` multiples of `FINE` that makes it print like its
    value; 0 if none does.
    """
    found, open_ = np.zeros(len(values), np.int64), np.ones(len(values), bool)
    for move in moves:
        tried = (given + move) * FINE
        alike = open_ & (_cell(tried) == _cell(values))
        found[alike] = move
        open_ &= ~alike
    return found


def _cell(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.floor(values / _CELL)
