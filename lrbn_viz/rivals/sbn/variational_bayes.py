"""Variational Bayes with Polya-Gamma variables and a sparsity prior (Gan, Henao, Carlson and Carin, 2015)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import Flag, Real, declare, documented
from lrbn_viz.core.system import N_SHOWN, PictureRow, Pictures
from lrbn_viz.core.validation import Interval
from lrbn_viz.kernels.numerics import run_kernel, sigmoid, softplus
from lrbn_viz.kernels.workspace import layer_workspaces
from lrbn_viz.lrbn.means.batch import Ascent, ascend
from lrbn_viz.rivals.sbn.beliefs import beliefs_of, first_beliefs, posterior_of
from lrbn_viz.rivals.sbn.horseshoe import finish_slope, renew_use
from lrbn_viz.rivals.sbn.mean_field import EVALUATION_SWEEPS, Field, FieldSystem, Means
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.rivals.sbn.optimiser import Arrays
from lrbn_viz.rivals.sbn.system import Centring, Learned, SBNState

GAMMA_ROW = PictureRow(
    "gamma",
    "the precision with which each pixel of the held-out images tells of its activation: 1/4 in full colour, "
    "where the activation is 0; paler the surer the pixel is; and its mean",
    "mean; orange: 1/4",
    "value",
    0.25,
)
PRIOR_INTERVAL = 10
"""Number of steps between fits of the prior's variances."""


class BayesParams(NamedTuple):
    """Parameters of both networks, with the variances of the generative weights; never modified after
    creation.

    Attributes
    ----------
    layers : tuple of LayerNetworks
        Both networks of each layer, the lowest first; W holds means of the weights.
    variances : tuple of (n_v, n_h) float64
        Variance of each generative weight, by layer.
    n_images : () float64
        Images that the weights were learned from.
    """

    layers: tuple[LayerNetworks, ...]
    variances: tuple[NDArray[np.float64], ...]
    n_images: NDArray[np.float64]


