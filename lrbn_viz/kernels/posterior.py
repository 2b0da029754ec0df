"""Distributions over all states of a few latents: their moments, products, and distances from a posterior.

Arrays over states have 2**n_h entries; bit j of an index is h_j. Kernels take scratch arrays from their
caller, as browsers run them, too.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from lrbn_viz.kernels.numerics import INLINED, INNER, KERNEL, SUMS, scalar_sigmoid, scalar_softplus
from lrbn_viz.kernels.simd.math import LOWEST, exp
from lrbn_viz.kernels.units import mean_of

TINY = 1e-300
"""In the place of a probability of 0 where its logarithm is multiplied by it."""


@njit(**SUMS)
def _exponentials(log_joints, top, p):
    """Fill `p` with ``exp(log_joints - top)``, and return the sum."""
    total = 0.0
    for s in range(np.uintp(len(p))):
        below = log_joints[s] - top
        p[s] = exp(below) if below > LOWEST else 0.0
        total += p[s]
    return total


@njit(**KERNEL)
def normalise(log_joints, top, p):
    """Fill `p` (2**n_h,) with ``P(h | x)`` of every state, and return ``log P(x)``, nats.

    Parameters
    ----------
    log_joints : (2**n_h,) float64
        ``log P(x, h)``, nats; minus infinity is impossible.
    top : float
        The largest of them.
    p : (2**n_h,) float64
    """
    total = _exponentials(log_joints, top, p)
    for s in range(np.uintp(len(p))):
        p[s] /= total
    return top + math.log(total)


@njit(**SUMS)
def _fold(part, half):
    """Sum the latent of the highest bit out of the first ``2 * half`` entries, and return P(it is on)."""
    on = 0.0
    for s in range(np.uintp(half)):
        on += part[half + s]
        part[s] += part[half + s]
    return on


@njit(**KERNEL)
def fill_moments(q, rest, part, marginals, covariance):
    """Fill the marginals (n_h,) and the covariance (n_h, n_h) of a distribution over all states.

    Parameters
    ----------
    q : (2**n_h,) float64
    rest, part : (2**n_h,), (2**n_h // 2,) float64
        Overwritten.
    """
    for s in range(len(q)):
        rest[s] = q[s]
    for j in range(len(marginals) - 1, -1, -1):
        # the latents above are summed out of `rest`, and here one after another those below
        half = 1 << j
        for s in range(np.uintp(half)):
            part[s] = rest[half + s]
        for k in range(j - 1, -1, -1):
            covariance[j, k] = min(_fold(part, 1 << k), 1.0)  # rounding may leave a sure unit 1e-16 above
        marginals[j] = min(_fold(rest, half), 1.0)
    for j in range(len(marginals)):
        covariance[j, j] = marginals[j] - marginals[j] * marginals[j]
        for k in range(j):
            covariance[j, k] -= marginals[j] * marginals[k]
            covariance[k, j] = covariance[j, k]


@njit(**KERNEL)
def fill_product(on, q):
    """Fill `q` (2**n_h,) with the probability of every state under independent latents, on with `on`
    (n_h,).
    """
    q[0] = 1.0
    for j in range(len(on)):  # latent j becomes bit j: the states so far without it, then with it
        half = 1 << j
        for s in range(half):
            q[half + s] = q[s] * on[j]
            q[s] *= 1.0 - on[j]


@njit(**KERNEL)
def fill_feed_forward(log_joints, on):
    """Fill `on` (n_h,) with ``P(h_j = 1 | x, all others off)`` of every latent."""
    for j in range(len(on)):
        on[j] = scalar_sigmoid(log_joints[1 << j] - log_joints[0])


@njit(**KERNEL)
def fill_apart(rows, d, x, on):
    """Fill `on` (n_h,) with ``sigmoid(d + W'x)``: each latent by itself, given the visible units that are
    known.

    Parameters
    ----------
    rows : (n_h, n_v) float64
        Rows ``w_j`` of weights.
    d : (n_h,) float64
    x : (n_v,) float64
        NaN is not known.
    """
    for j in range(len(on)):
        log_odds = d[j]
        for i in range(len(x)):
            if not math.isnan(x[i]):
                log_odds += rows[j, i] * x[i]
        on[j] = scalar_sigmoid(log_odds)


REFRESH = 256
"""Flips after which activations are summed anew, without the rounding errors of these."""


@njit(**INNER)
def follow_flips(rows, b, step, a):
    """Return the state at a step of the reflected Gray code, whose states differ by one flip each.

    Modified in place: `a`, from the activations of the state before to those of this one. Steps are taken one
    after another from 0 on; rows and b are as in :func:`expected_visibles`.
    """
    number = step ^ (step >> 1)
    if step % REFRESH == 0:
        for i in range(len(a)):
            a[i] = b[i]
        for j in range(len(rows)):
            if (number >> j) & 1:
                for i in range(len(a)):
                    a[i] += rows[j, i]
        return number
    j = 0  # the latent that flips is the lowest bit set of the step
    while (step >> j) & 1 == 0:
        j += 1
    if j < len(rows):
        sign = 1.0 if (number >> j) & 1 else -1.0
        for i in range(len(a)):
            a[i] += sign * rows[j, i]
    return number


@njit(**KERNEL)
def enumerate_independent(rows, b, d, x, said, a, log_joints):
    """Fill `log_joints` (2**n_h,) with ``log P*(x, h)`` of an RBM's every state, nats, for Bernoulli
    units.

    Visible units that are not known are summed out. Equation: (4).

    Parameters
    ----------
    rows : (n_h, n_v) float64
        Rows ``w_j`` of weights.
    b, d : (n_v,), (n_h,) float64
    x : (n_v,) float64
        NaN is not known.
    said, a : (n_h,), (n_v,) float64
        Overwritten.
    """
    fixed, whole = 0.0, True
    for i in range(len(x)):
        if math.isnan(x[i]):
            whole = False
        else:
            fixed += x[i] * b[i]
    for j in range(len(said)):
        said[j] = d[j]
        for i in range(len(x)):
            if not math.isnan(x[i]):
                said[j] += rows[j, i] * x[i]
    for step in range(len(log_joints)):
        number, total = step, fixed
        if not whole:
            number = follow_flips(rows, b, step, a)
            for i in range(len(x)):
                if math.isnan(x[i]):
                    total += scalar_softplus(a[i])
        for j in range(len(said)):
            if (number >> j) & 1:
                total += said[j]
        log_joints[number] = total


@njit(**KERNEL)
def expected_visibles(kind, rows, b, p, a, on):
    """Fill `on` with the means of visible units under each of several distributions over all states.

    Parameters
    ----------
    kind : int
        Of the visible units, as :data:`~lrbn_viz.kernels.units.KINDS` numbers them.
    rows : (n_h, n_v) float64
        Rows ``w_j`` of weights. Further latents, of layers above, change no activation.
    b : (n_v,) float64
    p : (n, 2**n_latents) float64
    a : (n_v,) float64
        Overwritten.
    on : (n, n_v) float64
    """
    for n in range(len(p)):
        for i in range(len(a)):
            on[n, i] = 0.0
    for step in range(p.shape[1]):
        number = follow_flips(rows, b, step, a)
        for i in range(len(a)):
            mean = mean_of(kind, a[i])
            for n in range(len(p)):
                on[n, i] += p[n, number] * mean


@njit(**INLINED)
def probability_of(log_joint: float, log_evidence: float) -> float:
    """Return P(h | x), given ``log P(x, h)`` and ``log P(x)``, nats."""
    return min(1.0, math.exp(log_joint - log_evidence))


@njit(**INNER)
def _kl(divergence):
    """Return a divergence that rounding may have left below 0."""
    return max(0.0, divergence)


@njit(**KERNEL)
def measure_distance(log_joints, log_evidence, p, q, distance):
    """Fill `distance` with how far a distribution is from the posterior.

    Parameters
    ----------
    log_joints : (2**n_h,) float64
        ``log P(x, h)``, nats.
    log_evidence : float
        ``log P(x)``, nats.
    p, q : (2**n_h,) float64
        ``P(h | x)`` and the distribution.
    distance : (2,) float64
        ``KL(q || p)``, nats, and the total variation.
    """
    kl, variation = 0.0, 0.0
    for s in range(len(q)):
        if q[s] > 0.0:
            kl += q[s] * (math.log(q[s]) - (log_joints[s] - log_evidence))
        variation += abs(q[s] - p[s])
    distance[0], distance[1] = _kl(kl), min(1.0, 0.5 * variation)


@njit(**KERNEL)
def distances_of_states(log_joints, log_evidence, unit, after, code, kl, variation):
    """Fill the distances of a lane's state before and after each of its visits; all mass is on it.

    Parameters
    ----------
    log_joints : (2**n_h,) float64
    log_evidence : float
    unit, after : (n_visits,) integers, uint8
    code : int
        Place of the state before the first visit among all.
    kl, variation : (n_visits + 1,) float64
        ``-log P(h | x)``, nats, and ``1 - P(h | x)``.
    """
    for k in range(len(kl)):
        if k:
            bit = 1 << unit[k - 1]
            code = code | bit if after[k - 1] else code & ~bit
        kl[k] = _kl(log_evidence - log_joints[code])
        variation[k] = 1.0 - math.exp(-kl[k])


@njit(**KERNEL)
def distances_of_means(log_joints, log_evidence, p, on, unit, after, q, kl, variation):
    """Fill the distances of the means of independent latents before and after each visit.

    Parameters
    ----------
    log_joints : (2**n_h,) float64
    log_evidence : float
    p : (2**n_h,) float64
        ``P(h | x)``.
    on : (n_h,) float64
        Before the first visit. Modified.
    unit, after : (n_visits,) integers, float64
    q : (2**n_h,) float64
        Overwritten.
    kl, variation : (n_visits + 1,) float64
        Nats, and between 0 and 1.
    """
    for k in range(len(kl)):
        if k:
            on[unit[k - 1]] = after[k - 1]
        fill_product(on, q)
        nats, apart = log_evidence, 0.0
        for j in range(len(on)):  # less the entropy
            nats += on[j] * math.log(max(on[j], TINY)) + (1.0 - on[j]) * math.log(max(1.0 - on[j], TINY))
        for s in range(len(q)):
            nats -= q[s] * log_joints[s]
            apart += abs(q[s] - p[s])
        kl[k], variation[k] = _kl(nats), min(1.0, 0.5 * apart)


@njit(**KERNEL)
def distances_of_particles(log_joints, log_evidence, code, place, share, q, kl, variation):
    """Fill the distances of weighted particles, of the first one and after each visit.

    The distribution has each particle's share of the weight on its state.

    Parameters
    ----------
    log_joints : (2**n_h,) float64
    log_evidence : float
    code : (n,) integers
        The distinct states of the particles, by their places among all.
    place : (n_particles,) integers
        Which of these each particle has.
    share : (n_particles,) float64
        Of the weight so far, of each particle at its visit; 1 of the first one.
    q : (n,) float64
        Overwritten.
    kl, variation : (n_particles,) float64
        Nats, and between 0 and 1.
    """
    found = 0.0
    for n in range(len(code)):
        q[n] = 0.0
        found += probability_of(log_joints[code[n]], log_evidence)
    elsewhere = max(0.0, 1.0 - found)
    for k in range(len(place)):
        for n in range(len(q)):
            q[n] *= 1.0 - share[k]
        q[place[k]] += share[k]
        nats, apart = 0.0, elsewhere
        for n in range(len(q)):
            if q[n] > 0.0:
                nats += q[n] * (math.log(q[n]) - (log_joints[code[n]] - log_evidence))
            apart += abs(q[n] - probability_of(log_joints[code[n]], log_evidence))
        kl[k], variation[k] = _kl(nats), min(1.0, 0.5 * apart)


@njit(**KERNEL)
def turn_round(log_joints, turned):
    """Fill `turned` (2**n_h,) with the same where latents are numbered from the last one down."""
    for s in range(len(turned)):
        other, rest, half = 0, s, len(turned) >> 1
        while half:
            if rest & 1:
                other |= half
            rest >>= 1
            half >>= 1
        turned[other] = log_joints[s]


@njit(**KERNEL)
def ascend(log_joints, q, max_sweeps, tolerance, expected, weights):
    """Maximise the bound on ``log P(x)`` by coordinate ascent from the means `q`, last latent first.

    Parameters
    ----------
    log_joints : (2**n_h,) float64
    q : (n_h,) float64
        Means of independent latents. Modified.
    max_sweeps : int
    tolerance : float
        No further sweep is made after one in which no mean changed by more.
    expected, weights : (2**n_h,) float64
        Overwritten.
    """
    n_h = len(q)
    for _ in range(max_sweeps):
        for s in range(len(log_joints)):
            expected[s] = log_joints[s]
        # q of the latents below the top one, in each of their states.
        weights[0] = 1.0
        for j in range(n_h - 1):
            for s in range(1 << j):
                weights[s + (1 << j)] = weights[s] * q[j]
                weights[s] *= 1.0 - q[j]
        change = 0.0
        # From the top bit down: latents already decided are averaged out once, for all that follow.
        for j in range(n_h - 1, -1, -1):
            half = 1 << j
            log_odds = 0.0
            for s in range(half):
                log_odds += weights[s] * (expected[s + half] - expected[s])
            on = scalar_sigmoid(log_odds)
            change = max(change, abs(on - q[j]))
            q[j] = on
            for s in range(half):
                expected[s] += on * (expected[s + half] - expected[s])
            for s in range(half >> 1):
                weights[s] += weights[s + (half >> 1)]
        if change <= tolerance:
            break
