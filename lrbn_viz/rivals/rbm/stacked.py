"""Training of a model of two RBMs: the upper one learns from the latents of the lower one, and then both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from lrbn_viz.core.fields import check_fields, declare
from lrbn_viz.core.model import LayerParams
from lrbn_viz.rivals.rbm.model import log_partition
from lrbn_viz.rivals.rbm.partition import Start, partition_weights
from lrbn_viz.rivals.rbm.settings import GIBBS_STEPS, PERSISTENT_CHAINS, SAMPLE_SWEEPS, checked_images
from lrbn_viz.rivals.rbm.system import RBMSystem
from lrbn_viz.rivals.sbn.settings import BINARY_VISIBLE
from lrbn_viz.training.settings import LATENT_UNITS
from lrbn_viz.training.staged import S, StagedSystem, check_shares

FIRST = 1
"""Stage in which the lower layer learns."""
MAX_ENUMERATED_UNITS = 10
"""Largest number of units of a layer of an RBM over whose states an estimate sums Z."""

TOP_UNITS = replace(
    LATENT_UNITS,
    label="Upper latent units",
    help="Latent units of the upper layer, which are linked to the lower latents.",
)


@dataclass(frozen=True)
class StackedRBMs(StagedSystem[S]):
    """Training of two RBMs in stages; states have the parameters of both by name: W, b, d, U, e and others.

    Attributes
    ----------
    shares : (str, str)
        Settings that are shares of the steps, of two stages.
    last : str
        Purpose of the steps that these leave, such as "for the RBM on top".
    learned : mapping from stage to names
        Parameters that learn in a stage; in others all do.
    temperatures, chains : int
        Numbers of temperatures and chains of the annealing that estimates the Z of larger models.
    """

    shares: ClassVar[tuple[str, str]]
    last: ClassVar[str]
    learned: ClassVar[Mapping[int, tuple[str, ...]]]
    temperatures: ClassVar[int]
    chains: ClassVar[int]

    n_h: int = declare(LATENT_UNITS, 200)
    visible: Literal["bernoulli"] = declare(BINARY_VISIBLE, "bernoulli")
    n_top: int = declare(TOP_UNITS, 200)
    n_gibbs: int = declare(GIBBS_STEPS, 1)
    n_particles: int = declare(PERSISTENT_CHAINS, 20)
    n_sample_sweeps: int = declare(SAMPLE_SWEEPS, 200)
    stage: int = field(default=FIRST, repr=False)
    """Stage of a step, unless the state is in a later one."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_shares({name: getattr(self, name) for name in self.shares}, self.last)

    def images_of(self, state: S, batch: NDArray) -> NDArray[np.uint8]:
        """Return the images of a minibatch, binary."""
        return checked_images(batch, self.visible, len(self.weights(state)))

    def rbm(self, n_h: int) -> RBMSystem:
        """Return the training of an RBM of so many latents, at the present learning rate."""
        shared = {each.name for each in fields(RBMSystem)} & {each.name for each in fields(self)}
        return RBMSystem(n_h, **{name: getattr(self, name) for name in shared - {"n_h", "learning_rate_end"}})

    def gradient_norm(self, before: S, after: S) -> float:
        """Return the size of one step's change of the stage's parameters, per unit of learning rate.

        Parameters that follow from others are omitted.
        """
        old, new = self.parameters(before), self.parameters(after)
        of_state: Any = after
        learned = self.learned.get(of_state.stage, tuple(new))
        change = sum(float(np.square(new[name] - old[name]).sum()) for name in learned)
        return math.sqrt(change) / self.learning_rate

    def estimated_log_partition(
        self, rbm: LayerParams, visibles: NDArray, latents: NDArray, rng: np.random.Generator
    ) -> float:
        """Return log Z of an RBM, summed for small layers, else annealed from independent units.

        Parameters
        ----------
        visibles, latents : (n_v,), (n_h,) float64
            Means of the units, with which annealing begins; any will do, and those of images are near.
        """
        if min(rbm.W.shape) <= MAX_ENUMERATED_UNITS:
            return log_partition(rbm)
        start = Start(*(logit(np.clip(means, 0.01, 0.99)) for means in (visibles, latents)))
        betas = np.linspace(0.0, 1.0, self.temperatures + 1)
        weights = partition_weights(rbm, "bernoulli", start, betas, self.chains, rng)
        return float(np.logaddexp.reduce(weights) - np.log(self.chains))
