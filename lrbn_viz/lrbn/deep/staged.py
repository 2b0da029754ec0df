"""Two layers learned in one run, behind the System protocol: the lower one, the upper one on its codes, then
both.

The three stages follow each other within one run, each for a share of its steps:

1. The lower layer learns by hard EM under a flat prior. Until this stage ends the upper layer has no
   influence: its weights are 0, and its offsets give each lower latent its mean under the data.
2. The upper layer learns from the codes that the lower one infers. The lower layer does not change.
3. Both layers are inferred jointly and learn together (:class:`~lrbn_viz.lrbn.deep.hard_em.DeepHardEM`).

:class:`~lrbn_viz.lrbn.deep.training.DeepTraining` learns in the same stages, but each is a run by itself, and
codes are inferred once, when a stage begins. Here they are inferred with each minibatch, so that a run can be
watched, paused, changed and resumed as one of a single layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from lrbn_viz.core.fields import Choice, Real, check_fields, declare, documented, fields_of
from lrbn_viz.core.model import LayerParams, named_layers
from lrbn_viz.core.system import N_SHOWN, PictureRow, Pictures
from lrbn_viz.core.validation import Interval
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn.batch_kernel import BatchInference
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.inference import kind_of
from lrbn_viz.lrbn.hard_em import EStep, HardEM
from lrbn_viz.lrbn.m_step import HardEMState, Prior
from lrbn_viz.lrbn.model import (
    Start,
    Visible,
    log_joint_given,
    most_probable_visible,
    visible_mean,
)
from lrbn_viz.lrbn.regression import binary_activation
from lrbn_viz.training.settings import LATENT_UNITS, POSITIVE
from lrbn_viz.training.staged import Stage, StagedSystem, check_shares

Scheme = Literal["joint", "three layers"]

LOG_2 = float(np.log(2.0))
LOWER, UPPER, TOGETHER = 1, 2, 3
"""Stages of training."""
UPPER_START_LOG_ODDS = -1e-3
"""Initial log-odds of upper latents, just below 0 so that inference leaves them off."""
RUNNING_MEAN_RATE = 0.01
"""Share of the latest minibatch in the running mean of the lower latents, while their layer learns alone."""

SCHEME = Choice(
    "Learning all layers together",
    None,
    "All layers are updated at once, or three at a time from the top down (the paper's scheme).",
    choices={"joint": "jointly", "three layers": "three layers at a time"},
)
FINE_TUNE_RATE = Real(
    "Fine-tuning rate", None, "Factor on the learning rates while all layers learn together.", bounds=POSITIVE
)

N_PICTURE_IMAGES = 32
"""Number of held-out images from which the activity of the units of layer 2 is shown."""

UNITS_ROW = PictureRow(
    "layer 2, units",
    "mean of x where one of the first units of layer 2 is on and no other, its message passed down as means; "
    "and the share of 32 held-out images for which that unit is on",
    "on",
    "share",
)
CODES_ROW = PictureRow(
    "layer 2, codes",
    "the first held-out images as layer 2 alone knows them: its states passed down as means; and how many "
    "pixels are wrong, or the squared error of grey images",
    "wrong",
    "count",
)

_HARD_EM = fields_of(HardEM)
_OF_BOTH = {name: replace(each, when=()) for name, each in _HARD_EM.items()}
"""The upper layer is learned by gradients, whatever the images are."""


class StagedState(NamedTuple):
    """Both layers in training; never modified after creation.

    Attributes
    ----------
    lower, upper : HardEMState
        The lower one's `d` is 0: its prior is flat while it learns alone, and later the layer above.
    stage : int
        1, 2 or 3.
    n_steps : int
        Steps taken.
    """

    lower: HardEMState
    upper: HardEMState
    stage: int
    n_steps: int

    @property
    def layers(self) -> tuple[HardEMState, HardEMState]:
        """Both layers, the lower one first."""
        return self.lower, self.upper

    @property
    def params(self) -> tuple[LayerParams, LayerParams]:
        """Parameters of both layers, the lower one first; its `d` is the `b` of the upper one."""
        return self.lower.params._replace(d=self.upper.params.b), self.upper.params


@documented
@dataclass(frozen=True)
class StagedHardEM(StagedSystem[StagedState]):
    """Training of an LRBN of two layers in one run: layer by layer by hard EM, then both together.

    The learning rate falls, or begins to halve, within each stage separately.
    """

    n_h: int = declare(LATENT_UNITS, 200, help="How many binary causes the lower layer has (n_h).")
    visible: Visible = declare(_HARD_EM["visible"])
    n_top: int = declare(
        LATENT_UNITS,
        200,
        label="Upper latent units",
        help="Latent units of the upper layer, which generate the lower ones.",
    )
    first_share: float = declare(
        Real(
            "Share for the lower layer",
            "of the steps",
            "The first steps, in which the lower layer learns alone, under a flat prior.",
            bounds=Interval(0, 1, "neither"),
        ),
        0.4,
    )
    second_share: float = declare(
        Real(
            "Share for the upper layer",
            "of the steps",
            "The next steps, in which the upper layer learns from the codes of the lower one; both learn "
            "together after that.",
            bounds=Interval(0, 1, "neither"),
        ),
        0.4,
    )
    prior: Prior = declare(
        _HARD_EM["prior"], details="Of the upper layer. The prior of the lower one is the upper layer."
    )
    warm_up: float = declare(_HARD_EM["warm_up"], details="Within each stage of the upper layer.")
    start: Start = declare(_HARD_EM["start"])
    e_step: EStep = declare(
        _HARD_EM["e_step"], details="The paper's scheme of learning all layers together is always ICM."
    )
    scheme: Scheme = declare(SCHEME, "joint")
    learning_rate: float = declare(_OF_BOTH["learning_rate"])
    fine_tune_rate: float = declare(FINE_TUNE_RATE, 0.2)
    momentum: float = declare(_OF_BOTH["momentum"])
    decay_steps: float = declare(_OF_BOTH["decay_steps"])
    learning_rate_end: float | None = declare(_OF_BOTH["learning_rate_end"], details="Within each stage.")
    weight_decay: float = declare(
        _OF_BOTH["weight_decay"],
        details="Of both layers, and of b in the upper one, towards a flat prior over the lower latents. The "
        "layer of Gaussian data has `ridge` in its place.",
    )
    nonnegative: bool = declare(
        _HARD_EM["nonnegative"],
        details="Of the lower layer, whose units are parts of images. The upper one may also learn that "
        "parts exclude each other.",
    )
    average: float = declare(
        _HARD_EM["average"], details="At most the share in which both layers learn together."
    )
    max_sweeps: int = declare(_HARD_EM["max_sweeps"])
    warm_sweeps: int = declare(_HARD_EM["warm_sweeps"])
    hottest: float = declare(_HARD_EM["hottest"])
    coldest: float = declare(_HARD_EM["coldest"])
    likelihood_weight: float = declare(_HARD_EM["likelihood_weight"], details="Of the images alone.")
    ridge: float = declare(_HARD_EM["ridge"], when=({"visible": ("gaussian",)},))
    stage: int = field(default=LOWER, repr=False)
    """The stage to which a step belongs, unless the state is in a later one."""

    def __post_init__(self) -> None:
        check_fields(self)
        shares = {"first_share": self.first_share, "second_share": self.second_share}
        check_shares(shares, "in which both layers learn together")
        last = 1.0 - self.first_share - self.second_share
        if self.average > last + 1e-9:
            raise ValueError(
                f"average = {self.average} is more than the share in which both layers learn together, "
                f"{last:.3g}: before that, layers are still being added. Lower it, or a layer's own share."
            )
        if self.coldest > self.hottest:
            raise ValueError(
                f"coldest must be at most hottest = {self.hottest}; got {self.coldest}. Annealing cools down."
            )
        _ = self.together  # refuses settings that contradict each other

    @cached_property
    def together(self) -> DeepHardEM:
        """Training of both layers together; its `layers` define the training of each layer alone."""
        own = {each.name for each in fields(HardEM)} - {"prior", "visible", "weight_decay"}
        shared = {name: value for name, value in vars(self).items() if name in own and name != "n_h"}
        layers = []
        priors: tuple[Prior, Prior] = ("flat", self.prior)
        for layer, (n_h, prior) in enumerate(zip((self.n_h, self.n_top), priors, strict=True)):
            kind = kind_of(layer, self.visible)
            closed = kind == "gaussian"
            how: dict[str, Any] = {
                "weight_decay": 0.0 if closed else self.weight_decay,
                "m_step": "closed_form" if closed else "gradient",
            }
            layers.append(HardEM(n_h=n_h, visible=kind, prior=prior, **(shared | how)))
        return DeepHardEM(tuple(layers), self.scheme)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The lower layer, the upper one, and both together."""
        return (
            Stage(self.first_share, "learn_lower"),
            Stage(self.first_share + self.second_share, "learn_upper"),
            Stage(1.0, "learn_together", self.fine_tune_rate),
        )

    def images_of(self, state: StagedState, batch: NDArray) -> NDArray[np.float64]:
        """Return the images of a minibatch in double precision."""
        return batch.astype(np.float64)

    # -- training

    def init(self, X: NDArray, rng: np.random.Generator) -> StagedState:
        """Return the lower layer before its first step, with an upper layer that has no effect."""
        low, high = self.together.layers
        none = np.zeros((self.n_h, self.n_top)), np.zeros(self.n_h), np.full(self.n_top, UPPER_START_LOG_ODDS)
        nothing = LayerParams(*none)
        return StagedState(low.init(X, rng), high.from_params(nothing), LOWER, 0)

    def resume(self, params: Sequence[LayerParams]) -> StagedState:
        """Return a state with given parameters of both layers, in which they learn together."""
        (low, high), (below, above) = self.together.layers, params
        lower = low.from_params(below._replace(d=np.zeros(below.n_h)))
        return StagedState(lower, high.from_params(above), TOGETHER, 0)

    def entered(self, state: StagedState, stage: int, rng: np.random.Generator) -> StagedState:
        """Return the state at the begin of a stage; the same where it is in that stage already."""
        lower, upper = state.layers
        if state.stage == LOWER < stage:
            high = self.together.layers[1]
            upper = high.from_params(high.params_around(upper.params.b, rng))
        if state.stage < TOGETHER == stage:
            # statistics of the closed form stay: those of one minibatch would not be enough for W
            lower, upper = (_restarted(layer) for layer in (lower, upper))
        return StagedState(lower, upper, stage, state.n_steps)

    def learn_lower(
        self, state: StagedState, X: NDArray[np.float64], rng: np.random.Generator
    ) -> tuple[StagedState, dict[str, float]]:
        """Stage 1: a step of the lower layer, under a flat prior.

        Figures of all stages: ``log_joint``, log P(x, h, g) with the latents that the E-step found;
        ``units_on`` of the lower layer; ``gradient_norm`` and, of a layer that learns alone, ``flips`` and
        ``sweeps``; once the upper layer has begun, ``upper_activity``, the share of its units that are on.
        """
        low, high = self.together.layers
        found = self._codes(state, X, rng)
        lower, figures = low.learn(state.lower, X, H := found.H.astype(np.float64))
        share = max(RUNNING_MEAN_RATE, 1.0 / (state.n_steps + 1))  # at first a plain mean
        before = state.upper.params
        mean = (1.0 - share) * sigmoid(before.b) + share * H.mean(axis=0)
        nothing = before._replace(b=logit(np.clip(mean, 1e-4, 1 - 1e-4)))
        # in the place of the flat prior what the upper layer gives, with all its units off
        prior = (H * before.b).sum(axis=1).mean() - softplus(before.b).sum() - softplus(before.d).sum()
        joint = figures["log_joint"] + self.n_h * LOG_2 + float(prior)
        work = {"flips": float(found.flips.mean()), "sweeps": float(found.visits.mean() / self.n_h)}
        after = state._replace(lower=lower, upper=high.from_params(nothing))
        return after, {**figures, "log_joint": joint, **work}

    def learn_upper(
        self, state: StagedState, X: NDArray[np.float64], rng: np.random.Generator
    ) -> tuple[StagedState, dict[str, float]]:
        """Stage 2: a step of the upper layer, on the codes of the lower one."""
        high, low = self.together.layers[1], state.lower.params
        H = self._codes(state, X, rng).H.astype(np.float64)
        found = high.infer(state.upper.params, H, rng, self.e_step, dtype=np.float32)
        upper, figures = high.learn(state.upper, H, G := found.H.astype(np.float64))
        given = log_joint_given(low, self.visible, X, H, binary_activation(low, H)).mean() + self.n_h * LOG_2
        return state._replace(upper=upper), {
            "log_joint": float(given) + figures["log_joint"],
            "gradient_norm": figures["gradient_norm"],
            "units_on": float(H.mean()),
            "upper_activity": float(G.mean()),
            "flips": float(found.flips.mean()),
            "sweeps": float(found.visits.mean() / self.n_top),
        }

    def learn_together(
        self, state: StagedState, X: NDArray[np.float64], rng: np.random.Generator
    ) -> tuple[StagedState, dict[str, float]]:
        """Stage 3: a step of both layers."""
        (lower, upper), figures = self.together.step(state.layers, X, rng)
        return state._replace(lower=lower, upper=upper), figures

    def _codes(self, state: StagedState, X: NDArray[np.float64], rng: np.random.Generator) -> BatchInference:
        """Return the result of the lower layer's own E-step for a minibatch."""
        how = {"dtype": np.float32, "weight": self.likelihood_weight}
        return self.together.layers[0].infer(state.lower.params, X, rng, self.e_step, **how)

    # -- what is asked of it

    def parameters(self, state: StagedState) -> dict[str, NDArray]:
        """Return W, b, d, U and e."""
        return named_layers(state.params)

    def with_parameters(self, state: StagedState, parameters: Mapping[str, NDArray]) -> StagedState:
        """Return the state with these in the place of its own."""
        W, b, d, U, e = (parameters[name] for name in ("W", "b", "d", "U", "e"))
        lower = state.lower._replace(params=state.lower.params._replace(W=W, b=b))
        return state._replace(lower=lower, upper=state.upper._replace(params=LayerParams(U, d, e)))

    def gradient_norm(self, before: StagedState, after: StagedState) -> float:
        """Return the size of one step's change of the stage's parameters, per unit of learning rate."""
        learning = {LOWER: slice(0, 1), UPPER: slice(1, 2), TOGETHER: slice(0, 2)}[after.stage]
        triples = zip(self.together.layers, before.layers, after.layers, strict=True)
        norms = [how.gradient_norm(old, new) for how, old, new in list(triples)[learning]]
        return float(np.hypot.reduce(norms))

    def validate(self, state: StagedState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the mean log joint (the score), wrong pixels and dead units of held-out images, by ICM."""
        return self.together.validate(state.layers, X, rng)

    @property
    def picture_rows(self) -> tuple[PictureRow, ...]:
        """Filters of the upper layer, and reconstructions of images from it."""
        return UNITS_ROW, CODES_ROW

    def pictures(
        self, state: StagedState, X: NDArray, seen: NDArray, rng: np.random.Generator
    ) -> tuple[Pictures, ...]:
        """Return the mean of x given single upper latents, and given those of held-out images.

        The mean of the lower latents is passed on, and not their states: it is a picture of what a unit says.
        Nothing before the upper layer learns.
        """
        if state.stage == LOWER:  # layer 2 knows nothing yet
            return Pictures(np.zeros((0, X.shape[1])), np.zeros(0)), Pictures(X[:0], np.zeros(0))
        low, high = state.params
        G = self.encode(state, X[:N_PICTURE_IMAGES])[:, self.n_h :]
        images = G[:N_SHOWN].astype(np.float64)
        alone = np.eye(min(self.n_top, N_SHOWN), self.n_top)
        of_units, of_codes = (
            visible_mean(low, self.visible, visible_mean(high, "bernoulli", states))
            for states in (alone, images)
        )
        guesses = most_probable_visible(low, self.visible, visible_mean(high, "bernoulli", images))
        wrong = ((guesses - X[: len(images)].astype(np.float64)) ** 2).sum(axis=1)
        return Pictures(of_units, G.mean(axis=0)[: len(alone)]), Pictures(of_codes, wrong)

    def weights(self, state: StagedState) -> NDArray:
        """Return the filters of the lower layer."""
        return state.lower.params.W

    def encode(self, state: StagedState, X: NDArray) -> NDArray[np.uint8]:
        """Return the MAP states of both layers beside each other, lower first; (n, n_h + n_top)."""
        return self.together.encode(state.layers, X)

    def encode_factorised(self, state: StagedState, X: NDArray) -> NDArray[np.uint8]:
        """Return the same where each unit sees only the layer below, and no other unit."""
        return self.together.encode_factorised(state.layers, X)

    def decode(self, state: StagedState, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of states, of which the lower ones decide; (n, n_v)."""
        return self.together.decode(state.layers, H)

    def sample(self, state: StagedState, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images by ancestral sampling."""
        return self.together.sample(state.layers, n, rng)


def _restarted(layer: HardEMState) -> HardEMState:
    """Return a layer whose learning rate starts again, without momentum."""
    still = LayerParams(*(np.zeros_like(part) for part in layer.velocity))
    return layer._replace(velocity=still, step=0)
