"""Sigmoid belief networks with a recognition network as scikit-learn estimators: what all methods share.

The generative network is an LRBN, of one layer or two, whose inference, likelihoods and generation they have
too. Beside these the recognition network infers in one pass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.core.fields import declare, each_layer, fields_of
from lrbn_viz.core.model import LayerParams, Model, TraceMethod
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE
from lrbn_viz.core.trace import Made, ParticleTrace
from lrbn_viz.core.validation import check_choice, check_clamp, check_integer, check_latents, generator
from lrbn_viz.estimators.layered import (
    MEAN_FIELD_SWEEPS,
    METHODS,
    Layered,
)
from lrbn_viz.estimators.parameters import alone_or_all, networks_of, taken, upper_layer
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.deep.inference import Layers
from lrbn_viz.lrbn.means.moments import ExactMoments, Moments
from lrbn_viz.rivals.sbn.model import (
    LayerNetworks,
    check_seen,
    layers_of,
    named_parameters,
    names_of,
    networks_for,
    parameters_of,
    proposed,
    recognised,
    recognition_log_odds,
    recognition_trace,
)
from lrbn_viz.rivals.sbn.optimiser import Optimiser
from lrbn_viz.rivals.sbn.system import N_EVALUATION_SAMPLES, NetworkSystem, SBNState
from lrbn_viz.rivals.sbn.weighted import draw_latents, mean_weights
from lrbn_viz.training.settings import PATIENCE

_SHARED = fields_of(NetworkSystem)
RECOGNITION: Literal["recognition"] = "recognition"

N_PARTICLES = 100
"""Particles of a trace."""

TraceKind = Literal["recognition", "mean-field", "particles", "icm"]


TRACES: dict[str, TraceMethod] = {
    RECOGNITION: TraceMethod("Recognition network, one pass", {"kind": RECOGNITION}, False, whole_only=True),
    "mean-field": TraceMethod(
        "Recognition network, then mean field", {"kind": "mean-field"}, False, in_part="Mean field"
    ),
    "particles": TraceMethod(
        "Importance-weighted particles",
        {"kind": "particles", "n_particles": N_PARTICLES},
        False,
        sampled=True,
        start="one particle",
        whole_only=True,
    ),
}
"""Kinds of traces that a recognition network adds to those of an LRBN."""


class Usual(ABC):
    """The usual inference of a network, by which images are scored and latents are proposed.

    Attributes
    ----------
    name, title : str
        Its name among the kinds of inference and of traces, and its label.
    """

    name: ClassVar[TraceKind]
    title: ClassVar[str]

    @abstractmethod
    def means(self, model: Any, X: NDArray, options: Mapping[str, Any]) -> tuple[NDArray, ...]:
        """Return the means of the latents of checked images, (n, n_h) of each layer."""

    @abstractmethod
    def scores(self, model: Any, X: NDArray) -> NDArray[np.float64]:
        """Return a lower bound on log P(x) of checked images, nats; (n,)."""

    @abstractmethod
    def proposal(self, model: Any, X: NDArray) -> tuple[NDArray, ...]:
        """Return the log-odds of the latents that importance sampling draws, (n, n_h) of each layer."""


class OnePass(Usual):
    """One pass of the recognition network, and the bound by particles that are drawn from it."""

    name: ClassVar[TraceKind] = RECOGNITION
    title: ClassVar[str] = "recognition network"

    def means(self, model: Any, X: NDArray, options: Mapping[str, Any]) -> tuple[NDArray, ...]:
        """Return the means of q(h | x), of an upper layer given those of the lower one; takes no options."""
        return tuple(sigmoid(odds) for odds in model.guesses(X))

    def scores(self, model: Any, X: NDArray) -> NDArray[np.float64]:
        """Return ``log (1/K) sum_k P(x, h_k) / q(h_k | x)`` of 20 draws from q, nats; (n,).

        In expectation a lower bound on log P(x). Equal images give equal figures, whatever stands beside
        them. It compares networks that are scored so, of any number of layers, on the same images; a network
        whose recognition network predicts badly has a score that is too low.
        """
        return mean_weights(model, X, N_EVALUATION_SAMPLES)

    def proposal(self, model: Any, X: NDArray) -> tuple[NDArray, ...]:
        """Return the recognition network's log-odds."""
        return model.guesses(X)


ONE_PASS = OnePass()


