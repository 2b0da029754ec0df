"""VIMCO, variational inference with Monte Carlo objectives (Mnih and Rezende, 2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import declare, documented
from lrbn_viz.rivals.sbn.optimiser import Optimiser
from lrbn_viz.rivals.sbn.particles import Particles
from lrbn_viz.rivals.sbn.settings import MOMENTUM, OPTIMISER
from lrbn_viz.rivals.sbn.system import Credit, RecognitionSystem, SBNState
from lrbn_viz.training.settings import LEARNING_RATE


def left_out(log_weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each particle, the bound of its image as predicted from the other particles; (n, K), nats.

    ``log (1/K) (sum_(l != k) w_l + v_k)``, where v_k is the geometric mean of the other weights.
    """
    n_each = log_weights.shape[1]
    others = np.repeat(log_weights[:, None], n_each, axis=1)
    each = np.arange(n_each)
    others[:, each, each] = (log_weights.sum(axis=1, keepdims=True) - log_weights) / (n_each - 1)
    top = others.max(axis=2)
    return top + np.log(np.exp(others - top[:, :, None]).sum(axis=2)) - np.log(n_each)


@documented
@dataclass(frozen=True)
class VIMCOSystem(RecognitionSystem):
    """Training by VIMCO: both networks ascend the bound with K samples, ``log (1/K) sum_k w_k``.

    The generative network's gradient is RWS's. The recognition network's has two parts: ``-share_k grad log
    q(h_k | x)`` through the weights, and ``(L - L_k) grad log q(h_k | x)`` through the samples, with L the
    bound and L_k its prediction from the other particles. The difference is the improvement of the bound by
    particle k. L_k does not depend on h_k, so that the gradient is unbiased.

    The published settings are K = 5 and K = 50. The default rate of Adam suits small data; for many
    minibatches use 0.001.
    """

    optimiser: Optimiser = declare(OPTIMISER, "adam")
    learning_rate: float = declare(LEARNING_RATE, 0.003)
    momentum: float = declare(MOMENTUM, 0.9)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_particles < 2:
            raise ValueError(
                f"n_particles must be at least 2 for VIMCO, which computes a particle's baseline from the "
                f"others; got {self.n_particles}. With one particle use NVIL."
            )

    def credit(self, state: SBNState, particles: Particles) -> Credit:
        """Return shares of the weights, and each particle's effect on the bound minus its share."""
        weights = particles.weights
        learned = weights.log_means[:, None] - left_out(particles.log_weights)
        shares = weights.shares
        figures = {"signal_variance": float(learned.var())}
        return Credit(shares, learned - shares, figures=figures)
