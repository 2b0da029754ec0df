"""Mean field of one image, recorded unit by unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.trace import ICMTrace, Made
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.lrbn.means.moments import LayerMoments
from lrbn_viz.lrbn.means.visits import CONVERGED, DONE, K, MeansRecord, pass_up, update_means

_SWEEPS = 32
"""Sweeps for which a record has room at first; it grows where more are made."""


def with_held(start: NDArray, held: Mapping[int, int]) -> NDArray[np.float64]:
    """Return initial states or means (n_h,), in which held units have their given states."""
    begun = np.array(start, np.float64)
    for unit, state in held.items():
        begun[unit] = state
    return begun


def passed_up(
    W: NDArray, offset: NDArray, below: NDArray, held: Mapping[int, int], scale: float = 1.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return log-odds and means of latents from the units below alone, as a recognition network gives them.

    Parameters
    ----------
    W : (n_v, n_h)
    offset : (n_h,)
    below : (n_v,)
        Units below, or their means; NaN is not known and adds nothing.
    held : mapping from unit to state
        Latents whose means are these states.
    scale : float
        How often the units below count.
    """
    log_odds, means = np.empty(len(offset)), np.empty(len(offset))
    states = with_held(np.full(len(offset), np.nan), held)
    rows, offsets, units = (np.array(each, np.float64, order="C") for each in (W.T, offset, below))
    pass_up(rows, offsets, units, scale, states, log_odds, means)
    return log_odds, means


def guess_trace(
    guess: NDArray[np.float64] | None,
    moments: LayerMoments,
    held: Mapping[int, int],
    n_sweeps: int,
    made: Made,
    visible: str = "bernoulli",
) -> ICMTrace:
    """Return a trace of a recognition network's prediction, unit by unit, and sweeps of mean field after it.

    The recognition network does not maximise the bound, so that its pass may lower it; sweeps of mean field
    never do.

    Parameters
    ----------
    guess : (n_h,) float64 or None
        Log-odds of the latents; None: mean field without a prediction.
    moments : LayerMoments
        Moments at the means before the pass. Modified in place.
    held : mapping from unit to state
        Latents that stay as they are and are not visited.
    n_sweeps : int
        Largest number of mean-field sweeps; they end early when no mean changes by `MEAN_CHANGE`.
    made : str
        Kind of model that the trace names.
    visible : {"bernoulli", "gaussian"}
        Kind of the visible units.
    """
    begun, log_joint0 = moments.q.copy(), moments.bound()
    units = np.delete(np.arange(len(begun), dtype=np.int32), list(held))
    first = np.zeros(0) if guess is None else np.asarray(guess, np.float64)
    n_all = n_sweeps + (guess is not None)
    cursor, most = np.zeros(5, np.int64), np.zeros(1)
    cursor[DONE] = cursor[CONVERGED] = n_all == 0 or len(units) == 0
    record = MeansRecord(*(np.empty(0, kind) for kind in ("i4", "f8", "?", "f8", "f8", "i4")))
    size = min(n_all, _SWEEPS) * len(units)
    while not cursor[DONE]:
        more: Any = (np.concatenate([column, np.empty(size, column.dtype)]) for column in record)
        record = MeansRecord(*more)
        update_means(*moments.kernel_arguments, units, first, n_sweeps, most, cursor, record, size)
    columns: dict[str, Any] = {
        name: column[: cursor[K]].copy() for name, column in zip(MeansRecord._fields, record, strict=True)
    }
    log_joint = columns.pop("bound")
    whole = visible == "bernoulli" and unknown_in(moments.x) is None
    return ICMTrace(
        x=moments.x.astype(np.uint8) if whole else moments.x,
        h0=begun,
        log_joint0=log_joint0,
        log_joint=log_joint,
        converged=bool(cursor[CONVERGED]),
        visible=visible,
        model=made,
        sampled=False,
        **columns,
        **moments.layer._asdict(),
    )
