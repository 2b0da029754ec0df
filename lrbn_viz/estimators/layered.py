"""Common methods of LRBNs of one layer or several: they are one model, of which one layer is a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.chunks import ROWS, Pool, map_images
from lrbn_viz.core.fields import each_layer
from lrbn_viz.core.model import (
    ALL_OFF,
    ANNEALED_SWEEPS,
    PassInput,
    Progress,
    TraceMethod,
    draw_binary,
)
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE, ExactPosterior, LogOddsTerms, states
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.units import UNITS
from lrbn_viz.core.validation import (
    check_choice,
    check_clamp,
    check_integer,
    check_latents,
    generator,
    unknown_in,
)
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn import exact, model
from lrbn_viz.lrbn.ais import log_weights
from lrbn_viz.lrbn.ais import schedule as betas_of
from lrbn_viz.lrbn.batch_kernel import batch_log_odds, infer_batch
from lrbn_viz.lrbn.deep.inference import (
    infer_deep,
    kind_of,
    log_joint_deep,
    prior_from_above,
    sample_deep,
    sample_latents,
)
from lrbn_viz.lrbn.deep.trace import apart, trace_deep
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.lrbn.means.batch import batch_means
from lrbn_viz.lrbn.model import Start
from lrbn_viz.lrbn.regression import binary_activation
from lrbn_viz.lrbn.traced import Order, Stepper, cooling, schedule

METHODS = {
    "icm": "ICM",
    "annealed": f"annealed over {ANNEALED_SWEEPS} sweeps, then ICM",
    "gibbs": "Gibbs sampling",
}

Method = Literal["icm", "annealed", "gibbs"]

MEAN_FIELD_SWEEPS = 20
"""Sweeps of mean field at most, unless others are asked for."""
_STATES_AT_A_TIME = 1 << 20
"""Largest number of states of all images together in one array: 8 MB."""

# Hot enough to leave a bad optimum, then cooling until single flips are as good as decided; ICM follows.
ANNEALING = tuple(float(t) for t in np.geomspace(2.0, 0.1, 30))

TRACE_METHODS: dict[str, TraceMethod] = {
    "icm": TraceMethod("ICM, units in order", {"order": "sequential"}, True),
    "icm-random": TraceMethod("ICM, random order", {"order": "random"}, True),
    "icm-greedy": TraceMethod("ICM, best flip first", {"order": "greedy"}, True),
    "icm-parallel": TraceMethod("All units at once", {"order": "parallel", "max_sweeps": 20}, False),
    "gibbs": TraceMethod(
        "Gibbs sampling", {"order": "sequential", "temperature": 1.0, "max_sweeps": 20}, False, True
    ),
    "annealed": TraceMethod(
        "Annealed, then ICM", {"order": "sequential", "temperature": ANNEALING}, False, True
    ),
}


SEVERAL_LAYERS_TRACES = {name: TRACE_METHODS[name] for name in ("icm", "icm-random", "gibbs", "annealed")}
"""Kinds of traces of several layers, whose units are visited layer by layer."""


class Depth(NamedTuple):
    """Capabilities of a directed model that depend on its number of layers; :class:`Model` defines each."""

    several_layers: bool
    supports_restarts: bool
    has_rbm_parameters: bool
    trace_methods: Mapping[str, TraceMethod]


ONE_LAYER = Depth(False, True, True, TRACE_METHODS)
SEVERAL_LAYERS = Depth(True, False, False, SEVERAL_LAYERS_TRACES)


def checked_visits(
    model: Any,
    starts: tuple[str, ...],
    init: Any,
    order: str,
    temperature: float | Sequence[float] = 0.0,
    max_sweeps: int | None = None,
    clamp: Mapping[int, int] | None = None,
) -> tuple[Any, NDArray[np.float64], dict[int, int]]:
    """Return the checked start of a trace, (1, n_latents_) if it is states, its temperatures and held units.

    Parameters
    ----------
    model : LatentModel
        With `init` and `max_sweeps`, which are used where None is given.
    starts : tuple of str
        Names of starts.

    Raises
    ------
    TypeError, ValueError
        One of them cannot be.
    """
    n = model.n_latents_
    sweeps = check_integer(model.max_sweeps if max_sweeps is None else max_sweeps, "max_sweeps", 0)
    temperatures = schedule(temperature, sweeps)
    if order == "greedy" and temperatures.any():
        raise ValueError('order="greedy" takes the best flip and has no temperature; use temperature=0.')
    held, start = check_clamp(clamp, n), model.init if init is None else init
    if not isinstance(start, str):
        start = check_latents(start, (n,), "init")[None]
    elif start not in starts:
        raise ValueError(f"init must be one of {starts} or an array of {n} states; got {start!r}.")
    return start, temperatures, held


class Layered(LatentModel):
    """A directed model of one layer or several, each of which generates the one below it by a regression.

    Attributes
    ----------
    method : str
        Its name, or that of the method by which it learns, as within a sentence.
    """

    n_components: Any
    init: Any
    max_sweeps: int

    method: ClassVar[str] = "LRBN"
    score_name: ClassVar[str] = "log P(x, h)"
    score_title: ClassVar[str] = "log P(x, h) of held-out images, h as ICM finds it: a bound below log P(x)"
    draws_passes: ClassVar[bool] = True
    methods: ClassVar[Mapping[str, str]] = METHODS
    pooled_methods: ClassVar[frozenset[str]] = frozenset(METHODS)
    trace_options: ClassVar[frozenset[str]] = frozenset({"init", "clamp", "random_state"})
    starts: ClassVar[Mapping[str, str]] = {
        "conditional": "conditional at h = 0",
        "paper": "the paper's equation 11",
        "zeros": ALL_OFF,
        "random": "a random state",
    }
    likelihoods: ClassVar[tuple[str, ...]] = ("exact", "map_bound", "csl", "ais", "importance")

    # -- capabilities, as :class:`Model` defines them

    @property
    def _n_layers(self) -> int:
        """Layers of the fitted model; before that those that its settings ask for."""
        return len(self.layers if self.is_fitted else each_layer(self.n_components))

    @property
    def depth(self) -> Depth:
        """Capabilities that depend on the number of layers."""
        return SEVERAL_LAYERS if self._n_layers > 1 else ONE_LAYER

    @property
    def short(self) -> str:
        """Title of a lane: the method's name, after the number of layers where there are several."""
        n = self._n_layers
        number = {2: "Two", 3: "Three"}.get(n, str(n))
        return f"{number}-layer {self.method}" if n > 1 else f"{self.method[0].upper()}{self.method[1:]}"

    @property
    def several_layers(self) -> bool:
        """True if it has several layers of latents."""
        return self.depth.several_layers

    @property
    def supports_restarts(self) -> bool:
        """True if `climb` searches for local optima from many starts: of one layer."""
        return self.depth.supports_restarts

    @property
    def has_rbm_parameters(self) -> bool:
        """True if its only layer has the parameters of an RBM."""
        return self.depth.has_rbm_parameters

    @property
    def trace_methods(self) -> Mapping[str, TraceMethod]:
        """Kinds of inference that `trace` records, the usual one first."""
        return self.depth.trace_methods

    # -- inference

    def infer(
        self,
        X: ArrayLike,
        *,
        method: Method = "icm",
        n_sweeps: int = ANNEALED_SWEEPS,
        top: NDArray[np.uint8] | None = None,
        random_state: Any = 0,
        pool: Pool | None = None,
    ) -> tuple[NDArray, ...]:
        """Return the jointly inferred states of each layer, the lowest first; (n, n_h) uint8 each.

        Parameters
        ----------
        X : (n, n_v) array
            NaN is not known, of an LRBN.
        method : {"icm", "annealed", "gibbs"}
            "icm" climbs to a local optimum of ``log P(x, h)`` from the start that `init` names. "annealed"
            first cools over `n_sweeps` sweeps from a temperature of 3 to 0.1, which escapes poor optima.
            "gibbs" returns the state after `n_sweeps` sweeps of Gibbs sampling: a draw from the posterior.
        n_sweeps : int
            Sweeps of annealing or sampling.
        top : (n, n_h) uint8, optional
            Observed states of the top layer of several.
        random_state : int, Generator or None
            Seed of annealing, sampling and random starts.
        pool : Pool, optional
            Where pieces of images are inferred, such as a :class:`lrbn_viz.cluster.Cluster`; this process
            when None. The states are the same.
        """
        images = self.check_images(X)
        check_choice(method, "method", get_args(Method))
        check_integer(n_sweeps, "n_sweeps", 1)
        rows = ROWS if top is None else len(images)
        how = (self, method, n_sweeps, top)
        parts = map_images(Layered._states, images, generator(random_state), *how, rows=rows, pool=pool)
        return tuple(np.concatenate(layer) for layer in zip(*parts, strict=True))

    @staticmethod
    def _states(
        images: NDArray,
        rng: np.random.Generator,
        self: Layered,
        method: Method,
        n_sweeps: int,
        top: NDArray[np.uint8] | None,
    ) -> tuple[NDArray[np.uint8], ...]:
        """Return the states of a piece of checked images, one array per layer."""
        start: Any = self.init
        if method != "icm":
            # The temperature's noise is far above the error of single precision, 1e-4 nats.
            warm = np.ones(n_sweeps) if method == "gibbs" else cooling(n_sweeps)
            how: Any = (images, start, warm, 0, rng)
            start = infer_deep(self.layers, self.visible, self._prepared(np.float32), *how, top=top).H
        if method == "gibbs":
            return start
        how = (images, start, np.zeros(0), self.max_sweeps, rng)
        return infer_deep(self.layers, self.visible, self._prepared(), *how, top=top).H

    def map_trace(
        self,
        x: ArrayLike,
        *,
        init: Start | ArrayLike | None = None,
        order: Order = "sequential",
        temperature: float | Sequence[float] = 0.0,
        max_sweeps: int | None = None,
        clamp: Mapping[int, int] | None = None,
        random_state: Any = None,
    ) -> ICMTrace:
        """Infer one image's latents and record every visit.

        Sweeps over several layers go from the lowest up; units are numbered through all layers.

        Parameters
        ----------
        x : (n_v,) array
            One flattened image.
        init : {"conditional", "paper", "zeros", "random"} or (n_latents_,) array, optional
            The start, of all layers; the model's own when None.
        order : {"sequential", "random", "greedy", "parallel"}
            Which latent of a layer is visited next. "greedy" takes the best flip each time, of all;
            "parallel" decides all units of a sweep from its first state, against which Theorem 1 gives no
            guarantee. Several layers have "sequential" and "random" only.
        temperature : float or sequence of float
            0 is ICM, 1 Gibbs sampling. A sequence gives one sweep at each temperature, and then ICM.
        max_sweeps : int, optional
            Bound on the sweeps (after a sequence of temperatures: of ICM).
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``.
        random_state : int, Generator or None
            Seed of random starts, orders and temperatures.
        """
        orders: tuple[str, ...] = ("sequential", "random") if self.several_layers else get_args(Order)
        how: Any = {"temperature": temperature, "max_sweeps": max_sweeps, "clamp": clamp}
        checked = self._visits(x, orders, init, order, random_state, **how)
        return trace_deep(self.layers, self.visible, self._prepared(), *checked)

    def stepper(self, x: ArrayLike, **how: Any) -> Stepper:
        """Return the ICM of a single layer as :meth:`map_trace` records it, to be advanced by hand:
        ``advance(n_visits)``.
        """
        if self.several_layers:
            self.refuse("inference that is advanced by hand", "it has several layers")
        checked = self._visits(x, get_args(Order), **how)
        return Stepper(self.layers[0], self.visible, self._prepared()[0], *checked)

    def _visits(
        self,
        x: ArrayLike,
        orders: tuple[str, ...],
        init: Any = None,
        order: str = "sequential",
        random_state: Any = None,
        **how: Any,
    ) -> tuple[Any, ...]:
        """Return the checked arguments of a trace: x, start, order, temperatures, held units, generator."""
        x = self.check_image(x)
        check_choice(order, "order", orders)
        start, temperatures, held = checked_visits(self, get_args(Start), init, order, **how)
        return self._shown(x), start, order, temperatures, held, generator(random_state)

    def climb(self, x: NDArray, starts: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return where ICM of a single layer ends from each row of `starts` (n, n_h), after any number of
        sweeps.
        """
        if self.several_layers:
            return super().climb(x, starts)
        X = np.broadcast_to(x, (len(starts), len(x)))
        none, rng = np.zeros(0), np.random.default_rng(0)  # ICM draws nothing
        (layer,), (prepared,) = self.layers, self._prepared()
        # Every flip gains log P(x, h), so that this ends.
        return infer_batch(layer, self.visible, prepared, X, starts, none, 2**31, rng).H

    def start_states(self, x: NDArray) -> dict[str, NDArray[np.uint8]]:
        """Return the starts that draw nothing, and all units on."""
        if self.several_layers:
            return super().start_states(x)
        named: tuple[Start, ...] = ("conditional", "paper", "zeros")
        found = {name: Layered.map_trace(self, x, init=name, max_sweeps=0).h0 for name in named}
        return {**found, "ones": np.ones(self.n_latents_, np.uint8)}

    def reconstruct(self, X: ArrayLike, *, layer: int = 1, **options: Any) -> NDArray:
        """Return ``argmax_x P(x | h*)``, from the inferred latents of a layer downwards; (n, n_v).

        uint8 images for Bernoulli units, means for Gaussian ones.

        Parameters
        ----------
        layer : int
            1 decodes the lowest latents themselves; a higher layer is first decoded to the most probable
            states of the layers below it.
        **options
            As in :meth:`infer`.
        """
        layers = self.layers
        check_integer(layer, "layer", 1, len(layers))
        H = self.infer(X, **options)[layer - 1]
        for below in range(layer - 1, 0, -1):
            H = model.most_probable_visible(layers[below], "bernoulli", H)
        return model.most_probable_visible(layers[0], self.visible, H)

    # -- probabilities

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return the normalised ``log P(x, h^1, ..., h^L)`` of each row, nats; `H`: one array per layer."""
        return log_joint_deep(self.layers, self.visible, X, H)

    def exact_posterior(self, x: NDArray) -> ExactPosterior:
        """Return P(h | x) by enumeration, of one layer in Gray-code order; ValueError for more than 20
        latents.
        """
        if self.several_layers:
            return super().exact_posterior(x)
        return exact.enumerate_posterior(self.layers[0], self.visible, self._prepared()[0], x)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return ``max_h log P(x, h)`` as ICM finds it, nats: a bound below ``log P(x)``. Equation: (14).

        Normalised: it compares LRBNs of one layer or several, of any size, on the same images. Other models'
        scores are other bounds, or pseudo-likelihoods; :func:`lrbn_viz.measure.log_likelihood` compares
        all.
        """
        return self.log_joint(X, self.infer(X))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> NDArray:
        """Draw images by ancestral sampling; shape (n_samples, n_v)."""
        n = check_integer(n_samples, "n_samples", 1)
        return sample_deep(self.layers, self.visible, n, generator(random_state))[0]

    def map_states(
        self, X: NDArray, n_sweeps: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.uint8], ...]:
        """Return jointly inferred latents of all layers: by ICM, after `n_sweeps` of annealing if any."""
        warm = cooling(n_sweeps)
        return infer_deep(self.layers, self.visible, self._prepared(), X, self.init, warm, 1000, rng).H

    def _probabilities(
        self, X: ArrayLike, *, n_sweeps: int = MEAN_FIELD_SWEEPS
    ) -> tuple[NDArray[np.float64], ...]:
        """Return P(h_j = 1 | x) of each layer's latents: exactly up to 16 of all layers, else by mean field.

        Mean field of one layer of Bernoulli units raises the tilted bound, as its traces do; of one of
        Gaussian units the evidence lower bound, and of several layers that of Jaakkola and Jordan.
        """
        images = self.check_images(X)
        check_integer(n_sweeps, "n_sweeps", 0)
        if self.n_latents_ <= MAX_EXACT_INTERACTIVE:
            return self.split(self._exact_marginals(images))
        guesses, below = [], images
        for layer, odds in zip(self.layers, self._odds_at_rest(images), strict=True):
            ink = np.where(np.isnan(below), 0.0, below)
            guesses.append(sigmoid(ink @ layer.W + odds))
            below = guesses[-1]
        return batch_means(self.layers, self.visible, images, guesses, n_sweeps)

    def _odds_at_rest(self, X: NDArray) -> list[NDArray[np.float64]]:
        """Return the log-odds of the units of each layer with all others off, also below, where X is known.

        (n_h,), or of the lowest layer (n, n_h) where a part of X is not known.
        """
        found, unknown = [], unknown_in(X)
        for n, params in enumerate(self.layers):
            kind, above = kind_of(n, self.visible), self.layers[n + 1 :]
            off = np.zeros((1, params.n_v)) if n or unknown is None else np.where(unknown, np.nan, 0.0)
            prior = np.tile(above[0].b, (len(off), 1)) if above else None
            none = np.zeros((len(off), params.n_h), np.uint8)
            odds = batch_log_odds(params, kind, self._prepared()[n], off, none, prior)
            found.append(odds[0] if len(off) == 1 else odds)
        return found

    def _exact_marginals(self, X: NDArray) -> NDArray[np.float64]:
        """Return P(h_j = 1 | x) of images, summed over all states of all layers; (n, n_latents_).

        ``log P(x, h)`` has x in ``x'W h`` of the lowest layer alone, and in terms without h: the sum over
        pixels is done once for all images of which the same pixels are known.
        """
        unknown = unknown_in(X)
        if unknown is None:
            return self._marginals_with(X, np.zeros(self.n_visible_))
        found = np.empty((len(X), self.n_latents_))
        patterns, which = np.unique(unknown, axis=0, return_inverse=True)
        for number, hidden in enumerate(patterns):
            rows = which == number
            found[rows] = self._marginals_with(np.where(hidden, 0.0, X[rows]), np.where(hidden, np.nan, 0.0))
        return found

    def _marginals_with(self, X: NDArray, blank: NDArray) -> NDArray[np.float64]:
        """Return :meth:`_exact_marginals` of images; `blank` (n_v,) is NaN where they are not known, and else
        0, as `X` is there.
        """
        H = states(self.n_latents_).astype(np.float64)
        fixed, (W, *_) = self.exact_posterior(blank).log_joints, self.layers[0]
        low = np.ascontiguousarray(H[:, : W.shape[1]].T)
        evidence, rows = X @ W, max(1, _STATES_AT_A_TIME // len(H))
        found = np.empty((len(X), H.shape[1]))
        for first in range(0, len(X), rows):
            log_p = evidence[first : first + rows] @ low + fixed
            p = np.exp(log_p - log_p.max(axis=1, keepdims=True))
            p /= p.sum(axis=1, keepdims=True)
            found[first : first + rows] = np.minimum(p @ H, 1.0)  # rounding may leave a sure unit 1e-16 above
        return found

    def conditional_log_odds(self, X: NDArray, H: Sequence[NDArray]) -> tuple[NDArray[np.float64], ...]:
        """Return the log-odds of every unit of every layer, given x and all others as in `H`: (n, n_h) each.

        Equation: (9), the factors of the pseudo-likelihood.
        """
        found = []
        for layer, params in enumerate(self.layers):
            kind = kind_of(layer, self.visible)
            below = X if layer == 0 else H[layer - 1].astype(np.float64)
            prior = prior_from_above(self.layers, H, layer)
            found.append(batch_log_odds(params, kind, prepare_params(params, kind), below, H[layer], prior))
        return tuple(found)

    def interactions(self, x: NDArray, h: NDArray) -> NDArray[np.float64]:
        """Return by how much each pair of latents moves each other's log-odds; (n_latents_, n_latents_)."""
        layers = self.layers
        first = np.cumsum([0, *(params.n_h for params in layers)])
        found = np.zeros((len(h), len(h)))
        parts = apart(layers, h)
        for n, (params, kernel_params, part) in enumerate(zip(layers, self._prepared(), parts, strict=True)):
            here = slice(first[n], first[n + 1])
            found[here, here] = exact.interactions(
                params, kind_of(n, self.visible), kernel_params, x if n == 0 else parts[n - 1], part
            )
            if n:
                # Between two layers the second difference of the joint is the weight itself, in any state.
                below = slice(first[n - 1], first[n])
                found[below, here], found[here, below] = params.W, params.W.T
        return found

    def log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> LogOddsTerms:
        """Return the terms of a unit's log-odds; its prior is generated by the layer above."""
        layers, n = self.layers, 0
        parts = apart(layers, h)
        while j >= layers[n].n_h:
            j, n = j - layers[n].n_h, n + 1
        prior = prior_from_above(layers, [part[None] for part in parts], n)
        params = layers[n] if prior is None else layers[n]._replace(d=prior[0])
        below = x if n == 0 else parts[n - 1].astype(np.float64)
        return UNITS[kind_of(n, self.visible)].log_odds_terms(*params, below, parts[n], j)

    def annealed_weights(
        self,
        X: NDArray,
        n_temperatures: int,
        rng: np.random.Generator,
        *,
        posterior: Sequence[NDArray[np.uint8]] | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Return :func:`lrbn_viz.lrbn.ais.log_weights` of one chain per image, in single precision."""
        betas, how = betas_of(n_temperatures), {"dtype": np.float32, "progress": progress}
        return log_weights(self.layers, self.visible, X, betas, rng, posterior=posterior, **how)

    def sample_joint(self, n: int, rng: np.random.Generator) -> tuple[NDArray, tuple[NDArray[np.uint8], ...]]:
        """Draw n images by ancestral sampling, with their latents."""
        return sample_deep(self.layers, self.visible, n, rng)

    def sample_latents(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], ...]:
        """Draw latents of n images from the prior, the top layer first."""
        return sample_latents(self.layers, n, rng)

    def pass_probabilities(self, x: NDArray | None) -> NDArray[np.float64]:
        """Return P(h_j = 1) of the prior of a single layer, whatever image was drawn before."""
        if self.several_layers:
            return super().pass_probabilities(x)
        return sigmoid(self.layers[0].d)

    def draw_pass(self, given: PassInput) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return a draw from the prior, the top layer first: each layer generates the one below it."""
        numbers = self.split(given.uniforms)
        drawn: list[NDArray[np.uint8]] = []
        used: list[NDArray[np.float64]] = []
        a, begin = self.layers[-1].d, self.n_latents_
        for layer, u in zip(reversed(self.layers), reversed(numbers), strict=True):
            begin -= len(u)
            used.insert(0, sigmoid(a))
            drawn.insert(0, draw_binary(u, used[0], given.held, begin))
            a = binary_activation(layer, drawn[0][None])[0]
        return np.hstack(drawn), np.hstack(used)

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log P(x, h)`` from the lowest ``a = W h + b``, in its precision.

        `prior` are the latents' terms: ``d'h`` of a single layer, of several ``log P(h)``.
        """
        low, *above = self.layers
        fixed = 0.0 if above else softplus(low.d).sum()
        return self.units.log_best(a) + prior - fixed
