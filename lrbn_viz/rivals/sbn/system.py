"""Learning of a sigmoid belief network with its recognition network: the parts common to all methods.

A step draws K particles ``h_k ~ q(h | x)`` for each image and follows the gradients

    sum_k g_k grad log P(x, h_k)        for the generative network (W, b, d),
    sum_k s_k grad log q(h_k | x)       for the recognition network (V, c),

to which methods with a sleep phase add ``grad log q(h | x)`` on pairs (h, x) that the generative network has
drawn. A method is defined by the two factors, g and s, of each particle: its `credit`.

With two layers ``log P(x, h) = log P(x | h1) + log P(h1 | h2) + log P(h2)``, and ``q(h | x) = q(h1 | x) q(h2
| h1)``; g is the same for all layers, and s may differ. All layers are treated alike: the drawn states of the
lower layer are the images of the upper one. The code does not depend on there being two. Both networks of an
upper layer learn from states minus their means, which changes the direction of a step, but not its objective.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import check_fields, declare, each_layer
from lrbn_viz.core.system import N_SHOWN, Memory, PictureRow, Pictures, System
from lrbn_viz.kernels.numerics import one_blas_thread, run_kernel, sigmoid
from lrbn_viz.kernels.steps import falling_rate
from lrbn_viz.kernels.workspace import Workspace, layer_workspaces
from lrbn_viz.rivals.sbn.kernels import credit, subtract_outer
from lrbn_viz.rivals.sbn.model import LayerNetworks, layers_of, named_parameters, parameters_of
from lrbn_viz.rivals.sbn.optimiser import Arrays, Optimiser, ascend, begin
from lrbn_viz.rivals.sbn.particles import (
    Particles,
    Weights,
    as_floats,
    draw_particles,
    draw_states,
    dream_of,
    product_against,
    recognise,
)
from lrbn_viz.rivals.sbn.settings import (
    BINARY_VISIBLE,
    CENTRE_INPUTS,
    GENERATIVE_RATE,
    MOMENTUM,
    OPTIMISER,
    PARTICLES,
    RECOGNITION_RATE,
)
from lrbn_viz.training.settings import (
    DECAY_STEPS,
    LAYER_UNITS,
    LEARNING_RATE,
    LEARNING_RATE_END,
    FallingRate,
    check_finite,
    check_one_fall,
)

N_EVALUATION_SAMPLES = 20
"""Particles per held-out image; equal for all methods, so that their scores are the same bound."""

TOGETHER = 100
"""Number of images in a batch of an evaluation."""

PARTICLES_ROW = PictureRow(
    "particles",
    "an image of the last minibatch; then its particles, the heaviest first: P(x = 1) given each one's "
    "latents, and its share of the weight",
    "weight",
    "share",
)
DREAMS_ROW = PictureRow(
    "dreams", "images that the model draws, from which the recognition network learns while it sleeps"
)
RECOGNISED_ROW = PictureRow(
    "recognised",
    "P(x = 1) of the latents that the recognition network guesses of each dream, and its wrong pixels",
    "px wrong",
    "count",
)

Scalars = tuple[float, ...]


class SBNState(NamedTuple):
    """Parameters and the optimiser's running means; never modified after creation.

    Attributes
    ----------
    layers : tuple of LayerNetworks
        Both networks of each layer in single precision, the lowest first.
    baseline : tuple of float32 arrays
        Further parameters of a method: NVIL's baseline.
    gradient_mean, gradient_square : tuples of float32 arrays
        Running means of the gradients of all these arrays, and of their squares; momentum has no squares.
    signal_means : tuple of float
        Running means of scalars of a method.
    n_steps : int
        Steps taken.
    posterior : tuple of arrays
        Further arrays of a method that follow no gradient: the posterior of the weights beyond their means.
    """

    layers: tuple[LayerNetworks, ...]
    baseline: Arrays
    gradient_mean: Arrays
    gradient_square: Arrays
    signal_means: Scalars
    n_steps: int
    posterior: tuple[NDArray, ...] = ()

    @property
    def learned(self) -> Arrays:
        """All arrays that a step changes, in the order of their gradients."""
        return (*parameters_of(self.layers), *self.baseline)


class Credit(NamedTuple):
    """Weights that a method gives its particles in the gradients.

    Attributes
    ----------
    generative : (n, K)
        g_k, the factor of ``grad log P(x, h_k)``.
    recognition : (n, K)
        s_k, the factor of ``grad log q(h_k | x)``, of the lowest layer.
    baseline : tuple of arrays
        Gradients of the method's further parameters.
    signal_means : tuple of float
        New running means.
    figures : mapping
        Metrics of the step from the method.
    upper : tuple of (n, K) arrays
        s_k of each layer above; empty if they equal those of the lowest layer.
    """

    generative: NDArray
    recognition: NDArray
    baseline: Arrays = ()
    signal_means: Scalars = ()
    figures: Mapping[str, float] = MappingProxyType({})
    upper: tuple[NDArray, ...] = ()


class Centring(NamedTuple):
    """Weights from whose inputs a step subtracts the mean; the offsets compensate for it.

    With inputs that are on half of the time, the steps of all weights of a unit agree: together they change
    the unit's log-odds faster by a factor of the number of inputs, and with it any noise of the gradient.
    With centred inputs only the offset moves in that direction (Cho, Raiko and Ilin, 2011; Melchior, Fischer
    and Wiskott, 2016).

    Attributes
    ----------
    weights, offsets : int
        Indices in `SBNState.learned` of the weights (n_below, n_own), and of the offsets of the other units.
    mean : (n_own,) or (n_below,) float32
        Mean of the inputs: of the layer's own units if it generates the units below; of the units below if
        the layer is recognised from them.
    generative : bool
        True if the weights generate the units below.
    """

    weights: int
    offsets: int
    mean: NDArray[np.float32]
    generative: bool = False

    def centre(self, gradients: Sequence[NDArray[np.float32]]) -> None:
        """Make the gradient of the weights, in place, that for centred inputs."""
        along = gradients[self.offsets]
        a, b = (along, self.mean) if self.generative else (self.mean, along)
        subtract_outer(gradients[self.weights], a, b)

    def offset_of(self, change: NDArray[np.float32], offsets: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the offsets for uncentred inputs after a change of the weights."""
        moved = change @ self.mean if self.generative else self.mean @ change
        return np.asarray(offsets - moved, np.float32)


