"""Probabilities of each unit of a small model, with nothing known and given what is, for the player."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.posterior import apart, expected_visibles, moments, normalised
from lrbn_viz.io.constants import MAX_EXACT_INTERACTIVE, NETWORK

if TYPE_CHECKING:
    from lrbn_viz.core.model import Model
    from lrbn_viz.core.trace import Trace

_NOTHING_HELD: Mapping[int, int] = MappingProxyType({})


class Beliefs(NamedTuple):
    """Probabilities that units are on: first with nothing known, then given what is observed and held.

    Attributes
    ----------
    latents : (2, n_h) float64
        Of the latents of all layers, the lowest layer first.
    visibles : (2, n_v) float64
        Of the visible units; 0 or 1 where one is observed.
    apart : (2, n_h) float64, optional
        As `latents`, by the same weights factorised: of each latent by itself, from its offset and what is
        observed. Where all is observed that is the posterior of an RBM with these weights. None where it is
        no directed model of one layer.
    log_evidence : float
        ``log P(x)`` of what is observed, nats; of an undirected model up to a constant.
    """

    latents: NDArray[np.float64]
    visibles: NDArray[np.float64]
    apart: NDArray[np.float64] | None
    log_evidence: float


def beliefs_of(model: Model, trace: Trace, held: Mapping[int, int] = _NOTHING_HELD) -> Beliefs | None:
    """Return what a small model says of each unit, by enumeration of all states.

    Parameters
    ----------
    model : Model
    trace : Trace
        Of the model; its image counts, with NaN where that is not known, and not its visits.
    held : mapping from unit to state
        Latents that are held: given as known, like the image.

    Returns
    -------
    Beliefs or None
        None for models that are too large for the network or have too many states, for visible units that
        are not 0 or 1, and for models that take whole images only.
    """
    fits = model.n_latents_ <= MAX_EXACT_INTERACTIVE and trace.n_v <= NETWORK["visibles"]
    if not (fits and trace.units.binary and model.takes_unknown):
        return None
    latents, visibles, log_evidence = _believed(model, trace.x, held)
    apart = _by_themselves(model, trace.x, held) if model.has_rbm_parameters else None
    return Beliefs(latents, visibles, apart, log_evidence)


def _believed(
    model: Model, x: NDArray, held: Mapping[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return the probabilities of latents and visible units, (2, n_h) and (2, n_v), and log P(x)."""
    W, b, _ = model.layers[0]
    n_h = model.n_latents_
    prior = model.exact_posterior(np.full(len(b), np.nan))
    posterior = model.exact_posterior(x)
    codes, allowed = np.arange(2**n_h), np.ones(2**n_h, bool)
    for unit, state in held.items():
        allowed &= (codes >> unit) & 1 == state
    given = np.where(allowed, posterior.log_joints, -np.inf)
    weights = np.array([normalised(log_joints)[0] for log_joints in (prior.log_joints, given)])
    visibles = expected_visibles(model.units.name, W, b, weights)
    visibles[1] = np.where(np.isnan(x), visibles[1], x)
    return np.array([moments(each)[0] for each in weights]), visibles, posterior.log_evidence


def _by_themselves(model: Model, x: NDArray, held: Mapping[int, int]) -> NDArray[np.float64]:
    """Return ``sigmoid(d + W'x)``, with none of the visible units known and with those of x; (2, n_h)."""
    W, _, d = model.layers[0]
    found = np.stack([apart(W, d, np.full(len(x), np.nan)), apart(W, d, x)])
    for unit, state in held.items():
        found[1, unit] = state
    return found


def pack_beliefs(beliefs: Beliefs) -> tuple[dict[str, Any], dict[str, NDArray[np.float64]]]:
    """Return the beliefs as metadata and arrays of a packed block."""
    latents, visibles, apart, log_evidence = beliefs
    arrays = {"beliefs.latents": latents, "beliefs.visibles": visibles}
    return {"log_evidence": log_evidence}, arrays if apart is None else arrays | {"beliefs.apart": apart}
