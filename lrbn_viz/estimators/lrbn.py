"""LRBN as a scikit-learn estimator: a thin face over its training systems, of one layer and of several."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils import ClassifierTags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.chunks import Pool
from lrbn_viz.core.fields import (
    ONE_LAYER,
    SEVERAL_LAYERS,
    Choice,
    Field,
    Flag,
    Integer,
    When,
    declare,
    documented,
    each_layer,
    fields_of,
)
from lrbn_viz.core.model import LayerParams, TraceMethod, names_above
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import (
    check_choice,
    check_clamp,
    check_integer,
    check_numbers,
    generator,
    unknown_in,
)
from lrbn_viz.estimators.base import NeedsStepCount
from lrbn_viz.estimators.layered import MEAN_FIELD_SWEEPS, Layered
from lrbn_viz.estimators.parameters import taken, upper_layer
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.batch_em import BatchEM
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM, params_of
from lrbn_viz.lrbn.deep.inference import Layers
from lrbn_viz.lrbn.deep.staged import Scheme, StagedHardEM, StagedState, layers_of
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import EStep, HardEM
from lrbn_viz.lrbn.m_step import IN_CLOSED_FORM, HardEMState, Prior
from lrbn_viz.lrbn.means.moments import ExactMoments, GaussianMoments, Moments, TiltedMoments
from lrbn_viz.lrbn.means.trace import guess_trace, with_held
from lrbn_viz.lrbn.model import Start, Visible, evidence
from lrbn_viz.training.fitting import Run
from lrbn_viz.training.settings import COUNT, LAYER_UNITS, N_ITER, NON_NEGATIVE, PATIENCE

_HARD_EM, _BATCH_EM, _STAGED = fields_of(HardEM), fields_of(BatchEM), fields_of(StagedHardEM)

OF_ONE: When = ({"n_components": ONE_LAYER},)
OF_SEVERAL: When = ({"n_components": SEVERAL_LAYERS},)
IN_TURN: When = ({"layer_by_layer": (True,)},)
IN_ONE_RUN: When = ({"n_components": SEVERAL_LAYERS, "layer_by_layer": (False,)},)

SCHEDULE = Choice(
    "Schedule",
    None,
    "Whether the parameters learn from minibatches, or once in a pass from all images.",
    details='"batch" infers all images, then regresses them on all codes: Bernoulli pixels each by L-BFGS, '
    "Gaussian ones in closed form, the prior from counts. It can run on a cluster, with the same result. No "
    "learning rate, momentum or minibatch size applies, and `warm_up` counts passes.",
    choices={"minibatch": "minibatches", "batch": "whole passes"},
    fixed="A pass carries other statistics than a minibatch: begin a new run to change it.",
    when=OF_ONE,
)
LAYER_BY_LAYER = Flag(
    "Layer by layer",
    None,
    "Each layer learns in a run of its own, `n_iter` passes of each, and then all layers learn together.",
    details="The codes from which an upper layer learns are inferred once, when its run begins. With "
    "classes, ``fit(X, y)`` learns one more layer on top, whose units are these: one-hot while learning, "
    "inferred by `predict`. If False, several layers learn in one run of stages, each for a share of the "
    "steps.",
    titles=("in one run", "layer by layer"),
    fixed="Layers that learn in runs of their own have other states: begin a new run to change it.",
    in_form=False,
)
N_ROUNDS = Integer(
    "Rounds",
    None,
    "How often learning layer by layer and learning together follow each other.",
    bounds=COUNT,
    when=IN_TURN,
    in_form=False,
)


def _by_minibatch(name: str) -> Field:
    """Return a setting of hard EM that the whole passes of a single layer do not have."""
    field, minibatch = _HARD_EM[name], {"schedule": ("minibatch",)}
    return replace(field, when=(*({**each, **minibatch} for each in field.when or ({},)), *OF_SEVERAL))


TraceKind = Literal["icm", "mean-field"]


def _learns_classes(model: LRBN) -> bool:
    """Return whether a model can learn classes; AttributeError, in words, where it cannot."""
    if not model.layer_by_layer:
        raise AttributeError(
            f"this {type(model).__name__} learns no classes; use layer_by_layer=True, and fit(X, y) with the "
            "classes of X."
        )
    return True


@documented
@dataclass(eq=False, repr=False)
class LRBN(Layered):
    """Latent regression Bayesian network of one layer or several, learned by hard EM.

    A directed model with binary latents. Given an image its latents depend on each other: they explain away.
    Each layer generates the one below it, ``n_components=(200, 200)``. Several layers learn in one run, or
    layer by layer, also with classes on top.

    Attributes
    ----------
    params_ : tuple of LayerParams
        W (n_v, n_h), b (n_v,), d (n_h,) of each layer, the lowest first; a layer of classes is the last.
    classes_ : (n_classes,) array
        Only after ``fit(X, y)`` with ``layer_by_layer=True``.

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

    Two layers, and two with classes on top:

    >>> lower, upper = lrbn_viz.LRBN((8, 4), n_iter=5, random_state=0).fit(X).infer(X)
    >>> lower.shape, upper.shape
    ((200, 8), (200, 4))
    >>> data = lrbn_viz.load_dataset("digits")
    >>> X, y = data.train_X[:200], data.train_y[:200]
    >>> model = lrbn_viz.LRBN((8, 4), layer_by_layer=True, n_iter=2, random_state=0).fit(X, y)
    >>> [layer.W.shape for layer in model.params_]  # the last layer is that of the classes
    [(64, 8), (8, 4), (4, 10)]
    >>> model.predict(X[:5]).shape
    (5,)
    """

    takes_unknown: ClassVar[bool] = True
    learns_unknown: ClassVar[bool] = True

    _targets = None
    """Classes of the images that are learned, if any."""

    n_components: int | Sequence[int] = declare(LAYER_UNITS, 200)
    _: KW_ONLY
    visible: Visible = declare(_HARD_EM["visible"])
    layer_by_layer: bool = declare(LAYER_BY_LAYER, False)
    first_share: float = declare(_STAGED["first_share"], when=IN_ONE_RUN)
    second_share: float = declare(_STAGED["second_share"], when=IN_ONE_RUN)
    prior: Prior = declare(
        _HARD_EM["prior"],
        details=f"{_HARD_EM['prior'].details} Of several layers it is that of the top one; the prior of "
        "another is the layer above, and flat while it learns alone.",
    )
    warm_up: float = declare(_HARD_EM["warm_up"])
    init: Start = declare(_HARD_EM["start"])
    e_step: EStep = declare(_HARD_EM["e_step"])
    scheme: Scheme = declare(_STAGED["scheme"], when=OF_SEVERAL, details="The latter always infers by ICM.")
    m_step: Literal["auto", "gradient", "closed_form"] = declare(
        _HARD_EM["m_step"],
        "auto",
        details='"auto" is the closed form for Gaussian units, the gradient otherwise.',
        choices={"auto": "automatic", "gradient": "gradient", "closed_form": "closed form"},
        when=({"n_components": ONE_LAYER, "visible": ("gaussian",), "schedule": ("minibatch",)},),
    )
    learning_rate: float = declare(_by_minibatch("learning_rate"))
    fine_tune_rate: float = declare(_STAGED["fine_tune_rate"], when=OF_SEVERAL)
    momentum: float = declare(_by_minibatch("momentum"))
    decay_steps: float = declare(_by_minibatch("decay_steps"))
    learning_rate_end: float | None = declare(
        _by_minibatch("learning_rate_end"), details="Within each stage of several layers."
    )
    weight_decay: float | Sequence[float] = declare(
        _STAGED["weight_decay"], when=_by_minibatch("weight_decay").when
    )
    nonnegative: bool = declare(
        _by_minibatch("nonnegative"),
        details=f"{_HARD_EM['nonnegative'].details} Layers above the lowest may also learn that parts "
        "exclude each other.",
    )
    average: float = declare(
        _HARD_EM["average"],
        details=f"{_HARD_EM['average'].details} Of several layers: within each stage, or in one run at most "
        "the share in which all learn together.",
    )
    schedule: Literal["minibatch", "batch"] = declare(SCHEDULE, "minibatch")
    m_tolerance: float = declare(_BATCH_EM["m_tolerance"])
    m_visits: int = declare(_BATCH_EM["m_visits"])
    n_fine_tune: int = declare(
        N_ITER,
        2,
        label="Epochs of fine-tuning",
        help="Passes over the training images in which all layers learn together.",
        bounds=NON_NEGATIVE,
        when=IN_TURN,
    )
    n_rounds: int = declare(N_ROUNDS, 1)
    max_sweeps: int = declare(_HARD_EM["max_sweeps"])
    warm_sweeps: int = declare(_HARD_EM["warm_sweeps"])
    hottest: float = declare(_HARD_EM["hottest"])
    coldest: float = declare(_HARD_EM["coldest"])
    persistent: bool = declare(_HARD_EM["persistent"], when=(*OF_ONE, *IN_TURN))
    likelihood_weight: float = declare(_HARD_EM["likelihood_weight"])
    ridge: float = declare(
        _HARD_EM["ridge"],
        when=(
            *({**each, "n_components": ONE_LAYER} for each in (*IN_CLOSED_FORM, {"schedule": ("batch",)})),
            {"n_components": SEVERAL_LAYERS, "visible": ("gaussian",)},
        ),
    )
    patience: int | None = declare(
        PATIENCE, 5, when=tuple({**PATIENCE.when[0], **each} for each in (*OF_ONE, *IN_TURN))
    )

    # -- settings

    @property
    def _sizes(self) -> tuple[int, ...]:
        """Latents of each layer that the settings ask for, the lowest first."""
        return each_layer(self.n_components)

    def _check_together(self) -> None:
        """Raise ValueError, in words, for settings that contradict each other."""
        if self.coldest > self.hottest:
            raise ValueError(
                f"coldest must be at most hottest = {self.hottest}; got {self.coldest}. Annealing cools down."
            )
        if len(self._sizes) == 1 and not self.layer_by_layer:
            self._check_single()
        super()._check_together()

    def _check_single(self) -> None:
        """Raise ValueError for settings that a single layer cannot have."""
        if self.m_step == "closed_form" and self.visible != "gaussian":
            raise ValueError(
                'm_step="closed_form" requires visible="gaussian"; use "gradient" for Bernoulli units.'
            )
        if hasattr(self.weight_decay, "__len__"):
            raise ValueError(f"weight_decay must be a number for a single layer; got {self.weight_decay!r}.")
        if self.schedule == "minibatch":
            return
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

    # -- training

    def make_system(self, n_targets: int = 0) -> Any:
        """Return the training system, with the current settings.

        Parameters
        ----------
        n_targets : int
            Classes that a further layer learns, of layers that learn in turn.

        Returns
        -------
        HardEM, BatchEM, StagedHardEM or DeepHardEM
            Of a single layer by minibatches or by whole passes, of several in one run or in turn.
        """
        sizes = self._sizes
        if self.layer_by_layer:
            shared = {**self._shared_with(HardEM), "start": self.init}
            return DeepHardEM(layers_of(shared, sizes, n_targets), self.scheme, n_targets)
        if len(sizes) > 1:
            return StagedHardEM(n_h=sizes, start=self.init, **self._shared_with(StagedHardEM))
        kind = BatchEM if self.schedule == "batch" else HardEM
        closed = self.m_step == "closed_form" or (self.m_step == "auto" and self.visible == "gaussian")
        shared = {**self._shared_with(kind), "m_step": "closed_form" if closed else "gradient"}
        return kind(n_h=self._sizes[0], start=self.init, **shared)

    def state_from(self, params: Layers, rng: np.random.Generator) -> Any:
        """Return a state of training that begins at given parameters; several layers learn together."""
        system = self.make_system()
        if isinstance(system, DeepHardEM):
            return tuple(how.from_params(layer) for how, layer in zip(system.layers, params, strict=True))
        return system.resume(params) if isinstance(system, StagedHardEM) else system.from_params(params[0])

    @classmethod
    def _params_of(cls, state: HardEMState | StagedState | tuple[HardEMState, ...]) -> Layers:
        if isinstance(state, StagedState):
            return state.params
        return (state.params,) if isinstance(state, HardEMState) else params_of(state)

    def training(self, X: ArrayLike, y: ArrayLike | None = None) -> DeepTraining:
        """Return the run by which :meth:`fit` learns layer by layer: an iterator that can be saved.

        The model itself is not changed.

        Parameters
        ----------
        X : (n, n_v) array
        y : (n,) array, optional
            Class of each image.
        """
        if not self.layer_by_layer:
            raise ValueError("training needs layer_by_layer=True; use fit_steps for any other run.")
        self.check_settings()
        return self._training(X, y, generator(self.random_state))[0]

    def _training(
        self, X: ArrayLike, y: ArrayLike | None, rng: np.random.Generator
    ) -> tuple[DeepTraining, NDArray | None]:
        """Return the run and the classes of its targets."""
        X = self._to_learn(X)
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
        images = X if self.visible == "gaussian" or unknown_in(X) is not None else X.astype(np.uint8)
        rows = np.hstack([images, targets])[order]
        system = self.make_system(targets.shape[1])
        run = DeepTraining(
            system,
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

    def _begin(self, X: ArrayLike, y: Any, rng: np.random.Generator, pool: Pool | None) -> Run:
        """Return the run that trains the model, before its first step."""
        if not self.layer_by_layer:
            self._targets = None
            return super()._begin(X, y, rng, pool)
        if pool is not None:
            self.make_system().with_pool(pool)  # refuses in words
        run, self._targets = self._training(X, y, rng)
        return run

    @property
    def _early_stop(self) -> int | None:
        """Passes without a better score after which training ends: none while stages follow each other."""
        return None if len(self._sizes) > 1 else self.patience

    @property
    def partial_fit(self) -> Callable[..., Self]:
        """As of every model; not offered for layers that learn in turn, which need to know their passes."""
        if self.layer_by_layer:
            raise NeedsStepCount(
                "n_iter needs a known number of steps, which partial_fit leaves open: the layers learn one "
                "after another. Call fit with all images."
            )
        return super().partial_fit

    def adopt(self, state: Any) -> None:
        """Take over the layers of a state, and the classes of targets once their layer is the last."""
        super().adopt(state)
        if self._targets is not None and len(self.params_) > len(self._sizes):
            self.classes_ = self._targets
        elif hasattr(self, "classes_"):  # of targets that these layers do not have
            del self.classes_

    # -- parameters

    @classmethod
    def _completed(cls, low: LayerParams, given: dict[str, Any]) -> Layers:
        """Return the checked layers of which there are arrays."""
        layers = [low]
        while given.get((names := names_above(len(layers)))[0]) is not None:
            W, d = taken(given, names, cls.__name__)
            layers.append(upper_layer(layers[-1], W, d, names))
        return tuple(layers)

    @classmethod
    def from_layers(
        cls,
        layers: Sequence[Any],
        visible: Visible = "bernoulli",
        classes: ArrayLike | None = None,
        **settings: Any,
    ) -> Self:
        """Return a model with given parameters.

        Parameters
        ----------
        layers : sequence of (W, b, d)
            Lowest first; W is (units below, units of the layer).
        visible : {"bernoulli", "gaussian"}
        classes : (n_classes,) array, optional
            Labels of the top layer's units, if these are targets of a model that learns layer by layer.
        **settings
            Any other setting of the class.

        Raises
        ------
        ValueError
            Shapes do not fit each other, or a value cannot be.
        """
        checked = tuple(model.make_params(*layer) for layer in layers)
        for n, (low, high) in enumerate(itertools.pairwise(checked), 1):
            if low.n_h != high.n_v:
                raise ValueError(f"layer {n} has {low.n_h} latents but layer {n + 1} expects {high.n_v}.")
        if classes is None:
            return cls._made_of(checked, visible, settings)
        if len(checked) < 2:
            raise ValueError("classes need a layer of their own above the others; got one layer in all.")
        how = {"layer_by_layer": True, **settings}
        made = cls._made_of(checked, visible, how, cls._sizes_of(checked[:-1]))
        made.classes_ = np.asarray(classes)
        return made

    def with_layers(self, layers: Sequence[LayerParams]) -> LRBN:
        """Return a model of this kind with other parameters: its layers', the lowest first."""
        how = {"layer_by_layer": self.layer_by_layer}
        return self.from_layers(layers, self.visible, getattr(self, "classes_", None), **how).named_as(self)

    def _arrays(self, dtype: type) -> dict[str, NDArray]:
        arrays = {
            f"{name}{layer}": np.asarray(array, dtype)
            for layer, params in enumerate(self.layers)
            for name, array in params._asdict().items()
        }
        classes = {"classes": self.classes_} if hasattr(self, "classes_") else {}
        return {"n_layers": np.array(len(self.layers)), **arrays, **classes}

    # -- inference

    @property
    def trace_methods(self) -> Mapping[str, TraceMethod]:
        """Kinds of inference that `trace` records, the usual one first; mean field of one layer only."""
        found = super().trace_methods
        how = {"kind": "mean-field", "max_sweeps": MEAN_FIELD_SWEEPS}
        return found if self.several_layers else {**found, "mean-field": TraceMethod("Mean field", how, True)}

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

        Sweeps over several layers go from the lowest up; units are numbered through all layers.

        Parameters
        ----------
        x : (n_v,) array
            One flattened image; NaN is not known.
        kind : {"icm", "mean-field"}
            "icm": states, visit by visit; with a temperature Gibbs sampling and annealing. "mean-field", of
            one layer: means of independent latents, each of which in turn is set to its optimum given the
            others, until no mean changes by 0.001. Then ``log_joint`` is a lower bound on log P(x) that never
            decreases: the evidence lower bound if that can be computed, with Gaussian visible units or up to
            16 latents, otherwise the tilted bound of Saul, Jaakkola and Jordan (1996), which is below it.
        init : {"conditional", "paper", "zeros", "random"} or (n_latents_,) array, optional
            The start, of all layers; the model's own when None. Mean field starts from the probabilities
            whose likelier states "conditional" and "paper" are, or from means in [0, 1].
        max_sweeps : int, optional
            Bound on the sweeps (after a sequence of temperatures: of ICM); of mean field 20 when None.
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``.
        random_state : int, Generator or None
            Seed of random starts, orders and temperatures.
        **how
            For "icm" only. ``order``, the order of visits: "sequential", "random", "greedy", the best flip
            each time, of all, or "parallel", all units of a sweep from its first state, against which Theorem
            1 gives no guarantee; several layers have the first two. ``temperature``: 0 is ICM, 1 Gibbs
            sampling; a sequence gives one sweep at each temperature, and then ICM.

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
        if self.several_layers:
            self.refuse("a trace of mean field", "it has several layers")
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
            return sigmoid(evidence(self.layers[0], self.visible, x[None])[0])
        if init == "conditional":
            return sigmoid(self.conditional_log_odds(x[None], (np.zeros((1, n_h), np.uint8),))[0][0])
        named: Any = init
        start = super().map_trace(x, init=named, max_sweeps=0, random_state=generator(random_state)).h0
        return start.astype(np.float64)

    def moments_of(self, x: NDArray, q: NDArray) -> Moments:
        """Return the bound of an image (n_v,) that mean field of one layer raises, at means `q` (n_h,)."""
        (layer,) = self.layers
        if self.visible == "gaussian":
            return GaussianMoments(layer, x, q)
        if self.n_latents_ <= MAX_EXACT_INTERACTIVE:
            return ExactMoments(layer, x, q, self.exact_posterior(x).log_joints)
        return TiltedMoments(layer, x, q)

    # -- classes

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """Return the share of right classes if there are any and `y` is given, else the mean bound."""
        if y is not None and hasattr(self, "classes_"):
            return float((self.predict(X) == np.asarray(y)).mean())
        return super().score(X)

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

    @available_if(_learns_classes)
    def predict(self, X: ArrayLike, **how: Any) -> NDArray:
        """Return the class of the most probable joint state of each image; `how` as in :meth:`infer`."""
        best = self._class_scores(X, **how).argmax(axis=1)
        return self.classes_[best]

    @available_if(_learns_classes)
    def predict_proba(self, X: ArrayLike, **how: Any) -> NDArray[np.float64]:
        """Return probabilities of the classes, proportional to ``max_h P(x, h, t)``; (n, n_classes)."""
        scores = self._class_scores(X, **how)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self.layer_by_layer:
            tags.classifier_tags = ClassifierTags()  # of `predict_proba`; it is a transformer all the same
        return tags
