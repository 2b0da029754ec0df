"""A sigmoid belief network with a recognition network: their probabilities, bounds, and traces of means.

The generative network is that of an LRBN: latents h with log-odds d generate x with log-odds ``a = W h + b``.
The recognition network predicts h in one pass: given x it treats the latents as independent, ``q(h_j = 1 | x)
= sigmoid(z_j)`` with ``z = V'x + c``. In a network of several layers each has both: its latents generate the
units below it, and are predicted from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.trace import ICMTrace, Made
from lrbn_viz.kernels.numerics import sigmoid, softplus

MIN_RELATIVE_GAIN = 1e-10
"""Smallest share of a bound's loss by which new tilts must lower it."""
CONVERGENCE_TOLERANCE = 1e-3
"""Change of a mean above which it counts as changed."""


class LayerNetworks(NamedTuple):
    """Parameters of both networks of one layer; never modified after creation.

    A model has a tuple of them, the lowest first: each layer generates the units below it, from which the
    recognition network predicts it. The `d` of a layer below another is the `b` of that one.

    Attributes
    ----------
    W : (n_v, n_h) float
        Generative weights: column j is the filter of latent j.
    b : (n_v,) float
        Offset of each unit below.
    d : (n_h,) float
        Prior log-odds of each latent, or its offset where a layer above generates it.
    V : (n_v, n_h) float
        Recognition weights: column j gives the network's log-odds of latent j.
    c : (n_h,) float
        Offset of each guess.
    """

    W: NDArray[Any]
    b: NDArray[Any]
    d: NDArray[Any]
    V: NDArray[Any]
    c: NDArray[Any]

    @property
    def n_v(self) -> int:
        """Number of units below, of the lowest layer the visible ones."""
        return self.W.shape[0]

    @property
    def n_h(self) -> int:
        """Number of latent units."""
        return self.W.shape[1]

    @property
    def generative(self) -> LayerParams:
        """W, b and d: the parameters of an LRBN's layer."""
        return LayerParams(self.W, self.b, self.d)


NAMES = ("W", "b", "d", "V", "c"), ("U", "e", "V2", "c2")
"""Names of the arrays of each layer; the offset of the units below an upper layer is that layer's d."""


def parameters_of(layers: Sequence[LayerNetworks]) -> tuple[NDArray, ...]:
    """Return the arrays of all layers, each once: W, b, d, V and c, and W, d, V and c of each layer above."""
    low, *upper = layers
    return (*low, *(array for W, _, d, V, c in upper for array in (W, d, V, c)))


def layers_of(arrays: Sequence[NDArray]) -> tuple[LayerNetworks, ...]:
    """Return the layers of which :func:`parameters_of` gives these arrays."""
    found = [LayerNetworks(*arrays[:5])]
    for first in range(5, len(arrays), 4):
        W, d, V, c = arrays[first : first + 4]
        found.append(LayerNetworks(W, found[-1].d, d, V, c))
    return tuple(found)


def named_parameters(layers: Sequence[LayerNetworks]) -> dict[str, NDArray]:
    """Return :func:`parameters_of` by their names."""
    return dict(zip(chain(*NAMES[: len(layers)]), parameters_of(layers), strict=True))


def recognition_log_odds(params: LayerNetworks, X: NDArray) -> NDArray[np.float64]:
    """Return ``z = V'x + c``, the log-odds of each latent under q(h | x), for each row of `X`; (n, n_h)."""
    return X @ params.V + params.c


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
        self._rows = np.ascontiguousarray(layer.W.T)
        self._fixed = float(softplus(layer.d).sum())
        self.refresh()

    def refresh(self) -> None:
        """Compute the moments from the means, without the rounding of many moves."""
        self.mean = self.layer.W @ self.q + self.layer.b
        self.variance = self.layer.W**2 @ (self.q * (1.0 - self.q))

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
        return float(((self.x - 0.5) * self.mean + 0.5 * xi - softplus(xi)).sum() + self._latents())

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
        return float(self.layer.d[j] + (self.x - 0.5) @ w - rate @ (w * rest + 0.5 * w**2))


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
        low = _log_factor(self.q, -tilts[:, None] * self.layer.W).sum(axis=1)
        high = _log_factor(self.q, (1.0 - tilts)[:, None] * self.layer.W).sum(axis=1)
        return low - tilts * self.layer.b, high + (1.0 - tilts) * self.layer.b

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
        return float((self.x * self.mean - loss).sum() + self._latents())

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
        return float(self.layer.d[j] + ((self.x - tilts) * w - slope).sum())


