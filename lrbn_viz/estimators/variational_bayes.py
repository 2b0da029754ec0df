"""The variational-Bayes network as a scikit-learn estimator: a thin face over its system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.core.model import LayerParams, Model
from lrbn_viz.core.validation import check_numbers
from lrbn_viz.estimators.field import DeepFieldNetwork, FieldNetwork
from lrbn_viz.lrbn import model
from lrbn_viz.rivals.sbn.beliefs import beliefs_of
from lrbn_viz.rivals.sbn.mean_field import EVALUATION_SWEEPS
from lrbn_viz.rivals.sbn.model import make_deep_params, make_params
from lrbn_viz.rivals.sbn.system import SBNState
from lrbn_viz.rivals.sbn.variational_bayes import BayesParams, DeepBayesParams, VariationalBayesSystem

_BAYES = fields_of(VariationalBayesSystem)
_DEEP = fields_of(DeepFieldNetwork)


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class VariationalBayesSBN(FieldNetwork):
    """Sigmoid belief network, learned by variational Bayes.

    The generative network is an LRBN's. A Polya-Gamma variable beside each pixel makes it a Gaussian
    observation of its activation; latents, these variables and weights are approximated as independent of
    each other. Weights have a sparsity prior. Inference and generation use the weights' means.

    Attributes
    ----------
    params_ : BayesParams
        W (n_v, n_h), b (n_v,), d (n_h,) of the generative network; V (n_v, n_h), c (n_h,) of the recognition
        network; U (n_v, n_h), the variance of each weight in W; `n_images`.

    References
    ----------
    Z. Gan, R. Henao, D. Carlson and L. Carin (2015). Learning deep sigmoid belief networks with data
    augmentation. International Conference on Artificial Intelligence and Statistics.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.VariationalBayesSBN(8, n_iter=5, random_state=0).fit(X)
    >>> model.params_.U.shape  # the variance of each weight
    (64, 8)
    >>> bool((model.gamma(X) <= 0.25).all())
    True
    """

    system: ClassVar[type[VariationalBayesSystem]] = VariationalBayesSystem
    short: ClassVar[str] = "VB-SBN"

    sparse: bool = declare(_BAYES["sparse"])
    forgetting: float = declare(_BAYES["forgetting"])

    @classmethod
    def from_params(
        cls,
        W: ArrayLike,
        b: ArrayLike,
        d: ArrayLike,
        visible: model.Visible = "bernoulli",
        *,
        V: ArrayLike,
        c: ArrayLike,
        U: ArrayLike,
        n_images: ArrayLike,
        **settings: Any,
    ):
        """Return a model with given parameters.

        Parameters
        ----------
        W : (n_v, n_h) array
            Means of the weights.
        b : (n_v,) array
        d : (n_h,) array
        visible : {"bernoulli"}
        V : (n_v, n_h) array
            Weights of the recognition network, whose log-odds are ``V'x + c``.
        c : (n_h,) array
        U : (n_v, n_h) array
            Variances of the weights, above 0.
        n_images : number
            Images that they were learned from, at least 1: training that goes on weighs the prior by it.
        **settings
            Any other setting of the class.
        """
        arrays = (check_numbers(a, name) for a, name in ((W, "W"), (b, "b"), (d, "d")))
        layer = model.make_params(*arrays)
        params = make_params(layer, check_numbers(V, "V"), check_numbers(c, "c"))
        variance = _check_variance(U, "U", layer.W, "W")
        return cls._made_of(BayesParams(*params, variance, _check_count(n_images)), visible, settings)

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of V, c, U and n_images."""
        return {**super().more_shapes(layer, settings), "U": (layer.n_v, layer.n_h), "n_images": ()}

    @staticmethod
    def _params_of(state: SBNState) -> Any:
        (beliefs,) = beliefs_of(state)
        W, b, d, V, c = (np.asarray(array, np.float64) for array in state[:5])
        U, n_images = beliefs.variance.astype(np.float64), np.array(beliefs.n_images[0])
        return BayesParams(W, b, d, V, c, U, n_images)

    def gamma(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of each pixel's Polya-Gamma variable, after sweeps of mean field; (n, n_v).

        It is the precision with which the pixel determines its activation: 1/4 where the activation is 0, and
        less the surer the pixel is. As images these show where the model is undecided.
        """
        images = self.check_images(X)
        system: Any = self.make_system()
        return system.gammas(self._judged(), images, EVALUATION_SWEEPS).astype(np.float64)


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class DeepVariationalBayesSBN(DeepFieldNetwork):
    """Sigmoid belief network of two layers, learned by variational Bayes.

    The generative network is a DeepLRBN's. A Polya-Gamma variable beside each pixel and each lower latent
    makes it a Gaussian observation of its activation; latents, these variables and weights are approximated
    as independent of each other, and weights have a sparsity prior. Inference and generation use the weights'
    means.

    Attributes
    ----------
    params_ : DeepBayesParams
        W (n_v, n_h), b (n_v,), d (n_h,), U (n_h, n_top), e (n_top,) of the generative network; V (n_v, n_h),
        c (n_h,), V2 (n_h, n_top), c2 (n_top,) of the recognition network; `variance` (n_v, n_h) and
        `variance2` (n_h, n_top) of each weight in W and U; `n_images`.

    References
    ----------
    Z. Gan, R. Henao, D. Carlson and L. Carin (2015). Learning deep sigmoid belief networks with data
    augmentation. International Conference on Artificial Intelligence and Statistics.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.DeepVariationalBayesSBN(8, n_top=4, n_iter=5, random_state=0).fit(X)
    >>> lower, upper = model.infer(X)
    >>> lower.shape, upper.shape
    ((200, 8), (200, 4))
    """

    system: ClassVar[type[VariationalBayesSystem]] = VariationalBayesSystem
    short: ClassVar[str] = "Two-layer VB-SBN"

    # Five passes of 4,000 digits: a bound 20 nats higher than with the defaults of one layer.
    learning_rate_end: float | None = declare(_DEEP["learning_rate_end"], 0.003)
    momentum: float = declare(_DEEP["momentum"], 0.5)
    n_sweeps: int = declare(_DEEP["n_sweeps"], 1)
    sparse: bool = declare(_BAYES["sparse"])
    forgetting: float = declare(_BAYES["forgetting"])

    @classmethod
    def from_params(
        cls,
        W: ArrayLike,
        b: ArrayLike,
        d: ArrayLike,
        visible: model.Visible = "bernoulli",
        *,
        V: ArrayLike,
        c: ArrayLike,
        U: ArrayLike,
        e: ArrayLike,
        V2: ArrayLike,
        c2: ArrayLike,
        variance: ArrayLike,
        variance2: ArrayLike,
        n_images: ArrayLike,
        **settings: Any,
    ):
        """Return a model with given parameters.

        Parameters
        ----------
        W : (n_v, n_h) array
            Means of the weights of the lower layer.
        b : (n_v,) array
        d : (n_h,) array
            Offsets of the lower latents, whose log-odds are ``U g + d``.
        visible : {"bernoulli"}
        V, c, V2, c2 : arrays
            The recognition network, as :class:`~lrbn_viz.DeepNVIL` takes it.
        U : (n_h, n_top) array
            Means of the weights of the upper layer.
        e : (n_top,) array
            Prior log-odds of the upper latents.
        variance : (n_v, n_h) array
            Variances of the weights in W, above 0.
        variance2 : (n_h, n_top) array
            Variances of the weights in U, above 0.
        n_images : number
            Images that they were learned from, at least 1: training that goes on weighs the prior by it.
        **settings
            Any other setting of the class.
        """
        arrays = (check_numbers(a, name) for a, name in ((W, "W"), (b, "b"), (d, "d")))
        lower = make_params(model.make_params(*arrays), check_numbers(V, "V"), check_numbers(c, "c"))
        given = ((U, "U"), (e, "e"), (V2, "V2"), (c2, "c2"))
        params = make_deep_params(lower, *(check_numbers(a, name) for a, name in given))
        variances = (
            _check_variance(variance, "variance", params.W, "W"),
            _check_variance(variance2, "variance2", params.U, "U"),
        )
        return cls._made_of(DeepBayesParams(*params, *variances, _check_count(n_images)), visible, settings)

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of the arrays beside W, b and d; as many upper latents as the file has."""
        unsure = {"variance": (layer.n_v, layer.n_h), "variance2": (layer.n_h, None), "n_images": ()}
        return {**super().more_shapes(layer, settings), **unsure}

    def with_layers(self, layers: Sequence[LayerParams]) -> Model:
        """Return a model of this kind with other means of the weights; all else is kept."""
        low, high = layers
        given = self.networks._asdict() | {"W": low.W, "b": low.b, "d": high.b, "U": high.W, "e": high.d}
        return self.from_params(**given, visible=self.visible).named_as(self)

    @staticmethod
    def _params_of(state: SBNState) -> Any:
        arrays = (np.asarray(array, np.float64) for array in (*state[:5], *state.upper))
        lower, upper = beliefs_of(state)
        rest = (lower.variance, upper.variance, lower.n_images[0])
        return DeepBayesParams(*arrays, *(np.array(each, np.float64) for each in rest))


def _check_variance(given: ArrayLike, name: str, weights: NDArray, of: str) -> NDArray[np.float64]:
    """Return a variance for each weight, read-only; ValueError in words where it cannot be one."""
    variance = np.array(check_numbers(given, name), np.float64)
    if variance.shape != weights.shape or not (np.isfinite(variance) & (variance > 0)).all():
        raise ValueError(
            f"{name} must hold a finite variance above 0 of each weight, shape {weights.shape}; got shape "
            f"{variance.shape}. Pass {name} and {of} of one model."
        )
    variance.flags.writeable = False
    return variance


def _check_count(n_images: ArrayLike) -> NDArray[np.float64]:
    """Return a number of images, at least 1; ValueError in words where it is none."""
    count = np.array(check_numbers(n_images, "n_images"), np.float64)
    if count.shape != () or not (np.isfinite(count) & (count >= 1)):
        raise ValueError(f"n_images must be a number of images, at least 1; got {n_images!r}.")
    return count
