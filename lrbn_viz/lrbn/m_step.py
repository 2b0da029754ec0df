"""The M-step of training: from the latents of one minibatch to the next state of the parameters.

By gradients, with momentum and a falling rate, or for Gaussian units in closed form from fading statistics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import Choice, Flag, Real, When, declare, documented
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import Interval
from lrbn_viz.kernels.steps import falling_rate
from lrbn_viz.lrbn.model import Visible, activation, log_joint_given
from lrbn_viz.lrbn.regression import (
    FIGURES,
    PRIORS,
    GaussianStatistics,
    GradientSteps,
    Rows,
    ascend,
    ascent_at,
    gaussian_statistics,
    gradient_given,
    prior_share,
    regress,
    rows_of,
    solve_gaussian,
    solve_gaussian_nonnegative,
)
from lrbn_viz.training.settings import (
    AVERAGE,
    DECAY_STEPS,
    LATENT_UNITS,
    LEARNING_RATE,
    LEARNING_RATE_END,
    POSITIVE,
    VISIBLE,
    WEIGHT_DECAY,
    FallingRate,
    check_one_fall,
)

Prior = Literal["learned", "flat", "warmed"]

BY_GRADIENT: When = ({"visible": ("bernoulli",)}, {"m_step": ("gradient",)})
IN_CLOSED_FORM: When = ({"visible": ("gaussian",), "m_step": ("auto", "closed_form")},)


class HardEMState(NamedTuple):
    """Parameters, and the statistics that the M-step keeps from one minibatch to the next.

    Attributes
    ----------
    params : LayerParams
    velocity : LayerParams
        Running sum of past gradients, for momentum.
    statistics : GaussianStatistics
        Empty unless the M-step is in closed form.
    step : int
        Minibatches seen.
    """

    params: LayerParams
    velocity: LayerParams
    statistics: GaussianStatistics
    step: int


@documented
@dataclass(frozen=True)
class MStep(FallingRate):
    """Learning of the parameters from images and their latents."""

    n_h: int = declare(LATENT_UNITS, 200)
    visible: Visible = declare(VISIBLE, "bernoulli")
    prior: Prior = declare(
        Choice(
            "Prior",
            None,
            "A learned prior (d) makes a likelier model, a flat one (d = 0) reconstructs better.",
            details='"warmed" holds d where it begins and then learns it, so that more units stay in use.',
            choices={"learned": "learned", "flat": "flat", "warmed": "warmed up"},
        ),
        "learned",
    )
    warm_up: float = declare(
        Real(
            "Prior held for",
            "minibatches",
            "A warmed prior stays flat for so long.",
            details="Its share of the learning rate then rises from 0 to 1 over as many minibatches.",
            bounds=POSITIVE,
            when=({"prior": ("warmed",)},),
        ),
        1000.0,
    )
    m_step: Literal["gradient", "closed_form"] = declare(
        Choice(
            "M-step",
            None,
            "The regression of x on the latents: by gradient, or for Gaussian units in closed form.",
            choices={"gradient": "gradient", "closed_form": "closed form"},
            when=({"visible": ("gaussian",)},),
            fixed="The closed form carries its own statistics: begin a new run to change it.",
        ),
        "gradient",
    )
    learning_rate: float = declare(LEARNING_RATE, 0.25, when=BY_GRADIENT)
    momentum: float = declare(
        Real(
            "Momentum",
            None,
            "Share of the last step that is repeated.",
            bounds=Interval(0, 1),
            when=BY_GRADIENT,
        ),
        0.0,
    )
    decay_steps: float = declare(DECAY_STEPS, np.inf, when=BY_GRADIENT)
    learning_rate_end: float | None = declare(LEARNING_RATE_END, None, when=BY_GRADIENT)
    weight_decay: float = declare(
        WEIGHT_DECAY,
        0.0,
        details="It does not enter the momentum. The closed form has `ridge` in its place.",
        when=BY_GRADIENT,
    )
    decay_b: bool = declare(
        Flag(
            "Weight decay of b",
            None,
            "Whether the offsets b shrink as well.",
            # With W and b at 0 the latents below are fair coins.
            details="In a layer above the first they do, towards a flat prior over the latents below. The "
            "b of pixels holds the mean image and is left alone.",
            when=BY_GRADIENT,
        ),
        False,
    )
    ridge: float = declare(
        Real(
            "Ridge penalty (L2)",
            "images",
            "Shrinkage of W in the closed-form M-step.",
            bounds=POSITIVE,
            when=IN_CLOSED_FORM,
        ),
        1.0,
    )
    memory: float = declare(
        Real(
            "Memory of the statistics",
            None,
            "Share of the old statistics that a closed-form step keeps.",
            bounds=Interval(0, 1),
            when=IN_CLOSED_FORM,
        ),
        0.9,
    )
    nonnegative: bool = declare(
        Flag(
            "Weights at or above 0",
            None,
            "Units can add to the image and take nothing away; each learns a part, such as a stroke.",
            details="A weight that a step takes below 0 becomes 0 (projected gradient); the closed form "
            "solves the least squares with that bound. Parts that cannot cancel each other must fit by "
            "themselves (Lee and Seung, 1999). Training begins with parts of training images. What the "
            "other units do to a unit's log-odds is then never above 0: they explain it away.",
        ),
        False,
    )
    average: float = declare(AVERAGE, 0.0)

    def __post_init__(self) -> None:
        if self.weight_decay and self.m_step == "closed_form":
            raise ValueError(
                f"weight_decay applies to the gradient M-step only, got {self.weight_decay} with the closed "
                "form; set ridge, which shrinks W there."
            )
        check_one_fall(self.learning_rate_end, self.decay_steps)

    def from_params(self, params: LayerParams) -> HardEMState:
        """Return the state that continues training from given parameters."""
        params = LayerParams(np.ascontiguousarray(params.W.T).T, params.b, params.d)
        n = self.n_h + 1 if self.m_step == "closed_form" else 0
        statistics = GaussianStatistics(np.zeros((n, n)), np.zeros((params.n_v if n else 0, n)))
        return HardEMState(params, LayerParams(*(np.zeros_like(p) for p in params)), statistics, 0)

    def learn(self, state: HardEMState, X: NDArray, H: NDArray) -> tuple[HardEMState, dict[str, float]]:
        """Return the state after the M-step on pairs of rows (float64), and the step's figures."""
        params = state.params
        updated = None
        if self.visible == "bernoulli":
            how = ascent_at(self._steps, state.step)
            updated, gradient, *_, found = regress(params, X, H, how.keep, how.rate)
            figures: dict[str, float] = dict(zip(FIGURES, found.tolist(), strict=True))
        else:
            a = activation(params, H)
            gradient = gradient_given(params, self.visible, X, H, a)
            figures = {
                "log_joint": float(log_joint_given(params, self.visible, X, H, a).mean()),
                "wrong_pixels": float(np.nansum((X - a) ** 2, axis=1).mean()),  # of what is known
                "gradient_norm": float(np.sqrt(sum(np.vdot(g.T, g.T) for g in gradient))),
                "units_on": float(H.mean()),
            }
        if not np.isfinite(figures["log_joint"]):
            raise FloatingPointError(
                f"log P(x, h) became {figures['log_joint']} at step {state.step + 1}: training diverged. "
                "Lower learning_rate."
            )
        if self.m_step == "closed_form":
            # What is not known is replaced by its mean given the latents: a step of EM.
            new = self._closed_form(state, np.where(np.isnan(X), a, X), H)
        else:
            new = self._ascend(state, gradient, updated)
        return new, figures

    def _rate(self, step: int) -> float:
        return falling_rate(self.learning_rate, self.decay_steps, step)

    def _prior_share(self, step: int) -> float:
        """Factor on the learning rate for the prior."""
        return prior_share(PRIORS[self.prior], float(self.warm_up), step)

    @property
    def _steps(self) -> GradientSteps:
        """The settings of all gradient steps."""
        return GradientSteps(
            learning_rate=float(self.learning_rate),
            decay_steps=float(self.decay_steps),
            weight_decay=float(self.weight_decay),
            decay_b=bool(self.decay_b),
            prior=PRIORS[self.prior],
            warm_up=float(self.warm_up),
            momentum=float(self.momentum),
            nonnegative=bool(self.nonnegative),
        )

    def _ascend(self, state: HardEMState, gradient: LayerParams, updated: NDArray | None) -> HardEMState:
        """Take a step; `updated` is the new W of a step without momentum, None if that is not known."""
        how = ascent_at(self._steps, state.step)
        slope, old = rows_of(gradient), rows_of(state.params)
        velocity = Rows(*(a.copy() for a in rows_of(state.velocity))) if self.momentum else slope
        if updated is None:
            updated = (how.keep * old.rows + how.rate * slope.rows).T
        new = Rows(updated.T, np.empty_like(old.b), np.empty_like(old.d))
        ascend(old, slope, how, velocity, new)
        return state._replace(params=new.params, velocity=velocity.params, step=state.step + 1)

    def _closed_form(self, state: HardEMState, X: NDArray, H: NDArray) -> HardEMState:
        new = gaussian_statistics(X, H)
        # Statistics of past minibatches fade, because they were inferred with older parameters.
        statistics = GaussianStatistics(
            *(self.memory * s + n for s, n in zip(state.statistics, new, strict=True))
        )
        if self.nonnegative:
            W, b = solve_gaussian_nonnegative(statistics, self.ridge, state.params.W)
        else:
            W, b = solve_gaussian(statistics, self.ridge)
        d = state.params.d
        if self._prior_share(state.step) > 0.5:  # without a rate: the prior has its full weight at once
            # Posterior mean under a uniform prior on P(h_j = 1): a unit that is never on keeps finite
            # log-odds.
            counts = statistics.gg[-1]
            share = (counts[:-1] + 1.0) / (counts[-1] + 2.0)
            d = np.log(share) - np.log1p(-share)
        return state._replace(params=LayerParams(W, b, d), statistics=statistics, step=state.step + 1)

    def slowed(self, factor: float) -> Self:
        """Return the settings with learning rates multiplied by a factor."""
        end = self.learning_rate_end
        return replace(
            self,
            learning_rate=self.learning_rate * factor,
            learning_rate_end=None if end is None else end * factor,
        )

    def parameters(self, state: HardEMState) -> dict[str, NDArray]:
        """Return W, b and d."""
        return state.params._asdict()

    def with_parameters(self, state: HardEMState, parameters: Mapping[str, NDArray]) -> HardEMState:
        """Return the state with W, b and d replaced."""
        return state._replace(params=LayerParams(**parameters))

    def gradient_norm(self, before: HardEMState, after: HardEMState) -> float:
        """Return the size of one step's change of all parameters, per unit of learning rate."""
        pairs = zip(before.params, after.params, strict=True)
        size = float(np.sqrt(sum(np.vdot((new - old).T, (new - old).T) for old, new in pairs)))
        return size if self.m_step == "closed_form" else size / self._rate(before.step)
