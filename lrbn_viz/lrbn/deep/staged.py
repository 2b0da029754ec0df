"""Several layers learned in one run, behind the System protocol: each on the codes of the one below, then
all.

The stages follow each other within one run, each for a share of its steps:

1. The lowest layer learns by hard EM under a flat prior. Until this stage ends the layer above has no
   influence: its weights are 0, and its offsets give each lower latent its mean under the data.
2. Each upper layer in turn learns from the codes that the layer below it infers. The layers below do not
   change.
3. All layers are inferred jointly and learn together (:class:`~lrbn_viz.lrbn.deep.hard_em.DeepHardEM`).

:class:`~lrbn_viz.lrbn.deep.training.DeepTraining` learns in the same stages, but each is a run by itself, and
codes are inferred once, when a stage begins. Here they are inferred with each minibatch, so that a run can be
watched, paused, changed and resumed as one of a single layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from lrbn_viz.core.fields import Choice, Real, Several, check_fields, declare, documented, fields_of
from lrbn_viz.core.model import LayerParams, layers_named, named_layers
from lrbn_viz.core.system import N_SHOWN, PictureRow, Pictures
from lrbn_viz.core.validation import Interval
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn.batch_kernel import BatchInference
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.inference import Layers, kind_of
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
from lrbn_viz.training.settings import LAYER_UNITS, POSITIVE
from lrbn_viz.training.staged import Stage, StagedSystem, check_shares

Scheme = Literal["joint", "three layers"]

LOG_2 = float(np.log(2.0))
UPPER_START_LOG_ODDS = -1e-3
"""Initial log-odds of the latents of upper layers, just below 0 so that inference leaves them off."""
RUNNING_MEAN_RATE = 0.01
"""Share of the latest minibatch in the running mean of a layer's latents, while it learns alone."""

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
"""Number of held-out images from which the activity of the units of an upper layer is shown."""


def units_row(layer: int) -> PictureRow:
    """Return the row of pictures of the units of a layer, counted from 1."""
    return PictureRow(
        f"layer {layer}, units",
        f"mean of x where one of the first units of layer {layer} is on and no other, its message passed "
        "down as means; and the share of 32 held-out images for which that unit is on",
        "on",
        "share",
    )


def codes_row(layer: int) -> PictureRow:
    """Return the row of pictures of the codes of a layer, counted from 1."""
    return PictureRow(
        f"layer {layer}, codes",
        f"the first held-out images as layer {layer} alone knows them: its states passed down as means; and "
        "how many pixels are wrong, or the squared error of grey images",
        "wrong",
        "count",
    )


_HARD_EM = fields_of(HardEM)
_OF_ALL = {name: replace(each, when=()) for name, each in _HARD_EM.items()}
"""Upper layers are learned by gradients, whatever the images are."""
LAYER_DECAY = Several(
    _HARD_EM["weight_decay"].label,
    None,
    _HARD_EM["weight_decay"].help,
    details="One for all layers, or one for each. In layers above the first b shrinks too, towards a flat "
    "prior over the latents below. The layer of Gaussian data is regressed in closed form and has `ridge` in "
    "its place.",
    of=_OF_ALL["weight_decay"],
    alone=True,
)


class StagedState(NamedTuple):
    """All layers in training; never modified after creation.

    Attributes
    ----------
    layers : tuple of HardEMState
        The lowest first. The `d` of each but the last is 0: its prior is flat while it learns alone, and
        later the layer above.
    stage : int
        The layer that learns alone, counted from 1; one more than there are layers: all learn together.
    n_steps : int
        Steps taken.
    """

    layers: tuple[HardEMState, ...]
    stage: int
    n_steps: int

    @property
    def params(self) -> Layers:
        """Parameters of all layers, the lowest first; the `d` of each but the last is the `b` of the next."""
        each = [layer.params for layer in self.layers]
        return (*(low._replace(d=high.b) for low, high in pairwise(each)), each[-1])

    def with_layer(self, n: int, layer: HardEMState) -> StagedState:
        """Return the state with another one of a layer, counted from 0."""
        return self._replace(layers=(*self.layers[:n], layer, *self.layers[n + 1 :]))


