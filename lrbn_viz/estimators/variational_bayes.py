"""The variational-Bayes network as a scikit-learn estimator: a thin face over its system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.core.fields import declare, documented, each_layer, fields_of
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import check_numbers
from lrbn_viz.estimators.field import (
    BOUND_TITLE,
    DECAY_STEPS,
    FIELD,
    SCORE_NAME,
    MeanField,
    decay_steps_of,
    judged_state,
)
from lrbn_viz.estimators.parameters import taken
from lrbn_viz.estimators.recognition import Recognition, Usual
from lrbn_viz.lrbn.deep.inference import Layers
from lrbn_viz.lrbn.means.moments import Moments
from lrbn_viz.rivals.sbn.beliefs import beliefs_of
from lrbn_viz.rivals.sbn.mean_field import EVALUATION_SWEEPS
from lrbn_viz.rivals.sbn.model import LayerNetworks, names_of
from lrbn_viz.rivals.sbn.optimiser import Optimiser
from lrbn_viz.rivals.sbn.system import SBNState
from lrbn_viz.rivals.sbn.variational_bayes import BayesParams, VariationalBayesSystem

_BAYES = fields_of(VariationalBayesSystem)


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class VariationalBayesSBN(Recognition):
    """Sigmoid belief network, learned by variational Bayes.

    The generative network is an LRBN's. A Polya-Gamma variable beside each pixel makes it a Gaussian
    observation of its activation; latents, these variables and weights are approximated as independent of
    each other. Weights have a sparsity prior. Inference and generation use the weights' means.

    Of several layers, ``n_components=(200, 200)``, the units of an upper layer generate those of the layer
    below it as these generate the pixels, with a Polya-Gamma variable beside each. Two layers of digits learn
    better with ``learning_rate_end=0.003, momentum=0.5, n_sweeps=1``: after five passes the bound is 20 nats
    higher.

    Attributes
    ----------
    params_ : BayesParams
        `layers`, a tuple of LayerNetworks, the lowest first: W (n_v, n_h), b (n_v,) and d (n_h,) of the
        generative network, V (n_v, n_h) and c (n_h,) of the recognition network; `variances`, that of each
        weight in W, by layer; `n_images`.

    References
    ----------
    Z. Gan, R. Henao, D. Carlson and L. Carin (2015). Learning deep sigmoid belief networks with data
    augmentation. International Conference on Artificial Intelligence and Statistics.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.VariationalBayesSBN(8, n_iter=5, random_state=0).fit(X)
    >>> model.params_.variances[0].shape  # of each weight
    (64, 8)
    >>> bool((model.gamma(X) <= 0.25).all())
    True
    """

    system: ClassVar[type[VariationalBayesSystem]] = VariationalBayesSystem
    method: ClassVar[str] = "VB-SBN"
    usual: ClassVar[Usual] = MeanField()
    score_name: ClassVar[str] = SCORE_NAME

    @property
    def score_title(self) -> str:
        """Definition of the validation score, in words."""
        where = " in all layers" if self.several_layers else ""
        return f"{BOUND_TITLE}{where}, by Jaakkola's and Jordan's bound"

    @property
    def mean_field_bound(self) -> str:
        """Bound by which traces of means are measured."""
        return "layers" if self.several_layers else "quadratic"

    optimiser: Optimiser = declare(FIELD["optimiser"])
    learning_rate: float = declare(FIELD["learning_rate"])
    momentum: float = declare(FIELD["momentum"])
    decay_steps: float | None = declare(DECAY_STEPS)
    n_sweeps: int = declare(FIELD["n_sweeps"])
    sparse: bool = declare(_BAYES["sparse"])
    forgetting: float = declare(_BAYES["forgetting"])

    def _shared_with(self, system: Any) -> dict[str, Any]:
        return {**super()._shared_with(system), "decay_steps": decay_steps_of(self)}

    @classmethod
    def _completed(cls, low: LayerParams, given: dict[str, Any]) -> BayesParams:
        """Return the networks, the variances of their weights and the number of images."""
        (n_images,) = taken(given, ("n_images",), cls.__name__)
        layers, variances = super()._completed(low, given), []
        for depth, networks in enumerate(layers):
            name, of = _variance_name(depth), names_of(depth)[0]
            variances.append(_check_variance(given.pop(name, None), name, networks.W, of))
        return BayesParams(layers, tuple(variances), _check_count(n_images))

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of the arrays beside W, b and d; as many upper latents as the file has."""
        shapes: dict[str, tuple[int | None, ...]] = {"n_images": ()}
        for depth in range(len(each_layer(settings["n_components"]))):
            shapes[_variance_name(depth)] = (None, None) if depth else layer.W.shape
        return {**super().more_shapes(layer, settings), **shapes}

    @classmethod
    def _layers_in(cls, params: BayesParams) -> Layers:
        return super()._layers_in(params.layers)

    @classmethod
    def _params_of(cls, state: SBNState) -> BayesParams:
        beliefs = beliefs_of(state)
        variances = tuple(np.array(each.variance, np.float64) for each in beliefs)
        return BayesParams(super()._params_of(state), variances, np.array(beliefs[0].n_images[0]))

    def _by_name(self) -> dict[str, NDArray]:
        variances = {_variance_name(depth): each for depth, each in enumerate(self.params_.variances)}
        return {**super()._by_name(), **variances, "n_images": self.params_.n_images}

    @property
    def recognition_layers(self) -> tuple[LayerNetworks, ...]:
        """Parameters of both networks of each layer, the lowest first."""
        check_is_fitted(self, "params_")
        return self.params_.layers

    def moments_of(self, layer: LayerParams, x: NDArray, q: NDArray) -> Moments:
        """Return the moments under means of the latents, with the bound of Jaakkola and Jordan."""
        return Moments(layer, x, q)

    def gamma(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of each pixel's Polya-Gamma variable, after sweeps of mean field; (n, n_v).

        It is the precision with which the pixel determines its activation: 1/4 where the activation is 0, and
        less the surer the pixel is. As images these show where the model is undecided.
        """
        images = self._whole(self.check_images(X), "gamma")
        system: Any = self.make_system()
        return system.gammas(judged_state(self), images, EVALUATION_SWEEPS).astype(np.float64)


def _variance_name(depth: int) -> str:
    """Return what files and arguments call the variances of a layer's weights; the lowest layer is 0."""
    return f"variance{depth + 1}" if depth else "variance"


def _check_variance(given: ArrayLike | None, name: str, weights: NDArray, of: str) -> NDArray[np.float64]:
    """Return a variance for each weight, read-only; ValueError in words where it cannot be one."""
    variance = np.array(() if given is None else check_numbers(given, name), np.float64)
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
