"""Settings for training a deep Boltzmann machine, in addition to those of all RBMs."""

from __future__ import annotations

from lrbn_viz.core.fields import Choice, Integer, Real
from lrbn_viz.core.validation import Interval
from lrbn_viz.training.settings import COUNT, MAX_STEPS_FORM, POSITIVE

FIRST_SHARE = Real(
    "Share for the first RBM",
    "of the steps",
    "The first steps, in which the lower layer learns as an RBM with two copies of the image.",
    bounds=Interval(0, 1, "neither"),
)
SECOND_SHARE = Real(
    "Share for the second RBM",
    "of the steps",
    "The next steps, in which the upper layer learns as an RBM with two copies of its latents; all layers "
    "learn together after that.",
    bounds=Interval(0, 1, "neither"),
)
JOINT_RATE = Real(
    "Rate of learning together",
    None,
    "Factor on the learning rates while all layers learn together.",
    bounds=POSITIVE,
)
UPDATES = Integer(
    "Mean-field updates",
    "per minibatch",
    "How often the means of both layers are updated for each image while all layers learn together.",
    details="Published: 10 to 30. Salakhutdinov and Hinton, 2009.",
    bounds=COUNT,
    form_most=MAX_STEPS_FORM,
)
DBM_GRADIENT = Choice(
    "Gradient",
    None,
    "The plain gradient, or one that does not depend on what is called on and what off.",
    details='"enhanced": covariance of the units under the data minus that under the model (Cho, Raiko and '
    "Ilin, 2011).",
    choices={"standard": "standard", "enhanced": "enhanced"},
)
