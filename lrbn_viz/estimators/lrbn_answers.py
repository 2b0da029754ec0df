"""What an LRBN answers: states and traces of images, likelihoods, samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.lrbn import exact, hard_em, model
from lrbn_viz.lrbn.icm import infer_batch
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.lrbn.stepping import Order, Stepper, cooling, schedule
from lrbn_viz.trace import ICMTrace
from lrbn_viz.validation import (
    check_choice,
    check_clamp,
    check_image,
    check_integer,
    check_latents,
    generator,
)


class HowVisited(TypedDict, total=False):
    """How latents are visited; see :meth:`LRBNAnswers.map_trace`."""

    init: model.Start | ArrayLike | None
    order: Order
    temperature: float | Sequence[float]
    max_sweeps: int | None
    clamp: Mapping[int, int] | None
    random_state: Any


class LRBNAnswers(LatentModel):
    """What an LRBN answers once it has parameters."""

    init: model.Start
    max_sweeps: int

    def transform(
        self, X: ArrayLike, *, method: hard_em.EStep = "icm", n_sweeps: int = 200, random_state: Any = 0
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
        X = self._images(X)
        check_choice(method, "method", get_args(hard_em.EStep))
        check_integer(n_sweeps, "n_sweeps", 1)
        rng = generator(random_state)
        start: Any = self.init
        params, visible = self.params_, self.visible
        icm_sweeps = self.max_sweeps
        if method != "icm":
            # Single precision is enough on the way: the temperature's noise is far above its error of 1e-4
            # nats.
            warm = np.ones(n_sweeps) if method == "gibbs" else cooling(n_sweeps)
            start = infer_batch(params, visible, self._operands.get(np.float32), X, start, warm, 0, rng).H
            icm_sweeps = 0 if method == "gibbs" else self.max_sweeps
        return infer_batch(params, visible, self._operands.get(), X, start, np.zeros(0), icm_sweeps, rng).H

    def reconstruct(self, X: ArrayLike, **how: Any) -> NDArray:
        """Return ``argmax_x P(x | h*)`` for each image; `how` is passed to :meth:`transform`.

        uint8 images for Bernoulli units, means for Gaussian ones; shape (n, n_v).
        """
        H = self.transform(X, **how)
        return model.most_probable_visible(self.params_, self.visible, H)

    def log_joint(self, X: ArrayLike, H: ArrayLike) -> NDArray[np.float64]:
        """Return the normalised ``log P(x, h)`` of each pair of rows, nats; shape (n,)."""
        X = self._images(X)
        H = check_latents(H, (len(X), self.params_.n_h), "H")
        return model.log_joint(self.params_, self.visible, X, H)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return ``max_h log P(x, h)`` as ICM finds it, nats: a bound below ``log P(x)``. Equation: (14)."""
        return self.log_joint(X, self.transform(X))

    def sample(self, n: int = 1, random_state: Any = None) -> NDArray:
        """Draw n images by ancestral sampling; shape (n, n_v)."""
        check_is_fitted(self, "params_")
        rng = generator(random_state)
        H = model.sample_prior(self.params_, check_integer(n, "n", 1), rng)
        return model.sample_visible(self.params_, self.visible, H, rng)

    def map_trace(self, x: ArrayLike, **how: Unpack[HowVisited]) -> ICMTrace:
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
        init: model.Start | ArrayLike | None = None,
        order: Order = "sequential",
        temperature: float | Sequence[float] = 0.0,
        max_sweeps: int | None = None,
        clamp: Mapping[int, int] | None = None,
        random_state: Any = None,
    ) -> Stepper:
        """Return the inference of :meth:`map_trace`, to be advanced by hand: ``advance(n_visits)``."""
        check_is_fitted(self, "params_")
        params = self.params_
        x = check_image(x, self.visible, params.n_v)
        rng = generator(random_state)
        check_choice(order, "order", get_args(Order))
        sweeps = check_integer(self.max_sweeps if max_sweeps is None else max_sweeps, "max_sweeps", 0)
        temperatures = schedule(temperature, sweeps)
        if order == "greedy" and temperatures.any():
            raise ValueError('order="greedy" takes the best flip and has no temperature; use temperature=0.')
        held = check_clamp(clamp, params.n_h)
        chosen = self.init if init is None else init
        start: Any = chosen
        if not isinstance(chosen, str):
            start = check_latents(chosen, (params.n_h,), "init")[None]
        elif chosen not in get_args(model.Start):
            raise ValueError(
                f"init must be one of {get_args(model.Start)} or an array of {params.n_h} states; "
                f"got {chosen!r}."
            )
        # Images of 0 and 1 are kept as such in the trace.
        shown = x.astype(np.uint8) if self.visible == "bernoulli" else x
        return Stepper(
            params, self.visible, self._operands.get(), shown, start, order, temperatures, held, rng
        )

    # -- for lrbn_viz.explanation and lrbn_viz.basins
    # ----------------------------------------------------------------

    def _climb(self, x: NDArray, starts: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return where ICM ends from each row of `starts` (n, n_h), however many sweeps that takes."""
        X = np.broadcast_to(x, (len(starts), len(x)))
        none, rng = np.zeros(0), np.random.default_rng(0)  # ICM draws nothing
        # Every flip gains log P(x, h), so that this ends.
        return infer_batch(self.params_, self.visible, self._operands.get(), X, starts, none, 2**31, rng).H

    def _layers(self) -> tuple[LRBNParams, ...]:
        return (self.params_,)

    def _exact_posterior(self, x: NDArray) -> exact.ExactPosterior:
        return exact.enumerate_posterior(self.params_, self.visible, self._operands.get(), x)

    def _interactions(self, h: NDArray) -> NDArray[np.float64]:
        return exact.interactions(self.params_, self.visible, self._operands.get(), h)

    def _log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> exact.LogOddsTerms:
        return exact.decompose(self.params_, self.visible, x, h, j)
