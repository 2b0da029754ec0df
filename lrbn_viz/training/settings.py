"""Hyper-parameters that several systems and all training share, each declared once."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Self

from lrbn_viz.core.fields import Above, Choice, Flag, Integer, Real, Seed, Several
from lrbn_viz.core.validation import Interval
from lrbn_viz.kernels.steps import rate_at

POSITIVE = Interval(0, closed="neither")
NON_NEGATIVE = Interval(0)
COUNT = Interval(1)
MAX_STEPS_FORM = 100_000
"""Steps of inference or of a chain for one minibatch, as far as a form takes them."""
MAX_PASSES_FORM = 10**6

LATENT_UNITS = Integer(
    "Latent units",
    None,
    "How many binary causes explain an image (n_h).",
    bounds=COUNT,
    form_most=10_000,
    fixed="The number of units is part of the model: begin a new run to change it.",
)
LAYER_UNITS = Several(
    LATENT_UNITS.label,
    None,
    "How many binary causes each layer has (n_h), the lowest first; a number alone is one layer.",
    details="Units of a layer above the lowest generate those of the layer below it.",
    fixed=LATENT_UNITS.fixed,
    of=LATENT_UNITS,
    alone=True,
)
VISIBLE = Choice(
    "Visible units",
    None,
    "Bernoulli units are for binary images, Gaussian ones for standardised ones: of variance 1, or learned.",
    choices={"bernoulli": "Bernoulli", "gaussian": "Gaussian"},
    fixed="The kind of units is part of the model: begin a new run to change it.",
    in_form=False,  # the images decide
)
BINARIZE = Real(
    "Binarization threshold",
    None,
    "Pixels above it become 1, all others 0, in every image that the model is given.",
    details="As scikit-learn's ``BernoulliNB`` does.",
    none="images that hold anything but 0 and 1 are refused",
    bounds=Interval(-math.inf, closed="neither"),
    when=({"visible": ("bernoulli",)},),
    in_form=False,  # a run's images are binary already
)
LEARNING_RATE = Real(
    "Learning rate", None, "Step size along the mean gradient of a minibatch.", bounds=POSITIVE
)
DECAY_STEPS = Real(
    "Learning rate halves after",
    "minibatches",
    "The learning rate falls as 1 / (1 + step / this); inf keeps it constant.",
    bounds=Interval(0, math.inf, "right"),
)
LEARNING_RATE_END = Real(
    "Final learning rate",
    None,
    "The learning rate falls exponentially to this by the last step, in the place of halving.",
    details="The number of steps must be known.",
    none="it halves instead, or stays constant",
    bounds=POSITIVE,
)
AVERAGE = Real(
    "Parameter averaging",
    None,
    "Share of the steps, the last ones, over which the parameters are averaged at the end; 0: none.",
    details="A constant rate leaves parameters moving about an optimum; their mean lies nearer to it "
    "(Polyak and Juditsky, 1992). With early stopping the best epoch is taken if it is better.",
    bounds=Interval(0, 1),
)
WEIGHT_DECAY = Real(
    "Weight decay (L2)",
    None,
    "Each gradient step shrinks W by the learning rate times this.",
    bounds=NON_NEGATIVE,
)
BATCH_SIZE = Integer(
    "Minibatch size",
    "images",
    "Images per gradient step.",
    bounds=COUNT,
    form_most=100_000,
    in_form=False,  # all models of a run share it
)
N_ITER = Integer(
    "Number of epochs",
    None,
    "Passes over the training images.",
    bounds=COUNT,
    form_most=MAX_PASSES_FORM,
    in_form=False,
)
VALIDATION_SIZE = Integer(
    "Validation images",
    "images",
    "Training images that are held out to judge the model after each epoch.",
    details="At most a tenth of all.",
    bounds=NON_NEGATIVE,
    in_form=False,
)
PATIENCE = Integer(
    "Patience",
    "epochs",
    "Training stops after so many epochs without a better validation score, and the best epoch is restored.",
    none="no early stopping",
    when=({"validation_size": Above(0)},),
    bounds=COUNT,
    in_form=False,
)
RANDOM_STATE = Seed(
    "Random seed",
    None,
    "Seed of all randomness: equal seeds give equal runs.",
    none="another run each time",
    in_form=False,
)
BINARY = Flag(
    "Images",
    None,
    "Binary images train Bernoulli units; grey ones are standardised and train Gaussian units.",
    titles=("grey", "binary"),
)
MAX_SECONDS = Real(
    "Training time",
    "seconds",
    "Seconds by the clock in steps of the model, without compiling kernels, after which its training ends.",
    bounds=Interval(0, math.inf, "right"),
    form_most=MAX_PASSES_FORM,
)


def check_one_fall(learning_rate_end: float | None, decay_steps: float) -> None:
    """Raise ValueError where a learning rate is to fall in two ways."""
    if learning_rate_end is not None and decay_steps < math.inf:
        raise ValueError(
            f"learning_rate_end = {learning_rate_end} and decay_steps = {decay_steps} are two ways for the "
            "learning rate to fall; give one of them."
        )


def check_finite(total: float, n_steps: int, rate: float) -> None:
    """Raise FloatingPointError where a sum of all parameters is not finite, after a step at this rate."""
    if not math.isfinite(total):
        raise FloatingPointError(
            f"a parameter is not finite after step {n_steps}, learning rate {rate:.3g}; use a smaller "
            "learning rate."
        )


class FallingRate:
    """Part of a system: a learning rate that may fall exponentially over the run, to a given end.

    Attributes
    ----------
    learning_rate : float
        At the first step.
    learning_rate_end : float or None
        At the last step; None: the rate does not fall in this way.
    average : float
        Share of the run's last steps over which parameters are averaged.
    """

    learning_rate: float
    learning_rate_end: float | None
    average: float

    @property
    def needs_step_count(self) -> tuple[str, ...]:
        """Settings that need the number of steps of the run in advance."""
        given = {"learning_rate_end": self.learning_rate_end is not None, "average": self.average > 0}
        return tuple(name for name, is_given in given.items() if is_given)

    def at_progress(self, share: float) -> Self:
        """Return the settings with the learning rate after a fraction of all steps but the last."""
        if self.learning_rate_end is None:
            return self
        rate = rate_at(share, float(self.learning_rate), float(self.learning_rate_end))
        settings: Any = self  # a dataclass, as all systems are
        return replace(settings, learning_rate=rate, learning_rate_end=None)
