"""Learning by hard EM (Algorithm 1): infer the latents of a minibatch, then regress x on them.

The E-step is any inference of :mod:`lrbn_viz.lrbn.icm`; the M-step is a logistic or a linear regression with
complete data. The prior is learned with the rest or held flat; this decides between a likelier model and a
richer code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.lrbn.icm import BatchInference, infer_batch, prepare
from lrbn_viz.lrbn.model import (
    LRBNParams,
    Start,
    Visible,
    activation,
    log_joint,
    log_joint_given,
    most_probable_visible,
    sample_prior,
    sample_visible,
    visible_mean,
)
from lrbn_viz.lrbn.regression import GaussianStatistics, gaussian_statistics, gradient_given, solve_gaussian
from lrbn_viz.lrbn.stepping import cooling
from lrbn_viz.system import UNKNOWN

EStep = Literal["icm", "annealed", "gibbs"]
Prior = Literal["learned", "flat", "warmed"]


class HardEMState(NamedTuple):
    """Parameters and what the M-step carries from one minibatch to the next.

    Attributes
    ----------
    params : LRBNParams
    velocity : LRBNParams
        Running sum of past gradients, for momentum.
    statistics : GaussianStatistics
        Empty unless the M-step is in closed form.
    step : int
        Minibatches seen.
    """

    params: LRBNParams
    velocity: LRBNParams
    statistics: GaussianStatistics
    step: int


@dataclass(frozen=True)
class HardEM:
    """Hard EM of one layer, behind the System protocol.

    Parameters
    ----------
    n_h : int
        Latent units.
    visible : {"bernoulli", "gaussian"}
    prior : {"learned", "flat", "warmed"}
        "flat" holds d at 0. "warmed" does so at first: d's share of the learning rate rises from 0 to 1
        between `warm_up` and twice as many minibatches, so that units are in use before the prior can give
        them up.
    start : {"conditional", "paper", "zeros", "random"}
        Start of each image's inference.
    e_step : {"icm", "annealed", "gibbs"}
        "icm" is the paper's. "annealed" cools for `warm_sweeps` before it. "gibbs" takes the state after
        `warm_sweeps` of Gibbs sampling: stochastic EM.
    m_step : {"gradient", "closed_form"}
        "closed_form" is for Gaussian units.
    learning_rate : float
        Step along the gradient of the mean log joint of a minibatch.
    momentum : float
        Share of the last step that is repeated.
    decay_steps : float
        Minibatches after which the learning rate has halved; it falls as ``1 / (1 + step / decay_steps)``.
    max_sweeps : int
        Bound on the sweeps of ICM.
    warm_sweeps : int
        Sweeps of annealing or Gibbs sampling.
    hottest, coldest : float
        Temperatures between which annealing cools.
    ridge : float
        Of the closed form, in units of images.
    memory : float
        Share of the old statistics that a closed-form step keeps.
    warm_up : float
        Minibatches for which a warmed prior stays flat.
    persistent : bool
        Inference of a training image starts where it ended a pass before, not at `start`: with "gibbs" one
        sweep per pass then samples the posterior ever better while the parameters settle.
    """

    n_h: int = 200
    visible: Visible = "bernoulli"
    prior: Prior = "learned"
    start: Start = "conditional"
    e_step: EStep = "icm"
    m_step: Literal["gradient", "closed_form"] = "gradient"
    learning_rate: float = 0.25
    momentum: float = 0.0
    decay_steps: float = float("inf")
    max_sweeps: int = 50
    warm_sweeps: int = 10
    hottest: float = 3.0
    coldest: float = 0.1
    ridge: float = 1.0
    memory: float = 0.9
    warm_up: float = 1000.0
    persistent: bool = False

    @property
    def memory_width(self) -> int:
        """Latents that training remembers of each image."""
        return self.n_h if self.persistent else 0

    def init_params(self, X: NDArray, rng: np.random.Generator) -> LRBNParams:
        """Small random weights, and offsets that reproduce the mean image."""
        n_v = X.shape[1]
        rows = rng.normal(0.0, 0.1, (self.n_h, n_v))
        mean = X.mean(axis=0)
        if self.visible == "bernoulli":
            mean = (X.sum(axis=0) + 0.5) / (len(X) + 1)
            b = np.log(mean) - np.log1p(-mean)
        else:
            b = mean
        # Half of the units are on at first: without this the mean image would be shifted by half of all
        # weights.
        return LRBNParams(rows.T, b - 0.5 * rows.sum(axis=0), np.zeros(self.n_h))

    def from_params(self, params: LRBNParams) -> HardEMState:
        """Return the state that goes on training from given parameters."""
        params = LRBNParams(np.ascontiguousarray(params.W.T).T, params.b, params.d)
        n = self.n_h + 1 if self.m_step == "closed_form" else 0
        statistics = GaussianStatistics(np.zeros((n, n)), np.zeros((params.n_v if n else 0, n)))
        return HardEMState(params, LRBNParams(*(np.zeros_like(p) for p in params)), statistics, 0)

    def infer(
        self,
        params: LRBNParams,
        X: NDArray,
        rng: np.random.Generator,
        method: EStep,
        *,
        dtype: type = np.float64,
        memory: NDArray[np.uint8] | None = None,
    ) -> BatchInference:
        """Return the latents of each image by the named method.

        It starts as `start` says, or where `memory` (n, n_h) holds states from them.
        """
        operands = prepare(params, self.visible, dtype)
        start: Start | NDArray[np.uint8] = self.start
        if memory is not None:
            start = memory.copy()
            new = memory[:, 0] == UNKNOWN
            if new.any():
                begun = infer_batch(params, self.visible, operands, X[new], self.start, np.zeros(0), 0, rng)
                start[new] = begun.H
        temperatures, max_sweeps = self.schedule(method)
        return infer_batch(params, self.visible, operands, X, start, temperatures, max_sweeps, rng)

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
        inference = self.infer(state.params, X, rng, self.e_step, dtype=np.float32, memory=memory)
        if memory is not None:
            memory[...] = inference.H
        new, figures = self.learn(state, X, inference.H.astype(np.float64))
        effort = {
            "flips": float(inference.flips.mean()),
            "sweeps": float(inference.visits.mean() / self.n_h),
        }
        return new, figures | effort

    def learn(self, state: HardEMState, X: NDArray, H: NDArray) -> tuple[HardEMState, dict[str, float]]:
        """Return the state after the M-step on pairs of rows (float64), and figures about it."""
        a = activation(state.params, H)
        slope = gradient_given(state.params, self.visible, X, H, a)
        joint = float(log_joint_given(state.params, self.visible, X, H, a).mean())
        if not np.isfinite(joint):
            raise FloatingPointError(
                f"log P(x, h) became {joint} at step {state.step + 1}: training diverged. "
                "Lower learning_rate."
            )
        new = self._closed_form(state, X, H) if self.m_step == "closed_form" else self._ascend(state, slope)
        wrong = (
            ((a > 0) != (X > 0)).sum(axis=1) if self.visible == "bernoulli" else ((X - a) ** 2).sum(axis=1)
        )
        return new, {
            "log_joint": joint,
            "wrong_pixels": float(wrong.mean()),
            "gradient_norm": float(np.sqrt(sum(np.vdot(g.T, g.T) for g in slope))),
            "units_on": float(H.mean()),
        }

    def _rate(self, step: int) -> float:
        return self.learning_rate / (1.0 + step / self.decay_steps)

    def _prior_share(self, step: int) -> float:
        """Share of the learning rate that the prior gets."""
        if self.prior == "warmed":
            return float(np.clip(step / self.warm_up - 1.0, 0.0, 1.0))
        return float(self.prior == "learned")

    def _ascend(self, state: HardEMState, slope: LRBNParams) -> HardEMState:
        rate = self._rate(state.step)
        velocity = slope
        if self.momentum:
            velocity = LRBNParams(
                *(self.momentum * v + g for v, g in zip(state.velocity, slope, strict=True))
            )
        rates = (rate, rate, rate * self._prior_share(state.step))
        W, b, d = (p + r * v for p, r, v in zip(state.params, rates, velocity, strict=True))
        return state._replace(params=LRBNParams(W, b, d), velocity=velocity, step=state.step + 1)

    def _closed_form(self, state: HardEMState, X: NDArray, H: NDArray) -> HardEMState:
        new = gaussian_statistics(X, H)
        # Statistics of past minibatches fade, because they were inferred with older parameters.
        statistics = GaussianStatistics(
            *(self.memory * s + n for s, n in zip(state.statistics, new, strict=True))
        )
        W, b = solve_gaussian(statistics, self.ridge)
        d = state.params.d
        if self._prior_share(state.step) > 0.5:  # a closed form has no rate: the prior comes in at once
            # Posterior mean under a uniform prior on P(h_j = 1): a unit that is never on keeps finite
            # log-odds.
            counts = statistics.gg[-1]
            share = (counts[:-1] + 1.0) / (counts[-1] + 2.0)
            d = np.log(share) - np.log1p(-share)
        return state._replace(params=LRBNParams(W, b, d), statistics=statistics, step=state.step + 1)

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
        return how.infer(state.params, X.astype(np.float64), rng, self.e_step).H

    def encode_factorised(self, state: HardEMState, X: NDArray) -> NDArray[np.uint8]:
        """Return each unit's likelier state given x and all others off; shape (n, n_h)."""
        params = state.params
        operands = prepare(params, self.visible)
        rng = np.random.default_rng(0)
        X = X.astype(np.float64)
        return infer_batch(params, self.visible, operands, X, "conditional", np.zeros(0), 0, rng).H

    def gradient_norm(self, before: HardEMState, after: HardEMState) -> float:
        """Return the size of one step's change of all parameters, per unit of learning rate."""
        pairs = zip(before.params, after.params, strict=True)
        size = float(np.sqrt(sum(np.vdot((new - old).T, (new - old).T) for old, new in pairs)))
        return size if self.m_step == "closed_form" else size / self._rate(before.step)

    def decode(self, state: HardEMState, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of `H`."""
        return visible_mean(state.params, self.visible, H)

    def sample(self, state: HardEMState, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images by ancestral sampling."""
        return sample_visible(state.params, self.visible, sample_prior(state.params, n, rng), rng)
