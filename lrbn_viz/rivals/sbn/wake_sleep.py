"""Wake-sleep (Hinton, Dayan, Frey and Neal, 1995)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lrbn_viz.core.fields import declare, documented
from lrbn_viz.rivals.sbn.particles import Particles
from lrbn_viz.rivals.sbn.settings import PARTICLES
from lrbn_viz.rivals.sbn.system import Credit, RecognitionSystem, SBNState


@documented
@dataclass(frozen=True)
class WakeSleepSystem(RecognitionSystem):
    """Training by wake-sleep: each network learns from samples of the other.

    In the wake phase the generative network ascends ``grad log P(x, h)`` with h drawn from q(h | x), the
    gradient of the variational bound. In the sleep phase the recognition network ascends ``grad log
    q(h | x)`` of samples of the generative network. This lowers KL(p, q) under the model, whereas the bound
    requires KL(q, p) under the data.

    Published: one particle. In the code of Bornschein and Bengio, after Mnih and Gregor (2014): minibatches
    of 20, and learning rates along the mean gradient of 0.002, and of a fifth of it for the recognition
    network.
    """

    n_particles: int = declare(PARTICLES, 1)

    @property
    def wakes(self) -> bool:
        """False: the recognition network does not learn from particles of the data."""
        return False

    @property
    def sleeps(self) -> bool:
        """True: the recognition network learns from samples of the generative network."""
        return True

    def credit(self, state: SBNState, particles: Particles) -> Credit:
        """Return equal factors for all particles of an image, whatever they weigh."""
        equal = np.full(particles.log_weights.shape, 1.0 / self.n_particles)
        return Credit(equal, np.zeros_like(equal))
