"""Wake-sleep as a scikit-learn estimator of one layer or several: a thin face over its system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.estimators.recognition import Recognition
from lrbn_viz.rivals.sbn.wake_sleep import WakeSleepSystem

_WAKE_SLEEP = fields_of(WakeSleepSystem)


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class WakeSleep(Recognition):
    """Sigmoid belief network, learned by wake-sleep.

    The generative network is an LRBN's, the recognition network factorised. Each learns from samples of the
    other. Of several layers, ``n_components=(200, 200)``, the recognition network predicts each from the one
    below it.

    References
    ----------
    G. E. Hinton, P. Dayan, B. J. Frey and R. M. Neal (1995). The wake-sleep algorithm for unsupervised neural
    networks. Science 268, 1158-1161.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.WakeSleep(8, n_iter=5, random_state=0).fit(X)
    >>> model.transform(X).shape  # means from the recognition network
    (200, 8)
    >>> model.transform(X, method="icm").dtype  # the states that ICM finds
    dtype('uint8')
    """

    system: ClassVar[type[WakeSleepSystem]] = WakeSleepSystem
    method: ClassVar[str] = "wake-sleep"

    n_particles: int = declare(_WAKE_SLEEP["n_particles"])
    generative_rate: float = declare(_WAKE_SLEEP["generative_rate"])
    centre_inputs: bool = declare(_WAKE_SLEEP["centre_inputs"])
