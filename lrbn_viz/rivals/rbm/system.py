"""Restricted Boltzmann machines behind the System protocol: training by CD and PCD, and Gibbs sampling.

The formulas are in :mod:`~lrbn_viz.rivals.rbm.model`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import check_fields, declare, documented
from lrbn_viz.core.system import N_SHOWN, Memory, PictureRow, Pictures, System
from lrbn_viz.kernels.steps import falling_rate, kept_share
from lrbn_viz.rivals.rbm.adaptive import Adapted, best_end
from lrbn_viz.rivals.rbm.centring import KINDS, NO_CENTRES, Centres, Gradient, share_of_latest
from lrbn_viz.rivals.rbm.model import (
    Params,
    Variance,
    Visible,
    log_odds,
    log_variances,
    visible_mean,
)
from lrbn_viz.rivals.rbm.pseudo_likelihood import predicted_pixels, pseudo_log_likelihood
from lrbn_viz.rivals.rbm.sampling import gibbs
from lrbn_viz.rivals.rbm.settings import (
    ADAPTIVE_RATE,
    GIBBS_STEPS,
    GRADIENT,
    METHOD,
    PERSISTENT_CHAINS,
    SAMPLE_SWEEPS,
    TEMPERATURES,
    VARIANCE,
    checked_images,
)
from lrbn_viz.rivals.rbm.sgd import SGDSettings, sgd_step
from lrbn_viz.training.settings import (
    AVERAGE,
    DECAY_STEPS,
    LATENT_UNITS,
    LEARNING_RATE,
    LEARNING_RATE_END,
    VISIBLE,
    WEIGHT_DECAY,
    FallingRate,
    check_one_fall,
)

Method = Literal["pcd", "cd"]

CHAINS_ROW = PictureRow(
    "chains", "the mean of x given the latents of persistent chains, which the gradient's second part goes by"
)
TEMPERED_ROW = PictureRow(
    "tempered",
    "the mean of x given the latents of one chain at each of several inverse temperatures, from 1, the RBM's "
    "own, to 0",
    "1/temperature",
    "value",
)


class RBMState(NamedTuple):
    """Parameters and chains of an RBM in training; never modified after creation."""

    W: NDArray[np.float32]
    """(n_v, n_h) weights."""
    b: NDArray[np.float32]
    """(n_v,) visible biases."""
    d: NDArray[np.float32]
    """(n_h,) latent biases."""
    particles: NDArray[np.uint8]
    """(n_temperatures * n_particles, n_h) latents of the persistent chains, the RBM's own first."""
    n_steps: int
    """Gradient steps taken."""
    centres: Centres | tuple[()] = ()
    """Moving averages of a centred gradient."""
    adapted: Adapted | tuple[()] = ()
    """State of an adaptive learning rate."""
    z: NDArray[np.float32] | tuple[()] = ()
    """(n_v,) log variances of Gaussian visibles, where they are learned."""


