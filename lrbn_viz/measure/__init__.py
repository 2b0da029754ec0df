"""Measures of a trained model: likelihoods, errors and codes of held-out images; posteriors, optima and
explanations of one image.
"""

from lrbn_viz.measure.bracket import (
    AISBracket,
    Bounded,
    NormaliserBounds,
    ais_bracket,
    bounded_log_likelihood,
    importance_bracket,
    raise_bracket,
)
from lrbn_viz.measure.dependence import PosteriorDependence, posterior_dependence
from lrbn_viz.measure.filters import Extent, extent
from lrbn_viz.measure.likelihood import LogLikelihood, log_likelihood
from lrbn_viz.measure.reconstruction import reconstruction_error
from lrbn_viz.measure.representation import RepresentationQuality, representation_quality

__all__ = [
    "AISBracket",
    "Bounded",
    "Extent",
    "LogLikelihood",
    "NormaliserBounds",
    "PosteriorDependence",
    "RepresentationQuality",
    "ais_bracket",
    "bounded_log_likelihood",
    "extent",
    "importance_bracket",
    "log_likelihood",
    "posterior_dependence",
    "raise_bracket",
    "reconstruction_error",
    "representation_quality",
]


def __dir__() -> list[str]:
    return sorted(__all__)