class Learned(NamedTuple):
    """Results of a step on its minibatch.

    Attributes
    ----------
    gradients : tuple of float32 arrays
        Mean gradient over the batch with respect to each array of `SBNState.learned`.
    signal_means : tuple of float
        New running means.
    figures : mapping
        Metrics of the step.
    posterior : tuple of arrays
        New values of `SBNState.posterior`.
    centrings : tuple of Centring
        Inputs of weights whose mean the step subtracts.
    """

    gradients: Arrays
    signal_means: Scalars
    figures: Mapping[str, float]
    posterior: tuple[NDArray, ...] = ()
    centrings: tuple[Centring, ...] = ()


def gradients_of(gradients: Sequence[LayerNetworks]) -> Arrays:
    """Return the gradients with respect to all layers in the order of `SBNState.learned`."""
    # Parameters that generate a layer from the one above contain the layer's offset instead of its prior.
    offsets = [each.b for each in gradients[1:]] + [gradients[-1].d]
    return parameters_of([each._replace(d=d) for each, d in zip(gradients, offsets, strict=True)])


def centrings_of(particles: Particles) -> tuple[Centring, ...]:
    """Return the centrings of both networks of each upper layer, with the means of its batch."""
    if particles.above is None:
        return ()
    means = [each.means.mean(axis=0) for each in particles.layers]
    found: list[Centring] = []
    for n, (below, own) in enumerate(pairwise(means)):
        first = 5 + 4 * n  # of the layer's W, d, V and c, as `parameters_of` has them
        offsets_below = first - 3 if n else 2
        found += [Centring(first, offsets_below, own, generative=True), Centring(first + 2, first + 3, below)]
    return tuple(found)


