"""The divergence of an approximation q(h) from the exact posterior P(h | x), for small models.

Every approximation is expressed as its probabilities of all ``2**n_h`` states, so that the same formulas
measure all of them: the Kullback-Leibler divergence ``KL(q || p) = sum_h q(h) log (q(h) / P(h | x))`` in
nats, and the total variation ``sum_h |q(h) - P(h | x)| / 2`` between 0 and 1.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.model import Model, NotOffered
from lrbn_viz.core.posterior import ExactPosterior, moments
from lrbn_viz.core.trace import visits_of
from lrbn_viz.core.validation import check_integer, check_latent_batch, check_latents, check_numbers
from lrbn_viz.kernels.posterior import ascend, fill_feed_forward, fill_product, measure_distance, turn_round
from lrbn_viz.measure.explanation import exact_posterior

# the live page approximates alike, and reads it, too
_constants: dict[str, Any] = json.loads(
    Path(__file__).with_name("approximations.json").read_text(encoding="utf-8")
)
GIBBS_SAMPLES: int = _constants["gibbs"]["samples"]
"""States of a Gibbs chain by which a posterior is approximated."""
GIBBS_BURN_IN: int = _constants["gibbs"]["burn_in"]
"""Sweeps before them."""
SWEEPS: tuple[int, ...] = tuple(_constants["mean_field"]["sweeps"])
"""Numbers of sweeps after which mean field is evaluated."""
MEAN_FIELD_SWEEPS: int = _constants["mean_field"]["after_recognition"]
"""Sweeps of mean field after the recognition network's pass."""
MAX_SWEEPS: int = _constants["mean_field"]["max_sweeps"]
"""Largest number of sweeps of mean field."""
TOLERANCE: float = _constants["mean_field"]["tolerance"]
"""Change of a mean at which mean field has converged."""
START_TOLERANCE: float = _constants["mean_field"]["start_tolerance"]
"""The same for mean field from several starts, the best of which then converges to `TOLERANCE`."""


@dataclass(frozen=True, eq=False, repr=False)
class Approximation:
    """A distribution over latent states, and its distance from the posterior.

    Attributes
    ----------
    probabilities : (2**n_h,) float64
        q(h) of every state; bit j of the index is h_j.
    kl : float
        ``KL(q || p)``, nats, at least 0.
    total_variation : float
        Total variation distance, between 0 and 1.
    marginals : (n_h,) float64
        ``q(h_j = 1)``.
    covariance : (n_h, n_h) float64
        Of the latents under q; zero off the diagonal where q is a product.
    n_samples : int or None
        Number of samples, for an empirical distribution.

    Examples
    --------
    >>> import lrbn_viz
    >>> found = lrbn_viz.approximations(lrbn_viz.pretrained("lrbn-2-alarm"), [1, 1], [0, 1])
    >>> found["mean_field"].probabilities.shape, found["mean_field"].kl > 0
    ((4,), True)
    """

    probabilities: NDArray[np.float64]
    kl: float
    total_variation: float
    marginals: NDArray[np.float64]
    covariance: NDArray[np.float64]
    n_samples: int | None = None

    def __repr__(self) -> str:
        drawn = "" if self.n_samples is None else f" by {self.n_samples:,} samples"
        return (
            f"<Approximation of {len(self.probabilities):,} states{drawn}: KL {self.kl:.4f} nats, "
            f"total variation {self.total_variation:.4f}>"
        )


def approximations(
    model: Model,
    x: ArrayLike,
    h: ArrayLike,
    *,
    posterior: ExactPosterior | None = None,
    n_samples: int = GIBBS_SAMPLES,
    burn_in: int = GIBBS_BURN_IN,
    random_state: Any = 0,
) -> dict[str, Approximation]:
    """Return the usual approximations of P(h | x), each measured against the exact posterior.

    Parameters
    ----------
    model : Model
        A model with at most 20 latents.
    x : (n_v,) array
    h : (n_h,) array of 0 and 1
        The state on which the first approximation puts all its mass, such as ICM's optimum.
    posterior : ExactPosterior, optional
        ``exact_posterior(model, x)``, where it is already known.
    n_samples, burn_in : int
        Gibbs sweeps kept, and those before them.
    random_state : int, Generator or None
        Seed of the samples.

    Returns
    -------
    dict
        ``"state"``: all mass on `h`. ``"feed_forward"``: independent units, each with its conditional given
        that the others are off, as in a factorised model with these weights. ``"mean_field"``: the
        independent units that coordinate ascent finds. ``"marginals"``: independent units with the exact
        marginals, the product that is best under ``KL(p || q)``. ``"gibbs"``: the states of a Gibbs chain, if
        the model can be sampled so.

    Raises
    ------
    NotOffered
        When latents are independent given the image, as an RBM's are: its posterior is a product already.
    ValueError
        When the model has more than 20 latents, or x or h does not fit it.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-2-alarm")
    >>> x = [1, 1]  # the alarm, and the report of an earthquake
    >>> found = lrbn_viz.approximations(model, x, [0, 1])
    >>> found["mean_field"].kl < found["feed_forward"].kl
    True
    """
    if model.factorised:
        raise NotOffered(
            f"expected a model whose latents interact; got {type(model).__name__}, whose posterior is a "
            "product, and exact."
        )
    if posterior is None:
        posterior = exact_posterior(model, x)
    found = {
        "state": point_mass(posterior, h),
        "feed_forward": independent(posterior, feed_forward(posterior)),
        "mean_field": independent(posterior, mean_field(posterior)),
        "marginals": independent(posterior, posterior.marginals),
    }
    if "gibbs" in model.trace_methods:
        samples = gibbs_states(model, x, n_samples, burn_in, random_state)
        found["gibbs"] = empirical(posterior, samples)
    return found


