"""How well a model does on held-out images: what it reconstructs, and how likely it finds them."""

from lrbn_viz.evaluation.likelihood import LogLikelihood, log_likelihood
from lrbn_viz.evaluation.reconstruction import reconstruction_error

__all__ = ["LogLikelihood", "log_likelihood", "reconstruction_error"]
