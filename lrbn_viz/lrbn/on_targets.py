"""The top layer of a model with targets: what it learns while its latents are observed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.lrbn.hard_em import HardEM, HardEMState


@dataclass(frozen=True)
class OnTargets:
    """The top layer learned with its latents observed: regression on complete data (equation 23).

    Parameters
    ----------
    layer : HardEM
        How it learns; its latents are the last columns of every batch.
    """

    layer: HardEM

    def init(self, X: NDArray, rng: np.random.Generator) -> HardEMState:
        """Return the layer before training."""
        return self.layer.init(X[:, : -self.layer.n_h], rng)

    def step(
        self, state: HardEMState, batch: NDArray, rng: np.random.Generator
    ) -> tuple[HardEMState, dict[str, float]]:
        """One step of the regression."""
        X, T = np.split(batch.astype(np.float64), [batch.shape[1] - self.layer.n_h], axis=1)
        return self.layer.learn(state, X, T)

    def validate(self, state: HardEMState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the mean log joint of held-out codes and targets (the score)."""
        figures = self.step(state, X, rng)[1]
        return {"score": figures["log_joint"]}

    def encode(self, state: HardEMState, X: NDArray) -> NDArray[np.uint8]:
        """Return the targets, which are observed."""
        return X[:, -self.layer.n_h :].astype(np.uint8)

    encode_factorised = encode

    @property
    def planned(self) -> tuple[str, ...]:
        """Settings that need to know how many steps the run has."""
        return self.layer.planned

    def at(self, share: float) -> OnTargets:
        """Return this as it takes the step after a share of all others."""
        return OnTargets(self.layer.at(share))

    @property
    def average(self) -> float:
        """Share of the steps over which parameters are averaged."""
        return self.layer.average

    def parameters(self, state: HardEMState) -> tuple[NDArray, ...]:
        """Return what is averaged."""
        return self.layer.parameters(state)

    def with_parameters(self, state: HardEMState, parameters: tuple[NDArray, ...]) -> HardEMState:
        """Return the layer with other parameters."""
        return self.layer.with_parameters(state, parameters)

    def gradient_norm(self, before: HardEMState, after: HardEMState) -> float:
        """Return the size of one step's change of all parameters, per unit of learning rate."""
        return self.layer.gradient_norm(before, after)

    def decode(self, state: HardEMState, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of the codes given targets."""
        return self.layer.decode(state, H)

    def sample(self, state: HardEMState, n: int, rng: np.random.Generator) -> NDArray:
        """Draw codes and their targets from the layer."""
        return self.layer.sample(state, n, rng)
