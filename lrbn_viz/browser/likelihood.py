"""Estimates of log P(x) on one thread and in place, as browsers make them.

They are those of :mod:`lrbn_viz.lrbn.ais` and :mod:`lrbn_viz.rivals.rbm.partition`, a temperature at a time.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.browser.lrbn import infer_images
from lrbn_viz.kernels.numerics import INLINED, KERNEL, SUMS, scalar_sigmoid, scalar_softplus
from lrbn_viz.lrbn.ais import weigh_images

Rows = NDArray[np.float64]
Bits = NDArray[np.uint8]

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_MULTIPLIER = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
_TURN, _WIDTH, _UNUSED = np.uint64(58), np.uint64(63), np.uint64(11)
_ZERO = np.uint64(0)


# -- random numbers


@njit(**INLINED)
def _high_product(a, b):
    """Return the upper 64 bits of the product of two numbers of 64 bits."""
    a_low, a_high, b_low, b_high = a & _LOW, a >> _HALF, b & _LOW, b >> _HALF
    middle = a_high * b_low + ((a_low * b_low) >> _HALF)
    return a_high * b_high + (middle >> _HALF) + ((a_low * b_high + (middle & _LOW)) >> _HALF)


@njit(**KERNEL)
def draw_uniforms(generator, out):
    """Fill `out` with numbers in [0, 1), as ``random`` of NumPy's default generator does (PCG64).

    Modified in place, too: `generator` (4,) uint64, the upper and lower half of its state and its increment.
    """
    high, low, increment_high, increment_low = generator
    for m in range(out.shape[0]):
        for k in range(out.shape[1]):
            product = low * _MULTIPLIER[1]
            high = high * _MULTIPLIER[1] + low * _MULTIPLIER[0] + _high_product(low, _MULTIPLIER[1])
            low = product + increment_low
            high += increment_high + (np.uint64(1) if low < product else _ZERO)
            turn, value = high >> _TURN, high ^ low
            turned = (value >> turn) | (value << ((_ZERO - turn) & _WIDTH))
            out[m, k] = float(turned >> _UNUSED) * 2.0**-53
    generator[0], generator[1] = high, low


# -- statistics


@njit(**KERNEL)
def summarise(values: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    """Fill `found` (2,) with the mean of values and its standard error, as of
    :class:`lrbn_viz.measure.likelihood.LogLikelihood`.
    """
    n, squares = len(values), 0.0
    found[0] = found[1] = 0.0
    for value in values:
        found[0] += value / n
    for value in values:
        squares += (value - found[0]) ** 2
    if n > 1:
        found[1] = math.sqrt(squares / (n - 1) / n)


@njit(**KERNEL)
def mean_weight(log_weights: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    """Fill `found` (2,) with the logarithm of the mean weight, nats, and the standard error of this
    logarithm by the delta method.
    """
    top, shares = log_weights.max(), np.empty(len(log_weights))
    for k in range(len(shares)):
        shares[k] = math.exp(log_weights[k] - top)
    summarise(shares, found)
    found[1] /= found[0]
    found[0] = top + math.log(found[0])


@njit(**KERNEL)
def fill_betas(power: int, betas: NDArray[np.float64]) -> None:
    """Fill `betas` (n + 1,) with numbers that rise from 0 to 1, this power of equal steps."""
    n = len(betas) - 1
    for t in range(n + 1):
        betas[t] = 1.0
        for _ in range(power):
            betas[t] *= t / n


# -- directed models


@njit(**KERNEL)
def place_chains(params, state, evidence, base):
    """Fill what of the lowest layer's evidence (n, n_h) and of log P(x | h) at h = 0 (n,), but for terms of
    normalisers, the image alone decides.

    `state` is that of an image in each row, as it is placed with the layer's own prior.
    """
    n, n_h = evidence.shape
    normaliser = 0.0
    for j in range(n_h):
        normaliser += scalar_softplus(params.d[j])
    for m in range(n):
        base[m] = state.base[m] + normaliser
        for j in range(n_h):
            evidence[m, j] = state.evidence[m, j] - params.d[j]


@njit(**KERNEL)
def weigh_chains(params, state, evidence, base, fresh, share, likelihood, total):
    """Add a temperature's share of ``log P(x | h)`` to the log weight of each chain.

    Modified in place: `state` if it is `fresh`, no sweep having been made yet, `likelihood` (n,) and `total`
    (n,).
    """
    weigh_images(params, state, evidence, base, fresh, likelihood)
    for m in range(len(total)):
        total[m] += share * likelihood[m]


@njit(**KERNEL)
def move_chains(params, state, evidence, prior, beta, visits, flips, converged):
    """Make a sweep over the lowest layer's latents with the likelihood to the power of `beta`.

    `prior` (n, n_h), or (1, n_h) where it is the same for all, are log-odds. Others are as of
    :func:`~lrbn_viz.browser.lrbn.infer_images`.
    """
    n, n_h = evidence.shape
    temperature = 1.0 / beta
    for m in range(n):
        visits[m] = flips[m] = 0
        for j in range(n_h):
            state.evidence[m, j] = evidence[m, j] + prior[m % len(prior), j] * temperature
    temperatures = np.empty(1)
    temperatures[0] = temperature
    infer_images(params, state, temperatures, 0, visits, flips, converged)


# -- restricted Boltzmann machines


@njit(**SUMS)
def _add_row(row, total):
    for k in range(np.uintp(len(total))):
        total[k] += row[k]


@njit(**KERNEL)
def fill_fields(weights: Rows, offsets: NDArray[np.float64], states: Bits, fields: Rows) -> None:
    """Fill `fields` with the offsets and the sum of the rows of weights of units that are on; (n, m)."""
    for m in range(len(fields)):
        for k in range(len(offsets)):
            fields[m, k] = offsets[k]
        for i in range(states.shape[1]):
            if states[m, i] != 0:
                _add_row(weights[i], fields[m])


@njit(**KERNEL)
def fill_free_energies(b: NDArray[np.float64], X: Bits, fields: Rows, totals: NDArray[np.float64]) -> None:
    """Fill `totals` (n,) with ``log P(x) + log Z`` of images, given `fields` (n, n_h) of their latents."""
    for m in range(len(totals)):
        totals[m] = 0.0
        for i in range(len(b)):
            totals[m] += b[i] if X[m, i] != 0 else 0.0
        for j in range(fields.shape[1]):
            totals[m] += scalar_softplus(fields[m, j])


@njit(**KERNEL)
def fill_offsets(states: Bits, offsets: NDArray[np.float64]) -> None:
    """Fill `offsets` with the log-odds of the means of states (n, m), one more of each added."""
    n = len(states)
    for k in range(len(offsets)):
        on = 1.0
        for m in range(n):
            on += states[m, k]
        offsets[k] = math.log(on / (n + 2.0 - on))


@njit(**KERNEL)
def begin_machines(b, d, uniforms, X, total):
    """Draw independent visible units with offsets `b`, and fill `total` (n,) with log Z of these and latents
    with offsets `d`.
    """
    log_z = 0.0
    for j in range(len(d)):
        log_z += scalar_softplus(d[j])
    for i in range(len(b)):
        log_z += scalar_softplus(b[i])
    for m in range(len(X)):
        total[m] = log_z
        for i in range(len(b)):
            X[m, i] = uniforms[m, i] < scalar_sigmoid(b[i])


@njit(**KERNEL)
def weigh_machines(b, start_b, start_d, before, beta, X, fields, total):
    """Add the log of the ratio of unnormalised P(x) at two temperatures to the log weight of each chain.

    `fields` (n, n_h) are those of the RBM at X; `total` (n,) is modified in place.
    """
    for m in range(len(X)):
        change = 0.0
        for i in range(len(b)):
            change += (beta - before) * (b[i] - start_b[i]) if X[m, i] != 0 else 0.0
        for j in range(fields.shape[1]):
            change += scalar_softplus((1.0 - beta) * start_d[j] + beta * fields[m, j])
            change -= scalar_softplus((1.0 - before) * start_d[j] + before * fields[m, j])
        total[m] += change


@njit(**KERNEL)
def draw_latents(start_d, beta, fields, uniforms, H):
    """Draw latents at `beta`, given the fields that the RBM has."""
    for m in range(H.shape[0]):
        for j in range(H.shape[1]):
            z = (1.0 - beta) * start_d[j] + beta * fields[m, j]
            H[m, j] = uniforms[m, j] < scalar_sigmoid(z)


@njit(**KERNEL)
def draw_visibles(b, start_b, beta, sums, uniforms, X):
    """Draw visible units at `beta`, given the sums (n, n_v) of the weights of latents that are on."""
    for m in range(X.shape[0]):
        for i in range(X.shape[1]):
            a = beta * sums[m, i] + (1.0 - beta) * start_b[i] + beta * b[i]
            X[m, i] = uniforms[m, i] < scalar_sigmoid(a)
