"""Figures of one model on test images, as JSON values: what tables and the Compare page show of it."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from lrbn_viz.core.model import Model, NotOffered, Progress
from lrbn_viz.measure.bracket import EXACT, bounded_log_likelihood
from lrbn_viz.measure.dependence import posterior_dependence


def nats_figures(
    model: Model,
    X: ArrayLike,
    n_bracket: int,
    *,
    n_temperatures: int,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return log P(x), the mean over the images in nats, how it was found, and the bounds it lies between.

    Parameters
    ----------
    model : Model
    X : (n, n_v) array
    n_bracket, n_temperatures, progress
        As in :func:`~lrbn_viz.measure.bounded_log_likelihood`.
    """
    images = model.check_images(X)
    found = bounded_log_likelihood(model, images, n_bracket, n_temperatures=n_temperatures, progress=progress)
    estimate, exact = found.estimate, found.lower_is == EXACT
    figures: dict[str, Any] = {
        "method": "exact" if exact else found.by,
        "value": estimate.mean,
        "low": estimate.mean if found.lower is None else found.lower,
        "high": found.upper,
        "standard error": estimate.standard_error,
        "images": len(images),
    }
    if exact:
        return figures
    if found.upper is None:
        figures |= {"method": "importance sampling", "bound": "none" if found.lower is None else "lower"}
    return {**figures, "temperatures": n_temperatures, "images of the bracket": n_bracket}


def dependence_figures(model: Model, X: ArrayLike, n_sweeps: int) -> dict[str, Any] | None:
    """Return the dependence of latents on each other under the posterior; None if it cannot be measured.

    Parameters
    ----------
    model : Model
    X : (n, n_v) array
    n_sweeps : int
        Sweeps of each Gibbs chain, after a third as many that are discarded.
    """
    images = model.check_images(X)
    try:
        found = posterior_dependence(model, images, n_sweeps=n_sweeps, n_burn_in=n_sweeps // 3)
    except NotOffered:
        return None
    return {
        "information": found.mean,
        "standard error": found.standard_error,
        "share": found.share,
        "exact": found.exact,
        "images": len(images),
        **found.settings,
    }
