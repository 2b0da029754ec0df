"""Figures of a model of the session, measured on a thread, with limits on images and time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lrbn_viz.core.posterior import MAX_EXACT
from lrbn_viz.io.constants import IMAGES_BRACKETED, IMAGES_MEASURED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lrbn_viz.core.model import Model

N_WRONG = 200
"""Number of test images, the first ones, on which wrong pixels are counted."""
N_NATS = IMAGES_MEASURED
"""Number of these whose nats are estimated."""
N_BRACKET = IMAGES_BRACKETED
"""Number of images of a bracket."""
N_POSTERIORS = 5
"""Number of images whose posterior is examined."""
N_SWEEPS = 90
"""Sweeps of each Gibbs chain."""
SECONDS = 20.0
"""Planned seconds of an estimate of nats; an estimate that takes twice as long is abandoned."""
N_TRIAL = 10
"""Temperatures of a first, short estimate, from which the number that fits is computed."""
LEAST_TEMPERATURES, MOST_TEMPERATURES = 50, 1000


class MeasurementAbandoned(Exception):
    """Error that ends a measurement whose result is no longer needed, or which takes too long."""


Say = Callable[[str, float], None]
"""Callback with the current measurement, in words, and the finished share.

It may raise `MeasurementAbandoned`.
"""


def measure(
    model: Model, X: NDArray, say: Say, clock: Callable[[], float] = time.monotonic
) -> dict[str, Any]:
    """Measure the figures that shipped models have, on fewer images and with shorter chains.

    Parameters
    ----------
    model : Model
        Of binary images.
    X : (n, n_v) uint8
        Test images.
    say : callable
    clock : callable
        Clock in seconds, of any origin.

    Returns
    -------
    dict
        "wrong pixels" by the usual inference, where the model can be annealed "annealed" by the number of
        sweeps, "dependence", and "nats"; or in the place of these "why no nats", in words.
    """
    from lrbn_viz.measure.figures import dependence_figures  # imports Numba, so only when a model is measured

    say("wrong pixels", 0.0)
    figures: dict[str, Any] = _wrong_pixels(model, X[:N_WRONG])
    say("dependence of the latents", 0.0)
    figures["dependence"] = dependence_figures(model, X[:N_POSTERIORS], N_SWEEPS)
    say("nats", 0.0)
    try:
        figures["nats"] = _nats(model, X[:N_NATS], say, clock)
    except MeasurementTimeout:
        figures["why no nats"] = f"it would take more than {SECONDS:.0f} seconds"
    return figures


class MeasurementTimeout(Exception):
    """Error for an estimate that does not fit the available time."""


def _wrong_pixels(model: Model, X: NDArray) -> dict[str, Any]:
    """Return wrong pixels per image by the usual inference and, if the model supports it, by annealing with
    the numbers of sweeps of the shipped models' figures.
    """
    from lrbn_viz.catalog import annealed_sweeps
    from lrbn_viz.measure import reconstruction_error

    if model.factorised:
        usual = "exact MAP"
    else:
        usual = next(iter(model.methods), next(iter(model.trace_methods), "usual"))
    counts = {usual: float(reconstruction_error(model, X).mean()), "images": len(X)}
    found: dict[str, Any] = {"wrong pixels": counts}
    if "annealed" in model.methods:
        sweeps = annealed_sweeps()
        wrong = reconstruction_error(model, X, method="annealed", n_sweeps=sweeps)
        error = float(wrong.std(ddof=1)) / len(X) ** 0.5 if len(X) > 1 else None
        point = {"wrong pixels": float(wrong.mean()), "standard error": error, "images": len(X)}
        found["annealed"] = {str(sweeps): point}
    return found


def _nats(model: Model, X: NDArray, say: Say, clock: Callable[[], float]) -> dict[str, Any]:
    """Estimate nats by the best applicable estimator that fits the time."""
    from lrbn_viz.measure.figures import nats_figures

    begun, what = clock(), "how long nats take"

    def progress(share: float) -> None:
        say(what, share)
        if clock() - begun > 2 * SECONDS:
            raise MeasurementTimeout

    if model.n_latents_ <= MAX_EXACT and "exact" in model.likelihoods:
        nats_figures(model, X[:1], 0, n_temperatures=1)  # compilation is not timed
        at = clock()
        nats_figures(model, X[:1], 0, n_temperatures=1)
        n = int(min(len(X), SECONDS / max(clock() - at, 1e-9)))
        if n < 2:
            raise MeasurementTimeout
        what = "nats"
        return nats_figures(model, X[:n], 0, n_temperatures=1, progress=progress)
    how: dict[str, Any] = {"n_bracket": min(N_BRACKET, len(X)), "progress": progress}
    nats_figures(model, X, n_temperatures=1, **how)
    begun = at = clock()  # compiling is over
    nats_figures(model, X, n_temperatures=N_TRIAL, **how)
    n = int(min(MOST_TEMPERATURES, N_TRIAL * SECONDS / max(clock() - at, 1e-9)))
    if n < LEAST_TEMPERATURES:
        raise MeasurementTimeout
    begun, what = clock(), "nats"
    return nats_figures(model, X, n_temperatures=n, **how)
