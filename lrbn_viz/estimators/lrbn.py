"""LRBN as a scikit-learn estimator: a thin face over :class:`lrbn_viz.lrbn.HardEM`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, Literal

import numpy as np

from lrbn_viz.estimators.one_layer import OneLayer
from lrbn_viz.fields import declare, documented, fields_of
from lrbn_viz.lrbn.hard_em import EStep, HardEM
from lrbn_viz.lrbn.m_step import HardEMState, Prior
from lrbn_viz.lrbn.model import Start, Visible
from lrbn_viz.model import LayerParams
from lrbn_viz.training.settings import BATCH_SIZE, BINARIZE, N_ITER, PATIENCE, RANDOM_STATE, VALIDATION_SIZE

_HARD_EM = fields_of(HardEM)


@documented
@dataclass(eq=False, repr=False)
class LRBN(OneLayer):
    """Latent regression Bayesian network, learned by hard EM.

    A directed model with binary latents. Given an image its latents depend on each other: they explain away.

    Attributes
    ----------
    params_ : LayerParams
        W (n_v, n_h), b (n_v,), d (n_h,).
    history_ : list of FitStep
        What happened at each step.

    Notes
    -----
    With W at or above 0 (`nonnegative`) a unit's log-odds are never higher than with all other units off. For
    Bernoulli units the others change them by ``-sum_i [softplus(a_i + w_ij) - softplus(a_i) - softplus(b_i +
    w_ij) + softplus(b_i)]``, where ``a_i >= b_i`` is the activation without unit j. The slope of softplus
    rises, so that each bracket is at or above 0. For Gaussian units they change them by ``-sum_k w_j'w_k
    h_k``, in which no product is below 0. This is pure explaining away.

    References
    ----------
    D. D. Lee and H. S. Seung (1999). Learning the parts of objects by non-negative matrix factorization.
    Nature 401, 788-791.
    """

    n_components: int = declare(_HARD_EM["n_h"])
    _: KW_ONLY
    visible: Visible = declare(_HARD_EM["visible"])
    binarize: float | None = declare(BINARIZE)
    prior: Prior = declare(_HARD_EM["prior"])
    warm_up: float = declare(_HARD_EM["warm_up"])
    init: Start = declare(_HARD_EM["start"])
    e_step: EStep = declare(_HARD_EM["e_step"])
    m_step: Literal["auto", "gradient", "closed_form"] = declare(
        _HARD_EM["m_step"],
        "auto",
        details='"auto" is the closed form for Gaussian units, the gradient otherwise.',
        choices={"auto": "automatic", "gradient": "gradient", "closed_form": "closed form"},
    )
    learning_rate: float = declare(_HARD_EM["learning_rate"])
    momentum: float = declare(_HARD_EM["momentum"])
    decay_steps: float = declare(_HARD_EM["decay_steps"])
    learning_rate_end: float | None = declare(_HARD_EM["learning_rate_end"])
    weight_decay: float = declare(_HARD_EM["weight_decay"])
    nonnegative: bool = declare(_HARD_EM["nonnegative"])
    average: float = declare(_HARD_EM["average"])
    batch_size: int = declare(BATCH_SIZE, 20)
    n_iter: int = declare(N_ITER, 10)
    max_sweeps: int = declare(_HARD_EM["max_sweeps"])
    warm_sweeps: int = declare(_HARD_EM["warm_sweeps"])
    hottest: float = declare(_HARD_EM["hottest"])
    coldest: float = declare(_HARD_EM["coldest"])
    persistent: bool = declare(_HARD_EM["persistent"])
    likelihood_weight: float = declare(_HARD_EM["likelihood_weight"])
    ridge: float = declare(_HARD_EM["ridge"])
    validation_size: int = declare(VALIDATION_SIZE, 100)
    patience: int | None = declare(PATIENCE, 5)
    random_state: Any = declare(RANDOM_STATE)

    def check_settings(self) -> None:
        """Raise ValueError or TypeError, in words, for a setting that cannot be."""
        super().check_settings()
        if self.m_step == "closed_form" and self.visible != "gaussian":
            raise ValueError(
                'm_step="closed_form" is for visible="gaussian"; use "gradient" for Bernoulli units.'
            )
        if self.coldest > self.hottest:
            raise ValueError(
                f"coldest must be at most hottest = {self.hottest}; got {self.coldest}. Annealing cools down."
            )
        self.make_system()  # refuses settings that contradict each other

    def make_system(self) -> HardEM:
        """Return what trains, with the current settings."""
        settings = self.get_params()
        shared = {f.name: settings[f.name] for f in fields(HardEM) if f.name in settings}
        closed = self.m_step == "closed_form" or (self.m_step == "auto" and self.visible == "gaussian")
        shared["m_step"] = "closed_form" if closed else "gradient"
        shared["start"] = self.init
        return HardEM(n_h=self.n_components, **shared)

    def state_from(self, params: LayerParams, rng: np.random.Generator) -> HardEMState:
        """Return a state of training that begins at given parameters."""
        return self.make_system().from_params(params)

    @staticmethod
    def _params_of(state: HardEMState) -> LayerParams:
        return state.params
