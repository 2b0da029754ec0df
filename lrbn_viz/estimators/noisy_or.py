"""A network of noisy-or units, learned by hard EM: causes that can only turn findings on.

Binary latents h with independent priors, of log-odds d, each turn on unit i with probability ``q_ij = 1 -
exp(-w_ij)``, and a leak does so with probability ``1 - exp(-b_i)``. The unit is on if anything turned it on,

    P(x_i = 0 | h) = exp(-a_i),    a = W h + b,    W >= 0, b > 0.

References
----------
J. Pearl (1988). Probabilistic Reasoning in Intelligent Systems. Morgan Kaufmann.

T. Singliar and M. Hauskrecht (2006). Noisy-OR component analysis and its application to link analysis.
Journal of Machine Learning Research 7, 2189-2213.

O. Cappe and E. Moulines (2009). On-line expectation-maximization algorithm for latent data models. Journal of
the Royal Statistical Society B 71, 593-613.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.chunks import Pool, map_images
from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.core.model import ANNEALED_SWEEPS, LayerParams, TraceMethod
from lrbn_viz.core.posterior import MAX_EXACT, ExactPosterior, LogOddsTerms, states, summarise
from lrbn_viz.core.system import Memory, System
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.units import UNITS
from lrbn_viz.core.validation import (
    Interval,
    check_choice,
    check_integer,
    generator,
    unknown_in,
)
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.estimators.layered import METHODS, TRACE_METHODS, Layered, Method, checked_visits
from lrbn_viz.io.constants import MAX_EXACT_INTERACTIVE
from lrbn_viz.kernels.numerics import INNER, KERNEL, random_streams, sigmoid, softplus
from lrbn_viz.kernels.steps import falling_rate
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.icm import GREEDY, PARALLEL, SEQUENTIAL, Record, decide
from lrbn_viz.lrbn.traced import Order, cooling
from lrbn_viz.rivals.sbn.settings import BINARY_VISIBLE
from lrbn_viz.training.settings import (
    AVERAGE,
    DECAY_STEPS,
    LATENT_UNITS,
    LEARNING_RATE,
    PATIENCE,
)

Start = Literal["zeros", "conditional", "random"]

NOISY_OR = UNITS["noisy-or"]
_HARD_EM: dict[str, Any] = fields_of(HardEM)
LEAST_LEAK = 1e-3
"""Smallest b that training leaves: no pixel that is on is impossible."""
SMALLEST_LEAK = 1e-4
"""Smallest b that a model may have: with smaller ones a product of `BLOCK` factors could overflow."""
LEAST_FAILURE = 1e-6
"""Smallest probability that training leaves for a cause, or the leak, to fail to turn a unit on."""
RAREST = 1e-4
"""Smallest probability of a latent, and of its absence, that training leaves."""
GAIN = 1e-9
"""Smallest gain of a flip in nats: rounding errors, which differ between machines, do not decide."""
BLOCK = 64
"""Factors of a product before its logarithm is taken: each is from 1 to 1 / SMALLEST_LEAK."""
TINY = 1e-9
"""Probability of failure below which products are computed afresh: dividing by it would lose digits."""
STATES_AT_A_TIME = 1 << 12
"""States whose log joint is computed together when all are enumerated."""
GIBBS_SWEEPS = 20
"""Sweeps of Gibbs sampling over which probabilities of more latents than can be enumerated are averaged."""


class _State(NamedTuple):
    """State of inference of images, modified in place; row m belongs to image m.

    Attributes
    ----------
    left : (n, n_v) float64
        ``exp(-a)`` of the units that are on, in the order of `pixels`.
    h : (n, n_h) uint8
        The latents.
    stream : (n,) uint64
        States of random numbers.
    """

    left: NDArray[np.float64]
    h: NDArray[np.uint8]
    stream: NDArray[np.uint64]


class _Problem(NamedTuple):
    """What inference of these images does not change.

    Attributes
    ----------
    fixed : (n, n_h) float64
        Log-odds of each latent by its prior and the units that are off, nats.
    pixels : (n, n_v) int32
        Numbers of the units that are on, first in their row.
    n_on : (n,) int64
    failure : (n_h + 1, n_v) float64
        ``exp(-w)``: probabilities that a latent fails to turn on each unit; last ``exp(-b)``, of the leak.
    """

    fixed: NDArray[np.float64]
    pixels: NDArray[np.int32]
    n_on: NDArray[np.int64]
    failure: NDArray[np.float64]


@njit(**INNER)
def _refresh(problem, state, m):
    """Compute `left` of image m from its latents. Modified in place: `state`."""
    for p in range(problem.n_on[m]):
        state.left[m, p] = problem.failure[-1, problem.pixels[m, p]]
    for j in range(state.h.shape[1]):
        if state.h[m, j] == 1:
            for p in range(problem.n_on[m]):
                state.left[m, p] *= problem.failure[j, problem.pixels[m, p]]


@njit(**INNER)
def _without(problem, state, m, p, j):
    """Return ``exp(-a)`` without latent j, of the p-th unit that is on in image m."""
    pixel = problem.pixels[m, p]
    if state.h[m, j] == 0:
        return state.left[m, p]
    if problem.failure[j, pixel] > TINY:
        return state.left[m, p] / problem.failure[j, pixel]
    product = problem.failure[-1, pixel]
    for k in range(state.h.shape[1]):
        if state.h[m, k] == 1 and k != j:
            product *= problem.failure[k, pixel]
    return product


@njit(**INNER)
def _log_odds(problem, state, m, j):
    """Return ``logit P(h_j = 1 | x, h_-j)`` of image m, nats: only units that are on look at the others."""
    total, product = problem.fixed[m, j], 1.0
    for p in range(problem.n_on[m]):
        without = _without(problem, state, m, p, j)
        product *= (1.0 - without * problem.failure[j, problem.pixels[m, p]]) / (1.0 - without)
        if p % BLOCK == BLOCK - 1:
            total += math.log(product)
            product = 1.0
    return total + math.log(product)


@njit(**INNER)
def _flip(problem, state, m, j):
    """Flip latent j of image m. Modified in place: `state`."""
    after = 1 - state.h[m, j]
    for p in range(problem.n_on[m]):
        without = _without(problem, state, m, p, j)
        state.left[m, p] = without * problem.failure[j, problem.pixels[m, p]] if after == 1 else without
    state.h[m, j] = after


@njit(**INNER)
def _best_flip(problem, state, m, units):
    """Return the latent whose flip gains most, the first on a tie; -1 where none gains."""
    best, most = -1, GAIN
    for p in range(units.shape[1]):
        j = np.int64(units[0, p])
        log_odds = _log_odds(problem, state, m, j)
        gain = log_odds if state.h[m, j] == 0 else -log_odds
        if gain > most:
            best, most = j, gain
    return best


@njit(**INNER)
def _visit(problem, state, m, order, units, temperatures, at_once, total, record, done):
    """Visit the latents of image m, sweep by sweep, until none changes or the temperatures end.

    Parameters
    ----------
    units : (n_orders, n_free) int32
        Latents to visit, one row per sweep or one for all.
    temperatures : (n_sweeps,) float64
        0 for ICM, 1 for Gibbs sampling.
    at_once : (n_free,) float64
        Overwritten: log-odds at the sweep's start, for the parallel order.
    total : float
        ``log P(x, h)`` at the start, nats.
    record : Record
        Columns that are filled as far as they go.
    done : (n, 3) int64
        Filled: visits, flips, and whether inference has converged.

    Modified in place: `state`, `at_once`, `record`, `done`.
    """
    n_free, k, flips, unchanged = units.shape[1], 0, 0, 0
    done[m, 2] = n_free == 0
    for t in range(len(temperatures) if n_free else 0):
        row = t if units.shape[0] > 1 else 0
        _refresh(problem, state, m)  # rounding errors start at 0 again
        for position in range(n_free):
            j = _best_flip(problem, state, m, units) if order == GREEDY else np.int64(units[row, position])
            if j < 0:
                done[m, 2] = 1
                break
            if order == PARALLEL and position == 0:
                for p in range(n_free):
                    at_once[p] = _log_odds(problem, state, m, np.int64(units[row, p]))
            log_odds = at_once[position] if order == PARALLEL else _log_odds(problem, state, m, j)
            before = state.h[m, j]
            after = decide(log_odds, before, temperatures[t], GAIN, state.stream, m)
            if after != before:
                change = _log_odds(problem, state, m, j) if order == PARALLEL else log_odds
                _flip(problem, state, m, j)
                total += change if after == 1 else -change
                flips += 1
            if k < len(record.unit):
                record.unit[k], record.after[k], record.flipped[k] = j, after, after != before
                record.log_odds[k], record.log_joint[k], record.sweep[k] = log_odds, total, t
            k += 1
            unchanged = 0 if after != before or temperatures[t] > 0.0 else unchanged + 1
            ends = order == SEQUENTIAL or position + 1 == n_free
            if unchanged >= n_free and ends and order != GREEDY:
                done[m, 2] = 1
                break
        if done[m, 2] == 1:
            break
    done[m, 0], done[m, 1] = k, flips


@njit(**KERNEL)
def _visit_all(problem, state, order, units, temperatures, at_once, totals, record, done):
    """Infer the latents of all images, as :func:`_visit` does those of one."""
    for m in range(state.h.shape[0]):
        _visit(problem, state, np.int64(m), order, units, temperatures, at_once, totals[m], record, done)


class Inferred(NamedTuple):
    """Latents of images, and those of the start; `done` and `record` as :func:`_visit` fills them."""

    H: NDArray[np.uint8]
    H0: NDArray[np.uint8]
    done: NDArray[np.int64]
    record: Record


def infer(
    params: LayerParams,
    X: NDArray,
    start: Start | NDArray[np.uint8],
    temperatures: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    order: Order = "sequential",
    held: Mapping[int, int] | None = None,
    n_recorded: int = 0,
) -> Inferred:
    """Return the latents of each image by ICM, Gibbs sampling or annealing.

    Parameters
    ----------
    X : (n, n_v)
        NaN is not known.
    start : {"zeros", "conditional", "random"} or (n, n_h) array
        "conditional" is the likelier state of each latent with all others off.
    temperatures : (n_sweeps,) float64
        One per sweep; 0 is ICM.
    held : mapping from unit to state, optional
        Latents that are never visited.
    n_recorded : int
        Visits of the only image that are recorded at most.
    """
    (n, n_v), n_h = X.shape, params.n_h
    X = X.astype(np.float64)
    alone = params.d + NOISY_OR.alone(params.b[:, None], params.W).sum(axis=0)
    unknown = unknown_in(X)
    # A pixel that is off says -w; one that is on, or not known, says nothing here.
    silent = X if unknown is None else np.where(unknown, 1.0, X)
    problem = _Problem(
        fixed=alone + silent @ params.W,
        pixels=np.argsort(~(X > 0.5), axis=1, kind="stable").astype(np.int32),
        n_on=(X > 0.5).sum(axis=1).astype(np.int64),
        failure=np.exp(-np.vstack([params.W.T, params.b])),
    )
    state = _State(np.empty((n, n_v)), np.zeros((n, n_h), np.uint8), random_streams(n, rng))
    if isinstance(start, str):
        if start == "random":
            state.h[:] = rng.integers(0, 2, (n, n_h))
        elif start == "conditional":
            state.h[:] = conditional_log_odds(params, X, state.h) > 0
    else:
        state.h[:] = start
    for unit, on in (held or {}).items():
        state.h[:, unit] = on
    units = np.delete(np.arange(n_h, dtype=np.int32), list(held or {}))[None]
    if order == "random":
        units = rng.permuted(np.repeat(units, len(temperatures), axis=0), axis=1)
    begun = state.h.copy()
    totals = model.log_joint(params, NOISY_OR.name, X, begun)
    record = Record(*(np.empty(n_recorded, dtype) for dtype in ("i4", "u1", "?", "f8", "f8", "i4")))
    done = np.zeros((n, 3), np.int64)
    how = (get_args(Order).index(order), np.ascontiguousarray(units), np.asarray(temperatures, np.float64))
    _visit_all(problem, state, *how, np.empty(units.shape[1]), totals, record, done)
    return Inferred(state.h, begun, done, record)


def conditional_log_odds(params: LayerParams, X: NDArray, H: NDArray) -> NDArray[np.float64]:
    """Return ``logit P(h_j = 1 | x, h_-j)`` of each latent of each image, nats; (n, n_h)."""
    H, unknown = H.astype(np.float64), unknown_in(X)
    a, found = model.activation(params, H), np.empty(H.shape)
    for j, w in enumerate(params.W.T):
        rest = np.maximum(a - H[:, [j]] * w, params.b)  # not below b by a rounding error
        terms = NOISY_OR.by_others(X, rest, w) - w
        found[:, j] = params.d[j] + (terms if unknown is None else np.where(unknown, 0.0, terms)).sum(axis=1)
    return found


def possible(W: NDArray, b: NDArray, d: NDArray) -> LayerParams:
    """Return the nearest parameters that training leaves."""
    most, rare = -math.log(LEAST_FAILURE), math.log(RAREST) - math.log1p(-RAREST)
    return LayerParams(np.clip(W, 0.0, most), np.clip(b, LEAST_LEAK, most), np.clip(d, rare, -rare))


class NoisyOrState(NamedTuple):
    """State of training: W (n_v, n_h), b (n_v,) and d (n_h,), and the number of steps that led to them."""

    W: NDArray[np.float64]
    b: NDArray[np.float64]
    d: NDArray[np.float64]
    n_steps: int = 0

    @property
    def params(self) -> LayerParams:
        """The parameters alone."""
        return LayerParams(*self[:3])


@documented
@dataclass(frozen=True)
class NoisyOrEM(System[NoisyOrState]):
    """Hard EM of noisy-or units: ICM, then a step of on-line EM over the causes of each pixel that is on.

    Given the latents of an image, latent j turned on a pixel with probability ``h_j q_ij / P(x_i = 1 | h)``.
    The share of images with latent j in which it did so becomes q_ij. Both are running means over
    minibatches, and follow from the parameters. A minibatch's share in them falls, since on-line EM with a
    constant one does not converge (Cappe and Moulines, 2009).
    """

    n_h: int = declare(LATENT_UNITS, 50)
    start: Start = declare(
        replace(
            _HARD_EM["start"],
            details='"zeros": all off; "conditional": each unit given that the others are off; "random": '
            "fair coins.",
            choices={name: _HARD_EM["start"].choices[name] for name in get_args(Start)},
        ),
        "zeros",
    )
    learning_rate: float = declare(
        replace(
            LEARNING_RATE,
            help="Share of a minibatch in the running means of on-line EM.",
            bounds=Interval(0, 1, "right"),
        ),
        0.1,
    )
    # With a constant rate held-out images of MNIST were a nat less likely after 4 passes than after one.
    decay_steps: float = declare(DECAY_STEPS, 1000.0)
    max_sweeps: int = declare(_HARD_EM["max_sweeps"])
    average: float = declare(AVERAGE, 0.0)

    def init(self, X: NDArray, rng: np.random.Generator) -> NoisyOrState:
        """Return latents that each turn on some pixels of a training image, and half the mean as a leak."""
        mean = (X.sum(axis=0, dtype=np.float64) + 0.5) / (len(X) + 1)
        parts = X[rng.integers(0, len(X), self.n_h)].T * rng.random((X.shape[1], self.n_h))
        q = 0.02 + 0.4 * parts
        return NoisyOrState(*possible(-np.log1p(-q), -np.log1p(-0.5 * mean), np.zeros(self.n_h)))

    def infer(self, state: NoisyOrState, X: NDArray, start: Any = None) -> Inferred:
        """Return the latents of images by ICM."""
        at = self.start if start is None else start
        return infer(state.params, X, at, np.zeros(self.max_sweeps), np.random.default_rng(0))

    def step(
        self, state: NoisyOrState, batch: NDArray, rng: np.random.Generator, memory: Memory = None
    ) -> tuple[NoisyOrState, dict[str, float]]:
        """One round of Algorithm 1 on a minibatch, its M-step a step of on-line EM."""
        X = batch.astype(np.float64)
        found = infer(state.params, X, self.start, np.zeros(self.max_sweeps), rng)
        H = found.H.astype(np.float64)
        p = NOISY_OR.mean(model.activation(state.params, H))
        by_cause = X / p  # times q_ij h_j: the probability that latent j turned on the pixel
        taken = falling_rate(float(self.learning_rate), float(self.decay_steps), state.n_steps)
        n = len(X)
        kept = 1.0 - taken
        on = sigmoid(state.d)
        q, leak = -np.expm1(-state.W), -np.expm1(-state.b)
        share = kept * on + taken * H.mean(axis=0)
        caused = q * (kept * on + taken * (by_cause.T @ H) / n)
        q = np.divide(caused, share, out=q.copy(), where=share > 0.0)  # that of a latent no image has stays
        leak = leak * (kept + taken * by_cause.mean(axis=0))
        most = 1.0 - LEAST_FAILURE
        share = np.clip(share, RAREST, 1.0 - RAREST)
        new = possible(
            -np.log1p(-np.minimum(q, most)),
            -np.log1p(-np.minimum(leak, most)),
            np.log(share) - np.log1p(-share),
        )
        joint = float(model.log_joint(state.params, NOISY_OR.name, X, H).mean())
        return NoisyOrState(*new, state.n_steps + 1), {
            "log_joint": joint,
            "wrong_pixels": float(((p > 0.5) != X).sum(axis=1).mean()),
            "units_on": float(H.mean()),
            "flips": float(found.done[:, 1].mean()),
            "sweeps": float(found.done[:, 0].mean() / self.n_h),
        }

    def validate(self, state: NoisyOrState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the mean log joint (the score), wrong pixels and dead units of held-out images, by ICM."""
        H = self.infer(state, X).H
        joint = float(model.log_joint(state.params, NOISY_OR.name, X, H).mean())
        wrong = NOISY_OR.most_probable(model.activation(state.params, H)) != X
        return {
            "score": joint,
            "log_joint": joint,
            "wrong_pixels": float(wrong.sum(axis=1).mean()),
            "dead_units": float((~H.any(axis=0)).sum()),
        }

    def encode(self, state: NoisyOrState, X: NDArray) -> NDArray[np.uint8]:
        """Return MAP states by ICM; shape (n, n_h)."""
        return self.infer(state, X).H

    def encode_factorised(self, state: NoisyOrState, X: NDArray) -> NDArray[np.uint8]:
        """Return the more probable state of each unit given x and all others off; shape (n, n_h)."""
        off = np.zeros((len(X), len(state.d)), np.uint8)
        return (conditional_log_odds(state.params, X.astype(np.float64), off) > 0).astype(np.uint8)

    def decode(self, state: NoisyOrState, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of `H`."""
        return NOISY_OR.mean(model.activation(state.params, H))

    def sample(self, state: NoisyOrState, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images by ancestral sampling."""
        return model.sample_visible(
            state.params, NOISY_OR.name, model.sample_prior(state.params, n, rng), rng
        )

    def with_parameters(self, state: NoisyOrState, parameters: Mapping[str, NDArray]) -> NoisyOrState:
        """Return the state with these parameters, or the nearest that are possible."""
        return NoisyOrState(*possible(**parameters), state.n_steps)


_EM = fields_of(NoisyOrEM)


@documented
@dataclass(eq=False, repr=False)
class NoisyOrNetwork(LatentModel):
    """Network of noisy-or units, learned by hard EM: latents can only turn pixels on.

    A directed model with binary latents, as an LRBN, for causes that cannot prevent what they do not cause,
    such as diseases and their symptoms. A pixel that is on is explained by any of its causes, and the others
    are explained away. A pixel that is off speaks against each of its causes, whatever the others.

    Attributes
    ----------
    params_ : LayerParams
        W (n_v, n_h) at or above 0, b (n_v,) above 0, d (n_h,).

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.catalog.SYSTEMS["Noisy-or network"](8, n_iter=5, random_state=0).fit(X)
    >>> model.transform(X).shape
    (200, 8)
    """

    visible_units: ClassVar[str] = NOISY_OR.name
    short: ClassVar[str] = "Noisy-or net"
    score_name: ClassVar[str] = Layered.score_name
    score_title: ClassVar[str] = Layered.score_title
    takes_unknown: ClassVar[bool] = True
    supports_restarts: ClassVar[bool] = True
    draws_passes: ClassVar[bool] = True
    methods: ClassVar[Mapping[str, str]] = METHODS
    pooled_methods: ClassVar[frozenset[str]] = frozenset(METHODS)
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = TRACE_METHODS
    trace_options: ClassVar[frozenset[str]] = Layered.trace_options
    starts: ClassVar[Mapping[str, str]] = {name: Layered.starts[name] for name in get_args(Start)}
    likelihoods: ClassVar[tuple[str, ...]] = ("exact", "map_bound", "csl", "importance")

    n_components: int = declare(_EM["n_h"])
    _: KW_ONLY
    visible: Literal["bernoulli"] = declare(BINARY_VISIBLE, "bernoulli")
    init: Start = declare(_EM["start"])
    learning_rate: float = declare(_EM["learning_rate"])
    decay_steps: float = declare(_EM["decay_steps"])
    max_sweeps: int = declare(_EM["max_sweeps"])
    average: float = declare(_EM["average"])
    patience: int | None = declare(PATIENCE, 5)

    def make_system(self) -> NoisyOrEM:
        """Return the training system, with the current settings."""
        return NoisyOrEM(self.n_components, self.init, **self._shared_with(NoisyOrEM))

    def state_from(self, params: LayerParams, rng: np.random.Generator) -> NoisyOrState:
        """Return a state of training that begins at given parameters."""
        return NoisyOrState(*params)

    def _set_params(self, params: LayerParams) -> None:
        if params.W.min() < 0.0 or params.b.min() < SMALLEST_LEAK:
            raise ValueError(
                f"expected W at or above 0 and b at least {SMALLEST_LEAK}, as of noisy-or units; got a "
                f"smallest W of {params.W.min()} and a smallest b of {params.b.min()}."
            )
        super()._set_params(params)

    # -- inference

    def infer(
        self,
        X: ArrayLike,
        *,
        method: Method = "icm",
        n_sweeps: int = ANNEALED_SWEEPS,
        random_state: Any = 0,
        pool: Pool | None = None,
    ) -> tuple[NDArray, ...]:
        """Return the inferred states of the latents; (n, n_h) uint8.

        Parameters are those of :meth:`lrbn_viz.LRBN.infer`: "icm" ends in a local optimum of ``log P(x, h)``,
        "annealed" in one after `n_sweeps` sweeps of annealing, "gibbs" after so many of Gibbs sampling.
        """
        check_choice(method, "method", get_args(Method))
        images = self.check_images(X)
        check_integer(n_sweeps, "n_sweeps", 1)
        climb = np.zeros(self.max_sweeps)
        temperatures = {
            "icm": climb,
            "annealed": np.concatenate([cooling(n_sweeps), climb]),
            "gibbs": np.ones(n_sweeps),
        }[method]
        how = (generator(random_state), self.layers[0], self.init, temperatures)
        return (np.concatenate(map_images(NoisyOrNetwork._states, images, *how, pool=pool)),)

    @staticmethod
    def _states(
        images: NDArray, rng: np.random.Generator, params: LayerParams, start: Start, temperatures: NDArray
    ) -> NDArray[np.uint8]:
        """Return the states of a piece of checked images."""
        return infer(params, images, start, temperatures, rng).H

    def map_trace(
        self,
        x: ArrayLike,
        *,
        init: Start | ArrayLike | None = None,
        clamp: Mapping[int, int] | None = None,
        order: Order = "sequential",
        temperature: float | Sequence[float] = 0.0,
        max_sweeps: int | None = None,
        random_state: Any = None,
    ) -> ICMTrace:
        """Infer one image's latents and record every visit, as :meth:`lrbn_viz.LRBN.map_trace` does.

        Parameters have the same meaning; `init` is "zeros", "conditional", "random" or an array (n_h,).
        """
        image = self.check_image(x)
        check_choice(order, "order", get_args(Order))
        visits: Any = {"temperature": temperature, "max_sweeps": max_sweeps, "clamp": clamp}
        start, temperatures, held = checked_visits(self, get_args(Start), init, order, **visits)
        n = len(temperatures) * (self.n_latents_ - len(held))
        how: Any = {"order": order, "held": held, "n_recorded": n}
        found = infer(self.layers[0], image[None], start, temperatures, generator(random_state), **how)
        columns = {name: c[: found.done[0, 0]].copy() for name, c in found.record._asdict().items()}
        return ICMTrace(
            x=self._shown(image),
            h0=found.H0[0],
            log_joint0=float(self.joint(image[None], (found.H0,))[0]),
            converged=bool(found.done[0, 2]),
            visible=NOISY_OR.name,
            model="directed",
            sampled=bool((temperatures[columns["sweep"]] > 0).any()),
            at_once=order == "parallel",
            **self.layers[0]._asdict(),
            **columns,
        )

    def map_states(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return the states that ICM finds, after `n_sweeps` of annealing if any."""
        temperatures = np.concatenate([cooling(n_sweeps), np.zeros(1000)])
        return (infer(self.layers[0], X, self.init, temperatures, rng).H,)

    def climb(self, x: NDArray, starts: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return where ICM ends from each row of `starts` (n, n_h)."""
        images, long_enough = np.tile(x, (len(starts), 1)), np.zeros(10_000)
        return infer(self.layers[0], images, starts, long_enough, np.random.default_rng(0)).H

    def start_states(self, x: NDArray) -> dict[str, NDArray[np.uint8]]:
        """Return the starts that draw nothing, and all units on."""
        return {"conditional": self.map_trace(x, init="conditional", max_sweeps=0).h0} | super().start_states(
            x
        )

    def _probabilities(
        self, X: ArrayLike, *, n_sweeps: int = GIBBS_SWEEPS
    ) -> tuple[NDArray[np.float64], ...]:
        """Return P(h_j = 1 | x): exactly up to 16 latents, else means over `n_sweeps` of Gibbs sampling.

        Each sweep adds the probability with which every latent would be drawn given the others.
        """
        images = self.check_images(X)
        check_integer(n_sweeps, "n_sweeps", 1)
        if self.n_latents_ <= MAX_EXACT_INTERACTIVE:
            return (np.array([self.exact_posterior(x).marginals for x in images]),)
        rng, (params,) = np.random.default_rng(0), self.layers
        (H,) = self.map_states(images, 0, rng)
        total = np.zeros(H.shape)
        for _ in range(n_sweeps):
            H = infer(params, images, H, np.ones(1), rng).H
            total += sigmoid(conditional_log_odds(params, images, H))
        return (total / n_sweeps,)

    # -- probabilities

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return the normalised ``log P(x, h)`` of each pair of rows, nats; (n,)."""
        return model.log_joint(self.layers[0], NOISY_OR.name, X, H[0])

    def exact_posterior(self, x: NDArray) -> ExactPosterior:
        """Return P(h | x) by enumeration; ValueError for more than 20 latents."""
        if self.n_latents_ > MAX_EXACT:
            return super().exact_posterior(x)
        H = states(self.n_latents_)
        parts = [H[first : first + STATES_AT_A_TIME] for first in range(0, len(H), STATES_AT_A_TIME)]
        X = np.broadcast_to(x, (STATES_AT_A_TIME, len(x)))
        return summarise(np.concatenate([self.joint(X[: len(part)], (part,)) for part in parts]))

    def conditional_log_odds(self, X: NDArray, H: Sequence[NDArray]) -> tuple[NDArray[np.float64], ...]:
        """Return ``logit P(h_j = 1 | x, h_-j)`` of each latent; (n, n_h)."""
        return (conditional_log_odds(self.layers[0], X, H[0]),)

    def log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> LogOddsTerms:
        """Return the terms of a unit's log-odds: units that are off are its threshold."""
        return NOISY_OR.log_odds_terms(*self.layers[0], x, h, j)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return ``max_h log P(x, h)`` as ICM finds it, nats: a bound below ``log P(x)``; (n,).

        It compares with the scores of LRBNs on the same images.
        """
        return self.log_joint(X, self.infer(X))

    # -- generation

    def pass_probabilities(self, x: NDArray | None) -> NDArray[np.float64]:
        """Return P(h_j = 1) of the prior, whatever image was drawn before."""
        return sigmoid(self.layers[0].d)

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log P(x, h)`` from ``a = W h + b``, in its precision, and ``prior = d'h``."""
        return NOISY_OR.log_best(a) + prior - softplus(self.layers[0].d).sum()
