"""The mean-field network as a scikit-learn estimator: a thin face over its system."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from lrbn_viz.core.fields import declare, documented, fields_of
from lrbn_viz.core.model import LayerParams
from lrbn_viz.estimators.field import BOUND_TITLE, DECAY_STEPS, FIELD, SCORE_NAME, MeanField, decay_steps_of
from lrbn_viz.estimators.recognition import Recognition, Usual
from lrbn_viz.lrbn.means.moments import TiltedMoments
from lrbn_viz.rivals.sbn.mean_field import MeanFieldSystem
from lrbn_viz.rivals.sbn.optimiser import Optimiser

_MEAN_FIELD = fields_of(MeanFieldSystem)


@documented
@dataclass(eq=False, repr=False)
class MeanFieldSBN(Recognition):
    """Sigmoid belief network, learned by mean field with the tilted bound.

    The generative network is an LRBN's. The latents of an image are approximated as independent, with means
    that raise a lower bound on log P(x), unit by unit: each mean depends on the others, so that units explain
    away, but correlations between units are lost. A recognition network predicts the result of the sweeps,
    which start from its prediction.

    References
    ----------
    L. K. Saul, T. Jaakkola and M. I. Jordan (1996). Mean field theory for sigmoid belief networks. Journal of
    Artificial Intelligence Research 4, 61-76.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.MeanFieldSBN(8, n_iter=5, random_state=0).fit(X)
    >>> means = model.transform(X)
    >>> means.shape, bool((means > 0).all() and (means < 1).all())
    ((200, 8), True)
    """

    system: ClassVar[type[MeanFieldSystem]] = MeanFieldSystem
    method: ClassVar[str] = "MF-SBN"
    usual: ClassVar[Usual] = MeanField()
    score_name: ClassVar[str] = SCORE_NAME
    score_title: ClassVar[str] = f"{BOUND_TITLE}, by the tilted bound"
    mean_field_bound: ClassVar[str] = "tilted"

    n_components: int = declare(_MEAN_FIELD["n_h"])
    _: KW_ONLY
    optimiser: Optimiser = declare(FIELD["optimiser"])
    learning_rate: float = declare(FIELD["learning_rate"])
    momentum: float = declare(FIELD["momentum"])
    decay_steps: float | None = declare(DECAY_STEPS)
    cauchy_prior: float | None = declare(_MEAN_FIELD["cauchy_prior"])
    n_sweeps: int = declare(FIELD["n_sweeps"])

    def _shared_with(self, system: Any) -> dict[str, Any]:
        return {**super()._shared_with(system), "decay_steps": decay_steps_of(self)}

    def moments_of(self, layer: LayerParams, x: NDArray, q: NDArray) -> TiltedMoments:
        """Return the moments under means of the latents, with the tilted bound."""
        return TiltedMoments(layer, x, q)
