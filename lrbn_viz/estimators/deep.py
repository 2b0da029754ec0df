"""DeepLRBN as a scikit-learn estimator: a thin face over :class:`lrbn_viz.lrbn.bottom_up.DeepTraining`."""

from __future__ import annotations

import itertools
import os
from collections.abc import Generator, Sequence
from dataclasses import fields
from numbers import Real
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import ArrayLike

from lrbn_viz.checkpoint import kept_on_disk
from lrbn_viz.estimators.deep_answers import DeepAnswers
from lrbn_viz.lrbn import hard_em, m_step, model
from lrbn_viz.lrbn.bottom_up import DeepTraining
from lrbn_viz.lrbn.deep import kind_of
from lrbn_viz.lrbn.deep_em import DeepHardEM
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.stages import StageStep
from lrbn_viz.validation import (
    check_choice,
    check_flag,
    check_images,
    check_integer,
    check_positive,
    generator,
)

Scheme = Literal["joint", "three layers"]


class DeepLRBN(DeepAnswers):
    """Latent regression Bayesian network of several layers, learned bottom-up and then together.

    With targets (``fit(X, y)``) the model gets one more layer on top, whose units are the classes: one-hot
    while learning, inferred by :meth:`predict`.

    Parameters
    ----------
    layer_sizes : sequence of int
        Latent units of each layer, lowest first.
    visible : {"bernoulli", "gaussian"}
    prior : {"learned", "flat", "warmed"}
        Of the top layer. The others' is what the layer above generates; while learned alone it is flat.
    init : {"conditional", "paper", "zeros", "random"}
        Where each layer's inference starts, from the layer below.
    e_step : {"icm", "annealed", "gibbs"}
        How latents are filled in. The paper's scheme of learning all layers together is always "icm".
    scheme : {"joint", "three layers"}
        How all layers are learned together; "three layers" is the paper's.
    learning_rate, momentum, decay_steps : float
        As in :class:`LRBN`.
    learning_rate_end : float or None
        As in :class:`LRBN`, within each stage; `fine_tune_rate` is a factor on it as well.
    weight_decay : float or sequence of float
        As in :class:`LRBN`; one for all layers, or one for each, lowest first (a layer of targets has the
        last). In layers above the first b shrinks too, which pulls them towards a flat prior over the latents
        below. Gaussian data are regressed in closed form: their layer's must be 0, and has `ridge`.
    average : float
        As in :class:`LRBN`, within each stage: a layer above learns from the averaged one.
    fine_tune_rate : float
        Factor on `learning_rate` while all layers learn together.
    batch_size : int
    n_iter, n_fine_tune, n_rounds : int
        Passes per layer, passes of all together, and how often the two follow each other.
    max_sweeps, warm_sweeps, hottest, coldest, persistent, ridge
        As in :class:`LRBN`.
    likelihood_weight : float
        As in :class:`LRBN`, of the images alone: what upper layers learn from is not weighted.
    validation_size, patience
        As in :class:`LRBN`, within each stage.
    random_state : int or None
        Seed; equal seeds give equal models.

    Attributes
    ----------
    layers_ : tuple of LRBNParams
        Lowest first; with targets their layer is the last.
    classes_ : (n_classes,) array
        Only after ``fit(X, y)``.
    """

    def __init__(
        self,
        layer_sizes: Sequence[int] = (200, 200),
        *,
        visible: model.Visible = "bernoulli",
        prior: m_step.Prior = "learned",
        init: model.Start = "conditional",
        e_step: hard_em.EStep = "icm",
        scheme: Scheme = "joint",
        learning_rate: float = 0.25,
        fine_tune_rate: float = 0.2,
        momentum: float = 0.0,
        decay_steps: float = float("inf"),
        learning_rate_end: float | None = None,
        weight_decay: float | Sequence[float] = 0.0,
        average: float = 0.0,
        batch_size: int = 20,
        n_iter: int = 5,
        n_fine_tune: int = 2,
        n_rounds: int = 1,
        max_sweeps: int = 50,
        warm_sweeps: int = 10,
        hottest: float = 3.0,
        coldest: float = 0.1,
        persistent: bool = False,
        likelihood_weight: float = 1.0,
        ridge: float = 1.0,
        validation_size: int = 100,
        patience: int | None = 5,
        random_state: int | None = None,
    ) -> None:
        self.layer_sizes = layer_sizes
        self.visible = visible
        self.prior = prior
        self.init = init
        self.e_step = e_step
        self.scheme = scheme
        self.learning_rate = learning_rate
        self.fine_tune_rate = fine_tune_rate
        self.momentum = momentum
        self.decay_steps = decay_steps
        self.learning_rate_end = learning_rate_end
        self.weight_decay = weight_decay
        self.average = average
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.n_fine_tune = n_fine_tune
        self.n_rounds = n_rounds
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

    # -- learning

    def _check_settings(self) -> None:
        if isinstance(self.layer_sizes, (int, str)) or not len(self.layer_sizes):
            raise ValueError(
                "layer_sizes must hold the latent units of each layer, such as (200, 200); got "
                f"{self.layer_sizes!r}."
            )
        for size in self.layer_sizes:
            check_integer(size, "layer_sizes", 1)
        for name, choices in (
            ("visible", model.Visible),
            ("prior", m_step.Prior),
            ("init", model.Start),
            ("e_step", hard_em.EStep),
            ("scheme", Scheme),
        ):
            check_choice(getattr(self, name), name, get_args(choices))
        for name in ("batch_size", "n_iter", "n_rounds", "max_sweeps", "warm_sweeps"):
            check_integer(getattr(self, name), name, 1)
        for name in ("n_fine_tune", "validation_size"):
            check_integer(getattr(self, name), name, 0)
        check_flag(self.persistent, "persistent")
        if self.patience is not None:
            check_integer(self.patience, "patience", 1)
        for name in ("learning_rate", "fine_tune_rate", "hottest", "coldest", "ridge", "likelihood_weight"):
            check_positive(getattr(self, name), name)
        check_positive(self.momentum, "momentum", zero=True, below=1.0)
        check_positive(self.decay_steps, "decay_steps", infinite=True)
        self._weight_decays()
        if self.learning_rate_end is not None:
            check_positive(self.learning_rate_end, "learning_rate_end")
        check_positive(self.average, "average", zero=True, below=1.0)

        self._system()  # refuses settings that contradict each other

    def _weight_decays(self) -> list[float]:
        """Return each layer's weight decay, checked."""
        given, n = self.weight_decay, len(self.layer_sizes)
        each = [given] * n if isinstance(given, Real) else given
        if isinstance(each, str) or not isinstance(each, Sequence) or len(each) != n:
            raise ValueError(f"weight_decay must be a number, or one for each of {n} layers; got {given!r}.")
        for value in each:
            check_positive(value, "weight_decay", zero=True)
        if self.visible == "gaussian" and each[0]:
            raise ValueError(
                f"weight_decay must be 0 for the layer of Gaussian data, got {each[0]}; set ridge, and the "
                f"others' decay: weight_decay={(0, *each[1:])}."
            )
        return [float(value) for value in each]

    def _system(self, n_targets: int = 0) -> DeepHardEM:
        settings = self.get_params()
        shared = {f.name: settings[f.name] for f in fields(HardEM) if f.name in settings} | {
            "start": self.init
        }
        sizes = [*self.layer_sizes, *([n_targets] if n_targets else [])]
        decays = self._weight_decays()
        layers = []
        for layer, n_h in enumerate(sizes):
            top = layer == len(sizes) - 1
            kind = kind_of(layer, self.visible)
            own = {
                "n_h": n_h,
                "visible": kind,
                "weight_decay": decays[min(layer, len(decays) - 1)],
                "prior": ("learned" if n_targets else self.prior) if top else "flat",
                "m_step": "closed_form" if kind == "gaussian" else "gradient",
            }
            layers.append(HardEM(**(shared | own)))
        return DeepHardEM(tuple(layers), cast("Scheme", self.scheme), n_targets)

    def training(self, X: ArrayLike, y: ArrayLike | None = None) -> DeepTraining:
        """Return the run that :meth:`fit` exhausts: an iterator that can be saved and resumed.

        Parameters
        ----------
        X : (n, n_v) array
        y : (n,) array, optional
            Class of each image.
        """
        self._check_settings()
        X = check_images(X, self.visible)
        targets = np.zeros((len(X), 0), np.uint8)
        if y is not None:
            y = np.asarray(y)
            if y.shape != (len(X),):
                raise ValueError(f"y has shape {y.shape}; expected ({len(X)},), the class of each image.")
            self.classes_, codes = np.unique(y, return_inverse=True)
            targets = np.eye(len(self.classes_), dtype=np.uint8)[codes]
        seed = int(generator(self.random_state).integers(2**31))
        order = np.random.default_rng(seed).permutation(len(X))
        n_validation = min(self.validation_size, len(X) // 10)
        images = X if self.visible == "gaussian" else X.astype(np.uint8)
        rows = np.hstack([images, targets])[order]
        self.n_features_in_ = X.shape[1]
        return DeepTraining(
            self._system(targets.shape[1]),
            rows[n_validation:],
            n_iter=self.n_iter,
            n_fine_tune=self.n_fine_tune,
            n_rounds=self.n_rounds,
            fine_tune_rate=self.fine_tune_rate,
            batch_size=self.batch_size,
            seed=seed,
            validation=rows[:n_validation] if n_validation else None,
            patience=self.patience if n_validation else None,
        )

    def fit_steps(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        *,
        checkpoint: str | os.PathLike | None = None,
        checkpoint_seconds: float = 30.0,
    ) -> Generator[StageStep, None, None]:
        """Train step by step; after each step ``layers_`` holds the current parameters.

        Parameters
        ----------
        X, y
            As in :meth:`fit`.
        checkpoint : path, optional
            Written every `checkpoint_seconds`; if it is there, the run goes on from it, bit for bit as if it
            had never been left. Removed once training is done. Needs a whole number as `random_state`.

        Raises
        ------
        ValueError
            `X`, `y` or a setting cannot be; or `checkpoint` is damaged, or of a run with others.
        FileNotFoundError
            There is no folder for `checkpoint`.
        """
        if checkpoint is not None:
            check_integer(self.random_state, "random_state", 0)
        run = self.training(X, y)
        for step in kept_on_disk(run, checkpoint, checkpoint_seconds, run.save, run.resume):
            self.layers_ = tuple(layer.params for layer in run.state)
            yield step
        self.layers_ = tuple(layer.params for layer in run.layers)

    def fit(self, X: ArrayLike, y: ArrayLike | None = None, **how: Any):
        """Train on images, with the classes `y` on top if they are given; `how` as in :meth:`fit_steps`."""
        if hasattr(self, "classes_"):
            del self.classes_
        for _ in self.fit_steps(X, y, **how):
            pass
        return self

    @classmethod
    def from_layers(
        cls,
        layers: Sequence[Any],
        visible: model.Visible = "bernoulli",
        classes: ArrayLike | None = None,
        **settings,
    ):
        """Return a model with given parameters.

        Parameters
        ----------
        layers : sequence of (W, b, d)
            Lowest first; W is (units below, units of the layer).
        visible : {"bernoulli", "gaussian"}
        classes : (n_classes,) array, optional
            Labels of the top layer's units, if these are targets.
        """
        checked = tuple(model.make_params(*layer) for layer in layers)
        for n, (low, high) in enumerate(itertools.pairwise(checked), 1):
            if low.n_h != high.n_v:
                raise ValueError(f"layer {n} has {low.n_h} latents but layer {n + 1} expects {high.n_v}.")
        sizes = [params.n_h for params in checked]
        made = cls(tuple(sizes[: len(sizes) - (classes is not None)]), visible=visible, **settings)
        made._check_settings()
        made.layers_, made.n_features_in_ = checked, checked[0].n_v
        if classes is not None:
            made.classes_ = np.asarray(classes)
        return made
