"""VIMCO as a scikit-learn estimator of one layer or several: a thin face over its system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.estimators.recognition import Recognition
from lrbn_viz.rivals.sbn.optimiser import Optimiser
from lrbn_viz.rivals.sbn.vimco import VIMCOSystem

_VIMCO = fields_of(VIMCOSystem)


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class VIMCO(Recognition):
    """Sigmoid belief network, learned by variational inference with Monte Carlo objectives.

    The generative network is an LRBN's, the recognition network factorised. Both ascend the bound on log P(x)
    with several samples; the baseline of each sample is computed from the others.

    Of several layers, ``n_components=(200, 200)``, the recognition network predicts each from the one below
    it, and a sample is one of the latents of all layers.

    References
    ----------
    A. Mnih and D. J. Rezende (2016). Variational inference for Monte Carlo objectives. International
    Conference on Machine Learning.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.VIMCO(8, n_particles=5, n_iter=5, random_state=0).fit(X)
    >>> model.transform(X).shape  # means from the recognition network
    (200, 8)
    >>> model.transform(X, method="icm").dtype  # the states that ICM finds
    dtype('uint8')
    """

    system: ClassVar[type[VIMCOSystem]] = VIMCOSystem
    method: ClassVar[str] = "VIMCO"

    n_particles: int = declare(_VIMCO["n_particles"])
    generative_rate: float = declare(_VIMCO["generative_rate"])
    centre_inputs: bool = declare(_VIMCO["centre_inputs"])
    optimiser: Optimiser = declare(_VIMCO["optimiser"])
    learning_rate: float = declare(_VIMCO["learning_rate"])
    momentum: float = declare(_VIMCO["momentum"])