@documented
@dataclass(frozen=True)
class VariationalBayesSystem(FieldSystem):
    """Training by variational Bayes: latents, Polya-Gamma variables and weights are updated in turn, given
    the others.

    Latents and Polya-Gamma variables ascend the quadratic bound of :mod:`lrbn_viz.lrbn.means.quadratic`.
    Each generative weight is normal. Its precision is that of the prior and of all images, ``E 1/zeta_ij + N
    mean_m g_i q_j``, the latter a running mean over minibatches; its mean follows the gradient of the bound.
    The prior is the three-parameter beta normal, in the form of a horseshoe: it shrinks weights to 0 on which
    the images have little influence, and leaves large ones almost unchanged. With Adam a single layer learns
    W from the means of latents minus their average over the minibatch.

    b and d are point estimates, that of b as if there had been one further image with all pixels on, and one
    with all off. Without them b of a pixel that is never on would fall in each step, since the bound of an
    uncertain activation has no maximum, and a new image in which it is on would lose a hundred nats.

    With two layers, each has weights, Polya-Gamma variables and a prior of its own. The means of the lower
    latents are the data of the upper ones, from which they have their prior; a sweep visits the lower layer
    first.
    """

    sparse: bool = declare(
        Flag(
            "Sparsity prior",
            None,
            "A horseshoe prior draws weights to 0 that images say little about; off: unit normal.",
        ),
        True,
    )
    forgetting: float = declare(
        Real(
            "Forgetting",
            None,
            "Share of a minibatch in the running mean that says how sure a weight is.",
            bounds=Interval(0, 1, "right"),
        ),
        0.005,
    )

    def init(self, X: NDArray, rng: np.random.Generator) -> SBNState:
        """Return the usual initial state, with the posterior of the weights before any image is seen."""
        state = super().init(X, rng)
        begun = [first_beliefs(len(networks.b), len(networks.d), len(X)) for networks in state.layers]
        return state._replace(posterior=posterior_of(begun))

    def resume(self, params: Any, rng: np.random.Generator) -> SBNState:
        """Return a state with given parameters, to which the prior is fitted; without, of layers alone."""
        if not isinstance(params, BayesParams):
            return super().resume(params, rng)
        state, found = super().resume(params.layers, rng), []
        for networks, variance in zip(state.layers, params.variances, strict=True):
            beliefs = first_beliefs(len(networks.b), len(networks.d), float(params.n_images))
            unsure = variance.astype(np.float32)
            if self.sparse:
                for _ in range(PRIOR_INTERVAL):
                    beliefs = beliefs.fitted(networks.W, unsure)
            left = np.maximum(1.0 / unsure - beliefs.shrinkage, 0.0) / max(float(params.n_images), 1.0)
            found.append(beliefs._replace(use=left.astype(np.float32)))
        return state._replace(posterior=posterior_of(found))

    def learn(self, state: SBNState, X: NDArray[np.float32], rng: np.random.Generator) -> Learned:
        """Return the gradients at the means of a minibatch, its figures, and the updated posterior of the
        weights.

        Figures: those of mean field; the bound is averaged over the weights. ``weight_sd``, the mean standard
        deviation of a weight; ``near_zero``, the share of weights within two standard deviations of 0.
        """
        learned = super().learn(state, X, rng)
        layers, found, means = state.layers, [], []
        sizes = [networks.W.size for networks in layers]
        sds, near = np.zeros(len(layers)), np.zeros(len(layers))
        works = layer_workspaces(self.work, len(layers))
        each = zip(layers, beliefs_of(state), works, strict=True)
        for depth, (networks, beliefs, work) in enumerate(each):
            n_v, n_h = networks.W.shape
            gamma, Q = work.array("gamma", len(X), n_v), work.array("Q", len(X), n_h)
            means.append(Q)
            added = np.matmul(gamma.T, Q, out=work.array("use", n_v, n_h))
            shares = np.float32(1.0 - self.forgetting), np.float32(self.forgetting / len(X))
            use, n_images = beliefs.use.copy(), np.float32(beliefs.n_images[0])
            sums = work.array("sums", n_v, 2)
            weights = networks.W, beliefs.shrinkage
            run_kernel(renew_use, added.size, *weights, added, *shares, n_images, use, sums)
            sds[depth], near[depth] = sums.sum(axis=0, dtype=np.float64) / added.size
            beliefs = beliefs._replace(use=use)
            if self.sparse and state.n_steps % PRIOR_INTERVAL == 0:
                beliefs = beliefs.fitted(networks.W, beliefs.variance)
            found.append(beliefs)
        figures = dict(learned.figures)
        figures["weight_sd"] = float(np.average(sds, weights=sizes))
        figures["near_zero"] = float(np.average(near, weights=sizes))
        centrings: tuple[Centring, ...] = ()
        if self.optimiser == "adam" and len(layers) == 1:
            centrings = (Centring(0, 1, means[0].mean(axis=0), generative=True),)
        return learned._replace(figures=figures, posterior=posterior_of(found), centrings=centrings)

    def infer(
        self, state: SBNState, X: NDArray[np.float32], Q: Means, n_sweeps: int, learning: bool = False
    ) -> Field:
        """Return the means after so many sweeps from `Q`, (n, n_h) of each layer, modified in place.

        While `learning`, the weights are uncertain; otherwise they equal their means, so that the bound is
        that of the model with these weights.
        """
        layers = state.layers
        works = layer_workspaces(self.work, len(layers))
        variances = [beliefs.variance for beliefs in beliefs_of(state)] if learning else len(layers) * [None]
        ascents = [Ascent(*each) for each in zip(layers, variances, Q, works, strict=True)]
        below, priors = ascend(ascents, layers[-1].d, X, n_sweeps)
        for ascent, units in zip(ascents, below, strict=True):
            ascent.settle(units)
        bounds = ascents[-1].part(below[-1], priors[-1])
        bounds -= softplus(layers[-1].d.astype(np.float64)).sum()
        for ascent, units in zip(ascents[:-1], below, strict=False):
            # E log P(h) of this layer is in the part of the layer above.
            bounds += ascent.part(units, np.zeros_like(ascent.Q[:1]))
        field = Field(ascents[-1].Q, bounds, ascents[-1].rest)
        for ascent in reversed(ascents[:-1]):
            field = Field(ascent.Q, bounds, ascent.rest, field)
        return field

    def slopes(self, state: SBNState, X: NDArray[np.float32], field: Field, depth: int = 0) -> Arrays:
        """Return the mean slope of the bound over the batch in W, b and d, with the prior's term for W."""
        gamma, left = field.rest
        networks, beliefs = state.layers[depth], beliefs_of(state)[depth]
        n, work, shape = len(X), layer_workspaces(self.work, depth + 1)[depth], networks.W.shape
        along_W = np.matmul(left.T, field.Q, out=work.array("along_W", *shape))
        spread = work.array("spread", *field.Q.shape)
        np.multiply(field.Q, 1.0 - field.Q, out=spread)
        pull = np.matmul(gamma.T, spread, out=work.array("pull", *shape))
        sizes = np.float32(n), np.float32(beliefs.n_images[0])
        run_kernel(finish_slope, pull.size, networks.W, beliefs.shrinkage, pull, *sizes, along_W)
        along_d = field.Q.mean(axis=0) - sigmoid(networks.d)
        along_b = left.mean(axis=0) + (1.0 - 2.0 * sigmoid(networks.b)) / beliefs.n_images[0]
        return along_W, along_b.astype(np.float32), along_d.astype(np.float32)

    @property
    def picture_rows(self) -> tuple[PictureRow, ...]:
        """The precision with which each pixel determines its activation."""
        return (GAMMA_ROW,)

    def pictures(
        self, state: SBNState, X: NDArray, seen: NDArray, rng: np.random.Generator
    ) -> tuple[Pictures, ...]:
        """Return gamma of each pixel of held-out images."""
        gammas = self.gammas(state, X[:N_SHOWN], EVALUATION_SWEEPS)
        return (Pictures(gammas, gammas.mean(axis=1, dtype=np.float64)),)

    def gammas(self, state: SBNState, X: NDArray, n_sweeps: int) -> NDArray[np.float32]:
        """Return the mean of each pixel's Polya-Gamma variable after so many sweeps; (n, n_v)."""
        found = np.empty(X.shape, np.float32)
        for some, field in self.fields(state, X, n_sweeps):
            found[some] = field.rest[0]
        return found
