"""LRBN as a scikit-learn estimator: a thin face over :class:`lrbn_viz.lrbn.HardEM`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.fields import Choice, Field, declare, documented, fields_of
from lrbn_viz.core.model import LayerParams, TraceMethod
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_choice, check_clamp, check_integer, check_numbers, generator
from lrbn_viz.estimators.layered import MEAN_FIELD_SWEEPS, TRACE_METHODS, Layered
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.lrbn.batch_em import BatchEM
from lrbn_viz.lrbn.hard_em import EStep, HardEM
from lrbn_viz.lrbn.m_step import IN_CLOSED_FORM, HardEMState, Prior
from lrbn_viz.lrbn.means.expected import ExactMoments, GaussianMoments
from lrbn_viz.lrbn.means.moments import Moments, TiltedMoments
from lrbn_viz.lrbn.means.trace import guess_trace, with_held
from lrbn_viz.lrbn.model import Start, Visible, evidence
from lrbn_viz.training.settings import PATIENCE

_HARD_EM, _BATCH_EM = fields_of(HardEM), fields_of(BatchEM)

SCHEDULE = Choice(
    "Schedule",
    None,
    "Whether the parameters learn from minibatches, or once in a pass from all images.",
    details='"batch" infers all images, then regresses them on all codes: Bernoulli pixels each by L-BFGS, '
    "Gaussian ones in closed form, the prior from counts. It can run on a cluster, with the same result. No "
    "learning rate, momentum or minibatch size applies, and `warm_up` counts passes.",
    choices={"minibatch": "minibatches", "batch": "whole passes"},
    fixed="A pass carries other statistics than a minibatch: begin a new run to change it.",
)

_MINIBATCH = {"schedule": ("minibatch",)}


def _by_minibatch(name: str) -> Field:
    """Return a setting of hard EM that whole passes do not have."""
    field = _HARD_EM[name]
    return replace(field, when=tuple({**each, **_MINIBATCH} for each in field.when or ({},)))


TraceKind = Literal["icm", "mean-field"]


@documented
@dataclass(eq=False, repr=False)
class LRBN(Layered):
    """Latent regression Bayesian network, learned by hard EM.

    A directed model with binary latents. Given an image its latents depend on each other: they explain away.

    Attributes
    ----------
    params_ : LayerParams
        W (n_v, n_h), b (n_v,), d (n_h,).

    Notes
    -----
    With W at or above 0 (`nonnegative`) a unit's log-odds are never higher than with all other units off. For
    Bernoulli units the others change them by ``-sum_i [softplus(a_i + w_ij) - softplus(a_i) - softplus(b_i +
    w_ij) + softplus(b_i)]``, where ``a_i >= b_i`` is the activation without unit j. The slope of softplus
    rises, so that each bracket is at or above 0. For Gaussian units they change them by ``-sum_k w_j'w_k
    h_k``, in which no product is below 0. This is pure explaining away.

    References
    ----------
    D. D. Lee and H. S. Seung (1999). Learning the parts of objects by non-negative matrix factorization.
    Nature 401, 788-791.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.LRBN(8, n_iter=5, random_state=0).fit(X)
    >>> model.transform(X).shape
    (200, 8)
    >>> model.sample(3, random_state=0).shape
    (3, 64)
    """

    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {
        **TRACE_METHODS,
        "mean-field": TraceMethod(
            "Mean field", {"kind": "mean-field", "max_sweeps": MEAN_FIELD_SWEEPS}, True
        ),
    }

    n_components: int = declare(_HARD_EM["n_h"])
    _: KW_ONLY
    visible: Visible = declare(_HARD_EM["visible"])
    prior: Prior = declare(_HARD_EM["prior"])
    warm_up: float = declare(_HARD_EM["warm_up"])
    init: Start = declare(_HARD_EM["start"])
    e_step: EStep = declare(_HARD_EM["e_step"])
    m_step: Literal["auto", "gradient", "closed_form"] = declare(
        _by_minibatch("m_step"),
        "auto",
        details='"auto" is the closed form for Gaussian units, the gradient otherwise.',
        choices={"auto": "automatic", "gradient": "gradient", "closed_form": "closed form"},
    )
    learning_rate: float = declare(_by_minibatch("learning_rate"))
    momentum: float = declare(_by_minibatch("momentum"))
    decay_steps: float = declare(_by_minibatch("decay_steps"))
    learning_rate_end: float | None = declare(_by_minibatch("learning_rate_end"))
    weight_decay: float = declare(_by_minibatch("weight_decay"))
    nonnegative: bool = declare(_by_minibatch("nonnegative"))
    average: float = declare(_HARD_EM["average"])
    schedule: Literal["minibatch", "batch"] = declare(SCHEDULE, "minibatch")
    m_tolerance: float = declare(_BATCH_EM["m_tolerance"])
    m_visits: int = declare(_BATCH_EM["m_visits"])
    max_sweeps: int = declare(_HARD_EM["max_sweeps"])
    warm_sweeps: int = declare(_HARD_EM["warm_sweeps"])
    hottest: float = declare(_HARD_EM["hottest"])
    coldest: float = declare(_HARD_EM["coldest"])
    persistent: bool = declare(_HARD_EM["persistent"])
    likelihood_weight: float = declare(_HARD_EM["likelihood_weight"])
    ridge: float = declare(_HARD_EM["ridge"], when=(*IN_CLOSED_FORM, {"schedule": ("batch",)}))
    patience: int | None = declare(PATIENCE, 5)

    def _check_together(self) -> None:
        """Raise ValueError, in words, for settings that contradict each other."""
        if self.m_step == "closed_form" and self.visible != "gaussian":
            raise ValueError(
                'm_step="closed_form" requires visible="gaussian"; use "gradient" for Bernoulli units.'
            )
        if self.coldest > self.hottest:
            raise ValueError(
                f"coldest must be at most hottest = {self.hottest}; got {self.coldest}. Annealing cools down."
            )
        if self.schedule == "batch":
            self._check_batch()
        super()._check_together()

    def _check_batch(self) -> None:
        """Raise ValueError for a setting of the gradient M-step, which whole passes do not have."""
        of_gradient = {
            "momentum": self.momentum,
            "learning_rate_end": self.learning_rate_end,
            "decay_steps": math.isfinite(self.decay_steps) and self.decay_steps,
            "weight_decay": self.weight_decay,
            "m_step": self.m_step == "gradient" and self.m_step,
        }
        for name, value in of_gradient.items():
            if value:
                raise ValueError(
                    f'{name} applies to gradient steps only, got {value!r} with schedule="batch", whose '
                    f"M-step uses all images; leave {name} out (ridge shrinks W), or use "
                    'schedule="minibatch".'
                )

    def make_system(self) -> HardEM:
        """Return the training system, with the current settings."""
        kind = BatchEM if self.schedule == "batch" else HardEM
        shared = self._shared_with(kind)
        closed = self.m_step == "closed_form" or (self.m_step == "auto" and self.visible == "gaussian")
        shared["m_step"] = "closed_form" if closed else "gradient"
        shared["start"] = self.init
        return kind(n_h=self.n_components, **shared)

    def state_from(self, params: LayerParams, rng: np.random.Generator) -> HardEMState:
        """Return a state of training that begins at given parameters."""
        return self.make_system().from_params(params)

    @classmethod
    def _params_of(cls, state: HardEMState) -> LayerParams:
        return state.params

    # -- inference

    def map_trace(
        self,
        x: ArrayLike,
        *,
        kind: TraceKind = "icm",
        init: Start | ArrayLike | None = None,
        max_sweeps: int | None = None,
        clamp: Mapping[int, int] | None = None,
        random_state: Any = None,
        **how: Any,
    ) -> ICMTrace:
        """Infer one image's latents and record every visit.

        Parameters
        ----------
        x : (n_v,) array
            One flattened image.
        kind : {"icm", "mean-field"}
            "icm": states, visit by visit; with a temperature Gibbs sampling and annealing. "mean-field":
            means of independent latents, each of which in turn is set to its optimum given the others, until
            no mean changes by 0.001. Then ``log_joint`` is a lower bound on log P(x) that never decreases:
            the evidence lower bound if that can be computed, with Gaussian visible units or up to 16 latents,
            otherwise the tilted bound of Saul, Jaakkola and Jordan (1996), which is below it.
        init : {"conditional", "paper", "zeros", "random"} or (n_h,) array, optional
            The start; the model's own when None. Mean field starts from the probabilities whose likelier
            states "conditional" and "paper" are, or from means in [0, 1].
        max_sweeps : int, optional
            Bound on the sweeps (after a sequence of temperatures: of ICM); of mean field 20 when None.
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``.
        random_state : int, Generator or None
            Seed of random starts, orders and temperatures.
        **how
            For "icm" only. ``order``, the order of visits: "sequential", "random", "greedy", the best flip
            each time, of all, or "parallel", all units of a sweep from its first state, against which Theorem
            1 gives no guarantee. ``temperature``: 0 is ICM, 1 Gibbs sampling; a sequence gives one sweep at
            each temperature, and then ICM.

        References
        ----------
        L. K. Saul, T. Jaakkola and M. I. Jordan (1996). Mean field theory for sigmoid belief networks.
        Journal of Artificial Intelligence Research 4, 61-76.
        """
        check_choice(kind, "kind", get_args(TraceKind))
        if kind == "icm":
            shared: Any = {"init": init, "max_sweeps": max_sweeps, "clamp": clamp}
            return super().map_trace(x, **shared, random_state=random_state, **how)
        if how:
            raise TypeError(f"kind={kind!r} takes no {next(iter(how))}; leave it out, or use kind='icm'.")
        image = self.check_image(x)
        sweeps = MEAN_FIELD_SWEEPS if max_sweeps is None else check_integer(max_sweeps, "max_sweeps", 0)
        held = check_clamp(clamp, self.n_latents_)
        start = with_held(
            self._means_at_start(image, self.init if init is None else init, random_state), held
        )
        return guess_trace(None, self.moments_of(image, start), held, sweeps, "lrbn", self.visible)

    def _means_at_start(self, x: NDArray, init: Any, random_state: Any) -> NDArray[np.float64]:
        """Return the means (n_h,) that a start stands for."""
        n_h = self.n_latents_
        if not isinstance(init, str):
            means = check_numbers(init, "init").astype(np.float64)
            if means.shape != (n_h,) or not ((means >= 0) & (means <= 1)).all():
                raise ValueError(f"init must be {n_h} means in [0, 1], one per latent; got {init!r}.")
            return means
        if init == "paper" or (init == "conditional" and self.visible == "gaussian"):
            return sigmoid(evidence(self.params_, self.visible, x[None])[0])
        if init == "conditional":
            return sigmoid(self.conditional_log_odds(x[None], (np.zeros((1, n_h), np.uint8),))[0][0])
        named: Any = init
        start = super().map_trace(x, init=named, max_sweeps=0, random_state=generator(random_state)).h0
        return start.astype(np.float64)

    def moments_of(self, x: NDArray, q: NDArray) -> Moments:
        """Return the bound of an image (n_v,) that mean field raises, at means `q` (n_h,)."""
        if self.visible == "gaussian":
            return GaussianMoments(self.params_, x, q)
        if self.n_latents_ <= MAX_EXACT_INTERACTIVE:
            return ExactMoments(self.params_, x, q, self.exact_posterior(x).log_joints)
        return TiltedMoments(self.params_, x, q)
