"""The protocol of every model: its declared capabilities, and its methods on images and latents.

Code never checks the class of a model: it reads the declared capabilities, and calls the methods. A method
that a model does not support raises :class:`NotOffered`; enumeration of :meth:`Model.joint` provides many
results without further code. A model is trained by a :mod:`lrbn_viz.core.system`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.posterior import (
    MAX_EXACT,
    ExactPosterior,
    LogOddsTerms,
    enumerated_marginal,
    flip_interactions,
    flip_log_odds,
    states,
    summarise,
    writeable,
)
from lrbn_viz.core.trace import FitStep
from lrbn_viz.core.units import UNITS, VisibleUnits
from lrbn_viz.core.validation import check_choice, check_latents, unknown_in
from lrbn_viz.io.constants import HELD_LOG_ODDS

Imputed = Literal["most probable", "mean"]
"""What may stand for a visible unit that is not known."""

Graph = Literal["directed", "undirected", "mixed"]
ChainState = Literal["", "image", "latents", "image and latents"]
Progress = Callable[[float], None]


class NotOffered(TypeError):
    """A model was asked for what it cannot answer; the words say what to ask instead, if anything."""


class LayerParams(NamedTuple):
    """Parameters with which a layer of binary latents generates the units below it; never modified after
    creation.

    Units below have activation ``a = W h + b``: for Bernoulli units the log-odds of their mean, for others
    as ``lrbn_viz.core.units`` defines it. A model's are in double precision; training may work in single.

    Attributes
    ----------
    W : (n_v, n_h) float
        Weight of the link from latent j to unit i below: column j is the filter of latent j.
    b : (n_v,) float
        Offset of each unit below.
    d : (n_h,) float
        Prior log-odds of each latent, or its bias in an undirected model; not used where a layer above
        generates it.
    """

    W: NDArray[Any]
    b: NDArray[Any]
    d: NDArray[Any]

    @property
    def n_v(self) -> int:
        """Number of units below, of the lowest layer the visible ones."""
        return self.W.shape[0]

    @property
    def n_h(self) -> int:
        """Number of latent units."""
        return self.W.shape[1]


def names_above(depth: int) -> tuple[str, str]:
    """Return the names of W and d of an upper layer in arguments and files; the lowest has depth 0.

    Its b has no name of its own: it is the d of the layer below.
    """
    return ("U", "e") if depth == 1 else (f"W{depth + 1}", f"d{depth + 1}")


def named_layers(layers: Sequence[LayerParams]) -> dict[str, NDArray[Any]]:
    """Return the arrays of layers by name: W, b and d, of a second layer U and e, of a third W3 and d3.

    An upper layer's offsets of the units below take the place of the lower layer's own d.
    """
    (W, b, d), *above = layers
    found, offsets = {"W": W, "b": b, "d": d}, "d"
    for depth, high in enumerate(above, 1):
        weights, own = names_above(depth)
        found |= {offsets: high.b, weights: high.W, own: high.d}
        offsets = own
    return found


def layers_named(arrays: Mapping[str, NDArray[Any]]) -> tuple[LayerParams, ...]:
    """Return the layers whose arrays :func:`named_layers` names so, of as many layers as there are."""
    layers = [LayerParams(arrays["W"], arrays["b"], arrays["d"])]
    while (names := names_above(len(layers)))[0] in arrays:
        layers.append(LayerParams(arrays[names[0]], layers[-1].d, arrays[names[1]]))
    return tuple(layers)


ALL_OFF = "all units off"
"""A start, in words."""
ANNEALED_SWEEPS = 200
"""Sweeps of annealed inference by default, before those of ICM."""


class TraceMethod(NamedTuple):
    """One way in which a model infers one image visit by visit.

    Attributes
    ----------
    title : str
        Title for people.
    arguments : mapping
        Keyword arguments of ``map_trace``.
    monotone : bool
        True if the recorded objective never decreases: Theorem 1, or coordinate ascent of a bound.
    sampled : bool
        True if states are drawn at random.
    start : str
        The fixed start, in words, if no start can be chosen; else empty.
    whole_only : bool
        True if it takes no image of which a part is not known.
    in_part : str
        Title where a part of the image is not known, if it is another then; else empty.
    """

    title: str
    arguments: Mapping[str, Any]
    monotone: bool
    sampled: bool = False
    start: str = ""
    whole_only: bool = False
    in_part: str = ""

    def called(self, whole: bool) -> str:
        """Return the title, of inference from an image that is known as a whole, or in part."""
        return self.title if whole else self.in_part or self.title

    @property
    def draws(self) -> bool:
        """True if the seed has an effect: states are drawn at random, or the order of the visits."""
        return self.sampled or self.arguments.get("order") == "random"


class PassInput(NamedTuple):
    """Random numbers and state of one pass of generation.

    Attributes
    ----------
    x : (n_v,) or None
        The previous image, for a model that draws a chain.
    before : (n,) uint8
        The previous units.
    uniforms : (n,) float64
        A number in [0, 1) for each unit.
    held : mapping from unit to state
        Units with a fixed state, whatever their number.
    """

    x: NDArray | None
    before: NDArray[np.uint8]
    uniforms: NDArray[np.float64]
    held: Mapping[int, int]


def hold(z: NDArray, held: Mapping[int, int], first: int = 0) -> None:
    """Set the log-odds z (n, n_h) of units that are held in a state; the units are numbered from `first`."""
    for unit, state in held.items():
        if first <= unit < first + z.shape[1]:
            z[:, unit - first] = HELD_LOG_ODDS if state else -HELD_LOG_ODDS


def draw_binary(
    uniforms: NDArray[np.float64], p: NDArray[np.float64], held: Mapping[int, int], first: int = 0
) -> NDArray[np.uint8]:
    """Return units that are on where their number is below their probability, or as they are held; (n,).

    Parameters
    ----------
    first : int
        Number of the first of these units among those that `held` names.
    """
    from lrbn_viz.kernels.passes import fill_draws  # not at the top: this is read without numba

    h = np.empty(len(p), np.uint8)
    fill_draws(writeable(p)[None], writeable(uniforms)[None], h[None])
    for unit, state in held.items():
        if 0 <= unit - first < len(h):
            h[unit - first] = state
    return h


class Model(ABC):
    """Protocol of fitted models; images X are (n, n_v), latents one (n, n_h) array per layer.

    Attributes
    ----------
    visible : {"bernoulli", "gaussian"}
        Kind of the images: binary ones or real-valued ones.
    visible_units : str
        Kind of the visible units, a key of ``lrbn_viz.core.units.UNITS``; empty if it is `visible`.
    graph : {"directed", "undirected", "mixed"}
    short : str
        Title of a lane that shows such a model: "LRBN".
    several_layers : bool
        True if it may have several layers of latents.
    supports_restarts : bool
        True if `climb` searches for local optima from many starts.
    factorised : bool
        True if latents are independent given the image: inference is exact, and there is one optimum.
    draws_passes : bool
        True if it draws pass by pass: it has `draw_pass` and `best_log_joint`.
    chain_state : {"", "image", "latents", "image and latents"}
        The part of a generation pass from which the next one starts; empty: each pass is drawn independently.
    takes_unknown, learns_unknown : bool
        True if visible units may be unknown, NaN, where it infers from an image, and where it learns.
    whole_starts : frozenset of str
        Names of those of `starts` that need an image of which all is known.
    has_rbm_parameters : bool
        True if its only layer has the parameters W, b and d of an RBM, as which `lrbn_viz.factorised` reads
        them.
    score_name, score_title : str
        Name of the validation score of its training, and its definition in words. Scores are drawn together
        if `score_title` is the same.
    methods : mapping from name to label
        Kinds of inference that `infer` takes, the usual one first; empty if there is no choice.
    pooled_methods : frozenset of str
        Those of `methods` that take a ``pool``, on which pieces of images are inferred.
    trace_methods : mapping from name to TraceMethod
        Kinds of inference that `trace` records, the usual one first.
    trace_options : frozenset of str
        Which of ``init``, ``clamp`` and ``random_state`` `trace` takes.
    mean_field_bound : {"", "few-exact", "quadratic", "tilted", "layers", "top", "undirected"}
        Bound by which traces of means are measured: the evidence lower bound up to 16 latents and else that
        of Jaakkola and Jordan, always the latter, the tilted one, that of both layers, that with an RBM on
        top, or that of undirected layers. Empty where traces go through states.
    mean_field_sweeps : int
        Largest number of sweeps of mean field, after a pass up, if a trace's method does not define it.
    starts : mapping from name to label
        Named starts that ``init`` takes; it takes states as well.
    likelihoods : tuple of str
        Estimators of log P(x) that apply: "exact", "map_bound", "csl", "variational", "ais", "raise",
        "importance".
    latent_names_ : tuple of str
        Name of each latent, if known; else empty.
    visible_names_ : tuple of str
        Name of each visible unit, if known; else empty.
    params_, history_, n_iter_, n_features_in_, feature_names_in_, provenance_
        What a model of :mod:`lrbn_viz.estimators` knows once it is fitted; each kind describes them.
    """

    visible: Any
    params_: Any
    history_: list[FitStep]
    n_iter_: int
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    provenance_: dict[str, Any]
    visible_units: ClassVar[str] = ""
    graph: ClassVar[Graph] = "directed"
    short: ClassVar[str] = "model"
    several_layers: ClassVar[bool] = False
    supports_restarts: ClassVar[bool] = False
    factorised: ClassVar[bool] = False
    draws_passes: ClassVar[bool] = False
    chain_state: ClassVar[ChainState] = ""
    takes_unknown: ClassVar[bool] = False
    learns_unknown: ClassVar[bool] = False
    has_rbm_parameters: ClassVar[bool] = False
    score_name: ClassVar[str] = "score"
    score_title: ClassVar[str] = "score of held-out images: not comparable to another model's"
    methods: ClassVar[Mapping[str, str]] = {}
    pooled_methods: ClassVar[frozenset[str]] = frozenset()
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {}
    trace_options: ClassVar[frozenset[str]] = frozenset()
    mean_field_bound: ClassVar[str] = ""
    mean_field_sweeps: ClassVar[int] = 0
    starts: ClassVar[Mapping[str, str]] = {}
    whole_starts: ClassVar[frozenset[str]] = frozenset()
    likelihoods: ClassVar[tuple[str, ...]] = ("exact",)
    latent_names_: tuple[str, ...] = ()
    visible_names_: tuple[str, ...] = ()

    # -- what it is

    @property
    @abstractmethod
    def is_fitted(self) -> bool:
        """True if the model has parameters."""

    @property
    @abstractmethod
    def layers(self) -> tuple[LayerParams, ...]:
        """Parameters with which each layer generates the one below it, the lowest first."""

    @property
    def units(self) -> VisibleUnits:
        """The kind of visible units: their mean and likelihood given the lowest latents."""
        return UNITS[self.visible_units or self.visible]

    def with_layers(self, layers: Sequence[LayerParams]) -> Model:
        """Return a model of this kind with other parameters: its layers', the lowest first."""
        self.refuse("a copy with other parameters", "")

    @property
    def deviations_(self) -> NDArray[np.float64] | None:
        """Standard deviation of each Gaussian visible unit given the latents, (n_v,); None: 1 each."""
        return None

    @property
    def layer_sizes_(self) -> tuple[int, ...]:
        """Latent units of each layer, the lowest first."""
        return tuple(layer.n_h for layer in self.layers)

    @property
    def n_latents_(self) -> int:
        """Latent units of all layers together."""
        return sum(self.layer_sizes_)

    @property
    def n_visible_(self) -> int:
        """Visible units."""
        return self.layers[0].n_v

    def split(self, H: Any) -> tuple[NDArray, ...]:
        """Return latents as one (n, n_h) array per layer, from these or from all layers beside each other."""
        several = isinstance(H, tuple) or (isinstance(H, list) and len(self.layers) > 1)
        if several:
            return tuple(H)
        return tuple(np.split(np.asarray(H), np.cumsum(self.layer_sizes_)[:-1], axis=-1))

    @abstractmethod
    def check_images(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return images as the model sees them, (n, n_v); ValueError or TypeError where they do not fit."""

    @abstractmethod
    def check_image(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return one image as :meth:`check_images` returns many; shape (n_v,)."""

    # -- inference

    @abstractmethod
    def infer(self, X: ArrayLike, **options: Any) -> tuple[NDArray, ...]:
        """Return the states (uint8) or the means in [0, 1] of each layer's latents, (n, n_h) each.

        `options` are ``method``, one of `methods`, and further arguments of the model, such as ``n_sweeps``
        and ``random_state``; there are none without methods.
        """

    @abstractmethod
    def map_trace(self, x: ArrayLike, **options: Any) -> Any:
        """Return the inference of one image, visit by visit.

        A :class:`~lrbn_viz.core.trace.Trace`, of the kind that the options decide.
        """

    def trace_methods_of(self, x: NDArray) -> Mapping[str, TraceMethod]:
        """Return those of `trace_methods` that infer an image (n_v,): all, unless a part of it is NaN."""
        if unknown_in(x) is None:
            return self.trace_methods
        takes = self.trace_methods.items() if self.takes_unknown else ()
        return {name: method for name, method in takes if not method.whole_only}

    def trace(self, x: ArrayLike, method: str | None = None, **options: Any) -> Any:
        """Return :meth:`map_trace` by one of the `trace_methods`, the usual one when None.

        `options` that are none of `trace_options` are left out.
        """
        name = next(iter(self.trace_methods)) if method is None else method
        chosen = self.trace_methods[check_choice(name, "method", tuple(self.trace_methods))]
        taken = {key: value for key, value in options.items() if key in self.trace_options}
        return self.map_trace(x, **chosen.arguments, **taken)

    def map_states(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return the most probable states that inference finds, after so many sweeps of annealing if any."""
        return tuple((part > 0.5).astype(np.uint8) for part in self.infer(X))

    def proposal(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return log-odds of independent latents, (n, n_h) per layer, that importance sampling draws.

        The default is that of the pseudo-likelihood at the MAP state, after `n_sweeps` sweeps of annealing.
        """
        return self.conditional_log_odds(X, self.map_states(X, n_sweeps, rng))

    def draw_proposal(
        self, log_odds: Sequence[NDArray[np.float64]], rng: np.random.Generator
    ) -> tuple[tuple[NDArray[np.uint8], ...], NDArray[np.float64]]:
        """Draw latents by a :meth:`proposal`, one state of each layer per image, with their log q; (n,).

        The latents are independent, except in a model whose proposal for a layer depends on the draws below
        it.
        """
        from lrbn_viz.kernels.numerics import sigmoid  # not at the top: this is read without numba

        H = tuple((rng.random(z.shape) < sigmoid(z)).astype(np.uint8) for z in log_odds)
        return H, self.proposal_log_q(log_odds, H)

    def proposal_log_q(
        self, log_odds: Sequence[NDArray[np.float64]], H: Sequence[NDArray]
    ) -> NDArray[np.float64]:
        """Return log q of given latents of each image under a :meth:`proposal` of independent ones; (n,)."""
        from lrbn_viz.kernels.numerics import softplus  # as above

        log_q = [(h * z - softplus(z)).sum(axis=1) for h, z in zip(H, log_odds, strict=True)]
        return np.sum(log_q, axis=0)

    def climb(self, x: NDArray, starts: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return where coordinate ascent of ``log P(x, h)`` ends from each row of `starts` (n, n_h)."""
        self.refuse("search of local optima", "it has a single optimum" if self.factorised else "")

    def start_states(self, x: NDArray) -> dict[str, NDArray[np.uint8]]:
        """Return the states (n_h,) that named starts of inference are for an image."""
        return {name: np.full(self.n_latents_, on, np.uint8) for on, name in enumerate(("zeros", "ones"))}

    # -- probabilities, in nats; X, but in `log_joint`, are images that `check_images` has returned

    @abstractmethod
    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``log P(x, h)``, up to :meth:`log_normaliser`, of each pair of rows; shape (n,)."""

    def _joint_of_all(self, X: NDArray, H: NDArray) -> NDArray[np.float64]:
        """Return :meth:`joint` of latents of all layers beside each other."""
        return self.joint(X, self.split(H))

    def log_joint(self, X: ArrayLike, H: Any) -> NDArray[np.float64]:
        """Return :meth:`joint` of images and latents that are checked: the log joint, in nats; shape (n,).

        `H` holds one (n, n_h) array per layer, or all layers beside each other.
        """
        images = self.check_images(X)
        parts = zip(self.split(H), self.layer_sizes_, strict=True)
        return self.joint(images, tuple(check_latents(h, (len(images), n), "H") for h, n in parts))

    def log_normaliser(self) -> float | None:
        """Return what `joint` is above the normalised one: 0, or log Z; None where it is intractable."""
        return 0.0

    def log_marginal(self, X: NDArray) -> NDArray[np.float64]:
        """Return ``log sum_h exp(log_joint(x, h))`` of each image, exactly; shape (n,).

        Raises
        ------
        ValueError
            There are too many latents to enumerate.
        """
        n = self.n_latents_
        if n > MAX_EXACT:
            raise ValueError(
                f'method="exact" sums over 2**n_h states: expected at most {MAX_EXACT} latents, got {n}. '
                'Use method="ais".'
            )
        return enumerated_marginal(self._joint_of_all, X, n)

    def exact_posterior(self, x: NDArray) -> ExactPosterior:
        """Return P(h | x) by enumeration of all states; ValueError where they are too many."""
        n = self.n_latents_
        if n > MAX_EXACT:
            raise ValueError(
                f"exact_posterior enumerates 2**n_h states: expected n_h <= {MAX_EXACT}, got {n}. "
                "Use a small model, such as pretrained('lrbn-12-digits')."
            )
        H = states(n)
        return summarise(self._joint_of_all(np.broadcast_to(x, (len(H), len(x))), H))

    def conditional_log_odds(self, X: NDArray, H: Sequence[NDArray]) -> tuple[NDArray[np.float64], ...]:
        """Return ``logit P(h_j = 1 | x, all others)`` of every unit; one (n, n_h) array per layer."""
        return self.split(flip_log_odds(self._joint_of_all, X, np.hstack(list(H)).astype(np.uint8)))

    def interactions(self, x: NDArray, h: NDArray) -> NDArray[np.float64]:
        """Return by how much each pair of latents moves each other's log-odds, others at `h`; (n_h, n_h).

        `x` (n_v,) has no effect if the evidence of x enters each unit's log-odds on its own.
        """
        return flip_interactions(lambda H: np.hstack(self.conditional_log_odds(x[None], self.split(H))), h)

    def log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> LogOddsTerms:
        """Return the terms of ``logit P(h_j = 1 | x, h_-j)``: prior, evidence, alone and others."""
        self.refuse("terms of a unit's log-odds", "")

    def posterior_log_odds(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the log-odds with which a Gibbs chain draws each latent of each image, given all others.

        Shape (n_sweeps, n, n_latents_). For models whose `trace_methods` have no "gibbs".
        """
        self.refuse("samples of its posterior", "it has no Gibbs sampling")

    # -- estimators of log P(x)

    @property
    def sums_out_latents(self) -> bool:
        """True if `log_marginal` can sum over all latents of an undirected model."""
        return False

    def variational_bound(self, X: NDArray) -> NDArray[np.float64]:
        """Return a lower bound on log P(x), up to :meth:`log_normaliser`, by means of independent latents."""
        self.refuse("a variational bound", "")

    def annealed_weights(
        self,
        X: NDArray,
        n_temperatures: int,
        rng: np.random.Generator,
        *,
        posterior: Sequence[NDArray[np.uint8]] | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Return log weights whose mean weight is P(x), one chain per image; (n,).

        With exact samples of the `posterior` chains run backwards, and bound log P(x) from above.
        """
        self.refuse("annealing from the prior to the posterior", "")

    def annealed_normaliser(
        self, n_temperatures: int, n_chains: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Return log weights whose mean weight is the normaliser, where `log_normaliser` is intractable."""
        self.refuse("a normaliser to estimate", "")

    def reversed_normaliser(
        self, H: tuple[NDArray, ...], n_temperatures: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return the estimate of log Z by annealing back from each draw of the latents, nats; (n,).

        If `H` are draws from the model, each is above log Z in expectation, whereas
        :meth:`annealed_normaliser` approaches it from below.
        """
        self.refuse("a normaliser from above", "")

    def reverse_weights(
        self, X: NDArray, n_temperatures: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Return log weights whose mean weight is P(x) of the model from which annealing draws, one chain per
        image; (n,). For undirected models, to which that model is close.
        """
        self.refuse("annealing back from an image", "")

    # -- generation

    @abstractmethod
    def sample(self, n_samples: int = 1, random_state: Any = None) -> NDArray:
        """Draw images; shape (n_samples, n_v)."""

    def sample_joint(self, n: int, rng: np.random.Generator) -> tuple[NDArray, tuple[NDArray[np.uint8], ...]]:
        """Draw n images exactly, with the latents that they were drawn from."""
        if self.graph != "directed":
            self.refuse("exact samples of an image with its latents", "it draws from a chain")
        H = self.sample_latents(n, rng)
        mean = self.inverse_transform(np.hstack(H))
        if self.visible == "gaussian":
            return self.draw_around(mean, rng), H
        return (rng.random(mean.shape) < mean).astype(np.uint8), H

    def draw_around(self, mean: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw images of Gaussian visible units around their means given the latents; (n, n_v)."""
        from lrbn_viz.kernels.passes import add_noise  # not at the top: this is read without numba

        deviations, X = self.deviations_, np.empty(mean.shape)
        precision = np.ones(mean.shape[1]) if deviations is None else deviations**-2.0
        add_noise(writeable(mean), rng.standard_normal(mean.shape), precision, X)
        return X

    def sample_latents(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], ...]:
        """Draw latents of n images from the prior; of one that factorises, by `pass_probabilities`."""
        if self.graph != "directed" or not self.draws_passes:
            self.refuse("samples of its prior", "")
        p = self.pass_probabilities(None)
        return self.split((rng.random((n, len(p))) < p).astype(np.uint8))

    def pass_probabilities(self, x: NDArray | None) -> NDArray[np.float64]:
        """Return P(h_j = 1) of the independent latents that one pass of generation draws; (n_h,).

        Log-odds of the prior, or of an undirected model given the previous image.
        """
        self.refuse("passes of independent latents", "")

    @property
    def pass_sizes(self) -> tuple[int, ...]:
        """Units of each layer that one pass of generation draws, the lowest first: its latents first."""
        return self.layer_sizes_

    def pass_start(self, x: NDArray) -> NDArray[np.uint8]:
        """Return the units, (n,), before the first pass of a chain that starts from an image."""
        return np.zeros(sum(self.pass_sizes), np.uint8)

    def draw_pass(self, given: PassInput) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return the units that one pass of generation draws, and the probabilities that it drew them with:
        a unit is on where its number in [0, 1) is below its probability. Both have shape (n,).
        """
        p = self.pass_probabilities(given.x)
        return draw_binary(given.uniforms, p, given.held), p

    @abstractmethod
    def inverse_transform(self, H: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of x given each row of latents of all layers; shape (n, n_v)."""

    @abstractmethod
    def reconstruct(self, X: ArrayLike, **options: Any) -> NDArray:
        """Return the most probable image given the latents inferred of each; shape (n, n_v).

        `options` as in :meth:`infer`, and ``layer`` for a model of several.
        """

    def most_probable(self, H: ArrayLike) -> NDArray:
        """Return ``argmax_x P(x | h)``, (n, n_v): uint8 for Bernoulli units, means for Gaussian ones."""
        mean = self.inverse_transform(H)
        return mean if self.visible == "gaussian" else (mean > 0.5).astype(np.uint8)

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log_joint(x, h)``, from ``a = W h + b`` (n, n_v) of the lowest layer; (n,).

        `prior` (n,) is what :meth:`prior_term` returns.
        """
        self.refuse("interpolation between codes", "")

    def prior_term(self, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return the terms of `joint` that depend on the latents only, for `best_log_joint`; (n,) nats.

        ``d'h`` of one layer, and of several, each of which generates the one below, ``log P(h^1, ..., h^L)``.
        """
        h = H[0]
        if len(self.layers) == 1:
            return h @ self.layers[0].d
        upper = [high @ layer.W.T + layer.b for layer, high in zip(self.layers[1:], H[1:], strict=True)]
        odds = [*upper, self.layers[-1].d]
        return np.sum(
            [(h * a - np.logaddexp(0.0, a)).sum(axis=-1) for h, a in zip(H, odds, strict=True)], axis=0
        )

    def refuse(self, what: str, why: str) -> NoReturn:
        """Raise :class:`NotOffered`."""
        name = type(self).__name__
        raise NotOffered(f"{name} offers no {what}{': ' + why if why else ''}; choose a model that does.")