def point_mass(posterior: ExactPosterior, h: ArrayLike) -> Approximation:
    """Measure the distribution with all its mass on the state `h` (n_h,).

    Its divergence is ``-log P(h | x)``, its total variation ``1 - P(h | x)``.
    """
    state = check_latents(h, posterior.map_state.shape)
    q = np.zeros(len(posterior.log_joints))
    q[_index(state[None])[0]] = 1.0
    return _measure(posterior, q)


def independent(posterior: ExactPosterior, on: ArrayLike) -> Approximation:
    """Measure a product of independent latents; `on` (n_h,) holds each one's probability of being on."""
    n_h = len(posterior.map_state)
    return _measure(posterior, _product(_check_probabilities(on, n_h)))


def empirical(posterior: ExactPosterior, H: ArrayLike) -> Approximation:
    """Measure the relative frequencies of sampled states, rows of `H` (n, n_h)."""
    n_h = len(posterior.map_state)
    states = check_latents(check_latent_batch(H, n_h), np.shape(H), "H")
    counts = np.bincount(_index(states), minlength=2**n_h)
    return _measure(posterior, counts / len(states), len(states))


def feed_forward(posterior: ExactPosterior) -> NDArray[np.float64]:
    """Return ``P(h_j = 1 | x, all others off)`` of every latent; shape (n_h,)."""
    on = np.empty(len(posterior.map_state))
    fill_feed_forward(posterior.log_joints, on)
    return on


def mean_field(
    posterior: ExactPosterior,
    start: ArrayLike | None = None,
    *,
    max_sweeps: int = MAX_SWEEPS,
    tolerance: float = TOLERANCE,
    first_to_last: bool = False,
) -> NDArray[np.float64]:
    """Return the independent latents at which no single one can lower ``KL(q || p)``; shape (n_h,).

    Coordinate ascent: each ``q_j`` in turn becomes the sigmoid of its log-odds expected under the others,
    which never raises the divergence, until none moves by more than `tolerance` or after `max_sweeps`.

    Parameters
    ----------
    start : (n_h,) array, optional
        Initial means. None: the best result from three starts: the feed-forward conditionals, even odds and
        the exact marginals.
    max_sweeps : int
    tolerance : float
    first_to_last : bool
        True: a sweep goes from latent 0 up, as lanes do; False: from the last one down.
    """
    n_h = len(posterior.map_state)
    if start is None:
        begins = (feed_forward(posterior), np.full(n_h, 0.5), posterior.marginals)
        ends = [mean_field(posterior, q, max_sweeps=max_sweeps, tolerance=START_TOLERANCE) for q in begins]
        start = min(ends, key=lambda q: independent(posterior, q).kl)
    q = _check_probabilities(start, n_h).copy()
    log_joints, scratch = posterior.log_joints, np.empty((2, 2**n_h))
    if first_to_last:  # with the latents numbered in reverse order
        q, turned = q[::-1].copy(), np.empty(len(log_joints))
        turn_round(log_joints, turned)
        log_joints = turned
    ascend(log_joints, q, check_integer(max_sweeps, "max_sweeps", 1), tolerance, *scratch)
    return q[::-1].copy() if first_to_last else q


def gibbs_states(
    model: Model,
    x: ArrayLike,
    n_samples: int = GIBBS_SAMPLES,
    burn_in: int = GIBBS_BURN_IN,
    random_state: Any = 0,
) -> NDArray[np.uint8]:
    """Return the states after each of `n_samples` sweeps of one Gibbs chain, after `burn_in` others.

    Neighbouring rows are correlated, as in every chain. Shape (n_samples, n_h).
    """
    check_integer(n_samples, "n_samples", 1)
    check_integer(burn_in, "burn_in", 0)
    how = {"temperature": 1.0, "max_sweeps": burn_in + n_samples, "order": "sequential"}
    chain = visits_of(model.map_trace(x, **how, random_state=random_state))
    # A sweep visits units 0 to n_h - 1, so what its visits leave is the state at its end.
    return chain.after.reshape(-1, chain.n_h)[burn_in:]


def _measure(
    posterior: ExactPosterior, q: NDArray[np.float64], n_samples: int | None = None
) -> Approximation:
    distance = np.empty(2)
    measure_distance(posterior.log_joints, posterior.log_evidence, posterior.probabilities, q, distance)
    kl, total_variation = distance.tolist()
    return Approximation(q, kl, total_variation, *moments(q), n_samples)


def _index(states: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the index of each row (n, n_h) among all states."""
    return states.astype(np.int64) @ (1 << np.arange(states.shape[1], dtype=np.int64))


def _product(on: NDArray[np.float64]) -> NDArray[np.float64]:
    q = np.empty(2 ** len(on))
    fill_product(on, q)
    return q


def _check_probabilities(on: ArrayLike, n_h: int) -> NDArray[np.float64]:
    array = check_numbers(on, "on").astype(np.float64)
    if array.shape != (n_h,) or not ((array >= 0) & (array <= 1)).all():
        raise ValueError(f"expected {n_h} probabilities, one per latent, got {on!r}.")
    return array
