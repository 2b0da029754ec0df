"""DeepLRBN as a scikit-learn estimator, over :class:`lrbn_viz.lrbn.deep.training.DeepTraining`."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, NoReturn, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.chunks import Pool
from lrbn_viz.core.fields import Integer, Several, declare, documented, fields_of
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import check_images, generator
from lrbn_viz.estimators.base import NeedsStepCount
from lrbn_viz.estimators.layered import SEVERAL_LAYERS, Depth, Layered
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.inference import kind_of
from lrbn_viz.lrbn.deep.staged import FINE_TUNE_RATE, SCHEME, Scheme
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import EStep, HardEM
from lrbn_viz.lrbn.m_step import Prior
from lrbn_viz.lrbn.model import Start, Visible
from lrbn_viz.training.settings import (
    COUNT,
    N_ITER,
    NON_NEGATIVE,
    PATIENCE,
    RANDOM_STATE,
)

_HARD_EM = {
    name: replace(field, when=()) for name, field in fields_of(HardEM).items()
}  # a layer of either kind


@documented
@dataclass(eq=False, repr=False)
class DeepLRBN(Layered):
    """Latent regression Bayesian network of several layers, learned bottom-up and then together.

    With targets (``fit(X, y)``) the model gets one more layer on top, whose units are the classes: one-hot
    while learning, inferred by :meth:`predict`.

    Attributes
    ----------
    params_ : tuple of LayerParams
        W, b and d of each layer, lowest first; with targets their layer is the last.
    classes_ : (n_classes,) array
        Only after ``fit(X, y)``.

    Examples
    --------
    >>> import lrbn_viz
    >>> data = lrbn_viz.load_dataset("digits")
    >>> X, y = data.train_X[:200], data.train_y[:200]
    >>> model = lrbn_viz.DeepLRBN((8, 4), n_iter=2, random_state=0).fit(X, y)
    >>> [layer.W.shape for layer in model.params_]  # the last layer is that of the classes
    [(64, 8), (8, 4), (4, 10)]
    >>> model.predict(X[:5]).shape
    (5,)
    """

    depth: ClassVar[Depth] = SEVERAL_LAYERS
    _targets = None
    """Classes of the images that are learned, if any."""

    layer_sizes: Sequence[int] = declare(
        Several(
            "Latent units of each layer",
            None,
            "How many latent units each layer has, lowest first.",
            of=_HARD_EM["n_h"],
            fixed=_HARD_EM["n_h"].fixed,
        ),
        (200, 200),
    )
    _: KW_ONLY
    visible: Visible = declare(_HARD_EM["visible"])
    prior: Prior = declare(
        _HARD_EM["prior"],
        details="Of the top layer. The prior of another is the layer above; while learned alone it is flat.",
    )
    init: Start = declare(_HARD_EM["start"], details="Of each layer, from the layer below.")
    e_step: EStep = declare(
        _HARD_EM["e_step"],
        details="The paper's scheme of learning all layers together is always ICM.",
    )
    scheme: Scheme = declare(SCHEME, "joint")
    learning_rate: float = declare(_HARD_EM["learning_rate"])
    fine_tune_rate: float = declare(FINE_TUNE_RATE, 0.2)
    momentum: float = declare(_HARD_EM["momentum"])
    decay_steps: float = declare(_HARD_EM["decay_steps"])
    learning_rate_end: float | None = declare(_HARD_EM["learning_rate_end"], details="Within each stage.")
    weight_decay: float | Sequence[float] = declare(
        Several(
            _HARD_EM["weight_decay"].label,
            None,
            "Each gradient step shrinks W by the learning rate times this.",
            details="One for all layers, or one for each; a layer of targets has the last. In layers above "
            "the first b shrinks too, towards a flat prior over the latents below. The layer "
            "of Gaussian data is regressed in closed form: its own must be 0, and it has `ridge`.",
            of=_HARD_EM["weight_decay"],
            alone=True,
        ),
        0.0,
    )
    nonnegative: bool = declare(
        _HARD_EM["nonnegative"],
        details="Of the lowest layer, whose units are parts of images. Layers above it may also learn that "
        "parts exclude each other.",
    )
    average: float = declare(
        _HARD_EM["average"], details="Within each stage: a layer above learns from the averaged one."
    )
    n_iter: int = declare(N_ITER, 5, details="Of each layer.")
    n_fine_tune: int = declare(
        N_ITER,
        2,
        label="Epochs of fine-tuning",
        help="Passes over the training images in which all layers learn together.",
        bounds=NON_NEGATIVE,
    )
    n_rounds: int = declare(
        Integer(
            "Rounds",
            None,
            "How often learning layer by layer and learning together follow each other.",
            bounds=COUNT,
        ),
        1,
    )
    max_sweeps: int = declare(_HARD_EM["max_sweeps"])
    warm_sweeps: int = declare(_HARD_EM["warm_sweeps"])
    hottest: float = declare(_HARD_EM["hottest"])
    coldest: float = declare(_HARD_EM["coldest"])
    persistent: bool = declare(_HARD_EM["persistent"])
    likelihood_weight: float = declare(
        _HARD_EM["likelihood_weight"],
        details="Of the images alone: what upper layers learn from is not weighted.",
    )
    ridge: float = declare(_HARD_EM["ridge"])
    patience: int | None = declare(PATIENCE, 5, details="Within each stage.")
    random_state: int | None = declare(RANDOM_STATE)

    # -- learning

    def _weight_decays(self) -> list[float]:
        """Return each layer's weight decay, checked."""
        given: Any = self.weight_decay
        n = len(self.layer_sizes)
        each = [given] * n if isinstance(given, numbers.Real) else given
        if len(each) != n:
            raise ValueError(f"weight_decay must be a number, or one for each of {n} layers; got {given!r}.")
        if self.visible == "gaussian" and each[0]:
            raise ValueError(
                f"weight_decay must be 0 for the layer of Gaussian data, got {each[0]}; set ridge, and the "
                f"others' decay: weight_decay={(0, *each[1:])}."
            )
        return [float(value) for value in each]

    def make_system(self, n_targets: int = 0) -> DeepHardEM:
        """Return the training system, with the current settings."""
        shared = self._shared_with(HardEM)
        shared["start"] = self.init
        sizes = [*self.layer_sizes, *([n_targets] if n_targets else [])]
        decays = self._weight_decays()
        layers = []
        for layer, n_h in enumerate(sizes):
            top = layer == len(sizes) - 1
            kind = kind_of(layer, self.visible)
            own: dict[str, Any] = {
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

        The model itself is not changed.

        Parameters
        ----------
        X : (n, n_v) array
        y : (n,) array, optional
            Class of each image.
        """
        self.check_settings()
        return self._training(X, y, generator(self.random_state))[0]

    def _training(
        self, X: ArrayLike, y: ArrayLike | None, rng: np.random.Generator
    ) -> tuple[DeepTraining, NDArray | None]:
        """Return the run and the classes of its targets."""
        X = check_images(X, self.visible, binarize=self.binarize)
        targets, classes = np.zeros((len(X), 0), np.uint8), None
        if y is not None:
            y = np.asarray(y)
            if y.shape != (len(X),):
                raise ValueError(f"y has shape {y.shape}; expected ({len(X)},), the class of each image.")
            classes, codes = np.unique(y, return_inverse=True)
            targets = np.eye(len(classes), dtype=np.uint8)[codes]
        seed = int(rng.integers(2**31))
        order = np.random.default_rng(seed).permutation(len(X))
        n_validation = min(self.validation_size, len(X) // 10)
        images = X if self.visible == "gaussian" else X.astype(np.uint8)
        rows = np.hstack([images, targets])[order]
        run = DeepTraining(
            self.make_system(targets.shape[1]),
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
        return run, classes

    def _begin(
        self, X: ArrayLike, y: ArrayLike | None, rng: np.random.Generator, pool: Pool | None
    ) -> DeepTraining:
        """Return the run that trains the model, before its first step."""
        if pool is not None:
            self.make_system().with_pool(pool)  # refuses in words
        run, self._targets = self._training(X, y, rng)
        return run

    @property
    def partial_fit(self) -> NoReturn:
        """Not offered: each layer learns for a number of passes, which have to be known."""
        raise NeedsStepCount(
            "n_iter needs a known number of steps, which partial_fit leaves open: the layers learn one after "
            "another. Call fit with all images."
        )

    def adopt(self, state: Sequence[Any]) -> None:
        """Take over the layers of a state, and the classes of targets once their layer is the last."""
        self._set_params(tuple(layer.params for layer in state))
        if self._targets is not None and len(self.params_) > len(self.layer_sizes):
            self.classes_ = self._targets
        elif hasattr(self, "classes_"):  # of targets that these layers do not have
            del self.classes_

    @classmethod
    def from_params(
        cls, W: ArrayLike, b: ArrayLike, d: ArrayLike, visible: model.Visible = "bernoulli", **settings: Any
    ):
        """Return a model of one layer with given parameters; `from_layers` takes any number of layers."""
        return cls.from_layers([(W, b, d)], visible, **settings)

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
        made.check_settings()
        made._set_params(checked)
        made.history_, made.n_iter_ = [], 0
        if classes is not None:
            made.classes_ = np.asarray(classes)
        return made

    def with_layers(self, layers: Sequence[LayerParams]) -> DeepLRBN:
        """Return a model of this kind with other parameters: its layers', the lowest first."""
        return self.from_layers(layers, self.visible).named_as(self)

    # -- classes

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """Return the share of right classes if there are any and `y` is given, else the mean bound."""
        if y is not None and hasattr(self, "classes_"):
            return float((self.predict(X) == np.asarray(y)).mean())
        return float(self.score_samples(X).mean())

    def _class_scores(self, X: ArrayLike, **how: Any) -> NDArray[np.float64]:
        """``max_h log P(x, h, t)`` for each class t, (n, n_classes): every class is tried as the target."""
        check_is_fitted(self)
        if not hasattr(self, "classes_"):
            raise NotFittedError(
                f"this {type(self).__name__} was fitted without y, so it knows no classes; call fit(X, y) "
                "with the classes of X."
            )
        scores = np.empty((len(self.check_images(X)), len(self.classes_)))
        for c in range(len(self.classes_)):
            top = np.zeros(scores.shape, np.uint8)
            top[:, c] = 1
            scores[:, c] = self.log_joint(X, self.infer(X, top=top, **how))
        return scores

    def predict(self, X: ArrayLike, **how: Any) -> NDArray:
        """Return the class of the most probable joint state of each image; `how` as in :meth:`infer`."""
        best = self._class_scores(X, **how).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, X: ArrayLike, **how: Any) -> NDArray[np.float64]:
        """Return probabilities of the classes, proportional to ``max_h P(x, h, t)``; (n, n_classes)."""
        scores = self._class_scores(X, **how)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # of `predict_proba`; it is a transformer all the same
        return tags

    # -- files

    def _arrays(self, dtype: type) -> dict[str, NDArray]:
        arrays = {
            f"{name}{layer}": np.asarray(array, dtype)
            for layer, params in enumerate(self.layers)
            for name, array in params._asdict().items()
        }
        classes = {"classes": self.classes_} if hasattr(self, "classes_") else {}
        return {"n_layers": np.array(len(self.layers)), **arrays, **classes}
