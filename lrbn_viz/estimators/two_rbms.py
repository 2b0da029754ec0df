"""What models that learn as two RBMs, one on the other, share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import fields_of
from lrbn_viz.core.model import LayerParams, PassInput, Progress, draw_binary
from lrbn_viz.estimators.both import BothLayers
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.lrbn.regression import row_sums
from lrbn_viz.rivals.rbm.model import MAX_ENUMERATED, log_partition
from lrbn_viz.rivals.rbm.partition import partition_weights, start_of
from lrbn_viz.rivals.rbm.pseudo_likelihood import PSEUDO, PSEUDO_TITLE, VALIDATED_PIXELS
from lrbn_viz.rivals.rbm.stacked import StackedRBMs

MIN_CHAINS = 100
"""Persistent chains at least. By 20 chains the gradient is so uncertain that 40 passes over 4,700 images of
MNIST diverged.
"""
PARTICLES = replace(
    fields_of(StackedRBMs)["n_particles"],
    default=None,
    none=f"as many as a minibatch has images, at least {MIN_CHAINS}",
)


class TwoRBMs(BothLayers):
    """A model that learns as two RBMs, and has the normaliser of one.

    Attributes
    ----------
    system : type of StackedRBMs
        Its training.
    """

    system: ClassVar[type[StackedRBMs[Any]]]

    draws_passes: ClassVar[bool] = True
    score_name: ClassVar[str] = PSEUDO
    score_title: ClassVar[str] = f"{PSEUDO_TITLE}, of {VALIDATED_PIXELS} pixels"
    trace_options: ClassVar[frozenset[str]] = frozenset({"clamp"})

    @property
    @abstractmethod
    def normalised(self) -> LayerParams:
        """The RBM whose normaliser Z is that of the model."""

    @property
    @abstractmethod
    def _upper(self) -> LayerParams:
        """W (n_h, n_top) of the upper layer, the biases of the lower latents and those of the upper ones."""

    def _message_up(self, x: Any) -> Any:
        """Return what an image adds to the log-odds of the lower latents in a pass of generation; (n_h,)."""
        return 0.0

    def make_system(self) -> StackedRBMs[Any]:
        """Return the training system, with the current settings."""
        shared = self._shared_with(self.system)
        chains = shared["n_particles"] or max(self.batch_size, MIN_CHAINS)
        return self.system(**{**shared, "n_particles": chains})

    def state_from(self, params: Any, rng: np.random.Generator) -> Any:
        """Return a state of training that begins at given parameters."""
        system: Any = self.make_system()
        return system.resume(params, rng)

    def log_normaliser(self) -> float | None:
        """Return log Z, a sum over a layer of the RBM of at most 20 units; None where both have more."""
        rbm = self.normalised
        return None if min(rbm.W.shape) > MAX_ENUMERATED else log_partition(rbm)

    def annealed_normaliser(
        self, n_temperatures: int, n_chains: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Return log weights of chains whose mean weight is Z (Salakhutdinov and Murray 2008)."""
        betas, rbm = np.linspace(0.0, 1.0, n_temperatures + 1), self.normalised
        return partition_weights(rbm, "bernoulli", start_of(rbm), betas, n_chains, rng, progress)

    def draw_pass(self, given: PassInput) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return a sweep of Gibbs sampling: g given h, then h given g, and the image if it counts; (n,)."""
        (U, d, e), (x, before, uniforms, held) = self._upper, given
        n_h = len(d)
        upper = sigmoid(row_sums(U, e, before[None, :n_h])[0])
        g = draw_binary(uniforms[n_h:], upper, held, n_h)
        lower = sigmoid(row_sums(U.T, d + self._message_up(x), g[None])[0])
        return np.hstack([draw_binary(uniforms[:n_h], lower, held), g]), np.hstack([lower, upper])
