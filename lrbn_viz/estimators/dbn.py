"""DBN as a scikit-learn estimator: a thin face over :class:`lrbn_viz.rivals.dbn.system.DBNSystem`."""

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
    TraceMethod,
)
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE, LogOddsTerms
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_clamp, check_integer, check_latents, generator
from lrbn_viz.estimators.parameters import networks_of, taken, upper_layer
from lrbn_viz.estimators.two_rbms import PARTICLES, TwoRBMs
from lrbn_viz.kernels.numerics import one_blas_thread, sigmoid, softplus
from lrbn_viz.lrbn import exact, model
from lrbn_viz.lrbn.batch_kernel import batch_log_odds
from lrbn_viz.rivals.dbn import model as dbn
from lrbn_viz.rivals.dbn.model import DBNParams, TopMoments
from lrbn_viz.rivals.dbn.system import N_EVALUATION_SAMPLES, DBNSystem
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.centring import Gradient
from lrbn_viz.rivals.rbm.partition import reverse_weights, start_of
from lrbn_viz.rivals.rbm.pseudo_likelihood import N_PIXELS
from lrbn_viz.rivals.rbm.system import Method
from lrbn_viz.rivals.rbm.tempering import tempered_sweeps
from lrbn_viz.rivals.sbn.model import (
    LayerNetworks,
    check_seen,
    networks_for,
    proposed,
    recognition_log_odds,
    recognition_trace,
)

_DBN = fields_of(DBNSystem)
_LOWER = replace(_DBN["n_h"], help="How many binary causes explain an image: those of the lower layer (n_h).")
MEAN_FIELD_SWEEPS = 20
"""Sweeps of mean field at most, after the recognition network's pass."""
POSTERIOR_SWEEPS = 300
"""Sweeps of Gibbs sampling from which probabilities of many latents are averaged."""
CHAIN_TEMPERATURES, CHAIN_SWEEPS = 10, 500
"""Numbers of temperatures and sweeps of the chains that draw images together with their latents."""


