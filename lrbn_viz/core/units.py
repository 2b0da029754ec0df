"""Kinds of visible units: the distribution of x given the latents, by way of the activations ``a = W h + b``.

Visible units are independent given the latents, and each belongs to an exponential family,

    log P(x_i | h) = x_i eta(a_i) - A(a_i) + c(x_i),

with the natural parameter eta and the log normaliser A as functions of its activation. So the latent j with
weight w adds to its own log-odds, by way of a unit whose activation without it is a,

    x (eta(a + w) - eta(a)) - (A(a + w) - A(a)).

:class:`VisibleUnits` splits this into three terms: what the unit says for the latent with all others off
(evidence), the latent's threshold (alone), and the rest, which depends on the others that are on. The terms
of one decision are :mod:`lrbn_viz.kernels.units`', from which those of the player are translated. A unit
whose x is not known, NaN, adds nothing: it drops out of ``log P(x, h)``. Facts that both languages read are
in ``io/constants.json``.

References
----------
J. Pearl (1988). Probabilistic Reasoning in Intelligent Systems. Morgan Kaufmann. Noisy-or units.

M. A. Shwe et al. (1991). Probabilistic diagnosis using a reformulation of the INTERNIST-1/QMR knowledge base.
Methods of Information in Medicine 30, 241-255.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.posterior import LogOddsTerms
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.io.constants import VISIBLE_UNITS

LOG_2PI = float(np.log(2 * np.pi))


def _sigmoid(a: NDArray) -> NDArray:
    from lrbn_viz.kernels.numerics import sigmoid  # not at the top: traces are read without numba

    return sigmoid(a)


def _softplus(a: NDArray) -> NDArray:
    from lrbn_viz.kernels.numerics import softplus  # as above

    return softplus(a)


def _of_known(X: NDArray, terms: NDArray) -> NDArray:
    """Return terms of units, 0 of those that are not known in `X`; of one shape."""
    unknown = unknown_in(X)
    return terms if unknown is None else np.where(unknown, 0.0, terms)


def _n_known(X: NDArray) -> int | NDArray[np.int64]:
    """Return the number of known units of each image; (n,), or one number if all are known."""
    unknown = unknown_in(X)
    return X.shape[1] if unknown is None else (~unknown).sum(axis=1)


class VisibleUnits(ABC):
    """A kind of visible units. Arrays of activations a, weights w and pixels x have any shapes that fit.

    Attributes
    ----------
    name : str
        Key in `UNITS`.
    binary : bool
        True if x is 0 or 1; otherwise x is real.
    threshold : float
        Activation above which 1 is more probable than 0; 0 for real x.
    in_browser : bool
        True if the engine of live pages infers the latents of such units.
    canonical : bool
        True if eta(a) is a, so that the evidence does not depend on the other latents.
    """

    canonical: bool = True

    def __init__(self, name: str) -> None:
        facts = VISIBLE_UNITS[name]
        self.name = name
        self.binary: bool = facts["binary"]
        self.threshold: float = facts["threshold"]
        self.in_browser: bool = facts["in_browser"]

    @abstractmethod
    def mean(self, a: NDArray) -> NDArray:
        """Return the mean of x: a probability for binary units."""

    def natural(self, a: NDArray) -> NDArray:
        """Return the natural parameter eta(a)."""
        return a

    @abstractmethod
    def log_normaliser(self, a: NDArray) -> NDArray:
        """Return A(a)."""

    def log_base(self, X: NDArray) -> NDArray:
        """Return the sum of c(x_i) over the known units of each image, nats; (n,) of images (n, n_v)."""
        return np.zeros(len(X))

    @abstractmethod
    def log_likelihood(self, X: NDArray, a: NDArray) -> NDArray[np.float64]:
        """Return ``log P(x | h)`` of each row of activations, nats; (n,) of X and a (n, n_v).

        Of an image of which not all is known: of what is.
        """

    @abstractmethod
    def log_best(self, a: NDArray) -> NDArray:
        """Return ``max_x log P(x | h)``, nats, in the precision of `a`; (n,) of a (n, n_v)."""

    def most_probable(self, a: NDArray) -> NDArray:
        """Return ``argmax_x P(x | h)``: uint8 for binary units, else the mean."""
        return (a > self.threshold).astype(np.uint8) if self.binary else self.mean(a)

    def silent(self, b: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the image that is no evidence for any latent, (n_v,), given the offsets."""
        return np.zeros(len(b))

    def evidence(self, x: NDArray, b: NDArray, w: NDArray) -> NDArray:
        """Return what each unit says for a latent of weights w with all other latents off, nats."""
        return w * x

    @abstractmethod
    def alone(self, b: NDArray, w: NDArray) -> NDArray:
        """Return the log-odds of a latent by way of each silent unit with all others off, nats."""

    @abstractmethod
    def by_others(self, x: NDArray, a: NDArray, w: NDArray) -> NDArray:
        """Return the part of a latent's log-odds that depends on the others, up to what x and w give, nats.

        `a` are the activations without the latent. The others contribute ``by_others(x, a, w) - by_others(x,
        b, w)``.
        """

    def log_odds_terms(
        self, W: NDArray, b: NDArray, d: NDArray, x: NDArray, h: NDArray, j: int
    ) -> LogOddsTerms:
        """Return the terms of ``logit P(h_j = 1 | x, h_-j)`` of a layer of such parameters, nats."""
        from lrbn_viz.kernels.units import KINDS, fill_terms  # not at the top: traces are read without numba

        w, rest = W[:, j], np.array(h, np.float64)
        rest[j] = 0.0  # computed afresh, not by subtracting w again: with all others off it equals b exactly
        given = (np.array(values, np.float64) for values in (w, b, x, W @ rest + b))
        terms = np.empty((3, len(b)))
        fill_terms(KINDS[self.name], *given, *terms)
        return LogOddsTerms(float(d[j]), *terms)


