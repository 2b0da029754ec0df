"""LRBN and RBM as scikit-learn estimators: a thin face over the systems."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.baselines import rbm
from lrbn_viz.lrbn import exact, hard_em, model
from lrbn_viz.lrbn.icm import infer_batch, prepare
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.lrbn.stepping import Order, Stepper, cooling, schedule
from lrbn_viz.system import System, train
from lrbn_viz.trace import FitStep, ICMTrace, load_arrays, save_arrays
from lrbn_viz.validation import (
    check_choice,
    check_clamp,
    check_image,
    check_images,
    check_integer,
    check_latent_batch,
    check_latents,
    check_numbers,
    check_positive,
    generator,
)

VISIBLE = get_args(model.Visible)


class _Operands:
    """A model's kernel operands, made when first needed and left out of copies and files."""

    def __init__(self, params: LRBNParams, visible: Any) -> None:
        self._params, self._visible = params, visible
        self._made: dict = {}

    def get(self, dtype: type = np.float64):
        if dtype not in self._made:
            self._made[dtype] = prepare(self._params, self._visible, dtype)
        return self._made[dtype]

    def __getstate__(self):
        return {"_params": self._params, "_visible": self._visible, "_made": {}}


class _LatentModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What LRBN and RBM have in common: training, files, and the checks at the edge."""

    n_components: int
    visible: Any
    learning_rate: float
    provenance_: dict[str, Any]
    batch_size: int
    n_iter: int
    validation_size: int
    patience: int | None
    random_state: Any

    # -- for subclasses
    # ----------------------------------------------------------------------------------------------

    def _system(self) -> System:
        raise NotImplementedError

    def _resume(self, params: LRBNParams, rng: np.random.Generator) -> Any:
        raise NotImplementedError

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return one figure per image in nats, higher is better."""
        raise NotImplementedError

    @staticmethod
    def _params_of(state: Any) -> LRBNParams:
        raise NotImplementedError

    # -- training
    # ----------------------------------------------------------------------------------------------------

    def _check_settings(self) -> None:
        check_integer(self.n_components, "n_components", 1)
        check_choice(self.visible, "visible", VISIBLE)
        check_positive(self.learning_rate, "learning_rate")
        check_integer(self.batch_size, "batch_size", 1)
        check_integer(self.n_iter, "n_iter", 1)
        check_integer(self.validation_size, "validation_size", 0)
        if self.patience is not None:
            check_integer(self.patience, "patience", 1)

    def fit_steps(self, X: ArrayLike) -> Iterator[FitStep]:
        """Train step by step: a generator of :class:`~lrbn_viz.trace.FitStep`.

        After each step ``params_`` holds the current parameters. Stop by not asking for more.

        Parameters
        ----------
        X : (n, n_v) array
            Images, one flattened image per row.
        """
        self._check_settings()
        X = check_images(X, self.visible)
        rng = generator(self.random_state)
        n_validation = min(self.validation_size, len(X) // 10)
        order = rng.permutation(len(X)) if n_validation else np.arange(len(X))
        X = np.ascontiguousarray(X[order], np.uint8) if self.visible == "bernoulli" else X[order]
        self.n_features_in_ = X.shape[1]
        self.history_: list[FitStep] = []
        steps = train(
            self._system(),
            X[n_validation:],
            n_iter=self.n_iter,
            batch_size=self.batch_size,
            rng=rng,
            validation=X[:n_validation] if n_validation else None,
            patience=self.patience if n_validation else None,
        )
        for state, event in steps:
            self._adopt(state)
            self.history_.append(event)
            yield event
        self._rng = rng
        self.n_iter_ = self.history_[-1].epoch + 1

    def fit(self, X: ArrayLike, y: Any = None):
        """Train on images from scratch; `y` is ignored."""
        for _ in self.fit_steps(X):
            pass
        return self

    def partial_fit(self, X: ArrayLike, y: Any = None):
        """Train on one pass over further images, going on from the current parameters."""
        self._check_settings()
        fitted = hasattr(self, "params_")
        X = check_images(X, self.visible, self.n_features_in_ if fitted else None, type(self).__name__)
        if not hasattr(self, "_rng"):
            self._rng = generator(self.random_state)
        if not fitted:
            self.n_features_in_ = X.shape[1]
            self.history_ = []
        state = getattr(self, "_state", None)
        if state is None and fitted:
            state = self._resume(self.params_, self._rng)
        steps = train(self._system(), X, n_iter=1, batch_size=self.batch_size, rng=self._rng, state=state)
        for state, event in steps:
            self._adopt(state)
            self.history_.append(event)
        self.n_iter_ = getattr(self, "n_iter_", 0) + 1
        return self

    def _adopt(self, state: Any) -> None:
        self._state = state
        self._set_params(self._params_of(state))

    def _set_params(self, params: LRBNParams) -> None:
        self.params_ = params
        self.n_features_in_ = params.n_v
        self._operands = _Operands(params, self.visible)

    @classmethod
    def from_params(
        cls, W: ArrayLike, b: ArrayLike, d: ArrayLike, visible: model.Visible = "bernoulli", **settings
    ):
        """Return a model with given parameters.

        Parameters
        ----------
        W : (n_v, n_h) array
        b : (n_v,) array
        d : (n_h,) array
        visible : {"bernoulli", "gaussian"}
        **settings
            Any other setting of the class.
        """
        arrays = (check_numbers(a, name) for a, name in ((W, "W"), (b, "b"), (d, "d")))
        params = model.make_params(*arrays)
        check_choice(visible, "visible", VISIBLE)
        if settings.setdefault("n_components", params.n_h) != params.n_h:
            raise ValueError(
                f"n_components is {settings['n_components']} but W has {params.n_h} columns, one per latent "
                "unit; leave n_components out."
            )
        own: Any = {"visible": visible, **settings}
        made = cls(**own)
        made._check_settings()
        made._set_params(params)
        made.history_ = []
        made.n_iter_ = 0
        return made

    # -- what every model answers
    # ------------------------------------------------------------------------------------

    @property
    def _n_features_out(self) -> int:
        return self.params_.n_h

    def _images(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self, "params_")
        return check_images(X, self.visible, self.params_.n_v, type(self).__name__)

    def inverse_transform(self, H: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of x given each row of latent states; shape (n, n_v)."""
        check_is_fitted(self, "params_")
        return model.visible_mean(self.params_, self.visible, check_latent_batch(H, self.params_.n_h))

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean of ``score_samples``, nats per image; higher is better."""
        return float(self.score_samples(X).mean())

    def save(
        self,
        path: str | os.PathLike,
        *,
        dtype: type = np.float64,
        provenance: Mapping[str, Any] | None = None,
    ):
        """Write settings and parameters to a ``.npz`` file, whole or not at all.

        Parameters
        ----------
        path : path
        dtype : float64, float32 or float16
            Precision in which the parameters are stored.
        provenance : mapping, optional
            How the model was trained; readable as ``provenance_`` once loaded.
        """
        check_is_fitted(self, "params_")
        if np.dtype(dtype).kind != "f":
            raise ValueError(f"dtype must be float64, float32 or float16; got {np.dtype(dtype)}.")
        story = dict(provenance) if provenance is not None else getattr(self, "provenance_", {})
        settings = {k: v for k, v in self.get_params().items() if k != "random_state"}
        save_arrays(
            path,
            {"kind": type(self).__name__, "settings": json.dumps(settings), "provenance": json.dumps(story)}
            | {name: np.asarray(value, dtype) for name, value in self.params_._asdict().items()},
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "params_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        tags.non_deterministic = False
        return tags


class LRBN(_LatentModel):
    """Latent regression Bayesian network, learned by hard EM.

    A directed model with binary latents. Given an image its latents depend on each other: they explain away.

    Parameters
    ----------
    n_components : int
        Latent units, n_h.
    visible : {"bernoulli", "gaussian"}
        Binary or real-valued (unit variance) data.
    prior : {"learned", "flat"}
        Whether d is learned or held at 0. A flat prior reconstructs better, a learned one is likelier.
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

    # -- for lrbn_viz.explanation
    # ------------------------------------------------------------------------------------

    def _exact_posterior(self, x: NDArray) -> exact.ExactPosterior:
        return exact.enumerate_posterior(self.params_, self.visible, self._operands.get(), x)

    def _interactions(self, h: NDArray) -> NDArray[np.float64]:
        return exact.interactions(self.params_, self.visible, self._operands.get(), h)

    def _log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> exact.LogOddsTerms:
        return exact.decompose(self.params_, self.visible, x, h, j)


class RBM(_LatentModel):
    """Restricted Boltzmann machine, learned by contrastive divergence: the rival whose latents do not explain
    away.

    Parameters
    ----------
    n_components : int
        Latent units, n_h.
    visible : {"bernoulli", "gaussian"}
    method : {"pcd", "cd"}
        Persistent chains, or chains started at the data.
    n_gibbs : int
        Gibbs steps per update.
    learning_rate : float
    decay_steps : float
        Minibatches after which the learning rate has halved.
    weight_decay : float
        L2 shrinkage of W.
    batch_size : int
        Images per minibatch.
    n_iter : int
        Passes over the images.
    n_particles : int or None
        Persistent chains; as many as `batch_size` when None.
    n_sample_sweeps : int
        Gibbs sweeps to a returned sample.
    validation_size, patience
        As in :class:`LRBN`; the score is the pseudo-likelihood.
    random_state : int, Generator or None

    Attributes
    ----------
    params_ : LRBNParams
        W (n_v, n_h), b (n_v,), d (n_h,).
    history_ : list of FitStep
    """

    def __init__(
        self,
        n_components: int = 200,
        *,
        visible: model.Visible = "bernoulli",
        method: rbm.Method = "pcd",
        n_gibbs: int = 1,
        learning_rate: float = 0.05,
        decay_steps: float = float("inf"),
        weight_decay: float = 0.0,
        batch_size: int = 20,
        n_iter: int = 10,
        n_particles: int | None = None,
        n_sample_sweeps: int = 200,
        validation_size: int = 100,
        patience: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.visible = visible
        self.method = method
        self.n_gibbs = n_gibbs
        self.learning_rate = learning_rate
        self.decay_steps = decay_steps
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.n_particles = n_particles
        self.n_sample_sweeps = n_sample_sweeps
        self.validation_size = validation_size
        self.patience = patience
        self.random_state = random_state

    def _check_settings(self) -> None:
        super()._check_settings()
        check_choice(self.method, "method", get_args(rbm.Method))
        check_integer(self.n_gibbs, "n_gibbs", 1)
        if self.n_particles is not None:
            check_integer(self.n_particles, "n_particles", 1)
        check_integer(self.n_sample_sweeps, "n_sample_sweeps", 1)
        check_positive(self.decay_steps, "decay_steps", infinite=True)
        check_positive(self.weight_decay, "weight_decay", zero=True)

    def _system(self) -> rbm.RBMSystem:
        settings = self.get_params()
        shared = {f.name: settings[f.name] for f in fields(rbm.RBMSystem) if f.name in settings}
        shared["n_particles"] = self.n_particles or self.batch_size
        return rbm.RBMSystem(n_h=self.n_components, **shared)

    def _resume(self, params: LRBNParams, rng: np.random.Generator) -> rbm.RBMState:
        return self._system().resume(params, rng)

    @staticmethod
    def _params_of(state: rbm.RBMState) -> LRBNParams:
        return LRBNParams(*(np.asarray(p, np.float64) for p in (state.W, state.b, state.d)))

    def posterior(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the exact ``P(h_j = 1 | x)`` of each latent; shape (n, n_h)."""
        X = self._images(X)
        return rbm.posterior(self.params_, X)

    def transform(self, X: ArrayLike) -> NDArray[np.uint8]:
        """Return the exact MAP state of each image's latents, one by one; shape (n, n_h) uint8."""
        X = self._images(X)
        return (rbm.log_odds(self.params_, X) > 0).astype(np.uint8)

    def reconstruct(self, X: ArrayLike) -> NDArray:
        """Return ``argmax_x P(x | h*)``: uint8 images for Bernoulli units, means for Gaussian ones."""
        H = self.transform(X)
        return model.most_probable_visible(self.params_, self.visible, H)

    def log_joint(self, X: ArrayLike, H: ArrayLike) -> NDArray[np.float64]:
        """Return ``log P(x, h) + log Z`` of each pair of rows, nats: *not* normalised. Equation: (4), (7)."""
        X = self._images(X)
        return rbm.log_joint(self.params_, X, check_latents(H, (len(X), self.params_.n_h), "H"), self.visible)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return ``log P(x) + log Z``, minus the free energy, nats: *not* normalised."""
        X = self._images(X)
        return -rbm.free_energy(self.params_, X, self.visible)

    def sample(self, n: int = 1, random_state: Any = None) -> NDArray:
        """Draw n images, each from a Gibbs chain of its own of `n_sample_sweeps` sweeps; shape (n, n_v)."""
        check_is_fitted(self, "params_")
        rng = generator(random_state)
        system = self._system()
        return system.sample(system.resume(self.params_, rng), check_integer(n, "n", 1), rng)

    def map_trace(self, x: ArrayLike) -> ICMTrace:
        """Return the factorised inference of one image: one visit per latent, after which nothing changes.

        The trace starts with all latents off. Its ``log_joint`` is not normalised.
        """
        check_is_fitted(self, "params_")
        x = check_image(x, self.visible, self.params_.n_v)
        return rbm.map_trace(
            self.params_, x.astype(np.uint8) if self.visible == "bernoulli" else x, self.visible
        )

    # -- for lrbn_viz.explanation
    # ------------------------------------------------------------------------------------

    def _exact_posterior(self, x: NDArray) -> exact.ExactPosterior:
        params = self.params_
        if params.n_h > exact.MAX_EXACT:
            raise ValueError(
                f"exact_posterior enumerates 2**n_h states: expected n_h <= {exact.MAX_EXACT}, "
                f"got {params.n_h}. An RBM's posterior factorises: posterior(X) is exact at any size."
            )
        H = exact.states(params.n_h)
        return exact.summarise(rbm.log_joint(params, x[None], H, self.visible), H)

    def _interactions(self, h: NDArray) -> NDArray[np.float64]:
        return np.zeros((len(h), len(h)))

    def _log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> exact.LogOddsTerms:
        w = self.params_.W[:, j]
        return exact.LogOddsTerms(float(self.params_.d[j]), w * x, np.zeros(len(x)))


FACES: dict[str, type[LRBN] | type[RBM]] = {"LRBN": LRBN, "RBM": RBM}


def load_model(path: str | os.PathLike) -> LRBN | RBM:
    """Read a model that ``save`` wrote.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        When the file is damaged or holds something else.
    """
    names = ["settings", "provenance", "W", "b", "d"]
    kind, arrays = load_arrays(path, tuple(FACES), names)
    settings = json.loads(str(arrays["settings"]))
    visible = settings.pop("visible")
    settings.pop("n_components")
    loaded = FACES[kind].from_params(arrays["W"], arrays["b"], arrays["d"], visible, **settings)
    loaded.provenance_ = json.loads(str(arrays["provenance"]))
    return loaded
