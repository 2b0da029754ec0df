"""Deep Boltzmann machines as a System: two RBMs one after the other, then all layers together.

The three stages follow each other within one run, each for a share of its steps:

1. The lower layer learns as an RBM whose visible units are two copies of x with the same weights. In the
   deep Boltzmann machine h has inputs from x and g; without g, the input from x is doubled.
2. The upper layer learns as an RBM whose visible units are latents h drawn given the images, and whose
   latents are two copies of g with the same weights. W and b stay.
3. Together. Both RBMs become one model: the log-odds of h are the mean of those of both, ``W'x + U g + d``,
   and d the mean of both biases. Under the data latents have the means that mean field finds; under the model
   persistent Gibbs chains alternate between h and its neighbours, x and g (PCD).

References
----------
R. Salakhutdinov and G. E. Hinton (2009). Deep Boltzmann machines. AISTATS. Their first two stages learn by
contrastive divergence, here by PCD.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from lrbn_viz.core.fields import declare, documented
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.system import N_SHOWN, PictureRow, Pictures
from lrbn_viz.kernels.numerics import fixed, one_blas_thread, sigmoid
from lrbn_viz.kernels.steps import kept_share
from lrbn_viz.lrbn.deep.inference import Layers
from lrbn_viz.rivals.dbm import model as dbm
from lrbn_viz.rivals.dbm.model import Means
from lrbn_viz.rivals.dbm.settings import DBM_GRADIENT, FIRST_SHARE, JOINT_RATE, SECOND_SHARE, UPDATES
from lrbn_viz.rivals.rbm import gradient as rbm_gradient
from lrbn_viz.rivals.rbm import kernels
from lrbn_viz.rivals.rbm.centring import KINDS, NO_CENTRES
from lrbn_viz.rivals.rbm.pseudo_likelihood import VALIDATED_PIXELS
from lrbn_viz.rivals.rbm.sampling import gibbs, keys_for, threads_for
from lrbn_viz.rivals.rbm.settings import checked_images
from lrbn_viz.rivals.rbm.stacked import FIRST, StackedRBMs
from lrbn_viz.rivals.rbm.system import CHAINS_ROW, RBMState, chain_pictures
from lrbn_viz.training.settings import LEARNING_RATE, LEARNING_RATE_END, WEIGHT_DECAY, check_finite
from lrbn_viz.training.staged import Stage

SECOND, TOGETHER = 2, 3
"""Stages of training after the first."""

N_EVALUATION_SAMPLES = 20
"""Mean-field updates of held-out images, and of images whose means are asked for."""
N_VALIDATED = 5
"""Mean-field updates for each predicted pixel."""

FINAL_RATE_SHARE = 0.1
"""Default share of the learning rate that is left at the end of a stage. At a constant rate the chains lag
behind a model that keeps changing, and it gets worse while it learns.
"""

Gradient = Literal["standard", "enhanced"]

SETTLING_ROW = PictureRow(
    "mean field",
    "P(x = 1) of an image of the last minibatch after one pass up and after 1, 2, ... updates of mean field, "
    "and by how much each update changed a mean, on average over held-out images",
    "change",
    "value",
)


class DBMState(NamedTuple):
    """Parameters and chains of a deep Boltzmann machine in training; never modified after creation.

    Attributes
    ----------
    joined : RBMState
        The RBM whose visible units are x and g, and whose latents are h: W above U', b beside e, d, and the
        chains' lower latents.
    n_v : int
        How many of its visible units are those of x.
    d_first, d_second : (n_h,) float32
        Biases of the lower latents in the two RBMs of the first stages, of which d is the mean.
    copies : (n_particles, 2 n_top) uint8
        Both copies of the upper latents, of the second RBM's chains.
    stage : int
        1, 2 or 3.
    n_steps : int
        Steps taken.
    """

    joined: RBMState
    n_v: int
    d_first: NDArray[np.float32]
    d_second: NDArray[np.float32]
    copies: NDArray[np.uint8]
    stage: int
    n_steps: int

    @property
    def W(self) -> NDArray[np.float32]:
        """(n_v, n_h) weights between x and h."""
        return self.joined.W[: self.n_v]

    @property
    def b(self) -> NDArray[np.float32]:
        """(n_v,) biases of x."""
        return self.joined.b[: self.n_v]

    @property
    def d(self) -> NDArray[np.float32]:
        """(n_h,) biases of the lower latents."""
        return self.joined.d

    @property
    def U(self) -> NDArray[np.float32]:
        """(n_h, n_top) weights between h and g."""
        return self.joined.W[self.n_v :].T

    @property
    def e(self) -> NDArray[np.float32]:
        """(n_top,) biases of the upper latents."""
        return self.joined.b[self.n_v :]

    @property
    def params(self) -> Layers:
        """Copies of the parameters of both layers in double precision."""
        arrays = (self.W, self.b, self.d, self.U, self.e)
        W, b, d, U, e = (np.array(array, np.float64, order="C") for array in arrays)
        return LayerParams(W, b, d), LayerParams(U, d, e)

    def with_arrays(self, **arrays: NDArray[np.float32]) -> DBMState:
        """Return the state with some of W, b, d, U and e replaced."""
        W, U = arrays.get("W", self.W), arrays.get("U", self.U)
        b, e = arrays.get("b", self.b), arrays.get("e", self.e)
        joined = self.joined._replace(W=_joined(W, U), b=np.concatenate([b, e]), d=arrays.get("d", self.d))
        return self._replace(joined=joined)


def _joined(W: NDArray[np.float32], U: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the weights of h with x and h2, (n_v + n_top, n_h), in C order, which `vstack` need not keep."""
    return np.ascontiguousarray(np.vstack([W, U.T]))