@dataclass(eq=False, repr=False)
class Recognition(Layered):
    """A sigmoid belief network of one layer or two with a recognition network; a method names its system.

    Attributes
    ----------
    params_ : tuple of LayerNetworks
        W (n_v, n_h), b (n_v,) and d (n_h,) of the generative network, and V (n_v, n_h) and c (n_h,) of the
        recognition network, of each layer, the lowest first. The d of a lower layer is the b of the next.
    """

    system: ClassVar[type[NetworkSystem]]
    score_name: ClassVar[str] = "bound on log P(x)"
    score_title: ClassVar[str] = f"bound on log P(x) of held-out images, {N_EVALUATION_SAMPLES} particles"
    usual: ClassVar[Usual] = ONE_PASS
    takes_unknown: ClassVar[bool] = True
    whole_starts: ClassVar[frozenset[str]] = frozenset({RECOGNITION})
    mean_field_sweeps: ClassVar[int] = MEAN_FIELD_SWEEPS
    starts: ClassVar[Mapping[str, str]] = {
        **Layered.starts,
        RECOGNITION: "the recognition network's likelier states",
    }
    init = "conditional"
    """Start of ICM, Gibbs sampling and annealing; the recognition network needs no start."""
    max_sweeps = 100
    """Bound on ICM's sweeps."""

    n_components: int | tuple[int, ...] = declare(_SHARED["n_h"])
    _: KW_ONLY
    visible: model.Visible = declare(_SHARED["visible"])
    optimiser: Optimiser = declare(_SHARED["optimiser"])
    learning_rate: float = declare(_SHARED["learning_rate"])
    momentum: float = declare(_SHARED["momentum"])
    decay_steps: float = declare(_SHARED["decay_steps"])
    learning_rate_end: float | None = declare(_SHARED["learning_rate_end"])
    recognition_rate: float = declare(_SHARED["recognition_rate"])
    patience: int | None = declare(PATIENCE)

    def make_system(self) -> NetworkSystem:
        """Return the training system, with the current settings."""
        return self.system(n_h=alone_or_all(self.n_components), **self._shared_with(self.system))

    # -- capabilities, by its number of layers

    @property
    def short(self) -> str:
        """Title of a lane; one of an LRBN whose recognition network alone was learned is the LRBN's."""
        if self.is_fitted and getattr(self, "generative_rate", 1.0) == 0.0:
            return Layered.method
        return super().short

    @property
    def methods(self) -> Mapping[str, str]:
        """Kinds of inference that `infer` takes, the usual one first."""
        return {self.usual.name: self.usual.title, ONE_PASS.name: ONE_PASS.title, **METHODS}

    @property
    def trace_methods(self) -> Mapping[str, TraceMethod]:
        """Kinds of inference that `trace` records, the usual one first."""
        return {self.usual.name: TRACES[self.usual.name], **TRACES, **super().trace_methods}

    @property
    def mean_field_bound(self) -> str:
        """Bound by which traces of means are measured."""
        return "layers" if self.several_layers else "few-exact"

    def state_from(self, params: Any, rng: np.random.Generator) -> SBNState:
        """Return a state of training that begins at given parameters."""
        return self.make_system().resume(params, rng)

    # -- parameters

    @classmethod
    def _completed(cls, low: LayerParams, given: dict[str, Any]) -> Any:
        """Return the checked networks of as many layers as the given arrays belong to."""
        n = 1
        while any(given.get(name) is not None for name in names_of(n)):
            n += 1
        for absent in names_of(n):
            given.pop(absent, None)
        names = [*chain(*map(names_of, range(n)))]
        owner, beside = f"{cls.__name__} of {n} layer{'s' if n > 1 else ''}", names[3:]
        arrays = dict(zip(beside, taken(given, beside, owner, names), strict=True))
        layers = [low]
        for W, d, *_ in map(names_of, range(1, n)):
            layers.append(upper_layer(layers[-1], arrays[W], arrays[d], (W, d)))
        recognition = [name for depth in range(n) for name in names_of(depth)[-2:]]
        return networks_of(layers, [(name, arrays[name]) for name in recognition])

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of the arrays beside W, b and d; those of upper layers have any size."""
        shapes: dict[str, tuple[int | None, ...]] = {"V": layer.W.shape, "c": layer.d.shape}
        sizes = each_layer(_SHARED["n_h"].check(settings["n_components"], "n_components"))
        for depth in range(1, len(sizes)):
            W, d, V, c = names_of(depth)
            shapes |= {W: (None, None), d: (None,), V: (None, None), c: (None,)}
        return shapes

    def with_layers(self, layers: Sequence[LayerParams]) -> Model:
        """Return a model of this kind with other generative networks; the recognition networks are kept."""
        networks = [
            each._replace(W=layer.W, b=layer.b, d=(layers[n + 1].b if n + 1 < len(layers) else layer.d))
            for n, (each, layer) in enumerate(zip(self.recognition_layers, layers, strict=True))
        ]
        given = self._by_name() | named_parameters(networks)
        return self.from_params(**given, visible=self.visible).named_as(self)

    @classmethod
    def _layers_in(cls, params: Any) -> Layers:
        return tuple(each.generative for each in params)

    @classmethod
    def _params_of(cls, state: SBNState) -> Any:
        return layers_of([np.asarray(array, np.float64) for array in parameters_of(state.layers)])

    def _by_name(self) -> dict[str, NDArray]:
        return named_parameters(self.recognition_layers)

    @property
    def recognition_layers(self) -> tuple[LayerNetworks, ...]:
        """Parameters of both networks of each layer, the lowest first."""
        check_is_fitted(self, "params_")
        return self.params_

    # -- inference

    def guesses(self, X: NDArray) -> tuple[NDArray[np.float64], ...]:
        """Return the log-odds of each layer's latents that the recognition network gives, (n, n_h) each.

        Those of a layer above the first at the means of the layer below.

        Raises
        ------
        ValueError
            A part of an image is not known: the network has seen whole images only.
        """
        self._check_seen(X)
        return recognised(self.recognition_layers, X)

    def _check_seen(self, X: NDArray) -> None:
        """Raise ValueError if a part of an image is not known, NaN."""
        how = "mean field, with posterior or with map_trace(x, kind='mean-field')"
        check_seen(X, type(self).__name__, f"{how}, or by method='icm', 'annealed' or 'gibbs'")

    def posterior(self, X: ArrayLike, *, n_sweeps: int = MEAN_FIELD_SWEEPS) -> NDArray[np.float64]:
        """Return P(h_j = 1 | x) by the generative network, (n, n_latents_): exactly up to 16 latents.

        Else by at most `n_sweeps` of mean field. In `X`, (n, n_v), NaN is not known.
        """
        return np.hstack(super()._probabilities(X, n_sweeps=n_sweeps))

    def _to_impute(self, X: ArrayLike, **options: Any) -> NDArray:
        return super()._to_impute(X, **{"method": "icm", **options})

    def infer(self, X: ArrayLike, *, method: str | None = None, **options: Any) -> tuple[NDArray, ...]:
        """Return the latents inferred for each image, of each layer; (n, n_h) each.

        Parameters
        ----------
        X : (n, n_v) array
            NaN is not known; only the recognition network needs whole images.
        method : {"recognition", "mean-field", "icm", "annealed", "gibbs"}, optional
            "recognition" gives the means of q(h | x), of an upper layer given those of the lower one;
            "mean-field", of networks that learn by it, those after sweeps from there; float64 both. The
            others give states, uint8, as an LRBN's do. None: the usual one, the first of `methods`.
        **options
            ``n_sweeps``, ``random_state`` and ``pool``, as LRBN takes them; "mean-field" takes ``n_sweeps``.
        """
        name = self.usual.name if method is None else check_choice(method, "method", tuple(self.methods))
        for known in (self.usual, ONE_PASS):
            if name == known.name:
                return known.means(self, self.check_images(X), options)
        asked: Any = name
        return super().infer(X, method=asked, **options)

    def _probabilities(self, X: ArrayLike, **options: Any) -> tuple[NDArray, ...]:
        """Return the means that the usual inference gives, of each layer."""
        return self.infer(X, **options)

    def recognise(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the means of q(h | x), the recognition network's prediction, for each image.

        Shape (n, n_latents_); those of an upper layer given the means of the lower one.
        """
        return sigmoid(np.hstack(self.guesses(self.check_images(X))))

    def map_trace(
        self,
        x: ArrayLike,
        *,
        kind: TraceKind | None = None,
        init: str | ArrayLike | None = None,
        clamp: Mapping[int, int] | None = None,
        random_state: Any = None,
        n_particles: int = N_PARTICLES,
        **how: Any,
    ) -> Any:
        """Infer one image's latents and record every visit.

        Parameters
        ----------
        x : (n_v,) array
            One flattened image.
        kind : {"recognition", "mean-field", "particles", "icm"}, optional
            "recognition": each latent gets its mean under q(h | x), in order; "mean-field": sweeps of mean
            field follow. ``log_joint`` of both is a lower bound on log P(x), and log P(x, h) where all means
            are 0 or 1. "particles": a :class:`~lrbn_viz.core.trace.ParticleTrace`, each visit one more state
            drawn from q(h | x), with its importance weight. Where a part of the image is not known,
            "mean-field" begins with what the generative network says of each latent while all others are off,
            and both of the others are refused. "icm": what an LRBN of as many layers does. None:
            "icm" where any of its own options is given, else the usual one of `trace_methods`.
        init : str or (n_latents_,) array, optional
            Name of a start, or states; "conditional" when None. "recognition" are the recognition network's
            likelier states. Its pass ends where no start matters, and particles have none.
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``. Particles then estimate log P(x, these states).
        random_state : int, Generator or None
            Seed of random starts, orders, temperatures and particles.
        n_particles : int
            Number of particles of "particles", at least 1; the first one is the start.
        **how
            ``order``, ``temperature`` and ``max_sweeps`` of "icm", as LRBN takes them.
        """
        if kind is None:
            kind = "icm" if how else self.usual.name
        check_choice(kind, "kind", get_args(TraceKind))
        image = self.check_image(x)
        begun: Any = self.init if init is None else init
        if isinstance(begun, str) and begun == RECOGNITION:
            begun = (np.hstack(self.guesses(image[None]))[0] > 0).astype(np.uint8)
        if kind == "icm":
            return super().map_trace(x, init=begun, clamp=clamp, random_state=random_state, **how)
        if how:
            raise TypeError(f"kind={kind!r} takes no {next(iter(how))}; leave it out, or use kind='icm'.")
        if kind == "particles":
            return self._particle_trace(image, n_particles, clamp, generator(random_state))
        if isinstance(begun, str):
            states: Any = {"init": begun, "max_sweeps": 0, "random_state": generator(random_state)}
            begun = super().map_trace(x, **states).h0
        start = check_latents(begun, (self.n_latents_,), "init")
        held = check_clamp(clamp, self.n_latents_)
        if kind == RECOGNITION:
            self._check_seen(image)
        layers = networks_for(self.recognition_layers, image)
        sweeps = self.mean_field_sweeps if kind == "mean-field" else 0
        return recognition_trace(layers, self._shown(image), start, held, sweeps, self.moments_of)

    def moments_of(self, layer: LayerParams, x: NDArray, q: NDArray) -> Moments:
        """Return the moments under means of the latents of a single layer, whose bound mean field raises.

        That is the evidence lower bound up to 16 latents, and else that of Jaakkola and Jordan below it.
        """
        if layer.n_h > MAX_EXACT_INTERACTIVE:
            return Moments(layer, x, q)
        return ExactMoments(layer, x, q, self.exact_posterior(np.asarray(x, np.float64)).log_joints)

    def _particle_trace(
        self, image: NDArray, n_particles: int, clamp: Mapping[int, int] | None, rng: np.random.Generator
    ) -> ParticleTrace:
        """Return the trace of particles of a checked image, those of a seed in their order."""
        n, held = check_integer(n_particles, "n_particles", 1), check_clamp(clamp, self.n_latents_)
        self._check_seen(image)
        H, log_q = draw_latents(self.recognition_layers, image, n, held, rng)
        log_weights = self.joint(np.broadcast_to(image, (n, len(image))), H) - log_q
        made: Made = "directed" if len(H) == 1 else "deep"
        # As of several layers, W holds zeros for all units but the lowest layer's.
        (W, b, _), more = self.layers[0], self.n_latents_ - self.layers[0].n_h
        arrays = {
            "W": np.hstack([W, np.zeros((len(b), more))]),
            "b": b,
            "d": np.concatenate([each.d for each in self.layers]),
        }
        return ParticleTrace.of(image.astype(np.uint8), arrays, np.hstack(H), log_weights, made)

    # -- probabilities

    def proposal(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return the log-odds that the usual inference gives, which no annealing improves.

        Where a part of an image is not known, those of :meth:`posterior`.
        """
        return self.split(proposed(X, lambda whole: self.usual.proposal(self, whole), self.posterior))

    def draw_proposal(
        self, log_odds: Sequence[NDArray[np.float64]], rng: np.random.Generator
    ) -> tuple[tuple[NDArray[np.uint8], ...], NDArray[np.float64]]:
        """Draw from ``q(h | x) q(g | h)``, upper latents given the lower ones that are drawn."""
        drawn, log_q = super().draw_proposal(log_odds[:1], rng)
        for networks in self.recognition_layers[1:]:
            z = recognition_log_odds(networks, drawn[-1].astype(np.float64))
            drawn = (*drawn, (rng.random(z.shape) < sigmoid(z)).astype(np.uint8))
            log_q = log_q + (drawn[-1] * z - softplus(z)).sum(axis=1)
        return drawn, log_q

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the lower bound on log P(x) that `score_title` names, of each image, nats; (n,).

        Of what is known of an image.
        """
        return self.usual.scores(self, self.check_images(X))