@dataclass(frozen=True)
class NetworkSystem(FallingRate, System[SBNState]):
    """Training of a sigmoid belief network with a recognition network; a method implements `learn`."""

    upper_weights_rate: ClassVar[float] = 1.0
    """Learning rate of the weights of an upper layer, as a share of the network's."""
    start_log_odds: ClassVar[float] = 0.0
    """Initial prior log-odds of the latents of a single layer, nats."""

    n_h: int | tuple[int, ...] = declare(LAYER_UNITS, 200)
    visible: Literal["bernoulli"] = declare(BINARY_VISIBLE, "bernoulli")
    optimiser: Optimiser = declare(OPTIMISER, "momentum")
    learning_rate: float = declare(LEARNING_RATE, 0.1)
    momentum: float = declare(MOMENTUM, 0.95)
    decay_steps: float = declare(DECAY_STEPS, np.inf)
    learning_rate_end: float | None = declare(LEARNING_RATE_END, None)
    recognition_rate: float = declare(RECOGNITION_RATE, 1.0)
    work: Workspace = field(default_factory=Workspace, compare=False, repr=False)
    """Arrays that every step reuses."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_one_fall(self.learning_rate_end, self.decay_steps)

    # -- implemented by each method

    @abstractmethod
    def learn(self, state: SBNState, X: NDArray[np.float32], rng: np.random.Generator) -> Learned:
        """Return the gradients and the figures of a minibatch (n, n_v) of images in the workspace."""

    def init_baseline(self, n_v: int, rng: np.random.Generator) -> tuple[Arrays, Scalars]:
        """Return the method's further parameters and running means, before training."""
        return (), ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Latents of each layer, the lowest first."""
        return each_layer(self.n_h)

    def centre_of(self, X: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """Return the vector (n_v,) that a step subtracts from each image (n, n_v) of the recognition network.

        The offsets compensate for it, so that the network's function stays the same; only the direction of
        the step changes. None subtracts nothing.
        """
        return None

    # -- training

    def init(self, X: NDArray, rng: np.random.Generator) -> SBNState:
        """Return small random weights, and offsets b that fit the mean of X at the latents' prior means.

        Generative weights are normal with variance ``2 / (n_v + n_h)`` (Glorot and Bengio, 2010), and the
        recognition network has the same: to first order in W the log-odds of ``P(h | x)`` are ``d + W'(x -
        mean x)``. Independent weights would be unrelated to the posterior, and the initial bound of 200
        latents over 200 would be 6 nats lower. With several layers half of the latents of each are on, and
        an upper layer is initialised in the same way.
        """
        n_v, lowest = X.shape[1], self.sizes[0]
        start = np.float64(self.start_log_odds if len(self.sizes) == 1 else 0.0)
        on = (X.sum(axis=0, dtype=np.float64) + 1.0) / (len(X) + 2)  # one further image on and one off
        W = np.sqrt(2.0 / (n_v + lowest)) * rng.standard_normal((n_v, lowest))
        b = np.log(on) - np.log1p(-on) - sigmoid(start) * W.sum(axis=1)
        layers = [LayerNetworks(W, b, np.full(lowest, start), W, start - W.T @ on)]
        for below, own in pairwise(self.sizes):
            W = np.sqrt(2.0 / (below + own)) * rng.standard_normal((below, own))
            layers[-1] = layers[-1]._replace(d=-0.5 * W.sum(axis=1))
            layers.append(LayerNetworks(W, layers[-1].d, np.zeros(own), W, -0.5 * W.sum(axis=0)))
        return self.resume(layers, rng)

    def resume(self, layers: Sequence[LayerNetworks], rng: np.random.Generator) -> SBNState:
        """Return a state with the given parameters and running means of zero."""
        # The optimiser fills arrays as they lie in memory, row by row.
        learned = tuple(np.array(array, np.float32, order="C") for array in parameters_of(layers))
        baseline, signal_means = self.init_baseline(layers[0].n_v, rng)
        means, squares = begin(self.optimiser, (*learned, *baseline))
        return SBNState(layers_of(learned), baseline, means, squares, signal_means, 0)

    def step(
        self, state: SBNState, batch: NDArray, rng: np.random.Generator, memory: Memory = None
    ) -> tuple[SBNState, dict[str, float]]:
        """Return the state after one step along the gradients, and the step's figures.

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
        """Implement :meth:`step`."""
        X = as_floats(batch, self.work)
        mean = self.centre_of(X)
        learned = self.learn(state, X, rng)
        gradients = learned.gradients
        centrings = learned.centrings if mean is None else (Centring(3, 4, mean), *learned.centrings)
        for each in centrings:
            each.centre(gradients)
        rate, (generative, recognition) = self._rate(state.n_steps), self._shares
        figures = {**learned.figures, "learning_rate": rate}
        before = state.learned
        weights = generative * self.upper_weights_rate, recognition * self.upper_weights_rate
        of_upper = (len(state.layers) - 1) * [weights[0], generative, weights[1], recognition]
        of_baseline = len(state.baseline) * [recognition]
        shares = [*(3 * [generative]), *(2 * [recognition]), *of_upper, *of_baseline]
        rates = [rate * share for share in shares]
        with np.errstate(over="ignore", invalid="ignore"):  # `total` tells
            taken = ascend(
                self.optimiser,
                before,
                gradients,
                state.gradient_mean,
                state.gradient_square,
                rates,
                self.momentum,
                state.n_steps,
            )
        check_finite(taken.total, state.n_steps + 1, rate)
        values = list(taken.values)
        for each in centrings:
            change = values[each.weights] - before[each.weights]
            values[each.offsets] = each.offset_of(change, values[each.offsets])
        n = len(values) - len(state.baseline)
        means = taken.first, taken.second, learned.signal_means
        after = SBNState(
            layers_of(values[:n]), tuple(values[n:]), *means, state.n_steps + 1, learned.posterior
        )
        return after, figures

    @property
    def _shares(self) -> tuple[float, float]:
        """Factors on the learning rate of the generative and of the recognition network."""
        return 1.0, self.recognition_rate

    def _rate(self, n_steps: int) -> float:
        """Return the learning rate after so many steps."""
        return falling_rate(float(self.learning_rate), float(self.decay_steps), n_steps)

    # -- inference and evaluation

    def parameters(self, state: SBNState) -> dict[str, NDArray]:
        """Return W, b, d, V and c, and of a second layer U, e, V2 and c2."""
        return named_parameters(state.layers)

    def with_parameters(self, state: SBNState, parameters: Mapping[str, NDArray]) -> SBNState:
        """Return the state with some of its parameters replaced."""
        arrays = self.parameters(state) | dict(parameters)
        return state._replace(layers=layers_of(tuple(arrays.values())))

    def gradient_norm(self, before: SBNState, after: SBNState) -> float:
        """Return the size of one step's change of all parameters, per unit of learning rate."""
        return super().gradient_norm(before, after) / self._rate(before.n_steps)

    def bounds(self, state: SBNState, X: NDArray, n_particles: int, rng: np.random.Generator) -> Weights:
        """Return the particles' weights, whose log mean is a lower bound on log P(x) of each image."""
        with one_blas_thread():
            found = [
                self.draw(
                    state, as_floats(X[first : first + TOGETHER], self.work), n_particles, rng
                ).log_weights.copy()
                for first in range(0, len(X), TOGETHER)
            ]
        return Weights(np.concatenate(found))

    def draw(
        self, state: SBNState, X: NDArray[np.float32], n_particles: int, rng: np.random.Generator
    ) -> Particles:
        """Draw particles of all layers for each image of the workspace, and weigh them."""
        lowest, *upper = state.layers
        return draw_particles(lowest, X, n_particles, rng, self.work, upper)

    def encode(self, state: SBNState, X: NDArray) -> NDArray[np.float32]:
        """Return the means of q(h | x) of each image; (n, n_h).

        With two layers, the means of the upper one given those of the lower one follow; (n, n_h + n_top).
        """
        means, work = [as_floats(X, self.work)], self.work
        for networks in state.layers:
            means.append(recognise(networks, means[-1], work)[1])
            work = work.above
        return means[1].copy() if len(means) == 2 else np.hstack(means[1:])

    def decode(self, state: SBNState, H: NDArray) -> NDArray[Any]:
        """Return the mean of x given each row of latents, which depends on those of the lowest layer only;
        (n, n_v).
        """
        low = state.layers[0]
        return sigmoid(np.asarray(H)[:, : low.n_h] @ low.W.T + low.b)

    def sample(self, state: SBNState, n: int, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Draw n images by ancestral sampling; (n, n_v)."""
        layers = state.layers
        works = layer_workspaces(self.work, len(layers))
        H = draw_states("dreamt_H", layers[-1].d[None], n, rng, works[-1])
        for networks, work in zip(reversed(layers), reversed(works), strict=True):
            H = dream_of(networks, H, rng, work).X
        return H.astype(np.uint8)


@dataclass(frozen=True)
class RecognitionSystem(NetworkSystem):
    """Training of both networks from particles that one of them draws; a method implements `credit`.

    An upper layer sees drawn states, which are noisier than pixels and often more. Its weights learn at 0.3
    of the rate: of held-out digits and bars two layers reach as much or more, and where there is nothing to
    learn, their weights gather a tenth as much noise.
    """

    upper_weights_rate: ClassVar[float] = 0.3

    n_particles: int = declare(PARTICLES, 5)
    generative_rate: float = declare(GENERATIVE_RATE, 1.0)
    centre_inputs: bool = declare(CENTRE_INPUTS, False)

    # -- implemented by each method

    @abstractmethod
    def credit(self, state: SBNState, particles: Particles) -> Credit:
        """Return the factors of each particle in the gradients, for a batch of weighed particles."""

    @property
    def wakes(self) -> bool:
        """True if the recognition network learns from particles of the data (wake)."""
        return True

    @property
    def sleeps(self) -> bool:
        """True if the recognition network learns from samples of the generative network (sleep)."""
        return False

    # -- training

    def centre_of(self, X: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """Return the mean of a minibatch, if inputs are centred; (n_v,)."""
        return X.mean(axis=0) if self.centre_inputs else None

    @property
    def _shares(self) -> tuple[float, float]:
        """Factors on the learning rate of the generative and of the recognition network."""
        return self.generative_rate, self.recognition_rate

    def learn(self, state: SBNState, X: NDArray[np.float32], rng: np.random.Generator) -> Learned:
        """Return the gradients from the particles of a minibatch, and the minibatch's figures.

        Figures: ``bound``, the mean of ``log (1/K) sum_k w_k``; ``effective_sample_size``, the mean of
        ``(sum w)**2 / sum w**2``; ``activity``, the mean of q(h_j = 1 | x); and those of the method.
        """
        particles = self.draw(state, X, self.n_particles, rng)
        weights = particles.weights
        figures = {
            "bound": float(weights.log_means.mean()),
            "effective_sample_size": float(weights.effective_sample_sizes.mean()),
            "activity": float(particles.means.mean()),
        }
        if particles.above is not None:
            figures["upper_activity"] = float(particles.above.means.mean())
        given, centrings = self.credit(state, particles), centrings_of(particles)
        gradients = (*self.gradients(state, particles, given, rng), *given.baseline)
        return Learned(gradients, given.signal_means, {**figures, **given.figures}, centrings=centrings)

    def gradients(
        self, state: SBNState, particles: Particles, given: Credit, rng: np.random.Generator
    ) -> Arrays:
        """Return the mean gradient over the batch with respect to W, b, d, V and c, in the workspace.

        With two layers, those with respect to U, e, V2 and c2 follow. Modified in place: the states of the
        particles.
        """
        layers, stack = state.layers, particles.layers
        works = layer_workspaces(self.work, len(stack))
        n = len(particles.X)
        generative = np.asarray(given.generative / n, np.float32)
        shares = (given.recognition, *(given.upper or (len(stack) - 1) * (given.recognition,)))
        found: list[LayerNetworks] = []
        # From the top: the states of a layer, which its own gradient scales, are the images of the next one.
        for networks, drawn, share, work in reversed(list(zip(layers, stack, shares, works, strict=True))):
            shape = drawn.log_weights.shape
            recognition = np.asarray(share / n, np.float32).reshape(shape)
            found.insert(0, self._awake(networks, drawn, generative.reshape(shape), recognition, work))
        if self.sleeps:
            H = draw_states("dreamt_H", layers[-1].d[None], n, rng, works[-1])
            for depth in reversed(range(len(layers))):
                H, found[depth] = self._asleep(layers[depth], H, found[depth], rng, works[depth])
        return gradients_of(found)

    def _awake(
        self,
        networks: LayerNetworks,
        particles: Particles,
        generative: NDArray[np.float32],
        recognition: NDArray[np.float32],
        work: Workspace,
    ) -> LayerNetworks:
        """Return the gradients of one layer; the factors of its particles are (n, K)."""
        X, H, means, residuals, log_weights, _, on = particles
        n, n_each = log_weights.shape
        n_v, n_h = X.shape[1], H.shape[1]
        signal = work.array("signal", n, n_h)
        run_kernel(credit, H.size, H, generative, recognition, means, n_each, signal)
        along_W = np.matmul(residuals.T, H, out=work.array("along_W", n_v, n_h))
        along_b = generative.reshape(-1) @ residuals
        along_d = H.sum(axis=0) - generative.sum() * sigmoid(networks.d)
        along_V = work.array("along_V", n_v, n_h)
        along_c = np.zeros(n_h, np.float32)
        if self.wakes:
            product_against(X, on, signal, along_V)
            along_c += signal.sum(axis=0)
        return LayerNetworks(along_W, along_b, along_d.astype(np.float32), along_V, along_c)

    def _asleep(
        self,
        networks: LayerNetworks,
        H: NDArray[np.float32],
        awake: LayerNetworks,
        rng: np.random.Generator,
        work: Workspace,
    ) -> tuple[NDArray[np.float32], LayerNetworks]:
        """Return the samples of one layer from latents `H`, which are modified, and their gradients."""
        n, n_v, n_h = len(H), len(networks.b), len(networks.c)
        dreams = dream_of(networks, H, rng, work)
        signal = np.divide(dreams.signal, n, out=dreams.signal)
        dreamt_V = product_against(dreams.X, dreams.on, signal, work.array("dreamt_V", n_v, n_h))
        along_V = np.add(awake.V, dreamt_V, out=awake.V) if self.wakes else dreamt_V
        return dreams.X, awake._replace(V=along_V, c=awake.c + signal.sum(axis=0))

    # -- inference and evaluation

    @property
    def picture_rows(self) -> tuple[PictureRow, ...]:
        """Particles where there are several, dreams where the recognition network learns from them."""
        return (
            *((PARTICLES_ROW,) if self.n_particles > 1 else ()),
            *((DREAMS_ROW, RECOGNISED_ROW) if self.sleeps else ()),
        )

    def pictures(
        self, state: SBNState, X: NDArray, seen: NDArray, rng: np.random.Generator
    ) -> tuple[Pictures, ...]:
        """Return an image's particles by weight, and dreams with the recognition network's means for them."""
        found = []
        if self.n_particles > 1:
            found.append(self._particles_of(state, seen, rng))
        if self.sleeps:
            dreams = self.sample(state, N_SHOWN, rng)
            with one_blas_thread():
                again = self.decode(state, self.encode(state, dreams))
            wrong = ((again > 0.5) != dreams).sum(axis=1)
            found += [Pictures(dreams, np.full(N_SHOWN, np.nan)), Pictures(again, wrong.astype(np.float64))]
        return tuple(found)

    def _particles_of(self, state: SBNState, x: NDArray, rng: np.random.Generator) -> Pictures:
        """Return an image (1, n_v), and after it its heaviest particles with their shares of the weight."""
        with one_blas_thread():
            drawn = self.draw(state, as_floats(x, self.work), self.n_particles, rng)
            shares = drawn.weights.shares[0]
            heaviest = np.argsort(-shares, kind="stable")[: N_SHOWN - 1]
            means = self.decode(state, drawn.H[heaviest])
        return Pictures(np.vstack([x, means]), np.append(np.nan, shares[heaviest]))

    def validate(self, state: SBNState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return metrics of held-out images; a higher ``score`` is better.

        ``score``: the bound on log P(x) by the mean weight of `N_EVALUATION_SAMPLES` particles, nats per
        image. ``variational_bound``: the bound by one particle, from the same ones. ``wrong_pixels``:
        wrong pixels of the most probable image given the means.
        """
        weighed = self.bounds(state, X, N_EVALUATION_SAMPLES, rng)
        mean = self.decode(state, self.encode(state, X))
        return {
            "score": float(weighed.log_means.mean()),
            "variational_bound": float(weighed.log_weights.mean()),
            "wrong_pixels": float(((mean > 0.5) != X).sum(axis=1).mean()),
        }