@documented
@dataclass(frozen=True)
class DBMSystem(StackedRBMs[DBMState]):
    """Training of a deep Boltzmann machine: its layers as two RBMs, then together by mean field and PCD.

    The learning rate falls to its final value within each stage separately.
    """

    shares: ClassVar[tuple[str, str]] = ("first_share", "second_share")
    last: ClassVar[str] = "in which all layers learn together"
    learned: ClassVar[Mapping[int, tuple[str, ...]]] = {FIRST: ("W", "b", "d"), SECOND: ("U", "e", "d")}
    temperatures: ClassVar[int] = 200
    chains: ClassVar[int] = 50

    first_share: float = declare(FIRST_SHARE, 0.2)
    second_share: float = declare(SECOND_SHARE, 0.1)
    gradient: Gradient = declare(DBM_GRADIENT, "enhanced")
    n_updates: int = declare(UPDATES, 5)
    learning_rate: float = declare(LEARNING_RATE, 0.05)
    learning_rate_end: float | None = declare(
        LEARNING_RATE_END, None, details="Within each stage.", none="it falls to a tenth"
    )
    together_rate: float = declare(JOINT_RATE, 1.0)
    weight_decay: float = declare(WEIGHT_DECAY, 0.0, details="Of W and of U.")

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The lower layer, the upper one, and all together."""
        return (
            Stage(self.first_share, "learn_first"),
            Stage(self.first_share + self.second_share, "learn_second"),
            Stage(1.0, "learn_together", self.together_rate),
        )

    @property
    def final_rate(self) -> float:
        """Learning rate at the end of each stage."""
        end = self.learning_rate_end
        return FINAL_RATE_SHARE * self.learning_rate if end is None else end

    # -- training

    def init(self, X: NDArray, rng: np.random.Generator) -> DBMState:
        """Return small random weights, visible biases that fit the mean of X alone, and random chains."""
        first = self.rbm(self.n_h).init(X, rng)
        U = (0.01 * rng.standard_normal((self.n_h, self.n_top))).astype(np.float32)
        joined = first._replace(
            W=_joined(first.W, U), b=np.concatenate([first.b, np.zeros(self.n_top, np.float32)])
        )
        return self._begun(joined, X.shape[1], FIRST, rng)

    def resume(self, params: Layers, rng: np.random.Generator) -> DBMState:
        """Return a state that begins at given parameters, with random chains: all layers learn together."""
        return self._begun(self.rbm(self.n_h).resume(dbm.joined(params), rng), params[0].n_v, TOGETHER, rng)

    def _begun(self, joined: RBMState, n_v: int, stage: int, rng: np.random.Generator) -> DBMState:
        """Return a state before its first step."""
        copies = rng.integers(0, 2, (self.n_particles, 2 * (len(joined.b) - n_v)), dtype=np.uint8)
        return DBMState(joined, n_v, joined.d, joined.d, copies, stage, 0)

    def learn_first(
        self, state: DBMState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[DBMState, dict[str, float]]:
        """Stage 1: a step of the RBM of two copies of x, whose weights are then made equal.

        Figures of all stages: ``learning_rate``; ``activity`` and ``fantasy_activity``, the mean of P(h_j =
        1) given the batch and in the chains, of the lower latents (in the second stage, of the upper ones).
        """
        doubled = state.joined._replace(W=np.vstack([state.W] * 2), b=np.tile(state.b, 2), d=state.d_first)
        after, figures = self.rbm(self.n_h).step(doubled, np.hstack([X, X]), rng)
        W, b = (_mean_of(np.split(array, 2)) for array in (after.W, after.b))
        learned = state._replace(
            joined=state.joined._replace(particles=after.particles, n_steps=after.n_steps), d_first=after.d
        )
        return learned.with_arrays(W=W, b=b, d=_mean_of([after.d, state.d_second])), figures

    def learn_second(
        self, state: DBMState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[DBMState, dict[str, float]]:
        """Stage 2: a step of the RBM of h and two copies of g, whose weights are then made equal."""
        H = self._given_twice(state, X, rng)
        d_second = state.d_second
        if state.stage == FIRST:  # its biases begin where those of any RBM do, its chains at the data
            means = (H.sum(axis=0) + 1.0) / (len(H) + 2.0)
            d_second = logit(means).astype(np.float32)
        doubled = RBMState(
            np.hstack([state.U] * 2), d_second, np.tile(state.e, 2), state.copies, state.n_steps
        )
        after, figures = self.rbm(2 * self.n_top).step(doubled, H, rng)
        U, e = _mean_of(np.split(after.W, 2, axis=1)), _mean_of(np.split(after.d, 2))
        learned = state._replace(d_second=after.b, copies=after.particles)
        return learned.with_arrays(U=U, e=e, d=_mean_of([state.d_first, after.b])), figures

    def _given_twice(
        self, state: DBMState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> NDArray[np.uint8]:
        """Draw lower latents given two copies of each image, as the first RBM does; (n, n_h)."""
        with threads_for(len(X), state.W, "draws of lower latents given two images") as threads:
            fields = kernels.latent_fields(np.ascontiguousarray(state.W), state.d_first, fixed(X), threads)
            means = expit(2.0 * fields - state.d_first).astype(np.float32)
            return kernels.sample_bernoulli(means, keys_for(1, rng)[0], threads)

    def learn_together(
        self, state: DBMState, X: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[DBMState, dict[str, float]]:
        """Stage 3: a step of all layers, by mean field of the images and by persistent chains."""
        if state.stage != TOGETHER:
            # chains begin at the data: at h given two copies of an image
            H = self._given_twice(state, np.resize(X, (self.n_particles, X.shape[1])), rng)
            state = state._replace(joined=state.joined._replace(particles=H))
        joined, rate = state.joined, np.float32(self.learning_rate)
        means = self.settled(state, X, self.n_updates)
        with threads_for(len(X), joined.W, "draws of means") as threads:
            # drawn, for the kernels' sake; under q it is independent of h: the gradient's mean is right
            G = kernels.sample_bernoulli(means.upper, keys_for(1, rng)[0], threads)
        V, H = gibbs(joined, joined.particles, self.n_gibbs, rng)
        with threads_for(len(X), joined.W, "gradient of joined RBMs") as threads:
            both = np.concatenate([means.lower, kernels.latent_means(joined.W, joined.d, fixed(V), threads)])
            W, b, d, _, _, activity, fantasy_activity, total = rbm_gradient.learn(
                joined.W,
                joined.b,
                joined.d,
                fixed(np.hstack([X, G])),
                V,
                both,
                rate,
                np.float32(kept_share(float(self.learning_rate), float(self.weight_decay))),
                KINDS[self.gradient],
                NO_CENTRES,
                np.float32(1.0),
                threads,
            )
        check_finite(total, state.n_steps + 1, float(rate))
        learned = RBMState(W, b, d, H, joined.n_steps + 1)
        return state._replace(joined=learned), {
            "learning_rate": float(rate),
            "activity": float(activity),
            "fantasy_activity": float(fantasy_activity),
        }

    def settled(self, state: DBMState, X: NDArray[np.uint8], n_updates: int) -> Means:
        """Return the means of each image after a pass up and so many updates of mean field, float32."""
        W, U = np.ascontiguousarray(state.W), np.ascontiguousarray(state.U)
        with threads_for(len(X), W, "fields") as threads:
            fields = kernels.latent_fields(W, state.d, fixed(X), threads)
        with one_blas_thread():
            return dbm.settle(fields, U, state.e, dbm.bottom_up(fields, U, state.d, state.e), n_updates)

    # -- inference and evaluation

    def parameters(self, state: DBMState) -> dict[str, NDArray]:
        """Return W, b, d, U and e."""
        return {name: getattr(state, name) for name in ("W", "b", "d", "U", "e")}

    def with_parameters(self, state: DBMState, parameters: Mapping[str, NDArray]) -> DBMState:
        """Return the state with some of its parameters replaced."""
        return state.with_arrays(**{n: np.asarray(array, np.float32) for n, array in parameters.items()})

    def validate(self, state: DBMState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return figures on held-out images, of which ``score`` is to be high.

        ``score``: the pseudo-log-likelihood by mean field, nats per image
        (:func:`~lrbn_viz.rivals.dbm.model.pseudo_log_likelihood`); ``wrong_pixels``: of the likeliest
        image given the means; ``upper_layer_gap``, once both layers have learned together: by how much the
        variational bound falls without the image's own message from the upper layer
        (:func:`~lrbn_viz.rivals.dbm.model.upper_layer_gap`). Before that, the upper layer has not learned
        yet, or not within the model.
        """
        images = checked_images(X, self.visible, state.n_v)
        means, params = self.settled(state, images, N_EVALUATION_SAMPLES), state.params
        with one_blas_thread():
            score = dbm.pseudo_log_likelihood(params, images, N_VALIDATED, VALIDATED_PIXELS)
            together = state.stage == TOGETHER
            gap = {"upper_layer_gap": dbm.upper_layer_gap(params, images, means)} if together else {}
        wrong = (self.decode(state, means.lower) > 0.5) != X
        return {
            "score": float(score.mean()),
            "wrong_pixels": float(wrong.sum(axis=1).mean()),
            **{name: float(values.mean()) for name, values in gap.items()},
        }

    def estimate(self, state: DBMState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return bounds of images, for which log Z is annealed: dearer than a pass.

        ``variational_bound``: the lower bound on log P(x) + log Z by mean field, less log Z, nats per image;
        ``log_partition``: log Z, summed for small layers, else annealed.
        """
        images, params = checked_images(X, self.visible, state.n_v), state.params
        means = self.settled(state, images, N_EVALUATION_SAMPLES)
        with one_blas_thread():
            units = (images, means.upper, means.lower)
            of_x, of_g, of_h = (each.mean(axis=0, dtype=np.float64) for each in units)
            log_z = self.estimated_log_partition(dbm.joined(params), np.concatenate([of_x, of_g]), of_h, rng)
            bounds = dbm.bound(params, images, means)
        return {"variational_bound": float(bounds.mean()) - log_z, "log_partition": log_z}

    @property
    def picture_rows(self) -> tuple[PictureRow, ...]:
        """Pictures of the convergence of mean field, and of the persistent chains."""
        return SETTLING_ROW, CHAINS_ROW

    def pictures(
        self, state: DBMState, X: NDArray, seen: NDArray, rng: np.random.Generator
    ) -> tuple[Pictures, ...]:
        """Return an image after each update of mean field, and means of x given the chains' latents."""
        images = np.concatenate([seen, X]).astype(np.uint8)
        means = [np.hstack(self.settled(state, images, n)) for n in range(N_SHOWN)]
        changes = [float(np.abs(after - before)[1:].mean()) for before, after in pairwise(means)]
        settling = Pictures(
            self.decode(state, np.array([each[0] for each in means])), np.array([np.nan, *changes])
        )
        return settling, chain_pictures(self.decode(state, self._chain_latents(state)[:N_SHOWN]))

    def _chain_latents(self, state: DBMState) -> NDArray:
        """Return states or means of the lower latents in the chains of the present stage; (n, n_h)."""
        if state.stage != SECOND:
            return state.joined.particles
        return sigmoid(state.copies @ np.vstack([state.U.T] * 2) + state.d_second)

    def encode(self, state: DBMState, X: NDArray) -> NDArray[np.float32]:
        """Return the means of both layers by mean field, the lower layer's first; (n, n_h + n_top)."""
        return np.hstack(
            self.settled(state, checked_images(X, self.visible, state.n_v), N_EVALUATION_SAMPLES)
        )

    def encode_factorised(self, state: DBMState, X: NDArray) -> NDArray[np.float32]:
        """Return the means after one pass up, without input from above; (n, n_h + n_top)."""
        return np.hstack(self.settled(state, checked_images(X, self.visible, state.n_v), 0))

    def decode(self, state: DBMState, H: NDArray) -> NDArray[Any]:
        """Return the mean of x given each row of latents, of which the lower ones decide; (n, n_v)."""
        return sigmoid(np.asarray(H)[:, : self.n_h] @ state.W.T + state.b)

    def sample(self, state: DBMState, n: int, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Draw n images by Gibbs chains that alternate between h and its neighbours x and g; (n, n_v).

        They follow the model's distribution as far as the chains have mixed in `n_sample_sweeps` sweeps.
        """
        return self.rbm(self.n_h).sample(state.joined, n, rng)[:, : state.n_v]


def _mean_of(copies: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return the mean of two arrays."""
    return np.float32(0.5) * (copies[0] + copies[1])
