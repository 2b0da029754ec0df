"""DBM as a scikit-learn estimator: a thin face over :class:`lrbn_viz.rivals.dbm.system.DBMSystem`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.fields import declare, documented, fields_of, of_both
from lrbn_viz.core.model import (
    ALL_OFF,
    ChainState,
    Graph,
    Imputed,
    LayerParams,
    Progress,
    TraceMethod,
)
from lrbn_viz.core.posterior import MAX_EXACT, LogOddsTerms
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_choice, check_clamp, check_integer, check_latents, unknown_in
from lrbn_viz.estimators.two_rbms import PARTICLES, TwoRBMs
from lrbn_viz.kernels.numerics import one_blas_thread, sigmoid, softplus
from lrbn_viz.lrbn import model
from lrbn_viz.rivals.dbm import model as dbm
from lrbn_viz.rivals.dbm.model import Means
from lrbn_viz.rivals.dbm.system import N_EVALUATION_SAMPLES, DBMSystem, Gradient
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.partition import Start, partition_weights, reverse_weights, start_of
from lrbn_viz.rivals.rbm.pseudo_likelihood import N_PIXELS
from lrbn_viz.rivals.rbm.sampling import means_given_known

_DBM = fields_of(DBMSystem)
_LOWER = replace(_DBM["n_h"], help="How many binary causes the lower layer has (n_h).")
MEAN_FIELD_SWEEPS = 50
"""Sweeps of mean field at most, in a trace."""
N_PREDICTED = 10
"""Mean-field updates for each pixel that is predicted from all others."""


@documented
@dataclass(eq=False, repr=False)
class DBM(TwoRBMs):
    """Deep Boltzmann machine: two layers of latents, all links undirected.

    It learns its layers as two RBMs, one after the other, and then together: by mean field of the images and
    persistent chains of the model. Units of one layer are not connected; a lower latent receives input from
    the image and the upper layer. Latents are inferred as means that raise a lower bound on log P(x).
    Probabilities are normalised only if h, or x and g together, have at most 20 units.

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
    takes_unknown: ClassVar[bool] = True
    system: ClassVar[type[DBMSystem]] = DBMSystem
    chain_state: ClassVar[ChainState] = "image and latents"
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {
        "mean-field": TraceMethod("Mean field", {"guess": False}, True, start=ALL_OFF, whole_only=True),
        "bottom-up": TraceMethod(
            "One pass up, then mean field", {"guess": True}, False, start=ALL_OFF, whole_only=True
        ),
    }
    mean_field_bound: ClassVar[str] = "undirected"
    mean_field_sweeps: ClassVar[int] = MEAN_FIELD_SWEEPS
    likelihoods: ClassVar[tuple[str, ...]] = ("exact", "variational", "ais", "raise", "importance")

    n_components: int | tuple[int, int] = declare(of_both(_LOWER, _DBM["n_top"]))
    _: KW_ONLY
    visible: model.Visible = declare(_DBM["visible"])
    first_share: float = declare(_DBM["first_share"])
    second_share: float = declare(_DBM["second_share"])
    gradient: Gradient = declare(_DBM["gradient"])
    n_updates: int = declare(_DBM["n_updates"])
    n_gibbs: int = declare(_DBM["n_gibbs"])
    learning_rate: float = declare(_DBM["learning_rate"])
    learning_rate_end: float | None = declare(_DBM["learning_rate_end"])
    together_rate: float = declare(_DBM["together_rate"])
    weight_decay: float = declare(_DBM["weight_decay"])
    n_particles: int | None = declare(PARTICLES)
    n_sample_sweeps: int = declare(_DBM["n_sample_sweeps"])

    # -- inference

    def infer(self, X: ArrayLike) -> tuple[NDArray, ...]:
        """Return the means of both layers by mean field, the lower one first; (n, n_h) and (n, n_top).

        Of images of which not all is known, NaN, the means are exact with up to 16 lower latents, and else
        averaged over Gibbs sampling.
        """
        return tuple(self._means(self.check_images(X)))

    def impute(self, X: ArrayLike, *, values: Imputed = "most probable") -> NDArray[np.float64]:
        """Return images in which what is not known is filled in, given the rest; (n, n_v) float64.

        Parameters
        ----------
        X : (n, n_v) array or table
            NaN is not known.
        values : {"most probable", "mean"}
            The mean of each unknown value given what is known, or the value that is more probable by it.
        """
        check_choice(values, "values", get_args(Imputed))
        images = self.check_images(X)
        mean = self._given_known(images).visibles[:, : images.shape[1]]
        found = mean > 0.5 if values == "most probable" else mean
        return self._as_table(np.where(np.isnan(images), found, images), X)

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
        image, n = self._whole(self.check_image(x), "a trace of mean field"), self.n_latents_
        check_integer(n_sweeps, "n_sweeps", 0)
        start = np.zeros(n) if init is None else check_latents(init, (n,), "init")
        held = check_clamp(clamp, n)
        return dbm.means_trace(self.layers, image.astype(np.uint8), start, held, n_sweeps, guess)

    # -- probabilities

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``log P(x, h, g) + log Z`` of each triple of rows; (n,) nats: *not* normalised."""
        return dbm.log_joint(self.layers, X, *H)

    @property
    def _upper(self) -> LayerParams:
        return self.layers[1]

    def _message_up(self, x: NDArray) -> NDArray[np.float64]:
        return np.asarray(x, np.float64) @ self.layers[0].W

    @property
    def normalised(self) -> LayerParams:
        """The RBM of all units: x and g are its visible units, h its latents."""
        return dbm.joined(self.layers)

    @property
    def sums_out_latents(self) -> bool:
        """True if log P(x) + log Z is a tractable sum, over a layer of at most 20 latents."""
        return min(self.layer_sizes_) <= rbm.MAX_ENUMERATED

    def log_marginal(self, X: NDArray) -> NDArray[np.float64]:
        """Return ``log P(x) + log Z``, a sum over the smaller layer; (n,) nats.

        Of images of which not all is known, over both layers, of at most 20 latents.
        """
        if not self.sums_out_latents:
            raise ValueError(
                f'method="exact" sums over the states of one layer: expected one of at most '
                f"{rbm.MAX_ENUMERATED} latents, got {self.layer_sizes_[0]} and {self.layer_sizes_[1]}. "
                'Use method="ais".'
            )
        if unknown_in(X) is None:
            return dbm.log_marginal(self.layers, X)
        if self.n_latents_ > MAX_EXACT:
            self._whole(X, "log P(x)")
        return super().log_marginal(X)

    def variational_bound(self, X: NDArray) -> NDArray[np.float64]:
        """Return the lower bound on ``log P(x) + log Z`` where mean field ends; (n,) nats."""
        self._whole(X, "the bound by mean field")
        return dbm.bound(self.layers, X, self._means(X))

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the pseudo-log-likelihood ``sum_i log P(x_i | all other pixels)`` of each image, nats; (n,).

        It is estimated by mean field for each pixel, over at most 64 pixels, scaled to all. It compares DBMs
        of any size with each other on the same images; it differs from that of an RBM in that mean field is
        not exact. It is not log P(x): :func:`lrbn_viz.measure.log_likelihood` gives that, with
        ``method="exact"`` for small models, "ais" or "raise".
        """
        images = self._whole(self.check_images(X), "the pseudo-likelihood")
        with one_blas_thread():
            return dbm.pseudo_log_likelihood(self.layers, images, N_PREDICTED, N_PIXELS)

    def upper_layer_gap(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the decrease of each image's bound without its own message from above, nats; (n,).

        Its lower latents then receive the upper layer's mean over all the images. Near 0 the upper layer is
        not used, and the model is nearly an RBM.
        """
        images = self._whole(self.check_images(X), "the bound by mean field")
        return dbm.upper_layer_gap(self.layers, images, self._means(images))

    def _means(self, X: NDArray) -> Means:
        unknown = unknown_in(X)
        if unknown is None:
            return dbm.mean_field(self.layers, X, N_EVALUATION_SAMPLES)
        partly, n_v = unknown.any(axis=1), X.shape[1]
        found = dbm.mean_field(self.layers, np.where(unknown, 0.0, X), N_EVALUATION_SAMPLES)
        given = self._given_known(X[partly])
        found.lower[partly], found.upper[partly] = given.latents, given.visibles[:, n_v:]
        return found

    def _given_known(self, X: NDArray) -> rbm.Means:
        """Return means given what is known of images, of the RBM of all units: upper ones are not known."""
        upper = np.full((len(X), self.layer_sizes_[1]), np.nan)
        return means_given_known(self.normalised, np.hstack([X, upper]))

    def proposal(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return the log-odds of the means of both layers, which no annealing improves."""
        lower, upper = self._means(X)
        return dbm.log_odds_of(lower), dbm.log_odds_of(upper)

    # -- annealing

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
        (low, high), means = self.layers, self._means(self._whole(X, "AIS"))
        given = LayerParams(high.W.T, high.d, X @ low.W + low.d)
        start = Start(dbm.log_odds_of(means.upper.mean(axis=0)), dbm.log_odds_of(means.lower))
        betas = np.linspace(0.0, 1.0, n_temperatures + 1)
        weights = partition_weights(given, "bernoulli", start, betas, len(X), rng, progress)
        return X @ low.b + weights

    def reverse_weights(
        self, X: NDArray, n_temperatures: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Return log weights of chains that run back from images (Burda, Grosse and Salakhutdinov 2015).

        Upper latents are drawn from mean field, ``g ~ q(g | x)``, and each weight is divided by q(g | x).
        """
        odds, joined = dbm.log_odds_of(self._means(self._whole(X, "RAISE")).upper), self.normalised
        G = (rng.random(odds.shape) < sigmoid(odds)).astype(np.float64)
        log_q = (G * odds - softplus(odds)).sum(axis=1)
        betas = np.linspace(0.0, 1.0, n_temperatures + 1)
        start = start_of(joined)
        return reverse_weights(joined, "bernoulli", start, np.hstack([X, G]), betas, rng, progress) - log_q

    # -- generation

    def pass_start(self, x: NDArray) -> NDArray[np.uint8]:
        """Return the likeliest lower latents of one pass up from an image, and no upper ones; (n,)."""
        (W, _, d), (U, _, e) = self.layers
        lower = dbm.bottom_up(np.asarray(x, np.float64)[None] @ W + d, U, d, e).lower[0]
        return np.hstack([lower > 0.5, np.zeros(len(e), bool)]).astype(np.uint8)

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log P(x, h, g) + log Z`` from ``a = W h + b`` and :meth:`prior_term`."""
        return np.maximum(a, 0).sum(axis=-1) + prior

    def prior_term(self, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``d'h + h'U g + e'g`` of latents h and g; (n,)."""
        (h, g), (_, (U, d, e)) = H, self.layers
        return h @ d + ((h @ U) * g).sum(axis=-1) + g @ e

    # -- conditionals

    def conditional_log_odds(self, X: NDArray, H: Sequence[NDArray]) -> tuple[NDArray[np.float64], ...]:
        """Return the log-odds of every unit of both layers, given x and all others; nats."""
        if unknown_in(X) is not None:
            return super().conditional_log_odds(X, H)
        return dbm.log_odds(self.layers, X, *H)

    def posterior_log_odds(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the log-odds at each sweep of a chain of each image: g given h, then h given x and g.

        Chains begin where the lower latents are drawn from a pass up. Units of one layer are not connected,
        so that these are the log-odds given all others.
        """
        (W, _, d), (U, _, e) = self.layers
        fields = self._whole(X, "its Gibbs chain") @ W + d
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
        """Return by how much each pair of latents moves each other's log-odds: U between layers, else 0.

        Lower latents move each other too where a part of x is not known.
        """
        if unknown_in(x) is not None:
            return super().interactions(x, h)
        (_, (U, _, _)), found = self.layers, np.zeros((len(h), len(h)))
        found[: len(U), len(U) :], found[len(U) :, : len(U)] = U, U.T
        return found

    def log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> LogOddsTerms:
        """Return the terms of a unit's log-odds: its prior comes from above; alone and others are 0."""
        (W, _, d), (U, _, e) = self.layers
        lower, upper = np.split(np.asarray(h, np.float64), [len(d)])
        if j < len(d) and unknown_in(x) is not None:
            terms, n_v = (
                rbm.log_odds_terms(self.normalised, np.hstack([x, upper]), lower, j, "bernoulli"),
                len(x),
            )
            above, of_x = terms.evidence[n_v:].sum(), (term[:n_v] for term in terms[1:])
            return LogOddsTerms(terms.prior + above, *of_x)
        if j < len(d):
            prior, evidence = d[j] + U[j] @ upper, W[:, j] * x
        else:
            prior, evidence = e[j - len(d)], U[:, j - len(d)] * lower
        nothing = np.zeros(len(evidence))
        return LogOddsTerms(float(prior), evidence, nothing, nothing)
