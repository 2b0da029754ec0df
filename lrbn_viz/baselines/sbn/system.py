"""Learning a sigmoid belief network together with its recognition network: what all methods share.

A step draws K particles ``h_k ~ q(h | x)`` for each image and goes up

    sum_k g_k grad log P(x, h_k)        for the generative network (W, b, d),
    sum_k s_k grad log q(h_k | x)       for the recognition network (V, c),

to which methods with a sleep phase add ``grad log q(h | x)`` on pairs (h, x) that the generative network has
drawn. A method is the two factors, g and s, that it gives a particle: its `credit`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.baselines.sbn.kernels import credit
from lrbn_viz.baselines.sbn.model import SBNParams
from lrbn_viz.baselines.sbn.optimiser import Arrays, Optimiser, ascend, begin
from lrbn_viz.baselines.sbn.particles import (
    Particles,
    Weights,
    Workspace,
    as_floats,
    draw_particles,
    dream,
    recognise,
)
from lrbn_viz.baselines.sbn.settings import (
    BINARY_VISIBLE,
    GENERATIVE_RATE,
    MOMENTUM,
    OPTIMISER,
    PARTICLES,
    RECOGNITION_RATE,
)
from lrbn_viz.fields import check_fields, declare
from lrbn_viz.kernels.numerics import one_blas_thread, run_kernel, sigmoid
from lrbn_viz.system import System
from lrbn_viz.training.settings import (
    DECAY_STEPS,
    LATENT_UNITS,
    LEARNING_RATE,
    LEARNING_RATE_END,
    check_one_fall,
    rate_at,
)

N_JUDGED = 20
"""Particles per held-out image, of every method: so are their validation scores the same bound."""

TOGETHER = 100
"""Images that are judged at a time."""

Scalars = tuple[float, ...]


class SBNState(NamedTuple):
    """Parameters and what the optimiser carries from step to step; never modified after creation.

    Attributes
    ----------
    W, b, d, V, c
        As in :class:`~lrbn_viz.baselines.sbn.model.SBNParams`, in single precision.
    extra : tuple of float32 arrays
        Whatever else a method learns: NVIL's baseline.
    first, second : tuples of float32 arrays
        Running means of the gradients and of their squares, of all of these; momentum has no squares.
    running : tuple of float
        Running means of numbers that a method carries on.
    n_steps : int
        Steps taken.
    carried : tuple of arrays
        What a method carries on beside these, which goes up no gradient: how unsure weights are.
    """

    W: NDArray[np.float32]
    b: NDArray[np.float32]
    d: NDArray[np.float32]
    V: NDArray[np.float32]
    c: NDArray[np.float32]
    extra: Arrays
    first: Arrays
    second: Arrays
    running: Scalars
    n_steps: int
    carried: tuple[NDArray, ...] = ()

    @property
    def learned(self) -> Arrays:
        """All arrays that a step changes, in the order of their gradients."""
        return (*self[:5], *self.extra)


class Credit(NamedTuple):
    """What a method gives its particles.

    Attributes
    ----------
    generative : (n, K)
        g_k, the factor of ``grad log P(x, h_k)``.
    recognition : (n, K)
        s_k, the factor of ``grad log q(h_k | x)``.
    extra : tuple of arrays
        Gradients of what else the method learns, up which it goes.
    running : tuple of float
        New running means.
    figures : mapping
        What the method says of the step.
    """

    generative: NDArray
    recognition: NDArray
    extra: Arrays = ()
    running: Scalars = ()
    figures: Mapping[str, float] = MappingProxyType({})


class Learned(NamedTuple):
    """What a step has learned of its minibatch.

    Attributes
    ----------
    gradients : tuple of float32 arrays
        Mean gradient over the batch with respect to each array of `SBNState.learned`.
    running : tuple of float
        New running means.
    figures : mapping
        What is to be said of the step.
    carried : tuple of arrays
        What the method carries on.
    """

    gradients: Arrays
    running: Scalars
    figures: Mapping[str, float]
    carried: tuple[NDArray, ...] = ()


@dataclass(frozen=True)
class NetworkSystem(System[SBNState]):
    """How a sigmoid belief network is trained beside a recognition network; a method fills in `learn`."""

    n_h: int = declare(LATENT_UNITS, 200)
    visible: Literal["bernoulli"] = declare(BINARY_VISIBLE, "bernoulli")
    optimiser: Optimiser = declare(OPTIMISER, "momentum")
    learning_rate: float = declare(LEARNING_RATE, 0.1)
    momentum: float = declare(MOMENTUM, 0.95)
    decay_steps: float = declare(DECAY_STEPS, np.inf)
    learning_rate_end: float | None = declare(LEARNING_RATE_END, None)
    recognition_rate: float = declare(RECOGNITION_RATE, 1.0)
    work: Workspace = field(default_factory=Workspace, compare=False, repr=False)
    """Arrays that every step fills again."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_one_fall(self.learning_rate_end, self.decay_steps)

    # -- what a method says

    @abstractmethod
    def learn(self, state: SBNState, X: NDArray[np.float32], rng: np.random.Generator) -> Learned:
        """Return the gradients of a minibatch (n, n_v), of images in the workspace, and figures of it."""

    def init_extra(self, n_v: int, rng: np.random.Generator) -> tuple[Arrays, Scalars]:
        """Return what else the method learns and the running means that it carries on, before training."""
        return (), ()

    # -- training

    def init(self, X: NDArray, rng: np.random.Generator) -> SBNState:
        """Return small random weights, offsets b that fit the mean of X with half of the latents on.

        Weights of both networks are normal with variance ``2 / (n_v + n_h)`` (Glorot and Bengio, 2010).
        """
        n_v = X.shape[1]
        on = (X.sum(axis=0, dtype=np.float64) + 1.0) / (len(X) + 2)  # as an on and an off image more
        W, V = np.sqrt(2.0 / (n_v + self.n_h)) * rng.standard_normal((2, n_v, self.n_h))
        b = np.log(on) - np.log1p(-on) - 0.5 * W.sum(axis=1)
        params = SBNParams(W, b, np.zeros(self.n_h), V, -V.T @ on)
        return self.resume(params, rng)

    def resume(self, params: SBNParams, rng: np.random.Generator) -> SBNState:
        """Return a state that begins at given parameters, with nothing in its running means."""
        # The optimiser fills arrays as they lie in memory, row by row.
        W, b, d, V, c = (np.array(array, np.float32, order="C") for array in params)
        extra, running = self.init_extra(params.n_v, rng)
        first, second = begin(self.optimiser, (W, b, d, V, c, *extra))
        return SBNState(W, b, d, V, c, extra, first, second, running, 0)

    def step(
        self,
        state: SBNState,
        batch: NDArray,
        rng: np.random.Generator,
        memory: NDArray[np.uint8] | None = None,
    ) -> tuple[SBNState, dict[str, float]]:
        """Return the state after one step up the gradients, and figures about it.

        Figures: ``learning_rate``, and those of the method.

        Raises
        ------
        FloatingPointError
            A parameter is no longer finite.
        """
        with one_blas_thread():
            return self._step(state, batch, rng)

    def _step(
        self, state: SBNState, batch: NDArray, rng: np.random.Generator
    ) -> tuple[SBNState, dict[str, float]]:
        """Do what :meth:`step` does."""
        learned = self.learn(state, as_floats(batch, self.work), rng)
        figures = {**learned.figures, "learning_rate": self._rate(state.n_steps)}
        rate, (generative, recognition) = self._rate(state.n_steps), self._shares
        rates = [rate * share for share in (*(3 * [generative]), *(2 * [recognition]))]
        rates += [rates[-1]] * len(state.extra)
        with np.errstate(over="ignore", invalid="ignore"):  # `total` tells
            taken = ascend(
                self.optimiser,
                state.learned,
                learned.gradients,
                state.first,
                state.second,
                rates,
                self.momentum,
                state.n_steps,
            )
        if not math.isfinite(taken.total):
            raise FloatingPointError(
                f"a parameter is not finite after step {state.n_steps + 1}, learning rate "
                f"{figures['learning_rate']:.3g}; use a smaller learning rate."
            )
        W, b, d, V, c, *extra = taken.values
        carried = taken.first, taken.second, learned.running, state.n_steps + 1, learned.carried
        new = SBNState(W, b, d, V, c, tuple(extra), *carried)
        return new, figures

    @property
    def _shares(self) -> tuple[float, float]:
        """Shares of the learning rate that the generative and the recognition network have."""
        return 1.0, self.recognition_rate

    def _rate(self, n_steps: int) -> float:
        """Return the learning rate after so many steps."""
        return self.learning_rate / (1.0 + n_steps / self.decay_steps)

    @property
    def planned(self) -> tuple[str, ...]:
        """Settings that need to know how many steps the run has."""
        return () if self.learning_rate_end is None else ("learning_rate_end",)

    def at(self, share: float) -> Self:
        """Return this with the learning rate that it has after a share of all steps but the last."""
        if self.learning_rate_end is None:
            return self
        rate = rate_at(share, self.learning_rate, self.learning_rate_end)
        return replace(self, learning_rate=rate, learning_rate_end=None)

    # -- what is asked of it

    def parameters(self, state: SBNState) -> dict[str, NDArray]:
        """Return W, b, d, V and c."""
        return dict(zip(SBNParams._fields, state[:5], strict=True))

    def gradient_norm(self, before: SBNState, after: SBNState) -> float:
        """Return the size of one step's change of all parameters, per unit of learning rate."""
        return super().gradient_norm(before, after) / self._rate(before.n_steps)

    def bounds(self, state: SBNState, X: NDArray, n_particles: int, rng: np.random.Generator) -> Weights:
        """Return the weights of particles of each image, whose mean weights bound log P(x) from below."""
        with one_blas_thread():
            found = [
                draw_particles(
                    state, as_floats(X[first : first + TOGETHER], self.work), n_particles, rng, self.work
                ).log_weights.copy()
                for first in range(0, len(X), TOGETHER)
            ]
        return Weights(np.concatenate(found))

    def encode(self, state: SBNState, X: NDArray) -> NDArray[np.float32]:
        """Return the means of q(h | x) of each image; (n, n_h)."""
        return recognise(state, as_floats(X, self.work), self.work)[1].copy()

    def decode(self, state: SBNState, H: NDArray) -> NDArray[Any]:
        """Return the mean of x given each row of `H`; (n, n_v)."""
        return sigmoid(np.asarray(H) @ state.W.T + state.b)

    def sample(self, state: SBNState, n: int, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Draw n images by ancestral sampling; (n, n_v)."""
        return dream(state, n, rng, self.work).X.astype(np.uint8)


@dataclass(frozen=True)
class RecognitionSystem(NetworkSystem):
    """How both networks learn from particles that one of them draws; a method fills in `credit`."""

    n_particles: int = declare(PARTICLES, 5)
    generative_rate: float = declare(GENERATIVE_RATE, 1.0)

    # -- what a method says

    @abstractmethod
    def credit(self, state: SBNState, particles: Particles) -> Credit:
        """Return the factors of each particle in the gradients, for a batch of weighed particles."""

    @property
    def wakes(self) -> bool:
        """Whether the recognition network learns from particles of the data (wake)."""
        return True

    @property
    def sleeps(self) -> bool:
        """Whether the recognition network learns from what the generative network draws (sleep)."""
        return False

    # -- training

    @property
    def _shares(self) -> tuple[float, float]:
        """Shares of the learning rate that the generative and the recognition network have."""
        return self.generative_rate, self.recognition_rate

    def learn(self, state: SBNState, X: NDArray[np.float32], rng: np.random.Generator) -> Learned:
        """Return the gradients by the particles of a minibatch, and figures of it.

        Figures: ``bound``, the mean of ``log (1/K) sum_k w_k``; ``effective_sample_size``, the mean of
        ``(sum w)**2 / sum w**2``; ``activity``, the mean of q(h_j = 1 | x); and those of the method.
        """
        particles = draw_particles(state, X, self.n_particles, rng, self.work)
        weights = particles.weights
        figures = {
            "bound": float(weights.log_means.mean()),
            "effective_sample_size": float(weights.effective_sample_sizes.mean()),
            "activity": float(particles.means.mean()),
        }
        given = self.credit(state, particles)
        gradients = (*self.gradients(state, particles, given, rng), *given.extra)
        return Learned(gradients, given.running, {**figures, **given.figures})

    def gradients(
        self, state: SBNState, particles: Particles, given: Credit, rng: np.random.Generator
    ) -> Arrays:
        """Return the mean gradient over the batch with respect to W, b, d, V and c, in the workspace.

        Modified in place: the states of the particles.
        """
        X, H, means, residuals, log_weights = particles
        n, n_each = log_weights.shape
        work, n_v, n_h = self.work, X.shape[1], H.shape[1]
        generative, recognition = (np.asarray(each / n, np.float32) for each in given[:2])
        signal = work.array("signal", n, n_h)
        run_kernel(credit, H.size, H, generative, recognition, means, n_each, signal)
        along_W = np.matmul(residuals.T, H, out=work.array("along_W", n_v, n_h))
        along_b = generative.reshape(-1) @ residuals
        along_d = H.sum(axis=0) - generative.sum() * sigmoid(state.d)
        along_V = work.array("along_V", n_v, n_h)
        along_c = np.zeros(n_h, np.float32)
        if self.wakes:
            np.matmul(X.T, signal, out=along_V)
            along_c += signal.sum(axis=0)
        if self.sleeps:
            dreams = dream(state, n, rng, work)
            signal = np.divide(dreams.signal, n, out=dreams.signal)
            dreamt_V = np.matmul(dreams.X.T, signal, out=work.array("dreamt_V", n_v, n_h))
            along_V = np.add(along_V, dreamt_V, out=along_V) if self.wakes else dreamt_V
            along_c += signal.sum(axis=0)
        return along_W, along_b, along_d.astype(np.float32), along_V, along_c

    # -- what is asked of it

    def validate(self, state: SBNState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return figures on held-out images, of which ``score`` is to be high.

        ``score``: the bound on log P(x) by the mean weight of `N_JUDGED` particles, nats per image.
        ``variational_bound``: that of one, from the same particles. ``wrong_pixels``: of the likeliest image
        given the means.
        """
        weighed = self.bounds(state, X, N_JUDGED, rng)
        mean = self.decode(state, self.encode(state, X))
        return {
            "score": float(weighed.log_means.mean()),
            "variational_bound": float(weighed.log_weights.mean()),
            "wrong_pixels": float(((mean > 0.5) != X).sum(axis=1).mean()),
        }
