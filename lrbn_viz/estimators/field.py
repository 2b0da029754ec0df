"""Sigmoid belief networks that learn from means of their latents as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.baselines.sbn.mean_field import SWEEPS_JUDGED, FieldSystem
from lrbn_viz.baselines.sbn.model import Moments, SBNParams
from lrbn_viz.baselines.sbn.optimiser import Optimiser
from lrbn_viz.baselines.sbn.system import SBNState
from lrbn_viz.estimators.recognition import Recognition, TraceKind
from lrbn_viz.fields import declare, fields_of
from lrbn_viz.model import LayerParams, TraceMethod
from lrbn_viz.validation import check_choice

_FIELD = fields_of(FieldSystem)
MEAN_FIELD: Literal["mean-field"] = "mean-field"


@dataclass(eq=False, repr=False, kw_only=True)
class FieldNetwork(Recognition):
    """A sigmoid belief network that learns from means of its latents; a method names its system."""

    system: ClassVar[type[FieldSystem]]

    score_title: ClassVar[str] = f"bound on log P(x) of held-out images, {SWEEPS_JUDGED} sweeps of mean field"
    methods: ClassVar[Mapping[str, str]] = {MEAN_FIELD: "mean field", **Recognition.methods}
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {
        MEAN_FIELD: Recognition.trace_methods[MEAN_FIELD],
        **Recognition.trace_methods,
    }
    usual_trace: ClassVar[TraceKind] = MEAN_FIELD
    mean_field_bound: ClassVar[str] = "quadratic"

    optimiser: Optimiser = declare(_FIELD["optimiser"])
    learning_rate: float = declare(_FIELD["learning_rate"])
    momentum: float = declare(_FIELD["momentum"])
    n_sweeps: int = declare(_FIELD["n_sweeps"])

    def transform(self, X: ArrayLike, *, method: str = MEAN_FIELD, **options: Any) -> NDArray:
        """Return the latents inferred for each image; shape (n, n_h).

        Parameters
        ----------
        X : (n, n_v) array
        method : {"mean-field", "recognition", "icm", "annealed", "gibbs"}
            "mean-field" gives the means after sweeps of mean field from the recognition network's guess,
            "recognition" the guess, float64 both. The others give states, uint8, as LRBN's do.
        **options
            ``n_sweeps`` and ``random_state``, as LRBN takes them; "mean-field" takes ``n_sweeps`` too.
        """
        check_choice(method, "method", tuple(self.methods))
        if method == MEAN_FIELD:
            return self._means(X, int(options.get("n_sweeps", SWEEPS_JUDGED)))[0]
        return super().transform(X, method=method, **options)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the bound on log P(x) after sweeps of mean field, nats; (n,)."""
        return self._means(X, SWEEPS_JUDGED)[1]

    def moments_of(self, layer: LayerParams, x: NDArray, q: NDArray) -> Moments:
        """Return the moments under means of the latents, with the bound of Jaakkola and Jordan."""
        return Moments(layer, x, q)

    def proposal(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return the log-odds of the means, which no annealing improves."""
        q = self._means(X, SWEEPS_JUDGED)[0]
        return (np.log(q) - np.log1p(-q),)

    def _means(self, X: ArrayLike, n_sweeps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return means (n, n_h), which are never 0 or 1, and bounds (n,) of images."""
        images = self.check_images(X)
        Q, bounds = self.make_system().means(self._judged(), images, n_sweeps)
        return Q.astype(np.float64), bounds

    def _judged(self) -> SBNState:
        """Return a state of both networks that means are asked of."""
        params = SBNParams(*self.networks[:5])
        return self.make_system().resume(params, np.random.default_rng(0))

    def make_system(self) -> FieldSystem:
        """Return what trains, with the current settings."""
        found: Any = super().make_system()
        return found
