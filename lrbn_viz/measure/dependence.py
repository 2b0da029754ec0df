"""Dependence of the latents of an image on each other under the posterior: 0 if it factorises."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr, expit

from lrbn_viz.core.model import Model
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE
from lrbn_viz.core.trace import visits_of
from lrbn_viz.core.validation import check_integer, generator, unknown_in

MAX_EXACT_POSTERIOR = MAX_EXACT_INTERACTIVE
"""Latents up to which the posterior is enumerated: 65,536 states, some tenths of a second an image."""


@dataclass(frozen=True, eq=False)
class PosteriorDependence:
    """Information about one latent of an image in all its other latents.

    Attributes
    ----------
    information : (n,) float64
        Mutual information ``I(h_j ; h_-j | x)`` of a latent and all others, given the image: the mean over
        the latents, nats. 0 where they are independent, as under any factorised q.
    entropy : (n,) float64
        Entropy of a latent given the image alone, ``H(h_j | x)``: the mean over the latents, nats.
    exact : bool
        True for the whole posterior, or a closed form; False for Gibbs samples.
    settings : dict
        Settings of the chain: sweeps, those discarded at its start, and the seed.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, X = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[:5]
    >>> found = lrbn_viz.measure.posterior_dependence(model, X)
    >>> found.exact, bool((found.information <= found.entropy).all())
    (True, True)
    """

    information: NDArray[np.float64]
    entropy: NDArray[np.float64]
    exact: bool
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Mean of the information over the images, nats."""
        return float(self.information.mean())

    @property
    def standard_error(self) -> float:
        """Standard error of `mean`, of the images' own spread; 0 for a single image."""
        n = len(self.information)
        return float(self.information.std(ddof=1) / np.sqrt(n)) if n > 1 else 0.0

    @property
    def share(self) -> float:
        """Share of the latents' uncertainty that goes when all others are known, of all images together."""
        total = float(self.entropy.sum())
        return float(self.information.sum()) / total if total > 0 else 0.0


def posterior_dependence(
    model: Model, X: ArrayLike, *, n_sweeps: int = 300, n_burn_in: int = 50, random_state: Any = 0
) -> PosteriorDependence:
    """Measure how much the latents of each image depend on each other under the model's own posterior.

    For every latent this is ``H(h_j | x) - H(h_j | h_-j, x)``: the decrease of its entropy, in nats, once all
    others are known. Latents that a model sums out, such as the upper ones of a deep belief network, are not
    included. Up to `MAX_EXACT_POSTERIOR` latents all states are enumerated. For more, a Gibbs chain gives the
    conditionals ``P(h_j = 1 | x, h_-j)`` at its visits, whose mean is ``P(h_j = 1 | x)``. A chain that stays
    in one mode of the posterior misses what the modes tell of each other: then the figure is too small.

    Parameters
    ----------
    model : Model
    X : (n, n_v) array
    n_sweeps : int
        Sweeps of the chain that count, for each image.
    n_burn_in : int
        Sweeps before these.
    random_state : int, Generator or None
        Seed of the chains.

    Raises
    ------
    NotOffered
        The model has too many latents to enumerate, is not factorised, and has no Gibbs sampling.
    ValueError
        An image does not fit the model, or a setting is out of range.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("digits").test_X[:5]
    >>> for name in ("rbm-16-digits", "lrbn-12-digits"):  # an RBM's are independent given the image
    ...     found = lrbn_viz.measure.posterior_dependence(lrbn_viz.pretrained(name), X)
    ...     print(name, bool(found.information.max() > 1e-9))
    rbm-16-digits False
    lrbn-12-digits True
    """
    check_integer(n_sweeps, "n_sweeps", 1)
    check_integer(n_burn_in, "n_burn_in", 0)
    images, rng = model.check_images(X), generator(random_state)
    settings: dict[str, Any] = {}
    if model.factorised and unknown_in(images) is None:
        found, exact = [_of_independent(model, x) for x in images], True
    elif model.n_latents_ <= MAX_EXACT_POSTERIOR:
        found, exact = [_of_all_states(model.exact_posterior(x).log_joints) for x in images], True
    elif "gibbs" in model.trace_methods:
        found, exact = [_of_a_chain(model, x, n_sweeps, n_burn_in, rng) for x in images], False
        settings = {"n_sweeps": n_sweeps, "n_burn_in": n_burn_in}
    else:
        odds = model.posterior_log_odds(images, n_burn_in + n_sweeps, rng)[n_burn_in:]
        found, exact = [_of_visits(odds[:, row]) for row in range(len(images))], False
        settings = {"n_sweeps": n_sweeps, "n_burn_in": n_burn_in}
    information, entropy = np.array(found, np.float64).reshape(-1, 2).T
    return PosteriorDependence(information, entropy, exact, settings)


