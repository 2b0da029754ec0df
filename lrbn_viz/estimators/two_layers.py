"""An LRBN of two layers that learns in one run: a thin face over its system, `StagedHardEM`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.validation import check_numbers
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.estimators.several_layers import SeveralLayers
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.deep.staged import Scheme, StagedHardEM, StagedState, TwoLayerParams
from lrbn_viz.lrbn.hard_em import EStep
from lrbn_viz.lrbn.m_step import Prior
from lrbn_viz.lrbn.model import Start, Visible
from lrbn_viz.training.settings import BATCH_SIZE, BINARIZE, N_ITER, RANDOM_STATE, VALIDATION_SIZE

_STAGED = fields_of(StagedHardEM)


@documented
@dataclass(eq=False, repr=False)
class TwoLayerLRBN(SeveralLayers, LatentModel):
    """Latent regression Bayesian network of two layers, learned by hard EM in one run of three stages.

    Model, inference, likelihoods and generation are those of a DeepLRBN. DeepLRBN learns any number of
    layers, each in a separate run, with targets if there are any. Here each stage takes a share of one run,
    as in a DBN or a DBM, so that the model can be trained on the Train page beside any other system.

    Attributes
    ----------
    params_ : TwoLayerParams
        W (n_v, n_h), b (n_v,), d (n_h,) of the lower layer; U (n_h, n_top), e (n_top,) of the upper one.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.TwoLayerLRBN(8, n_top=4, n_iter=5, random_state=0).fit(X)
    >>> lower, upper = model.infer(X)
    >>> lower.shape, upper.shape
    ((200, 8), (200, 4))
    """

    short: ClassVar[str] = "Two-layer LRBN"
    patience = None
    """Training has stages, of which the first need not raise the score: no early stopping."""

    n_components: int = declare(_STAGED["n_h"])
    _: KW_ONLY
    n_top: int = declare(_STAGED["n_top"])
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

    def check_settings(self) -> None:
        """Raise ValueError or TypeError, in words, for a setting that cannot be."""
        super().check_settings()
        self.make_system()  # refuses settings that contradict each other

    def make_system(self) -> StagedHardEM:
        """Return the training system, with the current settings."""
        settings = self.get_params()
        shared = {each.name: settings[each.name] for each in fields(StagedHardEM) if each.name in settings}
        return StagedHardEM(n_h=self.n_components, start=self.init, **shared)

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
        given = {"W": W, "b": b, "d": d, "U": U, "e": e}
        arrays = {name: check_numbers(array, name) for name, array in given.items()}
        for name in ("U", "e"):
            if not np.isfinite(arrays[name]).all():
                raise ValueError(f"{name} holds NaN or infinity; expected finite numbers.")
        low = model.make_params(arrays["W"], arrays["b"], arrays["d"])
        n_top = arrays["e"].size
        if not n_top or arrays["U"].shape != (low.n_h, n_top):
            raise ValueError(
                f"U has shape {arrays['U'].shape}; expected {(low.n_h, n_top)}, a row for each of {low.n_h} "
                "lower latents and a column, and an e, for each upper one, at least one."
            )
        high = model.make_params(arrays["U"], low.d, arrays["e"])
        return cls._made_of(TwoLayerParams(*low, high.W, high.d), visible, settings)

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of U and e; as many upper latents as the file has."""
        return {"U": (layer.n_h, None), "e": (None,)}

    def with_layers(self, layers: Sequence[LayerParams]) -> TwoLayerLRBN:
        """Return a model of this kind with other parameters: those of both layers, the lower one first."""
        low, high = layers
        return self.from_params(low.W, low.b, high.b, self.visible, U=high.W, e=high.d).named_as(self)

    def state_from(self, params: TwoLayerParams, rng: np.random.Generator) -> StagedState:
        """Return a state of training that begins at given parameters; both layers learn together."""
        return self.make_system().resume(params)

    @staticmethod
    def _params_of(state: StagedState) -> Any:
        return state.params

    def _set_params(self, params: Any) -> None:
        self.params_ = params
        self._set_layers(params.layers)
