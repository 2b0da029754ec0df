"""Elementwise operations of training, in single precision; dense products are NumPy's (BLAS).

Particle k of image m is row ``m * K + k`` of a batch's arrays.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, prange

from lrbn_viz.kernels.numerics import KERNEL, SUMS, for_threads
from lrbn_viz.kernels.simd.math import exp32, log

BLOCK = 64
"""Number of pixels multiplied at a time in single precision: factors of at most 2 make at most 2**64."""
MAX_PRODUCT = 1e270
"""Size of a product of blocks, in double precision, at which its logarithm is taken."""

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


@njit(**SUMS)
def _total(X):
    """Return the sum of all numbers."""
    total = 0.0
    for m in range(np.uintp(X.shape[0])):
        of_row = _ZERO
        for i in range(np.uintp(X.shape[1])):
            of_row += X[m, i]
        total += of_row
    return total


@njit(**KERNEL)
def list_on(X, most, in_rows, row_counts, in_columns, column_counts):
    """List the positions at which binary units are on, by row and by column, unless there are more than a
    given number.

    Parameters
    ----------
    X : (n, width) float32
        0.0 or 1.0.
    most : float
    in_rows, in_columns : (n, width), (width, n) int32
        Filled: each row begins with the columns in which that row of X is on, and vice versa.
    row_counts, column_counts : (n,), (width,) int64
        Filled with their numbers.

    Returns
    -------
    bool
        True if they are listed.
    """
    if not _total(X) <= most:
        return False
    column_counts[:] = 0
    for m in range(X.shape[0]):
        count = 0
        for i in range(X.shape[1]):
            if X[m, i] != _ZERO:
                in_rows[m, count] = i
                in_columns[i, column_counts[i]] = m
                column_counts[i] += 1
                count += 1
        row_counts[m] = count
    return True


@njit(**SUMS)
def _sum_listed(which, counts, rows, out):
    """Implement :func:`sum_listed`."""
    columns = range(np.uintp(rows.shape[1]))
    for r in range(np.uintp(len(counts))):
        count = counts[r]
        single = count % 4
        for j in columns:
            out[r, j] = _ZERO
        for k in range(np.uintp(single)):
            one = np.uintp(which[r, k])
            for j in columns:
                out[r, j] += rows[one, j]
        for k in range(np.uintp(single), np.uintp(count), np.uintp(4)):
            one, two = np.uintp(which[r, k]), np.uintp(which[r, k + np.uintp(1)])
            three, four = np.uintp(which[r, k + np.uintp(2)]), np.uintp(which[r, k + np.uintp(3)])
            for j in columns:
                out[r, j] += (rows[one, j] + rows[two, j]) + (rows[three, j] + rows[four, j])


@njit(**KERNEL)
def sum_listed(which, counts, rows, out):
    """Write the sum of some rows for each list of them: a product whose left operand is binary.

    Parameters
    ----------
    which : (n, most) int32
        As :func:`list_on` fills it.
    counts : (n,) int64
    rows : (n_rows, width) float32
    out : (n, width) float32
        Filled.
    """
    _sum_listed(which, counts, rows, out)


@njit(**KERNEL)
def subtract_outer(A, a, b):
    """Subtract ``a b'`` from A (n, m) float32, in place; NumPy, with two further arrays, takes ten times as
    long.
    """
    for i in range(np.uintp(len(a))):
        for j in range(np.uintp(len(b))):
            A[i, j] -= a[i] * b[j]


@njit(**SUMS)
def _draw_row(log_odds, m, states, r):
    """Replace the uniform numbers in row r of `states` by 1 where they are below their probability, else by
    0.
    """
    for j in range(np.uintp(states.shape[1])):
        z = log_odds[m, j]
        t = exp32(-abs(z))
        # u < sigmoid(z), without the division
        states[r, j] = _ONE if states[r, j] * (_ONE + t) < (_ONE if z >= _ZERO else t) else _ZERO


@for_threads(**KERNEL)
def draw(log_odds, n_each, states):
    """Draw binary states, `n_each` rows of them for each row of log-odds.

    Parameters
    ----------
    log_odds : (n, width) float32
    n_each : int
    states : (n * n_each, width) float32
        Uniform numbers in [0, 1). Modified in place: 1.0 or 0.0.
    """
    for row in prange(states.shape[0]):
        r = np.int64(row)
        _draw_row(log_odds, r // n_each, states, r)


@njit(**SUMS)
def _guess_row(log_odds, c, means, m):
    """Add the offsets to row m of the log-odds, fill its means, and return the sum of softplus."""
    total = 0.0
    for j in range(np.uintp(log_odds.shape[1])):
        z = log_odds[m, j] + c[j]
        log_odds[m, j] = z
        t = exp32(-abs(z))
        means[m, j] = (_ONE if z >= _ZERO else t) / (_ONE + t)
        total += max(z, _ZERO) + log(1.0 + float(t))
    return total


@for_threads(**KERNEL)
def guess(log_odds, c, means, normaliser):
    """Finish the computation of q(h | x) for each image.

    Parameters
    ----------
    log_odds : (n, n_h) float32
        ``V'x``. Modified in place: ``V'x + c``.
    c : (n_h,) float32
    means : (n, n_h) float32
        Filled with the means.
    normaliser : (n,) float64
        Filled with ``sum_j softplus(z_j)``, so that log q(h | x) is ``h'z`` minus it.
    """
    for image in prange(log_odds.shape[0]):
        m = np.int64(image)
        normaliser[m] = _guess_row(log_odds, c, means, m)


@njit(**SUMS)
def _residual_row(a, b, X, m, r):
    """Replace row r of `a` by x minus its mean, and return ``log P(x | h)``."""
    n_v = a.shape[1]
    total, product, logarithm = 0.0, 1.0, 0.0
    for first in range(0, n_v, BLOCK):
        some, factor = _ZERO, _ONE
        for i in range(np.uintp(first), np.uintp(min(first + BLOCK, n_v))):
            z = a[r, i] + b[i]
            t = exp32(-abs(z))
            x = X[m, i]
            some += (x - (_ONE if z > _ZERO else _ZERO)) * z
            factor *= _ONE + t
            a[r, i] = x - (_ONE if z >= _ZERO else t) / (_ONE + t)
        total += some
        product *= factor
        if product > MAX_PRODUCT:
            logarithm += math.log(product)
            product = 1.0
    return total - logarithm - math.log(product)


@njit(**SUMS)
def _prior_ratio(H, d, log_odds, m, r):
    """Return ``sum_j h_j (d_j - z_j)``."""
    total = _ZERO
    for j in range(np.uintp(H.shape[1])):
        total += H[r, j] * (d[j] - log_odds[m, j])
    return total


@for_threads(**KERNEL)
def weigh(a, b, X, H, d, log_odds, normaliser, n_each, log_weights):
    """Compute the weight of each particle, and the residuals for its gradient.

    Parameters
    ----------
    a : (n * K, n_v) float32
        ``W h``. Modified in place: ``x - sigmoid(W h + b)``.
    b, d : (n_v,), (n_h,) float32
    X : (n, n_v) float32
    H : (n * K, n_h) float32
    log_odds : (n, n_h) float32
        ``z = V'x + c``.
    normaliser : (n,) float64
        ``sum_j softplus(z_j) - sum_j softplus(d_j)``.
    n_each : int
        K.
    log_weights : (n * K,) float64
        Filled with ``log P(x, h) - log q(h | x)``, nats.
    """
    for row in prange(a.shape[0]):
        r = np.int64(row)
        m = r // n_each
        likelihood = _residual_row(a, b, X, m, r)
        log_weights[r] = likelihood + normaliser[m] + _prior_ratio(H, d, log_odds, m, r)


@njit(**SUMS)
def _credit_image(H, generative, recognition, means, m, n_each, signal):
    """Implement :func:`credit` for image m."""
    columns = range(np.uintp(H.shape[1]))
    total = _ZERO
    for k in range(n_each):
        total += recognition[m, k]
    for j in columns:
        signal[m, j] = -total * means[m, j]
    for k in range(n_each):
        r = m * n_each + k
        g, s = generative[m, k], recognition[m, k]
        for j in columns:
            signal[m, j] += s * H[r, j]
            H[r, j] *= g


@for_threads(**KERNEL)
def credit(H, generative, recognition, means, n_each, signal):
    """Compute each particle's weight in the gradients of both networks.

    Parameters
    ----------
    H : (n * K, n_h) float32
        Modified in place: each row times its generative share.
    generative, recognition : (n, K) float32
        Factors of the gradients of ``log P(x, h)`` and of ``log q(h | x)``.
    means : (n, n_h) float32
        Of q(h | x).
    n_each : int
        K.
    signal : (n, n_h) float32
        Filled with ``sum_k s_k (h_k - sigmoid(z))``, the gradient with respect to z.
    """
    for m in prange(means.shape[0]):
        _credit_image(H, generative, recognition, means, np.int64(m), n_each, signal)


@njit(**SUMS)
def _moved(value, gradient, first, share, rate, new, new_first):
    """Take a step along a running mean of gradients; return the sum of all new values."""
    total = 0.0
    for i in range(np.uintp(len(value))):
        mean = first[i] + share * (gradient[i] - first[i])
        step = value[i] + rate * mean
        new_first[i] = mean
        new[i] = step
        total += step
    return total


@njit(**KERNEL)
def momentum_step(value, gradient, first, share, rate, new, new_first):
    """Make a step along a running mean of gradients.

    Parameters
    ----------
    value, gradient, first : float32 arrays of one shape, C-ordered
        Parameters, their gradient, and the running mean so far.
    share : float32
        Share of the new gradient in the mean.
    rate : float32
    new, new_first : float32 arrays of that shape, C-ordered
        Filled.

    Returns
    -------
    float
        The sum of all new values: finite unless one of them is not.
    """
    # reshaped here: in Python, reshaping the many small arrays of two layers takes longer than their steps
    arrays = value.reshape(-1), gradient.reshape(-1), first.reshape(-1)
    return _moved(*arrays, share, rate, new.reshape(-1), new_first.reshape(-1))


@njit(**KERNEL)
def share_of_gradient(momentum):
    """Return the share of a new gradient in the running mean of gradients."""
    return 1.0 - momentum


@njit(**SUMS)
def _scaled(value, gradient, first, second, shares, rate, scale, least, new, new_first, new_second):
    """Implement :func:`adam_step`."""
    total = 0.0
    for i in range(np.uintp(len(value))):
        g = gradient[i]
        mean = first[i] + shares[0] * (g - first[i])
        square = second[i] + shares[1] * (g * g - second[i])
        step = value[i] + rate * mean / (scale * np.sqrt(square) + least)
        new_first[i] = mean
        new_second[i] = square
        new[i] = step
        total += step
    return total


@njit(**KERNEL)
def adam_step(value, gradient, first, second, shares, rate, scale, least, new, new_first, new_second):
    """Take a step of Adam; arrays as in :func:`momentum_step`.

    Parameters
    ----------
    second : float32 array
        Running mean of squared gradients.
    shares : (2,) float32
        Share of the new gradient in each running mean.
    rate : float32
        Learning rate, with the bias correction of the first mean.
    scale : float32
        Bias correction of the root of the second mean.
    least : float32
        Added to the root, to avoid a division by 0.
    new_second : float32 array
        Filled.
    """
    arrays = value.reshape(-1), gradient.reshape(-1), first.reshape(-1), second.reshape(-1)
    filled = new.reshape(-1), new_first.reshape(-1), new_second.reshape(-1)
    return _scaled(*arrays, shares, rate, scale, least, *filled)
