"""NVIL as a scikit-learn estimator of one layer or several: a thin face over its system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.estimators.recognition import Recognition
from lrbn_viz.rivals.sbn.nvil import NVILSystem

_NVIL = fields_of(NVILSystem)


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class NVIL(Recognition):
    """Sigmoid belief network, learned by neural variational inference and learning.

    The generative network is an LRBN's, the recognition network factorised. Both ascend the variational
    bound; a third network predicts the recognition network's learning signal as a baseline, which reduces its
    variance.

    Of several layers, ``n_components=(200, 200)``, the recognition network predicts each from the one below
    it. Each layer learns from the terms of the variational bound that involve its latents, minus a baseline
    that a network of its own predicts.

    Notes
    -----
    A file contains both networks but not the third, which is needed for training only: training that starts
    from a file learns it again. A checkpoint contains all three.

    References
    ----------
    A. Mnih and K. Gregor (2014). Neural variational inference and learning in belief networks. International
    Conference on Machine Learning.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.NVIL(8, n_particles=5, n_iter=5, random_state=0).fit(X)
    >>> model.transform(X).shape  # means from the recognition network
    (200, 8)
    >>> model.transform(X, method="icm").dtype  # the states that ICM finds
    dtype('uint8')
    """

    system: ClassVar[type[NVILSystem]] = NVILSystem
    method: ClassVar[str] = "NVIL"

    n_particles: int = declare(_NVIL["n_particles"])
    generative_rate: float = declare(_NVIL["generative_rate"])
    recognition_rate: float = declare(_NVIL["recognition_rate"])
    n_baseline: int = declare(_NVIL["n_baseline"])
    centre_inputs: bool = declare(_NVIL["centre_inputs"])
    smoothing: float = declare(_NVIL["smoothing"])
