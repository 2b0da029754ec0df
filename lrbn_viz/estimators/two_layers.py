"""An LRBN of two layers that learns in one run: a thin face over its system, `StagedHardEM`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from lrbn_viz.core.fields import declare, documented, fields_of, of_both
from lrbn_viz.estimators.both import BothLayers
from lrbn_viz.estimators.layered import SEVERAL_LAYERS, Depth, Layered
from lrbn_viz.lrbn.deep.inference import Layers
from lrbn_viz.lrbn.deep.staged import Scheme, StagedHardEM, StagedState
from lrbn_viz.lrbn.hard_em import EStep
from lrbn_viz.lrbn.m_step import Prior
from lrbn_viz.lrbn.model import Start, Visible

_STAGED = fields_of(StagedHardEM)


@documented
@dataclass(eq=False, repr=False)
class TwoLayerLRBN(BothLayers, Layered):
    """Latent regression Bayesian network of two layers, learned by hard EM in one run of three stages.

    Model, inference, likelihoods and generation are those of a DeepLRBN. DeepLRBN learns any number of
    layers, each in a separate run, with targets if there are any. Here each stage takes a share of one run,
    as in a DBN or a DBM, so that the model can be trained on the Train page beside any other system.

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

    n_components: int | tuple[int, int] = declare(of_both(_STAGED["n_h"], _STAGED["n_top"]))
    _: KW_ONLY
    visible: Visible = declare(_STAGED["visible"])
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
    max_sweeps: int = declare(_STAGED["max_sweeps"])
    warm_sweeps: int = declare(_STAGED["warm_sweeps"])
    hottest: float = declare(_STAGED["hottest"])
    coldest: float = declare(_STAGED["coldest"])
    likelihood_weight: float = declare(_STAGED["likelihood_weight"])
    ridge: float = declare(_STAGED["ridge"])

    def make_system(self) -> StagedHardEM:
        """Return the training system, with the current settings."""
        return StagedHardEM(start=self.init, **self._shared_with(StagedHardEM))

    def state_from(self, params: Layers, rng: np.random.Generator) -> StagedState:
        """Return a state of training that begins at given parameters; both layers learn together."""
        return self.make_system().resume(params)
