"""What every unit's log-odds were in every state of a trace, for a replay whose weights are rounded.

A handed-out file has no room for the weights of a large model to the bit. Its numbers are to be those of the
page all the same, so they travel beside the weights, which then only draw pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from lrbn_viz.model import Model
    from lrbn_viz.trace import ICMTrace

STEP = 1e-5
"""Nats: log-odds travel as multiples of this."""
_MOST = 2**30  # multiples of STEP; twice as many fit into four bytes


def pack_terms(model: Model, trace: ICMTrace) -> dict[str, NDArray]:
    """Return the log-odds of all units in every state of a trace, and the terms that they are made of.

    ``terms.py``'s arrays, by name: ``log_odds_steps`` (4, 1 + flips, n_h) uint8, the bytes, lowest first, of
    what each state adds to the one before it, in multiples of `STEP`, twice its size and 1 less if below 0;
    ``prior`` and ``evidence`` (1 or 1 + flips, n_h) and ``alone`` (n_h,) float64, nats. The others' term is
    what is left. Equation: (9), the factors.

    Empty for a trace of means, and where numbers are so large that they do not fit.
    """
    if trace.means:
        return {}
    flips = np.flatnonzero(trace.flipped)
    H = np.repeat(trace.h0[None], len(flips) + 1, axis=0)
    for row, visit in enumerate(flips, 1):
        H[row:, trace.unit[visit]] = trace.after[visit]
    parts = model.split(H)
    log_odds = np.hstack(model.conditional_log_odds(np.repeat(trace.x[None], len(H), axis=0), parts))
    multiples = np.rint(log_odds / STEP)
    if not np.all(np.abs(multiples) < _MOST / 2):
        return {}
    added = np.diff(multiples.astype(np.int64), axis=0, prepend=0)
    folded = np.where(added < 0, -2 * added - 1, 2 * added).astype("<u4")
    at_start = [model.log_odds_terms(trace.x, trace.h0, j) for j in range(trace.n_h)]
    prior = np.array([[terms.prior for terms in at_start]])
    evidence = np.array([[terms.evidence.sum() for terms in at_start]])
    if model.several_layers:
        prior, evidence = (np.repeat(rows, len(H), axis=0) for rows in (prior, evidence))
        ends = np.cumsum([0, *model.layer_sizes_])
        for layer, (W, b, _) in list(enumerate(model.layers))[1:]:
            prior[:, ends[layer - 1] : ends[layer]] = parts[layer] @ np.asarray(W).T + b
            evidence[:, ends[layer] : ends[layer + 1]] = parts[layer - 1] @ np.asarray(W)
    return {
        "log_odds_steps": np.ascontiguousarray(np.moveaxis(folded[..., None].view(np.uint8), -1, 0)),
        "prior": prior,
        "evidence": evidence,
        "alone": np.array([terms.alone.sum() for terms in at_start]),
    }
