"""The ladder of approximations q(h) of one image's posterior, and the parts of each rung's distance.

All of them are independent latents, a product, but for states, so that a product's divergence
``KL(q || P(h | x))`` has a part that no product is without and a part that is its own:

    approximation gap   KL(best): what the best product lacks. Latents that depend on each other given x
                        cannot be a product.
    amortisation gap    KL(recognition) - KL(best): what one pass of a recognition network, shared by all
                        images, loses to means that are found for this image.
    explaining away     KL(factorised) - KL(best): what is lost where each latent ignores the others, by its
                        prior and the evidence alone.

So ``KL(recognition) = approximation gap + amortisation gap`` and ``KL(factorised) = approximation gap +
explaining away``. Best is the product of least divergence that coordinate ascent finds from each of the
others: no rung is below it, and so no gap is below 0. That it is the best of all products is not proven.

References
----------
C. Cremer, X. Li and D. Duvenaud (2018). Inference suboptimality in variational autoencoders. International
Conference on Machine Learning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.model import Model
from lrbn_viz.core.posterior import ExactPosterior, apart
from lrbn_viz.core.trace import ParticleTrace, Trace, visits_of
from lrbn_viz.core.validation import check_integer, unknown_in
from lrbn_viz.kernels.posterior import distances_of_means, distances_of_particles, distances_of_states
from lrbn_viz.measure.divergence import (
    MEAN_FIELD_SWEEPS,
    START_TOLERANCE,
    SWEEPS,
    Approximation,
    feed_forward,
    independent,
    mean_field,
    point_mass,
)
from lrbn_viz.measure.explanation import exact_posterior

RECOGNITION = "recognition"


@dataclass(frozen=True, eq=False, repr=False)
class Ladder:
    """Distances of several approximations from the posterior of one image.

    Attributes
    ----------
    posterior : ExactPosterior
        P(h | x).
    rungs : dict of Approximation
        ``"factorised"``: ``sigmoid(d + W'x)`` of the x that are known; where all are, the posterior of an RBM
        with these weights.
        ``"feed_forward"``: each latent by its conditional with all others off. ``"recognition"``: the
        recognition network's means, if there is one and all of x is known. ``"mean_field_1"``,
        ``"mean_field_2"``, ``"mean_field_10"``: after so many sweeps of mean field from even odds.
        ``"recognition_mean_field"``: after 10 sweeps from ``"recognition"``. ``"marginals"``: the exact
        ``P(h_j = 1 | x)`` of each latent, as if independent. ``"icm"``: all on the state that ICM finds.
        ``"map"``: all on the most probable state. ``"best"``: the product of least divergence that was found.
    explaining_away : float
        ``KL(factorised) - KL(best)``, nats, at least 0.
    approximation_gap : float
        ``KL(best)``, nats, at least 0.
    amortisation_gap : float or None
        ``KL(recognition) - KL(best)``, nats, at least 0; None without a recognition network.

    Examples
    --------
    >>> import lrbn_viz
    >>> found = lrbn_viz.ladder(lrbn_viz.pretrained("lrbn-2-alarm"), [1, 1])
    >>> abs(found.rungs["factorised"].kl - found.approximation_gap - found.explaining_away) < 1e-9
    True
    """

    posterior: ExactPosterior
    rungs: dict[str, Approximation]

    def __repr__(self) -> str:
        ascending = sorted(self.rungs.items(), key=lambda rung: rung[1].kl)
        return f"<Ladder, KL in nats: {', '.join(f'{name} {rung.kl:.3f}' for name, rung in ascending)}>"

    @property
    def approximation_gap(self) -> float:
        """``KL(best)``, nats."""
        return self.rungs["best"].kl

    @property
    def explaining_away(self) -> float:
        """``KL(factorised) - KL(best)``, nats."""
        return self.rungs["factorised"].kl - self.approximation_gap

    @property
    def amortisation_gap(self) -> float | None:
        """``KL(recognition) - KL(best)``, nats; None without a recognition network."""
        guess = self.rungs.get(RECOGNITION)
        return None if guess is None else guess.kl - self.approximation_gap


def ladder(model: Model, x: ArrayLike, *, posterior: ExactPosterior | None = None) -> Ladder:
    """Return the ladder of an image.

    Parameters
    ----------
    model : Model
        An LRBN of one layer or a sigmoid belief network, of at most 20 latents.
    x : (n_v,) array
    posterior : ExactPosterior, optional
        ``exact_posterior(model, x)``, where it is already known.

    Raises
    ------
    NotOffered
        The model has no weights that an RBM could have, or is an RBM.
    ValueError
        It has more than 20 latents, or x does not fit it.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-2-alarm")
    >>> x = [1, 1]  # the alarm, and the report of an earthquake
    >>> found = lrbn_viz.ladder(model, x)
    >>> found.explaining_away > 0 and found.approximation_gap > 0
    True
    """
    if not model.has_rbm_parameters:
        model.refuse("ladder of approximations", "that takes W, b and d of a single directed layer")
    if posterior is None:
        posterior = exact_posterior(model, x)
    image = model.check_image(x)
    W, _, d = model.layers[0]
    means = {"factorised": apart(W, d, image), "feed_forward": feed_forward(posterior)}
    if RECOGNITION in model.trace_methods and unknown_in(image) is None:
        trace = model.trace(x, RECOGNITION)
        means[RECOGNITION] = trace.latents(trace.n_visits)
        means["recognition_mean_field"] = swept(posterior, means[RECOGNITION], MEAN_FIELD_SWEEPS)
    even = np.full(len(d), 0.5)
    means |= {f"mean_field_{n}": swept(posterior, even, n) for n in SWEEPS}
    means["marginals"] = posterior.marginals
    rungs = {name: independent(posterior, on) for name, on in means.items()}
    states = {"map": posterior.map_state}
    if "icm" in model.methods:
        states["icm"] = model.infer(image[None], method="icm")[0][0]
    rungs |= {name: point_mass(posterior, h) for name, h in states.items()}
    # From every rung, so that none is below the best.
    begins = [*means.values(), *states.values()]
    ends = [independent(posterior, mean_field(posterior, q, tolerance=START_TOLERANCE)) for q in begins]
    nearest = min([*ends, *rungs.values()], key=lambda q: q.kl)
    polished = independent(posterior, mean_field(posterior, nearest.marginals))
    rungs["best"] = min(nearest, polished, key=lambda q: q.kl)
    return Ladder(posterior, rungs)


def swept(posterior: ExactPosterior, start: ArrayLike, n_sweeps: int) -> NDArray[np.float64]:
    """Return the means (n_h,) after so many sweeps of mean field, units in order, as lanes visit them.

    Parameters
    ----------
    start : (n_h,) array
        Means before the first.
    n_sweeps : int
    """
    return mean_field(
        posterior,
        start,
        max_sweeps=check_integer(n_sweeps, "n_sweeps", 1),
        tolerance=0.0,
        first_to_last=True,
    )


class Distances(NamedTuple):
    """Distances of the states or means of a trace from the posterior, from the start on.

    Attributes
    ----------
    kl : (n_visits + 1,) float64
        ``KL(q || P(h | x))`` after k visits, nats, at least 0. A state counts as a distribution with all its
        mass on it.
    total_variation : (n_visits + 1,) float64
        Total variation distance, between 0 and 1.
    """

    kl: NDArray[np.float64]
    total_variation: NDArray[np.float64]


def distances(posterior: ExactPosterior, trace: Trace) -> Distances:
    """Return the distance of each moment of a trace from the exact posterior of its image.

    Parameters
    ----------
    posterior : ExactPosterior
        Posterior of the trace's model and image.
    trace : Trace
        Of states, of means of independent latents, or of particles. For particles the measured distribution
        has each one's share of the weight on its state; it is not the product of the means.

    Raises
    ------
    ValueError
        The trace has another number of latents.
    """
    n_h = len(posterior.map_state)
    if trace.n_h != n_h:
        raise ValueError(f"expected a trace of {n_h} latents, as the posterior has; got {trace.n_h}.")
    if isinstance(trace, ParticleTrace):
        return _particle_distances(posterior, trace)
    trace = visits_of(trace)
    log_joints, found = posterior.log_joints, np.empty((2, trace.n_visits + 1))
    if trace.means:
        on, after = trace.h0.astype(np.float64), trace.after.astype(np.float64)
        q, p = np.empty(len(log_joints)), posterior.probabilities
        distances_of_means(log_joints, posterior.log_evidence, p, on, trace.unit, after, q, *found)
    else:
        at = trace.unit, trace.after, _code(trace.h0)
        distances_of_states(log_joints, posterior.log_evidence, *at, *found)
    return Distances(*found)


def _particle_distances(posterior: ExactPosterior, trace: ParticleTrace) -> Distances:
    """Return how far the weighted particles themselves are, which are on a few of all states."""
    powers = 1 << np.arange(trace.n_h, dtype=np.int64)
    codes, place = np.unique(trace.particles.astype(np.int64) @ powers, return_inverse=True)
    shares, found = np.append(1.0, trace.shares_of_latest()), np.empty((2, trace.n_visits + 1))
    at = codes, place.reshape(-1), shares, np.empty(len(codes))
    distances_of_particles(posterior.log_joints, posterior.log_evidence, *at, *found)
    return Distances(*found)


def _code(state: NDArray) -> int:
    """Return the place of a state (n_h,) among all."""
    return int(state.astype(np.int64) @ (1 << np.arange(len(state), dtype=np.int64)))
