"""RBM as a scikit-learn estimator: a thin face over :class:`lrbn_viz.rivals.rbm.system.RBMSystem`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.core.model import ALL_OFF, ChainState, Graph, Imputed, LayerParams, Progress, TraceMethod
from lrbn_viz.core.posterior import (
    MAX_EXACT,
    ExactPosterior,
    LogOddsTerms,
    joints_of_independent,
    states,
    summarise,
)
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_choice, check_integer, check_numbers, generator, unknown_in
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.lrbn import model
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.centring import Gradient
from lrbn_viz.rivals.rbm.partition import partition_weights, reverse_weights, start_of
from lrbn_viz.rivals.rbm.pseudo_likelihood import (
    N_PIXELS,
    PSEUDO,
    PSEUDO_TITLE,
    predicted_pixels,
    pseudo_log_likelihood,
)
from lrbn_viz.rivals.rbm.sampling import N_SWEEPS, means_given_known
from lrbn_viz.rivals.rbm.system import Method, RBMState, RBMSystem
from lrbn_viz.rivals.rbm.trace import map_trace
from lrbn_viz.training.settings import BATCH_SIZE, PATIENCE

_RBM = fields_of(RBMSystem)

RATES: Mapping[model.Visible, float] = MappingProxyType({"bernoulli": 0.2, "gaussian": 0.01})
"""Default learning rate by the kind of visible units: a Gaussian one has no bound, and at the larger rate
training with 200 latents diverges within a pass.
"""
HALVED_AFTER = 2000.0
"""Minibatches after which the default learning rate of Bernoulli visibles is halved: at a constant one the
parameters keep moving, and after 40 passes over bars held-out images are 2 nats less likely than after 4.
"""
MIN_CHAINS = 40
"""Persistent chains by default, at least: with 10, the noise of their gradient undoes after 40 passes at a
constant rate what was learned in 10.
"""


@documented
@dataclass(eq=False, repr=False)
class RBM(LatentModel):
    """Restricted Boltzmann machine, whose latents do not explain each other away.

    It learns by the gradient of log P(x), whose model expectation is estimated with Gibbs chains.

    Attributes
    ----------
    params_ : LayerParams or GaussianParams
        W (n_v, n_h), b (n_v,), d (n_h,), and z (n_v,), log variances, where these are learned.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.RBM(8, n_iter=5, random_state=0).fit(X)
    >>> model.transform(X).shape
    (200, 8)
    >>> model.factorised  # given an image, no latent depends on another
    True
    """

    graph: ClassVar[Graph] = "undirected"
    short: ClassVar[str] = "RBM"
    factorised: ClassVar[bool] = True
    takes_unknown: ClassVar[bool] = True
    draws_passes: ClassVar[bool] = True
    chain_state: ClassVar[ChainState] = "image"
    score_name: ClassVar[str] = PSEUDO
    score_title: ClassVar[str] = f"{PSEUDO_TITLE}, of {N_PIXELS} pixels where there are more"
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {
        "factorised": TraceMethod("factorised, one pass", {}, True, start=ALL_OFF, in_part="ICM")
    }
    likelihoods: ClassVar[tuple[str, ...]] = ("exact", "ais", "raise")

    n_components: int = declare(_RBM["n_h"])
    _: KW_ONLY
    visible: model.Visible = declare(_RBM["visible"])
    variance: rbm.Variance = declare(_RBM["variance"])
    method: Method = declare(_RBM["method"])
    gradient: Gradient = declare(_RBM["gradient"], "centred")
    n_gibbs: int = declare(_RBM["n_gibbs"])
    n_temperatures: int = declare(_RBM["n_temperatures"])
    learning_rate: float | None = declare(
        _RBM["learning_rate"],
        None,
        none=f"{RATES['bernoulli']}, or {RATES['gaussian']} with Gaussian visibles",
        unset="auto",
    )
    decay_steps: float | None = declare(
        _RBM["decay_steps"],
        None,
        none=f"{HALVED_AFTER:g} with Bernoulli visibles if the rest of the learning rate is the default, "
        "else inf",
        unset="auto",
    )
    learning_rate_end: float | None = declare(_RBM["learning_rate_end"])
    adaptive_rate: bool = declare(_RBM["adaptive_rate"])
    average: float = declare(_RBM["average"])
    weight_decay: float = declare(_RBM["weight_decay"])
    batch_size: int = declare(BATCH_SIZE, 10)
    n_particles: int | None = declare(
        _RBM["n_particles"], None, none=f"as many as a minibatch has images, at least {MIN_CHAINS}"
    )
    n_sample_sweeps: int = declare(_RBM["n_sample_sweeps"])
    patience: int | None = declare(PATIENCE)

    @classmethod
    def _completed(cls, low: LayerParams, given: dict[str, Any]) -> LayerParams | rbm.GaussianParams:
        """Return the parameters, with the log variances where they are learned."""
        z = given.pop("z", None)
        if z is None and given.get("variance", "fixed") == "fixed":
            return low
        if given.setdefault("variance", "learned") == "fixed":
            raise ValueError(
                'z holds log variances; expected none with variance="fixed". Leave variance out, or z.'
            )
        z = np.zeros(low.n_v) if z is None else np.array(check_numbers(z, "z"))
        if z.shape != (low.n_v,):
            raise ValueError(f"z has shape {z.shape}; expected ({low.n_v},), since W gives n_v = {low.n_v}.")
        with np.errstate(over="ignore"):
            if not np.isfinite([np.exp(z), np.exp(-z)]).all():
                raise ValueError(
                    "z holds NaN or log variances out of range; expected exp(z) finite and above 0."
                )
        z.flags.writeable = False
        return rbm.GaussianParams(*low, z)

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shape of z, where variances are learned."""
        return {"z": (layer.n_v,)} if settings.get("variance") == "learned" else {}

    @classmethod
    def _params_of(cls, state: RBMState) -> LayerParams | rbm.GaussianParams:
        layer = LayerParams(*(np.asarray(array, np.float64) for array in state[:3]))
        z = rbm.log_variances(state)
        return layer if z is None else rbm.GaussianParams(*layer, np.asarray(z, np.float64))

    @classmethod
    def _layers_in(cls, params: LayerParams | rbm.GaussianParams) -> tuple[LayerParams, ...]:
        return (LayerParams(*params[:3]),)

    def _by_name(self) -> dict[str, NDArray]:
        return self.params_._asdict()

    @property
    def deviations_(self) -> NDArray[np.float64] | None:
        """Standard deviations of the visibles given the latents, (n_v,), where they are learned."""
        return rbm.deviations(self.params_)

    def make_system(self) -> RBMSystem:
        """Return the training system, with the current settings."""
        shared = self._shared_with(RBMSystem)
        shared["n_particles"] = self.n_particles or max(self.batch_size, MIN_CHAINS)
        if self.learning_rate is None:
            shared["learning_rate"] = RATES[self.visible]
        if self.decay_steps is None:
            chosen = self.learning_rate, self.learning_rate_end
            falls = self.visible == "bernoulli" and chosen == (None, None) and not self.adaptive_rate
            shared["decay_steps"] = HALVED_AFTER if falls else math.inf
        return RBMSystem(n_h=self.n_components, **shared)

    def state_from(self, params: LayerParams, rng: np.random.Generator) -> RBMState:
        """Return a state of training that begins at given parameters."""
        return self.make_system().resume(params, rng)

    def posterior(self, X: ArrayLike, n_sweeps: int = N_SWEEPS) -> NDArray[np.float64]:
        """Return ``P(h_j = 1 | x)`` of each latent, (n, n_h); exact if all of x is known.

        Where it is not, the latents depend on each other. Up to 16 of them are enumerated; the probabilities
        of more are means over `n_sweeps` of Gibbs sampling, of a fixed seed.
        """
        images = self.check_images(X)
        check_integer(n_sweeps, "n_sweeps", 1)
        if unknown_in(images) is None:
            return rbm.posterior(self.params_, images)
        return self._means(images, n_sweeps).latents

    def infer(self, X: ArrayLike) -> tuple[NDArray[np.uint8], ...]:
        """Return the more probable state of each latent, (n, n_h) uint8: the MAP state if all of x is known.

        Where it is not, that of its probability, as :meth:`posterior` finds it.
        """
        X = self.check_images(X)
        if unknown_in(X) is None:
            return ((rbm.log_odds(self.params_, X) > 0).astype(np.uint8),)
        return ((self._means(X).latents > 0.5).astype(np.uint8),)

    def _probabilities(self, X: ArrayLike) -> tuple[NDArray[np.float64], ...]:
        return (self.posterior(X),)

    def _means(self, X: NDArray, n_sweeps: int = N_SWEEPS) -> rbm.Means:
        """Return means of latents and visible units given what is known of checked images."""
        partly = np.isnan(X).any(axis=1)
        p = rbm.posterior(self.params_, np.where(np.isnan(X), 0.0, X))
        found = rbm.Means(p, rbm.visible_mean(self.params_, p > 0.5, self.visible))
        few = means_given_known(self.params_, X[partly], self.visible, n_sweeps)
        found.latents[partly], found.visibles[partly] = few
        return found

    def impute(
        self, X: ArrayLike, *, values: Imputed = "most probable", n_sweeps: int = N_SWEEPS
    ) -> NDArray[np.float64]:
        """Return images in which what is not known is filled in, given the rest; (n, n_v) float64.

        Parameters
        ----------
        X : (n, n_v) array or table
            NaN is not known.
        values : {"most probable", "mean"}
            The mean of each unknown value given what is known, or the value that is more probable by it.
        n_sweeps : int
            Sweeps of Gibbs sampling over which the means of more than 16 latents are averaged.
        """
        check_choice(values, "values", get_args(Imputed))
        images = self.check_images(X)
        mean = self._means(images, check_integer(n_sweeps, "n_sweeps", 1)).visibles
        binary = self.visible == "bernoulli" and values == "most probable"
        return self._as_table(np.where(np.isnan(images), mean > 0.5 if binary else mean, images), X)

    def gibbs(self, X: ArrayLike, random_state: Any = None) -> NDArray:
        """Draw an image after one step of Gibbs sampling from each: latents given x, then x given these.

        Parameters
        ----------
        X : (n, n_v) array
        random_state : int, Generator or None

        Returns
        -------
        (n, n_v) array
            uint8 for Bernoulli units, float64 for Gaussian ones.
        """
        rng, p = generator(random_state), self.posterior(X)
        mean = self.inverse_transform((rng.random(p.shape) < p).astype(np.uint8))
        if self.visible == "gaussian":
            return self.draw_around(mean, rng)
        return (rng.random(mean.shape) < mean).astype(np.uint8)

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``log P(x, h) + log Z`` of each pair of rows, nats: *not* normalised. Equation: (4), (7)."""
        return rbm.log_joint(self.params_, X, H[0], self.visible)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the pseudo-log-likelihood ``sum_i log P(x_i | all other pixels)`` of each image, nats; (n,).

        It is exact over all pixels; for more than 64 Gaussian visibles it is the sum over 64 of them, scaled
        to all. It compares RBMs of any size with each other on the same images; it is neither log P(x) nor a
        bound on it: :func:`lrbn_viz.measure.log_likelihood` gives that, with ``method="exact"`` for small
        models, "ais" or "raise".
        """
        images = self._whole(self.check_images(X), "the pseudo-likelihood")
        pixels = None if self.visible == "bernoulli" else predicted_pixels(images.shape[1])
        return pseudo_log_likelihood(self.params_, images, self.visible, pixels)

    def map_trace(self, x: ArrayLike) -> ICMTrace:
        """Return the factorised inference of one image: one visit per latent, after which nothing changes.

        It starts with all latents off; ``log_joint`` is not normalised. Of an x known in part it is ICM.
        """
        shown = self._shown(self.check_image(x))
        return map_trace(self.params_, shown, self.visible)

    # -- what it offers beside

    def log_normaliser(self) -> float | None:
        """Return log Z, by enumeration of a layer of at most 20 units; None where both have more."""
        enumerable = self.params_.n_h if self.visible == "gaussian" else min(self.params_.W.shape)
        return None if enumerable > rbm.MAX_ENUMERATED else rbm.log_partition(self.params_, self.visible)

    @property
    def sums_out_latents(self) -> bool:
        """True if `log_marginal` can sum over all latents; always true, as the sum has a closed form."""
        return True

    def log_marginal(self, X: NDArray) -> NDArray[np.float64]:
        """Return ``log P(x) + log Z`` in closed form: minus the free energy.

        Of images of which not all is known, by enumeration of at most 20 latents.
        """
        if unknown_in(X) is None:
            return -rbm.free_energy(self.params_, X, self.visible)
        if self.params_.n_h > MAX_EXACT:
            self._whole(X, "log P(x)")
        return super().log_marginal(X)

    def annealed_normaliser(
        self, n_temperatures: int, n_chains: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Return log weights of chains whose mean weight is Z (Salakhutdinov and Murray 2008)."""
        betas, start = np.linspace(0.0, 1.0, n_temperatures + 1), start_of(self.params_, self.visible)
        return partition_weights(self.params_, self.visible, start, betas, n_chains, rng, progress)

    def reverse_weights(
        self, X: NDArray, n_temperatures: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Return log weights of chains that run back from images (Burda, Grosse and Salakhutdinov 2015)."""
        self._whole(X, "RAISE")
        betas, start = np.linspace(0.0, 1.0, n_temperatures + 1), start_of(self.params_, self.visible)
        return reverse_weights(self.params_, self.visible, start, X, betas, rng, progress)

    def exact_posterior(self, x: NDArray) -> ExactPosterior:
        """Return P(h | x) of every state; ``log_joints`` and ``log_evidence`` lack the constant log Z."""
        if self.params_.n_h > MAX_EXACT:
            raise ValueError(
                f"exact_posterior enumerates 2**n_h states: expected n_h <= {MAX_EXACT}, "
                f"got {self.params_.n_h}. An RBM's posterior factorises: posterior(X) is exact at any size."
            )
        if self.visible == "bernoulli":
            W, b, d = self.params_[:3]
            return summarise(joints_of_independent(W, b, d, x))
        return summarise(self.joint(x[None], (states(self.params_.n_h),)))

    def conditional_log_odds(self, X: NDArray, H: Any) -> tuple[NDArray[np.float64], ...]:
        """Return ``w_j'x + d_j``, whatever the other latents are, if all of x is known."""
        if unknown_in(X) is None:
            return (rbm.log_odds(self.params_, X),)
        return super().conditional_log_odds(X, H)

    def interactions(self, x: NDArray, h: NDArray) -> NDArray[np.float64]:
        """Return zeros: given x no latent moves another, unless a part of x is not known."""
        return np.zeros((len(h), len(h))) if unknown_in(x) is None else super().interactions(x, h)

    def log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> LogOddsTerms:
        """Return the prior and the evidence; alone and others are 0, of visible units that are known."""
        if unknown_in(x) is not None:
            return rbm.log_odds_terms(self.params_, x, h, j, self.visible)
        w = self.params_.W[:, j]
        evidence = w * x if self.deviations_ is None else w * x / self.deviations_**2
        return LogOddsTerms(float(self.params_.d[j]), evidence, np.zeros(len(x)), np.zeros(len(x)))

    def pass_probabilities(self, x: NDArray | None) -> NDArray[np.float64]:
        """Return P(h_j = 1 | x) of the image before."""
        return rbm.posterior(self.params_, np.asarray(x))

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log P(x, h) + log Z`` from ``a = W h + b`` and ``prior = d'h``."""
        if self.visible == "bernoulli":
            return np.maximum(a, 0).sum(axis=-1) + prior
        # -|x - b|^2 / 2 + x'(a - b), largest at x = a; each pixel's by its variance
        most = 0.5 * (a**2 - self.params_.b**2)
        return (most if self.deviations_ is None else most / self.deviations_**2).sum(axis=-1) + prior
