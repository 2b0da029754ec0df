"""Learning by hard EM (Algorithm 1): infer the latents of a minibatch, then regress x on them.

The E-step is any inference of :mod:`lrbn_viz.lrbn.icm`; the M-step is a logistic or a linear regression with
complete data. The prior is learned with the rest or held flat; this decides between a likelier model and a
richer code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.lrbn.icm import BatchInference, infer_batch
from lrbn_viz.lrbn.m_step import HardEMState, MStep
from lrbn_viz.lrbn.model import (
    LRBNParams,
    Start,
    log_joint,
    most_probable_visible,
    sample_prior,
    sample_visible,
    visible_mean,
)
from lrbn_viz.lrbn.operands import prepare
from lrbn_viz.lrbn.stepping import cooling
from lrbn_viz.system import UNKNOWN

EStep = Literal["icm", "annealed", "gibbs"]


@dataclass(frozen=True)
class HardEM(MStep):
    """Hard EM of one layer, behind the System protocol.

    Parameters
    ----------
    n_h, visible, prior, m_step, learning_rate and others
        As in :class:`~lrbn_viz.lrbn.m_step.MStep`.
    weight_scale : float
        Standard deviation of the weights before training.
    start : {"conditional", "paper", "zeros", "random"}
        Start of each image's inference.
    e_step : {"icm", "annealed", "gibbs"}
        "icm" is the paper's. "annealed" cools for `warm_sweeps` before it. "gibbs" takes the state after
        `warm_sweeps` of Gibbs sampling: stochastic EM.
    max_sweeps : int
        Bound on the sweeps of ICM.
    warm_sweeps : int
        Sweeps of annealing or Gibbs sampling.
    hottest, coldest : float
        Temperatures between which annealing cools.
    persistent : bool
        Inference of a training image starts where it ended a pass before, not at `start`: with "gibbs" one
        sweep per pass then samples the posterior ever better while the parameters settle.
    likelihood_weight : float
        Exponent of P(x | h) in the E-step, which infers latents from ``P(x | h)**likelihood_weight P(h)``: as
        if every image were seen so many times over. Above 1 latents follow the image more and the prior less,
        which buys fewer wrong pixels; at 1 this is hard or stochastic EM proper. Inference with the trained
        model has none of it, nor have validation and the log joint that is told.
    """

    weight_scale: float = 0.1
    start: Start = "conditional"
    e_step: EStep = "icm"
    max_sweeps: int = 50
    warm_sweeps: int = 10
    hottest: float = 3.0
    coldest: float = 0.1
    persistent: bool = False
    likelihood_weight: float = 1.0

    @property
    def memory_width(self) -> int:
        """Latents that training remembers of each image."""
        return self.n_h if self.persistent else 0

    def init_params(self, X: NDArray, rng: np.random.Generator) -> LRBNParams:
        """Small random weights, and offsets that reproduce the mean image."""
        n_v = X.shape[1]
        rows = rng.normal(0.0, self.weight_scale, (self.n_h, n_v))
        mean = X.mean(axis=0)
        if self.visible == "bernoulli":
            mean = (X.sum(axis=0) + 0.5) / (len(X) + 1)
            b = np.log(mean) - np.log1p(-mean)
        else:
            b = mean
        # Half of the units are on at first: without this the mean image would be shifted by half of all
        # weights.
        return LRBNParams(rows.T, b - 0.5 * rows.sum(axis=0), np.zeros(self.n_h))

    def infer(
        self,
        params: LRBNParams,
        X: NDArray,
        rng: np.random.Generator,
        method: EStep,
        *,
        dtype: type = np.float64,
        memory: NDArray[np.uint8] | None = None,
        weight: float = 1.0,
    ) -> BatchInference:
        """Return the latents of each image by the named method.

        It starts as `start` says, or where `memory` (n, n_h) holds states from them. `weight` is the exponent
        of the likelihood.
        """
        # d + weight L > T logit(u), the weighted visit at temperature T, is d / weight + L > T / weight
        # logit(u): the ordinary one with another prior and another temperature.
        params = params._replace(d=params.d / weight)
        operands = prepare(params, self.visible, dtype)
        start: Start | NDArray[np.uint8] = self.start
        if memory is not None:
            start = memory.copy()
            new = memory[:, 0] == UNKNOWN
            if new.any():
                begun = infer_batch(params, self.visible, operands, X[new], self.start, np.zeros(0), 0, rng)
                start[new] = begun.H
        temperatures, max_sweeps = self.schedule(method)
        return infer_batch(params, self.visible, operands, X, start, temperatures / weight, max_sweeps, rng)

    def schedule(self, method: EStep) -> tuple[NDArray[np.float64], int]:
        """Return the temperature of each sweep before ICM, and the bound on ICM's own sweeps."""
        if method == "gibbs":
            return np.ones(self.warm_sweeps), 0
        n_warm = self.warm_sweeps if method == "annealed" else 0
        return cooling(n_warm, self.hottest, self.coldest), self.max_sweeps

    def init(self, X: NDArray, rng: np.random.Generator) -> HardEMState:
        """Return the state before training."""
        return self.from_params(self.init_params(X, rng))

    def step(
        self,
        state: HardEMState,
        batch: NDArray,
        rng: np.random.Generator,
        memory: NDArray[np.uint8] | None = None,
    ) -> tuple[HardEMState, dict[str, float]]:
        """One round of Algorithm 1 on a minibatch. Modified in place: `memory`, the latents' last states."""
        X = batch.astype(np.float64)
        # Single precision is enough here: its error of 1e-4 nats is far below what a minibatch changes.
        inference = self.infer(
            state.params,
            X,
            rng,
            self.e_step,
            dtype=np.float32,
            memory=memory,
            weight=self.likelihood_weight,
        )
        if memory is not None:
            memory[...] = inference.H
        new, figures = self.learn(state, X, inference.H.astype(np.float64))
        effort = {
            "flips": float(inference.flips.mean()),
            "sweeps": float(inference.visits.mean() / self.n_h),
        }
        return new, figures | effort

    def validate(self, state: HardEMState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the mean log joint (the score), wrong pixels and dead units of held-out images, by ICM."""
        X = X.astype(np.float64)
        H = self.infer(state.params, X, rng, "icm").H
        guess = most_probable_visible(state.params, self.visible, H)
        joint = float(log_joint(state.params, self.visible, X, H).mean())
        return {
            "score": joint,
            "log_joint": joint,
            "wrong_pixels": float(((guess - X) ** 2).sum(axis=1).mean()),
            "dead_units": float((~H.any(axis=0)).sum()),
        }

    def encode(self, state: HardEMState, X: NDArray) -> NDArray[np.uint8]:
        """Return MAP states by ICM from the start that `start` names; shape (n, n_h)."""
        return self.infer(state.params, X.astype(np.float64), np.random.default_rng(0), "icm").H

    def codes(self, state: HardEMState, X: NDArray, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Return what a layer above learns from: the states that the E-step infers; shape (n, n_h).

        A sampled E-step that starts from memory in training gets here, from nothing, as many sweeps as ICM
        may.
        """
        how = replace(self, warm_sweeps=max(self.warm_sweeps, self.max_sweeps)) if self.persistent else self
        X = X.astype(np.float64)
        return how.infer(state.params, X, rng, self.e_step, weight=self.likelihood_weight).H

    def encode_factorised(self, state: HardEMState, X: NDArray) -> NDArray[np.uint8]:
        """Return each unit's likelier state given x and all others off; shape (n, n_h)."""
        params = state.params
        operands = prepare(params, self.visible)
        rng = np.random.default_rng(0)
        X = X.astype(np.float64)
        return infer_batch(params, self.visible, operands, X, "conditional", np.zeros(0), 0, rng).H

    def decode(self, state: HardEMState, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of `H`."""
        return visible_mean(state.params, self.visible, H)

    def sample(self, state: HardEMState, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images by ancestral sampling."""
        return sample_visible(state.params, self.visible, sample_prior(state.params, n, rng), rng)
