"""DBM as a scikit-learn estimator: a thin face over :class:`lrbn_viz.rivals.dbm.system.DBMSystem`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.core.fields import declare, documented, fields_of, of_both
from lrbn_viz.core.model import (
    ALL_OFF,
    ChainState,
    Graph,
    LayerParams,
    Model,
    PassInput,
    Progress,
    TraceMethod,
    draw_binary,
)
from lrbn_viz.core.posterior import LogOddsTerms
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_clamp, check_integer, check_latents
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.estimators.parameters import lowest_layer, upper_layer
from lrbn_viz.kernels.numerics import one_blas_thread, sigmoid, softplus
from lrbn_viz.lrbn import model
from lrbn_viz.rivals.dbm import model as dbm
from lrbn_viz.rivals.dbm.model import DBMParams, Means
from lrbn_viz.rivals.dbm.system import N_EVALUATION_SAMPLES, DBMState, DBMSystem, Gradient
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.partition import Start, partition_weights, reverse_weights, start_of
from lrbn_viz.rivals.rbm.pseudo_likelihood import N_PIXELS, PSEUDO, PSEUDO_TITLE, VALIDATED_PIXELS
from lrbn_viz.training.settings import BATCH_SIZE, BINARIZE, N_ITER, RANDOM_STATE, VALIDATION_SIZE

_DBM = fields_of(DBMSystem)
_LOWER = replace(_DBM["n_h"], help="How many binary causes the lower layer has (n_h).")
MEAN_FIELD_SWEEPS = 50
"""Sweeps of mean field at most, in a trace."""
N_PREDICTED = 10
"""Mean-field updates for each pixel that is predicted from all others."""


@documented
@dataclass(eq=False, repr=False)
class DBM(LatentModel):
    """Deep Boltzmann machine: two layers of latents, all links undirected.

    It learns its layers as two RBMs, one after the other, and then together: by mean field of the images and
    persistent chains of the model. Units of one layer are not connected; a lower latent receives input from
    the image and the upper layer. Latents are inferred as means that raise a lower bound on log P(x).
    Probabilities are normalised only if h, or x and g together, have at most 20 units.

    Attributes
    ----------
    params_ : DBMParams
        W (n_v, n_h), b (n_v,), d (n_h,) of the lower layer; U (n_h, n_top), e (n_top,) of the upper one.

    References
    ----------
    R. Salakhutdinov and G. E. Hinton (2009). Deep Boltzmann machines. AISTATS.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.DBM((8, 4), n_iter=5, random_state=0).fit(X)
    >>> lower, upper = model.infer(X)
    >>> lower.shape, upper.shape
    ((200, 8), (200, 4))
    """

    graph: ClassVar[Graph] = "undirected"
    short: ClassVar[str] = "DBM"
    several_layers: ClassVar[bool] = True
    draws_passes: ClassVar[bool] = True
    chain_state: ClassVar[ChainState] = "image and latents"
    score_name: ClassVar[str] = PSEUDO
    score_title: ClassVar[str] = f"{PSEUDO_TITLE}, of {VALIDATED_PIXELS} pixels"
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {
        "mean-field": TraceMethod("Mean field", {"guess": False}, True, start=ALL_OFF),
        "bottom-up": TraceMethod("One pass up, then mean field", {"guess": True}, False, start=ALL_OFF),
    }
    trace_options: ClassVar[frozenset[str]] = frozenset({"clamp"})
    mean_field_bound: ClassVar[str] = "undirected"
    mean_field_sweeps: ClassVar[int] = MEAN_FIELD_SWEEPS
    likelihoods: ClassVar[tuple[str, ...]] = ("exact", "variational", "ais", "raise", "importance")
    patience = None
    """Training has stages, of which the first need not raise the score: no early stopping."""

    n_components: int | tuple[int, int] = declare(of_both(_LOWER, _DBM["n_top"]))
    _: KW_ONLY
    visible: model.Visible = declare(_DBM["visible"])
    binarize: float | None = declare(BINARIZE)
    first_share: float = declare(_DBM["first_share"])
    second_share: float = declare(_DBM["second_share"])
    gradient: Gradient = declare(_DBM["gradient"])
    n_updates: int = declare(_DBM["n_updates"])
    n_gibbs: int = declare(_DBM["n_gibbs"])
    learning_rate: float = declare(_DBM["learning_rate"])
    learning_rate_end: float | None = declare(_DBM["learning_rate_end"])
    together_rate: float = declare(_DBM["together_rate"])
    weight_decay: float = declare(_DBM["weight_decay"])
    batch_size: int = declare(BATCH_SIZE, 20)
    n_iter: int = declare(N_ITER, 10)
    n_particles: int | None = declare(_DBM["n_particles"], None, none="as many as a minibatch has images")
    n_sample_sweeps: int = declare(_DBM["n_sample_sweeps"])
    validation_size: int = declare(VALIDATION_SIZE, 100)
    random_state: Any = declare(RANDOM_STATE)

    def make_system(self) -> DBMSystem:
        """Return the training system, with the current settings."""
        shared = self._shared_with(DBMSystem)
        shared["n_particles"] = self.n_particles or self.batch_size
        n_h, n_top = self._each_layer(self.n_components)
        return DBMSystem(n_h=n_h, n_top=n_top, **shared)

    # -- parameters

    @classmethod
    def from_params(
        cls,
        W: ArrayLike,
        b: ArrayLike,
        d: ArrayLike,
        visible: model.Visible = "bernoulli",
        *,
        U: ArrayLike,
        e: ArrayLike,
        **settings: Any,
    ):
        """Return a model with given parameters.

        Parameters
        ----------
        W : (n_v, n_h) array
        b : (n_v,) array
        d : (n_h,) array
        visible : {"bernoulli"}
        U : (n_h, n_top) array
            Weights between the lower and the upper latents.
        e : (n_top,) array
        **settings
            Any other setting of the class.
        """
        low = lowest_layer(W, b, d)
        top = upper_layer(low, U, e)
        params = DBMParams(*low, top.W, top.d)
        return cls._made_of(params, visible, settings)

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of U and e; as many upper latents as the file has."""
        return {"U": (layer.n_h, None), "e": (None,)}

    def with_layers(self, layers: Sequence[LayerParams]) -> Model:
        """Return a model of this kind with other parameters: those of both layers, the lower one first."""
        low, high = layers
        return self.from_params(*low, visible=self.visible, U=high.W, e=high.d).named_as(self)

    def state_from(self, params: DBMParams, rng: np.random.Generator) -> DBMState:
        """Return a state of training that begins at given parameters; all layers learn together."""
        return self.make_system().resume(params, rng)

    @classmethod
    def _params_of(cls, state: DBMState) -> DBMParams:
        return state.params

    @property
    def networks(self) -> DBMParams:
        """Parameters of both layers."""
        check_is_fitted(self, "params_")
        found: Any = self.params_
        return found

    @property
    def layers(self) -> tuple[LayerParams, ...]:
        """W, b and d of the lower layer, and U, d and e of the upper one, whose units below are the lower."""
        return self.networks.layers

    # -- inference

    def infer(self, X: ArrayLike) -> tuple[NDArray, ...]:
        """Return the means of both layers by mean field, the lower one first; (n, n_h) and (n, n_top)."""
        return tuple(self._means(self.check_images(X)))

    def reconstruct(self, X: ArrayLike, *, layer: int = 1) -> NDArray:
        """Return ``argmax_x P(x | h)`` at the means of the lower latents; (n, n_v) uint8.

        Parameters
        ----------
        layer : int
            1: upper latents affect x only through the lower ones, and have no reconstruction of their own.
        """
        check_integer(layer, "layer", 1, 1)
        return self.most_probable(np.hstack(self.infer(X)))

    def map_trace(
        self,
        x: ArrayLike,
        *,
        n_sweeps: int = mean_field_sweeps,
        guess: bool = False,
        init: ArrayLike | None = None,
        clamp: Mapping[int, int] | None = None,
    ) -> ICMTrace:
        """Record mean field of one image's latents, unit by unit and layer by layer.

        ``log_joint`` of the trace is a lower bound on ``log P(x) + log Z``.

        Parameters
        ----------
        x : (n_v,) array
            One flattened image.
        n_sweeps : int
            Sweeps of mean field at most; they never lower the bound.
        guess : bool
            True if one pass from the image up comes first, in which the image counts twice. It does not know
            the bound, and may lower it.
        init : (n_h + n_top,) array, optional
            States to begin from, the lower latents' first; all off when None.
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``; units are numbered through both layers.
        """
        image, n = self.check_image(x), self.n_latents_
        check_integer(n_sweeps, "n_sweeps", 0)
        start = np.zeros(n) if init is None else check_latents(init, (n,), "init")
        held = check_clamp(clamp, n)
        return dbm.means_trace(self.networks, image.astype(np.uint8), start, held, n_sweeps, guess)

    # -- probabilities

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``log P(x, h, g) + log Z`` of each triple of rows; (n,) nats: *not* normalised."""
        return dbm.log_joint(self.networks, X, *H)

    def log_normaliser(self) -> float | None:
        """Return log Z, a sum over h, or over x and g, of at most 20 units; None where both are more."""
        joined = self.networks.joined
        return None if min(joined.W.shape) > rbm.MAX_ENUMERATED else rbm.log_partition(joined)

    @property
    def sums_out_latents(self) -> bool:
        """True if log P(x) + log Z is a tractable sum, over a layer of at most 20 latents."""
        return min(self.layer_sizes_) <= rbm.MAX_ENUMERATED

    def log_marginal(self, X: NDArray) -> NDArray[np.float64]:
        """Return ``log P(x) + log Z``, a sum over the smaller layer; (n,) nats."""
        if not self.sums_out_latents:
            raise ValueError(
                f'method="exact" sums over the states of one layer: expected one of at most '
                f"{rbm.MAX_ENUMERATED} latents, got {self.layer_sizes_[0]} and {self.layer_sizes_[1]}. "
                'Use method="ais".'
            )
        return dbm.log_marginal(self.networks, X)

    def variational_bound(self, X: NDArray) -> NDArray[np.float64]:
        """Return the lower bound on ``log P(x) + log Z`` where mean field ends; (n,) nats."""
        return dbm.bound(self.networks, X, self._means(X))

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the pseudo-log-likelihood ``sum_i log P(x_i | all other pixels)`` of each image, nats; (n,).

        It is estimated by mean field for each pixel, over at most 64 pixels, scaled to all. It compares DBMs
        of any size with each other on the same images; it differs from that of an RBM in that mean field is
        not exact. It is not log P(x): :func:`lrbn_viz.measure.log_likelihood` gives that, with
        ``method="exact"`` for small models, "ais" or "raise".
        """
        images = self.check_images(X)
        with one_blas_thread():
            return dbm.pseudo_log_likelihood(self.networks, images, N_PREDICTED, N_PIXELS)

    def upper_layer_gap(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the decrease of each image's bound without its own message from above, nats; (n,).

        Its lower latents then receive the upper layer's mean over all the images. Near 0 the upper layer is
        not used, and the model is nearly an RBM.
        """
        images = self.check_images(X)
        return dbm.upper_layer_gap(self.networks, images, self._means(images))

    def _means(self, X: NDArray) -> Means:
        return dbm.mean_field(self.networks, X, N_EVALUATION_SAMPLES)

    def proposal(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return the log-odds of the means of both layers, which no annealing improves."""
        lower, upper = self._means(X)
        return dbm.log_odds_of(lower), dbm.log_odds_of(upper)

    # -- annealing

    def annealed_normaliser(
        self, n_temperatures: int, n_chains: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Return log weights of chains whose mean weight is Z (Salakhutdinov and Hinton 2009)."""
        betas, joined = np.linspace(0.0, 1.0, n_temperatures + 1), self.networks.joined
        return partition_weights(joined, "bernoulli", start_of(joined), betas, n_chains, rng, progress)

    def annealed_weights(
        self,
        X: NDArray,
        n_temperatures: int,
        rng: np.random.Generator,
        *,
        posterior: Sequence[NDArray[np.uint8]] | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Return log weights whose mean weight is ``P(x) Z``, one chain per image; (n,).

        Given x the latents are an RBM, whose normaliser is annealed, from the means of mean field on. There
        are no exact samples of the `posterior`.
        """
        if posterior is not None:
            self.refuse("annealing back from the posterior", "it has no exact samples of it")
        params, means = self.networks, self._means(X)
        given = LayerParams(params.U.T, params.e, X @ params.W + params.d)
        start = Start(dbm.log_odds_of(means.upper.mean(axis=0)), dbm.log_odds_of(means.lower))
        betas = np.linspace(0.0, 1.0, n_temperatures + 1)
        weights = partition_weights(given, "bernoulli", start, betas, len(X), rng, progress)
        return X @ params.b + weights

    def reverse_weights(
        self, X: NDArray, n_temperatures: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Return log weights of chains that run back from images (Burda, Grosse and Salakhutdinov 2015).

        Upper latents are drawn from mean field, ``g ~ q(g | x)``, and each weight is divided by q(g | x).
        """
        odds, joined = dbm.log_odds_of(self._means(X).upper), self.networks.joined
        G = (rng.random(odds.shape) < sigmoid(odds)).astype(np.float64)
        log_q = (G * odds - softplus(odds)).sum(axis=1)
        betas = np.linspace(0.0, 1.0, n_temperatures + 1)
        start = start_of(joined)
        return reverse_weights(joined, "bernoulli", start, np.hstack([X, G]), betas, rng, progress) - log_q

    # -- generation

    def pass_start(self, x: NDArray) -> NDArray[np.uint8]:
        """Return the likeliest lower latents of one pass up from an image, and no upper ones; (n,)."""
        W, _, d, U, e = self.networks
        lower = dbm.bottom_up(np.asarray(x, np.float64)[None] @ W + d, U, d, e).lower[0]
        return np.hstack([lower > 0.5, np.zeros(len(e), bool)]).astype(np.uint8)

    def draw_pass(self, given: PassInput) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return one sweep of the Gibbs chain: g given h, then h given g and the image; both (n,)."""
        W, _, d, U, e = self.networks
        x, before, uniforms, held = given
        n_h = self.networks.n_h
        upper = sigmoid(before[:n_h] @ U + e)
        g = draw_binary(uniforms[n_h:], upper, held, n_h)
        lower = sigmoid(np.asarray(x, np.float64) @ W + U @ g + d)
        return np.hstack([draw_binary(uniforms[:n_h], lower, held), g]), np.hstack([lower, upper])

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log P(x, h, g) + log Z`` from ``a = W h + b`` and :meth:`prior_term`."""
        return np.maximum(a, 0).sum(axis=-1) + prior

    def prior_term(self, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``d'h + h'U g + e'g`` of latents h and g; (n,)."""
        (h, g), params = H, self.networks
        return h @ params.d + ((h @ params.U) * g).sum(axis=-1) + g @ params.e

    # -- conditionals

    def conditional_log_odds(self, X: NDArray, H: Sequence[NDArray]) -> tuple[NDArray[np.float64], ...]:
        """Return the log-odds of every unit of both layers, given x and the other layer; nats."""
        return dbm.log_odds(self.networks, X, *H)

    def posterior_log_odds(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the log-odds at each sweep of a chain of each image: g given h, then h given x and g.

        Chains begin where the lower latents are drawn from a pass up. Units of one layer are not connected,
        so that these are the log-odds given all others.
        """
        W, _, d, U, e = self.networks
        fields = X @ W + d
        h = (rng.random(fields.shape) < dbm.bottom_up(fields, U, d, e).lower).astype(np.float64)
        found = np.empty((n_sweeps, len(X), self.n_latents_))
        for at in found:
            upper = h @ U + e
            g = (rng.random(upper.shape) < sigmoid(upper)).astype(np.float64)
            lower = fields + g @ U.T
            h = (rng.random(lower.shape) < sigmoid(lower)).astype(np.float64)
            at[:] = np.hstack([lower, upper])
        return found

    def interactions(self, x: NDArray, h: NDArray) -> NDArray[np.float64]:
        """Return by how much each pair of latents moves each other's log-odds: U between layers, else 0."""
        n_h, found = self.networks.n_h, np.zeros((len(h), len(h)))
        found[:n_h, n_h:], found[n_h:, :n_h] = self.networks.U, self.networks.U.T
        return found

    def log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> LogOddsTerms:
        """Return the terms of a unit's log-odds: its prior comes from above; alone and others are 0."""
        params = self.networks
        lower, upper = np.split(np.asarray(h, np.float64), [params.n_h])
        if j < params.n_h:
            prior, evidence = params.d[j] + params.U[j] @ upper, params.W[:, j] * x
        else:
            prior, evidence = params.e[j - params.n_h], params.U[:, j - params.n_h] * lower
        nothing = np.zeros(len(evidence))
        return LogOddsTerms(float(prior), evidence, nothing, nothing)
