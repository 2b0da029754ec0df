"""Inference of one image by a restricted Boltzmann machine, visit by visit: ICM from h = 0."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.units import LOG_2PI
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.io.constants import MIN_FLIP_GAIN
from lrbn_viz.kernels.numerics import INNER, KERNEL, scalar_softplus
from lrbn_viz.rivals.rbm.model import Params, Visible, log_variances


class Machine(NamedTuple):
    """An RBM as the kernels take it."""

    gaussian: bool
    rows: NDArray[np.float64]
    """(n_h, n_v): rows ``w_j`` of weights, in either order in memory."""
    b: NDArray[np.float64]
    d: NDArray[np.float64]
    precision: NDArray[np.float64]
    """(n_v,), (n_h,), and (n_v,): ``1 / s_i^2`` of Gaussian visibles, 1 of Bernoulli ones."""


class Visits(NamedTuple):
    """The columns of a trace; row k is the visit after the first k visits."""

    unit: NDArray
    after: NDArray
    log_odds: NDArray
    log_joint: NDArray


SWEEPS = 64
"""Sweeps for which a record has room at first; it grows where inference takes more."""


@njit(**INNER)
def _summed(machine, i, u):
    """Return S(u) of an unknown visible, nats; its derivation is in :mod:`lrbn_viz.rivals.rbm.model`."""
    if not machine.gaussian:
        return scalar_softplus(u + machine.b[i])
    precision = machine.precision[i]
    return (machine.b[i] * u + 0.5 * u**2) * precision + 0.5 * (LOG_2PI - math.log(precision))


@njit(**KERNEL)
def _hear(machine, i, x, fixed):
    """Add what a known visible of value x says to each latent's log-odds, ``w_ij x_i / s_i^2``."""
    said = x * machine.precision[i]
    if said == 0.0:
        return
    for j in range(np.uintp(len(fixed))):
        fixed[j] += said * machine.rows[j, i]


@njit(**KERNEL)
def place_visible(machine, x, fixed):
    """Return ``log P*(x, h)`` at h = 0, nats. Equations: (4) and (7).

    Parameters
    ----------
    machine : Machine
    x : (n_v,) float64
        NaN is not known.
    fixed : (n_h,) float64
        Filled with each latent's log-odds but for what unknown visibles add.
    """
    total = 0.0
    for j in range(len(fixed)):
        fixed[j] = machine.d[j]
    for i in range(len(x)):
        if math.isnan(x[i]):
            total += _summed(machine, i, 0.0)
            continue
        if machine.gaussian:
            total -= 0.5 * (x[i] - machine.b[i]) ** 2 * machine.precision[i]
        else:
            total += x[i] * machine.b[i]
        _hear(machine, i, x[i], fixed)
    return total


@njit(**KERNEL)
def visit_independent(machine, x, fixed, u, h, total, cursor, visits, n_visits):
    """Make up to `n_visits` further visits to the latents in turn, until none of them changes.

    Where all of x is known that is one visit to each, since none looks at another one.

    Parameters
    ----------
    machine, x, fixed
        As of :func:`place_visible`.
    u : (n_v,) float64
        ``W h``. Modified.
    h : (n_h,) uint8
        Modified.
    total : (1,) float64
        ``log P*(x, h)``, nats. Modified.
    cursor : (3,) int64
        Visits made, visits since the last flip, and 1 at the end. Modified.
    visits : Visits
        Filled from row ``cursor[0]`` on.
    """
    n_h, whole = len(h), True
    for i in range(len(x)):
        whole = whole and not math.isnan(x[i])
    for k in range(cursor[0], cursor[0] + n_visits):
        if cursor[2] == 1:
            return
        j = k % n_h
        before = h[j]
        log_odds = fixed[j]
        if not whole:
            for i in range(len(x)):
                if math.isnan(x[i]):
                    rest = u[i] - before * machine.rows[j, i]
                    log_odds += _summed(machine, i, rest + machine.rows[j, i]) - _summed(machine, i, rest)
        # rounding errors, which differ between machines, must not decide
        least = 0.0 if whole else MIN_FLIP_GAIN
        after = int(log_odds > least) if before == 0 else int(not log_odds < -least)
        if after != before:
            h[j] = after
            total[0] += log_odds if after == 1 else -log_odds
            for i in range(len(x)):
                u[i] += (after - before) * machine.rows[j, i]
        visits.unit[k], visits.after[k] = j, after
        visits.log_odds[k], visits.log_joint[k] = log_odds, total[0]
        cursor[0] = k + 1
        cursor[1] = 0 if after != before else cursor[1] + 1
        if cursor[1] >= n_h or (whole and k + 1 == n_h):
            cursor[2] = 1


def map_trace(params: Params, x: NDArray, visible: Visible = "bernoulli") -> ICMTrace:
    """Return the inference of one image from h = 0, units in order, until none changes.

    If all of x is known, each visit's log-odds is ``w_j'x + d_j`` whatever the other latents are, so nothing
    changes in a second sweep, which is left out: the end state is the exact MAP state. Otherwise this is ICM,
    whose flips raise the unnormalised ``log_joint``.
    """
    W = np.asarray(params.W, np.float64)
    b, d = (np.array(array, np.float64) for array in (params.b, params.d))
    z = log_variances(params)
    precision = np.ones(len(b)) if z is None else np.exp(-np.asarray(z, np.float64))
    machine = Machine(visible == "gaussian", W.T, b, d, precision)
    n_h, image, fixed = len(d), np.array(x, np.float64), np.empty(len(d))
    start = float(place_visible(machine, image, fixed))
    given = image, fixed, np.zeros(len(b)), np.zeros(n_h, np.uint8), np.array([start]), np.zeros(3, np.int64)
    size = n_h if unknown_in(image) is None else SWEEPS * n_h
    record = Visits(*(np.empty(0, kind) for kind in (np.int32, np.uint8, np.float64, np.float64)))
    while not given[-1][2]:
        more: Any = (np.concatenate([column, np.empty(size, column.dtype)]) for column in record)
        record = Visits(*more)
        visit_independent(machine, *given, record, size)
    k = int(given[-1][0])
    unit, after, log_odds, log_joint = (column[:k] for column in record)
    rows = np.arange(k)
    before = np.where(rows < n_h, 0, after[np.maximum(rows - n_h, 0)])
    return ICMTrace(
        x=np.array(x),
        h0=np.zeros(n_h, np.uint8),
        log_joint0=start,
        unit=unit,
        after=after,
        flipped=after != before,
        log_odds=log_odds,
        log_joint=log_joint,
        sweep=(rows // n_h).astype(np.int32),
        converged=True,
        W=W,
        b=b,
        d=d,
        visible=visible,
        model="rbm",
        sampled=False,
        z=np.asarray(getattr(params, "z", ()), np.float64),
    )
