"""The top layer of a model with targets, learned while its latents are observed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.system import Memory
from lrbn_viz.lrbn.hard_em import HardEM, HardEMState


@dataclass(frozen=True)
class OnTargets(HardEM):
    """The top layer learned with its latents observed: regression on complete data (equation 23).

    Its latents are the last columns of every batch, so that there is nothing to infer or to remember.
    """

    @classmethod
    def of(cls, layer: HardEM) -> Self:
        """Return a layer with the training of the given one, on targets."""
        return cls(**{**vars(layer), "persistent": False})

    def init(self, X: NDArray, rng: np.random.Generator) -> HardEMState:
        """Return the layer before training."""
        return super().init(X[:, : -self.n_h], rng)

    def step(
        self, state: HardEMState, batch: NDArray, rng: np.random.Generator, memory: Memory = None
    ) -> tuple[HardEMState, dict[str, float]]:
        """One step of the regression."""
        X, T = np.split(batch.astype(np.float64), [batch.shape[1] - self.n_h], axis=1)
        return self.learn(state, X, T)

    def validate(self, state: HardEMState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the mean log joint of held-out codes and targets (the score)."""
        figures = self.step(state, X, rng)[1]
        return {"score": figures["log_joint"]}

    def encode(self, state: HardEMState, X: NDArray) -> NDArray[np.uint8]:
        """Return the targets, which are observed."""
        return X[:, -self.n_h :].astype(np.uint8)

    encode_factorised = encode