def binary_entropy(p: NDArray[np.float64], not_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy of a binary variable, nats, from P(1) and P(0): both, since 1 - p loses digits."""
    return entr(p) + entr(not_p)


def _of_independent(model: Model, x: NDArray) -> tuple[float, float]:
    """Return information and entropy of latents that are independent given the image."""
    none = tuple(np.zeros((1, n), np.uint8) for n in model.layer_sizes_)
    odds = np.hstack(model.conditional_log_odds(x[None], none))[0]
    return 0.0, float(binary_entropy(expit(odds), expit(-odds)).mean())


def _of_all_states(log_joints: NDArray[np.float64]) -> tuple[float, float]:
    """Return information and entropy, means over the latents, from ``log P(x, h)`` of every state."""
    weights = np.exp(log_joints - log_joints.max())
    weights /= weights.sum()
    n = len(log_joints).bit_length() - 1
    entropies, left = np.empty(n), np.empty(n)
    for j in range(n):
        table, pairs = weights.reshape(-1, 2, 2**j), log_joints.reshape(-1, 2, 2**j)  # bit j is h_j
        odds = pairs[:, 1] - pairs[:, 0]
        p, not_p = table[:, 1].sum(), table[:, 0].sum()
        entropies[j] = binary_entropy(p, not_p)
        left[j] = (table.sum(axis=1) * binary_entropy(expit(odds), expit(-odds))).sum()
    # of an independent latent rounding may leave -1e-17
    return float(np.maximum(entropies - left, 0.0).mean()), float(entropies.mean())


def _of_a_chain(
    model: Model, x: NDArray, n_sweeps: int, n_burn_in: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the same from the conditionals at a Gibbs chain's visits."""
    how = {**model.trace_methods["gibbs"].arguments, "max_sweeps": n_burn_in + n_sweeps}
    trace = visits_of(model.map_trace(x, **how, random_state=rng))
    late = trace.sweep >= n_burn_in
    unit, odds, n = trace.unit[late], trace.log_odds[late], model.n_latents_
    visits = np.bincount(unit, minlength=n)

    def mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(unit, values, n) / np.maximum(visits, 1)

    q, not_q = expit(odds), expit(-odds)
    return _of_means(mean(q), mean(not_q), mean(binary_entropy(q, not_q)))


def _of_visits(odds: NDArray[np.float64]) -> tuple[float, float]:
    """Return the same from the log-odds of each latent at each sweep of a chain; (n_sweeps, n_h)."""
    q, not_q = expit(odds), expit(-odds)
    return _of_means(q.mean(axis=0), not_q.mean(axis=0), binary_entropy(q, not_q).mean(axis=0))


def _of_means(
    p: NDArray[np.float64], not_p: NDArray[np.float64], left: NDArray[np.float64]
) -> tuple[float, float]:
    """Return the same from P(1) and P(0) of each latent, and its mean entropy given all others; (n_h,)."""
    entropies = binary_entropy(p, not_p)
    return float(np.maximum(entropies - left, 0.0).mean()), float(entropies.mean())
