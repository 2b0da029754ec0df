"""The adaptive learning rate: the likeliest of a slightly smaller, the same and a slightly larger rate.

A step from theta along its direction D goes to ``theta + s rate D``, with s one of :data:`CANDIDATES`. Each
end is judged by the mean log P(x) of the next minibatch, up to a term that does not depend on s. Its
normaliser is estimated from the fantasies v of the step, which are draws from the model at theta:

    log Z(s) - log Z = log E_v[P*(v; s) / P*(v)]

with P* the unnormalised P(x). Latents are summed out, and their log-odds are linear in s, so that those at
both ends of one step give those of every candidate. Where variances are learned they are not linear, and are
computed for each candidate.

References
----------
K. Cho, T. Raiko and A. Ilin (2011). Enhanced gradient and adaptive learning rate for training restricted
Boltzmann machines. ICML. Section 4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import fixed, softplus
from lrbn_viz.rivals.rbm import kernels
from lrbn_viz.rivals.rbm.model import Params, Visible, log_variances, visible_term
from lrbn_viz.rivals.rbm.sampling import arrays_of, gaussian_fields, noise_of, threads_for

CANDIDATES = (1.0, 0.99, 1.01)
"""Shares of the last step's rate to choose from, as published; on a tie the first is taken."""


class Adapted(NamedTuple):
    """Quantities with which the next minibatch evaluates the last step."""

    factor: float
    """Factor on the last step's rate, relative to the rate of the settings."""
    W: NDArray[np.float32]
    """(n_v, n_h) weights before the last step."""
    b: NDArray[np.float32]
    """(n_v,) visible biases before it."""
    d: NDArray[np.float32]
    """(n_h,) latent biases before it."""
    V: NDArray
    """(n_particles, n_v) fantasies of that step: uint8, or float32 for Gaussian visibles."""
    z: NDArray[np.float32] | tuple[()] = ()
    """(n_v,) log variances before it, where they are learned."""


class Ends(NamedTuple):
    """End points of the last step by the best candidate."""

    share: float
    """One of :data:`CANDIDATES`."""
    W: NDArray[np.float32]
    b: NDArray[np.float32]
    d: NDArray[np.float32]
    z: NDArray[np.float32] | tuple[()] = ()
    """Where variances are learned."""


def best_end(before: Adapted, after: Params, X: NDArray, visible: Visible) -> Ends:
    """Return the end of the step from `before` to `after` if it had been taken with the best candidate.

    Parameters
    ----------
    before : Adapted
    after : Params
        Result of the last step: the one of candidate 1.
    X : (n, n_v) uint8 in {0, 1} for Bernoulli visibles, else float32
        The next minibatch.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # a diverging step raises its own error
        nats = gains(before, after, X, visible)
    return _end(before, after, CANDIDATES[int(np.argmax(nats))] if np.isfinite(nats).all() else 1.0)


def _end(before: Adapted, after: Params, share: float) -> Ends:
    """Return the end of a step that is taken with a share of its rate."""
    z = log_variances(after)
    new, old = [*arrays_of(after)], [before.W, before.b, before.d]
    if z is not None:
        new, old = [*new, np.asarray(z, np.float32)], [*old, np.asarray(before.z, np.float32)]
    if share == 1.0:
        return Ends(share, *new)
    more = np.float32(share - 1.0)
    return Ends(share, *((b + more * (b - a)).astype(np.float32) for a, b in zip(old, new, strict=True)))


def gains(before: Adapted, after: Params, X: NDArray, visible: Visible) -> NDArray[np.float64]:
    """Return the mean log P(x) of X at each candidate's end, nats, less log Z before the step.

    Parameters and arguments as in :func:`best_end`; shape (3,), in the order of :data:`CANDIDATES`.
    """
    rows = np.concatenate([X, before.V])
    old, new = (_fields(params, rows, visible) for params in (before, after))
    at_start = _log_p(before.b, old, rows, visible, log_variances(before))
    found = []
    for share in CANDIDATES:
        s = np.float32(share)
        if log_variances(after) is None:
            nats = _log_p(before.b + s * (after.b - before.b), old + s * (new - old), rows, visible)
        else:
            end = _end(before, after, share)
            nats = _log_p(end.b, _fields(end, rows, visible), rows, visible, log_variances(end))
        ratios = (nats - at_start)[len(X) :]
        found.append(nats[: len(X)].mean() - np.logaddexp.reduce(ratios) + np.log(len(ratios)))
    return np.array(found)


def _fields(params: Params, rows: NDArray, visible: Visible) -> NDArray[np.float32]:
    """Return the log-odds of the latents of each row, (n, n_h)."""
    W, _, d = arrays_of(params)
    if visible == "gaussian":
        return gaussian_fields(noise_of(params).weighted(W), d, rows)
    with threads_for(len(rows), W, "fields") as threads:
        return kernels.latent_fields(W, d, fixed(rows), threads)


def _log_p(
    b: NDArray[np.floating],
    fields: NDArray[np.floating],
    rows: NDArray,
    visible: Visible,
    z: NDArray[np.floating] | None = None,
) -> NDArray[np.float64]:
    """Return log P*(x) of each row, (n,) nats."""
    return softplus(fields).sum(axis=1, dtype=np.float64) + visible_term(b, rows, visible, z)
