"""LRBN as a scikit-learn estimator: a thin face over :class:`lrbn_viz.lrbn.hard_em.HardEM`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import numpy as np

from lrbn_viz.estimators.lrbn_answers import LRBNAnswers
from lrbn_viz.lrbn import hard_em, m_step, model
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.validation import (
    check_choice,
    check_flag,
    check_integer,
    check_positive,
)


class LRBN(LRBNAnswers):
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
    learning_rate_end : float or None
        The last step's learning rate, in the place of `decay_steps`: it falls exponentially over the steps of
        :meth:`fit`. None: `decay_steps` decides.
    weight_decay : float
        L2 shrinkage of W at each gradient step, times the learning rate. Gaussian units in closed form have
        `ridge` in its place.
    average : float
        Share of the run's steps, its last ones, over which the parameters are averaged at the end (Polyak and
        Juditsky, 1992); below 1, and 0 for none. With `patience` the best pass is taken if it is better.
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
    persistent : bool
        Inference of a training image starts where it ended a pass before. With ``e_step="gibbs"`` a single
        sweep per pass then suffices, and more units stay in use.
    likelihood_weight : float
        While learning, latents are inferred from ``P(x | h)**likelihood_weight P(h)``: from a model in which
        each image is seen so many times. More weight buys fewer wrong pixels, at first at little cost in
        likelihood; at 1 learning is hard EM, or with ``e_step="gibbs"`` stochastic EM, proper. Inference with
        the trained model is not weighted.
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
        prior: m_step.Prior = "learned",
        warm_up: float = 1000.0,
        init: model.Start = "conditional",
        e_step: hard_em.EStep = "icm",
        m_step: str = "auto",
        learning_rate: float = 0.25,
        momentum: float = 0.0,
        decay_steps: float = float("inf"),
        learning_rate_end: float | None = None,
        weight_decay: float = 0.0,
        average: float = 0.0,
        batch_size: int = 20,
        n_iter: int = 10,
        max_sweeps: int = 50,
        warm_sweeps: int = 10,
        hottest: float = 3.0,
        coldest: float = 0.1,
        persistent: bool = False,
        likelihood_weight: float = 1.0,
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
        self.learning_rate_end = learning_rate_end
        self.weight_decay = weight_decay
        self.average = average
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.max_sweeps = max_sweeps
        self.warm_sweeps = warm_sweeps
        self.hottest = hottest
        self.coldest = coldest
        self.persistent = persistent
        self.likelihood_weight = likelihood_weight
        self.ridge = ridge
        self.validation_size = validation_size
        self.patience = patience
        self.random_state = random_state

    def _check_settings(self) -> None:
        super()._check_settings()
        check_choice(self.prior, "prior", get_args(m_step.Prior))
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
        check_positive(self.weight_decay, "weight_decay", zero=True)
        if self.learning_rate_end is not None:
            check_positive(self.learning_rate_end, "learning_rate_end")
        check_positive(self.average, "average", zero=True, below=1.0)
        check_integer(self.max_sweeps, "max_sweeps", 1)
        check_integer(self.warm_sweeps, "warm_sweeps", 1)
        check_positive(self.hottest, "hottest")
        check_positive(self.coldest, "coldest")
        if self.coldest > self.hottest:
            raise ValueError(
                f"coldest must be at most hottest = {self.hottest}; got {self.coldest}. Annealing cools down."
            )
        check_flag(self.persistent, "persistent")
        check_positive(self.likelihood_weight, "likelihood_weight")
        check_positive(self.ridge, "ridge")
        self._system()  # refuses settings that contradict each other

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
