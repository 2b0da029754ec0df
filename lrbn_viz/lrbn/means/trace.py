"""Mean field of one image, recorded unit by unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.trace import ICMTrace, Made
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.io.constants import MEAN_CHANGE
from lrbn_viz.kernels.numerics import sigmoid


def with_held(start: NDArray, held: Mapping[int, int]) -> NDArray[np.float64]:
    """Return initial states or means (n_h,), in which held units have their given states."""
    begun = np.array(start, np.float64)
    for unit, state in held.items():
        begun[unit] = state
    return begun


class MovedMeans(Protocol):
    """Means of one image's latents, updated unit by unit, and their bound; a trace records both.

    `lrbn_viz.lrbn.means.moments.Moments` describes the methods.
    """

    x: NDArray[np.float64]
    layer: LayerParams

    @property
    def q(self) -> NDArray[np.float64]:
        """Means of all latents; (n_h,)."""
        ...

    def refresh(self) -> None:
        """Compute the terms that depend on the means, without the rounding errors of many moves."""
        ...

    def move(self, j: int, mean: float) -> None:
        """Set the mean of latent j."""
        ...

    def bound(self) -> float:
        """Return the lower bound at the means, nats."""
        ...

    def log_odds(self, j: int) -> float:
        """Return log-odds of the mean of latent j that raise the bound."""
        ...


def guess_trace(
    guess: NDArray[np.float64] | None,
    moments: MovedMeans,
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
    moments : MovedMeans
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
    begun = moments.q.copy()
    units = [j for j in range(len(begun)) if j not in held]
    log_joint0 = moments.bound()
    rows: list[tuple[int, float, bool, float, float, int]] = []
    converged = True
    for sweep in range(n_sweeps + (guess is not None)):
        guessed = None if sweep else guess
        moments.refresh()
        most = 0.0
        for j in units:
            odds = moments.log_odds(j) if guessed is None else float(guessed[j])
            mean = float(sigmoid(odds))
            change = abs(mean - moments.q[j])
            moments.move(j, mean)
            most = max(most, change)
            rows.append((j, mean, change > MEAN_CHANGE, odds, moments.bound(), sweep))
        converged = most <= MEAN_CHANGE or (guessed is not None and n_sweeps == 0)
        if guessed is None and converged:
            break
    kinds: tuple[Any, ...] = (np.int32, np.float64, np.bool_, np.float64, np.float64, np.int32)
    columns = list(zip(*rows, strict=True)) or [()] * len(kinds)
    unit, after, flipped, log_odds, log_joint, sweeps = (
        np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)
    )
    whole = visible == "bernoulli" and unknown_in(moments.x) is None
    return ICMTrace(
        x=moments.x.astype(np.uint8) if whole else moments.x,
        h0=begun,
        log_joint0=log_joint0,
        unit=unit,
        after=after,
        flipped=flipped,
        log_odds=log_odds,
        log_joint=log_joint,
        sweep=sweeps,
        converged=converged,
        visible=visible,
        model=made,
        sampled=False,
        **moments.layer._asdict(),
    )
