"""Moments of the activations of one image under means of its latents, and bounds on log P(x) from them.

A directed layer generates x with log-odds ``a = W h + b``. The latents are treated as independent given x,
with means q.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.io.constants import MIN_RELATIVE_GAIN
from lrbn_viz.kernels.numerics import sigmoid, softplus


class Moments:
    """Mean and variance of the activations of one image under means q of its latents, updated unit by unit.

    Their bound on log P(x) is that of Jaakkola and Jordan. With ``xi**2 = E[a**2]`` the lower bound
    ``log P(x_i | h) >= (x_i - 1/2) a + xi / 2 - softplus(xi) - tanh(xi / 2) / (4 xi) (a**2 - xi**2)`` has the
    expectation ``(x_i - 1/2) E[a] + xi / 2 - softplus(xi)``. Where all means are 0 or 1 the bound is
    log P(x, h).

    Parameters
    ----------
    layer : LayerParams
    x : (n_v,)
        NaN is not known.
    q : (n_h,) float64
        Means in [0, 1]; copied.

    References
    ----------
    T. S. Jaakkola and M. I. Jordan (2000). Bayesian parameter estimation via variational methods. Statistics
    and Computing 10, 25-37.
    """

    def __init__(self, layer: LayerParams, x: NDArray, q: NDArray) -> None:
        self.layer, self.x = layer, np.asarray(x, np.float64)
        self.q = np.array(q, np.float64)
        unknown = unknown_in(self.x)
        seen = slice(None) if unknown is None else ~unknown  # the others drop out of the bound
        self._x, self._W, self._b = self.x[seen], layer.W[seen], layer.b[seen]
        self._rows = np.ascontiguousarray(self._W.T)
        self._fixed = float(softplus(layer.d).sum())
        self.refresh()

    def refresh(self) -> None:
        """Compute the moments from the means, without the rounding of many moves."""
        self.mean = self._W @ self.q + self._b
        self.variance = self._W**2 @ (self.q * (1.0 - self.q))

    def move(self, j: int, mean: float) -> None:
        """Set the mean of latent j."""
        w, old = self._rows[j], self.q[j]
        self.mean += w * (mean - old)
        self.variance += w**2 * (mean * (1.0 - mean) - old * (1.0 - old))
        self.q[j] = mean

    def _root(self, square: NDArray) -> NDArray[np.float64]:
        """Return xi, at least 1e-12, as rounding may leave its square at or below 0."""
        return np.sqrt(np.maximum(square, 1e-24))

    def bound(self) -> float:
        """Return the lower bound on log P(x), nats."""
        xi = self._root(self.mean**2 + self.variance)
        return float(((self._x - 0.5) * self.mean + 0.5 * xi - softplus(xi)).sum() + self._latents())

    def _latents(self) -> float:
        """Return the terms of the latents in the bound: their prior and their entropy, nats."""
        return float(self.q @ self.layer.d - self._fixed) + self._entropy()

    def _entropy(self) -> float:
        """Return the entropy of the latents, nats."""
        both = np.concatenate([self.q, 1.0 - self.q])
        return -float((both * np.log(np.maximum(both, 1e-300))).sum())

    def log_odds(self, j: int) -> float:
        """Return the log-odds of the mean of latent j that raises the bound most at the present xi."""
        w = self._rows[j]
        xi = self._root(self.mean**2 + self.variance)
        rate = np.tanh(0.5 * xi) / (2.0 * xi)
        rest = self.mean - self.q[j] * w
        return float(self.layer.d[j] + (self._x - 0.5) @ w - rate @ (w * rest + 0.5 * w**2))


class LayerMoments:
    """Moments of several layers of one image under means q of all latents, updated unit by unit.

    Units are numbered through the layers, the lowest one first. The bound of :class:`Moments` on log P(x | h)
    is added to the same bound on log P(h | g) of each layer above, which is linear in the means below it. So
    the optimal log-odds of a unit's mean have a closed form in every layer, and moving the mean there never
    lowers the bound. Where all means are 0 or 1 the bound is log P(x, h, g, ...).

    Parameters
    ----------
    layers : sequence of LayerParams
        The lowest first.
    x : (n_v,)
    q : (n_latents,) float64
        Means in [0, 1]; copied.
    """

    def __init__(self, layers: Sequence[LayerParams], x: NDArray, q: NDArray) -> None:
        self.x = np.asarray(x, np.float64)
        sizes = [layer.n_h for layer in layers]
        self._first = [0, *np.cumsum(sizes).tolist()]
        # as everywhere with several layers, W holds zeros for all units above the lowest layer
        padding = np.zeros((layers[0].n_v, sum(sizes[1:])))
        self.layer = LayerParams(
            np.hstack([layers[0].W, padding]), layers[0].b, np.concatenate([each.d for each in layers])
        )
        parts = np.split(np.asarray(q, np.float64), self._first[1:-1])
        self._moments: list[Moments] = []
        below = self.x
        for n, (layer, part) in enumerate(zip(layers, parts, strict=True), 1):
            # All but the top layer have their prior from the layer above: here their prior log-odds are 0.
            own = layer if n == len(layers) else layer._replace(d=np.zeros(layer.n_h))
            self._moments.append(Moments(own, below, part))
            below = self._moments[-1].q  # shared: the means below are the data of the layer above

    @property
    def q(self) -> NDArray[np.float64]:
        """Means of all latents; (n_latents,)."""
        return np.concatenate([each.q for each in self._moments])

    def _place(self, j: int) -> tuple[int, int]:
        """Return the layer of a latent, and its number there."""
        layer = next(n for n, end in enumerate(self._first[1:]) if j < end)
        return layer, j - self._first[layer]

    def refresh(self) -> None:
        """Compute the moments from the means, without the rounding of many moves."""
        for each in self._moments:
            each.refresh()

    def move(self, j: int, mean: float) -> None:
        """Set the mean of a latent."""
        layer, unit = self._place(j)
        self._moments[layer].move(unit, mean)

    def bound(self) -> float:
        """Return the lower bound on log P(x), nats."""
        # what the priors of 0 log-odds have taken off each layer but the top
        of_zero_log_odds = self._first[-2] * float(np.log(2.0))
        return self._moments[0].bound() + of_zero_log_odds + sum(each.bound() for each in self._moments[1:])

    def log_odds(self, j: int) -> float:
        """Return the log-odds of the mean of a latent that raises the bound most at the present xi."""
        layer, unit = self._place(j)
        from_above = float(self._moments[layer + 1].mean[unit]) if layer + 1 < len(self._moments) else 0.0
        return self._moments[layer].log_odds(unit) + from_above


class TiltedMoments(Moments):
    """The same with the tilted bound of Saul, Jaakkola and Jordan, which is usually tighter.

    ``E log(1 + exp(a)) <= xi E a + log(E exp(-xi a) + E exp((1 - xi) a))`` for any tilt xi. Tilts change only
    in :meth:`refresh`, and only if that raises the bound. Where all means are 0 or 1 the bound is log P(x,
    h). Arguments as of :class:`Moments`.

    References
    ----------
    L. K. Saul, T. Jaakkola and M. I. Jordan (1996). Mean field theory for sigmoid belief networks. Journal of
    Artificial Intelligence Research 4, 61-76.
    """

    def __init__(self, layer: LayerParams, x: NDArray, q: NDArray) -> None:
        self._tilts: NDArray[np.float64] | None = None
        super().__init__(layer, x, q)

    def refresh(self) -> None:
        """Compute moments and exponential moments from the means, and better tilts if there are any."""
        super().refresh()
        tilts = self._normal_tilts()
        low, high = self._logarithms(tilts)
        if self._tilts is not None:
            old_low, old_high = self._logarithms(self._tilts)
            loss = self._loss(self._tilts, old_low, old_high)
            # nearly equal ones stay: rounding errors, which differ between machines, must not decide between
            # them
            better = self._loss(tilts, low, high) < loss - MIN_RELATIVE_GAIN * (1.0 + np.abs(loss))
            tilts = np.where(better, tilts, self._tilts)
            low, high = np.where(better, low, old_low), np.where(better, high, old_high)
        self._tilts, self._low, self._high = tilts, low, high

    def _normal_tilts(self) -> NDArray[np.float64]:
        """Return the optimal tilts for normal activations, by Newton steps from below the root."""
        z = self.mean / (1.0 + 0.25 * self.variance)
        for _ in range(20):
            s = sigmoid(z)
            z = z - (z + self.variance * (s - 0.5) - self.mean) / (1.0 + self.variance * s * (1.0 - s))
        return sigmoid(z)

    def _logarithms(self, tilts: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return ``log E exp(-xi a)`` and ``log E exp((1 - xi) a)``, (n_v,) each."""
        low = _log_factor(self.q, -tilts[:, None] * self._W).sum(axis=1)
        high = _log_factor(self.q, (1.0 - tilts)[:, None] * self._W).sum(axis=1)
        return low - tilts * self._b, high + (1.0 - tilts) * self._b

    def _loss(self, tilts: NDArray, low: NDArray, high: NDArray) -> NDArray[np.float64]:
        """Return the upper bound on ``E log(1 + exp(a))`` of each pixel."""
        return tilts * self.mean + np.logaddexp(low, high)

    def _powers(self, j: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return ``-xi w_j`` and ``(1 - xi) w_j``."""
        w, tilts = self._rows[j], self._tilts
        assert tilts is not None  # `refresh` chose them
        return -tilts * w, (1.0 - tilts) * w

    def move(self, j: int, mean: float) -> None:
        """Set the mean of latent j."""
        low, high = self._powers(j)
        old = self.q[j]
        self._low += _log_factor(mean, low) - _log_factor(old, low)
        self._high += _log_factor(mean, high) - _log_factor(old, high)
        super().move(j, mean)

    def bound(self) -> float:
        """Return the lower bound on log P(x), nats."""
        assert self._tilts is not None
        loss = self._loss(self._tilts, self._low, self._high)
        return float((self._x * self.mean - loss).sum() + self._latents())

    def log_odds(self, j: int) -> float:
        """Return the log-odds of the mean of latent j that is optimal for the bound's tangent, at these
        tilts.

        The error of the tangent is convex, so that this mean never lowers the bound.
        """
        tilts, w, q = self._tilts, self._rows[j], self.q[j]
        assert tilts is not None
        low, high = (np.clip(power, -690.0, 690.0) for power in self._powers(j))
        share, rest = sigmoid(self._high - self._low), sigmoid(self._low - self._high)
        slope = rest * np.expm1(low) / (1.0 - q + q * np.exp(low))
        slope += share * np.expm1(high) / (1.0 - q + q * np.exp(high))
        return float(self.layer.d[j] + ((self._x - tilts) * w - slope).sum())


def _log_factor(q: NDArray | float, power: NDArray) -> NDArray[np.float64]:
    """Return ``log(1 - q + q exp(power))``."""
    with np.errstate(divide="ignore"):  # a mean of 0 or 1 has one term
        return np.logaddexp(np.log1p(-np.asarray(q, np.float64)), np.log(q) + power)
