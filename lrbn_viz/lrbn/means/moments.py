"""Means of the latents of one image, and bounds on log P(x) from them.

The kernels, and the formulas of the bounds, are in :mod:`lrbn_viz.lrbn.means.visits`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.lrbn.means.visits import (
    GAUSSIAN,
    QUADRATIC,
    SCRATCH,
    TILTED,
    VALUE,
    MeansParams,
    MeansState,
    begin_means,
    bound_of,
    log_odds_of,
    move_mean,
    refresh_means,
)

_NOTHING = np.zeros(0)


class LayerMoments:
    """Means q of all latents of one image, moved unit by unit, and their bound on log P(x).

    Units are numbered through the layers, the lowest one first. Each visit's log-odds are those of the mean
    that raises the bound, most at the present terms, and moving the mean there never lowers the bound. The
    bound is that of Jaakkola and Jordan for all layers. Where all means are 0 or 1 it is log P(x, h, g, ...).

    Parameters
    ----------
    layers : sequence of LayerParams
        The lowest first.
    x : (n_v,)
        NaN is not known, and drops out of the bound.
    q : (n_latents,) float64
        Means in [0, 1]; copied.
    top : LayerParams, optional
        The RBM above the top latents, of which the other units are summed out.
    log_joints : (2**n_latents,) float64, optional
        ``log P(x, h)`` of every state, nats; bit j of the index is h_j. The bound is then the evidence lower
        bound itself.

    Attributes
    ----------
    layer : LayerParams
        Of all latents; W holds zeros for those above the lowest layer.
    """

    _visible: ClassVar[int] = QUADRATIC
    _latent: ClassVar[int] = QUADRATIC
    """Kinds of blocks: of the visible units, and of the latents of each layer."""

    def __init__(
        self,
        layers: Sequence[LayerParams],
        x: NDArray,
        q: NDArray,
        *,
        top: LayerParams | None = None,
        log_joints: NDArray[np.float64] = _NOTHING,
    ) -> None:
        self.x = np.asarray(x, np.float64)
        low, *above = layers
        self.layer = low
        if above:
            padding = np.zeros((low.n_v, sum(each.n_h for each in above)))
            d = np.concatenate([each.d for each in layers])
            self.layer = LayerParams(np.hstack([low.W, padding]), low.b, d)
        unknown = unknown_in(self.x)
        seen = slice(None) if unknown is None else ~unknown
        known = [low._replace(W=low.W[seen], b=low.b[seen]), *above]
        sizes = [known[0].n_v, *(each.n_h for each in layers)]
        n_units, n_tilts = sum(sizes), sizes[0] if self._visible == TILTED else 0
        experts, offsets = (np.zeros((sizes[-1], 0)), _NOTHING) if top is None else (top.W, top.d)
        self._params = MeansParams(
            kinds=np.array([self._visible, *[self._latent] * len(known)], np.int64),
            first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            n_v=sizes[0],
            exact=len(log_joints) > 0,
            weights=np.concatenate([np.ravel(each.W.T) for each in known]).astype(np.float64, copy=False),
            bias=np.concatenate([*(each.b for each in known), layers[-1].d]).astype(np.float64),
            experts=np.array(experts, np.float64, order="C"),
            offsets=np.array(offsets, np.float64),
            log_joints=np.array(log_joints, np.float64),
        )
        units = np.empty((6, n_units))
        units[VALUE] = np.concatenate([self.x[seen], np.asarray(q, np.float64)])
        self._state = MeansState(
            units,
            tilts=np.empty((6, n_tilts)),
            upper=np.empty(len(offsets)),
            sums=np.empty(SCRATCH + len(log_joints)),
        )
        begin_means(self._params, self._state)

    @property
    def kernel_arguments(self) -> tuple[MeansParams, MeansState]:
        """The model and the means as kernels take them; the state is modified by all methods."""
        return self._params, self._state

    @property
    def q(self) -> NDArray[np.float64]:
        """Means of all latents; (n_latents,)."""
        return self._state.units[VALUE, self._params.n_v :]

    def refresh(self) -> None:
        """Compute all terms from the means, without the rounding of many moves, and better tilts if any."""
        refresh_means(self._params, self._state)

    def move(self, j: int, mean: float) -> None:
        """Set the mean of latent j."""
        move_mean(self._params, self._state, int(j), float(mean))

    def bound(self) -> float:
        """Return the lower bound at the means, nats."""
        return float(bound_of(self._params, self._state))

    def log_odds(self, j: int) -> float:
        """Return the log-odds of the mean of latent j that raises the bound, most at the present terms."""
        return float(log_odds_of(self._params, self._state, int(j)))


class Moments(LayerMoments):
    """The same of a single layer.

    Parameters
    ----------
    layer : LayerParams
    x, q
        As of :class:`LayerMoments`.
    """

    def __init__(self, layer: LayerParams, x: NDArray, q: NDArray) -> None:
        super().__init__([layer], x, q)


class GaussianMoments(Moments):
    """The same with Gaussian visible units: the evidence lower bound, in closed form."""

    _visible = GAUSSIAN


class TiltedMoments(Moments):
    """The same with the tilted bound of Saul, Jaakkola and Jordan, which is usually tighter."""

    _visible = TILTED


class ExactMoments(Moments):
    """The evidence lower bound under means of few latents, over all their states.

    ``log P(x) - bound`` is ``KL(q || P(h | x))``, and each mean moves to its minimum.

    Parameters
    ----------
    layer, x, q
        As of :class:`Moments`.
    log_joints : (2**n_h,) float64
        ``log P(x, h)`` of every state, nats; bit j of the index is h_j.
    """

    def __init__(self, layer: LayerParams, x: NDArray, q: NDArray, log_joints: NDArray[np.float64]) -> None:
        LayerMoments.__init__(self, [layer], x, q, log_joints=log_joints)
