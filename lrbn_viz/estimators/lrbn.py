"""LRBN as a scikit-learn estimator: a thin face over :class:`lrbn_viz.lrbn.HardEM`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, ClassVar, Literal, TypedDict, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.estimators.layered import Layered
from lrbn_viz.fields import declare, documented, fields_of
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn import exact, model
from lrbn_viz.lrbn.batch_kernel import infer_batch
from lrbn_viz.lrbn.hard_em import EStep, HardEM
from lrbn_viz.lrbn.kernel_params import KernelParams
from lrbn_viz.lrbn.m_step import HardEMState, Prior
from lrbn_viz.lrbn.model import Start, Visible
from lrbn_viz.lrbn.traced import Order, Stepper, cooling
from lrbn_viz.model import LayerParams
from lrbn_viz.posterior import ExactPosterior
from lrbn_viz.trace import ICMTrace
from lrbn_viz.training.settings import BATCH_SIZE, BINARIZE, N_ITER, PATIENCE, RANDOM_STATE, VALIDATION_SIZE
from lrbn_viz.validation import check_choice, check_integer, generator

_HARD_EM = fields_of(HardEM)


class TraceOptions(TypedDict, total=False):
    """How latents are visited; see :meth:`LRBN.map_trace`."""

    init: Start | ArrayLike | None
    order: Order
    temperature: float | Sequence[float]
    max_sweeps: int | None
    clamp: Mapping[int, int] | None
    random_state: Any


@documented
@dataclass(eq=False, repr=False)
class LRBN(Layered, LatentModel):
    """Latent regression Bayesian network, learned by hard EM.

    A directed model with binary latents. Given an image its latents depend on each other: they explain away.

    Attributes
    ----------
    params_ : LayerParams
        W (n_v, n_h), b (n_v,), d (n_h,).
    history_ : list of FitStep
        What happened at each step.

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
    """

    climbs: ClassVar[bool] = True
    draws_passes: ClassVar[bool] = True
    reads_factorised: ClassVar[bool] = True

    n_components: int = declare(_HARD_EM["n_h"])
    _: KW_ONLY
    visible: Visible = declare(_HARD_EM["visible"])
    binarize: float | None = declare(BINARIZE)
    prior: Prior = declare(_HARD_EM["prior"])
    warm_up: float = declare(_HARD_EM["warm_up"])
    init: Start = declare(_HARD_EM["start"])
    e_step: EStep = declare(_HARD_EM["e_step"])
    m_step: Literal["auto", "gradient", "closed_form"] = declare(
        _HARD_EM["m_step"],
        "auto",
        details='"auto" is the closed form for Gaussian units, the gradient otherwise.',
        choices={"auto": "automatic", "gradient": "gradient", "closed_form": "closed form"},
    )
    learning_rate: float = declare(_HARD_EM["learning_rate"])
    momentum: float = declare(_HARD_EM["momentum"])
    decay_steps: float = declare(_HARD_EM["decay_steps"])
    learning_rate_end: float | None = declare(_HARD_EM["learning_rate_end"])
    weight_decay: float = declare(_HARD_EM["weight_decay"])
    nonnegative: bool = declare(_HARD_EM["nonnegative"])
    average: float = declare(_HARD_EM["average"])
    batch_size: int = declare(BATCH_SIZE, 20)
    n_iter: int = declare(N_ITER, 10)
    max_sweeps: int = declare(_HARD_EM["max_sweeps"])
    warm_sweeps: int = declare(_HARD_EM["warm_sweeps"])
    hottest: float = declare(_HARD_EM["hottest"])
    coldest: float = declare(_HARD_EM["coldest"])
    persistent: bool = declare(_HARD_EM["persistent"])
    likelihood_weight: float = declare(_HARD_EM["likelihood_weight"])
    ridge: float = declare(_HARD_EM["ridge"])
    validation_size: int = declare(VALIDATION_SIZE, 100)
    patience: int | None = declare(PATIENCE, 5)
    random_state: Any = declare(RANDOM_STATE)

    def check_settings(self) -> None:
        """Raise ValueError or TypeError, in words, for a setting that cannot be."""
        super().check_settings()
        if self.m_step == "closed_form" and self.visible != "gaussian":
            raise ValueError(
                'm_step="closed_form" is for visible="gaussian"; use "gradient" for Bernoulli units.'
            )
        if self.coldest > self.hottest:
            raise ValueError(
                f"coldest must be at most hottest = {self.hottest}; got {self.coldest}. Annealing cools down."
            )
        self.make_system()  # refuses settings that contradict each other

    def make_system(self) -> HardEM:
        """Return what trains, with the current settings."""
        settings = self.get_params()
        shared = {f.name: settings[f.name] for f in fields(HardEM) if f.name in settings}
        closed = self.m_step == "closed_form" or (self.m_step == "auto" and self.visible == "gaussian")
        shared["m_step"] = "closed_form" if closed else "gradient"
        shared["start"] = self.init
        return HardEM(n_h=self.n_components, **shared)

    def state_from(self, params: LayerParams, rng: np.random.Generator) -> HardEMState:
        """Return a state of training that begins at given parameters."""
        return self.make_system().from_params(params)

    @staticmethod
    def _params_of(state: HardEMState) -> LayerParams:
        return state.params

    # -- inference

    def transform(
        self, X: ArrayLike, *, method: EStep = "icm", n_sweeps: int = 200, random_state: Any = 0
    ) -> NDArray[np.uint8]:
        """Return the latent states inferred for each image; shape (n, n_h) uint8.

        Parameters
        ----------
        X : (n, n_v) array
        method : {"icm", "annealed", "gibbs"}
            "icm" climbs to a local optimum of ``log P(x, h)`` from the start that `init` names. "annealed"
            first cools over `n_sweeps` sweeps from a temperature of 3 to 0.1, which escapes poor optima.
            "gibbs" returns the state after `n_sweeps` sweeps of Gibbs sampling: a draw from the posterior.
        n_sweeps : int
            Of annealing or sampling.
        random_state : int, Generator or None
            Seed of annealing, sampling and random starts.
        """
        X = self.check_images(X)
        check_choice(method, "method", get_args(EStep))
        check_integer(n_sweeps, "n_sweeps", 1)
        rng = generator(random_state)
        start: Any = self.init
        params, visible = self.params_, self.visible
        icm_sweeps = self.max_sweeps
        if method != "icm":
            # Single precision is enough on the way: the temperature's noise is far above its error of 1e-4
            # nats.
            warm = np.ones(n_sweeps) if method == "gibbs" else cooling(n_sweeps)
            start = infer_batch(
                params, visible, self._kernel_params.get(np.float32), X, start, warm, 0, rng
            ).H
            icm_sweeps = 0 if method == "gibbs" else self.max_sweeps
        return infer_batch(
            params, visible, self._kernel_params.get(), X, start, np.zeros(0), icm_sweeps, rng
        ).H

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return the normalised ``log P(x, h)`` of each pair of rows, nats; shape (n,)."""
        return model.log_joint(self.params_, self.visible, X, H[0])

    def map_trace(self, x: ArrayLike, **how: Unpack[TraceOptions]) -> ICMTrace:
        """Infer one image's latents and record every visit.

        Parameters
        ----------
        x : (n_v,) array
            One flattened image.
        init : {"conditional", "paper", "zeros", "random"} or (n_h,) array, optional
            The start; the model's own when None.
        order : {"sequential", "random", "greedy", "parallel"}
            Which latent is visited next. "greedy" takes the best flip each time, of all; "parallel" decides
            all units of a sweep from its first state, against which Theorem 1 gives no guarantee.
        temperature : float or sequence of float
            0 is ICM, 1 Gibbs sampling. A sequence gives one sweep at each temperature, and then ICM.
        max_sweeps : int, optional
            Bound on the sweeps (after a sequence of temperatures: of ICM).
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``.
        random_state : int, Generator or None
            Seed of random starts, orders and temperatures.
        """
        stepper = self.stepper(x, **how)
        stepper.run()
        return stepper.trace()

    def stepper(
        self,
        x: ArrayLike,
        *,
        init: Start | ArrayLike | None = None,
        order: Order = "sequential",
        temperature: float | Sequence[float] = 0.0,
        max_sweeps: int | None = None,
        clamp: Mapping[int, int] | None = None,
        random_state: Any = None,
    ) -> Stepper:
        """Return the inference of :meth:`map_trace`, to be advanced by hand: ``advance(n_visits)``."""
        how = (init, order, get_args(Order), temperature, max_sweeps, clamp, random_state)
        checked = self._visits(x, *how)
        return Stepper(self.params_, self.visible, self._kernel_params.get(), *checked)

    def _prepared(self, dtype: type = np.float64) -> list[KernelParams]:
        """Return what the kernels need, made once."""
        return [self._kernel_params.get(dtype)]

    def climb(self, x: NDArray, starts: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return where ICM ends from each row of `starts` (n, n_h), however many sweeps that takes."""
        X = np.broadcast_to(x, (len(starts), len(x)))
        none, rng = np.zeros(0), np.random.default_rng(0)  # ICM draws nothing
        # Every flip gains log P(x, h), so that this ends.
        return infer_batch(
            self.params_, self.visible, self._kernel_params.get(), X, starts, none, 2**31, rng
        ).H

    def start_states(self, x: NDArray) -> dict[str, NDArray[np.uint8]]:
        """Return the starts that draw nothing, and all units on."""
        named = {
            name: self.map_trace(x, init=name, max_sweeps=0).h0 for name in ("conditional", "paper", "zeros")
        }
        return {**named, "ones": np.ones(self.n_latents_, np.uint8)}

    def exact_posterior(self, x: NDArray) -> ExactPosterior:
        """Return P(h | x) by enumeration in Gray-code order; ValueError for more than 20 latents."""
        return exact.enumerate_posterior(self.params_, self.visible, self._kernel_params.get(), x)

    def pass_probabilities(self, x: NDArray | None) -> NDArray[np.float64]:
        """Return the prior's P(h_j = 1), whatever image was drawn before."""
        return sigmoid(self.params_.d)

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log P(x, h)`` from ``a = W h + b`` and ``prior = d'h``, in the precision of `a`."""
        fixed = softplus(self.params_.d).sum()
        if self.visible == "bernoulli":
            return -softplus(-np.abs(a)).sum(axis=-1) + prior - fixed
        return prior - fixed - 0.5 * self.params_.n_v * model.LOG_2PI