def _log_factor(q: NDArray | float, power: NDArray) -> NDArray[np.float64]:
    """Return ``log(1 - q + q exp(power))``."""
    with np.errstate(divide="ignore"):  # a mean of 0 or 1 has one term
        return np.logaddexp(np.log1p(-np.asarray(q, np.float64)), np.log(q) + power)


def recognised(layers: Sequence[LayerNetworks], X: NDArray) -> tuple[NDArray[np.float64], ...]:
    """Return the log-odds that the recognition network gives the latents of each layer, (n, n_h) each.

    Those of a layer above the first are predicted from the means of the layer below it.
    """
    found: list[NDArray[np.float64]] = []
    for networks in layers:
        found.append(recognition_log_odds(networks, sigmoid(found[-1]) if found else X))
    return tuple(found)


def recognition_trace(
    layers: Sequence[LayerNetworks],
    x: NDArray,
    start: NDArray,
    held: Mapping[int, int],
    n_sweeps: int = 0,
    moments_of: Callable[[LayerParams, NDArray, NDArray], Moments] = Moments,
) -> ICMTrace:
    """Return a trace of the prediction of one image's latents, unit by unit, and sweeps of mean field after
    it.

    An upper layer is predicted from the means of the layer below it. ``log_joint`` is the bound of the
    moments, of several layers that of :class:`LayerMoments`; the rest is as in :func:`guess_trace`.

    Parameters
    ----------
    x : (n_v,) uint8 in {0, 1}
    start : (n_latents,)
        States or means before the pass, which do not affect its result.
    held : mapping from unit to state
        Latents that stay as they are and are not visited; numbered through the layers.
    n_sweeps : int
        Sweeps of mean field at most.
    moments_of : function of (layer, x, q)
        Constructor of the moments of a single layer, which define its bound.
    """
    guesses: list[NDArray[np.float64]] = []
    below, first = x.astype(np.float64), 0
    for networks in layers:
        guesses.append(recognition_log_odds(networks, below[None])[0])
        of_layer = {j - first: state for j, state in held.items() if first <= j < first + networks.n_h}
        below, first = with_held(sigmoid(guesses[-1]), of_layer), first + networks.n_h
    begun = with_held(start, held)
    if len(layers) == 1:
        return guess_trace(guesses[0], moments_of(layers[0].generative, x, begun), held, n_sweeps, "directed")
    moments = LayerMoments([each.generative for each in layers], x, begun)
    return guess_trace(np.concatenate(guesses), moments, held, n_sweeps, "deep")


def with_held(start: NDArray, held: Mapping[int, int]) -> NDArray[np.float64]:
    """Return initial states or means (n_h,), in which held units have their given states."""
    begun = np.array(start, np.float64)
    for unit, state in held.items():
        begun[unit] = state
    return begun


class MovedMeans(Protocol):
    """Means of one image's latents, updated unit by unit, and their bound; a trace records both.

    :class:`Moments` describes the methods.
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
        Largest number of mean-field sweeps; they end early when no mean changes by `CONVERGENCE_TOLERANCE`.
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
            rows.append((j, mean, change > CONVERGENCE_TOLERANCE, odds, moments.bound(), sweep))
        converged = most <= CONVERGENCE_TOLERANCE or (guessed is not None and n_sweeps == 0)
        if guessed is None and converged:
            break
    kinds: tuple[Any, ...] = (np.int32, np.float64, np.bool_, np.float64, np.float64, np.int32)
    columns = list(zip(*rows, strict=True)) or [()] * len(kinds)
    unit, after, flipped, log_odds, log_joint, sweeps = (
        np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)
    )
    return ICMTrace(
        x=moments.x.astype(np.uint8) if visible == "bernoulli" else moments.x,
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
