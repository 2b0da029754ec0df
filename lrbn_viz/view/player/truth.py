"""Exact results for a small model's latents, with those of approximations, for the player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.io.constants import MAX_EXACT_INTERACTIVE

if TYPE_CHECKING:
    from lrbn_viz.core.model import Model
    from lrbn_viz.core.posterior import ExactPosterior
    from lrbn_viz.core.trace import Trace
    from lrbn_viz.measure.divergence import Approximation


class Truth(NamedTuple):
    """The posterior of a lane's image, and the approximations of it by name."""

    posterior: ExactPosterior
    approximations: dict[str, Approximation]


def truth_of(model: Model, trace: Trace) -> Truth | None:
    """Return the exact posterior of a trace's image; None if there are too many states to enumerate, several
    layers, or means in the place of states, or if latents are independent given the image.

    The approximation called ``"state"`` is sure of the trace's last state.
    """
    from lrbn_viz.measure.divergence import approximations
    from lrbn_viz.measure.explanation import exact_posterior

    small = model.n_latents_ <= MAX_EXACT_INTERACTIVE and len(model.layer_sizes_) == 1
    if not small or model.factorised or trace.means:
        return None
    posterior = exact_posterior(model, trace.x)
    end = trace.latents(trace.n_visits)
    return Truth(posterior, approximations(model, trace.x, end, posterior=posterior))


class Distance(NamedTuple):
    """Distances of approximations from a lane's posterior, and of the lane itself, visit by visit.

    Attributes
    ----------
    rungs : dict of Approximation
        As :class:`~lrbn_viz.Ladder` has them.
    kl, total_variation : (n_visits + 1,) float64
        Of the lane's state, means or particles after k visits.
    log_evidence : float
        ``log P(x)``, nats.
    """

    rungs: dict[str, Approximation]
    kl: NDArray[np.float64]
    total_variation: NDArray[np.float64]
    log_evidence: float


def distance_of(model: Model, trace: Trace, truth: Truth | None = None) -> Distance | None:
    """Return the distances of a trace and of the usual approximations from the exact posterior of its image.

    None where there are too many states to try, and for models that have no ladder of approximations: of
    several layers, undirected, or with latents that are independent given the image. `truth` is what is known
    already.
    """
    from lrbn_viz.measure.explanation import exact_posterior
    from lrbn_viz.measure.ladder import distances, ladder

    small = model.n_latents_ <= MAX_EXACT_INTERACTIVE and len(model.layer_sizes_) == 1
    if not small or not model.has_rbm_parameters:
        return None
    posterior = exact_posterior(model, trace.x) if truth is None else truth.posterior
    along = distances(posterior, trace)
    rungs = ladder(model, trace.x, posterior=posterior).rungs
    return Distance(rungs, along.kl, along.total_variation, posterior.log_evidence)


def pack_distance(distance: Distance) -> tuple[dict[str, Any], dict[str, NDArray]]:
    """Return the distances as metadata and arrays of a packed block."""
    rungs, kl, total_variation, _ = distance
    meta = {
        "rungs": [
            {"name": name, "kl": q.kl, "total_variation": q.total_variation} for name, q in rungs.items()
        ]
    }
    return meta, {
        "distance.kl": kl.astype(np.float32),
        "distance.variation": total_variation.astype(np.float32),
    }


def pack_truth(truth: Truth) -> tuple[dict[str, Any], dict[str, NDArray]]:
    """Return the truth as metadata and arrays of a packed block.

    Rows of ``truth.marginals`` and of ``truth.covariance`` belong to the posterior and then to the
    approximations in the metadata's order.
    """
    posterior, found = truth
    meta = {
        "log_evidence": posterior.log_evidence,
        "map_log_joint": posterior.map_log_joint,
        "approximations": [
            {"name": name, "kl": q.kl, "total_variation": q.total_variation, "samples": q.n_samples}
            for name, q in found.items()
        ],
    }
    everyone = [posterior, *found.values()]
    return meta, {
        "truth.map": np.packbits(posterior.map_state),
        "truth.marginals": np.array([q.marginals for q in everyone]),
        # shown in 256 colours and three digits
        "truth.covariance": np.array([q.covariance for q in everyone], np.float32),
    }
