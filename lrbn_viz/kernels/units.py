"""Visible units number by number: :mod:`lrbn_viz.core.units` says what each kind is.

Kernels call these functions, and the player's JavaScript is translated from them
(:mod:`lrbn_viz.browser.script`): they contain conditions, arithmetic and mathematics of numbers, and nothing
else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from numba import njit

from lrbn_viz.kernels.numerics import INLINED, KERNEL, scalar_sigmoid, scalar_softplus

KINDS: Mapping[str, int] = {"bernoulli": 0, "gaussian": 1, "noisy-or": 2}
"""Numbers by which kernels know the kinds of visible units."""


@njit(**INLINED)
def mean_of(kind: int, a: float) -> float:
    """Return the mean of a unit of activation `a`: a probability of binary ones."""
    if kind == 0:
        return scalar_sigmoid(a)
    return a if kind == 1 else 1.0 - math.exp(-a)


@njit(**INLINED)
def log_on(a: float) -> float:
    """Return ``log(1 - exp(-a))``, of a noisy-or unit log P(x = 1)."""
    return math.log(-math.expm1(-a))


@njit(**INLINED)
def raised_by(kind: int, a: float, w: float) -> float:
    """Return by how much a latent of weight `w` raises the unit's log normaliser, nats."""
    if kind == 0:
        return scalar_softplus(a + w) - scalar_softplus(a)
    return w * a + 0.5 * w**2 if kind == 1 else w


@njit(**INLINED)
def by_others(kind: int, x: float, a: float, w: float) -> float:
    """Return the part of a latent's log-odds that depends on the others, up to what x and w give, nats.

    `a` is the activation without the latent.
    """
    if kind == 0:
        return scalar_softplus(a) - scalar_softplus(a + w)
    if kind == 1:
        return -w * a
    return w + log_on(a + w) - log_on(a) if x > 0.5 else 0.0


@njit(**INLINED)
def evidence_of(kind: int, x: float, b: float, w: float) -> float:
    """Return what the unit says for a latent with all other latents off, nats."""
    if kind == 0:
        return w * x
    return w * (x - b) if kind == 1 else by_others(kind, x, b, w)


@njit(**INLINED)
def alone_of(kind: int, b: float, w: float) -> float:
    """Return the log-odds of a latent by way of the unit, were it silent and all others off, nats."""
    if kind == 0:
        return by_others(kind, 0.0, b, w)
    return -0.5 * w**2 if kind == 1 else -w


@njit(**INLINED)
def share_on(kind: int, x: float, a: float) -> float:
    """Return s of ``log(1 - s + s f)``, by which a flip changes a binary unit's log-likelihood but for what
    x gives.

    The flip changes the activation `a` by c; f is ``exp(c)``, of noisy-or units ``exp(-c)``.
    """
    if kind == 0:
        return scalar_sigmoid(a)
    return -1.0 / math.expm1(a) if x > 0.5 else 0.0


@njit(**INLINED)
def share_off(kind: int, x: float, a: float) -> float:
    """Return ``1 - s`` of :func:`share_on`, without its rounding error where s is near 1."""
    if kind == 0:
        return scalar_sigmoid(-a)
    return -1.0 / math.expm1(-a) if x > 0.5 else 1.0


@njit(**KERNEL)
def fill_terms(kind, w, b, x, a, evidence, alone, others):
    """Fill the terms of a latent's log-odds, unit by unit; nats, each (n_v,) float64.

    Parameters
    ----------
    kind : int
        Of the visible units, as :data:`KINDS` numbers them.
    w, b, x : (n_v,) float64
        The latent's weights, the offsets, and the image; a unit of NaN is not known, and adds nothing.
    a : (n_v,) float64
        Activations without the latent.
    evidence, alone, others : (n_v,) float64
        As of :class:`~lrbn_viz.core.posterior.LogOddsTerms`.
    """
    for i in range(len(w)):
        evidence[i] = alone[i] = others[i] = 0.0
        if not math.isnan(x[i]):
            evidence[i] = evidence_of(kind, x[i], b[i], w[i])
            alone[i] = alone_of(kind, b[i], w[i])
            others[i] = by_others(kind, x[i], a[i], w[i]) - by_others(kind, x[i], b[i], w[i])
