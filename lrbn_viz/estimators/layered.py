"""Common methods of LRBNs of one or several layers: they are one model, of which one layer is a case."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.model import ALL_OFF, ANNEALED_SWEEPS, Model, Progress, TraceMethod
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE, LogOddsTerms, states
from lrbn_viz.core.validation import check_choice, check_clamp, check_integer, check_latents, generator
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.lrbn import exact
from lrbn_viz.lrbn.ais import log_weights
from lrbn_viz.lrbn.ais import schedule as betas_of
from lrbn_viz.lrbn.batch_kernel import batch_log_odds
from lrbn_viz.lrbn.deep.inference import (
    infer_deep,
    kind_of,
    prior_from_above,
    sample_deep,
    sample_latents,
)
from lrbn_viz.lrbn.deep.trace import apart
from lrbn_viz.lrbn.kernel_params import KernelParams, prepare_params
from lrbn_viz.lrbn.model import Start
from lrbn_viz.lrbn.traced import cooling, schedule
from lrbn_viz.rivals.sbn.mean_field import MeanFieldSystem
from lrbn_viz.rivals.sbn.model import SBNParams
from lrbn_viz.rivals.sbn.variational_bayes import quadratic_means

METHODS = {
    "icm": "ICM",
    "annealed": f"annealed over {ANNEALED_SWEEPS} sweeps, then ICM",
    "gibbs": "Gibbs sampling",
}

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


class Layered(Model):
    """A directed model whose every layer generates the one below it by a regression."""

    init: Any
    max_sweeps: int

    short: ClassVar[str] = "LRBN"
    score_name: ClassVar[str] = "log P(x, h)"
    score_title: ClassVar[str] = "log P(x, h) of held-out images, h as ICM finds it: a bound below log P(x)"
    methods: ClassVar[Mapping[str, str]] = METHODS
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = TRACE_METHODS
    trace_options: ClassVar[frozenset[str]] = frozenset({"init", "clamp", "random_state"})
    starts: ClassVar[Mapping[str, str]] = {
        "conditional": "conditional at h = 0",
        "paper": "the paper's equation 11",
        "zeros": ALL_OFF,
        "random": "a random state",
    }
    likelihoods: ClassVar[tuple[str, ...]] = ("exact", "map_bound", "csl", "ais", "importance")

    @abstractmethod
    def _prepared(self, dtype: type = np.float64) -> list[KernelParams]:
        """Return the kernel parameters of each layer, computed once."""

    def _visits(
        self,
        x: ArrayLike,
        init: Any,
        order: str,
        orders: tuple[str, ...],
        temperature: float | Sequence[float],
        max_sweeps: int | None,
        clamp: Mapping[int, int] | None,
        random_state: Any,
    ) -> tuple[Any, ...]:
        """Return the checked arguments of a trace: x, start, order, temperatures, held units, generator."""
        x, n_h = self.check_image(x), self.n_latents_
        check_choice(order, "order", orders)
        sweeps = check_integer(self.max_sweeps if max_sweeps is None else max_sweeps, "max_sweeps", 0)
        temperatures = schedule(temperature, sweeps)
        if order == "greedy" and temperatures.any():
            raise ValueError('order="greedy" takes the best flip and has no temperature; use temperature=0.')
        held = check_clamp(clamp, n_h)
        start = self.init if init is None else init
        if not isinstance(start, str):
            start = check_latents(start, (n_h,), "init")[None]
        elif start not in get_args(Start):
            raise ValueError(
                f"init must be one of {get_args(Start)} or an array of {n_h} states; got {start!r}."
            )
        # Images of 0 and 1 stay such in the trace.
        shown = x.astype(np.uint8) if self.visible == "bernoulli" else x
        return shown, start, order, temperatures, held, generator(random_state)

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
        blanks = self._odds_at_rest()
        for layer, odds in zip(self.layers, blanks, strict=True):
            guesses.append(sigmoid(below @ layer.W + odds))
            below = guesses[-1]
        if len(self.layers) > 1 or self.visible == "gaussian":
            return quadratic_means(self.layers, self.visible, images, guesses, n_sweeps)
        layer, odds = next(iter(self.layers)), blanks[0]
        system = MeanFieldSystem(n_h=layer.n_h)
        networks = SBNParams(*layer, layer.W, odds)
        state = system.resume(networks, np.random.default_rng(0))  # nothing is drawn
        return (system.means(state, images, n_sweeps)[0].astype(np.float64),)

    def _odds_at_rest(self) -> list[NDArray[np.float64]]:
        """Return the log-odds of the units of each layer, (n_h,), with all other units off, also below."""
        found = []
        for n, params in enumerate(self.layers):
            kind, above = kind_of(n, self.visible), self.layers[n + 1 :]
            prior = above[0].b[None] if above else None
            off, none = np.zeros((1, params.n_v)), np.zeros((1, params.n_h), np.uint8)
            prepared = self._prepared()[n]
            found.append(batch_log_odds(params, kind, prepared, off, none, prior)[0])
        return found

    def _exact_marginals(self, X: NDArray) -> NDArray[np.float64]:
        """Return P(h_j = 1 | x) of images, summed over all states of all layers; (n, n_latents_).

        ``log P(x, h)`` has x in ``x'W h`` of the lowest layer alone, and in terms without h: the sum over
        pixels is done once for all images.
        """
        H = states(self.n_latents_).astype(np.float64)
        blank, (W, *_) = self.exact_posterior(np.zeros(self.n_visible_)).log_joints, self.layers[0]
        low = np.ascontiguousarray(H[:, : W.shape[1]].T)
        evidence, rows = X @ W, max(1, _STATES_AT_A_TIME // len(H))
        found = np.empty((len(X), H.shape[1]))
        for first in range(0, len(X), rows):
            log_p = evidence[first : first + rows] @ low + blank
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

    def interactions(self, h: NDArray) -> NDArray[np.float64]:
        """Return by how much each pair of latents moves each other's log-odds; (n_latents_, n_latents_)."""
        layers = self.layers
        first = np.cumsum([0, *(params.n_h for params in layers)])
        found = np.zeros((len(h), len(h)))
        for n, (params, kernel_params, part) in enumerate(
            zip(layers, self._prepared(), apart(layers, h), strict=True)
        ):
            here = slice(first[n], first[n + 1])
            found[here, here] = exact.interactions(params, kind_of(n, self.visible), kernel_params, part)
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
        return exact.decompose(params, kind_of(n, self.visible), below, parts[n], j)

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
