"""Variational Bayes with Polya-Gamma variables and a sparsity prior (Gan, Henao, Carlson and Carin, 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import Flag, Real, declare, documented
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.system import N_SHOWN, PictureRow, Pictures
from lrbn_viz.core.validation import Interval
from lrbn_viz.kernels.numerics import one_blas_thread, run_kernel, sigmoid, softplus
from lrbn_viz.rivals.sbn.beliefs import beliefs_of, first_beliefs, posterior_of
from lrbn_viz.rivals.sbn.horseshoe import finish_slope, renew_use
from lrbn_viz.rivals.sbn.mean_field import EVALUATION_SWEEPS, Field, FieldSystem
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.rivals.sbn.optimiser import Arrays
from lrbn_viz.rivals.sbn.particles import Workspace
from lrbn_viz.rivals.sbn.quadratic import add_bounds, settle, visit_latents
from lrbn_viz.rivals.sbn.settings import TOP_UNITS
from lrbn_viz.rivals.sbn.system import TOGETHER, Learned, SBNState, layer_workspaces
from lrbn_viz.rivals.sbn.tilted import MIN_MEAN_DISTANCE
from lrbn_viz.training.settings import NON_NEGATIVE

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
_MOMENTS = "mean", "xi", "gamma", "left"
"""Arrays (n, n_v) of a layer's workspace: E a, xi, gamma, and the residuals of the units below."""


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

    Latents and Polya-Gamma variables ascend the quadratic bound of :mod:`lrbn_viz.rivals.sbn.quadratic`.
    Each generative weight is normal. Its precision is that of the prior and of all images, ``E 1/zeta_ij + N
    mean_m g_i q_j``, the latter a running mean over minibatches; its mean follows the gradient of the bound.
    b and d are point estimates. The prior is the three-parameter beta normal, in the form of a horseshoe: it
    shrinks weights to 0 on which the images have little influence, and leaves large ones almost unchanged.

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
        0.02,
    )

    n_top: int = declare(TOP_UNITS, 0, bounds=NON_NEGATIVE, details="0: there is one layer.")

    @property
    def upper_sizes(self) -> tuple[int, ...]:
        """Latents of the second layer, if there is one."""
        return (self.n_top,) if self.n_top else ()

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
        layers, found = state.layers, []
        sizes = [networks.W.size for networks in layers]
        sds, near = np.zeros(len(layers)), np.zeros(len(layers))
        works = layer_workspaces(self.work, len(layers))
        each = zip(layers, beliefs_of(state), works, strict=True)
        for depth, (networks, beliefs, work) in enumerate(each):
            n_v, n_h = networks.W.shape
            gamma, Q = work.array("gamma", len(X), n_v), work.array("Q", len(X), n_h)
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
        return learned._replace(figures=figures, posterior=posterior_of(found))

    def infer(
        self,
        state: SBNState,
        X: NDArray[np.float32],
        Q: Sequence[NDArray[np.float32]],
        n_sweeps: int,
        learning: bool = False,
    ) -> Field:
        """Return the means after so many sweeps from `Q`, (n, n_h) of each layer, modified in place.

        While `learning`, the weights are uncertain; otherwise they equal their means, so that the bound is
        that of the model with these weights.
        """
        layers = state.layers
        works = layer_workspaces(self.work, len(layers))
        variances = [beliefs.variance for beliefs in beliefs_of(state)] if learning else len(layers) * [None]
        ascents = [_Ascent(*each) for each in zip(layers, variances, Q, works, strict=True)]
        below, priors = _ascend(ascents, layers[-1].d, X, n_sweeps)
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
        return along_W, left.mean(axis=0), along_d.astype(np.float32)

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


