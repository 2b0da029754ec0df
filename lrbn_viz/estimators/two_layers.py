"""An LRBN of two layers that learns in one run: a thin face over its system, `StagedHardEM`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.fields import declare, documented, fields_of, of_both
from lrbn_viz.core.model import LayerParams, named_layers
from lrbn_viz.estimators.layered import SEVERAL_LAYERS, Depth, Layered
from lrbn_viz.estimators.parameters import lowest_layer, upper_layer
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.deep.inference import Layers
from lrbn_viz.lrbn.deep.staged import Scheme, StagedHardEM, StagedState
from lrbn_viz.lrbn.hard_em import EStep
from lrbn_viz.lrbn.m_step import Prior
from lrbn_viz.lrbn.model import Start, Visible
from lrbn_viz.training.settings import BATCH_SIZE, BINARIZE, N_ITER, RANDOM_STATE, VALIDATION_SIZE

_STAGED = fields_of(StagedHardEM)


@documented
@dataclass(eq=False, repr=False)
class TwoLayerLRBN(Layered):
    """Latent regression Bayesian network of two layers, learned by hard EM in one run of three stages.

    Model, inference, likelihoods and generation are those of a DeepLRBN. DeepLRBN learns any number of
    layers, each in a separate run, with targets if there are any. Here each stage takes a share of one run,
    as in a DBN or a DBM, so that the model can be trained on the Train page beside any other system.

    Attributes
    ----------
    params_ : tuple of LayerParams
        W, b and d of both layers, the lower one first: W is (n_v, n_h) and (n_h, n_top). The d of the lower
        layer is the b of the upper one.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.TwoLayerLRBN((8, 4), n_iter=5, random_state=0).fit(X)
    >>> lower, upper = model.infer(X)
    >>> lower.shape, upper.shape
    ((200, 8), (200, 4))
    """

    short: ClassVar[str] = "Two-layer LRBN"
    depth: ClassVar[Depth] = SEVERAL_LAYERS
    patience = None
    """Training has stages, of which the first need not raise the score: no early stopping."""

    n_components: int | tuple[int, int] = declare(of_both(_STAGED["n_h"], _STAGED["n_top"]))
    _: KW_ONLY
    visible: Visible = declare(_STAGED["visible"])
    binarize: float | None = declare(BINARIZE)
    first_share: float = declare(_STAGED["first_share"])
    second_share: float = declare(_STAGED["second_share"])
    prior: Prior = declare(_STAGED["prior"])
    warm_up: float = declare(_STAGED["warm_up"])
    init: Start = declare(_STAGED["start"])
    e_step: EStep = declare(_STAGED["e_step"])
    scheme: Scheme = declare(_STAGED["scheme"])
    learning_rate: float = declare(_STAGED["learning_rate"])
    fine_tune_rate: float = declare(_STAGED["fine_tune_rate"])
    momentum: float = declare(_STAGED["momentum"])
    decay_steps: float = declare(_STAGED["decay_steps"])
    learning_rate_end: float | None = declare(_STAGED["learning_rate_end"])
    weight_decay: float = declare(_STAGED["weight_decay"])
    nonnegative: bool = declare(_STAGED["nonnegative"])
    average: float = declare(_STAGED["average"])
    batch_size: int = declare(BATCH_SIZE, 20)
    n_iter: int = declare(N_ITER, 10)
    max_sweeps: int = declare(_STAGED["max_sweeps"])
    warm_sweeps: int = declare(_STAGED["warm_sweeps"])
    hottest: float = declare(_STAGED["hottest"])
    coldest: float = declare(_STAGED["coldest"])
    likelihood_weight: float = declare(_STAGED["likelihood_weight"])
    ridge: float = declare(_STAGED["ridge"])
    validation_size: int = declare(VALIDATION_SIZE, 100)
    random_state: Any = declare(RANDOM_STATE)

    def make_system(self) -> StagedHardEM:
        """Return the training system, with the current settings."""
        n_h, n_top = self._each_layer(self.n_components)
        return StagedHardEM(n_h=n_h, n_top=n_top, start=self.init, **self._shared_with(StagedHardEM))

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
            Offsets of the lower latents, whose log-odds are ``U g + d``.
        visible : {"bernoulli", "gaussian"}
        U : (n_h, n_top) array
            Weights of the upper layer.
        e : (n_top,) array
            Prior log-odds of the upper latents.
        **settings
            Any other setting of the class.
        """
        low = lowest_layer(W, b, d)
        return cls._made_of((low, upper_layer(low, U, e)), visible, settings)

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of U and e; as many upper latents as the file has."""
        return {"U": (layer.n_h, None), "e": (None,)}

    def with_layers(self, layers: Sequence[LayerParams]) -> TwoLayerLRBN:
        """Return a model of this kind with other parameters: those of both layers, the lower one first."""
        return self.from_params(**named_layers(layers), visible=self.visible).named_as(self)

    def state_from(self, params: Layers, rng: np.random.Generator) -> StagedState:
        """Return a state of training that begins at given parameters; both layers learn together."""
        return self.make_system().resume(params)

    @classmethod
    def _params_of(cls, state: StagedState) -> Any:
        return state.params

    @classmethod
    def _sizes_of(cls, params: Layers) -> dict[str, Any]:
        return {"n_components": tuple(layer.n_h for layer in params)}

    @classmethod
    def _layers_in(cls, params: Layers) -> Layers:
        return params

    def _arrays(self, dtype: type) -> dict[str, NDArray]:
        return {name: np.asarray(array, dtype) for name, array in named_layers(self.layers).items()}
