"""One step of stochastic gradient ascent on log P(x) of an RBM, whose model term is estimated by chains."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import fixed
from lrbn_viz.rivals.rbm import gradient, kernels
from lrbn_viz.rivals.rbm.centring import (
    CENTRED,
    NO_CENTRES,
    STANDARD,
    Centres,
    Phases,
    centre,
    centres_of_step,
)
from lrbn_viz.rivals.rbm.model import MIN_LOG_VARIANCE, Params, Visible, log_variances
from lrbn_viz.rivals.rbm.sampling import (
    arrays_of,
    draw,
    gaussian_means,
    keys_for,
    noise_of,
    sample_gaussian,
    threads_for,
)
from lrbn_viz.rivals.rbm.tempering import tempered_sweeps


class SGDSettings(NamedTuple):
    """Settings of a training step."""

    persistent: bool
    """True if chains continue from their last state (PCD); otherwise they start at the batch (CD)."""
    n_gibbs: int
    """Sweeps of the chains."""
    rate: float
    """Size of the step."""
    keep: float
    """One minus the weight decay of this step; multiplies the old W."""
    kind: int = STANDARD
    """Kind of the gradient: one of ``centring.KINDS``."""
    slide: float = 1.0
    """Share of this batch in the moving averages of a centred gradient."""
    n_temperatures: int = 1
    """Temperatures of the persistent chains; above 1 they are those of parallel tempering."""

    @property
    def tempered(self) -> bool:
        """True if chains at several temperatures exchange their states."""
        return self.persistent and self.n_temperatures > 1


class Updated(NamedTuple):
    """Result of one training step; arrays as in :class:`~lrbn_viz.rivals.rbm.system.RBMState`."""

    particles: NDArray[np.uint8]
    V: NDArray
    """(n_particles, n_v) fantasies of the step."""
    W: NDArray[np.float32]
    b: NDArray[np.float32]
    d: NDArray[np.float32]
    mu: NDArray[np.float32]
    """Moving averages of a centred gradient; with `lam` its centres."""
    lam: NDArray[np.float32]
    activity: float
    """Mean of P(h_j = 1 | x) over the batch."""
    fantasy_activity: float
    """The same over the chains."""
    total: float
    """Finite unless a new parameter is not."""
    swapped: float = 0.0
    """Share of the exchanges between temperatures that were made."""
    z: NDArray[np.float32] | tuple[()] = ()
    """Log variances of Gaussian visibles, where they are learned."""


def sgd_step(
    params: Params,
    X: NDArray,
    particles: NDArray[np.uint8],
    how: SGDSettings,
    rng: np.random.Generator,
    visible: Visible,
    centres: Centres = NO_CENTRES,
) -> Updated:
    """Take one step along the gradient of log P(x).

    Parameters
    ----------
    X : (n, n_v) uint8 in {0, 1} for Bernoulli visibles, else float32
        The batch, C-ordered.
    particles : (n_temperatures * n_particles, n_h) uint8
        Latents from which persistent chains continue, those of the highest inverse temperature, 1, first.
    centres : Centres
        Moving averages of a centred gradient so far; empty for any other.
    """
    W, b, d = arrays_of(params)
    if visible == "gaussian":
        with np.errstate(over="ignore", invalid="ignore"):  # the caller checks `total` and names the step
            return _gaussian_step(W, b, d, log_variances(params), X, particles, how, rng, centres)
    rate, keep, slide = np.float32(how.rate), np.float32(how.keep), np.float32(how.slide)
    if how.tempered:
        V, particles, swapped = tempered_sweeps(params, particles, how.n_temperatures, how.n_gibbs, rng)
        means = np.empty((len(X) + len(V), len(d)), np.float32)
        with threads_for(len(X), W, "gradient") as threads:
            kernels.fill_means(W, d, fixed(X), V, 0, len(means), means, threads)
            learned = gradient.learn(
                W, b, d, fixed(X), V, means, rate, keep, how.kind, centres, slide, threads
            )
        return Updated(particles, V, *learned, swapped)
    keys = keys_for(2 * how.n_gibbs, rng)
    X = fixed(X)
    with threads_for(len(X), W, "contrastive divergence") as threads:
        return Updated(
            *gradient.sgd_step(
                W, b, d, X, particles, how.persistent, keys, rate, keep, how.kind, centres, slide, threads
            )
        )


def _gaussian_step(
    W: NDArray[np.float32],
    b: NDArray[np.float32],
    d: NDArray[np.float32],
    z: NDArray[np.float32] | None,
    X: NDArray[np.float32],
    particles: NDArray[np.uint8],
    how: SGDSettings,
    rng: np.random.Generator,
    centres: Centres,
) -> Updated:
    """Compute the step with dense products, by NumPy's BLAS.

    Learned variances divide the gradients of W and b by themselves. That of z_i is the difference between
    the phases of ``<(x_i - b_i)^2 / 2 - x_i sum_j w_ij h_j> / s_i^2`` (Cho, Ilin and Raiko, 2011), with the
    mean of h given x in its place.
    """
    params = _Params(W, b, d, () if z is None else z)
    noise = noise_of(params)
    weighted = noise.weighted(W)
    data_means = gaussian_means(weighted, d, X)
    swapped = 0.0
    if how.tempered:
        V, particles, swapped = tempered_sweeps(
            params, particles, how.n_temperatures, how.n_gibbs, rng, "gaussian"
        )
        fantasy_means = gaussian_means(weighted, d, V)
    else:
        V, fantasy_means = X, data_means
        for sweep in range(how.n_gibbs):
            H = particles if how.persistent and sweep == 0 else draw(fantasy_means, rng)
            V = sample_gaussian(W, b, H, rng, noise.s)
            fantasy_means = gaussian_means(weighted, d, V)
    data_rate, fantasy_rate = np.float32(how.rate / len(X)), np.float32(how.rate / len(V))
    old, keep, rate = W, np.float32(how.keep), np.float32(how.rate)
    W = keep * W
    of_data = X.T @ (data_rate * data_means)
    of_model = V.T @ (fantasy_rate * fantasy_means)
    learned: NDArray[np.float32] | tuple[()] = ()
    precision = np.float32(1.0) if noise.precision is None else noise.precision
    if z is not None:
        spread = data_rate * np.square(X - b).sum(0) - fantasy_rate * np.square(V - b).sum(0)
        explained = (old * (of_data - of_model)).sum(1)
        learned = np.maximum(z + precision * (np.float32(0.5) * spread - explained), MIN_LOG_VARIANCE)
    W += noise.weighted(of_data)
    W -= noise.weighted(of_model)
    b = b + precision * (data_rate * X.sum(0)) - precision * (fantasy_rate * V.sum(0))
    d = d + rate * (data_means.mean(0) - fantasy_means.mean(0))
    if how.kind != STANDARD:
        phases = Phases(X.mean(0), V.mean(0), data_means.mean(0), fantasy_means.mean(0))
        taken = centres_of_step(how.kind, phases, centres, np.float32(how.slide))
        # x enters as x / s^2, and so does the centre that is subtracted
        scaled = phases._replace(x_data=precision * phases.x_data, x_model=precision * phases.x_model)
        centre(old, keep, rate, scaled, taken._replace(mu=precision * taken.mu), W, b, d, False)
        centres = taken if how.kind == CENTRED else centres
    if how.persistent and not how.tempered:
        particles = draw(fantasy_means, rng)
    total = float(W.sum() + b.sum() + d.sum() + np.sum(learned))
    activities = float(data_means.mean()), float(fantasy_means.mean())
    return Updated(particles, V, W, b, d, *centres, *activities, total, swapped, learned)


class _Params(NamedTuple):
    """Parameters, as the formulas take them."""

    W: NDArray[np.float32]
    b: NDArray[np.float32]
    d: NDArray[np.float32]
    z: NDArray[np.float32] | tuple[()]
