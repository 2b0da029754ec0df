"""Wake-sleep (Hinton, Dayan, Frey and Neal, 1995)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lrbn_viz.baselines.sbn.particles import Particles
from lrbn_viz.baselines.sbn.settings import PARTICLES
from lrbn_viz.baselines.sbn.system import Credit, RecognitionSystem, SBNState
from lrbn_viz.fields import declare, documented


@documented
@dataclass(frozen=True)
class WakeSleepSystem(RecognitionSystem):
    """How wake-sleep trains: each network learns from what the other draws.

    Awake the generative network goes up ``grad log P(x, h)`` with h drawn from q(h | x): the gradient of the
    variational bound. Asleep the recognition network goes up ``grad log q(h | x)`` of what the generative
    network draws. That lowers KL(p, q) under the model, not KL(q, p) under the data, which the bound asks
    for: the recognition network learns from dreams, in the wrong direction.

    Published: one particle. In the code of Bornschein and Bengio, after Mnih and Gregor (2014): minibatches
    of 20, and learning rates along the mean gradient of 0.002, and of a fifth of it for the recognition
    network.
    """

    n_particles: int = declare(PARTICLES, 1)

    @property
    def wakes(self) -> bool:
        """Whether the recognition network learns from particles of the data: it does not."""
        return False

    @property
    def sleeps(self) -> bool:
        """Whether the recognition network learns from what the generative network draws."""
        return True

    def credit(self, state: SBNState, particles: Particles) -> Credit:
        """Return equal factors for all particles of an image, whatever they weigh."""
        equal = np.full(particles.log_weights.shape, 1.0 / self.n_particles)
        return Credit(equal, np.zeros_like(equal))
