"""The M-step as training takes it: from the latents of one minibatch to the next state of the parameters.

By gradients, with momentum and a falling rate, or for Gaussian units in closed form from fading statistics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.lrbn.model import LRBNParams, Visible, activation, log_joint_given
from lrbn_viz.lrbn.regression import (
    GaussianStatistics,
    gaussian_statistics,
    gradient_given,
    regress,
    solve_gaussian,
)
from lrbn_viz.numerics import softplus

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
class MStep:
    """How parameters are learned from images and their latents.

    Parameters
    ----------
    n_h : int
        Latent units.
    visible : {"bernoulli", "gaussian"}
    prior : {"learned", "flat", "warmed"}
        "flat" holds d at 0. "warmed" does so at first: d's share of the learning rate rises from 0 to 1
        between `warm_up` and twice as many minibatches, so that units are in use before the prior can give
        them up.
    warm_up : float
        Minibatches for which a warmed prior stays flat.
    m_step : {"gradient", "closed_form"}
        "closed_form" is for Gaussian units.
    learning_rate : float
        Step along the gradient of the mean log joint of a minibatch.
    momentum : float
        Share of the last step that is repeated.
    decay_steps : float
        Minibatches after which the learning rate has halved; it falls as ``1 / (1 + step / decay_steps)``.
    learning_rate_end : float, optional
        The last step's learning rate, in the place of `decay_steps`: it falls exponentially over the steps of
        the run, whose number must be known.
    weight_decay : float
        L2 shrinkage of W by gradients, apart from these: each step takes ``rate * weight_decay * W`` off, and
        none of it enters the momentum. The closed form has `ridge` in its place.
    decay_b : bool
        Whether b shrinks as well. For a layer above the first it does (DeepHardEM sees to that): with W and b
        at 0 the latents below are fair coins, so that shrinkage pulls towards a flat prior over them. The b
        of pixels holds the mean image and is left alone.
    ridge : float
        Of the closed form, in units of images.
    memory : float
        Share of the old statistics that a closed-form step keeps.
    average : float
        Share of a run's steps, its last ones, over which the training loop averages the parameters (Polyak
        and Juditsky, 1992); below 1, and 0 for none. A constant rate leaves parameters moving about an
        optimum; their mean lies nearer to it.
    """

    n_h: int = 200
    visible: Visible = "bernoulli"
    prior: Prior = "learned"
    warm_up: float = 1000.0
    m_step: Literal["gradient", "closed_form"] = "gradient"
    learning_rate: float = 0.25
    momentum: float = 0.0
    decay_steps: float = float("inf")
    learning_rate_end: float | None = None
    weight_decay: float = 0.0
    decay_b: bool = False
    ridge: float = 1.0
    memory: float = 0.9
    average: float = 0.0

    def __post_init__(self) -> None:
        if self.weight_decay and self.m_step == "closed_form":
            raise ValueError(
                f"weight_decay is of the gradient M-step, got {self.weight_decay} with the closed form; set "
                "ridge, which shrinks W there."
            )
        if self.learning_rate_end is not None and self.decay_steps < np.inf:
            raise ValueError(
                f"learning_rate_end = {self.learning_rate_end} and decay_steps = {self.decay_steps} are two "
                "ways for the learning rate to fall; give one of them."
            )

    def from_params(self, params: LRBNParams) -> HardEMState:
        """Return the state that goes on training from given parameters."""
        params = LRBNParams(np.ascontiguousarray(params.W.T).T, params.b, params.d)
        n = self.n_h + 1 if self.m_step == "closed_form" else 0
        statistics = GaussianStatistics(np.zeros((n, n)), np.zeros((params.n_v if n else 0, n)))
        return HardEMState(params, LRBNParams(*(np.zeros_like(p) for p in params)), statistics, 0)

    def learn(self, state: HardEMState, X: NDArray, H: NDArray) -> tuple[HardEMState, dict[str, float]]:
        """Return the state after the M-step on pairs of rows (float64), and figures about it."""
        params = state.params
        raised = None
        if self.visible == "bernoulli":
            rate = self._rate(state.step)
            slope, raised, squares, fit, wrong = regress(params, X, H, 1.0 - rate * self.weight_decay, rate)
            # Not a product of matrices, which would wake the threads of the BLAS library.
            joint = float((fit + (H * params.d).sum(axis=1)).mean() - softplus(params.d).sum())
        else:
            a = activation(params, H)
            slope = gradient_given(params, self.visible, X, H, a)
            squares = sum(np.vdot(g.T, g.T) for g in slope)
            joint = float(log_joint_given(params, self.visible, X, H, a).mean())
            wrong = ((X - a) ** 2).sum(axis=1)
        if not np.isfinite(joint):
            raise FloatingPointError(
                f"log P(x, h) became {joint} at step {state.step + 1}: training diverged. "
                "Lower learning_rate."
            )
        if self.m_step == "closed_form":
            new = self._closed_form(state, X, H)
        else:
            new = self._ascend(state, slope, raised)
        return new, {
            "log_joint": joint,
            "wrong_pixels": float(wrong.mean()),
            "gradient_norm": float(np.sqrt(squares)),
            "units_on": float(H.mean()),
        }

    def _rate(self, step: int) -> float:
        return self.learning_rate / (1.0 + step / self.decay_steps)

    def _prior_share(self, step: int) -> float:
        """Share of the learning rate that the prior gets."""
        if self.prior == "warmed":
            return float(np.clip(step / self.warm_up - 1.0, 0.0, 1.0))
        return float(self.prior == "learned")

    def _ascend(self, state: HardEMState, slope: LRBNParams, raised: NDArray | None) -> HardEMState:
        """Take a step; `raised` is where it takes W if there is no momentum, None if that is not known."""
        rate = self._rate(state.step)
        velocity = slope
        if self.momentum:
            raised = None
            velocity = LRBNParams(
                *(self.momentum * v + g for v, g in zip(state.velocity, slope, strict=True))
            )
        params = state.params
        if raised is None:
            raised = params.W + rate * velocity.W
            if self.weight_decay:
                raised = raised - rate * self.weight_decay * params.W
        b = params.b + rate * velocity.b
        d = params.d + rate * self._prior_share(state.step) * velocity.d
        if self.weight_decay and self.decay_b:
            b = b - rate * self.weight_decay * params.b
        new = LRBNParams(raised, b, d)
        return state._replace(params=new, velocity=velocity, step=state.step + 1)

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

    @property
    def planned(self) -> tuple[str, ...]:
        """Settings that need to know how many steps the run has."""
        given = {"learning_rate_end": self.learning_rate_end is not None, "average": self.average > 0}
        return tuple(name for name, is_given in given.items() if is_given)

    def at(self, share: float) -> Self:
        """Return this with the learning rate that it has after a share of all steps but the last."""
        if self.learning_rate_end is None:
            return self
        rate = self.learning_rate ** (1.0 - share) * self.learning_rate_end**share
        return replace(self, learning_rate=rate, learning_rate_end=None)

    def slowed(self, factor: float) -> Self:
        """Return this with learning rates times a factor."""
        end = self.learning_rate_end
        return replace(
            self,
            learning_rate=self.learning_rate * factor,
            learning_rate_end=None if end is None else end * factor,
        )

    def parameters(self, state: HardEMState) -> tuple[NDArray, ...]:
        """Return W, b and d."""
        return tuple(state.params)

    def with_parameters(self, state: HardEMState, parameters: tuple[NDArray, ...]) -> HardEMState:
        """Return the state with another W, b and d."""
        return state._replace(params=LRBNParams(*parameters))

    def gradient_norm(self, before: HardEMState, after: HardEMState) -> float:
        """Return the size of one step's change of all parameters, per unit of learning rate."""
        pairs = zip(before.params, after.params, strict=True)
        size = float(np.sqrt(sum(np.vdot((new - old).T, (new - old).T) for old, new in pairs)))
        return size if self.m_step == "closed_form" else size / self._rate(before.step)
