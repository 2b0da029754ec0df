"""Reweighted wake-sleep (Bornschein and Bengio, 2015)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lrbn_viz.core.fields import Choice, declare, documented
from lrbn_viz.rivals.sbn.particles import Particles
from lrbn_viz.rivals.sbn.system import Credit, RecognitionSystem, SBNState

Phases = Literal["both", "wake", "sleep"]


@documented
@dataclass(frozen=True)
class RWSSystem(RecognitionSystem):
    """Training by RWS: both networks follow particles in proportion to their weights.

    With ``w_k = P(x, h_k) / q(h_k | x)`` and shares ``w_k / sum_l w_l``, the generative network ascends
    ``sum_k share_k grad log P(x, h_k)``: the gradient of the bound with K samples, and an estimate of the
    gradient of log P(x) whose bias falls as K grows. The recognition network ascends ``sum_k share_k grad
    log q(h_k | x)`` (wake), and ``grad log q(h | x)`` of samples of the generative network (sleep); the two
    phases lower KL(p, q) under the data and under the model.

    The published settings are K = 5, minibatches of 100, momentum 0.95, and a learning rate of 0.001 for the
    gradient summed over a minibatch, which is 0.1 for its mean.
    """

    phases: Phases = declare(
        Choice(
            "Recognition learns",
            None,
            "Awake from weighed particles of the data, asleep from what the generative network draws.",
            choices={"both": "awake and asleep", "wake": "awake", "sleep": "asleep"},
        ),
        "both",
    )

    @property
    def wakes(self) -> bool:
        """True if there is a wake phase of the recognition network."""
        return self.phases != "sleep"

    @property
    def sleeps(self) -> bool:
        """True if there is a sleep phase."""
        return self.phases != "wake"

    def credit(self, state: SBNState, particles: Particles) -> Credit:
        """Return each particle's share of the weights, for both networks."""
        shares = particles.weights.shares
        return Credit(shares, shares)
