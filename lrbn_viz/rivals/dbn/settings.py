"""Settings for training a deep belief network, in addition to those that its RBMs share with all RBMs."""

from __future__ import annotations

from lrbn_viz.core.fields import Real
from lrbn_viz.core.validation import Interval
from lrbn_viz.training.settings import POSITIVE

FIRST_SHARE = Real(
    "Share for the first RBM",
    "of the steps",
    "The first steps, in which the lower layer learns as an RBM; then the RBM on top learns.",
    bounds=Interval(0, 1, "neither"),
)
UP_DOWN_SHARE = Real(
    "Share for up-down",
    "of the steps",
    "The last steps, in which all networks learn together by the up-down algorithm; 0: none.",
    bounds=Interval(0, 1),
)
UP_DOWN_RATE = Real(
    "Up-down rate",
    None,
    "Factor on the learning rates in up-down.",
    bounds=POSITIVE,
)
