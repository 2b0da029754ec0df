"""Settings of every sigmoid belief network that is learned with a recognition network."""

from __future__ import annotations

from dataclasses import replace

from lrbn_viz.core.fields import Choice, Flag, Integer, Real
from lrbn_viz.core.validation import Interval
from lrbn_viz.training.settings import COUNT, NON_NEGATIVE, VISIBLE

OPTIMISER = Choice(
    "Optimiser",
    None,
    "Steps along a running mean of gradients, or each parameter's step scaled by its gradient's size (Adam).",
    details='"momentum": the mean takes in a share of 1 - momentum of each gradient, so that the step size '
    'does not grow with it. "adam": Kingma and Ba, 2015, with 0.999 and 1e-8; it wants a learning rate of '
    "about 0.001.",
    choices={"momentum": "momentum", "adam": "Adam"},
    fixed="The running means are part of a run: begin a new one to change the optimiser.",
)
BINARY_VISIBLE = replace(
    VISIBLE, help="Bernoulli units, for binary images.", choices={"bernoulli": VISIBLE.choices["bernoulli"]}
)
CAUCHY_PRIOR = Real(
    "Cauchy prior",
    None,
    "Each gradient step moves every w of W towards 0 by the learning rate times this times w / (1 + w**2).",
    bounds=NON_NEGATIVE,
    details="Small weights shrink, large ones hardly do; Adam does not scale it.",
    none="0.5 with Adam, else 0",
    unset="auto",
)
MOMENTUM = Real(
    "Momentum",
    None,
    "Share of the old in the running mean of gradients.",
    bounds=Interval(0, 1),
)
PARTICLES = Integer(
    "Particles",
    "per image",
    "Samples of the latents that the recognition network draws for each image (K).",
    bounds=COUNT,
    form_most=1000,
)
RECOGNITION_RATE = Real(
    "Recognition rate",
    None,
    "Learning rate of the recognition network, as a share of the learning rate.",
    bounds=NON_NEGATIVE,
)
GENERATIVE_RATE = Real(
    "Generative rate",
    None,
    "Learning rate of the generative network, as a share of the learning rate; 0: it stays as it is.",
    bounds=NON_NEGATIVE,
)
CENTRE_INPUTS = Flag(
    "Centred inputs",
    None,
    "The recognition network learns from each image less the mean of its minibatch.",
    details="Where many pixels are on, the steps of all weights of a unit agree, and images are told apart "
    "slowly. The network is the same: its offsets make up for the mean.",
)
