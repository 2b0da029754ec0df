"""Wake-sleep as scikit-learn estimators, of one layer and of two: thin faces over its system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.estimators.recognition import Recognition, TwoLayers
from lrbn_viz.rivals.sbn.wake_sleep import WakeSleepSystem

_WAKE_SLEEP = fields_of(WakeSleepSystem)


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class WakeSleep(Recognition):
    """Sigmoid belief network, learned by wake-sleep.

    The generative network is an LRBN's, the recognition network factorised. Each learns from samples of the
    other.

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
    short: ClassVar[str] = "Wake-sleep"

    n_particles: int = declare(_WAKE_SLEEP["n_particles"])
    generative_rate: float = declare(_WAKE_SLEEP["generative_rate"])
    centre_inputs: bool = declare(_WAKE_SLEEP["centre_inputs"])


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class DeepWakeSleep(TwoLayers, WakeSleep):
    """Sigmoid belief network of two layers, learned by wake-sleep.

    The generative network is a DeepLRBN's. The recognition network predicts the lower latents from the image
    and the upper ones from the lower. Each learns from samples of the other.

    References
    ----------
    G. E. Hinton, P. Dayan, B. J. Frey and R. M. Neal (1995). The wake-sleep algorithm for unsupervised neural
    networks. Science 268, 1158-1161.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.DeepWakeSleep(8, n_top=4, n_iter=5, random_state=0).fit(X)
    >>> lower, upper = model.infer(X)
    >>> lower.shape, upper.shape
    ((200, 8), (200, 4))
    """

    short: ClassVar[str] = "Two-layer wake-sleep"