@documented
@dataclass(frozen=True)
class StagedHardEM(StagedSystem[StagedState]):
    """Training of an LRBN of several layers in one run: layer by layer by hard EM, then all together.

    The learning rate falls, or begins to halve, within each stage separately.
    """

    n_h: tuple[int, ...] = declare(LAYER_UNITS, (200, 200))
    visible: Visible = declare(_HARD_EM["visible"])
    first_share: float = declare(
        Real(
            "Share for the lowest layer",
            "of the steps",
            "The first steps, in which the lowest layer learns alone, under a flat prior.",
            bounds=Interval(0, 1, "neither"),
        ),
        0.4,
    )
    second_share: float = declare(
        Real(
            "Share for the upper layers",
            "of the steps",
            "The next steps, in which each upper layer in turn learns from the codes of the layer below it.",
            details="Upper layers have equal parts of it. After that all layers learn together.",
            bounds=Interval(0, 1, "neither"),
        ),
        0.4,
    )
    prior: Prior = declare(
        _HARD_EM["prior"], details="Of the top layer. The prior of another is the layer above."
    )
    warm_up: float = declare(_HARD_EM["warm_up"], details="Within each stage of the top layer.")
    start: Start = declare(_HARD_EM["start"])
    e_step: EStep = declare(
        _HARD_EM["e_step"], details="The paper's scheme of learning all layers together is always ICM."
    )
    scheme: Scheme = declare(SCHEME, "joint")
    learning_rate: float = declare(_OF_ALL["learning_rate"])
    fine_tune_rate: float = declare(FINE_TUNE_RATE, 0.2)
    momentum: float = declare(_OF_ALL["momentum"])
    decay_steps: float = declare(_OF_ALL["decay_steps"])
    learning_rate_end: float | None = declare(_OF_ALL["learning_rate_end"], details="Within each stage.")
    weight_decay: float | Sequence[float] = declare(LAYER_DECAY, 0.0)
    nonnegative: bool = declare(
        _HARD_EM["nonnegative"],
        details="Of the lowest layer, whose units are parts of images. Layers above it may also learn that "
        "parts exclude each other.",
    )
    average: float = declare(
        _HARD_EM["average"], details="At most the share in which all layers learn together."
    )
    max_sweeps: int = declare(_HARD_EM["max_sweeps"])
    warm_sweeps: int = declare(_HARD_EM["warm_sweeps"])
    hottest: float = declare(_HARD_EM["hottest"])
    coldest: float = declare(_HARD_EM["coldest"])
    likelihood_weight: float = declare(_HARD_EM["likelihood_weight"], details="Of the images alone.")
    ridge: float = declare(_HARD_EM["ridge"], when=({"visible": ("gaussian",)},))
    stage: int = field(default=1, repr=False)
    """The stage to which a step belongs, unless the state is in a later one."""

    def __post_init__(self) -> None:
        check_fields(self)
        shares = {"first_share": self.first_share, "second_share": self.second_share}
        check_shares(shares, "in which all layers learn together")
        last = 1.0 - self.first_share - self.second_share
        if self.average > last + 1e-9:
            raise ValueError(
                f"average = {self.average} is more than the share in which all layers learn together, "
                f"{last:.3g}: before that, layers are still being added. Lower it, or a layer's own share."
            )
        if self.coldest > self.hottest:
            raise ValueError(
                f"coldest must be at most hottest = {self.hottest}; got {self.coldest}. Annealing cools down."
            )
        _ = self.together  # refuses settings that contradict each other

    @cached_property
    def together(self) -> DeepHardEM:
        """Training of all layers together; its `layers` define the training of each layer alone."""
        return DeepHardEM(layers_of(vars(self), self.n_h), self.scheme)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Each layer alone, the lowest first, and all together."""
        above = range(len(self.n_h))
        ends = [self.first_share + self.second_share * n / max(1, len(above) - 1) for n in above]
        return (
            *(Stage(end, "learn_alone") for end in ends),
            Stage(1.0, "learn_together", self.fine_tune_rate),
        )

    def images_of(self, state: StagedState, batch: NDArray) -> NDArray[np.float64]:
        """Return the images of a minibatch in double precision."""
        return batch.astype(np.float64)

    # -- training

    def init(self, X: NDArray, rng: np.random.Generator) -> StagedState:
        """Return the lowest layer before its first step, with upper layers that have no effect."""
        low, *above = self.together.layers
        layers, offsets = [low.init(X, rng)], np.zeros(low.n_h)
        for high in above:
            off = np.full(high.n_h, UPPER_START_LOG_ODDS)
            layers.append(high.from_params(LayerParams(np.zeros((len(offsets), high.n_h)), offsets, off)))
            offsets = off
        return StagedState(tuple(layers), 1, 0)

    def resume(self, params: Sequence[LayerParams]) -> StagedState:
        """Return a state with given parameters of all layers, in which they learn together."""
        flat = [layer._replace(d=np.zeros(layer.n_h)) for layer in params[:-1]]
        each = zip(self.together.layers, [*flat, params[-1]], strict=True)
        return StagedState(tuple(how.from_params(layer) for how, layer in each), len(self.stages), 0)

    def entered(self, state: StagedState, stage: int, rng: np.random.Generator) -> StagedState:
        """Return the state at the begin of a stage; the same where it is in that stage already."""
        layers, together = list(state.layers), len(self.stages)
        for n in range(state.stage, min(stage, len(layers))):
            how = self.together.layers[n]
            layers[n] = how.from_params(how.params_around(layers[n].params.b, rng))
        if state.stage < together == stage:
            # statistics of the closed form stay: those of one minibatch would not be enough for W
            layers = [_restarted(layer) for layer in layers]
        return StagedState(tuple(layers), stage, state.n_steps)

    def learn_alone(
        self, state: StagedState, X: NDArray[np.float64], rng: np.random.Generator
    ) -> tuple[StagedState, dict[str, float]]:
        """Take a step of the layer whose stage it is, under a flat prior if there are layers above it.

        Figures of all stages: ``log_joint``, log P(x, h^1, ..., h^L) with the latents that the E-step found;
        ``units_on`` of the lowest layer; ``gradient_norm`` and, of a layer that learns alone, ``flips`` and
        ``sweeps``; once an upper layer has begun, ``upper_activity``, the share of its units that are on.
        """
        here = state.stage - 1
        found: list[BatchInference] = []
        H: list[NDArray[np.float64]] = [X]  # the units below each layer, and the latents of the last
        for how, layer in zip(self.together.layers[: here + 1], state.layers, strict=False):
            settings: Any = {"dtype": np.float32, "weight": how.likelihood_weight}
            found.append(how.infer(layer.params, H[-1], rng, self.e_step, **settings))
            H.append(found[-1].H.astype(np.float64))
        n_h = self.n_h[here]
        learned, figures = self.together.layers[here].learn(state.layers[here], *H[-2:])
        after, joint = state.with_layer(here, learned), figures["log_joint"]
        if above := state.layers[here + 1 :]:
            joint = joint + n_h * LOG_2 + _log_prior(H[-1], [layer.params for layer in above])
            share = max(RUNNING_MEAN_RATE, 1.0 / (state.n_steps + 1))  # at first a plain mean
            before = above[0].params
            mean = (1.0 - share) * sigmoid(before.b) + share * H[-1].mean(axis=0)
            nothing = before._replace(b=logit(np.clip(mean, 1e-4, 1 - 1e-4)))
            after = after.with_layer(here + 1, self.together.layers[here + 1].from_params(nothing))
        for n in reversed(range(here)):
            params, below, latents = state.layers[n].params, H[n], H[n + 1]
            a = binary_activation(params, latents)
            given = log_joint_given(params, kind_of(n, self.visible), below, latents, a).mean()
            joint = float(given + self.n_h[n] * LOG_2) + joint
        work = {"flips": float(found[-1].flips.mean()), "sweeps": float(found[-1].visits.mean() / n_h)}
        if here:  # the pixels are those of layers that do not change
            upper = {"units_on": float(H[1].mean()), "upper_activity": float(H[-1].mean())}
            figures = {"gradient_norm": figures["gradient_norm"], **upper}
        return after, {**figures, "log_joint": joint, **work}

    def learn_together(
        self, state: StagedState, X: NDArray[np.float64], rng: np.random.Generator
    ) -> tuple[StagedState, dict[str, float]]:
        """Take a step of all layers together."""
        layers, figures = self.together.step(state.layers, X, rng)
        return state._replace(layers=layers), figures

    # -- what is asked of it

    def parameters(self, state: StagedState) -> dict[str, NDArray]:
        """Return W, b and d, U and e of a second layer, W3 and d3 of a third, and so on."""
        return named_layers(state.params)

    def with_parameters(self, state: StagedState, parameters: Mapping[str, NDArray]) -> StagedState:
        """Return the state with these in the place of its own."""
        given = layers_named(parameters)
        last = len(given) - 1
        layers = [
            layer._replace(params=each if n == last else each._replace(d=layer.params.d))
            for n, (layer, each) in enumerate(zip(state.layers, given, strict=True))
        ]
        return state._replace(layers=tuple(layers))

    def gradient_norm(self, before: StagedState, after: StagedState) -> float:
        """Return the size of one step's change of the stage's parameters, per unit of learning rate."""
        alone = after.stage < len(self.stages)
        learning = slice(after.stage - 1, after.stage) if alone else slice(None)
        triples = zip(self.together.layers, before.layers, after.layers, strict=True)
        norms = [how.gradient_norm(old, new) for how, old, new in list(triples)[learning]]
        return float(np.hypot.reduce(norms))

    def validate(self, state: StagedState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the mean log joint (the score), wrong pixels and dead units of held-out images, by ICM."""
        return self.together.validate(state.layers, X, rng)

    @property
    def picture_rows(self) -> tuple[PictureRow, ...]:
        """Filters of each upper layer, and reconstructions of images from it."""
        return tuple(row(n) for n in range(2, len(self.n_h) + 1) for row in (units_row, codes_row))

    def pictures(
        self, state: StagedState, X: NDArray, seen: NDArray, rng: np.random.Generator
    ) -> tuple[Pictures, ...]:
        """Return the mean of x given single units of each upper layer, and given those of held-out images.

        The means of the layers below are passed on, and not their states: it is a picture of what a unit
        says. There is none of a layer before it learns.
        """
        found: list[Pictures] = []
        H: list[NDArray] = []
        for n in range(1, len(self.n_h)):
            if state.stage <= n:  # this layer knows nothing yet
                found += [Pictures(np.zeros((0, X.shape[1])), np.zeros(0)), Pictures(X[:0], np.zeros(0))]
                continue
            H = H or np.split(self.encode(state, X[:N_PICTURE_IMAGES]), np.cumsum(self.n_h)[:-1], axis=1)
            images = H[n][:N_SHOWN].astype(np.float64)
            alone = np.eye(min(self.n_h[n], N_SHOWN), self.n_h[n])
            lowest = state.params[0]
            of_units, of_codes = (self._passed_down(state, states, n) for states in (alone, images))
            guesses = most_probable_visible(lowest, self.visible, of_codes)
            wrong = np.nansum((guesses - X[: len(images)].astype(np.float64)) ** 2, axis=1)
            activity = H[n].mean(axis=0)[: len(alone)]
            found.append(Pictures(visible_mean(lowest, self.visible, of_units), activity))
            found.append(Pictures(visible_mean(lowest, self.visible, of_codes), wrong))
        return tuple(found)

    def _passed_down(self, state: StagedState, states: NDArray, layer: int) -> NDArray[np.float64]:
        """Return the means of the lowest latents given states of a layer, counted from 0."""
        for params in reversed(state.params[1 : layer + 1]):
            states = visible_mean(params, "bernoulli", states)
        return states

    def weights(self, state: StagedState) -> NDArray:
        """Return the filters of the lowest layer."""
        return state.layers[0].params.W

    def encode(self, state: StagedState, X: NDArray) -> NDArray[np.uint8]:
        """Return the MAP states of all layers beside each other, the lowest first; (n, sum of n_h)."""
        return self.together.encode(state.layers, X)

    def encode_factorised(self, state: StagedState, X: NDArray) -> NDArray[np.uint8]:
        """Return the same where each unit sees only the layer below, and no other unit."""
        return self.together.encode_factorised(state.layers, X)

    def decode(self, state: StagedState, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of states, of which the lowest ones decide; (n, n_v)."""
        return self.together.decode(state.layers, H)

    def sample(self, state: StagedState, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images by ancestral sampling."""
        return self.together.sample(state.layers, n, rng)


def layers_of(settings: Mapping[str, Any], n_h: Sequence[int], n_targets: int = 0) -> tuple[HardEM, ...]:
    """Return the training of each layer of a model, the lowest first.

    Parameters
    ----------
    settings : mapping
        What all layers share, by name; the `prior` of the top layer, as those below have a flat one; and
        their `weight_decay`: one that stands alone is not that of a layer of Gaussian data.
    n_h : sequence of int
        Latents of each layer.
    n_targets : int
        Units of one more layer on top, whose states are given; it has the last weight decay.
    """
    sizes, weight_decay = [*n_h, *([n_targets] if n_targets else [])], settings["weight_decay"]
    single = not hasattr(weight_decay, "__len__")
    decays: Any = [weight_decay] * len(n_h) if single else weight_decay
    if len(decays) != len(n_h):
        raise ValueError(
            f"weight_decay must be a number, or one for each of {len(n_h)} layers; got {weight_decay!r}."
        )
    own = {each.name for each in fields(HardEM)} - {"n_h", "prior", "visible", "m_step", "weight_decay"}
    shared = {name: settings[name] for name in own & settings.keys()}
    made = []
    for n, size in enumerate(sizes):
        kind = kind_of(n, settings["visible"])
        closed, top = kind == "gaussian", n == len(sizes) - 1
        if closed and not single and decays[0]:
            raise ValueError(
                f"weight_decay must be 0 for the layer of Gaussian data, got {decays[0]}; set ridge, and the "
                f"others' decay: weight_decay={(0, *decays[1:])}."
            )
        how: dict[str, Any] = {
            "weight_decay": 0.0 if closed else float(decays[min(n, len(decays) - 1)]),
            "m_step": "closed_form" if closed else "gradient",
            "prior": ("learned" if n_targets else settings["prior"]) if top else "flat",
        }
        made.append(HardEM(n_h=size, visible=kind, **(shared | how)))
    return tuple(made)


def _log_prior(H: NDArray[np.float64], above: Sequence[LayerParams]) -> float:
    """Return the mean of log P of latents and of all units above them, which are off; nats."""
    prior = (H * above[0].b).sum(axis=1).mean()
    for params in above:
        prior = prior - softplus(params.b).sum()
    return float(prior - softplus(above[-1].d).sum())


def _restarted(layer: HardEMState) -> HardEMState:
    """Return a layer whose learning rate starts again, without momentum."""
    still = LayerParams(*(np.zeros_like(part) for part in layer.velocity))
    return layer._replace(velocity=still, step=0)