class _Ascent:
    """Ascent of the bound by the means of one layer's latents; all arrays belong to the workspace.

    Variances of activations are dense products of the whole batch. Only the visits proceed latent by latent;
    they update the mean activations.

    Parameters
    ----------
    networks : LayerNetworks
    variance : (n_v, n_h) float32 or None
        Variance of each weight; None: the weights are known.
    Q : (n, n_h) float32
        Means. Modified in place.
    work : Workspace
        Of the layer.
    """

    def __init__(
        self, networks: LayerNetworks, variance: NDArray | None, Q: NDArray[np.float32], work: Workspace
    ) -> None:
        (n_v, n_h), n = networks.W.shape, len(Q)
        self._size = n * n_v * n_h
        self._rows = work.array("rows", n_h, n_v)
        self._rows[...] = networks.W.T
        # The variance of an activation is sum_j q_j (1 - q_j) w_ij**2, and q_j times the variance of w_ij.
        n_parts = 1 if variance is None else 2
        self._parts = work.array("variance_parts", n_parts * n_h, n_v)
        self._shares = work.array("variance_shares", n, n_parts * n_h)
        np.square(self._rows, out=self._parts[:n_h])
        self._variance = variance
        self._unsure = np.zeros((1, n_h), np.float32) if variance is None else work.array("unsure", n, n_h)
        if variance is not None:
            self._parts[n_h:] = variance.T
        self.Q = np.clip(Q, np.float32(MIN_MEAN_DISTANCE), np.float32(1.0 - MIN_MEAN_DISTANCE), out=Q)
        self.mean, self._xi, gamma, left = (work.array(name, n, n_v) for name in _MOMENTS)
        np.matmul(self.Q, self._rows, out=self.mean)
        self.mean += networks.b
        self.rest = gamma, left
        self._bounds = work.array("bounds", n, dtype=np.float64)

    def settle(self, X: NDArray[np.float32]) -> None:
        """Fill the variances of activations, gamma, and the residuals of the units below, X (n, n_v)."""
        n_h = self.Q.shape[1]
        np.multiply(self.Q, 1.0 - self.Q, out=self._shares[:, :n_h])
        if self._variance is not None:
            self._shares[:, n_h:] = self.Q
        np.matmul(self._shares, self._parts, out=self._xi)
        run_kernel(settle, self.mean.size, X, self.mean, self._xi, *self.rest)

    def visit(self, X: NDArray[np.float32], prior: NDArray[np.float32]) -> None:
        """Settle, then set each latent's mean in turn to its optimum, given its prior log-odds d; (n or 1,
        n_h).
        """
        self.settle(X)
        if self._variance is not None:
            np.matmul(self.rest[0], self._variance, out=self._unsure)
        args = self._rows, prior, X, self.mean, *self.rest, self._unsure, self.Q
        run_kernel(visit_latents, self._size, *args)

    def part(self, X: NDArray[np.float32], prior: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the terms of the layer in the bound (n,): E log P(x | h), the entropy of h and E d'h."""
        self._bounds[:] = 0.0
        run_kernel(add_bounds, self.mean.size, prior, X, self.Q, self.mean, self._xi, self._bounds)
        return self._bounds


class _GaussianAscent(_Ascent):
    """Means of the latents above Gaussian units of variance 1, which need no bound.

    The expected log joint itself is quadratic in the activations, with gamma 1. Kernels subtract one half
    from binary units, so that real ones are passed with one half added.
    """

    def settle(self, X: NDArray[np.float32]) -> None:
        """Fill gamma, and the residuals of the units below."""
        gamma, left = self.rest
        gamma[...] = 1.0
        np.subtract(X, self.mean + np.float32(0.5), out=left)


def _ascend(
    ascents: Sequence[_Ascent], d: NDArray[np.float32], X: NDArray[np.float32], n_sweeps: int
) -> tuple[list[NDArray], list[NDArray]]:
    """Sweep over the layers, the lowest first; return the units below each, and its prior.

    d (n_h,) is the prior of the top layer.
    """
    below = [X, *(each.Q for each in ascents[:-1])]
    # The mean activation from a layer is the prior of the layer below it.
    priors = [*(each.mean for each in ascents[1:]), d[None]]
    for _ in range(n_sweeps):
        for ascent, units, prior in zip(ascents, below, priors, strict=True):
            ascent.visit(units, prior)
    return below, priors


class _Sure(NamedTuple):
    """Weights and offsets of a layer in single precision."""

    W: NDArray[np.float32]
    b: NDArray[np.float32]


def quadratic_means(
    layers: Sequence[LayerParams], visible: str, X: NDArray, guesses: Sequence[NDArray], n_sweeps: int
) -> tuple[NDArray[np.float64], ...]:
    """Return the means of independent latents of each layer after sweeps of mean field; (n, n_h) each.

    They ascend the bound of Jaakkola and Jordan; for Gaussian visible units with one layer it is the evidence
    lower bound itself. There may be any number of layers, the lowest first.

    Parameters
    ----------
    layers : sequence of LayerParams
    visible : {"bernoulli", "gaussian"}
    X : (n, n_v)
        Images.
    guesses : sequence of (n, n_h)
        Initial means of each layer, in [0, 1].
    n_sweeps : int
        Over all layers.
    """
    sure = [_Sure(np.asarray(p.W, np.float32, order="C"), np.asarray(p.b, np.float32)) for p in layers]
    kinds = [_GaussianAscent if visible == "gaussian" else _Ascent, *[_Ascent] * (len(layers) - 1)]
    works, d = layer_workspaces(Workspace(), len(layers)), np.asarray(layers[-1].d, np.float32)
    found = [np.empty(each.shape) for each in guesses]
    for first in range(0, len(X), TOGETHER):
        rows = slice(first, first + TOGETHER)
        images = np.array(X[rows], np.float32)
        if visible == "gaussian":
            images += np.float32(0.5)
        with one_blas_thread():
            Q = [np.array(each[rows], np.float32) for each in guesses]
            made = zip(kinds, sure, Q, works, strict=True)
            ascents = [kind(layer, None, q, work) for kind, layer, q, work in made]
            _ascend(ascents, d, images, n_sweeps)
        for array, ascent in zip(found, ascents, strict=True):
            array[rows] = ascent.Q
    return tuple(found)
