"""Deep belief networks behind the System protocol: greedy learning of two RBMs, then the up-down algorithm.

The three stages follow each other within one run, each for a share of its steps:

1. The lower layer learns as an RBM of x and h. Until this stage ends, the prior of h needs no
   learning: if the upper layer has as many units as x, it is the first RBM upside down, so that the network
   equals that RBM; else it has independent latents with their means under the data.
2. The RBM on top learns from latents that are drawn given the images, ``h ~ q(h | x)``. The lower layer
   stays.
3. Up-down. Awake, h is drawn given the image, W and b learn to generate the image from it, and the RBM on top
   learns from it. Asleep, latents of the top's chains generate images, and the recognition network V, c, no
   longer tied to W and d, learns to guess the latents from these. Unless the RBMs' gradient is the plain one,
   W learns from h minus its mean over the minibatch, as W of an RBM does: else all weights of a pixel step
   together, and the first passes of this stage lost 1 to 2.5 nats of digits and bars.

References
----------
G. E. Hinton, S. Osindero and Y. W. Teh (2006). A fast learning algorithm for deep belief nets. Neural
Computation 18, 1527-1554. Up-down is its appendix B; its chains begin at the data (contrastive divergence).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from lrbn_viz.core.fields import declare, documented
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.system import N_SHOWN, PictureRow, Pictures
from lrbn_viz.kernels.numerics import fixed, one_blas_thread, sigmoid, softplus
from lrbn_viz.kernels.workspace import Workspace
from lrbn_viz.rivals.dbn.model import DBNParams, log_prior, pseudo_log_likelihood
from lrbn_viz.rivals.dbn.settings import FIRST_SHARE, UP_DOWN_RATE, UP_DOWN_SHARE
from lrbn_viz.rivals.rbm import kernels
from lrbn_viz.rivals.rbm.centring import Gradient
from lrbn_viz.rivals.rbm.pseudo_likelihood import VALIDATED_PIXELS
from lrbn_viz.rivals.rbm.sampling import gibbs, keys_for, threads_for
from lrbn_viz.rivals.rbm.settings import GRADIENT, METHOD
from lrbn_viz.rivals.rbm.stacked import FIRST, StackedRBMs
from lrbn_viz.rivals.rbm.system import CHAINS_ROW, Method, RBMState, chain_pictures
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.rivals.sbn.particles import (
    Weights,
    as_floats,
    draw_particles,
    dream_of,
    product_against,
    recognise,
)
from lrbn_viz.rivals.sbn.system import Centring
from lrbn_viz.training.settings import LEARNING_RATE, LEARNING_RATE_END, check_finite
from lrbn_viz.training.staged import Stage

TOP, UP_DOWN = 2, 3
"""Stages of training after the first."""

N_EVALUATION_SAMPLES = 20
"""Number of particles per image for its figures, as for other models with a recognition network."""
N_VALIDATED = 5
"""Particles per held-out image and pixel in a validation score."""
TOGETHER = 100
"""Number of images that are evaluated at a time."""
RUNNING_MEAN_RATE = 0.01
"""Share of the latest minibatch in the running mean of the lower latents, while the first RBM learns."""


class DBNState(NamedTuple):
    """Parameters and chains of a deep belief network in training; never modified after creation.

    Attributes
    ----------
    W, b : (n_v, n_h), (n_v,) float32
        Of the directed layer. Until up-down they are the first RBM's.
    first : RBMState
        The first RBM. Its weights and latent biases are the recognition network's, V and c.
    top : RBMState
        The RBM on top, whose visibles are the lower latents: U, d and e.
    stage : int
        1, 2 or 3.
    n_steps : int
        Steps taken.
    """

    W: NDArray[np.float32]
    b: NDArray[np.float32]
    first: RBMState
    top: RBMState
    stage: int
    n_steps: int

    @property
    def d(self) -> NDArray[np.float32]:
        """(n_h,) biases of the lower latents in the RBM on top."""
        return self.top.b

    @property
    def V(self) -> NDArray[np.float32]:
        """(n_v, n_h) recognition weights."""
        return self.first.W

    @property
    def c(self) -> NDArray[np.float32]:
        """(n_h,) offsets of the recognition network."""
        return self.first.d

    @property
    def own(self) -> DBNParams:
        """The parameters themselves, in single precision."""
        directed = LayerNetworks(self.W, self.b, self.d, self.V, self.c)
        return DBNParams(directed, LayerParams(self.top.W, self.top.b, self.top.d))

    @property
    def params(self) -> DBNParams:
        """Copies of all parameters in double precision; one of W and V while they are the same."""
        arrays = (self.W, self.b, self.d, self.c, self.top.W, self.top.d)
        W, b, d, c, U, e = (np.array(array, np.float64) for array in arrays)
        V = W if self.V is self.W else np.array(self.V, np.float64)
        return DBNParams(LayerNetworks(W, b, d, V, c), LayerParams(U, d, e))


@documented
@dataclass(frozen=True)
class DBNSystem(StackedRBMs[DBNState]):
    """Training of a deep belief network: layer by layer as RBMs, then by the up-down algorithm.

    The learning rate falls to its final value within each stage separately.
    """

    shares: ClassVar[tuple[str, str]] = ("first_share", "up_down_share")
    last: ClassVar[str] = "for the RBM on top"
    learned: ClassVar[Mapping[int, tuple[str, ...]]] = {FIRST: ("W", "b", "c"), TOP: ("d", "U", "e")}
    """A prior before the top has learned, and tied weights, follow from others."""
    temperatures: ClassVar[int] = 300
    chains: ClassVar[int] = 100

    first_share: float = declare(FIRST_SHARE, 0.4)
    up_down_share: float = declare(UP_DOWN_SHARE, 0.3)
    method: Method = declare(METHOD, "pcd")
    gradient: Gradient = declare(GRADIENT, "enhanced")
    learning_rate: float = declare(LEARNING_RATE, 0.1)
    learning_rate_end: float | None = declare(LEARNING_RATE_END, None, details="Within each stage.")
    up_down_rate: float = declare(UP_DOWN_RATE, 1.0)
    work: Workspace = field(default_factory=Workspace, compare=False, repr=False)
    """Arrays that every step reuses."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The first RBM, the RBM on top, and up-down."""
        return (
            Stage(self.first_share, "learn_first"),
            Stage(1.0 - self.up_down_share, "learn_top"),
            Stage(1.0, "learn_up_down", self.up_down_rate),
        )

    # -- training

    def init(self, X: NDArray, rng: np.random.Generator) -> DBNState:
        """Return two RBMs before their first steps, the first with offsets that fit the mean of X alone."""
        first = self.rbm(self.n_h).init(X, rng)
        top = self.rbm(self.n_top).init(np.tile(np.array([[0], [1]], np.uint8), (1, self.n_h)), rng)
        return self._before_top(DBNState(first.W, first.b, first, top, FIRST, 0), None)

    def resume(self, params: DBNParams, rng: np.random.Generator) -> DBNState:
        """Return a state with given parameters and random chains, whose lower layer has finished its
        stage.
        """
        low = params.directed
        first = self.rbm(self.n_h).resume(LayerParams(low.V, low.b, low.c), rng)
        top = self.rbm(self.n_top).resume(params.top, rng)
        return DBNState(np.array(low.W, np.float32), np.array(low.b, np.float32), first, top, TOP, 0)

    def learn_first(
        self, state: DBNState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[DBNState, dict[str, float]]:
        """Stage 1: a step of the first RBM.

        Figures of all stages: ``learning_rate``; ``activity`` and ``fantasy_activity``, the mean of P(h_j =
        1) given the batch and in the chains, of the latents of the RBM that learns.
        """
        first, figures = self.rbm(self.n_h).step(state.first, X, rng)
        after = state._replace(W=first.W, b=first.b, first=first)
        return self._before_top(after, X), figures

    def _before_top(self, state: DBNState, X: NDArray[np.uint8] | None) -> DBNState:
        """Return the state with a prior of the lower latents that nothing has been learned for."""
        first, top = state.first, state.top
        if self.n_top == len(state.b):
            return state._replace(top=top._replace(W=np.ascontiguousarray(first.W.T), b=first.d, d=first.b))
        if X is None:
            return state
        share = max(RUNNING_MEAN_RATE, 1.0 / (state.n_steps + 1))  # at first a plain mean
        with threads_for(len(X), first.W, "means of a prior") as threads:
            seen = kernels.latent_means(first.W, first.d, fixed(X), threads).mean(axis=0)
        mean = (1.0 - share) * sigmoid(top.b.astype(np.float64)) + share * seen
        return state._replace(top=top._replace(b=logit(np.clip(mean, 1e-4, 1 - 1e-4)).astype(np.float32)))

    def learn_top(
        self, state: DBNState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[DBNState, dict[str, float]]:
        """Stage 2: a step of the RBM on top, on latents drawn given the images."""
        with threads_for(len(X), state.V, "draws of lower latents") as threads:
            means = kernels.latent_means(state.V, state.c, fixed(X), threads)
            H = kernels.sample_bernoulli(means, keys_for(1, rng)[0], threads)
        top = state.top
        if state.stage == FIRST:  # its chains begin at the data, where a prior from the first RBM has them
            top = top._replace(particles=_upper_latents(top, np.resize(H, (self.n_particles, self.n_h)), rng))
        top, figures = self.rbm(self.n_top).step(top, H, rng)
        return state._replace(top=top), figures

    def learn_up_down(
        self, state: DBNState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[DBNState, dict[str, float]]:
        """Stage 3: a step of all networks, awake and asleep."""
        with one_blas_thread():
            return self._up_and_down(state, X, rng)

    def _up_and_down(
        self, state: DBNState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[DBNState, dict[str, float]]:
        """Implement :meth:`learn_up_down`."""
        rate = np.float32(self.learning_rate)
        H, along_W, along_b = self.awake(state, X, rng)
        top, figures = self.rbm(self.n_top).step(state.top, H, rng)
        along_V, along_c = self.asleep(state, self.dreamt_latents(top, H, rng), rng)
        b = np.asarray(state.b + rate * along_b, np.float32)
        if self.gradient == "standard":
            W = state.W + rate * along_W
        else:
            centring = Centring(0, 1, np.asarray(H.mean(axis=0), np.float32), generative=True)
            centring.centre((along_W, along_b))
            change = rate * along_W
            W, b = state.W + change, centring.offset_of(change, b)
        V, c = state.V + rate * along_V, state.c + rate * along_c
        check_finite(float(W.sum() + b.sum() + V.sum() + c.sum()), state.n_steps + 1, float(rate))
        return state._replace(W=W, b=b, first=state.first._replace(W=V, d=c), top=top), figures

    def awake(
        self, state: DBNState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]:
        """Draw lower latents given each image, and return them with the mean of ``grad log P(x | h)``.

        Returns
        -------
        H : (n, n_h) uint8
        along_W, along_b : (n_v, n_h), (n_v,) float32
        """
        drawn = draw_particles(state.own.directed, as_floats(X, self.work), 1, rng, self.work)
        along_W = np.matmul(drawn.residuals.T, drawn.H) / np.float32(len(X))
        return drawn.H.astype(np.uint8), along_W, drawn.residuals.mean(axis=0)

    def asleep(
        self, state: DBNState, H: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Draw an image from each row of lower latents, and return the mean of ``grad log q(h | x)``.

        Returns
        -------
        along_V, along_c : (n_v, n_h), (n_h,) float32
        """
        dreams = dream_of(state.own.directed, H.astype(np.float32), rng, self.work)
        room = self.work.array("dreamt_V", len(state.b), self.n_h)
        along_V = product_against(dreams.X, dreams.on, dreams.signal, room)
        return np.asarray(along_V / np.float32(len(H)), np.float32), dreams.signal.mean(axis=0)

    def dreamt_latents(
        self, top: RBMState, H: NDArray[np.uint8], rng: np.random.Generator
    ) -> NDArray[np.uint8]:
        """Return lower latents at the end of the top's chains, which the sleep phase begins from.

        Persistent chains go half a sweep down. Those of contrastive divergence begin at the latents `H`
        (n, n_h) of the wake phase.
        """
        if self.method == "pcd":
            return gibbs(top, top.particles, 1, rng)[0]
        return gibbs(top, _upper_latents(top, H, rng), self.n_gibbs, rng)[0]

    # -- what is asked of it

    def parameters(self, state: DBNState) -> dict[str, NDArray]:
        """Return W, b, d, V, c, U and e."""
        return state.own.by_name()

    def with_parameters(self, state: DBNState, parameters: Mapping[str, NDArray]) -> DBNState:
        """Return the state with these in the place of its own."""
        p = {name: np.asarray(array, np.float32) for name, array in parameters.items()}
        first = state.first._replace(W=p["V"], d=p["c"])
        top = state.top._replace(W=p["U"], b=p["d"], d=p["e"])
        return state._replace(W=p["W"], b=p["b"], first=first, top=top)

    def validate(self, state: DBNState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return figures on held-out images, of which ``score`` is to be high.

        ``score``: the pseudo-log-likelihood, nats per image
        (:func:`~lrbn_viz.rivals.dbn.model.pseudo_log_likelihood`). ``wrong_pixels``: of the likeliest
        image given the means.
        """
        with one_blas_thread():
            # in single precision, twice as fast
            score = pseudo_log_likelihood(state.own, X, N_VALIDATED, VALIDATED_PIXELS)
        wrong = (self.decode(state, self.encode(state, X)) > 0.5) != X
        return {"score": float(score.mean()), "wrong_pixels": float(wrong.sum(axis=1).mean())}

    def estimate(self, state: DBNState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return estimates of log P(x) of images, for which log Z is annealed: dearer than a pass.

        ``log_likelihood``: by the mean weight of `N_EVALUATION_SAMPLES` particles, nats per image;
        ``variational_bound``: the same with one particle; ``log_partition``: log Z, summed
        for small layers, else annealed.
        """
        found = self.bounds(state, X, N_EVALUATION_SAMPLES, rng)
        means, top = self.encode(state, X).mean(axis=0, dtype=np.float64), state.params.top
        log_z = self.estimated_log_partition(top, means, sigmoid(means @ top.W + top.d), rng)
        return {
            "log_likelihood": float(found.log_means.mean()) - log_z,
            "variational_bound": float(found.log_weights.mean()) - log_z,
            "log_partition": log_z,
        }

    def bounds(self, state: DBNState, X: NDArray, n_particles: int, rng: np.random.Generator) -> Weights:
        """Return the weights of particles of each image, whose mean is ``P(x) Z`` in expectation."""
        params, found = state.params, []
        d = params.top.b
        independent = softplus(d).sum()
        with one_blas_thread():
            for first in range(0, len(X), TOGETHER):
                images = as_floats(X[first : first + TOGETHER], self.work)
                drawn = draw_particles(state.own.directed, images, n_particles, rng, self.work)
                # the particles were weighed with independent latents of log-odds d for a prior
                more = log_prior(params, drawn.H) - drawn.H @ d + independent
                found.append(drawn.log_weights + more.reshape(drawn.log_weights.shape))
        return Weights(np.concatenate(found))

    @property
    def picture_rows(self) -> tuple[PictureRow, ...]:
        """Persistent chains, where there are any."""
        return (CHAINS_ROW,) if self.method == "pcd" else ()

    def pictures(
        self, state: DBNState, X: NDArray, seen: NDArray, rng: np.random.Generator
    ) -> tuple[Pictures, ...]:
        """Return means of x given the chains' latents: the first RBM's, and later those of the one on top."""
        if self.method != "pcd":
            return ()
        if state.stage == FIRST:
            return (chain_pictures(self.decode(state, state.first.particles[:N_SHOWN])),)
        lower = sigmoid(state.top.particles[:N_SHOWN] @ state.top.W.T + state.d)
        return (chain_pictures(self.decode(state, lower)),)

    def encode(self, state: DBNState, X: NDArray) -> NDArray[np.float32]:
        """Return the means of q(h | x) of each image, of the lower latents; (n, n_h)."""
        return recognise(state.own.directed, as_floats(X, self.work), self.work)[1].copy()

    def decode(self, state: DBNState, H: NDArray) -> NDArray[Any]:
        """Return the mean of x given each row of lower latents `H`; (n, n_v)."""
        return sigmoid(np.asarray(H) @ state.W.T + state.b)

    def sample(self, state: DBNState, n: int, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Draw n images: lower latents by the chains of the RBM on top, then x; (n, n_v).

        The samples are only as good as `n_sample_sweeps` sweeps have mixed the chains.
        """
        H = self.rbm(self.n_top).sample(state.top, n, rng)
        return (rng.random((n, len(state.b))) < self.decode(state, H)).astype(np.uint8)


def _upper_latents(top: RBMState, H: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw upper latents given each row of lower ones."""
    with threads_for(len(H), top.W, "draws of upper latents") as threads:
        means = kernels.latent_means(top.W, top.d, fixed(H), threads)
        return kernels.sample_bernoulli(means, keys_for(1, rng)[0], threads)
