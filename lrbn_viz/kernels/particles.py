"""Importance-weighted particles: their draws, and what their weights give one after another."""

from __future__ import annotations

import math

from numba import njit

from lrbn_viz.kernels.numerics import INLINED, KERNEL, activate_image, scalar_sigmoid, scalar_softplus


@njit(**KERNEL)
def draw_layer(V, c, below, held, u, z, p, H, log_q):
    """Draw the latents of one layer of each particle from q(h | below), and add ``log q`` to `log_q`.

    Parameters
    ----------
    V : (n_v, n_h) float64
    c : (n_h,) float64
    below : (n or 1, n_v) uint8
        States of the units below; one row if all particles have them in common.
    held : (n_h,) float64
        Log-odds of latents that are held, nats; NaN for the others.
    u : (n, n_h) float64
        Uniform numbers in [0, 1): a latent is on where its number is below its probability.
    z, p : (n_h,) float64
        Overwritten.
    H : (n, n_h) uint8
        Filled.
    log_q : (n,) float64
        Nats. Modified.
    """
    normaliser = 0.0
    for k in range(len(H)):
        if k == 0 or len(below) > 1:
            activate_image(V, c, below[k], z)
            normaliser = 0.0
            for j in range(len(z)):
                if not math.isnan(held[j]):
                    z[j] = held[j]
                p[j] = scalar_sigmoid(z[j])
                normaliser += scalar_softplus(z[j])
        said = 0.0
        for j in range(len(z)):
            H[k, j] = u[k, j] < p[j]
            if H[k, j]:
                said += z[j]
        log_q[k] += said - normaliser


@njit(**KERNEL)
def weigh_along(log_weights, estimates, shares):
    """Fill what particles give one after another: estimates of log P(x), and each one's share at its visit.

    Parameters
    ----------
    log_weights : (n,) float64
        ``log w_k``, nats.
    estimates : (n,) float64
        ``log (1/k) sum_{l <= k} w_l``, nats.
    shares : (n,) float64
        ``w_k / sum_{l <= k} w_l``.
    """
    total = log_weights[0]
    for k in range(len(shares)):
        log_weight = log_weights[k]
        if k > 0:
            total = max(total, log_weight) + math.log1p(math.exp(-abs(total - log_weight)))
        estimates[k] = total - math.log(k + 1.0)
        shares[k] = math.exp(log_weight - total)


@njit(**INLINED)
def moved_mean(before: float, share: float, state: float) -> float:
    """Return a latent's weighted mean when a particle joins whose share of all weights is `share`."""
    return before + share * (state - before)


@njit(**INLINED)
def joined_squares(before: float, share: float) -> float:
    """Return the sum of all particles' squared shares when one joins whose share is `share`."""
    return before * (1.0 - share) ** 2 + share**2


@njit(**KERNEL)
def sizes_along(shares, sizes):
    """Fill the effective sample sizes ``(sum_l w_l)**2 / sum_l w_l**2``, of the first particle and after each
    visit; arrays (n,) float64.
    """
    squares = 0.0
    for k in range(len(shares)):
        squares = joined_squares(squares, shares[k])
        sizes[k] = 1.0 / squares


@njit(**KERNEL)
def means_along(H, shares, means):
    """Fill the weighted means of the latents, of the first particle and after each visit.

    Parameters
    ----------
    H : (n, n_h) uint8
        The particles.
    shares : (n,) float64
        As :func:`weigh_along` gives them.
    means : (n, n_h) float64
    """
    for k in range(len(H)):
        for j in range(H.shape[1]):
            before = means[k - 1, j] if k > 0 else 0.0
            means[k, j] = moved_mean(before, shares[k], float(H[k, j]))