@documented
@dataclass(eq=False, repr=False)
class DBN(TwoRBMs):
    """Deep belief network: a directed sigmoid layer below an RBM.

    It learns layer by layer, each as an RBM, and then by the up-down algorithm. Its latents are the lower
    ones: the upper ones are summed out in all probabilities, so that they act as a prior under which the
    lower latents are not independent. A recognition network predicts the lower latents in one pass.
    Probabilities are normalised only if a layer of the RBM on top has at most 20 units.

    Attributes
    ----------
    params_ : DBNParams
        `directed`, W (n_v, n_h), b (n_v,) and d (n_h,) of the directed layer, and V (n_v, n_h) and c (n_h,)
        of the recognition network; `top`, the RBM on top, whose W (n_h, n_top) and d (n_top,)
        :meth:`from_params` calls U and e, and whose b is the d of the directed layer.

    References
    ----------
    G. E. Hinton, S. Osindero and Y. W. Teh (2006). A fast learning algorithm for deep belief nets. Neural
    Computation 18, 1527-1554.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.DBN((8, 4), n_iter=5, random_state=0).fit(X)
    >>> model.transform(X).shape, model.transform_top(X).shape
    ((200, 8), (200, 4))
    """

    graph: ClassVar[Graph] = "mixed"
    short: ClassVar[str] = "DBN"
    system: ClassVar[type[DBNSystem]] = DBNSystem
    chain_state: ClassVar[ChainState] = "latents"
    takes_unknown: ClassVar[bool] = True
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {
        "recognition": TraceMethod("Bottom-up, one pass", {}, False, start=ALL_OFF, whole_only=True),
        "mean-field": TraceMethod(
            "Bottom-up, then mean field",
            {"n_sweeps": MEAN_FIELD_SWEEPS},
            False,
            start=ALL_OFF,
            in_part="Mean field",
        ),
    }
    """The player's cards compute the terms of a unit from W, b and d: they do not know the upper layer."""
    mean_field_bound: ClassVar[str] = "top"
    likelihoods: ClassVar[tuple[str, ...]] = ("exact", "importance")

    n_components: int | tuple[int, int] = declare(of_both(_LOWER, _DBN["n_top"]))
    _: KW_ONLY
    visible: model.Visible = declare(_DBN["visible"])
    first_share: float = declare(_DBN["first_share"])
    up_down_share: float = declare(_DBN["up_down_share"])
    method: Method = declare(_DBN["method"])
    gradient: Gradient = declare(_DBN["gradient"])
    n_gibbs: int = declare(_DBN["n_gibbs"])
    learning_rate: float = declare(_DBN["learning_rate"])
    learning_rate_end: float | None = declare(_DBN["learning_rate_end"])
    up_down_rate: float = declare(_DBN["up_down_rate"])
    n_particles: int | None = declare(PARTICLES)
    n_sample_sweeps: int = declare(_DBN["n_sample_sweeps"])

    # -- parameters

    @classmethod
    def _completed(cls, low: LayerParams, given: dict[str, Any]) -> DBNParams:
        V, c, U, e = taken(given, "VcUe", cls.__name__)
        (directed,) = networks_of([low], [("V", V), ("c", c)])
        return DBNParams(directed, upper_layer(low, U, e))

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of V, c, U and e; as many upper latents as the file has."""
        return {"V": layer.W.shape, "c": layer.d.shape, **super().more_shapes(layer, settings)}

    @classmethod
    def _layers_in(cls, params: DBNParams) -> tuple[LayerParams, ...]:
        return (params.directed.generative,)

    @classmethod
    def _sizes_of(cls, params: DBNParams) -> dict[str, Any]:
        return {"n_components": (params.directed.n_h, params.top.n_h)}

    def _by_name(self) -> dict[str, NDArray]:
        return self.networks.by_name()

    @property
    def networks(self) -> DBNParams:
        """Parameters of all networks."""
        check_is_fitted(self, "params_")
        found: Any = self.params_
        return found

    @property
    def recognition_layers(self) -> tuple[LayerNetworks, ...]:
        """Parameters of the directed layer and of its recognition network."""
        return (self.networks.directed,)

    @property
    def top_layer(self) -> LayerParams:
        """The RBM on top: its weights U, the biases of the lower latents and those of the upper ones."""
        return self.networks.top

    # -- inference

    def infer(self, X: ArrayLike) -> tuple[NDArray[np.float64], ...]:
        """Return the means of q(h | x), the recognition network's prediction; (n, n_h)."""
        images = self.check_images(X)
        self._check_seen(images)
        return (sigmoid(recognition_log_odds(self.networks.directed, images)),)

    def _check_seen(self, X: NDArray) -> None:
        """Raise ValueError if a part of an image is not known, NaN."""
        check_seen(
            X, "DBN", "mean field, with map_trace(x, n_sweeps=20), or by Gibbs sampling, with posterior"
        )

    def posterior(
        self, X: ArrayLike, *, n_sweeps: int = POSTERIOR_SWEEPS, random_state: Any = 0
    ) -> NDArray[np.float64]:
        """Return P(h_j = 1 | x) of the lower latents, (n, n_h): exactly up to 16 of them.

        Else averaged over the last two thirds of `n_sweeps` of Gibbs sampling. In `X`, (n, n_v), NaN is not
        known.
        """
        images = self.check_images(X)
        check_integer(n_sweeps, "n_sweeps", 3)
        if self.n_latents_ <= MAX_EXACT_INTERACTIVE:
            return np.array([self.exact_posterior(x).marginals for x in images])
        odds = self.posterior_log_odds(images, n_sweeps, generator(random_state))
        return sigmoid(odds[n_sweeps // 3 :]).mean(axis=0)

    def _to_impute(self, X: ArrayLike, **options: Any) -> NDArray:
        return self.posterior(X, **options)

    def transform_top(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the means of the upper latents given those of the lower ones; shape (n, n_top)."""
        return rbm.posterior(self.networks.top, self.infer(X)[0])

    def map_trace(
        self,
        x: ArrayLike,
        *,
        n_sweeps: int = 0,
        init: ArrayLike | None = None,
        clamp: Mapping[int, int] | None = None,
    ) -> ICMTrace:
        """Record the inference of the means of one image's lower latents, unit by unit.

        ``log_joint`` of the trace is a lower bound on ``log P(x) + log Z``, with upper means at their best.

        Parameters
        ----------
        x : (n_v,) array
            One flattened image.
        n_sweeps : int
            Sweeps of mean field, at most, that follow the recognition network's pass; they never lower the
            bound. Where a part of the image is not known, they follow what the directed layer says of each
            latent while all others are off.
        init : (n_h,) array, optional
            States before the pass, whose result does not depend on them; all off when None.
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``.
        """
        image, n_h = self.check_image(x), self.n_latents_
        check_integer(n_sweeps, "n_sweeps", 0)
        start = np.zeros(n_h) if init is None else check_latents(init, (n_h,), "init")
        held = check_clamp(clamp, n_h)
        if not n_sweeps:
            self._check_seen(image)
        layers = networks_for(self.recognition_layers, image)
        return recognition_trace(layers, self._shown(image), start, held, n_sweeps, self._moments_of, "mixed")

    def _moments_of(self, layer: LayerParams, x: NDArray, q: NDArray) -> TopMoments:
        return TopMoments(self.networks, x, q)

    # -- probabilities

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``log P(x, h) + log Z`` of each pair of rows, the upper latents summed out; (n,) nats."""
        return dbn.log_joint(self.networks, X, H[0])

    @property
    def normalised(self) -> LayerParams:
        """The RBM on top."""
        return self.networks.top

    @property
    def _upper(self) -> LayerParams:
        return self.networks.top

    def reversed_normaliser(
        self, H: tuple[NDArray, ...], n_temperatures: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return ``log P(h) Z`` of each draw minus the estimate of log P(h) by RAISE; (n,) nats.

        RAISE's log weight is in expectation at most log P(h) of the annealing model, whose mean over draws of
        the RBM on top is at most that of the RBM's own (Burda, Grosse and Salakhutdinov 2015).
        """
        (states,), top = H, self.networks.top
        betas = np.linspace(0.0, 1.0, n_temperatures + 1)
        images = np.asarray(states, np.float64)
        weights = reverse_weights(top, "bernoulli", start_of(top), images, betas, rng)
        return dbn.log_prior(self.networks, states) - weights

    def sample_joint(self, n: int, rng: np.random.Generator) -> tuple[NDArray, tuple[NDArray[np.uint8], ...]]:
        """Draw n images together with the lower latents that generate them.

        The latents come from chains of the RBM on top, with parallel tempering; they are exact samples if the
        chains have mixed.
        """
        top, shape = self.networks.top, (CHAIN_TEMPERATURES * n, self.networks.top.n_h)
        coins = rng.integers(0, 2, shape, dtype=np.uint8)
        H, _, _ = tempered_sweeps(top, coins, CHAIN_TEMPERATURES, CHAIN_SWEEPS, rng)
        mean = self.inverse_transform(H)
        return (rng.random(mean.shape) < mean).astype(np.uint8), (H,)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the pseudo-log-likelihood ``sum_i log P(x_i | all other pixels)`` of each image, nats; (n,).

        It is estimated by 20 draws from the recognition network for each pixel, over at most 64 pixels,
        scaled to all. It compares DBNs of any size with each other on the same images; it cannot be compared
        with that of an RBM or DBM, since x_i is predicted from the other pixels by another, inexact
        inference. It is not log P(x): :func:`lrbn_viz.measure.log_likelihood` gives that, with
        ``method="exact"`` for small models or "importance".
        """
        images = self._whole(self.check_images(X), "the pseudo-likelihood")
        with one_blas_thread():
            return dbn.pseudo_log_likelihood(self.networks, images, N_EVALUATION_SAMPLES, N_PIXELS)

    def proposal(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return the recognition network's log-odds, which no annealing improves.

        Where a part of an image is not known, those of :meth:`posterior`.
        """
        low = self.networks.directed
        return (proposed(X, lambda whole: (recognition_log_odds(low, whole),), self.posterior),)

    # -- generation

    @property
    def pass_sizes(self) -> tuple[int, ...]:
        """Units of each layer that a pass draws: the lower latents, and the upper ones of the RBM on top."""
        return self.networks.directed.n_h, self.networks.top.n_h

    def pass_start(self, x: NDArray) -> NDArray[np.uint8]:
        """Return the lower latents that the recognition network finds likeliest, and no upper ones; (n,)."""
        lower = recognition_log_odds(self.networks.directed, np.asarray(x, np.float64)[None])[0]
        return np.hstack([lower > 0, np.zeros(self.networks.top.n_h, bool)]).astype(np.uint8)

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log P(x, h) + log Z`` from ``a = W h + b`` and :meth:`prior_term`."""
        return -softplus(-np.abs(a)).sum(axis=-1) + prior

    def prior_term(self, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``log P(h) + log Z``, the upper latents summed out; (n,)."""
        return dbn.log_prior(self.networks, np.asarray(H[0], np.float64))

    # -- conditionals

    def conditional_log_odds(self, X: NDArray, H: Sequence[NDArray]) -> tuple[NDArray[np.float64], ...]:
        """Return ``logit P(h_j = 1 | x, h_-j)`` of the lower latents, the upper ones summed out; (n, n_h)."""
        (states,) = H
        layer, prior = self.layers[0], dbn.prior_log_odds(self.networks, states)
        prepared = self._prepared()[0]
        return (batch_log_odds(layer, self.visible, prepared, X, states.astype(np.uint8), prior),)

    def posterior_log_odds(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the log-odds at each visit of a chain of each image, unit by unit, the upper latents summed
        out. Chains begin at draws of the recognition network.
        """
        return dbn.gibbs_log_odds(self.networks, X, n_sweeps, rng)

    def interactions(self, x: NDArray, h: NDArray) -> NDArray[np.float64]:
        """Return by how much each pair of lower latents moves each other's log-odds; (n_h, n_h).

        This is the sum of explaining away in the directed layer, and of the effect of the upper latents.
        """
        layer, prepared = self.layers[0], self._prepared()[0]
        below = exact.interactions(layer, self.visible, prepared, x, h)
        return below + dbn.prior_interactions(self.networks, h)

    def log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> LogOddsTerms:
        """Return the terms of a unit's log-odds; its prior is the contribution of the other units through the
        top.
        """
        prior = dbn.prior_log_odds(self.networks, h[None])[0]
        return self.units.log_odds_terms(*self.layers[0]._replace(d=prior), x, h, j)