class Bernoulli(VisibleUnits):
    """Binary units of log-odds a: ``P(x = 1) = 1 / (1 + exp(-a))``."""

    def mean(self, a: NDArray) -> NDArray:
        """Return ``1 / (1 + exp(-a))``."""
        return _sigmoid(a)

    def log_normaliser(self, a: NDArray) -> NDArray:
        """Return softplus(a)."""
        return _softplus(a)

    def log_likelihood(self, X: NDArray, a: NDArray) -> NDArray[np.float64]:
        """Return ``sum_i x_i a_i - softplus(a_i)``."""
        return _of_known(X, X * a - _softplus(a)).sum(axis=1)

    def log_best(self, a: NDArray) -> NDArray:
        """Return ``-sum_i softplus(-|a_i|)``."""
        return -_softplus(-np.abs(a)).sum(axis=-1)

    def alone(self, b: NDArray, w: NDArray) -> NDArray:
        """Return ``softplus(b) - softplus(b + w)``."""
        return self.by_others(b, b, w)

    def by_others(self, x: NDArray, a: NDArray, w: NDArray) -> NDArray:
        """Return ``softplus(a) - softplus(a + w)``, whatever x."""
        return _softplus(a) - _softplus(a + w)


class Gaussian(VisibleUnits):
    """Real units of mean a and variance 1."""

    def mean(self, a: NDArray) -> NDArray:
        """Return a."""
        return a

    def log_normaliser(self, a: NDArray) -> NDArray:
        """Return ``a**2 / 2``."""
        return 0.5 * np.square(a)

    def log_base(self, X: NDArray) -> NDArray:
        """Return ``-sum_i (x_i**2 + log 2 pi) / 2``."""
        return -0.5 * _of_known(X, np.square(X)).sum(axis=1) - 0.5 * _n_known(X) * LOG_2PI

    def log_likelihood(self, X: NDArray, a: NDArray) -> NDArray[np.float64]:
        """Return ``-sum_i ((x_i - a_i)**2 + log 2 pi) / 2``."""
        return -0.5 * _of_known(X, (X - a) ** 2).sum(axis=1) - 0.5 * _n_known(X) * LOG_2PI

    def log_best(self, a: NDArray) -> NDArray:
        """Return ``-n_v log(2 pi) / 2``, whatever the activations."""
        return np.full(a.shape[:-1], -0.5 * a.shape[-1] * LOG_2PI)

    def silent(self, b: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return b: evidence is measured from the offsets."""
        return b

    def evidence(self, x: NDArray, b: NDArray, w: NDArray) -> NDArray:
        """Return ``w (x - b)``."""
        return w * (x - b)

    def alone(self, b: NDArray, w: NDArray) -> NDArray:
        """Return ``-w**2 / 2``."""
        return -0.5 * w**2

    def by_others(self, x: NDArray, a: NDArray, w: NDArray) -> NDArray:
        """Return ``-w a``, whatever x."""
        return -w * a


class NoisyOr(VisibleUnits):
    """Binary units that each latent turns on independently: ``P(x = 1) = 1 - exp(-a)``.

    W is at or above 0 and b above 0. ``exp(-w)`` is the probability that a latent that is on fails to turn
    the unit on, and ``exp(-b)``, of the leak, that nothing else does. Units that are off say ``-w`` against
    each latent, whatever the others; only units that are on explain away.
    """

    canonical = False

    def mean(self, a: NDArray) -> NDArray:
        """Return ``1 - exp(-a)``."""
        return -np.expm1(-a)

    def natural(self, a: NDArray) -> NDArray:
        """Return ``log(exp(a) - 1)``, the log-odds of x = 1."""
        return a + np.log(-np.expm1(-a))

    def log_normaliser(self, a: NDArray) -> NDArray:
        """Return a: ``P(x = 0) = exp(-a)``."""
        return a

    def log_likelihood(self, X: NDArray, a: NDArray) -> NDArray[np.float64]:
        """Return the sum of ``log(1 - exp(-a_i))`` of units that are on, and of ``-a_i`` of the others."""
        return _of_known(X, np.where(X > 0.5, np.log(-np.expm1(-a)), -a)).sum(axis=1)

    def log_best(self, a: NDArray) -> NDArray:
        """Return ``sum_i max(log(1 - exp(-a_i)), -a_i)``."""
        return np.maximum(np.log(-np.expm1(-a)), -a).sum(axis=-1)

    def evidence(self, x: NDArray, b: NDArray, w: NDArray) -> NDArray:
        """Return ``x (eta(b + w) - eta(b))``."""
        return self.by_others(x, b, w)

    def alone(self, b: NDArray, w: NDArray) -> NDArray:
        """Return ``-w``."""
        return -w

    def by_others(self, x: NDArray, a: NDArray, w: NDArray) -> NDArray:
        """Return ``x (eta(a + w) - eta(a))``."""
        return x * (w + np.log(-np.expm1(-(a + w))) - np.log(-np.expm1(-a)))


UNITS: Mapping[str, VisibleUnits] = {
    kind.name: kind for kind in (Bernoulli("bernoulli"), Gaussian("gaussian"), NoisyOr("noisy-or"))
}
"""Kinds of visible units by name."""
