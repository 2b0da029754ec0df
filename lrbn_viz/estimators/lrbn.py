"""LRBN as a scikit-learn estimator: a thin face over :class:`lrbn_viz.lrbn.hard_em.HardEM`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

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
    check_positive,
    generator,
)


class LRBN(LatentModel):
    """Latent regression Bayesian network, learned by hard EM.

    A directed model with binary latents. Given an image its latents depend on each other: they explain away.

    Parameters
    ----------
    n_components : int
        Latent units, n_h.
    visible : {"bernoulli", "gaussian"}
        Binary or real-valued (unit variance) data.
    prior : {"learned", "flat", "warmed"}
        Whether d is learned or held at 0. A flat prior reconstructs better, a learned one is likelier.
        "warmed" holds it at first and then learns it, so that more units stay in use.
    warm_up : float
        Minibatches for which a warmed prior is held; after as many more it learns at the full rate.
    init : {"conditional", "paper", "zeros", "random"}
        Where inference starts: each unit's exact conditional with the others off, the paper's feed-forward
        start, all off, or fair coins.
    e_step : {"icm", "annealed", "gibbs"}
        How latents are filled in while learning.
    m_step : {"auto", "gradient", "closed_form"}
        "auto" is the closed form for Gaussian units, the gradient otherwise.
    learning_rate, momentum : float
        Of the gradient, which is the mean over a minibatch.
    decay_steps : float
        Minibatches after which the learning rate has halved.
    batch_size : int
        Images per minibatch.
    n_iter : int
        Passes over the images.
    max_sweeps : int
        Bound on ICM sweeps.
    warm_sweeps : int
        Sweeps of annealing or Gibbs sampling in the E-step.
    hottest, coldest : float
        Temperatures between which the E-step anneals.
    ridge : float
        Of the closed-form M-step, in units of images.
    validation_size : int
        Images held out for early stopping, at most a tenth of all.
    patience : int or None
        Passes without a better validation joint after which training stops and the best pass is restored;
        None: never.
    random_state : int, Generator or None
        Seed; equal seeds give equal runs.

    Attributes
    ----------
    params_ : LRBNParams
        W (n_v, n_h), b (n_v,), d (n_h,).
    history_ : list of FitStep
        What happened at each step.
    """

    def __init__(
        self,
        n_components: int = 200,
        *,
        visible: model.Visible = "bernoulli",
        prior: hard_em.Prior = "learned",
        warm_up: float = 1000.0,
        init: model.Start = "conditional",
        e_step: hard_em.EStep = "icm",
        m_step: str = "auto",
        learning_rate: float = 0.25,
        momentum: float = 0.0,
        decay_steps: float = float("inf"),
        batch_size: int = 20,
        n_iter: int = 10,
        max_sweeps: int = 50,
        warm_sweeps: int = 10,
        hottest: float = 3.0,
        coldest: float = 0.1,
        ridge: float = 1.0,
        validation_size: int = 100,
        patience: int | None = 5,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.visible = visible
        self.prior = prior
        self.warm_up = warm_up
        self.init = init
        self.e_step = e_step
        self.m_step = m_step
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.decay_steps = decay_steps
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.max_sweeps = max_sweeps
        self.warm_sweeps = warm_sweeps
        self.hottest = hottest
        self.coldest = coldest
        self.ridge = ridge
        self.validation_size = validation_size
        self.patience = patience
        self.random_state = random_state

    def _check_settings(self) -> None:
        super()._check_settings()
        check_choice(self.prior, "prior", get_args(hard_em.Prior))
        check_positive(self.warm_up, "warm_up")
        check_choice(self.init, "init", get_args(model.Start))
        check_choice(self.e_step, "e_step", get_args(hard_em.EStep))
        check_choice(self.m_step, "m_step", ("auto", "gradient", "closed_form"))
        if self.m_step == "closed_form" and self.visible != "gaussian":
            raise ValueError(
                'm_step="closed_form" is for visible="gaussian"; use "gradient" for Bernoulli units.'
            )
        check_positive(self.momentum, "momentum", zero=True, below=1.0)
        check_positive(self.decay_steps, "decay_steps", infinite=True)
        check_integer(self.max_sweeps, "max_sweeps", 1)
        check_integer(self.warm_sweeps, "warm_sweeps", 1)
        check_positive(self.hottest, "hottest")
        check_positive(self.coldest, "coldest")
        if self.coldest > self.hottest:
            raise ValueError(
                f"coldest must be at most hottest = {self.hottest}; got {self.coldest}. Annealing cools down."
            )
        check_positive(self.ridge, "ridge")

    def _system(self) -> hard_em.HardEM:
        settings = self.get_params()
        shared = {f.name: settings[f.name] for f in fields(hard_em.HardEM) if f.name in settings}
        closed = self.m_step == "closed_form" or (self.m_step == "auto" and self.visible == "gaussian")
        shared["m_step"] = "closed_form" if closed else "gradient"
        shared["start"] = self.init
        return hard_em.HardEM(n_h=self.n_components, **shared)

    def _resume(self, params: LRBNParams, rng: np.random.Generator) -> hard_em.HardEMState:
        return self._system().from_params(params)

    @staticmethod
    def _params_of(state: hard_em.HardEMState) -> LRBNParams:
        return state.params

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

    def map_trace(
        self,
        x: ArrayLike,
        *,
        init: model.Start | ArrayLike | None = None,
        order: Order = "sequential",
        temperature: float | Sequence[float] = 0.0,
        max_sweeps: int | None = None,
        clamp: Mapping[int, int] | None = None,
        random_state: Any = None,
    ) -> ICMTrace:
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
        stepper = self.stepper(
            x,
            init=init,
            order=order,
            temperature=temperature,
            max_sweeps=max_sweeps,
            clamp=clamp,
            random_state=random_state,
        )
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
