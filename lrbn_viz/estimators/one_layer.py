"""Methods of directed models of one layer: inference as in an LRBN, however W, b and d were learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypedDict, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.chunks import Pool, map_images
from lrbn_viz.core.model import ANNEALED_SWEEPS
from lrbn_viz.core.posterior import ExactPosterior
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_choice, check_integer, generator
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.estimators.layered import Layered
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn import exact, model
from lrbn_viz.lrbn.batch_kernel import infer_batch
from lrbn_viz.lrbn.hard_em import EStep
from lrbn_viz.lrbn.kernel_params import KernelParams
from lrbn_viz.lrbn.model import Start
from lrbn_viz.lrbn.traced import Order, Stepper, cooling


class TraceOptions(TypedDict, total=False):
    """Options of the order in which latents are visited; see :meth:`LRBN.map_trace`."""

    init: Start | ArrayLike | None
    order: Order
    temperature: float | Sequence[float]
    max_sweeps: int | None
    clamp: Mapping[int, int] | None
    random_state: Any


class OneLayer(Layered, LatentModel):
    """A directed model whose only layer of latents generates the image by W, b and d."""

    pooled_methods: ClassVar[frozenset[str]] = frozenset(get_args(EStep))
    supports_restarts: ClassVar[bool] = True
    draws_passes: ClassVar[bool] = True
    has_rbm_parameters: ClassVar[bool] = True

    # -- inference

    def infer(
        self,
        X: ArrayLike,
        *,
        method: EStep = "icm",
        n_sweeps: int = ANNEALED_SWEEPS,
        random_state: Any = 0,
        pool: Pool | None = None,
    ) -> tuple[NDArray, ...]:
        """Return the latent states inferred for each image; (n, n_h) uint8.

        Parameters
        ----------
        X : (n, n_v) array
        method : {"icm", "annealed", "gibbs"}
            "icm" climbs to a local optimum of ``log P(x, h)`` from the start that `init` names. "annealed"
            first cools over `n_sweeps` sweeps from a temperature of 3 to 0.1, which escapes poor optima.
            "gibbs" returns the state after `n_sweeps` sweeps of Gibbs sampling: a draw from the posterior.
        n_sweeps : int
            Sweeps of annealing or sampling.
        random_state : int, Generator or None
            Seed of annealing, sampling and random starts.
        pool : Pool, optional
            Where pieces of images are inferred, such as a :class:`lrbn_viz.cluster.Cluster`; this process
            when None. The states are the same.
        """
        X = self.check_images(X)
        check_choice(method, "method", get_args(EStep))
        check_integer(n_sweeps, "n_sweeps", 1)
        how = (self, method, n_sweeps)
        return (np.concatenate(map_images(OneLayer._states, X, generator(random_state), *how, pool=pool)),)

    @staticmethod
    def _states(
        X: NDArray, rng: np.random.Generator, self: OneLayer, method: EStep, n_sweeps: int
    ) -> NDArray[np.uint8]:
        """Return the latent states of a piece of checked images."""
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
        """Return the kernel parameters, computed once."""
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