@documented
@dataclass(frozen=True)
class RBMSystem(FallingRate, System[RBMState]):
    """Training of an RBM: gradient ascent on log P(x), with the model term estimated by Gibbs chains."""

    n_h: int = declare(LATENT_UNITS, 200)
    visible: Visible = declare(VISIBLE, "bernoulli")
    variance: Variance = declare(VARIANCE, "fixed")
    method: Method = declare(METHOD, "pcd")
    gradient: Gradient = declare(GRADIENT, "standard")
    n_gibbs: int = declare(GIBBS_STEPS, 1)
    n_temperatures: int = declare(TEMPERATURES, 1)
    learning_rate: float = declare(
        LEARNING_RATE, 0.05, details="Gaussian units want about a tenth of the Bernoulli units' rate."
    )
    decay_steps: float = declare(DECAY_STEPS, np.inf)
    learning_rate_end: float | None = declare(LEARNING_RATE_END, None)
    adaptive_rate: bool = declare(ADAPTIVE_RATE, False)
    average: float = declare(AVERAGE, 0.0)
    weight_decay: float = declare(WEIGHT_DECAY, 0.0)
    n_particles: int = declare(PERSISTENT_CHAINS, 20)
    n_sample_sweeps: int = declare(SAMPLE_SWEEPS, 200)

    def __post_init__(self) -> None:
        check_fields(self)
        check_one_fall(self.learning_rate_end, self.decay_steps)
        if self.learns_variance and self.visible != "gaussian":
            raise ValueError(
                'variance="learned" requires visible="gaussian": Bernoulli units have no variance parameter. '
                'Leave variance out, or use visible="gaussian".'
            )

    @property
    def learns_variance(self) -> bool:
        """True if each visible has a variance of its own."""
        return self.variance == "learned"

    def init(self, X: NDArray, rng: np.random.Generator) -> RBMState:
        """Return small random weights, visible biases that fit the mean of X alone, and random chains."""
        X = checked_images(X, self.visible)
        if self.visible == "bernoulli":  # one on and one off image added, so that constant pixels stay finite
            p = (_ones(X) + 1.0) / (len(X) + 2)
            mean = np.log(p) - np.log1p(-p)
        else:
            mean = X.mean(0, dtype=np.float64)
        W = (0.01 * rng.standard_normal((X.shape[1], self.n_h))).astype(np.float32)
        return self._begin(W, mean.astype(np.float32), np.zeros(self.n_h, np.float32), rng)

    def resume(self, params: Params, rng: np.random.Generator) -> RBMState:
        """Return a state with given parameters and random chains, to sample from or to train further."""
        W, b, d = (np.array(p, np.float32) for p in (params.W, params.b, params.d))
        z = log_variances(params)
        if z is not None and not self.learns_variance:
            raise ValueError(
                'the parameters hold log variances z; expected none with variance="fixed". Use '
                'variance="learned".'
            )
        return self._begin(W, b, d, rng, None if z is None else np.array(z, np.float32))

    def _begin(
        self,
        W: NDArray[np.float32],
        b: NDArray[np.float32],
        d: NDArray[np.float32],
        rng: np.random.Generator,
        z: NDArray[np.float32] | None = None,
    ) -> RBMState:
        """Return a state before its first step; learned variances are initially 1 if z is None."""
        n_chains = self.n_temperatures * self.n_particles
        particles = rng.integers(0, 2, (n_chains, len(d)), dtype=np.uint8)
        state = RBMState(W, b, d, particles, 0)
        if self.learns_variance:
            state = state._replace(z=np.zeros(len(b), np.float32) if z is None else z)
        if self.gradient == "centred":
            state = state._replace(centres=self._first_centres(state))
        if self._adapts:
            pixels = np.uint8 if self.visible == "bernoulli" else np.float32
            V = np.zeros((self.n_particles, len(b)), pixels)  # before the first step there is none to judge
            state = state._replace(adapted=Adapted(1.0, W, b, d, V, state.z))
        return state

    @property
    def _adapts(self) -> bool:
        """True if the learning rate adapts, which needs persistent chains, whose states the model draws."""
        return self.adaptive_rate and self.method == "pcd"

    def _first_centres(self, state: RBMState) -> Centres:
        """Return zeros, which the first minibatch replaces; empty unless the gradient is centred."""
        centred = self.gradient == "centred"
        return Centres(np.zeros_like(state.b), np.zeros_like(state.d)) if centred else NO_CENTRES

    def step(
        self, state: RBMState, batch: NDArray, rng: np.random.Generator, memory: Memory = None
    ) -> tuple[RBMState, dict[str, float]]:
        """Return the state after one gradient step, and the step's metrics.

        Metrics: the step's ``learning_rate``; ``activity`` and ``fantasy_activity``, the mean P(h_j = 1 |
        x) over the batch and over the chains, which agree in a model that fits; of parallel tempering
        ``swapped``, the share of the exchanges between neighbouring temperatures that were made.

        Raises
        ------
        FloatingPointError
            If a parameter is no longer finite.
        """
        X = checked_images(batch, self.visible, len(state.W))
        state = self._judged(state, X)
        rate = self._rate(state.n_steps) * _factor(state)
        how = SGDSettings(
            self.method == "pcd",
            self.n_gibbs,
            rate,
            keep=kept_share(rate, float(self.weight_decay)),
            kind=KINDS[self.gradient],
            slide=share_of_latest(KINDS[self.gradient], state.n_steps),
            n_temperatures=self.n_temperatures,
        )
        centres = state.centres or self._first_centres(state)
        after = sgd_step(state, X, state.particles, how, rng, self.visible, centres)
        if not math.isfinite(after.total):
            raise FloatingPointError(
                f"a parameter is not finite after step {state.n_steps + 1}, learning rate {rate:.3g}; use a "
                f"smaller learning rate{'' if self.visible == 'bernoulli' else ' and standardised data'}"
            )
        metrics = {
            "learning_rate": rate,
            "activity": float(after.activity),
            "fantasy_activity": float(after.fantasy_activity),
        }
        if how.tempered:
            metrics["swapped"] = after.swapped
        return RBMState(
            after.W,
            after.b,
            after.d,
            after.particles,
            state.n_steps + 1,
            Centres(after.mu, after.lam) if self.gradient == "centred" else (),
            Adapted(_factor(state), *state[:3], after.V, state.z) if self._adapts else (),
            after.z,
        ), metrics

    def _judged(self, state: RBMState, X: NDArray) -> RBMState:
        """Return the state after a step of the length that makes the next minibatch, `X`, likeliest."""
        if not state.adapted or state.n_steps == 0:
            return state
        end = best_end(state.adapted, state, X, self.visible)
        adapted = state.adapted._replace(factor=state.adapted.factor * end.share)
        return state._replace(W=end.W, b=end.b, d=end.d, z=end.z, adapted=adapted)

    def _rate(self, n_steps: int) -> float:
        """Return the learning rate after so many steps."""
        return falling_rate(float(self.learning_rate), float(self.decay_steps), n_steps)

    def _chains(self, state: RBMState) -> NDArray[np.uint8]:
        """Return the latents of the chains at inverse temperature 1."""
        return state.particles[: len(state.particles) // self.n_temperatures]

    @property
    def picture_rows(self) -> tuple[PictureRow, ...]:
        """Persistent chains, and those of other temperatures, where there are any."""
        tempered = (TEMPERED_ROW,) if self.n_temperatures > 1 else ()
        return (CHAINS_ROW, *tempered) if self.method == "pcd" else ()

    def pictures(
        self, state: RBMState, X: NDArray, seen: NDArray, rng: np.random.Generator
    ) -> tuple[Pictures, ...]:
        """Return means of x given the chains' latents."""
        if self.method != "pcd":
            return ()
        own = chain_pictures(visible_mean(state, self._chains(state)[:N_SHOWN], self.visible))
        if self.n_temperatures == 1:
            return (own,)
        each = np.linspace(0, self.n_temperatures - 1, min(self.n_temperatures, N_SHOWN)).astype(np.int64)
        betas = np.linspace(1.0, 0.0, self.n_temperatures)[each]
        H = state.particles[each * self.n_particles]
        # at inverse temperature beta the weights are beta times as large
        means = visible_mean(state, H * betas[:, None], self.visible)
        return own, Pictures(means, betas)

    def validate(self, state: RBMState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return metrics of held-out images; a higher ``score`` is better.

        ``score``: the pseudo-log-likelihood ``sum_i log P(x_i | all other pixels)``, nats per image, of at
        most 64 pixels and scaled to all. ``reconstruction_error``: wrong pixels per image (squared distance
        for Gaussian visibles) of the mean given the MAP state.
        """
        X = checked_images(X, self.visible, len(state.W))
        mean = visible_mean(state, log_odds(state, X) > 0, self.visible)
        wrong = np.square(X - mean) if self.visible == "gaussian" else (mean > 0.5) != X
        score = pseudo_log_likelihood(state, X, self.visible, self.predicted_pixels(X.shape[1]))
        return {"score": float(score.mean()), "reconstruction_error": float(wrong.sum(1).mean())}

    def predicted_pixels(self, n_v: int) -> NDArray[np.int64]:
        """Return the indices of those of n_v pixels that the score of `validate` predicts, in order."""
        return predicted_pixels(n_v)

    def parameters(self, state: RBMState) -> dict[str, NDArray]:
        """Return W, b and d, and z where variances are learned."""
        found = super().parameters(state)
        z = log_variances(state)
        return found if z is None else {**found, "z": z}

    def encode(self, state: Params, X: NDArray) -> NDArray[np.uint8]:
        """Return the exact MAP state of each row of X, (n, n_h) uint8."""
        return (log_odds(state, checked_images(X, self.visible, len(state.W))) > 0).astype(np.uint8)

    def gradient_norm(self, before: RBMState, after: RBMState) -> float:
        """Return the size of one step's change of all parameters, per unit of learning rate."""
        return super().gradient_norm(before, after) / (self._rate(before.n_steps) * _factor(after))

    def decode(self, state: Params, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of H, (n, n_v)."""
        H = np.asarray(H)
        if H.ndim != 2 or H.shape[1] != state.W.shape[1]:
            raise ValueError(
                f"H has shape {H.shape}; expected (n, {state.W.shape[1]}), one row of latents per image"
            )
        return visible_mean(state, H, self.visible)

    def sample(self, state: RBMState, n: int, rng: np.random.Generator) -> NDArray:
        """Return `n` draws of x, (n, n_v): uint8 for Bernoulli visibles, else float64.

        Each draw is the end of its own Gibbs chain of `n_sample_sweeps` sweeps, which starts at a random
        persistent chain; their quality depends on how well these chains have mixed.
        """
        if n < 1:
            raise ValueError(f"n must be at least 1, got {n}")
        chains = self._chains(state)
        H = chains[rng.integers(0, len(chains), n)]
        X = gibbs(state, H, self.n_sample_sweeps, rng, self.visible)[0]
        return X if self.visible == "bernoulli" else X.astype(np.float64)


def _ones(X: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of ones in each column of X; sums of 255 fit in bytes, which are quicker."""
    few = [X[first : first + 255].sum(0, dtype=np.uint8) for first in range(0, len(X), 255)]
    return np.stack(few).sum(axis=0, dtype=np.int64)


def chain_pictures(means: NDArray) -> Pictures:
    """Return the means of x given the latents of some chains, (n, n_v), as a row of unnumbered images."""
    return Pictures(means[:N_SHOWN], np.full(len(means[:N_SHOWN]), np.nan))


def _factor(state: RBMState) -> float:
    """Return the factor of an adaptive learning rate on the rate of the settings; 1 for any other."""
    return state.adapted.factor if state.adapted else 1.0
