"""RWS as a scikit-learn estimator of one layer or several: a thin face over its system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.estimators.recognition import Recognition
from lrbn_viz.rivals.sbn.rws import Phases, RWSSystem

_RWS = fields_of(RWSSystem)


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class RWS(Recognition):
    """Sigmoid belief network, learned by reweighted wake-sleep.

    The generative network is an LRBN's. A recognition network predicts the latents of an image in one pass,
    as if they were independent; both learn from several samples by their importance weights.

    Of several layers, ``n_components=(200, 200)``, the recognition network predicts each from the one below
    it, and a sample is one of the latents of all layers.

    References
    ----------
    J. Bornschein and Y. Bengio (2015). Reweighted wake-sleep. International Conference on Learning
    Representations.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.RWS(8, n_particles=5, n_iter=5, random_state=0).fit(X)
    >>> model.transform(X).shape  # means from the recognition network
    (200, 8)
    >>> model.transform(X, method="icm").dtype  # the states that ICM finds
    dtype('uint8')
    """

    system: ClassVar[type[RWSSystem]] = RWSSystem
    method: ClassVar[str] = "RWS"

    n_particles: int = declare(_RWS["n_particles"])
    generative_rate: float = declare(_RWS["generative_rate"])
    centre_inputs: bool = declare(_RWS["centre_inputs"])
    phases: Phases = declare(_RWS["phases"])
